"""Says at the end of a run how much was compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many deals, presets and decisions the two engines were compared on."""
    from tests.differential.compare import COMPARED, PRESETS_COMPARED

    if COMPARED["deals"]:
        terminalreporter.write_line(
            f"two engines compared: {COMPARED['deals']:,} deals of {len(PRESETS_COMPARED):,} presets, "
            f"{COMPARED['decisions']:,} decisions, {COMPARED['events']:,} events"
        )
