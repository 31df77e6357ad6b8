"""The deals that cost a strategy most, found in a run's rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from sim.rng import wall_seed_of
from sim.tournament.quantities import GAINED, PAID, causes_of
from sim.tournament.results import DealId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.tournament.results import Run


@dataclass(frozen=True)
class CostlyDeal:
    """One deal that cost a strategy much."""

    deal: DealId
    """Which deal of the run."""
    wall_seed: int
    """Its wall seed."""
    seat: int
    """Where the strategy sat."""
    seating: tuple[int, ...]
    """The slot in each seat."""
    points: int
    """What it got: less than 0 is a loss."""
    paid: Mapping[str, int]
    """Points paid, by cause; causes without any are left out."""
    gained: Mapping[str, int]
    """Points gained, by cause."""
    deal_ins: int
    """Winners on its discards."""
    win_order: int
    """1, 2 or 3 if it won, 0 if not."""
    value: int
    """Hand value that it won with, 0 if it did not."""


def find_worst(run: Run, strategy: str, count: int) -> list[CostlyDeal]:
    """Find the deals that cost a strategy most.

    Parameters
    ----------
    run
        A run that keeps rows.
    strategy
        The strategy.
    count
        How many deals.

    Returns
    -------
    list of CostlyDeal
        The worst first; equal ones in the order in which they were played.
    """
    mine = run.seats(verify=False).filter(pl.col("strategy").cast(pl.String) == strategy)
    keys = ["points", "cell", "wall", "seating", "seat"]
    rows = mine.sort(keys).head(count).collect().to_dicts()
    causes = causes_of(run.plan.columns)
    found = []
    for row in rows:
        deal = DealId(row["cell"], row["wall"], row["seating"])
        found.append(
            CostlyDeal(
                deal,
                wall_seed_of(run.plan.seed, deal.wall),
                row["seat"],
                run.plan.cells[deal.cell].seatings[deal.seating],
                row["points"],
                {cause: row[PAID + cause] for cause in causes if row[PAID + cause]},
                {cause: row[GAINED + cause] for cause in causes if row[GAINED + cause]},
                row["deal_ins"],
                row["win_order"],
                row["value"],
            )
        )
    return found
