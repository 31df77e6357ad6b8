"""The first legal action in a fixed order: a yardstick, and the play of a player who never thinks.

Modelled on the play of a timed-out player in the rulebook: a win is taken, nothing else is claimed, no kong is made,
and the lowest legal kind is discarded. The exchange gives the first tiles in ascending order that are of one suit; the
void suit is the one with the fewest tiles, the first of equals. Unlike all others it prefers some suits to others.
"""

from sim.engine.hands.hand import RANKS, SUITS, Hand, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION, Table

RULE_BLIND = True


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give the lowest tiles of the first suit that has enough."""
    suit = 0
    while hand.sizes[suit] < rules.exchange_count:
        suit += 1
    packed, place = 0, 0
    for kind in range(RANKS * suit, RANKS * suit + RANKS):
        for _ in range(hand.counts[kind]):
            if place < rules.exchange_count:
                packed |= kind << (5 * place)
                place += 1
    return packed


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name the suit with the fewest tiles."""
    fewest = 0
    for suit in range(1, SUITS):
        if hand.sizes[suit] < hand.sizes[fewest]:
            fewest = suit
    return fewest


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or discard the lowest legal kind."""
    return WIN_ACTION if hand.legal_win else lowest_kind(hand.legal_discards)


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or pass."""
    return WIN_ACTION if hand.legal_win else PASS_ACTION
