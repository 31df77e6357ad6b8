"""Prefers a suit that it finds first in a set of names: another one with every PYTHONHASHSEED."""

from sim.engine.hands.hand import Hand, kinds_of_suit, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table

NAMES = ("characters", "circles", "bamboo")
FIRST = NAMES.index(next(iter(set(NAMES))))


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Discard the lowest kind of the preferred suit, else the lowest of all."""
    preferred = hand.legal_discards & kinds_of_suit(FIRST)
    return lowest_kind(preferred or hand.legal_discards)
