"""`bloodbattle perft`: game trees counted, by first choice."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sim.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.engine.sichuan.tree import Branch

ENOUGH: Final = 300_000
"""States of a smaller depth from which the size of the whole tree is estimated."""
LONG: Final = 20.0
"""Seconds that are worth a warning."""


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

    from sim import jit
    from sim.commands.run import say
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
    if jit.IS_COLD:
        say("compiling the engine, once: about 20 s")
    rules = compile_rules(chosen)
    branches = _count(partial(count, rules, players, wall_seed, tiles_left=tiles_left, wall_mode=wall_mode), depth, say)
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


def _count(count: Callable[[int], list[Branch]], depth: int, say: Callable[[str], None]) -> list[Branch]:
    """Count a tree; depth by depth up to a good number of states, so as to warn of a tree that is too large."""
    from functools import partial

    from sim.commands.waiting import wait_for

    states: list[int] = []
    while True:
        looked = len(states) + 1
        started = time.monotonic()
        branches = wait_for(partial(count, looked))
        leaves = sum(branch.leaves for branch in branches)
        states.append(sum(branch.leaves + branch.decisions + branch.ends for branch in branches))
        if looked == depth or leaves == 0:  # without leaves all deals have ended, and greater depths count the same
            return branches
        if states[-1] >= ENOUGH:
            break
    expected = estimate_states(states, depth)
    seconds = expected / states[-1] * (time.monotonic() - started)
    if seconds > LONG:
        say(
            f"depth {looked} has {states[-1]:,} states; depth {depth}, if it goes on growing so, about "
            f"{show_large(expected)}: about {show_time(seconds)}; Ctrl-C ends it"
        )
    return wait_for(partial(count, depth))


def estimate_states(states: Sequence[int], depth: int) -> float:
    """Estimate how many states a tree has, from the counts of smaller depths.

    Parameters
    ----------
    states
        States counted at depths 1, 2, 3 and so on; at least one.
    depth
        Depth of the whole tree.

    Returns
    -------
    float
        The last count, grown by the mean factor of the last four steps (a turn and the claims on it) for each further
        answer.

    Examples
    --------
    >>> estimate_states([10, 100, 1000], 5)
    100000.0
    """
    steps = min(4, len(states) - 1)
    factor = (states[-1] / states[-1 - steps]) ** (1 / steps) if steps else float(states[-1])
    return float(states[-1] * factor ** (depth - len(states)))


def show_large(number: float) -> str:
    """Write a number for a reader: in full up to a billion, then as a power of ten.

    Parameters
    ----------
    number
        0 or more.

    Examples
    --------
    >>> show_large(1_234_567.8), show_large(3.2e17)
    ('1,234,568', '3e17')
    """
    if number < 1e9:
        return f"{number:,.0f}"
    digit, exponent = f"{number:.0e}".split("e")
    return f"{digit}e{int(exponent)}"


def show_time(seconds: float) -> str:
    """Write a time for a reader, in the largest unit that it fills.

    Parameters
    ----------
    seconds
        How long.

    Examples
    --------
    >>> show_time(90), show_time(9_000), show_time(1e15)
    ('90 seconds', '150 minutes', '31,688,088 years')
    """
    for unit, length, enough in (
        ("years", 31_557_600, 2),
        ("days", 86_400, 3),
        ("hours", 3_600, 3),
        ("minutes", 60, 2),
    ):
        if seconds >= enough * length:
            return f"{show_large(seconds / length)} {unit}"
    return f"{seconds:.0f} seconds"


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
