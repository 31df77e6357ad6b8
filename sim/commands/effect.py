"""`bloodbattle effect`: what a knob does to points, under several presets, for several line-ups."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.effect_plan import (
    experiment_of,
    forecast,
    read_knobs,
    read_line_up,
    spread_walls,
    target_of,
    tell_forecast,
    tell_plan,
)
from sim.commands.output import Report, print_reports
from sim.commands.playing import OutOption, SetOption, experiment_name, played, preset_choices
from sim.commands.report import ReportOption, report_too
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption, say
from sim.errors import ConfigError, StrategyError

if TYPE_CHECKING:
    from sim.api import Result
    from sim.statistics.family import Family
    from sim.statistics.regression import Regression
    from sim.tournament.experiment import Experiment

PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")
LINE_UPS = ("ukeire", "value,ukeire,isolation,random")


def effect(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="KNOB VALUE...", help="fan.cap 3 4 5 none; or KNOB=V1,V2 KNOB2=W1,W2 for a grid; or a FILE."
        ),
    ],
    presets: Annotated[
        list[str] | None,
        typer.Option("--preset", metavar="PRESET", help="A preset's name or file; the three shipped ones when absent."),
    ] = None,
    knobs: SetOption = None,
    line_ups: Annotated[
        list[str] | None,
        typer.Option(
            "--line-up", metavar="A,B,...", help="Who plays: 1, 2 or 4 strategies. May be repeated; two when absent."
        ),
    ] = None,
    one_at_a_time: Annotated[
        bool, typer.Option("--one-at-a-time", help="Of a grid only cells that differ in one knob from the preset.")
    ] = False,
    samples: Annotated[
        int | None, typer.Option(min=2, max=1_000, help="Draw so many cells of a grid by a Latin hypercube.")
    ] = None,
    walls: Annotated[
        int | None, typer.Option(min=2, help="Walls for every line-up; as many as make 48,000 deals when absent.")
    ] = None,
    half_width: Annotated[
        float | None, typer.Option(metavar="X", help="Play until all named differences are known to ± X points a deal.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Everything random follows from it.")] = None,
    wall_mode: Annotated[WallMode | None, typer.Option(help="What players draw from.")] = None,
    rows: Annotated[bool, typer.Option("--rows/--no-rows", help="Keep a row for each deal and seat, or sums.")] = False,
    pilot: Annotated[
        bool, typer.Option("--pilot/--no-pilot", help="Play a few walls first to say what to expect.")
    ] = True,
    workers: WorkersOption = None,
    out: OutOption = None,
    page: ReportOption = None,
    full: Annotated[
        bool, typer.Option("--full", help="All tables: rates, patterns and spread too, and every cell.")
    ] = False,
    form: FormatOption = Format.text,
) -> None:
    """Say what knobs do to points: settings against a preset as it is, on the same walls."""
    _refuse_options(context, words)
    from sim.commands.deal import announce
    from sim.tournament.experiment import Experiment
    from sim.tournament.plan import make_plan

    if walls is not None and half_width is not None:
        raise ConfigError("--walls and --half-width: each says when to stop; leave one out")
    if half_width is not None and not 0 < half_width < float("inf"):
        raise ConfigError(f"--half-width: came {half_width:g}; allowed: more than 0, in points per deal")
    where = ""
    if len(words) == 1 and Path(words[0]).is_file() and not words[0].endswith(".toml"):
        raise ConfigError(f"{words[0]}: is a file, but the name of an experiment file ends in .toml")
    if len(words) == 1 and words[0].endswith(".toml"):
        where = words[0]
        experiment = _from_file(where, presets, knobs, line_ups, one_at_a_time, samples)
        keeps = rows or (experiment.rows and (out is not None or experiment.contrast is not None))
        experiment = experiment.changed(walls=walls, seed=seed, wall_mode=wall_mode and wall_mode.value, rows=keeps)
    else:
        asked = read_knobs(words)
        design = {"knobs": asked, "one_at_a_time": one_at_a_time, "samples": samples}
        tables = [read_line_up(text) for text in line_ups or LINE_UPS]
        choices = preset_choices(presets or list(PRESETS), knobs)
        announce()
        _refuse_unknown(tables, choices)
        experiment = Experiment(
            name=experiment_name("effect", *asked),
            seed=1 if seed is None else seed,
            wall_mode=WallMode.shared.value if wall_mode is None else wall_mode.value,
            presets=choices,
            design=design,
            line_ups=tables if walls is not None else spread_walls(tables),
            walls=2 if walls is None else walls,
            rows=rows,
        )
    announce()
    from sim.tournament.game import sichuan
    from sim.tournament.store import RunFolder

    game = sichuan()
    plan = make_plan(experiment, game, where=where)
    if out is not None and (half_width is None or not out.is_dir()):  # a target's plan follows from its pilot
        pilot = RunFolder.refuse_taken(out, plan) is None and pilot
    own = experiment.target.half_width if experiment.target is not None else None
    wanted = own if half_width is None else half_width
    if wanted is not None:
        found = forecast(experiment, plan, workers, of_one_wall=True) if pilot else None
        target = target_of(wanted, found, plan)
        if half_width is not None:
            alone = tuple(one.model_copy(update={"walls": None}) for one in experiment.line_ups)
            changed = {"walls": None, "contrast": None, "target": target, "line_ups": alone}
            experiment = Experiment(**{**_fields(experiment), **changed})
            plan = make_plan(experiment, game, where=where)
        tell_plan(plan, experiment)
    else:
        tell_plan(plan, experiment)
        if pilot:
            tell_forecast(forecast(experiment, plan, workers), plan)
    with played(_fields(experiment), out=out, workers=workers) as result:
        print_reports([make_report(result, full=full or form is Format.markdown)], form)
        report_too(page, result, out)


def _refuse_options(context: typer.Context, words: list[str]) -> None:
    """Refuse options that do not exist; a number below 0 is a knob's value."""
    from sim.rules.words import did_you_mean

    known = [name for parameter in context.command.params for name in (*parameter.opts, *parameter.secondary_opts)]
    for word in words:
        if word.startswith("-") and not word[1:2].isdigit():
            raise ConfigError(f"{word}: there is no such option{did_you_mean(word, known)}")


