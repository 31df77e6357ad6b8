"""Runs with the fake game: the same bytes however they were played, and nothing finished is ever lost."""

from __future__ import annotations

import errno
import os
import re
import signal
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from sim import api
from sim.errors import ConfigError, InvariantError, ResultsError, StrategyError
from sim.statistics.stopping import PrecisionRule
from sim.tournament import chunk as chunk_module
from sim.tournament import schedule
from sim.tournament.adder import Adder
from sim.tournament.experiment import Experiment
from sim.tournament.folder import LEDGER
from sim.tournament.plan import make_plan
from sim.tournament.results import DealId, parse_deal_id
from sim.tournament.schema import KEYS
from sim.tournament.store import OUTCOME, RunFolder
from tests.fake_game import FAKE, NAMES, PATTERNS, Recorder, play_walls, wall_seed

if TYPE_CHECKING:
    from pathlib import Path

    from sim.tournament.game import Game


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "CHUNK_DEALS", 40)


def experiment(**changes: Any) -> Experiment:
    data: dict[str, Any] = {
        "name": "caps",
        "walls": 24,
        "presets": ["mahjongo", {"preset": "mahjongo", "name": "no cap", "set": {"fan.cap": "none"}}],
        "line_ups": [
            {"strategies": ["strong", "weak"]},
            {"strategies": ["middle"], "walls": 90},
            {"strategies": ["strong", "middle", "weak", "twin"], "name": "mixed", "walls": 5},
        ],
    }
    return Experiment(**{**data, **changes})


TARGET = {"half_width": 0.8, "min_walls": 16, "max_walls": 2_000, "batch": 16}


def files(path: Path) -> dict[str, bytes]:
    """All bytes that must not depend on how a run was played."""
    found = {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return {name: text for name, text in found.items() if name not in {"timings.jsonl", ".lock"}}


def play(path: Path, game: Game = FAKE, workers: int = 2, **changes: Any) -> api.Result:
    return api.run(experiment(**changes), out=path, workers=workers, game=game)


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    return files(play(tmp_path / "whole", workers=1).path)


# ----------------------------------------------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("workers", [2, 5])
def test_same_bytes_for_any_number_of_workers(tmp_path: Path, whole: dict[str, bytes], workers: int) -> None:
    assert files(play(tmp_path / "other", workers=workers).path) == whole
    assert {"plan.json", "ledger.jsonl", "outcome.json", "summary.json", "summary.md", "summary.csv"} <= set(whole)


def test_same_bytes_in_any_order(tmp_path: Path, whole: dict[str, bytes]) -> None:
    first = threading.Event()

    def hold_the_first(recorder: Recorder, seeds: Any) -> None:
        if seeds[0] == wall_seed(1, 0) and recorder.count <= 2:
            first.wait(2.0)
        elif recorder.count > 12:
            first.set()

    recorder = Recorder()
    recorder.before = hold_the_first
    result = play(tmp_path / "other", recorder.game, workers=3)
    assert first.is_set()
    assert files(result.path) == whole


@pytest.mark.parametrize("after", [1, 7, 16])
def test_same_bytes_after_an_interruption(tmp_path: Path, whole: dict[str, bytes], after: int) -> None:
    recorder = Recorder()
    recorder.before = lambda recorder, _: recorder.count == after and os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt) as caught:
        play(tmp_path / "other", recorder.game)
    assert caught.value.path == tmp_path / "other"  # type: ignore[attr-defined]
    left = api.open_run(tmp_path / "other")
    kept = {entry.chunk.id for entry in left.folder.ledger.entries()}
    assert not left.is_finished
    assert after <= len(kept) < len(left.plan.chunks)
    again = Recorder()
    result = api.resume(tmp_path / "other", workers=3, game=again.game)
    assert again.count == len(left.plan.chunks) - len(kept)
    assert files(result.path) == whole


def test_running_again_goes_on_and_then_does_nothing(tmp_path: Path, whole: dict[str, bytes]) -> None:
    recorder = Recorder()
    recorder.before = lambda recorder, _: recorder.count == 5 and os.kill(os.getpid(), signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "other", recorder.game)
    play(tmp_path / "other")
    again = Recorder()
    result = play(tmp_path / "other", again.game)
    assert again.count == 0
    assert files(result.path) == whole


