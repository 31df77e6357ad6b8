"""Error rates and coverage by simulation: quickly always, with more samples and narrower bands when slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.statistics.power import blocks_for_difference
from sim.statistics.sequential import Bounds
from tests.statistical import formulas

PAGE = Path(__file__).parents[2] / "docs" / "statistics-checks.md"


@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_intervals_cover(kind: str) -> None:
    assert 0.925 <= formulas.interval_coverage(kind, 400, 1_000, 11) <= 0.975


def test_the_page_is_that_of_this_module() -> None:
    """Its words and rows; the rates themselves take minutes (`python -m tests.statistical.formulas`)."""
    page = PAGE.read_text("utf-8")
    assert page.startswith(formulas.HEAD), "run: python -m tests.statistical.formulas > docs/statistics-checks.md"
    for kind in formulas.KINDS:
        assert page.count(f"\n| {kind} |") >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("high", "batch"), [(0.2, 64), (0.1, 250)])
@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_errors_of_the_sequential_test(kind: str, high: float, batch: int) -> None:
    bounds = Bounds(0.0, high)
    assert formulas.error_rate(kind, 0.0, 1, bounds, batch, 2_000, 12) <= 0.06
    assert formulas.error_rate(kind, high, -1, bounds, batch, 2_000, 13) <= 0.06


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_the_estimate_after_it(kind: str) -> None:
    above, covered, plain_above, _ = formulas.unbiased_rates(kind, 0.1, Bounds(0.0, 0.1), 250, 400, 14)
    assert 0.44 <= above <= 0.56
    assert covered >= 0.92
    assert plain_above > 0.55  # what the correction is for


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_power_and_coverage(kind: str) -> None:
    blocks = blocks_for_difference(1.0, 0.2)
    assert 0.78 <= formulas.rejection_rate(kind, 0.2, blocks, 8_000, 15) <= 0.83
    assert 0.04 <= formulas.rejection_rate(kind, 0.0, blocks, 8_000, 16) <= 0.06
    assert 0.935 <= formulas.interval_coverage(kind, 2_000, 3_000, 17) <= 0.962
