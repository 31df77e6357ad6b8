"""The rating R of Tenhou: points by place, and a pull towards the table's mean.

ΔR = f · (P + (table mean - R) / spread), with P +30, +10, -10, -30 by place, players with equal points sharing the sum
of their places, and f = 1 - 0.002 · games for a player's first 400 games, then 0.2.

A table is zero-sum if all four have the same f and the four P add up to 0. The part of a change that the last f would
not have given, and what the four P add up to, is `CREATED`.
"""

from sim.jit import Floats, Floats2, Ints
from sim.ladder.compiling import inlined, kernel
from sim.ladder.ratings.layout import CHANGE, CREATED, GAMES, PLAYERS, RATING, count_better, count_equal

FIRST, SECOND, THIRD, FOURTH, FADE, FADE_GAMES, LAST_WEIGHT, SPREAD = 2, 3, 4, 5, 6, 7, 8, 9
"""Parameters: P of the four places, how much f falls each game and for how many games, f afterwards, the spread."""


@inlined
def weight_of(parameters: Floats, games: float) -> float:
    """Return f, the weight of a player's next game.

    Parameters
    ----------
    parameters : float64 array, read
        Parameters of the system.
    games : float64, read
        Games rated so far.
    """
    if games < parameters[FADE_GAMES]:
        return max(1.0 - float(parameters[FADE]) * games, float(parameters[LAST_WEIGHT]))
    return float(parameters[LAST_WEIGHT])


@kernel
def rate_tenhou(parameters: Floats, states: Floats2, points: Ints, parts: Floats2) -> None:
    """Rate a table by Tenhou's R. Ratings are moved by the caller (`sim.ladder.ratings.update`).

    Parameters
    ----------
    parameters : float64 array, read
        Parameters of the system.
    states : float64 array (4, STATE), read
        States before the game.
    points : int64 array, read
        Points of the four, or anything that orders them.
    parts : float64 array (4, PARTS), filled
        CHANGE and CREATED of each.
    """
    mean = 0.0
    given = 0.0
    for player in range(PLAYERS):
        mean += states[player, RATING]
        given += parameters[FIRST + player]
    mean /= PLAYERS
    given /= PLAYERS
    for player in range(PLAYERS):
        place, sharing = count_better(points, player), count_equal(points, player)
        bonus = 0.0
        for shared in range(place, place + sharing):
            bonus += parameters[FIRST + shared]
        bonus /= sharing
        pull = (mean - states[player, RATING]) / parameters[SPREAD]
        change = weight_of(parameters, states[player, GAMES]) * (bonus + pull)
        parts[player, CHANGE] = change
        parts[player, CREATED] = change - parameters[LAST_WEIGHT] * (bonus - given + pull)
