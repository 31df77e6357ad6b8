"""Patterns, fan and hand values (rules, chapter 5; edge cases 1-11 and 35)."""

from __future__ import annotations

import pytest
from engine_hands import kinds_in, make_hand, state_of

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.fan import highest_value, score_fan, score_hand, score_patterns, score_roots, value_of
from sim.engine.sichuan.rules import ABSENT, NO_CAP, PATTERNS, SELF_DRAW_FAN, Rules
from sim.jit import new
from sim.tiles import format_kinds, parse_tile

LOOKUP = load_lookup()[0]
NAMES = (*PATTERNS, "self_draw")
SITUATIONAL = ("kong_draw", "kong_discard", "rob_kong", "last_tile")

MAHJONGO = {
    "root": 1,
    "all_pungs": 1,
    "full_flush": 2,
    "seven_pairs": 2,
    "pair_wait": 1,
    "kong_draw": 1,
    "kong_discard": 1,
    "rob_kong": 1,
    "last_tile": 1,
}
CARDAVIA = {
    "root": 1,
    "all_pungs": 1,
    "all_pungs_258": 3,
    "full_flush": 2,
    "seven_pairs": 2,
    "outside_hand": 2,
    "golden_wait": 1,
    "kong_draw": 1,
    "rob_kong": 1,
    "last_tile": 1,
}
CAPS = {"mahjongo": 3, "cardavia": 5}


def make_rules(preset: str = "mahjongo", cap: int | None = None, **fan: int) -> Rules:
    """Make the fan table of a preset (mahjong-planet's is mahjongo's); other fan by name, ABSENT to remove."""
    rules = new(Rules)[0]
    table = {**(MAHJONGO if preset == "mahjongo" else CARDAVIA), **fan}
    for index, name in enumerate(PATTERNS):
        rules.fan[index] = table.get(name, ABSENT)
    rules.fan_cap = CAPS[preset] if cap is None else cap
    return rules


def patterns_of(score: int) -> list[str]:
    return [NAMES[bit] for bit in range(len(NAMES)) if int(score_patterns(score)) >> bit & 1]


def score(
    tiles: str,
    tile: str | None,
    melds: tuple[str, ...] = (),
    rules: Rules | None = None,
    situation: tuple[str, ...] = (),
) -> tuple[list[str], int]:
    """Score a hand that a tile completes: the patterns' names, and the fan before the cap."""
    hand = make_hand(tiles, melds)
    before = state_of(hand)
    kind = NONE if tile is None else parse_tile(tile)
    mask = sum(1 << NAMES.index(name) for name in situation)
    found = score_hand(hand, kind, mask, make_rules() if rules is None else rules, LOOKUP)
    assert found != NONE
    assert state_of(hand) == before
    return patterns_of(found), score_fan(found)


def test_a_hand_without_fan_still_wins_one_point() -> None:
    patterns, fan = score("123456789m 45p 99p", "6p")
    assert (patterns, fan) == ([], 0)
    assert value_of(fan, make_rules()) == 1


def test_an_incomplete_hand_has_no_score() -> None:
    for tiles, tile in (("123456789m 45p 99p", "7p"), ("1133557799m 1p 3p 5p", "5p"), ("123m 12p", "2p")):
        assert score_hand(make_hand(tiles), parse_tile(tile), 0, make_rules(), LOOKUP) == NONE


# --- roots ---


@pytest.mark.parametrize(
    ("tiles", "tile", "melds", "roots"),
    [
        ("555567m 23p 789p 99p", "1p", (), 1),  # a pung and a tile in a run
        ("567m 23p 789p 99p", "1p", ("pung 5m",), 1),  # the same with the pung declared
        ("55567m 123p 789p 99p", "5m", (), 1),  # the winning tile makes it
        ("67m 123p 789p 99p", "5m", ("pung 5m",), 1),
        ("23p 789p 99p", "1p", ("concealed 5m", "exposed 6m"), 2),
        ("23p 789p 99p", "1p", ("concealed 5m", "added 1p"), 2),
        ("1111222233334m", "4m", (), 3),
        ("4p", "4p", ("concealed 5m", "added 6m", "exposed 7m", "concealed 8m"), 4),
        ("123m 123m 123m 123p 9p", "9p", (), 0),
    ],
)
def test_roots(tiles: str, tile: str, melds: tuple[str, ...], roots: int) -> None:
    found = score_hand(make_hand(tiles, melds), parse_tile(tile), 0, make_rules(), LOOKUP)
    assert score_roots(found) == roots
    assert ("root" in patterns_of(found)) == (roots > 0)
    without = score_hand(make_hand(tiles, melds), parse_tile(tile), 0, make_rules(root=ABSENT), LOOKUP)
    assert score_fan(found) - score_fan(without) == roots
    assert score_roots(without) == 0
    assert "root" not in patterns_of(without)
    worthless = score_hand(make_hand(tiles, melds), parse_tile(tile), 0, make_rules(root=0), LOOKUP)
    assert (score_roots(worthless), score_fan(worthless)) == (roots, score_fan(without))


