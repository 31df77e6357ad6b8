"""The ladder's kernels as a whole, in so few games that they can run interpreted and with every index checked too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.errors import ConfigError, IllegalActionError
from sim.jit import INTERPRETED
from sim.ladder import loop, simulate
from sim.ladder.file import LadderFile
from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.ratings.newcomers import play_newcomers
from sim.ladder.ratings.update import begin, update
from sim.ladder.records import LEFT, WAITING
from sim.ladder.simulate import Replication, in_thousandths
from sim.ladder.systems import Glicko2, parse_system
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

GAMES = 6 if INTERPRETED else 400
RANKED = {"name": "ranked", "clock": "bullet", "share": 0.8}
FUN = {"name": "fun", "kind": "casual", "clock": "untimed", "share": 0.2}
HOUR = 3_600_000


def group(name: str = "a", players: int = 8, **keys: Any) -> dict[str, Any]:
    session = {"gap_hours": 0.2, "games": 2, "rest": 5, **keys.pop("session", {})}
    return {"name": name, "strategy": "first_legal", "players": players, "session": session, **keys}


BUSY = [
    group("anchors", anchor=True, session={"games": 1, "gap_hours": 0}),
    group(
        "others",
        newcomers_per_day=200,
        connection={"drops_per_hour": 200},
        leaving={"probability": 0.4, "replaced": True},
        think={"turn": 3.5, "claim": 2},
    ),
    group("impatient", session={"patience": 4}),
]
"""All that can happen, in little time."""


def play(rating: str = "elo", **keys: Any) -> tuple[Replication, dict[str, Any]]:
    base = {"name": "x", "games": GAMES, "presets": ["mahjongo"], "tables": [RANKED], "groups": [group()]}
    file = LadderFile(**{**base, **keys})
    strategies = {one.strategy: load_strategy(one.strategy) for one in file.groups}
    own = [strategies[one.strategy] for one in file.groups]
    replication = Replication(file, compile_rules(load_preset("mahjongo")), parse_system(rating), own, 0)
    found = [step.games for step in replication.run() if step.games is not None]
    rows = np.concatenate(found, axis=1) if found else np.zeros((len(GAME_COLUMNS), 0), dtype=np.int32)
    return replication, dict(zip(GAME_COLUMNS, rows.astype(np.int64), strict=True))


@pytest.mark.parametrize(
    ("rating", "order"),
    [("elo{floor=1499}", "nearest"), ("glicko2", "first_come")]
    + ([] if INTERPRETED else [("tenhou", "nearest"), ("plackett_luce", "first_come")]),
)
def test_a_busy_ladder_adds_up(rating: str, order: str) -> None:
    replication, rows = play(rating, groups=BUSY, tables=[RANKED, FUN], queue={"order": order, "look": 1})
    ladder, count = replication.ladders[0], int(replication.ladders[0].count_players)
    assert len(rows["game"]) == 4 * GAMES
    assert rows["points"].reshape(-1, 4).sum(axis=1).tolist() == [0] * GAMES
    assert rows["place"].reshape(-1, 4).sum(axis=1).tolist() == [20] * GAMES
    assert set(rows["change"][rows["ranked"] == 0].tolist()) <= {0}
    assert (rows["ranked"] == (rows["table"] == 0)).all()
    moved = np.bincount(rows["player"], weights=rows["change"], minlength=count)
    assert (in_thousandths(replication.ratings[:count, 0]) == 1_500_000 + moved).all()
    assert rows["slow"].sum() + rows["offline"].sum() > 0
    assert rows["drops"].sum() > 0
    assert 0 < len(set(rows["table"].tolist())) <= 2
    players = replication.players[:count]
    assert (players["state"][players["group"] == 0] != LEFT).all()
    assert not len(set(np.flatnonzero(players["state"] == LEFT)) & set(np.flatnonzero(players["left"] == 0)))
    assert int(ladder.deals) >= GAMES


def test_rows_are_taken_away_when_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = play(groups=BUSY)
    monkeypatch.setattr(simulate, "GAMES_AT_A_TIME", 3)
    monkeypatch.setattr(simulate, "STEP", 2)
    _, parts = play(groups=BUSY)
    for name in GAME_COLUMNS:
        assert parts[name].tolist() == whole[name].tolist(), name


def test_newcomers_for_whom_there_is_no_room_are_refused() -> None:
    gone = {"leaving": {"probability": 1.0, "replaced": True}, "session": {"games": 1}}
    groups = [group("stay"), group("go", 2, **gone), group("late", 0, newcomers_per_day=5_000)]
    replication, _ = play(groups=groups, most_players=12)
    assert int(replication.ladders[0].count_players) == 12
    assert int(replication.ladders[0].refused) > 0


def test_everybody_may_leave() -> None:
    replication, rows = play(groups=[group(leaving={"probability": 1.0}, session={"games": 1})], games=1_000)
    assert int(replication.ladders[0].count_events) == 0
    assert len(rows["game"]) == 8
    assert set(replication.players["state"][:8].tolist()) == {LEFT}


@pytest.mark.parametrize("patience", [0, 20])
def test_days_end_a_ladder(patience: float) -> None:
    groups = [group(players=3, session={"patience": patience})]
    groups.append(group("late", players=0, newcomers_per_day=100))
    replication, rows = play(groups=groups, games=None, days=0.05, queue={"window": 1, "growth": 0.1, "most": 2})
    assert int(replication.ladders[0].now) == int(1.2 * HOUR)
    assert (rows["ended"] <= 1.2 * 3_600).all()
    assert (replication.players["given_up"].sum() > 0) == (patience > 0)


def test_a_queue_without_hope_is_not_looked_at() -> None:
    with pytest.raises(ConfigError, match="nobody who waits can ever be matched"):
        play(queue={"window": 0, "growth": 0, "most": 0}, games=1_000)
    groups = [group(players=3), group("late", players=0, newcomers_per_day=60)]
    replication, _ = play(groups=groups, games=None, days=0.05, queue={"window": 0, "growth": 0, "most": 0})
    assert (replication.players["state"][: int(replication.ladders[0].count_players)] == WAITING).any()


@pytest.mark.parametrize("is_ranked", [True, False])
def test_games_without_timeouts_have_no_price(is_ranked: bool) -> None:
    table = {**RANKED, "kind": "ranked" if is_ranked else "casual", "share": 1.0}
    quick = {"opening": 1, "turn": 0.5, "claim": 0.5, "spread": 0.1}
    replication, rows = play(tables=[table], groups=[group(think=quick)], games=2)
    for name in ("slow", "offline", "priced", "slow_cost", "offline_cost", "rating_cost"):
        assert rows[name].tolist() == [0] * 8, name
    assert set(rows["ranked"].tolist()) == {int(is_ranked)}
    assert rows["change"].any() == is_ranked
    players = replication.players[:8]
    assert int(players["ranked" if is_ranked else "casual"].sum()) == 8
    assert int(players["casual" if is_ranked else "ranked"].sum()) == 0
    assert (players["places"].sum() == rows["place"].sum()) == is_ranked


def test_rounds_pass_the_deal_on() -> None:
    rounds = {"name": "r", "format": "rounds", "rounds": 1, "clock": "bullet"}
    replication, rows = play(tables=[rounds], groups=[group(connection={"drops_per_hour": 60})], games=2)
    assert set(rows["deals"].tolist()) == {4}
    assert int(replication.ladders[0].deals) >= 8


def test_an_illegal_answer_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("def choose_turn(hand, table, rules, lookup):\n    return 999\n")
    with pytest.raises(IllegalActionError, match="group a, player"):
        play(groups=[{**group(), "strategy": str(file)}])


def test_it_comes_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    if not INTERPRETED:
        pytest.skip("a constant of compiled code")
    _, whole = play()
    monkeypatch.setattr(loop, "MOST_EVENTS", 3)
    _, parts = play()
    assert parts["player"].tolist() == whole["player"].tolist()


@pytest.mark.parametrize("rating", ["elo", "glicko2"])
def test_newcomers_meet_the_same_opponents(rating: str) -> None:
    system = parse_system(rating)
    states = np.zeros((4, 4))
    for state in states:
        begin(system.code, system.to_array(), state)
    ratings, finals = np.empty((20, 31)), np.empty((20, 4))
    skills = np.array([800.0, 0, 0, 0])
    play_newcomers(system.code, system.to_array(), skills, states, 3, ratings, finals)
    assert (ratings[:, 0] == 1500).all()
    assert (ratings[:, -1] == finals[:, 0]).all()
    assert ratings[:, -1].mean() > 1650
    assert set(finals[:, 3].tolist()) == {30}
    again = np.empty_like(ratings)
    play_newcomers(system.code, system.to_array(), skills, states, 3, again, finals)
    assert (again == ratings).all()


def test_a_small_tau_moves_volatility_little() -> None:
    """After an unsurprising table it falls, by little where tau is small."""
    system = Glicko2(tau=0.02)
    table = np.zeros((4, 4))
    for state in table:
        begin(system.code, system.to_array(), state)
    table[:, 1] = 30.0
    before = table[:, 2].copy()
    update(system.code, system.to_array(), table, np.array([1, 1, 1, 1]), np.empty((4, 3)), np.empty((4, 2)))
    assert (table[:, 2] <= before).all()
    assert table[:, 2] == pytest.approx(before, rel=0.02)
