"""Families of cells: one line-up under one base preset and its variants, all on the same walls.

The points of a family's cells have a mean and a covariance matrix, from whole-number sums of products of block sums.
Any question about points in the family is a linear contrast of these means: a difference to any cell, a mean over a
knob's levels, an interaction, a slope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.errors import ResultsError
from sim.statistics.difference import Difference, cross_of_equal, p_value, subtract
from sim.statistics.estimate import t_quantile
from sim.statistics.metrics import Metric
from sim.statistics.paired import RatioSums, ratio_sums
from sim.statistics.tables import look_up
from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from sim.tournament.plan import Cell, Plan
    from sim.tournament.totals import Kind, Totals

POINTS: Final = Metric("points", "points", DEALS, "points per deal", "Net points of a deal.")
SEATS: Final = 4
_ROUNDING: Final = 1e-6
"""A contrast's error that is so much smaller than those of its means comes from rounding: the cells do not differ."""


@dataclass(frozen=True)
class Unit:
    """What has points of its own: a strategy of the line-up, a seat, or (read in seat 0) the deals as a whole."""

    who: str
    """strategy, seat or deal."""
    name: str
    """The strategy, the seat's number, or "all"."""
    index: int
    """Which one."""

    @property
    def kind(self) -> Kind:
        """Where totals have it."""
        return "strategy" if self.who == "strategy" else "seat"


@dataclass(frozen=True)
class Contrast:
    """A linear contrast of the points of a family's cells."""

    value: float
    """Its value, points per deal."""
    half_width: float | None
    """Half of its 95 % interval; None with fewer than two blocks."""
    p: float | None
    """Two-sided p-value of "it is 0"; None without an interval or where it is 0 wide."""
    blocks: int
    """Blocks."""


