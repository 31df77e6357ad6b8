"""The contract: honest strategies keep it, and each way of breaking it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.jit import INTERPRETED
from strategies.contract import Contract
from strategies.registry import load_strategy
from tests.property import heard

pytestmark = pytest.mark.skipif(INTERPRETED, reason="hundreds of deals")

LEGAL, AGAIN, CARRIED, FAIR, BLIND, TIME = (
    "legal under every preset",
    "the same when played again",
    "nothing carried between deals",
    "fair: hidden tiles do not matter",
    "rule-blind, as it says",
    "within its time",
)
CHEATS = {
    "illegal": "class Cheat:\n    def choose_claim(self, view):\n        return 66\n",
    "peeks": (
        "from sim.engine.hands.hand import Hand\n"
        "from sim.jit import ints_at\n"
        "class Cheat:\n"
        "    def choose_turn(self, view):\n"
        "        if view.seat == 3:\n"
        "            return view.legal_discards[0]\n"
        "        other = ints_at(view._addresses[0] + Hand.dtype.itemsize, Hand)[1:28]\n"
        "        return max(view.legal_discards, key=lambda kind: int(other[kind]))\n"
    ),
    "diary": (
        "import itertools\n"
        "NUMBERS = itertools.count()\n"
        "class Cheat:\n"
        "    def choose_turn(self, view):\n"
        "        legal = view.legal_discards\n"
        "        return legal[next(NUMBERS) % len(legal)]\n"
    ),
}


def faults_of(reference: str, walls: int = 6) -> dict[str, tuple[str | None, str]]:
    contract = Contract(load_strategy(reference), reference, walls=walls)
    return {finding.test: (finding.fault, finding.replay) for finding in contract.run()}


@pytest.mark.parametrize("name", ["random", "ukeire"])
def test_shipped_strategies_keep_it(name: str) -> None:
    faults = faults_of(name)
    assert faults == dict.fromkeys((LEGAL, AGAIN, CARRIED, FAIR, BLIND, TIME), (None, ""))


@pytest.mark.parametrize(
    ("cheat", "test", "said"),
    [
        ("illegal", LEGAL, "chose action 66 in a"),
        ("peeks", FAIR, "with others hidden"),
        ("diary", AGAIN, "the same deals played again give another result"),
        ("diary", CARRIED, "a deal gives another result after other deals"),
    ],
)
def test_breaking_it_is_found(tmp_path: Path, cheat: str, test: str, said: str) -> None:
    path = tmp_path / f"{cheat}.py"
    path.write_text(CHEATS[cheat])
    fault, replay = faults_of(str(path))[test]
    assert fault is not None
    assert said in fault
    assert replay.startswith("bloodbattle deal --preset ")
    assert str(path) in replay


SLOW = """
from tests.property import heard

class Slow:
    def choose_turn(self, view):
        heard.PASSED[0] += 5.0 if view.seat == 2 and 36 <= view.tiles_left <= 39 else 0.001
        return 64 if view.legal_win else view.legal_discards[0]
"""


@pytest.mark.parametrize(("limit", "is_refused"), [(1.0, True), (5.5, False), (0.0, False)])
def test_answers_that_take_too_long_are_found(tmp_path: Path, limit: float, *, is_refused: bool) -> None:
    """Time is what the strategy says has passed, so the test hangs on no clock."""
    path = tmp_path / "slow.py"
    path.write_text(SLOW)
    heard.PASSED[0] = 0.0
    contract = Contract(
        load_strategy(str(path)), str(path), walls=4, answer_limit=limit, clock=lambda: float(heard.PASSED[0])
    )
    finding = contract.test_time(TIME)
    if is_refused:
        assert finding.fault is not None
        assert finding.fault.startswith("seat 2 took 5 s to answer in a turn decision; allowed: 1 s (--answer-limit)")
        assert finding.replay.startswith("bloodbattle deal --preset ")
        assert str(path) in finding.replay
    else:
        assert finding.fault is None
        assert "longest 5 s of " in finding.facts
