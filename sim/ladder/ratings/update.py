"""The one way in: rate a table by whatever system, and what newcomers begin with.

A loop that rates tables holds the states of all players in one array, copies four rows into `states`, calls `update`
and copies them back. `parts` and `later` are scratch that it makes once.
"""

import numpy as np

from sim.jit import Floats, Floats2, Ints, Ints2
from sim.ladder.compiling import Floats3, driver, kernel
from sim.ladder.ratings.elo import rate_elo
from sim.ladder.ratings.glicko2 import VOLATILITY, rate_glicko2
from sim.ladder.ratings.layout import (
    CHANGE,
    ELO,
    FLOOR,
    FLOORED,
    GAMES,
    GLICKO2,
    PARTS,
    PLACKETT_LUCE,
    PLAYERS,
    RATING,
    SECOND,
    START,
    STATE,
    TENHOU,
    THIRD,
)
from sim.ladder.ratings.plackett_luce import DEVIATION, rate_plackett_luce
from sim.ladder.ratings.tenhou import rate_tenhou


@kernel
def begin(system: int, parameters: Floats, state: Floats) -> None:
    """Give a player what a newcomer has.

    Parameters
    ----------
    system : int64, read
        ELO, TENHOU, GLICKO2 or PLACKETT_LUCE.
    parameters : float64 array, read
        Its parameters.
    state : float64 array (STATE), filled
        The player's row.
    """
    state[RATING] = parameters[START]
    state[SECOND] = parameters[DEVIATION] if system in {GLICKO2, PLACKETT_LUCE} else 0.0
    state[THIRD] = parameters[VOLATILITY] if system == GLICKO2 else 0.0
    state[GAMES] = 0.0


@kernel
def update(system: int, parameters: Floats, states: Floats2, points: Ints, parts: Floats2, later: Floats2) -> None:
    """Rate a table: move the states of its four players by their points.

    Parameters
    ----------
    system : int64, read
        ELO, TENHOU, GLICKO2 or PLACKETT_LUCE.
    parameters : float64 array, read
        Its parameters.
    states : float64 array (4, STATE), changed
        The four players' rows.
    points : int64 array, read
        Points of the four; equal points share a place. Anything else that orders them will do.
    parts : float64 array (4, PARTS), filled
        What the game did to each rating: CHANGE, CREATED, FLOORED.
    later : float64 array (4, 2), filled
        Scratch.
    """
    if system == ELO:
        rate_elo(parameters, states, points, parts)
    elif system == TENHOU:
        rate_tenhou(parameters, states, points, parts)
    elif system == GLICKO2:
        rate_glicko2(parameters, states, points, parts, later)
    else:
        rate_plackett_luce(parameters, states, points, parts, later)
    for player in range(PLAYERS):
        rating = states[player, RATING] + parts[player, CHANGE]
        raised = max(parameters[FLOOR] - rating, 0.0)
        parts[player, FLOORED] = raised
        parts[player, CHANGE] += raised
        states[player, RATING] = max(rating, parameters[FLOOR])
        states[player, GAMES] += 1.0
        if system in {GLICKO2, PLACKETT_LUCE}:
            states[player, SECOND] = later[player, 0]
            states[player, THIRD] = later[player, 1]


@driver
def rate_stream(
    system: int,
    parameters: Floats,
    players: Ints2,
    points: Ints2,
    order: Ints,
    states: Floats2,
    before: Floats2,
    parts: Floats3,
) -> None:
    """Rate a recorded stream of games, one after the other.

    Parameters
    ----------
    system : int64, read
        ELO, TENHOU, GLICKO2 or PLACKETT_LUCE.
    parameters : float64 array, read
        Its parameters.
    players : int64 array (games, 4), read
        Who played each game: rows of `states`, four different ones.
    points : int64 array (games, 4), read
        Their points.
    order : int64 array, read
        Which games to rate, in this order.
    states : float64 array (players, STATE), changed
        All players' rows.
    before : float64 array (games, 4), filled
        The ratings before each game; without rows neither these nor the parts are kept.
    parts : float64 array (games, 4, PARTS), filled
        What each game did to each rating.
    """
    table = np.empty((PLAYERS, STATE))
    scratch = np.empty((PLAYERS, PARTS))
    later = np.empty((PLAYERS, 2))
    result = np.empty(PLAYERS, dtype=np.int64)
    is_kept = before.shape[0] > 0
    for game in order:
        for place in range(PLAYERS):
            result[place] = points[game, place]
            for column in range(STATE):
                table[place, column] = states[players[game, place], column]
            if is_kept:
                before[game, place] = table[place, RATING]
        update(system, parameters, table, result, scratch, later)
        for place in range(PLAYERS):
            for column in range(STATE):
                states[players[game, place], column] = table[place, column]
            if is_kept:
                for part in range(PARTS):
                    parts[game, place, part] = scratch[place, part]


@driver
def rate_orders(
    system: int,
    parameters: Floats,
    players: Ints2,
    points: Ints2,
    orders: Ints2,
    states: Floats2,
    finals: Floats2,
) -> None:
    """Rate the same games in several orders, each from the same beginning.

    Parameters
    ----------
    system : int64, read
        ELO, TENHOU, GLICKO2 or PLACKETT_LUCE.
    parameters : float64 array, read
        Its parameters.
    players : int64 array (games, 4), read
        Who played each game.
    points : int64 array (games, 4), read
        Their points.
    orders : int64 array (orders, games), read
        The orders.
    states : float64 array (players, STATE), read
        Everybody's state at the beginning.
    finals : float64 array (orders, players), filled
        Everybody's rating at the end.
    """
    none = np.empty((0, PLAYERS))
    nothing = np.empty((0, PLAYERS, PARTS))
    for row in range(orders.shape[0]):
        own = states.copy()
        rate_stream(system, parameters, players, points, orders[row], own, none, nothing)
        finals[row] = own[:, RATING]
