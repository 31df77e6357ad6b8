"""`bloodbattle check` and `bloodbattle perft` as people meet them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-c", "from sim.cli import main; main()"]


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_check_says_what_was_checked() -> None:
    done = call("check", "mahjongo", "--deals", "3")
    assert done.returncode == 0
    assert "mahjongo: 18 deals, nothing wrong" in done.stdout
    assert "table states checked, nothing wrong" in done.stdout


def test_perft_tells_choices_in_words() -> None:
    done = call("perft", "--preset", "cardavia-sichuan", "--depth", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("preset cardavia-sichuan, wall seed 1")
    assert "seat 0 decides: void_suit" in lines[1]
    assert [line.split()[:2] for line in lines[3:6]] == [["void", "m"], ["void", "p"], ["void", "s"]]
    assert lines[-1].split()[:2] == ["all", "9"]


def test_perft_as_json() -> None:
    branches = json.loads(call("perft", "--preset", "cardavia-sichuan", "--depth", "1", "--json").stdout)
    assert [branch["leaves"] for branch in branches] == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["perft", "--wall-mode", "own"], "unknown --wall-mode 'own'; allowed: shared, per_seat"),
        (["perft", "--strategy", "ukeire", "--wall-seed", "6", "--tiles-left", "0"], "the deal ended before that"),
        (["perft", "--preset", "mahjong"], "did you mean mahjongo"),
        (["check", "--set", "fan.cap"], "fan.cap"),
    ],
)
def test_bad_input_is_told(arguments: list[str], words: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_long_count_can_be_interrupted() -> None:
    process = subprocess.Popen([*COMMAND, "perft", "--depth", "30"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) in (130, 0)
    process.communicate()
