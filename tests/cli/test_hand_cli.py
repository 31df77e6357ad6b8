"""`bloodbattle hand`, as a person types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]
TOLD = Path(__file__).with_name("hand-told.txt")
SHOWN = (
    ("456m23p789p99p", "--melds", "pung 1m", "--seen", "1111p4p"),
    ("12345678m11199p9m", "--void", "s", "--self-draw", "--preset", "mahjongo"),
    ("123m5567p1234499s", "--set", "void_suit.discard_first=false"),
    ("3m", "--melds", "pung 1m, added kong 2m, pung 3m, concealed kong 4m", "--preset", "cardavia-sichuan"),
    ("456m2p789p", "--melds", "pung 1m, pung 9m", "--situation", "last_tile,kong_discard", "--void", "s"),
)


def call(*arguments: str, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def tell() -> str:
    """Give what stands in hand-told.txt."""
    return "\n".join(f"$ bloodbattle hand {' '.join(words)}\n{call('hand', *words)[0]}" for words in SHOWN)


def test_hands_are_told() -> None:
    assert tell() == TOLD.read_text("utf-8")


def test_json_has_the_same() -> None:
    out, _ = call("hand", *SHOWN[0], "--json")
    data = json.loads(out)
    assert data["melds"] == ["pung 1m"]
    best = data["void_suits"][0]
    assert [(win["tile"], win["live"]) for win in best["waits"]] == [("1p", 0), ("4p", 3)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1234m"], "error: hand: 4 concealed tiles in '1234m'; allowed: 13 between turns or 14 in a turn"),
        (["123z"], "there are no winds and no dragons"),
        (["456m2p789p", "--melds", "pung 1m, pung 9m", "--void", "m"], "is of the void suit m"),
        (["456m23p789p99p", "--melds", "pung 1m", "--situation", "lsat_tile"], "did you mean last_tile?"),
        (["456m23p789p99p", "--melds", "pung 1m", "--set", "fan.cpa=3"], "did you mean fan.cap?"),
    ],
)
def test_mistakes_are_one_message_and_exit_code_2(words: list[str], message: str) -> None:
    out, error = call("hand", *words, code=2)
    assert out == ""
    assert message in error
    assert error.startswith("error: ")


if __name__ == "__main__":
    TOLD.write_text(tell(), "utf-8")
