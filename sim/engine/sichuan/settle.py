"""What kongs and wins cost whom: in play, and again under other rules (rules, chapter 5 "Payment" and "Kong payments").

A *charge* is a kong or a win (all wins on one tile are one charge) with the few facts that its payments follow from:
who is in it, and which situational patterns held. Play notes each charge and pays it; `settle_again` pays the charges
of a finished deal, and exhaustion, once more under rules that differ in settlement-only knobs.
"""

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import (
    EVENT_WIN,
    PAY_ADDED_KONG,
    PAY_CONCEALED_KONG,
    PAY_EXPOSED_KONG,
    PAY_KONG_TRANSFER,
    PAY_SELF_DRAW,
    Deal,
    log,
)
from sim.engine.sichuan.exhaustion import pay_exhaustion
from sim.engine.sichuan.fan import score_complete, score_fan, score_hand, value_of
from sim.engine.sichuan.payments import clear_ledger, give_up_kong_income, pay, pay_kong
from sim.engine.sichuan.rules import ADD_FAN, ADD_POINTS, KONG_DISCARD, SELF_DRAW_FAN, Rules
from sim.engine.sichuan.table import SEATS
from sim.jit import kernel


@kernel
def score_win(deal: Deal, seat: int, situation: int, rules: Rules, lookup: Lookup) -> int:
    """Score a win, and return the hand value in points.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the winner has left the table. A tile that came from somebody else is not in the winner's hand.
    seat : int64, read
        The winner.
    situation : int64, read
        Mask of situational patterns.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    hand = deal.hands[seat]
    kind = table.win_tiles[seat]
    if table.win_from[seat] == NONE:
        if rules.win_self_draw == ADD_FAN:
            situation |= 1 << SELF_DRAW_FAN
        score = score_complete(hand, kind, situation, rules, lookup)
    else:
        score = score_hand(hand, kind, situation, rules, lookup)
    value = value_of(score_fan(score), rules)
    deal.win_scores[seat] = score
    deal.win_values[seat] = value
    log(deal, EVENT_WIN, seat, table.win_forms[seat], kind, table.win_from[seat], score, value)
    return value


@kernel
def pay_for_kong(deal: Deal, cause: int, owner: int, payers: int, rules: Rules) -> None:
    """Let those who pay for a kong pay its owner.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    cause : int64, read
        PAY_CONCEALED_KONG, PAY_EXPOSED_KONG or PAY_ADDED_KONG.
    owner : int64, read
        Seat that made the kong.
    payers : int64, read
        Mask of the seats that pay.
    rules : Rules, read
        The preset.
    """
    amount = rules.kong_added
    if cause == PAY_CONCEALED_KONG:
        amount = rules.kong_concealed
    elif cause == PAY_EXPOSED_KONG:
        amount = rules.kong_exposed
    deal.last_kong = deal.count_incomes
    for step in range(1, SEATS):
        payer = (owner + step) & 3
        if (payers >> payer) & 1:
            pay_kong(deal, cause, payer, owner, amount)


@kernel
def pay_for_self_draw(deal: Deal, winner: int, payers: int, situation: int, rules: Rules, lookup: Lookup) -> None:
    """Score a self-drawn win, and let those who were still active pay.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the winner has left the table.
    winner : int64, read
        The winner.
    payers : int64, read
        Mask of the seats that pay.
    situation : int64, read
        Mask of situational patterns.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    amount = score_win(deal, winner, situation, rules, lookup)
    if rules.win_self_draw == ADD_POINTS:
        amount += rules.win_self_draw_points
    for step in range(1, SEATS):
        payer = (winner + step) & 3
        if (payers >> payer) & 1:
            pay(deal, PAY_SELF_DRAW, payer, winner, amount)


@kernel
def pay_for_tile(
    deal: Deal, cause: int, payer: int, winners: int, situation: int, rules: Rules, lookup: Lookup
) -> None:
    """Score all wins on one tile, and let whoever it came from pay each winner in full; perhaps a kong's income too.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the winners have left the table.
    cause : int64, read
        PAY_DISCARD_WIN or PAY_ROBBED_KONG_WIN.
    payer : int64, read
        Who discarded the tile or declared the kong.
    winners : int64, read
        Mask of the winners.
    situation : int64, read
        Mask of situational patterns.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    transfer = 0
    if rules.kong_transfer and (situation >> KONG_DISCARD) & 1:
        transfer = give_up_kong_income(deal)
    for step in range(1, SEATS):
        winner = (payer + step) & 3
        if (winners >> winner) & 1:
            value = score_win(deal, winner, situation, rules, lookup)
            pay(deal, cause, payer, winner, value)
            pay(deal, PAY_KONG_TRANSFER, payer, winner, transfer)


@kernel
def pay_charge(deal: Deal, number: int, rules: Rules, lookup: Lookup) -> None:
    """Pay what a charge costs.

    Parameters
    ----------
    deal : Deal, changed
        The deal, its earlier charges paid and its later ones not.
    number : int64, read
        Number of the charge.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    cause = deal.charge_causes[number]
    seat = deal.charge_seats[number]
    others = deal.charge_others[number]
    situation = deal.charge_situations[number]
    if PAY_CONCEALED_KONG <= cause <= PAY_ADDED_KONG:
        pay_for_kong(deal, cause, seat, others, rules)
    elif cause == PAY_SELF_DRAW:
        pay_for_self_draw(deal, seat, others, situation, rules, lookup)
    else:
        pay_for_tile(deal, cause, seat, others, situation, rules, lookup)


@kernel
def charge(deal: Deal, cause: int, seat: int, others: int, situation: int, rules: Rules, lookup: Lookup) -> None:
    """Note a kong or a win, and pay for it.

    Parameters
    ----------
    deal : Deal, changed
        The deal; winners have left the table.
    cause : int64, read
        Index in CAUSES: which form of kong or of win.
    seat : int64, read
        Who made the kong, won by self-draw, or pays for the tile that was won on.
    others : int64, read
        Mask of the seats that pay; of those that won, where a tile was won on.
    situation : int64, read
        Mask of the situational patterns of a win, 0 for a kong.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    number = deal.count_charges
    deal.count_charges = number + 1
    deal.charge_causes[number] = cause
    deal.charge_seats[number] = seat
    deal.charge_others[number] = others
    deal.charge_situations[number] = situation
    pay_charge(deal, number, rules, lookup)


@kernel
def settle_again(deal: Deal, rules: Rules, lookup: Lookup) -> None:
    """Make the ledger of a finished deal anew, with all that follows from it: points, and what wins are worth.

    What happened stays, and so does the log; the lines of the ledger come in the order of play, and all after the log's
    last event. The same again under the rules that the deal was played by gives what play gave.

    Parameters
    ----------
    deal : Deal, changed
        A deal that is over.
    rules : Rules, read
        A preset that differs in settlement-only knobs alone from the one that the deal was played by.
    lookup : Lookup, read
        Hand tables.
    """
    is_logged = deal.is_logged
    deal.is_logged = 0
    clear_ledger(deal)
    for number in range(deal.count_charges):
        pay_charge(deal, number, rules, lookup)
    if deal.exhausted:
        pay_exhaustion(deal, rules, lookup)
    deal.is_logged = is_logged
