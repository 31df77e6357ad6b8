"""Random numbers of the ladder: the normal distribution that is drawn from cells."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr
from scipy.stats import kstest

from sim.jit import Floats, driver
from sim.ladder.lots import CELLS, EDGES, draw_log_normal, draw_normal


@driver
def fill(start: np.uint64, values: Floats) -> None:
    """Draw one after another.

    Parameters
    ----------
    start : uint64, read
        State of the stream.
    values : float64 array, filled
        The numbers.
    """
    state = start
    for place in range(len(values)):
        state, values[place] = draw_normal(state)


def test_it_is_the_normal_distribution() -> None:
    values = np.empty(1_000_000)
    fill(np.uint64(5), values)
    assert kstest(values, ndtr).pvalue > 0.001
    assert abs(values.mean()) < 4e-3
    assert abs(values.std() - 1.0) < 3e-3
    far = np.sort(np.abs(values))[::-1]
    outer = EDGES[CELLS - 1]
    count = int((far > outer).sum())
    assert abs(count - 2e6 / CELLS) < 4 * (2e6 / CELLS) ** 0.5
    assert kstest(far[:count], lambda x: 1 - ndtr(-x) * CELLS).pvalue > 0.001  # beyond the last edge, both sides


def test_cells_are_even_enough() -> None:
    middle = (EDGES[1 : CELLS - 1] + EDGES[2:CELLS]) / 2
    assert np.abs(ndtr(middle) - (np.arange(1, CELLS - 1) + 0.5) / CELLS).max() < 1e-4


def test_median_and_spread_of_times() -> None:
    state, times = np.uint64(3), []
    for _ in range(20_000):
        state, time = draw_log_normal(state, 5_000.0, 0.5)
        times.append(time)
    logs = np.log(times)
    assert abs(np.median(logs) - np.log(5_000)) < 0.02
    assert abs(logs.std() - 0.5) < 0.015
