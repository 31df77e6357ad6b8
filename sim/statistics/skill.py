"""Fairness and skill of a cell: what seats are worth, and how soon the better of two strategies is told from the other.

Skill is measured as a signal-to-noise ratio: the difference of two strategies' points per deal over the standard
deviation of that difference in one deal (each strategy's mean over its slots). From it follow the deals that an
observer of ordinary play, who has no duplicate walls, needs to tell the two apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sim.statistics.estimate import Estimate, estimate_of, t_quantile
from sim.statistics.spread import spread_of_all
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from sim.statistics.family import Family, Unit
    from sim.tournament.plan import Cell

SEATS: Final = 4
_Z: Final = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 97.5 % and 80 %: a two-sided test at 5 % that sees a true difference with 80 %."""


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
    """Half of its 95 % interval, over walls."""
    deviation: float
    """Standard deviation of the difference in one deal."""
    ratio: float
    """Difference over deviation."""
    ratio_half_width: float | None
    """Half of the 95 % interval of the ratio, by the delta method; the relative error of the deviation is taken as that
    of a seat's points."""

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
    return math.ceil(_Z * _Z / (ratio * ratio)) if ratio else None


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
        None if the difference is the same in all deals, or what is needed was not kept.
    """
    totals = family.totals[cell.index]
    if not totals.slots or not totals.walls:
        return None
    members = [[slot for slot in range(SEATS) if family.groups[slot] == unit.index] for unit in (first, second)]
    weights = [Fraction((slot in members[0]) * len(members[1]) - (slot in members[1]) * len(members[0]),
                        len(members[0]) * len(members[1])) for slot in range(SEATS)]  # fmt: skip
    total = sum(weight * totals.sum_of("points", "slot", slot) for slot, weight in enumerate(weights))
    deals, walls = totals.walls * len(cell.seatings), totals.walls
    by_deal, by_wall = (
        sum(
            weights[place // SEATS] * weights[place % SEATS] * product
            for place, product in enumerate(totals.slots[name])
        )
        for name in ("deal", "wall")
    )
    deviation = math.sqrt((by_deal - total * total / deals) / (deals - 1)) if deals > 1 else 0.0
    if deviation == 0:
        return None
    difference = float(total / deals)
    ratio = difference / deviation
    width = None
    if walls > 1:
        error = math.sqrt((by_wall - total * total / walls) * walls / (walls - 1)) / deals
        width = t_quantile(walls - 1) * error
    spread = spread_of_all(totals)
    if width is None or not spread.value or spread.half_width is None:
        return Skill(first.name, second.name, difference, width, deviation, ratio, None)
    room = math.hypot(width / deviation, ratio * spread.half_width / spread.value)
    return Skill(first.name, second.name, difference, width, deviation, ratio, room)


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
