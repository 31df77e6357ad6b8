"""The messages for typical mistakes are those of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.jit import INTERPRETED
from tests.examples.mistakes import CASES, INTRODUCTION, PAGE, Case, say, show

pytestmark = pytest.mark.skipif(INTERPRETED, reason="messages of compiled strategies")


def test_the_page_has_these_sections_and_no_others() -> None:
    text = PAGE.read_text("utf-8")
    assert text.startswith(INTRODUCTION)
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert titles == [f"## {number}. {case.title}" for number, case in enumerate(CASES, start=1)]


@pytest.mark.parametrize(("number", "case"), list(enumerate(CASES, start=1)), ids=[case.file for case in CASES])
def test_what_the_page_shows_is_what_is_said(tmp_path: Path, number: int, case: Case) -> None:
    assert show(number, case, say(case, tmp_path)) in PAGE.read_text("utf-8")
