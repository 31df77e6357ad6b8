"""Sampled worlds and roll-outs: worlds are possible, choices are compared in the same ones, the better one is found."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from strategy_positions import ask_turn, position

from sim.engine.hands.hand import CONCEALED_KONG, EXPOSED_KONG, KINDS, NONE, PUNG, RANKS
from sim.engine.hands.shanten import count_shanten
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.deal import DEALT, TILES, Deal
from sim.engine.sichuan.invariants import FAULTS, describe_faults, mark_faults
from sim.engine.sichuan.table import (
    CLAIM,
    DECISIONS,
    EXCHANGE,
    PASS_ACTION,
    PUNG_ACTION,
    ROB,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.jit import INTERPRETED, new
from sim.rules import load_preset
from sim.tiles import parse_tile
from strategies.playouts import choose_by_playouts, error_of_mean, play_on
from strategies.reading import has_cleared
from strategies.registry import load_strategy
from strategies.worlds import begin_hand, ripen_hand, sample_hand, sample_world, show_deal
from tests.differential.compare import Case, draw_case
from tests.property.hidden import offers_of
from tests.property.tables import Standing, begin, finish, walk
from tests.reference.presets import random_preset

LEDGER = sum(
    1 << FAULTS.index(f"the {what}")
    for what in ("points differ from the ledger", "kong incomes differ from the ledger")
)
"""What a player does not know: earlier payments one by one."""
PLANET = load_preset("mahjong-planet")


def world_of(standing: Standing, seat: int) -> Any:
    """Sample a world for the seat that is asked."""
    deals = new(Deal)
    show_deal(deals[0], standing.deal.hands[seat], standing.deal.table, standing.rules)
    sample_world(deals[0], standing.deal.hands[seat], standing.rules, standing.lookup, np.zeros(TILES, dtype=np.int64))
    return deals[0]


def stood(wanted: int, seed: int = 1, *, skip: int = 0, players: str = "ukeire") -> tuple[Standing, int]:
    """Return a deal in which a seat has to make a decision of some kind, and the seat."""
    standing = begin(Case(PLANET, (players,) * 4, seed, "shared"))
    for seat in walk(standing):
        if standing.deal.table.decision == wanted:
            if skip == 0:
                return standing.copy(), seat
            skip -= 1
    raise AssertionError


class TestWorlds:
    @pytest.mark.parametrize("number", range(4 if INTERPRETED else 60))
    def test_worlds_are_possible_and_ask_what_the_table_asks(self, number):
        """As long as nobody has won, since what winners hold does not matter any more."""
        lots = random.Random(f"worlds {number}")
        standing = begin(draw_case(lots, random_preset(lots), is_slanted=bool(number % 2)))
        seen: Counter[str] = Counter()
        for step, seat in enumerate(walk(standing)):
            deal = standing.deal
            if deal.table.count_wins:
                break
            if step % 5 != number % 5:
                continue
            before = deal.hands[seat].copy()
            world = world_of(standing, seat)
            assert not describe_faults(mark_faults(world, standing.rules, standing.lookup) & ~LEDGER)
            assert world.table.tobytes() == deal.table.tobytes()
            offers = tuple(
                int(world.hands[seat][name]) for name in ("legal_win", "legal_pung", "legal_kongs", "legal_discards")
            )
            assert offers == offers_of(standing, seat)
            assert world.asked >> seat & 1
            assert deal.hands[seat].lots != before.lots
            before.lots = deal.hands[seat].lots
            assert deal.hands[seat].tobytes() == before.tobytes()
            seen[DECISIONS[deal.table.decision]] += 1
        assert seen

    def test_worlds_differ_and_follow_the_lots(self):
        standing, seat = stood(TURN, skip=20)
        again = standing.copy()
        worlds = [world_of(each, seat).tobytes() for each in (standing, standing, again)]
        assert worlds[0] == worlds[2] != worlds[1]

    def test_a_robbing_is_asked_again(self):
        lots = random.Random("rob")
        for _ in range(400):
            standing = begin(draw_case(lots, PLANET, is_slanted=True))
            for seat in walk(standing):
                if standing.deal.table.decision == ROB:
                    world = world_of(standing, seat)
                    assert world.table.decision == ROB
                    assert world.hands[seat].legal_win == 1
                    return
        raise AssertionError

    def test_who_has_cleared_holds_no_tile_of_the_void_suit(self):
        standing, seat = stood(TURN, skip=40)
        table = standing.deal.table
        cleared = [other for other in range(SEATS) if other != seat and has_cleared(table, other)]
        assert cleared
        for _ in range(10):
            world = world_of(standing, seat)
            for other in cleared:
                if table.active[other]:
                    assert world.hands[other].sizes[table.void_suits[other]] == 0

    def test_what_was_given_is_still_there(self):
        standing, seat = stood(TURN)
        hand, table = standing.deal.hands[seat], standing.deal.table
        receiver = (seat + int(table.direction)) % SEATS
        given = Counter(int(kind) for kind in hand.given if kind != NONE)
        assert given.total() == 3
        for _ in range(5):
            held = world_of(standing, seat).hands[receiver].counts
            assert all(held[kind] >= count for kind, count in given.items())
        twice = next(iter(given))
        table.thrown[receiver, twice] += 4
        hand.counts[twice] = 4  # nobody else can hold it
        assert world_of(standing, seat).hands[receiver].counts[twice] == 0
        table.thrown[receiver, twice] = 0
        assert world_of(standing, seat).hands[receiver].counts[twice] == 0

    def test_hands_ripen_with_what_was_thrown(self):
        """One swap for each tile thrown outside the void suit brings a hand nearer to ready."""
        standing, seat = stood(TURN, 3, skip=8)
        table = standing.deal.table
        other = (seat + 1) % SEATS
        suit = (int(table.void_suits[other]) + 1) % 3
        means = []
        for thrown in (0, 1, 3, 6):
            table.thrown[other] = 0
            table.thrown[other, RANKS * suit] = thrown
            worlds = [world_of(standing, seat).hands[other] for _ in range(5 if INTERPRETED else 60)]
            means.append(np.mean([count_shanten(hand, hand.void_suit, standing.lookup) for hand in worlds]))
        assert means == sorted(means, reverse=True)
        assert means[0] - means[3] > 1

    def test_tiles_of_the_void_suit_go_first_as_a_hand_ripens(self):
        standing, seat = stood(TURN)
        other = position("19m123456p12345s", void_suit=0).hand
        hidden = np.full(TILES, parse_tile("9p"))
        ripen_hand(other, 3, NONE, standing.deal.hands[seat], hidden, TILES, standing.lookup)
        assert other.sizes.tolist() == [0, 8, 5] or other.sizes.tolist() == [0, 9, 4]
        assert {parse_tile("1m"), parse_tile("9m")} < set(hidden.tolist())
        assert len(hidden[hidden != parse_tile("9p")]) == 3

    def test_concealed_kongs_of_unknown_kinds_are_sampled(self):
        standing, seat = stood(TURN, 3, skip=8)
        table = standing.deal.table
        other = (seat + 1) % SEATS
        table.count_melds[other] = 1
        table.meld_kinds[other, 0], table.meld_forms[other, 0] = NONE, CONCEALED_KONG
        table.tiles_left -= 1
        kinds = set()
        for _ in range(4 if INTERPRETED else 20):
            hand = world_of(standing, seat).hands[other]
            kind = int(hand.meld_kinds[0])
            assert hand.kongs == 1 << kind
            assert kind // RANKS != hand.void_suit
            assert hand.counts[kind] == standing.deal.hands[seat].counts[kind] == table.seen[kind] == 0
            kinds.add(kind)
        assert len(kinds) > 1

    def test_strange_tables_are_no_endless_loop(self):
        """Too few tiles, all of a suit that nobody can hold, no kind of which four are hidden: any tile will do."""
        standing, seat = stood(TURN, 3, skip=8)
        deal = standing.deal
        other = (seat + 1) % SEATS
        void_suit = int(deal.table.void_suits[other])
        deal.table.thrown[other, RANKS * ((void_suit + 1) % 3)] = 2
        deal.table.count_melds[other] = 1
        deal.table.meld_kinds[other, 0], deal.table.meld_forms[other, 0] = NONE, CONCEALED_KONG
        hidden = np.full(TILES, RANKS * void_suit)
        hidden[1:9:2] += 1
        world = new(Deal)[0]
        show_deal(world, deal.hands[seat], deal.table, standing.rules)
        assert begin_hand(world, other, deal.hands[seat], hidden, 3) == 1
        assert sample_hand(world, other, deal.hands[seat], hidden, 1, standing.lookup) == 0
        deal.table.seen[:] = 4 - np.array(deal.hands[seat].counts)
        assert world_of(standing, seat).table.tiles_left == 0

    def test_kong_payments_are_booked(self):
        standing, seat = stood(TURN)
        table, rules = standing.deal.table, standing.rules
        owner, payer, winner = ((seat + step) % SEATS for step in (1, 2, 3))
        table.active[winner] = 0
        table.count_melds[owner] = 3
        table.meld_kinds[owner, :3], table.meld_forms[owner, :3] = [0, 1, 2], [PUNG, EXPOSED_KONG, CONCEALED_KONG]
        table.meld_from[owner, :3] = [payer, winner, owner]
        world = new(Deal)[0]
        show_deal(world, standing.deal.hands[seat], table, rules)
        count = int(world.count_incomes)
        booked = list(
            zip(world.income_owners[:count], world.income_payers[:count], world.income_amounts[:count], strict=True)
        )
        assert booked[0] == (owner, winner, rules.kong_exposed)
        assert sorted(booked[1:]) == sorted((owner, who, rules.kong_concealed) for who in (seat, payer))
        assert world.last_kong == 1


class TestPlayouts:
    def test_an_error_of_a_mean(self):
        values = np.array([1.0, 4.0, -2.0, 5.0])
        found = error_of_mean(values.sum(), (values**2).sum(), 4)
        assert found == pytest.approx(values.std(ddof=1) / 2)
        assert error_of_mean(3.0, 9.0, 1) == 0

    def test_a_world_is_played_to_the_points_of_the_player(self):
        standing, seat = stood(TURN, skip=30)
        world = world_of(standing, seat)
        action = load_strategy("ukeire").choose_turn(
            standing.deal.hands[seat], standing.deal.table, standing.rules, standing.lookup
        )
        points = play_on(world, seat, action, standing.rules, standing.lookup)
        assert points == world.table.points[seat]
        assert world.table.points.sum() == 0
        assert world.asked == 0 or not world.table.active[seat]

    def test_an_illegal_action_ends_a_world(self):
        standing, seat = stood(TURN, skip=30)
        assert (
            play_on(world_of(standing, seat), seat, PASS_ACTION, standing.rules, standing.lookup)
            == standing.deal.table.points[seat]
        )

    @pytest.mark.parametrize("first", [False, True])
    def test_the_better_choice_is_found_wherever_it_stands(self, first):
        """To break up a ready hand with much time left is worse than to keep it."""
        standing, seat = ready_turn()
        hand, table, rules, lookup = standing.deal.hands[seat], standing.deal.table, standing.rules, standing.lookup
        keep, spoil = parse_tile("9p"), parse_tile("5m")
        choices = np.array([keep, spoil] if first else [spoil, keep])
        budget = 32 if INTERPRETED else 400
        assert choose_by_playouts(hand, table, rules, lookup, choices, 2, budget, 1.0) == keep

    def test_another_choice_must_be_surely_better(self):
        standing, seat = ready_turn()
        hand, table, rules, lookup = standing.deal.hands[seat], standing.deal.table, standing.rules, standing.lookup
        choices = np.array([parse_tile("5m"), parse_tile("9p")])
        assert choose_by_playouts(hand, table, rules, lookup, choices, 2, 64, 1e6) == parse_tile("5m")

    @pytest.mark.parametrize(("count", "budget"), [(1, 10_000), (2, 15), (3, 23)])
    def test_without_choice_or_budget_no_lot_is_drawn(self, count, budget):
        standing, seat = ready_turn()
        hand, table, rules, lookup = standing.deal.hands[seat], standing.deal.table, standing.rules, standing.lookup
        before = int(hand.lots)
        choices = np.array([parse_tile(tile) for tile in ("5m", "9p", "6m")])
        assert choose_by_playouts(hand, table, rules, lookup, choices, count, budget, 0.0) == parse_tile("5m")
        assert int(hand.lots) == before


def ready_turn() -> tuple[Standing, int]:
    """Return a first turn of the dealer with a ready hand and a useless tile."""
    standing, seat = stood(TURN)
    assert seat == 0
    hand, table = standing.deal.hands[0], standing.deal.table
    ready = ask_turn(position("234567m234567p1m9p", void_suit=2))
    lots, order = hand.lots, hand.suit_order.copy()
    standing.deal.hands[0] = ready.hand
    hand.seat, hand.lots, hand.suit_order = 0, lots, order
    hand.given[:] = NONE
    table.void_suits[:] = [2, 0, 1, 2]
    return standing, seat


class TestStrategy:
    def test_it_is_defence_without_a_budget(self):
        case = {
            name: Case(PLANET, (name, "ukeire", "ukeire", "ukeire"), 5, "shared")
            for name in ("defence", "rollout{budget=0}")
        }
        points = [finish(begin(each)).deal.table.points.tolist() for each in case.values()]
        assert points[0] == points[1]

    def test_a_self_draw_and_a_robbed_kong_are_taken_at_once(self):
        strategy = load_strategy("rollout{budget=64}")
        given = ask_turn(position("123456789m123p99p"))
        given.hand.parameters[:] = strategy.parameters
        before = int(given.hand.lots)
        assert strategy.choose_turn(*given) == WIN_ACTION
        given = position("123456789m123p9p")
        given.table.decision, given.table.tile, given.table.turn, given.hand.legal_win = ROB, parse_tile("9p"), 1, 1
        assert strategy.choose_claim(*given) == WIN_ACTION
        assert int(given.hand.lots) == before

    @pytest.mark.parametrize("wanted", [EXCHANGE, VOID_SUIT, TURN, CLAIM])
    def test_it_chooses_the_same_by_the_same_lots(self, wanted):
        standing, seat = stood(wanted, skip=2)
        strategy = load_strategy(f"rollout{{budget={40 if INTERPRETED else 200}}}")
        chosen = []
        standing.deal.hands[seat].parameters[:] = strategy.parameters
        for each in (standing.copy(), standing.copy()):
            given = (each.deal.hands[seat], each.deal.table, each.rules, each.lookup)
            choose = {
                EXCHANGE: strategy.choose_exchange,
                VOID_SUIT: strategy.choose_void_suit,
                TURN: strategy.choose_turn,
                CLAIM: strategy.choose_claim,
            }[wanted]
            chosen.append((int(choose(*given)), int(each.deal.hands[seat].lots)))
        assert chosen[0] == chosen[1]
        assert chosen[0][1] != int(standing.deal.hands[seat].lots)

    def test_claims_are_tried_and_legal(self):
        """Wins, pungs and kongs come up, and whatever is chosen is allowed."""
        strategy = load_strategy("rollout{budget=16}")
        offered: Counter[str] = Counter()
        for number in range(3 if INTERPRETED else 40):
            lots = random.Random(f"claims {number}")
            standing = begin(draw_case(lots, PLANET, is_slanted=True))
            for seat in walk(standing):
                hand, table = standing.deal.hands[seat], standing.deal.table
                if table.decision != CLAIM:
                    continue
                copied = standing.copy()
                copied.deal.hands[seat].parameters[:] = strategy.parameters
                chosen = int(
                    strategy.choose_claim(copied.deal.hands[seat], copied.deal.table, copied.rules, copied.lookup)
                )
                legal = {PASS_ACTION} | ({WIN_ACTION} if hand.legal_win else set())
                legal |= {PUNG_ACTION} if hand.legal_pung else set()
                legal |= {32 + kind for kind in range(KINDS) if int(hand.legal_kongs) >> kind & 1}
                assert chosen in legal
                offered["win"] += int(hand.legal_win)
                offered["kong"] += int(hand.legal_kongs > 0)
                offered["pung"] += int(hand.legal_pung)
        assert min(offered[what] for what in ("win", "kong", "pung")) > 0

    def test_the_wall_ahead_is_as_long_as_the_table_says(self):
        standing, seat = stood(TURN, skip=30)
        world = world_of(standing, seat)
        assert world.front == DEALT
        assert world.back - world.front + 1 == standing.deal.table.tiles_left
        assert mark_waits(world.hands[(seat + 1) % SEATS], standing.lookup) == world.waits[(seat + 1) % SEATS]
