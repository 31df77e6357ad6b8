"""The sections of a design: what each knob does to points, mechanically and in play, from whichever cell one looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reports.entries import chance, interval, number, numbers, share, text, texts
from reports.entries import effect as effect_entry
from reports.figures import Label, Mark, forest, heat_map
from reports.model import Choice, Figure, Section, Table
from sim.errors import ResultsError
from sim.rules.knobs import all_knobs
from sim.statistics.effect_words import sentences, warnings_of
from sim.statistics.effects import coupling_of, make_effects
from sim.statistics.family import families_of, levels_of, setting_texts
from sim.statistics.regression import regress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.model import Block
    from sim.api import Result
    from sim.statistics.effects import Effect
    from sim.statistics.family import Family, Unit
    from sim.statistics.regression import Regression
    from sim.tournament.plan import Cell

SETTLED: Final = "settled again"
PLAYED: Final = "played again"
MOST_REFERENCES: Final = 8
"""Cells of a family up to which the reference of its figure can be moved."""
MOST_ROWS: Final = 60
"""Rows of a figure."""
MOST_FIGURES: Final = 32
"""Figures of a page beyond the first one of each family; the tables have everything."""


_SURE: Final = "sure"
"""What a marked effect is."""
HOW_TO_READ: Final = (
    "Each row is a cell less its reference on the same walls. Settled again: the reference's decisions, paid by the"
    " other rules. Played again: the strategies play under the other rules; it is not shown where no strategy of the"
    " line-up reads them, for then both are the same. Filled marks differ from 0 for sure, with all comparisons taken"
    " into account."
)


@dataclass(frozen=True)
class DesignReport:
    """What a report says of a design; nothing of it in a run without one."""

    families: tuple[Family, ...]
    """The families, on the walls that all cells of each have played."""
    effects: tuple[Effect, ...]
    """All effects."""
    verdicts: tuple[str, ...]
    """A sentence for each knob and base preset."""
    warnings: tuple[str, ...]
    """Knobs that do nothing, and effects that rest on few deals."""
    sections: tuple[Section, ...]
    """Figures and tables."""


def report_design(run: Result) -> DesignReport:
    """Report on the design of a run.

    Parameters
    ----------
    run
        The run, finished or not.
    """
    plan, totals = run.plan, run.paired_totals()
    families = families_of(plan, totals)
    if not families:
        return DesignReport((), (), (), (), ())
    effects = make_effects(plan, totals)
    said = sentences(families, effects, [_regress(family) for family in families])
    warned = [f"{line.removeprefix('warning: ')}." for line in warnings_of(families)]
    return DesignReport(
        families, tuple(effects), tuple(said), tuple(warned), tuple(_effect_sections(families, effects))
    )


def _regress(family: Family) -> Regression | None:
    """Fit the model of a family, if what it needs was kept."""
    try:
        return regress(family)
    except ResultsError:
        return None


def _effect_sections(families: Sequence[Family], effects: Sequence[Effect]) -> Iterator[Section]:
    """Give the sections of a design."""
    blocks: list[Block] = [HOW_TO_READ]
    left = MOST_FIGURES
    for place, family in enumerate(families):
        mine = [one for one in effects if one.base == family.base and one.line_up == family.line_up]
        is_movable = 2 < len(family.cells) <= min(MOST_REFERENCES, left)
        blocks.append(_forest(place, family, mine, is_movable=is_movable))
        left -= len(family.cells) if is_movable else 1
        if len(family.cells) > MOST_REFERENCES:
            blocks.append(
                f"The cell that this family is compared with cannot be moved on this page: it has {len(family.cells)}"
                f" cells, and the page draws a figure for each up to {MOST_REFERENCES}. From Python:"
                f" open_run(RUN).effects(reference={family.others[0].preset!r})."
            )
        if len(family.varying) == 2 and left > 0:
            maps = list(_heat_maps(place, family, mine))
            left -= len(maps)
            blocks += maps
    if left <= 0:
        blocks.append("Only the first families have a movable reference, and maps; the tables have all of them.")
    yield Section("effects", "What the knobs do to points", tuple(blocks))
    yield Section("effect-tables", "Effects in numbers", tuple(_tables(families, effects)))


def _name(unit: Unit) -> str:
    """Name a strategy or a seat."""
    if unit.who == "seat":
        return "dealer" if unit.name == "0" else f"seat {unit.name}"
    return unit.name


def _settings(family: Family, cell: Cell) -> str:
    """Say what a cell sets."""
    values = family.knobs_of(cell)
    return ", ".join(setting_texts({key: values[key] for key in family.varying})) or cell.preset


def _is_settled(family: Family, index: int) -> bool:
    """Tell whether a cell's deals are those of the reference, settled again: no strategy in it reads the rules."""
    return any(cell.index == index and cell.source == "settled" for cell in family.cells)


def _ordered(key: str, levels: Sequence[Any]) -> list[Any]:
    """Put the values of a knob in order: numbers by size, then words as the knob lists them."""
    words = all_knobs()[key].words
    return sorted(
        levels,
        key=lambda level: (1, words.index(level)) if isinstance(level, str) else (0, level),
    )


