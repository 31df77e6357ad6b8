"""A deal is a function of its identity: preset, wall seed, wall mode, seating and strategies, and of nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.play import play_walls
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.loader import load_source
from strategies.registry import load_strategy
from tests.differential.compare import Case, player
from tests.property.drawn import SHIPPED, cases, examples
from tests.property.identity import DEALS, digest_of, digests_elsewhere, digests_of_deals
from tests.property.tables import begin, finish
from tests.property.turning import outcome_of
from tests.shipped import shipped

CHEATS = Path(__file__).with_name("cheats")
SALTS = ("0", "2", "3")
"""Values of PYTHONHASHSEED; sets of names are in another order with each."""
WALLS = 3 if INTERPRETED else 30
SEATINGS = np.array([[0, 1, 2, 3], [2, 0, 3, 1]])


# --- other processes ---


def test_a_deal_replays_in_any_process_with_any_hash_seed() -> None:
    here = digests_of_deals()
    assert len(set(here)) == DEALS
    for elsewhere in digests_elsewhere([{"PYTHONHASHSEED": seed} for seed in SALTS]):
        assert elsewhere == here


def test_compiled_and_interpreted_deals_are_the_same() -> None:
    """Every event, offer and payment, by players of all kinds under drawn presets."""
    (elsewhere,) = digests_elsewhere([{"NUMBA_DISABLE_JIT": None if INTERPRETED else "1"}])
    assert elsewhere == digests_of_deals()


def test_a_strategy_that_depends_on_the_hash_seed_is_noticed() -> None:
    seeds = [{"PYTHONHASHSEED": seed, "NUMBA_DISABLE_JIT": "1"} for seed in SALTS[:2]]
    one, other = digests_elsewhere(seeds, CHEATS / "is_salted.py")
    assert one != other


# --- earlier deals ---


@examples(50, 4)
@given(cases(), cases(), st.integers(0, 2**32 - 1))
def test_nothing_of_an_earlier_deal_is_left(one: Case, other: Case, noise: int) -> None:
    """A workspace that another deal was played in, or that is full of nonsense, is as good as a new one."""
    fresh = finish(begin(other))
    used = finish(begin(one))
    spoilt = begin(one)
    spoilt.deals.view(np.uint8)[:] = np.random.default_rng(noise).integers(0, 256, spoilt.deals.nbytes, dtype=np.uint8)
    for workspace in (used.deals, spoilt.deals):
        again = finish(begin(other, deals=workspace))
        assert outcome_of(again) == outcome_of(fresh), (one.command(), other.command())
        assert digest_of(again) == digest_of(fresh)


def columns_of(strategies: list[Any], rules: Any, seeds: Any, mode: str = "shared") -> Any:
    """Play walls; return columns by wall."""
    columns = play_walls(rules, strategies, np.array(seeds), SEATINGS, mode)
    return columns.reshape(len(columns), len(seeds), -1)


def depends_on_company(strategies: list[Any], rules: Any, seeds: list[int], mode: str, lots: Any) -> bool:
    """Tell whether the results of walls depend on which walls are played before them."""
    plain = columns_of(strategies, rules, seeds, mode)
    order = lots.permutation(len(seeds))
    mixed = columns_of(strategies, rules, [seeds[index] for index in order], mode)
    alone = columns_of(strategies, rules, seeds[-1:], mode)
    return not (np.array_equal(mixed, plain[:, order]) and np.array_equal(alone, plain[:, -1:]))


@examples(30, 2)
@given(cases(slanted=False), st.integers(0, 2**32 - 1))
def test_the_order_of_walls_does_not_matter(case: Case, noise: int) -> None:
    strategies = [player(name) for name in case.players]
    seeds = [case.wall_seed // 2 + wall for wall in range(WALLS)]
    rules = compile_rules(case.preset)
    assert not depends_on_company(strategies, rules, seeds, case.wall_mode, np.random.default_rng(noise))


@pytest.mark.parametrize("name", shipped())
def test_no_shipped_strategy_carries_anything_from_deal_to_deal(name: str) -> None:
    for number, preset in enumerate(SHIPPED[: 1 if INTERPRETED else None]):
        rules = compile_rules(load_preset(preset))
        lots = np.random.default_rng(number)
        assert not depends_on_company([load_strategy(name)] * 4, rules, list(range(WALLS)), "per_seat", lots)


def test_one_who_keeps_a_diary_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    lookups = load_lookup().copy()  # it writes into them
    monkeypatch.setattr("sim.engine.sichuan.play.load_lookup", lambda: lookups)
    strategies = [load_source("keeps_a_diary", CHEATS / "keeps_a_diary.py")] * 4
    rules = compile_rules(load_preset("mahjong-planet"))
    assert depends_on_company(strategies, rules, list(range(WALLS)), "shared", np.random.default_rng(0))
