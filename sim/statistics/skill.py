"""Fairness and skill of a cell: what seats are worth, and how soon the better of two strategies is told from the other.

Skill is measured as a signal-to-noise ratio: the difference of two strategies' points per deal over the standard
deviation of a seat's points in one deal. From it follow the deals that an observer of ordinary play, who has no
duplicate walls, needs to tell the two apart. These are approximations, and say so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sim.statistics.estimate import Estimate, estimate_of
from sim.statistics.spread import spread_of
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from sim.statistics.family import Family, Unit
    from sim.tournament.plan import Cell

SEATS: Final = 4
_Z: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 97.5 % and 80 %: a two-sided test at 5 % that sees a true difference with 80 %."""
_PAIR: Final = 8 / 3
"""Variance of the difference of two seats of a deal, in variances of one: points sum to 0 over four seats, so two of
them correlate with -1/3 where seats are alike."""


@dataclass(frozen=True)
class Skill:
    """How much two strategies of a cell differ, against the noise of a deal."""

    first: str
    """The strategy whose points count as positive."""
    second: str
    """The other one."""
    difference: float
    """Difference of their points per deal."""
    half_width: float | None
    """Half of its 95 % interval; at most that where others sit at the table too."""
    deviation: float
    """Standard deviation of a seat's points in one deal, over all seats."""
    ratio: float
    """Difference over deviation."""
    ratio_half_width: float | None
    """Half of the 95 % interval of the ratio, by the delta method."""

    @property
    def deals(self) -> int | None:
        """Deals of ordinary play in which a test at 5 % sees the difference with 80 %; None if there is none."""
        return _deals(self.ratio)

    @property
    def fewest(self) -> int | None:
        """The same for the far end of the ratio's interval."""
        return None if self.ratio_half_width is None else _deals(abs(self.ratio) + self.ratio_half_width)

    @property
    def most(self) -> int | None:
        """The same for the near end; None if the interval holds 0, so that no number of deals may do."""
        if self.ratio_half_width is None or abs(self.ratio) <= self.ratio_half_width:
            return None
        return _deals(abs(self.ratio) - self.ratio_half_width)


def _deals(ratio: float) -> int | None:
    """Give the deals in which a signal-to-noise ratio shows."""
    return math.ceil(_Z * _Z * _PAIR / (ratio * ratio)) if ratio else None


def skill_of(family: Family, cell: Cell, first: Unit, second: Unit) -> Skill | None:
    """Compare two strategies of a cell with the noise of its deals.

    Parameters
    ----------
    family
        The family.
    cell
        One of its cells.
    first, second
        Two strategies of its line-up.

    Returns
    -------
    Skill or None
        None if points never differ, or their counts were not kept.
    """
    totals = family.totals[cell.index]
    one, other = (
        estimate_of(totals, "points", DEALS, kind="strategy", index=unit.index, groups=family.groups)
        for unit in (first, second)
    )
    counts: dict[int, int] = {}
    for part in totals.counts:
        for points, count in part.items():
            counts[points] = counts.get(points, 0) + count
    spread = spread_of(counts, totals.walls)["points_sd"]
    if not spread.value or one.value is None or other.value is None:
        return None
    # With two strategies the points of one are those of the other with the sign changed; with more of them the
    # covariance of two is not kept, and the interval is as wide as if they moved against each other.
    width = None if one.half_width is None or other.half_width is None else one.half_width + other.half_width
    difference = one.value - other.value
    ratio = difference / spread.value
    if width is None or spread.half_width is None:
        return Skill(first.name, second.name, difference, width, spread.value, ratio, None)
    room = math.hypot(width, ratio * spread.half_width) / spread.value
    return Skill(first.name, second.name, difference, width, spread.value, ratio, room)


def compensation_of(family: Family, cell: Cell) -> tuple[Estimate, ...]:
    """Give for each seat the points per deal that would make it worth as much as any other: less its mean points.

    Parameters
    ----------
    family
        The family.
    cell
        One of its cells.
    """
    totals = family.totals[cell.index]
    found = []
    for seat in range(SEATS):
        own = estimate_of(totals, "points", DEALS, kind="seat", index=seat, groups=family.groups)
        value = None if own.value is None else 0.0 - own.value
        found.append(Estimate(-own.numerator, own.denominator, own.blocks, value, own.half_width))
    return tuple(found)
