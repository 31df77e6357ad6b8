"""A summary written out: text for a terminal, Markdown, CSV, JSON. Equal summaries give equal bytes."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from typing import TYPE_CHECKING, Final

from sim.statistics.tables import make_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sim.statistics.summary import Summary
    from sim.statistics.tables import Grid, Section

WIDTH: Final = 100
"""Columns of a terminal that every text fits."""


def show_text(summary: Summary) -> str:
    """Write a summary for a terminal, at most `WIDTH` columns wide.

    Parameters
    ----------
    summary
        The summary.
    """
    lines = [*_title(summary), ""]
    for section in make_sections(summary):
        rule = f"── {section.preset} "
        lines += [rule + "─" * (WIDTH - len(rule))]
        lines += textwrap.wrap(" · ".join(section.knobs), WIDTH, break_on_hyphens=False)
        if section.notes:
            lines += textwrap.wrap("; ".join(section.notes), WIDTH, break_on_hyphens=False)
        for grid in section.grids:
            lines += ["", *text_grid(grid)]
        lines.append("")
    lines += _legend()
    return "\n".join(lines) + "\n"


def _title(summary: Summary) -> list[str]:
    """Say which run this is."""
    plan = summary.plan
    facts = f"{summary.deals:,} deals in {len(plan.cells)} cells · seed {plan.seed} · wall mode {plan.wall_mode}"
    lines = [f"{plan.name}: {facts} · plan {plan.hash[:8]}"]
    if plan.data["title"]:
        lines += textwrap.wrap(plan.data["title"], WIDTH)
    if summary.reason is None:
        share = summary.deals / plan.deals if plan.deals else 0.0
        lines.append(f"UNFINISHED: {summary.deals:,} of at most {plan.deals:,} deals played ({100 * share:.0f}%)")
    else:
        lines += textwrap.wrap(f"stopped: {summary.reason}", WIDTH)
    return lines


def _legend() -> list[str]:
    """Explain the tables."""
    text = (
        "± is half of a 95 % interval; its unit is the block, one wall with all seatings of the line-up. Self-draw:"
        " share of wins; ready: share of those left when the wall runs out; pig: share of all deals. Paid s-d:"
        " self-draws of others. Dealer edge: points per deal in seat 0. Columns and metrics: docs/results.md."
    )
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)


def text_grid(grid: Grid) -> list[str]:
    """Write a table for a terminal, with columns as wide as they need.

    Parameters
    ----------
    grid
        The table.

    Returns
    -------
    list of str
        Its lines, the title first.
    """
    full = [row for row in (grid.head, *grid.rows) if len(row) > 1]
    widths = [max(len(row[column]) for row in full) for column in range(len(grid.head))]
    room = WIDTH - sum(widths[1:])
    gap = "  " if sum(widths) + 2 * len(widths[1:]) <= WIDTH else " "
    widths[0] = min(widths[0], max(room - len(gap) * len(widths[1:]), 8))
    lines = [grid.title]
    for row in (grid.head, *grid.rows):
        cells = [_cut(row[0], widths[0] if len(row) > 1 else WIDTH).ljust(widths[0])]
        cells += [
            text.ljust(width) if place in grid.left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row[1:], widths[1:], strict=len(row) > 1), start=1)
        ]
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
    first, *rest = _title(summary)
    lines = [f"# {summary.plan.name}", "", first.partition(": ")[2] + "  "]
    lines += [f"{line}  " for line in rest]
    lines += ["", " ".join(_legend()), ""]
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
