"""Kongs, robbing, the transfer, and the two wall modes of the reference: a scripted deal per sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference.faults import list_faults
from tests.reference.records import KONG, PASS, PUNG, WIN, Line
from tests.reference.referee import Referee
from tests.reference.scripts import asked, begin, drift, follow, kind_of, legal, named, stack_wall, tiles
from tests.reference.wall import PerSeatWall, SharedWall, build_wall, deal_tiles

NO_LOCK: dict[str, Any] = {"pass__win_lock": "none"}
K7M = KONG + kind_of("7m")


def run(referee: Referee, script: str) -> Referee:
    return follow(referee, script, sound)


def sound(referee: Referee) -> None:
    assert list_faults(referee) == []


# --- concealed and exposed -------------------------------------------------------------------------------------------


def test_a_concealed_kong_is_paid_by_each_other_active_player_and_replaced_from_the_back() -> None:
    referee = run(begin(["7777m123456m99p46p", "*", "*", "*"], "smmm", "9s", "5p"), "0:k7m")
    assert referee.events[-2:] == [
        ("kong", 0, kind_of("7m"), "concealed", None),
        ("draw", 0, kind_of("5p"), True),
    ]
    assert referee.ledger == [Line("concealed_kong", payer, 0, 2) for payer in (1, 2, 3)]
    run(referee, "0:win")
    assert named(referee, "win") == [
        ("win", 0, "self_draw", kind_of("5p"), None, {"root": 1, "kong_draw": 1}, 2, 4),
    ]
    assert named(referee, "draw")[-1] == ("draw", 1, kind_of("9s"), False)


def test_an_exposed_kong_is_paid_by_the_discarder_only_and_the_turn_goes_on_as_after_a_draw() -> None:
    referee = run(begin(["7m*", "*", "777m8888m123m99p1p", "*"], "mmsm", back="9p5p"), "0:7m")
    assert legal(referee, 2) == {PASS, PUNG, K7M}
    run(referee, "2:k7m")
    assert named(referee, "kong") == [("kong", 2, kind_of("7m"), "exposed", 0)]
    assert referee.ledger == [Line("exposed_kong", 0, 2, 2)]
    assert asked(referee) == {2: "turn"}
    assert KONG + kind_of("8m") in legal(referee, 2), "another kong in the same turn"
    run(referee, "2:k8m")
    assert referee.ledger[1:] == [Line("concealed_kong", payer, 2, 2) for payer in (3, 0, 1)]
    assert referee.drawn == kind_of("5p")


def test_an_exposed_kong_may_be_followed_by_a_win_on_the_replacement() -> None:
    referee = run(begin(["7m*", "*", "777m123456m99p46p", "*"], "mmsm", back="5p"), "0:7m 2:k7m 2:win")
    assert named(referee, "win")[0][5] == {"root": 1, "kong_draw": 1}


def test_after_two_kongs_the_winning_tile_is_the_last_replacement() -> None:
    hand = ["7777m8888m123m99p4p", "*", "*", "*"]
    referee = run(begin(hand, "smmm", back="5p6p"), "0:k7m")
    assert WIN not in legal(referee, 0)
    run(referee, "0:k8m 0:win")
    assert named(referee, "win")[0][3:6] == (kind_of("6p"), None, {"root": 2, "kong_draw": 1})


def test_no_kong_without_a_replacement_tile() -> None:
    referee = begin(["*", "*", "*", "777m1122446688p"], "ppps", back="7m")
    drift(referee, lambda r: not r.wall.left() and asked(r) == {3: "turn"}, sound)
    assert referee.hands[3][kind_of("7m")] == 4
    assert K7M not in legal(referee, 3)


@pytest.mark.parametrize("blocks", [True, False])
def test_no_kong_of_the_void_suit_nor_while_not_cleared_if_that_blocks(blocks: bool) -> None:
    referee = begin(["7777m1111s*", "*", "*", "*"], "smmm", void_suit__blocks_calls=blocks)
    kongs = {action for action in legal(referee, 0) if KONG <= action < WIN}
    assert kongs == (set() if blocks else {K7M})


def test_winners_neither_pay_for_later_kongs_nor_are_paid() -> None:
    # Seat 1 wins on the first discard; the dealer's kong is then paid by the two others.
    referee = begin(["5p7777m1188m22334p", "123456789s46p99p", "*", "*"], "smmm", front="9m9m9p")
    run(referee, "0:5p 1:win")
    drift(referee, lambda r: asked(r) == {0: "turn"}, sound)
    run(referee, "0:k7m")
    assert [line for line in referee.ledger if line.cause == "concealed_kong"] == [
        Line("concealed_kong", payer, 0, 2) for payer in (2, 3)
    ]


def test_a_kong_worth_nothing_leaves_no_line() -> None:
    referee = run(begin(["7777m123456m99p46p", "*", "*", "*"], "smmm", kong__concealed=0), "0:k7m")
    assert referee.ledger == []


# --- robbing ---------------------------------------------------------------------------------------------------------

# Seat 1 pungs the dealer's 5p and draws the fourth one a round later.
PAIRS = "55p8p1124466899m"
WAITS_25P = "123456789m34p99p"
TO_THE_KONG = "0:5p 2:pass 1:pung 1:8p 2:9s 3:9s 0:{} 1:k5p"


def before_the_kong(script: str = TO_THE_KONG, thrown: str = "1p", back: str = "", **knobs: Any) -> Referee:
    referee = begin(["5p*", PAIRS, WAITS_25P, "*"], "psss", f"9s9s{thrown}5p", back, **knobs)
    return run(referee, script.format(thrown))


def test_an_added_kong_can_be_robbed_and_then_does_not_happen() -> None:
    referee = before_the_kong()
    assert asked(referee) == {2: "rob"}
    assert legal(referee, 2) == {WIN, PASS}
    assert referee.ledger == []
    run(referee, "2:win")
    assert referee.events[-3:-1] == [
        ("robbed", 1, kind_of("5p")),
        ("win", 2, "robbed_kong", kind_of("5p"), 1, {"rob_kong": 1}, 1, 2),
    ]
    assert referee.ledger == [Line("robbed_kong_win", 1, 2, 2)]
    assert [meld.form for meld in referee.melds[1]] == ["pung"]
    assert referee.hands[1][kind_of("5p")] == 0
    assert named(referee, "kong") == []
    assert not any(event[3] for event in named(referee, "draw"))
    assert asked(referee) == {3: "turn"}


def test_a_kong_that_nobody_robs_is_paid_by_each_other_active_player() -> None:
    referee = run(before_the_kong(back="2p"), "2:pass")
    assert named(referee, "kong") == [("kong", 1, kind_of("5p"), "added", None)]
    assert referee.ledger == [Line("added_kong", payer, 1, 1) for payer in (2, 3, 0)]
    assert [meld.form for meld in referee.melds[1]] == ["added"]
    assert referee.win_locked == [False, False, True, False], "passing up a robbery locks too"
    run(referee, "1:2p")
    assert asked(referee) == {2: "turn"}


def test_the_pass_lock_covers_robbing() -> None:
    referee = before_the_kong(TO_THE_KONG.replace("1:k5p", "2:pass 1:k5p"), thrown="2p")
    assert len(named(referee, "kong")) == 1, "nobody was asked"
    referee = before_the_kong(TO_THE_KONG.replace("1:k5p", "2:pass 1:k5p"), thrown="2p", **NO_LOCK)
    assert asked(referee) == {2: "rob"}


def test_only_added_kongs_can_be_robbed() -> None:
    # Seat 2 waits for 5p: the last copy goes into an exposed kong, and in the other deal all four into a concealed one.
    referee = run(begin(["5p*", "555p1124466899m", WAITS_25P, "*"], "psss"), "0:5p 1:k5p 2:pass")
    assert len(named(referee, "kong")) == 1
    referee = run(begin(["5555p1122446699m", "*", WAITS_25P, "*"], "ssss"), "0:k5p")
    assert asked(referee) == {0: "turn"}


def test_a_tile_long_in_hand_makes_an_added_kong_too() -> None:
    referee = begin(["5p*", PAIRS, "*", "*"], "psss", "9s9s1p5p9s9s1p3m")
    run(referee, "0:5p 1:pung 1:8p 2:9s 3:9s 0:1p 1:1m 2:9s 3:9s 0:1p 1:k5p")
    assert referee.ledger == [Line("added_kong", payer, 1, 1) for payer in (2, 3, 0)]


@pytest.mark.parametrize(("knob", "following"), [("after_last_winner", 0), ("after_discarder", 2)])
def test_who_goes_next_after_a_robbery(knob: str, following: int) -> None:
    hands = ["5p*", PAIRS, "*", "123456789m34p88p"]
    referee = begin(hands, "psss", "9s9s1p5p", win__next_turn=knob)
    run(referee, "0:5p 3:pass 1:pung 1:8p 3:pass 2:9s 3:9s 0:1p 1:k5p 3:win")
    assert asked(referee) == {following: "turn"}


@pytest.mark.parametrize("multiple", [True, False])
def test_several_may_rob_one_kong(multiple: bool) -> None:
    hands = ["5p*", PAIRS, WAITS_25P, "123456789s34p77p"]
    referee = begin(hands, "pssm", "9s3m1p5p", win__multiple=multiple)
    run(referee, "0:5p 2:pass 3:pass 1:pung 1:8p 2:9s 3:3m 0:1p 1:k5p 3:win 2:win")
    winners = [2, 3] if multiple else [2]
    assert referee.ledger == [Line("robbed_kong_win", 1, winner, 2) for winner in winners]
    assert referee.win_locked == [False] * 4


# --- kong discard and transfer ---------------------------------------------------------------------------------------


def thrown_after_a_kong(**knobs: Any) -> Referee:
    """Seat 1's added kong is not robbed; its replacement 2p is thrown and seat 2 wins on it."""
    return run(before_the_kong(back="2p", **NO_LOCK, **knobs), "2:pass 1:2p 2:win")


