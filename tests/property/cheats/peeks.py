"""Throws what the next player holds: it reads over the edge of its own hand, which only bounds checks prevent."""

from sim.engine.hands.hand import KINDS, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table

WORDS = Hand.dtype.itemsize // 8
"""The tiles of the next hand lie so many integers behind the own ones."""


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Discard the kind of which the next player holds most."""
    chosen, most = 0, -1
    for kind in range(KINDS):
        if (hand.legal_discards >> kind) & 1 and hand.counts[WORDS + kind] > most:
            chosen, most = kind, hand.counts[WORDS + kind]
    return chosen
