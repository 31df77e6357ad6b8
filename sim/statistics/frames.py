"""Frames for analysts: the rows of a run as one row a deal, or as blocks; lazy, so that large runs can be filtered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from sim.errors import ConfigError
from sim.rules.words import did_you_mean, show_value
from sim.statistics.blocks import scan_blocks
from sim.tournament.quantities import DEALS, NET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.tournament.results import Run

SEATS: Final = 4
DEAL_KEYS: Final = ("cell", "preset", "line_up", "wall", "seating")
OF_THE_DEAL: Final = ("wins", "exhausted", "draws")
"""Columns that say the same at all four seats."""
OF_EACH_SEAT: Final = ("strategy", "points", "win_order", "win_form", "fan", "deal_ins", "status")
"""Columns that a deal's row has four times, with the seat behind the name: ``points_0`` ..."""
MAIN: Final = (DEALS, "points", "won", "won_self_draw", "dealt_in", "fan", "value", "ready", "not_ready", "pig")
"""Quantities of blocks when none are named, with every ``net_...``."""


def deals_of(run: Run, *, verify: bool = True) -> pl.LazyFrame:
    """Give one row for each deal.

    Parameters
    ----------
    run
        A run that keeps rows.
    verify
        As in `Run.seats`.

    Returns
    -------
    polars.LazyFrame
        `DEAL_KEYS`, `OF_THE_DEAL`, and for each seat `OF_EACH_SEAT`, as far as the game has them; in the order of the
        rows.

    Raises
    ------
    ResultsError
        As `Run.seats`.
    """
    rows = run.seats(verify=verify)
    known = set(rows.collect_schema().names())
    shared = [name for name in OF_THE_DEAL if name in known]
    of_seat = [name for name in OF_EACH_SEAT if name in known]
    parts = []
    for seat in range(SEATS):
        mine = rows.filter(pl.col("seat") == seat)
        named = [pl.col(name).alias(f"{name}_{seat}") for name in of_seat]
        parts.append(mine.select(*(DEAL_KEYS if seat == 0 else ()), *(shared if seat == 0 else ()), *named))
    return pl.concat(parts, how="horizontal")


def blocks_of(run: Run, quantities: Iterable[str] | None = None, *, verify: bool = True) -> pl.LazyFrame:
    """Give one row for each wall of each cell, and each strategy and seat.

    Parameters
    ----------
    run
        A run that keeps rows.
    quantities
        Names of the quantities to add up; `MAIN` and every net cause when absent.
    verify
        As in `Run.seats`.

    Returns
    -------
    polars.LazyFrame
        Columns cell, preset, line_up, wall, who, name, and the quantities as int64, in the ledger's order; sorted.

    Raises
    ------
    ConfigError
        There is no such quantity.
    ResultsError
        As `Run.seats`.
    """
    known = run.plan.data["quantities"]
    wanted = [name for name in known if name in MAIN or name.startswith(NET)] if quantities is None else [*quantities]
    for name in wanted:
        if name not in known:
            raise ConfigError(
                f"there is no quantity {show_value(name)}{did_you_mean(name, known)}; allowed: {', '.join(known)}"
            )
    keys = ["cell", "preset", "line_up", "wall", "who", "name"]
    return scan_blocks(run, run.seats(verify=verify), wanted, keys)
