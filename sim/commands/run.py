"""`bloodbattle run`, `resume` and `extend`: play an experiment, go on with it, or play more of it."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.report import ReportOption, report_too

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.api import Result


class Format(StrEnum):
    """How a summary can be printed."""

    text = "text"
    json = "json"
    csv = "csv"
    markdown = "markdown"


class OnError(StrEnum):
    """What happens when a strategy fails."""

    stop = "stop"
    forfeit = "forfeit"


class WallMode(StrEnum):
    """What players draw from."""

    shared = "shared"
    per_seat = "per_seat"


FormatOption = Annotated[Format, typer.Option("--format", help="How the summary is printed.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, max=4096, help="Threads to play with; all cores when absent. Never changes a result."),
]

KEPT = "stopped; finished chunks are kept, and played no more when it is run again; --answer-limit allows more time"
"""What to tell when a run is stopped at once."""
OnErrorOption = Annotated[
    OnError | None,
    typer.Option(help="When a strategy fails: stop, or play on with the answer of a timeout, which is counted."),
]
LimitOption = Annotated[
    float, typer.Option(min=0, help="Seconds that an answer may take before the program stops; 0 for any time.")
]


def run(
    experiment: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment file (TOML).")],
    knobs: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Set a knob over every preset: fan.cap=5. May be repeated."),
    ] = None,
    walls: Annotated[int | None, typer.Option(help="Walls for every line-up, instead of the file's.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the file's.")] = None,
    wall_mode: Annotated[WallMode | None, typer.Option(help="Wall mode, instead of the file's.")] = None,
    workers: WorkersOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Run folder; runs/NAME-HASH when absent.")] = None,
    rows: Annotated[
        bool | None, typer.Option("--rows/--no-rows", help="Keep a row for each deal and seat, or only sums.")
    ] = None,
    on_error: OnErrorOption = None,
    answer_limit: LimitOption = 60,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Play an experiment and print what it found. Run again, it goes on where it was left."""
    from sim.api import run as play
    from sim.rules import parse_sets
    from sim.tournament.experiment import load_experiment

    chosen = load_experiment(experiment).changed(
        sets=parse_sets(knobs or ()),
        walls=walls,
        seed=seed,
        wall_mode=wall_mode and wall_mode.value,
        rows=rows,
        on_error=on_error and on_error.value,
    )
    limit_answers(answer_limit, KEPT)
    from sim.commands.reach import foresee

    foresee(chosen, str(experiment), out, workers)
    _finish(lambda: play(chosen, out=out, workers=workers, say=say, where=str(experiment)), form, page)


def resume(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    workers: WorkersOption = None,
    repair: Annotated[bool, typer.Option("--repair", help="Play damaged or missing chunks again.")] = False,
    answer_limit: LimitOption = 60,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Go on with a run that was interrupted: the result has the same bytes as if it had not been."""
    from sim.api import resume as go_on
    from sim.ladder.store import is_ladder

    limit_answers(answer_limit, KEPT)
    if is_ladder(folder):
        from sim.commands.ladder import finish_ladder
        from sim.ladder.run import resume_ladder

        finish_ladder(lambda: resume_ladder(folder, workers=workers, say=say, repair=repair), form, page)
        return
    _finish(lambda: go_on(folder, workers=workers, say=say, repair=repair), form, page)


def extend(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run.")],
    walls: Annotated[int, typer.Option(min=1, help="Walls to add to each cell.")],
    workers: WorkersOption = None,
    answer_limit: LimitOption = 60,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Add walls to a finished run; what was played stays as it is."""
    from sim.api import extend as go_further

    limit_answers(answer_limit, KEPT)
    _finish(lambda: go_further(folder, walls, workers=workers, say=say), form, page)


def _finish(play: Callable[[], Result], form: Format, page: str | None) -> None:
    """Play, print the summary, and write the report if it is wanted; or say how to go on."""
    try:
        result = play()
    except KeyboardInterrupt as stop:
        path = getattr(stop, "path", None)
        say(f"interrupted; go on with: bloodbattle resume {shlex.quote(str(path))}" if path else "interrupted")
        raise typer.Exit(130) from None
    sys.stdout.write(result.show(form.value))
    sys.stdout.flush()
    if result.plan.design is not None:
        say(f"effects of the design: bloodbattle summary {shlex.quote(str(result.path))} --effects")
    report_too(page, result, result.path)


def limit_answers(seconds: float, hint: str = "--answer-limit allows more time") -> None:
    """Say how long an answer may take.

    Parameters
    ----------
    seconds
        Seconds; 0 for any time.
    hint
        What to tell whoever waited for longer.
    """
    from sim.engine.sichuan.watch import WATCH, leave

    WATCH.limit = seconds
    WATCH.act = lambda message: leave(f"{message}\n  {hint}")


def say(text: str) -> None:
    """Tell something in a line on stderr, if somebody watches.

    Parameters
    ----------
    text
        The line.
    """
    if sys.stderr.isatty() or not text.startswith("compiling"):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
