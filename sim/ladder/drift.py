"""Rating drift of a ladder: the measures of a cell over its replications.

Every measure is a number for each replication, made of that replication's sums (`sim.ladder.totals`); intervals are
over replications. Not in here: one cell against another (`sim.ladder.contrast`), printing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sim.ladder.measures import Interval, batch_means, interval_over, slope_of, warm_up
from sim.ladder.skill import jackknife_skills, kinds_of
from sim.ladder.totals import BAND, FLOWS, STEP, STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.ladder.file import LadderFile
    from sim.ladder.measures import Array
    from sim.ladder.systems import RatingSystem
    from sim.ladder.totals import Totals

MEASURES: Final[Mapping[str, str]] = {
    "anchor_drift": "slope of the anchors' mean rating after the warm-up, points per 1000 games of an anchor",
    "anchor_moved": "how much the anchors' mean rating moved after the warm-up, points",
    "anchor_offset": "anchors' mean rating at the end less their true skill, points",
    "pool_moved": "how much the mean rating of all players moved after the warm-up, points: no evidence of drift",
    "pool_offset": "mean rating of all players at the end less what newcomers begin with, points",
    "made": "points that games made (unequal weights, provisional games, floor, timeouts) per 1000 games",
    "kept": "points that leavers did not take with them (what they began with less what they left with) per 1000 games",
    "spread": "standard deviation of all ratings at the end, points",
    "slope": "points of rating for each point of true skill, settled players at the end",
    "intercept": "mean rating of settled players at the end less their mean true skill, points",
    "correlation": "of ratings and true skills, settled players at the end",
    "half_life": "games in which a newcomer's mean distance from the settled rating of the own group halves",
    "noise": "standard deviation of the ratings of settled players at the end about the mean of their group, who all"
    " play alike, points",
    "jitter": "standard deviation of a settled player's ratings about a straight line through them, points",
    "log_loss": "log-loss of who is ahead of whom in the later half; guessing gives 0.6931",
    "brier": "Brier score of the same",
    "scale": "points that make the odds 10 to 1, fitted to the earlier half",
    "wait": "mean waiting time for a ranked table, seconds",
    "gap": "mean distance of the highest and lowest rating at a table, points",
    "timeout_points": "points that one of a player's own timeouts cost this player",
    "timeout_rating": "rating that one of a player's own timeouts cost this player",
}
"""What is measured, and what it says."""
CHECKS: Final[Mapping[str, str]] = {
    "cut": "share of the ladder that MSER-5 would leave out, by the spread of ratings",
    "lag_1": "correlation of neighbouring tenths of the anchors' distance from their own line",
}
"""What says whether measures can be trusted."""
MANY_OUT: Final = 20
_THOUSAND: Final = 1000.0
_BATCHES: Final = 10


@dataclass(frozen=True)
class StartUp:
    """Whether anchors had come from the start rating to where they belong when measuring began."""

    cut: float
    """Share of the ladder that MSER-5 leaves out, by the anchors' mean rating over all replications; a half is the most
    that it can leave out."""
    rise: Interval | None
    """Anchors' mean rating after that less their mean between the file's warm-up and that; None if MSER-5 leaves out no
    more than the file."""

    @property
    def is_over(self) -> bool:
        """Whether the rise is none, or cannot be told from none."""
        return self.rise is None or (self.rise.half_width is not None and abs(self.rise.value) <= self.rise.half_width)


@dataclass(frozen=True)
class CellDrift:
    """The measures of one cell."""

    values: Mapping[str, tuple[float | None, ...]]
    """`MEASURES` and `CHECKS` by name, one value for each replication; None for what it does not tell."""
    skills: Mapping[str, float | None]
    """True skill of each group, on the scale of ratings."""
    ledger: Mapping[str, tuple[float, ...]]
    """Points that each cause of `FLOWS` made, by replication; `start` and `end` of the pool besides."""
    events: Mapping[str, tuple[int, ...]]
    """How often each cause acted, by replication."""
    residues: tuple[int, ...]
    """What the ledger of each replication does not explain, in thousandths: 0."""
    breaks: int
    """Rows whose rating is not what the player's row before left: 0."""
    bands: tuple[tuple[int, int, float, float, float], ...]
    """Bands of ratings, over all replications: from, rows, mean and longest waiting (s), mean gap at the table."""
    series: Mapping[str, tuple[tuple[float, ...], ...]]
    """By replication, at each checkpoint: `games`, and the mean rating of `pool`, `anchors` and each ``group NAME``."""
    start_up: StartUp | None
    """Whether `anchor_drift` and `anchor_moved` hold the way from the start rating too; None without anchors."""

    def interval(self, name: str) -> Interval | None:
        """Give a measure over the replications that tell it.

        Parameters
        ----------
        name
            One of `MEASURES` or `CHECKS`.
        """
        values = [value for value in self.values[name] if value is not None]
        return interval_over(values) if values else None


