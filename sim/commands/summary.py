"""`bloodbattle summary`: what a run found so far."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report
from sim.commands.run import Format, FormatOption, say
from sim.errors import ConfigError, ResultsError

if TYPE_CHECKING:
    from sim.api import Result
    from sim.tournament.folder import Folder


def summary(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    checks: Annotated[
        bool,
        typer.Option(
            "--checks", help="Check the run instead: its files, identities between its sums, chunks that differ."
        ),
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="Print the effects of its design instead, as `effect` does.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="With --effects: all tables and every cell.")] = False,
    form: FormatOption = Format.text,
) -> None:
    """Print what a run found, finished or not."""
    from sim.api import open_run
    from sim.ladder.store import is_ladder

    if full and not effects:
        raise ConfigError("--full: goes with --effects")
    if is_ladder(folder):
        from sim.commands.ladder import check_ladder, summarise_ladder

        if effects:
            raise ConfigError(
                f"--effects: {folder} is a ladder; see: bloodbattle ladder compare {shlex.quote(str(folder))}"
            )
        (check_ladder if checks else summarise_ladder)(folder, form)
        return
    result = open_run(folder)
    if effects:
        from sim.commands.effect import make_report

        text = make_report(result, full=full or form is Format.markdown).show(form)
    else:
        text = check_report(result).show(form) if checks else result.show(form.value)
    sys.stdout.write(text)
    sys.stdout.flush()
    if not result.is_finished:
        say(f"unfinished; go on with: bloodbattle resume {shlex.quote(str(folder))}")


def refuse_damaged_files(folder: Folder[Any, Any]) -> None:
    """Read the files of all finished parts of a run, and refuse those that are not as they were written.

    Parameters
    ----------
    folder
        The folder of a run or of a ladder.

    Raises
    ------
    ResultsError
        Files are missing or damaged; the message names them all.
    """
    damaged = [found for entry in folder.ledger.entries() if (found := folder.fault(entry)) is not None]
    if damaged:
        again = f"`bloodbattle resume {shlex.quote(str(folder.path))} --repair` plays them again"
        raise ResultsError("\n".join([*damaged, again]))


def check_report(result: Result) -> Report:
    """Check a run, and report.

    Parameters
    ----------
    result
        The run.

    Raises
    ------
    ResultsError
        Files of chunks are missing or damaged; the message names them.
    InvariantError
        An identity does not hold.
    """
    from sim.statistics.estimate import round_off
    from sim.statistics.homogeneity import check_chunks
    from sim.statistics.identities import refuse_faults
    from sim.statistics.tables import Grid

    refuse_damaged_files(result.folder)
    held = {index: refuse_faults(part, f"{result.path}: cell {index}") for index, part in result.totals().items()}
    rows = []
    records: list[dict[str, Any]] = []
    for item in check_chunks(result):
        cell, worst = item.cell, item.worst
        name = f"{cell.index} {cell.preset}, {cell.line_up}"
        facts = ("", "", "", "")
        if worst is not None:
            facts = (worst.what, f"{worst.statistic:.1f} ({worst.freedom})", f"{item.p:.3g}", worst.worst)
        rows.append((name, f"{held[cell.index]}", f"{item.chunks:,}", f"{item.outcomes}", *facts))
        records.append(
            {
                "cell": cell.index,
                "preset": cell.preset,
                "line_up": cell.line_up,
                "identities": held[cell.index],
                "chunks": item.chunks,
                "outcomes": item.outcomes,
                "worst_outcome": None if worst is None else worst.what,
                "chi_square": None if worst is None else round_off(worst.statistic),
                "freedom": None if worst is None else worst.freedom,
                "p": round_off(item.p),
                "worst_chunk": None if worst is None else worst.worst,
            }
        )
    head = ("cell", "identities", "chunks", "outcomes", "farthest", "chi-square", "p", "chunk")
    report = Report(f"{result.plan.name}: checks of {len(rows)} cells", [Grid("Chunks of a cell", head, tuple(rows))])
    report.notes.append("identities: equations between sums that hold exactly; docs/metrics.md lists them")
    odd = [record for record in records if record["p"] < 0.001 / len(rows)]
    report.notes += [
        f"cell {record['cell']}: chunk {record['worst_chunk']} does not look like the others"
        f" ({record['worst_outcome']}, p {record['p']:.2g}): was it played by another build?"
        for record in odd
    ]
    if not odd:
        report.notes.append("no chunk is unlike the others of its cell")
    report.notes.append(
        "chi-square of outcome counts over chunks, with the spread from wall to wall; p is corrected for the number of"
        " outcomes"
    )
    report.data = {"plan": result.plan.hash, "cells": records}
    report.records = list(records)
    return report
