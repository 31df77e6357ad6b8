"""The report of two presets that were compared by one metric: the answer first, then what every run has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reports.grids import sentences_of, table_of
from reports.model import Section
from reports.runs import report_run
from sim.statistics.tables import show_chance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.model import Report
    from sim.api import Result
    from sim.statistics.tables import Grid

_DECISIONS: Final = {
    "higher": "; the test's outcome: higher under A",
    "no higher": "; the test's outcome: no higher under A",
    None: "",
}


def report_comparison(run: Result, grid: Grid, notes: Sequence[str], data: Mapping[str, Any]) -> Report:
    """Make the report of two presets that were compared.

    Parameters
    ----------
    run
        A run of two presets and one line-up, finished or not.
    grid
        The table, as it is printed: one row, its title the unit.
    notes
        What the numbers mean.
    data
        Everything, as plain data: ``superiority``, ``decision``, ``reason`` and more.
    """
    made = report_run(run)
    reference, cell = run.plan.cells
    made.kind = "comparison"
    made.title = run.plan.data["title"] or f"{cell.preset} against {reference.preset}"
    made.facts[:0] = [("A", cell.preset), ("B", reference.preset), ("Line-up", cell.line_up)]
    ((what, *_, shown),) = grid.rows
    half = data["half_width"]
    seen = "no difference is seen: 0 lies within the interval"
    if not half:
        seen = "the same on every wall" if half is not None else "too few walls for an interval"
    elif abs(data["difference"]) > half:
        seen = f"{'higher' if data['difference'] > 0 else 'lower'} under A by more than the interval"
    better = "" if data["superiority"] is None else f"; superiority {show_chance(data['superiority'])}"
    answer = f"{what}, A less B: {shown or 'not known'} {grid.title} (95 % interval); {seen}"
    made.verdicts[:0] = [
        f"{answer}{better}{_DECISIONS[data['decision']]}. Stopped: {data['reason']}.",
        *(f"{note[:1].upper()}{note[1:]}." for note in notes if "median-unbiased" in note),
    ]
    table = table_of(grid, "comparison", "A and B on the same walls.")
    made.sections.insert(0, Section("comparison", "A against B", (table, *sentences_of(notes))))
    return made
