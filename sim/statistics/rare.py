"""Differences that few walls make: when an interval means something, and what "nothing happened" is worth.

A difference of two presets comes from the walls on which the change of rules changed points. With a handful of them the
t-interval over blocks is far too narrow, and with none it is ±0, which is not the same as known exactly. It is walls
that count, not deals: all seatings of a wall are one block, and what changes one of them often changes others.
"""

from __future__ import annotations

import math
from typing import Final

FEW: Final = 100
"""Changed walls below which an interval is too narrow to be relied on (docs/statistics-checks.md)."""
FEW_OF_PILOT: Final = 30
"""Changed walls below which a pilot does not say what a run is going to find."""
FEWEST_WALLS: Final = 10_000
"""Walls of which none changed, from which a run may stop and say so: then fewer than 0.03 % do."""


def is_settled(changed: int, walls: int) -> bool:
    """Say whether an interval of a difference may be relied on, or enough walls were played of which none changed.

    Parameters
    ----------
    changed
        Walls on which the change of rules changed points.
    walls
        Walls.
    """
    return changed >= FEW or is_nothing(changed, walls)


def is_nothing(changed: int, walls: int) -> bool:
    """Say whether no wall changed, of so many that this may be said.

    Parameters
    ----------
    changed, walls
        As in `is_settled`.
    """
    return changed == 0 and walls >= FEWEST_WALLS


def bound_of(walls: int) -> str:
    """Say on how many walls something happens at most that was not seen once: the rule of three, 3/n (Hanley 1983).

    Parameters
    ----------
    walls
        Walls on which it was looked for.

    Examples
    --------
    >>> bound_of(10_000)
    'fewer than 0.03 % of walls, 95 %'
    """
    percent = min(300 / max(walls, 1), 100.0)
    digits = max(0, 1 - math.floor(math.log10(percent)))
    shown = f"{math.ceil(round(percent * 10**digits, 6)) / 10**digits:.{digits}f}"
    return f"fewer than {shown.rstrip('0').rstrip('.') if digits else shown} % of walls, 95 %"


def nothing_words(walls: int) -> str:
    """Say that no wall changed, and what that is worth.

    Parameters
    ----------
    walls
        Walls.
    """
    return f"no wall of {walls:,} changed: fewer than 3/{walls:,} of walls (95 %)"


def few_words(changed: int) -> str:
    """Say that too few walls changed.

    Parameters
    ----------
    changed
        Walls on which the change of rules changed points.
    """
    walls = "no wall" if changed == 0 else f"only {changed} wall{'' if changed == 1 else 's'}"
    return f"{walls} changed; intervals are relied on from {FEW} changed walls, or {FEWEST_WALLS:,} walls and none"
