"""A ladder as its readers see it: sums from the ledger, rows from the files of its replications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.errors import ResultsError
from sim.ladder.records import CAUSES, STATES

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from sim.ladder.plan import LadderPlan
    from sim.ladder.store import Entry, LadderFolder


class Ladder:
    """A ladder on disk, finished or not.

    Parameters
    ----------
    folder
        Its folder.
    """

    def __init__(self, folder: LadderFolder) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path

    @property
    def plan(self) -> LadderPlan:
        """Its plan."""
        return self.folder.plan

    @property
    def is_finished(self) -> bool:
        """Whether all replications of all cells are there."""
        return self.folder.is_finished

    def entries(self) -> list[Entry]:
        """Give the finished replications, in the order of the plan: files and sums of each.

        Raises
        ------
        ResultsError
            The ledger is damaged.
        """
        return sorted(self.folder.ledger.entries(), key=lambda entry: entry.job.id)

    def games(self, *, verify: bool = True) -> pl.LazyFrame:
        """Give one row for each game and player.

        Parameters
        ----------
        verify
            Whether to compare the checksums of all files first, or only their sizes.

        Returns
        -------
        polars.LazyFrame
            Ordered by cell, replication, end of the game and seat. Columns: ``docs/ladders.md``.

        Raises
        ------
        ResultsError
            The ladder keeps no games, nothing is finished yet, or a file is missing or damaged.
        """
        if not self.plan.file.keep_games:
            raise ResultsError(f"{self.path}: this ladder keeps no games, only sums (keep_games = false)")
        rows = self._with_names(self._scan("games", verify=verify))
        names = dict(enumerate(table.name for table in self.plan.file.tables))
        return rows.with_columns(table=_named("table", names))

    def players(self, *, verify: bool = True) -> pl.DataFrame:
        """Give one row for each player, as they were at the end.

        Parameters
        ----------
        verify
            As in `games`.
        """
        rows = self._with_names(self._scan("players", verify=verify))
        found: pl.DataFrame = rows.with_columns(state=_named("state", dict(enumerate(STATES)))).collect()
        return found

    def ratings(self, *, verify: bool = True) -> pl.LazyFrame:
        """Give one row for each snapshot and player who was there: ratings over time.

        Parameters
        ----------
        verify
            As in `games`.
        """
        return self._with_names(self._scan("ratings", verify=verify))

    def queue(self) -> pl.DataFrame:
        """Give waiting times and rating gaps, a row for each cell, replication, kind of table and band of ratings.

        Returns
        -------
        polars.DataFrame
            cell, replication, table, band (rating at its lower end), seats (players matched), wait (sum, seconds),
            longest, half, ninety (the longest wait, and that within which half and 90 % of the seats were filled, at
            most 5 % too long; seconds), gap (sum over seats of the difference between highest and lowest rating at the
            table, in thousandths).
        """
        import polars as pl  # noqa: PLC0415 - only needed here

        from sim.ladder.sums import BAND, BANDS, wait_within  # noqa: PLC0415

        rows: list[dict[str, Any]] = []
        for entry in self.entries():
            start = round(self.plan.systems[self.plan.cells[entry.job.cell].rating].start)
            queue = entry.sums["queue"]
            for kind, table in enumerate(self.plan.file.tables):
                for band in range(BANDS):
                    seats, longest = queue["seats"][kind][band], queue["longest"][kind][band]
                    if seats:
                        classes = [queue["classes"][kind][band]]
                        rows.append(
                            {
                                **self._keys(entry),
                                "table": table.name,
                                "band": start + (band - BANDS // 2) * BAND // 1000,
                                "seats": seats,
                                "wait": queue["wait"][kind][band] / 1000,
                                "longest": longest / 1000,
                                "half": wait_within(classes, 0.5, longest),
                                "ninety": wait_within(classes, 0.9, longest),
                                "gap": queue["gap"][kind][band],
                            }
                        )
        return pl.DataFrame(rows, infer_schema_length=None)

    def timeouts(self) -> pl.DataFrame:
        """Give timeouts and what they cost, a row for each cell, replication, group and cause.

        Returns
        -------
        polars.DataFrame
            cell, replication, group, cause, seats (players' games), timeouts, games (in which the player's time ran out
            for this cause), priced (games that those with a price stand for), points (what the players' own timeouts
            cost in them), ranked (of priced those at ranked tables), rating (what it cost in them, in thousandths),
            drops (of connections; with the cause offline).
        """
        import polars as pl  # noqa: PLC0415 - only needed here

        rows: list[dict[str, Any]] = []
        for entry in self.entries():
            sums = entry.sums["groups"]
            for place, group in enumerate(self.plan.file.groups):
                rows += [
                    {
                        **self._keys(entry),
                        "group": group.name,
                        "cause": cause,
                        "seats": sums["seats"][place],
                        "timeouts": sums[cause][place],
                        "games": sums[f"{cause}_seats"][place],
                        "priced": sums[f"{cause}_priced"][place],
                        "points": sums[f"{cause}_cost"][place],
                        "ranked": sums[f"{cause}_ranked"][place],
                        "rating": sums[f"{cause}_rating"][place],
                        "drops": sums["drops"][place] if cause == "offline" else 0,
                    }
                    for cause in CAUSES
                ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def groups(self) -> pl.DataFrame:
        """Give the sums of each group, a row for each cell, replication and group (`sim.ladder.sums`)."""
        import polars as pl  # noqa: PLC0415 - only needed here

        rows = [
            {
                **self._keys(entry),
                "group": group.name,
                **{name: values[place] for name, values in entry.sums["groups"].items()},
            }
            for entry in self.entries()
            for place, group in enumerate(self.plan.file.groups)
        ]
        return pl.DataFrame(rows, infer_schema_length=None, orient="row")

    def _keys(self, entry: Entry) -> dict[str, Any]:
        """Name a replication."""
        cell = self.plan.cells[entry.job.cell]
        return {
            "cell": cell.index,
            "preset": cell.preset,
            "system": cell.rating,
            "replication": entry.job.replication,
        }

    def _scan(self, kind: str, *, verify: bool) -> pl.LazyFrame:
        """Scan the files of one kind, those of the ledger and no others."""
        import polars as pl  # noqa: PLC0415 - only needed here

        files = []
        for entry in self.entries():
            self.folder.refuse_damaged(entry, (kind,), thoroughly=verify)
            files.append(self.path / entry.files[kind]["file"])
        if not files:
            raise ResultsError(f"{self.path}: no replication is finished yet")
        return pl.scan_parquet(files, glob=False)

    def _with_names(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        """Put names beside numbers: preset and system of the cell, and the group."""
        cells = self.plan.cells
        return rows.with_columns(
            _named("cell", {cell.index: cell.preset for cell in cells}).alias("preset"),
            _named("cell", {cell.index: cell.rating for cell in cells}).alias("system"),
            _named("group", {place: group.name for place, group in enumerate(self.plan.file.groups)}),
        )

    def __repr__(self) -> str:
        """Say which ladder it is."""
        state = "finished" if self.is_finished else "unfinished"
        return f"<{state} ladder {self.path}>"


def _named(column: str, names: dict[int, str]) -> pl.Expr:
    """Turn numbers into names."""
    import polars as pl  # noqa: PLC0415 - only needed here

    kinds = pl.Enum(list(dict.fromkeys(names.values())))
    return pl.col(column).replace_strict(list(names), list(names.values()), return_dtype=kinds)