def measure_cell(file: LadderFile, system: RatingSystem, replications: Sequence[Totals]) -> CellDrift:
    """Measure a cell.

    Parameters
    ----------
    file
        The ladder.
    system
        The cell's rating system.
    replications
        The sums of each of its replications, in order: at least one.
    """
    skills, truths = jackknife_skills(
        [each.scores for each in replications],
        [each.duels for each in replications],
        file.counts,
        kinds_of(file.groups),
        mean=system.start,
    )
    anchors = np.array([group.anchor for group in file.groups])
    found = [
        _measure(each, anchors, skills, truth, system.start, file.warm_up)
        for each, truth in zip(replications, truths, strict=True)
    ]
    flows = {name: tuple(each.flows[place] / _THOUSAND for each in replications) for place, name in enumerate(FLOWS)}
    ends = {
        "start": tuple(each.start / _THOUSAND for each in replications),
        "end": tuple(each.end / _THOUSAND for each in replications),
    }
    series = _series(file, anchors, replications)
    return CellDrift(
        values={name: tuple(each[name] for each in found) for name in (*MEASURES, *CHECKS)},
        skills={
            group.name: None if math.isnan(skill) else float(skill)
            for group, skill in zip(file.groups, skills, strict=True)
        },
        ledger={**flows, **ends},
        events={name: tuple(int(each.events[place]) for each in replications) for place, name in enumerate(FLOWS)},
        residues=tuple(residue_of(each) for each in replications),
        breaks=sum(each.breaks for each in replications),
        bands=_bands(replications),
        series=series,
        start_up=start_up_of(series["anchors"], file.warm_up) if "anchors" in series else None,
    )


def residue_of(totals: Totals) -> int:
    """Give what causes do not explain of a replication's points, in thousandths: 0.

    Parameters
    ----------
    totals
        Its sums.
    """
    return totals.end - totals.start - int(totals.flows.sum())


def start_up_of(series: Sequence[Sequence[float]], cut: float) -> StartUp:
    """Tell whether ratings were still on their way when measuring began.

    Parameters
    ----------
    series
        Mean rating of anchors at each checkpoint, by replication.
    cut
        The share of the ladder that is left out.
    """
    values = np.array(series, dtype=np.float64)
    times = values.shape[1]
    first, needed = round(cut * (times - 1)), warm_up(values.mean(axis=0))
    if needed <= first:
        return StartUp(needed / times, None)
    return StartUp(
        needed / times, interval_over(values[:, needed:].mean(axis=1) - values[:, first:needed].mean(axis=1))
    )


