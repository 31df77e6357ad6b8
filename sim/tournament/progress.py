"""Progress of a run, for a person at a terminal; silent for everybody else."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Bar
    from rich.progress import TaskID


class Progress(Protocol):
    """What the runner tells while it plays."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop showing."""
        ...

    def advance(self, deals: int) -> None:
        """Tell that deals were played."""
        ...

    def say(self, text: str) -> None:
        """Tell something in a line."""
        ...


class Silence:
    """Shows nothing."""

    def __enter__(self) -> Self:
        """Do nothing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing."""

    def advance(self, deals: int) -> None:
        """Do nothing.

        Parameters
        ----------
        deals
            Deals played.
        """

    def say(self, text: str) -> None:
        """Do nothing.

        Parameters
        ----------
        text
            What would be said.
        """


class TerminalProgress:
    """A bar on stderr with deals/s and the time that is left.

    Parameters
    ----------
    deals
        Deals to play, at most.
    done
        Deals that an earlier process has played.
    """

    def __init__(self, deals: int, done: int) -> None:
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

        self._deals = deals
        self._done = self._before = done
        self._started = 0.0
        self._bar: Bar = Progress(
            TextColumn("playing"),
            BarColumn(bar_width=12),
            TextColumn("{task.completed:,.0f} / {task.total:,.0f} deals"),
            TextColumn("{task.fields[speed]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID = self._bar.add_task("playing", total=deals, completed=done, speed="")

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

    def advance(self, deals: int) -> None:
        """Move the bar.

        Parameters
        ----------
        deals
            Deals played.
        """
        self._done += deals
        elapsed = max(time.monotonic() - self._started, 1e-9)
        speed = show_speed(self._done - self._before, elapsed, self._deals - self._done)
        self._bar.update(self._task, completed=self._done, speed=speed)

    def say(self, text: str) -> None:
        """Print a line above the bar.

        Parameters
        ----------
        text
            The line.
        """
        self._bar.console.print(text, highlight=False, markup=False)


def show_speed(played: int, seconds: float, left: int) -> str:
    """Say how fast it goes and how long it will still take.

    Parameters
    ----------
    played
        Deals played so far by this process.
    seconds
        Time that took.
    left
        Deals still to play.

    Examples
    --------
    >>> show_speed(200_000, 2.0, 500_000)
    '100,000 deals/s  0:05 left'
    """
    rate = played / seconds
    return f"{rate:,.0f} deals/s  {show_time_left(left / rate if rate else 0)}"


def show_time_left(seconds: float) -> str:
    """Say how much time is left.

    Parameters
    ----------
    seconds
        The time.

    Examples
    --------
    >>> show_time_left(3671.2)
    '1:01:11 left'
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    clock = f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"
    return f"{clock} left"


def is_terminal() -> bool:
    """Tell whether somebody watches stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def make_progress(deals: int, done: int, *, show: bool | None) -> Progress:
    """Make what shows the progress.

    Parameters
    ----------
    deals
        Deals to play, at most.
    done
        Deals that were played before.
    show
        Whether to show it; None: if stderr is a terminal.
    """
    return TerminalProgress(deals, done) if (is_terminal() if show is None else show) else Silence()
