"""Habits counted from a deal told by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.statistics.habit_blocks import HabitBlocks
from sim.statistics.habits import Habits

START = {
    "event": "deal",
    "strategies": ["me", "you", "you", "me"],
    "hands": ["1123456789m123p4s", "1234567m123456s", "1234567p123456s", "123456789m1234p"],
}


def told(*events: dict[str, Any]) -> Habits:
    void_suits = [{"event": "void_suit", "seat": seat, "suit": suit} for seat, suit in enumerate("pmms")]
    exchange = [
        {"event": "exchange", "seat": 0, "given": "123p", "received": "567s"},
        {"event": "exchange", "seat": 1, "given": "123m", "received": "123p"},
        {"event": "exchange", "seat": 2, "given": "567p", "received": "112m"},
        {"event": "exchange", "seat": 3, "given": "123m", "received": "567p"},
    ]
    habits = Habits()
    habits.add([START, *exchange, *void_suits, *events], "me")
    return habits


def test_exchange_and_void_suit() -> None:
    found = told()
    assert found.deals == found.exchanges == 2
    assert (found.given_void, found.given_all, found.given_pair) == (1, 1, 0)
    assert dict(found.void_suits) == {"p": 1, "s": 1}
    assert dict(found.void_held) == {0: 2}
    assert found.void_fewest == 2


def test_a_discard_stands_in_every_class_with_what_it_cost() -> None:
    found = told(
        {"event": "discard", "seat": 0, "tile": "9m"},
        {"event": "win", "seat": 1, "form": "discard", "from": 0},
        {"event": "payment", "cause": "discard_win", "payer": 0, "payee": 1, "amount": 4},
        {"event": "win", "seat": 2, "form": "discard", "from": 0},
        {"event": "payment", "cause": "discard_win", "payer": 0, "payee": 2, "amount": 2},
        {"event": "discard", "seat": 3, "tile": "5s"},
        {"event": "payment", "cause": "flower_pig", "payer": 3, "payee": 2, "amount": 8},
    )
    assert found.all_discards.discards == 2
    for group, label in (("by_turn", "1 to 4"), ("by_rank", "1 9"), ("by_own", "other suits")):
        risk = getattr(found, group)[label]
        assert (risk.dealt_in, risk.wins, risk.points) == (1, 2, 6)
    assert found.by_void["two of them"].points == 6  # seats 1 and 2 have m void, and seat 3 has not
    assert found.by_void["none of them"].discards == 1  # only seat 0 is left, and its void suit is p
    assert found.by_own["own void suit"].discards == 1


def test_others_are_not_counted() -> None:
    found = told(
        {"event": "discard", "seat": 1, "tile": "9m"},
        {"event": "win", "seat": 0, "form": "discard", "from": 1},
        {"event": "payment", "cause": "discard_win", "payer": 1, "payee": 0, "amount": 4},
        {"event": "answer", "seat": 1, "decision": "claim", "action": "pung", "could": ["pung"]},
    )
    assert found.all_discards.discards == 0
    assert found.calls["pung"].could == 0


def test_calls_that_a_higher_one_stood_before_are_not_missed() -> None:
    found = told(
        {"event": "answer", "seat": 0, "decision": "claim", "action": "win", "could": ["win", "pung", "kong 9m"]},
        {"event": "answer", "seat": 0, "decision": "claim", "action": "pung", "could": ["pung", "kong 9m"]},
        {"event": "answer", "seat": 3, "decision": "claim", "action": "pass", "could": ["pung"]},
        {"event": "answer", "seat": 3, "decision": "turn", "action": "kong 4s", "could": ["kong 4s"]},
        {"event": "answer", "seat": 3, "decision": "turn", "action": "discard 4s", "could": ["win", "kong 5s"]},
        {"event": "answer", "seat": 3, "decision": "rob", "action": "pass", "could": ["win"]},
        {"event": "exhaustion", "statuses": ["pig", "pig", "ready", "not_ready"]},
    )
    assert {name: (item.could, item.did) for name, item in found.calls.items()} == {
        "self-drawn win": (1, 0),
        "win on a discard": (1, 1),
        "win by robbing": (1, 0),
        "pung": (2, 1),
        "exposed kong": (1, 0),
        "own kong": (2, 1),
    }
    assert found.pigs == 1


def discards(*tiles: str, won: int = 0) -> list[dict[str, Any]]:
    """Let seat 0 discard, and the first of these tiles be won on."""
    events: list[dict[str, Any]] = []
    for number, tile in enumerate(tiles):
        events.append({"event": "discard", "seat": 0, "tile": tile})
        if number < won:
            events.append({"event": "win", "seat": 1 + number, "form": "discard", "from": 0})
            events.append({"event": "payment", "cause": "discard_win", "payer": 0, "payee": 1, "amount": 3})
    return events


def test_intervals_have_the_wall_as_their_unit() -> None:
    blocks = HabitBlocks()
    one, other = [1, 0, 2, 0], [3, 1, 4, 2]
    for won, count in zip(one, other, strict=True):
        blocks.add(told(*discards(*["9m", "1p", "5s", "9m"][:count], won=won)))
    rate = blocks.estimate("rate", "all", "all")
    ratio = sum(one) / sum(other)
    residuals = np.array(one) - ratio * np.array(other)
    error = np.sqrt(4 / 3 * (residuals**2).sum()) / sum(other)
    assert (rate.numerator, rate.denominator, rate.blocks) == (3, 10, 4)
    assert rate.value == ratio
    assert rate.half_width == pytest.approx(stats.t.ppf(0.975, 3) * error)
    cost = blocks.estimate("cost", "all", "all")
    assert cost.value == pytest.approx(100 * 3 * 3 / 10)
    assert blocks.estimate("void suit", "held").value == 0
    assert blocks.estimate("call", "pung").value is None
    assert blocks.estimate("exchange", "void").half_width is None  # all walls alike: no width is no certainty


def test_a_share_of_0_or_1_has_an_interval_all_the_same() -> None:
    blocks = HabitBlocks()
    for _ in range(17):
        blocks.add(told(*discards("9m", "1p", "5s")))  # 51 discards, none won on
    assert blocks.estimate("rate", "all", "all").half_width is None
    low, high = blocks.bounds("rate", "all", "all") or (None, None)
    assert low == 0
    assert high == pytest.approx(stats.binomtest(0, 51).proportion_ci(method="exact").high)
    assert high == pytest.approx(0.06976, abs=1e-4)
    low, high = blocks.bounds("void suit", "fewest") or (None, None)
    assert (low, high) == (pytest.approx(0.025 ** (1 / 34)), 1)
    assert blocks.bounds("cost", "all", "all") is None  # no share
    assert blocks.bounds("void suit", "held") is None
    assert blocks.bounds("call", "pung") is None  # nothing counted
    assert blocks.bounds("exchange", "void") is None  # half of them


def test_blocks_add_up_to_all_deals() -> None:
    events = [discards("9m", "1p", won=1), discards("5s"), discards("2p", "2p", "2p", won=2)]
    blocks, together = HabitBlocks(), Habits()
    for part in events:
        blocks.add(told(*part))
        together.merge(told(*part))
    assert blocks.habits == together
    assert together.deals == 6
    assert dict(together.void_suits) == {"p": 3, "s": 3}
    assert {label: risk.discards for label, risk in together.by_kind.items() if risk.discards} == {
        "9m": 1,
        "1p": 1,
        "5s": 1,
        "2p": 3,
    }


def test_the_riskiest_discards_of_a_situation() -> None:
    blocks = HabitBlocks()
    blocks.add(told(*discards("9m", "5m", won=1)))
    blocks.add(told(*discards("2m", "1m", "5m", won=1)))
    found = blocks.riskiest("turn, 1 to 4", ("1 9", "2 8", "5", "4 6"), least=1)
    assert [(label, rate.numerator, rate.denominator) for label, rate in found] == [
        ("2 8", 1, 1),
        ("1 9", 1, 2),
        ("5", 0, 2),
    ]
    assert [label for label, _ in blocks.riskiest("turn, 1 to 4", ("1 9", "2 8", "5"), least=2)] == ["1 9", "5"]
    assert blocks.riskiest("void, two of them", ("1 9",), least=1)[0][1].denominator == 1  # a winner is no opponent
