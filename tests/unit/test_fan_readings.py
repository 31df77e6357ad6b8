"""Scores of random complete hands against all readings, judged one by one as the rulebook says."""

from __future__ import annotations

import random
from collections import Counter

import plain_hands as plain
from engine_hands import make_hand
from test_fan import NAMES, SITUATIONAL, make_rules, patterns_of

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.fan import score_fan, score_hand, score_roots
from sim.engine.sichuan.rules import ABSENT, PATTERNS, Rules
from sim.jit import INTERPRETED
from sim.tiles import format_kind

LOOKUP = load_lookup()[0]
FORMS = ("pung", "concealed", "exposed", "added")


def plain_patterns(
    counts: list[int], melds: list[tuple[str, int]], tile: int, reading: tuple[int, list[tuple[int, ...]]] | None
) -> dict[str, int]:
    """Return the structural patterns of one reading and how often each counts; None is the reading as seven pairs."""
    held = Counter({kind: count for kind, count in enumerate(counts) if count})
    for form, kind in melds:
        held[kind] += 3 if form == "pung" else 4
    found = {"root": sum(count == 4 for count in held.values())}
    found["full_flush"] = len({kind // 9 for kind in held}) == 1
    if reading is None:
        return found | {"seven_pairs": 1}
    pair, groups = reading
    groups = [*groups, *((kind, kind, kind) for _, kind in melds)]
    found["all_pungs"] = all(group[0] == group[2] for group in groups)
    found["all_pungs_258"] = found["all_pungs"] and all(kind % 9 in (1, 4, 7) for kind in held)
    found["outside_hand"] = all({kind % 9 for kind in part} & {0, 8} for part in [*groups, (pair, pair)])
    found["pair_wait"] = pair == tile
    found["golden_wait"] = pair == tile and len(melds) == 4
    return found


def plain_score(
    counts: list[int], melds: list[tuple[str, int]], tile: int, situation: list[str], rules: Rules
) -> tuple[list[str], int, int]:
    """Return the patterns, the fan and the roots of the best reading of a complete hand."""
    fan = {name: int(rules.fan[index]) for index, name in enumerate(PATTERNS) if rules.fan[index] != ABSENT}
    readings: list = list(plain.readings(tuple(counts)))
    if plain.is_seven_pairs(tuple(counts)):
        readings.append(None)
    best = None
    for reading in readings:
        for winning in [kind for kind in range(27) if counts[kind]] if tile == NONE else [tile]:
            found = plain_patterns(counts, melds, winning, reading)
            if found.get("all_pungs_258") and "all_pungs_258" in fan:
                found["all_pungs"] = False
            found = {name: int(times) for name, times in found.items() if times and name in fan}
            total = sum(times * fan[name] for name, times in found.items())
            rank = (total, reading is not None, *(name in found for name in ("all_pungs", "pair_wait", "outside_hand")))
            if best is None or rank > best[0]:
                best = rank, found
    assert best is not None
    (total, *_), found = best
    extra = [name for name in situation if name == "self_draw" or name in fan]
    names = sorted([*found, *extra], key=NAMES.index)
    return names, total + sum(fan.get(name, 1) for name in extra), found.get("root", 0)


def random_complete(lots: random.Random) -> tuple[list[int], list[tuple[str, int]]]:
    """Make a complete hand: groups and a pair, or seven pairs, often of few kinds so that it has several readings."""
    while True:
        void_suit, narrow = lots.randrange(3), lots.random() < 0.6
        first = lots.randrange(6)
        suits = [suit for suit in range(3) if suit != void_suit][: lots.choice([1, 2])]
        kinds = [k for k in range(27) if k // 9 in suits and (not narrow or first <= k % 9 < first + 4)]
        if lots.random() < 0.2:
            kinds = [kind for kind in range(27) if kind % 9 in (1, 4, 7) and kind // 9 != void_suit]
        counts = [0] * 27
        melds: list[tuple[str, int]] = []
        if lots.random() < 0.2:
            for kind in lots.choices(kinds, k=7):
                counts[kind] += 2
        else:
            groups = [group for group in plain.GROUPS if set(group) <= set(kinds)]
            melds = [(lots.choice(FORMS), lots.choice(kinds)) for _ in range(lots.choice([0, 0, 0, 1, 2, 3, 4]))]
            parts = [*lots.choices(groups, k=4 - len(melds)), [lots.choice(kinds)] * 2]
            for kind in (kind for part in parts for kind in part):
                counts[kind] += 1
        held = Counter(dict(enumerate(counts)))
        for form, kind in melds:
            held[kind] += 3 if form == "pung" else 4
        if max(held.values()) <= 4:
            return counts, melds


def random_rules(lots: random.Random) -> Rules:
    if lots.random() < 0.5:
        return make_rules(lots.choice(["mahjongo", "cardavia"]))
    return make_rules(**{name: lots.choice([ABSENT, 0, 0, 1, 1, 2, 3]) for name in PATTERNS})


def test_scores_are_those_of_the_best_plain_reading() -> None:
    lots = random.Random(23)
    seen: Counter[str] = Counter()
    for _ in range(60 if INTERPRETED else 1500):
        counts, melds = random_complete(lots)
        rules = random_rules(lots)
        held = [kind for kind in range(27) if counts[kind]]
        tile = NONE if not melds and lots.random() < 0.2 else lots.choice(held)
        situation = [name for name in (*SITUATIONAL, "self_draw") if lots.random() < 0.2]
        expected = plain_score(counts, melds, tile, situation, rules)
        if tile != NONE:
            counts[tile] -= 1
        hand = make_hand(counts, [f"{form} {format_kind(kind)}" for form, kind in melds])
        mask = sum(1 << NAMES.index(name) for name in situation)
        score = score_hand(hand, tile, mask, rules, LOOKUP)
        found = patterns_of(score), score_fan(score), score_roots(score)
        assert found == expected, (counts, melds, tile, situation, list(rules.fan))
        seen.update(found[0])
    assert set(seen) == set(NAMES) or INTERPRETED
