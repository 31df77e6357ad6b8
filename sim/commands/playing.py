"""Playing for reports: presets named on the command line, and an experiment played in a folder that is kept or not."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.run import say
from sim.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.api import Result
    from sim.tournament.plan import Plan

PresetsOption = Annotated[
    list[str] | None,
    typer.Option("--preset", metavar="PRESET", help="A preset's name or file; mahjong-planet when absent."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Set a knob over every preset: fan.cap=5. May be repeated."),
]
SeedOption = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Everything random follows from it.")]
OutOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Keep the run in this folder; it is thrown away when absent.")
]
DEFAULT_PRESET = "mahjong-planet"
_NAMES = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_"


def name_strategies(references: Sequence[str]) -> list[str]:
    """Load strategies and give their names, as results call them.

    Parameters
    ----------
    references
        What the command line calls them.

    Raises
    ------
    StrategyError
        One cannot be loaded.
    ConfigError
        Two of them are the same.
    """
    from sim.commands.deal import announce

    announce()
    from strategies.registry import load_strategy

    names = [load_strategy(reference).name for reference in references]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ConfigError(
                f"{references[place]}: strategy {name} is named twice; a strategy has no lead over itself"
            )
    return names


@contextmanager
def played(data: dict[str, Any], *, out: Path | None, workers: int | None, quiet: bool = False) -> Iterator[Result]:
    """Play an experiment, and give its run; without a folder to keep it in, it is gone afterwards.

    Parameters
    ----------
    data
        The experiment.
    out
        The run folder.
    workers
        Threads.
    quiet
        Whether to say nothing of it.
    """
    from sim.api import run
    from sim.tournament.experiment import Experiment

    experiment = Experiment(**data)
    try:
        if out is not None:
            yield run(experiment, out=out, workers=workers, say=say)
        else:
            with tempfile.TemporaryDirectory(prefix="bloodbattle-") as folder:
                tell = (lambda _: None) if quiet else _say_without_folder
                yield run(experiment, out=Path(folder) / "run", workers=workers, say=tell, progress=not quiet and None)
    except KeyboardInterrupt:
        say(f"interrupted; go on with the same command: {shlex.quote(str(out))} keeps what is finished" if out else
            "interrupted; nothing is kept without --out")  # fmt: skip
        raise typer.Exit(130) from None


@contextmanager
def pilot_of(data: dict[str, Any], workers: int | None, *, quiet: bool = True) -> Iterator[Result]:
    """Play a pilot, after two walls of it that load all that is needed, so that its time is that of playing.

    Parameters
    ----------
    data
        The experiment.
    workers
        Threads.
    quiet
        Whether to say nothing of it.
    """
    line_ups = [{**_fields_of(line_up), "walls": None} for line_up in data["line_ups"]]
    with played({**data, "line_ups": line_ups, "walls": 2}, out=None, workers=workers, quiet=True):
        pass
    with played(data, out=None, workers=workers, quiet=quiet) as result:
        yield result


def _fields_of(line_up: Any) -> dict[str, Any]:
    """Give a line-up as plain data."""
    from sim.tournament.experiment import LineUp

    return line_up if not isinstance(line_up, LineUp) else {key: getattr(line_up, key) for key in LineUp.model_fields}


def _say_without_folder(text: str) -> None:
    """Tell something, but not where a folder is that nobody keeps."""
    say(text.partition("; run folder ")[0])


def experiment_name(*parts: str) -> str:
    """Make a name that an experiment can have.

    Parameters
    ----------
    parts
        What it is about.
    """
    text = "-".join(parts)
    return "".join(letter if letter in _NAMES else "-" for letter in text).strip(".-_")[:80] or "report"


def preset_choices(presets: Sequence[str] | None, knobs: Sequence[str] | None) -> list[dict[str, Any]]:
    """Give the presets of an experiment.

    Parameters
    ----------
    presets
        Names or files.
    knobs
        What --set says.
    """
    from sim.rules import parse_sets

    return [{"preset": preset, "set": parse_sets(knobs or ())} for preset in presets or [DEFAULT_PRESET]]


def preset_label(choice: Mapping[str, Any]) -> str:
    """Give the name of a preset's folder.

    Parameters
    ----------
    choice
        One of `preset_choices`.
    """
    return Path(choice["preset"]).name.removesuffix(".toml")


def title_of(plan: Plan, what: str) -> str:
    """Say what was played.

    Parameters
    ----------
    plan
        The plan, of one preset.
    what
        What it is about.
    """
    from sim.statistics.tables import show_knob

    preset = plan.presets[0]
    changed = ", ".join(f"{key} {show_knob(value)}" for key, value in preset["set"].items())
    knobs = f" with {changed}" if changed else ""
    return f"{what} · preset {preset['name']}{knobs} · seed {plan.seed} · wall mode {plan.wall_mode}"


def refuse_given(context: typer.Context, names: Sequence[str], why: str) -> None:
    """Refuse options that would do nothing.

    Parameters
    ----------
    context
        The command's context.
    names
        Of the command's parameters.
    why
        Why they do nothing, and what to do.

    Raises
    ------
    ConfigError
        One of them was given.
    """
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = next(one.opts[0] for one in context.command.params if one.name == name)
            raise ConfigError(f"{option}: {why}")


@dataclass(frozen=True)
class FieldTable:
    """A strategy among others."""

    names: tuple[str, ...]
    """The strategies' names, the strategy first; each once."""
    slots: tuple[str, ...]
    """What each of the four slots is called on the command line."""
    line_up: dict[str, Any]
    """The line-up, as an experiment has it."""
    seatings: int
    """Seatings of each wall."""


def field_of(strategy: str, field: str) -> FieldTable:
    """Seat a strategy among others.

    Parameters
    ----------
    strategy
        What the command line calls it.
    field
        One other strategy, or three by commas; the strategy itself for four of it.

    Raises
    ------
    StrategyError
        One cannot be loaded.
    ConfigError
        It names another number of strategies.
    """
    from sim.commands.deal import announce
    from sim.tournament.seating import make_seatings
    from strategies.references import split_references

    others = split_references(field)
    if len(others) not in (1, 3):
        raise ConfigError(f"--field names {len(others)} strategies ({field}); give one, or three by commas")
    announce()
    from strategies.registry import load_strategy

    slots = (strategy, *(others if len(others) == 3 else others * 3))
    loaded = [load_strategy(slot).name for slot in slots]
    names = tuple(dict.fromkeys(loaded))
    words = f"four {names[0]}" if len(names) == 1 else f"{loaded[0]} against {', '.join(loaded[1:])}"
    if len(names) == 2 and loaded.count(names[1]) == 3:
        words = f"one {names[0]} against three {names[1]}"
    line_up = {"strategies": list(slots), "name": words[:60]}
    return FieldTable(names, slots, line_up, len(make_seatings(loaded, "auto")))
