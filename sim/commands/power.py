"""`bloodbattle power`: how many walls an answer needs, from a small run."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

import math
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report, print_reports
from sim.commands.playing import (
    PresetsOption,
    SeedOption,
    SetOption,
    name_strategies,
    pilot_of,
    preset_label,
    refuse_given,
)
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption
from sim.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.api import Result
    from sim.statistics.metrics import Metric
    from sim.statistics.pilot import Price, Question

DEFAULT_LINE_UP = "ukeire,shanten,isolation,random"
_PILOT_WALLS = 1_000
_DAY, _YEAR = 86_400.0, 365.25 * 86_400.0
_FEWEST = 100
"""A pilot of fewer walls says little."""


def power(
    context: typer.Context,
    run: Annotated[
        Path | None, typer.Argument(metavar="[RUN]", help="A run to learn from; a pilot is played when absent.")
    ] = None,
    half_width: Annotated[
        float | None, typer.Option(metavar="X", help="How many walls until the interval is this: ± X?")
    ] = None,
    difference: Annotated[
        float | None, typer.Option(metavar="D", help="How many walls until a true difference of D is seen?")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Chance to see a difference where there is none.")] = 0.05,
    wanted: Annotated[float, typer.Option("--power", help="Chance to see the difference D.")] = 0.8,
    metric: Annotated[str, typer.Option(help="Which metric (docs/metrics.md).")] = "points",
    presets: PresetsOption = None,
    knobs: SetOption = None,
    effects: Annotated[
        list[str] | None,
        typer.Option("--effect", metavar="KNOB=VALUE", help="Also the effect of this setting. May be repeated."),
    ] = None,
    line_ups: Annotated[
        list[str] | None,
        typer.Option("--line-up", metavar="A,B,...", help="Who plays: 1, 2 or 4 strategies. May be repeated."),
    ] = None,
    pair: Annotated[
        str | None,
        typer.Option("--compare", metavar="A,B", help="The difference of two strategies, as compare has it."),
    ] = None,
    walls: Annotated[int, typer.Option(min=2, help="Walls of the pilot, in every cell.")] = _PILOT_WALLS,
    seed: SeedOption = 1,
    wall_mode: Annotated[WallMode, typer.Option(help="What players draw from.")] = WallMode.shared,
    workers: WorkersOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Say how many walls are needed for an interval of ± X, or to see a difference of D; from a pilot."""
    _check_goals(half_width, difference, alpha, wanted)
    if pair is not None and (line_ups or effects or metric != "points"):
        raise ConfigError("--compare: about points per deal of two strategies; not with --line-up, --effect, --metric")
    given = {"--preset": presets, "--set": knobs, "--effect": effects, "--line-up": line_ups, "--compare": pair}
    named = [option for option, value in given.items() if value]
    if run is not None and named:
        raise ConfigError(f"{named[0]}: not with a RUN, whose own presets and line-ups are looked at; leave one out")
    if run is not None:
        refuse_given(
            context,
            ("walls", "seed", "wall_mode", "workers"),
            "of a pilot that is played; not with a RUN, which is looked at as it is",
        )
    chosen = _find_metric(metric)
    reports = []
    with _pilot(run, presets, knobs, effects, line_ups, pair, walls, seed, wall_mode.value, workers) as result:
        from sim.statistics.pilot import differences_of, price_of, questions_of

        questions = differences_of(result) if metric == "points" else []
        if pair is None:
            questions = [*questions_of(result, chosen), *questions]
        if not questions:
            raise ConfigError(f"{result.path}: nothing can be said about {metric}: too few walls, or it never happens")
        goals: list[tuple[str, float]] = []
        if half_width is not None:
            goals.append(("half_width", half_width))
        if difference is not None:
            goals.append(("difference", difference))
        price = price_of(result)
        reports.append(make_report(result, chosen, questions, goals, price, alpha=alpha, power=wanted))
    print_reports(reports, form)


