"""Reading the table: where hidden tiles can be, and how many of them come to light.

A tile that nobody has seen is in the wall or in a hand. A player who has thrown a tile of another suit has cleared the
own void suit, so no tile of that suit is in that hand: the more opponents call a suit void, the more of it is left in
the wall, and the tiles of it that they draw are thrown at once. The strongest public Blood Battle programs know the
extreme case as the single lane: a suit that all three others call void. A *reading* is six numbers: for each suit the
hidden places where a tile of it can be, and for each suit how many of the tiles that the others draw, for one of the
own, are thrown. Not in here: what a hand makes of it (`strategies.worth`), and danger (`strategies.danger`).
"""

import numpy as np

from sim.engine.hands.hand import KINDS, RANKS, SUITS, Hand
from sim.engine.sichuan.table import SEATS, Table
from strategies.compiling import helper, inlined_helper

Reading = tuple[float, float, float, float, float, float]

_HELD = 13
_USUALLY_THROWN = np.array([1.86, 1.44, 1.0])
"""Tiles that the others throw for one drawn, by players who have won, so that a wait is served that often."""
_KEPT_SUIT = 0.47
"""The share of useful tiles that an opponent throws in a suit that is not void; all of the void suit's are."""
_OPEN_SHARE = 0.25
"""The share of a cleared hand that still counts as a place for its void suit; 0 is true, this plays better with rates
that were measured over all suits."""


@helper
def read_nothing(table: Table) -> Reading:
    """Return the reading of a player who only counts: every hidden tile can be anywhere.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    """
    unseen = 4 * KINDS - _HELD
    for kind in range(KINDS):
        unseen -= table.seen[kind]
    places = float(max(1, unseen))
    thrown = float(_USUALLY_THROWN[min(SEATS - 2, table.count_wins)])
    return places, places, places, thrown, thrown, thrown


@inlined_helper
def has_cleared(table: Table, seat: int) -> bool:
    """Tell whether a seat has shown that its hand holds no tile of its void suit: it threw one of another suit.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    seat : int64, read
        The seat.
    """
    first = RANKS * table.void_suits[seat]
    others = 0
    for kind in range(KINDS):
        if not first <= kind < first + RANKS:
            others += table.thrown[seat, kind]
    return bool(others > 0)


@helper
def read_opponents(hand: Hand, table: Table) -> Reading:
    """Return what the void suits of the opponents tell.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    """
    places_0, places_1, places_2 = float(table.tiles_left), float(table.tiles_left), float(table.tiles_left)
    thrown_0, thrown_1, thrown_2 = 0.0, 0.0, 0.0
    for seat in range(SEATS):
        if seat == hand.seat:
            continue
        void_suit = table.void_suits[seat]
        held = float(_HELD - 3 * table.count_melds[seat])
        is_cleared = table.active[seat] == 0 or has_cleared(table, seat)
        open_part = _OPEN_SHARE * held if is_cleared else held
        places_0 += open_part if void_suit == 0 else held
        places_1 += open_part if void_suit == 1 else held
        places_2 += open_part if void_suit == 2 else held
        if table.active[seat]:
            thrown_0 += 1.0 if void_suit == 0 else _KEPT_SUIT
            thrown_1 += 1.0 if void_suit == 1 else _KEPT_SUIT
            thrown_2 += 1.0 if void_suit == 2 else _KEPT_SUIT
    return max(1.0, places_0), max(1.0, places_1), max(1.0, places_2), thrown_0, thrown_1, thrown_2


@inlined_helper
def chance_of_draw(reading: Reading, suit: int) -> float:
    """Return the chance that the next tile drawn is a certain live tile of a suit.

    Parameters
    ----------
    reading : tuple of 6 float64, read
        The reading.
    suit : int64, read
        The suit.
    """
    return 1.0 / reading[suit]


@inlined_helper
def thrown_for_each(reading: Reading, suit: int) -> float:
    """Return how many tiles of a suit the others throw for each that the player draws.

    Parameters
    ----------
    reading : tuple of 6 float64, read
        The reading.
    suit : int64, read
        The suit.
    """
    return reading[SUITS + suit]
