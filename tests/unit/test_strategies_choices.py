"""What the shipped strategies do in positions that have a right answer."""

from __future__ import annotations

import pytest
from strategy_positions import ask_claim, ask_opening, ask_turn, make_rules, position

from sim.engine.hands.hand import NONE
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION
from sim.tiles import format_kind, format_kinds, parse_tile
from strategies.registry import load_strategy

COUNTERS = ["shanten", "ukeire"]
THINKERS = ["isolation", *COUNTERS]
EVERYBODY = ["first_legal", "random", *THINKERS]
M, P, S = 0, 1, 2


def kong(tile: str) -> int:
    return KONG_ACTION + parse_tile(tile)


def turn(name: str, *args, **kwargs) -> int:
    return load_strategy(name).choose_turn(*ask_turn(position(*args, **kwargs)))


def discard(name: str, *args, **kwargs) -> str:
    return format_kind(turn(name, *args, **kwargs))


def claim(name: str, tile: str, *args, **kwargs) -> int:
    return load_strategy(name).choose_claim(*ask_claim(position(*args, **kwargs), tile))


def exchange(name: str, tiles: str, count: int = 3) -> str:
    opening = ask_opening(position(tiles, void_suit=NONE, rules=make_rules(count)))
    packed = load_strategy(name).choose_exchange(*opening)
    kinds = [packed >> 5 * index & 31 for index in range(count)]
    assert packed == sum(kind << 5 * index for index, kind in enumerate(kinds))
    assert kinds == sorted(kinds)
    return format_kinds(kinds)


def void_suit(name: str, tiles: str) -> int:
    return load_strategy(name).choose_void_suit(*ask_opening(position(tiles, void_suit=NONE)))


class TestWins:
    @pytest.mark.parametrize("name", ["first_legal", *THINKERS])
    def test_a_win_is_always_taken(self, name):
        assert turn(name, "123456m11122277p") == WIN_ACTION
        assert claim(name, "7p", "123456m1112227p") == WIN_ACTION

    @pytest.mark.parametrize("name", ["first_legal", *THINKERS])
    def test_a_win_goes_before_a_kong(self, name):
        assert turn(name, "11112344678m", ["pung 5m"]) == WIN_ACTION
        assert claim(name, "7p", "123m5688777p", ["pung 5m"], S) == WIN_ACTION


class TestVoidTiles:
    @pytest.mark.parametrize("name", ["first_legal", *THINKERS])
    def test_they_are_thrown_first(self, name):
        # Two bamboo runs are of no use with bamboo void.
        assert discard(name, "1458m1379p123456s", void_suit=S)[1] == "s"

    @pytest.mark.parametrize("name", THINKERS)
    def test_they_are_thrown_first_where_they_need_not_be(self, name):
        rules = make_rules(discard_first=False, blocks_calls=False)
        assert discard(name, "1458m1379p123456s", void_suit=S, rules=rules)[1] == "s"

    @pytest.mark.parametrize("name", COUNTERS)
    def test_they_do_not_count_for_a_pung_or_a_kong(self, name):
        # Where players who are not cleared may call, a call is judged by the other two suits.
        rules = make_rules(discard_first=False, blocks_calls=False)
        assert claim(name, "9p", "12345678m6699p1s", void_suit=S, rules=rules) == PUNG_ACTION
        assert turn(name, "1111m456m2378p99p1s", void_suit=S, rules=rules) == kong("1m")


class TestDiscards:
    @pytest.mark.parametrize("name", THINKERS)
    def test_the_loneliest_tile_goes(self, name):
        assert discard(name, "2345m67m9m3456p678p") == "9m"

    def test_isolation_counts_equals_neighbours_and_gaps(self):
        # 9m: nothing near. Then 1p (a gap), then 4m (a neighbour).
        assert discard("isolation", "45m9m13p4567p5678p", void_suit=S) == "9m"
        assert discard("isolation", "456m4m13p4567p5678p", void_suit=S) == "1p"

    @pytest.mark.parametrize("name", COUNTERS)
    def test_the_hand_stays_ready(self, name):
        # Four groups are complete or nearly so: all but the 9m and the second 2p are needed.
        assert discard(name, "1234569m2234789p") in {"9m", "2p"}

    @pytest.mark.parametrize("name", COUNTERS)
    def test_seven_pairs_are_gone_for_when_they_are_nearer(self, name):
        assert discard(name, "1144779m115528p9p", void_suit=S) in {"9m", "2p", "8p", "9p"}

    def test_ukeire_takes_two_sides_rather_than_a_gap_or_a_pair(self):
        assert discard("ukeire", "1234569m2234789p") == "9m"  # waits on 2p and 5p, not on 9m
        assert discard("ukeire", "467m123456789p55p") == "4m"  # waits on 5m and 8m, not on 5m

    def test_ukeire_counts_live_tiles_only(self):
        # A single 9p or 5p waits for three tiles each, the run 789p for 6p and 9p with the 5p gone.
        assert discard("ukeire", "1111m23m456m789p9p5p", void_suit=S) == "5p"
        assert discard("ukeire", "1111m23m456m789p9p5p", void_suit=S, seen="6666p99p") == "9p"

    def test_of_equals_ukeire_throws_the_one_nearest_to_an_end(self):
        assert discard("ukeire", "1111m3377m2266p58p", void_suit=S) == "8p"

    def test_steps_come_before_useful_tiles(self):
        # Throwing the 6m would leave thirty useful tiles, but one step more.
        assert discard("ukeire", "467m123456789p55p", seen="5558888m") in {"4m", "7m"}


