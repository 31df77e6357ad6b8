from __future__ import annotations

import csv
import io
import json
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from scipy import stats

from sim import api
from sim.errors import ConfigError
from sim.statistics import show
from sim.statistics.estimate import Estimate
from sim.statistics.show import UNSEEN_WIDTH
from sim.statistics.tables import MINUS, NOTHING, TIMES, Grid, show_interval, show_signed
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path

EXPERIMENT: dict[str, Any] = {
    "name": "caps",
    "title": "What a cap does.",
    "walls": 60,
    "presets": ["mahjongo", {"preset": "mahjongo", "name": "cap 5", "set": {"fan.cap": 5, "kong.added": 3}}],
    "line_ups": [
        {"strategies": ["strong", "weak"], "name": "strong against three weak"},
        {"strategies": ["middle"]},
        {
            "strategies": ["strong", "middle", "weak", "twin"],
            "name": "a mixed field with a rather long name of its own",
        },
    ],
}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> api.Result:
    return api.run(Experiment(**EXPERIMENT), out=tmp_path_factory.mktemp("runs") / "run", game=FAKE)


def blocks_of(frame: pl.DataFrame, value: pl.Expr) -> Any:
    return frame.group_by("wall").agg(value.cast(pl.Float64).mean()).sort("wall").to_series(1).to_numpy()


def test_points_and_intervals_are_those_of_blocks(result: api.Result) -> None:
    seats = result.seats().collect()
    for row in result.summary().to_dicts():
        mine = seats.filter(cell=row["cell"], strategy=row["strategy"])
        blocks = blocks_of(mine, pl.col("points"))
        assert row["points"] == pytest.approx(blocks.mean(), rel=1e-9, abs=1e-9)
        width = stats.sem(blocks) * stats.t.ppf(0.975, len(blocks) - 1)
        assert row["points_half_width"] == pytest.approx(width)
        wins = mine["win_order"] > 0
        assert row["win_rate"] == pytest.approx(wins.mean())
        assert row["mean_fan"] == pytest.approx(mine.filter(wins)["fan"].mean())
        assert row["self_draw_share"] == pytest.approx((mine.filter(wins)["win_form"] == 1).mean())
        left = mine.filter(pl.col("status").is_between(1, 3))
        ready = None if left.is_empty() else (left["status"] == 1).mean()
        assert row["ready_rate"] == pytest.approx(ready)
        assert row["points_deviation"] == pytest.approx(mine["points"].std())
        assert (row["walls"], row["deals"]) == (60, mine["wall"].n_unique() * mine["seating"].n_unique())


def test_metrics_of_the_deal(result: api.Result) -> None:
    seats = result.seats().collect()
    tidy = result.metrics()
    for cell in range(6):
        mine = seats.filter(cell=cell, seat=0)
        found = {row["metric"]: row for row in tidy.filter(cell=cell, who="deal").to_dicts()}
        assert found["exhaustion_rate"]["value"] == pytest.approx(mine["exhausted"].mean())
        assert found["wins_per_deal"]["value"] == pytest.approx(mine["wins"].mean())
        assert found["deal_length"]["value"] == pytest.approx(mine["draws"].mean())
        blocks = blocks_of(mine, pl.col("points"))
        assert found["dealer_edge"]["value"] == pytest.approx(blocks.mean(), rel=1e-9, abs=1e-9)
        width = stats.sem(blocks) * stats.t.ppf(0.975, len(blocks) - 1)
        assert found["dealer_edge"]["half_width"] == pytest.approx(width)
        (edge,) = tidy.filter(cell=cell, who="seat", name="0", metric="points").to_dicts()
        assert edge["value"] == found["dealer_edge"]["value"]


