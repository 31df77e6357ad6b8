"""The words of the reference engine: choices, decisions, events, ledger lines, melds, outcomes. No rules here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

KINDS = 27
SEATS = 4

# Choices are integers, so that two engines can be compared choice by choice. 0..26 discards that kind.
KONG = 32  # 32 + kind: a kong of that kind
WIN = 64
PASS = 65
PUNG = 66

#: An event is a tuple that begins with its name, for instance ``("draw", 2, 14, False)``.
Event = tuple[Any, ...]


class IllegalChoice(ValueError):  # noqa: N818 - the name is part of the interface
    """A seat answered what the rules do not allow, or was not asked at all."""


@dataclass(frozen=True)
class Decision:
    """What one seat has to decide now."""

    kind: str  # "exchange" | "void_suit" | "turn" | "claim" | "rob"
    seat: int
    tile: int | None  # the kind in question for claim and rob
    legal: frozenset[int]


@dataclass(frozen=True)
class Line:
    """One payment from one player to another."""

    cause: str
    payer: int
    payee: int
    amount: int


@dataclass
class Meld:
    """A declared group. Only an added kong ever changes one: from "pung" to "added"."""

    form: str  # "pung" | "concealed" | "exposed" | "added"
    kind: int
    from_seat: int | None

    @property
    def copies(self) -> int:
        """Tiles in the meld: three for a pung, four for a kong."""
        return 3 if self.form == "pung" else 4


@dataclass
class Discard:
    """A tile thrown by a seat, and who took it into a meld (a winning tile stays where it lies)."""

    seat: int
    kind: int
    taken_by: int | None = None


@dataclass
class KongIncome:
    """What one kong brought its owner, kept for the transfer and for the refund."""

    seat: int
    lines: list[Line]
    given_away: bool = False


@dataclass(frozen=True)
class SeatOutcome:
    """How the deal ended for one seat."""

    points: int
    place: int  # 1..3 in the order of winning, 0 without a win
    form: str | None  # "self_draw" | "discard" | "robbed_kong"
    fan: int
    value: int
    status: str  # "won" | "ready" | "not_ready" | "pig" | "left" (the deal ended by the third win)
    hand: tuple[int, ...]  # concealed counts; a self-drawn winning tile is in it, a claimed one is not
    melds: tuple[Meld, ...]


def suit_of(kind: int) -> int:
    """Suit of a kind: 0 characters, 1 circles, 2 bamboo."""
    return kind // 9


def rank_of(kind: int) -> int:
    """Rank of a kind, 1 to 9."""
    return kind % 9 + 1


def turn_order(seat: int) -> list[int]:
    """Return the three other seats in turn order, beginning with the right-hand neighbour."""
    return [(seat + step) % SEATS for step in (1, 2, 3)]
