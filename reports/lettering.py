"""Lettering of figures: labels that wrap and are never cut, ticks with as many digits as their step needs, legends.

A label is wrapped over as many lines as it takes, so that two of them never look the same and no name is lost. Widths
are counted in columns of three fifths of the font's size; a wide letter, such as a Chinese one, takes two.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final
from unicodedata import combining, east_asian_width

from sim.statistics.tables import MINUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette

WIDE: Final = 7.2
"""Inches of a figure that fills a page."""
NARROW: Final = 3.6
"""Inches of a figure that fills a telephone."""
LINE: Final = 1.3
"""Height of a line of letters, in sizes of its font."""
_POINTS: Final = 72.0
_COLUMN: Final = 0.6
"""Width of a column, in sizes of its font."""
_MISSING: Final = 0.4
"""How much wider a wide letter is than what stands for it when a drawing is laid out, in sizes of its font."""
_KEY: Final = 6
"""Columns of the key of an entry in a legend, and of the gap behind it."""
_PIECES: Final = re.compile(r"[^-_/=,.+{}]*[-_/=,.+{}]?")
_NARROW_SPACE: Final = "\N{NARROW NO-BREAK SPACE}"


def is_narrow(width: float) -> bool:
    """Tell whether a figure is for a telephone.

    Parameters
    ----------
    width
        Its width in inches.
    """
    return width < (WIDE + NARROW) / 2


def size_of(width: float) -> float:
    """Give the size of letters, in points.

    Parameters
    ----------
    width
        Width of the figure in inches.
    """
    return 9.0 if is_narrow(width) else 10.0


def columns_in(inches: float, size: float) -> int:
    """Tell how many columns find room.

    Parameters
    ----------
    inches
        Where.
    size
        Size of the letters in points.
    """
    return max(1, int(inches * _POINTS / (_COLUMN * size)))


def columns_of(text: str) -> int:
    """Tell how many columns a text takes.

    Parameters
    ----------
    text
        One line.

    Examples
    --------
    >>> columns_of("ukeire"), columns_of("血战")
    (6, 4)
    """
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def wrap(text: str, most: int) -> list[str]:
    """Break a text into lines: between words, else after a sign such as - or =, else anywhere.

    Parameters
    ----------
    text
        The text.
    most
        Columns of a line, at least 2.

    Returns
    -------
    list of str
        At least one line; nothing is lost but spaces.

    Examples
    --------
    >>> wrap("fan.cap=none, exhaustion.flower_pig=0", 16)
    ['fan.cap=none,', 'exhaustion.', 'flower_pig=0']
    """
    lines = [""]
    for word in text.split():
        glue = " "
        for piece in [word] if columns_of(word) <= most else _pieces(word, most):
            joined = f"{lines[-1]}{glue if lines[-1] else ''}{piece}"
            if columns_of(joined) <= most:
                lines[-1] = joined
            else:
                lines.append(piece)
            glue = ""
    return [line for line in lines if line] or [""]


def _pieces(word: str, most: int) -> list[str]:
    """Break a word that is longer than a line into pieces that are not."""
    found = []
    for piece in filter(None, _PIECES.findall(word)):
        part = ""
        for letter in piece:
            if columns_of(part + letter) > most:
                found.append(part)
                part = ""
            part += letter
        found.append(part)
    return found


def wrapped(text: str, inches: float, size: float) -> str:
    """Wrap a text to what finds room.

    Parameters
    ----------
    text
        The text.
    inches
        Where.
    size
        Size of the letters in points.
    """
    return "\n".join(wrap(text, columns_in(inches, size)))


def leave_room(drawing: Drawing, labels: Iterable[str], size: float) -> None:
    """Leave room on the left for wide letters, which take more of it than a drawing without their font can know.

    Parameters
    ----------
    drawing
        The drawing.
    labels
        Labels to the left of its axes, lines apart.
    size
        Size of their letters in points.
    """
    wide = max((columns_of(line) - len(line) for label in labels for line in label.split("\n")), default=0)
    engine = drawing.get_layout_engine()
    if wide > 0 and engine is not None:
        share = min(wide * _MISSING * size / _POINTS / drawing.get_figwidth(), 0.5)
        engine.set(rect=(share, 0.0, 1.0 - share, 1.0))  # type: ignore[call-arg]  # constrained layout has it


def show_tick(value: float, step: float) -> str:
    """Write the number at a tick, with as many digits as the step between ticks needs.

    Parameters
    ----------
    value
        The number.
    step
        The step.

    Examples
    --------
    >>> show_tick(0.075, 0.025), show_tick(1000.0, 500.0)
    ('0.075', '1,000')
    """
    digits = 0
    while digits < 9 and abs(step * 10**digits - round(step * 10**digits)) > 1e-6 * step * 10**digits:
        digits += 1
    shown = f"{abs(value):,.{digits}f}"
    return f"{MINUS}{shown}" if value < 0 and shown.strip("0.,") else shown


def show_power(share: float) -> str:
    """Write a share that is a power of ten as a percentage.

    Parameters
    ----------
    share
        The share, above 0.

    Examples
    --------
    >>> show_power(0.001).split(), show_power(1.0).split()
    (['0.1', '%'], ['100', '%'])
    """
    return f"{100 * share:.{max(0, -2 - round(math.log10(share)))}f}{_NARROW_SPACE}%"


def number_ticks(axis: Axis, most: int) -> None:
    """Put ticks at round numbers.

    Parameters
    ----------
    axis
        The axis.
    most
        How many steps there are at most.
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415 - only needed for reports

    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10]))

    def show(value: float, _: int | None) -> str:
        places = axis.get_majorticklocs()
        return show_tick(value, float(places[1] - places[0]) if len(places) > 1 else value or 1.0)

    axis.set_major_formatter(FuncFormatter(show))


