"""Deals settled again: under the same rules nothing changes; under others it is as if they had been played so.

That the reference engine pays the same is tested in tests/differential/test_settling_agrees.py.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.sichuan.deal import CAUSES, WALL_MODES
from sim.engine.sichuan.forfeit import FORFEITS, play_on_and_settle, play_walls_on
from sim.engine.sichuan.play import COLUMNS, play_and_settle, play_walls
from sim.engine.sichuan.rules import PLAY_FIELDS, Rules
from sim.engine.sichuan.settle import settle_again
from sim.errors import ConfigError
from sim.jit import INTERPRETED
from sim.rng import wall_seed_of
from sim.rules import available_presets, load_preset
from sim.rules.compile import compile_rules
from sim.rules.knobs import all_knobs
from strategies.registry import list_strategies, load_strategy
from tests.differential.compare import Case
from tests.property.drawn import cases, examples
from tests.property.tables import begin, finish
from tests.reference.presets import random_preset, settle_like

SEATINGS = np.array([[0, 1, 2, 3], [1, 2, 3, 0]])
SEEDS = np.array([wall_seed_of(5, wall) for wall in range(2 if INTERPRETED else 12)])
NAMES = [column.name for column in COLUMNS]
BLIND = [name for name in list_strategies() if load_strategy(name).rule_blind]
FROM_SETTLEMENT = {
    "points",
    "fan",
    "value",
    "patterns",
    "roots",
    *(f"{way}_{c}" for way in ("gained", "paid") for c in CAUSES),
}
"""Columns that settling makes; the others say what happened."""

PYTHON = """
class Mine:
    RULE_BLIND = True
    def choose_turn(self, view):
        if view.legal_win:
            return 64
        return view.legal_discards[view.lots.below(len(view.legal_discards))]
"""
BATCH = """
import numpy as np
class Mine:
    RULE_BLIND = True
    def choose_turn(self, batch):
        return np.where(batch.legal[:, 64], 64, batch.pick(batch.legal[:, :27]))
"""
FAILS = """
class Mine:
    RULE_BLIND = True
    def choose_turn(self, view):
        return 99 if view.lots.below(6) == 0 and not view.legal_win else view.legal_discards[0]
"""


def differing(one: Any, other: Any) -> list[str]:
    """Return the names of the columns in which two results differ."""
    return [NAMES[index] for index in np.flatnonzero((one != other).any(axis=1))]


@examples(60, interpreted=8)
@given(case=cases(sensible=0.5))
def test_settling_again_under_the_same_rules_changes_nothing(case: Case) -> None:
    """Not a bit of the deal: points, what wins are worth, incomes, the ledger in its order."""
    standing = begin(case)
    standing.deal.is_logged = 0  # a line of the ledger names the event that it came after, if there is a log
    finish(standing)
    before = standing.deals.tobytes()
    settle_again(standing.deal, standing.rules, standing.lookup)
    assert standing.deals.tobytes() == before, case.command()


@examples(10, interpreted=2)
@given(case=cases(sensible=0.5))
def test_the_log_is_left_alone(case: Case) -> None:
    standing = finish(begin(case))
    count, events = int(standing.deal.count_events), standing.deal.events.copy()
    settle_again(standing.deal, standing.rules, standing.lookup)
    assert standing.deal.is_logged
    assert standing.deal.count_events == count
    assert np.array_equal(standing.deal.events, events)
    assert (standing.deal.line_events[: standing.deal.count_lines] == count).all()


@examples(40, interpreted=3)
@given(lots=st.randoms(use_true_random=False), mode=st.sampled_from(WALL_MODES))
def test_what_is_settled_is_what_playing_again_gives(lots: random.Random, mode: str) -> None:
    """Column for column, for players that are rule-blind; under the own preset, for all players."""
    preset = random_preset(lots) if lots.random() < 0.5 else load_preset(lots.choice(available_presets()))
    line_up = [load_strategy(lots.choice(BLIND)) for _ in range(4)]
    rules = compile_rules(preset)
    others = [rules, *(compile_rules(settle_like(preset, random_preset(lots))) for _ in range(3))]
    columns, settled = play_and_settle(rules, line_up, SEEDS, SEATINGS, mode, others)
    assert settled.shape == (4, *columns.shape)
    assert np.array_equal(columns, play_walls(rules, line_up, SEEDS, SEATINGS, mode))
    for other, found in zip(others, settled, strict=True):
        assert not differing(found, play_walls(other, line_up, SEEDS, SEATINGS, mode))


@pytest.mark.parametrize("name", available_presets())
def test_the_shipped_presets_settle_as_they_play(name: str) -> None:
    """Also with players who look at the rules; and what happened stays under any other preset's settlement."""
    preset = load_preset(name)
    rules = compile_rules(preset)
    line_up = [load_strategy(other) for other in ("value", "defence", "random", "ukeire")]
    others = [rules, *(compile_rules(settle_like(preset, load_preset(other))) for other in available_presets())]
    columns, settled = play_and_settle(rules, line_up, SEEDS, SEATINGS, "shared", others)
    assert not differing(columns, settled[0])
    for found in settled:
        assert set(differing(columns, found)) <= FROM_SETTLEMENT
    assert {"points", "value", "patterns"} <= {name for found in settled for name in differing(columns, found)}