def test_same_bytes_after_a_crash(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """Half a ledger line, a chunk file without a line, a half-written chunk: as after a power cut."""
    path = play(tmp_path / "other").path
    lines = (path / LEDGER).read_bytes().splitlines(keepends=True)
    (path / LEDGER).write_bytes(b"".join(lines[:3]) + lines[3][:50])
    for name in (OUTCOME, "summary.json", "summary.md", "summary.csv"):
        (path / name).unlink()
    (path / "chunks" / "c0000-w0000000000.parquet.part").write_bytes(b"half")
    assert files(api.resume(path, game=FAKE).path) == whole


def test_handlers_are_put_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    play(tmp_path / "run")
    assert signal.getsignal(signal.SIGINT) is before


# ------------------------------------------------------------------------------------------------------------- target


def test_target_stops_on_batches_in_order(tmp_path: Path) -> None:
    results = [
        play(
            tmp_path / str(workers),
            workers=workers,
            walls=None,
            target=TARGET,
            line_ups=[{"strategies": ["strong", "weak"]}],
        )
        for workers in (1, 4)
    ]
    assert files(results[0].path) == files(results[1].path)
    outcome = results[0].outcome
    assert outcome is not None
    assert outcome["reason"].startswith("target met: the widest interval is ±")
    walls = set(outcome["walls"].values())
    assert len(walls) == 1
    assert walls == {16 * len(outcome["looks"])}
    met = [look["half_width"] <= TARGET["half_width"] for look in outcome["looks"]]
    assert met[-2:] == [True, True]
    assert not any(met[i] and met[i + 1] for i in range(len(met) - 2))
    assert 16 < walls.pop() < 2_000


def test_target_survives_an_interruption(tmp_path: Path) -> None:
    whole = files(
        play(tmp_path / "whole", walls=None, target=TARGET, line_ups=[{"strategies": ["strong", "weak"]}]).path
    )
    recorder = Recorder()
    recorder.before = lambda recorder, _: recorder.count == 9 and os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        play(
            tmp_path / "other", recorder.game, walls=None, target=TARGET, line_ups=[{"strategies": ["strong", "weak"]}]
        )
    assert files(api.resume(tmp_path / "other", game=FAKE).path) == whole


def test_target_out_of_reach(tmp_path: Path) -> None:
    target = {**TARGET, "half_width": 1e-6, "max_walls": 40}
    outcome = play(tmp_path / "run", walls=None, target=target, line_ups=[{"strategies": ["middle"]}]).outcome
    assert outcome is not None
    wanted = r"the most walls allowed played, target not reached: the widest interval is ±.+ \(.+\), wanted ±1e-06"
    assert re.fullmatch(wanted, outcome["reason"])
    assert set(outcome["walls"].values()) == {40}


def test_rule_waits_for_least_walls_and_for_looks_in_a_row(tmp_path: Path) -> None:
    plan = make_plan(
        experiment(
            walls=None, target={**TARGET, "half_width": 1000.0, "min_walls": 48}, line_ups=[{"strategies": ["middle"]}]
        ),
        FAKE,
    )
    totals = play(tmp_path / "run", line_ups=[{"strategies": ["middle"]}]).totals()
    rule = PrecisionRule(plan)
    assert [rule.look(walls, totals) is None for walls in (16, 32, 48)] == [True, True, False]
    assert [look["walls"] for look in rule.facts()] == [16, 32, 48]


# ------------------------------------------------------------------------------------------------------------ failures


def fail_on(walls: set[int], error: Exception) -> Any:
    seeds = {wall_seed(1, wall) for wall in walls}

    def before(_: Recorder, wall_seeds: Any) -> None:
        if int(wall_seeds[0]) in seeds:
            raise error

    return before


def test_one_failure_loses_no_other_chunk(tmp_path: Path, whole: dict[str, bytes]) -> None:
    recorder = Recorder()
    recorder.before = fail_on({80}, StrategyError("chose nonsense"))
    with pytest.raises(StrategyError, match="chose nonsense") as caught:
        play(tmp_path / "run", recorder.game)
    assert "2 chunks failed" in str(caught.value)
    left = api.open_run(tmp_path / "run")
    assert len(list(left.folder.ledger.entries())) == len(left.plan.chunks) - 2
    assert {path.stem for path in (left.path / "failed").iterdir()} == {"c0001-w0000000080", "c0004-w0000000080"}
    assert files(api.resume(left.path, game=FAKE).path) == whole


def test_defects_are_called_so(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.before = fail_on({80}, ZeroDivisionError("oops"))
    with pytest.raises(InvariantError, match="ZeroDivisionError: oops"):
        play(tmp_path / "run", recorder.game)


def test_many_failures_stop_the_run(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.before = fail_on(set(range(100)), ValueError("always"))
    with pytest.raises(InvariantError, match="failed"):
        play(tmp_path / "run", recorder.game, walls=2_000)
    assert recorder.count < 20


def test_full_disk_loses_nothing(tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def fsync(_: int) -> None:
        nonlocal count
        count += 1
        if count > 6:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(chunk_module.os, "fsync", fsync)
        with pytest.raises(ResultsError, match="the disk is full; finished chunks are kept"):
            play(tmp_path / "run")
    assert not list((tmp_path / "run").rglob("*.part"))
    assert files(api.resume(tmp_path / "run", game=FAKE).path) == whole


@pytest.mark.parametrize("what", ["lock", "failed", "outcome", "summary", "rows"])
def test_full_disk_is_told_wherever_it_is_noticed(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    recorder = Recorder()
    write = RunFolder.write

    def fail(_: Recorder, seeds: Any) -> None:
        if what == "failed" and seeds[0] == wall_seed(1, 0):
            raise StrategyError("stuck")

    def write_or_not(folder: RunFolder, name: str, text: bytes) -> None:
        if name.startswith(what):
            raise full
        write(folder, name, text)

    def write_no_rows(*_: Any, **__: Any) -> None:
        raise pl.exceptions.ComputeError("parquet: underlying IO error: No space left on device (os error 28)")

    def lock(_: RunFolder) -> None:
        raise full

    recorder.before = fail
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write", write_or_not)
        if what == "rows":
            patch.setattr(pl.DataFrame, "write_parquet", write_no_rows)
        if what == "lock":
            patch.setattr(RunFolder, "lock", lock)
        for _ in range(2):
            words = "the disk is full; finished chunks are kept; free some space, then: bloodbattle resume"
            with pytest.raises(ResultsError, match=words):
                play(tmp_path / "run", recorder.game)
    assert not list((tmp_path / "run").rglob("*.part"))
    assert not (tmp_path / "run" / "failed").exists() or not list((tmp_path / "run" / "failed").iterdir())
    assert files(api.resume(tmp_path / "run", game=FAKE).path) == whole


@pytest.mark.parametrize(
    ("column", "change", "words"),
    [
        ("points", 1, "deal 0.0.0: points do not sum to zero"),
        ("paid_self_draw", 1, "causes do not sum to the points"),
        ("gained_self_draw", 1, "deal 0.0.0: causes do not sum to the points"),
        ("win_order", 3, "deal 0.0.0: wins"),
        ("wins", 3, "deal 0.0.0: wins are not those of the four seats"),
        ("turns", 300, "column turns: values from 0 to 300 do not fit int8"),
    ],
)
def test_contradictions_are_found(tmp_path: Path, column: str, change: int, words: str) -> None:
    def wrong(rules: Any, strategies: Any, seeds: Any, seatings: Any, mode: str) -> Any:
        columns = play_walls(rules, strategies, seeds, seatings, mode)
        columns[NAMES.index(column), 2] = change if change > 1 else columns[NAMES.index(column), 2] + change
        return columns

    with pytest.raises(InvariantError, match=words):
        play(tmp_path / "run", replace(FAKE, play=wrong), walls=2)


# ------------------------------------------------------------------------------------------------------------- resume


def test_resume_refuses_what_has_changed(tmp_path: Path) -> None:
    path = play(tmp_path / "run").path
    with pytest.raises(ResultsError, match=r'versions\.engine: "fake-engine" against "newer"'):
        api.resume(path, game=replace(FAKE, digest="newer"))


def test_damaged_chunk_is_named_and_repaired_on_request(tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = play(tmp_path / "run").path
    for damage in ("bytes", "short", "missing"):
        file = path / "chunks" / "c0001-w0000000040.parquet"
        text = file.read_bytes()
        file.unlink()
        if damage != "missing":
            file.write_bytes(text[:-8] + b"12345678" if damage == "bytes" else text[:-9])
        with pytest.raises(ResultsError, match="c0001-w0000000040"):
            api.resume(path, game=FAKE)
        with pytest.raises(ResultsError, match="c0001-w0000000040"):
            api.open_run(path).seats()
        recorder = Recorder()
        said: list[str] = []
        api.resume(path, game=recorder.game, repair=True, say=said.append)
        assert recorder.count == 1
        assert "c0001-w0000000040" in said[0]
        assert files(path) == whole


def test_run_checks_a_finished_run_as_resume_does(tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = play(tmp_path / "run").path
    file = path / "chunks" / "c0001-w0000000040.parquet"
    text = file.read_bytes()
    file.write_bytes(text[:-8] + b"12345678")
    with pytest.raises(ResultsError, match=r"c0001-w0000000040.*--repair"):
        play(path)
    file.unlink()
    with pytest.raises(ResultsError, match=r"c0001-w0000000040.*is missing"):
        play(path)
    api.resume(path, game=FAKE, repair=True)
    play(path)
    assert files(path) == whole


@pytest.mark.parametrize("kept", [0, 1, 9, None])
@pytest.mark.parametrize("target", [False, True])
def test_finished_run_with_a_short_ledger_is_refused_and_repaired(
    tmp_path: Path, kept: int | None, *, target: bool
) -> None:
    changes: dict[str, Any] = {}
    if target:
        changes = {"walls": None, "target": TARGET, "line_ups": [{"strategies": ["strong", "weak"]}]}
    path = play(tmp_path / "run", **changes).path
    before = files(path)
    ledger = path / LEDGER
    lines = ledger.read_bytes().splitlines(keepends=True)
    if kept is None:
        ledger.unlink()
    else:
        ledger.write_bytes(b"".join(lines[:kept]) + lines[kept][:30])
    words = rf"ledger\.jsonl: holds {kept or 0} of the {len(lines)} chunks .*resume .* --repair"
    for ask in (
        lambda: api.open_run(path).summary(),
        lambda: api.open_run(path).seats(),
        lambda: api.resume(path, game=FAKE),
        lambda: play(path, **changes),
    ):
        with pytest.raises(ResultsError, match=words):
            ask()
    recorder = Recorder()
    api.resume(path, game=recorder.game, repair=True)
    assert recorder.count == len(lines) - (kept or 0)
    assert files(path) == before


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"reason":"","walls":{"0":"x"}}'])
def test_damaged_outcome_is_named(tmp_path: Path, text: bytes) -> None:
    path = play(tmp_path / "run", walls=2).path
    (path / OUTCOME).write_bytes(text)
    with pytest.raises(ResultsError, match=r"outcome\.json: damaged"):
        api.open_run(path).summary()


def test_nothing_is_shown_unless_asked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    play(tmp_path / "run")
    assert capfd.readouterr() == ("", "")


# ------------------------------------------------------------------------------------------------------------ results


def test_rows_are_what_was_played(tmp_path: Path) -> None:
    result = play(tmp_path / "run")
    seats = result.seats()
    assert [key.name for key in KEYS] + NAMES == seats.collect_schema().names()
    frame = seats.collect()
    for cell in result.plan.cells:
        mine = frame.filter(cell=cell.index)
        assert mine.height == cell.deals * 4
        seeds = np.array([wall_seed(1, wall) for wall in range(cell.walls)])
        cap = {"mahjongo": 3, "no cap": 20}[cell.preset]
        loaded = [FAKE.load_strategy(name) for name in cell.strategies]
        played = play_walls({"cap": cap}, loaded, seeds, np.array(cell.seatings), "shared")
        mine = mine.sort("wall", "seating", "seat")
        for place, name in enumerate(NAMES):
            assert mine[name].to_list() == played[place].tolist()
        assert mine["slot"].to_list() == [slot for _ in range(cell.walls) for row in cell.seatings for slot in row]
        assert all(row["strategy"] == cell.strategies[row["slot"]] for row in mine.head(30).to_dicts())
        assert set(mine["preset"]) == {cell.preset}
        assert set(mine["line_up"]) == {cell.line_up}
    assert frame.schema["strategy"] == pl.Enum(["middle", "strong", "twin", "weak"])
    assert seats.filter(pl.col("seat") == 0).collect().to_pandas().shape[0] * 4 == frame.height


def test_sums_are_those_of_the_rows(tmp_path: Path) -> None:
    result = play(tmp_path / "run")
    totals = result.totals()
    for cell in result.plan.cells:
        seeds = np.array([wall_seed(1, wall) for wall in range(cell.walls)])
        cap = {"mahjongo": 3, "no cap": 20}[cell.preset]
        loaded = [FAKE.load_strategy(name) for name in cell.strategies]
        seatings = np.array(cell.seatings)
        played = play_walls({"cap": cap}, loaded, seeds, seatings, "shared")
        assert totals[cell.index] == Adder(NAMES, PATTERNS).add_up_slowly(played, seatings, cell.group_of_slot)


def test_no_rows(tmp_path: Path) -> None:
    with_rows, without = play(tmp_path / "with"), play(tmp_path / "without", rows=False)
    assert not (without.path / "chunks").exists()
    assert without.totals() == with_rows.totals()
    assert without.summary().equals(with_rows.summary())
    with pytest.raises(ResultsError, match="keeps no rows"):
        without.seats()
    api.resume(without.path, game=FAKE)


def test_unfinished_run_has_results(tmp_path: Path) -> None:
    recorder = Recorder()
    recorder.before = lambda recorder, _: recorder.count == 4 and os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", recorder.game)
    left = api.open_run(tmp_path / "run")
    assert left.seats().select(pl.len()).collect().item() > 0
    assert "UNFINISHED" in left.show()


def test_names_of_deals(tmp_path: Path) -> None:
    result = play(tmp_path / "run")
    assert parse_deal_id("2.4.23") == DealId(2, 4, 23)
    assert str(DealId(2, 4, 23)) == "2.4.23"
    setup = result.deal_setup("5.4.1")
    assert (setup.preset_name, setup.preset.fan.cap, setup.wall, setup.seed) == ("no cap", None, 4, 1)
    assert setup.seating == result.plan.cells[5].seatings[1]
    assert setup.strategies == ("strong", "middle", "weak", "twin")
    for text, words in (
        ("x", "names no deal"),
        ("6.0.0", "no cell 6"),
        ("2.5.0", "no wall 5"),
        ("2.0.24", "no seating 24"),
    ):
        with pytest.raises(ConfigError, match=words):
            result.deal_setup(text)


def test_experiment_as_a_file_or_a_table(tmp_path: Path) -> None:
    file = tmp_path / "caps.toml"
    file.write_text('walls = 3\npresets = ["mahjongo"]\n[[line_ups]]\nstrategies = ["weak"]\n', "utf-8")
    table = {"name": "caps", "walls": 3, "presets": ["mahjongo"], "line_ups": [{"strategies": ["weak"]}]}
    one, other = (api.run(given, out=tmp_path / str(i), game=FAKE) for i, given in enumerate((file, table)))
    assert files(one.path) == files(other.path)
    file.write_text(file.read_text("utf-8").replace("weak", "waek"), "utf-8")
    with pytest.raises(StrategyError, match=r"caps\.toml: line_ups\[0\]"):
        api.run(file, out=tmp_path / "x", game=FAKE)


def test_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = api.run(experiment(), game=FAKE)
    assert str(result.path) == f"runs/caps-{result.plan.hash[:8]}"
