"""How a strategy is named: by its name or its file, perhaps with its class there, perhaps with parameters.

``ukeire``, ``ukeire{danger=0.4}``, ``path/to/mine.py``, ``path/to/mine.py:Careful{danger=0.4}``. Light, since it is
read before anything is compiled. Not in here: which names and parameters there are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from sim.errors import StrategyError

FORMS = "NAME, path/to/file.py or path/to/file.py:NAME, each perhaps with parameters as in NAME{danger=0.4}"
SUFFIX = ".py"


@dataclass(frozen=True)
class Reference:
    """A strategy, as somebody names it."""

    text: str
    """What was written."""
    name: str | None
    """The name of a strategy that comes with the program; None if a file is named."""
    file: Path | None
    """The file."""
    entry: str | None
    """Which strategy of the file; None if it has only one."""
    values: tuple[tuple[str, float], ...]
    """Parameters that are given, in the order in which they are."""


def parse_reference(text: str) -> Reference:
    """Read what somebody wrote for a strategy.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    Reference
        Its parts; whether there is such a strategy is not looked at.

    Raises
    ------
    StrategyError
        It has another form, or a value is no number.

    Examples
    --------
    >>> parse_reference("mine.py:Careful{danger=0.4}").values
    (('danger', 0.4),)
    """
    written = text.strip()
    base, brace, inside = written.partition("{")
    if brace and not inside.endswith("}"):
        raise StrategyError(f"strategy {text!r}: the brace is not closed; allowed: {FORMS}")
    values = _parse_values(text, inside.removesuffix("}")) if brace else ()
    base = base.strip()
    if not base:
        raise StrategyError(f"strategy {text!r}: no name; allowed: {FORMS}")
    path, colon, entry = base.rpartition(":")
    if colon and path.endswith(SUFFIX):
        if not entry.isidentifier():
            raise StrategyError(f"strategy {text!r}: {entry!r} is no name in a Python file; allowed: {FORMS}")
        return Reference(text, None, Path(path).expanduser(), entry, values)
    if base.endswith(SUFFIX):
        return Reference(text, None, Path(base).expanduser(), None, values)
    return Reference(text, base, None, None, values)


def _parse_values(text: str, inside: str) -> tuple[tuple[str, float], ...]:
    """Read the parameters between the braces."""
    values: list[tuple[str, float]] = []
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, written = (piece.strip() for piece in part.partition("="))
        if not equals or not name.isidentifier():
            raise StrategyError(f"strategy {text!r}: {part!r} is no parameter; allowed: name=number")
        if name in dict(values):
            raise StrategyError(f"strategy {text!r}: parameter {name!r} comes twice")
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise StrategyError(f"strategy {text!r}: {name} is {written!r}; allowed: a number")
        values.append((name, value))
    return tuple(values)


def split_references(text: str) -> list[str]:
    """Split a list of strategies at its commas, but not inside braces.

    Parameters
    ----------
    text : str
        Strategies by commas.

    Examples
    --------
    >>> split_references("ukeire{a=1,b=2}, random")
    ['ukeire{a=1,b=2}', 'random']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def from_folder(text: str, folder: Path) -> str:
    """Let the path of a strategy's file start from a folder.

    Parameters
    ----------
    text : str
        What somebody wrote for a strategy; a name stays what it is, and so does what is not right.
    folder : Path
        Where relative paths start.

    Examples
    --------
    >>> from_folder("mine.py{a=1}", Path("games"))
    'games/mine.py{a=1}'
    """
    base = text.partition("{")[0].strip()
    path = base if base.endswith(SUFFIX) else base.rpartition(":")[0]
    if not path.endswith(SUFFIX) or Path(path).expanduser().is_absolute():
        return text
    return str(folder / text.strip())


def show_value(value: float) -> str:
    """Write the value of a parameter the short way.

    Parameters
    ----------
    value : float
        The value.

    Examples
    --------
    >>> show_value(3.0), show_value(0.25)
    ('3', '0.25')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
