"""Every step of a deal: a sound table after every answer, whatever is legal, and nothing else is taken."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.sichuan.advance import ILLEGAL, answer, is_legal
from sim.engine.sichuan.check import check_deals
from sim.engine.sichuan.deal import CAUSES
from sim.engine.sichuan.invariants import describe_faults, mark_faults
from sim.engine.sichuan.play import COLUMNS, play_walls
from sim.engine.sichuan.table import EXCHANGE
from sim.engine.sichuan.tree import MOST_CHOICES, list_choices
from sim.jit import INTERPRETED
from sim.rules.compile import compile_rules
from tests.differential.compare import Case, player
from tests.property.drawn import cases, examples
from tests.property.tables import Standing, begin, finish, walk

PACE = 9
TRIED = 8 if INTERPRETED else 40
WALLS = 1 if INTERPRETED else 40
STRAIGHT = np.array([[0, 1, 2, 3]])


def legal_choices(standing: Standing, seat: int) -> list[int]:
    """List all legal actions of a seat, by the engine's own list."""
    choices = np.zeros((1, MOST_CHOICES), dtype=np.int64)
    found = list_choices(standing.deal, seat, standing.rules, choices, 0)
    return choices[0, :found].tolist()


@examples(50, 3)
@given(cases(slanted=False))
def test_every_state_is_sound(case: Case) -> None:
    """All invariants after every answer: four copies of every kind, points that sum to zero, offers, ledger, locks."""
    players = [player(name) for name in case.players]
    seeds = np.arange(WALLS) + case.wall_seed // 2
    states, fault = check_deals(compile_rules(case.preset), players, seeds, case.wall_mode)
    assert fault is None, f"{fault}; {case.command()}"
    assert states > 20 * WALLS


@examples(40, 4)
@given(cases(), st.integers(0, PACE - 1))
def test_whatever_is_legal_leaves_a_sound_table(case: Case, first: int) -> None:
    """Not only what players choose: at some steps every legal action is tried."""
    standing = begin(case)
    for number, seat in enumerate(walk(standing)):
        if number % PACE == first:
            for action in legal_choices(standing, seat)[:TRIED]:
                tried = standing.copy()
                tried.answer(seat, action)
                faults = mark_faults(tried.deal, tried.rules, tried.lookup)
                assert not faults, f"{describe_faults(faults)} after {action} as answer {number} of {case.command()}"


@examples(25, 4)
@given(cases(), st.integers(0, PACE - 1))
def test_nothing_else_is_taken_and_nothing_moves_then(case: Case, first: int) -> None:
    standing = begin(case)
    lots = random.Random(case.wall_seed)
    for number, seat in enumerate(walk(standing)):
        if number % PACE != first and number > 8:
            continue
        decision = int(standing.deal.table.decision)
        legal = set(legal_choices(standing, seat))
        tried = {-1, *range(101), 1 << 20, *legal}
        if decision == EXCHANGE:
            tried |= {action ^ 1 << lots.randrange(21) for action in legal}
            tried |= {sum(lots.randrange(32) << 5 * place for place in range(4)) for _ in range(40)}
        before = standing.deals.tobytes()
        for action in sorted(tried):
            is_known = is_legal(standing.deal.hands[seat], decision, action, standing.rules)
            assert is_known == (action in legal), (action, number, case.command())
        for action in lots.sample(sorted(tried - legal), 8):
            assert answer(standing.deal, seat, action, standing.rules, standing.lookup) == ILLEGAL
            assert standing.deals.tobytes() == before


@examples(40, 4)
@given(cases(slanted=False))
def test_points_are_what_the_ledger_says(case: Case) -> None:
    """The columns of a deal against its ledger, read plainly."""
    standing = finish(begin(case))
    deal = standing.deal
    columns = play_walls(standing.all_rules, standing.strategies, np.array([case.wall_seed]), STRAIGHT, case.wall_mode)
    names = {column.name: columns[index].tolist() for index, column in enumerate(COLUMNS)}
    expected = {f"{way}_{cause}": [0, 0, 0, 0] for way in ("gained", "paid") for cause in CAUSES}
    for line in range(deal.count_lines):
        cause, amount = CAUSES[deal.line_causes[line]], int(deal.line_amounts[line])
        expected[f"gained_{cause}"][deal.line_payees[line]] += amount
        expected[f"paid_{cause}"][deal.line_payers[line]] += amount
    assert {name: names[name] for name in expected} == expected
    for seat in range(4):
        net = sum(amounts[seat] * (1 if name.startswith("gained") else -1) for name, amounts in expected.items())
        assert names["points"][seat] == net
    assert sum(names["points"]) == 0
