"""The clock at a table, against the document: base, reserve, claims, openings, timeouts, connections."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import answer, next_seat
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import CLAIM, EXCHANGE, ROB, TURN, VOID_SUIT
from sim.engine.sichuan.timeout import timeout_action
from sim.jit import new
from sim.ladder.file import TableTable, Think
from sim.ladder.records import Group, TableKind
from sim.ladder.simulate import fill_kind
from sim.ladder.table import Clock, Sitter, begin_seats, play_on_the_clock, roster_of, take_time
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

FAR = 1 << 60


def play(clock: Any, think: Think, wall: int, preset: str = "mahjong-planet") -> tuple[Any, Any, Any]:
    """A deal of four `isolation` on the clock: the deal, the clock, who sat there."""
    rules, lookup, strategy = compile_rules(load_preset(preset)), load_lookup(), load_strategy("isolation")
    groups, kinds, deals, clocks, sitters = new(Group), new(TableKind), new(Deal), new(Clock), new(Sitter, 4)
    kind = "casual" if clock == "untimed" else "ranked"
    fill_kind(kinds[0], TableTable(name="t", clock=clock, kind=kind), 1.0)
    group = groups[0]
    group.think_opening, group.think_turn, group.think_claim = (
        1000 * value for value in (think.opening, think.turn, think.claim)
    )
    begin_seats(deals[0], sitters, groups, kinds[0], wall_seed_of(3, wall), 0, rules[0])
    roster = roster_of([strategy.decisions])
    assert play_on_the_clock(deals[0], clocks[0], sitters, groups, kinds[0], roster, rules[0], lookup[0]) == NONE
    return deals[0], clocks[0], sitters


def expected(base: float, reserve: float, think: Think, wall: int, preset: str) -> tuple[list[int], int, list[int]]:
    """The same by the words of the document, question by question: points, time, timeouts of each seat."""
    rules, lookup, strategy = compile_rules(load_preset(preset)), load_lookup(), load_strategy("isolation")
    deals = new(Deal)
    deal = deals[0]
    begin_deal(deal, rules[0], wall_seed_of(3, wall), 228)
    left = [reserve] * 4
    timeouts, now = [0] * 4, 0.0
    seat = next_seat(deal)
    while seat != NONE:
        asked = int(deal.asked).bit_count()
        longest = 0.0
        for _ in range(asked):
            decision = deal.table.decision
            allowed = {TURN: base + left[seat], CLAIM: base, ROB: base}.get(decision, max(base, 15.0))
            wanted = {TURN: think.turn, CLAIM: think.claim, ROB: think.claim}.get(decision, think.opening)
            used = min(wanted, allowed)
            if decision == TURN:
                left[seat] -= max(0.0, used - base)
            longest = max(longest, used)
            if wanted > allowed:
                timeouts[seat] += 1
                action = timeout_action(deal.hands[seat], decision, rules[0])
            else:
                which = (EXCHANGE, VOID_SUIT, TURN).index(decision) if decision in (EXCHANGE, VOID_SUIT, TURN) else 3
                action = strategy.decisions[which](deal.hands[seat], deal.table, rules[0], lookup[0])
            answer(deal, seat, action, rules[0], lookup[0])
            seat = next_seat(deal)
        now += longest
    return [int(points) for points in deal.table.points], round(1000 * now), timeouts


@pytest.mark.parametrize(
    ("clock", "base", "reserve", "opening", "turn", "claim"),
    [
        ("bullet", 2, 5, 1, 1, 1),  # nobody is late
        ("bullet", 2, 5, 15, 2, 2),  # exactly in time
        ("bullet", 2, 5, 15.5, 1, 1),  # openings have 15 s
        ("bullet", 2, 5, 1, 3, 1),  # five turns on the reserve, then none
        ("bullet", 2, 5, 1, 100, 1),  # the whole reserve goes with the first turn
        ("bullet", 2, 5, 1, 1, 2.5),  # claims have the base only, whatever the reserve
        ("blitz", 3, 10, 6, 4.5, 3.5),
        ("relaxed", 15, 60, 16, 16, 1),
        ({"base": 20, "reserve": 0}, 20, 0, 19, 21, 1),  # openings have the base where it is more
    ],
)
@pytest.mark.parametrize("preset", ["mahjong-planet", "cardavia-sichuan"])
def test_clock_is_that_of_the_document(
    clock: Any, base: float, reserve: float, opening: float, turn: float, claim: float, preset: str
) -> None:
    think = Think(opening=opening, turn=turn, claim=claim)
    seen = 0
    for wall in range(6):
        deal, ran, sitters = play(clock, think, wall, preset)
        points, now, timeouts = expected(base, reserve, think, wall, preset)
        assert [int(value) for value in deal.table.points] == points
        assert int(ran.now) == now
        assert [int(sitter.slow) for sitter in sitters] == timeouts
        assert [int(sitter.offline) for sitter in sitters] == [0] * 4
        seen += sum(timeouts)
    is_late = opening > max(base, 15) or turn > base or claim > base
    assert (seen > 0) == is_late or (preset == "cardavia-sichuan" and claim <= base and turn <= base)


def test_untimed_tables_wait_for_ever() -> None:
    deal, ran, sitters = play("untimed", Think(opening=600, turn=600, claim=600), 0)
    assert sum(int(sitter.slow) for sitter in sitters) == 0
    assert int(ran.now) > 600_000 * 20
    quick, _, _ = play("untimed", Think(opening=0, turn=0, claim=0), 0)
    assert deal.table.points.tolist() == quick.table.points.tolist()


@pytest.mark.parametrize(
    ("back_at", "drop_at", "offline", "taken", "drops"),
    [
        (0, FAR, 0, 2_000, 0),
        (5_000, FAR, 0, 6_000, 0),  # begins to think when the connection is back
        (0, 2_000, 10_000, 11_000, 1),  # cut off while thinking, back at 12,000
        (0, 2_000, 500, 2_000, 1),  # back before the thought is thought
        (0, 500, 5_000, 6_500, 1),  # dropped before the question
        (0, 8_001, 5_000, 2_000, 0),  # drops after the answer
        (20_000, 20_500, 5_000, 21_000, 0),  # drops after the time is up: not in this decision
    ],
)
def test_connection(back_at: int, drop_at: int, offline: int, taken: int, drops: int) -> None:
    sitter, group = new(Sitter)[0], new(Group)[0]
    sitter.back_at, sitter.drop_at = back_at, drop_at
    group.think_turn, group.offline, group.drop_gap = 2_000.0, float(offline), 1e12
    sitter.luck = np.uint64(7)
    assert take_time(sitter, group, TURN, 1_000, 7_000) == taken
    assert sitter.drops == drops
    assert sitter.thought == 2_000


def test_cause_is_the_connection_only_if_the_thought_was_in_time() -> None:
    """Offline throughout a deal: quick thinkers are late by the connection alone, slow ones by themselves."""
    rules, lookup, strategy = compile_rules(load_preset("mahjongo")), load_lookup(), load_strategy("isolation")
    for turn, claim, opening, cause in ((1, 1, 1, "offline"), (900, 900, 900, "slow")):
        groups, kinds, deals, clocks, sitters = new(Group), new(TableKind), new(Deal), new(Clock), new(Sitter, 4)
        fill_kind(kinds[0], TableTable(name="t", clock="bullet"), 1.0)
        groups[0].think_turn, groups[0].think_claim, groups[0].think_opening = 1e3 * turn, 1e3 * claim, 1e3 * opening
        sitters.back_at = 10**12
        begin_seats(deals[0], sitters, groups, kinds[0], wall_seed_of(3, 1), 0, rules[0])
        roster = roster_of([strategy.decisions])
        play_on_the_clock(deals[0], clocks[0], sitters, groups, kinds[0], roster, rules[0], lookup[0])
        counts = {name: int(sitters[name].sum()) for name in ("slow", "offline")}
        assert counts.pop(cause) > 10
        assert list(counts.values()) == [0]
