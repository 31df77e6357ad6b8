"""What each engine says of a hand: its waits, its best reading, its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.engine.hands.hand import ADDED_KONG, CONCEALED_KONG, EXPOSED_KONG, NONE, PUNG, Hand, add_tile
from sim.engine.hands.waits import is_complete, mark_waits
from sim.engine.sichuan.fan import highest_value, score_fan, score_hand, value_of
from sim.engine.sichuan.rules import ADD_FAN, PATTERNS, SELF_DRAW_FAN
from sim.jit import new
from sim.rules.compile import compile_rules
from sim.tiles import format_kinds
from sim.tournament.events import describe_patterns
from tests.golden.engines import FORMS, LOOKUP
from tests.reference import fan as reference_fan
from tests.reference import hands as reference_hands
from tests.reference.records import Meld

if TYPE_CHECKING:
    from sim.rules import Preset


@dataclass(frozen=True)
class Judged:
    """What an engine says of a hand: of its waits if it may still wait, of the win if there is a winning tile."""

    waits: str = ""
    highest_value: int = 0
    complete: bool = False
    patterns: dict[str, int] | None = None
    fan: int | None = None
    value: int | None = None


@dataclass(frozen=True)
class WrittenHand:
    """A hand as a case gives it."""

    counts: tuple[int, ...]
    melds: tuple[tuple[str, int], ...]  # form and kind
    void: int
    win: int | None
    is_dealt: bool
    self_draw: bool
    situation: tuple[str, ...]


def form_of(name: str) -> str:
    """Return the form of a meld that a case names, such as "exposed kong"; raises KeyError."""
    return FORMS[name]


def judge(engine: str, hand: WrittenHand, preset: Preset) -> Judged:
    """Let an engine judge a hand."""
    return (_judge_fast if engine == "fast" else _judge_reference)(hand, preset)


def _judge_fast(written: WrittenHand, preset: Preset) -> Judged:
    records, rule_records = new(Hand), compile_rules(preset)
    hand, rules, lookup = records[0], rule_records[0], LOOKUP[0]
    for kind, count in enumerate(written.counts):
        for _ in range(count):
            add_tile(hand, kind)
    numbers = {"pung": PUNG, "concealed": CONCEALED_KONG, "exposed": EXPOSED_KONG, "added": ADDED_KONG}
    for meld, (form, kind) in enumerate(written.melds):
        hand.meld_kinds[meld], hand.meld_forms[meld] = kind, numbers[form]
        if form == "pung":
            hand.pungs |= 1 << kind
        else:
            hand.kongs |= 1 << kind
    hand.count_melds = len(written.melds)
    hand.void_suit = written.void
    before = hand.tobytes()
    waits, highest = 0, 0
    if not written.is_dealt:
        waits = int(mark_waits(hand, lookup))
        highest = int(highest_value(hand, waits, rules, lookup))
    situation = sum(1 << PATTERNS.index(name) for name in written.situation)
    if written.self_draw and rules.win_self_draw == ADD_FAN:
        situation |= 1 << SELF_DRAW_FAN
    named = format_kinds(kind for kind in range(27) if waits >> kind & 1)
    judged = Judged(named, highest)
    if written.is_dealt or (written.win is not None and waits >> written.win & 1):
        if written.is_dealt and not is_complete(hand, lookup):
            return judged
        kind = NONE if written.win is None else written.win
        score = score_hand(hand, kind, situation, rules, lookup)
        fan = int(score_fan(score))
        judged = Judged(named, highest, True, describe_patterns(score, rules), fan, int(value_of(fan, rules)))
    assert hand.tobytes() == before, "judging changed the hand"
    return judged


def _judge_reference(written: WrittenHand, preset: Preset) -> Judged:
    melds = [Meld(form, kind, None if form == "concealed" else 0) for form, kind in written.melds]
    counts = list(written.counts)
    waits, highest = [], 0
    if not written.is_dealt:
        waits = reference_hands.waits(counts, melds, written.void)
        highest = reference_fan.highest_value(preset, counts, melds, written.void)
    if written.win is not None:
        counts[written.win] += 1
    is_won = written.win in waits if written.win is not None else written.is_dealt
    if not (
        is_won and reference_hands.is_cleared(counts, written.void) and reference_hands.is_complete(counts, len(melds))
    ):
        return Judged(format_kinds(waits), highest)
    score = reference_fan.score_win(preset, counts, melds, written.win, written.situation, self_drawn=written.self_draw)
    return Judged(format_kinds(waits), highest, True, score.patterns, score.fan, score.value)
