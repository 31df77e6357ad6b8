"""Whether all chunks of a run come from one game: a chi-square of outcome counts over chunks, by cell.

A broken build on one machine, or a file from elsewhere, shows as a chunk whose counts are far from all others. Deals of
a wall are alike, so the plain chi-square of counts would find differences everywhere; here each count's distance from
what is expected is divided by its own spread from wall to wall: Q = Σ (count - expected)² / (n · s²) over chunks of n
walls, with s² the variance of a wall's count within chunks. For one deal a wall this is Pearson's chi-square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sim.tournament.quantities import DEALS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.tournament.plan import Cell
    from sim.tournament.results import Run
    from sim.tournament.totals import Kind, Totals

OF_STRATEGIES: Final = ("won_first", "won_second", "won_third", "dealt_in", "ready", "pig")
OF_SEATS: Final = ("won", "exhausted")
"""The outcomes that are counted, for each strategy and for each seat."""
_SMALLEST_COUNT: Final = 5
"""A count that is expected less often than this, or that is expected to fail less often, is left out."""


@dataclass(frozen=True)
class Homogeneity:
    """One outcome over the chunks of a cell."""

    what: str
    """The outcome and whose it is."""
    statistic: float
    """Chi-square."""
    freedom: int
    """Its degrees of freedom: chunks less one."""
    p: float
    """Chance of a chi-square at least as large if all chunks come from one game."""
    worst: str
    """The chunk whose count is farthest out."""


@dataclass(frozen=True)
class CellHomogeneity:
    """All outcomes over the chunks of a cell."""

    cell: Cell
    """The cell."""
    chunks: int
    """Its chunks."""
    worst: Homogeneity | None
    """The outcome with the smallest p; None where there is nothing to compare."""
    outcomes: int
    """How many outcomes were looked at."""

    @property
    def p(self) -> float:
        """The smallest p of all outcomes, corrected for how many there are (Bonferroni)."""
        return 1.0 if self.worst is None else min(1.0, self.worst.p * self.outcomes)


def check_chunks(run: Run) -> list[CellHomogeneity]:
    """Compare the chunks of each cell of a run.

    Parameters
    ----------
    run
        The run.

    Returns
    -------
    list of CellHomogeneity
        By cell.
    """
    by_cell: dict[int, dict[str, Totals]] = {}
    for entry in run.folder.ledger.entries():
        by_cell.setdefault(entry.chunk.cell, {})[entry.chunk.id] = entry.totals
    return [compare_parts(run.plan.cells[index], parts) for index, parts in sorted(by_cell.items())]


def compare_parts(cell: Cell, parts: Mapping[str, Totals]) -> CellHomogeneity:
    """Compare parts of one cell: its chunks, or the same cell of several runs.

    Parameters
    ----------
    cell
        The cell.
    parts
        The totals of each part, by its name.
    """
    found = list(_compare(cell, list(parts), list(parts.values()))) if len(parts) > 1 else []
    worst = min(found, key=lambda item: item.p, default=None)
    return CellHomogeneity(cell, len(parts), worst, len(found))


def _compare(cell: Cell, names: Sequence[str], parts: Sequence[Totals]) -> Iterator[Homogeneity]:
    """Compare parts, outcome by outcome."""
    from scipy.special import chdtrc  # noqa: PLC0415 - only needed here

    groups = cell.group_of_slot
    units: list[tuple[Kind, int, str]] = [("strategy", index, name) for index, name in enumerate(cell.groups)]
    units += [("seat", seat, f"seat {seat}") for seat in range(4)]
    walls = [part.walls for part in parts]
    everything = sum(walls)
    for kind, index, who in units:
        for name in OF_STRATEGIES if kind == "strategy" else OF_SEATS:
            if any(name not in part.sums for part in parts) or (name == "exhausted" and index):
                continue  # a deal is exhausted for all seats
            counts = [part.sum_of(name, kind, index, groups) for part in parts]
            squares = sum(part.product_of(name, name, kind, index) for part in parts)
            deals = parts[0].sum_of(DEALS, kind, index, groups) // walls[0]
            share = sum(counts) / (everything * deals)
            freedom = everything - len(parts)
            rest = squares - sum(count * count / n for count, n in zip(counts, walls, strict=True))
            if min(share, 1 - share) * min(walls) * deals < _SMALLEST_COUNT or freedom < 1 or rest <= 0:
                continue
            variance = rest / freedom
            mean = sum(counts) / everything
            far = [(count - mean * n) ** 2 / (n * variance) for count, n in zip(counts, walls, strict=True)]
            statistic = sum(far)
            p = float(chdtrc(len(parts) - 1, statistic))
            label = "exhausted" if name == "exhausted" else f"{name} of {who}"
            yield Homogeneity(label, statistic, len(parts) - 1, p, names[far.index(max(far))])