def _check_goals(half_width: float | None, difference: float | None, alpha: float, wanted: float) -> None:
    """Refuse goals that make no sense."""
    if half_width is None and difference is None:
        raise ConfigError(
            "came neither --half-width nor --difference; allowed: one of them or both, as --half-width 0.02"
        )
    for option, value in (("--half-width", half_width), ("--difference", difference)):
        if value is not None and not 0 < value < math.inf:
            raise ConfigError(f"{option}: came {value:g}; allowed: more than 0, in the metric's unit")
    if not 0 < alpha < 1:
        raise ConfigError(f"--alpha: came {alpha:g}; allowed: between 0 and 1, as 0.05")
    if not alpha < wanted < 1:
        raise ConfigError(f"--power: came {wanted:g}; allowed: more than --alpha and less than 1, as 0.8")


def _find_metric(name: str) -> Metric:
    """Find a metric by its name."""
    from sim.commands.deal import announce
    from sim.rules.words import did_you_mean, show_value
    from sim.statistics.metrics import make_metrics
    from sim.tournament.game import sichuan
    from sim.tournament.quantities import make_quantities

    announce()
    game = sichuan()
    quantities = make_quantities([column.name for column in game.columns], game.patterns)
    known = {metric.name: metric for metric in make_metrics(item.name for item in quantities)}
    if name not in known:
        hint = did_you_mean(name, list(known))
        raise ConfigError(f"--metric: there is no metric {show_value(name)}{hint}; docs/metrics.md lists them")
    return known[name]


@contextmanager
def _pilot(
    run: Path | None,
    presets: list[str] | None,
    knobs: list[str] | None,
    effects: list[str] | None,
    line_ups: list[str] | None,
    pair: str | None,
    walls: int,
    seed: int,
    wall_mode: str,
    workers: int | None,
) -> Iterator[Result]:
    """Give the run that is learnt from: the one named, or one that is played now and thrown away."""
    if run is not None:
        from sim.api import open_run

        yield open_run(run)
        return
    from strategies.references import split_references

    tables: list[dict[str, Any]]
    if pair is not None:
        from sim.commands.compare import line_up_of

        first, second = _two(split_references(pair), pair)
        names = name_strategies([first, second])
        tables = [line_up_of(kind, first, second, names) for kind in ("1v3", "3v1")]
    else:
        tables = [{"strategies": split_references(text)} for text in line_ups or [DEFAULT_LINE_UP]]
    data = {
        "name": "pilot",
        "seed": seed,
        "walls": walls,
        "wall_mode": wall_mode,
        "presets": _choices(presets, knobs, effects),
        "line_ups": tables,
    }
    with pilot_of(data, workers, quiet=False) as result:
        yield result


def _two(names: list[str], text: str) -> tuple[str, str]:
    """Read two strategies."""
    if len(names) != 2:
        raise ConfigError(f"--compare: came {text}; allowed: two strategies by a comma, as ukeire,shanten")
    return names[0], names[1]


def _choices(presets: list[str] | None, knobs: list[str] | None, effects: list[str] | None) -> list[dict[str, Any]]:
    """List the presets of the pilot: each one as it is, then with each setting whose effect is asked for."""
    from sim.commands.playing import preset_choices
    from sim.rules import load_preset, with_overrides
    from sim.rules.knobs import knob_values
    from sim.statistics.family import setting_texts

    settings = [read_setting(effect) for effect in effects or ()]
    found = []
    for choice in preset_choices(presets, knobs):
        found.append(choice)
        has = knob_values(with_overrides(load_preset(choice["preset"]), choice["set"]))
        for setting in settings:
            ((key, value),) = setting.items()
            if has[key] == value:
                shown = next(setting_texts(setting))
                raise ConfigError(f"--effect {shown}: changes nothing: {preset_label(choice)} has it already")
        for effect, setting in zip(effects or (), settings, strict=True):
            name = f"{preset_label(choice)} {effect}"[:60]
            found.append({**choice, "set": {**choice["set"], **setting}, "name": name})
    return found


