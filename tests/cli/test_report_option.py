"""`--report` of the commands that play, and what the pages for strategy writers hold."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from reports import costly
from reports.costly import costly_section
from reports.grids import entry_of, table_of
from reports.html import show_report
from reports.model import Report, Section, Table
from reports.runs import report_run
from sim.api import open_run
from sim.commands.compare_presets import compare_presets
from sim.commands.report import fill_in_report, page_of, report_result
from sim.statistics.tables import MINUS, Grid
from tests.cli.test_strategy_reports_cli import call

TEST = {"low": 0, "high": 0.05, "alpha": 0.05, "beta": 0.05}
LINKS = re.compile(r'href="(deals/[^"]+)"')


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    words = ("tournament", "random", "shanten", "isolation", "--walls", "12", "--seed", "2", "--out", "run")
    _, told = call(*words, "--report", folder=folder)
    assert told.splitlines()[-1] == f"report: {Path('run') / 'report.html'}"
    return folder / "run"


def test_a_page_is_named_or_not() -> None:
    assert fill_in_report(["--report", "a.html"]) == ["--report", "a.html"]
    assert fill_in_report(["x", "--report"]) == ["x", "--report="]
    assert fill_in_report(["--report", "--walls", "2"]) == ["--report=", "--walls", "2"]
    assert page_of("a/b.html", "other", 2) == str(Path("a/b-other.html"))
    assert page_of("a.html", "other", 1) == "a.html"
    assert page_of("", "other", 2) == ""
    assert page_of(None, "other", 2) is None


def test_links_of_a_page_lead_to_pages(kept: Path) -> None:
    page = (kept / "report.html").read_text(encoding="utf-8")
    links = LINKS.findall(page)
    assert len(links) == 9  # three deals of each strategy
    assert "Left out" not in page
    for link in links:
        assert (kept / link).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_strategies_whose_costly_deals_are_left_out_are_named(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = open_run(kept)
    section, _ = costly_section(run, None, 1)
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == list(run.plan.strategies)
    monkeypatch.setattr(costly, "MOST_STRATEGIES", 1)
    section, _ = costly_section(run, None, 1)
    said = section.blocks[1]
    assert isinstance(said, str)
    assert ", ".join(list(run.plan.strategies)[1:]) in said


def test_a_tournament_shows_who_beats_whom(kept: Path) -> None:
    report = report_run(open_run(kept))
    tables = {table.key: table for table in report.tables()}
    words = ("tournament", "random", "shanten", "isolation", "--walls", "12", "--seed", "2", "--format", "json")
    data = json.loads(call(*words)[0])
    order = [place["strategy"] for place in data["ranking"]]
    assert [row[1].text for row in tables["ladder-0"].rows] == order
    assert [row[2].value for row in tables["ladder-0"].rows] == pytest.approx(
        [place["difference"] for place in data["ranking"]]
    )
    pairs = {(pair["first"], pair["second"]): pair["difference"] for pair in data["pairs"]}
    for row, one in zip(tables["matrix-0"].rows, order, strict=True):
        for entry, other in zip(row[1:], order, strict=True):
            assert entry.value == (None if one == other else pytest.approx(pairs[one, other]))
    assert report.verdicts[0].startswith(f"{order[0]} leads under mahjong-planet")
    costly = tables["costly"].rows
    for row in costly:
        identity = f"{open_run(kept).plan.hash[:8]}-{row[1].text}"
        assert row[1].link == f"deals/{identity}.html"
        assert (row[5].value or 0) < 0


def test_a_comparison_and_its_page_in_the_current_folder(tmp_path: Path) -> None:
    words = ("compare", "shanten", "random", "--walls", "20", "--report", "--format", "json")
    out, told = call(*words, folder=tmp_path)
    assert json.loads(out)["first"] == "shanten"
    assert told.splitlines()[-1] == "report: compare-shanten-random.html"
    page = (tmp_path / "compare-shanten-random.html").read_text(encoding="utf-8")
    assert "shanten is better than random under mahjong-planet" in page
    assert all((tmp_path / link).exists() for link in LINKS.findall(page))


@pytest.mark.parametrize(
    ("metric", "stop", "said"),
    [
        ("points", {"walls": 30}, "points of shanten, A less B: "),
        (
            "win_rate",
            {"contrast": {**TEST, "unit": "sd", "batch": 20, "max_walls": 40}},
            "win_rate of shanten, A less B: ",
        ),
        ("exhaustion_rate", {"contrast": {"half_width": 0.5, "min_walls": 20, "batch": 20, "max_walls": 40}},
         "exhaustion_rate, A less B: "),
    ],
)  # fmt: skip
def test_a_comparison_of_presets_answers_first_and_again(
    metric: str, stop: dict[str, Any], said: str, tmp_path: Path
) -> None:
    first, second = "mahjong-planet{exchange.direction=none}", "mahjong-planet"
    data = {"seed": 3, **stop}
    folder = tmp_path / "kept"
    printed = compare_presets(first, second, None, "shanten,random", metric, None, data, folder, 1, "")
    page = (folder / "report.html").read_bytes()
    run = open_run(folder)
    report = report_result(run)
    assert show_report(report).encode() == page
    assert report.title == f"{first} against {second}"
    answer = report.verdicts[0]
    assert answer.startswith(f"{said}{printed.grids[0].rows[0][-1]} {printed.grids[0].title} (95 % interval); ")
    assert answer.endswith(f". Stopped: {printed.data['reason']}.")
    half, value = printed.data["half_width"], printed.data["difference"]
    assert ("no difference is seen" in answer) == (abs(value) <= half)
    assert ("the test's outcome" in answer) == (printed.data["decision"] is not None)
    assert any("median-unbiased" in line for line in report.verdicts) == (printed.data["median_unbiased"] is not None)


def test_what_only_the_command_knows_is_not_said_to_come_again_from_the_folder(tmp_path: Path) -> None:
    words = ("mahjong-planet{fan.cap=1}", "mahjong-planet", None, "shanten,random", "win_rate", None)
    compare_presets(*words, {"walls": 10}, tmp_path / "kept", 1, "")
    page = (tmp_path / "kept" / "report.html").read_text(encoding="utf-8")
    assert "win_rate of shanten, A less B: 0.0000 ± 0.0000 share of deals (95 % interval); the same on every" in page
    assert "bloodbattle report" not in page


def test_a_profile_has_discards_calls_and_choices(tmp_path: Path) -> None:
    call("profile", "isolation", "--field", "shanten", "--deals", "40", "--report", "page.html", folder=tmp_path)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for words in ("What its discards cost", "Riskiest discards", "Which calls it takes", "Exchange and void suit"):
        assert words in page
    assert len(LINKS.findall(page)) == 5


def test_a_profile_is_the_same_page_whoever_makes_it(tmp_path: Path) -> None:
    words = ("profile", "isolation", "--field", "shanten", "--set", "fan.cap=none", "--deals", "8", "--seed", "5")
    call(*words, "--out", "kept", "--report", folder=tmp_path)
    page = tmp_path / "kept" / "report.html"
    first = page.read_bytes()
    for again in (("report", "kept"), ("resume", "kept", "--report")):
        page.unlink()
        call(*again, folder=tmp_path)
        assert page.read_bytes() == first
    assert b"Which calls it takes" in first
    command = html.unescape(re.findall(r"<pre>(bloodbattle profile [^<]*)</pre>", first.decode())[0])
    call(*shlex.split(command)[1:], folder=tmp_path)
    assert open_run(tmp_path / "profile-isolation-shanten").plan.hash == open_run(tmp_path / "kept").plan.hash
    call("extend", "kept", "--walls", "1", "--report", folder=tmp_path)
    longer = page.read_text(encoding="utf-8")
    assert "Which calls it takes" in longer
    assert "--deals 12 " in longer


def test_a_profile_of_a_file_names_the_preset_beside_it_and_an_engine_that_changed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text('extends = "mahjongo"\n[fan]\ncap = 2\n', encoding="utf-8")
    call("profile", "random", "--preset", "mine.toml", "--deals", "4", "--out", "kept", folder=tmp_path)
    run = open_run(tmp_path / "kept")
    report = report_result(run)
    (file,) = report.files
    assert f"--preset {file} --deals 4 " in report.commands[0]
    monkeypatch.setattr("sim.tournament.replay.engine_digest", lambda: "another")
    report = report_result(run)
    assert report.kind == "run"
    assert "without discards, calls, exchange and void suit" in report.warnings[0]
    assert "the engine" in report.warnings[0]


def test_worst_shows_as_many_deals_as_were_asked_for(tmp_path: Path) -> None:
    call("worst", "shanten", "--deals", "40", "--show", "2", "--report", "page.html", folder=tmp_path)
    assert len(LINKS.findall((tmp_path / "page.html").read_text(encoding="utf-8"))) == 2


def test_printed_tables_become_tables_of_reports() -> None:
    grid = Grid(
        "Discards",
        ("", "discards", "rate", "what"),
        (("all", "1,250", f"{MINUS}1.50 ± 0.25", "x"), ("by turn",), ("  first", "3", "12.5%", "")),
        left=(0, 3),
    )
    table = table_of(grid, "key")
    assert [row[0].text for row in table.rows] == ["all", "by turn: first"]
    assert [row[1].value for row in table.rows] == [1250, 3]
    assert (table.rows[0][2].value, table.rows[0][2].half_width) == (-1.5, 0.25)
    assert table.rows[1][2].value == 0.125
    assert [column.is_number for column in table.columns] == [False, True, True, False]
    mixed = entry_of("4 6: 8.5% ± 1")
    assert (mixed.text, mixed.value) == ("4 6: 8.5\N{NARROW NO-BREAK SPACE}% ± 1", None)
    none = entry_of("0.0% (to 7.0)")
    assert (none.text, none.value) == ("0.0\N{NARROW NO-BREAK SPACE}% (to 7.0)", 0.0)
    grid_of_shares = Grid("Calls", ("", "share"), (("pung", "12.5% ± 1"),))
    assert table_of(grid_of_shares, "key", units={"share": "share of calls"}).columns[1].unit == "share of calls"


def test_units_spans_and_limits_of_printed_tables_are_sorted_as_numbers() -> None:
    grid = Grid(
        "Waits",
        ("rating", "waits", "half within"),
        (
            ("below 900", "264.0 ± 187.8 s", "60 s"),
            ("900 to 1,000", "4,019.5 ± 1.0 s", "over 3,600 s"),
            ("1,000 and more", "1.0 s", "5 s"),
        ),
    )
    table = table_of(grid, "waits")
    assert [column.unit for column in table.columns] == ["", "s", "s"]
    assert [row[0].order for row in table.rows] == [899.5, 900, 1000]
    assert [(row[1].text, row[1].value, row[1].half_width) for row in table.rows][:2] == [
        ("264.0 ± 187.8", 264, 187.8),
        ("4,019.5 ± 1.0", 4019.5, 1),
    ]
    assert [row[2].value if row[2].order is None else row[2].order for row in table.rows] == [60, 3600.5, 5]
    page = show_report(Report("Waits", "run", sections=[Section("waits", "Waits", (table,))]))
    assert re.findall(r'<td[^>]*data-value="([^"]*)"', page)[:2] == ["899.5", "264.0"]
    assert table_of(Grid("Calls", ("", "a"), (("x", "1"),)), "key").columns[0].name == "what"
