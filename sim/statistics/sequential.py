"""A sequential test of a difference: the normalised GSPRT on blocks, and what is to be said after it stopped.

With the mean x of N blocks, their standard deviation s and t = x / s, the log-likelihood ratio of the hypotheses "the
difference is t1" and "it is t0" (both in standard deviations of a block) is
N/2 · ln[(1 + (t - t0)²) / (1 + (t - t1)²)]: the variance is estimated under each hypothesis, which is what keeps the
errors at their size on blocks with heavy tails. The test stops at ln(beta / (1 - alpha)) and ln((1 - beta) / alpha).
Looks are taken after fixed batches of blocks, never one by one. The ratio rises with t only up to about one standard
deviation from the middle of the hypotheses; a t farther out counts as one there.

Not in here: where the blocks come from (`sim.statistics.contrast`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

SMALLEST_BATCH: Final = 16
_GRID: Final = 241
"""Points at which a density is followed from look to look."""
_MOST_POINTS: Final = 1_500
_NOTHING: Final = 1e-9
"""A chance that does not matter."""
_FAR: Final = 40.0


@dataclass(frozen=True)
class Bounds:
    """What a sequential test is about."""

    low: float
    """The difference of a block under the first hypothesis, in standard deviations."""
    high: float
    """The same under the second hypothesis."""
    alpha: float = 0.05
    """Chance to accept the second hypothesis where the first one holds."""
    beta: float = 0.05
    """Chance to accept the first hypothesis where the second one holds."""

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which the first hypothesis is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which the second hypothesis is accepted."""
        return math.log((1 - self.beta) / self.alpha)


def log_likelihood_ratio(blocks: int, mean: float, deviation: float, bounds: Bounds) -> float:
    """Give the log-likelihood ratio of "high" to "low".

    Parameters
    ----------
    blocks
        Blocks so far.
    mean
        Their mean.
    deviation
        Their standard deviation; more than 0.
    bounds
        The test.

    Examples
    --------
    >>> round(log_likelihood_ratio(1000, 0.05, 1.0, Bounds(0.0, 0.1)), 9)
    0.0
    """
    middle, half = (bounds.low + bounds.high) / 2, (bounds.high - bounds.low) / 2
    farthest = math.sqrt(1 + half * half)
    t = middle + min(max(mean / deviation - middle, -farthest), farthest)
    return blocks / 2 * math.log((1 + (t - bounds.low) ** 2) / (1 + (t - bounds.high) ** 2))


def decide(ratio: float, bounds: Bounds) -> int:
    """Say which hypothesis is accepted: 1 the second, -1 the first, 0 neither yet.

    Parameters
    ----------
    ratio
        The log-likelihood ratio.
    bounds
        The test.
    """
    return 1 if ratio >= bounds.upper else -1 if ratio <= bounds.lower else 0


def superiority(blocks: int, mean: float, deviation: float, reference: float = 0.0) -> float:
    """Give one minus the one-sided p-value of "no better than the reference"; it is no posterior probability.

    Parameters
    ----------
    blocks, mean, deviation
        The blocks.
    reference
        The difference to beat.
    """
    from scipy.special import ndtr  # noqa: PLC0415 - only needed here

    return float(ndtr((mean - reference) / (deviation / math.sqrt(blocks))))


@dataclass(frozen=True)
class Unbiased:
    """A median-unbiased estimate after a sequential test, with its interval."""

    value: float
    """The estimate: as often too high as too low."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end of the 95 % interval."""


