"""Hands that hypothesis draws: complete ones, one tile away from that, or any; with melds of all forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sim.engine.hands.hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KINDS,
    NONE,
    PUNG,
    RANKS,
    SUITS,
    Hand,
    add_tile,
)
from sim.engine.sichuan.rules import ABSENT, NO_CAP, PATTERNS, Rules
from sim.jit import new
from tests.property.turning import Image

FORMS = (PUNG, CONCEALED_KONG, EXPOSED_KONG, ADDED_KONG)


@dataclass(frozen=True)
class Held:
    """Tiles by kind, melds by form and kind, and the void suit."""

    counts: tuple[int, ...]
    melds: tuple[tuple[int, int], ...]
    void_suit: int

    def image(self, image: Image) -> Held:
        """Return the hand of the images of all tiles."""
        counts = [0] * KINDS
        for kind, count in enumerate(self.counts):
            counts[image(kind)] = count
        melds = tuple((form, image(kind)) for form, kind in self.melds)
        return Held(tuple(counts), melds, image(RANKS * self.void_suit) // RANKS)

    def record(self) -> Any:
        """Return the engine's hand."""
        hand = new(Hand)[0]
        for kind, count in enumerate(self.counts):
            for _ in range(count):
                add_tile(hand, kind)
        for meld, (form, kind) in enumerate(self.melds):
            hand.meld_kinds[meld], hand.meld_forms[meld] = kind, form
            if form == PUNG:
                hand.pungs |= 1 << kind
            else:
                hand.kongs |= 1 << kind
        hand.count_melds = len(self.melds)
        hand.void_suit = self.void_suit
        hand.drawn = NONE
        return hand

    def copies(self, kind: int) -> int:
        """Return how many copies of a kind the hand and its melds hold."""
        return self.counts[kind] + sum(3 if form == PUNG else 4 for form, other in self.melds if other == kind)


def kinds_in(mask: int) -> set[int]:
    """Return the kinds of a mask."""
    return {kind for kind in range(KINDS) if int(mask) >> kind & 1}


GROUPS = (*((kind,) * 3 for kind in range(KINDS)), *((k, k + 1, k + 2) for k in range(KINDS) if k % RANKS < RANKS - 2))
PAIRS = tuple((kind,) * 2 for kind in range(KINDS))


@st.composite
def held(draw: st.DrawFn, tiles: int) -> Held:
    """Draw a hand of 13 or 14 tiles (fewer three for each meld).

    Groups and a pair, or seven pairs, often of few kinds, so that a hand has several readings; one tile less for 13;
    then some tiles may be swapped for others, of the void suit too.
    """
    void_suit = draw(st.integers(0, SUITS - 1))
    suited = {kind for kind in range(KINDS) if kind // RANKS != void_suit}
    ranks = draw(st.sampled_from([range(RANKS), range(4), range(3, 8), (0, 1, 2, 6, 7, 8), (1, 4, 7)]))
    few = {kind for kind in suited if kind % RANKS in ranks}
    if draw(st.booleans()):
        few = {kind for kind in few if kind // RANKS == (void_suit + 1) % SUITS}
    total: Counter[int] = Counter()

    def take(parts: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Draw a part of which there are enough tiles left, of the few kinds if that can be."""
        free = [part for part in parts if all(total[kind] + part.count(kind) <= 4 for kind in part)]
        chosen = draw(st.sampled_from([p for p in free if few.issuperset(p)] or [p for p in free if suited >= {*p}]))
        total.update(chosen)
        return chosen

    concealed: list[int] = []
    melds: list[tuple[int, int]] = []
    if draw(st.integers(0, 4)) == 4:
        concealed = [kind for _ in range(7) for kind in take(PAIRS)]
    else:
        for _ in range(4):
            if draw(st.booleans()):
                concealed += take(GROUPS)
            else:
                form = draw(st.sampled_from(FORMS))
                size = 3 if form == PUNG else 4
                melds.append((form, take([(kind,) * size for kind in range(KINDS)])[0]))
        concealed += take(PAIRS)
    if tiles == 13:
        total[concealed.pop(draw(st.integers(0, len(concealed) - 1)))] -= 1
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1, 2, 4]))):
        place, kind = draw(st.integers(0, len(concealed) - 1)), draw(st.integers(0, KINDS - 1))
        if total[kind] < 4:
            total[concealed[place]] -= 1
            total[kind] += 1
            concealed[place] = kind
    return Held(tuple(concealed.count(kind) for kind in range(KINDS)), tuple(melds), void_suit)


@st.composite
def fan_tables(draw: st.DrawFn) -> Any:
    """Draw the fan of every pattern, and a cap."""
    rules = new(Rules)[0]
    for index in range(len(PATTERNS)):
        rules.fan[index] = draw(st.sampled_from([1, 2, 3, 0, ABSENT]))
    rules.fan_cap = draw(st.sampled_from([3, 5, 0, NO_CAP]))
    return rules
