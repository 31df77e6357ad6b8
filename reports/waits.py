"""Figures of a ladder's queue: waiting and rating gaps by the own rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reports.entries import measure, numbers, whole
from reports.figures import Mark
from reports.lines import curves
from reports.model import Figure, Table
from reports.rating_ledger import name_of
from sim.ladder.measures import interval_over
from sim.ladder.totals import BAND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.ladder.measures import Interval
    from sim.ladder.plan import Cell
    from sim.ladder.totals import Totals

FEWEST_SEATS: Final = 100
"""Seats of a band below which its mean cannot be relied on."""
_THOUSAND: Final = 1000.0
_WHAT: Final = (("waits", "mean wait, seconds", "s", 1), ("gaps", "mean rating gap at the table", "points", 3))
"""Key, label, unit, and row of the sums."""


def wait_figures(cell: Cell, replications: Sequence[Totals]) -> Iterator[Figure]:
    """Draw waits and rating gaps by bands of the own rating, with what was counted in a table behind.

    Parameters
    ----------
    cell
        The cell.
    replications
        The sums of its replications.
    """
    for key, label, unit, row in _WHAT:
        bands = _by_band(replications, row)
        if len(bands) < 2:
            continue
        title = f"{label[0].upper()}{label[1:]}: {name_of(cell)}"
        said = (
            f"After the warm-up, by bands of {BAND} points of the own rating, each at its middle, with 95 % intervals"
            f" over replications. Hollow: fewer than {FEWEST_SEATS} seats, or not of every replication."
        )
        marks = [
            (BAND * (band + 0.5), Mark(of.value, of.half_width if is_sure else None, is_sure))
            for band, of, _, is_sure in bands
        ]
        unsure = f"fewer than {FEWEST_SEATS} seats"
        draw = curves([(f"{FEWEST_SEATS} seats or more", marks)], ("own rating", label), unsure=unsure)
        last = replications[0].bands.shape[1] - 1
        rows = tuple(
            (whole(BAND * band), whole(None if band == last else BAND * (band + 1)), whole(seats), measure(of, 1))
            for band, of, seats, _ in bands
        )
        head = (*numbers("own rating", "from", "below"), *numbers("", "seats"), *numbers(unit, "mean"))
        yield Figure(f"{key}-{cell.index}", title, said, draw, Table(f"{key}-{cell.index}-data", title, head, rows))


def _by_band(replications: Sequence[Totals], row: int) -> list[tuple[int, Interval, int, bool]]:
    """Give for each band of ratings the mean over replications, the seats, and whether it can be relied on."""
    found = []
    for band in range(replications[0].bands.shape[1]):
        seats = [int(each.bands[0, band]) for each in replications]
        if not sum(seats):
            continue
        means = [int(each.bands[row, band]) / n / _THOUSAND for each, n in zip(replications, seats, strict=True) if n]
        is_sure = sum(seats) >= FEWEST_SEATS and len(means) == len(replications)
        found.append((band, interval_over(means), sum(seats), is_sure))
    return found
