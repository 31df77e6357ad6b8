"""What a complete hand is worth (rules, chapter 5): patterns, the best reading, fan, hand value.

Where a hand can be read in several ways, all patterns are judged on one reading: the one with the most fan before the
cap; on equal fan a standard one before seven pairs, then one with all_pungs, then one with pair_wait. A *score* is one
int64: the mask of the patterns that hold, SELF_DRAW_FAN among them, then the number of roots from bit 16, then the fan
before the cap from bit 24. A pattern that is worth 0 is in the mask, one that the preset does not have never is. Not in
here: payments, and which situational patterns hold (`sim.engine.sichuan.wins`).
"""

from sim.engine.hands.build import ANY_GROUPS, PUNGS_ONLY
from sim.engine.hands.hand import (
    NONE,
    POWERS,
    RANKS,
    SUITS,
    Hand,
    add_tile,
    count_kinds,
    kinds_of_suit,
    lowest_kind,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import PAIRS
from sim.engine.sichuan.rules import (
    ABSENT,
    ALL_PUNGS,
    ALL_PUNGS_258,
    FULL_FLUSH,
    GOLDEN_WAIT,
    KONG_DRAW,
    LAST_TILE,
    OUTSIDE_HAND,
    PAIR_WAIT,
    ROOT,
    SELF_DRAW_FAN,
    SEVEN_PAIRS,
    Rules,
)
from sim.jit import inlined, kernel

_EVERY_SUIT = 1 | 1 << RANKS | 1 << 2 * RANKS
TERMINALS = 0b100000001 * _EVERY_SUIT
"""Mask of the kinds of rank 1 and 9."""
KINDS_258 = 0b010010010 * _EVERY_SUIT
"""Mask of the kinds of rank 2, 5 and 8."""

_ROOTS_AT, _FAN_AT = 16, 24
_PATTERNS = (1 << _ROOTS_AT) - 1
# A reading is one int64 as well, the greater the better: its patterns, what decides between readings of equal fan
# (standard, all_pungs, pair_wait, and last a worthless outside_hand), and its fan above all.
_IS_OUTSIDE, _IS_PAIR_WAIT, _IS_ALL_PUNGS, _IS_STANDARD = 1 << 16, 1 << 17, 1 << 18, 1 << 19
_READING_FAN_AT = 20


@inlined
def score_patterns(score: int) -> int:
    """Return the mask of a score's patterns.

    Parameters
    ----------
    score : int64, read
        The score.
    """
    return score & _PATTERNS


@inlined
def score_roots(score: int) -> int:
    """Return how many roots a score counts.

    Parameters
    ----------
    score : int64, read
        The score.
    """
    return (score >> _ROOTS_AT) & 0xFF


@inlined
def score_fan(score: int) -> int:
    """Return a score's fan before the cap.

    Parameters
    ----------
    score : int64, read
        The score.
    """
    return score >> _FAN_AT


@inlined
def value_of(fan: int, rules: Rules) -> int:
    """Return the hand value, in points.

    Parameters
    ----------
    fan : int64, read
        Fan before the cap.
    rules : Rules, read
        The preset.
    """
    return 1 << min(fan, int(rules.fan_cap))


@inlined
def _add_pattern(reading: int, pattern: int, rules: Rules) -> int:
    """Return a reading with one more pattern, or as it was if the preset does not have the pattern.

    Parameters
    ----------
    reading : int64, read
        The reading.
    pattern : int64, read
        Index of the pattern.
    rules : Rules, read
        The preset.
    """
    fan = int(rules.fan[pattern])
    if fan == ABSENT:
        return reading
    return (reading | 1 << pattern) + (fan << _READING_FAN_AT)


@kernel
def _judge_standard(is_pungs: int, is_258: int, is_outside: int, is_pair: int, is_golden: int, rules: Rules) -> int:
    """Return a standard reading with its patterns.

    Parameters
    ----------
    is_pungs : int64, read
        1 if all four groups are pungs or kongs.
    is_258 : int64, read
        1 if every tile is of rank 2, 5 or 8.
    is_outside : int64, read
        1 if every group and the pair have a 1 or a 9.
    is_pair : int64, read
        1 if the winning tile is in the pair.
    is_golden : int64, read
        1 if all four groups are declared.
    rules : Rules, read
        The preset.
    """
    reading = _IS_STANDARD
    if is_pungs:
        is_replaced = is_258 and rules.fan[ALL_PUNGS_258] != ABSENT
        reading = _add_pattern(reading, ALL_PUNGS_258 if is_replaced else ALL_PUNGS, rules)
    if is_outside:
        reading = _add_pattern(reading, OUTSIDE_HAND, rules)
    if is_pair:
        reading = _add_pattern(reading, PAIR_WAIT, rules)
        if is_golden:
            reading = _add_pattern(reading, GOLDEN_WAIT, rules)
    if (reading >> ALL_PUNGS) & 1:
        reading |= _IS_ALL_PUNGS
    if (reading >> PAIR_WAIT) & 1:
        reading |= _IS_PAIR_WAIT
    if (reading >> OUTSIDE_HAND) & 1:
        reading |= _IS_OUTSIDE
    return reading


@kernel
def _read_standard(hand: Hand, kind: int, rules: Rules, lookup: Lookup) -> int:
    """Return the best standard reading of a hand, NONE if there is none.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld).
    kind : int64, read
        Kind of the winning tile, one of the concealed tiles; NONE if it may be any of them.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        The suit tables.
    """
    # Two tiles more than groups have: the pair is in that suit. In every other suit the tiles must be groups only.
    pair_suit = NONE
    ways = 0b1111
    for suit in range(SUITS):
        if hand.sizes[suit] % 3 == 2:
            pair_suit = suit
        else:
            ways &= int(lookup.ways[hand.keys[suit]])
    if pair_suit == NONE or ways == 0:
        return NONE
    melds = hand.pungs | hand.kongs
    if melds & ~TERMINALS:
        ways &= ANY_GROUPS | PUNGS_ONLY
    is_258 = int((hand.at_least[0] | melds) & ~KINDS_258 == 0)
    is_golden = int(hand.count_melds == 4)

    best = NONE
    pairs = hand.at_least[1] & kinds_of_suit(pair_suit)
    while pairs:
        pair = lowest_kind(pairs)
        pairs &= pairs - 1
        key = hand.keys[pair_suit] - 2 * POWERS[pair - RANKS * pair_suit]
        found = ways & int(lookup.ways[key])
        if not (TERMINALS >> pair) & 1:
            found &= ANY_GROUPS | PUNGS_ONLY
        # Bit 0 says that there is a reading, bit 1 with pungs only, bit 2 outside, bit 3 both. The bits are judged one
        # by one; to read such a hand as less than it is is never the best.
        for way in range(4):
            if (found >> way) & 1:
                is_pair = int(kind in (NONE, pair))
                best = max(best, _judge_standard(way & 1, is_258, way >> 1, is_pair, is_golden, rules))
    return best


@inlined
def count_roots(hand: Hand) -> int:
    """Return of how many kinds a hand and its melds hold all four tiles.

    Parameters
    ----------
    hand : Hand, read
        The hand, the winning tile in it.
    """
    return count_kinds(hand.at_least[3] | hand.kongs | (hand.pungs & hand.at_least[0]))


@kernel
def score_complete(hand: Hand, kind: int, situation: int, rules: Rules, lookup: Lookup) -> int:
    """Return the score of a complete hand's best reading, NONE if the hand is not complete.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld), the winning tile among the concealed ones.
    kind : int64, read
        Kind of the winning tile; NONE for the dealer's dealt fourteen, where it is chosen for the most fan.
    situation : int64, read
        Mask of the situational patterns that hold, and SELF_DRAW_FAN if a self-draw adds a fan.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        The suit tables.
    """
    best = _read_standard(hand, kind, rules, lookup)
    if hand.count_melds == 0 and count_kinds(hand.at_least[1]) + count_kinds(hand.at_least[3]) == PAIRS:
        best = max(best, _add_pattern(0, SEVEN_PAIRS, rules))
    if best == NONE:
        return NONE

    # What does not depend on the reading.
    held = hand.at_least[0] | hand.pungs | hand.kongs
    if held & ~kinds_of_suit(lowest_kind(held) // RANKS) == 0:
        best = _add_pattern(best, FULL_FLUSH, rules)
    for pattern in range(KONG_DRAW, LAST_TILE + 1):
        if (situation >> pattern) & 1:
            best = _add_pattern(best, pattern, rules)
    fan, patterns = best >> _READING_FAN_AT, best & _PATTERNS
    if (situation >> SELF_DRAW_FAN) & 1:
        fan += 1
        patterns |= 1 << SELF_DRAW_FAN
    roots = 0
    if rules.fan[ROOT] != ABSENT:
        roots = count_roots(hand)
        fan += roots * rules.fan[ROOT]
        if roots > 0:
            patterns |= 1 << ROOT
    return int(patterns | roots << _ROOTS_AT | fan << _FAN_AT)


@kernel
def score_hand(hand: Hand, kind: int, situation: int, rules: Rules, lookup: Lookup) -> int:
    """Return the score of a hand that a tile completes, NONE if it does not.

    Parameters
    ----------
    hand : Hand, changed
        A hand of 13 tiles (fewer three for each meld); the same again afterwards. The dealer's dealt fourteen, if no
        tile is given.
    kind : int64, read
        Kind of the winning tile; NONE for the dealer's dealt fourteen, where it is chosen for the most fan.
    situation : int64, read
        Mask of the situational patterns that hold, and SELF_DRAW_FAN if a self-draw adds a fan.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        The suit tables.
    """
    if kind == NONE:
        return score_complete(hand, NONE, situation, rules, lookup)
    add_tile(hand, kind)
    score = score_complete(hand, kind, situation, rules, lookup)
    remove_tile(hand, kind)
    return score


@kernel
def highest_value(hand: Hand, waits: int, rules: Rules, lookup: Lookup) -> int:
    """Return the highest structural value that a ready hand can have, in points, 0 without waits (rules, chapter 7).

    Parameters
    ----------
    hand : Hand, changed
        A hand of 13 tiles (fewer three for each meld); the same again afterwards.
    waits : int64, read
        Mask of the kinds that complete it.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        The suit tables.
    """
    highest = 0
    while waits:
        kind = lowest_kind(waits)
        waits &= waits - 1
        highest = max(highest, value_of(score_fan(score_hand(hand, kind, 0, rules, lookup)), rules))
    return highest
