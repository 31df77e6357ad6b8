"""Wins: who wins on what, and who goes next (rules, chapter 4).

Not in here: what a win is worth and who pays (`sim.engine.sichuan.settle`).
"""

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import (
    EVENT_ROBBED,
    PAY_DISCARD_WIN,
    PAY_ROBBED_KONG_WIN,
    PAY_SELF_DRAW,
    Deal,
    log,
    mark_others,
)
from sim.engine.sichuan.rules import AFTER_LAST_WINNER, KONG_DISCARD, KONG_DRAW, LAST_TILE, ROB_KONG, Rules
from sim.engine.sichuan.settle import charge
from sim.engine.sichuan.table import CLAIMED_WIN, DISCARD, ROBBED_KONG, SEATS, SELF_DRAW, Table
from sim.jit import inlined, kernel


@inlined
def mark_situation(table: Table, pattern: int, holds: int) -> int:
    """Return the mask of a win's situational patterns: that of its form, if it holds, and last_tile.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    pattern : int64, read
        KONG_DRAW, KONG_DISCARD or ROB_KONG.
    holds : int64, read
        1 if that pattern holds.
    """
    return holds << pattern | int(table.tiles_left == 0) << LAST_TILE


@kernel
def leave_table(deal: Deal, seat: int, form: int, kind: int, payer: int) -> None:
    """Let a winner leave.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        The winner.
    form : int64, read
        SELF_DRAW, DISCARD or ROBBED_KONG.
    kind : int64, read
        The winning tile; NONE when the dealer wins on the dealt fourteen.
    payer : int64, read
        Seat that discarded or declared the kong; NONE for a self-draw.
    """
    table = deal.table
    table.count_wins += 1
    table.win_order[seat] = table.count_wins
    table.win_forms[seat] = form
    table.win_tiles[seat] = kind
    table.win_from[seat] = payer
    table.active[seat] = 0


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
    kind = deal.hands[seat].drawn
    if kind != NONE:
        table.seen[kind] += 1
    situation = mark_situation(table, KONG_DRAW, table.after_kong)
    leave_table(deal, seat, SELF_DRAW, kind, NONE)
    charge(deal, PAY_SELF_DRAW, seat, mark_others(deal, seat), situation, rules, lookup)


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
    if form == ROBBED_KONG:
        cause = PAY_ROBBED_KONG_WIN
        situation = mark_situation(table, ROB_KONG, 1)
        log(deal, EVENT_ROBBED, payer, table.tile, 0, 0, 0, 0)
    else:
        cause = PAY_DISCARD_WIN
        situation = mark_situation(table, KONG_DISCARD, table.after_kong)
        table.discard_claims[table.count_discards - 1] = CLAIMED_WIN
    for step in range(1, SEATS):
        winner = (payer + step) & 3
        if (winners >> winner) & 1:
            leave_table(deal, winner, form, table.tile, payer)
            if form == DISCARD:
                deal.deal_ins[payer] += 1
            else:
                deal.robbed[payer] += 1
    charge(deal, cause, payer, winners, situation, rules, lookup)


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
