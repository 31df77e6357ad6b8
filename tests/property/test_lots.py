"""Random streams against the same arithmetic with Python's own integers, also where a word is thrown away.

Of 2**32 words at most 108 are thrown away, so that is never seen by chance; here the words are made to measure: the
generator's output is a bijection of its state.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sim.engine.hands.hand import Hand, draw_lot
from sim.engine.sichuan.deal import TILES, Deal
from sim.engine.sichuan.setup import draw_direction, shuffle_wall
from sim.jit import new
from sim.rng import DIRECTION_STREAM, WALL_STREAM, is_biased, mix, scale, stream_start, uniform_of, wall_seed_of
from tests.property.drawn import examples

WORD = 1 << 64
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
words = st.integers(0, WORD - 1)


def plain_mix(state: int) -> int:
    word = (state ^ (state >> 30)) * MIX_1 % WORD
    word = (word ^ (word >> 27)) * MIX_2 % WORD
    return word ^ (word >> 31)


def unmix(word: int) -> int:
    """Return the state whose output is a word."""
    for shift, factor in ((31, MIX_2), (27, MIX_1), (30, 1)):
        word ^= (word >> shift) ^ (word >> 2 * shift)
        word = word * pow(factor, -1, WORD) % WORD
    return word


def plain_start(identity: int, stream: int) -> int:
    return plain_mix(plain_mix((identity + GOLDEN) % WORD) ^ (stream * MIX_1 + GOLDEN) % WORD)


def identity_of(start: int, stream: int) -> int:
    """Return the identity whose stream starts so."""
    return (unmix(unmix(start) ^ (stream * MIX_1 + GOLDEN) % WORD) - GOLDEN) % WORD


def plain_lots(state: int, bounds: list[int]) -> tuple[list[int], int]:
    """Return numbers below some bounds, and the state afterwards."""
    found = []
    for bound in bounds:
        while True:
            state = (state + GOLDEN) % WORD
            share, rest = divmod((plain_mix(state) >> 32) * bound, 1 << 32)
            if rest >= (1 << 32) % bound:
                break
        found.append(share)
    return found, state


def lots_of(state: int, bounds: list[int]) -> tuple[list[int], int]:
    """Return what the engine draws."""
    hand = new(Hand)[0]
    hand.lots = state
    return [int(draw_lot(hand, bound)) for bound in bounds], int(hand.lots)


def biased_state(bound: int, low: int = 0) -> int:
    """Return a state whose next word is thrown away for a bound: the word is `low` with nothing above it."""
    return (unmix(low) - GOLDEN) % WORD


@examples(200, 50)
@given(words, st.integers(0, 1000))
def test_streams_are_plain_arithmetic(word: int, stream: int) -> None:
    assert int(mix(np.uint64(word))) == plain_mix(word)
    assert plain_mix(unmix(word)) == unmix(plain_mix(word)) == word
    assert int(stream_start(np.uint64(word), stream)) == plain_start(word, stream)
    assert identity_of(plain_start(word, stream), stream) == word
    root = word >> 1
    assert wall_seed_of(root, stream) == plain_start(plain_mix((root + GOLDEN) % WORD), stream) >> 1


@examples(200, 50)
@given(words, st.lists(st.integers(1, 200), min_size=1, max_size=8))
def test_lots_are_plain_arithmetic(state: int, bounds: list[int]) -> None:
    assert lots_of(state, bounds) == plain_lots(state, bounds)


@pytest.mark.parametrize("bound", [3, 7, 27, 100, 108])
def test_a_word_that_would_favour_some_numbers_is_thrown_away(bound: int) -> None:
    state = biased_state(bound)
    assert lots_of(state, [bound]) == plain_lots(state, [bound])
    assert lots_of(state, [bound]) == lots_of((state + GOLDEN) % WORD, [bound])
    assert lots_of(state, [1 << 20])[1] == (state + GOLDEN) % WORD  # a power of two needs no care


@pytest.mark.parametrize("bound", range(1, 109))
def test_every_number_has_as_many_words(bound: int) -> None:
    """Only the first word of a number's range may be thrown away, as often as it takes to make all alike."""
    for number in range(bound):
        first, last = (-(-(place << 32) // bound) for place in (number, number + 1))
        assert scale(np.uint64(first << 32), bound) == scale(np.uint64(last - 1 << 32), bound) == number
        thrown_away = [bool(is_biased(np.uint64(word << 32), bound)) for word in (first, first + 1, last - 1)]
        assert thrown_away[1:] == [False, False]
        assert last - first - thrown_away[0] == (1 << 32) // bound


def seeds_with_biased_words(stream: int, bound: int) -> Iterator[int]:
    """Yield wall seeds whose first word in a stream is thrown away for a bound."""
    for low in range(64):
        seed = identity_of(biased_state(bound, low), stream)
        if seed < 1 << 63:
            yield seed


def test_shuffles_are_plain_arithmetic() -> None:
    deals = new(Deal)
    for wall_seed in [0, 1, (1 << 63) - 1, *list(seeds_with_biased_words(WALL_STREAM, TILES))[:3]]:
        shuffle_wall(deals[0], wall_seed)
        wall = [position // 4 for position in range(TILES)]
        chosen, _ = plain_lots(plain_start(wall_seed, WALL_STREAM), list(range(TILES, 1, -1)))
        for last, other in zip(range(TILES - 1, 0, -1), chosen, strict=True):
            wall[last], wall[other] = wall[other], wall[last]
        assert deals[0].wall.tolist() == wall
        assert sorted(wall) == [position // 4 for position in range(TILES)]


def test_directions_are_plain_arithmetic() -> None:
    seen = set()
    for wall_seed in [*range(20), *list(seeds_with_biased_words(DIRECTION_STREAM, 3))[:5]]:
        (number,), _ = plain_lots(plain_start(wall_seed, DIRECTION_STREAM), [3])
        assert draw_direction(wall_seed) == 1 + number
        seen.add(number)
    assert seen == {0, 1, 2}


@given(words)
@example(0)
@example(WORD - 1)
def test_a_uniform_number_is_inside_and_follows_its_word(word: int) -> None:
    value = float(uniform_of(np.uint64(word)))
    assert 0.0 < value < 1.0
    assert abs(value - word / 2**64) < 2.0**-52
