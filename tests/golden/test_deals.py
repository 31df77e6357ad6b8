"""Golden deals, in both engines."""

from __future__ import annotations

import pytest

from tests.golden.cases import Case, deal_cases
from tests.golden.engines import ENGINES
from tests.golden.play import check_deal

CASES = [(case, preset) for case in deal_cases() for preset in case.presets]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("case", "preset"), CASES, ids=[f"{case.name} ({preset})" for case, preset in CASES])
def test_golden_deal(case: Case, preset: str, engine: str) -> None:
    check_deal(case, preset, engine)
