"""The same from Python as from the command line: run an experiment, go on with a run, open one.

>>> from sim import Experiment, run
>>> result = run(Experiment(name="caps", walls=100, presets=["mahjongo"], line_ups=[{"strategies": ["ukeire"]}]))
... # doctest: +SKIP
>>> result.summary().select("strategy", "win_rate")  # doctest: +SKIP
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import ConfigError, ResultsError
from sim.rules.words import count_of
from sim.tournament.defaults import RUNS, count_cores
from sim.tournament.experiment import Experiment, load_experiment
from sim.tournament.files import is_disk_full, show_bytes, telling_disk_full
from sim.tournament.plan import Plan, make_plan
from sim.tournament.results import DealId, DealSetup, Run, parse_deal_id
from sim.tournament.store import RunFolder, disk_needed, refuse_too_large

if TYPE_CHECKING:
    import polars as pl

    from sim.statistics.summary import Summary
    from sim.tournament.game import Game
    from sim.tournament.runner import StopRule

__all__ = ["DealId", "DealSetup", "Result", "extend", "open_run", "parse_deal_id", "resume", "run"]

Say = Callable[[str], None]


class Result(Run):
    """A run and what it found.

    `path`, `plan`, `is_finished`, `outcome`, `totals()`, `seats()` and `deal_setup()` come from `Run`.
    """

    @cached_property
    def numbers(self) -> Summary:
        """Every estimate, as Python objects."""
        from sim.statistics.summary import summarise  # noqa: PLC0415 - only needed here

        return summarise(self)

    def summary(self) -> pl.DataFrame:
        """Give one row for each cell and strategy: each metric and half of its 95 % interval."""
        return self.numbers.wide()

    def metrics(self) -> pl.DataFrame:
        """Give one row for each metric of each strategy, seat and cell."""
        return self.numbers.tidy()

    def effects(self, reference: str | None = None) -> pl.DataFrame:
        """Give one row for each effect of the run's design: a metric in a cell less the same in its reference.

        Parameters
        ----------
        reference
            Name of another preset of the design to compare with, such as "mahjongo fan.cap=5"; then points as played
            alone.

        Returns
        -------
        polars.DataFrame
            Columns as ``docs/effects.md`` lists them: base, line_up, cell, settings, way (played, settled or adapted),
            who, name, metric, value, half_width, p, p_adjusted and more.

        Raises
        ------
        ConfigError
            The run has no design, or no such preset.
        """
        from sim.statistics.effects import effects_against, make_effects, to_frame  # noqa: PLC0415 - only needed here

        if self.plan.design is None:
            raise ConfigError(f"{self.path}: no effects: its experiment has no [design]; see docs/effects.md")
        totals = self.paired_totals()
        if reference is not None:
            return to_frame(effects_against(self.plan, totals, reference))
        return to_frame(make_effects(self.plan, totals))

    def regression(self) -> pl.DataFrame:
        """Give one row for each main effect, interaction or slope of a design of several knobs, for each strategy.

        Returns
        -------
        polars.DataFrame
            Columns as ``docs/effects.md`` lists them; no rows where fewer than two knobs vary.

        Raises
        ------
        ConfigError
            The run has no design.
        ResultsError
            The run does not keep what is needed: a family is too large.
        """
        from sim.statistics.family import families_of  # noqa: PLC0415 - only needed here
        from sim.statistics.regression import to_frame  # noqa: PLC0415 - only needed here

        if self.plan.design is None:
            raise ConfigError(f"{self.path}: no regression: its experiment has no [design]; see docs/effects.md")
        return to_frame(families_of(self.plan, self.paired_totals()))

    def deals(self, *, verify: bool = True) -> pl.LazyFrame:
        """Give one row for each deal, from the rows: who sat where, and what each seat got.

        Parameters
        ----------
        verify
            As in `seats`.

        Returns
        -------
        polars.LazyFrame
            Columns: ``docs/results.md``; in the order of `seats`.

        Raises
        ------
        ResultsError
            As `seats`.
        """
        from sim.statistics.frames import deals_of  # noqa: PLC0415 - only needed here

        return deals_of(self, verify=verify)

    def blocks(self, quantities: Iterable[str] | None = None, *, verify: bool = True) -> pl.LazyFrame:
        """Give one row for each wall of each cell and each strategy and seat, from the rows: the blocks of statistics.

        Parameters
        ----------
        quantities
            Names of the quantities to add up (``docs/results.md``); deals, points and the main ones when absent.
        verify
            As in `seats`.

        Returns
        -------
        polars.LazyFrame
            Columns cell, preset, line_up, wall, who (strategy or seat), name, and each quantity as int64; sorted.

        Raises
        ------
        ConfigError
            There is no such quantity.
        ResultsError
            As `seats`.
        """
        from sim.statistics.frames import blocks_of  # noqa: PLC0415 - only needed here

        return blocks_of(self, quantities, verify=verify)

    def show(self, form: str = "text") -> str:
        """Write the summary out.

        Parameters
        ----------
        form
            text, json, csv or markdown.

        Raises
        ------
        ConfigError
            It is none of these.
        """
        from sim.rules.words import did_you_mean, show_value  # noqa: PLC0415
        from sim.statistics.show import FORMATS  # noqa: PLC0415

        if form not in FORMATS:
            hint = did_you_mean(form, FORMATS)
            raise ConfigError(f"there is no format {show_value(form)}{hint}; allowed: {', '.join(FORMATS)}")
        return FORMATS[form](self.numbers)

    def __repr__(self) -> str:
        """Say which run it is."""
        state = "finished" if self.is_finished else "unfinished"
        return f"<{state} run {self.path}>"


def run(
    experiment: Experiment | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    say: Say | None = None,
    game: Game | None = None,
    where: str = "",
) -> Result:
    """Play an experiment, or go on with it where it was left.

    Parameters
    ----------
    experiment
        An `Experiment`, the path of an experiment file, or what would stand in one.
    out
        The run folder; ``runs/<name>-<start of the plan's hash>`` when absent.
    workers
        Threads; the experiment's, or else all cores.
    progress
        Whether to show progress on stderr; None: if it is a terminal.
    say
        Is told in single lines what goes on.
    game
        Another game than Sichuan Blood Battle.
    where
        What to blame in messages when the experiment was read from a file before.

    Returns
    -------
    Result
        The finished run. If the folder holds this very run finished already, nothing is played again.

    Raises
    ------
    ConfigError
        The experiment is wrong.
    StrategyError
        A strategy cannot be loaded.
    ResultsError
        The folder holds something else, what it holds of this run is damaged, or the disk is full.
    Interrupted
        Ctrl-C, a `KeyboardInterrupt`: finished chunks are kept, and running it again goes on from there.
    """
    if isinstance(experiment, (str, Path)):
        where = str(experiment)
        experiment = load_experiment(experiment)
    elif isinstance(experiment, Mapping):
        experiment = Experiment(**experiment)
    tell: Say = say or (lambda _: None)
    game = game or _sichuan(tell)
    plan = make_plan(experiment, game, where=where)
    if plan.contrast is not None and plan.contrast.get("of") == "presets":
        from sim.statistics.preset_contrast import asked_of  # noqa: PLC0415 - only needed here

        asked_of(plan)  # refuses what cannot be compared, before anything is made
    folder = RunFolder.create(out or default_folder(plan), plan)
    with telling_disk_full(folder.path):
        with folder.lock():
            folder.check(tell, repair=False)
        return _play(folder, game, workers or experiment.workers, progress, tell)


def resume(
    path: str | Path,
    *,
    workers: int | None = None,
    progress: bool | None = None,
    say: Say | None = None,
    repair: bool = False,
    game: Game | None = None,
) -> Result:
    """Go on with a run.

    Parameters
    ----------
    path
        Its folder.
    workers, progress, say, game
        As in `run`.
    repair
        Whether to play chunks again whose files are missing or damaged, instead of refusing.

    Returns
    -------
    Result
        The finished run: the same bytes as if it had never been interrupted.

    Raises
    ------
    ResultsError
        There is no such run, it is damaged, programs or strategies have changed since it was planned, or the disk
        is full.
    """
    tell: Say = say or (lambda _: None)
    folder = RunFolder.open(path)
    game = game or _sichuan(tell)
    folder.refuse_other(_plan_again(folder.plan, game))
    with telling_disk_full(folder.path):
        with folder.lock():
            folder.check(tell, repair=repair)
        return _play(folder, game, workers, progress, tell)


def extend(
    path: str | Path,
    walls: int,
    *,
    workers: int | None = None,
    progress: bool | None = None,
    say: Say | None = None,
    game: Game | None = None,
) -> Result:
    """Add walls to a finished run; what was played stays as it is.

    Parameters
    ----------
    path
        Its folder.
    walls
        Walls to add to each cell.
    workers, progress, say, game
        As in `run`.

    Returns
    -------
    Result
        The longer run, finished. Its plan has another hash, and names that of the plan before.

    Raises
    ------
    ConfigError
        There are no walls to add, too many, or more than the disk can hold.
    ResultsError
        There is no such run, it is unfinished or damaged, it stopped by its own results, programs or strategies have
        changed since it was planned, or the disk is full.
    Interrupted
        Ctrl-C: the run is a longer, unfinished one then, and `resume` goes on with it.
    """
    from sim.tournament.extend import extended_plan  # noqa: PLC0415 - only needed here

    tell: Say = say or (lambda _: None)
    folder = RunFolder.open(path)
    longer = extended_plan(folder.plan, walls, folder.path)
    game = game or _sichuan(tell)
    folder.refuse_other(_plan_again(folder.plan, game))
    with telling_disk_full(folder.path):
        with folder.lock():
            if folder.outcome is None:
                raise ResultsError(f"{folder.path}: unfinished; first: bloodbattle resume {shlex.quote(str(path))}")
            folder.check(tell, repair=False)
            refuse_too_large(folder.path, longer, done=folder.plan)
            folder.replace_plan(longer)
        tell(f"{folder.path}: {count_of(walls, 'more wall')} for each of {count_of(len(longer.cells), 'cell')}")
        return _play(RunFolder.open(path), game, workers, progress, tell)


def open_run(path: str | Path) -> Result:
    """Open a run to read its results, finished or not.

    Parameters
    ----------
    path
        Its folder.

    Raises
    ------
    ResultsError
        There is none.
    ConfigError
        It is no path.
    """
    if not isinstance(path, str | Path):
        raise ConfigError(f"open_run: came {path!r}; allowed: the path of a run folder")
    return Result(RunFolder.open(path))


def default_folder(plan: Plan) -> Path:
    """Name the folder that a plan's run has unless another one is asked for.

    Parameters
    ----------
    plan
        The plan.
    """
    return RUNS / f"{plan.name}-{plan.hash[:8]}"


def _sichuan(tell: Say) -> Game:
    """Load the engine."""
    from sim.tournament.game import sichuan  # noqa: PLC0415 - heavy

    return sichuan(tell)


def _plan_again(plan: Plan, game: Game) -> Plan:
    """Make the plan that a run has as this version of programs and strategies would make it."""
    from sim.tournament.plan import plan_of, versions_now  # noqa: PLC0415

    strategies = {
        name: {**facts, "digest": game.load_strategy(facts["load"]).digest} for name, facts in plan.strategies.items()
    }
    columns = [[column.name, column.dtype] for column in game.columns]
    return plan_of({**plan.data, "strategies": strategies, "columns": columns, "versions": versions_now(game)})


def _play(folder: RunFolder, game: Game, workers: int | None, progress: bool | None, tell: Say) -> Result:
    """Play what is missing, and write the summary."""
    from sim.statistics.show import FILES  # noqa: PLC0415
    from sim.statistics.stopping import PrecisionRule  # noqa: PLC0415
    from sim.tournament.progress import make_progress  # noqa: PLC0415
    from sim.tournament.runner import play_run  # noqa: PLC0415

    plan = folder.plan
    with folder.lock():
        result = Result(folder)
        if result.is_finished:
            tell(f"{folder.path}: finished before; nothing is played again")
        else:
            done = sum(plan.count_deals(entry.chunk) for entry in folder.ledger.entries())
            before = f", {done:,} of them played before" if done else ""
            most = "at most " if plan.target or plan.contrast else ""
            settled = sum(cell.source == "settled" for cell in plan.cells)
            cells = count_of(len(plan.cells), "cell") + (f" ({settled} of them by settling again)" if settled else "")
            size = f"{most}about {show_bytes(disk_needed(plan))} on disk"
            tell(f"playing {most}{count_of(plan.deals, 'deal')} in {cells}{before}; run folder {folder.path}, {size}")
            rule: StopRule | None = PrecisionRule(plan, tell) if plan.target else None
            if plan.contrast:
                from sim.statistics.contrast import ContrastRule  # noqa: PLC0415 - only needed here
                from sim.statistics.preset_contrast import PresetRule  # noqa: PLC0415

                rule = PresetRule(plan) if plan.contrast.get("of") == "presets" else ContrastRule(folder)
            shown = make_progress(plan.deals, done, show=progress)
            cores = workers or count_cores()
            deals, seconds = play_run(folder, game, workers=cores, rule=rule, progress=shown)
            threads = f"{cores} thread{'s' if cores > 1 else ''}"
            _tell_forfeits(folder, tell)
            rate = deals / max(seconds, 1e-9)
            tell(f"played {count_of(deals, 'deal')} in {seconds:.1f} s with {threads}: {rate:,.0f} deals/s")
        for name, form in FILES.items():
            if not (folder.path / name).exists():
                try:
                    folder.write(name, result.show(form).encode("utf-8"))
                except OSError as error:
                    if is_disk_full(error):
                        raise
                    raise ResultsError(f"{folder.path / name}: cannot be written: {error.strerror}") from None
    return result


def _tell_forfeits(folder: RunFolder, tell: Say) -> None:
    """Say how many answers were forfeited, and by whom."""
    if folder.plan.data.get("on_error") != "forfeit":
        return
    counts: dict[str, int] = {}
    for entry in folder.ledger.entries():
        for at, count in enumerate(entry.totals.sums.get("forfeits", [])):
            name = folder.plan.cells[entry.chunk.cell].strategies[at // 4]
            counts[name] = counts.get(name, 0) + count
    for name, count in counts.items():
        took = "the answer of a timeout took its place" if count == 1 else "the answers of a timeout took their place"
        if count:
            tell(f"strategy {name} failed to answer {count_of(count, 'time')}; {took}")
