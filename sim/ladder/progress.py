"""Progress of ladders, for a person at a terminal: replications, games, virtual time, time left."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol, Self

from sim.tournament.progress import Silence, is_terminal, show_time_left

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from sim.ladder.simulate import Step


class LadderProgress(Protocol):
    """What the runner tells while it plays; `report` comes from all threads."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        ...

    def report(self, job: str, step: Step) -> None:
        """Tell how far a replication is."""
        ...

    def advance(self, deals: int) -> None:
        """Tell that replications of so many deals are finished."""
        ...

    def say(self, text: str) -> None:
        """Tell something in a line."""
        ...


class LadderSilence(Silence):
    """Shows nothing."""

    def report(self, job: str, step: Step) -> None:
        """Do nothing.

        Parameters
        ----------
        job
            Which replication.
        step
            How far it is.
        """


class LadderTerminal:
    """A bar on stderr.

    Parameters
    ----------
    jobs
        Replications of all cells.
    done
        Those that an earlier process has finished.
    days
        Days of virtual time that each is expected to take.
    """

    def __init__(self, jobs: int, done: int, days: float) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

        self._jobs, self._before, self._days = jobs, done, days
        self._steps: dict[str, Step] = {}
        self._lock = threading.Lock()
        self._started = 0.0
        self._bar: Bar = Progress(
            BarColumn(bar_width=12),
            TextColumn("{task.fields[text]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID = self._bar.add_task("playing", total=jobs, completed=done, text="")

    def __enter__(self) -> Self:
        """Show the bar."""
        self._started = time.monotonic()
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self._bar.stop()

    def report(self, job: str, step: Step) -> None:
        """Move the bar.

        Parameters
        ----------
        job
            Which replication.
        step
            How far it is.
        """
        with self._lock:
            self._steps[job] = step
            steps = list(self._steps.values())
        share = sum(item.share for item in steps)
        games, deals = sum(item.ended for item in steps), sum(item.deals for item in steps)
        elapsed = max(time.monotonic() - self._started, 1e-9)
        left = (self._jobs - self._before - share) / share * elapsed if share else 0.0
        day = max((item.days for item in steps if item.share < 1.0), default=step.days)
        text = (
            f"{self._before + sum(item.share >= 1.0 for item in steps):,} / {self._jobs:,} ladders  {games:,} games"
            f"  day {day:,.1f} of {self._days:,.0f}  {deals / elapsed:,.0f} deals/s  {show_time_left(left)}"
        )
        self._bar.update(self._task, completed=self._before + share, text=text)

    def advance(self, deals: int) -> None:
        """Do nothing: `report` has said it.

        Parameters
        ----------
        deals
            Deals played.
        """

    def say(self, text: str) -> None:
        """Print a line above the bar.

        Parameters
        ----------
        text
            The line.
        """
        self._bar.console.print(text, highlight=False, markup=False)


def make_ladder_progress(jobs: int, done: int, days: float, *, show: bool | None) -> LadderProgress:
    """Make what shows the progress.

    Parameters
    ----------
    jobs, done, days
        As in `LadderTerminal`.
    show
        Whether to show it; None: if stderr is a terminal.
    """
    wanted = is_terminal() if show is None else show
    return LadderTerminal(jobs, done, days) if wanted else LadderSilence()
