"""Deal files: JSON Lines, one event a line; the format that every program can write (docs/deal-files.md).

This module knows which events there are, which fields they have, and how lines become deals. It does not know the rules
of the game (`sim.tournament.refereeing`), and it trusts no file: what is wrong with a line is said with its number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sim.rules.words import did_you_mean
from sim.tournament.deal_fields import (
    ACTION,
    AMOUNT,
    COULD,
    FAN,
    FLAG,
    FORMAT,
    HANDS,
    KNOBS,
    LONGEST_NAME,
    PATTERNS,
    POINTS,
    PRESET,
    SEAT,
    SEATING,
    TILE,
    Field,
    list_of,
    show_json,
    text_of,
    tiles_of,
    whole,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

Event = dict[str, Any]

EVENTS: Final[dict[str, dict[str, Field]]] = {
    "deal": {
        "format": whole(FORMAT, FORMAT),
        "id": text_of(80, "a name of the deal").or_absent(),
        "preset": PRESET,
        "knobs": KNOBS.or_absent(),
        "wall_seed": whole(0, 2**63 - 1).or_absent(),
        "wall_mode": word("shared", "per_seat").or_absent(),
        "seating": SEATING.or_absent(),
        "strategies": list_of(4, text_of(LONGEST_NAME, "a name")).or_absent(),
        "hands": HANDS,
        "wall": tiles_of(55).or_absent(),
    },
    "direction": {"direction": word("none", "right", "across", "left")},
    "exchange": {
        "seat": SEAT,
        "given": tiles_of(1, 2, 3, 4, is_one_suit=True),
        "received": tiles_of(1, 2, 3, 4, is_one_suit=True),
    },
    "void_suit": {"seat": SEAT, "suit": word("m", "p", "s")},
    "draw": {"seat": SEAT, "tile": TILE, "replacement": FLAG},
    "discard": {"seat": SEAT, "tile": TILE},
    "answer": {"seat": SEAT, "decision": word("turn", "claim", "rob"), "action": ACTION, "could": COULD.or_absent()},
    "pung": {"seat": SEAT, "tile": TILE, "from": SEAT},
    "kong": {"seat": SEAT, "tile": TILE, "form": word("concealed", "exposed", "added"), "from": SEAT.or_null()},
    "robbed": {"seat": SEAT, "tile": TILE},
    "win": {
        "seat": SEAT,
        "form": word("self_draw", "discard", "robbed_kong"),
        "tile": TILE.or_null(),
        "from": SEAT.or_null(),
        "patterns": PATTERNS,
        "fan": FAN,
        "value": FAN,
    },
    "payment": {
        "cause": word(
            "discard_win",
            "robbed_kong_win",
            "self_draw",
            "concealed_kong",
            "exposed_kong",
            "added_kong",
            "kong_refund",
            "kong_transfer",
            "flower_pig",
            "not_ready",
        ),
        "payer": SEAT,
        "payee": SEAT,
        "amount": AMOUNT,
    },
    "exhaustion": {"statuses": list_of(4, word("won", "ready", "not_ready", "pig"))},
    "end": {"points": POINTS},
}
"""The fields of each event."""

EMPTY: Final = 'the file is empty; a deal file begins with the event "deal"'
"""What is said of a file without any line that is not blank."""
LONGEST_LINE: Final = 65_536
"""Bytes of a line, its end included."""
MOST_EVENTS: Final = 2_000
"""Lines of one deal; no deal that keeps the rules comes near."""


@dataclass(frozen=True)
class Complaint:
    """One thing that is wrong with a deal file."""

    line: int
    """Number of the line, from 1."""
    reason: str
    """What is wrong."""
    came: str = ""
    """What the file has there."""
    allowed: str = ""
    """What it should have."""

    def __str__(self) -> str:
        """Write it in one line of ASCII."""
        parts = [self.reason]
        parts += [f"came: {self.came}"] if self.came else []
        parts += [f"allowed: {self.allowed}"] if self.allowed else []
        return f"line {self.line}: {plain('; '.join(parts))}"


@dataclass(frozen=True)
class Line:
    """One event of a file."""

    number: int
    """Number of the line, from 1."""
    event: Event


@dataclass
class WrittenDeal:
    """A deal as a file has it: well formed, or with the reason why not."""

    number: int
    """Which deal of the file, from 1."""
    line: int
    """Number of its first line."""
    lines: list[Line] = field(default_factory=list)
    """Its events; up to the malformed line, if there is one."""
    malformed: Complaint | None = None
    """The first line that is malformed."""


class _MalformedError(Exception):
    """A line is malformed."""

    def __init__(self, reason: str, came: str = "", allowed: str = "") -> None:
        super().__init__(reason)
        self.reason, self.came, self.allowed = reason, came, allowed


def plain(text: str) -> str:
    r"""Write a text in ASCII, whatever a file had in it.

    Parameters
    ----------
    text
        Any text.

    Examples
    --------
    >>> plain("5\N{MIDDLE DOT}m")
    '5\\xb7m'
    """
    return text.encode("ascii", "backslashreplace").decode("ascii")


def format_event(event: Event) -> str:
    """Write an event as a line of a deal file.

    Parameters
    ----------
    event
        An event.

    Returns
    -------
    str
        One line of JSON in ASCII, without its end.
    """
    return json.dumps(event)


def read_deals(stream: BinaryIO) -> Iterator[WrittenDeal]:
    """Read the deals of a file, one after the other, each in memory alone.

    A deal begins with its event `deal` and goes on to the next one. After a malformed line the rest of its deal is
    skipped.

    Parameters
    ----------
    stream
        The file, opened in binary mode.

    Yields
    ------
    WrittenDeal
        None if the file is empty, or has blank lines only.
    """
    deal: WrittenDeal | None = None
    for number, raw in _read_lines(stream):
        event: Event | None = None
        wrong: Complaint | None = None
        try:
            event = _read_object(raw, number)
            _check_event(event, is_first=deal is None)
        except _MalformedError as error:
            wrong = Complaint(number, error.reason, error.came, error.allowed)
        if event is not None and event.get("event") == "deal" and deal is not None:
            yield deal
            deal = WrittenDeal(deal.number + 1, number)
        elif deal is None:
            deal = WrittenDeal(1, number)
        if deal.malformed is not None:
            continue
        if wrong is None and len(deal.lines) == MOST_EVENTS:
            wrong = Complaint(number, f"more than {MOST_EVENTS} lines in one deal")
        deal.malformed = wrong
        if wrong is None and event is not None:
            deal.lines.append(Line(number, event))
    if deal is not None:
        yield deal


def _read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank with their numbers; one that is too long is cut, and still too long."""
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        rest = raw
        while len(raw) > LONGEST_LINE and rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE)
        if raw.strip():
            yield number, raw


