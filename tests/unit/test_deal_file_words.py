"""Deals in words: the hands are followed rightly from events alone, and every event is told."""

from __future__ import annotations

import random
import re

import pytest
from deal_files import corpus, deals, make, places, without_wall
from deal_oracle import play_again

from sim.tournament.narrate import Narrator
from tests.reference.scripts import name_of


@pytest.mark.parametrize("number", [*range(len(corpus())), *range(-20, 0)])
def test_hands_and_melds_are_followed(number: int) -> None:
    events = deals()[number] if number >= 0 else make(-number)
    told = without_wall(events) if number % 2 else events
    lines = Narrator(is_unicode=False).tell(told)
    narrator = Narrator()
    narrator.tell(told)
    referee = play_again(events[0], events[1:])
    for seat in range(4):
        held = +narrator.hands[seat]
        wins = places(events, "win", seat=seat)
        theirs = {kind: count for kind, count in enumerate(referee.hands[seat]) if count}
        if not wins:
            assert held == theirs
        melds = sorted(
            f"{'pung' if m.form == 'pung' else m.form + ' kong'} {name_of(m.kind)}" for m in referee.melds[seat]
        )
        assert sorted(narrator.melds[seat]) == melds
        assert min(narrator.hands[seat].values(), default=0) >= 0
        is_self_draw = bool(wins) and events[wins[0]]["form"] == "self_draw"
        assert held.total() + 3 * len(melds) == 13 + is_self_draw
    assert narrator.tiles_left == 55 - len(places(events, "draw"))
    text = "\n".join(lines)
    assert text.count("wins ") == len(places(events, "win"))
    assert text.count(" pays ") == len(places(events, "payment"))
    assert text.count("discards") == len(places(events, "discard"))
    assert text.count(" draws ") == len(places(events, "draw"))
    assert text.count(" makes the ") == len(places(events, "kong"))
    assert text.count(" is robbed") == len(places(events, "robbed"))
    assert text.count("the wall is empty") == len(places(events, "exhaustion"))
    assert text.isascii()


def test_an_added_kong_is_told_before_the_answers_to_it() -> None:
    events = next(events for events in deals() if places(events, "robbed"))
    place = places(events, "robbed")[0]
    tile, seat = events[place]["tile"], events[place]["seat"]
    lines = Narrator(is_unicode=False).tell(events)
    name = events[0]["strategies"][seat]
    start = lines.index(f"seat {seat} ({name}) adds {tile} to the pung")
    told = lines[start : start + 4]
    assert "claims: win" in told[1]
    assert told[2] == f"the added kong of {tile} of seat {seat} ({name}) is robbed"
    assert f"wins by robbing the kong of seat {seat} with {tile}" in told[3]


def test_what_was_not_done_is_told() -> None:
    text = "\n".join(line for events in deals() for line in Narrator(is_unicode=False).tell(events))
    for words in (
        "passes (could win)",
        "passes (could pung)",
        "claims: pung",
        "could win, and does not",
        "claims: win",
    ):
        assert words in text
    assert " makes the exposed kong of " in text
    assert " points to seat " in text


def test_one_narrator_tells_deals_one_after_the_other() -> None:
    first, second = deals()[:2]
    one = Narrator()
    assert one.tell([*first, *second]) == [*Narrator().tell(first), *Narrator().tell(second)]


def test_unicode_tiles_stand_beside_the_others() -> None:
    events = deals()[0]
    plain, shown = Narrator(is_unicode=False).tell(events), Narrator().tell(events)
    assert plain != shown
    assert plain == [re.sub(" [\U0001f007-\U0001f021]+", "", line) for line in shown]


def test_a_wrong_deal_can_be_told_too() -> None:
    """Whatever is well formed is told, since the words help to find out what is wrong."""
    lots = random.Random(1)
    for events in deals():
        start, rest = events[0], events[1:]
        lots.shuffle(rest)
        assert Narrator().tell([start, *rest, *rest])
