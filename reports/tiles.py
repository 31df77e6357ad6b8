"""Tiles as drawings of our own, so that a page looks right where no font has them.

Each kind is an SVG symbol that a page holds once and shows as often as it likes. Suits differ in form, not in colour
alone: characters carry a numeral, circles are dots, bamboo is sticks.
"""

from __future__ import annotations

from typing import Final

from sim.tiles import KINDS, RANKS, SUIT_NAMES, format_kind

WIDTH: Final = 30
HEIGHT: Final = 40

_LEFT, _MIDDLE, _RIGHT = 8, 15, 22
_PLACES: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    ((_MIDDLE, 20),),
    ((_MIDDLE, 12), (_MIDDLE, 28)),
    ((_LEFT, 10), (_MIDDLE, 20), (_RIGHT, 30)),
    ((_LEFT, 12), (_RIGHT, 12), (_LEFT, 28), (_RIGHT, 28)),
    ((_LEFT, 10), (_RIGHT, 10), (_MIDDLE, 20), (_LEFT, 30), (_RIGHT, 30)),
    ((_LEFT, 10), (_RIGHT, 10), (_LEFT, 20), (_RIGHT, 20), (_LEFT, 30), (_RIGHT, 30)),
    ((7, 7), (_MIDDLE, 10), (23, 13), (_LEFT, 23), (_RIGHT, 23), (_LEFT, 32), (_RIGHT, 32)),
    ((_LEFT, 8), (_RIGHT, 8), (_LEFT, 16), (_RIGHT, 16), (_LEFT, 24), (_RIGHT, 24), (_LEFT, 32), (_RIGHT, 32)),
    tuple((x, y) for y in (9, 20, 31) for x in (_LEFT, _MIDDLE, _RIGHT)),
)
"""Where the dots or sticks of each rank stand."""


def name_kind(kind: int) -> str:
    """Say a kind in words, for those who hear a page.

    Parameters
    ----------
    kind
        The kind, 0 to 26.

    Examples
    --------
    >>> name_kind(13)
    '5 circles'
    """
    suit, rank = divmod(kind, RANKS)
    return f"{rank + 1} {SUIT_NAMES[suit]}"


def draw_symbols() -> str:
    """Give an SVG element with one symbol a kind (``tile-5m``) and one for a hidden tile (``tile-back``).

    Returns
    -------
    str
        Markup, to stand once in a page.
    """
    symbols = [_symbol(format_kind(kind), _draw_kind(kind)) for kind in range(KINDS)]
    back = f'<rect class="tile-hidden" x="4" y="4" width="{WIDTH - 8}" height="{HEIGHT - 8}" rx="2"/>'
    return f'<svg class="symbols" aria-hidden="true">{"".join([*symbols, _symbol("back", back)])}</svg>'


def _symbol(name: str, content: str) -> str:
    """Give one symbol: the tile's face and what is on it."""
    face = f'<rect class="tile-face" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="4"/>'
    return f'<symbol id="tile-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{face}{content}</symbol>'


def _draw_kind(kind: int) -> str:
    """Draw what is on a tile."""
    suit, rank = divmod(kind, RANKS)
    if suit == 0:
        sign = '<path class="ink-m" d="M7 25H23M14 25C14 31 11 35 7 37M14 29H21C21 33 20 36 17 36"/>'
        return f'<text class="ink-m" x="15" y="20" text-anchor="middle">{rank + 1}</text>{sign}'
    draw = _draw_dot if suit == 1 else _draw_stick
    size = 7 if rank == 0 else 4 if rank < 5 else 3
    return "".join(draw(x, y, size) for x, y in _PLACES[rank])


def _draw_dot(x: int, y: int, size: int) -> str:
    """Draw one dot: a ring and its middle."""
    return f'<circle class="ink-p" cx="{x}" cy="{y}" r="{size}"/><circle class="core-p" cx="{x}" cy="{y}" r="1.2"/>'


def _draw_stick(x: int, y: int, size: int) -> str:
    """Draw one stick."""
    return f'<path class="ink-s" d="M{x} {y - size}V{y + size}M{x - 2} {y}H{x + 2}"/>'
