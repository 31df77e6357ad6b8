"""How many blocks are needed: for an interval of a given width, or to see a difference of a given size.

Everything follows from the standard deviation of a block's value, wherever it comes from: an estimate's half-width over
its blocks, or the blocks themselves. The value may be a mean, a difference of two strategies, or a paired difference of
two presets; for ratios it is the block's share in the estimate (delta method).

Not in here: pilots (`sim.statistics.pilot`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sim.statistics.estimate import t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from sim.statistics.estimate import Estimate

NORMAL_FROM: Final = 50_000
"""Blocks from which a t-test's power is that of a normal one, to four digits."""
MOST_BLOCKS: Final = 10**18
"""No search goes further."""


@dataclass(frozen=True)
class Spread:
    """How a block's value scatters, as a pilot saw it."""

    blocks: int
    """Blocks of the pilot."""
    mean: float
    """Mean of the blocks' values: the pilot's estimate."""
    deviation: float
    """Their standard deviation."""
    kurtosis: float = 0.0
    """Their excess kurtosis, 0 for a normal distribution and where it is not known."""

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the chi-square that the variance follows, about; heavy tails leave fewer.

        Var(s²)/σ⁴ is κ/n + 2/(n - 1) for an excess kurtosis κ, and 2/d for a chi-square of d degrees of freedom.
        """
        return 2 / (max(self.kurtosis, 0.0) / self.blocks + 2 / (self.blocks - 1))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the standard deviation, by chi-square."""
        from scipy.special import chdtri  # noqa: PLC0415 - only needed here

        low, high = (float(chdtri(self.freedom, chance)) for chance in (0.025, 0.975))
        return self.deviation * math.sqrt(self.freedom / low), self.deviation * math.sqrt(self.freedom / high)


def spread_of_estimate(estimate: Estimate) -> Spread | None:
    """Read the spread of a block out of an estimate.

    Parameters
    ----------
    estimate
        With an interval ± t(97.5 %, n - 1)·s/√n.

    Returns
    -------
    Spread or None
        None if the estimate has no interval.
    """
    if estimate.value is None or estimate.half_width is None:
        return None
    error = estimate.half_width / t_quantile(estimate.blocks - 1)
    return Spread(estimate.blocks, estimate.value, error * math.sqrt(estimate.blocks))


def spread_of_blocks(values: npt.NDArray[np.float64]) -> Spread | None:
    """Measure the spread of blocks.

    Parameters
    ----------
    values : float64, shape (n,)
        The value of each block.

    Returns
    -------
    Spread or None
        None with fewer than two blocks.
    """
    if len(values) < 2:
        return None
    far = values - values.mean()
    variance = float((far**2).mean())
    kurtosis = float((far**4).mean()) / variance**2 - 3 if variance > 0 else 0.0
    return Spread(len(values), float(values.mean()), float(values.std(ddof=1)), kurtosis)


def half_width_of(deviation: float, blocks: int) -> float:
    """Give half of the 95 % interval that so many blocks give.

    Parameters
    ----------
    deviation
        Standard deviation of a block.
    blocks
        Blocks, at least 2.
    """
    return t_quantile(blocks - 1) * deviation / math.sqrt(blocks)


def blocks_for_half_width(deviation: float, half_width: float) -> int:
    """Give the fewest blocks whose 95 % interval is narrow enough.

    Parameters
    ----------
    deviation
        Standard deviation of a block.
    half_width
        Half of the interval.

    Examples
    --------
    >>> blocks_for_half_width(1.0, 0.02)
    9606
    """
    return _fewest(lambda blocks: half_width_of(deviation, blocks) <= half_width, (1.96 * deviation / half_width) ** 2)


def power_of(blocks: int, effect: float, alpha: float = 0.05) -> float:
    """Give the chance that a two-sided t-test of so many blocks finds a difference.

    Parameters
    ----------
    blocks
        Blocks, at least 2.
    effect
        The true difference, in standard deviations of a block.
    alpha
        Chance to find one where there is none.
    """
    from scipy.special import nctdtr, ndtr, ndtri, stdtrit  # noqa: PLC0415 - only needed here

    shift = abs(effect) * math.sqrt(blocks)
    if blocks >= NORMAL_FROM:
        bound = float(ndtri(1 - alpha / 2))
        return float(ndtr(shift - bound) + ndtr(-shift - bound))
    bound = float(stdtrit(blocks - 1, 1 - alpha / 2))
    return float(1 - nctdtr(blocks - 1, shift, bound) + nctdtr(blocks - 1, shift, -bound)) if shift < 30 else 1.0


def blocks_for_difference(deviation: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int:
    """Give the fewest blocks with which a two-sided t-test finds a difference with the power wanted.

    Parameters
    ----------
    deviation
        Standard deviation of a block.
    difference
        The true difference, not 0.
    alpha
        Chance to find one where there is none.
    power
        Chance to find the difference.

    Examples
    --------
    >>> blocks_for_difference(1.0, 0.5)
    34
    """
    if deviation == 0:
        return 2
    from scipy.special import ndtri  # noqa: PLC0415 - only needed here

    effect = abs(difference) / deviation
    guess = ((float(ndtri(1 - alpha / 2)) + float(ndtri(power))) / effect) ** 2
    return _fewest(lambda blocks: power_of(blocks, effect, alpha) >= power, guess)


def _fewest(is_enough: Callable[[int], bool], guess: float) -> int:
    """Find the fewest blocks, at least 2, that are enough; more than `MOST_BLOCKS` are not looked at."""
    if guess >= MOST_BLOCKS:
        return MOST_BLOCKS
    low, high = 1, max(2, int(guess))
    while not is_enough(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
