"""`bloodbattle strategies`, and strategies' files in `deal` and `run`, as a person sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sim.cli import main
from sim.jit import INTERPRETED
from strategies.registry import list_strategies


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    out = capsys.readouterr()
    return int(caught.value.code or 0), out.out, out.err


def test_list_names_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "strategies", "list")
    assert code == 0
    first_words = [line.split()[0] for line in out.splitlines() if not line.startswith(" ")]
    assert first_words == list(list_strategies())


def test_new_says_what_to_do_next(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = call(capsys, "strategies", "new", "bold-one", "--kind", "python", "--in", str(tmp_path))
    path = tmp_path / "bold_one.py"
    assert code == 0
    assert out.splitlines()[0] == f"{path} written; it plays as it is:"
    assert "class BoldOne:" in path.read_text()
    code, out, err = call(
        capsys,
        "deal",
        "--preset",
        "mahjongo",
        "--wall-seed",
        "1",
        "--strategies",
        f"{path}{{danger=1}},ukeire,{path},random",
    )
    assert (code, err) == (0, "")
    assert "seat 0 (bold_one.py{danger=1})" in out
    code, _, err = call(capsys, "strategies", "new", "bold_one", "--in", str(tmp_path))
    assert code == 2
    assert err == f"error: {path}: there already; choose another name\n"


@pytest.mark.skipif(INTERPRETED, reason="hundreds of deals")
def test_test_ends_with_the_number_of_failures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("class Bad:\n    def choose_claim(self, view):\n        return 66\n")
    code, out, err = call(capsys, "strategies", "test", str(path), "--walls", "4")
    assert code == 3
    assert f"FAIL  legal under every preset: {path}:2: strategy bad.py at seat" in out
    assert "      replay: bloodbattle deal --preset " in out
    assert err.startswith("error: bad.py: ")
    assert err.endswith("of the tests failed\n")


def test_experiments_take_files_from_their_folder_and_name_the_deal_that_failed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def choose_void_suit(self, view):\n        return 7\n")
    file = tmp_path / "small.toml"
    file.write_text(
        'walls = 2\npresets = ["mahjongo"]\n[[line_ups]]\nstrategies = ["random", "random", "bad.py", "random"]\n'
    )
    run = tmp_path / "run"
    code, _, err = call(capsys, "run", str(file), "--out", str(run), "--workers", "1")
    assert code == 3
    assert "bad.py:2: strategy bad.py at seat" in err
    assert "deal 0.0.0: " in err
    assert "chose action 7 in a void_suit decision; legal: suits 0, 1, 2" in err
    assert f"replay: bloodbattle deal {run} 0.0.0" in err
    code, _, err = call(capsys, "deal", str(run), "0.0.0")
    assert code == 3
    assert "chose action 7" in err
    run = tmp_path / "forfeits"
    code, out, err = call(capsys, "run", str(file), "--out", str(run), "--workers", "1", "--on-error", "forfeit")
    assert code == 0
    assert "strategy bad.py failed to answer 8 times; the answers of a timeout took their place" in err
    assert "bad.py" in out
    assert call(capsys, "deal", str(run), "0.0.0")[0] == 0


def test_an_endless_loop_is_named_and_ends_the_program(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    path.write_text("class Endless:\n    def choose_turn(self, view):\n        while True:\n            pass\n")
    code = "from sim.cli import main; main()"
    arguments = ["deal", "--preset", "mahjongo", "--wall-seed", "3", "--strategies", str(path), "--answer-limit", "0.5"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "error: no answer for 0.5 s: strategy endless.py at seat 0, decision turn (wall seed 3" in done.stderr


def test_an_endless_loop_in_a_run_leaves_a_note_of_who_where_and_when(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "endless.py").write_text(
        "class Endless:\n    def choose_claim(self, view):\n        while True:\n            pass\n"
    )
    file = tmp_path / "small.toml"
    file.write_text('walls = 2\npresets = ["mahjongo"]\n[[line_ups]]\nstrategies = ["random", "endless.py"]\n')
    run = tmp_path / "run"
    code = "from sim.cli import main; main()"
    arguments = ["run", str(file), "--out", str(run), "--workers", "1", "--answer-limit", "0.5"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    (note,) = (run / "failed").iterdir()
    told = json.loads(note.read_text())
    assert f"error: {told['message']}" in done.stderr
    assert (told["strategy"], told["decision"], told["ours"]) == ("endless.py", "claim", False)
    assert f"at seat {told['seat']}, decision claim, deal {told['deal']} " in told["message"]
    assert told["replay"] == f"bloodbattle deal {run} {told['deal']}"
    assert note.stem == told["chunk"]
    (tmp_path / "endless.py").write_text("class Endless:\n    def choose_claim(self, view):\n        return 65\n")
    assert call(capsys, "run", str(file), "--out", str(tmp_path / "mended"), "--workers", "1")[0] == 0
