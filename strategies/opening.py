"""Helpers for strategies: the choices before play begins, exchange and void suit.

Modelled on what the strongest public programs do: the void suit is the one whose removal costs least in steps to ready
and in groups lost; the exchange gives three lonely tiles of a weak suit and keeps its pairs.
"""

from sim.engine.hands.hand import NONE, RANKS, SUITS, Hand, add_tile, count_kinds, kinds_of_suit, remove_tile
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten
from sim.engine.sichuan.rules import Rules
from strategies.common import NEVER, loneliest_kind
from strategies.compiling import helper


@helper
def cost_of_void_suit(hand: Hand, suit: int, lookup: Lookup) -> int:
    """Return what naming a suit void costs, in hundredths of a step to ready.

    That is the shanten without the suit, 35 for each pair in it, 80 for each pung, 70 for a run, and for the time that
    throwing its tiles takes twice the square of their number. Play depends little on these weights.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    suit : int64, read
        The suit.
    lookup : Lookup, read
        Hand tables.
    """
    kinds = kinds_of_suit(suit)
    held = (hand.at_least[0] & kinds) >> (RANKS * suit)
    cost: int = 100 * count_shanten(hand, suit, lookup) + 2 * hand.sizes[suit] * hand.sizes[suit]
    cost += 35 * count_kinds(hand.at_least[1] & kinds) + 45 * count_kinds(hand.at_least[2] & kinds)
    if held & (held >> 1) & (held >> 2):
        cost += 70
    return cost


@helper
def cheapest_void_cost(hand: Hand, lookup: Lookup) -> int:
    """Return the cost of the suit that costs least to name void.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    lookup : Lookup, read
        Hand tables.
    """
    least = NEVER
    for suit in range(SUITS):
        least = min(least, cost_of_void_suit(hand, suit, lookup))
    return least


@helper
def choose_cheapest_void_suit(hand: Hand, lookup: Lookup) -> int:
    """Return the suit that costs least to name void.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    lookup : Lookup, read
        Hand tables.
    """
    cheapest, least = NONE, NEVER
    for index in range(SUITS):
        suit = hand.suit_order[index]
        cost = cost_of_void_suit(hand, suit, lookup)
        if cost < least:
            cheapest, least = suit, cost
    return cheapest


@helper
def take_loneliest(hand: Hand, suit: int, count: int) -> int:
    """Take the least connected tiles of a suit out of a hand, and return the choice of an exchange that gives them.

    Parameters
    ----------
    hand : Hand, changed
        The hand, which loses the tiles.
    suit : int64, read
        The suit, of which the hand holds enough.
    count : int64, read
        How many tiles.
    """
    taken = 0  # three bits a rank: how many tiles of it
    first = RANKS * suit
    for _ in range(count):
        kind = loneliest_kind(hand, hand.at_least[0] & kinds_of_suit(suit))
        remove_tile(hand, kind)
        taken += 1 << (3 * (kind - first))
    packed, place = 0, 0
    for rank in range(RANKS):
        for _ in range((taken >> (3 * rank)) & 7):
            packed |= (first + rank) << place
            place += 5
    return packed


@helper
def give_loneliest_tiles(hand: Hand, rules: Rules, lookup: Lookup) -> int:
    """Return the exchange whose loss costs least: for each suit its least connected tiles are tried out.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    best, least = NONE, NEVER
    for index in range(SUITS):
        suit = hand.suit_order[index]
        if hand.sizes[suit] < rules.exchange_count:
            continue
        packed = take_loneliest(hand, suit, rules.exchange_count)
        cost = cheapest_void_cost(hand, lookup)
        for place in range(rules.exchange_count):
            add_tile(hand, (packed >> (5 * place)) & 31)
        if cost < least:
            best, least = packed, cost
    return best
