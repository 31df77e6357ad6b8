"""Measures of rating drift on data whose answers are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sim.ladder import measures
from sim.ladder.ratings.update import begin, rate_stream
from sim.ladder.systems import parse_system


def test_interval_is_the_textbook_one() -> None:
    values = [3.0, 5.0, 4.0, 8.0]
    found = measures.interval_over(values)
    assert found.value == 5
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, 3) * np.std(values, ddof=1) / 2)
    assert measures.interval_over([2.0]) == measures.Interval(2.0, None, 1)
    with pytest.raises(ValueError, match="no values"):
        measures.interval_over([])


def test_anchor_drift() -> None:
    games = np.arange(0, 5000, 100)
    draw = np.random.default_rng(1)
    slopes = np.array([3.0, 5.0, 4.0])
    errors = 7 + slopes[:, None, None] * games[None, :, None] / 1000 + np.array([-50.0, 0, 50])
    found = measures.anchor_drift(errors, games)
    assert found.value == pytest.approx(4)
    assert found.half_width == pytest.approx(measures.interval_over(slopes).half_width)
    noisy = measures.anchor_drift(errors.mean(axis=2) + draw.normal(0, 1, (3, 50)), games)
    assert noisy.value == pytest.approx(4, abs=0.4)
    with pytest.raises(ValueError, match="all x are the same"):
        measures.anchor_drift(errors, np.zeros(50))


def test_ledger_reconciles_to_the_last_point() -> None:
    """A pool with newcomers, leavers, a floor, a penalty and provisional K: its causes explain all of it."""
    draw = np.random.default_rng(2)
    system = parse_system("elo{k=24,k_provisional=64,floor=1480}")
    count, games = 40, 3000
    states = np.zeros((count, 4))
    for state in states:
        begin(system.code, system.to_array(), state)
    start = states[:, 0].sum()
    entries: dict[str, list[np.ndarray]] = {}
    for _ in range(games // 100):
        who = np.array([draw.permutation(count)[:4] for _ in range(100)])
        points = draw.integers(-5, 6, (100, 4))
        before, parts = np.empty((100, 4)), np.empty((100, 4, 3))
        played = np.zeros((100, 4))
        own = states[:, 3].copy()
        for game, table in enumerate(who):
            played[game] = own[table]
            own[table] += 1
        rate_stream(system.code, system.to_array(), who, points, np.arange(100), states, before, parts)
        for cause, amounts in measures.split_created(parts[:, :, 1], parts[:, :, 2], played, 10).items():
            entries.setdefault(cause, []).append(amounts)
        leaver = int(draw.integers(count))
        entries.setdefault("exit", []).append(np.array([-states[leaver, 0]]))
        begin(system.code, system.to_array(), states[leaver])
        entries.setdefault("entry", []).append(np.array([states[leaver, 0]]))
        entries.setdefault("timeout", []).append(np.array([-1.5]))
        states[int(draw.integers(count)), 0] -= 1.5
    whole = {cause: np.concatenate([amount.ravel() for amount in amounts]) for cause, amounts in entries.items()}
    ledger = measures.make_ledger(start, states[:, 0].sum(), whole)
    assert ledger.is_whole
    assert abs(ledger.residue) < 1e-7
    assert ledger.causes["floor"] > 0
    assert ledger.causes["provisional"] != 0
    assert ledger.causes["unequal weights"] == pytest.approx(0, abs=1e-9)
    assert ledger.events["exit"] == games // 100
    del whole["timeout"]
    assert not measures.make_ledger(start, states[:, 0].sum(), whole).is_whole


def test_calibration() -> None:
    skills = np.array([1300.0, 1450, 1500, 1600, 1700])
    found = measures.calibrate(1520 + 0.8 * (skills - skills.mean()), skills)
    assert found.slope == pytest.approx(0.8)
    assert found.intercept == pytest.approx(1520 - skills.mean())
    assert found.correlation == pytest.approx(1)
    assert found.rating_spread == pytest.approx(0.8 * found.skill_spread)
    draw = np.random.default_rng(1)
    ratings = skills + draw.normal(0, 50, 5)
    assert measures.calibrate(ratings, skills).correlation == pytest.approx(np.corrcoef(ratings, skills)[0, 1])


def test_half_life() -> None:
    games = np.arange(60)
    decay = 0.5 ** (games / 12.5)
    assert measures.half_life(200 * decay) == pytest.approx(12.5, rel=0.01)
    assert measures.half_life(np.array([100 * decay, -300 * decay])) == pytest.approx(12.5, rel=0.01)
    assert measures.half_life(np.full(10, 5.0)) is None
    assert measures.half_life(np.zeros(10)) is None


def test_noise_and_order_dependence() -> None:
    draw = np.random.default_rng(3)
    ratings = np.array([[1400.0], [1700]]) + draw.normal(0, 30, (2, 40_000))
    assert measures.stationary_noise(ratings) == pytest.approx(30, rel=0.02)
    assert measures.order_dependence(ratings.T) == pytest.approx(30, rel=0.02)
    assert measures.order_dependence([[1500.0, 1600], [1500, 1604]]) == pytest.approx(2)


def test_loss_of_guessing() -> None:
    before = np.full((10, 4), 1500.0)
    points = np.tile([5, 2, -1, -6], (10, 1))
    found = measures.predictive_loss(before, points, scale=400)
    assert found.log_loss == pytest.approx(math.log(2))
    assert found.brier == pytest.approx(0.25)
    assert found.pairs == 5 * 6
    assert measures.predictive_loss(before, points).scale == math.inf
    with pytest.raises(ValueError, match="no later game"):
        measures.predictive_loss(before, points, train=1.0)


def test_loss_by_hand() -> None:
    found = measures.loss_of(np.array([400.0, -400]), np.array([1.0, 0.5]), 400)
    low, high = 1 / 11, 10 / 11
    assert found.log_loss == pytest.approx(-(math.log(high) + (math.log(low) + math.log(high)) / 2) / 2)
    assert found.brier == pytest.approx(((1 - high) ** 2 + (0.5 - low) ** 2) / 2)


def test_pairs_of_a_table() -> None:
    differences, scores = measures.pairs_of([[4.0, 3, 2, 0]], [[1, 1, 5, 0]])
    assert differences.tolist() == [1, 2, 4, 1, 3, 2]
    assert scores.tolist() == [0.5, 0, 1, 0, 1, 1]


@pytest.mark.parametrize("truth", [150.0, 400.0, 1500.0])
def test_scale_is_found(truth: float) -> None:
    draw = np.random.default_rng(4)
    differences = draw.normal(0, 200, 60_000)
    scores = (draw.uniform(size=60_000) < 1 / (1 + 10 ** (-differences / truth))).astype(float)
    assert measures.fit_scale(differences, scores) == pytest.approx(truth, rel=0.05)
    assert measures.fit_scale(-differences, scores) == math.inf


def test_the_true_scale_loses_least() -> None:
    draw = np.random.default_rng(5)
    differences = draw.normal(0, 300, 40_000)
    scores = (draw.uniform(size=40_000) < 1 / (1 + 10 ** (-differences / 400))).astype(float)
    losses = {scale: measures.loss_of(differences, scores, scale) for scale in (200, 400, 800)}
    assert min(losses, key=lambda scale: losses[scale].log_loss) == 400
    assert min(losses, key=lambda scale: losses[scale].brier) == 400


def test_warm_up_is_cut() -> None:
    draw = np.random.default_rng(6)
    settled = draw.normal(0, 1, 2000)
    assert measures.warm_up(settled) < 200
    rising = settled + np.where(np.arange(2000) < 400, -20 * (1 - np.arange(2000) / 400), 0)
    assert 330 <= measures.warm_up(rising) <= 430
    assert measures.warm_up(np.arange(3.0)) == 0


def test_batch_means() -> None:
    draw = np.random.default_rng(7)
    found = measures.batch_means(draw.normal(10, 2, 4003))
    assert found.is_sound
    assert found.mean.value == pytest.approx(10, abs=0.15)
    assert found.mean.half_width == pytest.approx(stats.t.ppf(0.975, 19) * 2 / math.sqrt(4000), rel=0.4)
    walk = np.cumsum(draw.normal(0, 1, 4000))
    wild = measures.batch_means(walk)
    assert not wild.is_sound
    assert wild.lag_1 > 0.5
    with pytest.raises(ValueError, match="allowed: at least 3"):
        measures.batch_means(np.zeros(10), 2)
    with pytest.raises(ValueError, match="of at least one value"):
        measures.batch_means(np.zeros(10))
