"""Any legal action, each alike, by lots from the seat's own stream: the weakest player that still plays by the rules.

The classical baseline of game programs. The exchange draws a suit among those with enough tiles, then tiles of it.
"""

from sim.engine.hands.hand import RANKS, SUITS, Hand, count_kinds, draw_lot, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION, Table
from strategies.common import nth_kind

RULE_BLIND = True


def choose_exchange(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Give random tiles of a random suit."""
    suits = 0
    for suit in range(SUITS):
        if hand.sizes[suit] >= rules.exchange_count:
            suits |= 1 << suit
    suit = nth_kind(suits, draw_lot(hand, count_kinds(suits)))
    first = RANKS * suit
    left = hand.sizes[suit]
    missing = rules.exchange_count
    packed, place = 0, 0
    for kind in range(first, first + RANKS):  # each tile is taken with the odds that so many of those left are
        for _ in range(hand.counts[kind]):
            if draw_lot(hand, left) < missing:
                packed |= kind << place
                place += 5
                missing -= 1
            left -= 1
    return packed


def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Name a random suit."""
    return draw_lot(hand, SUITS)


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong or discard, each legal action alike."""
    kongs = count_kinds(hand.legal_kongs)
    lot = draw_lot(hand, count_kinds(hand.legal_discards) + kongs + hand.legal_win)
    if lot < kongs:
        return KONG_ACTION + nth_kind(hand.legal_kongs, lot)
    lot -= kongs
    if lot < hand.legal_win:
        return WIN_ACTION
    return nth_kind(hand.legal_discards, lot - hand.legal_win)


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Pass or claim, each legal action alike."""
    kongs = count_kinds(hand.legal_kongs)
    lot = draw_lot(hand, 1 + kongs + hand.legal_win + hand.legal_pung)
    if lot == 0:
        return PASS_ACTION
    if lot <= kongs:
        return KONG_ACTION + lowest_kind(hand.legal_kongs)
    return WIN_ACTION if lot <= kongs + hand.legal_win else PUNG_ACTION
