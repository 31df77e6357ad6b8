"""Strategies of one's own at the tables of a ladder: Python and native files, the same bytes, faults named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim import Ladder, run_ladder
from sim.errors import ConfigError, IllegalActionError, StrategyError
from tests.unit.test_ladder_run import files_of

NATIVE = '''
"""Discards the lowest kind, wins, and never calls."""
from sim.engine.hands.hand import lowest_kind
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION


def choose_turn(hand, table, rules, lookup):
    return WIN_ACTION if hand.legal_win else lowest_kind(hand.legal_discards)


def choose_claim(hand, table, rules, lookup):
    return WIN_ACTION if hand.legal_win else PASS_ACTION
'''
PYTHON = '''
"""The same in Python, remembering what it has seen, which must not outlive a deal."""

from strategies.observation import PASS, WIN


class Low:
    def __init__(self):
        self.turns = 0

    def choose_turn(self, view):
        self.turns += 1
        if self.turns > 60:
            raise RuntimeError("more turns than a deal has: an object is used for several deals")
        return WIN if view.legal_win else min(view.legal_discards)

    def choose_claim(self, view):
        return WIN if view.legal_win else PASS
'''
BATCH = """
import numpy as np


class Mine:
    def choose_turn(self, batch):
        return np.where(batch.legal[:, 64], 64, batch.legal[:, :27].argmax(axis=1))
"""


def ladder_of(strategies: dict[str, str], **keys: Any) -> dict[str, Any]:
    groups = [
        {
            "name": name,
            "strategy": strategy,
            "players": 6,
            "session": {"gap_hours": 1},
            "connection": {"drops_per_hour": 5},
        }
        for name, strategy in strategies.items()
    ]
    return {
        "name": "own",
        "games": 24,
        "replications": 3,
        "snapshots": 2,
        "presets": ["mahjongo"],
        "tables": [{"name": "ranked", "clock": "bullet"}],
        "groups": groups,
        **keys,
    }


def write(folder: Path, **texts: str) -> dict[str, str]:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return {name: str(folder / f"{name}.py") for name in texts}


def play(folder: Path, strategies: dict[str, str], workers: int, **keys: Any) -> Ladder:
    return run_ladder(ladder_of(strategies, **keys), out=folder / f"with-{workers}", workers=workers)


def test_files_of_ones_own_play_the_same_bytes(tmp_path: Path) -> None:
    own = write(tmp_path, native=NATIVE, python=PYTHON)
    one, two = (play(tmp_path, {**own, "shipped": "isolation"}, workers) for workers in (1, 2))
    assert files_of(one.path) == files_of(two.path)
    games = one.games().collect()
    assert set(games["group"].unique().to_list()) == {"native", "python", "shipped"}
    assert games.filter(pl.col("slow") + pl.col("offline") > 0).height > 0  # the clock is theirs too


def test_a_python_file_that_chooses_alike_gets_alike(tmp_path: Path) -> None:
    """One after the other in the same group: the tables are the same but for the language."""
    own = write(tmp_path, native=NATIVE, python=PYTHON)
    keys = {"snapshots": 2, "replications": 1}
    found = []
    for number, strategy in enumerate(own.values()):
        ladder = run_ladder(ladder_of({"a": strategy}, **keys), out=tmp_path / f"run-{number}", workers=1)
        found.append(ladder.games().collect())
    assert found[0].equals(found[1])


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        (
            PYTHON.replace("self.turns > 60", "self.turns > 2"),
            StrategyError,
            ["more turns than a deal has", "python.py"],
        ),
        (PYTHON.replace("min(view.legal_discards)", "99"), IllegalActionError, ["99", "group python"]),
    ],
    ids=["raises", "illegal"],
)
def test_what_fails_is_named(text: str, kind: type[Exception], words: list[str], tmp_path: Path) -> None:
    own = write(tmp_path, python=text, native=NATIVE)
    with pytest.raises(kind) as caught:
        play(tmp_path, own, 2)
    for word in words:
        assert word in str(caught.value)
    assert list((tmp_path / "with-2" / "failed").glob("*.json"))


def test_a_batch_strategy_is_refused_before_there_is_a_folder(tmp_path: Path) -> None:
    own = write(tmp_path, native=NATIVE, batch=BATCH)
    with pytest.raises(
        ConfigError, match=r"groups\[1\]\.strategy: batch\.py is a batch strategy; a ladder plays one table"
    ):
        play(tmp_path, own, 1)
    assert not (tmp_path / "with-1").exists()


def test_a_file_that_is_no_strategy_is_refused_before_there_is_a_folder(tmp_path: Path) -> None:
    own = write(tmp_path, native=NATIVE, empty="x = 1\n")
    with pytest.raises(StrategyError, match=r"groups\[1\]\.strategy"):
        play(tmp_path, own, 1)
    assert not (tmp_path / "with-1").exists()
