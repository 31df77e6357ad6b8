"""The reference's hand mathematics against published counts and against definitions spelled out here."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import product

import pytest

from tests.reference.hands import (
    is_complete,
    is_ready,
    is_seven_pairs,
    missing_in_suit,
    readings,
    shanten,
    split_suit,
    useful_tiles,
    waits,
)
from tests.reference.records import KINDS, Meld
from tests.reference.scripts import counts, kind_of, name_of


def wait_names(text: str, melds: tuple[Meld, ...] = (), void: int | None = None) -> str:
    return " ".join(name_of(kind) for kind in waits(counts(text), melds, void))


def vectors(size: int, ranks: int = 9) -> list[tuple[int, ...]]:
    """All counts of one suit with that many tiles, at most four of each rank."""
    if ranks == 0:
        return [()] if size == 0 else []
    return [(held, *rest) for held in range(min(4, size) + 1) for rest in vectors(size - held, ranks - 1)]


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, 1), (3, 16), (6, 127), (9, 627), (12, 2098), (2, 9), (5, 135), (8, 996), (11, 4475), (14, 13259)],
)
def test_one_suit_of_groups_and_at_most_a_pair_has_the_known_counts(size: int, expected: int) -> None:
    complete = 0
    for vector in vectors(size):
        ways = split_suit(vector)
        complete += any((pair is not None) == (size % 3 == 2) for _, pair in ways)
    assert complete == expected


def test_one_suit_ready_hands_have_the_known_counts_by_number_of_waits() -> None:
    standard: Counter[int] = Counter()
    either: Counter[int] = Counter()
    for vector in vectors(13):
        completing, completing_either = 0, 0
        for rank in range(9):
            if vector[rank] < 4:
                longer = (*vector[:rank], vector[rank] + 1, *vector[rank + 1 :])
                as_standard = bool(split_suit(longer))
                completing += as_standard
                completing_either += as_standard or is_seven_pairs(longer, 0)
        standard[completing] += 1
        either[completing_either] += 1
    assert [standard[n] for n in range(1, 10)] == [14067, 14493, 6739, 2948, 1335, 392, 79, 16, 1]
    assert [either[n] for n in range(1, 10)] == [20766, 14492, 7670, 3140, 1377, 392, 79, 16, 1]


def test_every_reading_of_a_hand_is_found_once() -> None:
    found = readings(counts("111222333m99p123s"), 0)
    assert sorted(reading.groups for reading in found) == [
        (("pung", 0), ("pung", 1), ("pung", 2), ("run", 18)),
        (("run", 0), ("run", 0), ("run", 0), ("run", 18)),
    ]


def test_seven_pairs_may_hold_four_alike_and_may_also_be_standard() -> None:
    assert [reading.form for reading in readings(counts("1111m3355p77s8899s"), 0)] == ["seven_pairs"]
    forms = [reading.form for reading in readings(counts("112233m445566p77s"), 0)]
    assert forms.count("seven_pairs") == 1
    assert forms.count("standard") == 1


def test_seven_pairs_have_no_melds() -> None:
    assert not is_complete(counts("1133m5577p99s"), 1)


def test_runs_do_not_cross_suits_or_go_from_nine_to_one() -> None:
    assert not is_complete(counts("89m1p123p456p789p99s"), 0)
    assert not is_complete(counts("891m123p456p789p99s"), 0)


def test_a_fifth_copy_in_the_own_hand_is_no_wait() -> None:
    assert wait_names("1111m456789p789s") == ""
    assert wait_names("111m456789p789s1p") == "1p"


def test_a_fifth_copy_in_the_own_melds_is_no_wait() -> None:
    pung = Meld("pung", kind_of("5p"), 1)
    assert wait_names("5p123m456m789m", (pung,)) == ""
    assert wait_names("4467p123m456m", (pung,)) == "5p 8p"
    kong = Meld("added", kind_of("5p"), 1)
    assert wait_names("4467p123m456m", (kong,)) == "8p"
    assert wait_names("23m99p456789s", (Meld("concealed", kind_of("1m"), None),)) == "4m"


def test_a_hand_that_is_not_cleared_is_not_ready() -> None:
    hand = counts("123456789m46p99p")
    assert is_ready(hand, (), 2)
    assert not is_ready(hand, (), 0)


def test_nine_waits() -> None:
    assert wait_names("1112345678999s") == "1s 2s 3s 4s 5s 6s 7s 8s 9s"


# --- shanten ---------------------------------------------------------------------------------------------------------


@cache
def one_suit_targets(groups: int, pairs: int) -> list[tuple[int, ...]]:
    """Every one-suit vector that is exactly these groups and pairs, by putting them together."""
    if groups == pairs == 0:
        return [(0,) * 9]
    found = set()
    for smaller in one_suit_targets(groups - 1, pairs) if groups else one_suit_targets(0, pairs - 1):
        pieces = [[rank] * 3 for rank in range(9)] + [[rank, rank + 1, rank + 2] for rank in range(7)]
        for piece in pieces if groups else [[rank] * 2 for rank in range(9)]:
            target = [held + piece.count(rank) for rank, held in enumerate(smaller)]
            if max(target) <= 4:
                found.add(tuple(target))
    return sorted(found)


def test_missing_tiles_of_a_suit_equal_the_nearest_target_of_all() -> None:
    lots = random.Random(5)
    for _ in range(25):
        tiles = lots.sample([rank for rank in range(9) for _ in range(4)], lots.randint(0, 14))
        vector = tuple(tiles.count(rank) for rank in range(9))
        for groups, pairs in product(range(5), range(2)):
            nearest = min(
                sum(max(0, wanted - held) for wanted, held in zip(target, vector, strict=True))
                for target in one_suit_targets(groups, pairs)
            )
            assert missing_in_suit(vector, groups, pairs) == nearest


@pytest.mark.parametrize(
    ("text", "melds", "void", "expected"),
    [
        ("123456789m46p99p", 0, 2, 0),
        ("123456789m46p99p5p", 0, 2, -1),
        ("1133557799m113p", 0, 2, 0),
        ("1111333355m779p", 0, 2, 0),  # four alike are two pairs
        ("1111333355m79p9s", 0, 2, 1),
        ("147m258p369s147m2p", 0, None, 2),  # four pairs
        ("147m258p369s1471s", 0, None, 5),  # a pair and two blocks of two
        ("123456789s1239p", 0, 2, 9),  # bamboo counts for nothing: ten tiles are missing beside 123p and 9p
        ("5p", 4, 2, 0),
        ("1111m", 3, 2, 1),  # a pung needs a pair beside it, and no fifth 1m exists for a pair of them
        ("1111m", 3, None, 1),
    ],
)
def test_shanten_of_known_hands(text: str, melds: int, void: int | None, expected: int) -> None:
    assert shanten(counts(text), melds, void) == expected


def random_hand(lots: random.Random, size: int) -> list[int]:
    kinds = lots.sample([kind for kind in range(KINDS) for _ in range(4)], size)
    return [kinds.count(kind) for kind in range(KINDS)]


def walk_to_complete(lots: random.Random, melds: int, void: int) -> list[int]:
    """Check a hand at each step of a walk that draws a useful tile and throws what keeps it."""
    hand = random_hand(lots, 13 - 3 * melds)
    steps = []
    while True:
        now = shanten(hand, melds, void)
        steps.append(now)
        useful = useful_tiles(hand, melds, void)
        assert useful, f"nothing helps {hand}"
        waiting = [] if now else [kind for kind in range(KINDS) if completes(hand, kind, melds)]
        assert now or useful == waiting
        for kind in range(KINDS):
            if hand[kind] < 4:
                hand[kind] += 1
                assert shanten(hand, melds, void) in {now, now - 1}
                hand[kind] -= 1
        hand[lots.choice(useful)] += 1
        if now == 0:
            assert is_complete(hand, melds)
            return steps
        throws = [kind for kind in range(KINDS) if hand[kind] and shanten(less(hand, kind), melds, void) == now - 1]
        assert throws
        hand = less(hand, lots.choice(throws))


def completes(hand: list[int], kind: int, melds: int) -> bool:
    return hand[kind] < 4 and is_complete([*hand[:kind], hand[kind] + 1, *hand[kind + 1 :]], melds)


def less(hand: list[int], kind: int) -> list[int]:
    return [*hand[:kind], hand[kind] - 1, *hand[kind + 1 :]]


def test_useful_tiles_lead_to_a_complete_hand_one_step_at_a_time() -> None:
    lots = random.Random(11)
    starts: Counter[int] = Counter()
    for _ in range(60):
        steps = walk_to_complete(lots, lots.choice([0, 0, 1, 2, 3, 4]), lots.randrange(3))
        assert steps == list(range(steps[0], -1, -1))
        starts[steps[0]] += 1
    assert len(starts) >= 5
