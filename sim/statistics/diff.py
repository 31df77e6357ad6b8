"""Two runs compared: what their plans differ in, and every metric of the cells that they share.

Cells are matched by preset and line-up. Where both runs played the same walls and keep their rows, differences are
taken wall by wall; else they are those of independent samples. Cells that are equal in everything but the walls must
give the same outcomes but for luck: a chi-square says whether they do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from sim.errors import ConfigError, InvariantError
from sim.statistics.blocks import read_blocks
from sim.statistics.homogeneity import compare_parts
from sim.statistics.identities import refuse_faults
from sim.statistics.metrics import make_metrics
from sim.statistics.paired import CrossSums, RatioSums, difference_of, ratio_sums
from sim.tournament.plan import differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from sim.statistics.homogeneity import CellHomogeneity
    from sim.statistics.metrics import Metric
    from sim.statistics.paired import Difference
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.results import Run
    from sim.tournament.totals import Kind, Totals

_ROOM: Final = 2**63


@dataclass(frozen=True)
class MetricDifference:
    """One metric of one unit in both runs."""

    who: str
    """strategy, seat or deal."""
    name: str
    """The strategy, the seat's number, or "all"."""
    metric: Metric
    """The metric."""
    one: float
    """Its value in the first run, on the walls that are compared."""
    other: float
    """The same in the second run."""
    difference: Difference
    """The second less the first."""
    p_adjusted: float = 1.0
    """p, adjusted for all metrics of both runs (Benjamini-Hochberg)."""


@dataclass
class CellDiff:
    """One cell of both runs."""

    one: Cell
    """The cell of the first run."""
    other: Cell
    """The cell of the second one."""
    walls: tuple[int, int]
    """Walls of each that are compared."""
    pairing: str
    """"by wall"; or "independent"; or "independent, same walls" where rows are not there to pair them."""
    metrics: list[MetricDifference]
    """Every metric that both have."""
    homogeneity: CellHomogeneity | None
    """Whether outcomes are alike, for cells that are equal in everything but their walls; else None."""


@dataclass
class RunDiff:
    """Two runs compared."""

    plans: list[str]
    """What the plans differ in, a line each; empty if they are one plan."""
    cells: list[CellDiff] = field(default_factory=list)
    """The cells that both have."""
    only: tuple[tuple[Cell, ...], tuple[Cell, ...]] = ((), ())
    """The cells that only the first run has, and only the second one."""


def diff_runs(one: Run, other: Run) -> RunDiff:
    """Compare two runs.

    Parameters
    ----------
    one, other
        The runs, finished or not.

    Returns
    -------
    RunDiff
        Differences are the second less the first.

    Raises
    ------
    ConfigError
        No cell of one has the preset and the line-up of a cell of the other.
    InvariantError
        Equal cells of equal versions gave other sums on the same walls, or sums contradict themselves.
    """
    totals = (one.totals(), other.totals())
    pairs = match_cells(one.plan, other.plan)
    pairs = [(a, b) for a, b in pairs if a.index in totals[0] and b.index in totals[1]]
    if not pairs:
        raise ConfigError(
            f"no cell of {one.path} that was played has the preset and the line-up of one of {other.path}; there are"
            f" {_name_cells(one.plan)} and {_name_cells(other.plan)}"
        )
    found = RunDiff(differences(one.plan, other.plan) if one.plan.hash != other.plan.hash else [])
    for a, b in pairs:
        parts = totals[0][a.index], totals[1][b.index]
        for run, cell, part in ((one, a, parts[0]), (other, b, parts[1])):
            refuse_faults(part, f"{run.path}: cell {cell.index}")
        found.cells.append(_diff_cell(one, other, a, b, parts))
    matched = [{pair[side].index for pair in pairs} for side in (0, 1)]
    first, second = (
        tuple(cell for cell in run.plan.cells if cell.index not in matched[side])
        for side, run in enumerate((one, other))
    )
    found.only = (first, second)
    _adjust(found)
    return found


def match_cells(one: Plan, other: Plan) -> list[tuple[Cell, Cell]]:
    """Match cells by preset and line-up; by line-up alone, where each plan has a single preset.

    Parameters
    ----------
    one, other
        The plans.
    """
    single = len(one.presets) == len(other.presets) == 1
    by_key = {("" if single else cell.preset, cell.line_up): cell for cell in other.cells}
    keys = [("" if single else cell.preset, cell.line_up) for cell in one.cells]
    return [(cell, by_key[key]) for cell, key in zip(one.cells, keys, strict=True) if key in by_key]


def is_same_game(one: Plan, first: Cell, other: Plan, second: Cell) -> bool:
    """Tell whether two cells are equal in everything but their walls: rules, players, seatings, versions.

    Parameters
    ----------
    one, first
        A plan and a cell of it.
    other, second
        The same of the other run.
    """
    rules = [dict(plan.preset_of(cell)["knobs"]) for plan, cell in ((one, first), (other, second))]
    players = [
        [plan.strategies[name]["digest"] for name in cell.strategies] for plan, cell in ((one, first), (other, second))
    ]
    rest = [
        (cell.strategies, cell.seatings, plan.wall_mode, plan.data["versions"], plan.data.get("on_error"), cell.source)
        for plan, cell in ((one, first), (other, second))
    ]
    return rules[0] == rules[1] and players[0] == players[1] and rest[0] == rest[1]


