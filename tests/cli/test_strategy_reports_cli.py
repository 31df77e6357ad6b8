"""`bloodbattle tournament`, `worst` and `profile`, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]


def call(*arguments: str | Path, code: int = 0, folder: Path = ROOT) -> tuple[str, str]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_a_round_robin_is_ranked() -> None:
    words = ("tournament", "random", "shanten", "isolation", "--walls", "12", "--seed", "2")
    text, _ = call(*words)
    assert "Ranking" in text
    assert "no intransitive triple" in text
    data = json.loads(call(*words, "--format", "json")[0])
    assert [place["strategy"] for place in data["ranking"]] == ["shanten", "isolation", "random"]
    assert len(data["pairs"]) == 6
    pairs = {(pair["first"], pair["second"]): pair["difference"] for pair in data["pairs"]}
    assert all(pairs[one, other] == -pairs[other, one] for one, other in pairs)
    top = data["ranking"][0]["difference"]
    assert top == pytest.approx((pairs["shanten", "random"] + pairs["shanten", "isolation"]) / 2)
    pair = json.loads(call("compare", "shanten", "isolation", *words[4:], "--format", "json")[0])
    assert pair["blocks"] == 12
    assert pair["difference"] == pytest.approx(pairs["shanten", "isolation"])


def test_a_gauntlet_plays_one_against_all() -> None:
    words = ("tournament", "random", "isolation", "--gauntlet", "shanten", "--walls", "4", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(call(*words)[0])))
    assert {frozenset((row["first"], row["second"])) for row in rows} == {
        frozenset(("shanten", "random")),
        frozenset(("shanten", "isolation")),
    }


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["tournament", "random"], 2, "a tournament of random alone; name at least two"),
        (["tournament", "random", "shanten", "random"], 2, "strategy random is named twice"),
        (["tournament", "random", "shantn"], 3, "shanten"),
        (["worst", "random", "--field", "random,shanten"], 2, "--field names 2 strategies"),
        (["worst", "random", "--preset", "mahjong-plant"], 2, "did you mean mahjong-planet?"),
    ],
)
def test_mistakes(words: list[str], code: int, message: str) -> None:
    out, error = call(*words, code=code)
    assert out == ""
    assert message in error


@pytest.mark.parametrize(
    "options",
    [
        ["--field", "random", "--wall-mode", "per_seat", "--set", "fan.cap=5"],
        ["--field", "shanten,random,isolation", "--preset", "cardavia-sichuan", "--out", "kept"],
    ],
)
def test_the_worst_deals_replay_as_they_were(options: list[str], tmp_path: Path) -> None:
    words = ("worst", "isolation", "--deals", "60", "--show", "3", "--seed", "4", *options, "--format", "json")
    data = json.loads(call(*words, folder=tmp_path)[0])
    points = [deal["points"] for deal in data["worst"]]
    assert points == sorted(points)
    assert points[0] < 0
    for deal in data["worst"]:
        program, *command = shlex.split(deal["replay"])
        assert program == "bloodbattle"
        events = [json.loads(line) for line in call(*command, "--format", "jsonl", folder=tmp_path)[0].splitlines()]
        assert events[-1]["points"][deal["seat"]] == deal["points"]
        assert events[0]["strategies"][deal["seat"]] == "isolation"
        paid = sum(event["amount"] for event in events if event.get("payer") == deal["seat"])
        assert paid == deal["paid"] == sum(deal["paid_for"].values())


def test_the_worst_deals_are_told() -> None:
    text, _ = call("worst", "random", "--field", "random", "--deals", "50", "--show", "2")
    assert "The deals that cost most" in text
    assert [line.startswith("bloodbattle deal --preset") for line in text.splitlines()].count(True) == 2


def test_a_profile_counts_what_the_rows_count(tmp_path: Path) -> None:
    words = ("profile", "isolation", "--field", "shanten", "--deals", "40", "--seed", "6", "--out", "kept")
    data = json.loads(call(*words, "--format", "json", folder=tmp_path)[0])
    rows = pl.read_parquet(sorted((tmp_path / "kept" / "chunks").glob("*.parquet")))
    mine = rows.filter(pl.col("strategy").cast(pl.String) == "isolation")
    assert data["deals"] == mine.height == 40
    for group in data["discards"].values():
        assert sum(risk["wins"] for risk in group.values()) == mine["deal_ins"].sum()
        dealt_in = sum(risk["dealt_in"] for risk in group.values())
        assert (mine["deal_ins"] > 0).sum() <= dealt_in <= mine["deal_ins"].sum()
        assert sum(risk["points"] for risk in group.values()) == mine["paid_discard_win"].cast(pl.Int64).sum()
    suits = mine["void_suit"].to_list()
    assert data["void_suit"]["chosen"] == {letter: suits.count(number) for number, letter in enumerate("mps")}
    assert data["void_suit"]["pigs"] == (mine["status"] == 3).sum()
    assert data["exchange"]["exchanges"] == 40
    calls = data["calls"]
    assert calls["self-drawn win"]["did"] == (mine["win_form"] == 1).sum()
    assert calls["win on a discard"]["did"] >= (mine["win_form"] == 2).sum()
    assert calls["pung"]["did"] + calls["exposed kong"]["did"] + calls["own kong"]["did"] >= mine["melds"].sum()
    net = sum(items[2]["value"] for cause, items in data["points"].items() if cause != "all")
    assert net == pytest.approx(data["points"]["all"][2]["value"])
    assert net == pytest.approx(mine["points"].mean())
    for group in data["discards"].values():
        for risk in group.values():
            assert risk["rate"]["value"] == (
                pytest.approx(risk["dealt_in"] / risk["discards"]) if risk["discards"] else None
            )
    assert data["riskiest"]["any"][0]["value"] >= data["riskiest"]["any"][-1]["value"]
    for workers in ("1", "3"):
        again = call(*words[:-2], "--format", "json", "--workers", workers, folder=tmp_path)[0]
        assert json.loads(again) == data
    text, _ = call(*words, folder=tmp_path)
    for title in ("Points per deal by cause", "Discards", "Riskiest discards", "Calls", "Exchange and void suit"):
        assert title in text
