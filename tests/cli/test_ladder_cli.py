"""`bloodbattle ladder`, as a person types it: systems, lab, solve."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.cli import main
from sim.ladder.recorded import read_recorded

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]


class Call:
    """What a person types, run in this process: starting another one each time takes seconds."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str | Path, code: int = 0) -> tuple[str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["ladder", *(str(argument) for argument in arguments)])
        out, err = self.capsys.readouterr()
        assert caught.value.code == code, err
        assert "Traceback" not in err
        return out, err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(capsys)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = np.random.default_rng(1)
    truths = {f"p{player}": 1300 + 50 * player for player in range(9)}
    lines = ["game,player,place,truth"]
    for game in range(300):
        table = draw.permutation(list(truths))[:4]
        times = draw.exponential(size=4) / [10 ** (truths[name] / 400) for name in table]
        places = np.argsort(np.argsort(times)) + 1
        lines += [f"{game},{name},{place},{truths[name]}" for name, place in zip(table, places, strict=True)]
    file = tmp_path_factory.mktemp("lab") / "games.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_systems_are_listed(call: Call) -> None:
    out, _ = call("systems")
    assert "plackett_luce" in out
    assert "k_provisional = 64: K in a player's first games" in out


def test_lab_in_words(call: Call, games: Path) -> None:
    out, _ = call("lab", games, "--orders", "3")
    lines = out.splitlines()
    assert all(len(line) <= 100 for line in lines[1:])
    for title in ("Prediction", "Movement", "Against true ratings", "Final ratings"):
        assert title in lines
    names = ("elo", "tenhou", "glicko2", "plackett_luce")
    rows = [sum(line.startswith(f"{name} ") for line in lines) for name in names]
    assert sorted(rows) == [3, 4, 4, 4]  # the best has no difference to itself
    assert "half-life: games of a player in which" in out


def test_lab_as_data_is_the_same_in_all_forms(call: Call, games: Path, tmp_path: Path) -> None:
    file = tmp_path / "systems.toml"
    file.write_text('[[systems]]\nname = "quick"\nsystem = "elo"\nk = 60\n')
    arguments = ("lab", games, "--systems", file, "--system", "tenhou", "--orders", "2")
    data = json.loads(call(*arguments, "--format", "json")[0])
    assert [system["name"] for system in data["systems"]] == ["quick", "tenhou"]
    assert data["systems"][0]["parameters"]["k"] == 60
    assert data["games"] == [300]
    rows = list(csv.DictReader(io.StringIO(call(*arguments, "--format", "csv")[0])))
    by_key = {(row["system"], row["measure"]): row["value"] for row in rows}
    measures = data["systems"][0]["measures"]
    assert len(rows) == 2 * len(measures)
    assert float(by_key["quick", "log_loss"]) == measures["log_loss"]["value"]
    assert measures["log_loss"] == {"value": measures["log_loss"]["value"], "half_width": None, "count": 1}
    assert call(*arguments, "--format", "json")[0] == call(*arguments, "--format", "json")[0]


def test_lab_says_what_is_wrong(call: Call, games: Path) -> None:
    assert "did you mean games.csv?" in call("lab", games.with_name("gmes.csv"), code=2)[1]
    assert "there is no rating system" in call("lab", games, "--system", "ello", code=2)[1]
    _, err = call("lab", games, "--system", "ello", "--system", "tenhou{fade=x}", "--system", "elo{q=1}", code=2)
    for words in ("did you mean elo?", '"fade=x" is no parameter', "elo{q=1}"):
        assert words in err
    assert '"elo" comes twice' in call("lab", games, "--system", "elo", "--system", "elo", code=2)[1]
    assert "this is a file" in call("lab", games, "--preset", "mahjongo", code=2)[1]


def test_solve_in_words(call: Call) -> None:
    out, _ = call("solve", "--newcomers", "40")
    assert "a newcomer 200 points off should settle in 20 games" in out
    assert "impossible with one k: with the least k that is fast enough" in out
    assert "possible with a provisional K: k = " in out


