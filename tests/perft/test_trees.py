"""Game trees: the engine counts what the referee counts, and what was counted before."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from sim.engine.sichuan.deal import WALL_MODES
from sim.engine.sichuan.rules import DIRECTIONS
from sim.engine.sichuan.setup import draw_direction
from sim.engine.sichuan.tree import perft
from sim.jit import INTERPRETED
from sim.rules import Preset, load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy
from tests.differential.compare import Case, play
from tests.reference.referee import Referee

WALLS = 4 if INTERPRETED else 20
STARTS = (("random", 1, 12), ("isolation", 0, 20), ("shanten", 3, 3))
if INTERPRETED:
    STARTS = (("random", 1, 2), ("isolation", 0, 3), ("shanten", 3, 2))
PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")


def referee_at(preset: Preset, player: str, wall_seed: int, tiles_left: int, wall_mode: str) -> Referee | None:
    """Return the referee at the first turn with so few tiles left, given the answers that the players gave."""
    deal, _ = play(Case(preset, (player,) * 4, wall_seed, wall_mode))
    referee = Referee(preset, [int(k) for k in deal.wall], wall_mode, DIRECTIONS[int(draw_direction(wall_seed))])
    for row in deal.events[: deal.count_events]:
        if row[0] != 11:  # an answer
            continue
        asked = next(iter(referee.pending.values()))
        if asked.kind == "turn" and len(referee.wall.left()) <= tiles_left:
            return referee
        referee.answer(int(row[1]), int(row[3]))
    return None


def count(referee: Referee, depth: int, totals: list[int]) -> None:
    """Add up leaves, decisions, ends and points below a state of the referee."""
    if referee.over:
        totals[2] += 1
        for seat in range(4):
            totals[3 + seat] += referee.points[seat]
        return
    if depth == 0:
        totals[0] += 1
        return
    totals[1] += 1
    seat = min(referee.pending)
    for action in sorted(referee.pending[seat].legal):
        below = copy.deepcopy(referee)
        below.answer(seat, action)
        count(below, depth - 1, totals)


def totals_of(branches: list[Any]) -> list[int]:
    return [
        sum(branch.leaves for branch in branches),
        1 + sum(branch.decisions for branch in branches),
        sum(branch.ends for branch in branches),
        *(sum(branch.points[seat] for branch in branches) for seat in range(4)),
    ]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("wall_mode", WALL_MODES)
def test_trees_are_the_referees(preset: str, wall_mode: str) -> None:
    """From a few walls, near the end and to the very end, both engines count the same."""
    compared = 0
    for wall_seed in range(WALLS):
        for player, tiles_left, depth in STARTS:
            rules = compile_rules(load_preset(preset))
            branches = perft(rules, [load_strategy(player)] * 4, wall_seed, depth, tiles_left, wall_mode)
            if not branches or sum(branch.decisions for branch in branches) > 60:
                continue
            referee = referee_at(load_preset(preset), player, wall_seed, tiles_left, wall_mode)
            assert referee is not None
            totals = [0] * 7
            count(referee, depth, totals)
            assert totals == totals_of(branches), (wall_seed, player)
            compared += 1
    assert compared > WALLS / 4


def test_openings_are_the_referees() -> None:
    """The exchange's choices, for every number of tiles."""
    for tiles in range(1, 5):
        preset = load_preset("mahjong-planet", {"exchange.count": tiles})
        branches = perft(compile_rules(preset), [load_strategy("random")] * 4, 5, 1)
        deal, _ = play(Case(preset, ("random",) * 4, 5, "shared"))
        referee = Referee(preset, [int(kind) for kind in deal.wall], "shared", "left")
        assert [branch.action for branch in branches] == sorted(referee.pending[0].legal)


GOLDEN = {
    ("mahjong-planet", "random", 9, 40, 2): [0, 346013, 1202654, 42848, 167412, -103218, -107042],
    ("mahjong-planet", "isolation", 14, 40, 2): [0, 347756, 738937, 1477874, -219428, 239004, -1497450],
    ("mahjong-planet", "shanten", 28, 40, 3): [0, 42719, 202356, -163771, -508447, -541918, 1214136],
    ("mahjongo", "isolation", 14, 40, 2): [0, 688681, 1965304, 3930608, 9093675, -3658306, -9365977],
    ("mahjongo", "shanten", 28, 40, 3): [0, 76308, 369530, 848460, -1348188, -1717452, 2217180],
    ("cardavia-sichuan", "random", 15, 40, 3): [0, 1450111, 6303271, -746496, -238499, 2053316, -1068321],
    ("cardavia-sichuan", "isolation", 0, 40, 2): [0, 135981, 404919, 741, 404919, -95803, -309857],
}
"""Preset, who plays first, wall seed, depth, tiles left: leaves, decisions, ends, points of the four seats."""


@pytest.mark.skipif(INTERPRETED, reason="hundreds of thousands of decisions are for compiled kernels")
@pytest.mark.parametrize("key", GOLDEN)
def test_golden_counts(key: tuple[str, str, int, int, int]) -> None:
    """Whole endgames, counted once both engines agreed on trees like these."""
    preset, player, wall_seed, depth, tiles_left = key
    branches = perft(compile_rules(load_preset(preset)), [load_strategy(player)] * 4, wall_seed, depth, tiles_left)
    assert totals_of(branches) == GOLDEN[key]


def test_points_of_every_end_sum_to_zero() -> None:
    depth = 3 if INTERPRETED else 30
    branches = perft(compile_rules(load_preset("mahjong-planet")), [load_strategy("random")] * 4, 3, depth, 2)
    assert branches
    assert sum(sum(branch.points) for branch in branches) == 0


def test_a_deal_that_ended_has_no_tree() -> None:
    """A deal that three players won has no turn with an empty wall."""
    rules = compile_rules(load_preset("mahjong-planet"))
    assert perft(rules, [load_strategy("ukeire")] * 4, 6, 5, 0) == []
