"""A report as files to work with: Markdown, figures as SVG and PNG, each table as CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from reports.drawing import save_figure
from reports.model import Choice, Table
from reports.page import MADE_BY, refuse_foreign, refuse_inside_run, write_bytes, write_page
from sim.errors import ConfigError, ResultsError

if TYPE_CHECKING:
    from pathlib import Path

    from reports.model import Block, Entry, Report

_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#|~$])")
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\n": " ",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\N{MINUS SIGN}": "$-$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{EN DASH}": "--",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
}


def refuse_folder(folder: Path) -> None:
    """Refuse a folder that holds anything but a report of ours.

    Parameters
    ----------
    folder
        Where the files are to be.

    Raises
    ------
    ConfigError
        It is no folder, or other things are in it.
    ResultsError
        It cannot be read.
    """
    refuse_inside_run(folder)
    try:
        if not folder.exists():
            return
        if not folder.is_dir():
            raise ConfigError(f"{folder} is there and is no folder; allowed: a folder that is new, empty or a report's")
        others = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise ResultsError(f"{folder}: cannot be written: {error.strerror}") from None
    if others and "report.md" not in others:
        raise ConfigError(
            f"{folder} holds other things ({others[0]}); allowed: a folder that is new, empty or a report's, such as"
            f" {folder / 'report'}"
        )
    refuse_foreign(folder / "report.md")


def write_files(report: Report, folder: Path) -> list[Path]:
    """Write a report as Markdown with its figures and tables beside it.

    Parameters
    ----------
    report
        The report.
    folder
        Where to; made if it is not there.

    Returns
    -------
    list of Path
        What was written: ``report.md``, the files that play it anew, the pages it links to, ``figures/KEY.svg`` and
        ``.png``, ``tables/KEY.csv`` and ``.tex``.

    Raises
    ------
    ConfigError
        The folder holds something else.
    ResultsError
        Something cannot be written.
    """
    refuse_folder(folder)
    texts = {
        folder / "report.md": show_markdown(report),
        **{folder / name: text for name, text in (report.files | report.pages).items()},
    }
    for table in report.tables():
        texts[folder / "tables" / f"{table.key}.csv"] = show_csv(table)
        texts[folder / "tables" / f"{table.key}.tex"] = show_latex(table)
    for path, text in texts.items():
        write_page(path, text)
    written = list(texts)
    for figure in report.figures():
        for form in ("svg", "png"):
            path = folder / "figures" / f"{figure.key}.{form}"
            write_bytes(path, save_figure(figure, form))
            written.append(path)
    return written


def show_markdown(report: Report) -> str:
    """Write a report as Markdown; its figures are files beside it.

    Parameters
    ----------
    report
        The report.
    """
    lines = [f"# {_plain(report.title)}", ""]
    for heading, texts in (("Before you read on", report.warnings), ("What was found", report.verdicts)):
        if texts:
            lines += [f"## {heading}", "", *(f"- {_plain(text)}" for text in texts), ""]
    lines += [*(f"- {_plain(name)}: {_plain(value)}" for name, value in report.facts), ""]
    for section in report.sections:
        lines += [f"## {_plain(section.title)}", ""]
        for block in section.blocks:
            lines += [*_markdown_block(block), ""]
    if report.commands:
        lines += ["## Getting it again", "", "```", *report.commands, "```", ""]
        lines += [*(f"- Read by them: [{_plain(name)}]({name})" for name in report.files)]
        lines += [*(f"- {_plain(name)}: `{value}`" for name, value in report.checks), ""]
    return "\n".join([*lines, f"{MADE_BY} {version('bloodbattle')}.", ""])


def _markdown_block(block: Block) -> list[str]:
    """Write a block as lines of Markdown."""
    if isinstance(block, str):
        return [_plain(block)]
    if isinstance(block, Table):
        return [
            f"**{_plain(block.caption)}**",
            "",
            *_markdown_table(block),
            *(["", _plain(block.note)] if block.note else []),
        ]
    if isinstance(block, Choice):
        lines = []
        for name, figure in block.options:
            lines += [f"### {_plain(block.label)}: {_plain(name)}", "", *_markdown_block(figure), ""]
        return lines
    return [f"![{_plain(block.title)}](figures/{block.key}.svg)", "", _plain(block.description)]


def _markdown_table(table: Table) -> list[str]:
    """Write a table as lines of Markdown."""
    heads = [_plain(f"{c.name} ({c.unit})" if c.unit else c.name) for c in table.columns]
    rule = ["---:" if column.is_number else "---" for column in table.columns]
    rows = [[_markdown_entry(entry) for entry in row] for row in table.rows]
    return [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]


def _markdown_entry(entry: Entry) -> str:
    """Write an entry as Markdown."""
    text = f"**{_plain(entry.text)}**" if entry.is_marked else _plain(entry.text)
    return f"[{text}]({entry.link})" if entry.link else text


def _plain(text: str) -> str:
    """Write a text so that Markdown takes no sign of it for its own."""
    return _MARKDOWN.sub(r"\\\1", text.replace("\n", " "))


def show_csv(table: Table) -> str:
    """Write a table as CSV: the numbers themselves where there are any.

    Half of an interval has a column of its own, and so has what a mark says, where the table says what it is.

    Parameters
    ----------
    table
        The table.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    has_width = [any(row[place].half_width is not None for row in table.rows) for place in range(len(table.columns))]
    head = []
    for column, is_wide in zip(table.columns, has_width, strict=True):
        name = f"{column.name} ({column.unit})" if column.unit else column.name
        head.append(name)
        head += [f"{name}, half of 95 % interval"] if is_wide else []
        head += [f"{name}, {table.marks}"] if is_wide and table.marks else []
    writer.writerow(head)
    for row in table.rows:
        values = []
        for entry, is_wide in zip(row, has_width, strict=True):
            values.append(_raw(entry))
            values += ["" if entry.half_width is None else f"{entry.half_width:.12g}"] if is_wide else []
            values += [_mark_of(entry)] if is_wide and table.marks else []
        writer.writerow(values)
    return stream.getvalue()


def _mark_of(entry: Entry) -> str:
    """Say whether a number is marked; nothing if there is none."""
    return "" if entry.value is None else "yes" if entry.is_marked else "no"


def _raw(entry: Entry) -> str:
    """Give what a CSV file has of an entry; no spreadsheet takes a text for a formula."""
    if entry.value is not None:
        return f"{entry.value:.12g}"
    return f"'{entry.text}" if entry.text.startswith(("=", "+", "-", "@", "\t")) else entry.text


def show_latex(table: Table) -> str:
    """Write a table as LaTeX, with the rules of the package booktabs.

    Parameters
    ----------
    table
        The table.
    """
    heads = [_latex(f"{c.name} ({c.unit})" if c.unit else c.name) for c in table.columns]
    rows = [[rf"\textbf{{{_latex(e.text)}}}" if e.is_marked else _latex(e.text) for e in row] for row in table.rows]
    lines = [r"\begin{tabular}{" + "".join("r" if c.is_number else "l" for c in table.columns) + "}", r"\toprule"]
    lines += [" & ".join(heads) + r" \\", r"\midrule", *(" & ".join(row) + r" \\" for row in rows), r"\bottomrule"]
    caption = f"% {table.caption}".replace("\n", " ")
    return "\n".join([caption, *lines, r"\end{tabular}", ""])


def _latex(text: str) -> str:
    """Write a text so that LaTeX takes no sign of it for its own."""
    return "".join(_LATEX.get(sign, sign) for sign in text)