def test_dragon_seven_pairs_count_their_root_once() -> None:
    assert score("1111m 3355m 77p 88p 9p", "9p") == (["root", "seven_pairs"], 3)
    assert score("1111m 3333m 77p 88p 9p", "9p") == (["root", "seven_pairs"], 4)
    assert score("111m 3355m 77p 88p 99p", "1m") == (["root", "seven_pairs"], 3)


# --- patterns of groups ---


def test_all_pungs_open_or_not() -> None:
    assert score("111m 333m 55p 777p 99p", "5p") == (["all_pungs"], 1)
    assert score("55p 777p 99p", "5p", ("pung 1m", "pung 3m")) == (["all_pungs"], 1)
    assert score("55p 777p 99p", "5p", ("concealed 1m", "pung 3m")) == (["root", "all_pungs"], 2)


def test_three_equal_runs_are_three_pungs_where_that_is_more() -> None:
    assert score("11122233m 999p 11p", "3m") == (["all_pungs"], 1)
    assert score("11122233m 789p 11p", "3m") == ([], 0)


def test_all_pungs_258_replaces_all_pungs_only_where_it_exists() -> None:
    tiles, tile = "222m 555m 88p 222p 88m", "8p"
    assert score(tiles, tile) == (["all_pungs"], 1)
    assert score(tiles, tile, rules=make_rules("cardavia")) == (["all_pungs_258"], 3)
    assert score(tiles, tile, rules=make_rules("cardavia", all_pungs_258=0)) == (["all_pungs_258"], 0)
    assert score(tiles, tile, rules=make_rules("cardavia", all_pungs_258=ABSENT)) == (["all_pungs"], 1)
    assert score(tiles, tile, rules=make_rules("cardavia", all_pungs=ABSENT)) == (["all_pungs_258"], 3)
    assert score("555m 88p 22m", tile, ("pung 2p", "concealed 8m"), make_rules("cardavia")) == (
        ["root", "all_pungs_258"],
        4,
    )


@pytest.mark.parametrize(
    ("tiles", "tile", "melds"),
    [
        ("222m 555m 88p 222p 99m", "8p", ()),  # the pair
        ("222m 555m 88p 111p 88m", "8p", ()),  # a group
        ("222m 88p 222p 88m", "8p", ("pung 4m",)),  # a meld
    ],
)
def test_all_pungs_258_asks_every_group_and_the_pair(tiles: str, tile: str, melds: tuple[str, ...]) -> None:
    assert "all_pungs" in score(tiles, tile, melds, make_rules("cardavia"))[0]


def test_full_flush_looks_at_melds_and_at_the_winning_tile() -> None:
    assert score("111234678m 9m", "9m", ("pung 5m",)) == (["full_flush", "pair_wait"], 3)
    assert score("111234678m 9m", "9m", ("pung 5p",)) == (["pair_wait"], 1)
    assert score("1112223334445m", "5m") == (["all_pungs", "full_flush", "pair_wait"], 4)
    assert score("1133557799m 224m", "4m") == (["full_flush", "seven_pairs"], 4)


@pytest.mark.parametrize(
    ("tiles", "tile", "melds", "is_outside"),
    [
        ("123789m 12378p 99p", "9p", (), True),
        ("123789m 12378p 55p", "9p", (), False),  # terminals in every group, not in the pair
        ("123789m 23478p 99p", "9p", (), False),
        ("123789m 78p 99p", "9p", ("pung 1p",), True),
        ("123789m 78p 99p", "9p", ("pung 5p",), False),
        ("123789m 78p 99p", "9p", ("concealed 9m",), True),
        ("111222333m 78p 11p", "9p", (), True),  # as runs
        ("11223399m 77889p", "9p", (), True),  # seven pairs as well, for the same two fan
    ],
)
def test_outside_hand(tiles: str, tile: str, melds: tuple[str, ...], is_outside: bool) -> None:
    assert ("outside_hand" in score(tiles, tile, melds, make_rules("cardavia"))[0]) == is_outside
    assert "outside_hand" not in score(tiles, tile, melds)[0]


