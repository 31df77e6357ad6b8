"""Intervals of paired differences hold what they promise, on blocks of real deals: 95 % of them cover the truth.

A pool of walls is played under two caps; its own difference is the truth, and samples of walls drawn from it are what a
run would have seen. Most walls give the same under both caps and a few give far more, so blocks have heavy tails.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.rules import load_preset
from sim.statistics.difference import subtract
from sim.statistics.paired import CrossSums, RatioSums
from sim.tournament.game import sichuan

POOL = 6_000


@pytest.fixture(scope="module")
def pool() -> dict[str, Any]:
    """Block sums under a cap of 1 and without one: the dealer's points, and hand value and wins of all four players."""
    game = sichuan()
    names = [column.name for column in game.columns]
    seeds = np.array([game.wall_seed(5, wall) for wall in range(POOL)], dtype=np.int64)
    seatings = np.arange(4, dtype=np.int64).reshape(1, 4)
    found: dict[str, Any] = {}
    for cap in (1, "none"):
        rules = game.compile_rules(load_preset("mahjong-planet", {"fan.cap": cap}))
        columns = game.play(rules, [game.load_strategy("ukeire")] * 4, seeds, seatings, "shared")
        rows = {name: columns[names.index(name)].reshape(POOL, 4).astype(np.int64) for name in names}
        found[str(cap)] = {
            "points": rows["points"][:, 0],
            "value": rows["value"].sum(axis=1),
            "won": (rows["win_order"] > 0).sum(axis=1),
            "deals": np.ones(POOL, dtype=np.int64),
        }
    return found


def sums(x: Any, y: Any) -> RatioSums:
    """Add up a ratio's blocks."""
    return RatioSums(len(x), *(int(part) for part in (x.sum(), y.sum(), x @ x, x @ y, y @ y)))


def cover(pool: dict[str, Any], one: str, other: str, walls: int, replications: int) -> float:
    """Give the share of samples whose interval holds the difference of the whole pool."""
    here, there = ((pool[cap][one], pool[cap][other]) for cap in ("none", "1"))
    truth = here[0].sum() / here[1].sum() - there[0].sum() / there[1].sum()
    lots = np.random.default_rng(11)
    hits = 0
    for _ in range(replications):
        drawn = lots.integers(0, POOL, walls)
        (x, y), (a, b) = ((part[drawn] for part in side) for side in (here, there))
        cross = CrossSums(*(int(part) for part in (x @ a, x @ b, y @ a, y @ b)))
        found = subtract(sums(x, y), sums(a, b), cross)
        assert found.value is not None
        assert found.half_width is not None
        hits += abs(found.value - truth) <= found.half_width
    return hits / replications


def test_blocks_are_heavy_tailed(pool: dict[str, Any]) -> None:
    change = (pool["none"]["points"] - pool["1"]["points"]).astype(float)
    kurtosis = ((change - change.mean()) ** 4).mean() / change.var() ** 2
    assert kurtosis > 30


@pytest.mark.parametrize(("one", "other"), [("points", "deals"), ("value", "won")])
def test_coverage(pool: dict[str, Any], one: str, other: str) -> None:
    assert 0.92 <= cover(pool, one, other, 1_000, 400) <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), [("points", "deals"), ("value", "won")])
def test_coverage_at_length(pool: dict[str, Any], one: str, other: str) -> None:
    found = cover(pool, one, other, 5_000, 5_000)
    assert 0.94 <= found <= 0.96, found
