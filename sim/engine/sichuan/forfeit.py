"""Going on when a strategy fails: what it leaves undone is done as for a player whose time is up (rules, chapter 8).

Deals in which nobody fails are played as always; one in which somebody does is played again answer by answer, each
answer that fails being replaced by the play of a timeout, and counted.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.columns import COLUMNS, finish_deal
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.failing import watching
from sim.engine.sichuan.play import make_columns, play_and_settle, seating_number, stack_rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import EXCHANGE, SEATS, TURN, VOID_SUIT
from sim.engine.sichuan.timeout import timeout_action
from sim.errors import IllegalActionError, StrategyError
from sim.jit import new

BROKEN = -(1 << 40)
"""No action at all."""
FORFEITS = [column.name for column in COLUMNS].index("forfeits")


def play_on(deal: Any, strategies: Sequence[Any], seating: Sequence[int], rules: Any, lookup: Any) -> list[int]:
    """Play a deal that has begun to its end, whoever fails; return how many answers each seat forfeited.

    Parameters
    ----------
    deal : Deal record
        The deal; changed.
    strategies : sequence of 4
        One strategy a slot.
    seating : sequence of 4 int
        Line-up slot at each seat.
    rules : Rules record
        The preset.
    lookup : Lookup record
        Hand tables.
    """
    forfeits = [0] * SEATS
    while (seat := int(next_seat(deal))) != NONE:
        strategy = strategies[int(seating[seat])]
        decision = int(deal.table.decision)
        place = (EXCHANGE, VOID_SUIT, TURN).index(decision) if decision <= TURN else 3
        before = deal.copy()
        try:
            action = int(strategy.decisions[place](deal.hands[seat], deal.table, rules, lookup))
        except Exception:  # noqa: BLE001 - whatever a strategy raises
            action = BROKEN
        take_error = getattr(strategy, "take_error", None)
        error = take_error() if take_error is not None else None
        if isinstance(error, KeyboardInterrupt):
            raise error
        failed = error is not None or answer(deal, seat, action, rules, lookup) == ILLEGAL
        if failed:
            deal.hands[seat] = before.hands[seat]  # it may have stopped half-way
            deal.table = before.table
            forfeits[seat] += 1
            answer(deal, seat, timeout_action(deal.hands[seat], decision, rules), rules, lookup)
    return forfeits


def play_walls_on(
    rules: Any,
    strategies: Sequence[Any],
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    wall_mode: str,
) -> npt.NDArray[np.int32]:
    """Play every seating of every wall, as `play_walls` does, but go on where a strategy fails.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset.
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
        Results; the column ``forfeits`` counts the answers that were replaced.

    Raises
    ------
    StrategyError
        If a strategy did what no strategy may, outside of a deal.
    """
    return play_on_and_settle(rules, strategies, wall_seeds, seatings, wall_mode, ())[0]


def play_on_and_settle(
    rules: Any,
    strategies: Sequence[Any],
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    wall_mode: str,
    others: Sequence[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Play and settle again, as `play_and_settle` does, but go on where a strategy fails.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset.
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
        Results; the column ``forfeits`` counts the answers that were replaced.
    settled : int32 array, shape (len(others), len(COLUMNS), walls * seatings * 4)
        Results under each of the other presets, in the same order.

    Raises
    ------
    ConfigError
        If one of the other presets would change the course of play.
    StrategyError
        If a strategy did what no strategy may, outside of a deal.
    """
    if len(wall_seeds) == 0:
        return make_columns(0, len(others))
    try:
        return play_and_settle(rules, strategies, wall_seeds, seatings, wall_mode, others)
    except (IllegalActionError, StrategyError) as error:
        if error.place is None:
            raise
        wall = error.place[0]
    if len(wall_seeds) == 1:
        if len(seatings) == 1:
            return _play_one(rules, strategies, wall_seeds[0], seatings[0], wall_mode, others)
        parts = [
            play_on_and_settle(rules, strategies, wall_seeds, seatings[place : place + 1], wall_mode, others)
            for place in range(len(seatings))
        ]
    else:
        parts = [
            play_on_and_settle(rules, strategies, wall_seeds[first:last], seatings, wall_mode, others)
            for first, last in ((0, wall), (wall, wall + 1), (wall + 1, len(wall_seeds)))
        ]
    columns, settled = zip(*parts, strict=True)
    return np.concatenate(columns, axis=1), np.concatenate(settled, axis=2)


def _play_one(
    rules: Any,
    strategies: Sequence[Any],
    wall_seed: int,
    seating: npt.NDArray[np.int64],
    wall_mode: str,
    others: Sequence[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Play one deal in which somebody fails."""
    deals = new(Deal)
    deal = deals[0]
    deal.wall_mode = WALL_MODES.index(wall_mode)
    for seat in range(SEATS):
        deal.hands[seat].parameters[:] = strategies[int(seating[seat])].parameters
    begin_deal(deal, rules[0], int(wall_seed), seating_number([int(slot) for slot in seating]))
    columns, settled = make_columns(1, len(others))
    lookup = load_lookup()[0]
    with watching(strategies):
        forfeits = play_on(deal, strategies, [int(slot) for slot in seating], rules[0], lookup)
    finish_deal(deal, columns, 0, stack_rules(rules, others), lookup, settled)
    columns[FORFEITS] = forfeits
    settled[:, FORFEITS] = forfeits
    return columns, settled