def test_seven_pairs_of_terminals_are_no_outside_hand() -> None:
    rules = make_rules("cardavia")
    assert score("1111m 9999m 1111p 9p", "9p", rules=rules) == (["root", "seven_pairs"], 5)


def test_one_reading_is_judged_and_not_the_best_of_each_pattern() -> None:
    # 111222333m: pungs make it all_pungs, runs make it outside_hand, nothing makes it both.
    tiles, tile, melds = "111222333m 1p", "1p", ("pung 9p",)
    assert score(tiles, tile, melds, make_rules("cardavia")) == (["outside_hand"], 2)
    assert score(tiles, tile, melds, make_rules("cardavia", all_pungs=3)) == (["all_pungs"], 3)
    # Equal fan: the reading with all_pungs.
    assert score(tiles, tile, melds, make_rules("cardavia", all_pungs=2)) == (["all_pungs"], 2)


# --- waits ---


@pytest.mark.parametrize(
    ("tiles", "tile", "is_pair"),
    [
        ("4456m 123789p 111p", "4m", True),  # 4456 and a 4
        ("4456m 123789p 111p", "7m", False),
        ("2345m 123789p 111p", "2m", True),  # 2345 at either end
        ("2345m 123789p 111p", "5m", True),
        ("123456789m 456p 9p", "9p", True),
        ("123456789m 46p 99p", "5p", False),
        ("123456789m 45p 99p", "6p", False),
        ("1113m 123456p 789p", "3m", True),
        ("1113m 123456p 789p", "2m", False),
        ("11m 99m 123456789p", "9m", False),  # two pairs wait for a pung
    ],
)
def test_pair_wait(tiles: str, tile: str, is_pair: bool) -> None:
    assert ("pair_wait" in score(tiles, tile)[0]) == is_pair
    assert "pair_wait" not in score(tiles, tile, rules=make_rules("cardavia"))[0]


def test_seven_pairs_have_no_pair_wait() -> None:
    assert score("1133557799m 224p", "4p") == (["seven_pairs"], 2)


def test_golden_wait_does_not_replace_all_pungs() -> None:
    melds = ("pung 1m", "concealed 4m", "exposed 5p", "added 9p")
    rules = make_rules("cardavia")
    assert score("3m", "3m", melds, rules) == (["root", "all_pungs", "golden_wait"], 5)
    both = make_rules("cardavia", pair_wait=1)
    assert score("3m", "3m", melds, both) == (["root", "all_pungs", "pair_wait", "golden_wait"], 6)
    assert score("3m", "3m", melds) == (["root", "all_pungs", "pair_wait"], 5)


def test_golden_wait_needs_all_four_groups_declared() -> None:
    rules = make_rules("cardavia")
    assert score("3m 444m", "3m", ("pung 1m", "exposed 5p", "added 9p"), rules) == (["root", "all_pungs"], 3)


# --- several readings ---


def test_seven_pairs_or_standard_whichever_is_more() -> None:
    tiles, tile = "112233m 445566p 7m", "7m"
    assert score(tiles, tile) == (["seven_pairs"], 2)
    assert score(tiles, tile, rules=make_rules(seven_pairs=0)) == (["pair_wait"], 1)
    # Equal fan: the standard reading.
    assert score(tiles, tile, rules=make_rules(seven_pairs=1)) == (["pair_wait"], 1)
    assert score(tiles, tile, rules=make_rules(seven_pairs=0, pair_wait=ABSENT)) == ([], 0)
    assert score(tiles, tile, rules=make_rules(seven_pairs=ABSENT)) == (["pair_wait"], 1)
    assert score(tiles, tile, rules=make_rules(seven_pairs=ABSENT, pair_wait=ABSENT)) == ([], 0)


def test_on_equal_fan_all_pungs_go_before_pair_wait() -> None:
    # 111 222 333 and a pair of 4, or 123 234 234 and a pair of 1.
    tiles, tile, melds = "1122233344m", "1m", ("pung 9p",)
    assert score(tiles, tile, melds) == (["all_pungs"], 1)
    assert score(tiles, tile, melds, make_rules(pair_wait=2)) == (["pair_wait"], 2)
    assert score(tiles, tile, melds, make_rules(all_pungs=0, pair_wait=0)) == (["all_pungs"], 0)
    assert score(tiles, tile, melds, make_rules(all_pungs=ABSENT, pair_wait=0)) == (["pair_wait"], 0)


