"""`bloodbattle strategies`: the strategies there are, a file to start a new one from, tests for any."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sim.errors import StrategyError

app = typer.Typer(no_args_is_help=True, help="List, start and test strategies.")


class Kind(StrEnum):
    """Ways of writing a strategy."""

    native = "native"
    python = "python"
    batch = "batch"


@app.command("list")
def show() -> None:
    """List the strategies that come with the program, weakest first, and their parameters."""
    from strategies.parameters import read_declared
    from strategies.sources import SHIPPED, find_source

    for name in SHIPPED:
        about, declared = read_declared(find_source(name))
        typer.echo(f"{name:<14}{about}")
        for parameter in declared:
            typer.echo(
                f"{'':<16}{parameter.name} = {parameter.default:g} ({parameter.low:g} to {parameter.high:g}):"
                f" {parameter.meaning}"
            )


@app.command("new")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the strategy, and of its file.")],
    kind: Annotated[Kind, typer.Option(help="Compiled functions, a Python class, or one over arrays.")] = Kind.native,
    folder: Annotated[Path, typer.Option("--in", metavar="DIR", help="Where to write it.")] = Path(),
) -> None:
    """Write a complete strategy to start from: NAME.py, which plays as it is."""
    from strategies.scaffold import create as write

    path = write(name, kind.value, folder)
    typer.echo(f"{path} written; it plays as it is:")
    typer.echo(f"  bloodbattle deal --preset mahjong-planet --wall-seed 1 --strategies {path},ukeire,ukeire,ukeire")
    typer.echo(f"  bloodbattle strategies test {path}")


@app.command("test")
def check(
    reference: Annotated[
        str, typer.Argument(metavar="STRATEGY", help="A file, file.py:NAME, or a shipped strategy's name.")
    ],
    walls: Annotated[int, typer.Option(min=4, max=100_000, help="Walls for each preset.")] = 24,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the walls.")] = 1,
    answer_limit: Annotated[
        float, typer.Option(min=0, help="Most seconds that one answer may take; 0 for any time.")
    ] = 1.0,
) -> None:
    """Test what every strategy must keep: legal under every preset, reproducible, fair, in time, no state kept."""
    from strategies.contract import Contract
    from strategies.registry import load_strategy

    strategy = load_strategy(reference)
    typer.echo(f"{strategy.name}: {strategy.kind} strategy of {strategy.source}")
    failed = 0
    for finding in Contract(strategy, reference, walls=walls, seed=seed, answer_limit=answer_limit).run():
        if finding.fault is None:
            typer.echo(f"ok    {finding.test}: {finding.facts}")
            continue
        failed += 1
        typer.echo(f"FAIL  {finding.test}: {finding.fault}")
        if finding.replay:
            typer.echo(f"      replay: {finding.replay}")
    if failed:
        raise StrategyError(f"{strategy.name}: {failed} of the tests failed")
