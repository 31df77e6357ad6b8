"""What `defence` does about its opponents: danger, what their void suits tell, and folding."""

from __future__ import annotations

import pytest
from strategy_positions import ask_turn
from test_strategies_value import M, P, S, placed

from sim.engine.sichuan.table import WIN_ACTION
from sim.tiles import format_kind, parse_tile
from strategies.danger import danger_of
from strategies.reading import chance_of_draw, read_nothing, read_opponents, thrown_for_each
from strategies.registry import load_strategy


def threatened(tiles="123m456789p1112m", void_suit=S, *, left=20, thrown=6):
    """Make a position in which seat 1 has thrown tiles of circles and may be ready, its void suit being bamboo."""
    given = placed(tiles, (), void_suit, left=left)
    given.table.void_suits[:] = [void_suit, S, S, S]
    for number in range(thrown):
        kind = parse_tile(f"{1 + number % 9}p")
        given.table.thrown[1, kind] += 1
        given.table.seen[kind] += 1
    return given


class TestDanger:
    def test_a_tile_of_everybodys_void_suit_costs_nothing(self):
        given = threatened()
        given.table.void_suits[1:] = M
        assert danger_of(given.hand, given.table, parse_tile("1m")) == 0
        assert danger_of(given.hand, given.table, parse_tile("9p")) > 0

    def test_winners_are_no_danger(self):
        given = threatened()
        before = danger_of(given.hand, given.table, parse_tile("3m"))
        given.table.active[1] = 0
        assert danger_of(given.hand, given.table, parse_tile("3m")) < before / 5

    def test_danger_grows_with_the_tiles_thrown(self):
        costs = [danger_of(*threatened(thrown=thrown)[:2], parse_tile("3m")) for thrown in range(9)]
        assert costs == sorted(costs)
        assert costs[-1] > 20 * costs[1]

    def test_a_kind_that_was_thrown_costs_less(self):
        given = threatened()
        before = danger_of(given.hand, given.table, parse_tile("3m"))
        given.table.thrown[1, parse_tile("3m")] = 1
        assert danger_of(given.hand, given.table, parse_tile("3m")) < before / 2

    def test_melds_in_the_suit_cost_more(self):
        given = threatened()
        before = danger_of(given.hand, given.table, parse_tile("3m"))
        given.table.count_melds[1] = 2
        given.table.meld_kinds[1, :2] = [parse_tile("5m"), parse_tile("8m")]
        assert danger_of(given.hand, given.table, parse_tile("3m")) > 1.5 * before

    def test_a_kong_of_a_hidden_kind_is_counted(self):
        given = threatened()
        given.table.count_melds[1] = 1
        given.table.meld_kinds[1, 0] = -1
        assert danger_of(given.hand, given.table, parse_tile("3m")) > 0


class TestReading:
    def test_a_suit_that_others_call_void_is_left_in_the_wall(self):
        given = threatened()
        plain = [chance_of_draw(read_opponents(given.hand, given.table), suit) for suit in (M, P, S)]
        assert plain[M] == plain[P] < plain[S]
        given.table.thrown[2, parse_tile("1p")] = 1
        assert chance_of_draw(read_opponents(given.hand, given.table), S) > plain[S]

    def test_a_suit_that_others_call_void_is_thrown(self):
        given = threatened()
        reading = read_opponents(given.hand, given.table)
        assert thrown_for_each(reading, S) == 3 > thrown_for_each(reading, M) == thrown_for_each(reading, P)
        given.table.active[1:3] = 0
        assert thrown_for_each(read_opponents(given.hand, given.table), S) == 1

    def test_who_only_counts_takes_all_suits_alike(self):
        reading = read_nothing(threatened().table)
        assert len({chance_of_draw(reading, suit) for suit in range(3)}) == 1
        assert len({thrown_for_each(reading, suit) for suit in range(3)}) == 1


class TestFolding:
    """Far from ready, late, with somebody who looks ready: the safest tile goes, unless nothing is weighed."""

    def discards(self, caution, **kwargs):
        given = ask_turn(threatened("1479m2358p1369m24p", **kwargs))
        given.table.count_melds[1] = 2
        given.table.meld_kinds[1, :2] = [parse_tile("5m"), parse_tile("8m")]
        strategy = load_strategy("defence")
        given.hand.parameters[:] = strategy.parameters
        given.hand.parameters[0] = caution
        chosen = int(strategy.choose_turn(*given))
        return danger_of(given.hand, given.table, chosen), given

    def test_the_safest_tile_goes(self):
        danger, given = self.discards(10.0, left=6, thrown=9)
        kinds = [kind for kind in range(27) if given.hand.counts[kind]]
        dangers = [danger_of(given.hand, given.table, kind) for kind in kinds]
        assert danger == pytest.approx(min(dangers))
        assert danger < max(dangers) / 2

    def test_a_void_tile_that_nobody_wants_goes_first(self):
        given = threatened("123m456p78p1122m19s", void_suit=S)
        given.table.void_suits[1:] = [M, M, M]
        given.table.thrown[1, parse_tile("9s")] = 1
        strategy = load_strategy("defence")
        given.hand.parameters[:] = strategy.parameters
        assert format_kind(int(strategy.choose_turn(*ask_turn(given)))) == "9s"

    def test_a_win_is_taken(self):
        given = ask_turn(threatened("123456m11122277p"))
        assert load_strategy("defence").choose_turn(*given) == WIN_ACTION
