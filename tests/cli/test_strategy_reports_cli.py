"""`bloodbattle tournament` and `worst`, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

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
    assert text.count("replay") == 2
