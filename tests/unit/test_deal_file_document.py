"""docs/deal-files.md: its example is right, and it has every event and every field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from deal_files import judge, parse, read
from deal_oracle import deserves

from sim.rules import knob_keys
from sim.tournament.deal_file import EVENTS, LONGEST_LINE, MOST_EVENTS
from sim.tournament.narrate import Narrator

DOCUMENT = (Path(__file__).parents[2] / "docs" / "deal-files.md").read_text("utf-8")
EXAMPLE = re.findall(r"```jsonl\n(.*?)```", DOCUMENT, re.DOTALL)[0]


def test_the_example_is_right() -> None:
    verdict = judge(EXAMPLE)
    assert verdict.outcome == "right", verdict.complaints
    deserves(parse(EXAMPLE), verdict.events)
    assert verdict.count_wins == 3


def test_the_complaint_of_the_document_is_what_is_said() -> None:
    wrong = EXAMPLE.replace('{"event": "pung", "seat": 2', '{"event": "pung", "seat": 1')
    (complaint,) = judge(wrong).complaints
    assert f"  {complaint}\n" in DOCUMENT


def test_the_example_can_be_told() -> None:
    lines = Narrator(is_unicode=False).tell(parse(EXAMPLE))
    assert "the added kong of 5p of seat 2 is robbed" in lines
    assert lines[-1] == "points: seat 0 -5, seat 1 +2, seat 2 +2, seat 3 +1"


@pytest.mark.parametrize("name", EVENTS)
def test_every_field_is_documented(name: str) -> None:
    section = DOCUMENT.split(f"\n### `{name}`\n")[1].split("\n### ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\*optional\*|) ?\| (.+) \|$", section, re.MULTILINE)
    assert {field: optional == "" for field, optional, _ in rows} == {
        field: one.is_required for field, one in EVENTS[name].items()
    }
    for field, _, meaning in rows:
        words = re.findall(r'"(\w+)"', EVENTS[name][field].allowed)
        if field not in ("action", "could"):
            assert all(f"`{word}`" in meaning for word in words), (name, field)


def test_no_other_event_is_documented() -> None:
    assert re.findall(r"^### `(\w+)`$", DOCUMENT, re.MULTILINE) == list(EVENTS)


def test_the_numbers_are_those_of_the_program() -> None:
    assert f"At most {LONGEST_LINE:,} bytes each, at most {MOST_EVENTS:,} in a deal" in DOCUMENT
    assert all(
        key in knob_keys() for key in re.findall(r"`((?:exchange|win|fan)\.\w+)`", DOCUMENT) if key != "fan.patterns"
    )


def test_the_example_has_one_deal() -> None:
    assert len(read(EXAMPLE)) == 1
