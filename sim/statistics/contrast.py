"""The difference of two strategies on the same walls: their points per deal, block by block over all line-ups.

In a line-up with a slots of the first strategy and 4 - a of the second, points sum to zero, so the block sum X of the
first strategy says all: over m seatings the difference of points per deal and seat is 4·X / (m·a·(4 - a)). A block is a
wall with all seatings of all line-ups, so that one against three and three against one on the same wall are one block.

Not in here: the test itself (`sim.statistics.sequential`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from sim.statistics.estimate import Estimate, estimate_ratio, round_off
from sim.statistics.sequential import Bounds, Unbiased, decide, log_likelihood_ratio, median_unbiased, superiority

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.plan import Cell, Plan
    from sim.tournament.schedule import Chunk
    from sim.tournament.store import RunFolder
    from sim.tournament.totals import Totals


@dataclass
class BlockSums:
    """Sums over blocks of a difference that is a whole number over a fixed divisor; they add up exactly."""

    divisor: int
    """What the whole numbers are divided by to give points per deal."""
    blocks: int = 0
    """Blocks."""
    total: int = 0
    """Sum of the whole numbers."""
    squares: int = 0
    """Sum of their squares."""

    def add(self, values: Sequence[int]) -> None:
        """Add blocks.

        Parameters
        ----------
        values
            One whole number for each block.
        """
        self.blocks += len(values)
        self.total += sum(values)
        self.squares += sum(value * value for value in values)

    def estimate(self) -> Estimate:
        """Give the mean difference, points per deal, with its interval."""
        one, each = self.total, self.divisor
        return estimate_ratio(
            self.blocks,
            one,
            each * self.blocks,
            one_one=self.squares,
            one_other=one * each,
            other_other=each * each * self.blocks,
        )

    @property
    def mean(self) -> float:
        """The mean difference of a block, points per deal."""
        return self.total / (self.blocks * self.divisor)

    @property
    def deviation(self) -> float:
        """The standard deviation of a block's difference, points per deal."""
        spread = self.blocks * self.squares - self.total * self.total
        return math.sqrt(spread / (self.blocks * (self.blocks - 1))) / self.divisor


def cells_of_pair(plan: Plan, first: str, second: str, preset: str | None = None) -> list[Cell]:
    """List the cells in which exactly two strategies meet.

    Parameters
    ----------
    plan
        The plan.
    first, second
        Their names, in any order.
    preset
        Under which preset; None for any.
    """
    return [cell for cell in plan.cells if set(cell.groups) == {first, second} and preset in (None, cell.preset)]


def divisor_of(cells: Sequence[Cell], first: str) -> int:
    """Give what a strategy's block sum over some cells is divided by, to give the mean difference of points per deal.

    Parameters
    ----------
    cells
        Cells in which the strategy meets one other, all with the same divisor: one against three together with three
        against one, or line-ups of one kind.
    first
        The strategy.
    """
    sizes = set()
    for cell in cells:
        slots = cell.strategies.count(first)
        sizes.add(len(cell.seatings) * slots * (4 - slots))
    (size,) = sizes
    whole, rest = divmod(size * len(cells), 4)
    if rest:
        raise AssertionError(size)
    return whole


def read_blocks(folder: RunFolder, chunks: Sequence[Chunk], cells: Sequence[Cell]) -> pl.DataFrame:
    """Read what each strategy has won on each wall.

    Parameters
    ----------
    folder
        A run that keeps rows.
    chunks
        Finished chunks: those in the ledger. A run that stopped early has no files of the other chunks of its plan.
    cells
        Of which cells.

    Returns
    -------
    polars.DataFrame
        Columns wall, cell, strategy, points (int64): one row for each, sorted.
    """
    wanted = {cell.index for cell in cells}
    files = [folder.path / chunk.file for chunk in chunks if chunk.cell in wanted]
    rows = pl.scan_parquet(files, glob=False).group_by("wall", "cell", "strategy")
    points = rows.agg(pl.col("points").cast(pl.Int64).sum()).with_columns(pl.col("strategy").cast(pl.String))
    return points.collect().sort("wall", "cell", "strategy")


