"""What a run without a design comes to: who is ahead under one preset, or what presets do to the points of each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from reports.entries import chance, interval, number, numbers, text, texts, whole
from reports.model import Section, Table
from sim.statistics.contrast import BlockSums
from sim.statistics.difference import p_of
from sim.statistics.estimate import Estimate
from sim.statistics.multiple import adjust
from sim.statistics.rare import bound_of
from sim.statistics.tables import show_interval, show_signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.api import Result
    from sim.statistics.summary import CellSummary, Part

UNIT: Final = "points per deal"
MOST_WALLS: Final = 2_000_000
"""Walls of a cell up to which presets are compared wall by wall; it would take long beyond, and gain nothing."""
MOST_SENTENCES: Final = 8
"""Line-ups that have a sentence; the table has all of them."""


@dataclass(frozen=True)
class PresetDifference:
    """Points of somebody under one preset less those under the first."""

    line_up: str
    """The line-up."""
    preset: str
    """The preset."""
    first: str
    """The preset that it is compared with."""
    who: str
    """The strategy, or the dealer where there is one strategy."""
    value: float
    """The difference, points per deal."""
    half_width: float | None
    """Half of its 95 % interval."""
    blocks: int
    """Walls."""
    changed: int | None
    """Walls on which the points are not the same; None where it was not made wall by wall."""
    p: float | None = None
    """Two-sided p-value, adjusted by Holm over all differences of the run; None where it is dead."""

    @property
    def is_sure(self) -> bool:
        """Whether the adjusted p-value is below 5 %."""
        return self.p is not None and self.p < 0.05

    @property
    def is_dead(self) -> bool:
        """Whether the points are the same on every wall: nothing happened, which is not a difference of exactly 0."""
        return self.changed == 0


def compare_presets(run: Result) -> list[PresetDifference]:
    """Compare the presets of a run with the first, in each line-up.

    Parameters
    ----------
    run
        The run; nothing is compared if it has a design or a single preset.

    Returns
    -------
    list of PresetDifference
        By line-up, preset and strategy.
    """
    if run.plan.design is not None:
        return []
    found: list[tuple[PresetDifference, float | None]] = []
    by_line_up: dict[str, list[CellSummary]] = {}
    for cell in run.numbers.cells:
        by_line_up.setdefault(cell.cell.line_up, []).append(cell)
    for first, *others in by_line_up.values():
        for other in others:
            found += [_difference(run, first, other, part) for part in _parts(other)]
    ps = iter(adjust([p for _, p in found if p is not None], "holm"))
    return [one if p is None else replace(one, p=next(ps)) for one, p in found]


def _parts(cell: CellSummary) -> Sequence[Part]:
    """List whose points are compared: the strategies, or the dealer where there is one strategy, whose are 0."""
    return cell.strategies if len(cell.strategies) > 1 else cell.seats[:1]


def _difference(
    run: Result, first: CellSummary, other: CellSummary, part: Part
) -> tuple[PresetDifference, float | None]:
    """Compare somebody's points under two presets, with the p-value."""
    there = next(one for one in _parts(first) if one.name == part.name)
    is_paired = run.plan.has_rows and max(first.walls, other.walls) <= MOST_WALLS
    if is_paired:
        of, changed = _paired(run, first, other, part)
    else:
        of, changed = _apart(part.metrics["points"], there.metrics["points"]), None
    who = part.name if part.who == "strategy" else "the dealer"
    names = (other.cell.line_up, other.cell.preset, first.cell.preset, who)
    made = PresetDifference(*names, of.value or 0.0, of.half_width, of.blocks, changed)
    return made, None if made.is_dead else p_of(of)


def _paired(run: Result, first: CellSummary, other: CellSummary, part: Part) -> tuple[Estimate, int]:
    """Compare wall by wall, on the walls that both have played; on how many of them points are not the same."""
    rows = run.seats(verify=False)
    is_mine = pl.col("strategy").cast(pl.String) == part.name if part.who == "strategy" else pl.col("seat") == 0
    sides = [
        rows.filter((pl.col("cell") == cell.cell.index) & is_mine)
        .group_by("wall")
        .agg(pl.col("points").cast(pl.Int64).sum().alias(name))
        for cell, name in ((other, "here"), (first, "there"))
    ]
    change = pl.col("here") - pl.col("there")
    found = (
        sides[0]
        .join(sides[1], on="wall")
        .select(
            pl.len().alias("blocks"),
            change.sum().alias("total"),
            (change * change).sum().alias("squares"),
            (change != 0).sum().alias("changed"),
        )
    )
    slots = other.cell.strategies.count(part.name) if part.who == "strategy" else 1
    (sums,) = found.collect().to_dicts()
    changed: int = sums.pop("changed")
    return BlockSums(slots * len(other.cell.seatings), **sums).estimate(), changed


