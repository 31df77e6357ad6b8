"""Files that a strategy imports from its folder: they are part of it, fresh after every edit, in all three ways."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from sim.engine.sichuan.play import play_walls
from sim.errors import StrategyError
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.beside import Own, find_own_imports, importable
from strategies.registry import load_strategy

SEATINGS = np.arange(4).reshape(1, 4)
WALLS = np.arange(2 if INTERPRETED else 12)
RULES = compile_rules(load_preset("mahjongo"))

NATIVE = """
from helper import first_or_last
from sim.engine.sichuan.table import WIN_ACTION

def choose_turn(hand, table, rules, lookup):
    return WIN_ACTION if hand.legal_win else first_or_last(hand.legal_discards)
"""
PYTHON = """
import helper

class Mine:
    def choose_turn(self, view):
        return 64 if view.legal_win else helper.first_or_last(sum(1 << kind for kind in view.legal_discards))
"""
BATCH = """
import numpy as np
import helper

class Mine:
    def choose_turn(self, batch):
        masks = (batch.legal[:, :27] << np.arange(27)).sum(axis=1)
        chosen = [helper.first_or_last(int(mask)) for mask in masks]
        return np.where(batch.legal[:, 64], 64, chosen)
"""
FIRST = """
def first_or_last(mask):
    return _scan(mask, 00)

def _scan(mask, start):
    found = -1
    for kind in range(27):
        if (mask >> kind) & 1 and (found == -1 or start == 26):
            found = kind
    return found
