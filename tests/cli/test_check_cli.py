"""`bloodbattle check` and `bloodbattle perft` as people meet them."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

from sim.commands.perft import estimate_states, show_large, show_time

COMMAND = [sys.executable, "-c", "from sim.cli import main; main()"]


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_check_says_what_was_checked() -> None:
    done = call("check", "--preset", "mahjongo", "--preset", "cardavia-sichuan", "--deals", "3")
    assert done.returncode == 0
    one, other, total = done.stdout.splitlines()
    assert one == "mahjongo: 18 deals, nothing wrong"
    assert other == "cardavia-sichuan: 18 deals, nothing wrong"
    assert total.endswith(" table states checked, nothing wrong")
    assert done.stderr == ""


def test_check_shows_its_progress_at_a_terminal() -> None:
    """On stderr alone, so that what was checked can be piped."""
    mine, theirs = pty.openpty()
    command = [*COMMAND, "check", "--preset", "mahjongo", "--deals", "20"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"})
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(mine, 4096):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(mine)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert b"/ 120 deals" in shown
    assert b"nothing wrong" not in shown
    assert out.startswith(b"mahjongo: 120 deals, nothing wrong\n")


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


def test_a_long_count_is_foretold_and_can_be_interrupted() -> None:
    process = subprocess.Popen(
        [*COMMAND, "perft", "--depth", "30", "--preset", "cardavia-sichuan", "--tiles-left", "40"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    assert re.fullmatch(
        r"depth \d+ has [\d,]+ states; depth 30, if it goes on growing so, about \de\d+: "
        r"about \S+ \w+; Ctrl-C ends it\n",
        said,
    ), said
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert out == ""
    assert "Traceback" not in error


def test_a_count_that_ends_is_not_foretold() -> None:
    """A few tiles from the end no depth is too great, and greater depths than the tree's count the same."""
    words = ("perft", "--preset", "mahjongo", "--tiles-left", "2", "--depth")
    done, deeper = call(*words, "20"), call(*words, "60")
    assert done.stderr == deeper.stderr == ""
    assert done.stdout.splitlines()[2:] == deeper.stdout.splitlines()[2:]


def test_the_size_of_a_tree_is_estimated_from_its_growth() -> None:
    assert estimate_states([10], 3) == 1000
    assert estimate_states([10, 20, 200, 400, 4000, 8000], 8) == pytest.approx(8000 * 20)
    assert [show_large(number) for number in (0, 999_999_999, 1e9, 4.2e25)] == ["0", "999,999,999", "1e9", "4e25"]
    assert [show_time(seconds) for seconds in (59.6, 119, 120, 10_800, 259_200, 1e9)] == [
        "60 seconds",
        "119 seconds",
        "2 minutes",
        "3 hours",
        "3 days",
        "32 years",
    ]
