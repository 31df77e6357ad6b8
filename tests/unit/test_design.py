"""Designs: which cells they make, what the plan says of them, and what is refused before anything runs."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sim.errors import ConfigError
from sim.rules import knob_values, load_preset, settlement_only
from sim.tournament.design import Design, label_of
from sim.tournament.experiment import Experiment, load_experiment
from sim.tournament.families import expand
from sim.tournament.plan import make_plan
from tests.fake_game import FAKE, SKILLS, FakeStrategy

if TYPE_CHECKING:
    from sim.tournament.plan import Plan

CAP, PIG, TAKE = "fan.cap", "exhaustion.flower_pig", "exchange.direction"


def load(name: str) -> Any:
    return FakeStrategy(name, f"digest-of-{name}", SKILLS[name], rule_blind=name != "weak")


GAME = replace(FAKE, load_strategy=load)
NO_SETTLING = replace(GAME, play_and_settle=None)


def experiment(design: Any, **changes: Any) -> Experiment:
    data: dict[str, Any] = {
        "name": "caps",
        "walls": 10,
        "presets": ["mahjongo"],
        "line_ups": [{"strategies": ["middle"]}],
        "design": design,
    }
    return Experiment(**{**data, **changes})


def plan_of(design: Any, **changes: Any) -> Plan:
    return make_plan(experiment(design, **changes), GAME, where="caps.toml")


def complaint(design: Any, **changes: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        plan_of(design, **changes)
    return str(caught.value)


# ----------------------------------------------------------------------------------------------------------- the cells


def test_one_knob_and_its_reference() -> None:
    cap = knob_values(load_preset("mahjongo"))[CAP]
    plan = plan_of({"knobs": {CAP: [2, "none"]}})
    assert [cell.preset for cell in plan.cells] == ["mahjongo", "mahjongo fan.cap=2", "mahjongo fan.cap=none"]
    assert [cell.settings for cell in plan.cells] == [{}, {CAP: 2}, {CAP: "none"}]
    assert {cell.reference for cell in plan.cells} == {0}
    assert {cell.base for cell in plan.cells} == {"mahjongo"}
    assert [plan.preset_of(cell)["knobs"]["fan"]["cap"] for cell in plan.cells] == [cap, 2, "none"]
    same = plan_of({"knobs": {CAP: [2, cap]}})
    assert [cell.settings for cell in same.cells] == [{CAP: 2}, {CAP: cap}]
    assert {cell.reference for cell in same.cells} == {1}


def test_grids_cells_and_one_at_a_time() -> None:
    knobs = {CAP: [2, 3], PIG: [0, 1, 2]}
    assert Design(knobs=knobs).settings(1)[:2] == ({CAP: 2, PIG: 0}, {CAP: 2, PIG: 1})
    assert Design(knobs=knobs).count == len(Design(knobs=knobs).settings(1)) == 6
    alone = Design(knobs=knobs, one_at_a_time=True, reference={TAKE: "left"})
    assert alone.settings(1) == tuple({TAKE: "left", key: value} for key, values in knobs.items() for value in values)
    assert alone.count == 5
    chosen = Design(cells=[{CAP: 4}, {"fan": {"cap": 5}, PIG: 16}])
    assert chosen.settings(1) == ({CAP: 4}, {CAP: 5, PIG: 16})
    kinds = [Design(knobs={CAP: [3]}), Design(knobs=knobs), chosen, Design(knobs=knobs, samples=5)]
    assert [design.shape for design in kinds] == ["one_knob", "grid", "cells", "latin_hypercube"]
    assert Design(kind="grid", knobs={CAP: [3]}).count == 1


def test_samples_take_each_value_equally_often() -> None:
    knobs = {CAP: [2, 3, 4, 5], PIG: list(range(8)), TAKE: ["left", "right"]}
    design = Design(knobs=knobs, samples=32)
    cells = design.settings(7)
    assert cells == design.settings(7) != design.settings(8)
    for key, values in knobs.items():
        counts = Counter(cell[key] for cell in cells)
        assert counts == {value: 32 // len(values) for value in values}  # type: ignore[arg-type]


def test_a_family_for_each_base_and_line_up() -> None:
    plan = plan_of(
        {"knobs": {CAP: [2, 3]}, "reference": {CAP: 3}},
        presets=["mahjongo", {"preset": "mahjong-planet", "name": "planet"}],
        line_ups=[{"strategies": ["middle"]}, {"strategies": ["strong", "weak"], "walls": 4}],
    )
    families = [[(cell.preset, cell.line_up, cell.walls) for cell in family] for family in plan.families]
    assert families == [
        [(f"{base} fan.cap={cap}", line_up, walls) for cap in (2, 3)]
        for base in ("mahjongo", "planet")
        for line_up, walls in (("middle", 10), ("strong-vs-weak", 4))
    ]
    assert [cell.reference for cell in plan.cells] == [2, 3, 2, 3, 6, 7, 6, 7]
    assert len(plan.tasks) == 4
    assert sorted(chunk.id for task in plan.tasks for chunk in task.chunks) == sorted(c.id for c in plan.chunks)


def test_which_cells_are_settled() -> None:
    assert settlement_only(CAP)
    assert not settlement_only(TAKE)
    base = knob_values(load_preset("mahjongo"))
    other = next(word for word in ("left", "across") if word != base[TAKE])
    design = {"cells": [{CAP: 2}, {TAKE: other}, {CAP: 2, TAKE: other}]}
    line_ups = [{"strategies": ["middle"]}, {"strategies": ["middle", "weak"]}]

    plan = plan_of(design, line_ups=line_ups)
    settled = [(cell.preset, cell.line_up) for cell in plan.cells if cell.is_settled]
    assert settled == [("mahjongo fan.cap=2", "middle"), ("mahjongo fan.cap=2", "middle-vs-weak")]
    assert [cell.line_up for cell in plan.cells if cell.source == "settled"] == ["middle"]
    cannot = make_plan(experiment(design, line_ups=line_ups), NO_SETTLING)
    assert not any(cell.is_settled for cell in cannot.cells)


def test_equal_rules_are_played_once() -> None:
    cap = knob_values(load_preset("mahjongo"))[CAP]
    plan = plan_of({"cells": [{CAP: 2}, {}, {CAP: cap}]})
    assert [cell.preset for cell in plan.cells] == ["mahjongo fan.cap=2", "mahjongo"]


def test_sets_go_under_the_design() -> None:
    changed = experiment({"knobs": {CAP: [2, 3]}}).changed(sets={CAP: 5, PIG: 7}, walls=3)
    plan = make_plan(changed, GAME)
    assert [(cell.preset, cell.walls) for cell in plan.cells] == [
        ("mahjongo", 3),
        ("mahjongo fan.cap=2", 3),
        ("mahjongo fan.cap=3", 3),
    ]
    knobs = [plan.preset_of(cell)["knobs"] for cell in plan.cells]
    assert [one["fan"]["cap"] for one in knobs] == [5, 2, 3]
    assert {one["exhaustion"]["flower_pig"] for one in knobs} == {7}


def test_a_plan_without_a_design_says_nothing_of_it() -> None:
    plan = plan_of(None)
    assert "design" not in plan.data
    cell = plan.cells[0]
    assert (cell.base, cell.settings, cell.reference, cell.source, cell.is_settled) == (
        "mahjongo",
        {},
        None,
        "played",
        False,
    )
    again = plan_of({"knobs": {CAP: [2]}})
    assert json.loads(again.text)["design"]["kind"] == "one_knob"


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "caps.toml"
    file.write_text(
        'walls = 10\npresets = ["mahjongo"]\n[design]\none_at_a_time = true\n[design.knobs]\nfan.cap = [2, "none"]\n'
        '[[line_ups]]\nstrategies = ["middle"]\n',
        encoding="utf-8",
    )
    design = load_experiment(file).design
    assert design is not None
    assert design.settings(1) == ({CAP: 2}, {CAP: "none"})


def test_documented_designs_can_be_run() -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text("utf-8")
    blocks = [block for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "[design]" in block]
    assert blocks
    for block in blocks:
        presets, facts = expand(Experiment(name="documented", **tomllib.loads(block)), "")
        assert len(presets) == len(facts) > 2
    for text in re.findall(r"`(cells = \[.*?\]|reference = \{.*?\})`", page):
        design = Design(**tomllib.loads(text), **({} if text.startswith("cells") else {"knobs": {CAP: [2]}}))
        assert design.count


# ----------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("design", "words"),
    [
        ({}, ["design: came no knobs and no cells"]),
        ({"knobs": {}}, ["design: came no knobs and no cells"]),
        ({"cells": []}, ["design: came no knobs and no cells"]),
        ({"kind": "cells"}, ["design: cells: came no cells"]),
        ({"knobs": {"fan.capp": [3]}}, ["design.knobs: fan.capp: unknown key", "did you mean fan.cap?"]),
        ({"knobs": {"fan": [3]}}, ["design.knobs: fan: a table, not a knob"]),
        ({"knobs": {CAP: []}}, ["design.knobs: fan.cap: came no values; allowed: a whole number"]),
        ({"knobs": {CAP: 3}}, ["design.knobs: fan.cap: wrong type: 3 is a whole number; allowed: an array"]),
        ({"knobs": {CAP: [3, -1]}}, ["design.knobs: fan.cap: impossible value: -1"]),
        ({"knobs": {CAP: [3, "nonee"]}}, ["design.knobs: fan.cap: wrong type", "did you mean none?"]),
        ({"knobs": {CAP: [3, 3]}}, ["design.knobs: fan.cap: 3 comes twice"]),
        ({"knobs": {CAP: [3], "fan": {"cap": [4]}}}, ["design.knobs: fan.cap: given twice"]),
        ({"knobs": [CAP]}, ["design.knobs: wrong type", "allowed: a table of knobs"]),
        ({"knobs": {CAP: [3]}, "cells": [{CAP: 4}]}, ["design: knobs: not together with cells"]),
        ({"cells": [{CAP: 4}], "samples": 9}, ["design: samples: not together with cells"]),
        ({"cells": [{CAP: 4}, {CAP: 4}]}, ["design: cells[1]: fan.cap=4 comes twice"]),
        ({"cells": [{CAP: 4, "exchange.direktion": "left"}]}, ["design.cells[0]: exchange.direktion: unknown key"]),
        ({"knobs": {CAP: [2, 3]}, "reference": {CAP: 99}}, ["design.reference: fan.cap: impossible value: 99"]),
        ({"knobs": {CAP: [2, 3]}, "kind": "latin_hypercube"}, ["design: samples: missing"]),
        ({"knobs": {CAP: [2, 3]}, "kind": "cells"}, ["design: knobs: not together with cells"]),
        ({"knobs": {CAP: [2, 3], PIG: [1]}, "kind": "one_knob"}, ['design: kind: "one_knob" does not go']),
        ({"knobs": {CAP: [2, 3]}, "kind": "gird"}, ['design.kind: impossible value: "gird"; did you mean grid?']),
        ({"knobs": {CAP: [2, 3]}, "samples": 2}, ["design: samples: came 2; the whole grid has 2 cells"]),
        ({"knobs": {CAP: [2, 3]}, "samples": 1}, ["design.samples: impossible value: 1; allowed: at least 2"]),
        ({"knobs": {CAP: [2, 3]}, "samples": 2, "one_at_a_time": True}, ["one_at_a_time: not together with samples"]),
        ({"knob": {CAP: [2, 3]}}, ["design.knob: unknown key; did you mean knobs?"]),
        ("fan.cap", ["design: wrong type"]),
    ],
)
def test_wrong_designs_are_named(design: Any, words: list[str]) -> None:
    text = complaint(design)
    for word in words:
        assert word in text


def test_a_large_grid_is_counted_not_listed() -> None:
    text = complaint({"knobs": {PIG: list(range(101)), CAP: [2, 3]}})
    assert "design: a grid of 202 cells; allowed: at most 200; give samples" in text
    hundred = list(range(100))
    huge = {PIG: hundred, "kong.concealed": hundred, "kong.added": hundred, "kong.exposed": hundred}
    assert "a grid of 100,000,000 cells" in complaint({"knobs": huge})
    assert plan_of({"knobs": huge, "samples": 3}).deals == 40
    many = complaint(
        {"knobs": huge, "samples": 999}, line_ups=[{"strategies": ["middle"], "name": f"{n}"} for n in range(11)]
    )
    assert "10,989 cells; allowed: at most 10,000" in many


def test_sets_that_change_nothing_are_refused() -> None:
    text = complaint(
        {"knobs": {CAP: [2, 3]}, "reference": {CAP: 2}}, presets=[{"preset": "mahjongo", "set": {"fan": {"cap": 5}}}]
    )
    assert "presets[0].set: fan.cap is set by the design in every cell" in text
    cap = knob_values(load_preset("mahjongo"))[CAP]
    assert "design: changes nothing: every cell has the rules of mahjongo" in complaint({"knobs": {CAP: [cap]}})


def test_a_base_that_stays_as_it_is_is_left_out() -> None:
    cap = knob_values(load_preset("mahjongo"))[CAP]
    other = {"preset": "mahjongo", "name": "other", "set": {"kong.concealed": 4}}
    plan = plan_of({"knobs": {CAP: [cap]}}, presets=["mahjongo", "cardavia-sichuan"])
    assert {cell.base for cell in plan.cells} == {"cardavia-sichuan"}
    assert "every cell has the rules of mahjongo and other" in complaint(
        {"knobs": {CAP: [cap]}}, presets=["mahjongo", other]
    )


def test_labels_that_meet_are_refused() -> None:
    text = complaint(
        {"knobs": {CAP: [2, 3]}},
        presets=["mahjongo", {"preset": "cardavia-sichuan", "name": label_of("mahjongo", {CAP: 2})}],
    )
    assert 'presets: "mahjongo fan.cap=2" comes twice' in text


def test_impossible_combinations_name_their_cell() -> None:
    text = complaint({"knobs": {CAP: [3, "none"], "fan.patterns.root": [1, 6]}})
    assert text.startswith('caps.toml: design: cell "mahjongo fan.cap=none, fan.patterns.root=6": fan: without a cap')
    assert len(text.splitlines()) == 1
    lines = complaint({"cells": [{CAP: "none", "fan.patterns.root": 6, PIG: pig} for pig in range(20)]}).splitlines()
    assert len(lines) == 13
    assert lines[-1] == "caps.toml: design: and 8 more"
