"""True skill of groups, from who was ahead of whom: what their ratings should be.

The players of a group play alike, so their skill is that of the group. It is measured on the scale of ratings by the
model of Bradley and Terry (1952) with ties as half a win each: the numbers whose expected scores 1/(1 + 10^(-d/400))
fit all the pairs at ranked tables best. Unlike a mean place, it does not hang on whom somebody was matched with.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

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
