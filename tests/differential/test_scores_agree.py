"""Scores of complete hands of any pattern, and of ready ones, in both engines: deals seldom end in the rare ones."""

from __future__ import annotations

import random
from typing import Any

from sim.engine.hands.hand import KINDS, MELD_FORMS, PUNG, Hand, add_tile
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.fan import highest_value, score_fan, score_hand, value_of
from sim.engine.sichuan.rules import ADD_FAN, PATTERNS, SELF_DRAW_FAN
from sim.engine.sichuan.setup import clear_hand
from sim.jit import INTERPRETED, new
from sim.rules.compile import compile_rules
from sim.tournament.replay import describe_patterns
from tests.reference.fan import highest_value as plain_highest_value
from tests.reference.fan import score_win
from tests.reference.hands import waits as plain_waits
from tests.reference.presets import random_preset
from tests.reference.scripts import draw_win

SITUATIONS = ("kong_draw", "kong_discard", "rob_kong", "last_tile")
HANDS = 400 if INTERPRETED else 3000


def engine_hand(workspace: Any, counts: list[int], melds: list[Any], void_suit: int) -> Any:
    """Fill a hand of the engine."""
    hand = workspace[0]
    clear_hand(hand, 0)
    for kind in range(KINDS):
        for _ in range(counts[kind]):
            add_tile(hand, kind)
    hand.void_suit = void_suit
    for index, meld in enumerate(melds):
        hand.meld_kinds[index] = meld.kind
        hand.meld_forms[index] = MELD_FORMS.index(meld.form)
        if MELD_FORMS.index(meld.form) == PUNG:
            hand.pungs |= 1 << meld.kind
        else:
            hand.kongs |= 1 << meld.kind
    hand.count_melds = len(melds)
    return hand


def test_scores_agree() -> None:
    """Patterns, fan and value of drawn wins under drawn presets, also when the dealt fourteen win."""
    lots = random.Random("scores")
    workspace = new(Hand)
    lookup = load_lookup()[0]
    seen: set[str] = set()
    for number in range(HANDS):
        preset = random_preset(lots)
        rules = compile_rules(preset)[0]
        counts, melds, winning = draw_win(lots)
        situations = [name for name in SITUATIONS if lots.random() < 0.2]
        is_self_drawn = lots.random() < 0.5
        is_dealt = not melds and lots.random() < 0.2
        theirs = score_win(preset, counts, melds, None if is_dealt else winning, situations, self_drawn=is_self_drawn)
        situation = sum(1 << PATTERNS.index(name) for name in situations)
        if is_self_drawn and rules.win_self_draw == ADD_FAN:
            situation |= 1 << SELF_DRAW_FAN
        held = list(counts)
        if not is_dealt:
            held[winning] -= 1
        hand = engine_hand(workspace, held, melds, 0)
        score = score_hand(hand, -1 if is_dealt else winning, situation, rules, lookup)
        mine = (describe_patterns(score, rules), int(score_fan(score)), int(value_of(score_fan(score), rules)))
        assert mine == (theirs.patterns, theirs.fan, theirs.value), (number, counts, melds, winning, is_dealt)
        assert list(hand.counts) == held
        seen.update(theirs.patterns)
    assert seen >= set(PATTERNS) | {"self_draw"} or INTERPRETED


def test_waits_and_highest_values_agree() -> None:
    """Waits, readiness and the highest structural value of hands that lack a tile, a void tile or two among them."""
    lots = random.Random("waits")
    workspace = new(Hand)
    lookup = load_lookup()[0]
    ready = impossible = 0
    for _ in range(HANDS):
        preset = random_preset(lots)
        counts, melds, winning = draw_win(lots)
        counts[winning] -= 1
        suits = {kind // 9 for kind in range(KINDS) if counts[kind]} | {meld.kind // 9 for meld in melds}
        void = lots.choice(sorted(set(range(3)) - suits) or [lots.randrange(3)])
        if lots.random() < 0.1:
            kinds = [kind for kind in range(KINDS) if counts[kind]]
            counts[lots.choice(kinds)] -= 1
            counts[9 * void + lots.randrange(9)] += 1
        if max(counts) > 4 or any(meld.kind // 9 == void for meld in melds):
            continue
        theirs = plain_waits(counts, melds, void)
        hand = engine_hand(workspace, counts, melds, void)
        waits = int(mark_waits(hand, lookup))
        assert [kind for kind in range(KINDS) if (waits >> kind) & 1] == sorted(theirs), (counts, melds, void)
        if theirs:
            ready += 1
            rules = compile_rules(preset)[0]
            assert int(highest_value(hand, waits, rules, lookup)) == plain_highest_value(preset, counts, melds, void)
        elif void not in suits:
            impossible += 1
    assert ready > HANDS / 2
    assert impossible > 20 or INTERPRETED
