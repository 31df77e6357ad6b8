"""Pairs of cells: what ties a cell to the reference of its family and to its other cells, wall by wall.

All cells of a family play the same walls, so differences between them are measured on paired blocks. Their variances
need sums of products of block sums of two cells; those are made here, and kept in the totals of the later cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sim.tournament.totals import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.adder import Adder, Blocks
    from sim.tournament.game import Columns, Seeds
    from sim.tournament.totals import Totals

GRAM_CELLS: Final = 200
"""Families of more cells than this keep products with the reference only, not with each other."""
SETTLED: Final = "settled"
_ROOM: Final = 2**63


def multiply_blocks(one: Blocks, other: Blocks) -> list[int]:
    """Give for each unit the sum over blocks of products.

    Parameters
    ----------
    one, other : int64, shape (units, walls)
        As `Adder.block_points` gives them.

    Returns
    -------
    list of int
        Exact: where 64 bits might not do, in Python's own integers.
    """
    tops = [int(np.abs(part).max(initial=0)) for part in (one, other)]
    if tops[0] * tops[1] * one.shape[1] >= _ROOM:
        return [
            sum(a * b for a, b in zip(*rows, strict=True)) for rows in zip(one.tolist(), other.tolist(), strict=True)
        ]
    return [int(total) for total in (one * other).sum(axis=1)]


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
    totals = adder.add_up_slowly(columns, seatings, groups, reference)
    others = {str(number): cell for number, cell in sorted((earlier or {}).items())}
    if settled is not None:
        others[SETTLED] = settled
        totals.settled = adder.add_up_slowly(settled, seatings, groups, reference)
    here = adder.blocks_slowly(columns, seatings, groups)[0]["points"][: totals.groups + SEATS]
    for key, other in others.items():
        there = adder.blocks_slowly(other, seatings, groups)[0]["points"]
        totals.gram[key] = [
            sum(a * b for a, b in zip(mine, theirs, strict=True)) for mine, theirs in zip(here, there, strict=False)
        ]
    return totals
