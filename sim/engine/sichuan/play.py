"""Playing whole deals with compiled strategies: the hot loop."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.columns import COLUMNS, Column, fill_columns
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import Decisions
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import DECISIONS, EXCHANGE, SEATS, TURN, VOID_SUIT
from sim.errors import IllegalActionError, InvariantError
from sim.jit import Columns, Floats2, Ints, Ints2, Records, driver, inlined, kernel, new

__all__ = ["COLUMNS", "Column", "CompiledStrategy", "play_walls", "seating_number"]

_PLAYED, _NOT_ZERO_SUM = -1, -2


class CompiledStrategy(Protocol):
    """What the engine needs of a strategy."""

    @property
    def name(self) -> str:
        """Name for messages."""
        ...

    @property
    def decisions(self) -> tuple[Any, Any, Any, Any]:
        """Compiled choices: exchange, void suit, turn, claim."""
        ...

    @property
    def parameters(self) -> npt.NDArray[np.float64]:
        """Sixteen parameters."""
        ...


@inlined
def ask(
    deal: Deal,
    seat: int,
    slot: int,
    exchanges: Decisions,
    void_suits: Decisions,
    turns: Decisions,
    claims: Decisions,
    rules: Rules,
    lookup: Lookup,
) -> int:
    """Return what a strategy chooses in the decision its seat is asked for.

    Parameters
    ----------
    deal : Deal, changed
        The deal; a strategy may change its own hand's lots and memory.
    seat : int64, read
        The seat that is asked.
    slot : int64, read
        Its line-up slot.
    exchanges : tuple of 4 functions, read
        Exchange choice of each slot.
    void_suits : tuple of 4 functions, read
        Void suit choice of each slot.
    turns : tuple of 4 functions, read
        Turn choice of each slot.
    claims : tuple of 4 functions, read
        Claim choice of each slot, for discards and added kongs.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    if table.decision == TURN:
        return turns[slot](hand, table, rules, lookup)
    if table.decision == EXCHANGE:
        return exchanges[slot](hand, table, rules, lookup)
    if table.decision == VOID_SUIT:
        return void_suits[slot](hand, table, rules, lookup)
    return claims[slot](hand, table, rules, lookup)


