"""A metric of one cell less the same of another on the same walls: interval, p-value, and what pairing has gained.

Not in here: the formula of a difference of two ratios (`sim.statistics.paired`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.statistics.estimate import t_quantile
from sim.statistics.paired import CrossSums, difference_of

if TYPE_CHECKING:
    from sim.statistics.estimate import Estimate
    from sim.statistics.paired import RatioSums


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


def subtract(here: RatioSums, there: RatioSums, cross: CrossSums) -> Difference:
    """Estimate the difference of two ratios over the same blocks.

    Parameters
    ----------
    here, there
        The two cells.
    cross
        What ties them.

    Returns
    -------
    Difference
        Of ``here`` less ``there``.
    """
    one, other = here.value, there.value
    if one is None or other is None:
        return Difference(None, None, None, here.blocks, one, other, None, None)
    found = difference_of(here, there, cross)
    if found is None:
        return Difference(one - other, None, None, here.blocks, one, other, None, None)
    own, their, both = here.variance, there.variance, found.error**2
    correlation = (own + their - both) / (2 * math.sqrt(own * their)) if own and their else None
    return Difference(
        found.value,
        found.half_width,
        found.p if found.error else None,
        found.blocks,
        one,
        other,
        correlation,
        (own + their) / both if both else None,
    )


def cross_of_equal(here: RatioSums, there: RatioSums, products: int) -> CrossSums:
    """Give what ties two cells for a metric whose denominator is the same in every block.

    Parameters
    ----------
    here, there
        The cells; at least one block.
    products
        Sum over blocks of the numerator's block sum here times that there.
    """
    mine, theirs = here.other // here.blocks, there.other // there.blocks
    return CrossSums(products, here.one * theirs, mine * there.one, mine * theirs * here.blocks)


def p_of(estimate: Estimate) -> float | None:
    """Give the two-sided p-value of "this difference is 0".

    Parameters
    ----------
    estimate
        The difference, with its interval.

    Returns
    -------
    float or None
        None without an interval; 0 where all blocks have the same difference, and it is not 0.
    """
    if estimate.value is None or estimate.half_width is None:
        return None
    if estimate.half_width == 0:
        return 0.0 if estimate.value else 1.0
    freedom = estimate.blocks - 1
    return p_value(estimate.value * t_quantile(freedom) / estimate.half_width, freedom)


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
