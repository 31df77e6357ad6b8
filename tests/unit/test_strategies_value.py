"""What `value` does in positions that have a right answer, and that it treats all suits alike."""

from __future__ import annotations

import random

import numpy as np
import pytest
from strategy_positions import ORDERS, ask_claim, ask_opening, ask_turn, deal_position, position, relabelled
from test_strategies_properties import openings, relabelled_action, unpack

from sim.engine.hands.hand import NONE, RANKS
from sim.engine.sichuan.check import check_deals
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from sim.tiles import format_kind, parse_tile
from strategies.calculator import value_if_completed
from strategies.prospects import ANY_HAND, ONE_SUIT, prospect_of
from strategies.registry import load_strategy
from tests.reference.presets import random_preset

PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")
M, P, S = 0, 1, 2


def rules_of(preset: str, **knobs):
    return compile_rules(load_preset(preset, {name.replace("__", "."): knob for name, knob in knobs.items()}))[0]


def placed(tiles, melds=(), void_suit=None, *, left=40, wins=0, rules=None):
    """Make a position in the middle of a deal: all play, nobody's void suit is the player's first one."""
    given = position(tiles, melds, void_suit, rules=rules or rules_of("mahjong-planet"))
    given.table.tiles_left = left
    given.table.active[:] = [1] * (4 - wins) + [0] * wins
    given.table.count_wins = wins
    given.table.void_suits[:] = given.hand.void_suit
    return given


def turn(name, *args, **kwargs):
    strategy = load_strategy(name)
    given = ask_turn(placed(*args, **kwargs))
    given.hand.parameters[:] = strategy.parameters
    return int(strategy.choose_turn(*given))


def claim(name, tile, *args, patience=None, **kwargs):
    strategy = load_strategy(name)
    given = ask_claim(placed(*args, **kwargs), tile)
    given.hand.parameters[:] = strategy.parameters
    if patience is not None:
        given.hand.parameters[[parameter.name for parameter in strategy.declared].index("patience")] = patience
    return int(strategy.choose_claim(*given))


class TestDiscards:
    def test_the_better_paid_wait_is_kept(self):
        # 1m leaves 47p, 4p leaves 1m: as many tiles or fewer, but a flush is not in reach; 9s is no use at all.
        assert format_kind(turn("value", "1112345678999m1p", void_suit=S)) == "1p"

    def test_one_suit_is_kept_where_it_pays(self):
        tiles = "1122456778m45p9m6p"
        assert turn("value", tiles, void_suit=S, left=50) // RANKS == P
        assert turn("ukeire", tiles, void_suit=S, left=50) // RANKS == M

    def test_one_suit_is_not_kept_where_it_pays_nothing(self):
        tiles = "1122456778m45p9m6p"
        rules = rules_of("mahjong-planet", fan__cap=0)
        assert turn("value", tiles, void_suit=S, left=50, rules=rules) // RANKS == M
        rules = rules_of("mahjong-planet", fan__patterns__full_flush="none")
        assert turn("value", tiles, void_suit=S, left=50, rules=rules) // RANKS == M

    def test_one_suit_is_not_kept_when_there_is_no_time(self):
        assert turn("value", "1122456778m45p9m6p", void_suit=S, left=6) // RANKS == M


class TestClaims:
    def test_a_cheap_win_is_passed_early_and_taken_late(self):
        hand = "23456m11122277p", (), S
        assert claim("value", "4m", *hand, left=45) == PASS_ACTION
        assert claim("value", "4m", *hand, left=3) == WIN_ACTION
        assert claim("value", "4m", *hand, left=45, wins=2) == WIN_ACTION
        assert claim("value", "4m", *hand, left=45, patience=-1000) == WIN_ACTION

    def test_a_costly_win_is_taken(self):
        assert claim("value", "4p", "112233m557799p4p", (), S, left=30) == WIN_ACTION

    def test_a_kong_is_robbed_whenever_it_can_be(self):
        strategy = load_strategy("value")
        given = ask_claim(placed("23456m11122277p", (), S, left=45), "4m")
        given.hand.parameters[:] = strategy.parameters
        given.table.decision = 4
        assert strategy.choose_claim(*given) == WIN_ACTION

    def test_a_pung_that_makes_a_costly_hand_ready_is_claimed(self):
        assert claim("value", "9m", "11124599m", ["pung 7m"], S) == PUNG_ACTION

    def test_a_kong_that_does_no_harm_is_made(self):
        assert turn("value", "1111m456789p1237p", void_suit=S) == KONG_ACTION + parse_tile("1m")


