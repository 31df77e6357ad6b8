"""Plays what a ladder's plan has and its ledger has not, on all cores, and loses nothing that was finished.

Each replication of a cell is played in one thread (the loop lets other threads run) and touches no file but its own;
only the thread that called writes the ledger. Replications come first to last, each under all cells, so that whatever
is there when somebody stops can be compared.
"""

from __future__ import annotations

import shlex
import threading
import time
import traceback
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from sim.errors import BloodBattleError, ConfigError, InvariantError, ResultsError
from sim.ladder.account import Account, close
from sim.ladder.keep import Keeper
from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.simulate import Replication
from sim.ladder.store import FAILED, Entry
from sim.ladder.sums import Sums
from sim.rules.model import Preset
from sim.tournament.files import disk_full, is_disk_full, telling_disk_full
from sim.tournament.interrupt import Interrupted, stopping
from sim.tournament.plan import to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.ladder.plan import Job
    from sim.ladder.progress import LadderProgress
    from sim.ladder.store import LadderFolder

MOST_FAILURES: Final = 3
"""Failed replications after which a run stops: what fails so often fails everywhere."""


@dataclass(frozen=True)
class Receipt:
    """What is left of a replication in memory once it is finished."""

    entry: Entry
    """Its line of the ledger."""
    seconds: float
    """What it took."""


@dataclass(frozen=True)
class Failure:
    """A replication that could not be finished."""

    job: Job
    """Which."""
    error: Exception
    """What happened."""
    trace: str
    """Where it happened."""


class JobPlayer:
    """Plays replications of a plan: rules compiled and strategies loaded once, shared by all threads.

    Parameters
    ----------
    folder
        The folder of the ladder.
    load_strategy
        Finds a strategy by name.
    compile_rules
        Makes of a preset what the engine takes.
    """

    def __init__(
        self, folder: LadderFolder, load_strategy: Callable[[str], Any], compile_rules: Callable[[Preset], Any]
    ) -> None:
        plan = folder.plan
        self.folder = folder
        self.rules = {preset["name"]: compile_rules(Preset.model_validate(preset["knobs"])) for preset in plan.presets}
        loaded = {item["load"]: load_strategy(item["load"]) for item in plan.strategies}
        self.strategies = [loaded[item["load"]] for item in plan.strategies]

    def play(self, job: Job, shown: LadderProgress, stop: threading.Event) -> Receipt | Failure | None:
        """Play a replication.

        Parameters
        ----------
        job
            Which.
        shown
            Is told how it goes.
        stop
            Set when somebody wants an end: the replication is given up.

        Returns
        -------
        Receipt, Failure or None
            None if it was given up.
        """
        try:
            return self._play(job, shown, stop)
        except Exception as error:  # noqa: BLE001 - one replication must not take the others with it
            return Failure(job, error, traceback.format_exc())

    def _play(self, job: Job, shown: LadderProgress, stop: threading.Event) -> Receipt | None:
        """Play a replication, and write its files."""
        plan, started = self.folder.plan, time.perf_counter()
        cell = plan.cells[job.cell]
        system = plan.systems[cell.rating]
        replication = Replication(plan.file, self.rules[cell.preset], system, self.strategies, job.replication)
        sums, account = Sums(replication), Account(plan.file, system)
        with Keeper(self.folder.path, job, plan.hash, keeps_games=plan.file.keep_games) as keeper:
            for step in replication.run():
                if step.games is not None:
                    sums.add(step.games)
                    account.add(dict(zip(GAME_COLUMNS, step.games, strict=True)))
                    keeper.add_games(step.games)
                if step.snapshot is not None:
                    keeper.add_snapshot(step.snapshot, replication.players["group"])
                shown.report(job.id, step)
                if stop.is_set():
                    return None
            data = {**sums.finish(), "drift": close(account, replication).to_data()}
            keeper.add_players(replication, sums)
            files = keeper.finish()
        return Receipt(Entry(job, files, data), time.perf_counter() - started)


