"""The sequential test: its formula, its errors on blocks with heavy tails, and the estimate after it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.statistics.sequential import Bounds, decide, log_likelihood_ratio, median_unbiased, superiority

BOUNDS = Bounds(0.0, 0.2)
BATCH = 64


def heavy_blocks(lots: np.random.Generator, count: int) -> np.ndarray:
    """Blocks as deals give them, of mean 0 and sd 1: mostly small, sometimes a hand worth 32 points from everybody."""
    values = np.where(lots.random(count) < 0.02, lots.choice([-7.0, 8.0], count), lots.choice([-1.0, 1.0], count) * 0.7)
    mean = 0.02 * 0.5
    deviation = math.sqrt(0.02 * (49 + 64) / 2 + 0.98 * 0.49 - mean**2)
    return (values - mean) / deviation


def run_test(
    lots: np.random.Generator, truth: float, bounds: Bounds, batch: int = BATCH, most_looks: int = 400, first: int = 1
) -> tuple[int, int, float]:
    """Play one test: its decision, the looks it took, and mean over deviation at its end."""
    blocks = heavy_blocks(lots, batch * most_looks) + truth
    ends = np.arange(batch, len(blocks) + 1, batch)
    sums, squares = np.cumsum(blocks)[ends - 1], np.cumsum(blocks**2)[ends - 1]
    t = 0.0
    for look, (count, total, square) in enumerate(zip(ends.tolist(), sums.tolist(), squares.tolist(), strict=True), 1):
        mean = total / count
        deviation = math.sqrt((square - count * mean * mean) / (count - 1))
        t = mean / deviation
        decision = decide(log_likelihood_ratio(count, mean, deviation, bounds), bounds)
        if decision and look >= first:
            return decision, look, t
    return 0, most_looks, t


def error_rate(truth: float, wrong: int, tests: int, seed: int, bounds: Bounds = BOUNDS) -> float:
    lots = np.random.default_rng(seed)
    found = [run_test(lots, truth, bounds)[0] for _ in range(tests)]
    assert 0 not in found
    return found.count(wrong) / tests


def test_bounds_are_those_of_the_sequential_ratio_test() -> None:
    assert Bounds(0, 1).upper == pytest.approx(2.944, abs=1e-3)
    assert Bounds(0, 1).lower == pytest.approx(-2.944, abs=1e-3)
    uneven = Bounds(0, 1, alpha=0.01, beta=0.1)
    assert uneven.upper == pytest.approx(math.log(0.9 / 0.01))
    assert uneven.lower == pytest.approx(math.log(0.1 / 0.99))


def test_ratio_by_hand() -> None:
    """200 blocks, mean 0.3, sd 2: t = 0.15, so 100 · ln(1.0225 / 1.0025)."""
    assert log_likelihood_ratio(200, 0.3, 2.0, BOUNDS) == pytest.approx(100 * math.log(1.0225 / 1.0025))
    assert log_likelihood_ratio(200, 0.2, 2.0, BOUNDS) == pytest.approx(0.0)
    assert log_likelihood_ratio(200, 0.1, 2.0, BOUNDS) == pytest.approx(-log_likelihood_ratio(200, 0.3, 2.0, BOUNDS))


def test_decisions() -> None:
    assert [decide(ratio, BOUNDS) for ratio in (-3.0, -2.9, 0.0, 2.9, 3.0)] == [-1, 0, 0, 0, 1]


def test_superiority_is_one_minus_a_p_value() -> None:
    assert superiority(100, 0.0, 1.0) == pytest.approx(0.5)
    assert superiority(100, 0.196, 1.0) == pytest.approx(0.975, abs=1e-3)
    assert superiority(100, 0.0, 1.0, reference=0.196) == pytest.approx(0.025, abs=1e-3)


def test_errors_keep_their_size() -> None:
    """300 tests each: 5 % within what chance allows; a test that ignores the data, or stops at once, is far out."""
    assert error_rate(0.0, 1, 300, seed=1) <= 0.085
    assert error_rate(0.2, -1, 300, seed=2) <= 0.085


def test_no_error_far_outside_the_bounds() -> None:
    assert error_rate(-0.2, 1, 100, seed=3) == 0.0
    assert error_rate(0.5, -1, 100, seed=4) == 0.0


def test_one_look_is_the_plain_estimate() -> None:
    found = median_unbiased(1, 400, 0.4, 1, BOUNDS)
    assert found.value == pytest.approx(0.4, abs=1e-4)
    assert found.low == pytest.approx(0.4 - 1.96 / 20, abs=1e-3)
    assert found.high == pytest.approx(0.4 + 1.96 / 20, abs=1e-3)


def test_the_estimate_after_the_test_is_pulled_back() -> None:
    up = median_unbiased(3, BATCH, 0.32, 1, BOUNDS)
    assert 0.2 < up.value < 0.32
    assert up.low < up.value < up.high
    down = median_unbiased(3, BATCH, -0.12, -1, BOUNDS)  # the same seen from the other side of the middle, 0.1
    assert down.value == pytest.approx(0.2 - up.value, abs=1e-4)
    assert (down.low, down.high) == (pytest.approx(0.2 - up.high, abs=1e-4), pytest.approx(0.2 - up.low, abs=1e-4))


def test_a_test_that_could_not_stop_before_has_the_plain_estimate() -> None:
    late = median_unbiased(8, 250, 0.02, 1, Bounds(-0.05, 0.05), first=8)  # far beyond the bound, as it had to go on
    assert late.value == pytest.approx(0.02, abs=1e-4)
    assert late.high - late.low == pytest.approx(2 * 1.96 / math.sqrt(2_000), abs=1e-3)
    early = median_unbiased(8, 250, 0.02, 1, Bounds(-0.05, 0.05))
    assert abs(early.value) < 0.01  # as if it had not stopped at seven looks


def coverage(truth: float, tests: int, seed: int, batch: int, bounds: Bounds, first: int = 1) -> tuple[float, float]:
    """Give how often the estimate is above the truth, and how often the interval covers it."""
    lots = np.random.default_rng(seed)
    above = covered = 0
    for _ in range(tests):
        decision, looks, t = run_test(lots, truth, bounds, batch, first=first)
        found = median_unbiased(looks, batch, t, decision, bounds, first)
        above += found.value > truth
        covered += found.low <= truth <= found.high
    return above / tests, covered / tests


@pytest.mark.slow
def test_errors_keep_their_size_over_many_tests() -> None:
    for bounds in (BOUNDS, Bounds(-0.1, 0.1), Bounds(0.0, 0.1)):
        assert 0.01 <= error_rate(bounds.low, 1, 3000, seed=11, bounds=bounds) <= 0.062
        assert 0.01 <= error_rate(bounds.high, -1, 3000, seed=12, bounds=bounds) <= 0.062


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.0, 0.1, 0.2])
def test_the_estimate_is_median_unbiased(truth: float) -> None:
    """With batches of 64 blocks with heavy tails the interval is a little too narrow: about 92 %."""
    above, covered = coverage(truth, 400, 21, BATCH, BOUNDS)
    assert 0.42 <= above <= 0.58
    assert covered >= 0.89


@pytest.mark.parametrize("truth", [-0.05, 0.02])
def test_the_estimate_of_a_test_that_starts_late(truth: float) -> None:
    above, covered = coverage(truth, 100, 23, 250, Bounds(-0.05, 0.05), first=6)
    assert 0.38 <= above <= 0.62
    assert covered >= 0.89


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.0, 0.05, 0.1])
def test_the_estimate_with_the_usual_batch(truth: float) -> None:
    above, covered = coverage(truth, 300, 22, 250, Bounds(0.0, 0.1))
    assert 0.42 <= above <= 0.58
    assert covered >= 0.92
