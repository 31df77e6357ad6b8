"""Ladder files: what is read, and what is refused, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError, StrategyError
from sim.ladder.expect import expected_days, expected_deals, expected_games, games_per_day, most_players
from sim.ladder.file import LadderFile, load_ladder
from sim.ladder.plan import ladder_plan_of, make_ladder_plan
from sim.ladder.run import describe_presets
from strategies.registry import load_strategy


def make(**keys: Any) -> LadderFile:
    base: dict[str, Any] = {
        "name": "x",
        "games": 100,
        "presets": ["mahjongo"],
        "groups": [{"name": "a", "strategy": "first_legal", "players": 8}],
    }
    return LadderFile(**{key: value for key, value in {**base, **keys}.items() if value is not None})


def group(**keys: Any) -> list[dict[str, Any]]:
    return [{"name": "a", "strategy": "first_legal", "players": 8, **keys}]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"games": None}, "came neither games nor days"),
        ({"days": 3}, "came both games and days"),
        ({"players": 8}, "players: allowed only where groups have shares"),
        ({"groups": group(share=0.5)}, "came both players and share"),
        ({"groups": [{"name": "a", "strategy": "x", "share": 1.0}]}, "players: needed where groups have shares"),
        ({"groups": [{"name": "a", "strategy": "x", "players": 3}]}, "a table needs 4"),
        ({"groups": group(anchor=True, newcomers_per_day=1)}, "anchors never leave"),
        ({"groups": [*group(), *group()]}, '"a" comes twice'),
        ({"groups": group(think={"turn": -1})}, "groups[0].think.turn"),
        ({"groups": group(sesion={})}, "did you mean session?"),
        ({"most_players": 6}, "most_players: came 6, and 8 are there at the start"),
        ({"tables": [{"name": "t", "clock": "untimed"}]}, "untimed tables are casual only"),
        ({"tables": [{"name": "t", "clock": "blits"}]}, "did you mean blitz?"),
        ({"tables": [{"name": "t", "rounds": 2}]}, 'rounds: only where format = "rounds"'),
        ({"queue": {"window": 300, "most": 200}}, "window 300 is wider than the widest, most 200"),
        ({"queue": {"look": 0.01}}, "queue.look"),
        ({"days": 30_000, "games": None}, "days"),
        ({"snapshots": 1}, "snapshots"),
        (
            {"tables": [{"name": "t", "clock": {"base": 4}}]},
            "tables[0].clock.reserve: missing; allowed for clock: a text or a table with base and reserve",
        ),
        (
            {"tables": [{"name": "t", "clock": 5}]},
            "tables[0].clock: wrong type: 5 is a whole number; allowed: a text or a table with base and reserve",
        ),
        (
            {"tables": [{"name": "t", "clock": {"base": 4, "reserve": 2, "bsae": 1}}]},
            "tables[0].clock.bsae: unknown key; did you mean base?; allowed: base, reserve",
        ),
        ({"ratings": ["elo", 5]}, "ratings[1]: wrong type: 5 is a whole number; allowed: a text or a table"),
        ({"presets": [5]}, "presets[0]: wrong type: 5 is a whole number; allowed: the name of a preset, the path of"),
        ({"presets": [{"prset": "x"}]}, "presets[0].prset: unknown key; did you mean preset?"),
        (
            {"groups": [{"name": "a", "strategy": "x", "share": 0.5}], "players": 8},
            "groups: shares sum to 0.5; allowed: a sum of 1",
        ),
        (
            {"groups": [{"name": "a", "strategy": "x", "share": 0.9}, *({**group()[0], "name": "b"},)], "players": 16},
            "groups: shares sum to 0.9; allowed: a sum of 0.5, since other groups have 8 of the 16 players",
        ),
    ],
)
def test_what_is_wrong_is_said(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(**keys)
    assert words in str(caught.value)
    assert not any(name in str(caught.value) for name in (".str", "Clock", "dict["))  # no names of ours


@pytest.mark.parametrize(
    ("shares", "players", "counts"),
    [((0.5, 0.5), 5, (3, 2)), ((1 / 3, 1 / 3, 1 / 3), 100, (34, 33, 33)), ((0.1, 0.55, 0.35), 10, (1, 6, 3))],
)
def test_shares_make_all_players_there_are(shares: tuple[float, ...], players: int, counts: tuple[int, ...]) -> None:
    groups = [{"name": f"g{place}", "strategy": "x", "share": share} for place, share in enumerate(shares)]
    assert make(groups=groups, players=players).counts == counts
    assert sum(counts) == players


def test_shares_go_beside_counts() -> None:
    groups = [{"name": "a", "strategy": "x", "share": 0.75}, {"name": "b", "strategy": "x", "players": 2}]
    assert make(groups=groups, players=8).counts == (6, 2)


def test_all_mistakes_are_listed_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('games = 0\nseed = -1\npresets = ["mahjongo"]\n[[groups]]\nname = "a"\nstrategy = "ukeire"\n')
    with pytest.raises(ConfigError) as caught:
        load_ladder(file)
    lines = str(caught.value).splitlines()
    assert len(lines) >= 3
    assert all(line.startswith(str(file)) for line in lines)


def test_file_names_the_ladder_and_its_folder_counts(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'days = 2\nplayers = 10\npresets = ["mine-rules.toml"]\n'
        '[[groups]]\nname = "a"\nstrategy = "own.py"\nshare = 1.0\n'
    )
    ladder = load_ladder(tmp_path / "mine.toml")
    assert ladder.name == "mine"
    assert ladder.counts == (10,)
    assert ladder.presets[0].preset == str(tmp_path / "mine-rules.toml")
    assert ladder.groups[0].strategy == str(tmp_path / "own.py")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "ladder.toml").write_text("")
    with pytest.raises(ConfigError, match=r"did you mean ladder\.toml"):
        load_ladder(tmp_path / "lader.toml")


def plan_of(**keys: Any) -> Any:
    return make_ladder_plan(make(**keys), load_strategy, "engine", where="f.toml")


def test_plan_names_what_cannot_be_found() -> None:
    with pytest.raises(ConfigError, match=r"f\.toml: presets\[0\]\.preset"):
        plan_of(presets=["mahjonga"])
    with pytest.raises(ConfigError, match=r"f\.toml: ratings\[0\]: there is no rating system"):
        plan_of(ratings=["ello"])
    with pytest.raises(ConfigError, match=r"f\.toml: ratings\[0\]\.name"):
        plan_of(ratings=[{"system": "elo", "name": 3}])
    with pytest.raises(ConfigError, match="comes twice"):
        plan_of(ratings=["elo", "elo"])
    with pytest.raises((ConfigError, StrategyError), match=r"f\.toml: groups\[0\]\.strategy"):
        plan_of(groups=group(strategy="ukeir"))


def test_plan_names_all_that_cannot_be_found() -> None:
    with pytest.raises(ConfigError) as caught:
        plan_of(
            presets=["mahjonga", "mahjongo", "mahjong-plant"],
            ratings=["ello", {"system": "elo", "k": -1, "scale": 0}, "tenhu"],
            groups=[*group(strategy="ukeir"), {"name": "b", "strategy": "isolatin", "players": 4}],
        )
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines if line.startswith("f.toml: ")] == [
        "presets[0].preset",
        "presets[2].preset",
        "ratings[0]",
        "ratings[1]",
        "ratings[1]",
        "ratings[2]",
        "groups[0].strategy",
        "groups[1].strategy",
    ]
    with pytest.raises(ConfigError, match=r'ratings: "elo" and "tenhou" come twice'):
        plan_of(ratings=["elo", "elo", "tenhou", "tenhou"])


def cells_of(plan: Any) -> list[tuple[str, str]]:
    return [(preset["name"], preset["reference"]) for preset in plan.presets]


@pytest.mark.parametrize(
    ("knob", "own", "other"),
    [("exhaustion.flower_pig", 8, 0), ("exchange.direction", "random", "left"), ("fan.cap", 3, 5)],
)
def test_a_value_that_the_preset_has_anyway_is_no_cell_of_its_own(knob: str, own: Any, other: Any) -> None:
    """Also where the preset only assumes the value."""
    same, differs = f"mahjongo {knob}={own}", f"mahjongo {knob}={other}"
    plan = plan_of(design={"knobs": {knob: [other, own]}})
    assert cells_of(plan) == [(differs, same), (same, same)]
    assert cells_of(plan_of(design={"knobs": {knob: [other]}})) == [("mahjongo", "mahjongo"), (differs, "mahjongo")]
    assert describe_presets(make(design={"knobs": {knob: [other, own]}}), plan) == [
        f"{same}: the same rules as mahjongo, the reference; one cell"
    ]
    with pytest.raises(ConfigError, match=r"f\.toml: design: changes nothing"):
        plan_of(design={"knobs": {knob: [own]}})


def test_what_is_the_same_is_told() -> None:
    keys: dict[str, Any] = {
        "presets": ["mahjongo", {"preset": "mahjongo", "name": "pig", "set": {"exhaustion.flower_pig": 8}}]
    }
    assert describe_presets(make(**keys), plan_of(**keys)) == [
        "pig: the same rules as mahjongo; nothing can differ between them"
    ]
    keys = {"presets": ["mahjongo", "mahjong-planet"], "design": {"knobs": {"exchange.direction": ["random"]}}}
    with pytest.raises(ConfigError, match="changes nothing"):
        plan_of(**keys)
    keys["design"] = {"cells": [{"fan.cap": 3}, {"fan.cap": 3, "exhaustion.flower_pig": 8}, {"fan.cap": 4}]}
    keys["presets"] = ["mahjongo"]
    assert describe_presets(make(**keys), plan_of(**keys)) == [
        "mahjongo fan.cap=3: the same rules as mahjongo, the reference; one cell",
        "mahjongo: 1 setting more with the rules of another; no cell of its own",
    ]


def test_plan_reads_back_with_the_same_ladder() -> None:
    plan = plan_of(
        presets=["mahjongo", {"preset": "mahjongo", "name": "cap 5", "set": {"fan.cap": 5}}],
        ratings=["elo", {"system": "tenhou", "name": "R"}],
        tables=[{"name": "t", "clock": {"base": 4, "reserve": 12}}],
        groups=group(think={"turn": 3}, leaving={"probability": 0.1, "replaced": True}),
        replications=3,
    )
    again = ladder_plan_of(plan.data)
    assert again.hash == plan.hash
    assert [(cell.preset, cell.rating) for cell in again.cells] == [
        ("mahjongo", "elo"),
        ("mahjongo", "R"),
        ("cap 5", "elo"),
        ("cap 5", "R"),
    ]
    assert len(again.jobs) == 12
    assert again.presets[1]["set"] == {"fan.cap": 5}
    assert again.file.tables[0].seconds == (4.0, 12.0)
    assert again.file.groups[0].leaving.replaced
    assert again.file.groups[0].think.turn == 3.0


def test_workers_are_no_part_of_the_plan() -> None:
    assert plan_of(workers=1).hash == plan_of(workers=2).hash
    assert plan_of(seed=1).hash != plan_of(seed=2).hash


def test_changes_keep_the_rest() -> None:
    ladder = make(title="t").changed(sets={"fan.cap": 4}, seed=9, replications=2, days=3.0)
    assert (ladder.games, ladder.days, ladder.seed, ladder.replications, ladder.title) == (None, 3.0, 9, 2, "t")
    assert ladder.presets[0].set == {"fan.cap": 4}
    assert ladder.groups == make().groups
    with pytest.raises(ConfigError):
        make().changed(games=0)


def test_expectations() -> None:
    session = {"games": 6, "rest": 0, "gap_hours": 23.8}  # six games of two minutes: 24 hours from session to session
    ladder = make(groups=group(session=session), games=120)
    assert games_per_day(ladder) == pytest.approx(12.0)
    assert expected_days(ladder) == pytest.approx(10.0)
    assert expected_games(ladder) == 120
    rounds = {"name": "r", "kind": "casual", "format": "rounds", "rounds": 2}
    both = make(groups=group(session=session), tables=[{"name": "t"}, rounds])
    assert expected_deals(both) == pytest.approx(100 * (1 + 8) / 2)
    assert most_players(make(most_players=50)) == 50
    assert most_players(make(groups=group(newcomers_per_day=10), games=None, days=10)) >= 108
