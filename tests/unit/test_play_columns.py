"""What the columns hold at the far end: the largest points a preset can make."""

from __future__ import annotations

import numpy as np

from sim.engine.sichuan.play import COLUMNS, play_walls
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy


def test_the_largest_amounts_fit_the_columns() -> None:
    """Without a cap, with every pattern's fan at its bound and every amount at its most, nothing wraps round."""
    patterns = dict.fromkeys(("all_pungs_258", "outside_hand", "golden_wait", "kong_draw", "kong_discard"), "none")
    overrides = {
        "fan.cap": "none",
        "fan.patterns": patterns | {"root": 2, "full_flush": 9, "pair_wait": 5, "last_tile": 3, "seven_pairs": 1},
        "fan.patterns.all_pungs": 0,
        "fan.patterns.rob_kong": 0,
        "win.self_draw_points": 1000,
        "exhaustion.flower_pig": 10_000,
    }
    rules = compile_rules(load_preset("cardavia-sichuan", overrides))
    seeds = np.array([wall_seed_of(1, wall) for wall in range(3000)])
    columns = play_walls(rules, [load_strategy("shanten")] * 4, seeds, np.arange(4).reshape(1, 4), "shared")
    names = [column.name for column in COLUMNS]
    points = columns[names.index("points")].reshape(-1, 4)
    assert points.max() > 2**14
    assert not points.sum(axis=1).any()
    values = columns[names.index("value")]
    assert values.max() >= 2**13
    for index, column in enumerate(COLUMNS):
        kind = np.iinfo(column.dtype)
        assert kind.min <= columns[index].min(), column.name
        assert columns[index].max() <= kind.max, column.name
