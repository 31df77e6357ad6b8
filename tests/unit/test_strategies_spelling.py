"""Corners of what is said about a strategy's file: spellings, lines, numbers and answers."""

from __future__ import annotations

import ast

import pytest

from sim.engine.sichuan.illegal import _in_words
from sim.engine.sichuan.table import KONG_ACTION, WIN_ACTION
from strategies.diagnosis import _number_of, show_answer
from strategies.spelling import find_misspelt, line_of_name


class Unshowable:
    def __repr__(self) -> str:
        raise ValueError("no words")


def test_an_answer_that_cannot_be_written_is_named_by_its_type():
    assert show_answer(Unshowable()) == "a Unshowable"
    assert show_answer("x" * 1000).endswith("...")


@pytest.mark.parametrize(
    ("text", "number"),
    [("2**70", 2**70), ("1 << 62", 1 << 62), ("2 ** 10**6", None), ("1 << -1", None), ("x + 1", None)],
)
def test_numbers_are_reckoned_as_far_as_they_are_short(text, number):
    assert _number_of(ast.parse(text, mode="eval").body) == number


def test_actions_in_words():
    assert [_in_words(action) for action in (4, KONG_ACTION + 4, WIN_ACTION, 31)] == [
        " (5m)",
        " (kong 5m)",
        " (win)",
        "",
    ]


def test_names_that_are_near_are_misspelt_and_others_are_not(tmp_path):
    path = tmp_path / "mine.py"
    near = "def chose_turn(hand, table, rules, lookup):\n    return 0\n"
    far = "def weigh(hand):\n    return 0\n"
    assert "did you mean 'choose_turn'" in find_misspelt(path, ast.parse(far + near))
    assert find_misspelt(path, ast.parse(far)) == ""


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("a = 1\nb = 2\n", "b", ":2"),
        ("a: int = 1\n", "a", ":1"),
        ("def f():\n    pass\n", "a", ""),
        ("a = 1\n", "b", ""),
    ],
)
def test_the_line_of_a_global(tmp_path, text, name, line):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    assert line_of_name(path, name) == line
