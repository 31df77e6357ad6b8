"""Counter-based random streams: every number is a pure function of who asks and what for.

A *wall seed* is a pure function of (root seed, wall index); the shuffle and the exchange direction come from streams of
the wall seed alone, so that every seating of a wall and every preset shares them; a seat's own lots come from (wall
seed, seating, seat). The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", 2014): state += GOLDEN, output = mix(state). Stream starts are mixed twice, so neighbouring identities are
unrelated.
"""

import numpy as np

from sim.jit import inlined, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S12 = np.uint64(12)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_S1 = np.uint64(1)
_LOW_32 = np.uint64(0xFFFFFFFF)

WALL_STREAM, DIRECTION_STREAM, LOTS_STREAM = 1, 2, 3
"""What a stream is for; each seat's lots have a stream of their own by seating and seat."""


@inlined
def mix(state: np.uint64) -> np.uint64:
    """Return a state's output: a bijection of 64-bit words in which every bit depends on every bit.

    Parameters
    ----------
    state : uint64, read
        The state.
    """
    word = (state ^ (state >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def stream_start(identity: np.uint64, stream: int) -> np.uint64:
    """Return the first state of a stream.

    Parameters
    ----------
    identity : uint64, read
        Whose stream: a seed.
    stream : int64, read
        Which of its streams.
    """
    return mix(mix(identity + GOLDEN) ^ (np.uint64(stream) * _MIX_1 + GOLDEN))


@kernel
def wall_seed_of(root_seed: int, wall: int) -> int:
    """Return the wall seed of a wall of a run.

    Parameters
    ----------
    root_seed : int64, read
        The run's seed.
    wall : int64, read
        Index of the wall in the run, from 0.
    """
    return int(stream_start(mix(np.uint64(root_seed) + GOLDEN), wall) >> _S1)


@inlined
def advance_state(state: np.uint64) -> np.uint64:
    """Return a stream's next state.

    Parameters
    ----------
    state : uint64, read
        The state before.
    """
    return state + GOLDEN


@inlined
def scale(word: np.uint64, bound: int) -> int:
    """Return floor(high 32 bits of a word * bound / 2**32), a number below the bound.

    Parameters
    ----------
    word : uint64, read
        A random word.
    bound : int64, read
        The bound, 1 to 2**31.
    """
    return int(((word >> _S32) * np.uint64(bound)) >> _S32)


@inlined
def is_biased(word: np.uint64, bound: int) -> bool:
    """Tell whether a word must be thrown away so that every number below a bound is equally likely.

    The rejection rule of Lemire ("Fast random integer generation in an interval", 2019) for 32-bit words.

    Parameters
    ----------
    word : uint64, read
        A random word.
    bound : int64, read
        The bound, 1 to 2**31.
    """
    low = ((word >> _S32) * np.uint64(bound)) & _LOW_32
    if low >= np.uint64(bound):
        return False
    return bool(low < (np.uint64(1 << 32) - np.uint64(bound)) % np.uint64(bound))


@inlined
def uniform_of(word: np.uint64) -> float:
    """Return a word as a number between 0 and 1, neither of them.

    Parameters
    ----------
    word : uint64, read
        A random word.
    """
    return (float(word >> _S12) + 0.5) * 2.0**-52  # 52 bits, since with 53 the sum would be rounded, up to 1 at the end
