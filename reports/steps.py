"""A deal as steps to look at: after each event what lies where, what each hand waits for, what was paid.

Made of the events of a deal file (`docs/deal-files.md`), whoever wrote it; the words are those of `bloodbattle deal`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sim.tiles import KINDS, SUIT_LETTERS, format_kind, parse_tile
from sim.tournament.narrate import Narrator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.tournament.deal_file import Event

SEATS: Final = 4
JUMPS: Final = {"win": "win", "kong": "kong", "robbed": "win"}
"""Which events the page can jump to, and under which name."""
_MELD_TILES: Final = {"pung": 3, "concealed kong": 4, "exposed kong": 4, "added kong": 4}


@dataclass
class Step:
    """What the table looks like after an event."""

    event: str
    """Which event."""
    seat: int | None
    """Whose it is."""
    words: list[str]
    """What happened, a line each."""
    seats: list[dict[str, Any]]
    """For each seat: hand, melds, discards, void suit, waits, points, and how it stands."""
    left: int
    """Tiles left in the wall."""
    paid: int
    """How many lines of the ledger there are."""

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "event": self.event,
            "seat": self.seat,
            "words": self.words,
            "seats": self.seats,
            "left": self.left,
            "paid": self.paid,
            "jump": JUMPS.get(self.event),
        }


@dataclass
class DealSteps:
    """A whole deal in steps."""

    start: Event
    """The event that it started with."""
    steps: list[Step] = field(default_factory=list)
    """What the table looks like after each event; payments belong to the event that caused them."""
    ledger: list[Event] = field(default_factory=list)
    """All payments."""
    points: list[int] | None = None
    """Points of each seat as the deal's last event has them; None if the deal has no end."""


class _Table:
    """Follows the table from event to event."""

    def __init__(self) -> None:
        self.narrator = Narrator(is_unicode=False)
        self.discards: list[list[dict[str, Any]]] = [[] for _ in range(SEATS)]
        self.voids: list[str | None] = [None] * SEATS
        self.points = [0] * SEATS
        self.states = [""] * SEATS
        self.won_on: list[str | None] = [None] * SEATS
        self.drawn: tuple[int, str] | None = None
        self.wins = 0

    def follow(self, event: Event) -> None:
        """Take note of what the narrator does not."""
        name = event["event"]
        if name == "void_suit":
            self.voids[event["seat"]] = event["suit"]
        elif name == "payment":
            self.points[event["payer"]] -= event["amount"]
            self.points[event["payee"]] += event["amount"]
        elif name == "discard":
            self.discards[event["seat"]].append({"tile": event["tile"], "taken": ""})
        elif name == "win":
            self.wins += 1
            how = {"self_draw": "self-draw", "discard": "discard", "robbed_kong": "robbed kong"}[event["form"]]
            self.states[event["seat"]] = f"won {('first', 'second', 'third')[min(self.wins, 3) - 1]}, by {how}"
            self.won_on[event["seat"]] = event["tile"]
        elif name == "exhaustion":
            words = {"ready": "ready", "not_ready": "not ready", "pig": "flower pig"}
            self.states = [
                words.get(status, state) for status, state in zip(event["statuses"], self.states, strict=True)
            ]
        taken = "pung" if name == "pung" else "kong" if name == "kong" and event["form"] == "exposed" else ""
        if taken or (name == "win" and event["form"] == "discard"):
            self.discards[event["from"]][-1]["taken"] = taken or "win"
        self.drawn = (event["seat"], event["tile"]) if name == "draw" else None if name != "answer" else self.drawn

    def seat(self, seat: int) -> dict[str, Any]:
        """Give one seat as plain data."""
        hand = [format_kind(kind) for kind in sorted(self.narrator.hands[seat].elements())]
        drawn = self.drawn[1] if self.drawn is not None and self.drawn[0] == seat else None
        if drawn in hand:
            hand.remove(drawn)
        return {
            "hand": hand,
            "drawn": drawn,
            "won_on": self.won_on[seat],
            "melds": [_show_meld(meld) for meld in self.narrator.melds[seat]],
            "discards": [dict(discard) for discard in self.discards[seat]],
            "void": self.voids[seat],
            "points": self.points[seat],
            "state": self.states[seat],
            "waits": self._waits(seat),
        }

    def _waits(self, seat: int) -> list[str]:
        """List what a hand between turns waits for."""
        void = self.voids[seat]
        tiles = tuple(sorted(self.narrator.hands[seat].elements()))
        melds = tuple(self.narrator.melds[seat])
        if void is None or self.states[seat].startswith("won") or len(tiles) + 3 * len(melds) != 13:
            return []
        return list(_waits_of(tiles, melds, void))


@lru_cache(maxsize=SEATS)
def _waits_of(tiles: tuple[int, ...], melds: tuple[str, ...], void: str) -> tuple[str, ...]:
    """List what a hand waits for; most hands are looked at again and again while others play."""
    from sim.engine.hands.lookup import load_lookup  # noqa: PLC0415 - loads Numba
    from sim.engine.hands.waits import mark_waits  # noqa: PLC0415
    from sim.tournament.hand_input import HandInput, Meld  # noqa: PLC0415

    made = tuple(Meld(name, parse_tile(tile)) for name, _, tile in (meld.rpartition(" ") for meld in melds))
    record = HandInput(tiles, made).to_record(SUIT_LETTERS.index(void))
    mask = int(mark_waits(record, load_lookup()[0]))
    return tuple(format_kind(kind) for kind in range(KINDS) if (mask >> kind) & 1)


def _show_meld(text: str) -> dict[str, Any]:
    """Read a meld as the narrator has it."""
    name, _, tile = text.rpartition(" ")
    return {"form": name, "tiles": [tile] * _MELD_TILES[name]}


def make_steps(events: Iterable[Event]) -> DealSteps:
    """Make steps of the events of one deal.

    Parameters
    ----------
    events
        The events of one deal, in order; the first is the event ``deal``.

    Returns
    -------
    DealSteps
        One step for each event but payments, and answers that the next event tells (an own kong, a self-draw).
    """
    stream = iter(events)
    start = next(stream)
    deal = DealSteps(start)
    table = _Table()
    _add(deal, table, start)
    for event in stream:
        if event["event"] == "payment":
            deal.ledger.append({**event, "step": len(deal.steps) - 1})
        if event["event"] == "end":
            deal.points = list(event["points"])
        _add(deal, table, event)
    return deal


def _add(deal: DealSteps, table: _Table, event: Event) -> None:
    """Follow an event, and add what the table looks like after it; a payment belongs to the step before it."""
    table.follow(event)
    words = [line.strip() for line in table.narrator.tell([event]) if line.strip()]
    seats = [table.seat(seat) for seat in range(SEATS)]
    if event["event"] == "payment" and deal.steps:
        last = deal.steps[-1]
        last.words += words
        last.seats = seats
        last.paid = len(deal.ledger)
        return
    if not words:  # an answer in the own turn, which the next event tells
        return
    seat = event.get("seat")
    deal.steps.append(Step(event["event"], seat, words, seats, table.narrator.tiles_left, len(deal.ledger)))
