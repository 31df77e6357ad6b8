"""Takes a point from the table at every turn."""

from sim.engine.hands.hand import Hand, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Take a point, and discard the lowest kind."""
    table.points[hand.seat] += 1
    return lowest_kind(hand.legal_discards)
