"""Plackett-Luce by Weng and Lin ("A Bayesian approximation method for online ranking", 2011, algorithm 4).

The order of a table is a row of choices: who is first among four, who is next among the three others, and so on, each
in proportion to exp(μ/c), with c² = Σ (σ² + β²). Ratings move along the slope of the order's log-likelihood, deviations
along its curvature:

μᵢ += σᵢ²/c · Ωᵢ,  σᵢ² *= max(1 - σᵢ³/c³ · Δᵢ, κ),  Ωᵢ = Σ over choices (1 if chosen, else 0) - pᵢ,  Δᵢ = Σ pᵢ(1 - pᵢ).

**Ties.** Players with equal points could stand in any order among themselves: Ω and Δ are the means over all orders
that the places allow. So tied players with equal states change alike, a table of two is Elo's with score 1/2, ΣΩ is 0,
and a tie above or below changes nothing for a player among equals. (The paper gives a tied group the weight of *one*
choice instead: of four equals placed 1, 1, 2, 3 the third then gains as much as the two winners. openskill 6.2 does
the same.)

**Scale.** State and parameters are in rating points. The formulas do not change when μ, deviation, β and τ are all
multiplied by one number, so this is the usual system with rating = 1500 + 20.847 · (μ - 25): deviation 25/3 is 173.72,
β 25/6 is 86.86, τ 25/300 is 1.737. With small deviations c is 2β, so that β = 200/ln 10 makes 400 points odds of 10 to
1, as in Elo.
"""

import math

import numpy as np

from sim.jit import Floats, Floats2, Ints
from sim.ladder.compiling import inlined, kernel
from sim.ladder.ratings.layout import CHANGE, CREATED, PLAYERS, RATING, SECOND

DEVIATION, BETA, TAU, KAPPA = 2, 3, 4, 5
"""Parameters: deviation of a newcomer, spread of one game, growth of the deviation each game, least share kept."""


@inlined
def is_possible(points: Ints, gone: int) -> bool:
    """Tell whether some order that the places allow begins with exactly the players of a set.

    Parameters
    ----------
    points : int64 array, read
        Points of the four.
    gone : int64, read
        The set, a mask.
    """
    for inside in range(PLAYERS):
        if gone >> inside & 1:
            for outside in range(PLAYERS):
                if not gone >> outside & 1 and points[outside] > points[inside]:
                    return False
    return True


@inlined
def share_of_orders(points: Ints, gone: int) -> float:
    """Return in what share of the orders that the places allow a possible set of players comes first.

    Parameters
    ----------
    points : int64 array, read
        Points of the four.
    gone : int64, read
        The set, a mask; somebody is not in it.
    """
    most = np.int64(-(2**62))
    for player in range(PLAYERS):
        if not gone >> player & 1:
            most = max(most, points[player])
    tied, inside = 0, 0
    for player in range(PLAYERS):
        if points[player] == most:
            tied += 1
            inside += gone >> player & 1
    share = 1.0
    for step in range(inside):  # 1 / (tied over inside)
        share = share * (step + 1) / (tied - step)
    return share


@kernel
def rate_plackett_luce(parameters: Floats, states: Floats2, points: Ints, parts: Floats2, later: Floats2) -> None:
    """Rate a table by Plackett-Luce. Ratings are moved by the caller (`sim.ladder.ratings.update`).

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
    later : float64 array (4, 2), filled
        Deviation of each after the game, and until then the strength; then 0.
    """
    square = 0.0
    highest = states[0, RATING]
    for player in range(PLAYERS):
        square += states[player, SECOND] ** 2 + parameters[TAU] ** 2 + parameters[BETA] ** 2
        highest = max(highest, states[player, RATING])
    spread = math.sqrt(square)
    for player in range(PLAYERS):
        later[player, 0] = 0.0  # Δ
        later[player, 1] = math.exp((states[player, RATING] - highest) / spread)
        parts[player, CHANGE] = 1.0  # Ω
    for gone in range((1 << PLAYERS) - 1):
        if is_possible(points, gone):
            share = share_of_orders(points, gone)
            strength = 0.0
            for player in range(PLAYERS):
                if not gone >> player & 1:
                    strength += later[player, 1]
            for player in range(PLAYERS):
                if not gone >> player & 1:
                    chance = later[player, 1] / strength
                    parts[player, CHANGE] -= share * chance
                    later[player, 0] += share * chance * (1.0 - chance)
    total = 0.0
    for player in range(PLAYERS):
        deviation = math.sqrt(states[player, SECOND] ** 2 + parameters[TAU] ** 2)
        ratio = deviation / spread
        parts[player, CHANGE] *= deviation * ratio
        kept = max(1.0 - later[player, 0] * ratio * ratio * ratio, parameters[KAPPA])
        later[player, 0] = deviation * math.sqrt(kept)
        later[player, 1] = 0.0
        total += parts[player, CHANGE]
    for player in range(PLAYERS):
        parts[player, CREATED] = total / PLAYERS
