"""Hands by plain recursion: readings, waits, shanten, useful tiles. Nothing about fan or points.

A hand is a sequence of 27 counts of concealed tiles; melds are `Meld` records. Memory of earlier answers is kept per
suit, which is all the cleverness there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tests.reference.records import KINDS, Meld, suit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

Group = tuple[str, int]  # ("run", its lowest kind) or ("pung", its kind)
IMPOSSIBLE = 99


@dataclass(frozen=True)
class Reading:
    """One way to read the concealed tiles of a complete hand. Melds stand beside it."""

    form: str  # "standard" | "seven_pairs"
    groups: tuple[Group, ...] = ()
    pair: int | None = None  # kind of the pair of a standard hand


# --- complete hands -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def split_suit(counts: tuple[int, ...]) -> frozenset[tuple[tuple[Group, ...], int | None]]:
    """Find every way to split the tiles of one suit into groups and at most one pair; kinds are 0..8 here."""
    if not any(counts):
        return frozenset({((), None)})
    found: set[tuple[tuple[Group, ...], int | None]] = set()
    low = next(rank for rank, held in enumerate(counts) if held)
    if counts[low] >= 2:
        for groups, pair in split_suit(_without(counts, low, low)):
            if pair is None:
                found.add((groups, low))
    if counts[low] >= 3:
        for groups, pair in split_suit(_without(counts, low, low, low)):
            found.add((tuple(sorted((*groups, ("pung", low)))), pair))
    if low <= 6 and counts[low + 1] and counts[low + 2]:
        for groups, pair in split_suit(_without(counts, low, low + 1, low + 2)):
            found.add((tuple(sorted((*groups, ("run", low)))), pair))
    return frozenset(found)


def _without(counts: tuple[int, ...], *ranks: int) -> tuple[int, ...]:
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
    return tuple(left)


def standard_readings(hand: Sequence[int], meld_count: int) -> list[Reading]:
    """Every standard reading of the concealed tiles beside that many melds."""
    readings = []
    suits = [[_shifted(way, 9 * s) for way in sorted(split_suit(_suit(hand, s)), key=repr)] for s in range(3)]
    for groups_m, pair_m in suits[0]:
        for groups_p, pair_p in suits[1]:
            for groups_s, pair_s in suits[2]:
                pairs = [pair for pair in (pair_m, pair_p, pair_s) if pair is not None]
                groups = groups_m + groups_p + groups_s
                if len(pairs) == 1 and len(groups) + meld_count == 4:
                    readings.append(Reading("standard", groups, pairs[0]))
    return readings


def _suit(hand: Sequence[int], suit: int) -> tuple[int, ...]:
    return tuple(hand[9 * suit : 9 * suit + 9])


def _shifted(way: tuple[tuple[Group, ...], int | None], by: int) -> tuple[tuple[Group, ...], int | None]:
    groups, pair = way
    return tuple((form, kind + by) for form, kind in groups), None if pair is None else pair + by


def is_seven_pairs(hand: Sequence[int], meld_count: int) -> bool:
    """Seven pairs, no melds; four identical tiles are two pairs."""
    return meld_count == 0 and sum(hand) == 14 and all(held % 2 == 0 for held in hand)


def readings(hand: Sequence[int], meld_count: int) -> list[Reading]:
    """Every reading of a hand of 14 tiles less three per meld; empty when it is not complete."""
    found = standard_readings(hand, meld_count)
    if is_seven_pairs(hand, meld_count):
        found.append(Reading("seven_pairs"))
    return found


def is_complete(hand: Sequence[int], meld_count: int) -> bool:
    """Whether the concealed tiles beside that many melds are a winning hand structurally."""
    return bool(readings(hand, meld_count))


# --- ready hands ----------------------------------------------------------------------------------------------------


def is_cleared(hand: Sequence[int], void: int | None) -> bool:
    """Whether no concealed tile is of the void suit. Looked at afresh every time: it is no latch."""
    return not any(held and suit_of(kind) == void for kind, held in enumerate(hand))


def own_copies(kind: int, hand: Sequence[int], melds: Sequence[Meld]) -> int:
    """Copies of a kind in the player's own hand and melds."""
    return hand[kind] + sum(meld.copies for meld in melds if meld.kind == kind)