def _forest(place: int, family: Family, effects: Sequence[Effect], *, is_movable: bool) -> Block:
    """Draw the effects on points, seen from each cell if the products of all pairs were kept."""
    label = f"{family.base}, {family.line_up}"
    options = [(_settings(family, family.reference), _forest_from_reference(f"forest-{place}", family, effects))]
    if is_movable:
        options += [
            (_settings(family, cell), _forest_from(f"forest-{place}-{cell.index}", family, cell))
            for cell in family.others
        ]
    if len(options) == 1:
        return options[0][1]
    return Choice(f"reference-{place}", f"{label}: compared with", tuple(options))


def _forest_from_reference(key: str, family: Family, effects: Sequence[Effect]) -> Figure:
    """Draw the effects on points, settled beside played."""
    found = {
        (one.cell, one.who, one.name, str(one.way)): one
        for one in effects
        if one.metric == "points" and not (one.way == "played" and _is_settled(family, one.cell))
    }
    ways = [way for way in ("settled", "played") if any(at[3] == way for at in found)]
    named = [SETTLED if way == "settled" else PLAYED for way in ways]
    rows, entries = [], []
    for cell in family.others:
        setting = ", ".join(setting_texts(family.changes(cell)))
        for unit in family.main_units:
            of = [found.get((cell.index, unit.who, unit.name, way)) for way in ways]
            marks = [Mark(one.value, one.half_width, one.is_sure) if one else Mark(None, None) for one in of]
            rows.append((Label(_name(unit), setting), marks))
            entries.append((text(f"{setting} · {_name(unit)}"), *map(effect_entry, of)))
    title = f"Effects on points: {family.base}, {family.line_up}, against {_settings(family, family.reference)}"
    table = Table(f"{key}-data", title, (*texts("cell"), *numbers("points per deal", *named)), tuple(entries))
    described = f"Differences of points per deal with 95 % intervals, {' and '.join(named)}."
    return Figure(key, title, described, forest(rows[:MOST_ROWS], named, "points per deal"), table)


def _forest_from(key: str, family: Family, reference: Cell) -> Figure:
    """Draw the differences of points to another cell than the reference."""
    rows, entries = [], []
    way = SETTLED if all(_is_settled(family, cell.index) for cell in family.others) else PLAYED
    for cell in family.cells:
        if cell.index == reference.index:
            continue
        for unit in family.main_units:
            found = family.difference(cell, reference, unit)
            is_sure = found.value is not None and found.half_width is not None and abs(found.value) > found.half_width
            rows.append((Label(_name(unit), _settings(family, cell)), [Mark(found.value, found.half_width, is_sure)]))
            entries.append(
                (
                    text(f"{_settings(family, cell)} · {_name(unit)}"),
                    interval(found.value, found.half_width, is_marked=is_sure),
                )
            )
    title = f"Effects on points: {family.base}, {family.line_up}, against {_settings(family, reference)}"
    head = (*texts("cell"), *numbers("points per deal", way))
    note = "Marked here: the interval of this one difference leaves out 0; not adjusted for the number of comparisons."
    table = Table(f"{key}-data", title, head, tuple(entries), note)
    described = (
        f"Differences of points per deal with 95 % intervals, {way}; filled: this one interval leaves out 0. Only one"
        " kind is shown: decisions are settled again from the design's own reference alone."
    )
    return Figure(key, title, described, forest(rows[:MOST_ROWS], [way], "points per deal"), table)


def _heat_maps(place: int, family: Family, effects: Sequence[Effect]) -> Iterator[Figure]:
    """Draw two knobs against each other, for each strategy or the dealer."""
    one, other = family.varying
    for candidates in (family.cells, family.others):
        at = [(family.knobs_of(cell)[one], family.knobs_of(cell)[other]) for cell in candidates]
        across = _ordered(one, [level for level in levels_of(family, one) if level in [first for first, _ in at]])
        down = _ordered(other, [level for level in levels_of(family, other) if level in [second for _, second in at]])
        if len(at) == len(across) * len(down):
            break
    else:
        return
    here = family.knobs_of(family.reference)
    is_shown = here[one] in across and here[other] in down
    reference = (down.index(here[other]), across.index(here[one])) if is_shown else None
    outlined = " Outlined: the reference." if is_shown else ""
    way = SETTLED if all(_is_settled(family, cell.index) for cell in family.others) else PLAYED
    cells = {(str(first), str(second)): cell for (first, second), cell in zip(at, candidates, strict=True)}
    found = {(e.cell, e.who, e.name): e for e in effects if e.metric == "points" and e.way == "played"}
    for number_of, unit in enumerate(family.main_units[:4]):
        values = []
        for level in down:
            row = []
            for first in across:
                cell = cells[(str(first), str(level))]
                of = found.get((cell.index, unit.who, unit.name))
                row.append(Mark(of.value, of.half_width, of.is_sure) if of else Mark(0.0, None, is_sure=True))
            values.append(row)
        title = f"{one} against {other}: points of {_name(unit)}, {family.base}, {family.line_up}"
        described = (
            f"Points per deal less those of the reference, {way}, with half of the 95 % interval. Hatched: not"
            f" different from 0 for sure.{outlined}"
        )
        entries = tuple(
            (
                text(_show_level(level)),
                *(
                    text("reference")
                    if (place_down, place_across) == reference
                    else interval(mark.value, mark.half_width, is_marked=mark.is_sure)
                    for place_across, mark in enumerate(row)
                ),
            )
            for place_down, (level, row) in enumerate(zip(down, values, strict=True))
        )
        head = (*texts(f"{other} \\ {one}"), *numbers("points per deal", *map(_show_level, across)))
        key = f"heat-{place}-{number_of}"
        table = Table(f"{key}-data", title, head, entries)
        levels = [_show_level(level) for level in across], [_show_level(level) for level in down]
        draw = heat_map(*levels, values, (one, other), reference=reference)
        yield Figure(key, title, described, draw, table)


