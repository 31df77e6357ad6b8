"""`bloodbattle worst`: the deals that cost a strategy most, and how to replay each."""

from __future__ import annotations

import shlex
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
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sim.api import Result
    from sim.statistics.worst import CostlyDeal


def worst(
    strategy: Annotated[str, typer.Argument(metavar="A", help="The strategy.")],
    field: Annotated[
        str, typer.Option(metavar="B", help="Who else sits at the table: one strategy, or three by commas.")
    ] = "ukeire",
    preset: Annotated[str, typer.Option(help="A preset's name or file.")] = DEFAULT_PRESET,
    knobs: SetOption = None,
    deals: Annotated[int, typer.Option(min=1, help="Deals to play, rounded up to whole walls.")] = 10_000,
    show: Annotated[int, typer.Option(min=1, help="Deals to show.")] = 10,
    seed: SeedOption = 1,
    wall_mode: Annotated[WallMode, typer.Option(help="What players draw from.")] = WallMode.shared,
    workers: WorkersOption = None,
    out: OutOption = None,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Show the deals that cost a strategy most, with the command that replays each."""
    from sim.statistics.worst import find_worst

    table = field_of(strategy, field)
    data = {
        "name": experiment_name("worst", *table.names),
        "seed": seed,
        "wall_mode": wall_mode.value,
        "walls": -(-deals // table.seatings),
        "presets": preset_choices([preset], knobs),
        "line_ups": [table.line_up],
    }
    with played(data, out=out, workers=workers) as result:
        found = find_worst(result, table.names[0], show)
        commands = [
            _command_of_run(out, deal) if out is not None else _command(deal, preset, knobs, wall_mode, table.slots)
            for deal in found
        ]
        print_reports([_report(result, table.names[0], found, commands)], form)
        if page is not None:
            from reports.runs import report_run

            report_too(page, result, out, report_run(result, [table.names[0]], show))


def _command_of_run(folder: Path, deal: CostlyDeal) -> str:
    """Give the command that replays a deal of a run that is kept."""
    return f"bloodbattle deal {shlex.quote(str(folder))} {deal.deal}"


def _command(
    deal: CostlyDeal, preset: str, knobs: Sequence[str] | None, wall_mode: WallMode, slots: Sequence[str]
) -> str:
    """Give the command that replays a deal by its identity."""
    words = ["bloodbattle", "deal", "--preset", preset]
    for knob in knobs or ():
        words += ["--set", knob]
    if wall_mode is not WallMode.shared:
        words += ["--wall-mode", wall_mode.value]
    words += ["--wall-seed", str(deal.wall_seed), "--strategies", ",".join(slots)]
    words += ["--seating", "".join(str(slot) for slot in deal.seating)]
    return shlex.join(words)


def _report(result: Result, name: str, found: Sequence[CostlyDeal], commands: Sequence[str]) -> Report:
    """Write down what was found."""
    from sim.statistics.tables import Grid, show_signed

    rows = []
    for number, deal in enumerate(found, start=1):
        won = f"{deal.win_order}, value {deal.value}" if deal.win_order else ""
        rows.append(
            (
                str(number),
                str(deal.deal),
                str(deal.seat),
                show_signed(deal.points, 0),
                won,
                str(deal.deal_ins or ""),
                _causes(deal.paid),
            )
        )
    head = ("", "deal", "seat", "points", "won", "deal-ins", "paid")
    grid = Grid("The deals that cost most", head, tuple(rows), left=(0, 6))
    line_up = result.plan.cells[0].line_up
    report = Report(
        title_of(result.plan, f"{name} in {line_up}, {count_of(result.numbers.deals, 'deal')}"),
        [grid],
        [
            "points are net, gained less paid in the whole deal; paid: points by cause, the dearest first",
            "to replay each of them, in the same order:",
        ],
        list(commands),
    )
    records: list[dict[str, Any]] = [
        {
            "deal": str(deal.deal),
            "wall_seed": deal.wall_seed,
            "seat": deal.seat,
            "seating": "".join(str(slot) for slot in deal.seating),
            "points": deal.points,
            "paid": sum(deal.paid.values()),
            "gained": sum(deal.gained.values()),
            "deal_ins": deal.deal_ins,
            "win_order": deal.win_order,
            "value": deal.value,
            "replay": command,
        }
        for deal, command in zip(found, commands, strict=True)
    ]
    report.records = [*records]
    report.data = {
        "strategy": name,
        "line_up": line_up,
        "preset": result.plan.presets[0]["name"],
        "deals": result.numbers.deals,
        "worst": [
            {**record, "paid_for": dict(deal.paid), "gained_for": dict(deal.gained)}
            for record, deal in zip(records, found, strict=True)
        ],
    }
    return report


def _causes(paid: Mapping[str, int]) -> str:
    """Name what was paid for, the dearest first."""
    ordered = sorted(paid.items(), key=lambda item: -item[1])
    return ", ".join(f"{cause.replace('_', ' ')} {amount}" for cause, amount in ordered)
