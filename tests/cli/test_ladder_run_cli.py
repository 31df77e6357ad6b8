"""`bloodbattle ladder FILE.toml`, `ladder summary`, and how `resume` and `summary` know a ladder."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from sim import open_ladder
from sim.cli import main

FILE = """
games = 200
replications = 2
snapshots = 4
presets = ["mahjongo"]
ratings = ["elo", "tenhou"]

[[tables]]
name = "ranked"
clock = "bullet"

[[groups]]
name = "strong"
strategy = "isolation"
players = 12
anchor = true

[[groups]]
name = "weak"
strategy = "first_legal"
players = 12
think = { turn = 4 }
connection = { drops_per_hour = 20 }
"""


class Call:
    """What a person types, run in this process: starting another one each time takes seconds."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str | Path, code: int = 0) -> tuple[str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        out, err = self.capsys.readouterr()
        assert caught.value.code == code, err
        assert "Traceback" not in err
        return out, err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(capsys)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladders")
    (folder / "small.toml").write_text(FILE)
    return folder


@pytest.fixture
def run(call: Call, place: Path) -> tuple[Path, str, str]:
    out, err = call("ladder", place / "small.toml", "--out", place / "run")
    return place / "run", out, err


def test_a_file_is_played_and_summed_up(call: Call, run: tuple[Path, str, str]) -> None:
    folder, out, told = run
    lines = out.splitlines()
    sums = [entry.sums for entry in open_ladder(folder).entries()]
    deals, again = (sum(each[key] for each in sums) for key in ("deals", "deals_again"))
    assert f"played {deals:,} deals, and {again:,} again without timeouts, in" in told or "finished before" in told
    assert again > 0
    assert lines[0] == "small: preset mahjongo, ratings elo"
    assert "small: preset mahjongo, ratings tenhou" in lines
    for title in (
        "A replication",
        "Groups at the end",
        "Waiting and rating gaps",
        "Timeouts and connections, and what a player's own timeouts cost",
    ):
        assert lines.count(title) == 2, title
    assert any(line.startswith("strong (anchors)") for line in lines)
    assert any(line.startswith("weak, offline") for line in lines)
    again, err = call("ladder", folder.parent / "small.toml", "--out", folder)
    assert again == out
    assert "finished before; nothing is played again" in err
    assert call("ladder", "run", folder.parent / "small.toml", "--out", folder)[0] == out
    assert call("ladder", "summary", folder)[0] == out
    assert call("summary", folder)[0] == out


def test_plan_is_told_before(call: Call, place: Path, tmp_path: Path) -> None:
    _, err = call("ladder", place / "small.toml", "--out", tmp_path / "a", "--games", "20", "--replications", "1")
    assert "2 cells (presets mahjongo; ratings elo, tenhou), 1 replication each" in err
    assert "24 players at the start, 20 games, about" in err
    assert "days of virtual time if nobody had to wait" in err
    assert "expected: 40 deals, about 1 second at 20,000 deals/s and core besides starting up, and deals played" in err
    untimed = tmp_path / "untimed.toml"
    table = 'name = "ranked"\nclock = "bullet"'
    untimed.write_text(FILE.replace(table, 'name = "fun"\nkind = "casual"\nclock = "untimed"'))
    _, err = call("ladder", untimed, "--out", tmp_path / "b", "--days", "1.5", "--replications", "1")
    assert " games, 1.5 days of virtual time\n" in err
    assert "besides starting up; " in err


def test_deals_are_those_of_finished_games(call: Call, run: tuple[Path, str, str]) -> None:
    for report in json.loads(call("ladder", "summary", run[0], "--format", "json")[0]):
        found = {row["measure"]: row["value"] for row in report["measures"] if row["table"] == "ladder"}
        assert found["deals"] == found["games"] == 200  # others were under way when it ended


def test_an_empty_ledger_beside_files_is_no_clean_bill(call: Call, run: tuple[Path, str, str], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run[0], copy)
    (copy / "ledger.jsonl").write_bytes(b"")
    _, err = call("ladder", "summary", copy, "--checks", code=4)
    assert "ledger.jsonl: records no replication, but there are 12 files of games, players or ratings" in err
    assert "no replication is finished yet" in call("ladder", "summary", copy, code=4)[1]
    for kind in ("games", "players", "ratings"):
        shutil.rmtree(copy / kind)
    assert f"{copy}: no replication is finished yet" in call("summary", copy, "--checks", code=4)[1]


