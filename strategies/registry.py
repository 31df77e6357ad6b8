"""Strategies by name: the entrance to this package.

Not in here: how a strategy's file is read and compiled (`strategies.loader`), imported only when one is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strategies.sources import SHIPPED, find_source

if TYPE_CHECKING:
    from strategies.loader import Strategy


def list_strategies() -> tuple[str, ...]:
    """Return the names of the strategies that come with the program, weakest first.

    Returns
    -------
    tuple of str
        Names that `load_strategy` takes.

    Examples
    --------
    >>> list_strategies()[0]
    'first_legal'
    """
    return SHIPPED


def load_strategy(name: str) -> Strategy:
    """Load a strategy: compile its functions, or take them from the cache. No other strategy is touched.

    Parameters
    ----------
    name : str
        One of `list_strategies`.

    Returns
    -------
    Strategy
        Ready to play.

    Raises
    ------
    StrategyError
        If there is no strategy of that name, or its file is not right.

    Examples
    --------
    >>> load_strategy("ukeire").name
    'ukeire'
    """
    source = find_source(name)
    from strategies.loader import load_source  # noqa: PLC0415 - names are listed without loading Numba

    return load_source(name, source)
