"""Making a failing case small: fewer unusual knobs, plainer players, a shorter deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from sim.rules import Preset, load_preset
from sim.tournament.events import read_log, start_event
from sim.tournament.narrate import Narrator
from tests.differential.compare import Case, disagreement, play, spell_preset

Fails = Callable[[Case], bool]


def plainer(case: Case) -> Iterator[Case]:
    """Yield cases with one thing made plain: a knob as in mahjong-planet, a player who plays shanten."""
    plain = load_preset("mahjong-planet").model_dump(by_alias=True)
    tables = case.preset.model_dump(by_alias=True)
    for table, knobs in plain.items():
        if not isinstance(knobs, dict):
            continue
        for knob, value in knobs.items():
            if tables[table][knob] != value:
                changed = {**tables, table: {**tables[table], knob: value}}
                yield replace(case, preset=Preset.model_validate(changed))
    for seat, name in enumerate(case.players):
        if name != "shanten":
            players = list(case.players)
            players[seat] = "shanten"
            yield replace(case, players=tuple(players))
    if case.settled is not None and case.settled != load_preset("mahjong-planet"):
        yield replace(case, settled=load_preset("mahjong-planet"))
    if case.wall_mode != "shared":
        yield replace(case, wall_mode="shared")


def shrink(case: Case, fails: Fails, walls: int = 60) -> Case:
    """Return the smallest failing case that simple steps from a failing one reach."""
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for other in plainer(case):
            if fails(other):
                case, is_smaller = other, True
                break
    lots = random.Random(case.wall_seed)
    best, length = case, count_events(case)
    for _ in range(walls):
        other = replace(case, wall_seed=lots.getrandbits(63))
        if count_events(other) < length and fails(other):
            best, length = other, count_events(other)
    return best


def count_events(case: Case) -> int:
    """Return how long a deal is, in events."""
    return int(play(case)[0].count_events)


def tell(case: Case) -> list[str]:
    """Tell in words how the engine plays a deal."""
    deal, rules = play(case)
    start = start_event(deal, case.preset, list(case.players), case.wall_seed, range(4))
    if case.is_slanted:
        del start["wall_seed"]  # it drew the slant; a shuffle of it gives another wall
    return Narrator(is_unicode=False).tell([start, *read_log(deal, rules)])


def report(case: Case, walls: int = 60) -> str:
    """Say what two engines disagree on in the smallest case found, tell it, and say how to play it again."""
    small = shrink(case, lambda other: disagreement(other) is not None, walls)
    told, players = small.told(), ", ".join(small.players)
    settled = f", settled again as {spell_preset(small.settled)}" if small.settled is not None else ""
    lines = [
        str(disagreement(small)),
        f"preset {spell_preset(small.preset)}{settled}, players {players}, wall mode {small.wall_mode}",
        "the deal as the engine plays it:",
        *(f"  {line}" for line in tell(small)),
        f"replay: {small.command()}",
    ]
    return "\n".join([*lines, f"in words: {told}"] if told else lines)
