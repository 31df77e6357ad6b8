"""One cell of a ladder against another: differences of all measures of rating drift, with intervals.

Cells that share their seeds have the same players, who come and think alike, and the same walls: their differences are
taken replication by replication. Others are compared as independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sim.ladder.drift import MEASURES
from sim.ladder.measures import Interval, interval_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.ladder.drift import CellDrift


LEVEL: Final = 0.05
"""How often no difference at all may be called one."""
POWER: Final = 0.8
"""How often a true difference should be seen."""

MOST_REPLICATIONS: Final = 1_000_000_000
"""More replications than this are not counted: nobody can play them."""


@dataclass(frozen=True)
class Difference:
    """A measure of one cell less that of another."""

    measure: str
    """One of `MEASURES`."""
    one: Interval
    """The measure of the one."""
    other: Interval
    """Of the other."""
    value: float
    """One less other, over the replications that both tell where they are paired."""
    half_width: float | None
    """Half of the 95 % interval; None with fewer than two replications."""
    detectable: float | None
    """The true difference that would be told from none with 80 % probability, at 5 % for it alone."""
    p: float | None
    """Two-sided p-value of no difference, before any adjustment."""
    adjusted: float | None
    """Adjusted by Holm's method for all differences that were taken together."""
    is_paired: bool
    """Whether replications were paired."""
    correlation: float | None
    """Of the paired values; None where they are not paired or do not vary."""


def compare_cells(one: CellDrift, other: CellDrift, *, is_paired: bool) -> list[Difference]:
    """Compare two cells, with p-values adjusted for all measures.

    Parameters
    ----------
    one, other
        The cells.
    is_paired
        Whether they had the same seeds, so that each replication of the one belongs to the same of the other.

    Returns
    -------
    list of Difference
        A row for each measure that both tell.
    """
    return adjust_all([row for name in MEASURES if (row := compare_measure(name, one, other, is_paired=is_paired))])


def compare_measure(name: str, one: CellDrift, other: CellDrift, *, is_paired: bool) -> Difference | None:
    """Compare one measure of two cells; the p-value is not adjusted.

    Parameters
    ----------
    name
        One of `MEASURES`.
    one, other, is_paired
        As in `compare_cells`.
    """
    of_one, of_other = one.interval(name), other.interval(name)
    if of_one is None or of_other is None:
        return None
    if is_paired:
        both = [(a, b) for a, b in zip(one.values[name], other.values[name], strict=False) if None not in (a, b)]
        if not both:
            return None
        firsts, seconds = np.array(both, dtype=np.float64).T
        away = interval_over(firsts - seconds)
        varies = len(both) > 2 and firsts.std() > 0 and seconds.std() > 0
        correlation = float(np.corrcoef(firsts, seconds)[0, 1]) if varies else None
        p = _p_value(away.value, away.half_width, away.count - 1)
        seen = detectable_of(away.half_width, away.count - 1)
        return Difference(name, of_one, of_other, away.value, away.half_width, seen, p, None, is_paired=True,
                          correlation=correlation)  # fmt: skip
    value = of_one.value - of_other.value
    half, freedom = _welch(of_one, of_other)
    p = _p_value(value, half, freedom)
    seen = detectable_of(half, freedom)
    return Difference(name, of_one, of_other, value, half, seen, p, None, is_paired=False, correlation=None)


def adjust_all(rows: Sequence[Difference]) -> list[Difference]:
    """Adjust the p-values of differences that are looked at together by Holm's method.

    Cells that are the same in every replication (a knob that changed nothing) are no question, and do not count.

    Parameters
    ----------
    rows
        The differences.
    """
    from sim.statistics.multiple import adjust  # noqa: PLC0415

    asked = [row.p for row in rows if row.p is not None and row.half_width != 0.0]
    left = iter(adjust(asked, "holm"))
    return [replace(row, adjusted=row.p if row.p is None or row.half_width == 0.0 else next(left)) for row in rows]


def detectable_of(half: float | None, freedom: float, *, questions: int = 1) -> float | None:
    """Give the least difference that would be told from none with 80 % probability.

    Parameters
    ----------
    half
        Half of the 95 % interval of the difference; None for none.
    freedom
        Its degrees of freedom.
    questions
        How many differences share the 5 %, each getting its part: what Holm's method asks of the first.
    """
    from scipy.special import stdtrit  # noqa: PLC0415

    if half is None or freedom <= 0:
        return None
    error = half / float(stdtrit(freedom, 0.975))
    return error * float(stdtrit(freedom, 1 - LEVEL / 2 / questions) + stdtrit(freedom, POWER))


def replications_for(size: float, row: Difference) -> float | None:
    """Give the replications with which a difference of some size would be told from none with 80 % probability.

    Parameters
    ----------
    size
        The size, more than 0.
    row
        A difference, from so many replications as there were: errors fall with the root of their number.

    Returns
    -------
    float or None
        A whole number, at least 2; infinite if it is more than `MOST_REPLICATIONS`; None if the spread of the
        difference is not known.
    """
    if row.detectable is None:
        return None
    count = min(row.one.count, row.other.count)
    if row.detectable > size * math.sqrt(MOST_REPLICATIONS / count):  # the square below could be too large for a float
        return math.inf
    return max(2, math.ceil(count * (row.detectable / size) ** 2))


def _welch(one: Interval, other: Interval) -> tuple[float | None, float]:
    """Give half of the interval of a difference of independent means, and its degrees of freedom (Welch 1947)."""
    from sim.statistics.estimate import t_quantile  # noqa: PLC0415

    if one.half_width is None or other.half_width is None:
        return None, 0.0
    squares = [(each.half_width or 0.0) / t_quantile(each.count - 1) for each in (one, other)]
    variances = [square**2 for square in squares]
    total = sum(variances)
    if total == 0.0:
        return 0.0, float(one.count + other.count - 2)
    freedom = total**2 / sum(v**2 / (each.count - 1) for v, each in zip(variances, (one, other), strict=True))
    from scipy.special import stdtrit  # noqa: PLC0415

    return float(stdtrit(freedom, 0.975)) * math.sqrt(total), freedom


def _p_value(value: float, half: float | None, freedom: float) -> float | None:
    """Give the two-sided p-value of a t-interval."""
    from scipy.special import stdtr, stdtrit  # noqa: PLC0415 - scipy.stats takes a second to load, these do not

    if half is None:
        return None
    if half == 0.0:
        return 1.0 if value == 0.0 else 0.0
    return float(2.0 * stdtr(freedom, -abs(value) / half * float(stdtrit(freedom, 0.975))))
