"""The difference of one metric between two cells that played the same walls: paired blocks, t-interval, p-value.

With block sums x, y of numerator and denominator the metric of a cell is R = Σx / Σy, and a block's share in its error
is e = (x - R·y) / Σy (the delta method; exact where y is the same in every block). The difference of two cells has
in each block the error e - e', so its squared standard error is n / (n - 1) · Σ(e - e')²: the products of a cell's
block sums with those of the reference are all that it takes. Whole numbers stay whole until the last division.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.statistics.estimate import t_quantile
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.statistics.metrics import Metric
    from sim.tournament.totals import Kind, Totals


@dataclass(frozen=True)
class Side:
    """One cell's sums over blocks for a ratio: x is the numerator's block sum, y the denominator's."""

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

    @property
    def spread(self) -> int:
        """Σ(x - R·y)² · (Σy)², a whole number."""
        one, other = self.one, self.other
        return self.one_one * other * other - 2 * self.one_other * one * other + self.other_other * one * one


@dataclass(frozen=True)
class Between:
    """Sums over blocks of products of two cells: x, y here, x', y' in the other one."""

    one_one: int
    """Σxx'."""
    one_other: int
    """Σxy'."""
    other_one: int
    """Σyx'."""
    other_other: int
    """Σyy'."""


@dataclass(frozen=True)
class Difference:
    """A metric of one cell less the same of another, on the same walls."""

    value: float | None
    """The difference; None if the metric does not exist in one of the cells."""
    half_width: float | None
    """Half of the 95 % interval; None with fewer than two blocks, or without a value."""
    p: float | None
    """Two-sided p-value of "no difference"; None without an interval or where it is 0 wide."""
    blocks: int
    """Blocks."""
    cell_value: float | None
    """The metric here."""
    reference_value: float | None
    """The metric in the other cell."""
    correlation: float | None
    """Of the errors of paired blocks; None where one of the cells has none."""
    efficiency: float | None
    """Variance of the difference if the cells had been independent, over its variance; None where that is 0."""


def subtract(blocks: int, here: Side, there: Side, between: Between) -> Difference:
    """Estimate the difference of two ratios over the same blocks.

    Parameters
    ----------
    blocks
        n.
    here, there
        The two cells.
    between
        What ties them.

    Returns
    -------
    Difference
        Of ``here`` less ``there``.

    Examples
    --------
    >>> side = Side(6, 4, 14, 6, 4)
    >>> subtract(4, side, side, Between(14, 6, 6, 4)).half_width
    0.0
    """
    one, other = here.value, there.value
    if one is None or other is None:
        return Difference(None, None, None, blocks, one, other, None, None)
    value = (here.one * there.other - there.one * here.other) / (here.other * there.other)
    if blocks < 2:
        return Difference(value, None, None, blocks, one, other, None, None)
    # Σ(x·Y - X·y)(x'·Y' - X'·y'), as a whole number; all three terms over (Y·Y')⁴
    joint = (
        here.other * there.other * between.one_one
        - here.other * there.one * between.one_other
        - here.one * there.other * between.other_one
        + here.one * there.one * between.other_other
    )
    own, their = here.spread * there.other**4, there.spread * here.other**4
    shared = joint * (here.other * there.other) ** 2
    spread = own + their - 2 * shared
    scale = (blocks - 1) * (here.other * there.other) ** 4
    error = math.sqrt(blocks * spread / scale)
    correlation = joint / math.sqrt(here.spread * there.spread) if here.spread and there.spread else None
    return Difference(
        value,
        t_quantile(blocks - 1) * error,
        p_value(value / error, blocks - 1) if error else None,
        blocks,
        one,
        other,
        correlation,
        (own + their) / spread if spread else None,
    )


def p_value(t: float, freedom: int) -> float:
    """Give the two-sided p-value of a t-statistic.

    Parameters
    ----------
    t
        The statistic.
    freedom
        Degrees of freedom.

    Examples
    --------
    >>> round(p_value(2.262, 9), 3)
    0.05
    """
    from scipy.special import stdtr  # noqa: PLC0415 - scipy.stats takes a second to load, this does not

    return 2 * float(stdtr(freedom, -abs(t)))


def side_of(totals: Totals, metric: Metric, kind: Kind, index: int, groups: Sequence[int]) -> Side:
    """Read one cell's sums for a metric.

    Parameters
    ----------
    totals
        The cell's totals.
    metric
        The metric.
    kind, index
        Which strategy (by its place among the line-up's strategies) or seat.
    groups
        The group of each slot.
    """
    one, other = (totals.sum_of(name, kind, index, groups) for name in (metric.numerator, metric.denominator))
    squares = totals.product_of(metric.numerator, metric.numerator, kind, index)
    if metric.denominator == DEALS:  # the same in every block
        return Side(one, other, squares, _share(one * other, totals.walls), _share(other * other, totals.walls))
    both = totals.product_of(metric.numerator, metric.denominator, kind, index)
    return Side(one, other, squares, both, totals.product_of(metric.denominator, metric.denominator, kind, index))


def between_of(totals: Totals, metric: Metric, kind: Kind, index: int, here: Side, there: Side) -> Between:
    """Read what ties a cell to its reference for a metric.

    Parameters
    ----------
    totals
        The cell's totals, or those of the reference's decisions settled again.
    metric, kind, index
        As in `side_of`.
    here, there
        What `side_of` gives for the cell and for the reference.
    """
    one, other = metric.numerator, metric.denominator
    squares = totals.cross_of(one, one, kind, index)
    if other == DEALS:
        return between_equal(totals.walls, here, there, squares)
    return Between(
        squares,
        totals.cross_of(one, other, kind, index),
        totals.cross_of(other, one, kind, index),
        totals.cross_of(other, other, kind, index),
    )


def between_equal(walls: int, here: Side, there: Side, products: int) -> Between:
    """Give what ties two cells for a metric whose denominator is the same in every block.

    Parameters
    ----------
    walls
        Blocks.
    here, there
        The cells.
    products
        Σxx'.
    """
    return Between(
        products,
        _share(here.one * there.other, walls),
        _share(here.other * there.one, walls),
        _share(here.other * there.other, walls),
    )


def _share(product: int, walls: int) -> int:
    """Divide what is a multiple of the number of blocks."""
    return product // walls if walls else 0
