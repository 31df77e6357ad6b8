"""Tiles as people write them: `123m55p789s`, and the Unicode tiles.

Suits are `m` (characters), `p` (circles) and `s` (bamboo), in the order of their kinds: kind 9 * suit + rank - 1. The
ranks stand before their suit, spaces may stand anywhere. Nothing here needs Numba or NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KINDS = 27
RANKS = 9
COPIES = 4
SUIT_LETTERS = "mps"
SUIT_NAMES = ("characters", "circles", "bamboo")
_RANK_DIGITS = "123456789"
_UNICODE_ONES = (
    "\N{MAHJONG TILE ONE OF CHARACTERS}",
    "\N{MAHJONG TILE ONE OF CIRCLES}",
    "\N{MAHJONG TILE ONE OF BAMBOOS}",
)
_SUITS_ALLOWED = "m (characters), p (circles), s (bamboo)"


def format_kind(kind: int) -> str:
    """Write one kind.

    Parameters
    ----------
    kind : int
        The kind, 0 to 26.

    Returns
    -------
    str
        Its rank and suit.

    Examples
    --------
    >>> format_kind(13)
    '5p'
    """
    suit, rank = divmod(int(kind), RANKS)
    return f"{rank + 1}{SUIT_LETTERS[suit]}"


def format_kinds(kinds: Iterable[int]) -> str:
    """Write tiles in the order in which they are given, each suit's letter once for its neighbours.

    Parameters
    ----------
    kinds : iterable of int
        Kinds, 0 to 26. Sort them first to have each suit together.

    Returns
    -------
    str
        The tiles.

    Examples
    --------
    >>> format_kinds([0, 1, 2, 13, 13])
    '123m55p'
    >>> format_kinds([13, 0, 13])
    '5p1m5p'
    """
    words: list[str] = []
    for tile in map(format_kind, kinds):
        if words and words[-1][-1] == tile[-1]:
            words[-1] = words[-1][:-1] + tile
        else:
            words.append(tile)
    return "".join(words)


def format_counts(counts: Sequence[int]) -> str:
    """Write how many tiles of each kind there are, in ascending order.

    Parameters
    ----------
    counts : sequence of 27 int
        Tiles of each kind.

    Returns
    -------
    str
        The tiles.

    Examples
    --------
    >>> format_counts([1, 1, 1, *[0] * 23, 2])
    '123m99s'
    """
    return format_kinds(kind for kind, count in enumerate(counts) for _ in range(count))


def unicode_kind(kind: int) -> str:
    """Give the Unicode character of a kind.

    Parameters
    ----------
    kind : int
        The kind, 0 to 26.

    Returns
    -------
    str
        One character.
    """
    suit, rank = divmod(int(kind), RANKS)
    return chr(ord(_UNICODE_ONES[suit]) + rank)


def unicode_kinds(kinds: Iterable[int]) -> str:
    """Give the Unicode characters of tiles, in the order in which they are given.

    Parameters
    ----------
    kinds : iterable of int
        Kinds, 0 to 26.

    Returns
    -------
    str
        One character a tile.
    """
    return "".join(map(unicode_kind, kinds))


def parse_tiles(text: str) -> list[int]:
    """Read tiles, as many as there are.

    Parameters
    ----------
    text : str
        Tiles such as ``123m55p``, at most four of a kind; spaces do not matter.

    Returns
    -------
    list of int
        Their kinds, in the order in which they are written.

    Raises
    ------
    NotationError
        If something is no tile, a suit is missing, or there is a fifth tile of a kind; it says where.

    Examples
    --------
    >>> parse_tiles("21m 5p")
    [1, 0, 13]
    """
    kinds: list[int] = []
    ranks: list[tuple[int, int]] = []  # each with its place in the text
    for place, letter in enumerate(text, start=1):
        if letter.isspace():
            continue
        if letter in _RANK_DIGITS:
            ranks.append((int(letter) - 1, place))
        elif letter not in SUIT_LETTERS:
            raise NotationError(_unknown(text, letter, place))
        elif not ranks:
            raise NotationError(
                f"no rank before the suit {letter!r} at character {place} of {text!r}; ranks come first, as in 123m"
            )
        else:
            for rank, rank_place in ranks:
                kind = RANKS * SUIT_LETTERS.index(letter) + rank
                if kinds.count(kind) == COPIES:
                    raise NotationError(
                        f"a fifth {format_kind(kind)} at character {rank_place} of {text!r};"
                        f" there are {COPIES} tiles of each kind"
                    )
                kinds.append(kind)
            ranks = []
    if ranks:
        raise NotationError(
            f"no suit after the {ranks[-1][0] + 1} at character {ranks[-1][1]} of {text!r}; suits are {_SUITS_ALLOWED}"
        )
    return kinds


def _unknown(text: str, letter: str, place: int) -> str:
    """Say why a character is neither a rank nor a suit."""
    where = f"at character {place} of {text!r}"
    if letter == "0":
        return f"rank 0 {where}; ranks are 1 to 9, and there are no red fives"
    if letter in "zZ":
        return f"suit {letter!r} {where}; suits are {_SUITS_ALLOWED}: there are no winds and no dragons"
    hint = f"; did you mean {letter.lower()!r}?" if letter.lower() in SUIT_LETTERS else ""
    return f"unknown character {letter!r} {where}; allowed are the ranks 1 to 9 and the suits {_SUITS_ALLOWED}{hint}"


def parse_tile(text: str) -> int:
    """Read exactly one tile.

    Parameters
    ----------
    text : str
        A tile such as ``5p``.

    Returns
    -------
    int
        Its kind, 0 to 26.

    Raises
    ------
    NotationError
        If it is no tile, or not one.

    Examples
    --------
    >>> parse_tile("5p")
    13
    """
    kinds = parse_tiles(text)
    if len(kinds) != 1:
        raise NotationError(f"{len(kinds)} tiles in {text!r}; exactly one is wanted, such as 5p")
    return kinds[0]


def parse_counts(text: str, sizes: Sequence[int] = ()) -> list[int]:
    """Read tiles and count them by kind.

    Parameters
    ----------
    text : str
        Tiles such as ``123m55p``.
    sizes : sequence of int
        How many tiles there may be, such as (13, 14) for a hand without melds; none for any number.

    Returns
    -------
    list of 27 int
        Tiles of each kind, 0 to 4.

    Raises
    ------
    NotationError
        If it cannot be read, or has another number of tiles.

    Examples
    --------
    >>> parse_counts("1123m")[:4]
    [2, 1, 1, 0]
    """
    kinds = parse_tiles(text)
    if sizes and len(kinds) not in sizes:
        allowed = " or ".join(str(size) for size in sizes)
        raise NotationError(f"{len(kinds)} tiles in {text!r}; allowed: {allowed}")
    return [kinds.count(kind) for kind in range(KINDS)]
