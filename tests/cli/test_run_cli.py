"""`run`, `resume` and `summary` on the real engine, as a person types them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]

EXPERIMENT = """
walls = 40
presets = ["mahjong-planet", { preset = "cardavia-sichuan", name = "cap 2", set = { "fan.cap" = 2 } }]

[[line_ups]]
strategies = ["ukeire", "random"]

[[line_ups]]
strategies = ["ukeire"]
seating = "cyclic"
"""


def call(*arguments: str | Path, code: int = 0, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder or ROOT)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def files(path: Path) -> dict[str, bytes]:
    found = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return {name: text for name, text in found.items() if name not in {"timings.jsonl", ".lock"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("cli")
    (found / "small.toml").write_text(EXPERIMENT, "utf-8")
    return found


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    return call("run", "small.toml", folder=folder)


@pytest.fixture(scope="module")
def path(folder: Path, done: subprocess.CompletedProcess[str]) -> Path:
    assert done.returncode == 0
    (found,) = (folder / "runs").iterdir()
    return found


def test_run_prints_what_it_found_and_where(done: subprocess.CompletedProcess[str], path: Path) -> None:
    assert path.name.startswith("small-")
    assert "── mahjong-planet ──" in done.stdout
    assert "fan.cap 2*" in done.stdout
    assert "Where the points come from" in done.stdout
    assert f"run folder runs/{path.name}" in done.stderr
    assert "deals/s" in done.stderr


def test_summary_prints_the_same(done: subprocess.CompletedProcess[str], path: Path) -> None:
    assert call("summary", path).stdout == done.stdout
    for form, name in (("json", "summary.json"), ("csv", "summary.csv"), ("markdown", "summary.md")):
        assert call("summary", path, "--format", form).stdout == (path / name).read_text("utf-8")


def test_rows_obey_the_laws(path: Path) -> None:
    rows = pl.read_parquet(sorted((path / "chunks").glob("*.parquet")))
    assert rows.height == 2 * 40 * (4 + 4) * 4
    keys = ["cell", "wall", "seating"]
    assert rows.group_by(keys).agg(pl.col("points").cast(pl.Int64).sum())["points"].unique().to_list() == [0]
    gained = pl.sum_horizontal(pl.col("^gained_.*$").cast(pl.Int64))
    paid = pl.sum_horizontal(pl.col("^paid_.*$").cast(pl.Int64))
    assert rows.select((gained - paid == pl.col("points")).all()).item()


def test_equal_deterministic_strategies_cancel_in_every_block(path: Path) -> None:
    """Each slot's points, over the four rotations of every wall, are exactly 0: the sum of their squares is."""
    for line in (path / "ledger.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["groups"] == 1:
            assert entry["products"]["points"][-4:] == [0, 0, 0, 0]
            assert all(square > 0 for square in entry["products"]["points"][1:5])


def test_better_players_win(path: Path) -> None:
    data = json.loads((path / "summary.json").read_text("utf-8"))
    for cell in data["cells"]:
        if len(cell["strategies"]) == 2:
            ukeire, random = (part["metrics"]["points"] for part in cell["strategies"])
            assert ukeire["value"] - ukeire["half_width"] > random["value"] + random["half_width"]


def test_same_bytes_in_another_process_and_with_one_worker(path: Path, folder: Path) -> None:
    call("run", "small.toml", "--workers", "1", "--out", "other", folder=folder)
    assert files(folder / "other") == files(path)


def test_options_go_over_the_file(folder: Path) -> None:
    found = call(
        *("run", "small.toml", "--set", "fan.cap=1", "--set", "exchange.direction=left", "--walls", "2", "--seed", "9"),
        *("--wall-mode", "per_seat", "--no-rows", "--out", "changed", "--format", "json"),
        folder=folder,
    )
    data = json.loads(found.stdout)
    assert (data["seed"], data["wall_mode"], data["deals"]) == (9, "per_seat", 2 * 2 * 8)
    assert [preset["set"]["fan.cap"] for preset in data["presets"]] == [1, 1]
    assert all(preset["knobs"]["exchange"]["direction"] == "left" for preset in data["presets"])
    assert not (folder / "changed" / "chunks").exists()


def test_running_again_plays_nothing(done: subprocess.CompletedProcess[str], path: Path, folder: Path) -> None:
    again = call("run", "small.toml", folder=folder)
    assert "finished before" in again.stderr
    assert again.stdout == done.stdout
    assert path.exists()


def test_interruption_keeps_chunks_and_says_how_to_go_on(folder: Path) -> None:
    out = folder / "long"
    command = [*PROGRAM, "run", "small.toml", "--walls", "20000", "--no-rows", "--out", "long"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    for _ in range(1200):
        if (out / "ledger.jsonl").exists():
            break
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert output == ""
    assert "interrupted; go on with: bloodbattle resume long" in errors
    kept = len((out / "ledger.jsonl").read_bytes().splitlines())
    assert 1 <= kept < len(json.loads((out / "plan.json").read_bytes())["chunks"])
    unfinished = call("summary", out)
    assert "UNFINISHED" in unfinished.stdout
    assert f"go on with: bloodbattle resume {out}" in unfinished.stderr
    finished = call("resume", "long", "--format", "json", folder=folder)
    assert json.loads(finished.stdout)["finished"]
    assert "of them played before" in finished.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("run", "smal.toml"), 2, ["error: smal.toml: there is no such experiment file; did you mean small.toml?"]),
        (("run", "small.toml", "--set", "fan.cp=3"), 2, ["error: small.toml: presets[0].set: fan.cp", "fan.cap"]),
        (("run", "small.toml", "--set", "fan.cap"), 2, ["error: --set", "KEY=VALUE"]),
        (("run", "small.toml", "--walls", "0"), 2, ["error: walls: impossible value: 0"]),
        (("run", "small.toml", "--wall-mode", "sharde"), 2, ["--wall-mode"]),
        (("run", "bad.toml"), 3, ["error: bad.toml: line_ups[0].strategies[0]", "ukeire"]),
        (("resume", "nowhere"), 4, ["error: nowhere: there is no such run folder"]),
        (("summary", "."), 4, ["no run folder"]),
        (("summary", ".", "--format", "jsn"), 2, ["--format"]),
        (("rum",), 2, ["rum"]),
    ],
)
def test_mistakes_are_one_clear_message(folder: Path, arguments: tuple[str, ...], code: int, words: list[str]) -> None:
    (folder / "bad.toml").write_text(EXPERIMENT.replace("ukeire", "ukiere"), "utf-8")
    found = call(*arguments, code=code, folder=folder)
    assert found.stdout == ""
    for word in words:
        assert word in found.stderr


