"""Corners of kernels that deals seldom or never lead to, and that their callers may rely on."""

from __future__ import annotations

from sim.engine.hands.discards import mark_nearest
from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.shanten import mark_least_shanten
from sim.engine.sichuan.deal import Deal, next_active
from sim.engine.sichuan.table import Table, count_live
from sim.jit import new
from strategies.common import first_kind, harmless_kong
from tests.property.hands import Held

LOOKUP = load_lookup()[0]


def seven_pairs() -> Held:
    counts = [0] * 27
    for kind in (0, 2, 4, 6, 8, 10, 13):
        counts[kind] = 2
    return Held(tuple(counts), (), 2)


def test_any_tile_of_seven_pairs_leaves_the_hand_ready() -> None:
    """Every discard breaks a pair, and all are alike: no standard hand is near."""
    hand = seven_pairs().record()
    held = int(hand.at_least[0])
    assert mark_nearest(hand, held, 2, LOOKUP) == mark_least_shanten(hand, held, 2, LOOKUP) == held


def test_who_is_active_next() -> None:
    deals = new(Deal)
    table = deals[0].table
    assert next_active(deals[0], 1) == NONE
    table.active[:] = [1, 0, 1, 0]
    assert [next_active(deals[0], seat) for seat in range(4)] == [2, 2, 0, 0]
    table.active[:] = [0, 0, 1, 0]
    assert [next_active(deals[0], seat) for seat in range(4)] == [2, 2, NONE, 2]


def test_tiles_of_an_own_hidden_kong_are_not_live() -> None:
    """Others do not see them, so the table does not count them; the owner knows better."""
    tables = new(Table)
    counts = [0] * 27
    counts[5] = 2
    hand = Held(tuple(counts), ((1, 3),), 2).record()
    tables[0].seen[5] = 1
    assert [count_live(hand, tables[0], kind) for kind in (3, 4, 5)] == [0, 4, 1]


def test_nothing_is_chosen_from_nothing() -> None:
    hand = seven_pairs().record()
    assert first_kind(hand, 0) == NONE
    assert harmless_kong(hand, LOOKUP) == NONE
