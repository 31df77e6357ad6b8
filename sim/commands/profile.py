"""`bloodbattle profile`: where a strategy's points come from, what its discards cost, and its habits."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report, print_reports
from sim.commands.playing import (
    DEFAULT_PRESET,
    OutOption,
    SeedOption,
    SetOption,
    experiment_name,
    field_of,
    played,
    preset_choices,
    title_of,
)
from sim.commands.report import ReportOption, report_too
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reports.model import Report as Page
    from sim.api import Result
    from sim.statistics.estimate import Estimate
    from sim.statistics.habit_blocks import HabitBlocks
    from sim.statistics.habits import Habits, Risk
    from sim.statistics.tables import Grid
    from sim.tournament.plan import Plan


LEAST_DISCARDS = 30
"""Classes of fewer discards are not called risky."""


def profile(
    strategy: Annotated[str, typer.Argument(metavar="A", help="The strategy.")],
    field: Annotated[
        str, typer.Option(metavar="B", help="Who else sits at the table: one strategy, or three by commas.")
    ] = "ukeire",
    preset: Annotated[str, typer.Option(help="A preset's name or file.")] = DEFAULT_PRESET,
    knobs: SetOption = None,
    deals: Annotated[int, typer.Option(min=1, help="Deals to play and replay, rounded up to whole walls.")] = 2_000,
    seed: SeedOption = 1,
    wall_mode: Annotated[WallMode, typer.Option(help="What players draw from.")] = WallMode.shared,
    workers: WorkersOption = None,
    out: OutOption = None,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Show where a strategy's points come from, what its discards cost, which calls it takes, and its habits."""
    table = field_of(strategy, field)
    data = {
        "name": experiment_name("profile", *table.names),
        "seed": seed,
        "wall_mode": wall_mode.value,
        "walls": -(-deals // table.seatings),
        "presets": preset_choices([preset], knobs),
        "line_ups": [table.line_up],
    }
    with played(data, out=out, workers=workers) as result:
        habits = count_habits(result, table.names[0], workers)
        report = make_report(result, table.names[0], habits)
        print_reports([report], form)
        if page is not None:
            report_too(page, result, out, _make_page(result, table.names[0], habits, report))


def profiled(plan: Plan) -> str | None:
    """Tell whose profile a run was played for, by the name that this command gives its runs.

    Parameters
    ----------
    plan
        The plan of any run.

    Returns
    -------
    str or None
        The strategy; None if this command did not play it.
    """
    if len(plan.cells) != 1:
        return None
    names = dict.fromkeys(plan.cells[0].strategies)
    return next(iter(names)) if plan.name == experiment_name("profile", *names) else None


def report_again(result: Result, name: str) -> Page:
    """Make the page of a profile out of its folder, by playing its deals again.

    Parameters
    ----------
    result
        A run of this command, finished or not.
    name
        The strategy, from `profiled`.

    Returns
    -------
    Page
        The page that the command wrote; that of any run, with a warning, if the engine or a strategy has changed.
    """
    from sim.errors import BloodBattleError
    from sim.tournament.replay import replay_of_run

    try:
        replay_of_run(result, "0.0.0")
    except BloodBattleError as error:
        from reports.runs import report_run

        page = report_run(result)
        page.warnings.append(f"This profile is without discards, calls, exchange and void suit: {error}.")
        return page
    habits = count_habits(result, name)
    return _make_page(result, name, habits, make_report(result, name, habits))


def _make_page(result: Result, name: str, habits: HabitBlocks, printed: Report) -> Page:
    """Make the page of a profile: what is printed, and the report of its run."""
    from reports.habits import report_profile

    return report_profile(result, name, habits, printed.grids[1:], printed.notes)


def count_habits(result: Result, name: str, workers: int | None = None) -> HabitBlocks:
    """Replay all deals of a run that have been played, and count what a strategy does.

    Parameters
    ----------
    result
        A run of one cell.
    name
        The strategy.
    workers
        Threads; all cores when absent. Blocks are added in order, so the result is the same for any number.
    """
    from joblib import Parallel, delayed

    from sim.rng import wall_seed_of
    from sim.statistics.habit_blocks import HabitBlocks
    from sim.statistics.habits import Habits
    from sim.tournament.defaults import count_cores
    from sim.tournament.progress import make_progress
    from sim.tournament.replay import replay_deal
    from strategies.registry import load_strategy

    (cell,) = result.plan.cells
    setup = result.deal_setup("0.0.0")
    slots = [load_strategy(called) for called in setup.strategies]

    def count(wall: int) -> Habits:
        block = Habits()
        for seating in cell.seatings:
            seed = wall_seed_of(setup.seed, wall)
            block.add(replay_deal(setup.preset, slots, seed, seating, setup.wall_mode).events, name)
        return block

    chunks = sorted((entry.chunk for entry in result.folder.ledger.entries()), key=lambda chunk: chunk.first_wall)
    walls = [chunk.first_wall + place for chunk in chunks for place in range(chunk.walls)]
    found = HabitBlocks()
    pool = Parallel(n_jobs=workers or count_cores(), backend="threading", return_as="generator")
    with make_progress(len(walls) * len(cell.seatings), 0, show=None) as shown:
        for block in pool(delayed(count)(wall) for wall in walls):
            found.add(block)
            shown.advance(len(cell.seatings))
    return found


def make_report(result: Result, name: str, blocks: HabitBlocks) -> Report:
    """Report on a strategy.

    Parameters
    ----------
    result
        A finished run of one cell.
    name
        The strategy.
    blocks
        What was counted in its deals.
    """
    (cell,) = result.numbers.cells
    part = next(part for part in cell.strategies if part.name == name)
    points = _points(part.metrics)
    habits = blocks.habits
    report = Report(title_of(result.plan, f"{name} in {cell.cell.line_up}, {count_of(cell.deals, 'deal')}"))
    report.grids = [
        _points_grid(points),
        _discard_grid(blocks),
        _riskiest_grid(blocks),
        _call_grid(blocks),
        _choice_grid(blocks),
    ]
    report.notes = [
        "deal-in: a discard on which somebody won; cost: points paid for these, for each 100 discards of the class",
        "calls are counted at every decision at which they were possible and nothing higher was chosen",
        f"riskiest: the ranks and kinds most often won on, of those discarded at least {LEAST_DISCARDS} times",
        (
            "± is half of a 95 % interval over walls, none where all walls are alike; in brackets, of 0 % and of 100 %:"
            " up to or down to which share is possible (95 %, Clopper and Pearson, as if all of these were independent)"
        ),
    ]
    risks = {"turn": habits.by_turn, "rank": habits.by_rank, "void": habits.by_void, "own": habits.by_own}
    report.data = {
        "strategy": name,
        "line_up": cell.cell.line_up,
        "preset": cell.cell.preset,
        "deals": cell.deals,
        "points": {cause: [_number(item) for item in items] for cause, items in points.items()},
        "discards": {
            key: {label: _risk(blocks, key, label, risk) for label, risk in group.items()}
            for key, group in risks.items()
        },
        "riskiest": {
            situation: [{"class": label, **_number(rate)} for label, rate in found]
            for situation, found in _riskiest(blocks).items()
        },
        "calls": {
            key: {**asdict(chances), "rate": _number(blocks.estimate("call", key))}
            for key, chances in habits.calls.items()
        },
        "exchange": {
            "exchanges": habits.exchanges,
            "of_later_void_suit": habits.given_void,
            "whole_suit": habits.given_all,
            "with_equal_tiles": habits.given_pair,
            "rates": {key: _number(blocks.estimate("exchange", key)) for key in ("void", "all", "pair")},
        },
        "void_suit": {
            "chosen": {suit: habits.void_suits[suit] for suit in "mps"},
            "fewest": habits.void_fewest,
            "tiles_held": {str(held): count for held, count in sorted(habits.void_held.items())},
            "pigs": habits.pigs,
            "rates": {key: _number(blocks.estimate("void suit", key)) for key in (*"mps", "fewest", "held", "pigs")},
        },
    }
    report.records = [
        {"what": what, "class": label, "count": rate.numerator, "of": rate.denominator, **_number(rate)}
        for what, label, rate in _rows(blocks)
    ]
    return report


def _points(metrics: Mapping[str, Estimate]) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """Give what is gained, paid and left for each cause, and in all."""
    from sim.tournament.quantities import GAINED, NET, PAID, causes_of

    return {
        cause: (metrics[GAINED + cause], metrics[PAID + cause], metrics[NET + cause]) for cause in causes_of(metrics)
    } | {"all": (metrics["points"],) * 3}


def _points_grid(points: Mapping[str, tuple[Estimate, Estimate, Estimate]]) -> Grid:
    """Tabulate where points come from and go to."""
    from sim.statistics.tables import Grid, show_interval, show_signed

    rows = []
    for cause, (gained, paid, left) in points.items():
        if cause == "all":
            rows.append(("all together", "", "", show_interval(left)))
        elif gained.value or paid.value:
            numbers = (show_signed(gained.value or 0.0, 3), show_signed(-(paid.value or 0.0), 3))
            rows.append((cause.replace("_", " "), *numbers, show_interval(left)))
    return Grid("Points per deal by cause", ("", "gained", "paid", "left"), tuple(rows))


def _discard_grid(blocks: HabitBlocks) -> Grid:
    """Tabulate what discards cost, by several classes."""
    from sim.statistics.tables import Grid

    def row(group: str, label: str, risk: Risk) -> tuple[str, ...]:
        rate, cost = blocks.estimate("rate", group, label), blocks.estimate("cost", group, label)
        counts = (f"{risk.discards:,}", f"{risk.dealt_in:,}")
        return (f"  {label}", *counts, _percent(rate, 2, blocks.bounds("rate", group, label)), _show(cost, 2))

    habits = blocks.habits
    rows: list[tuple[str, ...]] = [row("all", "all", habits.all_discards)]
    groups = (
        ("own discard number", "turn", habits.by_turn, False),
        ("rank, the riskiest first", "rank", habits.by_rank, True),
        ("void suit of how many active opponents", "void", habits.by_void, False),
        ("own void suit", "own", habits.by_own, False),
    )
    for heading, group, classes, is_sorted in groups:
        items = list(classes.items())
        if is_sorted:
            items.sort(key=lambda item: -item[1].dealt_in / max(item[1].discards, 1))
        rows += [(heading,), *(row(group, label, risk) for label, risk in items)]
    return Grid("Discards", ("", "discards", "deal-ins", "rate", "cost of 100"), tuple(rows))


def _riskiest(blocks: HabitBlocks) -> dict[str, list[tuple[str, Estimate]]]:
    """Give the riskiest ranks by situation, and the riskiest kinds."""
    from sim.statistics.habits import RANK_CLASSES, TURN_CLASSES, VOID_CLASSES

    found = {
        f"discard {name}": blocks.riskiest(f"turn, {name}", RANK_CLASSES, LEAST_DISCARDS) for _, name in TURN_CLASSES
    }
    for name in VOID_CLASSES:
        found[f"suit void for {name}"] = blocks.riskiest(f"void, {name}", RANK_CLASSES, LEAST_DISCARDS)
    found["any"] = blocks.riskiest("kind", list(blocks.habits.by_kind), LEAST_DISCARDS)
    return found


def _riskiest_grid(blocks: HabitBlocks) -> Grid:
    """Tabulate the riskiest discards of each situation."""
    from sim.statistics.tables import Grid

    rows: list[tuple[str, ...]] = []
    for situation, found in _riskiest(blocks).items():
        group = (
            "kind" if situation == "any" else situation.replace("discard ", "turn, ").replace("suit void for", "void,")
        )
        cells = [f"{label}: {_percent(rate, 1, blocks.bounds('rate', group, label))}" for label, rate in found[:3]]
        rows.append((f"  {situation}", *cells, *[""] * (3 - len(cells))))
    rows.insert(len(rows) - 1, ("kinds",))
    rows.insert(0, ("ranks",))
    return Grid("Riskiest discards", ("", "first", "second", "third"), tuple(rows))


def _call_grid(blocks: HabitBlocks) -> Grid:
    """Tabulate calls."""
    from sim.statistics.tables import Grid

    rows = [
        (
            name,
            f"{item.could:,}",
            f"{item.did:,}",
            f"{item.could - item.did:,}",
            _percent(blocks.estimate("call", name), 1, blocks.bounds("call", name)),
        )
        for name, item in blocks.habits.calls.items()
    ]
    return Grid("Calls", ("", "possible", "taken", "missed", "share taken"), tuple(rows))


def _choice_grid(blocks: HabitBlocks) -> Grid:
    """Tabulate exchange and void suit."""
    from sim.statistics.tables import Grid

    def part(label: str, *of: str) -> tuple[str, ...]:
        return (label, _percent(blocks.estimate(*of), 1, blocks.bounds(*of)), "")

    rows: list[tuple[str, ...]] = []
    if blocks.habits.exchanges:
        rows += [
            part("exchange: tiles of the suit then void", "exchange", "void"),
            part("exchange: gives away a whole suit", "exchange", "all"),
            part("exchange: equal tiles among those given", "exchange", "pair"),
        ]
    rows += [part(f"void suit {suit}", "void suit", suit) for suit in "mps"]
    rows += [
        part("void suit: no other suit has fewer tiles", "void suit", "fewest"),
        ("void suit: tiles of it held when chosen", "", _show(blocks.estimate("void suit", "held"), 2)),
        part("flower pig at exhaustion, of all deals", "void suit", "pigs"),
    ]
    return Grid("Exchange and void suit", ("", "share", "tiles"), tuple(rows))


def _percent(estimate: Estimate, digits: int, bounds: tuple[float, float] | None = None) -> str:
    """Write a share as a percentage, with its interval, or with how far it can be from 0 or 1."""
    shown = _show(estimate, digits, 100, "%")
    if bounds is None:
        return shown
    end = f"to {100 * bounds[1]:.{digits}f}" if bounds[0] == 0 else f"from {100 * bounds[0]:.{digits}f}"
    return f"{shown} ({end})"


def _show(estimate: Estimate, digits: int, factor: int = 1, unit: str = "") -> str:
    """Write an estimate with its interval."""
    from sim.statistics.tables import NOTHING

    if estimate.value is None:
        return NOTHING
    half = "" if estimate.half_width is None else f" ± {factor * estimate.half_width:.{digits}f}"
    return f"{factor * estimate.value:.{digits}f}{unit}{half}"


def _risk(blocks: HabitBlocks, group: str, label: str, risk: Risk) -> dict[str, Any]:
    """Give a class of discards as plain data."""
    rate, cost = blocks.estimate("rate", group, label), blocks.estimate("cost", group, label)
    return {**asdict(risk), "rate": _number(rate), "cost_of_100": _number(cost)}


def _rows(blocks: HabitBlocks) -> Iterable[tuple[str, str, Estimate]]:
    """Give all shares as rows: what, which class, its estimate."""
    for group, label, _ in blocks.habits.risks():
        yield f"deal-ins by {group}", label, blocks.estimate("rate", group, label)
    for name in blocks.habits.calls:
        yield "calls taken", name, blocks.estimate("call", name)
    for suit in "mps":
        yield "void suit", suit, blocks.estimate("void suit", suit)


def _number(estimate: Estimate) -> dict[str, Any]:
    """Give an estimate as plain data."""
    from sim.statistics.estimate import round_off

    return {"value": round_off(estimate.value), "half_width": round_off(estimate.half_width)}
