"""Walls laid so that a written deal comes out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.errors import NotationError
from sim.tiles import KINDS, format_kind, format_kinds, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (14, 13, 13, 13)
DEALT = sum(SIZES)
FILLED = "*"
BETWEEN = "..."


class GoldenError(ValueError):
    """A golden file is written wrongly: says where and how."""


class _Tiles:
    """The 108 tiles, taken away as they are written."""

    def __init__(self) -> None:
        self.left = list(range(KINDS)) * 4

    def take(self, text: str, what: str) -> list[int]:
        """Take what is written."""
        try:
            kinds = parse_tiles(text)
        except NotationError as error:
            raise GoldenError(f"{what}: {error}") from None
        for kind in kinds:
            if kind not in self.left:
                raise GoldenError(f"{what}: a fifth {format_kind(kind)} in the deal; there are four tiles of each kind")
            self.left.remove(kind)
        return kinds

    def fill(self, hand: list[int], size: int) -> None:
        """Fill a hand up, suit after suit in turn, with far tiles of which many are left, and few pairs."""
        while len(hand) < size:
            suit = min(range(3), key=lambda s: (sum(kind // 9 == s for kind in hand), s))
            free = [kind for kind in set(self.left) if kind // 9 == suit] or list(set(self.left))
            kind = min(free, key=lambda k: (hand.count(k), -self.left.count(k), k % 9 % 3, k))
            hand.append(kind)
            self.left.remove(kind)


def stack_wall(
    hands: Sequence[str],
    draws: str = "",
    replacements: str = "",
    last: str = "",
    queues: Sequence[str] = (),
) -> list[int]:
    """Lay a wall.

    Parameters
    ----------
    hands
        Four hands as dealt, the dealer's of 14 tiles; one that ends with `*` is filled up.
    draws, replacements, last
        First tiles from the front, first tiles from the back, and what lies before those.
    queues
        First tiles, `...`, and last tiles of each seat's queue, instead of the three before.

    Returns
    -------
    list of 108 int
        Kind at each position.

    Raises
    ------
    GoldenError
        If the tiles cannot be read or do not exist.
    """
    tiles = _Tiles()
    dealt = [tiles.take(hand.removesuffix(FILLED), f"hand of seat {seat}") for seat, hand in enumerate(hands)]
    front, back = tiles.take(draws, "draws"), tiles.take(replacements, "replacements")
    end = tiles.take(last, "last")
    written = [_take_queue(tiles, text, seat) for seat, text in enumerate(queues)]
    for seat, size in enumerate(SIZES):
        if hands[seat].endswith(FILLED):
            tiles.fill(dealt[seat], size)
        if len(dealt[seat]) != size:
            raise GoldenError(
                f"hand of seat {seat}: {len(dealt[seat])} tiles in {format_kinds(dealt[seat])}; dealt are {size}"
            )
    start = [kind for hand in dealt for kind in hand[:13]] + dealt[0][13:]
    if queues:
        return start + _lay_queues(written, tiles.left)
    return start + front + sorted(tiles.left) + end + back[::-1]


def _take_queue(tiles: _Tiles, text: str, seat: int) -> tuple[list[int], list[int]]:
    first, _, final = text.partition(BETWEEN)
    return tiles.take(first, f"queue of seat {seat}"), tiles.take(final, f"end of the queue of seat {seat}")


def _lay_queues(written: list[tuple[list[int], list[int]]], rest: list[int]) -> list[int]:
    """Deal four queues out into the positions that round-robin gives them, seat 1 first."""
    filler = iter(sorted(rest))
    laid = [-1] * (108 - DEALT)
    for seat, (first, final) in enumerate(written):
        places = range((seat + 3) % 4, len(laid), 4)
        if len(first) + len(final) > len(places):
            raise GoldenError(f"queue of seat {seat}: {len(first) + len(final)} tiles; it has {len(places)}")
        for place, kind in zip(places, first, strict=False):
            laid[place] = kind
        for place, kind in zip(reversed(places), reversed(final), strict=False):
            laid[place] = kind
    return [kind if kind >= 0 else next(filler) for kind in laid]
