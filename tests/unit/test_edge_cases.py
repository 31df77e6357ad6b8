"""Mistakes that other programs of this game made, 1 to 33: each is checked here, or shown to be impossible.

Number 9 and those of settlement and chance, 34 to 39, are in `test_edge_cases_numbers`.

A name in quotation marks is a golden case (`tests/golden`), checked in both engines.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sim.engine.hands.hand import KINDS, NONE, RANKS, Hand, add_tile
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan import fan
from sim.engine.sichuan.advance import answer
from sim.engine.sichuan.deal import Deal, next_active
from sim.engine.sichuan.setup import clear_hand, clear_table, deal_tiles, order_suits, shuffle_wall
from sim.engine.sichuan.table import KONG_ACTION, VOID_SUIT, WIN_ACTION, Table
from sim.errors import NotationError
from sim.jit import INTERPRETED, new
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from sim.tiles import parse_counts, parse_tiles
from strategies.registry import list_strategies, load_strategy
from tests.golden.engines import FastTable
from tests.golden.play import case_named, check_golden, play_deal
from tests.golden.stack import stack_wall

LOOKUP = load_lookup()[0]
DEALS = 4 if INTERPRETED else 40
PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")


def golden(*names: str) -> None:
    """Check golden cases in both engines."""
    for name in names:
        check_golden(name)


# --- hands, roots, fan ------------------------------------------------------------------------------------------------


def test_edge_01_root_of_pung_and_run() -> None:
    golden("a pung and the fourth tile in a run are a root", "four tiles in two runs and a pair are a root")


def test_edge_02_root_of_a_declared_pung_and_kongs_counted_once() -> None:
    golden(
        "a declared pung and the fourth tile in a run are a root",
        "the winning tile makes a root with a declared pung",
        "kongs of every form are roots",
    )


def test_edge_03_dragon_seven_pairs_count_their_four_once() -> None:
    golden(
        "four identical tiles are two pairs and a root",
        "three times four identical tiles are three roots of seven pairs",
    )


def test_edge_04_seven_pairs_and_standard_take_the_better_reading() -> None:
    golden(
        "seven pairs are more than two runs twice",
        "two runs twice where seven pairs are worth less",
        "three roots in four equal runs, read as seven pairs",
    )


def test_edge_05_a_hand_of_no_fan_wins_one_point() -> None:
    golden(
        "four runs and a pair win without any fan, and are worth one point",
        "three players win on one discard, and the deal is over",
    )


def test_edge_06_all_pungs_open_or_concealed() -> None:
    golden("all pungs, concealed", "all pungs, some declared", "all pungs with a kong")


def test_edge_07_an_outside_hand_is_asked_of_every_group() -> None:
    golden(
        "an outside hand",
        "eight terminals in the groups, but the pair has none",
        "many terminals, but one run without",
        "seven pairs of ones and nines are no outside hand",
    )


def test_edge_08_no_fifth_copy_and_no_hand_of_another_size() -> None:
    with pytest.raises(NotationError, match="a fifth 1m"):
        parse_tiles("11111m")
    for size, tiles in ((12, "123456789m123p"), (15, "123456789m123456p")):
        with pytest.raises(NotationError, match=f"{size} tiles"):
            parse_counts(tiles, [13, 14])


def test_edge_10_golden_wait_and_all_pungs_both_count() -> None:
    golden("a golden wait counts beside all pungs, and concealed kongs are declared")


def test_edge_11_the_best_wait_of_the_ready_hand() -> None:
    golden(
        "4456 and a 4 is a pair wait",
        "4456 and a 7 is none",
        "the value of a ready hand is that of its best wait",
        "the best wait decides",
    )


# --- the void suit ----------------------------------------------------------------------------------------------------


def test_edge_12_cleared_is_no_latch() -> None:
    golden("a player who draws a void tile is no longer cleared", "a void tile drawn late must go first too")


def test_edge_13_void_suits_are_shown_when_all_have_chosen() -> None:
    golden("void suits are named at the same time and shown together")
    rules = compile_rules(load_preset("cardavia-sichuan"))[0]
    deals = new(Deal)
    deal = deals[0]
    shuffle_wall(deal, 1)
    deal_tiles(deal, rules, 0)
    assert deal.table.decision == VOID_SUIT
    answer(deal, 2, 1, rules, LOOKUP)
    assert list(deal.table.void_suits) == [NONE] * 4
    assert deal.hands[2].void_suit == NONE


def test_edge_14_nothing_is_called_in_the_void_suit_nor_while_holding_it() -> None:
    """Robbing in the void suit is impossible: who is cleared holds no tile that a void tile could go with."""
    golden(
        "tiles of the own void suit are never claimed",
        "tiles of the own void suit are never konged",
        "no concealed kong while not cleared",
        "who is not cleared calls nothing",
        "a robbed tile of the void suit wins nothing",
    )


def test_edge_15_the_dealer_draws_no_fifteenth_tile() -> None:
    golden(
        "thirteen tiles each, the dealer fourteen, fifty-five in the wall",
        "void suits are named at the same time and shown together",
    )


def test_edge_16_pigs_are_judged_after_the_last_discard_on_concealed_tiles() -> None:
    golden(
        "pigs are judged after the last discard",
        "who keeps the last void tile is a pig",
        "a meld is no void tile and makes nobody a pig",
    )


LEANING = {"first_legal", "random"}
"""Strategies that know suits by their letters, or by lots."""


@pytest.mark.parametrize("name", [name for name in list_strategies() if name not in LEANING])
def test_edge_17_relabelling_the_suits_relabels_the_void_choice(name: str) -> None:
    choose = load_strategy(name).decisions[1]
    lots = np.random.default_rng(17)
    chosen = set()
    for _ in range(DEALS):
        dealt = lots.permutation(np.arange(KINDS).repeat(4))[:13]
        for order in itertools.permutations(range(3)):
            records = new(Hand), new(Table), compile_rules(load_preset("mahjongo"))
            hand, table, rules = records[0][0], records[1][0], records[2][0]
            clear_table(table)
            clear_hand(hand, 1)
            for kind in dealt:
                add_tile(hand, order[kind // RANKS] * RANKS + kind % RANKS)
            order_suits(hand)
            if order == (0, 1, 2):
                first = int(choose(hand, table, rules, LOOKUP))
            assert choose(hand, table, rules, LOOKUP) == order[first]
        chosen.add(first)
    assert len(chosen) > 1


# --- kongs and money --------------------------------------------------------------------------------------------------


def test_edge_18_an_added_kong_that_nobody_can_rob_is_logged_and_refunded() -> None:
    golden(
        "an added kong with the tile just drawn",
        "an added kong is refunded to those who paid it, not to an earlier winner",
    )


def test_edge_19_refunds_go_to_the_original_payers() -> None:
    golden(
        "several kongs are refunded each to its payers",
        "an exposed kong is refunded to the discarder alone",
        "who is not ready returns kong income, also to a winner who has left",
    )


def test_edge_20_after_kong_ends_with_the_next_draw_and_with_the_deal() -> None:
    golden(
        "a discard after a pung of the kong discard is none",
        "the next discard after a kong discard is none",
        "a draw after somebody else's kong is no kong draw",
        "a draw in the turn after one's own kong is no kong draw",
    )
    # The same record plays on: the deal before ended in the middle of a kong, this one begins with a dealt win.
    rules = compile_rules(load_preset("cardavia-sichuan"))[0]
    deals = new(Deal)
    deal = deals[0]
    for hand, action in (("7777m123456m99p46p", KONG_ACTION + 6), ("123456789m456p99p", WIN_ACTION)):
        deal.wall[:] = stack_wall([hand, "*", "*", "*"])
        deal_tiles(deal, rules, 0)
        for seat in range(4):
            answer(deal, seat, 0 if seat else 2, rules, LOOKUP)
        assert deal.table.after_kong == 0
        answer(deal, 0, action, rules, LOOKUP)
    assert fan.score_patterns(deal.win_scores[0]) == 0


def test_edge_21_no_kong_without_a_replacement_nor_after_a_pung() -> None:
    golden(
        "no concealed kong without a replacement",
        "no added kong without a replacement",
        "the last discard can be punged but not konged",
        "after a pung: discard, no kong, no win",
    )


def test_edge_22_winners_pay_and_are_paid_nothing_more() -> None:
    golden(
        "a winner draws, claims and pays no more",
        "a winner does not pay for a self-draw",
        "a winner does not pay for an added kong",
        "a winner is not paid by those who are not ready",
    )


def test_edge_23_a_robbed_kong_is_not_paid_and_leaves_the_pung() -> None:
    golden("an added kong is robbed", "several players rob one kong", "a robbed kong has nothing to refund")


def test_edge_24_replacements_come_from_the_back() -> None:
    golden(
        "draws from the front, a kong's replacement from the back",
        "the second replacement is the tile before the first",
    )


# --- several winners, order, end --------------------------------------------------------------------------------------


def test_edge_25_several_winners_in_turn_order_each_paid() -> None:
    golden(
        "each of several winners is paid in full by the discarder",
        "the farthest winner is counted from the discarder",
        "after several wins the seat after the winner farthest from the discarder",
    )


def test_edge_26_the_search_for_the_next_seat_ends() -> None:
    golden("two players share what is left of the wall", "a winner is passed over when the next one has won")
    deals = new(Deal)
    deal = deals[0]
    assert [next_active(deal, seat) for seat in range(4)] == [NONE] * 4
    deal.table.active[2] = 1
    assert [next_active(deal, seat) for seat in (3, 0, 1)] == [2, 2, 2]


def test_edge_27_a_winner_is_never_asked() -> None:
    golden("a winner draws, claims and pays no more", "a winner is passed over when the next one has won")


def test_edge_28_the_third_win_ends_the_deal_at_once() -> None:
    golden(
        "nothing is settled after a third win",
        "a third win by self-draw ends the deal at once",
        "a third win by robbing ends the deal",
    )


def test_edge_29_no_cap_on_turns() -> None:
    case = case_named("two players share what is left of the wall")
    table = play_deal(case, "mahjongo", "fast")
    assert isinstance(table, FastTable)
    assert [int(turns) for turns in table.deal.turns] == [28, 0, 0, 28]  # 55 draws and the dealer's first turn


def test_edge_30_the_last_discard_is_won_on_as_the_last_tile() -> None:
    golden(
        "the last discard can be won on, and counts as the last tile",
        "a discard after a pung of the last discard is a last tile too",
    )


# --- passing ----------------------------------------------------------------------------------------------------------


def test_edge_31_the_win_lock_ends_with_the_own_draw_and_covers_robbing() -> None:
    golden(
        "a win passed up is locked until the own next draw",
        "a lock does not end with somebody else's draw",
        "the win lock covers robbing",
        "passing up a robbery locks discards too",
        "a kong replacement ends the lock",
        "claiming a pung does not end the lock",
    )


def test_edge_32_a_claim_that_loses_is_no_pass() -> None:
    golden(
        "a win goes before a pung",
        "who wanted to win and was not the nearest has not passed",
        "a pung that loses to a win has passed its own win all the same",
    )


def test_edge_33_a_pung_lock_is_on_one_kind() -> None:
    golden("a pung lock is on one kind only", "a pung lock does not lock wins, not even on the same kind")
