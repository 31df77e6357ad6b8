from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sim.statistics.estimate import Estimate, estimate_ratio, mean_and_deviation, round_off, t_quantile


def ratio_of(one: np.ndarray, other: np.ndarray) -> Estimate:
    x, y = [int(value) for value in one], [int(value) for value in other]
    return estimate_ratio(
        len(x),
        sum(x),
        sum(y),
        one_one=sum(a * a for a in x),
        one_other=sum(a * b for a, b in zip(x, y, strict=True)),
        other_other=sum(b * b for b in y),
    )


def test_mean_of_block_means_is_the_textbook_interval() -> None:
    blocks = np.random.default_rng(1).integers(-50, 60, 37)
    found = ratio_of(blocks, np.full(37, 4))
    low, high = stats.t.interval(0.95, 36, loc=(blocks / 4).mean(), scale=stats.sem(blocks / 4))
    assert found.value == pytest.approx((blocks / 4).mean())
    assert (found.low, found.high) == pytest.approx((low, high))


def test_varying_denominator_is_the_delta_method() -> None:
    generator = np.random.default_rng(2)
    y = generator.integers(0, 9, 60)
    x = generator.binomial(y, 0.4)
    found = ratio_of(x, y)
    residuals = x - x.sum() / y.sum() * y
    error = np.sqrt((residuals**2).sum() / 59 / 60) / y.mean()
    assert found.value == pytest.approx(x.sum() / y.sum())
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, 59) * error)


def test_nothing_to_divide_by_and_too_few_blocks() -> None:
    assert ratio_of(np.array([0, 0]), np.array([0, 0])).value is None
    single = ratio_of(np.array([3]), np.array([4]))
    assert (single.value, single.half_width, single.low, single.high) == (0.75, None, None, None)


def test_huge_sums_lose_nothing() -> None:
    small = ratio_of(np.array([1, 2, 4]), np.array([1, 1, 1]))
    scale = 10**30
    large = estimate_ratio(3, 7 * scale, 3, one_one=21 * scale**2, one_other=7 * scale, other_other=3)
    assert small.value is not None
    assert small.half_width is not None
    assert large.value == pytest.approx(small.value * scale)
    assert large.half_width == pytest.approx(small.half_width * scale)


def test_intervals_cover_heavy_tailed_blocks() -> None:
    generator = np.random.default_rng(3)
    draws = generator.choice([-1, 0, 3, 12], p=[0.7, 0.05, 0.2, 0.05], size=(2_000, 400))
    mean = -0.7 + 0.6 + 0.6
    found = [ratio_of(blocks, np.ones(400, dtype=int)) for blocks in draws]
    covered = sum(1 for item in found if item.low is not None and item.low <= mean <= (item.high or 0))
    assert 0.93 <= covered / 2_000 <= 0.97


@pytest.mark.parametrize("freedom", [1, 5, 100, 1_000_000])
def test_t_quantile(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom))


def test_mean_and_deviation() -> None:
    values = [3, -1, 4, 1, -5]
    assert mean_and_deviation(5, sum(values), sum(v * v for v in values)) == pytest.approx(
        (np.mean(values), np.std(values, ddof=1))
    )
    assert mean_and_deviation(0, 0, 0) == (None, None)
    assert mean_and_deviation(1, 7, 49) == (7.0, None)


def test_round_off() -> None:
    assert round_off(1 / 3) == 0.333333333333
    assert round_off(None) is None
    assert round_off(float("inf")) is None
