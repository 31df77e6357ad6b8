"""Plays its few best choices out in sampled worlds, and takes another than `defence` would if that gains more.

Determinised Monte Carlo, also called perfect information Monte Carlo search (Ginsberg, "GIB", JAIR 2001; Long and
others, "Understanding the success of perfect information Monte Carlo sampling", AAAI 2010): what is hidden is sampled
as the table tells (`strategies.worlds`), the deal is played to its end once after each choice, in the same worlds for
all of them (`strategies.playouts`), and what `defence` would do stands unless the mean gain of another choice is
several standard errors above nothing. It is so that the strongest public Blood Battle programs confirm their judgement.
Judgement also says what is tried: all void suits, an exchange of each suit, claims and kongs, and the best few
discards. The budget is a number of roll-outs and the worlds are drawn by the seat's own lots, so a deal can be played
again on any machine.
"""

import numpy as np

from sim.engine.hands.hand import KINDS, SUITS, Hand, add_tile, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import CLAIM, KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION, Table
from sim.jit import Ints
from strategies.aiming import (
    choose_claim_by_worth,
    choose_exchange_by_worth,
    choose_turn_by_worth,
    choose_void_suit_by_worth,
    worth_after_discard,
)
from strategies.common import count_live_binary, first_kind, held_void_kinds
from strategies.compiling import helper
from strategies.opening import take_loneliest
from strategies.playouts import choose_by_playouts
from strategies.prospects import count_rounds
from strategies.reading import read_opponents

PARAMETERS = {
    "budget": (512, 0, 10_000_000, "roll-outs that a decision may take"),
    "sureness": (1.0, 0.0, 10.0, "standard errors by which the mean gain of another choice must be above 0"),
    "caution": (0.2, 0.001, 10.0, "weight of a discard's danger in the judgement before roll-outs"),
    "patience": (0.0, -1000.0, 10.0, "points by which a win on a discard must beat staying in, in that judgement"),
}

_MOST = KINDS + SUITS
"""Room for choices."""
_DISCARDS = 4
"""Discards that are tried at most."""
_WORSE = 1.0
"""Points by which a discard that is tried may be worse than the best one."""


@helper
def add_choice(choices: Ints, count: int, action: int) -> int:
    """Add a choice to those that are tried, unless it is the first one; return how many there are.

    Parameters
    ----------
    choices : int64[_MOST], changed
        The choices.
    count : int64, read
        How many there are, at least one.
    action : int64, read
        The action.
    """
    if action == choices[0]:
        return count
    choices[count] = action
    return count + 1


@helper
def add_discards(
    hand: Hand, table: Table, rules: Rules, lookup: Lookup, caution: float, choices: Ints, count: int
) -> int:
    """Add the discards that judgement likes best to the choices; return how many there are.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a turn; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    caution : float64, read
        Weight of a discard's danger.
    choices : int64[_MOST], changed
        The choices.
    count : int64, read
        How many there are, at least one.
    """
    kinds = held_void_kinds(hand)
    if kinds == 0:
        kinds = hand.legal_discards
    rounds = count_rounds(table)
    live_1, live_2, live_4 = count_live_binary(hand, table)
    reading = read_opponents(hand, table)
    worths = np.zeros(KINDS)
    ranking = np.zeros(KINDS, dtype=np.int64)
    found = 0
    while kinds:
        kind = first_kind(hand, kinds)
        kinds &= ~(1 << kind)
        worth = worth_after_discard(hand, table, rules, lookup, kind, rounds, caution, reading, live_1, live_2, live_4)
        place = found
        while place > 0 and worths[place - 1] < worth:
            worths[place], ranking[place] = worths[place - 1], ranking[place - 1]
            place -= 1
        worths[place], ranking[place] = worth, kind
        found += 1
    for place in range(min(found, _DISCARDS)):
        if worths[place] > worths[0] - _WORSE:
            count = add_choice(choices, count, ranking[place])
    return count


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give the loneliest tiles of a suit, tried for each suit."""
    choices = np.zeros(_MOST, dtype=np.int64)
    choices[0] = choose_exchange_by_worth(hand, table, rules, lookup)
    count = 1
    for index in range(SUITS):
        suit = hand.suit_order[index]
        if hand.sizes[suit] >= rules.exchange_count:
            packed = take_loneliest(hand, suit, rules.exchange_count)
            for place in range(rules.exchange_count):
                add_tile(hand, (packed >> (5 * place)) & 31)
            count = add_choice(choices, count, packed)
    return choose_by_playouts(hand, table, rules, lookup, choices, count, int(hand.parameters[0]), hand.parameters[1])


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name a suit, each of them tried."""
    choices = np.zeros(_MOST, dtype=np.int64)
    choices[0] = choose_void_suit_by_worth(hand, table, rules, lookup)
    count = 1
    for index in range(SUITS):
        count = add_choice(choices, count, hand.suit_order[index])
    return choose_by_playouts(hand, table, rules, lookup, choices, count, int(hand.parameters[0]), hand.parameters[1])


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or try the kongs and the discards that are worth most."""
    choices = np.zeros(_MOST, dtype=np.int64)
    choices[0] = choose_turn_by_worth(hand, table, rules, lookup, hand.parameters[2])
    if hand.legal_win:
        return int(choices[0])
    count = 1
    kongs = hand.legal_kongs
    while kongs:
        kind = first_kind(hand, kongs)
        kongs &= ~(1 << kind)
        count = add_choice(choices, count, KONG_ACTION + kind)
    count = add_discards(hand, table, rules, lookup, hand.parameters[2], choices, count)
    return choose_by_playouts(hand, table, rules, lookup, choices, count, int(hand.parameters[0]), hand.parameters[1])


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Rob a kong; else try to pass and to win, or to pass and to claim."""
    choices = np.zeros(_MOST, dtype=np.int64)
    choices[0] = choose_claim_by_worth(hand, table, rules, lookup, hand.parameters[2], hand.parameters[3])
    if table.decision != CLAIM:
        return int(choices[0])
    count = add_choice(choices, 1, PASS_ACTION)
    if hand.legal_win:
        count = add_choice(choices, count, WIN_ACTION)
    elif hand.legal_pung:
        count = add_choice(choices, count, PUNG_ACTION)
    if hand.legal_kongs and hand.legal_win == 0:
        count = add_choice(choices, count, KONG_ACTION + lowest_kind(hand.legal_kongs))
    return choose_by_playouts(hand, table, rules, lookup, choices, count, int(hand.parameters[0]), hand.parameters[1])
