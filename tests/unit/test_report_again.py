"""The files that a report gives play the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from reports.again import experiment_files, ladder_files
from sim.ladder.file import load_ladder
from sim.ladder.plan import LadderPlan, make_ladder_plan
from sim.rules import knob_values, load_preset, with_overrides
from sim.rules.model import Preset
from sim.tournament.experiment import Experiment, load_experiment
from sim.tournament.game import sichuan
from sim.tournament.plan import Plan, make_plan
from strategies.registry import load_strategy
from tests.cli.test_ladder_report import LADDER

if TYPE_CHECKING:
    from pathlib import Path

TITLE = 'Caps, "quoted" & <b>\\ 血战\x7f'
WEAK: dict[str, Any] = {"name": "weak & <b>", "strategies": ["shanten", "random"], "walls": 30}
FOUR: dict[str, Any] = {"strategies": ["isolation"], "seating": "cyclic"}
GRID = {"knobs": {"fan.cap": [3, "none"], "exchange.direction": ["left", "none"]}, "reference": {"fan.cap": 3}}
CASES: dict[str, dict[str, Any]] = {
    "plain": {"walls": 20, "presets": ["mahjongo", {"preset": "mahjongo", "name": "5", "set": {"fan.cap": 5}}]},
    "own preset": {"walls": 20, "presets": [with_overrides(load_preset("mahjongo"), {"fan.cap": 4})]},
    "target": {"target": {"half_width": 0.5, "batch": 20, "max_walls": 100, "min_walls": 20}, "presets": ["mahjongo"]},
    "forfeit": {"walls": 20, "presets": ["mahjongo"], "on_error": "forfeit", "rows": False, "wall_mode": "per_seat"},
    "grid": {"walls": 20, "presets": ["mahjongo", "cardavia-sichuan"], "design": GRID},
    "base with settings": {
        "walls": 20,
        "presets": [{"preset": "mahjongo", "name": "mine", "set": {"kong.exposed": 1, "fan.cap": 7}}],
        "design": {"knobs": {"fan.cap": [3, 4], "win.multiple": [True, False]}, "one_at_a_time": True},
    },
    "samples": {
        "walls": 20,
        "presets": ["mahjongo"],
        "design": {"knobs": {"fan.cap": [2, 3, 4], "kong.exposed": [1, 2, 3]}, "samples": 4},
    },
}


def written_again(plan: Plan, folder: Path) -> Plan:
    files = experiment_files(plan)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return make_plan(load_experiment(folder / next(iter(files))), sichuan(lambda _: None))


def facts(plan: Plan) -> list[Any]:
    """All that a plan says of what is played and compared, but how its design was written."""
    data = {key: value for key, value in plan.data.items() if key not in ("design", "presets", "name")}
    presets = [(preset["name"], knob_values(Preset.model_validate(preset["knobs"]))) for preset in plan.presets]
    cells = (plan.design or {}).get("presets", [])
    design = [[fact[key] for key in ("base", "reference", "settled")] for fact in cells]
    return [data, presets, design, (plan.design or {}).get("rule_blind")]


@pytest.mark.parametrize("case", CASES)
def test_an_experiment_written_out_makes_the_same_plan(case: str, tmp_path: Path) -> None:
    line_ups = [{key: value for key, value in WEAK.items() if key != "walls" or "target" not in CASES[case]}, FOUR]
    experiment = Experiment(name="case", title=TITLE, seed=7, line_ups=line_ups, **CASES[case])
    plan = make_plan(experiment, sichuan(lambda _: None))
    again = written_again(plan, tmp_path)
    assert facts(again) == facts(plan)
    if case in ("plain", "target", "forfeit"):
        assert again.hash == plan.hash


def test_a_ladder_written_out_makes_the_same_plan(tmp_path: Path) -> None:
    def plan_of(file: Path) -> LadderPlan:
        return make_ladder_plan(load_ladder(file), load_strategy, "engine")

    (tmp_path / "first.toml").write_text(LADDER, encoding="utf-8")
    plan = plan_of(tmp_path / "first.toml")
    (name, text), *others = ladder_files(plan).items()
    assert not others
    (tmp_path / name).write_text(text, encoding="utf-8")
    again = plan_of(tmp_path / name)
    assert again.cells == plan.cells
    assert again.systems == plan.systems
    assert again.file == plan.file
    assert {**again.data, "ladder": None} == {**plan.data, "ladder": None}
