"""`bloodbattle ladder`: play ladders, rating systems, the rating lab, and the search for a parameter for a wish."""

# ruff: noqa: TC001 - typer reads annotations when it runs

from __future__ import annotations

import math
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from sim.commands.ladder_reports import make_lab_report, make_solve_report
from sim.commands.output import print_reports
from sim.commands.playing import SeedOption
from sim.commands.report import ReportOption, report_ladder_too, write_too
from sim.commands.run import KEPT, Format, FormatOption, LimitOption, WorkersOption, limit_answers, say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sim.ladder.results import Ladder


class LadderGroup(TyperGroup):
    """Commands of which `run` need not be named: ``bloodbattle ladder FILE.toml``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before whatever is a file and no command.

        Parameters
        ----------
        ctx
            The context.
        args
            What came after ``ladder``.
        """
        if args and args[0] not in self.commands and (args[0].endswith(".toml") or Path(args[0]).is_file()):
            args = ["run", *args]
        return super().parse_args(ctx, args)


_MOST_FAULTS: Final = 5
"""Damaged files that are named."""

app = typer.Typer(
    cls=LadderGroup,
    no_args_is_help=True,
    help="Ranked ladders and their ratings. `bloodbattle ladder FILE.toml` plays one.",
)


@app.command("run")
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ladder file (TOML).")],
    knobs: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Set a knob over every preset: fan.cap=5. May be repeated."),
    ] = None,
    replications: Annotated[int | None, typer.Option(help="Replications of each cell, instead of the file's.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each replication, instead of the file's end.")] = None,
    days: Annotated[float | None, typer.Option(help="Days of each replication, instead of the file's end.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the file's.")] = None,
    workers: WorkersOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Run folder; runs/NAME-HASH when absent.")] = None,
    answer_limit: LimitOption = 60,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Play a ladder and print what it found. Run again, it goes on where it was left."""
    from sim.errors import ConfigError
    from sim.ladder.file import load_ladder
    from sim.ladder.run import run_ladder
    from sim.rules import parse_sets

    if games is not None and days is not None:
        raise ConfigError("--games and --days: came both; allowed: one of them")
    chosen = load_ladder(file).changed(
        sets=parse_sets(knobs or ()), seed=seed, replications=replications, games=games, days=days
    )
    limit_answers(answer_limit, KEPT)
    finish_ladder(lambda: run_ladder(chosen, out=out, workers=workers, say=say, where=str(file)), form, page)


@app.command("summary")
def summary(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a ladder.")],
    checks: Annotated[
        bool, typer.Option("--checks", help="Read all its files instead, and say if they are whole.")
    ] = False,
    form: FormatOption = Format.text,
) -> None:
    """Print what a ladder found, finished or not."""
    (check_ladder if checks else summarise_ladder)(folder, form)


def summarise_ladder(folder: Path, form: Format) -> None:
    """Print the summary of a ladder.

    Parameters
    ----------
    folder
        Its folder.
    form
        How.
    """
    from sim.commands.ladder_summary import make_ladder_reports
    from sim.ladder.run import open_ladder

    ladder = open_ladder(folder)
    print_reports(make_ladder_reports(ladder), form)
    tell_state(ladder)


def check_ladder(folder: Path, form: Format) -> None:
    """Read all files of a ladder and its ledger, and say that they are as they were written.

    Parameters
    ----------
    folder
        Its folder.
    form
        How.

    Raises
    ------
    ResultsError
        Something is missing or damaged, or no replication is recorded; the message says what.
    """
    from sim.commands.output import Report
    from sim.commands.summary import refuse_damaged_files
    from sim.errors import ResultsError
    from sim.ladder.run import open_ladder
    from sim.statistics.tables import Grid

    ladder = open_ladder(folder)
    refuse_damaged_files(ladder.folder)
    entries = ladder.entries()
    if not entries:
        raise ResultsError(_nothing_recorded(ladder))
    records = []
    for cell in ladder.plan.cells:
        own = [entry for entry in entries if entry.job.cell == cell.index]
        files = [facts for entry in own for facts in entry.files.values()]
        records.append(
            {
                "cell": cell.index,
                "preset": cell.preset,
                "rating": cell.rating,
                "replications": len(own),
                "files": len(files),
                "rows": sum(facts["rows"] for facts in files),
                "bytes": sum(facts["size"] for facts in files),
            }
        )
    names = ("replications", "files", "rows", "bytes")
    rows = [
        (f"{one['cell']} {one['preset']}, {one['rating']}", *(f"{one[name]:,}" for name in names)) for one in records
    ]
    report = Report(f"{ladder.plan.name}: checks of {len(rows)} cells", [Grid("Read", ("cell", *names), tuple(rows))])
    report.notes.append("all lines of the ledger and all files have the checksums that they were written with")
    report.data = {"plan": ladder.plan.hash, "cells": records}
    report.records = list(records)
    print_reports([report], form)
    tell_state(ladder)


def _nothing_recorded(ladder: Ladder) -> str:
    """Say that the ledger is empty, and whether there are files all the same."""
    from sim.ladder.store import FOLDERS
    from sim.rules.words import count_of
    from sim.tournament.folder import LEDGER

    lost = sum(1 for kind in FOLDERS for _ in (ladder.path / kind).glob("*.parquet"))
    if not lost:
        return f"{ladder.path}: no replication is finished yet"
    again = f"bloodbattle resume {shlex.quote(str(ladder.path))}"
    return (
        f"{ladder.path / LEDGER}: records no replication, but there {'is' if lost == 1 else 'are'}"
        f" {count_of(lost, 'file')} of games, players or ratings, which nothing vouches for; to play them again:"
        f" {again}"
    )


def tell_state(ladder: Ladder) -> None:
    """Say if a ladder is unfinished, and which of its files are not as large as they were written.

    Summaries and measures are made of the ledger, whose lines have checksums, so they stand without any file.

    Parameters
    ----------
    ladder
        The ladder.
    """
    again = f"bloodbattle resume {shlex.quote(str(ladder.path))}"
    faults = [
        found for entry in ladder.entries() if (found := ladder.folder.fault(entry, thoroughly=False)) is not None
    ]
    for found in faults[:_MOST_FAULTS]:
        say(f"warning: {found}; what is printed is from the ledger, which is whole")
    if faults:
        more = f"{len(faults) - _MOST_FAULTS:,} more replications lack files; " if len(faults) > _MOST_FAULTS else ""
        say(f"{more}to play them again: {again} --repair")
    if not ladder.is_finished:
        say(f"unfinished; go on with: {again}")


def finish_ladder(play: Callable[[], Ladder], form: Format, page: str | None = None) -> None:
    """Play a ladder, print the summary, and write the report if it is wanted; or say how to go on.

    Parameters
    ----------
    play
        Plays it.
    form
        How the summary is printed.
    page
        What ``--report`` says.
    """
    from sim.commands.ladder_summary import make_ladder_reports

    try:
        ladder = play()
    except KeyboardInterrupt as stop:
        path = getattr(stop, "path", None)
        say(f"interrupted; go on with: bloodbattle resume {shlex.quote(str(path))}" if path else "interrupted")
        raise typer.Exit(130) from None
    print_reports(make_ladder_reports(ladder), form)
    report_ladder_too(page, ladder)


@app.command("drift")
def drift(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a ladder, or a cell: RUN@PRESET@RATING.")],
    form: FormatOption = Format.text,
) -> None:
    """Print the measures of rating drift of each cell, with the ledger of rating points."""
    from sim.commands.ladder_drift import make_drift_report
    from sim.ladder.cells import measure_ladder, pick, split_reference
    from sim.ladder.run import open_ladder

    folder, preset, rating = split_reference(run)
    ladder = open_ladder(folder)
    cells = measure_ladder(ladder)
    chosen = list(cells.values()) if preset is None else [pick(cells, preset, rating, folder)]
    print_reports([make_drift_report(chosen)], form)
    tell_state(ladder)


@app.command("compare")
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help="The folder of a ladder, or a cell: RUN@PRESET@RATING.")],
    other: Annotated[
        str | None,
        typer.Argument(metavar="[B]", help="Another ladder or cell; without it each cell of A against its reference."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All measures of many cells, not only the main ones.")] = False,
    detect: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=SIZE",
            help="Say how many replications would show a difference of this size: anchor_drift=20. May be repeated.",
        ),
    ] = None,
    form: FormatOption = Format.text,
) -> None:
    """Compare the rating drift of two ladders or cells: every measure with difference and interval."""
    from sim.commands.ladder_drift import make_compare_report
    from sim.ladder.cells import match_cells
    from sim.ladder.drift import MEASURES

    sizes = _sizes_of(detect or (), MEASURES)
    title, pairs = match_cells(one, other)
    print_reports([make_compare_report(title, pairs, tuple(MEASURES) if every else None, sizes)], form)
    for ladder in {cell.ladder.path: cell.ladder for pair in pairs for cell in pair}.values():
        tell_state(ladder)


def _sizes_of(texts: Iterable[str], measures: Collection[str]) -> dict[str, float]:
    """Read what ``--detect`` says."""
    from sim.errors import ConfigError
    from sim.rules.words import did_you_mean

    found: dict[str, float] = {}
    for text in texts:
        name, _, size = text.partition("=")
        if name not in measures:
            hint = did_you_mean(name, measures)
            raise ConfigError(f"--detect {text}: there is no measure {name}{hint}; allowed: {', '.join(measures)}")
        try:
            found[name] = float(size)
        except ValueError:
            found[name] = math.nan
        if not 0 < found[name] < math.inf:
            raise ConfigError(f"--detect {text}: came {size or 'no size'}; allowed: a number more than 0")
    return found


@app.command("systems")
def show_systems() -> None:
    """List the rating systems and their parameters."""
    from sim.ladder.systems import SYSTEMS

    for name, model in SYSTEMS.items():
        typer.echo(f"{name:<16}{model.about}")
        for key, field in model.model_fields.items():
            typer.echo(f"{'':<16}{key} = {field.default:g}: {field.description}")


@app.command("lab")
def compare_on_stream(
    stream: Annotated[
        str,
        typer.Argument(
            metavar="STREAM",
            help="A CSV or Parquet file (game, player, points), a run folder, a ladder, or a cell: RUN@PRESET@RATING.",
        ),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM", help="A rating system: elo{k=24,k_provisional=64}. Repeat for more; all if none."
        ),
    ] = None,
    systems: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rating systems from the tables [[systems]] of a TOML file.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Of a folder: the games under this preset.")] = None,
    line_up: Annotated[str | None, typer.Option(help="Of a run folder: the games of this line-up.")] = None,
    orders: Annotated[
        int, typer.Option(min=0, max=10_000, help="Random orders of the games, for the order dependence.")
    ] = 20,
    seed: SeedOption = 1,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Rate one recorded stream of results by several systems, and put all measures side by side."""
    from sim.ladder.recorded import read_recorded
    from sim.ladder.systems import SYSTEMS, load_systems, name_systems, read_systems

    written = load_systems(systems) if systems else {}
    chosen = name_systems([*written.items(), *read_systems(system or ()).items()])
    recorded = read_recorded(stream, preset=preset, line_up=line_up)
    if not chosen:  # whatever rated the games, and all others
        labels = {one.label for one in recorded.systems.values()}
        chosen = {**recorded.systems, **read_systems(name for name in SYSTEMS if name not in labels)}
    made = make_lab_report(stream, chosen, recorded, orders, seed)
    print_reports([made], form)
    if page is not None:
        from reports.labs import report_lab

        write_too(
            report_lab(made.title, made.grids, made.notes, made.data),
            page,
            f"lab-{Path(stream).stem}.html",
            {**_checks_of(seed), "checksum of the games": recorded.checksum},
        )


