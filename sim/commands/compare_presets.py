"""`bloodbattle compare A B --line-up ...`: two presets on the same walls, until enough is known of their difference."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any, Final

from sim.commands.output import Report
from sim.commands.playing import experiment_name, played
from sim.commands.report import report_too
from sim.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from reports.model import Report as Page
    from sim.api import Result
    from sim.rules.model import Preset
    from sim.statistics.preset_contrast import PresetResult
    from sim.tournament.plan import Plan

_AGAINST: Final = " against "
"""Stands between the presets in the title of a run."""


def compare_presets(
    first: str,
    second: str,
    knobs: list[str] | None,
    line_up: str,
    metric: str,
    who: str | None,
    data: dict[str, Any],
    out: Path | None,
    workers: int | None,
    page: str | None = None,
) -> Report:
    """Play two presets, and report.

    Parameters
    ----------
    first, second
        The presets as the command line names them: ``NAME``, ``FILE.toml``, ``NAME{KNOB=VALUE,...}``.
    knobs
        Knobs to set over both.
    line_up
        Who plays, by commas.
    metric, who
        What is compared, and whose.
    data
        Seed, wall mode and when to stop, as an experiment has them.
    out
        Where to keep the run.
    workers
        Threads.
    page
        What ``--report`` says.

    Raises
    ------
    ConfigError
        A preset cannot be read, or both are the same rules.
    """
    from sim.commands.deal import announce
    from sim.commands.reach import foresee
    from sim.rules.diff import diff_presets
    from sim.statistics.preset_contrast import asked_of
    from sim.tournament.experiment import Experiment
    from sim.tournament.game import sichuan
    from sim.tournament.plan import make_plan
    from strategies.references import split_references

    one, other = read_preset(first, knobs), read_preset(second, knobs)
    settings = {item.key: item.right for item in diff_presets(other, one)}
    if not settings:
        raise ConfigError(f"{first} and {second}: the same rules; a preset has no difference to itself")
    stop = dict(data)
    if "contrast" in stop:
        stop["contrast"] = {**stop["contrast"], "of": "presets", "metric": metric, "who": who}
    experiment = {
        "name": experiment_name("compare", first, second),
        "title": f"{first}{_AGAINST}{second}",
        "presets": [other],
        "design": {"cells": [settings]},
        "line_ups": [{"strategies": split_references(line_up)}],
        "rows": False,
        **stop,
    }
    announce()
    asked_of(make_plan(Experiment(**experiment), sichuan()), metric, who)  # refuses what cannot be compared
    if "contrast" in stop:
        foresee(Experiment(**experiment), "compare", out, workers)
    with played(experiment, out=out, workers=workers) as result:
        report = make_report(result, first, second, metric, who)
        if page is not None:
            made = _make_page(result, report)
            if (metric, who) != _asked_again(result.plan):  # only this command knows what it was asked
                made.commands = [shlex.join(["bloodbattle", *sys.argv[1:]])]
            report_too(page, result, out, made)
        return report


def is_comparison(result: Result) -> bool:
    """Tell whether a run compares two presets, and both have been played.

    Parameters
    ----------
    result
        Any run; those of this command are known by a contrast of presets, or by name and title.
    """
    from sim.statistics.family import families_of

    plan = result.plan
    if plan.design is None or len(plan.cells) != 2:
        return False
    is_ours = plan.name == experiment_name("compare", *plan.data["title"].split(_AGAINST))
    is_asked = plan.contrast is not None and plan.contrast.get("of") == "presets"
    return (is_ours or is_asked) and bool(families_of(plan, result.paired_totals()))


def report_again(result: Result) -> Page:
    """Make the page of a comparison out of its folder.

    Parameters
    ----------
    result
        A run that `is_comparison`, finished or not.
    """
    reference, cell = result.plan.cells
    return _make_page(result, make_report(result, cell.preset, reference.preset, *_asked_again(result.plan)))


def _asked_again(plan: Plan) -> tuple[str, str | None]:
    """Give the metric and whose it is, as the plan has it; the command's default where its walls are fixed."""
    return ("points", None) if plan.contrast is None else (plan.contrast["metric"], plan.contrast["who"])


def _make_page(result: Result, printed: Report) -> Page:
    """Make the page of a comparison: what is printed, and the report of its run."""
    from reports.comparison import report_comparison

    return report_comparison(result, printed.grids[0], printed.notes, printed.data)


def read_preset(text: str, knobs: list[str] | None) -> Preset:
    """Read a preset as the command line names it.

    Parameters
    ----------
    text
        ``NAME``, ``FILE.toml``, or either with ``{KNOB=VALUE,...}`` behind it.
    knobs
        Knobs to set over it.
    """
    from sim.rules import load_preset, parse_sets, with_overrides

    name, brace, rest = text.partition("{")
    if brace and not rest.endswith("}"):
        raise ConfigError(f"{text}: a preset with settings is written NAME{{KNOB=VALUE,...}}")
    own = [part for part in rest.removesuffix("}").split(",") if part]
    return with_overrides(load_preset(name), {**parse_sets(own), **parse_sets(knobs or ())}, where=text)


