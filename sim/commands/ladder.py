"""`bloodbattle ladder`: rating systems, the rating lab, and the search for a parameter that fulfils a wish."""

# ruff: noqa: TC001, TC003 - typer reads annotations when it runs

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.ladder_reports import make_lab_report, make_solve_report
from sim.commands.output import print_reports
from sim.commands.playing import SeedOption
from sim.commands.run import Format, FormatOption

app = typer.Typer(no_args_is_help=True, help="Ranked ladders and their ratings.")


@app.command("systems")
def show_systems() -> None:
    """List the rating systems and their parameters."""
    from sim.ladder.systems import SYSTEMS

    for name, model in SYSTEMS.items():
        typer.echo(f"{name:<16}{model.about}")
        for key, field in model.model_fields.items():
            typer.echo(f"{'':<16}{key} = {field.default:g}: {field.description}")


@app.command("lab")
def compare_on_stream(
    stream: Annotated[
        Path, typer.Argument(metavar="STREAM", help="A run folder, or a CSV or Parquet file: game, player, points.")
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM", help="A rating system: elo{k=24,k_provisional=64}. Repeat for more; all if none."
        ),
    ] = None,
    systems: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Rating systems from the tables [[systems]] of a TOML file.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Of a run folder: the games under this preset.")] = None,
    line_up: Annotated[str | None, typer.Option(help="Of a run folder: the games of this line-up.")] = None,
    orders: Annotated[
        int, typer.Option(min=0, max=10_000, help="Random orders of the games, for the order dependence.")
    ] = 20,
    seed: SeedOption = 1,
    form: FormatOption = Format.text,
) -> None:
    """Rate one recorded stream of results by several systems, and put all measures side by side."""
    from sim.ladder.stream import read_streams
    from sim.ladder.systems import SYSTEMS, load_systems, name_systems, parse_system

    texts = system or ([] if systems else list(SYSTEMS))
    chosen = name_systems(
        [
            *((load_systems(systems) if systems else {}).items()),
            *((None, parse_system(text)) for text in texts),
        ]
    )
    streams = read_streams(stream, preset=preset, line_up=line_up)
    print_reports([make_lab_report(str(stream), chosen, streams, orders, seed)], form)


@app.command("solve")
def solve_wish(
    off: Annotated[
        float, typer.Option(metavar="POINTS", help="How far from the start a newcomer's true rating is.")
    ] = 200,
    games: Annotated[int, typer.Option(min=1, max=10_000, help="Games in which a newcomer should settle.")] = 20,
    noise: Annotated[
        float, typer.Option(metavar="POINTS", help="The most that the standard deviation of a settled rating may be.")
    ] = 40,
    within: Annotated[
        float | None,
        typer.Option(metavar="POINTS", help="Settled means a mean error of at most this; the noise when absent."),
    ] = None,
    system: Annotated[str, typer.Option(metavar="SYSTEM", help="The rating system, perhaps with parameters.")] = "elo",
    newcomers: Annotated[
        int, typer.Option(min=20, max=100_000, help="Newcomers to simulate; 500 know a value to about 3 %.")
    ] = 500,
    seed: SeedOption = 1,
    form: FormatOption = Format.text,
) -> None:
    """Find the parameter with which newcomers settle in time and ratings are quiet enough, or why there is none."""
    from sim.ladder.solver import Wish, solve
    from sim.ladder.systems import parse_system

    wish = Wish(off, games, noise, noise if within is None else within)
    chosen = parse_system(system)
    if form is Format.text and sys.stderr.isatty():
        typer.echo("simulating newcomers", err=True)
    print_reports([make_solve_report(chosen, solve(chosen, wish, newcomers=newcomers, seed=seed))], form)
