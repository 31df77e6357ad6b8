"""Deals do not depend on where one sits, what suits are called, from which end ranks are counted, or who answers first.

Whole deals by players who prefer no suit are compared in `tests/statistical/test_sanity.py`; here the answers are
given again, so that the rules alone are judged.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import next_seat
from sim.engine.sichuan.deal import EVENTS, Deal
from sim.engine.sichuan.play import play_walls
from sim.engine.sichuan.setup import deal_tiles
from sim.engine.sichuan.table import DECISIONS, VOID_SUIT
from sim.jit import new
from sim.rules import Preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy
from tests.differential.compare import Case
from tests.property.drawn import cases, examples, presets
from tests.property.tables import Standing, begin, events_of, finish, lines_of, walk
from tests.property.turning import can_turn, image_of, image_of_action, image_of_event, outcome_of, turn_seats
from tests.shipped import shipped

WITHOUT_LOTS = tuple(name for name in shipped(budget=0) if name != "random")
images = st.builds(image_of, st.permutations(range(3)), st.tuples(st.booleans(), st.booleans(), st.booleans()))


@examples(100, 8)
@given(cases(), st.integers(8, 60), st.integers(1, 3))
def test_turned_seats_turn_the_rest_of_a_deal(case: Case, answers: int, steps: int) -> None:
    """After the opening nothing tells the dealer from the others: play goes on alike from any seat."""
    standing = begin(case)
    for number, _ in enumerate(walk(standing)):
        if number >= answers and standing.deal.table.decision > VOID_SUIT and can_turn(standing.deal):
            break
    turned = turn_seats(standing, steps)
    players = [standing.strategies[(seat - steps) % 4] for seat in range(4)]
    turned = Standing(turned.deals, turned.all_rules, turned.lookups, players)
    assert outcome_of(finish(turned)) == outcome_of(turn_seats(finish(standing), steps)), case.command()


@examples(40, 3)
@given(
    presets(),
    st.permutations(range(4)),
    st.lists(st.sampled_from(WITHOUT_LOTS), min_size=4, max_size=4),
    st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=5),
    st.sampled_from(["shared", "per_seat"]),
)
def test_a_seating_only_says_which_slot_sits_where(
    preset: Preset, seating: list[int], names: list[str], wall_seeds: list[int], mode: str
) -> None:
    """Players without lots of their own play a wall alike whether they are seated so or named in that order."""
    rules = compile_rules(preset)
    line_up = [load_strategy(name) for name in names]
    seated = [line_up[slot] for slot in seating]
    straight = np.array([[0, 1, 2, 3]])
    seeds = np.array(wall_seeds)
    one = play_walls(rules, line_up, seeds, np.array([seating]), mode)
    other = play_walls(rules, seated, seeds, straight, mode)
    assert np.array_equal(one, other)


@examples(80, 6)
@given(cases(), images)
def test_renamed_suits_and_turned_ranks_give_the_same_deal(case: Case, image: object) -> None:
    """The same answers to the image of a wall: every offer, event, pattern and payment is the image of what it was."""
    assert callable(image)
    plain = finish(begin(case))
    log, rules = events_of(plain), plain.rules
    count = int(rules.exchange_count)
    deals = new(Deal)
    other = Standing(deals, plain.all_rules, load_lookup(), plain.strategies)
    deals[0].wall_mode, deals[0].is_logged = plain.deal.wall_mode, 1
    deals[0].wall[:] = [image(int(kind)) for kind in plain.deal.wall]
    deal_tiles(deals[0], rules, int(plain.deal.table.direction))
    for row in log:
        if EVENTS[row[0]] == "answer":
            _, seat, decision, action, *_ = row
            assert next_seat(deals[0]) == seat
            other.answer(seat, image_of_action(DECISIONS[decision], action, count, image))
    assert next_seat(deals[0]) == NONE
    assert events_of(other) == [image_of_event(row, count, image) for row in log]
    assert lines_of(other) == lines_of(plain)
    assert other.deal.table.points.tolist() == plain.deal.table.points.tolist()


@examples(40, 4)
@given(cases(sensible=0.0))
def test_who_answers_first_does_not_matter(case: Case) -> None:
    one, other = begin(case), begin(case)
    lots = random.Random(case.wall_seed)
    sizes: Counter[int] = Counter()
    while one.deal.asked:
        seats = [seat for seat in range(4) if int(one.deal.asked) >> seat & 1]
        sizes[len(seats)] += 1
        answers = {seat: one.choose(seat) for seat in seats}
        for seat in seats:
            one.answer(seat, answers[seat])
        for seat in lots.sample(seats, len(seats)):
            other.answer(seat, answers[seat])
        for deal in (one.deal, other.deal):
            for hand in deal.hands:
                hand.lots, hand.memory = 0, 0
    assert outcome_of(one) == outcome_of(other)
    assert sizes[4] > 0
