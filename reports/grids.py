"""Tables that commands print, as tables of reports: the same texts, with the numbers in them beside for sorting."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reports.model import Column, Entry, Table
from sim.statistics.tables import MINUS, NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.statistics.tables import Grid

_NUMBER: Final = re.compile(
    rf"([+{MINUS}-]?)(\d[\d,]*\.?\d*)(%?)(?: ± (\d[\d,]*\.?\d*))?(?: ([a-z]+)| \((?:to|from) \d[\d.]*\))?"
)
_PERCENT: Final = re.compile(r"(?<=\d)%")
_SPACED: Final = "\N{NARROW NO-BREAK SPACE}%"
_SPAN: Final = re.compile(r"(below |over )?(\d[\d,]*)(?: to \d[\d,]*| and more)?(?: [a-z]+)?")
"""A span of numbers, a rank, a limit: sorted by where it begins."""


def table_of(grid: Grid, key: str, note: str = "", units: Mapping[str, str] | None = None) -> Table:
    """Make a printed table one of a report.

    Parameters
    ----------
    grid
        The table; rows with a single text are headings, and stand before the names of the rows below them.
    key
        Its name in files.
    note
        What to know to read it.
    units
        Units of columns, by their heads, where the texts do not say them.
    """
    heading = ""
    rows = []
    for row in grid.rows:
        if len(row) == 1 < len(grid.head):
            heading = f"{row[0]}: "
            continue
        is_below = row[0].startswith(" ")
        name = row[0].strip()
        rows.append((_name_of(f"{heading}{name}" if is_below else name), *map(entry_of, row[1:])))
    found = [_unit_of([row[place] for row in grid.rows if len(row) > place > 0]) for place in range(len(grid.head))]
    columns = tuple(
        Column(
            name or "what",
            (units or {}).get(name) or found[place],
            is_number=place not in grid.left and _is_number([row[place] for row in rows]),
        )
        for place, name in enumerate(grid.head)
    )
    return Table(
        key,
        grid.title,
        columns,
        tuple(tuple(_without(entry, unit) for entry, unit in zip(row, found, strict=True)) for row in rows),
        note,
    )


def _is_number(entries: Sequence[Entry]) -> bool:
    """Tell whether a column is one of numbers: all that is in it are, or spans of them, or not there."""
    return any(e.value is not None for e in entries) or all(e.text == NOTHING or e.order is not None for e in entries)


def _name_of(text: str) -> Entry:
    """Make the name of a row an entry; a span of numbers is sorted by where it begins."""
    return Entry(text, order=_order_of(text))


def _order_of(text: str) -> float | None:
    """Find where a span of numbers begins, if a text is one."""
    found = _SPAN.fullmatch(text)
    if found is None:
        return None
    limit, first = found.groups()
    return float(first.replace(",", "")) + {"below ": -0.5, "over ": 0.5}.get(limit or "", 0.0)


def _unit_of(texts: Sequence[str]) -> str:
    """Find the unit that all numbers of a column have behind them; nothing if there are several, or none."""
    units = {found[5] for text in texts if (found := _NUMBER.fullmatch(text)) is not None}
    return units.pop() or "" if len(units) == 1 else ""


def _without(entry: Entry, unit: str) -> Entry:
    """Leave the unit out that stands over a column."""
    return replace(entry, text=entry.text.removesuffix(f" {unit}")) if unit and entry.value is not None else entry


def entry_of(text: str) -> Entry:
    """Make a printed text an entry: a number, perhaps with half of its interval, or a text.

    Parameters
    ----------
    text
        The text, such as ``+0.125 ± 0.031`` or ``12.5% ± 0.4``.

    Examples
    --------
    >>> entry_of("+1.5 ± 0.25")
    Entry(text='+1.5 ± 0.25', value=1.5, half_width=0.25, order=None, link=None, is_marked=False)
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        return Entry(_PERCENT.sub(_SPACED, text) or NOTHING, order=_order_of(text))
    sign, digits, percent, width, _ = found.groups()
    factor = 0.01 if percent else 1.0
    value = float(digits.replace(",", "")) * factor * (-1.0 if sign in (MINUS, "-") else 1.0)
    shown = _PERCENT.sub(_SPACED, text)
    return Entry(shown, value, None if width is None else float(width.replace(",", "")) * factor)


def sentences_of(notes: Sequence[str]) -> tuple[str, ...]:
    """Begin printed notes as sentences begin, and end them so.

    Parameters
    ----------
    notes
        The notes.
    """
    return tuple(f"{note[:1].upper()}{note[1:].rstrip('.')}." for note in notes)
