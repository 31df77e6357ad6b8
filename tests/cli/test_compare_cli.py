"""`bloodbattle compare`, as a person types it; its numbers against rows added up by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from sim.cli import main

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]


def call(*arguments: str | Path, code: int = 0, folder: Path = ROOT) -> tuple[str, str]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def blocks_by_hand(rows: pl.DataFrame, first: str) -> np.ndarray:
    """Points per deal of a first less a second player, by wall: the mean over line-ups of the difference of means."""
    seats = rows.with_columns(mine=pl.col("strategy").cast(pl.String) == first)
    means = seats.group_by("wall", "line_up", "mine").agg(pl.col("points").cast(pl.Float64).mean())
    wide = means.pivot("mine", index=["wall", "line_up"], values="points")
    by_wall = wide.with_columns(difference=pl.col("true") - pl.col("false")).group_by("wall").agg(pl.mean("difference"))
    return by_wall.sort("wall")["difference"].to_numpy()


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], pl.DataFrame, Path]:
    folder = tmp_path_factory.mktemp("compare")
    out, _ = call(
        *("compare", "isolation", "shanten", "--walls", "30", "--out", "kept", "--format", "json", "--seed", "5"),
        *("--set", "fan.cap=2", "--preset", "mahjongo"),
        folder=folder,
    )
    rows = pl.read_parquet(sorted((folder / "kept" / "chunks").glob("*.parquet")))
    return json.loads(out), rows, folder


def test_the_difference_is_that_of_the_rows(compared: tuple[dict[str, Any], pl.DataFrame, Path]) -> None:
    data, rows, _ = compared
    values = blocks_by_hand(rows, "isolation")
    assert len(values) == data["blocks"] == 30
    assert data["deals"] == 240 == rows.height / 4
    assert data["difference"] == pytest.approx(values.mean())
    error = values.std(ddof=1) / math.sqrt(len(values))
    assert data["half_width"] == pytest.approx(student.ppf(0.975, 29) * error)
    assert data["block_deviation"] == pytest.approx(values.std(ddof=1))
    assert data["set"] == {"fan.cap": 2}
    for part in data["line_ups"]:
        own = blocks_by_hand(rows.filter(pl.col("line_up").cast(pl.String) == part["line_up"]), "isolation")
        assert part["difference"] == pytest.approx(own.mean())


def test_the_other_way_round_the_sign_changes(compared: tuple[dict[str, Any], pl.DataFrame, Path]) -> None:
    data, _, folder = compared
    options = ("--walls", "30", "--seed", "5", "--set", "fan.cap=2", "--preset", "mahjongo", "--format", "csv")
    out, _ = call("compare", "shanten", "isolation", *options, folder=folder)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["line_up"] for row in rows] == [
        "all",
        "one shanten against three isolation",
        "three shanten against one isolation",
    ]
    assert float(rows[0]["difference"]) == pytest.approx(-data["difference"])
    assert not list(folder.glob("bloodbattle-*"))


def test_a_sequential_test_stops_and_says_why(tmp_path: Path) -> None:
    words = ("compare", "isolation", "random", "--sequential", "--batch", "16", "--bounds", "0,0.4", "--seed", "3")
    text, _ = call(*words)
    assert "stopped: sequential test: a difference of +0.4 is accepted against +0 (sd of a block)" in text
    assert "median-unbiased:" in text
    assert "one minus the one-sided p-value" in text
    data = json.loads(call(*words, "--format", "json", "--workers", "1", "--out", tmp_path / "run")[0])
    assert data["decision"] == "better"
    assert data["looks"][-1]["walls"] == data["blocks"] == 16 * len(data["looks"])
    assert (
        data["looks"][-1]["log_likelihood_ratio"]
        >= 2.944
        > max((abs(look["log_likelihood_ratio"]) for look in data["looks"][:-1]), default=0)
    )
    assert data["median_unbiased"]["low"] < data["median_unbiased"]["value"] < data["median_unbiased"]["high"]
    sure = json.loads(call(*words, "--alpha", "0.001", "--format", "json")[0])
    assert sure["looks"][-1]["log_likelihood_ratio"] >= math.log(0.95 / 0.001)
    assert len(sure["looks"]) >= len(data["looks"])
    worse = json.loads(call(*("compare", "random", "isolation", *words[3:]), "--beta", "0.001", "--format", "json")[0])
    assert worse["decision"] == "no better"
    assert worse["looks"][-1]["log_likelihood_ratio"] <= math.log(0.001 / 0.95)


def test_a_target_is_met() -> None:
    words = ("compare", "isolation", "random", "--target", "0.9", "--batch", "20", "--max-walls", "400")
    data = json.loads(call(*words, "--design", "2v2", "--format", "json")[0])
    assert data["half_width"] <= 0.9
    assert "target met" in data["reason"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "random"], "strategy random is named twice"),
        (["random", "isolatoin"], "did you mean"),
        (["random", "isolation", "--walls", "9", "--sequential"], "--walls and --sequential: each says when to stop"),
        (["random", "isolation", "--sequential", "--bounds", "2,1"], "the lower one first"),
        (["random", "isolation", "--sequential", "--bounds", "2"], "two numbers by a comma"),
        (["random", "isolation", "--sequential", "--alpha", "0"], "--alpha: impossible value: 0; allowed: more than 0"),
        (["random", "isolation", "--sequential", "--beta", "0.5"], "--beta: impossible value: 0.5; allowed: more th"),
        (["random", "isolation", "--target", "0"], "more than 0"),
        (["random", "isolation", "--bounds", "0,0.1"], "--bounds: of a sequential test; add --sequential"),
        (["random", "isolation", "--alpha", "0.01", "--target", "1"], "--alpha: of a sequential test"),
        (["random", "isolation", "--max-walls", "100"], "--max-walls: goes with --target or --sequential"),
        (["random", "isolation", "--preset", "mahjong-plant"], "did you mean mahjong-planet?"),
    ],
)
def test_mistakes(words: list[str], message: str) -> None:
    code = 3 if "isolatoin" in words else 2
    out, error = call("compare", *words, code=code)
    assert out == ""
    assert message in error


# ---------------------------------------------------------------------------------------------------------- presets


def presets_compared(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as left:
        main(["compare", *words, "--format", "json"])
    assert left.value.code == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_two_presets_on_the_same_walls(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--line-up", "isolation,random", "--seed", "3")
    data = presets_compared(capsys, "mahjong-planet{fan.cap=6}", "mahjong-planet", *words, "--walls", "40")
    assert data["settings"] == {"fan.cap": 6}
    assert (data["blocks"], data["deals"], data["name"]) == (40, 160, "isolation")
    assert data["difference"] == pytest.approx(data["first_value"] - data["second_value"])
    assert data["efficiency"] > 1
    other = presets_compared(capsys, "mahjong-planet", "mahjong-planet{fan.cap=6}", *words, "--walls", "40")
    assert other["difference"] == pytest.approx(-data["difference"])
    rates = ("--metric", "exhaustion_rate", "--walls", "20")
    data = presets_compared(capsys, "mahjongo", "cardavia-sichuan", *words, *rates)
    assert (data["who"], len(data["settings"]) > 3) == ("deal", True)


def test_a_sequential_test_of_presets(capsys: pytest.CaptureFixture[str]) -> None:
    test = ("--line-up", "isolation,random", "--sequential", "--batch", "64", "--bounds", "0,0.3")
    data = presets_compared(capsys, "mahjong-planet{fan.cap=6}", "mahjong-planet{fan.cap=2}", *test)
    assert data["decision"] == "higher"
    assert data["looks"][-1]["walls"] == data["blocks"] == 64 * len(data["looks"])
    assert f"look {len(data['looks'])} of at most 3,125, planned every 64 walls" in data["reason"]
    assert data["median_unbiased"]["low"] < data["median_unbiased"]["value"] < data["median_unbiased"]["high"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mahjongo", "mahjongo", "--line-up", "random"], "the same rules"),
        (["mahjongo", "mahjongoo", "--line-up", "random"], "mahjongo"),
        (["mahjongo", "mahjongo{fan.cap=5", "--line-up", "random"], "NAME{KNOB=VALUE,...}"),
        (["mahjongo", "mahjongo{fan.cpa=5}", "--line-up", "random"], "fan.cap"),
        (["mahjongo", "cardavia-sichuan", "--line-up", "random", "--preset", "mahjongo"], "not together with --preset"),
        (["random", "isolation", "--metric", "win_rate"], "--metric and --of: of presets"),
        (["mahjongo", "cardavia-sichuan", "--line-up", "random", "--of", "ukeire", "--sequential"], "who: came"),
        (["mahjongo", "cardavia-sichuan", "--line-up", "random", "--metric", "win", "--walls", "9"], "no metric"),
    ],
)
def test_mistakes_with_presets(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["compare", *words])
    assert left.value.code == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert message in error
