"""What a hand is worth while it is played: the points it can be expected to win, less what staying costs.

A hand is worth what its best route promises (`strategies.prospects`): useful tiles that are live, weighted by what the
finished hand pays under the preset, with its roots and its cap. A ready hand is read exactly, wait by wait. A second
route nearly as good adds a little, since the next tile may decide, and so do triplets that may become kongs. Modelled
on the medium and hard levels of public Blood Battle programs, which rank discards by useful tiles and then by value
within the cap; here both are one number, so that a cap, a preset's patterns and the time left all tell. Not in here:
danger (`strategies.danger`).
"""

from sim.engine.hands.hand import ALL_KINDS, SUITS, Hand, count_kinds, is_cleared, kinds_of_suit, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, mark_useful
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.rules import ABSENT, ALL_PUNGS, FULL_FLUSH, ROOT, SEVEN_PAIRS, Rules
from sim.engine.sichuan.table import SEATS, Table, count_live
from strategies.compiling import helper, inlined_helper
from strategies.prospects import (
    ANY_HAND,
    MOST_LACKING,
    ONE_SUIT,
    PAIRS_ONLY,
    PUNGS_ONLY,
    payment_of,
    prospect_of,
)
from strategies.reading import Reading, chance_of_draw, thrown_for_each
from strategies.routes import lacking_for_one_suit, lacking_for_pairs, lacking_for_pungs

_CLAIMED = 1.2
"""How much of the tiles that others throw counts for a pung: more than for a win, since hands are then earlier."""
_FARTHER = 5
"""A route may lack so many tiles more than the shortest way to ready."""
_FLUSH_FACTOR, _PUNGS_FACTOR, _PAIRS_FACTOR = 1.2, 1.1, 0.9
"""What a hand of a route pays over its plain value: other patterns that come with it."""
_SECOND_ROUTE = 0.4
"""Points for a second route that promises as much as the best one."""
_KONG_SHARE = 0.5
"""How much of a kong still to come counts."""


@inlined_helper
def count_live_in(mask: int, live_1: int, live_2: int, live_4: int) -> int:
    """Return how many live tiles some kinds have together.

    Parameters
    ----------
    mask : int64, read
        Mask of the kinds.
    live_1 : int64, read
        Kinds of which an odd number of tiles is live, as of `strategies.common.count_live_binary`.
    live_2 : int64, read
        Kinds whose number of live tiles has the second binary digit.
    live_4 : int64, read
        Kinds of which all four tiles are live.
    """
    return count_kinds(mask & live_1) + 2 * count_kinds(mask & live_2) + 4 * count_kinds(mask & live_4)


@helper
def worth_ready(hand: Hand, table: Table, rules: Rules, lookup: Lookup, rounds: int, reading: Reading) -> float:
    """Return what a ready hand is worth: each wait by its live tiles and by what the hand that it completes pays.

    Parameters
    ----------
    hand : Hand, changed
        A cleared hand of 13 tiles (fewer three for each meld) with waits; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    rounds : int64, read
        Turns to expect.
    reading : tuple of 6 float64, read
        What the table tells (`strategies.reading`).
    """
    waits = mark_useful(hand, hand.void_suit, lookup)
    total, value, payment = 0.0, 0.0, 0.0
    for index in range(SUITS):
        suit = hand.suit_order[index]
        part = waits & kinds_of_suit(suit)
        weight = chance_of_draw(reading, suit) * (1.0 + thrown_for_each(reading, suit))
        while part:
            kind = lowest_kind(part)
            part &= part - 1
            chance = weight * count_live(hand, table, kind)
            if chance > 0.0:
                fan = score_fan(score_hand(hand, kind, 0, rules, lookup))
                total += chance
                value += chance * value_of(fan, rules)
                payment += chance * payment_of(fan, rules)
    if total == 0.0:
        return prospect_of(table, rules, ANY_HAND, 1, 0.0, rounds, 1.0, payment_of(0, rules))
    return prospect_of(table, rules, ANY_HAND, 1, total, rounds, value / total, payment / total)


@helper
def chance_to_advance(
    hand: Hand, useful: int, pairs: int, lacking: int, live_1: int, live_2: int, live_4: int, reading: Reading
) -> float:
    """Return the chance of a useful tile in a round: drawn, won on if it is the last one lacking, or punged.

    Parameters
    ----------
    hand : Hand, read
        The hand, for its order of the suits.
    useful : int64, read
        Mask of the useful kinds.
    pairs : int64, read
        Mask of the kinds that could be punged.
    lacking : int64, read
        Tiles lacking.
    live_1 : int64, read
        Live tiles in binary digits, as of `strategies.common.count_live_binary`.
    live_2 : int64, read
        The second digit.
    live_4 : int64, read
        The third digit.
    reading : tuple of 6 float64, read
        What the table tells (`strategies.reading`).
    """
    chance = 0.0
    for index in range(SUITS):
        suit = hand.suit_order[index]
        part = useful & kinds_of_suit(suit)
        if part:
            thrown = thrown_for_each(reading, suit)
            tiles = float(count_live_in(part, live_1, live_2, live_4))
            if lacking == 1:
                tiles *= 1.0 + thrown
            elif part & pairs:
                tiles += _CLAIMED * thrown * count_live_in(part & pairs, live_1, live_2, live_4)
            chance += tiles * chance_of_draw(reading, suit)
    return chance


