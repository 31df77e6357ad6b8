"""Plays for the hand that pays most for its chances: live useful tiles weighted by what the finished hand is worth.

Modelled on the hard levels of public Blood Battle programs, which rank discards by shanten, useful tiles and then value
within the cap. Here these are one number, the points that a hand can be expected to win (`strategies.worth`): over any
hand, one suit, pungs and seven pairs, with roots, kongs and the cap of the preset, less what staying in the deal costs.
It decides the exchange, the void suit, discards, pungs and kongs (`strategies.aiming`), and whether a cheap win on a
discard is passed for a self-draw that everybody pays. It does not look at danger.
"""

from sim.engine.hands.hand import Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies.aiming import (
    choose_claim_by_worth,
    choose_exchange_by_worth,
    choose_turn_by_worth,
    choose_void_suit_by_worth,
)

PARAMETERS = {
    "patience": (0.3, -1000.0, 10.0, "points by which a win on a discard must beat staying in; -1000: always win"),
}


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give the tiles without which the hand is worth most."""
    return choose_exchange_by_worth(hand, table, rules, lookup)


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name the suit without which the hand is worth most."""
    return choose_void_suit_by_worth(hand, table, rules, lookup)


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or make the discard or kong after which the hand is worth most."""
    return choose_turn_by_worth(hand, table, rules, lookup, 0.0)


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win unless staying is worth more, or claim what makes the hand worth more."""
    return choose_claim_by_worth(hand, table, rules, lookup, 0.0, hand.parameters[0])