def read_setting(text: str) -> dict[str, Any]:
    """Read the one setting of ``--effect``.

    Parameters
    ----------
    text
        ``KNOB=VALUE``.

    Raises
    ------
    ConfigError
        There is no such knob, it cannot have this value, or there is no value or more than one.
    """
    from sim.commands.effect_plan import read_knobs

    key, equals, _ = text.partition("=")
    values = read_knobs([text])[key] if equals else []
    if len(values) != 1:
        raise ConfigError(f"--effect: came {text}; allowed: KNOB=VALUE, as fan.cap=5; may be repeated")
    return {key: values[0]}


def make_report(
    result: Result,
    metric: Metric,
    questions: list[Question],
    goals: list[tuple[str, float]],
    price: Price,
    *,
    alpha: float,
    power: float,
) -> Report:
    """Report how many walls each question needs.

    Parameters
    ----------
    result
        The pilot.
    metric
        The metric.
    questions
        What could be asked.
    goals
        half_width or difference, each with its size.
    price
        What a deal costs.
    alpha, power
        Of the test of a difference.
    """
    from sim.statistics.estimate import round_off
    from sim.statistics.power import blocks_for_difference, blocks_for_half_width, half_width_of
    from sim.statistics.tables import Grid, show_signed
    from sim.tournament.files import show_bytes

    grids = []
    records: list[dict[str, Any]] = []
    for goal, size in goals:
        rows: list[tuple[str, ...]] = []
        heading = ""
        for question in questions:
            spread = question.spread
            is_told = question.is_told
            if heading != (heading := f"{question.preset}: {question.line_up}"):
                rows.append((heading,))

            def needed(deviation: float, goal: str = goal, size: float = size) -> int:
                if goal == "half_width":
                    return blocks_for_half_width(deviation, size)
                return blocks_for_difference(deviation, size, alpha, power)

            low, high = spread.interval
            walls, fewest, most = (needed(deviation) for deviation in (spread.deviation, low, high))
            deals = walls * question.deals
            seconds, space = deals * price.seconds, deals * price.bytes
            now = half_width_of(spread.deviation, spread.blocks)
            shown = f"{show_signed(spread.mean, 3)} ± {now:.3f}"
            if not is_told:
                rows.append((f"  {question.what}", shown, f"{spread.deviation:.3g}", *["?"] * 5))
            else:
                rows.append(
                    (
                        f"  {question.what}",
                        shown,
                        f"{spread.deviation:.3g}",
                        _count(walls),
                        f"{_count(fewest)} to {_count(most)}",
                        _count(deals),
                        show_time(seconds) if price.seconds else "?",
                        show_bytes(space) if price.bytes else "?",
                    )
                )
            records.append(
                {
                    "goal": goal,
                    "size": size,
                    "metric": metric.name,
                    "what": question.what,
                    "preset": question.preset,
                    "line_up": question.line_up,
                    "value": round_off(spread.mean),
                    "half_width": round_off(now),
                    "block_deviation": round_off(spread.deviation),
                    "block_deviation_low": round_off(low),
                    "block_deviation_high": round_off(high),
                    "excess_kurtosis": round_off(spread.kurtosis),
                    "pilot_walls": spread.blocks,
                    "pilot_changed": question.changed,
                    "pilot_events": question.events,
                    "walls": walls if is_told else None,
                    "walls_low": fewest if is_told else None,
                    "walls_high": most if is_told else None,
                    "deals": deals if is_told else None,
                    "seconds": round_off(seconds) if price.seconds and is_told else None,
                    "bytes": round(space) if price.bytes and is_told else None,
                }
            )
        head = ("", "pilot", "sd", "walls", "95 % of pilots", "deals", "time", "disk")
        title = f"Walls for an interval of ±{size:g} ({metric.unit})"
        if goal == "difference":
            title = f"Walls to see a difference of {size:g} ({metric.unit}; alpha {alpha:g}, power {power:g})"
        grids.append(Grid(title, head, tuple(rows)))
    plan = result.plan
    report = Report(f"power: {metric.name} · from {result.numbers.deals:,} deals · seed {plan.seed}", grids)
    report.notes = _notes(questions, records, price, has_rows=plan.has_rows)
    report.records = list(records)
    report.data = {"plan": plan.hash, "alpha": alpha, "power": power, "questions": records}
    return report


