"""What happens when the wall runs out (rules, chapters 6 and 7)."""

from sim.engine.hands.hand import is_cleared
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import (
    EVENT_END,
    EVENT_EXHAUSTION,
    PAY_FLOWER_PIG,
    PAY_KONG_REFUND,
    PAY_NOT_READY,
    STATUS_LEFT,
    STATUS_NOT_READY,
    STATUS_PIG,
    STATUS_READY,
    STATUS_WON,
    Deal,
    log,
)
from sim.engine.sichuan.fan import highest_value
from sim.engine.sichuan.payments import pay
from sim.engine.sichuan.rules import ALL_NON_PIGS, REMAINING_READY, Rules
from sim.engine.sichuan.table import OVER, SEATS
from sim.jit import kernel


@kernel
def judge_hands(deal: Deal) -> None:
    """Judge every seat as it is at exhaustion: won, flower pig, ready or not ready.

    Parameters
    ----------
    deal : Deal, changed
        The deal; its statuses are filled.
    """
    for seat in range(SEATS):
        if deal.table.active[seat] == 0:
            deal.statuses[seat] = STATUS_WON
        elif not is_cleared(deal.hands[seat]):
            deal.statuses[seat] = STATUS_PIG
        elif deal.waits[seat]:
            deal.statuses[seat] = STATUS_READY
        else:
            deal.statuses[seat] = STATUS_NOT_READY


@kernel
def receives_from_pigs(status: int, rules: Rules) -> bool:
    """Tell whether a flower pig pays a player of that status (`exhaustion.flower_pig_to`).

    Parameters
    ----------
    status : int64, read
        STATUS_WON, STATUS_READY, STATUS_NOT_READY or STATUS_PIG.
    rules : Rules, read
        The preset.
    """
    if status == STATUS_PIG:
        return False
    if status == STATUS_WON:
        return rules.flower_pig_to == ALL_NON_PIGS
    return status == STATUS_READY or rules.flower_pig_to != REMAINING_READY


@kernel
def end_deal(deal: Deal) -> None:
    """End the deal: by the third win, where nothing is settled, or after exhaustion.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    """
    if deal.exhausted == 0:
        for seat in range(SEATS):
            deal.statuses[seat] = STATUS_LEFT if deal.table.active[seat] else STATUS_WON
    deal.table.decision = OVER
    deal.asked = 0
    log(deal, EVENT_END, 0, 0, 0, 0, 0, 0)


@kernel
def pay_exhaustion(deal: Deal, rules: Rules, lookup: Lookup) -> None:
    """Let flower pigs pay, then players who are not ready, then those who return kong income.

    Parameters
    ----------
    deal : Deal, changed
        A deal that is exhausted, its hands judged.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    statuses = deal.statuses
    for payer in range(SEATS):
        if statuses[payer] == STATUS_PIG:
            for payee in range(SEATS):
                if receives_from_pigs(statuses[payee], rules):
                    pay(deal, PAY_FLOWER_PIG, payer, payee, rules.flower_pig)
    if rules.not_ready:
        for payee in range(SEATS):
            if statuses[payee] == STATUS_READY:
                value = highest_value(deal.hands[payee], deal.waits[payee], rules, lookup)
                for payer in range(SEATS):
                    if statuses[payer] == STATUS_NOT_READY:
                        pay(deal, PAY_NOT_READY, payer, payee, value)
    if rules.kong_refund:
        for income in range(deal.count_incomes):
            owner = deal.income_owners[income]
            if statuses[owner] == STATUS_PIG or statuses[owner] == STATUS_NOT_READY:
                pay(deal, PAY_KONG_REFUND, owner, deal.income_payers[income], deal.income_amounts[income])


@kernel
def settle_exhaustion(deal: Deal, rules: Rules, lookup: Lookup) -> None:
    """End the deal with the wall: judge the hands and settle, all on the state at exhaustion.

    Parameters
    ----------
    deal : Deal, changed
        A deal in which an active player has to draw and no tile is left.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    deal.exhausted = 1
    judge_hands(deal)
    statuses = deal.statuses
    log(deal, EVENT_EXHAUSTION, statuses[0], statuses[1], statuses[2], statuses[3], 0, 0)
    pay_exhaustion(deal, rules, lookup)
    end_deal(deal)
