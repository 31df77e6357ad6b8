"""Frames of a run: a row a deal, and a row a block, against the rows and the ledger's sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

from sim import api
from sim.errors import ConfigError, ResultsError
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path


def play(path: Path, **changes: Any) -> api.Result:
    data: dict[str, Any] = {
        "name": "caps",
        "walls": 12,
        "presets": ["mahjongo"],
        "design": {"knobs": {"fan.cap": [2, 3]}},
        "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
    }
    return api.run(Experiment(**{**data, **changes}), out=path, workers=2, game=FAKE)


def test_deals_have_each_seat_side_by_side(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    deals, seats = run.deals().collect(), run.seats().collect()
    assert deals.height * 4 == seats.height == run.plan.deals * 4
    for place, deal in enumerate(deals.to_dicts()):
        rows = seats[4 * place : 4 * place + 4].to_dicts()
        for seat, row in enumerate(rows):
            assert (row["seat"], row["cell"], row["wall"], row["seating"]) == (
                seat,
                deal["cell"],
                deal["wall"],
                deal["seating"],
            )
            for name in ("strategy", "points", "win_order", "fan", "status"):
                assert deal[f"{name}_{seat}"] == row[name]
            assert deal["wins"] == row["wins"]
    total = sum(pl.col(f"points_{seat}") for seat in range(4))
    assert run.deals().select(total.abs().max()).collect().item() == 0


def test_blocks_are_what_the_sums_are_made_of(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    blocks, totals = run.blocks().collect(), run.totals()
    assert {"points", "won", "net_self_draw", "deals"} <= set(blocks.columns)
    assert blocks["preset"].unique().to_list()
    for cell in run.plan.cells:
        for index, name in enumerate(cell.groups):
            mine = blocks.filter(cell=cell.index, who="strategy", name=name)
            assert mine["wall"].to_list() == list(range(12))
            assert mine["points"].sum() == totals[cell.index].sum_of("points", "strategy", index, cell.group_of_slot)
            squares = sum(value**2 for value in mine["points"])
            assert squares == totals[cell.index].product_of("points", "points", "strategy", index)
        seat = blocks.filter(cell=cell.index, who="seat", name="2")
        assert seat["won"].sum() == totals[cell.index].sum_of("won", "seat", 2)
        assert seat["deals"].to_list() == [len(cell.seatings)] * 12
    few = run.blocks(["fan", "points"]).collect()
    assert few.columns == ["cell", "preset", "line_up", "wall", "who", "name", "points", "fan"]
    assert few.to_pandas().shape == (blocks.height, 8)


def test_wrong_questions_are_answered(tmp_path: Path) -> None:
    run = play(tmp_path / "run")
    with pytest.raises(ConfigError, match='there is no quantity "point"; did you mean points'):
        run.blocks(["point"])
    without = play(tmp_path / "without", rows=False)
    for frame in (without.deals, without.blocks, without.seats):
        with pytest.raises(ResultsError, match="keeps no rows, only sums"):
            frame()
