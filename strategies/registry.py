"""Strategies by name: the entrance to this package.

Not in here: how a strategy's file is read and compiled (`strategies.loader`), imported only when one is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from strategies.references import parse_reference
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

    A strategy's file is code, and is executed.

    Parameters
    ----------
    name : str
        One of `list_strategies`, or a file: ``path/to/file.py``, ``path/to/file.py:NAME`` for one of the classes in it;
        each perhaps with parameters, as in ``NAME{danger=0.4}``.

    Returns
    -------
    Strategy
        Ready to play.

    Raises
    ------
    StrategyError
        If there is no strategy of that name, or its file or a parameter is not right.

    Examples
    --------
    >>> load_strategy("ukeire").name
    'ukeire'
    """
    reference = parse_reference(name)
    if reference.name is not None:
        find_source(reference.name)
    from strategies.loader import load_reference  # noqa: PLC0415 - names are listed without loading Numba

    return load_reference(reference)