def _refuse_unknown(tables: list[dict[str, Any]], choices: list[dict[str, Any]]) -> None:
    """Refuse strategies and presets that cannot be loaded, under the option that named them."""
    from sim.rules import load_preset
    from strategies.registry import load_strategy

    for choice in choices:
        try:
            load_preset(choice["preset"])
        except ConfigError as error:
            raise ConfigError(f"--preset: {error}") from None
    for table in tables:
        for name in table["strategies"]:
            try:
                load_strategy(name)
            except (ConfigError, StrategyError) as error:
                raise type(error)(f"--line-up: {error}") from None


def _fields(experiment: Experiment) -> dict[str, Any]:
    """Give an experiment as data."""
    return {name: getattr(experiment, name) for name in type(experiment).model_fields}


def _from_file(
    path: str,
    presets: list[str] | None,
    knobs: list[str] | None,
    line_ups: list[str] | None,
    one_at_a_time: bool,
    samples: int | None,
) -> Experiment:
    """Read an experiment file; what it says itself is not to be said again."""
    given = {"--preset": presets, "--set": knobs, "--line-up": line_ups, "--one-at-a-time": one_at_a_time}
    for option, value in {**given, "--samples": samples}.items():
        if value:
            raise ConfigError(f"{option}: not with an experiment file, which says it itself; change {path}")
    return experiment_of(path)


def make_report(result: Result, *, full: bool = False) -> Report:
    """Report the effects in a run of a design.

    Parameters
    ----------
    result
        The run, finished or not.
    full
        Whether to give all tables and every cell.

    Raises
    ------
    ConfigError
        The run has no design.
    """
    from sim.statistics.effect_tables import MOST_ROWS, FamilyTables
    from sim.statistics.effect_words import sentences, warnings_of
    from sim.statistics.effects import make_effects, to_record
    from sim.statistics.family import families_of

    plan = result.plan
    if plan.design is None:
        raise ConfigError(f"{result.path}: no effects: its experiment has no [design]; see docs/effects.md")
    totals = result.paired_totals()
    families = families_of(plan, totals)
    effects = make_effects(plan, totals)
    regressions = [_regress(family) for family in families]
    walls = sorted({family.walls for family in families})
    shown = " to ".join(f"{count:,}" for count in dict.fromkeys((walls[0], walls[-1]))) if walls else "0"
    report = Report(f"{plan.name}: {len(plan.cells)} cells · {shown} walls · seed {plan.seed} · plan {plan.hash[:8]}")
    report.lead = sentences(families, effects, regressions)
    for family, regression in zip(families, regressions, strict=True):
        mine = [one for one in effects if (one.base, one.line_up) == (family.base, family.line_up)]
        tables = FamilyTables(family, mine, regression, len(family.cells) if full else MOST_ROWS)
        report.grids += tables.grids(full=full)
    report.notes = [*warnings_of(families), *_notes(result)]
    report.records = [to_record(one) for one in effects]
    report.data = _to_dict(result, report, families, regressions)
    return report