def test_a_win_on_the_discard_after_a_kong() -> None:
    referee = thrown_after_a_kong()
    assert named(referee, "win")[0][5] == {"kong_discard": 1}
    assert referee.ledger[3:] == [Line("discard_win", 1, 2, 2)]


@pytest.mark.parametrize("fan", [1, 0, "none"])
def test_the_income_of_the_kong_goes_to_the_winner_also_where_the_pattern_scores_nothing(fan: object) -> None:
    referee = thrown_after_a_kong(kong__transfer_on_kong_discard=True, fan__patterns__kong_discard=fan)
    value = 2 if fan == 1 else 1
    assert referee.ledger[3:] == [Line("discard_win", 1, 2, value), Line("kong_transfer", 1, 2, 3)]


def test_each_of_several_winners_gets_the_whole_income() -> None:
    hands = ["5p*", PAIRS, WAITS_25P, "123456789s34p77p"]
    knobs: dict[str, Any] = {**NO_LOCK, "kong__transfer_on_kong_discard": True}
    referee = begin(hands, "pssm", "9s3m1p5p", "2p", **knobs)
    run(referee, "0:5p 2:pass 3:pass 1:pung 1:8p 2:9s 3:3m 0:1p 1:k5p 3:pass 2:pass 1:2p 3:win 2:win")
    assert referee.ledger[3:] == [
        Line("discard_win", 1, 2, 2),
        Line("kong_transfer", 1, 2, 3),
        Line("discard_win", 1, 3, 2),
        Line("kong_transfer", 1, 3, 3),
    ]