def _diff_cell(one: Run, other: Run, a: Cell, b: Cell, totals: tuple[Totals, Totals]) -> CellDiff:
    """Compare one cell of both runs."""
    names = set(one.plan.data["quantities"]) & set(other.plan.data["quantities"])
    metrics = [metric for metric in make_metrics(one.plan.data["quantities"]) if _is_in(metric, names)]
    same_game = is_same_game(one.plan, a, other.plan, b)
    same_walls = one.plan.seed == other.plan.seed
    homogeneity = None
    equal_walls = same_walls and one.is_finished and other.is_finished and totals[0].walls == totals[1].walls
    if same_game and equal_walls and totals[0].sums != totals[1].sums:
        raise InvariantError(
            f"{one.path} and {other.path}: {a.preset}, {a.line_up}: the same rules, players, versions and walls gave"
            " other sums; one of the machines is at fault"
        )
    if same_game and not same_walls:
        homogeneity = compare_parts(a, {str(one.path): totals[0], str(other.path): totals[1]})
    if same_walls and one.plan.has_rows and other.plan.has_rows:
        walls, found = _paired(one, other, a, b, metrics)
        return CellDiff(a, b, (walls, walls), "by wall", found, homogeneity)
    pairing = "independent, same walls" if same_walls else "independent"
    walls_of = (totals[0].walls, totals[1].walls)
    return CellDiff(a, b, walls_of, pairing, list(_independent(a, b, totals, metrics)), homogeneity)


def _is_in(metric: Metric, names: set[str]) -> bool:
    """Tell whether a metric can be made of some quantities."""
    return metric.numerator in names and metric.denominator in names


def _units(a: Cell, b: Cell, metric: Metric) -> Iterator[tuple[str, str, Kind, int, int]]:
    """List whose metric can be compared: who, name, kind, and its index in each cell."""
    if metric.scope == "deal":
        yield "deal", "all", "seat", 0, 0
        return
    for index, name in enumerate(a.groups):
        if name in b.groups:
            yield "strategy", name, "strategy", index, b.groups.index(name)
    for seat in range(4):
        yield "seat", str(seat), "seat", seat, seat


def _independent(
    a: Cell, b: Cell, totals: tuple[Totals, Totals], metrics: Sequence[Metric]
) -> Iterator[MetricDifference]:
    """Compare the sums of two ledgers."""
    for metric in metrics:
        for who, name, kind, first, second in _units(a, b, metric):
            mine = ratio_sums(totals[0], metric, kind, first, a.group_of_slot)
            theirs = ratio_sums(totals[1], metric, kind, second, b.group_of_slot)
            yield from _compared(who, name, metric, mine, theirs, None)


def _paired(one: Run, other: Run, a: Cell, b: Cell, metrics: Sequence[Metric]) -> tuple[int, list[MetricDifference]]:
    """Compare the rows of two runs wall by wall, on the walls that both have."""
    names = {name for metric in metrics for name in (metric.numerator, metric.denominator)}
    frames = [read_blocks(run, cell.index, names) for run, cell in ((one, a), (other, b))]
    first, second = (frame["wall"].unique().to_numpy() for frame in frames)
    common = np.intersect1d(first, second, assume_unique=True)
    parts = []
    for frame in frames:
        kept = frame.filter(pl.col("wall").is_in(common.tolist()))
        parts.append(dict(kept.group_by("who", "name", maintain_order=True)))
    found = []
    for metric in metrics:
        for who, name, kind, _, _ in _units(a, b, metric):
            key = (kind, "0" if who == "deal" else name)
            x1, y1, x2, y2 = (
                part[key][quantity].to_numpy() for part in parts for quantity in (metric.numerator, metric.denominator)
            )
            mine, theirs = _sums(x1, y1), _sums(x2, y2)
            cross = CrossSums(_dot(x2, x1), _dot(x2, y1), _dot(y2, x1), _dot(y2, y1))
            found += _compared(who, name, metric, mine, theirs, cross)
    return len(common), found


def _compared(
    who: str, name: str, metric: Metric, one: RatioSums, other: RatioSums, cross: CrossSums | None
) -> list[MetricDifference]:
    """Compare one metric; nothing if it has no value in one of the runs."""
    found = difference_of(other, one, cross)
    if found is None or one.value is None or other.value is None:
        return []
    return [MetricDifference(who, name, metric, one.value, other.value, found)]


def _sums(x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> RatioSums:
    """Add up blocks."""
    return RatioSums(len(x), int(x.sum()), int(y.sum()), _dot(x, x), _dot(x, y), _dot(y, y))


def _dot(one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> int:
    """Add up products exactly, in Python's own integers if 64 bits might not do."""
    top = int(np.abs(one).max(initial=0)) * int(np.abs(other).max(initial=0)) * len(one)
    if top < _ROOM:
        return int(one @ other)
    return sum(a * b for a, b in zip(one.tolist(), other.tolist(), strict=True))


def _adjust(found: RunDiff) -> None:
    """Adjust p for all metrics of both runs."""
    from dataclasses import replace  # noqa: PLC0415 - only needed here

    from scipy.stats import false_discovery_control  # noqa: PLC0415 - takes a second to load

    rows: list[Any] = [row.difference.p for cell in found.cells for row in cell.metrics]
    adjusted = iter(false_discovery_control(rows).tolist() if rows else [])
    for cell in found.cells:
        cell.metrics = [replace(row, p_adjusted=next(adjusted)) for row in cell.metrics]


def _name_cells(plan: Plan) -> str:
    """Name the cells of a plan, a few of them."""
    names = [f"{cell.preset}, {cell.line_up}" for cell in plan.cells[:3]]
    more = len(plan.cells) - len(names)
    return f'"{"; ".join(names)}"' + (f" and {more} more" if more else "")
