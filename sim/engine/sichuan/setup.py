"""Set-up of a deal: shuffle, deal, exchange, void suits (rules, chapter 2)."""

import numpy as np

from sim.engine.hands.hand import KINDS, NONE, SUITS, Hand, add_tile, remove_tile
from sim.engine.sichuan.deal import (
    DEALT,
    EVENT_DIRECTION,
    EVENT_EXCHANGE,
    EVENT_VOID_SUIT,
    TILES,
    Deal,
    log,
)
from sim.engine.sichuan.payments import clear_ledger
from sim.engine.sichuan.rules import RANDOM, Rules
from sim.engine.sichuan.table import EXCHANGE, MOST_DISCARDS, NOT_WON, SEATS, VOID_SUIT, Table
from sim.jit import inlined, kernel
from sim.rng import DIRECTION_STREAM, LOTS_STREAM, WALL_STREAM, advance_state, is_biased, mix, scale, stream_start

ALL_SEATS = 15
"""Mask of the four seats."""


@kernel
def shuffle_wall(deal: Deal, wall_seed: int) -> None:
    """Shuffle 108 tiles into wall positions 0 to 107, each order equally likely (Fisher and Yates).

    Parameters
    ----------
    deal : Deal, changed
        Its wall is filled.
    wall_seed : int64, read
        The wall seed.
    """
    for position in range(TILES):
        deal.wall[position] = position >> 2
    state = stream_start(np.uint64(wall_seed), WALL_STREAM)
    for last in range(TILES - 1, 0, -1):
        state = advance_state(state)
        word = mix(state)
        while is_biased(word, last + 1):
            state = advance_state(state)
            word = mix(state)
        chosen = scale(word, last + 1)
        kind = deal.wall[last]
        deal.wall[last] = deal.wall[chosen]
        deal.wall[chosen] = kind


@kernel
def draw_direction(wall_seed: int) -> int:
    """Draw the wall's exchange direction: 1 (right), 2 (across) or 3 (left), each equally likely.

    Parameters
    ----------
    wall_seed : int64, read
        The wall seed; all seatings of a wall share the direction.
    """
    state = advance_state(stream_start(np.uint64(wall_seed), DIRECTION_STREAM))
    word = mix(state)
    while is_biased(word, 3):
        state = advance_state(state)
        word = mix(state)
    return 1 + scale(word, 3)


@kernel
def clear_table(table: Table) -> None:
    """Make a table ready for a new deal: nothing of an earlier one is left to be seen.

    Parameters
    ----------
    table : Table, filled
        The table.
    """
    table.turn = 0
    table.tile = NONE
    table.after_kong = 0
    table.after_pung = 0
    table.direction = 0
    table.tiles_left = TILES - DEALT
    table.count_wins = 0
    table.count_discards = 0
    for seat in range(SEATS):
        table.void_suits[seat] = NONE
        table.active[seat] = 1
        table.win_order[seat] = 0
        table.win_forms[seat] = NOT_WON
        table.win_tiles[seat] = NONE
        table.win_from[seat] = NONE
        table.points[seat] = 0
        table.count_melds[seat] = 0
        for meld in range(4):
            table.meld_kinds[seat, meld] = NONE
            table.meld_forms[seat, meld] = NONE
            table.meld_from[seat, meld] = NONE
        for kind in range(KINDS):
            table.thrown[seat, kind] = 0
    for kind in range(KINDS):
        table.seen[kind] = 0
    for discard in range(MOST_DISCARDS):
        table.discard_kinds[discard] = NONE
        table.discard_seats[discard] = NONE
        table.discard_claims[discard] = 0


@kernel
def clear_hand(hand: Hand, seat: int) -> None:
    """Make a hand ready for a new deal; the strategy's parameters stay.

    Parameters
    ----------
    hand : Hand, filled
        The hand.
    seat : int64, read
        Its seat.
    """
    hand.seat = seat
    for kind in range(KINDS):
        hand.counts[kind] = 0
    for suit in range(SUITS):
        hand.keys[suit] = 0
        hand.sizes[suit] = 0
    for index in range(4):
        hand.at_least[index] = 0
        hand.meld_kinds[index] = NONE
        hand.meld_forms[index] = NONE
        hand.given[index] = NONE
        hand.received[index] = NONE
    hand.count_melds = 0
    hand.pungs = 0
    hand.kongs = 0
    hand.void_suit = NONE
    hand.drawn = NONE
    hand.win_locked = 0
    hand.pung_locked = 0
    hand.legal_win = 0
    hand.legal_pung = 0
    hand.legal_kongs = 0
    hand.legal_discards = 0
    for index in range(32):
        hand.memory[index] = 0


@kernel
def order_suits(hand: Hand) -> None:
    """Order the suits by the hand as dealt, a tie-break that follows any relabelling of the suits.

    Parameters
    ----------
    hand : Hand, changed
        Its suit_order is filled: largest base-5 key first.
    """
    first, second, third = 0, 1, 2
    if hand.keys[second] > hand.keys[first]:
        first, second = second, first
    if hand.keys[third] > hand.keys[second]:
        second, third = third, second
        if hand.keys[second] > hand.keys[first]:
            first, second = second, first
    hand.suit_order[0] = first
    hand.suit_order[1] = second
    hand.suit_order[2] = third


