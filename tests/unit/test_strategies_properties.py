"""What holds for every decision of every shipped strategy, in random positions."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from engine_hands import kinds_in, state_of
from strategy_positions import (
    ORDERS,
    ask_claim,
    ask_turn,
    deal_position,
    legal_actions,
    make_rules,
    position,
    relabelled,
)

from sim.engine.hands.hand import KINDS, NONE, RANKS
from sim.engine.hands.shanten import count_shanten, count_shanten_without, mark_useful_without
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, WIN_ACTION, count_live
from sim.jit import INTERPRETED
from strategies.registry import load_strategy
from tests.shipped import shipped

SAMPLES = 40 if INTERPRETED else 300
BUDGET = 40
NEUTRAL = [name for name in shipped(BUDGET) if name not in ("first_legal", "random")]
COUNTERS = ["shanten", "ukeire"]


def turns(seed: int, samples: int = SAMPLES, rules=None):
    """Yield random turns."""
    lots = random.Random(seed)
    for _ in range(samples):
        yield ask_turn(deal_position(lots, 14, rules))


def claims(seed: int, samples: int = SAMPLES, rules=None):
    """Yield random claims with a choice."""
    lots = random.Random(seed)
    while samples:
        given = deal_position(lots, 13, rules)
        held = [kind for kind in range(KINDS) if given.hand.counts[kind] >= 2]
        unseen = [kind for kind in held if given.hand.counts[kind] + given.table.seen[kind] < 4]
        if unseen and len(legal_actions(ask_claim(given, lots.choice(unseen)))) > 1:
            samples -= 1
            yield given


def openings(seed: int, samples: int = SAMPLES):
    """Yield random hands before the exchange, of 13 and 14 tiles."""
    lots = random.Random(seed)
    wall = [kind for kind in range(KINDS) for _ in range(4)]
    for sample in range(samples):
        held = lots.sample(wall, 13 + sample % 2)
        yield position([held.count(kind) for kind in range(KINDS)], void_suit=NONE, rules=make_rules(1 + sample % 4))


def seen_by(strategy, positions):
    """Yield positions with a strategy's parameters in the hand."""
    for given in positions:
        given.hand.parameters[:] = strategy.parameters
        yield given


def unpack(packed: int, count: int) -> list[int]:
    return [packed >> 5 * index & 31 for index in range(count)]