def _notes(questions: list[Question], records: list[dict[str, Any]], price: Price, *, has_rows: bool) -> list[str]:
    """Say what the numbers mean, and which of them are absurd."""
    from sim.statistics.rare import FEW_OF_PILOT
    from sim.tournament.experiment import MOST_WALLS

    text = (
        "sd: of one wall with all its seatings. 95 % of pilots: what the pilot's own uncertainty of the sd leaves open"
    )
    notes = [f"{text}, by chi-square, with fewer degrees of freedom where blocks have heavy tails"]
    if any(len({cell.preset for cell in question.cells}) > 1 for question in questions):
        notes.append("a difference plays both of its cells on the same walls; both are counted in deals and time")
    if any(record["goal"] == "difference" for record in records):
        notes.append("a difference is that of the number from a fixed one, such as 0; alpha is two-sided")
    if price.seconds:
        threads = f"{price.workers} thread{'s' if price.workers > 1 else ''}"
        notes.append(
            f"time at the pilot's speed, {1 / price.seconds:,.0f} deals/s with {threads}; disk with rows, next to"
            " nothing with --no-rows"
        )
    if any(question.spread.blocks < _FEWEST for question in questions):
        notes.append(f"a pilot of fewer than {_FEWEST} walls says little of the spread: play more (--walls)")
    counted = "walls" if has_rows else "deals"
    for question in questions:
        which = f"no answer for {question.what} ({question.preset}, {question.line_up}): the pilot saw"
        more = f"and {FEW_OF_PILOT} are needed; play a larger pilot (--walls)"
        if question.changed is not None and question.changed < FEW_OF_PILOT:
            notes.append(f"{which} only {question.changed} changed {counted}, {more}")
        elif not question.is_told and has_rows:
            notes.append(f"{which} only {question.events} walls with another value than the most common one, {more}")
        elif not question.is_told:
            notes.append(f"{which} it, or the contrary, only {question.events} times, {more}")
    for record in records:
        if record["walls"] is None:
            continue
        seconds = record["seconds"] or 0.0
        which = f"{record['what']} ({record['preset']}, {record['line_up']})"
        if record["walls"] > MOST_WALLS or seconds > _YEAR:
            notes.append(
                f"out of reach: {which} needs {_count(record['walls'])} walls, {show_time(seconds)} on this machine; a"
                f" run has at most {MOST_WALLS:,} walls. Ten times the width is a hundredth of that"
            )
        elif seconds > _DAY:
            notes.append(f"long: {which} takes {show_time(seconds)} on this machine")
    return notes


def _count(number: int) -> str:
    """Write a count, a huge one rounded; the search for walls ends at `MOST_BLOCKS`."""
    from sim.statistics.power import MOST_BLOCKS

    if number >= MOST_BLOCKS:
        return f"over {MOST_BLOCKS:.0e}"
    return f"{number:,}" if number < 10**9 else f"{number:.1e}"


def show_time(seconds: float) -> str:
    """Write a time that somebody has to wait, in the unit that fits.

    Parameters
    ----------
    seconds
        Seconds.

    Examples
    --------
    >>> [show_time(seconds) for seconds in (0.2, 90.0, 7200.0, 1e9)]
    ['1 s', '90 s', '2.0 hours', '32 years']
    """
    for unit, size, from_here in (("years", _YEAR, 2 * _YEAR), ("days", _DAY, 2 * _DAY), ("hours", 3600.0, 5400.0)):
        if seconds >= from_here:
            number = seconds / size
            return f"{number:,.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
    return f"{seconds / 60:.0f} min" if seconds > 120 else f"{max(1, math.ceil(seconds)):.0f} s"
