"""Moves in deal files: whatever no player may do, and whatever does not follow from what they did, is found."""

from __future__ import annotations

import random

import pytest
from deal_files import (
    Event,
    changed,
    deals,
    dropped,
    inserted,
    judge,
    places,
    refused,
)

from sim.tiles import format_kind, parse_tiles
from sim.tournament.deal_file import name_points


def test_the_exchange_is_checked() -> None:
    events = next(events for events in deals() if len(places(events, "exchange", seat=0)) == 1)
    first = places(events, "exchange")[0]
    hand = parse_tiles(events[0]["hands"][0])
    count = events[0]["knobs"]["exchange.count"]
    absent = next(kind for kind in range(27) if kind not in hand)
    absent_tiles = f"{absent % 9 + 1}" * count + "mps"[absent // 9]
    refused(changed(events, first, given=absent_tiles), first + 1, "seat 0 cannot give")
    refused(changed(events, first, given="12m" if count != 2 else "123m"), first + 1, f"{count} tiles of one suit")
    refused(dropped(events, first), None)
    refused(inserted(events, first, events[first]), first + 2, "has chosen already, in line")
    other = "1" * count + "m" if parse_tiles(events[first]["received"])[0] else "2" * count + "m"
    refused(changed(events, first, received=other), first + 1, "other tiles were received")


def test_the_void_suits_are_checked() -> None:
    events = deals()[0]
    first = places(events, "void_suit")[0]
    refused(dropped(events, first), None, "the event void_suit of seat 0")
    refused(inserted(events, first, events[first]), first + 2, "seat 0 has chosen already")
    refused(changed(events, first, seat=2), first + 3)


def test_draws_are_checked() -> None:
    for events in deals():
        for place in places(events, "draw")[::19]:
            event = events[place]
            other = format_kind((parse_tiles(event["tile"])[0] + 1) % 27)
            refused(changed(events, place, tile=other), place + 1, "another tile lies next in the wall")
            refused(changed(events, place, seat=(event["seat"] + 1) % 4), place + 1, "draw: wrong seat")
            refused(changed(events, place, replacement=not event["replacement"]), place + 1, "wrong replacement")
            refused(inserted(events, place, event), place + 2)
            refused(dropped(events, place), place + 1, f"allowed: seat {event['seat']} draws")


def test_turns_are_checked() -> None:
    events = next(events for events in deals() if len(places(events, "discard")) > 20)
    place = places(events, "discard")[10]
    seat = events[place]["seat"]
    assert f"it is the turn of seat {seat}" in refused(changed(events, place, seat=(seat + 1) % 4), place + 1)
    win = {"event": "win", "seat": seat, "form": "self_draw", "tile": "1m", "from": None, "patterns": {}}
    refused(inserted(events, place, {**win, "fan": 0, "value": 1}), place + 1, "came: seat")
    kong = {"event": "kong", "seat": seat, "tile": "1m", "form": "concealed", "from": None}
    refused(inserted(events, place, kong), place + 1, "1m")
    refused(inserted(events, place, {"event": "robbed", "seat": seat, "tile": "1m"}), place + 1, "1m")
    refused(inserted(events, place, {"event": "pung", "seat": seat, "tile": "1m", "from": 0}), place + 1, "a turn is")
    refused(events[:place], place, "the deal stops before its end", f"seat {seat} may")


def test_discards_of_tiles_that_are_not_held_are_found() -> None:
    lots = random.Random(4)
    for events in deals():
        place = lots.choice(places(events, "discard"))
        verdict = judge(changed(events, place, tile=format_kind(lots.randrange(27))))
        if verdict.outcome == "wrong":
            first = verdict.complaints[0]
            assert first.line >= place + 1
            if first.line == place + 1:
                assert "holds no" in first.reason or "void suit go first" in first.reason or "otherwise" in first.reason


def test_the_void_suit_goes_first() -> None:
    found = 0
    for events in deals():
        if not events[0]["knobs"]["void_suit.discard_first"] or found > 5:
            continue
        void = events[places(events, "void_suit", seat=0)[0]]["suit"]
        first = places(events, "discard", seat=0)[0]
        if places(events, "exchange") or events[first]["tile"][1] != void or events[first - 1]["event"] != "void_suit":
            continue
        held = [format_kind(kind) for kind in parse_tiles(events[0]["hands"][0])]
        other = next((tile for tile in held if tile[1] != void), None)
        if other is not None:
            refused(changed(events, first, tile=other), first + 1, "tiles of the void suit go first, and seat 0 holds")
            found += 1
    assert found


PAYMENTS = [(n, p) for n, events in enumerate(deals()) for p in places(events, "payment")]


@pytest.mark.parametrize("turn", range(4))
def test_any_wrong_payment_is_found(turn: int) -> None:
    """A wrong amount of any single payment of the kept deals is refused."""
    for number, place in PAYMENTS[turn::4]:
        events = deals()[number]
        amount = events[place]["amount"]
        came, due = name_points(amount + 1), name_points(amount)
        refused(changed(events, place, amount=amount + 1), None, "wrong payment", f"pays {came} to", f"pays {due} to")


@pytest.mark.parametrize("turn", range(4))
def test_payments_are_complete(turn: int) -> None:
    lots = random.Random(turn)
    for number, place in lots.sample(PAYMENTS, 20):
        events = deals()[number]
        event = events[place]
        refused(dropped(events, place), None, "a payment is missing after this line")
        refused(inserted(events, place, event), None, "no such payment is due")
        refused(changed(events, place, payer=event["payee"], payee=event["payer"]), None, "payment")
        others = [cause for cause in ("self_draw", "discard_win", "kong_refund") if cause != event["cause"]]
        refused(changed(events, place, cause=others[0]), None, "payment")
        refused(inserted(events, lots.randrange(2, len(events)), event), None)


def test_wins_are_checked() -> None:
    for events in deals():
        for place in places(events, "win")[:2]:
            event = events[place]
            line = place + 1
            refused(changed(events, place, fan=event["fan"] + 1), line, "win: wrong fan")
            refused(changed(events, place, value=event["value"] * 2), line, "win: wrong value")
            refused(changed(events, place, patterns={**event["patterns"], "chicken": 1}), line, "win: wrong patterns")
            tile = "1m" if event["tile"] != "1m" else "2m"
            refused(changed(events, place, tile=tile), line, "wrong tile")
            refused(changed(events, place, seat=(event["seat"] + 1) % 4), None)
            refused(changed(events, place, **{"from": 0 if event["from"] is None else None}), None)
            refused(dropped(events, place))


def test_a_win_that_is_not_there_is_refused_with_the_reason() -> None:
    reasons = ""
    for events in deals():
        for place in places(events, "discard")[::5]:
            event = events[place]
            seat = (event["seat"] + 2) % 4
            win = {"event": "win", "seat": seat, "form": "discard", "tile": event["tile"], "from": event["seat"]}
            if events[place + 1]["event"] != "answer":
                new = {**win, "patterns": {}, "fan": 0, "value": 1}
                reasons += refused(inserted(events, place + 1, new), place + 2)
    assert "does not complete the hand" in reasons
    assert "it is not ready" in reasons
    assert "it waits for" in reasons
    assert "holds" in reasons
    assert "has won and is out of play" in reasons


def test_a_pung_that_is_not_there_is_refused_with_the_reason() -> None:
    reasons = ""
    for events in deals():
        for place in places(events, "discard")[::11]:
            event = events[place]
            for form in ("pung", "exposed"):
                seat = (event["seat"] + 1 + place % 3) % 4
                new: Event = {"event": "pung", "seat": seat, "tile": event["tile"], "from": event["seat"]}
                if form == "exposed":
                    new |= {"event": "kong", "form": "exposed"}
                if events[place + 1]["event"] not in ("answer", "pung", "kong"):
                    reasons += refused(inserted(events, place + 1, new), place + 2)
    assert "and a pung needs two" in reasons
    assert "and an exposed kong needs three" in reasons
    assert "is of the void suit of seat" in reasons
    assert "no pung and no kong while not cleared" in reasons
    assert "cannot claim its own tile" not in reasons


def test_robbed_kongs_are_checked() -> None:
    robberies = [events for events in deals() if places(events, "robbed")]
    assert len(robberies) > 2
    for events in robberies:
        place = places(events, "robbed")[0]
        seat, tile = events[place]["seat"], events[place]["tile"]
        refused(dropped(events, place), place + 1)
        refused(changed(events, place, seat=(seat + 1) % 4))
        kong = {"event": "kong", "seat": seat, "tile": tile, "form": "added", "from": None}
        refused([*events[:place], kong, *events[place + 1 :]])
        refused(inserted(events, place, kong))
        refused(dropped(events, places(events, "win", form="robbed_kong")[0]))


def test_an_added_kong_that_nobody_robs_cannot_be_robbed() -> None:
    found = ""
    for events in deals():
        for place in places(events, "kong", form="added"):
            seat, tile = events[place]["seat"], events[place]["tile"]
            robber = next(other for other in range(4) if other != seat)
            win = {"event": "win", "seat": robber, "form": "robbed_kong", "tile": tile, "from": seat}
            robbed = {"event": "robbed", "seat": seat, "tile": tile}
            new = {**win, "patterns": {}, "fan": 0, "value": 1}
            if events[place - 1]["event"] == "answer" and events[place - 1]["decision"] == "rob":
                continue
            found += refused([*events[:place], robbed, new, *events[place + 1 :]], place + 1)
    assert "does not complete the hand" in found or "while not cleared" in found


def test_answers_are_checked() -> None:
    found = ""
    for events in deals():
        for place in places(events, "answer", action="pass")[:2]:
            event = events[place]
            claim = event["could"][0]
            refused(changed(events, place, action=claim), None)
            refused(inserted(events, place, event), place + 2, "has answered already, in line")
            refused(changed(events, place, could=[]), place + 1, "could do other things")
            found += refused(changed(events, place, seat=(event["seat"] + 1) % 4), None)
            illegal = next(word for word in ("win", "pung", "discard 1m") if word not in event["could"])
            refused(changed(events, place, action=illegal), place + 1)
        for place in places(events, "answer", decision="turn")[:2]:
            event = events[place]
            refused(changed(events, place, action="pass"), place + 1, "a turn cannot be passed")
            refused(changed(events, place, seat=(event["seat"] + 1) % 4), place + 1)
            other = "discard 1m" if event["action"] != "discard 1m" else "discard 2m"
            refused(changed(events, place, action=other), None)
    assert "can claim nothing in this claim decision" in found


def test_an_answer_and_what_comes_of_it_must_agree() -> None:
    found = 0
    for events in deals():
        for place in places(events, "pung"):
            seat = events[place]["seat"]
            for said in places(events[:place], "answer", seat=seat, action="pung")[-1:]:
                refused(changed(events, said, action="pass"), place + 1, f"seat {seat} has answered otherwise")
                found += 1
    assert found > 10


def test_locks_hold() -> None:
    """Who passed a win or a pung cannot claim it again before the own next draw."""
    texts = ""
    for events in deals():
        knobs = events[0]["knobs"]
        for lock, value in (("pass.win_lock", "until_next_draw"), ("pass.pung_lock", True)):
            if knobs[lock] != value:
                texts += "\n".join(map(str, judge(changed(events, 0, knobs={**knobs, lock: value})).complaints))
    assert "has passed a win since its last draw" in texts
    assert "has passed a pung of" in texts
