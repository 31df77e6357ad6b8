"""The reference's passing locks: a scripted deal per sentence of the end of chapter 4."""

from __future__ import annotations

import pytest

from tests.reference.faults import list_faults
from tests.reference.records import PASS, PUNG, WIN
from tests.reference.referee import Referee
from tests.reference.scripts import asked, begin, drift, follow, kind_of, legal, named

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


@pytest.mark.parametrize("lock", ["until_next_draw", "none"])
def test_a_win_passed_up_is_locked_until_the_own_draw(lock: str) -> None:
    referee = begin([THROWS_5P, "*", WAITS_99, "*"], "ppsp", "5p9s5p", pass__win_lock=lock)
    run(referee, "0:5p 2:pass 1:5p")
    if lock == "none":
        assert legal(referee, 2) == {WIN, PASS}
        run(referee, "2:pass")
    assert asked(referee) == {2: "turn"}
    run(referee, "2:9s 3:5p")
    assert asked(referee) == {2: "claim"}, "the own draw ends the lock"


def test_somebody_elses_draw_does_not_end_a_lock() -> None:
    referee = begin([THROWS_5P, "*", "*", WAITS_99], "ppps", "1p5p")
    run(referee, "0:5p 3:pass 1:1p 2:5p")
    assert asked(referee) == {3: "turn"}


def test_a_locked_player_may_still_win_by_self_draw() -> None:
    referee = run(begin([THROWS_5P, "*", WAITS_99, "*"], "pssp", "9s5p"), "0:5p 2:pass 1:9s")
    assert WIN in legal(referee, 2)
    run(referee, "2:win")
    assert named(referee, "win") == [("win", 2, "self_draw", kind_of("5p"), None, {}, 0, 1)]


@pytest.mark.parametrize("lock", [True, False])
def test_a_pung_passed_up_is_locked(lock: bool) -> None:
    referee = begin([THROWS_5P, "*", PAIRS, "*"], "ppsp", "5p", pass__pung_lock=lock)
    run(referee, "0:5p 2:pass 1:5p")
    assert asked(referee) == ({2: "turn"} if lock else {2: "claim"})


def test_a_pung_lock_blocks_no_other_kind_and_ends_with_the_own_draw() -> None:
    referee = begin([THROWS_5P, "*", "55668p22346789m", "*"], "ppsp", "6p")
    run(referee, "0:5p 2:pass 1:6p")
    assert legal(referee, 2) == {PUNG, PASS}
    run(referee, "2:pung 2:8p")
    assert referee.pung_locked[2] == {kind_of("5p")}, "claiming a pung is no draw"
    drift(referee, lambda r: asked(r) == {2: "turn"}, sound)
    assert referee.pung_locked[2] == set()


def test_passing_a_pung_leaves_wins_free_and_passing_a_win_leaves_pungs_free() -> None:
    referee = run(begin([THROWS_5P, "*", "*", EITHER], "pmms"), "0:5p 3:pung 3:1m")
    assert (referee.win_locked[3], referee.pung_locked[3]) == (True, set())
    referee = run(begin([THROWS_5P, "*", "*", PAIRS], "pmms"), "0:5p 3:pass")
    assert (referee.win_locked[3], referee.pung_locked[3]) == (False, {kind_of("5p")})


def test_declining_counts_also_when_somebody_else_then_wins_on_the_tile() -> None:
    referee = run(begin([THROWS_5P, WAITS_99, "*", WAITS_77], "psms"), "0:5p 1:win 3:pass")
    assert referee.win_locked == [False, False, False, True]
    referee = run(begin([THROWS_5P, WAITS_99, "*", PAIRS], "psms"), "0:5p 1:win 3:pass")
    assert referee.pung_locked[3] == {kind_of("5p")}
