"""Playing whole deals with compiled strategies: the hot loop."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.columns import COLUMNS, Column, finish_deal
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.failing import describe_asked, describe_deal, placed, raised, refused, watching
from sim.engine.sichuan.rules import PLAY_FIELDS, Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import EXCHANGE, SEATS, TURN, VOID_SUIT
from sim.engine.sichuan.watch import WATCH
from sim.errors import ConfigError, InvariantError
from sim.jit import Columns, Floats2, Ints, Ints2, ManyColumns, Records, driver, inlined, new

__all__ = ["COLUMNS", "Column", "CompiledStrategy", "play_and_settle", "play_walls", "seating_number"]

PLAYED, NOT_ZERO_SUM, CHOSE_ILLEGALLY = 0, 1, 2


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
    line_up: LineUp,
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
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    if table.decision == TURN:
        return line_up[2][slot](hand, table, rules, lookup)
    if table.decision == EXCHANGE:
        return line_up[0][slot](hand, table, rules, lookup)
    if table.decision == VOID_SUIT:
        return line_up[1][slot](hand, table, rules, lookup)
    return line_up[3][slot](hand, table, rules, lookup)


@driver
def play_deal(
    deal: Deal,
    slots: int,
    line_up: LineUp,
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
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    while True:
        seat = next_seat(deal)
        if seat == NONE:
            return NONE
        action = ask(deal, seat, (slots >> (2 * seat)) & 3, line_up, rules, lookup)
        if answer(deal, seat, action, rules, lookup) == ILLEGAL:
            deal.answers[seat] = action
            return seat


@driver
def play_chunk(
    deals: Records[Deal],
    line_up: LineUp,
    parameters: Floats2,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    seatings: Ints2,
    failure: Ints,
    columns: Columns,
    others: Records[Rules],
    settled: ManyColumns,
) -> int:
    """Play all seatings of many walls, and settle each deal again; return PLAYED, NOT_ZERO_SUM or CHOSE_ILLEGALLY.

    Parameters
    ----------
    deals : Deal[1], changed
        Workspace, its wall mode set; the deal that failed stays in it.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
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
    failure : int64[3], filled
        Index of the wall and of the seating of the deal that failed, and the seat that chose illegally.
    columns : int32[len(COLUMNS), walls * seatings * 4], filled
        Results, ordered by wall, seating, seat.
    others : Rules[n], read
        Presets that differ in settlement-only knobs alone; perhaps none.
    settled : int32[n, len(COLUMNS), walls * seatings * 4], filled
        Results of the same deals settled again under each of them.
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
            failure[0] = wall
            failure[1] = seating
            failure[2] = play_deal(deal, slots, line_up, rules, lookup)
            if failure[2] != NONE:
                return CHOSE_ILLEGALLY
            if finish_deal(deal, columns, row, others, lookup, settled):
                return NOT_ZERO_SUM
            row += SEATS
    return PLAYED


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
    StrategyError
        If a strategy raised an error, or did what no strategy may.
    InvariantError
        If the points of a deal do not sum to zero: a defect of the engine.
    """
    return play_and_settle(rules, strategies, wall_seeds, seatings, wall_mode, ())[0]


def play_and_settle(
    rules: Any,
    strategies: Sequence[CompiledStrategy],
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    wall_mode: str,
    others: Sequence[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Play every seating of every wall, and settle each deal again under other presets, its decisions kept.

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
    others : sequence of recarrays of Rules, shape (1,) each
        Compiled presets that differ from `rules` in settlement-only knobs alone.

    Returns
    -------
    columns : int32 array, shape (len(COLUMNS), walls * seatings * 4)
        Results, ordered by wall, seating, seat.
    settled : int32 array, shape (len(others), len(COLUMNS), walls * seatings * 4)
        Results under each of the other presets, in the same order.

    Raises
    ------
    ConfigError
        If one of the other presets would change the course of play.
    IllegalActionError
        If a strategy chose what the rules do not allow.
    StrategyError
        If a strategy raised an error, or did what no strategy may.
    InvariantError
        If the points of a deal do not sum to zero: a defect of the engine.
    """
    if any(getattr(strategy, "batch", None) for strategy in strategies):
        from sim.engine.sichuan.batch import play_in_step  # noqa: PLC0415 - compiled only where it is used

        in_step: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
        in_step = play_in_step(rules, strategies, wall_seeds, seatings, wall_mode, others)
        return in_step
    deals = new(Deal)
    deals[0].wall_mode = WALL_MODES.index(wall_mode)
    stacked = stack_rules(rules, others)
    columns, settled = make_columns(len(wall_seeds) * len(seatings), len(others))
    parameters = np.array([strategy.parameters for strategy in strategies], dtype=np.float64)
    failure = np.zeros(3, dtype=np.int64)
    lookup = load_lookup()

    def identity() -> str:
        return describe_deal(wall_seeds[failure[0]], seatings[failure[1]], wall_mode, strategies)

    label = getattr(WATCH.local, "label", None)

    def asked() -> tuple[str, dict[str, Any]]:
        place = (int(failure[0]), int(failure[1]))
        return describe_asked(deals[0], wall_seeds, seatings, place, wall_mode, strategies, label)

    with watching(strategies), WATCH.over(lambda: (deals[0], failure.tobytes()), asked):
        try:
            status = play_chunk(
                deals,
                line_up_of(strategies),
                parameters,
                rules,
                lookup,
                np.ascontiguousarray(wall_seeds, dtype=np.int64),
                np.ascontiguousarray(seatings, dtype=np.int64),
                failure,
                columns,
                stacked,
                settled,
            )
        except Exception as error:
            seat = int(next_seat(deals[0]))
            culprit = strategies[int(seatings[failure[1]][seat])]
            given = (deals[0], rules[0], lookup[0])
            raise placed(raised(given, seat, culprit, error, identity()), failure) from error
        if status == CHOSE_ILLEGALLY:
            seat = int(failure[2])
            culprit = strategies[int(seatings[failure[1]][seat])]
            given = (deals[0], rules[0], lookup[0])
            raise placed(refused(given, seat, culprit, identity()), failure)
    if status == NOT_ZERO_SUM:
        total = sum(deals[0].table.points)
        message = f"the points of a deal sum to {total}, not to zero ({identity()}): please report this defect"
        raise InvariantError(message)
    return columns, settled


def stack_rules(rules: Any, others: Sequence[Any]) -> Any:
    """Put the presets that deals are settled again under into one array, as drivers take them.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        The preset that is played.
    others : sequence of recarrays of Rules, shape (1,) each
        The other presets.

    Returns
    -------
    recarray of Rules, shape (len(others),)
        The other presets.

    Raises
    ------
    ConfigError
        If one of them would change the course of play.
    """
    stacked = new(Rules, len(others))
    for place, other in enumerate(others):
        stacked[place] = other[0]
        changed = [field for field in PLAY_FIELDS if other[0][field] != rules[0][field]]
        if changed:
            raise ConfigError(
                f"preset {place} to settle again under differs in {', '.join(changed)}, which changes the course of"
                " play; allowed: settlement-only knobs"
            )
    return stacked


def make_columns(deals: int, others: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Give room for the results of deals, as they are played and as they are settled again.

    Parameters
    ----------
    deals : int
        How many deals.
    others : int
        How many presets they are settled again under.

    Returns
    -------
    columns : int32 array, shape (len(COLUMNS), deals * 4)
        Not filled.
    settled : int32 array, shape (others, len(COLUMNS), deals * 4)
        Not filled.
    """
    shape = (len(COLUMNS), deals * SEATS)
    return np.empty(shape, dtype=np.int32), np.empty((others, *shape), dtype=np.int32)


def line_up_of(strategies: Sequence[CompiledStrategy]) -> LineUp:
    """Return what drivers take for a line-up.

    Parameters
    ----------
    strategies : sequence of 4
        One strategy a slot.

    Returns
    -------
    tuple of 4 tuples of 4 functions
        Exchange, void suit, turn and claim choices of each slot.
    """
    exchanges, void_suits, turns, claims = zip(*(strategy.decisions for strategy in strategies), strict=True)
    return exchanges, void_suits, turns, claims
