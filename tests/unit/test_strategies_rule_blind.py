"""Strategies that call themselves rule-blind: the shipped ones are, the others would be found out, and so is a lie."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from sim import Experiment, run
from sim.errors import StrategyError
from sim.jit import INTERPRETED
from sim.rules import all_knobs, available_presets, load_preset
from sim.tournament.experiment import LineUp
from strategies.blindness import draw_points, draw_settlement, settlement_values
from strategies.contract import Contract, Finding
from strategies.registry import list_strategies, load_strategy
from tests.shipped import shipped

BLIND = ["first_legal", "random", "isolation", "shanten", "ukeire"]
TEST = "rule-blind, as it says"
long = pytest.mark.skipif(INTERPRETED, reason="thousands of decisions")

PYTHON = """
class Mine:
    RULE_BLIND = True
    def choose_turn(self, view):
        if view.legal_win:
            return 64
        return {expression}
"""
NATIVE = """
RULE_BLIND = True
def choose_void_suit(hand, table, rules, lookup):
    return int({expression}) % 3
"""
BATCH = """
import numpy as np
class Mine:
    RULE_BLIND = True
    def choose_void_suit(self, batch):
        return np.abs({expression}) % 3
"""
KEEPS = """
class Mine:
    RULE_BLIND = True
    def choose_void_suit(self, view):
        self.is_timid = view.rules["flower_pig"] > 8
        return view.suit_order[0]
    def choose_turn(self, view):
        return max(view.legal_actions) if getattr(self, "is_timid", False) else min(view.legal_actions)
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text)
    return str(path)


def judge(name: str, walls: int = 12) -> Finding:
    strategy = replace(load_strategy(name), rule_blind=True)
    return Contract(strategy, name, walls=walls).test_rule_blind(TEST)


def test_the_shipped_ones_say_so() -> None:
    assert [name for name in list_strategies() if load_strategy(name).rule_blind] == BLIND


@long
@pytest.mark.parametrize("name", shipped())
def test_the_shipped_ones_are_what_they_say(name: str) -> None:
    """Those that say nothing would be found out if they did."""
    finding = judge(name)
    assert (finding.fault is None) == (name in BLIND), finding
    if finding.fault is None:
        assert finding.facts.endswith(" decisions asked again, 144 deals settled and played again")
    else:
        assert finding.replay.startswith("bloodbattle deal --preset ")


@long
@pytest.mark.parametrize(
    ("text", "expression", "said"),
    [
        (PYTHON, "view.legal_discards[0 if view.points[view.seat] < 0 else -1]", "points so far"),
        (PYTHON, "view.legal_discards[0 if view.rules['kong_transfer'] else -1]", "kong.transfer_on_kong_discard = "),
        (NATIVE, "table.points[0] + 900", "points so far"),
        (NATIVE, "rules.fan_cap", "fan.cap = "),
        (NATIVE, "rules.fan[0] + rules.fan[3] + 4", "fan.patterns."),
        (BATCH, "batch.rules.flower_pig + 0 * batch.seat", "exhaustion.flower_pig = "),
        (BATCH, "batch.table('points')[:, 0]", "points so far"),
    ],
)
def test_a_lie_is_found_and_named(text: str, expression: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path, text.format(expression=expression))
    assert load_strategy(path).rule_blind
    finding = judge(path)
    assert finding.fault is not None
    assert said in finding.fault
    assert finding.replay.endswith(path) or path in finding.replay


@long
def test_what_is_kept_for_later_is_found_too(tmp_path: Path) -> None:
    """Nothing is chosen by the rules in the decision in which they are looked at: only whole deals show it."""
    finding = judge(write(tmp_path, KEEPS))
    assert finding.fault == "a deal goes on otherwise under other settlement-only knobs"
    assert finding.replay.startswith("bloodbattle deal --preset ")


@long
def test_the_contract_asks_only_those_that_say_so() -> None:
    for name, is_asked in (("first_legal", True), ("defence", False)):
        tests = [finding.test for finding in Contract(load_strategy(name), name, walls=1).run()]
        assert (TEST in tests) == is_asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def choose_turn(hand, table, rules, lookup):\n    return hand.drawn\n", False),
        (
            "RULE_BLIND = False\nclass Mine:\n    RULE_BLIND = True\n    def choose_turn(self, view):\n        pass\n",
            True,
        ),
        ("RULE_BLIND = True\nclass Mine:\n    def choose_turn(self, batch):\n        pass\n", True),
        ("class Mine:\n    def choose_turn(self, batch):\n        pass\n", False),
    ],
)
def test_file_or_class_says_so(text: str, expected: bool, tmp_path: Path) -> None:
    assert load_strategy(write(tmp_path, text)).rule_blind is expected


def test_parameters_do_not_change_it(tmp_path: Path) -> None:
    path = write(
        tmp_path, 'PARAMETERS = {"a": (0, 0, 1, "nothing")}\n' + NATIVE.format(expression="hand.parameters[0]")
    )
    assert load_strategy(f"{path}{{a=1}}").rule_blind


def test_something_else_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "RULE_BLIND = 1\ndef choose_turn(hand, table, rules, lookup):\n    return hand.drawn\n")
    with pytest.raises(StrategyError, match=r"mine\.py: RULE_BLIND is 1; allowed: True or False"):
        load_strategy(path)


def test_every_settlement_only_knob_is_drawn_and_no_other() -> None:
    lots = random.Random(1)
    keys = {key for key, knob in all_knobs().items() if knob.settlement_only}
    assert set(settlement_values()) == keys
    seen: dict[str, set[object]] = {key: set() for key in keys}
    for number in range(200):
        name = available_presets()[number % 3]
        drawn = draw_settlement(name, {"win.multiple": False}, lots)
        assert drawn.pop("win.multiple") is False
        assert set(drawn) == keys
        load_preset(name, drawn)
        for key, value in drawn.items():
            seen[key].add(value)
    for key, values in settlement_values().items():
        assert len(seen[key]) >= min(2, len(values)), key
    assert "none" in seen["fan.cap"]


def test_points_sum_to_zero() -> None:
    lots = random.Random(1)
    drawn = [draw_points(lots) for _ in range(20)]
    assert all(len(points) == 4 and sum(points) == 0 for points in drawn)
    assert len({tuple(points) for points in drawn}) > 10


@long
def test_a_lie_is_found_out_when_a_design_is_played(tmp_path: Path) -> None:
    """Cells of blind players are not played; that the first deals would be the same is checked."""
    mine = write(tmp_path, KEEPS)
    design = {"knobs": {"exhaustion.flower_pig": [0, 16]}}
    experiment = Experiment(
        name="lie",
        walls=20,
        presets=["mahjongo"],
        design=design,
        rows=False,
        line_ups=[{"strategies": [mine, "random"]}],
    )
    with pytest.raises(
        StrategyError, match=r"mine.py, random: RULE_BLIND = True, but under mahjongo exhaustion.flower_pig="
    ):
        run(experiment, out=tmp_path / "run", progress=False)
    honest = experiment.model_copy(update={"line_ups": (LineUp(strategies=("random",)),)})
    assert run(honest, out=tmp_path / "honest", progress=False).is_finished
