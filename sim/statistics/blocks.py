"""The blocks of a run, read from its rows: what each strategy and seat has of each quantity on each wall.

The ledger's sums are enough for the intervals of one run. Single blocks are needed to pair two runs or two cells wall
by wall, and to see how heavy the tails are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sim.tournament.quantities import BIT, DIFFERENCE, ONE, PATTERNS_COLUMN, SQUARE, SUM, WITHIN, make_quantities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from sim.tournament.quantities import Quantity
    from sim.tournament.results import Run


def read_blocks(run: Run, cell: int, quantities: Iterable[str]) -> pl.DataFrame:
    """Add up the rows of a cell, wall by wall.

    Parameters
    ----------
    run
        A run that keeps rows.
    cell
        Number of the cell.
    quantities
        Names of the quantities wanted.

    Returns
    -------
    polars.DataFrame
        Columns who ("strategy" or "seat"), name, wall, and each quantity (int64); sorted by the first three.

    Raises
    ------
    ResultsError
        The run keeps no rows, or they are missing or damaged.
    """
    rows = run.seats(verify=False).filter(pl.col("cell") == cell)
    return scan_blocks(run, rows, quantities, ["who", "name", "wall"]).collect()


def scan_blocks(run: Run, rows: pl.LazyFrame, quantities: Iterable[str], keys: Sequence[str]) -> pl.LazyFrame:
    """Add rows up, wall by wall.

    Parameters
    ----------
    run
        The run.
    rows
        Rows of it.
    quantities
        Names of the quantities wanted.
    keys
        Who, name, wall and further columns of the rows, by which blocks are told apart and sorted.

    Returns
    -------
    polars.LazyFrame
        The keys, who being "strategy" or "seat", and each quantity (int64).
    """
    wanted = set(quantities)
    columns = list(run.plan.columns)
    known = [item for item in make_quantities(columns, run.plan.patterns) if item.name in wanted]
    sums = [_value_of(item, columns).cast(pl.Int64).sum().alias(item.name) for item in known]
    others = [key for key in keys if key not in {"who", "name"}]
    parts = []
    for who, column in (("strategy", "strategy"), ("seat", "seat")):
        name = pl.col(column).cast(pl.String).alias("name")
        parts.append(rows.group_by(name, *others).agg(sums).with_columns(pl.lit(who).alias("who")))
    return pl.concat(parts).sort(keys).select(*keys, *(item.name for item in known))


def _value_of(item: Quantity, columns: Sequence[str]) -> pl.Expr:
    """Write a quantity as an expression over rows; the game's columns are needed in their order."""
    if item.operation == ONE:
        return pl.col("seat") * 0 + 1
    value: pl.Expr = pl.col(item.column).cast(pl.Int64)
    if item.operation == DIFFERENCE:
        value = value - pl.col(item.other).cast(pl.Int64)
    elif item.operation == WITHIN:
        value = value.is_between(item.low, item.high)
    elif item.operation == BIT:
        value = (value // 2**item.low) % 2
    elif item.operation == SQUARE:
        value = value * value
    elif item.operation == SUM:
        for name in columns[columns.index(item.column) + 1 : columns.index(item.other) + 1]:
            value = value + pl.col(name).cast(pl.Int64)
        if item.low >= 0:
            value = value * ((pl.col(PATTERNS_COLUMN).cast(pl.Int64) // 2**item.low) % 2)
    return value


def shares_of(blocks: pl.DataFrame, who: str, name: str, numerator: str, denominator: str) -> tuple[Any, Any] | None:
    """Give what each block contributes to a ratio of sums: by the delta method, value + (x - R·y) / mean of y.

    Parameters
    ----------
    blocks
        From `read_blocks`.
    who, name
        The unit.
    numerator, denominator
        Quantities among its columns.

    Returns
    -------
    (walls, shares) or None
        int64 and float64, shape (n,): their mean is the ratio R, their spread that of a block. None if Σy is 0.
    """
    mine = blocks.filter((pl.col("who") == who) & (pl.col("name") == name))
    walls: npt.NDArray[np.int64] = mine["wall"].cast(pl.Int64).to_numpy()
    x, y = (mine[quantity].to_numpy() for quantity in (numerator, denominator))
    total = int(y.sum())
    if total == 0:
        return None
    ratio = int(x.sum()) / total
    return walls, ratio + (x - ratio * y) * (len(y) / total)


def paired_shares(one: tuple[Any, Any], other: tuple[Any, Any]) -> npt.NDArray[np.float64]:
    """Subtract the blocks of a ratio from those of another, on the walls that both have.

    Parameters
    ----------
    one, other
        From `shares_of`.
    """
    _, mine, theirs = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    found: npt.NDArray[np.float64] = one[1][mine] - other[1][theirs]
    return found
