"""`bloodbattle compare`: two strategies on the same walls, until enough is known of their difference."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report, print_reports
from sim.commands.playing import (
    OutOption,
    PresetsOption,
    SeedOption,
    SetOption,
    experiment_name,
    name_strategies,
    played,
    preset_choices,
    preset_label,
    refuse_given,
    title_of,
)
from sim.commands.report import ReportOption, page_of, report_too
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption
from sim.errors import ConfigError

if TYPE_CHECKING:
    from sim.api import Result
    from sim.statistics.contrast import PairResult


class SeatingDesign(StrEnum):
    """Who sits at the table."""

    both = "both"
    one_three = "1v3"
    three_one = "3v1"
    two_two = "2v2"


class Unit(StrEnum):
    """What the bounds of a sequential test are measured in."""

    sd = "sd"
    points = "points"


_SLOTS = {"1v3": "ABBB", "3v1": "AAAB", "2v2": "AABB"}
_WORDS = {1: "one", 2: "two", 3: "three"}
_MOST_WALLS = 200_000


def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="A", help="A strategy; with --line-up a preset: NAME{KNOB=VALUE}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    presets: PresetsOption = None,
    knobs: SetOption = None,
    walls: Annotated[int | None, typer.Option(min=2, help="Walls to play; 2,000 when nothing else is said.")] = None,
    target: Annotated[
        float | None, typer.Option(metavar="HALF_WIDTH", help="Play until the difference is known to ± this.")
    ] = None,
    sequential: Annotated[bool, typer.Option("--sequential", help="Play until a sequential test has decided.")] = False,
    bounds: Annotated[
        str, typer.Option(metavar="LOW,HIGH", help="Sequential test: difference if A is no better, if it is better.")
    ] = "0,0.05",
    unit: Annotated[
        Unit, typer.Option(help="Unit of the bounds: sd of a block's difference, or points a deal.")
    ] = Unit.sd,
    alpha: Annotated[
        float, typer.Option(help="Sequential test: chance to find A better if the difference is LOW.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(help="Sequential test: chance to find A no better if the difference is HIGH.")
    ] = 0.05,
    batch: Annotated[int, typer.Option(min=16, help="Walls between two looks.")] = 250,
    max_walls: Annotated[int, typer.Option(min=16, help="Walls after which to stop in any case.")] = _MOST_WALLS,
    line_up: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Compare presets, not strategies; these 1, 2 or 4 play.")
    ] = None,
    metric: Annotated[str, typer.Option(help="Of presets: which metric (docs/metrics.md).")] = "points",
    who: Annotated[
        str | None, typer.Option("--of", metavar="WHO", help='Of presets: whose, a strategy or "seat 0".')
    ] = None,
    design: Annotated[
        SeatingDesign,
        typer.Option(help="1v3: one A against three B, 3v1: three against one, 2v2, or both of the first."),
    ] = SeatingDesign.both,
    seed: SeedOption = 1,
    wall_mode: Annotated[WallMode, typer.Option(help="What players draw from.")] = WallMode.shared,
    workers: WorkersOption = None,
    out: OutOption = None,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Compare two strategies, or two presets: the difference of points per deal on the same walls, in all seatings."""
    if not sequential:
        refuse_given(context, ("bounds", "unit", "alpha", "beta"), "of a sequential test; add --sequential")
        if target is None:
            refuse_given(context, ("batch", "max_walls"), "goes with --target or --sequential; --walls says how many")
    _refuse_impossible_errors(alpha, beta)
    test = {"unit": unit.value, "alpha": alpha, "beta": beta}
    stop = _read_stop(walls, target, bounds if sequential else None, test, batch, max_walls)
    if line_up is not None:
        from sim.commands.compare_presets import compare_presets

        if presets or design is not SeatingDesign.both:
            raise ConfigError("--line-up: A and B are presets then; not together with --preset or --design")
        common = {"seed": seed, "wall_mode": wall_mode.value}
        report = compare_presets(first, second, knobs, line_up, metric, who, {**common, **stop}, out, workers, page)
        print_reports([report], form)
        return
    if metric != "points" or who is not None:
        raise ConfigError("--metric and --of: of presets; name who plays with --line-up")
    from sim.commands.reach import foresee
    from sim.tournament.experiment import Experiment

    _refuse_presets(first, second)
    names = name_strategies([first, second])
    designs = ["1v3", "3v1"] if design is SeatingDesign.both else [design.value]
    choices = preset_choices(presets, knobs)
    reports = []
    for choice in choices:
        data = {
            "name": experiment_name("compare", *names),
            "seed": seed,
            "wall_mode": wall_mode.value,
            "presets": [choice],
            "line_ups": [line_up_of(kind, first, second, names) for kind in designs],
            **stop,
        }
        folder = out / preset_label(choice) if out is not None and len(choices) > 1 else out
        if "contrast" in stop:
            foresee(Experiment(**data), "compare", folder, workers)
        with played(data, out=folder, workers=workers) as result:
            reports.append(make_report(result, names[0], names[1]))
            report_too(page_of(page, preset_label(choice), len(choices)), result, folder)
    print_reports(reports, form)


