"""`bloodbattle diff`: two runs compared."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report, print_reports
from sim.commands.run import Format, FormatOption

if TYPE_CHECKING:
    from sim.api import Result
    from sim.statistics.diff import CellDiff, MetricDifference, RunDiff
    from sim.tournament.plan import Cell

_MOST = 20
"""Metrics that the text names, of those that surely differ."""
_SURE = 0.05
_ODD = 0.001


def diff(
    first: Annotated[Path, typer.Argument(metavar="RUN1", help="A run folder.")],
    second: Annotated[Path, typer.Argument(metavar="RUN2", help="Another one.")],
    form: FormatOption = Format.text,
) -> None:
    """Compare two runs: what their plans differ in, and every metric of the cells that both have, with intervals."""
    from sim.api import open_run
    from sim.statistics.diff import diff_runs

    one, other = open_run(first), open_run(second)
    print_reports([make_report(one, other, diff_runs(one, other))], form)


def make_report(one: Result, other: Result, found: RunDiff) -> Report:
    """Report on two runs.

    Parameters
    ----------
    one, other
        The runs.
    found
        What `sim.statistics.diff.diff_runs` found.
    """
    from sim.statistics.tables import Grid

    report = Report(f"{other.path} less {one.path}")
    head = ("", "RUN1", "RUN2", "difference", "p")
    points: list[tuple[str, ...]] = []
    for cell in found.cells:
        points.append((_title(cell),))
        points += [_row(row, f"  {row.name}") for row in cell.metrics if _is_main(cell, row)]
    report.grids.append(Grid("Points per deal", head, tuple(points)))
    sure = [(cell, row) for cell in found.cells for row in cell.metrics if row.p_adjusted < _SURE]
    sure.sort(key=lambda item: -abs(item[1].difference.value) / max(item[1].difference.error, 1e-300))
    if sure:
        rows = [
            _row(row, f"{row.metric.name} of {row.name}" + (f" ({cell.one.index})" if len(found.cells) > 1 else ""))
            for cell, row in sure[:_MOST]
        ]
        count = f"the {_MOST} surest of {len(sure)}" if len(sure) > _MOST else str(len(sure))
        report.grids.append(Grid(f"Metrics that differ ({count})", head, tuple(rows)))
    report.notes = _notes(one, other, found, is_any_sure=bool(sure))
    report.data = _to_dict(one, other, found)
    report.records = [_record(cell, row) for cell in found.cells for row in cell.metrics]
    return report


def _title(cell: CellDiff) -> str:
    """Say which cell it is."""
    preset = cell.one.preset if cell.one.preset == cell.other.preset else f"{cell.one.preset} and {cell.other.preset}"
    walls = f"{cell.walls[0]:,}" if cell.walls[0] == cell.walls[1] else f"{cell.walls[0]:,} and {cell.walls[1]:,}"
    number = f"{cell.one.index}" if cell.one.index == cell.other.index else f"{cell.one.index} and {cell.other.index}"
    return f"cell {number} {preset}: {cell.one.line_up} · {walls} walls, {cell.pairing}"


def _is_main(cell: CellDiff, row: MetricDifference) -> bool:
    """Tell whether a metric stands in the first table: the strategies' points, or the dealer's in self-play."""
    from sim.statistics.metrics import DEALER_EDGE

    if len(cell.one.groups) == 1:
        return row.metric.name == DEALER_EDGE
    return row.metric.name == "points" and row.who == "strategy"


def _row(row: MetricDifference, name: str) -> tuple[str, ...]:
    """Write one metric."""
    from sim.statistics.tables import show_signed

    is_points = row.metric.unit == "points per deal"
    values = [show_signed(value, 3) if is_points else f"{value:.4g}" for value in (row.one, row.other)]
    p = "< 0.0001" if row.difference.p < 1e-4 else f"{row.difference.p:.4f}"
    digits = 3 if is_points or abs(row.difference.value) >= 1 else 4
    shown = f"{show_signed(row.difference.value, digits)} ± {row.difference.half_width:.{digits}f}"
    return (name.replace("dealer_edge of all", "dealer edge").replace("  all", "  dealer"), *values, shown, p)


def _notes(one: Result, other: Result, found: RunDiff, *, is_any_sure: bool) -> list[str]:
    """Say what the numbers mean."""
    notes = [f"plans: {text}" for text in found.plans] or ["plans: the same plan"]
    for side, cells in zip(("RUN1", "RUN2"), found.only, strict=True):
        if cells:
            notes.append(f"only in {side}: {_list(cells)}")
    for side, run in (("RUN1", one), ("RUN2", other)):
        if not run.is_finished:
            notes.append(f"{side} is unfinished; what there is was compared")
    if not is_any_sure:
        notes.append("no metric differs beyond luck (p adjusted for all metrics, 5 %)")
    for cell in found.cells:
        if cell.homogeneity is None or cell.homogeneity.worst is None:
            continue
        p, name = cell.homogeneity.p, f"cell {cell.one.index}: equal rules, players and versions, other walls"
        if p >= _ODD:
            notes.append(f"{name}: outcome counts fit together (chi-square, p {p:.2g})")
        else:
            what = cell.homogeneity.worst.what
            notes.append(f"{name}, but {what} differs beyond luck (chi-square, p {p:.2g}): was it another build?")
    if any(cell.pairing.endswith("same walls") for cell in found.cells):
        notes.append(
            "same walls, but without rows they cannot be paired: intervals are those of independent runs, as a rule too"
            " wide"
        )
    notes.append("± is half of a 95 % interval over walls; p is two-sided, not adjusted; RUN2 less RUN1")
    return notes


def _list(cells: tuple[Cell, ...]) -> str:
    """Name cells."""
    names = [f"{cell.index} {cell.preset}, {cell.line_up}" for cell in cells[:6]]
    return "; ".join(names) + (f"; and {len(cells) - 6} more" if len(cells) > 6 else "")


def _record(cell: CellDiff, row: MetricDifference) -> dict[str, Any]:
    """Give a row for CSV and JSON."""
    from sim.statistics.estimate import round_off

    return {
        "preset": cell.one.preset,
        "other_preset": cell.other.preset,
        "line_up": cell.one.line_up,
        "who": row.who,
        "name": row.name,
        "metric": row.metric.name,
        "one": round_off(row.one),
        "other": round_off(row.other),
        "difference": round_off(row.difference.value),
        "half_width": round_off(row.difference.half_width),
        "p": round_off(row.difference.p),
        "p_adjusted": round_off(row.p_adjusted),
        "unit": row.metric.unit,
        "walls": cell.walls[0],
        "other_walls": cell.walls[1],
        "pairing": cell.pairing,
    }


def _to_dict(one: Result, other: Result, found: RunDiff) -> dict[str, Any]:
    """Give everything as plain data."""
    from sim.statistics.estimate import round_off

    return {
        "runs": [{"path": str(run.path), "plan": run.plan.hash, "finished": run.is_finished} for run in (one, other)],
        "plans": found.plans,
        "only": [[{"preset": cell.preset, "line_up": cell.line_up} for cell in cells] for cells in found.only],
        "homogeneity": [
            {"cell": cell.one.index, "p": round_off(cell.homogeneity.p)} for cell in found.cells if cell.homogeneity
        ],
        "metrics": [_record(cell, row) for cell in found.cells for row in cell.metrics],
    }
