"""Stopping by effects, and sequential tests of two presets: decided by the ledger's sums, against blocks by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.errors import ConfigError
from sim.statistics.preset_contrast import PresetRule, asked_of, preset_result
from sim.statistics.sequential import Bounds, log_likelihood_ratio
from sim.statistics.stopping import PrecisionRule, all_half_widths
from sim.tournament.experiment import Contrast, Experiment
from tests.unit.families import ADDER, Played, play_family

CAPS = [{"cap": 3}, {"cap": 5}]


@pytest.fixture(autouse=True)
def _few_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.statistics.rare.FEW", 30)


def plan_of(played: Played, contrast: dict[str, Any] | None = None, target: dict[str, Any] | None = None) -> Any:
    """As much of a plan as the rules read."""
    presets = {cell.preset: {"knobs": dict(cell.settings)} for cell in played.family.cells}
    return SimpleNamespace(
        cells=played.family.cells,
        contrast=None if contrast is None else Contrast(of="presets", **contrast).model_dump(),
        target=target,
        data={"quantities": [item.name for item in ADDER.quantities]},
        preset_of=lambda cell: presets[cell.preset],
    )


def test_who_and_what_is_compared() -> None:
    field, four = play_family(["strong", "weak"], 8, CAPS), play_family(["middle"], 8, CAPS)

    def asked(played: Played, metric: str, who: str | None = None) -> tuple[str, str, int]:
        found, unit = asked_of(plan_of(played), metric, who)
        return found.name, unit.who, unit.index

    assert asked(field, "points") == ("points", "strategy", 0)
    assert asked(field, "win_rate", "weak") == ("win_rate", "strategy", 1)
    assert asked(field, "points", "seat 2") == ("points", "seat", 2)
    assert asked(four, "points") == ("points", "seat", 0)
    assert asked(four, "win_rate") == ("win_rate", "strategy", 0)
    assert asked(four, "exhaustion_rate") == ("exhaustion_rate", "deal", 0)
    for words, message in (
        (("ponts", None), "did you mean points"),
        (("points", "wek"), "did you mean weak"),
        (("exhaustion_rate", "weak"), "is of the deal"),
    ):
        with pytest.raises(ConfigError, match=message):
            asked(field, *words)
    with pytest.raises(ConfigError, match="0 by design"):
        asked(four, "points", "middle")
    with pytest.raises(ConfigError, match="the design has 3 cells"):
        asked(play_family(["middle"], 8, [*CAPS, {"cap": 1}]), "points")


@pytest.mark.parametrize(("metric", "who"), [("points", "strong"), ("mean_value", "weak"), ("win_rate", "seat 0")])
def test_a_look_is_that_of_the_blocks(metric: str, who: str) -> None:
    played = play_family(["strong", "weak"], 80, [{"cap": 3}, {"cap": 5, "lots": 1}])
    contrast = {"low": -0.1, "high": 0.3, "batch": 16, "metric": metric, "who": who}
    rule = PresetRule(plan_of(played, contrast))
    reason = rule.look(80, played.family.totals)
    found, unit = asked_of(rule.plan)
    x, y, x0, y0 = (
        played.blocks(name, unit, played.columns[cell])
        for cell in (1, 0)
        for name in (found.numerator, found.denominator)
    )
    e = (x - x.sum() / y.sum() * y) / y.mean() - (x0 - x0.sum() / y0.sum() * y0) / y0.mean()
    value, deviation = x.sum() / y.sum() - x0.sum() / y0.sum(), e.std(ddof=1)
    (look,) = rule.facts()
    assert look["difference"] == pytest.approx(value, abs=1e-11)
    assert look["half_width"] == pytest.approx(stats.t.ppf(0.975, 79) * deviation / math.sqrt(80))
    ratio = log_likelihood_ratio(80, value, deviation, Bounds(-0.1, 0.3))
    assert look["log_likelihood_ratio"] == pytest.approx(ratio)
    assert (reason is None) == (abs(ratio) < 2.9444)
    result = preset_result(rule.plan, played.family.totals)
    assert result.deviation == pytest.approx(deviation)
    assert result.superiority == pytest.approx(stats.norm.cdf(value / (deviation / math.sqrt(80))))
    assert result.unbiased is not None
    assert result.unbiased.low < result.unbiased.value < result.unbiased.high


def test_a_test_of_presets_decides_and_says_so() -> None:
    played = play_family(["strong", "weak"], 200, [{"cap": 1}, {"cap": 5}])
    plan = plan_of(played, {"low": 0.0, "high": 0.5, "batch": 50, "max_walls": 1_000, "who": "strong"})
    reason = PresetRule(plan).look(200, played.family.totals)
    assert reason is not None
    assert reason.startswith("sequential test: a difference of +0.5 is accepted against +0 (sd of a block) (LLR +")
    assert reason.endswith("; look 1 of at most 20, planned every 50 walls")
    assert preset_result(plan, played.family.totals).decision == 1
    worse = plan_of(played, {"low": 0.0, "high": 0.5, "batch": 50, "who": "weak"})
    assert "a difference of +0 is accepted against +0.5" in (PresetRule(worse).look(200, played.family.totals) or "")


def test_a_width_of_presets_is_met_in_the_metrics_unit() -> None:
    played = play_family(["strong", "weak"], 60, [{"cap": 3}, {"cap": 5, "lots": 1}])
    wide = {"half_width": 0.4, "min_walls": 50, "batch": 20, "metric": "win_rate"}
    reason = PresetRule(plan_of(played, wide)).look(60, played.family.totals)
    assert reason is not None
    assert "share of deals, wanted ±0.4" in reason
    assert PresetRule(plan_of(played, {**wide, "half_width": 0.0001})).look(60, played.family.totals) is None
    assert PresetRule(plan_of(played, {**wide, "min_walls": 61})).look(60, played.family.totals) is None


def test_presets_that_do_not_differ_decide_nothing() -> None:
    played = play_family(["strong", "weak"], 60, [{"cap": 5}, {"cap": 8}])  # hands never have more than 5 fan
    plan = plan_of(played, {"low": 0.0, "high": 0.1})
    assert PresetRule(plan).look(60, played.family.totals) is None
    found = preset_result(plan, played.family.totals)
    assert (found.changed, found.deviation, found.superiority, found.unbiased) == (0, 0.0, None, None)


def test_nothing_happened_is_not_known_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """±0 of no changed wall meets no target; only many walls without a change end a run, and the reason says so."""
    played = play_family(["strong", "weak"], 60, [{"cap": 5}, {"cap": 8}])
    target = {"half_width": 0.5, "min_walls": 16, "max_walls": 640, "batch": 16, "look_ahead": 0}
    width = {"half_width": 0.5, "min_walls": 16, "batch": 16}

    def looks() -> tuple[str | None, str | None]:
        totals = played.family.totals
        return (
            PrecisionRule(plan_of(played, target=target)).look(60, totals),
            PresetRule(plan_of(played, width)).look(60, totals),
        )

    assert looks() == (None, None)
    monkeypatch.setattr("sim.statistics.rare.FEWEST_WALLS", 60)
    for reason in looks():
        assert "no wall of 60 changed: fewer than 3/60 of walls (95 %)" in (reason or "")
        assert "target met" not in (reason or "")
    played.family.totals[1].changed_walls = 29  # of which the interval is far too narrow
    assert looks() == (None, None)


def test_a_few_changed_walls_decide_no_test() -> None:
    played = play_family(["strong", "weak"], 200, [{"cap": 1}, {"cap": 5}])
    plan = plan_of(played, {"low": 0.0, "high": 0.5, "batch": 50, "max_walls": 1_000, "who": "strong"})
    played.family.totals[1].changed_walls = 29
    assert PresetRule(plan).look(200, played.family.totals) is None
    found = preset_result(plan, played.family.totals)
    assert (found.decision, found.unbiased) == (0, None)


def test_a_target_of_a_design_is_about_effects() -> None:
    """Effects on the same walls are known long before the points themselves."""
    played = play_family(["strong", "weak"], 64, [{"cap": 3}, {"cap": 4}, {"cap": 5}])
    found = all_half_widths(plan_of(played), played.family.totals)
    assert [name for _, name in found] == [
        f"field, p{cell} less p0: {who}" for cell in (1, 2) for who in ("strong", "weak")
    ]
    unit = played.family.units[0]
    d = (played.blocks("points", unit, played.columns[2]) - played.blocks("points", unit, played.columns[0])) / 4
    assert found[2][0] == pytest.approx(stats.sem(d) * stats.t.ppf(0.975, 63))
    widest, whose = max(found)
    target = {"half_width": 1.001 * widest, "min_walls": 32, "max_walls": 640, "batch": 32, "look_ahead": 1}
    rule = PrecisionRule(plan_of(played, target=target))
    assert rule.look(64, played.family.totals) is None  # look_ahead
    reason = rule.look(64, played.family.totals)
    assert reason is not None
    assert f"points per deal ({whose}), wanted ±" in reason
    assert reason.endswith("; look 2 of at most 20, planned every 32 walls")
    close = PrecisionRule(plan_of(played, target={**target, "half_width": 0.999 * widest}))
    assert [close.look(64, played.family.totals) for _ in range(3)] == [None] * 3
    four = play_family(["middle"], 64, [{"cap": 3}, {"cap": 5}])
    names = [name for _, name in all_half_widths(plan_of(four), four.family.totals)]
    assert names == [f"field, p1 less p0: seat {seat}" for seat in range(4)]


def test_what_a_target_needs_is_said_after_the_first_look() -> None:
    played = play_family(["strong", "weak"], 64, [{"cap": 3}, {"cap": 5}])
    widest, _ = max(all_half_widths(plan_of(played), played.family.totals))
    told: list[str] = []
    target = {"half_width": widest / 3, "min_walls": 32, "max_walls": 640, "batch": 32, "look_ahead": 1}
    rule = PrecisionRule(plan_of(played, target=target), told.append)
    rule.look(64, played.family.totals)
    rule.look(64, played.family.totals)
    assert len(told) == 1
    assert told[0].endswith("needs about 576") or told[0].endswith("needs about 577")
    rule = PrecisionRule(plan_of(played, target={**target, "half_width": 1e-6}), told.append)
    rule.look(64, played.family.totals)
    assert "more than max_walls 640, so the target is not going to be met" in told[1]


def test_type_one_error_of_a_test_of_presets() -> None:
    """Two presets of which neither is better: 5 % say that one is, through family totals and looks as in a run."""
    wrong = 0
    tests = 60
    for number in range(tests):
        played = play_family(["middle"], 64, [{"cap": 3}, {"cap": 3, "lots": 1}], first_wall=64 * number)
        plan = plan_of(played, {"low": 0.0, "high": 0.8, "batch": 64, "who": "seat 1"})
        wrong += preset_result(plan, played.family.totals).decision == 1
    assert wrong / tests <= 0.15


DATA: dict[str, Any] = {"name": "c", "presets": ["mahjongo"], "line_ups": [{"strategies": ["strong", "weak"]}]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "allowed with one preset, one line-up and a design of two cells"),
        ({"design": {"knobs": {"fan.cap": [2, 4, 5]}}}, "a design of two cells"),
        ({"presets": ["mahjongo", "mahjong-planet"], "design": {"knobs": {"fan.cap": [5]}}}, "one preset"),
        ({"contrast": {"half_width": 1, "metric": "win_rate"}}, 'metric and who go with of = "presets"'),
    ],
)
def test_experiments_that_cannot_be_compared(changes: dict[str, Any], message: str) -> None:
    contrast = {"of": "presets", "low": 0, "high": 0.1}
    with pytest.raises(ConfigError, match=message):
        Experiment(**{**DATA, "contrast": contrast, **changes})


def test_contrasts_of_strategies_keep_their_plans() -> None:
    from sim.tournament.plan import _plan_contrast

    assert "of" not in _plan_contrast(Contrast(half_width=0.1))
    assert _plan_contrast(Contrast(of="presets", half_width=0.1))["of"] == "presets"
    assert np.isclose(_plan_contrast(Contrast(half_width=0.1))["half_width"], 0.1)
