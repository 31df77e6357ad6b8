"""Ctrl-C at any time ends the program with a word and the exit code 130, while it loads too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

WAITS = "import builtins, signal, sys\nold = builtins.__import__\n"
STOPS_IN = """
def load(name, *rest, **more):
    if name == {module!r}:
        signal.raise_signal(signal.SIGINT)
    return old(name, *rest, **more)
builtins.__import__ = load
from sim.start import main
main()
"""
WORDS = ["effect", "fan.cap", "2", "5", "--preset", "mahjongo", "--walls", "20000"]


@pytest.mark.parametrize("module", ["typer", "sim.errors", "sim.tournament.experiment", "sim.tournament.game"])
def test_while_it_loads(module: str, tmp_path: Path) -> None:
    program = [sys.executable, "-c", WAITS + STOPS_IN.format(module=module), *WORDS]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.endswith("interrupted\n")
    assert "Traceback" not in done.stderr


def test_while_it_plays(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from sim.start import main; main()", *WORDS, "--out", "run"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert running.stderr is not None
        said = ""
        while not said.startswith("playing "):
            said = running.stderr.readline()
        time.sleep(0.2)
        os.kill(running.pid, signal.SIGINT)
        out, error = running.communicate(timeout=120)
    assert (running.returncode, out) == (130, "")
    assert "interrupted; go on with the same command: run keeps what is finished" in error
    assert "Traceback" not in error
