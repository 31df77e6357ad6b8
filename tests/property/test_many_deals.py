"""Thousands of deals of everybody under drawn presets.

With bounds checks (`make test-bounds`) they show that no index is too large; interpreted (`make test-interpreted`) that
none is negative.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from sim.engine.sichuan.deal import WALL_MODES
from sim.engine.sichuan.play import COLUMNS, play_walls
from sim.jit import INTERPRETED
from sim.rules.compile import compile_rules
from tests.differential.compare import draw_case, player
from tests.property.strict import strict
from tests.property.tables import begin, finish
from tests.reference.presets import random_preset
from tests.shipped import shipped

WILD = ("chaos:40,100,30,0", "chaos:0,100,0,100", "chaos:3,90,95,50")
PRESETS = 2 if INTERPRETED else 60
WALLS = 1 if INTERPRETED else 10
SEATINGS = np.array([[0, 1, 2, 3], [1, 2, 3, 0]])
POINTS = [column.name for column in COLUMNS].index("points")
WINS = [column.name for column in COLUMNS].index("wins")


@pytest.mark.parametrize("mode", WALL_MODES)
@pytest.mark.parametrize("name", [*shipped(), *WILD])
def test_points_of_thousands_of_deals_sum_to_zero(name: str, mode: str) -> None:
    """Four alike at half of the tables, with three others at the rest."""
    moved = won = 0
    for number in range(PRESETS // 10 if "budget=" in name and not INTERPRETED else PRESETS):
        lots = random.Random(f"{name} {mode} {number}")
        names = [name] * 4 if number % 2 else [name, *lots.sample([*shipped(0), *WILD], 3)]
        seeds = np.array([lots.getrandbits(63) for _ in range(WALLS)])
        rules = compile_rules(random_preset(lots))
        columns = play_walls(rules, [player(name) for name in names], seeds, SEATINGS, mode)
        assert not columns[POINTS].reshape(-1, 4).sum(axis=1).any()
        moved += np.count_nonzero(columns[POINTS])
        won += int(columns[WINS, ::4].sum())
    assert min(moved, won) > 0 or INTERPRETED


@pytest.mark.skipif(not INTERPRETED, reason="only plain Python can be watched so closely")
@pytest.mark.parametrize("number", range(16))
def test_no_index_is_negative(number: int) -> None:
    """A kind, seat or suit that is NONE is never taken for an index."""
    lots = random.Random(f"strict {number}")
    case = draw_case(lots, random_preset(lots), sensible=0.6, is_slanted=number % 2 == 0)
    standing = begin(case)
    standing.deals, standing.lookups = strict(standing.deals), strict(standing.lookups)
    standing.all_rules = strict(standing.all_rules)
    finish(standing)
    plain = finish(begin(case))
    assert standing.deals.tobytes() == plain.deals.tobytes()


def test_a_negative_index_is_noticed() -> None:
    standing = begin(draw_case(random.Random(1), random_preset(random.Random(1))))
    deals = strict(standing.deals)
    with pytest.raises(IndexError, match="negative index"):
        deals[0].hands[-1]
    with pytest.raises(IndexError, match="negative index"):
        deals[0].hands[2].counts[-1] = 0
    deals[0].hands[2].counts[3] = 77
    assert standing.deal.hands[2].counts[3] == 77
