"""The reports of `bloodbattle ladder drift` and `ladder compare`: measures, ledger of points, differences of cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sim.commands.ladder_summary import FEWEST_SEATS
from sim.commands.output import Report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.ladder.cells import MeasuredCell
    from sim.ladder.contrast import Difference
    from sim.ladder.drift import StartUp
    from sim.ladder.measures import Interval
    from sim.statistics.tables import Grid

DIGITS: Final = {"log_loss": 4, "brier": 4, "slope": 3, "correlation": 3, "timeout_points": 2, "timeout_rating": 2}
"""Digits after the point; 1 for all others."""
WORDS: Final = {
    "anchor_drift": "anchor drift/1000",
    "anchor_moved": "anchors moved",
    "anchor_offset": "anchors off",
    "pool_moved": "pool mean moved",
    "pool_offset": "pool mean off",
    "made": "made/1000",
    "kept": "kept/1000",
    "half_life": "half-life",
    "log_loss": "log-loss",
    "brier": "Brier",
    "gap": "rating gap",
    "timeout_points": "timeout, points",
    "timeout_rating": "timeout, rating",
}
MAIN: Final = ("anchor_drift", "anchor_offset", "pool_offset", "spread", "slope", "noise", "half_life", "log_loss")
"""The measures of a table of many cells."""
DELTA: Final = "\N{GREEK CAPITAL LETTER DELTA}"
"""What marks a difference."""
ON_THE_WAY: Final = "\N{DAGGER}"
"""What marks numbers of anchors that hold their way from the start rating."""
MOST_CUT: Final = 0.48
"""From here on the least of MSER-5 lies at the end of the half that it looks at."""
MOVING: Final = ("anchor_drift", "anchor_moved")
"""The measures that do."""
_SURE: Final = 0.05


def word(name: str) -> str:
    """Give what tables call a measure."""
    return WORDS.get(name, name)


def show(value: float | None, half: float | None, digits: int, *, signed: bool = False) -> str:
    """Write a number with half of its interval.

    Parameters
    ----------
    value
        The number; None for none.
    half
        Half of the interval; None for none.
    digits
        Digits after the point.
    signed
        Whether to write a plus.
    """
    from sim.statistics.tables import MINUS, NOTHING

    if value is None or math.isnan(value):
        return NOTHING
    text = f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"
    text = text.replace("-", MINUS)
    return text if half is None else f"{text} ± {half:,.{digits}f}"


def _show_interval(name: str, found: Interval | None, *, signed: bool = False) -> str:
    """Write a measure."""
    value, half = (None, None) if found is None else (found.value, found.half_width)
    return show(value, half, DIGITS.get(name, 1), signed=signed)


def _show_of(name: str, cell: MeasuredCell) -> str:
    """Write a measure of a cell, marked if it holds the way from the start rating."""
    start_up = cell.drift.start_up
    is_marked = name in MOVING and start_up is not None and not start_up.is_over
    return _show_interval(name, cell.drift.interval(name)) + (ON_THE_WAY if is_marked else "")


def _plain(found: Interval | None) -> dict[str, Any]:
    """Give a measure as plain data."""
    from sim.statistics.estimate import round_off

    if found is None:
        return {"value": None, "half_width": None, "replications": 0}
    return {"value": round_off(found.value), "half_width": round_off(found.half_width), "replications": found.count}


def make_drift_report(cells: Sequence[MeasuredCell]) -> Report:
    """Report on the drift of cells of one ladder.

    Parameters
    ----------
    cells
        The cells, at least one.
    """
    from sim.ladder.drift import CHECKS, MEASURES
    from sim.statistics.tables import Grid as Table

    plan = cells[0].ladder.plan
    told = [name for name in MEASURES if any(cell.drift.interval(name) for cell in cells)]
    head = ("", *(cell.name for cell in cells))
    rows = [(word(name), *(_show_of(name, cell) for cell in cells)) for name in told]
    skills = [
        (group.name, *(show(cell.drift.skills[group.name], None, 0) for cell in cells)) for group in plan.file.groups
    ]
    grids = [
        Table("Measures", head, tuple(rows)),
        Table("True skill of groups, on the scale of ratings", head, tuple(skills)),
        _ledger_grid(cells),
    ]
    if len(cells) == 1:
        grids.append(_bands_grid(cells[0]))
    notes = [f"{word(name)}: {meaning}" for name, meaning in MEASURES.items() if name in told]
    notes += [*_start_up_notes(cells), *_check_notes(cells)]
    if len(cells) == 1:
        few = sum(band[1] for band in cells[0].drift.bands if band[1] < FEWEST_SEATS)
        notes += [f"waiting: bands with fewer than {FEWEST_SEATS} seats are left out, together {few:,}"] if few else []
    report = Report(f"rating drift: {plan.name}", grids, notes)
    report.records = [
        {"preset": cell.cell.preset, "rating": cell.cell.rating, "measure": name, **_plain(cell.drift.interval(name))}
        for cell in cells
        for name in (*MEASURES, *CHECKS)
    ]
    report.data = {
        "plan": plan.hash,
        "cells": [
            {
                "preset": cell.cell.preset,
                "rating": cell.cell.rating,
                "measures": {name: _plain(cell.drift.interval(name)) for name in (*MEASURES, *CHECKS)},
                "skills": dict(cell.drift.skills),
                "start_up": _plain_start_up(cell.drift.start_up),
                "ledger": {name: list(values) for name, values in cell.drift.ledger.items()},
                "events": {name: list(values) for name, values in cell.drift.events.items()},
                "residues": list(cell.drift.residues),
                "bands": [
                    dict(zip(("from", "seats", "wait", "longest", "gap"), band, strict=True))
                    for band in cell.drift.bands
                ],
                "series": {
                    name: [[None if math.isnan(value) else value for value in values] for values in rows]
                    for name, rows in cell.drift.series.items()
                },
            }
            for cell in cells
        ],
    }
    return report


def _plain_start_up(start_up: StartUp | None) -> dict[str, Any] | None:
    """Give as plain data whether ratings were still on their way."""
    from sim.statistics.estimate import round_off

    if start_up is None:
        return None
    return {"over": start_up.is_over, "mser_5": round_off(start_up.cut), "rise": _plain(start_up.rise)}


def _start_up_notes(cells: Sequence[MeasuredCell]) -> list[str]:
    """Warn where anchors were still on their way when measuring began."""
    moving = [found for cell in cells if (found := cell.drift.start_up) is not None and not found.is_over]
    if not moving:
        return []
    file, most = cells[0].ladder.plan.file, max(found.cut for found in moving)
    least = "half, the most that it may," if most > MOST_CUT else f"{100 * most:.0f} %"
    return [
        (
            f"{ON_THE_WAY} anchors had not settled when measuring began: MSER-5 leaves out {least} of the ladder, the"
            f" file's warm_up {100 * file.warm_up:.0f} %. Their movement holds their way from the start rating, or they"
            " drift all the time; a longer ladder with a larger warm_up tells the two apart"
        )
    ]


def _ledger_grid(cells: Sequence[MeasuredCell]) -> Grid:
    """Tabulate the ledger of points: mean over replications."""
    from sim.ladder.totals import FLOWS
    from sim.statistics.tables import Grid as Table

    def mean(cell: MeasuredCell, name: str) -> float:
        """Give the mean over replications."""
        return math.fsum(cell.drift.ledger[name]) / len(cell.drift.ledger[name])

    rows = [("pool at the start", *(show(mean(cell, "start"), None, 0) for cell in cells))]
    rows += [(name, *(show(mean(cell, name), None, 3, signed=True) for cell in cells)) for name in FLOWS]
    rows.append(("pool at the end", *(show(mean(cell, "end"), None, 3) for cell in cells)))
    left = tuple(show(sum(abs(n) for n in cell.drift.residues) / 1000, None, 3) for cell in cells)
    rows.append(("not explained", *left))
    return Table("Ledger of rating points, mean over replications", ("", *(cell.name for cell in cells)), tuple(rows))


def _bands_grid(cell: MeasuredCell) -> Grid:
    """Tabulate waiting and rating gap by band."""
    from sim.statistics.tables import Grid as Table

    rows = [
        (str(low), f"{seats:,}", f"{wait:,.1f}", f"{longest:,.0f}", f"{gap:,.0f}")
        for low, seats, wait, longest, gap in cell.drift.bands
        if seats >= FEWEST_SEATS
    ]
    return Table("Waiting by own rating", ("from", "seats", "mean wait, s", "longest, s", "rating gap"), tuple(rows))


def _check_notes(cells: Sequence[MeasuredCell]) -> list[str]:
    """Say what to think of the numbers."""
    plan = cells[0].ladder.plan
    counts = {len(cell.drift.residues) for cell in cells}
    notes = [f"± is half of a 95 % t-interval over {' or '.join(map(str, sorted(counts)))} replications"]
    if min(counts) < 20:
        notes.append("fewer than 20 replications: too few to decide anything")
    cuts = [found.value for cell in cells if (found := cell.drift.interval("cut")) is not None]
    if cuts and max(cuts) > plan.file.warm_up + 0.02:
        notes.append(
            f"MSER-5 would leave out up to {100 * max(cuts):.0f} % as the warm-up, the file leaves out"
            f" {100 * plan.file.warm_up:.0f} %; a pool that drifts never settles"
        )
    lags = [found.value for cell in cells if (found := cell.drift.interval("lag_1")) is not None]
    if lags and max(map(abs, lags)) > 0.2:
        notes.append(
            f"neighbouring tenths of a replication hang together (r = {max(lags, key=abs):.2f}): intervals are over"
            " whole replications, never over times within one"
        )
    return notes


def make_compare_report(
    title: str,
    pairs: Sequence[tuple[MeasuredCell, MeasuredCell]],
    measures: Sequence[str] | None = None,
    sizes: Mapping[str, float] | None = None,
) -> Report:
    """Report on cells against others.

    Parameters
    ----------
    title
        What it is about.
    pairs
        Cells, each with the one it is compared with. P-values are adjusted for all of them and all measures.
    measures
        The measures to tell; None for all of one pair, and for the main ones of several.
    sizes
        Differences by measure of which to say how many replications would show them.
    """
    from sim.ladder.cells import is_paired
    from sim.ladder.contrast import adjust_all, compare_measure
    from sim.ladder.drift import MEASURES
    from sim.statistics.estimate import round_off

    names = list(measures or (MEASURES if len(pairs) == 1 else MAIN))
    names += [name for name in sizes or () if name not in names]
    found: list[Difference] = []
    places: list[int] = []
    for place, (one, other) in enumerate(pairs):
        for name in names:
            row = compare_measure(name, one.drift, other.drift, is_paired=is_paired(one, other))
            if row is not None:
                found.append(row)
                places.append(place)
    rows = adjust_all(found)
    by_pair: list[dict[str, Difference]] = [{} for _ in pairs]
    for place, row in zip(places, rows, strict=True):
        by_pair[place][row.measure] = row
    labels = _Labels(pairs)
    single = len(pairs) == 1
    grids = (
        [_one_pair_grid(pairs[0], by_pair[0], labels)] if single else _many_pairs_grids(pairs, by_pair, names, labels)
    )
    report = Report(title, grids, [*labels.notes, *_compare_notes(pairs, rows), *_size_notes(rows, sizes or {})])
    report.records = [
        {
            "run": str(pairs[place][0].ladder.path),
            "preset": pairs[place][0].cell.preset,
            "rating": pairs[place][0].cell.rating,
            "against_run": str(pairs[place][1].ladder.path),
            "against_preset": pairs[place][1].cell.preset,
            "against_rating": pairs[place][1].cell.rating,
            "measure": row.measure,
            "value": round_off(row.one.value),
            "against": round_off(row.other.value),
            "difference": round_off(row.value),
            "half_width": round_off(row.half_width),
            "detectable": round_off(row.detectable),
            "p": round_off(row.p),
            "p_holm": round_off(row.adjusted),
            "paired": row.is_paired,
            "correlation": round_off(row.correlation),
        }
        for place, row in zip(places, rows, strict=True)
    ]
    report.data = {"title": title, "differences": list(report.records)}
    return report


class _Labels:
    """What tables call cells: A and B say which run they are from, where there are two.

    Parameters
    ----------
    pairs
        Cells, each with the one it is compared with.
    """

    def __init__(self, pairs: Sequence[tuple[MeasuredCell, MeasuredCell]]) -> None:
        one, other = pairs[0]
        self._runs = {}
        if one.ladder.path.resolve() != other.ladder.path.resolve():
            self._runs = {one.ladder.path: "A", other.ladder.path: "B"}

        parts = [part for pair in pairs for cell in pair for part in _settings_of(cell)]
        keys = {part.partition("=")[0] for part in parts}
        ends = [key.rpartition(".")[2] for key in keys]
        self._short = {key: end for key in keys if ends.count(end := key.rpartition(".")[2]) == 1}

    def name(self, cell: MeasuredCell, name: str) -> str:
        """Put the run before a name."""
        run = self._runs.get(cell.ladder.path)
        return f"{run} {name}" if run else name

    def row(self, cell: MeasuredCell) -> str:
        """Name a cell below its base: settings by the last part of their knobs, as far as these differ."""
        parts = [part.partition("=") for part in _settings_of(cell)]
        words = ", ".join(f"{self._short.get(key, key)}={value}" for key, _, value in parts)
        return self.name(cell, words or cell.cell.preset)

    @property
    def notes(self) -> list[str]:
        """What the labels mean."""
        if not self._runs:
            return []
        runs = ", ".join(f"{label}: {path}" for path, label in self._runs.items())
        return [f"{runs}; B is the base: differences are A less B"]


def _family_of(cell: MeasuredCell) -> str:
    """Give the preset over which a cell's knobs are set."""
    preset = next(each for each in cell.ladder.plan.presets if each["name"] == cell.cell.preset)
    return str(preset.get("family", preset["base"]))


