"""Measures of rating drift: pure functions of recorded arrays.

Rating drift is a family, since no single number shows it: the mean of a pool can stand still while anchors (permanent
players of fixed skill) are pushed up by newcomers who are worse than what they begin with. Where several replications
of a whole ladder are given, intervals are t-intervals over them; values within one are never taken as independent.

Not in here: how a ladder is played, and how results are printed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from sim.statistics.estimate import t_quantile

if TYPE_CHECKING:
    from collections.abc import Mapping

Array = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MOST_LAG_1: Final = 0.2
"""Batch means count as independent while the correlation of neighbours is below this (statistics: batch means)."""


@dataclass(frozen=True)
class Interval:
    """A mean with half of its 95 % interval."""

    value: float
    """The mean."""
    half_width: float | None
    """Half of the interval; None with fewer than two values."""
    count: int
    """How many values it is of."""


def interval_over(values: npt.ArrayLike) -> Interval:
    """Give the mean of independent values and its t-interval.

    Parameters
    ----------
    values : float, shape (n,)
        One value for each replication.

    Raises
    ------
    ValueError
        There is none.
    """
    numbers = [float(value) for value in np.asarray(values, dtype=np.float64).ravel()]
    count = len(numbers)
    if count == 0:
        raise ValueError("no values to take a mean of")
    mean = math.fsum(numbers) / count
    if count == 1:
        return Interval(mean, None, 1)
    variance = math.fsum((number - mean) ** 2 for number in numbers) / (count - 1)
    return Interval(mean, t_quantile(count - 1) * math.sqrt(variance / count), count)


# ------------------------------------------------------------------------------------------------------- anchor drift


def slope_of(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Give the slope of the least-squares line.

    Parameters
    ----------
    x, y : float, shape (n,)
        At least two different x.

    Raises
    ------
    ValueError
        All x are the same.
    """
    xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    off = xs - xs.mean()
    square = float(off @ off)
    if square == 0.0:
        raise ValueError("no slope: all x are the same")
    return float(off @ (ys - ys.mean())) / square


def anchor_drift(errors: npt.ArrayLike, games: npt.ArrayLike) -> Interval:
    """Give the drift of anchors: the slope of rating less true value, in points per 1000 games.

    Parameters
    ----------
    errors : float, shape (replications, times) or (replications, times, anchors)
        Rating less true value of permanent anchors of fixed skill; anchors are averaged within a replication.
    games : float, shape (times,) or (replications, times)
        Games that had been played at each time: those of an anchor for points per 1000 of its own games, or those of
        the ladder.

    Returns
    -------
    Interval
        Over replications.
    """
    values = np.asarray(errors, dtype=np.float64)
    if values.ndim == 3:
        values = values.mean(axis=2)
    when = np.broadcast_to(np.asarray(games, dtype=np.float64), values.shape)
    return interval_over([1000.0 * slope_of(x, y) for x, y in zip(when, values, strict=True)])


# ----------------------------------------------------------------------------------------------------------- ledger


@dataclass(frozen=True)
class PointsLedger:
    """Every rating point of a pool that came or went, by cause."""

    start: float
    """What the pool held at the beginning."""
    end: float
    """What it held at the end."""
    causes: Mapping[str, float]
    """Points created by each cause, negative if destroyed; in the order in which causes were given."""
    events: Mapping[str, int]
    """How many times each cause acted."""

    @property
    def residue(self) -> float:
        """What the causes do not explain: 0, up to the rounding of floats."""
        return self.end - self.start - math.fsum(self.causes.values())

    @property
    def is_whole(self) -> bool:
        """Whether the ledger reconciles to the last point."""
        return abs(self.residue) < 1e-6 * max(1.0, math.fsum(map(abs, self.causes.values())))


def make_ledger(start: float, end: float, entries: Mapping[str, npt.ArrayLike]) -> PointsLedger:
    """Add up a ledger of points.

    Parameters
    ----------
    start, end
        What all players of the pool held at the beginning and at the end: Σ (rating - origin), where the origin is 0,
        or the rating of newcomers, so that a newcomer brings nothing and a leaver takes what is over it.
    entries
        Amounts by cause, such as ``unequal K``, ``provisional``, ``floor``, ``timeout``, ``entry``, ``exit``; amounts
        of 0 are no events.
    """
    amounts = {cause: np.asarray(values, dtype=np.float64).ravel() for cause, values in entries.items()}
    return PointsLedger(
        start,
        end,
        {cause: math.fsum(values) for cause, values in amounts.items()},
        {cause: int(np.count_nonzero(values)) for cause, values in amounts.items()},
    )


def split_created(created: Array, floored: Array, games: Array, provisional_games: float) -> dict[str, Array]:
    """Give the entries that a rating system causes itself, from the parts of its changes (`sim.ladder.ratings.layout`).

    Parameters
    ----------
    created, floored : float, shape (games, 4)
        What each table created for each player, and what the floor gave.
    games : float, shape (games, 4)
        Games of each player before.
    provisional_games
        Games in which a rating is provisional.

    Returns
    -------
    dict
        ``provisional``, ``unequal weights`` (of K, f or deviations; of players who are not provisional), ``floor``.
    """
    is_provisional = games < provisional_games
    return {
        "provisional": np.where(is_provisional, created, 0.0),
        "unequal weights": np.where(is_provisional, 0.0, created),
        "floor": floored,
    }


