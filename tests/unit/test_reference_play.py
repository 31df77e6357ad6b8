"""The reference's opening, turns and claims: a scripted deal per sentence of chapters 2 to 4."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.faults import list_faults
from tests.reference.presets import shipped
from tests.reference.records import KONG, PASS, PUNG, WIN, IllegalChoice, Line
from tests.reference.referee import Referee
from tests.reference.scripts import (
    action_of,
    asked,
    begin,
    drift,
    follow,
    kind_of,
    legal,
    name_of,
    named,
    stack_wall,
    tiles,
)

SCATTERED = ["*", "*", "*", "*"]

# Three hands that wait for 5p alone, cleared of bamboo.
WAITS_99 = "123456789m46p99p"
WAITS_88 = "123456789m46p88p"
WAITS_77 = "123456789m46p77p"
# A dealer who throws the 5p: never cleared of circles, so it calls nothing.
THROWS_5P = "5p*"
# Five pairs, among them 5p: can pung, cannot win.
PAIRS = "55p8p1124466899m"
# 2p and 5p are both a pung wait and a pung.
EITHER = "5522p123456789m"


def run(referee: Referee, script: str) -> Referee:
    return follow(referee, script, sound)


def sound(referee: Referee) -> None:
    assert list_faults(referee) == []


# --- chapter 2: set-up -----------------------------------------------------------------------------------------------


def test_a_wall_has_four_of_each_kind() -> None:
    with pytest.raises(ValueError, match="108 tiles"):
        Referee(shipped(), [0] * 108, direction="left")
    with pytest.raises(ValueError, match="wall mode"):
        Referee(shipped(), list(range(27)) * 4, "public", "left")


def test_the_dealer_has_the_53rd_tile_and_draws_go_from_the_front() -> None:
    wall = list(range(27)) * 4
    referee = Referee(shipped(exchange__direction="none"), wall)
    assert [sum(hand) for hand in referee.hands] == [14, 13, 13, 13]
    assert referee.hands[0][wall[52]] == wall[:13].count(wall[52]) + 1
    run(referee, "0:void-m 1:void-m 2:void-m 3:void-m")
    run(referee, f"0:{name_of(min(legal(referee, 0)))}")
    while "claim" in asked(referee).values():
        referee.answer(next(iter(referee.pending)), PASS)
    assert named(referee, "draw")[0] == ("draw", 1, wall[53], False)


GIVES = ["246m", "137s", "159p", "139m"]
GIVERS = [f"{give}*" for give in GIVES]


@pytest.mark.parametrize(("direction", "step"), [("right", 1), ("across", 2), ("left", 3)])
def test_the_exchange_goes_in_one_direction_for_all(direction: str, step: int) -> None:
    referee = Referee(shipped(), stack_wall(GIVERS), direction=direction)
    before = [list(hand) for hand in referee.hands]
    for seat in (2, 0, 3):
        run(referee, f"{seat}:give-{GIVES[seat]}")
        assert referee.events == [("direction", direction)], "hidden until all have picked"
        assert referee.hands == before, "nobody passes on tiles just received"
    run(referee, f"1:give-{GIVES[1]}")
    for seat in range(4):
        given, received = tiles(GIVES[seat]), tiles(GIVES[(seat - step) % 4])
        assert ("exchange", seat, tuple(given), tuple(received)) in referee.events
        expected = [held - given.count(kind) + received.count(kind) for kind, held in enumerate(before[seat])]
        assert referee.hands[seat] == expected
    assert sum(referee.hands[0]) == 14
    assert asked(referee) == dict.fromkeys(range(4), "void_suit")


def test_only_a_random_direction_is_given_from_outside() -> None:
    preset = shipped(exchange__direction="across")
    assert Referee(preset, stack_wall(SCATTERED), direction="left").events == [("direction", "across")]
    with pytest.raises(ValueError, match="random exchange"):
        Referee(shipped(), stack_wall(SCATTERED))


def test_all_picks_of_one_suit_are_legal_and_no_others() -> None:
    referee = Referee(shipped(), stack_wall(["11122m3p4445556s9s", "*", "*", "*"]), direction="left")
    of_m = ["111m", "112m", "122m"]
    of_s = ["444s", "445s", "446s", "449s", "455s", "456s", "459s", "469s", "555s", "556s", "559s", "569s"]
    assert legal(referee, 0) == {action_of(f"give-{pick}") for pick in of_m + of_s}
    with pytest.raises(IllegalChoice, match="may not choose"):
        run(referee, "0:give-11m3p")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_other_numbers_of_tiles_can_be_exchanged(count: int) -> None:
    referee = Referee(shipped(exchange__count=count, exchange__direction="right"), stack_wall(SCATTERED))
    for seat in range(4):
        referee.answer(seat, min(legal(referee, seat)))
    sound(referee)
    assert all(len(event[2]) == len(event[3]) == count for event in named(referee, "exchange"))


def test_void_suits_are_named_at_the_same_time_and_shown_together() -> None:
    referee = Referee(shipped(exchange__direction="none"), stack_wall(["*", "*", WAITS_99, "*"]))
    run(referee, "3:void-p 1:void-m 0:void-s")
    assert referee.events == []
    assert referee.void == [None] * 4
    with pytest.raises(IllegalChoice, match="nothing to decide"):
        run(referee, "3:void-m")
    run(referee, "2:void-s")  # a suit that it does not hold
    assert [event[2] for event in named(referee, "void_suit")] == [2, 0, 2, 1]


def test_the_dealer_acts_first_on_fourteen_tiles_without_drawing() -> None:
    referee = begin(SCATTERED)
    assert asked(referee) == {0: "turn"}
    assert named(referee, "draw") == []
    assert sum(referee.hands[0]) == 14


# --- chapter 3: a turn -----------------------------------------------------------------------------------------------


def test_tiles_of_the_void_suit_go_first() -> None:
    hand = "2468m1357p2468s19s"
    assert legal(begin([hand, "*", "*", "*"], "smmm"), 0) == set(tiles("246819s"))
    assert legal(begin([hand, "*", "*", "*"], "smmm", void_suit__discard_first=False), 0) == set(tiles(hand))
    with pytest.raises(IllegalChoice):
        run(begin([hand, "*", "*", "*"], "smmm"), "0:2m")


def test_cleared_is_no_latch() -> None:
    # Seat 2 is cleared and may pung its 99p, until it draws bamboo and keeps it.
    referee = begin(["9p*", "1s*", WAITS_99, "9p*"], "psss", "1p9s1p", void_suit__discard_first=False)
    run(referee, "0:9p")
    assert legal(referee, 2) == {PASS, PUNG}
    run(referee, "2:pass 1:1s 2:1m 3:9p")
    assert asked(referee) == {0: "turn"}


def test_with_a_void_tile_drawn_nothing_else_may_be_thrown() -> None:
    referee = run(begin(["1s*", "*", WAITS_99, "*"], "ssss", "9s9s"), "0:1s 1:9s")
    assert legal(referee, 2) == {kind_of("9s")}


@pytest.mark.parametrize(("void", "may"), [("s", True), ("m", False), ("p", False)])
def test_a_complete_hand_with_tiles_of_the_void_suit_is_no_win(void: str, may: bool) -> None:
    referee = begin(["123456789m456p99p", "*", "*", "*"], f"{void}mmm")
    assert (WIN in legal(referee, 0)) is may


def test_the_dealt_fourteen_win_without_a_winning_tile() -> None:
    referee = run(begin(["123456789m456p99p", "*", "*", "*"], "smmm"), "0:win")
    assert named(referee, "win") == [("win", 0, "self_draw", None, None, {"pair_wait": 1}, 1, 2)]
    assert referee.ledger == [Line("self_draw", payer, 0, 3) for payer in (1, 2, 3)]
    assert asked(referee) == {1: "turn"}


@pytest.mark.parametrize(
    ("knobs", "patterns", "amount"),
    [
        ({"win__self_draw": "add_fan"}, {"pair_wait": 1, "self_draw": 1}, 4),
        ({"win__self_draw": "none"}, {"pair_wait": 1}, 2),
        ({"win__self_draw_points": 5}, {"pair_wait": 1}, 7),
    ],
)
def test_what_a_self_draw_adds(knobs: dict[str, Any], patterns: dict[str, int], amount: int) -> None:
    referee = run(begin(["123456789m456p99p", "*", "*", "*"], "smmm", **knobs), "0:win")
    assert named(referee, "win")[0][5] == patterns
    assert {line.amount for line in referee.ledger} == {amount}


def test_a_self_drawn_win_is_paid_by_active_players_only() -> None:
    referee = run(begin([THROWS_5P, WAITS_99, WAITS_88, "*"], "psss", "5p"), "0:5p 1:win 2:pass 2:win")
    assert referee.ledger == [
        Line("discard_win", 0, 1, 1),
        Line("self_draw", 3, 2, 2),
        Line("self_draw", 0, 2, 2),
    ]
    assert asked(referee) == {3: "turn"}


# --- chapter 4: claims -----------------------------------------------------------------------------------------------


def test_all_who_can_win_on_a_discard_do_and_the_third_win_ends_the_deal() -> None:
    referee = run(begin([THROWS_5P, WAITS_99, WAITS_88, WAITS_77], "psss"), "0:5p")
    assert asked(referee) == {1: "claim", 2: "claim", 3: "claim"}
    run(referee, "3:win 1:win")
    assert referee.ledger == [], "nothing moves before all have answered"
    run(referee, "2:win")
    assert [event[1] for event in named(referee, "win")] == [1, 2, 3], "numbered in turn order from the discarder"
    assert referee.ledger == [Line("discard_win", 0, winner, 1) for winner in (1, 2, 3)]
    assert [seat.place for seat in referee.outcome] == [0, 1, 2, 3]
    assert [seat.status for seat in referee.outcome] == ["left", "won", "won", "won"]
    assert referee.points == [-3, 1, 1, 1]
    assert referee.events[-1] == ("end",)
    assert not named(referee, "exhaustion")


@pytest.mark.parametrize(("knob", "following"), [("after_last_winner", 0), ("after_discarder", 2)])
def test_who_goes_next_after_several_winners(knob: str, following: int) -> None:
    referee = begin([THROWS_5P, WAITS_99, WAITS_88, WAITS_77], "psss", win__next_turn=knob)
    run(referee, "0:5p 1:win 2:pass 3:win")
    assert asked(referee) == {following: "turn"}
    assert referee.win_locked == [False, False, following == 0, False]


def test_with_one_winner_only_the_nearest_wins_and_the_others_have_not_passed() -> None:
    referee = begin([THROWS_5P, "*", WAITS_88, EITHER], "pmss", "9s", win__multiple=False)
    run(referee, "0:5p 3:win 2:win")
    assert referee.winners == [2]
    assert referee.ledger == [Line("discard_win", 0, 2, 1)]
    assert asked(referee) == {3: "turn"}
    referee = begin([THROWS_5P, WAITS_88, "*", EITHER], "psms", "9s", win__multiple=False)
    run(referee, "0:5p 3:win 1:win")
    assert referee.winners == [1]
    assert referee.win_locked == [False] * 4
    assert referee.pung_locked == [set()] * 4
    referee = begin([THROWS_5P, WAITS_88, "*", EITHER], "psms", "9s", win__multiple=False)
    run(referee, "0:5p 3:pass 1:win")
    assert referee.win_locked == [False, False, False, True]


def test_a_winner_is_never_asked_again() -> None:
    referee = begin([THROWS_5P, WAITS_99, WAITS_88, WAITS_77], "psss", "5p9s5p")
    run(referee, "0:5p 1:win 2:pass 3:pass 2:5p")
    assert asked(referee) == {3: "turn"}, "seat 3 is locked, seat 1 is out"
    run(referee, "3:9s 0:5p")
    assert asked(referee) == {2: "claim", 3: "claim"}


def test_a_win_goes_before_a_pung_and_a_claim_that_lost_is_no_pass() -> None:
    referee = run(begin([THROWS_5P, WAITS_99, "*", PAIRS], "psms"), "0:5p")
    assert legal(referee, 1) == {WIN, PASS}
    assert legal(referee, 3) == {PUNG, PASS}
    run(referee, "3:pung 1:win")
    assert [event[0] for event in referee.events[-3:]] == ["discard", "win", "draw"]
    assert referee.melds[3] == []
    assert referee.pung_locked[3] == set()
    assert asked(referee) == {2: "turn"}


def test_a_pung_goes_on_from_the_player_who_called_it() -> None:
    referee = run(begin([THROWS_5P, "*", "*", PAIRS], "pmms"), "0:5p 3:pung")
    assert named(referee, "pung") == [("pung", 3, kind_of("5p"), 0)]
    assert asked(referee) == {3: "turn"}
    run(referee, "3:8p")
    assert asked(referee) == {0: "turn"}


def test_calling_a_pung_instead_of_a_win_passes_the_win_whether_it_succeeds_or_not() -> None:
    lost = run(begin([THROWS_5P, "*", EITHER, WAITS_99], "pmss"), "0:5p")
    assert legal(lost, 2) == {WIN, PUNG, PASS}
    run(lost, "2:pung 3:win")
    assert lost.win_locked[2]
    assert lost.pung_locked[2] == set(), "the pung was not passed"
    done = run(begin([THROWS_5P, "*", EITHER, WAITS_99], "pmss"), "0:5p 2:pung 3:pass")
    assert done.win_locked == [False, False, True, True]
    run(done, "2:2p")
    assert done.win_locked[2], "claiming a pung is no draw"


def test_after_a_pung_the_player_must_discard() -> None:
    # 22p, three runs and the pung are complete, but no win in this turn.
    referee = run(begin([THROWS_5P, "*", EITHER, "*"], "pmsm"), "0:5p 2:pung")
    assert legal(referee, 2) == set(tiles("2p123456789m"))


def test_no_kong_in_the_turn_entered_by_a_pung() -> None:
    referee = run(begin([THROWS_5P, "*", "55p7777m112233m4p", "*"], "pmsm"), "0:5p 2:pung")
    assert KONG + kind_of("7m") not in legal(referee, 2)
    run(referee, "2:4p")
    drift(referee, lambda r: asked(r) == {2: "turn"}, sound)
    assert KONG + kind_of("7m") in legal(referee, 2)


@pytest.mark.parametrize("blocks", [True, False])
def test_nobody_claims_a_tile_of_the_own_void_suit(blocks: bool) -> None:
    referee = run(begin([THROWS_5P, "*", EITHER, WAITS_99], "pmps", void_suit__blocks_calls=blocks), "0:5p")
    assert asked(referee) == {3: "claim"}


@pytest.mark.parametrize("blocks", [True, False])
def test_a_player_who_is_not_cleared_calls_nothing_if_that_blocks(blocks: bool) -> None:
    hands = [THROWS_5P, "*", "55p8p112446689m9s", "*"]
    referee = run(begin(hands, "pmsm", void_suit__blocks_calls=blocks), "0:5p")
    assert asked(referee) == ({1: "turn"} if blocks else {2: "claim"})


def test_chow_is_never_claimed() -> None:
    referee = run(begin([THROWS_5P, "4688p223344m778m", "*", "*"], "psmm"), "0:5p")
    assert asked(referee) == {1: "turn"}, "46p is no reason to be asked"


def test_the_next_active_player_draws_when_nobody_claims() -> None:
    referee = drift(begin(SCATTERED), lambda r: len(named(r, "draw")) == 8, sound)
    assert [event[1] for event in named(referee, "draw")] == [1, 2, 3, 0, 1, 2, 3, 0]


# --- the end of the wall ---------------------------------------------------------------------------------------------

# Without a claim seat 3 draws the 55th and last tile of the wall, here a 5p of its void suit.


def wall_is_empty(referee: Referee) -> bool:
    return not referee.wall.left()


def test_the_last_discard_can_be_punged_but_not_konged() -> None:
    referee = begin(["555p8p1124466899m", "*", "*", "*"], "sppp", back="5p")
    run(referee, "0:8p")
    drift(referee, lambda r: wall_is_empty(r) and asked(r) == {0: "claim"}, sound)
    assert legal(referee, 0) == {PUNG, PASS}
    run(referee, "0:pung 0:1m")
    assert [event[0] for event in referee.events[-3:]] == ["discard", "exhaustion", "end"]


def test_the_last_discard_can_be_won_on_and_is_a_last_tile() -> None:
    referee = begin([f"{WAITS_99}8p", "*", "*", "555p*"], "sppp", back="5p")
    run(referee, "0:8p")
    drift(referee, lambda r: wall_is_empty(r) and asked(r) == {0: "claim"}, sound)
    run(referee, "0:win")
    assert named(referee, "win") == [("win", 0, "discard", kind_of("5p"), 3, {"last_tile": 1}, 1, 2)]
    assert [event[0] for event in referee.events[-2:]] == ["exhaustion", "end"]


def test_the_last_tile_drawn_is_a_last_tile() -> None:
    referee = begin(["*", "555p*", "*", WAITS_99], "ppps", back="5p")
    drift(referee, lambda r: wall_is_empty(r) and asked(r) == {3: "turn"}, sound)
    assert kind_of("5p") == referee.drawn
    run(referee, "3:win")
    assert named(referee, "win") == [("win", 3, "self_draw", kind_of("5p"), None, {"last_tile": 1}, 1, 2)]


def test_a_discard_after_a_pung_of_the_last_discard_is_a_last_tile_too() -> None:
    referee = begin(["5589p1124466899m", "*", "123456789s78p22s", "*"], "spmp", back="5p")
    run(referee, "0:8p")
    drift(referee, lambda r: wall_is_empty(r) and 0 in r.pending, sound)
    run(referee, "0:pung 0:9p 2:win")
    assert named(referee, "win") == [("win", 2, "discard", kind_of("9p"), 0, {"last_tile": 1}, 1, 2)]
