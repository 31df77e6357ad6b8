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
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sim.api import Result
    from sim.statistics.estimate import Estimate
    from sim.statistics.habits import Habits, Risk
    from sim.statistics.tables import Grid


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
        habits = count_habits(result, table.names[0])
        print_reports([make_report(result, table.names[0], habits)], form)


def count_habits(result: Result, name: str) -> Habits:
    """Replay all deals of a run, and count what a strategy does.

    Parameters
    ----------
    result
        A run of one cell.
    name
        The strategy.
    """
    from sim.rng import wall_seed_of
    from sim.statistics.habits import Habits
    from sim.tournament.progress import make_progress
    from sim.tournament.replay import replay_deal
    from strategies.registry import load_strategy

    (cell,) = result.plan.cells
    setup = result.deal_setup("0.0.0")
    slots = [load_strategy(called) for called in setup.strategies]
    habits = Habits()
    with make_progress(cell.deals, 0, show=None) as shown:
        for wall in range(cell.walls):
            seed = wall_seed_of(setup.seed, wall)
            for seating in cell.seatings:
                habits.add(replay_deal(setup.preset, slots, seed, seating, setup.wall_mode).events, name)
            shown.advance(len(cell.seatings))
    return habits


def make_report(result: Result, name: str, habits: Habits) -> Report:
    """Report on a strategy.

    Parameters
    ----------
    result
        A finished run of one cell.
    name
        The strategy.
    habits
        What was counted in its deals.
    """
    (cell,) = result.numbers.cells
    part = next(part for part in cell.strategies if part.name == name)
    points = _points(part.metrics)
    report = Report(title_of(result.plan, f"{name} in {cell.cell.line_up}, {count_of(cell.deals, 'deal')}"))
    report.grids = [_points_grid(points), _discard_grid(habits), _call_grid(habits), _choice_grid(habits)]
    report.notes = [
        "deal-in: a discard on which somebody won; cost: points paid for these, for each 100 discards of the class",
        "calls are counted at every decision at which they were possible and nothing higher was chosen",
        "± is half of a 95 % interval over walls; counts have none",
    ]
    risks = {"turn": habits.by_turn, "rank": habits.by_rank, "void": habits.by_void, "own": habits.by_own}
    report.data = {
        "strategy": name,
        "line_up": cell.cell.line_up,
        "preset": cell.cell.preset,
        "deals": cell.deals,
        "points": {cause: [_number(item) for item in items] for cause, items in points.items()},
        "discards": {key: {label: asdict(risk) for label, risk in group.items()} for key, group in risks.items()},
        "calls": {key: asdict(chances) for key, chances in habits.calls.items()},
        "exchange": {
            "exchanges": habits.exchanges,
            "of_later_void_suit": habits.given_void,
            "whole_suit": habits.given_all,
            "with_equal_tiles": habits.given_pair,
        },
        "void_suit": {
            "chosen": {suit: habits.void_suits[suit] for suit in "mps"},
            "fewest": habits.void_fewest,
            "tiles_held": {str(held): count for held, count in sorted(habits.void_held.items())},
            "pigs": habits.pigs,
        },
    }
    report.records = [
        {"what": what, "class": label, "count": count, "of": of} for what, label, count, of in _rows(habits)
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


def _discard_grid(habits: Habits) -> Grid:
    """Tabulate what discards cost, by several classes."""
    from sim.statistics.tables import NOTHING, Grid

    def row(label: str, risk: Risk) -> tuple[str, ...]:
        if not risk.discards:
            return (f"  {label}", "0", "0", NOTHING, NOTHING)
        rate, cost = 100 * risk.dealt_in / risk.discards, 100 * risk.points / risk.discards
        return (f"  {label}", f"{risk.discards:,}", f"{risk.dealt_in:,}", f"{rate:.2f}%", f"{cost:.2f}")

    rows: list[tuple[str, ...]] = [row("all", habits.all_discards)]
    groups = (
        ("own discard number", habits.by_turn, False),
        ("rank, the riskiest first", habits.by_rank, True),
        ("void suit of how many active opponents", habits.by_void, False),
        ("own void suit", habits.by_own, False),
    )
    for heading, group, is_sorted in groups:
        items = list(group.items())
        if is_sorted:
            items.sort(key=lambda item: -item[1].dealt_in / max(item[1].discards, 1))
        rows += [(heading,), *(row(label, risk) for label, risk in items)]
    return Grid("Discards", ("", "discards", "deal-ins", "rate", "cost of 100"), tuple(rows))


def _call_grid(habits: Habits) -> Grid:
    """Tabulate calls."""
    from sim.statistics.tables import Grid

    rows = [
        (name, f"{item.could:,}", f"{item.did:,}", f"{item.could - item.did:,}", _share(item.did, item.could))
        for name, item in habits.calls.items()
    ]
    return Grid("Calls", ("", "possible", "taken", "missed", "taken"), tuple(rows))


def _choice_grid(habits: Habits) -> Grid:
    """Tabulate exchange and void suit."""
    from sim.statistics.tables import Grid

    times = sum(habits.void_suits.values())
    rows: list[tuple[str, ...]] = []
    if habits.exchanges:
        rows += [
            ("exchange: tiles of the suit then void", _share(habits.given_void, habits.exchanges)),
            ("exchange: gives away a whole suit", _share(habits.given_all, habits.exchanges)),
            ("exchange: equal tiles among those given", _share(habits.given_pair, habits.exchanges)),
        ]
    rows += [(f"void suit {suit}", _share(habits.void_suits[suit], times)) for suit in "mps"]
    held = sum(count * tiles for tiles, count in habits.void_held.items())
    rows += [
        ("void suit: no other suit has fewer tiles", _share(habits.void_fewest, times)),
        ("void suit: tiles of it held when chosen", f"{held / times:.2f}" if times else ""),
        ("flower pig at exhaustion, of all deals", _share(habits.pigs, habits.deals)),
    ]
    return Grid("Exchange and void suit", ("", "share"), tuple(rows))


def _share(count: int, of: int) -> str:
    """Write a share as a percentage."""
    from sim.statistics.tables import NOTHING

    return f"{100 * count / of:.1f}%" if of else NOTHING


def _rows(habits: Habits) -> Iterable[tuple[str, str, int, int]]:
    """Give all counts as rows: what, which class, how often, of how many."""
    groups = {"turn": habits.by_turn, "rank": habits.by_rank, "void": habits.by_void, "own": habits.by_own}
    for what, group in groups.items():
        for label, risk in group.items():
            yield f"deal-ins by {what}", label, risk.dealt_in, risk.discards
    for name, item in habits.calls.items():
        yield "calls taken", name, item.did, item.could
    for suit in "mps":
        yield "void suit", suit, habits.void_suits[suit], sum(habits.void_suits.values())


def _number(estimate: Estimate) -> dict[str, Any]:
    """Give an estimate as plain data."""
    from sim.statistics.estimate import round_off

    return {"value": round_off(estimate.value), "half_width": round_off(estimate.half_width)}