@inlined_helper
def worth_of_kongs(
    hand: Hand, table: Table, rules: Rules, counted: int, rounds: int, reading: Reading, live_1: int
) -> float:
    """Return what the kongs that a hand may still make are worth, in points.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    counted : int64, read
        Mask of the kinds that count.
    rounds : int64, read
        Turns to expect.
    reading : tuple of 6 float64, read
        What the table tells (`strategies.reading`).
    live_1 : int64, read
        Kinds of which an odd number of tiles is live.
    """
    others = SEATS - 1 - table.count_wins
    triples = count_kinds(hand.at_least[2] & ~hand.at_least[3] & counted & live_1)
    drawn = min(0.5, 3.0 * rounds / (reading[0] + reading[1] + reading[2]))
    concealed = others * (rules.kong_concealed + 0.5 * rules.kong_exposed)
    return _KONG_SHARE * drawn * (triples * concealed + count_kinds(hand.pungs & live_1) * others * rules.kong_added)


@helper
def worth_of_hand(
    hand: Hand,
    table: Table,
    rules: Rules,
    lookup: Lookup,
    void_suit: int,
    rounds: int,
    reading: Reading,
    live_1: int,
    live_2: int,
    live_4: int,
) -> float:
    """Return what a hand is worth, in points.

    Parameters
    ----------
    hand : Hand, changed
        A hand of 13 tiles or fewer, not counting melds; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    void_suit : int64, read
        The suit whose tiles do not count.
    rounds : int64, read
        Turns to expect.
    reading : tuple of 6 float64, read
        What the table tells (`strategies.reading`).
    live_1 : int64, read
        Live tiles in binary digits, as of `strategies.common.count_live_binary`; those of the void suit do not matter.
    live_2 : int64, read
        The second digit.
    live_4 : int64, read
        The third digit.
    """
    counted = ALL_KINDS & ~kinds_of_suit(void_suit)
    root = 0 if rules.fan[ROOT] == ABSENT else int(rules.fan[ROOT])
    whole = counted & (hand.at_least[3] | hand.kongs | (hand.pungs & hand.at_least[0]))
    shanten = count_shanten(hand, void_suit, lookup)
    if shanten == 0 and void_suit == hand.void_suit and is_cleared(hand):
        best = worth_ready(hand, table, rules, lookup, rounds, reading)
    else:
        useful = mark_useful(hand, void_suit, lookup)
        lacking = max(1, shanten + 1)
        rate = chance_to_advance(hand, useful, hand.at_least[1], lacking, live_1, live_2, live_4, reading)
        fan = root * count_kinds(whole)
        best = prospect_of(
            table, rules, ANY_HAND, lacking, rate, rounds, float(value_of(fan, rules)), payment_of(fan, rules)
        )
    second = best - 1.0

    for way in range(SUITS + 1):
        pool = counted
        if way < SUITS:
            if way == void_suit or rules.fan[FULL_FLUSH] == ABSENT:
                continue
            lacking, useful = lacking_for_one_suit(hand, way, lookup)
            pool = kinds_of_suit(way)
            route, fan, factor = ONE_SUIT, int(rules.fan[FULL_FLUSH]), _FLUSH_FACTOR
        else:
            if rules.fan[ALL_PUNGS] == ABSENT:
                continue
            lacking, useful = lacking_for_pungs(hand, void_suit)
            route, fan, factor = PUNGS_ONLY, int(rules.fan[ALL_PUNGS]), _PUNGS_FACTOR
        if lacking <= 0 or lacking > min(MOST_LACKING, shanten + _FARTHER):
            continue
        rate = chance_to_advance(hand, useful, hand.at_least[1], lacking, live_1, live_2, live_4, reading)
        fan += root * count_kinds(whole & pool)
        value, payment = factor * value_of(fan, rules), factor * payment_of(fan, rules)
        worth = prospect_of(table, rules, route, lacking, rate, rounds, value, payment)
        second = max(second, min(best, worth))
        best = max(best, worth)
    if rules.fan[SEVEN_PAIRS] != ABSENT:
        lacking, useful = lacking_for_pairs(hand, void_suit)
        if 0 < lacking <= min(MOST_LACKING, shanten + _FARTHER):
            rate = chance_to_advance(hand, useful, 0, lacking, live_1, live_2, live_4, reading)
            fan = int(rules.fan[SEVEN_PAIRS]) + root * count_kinds(whole)
            value, payment = _PAIRS_FACTOR * value_of(fan, rules), _PAIRS_FACTOR * payment_of(fan, rules)
            worth = prospect_of(table, rules, PAIRS_ONLY, lacking, rate, rounds, value, payment)
            second = max(second, min(best, worth))
            best = max(best, worth)
    return (
        best
        + _SECOND_ROUTE * max(0.0, 1.0 - (best - second))
        + worth_of_kongs(hand, table, rules, counted, rounds, reading, live_1)
    )
