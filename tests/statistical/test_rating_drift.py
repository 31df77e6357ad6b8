"""Two known cases of rating drift on small ladders, and the measures' own arithmetic."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.special import stdtrit

from sim.ladder.account import account_for
from sim.ladder.contrast import compare_cells, compare_measure, detectable_of, replications_for
from sim.ladder.drift import MEASURES, CellDrift, half_life_of, measure_cell, start_up_of
from sim.ladder.file import GroupTable, LadderFile, Leaving, Queue, Think
from sim.ladder.measures import interval_over, predictive_loss
from sim.ladder.simulate import Replication
from sim.ladder.systems import parse_system
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.ladder.totals import Totals

OPEN = Queue(window=100_000, most=100_000)
CALM = Think(spread=0.2)


def anchored(*others: GroupTable, anchors: int, strategy: str = "ukeire", days: float, **keys: float) -> LadderFile:
    groups = (GroupTable(name="anchors", strategy=strategy, players=anchors, anchor=True, think=CALM), *others)
    return LadderFile(name="known", days=days, queue=OPEN, presets=("mahjongo",), groups=groups, **keys)


def weaker_newcomers(days: float) -> LadderFile:
    """Everybody plays alike at first; those who leave are replaced by weaker ones, who start at 1500 all the same."""
    leaving = Leaving(probability=0.05)
    return anchored(
        GroupTable(name="regulars", strategy="ukeire", players=90, leaving=leaving, think=CALM),
        GroupTable(
            name="newcomers", strategy="isolation", players=0, newcomers_per_day=4.5, leaving=leaving, think=CALM
        ),
        anchors=10,
        days=days,
    )


def quitters(days: float) -> LadderFile:
    """Nobody comes; who stands below 1500 may leave, the sooner the further below."""
    leaving = Leaving(per_400_below=0.06)
    return anchored(
        GroupTable(name="strong", strategy="ukeire", players=40, leaving=leaving, think=CALM),
        GroupTable(name="weak", strategy="isolation", players=40, leaving=leaving, think=CALM),
        anchors=20,
        days=days,
        warm_up=0.3,
    )


LADDERS: dict[str, Callable[[float], LadderFile]] = {"newcomers": weaker_newcomers, "quitters": quitters}


@cache
def run(ladder: str, days: float, system: str, replications: int) -> tuple[Totals, ...]:
    file, rules, rating = LADDERS[ladder](days), compile_rules(load_preset("mahjongo")), parse_system(system)
    strategies = [load_strategy(group.strategy) for group in file.groups]
    numbers = range(replications)
    return tuple(account_for(file, rating, Replication(file, rules, rating, strategies, number)) for number in numbers)


def measured(ladder: str, days: float, system: str, replications: int) -> CellDrift:
    cell = measure_cell(LADDERS[ladder](days), parse_system(system), run(ladder, days, system, replications))
    assert set(cell.residues) == {0}
    assert cell.breaks == 0
    return cell


def low_and_high(cell: CellDrift, name: str) -> tuple[float, float]:
    found = cell.interval(name)
    assert found is not None
    assert found.half_width is not None
    return found.value - found.half_width, found.value + found.half_width


@pytest.mark.parametrize(
    ("days", "replications", "system", "least"),
    [
        (45, 4, "elo{k_provisional=24}", 90),
        pytest.param(120, 20, "elo{k_provisional=24}", 140, marks=pytest.mark.slow),
    ],
)
def test_weaker_newcomers_inflate_anchors_while_the_pool_mean_hardly_moves(
    days: float, replications: int, system: str, least: float
) -> None:
    cell = measured("newcomers", days, system, replications)
    low, _ = low_and_high(cell, "anchor_offset")
    assert low > least
    assert low_and_high(cell, "anchor_drift")[0] > 0
    pool = cell.interval("pool_offset")
    assert pool is not None
    assert abs(pool.value) < low / 4
    newcomers = cell.skills["newcomers"]
    assert newcomers is not None
    assert -250 < newcomers - 1500 < -130  # some 200 points weaker
    assert (
        sum(cell.ledger["unequal weights"]) == sum(cell.ledger["provisional"]) == 0.0
    )  # all of it is what leavers leave


@pytest.mark.parametrize(("days", "replications"), [(80, 4), pytest.param(120, 20, marks=pytest.mark.slow)])
def test_quitting_by_rating_moves_the_pool_mean_and_not_the_anchors(days: float, replications: int) -> None:
    cell = measured("quitters", days, "elo", replications)
    low, _ = low_and_high(cell, "pool_moved")
    assert low > 15
    moved, drift = cell.interval("anchor_moved"), cell.interval("anchor_drift")
    assert moved is not None
    assert drift is not None
    assert abs(moved.value) < low / 2
    assert cell.skills["anchors"] == cell.skills["strong"]
    offset = cell.interval("anchor_offset")
    assert offset is not None
    assert abs(offset.value) < low / 3
    assert sum(cell.ledger["exit"]) < 0
    assert cell.events["entry"] == (0,) * replications


def test_the_same_ladder_twice_does_not_differ() -> None:
    cell = measured("quitters", 80, "elo", 4)
    rows = compare_cells(cell, cell, is_paired=True)
    assert {row.measure for row in rows} <= set(MEASURES)
    assert all(row.value == 0.0 and row.adjusted == 1.0 for row in rows)


def with_values(cell: CellDrift, **values: list[float | None]) -> CellDrift:
    return replace(cell, values={name: tuple(numbers) for name, numbers in values.items()})


def test_pairs_are_replications_that_both_tell() -> None:
    cell = measured("quitters", 80, "elo", 4)
    one = with_values(cell, noise=[1.0, 2.0, None, 4.0])
    other = with_values(cell, noise=[0.5, None, 7.0, 2.5])
    row = compare_measure("noise", one, other, is_paired=True)
    assert row is not None
    expected = interval_over([0.5, 1.5])
    assert (row.value, row.half_width) == (expected.value, expected.half_width)
    assert row.p == pytest.approx(0.2951672353, rel=1e-6)  # scipy.stats.ttest_rel([1, 4], [0.5, 2.5])


def test_unpaired_cells_are_compared_by_welch() -> None:
    cell = measured("quitters", 80, "elo", 4)
    one, other = with_values(cell, noise=[1.0, 2.0, 4.0, 3.5]), with_values(cell, noise=[5.0, 9.0, 7.0])
    row = compare_measure("noise", one, other, is_paired=False)
    assert row is not None
    from scipy.stats import ttest_ind

    found = ttest_ind([1.0, 2.0, 4.0, 3.5], [5.0, 9.0, 7.0], equal_var=False)
    assert row.p == pytest.approx(float(found.pvalue))
    interval = found.confidence_interval(0.95)
    assert row.half_width == pytest.approx((interval.high - interval.low) / 2)


def test_loss_of_classes_is_that_of_pairs() -> None:
    """Classes of ten points lose next to nothing against the pairs themselves."""
    totals = run("quitters", 80, "elo", 4)[0]
    draw = np.random.default_rng(3)
    pairs = 40_000
    gaps = draw.normal(0, 150, pairs)
    points = np.zeros((pairs, 2), dtype=np.int64)
    points[:, 0] = np.where(draw.random(pairs) < 1 / (1 + 10 ** (-gaps / 400)), 1, -1)
    before = np.stack([1500 + gaps, np.full(pairs, 1500.0)], axis=1)
    classes = np.zeros_like(totals.classes)
    score = np.where(gaps >= 0, 1 + points[:, 0], 1 - points[:, 0])
    np.add.at(classes, (np.arange(pairs) // (pairs // 2), score, (np.abs(gaps) // 10).astype(int)), 1)
    file = quitters(80)
    cell = measure_cell(file, parse_system("elo"), [replace(totals, classes=classes)])
    loss = predictive_loss(before, points)
    assert cell.values["log_loss"][0] == pytest.approx(loss.log_loss, abs=1e-4)
    assert cell.values["brier"][0] == pytest.approx(loss.brier, abs=1e-4)
    assert cell.values["scale"][0] == pytest.approx(loss.scale, rel=5e-3)


def test_half_life_is_that_of_newcomers_on_both_sides() -> None:
    totals = run("quitters", 80, "elo", 4)[0]
    games = np.arange(totals.careers.shape[1])
    errors = np.stack([0 * games, -100 * 0.5 ** (games / 8), 200 * 0.5 ** (games / 8)])
    settled = np.array([1500, 1600, 1300])
    careers = np.rint(1000 * (settled[:, np.newaxis] + errors)).astype(np.int64) * np.array([[0], [3], [5]])
    known = replace(
        totals,
        careers=careers,
        newcomers=np.array([0, 3, 5]),
        settled=np.array([[0, 10, 10], [0, 16_000_000, 13_000_000]]),
    )
    assert half_life_of(known, 1500.0) == pytest.approx(8.0, abs=0.01)
    assert half_life_of(replace(known, newcomers=np.zeros(3, dtype=np.int64)), 1500.0) is None


def test_calibration_is_that_of_the_players() -> None:
    file, totals = quitters(80), run("quitters", 80, "elo", 4)[0]
    cell = measure_cell(file, parse_system("elo"), [totals])
    skills = np.array(list(cell.skills.values()), dtype=np.float64)
    counts = totals.finals[0]
    means = totals.finals[1] / 1000 / counts
    truths, ratings = np.repeat(skills, counts), np.repeat(means, counts)
    slope = float(np.polyfit(truths, ratings, 1)[0])
    assert cell.values["slope"][0] == pytest.approx(slope)
    assert cell.values["intercept"][0] == pytest.approx(float(ratings.mean() - truths.mean()))
    correlation = cell.values["correlation"][0]
    assert correlation is not None
    assert 0.5 < correlation < 1
    assert math.isclose(float(np.average(skills, weights=file.counts)), 1500.0)


def test_noise_is_what_equals_differ_by() -> None:
    file, totals = quitters(80), run("quitters", 80, "elo", 4)[0]
    cell = measure_cell(file, parse_system("elo"), [totals])
    counts, sums = totals.finals[0], totals.finals[1] / 1000 - 1500 * totals.finals[0]
    square = sum(float(totals.final_squares[g]) - sums[g] ** 2 / counts[g] for g in range(3) if counts[g] > 1)
    assert cell.values["noise"][0] == pytest.approx(math.sqrt(square / sum(n - 1 for n in counts if n > 1)))
    jitter = cell.values["jitter"][0]
    assert jitter is not None
    assert 10 < jitter < 40  # K = 24: at most the 34 points of four distinct places against fixed opponents


def test_start_up_is_not_drift() -> None:
    """What the way from the start rating looks like, and a pool that stands still, and one that drifts all the time."""
    draw = np.random.default_rng(9)
    share, noise = np.linspace(0, 1, 51), draw.normal(0, 2, (20, 51))
    way = 1570 - 70 * 0.5 ** (share / 0.06) + noise
    early, late = start_up_of(way, 0.05), start_up_of(way, 0.5)
    assert not early.is_over
    assert early.cut > 0.05
    assert early.rise is not None
    assert early.rise.value > 5
    assert late.is_over
    assert late.rise is None
    assert start_up_of(1500 + noise, 0.0).is_over
    assert not start_up_of(1500 + 40 * share + noise, 0.25).is_over
    assert not start_up_of(way[:1], 0.05).is_over  # one replication cannot say that it is chance


def test_what_would_have_been_seen_is_seen_four_times_in_five() -> None:
    draw = np.random.default_rng(4)
    cell = measured("quitters", 80, "elo", 4)
    none = with_values(cell, noise=[0.0] * 20)
    seen, trials, least = 0, 400, detectable_of(float(stdtrit(19, 0.975)) / math.sqrt(20), 19)  # of unit variance
    assert least is not None
    for _ in range(trials):
        values = [float(value) for value in least + draw.normal(size=20)]
        row = compare_measure("noise", with_values(cell, noise=values), none, is_paired=True)
        assert row is not None
        assert row.p is not None
        seen += row.p < 0.05
    assert 0.74 * trials < seen < 0.86 * trials
    assert row.detectable is not None
    assert replications_for(row.detectable, row) == 20
    assert replications_for(row.detectable / 2, row) == 80
    more = detectable_of(1.0, 19, questions=160)
    assert more is not None
    assert 1.3 < more / (detectable_of(1.0, 19) or 0) < 2
