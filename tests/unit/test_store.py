from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from sim.errors import ConfigError, ResultsError
from sim.rules import Preset, load_preset
from sim.tournament import files
from sim.tournament.checked import write_line
from sim.tournament.experiment import Experiment
from sim.tournament.folder import LEDGER, PLAN
from sim.tournament.ledger import Entry
from sim.tournament.plan import Plan, differences, make_plan, read_plan, to_json
from sim.tournament.store import RunFolder
from sim.tournament.totals import Totals
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path


def plan_of(**changes: Any) -> Plan:
    data = {"name": "caps", "walls": 3, "presets": ["mahjongo"], "line_ups": [{"strategies": ["strong", "weak"]}]}
    return make_plan(Experiment(**{**data, **changes}), FAKE)


def entry_of(plan: Plan, place: int) -> Entry:
    chunk = plan.chunks[place]
    sums = {name: [place] * 16 for name in plan.data["quantities"]}
    return Entry(chunk, chunk.walls * 16, 5, "x" * 64, Totals(2, chunk.walls, sums, {"points": [1] * 10}))


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "run", plan_of(walls=20_000))


# ------------------------------------------------------------------------------------------------------------- plans


def test_plan_is_a_pure_function_of_the_experiment() -> None:
    assert plan_of().text == plan_of(workers=7).text
    assert plan_of().hash != plan_of(seed=2).hash
    assert plan_of().hash != plan_of(presets=[{"preset": "mahjongo", "set": {"fan.cap": 5}}]).hash


def test_plan_holds_presets_in_full_and_what_was_set() -> None:
    choice = {"preset": "mahjongo", "name": "high", "set": {"fan": {"cap": 5}, "win.multiple": True}}
    (preset,) = plan_of(presets=[choice]).presets
    assert (preset["name"], preset["base"], preset["set"]) == ("high", "mahjongo", {"fan.cap": 5})
    assert preset["knobs"]["fan"]["cap"] == 5
    assert preset["knobs"]["exhaustion"]["flower_pig"] == 8


def test_presets_made_in_python() -> None:
    made = load_preset("mahjongo", {"fan.cap": 5})
    (preset,) = plan_of(presets=[made]).presets
    assert Preset.model_validate(preset["knobs"]) == made
    assert (preset["name"], preset["set"]) == ("mahjongo", {})


def test_plan_reads_back_and_refuses_changes() -> None:
    plan = plan_of()
    assert read_plan(plan.text, "plan").hash == plan.hash
    for text, words in (
        (plan.text.replace(b'"seed":1', b'"seed": 1'), "changed after"),
        (plan.text.replace(b'"seed":1', b'"seed":2'), "plan.json was changed after the run began"),
        (plan.text.replace(b'"hash":"', b'"hash":"0'), "changed after"),
        (plan.text.replace(b'"hash":"', b'"hash":[],"h":"'), "changed after"),
        (plan.text[:-5], "not a plan"),
        (b"[]", "not a plan"),
        (plan.text.replace(b'"format":1', b'"format":9'), "format 9"),
    ):
        with pytest.raises(ResultsError, match=words):
            read_plan(text, "plan.json")


def test_a_plan_without_a_hash_is_refused() -> None:
    """Else whoever takes the hash out of a plan could change it unnoticed."""
    data = json.loads(plan_of().text)
    del data["hash"]
    with pytest.raises(ResultsError, match=r"plan.json has no hash.*read the run with that version, or play it again"):
        read_plan(to_json(data), "plan.json")


def test_plans_differ_in_words() -> None:
    other = plan_of(seed=5, walls=9, presets=[{"preset": "mahjongo", "set": {"fan.cap": 5}}])
    found = differences(plan_of(), other)
    assert "seed: 1 against 5" in found
    assert "presets[0].knobs.fan.cap: 3 against 5" in found
    assert differences(other, other) == []


def test_mistakes_name_the_file_and_the_key() -> None:
    for changes, kind, words in (
        ({"presets": ["mahjongo", "mahjngo"]}, ConfigError, ["e.toml: presets[1].preset", "did you mean mahjongo?"]),
        ({"presets": [{"preset": "mahjongo", "set": {"fan.cp": 5}}]}, ConfigError, ["presets[0].set", "fan.cap"]),
        ({"line_ups": [{"strategies": ["strong", "wek"]}]}, Exception, ["line_ups[0].strategies[1]", '"wek"']),
        (
            {"walls": 1_000_000_000, "line_ups": [{"strategies": ["weak"], "seating": "all"}]},
            ConfigError,
            ["66.7 hours at"],
        ),
    ):
        data = {"name": "caps", "walls": 3, "presets": ["mahjongo"], "line_ups": [{"strategies": ["strong", "weak"]}]}
        with pytest.raises(kind) as caught:
            make_plan(Experiment(**{**data, **changes}), FAKE, where="e.toml")
        for word in words:
            assert word in str(caught.value)


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_only_finite_numbers_can_be_planned(number: float) -> None:
    pair = [{"strategies": ["strong", "weak"]}]
    for key, table in (
        ("target.half_width", {"target": {"half_width": number}}),
        ("contrast.half_width", {"contrast": {"half_width": number}, "line_ups": pair}),
        ("contrast.low", {"contrast": {"low": number, "high": 0.5}, "line_ups": pair}),
        ("contrast.high", {"contrast": {"low": 0.0, "high": number}, "line_ups": pair}),
        ("contrast.alpha", {"contrast": {"half_width": 1.0, "alpha": number}, "line_ups": pair}),
    ):
        with pytest.raises(ConfigError, match=rf"{key}: impossible value: -?(inf|nan); allowed: a finite number"):
            plan_of(walls=None, **table)