def median_unbiased(looks: int, batch: int, t: float, decision: int, bounds: Bounds, first: int = 1) -> Unbiased:
    """Estimate the difference after a sequential test, in standard deviations of a block.

    The plain mean is too extreme, since the test stops where the mean happens to be far out. Outcomes are ordered by
    stage: an earlier stop at the upper bound is more extreme than a later one, and so on; the estimate is the
    difference under which the outcome is its median. Block sums are taken as normal with known variance.

    Parameters
    ----------
    looks
        At how many looks something was decided, or not.
    batch
        Blocks between two looks.
    t
        Mean of all blocks over their standard deviation.
    decision
        1 or -1 for the hypothesis accepted at the last look, 0 if the blocks ran out.
    bounds
        The test.
    first
        The first look at which the test could stop at all.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - only needed here

    blocks = looks * batch
    spread = 1 / math.sqrt(blocks)
    chance = _chance_of_more(looks, batch, t, decision, bounds, first)

    def solve(wanted: float) -> float:
        low, high = t, t
        while chance(low) > wanted:
            low -= 3 * spread
        while chance(high) < wanted:
            high += 3 * spread
        return float(brentq(lambda theta: chance(theta) - wanted, low, high, xtol=spread / 1000))

    return Unbiased(solve(0.5), solve(0.025), solve(0.975))


def _threshold(blocks: int, ratio: float, bounds: Bounds) -> float:
    """Give the t at which the log-likelihood ratio has a value, infinite where so few blocks cannot give it."""
    half = (bounds.high - bounds.low) / 2
    odds = math.exp(min(2 * ratio / blocks, _FAR))
    # (1 + (u + half)²) = odds · (1 + (u - half)²) for u = t - middle; the root nearer to the middle.
    a, b = 1 - odds, half * (1 + odds)
    rest = b * b - (a * (1 + half * half)) * a
    if rest < 0:
        return math.copysign(math.inf, ratio)
    u = 0.0 if a == 0 else -a * (1 + half * half) / (b + math.sqrt(rest))
    return (bounds.low + bounds.high) / 2 + u


@dataclass(frozen=True)
class _Grid:
    """Where a density is followed."""

    points: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]

    def is_near(self, low: float, high: float) -> bool:
        """Tell whether lines stand almost where this grid ends."""
        room = 0.003 * (high - low)
        return bool(abs(low - self.points[0]) < room and abs(high - self.points[-1]) < room)


def _grid(floor: float, ceiling: float, step: float) -> _Grid:
    """Lay points between two stopping lines, dense enough for moves of one look."""
    count = int(min(max(_GRID, 4 * (ceiling - floor) / step), _MOST_POINTS))
    points = np.linspace(floor, ceiling, count)
    weights = np.full(count, points[1] - points[0])
    weights[[0, -1]] /= 2
    return _Grid(points, weights)


def _chance_of_more(
    looks: int, batch: int, t: float, decision: int, bounds: Bounds, first: int
) -> Callable[[float], float]:
    """Give the chance of an outcome at least as high as the one seen, as a function of the true difference.

    The density of the block sum is followed from look to look between the lines at which the test stops.
    """
    from scipy.special import ndtr  # noqa: PLC0415

    middle = (bounds.low + bounds.high) / 2  # the sum is followed less this for each block: then the lines hardly move
    lines = []
    for n in range(max(first, 1) * batch, looks * batch, batch):
        low, high = (n * (_threshold(n, ratio, bounds) - middle) for ratio in (bounds.lower, bounds.upper))
        if math.isfinite(low) or math.isfinite(high):
            lines.append((n, low, high))
    seen, step = (t - middle) * looks * batch, math.sqrt(batch)

    def normal(moves: Any) -> Any:
        return np.exp(-(moves**2) / 2) / (step * math.sqrt(2 * math.pi))

    def chance(truth: float) -> float:
        theta = truth - middle
        drift = theta * batch
        rose = fell = 0.0
        grid: _Grid | None = None
        density = np.empty(0)
        kernel: Any = None
        for n, floor, ceiling in lines:
            far = 8 * math.sqrt(n)
            low, high = max(floor, theta * n - far), min(ceiling, theta * n + far)
            if low >= high:  # all but nothing is left between the lines
                return rose + (1 - rose - fell if theta * n >= ceiling else 0.0)
            if grid is None:  # nothing could stop before: the sum is normal
                spread = math.sqrt(n)
                rose, fell = float(ndtr((theta * n - ceiling) / spread)), float(ndtr((floor - theta * n) / spread))
                grid = _grid(low, high, step)
                density = np.exp(-(((grid.points - theta * n) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
                continue
            mass = density * grid.weights
            if not grid.is_near(low, high):
                new = _grid(low, high, step)
                density = normal((new.points[:, None] - grid.points[None, :] - drift) / step) @ mass
                rose += float(ndtr((grid.points + drift - ceiling) / step) @ mass)
                fell += float(ndtr((floor - grid.points - drift) / step) @ mass)
                grid, kernel = new, None
            else:  # the lines have hardly moved
                if kernel is None:
                    kernel = (
                        normal((grid.points[:, None] - grid.points[None, :] - drift) / step),
                        ndtr((grid.points + drift - min(ceiling, grid.points[-1])) / step),
                        ndtr((max(floor, grid.points[0]) - grid.points - drift) / step),
                    )
                rose, fell = rose + float(kernel[1] @ mass), fell + float(kernel[2] @ mass)
                density = kernel[0] @ mass
            if density @ grid.weights < _NOTHING:
                return rose + (float(density @ grid.weights) if decision >= 0 else 0.0)
        if grid is None:
            return float(ndtr((theta * looks * batch - seen) / math.sqrt(looks * batch)))
        mass = density * grid.weights
        if decision < 0:
            return 1.0 - fell - float(ndtr((seen - grid.points - drift) / step) @ mass)
        return rose + float(ndtr((grid.points + drift - seen) / step) @ mass)

    return chance
