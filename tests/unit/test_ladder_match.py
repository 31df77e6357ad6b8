"""What a match comes to, and what timeouts cost: against the same match with players who are not late at all."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import Deal
from sim.jit import new
from sim.ladder.file import TableTable
from sim.ladder.match import CHOSE_ILLEGALLY, MOST_DEALS, PLAYED, play_match
from sim.ladder.records import Group, Ladder, Match, Player, TableKind
from sim.ladder.simulate import fill_kind
from sim.ladder.table import Clock, Sitter, roster_of
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

SEED = 3
QUICK, SLOW, CUT, BOTH = "quick", "slow", "cut", "both"
"""Players: never late; late at every turn; cut off for good, and so never there in time; both of these."""
ONLINE = {QUICK: QUICK, SLOW: SLOW, CUT: QUICK, BOTH: SLOW}
"""What they were without the lost connection."""


class Outcome(NamedTuple):
    """What came of a match."""

    status: int
    ladder: Any
    match: Any
    again: int
    """How often it was played again."""


def play(seats: tuple[str, ...], number: int, strategies: tuple[str, ...] = ("isolation",) * 4) -> Outcome:
    """A match of one deal, on the fastest clock."""
    ladders, matches, players, groups = new(Ladder), new(Match, 2), new(Player, 4), new(Group, 4)
    kinds, sitters = new(TableKind), new(Sitter, 4)
    fill_kind(kinds[0], TableTable(name="t", clock="bullet"), 1.0)
    ladders[0].seed = SEED
    matches[0].number = number
    names = sorted(set(strategies))
    roster = roster_of([load_strategy(name).decisions for name in names])
    for player, (seat, strategy) in enumerate(zip(seats, strategies, strict=True)):
        groups[player].strategy = names.index(strategy)
        groups[player].think_turn = 100_000.0 if seat in {SLOW, BOTH} else 0.0
        players[player].group = player
        players[player].back_at = 10**12 if seat in {CUT, BOTH} else 0
        matches[0].players[player] = player
    status = play_match(
        ladders[0],
        matches[0],
        matches[1],
        players,
        groups,
        kinds[0],
        new(Deal)[0],
        new(Clock)[0],
        sitters,
        roster,
        compile_rules(load_preset("mahjongo"))[0],
        load_lookup()[0],
    )
    return Outcome(status, ladders[0], matches[0], int(ladders[0].again))


@cache
def points(seats: tuple[str, ...], number: int) -> list[int]:
    """What the four win as it is played."""
    return play(seats, number).match.points.tolist()


def with_seat(seats: tuple[str, ...], place: int, seat: str) -> tuple[str, ...]:
    """The same four, but for one."""
    return (*seats[:place], seat, *seats[place + 1 :])


@pytest.mark.parametrize(
    ("seats", "prices"),
    [
        ((QUICK, QUICK, QUICK, QUICK), {NONE}),
        ((SLOW, QUICK, QUICK, QUICK), {0}),
        ((QUICK, QUICK, CUT, QUICK), {2}),
        ((QUICK, BOTH, QUICK, QUICK), {1}),
        ((QUICK, BOTH, QUICK, SLOW), {NONE, 1, 3}),
        ((CUT, CUT, CUT, CUT), {0, 1, 2, 3}),
    ],
)
def test_price_is_what_it_costs_that_the_own_time_ran_out(seats: tuple[str, ...], prices: set[int]) -> None:
    late = [place for place, seat in enumerate(seats) if seat != QUICK]
    left, number = set(prices), -1
    while left:  # until each of those who can be drawn was
        number += 1
        status, ladder, match, again = play(seats, number)
        priced = int(match.priced)
        assert status == PLAYED
        assert priced in prices
        left.discard(priced)
        assert [place for place in range(4) if match.slow[place] + match.offline[place]] == late
        assert [place for place in late if match.slow[place]] == [at for at in late if seats[at] in {SLOW, BOTH}]
        assert [place for place in late if match.offline[place]] == [at for at in late if seats[at] in {CUT, BOTH}]
        assert match.fair_points.tolist() == points((QUICK,) * 4, number)
        own = online = match.points.tolist()
        if priced != NONE:
            own = points(with_seat(seats, priced, QUICK), number)
            online = points(with_seat(seats, priced, ONLINE[seats[priced]]), number)
        assert match.own_points.tolist() == own
        assert match.online_points.tolist() == online
        assert match.weight == (0 if priced == NONE else 1 if len(late) == 1 else 4)
        is_both = priced != NONE and seats[priced] == BOTH
        is_fair = not late or (priced != NONE and len(late) == 1)
        assert again == (priced != NONE) + is_both + (not is_fair)
        assert ladder.deals == 1


def test_timeouts_cost_points() -> None:
    """Nothing above would tell prices that are all 0 from right ones."""
    seats = (SLOW, QUICK, QUICK, QUICK)
    assert any(points(seats, number)[0] != points((QUICK,) * 4, number)[0] for number in range(6))


ILLEGAL = """
def choose_turn(hand, table, rules, lookup):
    return 999


def choose_claim(hand, table, rules, lookup):
    return 999
"""
WITHOUT_A_TURN = """
from sim.engine.hands.hand import lowest_kind
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION


def choose_turn(hand, table, rules, lookup):
    hand.memory[0] = 1
    return WIN_ACTION if hand.legal_win else lowest_kind(hand.legal_discards)


def choose_claim(hand, table, rules, lookup):
    return PASS_ACTION if hand.memory[0] else 999
"""
"""The dealer has always had a turn before a claim, but not if the turns go to the clock."""


def refuse(tmp_path: Path, text: str, seats: tuple[str, ...], place: int, number: int) -> Outcome:
    """A match in which a strategy that is never in time answers illegally once it is asked."""
    file = tmp_path / "bad.py"
    file.write_text(text)
    names = ["first_legal"] * 4
    names[place] = str(file)
    found = play(seats, number, tuple(names))
    assert found.status == CHOSE_ILLEGALLY
    assert found.ladder.failed_player == found.ladder.failed_seat == place
    assert found.ladder.failed_deal == wall_seed_of(SEED, number * MOST_DEALS)
    return found


def test_illegal_answers_when_the_own_timeouts_do_not_count(tmp_path: Path) -> None:
    found = refuse(tmp_path, ILLEGAL, (QUICK, QUICK, CUT, QUICK), 2, 0)
    assert found.ladder.deals == 1  # as it was played, nobody asked it
    assert found.again == 0


def test_illegal_answers_when_lost_connections_do_not_count(tmp_path: Path) -> None:
    found = refuse(tmp_path, WITHOUT_A_TURN, (BOTH, QUICK, QUICK, QUICK), 0, 0)
    assert found.again == 1  # legal with its turns


def test_illegal_answers_when_no_timeouts_count(tmp_path: Path) -> None:
    agains = {refuse(tmp_path, ILLEGAL, (SLOW, QUICK, CUT, QUICK), 2, number).again for number in range(12)}
    assert agains == {0, 1}  # another one's price, if one was drawn, is known by then
