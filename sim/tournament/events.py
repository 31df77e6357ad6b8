"""The engine's log as events: what happened in a deal, as plain dictionaries that people and programs read.

An event has the key `event`; tiles are written as in `5m`. Deal files hold these events, one a line
(`sim.tournament.deal_file` has every field). Not in here: playing (`sim.tournament.replay`), and how events are told in
words (`sim.tournament.narrate`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.hands.hand import CONCEALED_KONG, KINDS, MELD_FORMS, NONE
from sim.engine.sichuan.deal import CAUSES, DEALT, EVENTS, STATUSES, WALL_MODES
from sim.engine.sichuan.fan import score_fan, score_patterns, score_roots
from sim.engine.sichuan.rules import DIRECTIONS, PATTERNS, ROOT, SELF_DRAW_FAN
from sim.engine.sichuan.setup import packed_kind
from sim.engine.sichuan.table import (
    DECISIONS,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
    WIN_FORMS,
)
from sim.rules import knob_values
from sim.tiles import SUIT_LETTERS, format_kind, format_kinds
from sim.tournament.deal_fields import FORMAT, LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset
    from sim.tournament.deal_file import Event


def start_event(
    deal: Any,
    preset: Preset,
    strategies: Sequence[str],
    wall_seed: int,
    seating: Sequence[int],
    *,
    deal_id: str | None = None,
) -> Event:
    """Return the event that a deal file starts with: who plays what, under which rules, with which tiles.

    Parameters
    ----------
    deal : Deal record
        A deal that has begun, or been played.
    preset : Preset
        The rules in force.
    strategies : sequence of 4 str
        Name of the strategy at each seat.
    wall_seed : int
        The wall seed.
    seating : sequence of 4 int
        Line-up slot at each seat.
    deal_id : str, optional
        What the deal is called.

    Returns
    -------
    dict
        The event `deal`.
    """
    wall = [int(kind) for kind in deal.wall]
    hands = [wall[13 * seat : 13 * seat + 13] for seat in range(SEATS)]
    hands[0] = [*hands[0], wall[DEALT - 1]]
    return {
        "event": "deal",
        "format": FORMAT,
        **({} if deal_id is None else {"id": deal_id}),
        "preset": preset.name,
        "knobs": knob_values(preset),
        "wall_seed": int(wall_seed),
        "wall_mode": WALL_MODES[deal.wall_mode],
        "seating": list(seating),
        "strategies": [printable(name) for name in strategies],
        "hands": [format_kinds(sorted(hand)) for hand in hands],
        "wall": " ".join(format_kind(kind) for kind in wall[DEALT:]),
    }


def printable(name: str) -> str:
    """Return a strategy's name as a deal file can have it, since a file's name may hold anything.

    Parameters
    ----------
    name : str
        The name.
    """
    return (name if name.isprintable() else ascii(name))[:LONGEST_NAME] or "?"


class LogReader:
    """Reads a deal's log as events, each payment after the event that caused it.

    Parameters
    ----------
    deal : Deal record
        A deal that is played with its log on.
    rules : Rules record
        The preset it is played under.
    """

    def __init__(self, deal: Any, rules: Any) -> None:
        self.deal = deal
        self.rules = rules
        self._event = 0
        self._line = 0

    def read(self) -> list[Event]:
        """Return the events since the last call, or since the start of the deal.

        Returns
        -------
        list of dict
            Events in order. Answers are those that decide something between two possibilities: all answers to a discard
            or an added kong, and turn answers where a win or a kong was possible.
        """
        events: list[Event] = []
        for index in range(self._event, int(self.deal.count_events)):
            name, *facts = (int(fact) for fact in self.deal.events[index])
            event = _READERS[EVENTS[name]](facts, self)
            if event is not None:
                events.append({"event": EVENTS[name], **event})
            events.extend(self._payments(index + 1))
        self._event = int(self.deal.count_events)
        return events

    def _payments(self, before: int) -> list[Event]:
        """Return the payments that were booked when so many events had been logged."""
        deal = self.deal
        found: list[Event] = []
        while self._line < deal.count_lines and deal.line_events[self._line] <= before:
            line = self._line
            found.append(
                {
                    "event": "payment",
                    "cause": CAUSES[deal.line_causes[line]],
                    "payer": int(deal.line_payers[line]),
                    "payee": int(deal.line_payees[line]),
                    "amount": int(deal.line_amounts[line]),
                }
            )
            self._line += 1
        return found


def read_log(deal: Any, rules: Any) -> list[Event]:
    """Return all events of a logged deal.

    Parameters
    ----------
    deal : Deal record
        A deal that was played with its log on.
    rules : Rules record
        The preset it was played under.

    Returns
    -------
    list of dict
        Events in order (`LogReader.read`).
    """
    return LogReader(deal, rules).read()


def kinds_in(mask: int) -> list[int]:
    """Return the kinds of a mask, ascending.

    Parameters
    ----------
    mask : int
        Bit k stands for kind k.
    """
    return [kind for kind in range(KINDS) if (mask >> kind) & 1]


def unpack_exchange(packed: int, count: int) -> str:
    """Return the tiles of a packed exchange choice, as in ``123m``.

    Parameters
    ----------
    packed : int
        Sum of kind[i] * 32 ** i.
    count : int
        Tiles that an exchange moves.
    """
    return format_kinds([int(packed_kind(packed, index)) for index in range(count)])


def describe_action(action: int) -> str:
    """Return an answer of a turn, a claim or a robbing in words, as in ``discard 5m``.

    Parameters
    ----------
    action : int
        The action (`sim.engine.sichuan.table`).
    """
    if action == WIN_ACTION:
        return "win"
    if action == PASS_ACTION:
        return "pass"
    if action == PUNG_ACTION:
        return "pung"
    if action >= KONG_ACTION:
        return f"kong {format_kind(action - KONG_ACTION)}"
    return f"discard {format_kind(action)}"


def list_options(win: int, pung: int, kongs: int) -> list[str]:
    """Return what could be done besides discarding and passing, as in ``["win", "kong 5m"]``.

    Parameters
    ----------
    win : int
        1 if a win is legal.
    pung : int
        1 if a pung is legal.
    kongs : int
        Mask of the kinds of which a kong is legal.
    """
    return ["win"] * win + ["pung"] * pung + [f"kong {format_kind(kind)}" for kind in kinds_in(kongs)]


def describe_patterns(score: int, rules: Any) -> dict[str, int]:
    """Return the patterns of a score and the fan of each.

    Parameters
    ----------
    score : int
        A score (`sim.engine.sichuan.fan`).
    rules : Rules record
        The preset.

    Returns
    -------
    dict of str to int
        Fan by pattern, in the rulebook's order; roots together.
    """
    mask, roots = int(score_patterns(score)), int(score_roots(score))
    fans = {
        name: int(rules.fan[index]) * (roots if index == ROOT else 1)
        for index, name in enumerate(PATTERNS)
        if (mask >> index) & 1
    }
    if (mask >> SELF_DRAW_FAN) & 1:
        fans["self_draw"] = 1
    return fans


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


def _read_answer(facts: list[int], _: LogReader) -> Event | None:
    seat, decision, action, options, kongs, _discards = facts
    could = list_options(options & 1, options >> 1, kongs)
    if decision <= VOID_SUIT or (decision == TURN and not could):
        return None
    return {"seat": seat, "decision": DECISIONS[decision], "action": describe_action(action), "could": could}


def _read_win(facts: list[int], reader: LogReader) -> Event:
    seat, form, kind, payer, score, value = facts
    return {
        "seat": seat,
        "form": WIN_FORMS[form],
        "tile": None if kind == NONE else format_kind(kind),
        "from": _seat(payer),
        "patterns": describe_patterns(score, reader.rules),
        "fan": int(score_fan(score)),
        "value": value,
    }


def _read_exchange(facts: list[int], reader: LogReader) -> Event:
    count = int(reader.rules.exchange_count)
    return {
        "seat": facts[0],
        "given": unpack_exchange(facts[1], count),
        "received": unpack_exchange(facts[2], count),
    }


def _read_kong(facts: list[int], _: LogReader) -> Event:
    seat, kind, form, source = facts[:4]
    return {
        "seat": seat,
        "tile": format_kind(kind),
        "form": MELD_FORMS[form],
        "from": None if form == CONCEALED_KONG else _seat(source),
    }


_READERS: dict[str, Any] = {
    "direction": lambda facts, _: {"direction": DIRECTIONS[facts[0]]},
    "exchange": _read_exchange,
    "void_suit": lambda facts, _: {"seat": facts[0], "suit": SUIT_LETTERS[facts[1]]},
    "draw": lambda facts, _: {"seat": facts[0], "tile": format_kind(facts[1]), "replacement": bool(facts[2])},
    "discard": lambda facts, _: {"seat": facts[0], "tile": format_kind(facts[1])},
    "pung": lambda facts, _: {"seat": facts[0], "tile": format_kind(facts[1]), "from": facts[2]},
    "kong": _read_kong,
    "robbed": lambda facts, _: {"seat": facts[0], "tile": format_kind(facts[1])},
    "win": _read_win,
    "exhaustion": lambda facts, _: {"statuses": [STATUSES[status] for status in facts[:4]]},
    "end": lambda _, reader: {"points": [int(points) for points in reader.deal.table.points]},
    "answer": _read_answer,
}
