"""The summary of a run: every metric of every cell, for each strategy, each seat and the deals as a whole.

Made from the ledger's totals alone; rows are not read. `tables` and `show` put it into words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from sim.statistics.estimate import Estimate, estimate_of, mean_and_deviation, round_off
from sim.statistics.identities import refuse_faults
from sim.statistics.metrics import Metric, make_metrics
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from sim.tournament.plan import Cell, Plan
    from sim.tournament.results import Run
    from sim.tournament.totals import Totals

SEATS: Final = 4
Who = Literal["strategy", "seat", "deal"]


@dataclass(frozen=True)
class Part:
    """The metrics of one strategy or seat of a cell, or of its deals."""

    who: Who
    """What it is about."""
    name: str
    """The strategy, the seat's number, or "all"."""
    metrics: Mapping[str, Estimate]
    """The estimates by metric."""
    deviation: float | None
    """Standard deviation of the points of a single deal; None for the deals as a whole."""


@dataclass(frozen=True)
class CellSummary:
    """One preset with one line-up."""

    cell: Cell
    """The cell."""
    walls: int
    """Walls played: the number of blocks."""
    strategies: tuple[Part, ...]
    """Each strategy of the line-up, all its slots together."""
    seats: tuple[Part, ...]
    """Each seat, whoever sits there."""
    deal: Part
    """The deals as a whole."""
    deviation: float | None
    """Standard deviation of the points of one seat in one deal, over all seats."""

    @property
    def deals(self) -> int:
        """Deals played."""
        return self.walls * len(self.cell.seatings)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts."""
        return (*self.strategies, *self.seats, self.deal)


@dataclass(frozen=True)
class Summary:
    """Everything that a run found, in numbers."""

    plan: Plan
    """The plan."""
    cells: tuple[CellSummary, ...]
    """The cells of which something was played."""
    reason: str | None
    """Why the run stopped; None while it is unfinished."""

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in their order."""
        return make_metrics(self.plan.data["quantities"])

    @property
    def deals(self) -> int:
        """Deals played in all cells."""
        return sum(cell.deals for cell in self.cells)

    def records(self) -> Iterator[dict[str, Any]]:
        """Give every estimate as a flat record, in a fixed order."""
        units = {metric.name: metric.unit for metric in self.metrics}
        for cell in self.cells:
            keys = {"cell": cell.cell.index, "preset": cell.cell.preset, "line_up": cell.cell.line_up}
            for part in cell.parts:
                for name, estimate in part.metrics.items():
                    yield {
                        **keys,
                        "who": part.who,
                        "name": part.name,
                        "metric": name,
                        "value": round_off(estimate.value),
                        "half_width": round_off(estimate.half_width),
                        "unit": units[name],
                        "numerator": estimate.numerator,
                        "denominator": estimate.denominator,
                        "blocks": estimate.blocks,
                    }

    def to_dict(self) -> dict[str, Any]:
        """Give the summary as plain data, as `summary.json` has it."""
        return {
            "name": self.plan.name,
            "plan": self.plan.hash,
            "seed": self.plan.seed,
            "wall_mode": self.plan.wall_mode,
            "finished": self.reason is not None,
            "reason": self.reason,
            "deals": self.deals,
            "confidence": 0.95,
            "presets": [dict(preset) for preset in self.plan.presets],
            "cells": [_cell_to_dict(cell) for cell in self.cells],
        }

    def tidy(self) -> pl.DataFrame:
        """Give every estimate as one row.

        Returns
        -------
        polars.DataFrame
            Columns: cell, preset, line_up, who (strategy, seat or deal), name, metric, value, half_width (of the 95 %
            interval), unit, numerator, denominator, blocks.
        """
        import polars as pl  # noqa: PLC0415 - only needed here

        texts = dict.fromkeys(("preset", "line_up", "who", "name", "metric", "unit"), pl.String)
        numbers = dict.fromkeys(("cell", "numerator", "denominator", "blocks"), pl.Int64)
        schema: dict[str, Any] = {**texts, **numbers, "value": pl.Float64, "half_width": pl.Float64}
        order = ["cell", "preset", "line_up", "who", "name", "metric", "value", "half_width", "unit"]
        order += ["numerator", "denominator", "blocks"]
        return pl.DataFrame(list(self.records()), schema={name: schema[name] for name in order})

    def wide(self) -> pl.DataFrame:
        """Give one row for each cell and strategy.

        Returns
        -------
        polars.DataFrame
            Columns: cell, preset, line_up, strategy, walls, seatings, deals, then for each metric its value and, under
            ``..._half_width``, half of its 95 % interval; last ``points_deviation``, the spread of single deals.
            Metrics of the deal as a whole are the same for all strategies of a cell.
        """
        import polars as pl  # noqa: PLC0415 - only needed here

        names = [metric.name for metric in self.metrics]
        schema: dict[str, Any] = {"cell": pl.Int64, "preset": pl.String, "line_up": pl.String, "strategy": pl.String}
        schema |= dict.fromkeys(("walls", "seatings", "deals"), pl.Int64)
        schema |= {key: pl.Float64 for name in names for key in (name, f"{name}_half_width")}
        schema["points_deviation"] = pl.Float64
        rows = []
        for cell in self.cells:
            for part in cell.strategies:
                row: dict[str, Any] = {
                    "cell": cell.cell.index,
                    "preset": cell.cell.preset,
                    "line_up": cell.cell.line_up,
                    "strategy": part.name,
                    "walls": cell.walls,
                    "seatings": len(cell.cell.seatings),
                    "deals": cell.deals,
                    "points_deviation": round_off(part.deviation),
                }
                for name, estimate in {**part.metrics, **cell.deal.metrics}.items():
                    row[name] = round_off(estimate.value)
                    row[f"{name}_half_width"] = round_off(estimate.half_width)
                rows.append(row)
        return pl.DataFrame(rows, schema=schema)