class TestKongs:
    @pytest.mark.parametrize("name", THINKERS)
    def test_a_kong_of_a_spare_tile_is_made(self, name):
        assert turn(name, "1111m456m2378p99p5p", void_suit=S) == kong("1m")
        assert claim(name, "1m", "111m456m2378p99p1p", void_suit=S) == kong("1m")

    @pytest.mark.parametrize("name", COUNTERS)
    def test_a_pung_is_made_a_kong(self, name):
        assert turn(name, "5m123m2378p99p6p", ["pung 5m"], S) == kong("5m")

    @pytest.mark.parametrize("name", THINKERS)
    def test_a_kong_with_a_tile_of_a_run_is_refused(self, name):
        assert turn(name, "1111m23m456m789p9p5p", void_suit=S) == parse_tile("5p")
        assert turn(name, "567m22378p99p3p", ["pung 5m"], S) < KONG_ACTION
        assert claim(name, "1m", "11123456m78978p", void_suit=S) == PASS_ACTION

    @pytest.mark.parametrize("name", COUNTERS)
    def test_a_kong_that_breaks_seven_pairs_is_refused(self, name):
        assert turn(name, "1111m3377m2266p58p", void_suit=S) < KONG_ACTION
        assert claim(name, "1m", "111m3377m2266p58p", void_suit=S) == PASS_ACTION

    def test_the_timed_out_player_makes_none(self):
        assert turn("first_legal", "1111m456m2378p99p5p", void_suit=S) == parse_tile("1m")


class TestPungs:
    @pytest.mark.parametrize("name", THINKERS)
    def test_one_that_saves_a_step_is_claimed(self, name):
        assert claim(name, "9p", "123456m78m46p99p1m", void_suit=S) == PUNG_ACTION

    @pytest.mark.parametrize("name", COUNTERS)
    def test_one_that_saves_none_is_passed(self, name):
        # The only pair, and two more groups to come.
        assert claim(name, "9p", "123456m45p78p99p1m", void_suit=S) == PASS_ACTION

    @pytest.mark.parametrize("name", COUNTERS)
    def test_one_that_breaks_seven_pairs_is_passed(self, name):
        assert claim(name, "1m", "114477m1155p258p", void_suit=S) == PASS_ACTION

    def test_the_timed_out_player_claims_none(self):
        assert claim("first_legal", "9p", "123456m78m46p99p1m", void_suit=S) == PASS_ACTION


class TestOpening:
    @pytest.mark.parametrize("name", THINKERS)
    def test_the_worst_suit_is_void_and_given(self, name):
        tiles = "147m123456p1123s"
        assert void_suit(name, tiles) == M
        assert exchange(name, tiles) == "147m"

    @pytest.mark.parametrize("name", THINKERS)
    def test_groups_are_worth_more_than_numbers(self, name):
        # Three bamboo tiles are one group, three characters are nothing.
        assert void_suit(name, "147m1234567p222s") == M

    @pytest.mark.parametrize("name", THINKERS)
    def test_a_void_suit_too_short_to_give_is_kept_for_later(self, name):
        # Characters will be void; the lonely circles are given, and their pair is kept.
        assert exchange(name, "19m11479p234678s") == "479p"

    @pytest.mark.parametrize("count", [1, 2, 3, 4])
    @pytest.mark.parametrize("name", EVERYBODY)
    def test_the_preset_says_how_many(self, name, count):
        given = exchange(name, "14679m12345p118s", count)
        assert len(given) == count + 1  # one suit's letter

    def test_the_timed_out_player_gives_the_first_tiles_and_keeps_the_most(self):
        assert exchange("first_legal", "12m1159p1234567s") == "115p"
        assert void_suit("first_legal", "12m1159p1234567s") == M
        assert void_suit("first_legal", "1234m12345p1234s") == M
        assert void_suit("first_legal", "12345m1234p1234s") == P
