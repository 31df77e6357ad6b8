"""How fast the ladder's loop is against the engine alone, timed in turns in one go."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.sichuan.play import play_walls
from sim.ladder.file import LadderFile
from sim.ladder.simulate import Replication
from sim.ladder.systems import parse_system
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

if TYPE_CHECKING:
    from collections.abc import Callable

PRESET: Final = "mahjong-planet"
STRATEGY: Final = "ukeire"
PLAYERS: Final = 1_000
TRIAL: Final = 20_000
"""Deals that show how many take so long as wished; a ladder's snapshots cost the same however long it is."""
SESSION: Final[dict[str, float]] = {"games": 20, "rest": 10, "gap_hours": 1}
"""Enough people at the same time that queues are short."""


@dataclass(frozen=True)
class LadderSpeed:
    """What one core does in a second."""

    what: str
    """The engine alone, or which ladder."""
    deals_per_second: float
    """Deals; of a ladder those of its games alone, not those played again to price timeouts."""
    to_engine: float
    """The same as a share of what the engine alone does, in the same turn: the median over turns."""


def time_ladder(seconds: float = 3.0, turns: int = 3) -> list[LadderSpeed]:
    """Time the engine and ladders in turns, on one core.

    Parameters
    ----------
    seconds
        How long each is timed in each turn.
    turns
        How often.

    Returns
    -------
    list of LadderSpeed
        The engine alone, then ladders of 1,000 players: untimed, on the clock, on the clock with connections that drop.
    """
    rules, strategy = compile_rules(load_preset(PRESET)), load_strategy(STRATEGY)
    seating = np.arange(4, dtype=np.int64).reshape(1, 4)

    def engine(deals: int) -> int:
        seeds = np.array([wall_seed_of(1, wall) for wall in range(deals)], dtype=np.int64)
        play_walls(rules, [strategy] * 4, seeds, seating, "shared")
        return deals

    def ladder(deals: int, **keys: Any) -> int:
        table = keys.pop("table")
        group = {"name": "all", "strategy": STRATEGY, "players": PLAYERS, "session": SESSION, **keys}
        file = LadderFile(name="bench", games=deals, presets=(PRESET,), tables=(table,), groups=(group,))
        for step in Replication(file, rules, parse_system("elo"), [strategy], 0).run():
            found = step.deals
        return found

    untimed = {"name": "t", "kind": "casual", "clock": "untimed"}
    ranked = {"name": "t", "clock": "standard"}
    works: dict[str, Callable[[int], int]] = {
        f"engine alone, {STRATEGY} x4": engine,
        "ladder, untimed, casual": lambda deals: ladder(deals, table=untimed),
        "ladder, standard clock, ranked": lambda deals: ladder(deals, table=ranked),
        "the same, connections drop": lambda deals: ladder(deals, table=ranked, connection={"drops_per_hour": 0.5}),
    }
    counts: dict[str, int] = {}
    for name, work in works.items():
        work(200)
        started = time.perf_counter()
        work(TRIAL)
        counts[name] = max(int(TRIAL * seconds / max(time.perf_counter() - started, 1e-6)), TRIAL)
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(turns):
        for name, work in works.items():
            started = time.process_time()
            played = work(counts[name])
            rates[name].append(played / (time.process_time() - started))
    alone = rates[next(iter(works))]
    return [
        LadderSpeed(name, max(own), float(np.median([one / other for one, other in zip(own, alone, strict=True)])))
        for name, own in rates.items()
    ]