def test_solve_as_data(call: Call) -> None:
    arguments = ("solve", "--off", "40", "--games", "60", "--noise", "45", "--within", "20", "--newcomers", "40")
    data = json.loads(call(*arguments, "--format", "json")[0])
    assert data["possible"] is True
    assert data["by_formula"]["quiet"] == pytest.approx(41.96, abs=0.1)
    assert data["quiet"]["parameters"]["k"] == pytest.approx(42, rel=0.15)
    assert data["provisional"] is None
    rows = list(csv.DictReader(io.StringIO(call(*arguments, "--format", "csv")[0])))
    assert [row["what"] for row in rows] == ["fast", "quiet"]


@pytest.mark.parametrize(
    ("system", "name", "least"),
    [("elo", "k", "1"), ("glicko2", "volatility", "0.005"), ("tenhou", "last_weight", "0.02")],
)
def test_the_end_of_the_search_is_no_answer(call: Call, system: str, name: str, least: str) -> None:
    arguments = ("solve", "--games", "10000", "--within", "100", "--newcomers", "20", "--system", system)
    out, _ = call(*arguments)
    assert f"possible: {name} from {least} (the least that is looked at; less may do) to" in " ".join(out.split())
    assert f" ≤ {least} " in out
    data = json.loads(call(*arguments, "--format", "json")[0])
    assert (data["fast"]["is_bound"], data["quiet"]["is_bound"]) == (True, False)


def test_solve_says_what_is_wrong(call: Call) -> None:
    err = call("solve", "--off", "200", "--noise", "1000", code=2)[1]
    assert "--noise: came 1000; without --within" in err
    assert "allowed: a noise of less than 200, or --within" in err
    assert "within: impossible value: 40" in call("solve", "--off", "30", "--within", "40", code=2)[1]
    assert "nobody settles further" in call("solve", "--off", "5000", "--system", "tenhou", code=2)[1]


def test_it_starts_as_a_program() -> None:
    done = subprocess.run([*PROGRAM, "ladder", "systems"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("elo ")


def test_lab_and_solve_have_pages(call: Call, games: Path, tmp_path: Path) -> None:
    page = tmp_path / "lab.html"
    arguments = ("lab", games, "--orders", "2", "--system", "elo", "--system", "glicko2")
    data = json.loads(call(*arguments, "--format", "json", "--report", page)[0])
    text = page.read_text(encoding="utf-8")
    losses = {one["name"]: one["measures"]["log_loss"]["value"] for one in data["systems"]}
    best = min(losses, key=lambda name: losses[name])
    assert f"{best} has the least log-loss of 2 systems, {losses[best]:.4f}" in text
    (other_one,) = (one for one in data["systems"] if one["name"] != best)
    beyond = other_one["beyond_best"]
    assert beyond["value"] == pytest.approx(losses[other_one["name"]] - losses[best], abs=1e-9)
    is_close = beyond["half_width"] is None or beyond["value"] <= beyond["half_width"]
    assert (f"it is not told apart from {other_one['name']}" in text) == is_close
    assert f'data-value="{losses[best]:.4f}"' in text
    assert "<svg" in text
    checks = dict(re.findall(r"<tr><td>([^<]*)</td><td><code>([^<]*)</code>", text))
    assert checks["seed"] == "1"
    assert len(checks["version of engine"]) >= 16
    assert checks["checksum of the games"] == read_recorded(games).checksum
    swapped = games.read_text().splitlines()
    swapped[1:9] = [*swapped[5:9], *swapped[1:5]]
    other = tmp_path / "other.csv"
    other.write_text("\n".join(swapped))
    assert read_recorded(other).checksum != read_recorded(games).checksum
    page = tmp_path / "wish.html"
    out, err = call("solve", "--newcomers", "40", "--report", page)
    assert str(page) in err
    text = page.read_text(encoding="utf-8")
    assert "What it takes" in text
    assert "<svg" in text
    verdict = next(line for line in out.splitlines() if line.startswith(("possible", "impossible")))
    assert verdict[1:40] in text
    assert text.index("Possible with a provisional K: k = ") < text.index("Impossible with one k")
    assert "both, with a provisional K" in text
    assert "version of engine" in text
    assert "is a folder" in call("solve", "--newcomers", "40", "--report", tmp_path, code=2)[1]