def _settings_of(cell: MeasuredCell) -> list[str]:
    """Give the settings that a design has put behind the base in a cell's name; none where there are none."""
    family, name = _family_of(cell), cell.cell.preset
    rest = name.removeprefix(f"{family} ").split(", ") if name.startswith(f"{family} ") else []
    return rest if all("=" in part for part in rest) else []


def _one_pair_grid(pair: tuple[MeasuredCell, MeasuredCell], rows: Mapping[str, Difference], labels: _Labels) -> Grid:
    """Tabulate all measures of one pair."""
    from sim.statistics.tables import NOTHING
    from sim.statistics.tables import Grid as Table

    lines = [
        (
            word(name),
            _show_interval(name, row.one),
            _show_interval(name, row.other),
            show(row.value, row.half_width, DIGITS.get(name, 1), signed=True),
            show(row.detectable, None, DIGITS.get(name, 1)),
            NOTHING if row.adjusted is None else f"{row.adjusted:.3f}",
            NOTHING if row.correlation is None else f"{row.correlation:.2f}".replace("-", "\N{MINUS SIGN}"),
        )
        for name, row in rows.items()
    ]
    heads = tuple(labels.name(cell, cell.name) for cell in pair)
    return Table("Differences", ("", *heads, "difference", "detectable", "p (Holm)", "r"), tuple(lines))