def difference_blocks(blocks: pl.DataFrame, cells: Sequence[Cell], first: str) -> list[int]:
    """Give for each wall the block sum of a strategy over some cells.

    Parameters
    ----------
    blocks
        From `read_blocks`.
    cells
        The cells, all of them played on each wall.
    first
        The strategy.

    Returns
    -------
    list of int
        In the order of the walls.
    """
    mine = blocks.filter(pl.col("cell").is_in([cell.index for cell in cells]) & (pl.col("strategy") == first))
    found: list[int] = mine.group_by("wall").agg(pl.col("points").sum()).sort("wall")["points"].to_list()
    return found


@dataclass
class ContrastRule:
    """Stops a run once the difference of its two strategies is known.

    Parameters
    ----------
    folder
        The folder of a run whose plan has a contrast.
    """

    folder: RunFolder
    looks: list[dict[str, Any]] = field(default_factory=list)
    """What each look found."""
    sums: BlockSums = field(init=False)
    """Over all walls so far."""
    decision: int = 0
    """1 or -1 once a hypothesis is accepted."""

    def __post_init__(self) -> None:
        """Find out who is compared."""
        cells = self.folder.plan.cells
        self.first = cells[0].groups[0]
        self.sums = BlockSums(divisor_of(cells, self.first))

    def look(self, walls: int, totals: Mapping[int, Totals]) -> str | None:  # noqa: ARG002 - the runner's protocol
        """Look at the results so far.

        Parameters
        ----------
        walls
            Walls played in every cell.
        totals
            Not used: the covariance of line-ups on the same wall is not in them.

        Returns
        -------
        str or None
            Why to stop; None to go on.
        """
        plan = self.folder.plan
        rule = plan.contrast
        if rule is None:
            return None
        batch = [chunk for chunk in plan.chunks if chunk.batch == len(self.looks)]
        self.sums.add(difference_blocks(read_blocks(self.folder, batch, plan.cells), plan.cells, self.first))
        found = self.sums.estimate()
        facts, self.decision, reason = judge(rule, walls, found.value, found.half_width, self.sums.deviation)
        self.looks.append(facts)
        return None if reason is None else f"{reason}; {say_looks(len(self.looks), rule)}"

    def facts(self) -> list[dict[str, Any]]:
        """Give what the looks found."""
        return self.looks

    def shortfall(self) -> str:
        """Say after the last look what is missing to have stopped before."""
        return say_missed(self.folder.plan.contrast or {}, self.looks[-1], "points per deal")


def judge(
    rule: Mapping[str, Any],
    walls: int,
    value: float | None,
    half_width: float | None,
    deviation: float,
    unit: str = "points per deal",
) -> tuple[dict[str, Any], int, str | None]:
    """Say what a look at a difference found.

    Parameters
    ----------
    rule
        The plan's contrast.
    walls
        Blocks so far.
    value, half_width
        The difference, and half of its interval.
    deviation
        Standard deviation of a block's difference.
    unit
        Of the difference.

    Returns
    -------
    facts
        What the look found, for the outcome.
    decision
        1 or -1 once a hypothesis is accepted.
    reason
        Why to stop; None to go on.
    """
    facts = {"walls": walls, "difference": round_off(value), "half_width": round_off(half_width)}
    if deviation == 0 or value is None or half_width is None:
        return facts, 0, None
    wanted = rule["half_width"]
    if wanted is not None:
        if walls < rule["min_walls"] or half_width > wanted:
            return facts, 0, None
        reason = f"target met: the interval of the difference is ±{half_width:.4g} {unit}, wanted ±{wanted:g}"
        return facts, 0, reason
    bounds = bounds_of(rule, deviation)
    ratio = log_likelihood_ratio(walls, value, deviation, bounds)
    facts["log_likelihood_ratio"] = round_off(ratio)
    decision = decide(ratio, bounds)
    if walls < rule["min_walls"] or decision == 0:
        return facts, decision, None
    limit = bounds.upper if decision > 0 else bounds.lower
    said = say_decision(decision, rule, unit)
    return facts, decision, f"sequential test: {said} (LLR {ratio:+.2f}, bound {limit:+.2f})"


def say_missed(rule: Mapping[str, Any], look: Mapping[str, Any], unit: str) -> str:
    """Say why a look at a difference did not end a run.

    Parameters
    ----------
    rule
        The plan's contrast.
    look
        What the look found, as `judge` says it.
    unit
        Of the difference.
    """
    if look["half_width"] is None or look["half_width"] == 0:
        return "not decided: no block of the difference differs from another"
    if rule["half_width"] is not None:
        wanted = f"wanted ±{rule['half_width']:g}"
        return f"target not reached: the interval of the difference is ±{look['half_width']:.4g} {unit}, {wanted}"
    ratio = look["log_likelihood_ratio"]
    return f"test not decided: the log-likelihood ratio {ratio:+.2f} is between the bounds"


