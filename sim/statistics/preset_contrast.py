"""The difference of two presets on the same walls: until it is known, precisely enough or by a sequential test.

Everything comes from the ledger's sums and their products between the two cells, so rows are not needed. The test is
that of `sequential`, on the block's share in the difference of any metric.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sim.errors import ConfigError
from sim.rules.words import did_you_mean, show_value
from sim.statistics.contrast import bounds_of, judge, say_looks, say_missed
from sim.statistics.effects import difference_of
from sim.statistics.estimate import t_quantile
from sim.statistics.family import Unit, families_of
from sim.statistics.metrics import make_metrics
from sim.statistics.rare import FEW, few_words, is_nothing, is_settled, nothing_words
from sim.statistics.sequential import Unbiased, decide, log_likelihood_ratio, median_unbiased, superiority

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.statistics.difference import Difference
    from sim.statistics.metrics import Metric
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.totals import Totals


def asked_of(plan: Plan, metric_name: str | None = None, who: str | None = None) -> tuple[Metric, Unit]:
    """Find out which metric of whom two presets are compared by.

    Parameters
    ----------
    plan
        A plan with a design of two cells.
    metric_name, who
        The metric and whose; what the plan's contrast says when the metric is absent.

    Returns
    -------
    metric, unit
        What is compared.

    Raises
    ------
    ConfigError
        There is no such metric, or nobody of that name, or the design has not two cells.
    """
    if metric_name is None:
        metric_name, who = (plan.contrast or {})["metric"], (plan.contrast or {})["who"]
    known = {metric.name: metric for metric in make_metrics(plan.data["quantities"])}
    if len(plan.cells) != 2:
        raise ConfigError(f"contrast: the design has {len(plan.cells)} cells with its reference; allowed: two")
    if metric_name not in known:
        hint = did_you_mean(metric_name, list(known))
        raise ConfigError(f"metric: there is no metric {show_value(metric_name)}{hint}; docs/metrics.md lists them")
    metric, names = known[metric_name], plan.cells[0].groups
    if metric.scope == "deal":
        if who is not None:
            raise ConfigError(f"who: {metric.name} is of the deal, not of a strategy or seat; leave it out")
        return metric, Unit("deal", "all", 0)
    if who is None:
        who = "seat 0" if len(names) == 1 and metric.name == "points" else names[0]
    seats = [f"seat {seat}" for seat in range(4)]
    if who in seats:
        return metric, Unit("seat", who[-1], seats.index(who))
    if who not in names:
        raise ConfigError(
            f"who: came {show_value(who)}{did_you_mean(who, [*names, *seats])}; allowed: {', '.join(names)},"
            " seat 0 to seat 3"
        )
    if len(names) == 1 and metric.name == "points":
        raise ConfigError(f"who: points of four {who} are 0 by design; allowed: seat 0 to seat 3")
    return metric, Unit("strategy", who, names.index(who))


def tied_difference(plan: Plan, totals: Mapping[int, Totals], metric: Metric, unit: Unit) -> tuple[Difference, float]:
    """Give the difference of the two presets so far, and the standard deviation of a block of it.

    Parameters
    ----------
    plan
        A plan with a design of two cells.
    totals
        Totals of both cells.
    metric, unit
        What is compared, and whose.
    """
    (family,) = families_of(plan, totals)
    (cell,) = family.others
    found = difference_of(family, family.totals[cell.index], unit, metric)
    if found.half_width is None:
        return found, 0.0
    return found, found.half_width / t_quantile(found.blocks - 1) * math.sqrt(found.blocks)


@dataclass
class PresetRule:
    """Stops a run once the difference of its two presets is known.

    Parameters
    ----------
    plan
        A plan whose contrast is of presets.
    """

    plan: Plan
    looks: list[dict[str, Any]] = field(default_factory=list)
    """What each look found."""

    def look(self, walls: int, totals: Mapping[int, Totals]) -> str | None:
        """Look at the results so far.

        Parameters
        ----------
        walls
            Walls played in both cells.
        totals
            Totals of both.

        Returns
        -------
        str or None
            Why to stop; None to go on.
        """
        rule = self.plan.contrast
        if rule is None:
            return None
        metric, unit = asked_of(self.plan)
        found, deviation = tied_difference(self.plan, totals, metric, unit)
        facts, _, reason = judge(rule, walls, found.value, found.half_width, deviation, metric.unit)
        (family,) = families_of(self.plan, totals)
        tied = family.totals[family.others[0].index]
        changed = tied.changed_walls
        facts |= {"changed": tied.changed, "changed_walls": changed}
        if not is_settled(changed, walls):  # its interval is too narrow, and a test would be misled
            reason = None
        elif is_nothing(changed, walls) and not found.half_width and walls >= rule["min_walls"]:
            reason = nothing_words(walls)
        self.looks.append(facts)
        return None if reason is None else f"{reason}; {say_looks(len(self.looks), rule)}"

    def facts(self) -> list[dict[str, Any]]:
        """Give what the looks found."""
        return self.looks

    def shortfall(self) -> str:
        """Say after the last look what is missing to have stopped before."""
        changed = self.looks[-1]["changed_walls"]
        if changed < FEW:
            return f"target not reached: {few_words(changed)}"
        return say_missed(self.plan.contrast or {}, self.looks[-1], asked_of(self.plan)[0].unit)


@dataclass(frozen=True)
class PresetResult:
    """What is known of the difference of two presets."""

    cell: Cell
    """The cell that is compared."""
    reference: Cell
    """The cell that it is compared with."""
    metric: Metric
    """The metric."""
    unit: Unit
    """Whose."""
    difference: Difference
    """The cell's metric less that of the reference."""
    deviation: float
    """Standard deviation of a block's difference."""
    changed: int
    """Deals in which the points of any seat differ."""
    changed_walls: int
    """Walls with such a deal."""
    superiority: float | None
    """One minus the one-sided p-value of "no higher"."""
    decision: int
    """Of a sequential test: 1 or -1 for the hypothesis accepted."""
    unbiased: Unbiased | None
    """After a sequential test: the median-unbiased estimate."""