@app.command("solve")
def solve_wish(
    off: Annotated[
        float, typer.Option(metavar="POINTS", help="How far from the start a newcomer's true rating is.")
    ] = 200,
    games: Annotated[int, typer.Option(min=1, max=10_000, help="Games in which a newcomer should settle.")] = 20,
    noise: Annotated[
        float, typer.Option(metavar="POINTS", help="The most that the standard deviation of a settled rating may be.")
    ] = 40,
    within: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="Settled means a mean error of at most this; the noise when absent."),
    ] = None,
    system: Annotated[str, typer.Option(metavar="SYSTEM", help="The rating system, perhaps with parameters.")] = "elo",
    newcomers: Annotated[
        int, typer.Option(min=20, max=100_000, help="Newcomers to simulate; 500 know a value to about 3 %.")
    ] = 500,
    seed: SeedOption = 1,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Find the parameter with which newcomers settle in time and ratings are quiet enough, or why there is none."""
    from sim.errors import ConfigError
    from sim.ladder.solver import Wish, solve
    from sim.ladder.systems import parse_system

    if within is None and 0 < abs(off) <= noise:
        raise ConfigError(
            f"--noise: came {noise:g}; without --within a newcomer is settled once the mean error is at most the noise,"
            f" and one who is {abs(off):g} points off is that from the start; allowed: a noise of less than"
            f" {abs(off):g}, or --within"
        )
    wish = Wish(off, games, noise, noise if within is None else within)
    chosen = parse_system(system)
    if form is Format.text and sys.stderr.isatty():
        typer.echo("simulating newcomers", err=True)
    made = make_solve_report(chosen, solve(chosen, wish, newcomers=newcomers, seed=seed))
    print_reports([made], form)
    if page is not None:
        from reports.labs import report_wish

        write_too(
            report_wish(made.title, made.grids, made.notes, made.data),
            page,
            f"solve-{chosen.system}.html",
            _checks_of(seed),
        )


def _checks_of(seed: int) -> dict[str, str]:
    """Give the seed, and the versions of everything that ratings depend on."""
    from sim.ladder.plan import ladder_versions
    from sim.tournament.game import engine_digest

    versions = ladder_versions(engine_digest())
    return {"seed": str(seed), **{f"version of {name}": value for name, value in versions.items()}}
