"""Helpers for strategies: neutral orders, what a tile is worth to its hand, melds tried out, what is always done.

Nothing here prefers one suit to another: whatever goes through kinds goes through the suits in `hand.suit_order`, so
that a deal with its suits relabelled is played alike. Not in here: shanten and useful tiles (`sim.engine.hands`), the
choices before play begins (`strategies.opening`).
"""

from sim.engine.hands.discards import mark_nearest, mark_widest
from sim.engine.hands.hand import (
    KINDS,
    NONE,
    RANKS,
    SUIT_KINDS,
    SUITS,
    Hand,
    add_tile,
    kinds_of_suit,
    lowest_kind,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, count_shanten_without
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION, Table
from strategies.compiling import helper, inlined_helper

NEVER = 1 << 30
"""More than any cost."""


@inlined_helper
def first_kind(hand: Hand, mask: int) -> int:
    """Return the first kind of a mask in the hand's neutral order, NONE if the mask is empty.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    mask : int64, read
        Bit k stands for kind k.
    """
    for index in range(SUITS):
        part = mask & kinds_of_suit(hand.suit_order[index])
        if part:
            return lowest_kind(part)
    return NONE


@inlined_helper
def nth_kind(mask: int, index: int) -> int:
    """Return the kind of an index in a mask, in ascending order.

    Parameters
    ----------
    mask : int64, read
        Bit k stands for kind k.
    index : int64, read
        Which one, from 0; the mask holds more kinds than this.
    """
    for _ in range(index):
        mask &= mask - 1
    return lowest_kind(mask)


@inlined_helper
def count_neighbours(hand: Hand, kind: int) -> int:
    """Return how well a concealed tile is connected: 3 for each equal tile, 2 for each neighbour, 1 over a gap.

    Parameters
    ----------
    hand : Hand, read
        The hand, which holds the tile.
    kind : int64, read
        The tile's kind.
    """
    rank = kind % RANKS
    score: int = 3 * (hand.counts[kind] - 1)
    if rank > 0:
        score += 2 * hand.counts[kind - 1]
    if rank > 1:
        score += hand.counts[kind - 2]
    if rank < RANKS - 1:
        score += 2 * hand.counts[kind + 1]
    if rank < RANKS - 2:
        score += hand.counts[kind + 2]
    return score


@helper
def loneliest_kind(hand: Hand, mask: int) -> int:
    """Return the least connected held kind of a mask, of equals the one nearest to an end of its suit.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    mask : int64, read
        Held kinds to choose from; NONE is returned if there are none.
    """
    loneliest, least = NONE, NEVER
    for index in range(SUITS):
        first = RANKS * hand.suit_order[index]
        part = (mask >> first) & SUIT_KINDS
        while part:
            rank = lowest_kind(part)
            part &= part - 1
            score = 8 * count_neighbours(hand, first + rank) + min(rank, RANKS - 1 - rank)
            if score < least:
                loneliest, least = first + rank, score
    return loneliest


@helper
def shanten_after_meld(hand: Hand, kind: int, tiles: int, lookup: Lookup) -> int:
    """Return the shanten of a hand once some of its concealed tiles were declared as a meld.

    After a pung that is the shanten with the best discard, after a kong the one before the replacement.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    kind : int64, read
        Kind of the meld.
    tiles : int64, read
        How many concealed tiles of it leave the hand: 2 for a pung, 3 for an exposed kong, 4 for a concealed kong.
    lookup : Lookup, read
        Hand tables.
    """
    for _ in range(tiles):
        remove_tile(hand, kind)
    hand.count_melds += 1
    shanten = count_shanten(hand, hand.void_suit, lookup)
    hand.count_melds -= 1
    for _ in range(tiles):
        add_tile(hand, kind)
    return shanten


@helper
def harmless_kong(hand: Hand, lookup: Lookup) -> int:
    """Return a kind of which a kong is legal and leaves the hand no farther from ready, NONE if there is none.

    The replacement that is still to come is not counted: whatever it is, it cannot make the hand worse.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a turn or a claim; left as it was.
    lookup : Lookup, read
        Hand tables.
    """
    kongs = hand.legal_kongs
    if kongs == 0:
        return NONE
    before = count_shanten(hand, hand.void_suit, lookup)
    while kongs:
        kind = first_kind(hand, kongs)
        kongs &= ~(1 << kind)
        if (hand.pungs >> kind) & 1:
            after = count_shanten_without(hand, kind, hand.void_suit, lookup)
        else:
            after = shanten_after_meld(hand, kind, hand.counts[kind], lookup)
        if after <= before:
            return kind
    return NONE


@helper
def does_pung_help(hand: Hand, kind: int, lookup: Lookup) -> bool:
    """Tell whether claiming a pung brings a hand nearer to ready.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a claim in which the pung is legal; left as it was.
    kind : int64, read
        Kind of the discard.
    lookup : Lookup, read
        Hand tables.
    """
    return shanten_after_meld(hand, kind, 2, lookup) < count_shanten(hand, hand.void_suit, lookup)


@inlined_helper
def count_live_binary(hand: Hand, table: Table) -> tuple[int, int, int]:
    """Return the live tiles of all kinds but the void suit's, as three masks: the binary digits of worth 1, 2 and 4.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    """
    live_1, live_2, live_4 = 0, 0, 0
    for kind in range(KINDS):
        live = 4 - hand.counts[kind] - table.seen[kind]
        live_1 |= (live & 1) << kind
        live_2 |= ((live >> 1) & 1) << kind
        live_4 |= (live >> 2) << kind
    counted = ~(hand.kongs | kinds_of_suit(hand.void_suit))
    return live_1 & counted, live_2 & counted, live_4 & counted


@inlined_helper
def held_void_kinds(hand: Hand) -> int:
    """Return the concealed kinds of the own void suit, a mask.

    They go first, also under presets where they may be kept: no winning hand may hold one.

    Parameters
    ----------
    hand : Hand, read
        The hand, its void suit chosen.
    """
    held: int = hand.at_least[0] & kinds_of_suit(hand.void_suit)
    return held


@inlined_helper
def win_or_kong(hand: Hand, lookup: Lookup) -> int:
    """Return the action of a win, else of a kong that does no harm, NONE if there is neither.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a turn or a claim; left as it was.
    lookup : Lookup, read
        Hand tables.
    """
    if hand.legal_win:
        return WIN_ACTION
    if hand.legal_kongs:
        kind = harmless_kong(hand, lookup)
        if kind != NONE:
            return KONG_ACTION + kind
    return NONE


@inlined_helper
def discard_for_width(hand: Hand, table: Table, lookup: Lookup) -> int:
    """Return the discard that keeps the shortest way to ready widest; tiles of the void suit go first.

    Parameters
    ----------
    hand : Hand, read
        The hand in a turn.
    table : Table, read
        What everybody sees.
    lookup : Lookup, read
        Hand tables.
    """
    void = held_void_kinds(hand)
    if void:
        return lowest_kind(void)
    nearest = mark_nearest(hand, hand.legal_discards, hand.void_suit, lookup)
    if nearest & (nearest - 1) == 0:
        return lowest_kind(nearest)
    live_1, live_2, live_4 = count_live_binary(hand, table)
    return loneliest_kind(hand, mark_widest(hand, nearest, live_1, live_2, live_4, hand.void_suit, lookup))


@helper
def claim_what_helps(hand: Hand, table: Table, lookup: Lookup) -> int:
    """Return the action for a claim: a win, a kong that does no harm, a pung that brings the hand nearer, or a pass.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a claim; left as it was.
    table : Table, read
        What everybody sees.
    lookup : Lookup, read
        Hand tables.
    """
    action = win_or_kong(hand, lookup)
    if action != NONE:
        return action
    if hand.legal_pung and does_pung_help(hand, table.tile, lookup):
        return PUNG_ACTION
    return PASS_ACTION