def preset_result(
    plan: Plan,
    totals: Mapping[int, Totals],
    metric_name: str | None = None,
    who: str | None = None,
    looks: Sequence[Mapping[str, Any]] | None = None,
) -> PresetResult:
    """Compare the two presets of a finished run.

    Parameters
    ----------
    plan
        A plan with a design of two cells and one line-up.
    totals
        Totals of both cells.
    metric_name, who
        As in `asked_of`.
    looks
        What the looks of a run with a sequential test found, as its outcome has them.
    """
    metric, unit = asked_of(plan, metric_name, who)
    (family,) = families_of(plan, totals)
    (cell,) = family.others
    found, deviation = tied_difference(plan, totals, metric, unit)
    tied = family.totals[cell.index]
    better, decision, unbiased, rule = None, 0, None, plan.contrast
    if found.value is not None and deviation > 0:
        better = superiority(found.blocks, found.value, deviation)
        if rule is not None and rule["half_width"] is None and is_settled(tied.changed_walls, family.walls):
            bounds = bounds_of(rule, deviation)
            decision = decide(log_likelihood_ratio(found.blocks, found.value, deviation, bounds), bounds)
            if found.blocks % rule["batch"] == 0:
                first = next(  # it could not stop before so many walls had changed
                    (n for n, look in enumerate(looks or (), 1)
                     if look["walls"] >= rule["min_walls"] and is_settled(look["changed_walls"], look["walls"])), 1
                )  # fmt: skip
                taken, t = found.blocks // rule["batch"], found.value / deviation
                scaled = median_unbiased(taken, rule["batch"], t, decision, bounds, first)
                unbiased = Unbiased(*(value * deviation for value in (scaled.value, scaled.low, scaled.high)))
    return PresetResult(
        *(cell, family.reference, metric, unit, found, deviation, tied.changed, tied.changed_walls, better),
        *(decision, unbiased),
    )
