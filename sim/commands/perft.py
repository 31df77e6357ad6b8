"""`bloodbattle perft`: game trees counted, by first choice."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.errors import ConfigError


def perft(
    preset: Annotated[str, typer.Option(help="A preset's name or file.")] = "mahjong-planet",
    wall_seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="The wall seed.")] = 1,
    depth: Annotated[int, typer.Option(min=1, max=64, help="Answers to count.")] = 3,
    tiles_left: Annotated[
        int | None,
        typer.Option(min=0, max=55, help="Play first, up to a turn with so few tiles left; 55 is the dealer's first."),
    ] = None,
    strategy: Annotated[str, typer.Option(help="Who plays up to there.")] = "random",
    wall_mode: Annotated[str, typer.Option(help="shared or per_seat.")] = "shared",
    knobs: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override a knob (repeat for more).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list, one object a first choice.")] = False,
) -> None:
    """Count decisions, ended deals and their points below a state: equal counts mean equal rules.

    Trees grow about tenfold with each answer at the start of a deal, and end by themselves with few tiles left.
    """
    from functools import partial

    from sim.commands.waiting import wait_for
    from sim.engine.sichuan.deal import WALL_MODES
    from sim.engine.sichuan.table import DECISIONS
    from sim.engine.sichuan.tree import perft as count
    from sim.rules import load_preset, parse_sets
    from sim.rules.compile import compile_rules
    from strategies.registry import load_strategy

    if wall_mode not in WALL_MODES:
        raise ConfigError(f"unknown --wall-mode {wall_mode!r}; allowed: {', '.join(WALL_MODES)}")
    chosen = load_preset(preset, parse_sets(knobs or []))
    players = [load_strategy(strategy)] * 4
    branches = wait_for(partial(count, compile_rules(chosen), players, wall_seed, depth, tiles_left, wall_mode))
    if not branches:
        raise ConfigError("the deal ended before that: try another --wall-seed, or more --tiles-left")
    if as_json:
        typer.echo(json.dumps([branch._asdict() for branch in branches]))
        return
    first = branches[0]
    typer.echo(f"preset {chosen.name}, wall seed {wall_seed}, wall mode {wall_mode}, {strategy} up to here")
    typer.echo(f"seat {first.seat} decides: {DECISIONS[first.decision]}; answers counted: up to {depth}")
    typer.echo(f"{'choice':>14}{'leaves':>14}{'decisions':>14}{'ends':>12}   points of seats 0 to 3 over the ends")
    for branch in branches:
        words = _choice(branch.decision, branch.action, chosen.exchange.count)
        typer.echo(_row(words, branch.leaves, branch.decisions, branch.ends, branch.points))
    totals = [sum(getattr(branch, name) for branch in branches) for name in ("leaves", "decisions", "ends")]
    points = tuple(sum(branch.points[seat] for branch in branches) for seat in range(4))
    typer.echo(_row("all", totals[0], totals[1], totals[2], points))


def _choice(decision: int, action: int, count: int) -> str:
    """Return a first choice in words."""
    from sim.engine.sichuan.table import EXCHANGE, VOID_SUIT
    from sim.tiles import SUIT_LETTERS
    from sim.tournament.events import describe_action, unpack_exchange

    if decision == EXCHANGE:
        return f"give {unpack_exchange(action, count)}"
    return f"void {SUIT_LETTERS[action]}" if decision == VOID_SUIT else describe_action(action)


def _row(name: str, leaves: int, decisions: int, ends: int, points: tuple[int, ...]) -> str:
    """Return one line of the table."""
    return f"{name:>14}{leaves:>14,}{decisions:>14,}{ends:>12,}   {', '.join(f'{seat:+,}' for seat in points)}"
