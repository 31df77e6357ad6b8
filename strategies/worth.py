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
    DRAWN_SHARES,
    MOST_LACKING,
    ONE_SUIT,
    PAIRS_ONLY,
    PUNGS_ONLY,
    payment_of,
    prospect_of,
)
from strategies.routes import lacking_for_one_suit, lacking_for_pairs, lacking_for_pungs

_CLAIMED = 0.75
"""How much each opponent adds to the chance of a tile that can be punged: part of what it adds to a win's."""
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
def worth_ready(hand: Hand, table: Table, rules: Rules, lookup: Lookup, rounds: int, unseen: int) -> float:
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
    unseen : int64, read
        Tiles that the player has not seen.
    """
    waits = mark_useful(hand, hand.void_suit, lookup)
    total, value, payment = 0, 0.0, 0.0
    while waits:
        kind = lowest_kind(waits)
        waits &= waits - 1
        live = count_live(hand, table, kind)
        if live > 0:
            fan = score_fan(score_hand(hand, kind, 0, rules, lookup))
            total += live
            value += live * value_of(fan, rules)
            payment += live * payment_of(fan, rules)
    if total == 0:
        return prospect_of(table, rules, ANY_HAND, 1, 0.0, rounds, 1.0, payment_of(0, rules))
    rate = total / (unseen * DRAWN_SHARES[min(SEATS - 2, table.count_wins)])
    return prospect_of(table, rules, ANY_HAND, 1, rate, rounds, value / total, payment / total)


@helper
def worth_of_route(
    hand: Hand,
    table: Table,
    rules: Rules,
    route: int,
    lacking: int,
    fan: int,
    factor: float,
    live: int,
    live_pungs: int,
    rounds: int,
    unseen: int,
) -> float:
    """Return what a hand is worth on one route.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    route : int64, read
        The route.
    lacking : int64, read
        Tiles lacking, at least 1.
    fan : int64, read
        Fan to expect.
    factor : float64, read
        What the hand is expected to pay over the value of that fan.
    live : int64, read
        Live useful tiles.
    live_pungs : int64, read
        Those among them that could be punged.
    rounds : int64, read
        Turns to expect.
    unseen : int64, read
        Tiles that the player has not seen.
    """
    if lacking == 1:
        rate = live / (unseen * DRAWN_SHARES[min(SEATS - 2, table.count_wins)])
    else:
        rate = (live + _CLAIMED * (SEATS - 1 - table.count_wins) * live_pungs) / unseen
    value, payment = factor * value_of(fan, rules), factor * payment_of(fan, rules)
    return prospect_of(table, rules, route, lacking, rate, rounds, value, payment)


@inlined_helper
def worth_of_kongs(
    hand: Hand, table: Table, rules: Rules, counted: int, rounds: int, unseen: int, live_1: int
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
    unseen : int64, read
        Tiles that the player has not seen.
    live_1 : int64, read
        Kinds of which an odd number of tiles is live.
    """
    others = SEATS - 1 - table.count_wins
    triples = count_kinds(hand.at_least[2] & ~hand.at_least[3] & counted & live_1)
    drawn = min(0.5, rounds / unseen)
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
    unseen: int,
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
    unseen : int64, read
        Tiles that the player has not seen.
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
        best = worth_ready(hand, table, rules, lookup, rounds, unseen)
    else:
        useful = mark_useful(hand, void_suit, lookup)
        live = count_live_in(useful, live_1, live_2, live_4)
        pungs = count_live_in(useful & hand.at_least[1], live_1, live_2, live_4)
        fan = root * count_kinds(whole)
        lacking = max(1, shanten + 1)
        best = worth_of_route(hand, table, rules, ANY_HAND, lacking, fan, 1.0, live, pungs, rounds, unseen)
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
        live = count_live_in(useful, live_1, live_2, live_4)
        pungs = count_live_in(useful & hand.at_least[1], live_1, live_2, live_4)
        fan += root * count_kinds(whole & pool)
        worth = worth_of_route(hand, table, rules, route, lacking, fan, factor, live, pungs, rounds, unseen)
        second = max(second, min(best, worth))
        best = max(best, worth)
    if rules.fan[SEVEN_PAIRS] != ABSENT:
        lacking, useful = lacking_for_pairs(hand, void_suit)
        if 0 < lacking <= min(MOST_LACKING, shanten + _FARTHER):
            live = count_live_in(useful, live_1, live_2, live_4)
            fan = int(rules.fan[SEVEN_PAIRS]) + root * count_kinds(whole)
            worth = worth_of_route(hand, table, rules, PAIRS_ONLY, lacking, fan, _PAIRS_FACTOR, live, 0, rounds, unseen)
            second = max(second, min(best, worth))
            best = max(best, worth)
    return (
        best
        + _SECOND_ROUTE * max(0.0, 1.0 - (best - second))
        + worth_of_kongs(hand, table, rules, counted, rounds, unseen, live_1)
    )