def _regress(family: Family) -> Regression | None:
    """Fit a family's regression, or say why not."""
    from sim.errors import ResultsError
    from sim.statistics.regression import regress

    try:
        return regress(family)
    except ResultsError as error:
        say(f"no regression: {error}")
        return None


def _notes(result: Result) -> list[str]:
    """Say what the tables do not."""
    reason = (result.outcome or {}).get("reason", "unfinished")
    return [
        f"stopped: {reason}",
        (
            "± is half of a 95 % interval over walls, of each difference by itself; * marks what is sure at 5 % with"
            " all comparisons taken into account: points by strategy (by seat where there is one strategy) as played by"
            " Holm within each line-up, everything else by Benjamini and Hochberg. Causes: ± with --full."
            " docs/effects.md says how to read it."
        ),
    ]


def _to_dict(
    result: Result, report: Report, families: tuple[Family, ...], regressions: list[Regression | None]
) -> dict[str, Any]:
    """Give everything as plain data."""
    from sim.statistics.effects import coupling_of
    from sim.statistics.estimate import round_off
    from sim.statistics.family import setting_texts
    from sim.statistics.skill import compensation_of, skill_of

    found = []
    for family, regression in zip(families, regressions, strict=True):
        first, second = (*family.main_units, *family.main_units)[:2]
        cells = []
        ties = {tie.cell.index: tie for tie in coupling_of(family)}
        for cell in family.cells:
            tie = ties.get(cell.index)
            skill = skill_of(family, cell, first, second) if len(family.reference.groups) > 1 else None
            cells.append(
                {
                    "cell": cell.index,
                    "preset": cell.preset,
                    "settings": ", ".join(setting_texts(family.changes(cell))),
                    "source": cell.source,
                    "changed_deals": None if tie is None else tie.changed,
                    "changed_walls": None if tie is None else tie.changed_walls,
                    "seat_compensation": [
                        {"value": round_off(one.value), "half_width": round_off(one.half_width)}
                        for one in compensation_of(family, cell)
                    ],
                    "skill": None
                    if skill is None
                    else {
                        "first": skill.first,
                        "second": skill.second,
                        "difference": round_off(skill.difference),
                        "half_width": round_off(skill.half_width),
                        "sd_of_a_deal": round_off(skill.deviation),
                        "signal_to_noise": round_off(skill.ratio),
                        "signal_to_noise_half_width": round_off(skill.ratio_half_width),
                        "deals": skill.deals,
                        "deals_fewest": skill.fewest,
                        "deals_most": skill.most,
                    },
                }
            )
        found.append(
            {
                "base": family.base,
                "line_up": family.line_up,
                "reference": family.reference.index,
                "walls": family.walls,
                "deals": family.deals,
                "cells": cells,
                "regression": None if regression is None else _regression_to_dict(family, regression),
            }
        )
    return {
        "name": result.plan.name,
        "plan": result.plan.hash,
        "seed": result.plan.seed,
        "reason": (result.outcome or {}).get("reason"),
        "answers": report.lead,
        "warnings": [note for note in report.notes if note.startswith("warning")],
        "families": found,
        "effects": list(report.records),
    }


def _regression_to_dict(family: Family, regression: Regression) -> dict[str, Any]:
    """Give a regression as plain data."""
    from sim.statistics.regression import to_records

    return {
        "model": regression.model,
        "cells": [cell.index for cell in regression.cells],
        "left_out": list(regression.left_out),
        "coefficients": [
            {key: value for key, value in record.items() if key not in {"base", "line_up", "model"}}
            for record in to_records(family, regression)
        ],
    }
