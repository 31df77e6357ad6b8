"""Fair play: permuting what is hidden never changes a decision (rules, chapter 9)."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from pathlib import Path

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.invariants import FAULTS, mark_faults
from sim.engine.sichuan.table import DECISIONS, OVER, VOID_SUIT
from sim.jit import INTERPRETED
from sim.rules import load_preset
from strategies.loader import load_source
from strategies.registry import load_strategy
from strategies.sources import DEFAULTS
from tests.differential.compare import Case, draw_case
from tests.property.drawn import cases, examples
from tests.property.hidden import ask_again, find_leak, hidden_kongs, offers_of, permute_hidden
from tests.property.tables import begin, finish, walk
from tests.reference.presets import random_preset
from tests.shipped import shipped

CHEATS = Path(__file__).with_name("cheats")
PACE = 7
"""One in so many decisions of a deal is looked at."""
STALE_WAITS = 1 << FAULTS.index("a hand's noted waits are stale")
HAS_BOUNDS = bool(numba.config.BOUNDSCHECK)
"""Whether kernels are compiled with bounds checks (`make test-bounds`)."""


@examples(40, 6)
@given(cases(), st.integers(0, PACE - 1))
def test_permuting_what_is_hidden_never_changes_a_decision(case: Case, first: int) -> None:
    standing = begin(case)
    lots = random.Random(case.wall_seed)
    ours = [*map(load_strategy, shipped()), load_source("defaults", DEFAULTS)]
    others = [strategy for strategy in standing.strategies if strategy.name not in shipped()]
    for number, seat in enumerate(walk(standing)):
        if number % PACE == first:
            leak = find_leak([*ours, *others], standing, seat, lots)
            assert leak is None, f"{leak}; answer {number} of {case.command()}"


def test_strategies_leave_the_hand_tables_alone() -> None:
    before = hashlib.sha256(load_lookup().tobytes()).digest()
    for name in shipped():
        finish(begin(Case(load_preset("mahjong-planet"), (name,) * 4, 1, "shared")))
    assert hashlib.sha256(load_lookup().tobytes()).digest() == before


@examples(50, 5)
@given(cases(), st.integers(0, PACE - 1))
def test_permuting_what_is_hidden_never_changes_what_is_offered(case: Case, first: int) -> None:
    standing = begin(case)
    lots = random.Random(case.wall_seed)
    for number, seat in enumerate(walk(standing)):
        if number % PACE == first and standing.deal.table.decision > VOID_SUIT:
            other_world = permute_hidden(standing, seat, lots)
            assert ask_again(other_world, seat) == offers_of(standing, seat), f"answer {number} of {case.command()}"


def numbered_case(number: int) -> Case:
    lots = random.Random(f"hidden {number}")
    return draw_case(lots, random_preset(lots), sensible=0, is_slanted=True)


ROBBING = Case(
    load_preset("mahjong-planet", {"kong.concealed_visible": False}), ("chaos:0,100,0,100",) * 4, 25, "shared"
)
"""A deal in which players may rob a kong, and do not."""


def test_the_other_worlds_are_possible_and_different() -> None:
    """The permutation keeps all invariants, reaches every kind of decision, and does change hidden kongs."""
    seen: Counter[str] = Counter()
    for number in range(5 if INTERPRETED else 50):
        standing = begin(numbered_case(number) if number else ROBBING)
        lots = random.Random(number)
        for step, seat in enumerate(walk(standing)):
            kongs = hidden_kongs(standing.deal, seat)
            if step % 9 and not kongs and DECISIONS[standing.deal.table.decision] != "rob":
                continue
            other_world = permute_hidden(standing, seat, lots)
            # What is noted of waits follows the tiles as they were.
            assert not mark_faults(other_world.deal, other_world.rules, other_world.lookup) & ~STALE_WAITS
            assert other_world.deal.table.tobytes() == standing.deal.table.tobytes()
            assert other_world.deal.hands[seat].tobytes() == standing.deal.hands[seat].tobytes()
            seen[DECISIONS[standing.deal.table.decision]] += 1
            for other in {0, 1, 2, 3} - {seat}:
                seen["hands"] += any(other_world.deal.hands[other].counts != standing.deal.hands[other].counts)
            for owner, meld in kongs:
                kinds = (world.deal.hands[owner].meld_kinds[meld] for world in (standing, other_world))
                seen["hidden kongs"] += len(set(map(int, kinds))) == 2
    assert min(seen[what] for what in [*DECISIONS[:OVER], "hands", "hidden kongs"]) > 0, seen


# --- cheats are found ------------------------------------------------------------------------------------------------


def leaks_of(cheat: str) -> set[str]:
    """Let a strategy that cheats play, and return all ways in which it is caught."""
    lookups = load_lookup().copy()
    strategy = load_source(cheat, CHEATS / f"{cheat}.py")
    found: set[str] = set()
    for number in range(3 if INTERPRETED else 6):
        standing = begin(Case(numbered_case(number).preset, ("ukeire",) * 4, number, "shared"), lookups=lookups)
        lots = random.Random(number)
        for step, seat in enumerate(walk(standing)):
            if step % PACE == number % PACE:
                found.add(find_leak([strategy], standing, seat, lots) or "nothing")
    return found


def test_one_who_peeks_into_the_next_hand_is_caught_or_stopped() -> None:
    """Where bounds are checked it gets nowhere."""
    try:
        leaks = leaks_of("peeks")
    except IndexError:
        return
    assert not INTERPRETED
    assert not HAS_BOUNDS
    assert any("only hidden things differ" in leak for leak in leaks)


@pytest.mark.parametrize(
    ("cheat", "what"),
    [("takes_a_tile", "its own hand"), ("takes_a_point", "the table"), ("bends_the_rules", "the preset")],
)
def test_one_who_changes_things_is_caught(cheat: str, what: str) -> None:
    assert f"{cheat} changes {what}" in leaks_of(cheat)


def test_one_who_keeps_a_diary_is_caught() -> None:
    """It writes into spare room of the hand tables, and so chooses differently when asked the same again."""
    assert any("only hidden things differ" in leak for leak in leaks_of("keeps_a_diary"))


def test_honest_strategies_are_not_accused() -> None:
    lots = random.Random(1)
    standing = begin(numbered_case(1))
    assert all(find_leak([load_strategy("ukeire")], standing, seat, lots) is None for seat in walk(standing))
