"""The figures of rows and fields: forest plots, stacked causes, heat maps.

Each function takes numbers and gives what draws them, in any colours, as wide as a page or a telephone. Nothing is
computed here but positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reports.colours import HATCHES, MARKERS
from reports.drawing import new_drawing
from reports.entries import number
from reports.lettering import (
    add_legend,
    columns_in,
    columns_of,
    is_narrow,
    leave_room,
    line_height,
    number_ticks,
    size_of,
    wrap,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette

    Draw = Callable[[Palette, float], Drawing]

EDGE: Final = 0.08
"""Inches that are left free at the sides of a figure."""
_APART: Final = 0.13
"""Inches between the marks of a row."""
_FIELD: Final = 0.5
"""Inches that a field of a map takes at least."""


@dataclass(frozen=True)
class Mark:
    """A point with an interval."""

    value: float | None
    """The point; None draws nothing."""
    half_width: float | None
    """Half of its interval."""
    is_sure: bool = False
    """Whether it can be relied on, such as an effect that differs from 0 for sure: filled, not hollow."""
    bounds: tuple[float, float] | None = None
    """Ends of its interval, where the point is not in the middle of it."""

    @property
    def arms(self) -> tuple[float, float]:
        """How far the interval reaches to the left and to the right; 0 without one."""
        if self.bounds is None or self.value is None:
            return self.half_width or 0.0, self.half_width or 0.0
        return self.value - self.bounds[0], self.bounds[1] - self.value


@dataclass(frozen=True)
class Label:
    """What a row is called."""

    name: str
    """Its own name, to its left."""
    heading: str = ""
    """What it has in common with the rows below it, above the first of them."""


@dataclass(frozen=True)
class _Rows:
    """Where rows stand, in inches from the top."""

    middles: tuple[float, ...]
    names: tuple[str, ...]
    headings: tuple[tuple[float, str], ...]
    height: float


def _place(labels: Sequence[Label], width: float, least: float) -> _Rows:
    """Find out where rows stand: as high as their names need, with the headings between them."""
    size = size_of(width)
    across = columns_in(width - 2 * EDGE, size)
    beside = 15 if is_narrow(width) else 30
    top, heading = 0.0, ""
    middles, names, headings = [], [], []
    for label in labels:
        if label.heading != heading and label.heading:
            lines = wrap(label.heading, across)
            high = len(lines) * line_height(size) + 0.12
            headings.append((top + high / 2 + 0.02, "\n".join(lines)))
            top += high
        heading = label.heading
        lines = wrap(label.name, beside)
        high = max(least, len(lines) * line_height(size) + 0.06)
        middles.append(top + high / 2)
        names.append("\n".join(lines))
        top += high
    return _Rows(tuple(middles), tuple(names), tuple(headings), max(top, least))


def _finish_rows(drawing: Drawing, axes: Axes, palette: Palette, rows: _Rows, unit: str) -> None:
    """Name the rows and what is across, and make the drawing as high as they need."""
    width = drawing.get_figwidth()
    size = size_of(width)
    axes.set_yticks(rows.middles, rows.names)
    axes.set_ylim(rows.height, 0)
    axes.tick_params(axis="y", length=0)
    leave_room(drawing, rows.names, size)
    below = wrapped(unit, 0.7 * width, size)
    axes.set_xlabel(below)
    number_ticks(axes.xaxis, 5 if is_narrow(width) else 10)
    axes.grid(axis="x", color=palette.soft, alpha=0.4, linewidth=0.6)
    high = add_legend(drawing, axes, palette)
    drawing.set_figheight(rows.height + high + 0.4 + (below.count("\n") + 1) * line_height(size))
    for y, heading in rows.headings:
        axes.annotate(
            heading,
            (EDGE / width, y),
            xycoords=("figure fraction", "data"),
            va="center",
            ha="left",
            weight="bold",
            color=palette.text,
            bbox={"facecolor": palette.ground, "edgecolor": "none", "pad": 1.0},
            annotation_clip=False,
        ).set_in_layout(False)


def forest(
    rows: Sequence[tuple[Label, Sequence[Mark]]], series: Sequence[str], unit: str, *, has_zero: bool = True
) -> Draw:
    """Draw effects with their intervals, a row each, series below each other in their row.

    Parameters
    ----------
    rows
        Label and marks, one for each series.
    series
        Names of the series, such as settled and played; an empty name is not told.
    unit
        Unit of the values.
    has_zero
        Whether 0 is drawn, as what effects differ from; without it the axis keeps to the values.
    """

    def draw(palette: Palette, width: float) -> Drawing:
        placed = _place([label for label, _ in rows], width, 0.11 + _APART * max(len(series), 1))
        drawing, axes = new_drawing(palette, width, placed.height)
        if has_zero:
            axes.axvline(0, color=palette.soft, linewidth=1)
        for place, name in enumerate(series):
            aside = (place - (len(series) - 1) / 2) * _APART
            at = [
                (y + aside, marks[place])
                for y, (_, marks) in zip(placed.middles, rows, strict=True)
                if marks[place].value is not None
            ]
            for is_sure in (True, False):
                mine = [(y, mark) for y, mark in at if mark.is_sure == is_sure]
                if mine:
                    axes.errorbar(
                        [mark.value or 0.0 for _, mark in mine],
                        [y for y, _ in mine],
                        xerr=list(zip(*(mark.arms for _, mark in mine), strict=True)),
                        fmt=MARKERS[place % len(MARKERS)],
                        color=palette.of(place),
                        markerfacecolor=palette.of(place) if is_sure else palette.ground,
                        markersize=5,
                        capsize=2,
                    )
            if name and at:
                axes.plot([], [], MARKERS[place % len(MARKERS)], color=palette.of(place), markersize=5, label=name)
        axes.spines["left"].set_visible(False)
        _finish_rows(drawing, axes, palette, placed, unit)
        return drawing

    return draw


def stacked(labels: Sequence[Label], parts: Sequence[tuple[str, Sequence[float]]], unit: str) -> Draw:
    """Draw what sums are made of: parts above 0 to the right, parts below 0 to the left, the net as a mark.

    Parameters
    ----------
    labels
        What each bar is called.
    parts
        Name of each part, and its share in each bar.
    unit
        Unit of the values.
    """

    def draw(palette: Palette, width: float) -> Drawing:
        placed = _place(labels, width, 0.27)
        drawing, axes = new_drawing(palette, width, placed.height)
        right, left = [0.0] * len(labels), [0.0] * len(labels)
        for place, (name, values) in enumerate(parts):
            starts = [right[row] if value > 0 else left[row] for row, value in enumerate(values)]
            axes.barh(
                placed.middles,
                values,
                left=starts,
                height=0.19,
                color=palette.of(place),
                edgecolor=palette.ground,
                hatch=HATCHES[place % len(HATCHES)],
                linewidth=0.6,
                label=name,
            )
            for row, value in enumerate(values):
                if value > 0:
                    right[row] += value
                else:
                    left[row] += value
        nets = [sum(values[row] for _, values in parts) for row in range(len(labels))]
        axes.plot(
            nets,
            placed.middles,
            "D",
            color=palette.text,
            markerfacecolor=palette.ground,
            markersize=6,
            label="net",
        )
        axes.axvline(0, color=palette.text, linewidth=0.8)
        axes.spines["left"].set_visible(False)
        _finish_rows(drawing, axes, palette, placed, unit)
        return drawing

    return draw


def heat_map(
    across: Sequence[str],
    down: Sequence[str],
    values: Sequence[Sequence[Mark]],
    names: tuple[str, str],
    *,
    digits: int = 2,
    reference: tuple[int, int] | None = None,
) -> Draw:
    """Draw two things against each other, with value and interval in each field; what is not sure is hatched.

    Parameters
    ----------
    across, down
        What the columns and the rows are called.
    values
        A row for each of the second, a field for each of the first.
    names
        What is across and what is down.
    digits
        Digits of the values.
    reference
        Row and column of the field that all are compared with; it is outlined.
    """
    most = max((abs(mark.value) for row in values for mark in row if mark.value is not None), default=1.0) or 1.0

    def draw(palette: Palette, width: float) -> Drawing:
        size = size_of(width)
        placed = _lay_out(across, down, names, width)
        width = placed.beside + placed.field * len(across)
        drawing, axes = new_drawing(palette, width, placed.height)
        for row, marks in enumerate(values):
            for column, mark in enumerate(marks):
                _draw_field(axes, palette, (row, column), mark, most)
                said = "reference" if (row, column) == reference else _show_field(mark, digits, placed.field, size)
                small = min(size, placed.field * 72 / (0.6 * max(map(len, said.split("\n")))))
                axes.text(column + 0.5, row + 0.5, said, ha="center", va="center", color=palette.text, fontsize=small)
        axes.set_xlim(0, len(across))
        axes.set_ylim(len(down), 0)
        axes.set_xticks([place + 0.5 for place in range(len(across))], placed.columns)
        axes.set_yticks([place + 0.5 for place in range(len(down))], placed.rows)
        axes.tick_params(length=0)
        axes.tick_params(axis="x", rotation=90.0 if placed.is_turned else 0.0)
        axes.set_xlabel(wrapped(names[0], width - placed.beside, size))
        above = drawing.suptitle(wrapped(names[1], width, size), x=EDGE / width, ha="left", fontsize=size)
        above.set_color(palette.text)
        leave_room(drawing, placed.rows, size)
        if reference is not None:
            _outline(axes, palette, reference)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return drawing

    return draw


@dataclass(frozen=True)
class _Fields:
    """How a map is laid out, in inches."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    is_turned: bool
    """Whether the names of the columns stand upright, for a word of them is longer than a field is wide."""
    beside: float
    field: float
    height: float


