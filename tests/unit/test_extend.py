"""Runs that are made longer, with the fake game: the first walls stay, and the sums are those of a run as long."""

from __future__ import annotations

import json
import os
import shutil
import signal
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from sim import api
from sim.errors import ConfigError, ResultsError
from sim.tournament import schedule, store
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE, Recorder

if TYPE_CHECKING:
    from pathlib import Path

    from sim.tournament.game import Game


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "CHUNK_DEALS", 40)


def play(path: Path, walls: int | None, game: Game = FAKE, **changes: Any) -> api.Result:
    data: dict[str, Any] = {
        "name": "caps",
        "walls": walls,
        "presets": ["mahjongo"],
        "design": {"knobs": {"fan.cap": [2, 3]}},
        "line_ups": [{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
    }
    return api.run(Experiment(**{**data, **changes}), out=path, workers=2, game=game)


def files(path: Path) -> dict[str, bytes]:
    found = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return {name: text for name, text in found.items() if name not in {"timings.jsonl", ".lock"}}


def test_first_walls_stay_and_sums_are_those_of_a_longer_run(tmp_path: Path) -> None:
    short = play(tmp_path / "run", 24)
    before, plan = files(short.path), short.plan
    counted = Recorder()
    longer = api.extend(short.path, 31, game=counted.game, workers=3)
    after = files(longer.path)
    assert {name: text for name, text in before.items() if name.startswith("chunks")}.items() <= after.items()
    old = before["ledger.jsonl"].splitlines()
    assert after["ledger.jsonl"].splitlines()[: len(old)] == old
    assert longer.plan.data["extends"] == plan.hash != longer.plan.hash
    assert {cell.walls for cell in longer.plan.cells} == {55}
    assert longer.is_finished
    fresh = play(tmp_path / "fresh", 55)
    assert longer.totals() == fresh.totals()
    assert longer.summary().equals(fresh.summary())
    keys = ["cell", "wall", "seating", "seat"]
    assert longer.seats().collect().sort(keys).equals(fresh.seats().collect().sort(keys))
    walls = {chunk.first_wall for chunk in longer.plan.chunks}
    assert sum(chunk.first_wall == 24 for chunk in longer.plan.chunks) == 4
    assert max(walls) < 55
    twice = api.extend(longer.path, 5, game=FAKE)
    assert twice.plan.data["extends"] == longer.plan.hash
    assert twice.totals() == play(tmp_path / "sixty", 60).totals()


def test_line_ups_of_other_lengths_grow_alike(tmp_path: Path) -> None:
    line_ups = [{"strategies": ["strong", "weak"], "walls": 7}, {"strategies": ["middle"]}]
    play(tmp_path / "run", 24, line_ups=line_ups, design=None, rows=False)
    longer = api.extend(tmp_path / "run", 3, game=FAKE)
    assert [cell.walls for cell in longer.plan.cells] == [10, 27]
    assert {cell: totals.walls for cell, totals in longer.totals().items()} == {0: 10, 1: 27}


def test_interrupted_extension_goes_on(tmp_path: Path) -> None:
    play(tmp_path / "whole", 24)
    whole = files(api.extend(tmp_path / "whole", 40, game=FAKE).path)
    play(tmp_path / "run", 24)
    stopped = Recorder()
    stopped.before = lambda recorder, _: recorder.count == 3 and os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        api.extend(tmp_path / "run", 40, game=stopped.game)
    left = api.open_run(tmp_path / "run")
    assert not left.is_finished
    with pytest.raises(ResultsError, match="unfinished; first: bloodbattle resume"):
        api.extend(tmp_path / "run", 40, game=FAKE)
    assert files(api.resume(tmp_path / "run", game=FAKE).path) == whole


def test_what_cannot_be_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = {"half_width": 1.0, "min_walls": 16, "max_walls": 40, "batch": 16}
    path = play(tmp_path / "target", None, target=target).path
    with pytest.raises(ResultsError, match="stopped by its own results"):
        api.extend(path, 10, game=FAKE)
    path = play(tmp_path / "run", 8).path
    before = files(path)
    with pytest.raises(ConfigError, match="walls: came 0; allowed: 1 to"):
        api.extend(path, 0, game=FAKE)
    with pytest.raises(ConfigError, match="walls: came 1,000,000,000; allowed"):
        api.extend(path, 1_000_000_000, game=FAKE)
    with pytest.raises(ConfigError, match="chunks; allowed: at most"):
        api.extend(path, 20_000_000, game=FAKE)
    with pytest.raises(ResultsError, match=r'versions\.engine: "fake-engine" against "newer"'):
        api.extend(path, 10, game=replace(FAKE, digest="newer"))
    with monkeypatch.context() as patch:
        patch.setattr(store, "BYTES_A_ROW", 10**15)
        with pytest.raises(ConfigError, match="rows need about"):
            api.extend(path, 10, game=FAKE)
    assert files(path) == before
    (path / "chunks" / "c0000-w0000000000.parquet").unlink()
    with pytest.raises(ResultsError, match=r"c0000-w0000000000\.parquet: is missing"):
        api.extend(path, 10, game=FAKE)
    with pytest.raises(ResultsError, match="no such run folder"):
        api.extend(tmp_path / "nowhere", 10, game=FAKE)


def test_a_plan_says_what_it_extends_and_how_much_disk_it_needs(tmp_path: Path) -> None:
    said: list[str] = []
    play(tmp_path / "run", 24)
    api.extend(tmp_path / "run", 6, game=FAKE, say=said.append)
    assert said[0].endswith("6 more walls for each of 4 cells")
    assert said[1].startswith("playing 300 deals in 4 cells (2 of them by settling again), 240 of them played before; ")
    assert said[1].endswith(" MB on disk")
    plan = json.loads((tmp_path / "run" / "plan.json").read_text("utf-8"))
    assert len(plan["extends"]) == 64


def test_chunks_of_an_extended_run_are_repaired_to_the_bytes_they_had(tmp_path: Path) -> None:
    play(tmp_path / "run", 24)
    api.extend(tmp_path / "run", 6, game=FAKE)
    longer = api.extend(tmp_path / "run", 5, game=FAKE)
    before = files(longer.path)
    plan = json.loads(before["plan.json"])
    assert plan["origin"] != plan["extends"]
    chunks = sorted(name for name in before if name.startswith("chunks"))
    for name in (chunks[0], chunks[-1]):
        (longer.path / name).write_bytes(b"damaged")
    api.resume(longer.path, game=FAKE, repair=True)
    assert files(longer.path) == before


def test_a_damaged_line_of_the_ledger_is_repaired_too(tmp_path: Path) -> None:
    run = play(tmp_path / "run", 24)
    before = files(run.path)
    lines = before["ledger.jsonl"].splitlines(keepends=True)
    for spoilt in ([b"garbage\n", *lines[1:]], [*lines, lines[0]], [*lines[:-1], lines[-1][:-9] + b'000000"}\n']):
        (run.path / "ledger.jsonl").write_bytes(b"".join(spoilt))
        with pytest.raises(ResultsError, match=r"resume --repair|stands there twice"):
            api.resume(run.path, game=FAKE)
        said: list[str] = []
        api.resume(run.path, game=FAKE, repair=True, say=said.append)
        assert "playing its chunk again" in said[0]
        assert files(run.path) == before


def test_a_run_that_does_not_fit_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=50_000))
    with pytest.raises(
        ConfigError, match=r"1,200 rows need about 0\.\d MB, and 0\.1 MB are free; play fewer walls, keep no"
    ):
        play(tmp_path / "rows", 30)
    with pytest.raises(
        ConfigError, match=r"its sums need about 0\.\d MB, and 0\.1 MB are free; play fewer walls, or choose"
    ):
        play(tmp_path / "sums", 30, rows=False)
    assert not list(tmp_path.iterdir())
