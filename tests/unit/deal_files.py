"""Right deal files for tests: real deals under shipped and random presets.

`deals.jsonl` keeps deals that were looked for, since what is rare in play is in them: robberies, several winners on one
tile, transfers, claims that lose, locks, all patterns, every word of most knobs. They were played by strategies of the
day, and stay right whatever becomes of those.
"""

from __future__ import annotations

import io
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.play import line_up_of, play_deal, seating_number
from sim.engine.sichuan.setup import deal_tiles
from sim.jit import new
from sim.rules import available_presets, load_preset
from sim.rules.compile import compile_rules
from sim.tournament.deal_file import WrittenDeal, format_event, read_deals
from sim.tournament.events import read_log, start_event
from sim.tournament.refereeing import DealReferee, Verdict
from tests.differential.compare import Case, draw_case, play, player
from tests.reference.presets import random_preset
from tests.reference.scripts import slanted_wall

Event = dict[str, Any]
SEATING = (0, 1, 2, 3)
KEPT = Path(__file__).with_name("deals.jsonl")


@cache
def corpus() -> tuple[str, ...]:
    """Return the kept deals as texts."""
    found: list[str] = []
    for line in KEPT.read_text("utf-8").splitlines(keepends=True):
        if line.startswith('{"event": "deal"'):
            found.append("")
        found[-1] += line
    return tuple(found)


def make(number: int) -> list[Event]:
    """Play the deal of a number anew, every third one under a shipped preset."""
    lots = random.Random(number)
    name = lots.choice(available_presets())
    case = draw_case(lots, random_preset(lots) if number % 3 else load_preset(name), sensible=0.2)
    deal, rules = play(case) if number % 2 else play_slanted(case, lots)
    names = [name.partition(":")[0] for name in case.players]
    start = start_event(deal, case.preset, names, case.wall_seed, SEATING, deal_id=str(number))
    if number % 2 == 0:
        del start["wall_seed"]  # not the wall of any seed
    return [start, *read_log(deal, rules)]


def rarities(events: list[Event]) -> set[str]:
    """Name what is in a deal, also what is hardly ever in one."""
    found: set[str] = set()
    last: Event = {}
    for event in events:
        name = event["event"]
        found |= {name, str(event.get("form", name)), str(event.get("cause", name)), *event.get("statuses", ())}
        if name == "win":
            found |= set(event["patterns"])
            if last and (last["tile"], last["from"], last["form"]) == (event["tile"], event["from"], event["form"]):
                found.add(f"two wins by {event['form']}")
            last = event
        elif name != "payment":
            last = {}
    return found


def play_slanted(case: Case, lots: random.Random) -> tuple[Any, Any]:
    """Play a case on a wall that deals hands with a slant, so that kongs, robberies and double wins are common."""
    deal = new(Deal)[0]
    deal.wall_mode = WALL_MODES.index(case.wall_mode)
    deal.is_logged = 1
    strategies = [player(name) for name in case.players]
    rules = compile_rules(case.preset)[0]
    deal.wall[:] = slanted_wall(lots)
    deal_tiles(deal, rules, 1 + case.wall_seed % 3)
    for seat in range(4):
        deal.hands[seat].parameters[:] = strategies[seat].parameters
        deal.hands[seat].lots = case.wall_seed + seat
    culprit = play_deal(deal, seating_number(SEATING), line_up_of(strategies), rules, load_lookup()[0])
    assert culprit == NONE
    return deal, rules


def deals() -> list[list[Event]]:
    """Return fresh copies of the kept deals as events."""
    return [parse(text) for text in corpus()]


def parse(text: str) -> list[Event]:
    return [json.loads(line) for line in text.splitlines()]


def write(events: list[Event]) -> str:
    return "".join(f"{format_event(event)}\n" for event in events)


def read(content: str | bytes) -> list[WrittenDeal]:
    raw = content if isinstance(content, bytes) else content.encode()
    return list(read_deals(io.BytesIO(raw)))


@cache
def _referee() -> DealReferee:
    return DealReferee()


def judge(content: str | bytes | list[Event]) -> Verdict:
    """Judge a file that has one deal."""
    (written,) = read(write(content) if isinstance(content, list) else content)
    return _referee().judge(written)


def judge_all(content: str | bytes) -> list[Verdict]:
    return [_referee().judge(written) for written in read(content)]


def places(events: list[Event], name: str, **fields: object) -> list[int]:
    """Return the places of the events of a name that have these fields."""
    return [
        place
        for place, event in enumerate(events)
        if event["event"] == name and all(event.get(key) == value for key, value in fields.items())
    ]


def without_wall(events: list[Event]) -> list[Event]:
    """Return a deal as a program writes it that does not know the wall."""
    start = {key: value for key, value in events[0].items() if key not in ("wall", "wall_seed")}
    return [start, *events[1:]]


def refused(events: list[Event], line: int | None = None, *parts: str) -> str:
    """Check that a deal is against the rules, from a line on, for a reason."""
    verdict = judge(events)
    assert verdict.outcome == "wrong", "the referee has seen nothing wrong"
    text = "\n".join(map(str, verdict.complaints))
    if line is not None:
        assert verdict.complaints[0].line == line, text
    for part in parts:
        assert part in text
    assert verdict.points is None
    assert verdict.ending is None
    return text


def changed(events: list[Event], place: int, **fields: object) -> list[Event]:
    """Return a deal with fields of one event changed."""
    return [*events[:place], {**events[place], **fields}, *events[place + 1 :]]


def dropped(events: list[Event], place: int) -> list[Event]:
    """Return a deal without one of its events."""
    return [*events[:place], *events[place + 1 :]]


def inserted(events: list[Event], place: int, *new: Event) -> list[Event]:
    """Return a deal with events put in before a place."""
    return [*events[:place], *new, *events[place:]]
