"""What a strategy does, counted from deals told event by event: what its discards cost, calls, exchange, void suit.

Not in here: replaying (`sim.tournament.replay`), and what points come from (`sim.statistics.summary`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sim.tiles import RANKS, SUIT_LETTERS, format_kind, parse_tile, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sim.tournament.deal_file import Event

SEATS: Final = 4
TURN_CLASSES: Final = ((4, "1 to 4"), (8, "5 to 8"), (12, "9 to 12"), (16, "13 to 16"), (99, "17 and later"))
RANK_CLASSES: Final = ("1 9", "2 8", "3 7", "4 6", "5")
VOID_CLASSES: Final = ("none of them", "one of them", "two of them", "three of them")
KINDS: Final = RANKS * len(SUIT_LETTERS)
Ratio = tuple[str, str, str]
"""Name of a share: what it is, and two words that say which."""
_COUNTS: Final = ("deals", "void_fewest", "pigs", "exchanges", "given_void", "given_all", "given_pair")
CALLS: Final = ("self-drawn win", "win on a discard", "win by robbing", "pung", "exposed kong", "own kong")


@dataclass
class Risk:
    """Discards of one class."""

    discards: int = 0
    """Discards."""
    dealt_in: int = 0
    """Discards on which somebody won."""
    wins: int = 0
    """Wins on them: several may win on one."""
    points: int = 0
    """Points paid for these wins."""


def _by_rank(situations: Iterable[str]) -> dict[str, dict[str, Risk]]:
    """Give no discards yet, by situation and rank."""
    return {situation: {rank: Risk() for rank in RANK_CLASSES} for situation in situations}


@dataclass
class Chances:
    """A call that was possible."""

    could: int = 0
    """Decisions at which it was possible, and no higher call was chosen."""
    did: int = 0
    """Decisions at which it was chosen."""


@dataclass
class Habits:
    """What a strategy does, over all deals and seats added so far."""

    deals: int = 0
    """Deals and seats."""
    by_turn: dict[str, Risk] = field(default_factory=lambda: {name: Risk() for _, name in TURN_CLASSES})
    """Discards by their number in the player's own order."""
    by_rank: dict[str, Risk] = field(default_factory=lambda: {name: Risk() for name in RANK_CLASSES})
    """Discards by rank."""
    by_void: dict[str, Risk] = field(default_factory=lambda: {name: Risk() for name in VOID_CLASSES})
    """Discards by how many active opponents have the tile's suit void."""
    by_kind: dict[str, Risk] = field(default_factory=lambda: {format_kind(kind): Risk() for kind in range(KINDS)})
    """Discards by kind."""
    by_turn_and_rank: dict[str, dict[str, Risk]] = field(default_factory=lambda: _by_rank(n for _, n in TURN_CLASSES))
    """Discards by their number, and within that by rank."""
    by_void_and_rank: dict[str, dict[str, Risk]] = field(default_factory=lambda: _by_rank(VOID_CLASSES))
    """Discards by how many active opponents have the suit void, and within that by rank."""
    by_own: dict[str, Risk] = field(default_factory=lambda: {"own void suit": Risk(), "other suits": Risk()})
    """Discards by whether the tile is of the own void suit."""
    calls: dict[str, Chances] = field(default_factory=lambda: {name: Chances() for name in CALLS})
    """Calls possible and chosen."""
    void_suits: Counter[str] = field(default_factory=Counter)
    """Void suits chosen."""
    void_held: Counter[int] = field(default_factory=Counter)
    """Tiles of the void suit held when it was chosen."""
    void_fewest: int = 0
    """Times that no suit had fewer tiles than the one chosen."""
    pigs: int = 0
    """Times that tiles of the void suit were held at exhaustion."""
    exchanges: int = 0
    """Exchanges."""
    given_void: int = 0
    """Exchanges of tiles of the suit then chosen as void."""
    given_all: int = 0
    """Exchanges that gave away every tile of the suit."""
    given_pair: int = 0
    """Exchanges with two or more equal tiles among those given."""

    @property
    def all_discards(self) -> Risk:
        """All discards together."""
        risks = self.by_rank.values()
        return Risk(*(sum(getattr(risk, key) for risk in risks) for key in ("discards", "dealt_in", "wins", "points")))

    def risks(self) -> Iterator[tuple[str, str, Risk]]:
        """Give all classes of discards: what they are told apart by, which class, its discards."""
        yield "all", "all", self.all_discards
        groups = {"turn": self.by_turn, "rank": self.by_rank, "void": self.by_void, "own": self.by_own}
        for group, classes in {**groups, "kind": self.by_kind}.items():
            for label, risk in classes.items():
                yield group, label, risk
        for group, situations in (("turn", self.by_turn_and_rank), ("void", self.by_void_and_rank)):
            for situation, classes in situations.items():
                for label, risk in classes.items():
                    yield f"{group}, {situation}", label, risk

    def ratios(self) -> Iterator[tuple[Ratio, int, int]]:
        """Give everything that is a share or a mean: its name, what is counted, of how many."""
        for group, label, risk in self.risks():
            yield ("rate", group, label), risk.dealt_in, risk.discards
            yield ("cost", group, label), 100 * risk.points, risk.discards
        for name, chances in self.calls.items():
            yield ("call", name, ""), chances.did, chances.could
        times = self.void_suits.total()
        for suit in SUIT_LETTERS:
            yield ("void suit", suit, ""), self.void_suits[suit], times
        yield ("void suit", "fewest", ""), self.void_fewest, times
        yield ("void suit", "held", ""), sum(count * tiles for tiles, count in self.void_held.items()), times
        yield ("void suit", "pigs", ""), self.pigs, self.deals
        for name, count in (("void", self.given_void), ("all", self.given_all), ("pair", self.given_pair)):
            yield ("exchange", name, ""), count, self.exchanges

    def merge(self, other: Habits) -> None:
        """Add what was counted elsewhere.

        Parameters
        ----------
        other
            Counted in other deals.
        """
        mine = {(group, label): risk for group, label, risk in self.risks() if group != "all"}
        for group, label, risk in other.risks():
            if group != "all":
                for key, number in vars(risk).items():
                    setattr(mine[group, label], key, getattr(mine[group, label], key) + number)
        for name, chances in other.calls.items():
            self.calls[name].could += chances.could
            self.calls[name].did += chances.did
        self.void_suits.update(other.void_suits)
        self.void_held.update(other.void_held)
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def add(self, events: Sequence[Event], strategy: str) -> None:
        """Add a deal: what all seats of a strategy did in it.

        Parameters
        ----------
        events
            A whole deal, as `sim.tournament.replay` gives it.
        strategy
            The strategy's name.
        """
        names = events[0]["strategies"]
        seats = [seat for seat in range(SEATS) if names[seat] == strategy]
        self.deals += len(seats)
        follower = _Follower(self, frozenset(seats), [parse_tiles(hand) for hand in events[0]["hands"]])
        for event in events:
            read = getattr(follower, f"read_{event['event']}", None)
            if read is not None:
                read(event)


