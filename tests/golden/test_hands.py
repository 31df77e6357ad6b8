"""Golden hands, in both engines; interpreted, once in the fast one."""

from __future__ import annotations

import pytest

from sim.jit import INTERPRETED
from tests.golden.cases import Case, hand_cases
from tests.golden.engines import ENGINES
from tests.golden.play import check_hand

CASES = [(case, preset) for case in hand_cases() for preset in case.presets[: 1 if INTERPRETED else None]]


@pytest.mark.parametrize("engine", ENGINES[: 1 if INTERPRETED else None])
@pytest.mark.parametrize(("case", "preset"), CASES, ids=[f"{case.name} ({preset})" for case, preset in CASES])
def test_golden_hand(case: Case, preset: str, engine: str) -> None:
    check_hand(case, preset, engine)
