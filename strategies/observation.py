"""What a Python strategy sees: its own hand, the table, the preset, and what follows from them.

Tiles are kinds, 0 to 26 (9 times the suit plus the rank less 1), as everywhere; `sim.tiles` writes and reads them. A
view is good for the one decision that it is made for. Not in here: who makes views (`strategies.python`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sim.engine.hands.hand import ALL_KINDS, KINDS, MELD_FORMS, NONE, Hand
from sim.engine.sichuan.rules import PATTERNS, Rules
from sim.engine.sichuan.table import (
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
    WIN_FORMS,
    Table,
)
from sim.errors import StrategyError
from strategies import addresses as calls

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableSequence, Sequence

T = TypeVar("T")

WIN, PASS, PUNG = WIN_ACTION, PASS_ACTION, PUNG_ACTION
"""Actions: to win, to pass, to claim a pung. A kong of a kind is ``kong(kind)``, a discard the kind itself."""


def kong(kind: int) -> int:
    """Return the action of a kong.

    Parameters
    ----------
    kind : int
        The kind.
    """
    return KONG_ACTION + kind


class Meld(NamedTuple):
    """A declared group."""

    kind: int
    """Its kind; -1 for a concealed kong of somebody else whose kind is not public."""
    form: str
    """pung, concealed, exposed or added."""
    source: int
    """Seat whose discard made it; the own seat for a concealed kong."""


class Discard(NamedTuple):
    """A discard on the table."""

    seat: int
    """Who made it."""
    kind: int
    """Its kind."""
    claim: int
    """0 unclaimed, 1 pung, 2 kong, 3 win."""


class Win(NamedTuple):
    """A win of this deal."""

    seat: int
    """Who won."""
    form: str
    """self_draw, discard or robbed_kong."""
    kind: int
    """The winning tile; -1 for a dealer who won on the dealt fourteen."""
    source: int
    """Who discarded it or was robbed; -1 for a self-draw."""


class Choice(NamedTuple):
    """What a discard leaves."""

    kind: int
    """The discard."""
    shanten: int
    """Steps to ready after it; 0 is ready."""
    useful: int
    """Live copies of all kinds that bring the hand nearer (when it is ready, that win)."""
    kinds: tuple[int, ...]
    """Those kinds."""


_CLOSED_MESSAGE = "a view is good for one decision only; keep the facts that you need, not the view"


class _Closed:
    """What stands in a view whose decision is over."""

    def __getitem__(self, _: object) -> Any:
        raise StrategyError(_CLOSED_MESSAGE)

    def __setitem__(self, _: object, __: object) -> None:
        raise StrategyError(_CLOSED_MESSAGE)


CLOSED: Any = _Closed()


def _places(cls: type) -> dict[str, int]:
    """Return where each field of a record begins, counted in integers."""
    layout: Any = cls.dtype  # type: ignore[attr-defined]
    return {name: int(layout.fields[name][1]) // 8 for name in layout.names}


_H, _T, _R = _places(Hand), _places(Table), _places(Rules)
_PATTERNS = tuple(enumerate(PATTERNS))


def kinds_of(mask: int) -> tuple[int, ...]:
    """Return the kinds of a mask, ascending.

    Parameters
    ----------
    mask : int
        Bit k stands for kind k.

    Examples
    --------
    >>> kinds_of(0b1010)
    (1, 3)
    """
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Lots:
    """The seat's own stream of chance: the only one that a strategy may use."""

    __slots__ = ("_address", "_hand")

    def __init__(self, hand: Any, address: int) -> None:
        self._hand = hand
        self._address = address

    def below(self, bound: int) -> int:
        """Draw a number from 0 to below a bound, each equally likely.

        Parameters
        ----------
        bound : int
            The bound, 1 to 2**31.
        """
        self._hand[0]  # a closed view says so
        if not 1 <= bound <= 1 << 31:
            raise StrategyError(f"lots: bound {bound}; allowed: 1 to 2**31")
        return int(calls.draw(self._address, bound))

    def random(self) -> float:
        """Draw a number from 0 to below 1, in steps of 2**-31."""
        return self.below(1 << 31) / (1 << 31)

    def choose(self, options: Sequence[T]) -> T:
        """Draw one of several options, each equally likely.

        Parameters
        ----------
        options : sequence
            At least one.
        """
        return options[self.below(len(options))]

    def shuffle(self, options: MutableSequence[Any]) -> None:
        """Put options into an order, each equally likely.

        Parameters
        ----------
        options : list
            Changed.
        """
        for last in range(len(options) - 1, 0, -1):
            chosen = self.below(last + 1)
            options[last], options[chosen] = options[chosen], options[last]


