"""Replaying one deal: the same engine with its log on.

Not in here: the log as events (`sim.tournament.events`), and how events are told in words (`sim.tournament.narrate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import next_seat
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.failing import describe_asked, describe_deal, raised, refused, watching
from sim.engine.sichuan.forfeit import play_on
from sim.engine.sichuan.play import CompiledStrategy, line_up_of, play_deal, seating_number
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import SEATS
from sim.engine.sichuan.watch import WATCH
from sim.errors import ResultsError
from sim.jit import new
from sim.rng import wall_seed_of
from sim.rules import available_presets, knob_values, load_preset
from sim.rules.compile import compile_rules
from sim.tournament.events import describe_patterns, read_log, start_event
from sim.tournament.game import engine_digest
from sim.tournament.results import parse_deal_id
from strategies.registry import load_strategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset
    from sim.tournament.deal_file import Event
    from sim.tournament.results import Run

__all__ = ["Replay", "describe_patterns", "replay_deal", "replay_of_run"]


@dataclass(frozen=True)
class Replay:
    """One deal, played again.

    Attributes
    ----------
    events : list of dict
        Everything that happened, in order: the lines of a deal file.
    points : tuple of 4 int
        Net points of each seat.
    """

    events: list[Event]
    points: tuple[int, ...]


def replay_deal(
    preset: Preset,
    strategies: Sequence[CompiledStrategy],
    wall_seed: int,
    seating: Sequence[int] = (0, 1, 2, 3),
    wall_mode: str = "shared",
    *,
    deal_id: str | None = None,
    forfeits: bool = False,
) -> Replay:
    """Play one deal again and keep every event.

    Parameters
    ----------
    preset : Preset
        The rules in force.
    strategies : sequence of 4
        The line-up: one strategy a slot.
    wall_seed : int
        The wall seed, 0 to 2**63 - 1.
    seating : sequence of 4 int
        Line-up slot at each seat.
    wall_mode : str
        ``shared`` or ``per_seat``.
    deal_id : str, optional
        What the deal is called in its first event.
    forfeits : bool
        Whether to go on where a strategy fails, with the play of a timeout.

    Returns
    -------
    Replay
        Its events and points.

    Raises
    ------
    IllegalActionError
        If a strategy chose what the rules do not allow.
    StrategyError
        If a strategy raised an error.
    """
    deal = new(Deal)[0]
    deal.wall_mode = WALL_MODES.index(wall_mode)
    deal.is_logged = 1
    for seat in range(SEATS):
        deal.hands[seat].parameters[:] = strategies[seating[seat]].parameters
    rules = compile_rules(preset)[0]
    lookup = load_lookup()[0]
    number = seating_number(seating)
    begin_deal(deal, rules, wall_seed, number)
    start = start_event(deal, preset, [strategies[slot].name for slot in seating], wall_seed, seating, deal_id=deal_id)
    identity = f"preset {_told(preset)}, {describe_deal(wall_seed, seating, wall_mode, strategies)}"
    seeds, seatings = np.array([wall_seed]), np.array([seating])

    def asked() -> tuple[str, dict[str, Any]]:
        return describe_asked(deal, seeds, seatings, (0, 0), wall_mode, strategies)

    with watching(strategies), WATCH.over(lambda: (deal, 0), asked):
        if forfeits:
            play_on(deal, strategies, seating, rules, lookup)
            return Replay([start, *read_log(deal, rules)], tuple(int(p) for p in deal.table.points))
        try:
            culprit = play_deal(deal, number, line_up_of(strategies), rules, lookup)
        except Exception as error:
            seat = int(next_seat(deal))
            raise raised((deal, rules, lookup), seat, strategies[seating[seat]], error, identity) from error
        if culprit != NONE:
            raise refused((deal, rules, lookup), culprit, strategies[seating[culprit]], identity)
    return Replay([start, *read_log(deal, rules)], tuple(int(p) for p in deal.table.points))


def _told(preset: Preset) -> str:
    """Name a preset, with the knobs that are set over the shipped one of its name."""
    if preset.name not in available_presets():
        return preset.name
    shipped = knob_values(load_preset(preset.name))
    changed = [f" --set {key}={value}" for key, value in knob_values(preset).items() if shipped[key] != value]
    return preset.name + "".join(changed)


def replay_of_run(run: Run, deal_id: str) -> Replay:
    """Play one deal of a run again.

    Parameters
    ----------
    run : Run
        The run, finished or not.
    deal_id : str
        Which deal: ``CELL.WALL.SEATING``.

    Returns
    -------
    Replay
        Its events and points: those that the run's rows and sums came from.

    Raises
    ------
    ConfigError
        The run has no such deal.
    ResultsError
        The engine or a strategy has changed since the run was planned, so that it would be another deal.
    StrategyError
        A strategy of the run cannot be loaded any more.
    """
    identity = parse_deal_id(deal_id)
    setup = run.deal_setup(identity)
    plan = run.plan
    slots = [load_strategy(name) for name in setup.strategies]
    changed = ["the engine"] if plan.data["versions"]["engine"] != engine_digest() else []
    for name, strategy in zip(plan.cells[identity.cell].strategies, slots, strict=True):
        if plan.strategies[name]["digest"] != strategy.digest and f"strategy {name}" not in changed:
            changed.append(f"strategy {name}")
    if changed:
        raise ResultsError(
            f"{run.path}: deal {identity} cannot be played again, since these have changed since the run was planned: "
            f"{', '.join(changed)}; replay it with the version that made the run, or play the run again"
        )
    wall_seed = wall_seed_of(setup.seed, setup.wall)
    return replay_deal(
        setup.preset,
        slots,
        wall_seed,
        setup.seating,
        setup.wall_mode,
        deal_id=str(identity),
        forfeits=plan.data.get("on_error") == "forfeit",
    )
