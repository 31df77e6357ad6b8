"""Estimates: a ratio of two sums over blocks, with a t-interval that takes the block as the unit.

A block is one wall with all seatings of its line-up; the deals of a block are not independent, blocks are. Everything
stays a whole number until the last division, so that a result is the same in whatever order its parts were added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from sim.tournament.totals import Kind, Totals

CONFIDENCE: Final = 0.95
"""Coverage of every interval."""


@dataclass(frozen=True)
class Estimate:
    """A ratio, with what it was made of."""

    numerator: int
    """Sum over all blocks of what is counted."""
    denominator: int
    """Sum over all blocks of what it is divided by."""
    blocks: int
    """Blocks."""
    value: float | None
    """The ratio; None if the denominator is 0."""
    half_width: float | None
    """Half of the 95 % interval; None with fewer than two blocks, or without a value."""

    @property
    def low(self) -> float | None:
        """Lower end of the interval."""
        return None if self.value is None or self.half_width is None else self.value - self.half_width

    @property
    def high(self) -> float | None:
        """Upper end of the interval."""
        return None if self.value is None or self.half_width is None else self.value + self.half_width


def estimate_ratio(blocks: int, one: int, other: int, *, one_one: int, one_other: int, other_other: int) -> Estimate:
    """Estimate the ratio of two quantities from sums over blocks.

    With block sums xᵢ and yᵢ of n blocks the ratio is R = Σx / Σy, and its standard error
    √(n / (n - 1) · Σ(xᵢ - R·yᵢ)²) / Σy: exactly that of a mean of block means where all yᵢ are equal, and the delta
    method where they vary. The interval is ± t(97.5 %, n - 1) standard errors.

    Parameters
    ----------
    blocks
        n.
    one, other
        Σx and Σy.
    one_one, one_other, other_other
        Σx², Σxy and Σy².

    Returns
    -------
    Estimate
        With value None if Σy is 0.

    Examples
    --------
    >>> estimate_ratio(4, 6, 4, one_one=14, one_other=6, other_other=4).value
    1.5
    """
    if other == 0:
        return Estimate(one, other, blocks, None, None)
    value = one / other
    if blocks < 2:
        return Estimate(one, other, blocks, value, None)
    # Σ(x - R·y)² · (Σy)², a whole number
    spread = one_one * other * other - 2 * one_other * one * other + other_other * one * one
    error = math.sqrt((blocks * spread) / ((blocks - 1) * other**4))
    return Estimate(one, other, blocks, value, t_quantile(blocks - 1) * error)


def estimate_of(
    totals: Totals, numerator: str, denominator: str, *, kind: Kind, index: int, groups: tuple[int, ...]
) -> Estimate:
    """Estimate a ratio for a strategy or a seat from a cell's totals.

    Parameters
    ----------
    totals
        The cell's totals.
    numerator, denominator
        Quantities.
    kind, index
        Which strategy (by its place among the line-up's strategies) or seat.
    groups
        The group of each slot.
    """
    one, other = (totals.sum_of(name, kind, index, groups) for name in (numerator, denominator))
    one_one = totals.product_of(numerator, numerator, kind, index)
    other_other = totals.product_of(denominator, denominator, kind, index)
    if denominator == DEALS:  # the same in every block
        one_other = one * other // totals.walls if totals.walls else 0
    else:
        one_other = totals.product_of(numerator, denominator, kind, index)
    return estimate_ratio(totals.walls, one, other, one_one=one_one, one_other=one_other, other_other=other_other)


@cache
def t_quantile(freedom: int) -> float:
    """Give the factor of a two-sided 95 % t-interval.

    Parameters
    ----------
    freedom
        Degrees of freedom.

    Examples
    --------
    >>> round(t_quantile(9), 3)
    2.262
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy.stats takes a second to load, this does not

    return float(stdtrit(freedom, 0.5 + CONFIDENCE / 2))


def mean_and_deviation(count: int, total: int, squares: int) -> tuple[float | None, float | None]:
    """Give mean and standard deviation of single values (not blocks): what one deal is like, not how sure we are.

    Parameters
    ----------
    count
        Values.
    total
        Their sum.
    squares
        The sum of their squares.

    Returns
    -------
    mean, deviation
        None where there are too few values.
    """
    if count == 0:
        return None, None
    if count == 1:
        return float(total), None
    return total / count, math.sqrt((count * squares - total * total) / (count * (count - 1)))


def round_off(value: float | None) -> float | None:
    """Cut a number to twelve significant digits, so that files do not hang on the last bit; None if it is no number."""
    return float(f"{value:.12g}") if value is not None and abs(value) != float("inf") else None
