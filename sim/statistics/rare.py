"""Differences of which few deals or none are: when an interval means something, and what "nothing happened" is worth.

A difference of two presets comes from the deals that the change of rules changed. With a handful of them the t-interval
over blocks is far too narrow, and with none it is ±0, which is not the same as known exactly.
"""

from __future__ import annotations

import math
from typing import Final

FEW: Final = 30
"""Changed deals below which an interval is too narrow to be relied on."""
FEWEST_DEALS: Final = 10_000
"""Deals of a cell of which none changed, from which a run may stop and say so: then fewer than 0.03 % do."""


def is_settled(changed: int, deals: int) -> bool:
    """Say whether an interval of a difference may be relied on, or enough deals were played of which none changed.

    Parameters
    ----------
    changed
        Deals that the change of rules changed.
    deals
        Deals of each of the two cells.
    """
    return changed >= FEW or is_nothing(changed, deals)


def is_nothing(changed: int, deals: int) -> bool:
    """Say whether no deal changed, of so many that this may be said.

    Parameters
    ----------
    changed, deals
        As in `is_settled`.
    """
    return changed == 0 and deals >= FEWEST_DEALS


def bound_of(deals: int) -> str:
    """Say how often something happens at most that was not seen once: the rule of three, 3/n (Hanley 1983).

    Deals are taken as independent of each other.

    Parameters
    ----------
    deals
        Deals in which it was looked for.

    Examples
    --------
    >>> bound_of(10_000)
    'fewer than 0.03 % of deals, 95 %'
    """
    percent = min(300 / max(deals, 1), 100.0)
    digits = max(0, 1 - math.floor(math.log10(percent)))
    shown = f"{math.ceil(round(percent * 10**digits, 6)) / 10**digits:.{digits}f}"
    return f"fewer than {shown.rstrip('0').rstrip('.') if digits else shown} % of deals, 95 %"


def nothing_words(deals: int) -> str:
    """Say that no deal changed, and what that is worth.

    Parameters
    ----------
    deals
        Deals of each of the two cells.
    """
    return f"no deal of {deals:,} changed: fewer than 3/{deals:,} of deals (95 %)"


def few_words(changed: int) -> str:
    """Say that too few deals changed.

    Parameters
    ----------
    changed
        Deals that the change of rules changed.
    """
    deals = "no deal" if changed == 0 else f"only {changed} deal{'' if changed == 1 else 's'}"
    return f"{deals} changed; intervals are relied on from {FEW} changed deals, or {FEWEST_DEALS:,} deals and none"
