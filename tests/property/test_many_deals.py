"""Thousands of deals of everybody under drawn presets; with bounds checks (`make test-bounds`) no index is wrong."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sim.engine.sichuan.deal import WALL_MODES
from sim.engine.sichuan.play import COLUMNS, play_walls
from sim.jit import INTERPRETED
from sim.rules.compile import compile_rules
from strategies.registry import list_strategies
from tests.differential.compare import player
from tests.reference.presets import random_preset

WILD = ("chaos:40,100,30,0", "chaos:0,100,0,100", "chaos:3,90,95,50")
PRESETS = 2 if INTERPRETED else 60
WALLS = 1 if INTERPRETED else 10
SEATINGS = np.array([[0, 1, 2, 3], [1, 2, 3, 0]])
POINTS = [column.name for column in COLUMNS].index("points")
WINS = [column.name for column in COLUMNS].index("wins")


@pytest.mark.parametrize("mode", WALL_MODES)
@pytest.mark.parametrize("name", [*list_strategies(), *WILD])
def test_points_of_thousands_of_deals_sum_to_zero(name: str, mode: str) -> None:
    """Four alike at half of the tables, with three others at the rest."""
    moved = won = 0
    for number in range(PRESETS):
        lots = random.Random(f"{name} {mode} {number}")
        names = [name] * 4 if number % 2 else [name, *lots.sample([*list_strategies(), *WILD], 3)]
        seeds = np.array([lots.getrandbits(63) for _ in range(WALLS)])
        rules = compile_rules(random_preset(lots))
        columns = play_walls(rules, [player(name) for name in names], seeds, SEATINGS, mode)
        assert not columns[POINTS].reshape(-1, 4).sum(axis=1).any()
        moved += np.count_nonzero(columns[POINTS])
        won += int(columns[WINS, ::4].sum())
    assert moved > 0
    assert won > 0 or INTERPRETED
