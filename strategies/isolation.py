"""Keeps tiles that have neighbours and throws the loneliest: how many people play, and most simple programs.

Modelled on the easy level of public Blood Battle programs: 3 for each equal tile, 2 for each neighbour, 1 for each tile
over a gap; the tile with the least goes, of equals the one nearest to an end of its suit. It never counts steps to
ready once play has begun.
"""

from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION, Table
from strategies.common import count_neighbours, first_kind, held_void_kinds, loneliest_kind
from strategies.compiling import inlined_helper

RULE_BLIND = True


@inlined_helper
def lonely_kong(hand: Hand) -> int:
    """Return a kind of which a kong is legal and takes no tile from a run, NONE if there is none.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    """
    kongs = hand.legal_kongs
    while kongs:
        kind = first_kind(hand, kongs)
        if count_neighbours(hand, kind) == 3 * (hand.counts[kind] - 1):
            return kind
        kongs &= ~(1 << kind)
    return NONE


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong of tiles without neighbours, or throw the loneliest tile."""
    if hand.legal_win:
        return WIN_ACTION
    kong = lonely_kong(hand)
    if kong != NONE:
        return KONG_ACTION + kong
    return loneliest_kind(hand, held_void_kinds(hand) or hand.legal_discards)


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, or claim a pung or kong of tiles without neighbours."""
    if hand.legal_win:
        return WIN_ACTION
    kong = lonely_kong(hand)
    if kong != NONE:
        return KONG_ACTION + kong
    if hand.legal_pung and count_neighbours(hand, table.tile) == 3:
        return PUNG_ACTION
    return PASS_ACTION
