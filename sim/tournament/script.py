"""The lines of a written deal, the place that its judge has come to, and what was found wrong so far.

Nothing here knows the engine; what should come next is told by `sim.tournament.following`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from sim.tournament.deal_file import Complaint, describe_event

if TYPE_CHECKING:
    from sim.tournament.deal_file import Event, Line

NOTHING: Final[Event] = {"event": "nothing"}
"""What stands beyond the last line."""


class StopError(Exception):
    """Something that the rules do not allow, after which nothing is known."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(str(complaint))
        self.complaint = complaint


class Script:
    """The lines of one deal, read one after the other.

    Parameters
    ----------
    lines : list of Line
        The deal, well formed, its event `deal` first.
    """

    def __init__(self, lines: list[Line]) -> None:
        self.lines = lines
        self.place = 1
        self.complaints: list[Complaint] = []

    @property
    def here(self) -> Event:
        """The event that comes next, NOTHING at the end."""
        return self.at(self.place)

    def at(self, place: int) -> Event:
        """Return the event at a place, NOTHING beyond the end.

        Parameters
        ----------
        place : int
            The place, 0 for the event `deal`.
        """
        return self.lines[place].event if place < len(self.lines) else NOTHING

    def number(self, place: int) -> int:
        """Return the number of the line at a place, of the last one beyond the end.

        Parameters
        ----------
        place : int
            The place.
        """
        return self.lines[min(place, len(self.lines) - 1)].number

    def complain(self, place: int, reason: str, came: str = "", allowed: str = "") -> None:
        """Note that something is wrong, and go on.

        Parameters
        ----------
        place : int
            Where.
        reason : str
            What is wrong.
        came : str
            What the file has.
        allowed : str
            What it should have.
        """
        self.complaints.append(Complaint(self.number(place), reason, came, allowed))

    def stop(self, place: int, reason: str, came: str = "", allowed: str = "") -> NoReturn:
        """Give up, since nothing is known about what follows.

        Parameters
        ----------
        place, reason, came, allowed
            As in `complain`.

        Raises
        ------
        StopError
            Always.
        """
        raise StopError(Complaint(self.number(place), reason, came, allowed))

    def refuse(self, allowed: str, reason: str = "", place: int | None = None) -> NoReturn:
        """Give up at a line that is not what may come.

        Parameters
        ----------
        allowed : str
            What may come.
        reason : str
            Why this may not.
        place : int, optional
            The line; the next one if absent.

        Raises
        ------
        StopError
            Always.
        """
        here = self.place if place is None else place
        if here >= len(self.lines):
            self.stop(here, "the deal stops before its end", "nothing more", allowed)
        self.stop(here, reason or "this cannot come here", describe_event(self.at(here)), allowed)

    def match_payments(self, due: list[Event]) -> None:
        """Compare the payments for the event just read, in any order, with the lines that come.

        Parameters
        ----------
        due : list of dict
            The payments that should come, all of them.
        """
        cause = self.place - 1
        found: list[tuple[int, Event]] = []
        rest = list(due)
        while (event := self.here)["event"] == "payment":
            if event in rest:
                rest.remove(event)
            else:
                found.append((self.place, event))
            self.place += 1
        for place, event in found:
            alike = max(rest, key=lambda other: _likeness(event, other), default=None)
            if alike is not None and _likeness(event, alike) > 1:
                rest.remove(alike)
                self.complain(place, "wrong payment", describe_event(event), describe_event(alike))
            else:
                self.complain(place, "no such payment is due", describe_event(event))
        for event in rest:
            self.complain(cause, "a payment is missing after this line", allowed=describe_event(event))


def _likeness(one: Event, other: Event) -> int:
    """Count the fields, the amount aside, in which two payments agree."""
    return sum(one[key] == other[key] for key in ("cause", "payer", "payee"))
