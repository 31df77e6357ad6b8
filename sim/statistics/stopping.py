"""When a run with a target is precise enough: every named half-width, looked at after whole batches only.

What is named: in every cell the points per deal of each strategy, where the line-up has more than one; where it has
one, whose points are 0 by design, the dealer edge. In a run with a design it is the effects: for every cell but the
reference the paired difference of these points to the reference (of each seat, where the line-up has one strategy). The
target must be met at one look and at `look_ahead` further ones in a row, so that a lucky look does not end a run. A
difference that fewer than `rare.FEW` walls make does not meet it, whatever its interval; none of `rare.FEWEST_WALLS`
does, and the reason says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.statistics.contrast import say_looks
from sim.statistics.effects import difference_of
from sim.statistics.estimate import estimate_of, round_off
from sim.statistics.family import families_of
from sim.statistics.rare import FEW, few_words, is_nothing, is_settled, nothing_words
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sim.statistics.family import Family
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.totals import Totals


@dataclass
class PrecisionRule:
    """Stops a run once its intervals are narrow enough.

    Parameters
    ----------
    plan
        A plan with a target.
    say
        Is told after the first look how many walls the target is going to need.
    """

    plan: Plan
    say: Callable[[str], None] | None = None
    looks: list[dict[str, Any]] = field(default_factory=list)
    """What each look found: walls, and the widest half-width and whose it was."""
    few: list[str] = field(default_factory=list)
    """Cells of which the last look saw too few changed walls, and how many."""
    has_waited: bool = False
    """Whether a look had to wait for them."""

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
        width, whose = max(all_half_widths(self.plan, totals), key=lambda item: item[0])
        self.looks.append({"walls": walls, "half_width": round_off(width), "of": whose})
        self.few = unsettled(self.plan, totals)
        self.has_waited |= bool(self.few) and walls >= target["min_walls"]
        if self.say is not None and len(self.looks) == 1 and math.isfinite(width):
            self.say(foresee(walls, width, target))
        if walls < target["min_walls"]:
            return None
        met = [look["half_width"] is not None and look["half_width"] <= target["half_width"] for look in self.looks]
        needed = target["look_ahead"] + 1
        if len(met) < needed or not all(met[-needed:]):
            return None
        wanted = target["half_width"]
        nothing = unchanged(self.plan, totals)
        if width == 0 and nothing:
            return f"{'; '.join(nothing)}; {say_looks(len(self.looks), target)}"
        met_by = f"the widest interval is ±{width:.4g} points per deal ({whose}), wanted ±{wanted:g}"
        waited = [f"played on until {FEW} walls had changed"] if self.has_waited else []
        return "; ".join([f"target met: {met_by}", *nothing, *waited, say_looks(len(self.looks), target)])

    def facts(self) -> list[dict[str, Any]]:
        """Give what the looks found."""
        return self.looks

    def shortfall(self) -> str:
        """Say after the last look what is missing to have stopped before."""
        last, wanted = self.looks[-1], (self.plan.target or {})["half_width"]
        if self.few:
            return f"target not reached: {'; '.join(self.few)}"
        if last["half_width"] is None:
            return "target not reached: too few walls for an interval"
        if last["half_width"] <= wanted:
            return f"target met at the last look only: the widest interval is ±{last['half_width']:.4g} ({last['of']})"
        return (
            f"target not reached: the widest interval is ±{last['half_width']:.4g} ({last['of']}), wanted ±{wanted:g}"
        )


def foresee(walls: int, width: float, target: Mapping[str, Any]) -> str:
    """Say how many walls a target is going to need.

    Parameters
    ----------
    walls
        Walls so far.
    width
        The widest half-width after them.
    target
        The plan's target.
    """
    needed = max(math.ceil(walls * (width / target["half_width"]) ** 2), target["min_walls"])
    words = (
        f"the widest interval is ±{width:.3g} after {walls:,} walls; ±{target['half_width']:g} needs about {needed:,}"
    )
    if needed <= target["max_walls"]:
        return words
    return f"{words}: more than max_walls {target['max_walls']:,}, so the target is not going to be met"


def all_half_widths(plan: Plan, totals: Mapping[int, Totals]) -> list[tuple[float, str]]:
    """List the half-widths that a target is about, of all cells, and whose they are.

    Parameters
    ----------
    plan
        The plan.
    totals
        Totals of each cell.

    Returns
    -------
    list of (half-width, name)
        Infinite where there are too few blocks, or too few changed deals. With a design those of effects, paired by
        wall.
    """
    found = [
        (
            math.inf
            if width is None or not is_settled(family.totals[cell.index].changed_walls, family.walls)
            else width,
            f"{family.line_up}, {cell.preset} less {family.reference.preset}: {name}",
        )
        for family, cell in _tied(plan, totals)
        for unit in family.main_units
        for name in (unit.name if unit.who == "strategy" else f"seat {unit.name}",)
        for width in (difference_of(family, family.totals[cell.index], unit).half_width,)
    ]
    return found or [item for cell in plan.cells for item in named_half_widths(cell, totals[cell.index])]


def unchanged(plan: Plan, totals: Mapping[int, Totals]) -> list[str]:
    """Say of each cell of a design of which no deal changed, of enough deals, what that is worth.

    Parameters
    ----------
    plan, totals
        As in `all_half_widths`.
    """
    return [
        f"{family.line_up}, {cell.preset}: {nothing_words(family.walls)}"
        for family, cell in _tied(plan, totals)
        if is_nothing(family.totals[cell.index].changed_walls, family.walls)
    ]


def unsettled(plan: Plan, totals: Mapping[int, Totals]) -> list[str]:
    """Say of each cell of a design of which too few deals changed how many did.

    Parameters
    ----------
    plan, totals
        As in `all_half_widths`.
    """
    return [
        f"{family.line_up}, {cell.preset}: {few_words(family.totals[cell.index].changed_walls)}"
        for family, cell in _tied(plan, totals)
        if not is_settled(family.totals[cell.index].changed_walls, family.walls)
    ]


def _tied(plan: Plan, totals: Mapping[int, Totals]) -> Iterator[tuple[Family, Cell]]:
    """List the cells of a design that are compared with their reference, each with its family."""
    for family in families_of(plan, totals):
        for cell in family.others:
            if family.totals[cell.index].cross:
                yield family, cell


def named_half_widths(cell: Cell, totals: Totals) -> list[tuple[float, str]]:
    """List the half-widths of one cell's own points, and whose they are.

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
