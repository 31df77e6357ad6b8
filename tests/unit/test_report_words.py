"""What reports say in sentences about the very run that they report on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl
import pytest

from reports import against
from reports.against import compare_presets
from reports.runs import report_run
from sim.api import Result, open_run, run
from sim.tournament.experiment import Experiment
from strategies.parameters import declares_rule_blind
from strategies.references import parse_reference

if TYPE_CHECKING:
    from pathlib import Path

    from reports.model import Report

WEAK = {"name": "weak", "strategies": ["shanten", "random"]}
FOUR = {"name": "four", "strategies": ["isolation"]}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("words")


@pytest.fixture(scope="module")
def plain(place: Path) -> Result:
    experiment = Experiment(
        name="plain", walls=40, presets=["mahjongo", "cardavia-sichuan"], line_ups=[WEAK, FOUR], seed=3
    )
    return run(experiment, out=place / "plain", progress=False)


@pytest.fixture(scope="module")
def grid(place: Path) -> Result:
    knobs = {"fan.cap": [1, 2, 3, 4, 5, 6, 7, 8, "none"]}
    experiment = Experiment(
        name="grid", walls=20, presets=["mahjongo"], design={"knobs": knobs}, line_ups=[WEAK], rows=False
    )
    return run(experiment, out=place / "grid", progress=False)


def said_in(report: Report, key: str) -> str:
    section = next(section for section in report.sections if section.key == key)
    return "\n".join(block for block in section.blocks if isinstance(block, str))


def test_presets_are_compared_wall_by_wall(plain: Result) -> None:
    found = compare_presets(plain)
    assert [(one.line_up, one.who) for one in found] == [
        ("weak", "shanten"),
        ("weak", "random"),
        ("four", "the dealer"),
    ]
    rows = plain.seats().collect()
    for one in found:
        mine = pl.col("seat") == 0 if one.who == "the dealer" else pl.col("strategy").cast(pl.String) == one.who
        cells = [cell for cell in plain.plan.cells if cell.line_up == one.line_up]
        means = [
            rows.filter(mine & (pl.col("cell") == cell.index))
            .group_by("wall")
            .agg(pl.col("points").mean())
            .sort("wall")
            for cell in cells
        ]
        gaps = (means[1]["points"] - means[0]["points"]).to_list()
        mean = math.fsum(gaps) / 40
        error = math.sqrt(math.fsum((gap - mean) ** 2 for gap in gaps) / 39 / 40)
        assert one.value == pytest.approx(mean)
        assert one.half_width == pytest.approx(2.0226909 * error)  # t(97.5 %, 39)
        assert one.blocks == 40


def test_without_rows_presets_are_compared_as_if_apart(plain: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    paired = compare_presets(plain)
    monkeypatch.setattr(against, "MOST_WALLS", 39)
    apart = compare_presets(plain)
    for one, other in zip(paired, apart, strict=True):
        assert other.value == pytest.approx(one.value)
        assert not other.is_paired
    cells = {(c.cell.preset, p.name): p.metrics["points"] for c in plain.numbers.cells for p in c.strategies}
    widths = [cells[preset, "shanten"].half_width or 0 for preset in ("mahjongo", "cardavia-sichuan")]
    assert apart[0].half_width == pytest.approx(math.hypot(*widths))


def test_a_plain_run_has_a_sentence_for_each_line_up(plain: Result) -> None:
    report = report_run(plain)
    assert [said.partition(":")[0] for said in report.verdicts if "presets" in said] == ["weak", "four"]
    assert "5 comparisons" in said_in(report, "doubts")  # three of presets, and shanten with random under both
    assert "Blind to the rules of payment (RULE_BLIND): isolation, random, shanten." in said_in(report, "doubts")
    assert "fan.patterns" in said_in(report, "doubts")


def test_a_run_of_one_cell_says_who_is_ahead_and_nothing_of_other_cells(place: Path) -> None:
    experiment = Experiment(name="one", walls=12, presets=["mahjongo"], line_ups=[{"strategies": ["isolation"]}])
    report = report_run(run(experiment, out=place / "one", progress=False))
    assert len(report.verdicts) == 1
    assert "the dealer gets" in report.verdicts[0]
    assert "cells" not in said_in(report, "doubts")


def test_a_design_names_what_was_settled_and_what_cannot_be_moved(grid: Result) -> None:
    report = report_run(grid)
    doubts = said_in(report, "doubts")
    settled = sum(cell.source == "settled" for cell in grid.plan.cells)
    assert settled
    assert f"{settled} of {len(grid.plan.cells)} cells were settled again, not played" in doubts
    assert "Of the knobs that differ here: fan.cap." in doubts
    effects = grid.effects()
    assert f"{len(effects.filter(effects['p'].is_not_null())):,} comparisons have a p-value" in doubts
    assert "only deals that end otherwise carry information" in doubts
    assert "cannot be moved on this page: it has 9 cells" in said_in(report, "effects")
    assert not any(said.startswith("warning") for said in [*report.verdicts, *report.warnings])


def test_an_unfinished_run_says_on_which_walls_it_rests(plain: Result, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes((plain.path / "plan.json").read_bytes())
    (tmp_path / "chunks").mkdir()
    for file in (plain.path / "chunks").iterdir():
        (tmp_path / "chunks" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "ledger.jsonl").write_bytes((plain.path / "ledger.jsonl").read_bytes())
    (warning,) = report_run(open_run(tmp_path)).warnings
    assert "What was found rests on the 40 walls that all the cells compared have played." in warning
    assert "bloodbattle resume" in warning


def test_whether_a_file_declares_itself_blind_is_read_without_running_it(tmp_path: Path) -> None:
    assert declares_rule_blind(parse_reference("ukeire")) is True
    assert declares_rule_blind(parse_reference("value")) is False
    mine = tmp_path / "mine.py"
    mine.write_text(
        "raise SystemExit\n\nclass Mine:\n    RULE_BLIND = True\n\nclass Other:\n    pass\n", encoding="utf-8"
    )
    assert declares_rule_blind(parse_reference(f"{mine}:Mine")) is True
    assert declares_rule_blind(parse_reference(f"{mine}:Other")) is False
    assert declares_rule_blind(parse_reference(str(tmp_path / "gone.py"))) is None
