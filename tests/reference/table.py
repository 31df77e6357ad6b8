"""A table in mid-deal: who holds what, and what each seat may do. How a deal goes on is in `referee`."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from tests.reference.hands import is_cleared, is_complete
from tests.reference.records import (
    KINDS,
    KONG,
    PASS,
    PUNG,
    SEATS,
    WIN,
    Discard,
    Event,
    KongIncome,
    Line,
    Meld,
    SeatOutcome,
    suit_of,
    turn_order,
)
from tests.reference.wall import build_wall, check_tiles, deal_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset


class Table:
    """State of a deal, questions about it, and payments."""

    def __init__(self, preset: Preset, wall: Sequence[int], wall_mode: str) -> None:
        check_tiles(wall)
        self.preset = preset
        self.wall = build_wall(wall_mode, wall)
        self.hands = deal_tiles(wall)
        self.melds: list[list[Meld]] = [[] for _ in range(SEATS)]
        self.void: list[int | None] = [None] * SEATS
        self.discards: list[Discard] = []
        self.robbed_tiles: list[int] = []
        self.winners: list[int] = []  # in the order of winning
        self.wins: dict[int, tuple[str, int, int]] = {}  # seat -> form, fan, value
        self.win_locked = [False] * SEATS
        self.pung_locked: list[set[int]] = [set() for _ in range(SEATS)]

        self.turn_seat = 0
        self.drawn: int | None = None  # the tile just drawn; None on the dealer's first turn and after a pung
        self.after_pung = False
        self.on_replacement = False  # the last tile drawn in this turn was a kong replacement
        self.turn_kong: KongIncome | None = None  # income of the last kong of this turn
        self.kong_incomes: list[KongIncome] = []

        self.events: list[Event] = []
        self.ledger: list[Line] = []
        self.points = [0] * SEATS
        self.outcome: list[SeatOutcome] = []

    # --- who and what -----------------------------------------------------------------------------------------------

    def is_cleared(self, seat: int) -> bool:
        """Whether the seat holds no concealed tile of its void suit right now."""
        return is_cleared(self.hands[seat], self.void[seat])

    def active(self) -> list[int]:
        """Seats that have not won."""
        return [seat for seat in range(SEATS) if seat not in self.winners]

    def active_others(self, seat: int) -> list[int]:
        """Active seats other than this one, in turn order from it."""
        return [other for other in turn_order(seat) if other not in self.winners]

    def next_active(self, seat: int) -> int:
        """The next seat in turn order that has not won."""
        return self.active_others(seat)[0]

    def last_tile(self) -> list[str]:
        """Name the pattern of a win with the wall empty, if it is."""
        return [] if self.wall.left() else ["last_tile"]

    # --- what a seat may do -------------------------------------------------------------------------------------------

    def discards_of(self, seat: int) -> list[int]:
        """Kinds that the seat may discard on its turn."""
        held = [kind for kind in range(KINDS) if self.hands[seat][kind]]
        if self.preset.void_suit.discard_first and not self.is_cleared(seat):
            return [kind for kind in held if suit_of(kind) == self.void[seat]]
        return held

    def may_meld(self, seat: int, kind: int) -> bool:
        """Whether the void suit leaves the seat free to pung or kong that kind."""
        if suit_of(kind) == self.void[seat]:
            return False
        return self.is_cleared(seat) or not self.preset.void_suit.blocks_calls

    def own_kongs(self, seat: int) -> list[int]:
        """Kinds of which the seat may declare a concealed or an added kong on its turn."""
        if not self.wall.left():
            return []
        return [
            kind
            for kind in range(KINDS)
            if self.may_meld(seat, kind)
            and (self.hands[seat][kind] == 4 or (self.hands[seat][kind] and self.own_pung(seat, kind)))
        ]

    def own_pung(self, seat: int, kind: int) -> Meld | None:
        """The declared pung of that kind, if the seat has one."""
        return next((meld for meld in self.melds[seat] if meld.form == "pung" and meld.kind == kind), None)

    def can_win_on(self, seat: int, kind: int) -> bool:
        """Whether the seat may win on a tile that another one throws or adds to a pung."""
        if self.win_locked[seat] or suit_of(kind) == self.void[seat] or not self.is_cleared(seat):
            return False
        longer = list(self.hands[seat])
        longer[kind] += 1
        return is_complete(longer, len(self.melds[seat]))

    def claims_of(self, seat: int, kind: int) -> frozenset[int]:
        """Answers open to the seat when another one throws that kind; only a pass if it cannot claim."""
        legal = {PASS}
        if self.can_win_on(seat, kind):
            legal.add(WIN)
        if self.may_meld(seat, kind):
            if self.hands[seat][kind] >= 2 and kind not in self.pung_locked[seat]:
                legal.add(PUNG)
            if self.hands[seat][kind] == 3 and self.wall.left():
                legal.add(KONG + kind)
        return frozenset(legal)

    # --- payments -----------------------------------------------------------------------------------------------------

    def pay(self, cause: str, payer: int, payee: int, amount: int) -> Line | None:
        """Move points and write the ledger line; nothing is written for an amount of 0."""
        if amount == 0:
            return None
        line = Line(cause, payer, payee, amount)
        self.ledger.append(line)
        self.points[payer] -= amount
        self.points[payee] += amount
        assert sum(self.points) == 0
        return line


def pack_pick(kinds: Sequence[int]) -> int:
    """Pack an exchange choice into one integer."""
    return sum(kind * 32**place for place, kind in enumerate(sorted(kinds)))


def unpack_pick(choice: int, count: int) -> list[int]:
    """Kinds of an exchange choice, in ascending order."""
    return [choice // 32**place % 32 for place in range(count)]


def picks_of(hand: Sequence[int], count: int) -> frozenset[int]:
    """Every multiset of that many tiles of one suit of the hand."""
    picks: set[int] = set()
    for suit in range(3):
        tiles = [kind for kind in range(9 * suit, 9 * suit + 9) for _ in range(hand[kind])]
        picks.update(pack_pick(pick) for pick in combinations(tiles, count))
    return frozenset(picks)
