"""The figures: forest plots, stacked causes, heat maps, distributions, lines with ribbons.

Each function takes numbers and gives what draws them in any colours. Nothing is computed here but positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

from reports.colours import HATCHES, MARKERS
from reports.drawing import new_drawing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette

    Draw = Callable[[Palette], Drawing]

WIDTH: Final = 7.2
"""Inches that fill a page."""
LONGEST_LABEL: Final = 44
"""Letters of a row's label."""
LONGEST_UNIT: Final = 60
"""Letters of what stands below an axis."""
LONGEST_NAME: Final = 28
"""Letters of the name of a series."""
LONGEST_FIELD: Final = 14
"""Letters of what stands below a field of a map."""
_LINES: Final = ("-", "--", ":", "-.")
"""The second channel of lines."""


@dataclass(frozen=True)
class Mark:
    """A point with an interval."""

    value: float | None
    """The point; None draws nothing."""
    half_width: float | None
    """Half of its interval."""
    is_sure: bool = False
    """Whether it differs from 0 for sure: filled, not hollow."""


def shorten(label: str, longest: int = LONGEST_LABEL) -> str:
    """Cut a long label; a wide letter, such as a Chinese one, counts as two."""
    widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in label]
    if sum(widths) <= longest:
        return label
    kept, width = 0, 1
    while width + widths[kept] <= longest:
        width += widths[kept]
        kept += 1
    return f"{label[:kept]}\N{HORIZONTAL ELLIPSIS}"


def forest(rows: Sequence[tuple[str, Sequence[Mark]]], series: Sequence[str], unit: str) -> Draw:
    """Draw effects with their intervals, a row each, series below each other in their row.

    Parameters
    ----------
    rows
        Label and marks, one for each series.
    series
        Names of the series, such as settled and played.
    unit
        Unit of the values.
    """

    def draw(palette: Palette) -> Drawing:
        drawing, axes = new_drawing(palette, WIDTH, 0.9 + 0.24 * len(rows) * max(1.0, 0.75 * len(series)))
        axes.axvline(0, color=palette.soft, linewidth=1)
        for row, (_, marks) in enumerate(rows):
            for place, mark in enumerate(marks):
                if mark.value is None:
                    continue
                y = row + (place - (len(series) - 1) / 2) * 0.3
                axes.errorbar(
                    mark.value,
                    y,
                    xerr=mark.half_width or 0.0,
                    fmt=MARKERS[place % len(MARKERS)],
                    color=palette.of(place),
                    markerfacecolor=palette.of(place) if mark.is_sure else palette.ground,
                    markersize=5,
                    capsize=2,
                    label=shorten(series[place], LONGEST_NAME) if row == 0 else None,
                )
        axes.set_yticks(range(len(rows)), [shorten(label) for label, _ in rows])
        axes.set_ylim(max(len(rows), 1) - 0.5, -0.5)
        axes.set_xlabel(shorten(unit, LONGEST_UNIT))
        axes.grid(axis="x", color=palette.soft, alpha=0.4, linewidth=0.6)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        if len(series) > 1:
            legend = axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=len(series))
            for text in legend.get_texts():
                text.set_color(palette.text)
        return drawing

    return draw


def stacked(labels: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], unit: str) -> Draw:
    """Draw what sums are made of: parts above 0 to the right, parts below 0 to the left, the net as a mark.

    Parameters
    ----------
    labels
        Name of each bar.
    parts
        Name of each part, and its share in each bar.
    unit
        Unit of the values.
    """

    def draw(palette: Palette) -> Drawing:
        drawing, axes = new_drawing(palette, WIDTH, 1.2 + 0.34 * len(labels))
        right, left = [0.0] * len(labels), [0.0] * len(labels)
        for place, (name, values) in enumerate(parts):
            starts = [right[row] if value > 0 else left[row] for row, value in enumerate(values)]
            axes.barh(
                range(len(labels)),
                values,
                left=starts,
                height=0.66,
                color=palette.of(place),
                edgecolor=palette.ground,
                hatch=HATCHES[place % len(HATCHES)],
                linewidth=0.6,
                label=shorten(name, LONGEST_NAME),
            )
            for row, value in enumerate(values):
                if value > 0:
                    right[row] += value
                else:
                    left[row] += value
        nets = [sum(values[row] for _, values in parts) for row in range(len(labels))]
        axes.plot(
            nets, range(len(labels)), "D", color=palette.text, markerfacecolor=palette.ground, markersize=6, label="net"
        )
        axes.axvline(0, color=palette.text, linewidth=0.8)
        axes.set_yticks(range(len(labels)), [shorten(label) for label in labels])
        axes.set_ylim(len(labels) - 0.4, -0.6)
        axes.set_xlabel(shorten(unit, LONGEST_UNIT))
        legend = drawing.legend(frameon=False, loc="outside upper left", ncols=5, fontsize=9)
        for text in legend.get_texts():
            text.set_color(palette.text)
        return drawing

    return draw


