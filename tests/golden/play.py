"""Playing a case in an engine, and comparing what comes out with what is written."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sim.errors import NotationError
from sim.tiles import format_kinds, parse_counts, parse_tile, parse_tiles
from tests.golden import script
from tests.golden.cases import Case, deal_cases, hand_cases, in_order_of_causes, read_payments, read_win
from tests.golden.engines import ENGINES, Table, begin
from tests.golden.judges import WrittenHand, form_of, judge
from tests.golden.stack import GoldenError, stack_wall

if TYPE_CHECKING:
    from sim.rules import Preset

SITUATIONS = ("kong_draw", "kong_discard", "rob_kong", "last_tile")


def check_hand(case: Case, preset_name: str, engine: str) -> None:
    """Judge a written hand and compare with all that is expected of it."""
    if not case.expected:
        raise GoldenError(f"{case.where}: nothing is expected")
    hand = read_hand(case)
    judged = judge(engine, hand, case.load_preset(preset_name))
    found: dict[str, Any] = {
        "ready": judged.waits != "",
        "waits": judged.waits,
        "highest_value": judged.highest_value,
        "complete": judged.complete,
        "patterns": judged.patterns,
        "fan": judged.fan,
        "value": judged.value,
    }
    expected = dict(case.expected)
    if "waits" in expected:
        expected["waits"] = format_kinds(sorted(parse_tiles(expected["waits"])))
    if "patterns" in expected:
        expected.setdefault("fan", sum(expected["patterns"].values()))
    if {"patterns", "fan", "value"} & set(expected):
        expected.setdefault("complete", True)
    _compare(found, expected, f"{case.where}, {preset_name}, {engine} engine")


def _compare(found: dict[str, Any], expected: dict[str, Any], where: str) -> None:
    wrong = [f"{key}: expected {expected[key]}, found {found[key]}" for key in expected if found[key] != expected[key]]
    if wrong:
        raise AssertionError("\n".join([where, *wrong]))


def read_hand(case: Case) -> WrittenHand:
    """Read the hand of a case."""
    given = case.given
    try:
        melds = tuple(_read_meld(text) for text in given.get("melds", []))
        is_dealt = given.get("win") == "dealt"
        win = parse_tile(given["win"]) if "win" in given and not is_dealt else None
        size = 13 + is_dealt - 3 * len(melds)
        counts = parse_counts(given["hand"], [size])
    except (NotationError, KeyError, ValueError) as error:
        raise GoldenError(f"{case.where}: {error}") from None
    for kind in range(27):
        melded = sum(3 if form == "pung" else 4 for form, melded in melds if melded == kind)
        if counts[kind] + melded > 4:
            raise GoldenError(f"{case.where}: a fifth {format_kinds([kind])}")
    situation = tuple(given.get("situation", ()))
    for name in situation:
        if name not in SITUATIONS:
            raise GoldenError(f"{case.where}: situation {name!r}; allowed: {', '.join(SITUATIONS)}")
    if "void" in given:
        void = "mps".index(given["void"])
    else:
        suits = {kind // 9 for kind in range(27) if counts[kind]} | {kind // 9 for _, kind in melds}
        free = [suit for suit in (2, 1, 0) if suit not in suits and (win is None or win // 9 != suit)]
        if not free:
            raise GoldenError(f"{case.where}: all three suits are held, so it needs 'void'")
        void = free[0]
    return WrittenHand(tuple(counts), melds, void, win, is_dealt, bool(given.get("self_draw")), situation)


def _read_meld(text: str) -> tuple[str, int]:
    name, _, tile = text.rpartition(" ")
    try:
        return form_of(name), parse_tile(tile)
    except KeyError:
        raise ValueError(
            f"meld {text!r}; it reads 'pung 5p', 'concealed kong 5p', 'exposed kong 5p' or 'added kong 5p'"
        ) from None


def check_deal(case: Case, preset_name: str, engine: str) -> None:
    """Play a written deal and compare with all that is expected of it."""
    table = play_deal(case, preset_name, engine)
    found: dict[str, Any] = {
        "payments": in_order_of_causes(table.payments()),
        "points": table.points(),
        "wins": table.wins(),
        "statuses": table.statuses(),
        "kongs": table.kongs(),
    }
    expected = dict(case.expected)
    if "payments" in expected:
        expected["payments"] = read_payments(expected["payments"], case.where)
        expected.setdefault("points", _sum_up(expected["payments"]))
    if "wins" in expected:
        expected["wins"] = [read_win(entry, case.where) for entry in expected["wins"]]
    _compare(found, expected, f"{case.where}, {preset_name}, {engine} engine")


def _sum_up(payments: list[tuple[str, int, int, int]]) -> list[int]:
    points = [0] * 4
    for _, payer, payee, amount in payments:
        points[payer] -= amount
        points[payee] += amount
    return points


def play_deal(case: Case, preset_name: str, engine: str) -> Table:
    """Lay the wall of a written deal, and carry out its moves."""
    given, knobs = case.given, dict(case.knobs)
    if "hands" not in given or len(given["hands"]) != 4:
        raise GoldenError(f"{case.where}: 'hands' are four")
    if "exchange" not in given:
        knobs.setdefault("exchange.direction", "none")
    played = Case(case.file, case.name, case.rules, case.presets, knobs, given, case.expected)
    preset = played.load_preset(preset_name)
    try:
        wall = stack_wall(
            given["hands"],
            given.get("draws", ""),
            given.get("replacements", ""),
            given.get("last", ""),
            given.get("queues", ()),
        )
        table = begin(engine, preset, wall, given.get("wall_mode", "shared"), _direction(case, preset))
        script.run(table, opening_moves(given) + given.get("moves", ""))
    except GoldenError as error:
        raise GoldenError(f"{case.where}: {error}") from None
    except AssertionError as error:
        raise AssertionError(f"{case.where}, {preset_name}, {engine} engine: {error}") from None
    return table


def _direction(case: Case, preset: Preset) -> str:
    direction = preset.exchange.direction
    if direction == "random":
        if "direction" not in case.given:
            raise GoldenError("the preset draws the direction, so it needs 'direction': left, across or right")
        return str(case.given["direction"])
    if "direction" in case.given:
        raise GoldenError(f"'direction' is only for presets that draw it; here it is {direction}")
    return direction


def opening_moves(given: dict[str, Any]) -> str:
    """Write the exchange and the void suits of a case as moves."""
    moves = []
    exchange = given.get("exchange", "moves")
    if exchange != "moves":
        moves += [f"{seat} gives {tiles}" for seat, tiles in enumerate(exchange)]
    moves += [f"{seat} names {suit}" for seat, suit in enumerate(given.get("void", ""))]
    return "".join(f"{move}\n" for move in moves)


@cache
def _cases_by_name() -> dict[str, Case]:
    return {case.name: case for case in [*hand_cases(), *deal_cases()]}


def case_named(name: str) -> Case:
    """Return the golden case of a name."""
    return _cases_by_name()[name]


def check_golden(name: str) -> None:
    """Check the golden case of a name in both engines and under all of its presets."""
    case = case_named(name)
    check = check_deal if "hands" in case.given else check_hand
    for preset_name in case.presets:
        for engine in ENGINES:
            check(case, preset_name, engine)
