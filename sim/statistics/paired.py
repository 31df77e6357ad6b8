"""The difference of two ratios of sums over blocks: of paired blocks, or of independent ones.

With block sums x and y and R = Σx / Σy a block's share in the ratio is e = (x - R·y) / Σy. The standard error of the
difference of two ratios is √(n / (n - 1) · Σ(e₁ - e₂)²) where both have the same n walls, else that of independent
samples, with Welch's degrees of freedom. All sums are whole numbers; nothing is divided before the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from sim.statistics.estimate import CONFIDENCE
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.statistics.metrics import Metric
    from sim.tournament.totals import Kind, Totals


@dataclass(frozen=True)
class RatioSums:
    """What a ratio and its interval are made of."""

    blocks: int
    """Blocks."""
    one: int
    """Σx."""
    other: int
    """Σy."""
    one_one: int
    """Σx²."""
    one_other: int
    """Σxy."""
    other_other: int
    """Σy²."""

    @property
    def value(self) -> float | None:
        """The ratio; None if Σy is 0."""
        return self.one / self.other if self.other else None

    @cached_property
    def squares(self) -> Fraction:
        """Σe²."""
        x, y = self.one, self.other
        return Fraction(self.one_one * y * y - 2 * self.one_other * x * y + self.other_other * x * x, y**4)

    @cached_property
    def variance(self) -> float:
        """The squared standard error of the ratio; with at least two blocks."""
        return float(self.squares * self.blocks / (self.blocks - 1))


@dataclass(frozen=True)
class CrossSums:
    """Sums over blocks of products of two cells' block sums, on the same walls."""

    one_one: int
    """Σx₁x₂."""
    one_other: int
    """Σx₁y₂."""
    other_one: int
    """Σy₁x₂."""
    other_other: int
    """Σy₁y₂."""


@dataclass(frozen=True)
class Difference:
    """A difference of two ratios."""

    value: float
    """The first less the second."""
    error: float
    """Its standard error."""
    freedom: float
    """Degrees of freedom of its t-interval."""
    blocks: int
    """Blocks; the smaller number where both differ."""
    is_paired: bool
    """Whether it was taken wall by wall."""

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval."""
        from scipy.special import stdtrit  # noqa: PLC0415 - only needed here

        return float(stdtrit(self.freedom, 0.5 + CONFIDENCE / 2)) * self.error

    @property
    def p(self) -> float:
        """Two-sided p-value of "no difference"."""
        from scipy.special import stdtr  # noqa: PLC0415

        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return min(1.0, 2 * float(stdtr(self.freedom, -abs(self.value) / self.error)))

    @property
    def deviation(self) -> float:
        """Standard deviation of a block's difference; of paired blocks."""
        return self.error * math.sqrt(self.blocks)


def ratio_sums(totals: Totals, metric: Metric, kind: Kind, index: int, groups: Sequence[int]) -> RatioSums:
    """Read what a metric is made of out of totals.

    Parameters
    ----------
    totals
        A cell's totals.
    metric
        The metric.
    kind, index
        Which strategy or seat.
    groups
        The group of each slot.
    """
    x, y = metric.numerator, metric.denominator
    one, other = (totals.sum_of(name, kind, index, groups) for name in (x, y))
    if y == DEALS:  # the same in every block
        both = one * (other // totals.walls) if totals.walls else 0
    else:
        both = totals.product_of(x, y, kind, index)
    return RatioSums(
        totals.walls,
        one,
        other,
        totals.product_of(x, x, kind, index),
        both,
        totals.product_of(y, y, kind, index),
    )


def cross_sums(totals: Totals, one: RatioSums, other: RatioSums, metric: Metric, kind: Kind, index: int) -> CrossSums:
    """Read what ties a cell's metric to that of its reference out of the cell's totals.

    Parameters
    ----------
    totals
        The cell's totals, with cross.
    one, other
        What the metric is made of, here and in the reference.
    metric, kind, index
        As in `ratio_sums`.
    """
    x, y = metric.numerator, metric.denominator
    if y == DEALS:
        here, there = one.other // one.blocks, other.other // other.blocks
        return CrossSums(
            totals.cross_of(x, x, kind, index), one.one * there, here * other.one, here * there * one.blocks
        )
    pairs = ((x, x), (x, y), (y, x), (y, y))
    return CrossSums(*(totals.cross_of(a, b, kind, index) for a, b in pairs))


def difference_of(one: RatioSums, other: RatioSums, cross: CrossSums | None) -> Difference | None:
    """Subtract a ratio from another.

    Parameters
    ----------
    one, other
        The first ratio and the second.
    cross
        What ties them, if both were measured on the same walls; None for independent ones.

    Returns
    -------
    Difference or None
        None where a denominator is 0, or there are fewer than two blocks.
    """
    if one.value is None or other.value is None or min(one.blocks, other.blocks) < 2:
        return None
    value = float(Fraction(one.one, one.other) - Fraction(other.one, other.other))
    if cross is None:
        parts = [(item.variance, item.blocks - 1) for item in (one, other)]
        variance = parts[0][0] + parts[1][0]
        rest = sum(part * part / freedom for part, freedom in parts)
        freedom = variance * variance / rest if rest > 0 else float(one.blocks + other.blocks - 2)
        return Difference(value, math.sqrt(variance), freedom, min(one.blocks, other.blocks), is_paired=False)
    x1, y1, x2, y2 = one.one, one.other, other.one, other.other
    product = y1 * y2 * cross.one_one - y1 * x2 * cross.one_other - x1 * y2 * cross.other_one
    tied = Fraction(product + x1 * x2 * cross.other_other, y1 * y1 * y2 * y2)
    squares = one.squares - 2 * tied + other.squares
    error = math.sqrt(max(0.0, float(squares * one.blocks / (one.blocks - 1))))
    return Difference(value, error, float(one.blocks - 1), one.blocks, is_paired=True)


def paired_difference(
    metric: Metric, kind: Kind, index: int, groups: Sequence[int], *, totals: Totals, reference: Totals
) -> Difference | None:
    """Give the difference of a cell to the reference of its family, from the ledger's sums.

    Parameters
    ----------
    metric
        The metric.
    kind, index
        Which strategy or seat.
    groups
        The group of each slot.
    totals
        The cell's totals, with cross.
    reference
        Those of the reference.
    """
    one, other = (ratio_sums(part, metric, kind, index, groups) for part in (totals, reference))
    return difference_of(one, other, cross_sums(totals, one, other, metric, kind, index) if one.blocks else None)
