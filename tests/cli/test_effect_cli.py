"""`bloodbattle effect`, as a person types it; its numbers against rows added up by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from sim import open_run
from sim.commands.effect import make_report
from sim.commands.effect_plan import Forecast, read_knobs, read_line_up, spread_walls, target_of, tell_forecast
from sim.commands.run import Format
from sim.errors import ConfigError

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]


def call(*arguments: str | Path, code: int = 0, folder: Path = ROOT) -> tuple[str, str]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    folder = tmp_path_factory.mktemp("effect")
    words = ("effect", "exhaustion.flower_pig=0,16", "fan.cap=3,none", "--preset", "mahjongo", "--walls", "40")
    line_ups = ("--line-up", "value,random", "--line-up", "random", "--seed", "3", "--rows")
    out, error = call(*words, *line_ups, "--out", "kept", folder=folder)
    return out, error, folder / "kept"


def test_the_plan_is_told_first(found: tuple[str, str, Path]) -> None:
    _, error, _ = found
    plan, rest = error.split("by a pilot of 40 walls: ")
    assert plan.startswith("plan: 10 cells in 2 families; 6 played, 4 settled again from their reference's decisions; ")
    assert "mahjongo · value-vs-random: 40 walls in 4 seatings" in plan
    assert "reference: mahjongo as it is" in plan
    assert "expected ± of differences" in rest
    assert rest.index("expected") < rest.index("playing")


def test_the_answer_comes_in_sentences_and_tables(found: tuple[str, str, Path]) -> None:
    out, _, _ = found
    assert max(len(line) for line in out.splitlines()) <= 100
    answer = " ".join(out.split("points per deal by strategy, less the reference")[0].split())
    assert "mahjongo: exhaustion.flower_pig moves points. The most: from 8 to " in answer
    assert "differences are sure at 5 % (Holm)." in answer
    assert "fan.cap" in answer.split(" mahjongo: ")[2]
    for table in (
        "by seat, less",
        "by cause, less",
        "the same decisions, and players who know",
        "coupling to",
        "skill,",
    ):
        assert table in out
    assert "regression (every combination), points per deal" in out
    assert "stopped: all planned walls played" in out


def test_its_numbers_are_those_of_the_rows(found: tuple[str, str, Path]) -> None:
    run = open_run(found[2])
    rows = run.seats().with_columns(pl.col("strategy").cast(pl.String)).collect()
    effects = run.effects()
    cells = run.plan.cells
    checked = 0
    for row in effects.filter(way="played", metric="points", who="strategy", line_up="value-vs-random").to_dicts():
        reference = cells[row["cell"]].reference
        blocks = [
            rows.filter(cell=cell, strategy=row["name"])
            .group_by("wall")
            .agg(pl.col("points").cast(pl.Float64).mean())
            .sort("wall")["points"]
            .to_numpy()
            for cell in (row["cell"], reference)
        ]
        change = blocks[0] - blocks[1]
        assert row["value"] == pytest.approx(change.mean())
        width = student.ppf(0.975, 39) * change.std(ddof=1) / math.sqrt(40)
        assert row["half_width"] == pytest.approx(width)
        assert row["correlation"] == pytest.approx(np.corrcoef(*blocks)[0, 1])
        checked += 1
    assert checked == 8
    changed = effects.filter(metric="points", who="strategy", name="value", way="adapted")
    played, settled = (
        effects.filter(metric="points", who="strategy", name="value", way=way)["value"] for way in ("played", "settled")
    )
    assert changed["value"].to_list() == pytest.approx((played - settled).to_list())
    named = effects.filter(adjusted_by="holm")
    assert set(zip(named["who"], named["line_up"], strict=True)) == {
        ("strategy", "value-vs-random"),
        ("seat", "random"),
    }
    assert (named["p_adjusted"] >= named["p"]).all()


def test_regression_is_a_frame_too(found: tuple[str, str, Path]) -> None:
    run = open_run(found[2])
    frame = run.regression()
    data = json.loads(make_report(run).show(Format.json))
    for family in data["families"]:
        rows = frame.filter(base=family["base"], line_up=family["line_up"]).drop("base", "line_up", "model")
        assert rows.to_dicts() == family["regression"]["coefficients"]
    assert frame.height == sum(len(family["regression"]["coefficients"]) for family in data["families"])
    row = frame.filter(line_up="value-vs-random", name="value", kind="main").to_dicts()[0]
    assert row["term"] == "exhaustion.flower_pig=16 less 0"
    # in a full grid: the mean over the other knob's levels
    means = run.effects().filter(line_up="value-vs-random", name="value", metric="points", way="played", who="strategy")
    here, there = (
        means.filter(pl.col("settings").str.contains(f"flower_pig={level}(,|$)"))["value"].to_numpy()
        for level in (16, 0)
    )
    assert len(here) == len(there) == 2
    assert row["value"] == pytest.approx(here.mean() - there.mean())


def test_any_cell_can_be_the_reference(found: tuple[str, str, Path]) -> None:
    run = open_run(found[2])
    name = "mahjongo exhaustion.flower_pig=16, fan.cap=none"
    moved = run.effects(name)
    assert set(moved["metric"]) == {"points"}
    assert set(moved["cell"]) == {0, 1, 2, 3, 4, 5, 6, 7}
    mine = {"who": "strategy", "name": "value", "way": "played", "metric": "points"}
    back = moved.filter(cell=0, **mine).to_dicts()[0]
    there = run.effects().filter(pl.col("preset") == name).filter(**mine).to_dicts()[0]
    assert back["settings"] == "exhaustion.flower_pig=8, fan.cap=3"
    assert (back["value"], back["half_width"]) == pytest.approx((-there["value"], there["half_width"]))
    with pytest.raises(ConfigError, match="no cell to compare with; did you mean"):
        run.effects("mahjongo exhaustion.flower_pig=16, fan.cap=nine")


def test_players_who_are_blind_to_a_rule_are_not_played_again(found: tuple[str, str, Path]) -> None:
    effects = open_run(found[2]).effects().filter(line_up="random", metric="points")
    assert effects.filter(way="adapted")["value"].to_list() == [0.0] * 20
    played, settled = (effects.filter(way=way)["value"].to_list() for way in ("played", "settled"))
    assert played == settled


def test_a_run_shows_its_effects_again(found: tuple[str, str, Path]) -> None:
    out, _, folder = found
    again, _ = call("summary", folder, "--effects")
    assert again == out
    run = open_run(folder)
    short, long = make_report(run), make_report(run, full=True)
    records = list(csv.DictReader(io.StringIO(short.show(Format.csv))))
    assert len(records) == run.effects().height
    assert list(records[0]) == run.effects().columns
    for title in (
        "all else (± at most)",
        "spread of a deal's points",
        "its share of the points won",
        "rates in percentage points",
    ):
        assert title in long.show(Format.markdown)
    assert max(len(line) for line in long.show(Format.text).splitlines()) <= 100
    data: dict[str, Any] = json.loads(short.show(Format.json))
    assert len(data["answers"]) == 2
    family = data["families"][0]
    assert [one["kind"] for one in family["regression"]["coefficients"]].count("interaction") == 2
    compensation = family["cells"][0]["seat_compensation"]
    assert sum(one["value"] for one in compensation) == pytest.approx(0, abs=1e-9)


def test_a_file_with_a_target_and_a_dead_knob(tmp_path: Path) -> None:
    (tmp_path / "cap.toml").write_text(
        'walls = 60\npresets = ["mahjong-planet"]\nrows = false\n'
        '[design]\ncells = [{ "fan.cap" = 20 }, { "fan.cap" = "none" }]\nreference = { "fan.cap" = 20 }\n'
        '[[line_ups]]\nstrategies = ["random"]\n'
    )
    out, error = call("effect", "cap.toml", "--no-pilot", folder=tmp_path)
    assert "pilot" not in error
    assert "fan.cap changes nothing here: not one of 60 deals ended otherwise (a dead knob;" in " ".join(out.split())
    assert "warning: mahjong-planet, random: dead: fan.cap=none" in out
    out, error = call("effect", "cap.toml", "--half-width", "0.5", folder=tmp_path)
    assert "±0.5 needs about 10,000 walls in each cell" in error
    assert "stopped: random, mahjong-planet fan.cap=none: no wall of 10,500 changed: fewer than 3/10,500 of" in out


def test_an_unfinished_run_compares_what_all_cells_have_played(found: tuple[str, str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(found[2], folder)
    (folder / "outcome.json").unlink()
    lines = (folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "ledger.jsonl").write_bytes(b"".join(line for line in lines if b'"c0009-' not in line))
    run = open_run(folder)
    assert set(run.totals()) == set(range(9))
    assert set(run.paired_totals()) == {0, 2, 4, 6, 8}
    whole = open_run(found[2]).effects().filter(line_up="value-vs-random", adjusted_by="holm")
    assert run.effects().filter(adjusted_by="holm").equals(whole)
    text = make_report(run).show(Format.text)
    assert "stopped: unfinished" in text
    assert "mahjongo · random" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fan.cup", "3", "4"], "did you mean fan.cap?"),
        (["fan.cap", "3", "99"], "fan.cap: impossible value: 99; allowed: a whole number from 0 to 20"),
        (["fan.cap"], "fan.cap: came without values; allowed: a whole number from 0 to 20"),
        (["fan.cap", "3", "4", "3"], "fan.cap: 3 comes twice"),
        (["fan.cap=3,"], "fan.cap: came without values"),
        (["fan.cap=3", "fan.cap=4"], "fan.cap: named twice"),
        (["exchange.direction", "lef"], "did you mean left?"),
    ],
)
def test_mistakes_in_knobs(words: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_knobs(words)
    assert message in str(caught.value)


def test_knobs_are_read_in_both_ways() -> None:
    assert read_knobs(["fan.cap", "3", "none", "win.multiple", "true"]) == {
        "fan.cap": [3, "none"],
        "win.multiple": [True],
    }
    assert read_knobs(["fan.cap=3,none", "exchange.direction=left"]) == {
        "fan.cap": [3, "none"],
        "exchange.direction": ["left"],
    }


def test_line_ups() -> None:
    assert read_line_up("ukeire{a=1,b=2}, random") == {"strategies": ["ukeire{a=1,b=2}", "random"]}
    for text, message in (("", "an empty place"), ("a,,b", "an empty place"), ("a,b,c", "came 3 strategies")):
        with pytest.raises(ConfigError, match=message):
            read_line_up(text)
    sizes = spread_walls([{"strategies": ["a"]}, {"strategies": ["a", "b"]}, {"strategies": ["a", "b", "c", "d"]}])
    assert [one["walls"] for one in sizes] == [48_000, 12_000, 2_000]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fan.cap", "3", "--walls", "5", "--half-width", "1"], "--walls and --half-width: each says when to stop"),
        (["fan.cap", "-1", "4"], "fan.cap: impossible value: -1; allowed: a whole number from 0"),
        (["fan.cap", "4", "--wals", "5"], "--wals: there is no such option; did you mean --walls?"),
        (["fan.cap", "3", "--half-width", "0"], "--half-width: came 0; allowed: more than 0"),
        (["fan.cap=0,1,2,3,4,5,6,7,8,9", "exhaustion.flower_pig=0,1,2,3,4,5,6,7,8,9", "exchange.direction=left,right",
          "win.multiple=true,false"], "a grid of 400 cells; allowed: at most 200; give samples"),
        (["configs/experiments/first-look.toml"], "has no [design], so there is nothing to compare"),
        (["configs/experiments/first-look.toml", "--preset", "mahjongo"], "--preset: not with an experiment file"),
    ],
)  # fmt: skip
def test_mistakes_on_the_command_line(words: list[str], message: str) -> None:
    out, error = call("effect", *words, code=2)
    assert out == ""
    assert message in error


def test_a_folder_that_is_taken_is_refused_before_the_pilot(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    for out in (tmp_path, tmp_path / "mine.txt"):
        _, error = call("effect", "fan.cap", "4", "--preset", "mahjongo", "--walls", "10", "--out", out, code=4)
        assert error == f"error: {out}: already there, and not a run folder; choose another one with --out\n"


def test_what_takes_a_year_is_refused(found: tuple[str, str, Path]) -> None:
    plan = open_run(found[2]).plan
    forecast = Forecast((100,), 1e-4, (("a difference", 8.0), ("another", 1.0)))
    with pytest.raises(ConfigError, match=r"needs about 70,368,744,177,664 walls in each cell, [\d,]+ years"):
        target_of(2**-20, forecast, plan)
    assert target_of(0.0625, forecast, plan) == {
        "half_width": 0.0625,
        "min_walls": 500,
        "batch": 500,
        "look_ahead": 1,
        "max_walls": 25_500,
    }
    with pytest.raises(ConfigError, match=r"deals take .* days on this machine; allowed: a week"):
        tell_forecast(Forecast((100,), 10_000.0, ()), plan)
