"""Deal files damaged at random: never a traceback, always a line and a reason, and what is accepted deserves it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from deal_files import Event, corpus, deals, judge_all, read, without_wall, write
from deal_oracle import deserves
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.tournament.deal_file import EVENTS, Complaint
from sim.tournament.refereeing import MALFORMED, RIGHT, WRONG, Verdict

FIELDS = sorted({field for fields in EVENTS.values() for field in fields} | {"event"})
TILES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
WORDS = [
    *EVENTS,
    "self_draw",
    "discard",
    "added",
    "concealed",
    "exposed",
    "left",
    "right",
    "won",
    "pig",
    "ready",
    "m",
    "p",
]
STRANGE: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 4, 5, 2**31, 2**63, 10**400, 0.5, 1e308,
    "", "5m", "x", "\x00", "\ud800", "1" * 300, [], [1], [[[]]], {}, {"root": 1}, {"": {}},
]  # fmt: skip


def check(content: str | bytes) -> list[Verdict]:
    """Judge a file of any bytes: each deal gets a verdict, each complaint a line of the file and a reason."""
    raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    count = raw.count(b"\n") + 1
    verdicts = judge_all(raw)
    assert bool(verdicts) == bool(raw.strip())
    for number, verdict in enumerate(verdicts, 1):
        assert verdict.number == number
        assert verdict.outcome in (RIGHT, WRONG, MALFORMED)
        assert bool(verdict.complaints) == (verdict.outcome != RIGHT)
        assert len(verdict.complaints) < 300
        for complaint in verdict.complaints:
            check_complaint(complaint, count)
    return verdicts


def check_complaint(complaint: Complaint, count: int) -> None:
    """Check that a complaint can be shown to anybody."""
    assert 1 <= complaint.line <= count
    assert complaint.reason
    assert str(complaint).isascii()
    assert str(complaint).isprintable()
    assert len(str(complaint)) < 3000


def other_value(lots: random.Random, value: Any) -> Any:
    """Return another value, most often one that could stand there."""
    if lots.random() < 0.15:
        return lots.choice(STRANGE)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(value + lots.choice([-2, -1, 1, 2]), 0) if lots.random() < 0.8 else lots.choice([0, 1, 2, 3, 8])
    if isinstance(value, list) and value:
        place = lots.randrange(len(value))
        return [*value[:place], other_value(lots, value[place]), *value[place + 1 :]]
    if isinstance(value, dict) and value:
        key = lots.choice(sorted(value))
        return {**value, key: other_value(lots, value[key])}
    if isinstance(value, str) and value[-1:] in "mps" and any(digit in value for digit in "123456789"):
        place = lots.choice([place for place, letter in enumerate(value) if letter.isdigit()])
        return (
            value[:place] + lots.choice("123456789") + value[place + 1 :] if lots.random() < 0.7 else lots.choice(TILES)
        )
    return lots.choice([None, 0, lots.choice(WORDS), lots.choice(TILES)])


def damage_events(lots: random.Random, events: list[Event]) -> list[Event]:
    """Damage a deal so that its lines stay JSON."""
    place, other = lots.randrange(len(events)), lots.randrange(len(events))
    event = dict(events[place])
    what = lots.choice(
        ["drop", "twice", "swap", "neighbours", "move", "value", "value", "value", "key", "lose", "event"]
    )
    if what == "drop":
        return [*events[:place], *events[place + 1 :]]
    if what == "twice":
        return [*events[:other], event, *events[other:]]
    if what == "neighbours":
        other = min(place + 1, len(events) - 1)
    if what in ("swap", "neighbours"):
        events = list(events)
        events[place], events[other] = events[other], events[place]
        return events
    if what == "move":
        rest = [*events[:place], *events[place + 1 :]]
        return [*rest[:other], event, *rest[other:]]
    key = lots.choice(sorted(event))
    if what == "value":
        event[key] = other_value(lots, event[key])
    elif what == "key":
        event[lots.choice(FIELDS)] = event[key]
    elif what == "lose":
        del event[key]
    else:
        event = dict(lots.choice(lots.choice(deals())))
    return [*events[:place], event, *events[place + 1 :]]


def damage_text(lots: random.Random, text: str) -> bytes:
    """Damage a file so that it may be anything."""
    raw = bytearray(text.encode())
    place = lots.randrange(len(raw))
    what = lots.choice(["cut", "cut line", "flip", "put", "lose", "line ends", "repeat", "nest"])
    if what == "cut":
        return bytes(raw[:place])
    if what == "cut line":
        end = raw.find(b"\n", place)
        return bytes(raw[:place] + raw[end:])
    if what == "flip":
        raw[place] = lots.randrange(256)
    elif what == "put":
        raw[place:place] = lots.choice(
            [b"\n", b"\xff", b"\x00", b"NaN", b"9" * 5000, b"{", b"]", b'"', b"\xe2\x80\xa8", b","]
        )
    elif what == "lose":
        del raw[place : place + lots.randrange(1, 30)]
    elif what == "line ends":
        return bytes(raw.replace(b"\n", b"\r"))
    elif what == "repeat":
        raw[place:place] = raw[place : place + lots.randrange(1, 5000)]
    else:
        raw[place:place] = b"[" * lots.choice([10, 1000, 100_000])
    return bytes(raw)


def damaged(lots: random.Random) -> bytes:
    """Return a damaged file of one deal or two."""
    events = lots.choice(deals())
    if lots.random() < 0.5:
        events = without_wall(events)
    if lots.random() < 0.3:
        return damage_text(lots, write(events) + lots.choice(["", corpus()[0]]))
    for _ in range(lots.choice([1, 1, 1, 1, 2, 5])):
        events = damage_events(lots, events) or events
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def check_damaged(number: int) -> str:
    """Damage a file by the lots of a number, and judge it."""
    raw = damaged(random.Random(number))
    verdicts = check(raw)
    for verdict, written in zip(verdicts, read(raw), strict=True):
        if verdict.outcome == RIGHT:
            deserves([line.event for line in written.lines], verdict.events)
    return verdicts[0].outcome


@pytest.mark.parametrize("group", range(8))
def test_damaged_files_are_refused_or_deserve_to_be_right(group: int) -> None:
    outcomes = {check_damaged(1000 * group + number) for number in range(40)}
    assert outcomes == {RIGHT, WRONG, MALFORMED}


@pytest.mark.slow
@pytest.mark.parametrize("group", range(8, 24))
def test_many_damaged_files_are_refused_or_deserve_to_be_right(group: int) -> None:
    for number in range(1000):
        check_damaged(1000 * group + number)


@pytest.mark.parametrize("number", range(12))
def test_every_other_discard_is_refused_or_another_right_deal(number: int) -> None:
    """A tile that never matters later can be discarded instead of another: that is a right deal, but not this one."""
    lots = random.Random(number)
    events = lots.choice(deals())
    places = [place for place, event in enumerate(events) if event["event"] == "discard"]
    for place in lots.sample(places, 6):
        for tile in lots.sample(TILES, 5):
            if tile != events[place]["tile"]:
                others = [*events[:place], {**events[place], "tile": tile}, *events[place + 1 :]]
                (verdict,) = check(write(others))
                if verdict.outcome == RIGHT:
                    deserves(others, verdict.events)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_get_a_verdict(raw: bytes) -> None:
    check(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from([*TILES, *WORDS]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), inner),
    max_leaves=12,
)
LIKELY = st.fixed_dictionaries({"event": st.sampled_from(sorted(EVENTS))}).flatmap(
    lambda event: st.fixed_dictionaries(dict.fromkeys(EVENTS[event["event"]], JSON)).map(lambda rest: {**event, **rest})
)
START = corpus()[0].splitlines()[0]


@settings(max_examples=300, deadline=None)
@given(st.lists(JSON | LIKELY, max_size=5), st.booleans())
def test_any_json_lines_get_a_verdict(values: list[Any], has_start: bool) -> None:
    lines = [START] if has_start else []
    check("".join(f"{line}\n" for line in (*lines, *map(json.dumps, values))))
