"""Pairwise Elo: a table is six games of two, and each player's change is the mean over the three opponents.

ΔRᵢ = Kᵢ/3 · Σⱼ (Sᵢⱼ - 1/(1 + 10^((Rⱼ - Rᵢ)/scale))), with S 1, 1/2 or 0 by points. Kᵢ is `k_provisional` in a player's
first `provisional_games` games, and `k` afterwards.

With equal K each table is zero-sum. The part of a change that `k` would not have given is `CREATED`.
"""

import math
from typing import Final

from sim.jit import Floats, Floats2, Ints
from sim.ladder.compiling import inlined, kernel
from sim.ladder.ratings.layout import CHANGE, CREATED, GAMES, PLAYERS, RATING, score_of

K, K_PROVISIONAL, PROVISIONAL, SCALE = 2, 3, 4, 5
"""Parameters: K, K while provisional, games for which that is, points that make the odds 10 to 1."""

LN_10: Final = math.log(10.0)


@inlined
def expected_score(difference: float, scale: float) -> float:
    """Return the expected score of a player against one rated `difference` lower.

    Parameters
    ----------
    difference : float64, read
        Own rating less the other's.
    scale : float64, read
        Points that make the odds 10 to 1.
    """
    return 1.0 / (1.0 + math.exp(-difference * LN_10 / scale))


@kernel
def rate_elo(parameters: Floats, states: Floats2, points: Ints, parts: Floats2) -> None:
    """Rate a table by pairwise Elo. Ratings are moved by the caller (`sim.ladder.ratings.update`).

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
    for player in range(PLAYERS):
        parts[player, CHANGE] = 0.0
    for one in range(PLAYERS):
        for other in range(one + 1, PLAYERS):
            expected = expected_score(states[one, RATING] - states[other, RATING], parameters[SCALE])
            surprise = score_of(points[one], points[other]) - expected
            parts[one, CHANGE] += surprise
            parts[other, CHANGE] -= surprise
    for player in range(PLAYERS):
        is_provisional = states[player, GAMES] < parameters[PROVISIONAL]
        weight = parameters[K_PROVISIONAL] if is_provisional else parameters[K]
        surprise = parts[player, CHANGE] / (PLAYERS - 1)
        parts[player, CHANGE] = weight * surprise
        parts[player, CREATED] = (weight - parameters[K]) * surprise