def test_patterns_worth_nothing_are_shown_and_absent_ones_are_not() -> None:
    assert score("111m 333m 555p 777p 9p", "9p", rules=make_rules(all_pungs=0, pair_wait=0)) == (
        ["all_pungs", "pair_wait"],
        0,
    )
    assert score("111m 333m 555p 777p 9p", "9p", rules=make_rules(all_pungs=ABSENT, pair_wait=ABSENT)) == ([], 0)


# --- the dealer's dealt fourteen ---


def test_dealt_fourteen_take_the_winning_tile_with_the_most_fan() -> None:
    assert score("123456789m 456p 99p", None) == (["pair_wait"], 1)
    assert score("112233m 445566p 77m", None) == (["seven_pairs"], 2)
    assert score("112233m 445566p 77m", None, rules=make_rules(pair_wait=2)) == (["pair_wait"], 2)
    assert score("1133557799m 2244p", None) == (["seven_pairs"], 2)
    assert score("111m 333m 555p 777p 99p", None) == (["all_pungs", "pair_wait"], 2)
    assert score("123456789m 456p 99p", None, rules=make_rules("cardavia")) == ([], 0)


# --- situations, values, caps ---


def test_situational_patterns_add_up_where_they_exist() -> None:
    tiles, tile = "123456789m 45p 99p", "6p"
    assert score(tiles, tile, situation=SITUATIONAL) == (list(SITUATIONAL), 4)
    rules = make_rules("cardavia")
    assert score(tiles, tile, rules=rules, situation=SITUATIONAL) == (["kong_draw", "rob_kong", "last_tile"], 3)
    for name in SITUATIONAL:
        assert score(tiles, tile, rules=make_rules(**{name: 2}), situation=(name,)) == ([name], 2)


def test_self_draw_fan_is_one_more() -> None:
    assert score("123456789m 45p 99p", "6p", situation=("self_draw",)) == (["self_draw"], 1)
    assert NAMES[SELF_DRAW_FAN] == "self_draw"


def test_the_best_reading_does_not_depend_on_the_situation() -> None:
    tiles, tile = "112233m 445566p 7m", "7m"
    assert score(tiles, tile, situation=("last_tile",)) == (["seven_pairs", "last_tile"], 3)


@pytest.mark.parametrize(("cap", "values"), [(3, [1, 2, 4, 8, 8, 8, 8]), (5, [1, 2, 4, 8, 16, 32, 32]), (0, [1] * 7)])
def test_value_doubles_up_to_the_cap(cap: int, values: list[int]) -> None:
    assert [value_of(fan, make_rules(cap=cap)) for fan in range(7)] == values


def test_without_a_cap_value_doubles_on() -> None:
    assert value_of(20, make_rules(cap=NO_CAP)) == 2**20


def test_score_keeps_the_fan_before_the_cap() -> None:
    hand = make_hand("1112223334445m")
    found = score_hand(hand, parse_tile("5m"), 0, make_rules(all_pungs=7), LOOKUP)
    assert score_fan(found) == 10
    assert value_of(score_fan(found), make_rules()) == 8


# --- the value of a ready hand ---


@pytest.mark.parametrize(
    ("tiles", "melds", "waits", "value"),
    [
        ("4456m 123456789p", (), "47m", 2),  # the better wait is in the pair
        ("123456789m 45p 99p", (), "36p", 1),
        ("55567m 123p 456p 99p", (), "58m9p", 2),  # only 5m makes a root
        ("55567m 123p 99p", ("concealed 8p",), "58m9p", 4),
        ("55567m 123p 99p", ("concealed 8m",), "5m9p", 4),
        ("1112223334445m", (), "23456m", 8),
        ("113355m 113355p 7p", (), "7p", 4),
    ],
)
def test_highest_value_is_that_of_the_best_wait(tiles: str, melds: tuple[str, ...], waits: str, value: int) -> None:
    hand = make_hand(tiles, melds)
    before = state_of(hand)
    mask = mark_waits(hand, LOOKUP)
    assert format_kinds(kinds_in(mask)) == waits
    assert highest_value(hand, mask, make_rules(), LOOKUP) == value
    assert state_of(hand) == before


def test_highest_value_has_the_cap_and_no_situation() -> None:
    hand = make_hand("1112223334445m")
    mask = mark_waits(hand, LOOKUP)
    assert highest_value(hand, mask, make_rules(cap=NO_CAP), LOOKUP) == 16
    assert highest_value(hand, mask, make_rules(cap=3), LOOKUP) == 8
    assert highest_value(hand, 0, make_rules(), LOOKUP) == 0
