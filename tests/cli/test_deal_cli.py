"""`bloodbattle deal`, as a person types it: deals by identity, deals of a run, deal files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sim.cli import main
from sim.tournament.deal_file import read_deals
from sim.tournament.plan import plan_of
from sim.tournament.refereeing import DealReferee

ROOT = Path(__file__).parents[2]
EXAMPLE = re.findall(r"```jsonl\n(.*?)```", (ROOT / "docs" / "deal-files.md").read_text("utf-8"), re.DOTALL)[0]
FIRST_LEGAL = ("--preset", "mahjong-planet", "--wall-seed", "3", "--strategies", "first_legal")
TOLD = Path(__file__).with_name("deal-told.txt")
EXPERIMENT = """
walls = 5
wall_mode = "per_seat"
presets = ["mahjong-planet", { preset = "cardavia-sichuan", name = "cap 2", set = { "fan.cap" = 2 } }]
[[line_ups]]
strategies = ["ukeire", "random"]
"""


def call(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    """Run a command in this process; return what it wrote."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    assert (left.value.code or 0) == code, error.getvalue()
    assert "Traceback" not in error.getvalue()
    return out.getvalue(), error.getvalue()


def test_a_deal_is_told() -> None:
    """The words of a whole deal: of first_legal, since it will always choose the same."""
    out, error = call("deal", *FIRST_LEGAL)
    assert error == ""
    assert out == TOLD.read_text("utf-8")
    assert out == call("deal", *FIRST_LEGAL)[0]


def test_a_deal_file_is_written_and_right(tmp_path: Path) -> None:
    options = ("--preset", "mahjongo", "--wall-seed", "17", "--strategies", "ukeire,random,shanten,isolation")
    out, _ = call(
        "deal", *options, "--seating", "2301", "--wall-mode", "per_seat", "--set", "fan.cap=5", "--format", "jsonl"
    )
    assert out.isascii()
    start = json.loads(out.splitlines()[0])
    assert start["strategies"] == ["shanten", "isolation", "ukeire", "random"]
    assert start["seating"] == [2, 3, 0, 1]
    assert start["wall_mode"] == "per_seat"
    assert start["wall_seed"] == 17
    assert start["knobs"]["fan.cap"] == 5
    file = tmp_path / "deal.jsonl"
    file.write_text(out, "utf-8")
    assert "right" in call("referee", file)[0]
    assert (
        call("deal", file)[0]
        == call("deal", *options, "--seating", "2301", "--wall-mode", "per_seat", "--set", "fan.cap=5")[0]
    )


def test_a_deal_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "deal.jsonl"
    file.write_text(EXAMPLE, "utf-8")
    out, _ = call("deal", file, "--no-unicode")
    assert out.startswith("preset cardavia-sichuan, wall mode shared\nseat 0, dealer: 224468m13356788p\n")
    assert out.endswith("points: seat 0 -5, seat 1 +2, seat 2 +2, seat 3 +1\n")
    file.write_text(EXAMPLE.replace('"tile": "2s"', '"tile": "2z"'), "utf-8")
    out, error = call("deal", file, code=2)
    assert "seat 3" in out
    assert f"error: {file}: line 12: draw: wrong value of tile" in error
    assert f"\n  bloodbattle referee {file} says everything that is wrong\n" in error


def test_a_false_deal_file_is_told_and_said_to_be_false(tmp_path: Path) -> None:
    """The story is that of the file; whether it is right is said at the end, and who says why."""
    file = tmp_path / "two deals.jsonl"
    wrong = EXAMPLE.replace('"payee": 2, "amount": 2}', '"payee": 2, "amount": 3}', 1)
    hint = f"\n  bloodbattle referee '{file}' says everything that is wrong\n"
    file.write_text(wrong, "utf-8")
    out, error = call("deal", file)
    assert "seat 3 pays 3 points to seat 2" in out
    assert error.startswith(f"{file}: the deal is against the rules, at line 23: wrong payment; came: seat 3 pays 3 ")
    assert error.endswith(hint)
    file.write_text(EXAMPLE + wrong, "utf-8")
    assert call("deal", file)[1].startswith(f"{file}: 1 of 2 deals is against the rules, at line 51: wrong payment")
    moved = EXAMPLE.replace('"event": "discard", "seat": 0, "tile": "', '"event": "discard", "seat": 1, "tile": "', 1)
    file.write_text(moved, "utf-8")
    assert "against the rules, at line" in call("deal", file)[1]
    file.write_text("\n", "utf-8")
    assert "error: " in call("deal", file, code=2)[1]


def test_a_terminal_without_unicode_tiles() -> None:
    command = [sys.executable, "-c", "from sim.cli import main; main()", "deal", *FIRST_LEGAL]
    settings = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    out = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=settings, text=True).stdout
    assert out == call("deal", *FIRST_LEGAL, "--no-unicode")[0]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deal")
    (folder / "small.toml").write_text(EXPERIMENT, "utf-8")
    call("run", folder / "small.toml", "--out", folder / "played")
    return folder / "played"