def test_other_plan_in_the_folder_is_refused(path: Path, folder: Path) -> None:
    found = call("run", "small.toml", "--seed", "2", "--out", path, code=4, folder=folder)
    assert "holds a run of another plan" in found.stderr
    assert "seed: 1 against 2" in found.stderr


def test_python_does_the_same(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sim import Experiment, open_run, run

    monkeypatch.chdir(folder)
    result = run(Experiment.from_file("small.toml"), out=folder / "python", workers=2, progress=False)
    assert files(result.path) == files(path)
    assert result.summary().equals(open_run(path).summary())
    assert result.seats().select(pl.len()).collect().item() == 2 * 40 * 8 * 4


def test_shipped_experiments_can_be_planned() -> None:
    from sim import load_experiment
    from sim.tournament.game import sichuan
    from sim.tournament.plan import make_plan

    game = sichuan()
    found = sorted((ROOT / "configs" / "experiments").glob("*.toml"))
    assert "first-look.toml" in [file.name for file in found]
    for file in found:
        plan = make_plan(load_experiment(file), game, where=str(file))
        assert plan.deals > 0


# pydantic is light, and typer uses it to write its help
HEAVY = {"numba", "polars", "scipy", "pandas", "joblib", "numpy", "matplotlib", "pyarrow"}


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom sim.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as stop:\n    assert not stop.code\n"
        f"print('HEAVY', sorted(set(sys.modules) & {HEAVY!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_importing_the_package_costs_nothing() -> None:
    code = f"import sys, sim; print(sorted(set(sys.modules) & {HEAVY!r}), sim.__version__, 'run' in dir(sim))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("[]")
    assert done.stdout.rstrip().endswith("True")


def test_defects_ask_for_a_report(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from sim import cli

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as stop:
        cli.main([])
    assert stop.value.code == 70
    errors = capsys.readouterr().err
    assert "ZeroDivisionError: oops" in errors
    assert "please report it" in errors


def test_files_of_any_name_are_experiments_and_one_is_counted_as_one(tmp_path: Path) -> None:
    (tmp_path / "四川 麻将.toml").write_text(
        'walls = 1\npresets = ["mahjongo"]\n[[line_ups]]\nstrategies = ["random"]\nseating = "fixed"\n', "utf-8"
    )
    done = call("run", "四川 麻将.toml", folder=tmp_path)
    assert "playing 1 deal in 1 cell; run folder runs/四川 麻将-" in done.stderr
    assert "played 1 deal in " in done.stderr
    assert done.stdout.startswith("四川 麻将: 1 deal in 1 cell · ")
    (folder,) = (tmp_path / "runs").iterdir()
    assert call("summary", folder).stdout == done.stdout
    os.mkfifo(tmp_path / "pipe.toml")
    assert "pipe.toml: no regular file, but a pipe or a device" in call("run", tmp_path / "pipe.toml", code=2).stderr


def test_extend_adds_walls(folder: Path) -> None:
    (folder / "grow.toml").write_text(
        'walls = 6\npresets = ["mahjongo"]\n[design]\nknobs = { "fan.cap" = [2, 3] }\n'
        '[[line_ups]]\nstrategies = ["ukeire", "random"]\n',
        encoding="utf-8",
    )
    short = call("run", "grow.toml", "--out", "grown", folder=folder)
    assert "(1 of them by settling again)" in short.stderr
    longer = call("extend", "grown", "--walls", "4", "--format", "csv", folder=folder)
    assert "4 more walls for each of 2 cells" in longer.stderr
    whole = call("run", "grow.toml", "--walls", "10", "--out", "whole", "--format", "csv", folder=folder)
    assert longer.stdout == whole.stdout
    for deal in ("0.9.3", "1.9.3"):
        told = [call("deal", path, deal, "--format", "jsonl", folder=folder).stdout for path in ("grown", "whole")]
        assert told[0].splitlines()[-1] == told[1].splitlines()[-1]
    assert "--walls" in call("extend", "grown", "--walls", "0", code=2, folder=folder).stderr
    assert "no such run folder" in call("extend", "nowhere", "--walls", "1", code=4, folder=folder).stderr


def test_a_settled_deal_is_told_under_its_own_rules(folder: Path) -> None:
    (folder / "caps.toml").write_text(
        'walls = 40\npresets = ["mahjongo"]\n[design]\nknobs = { "fan.cap" = [1, 3] }\n'
        '[[line_ups]]\nstrategies = ["ukeire"]\n',
        encoding="utf-8",
    )
    call("run", "caps.toml", "--out", "caps", folder=folder)
    rows = pl.read_parquet(sorted((folder / "caps" / "chunks").glob("*.parquet")))
    assert rows["cell"].n_unique() == 2
    settled, played = (rows.filter(cell=cell).sort("wall", "seat")["points"] for cell in (0, 1))
    differs = next(place // 4 for place in range(160) if settled[place] != played[place])
    for cell, points in ((0, settled), (1, played)):
        told = call("deal", "caps", f"{cell}.{differs}.0", "--format", "jsonl", folder=folder).stdout
        assert json.loads(told.splitlines()[-1])["points"] == points[4 * differs : 4 * differs + 4].to_list()
