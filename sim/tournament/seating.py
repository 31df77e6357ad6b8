"""Who sits where: the seatings of a line-up, whose deals on one wall make a block.

A seating gives for each seat the *slot* (position in the line-up, 0 to 3) that sits there.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Sequence

SEATS: Final = 4
Seating = tuple[int, int, int, int]
Design = Literal["auto", "fixed", "cyclic", "all", "swap"]
DESIGNS: Final[tuple[Design, ...]] = get_args(Design)
_AS_WRITTEN: Final[Seating] = (0, 1, 2, 3)


def make_seatings(strategies: Sequence[str], design: Design) -> tuple[Seating, ...]:
    """List the seatings of a line-up, the one as written first.

    Parameters
    ----------
    strategies
        The names of the line-up's four slots.
    design
        ``auto``: every arrangement of the strategies once (1 for four of a kind, 4 for one against three, 6 for two
        against two, 12 for two alike and two others, 24 for four different ones). ``fixed``: slot i in seat i only.
        ``cyclic``: the four rotations. ``all``: all 24 permutations of the slots, also of equal ones. ``swap``: two
        against two, partners opposite, and the same with the seats swapped.

    Returns
    -------
    tuple of seatings
        Under ``auto``, rotations of one arrangement keep their slots, so that each slot sits in each seat equally often
        wherever the counts allow it (always, except for two against two and four of a kind).

    Raises
    ------
    ValueError
        The line-up has no such design.

    Examples
    --------
    >>> make_seatings(["ukeire", "random", "random", "random"], "auto")
    ((0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0))
    """
    if design == "fixed":
        return (_AS_WRITTEN,)
    if design == "cyclic":
        return tuple(_rotate(_AS_WRITTEN, by) for by in range(SEATS))
    if design == "all":
        return tuple((a, b, c, d) for a, b, c, d in permutations(range(SEATS)))
    if design == "swap":
        return _swap(strategies)
    return _distinct(strategies)


def _rotate(seating: Seating, by: int) -> Seating:
    """Move everybody some seats on in turn order."""
    a, b, c, d = (seating[(seat - by) % SEATS] for seat in range(SEATS))
    return (a, b, c, d)


def _distinct(strategies: Sequence[str]) -> tuple[Seating, ...]:
    """List the arrangements of the strategies, each once."""
    seen: set[tuple[str, ...]] = set()
    found: list[Seating] = []
    for a, b, c, d in permutations(range(SEATS)):
        for by in range(SEATS):
            seating = _rotate((a, b, c, d), by)
            arrangement = tuple(strategies[slot] for slot in seating)
            if arrangement not in seen:
                seen.add(arrangement)
                found.append(seating)
    return tuple(found)


def _swap(strategies: Sequence[str]) -> tuple[Seating, ...]:
    """Seat two pairs of partners opposite each other, both ways round."""
    first = [slot for slot in range(SEATS) if strategies[slot] == strategies[0]]
    second = [slot for slot in range(SEATS) if strategies[slot] != strategies[0]]
    if len(first) != 2 or strategies[second[0]] != strategies[second[1]]:
        raise ValueError('"swap" is for two against two: two strategies, each named twice')
    seating = (first[0], second[0], first[1], second[1])
    return (seating, _rotate(seating, 1))
