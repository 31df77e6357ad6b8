"""Deals in steps, and the page that shows them."""

from __future__ import annotations

import json
import re

import pytest

from reports.steps import make_steps
from reports.tiles import draw_symbols, name_kind
from reports.viewer import show_deal
from sim.rules import load_preset
from sim.tiles import KINDS, format_kind, parse_tile
from sim.tournament.replay import replay_deal
from strategies.registry import load_strategy


@pytest.fixture(scope="module", params=(17, 19, 21, 22))
def events(request):
    line_up = [load_strategy(name) for name in ("value", "ukeire", "shanten", "random")]
    return replay_deal(load_preset("mahjong-planet"), line_up, request.param).events


def held_by(seat):
    tiles = [*seat["hand"], *([seat["drawn"]] if seat["drawn"] else [])]
    return tiles + [tile for meld in seat["melds"] for tile in meld["tiles"]]


def test_every_tile_is_somewhere_once(events):
    deal = make_steps(events)
    for step in deal.steps:
        seen = [tile for seat in step.seats for tile in held_by(seat)]
        seen += [discard["tile"] for seat in step.seats for discard in seat["discards"] if not discard["taken"]]
        taken = [d for seat in step.seats for d in seat["discards"] if d["taken"] == "win"]
        if step.event not in ("pung", "kong", "robbed", "exchange"):  # in which tiles are on their way
            assert all(seen.count(format_kind(kind)) <= 4 for kind in range(KINDS))
            on_tile = {seat["won_on"] for seat in step.seats if "robbed" in seat["state"]}
            assert len(seen) + len(taken) + step.left + len(on_tile) == 108


def test_every_step_says_something(events):
    assert any(event["event"] == "answer" and event["decision"] == "turn" for event in events)
    deal = make_steps(events)
    assert all(step.words and all(step.words) for step in deal.steps)
    told = [event["event"] for event in events if event["event"] not in ("payment", "answer")]
    assert [step.event for step in deal.steps if step.event != "answer"] == told


def test_a_claim_names_its_tile(events):
    claimed = [event for event in events if event["event"] in ("pung", "win") and event.get("from") is not None]
    words = [line for step in make_steps(events).steps for line in step.words]
    assert claimed
    for event in claimed:
        what = "pung" if event["event"] == "pung" else "win"
        start = f"seat {event['seat']} ("
        claim = f"claims: {what} {event['tile']}"
        assert any(line.startswith(start) and claim in line for line in words)


def test_points_grow_with_the_ledger_to_what_the_deal_ends_with(events):
    deal = make_steps(events)
    for step in deal.steps:
        points = [0] * 4
        for line in deal.ledger[: step.paid]:
            points[line["payer"]] -= line["amount"]
            points[line["payee"]] += line["amount"]
        assert [seat["points"] for seat in step.seats] == points
    assert [seat["points"] for seat in deal.steps[-1].seats] == deal.points == events[-1]["points"]


def test_whoever_wins_on_a_discard_waited_for_it(events):
    deal = make_steps(events)
    wins = [event for event in events if event["event"] == "win" and event["form"] == "discard"]
    for event in wins:
        before = next(
            deal.steps[place - 1]
            for place, step in enumerate(deal.steps)
            if step.event == "win" and step.seat == event["seat"]
        )
        assert event["tile"] in before.seats[event["seat"]]["waits"]


def test_a_page_is_the_same_each_time_and_needs_nothing_from_elsewhere(events):
    page = show_deal(events)
    assert page == show_deal(events)
    assert "seat 0 has place 1, seat 1 has place 0, seat 2 has place 2, seat 3 has place 3 of the line-up" in show_deal(
        [events[0] | {"seating": [1, 0, 2, 3]}, *events[1:]]
    )
    assert not re.search(r"(?:src|href)=[\"'](?!#|data:)", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    found = re.search(r'<script type="application/json" id="deal">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert len(data["steps"]) == page.count("<li>")


def test_names_cannot_break_out_of_a_page(events):
    start = {**events[0], "strategies": ["<script>alert(1)</script>", "</script>", '"><b>', "麻将"]}
    page = show_deal([start, *events[1:]])
    assert "<script>alert" not in page
    assert page.count("</script>") == page.count("<script")
    assert "麻将" in page


def test_each_kind_has_a_drawing_of_its_own():
    symbols = dict(re.findall(r'<symbol id="tile-(\w+)"[^>]*>(.*?)</symbol>', draw_symbols()))
    assert {parse_tile(name) for name in symbols if name != "back"} == set(range(KINDS))
    assert len(set(symbols.values())) == KINDS + 1
    assert [name_kind(kind) for kind in (0, 17, 26)] == ["1 characters", "9 circles", "9 bamboo"]
