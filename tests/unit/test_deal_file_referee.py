"""The referee for deal files: right deals pass, and whatever breaks a rule is found, with its line and the reason."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from deal_files import (
    Event,
    changed,
    corpus,
    deals,
    dropped,
    judge,
    judge_all,
    make,
    parse,
    places,
    rarities,
    read,
    refused,
    without_wall,
    write,
)
from deal_oracle import deserves

from sim.rules import load_preset, preset_digest
from sim.tiles import format_kind, parse_tiles
from sim.tournament.deal_file import EVENTS
from sim.tournament.refereeing import DealReferee

NUMBERS = range(len(corpus()))
NEW = 40
"""Deals played anew."""


# Right deals


def test_the_deals_hold_everything_that_can_happen() -> None:
    found = set().union(*(rarities(events) for events in deals()))
    assert found >= set(EVENTS)
    assert found >= {"added", "concealed", "exposed", "self_draw", "discard", "robbed_kong"}
    assert found >= {"added_kong", "concealed_kong", "exposed_kong", "kong_refund", "kong_transfer"}
    assert found >= {"flower_pig", "not_ready", "discard_win", "robbed_kong_win"}
    assert found >= {"won", "ready", "not_ready", "pig", "two wins by discard", "rob_kong", "kong_discard", "kong_draw"}


def comes_to_something(events: list[Event], place: int) -> bool:
    """Tell whether an event is an answer that shows in what comes of it, so that it need not be written."""
    if events[place]["event"] != "answer":
        return False
    for event in events[place + 1 :]:
        if event["event"] in ("draw", "discard", "exhaustion", "end"):
            return False
        if event["event"] in ("win", "pung", "kong") and event["seat"] == events[place]["seat"]:
            return True
    raise AssertionError


@pytest.mark.parametrize("number", [*NUMBERS, *range(-NEW, 0)])
def test_right_deals_are_right(number: int) -> None:
    events = deals()[number] if number >= 0 else make(-number)
    verdict = judge(events)
    assert verdict.outcome == "right", "\n".join(map(str, verdict.complaints))
    assert verdict.events == events[1:]
    assert verdict.points == tuple(events[-1]["points"])
    assert verdict.ending == ("exhaustion" if places(events, "exhaustion") else "third_win")
    assert verdict.count_wins == len(places(events, "win"))
    assert (verdict.deal_id, verdict.preset) == (events[0]["id"], events[0]["preset"])
    deserves(events, verdict.events)
    # A program that knows less of it writes less.
    known = without_wall(events)
    short = [event for event in known if event["event"] != "answer" or event["decision"] != "turn"]
    short = [event for event in short if event["event"] != "answer" or event["action"] != "pass"]
    bare = [{key: value for key, value in event.items() if key != "could"} for event in short]
    least = [event for place, event in enumerate(bare) if not comes_to_something(bare, place)]
    for less in (known, short, bare, least):
        verdict = judge(less)
        assert verdict.outcome == "right", "\n".join(map(str, verdict.complaints))
        assert verdict.events == events[1:]


def test_what_happens_at_the_same_time_may_stand_in_any_order() -> None:
    lots = random.Random(3)
    for events in deals():
        for name in ("exchange", "void_suit"):
            found = places(events, name)
            if found:
                first, last = found[0], found[-1] + 1
                events[first:last] = lots.sample(events[first:last], last - first)
        place = 0
        while place < len(events):
            end = place
            is_claim = [event["event"] == "answer" and event["decision"] != "turn" for event in events]
            kind = "payment" if events[place]["event"] == "payment" else "claim" if is_claim[place] else ""
            while kind and end < len(events) and (is_claim[end] if kind == "claim" else events[end]["event"] == kind):
                end += 1
            events[place:end] = lots.sample(events[place:end], end - place)
            place = max(end, place + 1)
        assert judge(events).outcome == "right"


def test_tiles_may_be_written_in_any_order_and_with_blanks() -> None:
    events = next(events for events in deals() if places(events, "exchange"))
    for place in places(events, "exchange"):
        for key in ("given", "received"):
            events[place][key] = " ".join(map(format_kind, parse_tiles(events[place][key])[::-1]))
    events[0]["hands"] = [" ".join(map(format_kind, parse_tiles(hand)[::-1])) for hand in events[0]["hands"]]
    assert judge(events).outcome == "right"


def test_a_shipped_preset_needs_no_knobs() -> None:
    events = next(events for events in deals() if events[0]["preset"] == "mahjong-planet")
    del events[0]["knobs"]
    verdict = judge(events)
    assert verdict.outcome == "right"
    assert verdict.digest == preset_digest(load_preset("mahjong-planet"))


def test_several_deals_in_a_file() -> None:
    wrong = dropped(deals()[1], 5)
    found = judge_all(corpus()[0] + write(wrong) + corpus()[2])
    assert [verdict.outcome for verdict in found] == ["right", "wrong", "right"]
    lines = corpus()[0].count("\n")
    assert found[1].line == lines + 1
    assert found[1].complaints[0].line > lines


# The start


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"preset": "my-table", "knobs": ...}, ['no preset "my-table" is shipped', "knobs is needed", "mahjongo"]),
        ({"preset": "x.toml", "knobs": ...}, ['no preset "x.toml" is shipped']),
        ({"knobs": {}}, ["the table is missing"]),
        ({"knobs": {"fan.cap": 3}}, ["missing"]),
        ({"knobs": {"fan.cup": 3}}, ["fan.cup", "did you mean fan.cap?"]),
        ({"knobs": {"fan.cap": 3.0}}, ["fan.cap", "wrong type"]),
        ({"knobs": {"fan": 3}}, ["wrong type"]),
    ],
)
def test_wrong_knobs_are_malformed(fields: dict[str, Any], parts: list[str]) -> None:
    events = deals()[1]
    start = {key: value for key, value in {**events[0], **fields}.items() if value is not ...}
    verdict = judge([start, *events[1:]])
    assert verdict.outcome == "malformed"
    assert verdict.complaints[0].line == 1
    for part in parts:
        assert part in str(verdict.complaints[0])


def test_every_knob_must_be_given() -> None:
    events = deals()[1]
    for key in ("exchange.direction", "kong.added", "pass.win_lock"):
        knobs = {other: value for other, value in events[0]["knobs"].items() if other != key}
        verdict = judge(changed(events, 0, knobs=knobs))
        assert verdict.outcome == "malformed"
        assert key in str(verdict.complaints[0])


def test_knobs_count_and_not_the_name() -> None:
    events = next(e for e in deals() if places(e, "payment", cause="concealed_kong"))
    knobs = {**events[0]["knobs"], "kong.concealed": events[0]["knobs"]["kong.concealed"] + 1}
    assert "wrong payment" in refused(changed(events, 0, knobs=knobs))
    assert judge(changed(events, 0, preset="mahjongo")).outcome == "right"


def test_another_preset_may_be_asked_for() -> None:
    events = next(events for events in deals() if events[0]["preset"] == "mahjong-planet")
    (written,) = read(write(events))
    verdict = DealReferee(load_preset("cardavia-sichuan")).judge(written)
    assert (verdict.outcome, verdict.preset) == ("wrong", "cardavia-sichuan")
    del written.lines[0].event["knobs"]
    written.lines[0].event["preset"] = "unheard-of"
    assert DealReferee(load_preset("mahjong-planet")).judge(written).outcome == "right"
    assert DealReferee().judge(written).outcome == "malformed"


def test_hands_and_wall_must_come_from_the_wall_seed() -> None:
    events = next(events for events in deals() if "wall_seed" in events[0])
    text = refused(
        changed(events, 0, wall_seed=events[0]["wall_seed"] ^ 1), 1, "this wall seed deals seat 0 other tiles"
    )
    assert "leave wall_seed out" in text
    wall = events[0]["wall"].split()
    other = next(place for place in range(55) if wall[place] != wall[0])
    wall[0], wall[other] = wall[other], wall[0]
    refused(changed(events, 0, wall=" ".join(wall)), 1, "shuffles another wall", "tile 1 differs", f"came: {wall[0]}")
    hands = list(events[0]["hands"])
    hands[1], hands[2] = hands[2], hands[1]
    refused(changed(events, 0, hands=hands), 1, "deals seat 1 other tiles")
    alone = {key: value for key, value in events[0].items() if key != "wall"}
    assert judge([alone, *events[1:]]).outcome == "right"
    refused([{**alone, "wall_mode": {"shared": "per_seat", "per_seat": "shared"}[alone["wall_mode"]]}, *events[1:]])


def test_there_are_four_copies_of_each_kind() -> None:
    events = next(events for events in deals() if "wall_seed" not in events[0])
    wall = events[0]["wall"].split()
    wall[-1] = next(tile for tile in wall if tile != wall[-1] and wall.count(tile) < 4)
    refused(changed(events, 0, wall=" ".join(wall)), 1, "hands and wall together", "4 of each kind")


def test_a_fifth_copy_is_found_where_the_wall_is_not_known() -> None:
    found = Counter[bool]()
    for events in map(without_wall, deals()):
        dealt = Counter(kind for hand in events[0]["hands"] for kind in parse_tiles(hand))
        seen = dealt.copy()
        for place in places(events, "draw"):
            full = [kind for kind, count in seen.items() if count == 4]
            kind = next((kind for kind in full if dealt[kind] < 4), full[0] if full else None)
            if kind is not None and found[dealt[kind] < 4] < 10:
                tile = format_kind(kind)
                refused(changed(events, place, tile=tile), place + 1, f"all four {tile} have been dealt or drawn")
                found[dealt[kind] < 4] += 1
            seen[parse_tiles(events[place]["tile"])[0]] += 1
    assert found == {True: 10, False: 10}


def test_the_direction_is_checked() -> None:
    for events in deals():
        if events[0]["knobs"]["exchange.direction"] == "random":
            refused(changed(events, 1, direction="none"), 2, "the preset has an exchange")
            refused(dropped(events, 1), 2, "the exchange direction")
            if "wall_seed" in events[0]:
                other = {"right": "left", "left": "across", "across": "right"}[events[1]["direction"]]
                refused(changed(events, 1, direction=other), 2, "this wall seed draws another direction")
        else:
            other = "across" if events[1]["direction"] == "left" else "left"
            refused(changed(events, 1, direction=other), 2, "direction: wrong direction")


# The end


def test_the_end_is_checked() -> None:
    for events in deals():
        last = len(events) - 1
        points = events[last]["points"]
        refused(
            changed(events, last, points=[points[0] + 1, points[1] - 1, *points[2:]]), last + 1, "end: wrong points"
        )
        refused(dropped(events, last), last, "the deal stops before its end", "the end, with points")
        refused([*events, events[last]], last + 2, "the deal is over")
        for place in places(events, "exhaustion"):
            statuses = events[place]["statuses"]
            for seat, status in enumerate(statuses):
                other = "pig" if status != "pig" else "ready"
                wrong = [*statuses[:seat], other, *statuses[seat + 1 :]]
                refused(changed(events, place, statuses=wrong), place + 1, "exhaustion: wrong statuses")
            refused(dropped(events, place), place + 1, "exhaustion, where seats 0 to 3 are")


def test_a_deal_cannot_stop_anywhere() -> None:
    events = deals()[3]
    for length in range(1, len(events)):
        refused(events[:length])


def test_all_wrong_figures_of_a_deal_are_named() -> None:
    events = next(events for events in deals() if len(places(events, "payment")) > 5)
    found = places(events, "payment")
    for place in found:
        events[place]["amount"] += 1
    verdict = judge(events)
    assert [complaint.line for complaint in verdict.complaints] == [place + 1 for place in found]


def test_a_referee_remembers_nothing_of_the_deal_before() -> None:
    one, other = corpus()[0], write(dropped(parse(corpus()[5]), 9))
    alone = [judge(one), judge(other)]
    together = judge_all(one + other + one)
    assert together[0].events == together[2].events == alone[0].events
    assert [c.reason for c in together[1].complaints] == [c.reason for c in alone[1].complaints]
