"""Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013): rating, deviation and volatility.

Each game is one rating period of a player, with three results: against each of the other three, as they were before the
game. A player who does not play has no periods, so deviations do not grow with time off.

The three results of one table hang together (somebody who is first has beaten all three), which the published formulas
do not know. `weight` is how much each result counts. Among equals the score of a table has variance 5/4, three
independent results 3/4, so that 3/4 : 5/4 = 0.6, the default, makes deviations and volatilities say what they should.
With 1, the published formulas as they are, each table surprises the system, and over thousands of games volatilities
grow until ratings run away.

No deviation exceeds that of a newcomer, and no volatility the same number. Tables are not zero-sum; a quarter of what a
table adds up to is `CREATED` of each player.
"""

import math
from typing import Final

from sim.jit import Floats, Floats2, Ints
from sim.ladder.compiling import inlined, kernel
from sim.ladder.ratings.layout import CHANGE, CREATED, PLAYERS, RATING, SECOND, THIRD, score_of

DEVIATION, VOLATILITY, TAU, WEIGHT = 2, 3, 4, 5
"""Parameters: deviation and volatility of a newcomer, how much volatilities may change, weight of each result."""

GLICKO_SCALE: Final = 173.7178
"""Rating points in a unit of the formulas."""
_EXACT: Final = 1e-6
_MOST_STEPS: Final = 100


@inlined
def damping_of(deviation: float) -> float:
    """Return g: how much less a result says when the opponent's rating is not well known.

    Parameters
    ----------
    deviation : float64, read
        The opponent's deviation, in units of the formulas.
    """
    return 1.0 / math.sqrt(1.0 + 3.0 * deviation * deviation / (math.pi * math.pi))


@inlined
def slope_at(x: float, surprise: float, variance: float, own: float, start: float, tau: float) -> float:
    """Return f(x) of step 5, whose root is the logarithm of the new squared volatility.

    Parameters
    ----------
    x : float64, read
        Where.
    surprise : float64, read
        Δ², the squared improvement that the results ask for.
    variance : float64, read
        v, the variance of the rating as the results alone give it.
    own : float64, read
        φ², the squared deviation.
    start : float64, read
        a, the logarithm of the squared volatility so far.
    tau : float64, read
        How much volatilities may change.
    """
    power = math.exp(x)
    total = own + variance + power
    return power * (surprise - total) / (2.0 * total * total) - (x - start) / (tau * tau)


@kernel
def new_volatility(volatility: float, surprise: float, variance: float, own: float, tau: float) -> float:
    """Return the volatility after a period: step 5, by the Illinois method.

    Parameters
    ----------
    volatility : float64, read
        The volatility before.
    surprise : float64, read
        Δ².
    variance : float64, read
        v.
    own : float64, read
        φ².
    tau : float64, read
        How much volatilities may change.
    """
    start = math.log(volatility * volatility)
    low = start
    if surprise > own + variance:
        high = math.log(surprise - own - variance)
    else:
        steps = 1
        while slope_at(start - steps * tau, surprise, variance, own, start, tau) < 0.0 and steps < _MOST_STEPS:
            steps += 1
        high = start - steps * tau
    at_low = slope_at(low, surprise, variance, own, start, tau)
    at_high = slope_at(high, surprise, variance, own, start, tau)
    steps = 0
    while abs(high - low) > _EXACT and steps < _MOST_STEPS:
        steps += 1
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope_at(middle, surprise, variance, own, start, tau)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return math.exp(low / 2.0)


@kernel
def rate_glicko2(parameters: Floats, states: Floats2, points: Ints, parts: Floats2, later: Floats2) -> None:
    """Rate a table by Glicko-2. Ratings are moved by the caller (`sim.ladder.ratings.update`).

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
        Deviation and volatility of each after the game.
    """
    weight = parameters[WEIGHT]
    total = 0.0
    for player in range(PLAYERS):
        information = 0.0
        gained = 0.0
        for other in range(PLAYERS):
            if other != player:
                damping = damping_of(states[other, SECOND] / GLICKO_SCALE)
                difference = (states[player, RATING] - states[other, RATING]) / GLICKO_SCALE
                expected = 1.0 / (1.0 + math.exp(-damping * difference))
                information += weight * damping * damping * expected * (1.0 - expected)
                gained += weight * damping * (score_of(points[player], points[other]) - expected)
        variance = 1.0 / max(information, 1e-12)  # of two ratings worlds apart nothing is learnt
        own = (states[player, SECOND] / GLICKO_SCALE) ** 2
        surprise = (variance * gained) ** 2
        volatility = new_volatility(states[player, THIRD], surprise, variance, own, parameters[TAU])
        volatility = min(volatility, parameters[DEVIATION] / GLICKO_SCALE)
        square = 1.0 / (1.0 / (own + volatility * volatility) + 1.0 / variance)
        parts[player, CHANGE] = GLICKO_SCALE * square * gained
        later[player, 0] = min(GLICKO_SCALE * math.sqrt(square), parameters[DEVIATION])
        later[player, 1] = volatility
        total += parts[player, CHANGE]
    for player in range(PLAYERS):
        parts[player, CREATED] = total / PLAYERS