def test_a_ladder_that_stands_still_cannot_be_resumed(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "apart.toml"
    lone = "\n[queue]\nwindow = 1\nmost = 1\ngrowth = 0\n"
    text = FILE.replace("games = 200", "games = 10000").replace("replications = 2", "replications = 1")
    file.write_text(text.replace("\n[[tables]]", f"{lone}[[tables]]", 1).replace(', "tenhou"', ""))
    _, err = call("ladder", file, "--out", tmp_path / "run", code=2)
    assert "can ever be matched" in err
    assert "the plan of this folder is fixed; change the ladder file, and play it into a new folder" in err
    assert "bloodbattle resume" not in err


def test_data_is_the_same_in_all_forms(call: Call, run: tuple[Path, str, str]) -> None:
    folder, _, _ = run
    data = json.loads(call("ladder", "summary", folder, "--format", "json")[0])
    assert [(report["preset"], report["system"]) for report in data] == [("mahjongo", "elo"), ("mahjongo", "tenhou")]
    rows = list(csv.DictReader(io.StringIO(call("summary", folder, "--format", "csv")[0])))
    assert len(rows) == sum(len(report["measures"]) for report in data)
    points = {row["who"]: float(row["value"]) for row in rows[: len(data[0]["measures"])] if row["measure"] == "points"}
    assert points["strong"] > 0 > points["weak"]
    assert "## Groups at the end" in call("ladder", "summary", folder, "--format", "markdown")[0]


def test_options_change_the_ladder(call: Call, place: Path, tmp_path: Path) -> None:
    arguments = ("ladder", place / "small.toml", "--replications", "1", "--seed", "5", "--set", "fan.cap=5")
    call(*arguments, "--games", "30", "--out", tmp_path / "a", "--format", "json")
    plan = json.loads((tmp_path / "a" / "plan.json").read_bytes())
    assert (plan["seed"], plan["ladder"]["games"], plan["presets"][0]["set"]) == (5, 30, {"fan.cap": 5})
    assert "came both" in call(*arguments, "--games", "3", "--days", "2", code=2)[1]


def test_resume_knows_a_ladder(call: Call, run: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, out, _ = run
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    ledger = copy / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:1]))
    _, err = call("ladder", "summary", copy)
    assert f"unfinished; go on with: bloodbattle resume {copy}" in err
    assert call("resume", copy)[0] == out
    assert ledger.read_bytes() == (folder / "ledger.jsonl").read_bytes()
    (copy / "players" / "000-00000.parquet").unlink()
    assert "players/000-00000.parquet: is missing" in call("resume", copy, code=4)[1]
    assert call("resume", copy, "--repair")[0] == out


def test_an_edited_sum_is_no_result(call: Call, run: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, out, _ = run
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    ledger = copy / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"deals":', b'"deals":9', 2))
    for command in (("summary",), ("summary", "--checks"), ("ladder", "summary"), ("ladder", "drift"), ("resume",)):
        _, err = call(*command, copy, code=4)
        assert "ledger.jsonl: line 1: damaged; `bloodbattle resume --repair` drops it" in err
    assert "line 1: damaged" in call("ladder", "compare", folder, copy, code=4)[1]
    assert call("resume", copy, "--repair")[0] == out


def test_files_that_are_gone_are_named(call: Call, run: tuple[Path, str, str], tmp_path: Path) -> None:
    folder, out, _ = run
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert "warning" not in call("ladder", "summary", folder)[1]
    (copy / "players" / "000-00000.parquet").unlink()
    games = copy / "games" / "001-00001.parquet"
    games.write_bytes(games.read_bytes()[:-1])
    for command in (("summary", copy), ("ladder", "drift", copy), ("ladder", "compare", folder, copy)):
        _, err = call(*command)
        assert f"warning: {copy}/players/000-00000.parquet: is missing; what is printed is from the ledger" in err
        assert "games/001-00001.parquet: has " in err
        assert f"to play them again: bloodbattle resume {copy} --repair" in err
    assert call("summary", copy)[0] == out
    for command in ("summary", "ladder"):
        arguments = ("summary", copy) if command == "summary" else ("ladder", "summary", copy)
        _, err = call(*arguments, "--checks", code=4)
        assert "players/000-00000.parquet: is missing" in err
        assert "games/001-00001.parquet: has " in err
    told = call("summary", folder, "--checks")[0]
    assert "small: checks of 2 cells" in told
    assert "have the checksums that they were written with" in told
    assert "is a ladder" in call("summary", folder, "--effects", code=2)[1]


def test_what_is_wrong_is_said(call: Call, place: Path, tmp_path: Path) -> None:
    assert "did you mean small.toml?" in call("ladder", place / "smal.toml", code=2)[1]
    assert "no run folder" in call("ladder", "summary", tmp_path, code=4)[1]
    assert "No such command" in call("ladder", "sumary", code=2)[1]
    out, _ = call("ladder", "--help")
    assert "bloodbattle ladder FILE.toml" in out
