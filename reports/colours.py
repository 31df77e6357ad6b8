"""Colours of figures: one set for files, and one of stand-ins that a page replaces by its own light and dark ones.

The series are those of Okabe and Ito ("Color universal design", 2008), told apart by all kinds of colour vision; a
figure never relies on them alone but gives each series a hatch or a marker too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Palette:
    """Colours to draw with."""

    text: str
    """Lettering and axes."""
    soft: str
    """Grid lines and what stands back."""
    ground: str
    """What is behind everything."""
    good: str
    """More."""
    bad: str
    """Less."""
    series: tuple[str, ...]
    """Series, in order."""

    def of(self, place: int) -> str:
        """Give the colour of a series, round and round."""
        return self.series[place % len(self.series)]


LIGHT: Final = Palette(
    text="#1b1b1a",
    soft="#a9a9a0",
    ground="#ffffff",
    good="#00674b",
    bad="#a63c00",
    series=("#0072b2", "#d55e00", "#009e73", "#b0588c", "#8a6d00", "#4b4b4b"),
)
STAND_INS: Final = Palette(
    text="#010101",
    soft="#020202",
    ground="#030303",
    good="#040404",
    bad="#050505",
    series=("#060606", "#070707", "#080808", "#090909", "#0a0a0a", "#0b0b0b"),
)
_VARIABLES: Final = {
    STAND_INS.text: "var(--text)",
    STAND_INS.soft: "var(--line)",
    STAND_INS.ground: "var(--ground)",
    STAND_INS.good: "var(--good)",
    STAND_INS.bad: "var(--bad)",
    **{colour: f"var(--series-{place + 1})" for place, colour in enumerate(STAND_INS.series)},
}
HATCHES: Final = ("", "////", "\\\\\\\\", "xxx", "---", "|||", "+++", "//", "\\\\", "xx")
"""The second channel of areas: lines only, for a page grows by 100 kB with each hatch of dots."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P")
"""The second channel of points."""


def with_variables(svg: str) -> str:
    """Replace the stand-ins of a drawing by the variables of a page's style.

    Parameters
    ----------
    svg
        A drawing made with `STAND_INS`.
    """
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    return svg