def test_identities(result: api.Result) -> None:
    tidy = result.metrics()
    for cell in range(6):
        for who in ("strategy", "seat"):
            mine = tidy.filter(cell=cell, who=who)
            by_metric = {key[0]: part["numerator"].sum() for key, part in mine.group_by("metric")}
            assert by_metric["points"] == 0
            assert by_metric["gained_self_draw"] == by_metric["paid_self_draw"] > 0
            for name in set(mine["name"]):
                part = {row["metric"]: row["numerator"] for row in mine.filter(name=name).to_dicts()}
                assert part["points"] == part["net_discard_win"] + part["net_self_draw"]
                assert part["win_rate"] == part["win_first_rate"] + part["win_second_rate"] + part["win_third_rate"]


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("20", 60), ("84", 84), ("200", 200)])
def test_text_is_as_wide_as_the_terminal(
    result: api.Result, monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    plain = result.show()
    monkeypatch.setenv("COLUMNS", columns)
    assert result.show() == plain  # nobody watches
    monkeypatch.setattr(show, "sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    text = result.show()
    assert max(len(line) for line in text.splitlines()) <= width
    assert any(len(line) == width and line.endswith("───") for line in text.splitlines())
    if width < 100:
        wanted = {word for word in plain.split() if not set(word) <= {"─"} and not word.endswith("…")}
        assert wanted - set(text.split()) == set()  # a table that is too wide loses no number


def test_names_that_begin_alike_are_cut_in_front() -> None:
    rows = tuple((f"mahjong-planet exhaustion.flower_pig={pig}", "1") for pig in (0, 32))
    lines = show.text_grid(Grid("Pigs", ("", "points" * 4), rows), 40)
    assert [line.split()[-2][-4:] for line in lines[2:]] == ["ig=0", "g=32"]
    assert all(line.startswith("…") and len(line) <= 40 for line in lines[2:])
    other = (("mahjong-planet exhaustion", "1"), ("cardavia-sichuan exhaustion", "1"))
    assert show.text_grid(Grid("Pigs", ("", "points" * 4), other), 40)[2].startswith("mahjong-planet")


def test_a_wide_table_is_written_in_parts_with_its_first_column() -> None:
    grid = Grid("Title", ("who", *(f"c{n}" for n in range(9))), (("a", *["1,000"] * 9), ("only one",)))
    assert show.text_grid(grid, 100)[1].split() == list(grid.head)
    lines = show.text_grid(grid, 30)
    assert max(map(len, lines)) <= 30
    assert [line.split() for line in lines if line.startswith("who")] == [
        ["who", "c0", "c1", "c2"],
        ["who", "c3", "c4", "c5"],
        ["who", "c6", "c7", "c8"],
    ]


def test_text_fits_a_terminal_and_names_the_rules(result: api.Result) -> None:
    text = result.show()
    assert max(len(line) for line in text.splitlines()) <= UNSEEN_WIDTH
    first, second = text.split("── cap 5 ")
    assert "fan.cap 3 ·" in first
    assert "fan.cap 5* ·" in second
    assert "kong.added 3*" in second
    assert "made from mahjongo; * set over the preset; 2" in second
    assert "assumed" in first
    assert "What a cap does." in first
    assert "stopped: all planned walls played" in first
    assert "0 by design" in first
    row = next(line for line in first.splitlines() if line.startswith("  strong "))
    strong = result.summary().filter(cell=0, strategy="strong").to_dicts()[0]
    assert f"{show_signed(strong['points'], 3)} ± {strong['points_half_width']:.3f}" in row
    assert f"{100 * strong['win_rate']:.1f}%" in row


def test_parts_in_the_text_reconcile(result: api.Result) -> None:
    text = result.show().replace(MINUS, "-")
    rows = [
        line.split()
        for line in text.splitlines()
        if re.match(rf"^ +(strong|weak|middle|twin)( {TIMES}\d)? .*[+-]\d", line)
    ]
    parts = [[float(cell) for cell in row if re.fullmatch(r"[+-]?\d+\.\d{3}", cell)] for row in rows if "±" not in row]
    assert len(parts) == 12
    for numbers in parts:
        assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.003)


def test_csv_is_the_tidy_frame(result: api.Result) -> None:
    rows = list(csv.DictReader(io.StringIO(result.show("csv"))))
    tidy = result.metrics()
    assert len(rows) == tidy.height
    assert list(rows[0]) == tidy.columns
    assert [float(row["value"]) if row["value"] else None for row in rows] == tidy["value"].to_list()


def test_json_has_everything(result: api.Result) -> None:
    data = json.loads(result.show("json"))
    assert (data["name"], data["plan"], data["finished"], data["deals"]) == (
        "caps",
        result.plan.hash,
        True,
        2 * 60 * 29,
    )
    assert data["presets"][1]["set"] == {"fan.cap": 5, "kong.added": 3}
    cell = data["cells"][2]
    assert [part["strategy"] for part in cell["strategies"]] == ["strong", "middle", "weak", "twin"]
    strong = result.summary().filter(cell=2, strategy="strong").to_dicts()[0]
    assert cell["strategies"][0]["metrics"]["points"]["value"] == strong["points"]
    assert [part["seat"] for part in cell["seats"]] == [0, 1, 2, 3]


def test_markdown_is_made_of_tables(result: api.Result) -> None:
    text = result.show("markdown")
    assert text.startswith("# caps\n")
    assert "## cap 5" in text
    assert "`fan.cap 5`\\*" in text
    assert "### Points per deal by seat" in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.replace("\\|", "").count("|") for line in block.splitlines()}) == 1


def test_unknown_format(result: api.Result) -> None:
    with pytest.raises(ConfigError, match=r'no format "jsn"; did you mean json\?'):
        result.show("jsn")


def test_files_are_what_is_shown(result: api.Result) -> None:
    for name, form in (("summary.json", "json"), ("summary.csv", "csv"), ("summary.md", "markdown")):
        assert (result.path / name).read_text("utf-8") == result.show(form)


def test_frames_go_to_pandas(result: api.Result) -> None:
    frame = result.summary().to_pandas()
    assert frame.shape == (14, len(result.summary().columns))
    assert result.metrics().to_pandas()["value"].notna().any()


def test_one_wall_has_no_intervals(tmp_path: Path) -> None:
    result = api.run(Experiment(**{**EXPERIMENT, "walls": 1}), out=tmp_path / "run", game=FAKE)
    assert result.summary()["points_half_width"].null_count() == 14
    assert f"± {NOTHING}" in result.show()
    json.loads(result.show("json"))


def test_numbers_in_words() -> None:
    assert [show_signed(value, 2) for value in (1.234, -1.236, 0.0, -0.001)] == [
        "+1.23",
        f"{MINUS}1.24",
        "0.00",
        "0.00",
    ]
    assert show_interval(Estimate(1, 2, 9, 0.5, 0.25)) == "+0.500 ± 0.250"
    assert show_interval(Estimate(0, 0, 9, None, None)) == NOTHING