def _many_pairs_grids(
    pairs: Sequence[tuple[MeasuredCell, MeasuredCell]],
    rows: Sequence[Mapping[str, Difference]],
    names: Sequence[str],
    labels: _Labels,
) -> list[Grid]:
    """Tabulate the main measures: each cell's difference, with its reference above."""
    from sim.statistics.tables import NOTHING
    from sim.statistics.tables import Grid as Table

    grids = []
    ratings = dict.fromkeys(one.cell.rating for one, _ in pairs)
    for rating in ratings:
        lines: list[tuple[str, ...]] = []
        seen: set[str] = set()
        heading = ""
        for (one, other), found in zip(pairs, rows, strict=True):
            if one.cell.rating != rating:
                continue
            key = f"{other.ladder.path} {other.name}"
            if key not in seen:
                seen.add(key)
                if _settings_of(other) and heading != _family_of(other):
                    heading = _family_of(other)
                    lines.append((heading,))
                lines.append((labels.row(other), *(_show_of(name, other) for name in names)))
            lines.append(
                (
                    f"{DELTA} {labels.row(one)}",
                    *(
                        NOTHING
                        if (row := found.get(name)) is None
                        else show(row.value, row.half_width, DIGITS.get(name, 1), signed=True)
                        + ("*" if row.adjusted is not None and row.adjusted < _SURE else "")
                        for name in names
                    ),
                )
            )
        own = [found for (one, _), found in zip(pairs, rows, strict=True) if one.cell.rating == rating]
        lines.append(("detectable", *(_show_detectable(name, own) for name in names)))
        grids.append(Table(f"Ratings {rating}", ("", *(word(name) for name in names)), tuple(lines)))
    return grids


