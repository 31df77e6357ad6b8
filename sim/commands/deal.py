"""`bloodbattle deal`: one deal replayed, every decision and payment; or a deal file told in words."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

import io
import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.run import LimitOption, OnError, OnErrorOption, WallMode, limit_answers, say
from sim.errors import ConfigError
from sim.tiles import KINDS, unicode_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sim.tournament.deal_file import Event


class DealFormat(StrEnum):
    """How a deal can be printed."""

    text = "text"
    jsonl = "jsonl"
    html = "html"


def deal(
    source: Annotated[
        Path | None, typer.Argument(metavar="[RUN|FILE]", help="A run folder, or a deal file to be told in words.")
    ] = None,
    deal_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A deal of the run: CELL.WALL.SEATING, as in 0.17.3.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Without a run: a preset's name or file.")] = None,
    wall_seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="Without a run: the wall seed.", show_default=False)
    ] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            help="Without a run: four strategies (names or files), by commas, or one for all seats; ukeire when absent."
        ),
    ] = None,
    seating: Annotated[
        str | None, typer.Option(help="Without a run: line-up slot at seats 0 to 3, as in 2301; 0123 when absent.")
    ] = None,
    wall_mode: Annotated[WallMode | None, typer.Option(help="Without a run: what players draw from.")] = None,
    knobs: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Without a run: set a knob, such as fan.cap=5. May be repeated."
        ),
    ] = None,
    on_error: OnErrorOption = None,
    answer_limit: LimitOption = 60,
    form: Annotated[
        DealFormat, typer.Option("--format", help="In words, as a deal file, or as a page to step through.")
    ] = DealFormat.text,
    unicode: Annotated[bool, typer.Option(help="Show Unicode tiles too.")] = True,
) -> None:
    """Replay one deal of a run, or any deal by its identity, as text, deal file or page; or tell a deal file."""
    given = {
        "--preset": preset,
        "--wall-seed": wall_seed,
        "--strategies": strategies,
        "--seating": seating,
        "--wall-mode": wall_mode,
        "--set": knobs,
        "--on-error": on_error,
    }
    if source is not None:
        named = [option for option, value in given.items() if value]
        if named or wall_seed is not None:
            what = named[0] if named else "--wall-seed"
            raise ConfigError(f"{what} does not go with {source}: what is there has its own; leave one of them out")
        if source.is_file() and form is DealFormat.jsonl:
            raise ConfigError(f"{source} is a deal file already; --format jsonl goes with a run or with --preset")
        if source.is_file() and deal_id is not None:
            raise ConfigError(f"{source} is a deal file, all of which is told; an ID goes with a run folder")
        events = _events_of_file(source) if source.is_file() else iter(_replay_of_run(source, deal_id))
    else:
        if preset is None or wall_seed is None:
            raise ConfigError("which deal? name a run folder and an ID, a deal file, or --preset and --wall-seed")
        mode = (wall_mode or WallMode.shared).value
        limit_answers(answer_limit)
        forfeits = on_error is OnError.forfeit
        names = strategies or "ukeire"
        events = iter(_replay_alone(preset, wall_seed, names, seating or "0123", mode, knobs or [], forfeits=forfeits))
    from sim.rules import parse_sets

    _print(events, form, parse_sets(knobs or []), unicode=unicode)


def _print(events: Iterator[Event], form: DealFormat, changed: Mapping[str, object], *, unicode: bool) -> None:
    """Print events as they come, or as one page."""
    if form is DealFormat.html:
        from reports.viewer import show_deal

        shown = list(_one_deal(events))
        if not shown:
            raise ConfigError("there is no deal in this file")
        typer.echo(show_deal(shown), nl=False)
        return
    from sim.tournament.deal_file import format_event
    from sim.tournament.narrate import Narrator

    narrator = Narrator(is_unicode=unicode and _can_show_tiles(), changed=changed)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of any script on a terminal of any encoding
    for event in events:
        for line in [format_event(event)] if form is DealFormat.jsonl else narrator.tell([event]):
            typer.echo(line)


def _one_deal(events: Iterator[Event]) -> Iterator[Event]:
    """Let the events of one deal through, and refuse a second one."""
    for number, event in enumerate(events):
        if number and event["event"] == "deal":
            raise ConfigError("a page shows one deal; this file holds several: cut out the one to look at")
        yield event


def _can_show_tiles() -> bool:
    """Tell whether the output can take Unicode tiles at all."""
    try:
        unicode_kinds(range(KINDS)).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _events_of_file(file: Path) -> Iterator[Event]:
    """Read the events of a deal file; at the end say whether they are against the rules, and where to read why."""
    announce()
    from sim.tournament.deal_file import EMPTY, read_deals
    from sim.tournament.refereeing import RIGHT, DealReferee

    hint = f"bloodbattle referee {shlex.quote(str(file))} says everything that is wrong"
    judge = DealReferee().judge
    told, wrong = 0, []
    try:
        with file.open("rb") as stream:
            for written in read_deals(stream):
                yield from (line.event for line in written.lines)
                if written.malformed is not None:
                    raise ConfigError(f"{file}: {written.malformed}\n  {hint}")
                told += 1
                verdict = judge(written)
                wrong += [] if verdict.outcome == RIGHT else verdict.complaints[:1]
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    if not told:
        raise ConfigError(f"{file}: {EMPTY}")
    if wrong:
        what = "the deal is" if told == 1 else f"{len(wrong)} of {told} deals {'is' if len(wrong) == 1 else 'are'}"
        say(f"{file}: {what} against the rules, at {wrong[0]}\n  {hint}")


def _replay_of_run(folder: Path, deal_id: str | None) -> list[Event]:
    """Replay a deal of a run folder."""
    if deal_id is None and not folder.exists():
        raise ConfigError(f"{folder}: there is no such run folder or deal file")
    if deal_id is None:
        raise ConfigError(f"{folder}: which deal of the run? give its ID as CELL.WALL.SEATING, as in 0.17.3")
    from sim.api import open_run

    run = open_run(folder)
    announce()
    from sim.tournament.replay import replay_of_run

    return replay_of_run(run, deal_id).events


def _replay_alone(
    preset: str, wall_seed: int, names: str, seating: str, wall_mode: str, knobs: list[str], *, forfeits: bool
) -> list[Event]:
    """Replay a deal by its identity."""
    from sim.rules import load_preset, parse_sets
    from strategies.references import split_references

    slots = split_references(names)
    if len(slots) not in (1, 4):
        raise ConfigError(f"--strategies names {len(slots)} strategies ({names}); give one, or four by commas")
    if sorted(seating) != list("0123"):
        raise ConfigError(f"--seating: came {seating}; allowed: 0, 1, 2 and 3, each once, as in 2301")
    rules = load_preset(preset, parse_sets(knobs), where="--preset", overrides_where="--set")
    announce()
    from sim.tournament.replay import replay_deal
    from strategies.registry import load_strategy

    line_up = [load_strategy(name) for name in (slots if len(slots) == 4 else slots * 4)]
    slots_at = [int(slot) for slot in seating]
    return replay_deal(rules, line_up, wall_seed, slots_at, wall_mode, forfeits=forfeits).events


def announce() -> None:
    """Say on stderr that the engine has to be compiled, if it has."""
    from sim import jit

    if jit.IS_COLD:
        say("compiling the engine, once: about 20 s")