def make_report(result: Result, first: str, second: str, metric: str, who: str | None) -> Report:
    """Report on two presets in a finished run of this command.

    Parameters
    ----------
    result
        The run.
    first, second
        What the presets are called.
    metric, who
        What is compared, and whose.
    """
    from sim.statistics.estimate import round_off
    from sim.statistics.preset_contrast import preset_result
    from sim.statistics.tables import Grid, show_knob, show_signed

    looks = (result.outcome or {}).get("looks")
    found = preset_result(result.plan, result.paired_totals(), metric, who, looks)
    difference = found.difference
    name = found.unit.name if found.unit.who == "strategy" else f"seat {found.unit.name}"
    what = found.metric.name if found.unit.who == "deal" else f"{found.metric.name} of {name}"
    changes = ", ".join(f"{key} {show_knob(value)}" for key, value in found.cell.settings.items())

    def show(value: float | None) -> str:
        return "" if value is None else show_signed(value, 3) if found.metric.name == "points" else f"{value:.4f}"

    width = "" if difference.half_width is None else f" ± {difference.half_width:.4f}"
    shown = "" if difference.value is None else show_signed(difference.value, 4) + width
    deals = result.numbers.deals // 2
    row = (what, f"{difference.blocks:,}", f"{deals:,}", show(difference.cell_value))
    head = ("", "walls", "deals of each", "A", "B", "A less B")
    grid = Grid(found.metric.unit, head, ((*row, show(difference.reference_value), shown),))
    plan = result.plan
    title = f"{first} against {second} · {found.cell.line_up} · seed {plan.seed} · wall mode {plan.wall_mode}"
    report = Report(title, [grid])
    reason = (result.outcome or {}).get("reason", "unfinished")
    report.notes = [f"A against B: {changes}", *_notes(found, deals, reason)]
    report.data = {
        "first": first,
        "second": second,
        "settings": dict(found.cell.settings),
        "line_up": found.cell.line_up,
        "metric": found.metric.name,
        "who": found.unit.who,
        "name": found.unit.name,
        "seed": plan.seed,
        "deals": deals,
        "reason": reason,
        "difference": round_off(difference.value),
        "half_width": round_off(difference.half_width),
        "p": round_off(difference.p),
        "first_value": round_off(difference.cell_value),
        "second_value": round_off(difference.reference_value),
        "blocks": difference.blocks,
        "block_deviation": round_off(found.deviation),
        "correlation": round_off(difference.correlation),
        "efficiency": round_off(difference.efficiency),
        "changed": found.changed,
        "changed_walls": found.changed_walls,
        "superiority": round_off(found.superiority),
        "decision": {1: "higher", -1: "no higher", 0: None}[found.decision],
        "median_unbiased": None
        if found.unbiased is None
        else {key: round_off(getattr(found.unbiased, key)) for key in ("value", "low", "high")},
        "looks": (result.outcome or {}).get("looks"),
    }
    nested = ("settings", "median_unbiased", "looks")
    report.records = [{key: value for key, value in report.data.items() if key not in nested}]
    return report


def _notes(found: PresetResult, deals: int, reason: str) -> list[str]:
    """Say what the numbers mean."""
    from sim.statistics.rare import FEW
    from sim.statistics.tables import show_chance, show_signed

    difference = found.difference
    notes = []
    if difference.value is not None and difference.half_width is not None and found.deviation > 0:
        seen = abs(difference.value) > difference.half_width
        side = "higher" if difference.value > 0 else "lower"
        notes.append(
            f"under A it is {side} by more than the interval"
            if seen
            else "no difference is seen: 0 lies within the interval"
        )
    notes.append(f"stopped: {reason}")
    if found.unbiased is not None:
        value, low, high = (show_signed(x, 4) for x in (found.unbiased.value, found.unbiased.low, found.unbiased.high))
        notes.append(
            f"after a sequential test the plain difference above is too extreme on average; median-unbiased: {value},"
            f" 95 % interval {low} to {high}"
        )
    if found.superiority is not None:
        shown = show_chance(found.superiority)
        notes.append(
            f'superiority {shown}: one minus the one-sided p-value of "no higher under A", not a posterior probability;'
            f" sd of a block's difference {found.deviation:.4g}"
        )
    share = found.changed / deals if deals else 0.0
    tied = (
        ""
        if difference.efficiency is None
        else f"; the same walls are worth {difference.efficiency:,.1f} times as many"
    )
    notes.append(f"points changed in {100 * share:.2f}% of deals{tied}")
    if 0 < found.changed_walls < FEW:
        notes.append(
            f"only {found.changed_walls} walls changed: so few that intervals are too narrow and a sequential test may"
            " be misled; play more walls, in larger batches (docs/statistics-checks.md)"
        )
    if found.changed == 0:
        notes.append("not one deal was settled otherwise: what differs between A and B is dead for these players")
    notes.append("± is half of a 95 % interval over blocks: one wall with all seatings, under both presets")
    return notes
