"""Two runs compared: paired and independent differences against rows added up by hand; faults found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from sim import api
from sim.commands.diff import make_report
from sim.errors import ConfigError, InvariantError
from sim.statistics.diff import CellDiff, MetricDifference, diff_runs
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path

DATA: dict[str, Any] = {
    "name": "one",
    "walls": 50,
    "presets": ["mahjongo"],
    "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
}
CAPPED = [{"preset": "mahjongo", "set": {"fan.cap": 5}}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


def play(folder: Path, name: str, **changes: Any) -> api.Result:
    return api.run(Experiment(**{**DATA, **changes}), out=folder / name, game=FAKE)


@pytest.fixture(scope="module")
def base(folder: Path) -> api.Result:
    return play(folder, "base")


@pytest.fixture(scope="module")
def capped(folder: Path) -> api.Result:
    return play(folder, "capped", presets=CAPPED, walls=40)


def pick(cell: CellDiff, who: str, name: str, metric: str) -> MetricDifference:
    (row,) = [row for row in cell.metrics if (row.who, row.name, row.metric.name) == (who, name, metric)]
    return row


def by_wall(run: api.Result, cell: int, strategy: str) -> np.ndarray:
    rows = run.seats().filter(cell=cell, strategy=strategy).group_by("wall")
    return rows.agg(pl.col("points").cast(pl.Float64).mean()).sort("wall").collect()["points"].to_numpy()


def test_same_walls_are_paired_on_those_that_both_have(base: api.Result, capped: api.Result) -> None:
    found = diff_runs(base, capped)
    assert any("fan.cap" in line for line in found.plans)
    assert [(cell.pairing, cell.walls, cell.homogeneity) for cell in found.cells] == [("by wall", (40, 40), None)] * 2
    row = pick(found.cells[0], "strategy", "strong", "points")
    d = by_wall(capped, 0, "strong") - by_wall(base, 0, "strong")[:40]
    assert row.difference.value == pytest.approx(d.mean())
    assert row.difference.half_width == pytest.approx(stats.sem(d) * stats.t.ppf(0.975, 39))
    assert row.difference.p == pytest.approx(stats.ttest_1samp(d, 0).pvalue)
    assert row.one == pytest.approx(by_wall(base, 0, "strong")[:40].mean())
    ratio = pick(found.cells[0], "strategy", "weak", "mean_value")
    won = base.seats().filter(pl.col("cell") == 0, pl.col("strategy") == "weak", pl.col("win_order") > 0).collect()
    assert ratio.one == pytest.approx(won.filter(pl.col("wall") < 40)["value"].mean())
    assert {row.who for row in found.cells[1].metrics} == {"strategy", "seat", "deal"}
    adjusted = stats.false_discovery_control([row.difference.p for cell in found.cells for row in cell.metrics])
    assert [row.p_adjusted for cell in found.cells for row in cell.metrics] == pytest.approx(adjusted.tolist())


def test_other_walls_are_independent_and_must_fit(base: api.Result, folder: Path) -> None:
    found = diff_runs(base, play(folder, "other", seed=2, walls=70))
    cell = found.cells[0]
    assert (cell.pairing, cell.walls) == ("independent", (50, 70))
    row = pick(cell, "strategy", "strong", "points")
    a, b = by_wall(base, 0, "strong"), by_wall(api.open_run(folder / "other"), 0, "strong")
    welch = stats.ttest_ind(b, a, equal_var=False)
    assert row.difference.p == pytest.approx(welch.pvalue)
    interval = welch.confidence_interval()
    assert row.difference.half_width == pytest.approx((interval.high - interval.low) / 2)
    assert cell.homogeneity is not None
    assert cell.homogeneity.p > 0.001


def test_without_rows_nothing_is_paired(base: api.Result, capped: api.Result, folder: Path) -> None:
    bare = play(folder, "bare", presets=CAPPED, rows=False)
    found = diff_runs(base, bare)
    assert {cell.pairing for cell in found.cells} == {"independent, same walls"}
    wide = pick(found.cells[0], "strategy", "strong", "points").difference
    narrow = pick(diff_runs(base, capped).cells[0], "strategy", "strong", "points").difference
    assert wide.half_width > narrow.half_width
    assert "they cannot be paired" in " ".join(make_report(base, bare, found).notes)


def test_the_same_run_differs_in_nothing(base: api.Result) -> None:
    found = diff_runs(base, base)
    assert found.plans == []
    assert all(row.difference.value == row.difference.error == 0 for cell in found.cells for row in cell.metrics)
    notes = make_report(base, base, found).notes
    assert notes[0] == "plans: the same plan"
    assert any(note.startswith("no metric differs beyond luck") for note in notes)


def test_the_same_plan_with_other_sums_is_a_fault(base: api.Result, folder: Path) -> None:
    path = folder / "broken"
    path.mkdir()
    for name in ("plan.json", "outcome.json"):
        (path / name).write_bytes((base.path / name).read_bytes())
    lines = [json.loads(line) for line in (base.path / "ledger.jsonl").read_text("utf-8").splitlines()]
    for seat in range(4):
        lines[0]["sums"]["draws"][seat] += 1
    for line in lines:
        del line["check"]  # a line without one counts, as older ones do
    text = "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines)
    (path / "ledger.jsonl").write_text(text, "utf-8")
    with pytest.raises(InvariantError, match="gave other sums; one of the machines is at fault"):
        diff_runs(base, api.open_run(path))


def test_cells_are_matched_by_name(base: api.Result, folder: Path) -> None:
    presets = [{"preset": "cardavia-sichuan", "name": "c"}]
    other = play(folder, "renamed", presets=presets, line_ups=[{"strategies": ["middle"]}, {"strategies": ["twin"]}])
    found = diff_runs(base, other)  # one preset each: they are compared whatever they are called
    assert [(cell.one.preset, cell.other.preset, cell.one.line_up) for cell in found.cells] == [
        ("mahjongo", "c", "middle")
    ]
    assert [[cell.line_up for cell in side] for side in found.only] == [["strong-vs-weak"], ["twin"]]
    notes = " ".join(make_report(base, other, found).notes)
    assert "only in RUN1: 0 mahjongo, strong-vs-weak" in notes
    two = play(folder, "two", presets=[*presets, "mahjong-planet"])
    with pytest.raises(ConfigError, match=r"no cell of .*base that was played has the preset and the line-up"):
        diff_runs(base, two)


def test_effects_that_are_there_are_found(base: api.Result, folder: Path) -> None:
    other = play(folder, "raised", presets=[{"preset": "mahjongo", "set": {"fan.cap": "none"}}])
    report = make_report(base, other, diff_runs(base, other))
    assert report.grids[1].title.startswith("Metrics that differ (")
    assert any(row[0].startswith("mean_value of ") for row in report.grids[1].rows)
    assert len(report.records) == len(report.data["metrics"]) > 100
