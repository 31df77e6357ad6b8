"""`report`: pages and files of runs, finished or not."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from reports.files import show_csv
from reports.html import show_report
from reports.model import NOTHING, Choice, Report, Table
from reports.runs import report_run
from sim.api import Result, open_run
from sim.rules.model import Preset
from tests.cli.test_run_cli import call

EXPERIMENT = """
title = "Caps and <script>ways</script>"
walls = 120
rows = false
presets = ["mahjongo", "cardavia-sichuan"]

[design]
knobs = { "fan.cap" = [1, "none"], "exchange.direction" = ["none", "left"] }
reference = { "fan.cap" = 1, "exchange.direction" = "none" }

[[line_ups]]
name = "weak & <b>strong</b>"
strategies = ["shanten", "random"]

[[line_ups]]
strategies = ["isolation"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reports")
    (place / "caps.toml").write_text(EXPERIMENT, encoding="utf-8")
    call("run", place / "caps.toml", "--out", place / "run")
    return place / "run"


@pytest.fixture(scope="module")
def run(folder: Path) -> Result:
    return open_run(folder)


@pytest.fixture(scope="module")
def report(run: Result) -> Report:
    return report_run(run)


def test_a_page_and_files(folder: Path, tmp_path: Path) -> None:
    told = call("report", folder, "--out", tmp_path / "page.html").stdout
    assert told.strip() == str(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<script>ways" not in page
    assert "<b>strong" not in page
    call("report", folder, "--format", "files", "--out", tmp_path / "files")
    assert (tmp_path / "files" / "report.md").read_text(encoding="utf-8").startswith("# Caps and")
    assert (tmp_path / "files" / "tables" / "effects.csv").exists()


def test_the_same_run_gives_the_same_page(folder: Path, report: Report) -> None:
    assert show_report(report) == show_report(report_run(open_run(folder)))


def test_what_a_report_of_a_design_has(run: Result, report: Report) -> None:
    assert len(report.verdicts) >= 4  # two presets, two knobs
    keys = [table.key for table in report.tables()]
    assert len(keys) == len(set(keys))
    assert {
        "effects",
        "effects-by-cause",
        "coupling",
        "points",
        "seats",
        "patterns",
        "ends",
        "spread",
        "differing",
    } <= {*keys}
    figures = [figure.key for figure in report.figures()]
    assert len(figures) == len(set(figures))
    assert sum(key.startswith("heat-") for key in figures) == 2 * (2 + 4)
    choices = [block for section in report.sections for block in section.blocks if isinstance(block, Choice)]
    assert [len(choice.options) for choice in choices] == [len(run.plan.cells) // 4] * 4


def test_numbers_are_those_of_the_summary(run: Result, report: Report) -> None:
    points = next(table for table in report.tables() if table.key == "points")
    expected = run.summary()["points"].to_list()
    assert [row[3].value for row in points.rows] == pytest.approx(expected)
    effects = next(table for table in report.tables() if table.key == "effects")
    frame = run.effects()
    played = frame.filter((frame["metric"] == "points") & (frame["way"] == "played") & (frame["who"] != "deal"))
    assert sorted(row[5].value or 0.0 for row in effects.rows) == pytest.approx(sorted(played["value"].to_list()))


def test_an_unfinished_run_says_so(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.is_file() and file.name != ".lock":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "outcome.json").unlink()
    lines = (tmp_path / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "ledger.jsonl").write_bytes(b"".join(lines[:6]))
    call("report", tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "This run is not finished" in page
    (tmp_path / "ledger.jsonl").write_bytes(b"")
    assert "nothing" in call("report", tmp_path, code=4).stderr


def test_a_damaged_ledger_is_named(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.is_file() and file.name != ".lock":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    text = (tmp_path / "ledger.jsonl").read_text(encoding="utf-8")
    (tmp_path / "ledger.jsonl").write_text(re.sub(r'"walls":\d+', '"walls":7', text, count=1), encoding="utf-8")
    assert "ledger.jsonl: line 1" in call("report", tmp_path, code=4).stderr
    plan = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    (tmp_path / "plan.json").write_text(json.dumps(plan | {"seed": 3}), encoding="utf-8")
    assert "plan.json" in call("report", tmp_path, code=4).stderr


def test_there_is_no_run(tmp_path: Path) -> None:
    assert "there is no such run folder" in call("report", tmp_path / "nothing", code=4).stderr


def test_a_page_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert "cannot be written" in call("report", folder, "--out", tmp_path / "file" / "page.html", code=4).stderr


def test_every_table_is_as_wide_as_its_head(report: Report) -> None:
    for table in report.tables():
        assert isinstance(table, Table)
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_columns_of_files_have_names_of_their_own(report: Report) -> None:
    for table in report.tables():
        head = next(csv.reader(show_csv(table).splitlines()))
        assert len({" ".join(name.split()) for name in head}) == len(head), table.key
        assert all(name.strip() for name in head), table.key


def test_effects_in_files_have_p_and_are_sure_or_not(run: Result, report: Report) -> None:
    table = next(table for table in report.tables() if table.key == "effects")
    rows = list(csv.DictReader(show_csv(table).splitlines()))
    frame = run.effects()
    played = frame.filter((frame["metric"] == "points") & (frame["way"] == "played") & (frame["who"] != "deal"))
    expected = sorted(p for p in played["p_adjusted"].to_list() if p is not None)
    assert sorted(float(row["played (p, adjusted)"]) for row in rows if row["played (p, adjusted)"] != NOTHING) == (
        pytest.approx(expected)
    )
    for row in rows:
        p = row["played (p, adjusted)"]
        is_sure = p != NOTHING and float(p) < 0.05
        assert row["played (points per deal), sure"] == ("yes" if is_sure else "no")
    assert {row["played (points per deal), sure"] for row in rows} == {"yes", "no"}


def test_a_pattern_that_a_preset_lacks_has_no_share(run: Result, report: Report) -> None:
    table = next(table for table in report.tables() if table.key == "patterns")
    presets = {preset["name"]: Preset.model_validate(preset["knobs"]) for preset in run.plan.presets}
    seen = set()
    for row in table.rows:
        preset = presets[row[0].text]
        for column, entry in zip(table.columns[3:], row[3:], strict=True):
            name = column.name.replace(" ", "_")
            fan = (
                preset.win.self_draw == "add_fan" or None if name == "self_draw" else getattr(preset.fan.patterns, name)
            )
            assert (entry.text == "absent") == (fan is None)
            seen.add(fan is None)
    assert seen == {True, False}