def _show_level(level: Any) -> str:
    """Write the value of a knob as files write it."""
    return str(level).lower() if isinstance(level, bool) else str(level)


def _tables(families: Sequence[Family], effects: Sequence[Effect]) -> Iterator[Block]:
    """Give the tables of all effects on points, and of the coupling."""
    ways = ("settled", "played", "adapted")
    points = [one for one in effects if one.metric == "points"]
    found = {(e.base, e.line_up, e.cell, e.who, e.name, str(e.way)): e for e in points}
    rows = []
    for family in families:
        for cell in family.others:
            for unit in family.units:
                if unit.who == "deal":
                    continue
                of = [found.get((family.base, family.line_up, cell.index, unit.who, unit.name, way)) for way in ways]
                rows.append(
                    (
                        text(family.base),
                        text(family.line_up),
                        text(", ".join(setting_texts(family.changes(cell)))),
                        text(_name(unit)),
                        *map(effect_entry, of),
                        *(chance(None if one is None else one.p_adjusted) for one in of),
                    )
                )
    head = (*texts("preset", "line-up", "cell", "who"), *numbers("points per deal", *ways))
    head += numbers("p, adjusted", *ways)
    note = (
        "Adapted: played less settled, what the strategies make of the rule. Marked: sure, which is an adjusted p-value"
        " below 0.05. Adjusted by Holm within a family for the points played of strategies (of seats, where there is"
        " one strategy), by Benjamini and Hochberg over all other numbers of the run."
    )
    yield Table("effects", "Effects on points, by strategy and by seat", head, tuple(rows), note, _SURE)
    yield _causes(families, effects)
    yield _coupling(families, effects)


def _causes(families: Sequence[Family], effects: Sequence[Effect]) -> Table:
    """Tabulate the effects by cause, as played."""
    names = list(dict.fromkeys(e.metric for e in effects if e.metric.startswith("net_")))
    found = {(e.cell, e.who, e.name, e.metric): e for e in effects if e.way == "played"}
    rows = []
    for family in families:
        for cell in family.others:
            for unit in family.main_units:
                of = [found.get((cell.index, unit.who, unit.name, name)) for name in names]
                rows.append(
                    (
                        text(family.base),
                        text(family.line_up),
                        text(", ".join(setting_texts(family.changes(cell)))),
                        text(_name(unit)),
                        *map(effect_entry, of),
                    )
                )
    words = [name.removeprefix("net_").replace("_", " ") for name in names]
    head = (*texts("preset", "line-up", "cell", "who"), *numbers("points per deal", *words))
    note = (
        "Marked: sure, which is a p-value below 0.05, adjusted by Benjamini and Hochberg over all numbers of the run."
    )
    return Table("effects-by-cause", "Effects by cause, as played", head, tuple(rows), note, _SURE)


def _coupling(families: Sequence[Family], effects: Sequence[Effect]) -> Table:
    """Tabulate how closely cells are tied to their reference."""
    found = {(e.cell, e.who, e.name): e for e in effects if e.metric == "points" and e.way == "played"}
    rows = []
    for family in families:
        unit = family.main_units[0]
        for tie in coupling_of(family):
            of = found.get((tie.cell.index, unit.who, unit.name))
            rows.append(
                (
                    text(family.base),
                    text(family.line_up),
                    text(", ".join(setting_texts(family.changes(tie.cell)))),
                    share(tie.share, 2),
                    share(None if tie.settled_changed is None else tie.settled_changed / tie.deals, 2),
                    number(of.correlation if of else None, 3),
                    number(of.efficiency if of else None, 1),
                )
            )
    head = (*texts("preset", "line-up", "cell"), *numbers("share of deals", "changed, played", "changed, settled"))
    head += numbers("", "correlation", "efficiency")
    note = "Efficiency: how many times as many walls it would take without the same walls for both."
    return Table("coupling", "How closely cells are tied to their reference", head, tuple(rows), note)
