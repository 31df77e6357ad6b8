"""The course of a deal: whom to ask, what an answer does (rules, chapters 2 to 4 and "Passing").

Every way of playing is a loop over two functions: `next_seat` says who has to answer, `answer` takes the answer.
Nothing moves until all who were asked in a decision have answered.
"""

from sim.engine.hands.hand import KINDS, NONE, SUITS, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.calls import (
    claim_kong,
    claim_pung,
    complete_added_kong,
    declare_concealed_kong,
    offer_added_kong,
)
from sim.engine.sichuan.deal import EVENT_ANSWER, Deal, log, next_active
from sim.engine.sichuan.exhaustion import end_deal, settle_exhaustion
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import declare_void_suits, exchange_tiles, is_legal_exchange
from sim.engine.sichuan.table import (
    CLAIM,
    DISCARD,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    ROB,
    ROBBED_KONG,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.engine.sichuan.turn import ask_turn, discard_tile, draw_tile, may_call, update_claims
from sim.engine.sichuan.wins import seat_before_next, win_by_self_draw, win_on_tile
from sim.jit import inlined, kernel

ACCEPTED, ILLEGAL = 0, 1


@inlined
def next_seat(deal: Deal) -> int:
    """Return the next seat that has to answer, or NONE when the deal is over.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    """
    for seat in range(SEATS):
        if (deal.asked >> seat) & 1:
            return seat
    return NONE


@kernel
def is_legal(hand: Hand, decision: int, action: int, rules: Rules) -> bool:
    """Tell whether an action is legal for a hand in the decision it is asked for.

    Parameters
    ----------
    hand : Hand, read
        The hand of the seat that answers.
    decision : int64, read
        EXCHANGE, VOID_SUIT, TURN, CLAIM or ROB.
    action : int64, read
        The action (`sim.engine.sichuan.table`).
    rules : Rules, read
        The preset.
    """
    if decision == EXCHANGE:
        return is_legal_exchange(hand, rules, action)
    if decision == VOID_SUIT:
        return 0 <= action < SUITS
    if action == WIN_ACTION:
        return hand.legal_win == 1
    if action == PASS_ACTION:
        return decision != TURN
    if action == PUNG_ACTION:
        return hand.legal_pung == 1
    if 0 <= action < KINDS:
        return (hand.legal_discards >> action) & 1 == 1
    if KONG_ACTION <= action < KONG_ACTION + KINDS:
        return (hand.legal_kongs >> (action - KONG_ACTION)) & 1 == 1
    return False


@kernel
def go_on_after(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """End the deal after the third win; else let the next active player draw, or settle if no tile is left.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat after which the next active one comes.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    if deal.table.count_wins >= SEATS - 1:
        end_deal(deal)
        return
    if deal.table.tiles_left == 0:
        settle_exhaustion(deal, rules, lookup)
        return
    following = next_active(deal, seat)
    deal.turns[following] += 1
    draw_tile(deal, following, 0)
    ask_turn(deal, following, rules, lookup)


@kernel
def ask_claims(deal: Deal, rules: Rules) -> bool:
    """Ask all who could claim the discard, at the same time; return whether anybody could.

    Parameters
    ----------
    deal : Deal, changed
        The deal, with a discard on the table.
    rules : Rules, read
        The preset.
    """
    table = deal.table
    kind = table.tile
    asked = 0
    for step in range(1, SEATS):
        seat = (table.turn + step) & 3
        if table.active[seat] and (deal.claimable[seat] >> kind) & 1:
            hand = deal.hands[seat]
            hand.legal_discards = 0
            hand.legal_win = ((deal.waits[seat] >> kind) & 1) & (1 - hand.win_locked)
            hand.legal_pung = 0
            hand.legal_kongs = 0
            if hand.counts[kind] >= 2 and may_call(hand, rules):
                hand.legal_pung = 1 - ((hand.pung_locked >> kind) & 1)
                if hand.counts[kind] == 3 and table.tiles_left > 0:
                    hand.legal_kongs = 1 << kind
            if hand.legal_win or hand.legal_pung or hand.legal_kongs:
                asked |= 1 << seat
    deal.asked = asked
    deal.asked_first = asked
    if asked:
        table.decision = CLAIM
    return asked != 0


@kernel
def ask_robbing(deal: Deal) -> bool:
    """Ask all who could rob the added kong, at the same time; return whether anybody could.

    Parameters
    ----------
    deal : Deal, changed
        The deal, with the fourth tile of a pung on the table.
    """
    table = deal.table
    asked = 0
    for step in range(1, SEATS):
        seat = (table.turn + step) & 3
        hand = deal.hands[seat]
        if table.active[seat] and (deal.waits[seat] >> table.tile) & 1 and hand.win_locked == 0:
            hand.legal_win = 1
            hand.legal_pung = 0
            hand.legal_kongs = 0
            hand.legal_discards = 0
            asked |= 1 << seat
    deal.asked = asked
    deal.asked_first = asked
    if asked:
        table.decision = ROB
    return asked != 0


@kernel
def lock_passes(deal: Deal, rules: Rules) -> None:
    """Lock those who passed until their own next draw (rules, "Passing").

    Whoever could win and did not claim it passed the win, also by claiming a pung or kong. Whoever could pung and
    claimed nothing passed the pung. A claim that loses to a higher one is no pass.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which all who were asked have answered.
    rules : Rules, read
        The preset.
    """
    for seat in range(SEATS):
        if (deal.asked_first >> seat) & 1:
            hand = deal.hands[seat]
            if hand.legal_win and deal.answers[seat] != WIN_ACTION:
                hand.win_locked = rules.pass_win_lock
            if hand.legal_pung and deal.answers[seat] == PASS_ACTION and rules.pass_pung_lock:
                hand.pung_locked |= 1 << deal.table.tile


@kernel
def mark_winners(deal: Deal, rules: Rules) -> int:
    """Return the mask of those who win on the tile: all who said so, or only the nearest (`win.multiple`).

    Parameters
    ----------
    deal : Deal, read
        A deal in which all who were asked have answered.
    rules : Rules, read
        The preset.
    """
    winners = 0
    for step in range(1, SEATS):
        seat = (deal.table.turn + step) & 3
        if (deal.asked_first >> seat) & 1 and deal.answers[seat] == WIN_ACTION:
            winners |= 1 << seat
            if rules.win_multiple == 0:
                break
    return winners


@kernel
def resolve_claims(deal: Deal, rules: Rules, lookup: Lookup) -> None:
    """Carry out the highest claim on the discard: wins, else pung or kong, else the next player draws.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which all who were asked have answered.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    discarder = deal.table.turn
    lock_passes(deal, rules)
    winners = mark_winners(deal, rules)
    if winners:
        win_on_tile(deal, winners, DISCARD, rules, lookup)
        go_on_after(deal, seat_before_next(discarder, winners, rules), rules, lookup)
        return
    for seat in range(SEATS):
        if (deal.asked_first >> seat) & 1:
            if deal.answers[seat] == PUNG_ACTION:
                claim_pung(deal, seat, rules, lookup)
                return
            if deal.answers[seat] != PASS_ACTION:
                claim_kong(deal, seat, rules, lookup)
                return
    go_on_after(deal, discarder, rules, lookup)


@kernel
def resolve_robbing(deal: Deal, rules: Rules, lookup: Lookup) -> None:
    """Let those who rob the added kong win; if none does, the kong is complete.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which all who were asked have answered.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    robbed = deal.table.turn
    lock_passes(deal, rules)
    winners = mark_winners(deal, rules)
    if winners:
        update_claims(deal, robbed, rules, lookup)
        win_on_tile(deal, winners, ROBBED_KONG, rules, lookup)
        go_on_after(deal, seat_before_next(robbed, winners, rules), rules, lookup)
    else:
        complete_added_kong(deal, robbed, rules, lookup)


@kernel
def take_turn(deal: Deal, seat: int, action: int, rules: Rules, lookup: Lookup) -> None:
    """Carry out a turn action.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat whose turn it is.
    action : int64, read
        A legal action: discard, own kong or win.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    if action < KINDS:
        discard_tile(deal, seat, action, rules, lookup)
        if not ask_claims(deal, rules):
            go_on_after(deal, seat, rules, lookup)
    elif action == WIN_ACTION:
        win_by_self_draw(deal, seat, rules, lookup)
        go_on_after(deal, seat, rules, lookup)
    else:
        kind = action - KONG_ACTION
        if (deal.hands[seat].at_least[3] >> kind) & 1:
            declare_concealed_kong(deal, seat, kind, rules, lookup)
        else:
            offer_added_kong(deal, seat, kind)
            if not ask_robbing(deal):
                complete_added_kong(deal, seat, rules, lookup)


@kernel
def answer(deal: Deal, seat: int, action: int, rules: Rules, lookup: Lookup) -> int:
    """Take one seat's answer; return ACCEPTED, or ILLEGAL if the rules do not allow it, and then nothing changes.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which the seat is asked.
    seat : int64, read
        The seat that answers.
    action : int64, read
        Its action.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    decision = deal.table.decision
    if not is_legal(deal.hands[seat], decision, action, rules):
        return ILLEGAL
    hand = deal.hands[seat]
    if decision <= VOID_SUIT:
        log(deal, EVENT_ANSWER, seat, decision, action, 0, 0, 0)
    else:
        options = hand.legal_win | hand.legal_pung << 1
        log(deal, EVENT_ANSWER, seat, decision, action, options, hand.legal_kongs, hand.legal_discards)
    deal.answers[seat] = action
    deal.asked &= ~(1 << seat)
    if deal.asked == 0:
        if decision == TURN:
            take_turn(deal, seat, action, rules, lookup)
        elif decision == CLAIM:
            resolve_claims(deal, rules, lookup)
        elif decision == ROB:
            resolve_robbing(deal, rules, lookup)
        elif decision == EXCHANGE:
            exchange_tiles(deal, rules)
        else:
            declare_void_suits(deal)
            for other in range(1, SEATS):
                update_claims(deal, other, rules, lookup)
            deal.turns[0] += 1
            ask_turn(deal, 0, rules, lookup)
    return ACCEPTED