@dataclass(frozen=True)
class Family:
    """The cells of one line-up under one base preset and its variants."""

    base: str
    """What the base preset is called."""
    line_up: str
    """The line-up."""
    cells: tuple[Cell, ...]
    """The cells that have been played, in their order; one of them is the reference."""
    totals: Mapping[int, Totals]
    """Their totals by number, all of the same walls."""
    knobs: tuple[Mapping[str, Any], ...]
    """For each cell the values of all knobs that the design sets anywhere in the family."""

    @cached_property
    def reference(self) -> Cell:
        """The cell that all others are compared with."""
        return next(cell for cell in self.cells if cell.index == cell.reference)

    @cached_property
    def others(self) -> tuple[Cell, ...]:
        """All other cells."""
        return tuple(cell for cell in self.cells if cell.index != cell.reference)

    @property
    def walls(self) -> int:
        """Walls played: the number of blocks."""
        return self.totals[self.reference.index].walls

    @property
    def deals(self) -> int:
        """Deals of each cell."""
        return self.walls * len(self.reference.seatings)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The group of each slot."""
        return self.reference.group_of_slot

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The strategies, the seats, and the deals as a whole."""
        strategies = [Unit("strategy", name, index) for index, name in enumerate(self.reference.groups)]
        seats = [Unit("seat", str(seat), seat) for seat in range(SEATS)]
        return (*strategies, *seats, Unit("deal", "all", 0))

    @cached_property
    def main_units(self) -> tuple[Unit, ...]:
        """Whose points are looked at first: the strategies, or the seats where there is one strategy (whose are 0)."""
        found = [unit for unit in self.units if unit.who == "strategy"]
        return tuple(found if len(found) > 1 else [unit for unit in self.units if unit.who == "seat"])

    @cached_property
    def varying(self) -> tuple[str, ...]:
        """The knobs that differ between the family's cells, in the order of the design."""
        keys = self.knobs[0]
        return tuple(key for key in keys if len({_comparable(values[key]) for values in self.knobs}) > 1)

    def knobs_of(self, cell: Cell) -> Mapping[str, Any]:
        """Give the values of the design's knobs in a cell.

        Parameters
        ----------
        cell
            One of the family's.
        """
        return self.knobs[self.cells.index(cell)]

    def changes(self, cell: Cell, other: Cell | None = None) -> dict[str, Any]:
        """Give the knobs that a cell has otherwise than another, with their values.

        Parameters
        ----------
        cell
            One of the family's.
        other
            Another one; the reference when absent.
        """
        there = self.knobs_of(self.reference if other is None else other)
        return {
            key: value for key, value in self.knobs_of(cell).items() if _comparable(value) != _comparable(there[key])
        }

    def product(self, one: Cell, other: Cell, unit: Unit) -> int:
        """Give the sum over blocks of the points of one cell times those of another (or of the same).

        Parameters
        ----------
        one, other
            Cells of the family.
        unit
            Whose points.

        Raises
        ------
        ResultsError
            The run does not keep these products: the family is too large.
        """
        low, high = sorted((one.index, other.index))
        if low == high:
            return self.totals[low].product_of("points", "points", unit.kind, unit.index)
        reference = self.reference.index
        if reference in (low, high):
            return self.totals[low + high - reference].cross_of("points", "points", unit.kind, unit.index)
        if str(low) not in self.totals[high].gram:
            raise ResultsError(
                f"{self.base}, {self.line_up}: so large a family ({len(self.cells)} cells) keeps products with its"
                " reference only, so that other cells cannot be compared with each other"
            )
        return self.totals[high].gram_of(low, unit.kind, unit.index)

    def difference(self, one: Cell, other: Cell, unit: Unit) -> Difference:
        """Compare the points of any two cells.

        Parameters
        ----------
        one, other
            Cells of the family; the second one serves as the reference.
        unit
            Whose points.
        """
        here, there = (self.sums_of(self.totals[cell.index], unit) for cell in (one, other))
        return subtract(here, there, cross_of_equal(here, there, self.product(one, other, unit)))

    def sums_of(self, totals: Totals, unit: Unit, metric: Metric = POINTS) -> RatioSums:
        """Read what a metric is made of out of totals.

        Parameters
        ----------
        totals
            Totals of one of the family's cells.
        unit
            Whose metric.
        metric
            The metric.
        """
        key = (id(totals), unit.kind, unit.index, metric.numerator, metric.denominator)
        if key not in self._sums:
            self._sums[key] = ratio_sums(totals, metric, unit.kind, unit.index, self.groups)
        return self._sums[key]

    @cached_property
    def _sums(self) -> dict[tuple[object, ...], RatioSums]:
        """What `sums_of` has read before: the reference is compared with every other cell."""
        return {}

    def moments(self, unit: Unit) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Give the mean points per deal of all cells, and the covariance matrix of these means.

        Parameters
        ----------
        unit
            Whose points.

        Returns
        -------
        means : float64, shape (k,)
            In the order of `cells`.
        covariance : float64, shape (k, k)
            Clustered by wall; without values with fewer than two blocks.
        """
        n, cells = self.walls, self.cells
        sides = [self.sums_of(self.totals[cell.index], unit) for cell in cells]
        means = np.array([side.one / side.other for side in sides])
        covariance = np.full((len(cells), len(cells)), math.nan)
        if n >= 2:
            for i, one in enumerate(cells):
                for j, other in enumerate(cells[: i + 1]):
                    centred = n * self.product(one, other, unit) - sides[i].one * sides[j].one
                    covariance[i, j] = covariance[j, i] = centred / ((n - 1) * sides[i].other * sides[j].other)
        return means, covariance

    def contrast(self, weights: Mapping[int, float], unit: Unit) -> Contrast:
        """Estimate a linear contrast of points.

        Parameters
        ----------
        weights
            For each cell, by number, what its points are multiplied by; cells left out count 0.
        unit
            Whose points.
        """
        means, covariance = self.moments(unit)
        c = np.array([weights.get(cell.index, 0.0) for cell in self.cells])
        used = c != 0
        return contrast_of(c[used], means[used], covariance[np.ix_(used, used)], self.walls)


def contrast_of(
    weights: npt.NDArray[np.float64],
    means: npt.NDArray[np.float64],
    covariance: npt.NDArray[np.float64],
    blocks: int,
) -> Contrast:
    """Estimate a linear contrast from means and their covariance.

    Parameters
    ----------
    weights, means : float64, shape (k,)
        What each mean is multiplied by, and the means.
    covariance : float64, shape (k, k)
        Of the means.
    blocks
        Blocks that they come from.
    """
    value = float(weights @ means)
    size = float(np.abs(weights) @ np.abs(means))
    value = 0.0 if abs(value) < _ROUNDING**2 * size else value
    if blocks < 2:
        return Contrast(value, None, None, blocks)
    error = math.sqrt(max(float(weights @ covariance @ weights), 0.0))
    if error < _ROUNDING * float(np.abs(weights) @ np.sqrt(np.diag(covariance))):
        error = 0.0
    return Contrast(
        value, t_quantile(blocks - 1) * error, p_value(value / error, blocks - 1) if error else None, blocks
    )


def families_of(plan: Plan, totals: Mapping[int, Totals]) -> tuple[Family, ...]:
    """Sort the cells of a run into families.

    Parameters
    ----------
    plan
        The plan.
    totals
        Totals of the cells that have some.

    Returns
    -------
    tuple of Family
        In the order of the plan; those whose reference has not been played are left out. Empty for a run without a
        design.
    """
    members: dict[int, list[Cell]] = {}
    for cell in plan.cells:
        if cell.reference is not None and cell.index in totals:
            members.setdefault(cell.reference, []).append(cell)
    return tuple(_family(plan, cells, totals) for number, cells in members.items() if number in totals)


def _family(plan: Plan, cells: Sequence[Cell], totals: Mapping[int, Totals]) -> Family:
    """Put a family together: its cells that have been played on the reference's walls."""
    reference = next(cell for cell in cells if cell.index == cell.reference)
    walls = totals[reference.index].walls
    played = tuple(cell for cell in cells if totals[cell.index].walls == walls)
    keys = tuple(dict.fromkeys(key for cell in cells for key in cell.settings))
    knobs = tuple({key: look_up(plan.preset_of(cell)["knobs"], key) for key in keys} for cell in played)
    own = {cell.index: totals[cell.index] for cell in played}
    return Family(reference.base, reference.line_up, played, own, knobs)


def _comparable(value: Any) -> tuple[str, Any]:
    """Tell true from 1."""
    return type(value).__name__, value


def levels_of(family: Family, key: str) -> list[Any]:
    """List the values of a knob in a family: that of the reference first, the others in the order of the design.

    Parameters
    ----------
    family
        The family.
    key
        The knob.
    """
    ordered = [family.knobs_of(family.reference)[key], *(values[key] for values in family.knobs)]
    return list({_comparable(value): value for value in ordered}.values())


def setting_texts(changes: Mapping[str, Any]) -> Iterator[str]:
    """Write settings of knobs, each as ``key=value``.

    Parameters
    ----------
    changes
        Knobs and values.
    """
    for key, value in changes.items():
        yield f"{key}={str(value).lower() if isinstance(value, bool) else value}"