def say_looks(looks: int, rule: Mapping[str, Any]) -> str:
    """Say that looks were planned, and how many.

    Parameters
    ----------
    looks
        Looks taken.
    rule
        The plan's contrast or target: batch and max_walls.
    """
    most = -(-rule["max_walls"] // rule["batch"])
    return f"look {looks:,} of at most {most:,}, planned every {rule['batch']:,} walls"


def bounds_of(rule: Mapping[str, Any], deviation: float) -> Bounds:
    """Give the bounds of a test in standard deviations of a block.

    Parameters
    ----------
    rule
        The plan's contrast.
    deviation
        The standard deviation of a block, in points per deal.
    """
    scale = deviation if rule["unit"] == "points" else 1.0
    return Bounds(rule["low"] / scale, rule["high"] / scale, rule["alpha"], rule["beta"])


def say_decision(decision: int, rule: Mapping[str, Any], unit: str = "points per deal") -> str:
    """Say in words what was accepted.

    Parameters
    ----------
    decision
        1 for the second hypothesis, -1 for the first.
    rule
        The plan's contrast.
    unit
        Of the difference itself.
    """
    if rule["unit"] == "sd":
        unit = "sd of a block"
    accepted, refused = (rule["high"], rule["low"]) if decision > 0 else (rule["low"], rule["high"])
    return f"a difference of {accepted:+g} is accepted against {refused:+g} ({unit})"


@dataclass(frozen=True)
class PairResult:
    """What is known of the difference of two strategies."""

    first: str
    """The strategy whose points count as positive."""
    second: str
    """The other one."""
    preset: str
    """The preset."""
    difference: Estimate
    """Points per deal of the first less those of the second."""
    deviation: float | None
    """Standard deviation of a block's difference, points per deal; None with fewer than two blocks."""
    superiority: float | None
    """One minus the one-sided p-value of "no better"."""
    parts: tuple[tuple[Cell, Estimate], ...]
    """The difference in each line-up."""
    decision: int = 0
    """Of a sequential test: 1 or -1 for the hypothesis accepted."""
    unbiased: Unbiased | None = None
    """After a sequential test: the median-unbiased estimate, points per deal."""


def contrast_of(folder: RunFolder, first: str, second: str, preset: str, blocks: pl.DataFrame) -> PairResult:
    """Compare two strategies in a finished run.

    Parameters
    ----------
    folder
        The run.
    first, second
        Names of strategies that met.
    preset
        Under which preset.
    blocks
        From `read_blocks`.
    """
    cells = cells_of_pair(folder.plan, first, second, preset)
    parts = tuple((cell, _sum_up(blocks, [cell], first).estimate()) for cell in cells)
    sums = _sum_up(blocks, cells, first)
    if sums.blocks < 2 or sums.deviation == 0:
        return PairResult(first, second, preset, sums.estimate(), None, None, parts)
    better = superiority(sums.blocks, sums.mean, sums.deviation)
    rule, decision, unbiased = folder.plan.contrast, 0, None
    if rule is not None and rule["half_width"] is None:
        bounds = bounds_of(rule, sums.deviation)
        decision = decide(log_likelihood_ratio(sums.blocks, sums.mean, sums.deviation, bounds), bounds)
        if sums.blocks % rule["batch"] == 0:
            t = sums.mean / sums.deviation
            taken, earliest = sums.blocks // rule["batch"], -(-rule["min_walls"] // rule["batch"])
            found = median_unbiased(taken, rule["batch"], t, decision, bounds, earliest)
            unbiased = Unbiased(*(value * sums.deviation for value in (found.value, found.low, found.high)))
    return PairResult(
        first, second, preset, sums.estimate(), sums.deviation, better, parts, decision=decision, unbiased=unbiased
    )


def _sum_up(blocks: pl.DataFrame, cells: Sequence[Cell], first: str) -> BlockSums:
    """Add up the blocks of a pair."""
    sums = BlockSums(divisor_of(cells, first))
    sums.add(difference_blocks(blocks, cells, first))
    return sums
