"""Patterns, readings and values of the reference, one test per sentence of chapter 5."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.fan import Score, highest_value, score_win
from tests.reference.presets import shipped
from tests.reference.records import Meld
from tests.reference.scripts import counts, kind_of


def meld(form: str, tile: str) -> Meld:
    return Meld(form, kind_of(tile), None if form == "concealed" else 1)


def score(
    text: str,
    winning: str | None,
    melds: tuple[Meld, ...] = (),
    preset: str = "mahjong-planet",
    *,
    situations: tuple[str, ...] = (),
    self_drawn: bool = False,
    **overrides: Any,
) -> Score:
    """Score a complete hand; knobs are given with two underscores for the dot."""
    rules = shipped(preset, **overrides)
    kind = None if winning is None else kind_of(winning)
    return score_win(rules, counts(text), melds, kind, situations, self_drawn=self_drawn)


def test_a_plain_hand_has_no_fan_and_is_worth_one_point() -> None:
    plain = score("123456789m456p99p", "5p")
    assert (plain.patterns, plain.fan, plain.value) == ({}, 0, 1)


def test_a_pung_and_the_fourth_tile_in_a_run_are_a_root() -> None:
    assert score("555567m123p789p99s", "1p").patterns == {"root": 1}
    assert score("567m123p789p99s", "1p", (meld("pung", "5m"),)).patterns == {"root": 1}


def test_the_winning_tile_can_complete_a_root() -> None:
    assert score("555567m123p789p99s", "5m").patterns == {"root": 1}


def test_a_kong_is_a_root_of_every_form() -> None:
    for form in ("concealed", "exposed", "added"):
        assert score("123m123p789p99s", "1m", (meld(form, "5m"),)).patterns == {"root": 1}


def test_roots_add_up() -> None:
    two = score("111123m789p99s1p1p1p", "2m", preset="mahjong-planet")
    assert two.patterns == {"root": 1}
    melds = (meld("concealed", "5m"), meld("exposed", "6m"))
    assert score("7777p89p99s", "7p", melds, fan__patterns__root=2).patterns == {"root": 6}


def test_all_pungs_with_and_without_melds() -> None:
    assert score("111m333p555p777s99s", "1m").patterns == {"all_pungs": 1}
    assert score("555p777s99s", "5p", (meld("pung", "1m"), meld("pung", "3p"))).patterns == {"all_pungs": 1}


def test_a_kong_counts_as_a_pung_and_as_a_root() -> None:
    assert score("333p555p777s99s", "3p", (meld("concealed", "1m"),)).patterns == {"all_pungs": 1, "root": 1}


def test_full_flush_looks_at_melds_too() -> None:
    assert score("111234678m99m", "1m", (meld("pung", "5m"),)).patterns == {"full_flush": 2}
    assert score("111234678m99m", "1m", (meld("pung", "5p"),)).patterns == {}


def test_seven_pairs_with_four_alike_count_the_root_once() -> None:
    assert score("1111m3355p77s8899s", "3p").patterns == {"seven_pairs": 2, "root": 1}


def test_seven_pairs_have_no_pair_wait() -> None:
    assert "pair_wait" not in score("1133m5577p113355s", "1m").patterns


@pytest.mark.parametrize(
    ("text", "winning", "waited"),
    [
        ("44456m123p789p123s", "4m", True),  # 4456 and a 4: the pair, or the end of 56
        ("22345m123p789p123s", "2m", True),  # 2345 at either end
        ("23455m123p789p123s", "5m", True),
        ("23455m123p789p123s", "2m", False),
        ("123m456m789m99p123s", "9p", True),
        ("123m456m789m99p123s", "1s", False),
    ],
)
def test_pair_wait(text: str, winning: str, waited: bool) -> None:
    assert score(text, winning).patterns == ({"pair_wait": 1} if waited else {})


def test_golden_wait_needs_four_declared_groups_a_concealed_kong_among_them() -> None:
    melds = (meld("concealed", "1m"), meld("pung", "2p"), meld("pung", "3p"), meld("pung", "4s"))
    assert score("99s", "9s", melds, "cardavia-sichuan").patterns == {"all_pungs": 1, "golden_wait": 1, "root": 1}
    assert score("444s99s", "9s", melds[:3], "cardavia-sichuan").patterns == {"all_pungs": 1, "root": 1}
    both = score("99s", "9s", melds, fan__patterns__golden_wait=2)
    assert both.patterns == {"all_pungs": 1, "pair_wait": 1, "golden_wait": 2, "root": 1}


def test_all_pungs_258_replaces_all_pungs_even_when_worth_nothing() -> None:
    hand = "222m555p888s222s55m"
    assert score(hand, "2m", preset="cardavia-sichuan").patterns == {"all_pungs_258": 3}
    assert score(hand, "2m", preset="cardavia-sichuan", fan__patterns__all_pungs_258=0).patterns == {"all_pungs_258": 0}
    assert score(hand, "2m").patterns == {"all_pungs": 1}
    assert score("222m555p888s222s66m", "2m", preset="cardavia-sichuan").patterns == {"all_pungs": 1}
    assert score("222m555p888s333s55m", "2m", preset="cardavia-sichuan").patterns == {"all_pungs": 1}


@pytest.mark.parametrize(
    ("text", "outside"),
    [
        ("123m789m123p999p11s", True),
        ("123m789m123p999p22s", False),
        ("123m789m123p888p11s", False),
        ("123m789m234p999p11s", False),
        ("111222333m999p99s", True),  # only as three runs
    ],
)
def test_outside_hand(text: str, outside: bool) -> None:
    assert ("outside_hand" in score(text, "1m", preset="cardavia-sichuan").patterns) is outside


def test_outside_hand_looks_at_melds_and_not_at_seven_pairs() -> None:
    assert score("123m789m123p11s", "2m", (meld("pung", "9p"),), "cardavia-sichuan").patterns == {"outside_hand": 2}
    assert score("123m789m123p11s", "2m", (meld("pung", "5p"),), "cardavia-sichuan").patterns == {}
    assert score("1199m1199p1199s99s", "1m", preset="cardavia-sichuan").patterns == {"seven_pairs": 2, "root": 1}


def test_the_reading_with_the_most_fan_counts() -> None:
    assert score("111222333m999p99s", "9s").patterns == {"all_pungs": 1, "pair_wait": 1}
    assert score("111222333m999p99s", "1m", preset="cardavia-sichuan").patterns == {"outside_hand": 2}
    assert score("112233m445566p77s", "7s").patterns == {"seven_pairs": 2}


def test_the_cap_does_not_choose_the_reading() -> None:
    best = score("112233m445566p77s", "7s", fan__cap=0)
    assert (best.patterns, best.fan, best.value) == ({"seven_pairs": 2}, 2, 1)


def test_on_equal_fan_standard_goes_before_seven_pairs() -> None:
    equal = score("112233m445566p77s", "7s", fan__patterns__seven_pairs=1)
    assert (equal.reading.form, equal.patterns) == ("standard", {"pair_wait": 1})


def test_on_equal_fan_all_pungs_goes_before_pair_wait() -> None:
    # Won on 2m: 111 222 333 444 55, or 111 22 234 345 345 with the pair won.
    assert score("11122233344455m", "2m").patterns == {"all_pungs": 1, "full_flush": 2}
    assert score("11122233344455m", "2m", fan__patterns__all_pungs=0).patterns == {"pair_wait": 1, "full_flush": 2}
    other = score("111222333m999p99s", "1m", preset="cardavia-sichuan", fan__patterns__outside_hand=1)
    assert other.patterns == {"all_pungs": 1}


def test_on_equal_fan_a_pair_wait_worth_nothing_is_preferred() -> None:
    # 22 345 345 or 234 234 55, won on 5m.
    assert score("22334455m123p789p", "5m", fan__patterns__pair_wait=0).patterns == {"pair_wait": 0}
    assert score("22334455m123p789p", "4m").patterns == {}


def test_a_pattern_that_does_not_exist_is_not_listed_and_one_worth_nothing_is() -> None:
    assert score("111m333p555p777s99s", "1m", fan__patterns__all_pungs=0).patterns == {"all_pungs": 0}
    assert score("111m333p555p777s99s", "1m", fan__patterns__all_pungs="none").patterns == {}


def test_the_dealt_fourteen_choose_their_winning_tile_for_the_most_fan() -> None:
    assert score("123456789m456p99p", None).patterns == {"pair_wait": 1}
    assert score("112233m445566p77s", None).patterns == {"seven_pairs": 2}
    assert score("112233m445566p77s", None, fan__patterns__pair_wait=3).patterns == {"pair_wait": 3}


def test_situational_patterns_add_up_and_the_cap_comes_last() -> None:
    full = score("111234678m99m", "1m", (meld("concealed", "5m"),), situations=("kong_draw", "last_tile"))
    assert full.patterns == {"full_flush": 2, "root": 1, "kong_draw": 1, "last_tile": 1}
    assert (full.fan, full.value) == (5, 8)
    assert score("111234678m99m", "1m", (meld("concealed", "5m"),), fan__cap=5).value == 8
    assert score("111234678m99m", "1m", (meld("concealed", "5m"),), fan__cap="none").value == 8


def test_without_a_cap_every_fan_doubles() -> None:
    hand = score("11122233344455m", "5m", fan__cap="none", fan__patterns__full_flush=6)
    assert (hand.fan, hand.value) == (8, 256)


def test_kong_discard_does_not_exist_in_cardavia() -> None:
    assert score("123456789m456p99p", "5p", (), "cardavia-sichuan", situations=("kong_discard",)).patterns == {}


def test_the_self_draw_fan_is_shown_only_under_add_fan_and_only_when_self_drawn() -> None:
    assert score("123456789m456p99p", "5p", self_drawn=True, win__self_draw="add_fan").patterns == {"self_draw": 1}
    assert score("123456789m456p99p", "5p", win__self_draw="add_fan").patterns == {}
    assert score("123456789m456p99p", "5p", self_drawn=True).patterns == {}


# --- the highest value over all waits --------------------------------------------------------------------------------


def test_the_best_wait_counts_not_the_first_one() -> None:
    rules = shipped("mahjong-planet")
    assert highest_value(rules, counts("4566p123m789m123s"), (), None) == 2  # 3p for nothing, 6p as a pair wait
    assert highest_value(rules, counts("4456p123m789m123s"), (), None) == 2  # 4p as a pair wait, 7p for nothing
    assert highest_value(rules, counts("46p99p123m789m123s"), (), None) == 1
    assert highest_value(rules, counts("1122334455667m"), (), None) == 8


def test_the_highest_value_is_structural_and_capped() -> None:
    rules = shipped("mahjong-planet", win__self_draw="add_fan", fan__cap=1)
    assert highest_value(rules, counts("123456789m4p456p"), (), None) == 2
    assert highest_value(rules, counts("123456789m1m222m"), (), None) == 2


def test_a_hand_that_is_not_ready_has_no_highest_value() -> None:
    rules = shipped("mahjong-planet")
    assert highest_value(rules, counts("123456789m46p99p"), (), 0) == 0
    assert highest_value(rules, counts("147m258p369s1472m"), (), None) == 0


def test_a_fifth_copy_is_no_wait_to_value() -> None:
    # 5p waits for a fifth copy only.
    rules = shipped("mahjong-planet")
    assert highest_value(rules, counts("5p123m456m789m"), (meld("pung", "5p"),), None) == 0
