"""Random numbers of the ladder, as pure functions of a stream's state: uniform, exponential, normal, log-normal.

A stream belongs to a player (sessions, rests, quitting), to a group (newcomers), or to a seat of a deal (think times,
disconnections), so that what one does never changes what another draws.
"""

import math
from statistics import NormalDist

import numpy as np

from sim.ladder.compiling import inlined
from sim.rng import advance_state, mix, uniform_of

THINK_STREAM, DROP_STREAM, SEAT_STREAM, PLAYER_STREAM, GROUP_STREAM, PRICE_STREAM = 16, 32, 48, 49, 50, 51
"""What a stream is for; those of a wall seed come after the engine's own, each with one stream a seat."""
CELLS: int = 1024
"""Cells of the same probability into which the normal distribution is cut."""
EDGES = np.array([0.0, *(NormalDist().inv_cdf(cell / CELLS) for cell in range(1, CELLS)), 0.0])
"""Where they meet; the first and the last cell have no outer edge."""


@inlined
def draw_exponential(state: np.uint64, mean: float) -> tuple[np.uint64, int]:
    """Draw an exponential time, and return the stream's next state and the time in whole milliseconds.

    Parameters
    ----------
    state : uint64, read
        State of the stream.
    mean : float64, read
        Mean time.
    """
    state = advance_state(state)
    return state, int(-math.log(uniform_of(mix(state))) * mean)


@inlined
def draw_normal(state: np.uint64) -> tuple[np.uint64, float]:
    """Draw a number from the standard normal distribution, and return the stream's next state and the number.

    A cell is drawn and a place in it, as if its density were even, which is off by less than 0.0001 of probability; the
    two outer cells are drawn exactly (Marsaglia 1964). It takes half the time of a logarithm and a cosine, and a deal
    on the clock has a hundred of them.

    Parameters
    ----------
    state : uint64, read
        State of the stream.
    """
    state = advance_state(state)
    place = uniform_of(mix(state)) * CELLS
    cell = min(int(place), CELLS - 1)
    if 0 < cell < CELLS - 1:
        return state, EDGES[cell] + (place - cell) * (EDGES[cell + 1] - EDGES[cell])
    edge = EDGES[CELLS - 1]
    beyond, height = 1.0, 0.0
    while 2.0 * height <= beyond * beyond:
        state = advance_state(state)
        beyond = -math.log(uniform_of(mix(state))) / edge
        state = advance_state(state)
        height = -math.log(uniform_of(mix(state)))
    return state, edge + beyond if cell else -edge - beyond


@inlined
def draw_log_normal(state: np.uint64, median: float, spread: float) -> tuple[np.uint64, int]:
    """Draw a log-normal time, and return the stream's next state and the time.

    Parameters
    ----------
    state : uint64, read
        State of the stream.
    median : float64, read
        Median time.
    spread : float64, read
        Standard deviation of the logarithm.
    """
    state, normal = draw_normal(state)
    return state, int(median * math.exp(min(spread * normal, 20.0)))


@inlined
def draw_count(state: np.uint64, mean: float) -> tuple[np.uint64, int]:
    """Draw a geometric number, 1 or more, and return the stream's next state and the number.

    Parameters
    ----------
    state : uint64, read
        State of the stream.
    mean : float64, read
        Its mean, 1 or more.
    """
    state = advance_state(state)
    if mean <= 1.0:
        return state, 1
    return state, 1 + int(math.log(uniform_of(mix(state))) / math.log(1.0 - 1.0 / mean))
