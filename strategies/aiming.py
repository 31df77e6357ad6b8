"""Play by worth: every choice is the one after which the hand is worth most, less the danger of the discard.

Exchange, void suit, discards, pungs and kongs are all judged by the one number of `strategies.worth`, so that a route
is taken up, kept and given up for what it promises. `caution` weighs the danger of a discard (`strategies.danger`); any
but 0 also reads the opponents' void suits (`strategies.reading`). `patience` is by how much a win on a discard must
beat staying in the deal. Not in here: strategies; `value` and `defence` are made of this.
"""

from sim.engine.hands.hand import (
    ALL_KINDS,
    NONE,
    SUITS,
    Hand,
    add_tile,
    count_kinds,
    kinds_of_suit,
    lowest_kind,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import CLAIM, KONG_ACTION, PASS_ACTION, PUNG_ACTION, SEATS, WIN_ACTION, Table
from strategies.common import count_live_binary, first_kind, held_void_kinds
from strategies.compiling import helper, inlined_helper
from strategies.danger import danger_of
from strategies.opening import take_loneliest
from strategies.prospects import count_rounds
from strategies.reading import Reading, read_nothing, read_opponents
from strategies.worth import worth_of_hand, worth_ready

_NEVER = -1e9
"""Less than anything is worth."""
_FIRST_ROUNDS = 14
"""Turns to expect before play begins."""
_THROWN_MEANWHILE = 3
"""Tiles of the void suit that are thrown without losing time; each one more costs a turn."""


@helper
def worth_with_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup, suit: int) -> float:
    """Return what a hand is worth before play begins with one suit void.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    suit : int64, read
        The suit.
    """
    counted = ALL_KINDS & ~kinds_of_suit(suit)
    held_1, held_2, held_3, held_4 = hand.at_least[0], hand.at_least[1], hand.at_least[2], hand.at_least[3]
    live_1 = counted & ((held_1 & ~held_2) | (held_3 & ~held_4))
    live_2 = counted & held_1 & ~held_3
    live_4 = counted & ~held_1
    rounds = _FIRST_ROUNDS - max(0, int(hand.sizes[suit]) - _THROWN_MEANWHILE)
    reading = read_nothing(table)
    return worth_of_hand(hand, table, rules, lookup, suit, rounds, reading, live_1, live_2, live_4)


