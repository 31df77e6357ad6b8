"""A summary written out: text for a terminal, Markdown, CSV, JSON. Equal summaries give equal bytes."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Final

from sim.rules.words import count_of
from sim.statistics.tables import make_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sim.statistics.summary import Summary
    from sim.statistics.tables import Grid, Section

UNSEEN_WIDTH: Final = 100
"""Columns where nobody watches, so that a file does not hang on who wrote it."""
LEAST_WIDTH: Final = 60
"""Columns that are used even if the terminal has fewer."""


def text_width() -> int:
    """Return how many columns a text may have: those of the terminal, or of the variable COLUMNS there."""
    if not sys.stdout.isatty():
        return UNSEEN_WIDTH
    return max(LEAST_WIDTH, shutil.get_terminal_size((UNSEEN_WIDTH, 24)).columns)


def show_text(summary: Summary) -> str:
    """Write a summary for a terminal, as wide as that (`text_width`).

    Parameters
    ----------
    summary
        The summary.
    """
    width = text_width()
    lines = [part for line in _title(summary, width) for part in textwrap.wrap(line, width)] + [""]
    for section in make_sections(summary):
        rule = f"── {section.preset} "
        lines += [rule + "─" * (width - len(rule))]
        lines += textwrap.wrap(" · ".join(section.knobs), width, break_on_hyphens=False)
        if section.notes:
            lines += textwrap.wrap("; ".join(section.notes), width, break_on_hyphens=False)
        for grid in section.grids:
            lines += ["", *text_grid(grid, width)]
        lines.append("")
    lines += _legend(width)
    return "\n".join(lines) + "\n"


def _title(summary: Summary, width: int) -> list[str]:
    """Say which run this is."""
    plan = summary.plan
    cells = count_of(len(plan.cells), "cell")
    facts = f"{count_of(summary.deals, 'deal')} in {cells} · seed {plan.seed} · wall mode {plan.wall_mode}"
    lines = [f"{plan.name}: {facts} · plan {plan.hash[:8]}"]
    if plan.data["title"]:
        lines += textwrap.wrap(plan.data["title"], width)
    if summary.reason is None:
        share = summary.deals / plan.deals if plan.deals else 0.0
        lines.append(
            f"UNFINISHED: {summary.deals:,} of at most {count_of(plan.deals, 'deal')} played ({100 * share:.0f}%)"
        )
    else:
        lines += textwrap.wrap(f"stopped: {summary.reason}", width)
    return lines


def _legend(width: int) -> list[str]:
    """Explain the tables."""
    text = (
        "± is half of a 95 % interval; its unit is the block, one wall with all seatings of the line-up. Self-draw:"
        " share of wins; ready: share of those left when the wall runs out; pig: share of all deals. Paid s-d:"
        " self-draws of others. Dealer edge: points per deal in seat 0. Columns and metrics: docs/results.md."
    )
    return textwrap.wrap(text, width, break_on_hyphens=False)


def text_grid(grid: Grid, width: int) -> list[str]:
    """Write a table for a terminal, with columns as wide as they need.

    Parameters
    ----------
    grid
        The table.
    width
        Columns of the terminal. A table that is wider is written in parts, each with the first column.

    Returns
    -------
    list of str
        Its lines, the title first.
    """
    full = [row for row in (grid.head, *grid.rows) if len(row) > 1]
    widths = [max(len(row[column]) for row in full) for column in range(len(grid.head))]
    gap = "  " if sum(widths) + 2 * len(widths[1:]) <= width else " "
    first = min(widths[0], max(width - sum(widths[1:]) - len(gap) * len(widths[1:]), min(widths[0], 8)))
    if first + sum(widths[1:]) + len(gap) * len(widths[1:]) <= width:
        return [grid.title, *_text_rows(grid, width, first, widths, range(1, len(widths)), gap)]
    first = min(widths[0], max(8, width // 3))
    lines, gap = [grid.title], "  "
    columns = list(range(1, len(widths)))
    while columns:
        count = 1
        while count < len(columns) and first + sum(widths[c] + len(gap) for c in columns[: count + 1]) <= width:
            count += 1
        lines += [""] * (len(lines) > 1)
        lines += _text_rows(grid, width, first, widths, columns[:count], gap)
        columns = columns[count:]
    return lines


def _text_rows(
    grid: Grid, width: int, first: int, widths: Sequence[int], columns: Sequence[int], gap: str
) -> list[str]:
    """Write some columns of a table, the first one so many letters wide."""
    lines = []
    labels = {row[0] for row in grid.rows if len(row) > 1}
    is_told_apart = len({_cut(label, first) for label in labels}) == len(labels)
    for row in (grid.head, *grid.rows):
        label = _cut(row[0], first if len(row) > 1 else width)
        if len(row) > 1 and not is_told_apart and len(row[0]) > first:  # names that begin alike differ at their ends
            label = "…" + row[0][len(row[0]) - first + 1 :]
        cells = [label.ljust(first)]
        for place in columns if len(row) > 1 else ():
            text = row[place]
            cells.append(text.ljust(widths[place]) if place in grid.left else text.rjust(widths[place]))
        lines.append(gap.join(cells).rstrip())
    return lines


def _cut(text: str, width: int) -> str:
    """Cut a text that is too long."""
    return text if len(text) <= width else text[: width - 1] + "…"


def show_markdown(summary: Summary) -> str:
    """Write a summary as Markdown, with all tables.

    Parameters
    ----------
    summary
        The summary.
    """
    first, *rest = _title(summary, UNSEEN_WIDTH)
    lines = [f"# {summary.plan.name}", "", first.partition(": ")[2] + "  "]
    lines += [f"{line}  " for line in rest]
    lines += ["", " ".join(_legend(UNSEEN_WIDTH)), ""]
    for section in make_sections(summary, full=True):
        lines += [f"## {section.preset}", "", *_markdown_knobs(section), ""]
        for grid in section.grids:
            lines += [f"### {grid.title}", "", *markdown_grid(grid), ""]
    return "\n".join(lines)


def _markdown_knobs(section: Section) -> list[str]:
    """Write which preset is in force."""
    star = "\\*"
    knobs = " · ".join(f"`{knob.rstrip('*')}`{star if knob.endswith('*') else ''}" for knob in section.knobs)
    notes = "; ".join(section.notes).replace("*", star)
    return [knobs, "", f"{notes}."] if notes else [knobs]


def markdown_grid(grid: Grid) -> list[str]:
    """Write a table in Markdown.

    Parameters
    ----------
    grid
        The table.

    Returns
    -------
    list of str
        Its lines, without the title.
    """
    rows = [row + ("",) * (len(grid.head) - len(row)) for row in grid.rows]
    texts = [[cell.strip().replace("|", "\\|") for cell in row] for row in (grid.head, *rows)]
    bold = [[f"**{row[0]}**", *row[1:]] if not any(row[1:]) else row for row in texts[1:]]
    rules = "".join("|---" if place in grid.left else "|---:" for place in range(len(grid.head)))
    lines = [f"| {' | '.join(texts[0])} |", f"{rules}|"]
    return lines + [f"| {' | '.join(row)} |" for row in bold]


def show_csv(summary: Summary) -> str:
    """Write a summary as CSV: one line for each metric of each strategy, seat and cell.

    Parameters
    ----------
    summary
        The summary.
    """
    file = io.StringIO()
    head = ["cell", "preset", "line_up", "who", "name", "metric", "value", "half_width", "unit"]
    writer = csv.DictWriter(file, [*head, "numerator", "denominator", "blocks"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(summary.records())
    return file.getvalue()


def show_json(summary: Summary) -> str:
    """Write a summary as JSON.

    Parameters
    ----------
    summary
        The summary.
    """
    return json.dumps(summary.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


FORMATS: Final[Mapping[str, Callable[[Summary], str]]] = {
    "text": show_text,
    "json": show_json,
    "csv": show_csv,
    "markdown": show_markdown,
}
"""How a summary can be written."""

FILES: Final[Mapping[str, str]] = {"summary.json": "json", "summary.md": "markdown", "summary.csv": "csv"}
"""What a finished run folder holds, by file."""
