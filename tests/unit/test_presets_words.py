"""Presets in words: the rows for showing, the differences, the documentation, the words of messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.rules import knob_keys, load_preset
from sim.rules.describe import describe_preset, headline, show_knob_value
from sim.rules.diff import Difference, diff_presets
from sim.rules.document import document
from sim.rules.words import did_you_mean, either, nearest, show_key, show_value

DOCUMENT = Path(__file__).parents[2] / "docs" / "presets.md"


def test_the_documentation_is_current():
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python -m sim.rules.document > docs/presets.md"


def test_the_documentation_has_a_row_for_every_knob_with_its_marks():
    rows = [line for line in document().splitlines() if line.startswith("| `") and line.count("|") == 9]
    assert [row.split("`")[1] for row in rows] == list(knob_keys())
    (pung_lock,) = [row for row in rows if "`pass.pung_lock`" in row]
    assert pung_lock == (
        "| `pass.pung_lock` | true or false |  | false *(assumed)* | true | false *(assumed)* | play |"
        " Who could pung a tile kind and does not cannot pung that kind until the own next draw. |"
    )


def test_rows_follow_the_knobs_and_carry_their_marks():
    rows = {row.key: row for row in describe_preset(load_preset("cardavia-sichuan", {"fan.patterns.rob_kong": 2}))}
    assert tuple(rows) == knob_keys()
    assert (rows["fan.cap"].value, rows["fan.cap"].mark, rows["fan.cap"].changes) == (5, "", "settlement")
    assert (rows["table.ties"].value, rows["table.ties"].mark, rows["table.ties"].changes) == (
        "shared",
        "assumed",
        "play",
    )
    assert rows["fan.patterns.pair_wait"].value == "none"
    assert rows["fan.patterns.rob_kong"].mark == ""
    assert all(row.meaning and "Presets:" not in row.meaning for row in rows.values())


@pytest.mark.parametrize(
    ("overrides", "line"),
    [
        ({}, "exchange of 3 (random), cap 3 fan, self-draw +1 point, flower pig 8, no win lock"),
        (
            {
                "exchange.direction": "none",
                "fan.cap": "none",
                "win.self_draw": "add_fan",
                "pass.win_lock": "until_next_draw",
            },
            "no exchange, no cap, self-draw +1 fan, flower pig 8, win lock until the next draw",
        ),
        (
            {"exchange.count": 4, "win.self_draw_points": 2},
            "exchange of 4 (random), cap 3 fan, self-draw +2 points, flower pig 8, no win lock",
        ),
        (
            {"win.self_draw": "none"},
            "exchange of 3 (random), cap 3 fan, no self-draw extra, flower pig 8, no win lock",
        ),
    ],
)
def test_headline(overrides, line):
    assert headline(load_preset("mahjongo", overrides)) == line


def test_diff_lists_the_knobs_that_differ_with_both_values_and_marks():
    assert diff_presets(load_preset("mahjong-planet"), load_preset("mahjongo")) == (
        Difference("void_suit.discard_first", True, False, False, False, False),
        Difference("pass.win_lock", "until_next_draw", "none", True, True, False),
        Difference("pass.pung_lock", True, False, False, True, False),
    )
    assert diff_presets(load_preset("mahjongo"), load_preset("mahjongo")) == ()


def test_values_for_people():
    assert [show_knob_value(value) for value in (True, False, 3, "none")] == ["true", "false", "3", "none"]


def test_nearest_spelling_ignores_case_and_separators():
    assert nearest("MAHJONG planet", ["mahjongo", "mahjong-planet"]) == "mahjong-planet"
    assert nearest("all_pungs_285", ["all_pungs", "all_pungs_258"]) == "all_pungs_258"
    assert nearest("xyzzy", ["left", "right"]) is None
    assert did_you_mean("rihgt", ["left", "right"]) == "; did you mean right?"
    assert did_you_mean("xyzzy", ["left", "right"]) == ""
    assert did_you_mean("xyzzy", []) == ""


def test_words_are_joined_for_a_sentence():
    assert [either("a"), either("ab"), either("abc")] == ["a", "a or b", "a, b or c"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (None, '"none"'),
        ("a\nb\x1b\x7f", '"a\\nb\\u001b\\u007f"'),
        ("牌", '"牌"'),
        ([1, "x", False], '[1, "x", false]'),
        ({}, "{}"),
        ({"a": 1}, "{...}"),
        (10**18, "a very long whole number"),
        (1.5, "1.5"),
        ("x" * 60, f'"{"x" * 56}...'),
    ],
)
def test_values_in_messages(value, shown):
    assert show_value(value) == shown


def test_keys_in_messages():
    assert [show_key("fan.cap"), show_key("a b"), show_key("")] == ["fan.cap", '"a b"', '""']
