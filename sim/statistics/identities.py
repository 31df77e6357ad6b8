"""What must hold between the sums of every run, whatever was played: checked each time a run is summed up.

Each identity is a sum of quantities, with whole factors, that is 0: for each slot in each seat, for the four seats of
a table together, or between seats. All sums are whole numbers, so they hold exactly or the engine contradicts itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from sim.errors import InvariantError
from sim.tournament.quantities import DEALS, GAINED, NET, PAID, WIN_CAUSES, WIN_POINTS, causes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sim.tournament.totals import Totals

Where = Literal["place", "table", "seats"]
SEATS: Final = 4


@dataclass(frozen=True)
class Identity:
    """One identity between quantities."""

    formula: str
    """What equals what, with the names of quantities."""
    meaning: str
    """The same in words."""
    factors: Mapping[str, int]
    """The quantities and what each is multiplied by; the sum of all is 0."""
    where: Where = "place"
    """``place``: for each slot in each seat, and so for each strategy; ``table``: all four seats together; ``seats``:
    the sum is no 0, but the same at all four seats."""


def make_identities(quantities: Iterable[str]) -> tuple[Identity, ...]:
    """List the identities that a run's quantities must obey.

    Parameters
    ----------
    quantities
        Names of the quantities in its ledger.
    """
    names = tuple(quantities)
    causes = causes_of(names)
    parts = {NET + cause: 1 for cause in causes}
    found = [Identity("points = 0", "Points sum to 0 over the four seats.", {"points": 1}, "table")]
    if parts:
        found.append(
            Identity("points = sum of all net_…", "Points by cause sum to the points.", {**parts, "points": -1})
        )
    for cause in causes:
        words = cause.replace("_", " ")
        gained, paid, net = GAINED + cause, PAID + cause, NET + cause
        found.append(
            Identity(
                f"{gained} = {paid}",
                f"Payments made are payments received: {words}.",
                {gained: 1, paid: -1},
                "table",
            )
        )
        found.append(
            Identity(f"{net} = {gained} - {paid}", f"Net is gained less paid: {words}.", {net: 1, gained: -1, paid: 1})
        )
    by_winning = {GAINED + cause: 1 for cause in WIN_CAUSES if cause in causes}
    if by_winning:
        formula = f"{WIN_POINTS} = {' + '.join(by_winning)}"
        found.append(
            Identity(formula, "Points gained by winning are those of all kinds.", {**by_winning, WIN_POINTS: -1})
        )
    by_order = {"won_first": 1, "won_second": 1, "won_third": 1}
    by_form = {"won_self_draw": 1, "won_discard": 1, "won_robbed_kong": 1}
    at_the_end = {"ready": 1, "not_ready": 1, "pig": 1}
    found += [
        Identity("won = won_first + won_second + won_third", "Wins by order sum to the wins.", {**by_order, "won": -1}),
        Identity(
            "won = won_self_draw + won_discard + won_robbed_kong", "Wins by form sum to the wins.",
            {**by_form, "won": -1},
        ),
        Identity("remaining = ready + not_ready + pig", "Who is left is ready, not ready or a flower pig.",
                 {**at_the_end, "remaining": -1}),
        Identity("deal_ins = won_discard", "Each win on a discard is somebody's deal-in.",
                 {"deal_ins": 1, "won_discard": -1}, "table"),
        Identity("wins = 4 * won", "The wins of a deal, noted at all four seats, are those of its players.",
                 {"wins": 1, "won": -4}, "table"),
    ]  # fmt: skip
    for name, meaning in (
        (DEALS, "Every deal has each seat once."),
        ("exhausted", "A deal is exhausted for all four seats."),
        ("wins", "All four seats note the same number of wins."),
        ("draws", "All four seats note the same number of tiles drawn."),
    ):
        found.append(Identity(f"{name} is the same at all seats", meaning, {name: 1}, "seats"))
    return tuple(item for item in found if set(item.factors) <= set(names))


def find_faults(totals: Totals) -> Iterator[tuple[Identity, str]]:
    """Find the identities that totals do not obey.

    Parameters
    ----------
    totals
        The totals of some walls of a cell.

    Yields
    ------
    identity, what
        What does not hold, and where and by how much.
    """
    for item in make_identities(totals.sums):
        rows = [(factor, totals.sums[name]) for name, factor in item.factors.items()]
        places = [sum(factor * numbers[at] for factor, numbers in rows) for at in range(SEATS * SEATS)]
        if item.where == "place":
            wrong = [(f"slot {at // SEATS} in seat {at % SEATS}", excess) for at, excess in enumerate(places) if excess]
        elif item.where == "table":
            wrong = [("all seats together", sum(places))] if sum(places) else []
        else:
            by_seat = [sum(places[seat::SEATS]) for seat in range(SEATS)]
            wrong = [(f"seat {at}", excess - by_seat[0]) for at, excess in enumerate(by_seat) if excess != by_seat[0]]
        for where, excess in wrong:
            yield item, f"{where}: {excess:+,} too many"


def refuse_faults(totals: Totals, where: str) -> int:
    """Check the identities.

    Parameters
    ----------
    totals
        The totals of some walls of a cell.
    where
        Which cell, for the message.

    Returns
    -------
    int
        How many identities were checked.

    Raises
    ------
    InvariantError
        One does not hold.
    """
    for item, what in find_faults(totals):
        raise InvariantError(f"{where}: {item.meaning} Found otherwise: {item.formula} fails for {what}")
    return len(make_identities(totals.sums))