def _refuse_presets(*names: str) -> None:
    """Refuse presets where strategies are expected."""
    from sim.rules import available_presets

    for name in names:
        if name.partition("{")[0] in available_presets():
            raise ConfigError(f"{name}: is a preset; to compare presets, name who plays, as in --line-up ukeire")


def _read_stop(
    walls: int | None, target: float | None, bounds: str | None, test: dict[str, Any], batch: int, max_walls: int
) -> dict[str, Any]:
    """Find out when to stop."""
    options = {"--walls": walls, "--target": target, "--sequential": bounds}
    given = [option for option, value in options.items() if value is not None]
    if len(given) > 1:
        raise ConfigError(f"{' and '.join(given)}: each says when to stop; leave all but one out")
    if bounds is not None:
        low, high = _read_bounds(bounds)
        return {"contrast": {"low": low, "high": high, **test, "batch": batch, "max_walls": max_walls}}
    if target is not None:
        if target <= 0:
            raise ConfigError(f"--target: impossible value: {target:g}; allowed: more than 0, in points per deal")
        smallest = min(1_000, max_walls)
        return {"contrast": {"half_width": target, "min_walls": smallest, "batch": batch, "max_walls": max_walls}}
    return {"walls": walls or 2_000}


def _refuse_impossible_errors(alpha: float, beta: float) -> None:
    """Refuse chances of errors with which no test can be made."""
    for option, value in (("--alpha", alpha), ("--beta", beta)):
        if not 0 < value < 0.5:
            raise ConfigError(f"{option}: impossible value: {value:g}; allowed: more than 0 and less than 0.5")


def _read_bounds(text: str) -> tuple[float, float]:
    """Read the bounds of a sequential test."""
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"--bounds: came {text}; allowed: two numbers by a comma, as in 0,0.05") from None
    if not low < high < float("inf") or low == float("-inf"):
        raise ConfigError(f"--bounds: came {text}; allowed: the lower one first, as in 0,0.05 or -0.05,0.05")
    return low, high


def line_up_of(kind: str, first: str, second: str, names: list[str]) -> dict[str, Any]:
    """Make a line-up, the first strategy first.

    Parameters
    ----------
    kind
        1v3, 3v1 or 2v2.
    first, second
        What the command line calls the strategies.
    names
        Their names.
    """
    slots = [first if letter == "A" else second for letter in _SLOTS[kind]]
    counts = (slots.count(first), slots.count(second))
    label = f"{_WORDS[counts[0]]} {names[0]} against {_WORDS[counts[1]]} {names[1]}"
    return {"strategies": slots, "name": label[:60]}


