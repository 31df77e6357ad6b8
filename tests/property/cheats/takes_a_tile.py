"""Swaps a tile of its hand for a better one."""

from sim.engine.hands.hand import Hand, add_tile, lowest_kind, remove_tile
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Make the lowest tile a 5 and discard it."""
    kind = lowest_kind(hand.legal_discards)
    remove_tile(hand, kind)
    add_tile(hand, kind // 9 * 9 + 4)
    return kind // 9 * 9 + 4