@pytest.mark.parametrize("name", shipped(BUDGET))
class TestLegal:
    @pytest.mark.parametrize("loose", [False, True])
    def test_turns_and_claims(self, name, loose):
        rules = make_rules(discard_first=not loose, blocks_calls=not loose)
        strategy = load_strategy(name)
        for given in seen_by(strategy, turns(1, rules=rules)):
            assert strategy.choose_turn(*given) in legal_actions(given)
        for given in seen_by(strategy, claims(2, rules=rules)):
            assert strategy.choose_claim(*given) in legal_actions(given)

    def test_openings(self, name):
        strategy = load_strategy(name)
        for given in seen_by(strategy, openings(3)):
            count = given.rules.exchange_count
            packed = strategy.choose_exchange(*given)
            kinds = unpack(packed, count)
            assert packed >> 5 * count == 0
            assert kinds == sorted(kinds)
            assert len({kind // RANKS for kind in kinds}) == 1
            assert all(given.hand.counts[kind] >= number for kind, number in Counter(kinds).items())
            assert strategy.choose_void_suit(*given) in range(3)

    def test_the_hand_is_left_as_it_was(self, name):
        strategy = load_strategy(name)
        asked = [(strategy.choose_turn, turns(4, 100)), (strategy.choose_claim, claims(5, 100))]
        asked += [(strategy.choose_exchange, openings(6, 50)), (strategy.choose_void_suit, openings(7, 50))]
        for choose, positions in asked:
            for given in seen_by(strategy, positions):
                before, table = state_of(given.hand), given.table.tobytes()
                lots = int(given.hand.lots)
                choose(*given)
                if name.startswith(("random", "rollout")):
                    given.hand.lots = lots
                assert state_of(given.hand) == before
                assert given.table.tobytes() == table


@pytest.mark.parametrize("name", NEUTRAL)
class TestNeutral:
    def test_relabelled_suits_give_relabelled_turns_and_claims(self, name):
        strategy = load_strategy(name)
        lots = random.Random(8)
        for given in turns(9):
            order = lots.choice(ORDERS)
            chosen = strategy.choose_turn(*given)
            assert strategy.choose_turn(*ask_turn(relabelled(given, order))) == relabelled_action(chosen, order)
        for given in claims(10):
            order = lots.choice(ORDERS)
            chosen = strategy.choose_claim(*given)
            given.table.seen[given.table.tile] -= 1
            other = ask_claim(relabelled(given, order), relabelled_action(int(given.table.tile), order))
            assert strategy.choose_claim(*other) == relabelled_action(chosen, order)

    def test_relabelled_suits_give_relabelled_openings(self, name):
        strategy = load_strategy(name)
        lots = random.Random(11)
        for given in openings(12):
            if len(set(given.hand.keys.tolist())) < 3:
                continue  # two suits hold the same tiles: nothing tells them apart
            order = lots.choice(ORDERS)
            other = relabelled(given, order)
            count = given.rules.exchange_count
            kinds = [relabelled_action(kind, order) for kind in unpack(strategy.choose_exchange(*given), count)]
            assert unpack(strategy.choose_exchange(*other), count) == kinds
            assert strategy.choose_void_suit(*other) == order[strategy.choose_void_suit(*given)]


def relabelled_action(action: int, order) -> int:
    if action >= WIN_ACTION:
        return action
    kind = action % KONG_ACTION
    return action - kind + RANKS * order[kind // RANKS] + kind % RANKS


@pytest.mark.parametrize("name", COUNTERS)
class TestShortestWay:
    def test_discards_never_lead_away_from_ready(self, name):
        strategy = load_strategy(name)
        for given in turns(13):
            hand, _, _, lookup = given
            chosen = strategy.choose_turn(*given)
            if chosen < KONG_ACTION:
                void = int(hand.void_suit)
                kinds = kinds_in(hand.legal_discards)
                assert hand.sizes[void] == 0 or chosen // RANKS == void
                least = min(count_shanten_without(hand, kind, void, lookup) for kind in kinds)
                assert count_shanten_without(hand, chosen, void, lookup) == least

    def test_kongs_never_lead_away_from_ready(self, name):
        strategy = load_strategy(name)
        made = 0
        for given in turns(14, 3 * SAMPLES):
            hand, _, _, lookup = given
            chosen = strategy.choose_turn(*given)
            before = count_shanten(hand, hand.void_suit, lookup)
            for kind in kinds_in(hand.legal_kongs):
                added = int(hand.pungs) >> kind & 1
                after = position(
                    [int(count) * (at != kind) for at, count in enumerate(hand.counts)],
                    [*map(int, hand.meld_kinds[: hand.count_melds]), *([] if added else [kind])],
                    int(hand.void_suit),
                ).hand
                if chosen == KONG_ACTION + kind:
                    made += 1
                    assert count_shanten(after, after.void_suit, lookup) <= before
                elif chosen < KONG_ACTION:
                    assert count_shanten(after, after.void_suit, lookup) > before
        assert made > 0

    def test_pungs_are_claimed_if_and_only_if_they_save_a_step(self, name):
        strategy = load_strategy(name)
        claimed = 0
        for given in claims(15):
            hand, table, _, lookup = given
            chosen = strategy.choose_claim(*given)
            if hand.legal_win or KONG_ACTION <= chosen < WIN_ACTION:
                continue
            kind = int(table.tile)
            after = position(
                [int(count) - 2 * (at == kind) for at, count in enumerate(hand.counts)],
                [*map(int, hand.meld_kinds[: hand.count_melds]), kind],
                int(hand.void_suit),
            ).hand
            saves = count_shanten(after, after.void_suit, lookup) < count_shanten(hand, hand.void_suit, lookup)
            assert (chosen != PASS_ACTION) == (saves and hand.legal_pung == 1)
            claimed += saves
        assert claimed > 0


def merit(given, kind: int) -> tuple[int, int]:
    """Return how good a discard is, plainly: few steps to ready first, then many live useful tiles."""
    hand, table, _, lookup = given
    useful = kinds_in(mark_useful_without(hand, kind, hand.void_suit, lookup))
    live = sum(int(count_live(hand, table, other)) for other in useful)
    return -int(count_shanten_without(hand, kind, hand.void_suit, lookup)), live


def test_ukeire_keeps_the_most_live_useful_tiles():
    strategy = load_strategy("ukeire")
    compared = 0
    for given in turns(16, 2 * SAMPLES):
        hand = given.hand
        chosen = strategy.choose_turn(*given)
        if chosen >= KONG_ACTION or hand.sizes[hand.void_suit]:
            continue
        merits = {kind: merit(given, kind) for kind in kinds_in(hand.legal_discards)}
        assert merits[chosen] == max(merits.values())
        compared += len(set(merits.values())) > 1
    assert compared > SAMPLES // 4


def test_random_takes_every_legal_action_alike():
    strategy = load_strategy("random")
    given = ask_turn(position("1111m456m2378p99p5p", void_suit=2))
    repeats = 300 if INTERPRETED else 3000
    seen = Counter(int(strategy.choose_turn(*given)) for _ in range(repeats))
    assert set(seen) == legal_actions(given)
    expected = repeats / len(seen)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 40

    given = ask_claim(position("123m456m5677788p", void_suit=2), "7p")
    seen = Counter(int(strategy.choose_claim(*given)) for _ in range(repeats))
    assert set(seen) == legal_actions(given)
    assert len(seen) == 4
    assert min(seen.values()) > repeats / 4 * 0.7

    given = position("159m1p123456789s", void_suit=NONE)
    given_kinds = Counter(kind for _ in range(repeats) for kind in unpack(strategy.choose_exchange(*given), 3))
    assert set(given_kinds) == {0, 4, 8, *range(18, 27)}
    assert all(abs(given_kinds[kind] / repeats - 1 / 2) < 0.1 for kind in (0, 4, 8))
    assert all(abs(given_kinds[kind] / repeats - 1 / 6) < 0.1 for kind in range(18, 27))
    suits = Counter(int(strategy.choose_void_suit(*given)) for _ in range(repeats))
    assert set(suits) == {0, 1, 2}


def test_random_uses_nothing_but_its_own_stream():
    strategy = load_strategy("random")
    for given in turns(17, 20):
        given.hand.lots = 12345
        first = strategy.choose_turn(*given)
        assert given.hand.lots != 12345
        given.hand.lots = 12345
        assert strategy.choose_turn(*given) == first


def every_choice() -> list[int]:
    """Return what every strategy chooses in some positions."""
    chosen = []
    for name in shipped(BUDGET):
        strategy = load_strategy(name)
        chosen += [int(strategy.choose_turn(*given)) for given in seen_by(strategy, turns(18, 25))]
        chosen += [int(strategy.choose_claim(*given)) for given in seen_by(strategy, claims(19, 15))]
        chosen += [int(strategy.choose_exchange(*given)) for given in seen_by(strategy, openings(20, 10))]
        chosen += [int(strategy.choose_void_suit(*given)) for given in seen_by(strategy, openings(21, 10))]
    return chosen


@pytest.mark.skipif(INTERPRETED, reason="compares compiled code with interpreted")
def test_compiled_and_interpreted_choices_are_the_same():
    code = "import json, test_strategies_properties as t; print(json.dumps(t.every_choice()))"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    printed = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout) == every_choice()
