from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from sim.tournament.progress import Silence, TerminalProgress, make_progress, show_speed

ROOT = Path(__file__).parents[2]

SHOW = """
from sim.tournament.progress import TerminalProgress, make_progress
shown = make_progress(12_000_000, 3_000_000, show=None)
assert isinstance(shown, TerminalProgress)
with shown:
    shown.advance(2_000_000)
    shown._bar.refresh()
    shown.say("stopping [soon]")
"""


def test_silent_unless_somebody_watches() -> None:
    assert isinstance(make_progress(10, 0, show=None), Silence)
    assert isinstance(make_progress(10, 0, show=False), Silence)
    assert isinstance(make_progress(10, 0, show=True), TerminalProgress)


@pytest.mark.parametrize(
    ("played", "seconds", "left", "words"),
    [
        (200_000, 2.0, 500_000, "100,000 deals/s  0:05 left"),
        (1_000, 1.0, 3_725_000, "1,000 deals/s  1:02:05 left"),
        (0, 1.0, 10, "0 deals/s  0:00 left"),
    ],
)
def test_speed_in_words(played: int, seconds: float, left: int, words: str) -> None:
    assert show_speed(played, seconds, left) == words


def test_bar_fits_a_terminal_of_eighty_columns() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "dumb-not"}
    subprocess.run([sys.executable, "-c", SHOW], stderr=theirs, check=True, cwd=ROOT, env=environment)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 65_536):
            text += part
    except OSError:  # the end, on Linux
        pass
    os.close(ours)
    shown = text.decode("utf-8")
    assert "5,000,000 / 12,000,000 deals" in shown
    assert "deals/s" in shown
    assert "left" in shown
    assert "stopping [soon]" in shown
