"""How many blocks: against statsmodels, by simulation, and on the blocks of a run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from sim import api
from sim.commands.power import make_report
from sim.statistics.blocks import paired_shares, read_blocks, shares_of
from sim.statistics.estimate import Estimate, estimate_of
from sim.statistics.metrics import make_metrics
from sim.statistics.pilot import Question, differences_of, price_of, questions_of
from sim.statistics.power import (
    MOST_BLOCKS,
    Spread,
    blocks_for_difference,
    blocks_for_half_width,
    half_width_of,
    power_of,
    spread_of_blocks,
    spread_of_estimate,
)
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE
from tests.unit.test_sequential import heavy_blocks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("effect", [0.05, 0.1, 0.3, 0.8, 2.0])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.1, 0.5)])
def test_blocks_are_those_of_statsmodels(effect: float, alpha: float, power: float) -> None:
    from statsmodels.stats.power import normal_power, tt_solve_power

    wanted = float(np.squeeze(tt_solve_power(effect_size=effect, alpha=alpha, power=power)))
    assert blocks_for_difference(3.0, -3.0 * effect, alpha, power) == max(2, math.ceil(wanted))
    for blocks in (100_000, 400_000):
        assert power_of(blocks, effect / 50, alpha) == pytest.approx(normal_power(effect / 50, blocks, alpha), abs=1e-9)


@pytest.mark.parametrize(
    ("blocks", "effect"), [(5, 0.5), (20, 0.5), (150, 0.2), (1_999, 0.05), (49_999, 0.01), (50_000, 0.01)]
)
def test_power_is_that_of_statsmodels(blocks: int, effect: float) -> None:
    from statsmodels.stats.power import TTestPower

    assert power_of(blocks, effect) == pytest.approx(
        TTestPower().power(effect, blocks, 0.05), abs=2e-6 if blocks < 50_000 else 2e-5
    )


def test_fewest_means_fewest() -> None:
    for deviation, width in ((1.0, 0.02), (4.4, 0.5), (0.1, 3.0), (25.0, 1.0)):
        blocks = blocks_for_half_width(deviation, width)
        assert half_width_of(deviation, blocks) <= width
        assert blocks == 2 or half_width_of(deviation, blocks - 1) > width
    blocks = blocks_for_difference(4.0, 1.5)
    assert power_of(blocks, 1.5 / 4) >= 0.8 > power_of(blocks - 1, 1.5 / 4)


def test_absurd_and_trivial_questions_have_answers() -> None:
    assert blocks_for_half_width(1.0, 1e-12) == blocks_for_difference(1.0, 1e-12) == MOST_BLOCKS
    assert blocks_for_half_width(0.0, 0.1) == blocks_for_difference(0.0, 0.1) == 2
    assert power_of(50, 0.0) == pytest.approx(0.05, abs=1e-6)


def rejection_rate(truth: float, blocks: int, tests: int, seed: int) -> float:
    lots = np.random.default_rng(seed)
    values = heavy_blocks(lots, tests * blocks).reshape(tests, blocks) + truth
    t = values.mean(axis=1) / (values.std(axis=1, ddof=1) / math.sqrt(blocks))
    return float((np.abs(t) > stats.t.ppf(0.975, blocks - 1)).mean())


def test_power_holds_on_blocks_with_heavy_tails() -> None:
    """The number of blocks that is said to show 0.2 sd in 80 % does so; without a difference 5 % are seen."""
    blocks = blocks_for_difference(1.0, 0.2)
    assert blocks == 199
    assert 0.77 <= rejection_rate(0.2, blocks, 4_000, seed=1) <= 0.84
    assert 0.035 <= rejection_rate(0.0, blocks, 4_000, seed=2) <= 0.062


def sd_coverage(blocks: int, tests: int, seed: int, *, heavy: bool, with_tails: bool) -> float:
    lots = np.random.default_rng(seed)
    covered = 0
    for _ in range(tests):
        values = heavy_blocks(lots, blocks) if heavy else lots.normal(size=blocks)
        spread = spread_of_blocks(values)
        assert spread is not None
        found = spread if with_tails else Spread(spread.blocks, spread.mean, spread.deviation)
        low, high = found.interval
        covered += low <= 1.0 <= high
    return covered / tests


def test_the_interval_of_a_pilots_deviation() -> None:
    """The chi-square interval holds for normal blocks; for heavy tails only with the degrees of freedom they leave."""
    low, high = Spread(50, 0.0, 2.0).interval
    assert low == pytest.approx(2.0 * math.sqrt(49 / stats.chi2.ppf(0.975, 49)), rel=1e-9)
    assert high == pytest.approx(2.0 * math.sqrt(49 / stats.chi2.ppf(0.025, 49)), rel=1e-9)
    assert 0.93 <= sd_coverage(400, 1_000, 3, heavy=False, with_tails=True) <= 0.975
    assert 0.90 <= sd_coverage(1_000, 1_000, 4, heavy=True, with_tails=True) <= 0.975
    assert sd_coverage(1_000, 1_000, 4, heavy=True, with_tails=False) < 0.7


def test_spread_of_an_estimate_and_of_its_blocks_agree() -> None:
    values = np.random.default_rng(5).integers(-9, 12, 80).astype(np.float64)
    of_blocks = spread_of_blocks(values)
    assert of_blocks is not None
    width = float(stats.sem(values) * stats.t.ppf(0.975, 79))
    found = spread_of_estimate(Estimate(int(values.sum()), 80, 80, float(values.mean()), width))
    assert found is not None
    assert (found.mean, found.deviation) == (pytest.approx(of_blocks.mean), pytest.approx(of_blocks.deviation))
    assert of_blocks.kurtosis == pytest.approx(stats.kurtosis(values))
    assert spread_of_estimate(Estimate(0, 0, 5, None, None)) is None
    assert spread_of_blocks(values[:1]) is None


# -------------------------------------------------------------------------------------------------- blocks of a run


DATA: dict[str, Any] = {
    "name": "pilot",
    "walls": 50,
    "presets": ["mahjongo", {"preset": "mahjongo", "name": "cap 5", "set": {"fan.cap": 5}}],
    "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> api.Result:
    return api.run(Experiment(**DATA), out=tmp_path_factory.mktemp("runs") / "run", game=FAKE)


def test_blocks_are_the_sums_of_the_ledger(result: api.Result) -> None:
    totals = result.totals()[0]
    names = [name for name in totals.sums if name != "points_squared"]
    blocks = read_blocks(result, 0, names)
    assert blocks.height == (2 + 4) * 50
    for kind, index, name in (("strategy", 0, "strong"), ("strategy", 1, "weak"), ("seat", 2, "2")):
        mine = blocks.filter((pl.col("who") == kind) & (pl.col("name") == name))
        for quantity in names:
            values = [int(value) for value in mine[quantity]]
            assert sum(values) == totals.sum_of(quantity, kind, index, (0, 1, 1, 1))  # type: ignore[arg-type]
            squares = sum(value * value for value in values)
            assert squares == totals.product_of(quantity, quantity, kind, index)  # type: ignore[arg-type]


def test_shares_of_a_ratio_have_its_mean_and_interval(result: api.Result) -> None:
    totals = result.totals()[0]
    for numerator, denominator in (("points", "deals"), ("fan", "won"), ("ready", "remaining")):
        shares = shares_of(read_blocks(result, 0, {numerator, denominator}), "strategy", "weak", numerator, denominator)
        wanted = estimate_of(totals, numerator, denominator, kind="strategy", index=1, groups=(0, 1, 1, 1))
        assert shares is not None
        assert shares[1].mean() == pytest.approx(wanted.value)
        assert stats.sem(shares[1]) * stats.t.ppf(0.975, 49) == pytest.approx(wanted.half_width)


def test_shares_without_a_denominator_are_none(result: api.Result) -> None:
    blocks = read_blocks(result, 0, {"fan", "won"}).with_columns(won=pl.lit(0, pl.Int64))
    assert shares_of(blocks, "strategy", "weak", "fan", "won") is None


def test_pairs_take_the_walls_of_both() -> None:
    one = (np.array([0, 1, 2, 5]), np.array([1.0, 2.0, 3.0, 4.0]))
    other = (np.array([1, 2, 3, 5]), np.array([0.5, 0.5, 9.0, 1.0]))
    assert paired_shares(one, other).tolist() == [1.5, 2.5, 3.0]


def test_questions_and_their_price(result: api.Result) -> None:
    (points,) = [metric for metric in make_metrics(result.plan.data["quantities"]) if metric.name == "points"]
    found = questions_of(result, points)
    assert [(item.what, item.preset, item.deals) for item in found] == [
        ("strong", "mahjongo", 4), ("weak", "mahjongo", 4), ("dealer", "mahjongo", 1),
        ("strong", "cap 5", 4), ("weak", "cap 5", 4), ("dealer", "cap 5", 1),
        ("strong", "cap 5 less mahjongo", 8), ("weak", "cap 5 less mahjongo", 8), ("dealer", "cap 5 less mahjongo", 2),
    ]  # fmt: skip
    seats = result.seats().collect()
    by_wall = [
        seats.filter(cell=cell, strategy="strong").group_by("wall").agg(pl.col("points").cast(pl.Float64).mean())
        .sort("wall")["points"].to_numpy() for cell in (2, 0)
    ]  # fmt: skip
    difference = by_wall[0] - by_wall[1]
    assert found[6].spread.mean == pytest.approx(difference.mean())
    assert found[6].spread.deviation == pytest.approx(difference.std(ddof=1))
    price = price_of(result)
    assert price.bytes == sum(file.stat().st_size for file in (result.path / "chunks").iterdir()) / (2 * 50 * 5)
    assert price.seconds > 0


def test_a_difference_counts_the_walls_that_changed(result: api.Result) -> None:
    (points,) = [metric for metric in make_metrics(result.plan.data["quantities"]) if metric.name == "points"]
    seats = result.seats().collect()
    sums = [seats.filter(cell=cell, strategy="weak").group_by("wall").agg(pl.sum("points")) for cell in (0, 2)]
    tied = sums[0].join(sums[1], on="wall", suffix="_there")
    wanted = tied.filter(pl.col("points") != pl.col("points_there")).height
    found = questions_of(result, points)
    assert found[7].changed == wanted > 0
    assert found[0].changed is None
    report = make_report(
        result, points,
        [Question("weak", "b less a", "field", Spread(50, 0.0, 0.0), found[7].cells, 3)], [("half_width", 0.02)],
        price_of(result), alpha=0.05, power=0.8,
    )  # fmt: skip
    assert report.records[0]["walls"] is None
    assert any("the pilot saw only 3 changed walls" in note for note in report.notes)
    assert not any("fixed by the rules" in note for note in report.notes)


def test_without_rows_the_ledger_is_enough_for_single_cells(result: api.Result, tmp_path: Path) -> None:
    bare = api.run(Experiment(**{**DATA, "rows": False}), out=tmp_path / "bare", game=FAKE)
    for metric in make_metrics(result.plan.data["quantities"]):
        rich = questions_of(result, metric)
        found = questions_of(bare, metric)
        cells = [item for item in rich if len(item.cells) == 1]
        assert [item.what for item in found] == [item.what for item in cells]
        for one, other in zip(found, cells, strict=True):
            assert one.spread.deviation == pytest.approx(other.spread.deviation, abs=1e-12)
    assert price_of(bare).bytes == 0


def test_the_difference_of_two_strategies_is_that_of_compare(tmp_path: Path) -> None:
    data = {**DATA, "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["strong"] * 3 + ["weak"]}]}
    run = api.run(Experiment(**data), out=tmp_path / "run", game=FAKE)
    one, other = differences_of(run)
    assert (one.what, one.deals, other.preset) == ("strong less weak", 8, "cap 5")
    seats = run.seats().collect().filter(preset="mahjongo")
    parts = seats.group_by("wall", "line_up", "strategy").agg(pl.col("points").cast(pl.Float64).mean())
    wide = parts.pivot("strategy", index=["wall", "line_up"], values="points")
    by_wall = wide.with_columns(d=pl.col("strong") - pl.col("weak")).group_by("wall").agg(pl.mean("d"))
    assert one.spread.mean == pytest.approx(by_wall["d"].mean())
    assert one.spread.deviation == pytest.approx(by_wall["d"].std())
    mixed = api.run(Experiment(**DATA), out=tmp_path / "mixed", game=FAKE)
    assert differences_of(mixed) == []
