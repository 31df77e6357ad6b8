"""The figures of lines: distributions, ribbons in time, points beside what was foretold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reports.colours import HATCHES, MARKERS
from reports.drawing import new_drawing
from reports.lettering import add_legend, is_narrow, line_height, number_ticks, power_ticks, size_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette
    from reports.figures import Draw, Mark

_LINES: Final = ("-", "--", ":", "-.")
"""The second channel of lines."""
_HEIGHT: Final = 2.6
"""Inches of what is drawn, without its lettering."""


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

    def draw(palette: Palette, width: float) -> Drawing:
        drawing, axes = new_drawing(palette, width, _HEIGHT)
        for place, (name, shares) in enumerate(series):
            shown = [(value, share) for value, share in zip(values, shares, strict=True) if share > 0]
            axes.plot(
                [value for value, _ in shown],
                [share for _, share in shown],
                color=palette.of(place),
                linestyle=_LINES[place % len(_LINES)],
                marker="." if len(shown) == 1 else None,
                linewidth=1.4,
                label=name,
            )
        power_ticks(axes, [share for _, shares in series for share in shares if share > 0] or [1.0])
        _finish(drawing, axes, palette, (unit, "share of deals"))
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

    def draw(palette: Palette, width: float) -> Drawing:
        drawing, axes = new_drawing(palette, width, _HEIGHT)
        for place, (name, times, quantiles) in enumerate(series):
            colour = palette.of(place)
            low, lower, middle, upper, high = ([row[at] for row in quantiles] for at in range(5))
            axes.fill_between(times, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.fill_between(times, lower, upper, color=colour, alpha=0.3, linewidth=0)
            axes.plot(times, middle, color=colour, linestyle=_LINES[place % len(_LINES)], label=name)
        number_ticks(axes.yaxis, 8)
        _finish(drawing, axes, palette, names)
        return drawing

    return draw


def areas(times: Sequence[float], parts: Sequence[tuple[str, Sequence[float]]], names: tuple[str, str]) -> Draw:
    """Draw in time what a sum is made of: what is above 0 piled up, what is below 0 piled down, the net as a line.

    Parameters
    ----------
    times
        The times.
    parts
        Name of each part, and its value at each time.
    names
        What is across and what is up.
    """

    def draw(palette: Palette, width: float) -> Drawing:
        drawing, axes = new_drawing(palette, width, _HEIGHT)
        high, low = [0.0] * len(times), [0.0] * len(times)
        for place, (name, values) in enumerate(parts):
            look: dict[str, Any] = {
                "facecolor": palette.of(place),
                "edgecolor": palette.ground,
                "hatch": HATCHES[place % len(HATCHES)],
                "linewidth": 0.6,
            }
            for pile, sign in ((high, 1.0), (low, -1.0)):
                grown = [before + sign * max(sign * value, 0.0) for before, value in zip(pile, values, strict=True)]
                if grown != pile:
                    axes.fill_between(times, pile, grown, **look)
                    pile[:] = grown
            axes.fill_between([], [], [], label=name, **look)
        net = [above + below for above, below in zip(high, low, strict=True)]
        axes.plot(times, net, color=palette.text, linewidth=1.4, label="net")
        axes.axhline(0, color=palette.text, linewidth=0.8)
        number_ticks(axes.yaxis, 8)
        _finish(drawing, axes, palette, names)
        return drawing

    return draw


def curves(
    series: Sequence[tuple[str, Sequence[tuple[float, Mark]]]], names: tuple[str, str], *, unsure: str = ""
) -> Draw:
    """Draw values against something else: those with intervals as points, those without as lines.

    Parameters
    ----------
    series
        Name of each series, and where each of its marks stands.
    names
        What is across and what is up.
    unsure
        What points are called that cannot be relied on: they are hollow and faint, and have no interval.
    """

    def draw(palette: Palette, width: float) -> Drawing:
        drawing, axes = new_drawing(palette, width, _HEIGHT)
        for place, (name, marks) in enumerate(series):
            found = [(at, mark) for at, mark in marks if mark.value is not None]
            sure = [(at, mark) for at, mark in found if mark.is_sure]
            _draw_series(axes, palette, place, name, sure)
            faint = [(at, mark.value or 0.0) for at, mark in found if not mark.is_sure]
            if faint:
                axes.plot(
                    [at for at, _ in faint],
                    [value for _, value in faint],
                    marker=MARKERS[place % len(MARKERS)],
                    linestyle="none",
                    color=palette.soft,
                    markerfacecolor=palette.ground,
                    markersize=5,
                    label=unsure,
                )
        number_ticks(axes.yaxis, 8)
        _finish(drawing, axes, palette, names)
        return drawing

    return draw


def _draw_series(axes: Axes, palette: Palette, place: int, name: str, marks: Sequence[tuple[float, Mark]]) -> None:
    """Draw marks with intervals as points, marks without as a line."""
    has_bars = any(mark.half_width is not None for _, mark in marks)
    axes.errorbar(
        [at for at, _ in marks],
        [mark.value or 0.0 for _, mark in marks],
        yerr=[mark.half_width or 0.0 for _, mark in marks] if has_bars else None,
        color=palette.of(place),
        marker=MARKERS[place % len(MARKERS)] if has_bars or len(marks) == 1 else None,
        linestyle="none" if has_bars else _LINES[place % len(_LINES)],
        markersize=5,
        capsize=2 if has_bars else 0,
        label=name if marks else None,
    )


def _finish(drawing: Drawing, axes: Axes, palette: Palette, names: tuple[str, str]) -> None:
    """Name what is across, and what is up above the axis; say what the lines are."""
    width = drawing.get_figwidth()
    size = size_of(width)
    number_ticks(axes.xaxis, 5 if is_narrow(width) else 10)
    across, up = (wrapped(name, 0.8 * width, size) for name in names)
    axes.set_xlabel(across)
    axes.set_title(up, loc="left", fontsize=size, color=palette.text)
    axes.grid(color=palette.soft, alpha=0.4, linewidth=0.6)
    high = 0.0 if len(axes.get_legend_handles_labels()[1]) < 2 else add_legend(drawing, axes, palette)
    lines = across.count("\n") + up.count("\n") + 2
    drawing.set_figheight(_HEIGHT + high + 0.4 + lines * line_height(size))
