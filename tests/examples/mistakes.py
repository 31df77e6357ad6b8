"""`docs/strategy-mistakes.md`, made from what the program says: `python -m tests.examples.mistakes`, from the root."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "strategy-mistakes.md"
DEAL = "deal --preset mahjongo --wall-seed 3 --strategies"

INTRODUCTION = """\
# Typical mistakes, and what the program says

<!-- Made by `python -m tests.examples.mistakes`; change that file, not this one. A test holds it. -->

Each of these files is wrong in one way. Paths of messages are cut here to the file's name. All of them end with exit
code 3; `docs/strategies.md` tells what a strategy has to be.
"""


@dataclass(frozen=True)
class Case:
    """One mistake."""

    title: str
    why: str
    file: str
    text: str
    commands: tuple[str, ...]
    ends_program: bool = False


CASES = (
    Case(
        "A wrong signature",
        "Names and order of the arguments are fixed, since the engine passes them by place.",
        "signature.py",
        "def choose_turn(hand, table, lookup):\n    return hand.drawn\n",
        (f"{DEAL} signature.py",),
    ),
    Case(
        "A wrong type returned",
        "An action is an integer. Of compiled code this is seen when the file is loaded, of Python when it happens.",
        "half.py",
        "def choose_turn(hand, table, rules, lookup):\n    return hand.counts.sum() / 2\n",
        (f"{DEAL} half.py",),
    ),
    Case(
        "An illegal action",
        "The message says what was legal, and which deal it was; a run says how to replay it.",
        "bold.py",
        "class Bold:\n    def choose_turn(self, view):\n        return 64  # to win, whether that is possible or not\n",
        (f"{DEAL} bold.py",),
    ),
    Case(
        "An exception",
        "",
        "last.py",
        "class Last:\n    def choose_turn(self, view):\n        return view.legal_discards[13]\n",
        (f"{DEAL} last.py",),
    ),
    Case(
        "An endless loop",
        "After `--answer-limit` seconds the program ends. A run keeps what it has finished, and a note in `failed/`.",
        "endless.py",
        "def choose_turn(hand, table, rules, lookup):\n    kind = 0\n    while hand.counts[kind] < 5:\n"
        "        kind = (kind + 1) % 27\n    return kind\n",
        (f"{DEAL} endless.py --answer-limit 1",),
        ends_program=True,
    ),
    Case(
        "A changed global",
        "One deal would hang on another. What lasts within a deal goes into `self`, `hand.memory` or `batch.memory`.",
        "diary.py",
        "SEEN = []\n\n\nclass Diary:\n    def choose_turn(self, view):\n        SEEN.append(view.drawn)\n"
        "        return view.legal_discards[-1]\n",
        (f"{DEAL} diary.py",),
    ),
    Case(
        "Chance from elsewhere",
        "No deal could be played again.",
        "dice.py",
        "import random\n\n\nclass Dice:\n    def choose_turn(self, view):\n"
        "        return random.choice(view.legal_discards)\n",
        (f"{DEAL} dice.py",),
    ),
    Case(
        "A parameter that is out of bounds, or that there is not",
        "",
        "careful.py",
        'PARAMETERS = {"danger": (0.4, 0.0, 5.0, "how much danger matters")}\n\n\n'
        "def choose_turn(hand, table, rules, lookup):\n    return hand.drawn\n",
        (f"{DEAL} 'careful.py{{danger=7}}'", f"{DEAL} 'careful.py{{dangr=1}}'"),
    ),
    Case(
        "A file or a class that is not there",
        "",
        "careful.py",
        "class Careful:\n    def choose_turn(self, view):\n        return view.legal_discards[0]\n",
        (f"{DEAL} carefull.py", f"{DEAL} careful.py:Carefull"),
    ),
    Case(
        "A batch of the wrong shape",
        "One action for each row.",
        "scores.py",
        "class Scores:\n    def choose_turn(self, batch):\n        return batch.legal[:, :27] * 1\n",
        (f"{DEAL} scores.py",),
    ),
    Case(
        "A state that is carried from deal to deal",
        "What no look at globals finds, the contract finds: it plays the same deals in another order, and alone.",
        "counter.py",
        "import itertools\n\nNUMBERS = itertools.count()\n\n\nclass Counter:\n    def choose_turn(self, view):\n"
        "        legal = view.legal_discards\n        return legal[next(NUMBERS) % len(legal)]\n",
        ("strategies test counter.py --walls 4",),
    ),
    Case(
        "A look at hidden tiles",
        "The contract deals the hidden tiles anew and asks again.",
        "peeker.py",
        "from sim.engine.hands.hand import Hand\nfrom sim.jit import ints_at\n\n\nclass Peeker:\n"
        "    def choose_turn(self, view):\n        if view.seat == 3:\n            return view.legal_discards[0]\n"
        "        others = ints_at(view._addresses[0] + Hand.dtype.itemsize, Hand)[1:28]\n"
        "        return max(view.legal_discards, key=lambda kind: others[kind])\n",
        ("strategies test peeker.py --walls 4",),
    ),
)


def say(case: Case, folder: Path) -> list[str]:
    """Run a case's commands in a folder; return what they print that matters, a text for each."""
    (folder / case.file).write_text(f"# {case.file}\n{case.text}", encoding="utf-8")
    said = []
    for command in case.commands:
        arguments = shlex.split(command)
        if case.ends_program:
            program = [sys.executable, "-c", "from sim.cli import main; main()", *arguments]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(
                program, capture_output=True, text=True, check=False, cwd=folder, env=environment, encoding="utf-8"
            )
            out, err, code = done.stdout, done.stderr, done.returncode
        else:
            out, err, code = _call(arguments, folder)
        assert code == 3, err
        lines = [line for line in out.splitlines() if line.startswith(("FAIL", "      replay: "))]
        text = "\n".join([*lines, *err.strip().splitlines()])
        said.append(text.replace(f"{folder.resolve()}{os.sep}", "").replace(f"{folder}{os.sep}", "").strip())
    return said


def _call(arguments: list[str], folder: Path) -> tuple[str, str, int]:
    """Run a command in this process."""
    from sim.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as left:
            return out.getvalue(), err.getvalue(), int(left.code or 0)
    return out.getvalue(), err.getvalue(), 0


def show(number: int, case: Case, said: list[str]) -> str:
    """Write a case as a section of the page."""
    parts = [f"## {number}. {case.title}", ""]
    parts += [case.why, ""] if case.why else []
    parts += ["```python", f"# {case.file}", case.text.rstrip("\n"), "```", "", "```"]
    for command, text in zip(case.commands, said, strict=True):
        parts += [f"$ bloodbattle {command}", text]
    return "\n".join([*parts, "```", ""])


def page() -> str:
    """Write the whole page."""
    sections = []
    for number, case in enumerate(CASES, start=1):
        with tempfile.TemporaryDirectory() as name:
            sections.append(show(number, case, say(case, Path(name))))
    return "\n".join([INTRODUCTION, *sections])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