def _refuse_constant(text: str) -> NoReturn:
    raise _MalformedError(f"{text} is not JSON", allowed="numbers, texts, true, false, null, lists and objects")


def _refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, unless a key stands there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _MalformedError(f"the key {show_json(twice)} stands twice in one object")
    return found


def _read_object(raw: bytes, number: int) -> Event:
    """Read one line as a JSON object."""
    if len(raw) > LONGEST_LINE:
        raise _MalformedError("the line is too long", allowed=f"at most {LONGEST_LINE} bytes")
    if number == 1 and raw.startswith(b"\xef\xbb\xbf"):
        raise _MalformedError("the file begins with a byte order mark", allowed="UTF-8 without one")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _MalformedError(f"not UTF-8 text (at byte {error.start + 1} of the line)") from None
    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_twice)
    except json.JSONDecodeError as error:
        raise _MalformedError(f"not JSON: {error.msg} (at character {error.colno} of the line)") from None
    except RecursionError:
        raise _MalformedError("not JSON of an event: it is too deeply nested") from None
    except ValueError:
        raise _MalformedError("not JSON of an event: it has a number of thousands of digits") from None
    if not isinstance(value, dict):
        raise _MalformedError("a line must be an object", show_json(value), '{"event": ...}')
    return value


def _check_event(event: Event, *, is_first: bool) -> None:
    """Check that a line is an event that may stand there, with its fields."""
    name = event.get("event")
    if not isinstance(name, str) or name not in EVENTS:
        hint = did_you_mean(name, EVENTS) if isinstance(name, str) else ""
        reason = "unknown event" if "event" in event else 'the key "event" is missing'
        came = show_json(name if "event" in event else event)
        raise _MalformedError(reason, came, ", ".join(EVENTS) + hint)
    if is_first and name != "deal":
        raise _MalformedError("the file must begin with a deal", f'the event "{name}"', 'the event "deal"')
    _check_fields(name, event)


