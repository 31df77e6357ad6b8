"""Habits counted from a deal told by hand."""

from __future__ import annotations

from typing import Any

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
