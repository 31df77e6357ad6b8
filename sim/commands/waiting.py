"""Waiting for compiled code in such a way that Ctrl-C ends the command."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def wait_for(work: Callable[[], T]) -> T:
    """Do something in a thread of its own, since a kernel that runs in the main one cannot be interrupted.

    Parameters
    ----------
    work
        What to do; it lets go of the interpreter's lock while it computes.

    Returns
    -------
    object
        What it returned.

    Raises
    ------
    Exception
        What it raised.
    KeyboardInterrupt
        If it was interrupted; the thread ends with the process.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.2)
    if errors:
        raise errors[0]
    return results[0]
