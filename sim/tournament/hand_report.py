"""What there is to know about one hand: how far from ready, waits and their worth, what each discard would leave.

The numbers that the engine plays by, for people and for notebooks: `analyse_hand`. Not in here: reading and checking
what a person writes (`sim.tournament.hand_input`), printing (`sim.commands.hand`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sim.engine.hands.hand import ALL_KINDS, KINDS, NONE, RANKS, SUITS, add_tile, kinds_of_suit, remove_tile
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.shanten import (
    count_lacking,
    count_lacking_pairs,
    count_pairs,
    count_shanten,
    lower_suit,
    mark_odd,
    mark_useful,
    upper_suit,
)
from sim.engine.hands.waits import is_complete, mark_waits
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.rules import ADD_FAN, ADD_POINTS, PATTERNS, ROB_KONG, SELF_DRAW_FAN
from sim.errors import NotationError
from sim.rules import Preset, load_preset
from sim.rules.compile import compile_rules
from sim.tiles import COPIES, SUIT_LETTERS, format_kind, parse_tile
from sim.tournament.events import describe_patterns, kinds_in
from sim.tournament.hand_input import HandInput, read_hand, read_situation, read_void_suit

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Discard", "HandReport", "Useful", "VoidReport", "Win", "analyse_hand"]

COMPLETE: Final = -1
READY: Final = 0


@dataclass(frozen=True)
class Win:
    """A winning tile: what the hand is worth with it."""

    tile: str
    """The winning tile."""
    live: int
    """Tiles of this kind that are neither held nor seen; for a tile that is in the hand already, 1."""
    patterns: dict[str, int]
    """Patterns and the fan of each; roots together."""
    fan: int
    """Fan before the cap."""
    value: int
    """Hand value in points."""
    payment: int
    """What each payer pays: the hand value, and on a self-draw what the preset adds."""
    note: str = ""
    """Why this win cannot happen, if it cannot."""


@dataclass(frozen=True)
class Useful:
    """Tiles that lower the shanten when drawn."""

    tiles: tuple[str, ...]
    """Their kinds."""
    live: int
    """How many of them are neither held nor seen."""


@dataclass(frozen=True)
class Discard:
    """What a discard leaves."""

    tile: str
    """The discard."""
    shanten: int
    """Shanten afterwards: 0 is ready once no tile of the void suit is held."""
    useful: Useful
    """What lowers it further."""
    waits: tuple[Win, ...]
    """Waits, if the hand is ready afterwards."""

    @property
    def best_value(self) -> int:
        """The most that a wait is worth, in points; 0 without waits."""
        return max((win.value for win in self.waits), default=0)


@dataclass(frozen=True)
class VoidReport:
    """A hand with one suit void."""

    void_suit: str
    """The void suit: m, p or s."""
    count_void: int
    """Concealed tiles of it."""
    shanten: int
    """The smaller one of the two that follow; -1 is complete."""
    standard: int
    """Shanten for four groups and a pair."""
    seven_pairs: int | None
    """Shanten for seven pairs; None with melds."""
    is_ready: bool
    """Whether a tile completes it: 13 tiles, cleared."""
    useful: Useful
    """For 13 tiles: what lowers the shanten."""
    waits: tuple[Win, ...]
    """For 13 tiles: what completes it, exhausted waits (no live tile) included."""
    impossible: tuple[str, ...]
    """Kinds that would complete it, of which it holds all four: these are no waits."""
    is_complete: bool
    """For 14 tiles: whether it is a winning hand."""
    wins: tuple[Win, ...]
    """For a complete hand: what it is worth with each of its tiles as the winning one."""
    discards: tuple[Discard, ...]
    """For 14 tiles: what each legal discard leaves, best first."""
    must_clear: bool
    """For 14 tiles: whether the rules ask for a discard of the void suit."""


@dataclass(frozen=True)
class HandReport:
    """A hand under a preset."""

    hand: HandInput
    """The hand."""
    preset: Preset
    """The preset."""
    self_draw: bool
    """Whether wins are self-draws."""
    situation: tuple[str, ...]
    """Situational patterns that were named."""
    absent: tuple[str, ...]
    """Those of them that the preset does not have."""
    is_void_given: bool
    """Whether the void suit was named."""
    voids: tuple[VoidReport, ...]
    """The void suit that was named; or each that is possible, the best first."""

    @property
    def best(self) -> VoidReport:
        """The void suit that was named, or the best one."""
        return self.voids[0]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        from dataclasses import asdict  # noqa: PLC0415 - only needed here

        return {
            "tiles": "".join(format_kind(kind) for kind in self.hand.tiles),
            "melds": [str(meld) for meld in self.hand.melds],
            "seen": "".join(format_kind(kind) for kind in self.hand.seen),
            "preset": self.preset.name,
            "self_draw": self.self_draw,
            "situation": list(self.situation),
            "void_suit_given": self.is_void_given,
            "void_suits": [asdict(void) for void in self.voids],
        }


@dataclass
class _Analyst:
    """What every step needs: the hand as a record, which is changed and restored."""

    hand: HandInput
    preset: Preset
    situation: int
    self_draw: bool
    winning: int | None
    rules: Any = field(init=False)
    lookup: Any = field(init=False)
    live: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.rules = compile_rules(self.preset)[0]
        self.lookup = load_lookup()[0]
        self.live = self.hand.live

    def report(self, void_suit: int) -> VoidReport:
        """Find out everything with one suit void."""
        record = self.hand.to_record(void_suit)
        standard, pairs = self._shanten_of(record, void_suit)
        is_turn = self.hand.is_turn
        complete = is_turn and bool(is_complete(record, self.lookup))
        waits = () if is_turn else self._waits(record)
        useful = Useful((), 0) if is_turn else self._useful(int(mark_useful(record, void_suit, self.lookup)))
        void_held = self.hand.count_suit(void_suit)
        must_clear = is_turn and bool(self.rules.void_discard_first) and void_held > 0
        return VoidReport(
            void_suit=SUIT_LETTERS[void_suit],
            count_void=void_held,
            shanten=standard if pairs is None else min(standard, pairs),
            standard=standard,
            seven_pairs=pairs,
            is_ready=bool(waits),
            useful=useful,
            waits=waits,
            impossible=() if is_turn or void_held else self._impossible(void_suit),
            is_complete=complete,
            wins=self._wins(record) if complete else (),
            discards=self._discards(record, must_clear=must_clear) if is_turn else (),
            must_clear=must_clear,
        )

    def _shanten_of(self, record: Any, void_suit: int) -> tuple[int, int | None]:
        """Count the shanten of both forms."""
        lower, upper = (int(record.keys[suit(void_suit)]) for suit in (lower_suit, upper_suit))
        standard = int(count_lacking(int(record.count_melds), lower, upper, self.lookup)) - 1
        if record.count_melds:
            return standard, None
        odd = int(mark_odd(record)) & ALL_KINDS & ~int(kinds_of_suit(void_suit))
        return standard, int(count_lacking_pairs(int(count_pairs(record, void_suit)), odd)) - 1

    def _useful(self, mask: int) -> Useful:
        """List useful tiles."""
        kinds = kinds_in(mask)
        return Useful(tuple(format_kind(kind) for kind in kinds), sum(self.live[kind] for kind in kinds))

    def _waits(self, record: Any) -> tuple[Win, ...]:
        """List the waits of a hand of 13 tiles."""
        return tuple(
            self._win(record, kind, self.live[kind]) for kind in kinds_in(int(mark_waits(record, self.lookup)))
        )

    def _wins(self, record: Any) -> tuple[Win, ...]:
        """List what a complete hand is worth with each of its tiles as the winning one."""
        found = []
        for kind in kinds_in(int(record.at_least[0])) if self.winning is None else [self.winning]:
            remove_tile(record, kind)
            found.append(self._win(record, kind, 1))
            add_tile(record, kind)
        return tuple(found)

    def _win(self, record: Any, kind: int, live: int) -> Win:
        """Say what a hand of 13 tiles is worth with a winning tile."""
        adds_fan = self.self_draw and self.rules.win_self_draw == ADD_FAN
        situation = self.situation | (1 << SELF_DRAW_FAN if adds_fan else 0)
        score = int(score_hand(record, kind, situation, self.rules, self.lookup))
        fan = int(score_fan(score))
        value = int(value_of(fan, self.rules))
        adds = self.self_draw and self.rules.win_self_draw == ADD_POINTS
        payment = value + (int(self.rules.win_self_draw_points) if adds else 0)
        note = "" if live else "exhausted: all four are visible"
        if (self.situation >> ROB_KONG) & 1 and self.hand.held[kind] > int(self.hand.is_turn):
            note = note or "cannot be robbed: who adds a kong has all four"
        return Win(format_kind(kind), live, describe_patterns(score, self.rules), fan, value, payment, note)

    def _impossible(self, void_suit: int) -> tuple[str, ...]:
        """List the kinds that would complete a hand of 13 tiles if there were a fifth of them."""
        counts, held = self.hand.counts, self.hand.held
        found = []
        for kind in range(KINDS):
            if held[kind] == COPIES and kind // RANKS != void_suit:
                counts[kind] += 1
                if _is_standard(counts):
                    found.append(format_kind(kind))
                counts[kind] -= 1
        return tuple(found)

    def _discards(self, record: Any, *, must_clear: bool) -> tuple[Discard, ...]:
        """List what each legal discard leaves, best first."""
        void_suit = int(record.void_suit)
        mask = int(record.at_least[0]) & (int(kinds_of_suit(void_suit)) if must_clear else ALL_KINDS)
        found = []
        for kind in kinds_in(mask):
            remove_tile(record, kind)
            shanten = int(count_shanten(record, void_suit, self.lookup))
            useful = self._useful(int(mark_useful(record, void_suit, self.lookup)))
            found.append(Discard(format_kind(kind), shanten, useful, self._waits(record)))
            add_tile(record, kind)
        found.sort(key=lambda item: (item.shanten, -bool(item.waits), -item.useful.live, -item.best_value))
        return tuple(found)


def _is_standard(counts: list[int], *, has_pair: bool = False) -> bool:
    """Tell whether concealed tiles are groups and one pair; unlike the engine's tables, also with a fifth tile."""
    first = next((kind for kind in range(KINDS) if counts[kind]), NONE)
    if first == NONE:
        return has_pair
    ways = [[first] * 3]
    if not has_pair:
        ways.append([first] * 2)
    if first % RANKS <= RANKS - 3:
        ways.append([first, first + 1, first + 2])
    for group in ways:
        rest = list(counts)
        for kind in group:
            rest[kind] -= 1
        if min(rest) >= 0 and _is_standard(rest, has_pair=has_pair or len(group) == 2):
            return True
    return False


