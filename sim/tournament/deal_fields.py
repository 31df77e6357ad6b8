"""The fields of a deal file's events: which values each kind of field allows.

Values are exactly typed: `2.0`, `"2"` and `true` are no whole numbers. Not in here: which event has which fields
(`sim.tournament.deal_file`), and whether a value is right in the game (`sim.tournament.refereeing`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from sim.errors import NotationError
from sim.rules.model import NAME_PATTERN
from sim.rules.words import did_you_mean, either
from sim.tiles import COPIES, format_kind, parse_tiles

FORMAT: Final = 1
"""Version of the format, in each file's first line."""
MOST_POINTS: Final = 10**9
LONGEST_TEXT: Final = 400
LONGEST_NAME: Final = 1_000
"""Characters of a strategy's name, which may hold its parameters."""
LONGEST_SHOWN: Final = 70

Check = Callable[[object], str | None]
"""What is wrong with a value: None if nothing, "" if there is no more to say than what is allowed."""


@dataclass(frozen=True)
class Field:
    """One field of an event."""

    allowed: str
    """Its values, in words."""
    check: Check
    is_required: bool = True
    """Whether every such event must have it."""

    def or_absent(self) -> Field:
        """Return the same field, but one that may be left out."""
        return replace(self, is_required=False)

    def or_null(self) -> Field:
        """Return the same field, but one that may be null."""
        return Field(f"{self.allowed}, or null", lambda value: None if value is None else self.check(value))


def show_json(value: object) -> str:
    """Show a value as a deal file has it, in ASCII, cut when it is long.

    Parameters
    ----------
    value
        Anything that JSON can hold.

    Returns
    -------
    str
        At most `LONGEST_SHOWN` characters.
    """
    try:
        text = json.dumps(value).replace("\x7f", "\\u007f")
    except RecursionError:
        text = "something deeply nested"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def whole(low: int, high: int, what: str = "") -> Field:
    """Make a field of whole numbers.

    Parameters
    ----------
    low
        The least one allowed.
    high
        The greatest one allowed.
    what
        What the number is.
    """
    allowed = f"a whole number from {low} to {high}" if high - low > 9 else either(map(str, range(low, high + 1)))
    return Field(
        f"{what}, {allowed}" if what else allowed,
        lambda value: None if type(value) is int and low <= value <= high else "",
    )


def word(*words: str) -> Field:
    """Make a field of certain words.

    Parameters
    ----------
    words
        Those allowed.
    """

    def check(value: object) -> str | None:
        if isinstance(value, str) and value in words:
            return None
        return did_you_mean(value, words).removeprefix("; ") if isinstance(value, str) else ""

    return Field(either(f'"{one}"' for one in words), check)


def list_of(count: int, item: Field) -> Field:
    """Make a field of so many equal things, one a seat.

    Parameters
    ----------
    count
        How many.
    item
        What each must be.
    """

    def check(value: object) -> str | None:
        if not isinstance(value, list) or len(value) != count:
            return ""
        return next((wrong for wrong in map(item.check, value) if wrong is not None), None)

    return Field(f"a list of {count}: each {item.allowed}", check)


def text_of(most: int, what: str) -> Field:
    """Make a field of free text, printable and not too long.

    Parameters
    ----------
    most
        How many characters at most.
    what
        What the text is.
    """

    def check(value: object) -> str | None:
        if not isinstance(value, str) or not value or len(value) > most:
            return ""
        return None if value.isprintable() else "it has characters that cannot be printed"

    return Field(f"{what}: text of 1 to {most} printable characters", check)


def tiles_of(*sizes: int, is_one_suit: bool = False) -> Field:
    """Make a field of tiles.

    Parameters
    ----------
    sizes
        How many tiles there may be.
    is_one_suit
        Whether all must be of one suit.
    """
    count = either(map(str, sizes))
    suit = " of one suit" if is_one_suit else ""
    example = "123m" if is_one_suit else "123m55p"
    allowed = "one tile, such as 5m" if sizes == (1,) else f"{count} tiles{suit}, such as {example}"

    def check(value: object) -> str | None:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            return ""
        try:
            kinds = parse_tiles(value)
        except NotationError as error:
            return str(error)
        if len(kinds) not in sizes:
            return "1 tile" if len(kinds) == 1 else f"{len(kinds)} tiles"
        return "more than one suit" if is_one_suit and len({kind // 9 for kind in kinds}) > 1 else None

    return Field(allowed, check)


def _check_hands(value: object) -> str | None:
    """Check four dealt hands, each by itself and together."""
    if not isinstance(value, list) or len(value) != 4:
        return ""
    kinds: list[int] = []
    for seat, hand in enumerate(value):
        wrong = tiles_of(13 if seat else 14).check(hand)
        if wrong is not None:
            return f"seat {seat}: {wrong or show_json(hand)}"
        kinds += parse_tiles(hand)
    return next((f"{kinds.count(kind)} of {format_kind(kind)}" for kind in kinds if kinds.count(kind) > COPIES), None)


def _check_patterns(value: object) -> str | None:
    """Check fan by pattern; whether there are such patterns is for the rules to say."""
    return None if isinstance(value, dict) and all(FAN.check(fan) is None for fan in value.values()) else ""


_ACTION = re.compile(r"win|pass|pung|(?:discard|kong) [1-9][mps]")
_OPTION = re.compile(r"win|pung|kong [1-9][mps]")


def _matching(pattern: str | re.Pattern[str]) -> Check:
    """Return a check of texts by a pattern."""
    return lambda value: None if isinstance(value, str) and re.fullmatch(pattern, value) else ""


def _check_could(value: object) -> str | None:
    """Check a list of options."""
    if not isinstance(value, list) or any(_matching(_OPTION)(item) is not None for item in value):
        return ""
    return None if len(set(value)) == len(value) else "something stands there twice"


SEAT: Final = whole(0, 3, "a seat")
TILE: Final = tiles_of(1)
FAN: Final = whole(0, MOST_POINTS)
AMOUNT: Final = whole(1, MOST_POINTS, "points")
POINTS: Final = list_of(4, whole(-MOST_POINTS, MOST_POINTS, "points"))
FLAG: Final = Field("true or false", lambda value: None if isinstance(value, bool) else "")
SEATING: Final = Field(
    "a list of the line-up slots 0, 1, 2, 3, each once, by seat",
    lambda value: None if list_of(4, SEAT).check(value) is None and len(set(value)) == 4 else "",  # type: ignore[call-overload]
)
HANDS: Final = Field("a list of 4: the dealt tiles of each seat, 14 for seat 0, 13 for the others", _check_hands)
PRESET: Final = Field("the name of a preset", _matching(NAME_PATTERN))
KNOBS: Final = Field("an object of all knobs of a preset", lambda value: None if isinstance(value, dict) else "")
PATTERNS: Final = Field("an object: fan (whole number, 0 or more) by pattern", _check_patterns)
ACTION: Final = Field('"win", "pass", "pung", or "discard" or "kong" and a tile, as in "kong 5m"', _matching(_ACTION))
COULD: Final = Field('a list of "win", "pung", "kong" and a tile, each at most once', _check_could)
