"""Drawings as bytes: the same figure always gives the same SVG and PNG, readable and named inside a page."""

from __future__ import annotations

import io
import re
import warnings
from html import escape
from typing import TYPE_CHECKING, Any, Final

from reports.colours import LIGHT, STAND_INS, with_variables
from reports.lettering import NARROW, WIDE, size_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from reports.colours import Palette
    from reports.model import Figure

_STYLE: Final[Any] = {
    "svg.fonttype": "none",  # letters stay letters: any script, small, to be selected and searched
    "svg.hashsalt": "bloodbattle",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "hatch.linewidth": 0.8,
    "path.simplify": False,
    "text.parse_math": False,
}
_NO_DATES: Final = {"Date": None, "Creator": None}
_TAG: Final = re.compile(r"<[^>]*>")
_COORDINATE: Final = re.compile(r"(\d\.\d\d)\d+")
DOTS: Final = 150
"""Dots per inch of PNG files."""


def new_drawing(palette: Palette, width: float, height: float) -> tuple[Drawing, Axes]:
    """Begin a drawing with one pair of axes.

    Parameters
    ----------
    palette
        Its colours.
    width, height
        In inches.
    """
    from matplotlib.figure import Figure as NewDrawing  # noqa: PLC0415 - only needed for reports

    drawing = NewDrawing(figsize=(width, height), layout="constrained", facecolor="none")
    axes = drawing.add_subplot()
    style_axes(axes, palette)
    return drawing, axes


def style_axes(axes: Axes, palette: Palette) -> None:
    """Give axes the colours of a palette.

    Parameters
    ----------
    axes
        The axes.
    palette
        The colours.
    """
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set_color(palette.text)
    axes.tick_params(colors=palette.text, which="both")
    for label in (axes.xaxis.label, axes.yaxis.label, axes.title):
        label.set_color(palette.text)


def draw_svg(figure: Figure, *, is_narrow: bool = False) -> str:
    """Draw a figure for a page: its colours are those of the page, its title and description are in it.

    Parameters
    ----------
    figure
        The figure.
    is_narrow
        Whether it is for a telephone.

    Returns
    -------
    str
        An SVG element with ``role="img"``.
    """
    svg = with_variables(_save(figure, STAND_INS, "svg", NARROW if is_narrow else WIDE).decode("utf-8"))
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*\n\s*", " ", svg)
    svg = svg.replace("> <", "><").replace("font-family: 'DejaVu Sans', sans-serif; ", "")  # the page's style has it
    svg = _TAG.sub(lambda tag: _COORDINATE.sub(r"\1", tag[0]), svg)  # in tags alone: texts keep all their digits
    own = f"{figure.key}-narrow" if is_narrow else figure.key
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{own}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{own}-\1)", svg)
    svg = re.sub(r'(xlink:href|href)="#([^"]+)"', rf'\1="#{own}-\2"', svg)
    title, described = escape(figure.title), escape(figure.description)
    named = f'role="img" aria-labelledby="{own}-title {own}-description"'
    head = f'<title id="{own}-title">{title}</title><desc id="{own}-description">{described}</desc>'
    return re.sub(r"<svg ([^>]*)>", lambda found: f"<svg {named} {found[1]}>{head}", svg, count=1)


def save_figure(figure: Figure, form: str) -> bytes:
    """Draw a figure as a file of its own, in light colours.

    Parameters
    ----------
    figure
        The figure.
    form
        svg or png.
    """
    return _save(figure, LIGHT, form, WIDE)


def _save(figure: Figure, palette: Palette, form: str, width: float) -> bytes:
    """Draw a figure."""
    import matplotlib as mpl  # noqa: PLC0415 - only needed for reports

    buffer = io.BytesIO()
    with mpl.rc_context({**_STYLE, "font.size": size_of(width)}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"(?s).*Glyph .* missing from")  # the reader's fonts have it
        drawing = figure.draw(palette, width)
        ground = {"facecolor": palette.ground} if form == "png" else {"transparent": True}
        metadata = _NO_DATES if form == "svg" else {"Software": None}
        drawing.savefig(buffer, format=form, dpi=DOTS, metadata=metadata, **ground)
    return buffer.getvalue()
