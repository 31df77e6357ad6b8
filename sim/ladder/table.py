"""A deal on the clock: everybody thinks, time runs out, connections drop (rules, chapter 8 "Clocks" and "Timeout").

All who are asked at the same time think at the same time; the deal goes on when the last of them has answered. A turn
has the base time and then the reserve, a claim the base alone, an opening its own. The clock runs on while a player is
disconnected: who is not there when a question comes begins to think when the connection is back; who is cut off while
thinking thinks on, and the answer goes out when the connection is back.
"""

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.decision import Decision
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import CLAIM, EXCHANGE, ROB, TURN, VOID_SUIT
from sim.engine.sichuan.timeout import timeout_action
from sim.jit import Ints, Records, Unsigned, record
from sim.ladder.compiling import inlined, kernel
from sim.ladder.lots import DROP_STREAM, THINK_STREAM, draw_exponential, draw_log_normal
from sim.ladder.records import OFFLINE, SEATS, SLOW, Group, TableKind
from sim.rng import stream_start

Eight = tuple[Decision, Decision, Decision, Decision, Decision, Decision, Decision, Decision]
Roster = tuple[Eight, Eight, Eight, Eight]
"""Exchange, void suit, turn and claim choices of the strategies of a ladder."""

_FAR: int = 1 << 60
_LONGEST: int = 1 << 32
"""No thought and no absence is longer, so that times stay small numbers: fifty days."""


@record
class Clock:
    """What runs beside a deal."""

    now: int
    """Virtual time."""
    limit: int
    """Time that the decision under way may take."""
    spent: int
    """Longest time that an answer to it has taken so far."""


@record
class Sitter:
    """A player at the table, as the clock sees one."""

    group: int
    """The player's group."""
    reserve: int
    """Reserve left."""
    back_at: int
    """When the connection is back; in the past if it is there."""
    drop_at: int
    """When it drops next."""
    drops: int
    """Times that it has dropped."""
    thought: int
    """How long the player thinks in the decision under way."""
    slow: int
    """Timeouts because of slowness."""
    offline: int
    """Timeouts while disconnected."""
    ignored: int
    """Mask of the causes of the player's timeouts that are not to count: bits SLOW and OFFLINE."""
    thoughts: np.uint64
    """State of the stream of think times."""
    luck: np.uint64
    """State of the stream of disconnections."""


@inlined
def ask(deal: Deal, seat: int, strategy: int, roster: Roster, rules: Rules, lookup: Lookup) -> int:
    """Return what a strategy chooses in the decision its seat is asked for.

    Parameters
    ----------
    deal : Deal, changed
        The deal; a strategy may change its own hand's lots and memory.
    seat : int64, read
        The seat that is asked.
    strategy : int64, read
        Its strategy's place in the roster.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    if table.decision == TURN:
        return roster[2][strategy](hand, table, rules, lookup)
    if table.decision == EXCHANGE:
        return roster[0][strategy](hand, table, rules, lookup)
    if table.decision == VOID_SUIT:
        return roster[1][strategy](hand, table, rules, lookup)
    return roster[3][strategy](hand, table, rules, lookup)


@inlined
def time_allowed(decision: int, reserve: int, kind: TableKind) -> int:
    """Return how long a player may take for a decision.

    Parameters
    ----------
    decision : int64, read
        EXCHANGE ... ROB.
    reserve : int64, read
        The player's reserve.
    kind : TableKind, read
        The kind of table.
    """
    if kind.is_timed == 0:
        return _FAR
    if decision == TURN:
        return kind.base_time + reserve
    if decision in (CLAIM, ROB):
        return kind.base_time
    return kind.opening


@kernel
def take_time(sitter: Sitter, group: Group, decision: int, now: int, limit: int) -> int:
    """Let a player think, and return how long the answer takes; more than the limit if it does not come in time.

    Parameters
    ----------
    sitter : Sitter, changed
        The player; the connection may drop and come back.
    group : Group, read
        The player's group.
    decision : int64, read
        EXCHANGE ... ROB.
    now : int64, read
        When the question comes.
    limit : int64, read
        Time allowed.
    """
    median = group.think_claim
    if decision == TURN:
        median = group.think_turn
    elif decision in (EXCHANGE, VOID_SUIT):
        median = group.think_opening
    sitter.thought = 0
    if median > 0.0:
        sitter.thoughts, thought = draw_log_normal(sitter.thoughts, median, group.think_spread)
        sitter.thought = min(thought, _LONGEST)
    ready = max(now, sitter.back_at) + sitter.thought
    while sitter.drop_at <= min(ready, now + limit):
        is_away = sitter.drop_at <= now
        sitter.drops += 1
        sitter.luck, away = draw_log_normal(sitter.luck, group.offline, group.offline_spread)
        sitter.back_at = sitter.drop_at + min(away, _LONGEST)
        sitter.luck, gap = draw_exponential(sitter.luck, group.drop_gap)
        sitter.drop_at = sitter.back_at + 1 + gap
        ready = max(ready, sitter.back_at + (sitter.thought if is_away else 0))
    return ready - now


@kernel
def play_on_the_clock(
    deal: Deal,
    clock: Clock,
    sitters: Records[Sitter],
    groups: Records[Group],
    kind: TableKind,
    roster: Roster,
    rules: Rules,
    lookup: Lookup,
) -> int:
    """Play a deal that has begun to its end; return NONE, or the seat whose strategy chose an illegal action.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    clock : Clock, changed
        The clock.
    sitters : Sitter array, changed
        The player at each seat.
    groups : Group array, read
        All groups.
    kind : TableKind, read
        The kind of table.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    clock.spent = 0
    while True:
        seat = next_seat(deal)
        if seat == NONE:
            return NONE
        decision = deal.table.decision
        sitter = sitters[seat]
        group = groups[sitter.group]
        limit = time_allowed(decision, sitter.reserve, kind)
        taken = take_time(sitter, group, decision, clock.now, limit)
        is_out = False
        if taken > limit:
            cause = OFFLINE if sitter.thought <= limit else SLOW
            taken = limit
            is_out = (sitter.ignored >> cause) & 1 == 0
            if is_out and cause == OFFLINE:
                sitter.offline += 1
            elif is_out:
                sitter.slow += 1
        if decision == TURN and kind.is_timed:
            sitter.reserve -= max(0, taken - kind.base_time)
        clock.spent = max(clock.spent, taken)
        is_last = deal.asked == 1 << seat
        action = 0
        if is_out:
            action = timeout_action(deal.hands[seat], decision, rules)
        else:
            action = ask(deal, seat, group.strategy, roster, rules, lookup)
        if answer(deal, seat, action, rules, lookup) == ILLEGAL:
            deal.answers[seat] = action
            return seat
        if is_last:
            clock.now += clock.spent
            clock.spent = 0


