"""`bloodbattle bench --ways`: what a decision costs in each way of writing a strategy."""

from __future__ import annotations

import json

import pytest

from sim.cli import main
from sim.jit import INTERPRETED


@pytest.mark.skipif(INTERPRETED, reason="there is nothing to measure")
def test_ways_are_timed_and_one_idea_is_asked_the_same_in_each(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bench", "--ways", "--seconds", "0.1", "--json"])
    assert not left.value.code
    ways = json.loads(capsys.readouterr().out)["ways"]
    assert [(way["what"], way["way"]) for way in ways] == [
        (what, way) for what in ("example", "same idea") for way in ("native", "python", "batch")
    ]
    assert len({way["decisions"] for way in ways[3:]}) == 1
    for way in ways:
        assert 40 < way["decisions"] < 90
        assert way["nanoseconds"] * way["decisions"] * way["deals_per_second"] == pytest.approx(1e9)
    assert ways[0]["to_native"] == ways[3]["to_native"] == 1


@pytest.mark.skipif(INTERPRETED, reason="there is nothing to measure")
def test_settled_cells_are_timed_beside_played_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bench", "--settled", "--seconds", "0.1", "--json"])
    assert not left.value.code
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert [cell["what"].partition(",")[0] for cell in cells] == ["a cell played alone", *["each of 10 more cells"] * 2]
    assert cells[1]["to_played"] == 1
    assert all(cell["microseconds"] > 0 for cell in cells[:2])