def heat_map(
    across: Sequence[str],
    down: Sequence[str],
    values: Sequence[Sequence[Mark]],
    names: tuple[str, str],
    digits: int = 3,
) -> Draw:
    """Draw two knobs against each other, with the value in each field; what is not sure is hatched.

    Parameters
    ----------
    across, down
        The levels of the two knobs.
    values
        A row for each level of the second, an entry for each level of the first.
    names
        The names of the two knobs.
    digits
        Digits of the values.
    """
    most = max((abs(mark.value) for row in values for mark in row if mark.value is not None), default=1.0) or 1.0

    def draw(palette: Palette) -> Drawing:
        from matplotlib.patches import Rectangle  # noqa: PLC0415 - only needed for reports

        drawing, axes = new_drawing(palette, min(WIDTH, 2.2 + 1.0 * len(across)), 1.0 + 0.55 * len(down))
        for row, marks in enumerate(values):
            for column, mark in enumerate(marks):
                value = mark.value
                colour = palette.good if value is not None and value > 0 else palette.bad
                strength = 0.0 if value is None else 0.55 * abs(value) / most
                axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, alpha=strength, linewidth=0))
                if value is not None and not mark.is_sure:
                    axes.add_patch(
                        Rectangle((column, row), 1, 1, fill=False, hatch="///", edgecolor=palette.soft, linewidth=0)
                    )
                text = "\N{EN DASH}" if value is None else f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=palette.text)
        axes.set_xlim(0, len(across))
        axes.set_ylim(len(down), 0)
        axes.set_xticks(
            [place + 0.5 for place in range(len(across))], [shorten(name, LONGEST_FIELD) for name in across]
        )
        axes.set_yticks([place + 0.5 for place in range(len(down))], [shorten(name, LONGEST_NAME) for name in down])
        axes.tick_params(length=0)
        axes.set_xlabel(shorten(names[0], LONGEST_UNIT))
        axes.set_ylabel(shorten(names[1], LONGEST_NAME))
        for spine in axes.spines.values():
            spine.set_visible(False)
        return drawing

    return draw


def distribution(values: Sequence[int], series: Sequence[tuple[str, Sequence[float]]], unit: str) -> Draw:
    """Draw how often each value comes, with shares on a scale of powers of ten so that tails are seen.

    Parameters
    ----------
    values
        The values.
    series
        Name of each series, and its share at each value.
    unit
        Unit of the values.
    """

    def draw(palette: Palette) -> Drawing:
        drawing, axes = new_drawing(palette, WIDTH, 3.2)
        for place, (name, shares) in enumerate(series):
            shown = [(value, share) for value, share in zip(values, shares, strict=True) if share > 0]
            axes.plot(
                [value for value, _ in shown],
                [share for _, share in shown],
                color=palette.of(place),
                linestyle=("-", "--", ":", "-.")[place % 4],
                linewidth=1.4,
                label=shorten(name, LONGEST_NAME),
            )
        axes.set_yscale("log")
        axes.set_xlabel(shorten(unit, LONGEST_UNIT))
        axes.set_ylabel("share of deals")
        axes.grid(color=palette.soft, alpha=0.4, linewidth=0.6)
        if len(series) > 1:
            legend = axes.legend(frameon=False)
            for text in legend.get_texts():
                text.set_color(palette.text)
        return drawing

    return draw


def ribbons(
    series: Sequence[tuple[str, Sequence[float], Sequence[Sequence[float]]]],
    names: tuple[str, str],
) -> Draw:
    """Draw how something goes in time: a line for the middle, a dark ribbon for half, a light one for nine in ten.

    Parameters
    ----------
    series
        Name of each series, its times, and its quantiles 5 %, 25 %, 50 %, 75 % and 95 % at each time.
    names
        What is across and what is up.
    """

    def draw(palette: Palette) -> Drawing:
        drawing, axes = new_drawing(palette, WIDTH, 3.6)
        for place, (name, times, quantiles) in enumerate(series):
            colour = palette.of(place)
            low, lower, middle, upper, high = ([row[at] for row in quantiles] for at in range(5))
            axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.fill_between(times, lower, upper, color=colour, alpha=0.3, linewidth=0)
            axes.plot(
                times, middle, color=colour, linestyle=_LINES[place % len(_LINES)], label=shorten(name, LONGEST_NAME)
            )
        _finish_lines(drawing, axes, palette, names, has_legend=len(series) > 1)
        return drawing

    return draw


def curves(series: Sequence[tuple[str, Sequence[tuple[float, Mark]]]], names: tuple[str, str]) -> Draw:
    """Draw values against something else: those with intervals as points, those without as lines.

    Parameters
    ----------
    series
        Name of each series, and where each of its marks stands.
    names
        What is across and what is up.
    """

    def draw(palette: Palette) -> Drawing:
        drawing, axes = new_drawing(palette, WIDTH, 3.0)
        for place, (name, marks) in enumerate(series):
            found = [(at, mark.value, mark.half_width) for at, mark in marks if mark.value is not None]
            has_bars = any(half is not None for _, _, half in found)
            axes.errorbar(
                [at for at, _, _ in found],
                [value for _, value, _ in found],
                yerr=[half or 0.0 for _, _, half in found] if has_bars else None,
                color=palette.of(place),
                marker=MARKERS[place % len(MARKERS)] if has_bars or len(series) == 1 else None,
                linestyle="none" if has_bars else _LINES[place % len(_LINES)],
                markersize=5,
                capsize=2 if has_bars else 0,
                label=shorten(name, LONGEST_NAME),
            )
        _finish_lines(drawing, axes, palette, names, has_legend=len(series) > 1)
        return drawing

    return draw


def _finish_lines(drawing: Drawing, axes: Axes, palette: Palette, names: tuple[str, str], *, has_legend: bool) -> None:
    """Name the axes of a drawing of lines, and what the lines are."""
    axes.set_xlabel(shorten(names[0], LONGEST_UNIT))
    axes.set_ylabel(shorten(names[1], LONGEST_NAME))
    axes.grid(color=palette.soft, alpha=0.4, linewidth=0.6)
    if has_legend:
        legend = drawing.legend(frameon=False, loc="outside upper left", ncols=4)
        for text in legend.get_texts():
            text.set_color(palette.text)
