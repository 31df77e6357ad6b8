"""What reports say in sentences about the very run that they report on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl
import pytest

from reports import against
from reports.against import compare_presets
from reports.entries import chance
from reports.runs import report_run
from sim.api import Result, open_run, run
from sim.statistics.contrast import contrast_of, read_blocks
from sim.statistics.difference import p_of
from sim.tournament.experiment import Experiment
from strategies.parameters import declares_rule_blind
from strategies.references import parse_reference

if TYPE_CHECKING:
    from pathlib import Path

    from reports.model import Report

WEAK = {"name": "weak", "strategies": ["shanten", "random"]}
PLAIN = ("mahjongo", "cardavia-sichuan")
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
        assert other.changed is None
    cells = {(c.cell.preset, p.name): p.metrics["points"] for c in plain.numbers.cells for p in c.strategies}
    widths = [cells[preset, "shanten"].half_width or 0 for preset in ("mahjongo", "cardavia-sichuan")]
    assert apart[0].half_width == pytest.approx(math.hypot(*widths))


def test_a_plain_run_has_a_sentence_for_each_line_up(plain: Result) -> None:
    report = report_run(plain)
    assert [said.partition(":")[0] for said in report.verdicts if "difference" in said.partition(":")[2]] == [
        "weak",
        "four",
    ]
    assert (
        "adjusted by Holm, each of 2 groups by itself: 3 differences of presets; 2 shanten less random, one for each"
        " preset." in said_in(report, "doubts")
    )
    assert "Blind to the rules of payment (RULE_BLIND): isolation, random, shanten." in said_in(report, "doubts")
    assert "fan.patterns" in said_in(report, "doubts")


def test_two_strategies_under_several_presets_are_adjusted_together(plain: Result) -> None:
    report = report_run(plain)
    cells = [[c for c in plain.plan.cells if c.preset == name and c.line_up == "weak"] for name in PLAIN]
    chunks = [entry.chunk for entry in plain.folder.ledger.entries()]
    ps = []
    for name, mine in zip(PLAIN, cells, strict=True):
        found = contrast_of(plain.folder, "shanten", "random", name, read_blocks(plain.folder, chunks, mine))
        ps.append(p_of(found.difference) or 0.0)
    held = [min(1.0, max(2 * min(ps), p)) for p in ps]  # Holm for two
    said = [said for said in report.verdicts if "random under" in said]
    assert len(said) == 2
    for sentence, p in zip(said, held, strict=True):
        assert f"p {chance(p).text}, adjusted by Holm for 2 presets." in sentence
        assert ("is better than" in sentence) == (p < 0.05)


def test_presets_that_change_nothing_are_dead_and_not_tested(place: Path) -> None:
    same = {"preset": "mahjongo", "name": "same", "set": {"fan.cap": 19}}
    wider = {"preset": "mahjongo", "name": "wider", "set": {"fan.cap": 20}}
    experiment = Experiment(name="dead", walls=12, presets=[same, wider, "mahjong-planet"], line_ups=[WEAK], seed=3)
    report = report_run(run(experiment, out=place / "dead", progress=False))
    table = next(table for table in report.tables() if table.key == "presets")
    shown = [(row[1].text, row[3].text, row[5].text, row[6].text) for row in table.rows]
    assert shown[:2] == [("wider", "shanten", "0.000", "dead"), ("wider", "random", "0.000", "dead")]
    assert all(row[6].value is not None for row in table.rows[2:])
    assert "adjusted together by Holm: 2 differences." in table.note
    assert "they change on fewer than 25 % of walls, 95 %" in table.note
    assert "2 differences of presets" in said_in(report, "doubts")


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
    report = report_run(open_run(tmp_path))
    (warning,) = report.warnings
    assert dict(report.facts)["Walls"].startswith("40 in each cell, the same for all; a wall")
    assert "What was found rests on the 40 walls that all the cells compared have played." in warning
    assert "bloodbattle resume" in warning


def test_an_interrupted_run_names_the_cells_that_have_nothing(plain: Result, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes((plain.path / "plan.json").read_bytes())
    (tmp_path / "chunks").mkdir()
    first = plain.plan.cells[0]
    lines = (plain.path / "ledger.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    entries = list(plain.folder.ledger.entries())
    kept = [place for place, entry in enumerate(entries) if entry.chunk.cell == first.index]
    assert len(lines) == len(entries)
    (tmp_path / "ledger.jsonl").write_text("".join(lines[place] for place in kept), encoding="utf-8")
    for place in kept:
        file = entries[place].chunk.file
        (tmp_path / file).write_bytes((plain.path / file).read_bytes())
    report = report_run(open_run(tmp_path))
    facts = dict(report.facts)
    assert facts["Deals"].endswith(" in 1 of 4 cells")
    assert facts["Walls"].startswith("40; a wall")
    others = [f"{cell.line_up}, {cell.preset}" for cell in plain.plan.cells[1:]]
    assert f"Nothing yet in 3 of 4 cells: {'; '.join(others)}." in report.warnings[0]


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
