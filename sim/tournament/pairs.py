"""Pairs of cells: what ties a cell to the reference of its family and to its other cells, wall by wall.

All cells of a family play the same walls, so differences between them are measured on paired blocks. Their variances
need sums of products of block sums of two cells; those are made here, and kept in the totals of the later cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.tournament.totals import SEATS, pair_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.game import Columns, Seeds
    from sim.tournament.totals import Adder, Totals

GRAM_CELLS: Final = 200
"""Families of more cells than this keep products with the reference only, not with each other."""
POINTS: Final = "points"
SETTLED: Final = "settled"


def cross_pairs(adder: Adder) -> tuple[tuple[str, str], ...]:
    """List the pairs of quantities, here and in the reference, whose products of block sums are kept.

    Parameters
    ----------
    adder
        Knows the quantities.

    Returns
    -------
    tuple of pairs
        Each quantity with squares with itself, and both orders of every pair that a ratio is made of.
    """
    both = [(other, one) for one, other in adder.pairs if one != other]
    return (*adder.pairs, *both)


def count_changed(columns: Columns, reference: Columns, points: int) -> int:
    """Count the deals in which the points of any seat differ.

    Parameters
    ----------
    columns, reference : int32, shape (c, n * m * 4)
        Rows by wall, seating and seat.
    points
        Which column holds the points.
    """
    return int((columns[points] != reference[points]).reshape(-1, SEATS).any(axis=1).sum())


def pair_up_slowly(
    adder: Adder,
    columns: Columns,
    seatings: Seeds,
    groups: Sequence[int],
    *,
    reference: Columns | None = None,
    earlier: Mapping[int, Columns] | None = None,
    settled: Columns | None = None,
) -> Totals:
    """Add up the columns of one chunk with everything that ties it to other cells: slow, obvious, exact.

    Parameters
    ----------
    adder
        Knows the quantities.
    columns : int32, shape (c, n * m * 4)
        Rows by wall, seating and seat.
    seatings : int64, shape (m, 4)
        Slot in each seat.
    groups
        The group of each slot.
    reference : int32, shape (c, n * m * 4)
        Columns of the reference cell for the same walls; absent for the reference itself.
    earlier
        Columns of the family's cells with lower numbers, by number.
    settled : int32, shape (c, n * m * 4)
        The reference's deals settled again under this cell's rules.

    Returns
    -------
    Totals
        With cross, gram, changed and settled.
    """
    totals = adder.add_up_slowly(columns, seatings, groups)
    count = totals.groups
    blocks, _ = adder.blocks_slowly(columns, seatings, groups)
    if reference is not None:
        theirs, _ = adder.blocks_slowly(reference, seatings, groups)
        for one, other in cross_pairs(adder):
            units = count + (2 * SEATS if one == other == POINTS else SEATS)
            totals.cross[pair_key(one, other)] = _products(blocks[one][:units], theirs[other][:units])
        totals.changed = count_changed(columns, reference, adder.columns.index(POINTS))
    for number, others in sorted((earlier or {}).items()):
        theirs, _ = adder.blocks_slowly(others, seatings, groups)
        totals.gram[str(number)] = _products(blocks[POINTS][: count + SEATS], theirs[POINTS][: count + SEATS])
    if settled is not None:
        theirs, _ = adder.blocks_slowly(settled, seatings, groups)
        totals.gram[SETTLED] = _products(blocks[POINTS][: count + SEATS], theirs[POINTS][: count + SEATS])
        totals.settled = pair_up_slowly(adder, settled, seatings, groups, reference=reference)
    return totals


def _products(one: Sequence[Any], other: Sequence[Any]) -> list[int]:
    """Give for each unit the sum over blocks of products."""
    return [int(np.sum(a * b)) for a, b in zip(one, other, strict=True)]
