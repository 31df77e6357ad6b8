"""Routes to a win: how far a hand is from each kind of hand that pays more, and which tiles bring it nearer.

Modelled on the value routes of the strongest public Blood Battle programs: one suit, pungs only, seven pairs. Not in
here: the shortest way to any winning hand (`sim.engine.hands.shanten`), and what a route is worth
(`strategies.worth`).
"""

from sim.engine.hands.hand import ALL_KINDS, POWERS, RANKS, Hand, count_kinds, kinds_of_suit
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import PAIRS, count_lacking, count_lacking_pairs, count_pairs, mark_odd
from strategies.compiling import inlined_helper

CLOSED = 99
"""Tiles lacking on a route that a hand cannot take any more."""
_GROUPS = 4


@inlined_helper
def lacking_for_one_suit(hand: Hand, suit: int, lookup: Lookup) -> tuple[int, int]:
    """Return how many tiles a standard hand of one suit lacks, and the kinds that bring it nearer, a mask.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    suit : int64, read
        The suit to keep.
    lookup : Lookup, read
        Hand tables.
    """
    if (hand.pungs | hand.kongs) & ~kinds_of_suit(suit):
        return CLOSED, 0
    melds, key = hand.count_melds, hand.keys[suit]
    lacking = count_lacking(melds, key, 0, lookup)
    useful = 0
    for rank in range(RANKS):
        if count_lacking(melds, key + POWERS[rank], 0, lookup) < lacking:
            useful |= 1 << (RANKS * suit + rank)
    return lacking, useful


@inlined_helper
def lacking_for_pungs(hand: Hand, void_suit: int) -> tuple[int, int]:
    """Return how many tiles four pungs and a pair lack, and the kinds that bring them nearer, a mask.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    void_suit : int64, read
        The suit whose tiles do not count.
    """
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    single, triple = hand.at_least[0] & counted, hand.at_least[2] & counted
    double = hand.at_least[1] & counted & ~triple
    pungs = _GROUPS - hand.count_melds - count_kinds(triple)
    pairs = count_kinds(double)
    if pungs <= 0:
        return (0, 0) if pairs or pungs < 0 else (1, single & ~triple)
    if pairs > pungs:
        return pungs, double
    return 2 * pungs - pairs + 1, single & ~triple


@inlined_helper
def lacking_for_pairs(hand: Hand, void_suit: int) -> tuple[int, int]:
    """Return how many tiles seven pairs lack, and the kinds that bring them nearer, a mask.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    void_suit : int64, read
        The suit whose tiles do not count.
    """
    if hand.count_melds:
        return CLOSED, 0
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    odd = mark_odd(hand) & counted
    pairs = count_pairs(hand, void_suit)
    lacking = count_lacking_pairs(pairs, odd)
    return lacking, counted if lacking > PAIRS - pairs else odd
