"""The runner: plays what a plan has and a ledger has not, on all cores, and loses nothing that was finished.

Workers are threads (kernels let other threads run), so one compilation and one import serve all. They return receipts;
only this thread writes the ledger. Whether a run with a target goes on is decided on whole batches in order, never on
what happened to finish first, so results do not depend on workers, order or interruptions.
"""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from sim.errors import BloodBattleError, InvariantError, ResultsError
from sim.tournament.chunk import Failure, Receipt, describe_failure
from sim.tournament.files import disk_full, telling_disk_full
from sim.tournament.interrupt import Interrupted, stopping
from sim.tournament.plan import to_json
from sim.tournament.progress import Silence
from sim.tournament.store import FAILED, OUTCOME
from sim.tournament.task import TaskPlayer
from sim.tournament.totals import Totals

if TYPE_CHECKING:
    from types import TracebackType

    from sim.tournament.game import Game
    from sim.tournament.progress import Progress
    from sim.tournament.schedule import Chunk, Task
    from sim.tournament.store import RunFolder

MOST_FAILURES: Final = 5
"""Failed chunks after which a run stops: what fails so often fails everywhere."""

CellTotals = Mapping[int, Totals]


class StopRule(Protocol):
    """Decides after each batch whether the results are good enough."""

    def look(self, walls: int, totals: CellTotals) -> str | None:
        """Look at the results so far; called once a batch, in order.

        Parameters
        ----------
        walls
            Walls played in every cell.
        totals
            Totals of each cell over exactly these walls.

        Returns
        -------
        str or None
            Why to stop; None to go on.
        """
        ...

    def facts(self) -> Any:
        """Give what the looks found, as plain data, for the outcome."""
        ...

    def shortfall(self) -> str:
        """Say after the last look what is missing to have stopped before."""
        ...


@dataclass
class _State:
    """What the runner has done and seen."""

    totals: dict[int, Totals] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    deals: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


def play_run(
    folder: RunFolder,
    game: Game,
    *,
    workers: int,
    rule: StopRule | None = None,
    progress: Progress | None = None,
) -> tuple[int, float]:
    """Play a run to its end, from wherever it is.

    Parameters
    ----------
    folder
        The run folder; this process must hold its lock.
    game
        The game.
    workers
        Threads to play with.
    rule
        For plans with a target: when to stop. A fresh one, since it is shown all looks from the first.
    progress
        Is told how it goes.

    Returns
    -------
    deals
        Deals that this call played.
    seconds
        What that took.

    Raises
    ------
    Interrupted
        Somebody pressed Ctrl-C: what was being played was finished and kept.
    ResultsError
        The disk is full, or the ledger is damaged.
    BloodBattleError
        Chunks failed; the others were played and kept.
    """
    plan = folder.plan
    if folder.outcome is not None:
        return 0, 0.0
    folder.ledger.drop_torn_line()
    folder.tidy_up()
    finished = folder.ledger.index()
    player = TaskPlayer(plan, game, folder.path)
    state = _State()
    shown: Progress = progress or Silence()
    started = time.perf_counter()
    stop = threading.Event()
    reason = None
    with shown, stopping(stop, shown, "finishing the chunks being played"), _Pool(workers, player, stop) as pool:
        for _, batch in groupby(plan.tasks, key=lambda task: task.chunks[0].batch):
            tasks = tuple(batch)
            chunks = [chunk for task in tasks for chunk in task.chunks]
            _add_finished(folder, chunks, finished, state)
            pending = {chunk.id for chunk in chunks if chunk.id not in finished}
            for results in pool.play(tasks, pending):
                for result in results:
                    _take(result, folder, state, shown, stop)
            if stop.is_set() or state.failures:
                break
            if rule is not None:
                reason = rule.look(max(chunk.first_wall + chunk.walls for chunk in chunks), state.totals)
                if reason is not None:
                    break
    elapsed = time.perf_counter() - started
    folder.note({"workers": workers, "deals": state.deals, "seconds": elapsed, "of_workers": state.seconds})
    _raise_failures(folder, state.failures)
    if stop.is_set():
        raise Interrupted(folder.path)
    if reason is None:
        reason = "all planned walls played" if rule is None else f"the most walls allowed played, {rule.shortfall()}"
    walls = {str(cell): totals.walls for cell, totals in sorted(state.totals.items())}
    outcome = {"reason": reason, "walls": walls, "looks": None if rule is None else rule.facts()}
    try:
        folder.ledger.sort()
        folder.write(OUTCOME, to_json(outcome))
    except OSError as error:
        _raise_failures(folder, [Failure(plan.chunks[-1], error, "")])
    return state.deals, elapsed


