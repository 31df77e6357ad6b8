"""A turn: draw, what is legal, discard (rules, chapter 3)."""

from sim.engine.hands.hand import (
    NONE,
    Hand,
    add_tile,
    is_cleared,
    kinds_of_suit,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.waits import is_complete, mark_waits
from sim.engine.sichuan.deal import DEALT, EVENT_DISCARD, EVENT_DRAW, PER_SEAT, Deal, log
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import SEATS, TURN
from sim.jit import inlined, kernel


@kernel
def take_from_queue(deal: Deal, seat: int) -> int:
    """Take a seat's next tile in wall mode `per_seat`.

    The wall goes round-robin into four queues, seat 1 first. Draws and replacements are the own queue's next tile; an
    empty queue takes the last tile of the longest queue, ties to the nearest seat in turn order (chapter 2).

    Parameters
    ----------
    deal : Deal, changed
        A deal with a tile left.
    seat : int64, read
        Seat that draws.
    """
    source = seat
    place = deal.queue_next[seat]
    if place < deal.queue_last[seat]:
        deal.queue_next[seat] = place + 1
    else:
        longest = 0
        for step in range(1, SEATS):
            other = (seat + step) & 3
            length = deal.queue_last[other] - deal.queue_next[other]
            if length > longest:
                longest = length
                source = other
        deal.queue_last[source] -= 1
        place = deal.queue_last[source]
    return int(deal.wall[DEALT + ((source + 3) & 3) + 4 * place])


@kernel
def draw_tile(deal: Deal, seat: int, replacement: int) -> None:
    """Draw a tile: an own draw, which ends all locks of the seat.

    Parameters
    ----------
    deal : Deal, changed
        A deal with a tile left.
    seat : int64, read
        Seat that draws.
    replacement : int64, read
        1 for a kong's replacement, from the back of the wall; 0 for a draw from its front.
    """
    if deal.wall_mode == PER_SEAT:
        kind = take_from_queue(deal, seat)
    elif replacement:
        kind = deal.wall[deal.back]
        deal.back -= 1
    else:
        kind = deal.wall[deal.front]
        deal.front += 1
    deal.draws += 1
    table = deal.table
    table.tiles_left -= 1
    table.turn = seat
    table.after_kong = replacement
    table.after_pung = 0
    hand = deal.hands[seat]
    add_tile(hand, kind)
    hand.drawn = kind
    hand.win_locked = 0
    hand.pung_locked = 0
    log(deal, EVENT_DRAW, seat, kind, replacement, 0, 0, 0)


@inlined
def may_call(hand: Hand, rules: Rules) -> bool:
    """Tell whether a player may pung or kong at all: cleared, or `void_suit.blocks_calls` is off.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    rules : Rules, read
        The preset.
    """
    return rules.void_blocks_calls == 0 or is_cleared(hand)


@kernel
def update_claims(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Note what a hand waits for and what it could claim, after its tiles changed for good in a turn.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat whose hand holds as many tiles as between turns.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    hand = deal.hands[seat]
    waits = mark_waits(hand, lookup)
    deal.waits[seat] = waits
    pairs = 0
    if may_call(hand, rules):
        pairs = hand.at_least[1] & ~kinds_of_suit(hand.void_suit)
    deal.claimable[seat] = waits | pairs


@kernel
def ask_turn(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Ask a seat for its turn action, and say what is legal.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat whose turn it is, holding one tile more than between turns.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    table.decision = TURN
    table.turn = seat
    table.tile = NONE
    hand.legal_pung = 0
    if hand.drawn != NONE:
        hand.legal_win = (deal.waits[seat] >> hand.drawn) & 1
    else:
        hand.legal_win = 0 if table.after_pung else int(is_complete(hand, lookup))
    void = kinds_of_suit(hand.void_suit)
    hand.legal_kongs = 0
    if table.after_pung == 0 and table.tiles_left > 0 and may_call(hand, rules):
        hand.legal_kongs = (hand.at_least[3] | (hand.at_least[0] & hand.pungs)) & ~void
    hand.legal_discards = hand.at_least[0]
    if rules.void_discard_first and not is_cleared(hand):
        hand.legal_discards = hand.at_least[0] & void
    deal.asked = 1 << seat
    deal.asked_first = deal.asked


@kernel
def discard_tile(deal: Deal, seat: int, kind: int, rules: Rules, lookup: Lookup) -> None:
    """Discard a tile, which ends the turn.

    Parameters
    ----------
    deal : Deal, changed
        The deal; `table.tile` is the discard, `table.after_kong` stays as it was at the draw.
    seat : int64, read
        Seat that discards.
    kind : int64, read
        Kind of the discard.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    remove_tile(hand, kind)
    hand.drawn = NONE
    update_claims(deal, seat, rules, lookup)
    discard = table.count_discards
    table.discard_kinds[discard] = kind
    table.discard_seats[discard] = seat
    table.count_discards = discard + 1
    table.thrown[seat, kind] += 1
    table.seen[kind] += 1
    table.tile = kind
    log(deal, EVENT_DISCARD, seat, kind, 0, 0, 0, 0)
