"""Making the suit tables: how many tiles each suit vector lacks for every target.

A *suit vector* is how many concealed tiles of each of the nine ranks one suit has, written as a base-5 key, lowest
rank first. A *target* is a number of groups, 0 to 4, without or with a pair; a suit's *distance* to it is the fewest
tiles to add so that its tiles contain that many groups (and a pair), never more than four of a kind. Not in here: how
the tables are kept and read (`sim.engine.hands.lookup`).

The distances come from dynamic programming over the ranks. Its state at a boundary between two ranks is how many runs
began at the last rank and how many at the one before (both reach over the boundary), the groups begun so far, and
whether the pair is placed. The five low ranks are worked out once for each of their 3,125 fillings, the four high ranks
once for each of their 625, and each pair of fillings is joined at the boundary: a fifth of a second in all.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

RANKS = 9
COPIES = 4
MOST_TILES = 14
"""Tiles of one suit that a hand can hold."""
GROUPS = 4
TARGETS = 2 * (GROUPS + 1)
"""Targets of a suit: 0 to 4 groups without a pair are targets 0 to 4, the same with a pair 5 to 9."""
LOW_RANKS, HIGH_RANKS = 5, 4
LOW_FILLINGS = (COPIES + 1) ** LOW_RANKS
NEVER = 100
"""Stands for a distance that no tiles can bridge; twice this still fits a byte."""

ANY_GROUPS, PUNGS_ONLY, OUTSIDE_ONLY, OUTSIDE_PUNGS = 1, 2, 4, 8
"""Bits of the ways in which tiles are groups and nothing else: some way, one with pungs only, one with a 1 or a 9 in
every group, one with both. A whole hand can be read in the ways that all its suits have in common."""

ByteArray = npt.NDArray[np.uint8]
IntArray = npt.NDArray[np.int64]


def count_tiles(ranks: int) -> IntArray:
    """Return the number of tiles of every filling of some ranks.

    Parameters
    ----------
    ranks : int
        How many ranks, each with 0 to 4 tiles.

    Returns
    -------
    int64 array, shape (5**ranks,)
        The sum of the base-5 digits of each number.
    """
    tiles = np.zeros(1, dtype=np.int64)
    for _ in range(ranks):
        tiles = (np.arange(COPIES + 1)[:, None] + tiles[None, :]).ravel()
    return tiles


def measure_distances() -> tuple[IntArray, ByteArray]:
    """Return the keys of all suit vectors of 0 to 14 tiles and their distances to the ten targets.

    Returns
    -------
    keys : int64 array, shape (405350,)
        Base-5 keys, ordered by the filling of the four high ranks and then by the tiles of the low ranks.
    distances : uint8 array, shape (10, 405350)
        Tiles lacking for each target.
    """
    low_tiles = count_tiles(LOW_RANKS)
    lows = np.argsort(low_tiles, kind="stable")
    # A low filling fits beside a high one if both together have at most 14 tiles, so those that fit are a prefix.
    prefixes = np.searchsorted(low_tiles[lows], MOST_TILES - count_tiles(HIGH_RANKS), side="right")
    keys = np.concatenate([high * LOW_FILLINGS + lows[:fitting] for high, fitting in enumerate(prefixes)])

    nothing = np.full((1, 1, 5, 5, GROUPS + 1, 2), NEVER, dtype=np.uint8)
    nothing[0, 0, 0, 0, 0, 0] = 0
    low = _add_ranks(nothing, LOW_RANKS)[0][lows]
    boundaries = [(last, before) for last in range(5) for before in range(5) if last + before <= COPIES]
    entering = np.full((len(boundaries), 1, 5, 5, GROUPS + 1, 2), NEVER, dtype=np.uint8)
    for row, (last, before) in enumerate(boundaries):
        entering[row, 0, last, before, 0, 0] = 0
    high = _add_ranks(entering, HIGH_RANKS)[:, :, 0, 0]  # no run may reach over the last rank

    distances = np.empty((TARGETS, len(keys)), dtype=np.uint8)
    for pairs, groups in itertools.product(range(2), range(GROUPS + 1)):
        low_costs, high_costs = [], []
        for row, (last, before) in enumerate(boundaries):
            for low_groups, low_pairs in itertools.product(range(last + before, groups + 1), range(pairs + 1)):
                low_costs.append(low[:, last, before, low_groups, low_pairs])
                high_costs.append(high[row, :, groups - low_groups, pairs - low_pairs])
        target = groups + (GROUPS + 1) * pairs
        _join(np.array(low_costs), np.array(high_costs), prefixes, distances[target])
    return keys, distances


def _add_ranks(costs: ByteArray, ranks: int) -> ByteArray:
    """Return the fewest tiles lacking once some more ranks are filled.

    Costs have the shape (starts, fillings, 5, 5, 5, 2): by where the counting started, by filling of the ranks so far,
    by runs begun at the last rank, by runs begun at the one before, by groups begun, by pairs placed.
    """
    held = np.arange(COPIES + 1)
    choices = [
        (last, before, runs, pung, pair)
        for last, before, runs, pung, pair in itertools.product(range(5), range(5), range(5), range(2), range(2))
        if last + before + runs + 3 * pung + 2 * pair <= COPIES
    ]
    for _ in range(ranks):
        starts, fillings = costs.shape[:2]
        after = np.full((starts, COPIES + 1, fillings, 5, 5, GROUPS + 1, 2), NEVER, dtype=np.uint8)
        for last, before, runs, pung, pair in choices:
            groups = runs + pung
            source = costs[:, None, :, last, before, : GROUPS + 1 - groups, : 2 - pair]
            if source.min() == NEVER:
                continue
            lacking = np.maximum(last + before + runs + 3 * pung + 2 * pair - held, 0).astype(np.uint8)
            reached = after[:, :, :, runs, last, groups:, pair:]
            np.minimum(reached, source + lacking[None, :, None, None, None], out=reached)
        costs = after.reshape(starts, -1, 5, 5, GROUPS + 1, 2)
    return costs


def _join(low_costs: ByteArray, high_costs: ByteArray, prefixes: IntArray, distances: ByteArray) -> None:
    """Fill in one target's distance of every suit vector: the least sum over the ways to share the target.

    Costs have one row a way to share and one column a filling, the low fillings in the order of the vectors. High
    fillings with the same costs, of which there are few different ones, are joined once.
    """
    shapes, shape_of = np.unique(high_costs, axis=1, return_inverse=True)
    joined: dict[int, ByteArray] = {}
    place = 0
    for shape, fitting in zip(shape_of.ravel().tolist(), prefixes.tolist(), strict=True):
        if shape not in joined:
            ways = shapes[:, shape] < NEVER
            joined[shape] = (low_costs[ways] + shapes[ways, shape][:, None]).min(axis=0)
        distances[place : place + fitting] = joined[shape][:fitting]
        place += fitting


def combine_distances(distances: ByteArray) -> ByteArray:
    """Return what two suits together lack for a complete standard hand.

    Parameters
    ----------
    distances : uint8 array, shape (10, classes)
        Distances of each class of suit vectors.

    Returns
    -------
    uint8 array, shape (5, classes, classes)
        By number of melds, and by the classes of the two suits, the fewest tiles to add.
    """
    without, with_pair = distances[: GROUPS + 1], distances[GROUPS + 1 :]
    classes = distances.shape[1]
    combined = np.full((GROUPS + 1, classes, classes), NEVER, dtype=np.uint8)
    for melds in range(GROUPS + 1):
        groups = GROUPS - melds
        for share in range(groups + 1):
            sums = without[share][:, None] + with_pair[groups - share][None, :]
            np.minimum(combined[melds], sums, out=combined[melds])
            np.minimum(combined[melds], sums.T, out=combined[melds])
    return combined


def list_group_ways() -> dict[int, int]:
    """Return in which ways a suit's tiles can be groups and nothing else.

    Returns
    -------
    dict
        From the key of each of the 2,869 suit vectors that are groups only to its ways, bits ANY_GROUPS, PUNGS_ONLY,
        OUTSIDE_ONLY, OUTSIDE_PUNGS. No tiles at all are no groups in every way.
    """
    groups = [((rank,) * 3, PUNGS_ONLY, rank in (0, RANKS - 1)) for rank in range(RANKS)]
    groups += [((rank, rank + 1, rank + 2), ANY_GROUPS, rank in (0, RANKS - 3)) for rank in range(RANKS - 2)]
    ways: dict[int, int] = {}
    for count in range(GROUPS + 1):
        for chosen in itertools.combinations_with_replacement(groups, count):
            tiles = [rank for group in chosen for rank in group[0]]
            if any(tiles.count(rank) > COPIES for rank in tiles):
                continue
            key = sum(5**rank for rank in tiles)
            has_pungs_only = all(form == PUNGS_ONLY for _, form, _ in chosen)
            is_outside = all(outside for _, _, outside in chosen)
            found = ANY_GROUPS | PUNGS_ONLY * has_pungs_only | OUTSIDE_ONLY * is_outside
            found |= OUTSIDE_PUNGS * (has_pungs_only and is_outside)
            ways[key] = ways.get(key, 0) | found
    return ways
