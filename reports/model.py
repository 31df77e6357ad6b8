"""What a report is made of, whatever it is written as: sections of paragraphs, tables and figures.

All numbers are texts by the time they get here, with the number itself beside them for sorting and for CSV files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette

NOTHING: Final = "\N{EN DASH}"
"""What stands where there is no number."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    """Its head."""
    unit: str = ""
    """Unit of its numbers; empty where it holds texts."""
    is_number: bool = False
    """Whether it is flush right, and sorted as numbers."""


@dataclass(frozen=True)
class Entry:
    """One entry of a table."""

    text: str
    """What is read."""
    value: float | None = None
    """The number behind it."""
    half_width: float | None = None
    """Half of the 95 % interval of that number."""
    order: float | None = None
    """Where it stands when rows are sorted, if it is a text of numbers, such as a span of them."""
    link: str | None = None
    """What it leads to: a file beside the report, or a place in it."""
    is_marked: bool = False
    """Whether it stands out: a difference that is sure, a knob that was changed."""


@dataclass(frozen=True)
class Table:
    """A table."""

    key: str
    """Its name in files."""
    caption: str
    """What it shows."""
    columns: tuple[Column, ...]
    """Its columns."""
    rows: tuple[tuple[Entry, ...], ...]
    """Its rows, as long as the columns."""
    note: str = ""
    """What to know to read it."""
    marks: str = ""
    """What a marked number is, in a word, where files say it of each number with an interval."""

    def groups(self) -> list[tuple[str, int]]:
        """List the units of neighbouring columns, with how many columns share each; nothing if there are none."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and found[-1][0] == column.unit:
                found[-1] = (column.unit, found[-1][1] + 1)
            else:
                found.append((column.unit, 1))
        return found if any(unit for unit, _ in found) else []


@dataclass(frozen=True)
class Figure:
    """A figure, drawn when it is needed."""

    key: str
    """Its name in files."""
    title: str
    """What it shows."""
    description: str
    """What is to be seen, for those who do not see it."""
    draw: Callable[[Palette, float], Drawing]
    """Draws it in some colours, as wide as so many inches."""
    table: Table | None = None
    """The data behind it."""


@dataclass(frozen=True)
class Choice:
    """Figures of which one is shown at a time: the same thing seen from somewhere else."""

    key: str
    """Its name in the page."""
    label: str
    """What is chosen."""
    options: tuple[tuple[str, Figure], ...]
    """The name of each choice, and its figure; the first is shown at first."""


Block = Table | Figure | Choice | str
"""A paragraph is a plain text."""


@dataclass(frozen=True)
class Section:
    """A part of a report."""

    key: str
    """Its name in the page."""
    title: str
    """Its heading."""
    blocks: tuple[Block, ...]
    """What stands in it."""


@dataclass
class Report:
    """A report."""

    title: str
    """What it is about."""
    kind: str
    """What made it: a run, an experiment, a tournament, a profile, a ladder."""
    facts: list[tuple[str, str]] = field(default_factory=list)
    """What was played, in short."""
    warnings: list[str] = field(default_factory=list)
    """What a reader must know before anything else."""
    verdicts: list[str] = field(default_factory=list)
    """What was found, a sentence each."""
    sections: list[Section] = field(default_factory=list)
    """Everything else."""
    commands: list[str] = field(default_factory=list)
    """How to get it again."""
    checks: list[tuple[str, str]] = field(default_factory=list)
    """Seeds, versions, checksums."""
    files: dict[str, str] = field(default_factory=dict)
    """The files that these commands read, by name."""
    pages: dict[str, str] = field(default_factory=dict)
    """Pages that it links to, by where they stand beside it."""

    def tables(self) -> Sequence[Table]:
        """List all tables, those behind figures too, in their order."""
        found: list[Table] = []
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Table):
                    found.append(block)
                found.extend(figure.table for figure in figures_of(block) if figure.table is not None)
        return found

    def figures(self) -> Sequence[Figure]:
        """List all figures in their order."""
        return [figure for section in self.sections for block in section.blocks for figure in figures_of(block)]


def figures_of(block: Block) -> tuple[Figure, ...]:
    """List the figures of a block.

    Parameters
    ----------
    block
        The block.
    """
    if isinstance(block, Figure):
        return (block,)
    return tuple(figure for _, figure in block.options) if isinstance(block, Choice) else ()