@dataclass
class _Follower:
    """One deal as it goes on."""

    habits: Habits
    seats: frozenset[int]
    hands: list[list[int]]
    given: dict[int, list[int]] = field(default_factory=dict)
    given_of: dict[int, int] = field(default_factory=dict)
    void_suits: dict[int, int] = field(default_factory=dict)
    won: set[int] = field(default_factory=set)
    discards: Counter[int] = field(default_factory=Counter)
    last: list[Risk] = field(default_factory=list)
    last_seat: int = -1
    has_won: bool = False

    def read_exchange(self, event: Event) -> None:
        """Note what a seat gives; void suits are chosen after all have."""
        seat, given = event["seat"], parse_tiles(event["given"])
        hand = self.hands[seat]
        if seat in self.seats:
            self.habits.exchanges += 1
            suit = given[0] // RANKS
            self.given_of[seat] = suit
            self.habits.given_all += sum(kind // RANKS == suit for kind in hand) == len(given)
            self.habits.given_pair += len(set(given)) < len(given)
        for kind in given:
            hand.remove(kind)
        hand += parse_tiles(event["received"])

    def read_void_suit(self, event: Event) -> None:
        """Note a void suit, and how many tiles of it are held."""
        seat, suit = event["seat"], SUIT_LETTERS.index(event["suit"])
        self.void_suits[seat] = suit
        if seat in self.seats:
            sizes = [sum(kind // RANKS == other for kind in self.hands[seat]) for other in range(3)]
            self.habits.void_suits[event["suit"]] += 1
            self.habits.void_held[sizes[suit]] += 1
            self.habits.void_fewest += sizes[suit] == min(sizes)
            self.habits.given_void += self.given_of.get(seat) == suit

    def read_discard(self, event: Event) -> None:
        """Put a discard into its classes."""
        seat, kind = event["seat"], parse_tile(event["tile"])
        self.discards[seat] += 1
        self.last, self.last_seat, self.has_won = [], seat, False
        if seat not in self.seats:
            return
        suit, rank, number = kind // RANKS, kind % RANKS, self.discards[seat]
        opponents = [other for other in range(SEATS) if other != seat and other not in self.won]
        void = sum(self.void_suits[other] == suit for other in opponents)
        habits = self.habits
        self.last = [
            habits.by_turn[next(name for most, name in TURN_CLASSES if number <= most)],
            habits.by_rank[RANK_CLASSES[min(rank, RANKS - 1 - rank)]],
            habits.by_void[VOID_CLASSES[void]],
            habits.by_own["own void suit" if self.void_suits[seat] == suit else "other suits"],
            habits.by_kind[format_kind(kind)],
        ]
        turn_class = next(name for most, name in TURN_CLASSES if number <= most)
        rank_class = RANK_CLASSES[min(rank, RANKS - 1 - rank)]
        self.last += [
            habits.by_turn_and_rank[turn_class][rank_class],
            habits.by_void_and_rank[VOID_CLASSES[void]][rank_class],
        ]
        for risk in self.last:
            risk.discards += 1

    def read_win(self, event: Event) -> None:
        """Note a winner, and who dealt in."""
        self.won.add(event["seat"])
        if event["form"] == "discard" and event["from"] == self.last_seat:
            for risk in self.last:
                risk.dealt_in += not self.has_won
                risk.wins += 1
            self.has_won = True

    def read_payment(self, event: Event) -> None:
        """Count what a deal-in costs."""
        if event["cause"] == "discard_win" and event["payer"] == self.last_seat:
            for risk in self.last:
                risk.points += event["amount"]

    def read_answer(self, event: Event) -> None:
        """Count what was possible and what was chosen."""
        if event["seat"] not in self.seats:
            return
        action, could, decision = event["action"], event["could"], event["decision"]
        win = {"turn": CALLS[0], "claim": CALLS[1]}.get(decision, CALLS[2])
        kong = CALLS[5] if decision == "turn" else CALLS[4]
        options = [(win, "win" in could, action == "win")]
        options.append((kong, any(word.startswith("kong") for word in could), action.startswith("kong")))
        options.append((CALLS[3], "pung" in could, action == "pung"))
        for name, is_possible, is_chosen in options:
            chances = self.habits.calls[name]
            chances.could += is_possible
            chances.did += is_chosen
            if is_chosen:  # what is lower was not missed
                break

    def read_exhaustion(self, event: Event) -> None:
        """Count flower pigs."""
        self.habits.pigs += sum(event["statuses"][seat] == "pig" for seat in self.seats)
