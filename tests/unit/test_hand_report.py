"""What `bloodbattle hand` says, against the golden hands and against plain counting."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError, NotationError
from sim.rules import load_preset
from sim.tiles import COPIES, KINDS, format_kinds, parse_tiles
from sim.tournament.hand_report import analyse_hand

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = [
    case
    for name in ("hands-fan.toml", "hands-standard.toml")
    for case in tomllib.loads((GOLDEN / name).read_text("utf-8"))["case"]
    if "win" in case
    and "value" in case
    and not {"situation", "self_draw", "set", "form", "draw"} & set(case)
    and case["win"] != "dealt"
]


def presets_of(case: dict[str, Any]) -> list[str]:
    named = case.get("preset", "mahjong-planet")
    return [named] if isinstance(named, str) else named


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden_hands(case: dict[str, Any]) -> None:
    for preset in presets_of(case):
        melds = ", ".join(case.get("melds", []))
        best = analyse_hand(case["hand"], melds=melds, preset=preset).best
        won = {win.tile: win for win in best.waits}
        if not case["value"]:
            assert case["win"] not in won
            continue
        assert won[case["win"]].value == case["value"]
        if "patterns" in case:
            assert set(won[case["win"]].patterns) == set(case["patterns"])
        if "waits" in case:
            assert [win.tile for win in best.waits] == [format_kinds([kind]) for kind in parse_tiles(case["waits"])]


def test_enough_golden_hands_are_asked() -> None:
    assert len(CASES) >= 30


def test_live_tiles_leave_out_hand_melds_and_what_is_seen() -> None:
    best = analyse_hand("456m 23p 789p 99p", melds="pung 1m", seen="1p 44p", void_suit="s").best
    assert [(win.tile, win.live) for win in best.waits] == [("1p", 3), ("4p", 2)]
    assert best.useful.live == 5


def test_an_exhausted_wait_is_a_wait() -> None:
    best = analyse_hand("456m 2p 789p", melds="pung 1m, pung 9m", seen="222p", void_suit="s").best
    assert best.is_ready
    assert [(win.tile, win.live, win.note) for win in best.waits] == [("2p", 0, "exhausted: all four are visible")]


@pytest.mark.parametrize(
    ("tiles", "melds", "impossible"),
    [("3m", "pung 1m, pung 2m, pung 3m, kong 4m", ("3m",)), ("1111m 23m 456m 99p 88p", "", ())],
)
def test_a_fifth_tile_is_no_wait(tiles: str, melds: str, impossible: tuple[str, ...]) -> None:
    best = analyse_hand(tiles, melds=melds).best
    assert best.impossible == impossible
    assert not best.is_ready or not impossible


def test_a_fifth_tile_beside_another_wait() -> None:
    best = analyse_hand("1111m 23m 55m 789m 88p", void_suit="s").best
    assert best.impossible == ()
    best = analyse_hand("23m 789m 99p", melds="pung 5p, kong 1m", void_suit="s").best
    assert [win.tile for win in best.waits] == ["4m"]
    assert best.impossible == ("1m",)


def test_a_hand_with_void_tiles_is_not_ready() -> None:
    best = analyse_hand("123456m 23p 99p 111s", void_suit="s").best
    assert (best.count_void, best.is_ready, best.waits) == (3, False, ())


def test_void_tiles_go_first_where_the_preset_says_so() -> None:
    tiles = "123456m 23p 99p 1112s"
    planet = analyse_hand(tiles, void_suit="s", preset="mahjong-planet").best
    assert planet.must_clear
    assert [item.tile for item in planet.discards] == ["1s", "2s"]
    mahjongo = analyse_hand(tiles, void_suit="s", preset="mahjongo").best
    assert not mahjongo.must_clear
    assert {item.tile for item in mahjongo.discards} == {f"{r}m" for r in "123456"} | {"2p", "3p", "9p", "1s", "2s"}


def test_the_winning_tile_decides_what_a_complete_hand_is_worth() -> None:
    best = analyse_hand("123456789m 111p 99p", void_suit="s").best
    assert best.is_complete
    assert {win.tile: win.fan for win in best.wins} == {**{f"{r}m": 0 for r in range(1, 10)}, "1p": 0, "9p": 1}
    (only,) = analyse_hand("123456789m 111p 99p", void_suit="s", winning="9p").best.wins
    assert (only.patterns, only.value) == ({"pair_wait": 1}, 2)


def test_self_draws_pay_what_the_preset_says() -> None:
    hand = {"tiles": "123456m 23p 789p 99p", "void_suit": "s"}
    assert {win.payment for win in analyse_hand(**hand, self_draw=True).best.waits} == {2}
    fan = load_preset("mahjong-planet", {"win.self_draw": "add_fan"})
    (win, _) = analyse_hand(**hand, self_draw=True, preset=fan).best.waits
    assert (win.patterns, win.value, win.payment) == ({"self_draw": 1}, 2, 2)
    (win, _) = analyse_hand(**hand, situation=["last_tile"], preset=fan).best.waits
    assert (win.patterns, win.value) == ({"last_tile": 1}, 2)


def test_a_situation_that_the_preset_lacks_counts_nothing() -> None:
    report = analyse_hand("123456m 23p 789p 99p", preset="cardavia-sichuan", situation=["kong_discard"])
    assert report.absent == ("kong_discard",)
    assert {win.fan for win in report.best.waits} == {0}


def test_a_robbed_tile_is_none_of_which_one_is_held() -> None:
    best = analyse_hand("123456m 2p 789p 999p", situation=["rob_kong"], void_suit="s").best
    assert {win.tile: bool(win.note) for win in best.waits}["2p"]
    best = analyse_hand("123456m 23p 789p 99p", situation=["rob_kong"], void_suit="s").best
    assert not any(win.note for win in best.waits)


def test_void_suits_are_ranked() -> None:
    report = analyse_hand("123456m 23p 789p 99p")
    assert [void.void_suit for void in report.voids] == ["s", "m", "p"]
    assert [void.void_suit for void in analyse_hand("456m 23p 789p 99p", melds="pung 1m").voids] == ["s", "p"]


def test_discards_agree_with_the_hand_that_is_left() -> None:
    """Whatever a discard is said to leave is what the hand of 13 tiles says of itself."""
    lots = random.Random(7)
    for _ in range(25):
        wall = [kind for kind in range(18) for _ in range(COPIES)]
        tiles = sorted(lots.sample(wall, 14))
        best = analyse_hand(format_kinds(tiles), void_suit="s").best
        assert {item.tile for item in best.discards} == {format_kinds([kind]) for kind in tiles}
        assert [item.shanten for item in best.discards] == sorted(item.shanten for item in best.discards)
        for item in best.discards:
            left = list(tiles)
            left.remove(parse_tiles(item.tile)[0])
            alone = analyse_hand(format_kinds(left), void_suit="s", seen=item.tile).best
            assert (alone.shanten, alone.useful) == (item.shanten, item.useful)
            assert [(w.tile, w.fan) for w in alone.waits] == [(w.tile, w.fan) for w in item.waits]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tiles": "12345m"}, "hand: 5 concealed tiles in '12345m'; allowed: 13 between turns or 14 in a turn"),
        ({"tiles": "11111m"}, "hand: a fifth 1m at character 5"),
        ({"tiles": "123456m 2399p", "melds": "pung 9p"}, "5 tiles 9p (2 concealed, 3 in melds)"),
        ({"tiles": "123456m 23p 789p 99p", "seen": "99p"}, "5 tiles 9p (3 concealed, 2 seen elsewhere)"),
        ({"tiles": "123456m 2399p", "melds": "chow 1p"}, "runs are never declared"),
        ({"tiles": "123456m 2399p", "melds": "pang 1p"}, "'pang 1p' is no meld; did you mean pung?"),
        ({"tiles": "123456m 2399p", "melds": "pung 12p"}, "melds: 'pung 12p': 2 tiles"),
        ({"tiles": "123m 1p", "melds": "pung 5p, kong 5p, pung 6p"}, "two melds of 5p"),
        ({"tiles": "1m", "melds": "pung 1p, pung 2p, pung 3p, pung 4p, pung 5p"}, "5 melds; allowed: at most 4"),
        ({"tiles": "123456m 2399p", "melds": "pung 1p", "void_suit": "p"}, "pung 1p is of the void suit p"),
        ({"tiles": "1234m", "melds": "pung 1p, pung 1s, pung 9m"}, "of all three suits"),
        ({"tiles": "123456m 23p 789p 99p", "winning": "1p"}, "no tile too many"),
        ({"tiles": "123456m 23p 789p 999p", "winning": "1p"}, "not among the concealed tiles"),
    ],
)
def test_hands_that_cannot_be(given: dict[str, str], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        analyse_hand(**given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"void_suit": "x"}, 'void suit: came "x"; allowed: m (characters), p (circles) or s (bamboo)'),
        ({"situation": ["lst_tile"]}, 'the pattern "lst_tile" is unknown; did you mean last_tile?'),
        ({"situation": ["root"]}, "found from the tiles"),
        ({"situation": ["kong_draw"]}, "add --self-draw"),
        ({"situation": ["kong_draw"], "self_draw": True}, "none among the melds"),
        ({"situation": ["rob_kong"], "self_draw": True}, "leave out --self-draw"),
        ({"situation": ["rob_kong", "last_tile"]}, "never hold together"),
        ({"preset": "mahjong-plant"}, "did you mean mahjong-planet?"),
    ],
)
def test_questions_that_make_no_sense(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        analyse_hand("123456m 23p 789p 99p", **given)
    assert message in str(caught.value)


def test_every_tile_is_counted_once() -> None:
    report = analyse_hand("456m 23p 789p 99p", melds="pung 1m", seen="1p 44p")
    assert sum(report.hand.live) == KINDS * COPIES - 13 - 3
    assert report.to_dict()["void_suits"][0]["void_suit"] == report.best.void_suit