# ---------------------------------------------------------------------------------------------- spread and calibration


@dataclass(frozen=True)
class Calibration:
    """How ratings follow true skill."""

    slope: float
    """Rating points for each point of true skill: below 1 the ladder is squeezed, above 1 stretched."""
    intercept: float
    """Mean rating less mean skill: how far the whole ladder is off."""
    correlation: float
    """Of ratings and skills."""
    rating_spread: float
    """Standard deviation of the ratings."""
    skill_spread: float
    """Standard deviation of the skills."""


def calibrate(ratings: npt.ArrayLike, skills: npt.ArrayLike) -> Calibration:
    """Compare ratings with true skills.

    Parameters
    ----------
    ratings, skills : float, shape (players,)
        Both on the scale of ratings; at least two different skills.
    """
    values, truths = np.asarray(ratings, dtype=np.float64), np.asarray(skills, dtype=np.float64)
    slope = slope_of(truths, values)
    spread, skill = float(values.std(ddof=1)), float(truths.std(ddof=1))
    intercept = float(values.mean() - truths.mean())
    return Calibration(slope, intercept, slope * skill / spread if spread else math.nan, spread, skill)


# ------------------------------------------------------------------------------------------------ speed and noise


def half_life(errors: npt.ArrayLike) -> float | None:
    """Give the games in which an error halves: where the mean error first falls to half of the first one.

    Parameters
    ----------
    errors : float, shape (games + 1,) or (players, games + 1)
        Rating less settled value before each game and after the last. Several players are put together with the sign
        of their first error, so that those who begin too high and too low do not cancel.

    Returns
    -------
    float or None
        Games, linearly between whole ones; None if it never halves.
    """
    values = np.atleast_2d(np.asarray(errors, dtype=np.float64))
    mean = (values * np.sign(values[:, :1])).mean(axis=0)
    if mean[0] == 0.0:
        return None
    below = np.flatnonzero(mean <= mean[0] / 2)
    if not len(below):
        return None
    at = int(below[0])
    return at - 1 + float((mean[at - 1] - mean[0] / 2) / (mean[at - 1] - mean[at]))


def stationary_noise(ratings: npt.ArrayLike) -> float:
    """Give the standard deviation of settled ratings about each player's own mean.

    Parameters
    ----------
    ratings : float, shape (players, times) or (times,)
        Ratings after the warm-up, of players whose skill does not change.
    """
    values = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    return math.sqrt(float(values.var(axis=1, ddof=1).mean()))


def order_dependence(finals: npt.ArrayLike) -> float:
    """Give how much final ratings hang on the order of the same results.

    Parameters
    ----------
    finals : float, shape (orders, players)
        Final ratings after each of several random orders of the same games.

    Returns
    -------
    float
        Root mean square over players of the standard deviation over orders.
    """
    values = np.asarray(finals, dtype=np.float64)
    return math.sqrt(float(values.var(axis=0, ddof=1).mean()))


# ------------------------------------------------------------------------------------------------- predictive loss


@dataclass(frozen=True)
class Loss:
    """How well ratings before a game foretold who would be ahead of whom."""

    log_loss: float
    """Mean of -log of the probability given to what happened; a tie is half of each. Guessing 1/2 gives 0.6931."""
    brier: float
    """Mean squared difference of probability and score. Guessing 1/2 gives 0.25 where there are no ties."""
    scale: float
    """Points that make the odds 10 to 1 in the probabilities; infinite if ratings tell nothing."""
    pairs: int
    """Pairs of players it is of, six a game."""


def pairs_of(before: npt.ArrayLike, points: npt.ArrayLike) -> tuple[Array, Array]:
    """Give all pairs of players of each table.

    Parameters
    ----------
    before : float, shape (games, 4)
        Ratings before each game.
    points : int, shape (games, 4)
        Points of the game.

    Returns
    -------
    differences : float, shape (games * 6,)
        Rating of the one less that of the other.
    scores : float, shape (games * 6,)
        1, 1/2 or 0 for the one.
    """
    ratings, result = np.asarray(before, dtype=np.float64), np.asarray(points)
    one, other = np.triu_indices(ratings.shape[1], 1)
    differences = (ratings[:, one] - ratings[:, other]).ravel()
    scores = ((np.sign(result[:, one] - result[:, other]) + 1) / 2).ravel()
    return differences, scores


def loss_of(differences: Array, scores: Array, scale: float) -> Loss:
    """Give the loss of predictions by Elo's curve.

    Parameters
    ----------
    differences, scores
        From `pairs_of`.
    scale
        Points that make the odds 10 to 1.
    """
    x = differences * (math.log(10.0) / scale)
    losses = _log_losses(x, scores)
    chances = np.exp(-np.logaddexp(0.0, -x))
    return Loss(float(losses.mean()), float(((chances - scores) ** 2).mean()), scale, len(scores))


