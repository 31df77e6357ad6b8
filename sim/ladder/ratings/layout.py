"""What all rating systems share: the row of a player, the parts of a change, the first parameters, places.

A player's *state* is a row of four numbers: the rating, two numbers that belong to the system, and the games rated so
far. What a game does to a rating comes in three *parts*, so that every point of a pool can be accounted for:

- `CHANGE`: what the rating moved by, the floor included;
- `CREATED`: the part of it that the table does not take from somebody else, since weights or deviations differ;
- `FLOORED`: the part of it that the floor gave.

At each table the sum of ``CHANGE - CREATED - FLOORED`` is 0, up to rounding.
"""

from typing import Final

from sim.jit import Ints
from sim.ladder.compiling import inlined

PLAYERS: Final = 4
"""Players at a table."""

RATING, SECOND, THIRD, GAMES = 0, 1, 2, 3
"""Columns of a state: rating, deviation and volatility where the system has them (0 elsewhere), games rated."""
STATE: Final = 4
"""Numbers in a state."""

CHANGE, CREATED, FLOORED = 0, 1, 2
"""Columns of what a game did to a rating."""
PARTS: Final = 3
"""Numbers in it."""

START, FLOOR = 0, 1
"""The first parameters of every system: the rating of a newcomer, and below what no rating falls."""
PARAMETERS: Final = 12
"""Length of a vector of parameters; what a system does not use is 0."""

ELO, TENHOU, GLICKO2, PLACKETT_LUCE = 0, 1, 2, 3
"""The systems by number."""

PROVISIONAL_GAMES: Final = 10
"""Games during which a rating is provisional (the mahjong-planet document)."""


@inlined
def score_of(points: int, other: int) -> float:
    """Return the score of one player against another: 1, 1/2 for equal points, 0.

    Parameters
    ----------
    points : int64, read
        Points of the one.
    other : int64, read
        Points of the other.
    """
    if points > other:
        return 1.0
    return 0.5 if points == other else 0.0


@inlined
def count_better(points: Ints, player: int) -> int:
    """Return how many players of a table have more points than one of them.

    Parameters
    ----------
    points : int64 array, read
        Points of the four.
    player : int64, read
        Which one, 0 to 3.
    """
    count = 0
    for other in range(PLAYERS):
        count += points[other] > points[player]
    return count


@inlined
def count_equal(points: Ints, player: int) -> int:
    """Return how many players of a table have as many points as one of them, that one included.

    Parameters
    ----------
    points : int64 array, read
        Points of the four.
    player : int64, read
        Which one, 0 to 3.
    """
    count = 0
    for other in range(PLAYERS):
        count += points[other] == points[player]
    return count
