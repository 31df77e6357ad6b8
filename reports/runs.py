"""The report of a run or an experiment: what was in force, how each table scored, and, of a design, what knobs do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from reports.again import experiment_files
from reports.against import compare_presets, leader_verdicts, preset_section, preset_verdicts
from reports.costly import MOST_DEALS, MOST_SEARCHED, costly_section
from reports.doubts import doubts
from reports.effects import report_design
from reports.entries import estimate, interval, number, numbers, share, text, texts, whole
from reports.figures import Label, stacked
from reports.lines import distribution
from reports.model import Entry, Figure, Report, Section, Table
from reports.pairs import pair_sections
from sim.errors import ResultsError
from sim.rules.knobs import all_knobs
from sim.rules.model import Preset
from sim.statistics.metrics import POINTS_SHARE
from sim.statistics.spread import spread_of
from sim.statistics.tables import show_knob
from sim.tournament.quantities import GAINED, NET, PAID, PATTERN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reports.against import PresetDifference
    from reports.effects import DesignReport
    from reports.model import Block
    from sim.api import Result
    from sim.statistics.estimate import Estimate
    from sim.statistics.summary import CellSummary, Part, Summary
    from sim.tournament.plan import Plan
    from sim.tournament.totals import Totals

MOST_BARS: Final = 24
"""Bars of one figure; beyond it each line-up has a figure of its own."""
MOST_FIGURES: Final = 3
"""Line-ups that have figures of their own; the tables have all of them."""
MOST_MISSING: Final = 12
"""Cells without anything that an unfinished run names."""
_ABSENT: Final = "absent"
"""What stands where a preset has no such pattern."""
_CAUSES: Final = (
    ("discard wins", (GAINED + "discard_win", GAINED + "robbed_kong_win"), 1),
    ("deal-ins", (PAID + "discard_win", PAID + "robbed_kong_win"), -1),
    ("self-draws", (GAINED + "self_draw",), 1),
    ("paid self-draws", (PAID + "self_draw",), -1),
    ("kongs", tuple(NET + name for name in ("concealed_kong", "exposed_kong", "added_kong", "kong_transfer")), 1),
    ("kong refunds", (NET + "kong_refund",), 1),
    ("flower pigs", (NET + "flower_pig",), 1),
    ("not ready", (NET + "not_ready",), 1),
)


def report_run(run: Result, costly_of: Sequence[str] | None = None, most_deals: int = MOST_DEALS) -> Report:
    """Make the report of a run, finished or not.

    Parameters
    ----------
    run
        The run.
    costly_of
        Strategies whose costly deals to show; all of the run, up to a dozen, when absent.
    most_deals
        How many deals of each.

    Returns
    -------
    Report
        Of what is in its ledger.

    Raises
    ------
    ResultsError
        The run is damaged, or nothing of it was played.
    """
    run.folder.refuse_any_damaged()
    summary = run.numbers
    if not summary.cells:
        raise ResultsError(f"{run.path}: nothing has been played yet")
    totals = run.totals()
    plan = run.plan
    report = Report(plan.data["title"] or plan.name, "run")
    design, differences = report_design(run), compare_presets(run)
    if summary.reason is None:
        report.warnings.append(
            f"This run is not finished: {summary.deals:,} of at most {plan.deals:,} deals have been played."
            f" {_resting_on(summary, design, differences)}{_missing(summary)} It goes on with: bloodbattle resume"
            f" {shlex.quote(str(run.path))}"
        )
    report.warnings += design.warnings
    report.facts = [
        ("Run", plan.name),
        ("Deals", f"{summary.deals:,} in {_count_of_cells(summary)}"),
        ("Walls", _walls(summary)),
        ("Wall mode", plan.wall_mode),
        ("Stopped", summary.reason or "not yet"),
    ]
    report.verdicts += [*design.verdicts, *preset_verdicts(differences)]
    report.sections += design.sections
    tested = {"differences of presets": sum(one.p is not None for one in differences)}
    for found in pair_sections(run):
        report.verdicts += found.verdicts
        report.sections.append(found.section)
        tested[found.what] = tested.get(found.what, 0) + found.tested
    if not report.verdicts:
        report.verdicts += leader_verdicts(summary.cells)
    if differences:
        report.sections.append(preset_section(differences))
    report.sections += [
        _points(summary.cells),
        _seats(summary.cells),
        _patterns(plan, summary.cells),
        _ends(summary.cells),
        _spread(summary.cells, totals),
    ]
    if plan.has_rows and summary.deals <= MOST_SEARCHED:
        section, report.pages = costly_section(run, costly_of, most_deals)
        report.sections.append(section)
    report.sections += [_in_force(plan.presets), doubts(summary, design.families, design.effects, tested)]
    report.files = experiment_files(plan)
    experiment, folder = next(iter(report.files)), shlex.quote(str(run.path))
    report.commands = [
        f"bloodbattle run {shlex.quote(experiment)} --out {shlex.quote(plan.name)} --report",
        f"bloodbattle report {folder}",
        f"bloodbattle summary {folder}",
    ]
    report.checks = [
        ("plan", plan.hash),
        ("seed", str(plan.seed)),
        *((f"version of {name}", value) for name, value in plan.data["versions"].items()),
        *((f"strategy {name}", facts["digest"]) for name, facts in plan.strategies.items()),
    ]
    return report


def _walls(summary: Summary) -> str:
    """Say how many walls were played, and what they are to intervals."""
    counts = sorted({cell.walls for cell in summary.cells})
    many = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    is_whole = len(summary.cells) == len(summary.plan.cells)
    where = "" if len(summary.cells) == 1 else " in each cell" if is_whole else " in each cell that has any"
    same = ", the same for all" if len(counts) == 1 else ", the first ones of the same walls"
    return (
        f"{many}{where}{same if where else ''}; a wall with all its seatings is one block, the unit of every interval"
    )


def _count_of_cells(summary: Summary) -> str:
    """Say how many cells have been played, and of how many if not all have."""
    here, of = len(summary.cells), len(summary.plan.cells)
    return f"{here} of {of} cells" if here < of else f"{here} {'cell' if here == 1 else 'cells'}"


def _missing(summary: Summary) -> str:
    """Name the cells of an unfinished run that have nothing yet."""
    played = {cell.cell.index for cell in summary.cells}
    missing = [f"{cell.line_up}, {cell.preset}" for cell in summary.plan.cells if cell.index not in played]
    if not missing:
        return ""
    more = f"; and {len(missing) - MOST_MISSING} more" if len(missing) > MOST_MISSING else ""
    return (
        f" Nothing yet in {len(missing)} of {len(summary.plan.cells)} cells: {'; '.join(missing[:MOST_MISSING])}{more}."
    )


def _resting_on(summary: Summary, design: DesignReport, differences: Sequence[PresetDifference]) -> str:
    """Say on which walls the sentences of an unfinished run rest."""
    if design.families or differences:
        walls = sorted({family.walls for family in design.families} | {one.blocks for one in differences})
        what = "that all the cells compared have played"
    else:
        walls = sorted({cell.walls for cell in summary.cells})
        what = "played so far"
    span = f"{walls[0]:,}" if walls[0] == walls[-1] else f"{walls[0]:,} to {walls[-1]:,}"
    return f"What was found rests on the {span} walls {what}."


def _in_force(presets: Sequence[Mapping[str, Any]]) -> Section:
    """Put the presets side by side: the knobs in which they differ, then all knobs of those that are no variants."""
    variants = len(presets) > 1
    bases = [preset for preset in presets if preset["name"] == preset["base"] or not preset["set"]] or presets[:1]
    note = "Marked: other than in the first preset. Assumed: the preset's source does not say so, we chose it."
    differing = _side_by_side("differing", "Knobs in which the presets differ", presets, note, only_differing=True)
    everything = _side_by_side("in-force", "All knobs", bases, note, only_differing=False)
    blocks = (differing, everything) if variants and differing.rows else (everything,)
    return Section("rules", "What was in force", blocks)


def _side_by_side(
    key: str, caption: str, presets: Sequence[Mapping[str, Any]], note: str, *, only_differing: bool
) -> Table:
    """Tabulate the knobs of presets."""
    models = [Preset.model_validate(preset["knobs"]) for preset in presets]
    rows = []
    for knob in all_knobs().values():
        values = [show_knob(knob.read(model)) for model in models]
        if only_differing and len(set(values)) == 1:
            continue
        entries = [
            text(f"{value} (assumed)" if model.is_assumed(knob.key) else value, is_marked=value != values[0])
            for value, model in zip(values, models, strict=True)
        ]
        rows.append((text(knob.key), *entries))
    return Table(key, caption, texts("knob", *(preset["name"] for preset in presets)), tuple(rows), note)


def _parts(cells: Sequence[CellSummary]) -> list[tuple[CellSummary, Part]]:
    """List the strategies of all cells."""
    return [(cell, part) for cell in cells for part in cell.strategies]


def _label(cell: CellSummary, part: Part) -> Label:
    """Name a strategy of a cell."""
    return Label(part.name, f"{cell.cell.line_up} · {cell.cell.preset}")


def _sum(metrics: Mapping[str, Estimate], names: Sequence[str], sign: int) -> float:
    """Add up the points of some causes."""
    return sign * sum(metrics[name].value or 0.0 for name in names if name in metrics)


def _points(cells: Sequence[CellSummary]) -> Section:
    """Show points, and where they come from."""
    head = (*texts("preset", "line-up", "strategy"), *numbers("points per deal", "points"))
    head += (*numbers("share of deals", "wins", "deal-ins"), *numbers("fan per win", "fan"))
    head += numbers("points per deal", *(name for name, _, _ in _CAUSES))
    rows = tuple(
        (
            text(cell.cell.preset),
            text(cell.cell.line_up),
            text(part.name),
            estimate(part.metrics["points"]),
            share(part.metrics["win_rate"].value),
            share(part.metrics["deal_in_rate"].value),
            number(part.metrics["mean_fan"].value, 2),
            *(number(_sum(part.metrics, names, sign), 3, is_signed=True) for _, names, sign in _CAUSES),
        )
        for cell, part in _parts(cells)
    )
    note = "Of four equal strategies the points are 0 by design; what they gain and pay is not."
    table = Table("points", "Points per deal, and where they come from", head, rows, note)
    blocks: list[Block] = []
    line_ups = list(dict.fromkeys(cell.cell.line_up for cell in cells))
    groups = (
        [list(cells)]
        if len(_parts(cells)) <= MOST_BARS
        else [[cell for cell in cells if cell.cell.line_up == name] for name in line_ups[:MOST_FIGURES]]
    )
    for place, group in enumerate(groups):
        parts = _parts(group)[: 2 * MOST_BARS]
        series = [(name, [_sum(part.metrics, names, sign) for _, part in parts]) for name, names, sign in _CAUSES]
        what = f"Points per deal by cause{'' if len(groups) == 1 else f': {line_ups[place]}'}"
        described = "Bars to the right are points gained, bars to the left points paid; the mark is the net of all."
        draw = stacked([_label(cell, part) for cell, part in parts], series, "points per deal")
        blocks.append(Figure(f"causes-{place}", what, described, draw, None))
    return Section("points", "Points and where they come from", (*blocks, *_left_out(len(groups), line_ups), table))


def _left_out(shown: int, line_ups: Sequence[str]) -> list[str]:
    """Say of which line-ups there is no figure."""
    if shown == 1 or shown == len(line_ups):
        return []
    return [f"Figures of the first {shown} of {len(line_ups)} line-ups; the table has all of them."]


def _seats(cells: Sequence[CellSummary]) -> Section:
    """Show what each seat is worth."""
    head = (*texts("preset", "line-up"), *numbers("points per deal", "dealer", "seat 1", "seat 2", "seat 3"))
    head += numbers("compensation, points per deal", "dealer", "seat 1", "seat 2", "seat 3")
    rows = []
    for cell in cells:
        points = [part.metrics["points"] for part in cell.seats]
        compensations = [interval(None if p.value is None else -p.value, p.half_width) for p in points]
        rows.append((text(cell.cell.preset), text(cell.cell.line_up), *map(estimate, points), *compensations))
    note = "The compensation is what would have to be given to a seat, each deal, to make all seats worth the same."
    return Section("seats", "Seats and the dealer", (Table("seats", "Points by seat", head, tuple(rows), note),))


def _patterns(plan: Plan, cells: Sequence[CellSummary]) -> Section:
    """Show how often patterns come, and what they earn; a preset without a pattern has no share of it."""
    has = {preset["name"]: _patterns_of(Preset.model_validate(preset["knobs"])) for preset in plan.presets}
    names = [name for name in plan.patterns if any(name in known for known in has.values())]
    head = (*texts("preset", "line-up", "strategy"), *numbers("share of wins", *(n.replace("_", " ") for n in names)))
    head += numbers("share of points won", *(name.replace("_", " ") for name in names))
    rows = tuple(
        (
            text(cell.cell.preset),
            text(cell.cell.line_up),
            text(part.name),
            *(
                share(found.value if (found := part.metrics.get(prefix + name)) else None)
                if name in has[cell.cell.preset]
                else Entry(_ABSENT)
                for prefix in (PATTERN, POINTS_SHARE)
                for name in names
            ),
        )
        for cell, part in _parts(cells)
    )
    note = (
        "A win can have several patterns, so shares add up to more or less than 100 %. 0.0 %: never or hardly seen;"
        f" {_ABSENT}: the preset has no such pattern. Patterns that no preset of this run has are left out."
    )
    return Section("patterns", "Patterns", (Table("patterns", "Patterns in wins", head, rows, note),))


def _patterns_of(preset: Preset) -> set[str]:
    """List the patterns of a preset; the extra fan of a self-draw counts as one where there is one."""
    fans = {name for name, fan in preset.fan.patterns if fan is not None}
    return fans | ({"self_draw"} if preset.win.self_draw == "add_fan" else set())


def _ends(cells: Sequence[CellSummary]) -> Section:
    """Show how deals end."""
    of_deals = (*texts("preset", "line-up"), *numbers("share of deals", "exhausted"), *numbers("per deal", "wins"))
    of_deals += numbers("tiles", "drawn")
    deals = tuple(
        (
            text(cell.cell.preset),
            text(cell.cell.line_up),
            share(cell.deal.metrics["exhaustion_rate"].value),
            number(cell.deal.metrics["wins_per_deal"].value, 2),
            number(cell.deal.metrics["deal_length"].value, 1),
        )
        for cell in cells
    )
    head = (*texts("preset", "line-up", "strategy"), *numbers("share of deals", "first", "second", "third"))
    head += numbers("share of exhausted deals without a win", "ready", "flower pig")
    rows = tuple(
        (
            text(cell.cell.preset),
            text(cell.cell.line_up),
            text(part.name),
            *(share(part.metrics[f"win_{order}_rate"].value) for order in ("first", "second", "third")),
            share(part.metrics["ready_rate"].value),
            share(part.metrics["flower_pig_share"].value, 2),
        )
        for cell, part in _parts(cells)
    )
    return Section(
        "ends",
        "How deals end",
        (
            Table("ends", "How deals end", of_deals, deals),
            Table("win-order", "Who wins first, second, third; who is ready, who a flower pig", head, rows),
        ),
    )


def _spread(cells: Sequence[CellSummary], totals: Mapping[int, Totals]) -> Section:
    """Show how the points of single deals spread."""
    head = (*texts("preset", "line-up", "strategy"), *numbers("points", "sd", "1 % quantile", "99 % quantile"))
    head += numbers("", "skewness")
    rows = []
    options: list[Block] = []
    for cell in cells:
        counts = totals[cell.cell.index].counts
        if not counts:
            continue
        for place, part in enumerate(cell.strategies):
            found = spread_of(counts[place], cell.walls)
            figures = [found[f"points_{name}"].value for name in ("sd", "q01", "q99", "skew")]
            rows.append(
                (
                    text(cell.cell.preset),
                    text(cell.cell.line_up),
                    text(part.name),
                    *(number(figure, 2) for figure in figures),
                )
            )
    line_ups = list(dict.fromkeys(cell.cell.line_up for cell in cells))
    for line_up in line_ups[:MOST_FIGURES]:
        mine = [c for c in cells if c.cell.line_up == line_up and totals[c.cell.index].counts and not c.cell.settings]
        if not mine:
            continue
        first = mine[0]
        counts = totals[first.cell.index].counts
        values = sorted({value for one in counts for value in one})
        series = [
            (part.name, [counts[place].get(value, 0) / sum(counts[place].values()) for value in values])
            for place, part in enumerate(first.strategies)
        ]
        key = f"distribution-{len(options)}"
        options.append(
            Figure(
                key,
                f"Points of a deal: {line_up}, {first.cell.preset}",
                "How often each number of points comes, on a scale of powers of ten so that the tails can be seen.",
                distribution(values, series, "points of a deal"),
                Table(
                    f"{key}-data",
                    "Share of deals by points",
                    (*numbers("", "points"), *numbers("share of deals", *(name for name, _ in series))),
                    tuple(
                        (whole(value), *(number(shares[at], 6) for _, shares in series))
                        for at, value in enumerate(values)
                    ),
                ),
            )
        )
    table = Table("spread", "Spread and tails of single deals", head, tuple(rows))
    return Section("spread", "Spread and tails", (*options, *_left_out(len(options), line_ups), table))
