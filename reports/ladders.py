"""The report of a ladder: ratings over time, anchors, where points come from, calibration, waiting, timeouts."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from reports.again import ladder_files
from reports.entries import measure, number, numbers, text, texts
from reports.figures import Mark
from reports.grids import table_of
from reports.lines import curves, ribbons
from reports.model import Figure, Report, Section, Table
from reports.rating_ledger import ledger_blocks, name_of
from reports.waits import wait_figures
from sim.errors import ResultsError
from sim.ladder.drift import MEASURES, measure_cell
from sim.ladder.measures import interval_over
from sim.ladder.totals import STEP, Totals
from sim.statistics.tables import show_signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from reports.model import Block
    from sim.ladder.drift import CellDrift
    from sim.ladder.measures import Interval
    from sim.ladder.plan import Cell
    from sim.ladder.results import Ladder
    from sim.statistics.tables import Grid

MOST_CELLS: Final = 4
"""Cells that have figures; the tables have all of them."""
_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_THOUSAND: Final = 1000.0
_DIGITS: Final = {"log_loss": 4, "brier": 4, "slope": 3, "correlation": 3, "timeout_points": 2, "timeout_rating": 2}
_UNITS: Final = {
    **dict.fromkeys(("anchor_drift", "made", "kept"), "points per 1,000 games"),
    **dict.fromkeys(("slope", "correlation", "log_loss", "brier"), ""),
    "half_life": "games",
    "wait": "s",
}
"""Units of the measures that are not points."""
_PRINTED_UNITS: Final = {
    "gap at the table": "rating points",
    **dict.fromkeys(("drops", "timeouts", "games with one"), "per 1,000 games"),
    "points lost": "points per game with one",
    "rating lost": "rating points per game with one",
}
"""Units of columns of the summary whose texts do not say them."""
_SIGNED: Final = {
    "anchor_drift",
    "anchor_moved",
    "anchor_offset",
    "pool_moved",
    "pool_offset",
    "made",
    "kept",
    "intercept",
}
"""Measures that go either way, so that they have a sign."""
_CLASS: Final = 50
"""Width of a class of rating differences in the calibration plot, in points."""
_FEWEST_PAIRS: Final = 50
"""Pairs of which a class has to have so many to be drawn."""


def report_ladder(ladder: Ladder, grids: Mapping[int, Sequence[Grid]]) -> Report:
    """Make the report of a ladder, finished or not.

    Parameters
    ----------
    ladder
        The ladder.
    grids
        The tables of its summary, as they are printed, by cell.

    Raises
    ------
    ResultsError
        Nothing is finished yet, or the ladder is damaged.
    """
    plan, entries = ladder.plan, ladder.entries()
    ladder.folder.refuse_any_damaged()
    if not entries:
        raise ResultsError(f"{ladder.path}: no replication is finished yet")
    sums: dict[int, list[Totals]] = {}
    for entry in entries:
        sums.setdefault(entry.job.cell, []).append(Totals.from_data(entry.sums["drift"]))
    cells = [cell for cell in plan.cells if cell.index in sums]
    drifts = {cell.index: measure_cell(plan.file, plan.systems[cell.rating], sums[cell.index]) for cell in cells}
    made = Report(plan.file.title or plan.name, "ladder")
    wanted = len(plan.cells) * plan.file.replications
    if len(entries) < wanted:
        made.warnings.append(
            f"This ladder is not finished: {len(entries):,} of {wanted:,} replications have been played. It goes on"
            f" with: bloodbattle resume {shlex.quote(str(ladder.path))}"
        )
    elif plan.file.replications < 2:
        made.warnings.append("There is one replication of each cell only, so there are no intervals.")
    made.facts = [
        ("Ladder", plan.name),
        ("Cells", ", ".join(f"{cell.preset} with {cell.rating}" for cell in cells)),
        ("Replications", _replications(len(entries), [len(sums[cell.index]) for cell in cells])),
        (
            "Games",
            f"{sum(entry.sums['games'] for entry in entries):,} in {sum(e.sums['deals'] for e in entries):,} deals",
        ),
        ("Groups", ", ".join(_group_fact(group) for group in plan.file.groups)),
    ]
    made.verdicts = [line for cell in cells for line in _verdicts(cell, drifts[cell.index])]
    made.sections = [
        Section("ratings", "Ratings over time", tuple(_over_time(ladder, cells[:MOST_CELLS], drifts))),
        Section("drift", "Rating drift", (_measures(cells, drifts), _meanings(drifts))),
        Section("points-made", "Where rating points come from", tuple(ledger_blocks(cells, drifts, sums, MOST_CELLS))),
        Section("calibration", "Do ratings foretell results?", tuple(_calibration(cells[:MOST_CELLS], drifts, sums))),
        Section("groups", "Groups, waiting, timeouts", tuple(_printed(cells, sums, grids))),
        Section("doubts", "What could mislead", _doubts(plan.file)),
    ]
    made.files = ladder_files(plan)
    file, folder = next(iter(made.files)), shlex.quote(str(ladder.path))
    made.commands = [
        f"bloodbattle ladder {shlex.quote(file)} --out {shlex.quote(plan.name)} --report",
        f"bloodbattle report {folder}",
        f"bloodbattle summary {folder}",
    ]
    made.checks = [("plan", plan.hash), ("seed", str(plan.data["seed"]))]
    made.checks += [(f"version of {name}", str(value)) for name, value in plan.data["versions"].items()]
    return made


def _replications(entries: int, of_cells: Sequence[int]) -> str:
    """Say how many replications there are, and what they are to intervals."""
    low, high = min(of_cells), max(of_cells)
    each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    if len(of_cells) == 1:
        return f"{each}, the unit of every interval"
    return f"{each} of each cell, the unit of its intervals; {entries:,} in all"


def _group_fact(group: Any) -> str:
    """Say who a group is."""
    return f"{group.name} ({group.strategy}{', anchors' if group.anchor else ''})"


def _half(of: Interval | None) -> str:
    """Write half of an interval, if there is one."""
    return "" if of is None or of.half_width is None else f" ± {of.half_width:.1f}"


def _verdicts(cell: Cell, drift: CellDrift) -> Iterator[str]:
    """Say what a cell's ratings do."""
    anchors, pool, slope = drift.interval("anchor_moved"), drift.interval("pool_moved"), drift.interval("slope")
    if anchors is not None:
        sure = anchors.half_width is not None and abs(anchors.value) > anchors.half_width
        what = (
            f"anchors, whose skill never changes, moved by {show_signed(anchors.value, 1)}{_half(anchors)} points"
            if sure or anchors.half_width is None
            else f"no drift of the anchors is seen: {show_signed(anchors.value, 1)}{_half(anchors)} points"
        )
        beside = "" if pool is None else f"; the mean of all by {show_signed(pool.value, 1)}{_half(pool)}"
        yield f"{name_of(cell)}: {what}{beside}."
    elif pool is not None:
        yield (
            f"{name_of(cell)}: the mean of all ratings moved by {show_signed(pool.value, 1)}{_half(pool)} points, which"
            " is no evidence of drift; without anchors nothing is."
        )
    if slope is not None:
        half = "" if slope.half_width is None else f" ± {slope.half_width:.2f}"
        yield f"{name_of(cell)}: ratings spread {slope.value:.2f}{half} points for each point of true skill."


