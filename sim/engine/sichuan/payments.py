"""Payments and the ledger (rules, chapter 5 "Payment" and "Kong payments").

Every point that changes hands goes through `pay`: net points are the ledger's sum by construction.
"""

from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.table import SEATS
from sim.jit import kernel


@kernel
def clear_ledger(deal: Deal) -> None:
    """Take back all payments, and what wins were worth.

    Parameters
    ----------
    deal : Deal, changed
        The deal; its charges stay.
    """
    deal.count_incomes = 0
    deal.last_kong = 0
    deal.count_lines = 0
    for seat in range(SEATS):
        deal.table.points[seat] = 0
        deal.win_scores[seat] = 0
        deal.win_values[seat] = 0
        for cause in range(10):
            deal.gained[seat, cause] = 0
            deal.paid[seat, cause] = 0


@kernel
def pay(deal: Deal, cause: int, payer: int, payee: int, amount: int) -> None:
    """Move points from one seat to another and book them; an amount of 0 leaves no line.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    cause : int64, read
        Index in CAUSES.
    payer : int64, read
        Seat that pays.
    payee : int64, read
        Seat that is paid.
    amount : int64, read
        Points, 0 or more.
    """
    if amount == 0:
        return
    line = deal.count_lines
    deal.count_lines = line + 1
    deal.line_causes[line] = cause
    deal.line_payers[line] = payer
    deal.line_payees[line] = payee
    deal.line_amounts[line] = amount
    deal.line_events[line] = deal.count_events
    deal.gained[payee, cause] += amount
    deal.paid[payer, cause] += amount
    deal.table.points[payee] += amount
    deal.table.points[payer] -= amount


@kernel
def pay_kong(deal: Deal, cause: int, payer: int, owner: int, amount: int) -> None:
    """Pay for a kong, and remember the income for refunds and transfers.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    cause : int64, read
        Index in CAUSES: which form of kong.
    payer : int64, read
        Seat that pays.
    owner : int64, read
        Seat that made the kong.
    amount : int64, read
        Points, 0 or more.
    """
    pay(deal, cause, payer, owner, amount)
    income = deal.count_incomes
    deal.count_incomes = income + 1
    deal.income_owners[income] = owner
    deal.income_payers[income] = payer
    deal.income_amounts[income] = amount


@kernel
def give_up_kong_income(deal: Deal) -> int:
    """Take the income of the last kong from its owner's refundable incomes, and return it in points.

    What is given away by `kong.transfer_on_kong_discard` is not refunded again at exhaustion.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    """
    amount = 0
    for income in range(deal.last_kong, deal.count_incomes):
        amount += deal.income_amounts[income]
        deal.income_amounts[income] = 0
    return amount
