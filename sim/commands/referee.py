"""`bloodbattle referee`: check deal files against the rules, whoever wrote them."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.run import say
from sim.errors import ConfigError, IllegalActionError
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from sim.tournament.refereeing import Verdict


class VerdictFormat(StrEnum):
    """How verdicts can be printed."""

    text = "text"
    json = "json"


def referee(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A deal file (JSON Lines); - for standard input.")],
    preset: Annotated[
        str | None, typer.Option(help="Judge by this preset (a name or a file), whatever the deals say.")
    ] = None,
    form: Annotated[VerdictFormat, typer.Option("--format", help="How it is printed.")] = VerdictFormat.text,
) -> None:
    """Check every move, event and payment of the deals in a file. Exit code 3: against the rules, 2: malformed."""
    from sim.rules import load_preset

    rules = load_preset(preset, where="--preset") if preset is not None else None
    outcomes = {"right": 0, "wrong": 0, "malformed": 0}
    with _open(file) as stream:
        from sim import jit

        if jit.IS_COLD:
            say("compiling the engine, once: about 20 s")
        from sim.tournament.deal_file import EMPTY, read_deals
        from sim.tournament.refereeing import DealReferee

        judge = DealReferee(rules).judge
        deals = read_deals(stream)
        first = next(deals, None)
        if first is None:
            raise ConfigError(f"{'standard input' if file == '-' else file}: {EMPTY}")
        if form is VerdictFormat.json:
            sys.stdout.write('{"deals": [')
        for number, written in enumerate(chain([first], deals)):
            verdict = judge(written)
            outcomes[verdict.outcome] += 1
            if form is VerdictFormat.json:
                sys.stdout.write(",\n" if number else "\n")
                sys.stdout.write(json.dumps(_as_json(verdict)))
            else:
                sys.stdout.write("".join(f"{line}\n" for line in _as_text(verdict)))
    if form is VerdictFormat.json:
        sys.stdout.write(f"\n], {json.dumps(outcomes)[1:-1]}}}\n")
    else:
        count = sum(outcomes.values())
        counts = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
        sys.stdout.write(f"{count} {'deal' if count == 1 else 'deals'}: {counts}\n")
    sys.stdout.flush()
    if outcomes["malformed"]:
        raise typer.Exit(ConfigError.exit_code)
    if outcomes["wrong"]:
        raise typer.Exit(IllegalActionError.exit_code)


@contextmanager
def _open(file: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input."""
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 - closed below, so that only opening it is excused
    except FileNotFoundError:
        raise ConfigError(f"{file}: there is no such file") from None
    except IsADirectoryError:
        raise ConfigError(f"{file}: a folder, not a deal file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{file}: cannot be read: {reason}") from None
    with stream:
        yield stream


def _as_text(verdict: Verdict) -> list[str]:
    """Write a verdict: one line, and one for each complaint."""
    name = f" {verdict.deal_id}" if verdict.deal_id else ""
    under = f", {verdict.preset}" if verdict.preset else ""
    head = f"deal {verdict.number}{name} (line {verdict.line}{under}): {verdict.outcome}"
    if verdict.points is not None:
        ending = "the third win" if verdict.ending == "third_win" else "exhaustion"
        points = " ".join(f"{points:+d}" for points in verdict.points)
        wins = count_of(verdict.count_wins, "win")
        return [f"{head}; {verdict.count_lines} lines, {wins}, ended by {ending}, points {points}"]
    return [head, *(f"  {complaint}" for complaint in verdict.complaints)]


def _as_json(verdict: Verdict) -> dict[str, object]:
    """Give a verdict as plain data."""
    return {
        "deal": verdict.number,
        "line": verdict.line,
        "id": verdict.deal_id,
        "verdict": verdict.outcome,
        "preset": verdict.preset,
        "digest": verdict.digest,
        "lines": verdict.count_lines,
        "wins": verdict.count_wins,
        "ending": verdict.ending,
        "points": verdict.points,
        "complaints": [
            {
                "line": complaint.line,
                "reason": complaint.reason,
                "came": complaint.came or None,
                "allowed": complaint.allowed or None,
            }
            for complaint in verdict.complaints
        ],
    }
