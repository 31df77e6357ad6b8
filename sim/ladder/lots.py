"""Random numbers of the ladder, as pure functions of a stream's state: uniform, exponential, normal, log-normal.

A stream belongs to a player (sessions, rests, quitting), to a group (newcomers), or to a seat of a deal (think times,
disconnections), so that what one does never changes what another draws.
"""

import math

import numpy as np

from sim.ladder.compiling import inlined
from sim.rng import advance_state, mix, uniform_of

THINK_STREAM, DROP_STREAM, SEAT_STREAM, PLAYER_STREAM, GROUP_STREAM, PRICE_STREAM = 16, 32, 48, 49, 50, 51
"""What a stream is for; those of a wall seed come after the engine's own, each with one stream a seat."""


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
def draw_log_normal(state: np.uint64, median: float, spread: float) -> tuple[np.uint64, int]:
    """Draw a log-normal time (Box and Muller 1958), and return the stream's next state and the time.

    Parameters
    ----------
    state : uint64, read
        State of the stream.
    median : float64, read
        Median time.
    spread : float64, read
        Standard deviation of the logarithm.
    """
    state = advance_state(state)
    radius = math.sqrt(-2.0 * math.log(uniform_of(mix(state))))
    state = advance_state(state)
    normal = radius * math.cos(2.0 * math.pi * uniform_of(mix(state)))
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
