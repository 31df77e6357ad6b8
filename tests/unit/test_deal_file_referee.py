"""The referee for deal files: right deals pass, and whatever breaks a rule is found, with its line and the reason."""

from __future__ import annotations

import random
from typing import Any

import pytest
from deal_files import Event, corpus, deals, judge, judge_all, make, parse, places, rarities, read, without_wall, write
from deal_oracle import deserves

from sim.rules import load_preset, preset_digest
from sim.tiles import format_kind, parse_tiles
from sim.tournament.deal_file import EVENTS
from sim.tournament.refereeing import DealReferee

NUMBERS = range(len(corpus()))
NEW = 40
"""Deals played anew."""


def refused(events: list[Event], line: int | None = None, *parts: str) -> str:
    """Check that a deal is against the rules, from a line on, for a reason."""
    verdict = judge(events)
    assert verdict.outcome == "wrong", "the referee has seen nothing wrong"
    text = "\n".join(map(str, verdict.complaints))
    if line is not None:
        assert verdict.complaints[0].line == line, text
    for part in parts:
        assert part in text
    assert verdict.points is None
    assert verdict.ending is None
    return text


def changed(events: list[Event], place: int, **fields: object) -> list[Event]:
    """Return a deal with fields of one event changed."""
    return [*events[:place], {**events[place], **fields}, *events[place + 1 :]]


def dropped(events: list[Event], place: int) -> list[Event]:
    """Return a deal without one of its events."""
    return [*events[:place], *events[place + 1 :]]


def inserted(events: list[Event], place: int, *new: Event) -> list[Event]:
    """Return a deal with events put in before a place."""
    return [*events[:place], *new, *events[place:]]


# Right deals


def test_the_deals_hold_everything_that_can_happen() -> None:
    found = set().union(*(rarities(events) for events in deals()))
    assert found >= set(EVENTS)
    assert found >= {"added", "concealed", "exposed", "self_draw", "discard", "robbed_kong"}
    assert found >= {"added_kong", "concealed_kong", "exposed_kong", "kong_refund", "kong_transfer"}
    assert found >= {"flower_pig", "not_ready", "discard_win", "robbed_kong_win"}
    assert found >= {"won", "ready", "not_ready", "pig", "two wins by discard", "rob_kong", "kong_discard", "kong_draw"}


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
    for less in (known, short, bare):
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
    found = 0
    for events in map(without_wall, deals()):
        hands = "".join(" ".join(map(format_kind, parse_tiles(hand))) + " " for hand in events[0]["hands"]).split()
        seen = hands + [events[place]["tile"] for place in places(events, "draw")]
        full = sorted({tile for tile in hands if hands.count(tile) == 4} & set(seen))
        if full and places(events, "draw"):
            place = places(events, "draw")[0]
            refused(changed(events, place, tile=full[0]), place + 1, f"all four {full[0]} have been dealt or drawn")
            found += 1
    assert found


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


# Choices


def test_the_exchange_is_checked() -> None:
    events = next(events for events in deals() if len(places(events, "exchange", seat=0)) == 1)
    first = places(events, "exchange")[0]
    hand = parse_tiles(events[0]["hands"][0])
    count = events[0]["knobs"]["exchange.count"]
    absent = next(kind for kind in range(27) if kind not in hand)
    absent_tiles = f"{absent % 9 + 1}" * count + "mps"[absent // 9]
    refused(changed(events, first, given=absent_tiles), first + 1, "seat 0 cannot give these tiles")
    refused(changed(events, first, given="12m" if count != 2 else "123m"), first + 1, f"{count} tiles of one suit")
    refused(dropped(events, first), None)
    refused(inserted(events, first, events[first]), first + 2, "has chosen already, in line")
    other = "1" * count + "m" if parse_tiles(events[first]["received"])[0] else "2" * count + "m"
    refused(changed(events, first, received=other), first + 1, "other tiles were received")


def test_the_void_suits_are_checked() -> None:
    events = deals()[0]
    first = places(events, "void_suit")[0]
    refused(dropped(events, first), None, "the event void_suit of each of the seats 0")
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
        refused(
            changed(events, place, amount=amount + 1), None, "wrong payment", f" {amount + 1} for", f" {amount} for"
        )


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
    assert "and a pung needs 2" in reasons
    assert "and an exposed kong needs 3" in reasons
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


# The end


def test_the_end_is_checked() -> None:
    for events in deals():
        last = len(events) - 1
        points = events[last]["points"]
        refused(
            changed(events, last, points=[points[0] + 1, points[1] - 1, *points[2:]]), last + 1, "end: wrong points"
        )
        refused(dropped(events, last), last, "the deal stops before its end", "the end with the points")
        refused([*events, events[last]], last + 2, "the deal is over")
        for place in places(events, "exhaustion"):
            statuses = events[place]["statuses"]
            for seat, status in enumerate(statuses):
                other = "pig" if status != "pig" else "ready"
                wrong = [*statuses[:seat], other, *statuses[seat + 1 :]]
                refused(changed(events, place, statuses=wrong), place + 1, "exhaustion: wrong statuses")
            refused(dropped(events, place), place + 1, "exhaustion with the seats")


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
