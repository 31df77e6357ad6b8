"""Playing deals with every invariant checked after every answer: slow, and only for that purpose."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.invariants import describe_faults, mark_faults
from sim.engine.sichuan.play import CompiledStrategy, ask, line_up_of, seating_number
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.jit import Ints, Records, driver, new


class Fault(NamedTuple):
    """The first state found to be wrong."""

    wall_seed: int
    """Wall seed of the deal."""
    answers: int
    """How many answers were given before."""
    faults: list[str]
    """What is wrong, in words; an illegal choice counts too."""


@driver
def check_chunk(
    deals: Records[Deal],
    line_up: LineUp,
    slots: int,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    found: Ints,
) -> int:
    """Play one seating of many walls with all invariants checked; return how many states were checked.

    Parameters
    ----------
    deals : Deal[1], changed
        Workspace, its wall mode and parameters set; the deal that failed stays in it.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    slots : int64, read
        Line-up slot of each seat: sum of slot[seat] * 4 ** seat.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    wall_seeds : int64[walls], read
        Seed of each wall.
    found : int64[3], filled
        Index of the wall that failed, or NONE; answers given before; mask of faults (-1 for an illegal choice).
    """
    deal = deals[0]
    rules = all_rules[0]
    lookup = lookups[0]
    found[0] = NONE
    states = 0
    for wall in range(wall_seeds.shape[0]):
        begin_deal(deal, rules, wall_seeds[wall], slots)
        answers = 0
        while True:
            faults = mark_faults(deal, rules, lookup)
            states += 1
            seat = next_seat(deal)
            if faults == 0 and seat != NONE:
                action = ask(deal, seat, (slots >> (2 * seat)) & 3, line_up, rules, lookup)
                if answer(deal, seat, action, rules, lookup) == ILLEGAL:
                    faults = -1
            if faults:
                found[0] = wall
                found[1] = answers
                found[2] = faults
                return states
            if seat == NONE:
                break
            answers += 1
    return states


def check_deals(
    rules: Any, strategies: Sequence[CompiledStrategy], wall_seeds: Any, wall_mode: str
) -> tuple[int, Fault | None]:
    """Play deals with every invariant checked after every answer.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset.
    strategies : sequence of 4
        Strategy at each seat.
    wall_seeds : int64 array, shape (walls,)
        Wall seeds.
    wall_mode : str
        ``shared`` or ``per_seat``.

    Returns
    -------
    int
        States checked.
    Fault or None
        The first state that is wrong.
    """
    deals = new(Deal)
    deals[0].wall_mode = WALL_MODES.index(wall_mode)
    for seat, strategy in enumerate(strategies):
        deals[0].hands[seat].parameters[:] = strategy.parameters
    found = np.zeros(3, dtype=np.int64)
    seeds = np.ascontiguousarray(wall_seeds, dtype=np.int64)
    slots = seating_number((0, 1, 2, 3))
    states = check_chunk(deals, line_up_of(strategies), slots, rules, load_lookup(), seeds, found)
    if found[0] == NONE:
        return states, None
    mask = int(found[2])
    faults = ["a strategy chose what is not legal"] if mask < 0 else describe_faults(mask)
    return states, Fault(int(seeds[found[0]]), int(found[1]), faults)
