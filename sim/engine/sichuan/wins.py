"""Wins: what they are worth, who pays, who goes next (rules, chapters 4 and 5)."""

from sim.engine.hands.hand import NONE, add_tile, remove_tile
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import (
    EVENT_ROBBED,
    EVENT_WIN,
    PAY_DISCARD_WIN,
    PAY_KONG_TRANSFER,
    PAY_ROBBED_KONG_WIN,
    PAY_SELF_DRAW,
    Deal,
    log,
)
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.payments import give_up_kong_income, pay
from sim.engine.sichuan.rules import (
    ADD_FAN,
    ADD_POINTS,
    AFTER_LAST_WINNER,
    KONG_DISCARD,
    KONG_DRAW,
    LAST_TILE,
    ROB_KONG,
    SELF_DRAW_FAN,
    Rules,
)
from sim.engine.sichuan.table import CLAIMED_WIN, DISCARD, ROBBED_KONG, SEATS, SELF_DRAW
from sim.jit import kernel


@kernel
def win_hand(
    deal: Deal, seat: int, form: int, kind: int, payer: int, situation: int, rules: Rules, lookup: Lookup
) -> int:
    """Score a win, let the winner leave, and return the hand value in points.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the winner's hand is without the winning tile.
    seat : int64, read
        The winner.
    form : int64, read
        SELF_DRAW, DISCARD or ROBBED_KONG.
    kind : int64, read
        The winning tile; NONE when the dealer wins on the dealt fourteen.
    payer : int64, read
        Seat that discarded or declared the kong; NONE for a self-draw.
    situation : int64, read
        Mask of situational patterns other than last_tile, and of the self-draw's extra fan.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    if table.tiles_left == 0:
        situation |= 1 << LAST_TILE
    score = score_hand(deal.hands[seat], kind, situation, rules, lookup)
    value = value_of(score_fan(score), rules)
    deal.win_scores[seat] = score
    deal.win_values[seat] = value
    table.count_wins += 1
    table.win_order[seat] = table.count_wins
    table.win_forms[seat] = form
    table.win_tiles[seat] = kind
    table.win_from[seat] = payer
    table.active[seat] = 0
    log(deal, EVENT_WIN, seat, form, kind, payer, score, value)
    return value


@kernel
def win_by_self_draw(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Win on the drawn tile, or on the dealt fourteen: every other active player pays.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        The winner.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    situation = 0
    if table.after_kong:
        situation |= 1 << KONG_DRAW
    if rules.win_self_draw == ADD_FAN:
        situation |= 1 << SELF_DRAW_FAN
    kind = hand.drawn
    if kind != NONE:
        table.seen[kind] += 1
        remove_tile(hand, kind)
    amount = win_hand(deal, seat, SELF_DRAW, kind, NONE, situation, rules, lookup)
    if kind != NONE:
        add_tile(hand, kind)
    if rules.win_self_draw == ADD_POINTS:
        amount += rules.win_self_draw_points
    for step in range(1, SEATS):
        payer = (seat + step) & 3
        if table.active[payer]:
            pay(deal, PAY_SELF_DRAW, payer, seat, amount)


@kernel
def win_on_tile(deal: Deal, winners: int, form: int, rules: Rules, lookup: Lookup) -> None:
    """Let several players win on one tile, numbered in turn order from the player who pays each of them in full.

    Parameters
    ----------
    deal : Deal, changed
        The deal; `table.turn` discarded or adds `table.tile`.
    winners : int64, read
        Mask of the seats that win.
    form : int64, read
        DISCARD or ROBBED_KONG.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    payer = table.turn
    situation = 0
    cause = PAY_DISCARD_WIN
    if form == ROBBED_KONG:
        situation = 1 << ROB_KONG
        cause = PAY_ROBBED_KONG_WIN
        log(deal, EVENT_ROBBED, payer, table.tile, 0, 0, 0, 0)
    else:
        table.discard_claims[table.count_discards - 1] = CLAIMED_WIN
        if table.after_kong:
            situation = 1 << KONG_DISCARD
    transfer = 0
    if form == DISCARD and table.after_kong and rules.kong_transfer:
        transfer = give_up_kong_income(deal)
    for step in range(1, SEATS):
        winner = (payer + step) & 3
        if (winners >> winner) & 1:
            amount = win_hand(deal, winner, form, table.tile, payer, situation, rules, lookup)
            pay(deal, cause, payer, winner, amount)
            pay(deal, PAY_KONG_TRANSFER, payer, winner, transfer)
            if form == DISCARD:
                deal.deal_ins[payer] += 1
            else:
                deal.robbed[payer] += 1


@kernel
def seat_before_next(payer: int, winners: int, rules: Rules) -> int:
    """Return the seat after which play goes on when a tile was won on (`win.next_turn`).

    Parameters
    ----------
    payer : int64, read
        The discarder, or the robbed player.
    winners : int64, read
        Mask of the seats that won on the tile.
    rules : Rules, read
        The preset.
    """
    last = payer
    if rules.win_next_turn == AFTER_LAST_WINNER:
        for step in range(1, SEATS):
            seat = (payer + step) & 3
            if (winners >> seat) & 1:
                last = seat
    return last