@helper
def choose_void_suit_by_worth(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Return the void suit with which the hand is worth most.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    best, most = NONE, _NEVER
    for index in range(SUITS):
        suit = hand.suit_order[index]
        worth = worth_with_void_suit(hand, table, rules, lookup, suit)
        if worth > most:
            best, most = suit, worth
    return best


@helper
def choose_exchange_by_worth(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Return the exchange after which the hand is worth most: for each suit its least connected tiles are tried out.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    best, most = NONE, _NEVER
    for index in range(SUITS):
        suit = hand.suit_order[index]
        if hand.sizes[suit] < rules.exchange_count:
            continue
        packed = take_loneliest(hand, suit, rules.exchange_count)
        worth = _NEVER
        for void_suit in range(SUITS):
            worth = max(worth, worth_with_void_suit(hand, table, rules, lookup, void_suit))
        for place in range(rules.exchange_count):
            add_tile(hand, (packed >> (5 * place)) & 31)
        if worth > most or best == NONE:
            best, most = packed, worth
    return best


@inlined_helper
def worth_after_discard(
    hand: Hand,
    table: Table,
    rules: Rules,
    lookup: Lookup,
    kind: int,
    rounds: int,
    caution: float,
    reading: Reading,
    live_1: int,
    live_2: int,
    live_4: int,
) -> float:
    """Return what a hand is worth after a discard, less the danger of it.

    Parameters
    ----------
    hand : Hand, changed
        A hand of 14 tiles (fewer three for each meld); left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    kind : int64, read
        Kind of the discard, which is held.
    rounds : int64, read
        Turns to expect.
    caution : float64, read
        Weight of the danger; 0 for none.
    reading : tuple of 6 float64, read
        What the table tells (`strategies.reading`).
    live_1 : int64, read
        Live tiles in binary digits, as of `strategies.common.count_live_binary`.
    live_2 : int64, read
        The second digit.
    live_4 : int64, read
        The third digit.
    """
    danger = caution * danger_of(hand, table, kind) if caution > 0.0 else 0.0
    remove_tile(hand, kind)
    worth = worth_of_hand(hand, table, rules, lookup, hand.void_suit, rounds, reading, live_1, live_2, live_4)
    add_tile(hand, kind)
    return float(worth - danger)


@helper
def best_discard(
    hand: Hand, table: Table, rules: Rules, lookup: Lookup, kinds: int, rounds: int, caution: float
) -> tuple[int, float]:
    """Return the discard after which a hand is worth most, less its danger, and that number.

    Parameters
    ----------
    hand : Hand, changed
        A hand of 14 tiles (fewer three for each meld); left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    kinds : int64, read
        Mask of the held kinds to choose from, at least one.
    rounds : int64, read
        Turns to expect.
    caution : float64, read
        Weight of the danger; 0 for none.
    """
    live_1, live_2, live_4 = count_live_binary(hand, table)
    reading = read_opponents(hand, table) if caution > 0.0 else read_nothing(table)
    best, most = NONE, _NEVER
    while kinds:
        kind = first_kind(hand, kinds)
        kinds &= ~(1 << kind)
        worth = worth_after_discard(hand, table, rules, lookup, kind, rounds, caution, reading, live_1, live_2, live_4)
        if worth > most:
            best, most = kind, worth
    return best, most


@helper
def worth_with_meld(
    hand: Hand, table: Table, rules: Rules, lookup: Lookup, kind: int, tiles: int, rounds: int, caution: float
) -> float:
    """Return what a hand is worth once some of its tiles were declared as a meld, after a pung with the best discard.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    kind : int64, read
        Kind of the meld.
    tiles : int64, read
        Concealed tiles of it that leave the hand: 2 for a pung, 3 for an exposed kong, 4 for a concealed kong, 1 for a
        kong that is added to a pung.
    rounds : int64, read
        Turns to expect.
    caution : float64, read
        Weight of a discard's danger.
    """
    tile = 1 << kind
    for _ in range(tiles):
        remove_tile(hand, kind)
    if tiles == 1:
        hand.pungs &= ~tile
    else:
        hand.count_melds += 1
    if tiles == 2:
        hand.pungs |= tile
        _, worth = best_discard(hand, table, rules, lookup, hand.at_least[0], rounds, caution)
        hand.pungs &= ~tile
    else:
        hand.kongs |= tile
        live_1, live_2, live_4 = count_live_binary(hand, table)
        reading = read_opponents(hand, table) if caution > 0.0 else read_nothing(table)
        worth = worth_of_hand(hand, table, rules, lookup, hand.void_suit, rounds, reading, live_1, live_2, live_4)
        hand.kongs &= ~tile
    if tiles == 1:
        hand.pungs |= tile
    else:
        hand.count_melds -= 1
    for _ in range(tiles):
        add_tile(hand, kind)
    return worth


@helper
def choose_turn_by_worth(hand: Hand, table: Table, rules: Rules, lookup: Lookup, caution: float) -> int:
    """Return the action of a turn: a win, else the discard or kong after which the hand is worth most.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    caution : float64, read
        Weight of a discard's danger.
    """
    if hand.legal_win:
        return WIN_ACTION
    rounds = count_rounds(table)
    kinds = hand.legal_discards
    void = held_void_kinds(hand)
    if void:
        kinds = void
        if caution == 0.0:
            kinds = void & -void  # they are all alike to the own hand
    if hand.legal_kongs == 0 and count_kinds(kinds) == 1:
        return lowest_kind(kinds)
    action, most = best_discard(hand, table, rules, lookup, kinds, rounds, caution)
    others = SEATS - 1 - table.count_wins
    kongs = hand.legal_kongs
    while kongs:
        kind = first_kind(hand, kongs)
        kongs &= ~(1 << kind)
        if (hand.pungs >> kind) & 1:
            worth = worth_with_meld(hand, table, rules, lookup, kind, 1, rounds + 1, caution)
            worth += others * rules.kong_added
            if caution > 0.0:
                worth -= caution * danger_of(hand, table, kind)
        else:
            worth = worth_with_meld(hand, table, rules, lookup, kind, 4, rounds + 1, caution)
            worth += others * rules.kong_concealed
        if worth > most:
            action, most = KONG_ACTION + kind, worth
    return action


@helper
def should_win(hand: Hand, table: Table, rules: Rules, lookup: Lookup, caution: float, patience: float) -> bool:
    """Tell whether a win on a discard beats staying in the deal by some points.

    A self-drawn win is paid by everybody: a hand open to many tiles early in the deal can be worth more than the least
    value of a discard.

    Parameters
    ----------
    hand : Hand, changed
        The hand in a claim in which winning is legal; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    caution : float64, read
        Not 0 if the opponents' void suits are read.
    patience : float64, read
        Points by which the win must beat staying.
    """
    value = value_of(score_fan(score_hand(hand, table.tile, 0, rules, lookup)), rules)
    reading = read_opponents(hand, table) if caution > 0.0 else read_nothing(table)
    stay = worth_ready(hand, table, rules, lookup, count_rounds(table), reading)
    return bool(value >= stay + patience)


@helper
def choose_claim_by_worth(
    hand: Hand, table: Table, rules: Rules, lookup: Lookup, caution: float, patience: float
) -> int:
    """Return the action for a claim: a win if it pays, else the pung or kong that makes the hand worth more, or a pass.

    Parameters
    ----------
    hand : Hand, changed
        The hand; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    caution : float64, read
        Weight of a discard's danger.
    patience : float64, read
        As of `should_win`.
    """
    if hand.legal_win:
        if table.decision != CLAIM or should_win(hand, table, rules, lookup, caution, patience):
            return WIN_ACTION
        return PASS_ACTION
    if hand.legal_pung == 0 and hand.legal_kongs == 0:
        return PASS_ACTION
    rounds = count_rounds(table)
    live_1, live_2, live_4 = count_live_binary(hand, table)
    reading = read_opponents(hand, table) if caution > 0.0 else read_nothing(table)
    action, kind = PASS_ACTION, table.tile
    most = worth_of_hand(hand, table, rules, lookup, hand.void_suit, rounds, reading, live_1, live_2, live_4)
    if hand.legal_pung:
        worth = worth_with_meld(hand, table, rules, lookup, kind, 2, rounds, caution)
        if worth > most:
            action, most = PUNG_ACTION, worth
    if hand.legal_kongs:
        worth = worth_with_meld(hand, table, rules, lookup, kind, 3, rounds + 1, caution) + rules.kong_exposed
        if worth > most:
            action = KONG_ACTION + kind
    return action
