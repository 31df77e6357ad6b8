"""What a run is going to take that plays until something is known: told from a pilot, and refused if it is too much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sim.commands.effect_plan import LONGEST, as_data, forecast, target_of, tell_forecast, tell_plan
from sim.commands.playing import pilot_of
from sim.commands.run import say
from sim.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from sim.api import Result
    from sim.tournament.experiment import Experiment
    from sim.tournament.plan import Plan

PILOT: Final = 200
"""Walls of a pilot."""
_LONG: Final = 10_000_000
"""Deals from which a design with fixed walls is tried with a pilot first."""


def foresee(experiment: Experiment, where: str, out: Path | None, workers: int | None) -> None:
    """Tell what a run is going to play, and by a pilot what it takes if it has a target or is long.

    Parameters
    ----------
    experiment
        The run.
    where
        What a complaint calls it.
    out
        Its folder, or None for the default one. A run that goes on has been foreseen when it started.
    workers
        Threads.

    Raises
    ------
    ConfigError
        By the pilot it takes more than a week.
    """
    from sim.api import default_folder
    from sim.commands.deal import announce
    from sim.tournament.game import sichuan
    from sim.tournament.plan import make_plan
    from sim.tournament.store import RunFolder

    announce()
    plan = make_plan(experiment, sichuan(), where=where)
    if experiment.design is not None and experiment.contrast is None:
        tell_plan(plan, experiment)
    if RunFolder.refuse_taken(out or default_folder(plan), plan) is not None:
        return
    if experiment.target is not None and experiment.design is not None:
        wanted = experiment.target.half_width
        found = forecast(experiment, plan, workers, of_one_wall=True)
        target_of(wanted, found, plan, where=f"{where}: target.half_width")
    elif experiment.target is not None or experiment.contrast is not None:
        foresee_target(experiment, plan, where, workers)
    elif experiment.design is not None and plan.deals > _LONG:
        tell_forecast(forecast(experiment, plan, workers), plan)


def foresee_target(experiment: Experiment, plan: Plan, where: str, workers: int | None) -> None:
    """Tell by a pilot when the target or contrast of a run is going to be reached.

    Parameters
    ----------
    experiment, plan
        A run that has one.
    where
        What a complaint calls it.
    workers
        Threads.

    Raises
    ------
    ConfigError
        It takes more than a week.
    """
    from sim.commands.power import show_time
    from sim.statistics.pilot import price_of

    rule = plan.contrast or plan.target
    assert rule is not None
    walls = min(PILOT, rule["max_walls"])
    data = as_data(experiment, {one.label: walls for one in experiment.line_ups}, rows=plan.has_rows)
    with pilot_of(data, workers) as pilot:
        seconds = price_of(pilot).seconds * sum(len(cell.seatings) for cell in plan.cells)  # of one wall of every cell
        wanted, most = rule["half_width"], rule["max_walls"]
        longest = f"at most {most:,} walls, {show_time(seconds * most)}"
        if wanted is None:
            _refuse_week(seconds * most, f"{where}: max_walls {most:,}", f"{most:,} walls")
            say(f"by a pilot of {walls:,} walls: {longest}, if the test does not decide before")
            return
        width = _width(pilot, experiment)
    if width is None:
        _refuse_week(seconds * most, f"{where}: max_walls {most:,}", f"{most:,} walls")
        say(f"by a pilot of {walls:,} walls: too few walls changed to foresee ±{wanted:g}; {longest}")
        return
    needed = math.ceil(walls * (width / wanted) ** 2)
    fewest = max(needed, rule["min_walls"])
    _refuse_week(seconds * fewest, f"{where}: half-width {wanted:g}", f"about {needed:,} walls")
    told = f"by a pilot of {walls:,} walls: ±{wanted:g} needs about {needed:,} walls, {show_time(seconds * needed)}"
    if fewest > needed:
        told += f"; {fewest:,} are played in any case (min_walls)"
    if needed > most:
        expected = width * math.sqrt(walls / most)
        told += f"; at most {most:,} are allowed (max_walls), which give about ±{expected:.2g}"
    say(told)


def _refuse_week(seconds: float, where: str, needed: str) -> None:
    """Refuse what takes over a week."""
    from sim.commands.power import show_time

    if seconds > LONGEST:
        raise ConfigError(
            f"{where}: by a pilot of {PILOT:,} walls that needs {needed}, {show_time(seconds)} on this machine;"
            " allowed: what takes a week at most; half the width needs four times the walls"
        )


def _width(pilot: Result, experiment: Experiment) -> float | None:
    """Give half of the widest interval that a pilot found of what is to be known; None if it found too little."""
    from sim.statistics.contrast import BlockSums, difference_blocks, divisor_of, read_blocks
    from sim.statistics.preset_contrast import preset_result
    from sim.statistics.rare import FEW_OF_PILOT
    from sim.statistics.stopping import all_half_widths

    contrast, plan = experiment.contrast, pilot.plan
    if contrast is None:
        width = max(width for width, _ in all_half_widths(plan, pilot.totals()))
    elif contrast.of == "presets":
        found = preset_result(plan, pilot.totals(), contrast.metric, contrast.who)
        width = (found.difference.half_width or 0.0) if found.changed_walls >= FEW_OF_PILOT else 0.0
    else:
        first = plan.cells[0].groups[0]
        sums = BlockSums(divisor_of(plan.cells, first))
        sums.add(difference_blocks(read_blocks(pilot.folder, plan.chunks, plan.cells), plan.cells, first))
        width = sums.estimate().half_width or 0.0
    return width if 0 < width < math.inf else None
