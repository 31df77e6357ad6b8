"""Making a failing case small: fewer unusual knobs, plainer players, a shorter deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from sim.rules import Preset, load_preset
from tests.differential.compare import Case, disagreement, play

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


def report(case: Case) -> str:
    """Say what two engines disagree on in the smallest case found, and how to play it again."""
    small = shrink(case, lambda other: disagreement(other) is not None)
    return f"{disagreement(small)}\nplayers {small.players}, wall mode {small.wall_mode}\nreplay: {small.command()}"
