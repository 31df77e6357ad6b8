"""A watch over deals in play: it tells of a strategy that does not answer, and stops the program.

Nothing can interrupt compiled code from outside, but it lets other threads run; one of them looks once a second whether
every deal in play has moved.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

EXIT_CODE = 3
"""How the program ends: as for any strategy that cannot be used."""
_PERIOD = 1.0
_MOVES = ("decision", "turn", "count_discards", "tiles_left", "count_wins")


class Stuck(Protocol):
    """What is done about a strategy that does not answer."""

    def __call__(self, message: str) -> None:
        """Do it."""
        ...


def leave(message: str) -> None:
    """Say what happened and end the program at once; what was finished is on the disk.

    Parameters
    ----------
    message : str
        What happened.
    """
    sys.stderr.write(f"\nerror: {message}\n")
    sys.stderr.flush()
    os._exit(EXIT_CODE)


Keep = Callable[[str, Mapping[str, Any]], None]
"""Takes what happened, in words and as plain data, and keeps it where somebody will find it."""


class _Play:
    """Deals in play in one thread."""

    def __init__(
        self, look: Callable[[], tuple[Any, Any]], describe: Callable[[], tuple[str, Mapping[str, Any]]], keep: Keep
    ) -> None:
        self.look = look
        self.describe = describe
        self.keep = keep
        self.moves: Any = None
        self.since = time.monotonic()


class Watch:
    """Looks after all deals in play.

    Attributes
    ----------
    limit : float
        Seconds that one answer may take; 0 for as long as it likes.
    act : callable
        What is done when one takes longer.
    local : threading.local
        What each thread says of its deals: ``label``, which names one by the indices of its wall and seating, and
        ``keep``, a `Keep` that is called before `act`.
    """

    def __init__(self) -> None:
        self.limit = 60.0
        self.act: Stuck = leave
        self.local = threading.local()
        self._plays: dict[int, _Play] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def telling(self, label: Callable[[int, int], str], keep: Keep) -> Iterator[None]:
        """Say what there is to say about the deals that this thread plays in this block.

        Parameters
        ----------
        label : callable
            Names a deal by the indices of its wall and seating.
        keep : callable
            Keeps what is known of an answer that does not come.
        """
        self.local.label, self.local.keep = label, keep
        try:
            yield
        finally:
            del self.local.label, self.local.keep

    @contextlib.contextmanager
    def over(
        self, look: Callable[[], tuple[Any, Any]], describe: Callable[[], tuple[str, Mapping[str, Any]]]
    ) -> Iterator[None]:
        """Look after the deals that are played in this block.

        Parameters
        ----------
        look : callable
            Gives the deal that is being played, and something that changes from deal to deal.
        describe : callable
            Says which seat is asked what in which deal, in words and as plain data.
        """
        if not self.limit:
            yield
            return
        play = _Play(look, describe, getattr(self.local, "keep", _keep_nothing))
        with self._lock:
            self._plays[id(play)] = play
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                del self._plays[id(play)]

    def _run(self) -> None:
        """Look once a second."""
        while True:
            time.sleep(min(_PERIOD, self.limit / 2))
            with self._lock:
                plays = list(self._plays.values())
            now = time.monotonic()
            for play in plays:
                deal, number = play.look()
                moves = (number, int(deal.asked), *(int(getattr(deal.table, name)) for name in _MOVES))
                if moves != play.moves:
                    play.moves, play.since = moves, now
                elif now - play.since > self.limit:
                    play.since = now
                    words, facts = play.describe()
                    message = f"no answer for {self.limit:g} s: {words}"
                    with contextlib.suppress(OSError):  # a full disk must not keep the program from ending
                        play.keep(message, facts)
                    self.act(message)


def _keep_nothing(_message: str, _facts: Mapping[str, Any]) -> None:
    """Keep nothing."""


WATCH = Watch()
"""The one of this process."""
