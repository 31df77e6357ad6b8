"""Plays towards ready most of the time and anything legal otherwise, so that rare things happen often."""

from sim.engine.hands.hand import Hand, count_kinds, draw_lot, kinds_of_suit, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten_without
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION, Table
from strategies.common import nth_kind

PARAMETERS = {
    "wild": (10.0, 0.0, 100.0, "percent of discards that are wild"),
    "calls": (90.0, 0.0, 100.0, "percent of pungs and kongs that are taken"),
    "wins": (80.0, 0.0, 100.0, "percent of wins that are taken"),
    "voids": (50.0, 0.0, 100.0, "percent of turns on which a held void tile goes first where it need not"),
}


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name the shortest suit, or a random one."""
    if draw_lot(hand, 100) < hand.parameters[0]:
        return draw_lot(hand, 3)
    shortest = 0
    for suit in range(1, 3):
        if hand.sizes[suit] < hand.sizes[shortest]:
            shortest = suit
    return shortest


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong, or discard, each by its share."""
    if hand.legal_win and draw_lot(hand, 100) < hand.parameters[2]:
        return WIN_ACTION
    if hand.legal_kongs and draw_lot(hand, 100) < hand.parameters[1]:
        return KONG_ACTION + nth_kind(hand.legal_kongs, draw_lot(hand, count_kinds(hand.legal_kongs)))
    legal = hand.legal_discards
    if draw_lot(hand, 100) < hand.parameters[0]:
        return nth_kind(legal, draw_lot(hand, count_kinds(legal)))
    void = legal & kinds_of_suit(hand.void_suit)
    if void and (void == legal or draw_lot(hand, 100) < hand.parameters[3]):
        return lowest_kind(void)
    best, least = 0, 99
    for kind in range(27):
        if ((legal & ~void) >> kind) & 1:
            shanten = count_shanten_without(hand, kind, hand.void_suit, lookup)
            if shanten < least:
                best, least = kind, shanten
    return best


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, kong, pung or pass, each by its share."""
    if hand.legal_win and draw_lot(hand, 100) < hand.parameters[2]:
        return WIN_ACTION
    if hand.legal_kongs and draw_lot(hand, 100) < hand.parameters[1]:
        return KONG_ACTION + table.tile
    if hand.legal_pung and draw_lot(hand, 100) < hand.parameters[1]:
        return PUNG_ACTION
    return PASS_ACTION