@pytest.mark.parametrize("source", [PYTHON, BATCH])
def test_python_and_batch_strategies_settle_alike(source: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    mine = load_strategy(str(path))
    assert mine.rule_blind
    line_up = [mine, load_strategy("ukeire"), mine, load_strategy("random")]
    lots = random.Random(source)
    for name in available_presets()[: 1 if INTERPRETED else 3]:
        preset = load_preset(name)
        rules = compile_rules(preset)
        others = [compile_rules(settle_like(preset, random_preset(lots))) for _ in range(2)]
        columns, settled = play_and_settle(rules, line_up, SEEDS, SEATINGS, "per_seat", [rules, *others])
        assert not differing(settled[0], columns)
        for other, found in zip(others, settled[1:], strict=True):
            assert not differing(found, play_walls(other, line_up, SEEDS, SEATINGS, "per_seat"))


def test_deals_with_forfeits_settle_alike(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FAILS)
    line_up = [load_strategy(str(path)), *[load_strategy("ukeire")] * 3]
    preset = load_preset("mahjong-planet")
    rules = compile_rules(preset)
    others = [rules, compile_rules(settle_like(preset, load_preset("cardavia-sichuan")))]
    columns, settled = play_on_and_settle(rules, line_up, SEEDS, SEATINGS, "shared", others)
    assert columns[FORFEITS].sum() > len(SEEDS)
    assert np.array_equal(columns, play_walls_on(rules, line_up, SEEDS, SEATINGS, "shared"))
    for other, found in zip(others, settled, strict=True):
        assert not differing(found, play_walls_on(other, line_up, SEEDS, SEATINGS, "shared"))
    nothing = play_on_and_settle(rules, line_up, SEEDS[:0], SEATINGS, "shared", others)
    assert [part.shape for part in nothing] == [(len(COLUMNS), 0), (2, len(COLUMNS), 0)]


def test_known_settlements() -> None:
    """What one knob does to the columns, by the rules alone: amounts are proportional, under a cap of 0 wins are 1."""
    preset = load_preset("mahjong-planet", {"exhaustion.flower_pig": 10, "win.self_draw_points": 0})
    changes: list[dict[str, Any]] = [
        {"kong.concealed": 6, "kong.exposed": 6, "kong.added": 3},
        {"exhaustion.flower_pig": 70},
        {"fan.cap": 0},
        {"exhaustion.kong_refund": False, "exhaustion.not_ready": "none"},
        {"win.self_draw_points": 4},
    ]
    base = {"exhaustion.flower_pig": 10, "win.self_draw_points": 0}
    others = [compile_rules(load_preset("mahjong-planet", base | change)) for change in changes]
    line_up = [load_strategy(name) for name in ("random", "ukeire", "random", "isolation")]
    seeds = np.array([wall_seed_of(6, wall) for wall in range(8 if INTERPRETED else 200)])
    columns, settled = play_and_settle(compile_rules(preset), line_up, seeds, SEATINGS, "shared", others)
    before, kongs, pigs, capped, silent, drawn = (
        dict(zip(NAMES, part.astype(np.int64), strict=True)) for part in (columns, *settled)
    )
    for cause in ("concealed_kong", "exposed_kong", "added_kong", "kong_refund"):
        assert np.array_equal(kongs[f"gained_{cause}"], 3 * before[f"gained_{cause}"])
        assert np.array_equal(kongs[f"paid_{cause}"], 3 * before[f"paid_{cause}"])
    assert np.array_equal(pigs["paid_flower_pig"], 7 * before["paid_flower_pig"])
    assert np.array_equal(
        pigs["points"] - before["points"], 6 * (before["gained_flower_pig"] - before["paid_flower_pig"])
    )
    assert np.array_equal(capped["value"], (before["win_order"] > 0).astype(np.int64))
    assert np.array_equal(capped["gained_discard_win"], (before["win_form"] == 2).astype(np.int64))
    assert not silent["gained_kong_refund"].any()
    assert not silent["gained_not_ready"].any()
    is_self_drawn = before["win_form"] == 1
    payers = before["gained_self_draw"][is_self_drawn] // before["value"][is_self_drawn]
    assert np.array_equal((drawn["gained_self_draw"] - before["gained_self_draw"])[is_self_drawn], 4 * payers)
    for name in ("gained_exposed_kong", "paid_flower_pig", "gained_kong_refund", "gained_self_draw"):
        assert before[name].any() or INTERPRETED, name


def test_rules_that_change_the_play_are_refused() -> None:
    rules = compile_rules(load_preset("mahjong-planet"))
    other = compile_rules(load_preset("mahjong-planet", {"win.multiple": False, "exchange.count": 4, "fan.cap": 5}))
    line_up = [load_strategy("random")] * 4
    with pytest.raises(ConfigError, match="preset 1 to settle again under differs in exchange_count, win_multiple, wh"):
        play_and_settle(rules, line_up, SEEDS, SEATINGS, "shared", [rules, other])


def test_fields_that_change_the_play_are_those_of_knobs_that_do() -> None:
    """A knob that is called settlement-only reaches no field that play looks at, and each other knob reaches one."""
    plain = load_preset("mahjong-planet")
    values = (True, False, 0, 1, 2, 3, 4)
    reached: set[str] = set()
    for key, knob in all_knobs().items():
        found: set[str] = set()
        for value in (*knob.words, *values):
            if knob.refuse(value) is None:
                record = compile_rules(load_preset("mahjong-planet", {key: value}))[0]
                found |= {name for name in Rules.dtype.names if np.any(record[name] != compile_rules(plain)[0][name])}  # type: ignore[attr-defined]
        if knob.settlement_only:
            assert not found & set(PLAY_FIELDS), key
        else:
            assert found <= set(PLAY_FIELDS), key
            reached |= found
    assert reached == set(PLAY_FIELDS)