@kernel
def clear_deal(deal: Deal) -> None:
    """Make a deal's hidden part ready for a new deal.

    Parameters
    ----------
    deal : Deal, changed
        The deal; wall, wall mode and log flag stay.
    """
    deal.front = DEALT
    deal.back = TILES - 1
    deal.asked = 0
    deal.asked_first = 0
    deal.count_charges = 0
    deal.draws = 0
    deal.exhausted = 0
    deal.count_events = 0
    for seat in range(SEATS):
        deal.queue_next[seat] = 0
        deal.queue_last[seat] = 14 if seat else 13
        deal.answers[seat] = NONE
        deal.waits[seat] = 0
        deal.claimable[seat] = 0
        deal.deal_ins[seat] = 0
        deal.robbed[seat] = 0
        deal.turns[seat] = 0
        deal.statuses[seat] = 0
    clear_ledger(deal)


@kernel
def deal_tiles(deal: Deal, rules: Rules, direction: int) -> None:
    """Deal the wall as it lies, and ask for the exchange, or for the void suits where nothing is exchanged.

    Seat s gets wall positions 13s to 13s + 12, the dealer also 52.

    Parameters
    ----------
    deal : Deal, changed
        A deal whose wall lies ready.
    rules : Rules, read
        The preset.
    direction : int64, read
        Direction in force if the preset says random: 1 (right), 2 (across) or 3 (left).
    """
    clear_table(deal.table)
    clear_deal(deal)
    for seat in range(SEATS):
        hand = deal.hands[seat]
        clear_hand(hand, seat)
        for position in range(13 * seat, 13 * seat + 13):
            add_tile(hand, deal.wall[position])
        if seat == 0:
            add_tile(hand, deal.wall[DEALT - 1])
        order_suits(hand)
    deal.table.direction = direction if rules.exchange_direction == RANDOM else rules.exchange_direction
    log(deal, EVENT_DIRECTION, deal.table.direction, 0, 0, 0, 0, 0)
    deal.table.decision = EXCHANGE if deal.table.direction else VOID_SUIT
    deal.asked = ALL_SEATS
    deal.asked_first = ALL_SEATS


@kernel
def begin_deal(deal: Deal, rules: Rules, wall_seed: int, seating: int) -> None:
    """Shuffle and deal: a pure function of wall seed, seating and preset.

    Parameters
    ----------
    deal : Deal, changed
        The deal; its wall mode, log flag and the hands' parameters are already set.
    rules : Rules, read
        The preset.
    wall_seed : int64, read
        The wall seed.
    seating : int64, read
        Number of the seating, part of the identity of each seat's own lots.
    """
    shuffle_wall(deal, wall_seed)
    deal_tiles(deal, rules, draw_direction(wall_seed))
    for seat in range(SEATS):
        deal.hands[seat].lots = stream_start(np.uint64(wall_seed), LOTS_STREAM + 4 * seating + seat)


@inlined
def packed_kind(packed: int, index: int) -> int:
    """Return one kind of a packed exchange.

    Parameters
    ----------
    packed : int64, read
        Sum of kind[i] * 32 ** i.
    index : int64, read
        Which, 0 to 3.
    """
    return (packed >> (5 * index)) & 31


@kernel
def is_legal_exchange(hand: Hand, rules: Rules, packed: int) -> bool:
    """Tell whether a choice names `exchange.count` held tiles of one suit in ascending order.

    Parameters
    ----------
    hand : Hand, read
        The hand that gives.
    rules : Rules, read
        The preset.
    packed : int64, read
        The choice: sum of kind[i] * 32 ** i.
    """
    if packed < 0 or packed >= 1 << (5 * rules.exchange_count):
        return False
    first = packed_kind(packed, 0)
    before = first
    same = 0
    for index in range(rules.exchange_count):
        kind = packed_kind(packed, index)
        if kind >= KINDS or kind // 9 != first // 9 or kind < before:
            return False
        same = same + 1 if kind == before else 1
        if hand.counts[kind] < same:
            return False
        before = kind
    return True


@kernel
def exchange_tiles(deal: Deal, rules: Rules) -> None:
    """Move all four choices at once in the direction in force, then ask for the void suits.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which all four have chosen.
    rules : Rules, read
        The preset.
    """
    for seat in range(SEATS):
        for index in range(rules.exchange_count):
            remove_tile(deal.hands[seat], packed_kind(deal.answers[seat], index))
    for seat in range(SEATS):
        to = (seat + deal.table.direction) & 3
        for index in range(rules.exchange_count):
            kind = packed_kind(deal.answers[seat], index)
            add_tile(deal.hands[to], kind)
            deal.hands[seat].given[index] = kind
            deal.hands[to].received[index] = kind
    for seat in range(SEATS):
        giver = (seat - deal.table.direction) & 3
        log(deal, EVENT_EXCHANGE, seat, deal.answers[seat], deal.answers[giver], 0, 0, 0)
    deal.table.decision = VOID_SUIT
    deal.asked = ALL_SEATS
    deal.asked_first = ALL_SEATS


@kernel
def declare_void_suits(deal: Deal) -> None:
    """Make all four void suits known at once.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which all four have chosen.
    """
    for seat in range(SEATS):
        deal.hands[seat].void_suit = deal.answers[seat]
        deal.table.void_suits[seat] = deal.answers[seat]
        log(deal, EVENT_VOID_SUIT, seat, deal.answers[seat], 0, 0, 0, 0)