def test_any_deal_of_a_run_is_the_one_that_was_played(path: Path) -> None:
    from sim import open_run

    rows = open_run(path).seats().collect()
    for cell, wall, seating in ((0, 0, 0), (0, 4, 1), (1, 3, 2)):
        out, _ = call("deal", path, f"{cell}.{wall}.{seating}", "--format", "jsonl")
        (written,) = read_deals(io.BytesIO(out.encode()))
        verdict = DealReferee().judge(written)
        assert verdict.outcome == "right"
        assert verdict.deal_id == f"{cell}.{wall}.{seating}"
        found = rows.filter((pl.col("cell") == cell) & (pl.col("wall") == wall) & (pl.col("seating") == seating))
        assert tuple(found.sort("seat")["points"]) == verdict.points
    start = written.lines[0].event
    assert (start["preset"], start["knobs"]["fan.cap"], start["wall_mode"]) == ("cardavia-sichuan", 2, "per_seat")
    assert call("deal", path, "1.3.2")[0].startswith("deal 1.3.2\npreset cardavia-sichuan with fan.cap 2, wall seed ")


def test_a_run_of_other_versions_is_not_replayed(path: Path) -> None:
    file = path / "plan.json"
    before = file.read_bytes()
    plan = json.loads(before)
    del plan["hash"]
    plan["versions"]["engine"] = "0" * 16
    plan["strategies"]["ukeire"]["digest"] = "0" * 16
    file.write_bytes(plan_of(plan).text)
    try:
        out, error = call("deal", path, "0.0.0", code=4)
        assert out == ""
        assert "deal 0.0.0 cannot be played again" in error
        assert "the engine, strategy ukeire" in error
    finally:
        file.write_bytes(before)


@pytest.mark.parametrize(
    ("arguments", "code", "parts"),
    [
        ((), 2, ["name a run folder and an ID, a deal file, or --preset and --wall-seed"]),
        (("--preset", "mahjongo"), 2, ["--wall-seed"]),
        (("--preset", "mahjonggo", "--wall-seed", "1"), 2, ["did you mean mahjongo?", "--preset"]),
        (("--preset", "mahjongo", "--wall-seed", "-1"), 2, ["wall-seed"]),
        (("--preset", "mahjongo", "--wall-seed", str(2**63)), 2, ["wall-seed"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--strategies", "a,b"), 2, ["names 2 strategies (a,b)"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--strategies", "ukiere"), 3, ["did you mean"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--seating", "0122"), 2, ["came 0122", "each once"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--set", "fan.cup=1"), 2, ["--set", "did you mean fan.cap?"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--wall-mode", "split"), 2, ["shared", "per_seat"]),
        (("--preset", "mahjongo", "--wall-seed", "1", "--format", "xml"), 2, ["text", "jsonl"]),
        (("nowhere",), 2, ["nowhere: there is no such run folder or deal file"]),
        (("nowhere", "0.0.0"), 4, ["nowhere"]),
        (("RUN",), 2, ["which deal of the run?", "CELL.WALL.SEATING"]),
        (("RUN", "0.0"), 2, ["names no deal"]),
        (("RUN", "9.0.0"), 2, ["no cell 9"]),
        (("RUN", "0.5.0"), 2, ["no wall 5", "0 to 4"]),
        (("RUN", "0.0.4"), 2, ["no seating 4", "0 to 3"]),
        (("RUN", "0.0.0", "--preset", "mahjongo"), 2, ["--preset does not go with"]),
        (("RUN", "0.0.0", "--wall-seed", "0"), 2, ["--wall-seed does not go with"]),
        (("FILE", "0.0.0"), 2, ["an ID goes with a run folder"]),
        (("FILE", "--format", "jsonl"), 2, ["is a deal file already"]),
    ],
)  # fmt: skip
def test_mistakes_are_named(
    path: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, parts: list[str]
) -> None:
    file = tmp_path / "deal.jsonl"
    file.write_text(EXAMPLE, "utf-8")
    places = {"RUN": str(path), "FILE": str(file)}
    out, error = call("deal", *(places.get(argument, argument) for argument in arguments), code=code)
    assert out == ""
    for part in parts:
        assert part in error


def test_a_deal_as_a_page() -> None:
    page, _ = call("deal", "--preset", "mahjongo", "--wall-seed", "17", "--format", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")


def test_a_page_shows_one_deal(tmp_path: Path) -> None:
    one, _ = call("deal", "--preset", "mahjongo", "--wall-seed", "17", "--format", "jsonl")
    two = tmp_path / "two.jsonl"
    two.write_text(one + one, encoding="utf-8")
    _, told = call("deal", two, "--format", "html", code=2)
    assert "a page shows one deal" in told
    two.write_text(one, encoding="utf-8")
    page, _ = call("deal", two, "--format", "html")
    assert page.count('id="deal"') == 1


def test_the_head_of_a_deal_repeats_the_knobs_that_were_changed(tmp_path: Path) -> None:
    identity = ("--wall-seed", "3", "--strategies", "first_legal")
    plain, _ = call("deal", "--preset", "mahjongo", *identity)
    assert plain.startswith("preset mahjongo, wall seed 3, ")
    told, _ = call("deal", "--preset", "mahjongo", *identity, "--set", "fan.cap=5", "--set", "kong.added=3")
    assert told.startswith("preset mahjongo with kong.added 3, fan.cap 5, wall seed 3, ")
    (tmp_path / "ours.toml").write_text('extends = "mahjongo"\n')
    told, _ = call("deal", "--preset", tmp_path / "ours.toml", *identity, "--set", "fan.cap=5")
    assert told.startswith("preset ours with fan.cap 5, wall seed 3, ")
