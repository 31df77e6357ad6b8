"""One deal in both engines, compared in all that can be seen.

The fast engine plays with its log on, through the same loop as any run; the referee, written from the rules alone, is
given the same wall and the same answers. They must agree on who is asked, on every legal choice, on every event, fan
list and payment, and on the end. A deal may be settled again under another preset; then the referee judges by that one.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from sim.engine.hands.hand import KINDS, MELD_FORMS, NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import CAUSES, EVENTS, STATUSES, WALL_MODES, Deal
from sim.engine.sichuan.fan import score_fan
from sim.engine.sichuan.play import line_up_of, play_deal, seating_number
from sim.engine.sichuan.rules import DIRECTIONS
from sim.engine.sichuan.settle import settle_again
from sim.engine.sichuan.setup import begin_deal, deal_tiles, draw_direction, packed_kind
from sim.engine.sichuan.table import DECISIONS, KONG_ACTION, PASS_ACTION, PUNG_ACTION, VOID_SUIT, WIN_ACTION, WIN_FORMS
from sim.jit import new
from sim.rules import Preset, available_presets, knob_values, load_preset, preset_digest
from sim.rules.compile import compile_rules
from sim.tournament.replay import describe_patterns
from strategies.loader import load_source
from strategies.registry import load_strategy
from tests.reference.presets import settle_like
from tests.reference.referee import Referee
from tests.reference.scripts import slanted_wall
from tests.shipped import shipped

CHAOS = Path(__file__).with_name("chaos.py")
COMPARED: Final[Counter[str]] = Counter()
"""What this process has compared: deals, decisions and events."""
PRESETS_COMPARED: Final[set[str]] = set()
"""Digests of the presets of those deals."""


@dataclass(frozen=True)
class Case:
    """Everything that fixes a deal of the comparison."""

    preset: Preset
    players: tuple[str, ...]
    wall_seed: int
    wall_mode: str
    is_slanted: bool = False
    """Whether the wall deals hands with a slant, so that kongs, robberies and rare patterns are common."""
    settled: Preset | None = None
    """Where the settlement-only knobs come from that the deal is settled again under; None: it is not."""

    @property
    def final_preset(self) -> Preset:
        """The preset that the deal is settled by in the end."""
        return self.preset if self.settled is None else settle_like(self.preset, self.settled)

    def command(self) -> str:
        """Return how to compare the deal again in a shell."""
        slanted = ", is_slanted=True" if self.is_slanted else ""
        settled = f", settled={spell_preset(self.settled)}" if self.settled is not None else ""
        return (
            'python -c "from tests.differential.compare import *; '
            f"print(disagreement(Case({spell_preset(self.preset)}, "
            f'{self.players!r}, {self.wall_seed}, {self.wall_mode!r}{slanted}{settled})))"'
        )

    def told(self) -> str | None:
        """Return how to read the deal in words; None if it is none of those that the program itself can play."""
        if self.is_slanted or self.settled is not None or not set(self.players) <= set(shipped(0)):
            return None
        name, changes = nearest_preset(self.preset)
        sets = "".join(
            f" --set {key}={value if value is not True and value is not False else str(value).lower()}"
            for key, value in changes.items()
        )
        return (
            f"bloodbattle deal --preset {name}{sets} --wall-seed {self.wall_seed} --wall-mode {self.wall_mode} "
            f"--strategies {','.join(self.players)}"
        )


@cache
def shipped_knobs() -> dict[str, dict[str, Any]]:
    """Return the knobs of each shipped preset."""
    return {name: dict(knob_values(load_preset(name))) for name in available_presets()}


def nearest_preset(preset: Preset) -> tuple[str, dict[str, Any]]:
    """Return the shipped preset that has most knobs in common, and the knobs that differ."""
    mine = knob_values(preset)
    found = {
        name: {key: value for key, value in mine.items() if value != theirs[key]}
        for name, theirs in shipped_knobs().items()
    }
    name = min(found, key=lambda other: len(found[other]))
    return name, found[name]


def spell_preset(preset: Preset) -> str:
    """Write a preset as Python, no longer than needed: a shipped one by its name, any other by what it changes."""
    name, changes = nearest_preset(preset)
    return f"load_preset({name!r}, {changes!r})" if changes else f"load_preset({name!r})"


def player(name: str) -> Any:
    """Return a strategy by name; `chaos:wild,calls,wins,voids` is the wild one with its percentages."""
    if name.startswith("chaos:"):
        values = tuple(float(value) for value in name.removeprefix("chaos:").split(","))
        return replace(load_source("chaos", CHAOS), values=values)
    return load_strategy(name)


def draw_case(lots: random.Random, preset: Preset, *, sensible: float = 0.3, is_slanted: bool = False) -> Case:
    """Draw a deal: four players from wild to sensible, a wall, a wall mode."""
    players = tuple(
        lots.choice(shipped(0))
        if lots.random() < sensible
        else f"chaos:{lots.choice([0, 0, 3, 10, 40])},{lots.choice([50, 90, 100])},"
        f"{lots.choice([30, 70, 95, 100])},{lots.choice([0, 50, 100])}"
        for _ in range(4)
    )
    return Case(preset, players, lots.getrandbits(63), lots.choice(WALL_MODES), is_slanted)


def play(case: Case) -> tuple[Any, Any]:
    """Play a case in the fast engine; return the deal and its rules."""
    deal = new(Deal)[0]
    deal.wall_mode = WALL_MODES.index(case.wall_mode)
    deal.is_logged = 1
    strategies = [player(name) for name in case.players]
    for seat in range(4):
        deal.hands[seat].parameters[:] = strategies[seat].parameters
    rules = compile_rules(case.preset)[0]
    number = seating_number((0, 1, 2, 3))
    begin_deal(deal, rules, case.wall_seed, number)
    if case.is_slanted:
        deal.wall[:] = slanted_wall(random.Random(case.wall_seed))
        deal_tiles(deal, rules, draw_direction(case.wall_seed))
    culprit = play_deal(deal, number, line_up_of(strategies), rules, load_lookup()[0])
    assert culprit == NONE, f"{case.players[culprit]} chose illegally: {case.command()}"
    return deal, rules


def legal_actions(decision: int, options: int, kongs: int, discards: int) -> frozenset[int]:
    """Return the legal actions that the engine logged."""
    legal = {kind for kind in range(KINDS) if (discards >> kind) & 1}
    legal |= {KONG_ACTION + kind for kind in range(KINDS) if (kongs >> kind) & 1}
    if options & 1:
        legal.add(WIN_ACTION)
    if options & 2:
        legal.add(PUNG_ACTION)
    if DECISIONS[decision] != "turn":
        legal.add(PASS_ACTION)
    return frozenset(legal)


def disagreement(case: Case) -> str | None:
    """Return the first thing on which the two engines disagree, or None."""
    deal, rules = play(case)
    preset = case.final_preset
    if case.settled is not None:
        rules = compile_rules(preset)[0]
        settle_again(deal, rules, load_lookup()[0])
    COMPARED["deals"] += 1
    PRESETS_COMPARED.add(preset_digest(preset))
    referee = Referee(
        preset,
        [int(kind) for kind in deal.wall],
        case.wall_mode,
        DIRECTIONS[int(draw_direction(case.wall_seed))],
    )
    log = [[int(fact) for fact in row] for row in deal.events[: deal.count_events]]
    events: list[tuple[Any, ...]] = []
    for row in log:
        if EVENTS[row[0]] == "answer":
            seat, decision, action, options, kongs, discards = row[1:]
            if seat not in referee.pending:
                return f"the engine asked seat {seat} for a {DECISIONS[decision]}, the referee {referee.pending}"
            asked = referee.pending[seat]
            if asked.kind != DECISIONS[decision]:
                return f"seat {seat}: the engine asked for a {DECISIONS[decision]}, the referee for a {asked.kind}"
            if decision > VOID_SUIT and legal_actions(decision, options, kongs, discards) != asked.legal:
                mine = legal_actions(decision, options, kongs, discards)
                return f"seat {seat} {asked.kind}: the engine allows {sorted(mine)}, the referee {sorted(asked.legal)}"
            if action not in asked.legal:
                return f"seat {seat} {asked.kind}: the referee does not allow {action}"
            COMPARED["decisions"] += 1
            referee.answer(seat, action)
        else:
            if EVENTS[row[0]] == "win" and case.settled is not None:  # the log keeps what the win was worth in play
                row[5:] = int(deal.win_scores[row[1]]), int(deal.win_values[row[1]])
            events.append(read_event(row, rules))
    if not referee.over:
        return f"the engine ended the deal, the referee asks {referee.pending}"
    theirs = [event for event in referee.events if event[0] != "direction" or event[1] != "none"]
    mine = [event for event in events if event != ("direction", "none")]
    COMPARED["events"] += len(mine)
    for number, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return f"event {number}: the engine has {one}, the referee {other}"
    if len(mine) != len(theirs):
        return f"the engine has {len(mine)} events, the referee {len(theirs)}"
    return ledger_disagreement(deal, referee)


def ledger_disagreement(deal: Any, referee: Referee) -> str | None:
    """Return how ledgers, points or outcomes differ, or None."""
    lines = [
        (
            CAUSES[deal.line_causes[line]],
            int(deal.line_payers[line]),
            int(deal.line_payees[line]),
            int(deal.line_amounts[line]),
        )
        for line in range(deal.count_lines)
    ]
    theirs = [(line.cause, line.payer, line.payee, line.amount) for line in referee.ledger]
    if sorted(lines) != sorted(theirs):
        return f"ledger: only the engine has {set(lines) - set(theirs)}, only the referee {set(theirs) - set(lines)}"
    points = [int(points) for points in deal.table.points]
    if points != list(referee.points):
        return f"points: the engine has {points}, the referee {referee.points}"
    for seat, outcome in enumerate(referee.outcome):
        mine = (
            points[seat],
            int(deal.table.win_order[seat]),
            int(deal.win_values[seat]),
            int(score_fan(deal.win_scores[seat])),
            STATUSES[deal.statuses[seat]],
            int(deal.table.count_melds[seat]),
        )
        other = (
            outcome.points,
            outcome.place,
            outcome.value,
            outcome.fan,
            outcome.status,
            len(outcome.melds),
        )
        if mine != other:
            return f"seat {seat} at the end: the engine has {mine}, the referee {other}"
    return None


def read_event(row: list[int], rules: Any) -> tuple[Any, ...]:
    """Return a row of the engine's log in the referee's words."""
    name, facts = EVENTS[row[0]], row[1:]
    if name == "direction":
        return name, DIRECTIONS[facts[0]]
    if name == "exchange":
        count = int(rules.exchange_count)
        given, received = (tuple(int(packed_kind(packed, i)) for i in range(count)) for packed in facts[1:3])
        return name, facts[0], given, received
    if name == "draw":
        return name, facts[0], facts[1], bool(facts[2])
    if name == "kong":
        return name, facts[0], facts[1], MELD_FORMS[facts[2]], None if facts[3] == NONE else facts[3]
    if name == "win":
        seat, form, kind, source, score, value = facts
        patterns = describe_patterns(score, rules)
        tile = None if kind == NONE else kind
        payer = None if source == NONE else source
        return name, seat, WIN_FORMS[form], tile, payer, patterns, int(score_fan(score)), value
    if name == "exhaustion":
        return name, tuple(STATUSES[status] for status in facts[:4])
    if name == "pung":
        return name, facts[0], facts[1], facts[2]
    if name in ("void_suit", "discard", "robbed"):
        return name, facts[0], facts[1]
    return (name,)
