"""Counting game trees: what a chess programmer calls perft.

Two engines that count the same trees agree on every legal choice and every payment in them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import KINDS, NONE, RANKS, Hand
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import answer, next_seat
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.play import CompiledStrategy, ask, line_up_of, seating_number
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import (
    CLAIM,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.jit import Ints, Ints2, Records, driver, kernel, new

MOST_CHOICES = 1024
"""Rows for the legal actions of one decision; an exchange of four tiles has at most a few hundred."""
MOST_DEPTH = 64
LEAVES, DECISIONS_MADE, ENDS, POINTS = 0, 1, 2, 3
"""Places in a row of counts: sequences of as many answers as asked for, decisions, deals that ended, points by seat."""


class Branch(NamedTuple):
    """What follows on one first choice."""

    action: int
    """The action."""
    leaves: int
    """Sequences of answers of the full depth."""
    decisions: int
    """Decisions below, the first one not counted."""
    ends: int
    """Deals that ended within the depth."""
    points: tuple[int, ...]
    """Points of each seat, summed over the deals that ended."""
    seat: int
    """Who makes the first choice."""
    decision: int
    """What is decided: EXCHANGE, VOID_SUIT, TURN, CLAIM or ROB."""


@kernel
def list_exchanges(hand: Hand, count: int, choices: Ints2, row: int) -> int:
    """List all legal exchange choices of a hand, and return how many there are.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    count : int64, read
        Tiles to give, 1 to 4.
    choices : int64[rows, MOST_CHOICES], changed
        The row is filled from its start.
    row : int64, read
        Which row.
    """
    found = 0
    for suit in range(3):
        last = RANKS * suit + RANKS
        for first in range(RANKS * suit, last):
            for second in range(first, last if count > 1 else first + 1):
                for third in range(second, last if count > 2 else second + 1):
                    for fourth in range(third, last if count > 3 else third + 1):
                        packed = first
                        fits = hand.counts[first] >= 1
                        if count > 1:
                            packed |= second << 5
                            fits = fits and hand.counts[second] >= 1 + int(second == first)
                        if count > 2:
                            packed |= third << 10
                            fits = fits and hand.counts[third] >= 1 + int(third == second) + int(third == first)
                        if count > 3:
                            packed |= fourth << 15
                            same = int(fourth == third) + int(fourth == second) + int(fourth == first)
                            fits = fits and hand.counts[fourth] >= 1 + same
                        if fits:
                            choices[row, found] = packed
                            found += 1
    return found


@kernel
def list_choices(deal: Deal, seat: int, rules: Rules, choices: Ints2, row: int) -> int:
    """List all legal actions of a seat that is asked, and return how many there are.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    seat : int64, read
        The seat.
    rules : Rules, read
        The preset.
    choices : int64[rows, MOST_CHOICES], changed
        The row is filled from its start, in ascending order.
    row : int64, read
        Which row.
    """
    decision = deal.table.decision
    hand = deal.hands[seat]
    if decision == EXCHANGE:
        return list_exchanges(hand, rules.exchange_count, choices, row)
    found = 0
    if decision == VOID_SUIT:
        for suit in range(3):
            choices[row, found] = suit
            found += 1
        return found
    for kind in range(KINDS):
        if (hand.legal_discards >> kind) & 1:
            choices[row, found] = kind
            found += 1
    for kind in range(KINDS):
        if (hand.legal_kongs >> kind) & 1:
            choices[row, found] = KONG_ACTION + kind
            found += 1
    if hand.legal_win:
        choices[row, found] = WIN_ACTION
        found += 1
    if decision >= CLAIM:
        choices[row, found] = PASS_ACTION
        found += 1
    if hand.legal_pung:
        choices[row, found] = PUNG_ACTION
        found += 1
    return found


@kernel
def count_below(
    deals: Records[Deal], level: int, depth: int, rules: Rules, lookup: Lookup, choices: Ints2, counts: Ints
) -> None:
    """Add up what lies below a state.

    Parameters
    ----------
    deals : Deal[levels], changed
        The state is at this level; deeper levels are workspace.
    level : int64, read
        Where the state is.
    depth : int64, read
        Answers that may still be given.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    choices : int64[levels, MOST_CHOICES], changed
        Workspace, one row a level.
    counts : int64[7], changed
        LEAVES, DECISIONS_MADE, ENDS and POINTS grow.
    """
    deal = deals[level]
    seat = next_seat(deal)
    if seat == NONE:
        counts[ENDS] += 1
        for other in range(SEATS):
            counts[POINTS + other] += deal.table.points[other]
        return
    if depth == 0:
        counts[LEAVES] += 1
        return
    counts[DECISIONS_MADE] += 1
    found = list_choices(deal, seat, rules, choices, level)
    for choice in range(found):
        deals[level + 1] = deal  # type: ignore[index]  # copies the content
        answer(deals[level + 1], seat, choices[level, choice], rules, lookup)
        count_below(deals, level + 1, depth - 1, rules, lookup, choices, counts)


@driver
def count_tree(
    deals: Records[Deal], depth: int, all_rules: Records[Rules], lookups: Records[Lookup], choices: Ints2, table: Ints2
) -> int:
    """Count the tree below a state for each first choice, and return how many there are.

    Parameters
    ----------
    deals : Deal[levels], changed
        The state is the first one; the others are workspace.
    depth : int64, read
        Answers to give, 1 or more.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    choices : int64[levels, MOST_CHOICES], changed
        Workspace; row 0 holds the first choices.
    table : int64[MOST_CHOICES, 7], changed
        Counts of each first choice, zeroed before.
    """
    rules = all_rules[0]
    lookup = lookups[0]
    seat = next_seat(deals[0])
    if seat == NONE:
        return 0
    found = list_choices(deals[0], seat, rules, choices, 0)
    for choice in range(found):
        deals[1] = deals[0]  # type: ignore[index]  # copies the content
        answer(deals[1], seat, choices[0, choice], rules, lookup)
        count_below(deals, 1, depth - 1, rules, lookup, choices, table[choice])
    return found


@driver
def play_until(
    deals: Records[Deal],
    line_up: LineUp,
    tiles_left: int,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
) -> int:
    """Play a begun deal up to a turn with so few tiles left; return the seat to act, or NONE if it ended first.

    Parameters
    ----------
    deals : Deal[levels], changed
        The first one is played.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    tiles_left : int64, read
        Tiles left in the wall at the turn to stop at, at most.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    """
    deal = deals[0]
    rules = all_rules[0]
    lookup = lookups[0]
    while True:
        seat = next_seat(deal)
        if seat == NONE or (deal.table.decision == TURN and deal.table.tiles_left <= tiles_left):
            return seat
        action = ask(deal, seat, seat, line_up, rules, lookup)
        answer(deal, seat, action, rules, lookup)


def perft(
    rules: Any,
    strategies: Sequence[CompiledStrategy],
    wall_seed: int,
    depth: int,
    tiles_left: int | None = None,
    wall_mode: str = "shared",
) -> list[Branch]:
    """Count the tree below a state of a deal, by first choice.

    Parameters
    ----------
    rules : recarray of Rules, shape (1,)
        A compiled preset.
    strategies : sequence of 4
        Who plays, at each seat, up to the state.
    wall_seed : int
        The wall seed.
    depth : int
        Answers to give, 1 to MOST_DEPTH; deals may end before.
    tiles_left : int, optional
        Count from the first turn with at most so many tiles left in the wall (55 is the dealer's first turn); from the
        very beginning, with the exchange or the void suits, if not given.
    wall_mode : str
        ``shared`` or ``per_seat``.

    Returns
    -------
    list of Branch
        One a first choice, ascending by action; empty if the deal ends before.
    """
    deals = new(Deal, depth + 1)
    deal = deals[0]
    deal.wall_mode = WALL_MODES.index(wall_mode)
    for seat, strategy in enumerate(strategies):
        deal.hands[seat].parameters[:] = strategy.parameters
    begin_deal(deal, rules[0], wall_seed, seating_number((0, 1, 2, 3)))
    if tiles_left is not None:
        play_until(deals, line_up_of(strategies), tiles_left, rules, load_lookup())
    choices = np.zeros((depth + 1, MOST_CHOICES), dtype=np.int64)
    table: npt.NDArray[np.int64] = np.zeros((MOST_CHOICES, POINTS + SEATS), dtype=np.int64)
    found = count_tree(deals, depth, rules, load_lookup(), choices, table)
    branches = [
        Branch(
            int(choices[0, row]),
            int(table[row, LEAVES]),
            int(table[row, DECISIONS_MADE]),
            int(table[row, ENDS]),
            tuple(int(points) for points in table[row, POINTS:]),
            int(next_seat(deal)),
            int(deal.table.decision),
        )
        for row in range(found)
    ]
    return sorted(branches)
