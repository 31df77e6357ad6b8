"""The report of a strategy's profile: what its discards cost, which calls it takes, how it begins a deal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from reports.again import profile_files
from reports.figures import Label, Mark, forest
from reports.grids import sentences_of, table_of
from reports.model import Figure, Section
from reports.runs import report_run
from sim.statistics.tables import show_signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.model import Report
    from sim.api import Result
    from sim.statistics.estimate import Estimate
    from sim.statistics.habit_blocks import HabitBlocks
    from sim.statistics.tables import Grid

_PERCENT: Final = 100.0
_BRACKETS: Final = "In brackets: up to or down to which share is possible (95 %), where it was never or always so."
_DEALS: Final = 5
"""Costly deals that are shown."""


def report_profile(run: Result, name: str, blocks: HabitBlocks, grids: Sequence[Grid], notes: Sequence[str]) -> Report:
    """Make the report of a strategy's profile.

    Parameters
    ----------
    run
        A finished run of one cell.
    name
        The strategy.
    blocks
        What was counted in its deals.
    grids
        The tables of discards, of the riskiest of them, of calls, and of exchange and void suit, as they are printed.
    notes
        How to read them.
    """
    discards, riskiest, calls, choices = grids
    made = report_run(run, [name], _DEALS)
    made.kind = "profile"
    made.title = f"Profile of {name}: {run.plan.cells[0].line_up}, {run.plan.cells[0].preset}"
    (cell,) = run.numbers.cells
    part = next(part for part in cell.strategies if part.name == name)
    made.verdicts += _verdicts(name, part.metrics, blocks)
    habits = blocks.habits
    groups = (
        ("by number of the discard", "turn", habits.by_turn),
        ("by rank", "rank", habits.by_rank),
        ("by how many active opponents have the suit void", "void", habits.by_void),
    )
    rates = [
        (Label(label, words), ("rate", group, label))
        for words, group, classes in groups
        for label, risk in classes.items()
        if risk.discards
    ]
    taken = [(Label(call), ("call", call)) for call, item in habits.calls.items() if item.could]
    command, made.files = profile_files(run.plan)
    made.commands[0] = f"{command} --out {shlex.quote(run.plan.name)} --report"
    made.sections[:0] = [
        Section(
            "discards",
            "What its discards cost",
            (
                _shares(
                    blocks,
                    "discard-rates",
                    "Deal-ins for each 100 discards of a class",
                    rates,
                    "deal-ins per 100 discards",
                ),
                table_of(
                    discards,
                    "discard-classes",
                    f"Cost: points paid for deal-ins, for each 100 discards of the class. {_BRACKETS}",
                    {"rate": "share of discards", "cost of 100": "points per 100 discards"},
                ),
                table_of(
                    riskiest, "riskiest", f"Shares of the discards of a rank or kind that were won on. {_BRACKETS}"
                ),
            ),
        ),
        Section(
            "calls",
            "Which calls it takes",
            (
                _shares(blocks, "call-shares", "Calls taken, of those possible", taken, "% of possible calls"),
                table_of(calls, "call-table", _BRACKETS, {"share taken": "share of those possible"}),
            ),
        ),
        Section("choices", "Exchange and void suit", (table_of(choices, "choice-table"), *sentences_of(notes))),
    ]
    return made


def _shares(
    blocks: HabitBlocks, key: str, title: str, shares: Sequence[tuple[Label, tuple[str, ...]]], unit: str
) -> Figure:
    """Draw shares with their intervals; hollow where all walls are alike and there is none over walls."""
    rows = [(label, [_mark(blocks, name)]) for label, name in shares]
    said = (
        f"{title}, with 95 % intervals. Hollow: the same on all walls; of 0 and 100 the interval is that of Clopper and"
        " Pearson."
    )
    return Figure(key, title, said, forest(rows, [""], unit))


def _mark(blocks: HabitBlocks, name: tuple[str, ...]) -> Mark:
    """Give the mark of a share, in hundredths."""
    of, ends = blocks.estimate(*name), blocks.bounds(*name)
    bounds = None if ends is None else (_PERCENT * ends[0], _PERCENT * ends[1])
    return Mark(_times(of.value), _times(of.half_width), of.half_width is not None, bounds)


def _times(value: float | None) -> float | None:
    """Give a share in hundredths."""
    return None if value is None else _PERCENT * value


def _verdicts(name: str, metrics: Mapping[str, Estimate], blocks: HabitBlocks) -> list[str]:
    """Say what a profile comes to."""
    points, wins, pigs = metrics["points"], metrics["win_rate"], blocks.estimate("void suit", "pigs")
    rate = blocks.estimate("rate", "all", "all")
    said = []
    if points.value is not None and points.half_width:
        width = f"{points.half_width:.3f}"
        said.append(f"{name} gets {show_signed(points.value, 3)} ± {width} points per deal.")
    if wins.value is not None and rate.value is not None:
        said.append(
            f"It wins in {_PERCENT * wins.value:.1f} % of its deals; {_PERCENT * rate.value:.2f} % of its discards are"
            " won on."
        )
    if pigs.value:
        said.append(f"It is a flower pig at the end of {_PERCENT * pigs.value:.2f} % of its deals.")
    return said
