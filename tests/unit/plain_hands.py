"""Hand mathematics written down plainly for the tests: nothing from the engine, slow, and easy to believe."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Counts = tuple[int, ...]
"""Tiles of each of the 27 kinds."""

RUNS = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
PUNGS = [(k, k, k) for k in range(27)]
GROUPS = RUNS + PUNGS


def without(counts: Sequence[int], tiles: Sequence[int]) -> Counts | None:
    """Take tiles away, if they are there."""
    left = list(counts)
    for kind in tiles:
        left[kind] -= 1
    return tuple(left) if min(left) >= 0 else None


def split_groups(counts: Counts) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to take all tiles as groups, each once."""
    if not any(counts):
        yield []
        return
    first = next(k for k in range(27) if counts[k])
    for group in GROUPS:
        if group[0] == first and (left := without(counts, group)) is not None:
            for others in split_groups(left):
                yield [group, *others]


def readings(counts: Counts) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Yield every standard reading: the pair's kind and the groups."""
    for pair in range(27):
        if (left := without(counts, (pair, pair))) is not None:
            for groups in split_groups(left):
                yield pair, groups


def is_seven_pairs(counts: Counts) -> bool:
    return sum(counts) == 14 and all(count % 2 == 0 for count in counts)


def is_complete(counts: Counts) -> bool:
    return next(readings(counts), None) is not None or is_seven_pairs(counts)


@functools.cache
def targets(groups: int, pairs: int) -> np.ndarray:
    """Return every set of tiles of one suit that is so many groups and pairs, four of a kind at most."""
    suit_groups = [group for group in GROUPS if group[-1] < 9]
    found = set()
    for chosen in itertools.combinations_with_replacement(suit_groups, groups):
        for pair in itertools.combinations(range(9), pairs):
            vector = [0] * 9
            for kind in (*itertools.chain(*chosen), *pair, *pair):
                vector[kind] += 1
            if max(vector) <= 4:
                found.add(tuple(vector))
    return np.array(sorted(found))


@functools.lru_cache(maxsize=100_000)
def distance(suit: Counts, groups: int, pairs: int) -> int:
    """Return the fewest tiles to add to one suit's tiles until they contain so many groups and pairs."""
    return int(np.maximum(targets(groups, pairs) - np.array(suit), 0).sum(axis=1).min())


def lacking_standard(counts: Counts, groups: int, suits: Sequence[int]) -> int:
    """Return the fewest tiles to add until tiles of two suits contain so many groups and a pair."""
    one, two = (counts[9 * suit : 9 * suit + 9] for suit in suits)
    return min(
        distance(one, share, pair) + distance(two, groups - share, 1 - pair)
        for share in range(groups + 1)
        for pair in range(2)
    )


def lacking_seven_pairs(counts: Counts, suits: Sequence[int]) -> int:
    """Return the fewest tiles to add until tiles of two suits contain seven pairs, four alike being two."""
    # Each kind can give 0, 1 or 2 pairs; take the seven cheapest. The second pair of a kind never costs less.
    costs = []
    for suit in suits:
        for count in counts[9 * suit : 9 * suit + 9]:
            first = max(0, 2 - count)
            costs += [first, max(0, 4 - count) - first]
    return sum(sorted(costs)[:7])


def shanten(counts: Counts, melds: int, void_suit: int) -> int:
    suits = [suit for suit in range(3) if suit != void_suit]
    lacking = lacking_standard(counts, 4 - melds, suits)
    if melds == 0:
        lacking = min(lacking, lacking_seven_pairs(counts, suits))
    return lacking - 1


def waits(counts: Counts, melds: Sequence[int], void_suit: int) -> list[int]:
    """Return the kinds that complete a hand; melds are given by their kinds, as pungs."""
    if any(counts[9 * void_suit : 9 * void_suit + 9]):
        return []
    found = []
    for kind in range(27):
        if kind // 9 == void_suit or counts[kind] + 3 * melds.count(kind) >= 4:
            continue
        drawn = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
        if is_complete(drawn):
            found.append(kind)
    return found