class _Pool:
    """Threads that play tasks."""

    def __init__(self, workers: int, player: TaskPlayer, stop: threading.Event) -> None:
        from joblib import Parallel  # noqa: PLC0415 - only needed to play

        self._parallel = Parallel(n_jobs=workers, backend="threading", return_as="generator_unordered", batch_size=1)
        self._player = player
        self._stop = stop

    def __enter__(self) -> Self:
        self._parallel.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._parallel.__exit__(kind, error, trace)

    def play(self, tasks: Sequence[Task], pending: AbstractSet[str]) -> Iterator[list[Receipt | Failure]]:
        """Play the chunks of tasks that are pending, and give what comes of each task as it comes."""
        from joblib import delayed  # noqa: PLC0415

        wanted = [(task, {chunk.id for chunk in task.chunks} & pending) for task in tasks]
        open_tasks = [(task, ids) for task, ids in wanted if ids]
        if not open_tasks:
            return iter(())
        begun = takewhile(lambda _: not self._stop.is_set(), open_tasks)
        found: Any = self._parallel(delayed(self._player.play)(task, ids, self._stop.is_set) for task, ids in begun)
        return iter(found)


def _add_finished(
    folder: RunFolder, chunks: Sequence[Chunk], finished: Mapping[str, tuple[int, int]], state: _State
) -> None:
    """Add up the chunks of a batch that an earlier process has finished."""
    places = [finished[chunk.id] for chunk in chunks if chunk.id in finished]
    if places:
        for entry in folder.ledger.entries_at(places):
            _add(entry.chunk.cell, entry.totals, state)


def _add(cell: int, totals: Totals, state: _State) -> None:
    """Add totals to those of their cell."""
    state.totals.setdefault(cell, Totals(totals.groups)).add(totals)


def _take(result: Receipt | Failure, folder: RunFolder, state: _State, shown: Progress, stop: threading.Event) -> None:
    """Book what a worker returned."""
    if isinstance(result, Receipt):
        try:
            folder.ledger.append(result.entry)
        except OSError as error:
            state.failures.append(Failure(result.entry.chunk, error, ""))
            stop.set()
            return
        _add(result.entry.chunk.cell, result.entry.totals, state)
        state.deals += result.deals
        for what, seconds in result.seconds.items():
            state.seconds[what] = state.seconds.get(what, 0.0) + seconds
        shown.advance(result.deals)
    else:
        state.failures.append(result)
        if result.is_disk_full or len(state.failures) >= MOST_FAILURES:
            stop.set()


def _raise_failures(folder: RunFolder, failures: Sequence[Failure]) -> None:
    """Keep what failed, and say so."""
    if not failures:
        return
    if any(failure.is_disk_full for failure in failures):
        raise disk_full(folder.path)
    with telling_disk_full(folder.path):
        for failure in failures:
            folder.write(f"{FAILED}/{failure.chunk.id}.json", to_json(describe_failure(failure)))
    first = min(failures, key=lambda failure: failure.chunk.id)
    kind = type(first.error) if isinstance(first.error, BloodBattleError) else InvariantError
    if isinstance(first.error, OSError):
        kind = ResultsError
    count = f"{len(failures)} chunks" if len(failures) > 1 else "a chunk"
    raise kind(
        f"{count} failed; all others are kept. Chunk {first.chunk.id}: {type(first.error).__name__}: {first.error}\n"
        f"details: {folder.path / FAILED}; once it is mended: bloodbattle resume {shlex.quote(str(folder.path))}"
    )
