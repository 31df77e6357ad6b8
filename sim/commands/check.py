"""`bloodbattle check`: random deals with everything checked after every answer."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.errors import ConfigError, InvariantError
from sim.rules.words import count_of

BATCH = 100
"""Deals checked between two looks at the progress."""


def check(
    presets: Annotated[
        list[str] | None,
        typer.Option("--preset", help="A preset's name or file (repeat for more); all shipped if none."),
    ] = None,
    deals: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="Deals for each preset, wall mode and table.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the walls.")] = 1,
    knobs: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override a knob (repeat for more).")
    ] = None,
) -> None:
    """Play random deals with all invariants checked after every answer: the thing to run after changing a rule."""
    import shlex
    from functools import partial
    from itertools import product

    import numpy as np

    from sim import jit
    from sim.commands.run import say
    from sim.commands.waiting import wait_for
    from sim.engine.sichuan.check import check_deals
    from sim.engine.sichuan.deal import WALL_MODES
    from sim.rng import wall_seed_of
    from sim.rules import available_presets, load_preset, parse_sets
    from sim.rules.compile import compile_rules
    from sim.tournament.progress import make_progress
    from strategies.registry import load_strategy

    names = presets or list(available_presets())
    if not names:
        raise ConfigError("no preset to check")
    overrides = parse_sets(knobs or [])
    tables = [
        ["random"] * 4,
        ["ukeire"] * 4,
        ["isolation", "random", "ukeire", "shanten"],
    ]
    loaded = [load_preset(name, overrides) for name in names]
    seeds = np.array([wall_seed_of(seed, wall) for wall in range(deals)], dtype=np.int64)
    if jit.IS_COLD:
        say("compiling the engine, once: about 20 s")
    lines: list[str] = []
    total = 0
    with make_progress(len(loaded) * len(WALL_MODES) * len(tables) * deals, 0, show=None) as progress:
        for name, preset in zip(names, loaded, strict=True):
            rules = compile_rules(preset)
            for wall_mode, table in product(WALL_MODES, tables):
                players = [load_strategy(player) for player in table]
                for first in range(0, deals, BATCH):
                    batch = seeds[first : first + BATCH]
                    states, fault = wait_for(partial(check_deals, rules, players, batch, wall_mode))
                    total += states
                    progress.advance(len(batch))
                    if fault is not None:
                        options = "".join(f" --set {shlex.quote(text)}" for text in knobs or [])
                        after = count_of(fault.answers, "answer")
                        raise InvariantError(
                            f"preset {preset.name}, after {after}: {'; '.join(fault.faults)}\n"
                            f"replay: bloodbattle deal --preset {shlex.quote(name)} --wall-seed {fault.wall_seed} "
                            f"--wall-mode {wall_mode} --strategies {','.join(table)}{options}"
                        )
            played = count_of(deals * len(tables) * len(WALL_MODES), "deal")
            lines.append(f"{preset.name}: {played}, nothing wrong")
    for line in lines:  # not while the bar is there: it has the terminal
        typer.echo(line)
    typer.echo(f"{total:,} table states checked, nothing wrong")
