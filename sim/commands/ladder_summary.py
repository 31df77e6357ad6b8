"""The summary of a ladder: what to put beside what, and in which words. One report for each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.commands.output import Report
from sim.errors import ResultsError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.ladder.plan import Cell
    from sim.ladder.results import Ladder
    from sim.ladder.store import Entry
    from sim.statistics.tables import Grid

_DAY_MS = 86_400_000
FEWEST_SEATS: Final = 100
"""Seats in all replications with which a band of ratings is told."""
FEWEST_PLAYERS: Final = 20
"""Settled players in all replications with which the rating of a group is told."""


@dataclass(frozen=True)
class Spread:
    """A mean over replications, and half of its 95 % interval."""

    value: float | None
    """The mean; None if no replication has the number."""
    half_width: float | None
    """None with fewer than two replications."""

    def show(self, digits: int, *, signed: bool = False) -> str:
        """Write it.

        Parameters
        ----------
        digits
            Digits after the point.
        signed
            Whether to write a plus too.
        """
        from sim.statistics.tables import MINUS, NOTHING

        if self.value is None:
            return NOTHING
        text = f"{self.value:+,.{digits}f}" if signed else f"{self.value:,.{digits}f}"
        text = text.replace("-", MINUS)
        return text if self.half_width is None else f"{text} ± {self.half_width:,.{digits}f}"

    def to_dict(self) -> dict[str, float | None]:
        """Give it as plain data."""
        from sim.statistics.estimate import round_off

        return {"value": round_off(self.value), "half_width": round_off(self.half_width)}


def spread_of(values: Sequence[float | None]) -> Spread:
    """Give the mean over replications and its t-interval.

    Parameters
    ----------
    values
        One of each replication; those that are None do not count.
    """
    from sim.statistics.estimate import t_quantile

    found = [value for value in values if value is not None]
    if not found:
        return Spread(None, None)
    mean = math.fsum(found) / len(found)
    if len(found) < 2:
        return Spread(mean, None)
    variance = math.fsum((value - mean) ** 2 for value in found) / (len(found) - 1)
    return Spread(mean, t_quantile(len(found) - 1) * math.sqrt(variance / len(found)))


def make_ladder_reports(ladder: Ladder) -> list[Report]:
    """Make the reports of a ladder, one for each cell with finished replications.

    Parameters
    ----------
    ladder
        The ladder.

    Raises
    ------
    ResultsError
        Nothing is finished yet.
    """
    entries = ladder.entries()
    if not entries:
        raise ResultsError(f"{ladder.path}: no replication is finished yet")
    found = []
    for cell in ladder.plan.cells:
        own = [entry for entry in entries if entry.job.cell == cell.index]
        if own:
            found.append(_CellReport(ladder, cell, own).make())
    return found


class _CellReport:
    """The report of one cell.

    Parameters
    ----------
    ladder
        The ladder.
    cell
        The cell.
    entries
        Its finished replications.
    """

    def __init__(self, ladder: Ladder, cell: Cell, entries: Sequence[Entry]) -> None:
        self.ladder = ladder
        self.cell = cell
        self.sums = [entry.sums for entry in entries]
        self.file = ladder.plan.file
        self.start = ladder.plan.systems[cell.rating].start
        self.records: list[dict[str, Any]] = []
        self.left_out = 0

    def make(self) -> Report:
        """Make it."""
        from sim.rules.words import count_of
        from sim.statistics.tables import NOTHING

        title = f"{self.ladder.plan.name}: preset {self.cell.preset}, ratings {self.cell.rating}"
        grids = [self._whole(), self._groups(), self._queue(), *self._timeouts()]
        report = Report(title, grids)
        count = len(self.sums)
        report.notes.append(
            f"{count} of {self.file.replications} replications; ± is half of a 95 % interval over replications"
            if count > 1
            else f"1 of {self.file.replications} replications, so there are no intervals"
        )
        report.notes.append(
            "ratings: of players who are there at the end with 10 ranked games or more; sd: between players of a group;"
            f" {NOTHING} with fewer than {FEWEST_PLAYERS} of them in all replications"
        )
        if self.left_out:
            report.notes.append(
                f"left out: bands of ratings with fewer than {FEWEST_SEATS} seats in all replications, together"
                f" {count_of(self.left_out, 'seat')}"
            )
        if len(grids) > 3:
            report.notes += [
                (
                    "points and rating lost: what the player's own timeouts of that cause cost in a game with one; it"
                    " is played again without them. Where several ran out of time, one of the four is drawn, and"
                    " stands for four"
                ),
                f"rating lost is {NOTHING} where no such game was at a ranked table and played again",
            ]
        report.records = list(self.records)
        report.data = {
            "plan": self.ladder.plan.hash,
            "cell": self.cell.index,
            "preset": self.cell.preset,
            "system": self.cell.rating,
            "replications": count,
            "measures": self.records,
        }
        return report

    def _note(self, where: str, who: str, measure: str, found: Spread) -> Spread:
        """Keep a number for CSV and JSON."""
        keys = {"preset": self.cell.preset, "system": self.cell.rating, "table": where, "who": who, "measure": measure}
        self.records.append({**keys, **found.to_dict()})
        return found

    def _spread(self, where: str, who: str, measure: str, of: Callable[[Any], float | None]) -> Spread:
        """Take a number of every replication."""
        return self._note(where, who, measure, spread_of([of(sums) for sums in self.sums]))

    def _whole(self) -> Grid:
        """Put together what the whole ladder did."""
        from sim.statistics.tables import Grid

        def group_sum(name: str) -> Callable[[Any], float]:
            return lambda sums: float(sum(sums["groups"][name]))

        facts: tuple[tuple[str, str, Callable[[Any], float | None], int], ...] = (
            ("games", "games", lambda sums: sums["games"], 0),
            ("deals", "deals", lambda sums: sums["deals"], 0),
            ("days", "days", lambda sums: sums["time"] / _DAY_MS, 1),
            ("players", "players in all", group_sum("players"), 0),
            ("newcomers", "newcomers", group_sum("newcomers"), 0),
            ("left", "left", group_sum("left"), 0),
            ("refused", "refused", lambda sums: sums["refused"], 0),
            ("given_up", "queues left", group_sum("given_up"), 0),
        )
        cells = [self._spread("ladder", "all", key, of).show(digits) for key, _, of, digits in facts]
        rows = tuple((label, text) for (_, label, _, _), text in zip(facts, cells, strict=True))
        return Grid("A replication", ("", "mean"), rows)

    def _groups(self) -> Grid:
        """Put the groups side by side."""
        from sim.statistics.tables import Grid

        rows = []
        for place, group in enumerate(self.file.groups):
            name = f"{group.name} (anchors)" if group.anchor else group.name

            def of(kind: str, over: str, scale: float = 1.0, place: int = place) -> Callable[[Any], float | None]:
                return lambda sums: _ratio(sums["groups"][kind][place], sums["groups"][over][place], scale)

            rating = of("rating", "settled", 1000.0)
            is_few = sum(each["groups"]["settled"][place] for each in self.sums) < FEWEST_PLAYERS

            def mean(sums: Any, rating: Callable[[Any], float | None] = rating, is_few: bool = is_few) -> float | None:
                found = None if is_few else rating(sums)
                return None if found is None else self.start + found

            def deviation(sums: Any, place: int = place, is_few: bool = is_few) -> float | None:
                count, total, squares = (sums["groups"][key][place] for key in ("settled", "rating", "rating_squares"))
                if count < 2 or is_few:
                    return None
                return math.sqrt(max(squares * count - total * total, 0) / (count * (count - 1))) / 1000

            def present(sums: Any, place: int = place) -> float:
                return float(sums["groups"]["players"][place] - sums["groups"]["left"][place])

            rows.append(
                (
                    name,
                    self._spread("groups", group.name, "players", present).show(0),
                    self._spread("groups", group.name, "games_each", of("seats", "players")).show(0),
                    self._spread("groups", group.name, "rating", mean).show(0),
                    self._spread("groups", group.name, "rating_sd", deviation).show(0),
                    self._spread("groups", group.name, "points", of("points", "seats")).show(2, signed=True),
                    self._spread("groups", group.name, "place", of("places", "ranked", 2.0)).show(2),
                )
            )
        head = ("", "players", "games each", "rating", "sd", "points a game", "place")
        return Grid("Groups at the end", head, tuple(rows))

    def _queue(self) -> Grid:
        """Put waiting times and rating gaps together, by kind of table and rating."""
        from sim.ladder.sums import BAND, BANDS, wait_within
        from sim.statistics.tables import Grid

        rows: list[tuple[str, ...]] = []
        for kind, table in enumerate(self.file.tables):
            if len(self.file.tables) > 1:
                rows.append((table.name,))
            for band in range(BANDS):
                count = sum(_seats(sums, kind, band) for sums in self.sums)
                if count < FEWEST_SEATS:
                    self.left_out += count
                    continue
                low = self.start + (band - BANDS // 2) * BAND / 1000
                high = low + BAND / 1000
                label = f"{low:,.0f} to {high:,.0f}"
                if band in (0, BANDS - 1):
                    label = f"below {high:,.0f}" if band == 0 else f"{low:,.0f} and more"

                def of(key: str, kind: int = kind, band: int = band) -> Callable[[Any], float | None]:
                    return lambda each: _ratio(each["queue"][key][kind][band], _seats(each, kind, band), 1000.0)

                who = f"{table.name}: {label}"
                classes = [sums["queue"]["classes"][kind][band] for sums in self.sums]
                longest = max(sums["queue"]["longest"][kind][band] for sums in self.sums)
                half, ninety = (wait_within(classes, share, longest) for share in (0.5, 0.9))
                self._note("queue", who, "seats", Spread(count / len(self.sums), None))
                self._note("queue", who, "half_within", Spread(half, None))
                self._note("queue", who, "ninety_within", Spread(ninety, None))
                self._note("queue", who, "longest_wait", Spread(longest / 1000, None))
                rows.append(
                    (
                        label,
                        f"{count:,}",
                        f"{self._spread('queue', who, 'wait', of('wait')).show(1)} s",
                        *(f"{time:,.{0 if time >= 100 else 1}f} s" for time in (half, ninety, longest / 1000)),
                        self._spread("queue", who, "gap", of("gap")).show(0),
                    )
                )
        head = ("rating", "seats", "waits", "half within", "90 % within", "longest", "gap at the table")
        return Grid("Waiting and rating gaps", head, tuple(rows))

    def _timeouts(self) -> list[Grid]:
        """Put timeouts and their price together, by group and cause; nothing if there are none."""
        from sim.ladder.records import CAUSES
        from sim.statistics.tables import NOTHING, Grid

        rows = []
        for place, group in enumerate(self.file.groups):
            for cause in CAUSES:

                def of(key: str, over: str, scale: float, place: int = place) -> Callable[[Any], float | None]:
                    return lambda each: _ratio(each["groups"][key][place], each["groups"][over][place], scale)

                total = sum(sums["groups"][cause][place] for sums in self.sums)
                drops = sum(sums["groups"]["drops"][place] for sums in self.sums)
                if not total and not (cause == "offline" and drops):
                    continue
                who = f"{group.name}: {cause}"
                drop = NOTHING
                if cause == "offline":
                    drop = self._spread("timeouts", who, "drops", of("drops", "seats", 0.001)).show(1)
                rows.append(
                    (
                        f"{group.name}, {cause}",
                        drop,
                        self._spread("timeouts", who, "timeouts", of(cause, "seats", 0.001)).show(1),
                        self._spread("timeouts", who, "games_with", of(f"{cause}_seats", "seats", 0.001)).show(1),
                        self._spread("timeouts", who, "points", of(f"{cause}_cost", f"{cause}_priced", 1.0)).show(2),
                        self._spread("timeouts", who, "rating", of(f"{cause}_rating", f"{cause}_ranked", 1000.0)).show(
                            2
                        ),
                    )
                )
        if not rows:
            return []
        head = ("of 1,000 games", "drops", "timeouts", "games with one", "points lost", "rating lost")
        return [Grid("Timeouts and connections, and what a player's own timeouts cost", head, tuple(rows))]


def _seats(sums: Any, kind: int, band: int) -> int:
    """Count the seats of a band."""
    return int(sums["queue"]["seats"][kind][band])


def _ratio(top: int, bottom: int, scale: float) -> float | None:
    """Divide, last of all."""
    return top / bottom / scale if bottom else None