def _apart(here: Estimate, there: Estimate) -> Estimate:
    """Compare as if the two had played other walls, which makes the interval wider than need be."""
    value = None if here.value is None or there.value is None else here.value - there.value
    widths = (here.half_width, there.half_width)
    half = None if None in widths else math.hypot(*(width or 0.0 for width in widths))
    return Estimate(here.numerator, here.denominator, min(here.blocks, there.blocks), value, half)


def preset_verdicts(found: Sequence[PresetDifference]) -> list[str]:
    """Say in a sentence for each line-up what presets do to points.

    Parameters
    ----------
    found
        From `compare_presets`.
    """
    said = []
    line_ups = list(dict.fromkeys(one.line_up for one in found))
    for line_up in line_ups[:MOST_SENTENCES]:
        mine = [one for one in found if one.line_up == line_up]
        if all(one.is_dead for one in mine):
            walls = min(one.blocks for one in mine)
            said.append(
                f"{line_up}: presets change nothing: the points are the same on every wall ({bound_of(walls)})."
            )
            continue
        sure = [one for one in mine if one.is_sure]
        best = max(sure or mine, key=lambda one: abs(one.value))
        shown = f"from {best.first} to {best.preset}, {best.who} gets {_shown(best)} {UNIT}"
        count = f"{len(sure)} of {len(mine)} differences are sure at 5 % (Holm)"
        if sure:
            largest = "the largest sure difference" if len(mine) > 1 else "a sure difference"
            said.append(f"{line_up}: presets move points; {largest}: {shown}; {count}.")
        else:
            said.append(f"{line_up}: no difference of presets is sure; the largest: {shown}; {count}.")
    if len(line_ups) > MOST_SENTENCES:
        said.append(f"Of {len(line_ups) - MOST_SENTENCES} more line-ups the table of presets says the same.")
    return said


def _shown(one: PresetDifference) -> str:
    """Write a difference as more or less."""
    width = "" if one.half_width is None else f" ± {one.half_width:.3f}"
    return f"{show_signed(one.value, 3)}{width}"


def preset_section(found: Sequence[PresetDifference]) -> Section:
    """Tabulate what presets do to points.

    Parameters
    ----------
    found
        From `compare_presets`; not empty.
    """
    head = (*texts("line-up", "preset", "less", "who"), *numbers("", "walls"), *numbers(UNIT, "difference"))
    tested, dead = sum(one.p is not None for one in found), [one for one in found if one.is_dead]
    head += numbers("p, adjusted", "Holm")
    rows = tuple(
        (
            text(one.line_up),
            text(one.preset),
            text(one.first),
            text(one.who),
            whole(one.blocks),
            number(0.0) if one.is_dead else interval(one.value, one.half_width, is_marked=one.is_sure),
            text("dead") if one.is_dead else chance(one.p),
        )
        for one in found
    )
    how = (
        "Wall by wall, on the walls that both presets have played."
        if all(one.changed is not None for one in found)
        else "As if the presets had played other walls, since rows are not kept or too many: intervals are wider than"
        " they could be."
    )
    together = f"adjusted together by Holm: {tested:,} differences"
    note = f"{how} Marked: sure, an adjusted p-value below 0.05; {together}."
    if dead:
        bound = bound_of(min(one.blocks for one in dead))
        note += (
            f" Dead: the points are the same on every wall, so that there is nothing to test; they change on {bound}."
        )
    table = Table(
        "presets", f"{UNIT.capitalize()} under each preset less those under the first", head, rows, note, "sure"
    )
    return Section("presets", "What the presets do to points", (table,))


def leader_verdicts(cells: Sequence[CellSummary]) -> list[str]:
    """Say for each cell who is ahead, or what the dealer gets where there is one strategy.

    Parameters
    ----------
    cells
        Cells of a single preset.
    """
    said = []
    for cell in cells[:MOST_SENTENCES]:
        where = f"{cell.cell.line_up}, {cell.cell.preset}"
        if len(cell.strategies) == 1:
            points = cell.seats[0].metrics["points"]
            width = points.half_width
            is_sure = width is not None and points.value is not None and abs(points.value) > width
            told = "" if is_sure else ", not told from 0"
            said.append(f"{where}: the dealer gets {show_interval(points)} {UNIT}{told}.")
            continue
        ordered = sorted(cell.strategies, key=lambda part: -(part.metrics["points"].value or 0.0))
        best, last = (show_interval(ordered[place].metrics["points"]) for place in (0, -1))
        said.append(f"{where}: {ordered[0].name} is ahead with {best} {UNIT}; {ordered[-1].name} is last with {last}.")
    if len(cells) > MOST_SENTENCES:
        said.append(f"The tables have {len(cells) - MOST_SENTENCES} more line-ups.")
    return said