def _check_fields(name: str, event: Event) -> None:
    """Check an event's fields: all there, none unknown, each of the right type."""
    fields = EVENTS[name]
    for key, value in event.items():
        if key == "event":
            continue
        if key not in fields:
            missing = [other for other in fields if other not in event]
            hint = did_you_mean(key, missing)
            raise _MalformedError(f"{name}: unknown field", show_json(key), ", ".join(("event", *fields)) + hint)
        wrong = fields[key].check(value)
        if wrong is not None:
            detail = f" ({wrong})" if wrong else ""
            raise _MalformedError(f"{name}: wrong value of {key}{detail}", show_json(value), fields[key].allowed)
    for key, one in fields.items():
        if one.is_required and key not in event:
            raise _MalformedError(f"{name}: the field {key} is missing", allowed=one.allowed)


def name_points(amount: int) -> str:
    """Write an amount of points in words.

    Parameters
    ----------
    amount
        How many.

    Examples
    --------
    >>> name_points(1), name_points(8)
    ('1 point', '8 points')
    """
    return "1 point" if amount == 1 else f"{amount} points"


def describe_event(event: Event) -> str:
    """Say in a few words what an event is, for messages.

    Parameters
    ----------
    event
        A well-formed event.

    Examples
    --------
    >>> describe_event({"event": "pung", "seat": 2, "tile": "5m", "from": 0})
    'seat 2 pungs 5m from seat 0'
    """
    words: str = _WORDS[event["event"]](event)
    return words


def _from(event: Event) -> str:
    return "" if event["from"] is None else f" from seat {event['from']}"


def _each(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)


_WORDS: Final[dict[str, Any]] = {
    "deal": lambda _: "a new deal",
    "direction": lambda e: f"direction {e['direction']}",
    "exchange": lambda e: f"seat {e['seat']} gives {e['given']} and receives {e['received']}",
    "void_suit": lambda e: f"seat {e['seat']} declares {e['suit']} void",
    "draw": lambda e: f"seat {e['seat']} draws {'the replacement ' if e['replacement'] else ''}{e['tile']}",
    "discard": lambda e: f"seat {e['seat']} discards {e['tile']}",
    "answer": lambda e: f"seat {e['seat']} answers {e['action']} in a {e['decision']} decision",
    "pung": lambda e: f"seat {e['seat']} pungs {e['tile']}{_from(e)}",
    "kong": lambda e: f"seat {e['seat']} makes the {e['form']} kong of {e['tile']}{_from(e)}",
    "robbed": lambda e: f"the kong of {e['tile']} by seat {e['seat']} is robbed",
    "win": lambda e: f"seat {e['seat']} wins by {e['form']} on {e['tile'] or 'the dealt tiles'}{_from(e)}",
    "payment": lambda e: f"seat {e['payer']} pays {name_points(e['amount'])} to seat {e['payee']} for {e['cause']}",
    "exhaustion": lambda e: f"exhaustion, where seats 0 to 3 are {_each(e['statuses'])}",
    "end": lambda e: f"the end, with points {_each(e['points'])}",
}