def _show_detectable(name: str, rows: Sequence[Mapping[str, Difference]]) -> str:
    """Write the range of what would have been seen in a measure, over the pairs that differ at all."""
    known = [row.detectable for found in rows if (row := found.get(name)) is not None and row.detectable]
    digits = DIGITS.get(name, 1)
    low, high = (show(end(known), None, digits) for end in (min, max)) if known else ("", "")
    return low if low == high else f"{low} to {high}"


def _size_notes(rows: Sequence[Difference], sizes: Mapping[str, float]) -> list[str]:
    """Say how many replications would show differences of some sizes."""
    from sim.ladder.contrast import MOST_REPLICATIONS, replications_for

    def write(count: float) -> str:
        """Write a number of replications, not beyond what anybody could play."""
        return f"over {MOST_REPLICATIONS:,}" if count > MOST_REPLICATIONS else f"{count:,.0f}"

    notes = []
    for name, size in sizes.items():
        needed = [found for row in rows if row.measure == name and (found := replications_for(size, row))]
        if needed:
            low, high = write(min(needed)), write(max(needed))
            count = high if low == high else f"{low} to {high}, by pair"
            notes.append(f"{word(name)}: a difference of {size:,.12g} would be detectable with {count} replications")
        else:
            notes.append(f"{word(name)}: nothing is known of how much it varies")
    return notes


