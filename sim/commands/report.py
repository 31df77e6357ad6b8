"""`bloodbattle report`: a run as one page, or as files beside each other; and `--report` of the commands that play."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.model import Report
    from sim.api import Result
    from sim.ladder.results import Ladder

_OPTION = "--report"
_OTHER_FORMS = (".pdf", ".md", ".txt", ".svg", ".png", ".tex", ".json")


def _check_page(asked: str | None) -> str | None:
    """Refuse a page that cannot be written before anything is played."""
    from reports.page import refuse_page

    if asked:
        refuse_page(Path(asked), _OPTION)
    return asked


ReportOption = Annotated[
    str | None,
    typer.Option(
        _OPTION,
        metavar="[PAGE.html]",
        help="Write the report too: in the run folder, or here if it is not kept.",
        callback=_check_page,
    ),
]


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
    """Write the report of a run or of a ladder."""
    from reports.files import refuse_folder
    from reports.page import refuse_missing, refuse_page

    target = out or run / ("report.html" if form is ReportFormat.html else "report")
    if run.is_dir():  # what it lacks otherwise is said first
        refuse_missing(target, "--out: ")
        refuse_page(target, "--out") if form is ReportFormat.html else refuse_folder(target)
    made = make_report(run)
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
        Of a run, an experiment or a ladder.

    Raises
    ------
    ResultsError
        There is no run, it is damaged, or nothing was played.
    """
    from sim.api import open_run
    from sim.ladder.store import is_ladder

    if is_ladder(folder):
        from sim.ladder.run import open_ladder

        return make_ladder_report(open_ladder(folder))
    return report_result(open_run(folder))


def report_result(result: Result) -> Report:
    """Make the report of a run: the page of the command that played it, whichever command asks.

    Parameters
    ----------
    result
        The run, finished or not.
    """
    from reports.runs import report_run
    from sim.commands import compare_presets, profile

    if result.numbers.cells:
        name = profile.profiled(result.plan)
        if name is not None:
            return profile.report_again(result, name)
        if compare_presets.is_comparison(result):
            return compare_presets.report_again(result)
    return report_run(result)


def make_ladder_report(ladder: Ladder) -> Report:
    """Make the report of a ladder.

    Parameters
    ----------
    ladder
        The ladder.
    """
    from reports.ladders import report_ladder
    from sim.commands.ladder_summary import make_ladder_reports

    return report_ladder(ladder, {printed.data["cell"]: printed.grids for printed in make_ladder_reports(ladder)})


def write_report(made: Report, target: Path, form: ReportFormat = ReportFormat.html) -> list[Path]:
    """Write a report, and the pages it links to.

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
    from reports.page import refuse_page, write_page

    pages = {target.parent / name: page for name, page in made.pages.items()}
    for path in (target, *pages):
        refuse_page(path)
    write_page(target, show_report(made))
    for path, page in pages.items():
        write_page(path, page)
    return [target]


def report_too(asked: str | None, result: Result, out: Path | None, made: Report | None = None) -> None:
    """Write the report of a run that a command has just played, if that was asked for, and say on stderr where it is.

    Parameters
    ----------
    asked
        What ``--report`` says: nothing for no report, an empty text for the usual place, or a page.
    result
        The run.
    out
        The folder it is kept in; None if it is thrown away: the page stands in the current folder then.
    made
        The report, if it is more than that of the run.
    """
    if asked is None:
        return
    made = made or report_result(result)
    if out is None:  # there is no folder to report on again, only this command
        made.commands = [shlex.join(["bloodbattle", *sys.argv[1:]])]
    _write_too(made, asked, Path(f"{result.plan.name}.html") if out is None else out / "report.html")


def report_ladder_too(asked: str | None, ladder: Ladder) -> None:
    """Write the report of a ladder that has just been played, if that was asked for.

    Parameters
    ----------
    asked
        As in `report_too`.
    ladder
        The ladder.
    """
    if asked is not None:
        _write_too(make_ladder_report(ladder), asked, ladder.path / "report.html")


def write_too(made: Report, asked: str, usual: str, checks: Mapping[str, str]) -> None:
    """Write the report of what is kept nowhere, with the command that was typed to get it again.

    Parameters
    ----------
    made
        The report.
    asked
        As in `report_too`, but it was asked for.
    usual
        Name of the page in the current folder, unless another one was asked for.
    checks
        Seeds, versions and checksums that the numbers follow from.
    """
    made.checks = list(checks.items())
    made.commands = [shlex.join(["bloodbattle", *sys.argv[1:]])]
    _write_too(made, asked, Path(usual))


def _write_too(made: Report, asked: str, usual: Path) -> None:
    """Write a report where it was asked for or where it usually is, and say where."""
    for path in write_report(made, Path(asked) if asked else usual):
        typer.echo(f"report: {path}", err=True)


def page_of(asked: str | None, label: str, count: int) -> str | None:
    """Give each of several runs a page of its own, where one command plays several.

    Parameters
    ----------
    asked
        What ``--report`` says.
    label
        What this run is called among them.
    count
        How many there are.
    """
    if not asked or count == 1:
        return asked
    page = Path(asked)
    return str(page.with_name(f"{page.stem}-{label}{page.suffix or '.html'}"))


def fill_in_report(arguments: Sequence[str]) -> list[str]:
    """Let ``--report`` stand alone: give it an empty value unless a page is named after it, or what is meant as one.

    Parameters
    ----------
    arguments
        The command line without the program's name.

    Examples
    --------
    >>> fill_in_report(["run", "--report", "caps.toml"])
    ['run', '--report=', 'caps.toml']
    """
    found = []
    for place, word in enumerate(arguments):
        following = arguments[place + 1] if place + 1 < len(arguments) else ""
        found.append(f"{_OPTION}=" if word == _OPTION and not _is_meant_as_page(following) else word)
    return found


def _is_meant_as_page(word: str) -> bool:
    """Tell whether the word after ``--report`` says where to: a page, a folder that is no run, a device."""
    from reports.page import SUFFIXES
    from sim.tournament.folder import PLAN

    path = Path(word)
    if not word or word.startswith("-"):
        return False
    is_elsewhere = path.exists() and not path.is_file() and not (path / PLAN).exists()
    return path.suffix in (*SUFFIXES, *_OTHER_FORMS) or is_elsewhere