def test_only_the_last_kong_of_the_turn_is_transferred() -> None:
    hands = ["7777m8888m112299p", "*", "123456s123s46p88p", "*"]
    referee = begin(hands, "smmm", back="1p5p", kong__transfer_on_kong_discard=True, kong__concealed=5)
    run(referee, "0:k7m 0:k8m 0:5p 2:win")
    assert referee.ledger[6:] == [Line("discard_win", 0, 2, 2), Line("kong_transfer", 0, 2, 15)]
    assert [income.given_away for income in referee.kong_incomes] == [False, True]


def test_a_later_discard_is_no_kong_discard() -> None:
    # The discard after the kong is punged: what the caller throws then is an ordinary discard.
    knobs: dict[str, Any] = {"kong__transfer_on_kong_discard": True}
    hands = ["7777m112233m99p46p", "*", "55p8p1124466899s", "123456789s77p79p"]
    referee = run(begin(hands, "spmm", back="5p", **knobs), "0:k7m 0:5p 2:pung 2:8p 3:win")
    assert named(referee, "win")[0][5] == {}
    assert referee.ledger[3:] == [Line("discard_win", 2, 3, 1)]
    # Nobody claims it: neither is the next player's discard one.
    hands[2] = "*"
    referee = run(begin(hands, "spmm", "8p", "5p", **knobs), "0:k7m 0:5p 1:8p 3:win")
    assert named(referee, "win")[0][5] == {}
    assert referee.ledger[3:] == [Line("discard_win", 1, 3, 1)]