def _log_losses(x: Array, scores: Array) -> Array:
    """Give -log of the probability given to what happened, from log-odds; a tie is half of each."""
    losses: Array = np.logaddexp(0.0, -x) + (1.0 - scores) * x
    return losses


def fit_scale(differences: Array, scores: Array) -> float:
    """Find the scale with which ratings predict best, so that systems with other scales can be compared fairly.

    Parameters
    ----------
    differences, scores
        From `pairs_of`, of games that are not those to predict.

    Returns
    -------
    float
        Points that make the odds 10 to 1; infinite if higher ratings do not win more often.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - only needed here

    unit = float(np.abs(differences).mean()) if len(differences) else 0.0
    if unit == 0.0:
        return math.inf
    x = differences / unit

    def slope(factor: float) -> float:
        """Give the derivative of the log-likelihood by the factor of the ratings: it falls."""
        chances = np.exp(-np.logaddexp(0.0, -factor * x))
        return float((x * (scores - chances)).mean())

    if slope(0.0) <= 0.0:
        return math.inf
    most = 1.0
    while slope(most) > 0.0 and most < 1e6:
        most *= 2.0
    if slope(most) > 0.0:
        return unit * math.log(10.0) / most
    return unit * math.log(10.0) / float(brentq(slope, 0.0, most, xtol=1e-12))


def predictive_loss(before: Array, points: Counts, *, scale: float | None = None, train: float = 0.5) -> Loss:
    """Give how well ratings foretell later games.

    Parameters
    ----------
    before : float, shape (games, 4)
        Ratings before each game, in order of time.
    points : int, shape (games, 4)
        Points of the games.
    scale
        Points that make the odds 10 to 1; None to fit it to the earlier games.
    train
        Share of the games that are earlier ones and not predicted.

    Raises
    ------
    ValueError
        No game is left to predict.
    """
    cut = int(len(points) * train)
    if cut >= len(points):
        raise ValueError("no later game to predict")
    if scale is None:
        differences, scores = pairs_of(before[:cut], points[:cut])
        scale = fit_scale(differences, scores)
    return loss_of(*pairs_of(before[cut:], points[cut:]), scale)


def losses_by_game(before: Array, points: Counts, *, train: float = 0.5) -> Array:
    """Give the log-loss of each later game, so that systems can be compared game by game.

    Parameters
    ----------
    before, points, train
        As in `predictive_loss`.

    Returns
    -------
    float64, shape (later games,)
        Mean over the six pairs of a game; their mean is the log-loss of `predictive_loss`.
    """
    scale = predictive_loss(before, points, train=train).scale
    cut = int(len(points) * train)
    differences, scores = pairs_of(before[cut:], points[cut:])
    losses = _log_losses(differences * (math.log(10.0) / scale), scores)
    means: Array = losses.reshape(len(points) - cut, -1).mean(axis=1)
    return means


# ----------------------------------------------------------------------------------------- warm-up and batch means


def warm_up(series: npt.ArrayLike, batch: int = 5) -> int:
    """Find where a series has warmed up, by MSER-5 (White, 1997; White, Cobb and Spratt, 2000).

    The series is cut where the squared standard error of the rest, of means of five, is least; the second half is
    never cut, since little is left there to tell.

    Parameters
    ----------
    series : float, shape (n,)
        One value a time.
    batch
        Values that are put together: 5.

    Returns
    -------
    int
        How many values to leave out at the beginning, a multiple of the batch. If the least lies at the end of the
        first half, the series is too short to have warmed up.
    """
    values = np.asarray(series, dtype=np.float64)
    count = len(values) // batch
    if count < 2:
        return 0
    means = values[: count * batch].reshape(count, batch).mean(axis=1)
    cuts = range(count // 2 + 1)
    errors = [float(((means[cut:] - means[cut:].mean()) ** 2).sum()) / (count - cut) ** 2 for cut in cuts]
    return int(np.argmin(errors)) * batch


@dataclass(frozen=True)
class BatchMeans:
    """The mean of a correlated series, with an interval from the means of long batches of it."""

    mean: Interval
    """Over batches."""
    lag_1: float
    """Correlation of neighbouring batches."""

    @property
    def is_sound(self) -> bool:
        """Whether batches are long enough to count as independent; otherwise the interval is too short."""
        return abs(self.lag_1) < MOST_LAG_1


def batch_means(series: npt.ArrayLike, batches: int = 20) -> BatchMeans:
    """Give the mean of a series after its warm-up.

    Parameters
    ----------
    series : float, shape (n,)
        One value a time; what does not fill a batch is left out at the beginning.
    batches
        Number of batches.

    Raises
    ------
    ValueError
        There are fewer values than batches, or fewer than three batches.
    """
    values = np.asarray(series, dtype=np.float64)
    size = len(values) // batches
    if batches < 3 or size == 0:
        raise ValueError(f"{len(values)} values make no {batches} batches; allowed: at least 3, of at least one value")
    means = values[len(values) - size * batches :].reshape(batches, size).mean(axis=1)
    off = means - means.mean()
    square = float(off @ off)
    return BatchMeans(interval_over(means), float(off[1:] @ off[:-1]) / square if square else 0.0)