"""
LAST = FIRST.replace("00", "26")


def write(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1_000_000_000, 1_000_000_000))  # so that time and size tell nothing of an edit
    return str(folder / "mine.py")


def play(reference: str) -> np.ndarray:
    return play_walls(RULES, [load_strategy(reference)] * 4, WALLS, SEATINGS, "shared")


@pytest.mark.parametrize("text", [NATIVE, PYTHON, BATCH], ids=["native", "python", "batch"])
def test_an_edited_helper_is_another_strategy_and_is_played_at_once(tmp_path: Path, text: str) -> None:
    found = []
    for helper in (FIRST, LAST, FIRST):
        path = write(tmp_path, {"mine.py": text, "helper.py": helper})
        found.append((load_strategy(path).digest, play(path)))
    assert len(FIRST) == len(LAST)
    assert found[0][0] == found[2][0] != found[1][0]
    assert np.array_equal(found[0][1], found[2][1])
    assert not np.array_equal(found[0][1], found[1][1])
    assert "helper" not in sys.modules
    assert not (tmp_path / "__pycache__").exists()


def test_two_strategies_have_helpers_of_one_name(tmp_path: Path) -> None:
    one = write(tmp_path / "one", {"mine.py": PYTHON, "helper.py": FIRST})
    other = write(tmp_path / "other", {"mine.py": PYTHON, "helper.py": LAST})
    alone = [play(one), play(other)]
    line_up = [load_strategy(one), load_strategy(other), *[load_strategy("random")] * 2]
    together = play_walls(RULES, line_up, WALLS, SEATINGS, "shared")
    again = play_walls(RULES, line_up, WALLS, SEATINGS, "shared")
    assert not np.array_equal(alone[0], alone[1])
    assert np.array_equal(together, again)


NESTED = {
    "mine.py": "import parts.deep.numbers\nfrom parts import chooser\n"
    + PYTHON.replace("helper.", "chooser.").replace("import helper", ""),
    "parts/__init__.py": "from . import chooser\n",
    "parts/chooser.py": "from .deep import first_or_last\n",
    "parts/deep/__init__.py": "from ..tools import first_or_last\nfrom .numbers import ONE\n",
    "parts/deep/numbers.py": "ONE = 1\n",
    "parts/tools.py": FIRST,
    "parts/unused.py": "",
    "mere/folder.py": "",
}


def test_packages_and_what_they_import_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, NESTED)
    used = ["parts", "parts.chooser", "parts.deep", "parts.deep.numbers", "parts.tools"]
    assert list(find_own_imports(Path(path))) == used
    before = load_strategy(path).digest
    columns = play(path)
    write(tmp_path, {"parts/unused.py": "1"})
    assert load_strategy(path).digest == before
    digests = {before}
    for name in ("parts/__init__.py", "parts/chooser.py", "parts/deep/__init__.py", "parts/deep/numbers.py"):
        write(tmp_path, {name: NESTED[name] + "\n"})
        digests.add(load_strategy(path).digest)
    assert len(digests) == 5
    write(tmp_path, {"parts/tools.py": LAST})
    assert not np.array_equal(play(path), columns)


def test_a_folder_without_init_is_a_package(tmp_path: Path) -> None:
    files = {"mine.py": PYTHON.replace("import helper", "from mere import helper"), "mere/helper.py": FIRST}
    path = write(tmp_path, files)
    assert list(find_own_imports(Path(path))) == ["mere", "mere.helper"]
    columns = play(path)
    write(tmp_path, {"mere/helper.py": LAST})
    assert not np.array_equal(play(path), columns)


def test_a_helper_that_goes_away_is_missed(tmp_path: Path) -> None:
    path = write(tmp_path, {"mine.py": PYTHON, "helper.py": FIRST})
    load_strategy(path)
    (tmp_path / "helper.py").rename(tmp_path / "helpers.py")
    with pytest.raises(
        StrategyError, match=r"mine.py:2: ModuleNotFoundError: No module named 'helper'; beside it stands"
    ):
        load_strategy(path)
    (tmp_path / "helpers.py").rename(tmp_path / "helper.py")
    load_strategy(path)


def test_what_is_wrong_in_a_helper_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, {"mine.py": PYTHON, "helper.py": "def first_or_last(mask:\n"})
    with pytest.raises(StrategyError, match=r"helper.py:1: not valid Python"):
        load_strategy(path)
    write(tmp_path, {"helper.py": "\n\ndef first_or_last(mask):\n    return 1 // 0\n"})
    with pytest.raises(StrategyError, match=r"helper.py:4: ZeroDivisionError"):
        play(path)
    write(
        tmp_path,
        {"helper.py": "import random\ndef first_or_last(mask):\n    return random.choice([mask.bit_length() - 1])\n"},
    )
    with pytest.raises(StrategyError, match=r"helper.py:3: chance that no seed reaches"):
        play(path)
    write(tmp_path, {"mine.py": NATIVE})
    with pytest.raises(StrategyError, match=r"helper.py:3: chance that no seed reaches"):
        load_strategy(path)
    write(tmp_path, {"helper.py": "SEEN = [0]\n\ndef first_or_last(mask):\n    SEEN[0] += 1\n    return 1\n"})
    with pytest.raises(StrategyError, match=r"helper.py:4: first_or_last changes 'SEEN'"):
        load_strategy(path)


def test_a_global_of_a_helper_may_not_change(tmp_path: Path) -> None:
    changing = "SEEN = [0]\ndef first_or_last(mask):\n    SEEN[0] += 1\n    return mask.bit_length() - 1\n"
    path = write(tmp_path, {"mine.py": PYTHON, "helper.py": changing})
    with pytest.raises(StrategyError, match=r"helper.py:1: the global 'SEEN' changed between calls"):
        play(path)


def test_imports_inside_functions_are_refused(tmp_path: Path) -> None:
    text = "class Mine:\n    def choose_turn(self, view):\n        import math, helper\n        return -1\n"
    path = write(tmp_path, {"mine.py": text, "helper.py": FIRST})
    with pytest.raises(
        StrategyError, match=r"mine.py:3: helper stands in the strategy's folder and is imported inside"
    ):
        load_strategy(path)


def test_names_of_the_standard_library_are_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path, {"mine.py": "import math, random, sim, strategies\n" + PYTHON, "helper.py": FIRST})
    write(tmp_path, {"random.py": "raise SystemExit", "math.py": "", "sim.py": "", "strategies/__init__.py": ""})
    assert list(find_own_imports(Path(path))) == ["helper"]
    load_strategy(path)


def test_modules_of_the_same_name_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever else knows a module of that name finds it again, and nothing of the strategy's own."""
    known = ModuleType("helper")
    monkeypatch.setitem(sys.modules, "helper", known)
    path = write(tmp_path, {"helper.py": FIRST, "mine.py": PYTHON})
    with importable(find_own_imports(Path(path)), "mine") as loaded:
        import helper  # type: ignore[import-not-found]

        assert helper.first_or_last(6) == 1
        sys.modules["helper.more"] = ModuleType("helper.more")
    assert loaded == {"helper": helper}
    assert sys.modules["helper"] is known
    assert "helper.more" not in sys.modules
    monkeypatch.delitem(sys.modules, "mine.helper")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(write(tmp_path, {"helper.py": FIRST, "mine.py": PYTHON}))

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Own, "__init__", lambda *_: refuse(path))
    with pytest.raises(StrategyError, match=r"helper\.py: cannot be read: Permission denied"):
        find_own_imports(path)


REMEMBERS = """
import numpy as np

class Mine:
    def choose_turn(self, batch):
        batch.memory[:, 3] += 1
        first = batch.legal[:, :27].argmax(axis=1)
        last = 26 - batch.legal[:, 26::-1].argmax(axis=1)
        return np.where(batch.memory[:, 3] > LIMIT, first, last)
"""


def test_batches_remember_within_a_deal(tmp_path: Path) -> None:
    """After so many turns other tiles go; never and always are limits that differ from it."""
    texts = {limit: REMEMBERS.replace("LIMIT", limit) for limit in ("0", "5", "1000")}
    played = [play(write(tmp_path / limit, {"mine.py": text})) for limit, text in texts.items()]
    assert not np.array_equal(played[1], played[0])
    assert not np.array_equal(played[1], played[2])