def waits(hand: Sequence[int], melds: Sequence[Meld], void: int | None) -> list[int]:
    """Kinds that complete a hand of 13 tiles less three per meld; empty when it is not cleared.

    A kind of which the player holds all four copies does not count; one whose copies are all visible elsewhere does.
    """
    if not is_cleared(hand, void):
        return []
    found = []
    for kind in range(KINDS):
        if suit_of(kind) != void and own_copies(kind, hand, melds) < 4:
            longer = list(hand)
            longer[kind] += 1
            if is_complete(longer, len(melds)):
                found.append(kind)
    return found


def is_ready(hand: Sequence[int], melds: Sequence[Meld], void: int | None) -> bool:
    """Cleared, and at least one kind completes the hand."""
    return bool(waits(hand, melds, void))


# --- shanten --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=500_000)
def missing_in_suit(counts: tuple[int, ...], groups: int, pairs: int, one: int = 0, two: int = 0) -> int:
    """Fewest tiles to add to the ranks still to come until they contain a target of groups and pairs.

    `one` runs began one rank below the first rank still to come and `two` runs two ranks below it. A target holds
    at most four of a kind.
    """
    if not counts:
        return 0 if groups == pairs == one == two == 0 else IMPOSSIBLE
    best = IMPOSSIBLE
    for runs in range(min(groups, 2) + 1 if len(counts) >= 3 else 1):  # three equal runs are three pungs
        for pungs in (0, 1):
            for twins in range(min(pairs, 2) + 1):
                wanted = one + two + runs + 3 * pungs + 2 * twins
                if wanted <= 4 and runs + pungs <= groups:
                    rest = missing_in_suit(counts[1:], groups - runs - pungs, pairs - twins, runs, one)
                    best = min(best, rest + max(0, wanted - counts[0]))
    return best


@lru_cache(maxsize=200_000)
def missing_pairs_in_suit(counts: tuple[int, ...], pairs: int) -> int:
    """Fewest tiles to add to a suit until it contains that many pairs, four alike counting as two."""
    if not counts:
        return 0 if pairs == 0 else IMPOSSIBLE
    best = IMPOSSIBLE
    for twins in range(min(pairs, 2) + 1):
        best = min(best, missing_pairs_in_suit(counts[1:], pairs - twins) + max(0, 2 * twins - counts[0]))
    return best


@lru_cache(maxsize=50_000)
def _missing_standard(suits: tuple[tuple[int, ...], ...], groups: int, pairs: int) -> int:
    if not suits:
        return 0 if groups == pairs == 0 else IMPOSSIBLE
    best = IMPOSSIBLE
    for here in range(groups + 1):
        for twins in range(pairs + 1):
            rest = _missing_standard(suits[1:], groups - here, pairs - twins)
            best = min(best, rest + missing_in_suit(suits[0], here, twins))
    return best


@lru_cache(maxsize=50_000)
def _missing_seven_pairs(suits: tuple[tuple[int, ...], ...], pairs: int) -> int:
    if not suits:
        return 0 if pairs == 0 else IMPOSSIBLE
    return min(
        missing_pairs_in_suit(suits[0], here) + _missing_seven_pairs(suits[1:], pairs - here)
        for here in range(pairs + 1)
    )


def shanten(hand: Sequence[int], meld_count: int, void: int | None) -> int:
    """Tiles away from ready: 0 is ready, -1 complete. Tiles of the void suit never help.

    The nearest of standard hand and seven pairs. At most four of a kind may be in the target, counted over concealed
    tiles alone: melds are not looked at, so that a wait on a fifth copy can count as ready here (`waits` knows better).
    """
    suits = tuple(_suit(hand, suit) for suit in range(3) if suit != void)
    missing = _missing_standard(suits, 4 - meld_count, 1)
    if meld_count == 0:
        missing = min(missing, _missing_seven_pairs(suits, 7))
    return missing - 1


def useful_tiles(hand: Sequence[int], meld_count: int, void: int | None) -> list[int]:
    """Kinds that lower the shanten of a hand of 13 tiles less three per meld; never a fifth copy in the hand."""
    now = shanten(hand, meld_count, void)
    found = []
    for kind in range(KINDS):
        if hand[kind] < 4:
            longer = list(hand)
            longer[kind] += 1
            if shanten(longer, meld_count, void) < now:
                found.append(kind)
    return found
