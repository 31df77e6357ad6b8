"""`bloodbattle referee`, as a person types it."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sim.cli import main

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from sim.cli import main; main()"]
EXAMPLE = re.findall(r"```jsonl\n(.*?)```", (ROOT / "docs" / "deal-files.md").read_text("utf-8"), re.DOTALL)[0]
RIGHT = "deal 1 (line 1, cardavia-sichuan): right; 28 lines, 3 wins, ended by the third win, points -5 +2 +2 +1\n"
WRONG = EXAMPLE.replace('"payee": 2, "amount": 2}', '"payee": 2, "amount": 3}', 1)


def call(*arguments: str | Path, code: int = 0) -> tuple[str, str]:
    """Run the command in this process; return what it wrote."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), pytest.raises(SystemExit) as left:
        main(["referee", *(str(argument) for argument in arguments)])
    assert (left.value.code or 0) == code, error.getvalue()
    assert "Traceback" not in error.getvalue()
    return out.getvalue(), error.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deal.jsonl"


def test_a_right_deal(file: Path) -> None:
    file.write_text(EXAMPLE, "utf-8")
    assert call(file) == (f"{RIGHT}1 deal: 1 right, 0 wrong, 0 malformed\n", "")


def test_a_wrong_deal_among_right_ones(file: Path) -> None:
    file.write_text(EXAMPLE + WRONG + EXAMPLE, "utf-8")
    out, error = call(file, code=3)
    assert error == ""
    lines = out.splitlines()
    assert f"{lines[0]}\n" == RIGHT
    assert lines[1] == "deal 2 (line 29, cardavia-sichuan): wrong"
    assert lines[2] == (
        "  line 51: wrong payment; came: seat 3 pays 3 points to seat 2 for self_draw; "
        "allowed: seat 3 pays 2 points to seat 2 for self_draw"
    )
    assert lines[-1] == "3 deals: 2 right, 1 wrong, 0 malformed"


def test_a_malformed_deal_matters_more_than_a_wrong_one(file: Path) -> None:
    file.write_bytes(WRONG.encode() + b"\xff\n" + EXAMPLE.encode())
    out, _ = call(file, code=2)
    assert "deal 1 (line 1): malformed\n  line 29: not UTF-8 text (at byte 1 of the line)\n" in out
    assert out.endswith("2 deals: 1 right, 0 wrong, 1 malformed\n")


EMPTY = 'the file is empty; a deal file begins with the event "deal"\n'


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_file_is_no_deal(file: Path, content: str, form: str) -> None:
    file.write_text(content, "utf-8")
    assert call(file, "--format", form, code=2) == ("", f"error: {file}: {EMPTY}")


@pytest.mark.parametrize(
    ("given", "code", "out", "error"), [(EXAMPLE, 0, RIGHT, ""), ("", 2, "", f"error: standard input: {EMPTY}")]
)
def test_standard_input(given: str, code: int, out: str, error: str) -> None:
    done = subprocess.run(
        [*PROGRAM, "referee", "-"], input=given, capture_output=True, check=False, cwd=ROOT, text=True
    )
    assert done.returncode == code
    assert done.stdout.startswith(out)
    assert done.stderr == error


def test_verdicts_as_data(file: Path) -> None:
    file.write_text(EXAMPLE + WRONG + "{}\n", "utf-8")
    found = json.loads(call(file, "--format", "json", code=2)[0])
    assert (found["right"], found["wrong"], found["malformed"]) == (1, 0, 1)
    right, malformed = found["deals"]
    assert right["verdict"] == "right"
    assert right["points"] == [-5, 2, 2, 1]
    assert right["ending"] == "third_win"
    assert right["complaints"] == []
    assert malformed["deal"] == 2
    assert malformed["complaints"][0] == {
        "line": 57,
        "reason": 'the key "event" is missing',
        "came": "{}",
        "allowed": malformed["complaints"][0]["allowed"],
    }
    assert json.loads(call(file.with_name("other"), "--format", "json", code=2)[0] or "null") is None


def test_the_rules_of_another_table(file: Path) -> None:
    file.write_text(EXAMPLE, "utf-8")
    out, _ = call(file, "--preset", "mahjongo", code=3)
    assert "line 2: the preset has an exchange; came: direction none; allowed: right, across or left" in out
    _, error = call(file, "--preset", "mahjong", code=2)
    assert "--preset" in error
    assert "mahjongo" in error


@pytest.mark.parametrize("name", ["nothing", "folder"])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    out, error = call(tmp_path / name, code=2)
    assert out == ""
    assert str(tmp_path / name) in error
    assert {"nothing": "no such file", "folder": "a folder"}[name] in error


def test_a_reader_that_leaves(file: Path) -> None:
    """`bloodbattle referee many.jsonl | head -1` is no defect."""
    file.write_text(EXAMPLE * 3000, "utf-8")
    command = f"{sys.executable} -c 'from sim.cli import main; main()' referee {file} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, check=False, cwd=ROOT, text=True)  # noqa: S602
    assert done.stdout == RIGHT
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr
