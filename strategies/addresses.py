"""The helpers of `strategies.calculator` and of the engine, called from Python with addresses instead of records."""

from sim.engine.hands.hand import KINDS, NONE, Hand, draw_lot
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, count_shanten_without, mark_useful, mark_useful_without
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from sim.jit import cached_in, called_by_address
from strategies.calculator import estimate_danger, least_shanten, value_if_completed
from strategies.compiling import HELPERS_CACHE


def _draw(hand: Hand, bound: int) -> int:
    return draw_lot(hand, bound)


def _shanten(hand: Hand, lookup: Lookup, void_suit: int) -> int:
    if void_suit == NONE:
        return least_shanten(hand, lookup)
    return count_shanten(hand, void_suit, lookup)


def _useful(hand: Hand, lookup: Lookup) -> int:
    return mark_useful(hand, hand.void_suit, lookup)


def _waits(hand: Hand, lookup: Lookup) -> int:
    return mark_waits(hand, lookup)


def _choice(hand: Hand, lookup: Lookup, kind: int) -> int:
    shanten = count_shanten_without(hand, kind, hand.void_suit, lookup)
    return mark_useful_without(hand, kind, hand.void_suit, lookup) | (shanten + 1) << KINDS


def _value(hand: Hand, table: Table, rules: Rules, lookup: Lookup, kind: int, is_self_draw: int) -> int:
    return value_if_completed(hand, table, rules, lookup, kind, is_self_draw)


def _danger(hand: Hand, table: Table, kind: int, seat: int) -> int:
    return estimate_danger(hand, table, kind, seat)


with cached_in(HELPERS_CACHE):
    draw = called_by_address(_draw)
    """(hand, bound): a lot of the hand's own stream."""
    shanten = called_by_address(_shanten)
    """(hand, lookup, void suit or NONE): steps to ready."""
    useful = called_by_address(_useful)
    """(hand, lookup): mask of the kinds that bring a hand of 13 tiles nearer."""
    waits = called_by_address(_waits)
    """(hand, lookup): mask of the kinds that complete a hand of 13 tiles."""
    choice = called_by_address(_choice)
    """(hand, lookup, kind): what a discard leaves: useful kinds, and above them the shanten plus 1."""
    value = called_by_address(_value)
    """(hand, table, rules, lookup, kind, 1 if drawn): value in points."""
    danger = called_by_address(_danger)
    """(hand, table, kind, seat): danger in thousandths."""
