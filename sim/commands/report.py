"""`bloodbattle report`: a run as one page, or as Markdown with figures and tables beside it."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from reports.model import Report


class ReportFormat(StrEnum):
    """How a report can be written."""

    html = "html"
    files = "files"


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder, finished or not.")],
    out: Annotated[
        Path | None, typer.Option(help="Page, or folder of files; report.html or report in the run folder when absent.")
    ] = None,
    form: Annotated[
        ReportFormat,
        typer.Option("--format", help="One page, or Markdown with figures (SVG, PNG) and tables (CSV, LaTeX)."),
    ] = ReportFormat.html,
) -> None:
    """Write the report of a run."""
    made = make_report(run)
    target = out or run / ("report.html" if form is ReportFormat.html else "report")
    for path in write_report(made, target, form):
        typer.echo(path)


def make_report(folder: Path) -> Report:
    """Make the report of whatever a folder holds.

    Parameters
    ----------
    folder
        A run folder.

    Returns
    -------
    Report
        Of a run or an experiment.

    Raises
    ------
    ResultsError
        There is no run, it is damaged, or nothing was played.
    """
    from reports.runs import report_run
    from sim.api import open_run

    return report_run(open_run(folder))


def write_report(made: Report, target: Path, form: ReportFormat) -> list[Path]:
    """Write a report.

    Parameters
    ----------
    made
        The report.
    target
        The page, or the folder of files.
    form
        Which of the two.

    Returns
    -------
    list of Path
        What to open: the page, or the Markdown file.
    """
    if form is ReportFormat.files:
        from reports.files import write_files

        return write_files(made, target)[:1]
    from reports.html import show_report
    from reports.page import write_page

    write_page(target, show_report(made))
    return [target]