class TestOpening:
    def test_the_void_suit_leaves_the_flush(self):
        strategy = load_strategy("value")
        given = ask_opening(placed("1122345678m12p9s", void_suit=NONE))
        assert strategy.choose_void_suit(*given) in (P, S)

    def test_the_exchange_keeps_the_long_suit(self):
        strategy = load_strategy("value")
        given = ask_opening(placed("112234567m147p9s", void_suit=NONE))
        assert {kind // RANKS for kind in unpack(int(strategy.choose_exchange(*given)), 3)} == {P}


@pytest.mark.parametrize("name", ["value", "defence"])
class TestNeutral:
    """A position with its suits called otherwise is played alike."""

    def set_up(self, given, order, void_suits):
        given.table.tiles_left, given.table.active[:] = 30, 1
        given.table.void_suits[:] = [order[suit] for suit in void_suits]
        given.hand.parameters[:] = [0.3, 0.3] + [0.0] * 14
        return given

    def test_turns_and_claims(self, name):
        strategy = load_strategy(name)
        lots = random.Random(8)
        rules = [rules_of(preset) for preset in PRESETS]
        claims = 0
        for number in range(20 if INTERPRETED else 400):
            order, void_suits = lots.choice(ORDERS), [lots.randrange(3) for _ in range(4)]
            plain = self.set_up(deal_position(lots, 14, rules[number % 3]), (0, 1, 2), void_suits)
            other = ask_turn(self.set_up(relabelled(plain, order), order, void_suits))
            assert strategy.choose_turn(*other) == relabelled_action(int(strategy.choose_turn(*ask_turn(plain))), order)
            plain = self.set_up(deal_position(lots, 13, rules[number % 3]), (0, 1, 2), void_suits)
            other = self.set_up(relabelled(plain, order), order, void_suits)
            unseen = [kind for kind in range(27) if plain.hand.counts[kind] + plain.table.seen[kind] < 4]
            held = [kind for kind in unseen if plain.hand.counts[kind] > 1]
            if held:
                kind = lots.choice(held)
                chosen = int(strategy.choose_claim(*ask_claim(plain, kind)))
                other = ask_claim(other, relabelled_action(kind, order))
                assert strategy.choose_claim(*other) == relabelled_action(chosen, order)
                claims += chosen != PASS_ACTION
        assert claims > 0

    def test_openings(self, name):
        strategy = load_strategy(name)
        lots = random.Random(9)
        for given in openings(13, 10 if INTERPRETED else 200):
            if len(set(given.hand.keys.tolist())) < 3:
                continue
            order = lots.choice(ORDERS)
            other = relabelled(given, order)
            count = given.rules.exchange_count
            kinds = [relabelled_action(kind, order) for kind in unpack(int(strategy.choose_exchange(*given)), count)]
            assert unpack(int(strategy.choose_exchange(*other)), count) == sorted(kinds)
            assert strategy.choose_void_suit(*other) == order[strategy.choose_void_suit(*given)]


@pytest.mark.parametrize("name", ["value", "defence"])
def test_every_answer_is_legal_and_keeps_the_invariants_under_any_preset(name):
    lots = random.Random(f"{name} 1")
    for number in range(1 if INTERPRETED else 25):
        preset = random_preset(lots) if number >= 3 else load_preset(PRESETS[number])
        seeds = np.array([lots.randrange(1 << 40) for _ in range(1 if INTERPRETED else 12)])
        mode = ("shared", "per_seat")[number % 2]
        states, fault = check_deals(compile_rules(preset), [load_strategy(name)] * 4, seeds, mode)
        assert fault is None, (number, fault)
        assert states > 20 * len(seeds)


class TestProspects:
    def test_more_is_worth_more(self):
        """More rounds, more useful tiles, fewer steps and a higher value never make a hand worth less."""
        rules = rules_of("mahjong-planet")
        table = placed("1112345678999m", (), S).table

        def worth(route=ANY_HAND, lacking=2, rate=0.2, rounds=9, value=2.0):
            return prospect_of(table, rules, route, lacking, rate, rounds, value, value + 1)

        for wins in range(3):
            table.count_wins = wins
            assert [worth(rate=rate / 20) for rate in range(16)] == sorted(worth(rate=rate / 20) for rate in range(16))
            assert worth(value=4.0) > worth(value=2.0)
            for lacking in range(1, 6):
                assert worth(lacking=lacking) > worth(lacking=lacking + 1)
            assert worth(rounds=13) > worth(rounds=3)
            assert worth(route=ONE_SUIT, lacking=40, rounds=40, rate=5.0) < 3

    def test_not_being_ready_costs_nothing_where_nobody_is_paid_for_it(self):
        table = placed("1112345678999m", (), S).table
        paid = prospect_of(table, rules_of("mahjongo"), ANY_HAND, 3, 0.2, 3, 1.0, 2.0)
        free = prospect_of(table, rules_of("mahjongo", exhaustion__not_ready="none"), ANY_HAND, 3, 0.2, 3, 1.0, 2.0)
        assert free > paid + 1


@pytest.mark.parametrize(("self_draw", "factor"), [("add_fan", 2), ("add_points", 1), ("none", 1)])
def test_the_calculator_counts_the_fan_that_a_self_draw_adds(self_draw, factor):
    given = placed("123456789m2345p", void_suit=S, rules=rules_of("mahjongo", win__self_draw=self_draw))
    claimed, drawn = (value_if_completed(*given, parse_tile("5p"), is_self_draw) for is_self_draw in (0, 1))
    assert drawn == factor * claimed > 0
