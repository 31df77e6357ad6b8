"""Runs with a design, with the fake game: what is played, settled and paired, and always the same bytes."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from sim import api
from sim.errors import InvariantError, StrategyError
from sim.tournament import schedule, task
from sim.tournament.adder import Adder
from sim.tournament.experiment import Experiment
from sim.tournament.folder import LEDGER
from sim.tournament.pairs import pair_up_slowly
from tests.fake_game import FAKE, NAMES, PATTERNS, SKILLS, FakeStrategy, Recorder, play_walls, wall_seed

if TYPE_CHECKING:
    from pathlib import Path

    from sim.tournament.game import Game

CAP, TAKE = "fan.cap", "exchange.direction"
CELLS = [{CAP: 2}, {CAP: 5}, {TAKE: "left"}, {CAP: 2, TAKE: "left"}]
LINE_UPS = [{"strategies": ["strong", "twin"]}, {"strategies": ["middle", "weak"], "walls": 17}]


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "CHUNK_DEALS", 40)


def load(name: str) -> FakeStrategy:
    """All are rule-blind but the weak one."""
    return FakeStrategy(name, f"digest-of-{name}", SKILLS[name], rule_blind=name != "weak")


GAME = replace(FAKE, load_strategy=load)


def play(path: Path, game: Game = GAME, workers: int = 2, **changes: Any) -> api.Result:
    data: dict[str, Any] = {
        "name": "caps",
        "walls": 34,
        "presets": ["mahjongo"],
        "design": {"cells": CELLS, "reference": {CAP: 5}},
        "line_ups": LINE_UPS,
    }
    return api.run(Experiment(**{**data, **changes}), out=path, workers=workers, game=game)


def files(path: Path) -> dict[str, bytes]:
    found = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return {name: text for name, text in found.items() if name not in {"timings.jsonl", ".lock"}}


def recorder() -> Recorder:
    found = Recorder()
    found.game = replace(found.game, load_strategy=load)
    return found


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    return files(play(tmp_path / "whole", workers=1).path)


def played(cell: Any, plan: Any) -> Any:
    cap = plan.preset_of(cell)["knobs"]["fan"]["cap"]
    seeds = np.array([wall_seed(1, wall) for wall in range(cell.walls)])
    return play_walls({"cap": cap}, [load(name) for name in cell.strategies], seeds, np.array(cell.seatings), "shared")


def test_totals_hold_every_pair_of_a_family(tmp_path: Path) -> None:
    result = play(tmp_path / "run")
    totals = result.totals()
    adder = Adder(NAMES, PATTERNS)
    assert len(result.plan.families) == 2
    for family in result.plan.families:
        columns = {cell.index: played(cell, result.plan) for cell in family}
        for cell in family:
            assert cell.reference is not None
            is_reference = cell.index == cell.reference
            has_twin = cell.is_settled and cell.source == "played"
            assert totals[cell.index] == pair_up_slowly(
                adder,
                columns[cell.index],
                np.array(cell.seatings),
                cell.group_of_slot,
                reference=None if is_reference else columns[cell.reference],
                earlier={number: others for number, others in columns.items() if number < cell.index},
                settled=columns[cell.index] if has_twin else None,
            )
    twins = [(cell.preset, cell.line_up, cell.source) for cell in result.plan.cells if cell.is_settled]
    assert twins == [
        ("mahjongo fan.cap=2", "strong-vs-twin", "settled"),
        ("mahjongo fan.cap=2", "middle-vs-weak", "played"),
    ]
    changed = [totals[cell.index].changed for cell in result.plan.families[0]]
    assert changed[0] == changed[3] > 0 == changed[1]
    weak = totals[result.plan.families[1][0].index]
    assert weak.settled is not None
    assert weak.settled.products == weak.products
    assert weak.settled.changed == weak.changed


def test_large_families_keep_products_with_the_reference_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_gram = play(tmp_path / "with").totals()
    monkeypatch.setattr(task, "GRAM_CELLS", 3)
    without = play(tmp_path / "without").totals()
    for cell, totals in without.items():
        assert set(totals.gram) <= {"settled"}
        assert totals.cross == with_gram[cell].cross
    assert any(totals.gram for totals in without.values())


def test_settled_cells_are_not_played_and_their_rows_are_kept(tmp_path: Path) -> None:
    counted = recorder()
    result = play(tmp_path / "run", counted.game, design={"knobs": {CAP: [2, 3, 4, 5, 6]}}, line_ups=LINE_UPS[:1])
    assert {cell.source for cell in result.plan.cells if cell.index != cell.reference} == {"settled"}
    tasks = len(result.plan.tasks)
    assert (
        counted.count == tasks + 1 + 4
    )  # the first deals are settled again, and those of four cells played, as checks
    frame = result.seats().collect()
    for cell in result.plan.cells:
        mine = frame.filter(cell=cell.index).sort("wall", "seating", "seat")
        assert [mine[name].to_list() for name in NAMES] == played(cell, result.plan).tolist()
        assert set(mine["preset"]) == {cell.preset}


def test_without_settling_all_cells_are_played(tmp_path: Path) -> None:
    game = replace(GAME, play_and_settle=None)
    result = play(tmp_path / "run", game)
    assert not any(cell.is_settled for cell in result.plan.cells)
    assert all(totals.settled is None for totals in result.totals().values())
    settled = play(tmp_path / "settled").totals()
    for cell, totals in result.totals().items():
        assert totals.sums == settled[cell].sums
        assert totals.cross == settled[cell].cross


# ----------------------------------------------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("workers", [2, 5])
def test_same_bytes_for_any_number_of_workers(tmp_path: Path, whole: dict[str, bytes], workers: int) -> None:
    assert files(play(tmp_path / "other", workers=workers).path) == whole


@pytest.mark.parametrize("after", [1, 3, 11])
def test_same_bytes_after_an_interruption(tmp_path: Path, whole: dict[str, bytes], after: int) -> None:
    stopped = recorder()
    stopped.before = lambda recorder, _: recorder.count == after and os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "other", stopped.game)
    left = api.open_run(tmp_path / "other")
    kept = len(list(left.folder.ledger.entries()))
    assert 0 < kept < len(left.plan.chunks)
    assert files(api.resume(tmp_path / "other", workers=3, game=GAME).path) == whole


@pytest.mark.parametrize("lost", [{0}, {1}, {2, 3}, {4}, {0, 9}])
def test_part_of_a_task_is_made_again(tmp_path: Path, whole: dict[str, bytes], lost: set[int]) -> None:
    path = play(tmp_path / "other").path
    lines = (path / LEDGER).read_bytes().splitlines(keepends=True)
    (path / LEDGER).write_bytes(b"".join(line for place, line in enumerate(lines) if place not in lost))
    counted = recorder()
    api.resume(path, game=counted.game, repair=True)
    assert files(path) == whole
    assert counted.count < 2 * (len(CELLS) + 1)


def test_damaged_rows_of_a_settled_cell_are_made_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = play(tmp_path / "other").path
    plan = api.open_run(path).plan
    settled = next(chunk for chunk in plan.chunks if plan.cells[chunk.cell].source == "settled")
    (path / settled.file).write_bytes(b"nonsense")
    api.resume(path, game=GAME, repair=True)
    assert files(path) == whole


def test_target_with_a_design(tmp_path: Path) -> None:
    target = {"half_width": 1.6, "min_walls": 16, "max_walls": 400, "batch": 16}
    results = [
        play(tmp_path / str(workers), workers=workers, walls=None, target=target, line_ups=LINE_UPS[:1])
        for workers in (1, 3)
    ]
    assert files(results[0].path) == files(results[1].path)
    walls = {totals.walls for totals in results[0].totals().values()}
    assert len(walls) == 1
    assert walls.pop() < 400


# ------------------------------------------------------------------------------------------------------------ failures


def test_a_cell_that_fails_keeps_those_before_it(tmp_path: Path, whole: dict[str, bytes]) -> None:
    def play_or_fail(rules: Any, strategies: Any, seeds: Any, seatings: Any, mode: str) -> Any:
        if rules["cap"] == 2 and strategies[1].name == "twin":
            raise StrategyError("stuck")
        return play_walls(rules, strategies, seeds, seatings, mode)

    with pytest.raises(StrategyError, match="stuck"):
        play(tmp_path / "run", replace(GAME, play=play_or_fail), workers=1)
    left = api.open_run(tmp_path / "run")
    first = {
        entry.chunk.cell
        for entry in left.folder.ledger.entries()
        if left.plan.cells[entry.chunk.cell].line_up == "strong-vs-twin"
    }
    assert first == {cell.index for cell in left.plan.families[0][:3]}
    assert files(api.resume(tmp_path / "run", game=GAME).path) == whole


def test_settling_that_contradicts_play_is_found(tmp_path: Path) -> None:
    def settle_wrong(rules: Any, strategies: Any, seeds: Any, seatings: Any, mode: str, others: Any) -> Any:
        columns = play_walls(rules, strategies, seeds, seatings, mode)
        wrong = columns.copy()
        wrong[NAMES.index("turns"), 5] += 1
        return columns, np.array([wrong for _ in others])

    with pytest.raises(InvariantError, match="settled again under the rules that they were played under"):
        play(tmp_path / "run", replace(GAME, play_and_settle=settle_wrong))


def test_rows_of_blocks_and_no_rows(tmp_path: Path) -> None:
    with_rows, without = play(tmp_path / "with"), play(tmp_path / "without", rows=False)
    assert without.totals() == with_rows.totals()
    assert with_rows.seats().select(pl.len()).collect().item() == 4 * with_rows.plan.deals
