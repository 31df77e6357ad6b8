"""Differences of ratios: paired and independent, against blocks added up with NumPy and against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sim.statistics.metrics import Metric
from sim.statistics.paired import CrossSums, RatioSums, difference_of, paired_difference
from sim.tournament.totals import Totals


def sums_of(x: np.ndarray, y: np.ndarray) -> RatioSums:
    one, other = x.astype(object), y.astype(object)
    sums = ((one * one).sum(), (one * other).sum(), (other * other).sum())
    return RatioSums(len(x), one.sum(), other.sum(), *sums)


def cross_of(x1: np.ndarray, y1: np.ndarray, x2: np.ndarray, y2: np.ndarray) -> CrossSums:
    return CrossSums(*(int((a * b).sum()) for a, b in ((x1, x2), (x1, y2), (y1, x2), (y1, y2))))


def blocks(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    lots = np.random.default_rng(seed)
    y1 = lots.integers(1, 9, 70)
    x1 = lots.binomial(y1 * 3, 0.4)
    y2 = np.clip(y1 + lots.integers(-1, 2, 70), 0, None)
    return x1, y1, x1 + lots.integers(-1, 2, 70), y2


def test_paired_ratios_are_the_delta_method_on_blocks() -> None:
    x1, y1, x2, y2 = blocks(1)
    found = difference_of(sums_of(x1, y1), sums_of(x2, y2), cross_of(x1, y1, x2, y2))
    e1 = (x1 - x1.sum() / y1.sum() * y1) / y1.mean()
    e2 = (x2 - x2.sum() / y2.sum() * y2) / y2.mean()
    assert found is not None
    assert found.value == pytest.approx(x1.sum() / y1.sum() - x2.sum() / y2.sum())
    assert found.error == pytest.approx(stats.sem(e1 - e2))
    assert found.half_width == pytest.approx(stats.sem(e1 - e2) * stats.t.ppf(0.975, 69))
    assert found.deviation == pytest.approx((e1 - e2).std(ddof=1))


def test_means_are_the_textbook_tests() -> None:
    lots = np.random.default_rng(2)
    a, b = lots.integers(-20, 30, 50), lots.integers(-20, 25, 50)
    ones = np.full(50, 4)
    paired = difference_of(sums_of(a, ones), sums_of(b, ones), cross_of(a, ones, b, ones))
    wanted = stats.ttest_rel(a / 4, b / 4)
    assert paired is not None
    assert paired.is_paired
    assert paired.p == pytest.approx(wanted.pvalue)
    assert paired.half_width == pytest.approx(
        (wanted.confidence_interval().high - wanted.confidence_interval().low) / 2
    )
    short = b[:30]
    free = difference_of(sums_of(a, ones), sums_of(short, ones[:30]), None)
    welch = stats.ttest_ind(a / 4, short / 4, equal_var=False)
    assert free is not None
    assert not free.is_paired
    assert (free.p, free.freedom) == (pytest.approx(welch.pvalue), pytest.approx(welch.df))


def test_totals_give_the_same() -> None:
    x1, y1, x2, y2 = blocks(3)
    metric = Metric("m", "x", "y", "u", "Means.")

    def totals(x: np.ndarray, y: np.ndarray) -> Totals:
        found = Totals(1, len(x), {"x": [int(x.sum()), *[0] * 15], "y": [int(y.sum()), *[0] * 15]})
        pairs = {"x": (x, x), "y": (y, y), "x*y": (x, y)}
        found.products = {name: [int((a * b).sum()), *[0] * 4] for name, (a, b) in pairs.items()}
        return found

    here, there = totals(x1, y1), totals(x2, y2)
    pairs = {"x": (x1, x2), "y": (y1, y2), "x*y": (x1, y2), "y*x": (y1, x2)}
    here.cross = {name: [int((a * b).sum()), *[0] * 4] for name, (a, b) in pairs.items()}
    found = paired_difference(metric, "strategy", 0, (0, 0, 0, 0), totals=here, reference=there)
    assert found == difference_of(sums_of(x1, y1), sums_of(x2, y2), cross_of(x1, y1, x2, y2))


def test_nothing_to_divide_by_and_too_few_blocks() -> None:
    x1, y1, x2, y2 = blocks(4)
    none = np.zeros_like(y1)
    assert difference_of(sums_of(x1, y1), sums_of(none, none), None) is None
    assert difference_of(sums_of(x1[:1], y1[:1]), sums_of(x2, y2), None) is None
    same = difference_of(sums_of(x1, y1), sums_of(x1, y1), cross_of(x1, y1, x1, y1))
    assert same is not None
    assert (same.value, same.error, same.p) == (0.0, 0.0, 1.0)


def test_coverage_of_paired_differences_on_heavy_tails() -> None:
    lots = np.random.default_rng(5)
    covered = 0
    for _ in range(1_000):
        shared = lots.choice([-3, 0, 3, 40], p=[0.6, 0.2, 0.17, 0.03], size=300)
        a = shared + lots.choice([0, 1, 8], p=[0.9, 0.07, 0.03], size=300)
        ones = np.ones(300, dtype=np.int64)
        found = difference_of(sums_of(a, ones), sums_of(shared, ones), cross_of(a, ones, shared, ones))
        assert found is not None
        covered += abs(found.value - 0.31) <= found.half_width
    assert 0.915 <= covered / 1_000 <= 0.97
