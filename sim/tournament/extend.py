"""More walls for a finished run: a plan that has all of the old one's chunks, and new ones behind them.

The old chunks stay as they are, also a last one that was not full; new ones begin at the next wall. So a run that was
extended has the walls of one that was as long from the beginning, and the same sums, but perhaps other chunks. Its plan
names the one before it (``extends``) and the first one (``origin``), whose hash all chunk files carry: a chunk that is
played again has the bytes it had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sim.errors import ConfigError, ResultsError
from sim.tournament.experiment import MOST_WALLS
from sim.tournament.plan import MOST_CHUNKS, ORIGIN, Plan, plan_of
from sim.tournament.schedule import Chunk, Size, make_schedule

if TYPE_CHECKING:
    from pathlib import Path

EXTENDS: Final = "extends"
"""Key of a plan that holds the hash of the plan it extends."""


def extended_plan(plan: Plan, walls: int, where: Path) -> Plan:
    """Make the plan of a run with more walls.

    Parameters
    ----------
    plan
        What was played.
    walls
        Walls to add to each cell.
    where
        The run folder, for messages.

    Returns
    -------
    Plan
        With the old chunks and those of the new walls.

    Raises
    ------
    ConfigError
        There are no walls to add, or too many.
    ResultsError
        The run decides by its results when to stop, so it cannot be longer.
    """
    if plan.target is not None or plan.contrast is not None:
        raise ResultsError(
            f"{where}: this run stopped by its own results, and its intervals hold for stopping there; it cannot be"
            " extended; plan a new run, with a fixed number of walls or another target"
        )
    most = max(line_up["walls"] for line_up in plan.data["line_ups"])
    if walls < 1 or most + walls > MOST_WALLS:
        raise ConfigError(f"walls: came {walls:,}; allowed: 1 to {MOST_WALLS - most:,} more walls")
    family = {cell.index: len(cells) for cells in plan.families for cell in cells}
    sizes = [
        Size(walls, len(cell.seatings), family[cell.index] if cell.reference is not None else 1) for cell in plan.cells
    ]
    added = [
        Chunk(chunk.cell, chunk.batch, chunk.first_wall + plan.cells[chunk.cell].walls, chunk.walls)
        for chunk in make_schedule(sizes, None)
    ]
    chunks = [[chunk.cell, chunk.batch, chunk.first_wall, chunk.walls] for chunk in (*plan.chunks, *added)]
    if len(chunks) > MOST_CHUNKS:
        raise ConfigError(f"walls: came {walls:,}: {len(chunks):,} chunks; allowed: at most {MOST_CHUNKS:,}")
    line_ups = [{**line_up, "walls": line_up["walls"] + walls} for line_up in plan.data["line_ups"]]
    return plan_of({**plan.data, "line_ups": line_ups, "chunks": chunks, EXTENDS: plan.hash, ORIGIN: plan.origin})
