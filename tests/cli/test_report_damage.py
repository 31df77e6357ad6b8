"""`report` reads what is in the ledger and nothing else, and refuses files that are not what they were."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reports.runs import report_run
from sim.api import open_run
from sim.commands.report import make_report
from sim.errors import ResultsError
from tests.cli.test_ladder_report import LADDER
from tests.cli.test_strategy_reports_cli import call

TARGET = """
presets = ["mahjongo"]

[[line_ups]]
strategies = ["shanten", "random", "random", "random"]

[[line_ups]]
strategies = ["shanten", "shanten", "shanten", "random"]

[target]
half_width = 5.0
batch = 20
min_walls = 20
max_walls = 2000
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("damage")
    (found / "target.toml").write_text(TARGET, encoding="utf-8")
    (found / "ladder.toml").write_text(LADDER, encoding="utf-8")
    call("run", "target.toml", "--out", "target", "--report", folder=found)
    call("ladder", "ladder.toml", "--out", "ladder", folder=found)
    return found


@pytest.mark.parametrize("stop", [("--sequential",), ("--target", "3")])
def test_a_comparison_that_stopped_early_has_a_report(stop: tuple[str, ...], tmp_path: Path) -> None:
    words = ("compare", "shanten", "random", *stop, "--batch", "20", "--out", "run", "--report")
    call(*words, folder=tmp_path)
    run = open_run(tmp_path / "run")
    assert len(list((run.path / "chunks").iterdir())) < len(run.plan.chunks)  # it did stop early
    assert call("report", "run", folder=tmp_path)[0].strip() == str(Path("run") / "report.html")
    assert "shanten is better than random" in (run.path / "report.html").read_text(encoding="utf-8")


def test_a_run_that_met_its_target_has_a_report(place: Path) -> None:
    run = open_run(place / "target")
    assert (run.path / "report.html").exists()
    pair = next(table for table in report_run(run).tables() if table.key == "pair-0")
    walls = run.numbers.cells[0].walls
    assert walls < 2000
    assert {row[1].value for row in pair.rows} == {walls}


def _spoil(file: Path, how: str) -> None:
    """Damage a file."""
    data = file.read_bytes()
    if how == "missing":
        file.unlink()
    else:
        spoilt = {"empty": b"", "garbage": b"x" * 100, "one bit": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]}
        file.write_bytes(spoilt[how])


@pytest.mark.parametrize("how", ["missing", "empty", "garbage", "one bit"])
@pytest.mark.parametrize("which", ["target/chunks", "ladder/ratings", "ladder/players"])
def test_a_damaged_file_is_named(place: Path, tmp_path: Path, which: str, how: str) -> None:
    kind, _, part = which.partition("/")
    shutil.copytree(place / kind, tmp_path / "run")
    file = max((tmp_path / "run" / part).iterdir())
    _spoil(file, how)
    with pytest.raises(ResultsError) as caught:
        make_report(tmp_path / "run")
    assert str(file) in str(caught.value)
    assert f"bloodbattle resume {tmp_path / 'run'} --repair" in str(caught.value)


def test_damage_ends_a_command_with_its_exit_code(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "target", tmp_path / "run")
    file = min((tmp_path / "run" / "chunks").iterdir())
    _spoil(file, "garbage")
    told = call("report", "run", code=4, folder=tmp_path)[1]
    assert f"{Path('run') / 'chunks' / file.name}: has 100 bytes instead of" in told
