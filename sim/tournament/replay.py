"""Replaying one deal: the same engine with its log on, and the log as events that people and programs read.

An event is a plain dictionary with the key `event`; tiles are written as in `5m`. Deal files hold these events, one a
line. Not in here: how events are told in words (`sim.tournament.narrate`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sim.engine.hands.hand import CONCEALED_KONG, MELD_FORMS, NONE, SUITS
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import CAUSES, DEALT, EVENTS, STATUSES, WALL_MODES, Deal
from sim.engine.sichuan.fan import score_fan, score_patterns, score_roots
from sim.engine.sichuan.play import CompiledStrategy, decision_tuples, describe_illegal, play_deal, seating_number
from sim.engine.sichuan.rules import DIRECTIONS, PATTERNS, ROOT, SELF_DRAW_FAN
from sim.engine.sichuan.setup import begin_deal, packed_kind
from sim.engine.sichuan.table import (
    CLAIM,
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    SEATS,
    VOID_SUIT,
    WIN_ACTION,
    WIN_FORMS,
)
from sim.errors import IllegalActionError
from sim.jit import new
from sim.rules.compile import compile_rules
from sim.rules.model import Preset
from sim.tiles import format_kind, format_kinds

Event = dict[str, Any]


@dataclass(frozen=True)
class Replay:
    """One deal, played again.

    Attributes
    ----------
    events : list of dict
        Everything that happened, in order.
    points : tuple of 4 int
        Net points of each seat.
    """

    events: list[Event]
    points: tuple[int, ...]


def replay_deal(
    preset: Preset,
    strategies: Sequence[CompiledStrategy],
    wall_seed: int,
    seating: Sequence[int] = (0, 1, 2, 3),
    wall_mode: str = "shared",
) -> Replay:
    """Play one deal again and keep every event.

    Parameters
    ----------
    preset : Preset
        The rules in force.
    strategies : sequence of 4
        The line-up: one strategy a slot.
    wall_seed : int
        The wall seed, 0 to 2**63 - 1.
    seating : sequence of 4 int
        Line-up slot at each seat.
    wall_mode : str
        ``shared`` or ``per_seat``.

    Returns
    -------
    Replay
        Its events and points.

    Raises
    ------
    IllegalActionError
        If a strategy chose what the rules do not allow.
    """
    deals = new(Deal)
    deal = deals[0]
    deal.wall_mode = WALL_MODES.index(wall_mode)
    deal.is_logged = 1
    for seat in range(SEATS):
        deal.hands[seat].parameters[:] = strategies[seating[seat]].parameters
    rules = compile_rules(preset)[0]
    lookup = load_lookup()[0]
    number = seating_number(seating)
    begin_deal(deal, rules, wall_seed, number)
    start = start_event(deal, preset, [strategies[slot].name for slot in seating], wall_seed, list(seating))
    culprit = play_deal(deal, number, *decision_tuples(strategies), rules, lookup)
    if culprit != NONE:
        raise IllegalActionError(describe_illegal(deal, culprit, strategies))
    return Replay([start, *read_log(deal, rules)], tuple(int(p) for p in deal.table.points))


def start_event(deal: Any, preset: Preset, strategies: list[str], wall_seed: int, seating: list[int]) -> Event:
    """Return the event that a deal file starts with: who plays what, with which tiles."""
    wall = [int(kind) for kind in deal.wall]
    hands = [wall[13 * seat : 13 * seat + 13] for seat in range(SEATS)]
    hands[0] = [*hands[0], wall[DEALT - 1]]
    return {
        "event": "deal",
        "preset": preset.name,
        "wall_seed": int(wall_seed),
        "wall_mode": WALL_MODES[deal.wall_mode],
        "seating": seating,
        "strategies": strategies,
        "hands": [format_kinds(sorted(hand)) for hand in hands],
        "wall": " ".join(format_kind(kind) for kind in wall[DEALT:]),
    }


def read_log(deal: Any, rules: Any) -> list[Event]:
    """Return a logged deal's events, with each payment after the event that caused it.

    Parameters
    ----------
    deal : Deal record
        A deal that was played with its log on.
    rules : Rules record
        The preset it was played under.

    Returns
    -------
    list of dict
        Events in order.
    """
    events: list[Event] = []
    line = 0
    for index in range(deal.count_events):
        row = [int(fact) for fact in deal.events[index]]
        name = EVENTS[row[0]]
        if name == "end":
            events.extend(_payments(deal, line, deal.count_lines))
            events.append({"event": "end", "points": [int(p) for p in deal.table.points]})
            break
        events.append({"event": name, **_READERS[name](row[1:], rules)})
        done = line
        while line < deal.count_lines and deal.line_events[line] <= index + 1:
            line += 1
        events.extend(_payments(deal, done, line))
    return events


def _payments(deal: Any, first: int, last: int) -> list[Event]:
    """Return some lines of the ledger as events."""
    return [
        {
            "event": "payment",
            "cause": CAUSES[deal.line_causes[line]],
            "payer": int(deal.line_payers[line]),
            "payee": int(deal.line_payees[line]),
            "amount": int(deal.line_amounts[line]),
        }
        for line in range(first, last)
    ]


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


def kinds_in(mask: int) -> list[str]:
    """Return the tiles of a mask of kinds, as in ``["5m", "1p"]``."""
    return [format_kind(kind) for kind in range(27) if (mask >> kind) & 1]


def unpack_exchange(packed: int, count: int) -> str:
    """Return the tiles of a packed exchange choice, as in ``123m``."""
    return format_kinds([int(packed_kind(packed, index)) for index in range(count)])


def describe_action(decision: int, action: int, count: int) -> str:
    """Return an action in words, as in ``discard 5m``.

    Parameters
    ----------
    decision : int
        What was decided.
    action : int
        The answer.
    count : int
        Tiles that an exchange moves.
    """
    if decision == EXCHANGE:
        return f"give {unpack_exchange(action, count)}"
    if decision == VOID_SUIT:
        return f"void {SUIT_LETTERS[action]}"
    if action == WIN_ACTION:
        return "win"
    if action == PASS_ACTION:
        return "pass"
    if action == PUNG_ACTION:
        return "pung"
    if action >= KONG_ACTION:
        return f"kong {format_kind(action - KONG_ACTION)}"
    return f"discard {format_kind(action)}"


SUIT_LETTERS = "mps"
assert len(SUIT_LETTERS) == SUITS


def _read_answer(facts: list[int], rules: Any) -> Event:
    seat, decision, action, options, kongs, discards = facts
    event: Event = {
        "seat": seat,
        "decision": DECISIONS[decision],
        "action": describe_action(decision, action, int(rules.exchange_count)),
    }
    if decision > VOID_SUIT:
        legal = ["win"] if options & 1 else []
        legal += ["pung"] if options & 2 else []
        legal += [f"kong {tile}" for tile in kinds_in(kongs)]
        legal += [f"discard {tile}" for tile in kinds_in(discards)]
        legal += ["pass"] if decision >= CLAIM else []
        event["legal"] = legal
    return event


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


def _read_win(facts: list[int], rules: Any) -> Event:
    seat, form, kind, payer, score, value = facts
    return {
        "seat": seat,
        "form": WIN_FORMS[form],
        "tile": None if kind == NONE else format_kind(kind),
        "from": _seat(payer),
        "patterns": describe_patterns(score, rules),
        "fan": int(score_fan(score)),
        "value": value,
    }


def _read_exchange(facts: list[int], rules: Any) -> Event:
    count = int(rules.exchange_count)
    return {
        "seat": facts[0],
        "given": unpack_exchange(facts[1], count),
        "received": unpack_exchange(facts[2], count),
    }


def _read_kong(facts: list[int], _rules: Any) -> Event:
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
    "answer": _read_answer,
}
