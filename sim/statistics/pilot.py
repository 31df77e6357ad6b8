"""What a small run says about a larger one: for each number that could be asked for, its spread and its price.

Not in here: the formulas (`sim.statistics.power`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from sim.statistics.blocks import paired_shares, read_blocks, shares_of
from sim.statistics.estimate import estimate_of
from sim.statistics.paired import paired_difference
from sim.statistics.power import Spread, spread_of_blocks, spread_of_estimate
from sim.statistics.rare import FEW_OF_PILOT
from sim.tournament.folder import TIMINGS
from sim.tournament.quantities import NET

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.statistics.metrics import Metric
    from sim.tournament.plan import Cell
    from sim.tournament.results import Run
    from sim.tournament.totals import Kind, Totals

_SHORT: Final = 1.0
"""Seconds below which the clock says little of a speed."""
DEALER: Final = "dealer"
"""Whose points are looked at where a line-up has one strategy, whose own are 0 by design."""


@dataclass(frozen=True)
class Question:
    """One number that a run could be asked for."""

    what: str
    """Whose number it is, or which difference."""
    preset: str
    """The preset, or both of a difference."""
    line_up: str
    """The line-up."""
    spread: Spread
    """What a block of it is like."""
    cells: tuple[Cell, ...]
    """The cells that have to be played for it."""
    changed: int | None = None
    """Of a difference: walls (without rows: deals) of the pilot in which it was not 0; None for other numbers."""
    events: int | None = None
    """Of a number of one cell: walls of the pilot whose value is not the most common one; without rows its count (of a
    share: or the count of the contrary, if that is rarer), where it is one that does not go below 0; else None."""

    @property
    def is_told(self) -> bool:
        """Whether the pilot saw enough of it to say what more walls would give."""
        return all(count is None or count >= FEW_OF_PILOT for count in (self.changed, self.events))

    @property
    def deals(self) -> int:
        """Deals for each wall."""
        return sum(len(cell.seatings) for cell in self.cells)


@dataclass(frozen=True)
class Price:
    """What a run has cost."""

    seconds: float
    """Seconds for each deal, with all the threads that it was played with; 0 if that is not known."""
    workers: int
    """How many threads that were."""
    bytes: float
    """Bytes on disk for each deal, with rows; 0 if none were kept."""


def units_of(cell: Cell, metric: Metric) -> list[tuple[Kind, int, str]]:
    """List whose numbers a metric has in a cell that are worth asking for: kind, index, name.

    Parameters
    ----------
    cell
        The cell.
    metric
        The metric.
    """
    if metric.scope == "deal":
        return [("seat", 0, "the deals")]
    if metric.name == "points" and len(cell.groups) == 1:
        return [("seat", 0, DEALER)]
    return [("strategy", index, name) for index, name in enumerate(cell.groups)]


def questions_of(run: Run, metric: Metric) -> list[Question]:
    """List the questions that a run answers about a metric, cell by cell, then about differences of its presets.

    Parameters
    ----------
    run
        The run.
    metric
        The metric.

    Returns
    -------
    list of Question
        Differences are paired by wall; they need rows, or a design whose ledger ties cells together.
    """
    totals = run.totals()
    cells = [run.plan.cells[index] for index in totals]
    blocks = {cell.index: _blocks(run, cell, metric) for cell in cells} if run.plan.has_rows else {}
    found = []
    for cell in cells:
        for kind, index, name in units_of(cell, metric):
            spread, events = _spread(cell, metric, kind, index, blocks.get(cell.index), totals[cell.index])
            if spread is not None:
                found.append(Question(name, cell.preset, cell.line_up, spread, (cell,), events=events))
    for cell, reference in _pairs(cells):
        for kind, index, name in units_of(cell, metric):
            spread, changed = None, totals[cell.index].changed_walls
            if blocks:
                changed = _count_changed(cell, kind, index, blocks[cell.index], blocks[reference.index])
                both = [_shares(item, metric, kind, index, blocks[item.index]) for item in (cell, reference)]
                if both[0] is not None and both[1] is not None:
                    spread = spread_of_blocks(paired_shares(both[0], both[1]))
            elif totals[cell.index].cross:
                groups = cell.group_of_slot
                here, there = totals[cell.index], totals[reference.index]
                tied = paired_difference(metric, kind, index, groups, totals=here, reference=there)
                spread = None if tied is None else Spread(tied.blocks, tied.value, tied.deviation)
            if spread is not None:
                which = f"{cell.preset} less {reference.preset}"
                found.append(Question(name, which, cell.line_up, spread, (cell, reference), changed))
    return found


def differences_of(run: Run) -> list[Question]:
    """Give the difference of two strategies, if they are the only ones in a run, as `bloodbattle compare` has it.

    Parameters
    ----------
    run
        A run that keeps rows.

    Returns
    -------
    list of Question
        One for each preset; none if there are other strategies, or line-ups of different weight.
    """
    from sim.statistics.contrast import difference_blocks, divisor_of  # noqa: PLC0415 - only needed here
    from sim.statistics.contrast import read_blocks as read_points  # noqa: PLC0415

    plan = run.plan
    names = {cell.groups for cell in plan.cells}
    weights = set()
    for cell in plan.cells:
        slots = cell.strategies.count(cell.groups[0])
        weights.add(len(cell.seatings) * slots * (4 - slots))
    if len(names) != 1 or len(weights) != 1 or not plan.has_rows:
        return []
    (pair,) = names
    if len(pair) != 2:
        return []
    first, second = pair
    found = []
    for preset in plan.presets:
        cells = [cell for cell in plan.cells if cell.preset == preset["name"]]
        chunks = [entry.chunk for entry in run.folder.ledger.entries()]
        values = difference_blocks(read_points(run.folder, chunks, cells), cells, first)
        spread = spread_of_blocks(np.array(values, dtype=np.float64) / divisor_of(cells, first))
        if spread is not None:
            line_ups = " and ".join(cell.line_up for cell in cells)
            found.append(Question(f"{first} less {second}", preset["name"], line_ups, spread, tuple(cells)))
    return found


def price_of(run: Run) -> Price:
    """Find out what a run has cost, from its timings and its ledger.

    Parameters
    ----------
    run
        The run.
    """
    file = run.path / TIMINGS
    deals, seconds, workers = 0, 0.0, 1
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        facts = json.loads(line)
        workers = max(workers, int(facts["workers"]))
        deals += int(facts["deals"])
        took = float(facts["seconds"])  # of the clock, as the run itself says its speed
        if took < _SHORT:  # most of which was no playing: as if all threads played all the time
            took = sum(facts["of_workers"].values()) / int(facts["workers"])
        seconds += took
    entries = list(run.folder.ledger.entries())
    played = sum(run.plan.count_deals(entry.chunk) for entry in entries)
    size = sum(entry.size for entry in entries)
    return Price(seconds / deals if deals else 0.0, workers, size / played if played else 0.0)


def _blocks(run: Run, cell: Cell, metric: Metric) -> pl.DataFrame:
    """Read the blocks that a metric is made of."""
    return read_blocks(run, cell.index, {metric.numerator, metric.denominator})


def _shares(cell: Cell, metric: Metric, kind: Kind, index: int, blocks: pl.DataFrame) -> tuple[Any, Any] | None:
    """Give a unit's blocks."""
    name = cell.groups[index] if kind == "strategy" else str(index)
    return shares_of(blocks, kind, name, metric.numerator, metric.denominator)


