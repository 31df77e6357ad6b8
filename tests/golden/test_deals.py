"""Golden deals, in both engines and settled again; interpreted, one in three in the fast one."""

from __future__ import annotations

import pytest

from sim.jit import INTERPRETED
from tests.golden.cases import Case, deal_cases
from tests.golden.engines import DEAL_ENGINES
from tests.golden.play import check_deal

CASES = [(case, preset) for case in deal_cases() for preset in case.presets][:: 3 if INTERPRETED else 1]


@pytest.mark.parametrize("engine", DEAL_ENGINES[: 1 if INTERPRETED else None])
@pytest.mark.parametrize(("case", "preset"), CASES, ids=[f"{case.name} ({preset})" for case, preset in CASES])
def test_golden_deal(case: Case, preset: str, engine: str) -> None:
    check_deal(case, preset, engine)
