"""Tables that commands print, as tables of reports: the same texts, with the numbers in them beside for sorting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reports.model import Column, Entry, Table
from sim.statistics.tables import MINUS, NOTHING

if TYPE_CHECKING:
    from sim.statistics.tables import Grid

_NUMBER: Final = re.compile(rf"([+{MINUS}-]?)(\d[\d,]*\.?\d*)(%?)(?: ± (\d[\d,]*\.?\d*))?")


def table_of(grid: Grid, key: str, note: str = "") -> Table:
    """Make a printed table one of a report.

    Parameters
    ----------
    grid
        The table; rows with a single text are headings, and stand before the names of the rows below them.
    key
        Its name in files.
    note
        What to know to read it.
    """
    heading = ""
    rows = []
    for row in grid.rows:
        if len(row) == 1 < len(grid.head):
            heading = f"{row[0]}: "
            continue
        is_below = row[0].startswith(" ")
        name = row[0].strip()
        rows.append((Entry(f"{heading}{name}" if is_below else name), *map(entry_of, row[1:])))
    columns = tuple(
        Column(name, is_number=place not in grid.left and any(row[place].value is not None for row in rows))
        for place, name in enumerate(grid.head)
    )
    return Table(key, grid.title, columns, tuple(rows), note)


def entry_of(text: str) -> Entry:
    """Make a printed text an entry: a number, perhaps with half of its interval, or a text.

    Parameters
    ----------
    text
        The text, such as ``+0.125 ± 0.031`` or ``12.5% ± 0.4``.

    Examples
    --------
    >>> entry_of("+1.5 ± 0.25")
    Entry(text='+1.5 ± 0.25', value=1.5, half_width=0.25, link=None, is_marked=False)
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        return Entry(text or NOTHING)
    sign, digits, percent, width = found.groups()
    factor = 0.01 if percent else 1.0
    value = float(digits.replace(",", "")) * factor * (-1.0 if sign in (MINUS, "-") else 1.0)
    shown = text.replace("%", "\N{NARROW NO-BREAK SPACE}%")
    return Entry(shown, value, None if width is None else float(width.replace(",", "")) * factor)
