"""The deals of a run that cost each strategy most, with a page to step through each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reports.entries import number, numbers, text, texts, whole
from reports.model import Entry, Section, Table
from reports.viewer import show_deal
from sim.errors import BloodBattleError
from sim.statistics.worst import find_worst
from sim.tournament.replay import replay_of_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.model import Block
    from sim.api import Result
    from sim.statistics.worst import CostlyDeal

MOST_STRATEGIES: Final = 12
"""Strategies of which the report of a run shows costly deals: each deal has a page of its own."""
MOST_DEALS: Final = 3
"""Deals of each of them."""
MOST_SEARCHED: Final = 1_000_000
"""Deals of a run up to which its rows are searched; it would take long beyond."""


def costly_section(run: Result, asked: Sequence[str] | None, count: int) -> tuple[Section, dict[str, str]]:
    """Show the deals that cost strategies most.

    Parameters
    ----------
    run
        A run that keeps rows.
    asked
        The strategies; all of the run, if they are not too many, when absent.
    count
        Deals of each.

    Returns
    -------
    section
        A table of them, and which strategies are left out.
    pages
        The page of each deal, by where it stands beside the report; none of deals that cannot be played again.
    """
    names = list(run.plan.strategies)[:MOST_STRATEGIES] if asked is None else asked
    pages: dict[str, str] = {}
    rows = []
    why = ""
    for name in names:
        for deal in find_worst(run, name, count):
            cell = run.plan.cells[deal.deal.cell]
            place = f"deals/{run.plan.hash[:8]}-{deal.deal}.html"
            if not why:
                try:
                    pages[place] = pages.get(place) or show_deal(replay_of_run(run, str(deal.deal)).events)
                except BloodBattleError as error:
                    why = str(error)
            rows.append(
                (
                    text(name),
                    Entry(str(deal.deal), link=place if place in pages else None),
                    text(cell.preset),
                    text(cell.line_up),
                    text("dealer" if deal.seat == 0 else f"seat {deal.seat}"),
                    number(deal.points, 0, is_signed=True),
                    text(_won(deal)),
                    whole(deal.deal_ins),
                    text(_causes(deal.paid)),
                )
            )
    head = (*texts("strategy", "deal", "preset", "line-up", "seat"), *numbers("", "points"), *texts("won"))
    head += (*numbers("", "deal-ins"), *texts("paid (points)"))
    note = (
        "The worst of each strategy first. Points are net, gained less paid in the whole deal; paid: by cause, the"
        " dearest first. "
    )
    if why:
        note += f"The deals cannot be played again here: {why}."
    else:
        note += "A deal leads to a page that steps through it; keep the folder deals beside this page."
    table = Table("costly", "The deals that cost most", head, tuple(rows), note)
    left_out = [] if asked is not None else list(run.plan.strategies)[MOST_STRATEGIES:]
    blocks: list[Block] = [table]
    if left_out:
        blocks.append(
            f"Left out, since every deal has a page of its own: {', '.join(left_out)}; `bloodbattle worst` shows those"
            " of any strategy."
        )
    return Section("costly", "The most costly deals", tuple(blocks)), pages


def _won(deal: CostlyDeal) -> str:
    """Say whether the strategy won the deal all the same."""
    order = ("no", "first", "second", "third")[deal.win_order]
    return f"{order}, value {deal.value}" if deal.win_order else order


def _causes(paid: Mapping[str, int]) -> str:
    """Name what was paid for, the dearest first."""
    ordered = sorted(paid.items(), key=lambda item: -item[1])
    return ", ".join(f"{cause.replace('_', ' ')} {amount:,}" for cause, amount in ordered)
