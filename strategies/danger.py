"""How dangerous a discard is, from what everybody sees.

The cost of a discard to one opponent is a product of factors: how many tiles outside the void suit that seat has thrown
(whoever throws those has cleared the void suit and may be ready), its melds in the tile's suit and in others, whether
it threw the same kind, how much of the suit it threw, the tile's rank and its copies unseen. A tile of the opponent's
void suit costs nothing. Modelled on the danger scores of public Blood Battle programs (a suit never thrown, an open
meld in it, few copies unseen); the factors are fitted to 16,000 deals of `value` against itself, so that the product is
points: among discards that are said to cost 0.03, 0.17 or 1.25 points the mean was 0.03, 0.16 and 1.27. Not in here:
what the discard is worth to the own hand (`strategies.worth`).
"""

import numpy as np

from sim.engine.hands.hand import RANKS, SUITS, Hand
from sim.engine.sichuan.table import SEATS, Table
from strategies.compiling import helper, inlined_helper

_BY_THROWN = np.array([0.001, 0.017, 0.042, 0.081, 0.134, 0.204, 0.298, 0.404, 0.538, 0.671, 0.863, 1.237])
"""Points, by tiles outside its void suit that the seat has thrown."""
_BY_MELDS = np.array([[1.0, 0.94, 1.26, 1.4], [1.31, 1.25, 2.38, 2.4], [2.17, 2.2, 3.43, 3.43], [4.4, 4.4, 4.4, 4.4]])
"""Factor, by melds in the suit and by other melds."""
_BY_SAME = np.array([1.0, 0.106, 0.024])
"""Factor, by tiles of the same kind that the seat has thrown."""
_BY_SUIT = np.array([1.0, 1.33, 1.13, 0.93, 0.76, 0.6, 0.4])
"""Factor, by tiles of the suit that the seat has thrown."""
_BY_RANK = np.array([0.94, 0.88, 0.95, 0.98, 1.0])
"""Factor, by distance from the nearer end of the suit."""
_BY_UNSEEN = np.array([0.43, 0.5, 0.75, 1.0])
"""Factor, by copies that the player has not seen besides the one held."""


@inlined_helper
def count_thrown(table: Table, seat: int, suit: int) -> int:
    """Return how many tiles of a suit a seat has thrown.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    seat : int64, read
        The seat.
    suit : int64, read
        The suit.
    """
    thrown = 0
    for kind in range(RANKS * suit, RANKS * suit + RANKS):
        thrown += int(table.thrown[seat, kind])
    return thrown


@helper
def danger_of(hand: Hand, table: Table, kind: int) -> float:
    """Return what discarding a tile can be expected to cost, in points.

    Parameters
    ----------
    hand : Hand, read
        The player's hand, which holds the tile.
    table : Table, read
        What everybody sees.
    kind : int64, read
        The tile's kind.
    """
    suit, rank = kind // RANKS, kind % RANKS
    unseen = max(0, min(3, int(4 - hand.counts[kind] - table.seen[kind])))
    danger = 0.0
    for seat in range(SEATS):
        void_suit = table.void_suits[seat]
        if seat == hand.seat or table.active[seat] == 0 or suit == void_suit:
            continue
        in_suit = count_thrown(table, seat, suit)
        others = count_thrown(table, seat, SUITS - suit - void_suit)
        melds_in_suit, other_melds = 0, 0
        for meld in range(table.count_melds[seat]):
            meld_kind = table.meld_kinds[seat, meld]
            if meld_kind >= 0 and meld_kind // RANKS == suit:
                melds_in_suit += 1
            else:
                other_melds += 1
        danger += (
            _BY_THROWN[min(in_suit + others, 11)]
            * _BY_MELDS[min(melds_in_suit, 3), min(other_melds, 3)]
            * _BY_SUIT[min(in_suit, 6)]
            * _BY_SAME[min(table.thrown[seat, kind], 2)]
        )
    return float(danger * _BY_RANK[min(rank, RANKS - 1 - rank)] * _BY_UNSEEN[unseen])
