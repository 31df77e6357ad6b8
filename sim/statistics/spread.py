"""Spread and tails of the points of single deals: standard deviation, skewness, 1 % and 99 % quantiles.

They come from how often each number of points came (`Totals.counts`). Deals of a block are not independent. For the
standard deviation the ledger keeps what that does to it (`Totals.slots`); for the others it is bounded: the mean over a
block varies no more than a single deal does, so these intervals count each block as one deal. They are wider than 95 %
intervals need be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sim.statistics.estimate import t_quantile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.tournament.totals import Totals

TAIL: Final = 0.01
"""The share of deals beyond each of the two quantiles."""
SPREAD_UNITS: Final = {
    "points_sd": "points",
    "points_skew": "skewness",
    "points_q01": "points",
    "points_q99": "points",
}
"""What is measured, and its unit."""


@dataclass(frozen=True)
class Bounded:
    """A figure with an interval of at least 95 %."""

    value: float | None
    """The figure; None where it does not exist."""
    half_width: float | None
    """Half of its interval; None where there is none."""


def spread_of_group(totals: Totals, group: int) -> dict[str, Bounded]:
    """Measure spread and tails of a strategy's points.

    Parameters
    ----------
    totals
        Totals of a cell.
    group
        The strategy, by its place among the line-up's strategies.
    """
    found = spread_of(totals.counts[group], totals.walls)
    width = _width_of_sd(totals, group, totals.counts[group])
    return found if width is None else found | {"points_sd": replace(found["points_sd"], half_width=width)}


def spread_of_all(totals: Totals) -> Bounded:
    """Measure the standard deviation of a seat's points, over all seats.

    Parameters
    ----------
    totals
        Totals of a cell.
    """
    counts: dict[int, int] = {}
    for part in totals.counts:
        for points, count in part.items():
            counts[points] = counts.get(points, 0) + count
    found = spread_of(counts, totals.walls)["points_sd"]
    width = _width_of_sd(totals, totals.groups, counts)
    return found if width is None else replace(found, half_width=width)


def _width_of_sd(totals: Totals, place: int, counts: Mapping[int, int]) -> float | None:
    """Give half of the interval of a standard deviation, by the delta method over blocks; None where it is not kept.

    With block sums q of squared points and x of points over B seats of a block, and the mean m, a block's share in the
    variance is v = (q - 2·m·x)/B.
    """
    n, total = totals.walls, sum(counts.values())
    if n < 2 or "squares" not in totals.slots:
        return None
    mean = sum(x * count for x, count in counts.items()) / total
    second = sum(x * x * count for x, count in counts.items())
    block = total / n
    own = (
        totals.product_of("points", "points", "strategy", place) if place < totals.groups else 0
    )  # all: 0 by the rules
    one = (second - 2 * mean * mean * total) / block
    two = totals.slots["squares"][place] - 4 * mean * totals.slots["squares*points"][place] + 4 * mean * mean * own
    variance = second / total - mean * mean
    error = math.sqrt(max(two / (block * block) - one * one / n, 0.0) / (n * (n - 1)))
    return t_quantile(n - 1) * error / (2 * math.sqrt(variance)) if variance > 0 else 0.0


def spread_of(counts: Mapping[int, int], blocks: int) -> dict[str, Bounded]:
    """Measure spread and tails.

    With z = (x - mean) / sd, a deal moves the standard deviation by sd·(z² - 1)/2 and the skewness g by
    z³ - g - 3·z - 3·g·(z² - 1)/2 (their influence functions); the variance of these over deals, divided by the number
    of blocks, bounds the variance of the estimates. The interval of the q-quantile reaches to the quantiles of
    q ± t·√(q·(1 - q)/blocks) (Woodruff's method).

    Parameters
    ----------
    counts
        How often each number of points came.
    blocks
        Blocks that these deals come from.

    Returns
    -------
    dict of Bounded
        By the names of `SPREAD_UNITS`.
    """
    total = sum(counts.values())
    nothing = dict.fromkeys(SPREAD_UNITS, Bounded(None, None))
    if total < 2:
        return nothing
    mean = sum(x * n for x, n in counts.items()) / total
    variance = sum((x - mean) ** 2 * n for x, n in counts.items()) / total
    values = sorted(counts)
    ends = {name: _quantile(counts, values, share, blocks) for name, share in (("q01", TAIL), ("q99", 1 - TAIL))}
    found = nothing | {f"points_{name}": end for name, end in ends.items()}
    if variance == 0:
        return found | {"points_sd": Bounded(0.0, 0.0)}
    sd = math.sqrt(variance)
    skew = sum(((x - mean) / sd) ** 3 * n for x, n in counts.items()) / total
    of_sd = of_skew = 0.0
    for x, n in counts.items():
        z = (x - mean) / sd
        of_sd += n * (sd * (z * z - 1) / 2) ** 2
        of_skew += n * (z**3 - skew - 3 * z - 1.5 * skew * (z * z - 1)) ** 2
    factor = t_quantile(blocks - 1) / math.sqrt(blocks) if blocks > 1 else None
    widths = [None if factor is None else factor * math.sqrt(square / total) for square in (of_sd, of_skew)]
    sample = sd * math.sqrt(total / (total - 1))
    return found | {"points_sd": Bounded(sample, widths[0]), "points_skew": Bounded(skew, widths[1])}


def _quantile(counts: Mapping[int, int], values: list[int], share: float, blocks: int) -> Bounded:
    """Give a quantile with Woodruff's interval."""
    value = _value_at(counts, values, share)
    if blocks < 2:
        return Bounded(float(value), None)
    room = t_quantile(blocks - 1) * math.sqrt(share * (1 - share) / blocks)
    low, high = (_value_at(counts, values, min(max(at, 0.0), 1.0)) for at in (share - room, share + room))
    return Bounded(float(value), float(max(value - low, high - value)))


def _value_at(counts: Mapping[int, int], values: list[int], share: float) -> int:
    """Give the smallest value that at least this share of deals does not exceed."""
    needed = share * sum(counts.values())
    seen = 0
    for value in values:
        seen += counts[value]
        if seen >= needed:
            return value
    return values[-1]


def spread_difference(here: Bounded, there: Bounded) -> Bounded:
    """Subtract two such figures; the interval is that of independent ones, too wide where walls are shared.

    Parameters
    ----------
    here, there
        The figures.
    """
    if here.value is None or there.value is None:
        return Bounded(None, None)
    if here.half_width is None or there.half_width is None:
        return Bounded(here.value - there.value, None)
    return Bounded(here.value - there.value, math.hypot(here.half_width, there.half_width))
