"""Newcomers against fixed opponents, simulated: how fast a rating converges, and how much it goes on moving.

The order of a game is drawn so that one player beats another with the odds that Elo's curve gives for the difference of
their skills (400 points are 10 to 1), whatever the rating system believes: each finishes after an exponential time
with rate 10^(skill/400), which is the Plackett-Luce model. Places are distinct.
"""

import math

import numpy as np

from sim.jit import Floats, Floats2, Ints
from sim.ladder.compiling import driver, inlined
from sim.ladder.ratings.layout import GAMES, PARTS, PLAYERS, RATING, STATE
from sim.ladder.ratings.update import update
from sim.rng import advance_state, mix, stream_start, uniform_of


@inlined
def draw_order(rates: Floats, state: np.uint64, times: Floats, points: Ints) -> np.uint64:
    """Draw the order of a game, and return the stream's next state.

    Parameters
    ----------
    rates : float64 array, read
        Strengths of the four.
    state : uint64, read
        State of the random stream.
    times : float64 array, filled
        Scratch.
    points : int64 array, filled
        3 for the first, 0 for the last.
    """
    for player in range(PLAYERS):
        state = advance_state(state)
        times[player] = -math.log(uniform_of(mix(state))) / rates[player]
    for player in range(PLAYERS):
        points[player] = 0
        for other in range(PLAYERS):
            points[player] += times[other] > times[player]
    return state


@driver
def play_newcomers(
    system: int, parameters: Floats, skills: Floats, states: Floats2, seed: int, ratings: Floats2, finals: Floats2
) -> None:
    """Let newcomers play a row of games each, always against the same three opponents, whose states stay as they are.

    Parameters
    ----------
    system : int64, read
        ELO, TENHOU, GLICKO2 or PLACKETT_LUCE.
    parameters : float64 array, read
        Its parameters.
    skills : float64 array, read
        True skills, in points of Elo: of the newcomers, and of the three opponents.
    states : float64 array (4, STATE), read
        A newcomer's state, and those of the three opponents.
    seed : int64, read
        Everything random follows from it and the newcomer's number.
    ratings : float64 array (newcomers, games + 1), filled
        Each newcomer's rating before each game and after the last.
    finals : float64 array (newcomers, STATE), filled
        Each newcomer's state at the end.
    """
    rates = 10.0 ** (skills / 400.0)
    table = np.empty((PLAYERS, STATE))
    own = np.empty(STATE)
    parts = np.empty((PLAYERS, PARTS))
    later = np.empty((PLAYERS, 2))
    times = np.empty(PLAYERS)
    points = np.empty(PLAYERS, dtype=np.int64)
    for newcomer in range(ratings.shape[0]):
        stream = stream_start(np.uint64(seed), newcomer)
        own[:] = states[0]
        for game in range(ratings.shape[1] - 1):
            ratings[newcomer, game] = own[RATING]
            stream = draw_order(rates, stream, times, points)
            table[:] = states
            table[0] = own
            update(system, parameters, table, points, parts, later)
            own[:] = table[0]
        ratings[newcomer, ratings.shape[1] - 1] = own[RATING]
        own[GAMES] = states[0, GAMES] + ratings.shape[1] - 1
        finals[newcomer] = own
