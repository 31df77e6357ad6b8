"""True skill of groups, from who was ahead of whom: what their ratings should be.

The players of a group play alike, so their skill is that of the group, and groups that play alike have one skill. It
is measured on the scale of ratings by the model of Bradley and Terry (1952) with ties as half a win each: the numbers
whose expected scores 1/(1 + 10^(-d/400)) fit all the pairs at ranked tables best. It hangs on whom somebody was matched
with far less than a mean place, but a little: who is ahead of whom depends on the other two at the table too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sim.ladder.file import GroupTable
    from sim.ladder.measures import Array

SCALE: Final = 400.0
"""Points that make the odds 10 to 1."""
_STEPS: Final = 1_000
_MOST_STEP: Final = 1.0


def fit_skills(
    scores: npt.ArrayLike, duels: npt.ArrayLike, weights: npt.ArrayLike, *, mean: float, scale: float = SCALE
) -> Array:
    """Find the skills that fit duels best.

    Each group is given half a win and half a loss against an average one, so that one that never won has a skill too.
    The fit is by Newton's steps on the logarithms of the strengths, whose likelihood is concave.

    Parameters
    ----------
    scores : int, shape (groups, groups)
        Twice the score of each group against each: 2 for being ahead, 1 for a tie.
    duels : int, shape (groups, groups)
        Pairs of each group with each; those within a group tell nothing.
    weights : float, shape (groups,)
        Of the groups in the mean: the players that each begins with. All alike where they sum to 0.
    mean
        What the mean skill is to be: the rating of newcomers.
    scale
        Points that make the odds 10 to 1.

    Returns
    -------
    float64, shape (groups,)
        Not a number for a group without duels with others.
    """
    won, met = np.array(scores, dtype=np.float64) / 2, np.array(duels, dtype=np.float64)
    np.fill_diagonal(won, 0.0)
    np.fill_diagonal(met, 0.0)
    known = met.sum(axis=1) > 0
    share = np.where(known, np.asarray(weights, dtype=np.float64), 0.0)
    if share.sum() == 0.0:
        share = np.where(known, 1.0, 0.0)
    if not known.any():
        return np.full(len(won), mean if len(won) == 1 else math.nan)
    strength = np.zeros(len(won))
    for _ in range(_STEPS):
        ahead = 1.0 / (1.0 + np.exp(strength - strength[:, np.newaxis]))
        alone = 1.0 / (1.0 + np.exp(-strength))
        slope = (won - met * ahead).sum(axis=1) + 0.5 - alone
        bend = met * ahead * (1.0 - ahead)
        step = np.linalg.solve(np.diag(bend.sum(axis=1) + alone * (1.0 - alone)) - bend, slope)
        step *= min(1.0, _MOST_STEP / max(float(np.abs(step).max()), _MOST_STEP))
        strength += step
        if float(np.abs(step).max()) < 1e-10:
            break
    skills = strength * scale / math.log(10.0)
    skills += mean - float(share @ skills) / float(share.sum())
    return np.where(known, skills, math.nan)


def kinds_of(groups: Sequence[GroupTable]) -> npt.NDArray[np.int64]:
    """Give each group its way of playing: those of one strategy, parameters, think times and connections play alike.

    Parameters
    ----------
    groups
        The groups.

    Returns
    -------
    int64, shape (groups,)
        The way of each group, from 0 in the order in which ways come.
    """
    ways = [(group.strategy, group.think, group.connection) for group in groups]
    return np.array([ways.index(way) for way in ways], dtype=np.int64)


def fit_kinds(
    scores: npt.ArrayLike, duels: npt.ArrayLike, weights: npt.ArrayLike, kinds: npt.NDArray[np.int64], *, mean: float
) -> Array:
    """Find the skill of each group where groups that play alike have one.

    Parameters
    ----------
    scores, duels, weights, mean
        As in `fit_skills`.
    kinds : int64, shape (groups,)
        The way in which each group plays, from `kinds_of`.

    Returns
    -------
    float64, shape (groups,)
        Not a number for a group that played nobody of another kind; the mean where all play alike.
    """
    names, own = np.unique(kinds, return_inverse=True)
    among = (own == np.arange(len(names))[:, np.newaxis]).astype(np.float64)
    won, met = (among @ np.asarray(each, dtype=np.float64) @ among.T for each in (scores, duels))
    return fit_skills(won, met, among @ np.asarray(weights, dtype=np.float64), mean=mean)[own]


def jackknife_skills(
    scores: npt.ArrayLike, duels: npt.ArrayLike, weights: npt.ArrayLike, kinds: npt.NDArray[np.int64], *, mean: float
) -> tuple[Array, Array]:
    """Find skills from all replications, and what each replication says about them.

    Parameters
    ----------
    scores, duels : int, shape (replications, groups, groups)
        As in `fit_skills`, of each replication.
    weights, kinds, mean
        As in `fit_kinds`.

    Returns
    -------
    skills : float64, shape (groups,)
        From all replications together.
    pseudo : float64, shape (replications, groups)
        Pseudo-values (Tukey 1958): n times the skill less n - 1 times that without the replication. A replication's
        number less its pseudo-value is one whose spread holds the error of the skill too.
    """
    ahead, met = np.asarray(scores, dtype=np.float64), np.asarray(duels, dtype=np.float64)
    count = len(ahead)
    skills = fit_kinds(ahead.sum(axis=0), met.sum(axis=0), weights, kinds, mean=mean)
    pseudo = np.tile(skills, (count, 1))
    for left_out in range(count if count > 1 else 0):
        rest = fit_kinds(
            ahead.sum(axis=0) - ahead[left_out], met.sum(axis=0) - met[left_out], weights, kinds, mean=mean
        )
        pseudo[left_out] = np.where(np.isnan(rest), skills, count * skills - (count - 1) * rest)
    return skills, pseudo