def _detectable_words(rows: Sequence[Difference]) -> str:
    """Say what detectable means, and what taking many questions together costs."""
    from sim.ladder.contrast import detectable_of

    words = "what a true difference must be to be told from none with 80 % probability, at 5 % for it alone"
    questions = sum(row.p is not None and row.half_width != 0.0 for row in rows)
    freedom = min((min(row.one.count, row.other.count) - 1 for row in rows), default=0)
    alone, first = detectable_of(1.0, freedom), detectable_of(1.0, freedom, questions=max(questions, 1))
    if questions > 1 and alone and first:
        words += f"; {first / alone:.1f} times that to be certain among all {questions:,} by Holm's adjustment"
    return words


def _compare_notes(pairs: Sequence[tuple[MeasuredCell, MeasuredCell]], rows: Sequence[Difference]) -> list[str]:
    """Say how to read differences."""
    from sim.ladder.drift import MEASURES

    notes = [f"detectable: {_detectable_words(rows)}"]
    if len(pairs) > 1:
        notes.append(f"{DELTA}: the difference from the row above that has no {DELTA}")
        notes.append("* p < 0.05 after Holm's adjustment for all differences that are printed here")
    else:
        notes.append("p: two-sided, adjusted by Holm's method for all rows")
    if rows and all(row.is_paired for row in rows):
        known = [row.correlation for row in rows if row.correlation is not None]
        mean = f", mean {sum(known) / len(known):.2f}" if known else ""
        notes.append(f"differences are taken replication by replication; r: correlation of the two{mean}")
    elif rows:
        notes.append("the two do not share seeds and players: differences are those of independent means (Welch)")
    if any(one.cell.rating != other.cell.rating for one, other in pairs):
        notes.append(
            "rating systems differ: their points are not the same; compare log-loss, correlation and half-life"
        )
    if min((len(cell.drift.residues) for pair in pairs for cell in pair), default=20) < 20:
        notes.append("fewer than 20 replications: too few to decide anything")
    if any(cell.drift.start_up is not None and not cell.drift.start_up.is_over for pair in pairs for cell in pair):
        notes += _start_up_notes([cell for pair in pairs for cell in pair])
    told = dict.fromkeys(row.measure for row in rows)
    return notes + [f"{word(name)}: {MEASURES[name]}" for name in MEASURES if name in told]
