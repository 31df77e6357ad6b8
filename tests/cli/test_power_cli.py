"""`bloodbattle power` and `summary --checks`, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main
from tests.cli.test_compare_cli import call

PILOT = ("--walls", "60", "--line-up", "isolation,random", "--seed", "4")


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    words = ("power", *PILOT, "--half-width", "0.05", "--difference", "0.1", "--effect", "fan.cap=5")
    found: dict[str, Any] = json.loads(call(*words, "--format", "json")[0])
    return found


def test_every_question_has_walls_time_and_disk(data: dict[str, Any]) -> None:
    rows = data["questions"]
    presets = ["mahjong-planet", "mahjong-planet fan.cap=5", "mahjong-planet fan.cap=5 less mahjong-planet"]
    asked = [(preset, who) for preset in presets for who in ("isolation", "random")]
    asked += [(preset, "isolation less random") for preset in presets[:2]]
    assert [(row["goal"], row["preset"], row["what"]) for row in rows] == [
        (goal, *question) for goal in ("half_width", "difference") for question in asked
    ]
    for row in rows:
        if row["pilot_changed"] is not None and row["pilot_changed"] < 30:  # the pilot saw too little for an answer
            assert row["walls"] is row["deals"] is row["seconds"] is None
            continue
        per_wall = 8 if "less" in row["preset"] else 4
        assert row["deals"] == per_wall * row["walls"]
        assert row["walls_low"] <= row["walls"] <= row["walls_high"]
        assert row["seconds"] > 0
        assert row["bytes"] > 0
        assert row["pilot_walls"] == 60
        factor = 1.96 if row["goal"] == "half_width" else 1.96 + 0.8416
        assert row["walls"] == pytest.approx((factor * row["block_deviation"] / row["size"]) ** 2, rel=0.2, abs=4)
    assert rows[0]["block_deviation"] == pytest.approx(rows[0]["half_width"] * math.sqrt(60) / 2.001, rel=1e-3)


def test_a_run_is_as_good_as_a_pilot(data: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        'walls = 60\nseed = 4\npresets = ["mahjong-planet", { preset = "mahjong-planet", name = "cap 5",'
        ' set = { "fan.cap" = 5 } }]\n[[line_ups]]\nstrategies = ["isolation", "random"]\n',
        "utf-8",
    )
    call("run", "p.toml", "--out", "run", folder=tmp_path)
    out, _ = call("power", "run", "--half-width", "0.05", "--format", "csv", folder=tmp_path)
    rows = list(csv.DictReader(io.StringIO(out)))
    answers = [None if row["walls"] == "" else int(row["walls"]) for row in rows[:6]]
    assert answers == [row["walls"] for row in data["questions"][:6]]
    assert answers[4:] == [None, None]  # too few walls changed
    assert [row["what"] for row in rows[6:]] == ["isolation less random"] * 2
    _, error = call("power", "run", "--half-width", "0.05", "--line-up", "random", code=2, folder=tmp_path)
    assert "--line-up: not with a RUN" in error
    out, _ = call("summary", "run", "--checks", folder=tmp_path)
    assert "no chunk is unlike the others of its cell" in out
    assert "docs/metrics.md lists them" in out
    checks = json.loads(call("summary", "run", "--checks", "--format", "json", folder=tmp_path)[0])
    assert all(cell["identities"] > 20 for cell in checks["cells"])


def test_absurd_answers_are_said_plainly() -> None:
    out, _ = call("power", *PILOT[:2], "--compare", "isolation,random", "--half-width", "1e-7")
    assert "out of reach: isolation less random" in out
    assert "years on this machine; a run has at most 1,000,000,000 walls" in " ".join(out.split())
    assert "a pilot of fewer than 100 walls says little" in " ".join(out.split())


def test_other_metrics() -> None:
    words = ("power", *PILOT, "--metric", "exhaustion_rate", "--half-width", "0.01", "--format", "json")
    (row,) = json.loads(call(*words)[0])["questions"]
    assert (row["what"], row["metric"]) == ("the deals", "exhaustion_rate")


def test_what_the_pilot_hardly_saw_has_no_answer(tmp_path: Path) -> None:
    words = ("--line-up", "ukeire", "--preset", "mahjong-planet", "--walls", "300", "--seed", "1")
    asked = ("--half-width", "0.01", "--metric", "flower_pig_rate")
    out, _ = call("power", *words, *asked)
    assert "no answer for ukeire" in out
    assert "the pilot saw only 0 walls with another value than the most common one" in " ".join(out.split())
    (row,) = json.loads(call("power", *words, *asked, "--format", "json")[0])["questions"]
    assert (row["pilot_events"], row["walls"]) == (0, None)
    toml = 'walls = 300\nrows = false\npresets = ["mahjong-planet"]\n[[line_ups]]\nstrategies = ["ukeire"]\n'
    (tmp_path / "p.toml").write_text(toml, "utf-8")
    call("run", "p.toml", "--out", "run", folder=tmp_path)
    (row,) = json.loads(call("power", "run", *asked, "--format", "json", folder=tmp_path)[0])["questions"]
    assert (row["pilot_events"], row["walls"]) == (0, None)
    told = call("power", "run", "--half-width", "0.01", "--metric", "win_rate", "--format", "json", folder=tmp_path)[0]
    (row,) = json.loads(told)["questions"]
    wins = row["value"] * 300 * 4
    assert row["pilot_events"] == round(min(wins, 1200 - wins)) > 30
    assert row["walls"] > 300


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "came neither --half-width nor --difference"),
        (["--half-width", "0"], "--half-width: came 0; allowed: more than 0"),
        (["--difference", "nan"], "--difference: came nan; allowed: more than 0"),
        (["--difference", "1", "--alpha", "1"], "--alpha: came 1; allowed: between 0 and 1"),
        (["--difference", "1", "--power", "0.04"], "--power: came 0.04; allowed: more than --alpha"),
        (["--half-width", "1", "--metric", "win_rat"], "did you mean win_rate?"),
        (["--half-width", "1", "--compare", "random"], "two strategies by a comma"),
        (["--half-width", "1", "--compare", "random,isolation", "--line-up", "random"], "not with --line-up"),
        (["--half-width", "1", "--effect", "fan.cpa=3"], "fan.cpa: unknown key; allowed in [fan]"),
        (
            ["--half-width", "1", "--effect", "fan.cap=-1"],
            "fan.cap: impossible value: -1; allowed: a whole number from",
        ),
        (["--half-width", "1", "--effect", "fan.cap"], "--effect: came fan.cap; allowed: KNOB=VALUE"),
        (["RUN", "--half-width", "1", "--walls", "9"], "--walls: of a pilot that is played; not with a RUN"),
        (["RUN", "--half-width", "1", "--seed", "9"], "--seed: of a pilot that is played; not with a RUN"),
        (["--half-width", "1", "--line-up", "random,random,isolation"], "came 3 strategies"),
    ],
)
def test_mistakes(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["power", *words])
    assert left.value.code == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert message in error
    assert "Traceback" not in error


def test_a_run_that_is_none() -> None:
    _, error = call("power", "no-such-run", "--half-width", "1", code=4)
    assert "there is no such run folder" in error
