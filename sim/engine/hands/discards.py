"""Which discard keeps a hand nearest to ready and open to the most tiles.

The same answers as `sim.engine.hands.shanten` gives for one discard at a time, for all discards of a hand at once: what
does not change from one discard to the next is looked up once. Not in here: which tiles are live; the caller knows.
"""

from sim.engine.hands.hand import ALL_KINDS, POWERS, RANKS, SUIT_KINDS, Hand, count_kinds, kinds_of_suit, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import PAIRS, count_lacking_pairs, count_pairs, lower_suit, mark_odd, upper_suit
from sim.jit import inlined, kernel

_MANY = 99
_CLASS_BITS = 7


@inlined
def _class_of(key: int, lookup: Lookup) -> int:
    """Return the class of a suit's key.

    Parameters
    ----------
    key : int64, read
        The key.
    lookup : Lookup, read
        The suit tables.
    """
    return int(lookup.classes[key])


@inlined
def _pack_next_classes(key: int, lookup: Lookup) -> int:
    """Return the classes of a key with each rank added, 7 bits each.

    Parameters
    ----------
    key : int64, read
        A suit's key.
    lookup : Lookup, read
        The suit tables.
    """
    packed = 0
    for rank in range(RANKS):
        packed |= _class_of(key + POWERS[rank], lookup) << (_CLASS_BITS * rank)
    return packed


@inlined
def _least_in_suit(melds: int, key: int, other_class: int, ranks: int, lookup: Lookup) -> tuple[int, int]:
    """Return the fewest tiles that a standard hand lacks after a discard of one suit, and the ranks that leave so few.

    Parameters
    ----------
    melds : int64, read
        Number of melds, 0 to 4.
    key : int64, read
        The suit's key.
    other_class : int64, read
        Class of the other suit that counts.
    ranks : int64, read
        Mask of the ranks to choose from, all of them held.
    lookup : Lookup, read
        The suit tables.
    """
    least, nearest = _MANY, 0
    while ranks:
        tile = ranks & -ranks
        ranks ^= tile
        lacking = int(lookup.lacking[melds, other_class, lookup.classes[key - POWERS[lowest_kind(tile)]]])
        if lacking < least:
            least, nearest = lacking, 0
        if lacking == least:
            nearest |= tile
    return least, nearest


@kernel
def mark_nearest(hand: Hand, kinds: int, void_suit: int, lookup: Lookup) -> int:
    """Return which discards of the suits that count leave a hand nearest to ready, a mask.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kinds : int64, read
        Mask of the kinds to choose from, all of them held and none of the void suit.
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lower, upper = lower_suit(void_suit), upper_suit(void_suit)
    lower_key, upper_key = hand.keys[lower], hand.keys[upper]
    lower_kinds, upper_kinds = (kinds >> (RANKS * lower)) & SUIT_KINDS, (kinds >> (RANKS * upper)) & SUIT_KINDS
    melds = hand.count_melds
    least, lower_nearest = _least_in_suit(melds, lower_key, _class_of(upper_key, lookup), lower_kinds, lookup)
    upper_least, upper_nearest = _least_in_suit(melds, upper_key, _class_of(lower_key, lookup), upper_kinds, lookup)
    nearest = 0
    if least <= upper_least:
        nearest = lower_nearest << (RANKS * lower)
    if upper_least <= least:
        least = upper_least
        nearest |= upper_nearest << (RANKS * upper)
    if melds == 0:
        odd = mark_odd(hand) & ~kinds_of_suit(void_suit)
        pairs = count_pairs(hand, void_suit)
        # A tile of a kind held an odd number of times leaves the pairs alone, any other one breaks a pair.
        if kinds & odd:
            lacking = count_lacking_pairs(pairs, odd & (odd - 1))
            if lacking < least:
                least, nearest = lacking, 0
            if lacking == least:
                nearest |= kinds & odd
        if kinds & ~odd:
            paired = kinds & ~odd
            lacking = count_lacking_pairs(pairs - 1, odd | (paired & -paired))
            if lacking < least:
                least, nearest = lacking, 0
            if lacking == least:
                nearest |= paired
    return nearest


@kernel
def mark_widest(hand: Hand, kinds: int, live_1: int, live_2: int, live_4: int, void_suit: int, lookup: Lookup) -> int:
    """Return which of some discards that leave a hand equally near leave it open to the most live tiles, a mask.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kinds : int64, read
        Mask of the kinds to choose from, as of `mark_nearest`.
    live_1 : int64, read
        Mask of the kinds of which an odd number of tiles is live: the number's lowest binary digit.
    live_2 : int64, read
        Mask of the kinds whose number of live tiles has the second binary digit.
    live_4 : int64, read
        Mask of the kinds of which all four tiles are live.
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    melds = hand.count_melds
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    lower, upper = lower_suit(void_suit), upper_suit(void_suit)
    lower_key, upper_key = hand.keys[lower], hand.keys[upper]
    lower_next, upper_next = _pack_next_classes(lower_key, lookup), _pack_next_classes(upper_key, lookup)
    lower_class, upper_class = _class_of(lower_key, lookup), _class_of(upper_key, lookup)
    pairs = count_pairs(hand, void_suit)
    all_odd = mark_odd(hand) & counted
    widest, most = 0, -1
    while kinds:
        tile = kinds & -kinds
        kinds ^= tile
        kind = lowest_kind(tile)
        if kind >= RANKS * upper:
            suit, key, other, other_class, other_next = upper, upper_key, lower, lower_class, lower_next
        else:
            suit, key, other, other_class, other_next = lower, lower_key, upper, upper_class, upper_next
        first = RANKS * suit
        key -= POWERS[kind - first]
        own_class = _class_of(key, lookup)
        lacking = int(lookup.lacking[melds, other_class, own_class])
        lacking_pairs = _MANY
        odd = all_odd ^ tile
        odd_pairs = pairs - (1 if odd & tile else 0)
        if melds == 0:
            lacking_pairs = count_lacking_pairs(odd_pairs, odd)
        useful = 0
        if lacking <= lacking_pairs:
            for rank in range(RANKS):
                if lookup.lacking[melds, other_class, lookup.classes[key + POWERS[rank]]] < lacking:
                    useful |= 1 << (first + rank)
            first = RANKS * other
            for rank in range(RANKS):
                next_class = (other_next >> (_CLASS_BITS * rank)) & 127
                if lookup.lacking[melds, own_class, next_class] < lacking:
                    useful |= 1 << (first + rank)
        if lacking_pairs <= lacking:
            useful |= counted if lacking_pairs > PAIRS - odd_pairs else odd
        live = count_kinds(useful & live_1) + 2 * count_kinds(useful & live_2) + 4 * count_kinds(useful & live_4)
        if live > most:
            widest, most = 0, live
        if live == most:
            widest |= tile
    return widest
