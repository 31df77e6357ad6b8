"""Reading golden files: every mistake in them is told with its file and case."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from sim.errors import BloodBattleError
from sim.rules import Preset, load_preset
from tests.golden.stack import GoldenError

FOLDER = Path(__file__).parent
COMMON = {"name", "rule", "preset", "set"}
HAND_GIVEN = {"hand", "melds", "void", "win", "self_draw", "situation"}
HAND_EXPECTED = {"ready", "waits", "complete", "patterns", "fan", "value", "highest_value"}
DEAL_GIVEN = {
    "hands",
    "void",
    "draws",
    "replacements",
    "last",
    "queues",
    "wall_mode",
    "exchange",
    "direction",
    "moves",
}
DEAL_EXPECTED = {"payments", "points", "wins", "statuses", "kongs"}
CAUSES = (
    "discard_win",
    "robbed_kong_win",
    "self_draw",
    "concealed_kong",
    "exposed_kong",
    "added_kong",
    "kong_refund",
    "kong_transfer",
    "flower_pig",
    "not_ready",
)

Payment = tuple[str, int, int, int]
"""Cause, payer, payee, amount."""


@cache
def _load_once(name: str, knobs: tuple[tuple[str, Any], ...]) -> Preset:
    return load_preset(name, dict(knobs))


@dataclass(frozen=True)
class Case:
    """What hands and deals have in common."""

    file: str
    name: str
    rules: tuple[str, ...]  # keys of sentences
    presets: tuple[str, ...]
    knobs: dict[str, Any]
    given: dict[str, Any]
    expected: dict[str, Any]

    @property
    def where(self) -> str:
        """File and case, for messages."""
        return f"{self.file}, case {self.name!r}"

    def load_preset(self, name: str) -> Preset:
        """Load one of the presets with the case's knobs."""
        try:
            return _load_once(name, tuple(self.knobs.items()))
        except BloodBattleError as error:
            raise GoldenError(f"{self.where}: {error}") from None


@dataclass(frozen=True)
class Win:
    """A win as it is expected or happened."""

    seat: int
    by: str
    tile: str | None
    source: int | None
    patterns: dict[str, int] = field(hash=False)
    fan: int
    value: int


def load_cases(pattern: str, given: set[str], expected: set[str], folder: Path = FOLDER) -> list[Case]:
    """Load all cases of the files whose names fit a pattern, in the order of the files."""
    cases: list[Case] = []
    for path in sorted(folder.glob(pattern)):
        cases += read_cases(path.read_text(encoding="utf-8"), path.name, given, expected)
    names = [case.name for case in cases]
    for case in cases:
        if names.count(case.name) > 1:
            raise GoldenError(f"{case.where}: another case has the same name")
    return cases


def read_cases(text: str, file: str, given: set[str], expected: set[str]) -> list[Case]:
    """Read the cases of one file."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GoldenError(f"{file}: {error}") from None
    entries = data.pop("case", [])
    if data:
        raise GoldenError(f"{file}: unknown {', '.join(sorted(data))}; a golden file holds [[case]] only")
    return [_read_case(entry, file, number, given, expected) for number, entry in enumerate(entries, start=1)]


def _read_case(entry: dict[str, Any], file: str, number: int, given: set[str], expected: set[str]) -> Case:
    where = f"{file}, case {entry.get('name', number)!r}"
    allowed = COMMON | given | expected
    for key in entry:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise GoldenError(f"{where}: unknown key {key!r}{hint} Allowed: {', '.join(sorted(allowed))}")
    for key in ("name", "rule", "preset"):
        if not entry.get(key):
            raise GoldenError(f"{where}: no {key!r}")
    rules = _as_list(entry["rule"])
    for rule in rules:
        if not re.fullmatch(r"[0-9][\w.-]*: .+", rule, re.DOTALL):
            raise GoldenError(f"{where}: rule {rule!r}; it reads 'KEY: the sentence', KEY being one of sentences.toml")
    return Case(
        file,
        entry["name"],
        tuple(rule.partition(":")[0] for rule in rules),
        tuple(_as_list(entry["preset"])),
        entry.get("set", {}),
        {key: entry[key] for key in entry if key in given},
        {key: entry[key] for key in entry if key in expected},
    )


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def hand_cases() -> list[Case]:
    """Load the cases of hands."""
    return load_cases("hands-*.toml", HAND_GIVEN, HAND_EXPECTED)


def deal_cases() -> list[Case]:
    """Load the cases of deals."""
    return load_cases("deals-*.toml", DEAL_GIVEN, DEAL_EXPECTED)


def read_payments(lines: list[str], where: str) -> list[Payment]:
    """Read payments such as `concealed_kong 2: 1, 2, 3 -> 0`."""
    payments: list[Payment] = []
    for line in lines:
        found = re.fullmatch(r"(\w+) ([1-9]\d*): ([0-3](?:, [0-3])*) -> ([0-3](?:, [0-3])*)", line)
        if found is None or found[1] not in CAUSES:
            raise GoldenError(
                f"{where}: payment {line!r}; it reads 'CAUSE POINTS: PAYERS -> PAYEES', such as"
                f" 'concealed_kong 2: 1, 2, 3 -> 0'; causes: {', '.join(CAUSES)}"
            )
        payments += [
            (found[1], int(payer), int(payee), int(found[2]))
            for payer in found[3].split(", ")
            for payee in found[4].split(", ")
        ]
    return in_order_of_causes(payments)


def in_order_of_causes(payments: list[Payment]) -> list[Payment]:
    """Sort payments that follow each other for the same cause by payer and payee: their order means nothing."""
    return [payment for _, same in groupby(payments, key=lambda line: line[0]) for payment in sorted(same)]


def read_win(entry: dict[str, Any], where: str) -> Win:
    """Read a win."""
    unknown = set(entry) - {"seat", "by", "tile", "from", "patterns", "fan", "value"}
    missing = {"seat", "by", "patterns", "value"} - set(entry)
    if unknown or missing:
        raise GoldenError(
            f"{where}: win {entry}; it has seat, by, patterns, value, and tile, from, fan where there are any"
        )
    patterns = entry["patterns"]
    fan = entry.get("fan", sum(patterns.values()))
    return Win(entry["seat"], entry["by"], entry.get("tile"), entry.get("from"), patterns, fan, entry["value"])