# ----------------------------------------------------------------------------------------------------------- over time


def _over_time(ladder: Ladder, cells: Sequence[Cell], drifts: Mapping[int, CellDrift]) -> Iterator[Block]:
    """Draw ratings by group, and means of anchors and of all."""
    yield (
        "Line: the median; dark ribbon: the middle half; light ribbon: nine in ten. By group: over the players who are"
        " there, of all replications. Means: over replications."
    )
    frame = _quantiles(ladder)
    for cell in cells:
        mine = frame.filter(frame["cell"] == cell.index)
        series, rows, days = [], [], []
        for group in ladder.plan.file.groups:
            part = mine.filter(mine["group"] == group.name).sort("snapshot")
            if len(part) < 2 or not part["players"].min():
                continue
            days = [float(day) for day in part["day"]]
            lines = [[row[f"q{place}"] for place in range(len(_QUANTILES))] for row in part.to_dicts()]
            series.append((group.name, days, lines))
            rows += [
                (text(group.name), number(day, 2), *(number(value, 0) for value in line))
                for day, line in zip(days, lines, strict=True)
            ]
        if series:
            key = f"ribbons-{cell.index}"
            title = f"Ratings by group: {name_of(cell)}"
            head = (*texts("group"), *numbers("", "day"))
            head += numbers("rating", *(f"{100 * share:.0f} %" for share in _QUANTILES))
            table = Table(f"{key}-data", title, head, tuple(rows))
            said = f"Quantiles of ratings over {days[-1]:.0f} days, a ribbon for each group."
            yield Figure(key, title, said, ribbons(series, ("days", "rating")), table)
        yield from _means(cell, drifts[cell.index])