def _lay_out(across: Sequence[str], down: Sequence[str], names: tuple[str, str], width: float) -> _Fields:
    """Find out how large the fields of a map are; a map with many columns is wider than asked for."""
    size = size_of(width)
    line, column = line_height(size), 0.6 * size / 72
    rows = [wrap(name, 12 if is_narrow(width) else 26) for name in down]
    beside = max(columns_of(each) for lines in rows for each in lines) * column + 3 * EDGE
    field = min(1.1, max(_FIELD, (width - beside) / len(across)))
    room = columns_in(field - 0.06, size)
    is_turned = any(columns_of(word) > room for name in across for word in name.split())
    columns = [wrap(name, 26 if is_turned else room) for name in across]
    under = max(map(len, columns)) * line
    if is_turned:
        field = max(field, under)
        under = max(columns_of(each) for lines in columns for each in lines) * column
    up = max(0.42, *(len(lines) * line + 0.08 for lines in rows))
    inside = field * len(across)
    named = len(wrap(names[0], columns_in(inside, size))) + len(wrap(names[1], columns_in(beside + inside, size)))
    height = up * len(down) + under + named * line + 0.3
    named_columns, named_rows = (tuple("\n".join(lines) for lines in part) for part in (columns, rows))
    return _Fields(named_columns, named_rows, is_turned, beside, field, height)


