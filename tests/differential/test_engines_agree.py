"""The engine and the referee agree, deal by deal: shipped presets, and presets drawn from every knob's values."""

from __future__ import annotations

import contextlib
import io
import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from sim.engine.sichuan.deal import CAUSES, EVENTS
from sim.jit import INTERPRETED
from sim.rules import available_presets, knob_values, load_preset
from sim.rules.compile import compile_rules
from tests.differential.compare import Case, disagreement, draw_case, nearest_preset, play, spell_preset
from tests.differential.shrink import report, shrink
from tests.reference.presets import random_preset
from tests.reference.records import Line
from tests.reference.table import Table

SHIPPED = available_presets()
BLOCK = 12 if INTERPRETED else 250
"""Deals of one test, each drawn from a seed of its own."""
SLOW_BLOCK = int(os.environ.get("DIFFERENTIAL_DEALS", "1000"))
"""Deals of one slow test, 120 of them; fewer where time is short (CONTRIBUTING.md)."""


def agree(name: str, first: int, deals: int, *, is_slanted: bool = False) -> None:
    """Compare deals; on a disagreement fail with the smallest one and the command that replays it."""
    for number in range(first, first + deals):
        lots = random.Random(f"{name} {number}")
        preset = random_preset(lots) if name == "drawn" else load_preset(name)
        case = draw_case(lots, preset, is_slanted=is_slanted)
        if disagreement(case) is not None:
            pytest.fail(report(case))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_presets(name: str) -> None:
    agree(name, 0, BLOCK)


@pytest.mark.parametrize("block", range(3))
def test_drawn_presets(block: int) -> None:
    agree("drawn", block * BLOCK, BLOCK)


@pytest.mark.parametrize("block", range(3))
def test_slanted_walls(block: int) -> None:
    """Kongs, robberies, several winners and rare patterns are common here."""
    agree("drawn", 5000 + block * BLOCK, BLOCK, is_slanted=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_more_slanted_walls(block: int) -> None:
    agree("drawn", 50_000 + block * 1000, SLOW_BLOCK, is_slanted=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(25))
@pytest.mark.parametrize("name", [*SHIPPED, "drawn"])
def test_a_hundred_thousand_deals(name: str, block: int) -> None:
    agree(name, 10_000 + block * 1000, SLOW_BLOCK)


@pytest.mark.skipif(INTERPRETED, reason="fifteen hundred deals are for compiled kernels")
def test_everything_that_can_happen_happens() -> None:
    """The drawn deals reach every event, every cause of payment and every way to win."""
    seen: Counter[str] = Counter()
    for number in range(1500):
        lots = random.Random(f"drawn {number}")
        deal, _ = play(draw_case(lots, random_preset(lots)))
        seen.update({f"cause {CAUSES[deal.line_causes[line]]}" for line in range(deal.count_lines)})
        seen.update({EVENTS[row[0]] for row in deal.events[: deal.count_events]})
        seen.update({f"status {status}" for status in deal.statuses})
        for payer in range(4):
            seen[f"{int(deal.deal_ins[payer])} winners on one seat's discards"] += 1
    missing = {f"cause {cause}" for cause in CAUSES} | set(EVENTS) | {f"status {status}" for status in range(5)}
    missing |= {"2 winners on one seat's discards"}
    assert not missing - set(seen), seen


def test_a_disagreement_is_made_small() -> None:
    """The shrinker keeps what matters: here, pretend that every deal under a cap of 1 fails."""
    lots = random.Random("shrink")
    case = Case(random_preset(lots), ("random", "ukeire", "chaos:10,90,90,50", "isolation"), 12, "per_seat")
    tables = case.preset.model_dump(by_alias=True)
    tables["fan"]["cap"] = 1
    case = replace(case, preset=type(case.preset).model_validate(tables))
    small = shrink(case, lambda other: other.preset.fan.cap == 1, walls=5)
    assert small.preset.fan.cap == 1
    assert small.players == ("shanten",) * 4
    assert small.preset.exhaustion == load_preset("mahjong-planet").exhaustion
    assert "load_preset('mahjong-planet', {'fan.cap': 1})" in small.command()


def test_presets_are_spelled_shortly_and_in_full() -> None:
    """What a replay command says of a preset makes the same rules."""
    for name in available_presets():
        assert spell_preset(load_preset(name)) == f"load_preset({name!r})"
    lots = random.Random("spelling")
    for _ in range(30):
        preset = random_preset(lots)
        name, changes = nearest_preset(preset)
        assert knob_values(load_preset(name, changes)) == knob_values(preset)
        assert compile_rules(eval(spell_preset(preset))).tobytes() == compile_rules(preset).tobytes()  # noqa: S307


def test_a_planted_fault_is_reported_small_and_can_be_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference that pays a point too much for every self-draw: told in words, with a short command."""
    pay = Table.pay

    def overpay(table: Table, cause: str, payer: int, payee: int, amount: int) -> Line | None:
        return pay(table, cause, payer, payee, amount + (cause == "self_draw"))

    monkeypatch.setattr(Table, "pay", overpay)
    players = ("ukeire", "shanten", "chaos:3,90,95,50", "ukeire")
    cases = (Case(load_preset("mahjongo", {"fan.cap": 5}), players, seed, "per_seat") for seed in range(99))
    said = report(next(case for case in cases if disagreement(case) is not None), walls=5)
    first, preset, *told, replay, words = said.splitlines()
    assert first.startswith("ledger: only the engine has {('self_draw', ")
    assert (
        preset == "preset load_preset('mahjong-planet'), players shanten, shanten, shanten, shanten, wall mode shared"
    )
    assert any("wins by self-draw" in line for line in told), said
    assert len(replay) < 250
    code = replay.removeprefix('replay: python -c "').removesuffix('"')
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})  # noqa: S102
    assert out.getvalue() == f"{first}\n"
    assert words.startswith("in words: bloodbattle deal --preset mahjong-planet --wall-seed ")
