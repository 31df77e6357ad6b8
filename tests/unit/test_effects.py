"""Effects from sums against the same computed wall by wall with NumPy, statsmodels and SciPy."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.errors import ResultsError
from sim.statistics.effects import coupling_of, difference_of, effects_of, to_frame
from sim.statistics.estimate import estimate_of
from sim.statistics.family import POINTS, contrast_of, levels_of
from sim.statistics.metrics import make_metrics
from sim.statistics.multiple import adjust
from sim.statistics.regression import Fit, regress
from sim.statistics.spread import spread_of, spread_of_all, spread_of_group
from tests.unit.families import ADDER, NAMES, Played, grid, play_family

METRICS = make_metrics(item.name for item in ADDER.quantities)
FIELD = ["strong", "middle", "weak", "twin"]


@pytest.fixture(scope="module")
def caps() -> Played:
    settings = [{"cap": 3}, {"cap": 1}, {"cap": 5, "lots": 1}]
    return play_family(["strong", "weak"], 60, settings, settled=True)


def by_hand(x: Any, y: Any, other_x: Any, other_y: Any) -> tuple[float, float, float, float]:
    """Difference of two ratios, its half-width, the correlation of the errors, and the p-value, from blocks."""
    n = len(x)
    here, there = x.sum() / y.sum(), other_x.sum() / other_y.sum()
    errors = (x - here * y) / y.sum(), (other_x - there * other_y) / other_y.sum()
    error = math.sqrt(n / (n - 1) * ((errors[0] - errors[1]) ** 2).sum())
    correlation = np.corrcoef(*errors)[0, 1] if errors[0].any() and errors[1].any() else math.nan
    p = 2 * stats.t.sf(abs(here - there) / error, n - 1) if error else math.nan
    return here - there, stats.t.ppf(0.975, n - 1) * error, correlation, p


def test_every_effect_is_that_of_the_blocks(caps: Played) -> None:
    family = caps.family
    units = {(unit.who, unit.name): unit for unit in family.units}
    metrics = {metric.name: metric for metric in METRICS}
    reference = caps.columns[0]
    checked = 0
    for effect in effects_of(family, METRICS):
        if effect.metric.startswith("points_") and effect.metric not in metrics:
            continue
        unit = units[effect.who, effect.name]
        metric = metrics[effect.metric]
        played, settled = caps.columns[effect.cell], caps.settled[effect.cell]
        here = settled if effect.way == "settled" else played
        there = settled if effect.way == "adapted" else reference
        sums = [
            caps.blocks(name, unit, columns)
            for columns in (here, there)
            for name in (metric.numerator, metric.denominator)
        ]
        if sums[1].sum() == 0 or sums[3].sum() == 0:
            assert effect.value is None
            continue
        value, width, correlation, p = by_hand(*sums)
        assert effect.value == pytest.approx(value, abs=1e-12)
        assert effect.half_width == pytest.approx(width, abs=1e-9)
        assert effect.reference_value == pytest.approx(sums[2].sum() / sums[3].sum(), abs=1e-12)
        if effect.half_width:
            assert effect.p == pytest.approx(p)
        if effect.correlation is not None:
            assert effect.correlation == pytest.approx(correlation, abs=1e-9)
        if effect.efficiency is not None:
            here_error, there_error = (by_hand(sums[at], sums[at + 1], 0 * sums[at], sums[at + 1])[1] for at in (0, 2))
            assert effect.efficiency == pytest.approx((here_error**2 + there_error**2) / width**2)
        checked += 1
    assert checked > 400


def test_common_walls_narrow_the_interval(caps: Played) -> None:
    family = caps.family
    found = difference_of(family, family.totals[1], family.units[0])
    moved = difference_of(family, family.totals[2], family.units[0])
    assert found.correlation is not None
    assert found.correlation > 0.5
    assert found.efficiency is not None
    assert found.efficiency > 1.5
    assert moved.correlation is not None
    assert abs(moved.correlation) < 0.5  # other walls


def test_any_cell_can_be_the_reference(caps: Played) -> None:
    family = caps.family
    one, two = family.cells[1], family.cells[2]
    for unit in family.main_units:
        direct = family.difference(two, one, unit)
        sums = [caps.blocks(name, unit, caps.columns[at]) for at in (2, 1) for name in ("points", "deals")]
        value, width, _, _ = by_hand(*sums)
        assert direct.value == pytest.approx(value)
        assert direct.half_width == pytest.approx(width)
        contrast = family.contrast({2: 1.0, 1: -1.0}, unit)
        assert (contrast.value, contrast.half_width) == pytest.approx((direct.value, direct.half_width))
        assert contrast.p == pytest.approx(direct.p)
        against = family.difference(one, family.reference, unit)
        listed = difference_of(family, family.totals[1], unit)
        assert against == listed


def test_a_reference_in_the_middle_is_as_good_as_one_in_front() -> None:
    settings = [{"cap": 3}, {"cap": 1}, {"cap": 5}]
    front = play_family(["strong", "weak"], 30, settings).family
    middle = play_family(["strong", "weak"], 30, settings, reference=1).family
    for unit in front.main_units:
        for a, b in ((0, 1), (1, 2), (2, 0)):
            one = front.difference(front.cells[a], front.cells[b], unit)
            other = middle.difference(middle.cells[a], middle.cells[b], unit)
            assert one == other


def test_large_families_say_what_they_lack(caps: Played) -> None:
    totals = {index: replace(one, gram={}) for index, one in caps.family.totals.items()}
    family = replace(caps.family, totals=totals)
    family.difference(family.cells[1], family.cells[0], family.units[0])
    with pytest.raises(ResultsError, match="keeps products with its reference only"):
        family.difference(family.cells[1], family.cells[2], family.units[0])


def test_changed_deals_and_dead_knobs() -> None:
    played = play_family(["strong", "weak"], 40, [{"cap": 3}, {"cap": 1}, {"cap": 3, "exchange": "none"}])
    alive, dead = coupling_of(played.family)
    assert alive.deals == 160
    points = [played.columns[at][NAMES.index("points")].reshape(-1, 4) for at in (0, 1)]
    assert alive.changed == (points[0] != points[1]).any(axis=1).sum() > 0
    assert not alive.is_dead
    assert dead.is_dead
    found = difference_of(played.family, played.family.totals[2], played.family.units[0])
    assert (found.value, found.half_width, found.p, found.efficiency) == (0.0, 0.0, None, None)


def test_one_wall_has_no_interval() -> None:
    played = play_family(["strong", "weak"], 1, [{"cap": 3}, {"cap": 1}])
    effects = list(effects_of(played.family, METRICS))
    assert {effect.half_width for effect in effects} == {None}
    assert to_frame(effects).height == len(effects)


def test_self_play_is_looked_at_by_seat() -> None:
    played = play_family(["middle"], 30, [{"cap": 3}, {"cap": 1}])
    assert [unit.who for unit in played.family.main_units] == ["seat"] * 4
    field = play_family(FIELD, 5, [{"cap": 3}, {"cap": 1}])
    assert [unit.name for unit in field.family.main_units] == FIELD


def raw(played: Played, cells: list[int], unit: Any) -> tuple[Any, Any]:
    """Points per deal of each cell and wall, and the walls."""
    values = [
        played.blocks("points", unit, played.columns[at]) / played.blocks("deals", unit, played.columns[at])
        for at in cells
    ]
    return np.array(values), np.arange(played.family.walls)


def clustered(y: Any, design: Any, walls: Any) -> tuple[Any, Any]:
    """Fit with statsmodels; give coefficients and errors without the factor (N - 1) / (N - K)."""
    from statsmodels.api import OLS

    cells, n = y.shape
    rows = np.repeat(design, n, axis=0)
    fit = OLS(y.ravel(), rows).fit(cov_type="cluster", cov_kwds={"groups": np.tile(walls, cells)})
    count, parameters = rows.shape
    return fit.params, fit.bse * math.sqrt((count - parameters) / (count - 1))


def test_factorial_regression_is_that_of_statsmodels() -> None:
    levels = {"cap": [3, 1, 5], "exchange": ["none", "left"], "lots": [0, 1]}
    played = play_family(["strong", "weak"], 40, grid(**levels))
    family = played.family
    found = regress(family)
    assert found is not None
    assert found.model == "factorial"
    cells = grid(**levels)
    main = np.array([[1, c["cap"] == 1, c["cap"] == 5, c["exchange"] == "left", c["lots"] == 1] for c in cells], float)
    pairs = [(1, 3), (2, 3), (1, 4), (2, 4), (3, 4)]
    both = np.column_stack([main, *(main[:, a] * main[:, b] for a, b in pairs)])
    cap1, cap5, left, lots = "cap=1 less 3", "cap=5 less 3", "exchange=left less none", "lots=1 less 0"
    for unit in family.main_units:
        y, walls = raw(played, list(range(12)), unit)
        terms = [one for one in found.coefficients if one.unit == unit]
        assert [one.term.name for one in terms] == [
            *(cap1, cap5, left, lots),
            *(f"{cap1} * {left}", f"{cap5} * {left}", f"{cap1} * {lots}", f"{cap5} * {lots}"),
            f"{left} * {lots}",
        ]
        for kind, design, first in (("main", main, 1), ("interaction", both, 5)):
            mine = [one.estimate for one in terms if one.term.kind == kind]
            values, errors = clustered(y, design, walls)
            factor = stats.t.ppf(0.975, family.walls - 1)
            assert [one.value for one in mine] == pytest.approx(values[first:], abs=1e-12)
            assert [one.half_width for one in mine] == pytest.approx(factor * errors[first:])


def test_a_reference_outside_the_grid_does_not_spoil_it() -> None:
    played = play_family(["strong", "weak"], 20, [{}, *grid(cap=[1, 5], exchange=["none", "left"])])
    found = regress(played.family)
    assert found is not None
    assert found.model == "factorial"
    assert len(found.cells) == 4
    assert [term.name for term in found.terms] == [
        "cap=5 less 1",  # the reference's 3 is outside
        "exchange=left less none",
        "cap=5 less 1 * exchange=left less none",
    ]


def test_other_designs_get_slopes_and_levels() -> None:
    from statsmodels.api import OLS

    settings = [{"cap": a, "exchange": b} for a, b in ((3, "none"), (1, "left"), (2, "none"), (5, "left"), (4, "none"))]
    played = play_family(["strong", "weak"], 30, settings)
    found = regress(played.family)
    assert found is not None
    assert found.model == "linear"
    assert [(term.kind, term.name) for term in found.terms] == [("slope", "cap"), ("main", "exchange=left less none")]
    design = np.array([[1, c["cap"], c["exchange"] == "left"] for c in settings], float)
    for unit in played.family.main_units:
        y, walls = raw(played, list(range(5)), unit)
        values, errors = clustered(y, design, walls)
        mine = [one.estimate for one in found.coefficients if one.unit == unit]
        assert [one.value for one in mine] == pytest.approx(values[1:], abs=1e-12)
        factor = stats.t.ppf(0.975, played.family.walls - 1)
        over_walls = factor * errors[1:]
        fit = OLS(y.mean(axis=1), design).fit()
        over_cells = stats.t.ppf(0.975, 2) * fit.bse[1:]  # what straight lines leave unexplained, 5 cells less 3
        assert [one.half_width for one in mine] == pytest.approx(np.maximum(over_walls, over_cells))
        assert dict(found.explained)[unit] == pytest.approx(fit.rsquared)


def test_straight_lines_through_what_bends_are_not_sure() -> None:
    # A hypercube's cells are a sample: intervals cover the line through all settings, though lines do not fit.
    generator = np.random.default_rng(5)
    everything = np.array([(a, b, c) for a in range(5) for b in range(5) for c in range(5)], float)
    bent = 0.3 * (everything[:, 0] - 1) ** 2 + 2 * (everything[:, 1] == 3) * (everything[:, 2] > 2) + everything[:, 2]
    whole = np.column_stack([np.ones(125), everything])
    truth = np.linalg.lstsq(whole, bent)[0][1:]
    hits, narrow = [], []
    for _ in range(400):
        places = generator.choice(125, 15, replace=False)
        matrix = whole[places]
        weights = np.linalg.pinv(matrix)[1:]
        fit = Fit(matrix, bent[places])
        for row, true in zip(weights, truth, strict=True):
            measured = contrast_of(row, bent[places], np.eye(15) * 1e-4, 1_000)
            wide = fit.widen(measured, row)
            assert wide.half_width is not None
            assert measured.half_width is not None
            hits.append(abs(wide.value - true) <= wide.half_width)
            narrow.append(abs(wide.value - true) <= measured.half_width)
    assert 0.92 < np.mean(hits) < 0.98
    assert np.mean(narrow) < 0.3  # of the error over walls alone


def test_no_cell_to_spare_is_no_interval() -> None:
    settings = [{"cap": 3, "exchange": "none"}, {"cap": 1, "exchange": "left"}, {"cap": 5, "exchange": "left"}]
    found = regress(play_family(["strong", "weak"], 30, settings).family)
    assert found is not None
    assert {(one.estimate.half_width, one.estimate.p) for one in found.coefficients} == {(None, None)}


def test_what_a_design_cannot_tell_apart_is_named() -> None:
    settings = [{"cap": a, "lots": b} for a, b in ((3, 0), (1, 1), (5, 0), (2, 1), (4, 0), (1, 2))][:5]
    tied = [{"cap": one["cap"], "exchange": "left" if one["lots"] else "none", "lots": one["lots"]} for one in settings]
    found = regress(play_family(["strong", "weak"], 10, tied).family)
    assert found is not None
    assert found.left_out == ("lots",)


def test_none_among_numbers_makes_levels() -> None:
    settings = [{"cap": "none", "lots": 0}, {"cap": 1, "lots": 1}, {"cap": 2, "lots": 0}, {"cap": "none", "lots": 1}]
    found = regress(play_family(["strong", "weak"], 10, settings).family)
    assert found is not None
    assert [term.name for term in found.terms] == ["cap=1 less none", "cap=2 less none", "lots"]
    assert found.left_out == ()


def test_a_knob_that_does_nothing_is_not_sure_by_rounding() -> None:
    found = regress(play_family(["strong", "weak"], 40, grid(cap=[3, 1, 5], nothing=[1, 2, 3], lots=[0, 1])).family)
    assert found is not None
    dead = [one.estimate for one in found.coefficients if "nothing" in one.term.name]
    assert len(dead) == 2 * (2 + 2 + 4)
    assert {(one.value, one.half_width, one.p) for one in dead} == {(0.0, 0.0, None)}
    assert all(one.estimate.p is not None for one in found.coefficients if "nothing" not in one.term.name)


@pytest.mark.parametrize("line_up", [["strong", "weak"], ["strong", "middle", "weak", "twin"]])
def test_the_error_of_a_standard_deviation_is_that_over_walls(line_up: list[str]) -> None:
    played = play_family(line_up, 150, [{"cap": 3}])
    totals = played.family.totals[0]
    points = played.columns[0][NAMES.index("points")].astype(float).reshape(150, -1, 4)
    group = np.array(played.groups)[np.array(played.family.reference.seatings)]

    def leave_out(values: Any) -> float:
        """Half of a jackknife interval over walls."""
        found = np.array([np.delete(values, wall, axis=0).std() for wall in range(150)])
        return float(stats.t.ppf(0.975, 149) * math.sqrt(149 / 150 * ((found - found.mean()) ** 2).sum()))

    for place in range(len(set(line_up))):
        values = np.array([wall[group == place] for wall in points])
        found = spread_of_group(totals, place)["points_sd"]
        assert found.value == pytest.approx(values.std(ddof=1))
        assert found.half_width == pytest.approx(leave_out(values), rel=0.05)
    both = spread_of_all(totals)
    assert both.half_width == pytest.approx(leave_out(points.reshape(150, -1)), rel=0.05)


def test_one_knob_needs_no_regression(caps: Played) -> None:
    assert regress(play_family(["strong", "weak"], 5, [{"cap": 3}, {"cap": 1}]).family) is None
    assert levels_of(caps.family, "cap") == [3, 1, 5]


def test_adjusted_p_values() -> None:
    ps = [0.01, 0.04, 0.03, 0.2]
    assert adjust(ps, "holm") == pytest.approx([0.04, 0.09, 0.09, 0.2])
    assert adjust(ps, "benjamini-hochberg") == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.2])
    assert adjust([], "holm") == []


def test_spread_and_tails_are_those_of_the_deals() -> None:
    lots = np.random.default_rng(3)
    points = np.round(lots.exponential(6, 4000) - 6).astype(int)
    counts = dict(zip(*(part.tolist() for part in np.unique(points, return_counts=True)), strict=True))
    found = spread_of(counts, 4000)
    assert found["points_sd"].value == pytest.approx(points.std(ddof=1))
    assert found["points_skew"].value == pytest.approx(stats.skew(points))
    for name, share in (("points_q01", 0.01), ("points_q99", 0.99)):
        assert found[name].value == np.quantile(points, share, method="inverted_cdf")
    again = [lots.choice(points, len(points)) for _ in range(300)]
    for name, measure in (("points_sd", np.std), ("points_skew", stats.skew)):
        width = found[name].half_width
        assert width is not None
        assert width == pytest.approx(1.96 * np.std([measure(one) for one in again]), rel=0.15)
    fewer = spread_of(counts, 1000)
    assert (fewer["points_sd"].half_width or 0) > 1.9 * (found["points_sd"].half_width or 0)
    assert spread_of({5: 3}, 3)["points_sd"].half_width == 0.0
    assert spread_of({5: 1}, 1)["points_skew"].value is None


def test_points_of_a_strategy_have_the_interval_of_the_summary(caps: Played) -> None:
    family = caps.family
    means, covariance = family.moments(family.units[0])
    for at, cell in enumerate(family.cells):
        totals = family.totals[cell.index]
        own = estimate_of(totals, "points", "deals", kind="strategy", index=0, groups=family.groups)
        contrast = family.contrast({cell.index: 1.0}, family.units[0])
        assert (own.value, own.half_width) == pytest.approx((means[at], contrast.half_width))
        assert covariance[at, at] > 0
    assert POINTS.unit == "points per deal"
