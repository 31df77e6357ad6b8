"""The files of one replication: rows of games, players, ratings over time; whole or not there at all.

`GAMES`, `PLAYERS` and `RATINGS` list every column; `docs/ladders.md` says the same in words.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.ratings.layout import RATING, SECOND
from sim.ladder.records import OFFLINE, SLOW
from sim.ladder.simulate import in_thousandths
from sim.ladder.sums import PRICES
from sim.tournament.files import TEMPORARY, checksum

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    from sim.ladder.plan import Job
    from sim.ladder.simulate import Replication, Snapshot
    from sim.ladder.sums import Sums

KEYS: Final = {"cell": "int16", "replication": "int32"}
_SMALL: Final = {"table": "int8", "ranked": "bool_", "seat": "int8", "group": "int8", "deals": "int16", "place": "int8"}
GAMES: Final = {**KEYS, **{name: _SMALL.get(name, "int32") for name in GAME_COLUMNS}}
PLAYERS: Final = {
    **KEYS,
    "player": "int32",
    "group": "int8",
    "state": "int8",
    "joined": "int32",
    "left": "int32",
    "ranked": "int32",
    "casual": "int32",
    "points": "int64",
    "places": "int64",
    "slow": "int32",
    "offline": "int32",
    "drops": "int32",
    "given_up": "int32",
    "slow_cost": "int64",
    "offline_cost": "int64",
    "slow_rating": "int64",
    "offline_rating": "int64",
    "rating": "int32",
    "deviation": "int32",
}
RATINGS: Final = {
    **KEYS,
    "snapshot": "int16",
    "time": "int32",
    "games": "int32",
    "player": "int32",
    "group": "int8",
    "ranked": "int32",
    "rating": "int32",
}
TABLES: Final = {"games": GAMES, "players": PLAYERS, "ratings": RATINGS}
"""The kinds of files, each a folder, and their columns with types."""
MANY_ROWS: Final = 100_000
"""Rows of snapshots that are written together."""


class Keeper:
    """Writes the files of one replication; nothing of them counts until `finish`.

    Parameters
    ----------
    folder
        The run folder.
    job
        Which replication of which cell.
    plan_hash
        Hash of the plan, kept in each file.
    keeps_games
        Whether rows of games are kept.
    """

    def __init__(self, folder: Path, job: Job, plan_hash: str, *, keeps_games: bool) -> None:
        self.job = job
        self.folder = folder
        self._hash = plan_hash
        self._files: dict[str, tuple[Any, Any]] = {}
        self._rows: dict[str, int] = {}
        self._waiting: list[dict[str, Any]] = []
        self._names = [name for name in TABLES if keeps_games or name != "games"]

    def __enter__(self) -> Self:
        for name in self._names:
            path = self._path(name)
            path.parent.mkdir(exist_ok=True)
            stream = path.with_name(path.name + TEMPORARY).open("wb")
            schema = pa.schema([(column, getattr(pa, kind)()) for column, kind in TABLES[name].items()])
            writer = pq.ParquetWriter(stream, schema.with_metadata({"plan": self._hash}), compression="zstd")
            self._files[name] = stream, writer
            self._rows[name] = 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream, writer in self._files.values():
            with suppress(OSError, ValueError, pa.ArrowException):  # of what is thrown away nothing can go wrong
                if writer.is_open:
                    writer.close()
            stream.close()
        for name in self._names:
            self._temporary(name).unlink(missing_ok=True)

    def add_games(self, games: npt.NDArray[np.int32]) -> None:
        """Add rows of games.

        Parameters
        ----------
        games : int32, shape (len(GAME_COLUMNS), rows)
            As the loop gives them.
        """
        if "games" in self._files:
            self._write("games", {name: games[place] for place, name in enumerate(GAME_COLUMNS)})

    def add_snapshot(self, snapshot: Snapshot, groups: npt.NDArray[np.int64]) -> None:
        """Add a snapshot.

        Parameters
        ----------
        snapshot
            The snapshot.
        groups : int64, shape (players,)
            Group of each player.
        """
        ones = np.ones_like(snapshot.players)
        self._waiting.append(
            {
                "snapshot": ones * snapshot.number,
                "time": ones * (snapshot.time // 1000),
                "games": ones * snapshot.games,
                "player": snapshot.players,
                "group": groups[snapshot.players],
                "ranked": snapshot.ranked,
                "rating": snapshot.ratings,
            }
        )
        if sum(len(columns["player"]) for columns in self._waiting) >= MANY_ROWS:
            self._write_snapshots()

    def _write_snapshots(self) -> None:
        """Write the snapshots that wait: many rows at a time, since each writing takes as long as thousands of rows."""
        if self._waiting:
            names = self._waiting[0]
            self._write("ratings", {name: np.concatenate([each[name] for each in self._waiting]) for name in names})
            self._waiting = []

    def add_players(self, replication: Replication, sums: Sums) -> None:
        """Add all players, as they are at the end.

        Parameters
        ----------
        replication
            The replication.
        sums
            Its sums.
        """
        count = int(replication.ladders[0].count_players)
        players, ratings = replication.players[:count], replication.ratings[:count]
        columns = {name: players[name] for name in PLAYERS if name in (players.dtype.names or ())}
        columns |= {
            "player": np.arange(count),
            "joined": players["joined"] // 1000,
            "left": np.where(players["left"] > 0, players["left"] // 1000, -1),
            "slow": players["timeouts"][:, SLOW],
            "offline": players["timeouts"][:, OFFLINE],
            **{name: sums.players[name][:count] for name in PRICES},
            "rating": in_thousandths(ratings[:, RATING]),
            "deviation": in_thousandths(ratings[:, SECOND]),
        }
        self._write("players", columns)

    def finish(self) -> dict[str, dict[str, Any]]:
        """Put all files in their places, and say what is in them.

        Returns
        -------
        dict
            For each kind of file its name in the run folder, rows, bytes and checksum.
        """
        self._write_snapshots()
        facts: dict[str, dict[str, Any]] = {}
        for stream, writer in self._files.values():
            writer.close()
            stream.flush()
            os.fsync(stream.fileno())
            stream.close()
        for name in self._names:
            temporary = self._temporary(name)
            facts[name] = {
                "file": self._path(name).relative_to(self.folder).as_posix(),
                "rows": self._rows[name],
                "size": temporary.stat().st_size,
                "sha256": checksum(temporary),
            }
        for name in self._names:
            self._temporary(name).replace(self._path(name))
        return facts

    def _write(self, name: str, columns: dict[str, Any]) -> None:
        """Add rows to a file."""
        kinds = TABLES[name]
        count = len(next(iter(columns.values())))
        keys = {"cell": self.job.cell, "replication": self.job.replication}
        arrays = [
            pa.array(np.full(count, keys[column]) if column in keys else np.asarray(columns[column])).cast(
                getattr(pa, kind)()
            )
            for column, kind in kinds.items()
        ]
        writer = self._files[name][1]
        writer.write_table(pa.Table.from_arrays(arrays, schema=writer.schema))
        self._rows[name] += count

    def _path(self, name: str) -> Path:
        """Give the place of a file."""
        return self.folder / name / f"{self.job.id}.parquet"

    def _temporary(self, name: str) -> Path:
        """Give the place of a file while it is written."""
        path = self._path(name)
        return path.with_name(path.name + TEMPORARY)