def _count_changed(cell: Cell, kind: Kind, index: int, here: pl.DataFrame, there: pl.DataFrame) -> int:
    """Count the walls in which a unit's sums differ between two cells."""
    name = cell.groups[index] if kind == "strategy" else str(index)
    keys = ("wall", "who", "name")
    mine = [one.filter(pl.col("who") == kind, pl.col("name") == name) for one in (here, there)]
    tied = mine[0].join(mine[1], on=keys, suffix="_there")
    sums = [column for column in here.columns if column not in keys]
    return tied.filter(pl.any_horizontal(pl.col(one) != pl.col(f"{one}_there") for one in sums)).height


def _spread(
    cell: Cell, metric: Metric, kind: Kind, index: int, blocks: pl.DataFrame | None, totals: Totals
) -> tuple[Spread | None, int | None]:
    """Give the spread of one cell's number, from its rows where there are any; and `Question.events`."""
    if blocks is not None:
        shares = _shares(cell, metric, kind, index, blocks)
        if shares is None:
            return None, None
        return spread_of_blocks(shares[1]), len(shares[1]) - int(np.unique(shares[1], return_counts=True)[1].max())
    groups = cell.group_of_slot
    found = estimate_of(totals, metric.numerator, metric.denominator, kind=kind, index=index, groups=groups)
    events = None
    if metric.numerator != "points" and not metric.numerator.startswith(NET):
        events, of = (totals.sum_of(name, kind, index, groups) for name in (metric.numerator, metric.denominator))
        if metric.unit in {"share of deals", "share of wins"}:
            events = min(events, of - events)
    return spread_of_estimate(found), events


def _pairs(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Give each cell with the one that it is compared to: the design's reference, or the line-up's first preset."""
    by_index = {cell.index: cell for cell in cells}
    first: dict[str, Cell] = {}
    for cell in cells:
        before = first.setdefault(cell.line_up, cell)
        reference = before if cell.reference is None else by_index.get(cell.reference)
        if reference is not None and reference.index != cell.index:
            yield cell, reference
