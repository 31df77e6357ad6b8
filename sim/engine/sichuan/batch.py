"""Playing many deals in lock step, so that a strategy can answer for many tables at once.

Every deal stands in a workspace of its own. In each round all deals go on, native seats answering, until a seat whose
strategy answers in batches is asked; then each such strategy answers all that it was asked, kind of decision by kind.
What a deal gives does not depend on the others, so the columns are those of `sim.engine.sichuan.play`.

One driver plays from beginning to end and calls back into Python once a round: what it takes to call it is paid once.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.columns import finish_deal
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.failing import describe_asked, describe_deal, placed, raised, refused, watching
from sim.engine.sichuan.play import CHOSE_ILLEGALLY, NOT_ZERO_SUM, PLAYED, ask, line_up_of, make_columns, stack_rules
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import EXCHANGE, SEATS, TURN, VOID_SUIT
from sim.engine.sichuan.watch import WATCH
from sim.errors import InvariantError
from sim.jit import Callback, Columns, Floats2, Ints, Ints2, ManyColumns, Records, driver, inlined, new

WIDTH = 512
"""Most deals in play at a time. More would not fit into the caches any more, fewer would leave networks idle."""
FREE, BEGUN = -2, -1
"""States of a workspace in which no seat is asked: nothing in it, under way."""
RAISED = 3
"""What the driver returns beside PLAYED, NOT_ZERO_SUM and CHOSE_ILLEGALLY: a strategy raised an error."""
CHOICES = 4
"""Kinds of choices: exchange, void suit, turn, claim."""
AskBatches = Callable[[Deal], int]
"""What is called once a round: it fills the actions, and returns 0, or 1 if a strategy raised an error. What it works
on it knows already; a callback has to take a record."""


@inlined
def go_on(
    deals: Records[Deal],
    index: int,
    states: Ints,
    numbers: Ints,
    keys: Ints,
    begun: int,
    line_up: LineUp,
    masks: Ints,
    groups: Ints,
    parameters: Floats2,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    seatings: Ints2,
    columns: Columns,
    others: Records[Rules],
    settled: ManyColumns,
    status: Ints,
) -> int:
    """Let native seats answer until a batch seat is asked or no deal is left; return how many deals have begun.

    A deal that is over makes room for the next one.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces.
    index : int64, read
        The workspace.
    states : int64[width], changed
        FREE, BEGUN, or the seat that is asked.
    numbers : int64[width], changed
        Number of the deal in each workspace: by wall, then by seating.
    keys : int64[width], changed
        Who is asked what: group of the strategy * CHOICES + choice.
    begun : int64, read
        Deals that have begun so far.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    masks : int64[4], read
        Bit i of a slot's mask: its strategy makes choice i in batches.
    groups : int64[4], read
        Slots of the same strategy have the same number.
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
    columns : int32[len(COLUMNS), walls * seatings * 4], changed
        Results.
    others : Rules[n], read
        Presets that differ in settlement-only knobs alone; perhaps none.
    settled : int32[n, len(COLUMNS), walls * seatings * 4], changed
        Results of the same deals settled again under each of them.
    status : int64[1], changed
        NOT_ZERO_SUM or CHOSE_ILLEGALLY if that happened.
    """
    deal = deals[index]
    while True:
        if states[index] == FREE:
            if begun == wall_seeds.shape[0] * seatings.shape[0]:
                return begun
            wall = begun // seatings.shape[0]
            slots = 0
            for owner in range(SEATS):
                its_slot = seatings[begun - wall * seatings.shape[0], owner]
                slots |= its_slot << (2 * owner)
                for place in range(16):
                    deal.hands[owner].parameters[place] = parameters[its_slot, place]
            begin_deal(deal, all_rules[0], wall_seeds[wall], slots)
            states[index] = BEGUN
            numbers[index] = begun
            begun += 1
        seat = next_seat(deal)
        if seat == NONE:
            if finish_deal(deal, columns, SEATS * numbers[index], others, lookups[0], settled) != 0:
                status[0] = NOT_ZERO_SUM
                return begun
            states[index] = FREE
            continue
        slot = seatings[numbers[index] % seatings.shape[0], seat]
        choice = 3
        if deal.table.decision == TURN:
            choice = 2
        elif deal.table.decision == VOID_SUIT:
            choice = 1
        elif deal.table.decision == EXCHANGE:
            choice = 0
        if (masks[slot] >> choice) & 1:
            states[index] = seat
            keys[index] = groups[slot] * CHOICES + choice
            return begun
        action = ask(deal, seat, slot, line_up, all_rules[0], lookups[0])
        if answer(deal, seat, action, all_rules[0], lookups[0]) == ILLEGAL:
            deal.answers[seat] = action
            status[0] = CHOSE_ILLEGALLY
            return begun


@driver
def play_rounds(
    deals: Records[Deal],
    states: Ints,
    numbers: Ints,
    keys: Ints,
    rows: Ints,
    bounds: Ints,
    actions: Ints,
    failed: Ints,
    line_up: LineUp,
    masks: Ints,
    groups: Ints,
    parameters: Floats2,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    seatings: Ints2,
    columns: Columns,
    others: Records[Rules],
    settled: ManyColumns,
    ask_batches: AskBatches,
) -> int:
    """Play all seatings of many walls in rounds; return PLAYED, NOT_ZERO_SUM, CHOSE_ILLEGALLY or RAISED.

    Parameters
    ----------
    deals : Deal[width], changed
        Workspaces, their wall mode set.
    states : int64[width], changed
        FREE, BEGUN, or the seat that is asked; at first FREE.
    numbers : int64[width], changed
        Number of the deal in each workspace: by wall, then by seating.
    keys : int64[width], changed
        Who is asked what: group of the strategy * CHOICES + choice.
    rows : int64[width], changed
        In a round the workspaces in which a batch seat is asked, by key, then by index.
    bounds : int64[4 * CHOICES + 1], changed
        Where in `rows` each key begins; the last one is how many are asked.
    actions : int64[width], read
        The answers, in the order of `rows`.
    failed : int64[1], changed
        The workspace that is played; with CHOSE_ILLEGALLY the one in which that happened.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    masks : int64[4], read
        Bit i of a slot's mask: its strategy makes choice i in batches.
    groups : int64[4], read
        Slots of the same strategy have the same number.
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
        Results.
    others : Rules[n], read
        Presets that differ in settlement-only knobs alone; perhaps none.
    settled : int32[n, len(COLUMNS), walls * seatings * 4], filled
        Results of the same deals settled again under each of them.
    ask_batches : function, read
        Fills the actions of a round.
    """
    width = states.shape[0]
    status = np.zeros(1, dtype=np.int64)
    begun = 0
    count = width
    for index in range(width):
        rows[index] = index
    while True:
        for place in range(count):
            index = rows[place]
            failed[0] = index
            if states[index] >= 0:
                deal = deals[index]
                seat = states[index]
                if answer(deal, seat, actions[place], all_rules[0], lookups[0]) == ILLEGAL:
                    deal.answers[seat] = actions[place]
                    return CHOSE_ILLEGALLY
                states[index] = BEGUN
            begun = go_on(
                deals,
                index,
                states,
                numbers,
                keys,
                begun,
                line_up,
                masks,
                groups,
                parameters,
                all_rules,
                lookups,
                wall_seeds,
                seatings,
                columns,
                others,
                settled,
                status,
            )
            if status[0] != PLAYED:
                return int(status[0])
        bounds[:] = 0
        for index in range(width):
            if states[index] >= 0:
                bounds[keys[index] + 1] += 1
        for key in range(SEATS * CHOICES):
            bounds[key + 1] += bounds[key]
        count = bounds[SEATS * CHOICES]
        if count == 0:
            return PLAYED
        for index in range(width):  # each key's bound moves from its beginning to its end, and is set back after that
            if states[index] >= 0:
                rows[bounds[keys[index]]] = index
                bounds[keys[index]] += 1
        for key in range(SEATS * CHOICES, 0, -1):
            bounds[key] = bounds[key - 1]
        bounds[0] = 0
        if ask_batches(deals[0]):
            return RAISED


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
    numbers, keys, rows, actions = (np.zeros(width, dtype=np.int64) for _ in range(4))
    bounds = np.zeros(SEATS * CHOICES + 1, dtype=np.int64)
    failed = np.zeros(1, dtype=np.int64)
    parameters = np.array([strategy.parameters for strategy in strategies], dtype=np.float64)
    batches: list[Any] = [getattr(strategy, "batch", None) for strategy in strategies]
    masks = np.array([0 if batch is None else batch.mask for batch in batches], dtype=np.int64)
    lookup = load_lookup()
    groups = _group_slots(strategies)
    plain: Any = np.asarray(deals)

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
    errors: list[BaseException] = []

    def ask_batches(_: int) -> int:
        nonlocal rounds
        try:
            for key in np.flatnonzero(bounds[1:] > bounds[:-1]).tolist():
                part = slice(bounds[key], bounds[key + 1])
                own = rows[part]
                rounds += 1
                failed[0] = own[0]
                group, choice = divmod(key, CHOICES)
                actions[part] = batches[group].choose(choice, plain, own, states[own], rules, lookup)
        except BaseException as error:  # noqa: BLE001 - nothing may be raised through compiled code
            errors.append(error)
        return len(errors)

    def in_play() -> tuple[Any, Any]:
        return deals[int(failed[0])], (rounds, int(failed[0]))

    def who() -> tuple[str, dict[str, Any]]:
        place = divmod(int(numbers[int(failed[0])]), len(seatings))
        return describe_asked(deals[int(failed[0])], wall_seeds, seatings, place, wall_mode, strategies, label)

    callback: Any = Callback(AskBatches, ask_batches)
    with watching(strategies), WATCH.over(in_play, who):
        try:
            status = play_rounds(
                deals,
                states,
                numbers,
                keys,
                rows,
                bounds,
                actions,
                failed,
                line_up_of(strategies),
                masks,
                groups,
                parameters,
                rules,
                lookup,
                wall_seeds,
                seatings,
                columns,
                stacked,
                settled,
                callback,
            )
        except Exception as error:
            raise blame(int(failed[0]), error) from error
        if errors:
            if not isinstance(errors[0], Exception):
                raise errors[0]
            raise blame(int(failed[0]), errors[0]) from errors[0]
        if status == CHOSE_ILLEGALLY:
            raise blame(int(failed[0]), None)
    if status == NOT_ZERO_SUM:
        raise InvariantError("the points of a deal do not sum to zero: please report this defect")
    return columns, settled


def _group_slots(strategies: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Give slots of the same strategy the number of the first of them, so that they are asked together."""
    return np.array([list(strategies).index(strategy) for strategy in strategies], dtype=np.int64)
