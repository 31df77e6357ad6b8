"""What `bloodbattle effect` is going to play: its words read, its plan told, a pilot that says what it will cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.commands.playing import pilot_of
from sim.commands.run import say
from sim.errors import ConfigError
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.experiment import Experiment
    from sim.tournament.plan import Cell, Plan

DEALS: Final = 48_000
"""Deals of a cell when nothing is said: 48,000 walls of self-play, 2,000 of four different strategies."""
FEWEST_PILOT: Final = 100
MOST_PILOT: Final = 1_000
LONGEST: Final = 7 * 86_400.0
"""Seconds that a run may take by its pilot."""
LOOK: Final = 500
"""Walls between two looks, at least."""
LOOK_AHEAD: Final = 1
"""Looks at which a target must still be met once it is."""
_LISTED: Final = 8


def read_knobs(words: Sequence[str]) -> dict[str, list[Any]]:
    """Read knobs and their values: ``fan.cap 3 4 5 none``, or ``fan.cap=3,5 exchange.direction=none,left``.

    Parameters
    ----------
    words
        The words of the command line.

    Returns
    -------
    dict
        The values of each knob, by key, at least one each.

    Raises
    ------
    ConfigError
        A knob does not exist, a value is not allowed, or something is missing. All mistakes are listed, one a line.
    """
    from sim.rules.knobs import all_knobs

    found: dict[str, list[Any]] = {}
    mistakes: list[str] = []
    current: str | None = None
    for word in words:
        key, equals, rest = word.partition("=")
        if equals or current is None or word in all_knobs():
            if key in found:
                mistakes.append(f"{key}: named twice; name it once, with all its values")
            current = None if equals else key
            found[key] = []
            values = rest.split(",") if equals else []
        else:
            key, values = current, [word]
        for value in values:
            _add(found, key, value.strip(), mistakes)
    for key, texts in found.items():
        if not texts and not any(key in line for line in mistakes) and not _refuse_knob(key, mistakes):
            mistakes.append(_no_values(key))
    if mistakes:
        raise ConfigError("\n".join(dict.fromkeys(mistakes)))
    return found


def _add(found: dict[str, list[Any]], key: str, text: str, mistakes: list[str]) -> None:
    """Read one value of a knob."""
    from sim.rules import parse_sets
    from sim.rules.knobs import find_knob
    from sim.rules.words import show_value

    if _refuse_knob(key, mistakes):
        return
    if not text:
        mistakes.append(_no_values(key))
        return
    try:
        value = parse_sets([f"{key}={text}"], where="effect")[key]
    except ConfigError as error:
        mistakes.append(str(error))
        return
    complaint = find_knob(key).refuse(value)
    if complaint is not None:
        mistakes.append(f"{key}: {complaint}")
    elif value in found[key]:
        mistakes.append(f"{key}: {show_value(value)} comes twice")
    else:
        found[key].append(value)


def _refuse_knob(key: str, mistakes: list[str]) -> bool:
    """Note it if there is no such knob."""
    from sim.rules.knobs import find_knob

    try:
        find_knob(key)
    except ConfigError as error:
        mistakes.append(str(error))
        return True
    return False


def _no_values(key: str) -> str:
    """Say that a knob came without values."""
    from sim.rules.knobs import find_knob

    return f"{key}: came without values; allowed: {find_knob(key).allowed}; such as: bloodbattle effect {key} A B"


def read_line_up(text: str) -> dict[str, Any]:
    """Read a line-up.

    Parameters
    ----------
    text
        Strategies by commas: one, two or four.

    Raises
    ------
    ConfigError
        It is empty, or has another number.
    """
    from strategies.references import split_references

    names = split_references(text)
    if not all(names):
        raise ConfigError(f'--line-up: came "{text}", an empty place; allowed: 1, 2 or 4 strategies by commas')
    if len(names) not in (1, 2, 4):
        raise ConfigError(
            f"--line-up: came {len(names)} strategies ({text}); allowed: 1 (four of it), 2 (one against three) or 4"
        )
    return {"strategies": names}


def spread_walls(line_ups: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give each line-up as many walls as make `DEALS` deals of a cell.

    Parameters
    ----------
    line_ups
        As an experiment has them.
    """
    from sim.tournament.experiment import LineUp
    from sim.tournament.seating import make_seatings

    found = []
    for line_up in line_ups:
        model = LineUp(**line_up)
        found.append({**line_up, "walls": DEALS // len(make_seatings(model.slots, model.seating))})
    return found


@dataclass(frozen=True)
class Forecast:
    """What a pilot says about a run."""

    walls: tuple[int, ...]
    """Walls of the pilot, by line-up."""
    seconds_per_deal: float
    """What a deal takes."""
    widths: tuple[tuple[str, float], ...]
    """The named differences, and half of the interval that each is going to have (or would, with one wall), the widest
    first."""
    few: tuple[tuple[str, int, int], ...] = ()
    """Cells of which the pilot saw fewer than `rare.FEW_OF_PILOT` changed walls: their name, how many, and the walls
    after which an interval of them may be relied on, about: with `rare.FEW` changed walls, or `rare.FEWEST_WALLS` and
    none."""


def tell_plan(plan: Plan, experiment: Experiment) -> None:
    """Tell what is going to be played.

    Parameters
    ----------
    plan
        The plan of the run.
    experiment
        What it was made of.
    """
    families = plan.families
    samples = experiment.design.samples if experiment.design is not None else None
    others = max(len(cells) for cells in families) - 1
    if samples is not None and others < samples:
        say(f"{samples:,} samples are {count_of(others, 'different setting')} besides the reference")
    bases = {cell.base for cell in plan.cells}
    for name in [choice.label for choice in experiment.presets if choice.label not in bases]:
        say(f"{name}: left out: the design does not change its rules")
    played_cells = [cell for cell in plan.cells if cell.source == "played"]
    most = "at most " if plan.target else ""
    deals = sum(cell.deals for cell in played_cells)
    settled = len(plan.cells) - len(played_cells)
    again = f", {settled} settled again from their reference's decisions" if settled else ""
    say(
        f"plan: {len(plan.cells)} cells in {_count(len(families), 'family', 'families')}; {len(played_cells)} played"
        f"{again}; {most}{deals:,} deals"
    )
    for cells in families:
        reference = next(cell for cell in cells if cell.index == cell.reference)
        walls = f"{most}{reference.walls:,} walls in {_count(len(reference.seatings), 'seating', 'seatings')}"
        say(f"  {reference.base} · {reference.line_up}: {walls}")
        say(f"    reference: {_settings(reference)}")
        for source, what in (("played", "played"), ("settled", "settled again")):
            names = [_settings(cell) for cell in cells if cell.source == source and cell != reference]
            more = f"; … and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            if names:
                say(f"    {what}: {'; '.join(names[:_LISTED])}{more}")


def _count(number: int, one: str, more: str) -> str:
    """Write a number of things."""
    return f"{number:,} {one if number == 1 else more}"


def _settings(cell: Cell) -> str:
    """Name a cell within its family."""
    from sim.tournament.design import show_settings

    return show_settings(cell.settings) or f"{cell.base} as it is"


def forecast(experiment: Experiment, plan: Plan, workers: int | None, *, of_one_wall: bool = False) -> Forecast:
    """Play a pilot, the first few walls of the run, and see what the run is going to take and give.

    Parameters
    ----------
    experiment, plan
        The run.
    workers
        Threads.
    of_one_wall
        Whether to give the intervals of a single wall, not of those planned.
    """
    from sim.statistics.effects import difference_of
    from sim.statistics.family import families_of
    from sim.statistics.pilot import price_of
    from sim.statistics.rare import FEW, FEW_OF_PILOT, FEWEST_WALLS

    walls = {cell.line_up: cell.walls for cell in plan.cells}
    if of_one_wall:
        walls = {cell.line_up: DEALS // len(cell.seatings) for cell in plan.cells}
    sizes = {name: max(2, min(count, max(FEWEST_PILOT, min(MOST_PILOT, count // 20)))) for name, count in walls.items()}
    widths = []
    few = []
    with pilot_of(as_data(experiment, sizes), workers) as pilot:
        price = price_of(pilot)
        for family in families_of(pilot.plan, pilot.totals()):
            goal = 1 if of_one_wall else walls[family.line_up]
            for cell in family.others:
                changed = family.totals[cell.index].changed_walls
                if changed < FEW_OF_PILOT:
                    needed = math.ceil(1.5 * FEW * family.walls / changed) if changed else FEWEST_WALLS
                    few.append((f"{family.base}, {family.line_up}, {_settings(cell)}", changed, needed))
                for unit in family.main_units if changed >= FEW_OF_PILOT else ():
                    found = difference_of(family, family.totals[cell.index], unit)
                    if found.half_width:
                        name = unit.name if unit.who == "strategy" else f"seat {unit.name}"
                        what = f"{family.base}, {family.line_up}, {_settings(cell)}: {name}"
                        widths.append((what, found.half_width * math.sqrt(found.blocks / goal)))
    return Forecast(tuple(dict.fromkeys(sizes.values())), price.seconds, _widest(widths), tuple(few))


def _widest(widths: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """Sort half-widths, the widest first."""
    return tuple(sorted(widths, key=lambda item: (-item[1], item[0])))


def as_data(experiment: Experiment, walls: Mapping[str, int], *, rows: bool = False) -> dict[str, Any]:
    """Give an experiment as data, with other walls for each line-up and nothing else that stops it: its pilot.

    Parameters
    ----------
    experiment
        The experiment.
    walls
        Walls by line-up.
    rows
        Whether to keep rows, or nothing but sums.
    """
    data = {name: getattr(experiment, name) for name in type(experiment).model_fields}
    line_ups = tuple(one.model_copy(update={"walls": walls[one.label]}) for one in experiment.line_ups)
    return {**data, "line_ups": line_ups, "walls": 2, "target": None, "contrast": None, "rows": rows}


def tell_forecast(found: Forecast, plan: Plan) -> None:
    """Tell what a pilot says of a run with fixed walls, and refuse one that takes too long.

    Parameters
    ----------
    found
        What the pilot said.
    plan
        The run.

    Raises
    ------
    ConfigError
        It would take longer than a week.
    """
    from sim.commands.power import show_time

    seconds = found.seconds_per_deal * plan.deals
    if seconds > LONGEST:
        raise ConfigError(
            f"--walls: by the pilot {plan.deals:,} deals take {show_time(seconds)} on this machine; allowed: a week at"
            " most; play fewer walls or cells"
        )
    pilot = ", ".join(f"{count:,}" for count in found.walls)
    say(f"by a pilot of {pilot} walls: {show_time(seconds)}; expected ± of differences in points per deal:")
    for what, width in found.widths[:3]:
        say(f"    ±{width:.3f}  {what}")
    if len(found.widths) > 3:
        what, width = found.widths[-1]
        say(f"    ±{width:.3f} or more for all {len(found.widths)}, the narrowest being {what}")
    if not found.widths:
        say("    none: in the pilot hardly a wall changed")
    _tell_few(found)


def _tell_few(found: Forecast) -> None:
    """Tell which cells changed too few deals of the pilot to say anything about them."""
    names = [f"{name} ({changed})" for name, changed, _ in found.few]
    if names:
        more = f"; … and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        say(f"    too few changed walls in the pilot to forecast: {'; '.join(names[:_LISTED])}{more}")


def target_of(half_width: float, found: Forecast | None, plan: Plan, where: str = "--half-width") -> dict[str, Any]:
    """Choose how a run with a target goes on: walls between looks, and the most walls.

    Parameters
    ----------
    half_width
        What is wanted.
    found
        What a pilot said; None without one.
    plan
        The run, whose walls do not count.
    where
        What a complaint calls the target.

    Returns
    -------
    dict
        The target, as an experiment has it: half as many walls again as the pilot says are needed, and no more.

    Raises
    ------
    ConfigError
        It would take longer than a week.
    """
    from sim.commands.power import show_time
    from sim.statistics.rare import FEW

    if found is None:
        return {"half_width": half_width, "min_walls": LOOK, "batch": LOOK, "max_walls": 1_000_000}
    widest = found.widths[0][1] if found.widths else 0.0
    needed = max(LOOK, math.ceil((widest / half_width) ** 2), *(walls for _, _, walls in found.few))
    deals = needed * sum(len(cell.seatings) for cell in plan.cells)
    time = show_time(found.seconds_per_deal * deals)
    if found.seconds_per_deal * deals > LONGEST:
        raise ConfigError(
            f"{where} {half_width:g}: by a pilot of {max(found.walls):,} walls that needs about {needed:,} walls"
            f" in each cell, {time} on this machine; allowed: what takes a week at most; half the width needs four"
            " times the walls, so ask for less, or for fewer cells"
        )
    few = f", until {FEW} of them have changed in every cell" if found.few else ""
    pilot = f"by a pilot of {max(found.walls):,} walls"
    say(f"{pilot}: ±{half_width:g} needs about {needed:,} walls in each cell{few}, {time}")
    _tell_few(found)
    batch = max(1, needed // 20 // LOOK) * LOOK
    most = (-(-3 * needed // 2 // batch) + LOOK_AHEAD) * batch
    target = {"half_width": half_width, "min_walls": LOOK, "batch": batch, "max_walls": most}
    return {**target, "look_ahead": LOOK_AHEAD}


def experiment_of(path: str) -> Experiment:
    """Read an experiment file, which must have a design.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    ConfigError
        It has none.
    """
    from sim.tournament.experiment import load_experiment

    experiment = load_experiment(Path(path))
    if experiment.design is None:
        raise ConfigError(
            f"{path}: has no [design], so there is nothing to compare; such as: [design] knobs."
            '"fan.cap" = [3, 4, "none"]; docs/experiments.md. To play it as it is: bloodbattle run'
        )
    return experiment
