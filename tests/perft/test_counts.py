"""Counts of hands that others have found by brute force, found again with the engine's own tables and kernels.

A kernel goes through all hands whose tiles are in one or two given suits and asks the engine about each. Three-suit
counts follow from the counts of single suits: in a standard hand one suit has the pair, the others are groups only.
"""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from sim.engine.hands.build import COPIES, count_tiles
from sim.engine.hands.hand import Hand, count_kinds
from sim.engine.hands.lookup import CLASSES, SUIT_KEYS, Lookup, load_lookup
from sim.engine.hands.shanten import PAIRS, count_lacking, count_pairs
from sim.engine.hands.waits import is_complete, mark_waits
from sim.jit import INTERPRETED, Ints, Ints2, Records, driver, kernel, new

needs_compiler = pytest.mark.skipif(INTERPRETED, reason="millions of hands are for compiled kernels")

KEYS = np.flatnonzero(count_tiles(9) <= 14)
TILES = count_tiles(9)[KEYS]
DIGITS = np.array([KEYS // 5**rank % 5 for rank in range(9)])
AT_LEAST = np.array([((copies <= DIGITS).T << np.arange(9)).sum(axis=1) for copies in range(1, COPIES + 1)])
"""Masks of the ranks of which at least 1, 2, 3, 4 tiles are held, for each suit vector."""


class Suits(NamedTuple):
    """All vectors of one suit with some number of tiles."""

    keys: np.ndarray
    at_least: np.ndarray

    @classmethod
    def of(cls, tiles: int) -> "Suits":
        chosen = tiles == TILES
        return cls(KEYS[chosen], np.ascontiguousarray(AT_LEAST[:, chosen]))


@kernel
def hold(hand: Hand, suit: int, keys: Ints, at_least: Ints2, tiles: int, index: int) -> None:
    """Give a hand's suit the tiles of a vector; what kernels of hands read follows.

    Parameters
    ----------
    hand : Hand, changed
        The hand.
    suit : int64, read
        The suit.
    keys : int64 array, read
        Keys of the vectors.
    at_least : int64 array, read
        Their masks, one row for each number of copies.
    tiles : int64, read
        Tiles of each vector.
    index : int64, read
        Which vector.
    """
    hand.keys[suit] = keys[index]
    hand.sizes[suit] = tiles
    for copies in range(4):
        others = hand.at_least[copies] & ~(511 << (9 * suit))
        hand.at_least[copies] = others | (at_least[copies, index] << (9 * suit))


@driver
def count_complete(
    hands: Records[Hand],
    lower: Ints,
    lower_at_least: Ints2,
    lower_tiles: int,
    upper: Ints,
    upper_at_least: Ints2,
    upper_tiles: int,
    found: Ints,
    lookup: Records[Lookup],
) -> None:
    """Count complete hands: standard, seven pairs, both, and those that the engine calls complete.

    Parameters
    ----------
    hands : Hand array, changed
        One hand, its void suit and melds given.
    lower : int64 array, read
        Keys of the vectors of the first suit.
    lower_at_least : int64 array, read
        Their masks.
    lower_tiles : int64, read
        Tiles of each of them.
    upper : int64 array, read
        Keys of the vectors of the second suit.
    upper_at_least : int64 array, read
        Their masks.
    upper_tiles : int64, read
        Tiles of each of them.
    found : int64 array, changed
        The four counts.
    lookup : Lookup array, read
        The suit tables.
    """
    hand = hands[0]
    for i in range(len(lower)):
        hold(hand, 0, lower, lower_at_least, lower_tiles, i)
        for j in range(len(upper)):
            hold(hand, 1, upper, upper_at_least, upper_tiles, j)
            is_standard = count_lacking(hand.count_melds, hand.keys[0], hand.keys[1], lookup[0]) == 0
            is_pairs = hand.count_melds == 0 and count_pairs(hand, hand.void_suit) == PAIRS
            found[0] += is_standard
            found[1] += is_pairs
            found[2] += is_standard and is_pairs
            found[3] += is_complete(hand, lookup[0])


@driver
def count_ready(
    hands: Records[Hand],
    lower: Ints,
    lower_at_least: Ints2,
    lower_tiles: int,
    upper: Ints,
    upper_at_least: Ints2,
    upper_tiles: int,
    found: Ints,
    lookup: Records[Lookup],
) -> None:
    """Count hands by their number of waits.

    Parameters
    ----------
    hands : Hand array, changed
        One hand, its void suit and melds given.
    lower : int64 array, read
        Keys of the vectors of the first suit.
    lower_at_least : int64 array, read
        Their masks.
    lower_tiles : int64, read
        Tiles of each of them.
    upper : int64 array, read
        Keys of the vectors of the second suit.
    upper_at_least : int64 array, read
        Their masks.
    upper_tiles : int64, read
        Tiles of each of them.
    found : int64 array, changed
        Hands with 0, 1, 2, ... waits.
    lookup : Lookup array, read
        The suit tables.
    """
    hand = hands[0]
    for i in range(len(lower)):
        hold(hand, 0, lower, lower_at_least, lower_tiles, i)
        for j in range(len(upper)):
            hold(hand, 1, upper, upper_at_least, upper_tiles, j)
            found[count_kinds(mark_waits(hand, lookup[0]))] += 1


def go_through(counter: object, lower_sizes: range, tiles: int, length: int, melds: int = 0) -> list[int]:
    """Ask about all hands of so many tiles, so many of them in the first suit; the third suit is void."""
    found = np.zeros(length, dtype=np.int64)
    hands = new(Hand)
    hands[0].void_suit, hands[0].count_melds = 2, melds
    for size in lower_sizes:
        lower, upper = Suits.of(size), Suits.of(tiles - size)
        counter(hands, *lower, size, *upper, tiles - size, found, load_lookup())
    return found.tolist()


# --- suit vectors and their tables ---


def test_suit_vectors() -> None:
    lookup = load_lookup()[0]
    assert (lookup.classes[:SUIT_KEYS] < CLASSES).sum() == 405_350
    assert (lookup.classes[KEYS] < CLASSES).all()
    assert [(tiles == TILES).sum() for tiles in (13, 14)] == [93_600, 118_800]
    assert len(np.unique(lookup.classes[KEYS])) == CLASSES == 126


def test_groups_only() -> None:
    assert groups_only() == [1, 16, 127, 627, 2_098]


def test_groups_and_a_pair() -> None:
    assert groups_and_pair() == [9, 135, 996, 4_475, 13_259]


def groups_only() -> list[int]:
    """Count the suit vectors of 0, 3, 6, 9, 12 tiles that are groups only."""
    ways = load_lookup()[0].ways[KEYS]
    return [int((ways[3 * groups == TILES] != 0).sum()) for groups in range(5)]


def groups_and_pair() -> list[int]:
    """Count the suit vectors of 2, 5, 8, 11, 14 tiles that are groups and a pair; all other tiles are melds."""
    lookup = load_lookup()[0]
    nothing = lookup.classes[0]
    lacking = [
        lookup.lacking[4 - groups, nothing, lookup.classes[KEYS[3 * groups + 2 == TILES]]] for groups in range(5)
    ]
    return [int((distance == 0).sum()) for distance in lacking]


def test_standard_hands_of_three_suits() -> None:
    groups, pairs = groups_only(), groups_and_pair()
    shares = [share for share in itertools.product(range(5), repeat=3) if sum(share) == 4]
    assert 3 * sum(pairs[a] * groups[b] * groups[c] for a, b, c in shares) == 5_237_550


# --- complete hands ---


@pytest.mark.parametrize(("melds", "expected"), [(4, 18), (3, 558), (2, 8_598), (1, 86_398)])
def test_standard_hands_beside_melds(melds: int, expected: int) -> None:
    if INTERPRETED and melds < 4:
        pytest.skip("millions of hands are for compiled kernels")
    tiles = 14 - 3 * melds
    found = go_through(count_complete, range(tiles + 1), tiles, 4, melds)
    assert found == [expected, 0, 0, expected]


@needs_compiler
def test_complete_hands_of_one_suit() -> None:
    standard, pairs, both, either = go_through(count_complete, range(14, 15), 14, 4)
    assert standard == 13_259
    assert either == standard + pairs - both
    # Seven pairs: each of nine ranks gives none, one or two of them.
    ranks = itertools.product(range(3), repeat=9)
    assert pairs == sum(sum(shares) == PAIRS for shares in ranks)


@needs_compiler
def test_complete_hands_of_two_suits() -> None:
    one = go_through(count_complete, range(14, 15), 14, 4)
    two = go_through(count_complete, range(15), 14, 4)
    assert two == [629_756, 241_128, 1_838, 869_046]
    assert [3 * count - 3 * single for count, single in zip(two, one, strict=True)] == [
        1_849_491,
        716_472,
        4_872,
        2_561_091,
    ]


# --- ready hands ---


@needs_compiler
def test_ready_hands_of_one_suit() -> None:
    found = go_through(count_ready, range(13, 14), 13, 14)
    assert found[1:10] == [20_766, 14_492, 7_670, 3_140, 1_377, 392, 79, 16, 1]
    assert sum(found[1:]) == 47_933
    assert sum(found) == 93_600


def test_ready_hands_of_one_suit_without_seven_pairs() -> None:
    lookup = load_lookup()[0]
    chosen = TILES == 13
    waits = np.zeros(chosen.sum(), dtype=np.int64)
    for rank in range(9):
        completed = lookup.lacking[0, lookup.classes[0], lookup.classes[KEYS[chosen] + 5**rank]] == 0
        waits += completed & (DIGITS[rank, chosen] < COPIES)
    found = np.bincount(waits).tolist()
    assert found[1:] == [14_067, 14_493, 6_739, 2_948, 1_335, 392, 79, 16, 1]
    assert sum(found[1:]) == 40_070


@needs_compiler
def test_ready_hands_of_two_suits() -> None:
    found = go_through(count_ready, range(14), 13, 14)
    assert found[1:10] == [2_528_748, 1_191_910, 273_554, 51_746, 13_110, 1_744, 222, 96, 2]
    assert sum(found[1:]) == 4_061_132
