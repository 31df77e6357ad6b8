"""Shanten and useful tiles against the plain definition, and the properties that follow from it."""

from __future__ import annotations

import random

import plain_hands as plain
import pytest
from engine_hands import kinds_in, make_hand
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine.hands import shanten
from sim.engine.hands.hand import add_tile, remove_tile
from sim.engine.hands.lookup import load_lookup
from sim.jit import INTERPRETED
from sim.tiles import parse_counts

LOOKUP = load_lookup()[0]
SAMPLES = 30 if INTERPRETED else 200
EXAMPLES = 10 if INTERPRETED else 100


def to_counts(tiles: list[int]) -> plain.Counts:
    return tuple(tiles.count(kind) for kind in range(27))


def deal_hand(lots: random.Random, tiles: int, void_suit: int, *, clear: bool) -> tuple[plain.Counts, tuple[int, ...]]:
    """Deal random tiles and melds; every other hand leans towards few kinds, so that near hands come up too."""
    melds = lots.choice([0, 0, 0, 1, 2, 3, 4])
    suited = [kind for kind in range(27) if kind // 9 != void_suit]
    meld_kinds = tuple(lots.sample(suited, melds))
    kinds = suited if clear else list(range(27))
    if lots.random() < 0.5:
        kinds = lots.sample(kinds, 7)
    pool = [kind for kind in kinds for _ in range(4 - 3 * (kind in meld_kinds))]
    while len(pool) < 14:
        pool += [kind for kind in suited if kind not in meld_kinds and kind not in kinds for _ in range(4)]
    return to_counts(lots.sample(pool, tiles - 3 * melds)), meld_kinds


@pytest.mark.parametrize("tiles", [13, 14])
@pytest.mark.parametrize("clear", [True, False])
def test_shanten_is_the_plain_one(tiles: int, clear: bool) -> None:
    lots = random.Random(tiles * 2 + clear)
    seen = set()
    for sample in range(SAMPLES):
        void_suit = sample % 3
        counts, melds = deal_hand(lots, tiles, void_suit, clear=clear)
        expected = plain.shanten(counts, len(melds), void_suit)
        assert shanten.count_shanten(make_hand(counts, melds), void_suit, LOOKUP) == expected, (counts, melds)
        seen.add(expected)
    assert {0, 1, 2} <= seen


def test_shanten_after_each_discard() -> None:
    lots = random.Random(3)
    for sample in range(SAMPLES):
        void_suit = sample % 3
        counts, melds = deal_hand(lots, 14, void_suit, clear=sample % 2 == 0)
        hand = make_hand(counts, melds)
        left = {}
        for kind in range(27):
            if counts[kind]:
                after = plain.without(counts, (kind,))
                assert after is not None
                left[kind] = plain.shanten(after, len(melds), void_suit)
                assert shanten.count_shanten_without(hand, kind, void_suit, LOOKUP) == left[kind]
        best = [kind for kind in left if left[kind] == min(left.values())]
        assert kinds_in(shanten.mark_least_shanten(hand, int(hand.at_least[0]), void_suit, LOOKUP)) == best
        some = [kind for kind in left if kind % 2 == 0]
        if some:
            mask = sum(1 << kind for kind in some)
            best = [kind for kind in some if left[kind] == min(left[k] for k in some)]
            assert kinds_in(shanten.mark_least_shanten(hand, mask, void_suit, LOOKUP)) == best
        assert kinds_in(int(hand.at_least[0])) == list(left)


def plain_useful(counts: plain.Counts, melds: tuple[int, ...], void_suit: int) -> list[int]:
    now = plain.shanten(counts, len(melds), void_suit)
    found = []
    for kind in range(27):
        if kind // 9 == void_suit or counts[kind] + 3 * melds.count(kind) >= 4:
            continue
        drawn = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
        if plain.shanten(drawn, len(melds), void_suit) < now:
            found.append(kind)
    return found


@pytest.mark.parametrize("clear", [True, False])
def test_useful_kinds_are_those_that_lower_the_plain_shanten(clear: bool) -> None:
    lots = random.Random(11 + clear)
    for sample in range(SAMPLES // 2):
        void_suit = sample % 3
        counts, melds = deal_hand(lots, 13, void_suit, clear=clear)
        found = shanten.mark_useful(make_hand(counts, melds), void_suit, LOOKUP)
        assert kinds_in(found) == plain_useful(counts, melds, void_suit), (counts, melds)


def test_useful_kinds_after_a_discard_are_those_of_the_hand_without_it() -> None:
    lots = random.Random(13)
    for sample in range(SAMPLES):
        void_suit = sample % 3
        counts, melds = deal_hand(lots, 14, void_suit, clear=sample % 2 == 0)
        hand = make_hand(counts, melds)
        for kind in range(27):
            if counts[kind]:
                found = shanten.mark_useful_without(hand, kind, void_suit, LOOKUP)
                remove_tile(hand, kind)
                assert found == shanten.mark_useful(hand, void_suit, LOOKUP)
                add_tile(hand, kind)


def test_kinds_of_own_kongs_are_never_useful() -> None:
    tiles = "35m 111222p 33p"
    assert kinds_in(shanten.mark_useful(make_hand(tiles, ["pung 9p"]), 2, LOOKUP)) == [3]
    assert kinds_in(shanten.mark_useful(make_hand(tiles, ["added 4m"]), 2, LOOKUP)) == []


def test_odd_tiles_that_are_too_few_make_every_kind_useful_for_seven_pairs() -> None:
    # Five pairs of circles and three tiles of the void suit: no odd tile to pair, so any new kind helps.
    hand = make_hand("123m 1133557799p")
    assert shanten.count_pairs(hand, 0) == 5
    assert shanten.count_shanten(hand, 0, LOOKUP) == 3
    assert kinds_in(shanten.mark_useful(hand, 0, LOOKUP)) == list(range(9, 27))


def test_four_alike_are_two_pairs() -> None:
    hand = make_hand("1111666m44p")
    assert [shanten.count_pairs(hand, void_suit) for void_suit in range(3)] == [1, 3, 4]


@pytest.mark.parametrize(
    ("tiles", "void_suit", "expected"),
    [
        ("123456789m1234p", 2, 0),
        ("123456789m12344p", 2, -1),
        ("1199m2288p3355p7m", 2, 0),
        ("11245789m11479p", 2, 2),  # 789m, three pairs of neighbours and a pair
        ("1111222233334p", 2, 0),
        ("123456789m1234p", 1, 4),  # the circles do not count
        ("147m147p1234567s", 2, 7),  # six pairs begun, and two tiles for the seventh
    ],
)
def test_shanten_of_hands_worked_out_by_hand(tiles: str, void_suit: int, expected: int) -> None:
    assert sum(parse_counts(tiles)) in (13, 14)
    assert shanten.count_shanten(make_hand(tiles), void_suit, LOOKUP) == expected


@st.composite
def cleared_hands(draw: st.DrawFn, tiles: int) -> tuple[plain.Counts, int, int]:
    """Draw concealed tiles without melds' own kinds, the number of melds, and the void suit."""
    void_suit = draw(st.integers(0, 2))
    melds = draw(st.integers(0, 4))
    pool = [kind for kind in range(27) if kind // 9 != void_suit for _ in range(4)]
    places = draw(
        st.lists(st.integers(0, len(pool) - 1), min_size=tiles - 3 * melds, max_size=tiles - 3 * melds, unique=True)
    )
    return to_counts([pool[place] for place in places]), melds, void_suit


@settings(max_examples=EXAMPLES, deadline=None)
@given(cleared_hands(13), st.integers(0, 26))
def test_a_tile_changes_the_shanten_by_one_at_most(given_hand: tuple[plain.Counts, int, int], kind: int) -> None:
    counts, melds, void_suit = given_hand
    hand = make_hand(counts)
    hand.count_melds = melds
    before = shanten.count_shanten(hand, void_suit, LOOKUP)
    useful = shanten.mark_useful(hand, void_suit, LOOKUP)
    if counts[kind] < 4:
        add_tile(hand, kind)
        after = shanten.count_shanten(hand, void_suit, LOOKUP)
        assert after == before - (useful >> kind & 1)
        assert shanten.count_shanten_without(hand, kind, void_suit, LOOKUP) == before


@settings(max_examples=EXAMPLES, deadline=None)
@given(cleared_hands(13), st.permutations([0, 1, 2]), st.tuples(*[st.booleans()] * 3))
def test_names_of_suits_and_the_direction_of_ranks_do_not_matter(
    given_hand: tuple[plain.Counts, int, int], suits: list[int], turned: tuple[bool, ...]
) -> None:
    counts, melds, void_suit = given_hand

    def image(kind: int) -> int:
        suit, rank = divmod(kind, 9)
        return 9 * suits[suit] + (8 - rank if turned[suit] else rank)

    other = [0] * 27
    for kind in range(27):
        other[image(kind)] = counts[kind]
    hand, mirrored = make_hand(counts), make_hand(tuple(other))
    hand.count_melds = mirrored.count_melds = melds
    assert shanten.count_shanten(hand, void_suit, LOOKUP) == shanten.count_shanten(mirrored, suits[void_suit], LOOKUP)
    useful = kinds_in(shanten.mark_useful(hand, void_suit, LOOKUP))
    assert kinds_in(shanten.mark_useful(mirrored, suits[void_suit], LOOKUP)) == sorted(map(image, useful))


@settings(max_examples=EXAMPLES, deadline=None)
@given(cleared_hands(13))
def test_every_hand_that_is_not_hopeless_has_useful_kinds(given_hand: tuple[plain.Counts, int, int]) -> None:
    counts, melds, void_suit = given_hand
    hand = make_hand(counts)
    hand.count_melds = melds
    assert shanten.count_shanten(hand, void_suit, LOOKUP) >= 0
    assert shanten.mark_useful(hand, void_suit, LOOKUP) != 0
