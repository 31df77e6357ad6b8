"""The engine and the referee agree, deal by deal: shipped presets, and presets drawn from every knob's values."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from sim.engine.sichuan.deal import CAUSES, EVENTS
from sim.jit import INTERPRETED
from sim.rules import load_preset
from tests.differential.compare import Case, disagreement, draw_case, play
from tests.differential.shrink import report, shrink
from tests.reference.presets import random_preset

SHIPPED = ("mahjong-planet", "mahjongo", "cardavia-sichuan")
BLOCK = 12 if INTERPRETED else 250
"""Deals of one test, each drawn from a seed of its own."""


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
    agree("drawn", 50_000 + block * 1000, 1000, is_slanted=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(25))
@pytest.mark.parametrize("name", [*SHIPPED, "drawn"])
def test_a_hundred_thousand_deals(name: str, block: int) -> None:
    agree(name, 10_000 + block * 1000, 1000)


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
    assert "wall_mode" not in small.command()
