"""Mistakes that other programs of this game made, 9 and 34 to 39: what is shown, what is settled, and chance.

Like `test_edge_cases`: each is checked here, or shown to be impossible.
"""

from __future__ import annotations

import inspect
import itertools
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engine.sichuan import advance, fan, payments, settle, wins
from sim.engine.sichuan.columns import COLUMNS
from sim.engine.sichuan.deal import CAUSES, Deal
from sim.engine.sichuan.setup import shuffle_wall
from sim.jit import INTERPRETED, new
from sim.rng import is_biased, scale, wall_seed_of
from sim.rules import load_preset
from sim.tournament.replay import replay_deal
from strategies.registry import list_strategies, load_strategy
from tests.golden.play import check_golden as golden

DEALS = 4 if INTERPRETED else 40
PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")


def test_each_of_the_39_has_a_test_of_its_number() -> None:
    files = (Path(__file__), Path(__file__).with_name("test_edge_cases.py"))
    named = [
        name for file in files for name in re.findall(r"^def test_edge_(\d\d)_", file.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(map(int, named)) == list(range(1, 40))


@cache
def replays(preset: str) -> list[list[dict[str, Any]]]:
    """Replay deals of sensible players."""
    strategies = [load_strategy("ukeire")] * 4
    return [replay_deal(load_preset(preset), strategies, 7000 + wall).events for wall in range(DEALS)]


def test_edge_09_patterns_shown_are_those_settled() -> None:
    """One integer, the score, is logged, shown and paid from; there is no second path."""
    assert inspect.getsource(settle).count("score_hand(") == 1
    assert "score_hand(" not in inspect.getsource(wins)
    found = 0
    for preset in PRESETS:
        cap = load_preset(preset).fan.cap
        for events in replays(preset):
            for event, after in itertools.pairwise(events):
                if event["event"] == "win":
                    found += 1
                    assert event["fan"] == sum(event["patterns"].values())
                    assert event["value"] == 2 ** min(event["fan"], cap)
                    assert (after["event"], after["payee"]) == ("payment", event["seat"])
                    assert after["amount"] == event["value"] + (event["form"] == "self_draw")
    assert found > DEALS


# --- settlement -------------------------------------------------------------------------------------------------------


def test_edge_34_points_are_the_sum_of_the_ledger() -> None:
    """Points move in `payments.pay` alone, which writes the line; a deal's sum is zero by construction."""
    for module in (advance, wins, fan, settle):
        assert "points[" not in inspect.getsource(module)
    assert inspect.getsource(payments).count("table.points[") == 3  # set to 0, and both sides of a payment
    for preset in PRESETS:
        for events in replays(preset):
            points = [0] * 4
            for event in events:
                if event["event"] == "payment":
                    points[event["payer"]] -= event["amount"]
                    points[event["payee"]] += event["amount"]
            assert events[-1] == {"event": "end", "points": points}
            assert sum(points) == 0


def test_edge_35_not_ready_payments_are_structural_and_capped() -> None:
    golden("no situation counts in what is paid for not being ready")
    golden("the cap holds for what is paid for not being ready")
    golden("a ready hand of no fan has the value one, whatever the situation")


def test_edge_36_penalties_are_points_and_know_no_cap() -> None:
    golden("the cap holds for what is paid for not being ready")  # a pig pays 8 under a cap of one fan
    units = {column.name: column.unit for column in COLUMNS}
    assert {units[f"{way}_{cause}"] for way in ("gained", "paid") for cause in CAUSES} == {"points"}
    assert (units["fan"], units["value"], units["points"]) == ("fan", "points", "points")


# --- randomness -------------------------------------------------------------------------------------------------------

ANOTHER_PROCESS = """
from sim.rules import load_preset
from sim.tournament.replay import replay_deal
from strategies.registry import list_strategies, load_strategy
names = ("random", *list_strategies()[-4:-1])
print(replay_deal(load_preset("mahjong-planet"), [load_strategy(name) for name in names], 37).events)
"""


def test_edge_37_a_deal_is_the_same_in_every_process() -> None:
    told = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", ANOTHER_PROCESS], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    strategies = [load_strategy(name) for name in ("random", *list_strategies()[-4:-1])]
    here = replay_deal(load_preset("mahjong-planet"), strategies, 37).events
    assert told == [f"{here}\n"] * 2


def test_edge_38_every_seed_has_a_wall_of_its_own() -> None:
    walls = 300
    deals = new(Deal)
    deal = deals[0]
    laid = np.empty((walls, 108), dtype=np.int64)
    for seed in range(walls):
        shuffle_wall(deal, seed)
        laid[seed] = deal.wall
    assert len({wall.tobytes() for wall in laid}) == walls
    shuffle_wall(deal, 0)
    assert list(deal.wall) == list(laid[0])
    # Neighbours agree at a position as often as chance has it: once in 27.
    equal = int((laid[1:] == laid[:-1]).sum())
    expected = (walls - 1) * 108 / 27
    assert abs(equal - expected) < 5 * expected**0.5
    seeds = [int(wall_seed_of(root, wall)) for root in range(20) for wall in range(200)]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) >= 0


@pytest.mark.parametrize("bound", [2, 3, 27, 107, 108, 1000])
def test_edge_39_every_number_below_a_bound_has_as_many_words(bound: int) -> None:
    """A word counts by its upper half: each number gets a range of halves, the first of which may be refused."""

    def taken(half: int) -> bool:
        return not is_biased(np.uint64(half << 32), bound)

    counts = set()
    for number in range(bound):
        first, beyond = (-(-(place << 32) // bound) for place in (number, number + 1))
        assert scale(np.uint64(first << 32), bound) == scale(np.uint64((beyond - 1) << 32), bound) == number
        assert taken(first + 1)
        assert taken(beyond - 1)
        counts.add(beyond - first - (not taken(first)))
    assert counts == {(1 << 32) // bound}
