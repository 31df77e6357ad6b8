"""Moves and checks of a written deal: reading them, and carrying them out on a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sim.errors import NotationError
from sim.tiles import format_counts, format_kind, parse_counts, parse_tiles
from tests.golden.engines import IllegalMove
from tests.golden.stack import GoldenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.golden.engines import Table

MOST_STEPS = 600
_DECISIONS = {"move": "turn", "claim": "claim", "rob": "rob", "exchange": "exchange", "name": "void_suit"}
_SEATS = r"[0-3](?:, [0-3])*"


def steps_of(moves: str) -> list[str]:
    """Split moves into steps, without comments."""
    lines = (line.partition("#")[0] for line in moves.splitlines())
    return [step.strip() for line in lines for step in line.split(";") if step.strip()]


def run(table: Table, moves: str) -> None:
    """Carry out all steps; after each the state must be sound.

    Raises
    ------
    GoldenError
        If a step is no move and no check.
    AssertionError
        If a move is illegal or a check fails; it names the step.
    """
    for number, step in enumerate(steps_of(moves), start=1):
        try:
            _find(step)(table)
            faults = table.faults()
            assert not faults, f"the state is unsound: {faults}"
        except NotationError as error:
            raise GoldenError(f"step {number}, {step!r}: {error}") from None
        except AssertionError as error:
            raise AssertionError(f"step {number}, {step!r}: {error}") from None


def _find(step: str) -> Callable[[Table], None]:
    """Find what a step means."""
    for pattern, meaning in _STEPS:
        found = re.fullmatch(pattern, step)
        if found is not None:
            return lambda table: meaning(table, *found.groups())
    raise GoldenError(f"{step!r} is no move and no check; the package's text lists them all")


# --- answers ---------------------------------------------------------------------------------------------------------


def _act(table: Table, seat: str, verb: str, tile: str) -> None:
    table.answer(int(seat), f"{verb[:-1]} {tile}")


def _say(table: Table, seat: str, verb: str) -> None:
    table.answer(int(seat), {"wins": "win", "passes": "pass", "pungs": "pung"}[verb])


def _name(table: Table, seat: str, suit: str) -> None:
    table.answer(int(seat), f"void {suit}")


def _others_pass(table: Table) -> None:
    asked = table.asked()
    assert set(asked.values()) <= {"claim", "rob"}, f"nobody can pass; asked are {asked}"
    assert asked, "nobody is asked"
    for seat in asked:
        table.answer(seat, "pass")


def _play_on(table: Table, until: Callable[[], bool]) -> None:
    """Everybody throws what was drawn, or the first legal tile where that is not allowed, and passes on everything."""
    for _ in range(MOST_STEPS):
        if not table.asked() or until():
            return
        seat, decision = next(iter(table.asked().items()))
        assert decision in {"turn", "claim", "rob"}, f"seat {seat} has to make a choice: {decision}"
        if decision != "turn":
            table.answer(seat, "pass")
            continue
        discards = [word for word in table.legal(seat) if word.startswith("discard")]
        drawn = f"discard {table.drawn()}"
        first = min(discards, key=lambda word: parse_tiles(word.removeprefix("discard ")))
        table.answer(seat, drawn if drawn in discards else first)
    raise AssertionError(f"no end after {MOST_STEPS} answers")


def _to_the_end(table: Table) -> None:
    _play_on(table, lambda: False)
    assert not table.asked()


def _until_turn(table: Table, seat: str) -> None:
    before = table.tiles_left()
    _play_on(table, lambda: table.asked() == {int(seat): "turn"} and table.tiles_left() < before)
    assert table.asked(), f"the deal ended before it was the turn of seat {seat}"


def _until_left(table: Table, count: int) -> None:
    _play_on(table, lambda: table.tiles_left() <= count and "turn" in table.asked().values())
    assert table.tiles_left() == count, f"{table.tiles_left()} tiles left"


# --- checks ----------------------------------------------------------------------------------------------------------


def _same(found: object, expected: object) -> None:
    assert found == expected, f"it is {found}"


def _asked(table: Table, decision: str, seats: str) -> None:
    _same(table.asked(), {int(seat): _DECISIONS[decision] for seat in seats.split(", ")})


def _may(table: Table, seat: str, choices: str) -> None:
    expected: set[str] = set()
    for choice in choices.split(", "):
        verb, _, tiles = choice.partition(" ")
        if verb not in {"win", "pass", "pung", "kong", "discard"}:
            raise GoldenError(f"{choice!r} is no choice; choices are win, pass, pung, kong 5p, discard 123m")
        expected |= {f"{verb} {format_kind(kind)}" for kind in parse_tiles(tiles)} if tiles else {verb}
    assert int(seat) in table.asked(), f"seat {seat} is not asked; asked are {table.asked()}"
    _same(table.legal(int(seat)), sorted(expected))


def _may_not(table: Table, seat: str, choice: str) -> None:
    try:
        table.answer(int(seat), choice.replace("name", "void"))
    except IllegalMove:
        return
    raise AssertionError("it is accepted")


def _drew(table: Table, seat: str, verb: str, tile: str) -> None:
    _same(table.last_draw(), (int(seat), tile, verb == "replaced"))


def _holds(table: Table, seat: str, tiles: str) -> None:
    _same(table.hand(int(seat)), format_counts(parse_counts(tiles)))


def _shows(table: Table, seat: str, melds: str) -> None:
    _same(table.melds(int(seat)), [] if melds == "nothing" else melds.split(", "))


def _seen(table: Table, melds: str, seat: str) -> None:
    seen = table.seen_melds(int(seat))
    if seen is not None:
        _same(seen, melds.split(", "))


_STEPS: list[tuple[str, Callable[..., None]]] = [
    (r"([0-3]) (discards|kongs|gives) ([1-9mps ]+)", _act),
    (r"([0-3]) (wins|passes|pungs)", _say),
    (r"([0-3]) names ([mps])", _name),
    (r"others pass", _others_pass),
    (r"play on", _to_the_end),
    (r"play on until ([0-3]) is to move", _until_turn),
    (r"play on until the wall is empty", lambda table: _until_left(table, 0)),
    (r"play on until (\d+) tiles? (?:is|are) left", lambda table, count: _until_left(table, int(count))),
    (rf"asked to (move|claim|rob|exchange|name): ({_SEATS})", _asked),
    (r"([0-3]) may not ((?:discard|kong|give) [1-9mps ]+|name [mps]|win|pung|pass)", _may_not),
    (r"([0-3]) may (.+)", _may),
    (r"([0-3]) (drew|replaced) ([1-9][mps])", _drew),
    (r"([0-3]) holds ([1-9mps ]+)", _holds),
    (r"([0-3]) shows (nothing|.+)", _shows),
    (r"others see (.+) of ([0-3])", _seen),
    (r"points (.+)", lambda table, points: _same(" ".join(map(str, table.points())), points)),
    (r"(\d+) tiles? left", lambda table, count: _same(table.tiles_left(), int(count))),
    (r"void suits (.+)", lambda table, suits: _same(table.void_suits(), suits)),
    (r"the deal is over", lambda table: _same(table.asked(), {})),
]
