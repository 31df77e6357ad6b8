"""What a run with a target is told before it plays: when the target is going to be met, or that it never will be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]
PRESETS = ("compare", "mahjong-planet", "mahjong-planet{fan.cap=5}", "--line-up", "ukeire,shanten,isolation,isolation")
DEAD = ("compare", "mahjong-planet", "mahjong-planet{exhaustion.flower_pig=0}", "--line-up", "ukeire")


def call(*arguments: str | Path, folder: Path, code: int = 0) -> tuple[str, str]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return " ".join(done.stdout.split()), done.stderr


def experiment(folder: Path, stop: str, design: bool = False) -> Path:
    file = folder / "mine.toml"
    knobs = '[design]\nknobs."fan.cap" = [3, 5]\n' if design else ""
    line_up = '[[line_ups]]\nstrategies = ["shanten", "isolation"]\n'
    file.write_text(f'name = "mine"\npresets = ["mahjong-planet"]\nrows = {str(not design).lower()}\n'
                    f"{line_up}{knobs}{stop}\n")  # fmt: skip
    return file


def test_a_comparison_says_when_its_target_is_going_to_be_met(tmp_path: Path) -> None:
    out, told = call("compare", "ukeire", "isolation", "--target", "0.3", "--max-walls", "1000", folder=tmp_path)
    assert "by a pilot of 200 walls: ±0.3 needs about " in told
    assert "target met: " in out
    out, told = call("compare", "ukeire", "isolation", "--target", "0.01", "--max-walls", "300", folder=tmp_path)
    assert "at most 300 are allowed (max_walls), which give about ±0." in told
    assert "the most walls allowed played, target not reached: the interval of the difference is ±0." in out
    out, told = call("compare", "ukeire", "shanten", "--sequential", "--max-walls", "16", "--batch", "16",
                     folder=tmp_path)  # fmt: skip
    assert "by a pilot of 16 walls: at most 16 walls, 1 s, if the test does not decide before" in told
    assert "test not decided: the log-likelihood ratio " in out


def test_presets_too(tmp_path: Path) -> None:
    _, told = call(*PRESETS, "--target", "0.5", "--max-walls", "500", folder=tmp_path)
    assert "by a pilot of 200 walls: ±0.5 needs about " in told
    out, told = call(*DEAD, "--metric", "flower_pig_rate", "--target", "0.01", "--max-walls", "300", folder=tmp_path)
    assert "too few walls changed to foresee ±0.01; at most 300 walls, " in told
    assert "target not reached: no wall changed; intervals are relied on from 100 changed walls, or 10,000" in out


@pytest.mark.parametrize("command", [("compare", "ukeire", "shanten"), PRESETS], ids=["strategies", "presets"])
def test_a_target_that_takes_years_is_refused(command: tuple[str, ...], tmp_path: Path) -> None:
    out, told = call(*command, "--target", "1e-7", "--out", "kept", folder=tmp_path, code=2)
    assert not out
    assert "error: compare: half-width 1e-07: by a pilot of 200 walls that needs about " in told
    assert " years on this machine; allowed: what takes a week at most" in told
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("stop", "design", "key"),
    [
        ("[target]\nhalf_width = 1e-7", False, "half-width 1e-07"),
        ("[contrast]\nhalf_width = 1e-7", False, "half-width 1e-07"),
        ("[target]\nhalf_width = 1e-7", True, "target.half_width 1e-07"),
    ],
)
def test_so_does_the_target_of_a_file(stop: str, design: bool, key: str, tmp_path: Path) -> None:
    file = experiment(tmp_path, stop, design)
    out, told = call("run", file, folder=tmp_path, code=2)
    assert not out
    assert f"{file}: {key}: by a pilot of " in told
    assert "on this machine; allowed: what takes a week at most" in told
    assert not (tmp_path / "runs").exists()


def test_a_run_that_goes_on_is_not_foreseen_again(tmp_path: Path) -> None:
    file = experiment(tmp_path, "[target]\nhalf_width = 0.5\nmin_walls = 32\nbatch = 32\nmax_walls = 640")
    _, told = call("run", file, folder=tmp_path)
    assert "by a pilot of 200 walls: ±0.5 needs about " in told
    _, told = call("run", file, folder=tmp_path)
    assert "pilot" not in told
