"""`report` and `--report` of ladders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reports.colours import LIGHT
from reports.html import show_report
from sim.commands.report import make_report
from sim.ladder.drift import measure_cell
from sim.ladder.run import open_ladder
from sim.ladder.totals import FLOWS, Totals
from sim.statistics.tables import MINUS
from tests.cli.test_strategy_reports_cli import call

LADDER = """
title = "Ladder & <script>names</script>"
games = 400
replications = 2
snapshots = 8
keep_games = false
presets = ["mahjongo"]
ratings = ["elo{k_provisional=24}", "glicko2"]

[queue]
window = 100_000
most = 100_000

[[groups]]
name = "fixed"
strategy = "shanten"
players = 6
anchor = true

[[groups]]
name = "<b>weak</b>"
strategy = "random"
players = 20
newcomers_per_day = 2
leaving = { probability = 0.05 }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ladder")
    (place / "small.toml").write_text(LADDER, encoding="utf-8")
    _, told = call("ladder", "small.toml", "--out", "run", "--report", folder=place)
    assert told.splitlines()[-1] == f"report: {Path('run') / 'report.html'}"
    return place / "run"


def test_a_page_of_a_ladder(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script>names" not in page
    assert "<b>weak" not in page
    for heading in (
        "Ratings over time",
        "Rating drift",
        "Where rating points come from",
        "Do ratings foretell results?",
    ):
        assert heading in page
    assert len(page) < 1_000_000
    report = make_report(folder)
    assert show_report(report) == show_report(make_report(folder))
    keys = [figure.key for figure in report.figures()] + [table.key for table in report.tables()]
    assert len(keys) == len(set(keys))
    assert {"ribbons-0", "means-1", "drift-measures", "points-ledger", "ledger-0"} <= {*keys}
    assert all(figure.table is not None for figure in report.figures())
    assert dict(report.facts)["Replications"] == "2 of each cell, the unit of its intervals; 4 in all"
    assert all(len(row) == len(table.columns) for table in report.tables() for row in table.rows)


def test_numbers_are_those_of_the_ladder(folder: Path) -> None:
    ladder = open_ladder(folder)
    tables = {table.key: table for table in make_report(folder).tables()}
    for place, cell in enumerate(ladder.plan.cells):
        sums = [Totals.from_data(e.sums["drift"]) for e in ladder.entries() if e.job.cell == cell.index]
        drift = measure_cell(ladder.plan.file, ladder.plan.systems[cell.rating], sums)
        row = next(row for row in tables["drift-measures"].rows if row[0].text == "anchor moved")
        found = drift.interval("anchor_moved")
        assert found is not None
        assert row[place + 2].value == found.value
        assert row[place + 2].text.startswith("+" if found.value > 0 else MINUS)
        ledger = [entry.value or 0.0 for entry in tables["points-ledger"].rows[place][1:]]
        assert ledger[0] + sum(ledger[1 : 1 + len(FLOWS)]) == pytest.approx(ledger[-1], abs=1e-6)
        rows = tables[f"ledger-{place}-data"].rows
        assert rows[-1][0].value == sum(each.games for each in sums) / len(sums)
        causes = [column.name for column in tables[f"ledger-{place}-data"].columns[1:-1]]
        assert "left behind" in causes
        made = {name: sum(drift.ledger[name]) / len(sums) for name in causes if name != "left behind"}
        kept = [value * each.games / 1000 for value, each in zip(drift.values["kept"], sums, strict=True) if value]
        made["left behind"] = sum(kept) / len(sums)
        assert [entry.value for entry in rows[-1][1:-1]] == pytest.approx([made[name] for name in causes])
        for row in rows:
            assert row[-1].value == pytest.approx(sum(entry.value or 0.0 for entry in row[1:-1]))
    last = ladder.ratings().collect()
    last = last.filter((last["snapshot"] == last["snapshot"].max()) & (last["cell"] == 0) & (last["group"] == "fixed"))
    median = [row for row in tables["ribbons-0-data"].rows if row[0].text == "fixed"][-1][4].value
    assert median == pytest.approx(last["rating"].median() / 1000)


def test_an_unfinished_ladder_says_so(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes((folder / "plan.json").read_bytes())
    lines = (folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    for part in ("players", "ratings"):
        (tmp_path / part).mkdir()
        for file in (folder / part).iterdir():
            (tmp_path / part / file.name).write_bytes(file.read_bytes())
    (tmp_path / "ledger.jsonl").write_bytes(b"".join(lines[:1]))
    assert "not finished: 1 of 4 replications" in show_report(make_report(tmp_path))
    (tmp_path / "ledger.jsonl").write_bytes(b"")
    assert "no replication is finished" in call("report", tmp_path, code=4)[1]


def test_bands_of_few_seats_stand_back(folder: Path) -> None:
    ladder = open_ladder(folder)
    sums = [Totals.from_data(entry.sums["drift"]) for entry in ladder.entries() if entry.job.cell == 0]
    seats = sum(each.bands[0] for each in sums)
    (figure,) = [figure for figure in make_report(folder).figures() if figure.key == "waits-0"]
    assert figure.table is not None
    assert [(c.name, c.is_number) for c in figure.table.columns[:3]] == [
        ("from", True),
        ("below", True),
        ("seats", True),
    ]
    first = next(place for place in range(len(seats)) if seats[place])
    assert [entry.value for entry in figure.table.rows[0][:3]] == [100 * first, 100 * first + 100, seats[first]]
    drawing = figure.draw(LIGHT, 7.2)
    (axes,) = drawing.axes
    handles, labels = axes.get_legend_handles_labels()
    assert 0 < min(seats[seats > 0]) < 100 < max(seats)
    assert labels == ["fewer than 100 seats", "100 seats or more"]
    few, many = handles[0].get_xdata(), handles[1].lines[0].get_xdata()
    every = np.all([each.bands[0] > 0 for each in sums], axis=0)
    assert {*many} == {100 * band + 50 for band in range(len(seats)) if seats[band] >= 100 and every[band]}
    assert len(few) + len(many) == (seats > 0).sum()