def _quantiles(ladder: Ladder) -> pl.DataFrame:
    """Find quantiles of ratings by cell, snapshot and group."""
    import polars as pl  # noqa: PLC0415 - only needed here

    wanted = [
        (pl.col("rating").quantile(share, "linear") / _THOUSAND).alias(f"q{place}")
        for place, share in enumerate(_QUANTILES)
    ]
    rows = ladder.ratings(verify=False).group_by("cell", "snapshot", "group")
    found = rows.agg(*wanted, players=pl.len(), day=pl.col("time").max() / 86_400)
    return found.with_columns(pl.col("group").cast(pl.String)).sort("cell", "snapshot", "group").collect()


def _means(cell: Cell, drift: CellDrift) -> Iterator[Figure]:
    """Draw the mean rating of anchors and of all players, over replications."""
    import numpy as np  # noqa: PLC0415 - only needed here

    series, rows = [], []
    for name, label in (("anchors", "anchors"), ("pool", "all players")):
        if name not in drift.series:
            continue
        count = min(map(len, drift.series[name]))
        games = np.mean([row[:count] for row in drift.series["games"]], axis=0).tolist()
        values = np.array([row[:count] for row in drift.series[name]])
        lines = np.quantile(values, _QUANTILES, axis=0).T.tolist()
        series.append((label, games, lines))
        rows += [
            (text(label), number(when, 0), *(number(value, 1) for value in line))
            for when, line in zip(games, lines, strict=True)
        ]
    key = f"means-{cell.index}"
    title = f"Mean rating: {name_of(cell)}"
    head = (*texts("who"), *numbers("", "games"), *numbers("rating", *(f"{100 * share:.0f} %" for share in _QUANTILES)))
    table = Table(f"{key}-data", title, head, tuple(rows))
    said = "Mean ratings over games, quantiles over replications. Anchors that move show drift; a moving mean does not."
    yield Figure(key, title, said, ribbons(series, ("games", "mean rating")), table)


# --------------------------------------------------------------------------------------------------------------- drift


def _measures(cells: Sequence[Cell], drifts: Mapping[int, CellDrift]) -> Table:
    """Tabulate the measures of drift, a cell a column."""
    rows = []
    for name in MEASURES:
        found = [drifts[cell.index].interval(name) for cell in cells]
        if any(of is not None for of in found):
            entries = (measure(of, _DIGITS.get(name, 1), is_signed=name in _SIGNED) for of in found)
            rows.append((text(name.replace("_", " ")), text(_UNITS.get(name, "points")), *entries))
    columns = (*texts("measure", "unit"), *numbers("", *map(name_of, cells)))
    return Table("drift-measures", "Measures of rating drift", columns, tuple(rows), "± is over replications.")


