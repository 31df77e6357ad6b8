"""Playing many deals in lock step, so that a strategy can answer for many tables at once.

Every deal stands in a workspace of its own. In each round all deals go on, native seats answering, until a seat whose
strategy answers in batches is asked; then each such strategy answers all that it was asked, kind of decision by kind.
What a deal gives does not depend on the others, so the columns are those of `sim.engine.sichuan.play`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.columns import finish_deal
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.play import (
    ask,
    describe_asked,
    describe_deal,
    line_up_of,
    make_columns,
    placed,
    raised,
    refused,
    stack_rules,
    watching,
)
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import EXCHANGE, SEATS, TURN, VOID_SUIT
from sim.engine.sichuan.watch import WATCH
from sim.errors import InvariantError
from sim.jit import Columns, Floats2, Ints, Ints2, ManyColumns, Records, called_directly, driver, new

WIDTH = 1024
"""Most deals in play at a time."""
FREE, BEGUN, OVER = -4, -3, -2
"""States of a workspace in which no seat is asked: nothing in it, under way, over."""
PLACES = {EXCHANGE: 0, VOID_SUIT: 1, TURN: 2}
"""Index of the choice that answers each decision; claims and robbings are the last, 3."""


@driver
def begin_deals(
    deals: Records[Deal],
    states: Ints,
    numbers: Ints,
    first: int,
    parameters: Floats2,
    all_rules: Records[Rules],
    wall_seeds: Ints,
    seatings: Ints2,
) -> int:
    """Begin the next deals in all free workspaces; return the number of the first deal that is not begun yet.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces.
    states : int64[width], changed
        FREE, BEGUN, OVER, or the seat that is asked.
    numbers : int64[width], changed
        Number of the deal in each workspace: by wall, then by seating.
    first : int64, read
        Number of the next deal to begin.
    parameters : float64[4, 16], read
        Parameters of each slot's strategy.
    all_rules : Rules[1], read
        The preset.
    wall_seeds : int64[walls], read
        Seed of each wall.
    seatings : int64[seatings, 4], read
        Slot of each seat.
    """
    total = wall_seeds.shape[0] * seatings.shape[0]
    for index in range(states.shape[0]):
        if states[index] == FREE and first < total:
            wall = first // seatings.shape[0]
            seating = first - wall * seatings.shape[0]
            deal = deals[index]
            slots = 0
            for seat in range(SEATS):
                slot = seatings[seating, seat]
                slots |= slot << (2 * seat)
                for place in range(16):
                    deal.hands[seat].parameters[place] = parameters[slot, place]
            begin_deal(deal, all_rules[0], wall_seeds[wall], slots)
            states[index] = BEGUN
            numbers[index] = first
            first += 1
    return first


@driver
def advance_deals(
    deals: Records[Deal],
    states: Ints,
    numbers: Ints,
    failed: Ints,
    line_up: LineUp,
    masks: Ints,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    seatings: Ints2,
) -> bool:
    """Let native seats answer until in each deal a batch seat is asked or it is over; tell whether none failed.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces.
    states : int64[width], changed
        FREE, BEGUN, OVER, or the seat that is asked.
    numbers : int64[width], read
        Number of the deal in each workspace.
    failed : int64[1], filled
        The workspace that is played; if the answer is False the one in which a native seat chose illegally.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    masks : int64[4], read
        Bit i of a slot's mask: its strategy makes choice i in batches.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    seatings : int64[seatings, 4], read
        Slot of each seat.
    """
    for index in range(states.shape[0]):
        failed[0] = index
        if states[index] != BEGUN:
            continue
        deal = deals[index]
        seating = numbers[index] % seatings.shape[0]
        while True:
            seat = next_seat(deal)
            if seat == NONE:
                states[index] = OVER
                break
            slot = seatings[seating, seat]
            place = 3
            if deal.table.decision == TURN:
                place = 2
            elif deal.table.decision == VOID_SUIT:
                place = 1
            elif deal.table.decision == EXCHANGE:
                place = 0
            if (masks[slot] >> place) & 1:
                states[index] = seat
                break
            action = ask(deal, seat, slot, line_up, all_rules[0], lookups[0])
            if answer(deal, seat, action, all_rules[0], lookups[0]) == ILLEGAL:
                deal.answers[seat] = action
                return False
    return True


@driver
def answer_deals(
    deals: Records[Deal],
    states: Ints,
    rows: Ints,
    actions: Ints,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
) -> int:
    """Take the answers of batch seats; return NONE, or the workspace in which one is illegal.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces.
    states : int64[width], changed
        The seats that were asked; those who answered are BEGUN again.
    rows : int64[n], read
        Workspaces that are answered for.
    actions : int64[n], read
        Their actions.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    """
    for place in range(rows.shape[0]):
        index = rows[place]
        seat = states[index]
        if answer(deals[index], seat, actions[place], all_rules[0], lookups[0]) == ILLEGAL:
            deals[index].answers[seat] = actions[place]
            return int(index)
        states[index] = BEGUN
    return NONE


@driver
def finish_deals(
    deals: Records[Deal],
    states: Ints,
    numbers: Ints,
    columns: Columns,
    others: Records[Rules],
    lookups: Records[Lookup],
    settled: ManyColumns,
) -> int:
    """Write the rows of deals that are over and free their workspaces; return how many points were made of nothing.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces.
    states : int64[width], changed
        FREE, BEGUN, OVER, or the seat that is asked.
    numbers : int64[width], read
        Number of the deal in each workspace.
    columns : int32[len(COLUMNS), walls * seatings * 4], changed
        Results.
    others : Rules[n], read
        Presets that differ in settlement-only knobs alone; perhaps none.
    lookups : Lookup[1], read
        Hand tables.
    settled : int32[n, len(COLUMNS), walls * seatings * 4], changed
        Results of the same deals settled again under each of them.
    """
    surplus = 0
    for index in range(states.shape[0]):
        if states[index] == OVER:
            surplus += finish_deal(deals[index], columns, SEATS * numbers[index], others, lookups[0], settled)
            states[index] = FREE
    return surplus


def play_in_step(
    rules: Any,
    strategies: Sequence[Any],
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    wall_mode: str,
    others: Sequence[Any],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Play every seating of every wall, many deals at a time, and settle each deal again under other presets.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset (`sim.rules.compile.compile_rules`).
    strategies : sequence of 4
        The line-up: one strategy a slot. Those whose `batch` is not None answer in batches: it has ``mask``, bit i for
        each choice i that it makes, and ``choose(place, hands, table, rules, lookup)``.
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
        What `play_and_settle` would give if each deal were played alone.
    settled : int32 array, shape (len(others), len(COLUMNS), walls * seatings * 4)
        The same under each of the other presets.

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
    wall_seeds = np.ascontiguousarray(wall_seeds, dtype=np.int64)
    seatings = np.ascontiguousarray(seatings, dtype=np.int64)
    total = len(wall_seeds) * len(seatings)
    stacked = stack_rules(rules, others)
    columns, settled = make_columns(total, len(others))
    width = min(WIDTH, max(1, total))
    deals = new(Deal, width)
    deals.wall_mode[:] = WALL_MODES.index(wall_mode)
    states = np.full(width, FREE, dtype=np.int64)
    numbers = np.zeros(width, dtype=np.int64)
    failed = np.zeros(1, dtype=np.int64)
    parameters = np.array([strategy.parameters for strategy in strategies], dtype=np.float64)
    batches: list[Any] = [getattr(strategy, "batch", None) for strategy in strategies]
    masks = np.array([0 if batch is None else batch.mask for batch in batches], dtype=np.int64)
    line_up = line_up_of(strategies)
    advance = called_directly(advance_deals)
    lookup = load_lookup()
    groups = _group_slots(strategies)

    def blame(index: int, error: BaseException | None) -> Exception:
        seat = int(next_seat(deals[index]))
        wall, seating = divmod(int(numbers[index]), len(seatings))
        given, culprit = (deals[index], rules[0], lookup[0]), strategies[int(seatings[seating][seat])]
        identity = describe_deal(wall_seeds[wall], seatings[seating], wall_mode, strategies)
        made = (
            refused(given, seat, culprit, identity) if error is None else raised(given, seat, culprit, error, identity)
        )
        return placed(made, (wall, seating))

    label = getattr(WATCH.local, "label", None)
    rounds = 0
    begun = 0

    def in_play() -> tuple[Any, Any]:
        return deals[int(failed[0])], (rounds, int(failed[0]))

    def who() -> str:
        place = divmod(int(numbers[int(failed[0])]), len(seatings))
        return describe_asked(deals[int(failed[0])], wall_seeds, seatings, place, wall_mode, strategies, label)

    with watching(strategies), WATCH.over(in_play, who):
        while True:
            begun = begin_deals(deals, states, numbers, begun, parameters, rules, wall_seeds, seatings)
            try:
                is_fine = advance(deals, states, numbers, failed, line_up, masks, rules, lookup, seatings)
            except Exception as error:
                raise blame(int(failed[0]), error) from error
            if not is_fine:
                raise blame(int(failed[0]), None)
            if finish_deals(deals, states, numbers, columns, stacked, lookup, settled):
                raise InvariantError("the points of a deal do not sum to zero: please report this defect")
            asked = np.flatnonzero(states >= 0)
            if len(asked) == 0:
                if begun == total:
                    break
                continue
            slots = seatings[numbers[asked] % len(seatings), states[asked]]
            decisions = deals["table"]["decision"][asked]
            places = np.select([decisions == TURN, decisions == VOID_SUIT, decisions == EXCHANGE], [2, 1, 0], 3)
            for group in np.unique(groups[slots] * 4 + places):
                rows = asked[groups[slots] * 4 + places == group]
                slot = int(slots[groups[slots] == group // 4][0])
                rounds += 1
                failed[0] = rows[0]
                try:
                    actions = batches[slot].choose(int(group % 4), deals, rows, states[rows], rules, lookup)
                except Exception as error:
                    raise blame(int(rows[0]), error) from error
                wrong = answer_deals(deals, states, rows, actions, rules, lookup)
                if wrong != NONE:
                    raise blame(int(wrong), None)
    return columns, settled


def _group_slots(strategies: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Give slots of the same strategy the same number, so that they are asked together."""
    found: list[Any] = []
    groups = []
    for strategy in strategies:
        if strategy not in found:
            found.append(strategy)
        groups.append(found.index(strategy))
    return np.array(groups, dtype=np.int64)