def _cell_to_dict(cell: CellSummary) -> dict[str, Any]:
    """Give a cell as plain data."""
    return {
        "cell": cell.cell.index,
        "preset": cell.cell.preset,
        "line_up": cell.cell.line_up,
        "slots": list(cell.cell.strategies),
        "seatings": len(cell.cell.seatings),
        "walls": cell.walls,
        "deals": cell.deals,
        "strategies": [{"strategy": part.name, **_part_to_dict(part)} for part in cell.strategies],
        "seats": [{"seat": int(part.name), **_part_to_dict(part)} for part in cell.seats],
        "deal": _part_to_dict(cell.deal),
        "points_deviation": round_off(cell.deviation),
    }


def _part_to_dict(part: Part) -> dict[str, Any]:
    """Give a part as plain data."""
    metrics = {
        name: {
            "value": round_off(item.value),
            "half_width": round_off(item.half_width),
            "numerator": item.numerator,
            "denominator": item.denominator,
        }
        for name, item in part.metrics.items()
    }
    return {"metrics": metrics, "points_deviation": round_off(part.deviation)}


def summarise(run: Run) -> Summary:
    """Summarise a run, finished or not.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    Summary
        Of what is in its ledger.

    Raises
    ------
    InvariantError
        The sums do not obey the identities that hold for every run (`sim.statistics.identities`).
    """
    metrics = make_metrics(run.plan.data["quantities"])
    outcome = run.outcome
    totals = run.totals()
    for index, part in totals.items():
        refuse_faults(part, f"{run.path}: cell {index}")
    cells = tuple(_summarise_cell(run.plan.cells[index], part, metrics) for index, part in totals.items())
    return Summary(run.plan, cells, None if outcome is None else str(outcome["reason"]))


def _summarise_cell(cell: Cell, totals: Totals, metrics: Sequence[Metric]) -> CellSummary:
    """Summarise one cell."""
    strategies = tuple(
        _part(cell, totals, metrics, who="strategy", index=index, name=name) for index, name in enumerate(cell.groups)
    )
    seats = tuple(_part(cell, totals, metrics, who="seat", index=seat, name=str(seat)) for seat in range(SEATS))
    deal = _part(cell, totals, metrics, who="deal", index=0, name="all")
    count, total, squares = (
        sum(totals.sum_of(item, "seat", seat) for seat in range(SEATS)) for item in (DEALS, "points", "points_squared")
    )
    deviation = mean_and_deviation(count, total, squares)[1]
    return CellSummary(cell, totals.walls, strategies, seats, deal, deviation)


def _part(cell: Cell, totals: Totals, metrics: Sequence[Metric], *, who: Who, index: int, name: str) -> Part:
    """Estimate all metrics of one part; those of the deal are read in seat 0."""
    kind: Literal["strategy", "seat"] = "strategy" if who == "strategy" else "seat"
    groups = cell.group_of_slot
    found = {
        metric.name: estimate_of(totals, metric.numerator, metric.denominator, kind=kind, index=index, groups=groups)
        for metric in metrics
        if (metric.scope == "deal") == (who == "deal")
    }
    count, total, squares = (totals.sum_of(item, kind, index, groups) for item in (DEALS, "points", "points_squared"))
    deviation = None if who == "deal" else mean_and_deviation(count, total, squares)[1]
    return Part(who, name, found, deviation)
