"""How far a hand is from ready, and which tiles bring it nearer.

The *shanten* of a hand is the fewest tiles that must still be drawn until it is complete, less one: 0 is ready, -1
complete. Standard hands and seven pairs both count. Tiles of the void suit never count; the other two suits are called
the lower and the upper one. What the table shows is not asked: a tile may be lacking that nobody can draw any more. Not
in here: waits, which must be possible (`sim.engine.hands.waits`).
"""

from sim.engine.hands.hand import ALL_KINDS, POWERS, RANKS, Hand, count_kinds, kinds_of_suit, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.jit import inlined, kernel

PAIRS = 7
"""Pairs of a hand of seven pairs."""


@inlined
def lower_suit(void_suit: int) -> int:
    """Return the first of the two suits that count.

    Parameters
    ----------
    void_suit : int64, read
        The suit that does not count, 0 to 2.
    """
    return 1 if void_suit == 0 else 0


@inlined
def upper_suit(void_suit: int) -> int:
    """Return the second of the two suits that count.

    Parameters
    ----------
    void_suit : int64, read
        The suit that does not count, 0 to 2.
    """
    return 1 if void_suit == 2 else 2


@inlined
def count_lacking(melds: int, lower_key: int, upper_key: int, lookup: Lookup) -> int:
    """Return the fewest tiles to add for a standard hand.

    Parameters
    ----------
    melds : int64, read
        Number of melds, 0 to 4.
    lower_key : int64, read
        Key of one of the two suits that count.
    upper_key : int64, read
        Key of the other one.
    lookup : Lookup, read
        The suit tables.
    """
    return int(lookup.lacking[melds, lookup.classes[lower_key], lookup.classes[upper_key]])


@inlined
def mark_odd(hand: Hand) -> int:
    """Return the kinds of which a hand holds one or three concealed tiles.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    """
    return int(hand.at_least[0] ^ hand.at_least[1] ^ hand.at_least[2] ^ hand.at_least[3])


@inlined
def count_pairs(hand: Hand, void_suit: int) -> int:
    """Return the pairs of a hand outside its void suit, four alike being two.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    void_suit : int64, read
        The suit that does not count, 0 to 2.
    """
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    return count_kinds(hand.at_least[1] & counted) + count_kinds(hand.at_least[3] & counted)


@inlined
def count_lacking_pairs(pairs: int, odd: int) -> int:
    """Return the fewest tiles to add for seven pairs: one for each pair begun by an odd tile, two for a new one.

    Parameters
    ----------
    pairs : int64, read
        Pairs held, 0 to 7.
    odd : int64, read
        Mask of the kinds of which an odd number is held.
    """
    missing = PAIRS - pairs
    return missing + max(0, missing - count_kinds(odd))


@inlined
def count_shanten(hand: Hand, void_suit: int, lookup: Lookup) -> int:
    """Return a hand's shanten: 0 if it is ready, -1 if it is complete.

    Parameters
    ----------
    hand : Hand, read
        A hand of 13 or 14 tiles (fewer three for each meld).
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lower_key, upper_key = hand.keys[lower_suit(void_suit)], hand.keys[upper_suit(void_suit)]
    lacking = count_lacking(hand.count_melds, lower_key, upper_key, lookup)
    if hand.count_melds == 0:
        odd = mark_odd(hand) & ~kinds_of_suit(void_suit)
        lacking = min(lacking, count_lacking_pairs(count_pairs(hand, void_suit), odd))
    return lacking - 1


@inlined
def count_shanten_without(hand: Hand, kind: int, void_suit: int, lookup: Lookup) -> int:
    """Return a hand's shanten once a tile is discarded.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kind : int64, read
        Kind of the tile, one that the hand holds.
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lower, upper, suit = lower_suit(void_suit), upper_suit(void_suit), kind // RANKS
    power = POWERS[kind - RANKS * suit]
    lower_key = hand.keys[lower] - (power if suit == lower else 0)
    upper_key = hand.keys[upper] - (power if suit == upper else 0)
    lacking = count_lacking(hand.count_melds, lower_key, upper_key, lookup)
    if hand.count_melds == 0:
        counted = ALL_KINDS & ~kinds_of_suit(void_suit)
        tile = (1 << kind) & counted
        odd = mark_odd(hand) & counted
        # A tile of a kind held an even number of times leaves an odd one, and breaks a pair.
        pairs = count_pairs(hand, void_suit) - (1 if tile & ~odd else 0)
        lacking = min(lacking, count_lacking_pairs(pairs, odd ^ tile))
    return lacking - 1


