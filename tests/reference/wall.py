"""The dealt tiles and the two wall modes (chapter 2.1 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tests.reference.records import KINDS, SEATS, turn_order

if TYPE_CHECKING:
    from collections.abc import Sequence


class Wall(Protocol):
    """What the referee needs of a wall."""

    def left(self) -> list[int]:
        """Return the kinds not drawn yet."""
        ...

    def draw(self, seat: int, *, replacement: bool) -> int:
        """Take the next tile of a seat."""
        ...


class SharedWall:
    """The physical wall: draws come from the front, kong replacements from the back."""

    def __init__(self, tiles: Sequence[int]) -> None:
        self.tiles = list(tiles)

    def left(self) -> list[int]:
        """Return the kinds not drawn yet, front first."""
        return list(self.tiles)

    def draw(self, seat: int, *, replacement: bool) -> int:  # noqa: ARG002 - everybody draws from the same wall
        """Take the first tile, or the last one as a replacement."""
        return self.tiles.pop() if replacement else self.tiles.pop(0)


class PerSeatWall:
    """Four queues fixed in advance, seat 1 first; draws and replacements are the own queue's next tile."""

    def __init__(self, tiles: Sequence[int]) -> None:
        self.queues: list[list[int]] = [[] for _ in range(SEATS)]
        for turn, kind in enumerate(tiles):
            self.queues[(1 + turn) % SEATS].append(kind)

    def left(self) -> list[int]:
        """Return the kinds not drawn yet, queue by queue."""
        return [kind for queue in self.queues for kind in queue]

    def draw(self, seat: int, *, replacement: bool) -> int:  # noqa: ARG002 - no back of the wall in this mode
        """Take the own next tile; from an empty queue, the last tile of the longest one, the nearest on ties."""
        if self.queues[seat]:
            return self.queues[seat].pop(0)
        longest = max(len(queue) for queue in self.queues)
        lender = next(other for other in turn_order(seat) if len(self.queues[other]) == longest)
        return self.queues[lender].pop()


def check_tiles(tiles: Sequence[int]) -> None:
    """Refuse anything but four copies of each of the 27 kinds."""
    if sorted(tiles) != sorted(list(range(KINDS)) * 4):
        raise ValueError(f"a wall is 108 tiles, four of each kind 0..26; got {len(tiles)} tiles: {list(tiles)}")


def deal_tiles(tiles: Sequence[int]) -> list[list[int]]:
    """Counts of the four hands: thirteen each from the first 52 positions, the dealer also position 52."""
    hands = [[0] * KINDS for _ in range(SEATS)]
    for position in range(52):
        hands[position // 13][tiles[position]] += 1
    hands[0][tiles[52]] += 1
    return hands


def build_wall(mode: str, tiles: Sequence[int]) -> SharedWall | PerSeatWall:
    """Build the wall of the 55 tiles from position 53 on."""
    if mode == "shared":
        return SharedWall(tiles[53:])
    if mode == "per_seat":
        return PerSeatWall(tiles[53:])
    raise ValueError(f"the wall mode is 'shared' or 'per_seat'; got {mode!r}")
