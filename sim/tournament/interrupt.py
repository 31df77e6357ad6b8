"""Ctrl-C: the first one asks for an end, and what was finished is kept."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType


class Teller(Protocol):
    """Whatever shows a line to a person."""

    def say(self, text: str) -> None:
        """Tell something in a line."""
        ...


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C: what was finished is kept.

    Parameters
    ----------
    path
        The run folder.
    what
        What is kept of it.
    """

    def __init__(self, path: Path, what: str = "chunks") -> None:
        super().__init__(f"interrupted; finished {what} are kept in {path}")
        self.path = path


@contextmanager
def stopping(stop: threading.Event, shown: Teller, what: str) -> Iterator[None]:
    """Let the first Ctrl-C (or a request to terminate) ask for an end; the second one breaks off.

    Parameters
    ----------
    stop
        Is set by the first one.
    shown
        Is told.
    what
        What is done until the end.
    """

    def ask(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        shown.say(f"stopping: {what}")

    handlers: dict[int, Callable[[int, FrameType | None], Any] | int | None] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