def power_ticks(axes: Axes, shares: Sequence[float]) -> None:
    """Make the upright axis one of powers of ten, from the one below the least share to the one above the most.

    Parameters
    ----------
    axes
        The axes.
    shares
        All shares that are drawn, above 0.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter  # noqa: PLC0415 - only needed for reports

    low, high = math.floor(math.log10(min(shares))), math.ceil(math.log10(max(shares)))
    low = min(low, high - 1)
    axes.set_yscale("log")
    axes.set_ylim(10.0**low, 10.0**high)
    axes.yaxis.set_major_locator(FixedLocator([10.0**power for power in range(low, high + 1)]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: show_power(share)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def add_legend(drawing: Drawing, axes: Axes, palette: Palette) -> float:
    """Say above the axes what the series are, side by side as far as there is room.

    Parameters
    ----------
    drawing
        The drawing.
    axes
        The axes; what has no label is left out.
    palette
        The colours.

    Returns
    -------
    float
        Inches that the legend takes.
    """
    from matplotlib.lines import Line2D  # noqa: PLC0415 - only needed for reports

    found = list(zip(*axes.get_legend_handles_labels(), strict=True))
    if not found:
        return 0.0
    found.sort(key=lambda one: isinstance(one[0], Line2D))  # what is added to bars and points stands behind them
    handles, labels = zip(*found, strict=True)
    width, size = drawing.get_figwidth(), size_of(drawing.get_figwidth()) - 1
    room = columns_in(width, size)
    texts = ["\n".join(wrap(label, room - _KEY)) for label in labels]
    longest = max(columns_of(line) for text in texts for line in text.split("\n"))
    most = min(len(texts), max(1, room // (longest + _KEY)))
    rows = math.ceil(len(texts) / most)
    beside = math.ceil(len(texts) / rows)  # as even as can be
    legend = drawing.legend(
        handles, texts, frameon=False, loc="outside upper left", ncols=beside, fontsize=size, columnspacing=1.2
    )
    for text in legend.get_texts():
        text.set_color(palette.text)
    lines = max(
        sum(text.count("\n") + 1 for text in texts[first : first + rows]) for first in range(0, len(texts), rows)
    )
    return (0.2 + lines * LINE * size) / _POINTS + 0.15


def line_height(size: float) -> float:
    """Give the height of a line of letters in inches.

    Parameters
    ----------
    size
        Size of the letters in points.
    """
    return LINE * size / _POINTS
