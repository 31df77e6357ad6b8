"""A report as one self-contained page."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from reports.drawing import draw_svg
from reports.model import Choice, Figure, Table
from reports.page import render

if TYPE_CHECKING:
    from reports.model import Block, Report


MOST_UPRIGHT: Final = 9
"""Columns of a table that is printed on an upright sheet."""


def show_report(report: Report) -> str:
    """Write a report as a page.

    Parameters
    ----------
    report
        The report.

    Returns
    -------
    str
        A whole HTML page that needs nothing from elsewhere; the same for the same report.
    """
    return render(
        "report.html",
        title=report.title,
        version=version("bloodbattle"),
        report=report,
        sections=[
            {
                "key": section.key,
                "title": section.title,
                "blocks": [_block(block) for block in section.blocks],
                "is_wide": all(isinstance(block, Table) and _is_wide(block) for block in section.blocks[:1]),
            }
            for section in report.sections
        ],
    )


def _is_wide(table: Table) -> bool:
    """Tell whether a table needs a sheet of paper turned on its side."""
    return len(table.columns) > MOST_UPRIGHT


def _block(block: Block) -> dict[str, Any]:
    """Give a block as its template takes it."""
    if isinstance(block, str):
        return {"kind": "text", "text": block}
    if isinstance(block, Table):
        return {"kind": "table", "table": block, "is_wide": _is_wide(block)}
    if isinstance(block, Choice):
        options = [{"name": name, **_figure(figure)} for name, figure in block.options]
        return {"kind": "choice", "choice": block, "options": options}
    return {"kind": "figure", **_figure(block)}


def _figure(figure: Figure) -> dict[str, Any]:
    """Draw a figure, for a page and for a telephone; the style shows one of the two."""
    wide, narrow = draw_svg(figure), draw_svg(figure, is_narrow=True)
    return {"figure": figure, "wide": Markup(wide), "narrow": Markup(narrow)}  # noqa: S704 - matplotlib escapes texts