def _measure(
    totals: Totals,
    anchors: np.ndarray[tuple[int], np.dtype[np.bool_]],
    skills: Array,
    truths: Array,
    start: float,
    cut: float,
) -> dict[str, float | None]:
    """Measure one replication."""
    values: dict[str, float | None] = dict.fromkeys((*MEASURES, *CHECKS))
    counts, sums = totals.counts, totals.sums / _THOUSAND
    first = min(round(cut * (len(counts) - 1)), len(counts) - 2) if len(counts) > 1 else 0
    pool = sums.sum(axis=1) / np.maximum(counts.sum(axis=1), 1)
    values["pool_moved"] = float(pool[-1] - pool[first])
    values["pool_offset"] = float(pool[-1] - start)
    spread = np.sqrt(
        np.maximum(totals.squares.sum(axis=1) / np.maximum(counts.sum(axis=1), 1) - (pool - start) ** 2, 0)
    )
    values["spread"] = float(spread[-1])
    values["cut"] = warm_up(spread) / len(spread)
    if anchors.any() and counts[0, anchors].sum():
        values |= _measure_anchors(totals, anchors, truths, first)
    made = totals.flows[[FLOWS.index(name) for name in ("provisional", "unequal weights", "floor", "timeouts")]].sum()
    per = max(totals.games, 1)
    values["made"] = float(made) / per
    came, gone = FLOWS.index("entry"), FLOWS.index("exit")
    brought = start * _THOUSAND * int(totals.events[came] - totals.events[gone])
    values["kept"] = (int(totals.flows[came] + totals.flows[gone]) - brought) / per
    values |= _calibrate(totals, skills, truths, start)
    values["half_life"] = half_life_of(totals, start)
    values["noise"] = _noise_of(totals, start)
    if totals.freedoms.sum():
        values["jitter"] = math.sqrt(math.fsum(totals.deviations) / int(totals.freedoms.sum()))
    values |= _predict(totals)
    rows = int(totals.bands[0].sum())
    if rows:
        values["wait"] = int(totals.bands[1].sum()) / rows / _THOUSAND
        values["gap"] = int(totals.bands[3].sum()) / rows / _THOUSAND
    out = int(totals.timeouts[2].sum())
    if out >= MANY_OUT:
        values["timeout_points"] = int(totals.timeouts[3].sum()) / out
        values["timeout_rating"] = int(totals.timeouts[4].sum()) / out / _THOUSAND
    return values


def _measure_anchors(
    totals: Totals, anchors: np.ndarray[tuple[int], np.dtype[np.bool_]], truths: Array, first: int
) -> dict[str, float | None]:
    """Measure how anchors move."""
    counts = totals.counts[:, anchors].sum(axis=1)
    ratings = totals.sums[:, anchors].sum(axis=1) / _THOUSAND / counts
    played = totals.played[:, anchors].sum(axis=1) / counts
    values: dict[str, float | None] = {"anchor_moved": float(ratings[-1] - ratings[first])}
    truth = float(totals.counts[0, anchors] @ truths[anchors]) / float(counts[0])
    values["anchor_offset"] = None if math.isnan(truth) else float(ratings[-1]) - truth
    when, rated = played[first:], ratings[first:]
    if len(set(when.tolist())) > 1:
        slope = slope_of(when, rated)
        values["anchor_drift"] = _THOUSAND * slope
        if len(rated) >= 2 * _BATCHES:
            values["lag_1"] = batch_means(rated - slope * when, _BATCHES).lag_1
    return values


def _calibrate(totals: Totals, skills: Array, truths: Array, start: float) -> dict[str, float | None]:
    """Compare final ratings with true skills, from sums by group."""
    known = (totals.finals[0] > 0) & ~np.isnan(skills)
    count = int(totals.finals[0, known].sum())
    if count < 2:
        return {}
    share = totals.finals[0, known] / count
    rated = totals.finals[1, known] / _THOUSAND - start * totals.finals[0, known]
    mean, skill = float(rated.sum()) / count, float(share @ skills[known])
    values: dict[str, float | None] = {"intercept": start + mean - float(share @ truths[known])}
    off = skills[known] - skill
    square = float(share @ off**2)
    across = float(off @ rated) / count
    spread = int(totals.final_squares[known].sum()) / count - mean**2
    if square > 1e-9:
        values["slope"] = across / square
        values["correlation"] = across / math.sqrt(square * spread) if spread > 0 else None
    return values


def _noise_of(totals: Totals, start: float) -> float | None:
    """Give how far settled players of a group lie apart, all groups together."""
    counts = totals.finals[0]
    some = counts > 1
    freedom = int((counts[some] - 1).sum())
    if not freedom:
        return None
    sums = totals.finals[1, some] / _THOUSAND - start * counts[some]
    square = float((totals.final_squares[some] - sums**2 / counts[some]).sum())
    return math.sqrt(max(square, 0.0) / freedom)


