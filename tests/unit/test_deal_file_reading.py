"""Deal files as text: every malformed line is refused with its number, and nothing else is."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest
from deal_files import corpus, parse, read, write

from sim.tournament.deal_fields import show_json
from sim.tournament.deal_file import EVENTS, LONGEST_LINE, MOST_EVENTS, Complaint, describe_event, read_deals
from sim.tournament.events import printable

FIRST = corpus()[0]
START = FIRST.splitlines()[0]


def complaint(content: str | bytes) -> Complaint:
    """Return what is malformed in a file of one deal."""
    (written,) = read(content)
    assert written.malformed is not None
    return written.malformed


def start_with(**fields: object) -> str:
    """Return the first line with some fields changed, or left out if they are Ellipsis."""
    event = {**json.loads(START), **fields}
    return json.dumps({key: value for key, value in event.items() if value is not ...})


def test_what_is_written_is_read_back() -> None:
    text = "".join(corpus())
    found = read(text)
    assert len(found) == len(corpus())
    assert [written.number for written in found] == list(range(1, len(found) + 1))
    assert all(written.malformed is None for written in found)
    assert write([line.event for written in found for line in written.lines]) == text
    numbers = [line.number for written in found for line in written.lines]
    assert numbers == list(range(1, text.count("\n") + 1))
    assert [written.line for written in found] == [written.lines[0].number for written in found]


def test_every_event_is_written_somewhere_and_can_be_described() -> None:
    events = [event for text in corpus() for event in parse(text)]
    assert {event["event"] for event in events} == set(EVENTS)
    for event in events:
        words = describe_event(event)
        assert words.isascii()
        assert "{" not in words


def test_blank_lines_do_not_matter_but_count() -> None:
    (written,) = read(f"\n\n{FIRST}  \n\r\n")
    assert written.malformed is None
    assert written.line == 3
    assert len(written.lines) == len(FIRST.splitlines())


def test_line_ends_of_another_system() -> None:
    (written,) = read(FIRST.replace("\n", "\r\n"))
    assert written.malformed is None


@pytest.mark.parametrize("content", ["", "\n \n\t\n"])
def test_a_file_without_a_deal(content: str) -> None:
    assert read(content) == []


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("{", ["not JSON", "character"]),
        ('{"event": "draw", "seat": 1', ["not JSON"]),
        ("nonsense", ["not JSON", "character 1"]),
        ("[1, 2]", ["must be an object", "came: [1, 2]"]),
        ("17", ["must be an object"]),
        ("null", ["must be an object"]),
        ("{}", ['the key "event" is missing', "came: {}", "allowed: deal, direction"]),
        ('{"seat": 1}', ['the key "event" is missing', 'came: {"seat": 1}']),
        ('{"event": 3}', ["unknown event", "came: 3"]),
        ('{"event": "discrad", "seat": 1}', ["unknown event", "did you mean discard?"]),
        ('{"event": "discard", "seat": 1}', ["discard: the field tile is missing", "such as 5m"]),
        ('{"event": "discard", "seat": 1, "tile": "5m", "time": 3}', ["discard: unknown field", 'came: "time"']),
        ('{"event": "discard", "saet": 1, "tile": "5m"}', ["unknown field", "did you mean seat?"]),
        ('{"event": "discard", "seat": 1, "seat": 2, "tile": "5m"}', ['the key "seat" stands twice']),
        ('{"event": "discard", "seat": 4, "tile": "5m"}', ["wrong value of seat", "came: 4", "0, 1, 2 or 3"]),
        ('{"event": "discard", "seat": -1, "tile": "5m"}', ["wrong value of seat"]),
        ('{"event": "discard", "seat": 1.0, "tile": "5m"}', ["wrong value of seat", "came: 1.0"]),
        ('{"event": "discard", "seat": true, "tile": "5m"}', ["wrong value of seat", "came: true"]),
        ('{"event": "discard", "seat": "1", "tile": "5m"}', ["wrong value of seat", 'came: "1"']),
        ('{"event": "discard", "seat": null, "tile": "5m"}', ["wrong value of seat", "came: null"]),
        ('{"event": "discard", "seat": [1], "tile": "5m"}', ["wrong value of seat", "came: [1]"]),
        ('{"event": "discard", "seat": NaN, "tile": "5m"}', ["NaN is not JSON"]),
        ('{"event": "discard", "seat": -Infinity, "tile": "5m"}', ["-Infinity is not JSON"]),
        ('{"event": "discard", "seat": 1e400, "tile": "5m"}', ["wrong value of seat"]),
        (f'{{"event": "discard", "seat": {"9" * 5000}, "tile": "5m"}}', ["thousands of digits"]),
        ('{"event": "discard", "seat": 1, "tile": "0m"}', ["wrong value of tile", "rank 0"]),
        ('{"event": "discard", "seat": 1, "tile": "5z"}', ["no winds"]),
        ('{"event": "discard", "seat": 1, "tile": "55m"}', ["wrong value of tile", "2 tiles"]),
        ('{"event": "discard", "seat": 1, "tile": ""}', ["wrong value of tile"]),
        ('{"event": "discard", "seat": 1, "tile": 5}', ["wrong value of tile", "came: 5"]),
        ('{"event": "discard", "seat": 1, "tile": "\\ud800m"}', ["wrong value of tile"]),
        (f'{{"event": "discard", "seat": 1, "tile": "{"1" * 5000}m"}}', ["wrong value of tile"]),
        ('{"event": "draw", "seat": 1, "tile": "5m", "replacement": 1}', ["value of replacement", "true or false"]),
        ('{"event": "direction", "direction": "rihgt"}', ["did you mean right?"]),
        ('{"event": "exchange", "seat": 0, "given": "12m3p", "received": "123m"}', ["given", "more than one suit"]),
        ('{"event": "exchange", "seat": 0, "given": "12345m", "received": "123m"}', ["given", "5 tiles"]),
        ('{"event": "void_suit", "seat": 0, "suit": "z"}', ["wrong value of suit", '"m", "p" or "s"']),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "chow"}', ["wrong value of action"]),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "kong 5z"}', ["wrong value of action"]),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "win\\n"}', ["wrong value of action"]),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "win", "could": ["pass"]}', ["value of could"]),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "win", "could": ["win", "win"]}', ["twice"]),
        ('{"event": "answer", "seat": 0, "decision": "claim", "action": "win", "could": [["win"]]}', ["of could"]),
        ('{"event": "kong", "seat": 0, "tile": "5m", "form": "hidden", "from": null}', ["wrong value of form"]),
        ('{"event": "kong", "seat": 0, "tile": "5m", "form": "added", "from": "none"}', ["from", "or null"]),
        ('{"event": "payment", "cause": "self_draw", "payer": 0, "payee": 1, "amount": 0}', ["amount", "from 1 to"]),
        ('{"event": "payment", "cause": "self_draw", "payer": 0, "payee": 1, "amount": 1e3}', ["amount", "1000.0"]),
        ('{"event": "payment", "cause": "self_draw", "payer": 0, "payee": 1, "amount": 1' + "0" * 30 + "}", ["amount"]),
        ('{"event": "exhaustion", "statuses": ["won", "pig", "left", "ready"]}', ["wrong value of statuses"]),
        ('{"event": "end", "points": [0, 0, 0]}', ["wrong value of points", "a list of 4"]),
        ('{"event": "end", "points": [0, 0, 0, "0"]}', ["wrong value of points"]),
        ('{"event": "end", "points": {"0": 1}}', ["wrong value of points"]),
    ],
)  # fmt: skip
def test_a_malformed_line_is_named(line: str, parts: list[str]) -> None:
    found = complaint(f"{START}\n\n{line}\n{FIRST.splitlines()[1]}\n")
    assert found.line == 3
    assert str(found).startswith("line 3: ")
    assert str(found).isascii()
    assert len(str(found)) < 1500
    for part in parts:
        assert part in str(found)


WIN = {"event": "win", "seat": 0, "form": "self_draw", "tile": "5m", "from": None, "patterns": {}, "fan": 0, "value": 1}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("patterns", []),
        ("patterns", {"root": -1}),
        ("patterns", {"root": 1.5}),
        ("patterns", {"root": "1"}),
        ("patterns", {"root": {}}),
        ("fan", -1),
        ("fan", None),
        ("value", 2**70),
        ("tile", False),
        ("from", 4),
        ("form", None),
    ],
)
def test_a_malformed_win_is_refused(field: str, value: object) -> None:
    assert complaint(f"{START}\n{json.dumps(WIN)}\n{json.dumps({**WIN, field: value})}\n").line == 3
    assert f"win: wrong value of {field}" in complaint(f"{START}\n{json.dumps({**WIN, field: value})}\n").reason


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"format": 2}, ["wrong value of format", "came: 2", "allowed: 1"]),
        ({"format": ...}, ["the field format is missing"]),
        ({"format": "1"}, ["wrong value of format"]),
        ({"preset": ...}, ["the field preset is missing"]),
        ({"preset": "../secret"}, ["wrong value of preset"]),
        ({"preset": "-x"}, ["wrong value of preset"]),
        ({"preset": "x\n"}, ["wrong value of preset"]),
        ({"knobs": []}, ["wrong value of knobs"]),
        ({"wall_seed": -1}, ["wrong value of wall_seed"]),
        ({"wall_seed": 2**63}, ["wrong value of wall_seed"]),
        ({"wall_seed": None}, ["wrong value of wall_seed"]),
        ({"wall_mode": "split"}, ["wrong value of wall_mode"]),
        ({"seating": [0, 1, 2, 2]}, ["wrong value of seating"]),
        ({"seating": [0, 1, 2, [3]]}, ["wrong value of seating"]),
        ({"strategies": ["a", "b", "c", ""]}, ["wrong value of strategies"]),
        ({"strategies": ["a", "b", "c", "\x1b[31m"]}, ["wrong value of strategies", "cannot be printed"]),
        ({"strategies": ["a", "b", "c", "\ud800"]}, ["wrong value of strategies"]),
        ({"id": "x" * 81}, ["wrong value of id"]),
        ({"hands": ...}, ["the field hands is missing"]),
        ({"hands": ["1m", "1m", "1m", "1m"]}, ["wrong value of hands", "seat 0: 1 tile)"]),
        ({"hands": ["11112222333344m", "11111p12345678s", "123456789s1112p", "123456789s1112p"]}, ["a fifth 1p"]),
        ({"hands": ["11112222333344m", "1111222233335m", "123456789s1112p", "123456789s1112p"]}, ["8 of 1m"]),
        ({"hands": "1m"}, ["wrong value of hands"]),
        ({"wall": "1m"}, ["wrong value of wall (1 tile)"]),
        ({"wall": ["1m"]}, ["wrong value of wall"]),
        ({"Wall": "1m"}, ["unknown field"]),
    ],
)  # fmt: skip
def test_a_malformed_start_is_named(fields: dict[str, object], parts: list[str]) -> None:
    found = complaint(f"{start_with(**fields)}\n{FIRST.splitlines()[1]}\n")
    assert found.line == 1
    assert found.reason.startswith("deal: ")
    for part in parts:
        assert part in str(found)


@pytest.mark.parametrize("name", ["", "ukeire{danger=0.4}", "\ud800", "a\nb", "x" * 2000, "\x1b[31m", "\u4e2d"])
def test_any_name_of_a_strategy_can_be_written(name: str) -> None:
    (written,) = read(start_with(strategies=[printable(name)] * 4))
    assert written.malformed is None


def test_the_first_line_must_be_a_deal() -> None:
    found = complaint(FIRST.partition("\n")[2])
    assert found.line == 1
    assert "must begin with a deal" in found.reason


def test_a_byte_order_mark_is_named() -> None:
    assert "byte order mark" in complaint(b"\xef\xbb\xbf" + FIRST.encode()).reason


def test_a_line_that_is_not_utf_8_is_named() -> None:
    found = complaint(START.encode() + b'\n{"event": "\xff"}\n')
    assert (found.line, "not UTF-8" in found.reason, "byte 12" in found.reason) == (2, True, True)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_named(opening: str) -> None:
    found = complaint(f"{START}\n{opening * (LONGEST_LINE // len(opening) - 10)}\n")
    assert found.line == 2
    assert "too deeply nested" in found.reason or "not JSON" in found.reason
    closing = {"[": "]", '{"a":': "}"}[opening]
    inner = opening * 10_000 + ("1" if closing == "}" else "") + closing * 10_000
    assert complaint(f"{START}\n{inner}\n").line == 2


def test_a_value_that_is_deeply_nested_can_be_shown() -> None:
    value: object = []
    for _ in range(100_000):
        value = [value]
    assert show_json(value) == "something deeply nested"
    for _ in range(100_000):  # taken apart again, since freeing it at once would be as deep
        value = value[0]  # type: ignore[index]


@pytest.mark.parametrize("end", ["\n", ""])
def test_a_long_line_is_named_and_passed_over(end: str) -> None:
    long = '{"event": "' + "x" * (5 * LONGEST_LINE) + '"}'
    found = complaint(f"{START}\n{long}{end}")
    assert found.line == 2
    assert "too long" in found.reason
    first, second = read(f"{START}\n{long}\n{FIRST}")
    assert first.malformed == found
    assert second.malformed is None
    assert second.line == 3


def test_a_line_of_the_greatest_length_is_read() -> None:
    line = FIRST.splitlines()[1]
    padded = line + " " * (LONGEST_LINE - len(line) - 1) + "\n"
    (written,) = read(f"{START}\n{padded}")
    assert written.malformed is None
    assert "too long" in complaint(f"{START}\n {padded}").reason


def test_a_deal_without_end_is_cut_off() -> None:
    class Endless(io.RawIOBase):
        lines = 0

        def readable(self) -> bool:
            return True

        def readline(self, _size: int | None = -1) -> bytes:
            self.lines += 1
            assert self.lines < 10_000
            return (
                b"" if self.lines == 9_000 else (START if self.lines == 1 else FIRST.splitlines()[1]).encode() + b"\n"
            )

    (written,) = read_deals(Endless())  # type: ignore[arg-type]
    assert len(written.lines) == MOST_EVENTS
    assert written.malformed is not None
    assert written.malformed.line == MOST_EVENTS + 1


def test_a_deal_after_a_malformed_one_is_read() -> None:
    broken, malformed, right = read(f"{START}\nnonsense\nnonsense\n{start_with(format=9)}\n{FIRST}")
    assert broken.malformed is not None
    assert broken.malformed.line == 2
    assert malformed.malformed is not None
    assert malformed.malformed.line == 4
    assert right.malformed is None
    assert (right.number, right.line) == (3, 5)


def test_deals_are_read_one_at_a_time() -> None:
    """Whoever writes to a pipe deal by deal is answered deal by deal."""
    stream = io.BytesIO((FIRST + FIRST).encode())
    deals = read_deals(stream)
    next(deals)
    assert stream.tell() <= len(FIRST) + len(START) + 1


def test_reading_needs_no_compiler() -> None:
    code = "import sys, sim.tournament.deal_file; assert not {'numba', 'numpy', 'polars'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
