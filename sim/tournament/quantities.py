"""Quantities: the integers that a run adds up, each a simple function of the columns of one deal and seat.

A chunk stores the sums of all quantities, and what intervals need: sums of squares of block sums, and of products for
those pairs that some ratio is made of. All metrics (`sim.statistics.metrics`) are ratios of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ONE, VALUE, DIFFERENCE, WITHIN, BIT, SQUARE, SUM = range(7)
"""Operations: 1; column a; column a - column b; 1 if b <= column a <= c; bit b of column a; the square of column a; the
sum of columns a to b, of deals and seats in which bit c of the column ``patterns`` is set (c = -1: of all)."""

GAINED: Final = "gained_"
PAID: Final = "paid_"
NET: Final = "net_"
PATTERN: Final = "pattern_"
WIN_POINTS: Final = "win_points"
"""Points gained by winning; with ``_`` and a pattern: by wins in which it counts."""
WIN_CAUSES: Final = ("discard_win", "robbed_kong_win", "self_draw")
PATTERNS_COLUMN: Final = "patterns"
DEALS: Final = "deals"
"""1 for each deal and seat: what most metrics are divided by."""

WON, READY, NOT_READY, PIG = 0, 1, 2, 3
"""Values of the column ``status``: how a seat ended."""
MOST: Final = 2**31 - 1


@dataclass(frozen=True)
class Quantity:
    """One integer for each deal and seat, made of columns."""

    name: str
    """Its name in ledgers."""
    operation: int
    """ONE ... SUM."""
    column: str = ""
    """The column a."""
    other: str = ""
    """The column b of a DIFFERENCE or a SUM."""
    low: int = 0
    """The b of WITHIN and BIT, the c of SUM."""
    high: int = 0
    """The c of WITHIN."""
    has_squares: bool = True
    """Whether squares of block sums are kept, for intervals."""


_FROM_STATUS: Final = (
    Quantity("remaining", WITHIN, "status", low=READY, high=PIG),
    Quantity("ready", WITHIN, "status", low=READY, high=READY),
    Quantity("not_ready", WITHIN, "status", low=NOT_READY, high=NOT_READY),
    Quantity("pig", WITHIN, "status", low=PIG, high=PIG),
)
_FROM_WINS: Final = (
    Quantity("won", WITHIN, "win_order", low=1, high=MOST),
    Quantity("won_first", WITHIN, "win_order", low=1, high=1),
    Quantity("won_second", WITHIN, "win_order", low=2, high=2),
    Quantity("won_third", WITHIN, "win_order", low=3, high=3),
    Quantity("won_self_draw", WITHIN, "win_form", low=1, high=1),
    Quantity("won_discard", WITHIN, "win_form", low=2, high=2),
    Quantity("won_robbed_kong", WITHIN, "win_form", low=3, high=3),
    Quantity("dealt_in", WITHIN, "deal_ins", low=1, high=MOST),
    Quantity("was_robbed", WITHIN, "robbed", low=1, high=MOST),
)
_AS_THEY_ARE: Final = (
    "points",
    "fan",
    "value",
    "deal_ins",
    "turns",
    "melds",
    "kongs",
    "exhausted",
    "wins",
    "draws",
    "forfeits",
)


def make_quantities(columns: Iterable[str], patterns: Sequence[str]) -> tuple[Quantity, ...]:
    """List the quantities of a game.

    Parameters
    ----------
    columns
        Names of its columns.
    patterns
        Name of each bit of the column ``patterns``.

    Returns
    -------
    tuple of Quantity
        In the order in which ledgers have them. A quantity whose column is absent is left out.
    """
    names = tuple(columns)
    causes = causes_of(names)
    found = [Quantity(DEALS, ONE)]
    found += [Quantity(name, VALUE, name) for name in _AS_THEY_ARE]
    found.append(Quantity("points_squared", SQUARE, "points", has_squares=False))
    found += [*_FROM_WINS, *_FROM_STATUS]
    for cause in causes:
        found.append(Quantity(GAINED + cause, VALUE, GAINED + cause))
        found.append(Quantity(PAID + cause, VALUE, PAID + cause))
        found.append(Quantity(NET + cause, DIFFERENCE, GAINED + cause, PAID + cause))
    found += [Quantity(PATTERN + name, BIT, PATTERNS_COLUMN, low=bit) for bit, name in enumerate(patterns)]
    wins = [GAINED + cause for cause in WIN_CAUSES if GAINED + cause in names]
    if wins:
        found.append(Quantity(WIN_POINTS, SUM, wins[0], wins[-1], low=-1))
    if wins and PATTERNS_COLUMN in names:
        found += [
            Quantity(f"{WIN_POINTS}_{name}", SUM, wins[0], wins[-1], low=bit) for bit, name in enumerate(patterns)
        ]
    return tuple(item for item in found if item.operation == ONE or item.column in names)


def causes_of(columns: Iterable[str]) -> tuple[str, ...]:
    """List the causes of payments, from the names of columns or quantities."""
    return tuple(name.removeprefix(GAINED) for name in columns if name.startswith(GAINED))


def make_pairs(quantities: Iterable[Quantity]) -> tuple[tuple[str, str], ...]:
    """List the pairs whose products of block sums are kept: numerator and denominator of ratios with a varying one.

    Parameters
    ----------
    quantities
        As `make_quantities` gives them.

    Returns
    -------
    tuple of pairs
        In the order in which ledgers have them.
    """
    names = [item.name for item in quantities]
    per_win = ["won_self_draw", "won_robbed_kong", "fan", "value", *(n for n in names if n.startswith(PATTERN))]
    per_remaining = ["ready", "not_ready", "pig"]
    pairs = [(name, "won") for name in per_win] + [(name, "remaining") for name in per_remaining]
    pairs += [(name, WIN_POINTS) for name in names if name.startswith(f"{WIN_POINTS}_")]
    return tuple(pair for pair in pairs if pair[0] in names and pair[1] in names)
