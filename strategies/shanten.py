"""Goes the shortest way to a ready hand, and asks no more.

Modelled on the shanten-minimising players of public programs; steps to ready, or shanten, are the deficiency number of
Li and Yan, "Let's play mahjong!" (2019, arXiv:1903.03294), less one. Of all discards that leave the fewest steps to
ready, over four groups and a pair and over seven pairs, without the void suit's tiles, it takes the first that it
finds. Pungs are claimed if they save a step, kongs made if they cost none.
"""

from sim.engine.hands.discards import mark_nearest
from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies.common import claim_what_helps, first_kind, held_void_kinds, win_or_kong

RULE_BLIND = True


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or make the first discard that leaves the fewest steps to ready."""
    action = win_or_kong(hand, lookup)
    if action != NONE:
        return action
    void = held_void_kinds(hand)
    if void:
        return first_kind(hand, void)
    return first_kind(hand, mark_nearest(hand, hand.legal_discards, hand.void_suit, lookup))


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or claim a pung that saves a step."""
    return claim_what_helps(hand, table, lookup)
