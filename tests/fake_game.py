"""A game without compiled code: seeded numbers that obey the laws of points, to test runs without the engine.

A deal is a pure function of (rules, wall seed, seating, strategies, seat's slot), as with the real engine. Better
strategies win more. Points sum to zero and are the sum of their causes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sim.errors import StrategyError
from sim.tournament.game import Game

PATTERNS = ("root", "full_flush", "self_draw")
SKILLS = {"strong": 3, "middle": 2, "weak": 1, "twin": 2}


class Column(NamedTuple):
    name: str
    dtype: str
    unit: str
    meaning: str
    total: bool


COLUMNS = tuple(
    Column(name, dtype, "points", f"Stands for {name}.", True)
    for name, dtype in (
        ("points", "int32"),
        ("gained_discard_win", "int32"),
        ("gained_self_draw", "int32"),
        ("paid_discard_win", "int32"),
        ("paid_self_draw", "int32"),
        ("win_order", "int8"),
        ("win_form", "int8"),
        ("fan", "int16"),
        ("value", "int32"),
        ("patterns", "int16"),
        ("deal_ins", "int8"),
        ("robbed", "int8"),
        ("turns", "int8"),
        ("melds", "int8"),
        ("kongs", "int8"),
        ("status", "int8"),
        ("exhausted", "int8"),
        ("wins", "int8"),
        ("draws", "int8"),
    )
)
NAMES = [column.name for column in COLUMNS]


@dataclass(frozen=True)
class FakeStrategy:
    name: str
    digest: str
    skill: int
    rule_blind: bool = True


def load_strategy(name: str) -> FakeStrategy:
    if name not in SKILLS:
        raise StrategyError(f'there is no strategy "{name}"; there are: {", ".join(SKILLS)}')
    return FakeStrategy(name, f"digest-of-{name}", SKILLS[name])


def play_walls(rules: Any, strategies: Any, wall_seeds: Any, seatings: Any, wall_mode: str) -> Any:
    """Play: one winner a deal at most, by discard or self-draw; chances by skill."""
    places = np.arange(4)
    seats = np.tile(seatings, (len(wall_seeds), 1))
    deals = len(seats)
    skills = np.array([strategy.skill for strategy in strategies])[seats]
    identity = np.repeat(wall_seeds, len(seatings)) * 1009 + (seats * 4**places).sum(axis=1)
    lots = np.stack([_mix(identity * 8 + number + (wall_mode == "per_seat") * 4) for number in range(3)])
    ends = skills.cumsum(axis=1)
    pick = lots[0] % 10
    winner = (pick[:, None] >= ends).sum(axis=1)  # 4 when nobody wins
    won = (winner[:, None] == places) & (winner < 4)[:, None]
    self_drawn = lots[1] % 3 == 0
    fan = lots[2] % 6
    value = 2 ** np.minimum(fan, rules["cap"])
    loser = (winner + 1 + lots[1] % 2) % 4
    pays = (places == loser[:, None]) & (winner < 4)[:, None] & ~self_drawn[:, None]
    pays_self = ~won & (winner < 4)[:, None] & self_drawn[:, None]
    found: dict[str, Any] = dict.fromkeys(NAMES, np.zeros((deals, 4)))
    found["gained_discard_win"] = won * (~self_drawn * value)[:, None]
    found["paid_discard_win"] = pays * value[:, None]
    found["gained_self_draw"] = won * (3 * self_drawn * value)[:, None]
    found["paid_self_draw"] = pays_self * value[:, None]
    found["points"] = (
        found["gained_discard_win"] + found["gained_self_draw"] - found["paid_discard_win"] - found["paid_self_draw"]
    )
    found["win_order"] = won * 1
    found["win_form"] = won * np.where(self_drawn, 1, 2)[:, None]
    found["fan"] = won * fan[:, None]
    found["value"] = won * value[:, None]
    found["patterns"] = won * (fan % 8)[:, None]
    found["deal_ins"] = pays * 1
    found["turns"] = (lots[0][:, None] + places) % 19
    found["kongs"] = (lots[2][:, None] >> places) & 1
    found["melds"] = found["kongs"] + 1
    found["exhausted"] = np.repeat((winner == 4)[:, None], 4, axis=1)
    found["status"] = np.where(won, 0, np.where(found["exhausted"], 1 + (lots[0][:, None] + places) % 3, 4))
    found["wins"] = np.repeat((winner < 4)[:, None], 4, axis=1)
    found["draws"] = np.repeat((lots[0] % 56)[:, None], 4, axis=1)
    return np.ascontiguousarray(np.stack([found[name].astype(np.int32).ravel() for name in NAMES]))


def play_and_settle(
    rules: Any, strategies: Any, wall_seeds: Any, seatings: Any, wall_mode: str, others: Any
) -> tuple[Any, Any]:
    """Play, and settle again: the cap, all that the rules say here, changes nothing but what wins are worth."""
    columns = play_walls(rules, strategies, wall_seeds, seatings, wall_mode)
    settled = [play_walls(other, strategies, wall_seeds, seatings, wall_mode) for other in others]
    return columns, np.array(settled, dtype=np.int32).reshape(len(settled), *columns.shape)


def _mix(words: Any) -> Any:
    """Mix words; not negative."""
    with np.errstate(over="ignore"):
        mixed = (words.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(2)).astype(np.int64)


def wall_seed(seed: int, wall: int) -> int:
    return int(_mix(np.array([seed * 1_000_003 + wall]))[0]) % 2**40


def compile_rules(preset: Any) -> dict[str, int]:
    return {"cap": 20 if preset.fan.cap is None else preset.fan.cap}


FAKE = Game(
    name="fake",
    digest="fake-engine",
    columns=COLUMNS,
    patterns=PATTERNS,
    play=play_walls,
    compile_rules=compile_rules,
    load_strategy=load_strategy,
    wall_seed=wall_seed,
    play_and_settle=play_and_settle,
)


class Recorder:
    """A game that counts its calls, and can be made to fail or to interrupt."""

    def __init__(self, game: Game = FAKE) -> None:
        self.calls: Counter[int] = Counter()
        self.before: Any = None
        self.game = replace(game, play=self._play, play_and_settle=self._play_and_settle)
        self._inner = game.play

    def _play(self, rules: Any, strategies: Any, wall_seeds: Any, seatings: Any, wall_mode: str) -> Any:
        self.calls[int(wall_seeds[0])] += 1
        if self.before is not None:
            self.before(self, wall_seeds)
        return self._inner(rules, strategies, wall_seeds, seatings, wall_mode)

    def _play_and_settle(self, rules: Any, strategies: Any, seeds: Any, seatings: Any, mode: str, others: Any) -> Any:
        self.calls[int(seeds[0])] += 1
        if self.before is not None:
            self.before(self, seeds)
        return play_and_settle(rules, strategies, seeds, seatings, mode, others)

    @property
    def count(self) -> int:
        return sum(self.calls.values())
