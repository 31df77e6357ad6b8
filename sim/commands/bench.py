"""`bloodbattle bench`: how fast this machine plays."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def bench(
    line_ups: Annotated[
        list[str] | None, typer.Argument(metavar="[STRATEGY]...", help="Strategies to time in self-play.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600, help="How long each strategy is timed, in seconds.")] = 6,
    memory: Annotated[
        list[int] | None,
        typer.Option(help="Also measure the peak memory of runs of so many walls (repeat to compare)."),
    ] = None,
    starts: Annotated[bool, typer.Option(help="Measure cold compile, warm start and help.")] = True,
    ways: Annotated[
        bool, typer.Option("--ways", help="Instead, what a decision costs in each way of writing a strategy.")
    ] = False,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Instead, the ladder's loop against the engine alone, in turns.")
    ] = False,
    settled: Annotated[
        bool, typer.Option("--settled", help="Instead, cells settled again beside played ones, in turns.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure deals per second on one core, start-up times and peak memory."""
    if ways:
        _show_ways(seconds, as_json=as_json)
        return
    if ladder:
        _show_ladder(seconds, as_json=as_json)
        return
    if settled:
        _show_settled(seconds, as_json=as_json)
        return
    from sim.tournament.benchmark import LINE_UPS, PRESET, measure_memory, measure_starts, time_line_ups
    from strategies.registry import load_strategy

    names = line_ups or list(LINE_UPS)
    for name in names:
        load_strategy(name)
    rates = []
    if not as_json:
        typer.echo(f"preset {PRESET}, one core, best of three; a loop = 50 million dependent integer steps")
        typer.echo(f"{'line-up':<20}{'deals/s':>12}{'deals/loop':>12}")
    for rate in time_line_ups(names, seconds):
        rates.append(rate)
        if not as_json:
            typer.echo(f"{rate['line_up']:<20}{rate['deals_per_second']:>12,}{rate['deals_per_loop']:>12,}")
    times = measure_starts() if starts else {}
    peaks = measure_memory(memory) if memory else measure_memory([100_000]) if starts else {}
    if as_json:
        typer.echo(json.dumps({"preset": PRESET, "rates": rates, "seconds": times, "peak_mib": peaks}, indent=2))
        return
    words = {"cold_compile": "cold compile and first run", "warm_start": "warm start to result", "help": "--help"}
    for key, value in times.items():
        typer.echo(f"{words[key]:<32}{value:>8.2f} s")
    for walls, peak in peaks.items():
        typer.echo(f"{f'peak memory, {int(walls):,} walls':<32}{peak:>8,} MiB")


def _show_ladder(seconds: float, *, as_json: bool) -> None:
    """Time the ladder against the engine."""
    from dataclasses import asdict

    from sim.ladder.benchmark import PLAYERS, PRESET, time_ladder

    found = time_ladder(seconds / 3)
    if as_json:
        typer.echo(json.dumps({"preset": PRESET, "speeds": [asdict(speed) for speed in found]}, indent=2))
        return
    typer.echo(f"preset {PRESET}, {PLAYERS:,} players, one core, processor time, timed in turns")
    typer.echo(f"{'':<34}{'deals/s':>10}{'to engine':>11}")
    for speed in found:
        typer.echo(f"{speed.what:<34}{speed.deals_per_second:>10,.0f}{speed.to_engine:>11.2f}")


def _show_settled(seconds: float, *, as_json: bool) -> None:
    """Time cells that are settled again."""
    from dataclasses import asdict

    from sim.commands.bench_settled import PLAYERS, PRESET, time_settled

    found = time_settled(seconds)
    if as_json:
        typer.echo(json.dumps({"preset": PRESET, "cells": [asdict(cost) for cost in found]}, indent=2))
        return
    typer.echo(
        f"preset {PRESET}, self-play of {PLAYERS}, caps of 5 to 14, sums kept, one core, processor time, in turns"
    )
    typer.echo(f"{'':<42}{'µs/deal':>9}{'to played':>11}")
    for cost in found:
        typer.echo(f"{cost.what:<42}{cost.microseconds:>9.2f}{cost.to_played:>11.2f}")


def _show_ways(seconds: float, *, as_json: bool) -> None:
    """Time the ways of writing a strategy."""
    from dataclasses import asdict

    from sim.tournament.ways import PRESET, time_ways

    found = time_ways(seconds)
    if as_json:
        typer.echo(json.dumps({"preset": PRESET, "ways": [asdict(way) for way in found]}, indent=2))
        return
    typer.echo(f"preset {PRESET}, self-play, one core, processor time, timed in turns; whole deals counted")
    typer.echo(f"{'':<22}{'decisions/deal':>15}{'ns/decision':>13}{'deals/s':>10}{'to native':>11}")
    for way in found:
        typer.echo(
            f"{f'{way.what}, {way.way}':<22}{way.decisions:>15.1f}{way.nanoseconds:>13,.0f}"
            f"{way.deals_per_second:>10,.0f}{way.to_native:>10.1f}x"
        )
