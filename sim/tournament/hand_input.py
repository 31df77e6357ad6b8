"""A hand as a person writes it: concealed tiles, melds, what else is visible; checked, and made the engine's record.

Not in here: what is found out about the hand (`sim.tournament.hand_report`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.engine.hands.hand import ADDED_KONG, CONCEALED_KONG, EXPOSED_KONG, PUNG, Hand, add_tile
from sim.errors import ConfigError, NotationError
from sim.jit import new
from sim.rules.words import did_you_mean, either, show_value
from sim.tiles import COPIES, KINDS, RANKS, SUIT_LETTERS, SUIT_NAMES, format_kind, parse_tile, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

FORMS: Final[dict[str, int]] = {
    "pung": PUNG,
    "kong": EXPOSED_KONG,
    "concealed kong": CONCEALED_KONG,
    "exposed kong": EXPOSED_KONG,
    "added kong": ADDED_KONG,
}
"""What a meld can be called; a plain kong is as good as an exposed one, since no pattern asks for its form."""
_CONCEALED: Final = 13
"""Concealed tiles of a hand without melds, between turns."""
_MOST_MELDS: Final = 4


@dataclass(frozen=True)
class Meld:
    """A declared group."""

    name: str
    """What it is called, one of `FORMS`."""
    kind: int
    """Its kind."""

    @property
    def tiles(self) -> int:
        """Tiles in it, 3 or 4."""
        return 3 if FORMS[self.name] == PUNG else COPIES

    def __str__(self) -> str:
        """Write it as it is read."""
        return f"{self.name} {format_kind(self.kind)}"


@dataclass(frozen=True)
class HandInput:
    """A hand that can exist, and what else its player sees."""

    tiles: tuple[int, ...]
    """Kinds of the concealed tiles, as they were written."""
    melds: tuple[Meld, ...] = ()
    """Melds."""
    seen: tuple[int, ...] = ()
    """Kinds of the tiles visible elsewhere: discards and others' melds."""

    @property
    def counts(self) -> list[int]:
        """Concealed tiles of each kind."""
        return [self.tiles.count(kind) for kind in range(KINDS)]

    @property
    def held(self) -> list[int]:
        """Tiles of each kind in hand and melds."""
        counts = self.counts
        for meld in self.melds:
            counts[meld.kind] += meld.tiles
        return counts

    @property
    def live(self) -> list[int]:
        """Tiles of each kind that are neither held nor seen."""
        return [COPIES - held - self.seen.count(kind) for kind, held in enumerate(self.held)]

    @property
    def is_turn(self) -> bool:
        """Whether it has a tile more than between turns: 14 with melds counted as three each."""
        return len(self.tiles) == _CONCEALED + 1 - 3 * len(self.melds)

    def count_suit(self, suit: int) -> int:
        """Count the concealed tiles of a suit.

        Parameters
        ----------
        suit
            The suit, 0 to 2.
        """
        return sum(kind // RANKS == suit for kind in self.tiles)

    def suits_of_melds(self) -> set[int]:
        """Give the suits that melds are of, none of which can be void."""
        return {meld.kind // RANKS for meld in self.melds}

    def to_record(self, void_suit: int) -> Any:
        """Make the engine's record of it.

        Parameters
        ----------
        void_suit
            The void suit, 0 to 2.
        """
        hand = new(Hand)[0]
        for kind in self.tiles:
            add_tile(hand, kind)
        for index, meld in enumerate(self.melds):
            form = FORMS[meld.name]
            hand.meld_kinds[index], hand.meld_forms[index] = meld.kind, form
            if form == PUNG:
                hand.pungs |= 1 << meld.kind
            else:
                hand.kongs |= 1 << meld.kind
        hand.count_melds = len(self.melds)
        hand.void_suit = void_suit
        hand.suit_order[:] = (0, 1, 2)
        return hand


def read_hand(tiles: str, melds: str = "", seen: str = "") -> HandInput:
    """Read a hand.

    Parameters
    ----------
    tiles
        Concealed tiles, such as ``123m55p789s``: 13 or 14, less three for each meld.
    melds
        Melds by commas, such as ``pung 5p, concealed kong 3s``.
    seen
        Tiles visible elsewhere.

    Raises
    ------
    NotationError
        It cannot be read, has another number of tiles, or needs a fifth tile of a kind.

    Examples
    --------
    >>> read_hand("123m", "pung 5p, pung 6p, kong 3s").is_turn
    False
    """
    declared = read_melds(melds)
    try:
        found = HandInput(tuple(parse_tiles(tiles)), declared, tuple(parse_tiles(seen)))
    except NotationError as error:
        raise NotationError(f"hand: {error}") from None
    between = _CONCEALED - 3 * len(declared)
    if len(found.tiles) not in (between, between + 1):
        beside = f" beside {len(declared)} meld{'s' * (len(declared) > 1)}" if declared else ""
        allowed = f"{between} between turns or {between + 1} in a turn{beside}"
        hint = "" if declared else "; name declared groups with --melds"
        raise NotationError(f"hand: {len(found.tiles)} concealed tiles in {tiles!r}; allowed: {allowed}{hint}")
    _refuse_fifth(found)
    return found


def _refuse_fifth(hand: HandInput) -> None:
    """Refuse more tiles of a kind than there are."""
    for kind in range(KINDS):
        melds = sum(meld.tiles for meld in hand.melds if meld.kind == kind)
        parts = ((hand.counts[kind], "concealed"), (melds, "in melds"), (hand.seen.count(kind), "seen elsewhere"))
        count = sum(number for number, _ in parts)
        if count > COPIES:
            where = ", ".join(f"{number} {place}" for number, place in parts if number)
            raise NotationError(f"{count} tiles {format_kind(kind)} ({where}); there are {COPIES} tiles of each kind")


def read_melds(text: str) -> tuple[Meld, ...]:
    """Read melds.

    Parameters
    ----------
    text
        Melds by commas, such as ``pung 5p, concealed kong 3s``; may be empty.

    Raises
    ------
    NotationError
        Something is no meld, there are more than four, or two of the same kind.
    """
    found: list[Meld] = []
    for part in filter(None, (part.strip() for part in text.replace(";", ",").split(","))):
        *words, tile = part.split()
        name = " ".join(words).lower().replace("-", " ")
        if name in {"chow", "run", "chi", "sequence"}:
            raise NotationError(f"melds: {part!r}: runs are never declared; allowed: {either(FORMS)}")
        if name not in FORMS:
            hint = did_you_mean(name, FORMS) if name else ""
            raise NotationError(
                f"melds: {part!r} is no meld{hint}; allowed: {either(FORMS)} and a tile, as in 'pung 5p, kong 3s'"
            )
        try:
            kind = parse_tile(tile)
        except NotationError as error:
            raise NotationError(f"melds: {part!r}: {error}") from None
        if any(meld.kind == kind for meld in found):
            raise NotationError(f"melds: two melds of {format_kind(kind)}; there are {COPIES} tiles of each kind")
        found.append(Meld(name, kind))
    if len(found) > _MOST_MELDS:
        raise NotationError(f"melds: {len(found)} melds; allowed: at most {_MOST_MELDS}")
    return tuple(found)


def read_void_suit(text: str, hand: HandInput) -> int:
    """Read a void suit that a hand can have.

    Parameters
    ----------
    text
        ``m``, ``p`` or ``s``, or the suit's name.
    hand
        The hand.

    Raises
    ------
    ConfigError
        It is no suit.
    NotationError
        A meld is of this suit.
    """
    word = text.strip().lower()
    names = {**dict(zip(SUIT_LETTERS, range(3), strict=True)), **dict(zip(SUIT_NAMES, range(3), strict=True))}
    if word not in names:
        allowed = either(f"{letter} ({name})" for letter, name in zip(SUIT_LETTERS, SUIT_NAMES, strict=True))
        raise ConfigError(f"void suit: came {show_value(text)}{did_you_mean(word, SUIT_NAMES)}; allowed: {allowed}")
    suit = names[word]
    wrong = [meld for meld in hand.melds if meld.kind // RANKS == suit]
    if wrong:
        raise NotationError(
            f"melds: {wrong[0]} is of the void suit {SUIT_LETTERS[suit]}; a meld never is: name another void suit"
        )
    return suit


def read_situation(names: Sequence[str], hand: HandInput, *, self_draw: bool) -> int:
    """Read situational patterns, as the mask that the engine takes.

    Parameters
    ----------
    names
        Names of patterns, such as ``last_tile``.
    hand
        The hand.
    self_draw
        Whether the winning tile is drawn.

    Raises
    ------
    ConfigError
        A name is no situational pattern, or what is named cannot happen together.
    """
    from sim.engine.sichuan.rules import KONG_DRAW, LAST_TILE, PATTERNS  # noqa: PLC0415 - only needed here

    allowed = PATTERNS[KONG_DRAW : LAST_TILE + 1]
    mask = 0
    for name in names:
        word = name.strip().lower().replace("-", "_")
        if word not in allowed:
            what = "is found from the tiles, not named" if word in PATTERNS else "is unknown"
            hint = did_you_mean(word, allowed) if word not in PATTERNS else ""
            raise ConfigError(f"situation: the pattern {show_value(name)} {what}{hint}; allowed: {', '.join(allowed)}")
        mask |= 1 << PATTERNS.index(word)
    chosen = [name for name in allowed if (mask >> PATTERNS.index(name)) & 1]
    if "kong_draw" in chosen and not self_draw:
        raise ConfigError("situation: kong_draw is a win on a tile drawn; add --self-draw")
    if "kong_draw" in chosen and all(FORMS[meld.name] == PUNG for meld in hand.melds):
        raise ConfigError(
            "situation: kong_draw is a win on the replacement of an own kong; there is none among the melds"
        )
    for name in ("kong_discard", "rob_kong"):
        if name in chosen and self_draw:
            raise ConfigError(f"situation: {name} is a win on another player's tile; leave out --self-draw")
    if "rob_kong" in chosen and len(chosen) > 1:
        other = next(name for name in chosen if name != "rob_kong")
        raise ConfigError(
            f"situation: rob_kong and {other} never hold together: a kong being added is no discard, and is declared"
            " only while a replacement is left"
        )
    return mask
