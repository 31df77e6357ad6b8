"""Whether a deal file that was accepted deserved it, found without the code that accepted it.

The plain engine of `tests/reference` plays the choices again; then the file's own lines are compared with what it says.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from deal_files import Event

from sim.rules import Preset, load_preset
from tests.reference.referee import Referee
from tests.reference.scripts import kind_of, name_of, tiles
from tests.reference.table import pack_pick

FIXED = {"win": 64, "pass": 65, "pung": 66}


def preset_of(start: Event) -> Preset:
    """Make the preset of a file."""
    if "knobs" not in start:
        return load_preset(start["preset"])
    tables: dict[str, Any] = {"name": start["preset"]}
    for key, value in start["knobs"].items():
        *path, name = key.split(".")
        table = tables
        for part in path:
            table = table.setdefault(part, {})
        table[name] = value
    return Preset.model_validate(tables)


def action_of(text: str) -> int:
    """Read an answer."""
    verb, _, tile = text.partition(" ")
    return FIXED[verb] if verb in FIXED else kind_of(tile) + (32 if verb == "kong" else 0)


def turn_of(event: Event) -> int:
    """Read what a player did on a turn."""
    if event["event"] == "win":
        return 64
    return kind_of(event["tile"]) + (0 if event["event"] == "discard" else 32)


def play_again(start: Event, told: list[Event]) -> Referee:
    """Let the plain engine play the choices of a file whose wall is known, all answers among its events."""
    hands = [tiles(hand) for hand in start["hands"]]
    wall = [kind for hand in hands for kind in hand[:13]] + hands[0][13:] + tiles(start["wall"])
    direction = next(event["direction"] for event in told if event["event"] == "direction")
    referee = Referee(preset_of(start), wall, start.get("wall_mode", "shared"), direction)
    given = {event["seat"]: pack_pick(sorted(tiles(event["given"]))) for event in told if event["event"] == "exchange"}
    voids = {event["seat"]: "mps".index(event["suit"]) for event in told if event["event"] == "void_suit"}
    turns = [event for event in told if _is_turn(event)]
    claims = [event for event in told if event["event"] == "answer" and event["decision"] != "turn"]
    while referee.pending:
        seat, decision = next(iter(referee.pending.items()))
        if decision.kind == "exchange":
            referee.answer(seat, given[seat])
        elif decision.kind == "void_suit":
            referee.answer(seat, voids[seat])
        elif decision.kind == "turn":
            event = turns.pop(0)
            assert event["seat"] == seat
            referee.answer(seat, turn_of(event))
        else:
            event = claims.pop(0)
            seat = event["seat"]
            decision = referee.pending[seat]
            assert event["decision"] == decision.kind
            could = {name_of_action(action, decision.tile) for action in decision.legal} - {"pass"}
            assert set(event["could"]) == could
            referee.answer(seat, action_of(event["action"]))
    assert referee.over
    assert turns == claims == []
    return referee


def _is_turn(event: Event) -> bool:
    name = event["event"]
    return (
        name in ("discard", "robbed")
        or (name == "kong" and event["form"] != "exposed")
        or (name == "win" and event["form"] == "self_draw")
    )


def name_of_action(action: int, tile: int | None) -> str:
    """Write a claim."""
    words = {number: word for word, number in FIXED.items()}
    if action in words:
        return words[action]
    assert tile == action - 32
    return f"kong {name_of(action - 32)}"


def words_of(event: tuple[Any, ...]) -> Event:
    """Write an event of the plain engine as a file has it."""
    name, *facts = event
    if name == "direction":
        return {"event": name, "direction": facts[0]}
    if name == "exchange":
        return {"event": name, "seat": facts[0], "given": _sorted(facts[1]), "received": _sorted(facts[2])}
    if name == "void_suit":
        return {"event": name, "seat": facts[0], "suit": "mps"[facts[1]]}
    if name == "draw":
        return {"event": name, "seat": facts[0], "tile": name_of(facts[1]), "replacement": facts[2]}
    if name in ("discard", "robbed"):
        return {"event": name, "seat": facts[0], "tile": name_of(facts[1])}
    if name == "pung":
        return {"event": name, "seat": facts[0], "tile": name_of(facts[1]), "from": facts[2]}
    if name == "kong":
        return {"event": name, "seat": facts[0], "tile": name_of(facts[1]), "form": facts[2], "from": facts[3]}
    if name == "win":
        seat, form, tile, source, patterns, fan, value = facts
        tile = None if tile is None else name_of(tile)
        figures = {"patterns": patterns, "fan": fan, "value": value}
        return {"event": name, "seat": seat, "form": form, "tile": tile, "from": source, **figures}
    if name == "exhaustion":
        return {"event": name, "statuses": list(facts[0])}
    assert name == "end"
    return {"event": name}


def _sorted(kinds: Any) -> str:
    return " ".join(name_of(kind) for kind in sorted(kinds))


def plain(events: list[Event]) -> list[Event]:
    """Return what happened without answers and payments, exchanges and void suits by seat."""
    kept = []
    for event in events:
        if event["event"] == "exchange":
            kept.append({**event, **{key: _sorted(tiles(event[key])) for key in ("given", "received")}})
        elif event["event"] == "end":
            kept.append({"event": "end"})
        elif event["event"] not in ("deal", "answer", "payment"):
            kept.append(event)
    opening = [event for event in kept if event["event"] in ("exchange", "void_suit")]
    opening.sort(key=lambda event: (event["event"], event["seat"]))
    return [opening.pop(0) if event["event"] in ("exchange", "void_suit") else event for event in kept]


def payments(events: list[Event]) -> Counter[tuple[Any, ...]]:
    """Return the payments, each with the number of events before it that are neither payments nor answers."""
    found: Counter[tuple[Any, ...]] = Counter()
    before = 0
    for event in events:
        if event["event"] == "payment":
            found[before, event["cause"], event["payer"], event["payee"], event["amount"]] += 1
        elif event["event"] != "answer":
            before += 1
    return found


def answers(events: list[Event]) -> Counter[tuple[Any, ...]]:
    """Return the answers to discards and added kongs, each with the number of other events before it."""
    found: Counter[tuple[Any, ...]] = Counter()
    before = 0
    for event in events:
        if event["event"] == "answer" and event["decision"] != "turn":
            found[before, event["seat"], event["decision"], event["action"]] += 1
        elif event["event"] != "answer":
            before += 1
    return found


def wall_of(start: Event, told: list[Event]) -> str:
    """Make up the wall that a file does not have: what was drawn, and the other tiles between front and back."""
    draws = [event for event in told if event["event"] == "draw"]
    front = [kind_of(event["tile"]) for event in draws if not event["replacement"]]
    back = [kind_of(event["tile"]) for event in draws if event["replacement"]]
    used = Counter([*front, *back, *(kind for hand in start["hands"] for kind in tiles(hand))])
    rest = [kind for kind in range(27) for _ in range(4 - used[kind])]
    return " ".join(map(name_of, [*front, *rest, *back[::-1]]))


def deserves(events: list[Event], told: list[Event]) -> None:
    """Check that an accepted file is a deal by the rules, and says only what is so.

    Parameters
    ----------
    events
        The file.
    told
        What the referee says that happened.
    """
    start = events[0]
    if "wall" not in start:
        if start.get("wall_mode") == "per_seat":
            return  # no wall can be made up so simply
        start = {**start, "wall": wall_of(start, told)}
    referee = play_again(start, told)
    theirs = [words_of(event) for event in referee.events]
    if theirs[0]["event"] != "direction":
        theirs.insert(0, {"event": "direction", "direction": "none"})
    assert plain(events) == plain(theirs)
    assert events[-1]["points"] == list(referee.points)
    ledger = Counter((line.cause, line.payer, line.payee, line.amount) for line in referee.ledger)
    mine: Counter[tuple[Any, ...]] = Counter()
    for payment, count in payments(events).items():
        mine[payment[1:]] += count
    assert mine == ledger
    assert payments(events) == payments([events[0], *told])
    assert answers(events) <= answers([events[0], *told])
