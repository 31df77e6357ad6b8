"""Where strategies' sources are, by name; light, since it is read before anything is compiled.

Not in here: how a source is read and compiled (`strategies.loader`).
"""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sim.errors import StrategyError

if TYPE_CHECKING:
    from collections.abc import Iterable

SHIPPED = ("first_legal", "random", "isolation", "shanten", "ukeire", "value", "defence", "rollout")
"""Strategies that come with the program, weakest first."""
FOLDER = Path(__file__).parent
DEFAULTS = FOLDER / "defaults.py"
MACHINERY = (
    "addresses",
    "batch",
    "batch_kernels",
    "beside",
    "blindness",
    "contract",
    "diagnosis",
    "loader",
    "observation",
    "parameters",
    "permuting",
    "python",
    "references",
    "registry",
    "scaffold",
    "sources",
    "spelling",
)
"""What handles strategies and is no part of one."""


def list_helpers() -> list[Path]:
    """Return the sources of this folder that go into every strategy: no strategies, and not what handles them.

    Returns
    -------
    list of Path
        In a fixed order.
    """
    return sorted(source for source in FOLDER.glob("*.py") if source.stem not in {*SHIPPED, *MACHINERY})


def digest_of(sources: Iterable[Path]) -> str:
    """Return a digest of the names and contents of some files.

    Parameters
    ----------
    sources : iterable of Path
        Files that exist.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    digest = hashlib.sha256()
    for source in sources:
        content = source.read_bytes()
        digest.update(f"{source.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def find_source(name: str) -> Path:
    """Return the file of a strategy.

    Parameters
    ----------
    name : str
        The name of a shipped strategy.

    Returns
    -------
    Path
        Its source.

    Raises
    ------
    StrategyError
        If there is no strategy of that name.

    Examples
    --------
    >>> find_source("ukeire").name
    'ukeire.py'
    """
    if name in SHIPPED:
        return FOLDER / f"{name}.py"
    close = difflib.get_close_matches(name.strip().lower().replace("-", "_"), SHIPPED, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    message = f"there is no strategy {name!r}: the strategies are {', '.join(SHIPPED)}, and files (*.py){hint}"
    raise StrategyError(message)