def analyse_hand(
    tiles: str,
    *,
    melds: str = "",
    void_suit: str | None = None,
    preset: Preset | str = "mahjong-planet",
    seen: str = "",
    self_draw: bool = False,
    situation: Sequence[str] = (),
    winning: str | None = None,
) -> HandReport:
    """Find out everything about a hand.

    Parameters
    ----------
    tiles
        Concealed tiles, such as ``123m55p789s``: 13 or 14, less three for each meld.
    melds
        Melds by commas, such as ``pung 5p, concealed kong 3s``.
    void_suit
        ``m``, ``p`` or ``s``; None: each that is possible is tried.
    preset
        A preset, its name or its file.
    seen
        Tiles visible elsewhere, discards and others' melds: they count for what is live.
    self_draw
        Whether wins are judged as self-draws.
    situation
        Situational patterns that hold: ``kong_draw``, ``kong_discard``, ``rob_kong``, ``last_tile``.
    winning
        For 14 tiles: which tile of them completed the hand; None: each is shown.

    Returns
    -------
    HandReport
        With the void suits best first: least shanten, then most live useful tiles, then fewest tiles to throw away.

    Raises
    ------
    NotationError
        The hand cannot be read or cannot exist.
    ConfigError
        The preset, the void suit or the situation is wrong.

    Examples
    --------
    >>> [win.tile for win in analyse_hand("123456m 23p 789p 99p", void_suit="s").best.waits]  # doctest: +SKIP
    ['1p', '4p']
    """
    rules = load_preset(preset) if isinstance(preset, str) else preset
    hand = read_hand(tiles, melds, seen)
    mask = read_situation(situation, hand, self_draw=self_draw)
    names = tuple(name for index, name in enumerate(PATTERNS) if (mask >> index) & 1)
    absent = tuple(name for name in names if getattr(rules.fan.patterns, name) is None)
    won_on = None if winning is None else _read_winning(winning, hand)
    analyst = _Analyst(hand, rules, mask, self_draw, won_on)
    if void_suit is not None:
        voids = [analyst.report(read_void_suit(void_suit, hand))]
    else:
        suits = [suit for suit in range(SUITS) if suit not in hand.suits_of_melds()]
        if not suits:
            raise NotationError("melds: of all three suits; one suit is void, and a meld never is of it")
        voids = sorted((analyst.report(suit) for suit in suits), key=_rank_void)
    return HandReport(hand, rules, self_draw, names, absent, void_suit is not None, tuple(voids))


def _read_winning(text: str, hand: HandInput) -> int:
    """Read the winning tile, one of a hand of 14."""
    kind = parse_tile(text)
    if not hand.is_turn:
        raise NotationError(f"winning tile {text}: the hand has no tile too many; a winning tile is one of 14")
    if kind not in hand.tiles:
        raise NotationError(f"winning tile {text}: it is not among the concealed tiles")
    return kind


def _rank_void(void: VoidReport) -> tuple[int, int, int]:
    """Order void suits, the best first."""
    live = void.discards[0].useful.live if void.discards else void.useful.live
    return void.shanten, -live, void.count_void