# --- wall modes ------------------------------------------------------------------------------------------------------


def test_the_deal_of_the_positions() -> None:
    wall = [position // 4 for position in range(108)]
    hands = deal_tiles(wall)
    assert hands[1][wall[13]] == 3
    assert hands[0] == [4, 4, 4, 1, *[0] * 9, 1, *[0] * 13]
    assert build_wall("shared", wall).left() == wall[53:]


def test_the_shared_wall_is_drawn_from_the_front_and_replaced_from_the_back() -> None:
    wall = SharedWall(range(55))
    draws = [wall.draw(1, replacement=False), wall.draw(1, replacement=True), wall.draw(2, replacement=False)]
    assert draws == [0, 54, 1]
    assert len(wall.left()) == 52


def test_four_queues_are_filled_in_turn_seat_1_first() -> None:
    wall = PerSeatWall(range(55))
    assert [len(queue) for queue in wall.queues] == [13, 14, 14, 14]
    assert wall.queues[1][:3] == [0, 4, 8]
    assert wall.queues[0][:3] == [3, 7, 11]
    assert [wall.draw(2, replacement=False), wall.draw(2, replacement=True)] == [1, 5]


def test_an_empty_queue_takes_the_last_tile_of_the_longest_the_nearest_in_turn_order_on_ties() -> None:
    wall = PerSeatWall(range(55))
    for _ in range(13):
        wall.draw(0, replacement=False)
    assert wall.draw(0, replacement=True) == wall_last(1)
    assert wall.draw(0, replacement=False) == wall_last(2)
    assert wall.draw(0, replacement=False) == wall_last(3)
    assert wall.draw(0, replacement=False) == wall_last(1) - 4
    assert len(wall.left()) == 38
    for _ in range(38):
        wall.draw(2, replacement=False)
    assert wall.left() == []


def wall_last(seat: int) -> int:
    """Last number in a queue of the numbers 0 to 54."""
    return 51 + seat if seat else 51


def test_in_the_per_seat_mode_a_claim_shifts_nobody_elses_draws() -> None:
    draws = []
    for answer in ("pass", "pung"):
        rules = begin(["*", "*", "*", "*"]).preset
        referee = Referee(rules, stack_wall(["5p*", "*", "*", PAIRS]), "per_seat")
        run(referee, f"0:void-p 1:void-m 2:void-m 3:void-s 0:5p 3:{answer}")
        drift(referee, lambda _: False, sound)
        draws.append([[event[2] for event in named(referee, "draw") if event[1] == seat][:10] for seat in range(4)])
    assert draws[0] == draws[1]


def test_in_the_per_seat_mode_a_replacement_is_the_own_next_tile() -> None:
    rules = begin(["*", "*", "*", "*"]).preset
    wall = stack_wall(["7777m123456m99p46p", "*", "*", "*"], "1s2s3s5p4s5s6s6p")
    referee = run(Referee(rules, wall, "per_seat"), "0:void-s 1:void-m 2:void-m 3:void-m 0:k7m")
    assert named(referee, "draw") == [("draw", 0, kind_of("5p"), True)]
    assert isinstance(referee.wall, PerSeatWall)
    assert tiles("5p6p") == [kind_of("5p"), referee.wall.queues[0][0]]