class View:
    """Everything that the player sees in one decision, and helpers."""

    __slots__ = ("_addresses", "_hand", "_rules", "_table", "parameters")

    parameters: Mapping[str, float]
    """The strategy's parameters by name."""

    def __init__(
        self, hand: Any, table: Any, rules: Any, addresses: tuple[int, int, int, int], parameters: Mapping[str, float]
    ) -> None:
        self._hand = hand
        self._table = table
        self._rules = rules
        self._addresses = addresses
        self.parameters = parameters

    def close(self) -> None:
        """End the view: from now on it says so to whoever reads it."""
        self._hand = self._table = self._rules = CLOSED

    # --- the decision ---

    @property
    def decision(self) -> str:
        """What is decided: exchange, void_suit, turn, claim or rob."""
        return DECISIONS[self._table[_T["decision"]]]

    @property
    def legal_win(self) -> bool:
        """Whether winning is legal now."""
        return bool(self._hand[_H["legal_win"]])

    @property
    def legal_pung(self) -> bool:
        """Whether claiming a pung is legal now."""
        return bool(self._hand[_H["legal_pung"]])

    @property
    def legal_kongs(self) -> tuple[int, ...]:
        """Kinds of which a kong is legal now."""
        return kinds_of(int(self._hand[_H["legal_kongs"]]))

    @property
    def legal_discards(self) -> tuple[int, ...]:
        """Kinds whose discard is legal now; none in a claim."""
        return kinds_of(int(self._hand[_H["legal_discards"]]))

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """All legal actions of a turn, a claim or a robbing; the suits for the void suit; nothing for the exchange."""
        decision = self._table[_T["decision"]]
        if decision == EXCHANGE:
            return ()
        if decision == VOID_SUIT:
            return (0, 1, 2)
        actions = [*self.legal_discards, *(KONG_ACTION + kind for kind in self.legal_kongs)]
        actions += [WIN_ACTION] if self.legal_win else []
        actions += [PASS_ACTION] if decision != TURN else []
        return (*actions, *([PUNG_ACTION] if self.legal_pung else []))

    @property
    def exchange_count(self) -> int:
        """How many tiles of one suit the exchange gives."""
        return int(self._rules[_R["exchange_count"]])

    @property
    def lots(self) -> Lots:
        """The seat's own stream of chance."""
        return Lots(self._hand, self._addresses[0])

    # --- the own hand ---

    @property
    def seat(self) -> int:
        """The own seat, 0 to 3; seat 0 is the dealer."""
        return int(self._hand[_H["seat"]])

    @property
    def counts(self) -> list[int]:
        """Concealed tiles of each of the 27 kinds."""
        return self._of_hand("counts", KINDS)

    @property
    def tiles(self) -> list[int]:
        """Kinds of all concealed tiles, ascending."""
        return [kind for kind, count in enumerate(self.counts) for _ in range(count)]

    @property
    def sizes(self) -> list[int]:
        """Concealed tiles of each suit."""
        return self._of_hand("sizes", 3)

    @property
    def melds(self) -> tuple[Meld, ...]:
        """The own declared groups."""
        own = zip(self._of_hand("meld_kinds", 4), self.melds_of(self.seat), strict=False)
        return tuple(meld._replace(kind=kind) for kind, meld in own)

    @property
    def void_suit(self) -> int:
        """The own void suit, -1 before it is chosen."""
        return int(self._hand[_H["void_suit"]])

    @property
    def drawn(self) -> int:
        """Kind just drawn, -1 if none."""
        return int(self._hand[_H["drawn"]])

    @property
    def given(self) -> tuple[int, ...]:
        """Kinds given away in the exchange."""
        return tuple(kind for kind in self._of_hand("given", 4) if kind != NONE)

    @property
    def received(self) -> tuple[int, ...]:
        """Kinds received in the exchange."""
        return tuple(kind for kind in self._of_hand("received", 4) if kind != NONE)

    @property
    def win_locked(self) -> bool:
        """Whether discards may not be won on until the own next draw."""
        return bool(self._hand[_H["win_locked"]])

    @property
    def pung_locked(self) -> tuple[int, ...]:
        """Kinds that may not be punged until the own next draw."""
        return kinds_of(int(self._hand[_H["pung_locked"]]))

    @property
    def suit_order(self) -> tuple[int, ...]:
        """The suits ordered by the hand as dealt: a neutral order for ties."""
        return tuple(self._of_hand("suit_order", 3))

    # --- the table ---

    @property
    def turn(self) -> int:
        """Seat whose turn it is; in a claim the discarder, in a robbing who declares the kong."""
        return int(self._table[_T["turn"]])

    @property
    def tile(self) -> int:
        """Kind discarded or added in a claim or robbing, else -1."""
        return int(self._table[_T["tile"]])

    @property
    def after_kong(self) -> bool:
        """Whether the tile in question follows directly on a kong's replacement."""
        return bool(self._table[_T["after_kong"]])

    @property
    def direction(self) -> int:
        """Exchange: 0 none, else how many seats in turn order the tiles move."""
        return int(self._table[_T["direction"]])

    @property
    def tiles_left(self) -> int:
        """Tiles left in the wall."""
        return int(self._table[_T["tiles_left"]])

    @property
    def void_suits(self) -> list[int]:
        """Declared void suits of all seats; -1 until all have chosen."""
        return self._of_table("void_suits", SEATS)

    @property
    def active(self) -> list[bool]:
        """For each seat whether it has not won yet."""
        return [bool(flag) for flag in self._of_table("active", SEATS)]

    @property
    def opponents(self) -> tuple[int, ...]:
        """The other active seats in turn order, the next one first."""
        active, seat = self.active, self.seat
        return tuple(other for other in ((seat + step) % SEATS for step in range(1, SEATS)) if active[other])

    @property
    def points(self) -> list[int]:
        """Points so far."""
        return self._of_table("points", SEATS)

    @property
    def wins(self) -> tuple[Win, ...]:
        """The wins so far, in order."""
        order, forms = self._of_table("win_order", SEATS), self._of_table("win_forms", SEATS)
        tiles, source = self._of_table("win_tiles", SEATS), self._of_table("win_from", SEATS)
        winners = sorted((place, seat) for seat, place in enumerate(order) if place)
        return tuple(Win(seat, WIN_FORMS[forms[seat]], tiles[seat], source[seat]) for _, seat in winners)

    @property
    def discards(self) -> tuple[Discard, ...]:
        """All discards in order."""
        count = int(self._table[_T["count_discards"]])
        seats, kinds = self._of_table("discard_seats", count), self._of_table("discard_kinds", count)
        return tuple(map(Discard, seats, kinds, self._of_table("discard_claims", count)))

    def melds_of(self, seat: int) -> tuple[Meld, ...]:
        """Return the declared groups of a seat, as everybody sees them.

        Parameters
        ----------
        seat : int
            The seat.
        """
        count = int(self._table[_T["count_melds"] + seat])
        kinds, forms, sources = (
            self._of_table(name, count, 4 * seat) for name in ("meld_kinds", "meld_forms", "meld_from")
        )
        return tuple(Meld(kind, MELD_FORMS[form], own) for kind, form, own in zip(kinds, forms, sources, strict=True))

    def thrown_by(self, seat: int) -> list[int]:
        """Return how many tiles of each kind a seat has discarded, claimed or not.

        Parameters
        ----------
        seat : int
            The seat.
        """
        return self._of_table("thrown", KINDS, KINDS * seat)

    @property
    def seen(self) -> list[int]:
        """Copies of each kind that everybody has seen."""
        return self._of_table("seen", KINDS)

    @property
    def live(self) -> list[int]:
        """Copies of each kind that this player has not seen: in the other hands and in the wall."""
        kongs = int(self._hand[_H["kongs"]])
        pairs = enumerate(zip(self.counts, self.seen, strict=True))
        return [0 if kongs >> kind & 1 else 4 - own - seen for kind, (own, seen) in pairs]

    # --- the preset ---

    @property
    def rules(self) -> Mapping[str, Any]:
        """The preset's numbers, by the names of `sim.engine.sichuan.rules.Rules`; ``fan`` by pattern."""
        fan = {name: int(self._rules[_R["fan"] + place]) for place, name in _PATTERNS}
        plain = {name: int(self._rules[place]) for name, place in _R.items() if name != "fan"}
        return MappingProxyType({**plain, "fan": MappingProxyType(fan)})

    # --- what follows ---

    def shanten(self, void_suit: int = NONE) -> int:
        """Return how many tiles the hand is away from ready: 0 ready, -1 complete.

        Parameters
        ----------
        void_suit : int
            The suit whose tiles do not count; the own void suit, or before it is chosen the best one, when absent.
        """
        hand, _, _, lookup = self._open()
        return int(calls.shanten(hand, lookup, self.void_suit if void_suit == NONE else void_suit))

    def useful(self) -> tuple[int, ...]:
        """Return the kinds that bring a hand nearer; in a claim or robbing (in the own turn see `choices`)."""
        hand, _, _, lookup = self._settled("useful")
        return kinds_of(int(calls.useful(hand, lookup)))

    def waits(self) -> dict[int, int]:
        """Return the kinds that complete the hand, with their live copies; in a claim or robbing."""
        hand, _, _, lookup = self._settled("waits")
        live = self.live
        return {kind: live[kind] for kind in kinds_of(int(calls.waits(hand, lookup)))}

    def value(self, kind: int, *, self_draw: bool = False) -> int:
        """Return what the hand is worth if a kind completes it: its value in points, 0 if it does not complete it.

        Parameters
        ----------
        kind : int
            The winning tile.
        self_draw : bool
            Whether by self-draw, which may add a fan; points that are added to each payment are not in the value.
        """
        hand, table, rules, lookup = self._settled("value")
        return int(calls.value(hand, table, rules, lookup, kind, int(self_draw)))

    def choices(self) -> list[Choice]:
        """Return what each legal discard leaves: best first (fewest steps, then most useful live tiles, then kind)."""
        hand, _, _, lookup = self._open()
        live = self.live
        found = []
        for kind in self.legal_discards:
            packed = int(calls.choice(hand, lookup, kind))
            kinds = kinds_of(packed & ALL_KINDS)
            found.append(Choice(kind, (packed >> KINDS) - 1, sum(live[other] for other in kinds), kinds))
        return sorted(found, key=lambda choice: (choice.shanten, -choice.useful, choice.kind))

    def danger(self, kind: int, seat: int) -> float:
        """Return how dangerous a discard is to an opponent, 0 to 1: 0 if the seat cannot win on it, 1 at worst.

        It cannot if it has won or if the tile is of its void suit. Otherwise the fewer copies of the tile and of its
        neighbours are live the safer it is, and safer still if the seat threw one itself. A rule of thumb, no
        probability.

        Parameters
        ----------
        kind : int
            The discard.
        seat : int
            The seat that could win on it.
        """
        hand, table, _, _ = self._open()
        return int(calls.danger(hand, table, kind, seat)) / 1000

    def _open(self) -> tuple[int, int, int, int]:
        """Return the addresses, if the view is still good."""
        self._hand[0]
        return self._addresses

    def _settled(self, what: str) -> tuple[int, int, int, int]:
        """Return the addresses, if the void suit is chosen and the hand has nothing to discard."""
        if self._hand[_H["void_suit"]] == NONE or self._table[_T["decision"]] == TURN:
            raise StrategyError(
                f"{what}() is for claims and robbings; in the own turn choices() tells it of each discard"
            )
        return self._addresses

    def _of_hand(self, field: str, count: int) -> list[int]:
        """Return the numbers of a field of the hand."""
        place = _H[field]
        numbers: list[int] = self._hand[place : place + count].tolist()
        return numbers

    def _of_table(self, field: str, count: int, first: int = 0) -> list[int]:
        """Return numbers of a field of the table."""
        place = _T[field] + first
        numbers: list[int] = self._table[place : place + count].tolist()
        return numbers