def _meanings(drifts: Mapping[int, CellDrift]) -> Table:
    """Say what the measures mean."""
    told = [name for name in MEASURES if any(drift.interval(name) is not None for drift in drifts.values())]
    rows = tuple((text(name.replace("_", " ")), text(MEASURES[name])) for name in told)
    return Table("drift-meanings", "What the measures say", texts("measure", "what it says"), rows)


# --------------------------------------------------------------------------------------------------------- calibration


def _calibration(
    cells: Sequence[Cell], drifts: Mapping[int, CellDrift], sums: Mapping[int, list[Totals]]
) -> Iterator[Block]:
    """Draw how often who is rated higher comes out ahead, beside what the fitted scale foretells."""
    yield (
        "Points: of pairs at a table in the later half, how often the higher rated was ahead (a tie is half), with 95 %"
        " intervals over replications. Line: what the scale fitted to the earlier half foretells."
    )
    for cell in cells:
        scale = drifts[cell.index].interval("scale")
        points = _classes(sums[cell.index])
        if not points or scale is None:
            yield f"{name_of(cell)}: too few pairs of settled ratings to tell."
            continue
        foretold = [1 / (1 + 10 ** (-middle / scale.value)) for middle, _, _ in points]
        key = f"calibration-{cell.index}"
        title = f"Calibration: {name_of(cell)}, scale {scale.value:.0f}"
        rows = tuple(
            (number(middle, 0), measure(of, 3), number(chance, 3), number(pairs, 0))
            for (middle, of, pairs), chance in zip(points, foretold, strict=True)
        )
        head = (*numbers("points", "difference"), *numbers("share ahead", "seen", "foretold"), *numbers("", "pairs"))
        table = Table(f"{key}-data", title, head, rows)
        seen = [(middle, Mark(of.value, of.half_width, is_sure=True)) for middle, of, _ in points]
        line = [
            (middle, Mark(chance, None, is_sure=True)) for (middle, _, _), chance in zip(points, foretold, strict=True)
        ]
        draw = curves([("seen", seen), ("foretold", line)], ("rating difference, points", "share of pairs ahead"))
        yield Figure(key, title, "Seen shares beside foretold ones, by difference of ratings.", draw, table)


def _classes(replications: Sequence[Totals]) -> list[tuple[float, Interval, int]]:
    """Give for classes of rating differences the middle, how often the higher rated was ahead, and the pairs."""
    found = []
    size = _CLASS // STEP
    steps = replications[0].classes.shape[2] - 1  # the last class is open
    for first in range(0, steps - size + 1, size):
        parts = [each.classes[1][:, first : first + size].sum(axis=1) for each in replications]
        pairs = sum(int(part.sum()) for part in parts)
        shares = [float(part[1] / 2 + part[2]) / float(part.sum()) for part in parts if part.sum()]
        if pairs >= _FEWEST_PAIRS and len(shares) == len(parts):
            found.append((STEP * (first + size / 2), interval_over(shares), pairs))
    return found


# --------------------------------------------------------------------------------------------------- printed, and rest


def _printed(
    cells: Sequence[Cell], sums: Mapping[int, list[Totals]], grids: Mapping[int, Sequence[Grid]]
) -> Iterator[Block]:
    """Give the tables of the summary, and waiting and gaps by rating as figures."""
    for cell in cells:
        if cell.index < MOST_CELLS:
            yield from wait_figures(cell, sums[cell.index])
        for place, grid in enumerate(grids.get(cell.index, ())):
            table = table_of(grid, f"summary-{cell.index}-{place}", units=_PRINTED_UNITS)
            yield replace(table, caption=f"{table.caption}: {name_of(cell)}")


def _doubts(file: Any) -> tuple[str, ...]:
    """Say what could mislead."""
    said = [
        (
            "Programs of fixed skill play, not people, who learn, tire and choose when to play. True skill is what the"
            " results of whole groups say, on the scale of ratings."
        ),
        "Intervals are over replications, each with players and walls of its own.",
    ]
    if file.replications < 20:
        said.append(f"{file.replications} replications are few for an interval: 20 make a decision.")
    return tuple(said)
