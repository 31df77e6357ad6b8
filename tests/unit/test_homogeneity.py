"""Chunks that do not fit: Pearson's chi-square where a wall is one deal, size kept where it is many, faults found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

from sim import api
from sim.commands.summary import check_report
from sim.statistics.homogeneity import check_chunks, compare_parts
from sim.tournament.experiment import Experiment
from sim.tournament.plan import Cell
from sim.tournament.totals import Totals
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path

CELL = Cell(0, "p", "four", ("a", "a", "a", "a"), ((0, 1, 2, 3),), 1000)


def totals_of(exhausted: np.ndarray) -> Totals:
    """One number a wall: how many of its deals were exhausted, the same for all seats; nothing else happens."""
    count, squares = int(exhausted.sum()), int((exhausted**2).sum())
    sums = {"deals": [0] * 16, "exhausted": [0] * 16}
    for seat in range(4):
        sums["deals"][5 * seat] = len(exhausted) * 24
        sums["exhausted"][5 * seat] = count
    return Totals(1, len(exhausted), sums, {"exhausted": [16 * squares, *[squares] * 4]})


def one_deal(exhausted: np.ndarray) -> Totals:
    found = totals_of(exhausted)
    found.sums["deals"] = [number // 24 for number in found.sums["deals"]]
    return found


def test_one_deal_a_wall_is_pearsons_chi_square() -> None:
    lots = np.random.default_rng(1)
    parts = [(lots.random(size) < 0.3).astype(int) for size in (900, 1100, 1500, 700)]
    found = compare_parts(CELL, {str(at): one_deal(part) for at, part in enumerate(parts)})
    table = np.array([[part.sum(), len(part) - part.sum()] for part in parts])
    assert found.worst is not None
    assert (found.worst.what, found.worst.freedom, found.outcomes) == ("exhausted", 3, 1)
    assert found.worst.statistic == pytest.approx(stats.chi2_contingency(table, correction=False).statistic, rel=5e-3)
    assert found.p == pytest.approx(stats.chi2.sf(found.worst.statistic, 3))


def test_deals_of_a_wall_that_are_alike_make_no_false_alarm() -> None:
    """24 deals a wall, most of them alike: the plain chi-square would alarm almost always, this one in 5 %."""
    lots = np.random.default_rng(2)
    alarms = 0
    for _ in range(400):
        parts = [lots.binomial(24, lots.beta(0.6, 1.4, 200)) for _ in range(5)]
        alarms += compare_parts(CELL, {str(at): totals_of(part) for at, part in enumerate(parts)}).p < 0.05
    assert 0.02 <= alarms / 400 <= 0.085


def test_a_broken_chunk_is_named() -> None:
    lots = np.random.default_rng(3)
    parts = {str(at): totals_of(lots.binomial(24, lots.beta(0.6, 1.4, 400))) for at in range(6)}
    assert compare_parts(CELL, parts).p > 0.001
    parts["bad"] = totals_of(lots.binomial(24, lots.beta(0.9, 1.1, 400)))
    found = compare_parts(CELL, parts)
    assert found.p < 1e-6
    assert found.worst is not None
    assert found.worst.worst == "bad"


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> api.Result:
    data: dict[str, Any] = {
        "name": "many",
        "target": {"half_width": 0.001, "min_walls": 16, "max_walls": 320, "batch": 64},
        "presets": ["mahjongo"],
        "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
    }
    return api.run(Experiment(**data), out=tmp_path_factory.mktemp("runs") / "run", game=FAKE)


def test_a_run_is_checked_by_cell(result: api.Result) -> None:
    found = check_chunks(result)
    assert [(item.cell.index, item.chunks) for item in found] == [(0, 5), (1, 5)]
    assert all(item.outcomes > 4 and item.p > 0.001 for item in found)
    report = check_report(result)
    assert "no chunk is unlike the others of its cell" in report.notes
    assert all(record["identities"] > 10 for record in report.records)


def test_cells_of_one_chunk_have_nothing_to_compare(tmp_path: Path) -> None:
    line_ups = [{"strategies": ["middle"]}]
    experiment = Experiment(name="one", walls=40, presets=["mahjongo"], line_ups=line_ups)
    (found,) = check_chunks(api.run(experiment, out=tmp_path / "run", game=FAKE))
    assert (found.chunks, found.worst, found.p) == (1, None, 1.0)