# ----------------------------------------------------------------------------------------------------------- folders


def test_same_plan_opens_other_plan_is_refused(folder: RunFolder) -> None:
    assert RunFolder.create(folder.path, folder.plan).plan.hash == folder.plan.hash
    with pytest.raises(ResultsError, match="seed: 1 against 2"):
        RunFolder.create(folder.path, plan_of(walls=20_000, seed=2))


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x", "utf-8")
    with pytest.raises(ResultsError, match="not a run folder"):
        RunFolder.create(tmp_path, plan_of())
    with pytest.raises(ResultsError, match="no plan"):
        RunFolder.open(tmp_path)
    with pytest.raises(ConfigError, match="cannot be made"):
        RunFolder.create(tmp_path / "thesis.txt" / "run", plan_of())


def test_what_a_start_left_half_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "plan.json.part").write_bytes(b"half")
    assert RunFolder.create(tmp_path, plan_of()).plan.hash == plan_of().hash


def test_missing_folder_suggests_one(folder: RunFolder) -> None:
    with pytest.raises(ResultsError, match=r"there is no such run folder; did you mean run\?"):
        RunFolder.open(folder.path.with_name("runn"))


def test_absurd_disk_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"rows need about .* GB"):
        RunFolder.create(tmp_path / "run", plan_of(walls=1_000_000_000))
    assert not (tmp_path / "run").exists()
    RunFolder.create(tmp_path / "run", plan_of(walls=1_000_000_000, rows=False))


def test_lock_keeps_other_processes_out(folder: RunFolder) -> None:
    code = (
        "import sys; from sim.tournament.store import RunFolder; from sim.errors import ResultsError\n"
        "try:\n    with RunFolder.open(sys.argv[1]).lock(): print('mine')\n"
        "except ResultsError as error: print(error)\n"
    )
    command = [sys.executable, "-c", code, str(folder.path)]
    with folder.lock():
        held = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    free = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "another process is playing this run: process" in held
    assert free == "mine\n"


# ------------------------------------------------------------------------------------------------------------ ledger


def test_ledger_reads_back_and_sorts(folder: RunFolder) -> None:
    entries = [entry_of(folder.plan, place) for place in (2, 0, 1)]
    for entry in entries:
        folder.ledger.append(entry)
    assert list(folder.ledger.entries()) == entries
    index = folder.ledger.index()
    assert list(folder.ledger.entries_at([index[entries[1].chunk.id]])) == [entries[1]]
    folder.ledger.sort()
    assert [entry.chunk for entry in folder.ledger.entries()] == list(folder.plan.chunks[:3])


@pytest.mark.parametrize("kept", [1, 40, -1])
def test_torn_last_line_is_dropped(folder: RunFolder, kept: int) -> None:
    folder.ledger.append(entry_of(folder.plan, 0))
    whole = (folder.path / LEDGER).read_bytes()
    folder.ledger.append(entry_of(folder.plan, 1))
    (folder.path / LEDGER).write_bytes(whole + write_line(entry_of(folder.plan, 1))[:kept])
    assert len(list(folder.ledger.entries())) == 1
    assert folder.ledger.drop_torn_line()
    assert (folder.path / LEDGER).read_bytes() == whole
    assert not folder.ledger.drop_torn_line()


def test_damaged_lines_are_named(folder: RunFolder) -> None:
    good = write_line(entry_of(folder.plan, 0))
    data = json.loads(good)
    del data["check"]
    for line, words in (
        (b"nonsense\n", "line 2: damaged"),
        (json.dumps({**data, "id": "c0009-w0000000000"}).encode() + b"\n", "is not in the plan"),
        (json.dumps({**data, "sums": {}}).encode() + b"\n", "line 2: damaged"),
        (good.replace(b'"rows":', b'"rows":9'), "line 2: damaged"),  # still a number, but the line's checksum tells
        (good, "stands there twice"),
    ):
        (folder.path / LEDGER).write_bytes(good + line)
        with pytest.raises(ResultsError, match=words):
            list(folder.ledger.entries())


def test_lines_without_a_checksum_count(folder: RunFolder) -> None:
    entry = entry_of(folder.plan, 0)
    data = {key: value for key, value in json.loads(write_line(entry)).items() if key != "check"}
    (folder.path / LEDGER).write_bytes(json.dumps(data).encode() + b"\n")
    assert list(folder.ledger.entries()) == [entry]


def test_failed_append_leaves_no_half_line(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.ledger.append(entry_of(folder.plan, 0))
    before = (folder.path / LEDGER).read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", fail)
        with pytest.raises(OSError, match="No space"):
            folder.ledger.append(entry_of(folder.plan, 1))
    assert (folder.path / LEDGER).read_bytes() == before


def test_writing_is_whole_or_not_at_all(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (folder.path / PLAN).read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        folder.write(PLAN, b"half")
    assert (folder.path / PLAN).read_bytes() == before
    assert [path.name for path in folder.path.iterdir()] == [PLAN]