@kernel
def sit_down(sitter: Sitter, group: Group, wall_seed: int, seat: int, now: int, reserve: int) -> None:
    """Let a player begin a deal: a full reserve, and streams of its own.

    Parameters
    ----------
    sitter : Sitter, changed
        The player; whether the connection is there stays as it is.
    group : Group, read
        The player's group.
    wall_seed : int64, read
        The wall seed.
    seat : int64, read
        The seat.
    now : int64, read
        When the deal begins.
    reserve : int64, read
        Reserve for a deal.
    """
    sitter.reserve = reserve
    sitter.thoughts = stream_start(np.uint64(wall_seed), THINK_STREAM * SEATS + seat)
    sitter.luck = stream_start(np.uint64(wall_seed), DROP_STREAM * SEATS + seat)
    sitter.drop_at = _FAR
    if group.drop_gap > 0.0:
        sitter.luck, gap = draw_exponential(sitter.luck, group.drop_gap)
        sitter.drop_at = max(now, sitter.back_at) + 1 + gap


@kernel
def begin_seats(
    deal: Deal,
    sitters: Records[Sitter],
    groups: Records[Group],
    kind: TableKind,
    wall_seed: int,
    now: int,
    rules: Rules,
) -> None:
    """Begin a deal with the players at its seats.

    Parameters
    ----------
    deal : Deal, changed
        The deal; its wall mode is set.
    sitters : Sitter array, changed
        The player at each seat.
    groups : Group array, read
        All groups.
    kind : TableKind, read
        The kind of table.
    wall_seed : int64, read
        The wall seed.
    now : int64, read
        When the deal begins.
    rules : Rules, read
        The preset.
    """
    for seat in range(SEATS):
        group = groups[sitters[seat].group]
        for index in range(16):
            deal.hands[seat].parameters[index] = group.parameters[index]
        sit_down(sitters[seat], group, wall_seed, seat, now, kind.reserve)
    begin_deal(deal, rules, wall_seed, 228)  # the seating 0123: whoever sits at a seat has that seat's lots


def roster_of(decisions: list[tuple[Decision, Decision, Decision, Decision]]) -> Roster:
    """Return what drivers take for the strategies of a ladder.

    Parameters
    ----------
    decisions : list of 1 to 8 tuples of 4 functions
        Exchange, void suit, turn and claim choices of each strategy.

    Returns
    -------
    tuple of 4 tuples of 8 functions
        Unused places hold the last strategy.
    """
    filled = [*decisions, *[decisions[-1]] * (8 - len(decisions))]
    exchanges, void_suits, turns, claims = (tuple(choices) for choices in zip(*filled, strict=True))
    return exchanges, void_suits, turns, claims


__all__ = ["Clock", "Ints", "Roster", "Sitter", "Unsigned", "begin_seats", "play_on_the_clock", "roster_of"]
