"""The golden machinery itself: clear errors for files that are wrong, and cases that fail when they should."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.golden.cases import (
    DEAL_EXPECTED,
    DEAL_GIVEN,
    HAND_EXPECTED,
    HAND_GIVEN,
    Case,
    load_cases,
    read_cases,
    read_payments,
)
from tests.golden.engines import ENGINES
from tests.golden.play import check_deal, check_hand
from tests.golden.stack import GoldenError, stack_wall
from tests.reference.scripts import counts

if TYPE_CHECKING:
    from pathlib import Path

HEAD = '[[case]]\nname = "n"\nrule = "4.next: next"\npreset = "mahjong-planet"\n'
FOUR = 'hands = ["5p*", "123456789m 46p 99p", "*", "*"]\nvoid = "psmm"\n'


def hand_case(text: str) -> Case:
    return read_cases(HEAD + text, "f.toml", HAND_GIVEN, HAND_EXPECTED)[0]


def deal_case(text: str, four: str = FOUR) -> Case:
    return read_cases(HEAD + four + text, "f.toml", DEAL_GIVEN, DEAL_EXPECTED)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = ", "f.toml"),
        ("[other]\n", "unknown other"),
        (HEAD + 'hnads = "1m"\n', "did you mean 'hands'"),
        (HEAD.replace('name = "n"\n', ""), "no 'name'"),
        (HEAD.replace("4.next: next", "next"), "KEY: the sentence"),
    ],
)
def test_a_file_that_is_wrong_says_where(text: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        read_cases(text, "f.toml", DEAL_GIVEN, DEAL_EXPECTED)


def test_two_cases_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hands-a.toml").write_text(HEAD + HEAD, encoding="utf-8")
    with pytest.raises(GoldenError, match="same name"):
        load_cases("hands-*.toml", HAND_GIVEN, HAND_EXPECTED, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('hand = "123m"\nready = true', "3 tiles"),
        ('hand = "11111m23456789p"\nready = true', "a fifth 1m"),
        ('hand = "11m 23456789p"\nmelds = ["exposed kong 1m"]\nready = true', "a fifth 1m"),
        ('hand = "123m 456m 789m 1p"\nmelds = ["chow 1m"]\nready = true', "meld 'chow 1m'"),
        ('hand = "123m 456p 789s 1122m"\nready = true', "needs 'void'"),
        ('hand = "123456789m 46p 99p"\nwin = "5p"\nsituation = ["moon"]\nvalue = 1', "situation 'moon'"),
        ('hand = "123456789m 46p 99p"', "nothing is expected"),
        ('hand = "123456789m 46p 99p"\nset = { "fan.cpa" = 1 }\nready = true', "fan.cap"),
    ],
)
def test_a_hand_that_is_wrong_says_why(text: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        check_hand(hand_case(text), "mahjong-planet", "fast")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "expected",
    [
        "ready = false",
        'waits = "5p6p"',
        "value = 2",
        "fan = 1",
        "patterns = { root = 1 }",
        "highest_value = 2",
        "complete = false",
    ],
)
def test_a_wrong_expectation_of_a_hand_fails(expected: str, engine: str) -> None:
    case = hand_case(f'hand = "123456789m 46p 99p"\nwin = "5p"\n{expected}')
    with pytest.raises(AssertionError, match=expected.partition(" ")[0]):
        check_hand(case, "mahjong-planet", engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('moves = "0 discards 4p"', "step 5, '0 discards 4p': seat 0 may not discard 4p.*legal: discard 1p"),
        ('moves = "0 discards 5p; 1 pungs"', "seat 1 may not pung.*legal: pass, win"),
        ('moves = "0 discards 5p; 2 passes"', "seat 2 has nothing to decide"),
        ('moves = "0 discards 5p; 1 may win"', "it is \\['pass', 'win'\\]"),
        ('moves = "0 discards 5p; 1 may not win"', "it is accepted"),
        ('moves = "0 discards 5p; asked to claim: 2"', "it is {1: 'claim'}"),
        ('moves = "0 discards 5p; 1 wins; points 0 0 0 0"', "it is -1 1 0 0"),
        ('moves = "0 discards 5p; others pass; 1 drew 5p"', "it is \\(1, "),
        ('moves = "the deal is over"', "it is {0: 'turn'}"),
        ('moves = "others pass"', "nobody can pass"),
        ('moves = "0 discards 5p; 1 wins"\npayments = ["discard_win 2: 0 -> 1"]', "payments: expected"),
        ('moves = "0 discards 5p; 1 wins"\npayments = []', "payments: expected"),
        ('moves = "0 discards 5p; 1 wins"\npoints = [0, 0, 0, 0]', "points: expected"),
        ('moves = "0 discards 5p; 1 wins"\nwins = []', "wins: expected"),
        ('moves = "0 discards 5p; 1 wins"\nstatuses = ["pig", "won", "pig", "pig"]', "statuses: expected"),
        ('moves = "0 discards 5p; 1 wins"\nkongs = ["0 added 5p"]', "kongs: expected"),
    ],
)
def test_a_wrong_step_or_expectation_of_a_deal_fails(text: str, message: str, engine: str) -> None:
    text = text.replace('moves = "', 'draws = "9s"\nmoves = "')
    with pytest.raises(AssertionError, match=message):
        check_deal(deal_case(text), "mahjong-planet", engine)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('moves = "0 throws 5p"', "no move and no check"),
        ('moves = "0 discards 5z"', "no move and no check"),
        ('moves = "0 discards 55p"', "2 tiles in '55p'"),
        ('moves = "0 may jump"', "'jump' is no choice"),
        ('direction = "left"', "only for presets that draw it"),
        ('exchange = "moves"', "needs 'direction'"),
        ('draws = "5555p"', "draws: a fifth 5p"),
        ('moves = ""\npayments = ["a win 1: 0 -> 1"]', "CAUSE POINTS"),
        ('moves = ""\nwins = [{ seat = 1 }]', "it has seat, by"),
    ],
)
def test_a_deal_that_is_wrong_says_why(text: str, message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        check_deal(deal_case(text), "mahjong-planet", "fast")


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (["1m", "*", "*", "*"], "hand of seat 0: 1 tiles"),
        (["*", "12345678912345m", "*", "*"], "hand of seat 1: 14 tiles"),
        (["*", "11111m*", "*", "*"], "hand of seat 1: a fifth 1m"),
        (["*", "1x*", "*", "*"], "hand of seat 1: unknown character"),
    ],
)
def test_hands_that_cannot_be_dealt_say_why(hands: list[str], message: str) -> None:
    with pytest.raises(GoldenError, match=message):
        stack_wall(hands)


def test_a_queue_has_only_so_many_places() -> None:
    with pytest.raises(GoldenError, match="queue of seat 0: 14 tiles"):
        stack_wall(["*", "*", "*", "*"], queues=["111222333444m ... 55m", "", "", ""])


def test_a_wall_deals_what_is_written() -> None:
    wall = stack_wall(["5p*", "123456789m 46p 99p", "*", "*"], "9s", "1s 2s", "3s")
    assert sorted(wall) == sorted(list(range(27)) * 4)
    assert [wall[13:26].count(kind) for kind in range(27)] == counts("123456789m46p99p")
    assert (wall[53], wall[107], wall[106], wall[105]) == (26, 18, 19, 20)
    for first in (0, 26, 39):  # filled hands hold all suits
        assert {kind // 9 for kind in wall[first : first + 13]} == {0, 1, 2}


def test_payments_for_one_cause_may_be_written_in_any_order() -> None:
    assert read_payments(["self_draw 2: 3 -> 0", "self_draw 2: 1, 2 -> 0"], "here") == [
        ("self_draw", 1, 0, 2),
        ("self_draw", 2, 0, 2),
        ("self_draw", 3, 0, 2),
    ]
    first = read_payments(["self_draw 2: 3 -> 0", "flower_pig 8: 1 -> 0"], "here")
    second = read_payments(["flower_pig 8: 1 -> 0", "self_draw 2: 3 -> 0"], "here")
    assert first != second
