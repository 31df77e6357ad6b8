"""A player's hand: its tiles, its melds, and what is kept up to date with them (rules, chapter 1).

Everything here is what the player sees and nobody else does. Not in here: what the table sees
(`sim.engine.sichuan.table`), and what a hand is worth.
"""

from typing import Annotated

import numpy as np

from sim.jit import Floats, Ints, inlined, record
from sim.rng import advance_state, is_biased, mix, scale

KINDS = 27
SUITS = 3
RANKS = 9
ALL_KINDS = (1 << KINDS) - 1
SUIT_KINDS = (1 << RANKS) - 1
"""Mask of the nine kinds of the first suit; shift it by 9 times the suit for the others."""
NONE = -1
"""No kind, no seat, no suit."""

PUNG, CONCEALED_KONG, EXPOSED_KONG, ADDED_KONG = 0, 1, 2, 3
"""Forms of a meld."""
MELD_FORMS = ("pung", "concealed", "exposed", "added")

POWERS = np.array([5**rank for rank in range(RANKS)], dtype=np.int64)
"""Weight of one tile of each rank in a suit's base-5 key."""


@record
class Hand:
    """One player's tiles and what only that player knows.

    Masks are int64 with bit k standing for kind k; suits are 0 to 2, kinds 9 * suit + rank - 1.
    """

    seat: int
    """Seat of this hand, 0 to 3; seat 0 is the dealer."""
    counts: Annotated[Ints, KINDS]
    """Concealed tiles of each kind, 0 to 4."""
    at_least: Annotated[Ints, 4]
    """Mask of the kinds of which at least 1, 2, 3, 4 concealed tiles are held."""
    keys: Annotated[Ints, SUITS]
    """Base-5 key of each suit's concealed tiles: the sum of counts[9 * suit + r] * 5 ** r."""
    sizes: Annotated[Ints, SUITS]
    """Concealed tiles of each suit."""
    count_melds: int
    """Declared groups, 0 to 4."""
    meld_kinds: Annotated[Ints, 4]
    """Kind of each meld."""
    meld_forms: Annotated[Ints, 4]
    """Form of each meld: PUNG, CONCEALED_KONG, EXPOSED_KONG, ADDED_KONG."""
    pungs: int
    """Mask of the kinds of own pungs (not yet added to)."""
    kongs: int
    """Mask of the kinds of own kongs of all forms."""
    void_suit: int
    """The own void suit, NONE before it is chosen."""
    drawn: int
    """Kind just drawn in this turn, NONE if none (the dealer's first turn, after a pung, between turns)."""
    given: Annotated[Ints, 4]
    """Kinds given away in the exchange, NONE where unused."""
    received: Annotated[Ints, 4]
    """Kinds received in the exchange, NONE where unused."""
    win_locked: int
    """1 while no discard may be won on and no kong robbed, after passing a win."""
    pung_locked: int
    """Mask of the kinds that may not be punged, after passing a pung."""
    suit_order: Annotated[Ints, SUITS]
    """The suits ordered by the hand as dealt: a neutral order for breaking ties, since it follows any relabelling of
    the suits. Loops over kinds that keep the first best should go through the suits in this order."""
    legal_win: int
    """1 if winning is legal in the decision now asked."""
    legal_pung: int
    """1 if claiming a pung is legal in the decision now asked."""
    legal_kongs: int
    """Mask of the kinds of which a kong is legal in the decision now asked."""
    legal_discards: int
    """Mask of the kinds whose discard is legal in the decision now asked; 0 in a claim."""
    lots: np.uint64
    """State of the seat's own random stream (`sim.rng`)."""
    parameters: Annotated[Floats, 16]
    """The strategy's parameters."""
    memory: Annotated[Ints, 32]
    """What the strategy wants to remember within this deal; zero at its start."""


@inlined
def add_tile(hand: Hand, kind: int) -> None:
    """Put a tile into the concealed part of a hand.

    Parameters
    ----------
    hand : Hand, changed
        The hand; all derived fields follow.
    kind : int64, read
        The tile's kind, 0 to 26.
    """
    count = hand.counts[kind]
    hand.counts[kind] = count + 1
    hand.at_least[count] |= 1 << kind
    suit = kind // RANKS
    hand.keys[suit] += POWERS[kind - RANKS * suit]
    hand.sizes[suit] += 1


@inlined
def remove_tile(hand: Hand, kind: int) -> None:
    """Take a tile out of the concealed part of a hand.

    Parameters
    ----------
    hand : Hand, changed
        The hand, which holds such a tile; all derived fields follow.
    kind : int64, read
        The tile's kind, 0 to 26.
    """
    count = hand.counts[kind] - 1
    hand.counts[kind] = count
    hand.at_least[count] &= ~(1 << kind)
    suit = kind // RANKS
    hand.keys[suit] -= POWERS[kind - RANKS * suit]
    hand.sizes[suit] -= 1


@inlined
def is_cleared(hand: Hand) -> bool:
    """Tell whether a hand holds no concealed tile of its own void suit (rules, chapter 1).

    Parameters
    ----------
    hand : Hand, read
        The hand, its void suit chosen.
    """
    return bool(hand.sizes[hand.void_suit] == 0)


@inlined
def kinds_of_suit(suit: int) -> int:
    """Return the mask of a suit's nine kinds.

    Parameters
    ----------
    suit : int64, read
        The suit, 0 to 2.
    """
    return SUIT_KINDS << (RANKS * suit)


@inlined
def count_kinds(mask: int) -> int:
    """Return how many kinds a mask holds.

    Parameters
    ----------
    mask : int64, read
        Bit k stands for kind k, 0 to 26.
    """
    # LLVM knows this form with 64-bit constants as one population count, and `lowest_kind` as one count of zeros.
    half = mask - ((mask >> 1) & 0x5555555555555555)
    quarter = (half & 0x3333333333333333) + ((half >> 2) & 0x3333333333333333)
    return ((((quarter + (quarter >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56) & 0xFF


@inlined
def lowest_kind(mask: int) -> int:
    """Return the lowest kind of a mask that is not empty.

    Parameters
    ----------
    mask : int64, read
        Bit k stands for kind k, 0 to 26.
    """
    return count_kinds((mask & -mask) - 1)


@inlined
def draw_lot(hand: Hand, bound: int) -> int:
    """Draw a number below a bound from the seat's own stream, each equally likely.

    Parameters
    ----------
    hand : Hand, changed
        The hand whose stream moves on.
    bound : int64, read
        The bound, 1 to 2**31.
    """
    hand.lots = advance_state(hand.lots)
    word = mix(hand.lots)
    while is_biased(word, bound):
        hand.lots = advance_state(hand.lots)
        word = mix(hand.lots)
    return scale(word, bound)
