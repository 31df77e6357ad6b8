"""When a run with a target is precise enough: every named half-width, looked at after whole batches only.

What is named: in every cell the points per deal of each strategy, where the line-up has more than one; where it has
one, whose points are 0 by design, the dealer edge. The target must be met at one look and at `look_ahead` further ones
in a row, so that a lucky look does not end a run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.statistics.estimate import estimate_of, round_off
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.tournament.plan import Cell, Plan
    from sim.tournament.totals import Totals


@dataclass
class PrecisionRule:
    """Stops a run once its intervals are narrow enough.

    Parameters
    ----------
    plan
        A plan with a target.
    """

    plan: Plan
    looks: list[dict[str, Any]] = field(default_factory=list)
    """What each look found: walls, and the widest half-width and whose it was."""

    def look(self, walls: int, totals: Mapping[int, Totals]) -> str | None:
        """Look at the results so far.

        Parameters
        ----------
        walls
            Walls played in every cell.
        totals
            Totals of each cell.

        Returns
        -------
        str or None
            Why to stop; None to go on.
        """
        target = self.plan.target
        if target is None:
            return None
        width, whose = max(
            (item for cell in self.plan.cells for item in named_half_widths(cell, totals[cell.index])),
            key=lambda item: item[0],
        )
        self.looks.append({"walls": walls, "half_width": round_off(width), "of": whose})
        if walls < target["min_walls"]:
            return None
        met = [look["half_width"] is not None and look["half_width"] <= target["half_width"] for look in self.looks]
        needed = target["look_ahead"] + 1
        if len(met) < needed or not all(met[-needed:]):
            return None
        wanted = target["half_width"]
        return f"target met: the widest interval is ±{width:.4g} points per deal ({whose}), wanted ±{wanted:g}"

    def facts(self) -> list[dict[str, Any]]:
        """Give what the looks found."""
        return self.looks


def named_half_widths(cell: Cell, totals: Totals) -> list[tuple[float, str]]:
    """List the half-widths that a target is about, and whose they are.

    Parameters
    ----------
    cell
        A cell.
    totals
        Its totals.

    Returns
    -------
    list of (half-width, name)
        Infinite where there are too few blocks.
    """
    where, groups = f"{cell.preset}, {cell.line_up}", cell.group_of_slot
    if len(cell.groups) == 1:
        found = [(estimate_of(totals, "points", DEALS, kind="seat", index=0, groups=groups), f"{where}: dealer edge")]
    else:
        found = [
            (estimate_of(totals, "points", DEALS, kind="strategy", index=index, groups=groups), f"{where}: {name}")
            for index, name in enumerate(cell.groups)
        ]
    return [(float("inf") if item.half_width is None else item.half_width, name) for item, name in found]