def _draw_field(axes: Axes, palette: Palette, at: tuple[int, int], mark: Mark, most: float) -> None:
    """Colour a field by its value, and hatch it if that is not sure."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - only needed for reports

    row, column = at
    value = mark.value
    colour = palette.good if value is not None and value > 0 else palette.bad
    strength = 0.0 if value is None else 0.55 * abs(value) / most
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, alpha=strength, linewidth=0))
    if value is not None and not mark.is_sure:
        axes.add_patch(Rectangle((column, row), 1, 1, fill=False, hatch="///", edgecolor=palette.soft, linewidth=0))


def _outline(axes: Axes, palette: Palette, at: tuple[int, int]) -> None:
    """Outline the field that all are compared with."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415 - only needed for reports

    row, column = at
    outline = Rectangle((column, row), 1, 1, fill=False, edgecolor=palette.text, linewidth=1.6)
    outline.set_clip_on(False)
    axes.add_patch(outline)


def _show_field(mark: Mark, digits: int, field: float, size: float) -> str:
    """Write what stands in a field: the value, and half of its interval if there is room."""
    value = number(mark.value, digits, is_signed=True).text
    if mark.value is None or mark.half_width is None:
        return value
    half = f"± {mark.half_width:.{digits}f}"
    return f"{value}\n{half}" if columns_in(field, size) >= columns_of(half) else value