@kernel
def play_deal(
    deal: Deal,
    slots: int,
    exchanges: Decisions,
    void_suits: Decisions,
    turns: Decisions,
    claims: Decisions,
    rules: Rules,
    lookup: Lookup,
) -> int:
    """Play a deal that has begun to its end; return NONE, or the seat whose strategy chose an illegal action.

    Parameters
    ----------
    deal : Deal, changed
        The deal; if a seat chose illegally it stays where that happened.
    slots : int64, read
        Line-up slot of each seat: sum of slot[seat] * 4 ** seat.
    exchanges : tuple of 4 functions, read
        Exchange choice of each slot.
    void_suits : tuple of 4 functions, read
        Void suit choice of each slot.
    turns : tuple of 4 functions, read
        Turn choice of each slot.
    claims : tuple of 4 functions, read
        Claim choice of each slot, for discards and added kongs.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    while True:
        seat = next_seat(deal)
        if seat == NONE:
            return NONE
        action = ask(deal, seat, (slots >> (2 * seat)) & 3, exchanges, void_suits, turns, claims, rules, lookup)
        if answer(deal, seat, action, rules, lookup) == ILLEGAL:
            deal.answers[seat] = action
            return seat


@driver
def play_chunk(
    deals: Records[Deal],
    exchanges: Decisions,
    void_suits: Decisions,
    turns: Decisions,
    claims: Decisions,
    parameters: Floats2,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    seatings: Ints2,
    columns: Columns,
) -> int:
    """Play all seatings of many walls; return _PLAYED, _NOT_ZERO_SUM, or the seat whose strategy chose illegally.

    Parameters
    ----------
    deals : Deal[1], changed
        Workspace, its wall mode set; the deal that failed stays in it.
    exchanges : tuple of 4 functions, read
        Exchange choice of each slot.
    void_suits : tuple of 4 functions, read
        Void suit choice of each slot.
    turns : tuple of 4 functions, read
        Turn choice of each slot.
    claims : tuple of 4 functions, read
        Claim choice of each slot.
    parameters : float64[4, 16], read
        Parameters of each slot's strategy.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    wall_seeds : int64[walls], read
        Seed of each wall.
    seatings : int64[seatings, 4], read
        Slot of each seat.
    columns : int32[len(COLUMNS), walls * seatings * 4], filled
        Results, ordered by wall, seating, seat.
    """
    deal = deals[0]
    rules = all_rules[0]
    lookup = lookups[0]
    row = 0
    for wall in range(wall_seeds.shape[0]):
        for seating in range(seatings.shape[0]):
            slots = 0
            for seat in range(SEATS):
                slot = seatings[seating, seat]
                slots |= slot << (2 * seat)
                for index in range(16):
                    deal.hands[seat].parameters[index] = parameters[slot, index]
            begin_deal(deal, rules, wall_seeds[wall], slots)
            culprit = play_deal(deal, slots, exchanges, void_suits, turns, claims, rules, lookup)
            if culprit != NONE:
                return culprit
            points = deal.table.points
            if points[0] + points[1] + points[2] + points[3] != 0:
                return _NOT_ZERO_SUM
            fill_columns(deal, columns, row)
            row += SEATS
    return _PLAYED


def seating_number(seating: Sequence[int]) -> int:
    """Return the number of a seating, part of the identity of a deal.

    Parameters
    ----------
    seating : sequence of 4 ints
        Line-up slot at each seat.

    Returns
    -------
    int
        Sum of slot[seat] * 4 ** seat.
    """
    return sum(slot << (2 * seat) for seat, slot in enumerate(seating))


def play_walls(
    rules: Any,
    strategies: Sequence[CompiledStrategy],
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    wall_mode: str,
) -> npt.NDArray[np.int32]:
    """Play every seating of every wall.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset (`sim.rules.compile.compile_rules`).
    strategies : sequence of 4
        The line-up: one strategy a slot.
    wall_seeds : int64 array, shape (walls,)
        Wall seeds.
    seatings : int64 array, shape (seatings, 4)
        Line-up slot at each seat.
    wall_mode : str
        ``shared`` or ``per_seat``.

    Returns
    -------
    int32 array, shape (len(COLUMNS), walls * seatings * 4)
        Results, ordered by wall, seating, seat.

    Raises
    ------
    IllegalActionError
        If a strategy chose what the rules do not allow.
    InvariantError
        If the points of a deal do not sum to zero: a defect of the engine.
    """
    deals = new(Deal)
    deals[0].wall_mode = WALL_MODES.index(wall_mode)
    columns = np.empty((len(COLUMNS), len(wall_seeds) * len(seatings) * SEATS), dtype=np.int32)
    parameters = np.array([strategy.parameters for strategy in strategies], dtype=np.float64)
    status = play_chunk(
        deals,
        *decision_tuples(strategies),
        parameters,
        rules,
        load_lookup(),
        np.ascontiguousarray(wall_seeds, dtype=np.int64),
        np.ascontiguousarray(seatings, dtype=np.int64),
        columns,
    )
    if status == _NOT_ZERO_SUM:
        message = f"the points of a deal sum to {sum(deals[0].table.points)}, not to zero: please report this defect"
        raise InvariantError(message)
    if status != _PLAYED:
        raise IllegalActionError(describe_illegal(deals[0], status, strategies))
    return columns


def decision_tuples(strategies: Sequence[CompiledStrategy]) -> tuple[Any, Any, Any, Any]:
    """Return the four tuples of functions that a driver takes: exchanges, void suits, turns, claims of each slot."""
    exchanges, void_suits, turns, claims = zip(*(strategy.decisions for strategy in strategies), strict=True)
    return exchanges, void_suits, turns, claims


def describe_illegal(deal: Any, seat: int, strategies: Sequence[CompiledStrategy]) -> str:
    """Say which strategy chose what, where, and what was legal."""
    names = ", ".join(sorted({strategy.name for strategy in strategies}))
    decision = DECISIONS[deal.table.decision]
    hand = deal.hands[seat]
    return (
        f"a strategy chose action {deal.answers[seat]} at seat {seat} in a {decision} decision, which is not legal; "
        f"legal: win {bool(hand.legal_win)}, pung {bool(hand.legal_pung)}, kongs mask {hand.legal_kongs:#x}, "
        f"discards mask {hand.legal_discards:#x}; line-up: {names}"
    )