def half_life_of(totals: Totals, start: float) -> float | None:
    """Give the games in which newcomers' mean distance from the settled rating of their group halves.

    Groups are put together with the sign of their first distance, each weighted by its newcomers, so that those who
    begin too high and too low do not cancel.

    Parameters
    ----------
    totals
        The sums of a replication.
    start
        What newcomers begin with.

    Returns
    -------
    float or None
        Games, linearly between whole ones; None if it never halves within `HORIZON` games, or nobody settled.
    """
    known = (totals.newcomers > 0) & (totals.settled[0] > 0)
    if not known.any():
        return None
    settled = totals.settled[1, known] / totals.settled[0, known] / _THOUSAND
    errors = totals.careers[known] / _THOUSAND - totals.newcomers[known, np.newaxis] * settled[:, np.newaxis]
    mean = (errors * np.sign(start - settled)[:, np.newaxis]).sum(axis=0) / int(totals.newcomers[known].sum())
    below = np.flatnonzero(mean <= mean[0] / 2)
    if mean[0] <= 0.0 or not len(below):
        return None
    at = int(below[0])
    return at - 1 + float((mean[at - 1] - mean[0] / 2) / (mean[at - 1] - mean[at]))


def _predict(totals: Totals) -> dict[str, float | None]:
    """Give how well ratings foretold the later half, with the scale fitted to the earlier one."""
    from scipy.optimize import brentq  # noqa: PLC0415 - only needed here

    early, late = (half.astype(np.float64) for half in totals.classes)
    if not early.sum() or not late.sum():
        return {}
    x = STEP * (np.arange(STEPS) + 0.5)
    scores = np.array([[0.0], [0.5], [1.0]])

    def slope(factor: float) -> float:
        """Give the derivative of the log-likelihood by the factor of rating differences: it falls."""
        return float((early * x * (scores - 1.0 / (1.0 + np.exp(-factor * x)))).sum())

    if slope(0.0) <= 0.0 or slope(1.0) >= 0.0:
        return {}
    factor = float(brentq(slope, 0.0, 1.0, xtol=1e-15))
    chances = 1.0 / (1.0 + np.exp(-factor * x))
    losses = np.logaddexp(0.0, -factor * x) + (1.0 - scores) * factor * x
    pairs = float(late.sum())
    return {
        "log_loss": float((late * losses).sum()) / pairs,
        "brier": float((late * (chances - scores) ** 2).sum()) / pairs,
        "scale": math.log(10.0) / factor,
    }


def _bands(replications: Sequence[Totals]) -> tuple[tuple[int, int, float, float, float], ...]:
    """Give waiting and rating gap by band, over all replications."""
    sums = np.sum([each.bands for each in replications], axis=0)
    longest = np.max([each.bands[2] for each in replications], axis=0)
    return tuple(
        (
            BAND * band,
            int(rows),
            int(sums[1, band]) / int(rows) / _THOUSAND,
            int(longest[band]) / _THOUSAND,
            int(sums[3, band]) / int(rows) / _THOUSAND,
        )
        for band, rows in enumerate(sums[0].tolist())
        if rows
    )


def _series(
    file: LadderFile, anchors: np.ndarray[tuple[int], np.dtype[np.bool_]], replications: Sequence[Totals]
) -> dict[str, tuple[tuple[float, ...], ...]]:
    """Give mean ratings over time; not a number where nobody is there."""
    parts = {"pool": np.ones(len(anchors), dtype=np.bool_)}
    if anchors.any():
        parts["anchors"] = anchors
    parts |= {f"group {group.name}": np.arange(len(anchors)) == place for place, group in enumerate(file.groups)}
    found: dict[str, tuple[tuple[float, ...], ...]] = {
        "games": tuple(tuple(float(games) for games in each.when) for each in replications)
    }
    for name, part in parts.items():
        rows = []
        for each in replications:
            counts = each.counts[:, part].sum(axis=1)
            sums = each.sums[:, part].sum(axis=1) / _THOUSAND
            rows.append(tuple(np.divide(sums, counts, out=np.full(len(sums), math.nan), where=counts > 0).tolist()))
        found[name] = tuple(rows)
    return found
