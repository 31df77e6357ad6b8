"""The ledger: one line for each finished chunk. What has no complete line does not count.

A last line that was cut off (power, full disk) is dropped, and its chunk played again.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.errors import ResultsError
from sim.tournament.files import replacing
from sim.tournament.plan import to_json
from sim.tournament.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sim.tournament.plan import Plan
    from sim.tournament.schedule import Chunk


@dataclass(frozen=True)
class Entry:
    """One line of the ledger: a finished chunk."""

    chunk: Chunk
    """The chunk."""
    rows: int
    """Rows of its file; 0 when rows are not kept."""
    size: int
    """Bytes of its file."""
    sha256: str
    """Checksum of its file; empty when rows are not kept."""
    totals: Totals
    """Its sums."""

    def to_json(self) -> bytes:
        """Write the line."""
        data = {
            "id": self.chunk.id,
            "file": self.chunk.file if self.sha256 else None,
            "rows": self.rows,
            "size": self.size,
            "sha256": self.sha256,
            **self.totals.to_dict(),
        }
        return to_json(data)


class Ledger:
    """The ledger of a run.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    plan
        The run's plan.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan

    def entries(self) -> Iterator[Entry]:
        """Read the ledger, one finished chunk at a time, in the order of its lines.

        Raises
        ------
        ResultsError
            A line is damaged, or names a chunk that the plan does not have, or one for the second time.
        """
        for entry, _, _ in self._places():
            yield entry

    def count(self) -> int:
        """Count the complete lines of the ledger, without reading them."""
        return sum(1 for _ in self._lines())

    def _places(self) -> Iterator[tuple[Entry, int, int]]:
        """Read the ledger: each entry with where its line starts and how long it is."""
        seen: set[str] = set()
        start = 0
        for number, line in enumerate(self._lines(), 1):
            where = f"{self.path}: line {number}"
            entry = self._read_line(line, where)
            if entry.chunk.id in seen:
                raise ResultsError(f"{where}: chunk {entry.chunk.id} stands there twice")
            seen.add(entry.chunk.id)
            yield entry, start, len(line)
            start += len(line)

    def index(self) -> dict[str, tuple[int, int]]:
        """Give for each finished chunk, by id, where its line starts and how long it is; the whole ledger is checked.

        Raises
        ------
        ResultsError
            As `entries`.
        """
        return {entry.chunk.id: (start, length) for entry, start, length in self._places()}

    def entries_at(self, places: Iterable[tuple[int, int]]) -> Iterator[Entry]:
        """Read some lines of the ledger.

        Parameters
        ----------
        places
            As `index` gives them.
        """
        with self.path.open("rb") as stream:
            for start, length in places:
                stream.seek(start)
                yield self._read_line(stream.read(length), f"{self.path}: byte {start}")

    def _lines(self) -> Iterator[bytes]:
        """Give the complete lines of the ledger."""
        file = self.path
        if file.exists():
            with file.open("rb") as stream:
                yield from (line for line in stream if line.endswith(b"\n"))

    def _read_line(self, line: bytes, where: str) -> Entry:
        """Read one line of the ledger."""
        try:
            data = json.loads(line)
            chunk = self.plan.chunk_of.get(data["id"])
            if chunk is None:
                raise ResultsError(f"{where}: chunk {data['id']} is not in the plan")
            totals = Totals.from_dict(data)
            entry = Entry(chunk, int(data["rows"]), int(data["size"]), str(data["sha256"]), totals)
            complete = totals.walls == chunk.walls and set(totals.sums) == set(self.plan.data["quantities"])
        except (ValueError, KeyError, TypeError):
            complete = False
        if not complete:
            raise ResultsError(f"{where}: damaged; delete the line, and `bloodbattle resume` plays its chunk again")
        return entry

    def append(self, entry: Entry) -> None:
        """Add a finished chunk to the ledger, for good.

        Parameters
        ----------
        entry
            The chunk.
        """
        file = self.path
        before = file.stat().st_size if file.exists() else 0
        try:
            with file.open("ab") as stream:
                stream.write(entry.to_json())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError:
            if file.exists():
                os.truncate(file, before)
            raise

    def drop_torn_line(self) -> bool:
        """Cut off a last line of the ledger that was not written to its end.

        Returns
        -------
        bool
            Whether there was one.
        """
        file = self.path
        if not file.exists():
            return False
        kept = sum(len(line) for line in self._lines())
        if kept == file.stat().st_size:
            return False
        with file.open("r+b") as stream:
            stream.truncate(kept)
            os.fsync(stream.fileno())
        return True

    def keep_only(self, ids: set[str]) -> None:
        """Write the ledger anew with some chunks only.

        Parameters
        ----------
        ids
            Of the chunks to keep.
        """
        lines = [entry.to_json() for entry in self.entries() if entry.chunk.id in ids]
        with replacing(self.path) as file:
            file.write(b"".join(lines))

    def sort(self) -> None:
        """Write the ledger anew in the order of the chunks."""
        places = self.index()
        with self.path.open("rb") as stream, replacing(self.path) as target:
            for chunk in self.plan.chunks:
                if chunk.id in places:
                    start, length = places[chunk.id]
                    stream.seek(start)
                    target.write(stream.read(length))