@kernel
def mark_least_shanten(hand: Hand, kinds: int, void_suit: int, lookup: Lookup) -> int:
    """Return which discards leave a hand nearest to ready, a mask.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kinds : int64, read
        Mask of the kinds to choose from, all of them held.
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    least, nearest = 99, 0
    while kinds:
        kind = lowest_kind(kinds)
        kinds &= kinds - 1
        shanten = count_shanten_without(hand, kind, void_suit, lookup)
        if shanten < least:
            least, nearest = shanten, 0
        if shanten == least:
            nearest |= 1 << kind
    return nearest


@inlined
def _mark_suit(melds: int, key: int, other_key: int, lacking: int, lookup: Lookup) -> int:
    """Return which ranks of one suit bring a standard hand nearer, a mask of nine bits.

    Parameters
    ----------
    melds : int64, read
        Number of melds, 0 to 4.
    key : int64, read
        The suit's key.
    other_key : int64, read
        Key of the other suit that counts.
    lacking : int64, read
        Fewest tiles that the hand lacks.
    lookup : Lookup, read
        The suit tables.
    """
    other = lookup.classes[other_key]
    ranks = 0
    for rank in range(RANKS):
        if lookup.lacking[melds, other, lookup.classes[key + POWERS[rank]]] < lacking:
            ranks |= 1 << rank
    return ranks


@kernel
def _mark_useful(
    melds: int, lower_key: int, upper_key: int, pairs: int, odd: int, whole: int, void_suit: int, lookup: Lookup
) -> int:
    """Return which kinds bring tiles nearer to a complete hand, a mask.

    Parameters
    ----------
    melds : int64, read
        Number of melds, 0 to 4.
    lower_key : int64, read
        Key of the first suit that counts.
    upper_key : int64, read
        Key of the second suit that counts.
    pairs : int64, read
        Pairs of the two suits.
    odd : int64, read
        Mask of the kinds of the two suits of which an odd number is held.
    whole : int64, read
        Mask of the kinds of which all four tiles are held, melds included.
    void_suit : int64, read
        The suit that does not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lacking = count_lacking(melds, lower_key, upper_key, lookup)
    lacking_pairs = count_lacking_pairs(pairs, odd) if melds == 0 else 99
    useful = 0
    if lacking <= lacking_pairs:
        useful |= _mark_suit(melds, lower_key, upper_key, lacking, lookup) << (RANKS * lower_suit(void_suit))
        useful |= _mark_suit(melds, upper_key, lower_key, lacking, lookup) << (RANKS * upper_suit(void_suit))
    if lacking_pairs <= lacking:
        useful |= odd
        if lacking_pairs > PAIRS - pairs:  # too few odd tiles: a new one helps as well
            useful |= ALL_KINDS & ~kinds_of_suit(void_suit)
    return useful & ~whole


@inlined
def mark_useful(hand: Hand, void_suit: int, lookup: Lookup) -> int:
    """Return which kinds lower a hand's shanten when drawn, a mask.

    Kinds of the void suit, and those of which the hand and its melds hold all four tiles, are never among them.

    Parameters
    ----------
    hand : Hand, read
        A hand of 13 tiles (fewer three for each meld).
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lower_key, upper_key = hand.keys[lower_suit(void_suit)], hand.keys[upper_suit(void_suit)]
    odd = mark_odd(hand) & ~kinds_of_suit(void_suit)
    whole = hand.at_least[3] | (hand.pungs & hand.at_least[0]) | hand.kongs
    pairs = count_pairs(hand, void_suit)
    return _mark_useful(hand.count_melds, lower_key, upper_key, pairs, odd, whole, void_suit, lookup)


@inlined
def mark_useful_without(hand: Hand, kind: int, void_suit: int, lookup: Lookup) -> int:
    """Return which kinds lower a hand's shanten when drawn after a discard, a mask.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kind : int64, read
        Kind of the discarded tile, one that the hand holds.
    void_suit : int64, read
        The suit whose tiles do not count, 0 to 2.
    lookup : Lookup, read
        The suit tables.
    """
    lower, upper, suit = lower_suit(void_suit), upper_suit(void_suit), kind // RANKS
    power = POWERS[kind - RANKS * suit]
    lower_key = hand.keys[lower] - (power if suit == lower else 0)
    upper_key = hand.keys[upper] - (power if suit == upper else 0)
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    tile = 1 << kind
    odd = mark_odd(hand) & counted
    pairs = count_pairs(hand, void_suit) - (1 if tile & counted & ~odd else 0)
    single = hand.at_least[0] & ~(tile if hand.counts[kind] == 1 else 0)
    whole = (hand.at_least[3] & ~tile) | (hand.pungs & single) | hand.kongs
    return _mark_useful(hand.count_melds, lower_key, upper_key, pairs, odd ^ (tile & counted), whole, void_suit, lookup)