def make_report(result: Result, first: str, second: str) -> Report:
    """Report on two strategies in a finished run of this command.

    Parameters
    ----------
    result
        The run, under one preset.
    first, second
        Their names.
    """
    from sim.statistics.contrast import contrast_of, read_blocks
    from sim.statistics.tables import Grid, show_interval

    plan = result.plan
    preset = plan.presets[0]["name"]
    blocks = read_blocks(result.folder, [entry.chunk for entry in result.folder.ledger.entries()], plan.cells)
    found = contrast_of(result.folder, first, second, preset, blocks)
    by_cell = {cell.cell.index: cell for cell in result.numbers.cells}
    rows = []
    for cell, difference in found.parts:
        points = {part.name: show_interval(part.metrics["points"]) for part in by_cell[cell.index].strategies}
        walls = by_cell[cell.index].walls
        deals = f"{walls * len(cell.seatings):,}"
        rows.append((cell.line_up, f"{walls:,}", deals, points[first], points[second], show_interval(difference)))
    if len(rows) > 1:
        deals = f"{result.numbers.deals:,}"
        rows.append(("both, by wall", f"{found.difference.blocks:,}", deals, "", "", show_interval(found.difference)))
    head = ("", "walls", "deals", first, second, "difference")
    grid = Grid("Points per deal, and A less B", head, tuple(rows))
    report = Report(title_of(plan, f"{first} against {second}"), [grid], _notes(result, found))
    report.data = _to_dict(result, found)
    report.records = [_record(found, "all", found.difference)]
    report.records += [_record(found, cell.line_up, part) for cell, part in found.parts if len(found.parts) > 1]
    return report


def _notes(result: Result, found: PairResult) -> list[str]:
    """Say what the numbers mean."""
    from sim.statistics.tables import show_chance, show_signed

    notes = []
    if found.difference.value is not None and found.difference.half_width is not None:
        better = "better" if found.difference.value > 0 else "worse"
        sure = abs(found.difference.value) > found.difference.half_width
        notes.append(
            f"{found.first} is {better} than {found.second} by more than the interval"
            if sure
            else f"no difference between {found.first} and {found.second} is seen: 0 lies within the interval"
        )
    reason = (result.outcome or {}).get("reason", "unfinished")
    notes.append(f"stopped: {reason}")
    if found.unbiased is not None:
        value, low, high = (show_signed(x, 3) for x in (found.unbiased.value, found.unbiased.low, found.unbiased.high))
        notes.append(
            f"after a sequential test the plain difference above is too extreme on average; median-unbiased: {value},"
            f" 95 % interval {low} to {high}"
        )
    if found.superiority is not None and found.deviation is not None:
        shown = show_chance(found.superiority)
        notes.append(
            f'superiority {shown}: one minus the one-sided p-value of "{found.first} is no better", not a posterior'
            f" probability; sd of a block's difference {found.deviation:.3f}"
        )
    notes.append("± is half of a 95 % interval over blocks: one wall, all seatings and line-ups")
    return notes


def _to_dict(result: Result, found: PairResult) -> dict[str, Any]:
    """Give everything as plain data."""
    from sim.statistics.estimate import round_off

    unbiased = found.unbiased
    return {
        "first": found.first,
        "second": found.second,
        "preset": found.preset,
        "set": dict(result.plan.presets[0]["set"]),
        "seed": result.plan.seed,
        "deals": result.numbers.deals,
        "reason": (result.outcome or {}).get("reason"),
        **_estimate(found.difference),
        "block_deviation": round_off(found.deviation),
        "superiority": round_off(found.superiority),
        "decision": {1: "better", -1: "no better", 0: None}[found.decision],
        "median_unbiased": None
        if unbiased is None
        else {key: round_off(getattr(unbiased, key)) for key in ("value", "low", "high")},
        "line_ups": [{"line_up": cell.line_up, **_estimate(part)} for cell, part in found.parts],
        "looks": (result.outcome or {}).get("looks"),
    }


def _estimate(estimate: Any) -> dict[str, Any]:
    """Give an estimate as plain data."""
    from sim.statistics.estimate import round_off

    return {
        "difference": round_off(estimate.value),
        "half_width": round_off(estimate.half_width),
        "blocks": estimate.blocks,
    }


def _record(found: PairResult, line_up: str, estimate: Any) -> dict[str, Any]:
    """Give a row for CSV."""
    names = {"preset": found.preset, "first": found.first, "second": found.second, "line_up": line_up}
    return {**names, **_estimate(estimate)}