def play_ladder(
    folder: LadderFolder, player: JobPlayer, *, workers: int, shown: LadderProgress
) -> tuple[int, int, float]:
    """Play a ladder to its end, from wherever it is.

    Parameters
    ----------
    folder
        The folder; this process must hold its lock.
    player
        Plays replications.
    workers
        Threads.
    shown
        Is told how it goes.

    Returns
    -------
    deals
        Deals that this call played, counted once.
    again
        Deals that it played again without timeouts, for their price.
    seconds
        What that took.

    Raises
    ------
    Interrupted
        Somebody pressed Ctrl-C: finished replications are kept.
    ResultsError
        The disk is full, or the ledger is damaged.
    BloodBattleError
        Replications failed; the others were played and kept.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - only needed to play

    folder.ledger.drop_torn_line()
    folder.tidy_up()
    finished = folder.ledger.index()
    jobs = [job for job in folder.plan.jobs if job.id not in finished]
    jobs.sort(key=lambda job: (job.replication, job.cell))
    stop, failures, deals, again, busy = threading.Event(), list[Failure](), 0, 0, 0.0
    started = time.perf_counter()
    with shown, stopping(stop, shown, "finished replications are kept"):
        begun = takewhile(lambda _: not stop.is_set(), jobs)
        parallel = Parallel(n_jobs=workers, backend="threading", return_as="generator_unordered", batch_size=1)
        for result in parallel(delayed(player.play)(job, shown, stop) for job in begun):
            if isinstance(result, Receipt):
                try:
                    folder.ledger.append(result.entry)
                except OSError as error:
                    failures.append(Failure(result.entry.job, error, ""))
                    stop.set()
                    continue
                deals += result.entry.sums["deals"]
                again += result.entry.sums["deals_again"]
                busy += result.seconds
            elif isinstance(result, Failure):
                failures.append(result)
                if is_disk_full(result.error) or len(failures) >= MOST_FAILURES:
                    stop.set()
    elapsed = time.perf_counter() - started
    folder.note({"workers": workers, "deals": deals, "again": again, "seconds": elapsed, "of_workers": busy})
    _raise_failures(folder, failures)
    if stop.is_set():
        raise Interrupted(folder.path, "replications")
    folder.ledger.sort()
    return deals, again, elapsed


def _raise_failures(folder: LadderFolder, failures: list[Failure]) -> None:
    """Keep what failed, and say so."""
    if not failures:
        return
    if any(is_disk_full(failure.error) for failure in failures):
        raise disk_full(folder.path)
    with telling_disk_full(folder.path):
        for failure in failures:
            facts = {
                "replication": failure.job.id,
                "error": type(failure.error).__name__,
                "message": str(failure.error),
                "ours": not isinstance(failure.error, BloodBattleError),
                "trace": failure.trace.splitlines(),
            }
            folder.write(f"{FAILED}/{failure.job.id}.json", to_json(facts))
    first = min(failures, key=lambda failure: failure.job.id)
    kind = type(first.error) if isinstance(first.error, BloodBattleError) else InvariantError
    if isinstance(first.error, OSError):
        kind = ResultsError
    count = f"{len(failures)} replications" if len(failures) > 1 else "a replication"
    cell = folder.plan.cells[first.job.cell]
    words = (
        str(first.error)
        if isinstance(first.error, BloodBattleError)
        else f"{type(first.error).__name__}: {first.error}"
    )
    advice = f"once it is mended: bloodbattle resume {shlex.quote(str(folder.path))}"
    if isinstance(first.error, ConfigError):  # it follows from the plan, which is fixed: playing it again ends the same
        advice = "the plan of this folder is fixed; change the ladder file, and play it into a new folder"
    raise kind(
        f"{count} failed; all others are kept. Cell {cell.preset}, {cell.rating}: {words}\n"
        f"details: {folder.path / FAILED}; {advice}"
    )
