"""Waits and complete hands (rules, chapters 5 and 6)."""

from __future__ import annotations

import random

import plain_hands as plain
import pytest
from engine_hands import kinds_in, make_hand, state_of
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine.hands.hand import add_tile, remove_tile
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.shanten import count_shanten
from sim.engine.hands.waits import is_complete, mark_waits
from sim.jit import INTERPRETED
from sim.tiles import format_kinds

LOOKUP = load_lookup()[0]
EXAMPLES = 10 if INTERPRETED else 150


def waits(tiles: str, melds: tuple[str, ...] = (), void_suit: int | None = None) -> str:
    return format_kinds(kinds_in(mark_waits(make_hand(tiles, melds, void_suit), LOOKUP)))


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ("1112345678999m", "123456789m"),
        ("123456789m4456p", "47p"),
        ("123456789m2345p", "25p"),
        ("123456789m1113p", "23p"),
        ("113355m1133557p", "7p"),  # seven pairs
        ("1111m335577m113p", "3p"),  # seven pairs with a four
        ("112233m445566p7m", "7m"),  # seven pairs and standard
        ("2223456789m 111p", "134679m"),
        ("3m", "3m"),
        ("13m 55p", "2m"),
        ("1111m", ""),
        ("19m19p147m147p258m", ""),
    ],
)
def test_waits_worked_out_by_hand(tiles: str, expected: str) -> None:
    count = sum(letter.isdigit() for letter in tiles)
    melds = ("pung 9p", "pung 8p", "pung 7p", "pung 6p")[: (13 - count) // 3]
    assert waits(tiles, melds) == expected


def test_a_hand_with_a_tile_of_its_void_suit_is_neither_ready_nor_complete() -> None:
    assert waits("123456789m123p1s", void_suit=2) == ""
    assert not is_complete(make_hand("123456789m123p11s", void_suit=2), LOOKUP)
    assert is_complete(make_hand("123456789m12311p", void_suit=2), LOOKUP)


def test_clearing_is_no_latch() -> None:
    # Drawing a tile of the void suit again takes the wait away, discarding it gives it back.
    hand = make_hand("123456789m1234p", void_suit=2)
    ready = mark_waits(hand, LOOKUP)
    add_tile(hand, 20)
    remove_tile(hand, 12)
    assert mark_waits(hand, LOOKUP) == 0
    remove_tile(hand, 20)
    add_tile(hand, 12)
    assert mark_waits(hand, LOOKUP) == ready != 0


def test_a_fifth_copy_is_no_wait() -> None:
    # The pair of a single tile whose other three are the own pung; the other end of a run in an own kong.
    assert waits("5m", ("pung 5m", "pung 1m", "pung 1p", "pung 2p")) == ""
    assert waits("5m", ("pung 6m", "pung 1m", "pung 1p", "pung 2p")) == "5m"
    assert waits("45m 11p", ("exposed 3m", "pung 1m", "pung 2p")) == "6m"
    assert waits("45m 11p", ("pung 3m", "pung 1m", "pung 2p")) == "36m"
    assert waits("45m 33m", ("pung 6m", "pung 1m", "pung 2p")) == "36m"
    assert waits("3333m 111p", ("pung 9m", "pung 9p")) == ""
    # Such a hand is nevertheless ready by count.
    assert count_shanten(make_hand("5m", ("pung 5m", "pung 1m", "pung 1p", "pung 2p")), 2, LOOKUP) == 0


def test_seven_pairs_need_a_hand_without_melds() -> None:
    assert waits("113355m11335p", ("pung 9p",)) == ""
    assert not is_complete(make_hand("113355m11335p"), LOOKUP)


def random_hand(lots: random.Random) -> tuple[plain.Counts, list[int], int]:
    """Deal a hand that is one tile off a complete one more often than not."""
    void_suit = lots.randrange(3)
    while True:
        melds = lots.sample([kind for kind in range(27) if kind // 9 != void_suit], lots.choice([0, 0, 1, 2, 3, 4]))
        counts = [0] * 27
        groups = [group for group in plain.GROUPS if group[0] // 9 != void_suit]
        for group in lots.choices(groups, k=4 - len(melds)):
            for kind in group:
                counts[kind] += 1
        for kind in [lots.choice([k for k in range(27) if k // 9 != void_suit])] * 2:
            counts[kind] += 1
        if all(counts[kind] + 3 * melds.count(kind) <= 4 for kind in range(27)):
            break
    counts[lots.choice([kind for kind in range(27) if counts[kind]])] -= 1
    if lots.random() < 0.3:
        counts[lots.choice([kind for kind in range(27) if counts[kind]])] -= 1
        counts[lots.choice([k for k in range(27) if k // 9 != void_suit and counts[k] + 3 * (k in melds) < 4])] += 1
    return tuple(counts), melds, void_suit


def test_waits_are_the_plain_ones() -> None:
    lots = random.Random(17)
    ready = 0
    for _ in range(30 if INTERPRETED else 500):
        counts, melds, void_suit = random_hand(lots)
        expected = plain.waits(counts, melds, void_suit)
        assert kinds_in(mark_waits(make_hand(counts, melds, void_suit), LOOKUP)) == expected, (counts, melds)
        ready += expected != []
    assert ready > 15


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_a_wait_completes_and_nothing_else_does(seed: int) -> None:
    counts, melds, void_suit = random_hand(random.Random(seed))
    hand = make_hand(counts, melds, void_suit)
    before = state_of(hand)
    found = mark_waits(hand, LOOKUP)
    for kind in range(27):
        if counts[kind] + 3 * melds.count(kind) < 4:
            add_tile(hand, kind)
            assert is_complete(hand, LOOKUP) == (found >> kind & 1), kind
            remove_tile(hand, kind)
        else:
            assert not found >> kind & 1
    assert state_of(hand) == before
