"""The wall has run out: flower pigs, not-ready payments, kong refunds (chapter 7 of the rules)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.fan import highest_value
from tests.reference.hands import is_ready
from tests.reference.records import SEATS

if TYPE_CHECKING:
    from tests.reference.referee import Referee


def status_of(referee: Referee, seat: int) -> str:
    """Status of a seat as things stand: "won", "pig", "ready" or "not_ready"."""
    if seat in referee.winners:
        return "won"
    if not referee.is_cleared(seat):
        return "pig"
    ready = is_ready(referee.hands[seat], referee.melds[seat], referee.void[seat])
    return "ready" if ready else "not_ready"


def settle_exhaustion(referee: Referee) -> None:
    """Pay in the order of the rules; everything is judged on the state at exhaustion."""
    statuses = tuple(status_of(referee, seat) for seat in range(SEATS))
    referee.events.append(("exhaustion", statuses))
    _pay_flower_pigs(referee, statuses)
    if referee.preset.exhaustion.not_ready == "highest_value":
        _pay_not_ready(referee, statuses)
    if referee.preset.exhaustion.kong_refund:
        _refund_kongs(referee, statuses)


def _pay_flower_pigs(referee: Referee, statuses: tuple[str, ...]) -> None:
    recipients = {
        "remaining_cleared": {"ready", "not_ready"},
        "remaining_ready": {"ready"},
        "all_non_pigs": {"ready", "not_ready", "won"},
    }[referee.preset.exhaustion.flower_pig_to]
    for pig in range(SEATS):
        for other in range(SEATS):
            if statuses[pig] == "pig" and statuses[other] in recipients:
                referee.pay("flower_pig", pig, other, referee.preset.exhaustion.flower_pig)


def _pay_not_ready(referee: Referee, statuses: tuple[str, ...]) -> None:
    for payer in range(SEATS):
        for payee in range(SEATS):
            if statuses[payer] == "not_ready" and statuses[payee] == "ready":
                value = highest_value(referee.preset, referee.hands[payee], referee.melds[payee], referee.void[payee])
                referee.pay("not_ready", payer, payee, value)


def _refund_kongs(referee: Referee, statuses: tuple[str, ...]) -> None:
    for seat in range(SEATS):
        if statuses[seat] not in {"not_ready", "pig"}:
            continue
        for income in referee.kong_incomes:
            if income.seat == seat and not income.given_away:
                for line in income.lines:
                    referee.pay("kong_refund", seat, line.payer, line.amount)
