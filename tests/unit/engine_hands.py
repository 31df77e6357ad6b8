"""Hands of the engine for tests, made from what a mahjong player would write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.hands.hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KINDS,
    NONE,
    PUNG,
    RANKS,
    Hand,
    add_tile,
)
from sim.jit import new
from sim.tiles import parse_counts, parse_tile

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMS = {"pung": PUNG, "concealed": CONCEALED_KONG, "exposed": EXPOSED_KONG, "added": ADDED_KONG}


def make_hand(tiles: str | Sequence[int], melds: Sequence[str | int] = (), void_suit: int | None = None) -> Hand:
    """Make a hand from its concealed tiles (a text or counts) and melds such as "concealed 5m"; kinds are pungs.

    Without a void suit given, it is the last suit of which nothing is held.
    """
    hand = new(Hand)[0]
    for kind, count in enumerate(parse_counts(tiles) if isinstance(tiles, str) else tiles):
        for _ in range(count):
            add_tile(hand, kind)
    for index, meld in enumerate(melds):
        form, kind = ("pung", meld) if isinstance(meld, int) else (meld.split()[0], parse_tile(meld.split()[1]))
        hand.meld_kinds[index], hand.meld_forms[index] = kind, FORMS[form]
        if form == "pung":
            hand.pungs |= 1 << kind
        else:
            hand.kongs |= 1 << kind
    hand.count_melds = len(melds)
    held = {kind // RANKS for kind in kinds_in(hand.at_least[0] | hand.pungs | hand.kongs)}
    free = [suit for suit in range(3) if suit not in held]
    hand.void_suit = (free[-1] if free else NONE) if void_suit is None else void_suit
    return hand


def kinds_in(mask: int) -> list[int]:
    """List the kinds of a mask."""
    return [kind for kind in range(KINDS) if int(mask) >> kind & 1]


def state_of(hand: Hand) -> bytes:
    """Return everything that a hand holds, to see whether it has changed."""
    return hand.tobytes()
