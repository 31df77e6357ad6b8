"""A small page of every kind, made by the commands themselves."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from sim.cli import main

ROOT = Path(__file__).parents[2]
LADDER = """
games = 400
replications = 2
snapshots = 8
keep_games = false
presets = ["mahjongo"]
ratings = ["elo{k_provisional=24}", "glicko2"]

[queue]
window = 100_000
most = 100_000

[[groups]]
name = "fixed"
strategy = "shanten"
players = 6
anchor = true

[[groups]]
name = "weak"
strategy = "random"
players = 20
newcomers_per_day = 2
leaving = { probability = 0.05 }
"""
COMMANDS = {
    "run": ("run", ROOT / "configs/experiments/first-look.toml", "--walls", "20", "--no-rows"),
    "effect of one knob": (
        *("effect", "fan.cap", "2", "none", "--preset", "mahjong-planet", "--walls", "40", "--no-pilot"),
        *("--line-up", "ukeire,shanten,isolation,random"),
    ),
    "effect of two knobs": (
        *("effect", "exhaustion.flower_pig=8,0", "exhaustion.flower_pig_to=remaining_cleared,all_non_pigs"),
        *("--preset", "mahjongo", "--line-up", "shanten,isolation,isolation,random", "--walls", "40", "--no-pilot"),
    ),
    "tournament": ("tournament", "random", "isolation", "shanten", "--walls", "10"),
    "compare": ("compare", "shanten", "isolation", "--walls", "20"),
    "profile": ("profile", "shanten", "--deals", "60"),
    "ladder": ("ladder", "ladder.toml"),
    "deal": (
        *("deal", "--preset", "mahjong-planet", "--wall-seed", "17"),
        *("--strategies", "ukeire,shanten,isolation,random", "--format", "html"),
    ),
}


def call(*arguments: object) -> str:
    """Run a command in this process, and give what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert left.value.code == 0
    return printed.getvalue()


def write_page(kind: str, folder: Path) -> Path:
    """Make the page of a kind in a folder, or make it again of the run that is there."""
    page = folder / "page.html"
    if kind == "deal":
        page.write_text(call(*COMMANDS[kind]), encoding="utf-8")
        return page
    if kind == "ladder":
        (folder / "ladder.toml").write_text(LADDER, encoding="utf-8")
    words = [folder / word if word == "ladder.toml" else word for word in COMMANDS[kind]]
    call(*words, "--out", folder / "run", "--report", page)
    return page
