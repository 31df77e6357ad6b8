"""Compiling what strategies share, with its machine code in folders named by all sources that went into it.

The engine's own folder (`sim.jit.CACHE`) is named by the engine's sources. In it, everything of this package is kept
under the digest of the helpers, and each strategy in a folder of its own below that. So an edited strategy is compiled
alone, an edited helper compiles the strategies again and not the engine, and nothing stale is ever used.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from sim.engine.sichuan.decision import Decision
from sim.jit import CACHE, cached_in, compile_as, compile_checked, inlined, kernel
from strategies.sources import digest_of, list_helpers

F = TypeVar("F", bound=Callable[..., Any])

HELPERS_CACHE = CACHE / "strategies" / digest_of(list_helpers())
_folders = [HELPERS_CACHE]


def folder_of(digest: str, *, is_checked: bool) -> Path:
    """Return the folder of one strategy's machine code.

    Parameters
    ----------
    digest : str
        Digest of its source.
    is_checked : bool
        Whether it is compiled with bounds checks, which its machine code differs by.
    """
    return HELPERS_CACHE / (f"checked-{digest}" if is_checked else digest)


@contextlib.contextmanager
def compiled_for(folder: Path) -> Iterator[None]:
    """Keep helpers that are compiled in this block with one strategy: those that stand in its own file.

    Parameters
    ----------
    folder : Path
        The folder of its machine code.
    """
    _folders.append(folder)
    try:
        yield
    finally:
        _folders.pop()


def helper(function: F) -> F:
    """Compile a function that strategies call, with the signature of its annotations.

    Parameters
    ----------
    function : callable
        A function of numbers and records.
    """
    with cached_in(_folders[-1]):
        return kernel(function)


def inlined_helper(function: F) -> F:
    """Compile a small or hot function that strategies call, and put its code into every caller.

    Parameters
    ----------
    function : callable
        A function of numbers and records.
    """
    with cached_in(_folders[-1]):
        return inlined(function)


def compile_decision(function: Decision, folder: Path) -> Decision:
    """Compile one of a strategy's four functions.

    Parameters
    ----------
    function : callable
        ``(hand, table, rules, lookup) -> int``.
    folder : Path
        The folder of its machine code.
    """
    with cached_in(folder):
        return compile_as(Decision, function)


def compile_foreign_decision(function: Decision, folder: Path) -> tuple[Decision, list[tuple[int, str]]]:
    """Compile one of the four functions of somebody's file, with bounds checks.

    Parameters
    ----------
    function : callable
        ``(hand, table, rules, lookup) -> int``, it is hoped.
    folder : Path
        The folder of its machine code.

    Returns
    -------
    compiled : callable
        The function.
    faults : list of (int, str)
        Line and type of everything that it returns and that is no integer.
    """
    with cached_in(folder):
        return compile_checked(Decision, function)
