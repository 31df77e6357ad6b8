"""The rows of a run: one for each deal and seat, with keys that say whose, and the game's columns.

`docs/results.md` has the same list (`sim.statistics.document` writes it from here).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from sim.errors import InvariantError

if TYPE_CHECKING:
    from sim.tournament.game import Columns, Seeds
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.schedule import Chunk

SEATS: Final = 4


@dataclass(frozen=True)
class Key:
    """A column that says which deal and seat a row is about."""

    name: str
    """Its name."""
    dtype: str
    """int8, int16, int32, or enum."""
    unit: str
    """What it counts."""
    meaning: str
    """What it says."""


KEYS: Final = (
    Key("cell", "int16", "index", "Which preset with which line-up: number of the cell in the plan, from 0."),
    Key("preset", "enum", "name", "The cell's preset, as the experiment calls it."),
    Key("line_up", "enum", "name", "The cell's line-up, as the experiment calls it."),
    Key("wall", "int32", "index", "Which wall of the run, from 0: the same wall in every cell."),
    Key("seating", "int16", "index", "Which seating of the line-up, from 0, in the order of the plan."),
    Key("seat", "int8", "seat", "The seat, 0 to 3 in turn order; 0 is the dealer."),
    Key("slot", "int8", "slot", "Which place of the line-up sits there, 0 to 3."),
    Key("strategy", "enum", "name", "The strategy that sits there."),
)
"""The keys, in the order in which rows have them; the game's columns follow."""

_NUMBERS: Final[dict[str, Any]] = {"int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32}


def row_schema(plan: Plan) -> dict[str, Any]:
    """Give the names and polars types of a run's rows.

    Parameters
    ----------
    plan
        Its plan.

    Returns
    -------
    dict
        Enums have the categories of the whole run, so the chunks of all cells go together.
    """
    enums = _categories(plan)
    keys = {key.name: pl.Enum(enums[key.name]) if key.dtype == "enum" else _NUMBERS[key.dtype] for key in KEYS}
    return {**keys, **{name: _NUMBERS[dtype] for name, dtype in plan.columns.items()}}


def _categories(plan: Plan) -> dict[str, list[str]]:
    """Give the categories of each enum."""
    return {
        "preset": [preset["name"] for preset in plan.presets],
        "line_up": [line_up["name"] for line_up in plan.data["line_ups"]],
        "strategy": list(plan.strategies),
    }


def make_rows(plan: Plan, cell: Cell, chunk: Chunk, columns: Columns, seatings: Seeds) -> pl.DataFrame:
    """Put the rows of a chunk together.

    Parameters
    ----------
    plan
        The plan.
    cell
        The chunk's cell.
    chunk
        The chunk.
    columns : int32, shape (c, n * m * 4)
        What was played, by wall, seating, seat.
    seatings : int64, shape (m, 4)
        Slot in each seat.

    Returns
    -------
    polars.DataFrame
        With exactly `row_schema`.

    Raises
    ------
    InvariantError
        A value does not fit its column's type.
    """
    count = len(seatings)
    rows = chunk.walls * count * SEATS
    schema = row_schema(plan)
    walls = np.arange(chunk.first_wall, chunk.first_wall + chunk.walls, dtype=np.int32)
    slots = np.tile(seatings.astype(np.int8).ravel(), chunk.walls)
    names = pl.Series("strategy", cell.strategies, dtype=schema["strategy"])
    series = [
        pl.Series("cell", np.full(rows, cell.index, dtype=np.int16)),
        pl.Series("preset", [cell.preset], dtype=schema["preset"]).new_from_index(0, rows),
        pl.Series("line_up", [cell.line_up], dtype=schema["line_up"]).new_from_index(0, rows),
        pl.Series("wall", np.repeat(walls, count * SEATS)),
        pl.Series("seating", np.tile(np.repeat(np.arange(count, dtype=np.int16), SEATS), chunk.walls)),
        pl.Series("seat", np.tile(np.arange(SEATS, dtype=np.int8), chunk.walls * count)),
        pl.Series("slot", slots),
        names.gather(slots.astype(np.int64)).alias("strategy"),
    ]
    for (name, dtype), values in zip(plan.columns.items(), columns, strict=True):
        series.append(pl.Series(name, _narrow(name, values, np.dtype(dtype))))
    return pl.DataFrame(series)


def _narrow(name: str, values: Columns, dtype: np.dtype[Any]) -> Any:
    """Put a column into its own type; never by cutting numbers off."""
    limits = np.iinfo(dtype)
    low, high = int(values.min()), int(values.max())
    if low < limits.min or high > limits.max:
        raise InvariantError(f"column {name}: values from {low} to {high} do not fit {dtype}")
    return values.astype(dtype)
