"""Words for messages: the nearest spelling, and how a value that came is shown.

Nothing here knows about presets, so that other readers of files can say things the same way.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_SHOWN: Final = 60


def nearest(word: str, allowed: Collection[str]) -> str | None:
    """Find the allowed word that is spelt most like another, ignoring case and the choice of `-`, `_` or blank.

    Parameters
    ----------
    word
        What came.
    allowed
        What could have been meant.

    Returns
    -------
    str or None
        The nearest one; None when nothing is near.

    Examples
    --------
    >>> nearest("mahjonggo", ["mahjong-planet", "mahjongo"])
    'mahjongo'
    """
    plain = {_plain(option): option for option in allowed}
    found = difflib.get_close_matches(_plain(word), list(plain), n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def _plain(word: str) -> str:
    """Drop what spellings often differ in."""
    return word.casefold().replace("_", "-").replace(" ", "-")


def is_no_file(path: Path) -> bool:
    """Tell whether there is something at a path that is neither a file nor a folder, and might be read for ever.

    Parameters
    ----------
    path
        The path.
    """
    try:
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False  # reading it tells what is wrong


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Count things: "1 deal", "2,000 deals".

    Parameters
    ----------
    number
        How many.
    noun
        What one is called.
    plural
        What several are called; the noun with an s when empty.

    Examples
    --------
    >>> count_of(1, "deal"), count_of(2000, "deal"), count_of(2, "entry", "entries")
    ('1 deal', '2,000 deals', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def did_you_mean(word: str, allowed: Collection[str]) -> str:
    """Give "; did you mean ...?" for a message, or nothing when no allowed word is near.

    Parameters
    ----------
    word
        What came.
    allowed
        What could have been meant.
    """
    found = nearest(word, allowed)
    return f"; did you mean {found}?" if found is not None else ""


def either(words: Iterable[str]) -> str:
    """Join words for a sentence: `a, b or c`.

    Parameters
    ----------
    words
        At least one.

    Examples
    --------
    >>> either(["left", "across", "right"])
    'left, across or right'
    """
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def show_value(value: object) -> str:
    """Show a value as a TOML file has it, cut when it is long.

    Parameters
    ----------
    value
        Whatever a TOML file or a caller gave.
    """
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = "".join(_show_character(one) for one in json.dumps(value[:LONGEST_SHOWN], ensure_ascii=False))
    elif value is None:
        text = '"none"'
    elif isinstance(value, Mapping):
        text = "{...}" if value else "{}"
    elif isinstance(value, (list, tuple)):
        text = "[" + ", ".join(show_value(item) for item in value[:LONGEST_SHOWN]) + "]"
    elif isinstance(value, int) and abs(value) >= 10**18:
        text = "a very long whole number"
    else:
        text = str(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def _show_character(character: str) -> str:
    """Write a character that would break a line, or not be seen, as an escape."""
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def show_key(key: str) -> str:
    """Show a key as a TOML file has it: as it is when it needs no quotation marks.

    Parameters
    ----------
    key
        One key, or several joined by dots.
    """
    return key if re.fullmatch(r"[A-Za-z0-9_.-]{1,60}", key) is not None else show_value(key)


def kind_of_value(value: object) -> str:
    """Name the type of a value in the words of a TOML file.

    Parameters
    ----------
    value
        Whatever a TOML file or a caller gave.
    """
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int):
        return "a whole number"
    if isinstance(value, float):
        return "a float"
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "an array"
    return "a date or time" if hasattr(value, "isoformat") else f"a {type(value).__name__}"
