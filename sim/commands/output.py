"""How reports about strategies are printed: tables for a terminal, Markdown, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
import sys
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.commands.run import Format
    from sim.statistics.tables import Grid


@dataclass
class Report:
    """A report, in every form that it can be printed in."""

    title: str
    """What it is about."""
    grids: list[Grid] = field(default_factory=list)
    """Its tables."""
    notes: list[str] = field(default_factory=list)
    """What stands below them, a paragraph each."""
    commands: list[str] = field(default_factory=list)
    """Commands to copy, each on a line of its own however long it is."""
    data: dict[str, Any] = field(default_factory=dict)
    """Everything, as plain data."""
    records: list[Mapping[str, Any]] = field(default_factory=list)
    """The rows for CSV, all with the same keys."""
    lead: list[str] = field(default_factory=list)
    """What stands above the tables, a paragraph each: the answer in sentences."""

    def show(self, form: Format) -> str:
        """Write it out.

        Parameters
        ----------
        form
            How.
        """
        if form.value == "json":
            return json.dumps(self.data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        if form.value == "csv":
            return self._csv()
        return self._markdown() if form.value == "markdown" else self._text()

    def _text(self) -> str:
        """Write it for a terminal."""
        from sim.statistics.show import text_grid, text_width

        width = text_width()
        lines = textwrap.wrap(self.title, width, break_on_hyphens=False)
        lines += [""] * bool(self.lead)
        for sentence in self.lead:
            lines += textwrap.wrap(sentence, width, break_on_hyphens=False, subsequent_indent="  ")
        for grid in self.grids:
            lines += ["", *text_grid(grid, width)]
        lines += [""] * bool(self.notes)
        for note in self.notes:
            lines += textwrap.wrap(note, width, break_on_hyphens=False, break_long_words=False, subsequent_indent="  ")
        lines += [""] * bool(self.commands) + self.commands
        return "\n".join(lines) + "\n"

    def _markdown(self) -> str:
        """Write it as Markdown."""
        from sim.statistics.show import markdown_grid

        lines = [f"# {self.title}", "", *(f"- {sentence}" for sentence in self.lead), *[""] * bool(self.lead)]
        for grid in self.grids:
            lines += [f"## {grid.title}", "", *markdown_grid(grid), ""]
        lines += [f"- {note}" for note in self.notes]
        lines += [f"- `{command}`" for command in self.commands]
        return "\n".join(lines) + "\n"

    def _csv(self) -> str:
        """Write its rows as CSV."""
        file = io.StringIO()
        writer = csv.DictWriter(file, list(self.records[0]) if self.records else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.records)
        return file.getvalue()


def print_reports(reports: Sequence[Report], form: Format) -> None:
    """Print reports one after the other: JSON as one array if there are several, CSV with one head.

    Parameters
    ----------
    reports
        At least one.
    form
        How.
    """
    if form.value == "json" and len(reports) > 1:
        text = json.dumps([report.data for report in reports], indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    elif form.value == "csv":
        records = [record for report in reports for record in report.records]
        text = Report(reports[0].title, records=records).show(form)
    else:
        text = "\n".join(report.show(form) for report in reports)
    sys.stdout.write(text)
    sys.stdout.flush()
