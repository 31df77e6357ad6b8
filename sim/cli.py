"""The command line. A command is a function in `sim.commands`, and one line here.

Nothing heavy is imported before a command runs. What goes wrong becomes one message on stderr and an exit code: 0 fine,
1 to 5 as `sim.errors` says (2 also for a wrong command line), 70 a defect of ours, 130 interrupted.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import typer

from sim.commands import (
    bench,
    check,
    compare,
    deal,
    diff,
    effect,
    hand,
    ladder,
    perft,
    power,
    presets,
    profile,
    referee,
    report,
    run,
    strategies,
    summary,
    tournament,
    worst,
)
from sim.errors import BloodBattleError

if TYPE_CHECKING:
    from collections.abc import Callable

DEFECT = 70
INTERRUPTED = 130

app = typer.Typer(
    name="bloodbattle",
    help="A very fast tournament simulator for Sichuan Blood Battle mahjong.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run.run)
app.command()(run.resume)
app.command()(run.extend)
app.command()(summary.summary)
app.command()(diff.diff)
app.command()(deal.deal)
app.command()(report.report)
app.command()(hand.hand)
app.command()(compare.compare)
app.command()(tournament.tournament)
app.command(context_settings={"ignore_unknown_options": True})(effect.effect)  # -1 is a value
app.command()(worst.worst)
app.command()(power.power)
app.command()(profile.profile)
app.command()(referee.referee)
app.command()(check.check)
app.command()(perft.perft)
app.command()(bench.bench)
app.add_typer(ladder.app, name="ladder")
app.add_typer(presets.app, name="presets")
app.add_typer(strategies.app, name="strategies")


def _show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - takes a moment

        typer.echo(f"bloodbattle {version('bloodbattle')}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Print the version."),
) -> None:
    """Take the options that stand before a command."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    Parameters
    ----------
    arguments
        The command line without the program's name; that of the process when absent.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign shows another one instead
            stream.reconfigure(errors="replace")
    words = report.fill_in_report(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_run(lambda: app(words, standalone_mode=True)))


def _run(command: Callable[[], Any]) -> int:
    """Run something, and turn what it raises into a message and an exit code."""
    try:
        try:
            command()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except SystemExit as exit_:
        code = exit_.code
        cause = exit_.__context__.__cause__ if exit_.__context__ is not None else None
        if isinstance(cause, KeyboardInterrupt):  # caught above a command that says nothing of it
            sys.stderr.write("interrupted\n")
        return code if isinstance(code, int) else 0 if code is None else 1
    except BloodBattleError as error:
        for line in str(error).splitlines():
            sys.stderr.write(f"error: {line}\n" if not line.startswith(" ") else f"{line}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC:
            return _report_defect()
        sys.stderr.write("error: the output could not be written: no space is left where it goes\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:  # noqa: BLE001 - whatever is not in our family is a defect
        return _report_defect()
    return 0


def _report_defect() -> int:
    """Print the error under way as a defect of ours, and return its exit code."""
    import traceback  # noqa: PLC0415

    traceback.print_exc()
    sys.stderr.write("error: this is a defect of bloodbattle; please report it with the lines above\n")
    return DEFECT


if __name__ == "__main__":
    main()
