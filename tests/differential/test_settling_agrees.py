"""Deals settled again under another preset: the referee, given the same answers under that preset, pays the same."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import CAUSES
from sim.engine.sichuan.settle import settle_again
from sim.engine.sichuan.table import SELF_DRAW
from sim.jit import INTERPRETED
from sim.rules import available_presets, load_preset
from sim.rules.compile import compile_rules
from tests.differential.compare import Case, disagreement, draw_case, play
from tests.differential.shrink import report
from tests.reference.presets import random_preset, shipped

BLOCK = 12 if INTERPRETED else 150


def draw_settled_case(name: str, number: int, *, is_slanted: bool) -> Case:
    """Draw a deal, and a preset whose settlement-only knobs it is settled again under."""
    lots = random.Random(f"{name} {number}")
    case = draw_case(lots, random_preset(lots), sensible=0.5, is_slanted=is_slanted)
    return replace(case, settled=random_preset(lots))


def agree(name: str, deals: int, *, is_slanted: bool) -> None:
    """Compare deals; on a disagreement fail with the smallest one and the command that replays it."""
    for number in range(deals):
        case = draw_settled_case(name, number, is_slanted=is_slanted)
        if disagreement(case) is not None:
            pytest.fail(report(case))


@pytest.mark.parametrize("is_slanted", [False, True])
@pytest.mark.parametrize("block", range(2))
def test_drawn_presets(block: int, is_slanted: bool) -> None:
    agree(f"settled {block}", BLOCK, is_slanted=is_slanted)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_deals_of_drawn_presets(block: int) -> None:
    agree(f"many settled {block}", 1000, is_slanted=block % 2 == 0)


@pytest.mark.parametrize("name", available_presets())
def test_shipped_presets_settled_as_each_other(name: str) -> None:
    """Where one preset plays otherwise than the other, only its settlement is taken over."""
    for number in range(BLOCK // 3):
        lots = random.Random(f"{name} settled {number}")
        for other in available_presets():
            case = draw_case(lots, load_preset(name), sensible=0.7, is_slanted=number % 2 == 0)
            assert disagreement(replace(case, settled=load_preset(other))) is None, case.command()


def facts_of(deal: Any) -> set[str]:
    """Return what a settled deal shows of all that settling has to get right."""
    found = {CAUSES[deal.line_causes[line]] for line in range(deal.count_lines)}
    tables = [(deal.table.win_forms[seat], deal.table.win_tiles[seat]) for seat in range(4)]
    found |= {"dealt fourteen"} if (SELF_DRAW, NONE) in tables else set()
    found |= {"two winners on a tile"} if max(deal.deal_ins) > 1 else set()
    return found


@pytest.mark.skipif(INTERPRETED, reason="hundreds of deals are for compiled kernels")
def test_everything_is_settled_again() -> None:
    """The slanted deals reach every cause of payment but robbed kongs; what is so rare is among the golden deals."""
    seen: Counter[str] = Counter()
    for number in range(2 * BLOCK):
        case = draw_settled_case(f"settled {number // BLOCK}", number % BLOCK, is_slanted=True)
        deal, _ = play(case)
        settle_again(deal, compile_rules(case.final_preset)[0], load_lookup()[0])
        seen.update(facts_of(deal))
    missing = {*CAUSES, "dealt fourteen", "two winners on a tile"} - {"robbed_kong_win"}
    assert not missing - set(seen), seen


def test_a_disagreement_can_be_replayed() -> None:
    """The command says what the deal is settled again as, and a settled deal is none that `bloodbattle deal` tells."""
    case = Case(shipped(), ("ukeire",) * 4, 3, "shared", settled=shipped("mahjongo", fan__cap=5))
    assert "settled=load_preset('mahjongo', {'fan.cap': 5})" in case.command()
    assert case.told() is None
    assert case.final_preset.fan.cap == 5
    assert disagreement(case) is None
