"""The reports of rating systems: several on one recorded stream, and the parameter that fulfils a wish."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from reports.figures import Label, Mark, forest
from reports.grids import sentences_of, table_of
from reports.model import Figure, Report, Section
from sim.statistics.tables import show_signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.model import Block, Table
    from sim.statistics.tables import Grid

_TRIALS: Final = {"fast": "fast enough", "quiet": "quiet enough", "provisional": "with a provisional K"}
"""What the trials of a wish are called."""
_ANSWERS: Final = ("Possible", "Impossible")
"""How the notes begin that answer a wish; what works stands first."""
_UNITS: Final = {
    "log-loss": "nats a pair",
    "difference": "nats a pair",
    "Brier": "squared chance",
    "half-life": "games",
    "created/1000": "points in 1,000 games",
    "drift/1000": "points in 1,000 games",
    "warm-up": "games",
    "slope": "points a point",
    "correlation": "",
    "volatility": "",
    "last_weight": "",
}
"""Units of measures that are not in rating points."""


def report_lab(title: str, grids: Sequence[Grid], notes: Sequence[str], data: Mapping[str, Any]) -> Report:
    """Make the report of rating systems on one stream.

    Parameters
    ----------
    title
        What it is about.
    grids
        The tables, as they are printed.
    notes
        What the measures are.
    data
        Everything, as plain data: ``systems`` with name and measures.
    """
    made = Report(title, "lab")
    found = [(one["name"], one["measures"]["log_loss"]) for one in data["systems"]]
    found = [(name, of) for name, of in found if of is not None]
    blocks: list[Block] = []
    if found:
        best, of = min(found, key=lambda pair: pair[1]["value"])
        width = "" if of["half_width"] is None else f" ± {of['half_width']:.4f}"
        made.verdicts.append(
            f"{best} has the least log-loss of {len(found)} systems, {of['value']:.4f}{width}; guessing gives 0.6931."
        )
        if len(found) > 1:
            made.verdicts.append(_told_apart(best, data["systems"]))
        rows = [(Label(name), [Mark(of["value"], of["half_width"], is_sure=True)]) for name, of in found]
        said = "Log-loss of who is ahead of whom, for each system; less is better."
        draw = forest(rows, [""], "log-loss, nats a pair of players", has_zero=False)
        blocks.append(Figure("log-loss", "How well each system foretells results", said, draw))
    blocks += [_with_units(table_of(grid, f"lab-{place}"), "points") for place, grid in enumerate(grids)]
    made.facts = [("Stream", str(data["source"])), ("Games", ", ".join(f"{games:,}" for games in data["games"]))]
    made.sections = [
        Section("measures", "Measures", tuple(blocks)),
        Section("words", "What they are", sentences_of(notes)),
    ]
    return made


def report_wish(title: str, grids: Sequence[Grid], notes: Sequence[str], data: Mapping[str, Any]) -> Report:
    """Make the report of a wish about a rating system.

    Parameters
    ----------
    title
        What is wished.
    grids
        The tables, as they are printed.
    notes
        The answer, and how it was found.
    data
        Everything, as plain data: ``wish``, and the trials ``fast``, ``quiet`` and ``provisional``.
    """
    made = Report(title, "wish")
    told = sentences_of(notes)
    made.verdicts += sorted(
        (note for note in told if note.startswith(_ANSWERS)), key=lambda n: n.startswith(_ANSWERS[1])
    )
    others = [note for note in told if not note.startswith(_ANSWERS)]
    trials = [(name, data[key]) for key, name in _TRIALS.items() if data[key] is not None]
    games, noise = data["wish"]["games"], data["wish"]["noise"]
    blocks: list[Block] = []
    if trials:
        rows = [
            (Label(name), [Mark(one[key], None, is_sure=True) for key in ("error", "noise")]) for name, one in trials
        ]
        said = f"Mean error after {games} games, and noise of settled ratings; wished: at most {noise:g}."
        draw = forest(rows, [f"error after {games} games", "noise"], "rating points")
        blocks.append(Figure("trials", "Error and noise of each trial", said, draw))
    blocks += [_with_units(table_of(grid, f"wish-{place}"), "points") for place, grid in enumerate(grids)]
    made.facts = [("System", str(data["system"])), ("Parameter", str(data["parameter"]))]
    made.sections = [Section("takes", "What it takes", (*blocks, *others))]
    return made


def _with_units(table: Table, usual: str) -> Table:
    """Put units over the numbers of a printed table."""
    columns = [
        replace(column, unit=_UNITS.get(column.name.removesuffix(" by formula"), usual)) if column.is_number else column
        for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def _told_apart(best: str, systems: Sequence[Mapping[str, Any]]) -> str:
    """Say whether the best system is surely better than the others, on the same games."""
    others = [(one["name"], one["beyond_best"]) for one in systems if one["name"] != best and one["beyond_best"]]
    shown = ", ".join(
        f"{name} {show_signed(of['value'], 4)}"
        + (" (not tested)" if of["half_width"] is None else f" ± {of['half_width']:.4f}")
        for name, of in others
    )
    close = [name for name, of in others if of["half_width"] is None or of["value"] <= of["half_width"]]
    end = (
        f"it is not told apart from {', '.join(close)}" if close else "it is better than each by more than the interval"
    )
    return f"Log-loss of the others on the same games, less that of {best}: {shown}; {end}."
