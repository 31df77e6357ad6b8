"""Where rating points come from: by cause over the whole ladder, and as they pile up in time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from reports.entries import measure, number, numbers, text, texts
from reports.figures import Label, stacked
from reports.lines import areas
from reports.model import Figure, Table
from sim.ladder.measures import interval_over
from sim.ladder.totals import FLOWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reports.model import Block
    from sim.ladder.drift import CellDrift
    from sim.ladder.measures import Interval
    from sim.ladder.plan import Cell
    from sim.ladder.totals import Totals

MADE: Final = ("provisional", "unequal weights", "floor", "timeouts", "rounding")
"""Causes for which games make or destroy points."""
KEPT: Final = "left behind"
"""What leavers did not take with them."""
_NOTE: Final = "Left behind: what leavers began with less what they left with."
_THOUSAND: Final = 1000.0
_LEAST: Final = 0.0005


def name_of(cell: Cell) -> str:
    """Name a cell.

    Parameters
    ----------
    cell
        The cell.
    """
    return f"{cell.preset}, {cell.rating}"


def ledger_blocks(
    cells: Sequence[Cell], drifts: Mapping[int, CellDrift], sums: Mapping[int, list[Totals]], most: int
) -> Iterator[Block]:
    """Show which causes make or destroy points, and what entering and leaving players bring and take.

    Parameters
    ----------
    cells
        The cells.
    drifts, sums
        Their measures, and the sums of their replications.
    most
        Cells that have a figure of their own.
    """
    per: dict[int, dict[str, Interval]] = {}
    for cell in cells:
        drift, games = drifts[cell.index], [max(each.games, 1) for each in sums[cell.index]]
        made = {
            name: [_THOUSAND * points / count for points, count in zip(drift.ledger[name], games, strict=True)]
            for name in MADE
        }
        made[KEPT] = [value or 0.0 for value in drift.values["kept"]]
        per[cell.index] = {name: interval_over(values) for name, values in made.items()}
    unit = "points per 1,000 games"
    parts = [
        (name, [per[cell.index][name].value for cell in cells])
        for name in (*MADE, KEPT)
        if any(abs(per[cell.index][name].value) >= _LEAST for cell in cells)
    ]
    if parts:
        title = "Rating points that come from nobody, by cause"
        said = "Bars to the right are points made, to the left points lost; the mark is the net."
        draw = stacked([Label(name_of(cell)) for cell in cells], parts, unit)
        yield Figure("flows", title, said, draw, _flow_table(cells, per, unit))
        for cell in cells[:most]:
            yield from _in_time(cell, sums[cell.index])
    else:
        yield "No points come or go: what one wins another loses, and leavers take what newcomers bring."
    yield _ledger(cells, drifts)


def _in_time(cell: Cell, replications: Sequence[Totals]) -> Iterator[Figure]:
    """Draw how points of each cause pile up, mean over replications; nothing if there are none."""
    count = min(len(each.when) for each in replications)
    games = np.mean([each.when[:count] for each in replications], axis=0).tolist()
    piles = {
        name: np.mean([each.ledgers[:count, FLOWS.index(name)] for each in replications], axis=0) / _THOUSAND
        for name in MADE
    }
    piles[KEPT] = np.mean([_left_behind(each)[:count] for each in replications], axis=0) / _THOUSAND
    parts = [(name, values.tolist()) for name, values in piles.items() if np.abs(values).max() >= _LEAST]
    if not parts:
        return
    key, title = f"ledger-{cell.index}", f"Rating points that come from nobody, in time: {name_of(cell)}"
    said = (
        "Points made since the start are piled up above the line, points lost below it, by cause; the line is the net."
        " Means over replications."
    )
    net = [math.fsum(values) for values in zip(*(values for _, values in parts), strict=True)]
    rows = tuple(
        (number(when, 0), *(number(values[place], 1, is_signed=True) for _, values in (*parts, ("net", net))))
        for place, when in enumerate(games)
    )
    head = (*numbers("", "games"), *numbers("points since the start", *(name for name, _ in parts), "net"))
    draw = areas(games, parts, ("games", "rating points since the start"))
    yield Figure(key, title, said, draw, Table(f"{key}-data", title, head, rows, _NOTE))


def _left_behind(totals: Totals) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Give for each checkpoint what leavers began with less what they left with, in thousandths."""
    came, gone = (totals.ledgers[:, FLOWS.index(name)] for name in ("entry", "exit"))
    there = totals.counts.sum(axis=1)
    entry = FLOWS.index("entry")
    each = (totals.start + int(totals.flows[entry])) // (int(there[0]) + int(totals.events[entry]))  # all begin alike
    found: np.ndarray[tuple[int], np.dtype[np.int64]] = gone + came - each * (there - there[0])
    return found


def _ledger(cells: Sequence[Cell], drifts: Mapping[int, CellDrift]) -> Table:
    """Tabulate the whole ledger of rating points."""
    rows = []
    names = ("start", *FLOWS, "end")
    for cell in cells:
        ledger = drifts[cell.index].ledger
        rows.append((text(name_of(cell)), *(number(_mean(ledger[name]), 0, is_signed=name in FLOWS) for name in names)))
    head = (*texts("cell"), *numbers("points, mean of replications", *names))
    residue = sum(abs(value) for drift in drifts.values() for value in drift.residues)
    note = (
        "Start and all causes give the end, to the last thousandth."
        if residue == 0
        else f"{residue:,} thousandths of a point are not explained: a defect."
    )
    return Table("points-ledger", "Ledger of all rating points", head, tuple(rows), note)


def _flow_table(cells: Sequence[Cell], per: Mapping[int, Mapping[str, Interval]], unit: str) -> Table:
    """Tabulate points by cause."""
    names = (*MADE, KEPT)
    rows = tuple(
        (text(name_of(cell)), *(measure(per[cell.index][name], 2, is_signed=True) for name in names)) for cell in cells
    )
    return Table("flows-data", "Points by cause", (*texts("cell"), *numbers(unit, *names)), rows, _NOTE)


def _mean(values: Sequence[float]) -> float:
    """Give the mean over replications."""
    return math.fsum(values) / len(values)
