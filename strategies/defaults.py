"""What a strategy does about decisions that its file leaves out: plain play towards a ready hand.

The opening is that of `strategies.opening`. A win is always taken, a kong that does no harm is made, a pung that helps
is claimed, and the discard is one that keeps the hand as near to ready as it can be.
"""

from sim.engine.hands.discards import mark_nearest
from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies.common import claim_what_helps, held_void_kinds, loneliest_kind, win_or_kong
from strategies.opening import choose_cheapest_void_suit, give_loneliest_tiles


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give the least connected tiles of the suit whose loss costs least."""
    return give_loneliest_tiles(hand, rules, lookup)


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name the suit whose removal costs least."""
    return choose_cheapest_void_suit(hand, lookup)


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or discard the loneliest tile that the way to ready does not need."""
    action = win_or_kong(hand, lookup)
    if action != NONE:
        return action
    void = held_void_kinds(hand)
    if void:
        return loneliest_kind(hand, void)
    return loneliest_kind(hand, mark_nearest(hand, hand.legal_discards, hand.void_suit, lookup))


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or claim a pung that brings the hand nearer to ready."""
    return claim_what_helps(hand, table, lookup)
