"""Known values of pairwise Elo: half-life 481.6/K, stationary sd sqrt(48.25 K), what provisional games remove.

First-order formulas, derived for four distinct places against fixed equal opponents; that is simulated exactly.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.ladder.measures import half_life, stationary_noise
from sim.ladder.ratings.newcomers import play_newcomers
from sim.ladder.systems import Elo, RatingSystem


def play(system: RatingSystem, *, off: float, newcomers: int, games: int, seed: int, old: bool = True) -> np.ndarray:
    """Ratings of newcomers whose skill is 1500, against three fixed players of that skill, (newcomers, games + 1)."""
    states = np.zeros((4, 4))
    states[:, 0] = 1500
    states[:, 3] = 1000
    states[0] = (1500 + off, 0, 0, 1000 if old else 0)
    ratings, finals = np.empty((newcomers, games + 1)), np.empty((newcomers, 4))
    play_newcomers(system.code, system.to_array(), np.full(4, 1500.0), states, seed, ratings, finals)
    assert (finals[:, 0] == ratings[:, -1]).all()
    assert (finals[:, 3] == states[0, 3] + games).all()
    return ratings


@pytest.mark.parametrize("k", [16, 24, 40])
def test_half_life(k: float) -> None:
    games = int(2 * 481.6 / k)
    ratings = play(Elo(k=k), off=50, newcomers=30_000, games=games, seed=1)
    found = half_life(ratings - 1500)
    assert found == pytest.approx(481.6 / k, rel=0.05)
    shrink = 1 - k * math.log(10) / 1600  # what one game leaves of a small error
    assert found == pytest.approx(math.log(0.5) / math.log(shrink), rel=0.03)


@pytest.mark.parametrize("k", [16, 24, 40])
def test_stationary_noise(k: float) -> None:
    ratings = play(Elo(k=k), off=0, newcomers=6_000, games=int(5 * 481.6 / k), seed=2)
    assert ratings[:, -1].std() == pytest.approx(math.sqrt(48.25 * k), rel=0.04)
    assert ratings[:, -1].mean() == pytest.approx(1500, abs=2)


def test_noise_of_one_long_career() -> None:
    ratings = play(Elo(k=24), off=0, newcomers=4, games=60_000, seed=3)
    assert stationary_noise(ratings[:, 200:]) == pytest.approx(math.sqrt(48.25 * 24), rel=0.04)


@pytest.mark.parametrize(("k", "percent"), [(40, 44), (64, 60), (128, 84)])
def test_ten_provisional_games(k: float, percent: int) -> None:
    formula = 1 - 2 ** (-10 * k / 481.6)
    assert round(100 * formula) == percent
    system = Elo(k=24, k_provisional=k)
    ratings = play(system, off=50, newcomers=60_000, games=11, seed=4, old=False)
    removed = 1 - (ratings[:, 10].mean() - 1500) / 50
    assert removed == pytest.approx(formula, abs=0.025)
    after = (ratings[:, 11].mean() - 1500) / (ratings[:, 10].mean() - 1500)
    assert after == pytest.approx(1 - 24 * math.log(10) / 1600, abs=0.03 if k < 128 else 0.06)


def test_odds_are_those_of_the_curve() -> None:
    """A player 200 points better settles 200 points higher: order of games and expectations go together."""
    states = np.zeros((4, 4))
    states[:, 0] = 1500
    states[:, 3] = 1000
    skills = np.array([1700.0, 1500, 1500, 1500])
    system = Elo(k=8)
    ratings, finals = np.empty((1500, 601)), np.empty((1500, 4))
    play_newcomers(system.code, system.to_array(), skills, states, 5, ratings, finals)
    assert finals[:, 0].mean() == pytest.approx(1700, abs=2.5)


def test_streams_are_of_seed_and_newcomer_alone() -> None:
    few, many = (play(Elo(), off=0, newcomers=count, games=20, seed=6) for count in (3, 5))
    assert np.array_equal(few, many[:3])
    assert not np.array_equal(many[0], many[1])
    assert not np.array_equal(many, play(Elo(), off=0, newcomers=5, games=20, seed=7))
