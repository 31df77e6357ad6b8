"""What hands are worth and wait for does not depend on names of suits or the end from which ranks are counted.

That holds for every pattern: 2, 5, 8 are 8, 5, 2 from the other end, and 1 and 9 change places. How shanten, useful
tiles and waits follow from each other is tested in `tests/unit/test_hands_shanten.py` and `test_hands_waits.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engine.hands.discards import mark_nearest, mark_widest
from sim.engine.hands.hand import KINDS, NONE, RANKS, add_tile, is_cleared, kinds_of_suit, remove_tile
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.shanten import (
    count_shanten,
    count_shanten_without,
    mark_least_shanten,
    mark_useful,
    mark_useful_without,
)
from sim.engine.hands.waits import is_complete, mark_waits
from sim.engine.sichuan.fan import highest_value, score_hand, score_roots
from sim.engine.sichuan.rules import KONG_DRAW, LAST_TILE, SELF_DRAW_FAN
from tests.property.drawn import examples
from tests.property.hands import Held, fan_tables, held, kinds_in
from tests.property.turning import Image, image_of, image_of_mask

LOOKUP = load_lookup()[0]
images = st.builds(image_of, st.permutations(range(3)), st.tuples(st.booleans(), st.booleans(), st.booleans()))
situations = st.sampled_from([0, 1 << KONG_DRAW, 1 << LAST_TILE | 1 << SELF_DRAW_FAN])


@examples(150, 60)
@given(held(13), images)
def test_images_of_hands_wait_for_images(one: Held, image: Image) -> None:
    hand, other = one.record(), one.image(image).record()
    assert mark_waits(other, LOOKUP) == image_of_mask(mark_waits(hand, LOOKUP), image)
    for void_suit in range(3):
        there = image(RANKS * void_suit) // RANKS
        assert count_shanten(other, there, LOOKUP) == count_shanten(hand, void_suit, LOOKUP)
        assert mark_useful(other, there, LOOKUP) == image_of_mask(mark_useful(hand, void_suit, LOOKUP), image)


@examples(150, 60)
@given(held(14), images, st.lists(st.integers(0, 4), min_size=KINDS, max_size=KINDS))
def test_images_of_discards_are_as_good(one: Held, image: Image, unseen: list[int]) -> None:
    hand, other = one.record(), one.image(image).record()
    void, there = one.void_suit, int(other.void_suit)
    assert is_complete(other, LOOKUP) == is_complete(hand, LOOKUP)
    kinds = int(hand.at_least[0]) & ~kinds_of_suit(void)
    for kind in kinds_in(hand.at_least[0]):
        least = count_shanten_without(hand, kind, void, LOOKUP)
        assert count_shanten_without(other, image(kind), there, LOOKUP) == least
        useful = mark_useful_without(hand, kind, void, LOOKUP)
        assert mark_useful_without(other, image(kind), there, LOOKUP) == image_of_mask(useful, image)
    there_kinds = image_of_mask(kinds, image)
    nearest = mark_nearest(hand, kinds, void, LOOKUP)
    assert mark_nearest(other, there_kinds, there, LOOKUP) == image_of_mask(nearest, image)
    assert nearest == mark_least_shanten(hand, kinds, void, LOOKUP)
    live = [sum(1 << kind for kind in range(KINDS) if unseen[kind] & digit) for digit in (1, 2, 4)]
    there_live = [image_of_mask(mask, image) for mask in live]
    widest = mark_widest(hand, nearest, *live, void, LOOKUP)
    assert mark_widest(other, image_of_mask(nearest, image), *there_live, there, LOOKUP) == image_of_mask(widest, image)
    assert widest == plain_widest(hand, nearest, unseen, void)


def plain_widest(hand: Any, kinds: int, unseen: list[int], void: int) -> int:
    """Return the discards after which most live tiles are useful, asking about one discard at a time."""
    live = {
        kind: sum(unseen[useful] for useful in kinds_in(_useful_of_discard(hand, kind, void)))
        for kind in kinds_in(kinds)
    }
    return sum(1 << kind for kind in live if live[kind] == max(live.values()))


def _useful_of_discard(hand: Any, kind: int, void: int) -> int:
    """Return the useful kinds after a discard, those of which the hand itself holds all four too."""
    found = 0
    before = count_shanten_without(hand, kind, void, LOOKUP)
    remove_tile(hand, kind)
    for drawn in range(KINDS):
        if drawn // RANKS != void and hand.counts[drawn] < 4:
            add_tile(hand, drawn)
            found |= int(count_shanten(hand, void, LOOKUP) < before) << drawn
            remove_tile(hand, drawn)
    add_tile(hand, kind)
    return found


@examples(150, 60)
@given(held(13), images, fan_tables(), situations)
def test_images_of_hands_are_worth_the_same(one: Held, image: Image, rules: Any, situation: int) -> None:
    hand, other = one.record(), one.image(image).record()
    before = hand.tobytes()
    waits = int(mark_waits(hand, LOOKUP))
    for kind in range(KINDS):
        if one.copies(kind) < 4:
            score = score_hand(hand, kind, situation, rules, LOOKUP)
            assert score_hand(other, image(kind), situation, rules, LOOKUP) == score
            # What completes a cleared hand, and nothing else, has a score.
            if is_cleared(hand) and kind // RANKS != one.void_suit:
                assert (score != NONE) == (waits >> kind & 1)
    there_waits = image_of_mask(waits, image)
    assert highest_value(other, there_waits, rules, LOOKUP) == highest_value(hand, waits, rules, LOOKUP)
    assert hand.tobytes() == before


@examples(120, 40)
@given(held(14), images, fan_tables())
def test_images_of_dealt_hands_are_worth_the_same(one: Held, image: Image, rules: Any) -> None:
    """The dealer's dealt fourteen: no tile is the winning one, and none is worth more than the best choice of one."""
    hand, other = one.record(), one.image(image).record()
    score = score_hand(hand, NONE, 0, rules, LOOKUP)
    assert score_hand(other, NONE, 0, rules, LOOKUP) == score
    if is_cleared(hand):
        assert (score != NONE) == is_complete(hand, LOOKUP)
    if score == NONE:
        return
    chosen = []
    for kind in kinds_in(hand.at_least[0]):
        remove_tile(hand, kind)
        chosen.append(score_hand(hand, kind, 0, rules, LOOKUP))
        add_tile(hand, kind)
    assert score == max(chosen)
    if rules.fan[0] >= 0:
        assert score_roots(score) == sum(one.copies(kind) == 4 for kind in range(KINDS))


def test_drawn_hands_are_of_all_sorts() -> None:
    """Ready ones and others, with and without melds, cleared or not, with seven pairs."""
    seen: Counter[str] = Counter()

    @settings(max_examples=150, derandomize=True, database=None, deadline=None)
    @given(held(13))
    def look(one: Held) -> None:
        hand = one.record()
        seen["ready"] += mark_waits(hand, LOOKUP) != 0
        seen["not ready"] += mark_waits(hand, LOOKUP) == 0
        six_pairs = not one.melds and sum(count // 2 for count in one.counts) == 6
        seen["ready for seven pairs"] += six_pairs and mark_waits(hand, LOOKUP) != 0
        seen["not cleared"] += not is_cleared(hand)
        seen[f"{len(one.melds)} melds"] += 1
        for form, _ in one.melds:
            seen[f"form {form}"] += 1

    look()
    wanted = ["ready", "ready for seven pairs", "not ready", "not cleared", "0 melds", "1 melds", "2 melds"]
    wanted += ["form 0", "form 1", "form 2", "form 3"]
    assert min(seen[what] for what in wanted) > 2, seen
