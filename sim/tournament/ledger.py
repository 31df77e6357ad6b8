"""The ledger: one line for each finished chunk. What has no complete line does not count.

A last line that was cut off (power, full disk) is dropped, and its chunk played again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sim.errors import ResultsError
from sim.tournament.files import LineFile, replacing
from sim.tournament.plan import to_json
from sim.tournament.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sim.tournament.plan import Plan
    from sim.tournament.schedule import Chunk


_CHECK: Final = b',"check":"'
_SHORT: Final = 16
"""Hex digits of a line's checksum."""


def _check_of(line: bytes) -> bytes:
    """Give the short checksum of what stands before it in a line."""
    return hashlib.sha256(line).hexdigest()[:_SHORT].encode("ascii")


def _is_checked(line: bytes) -> bool:
    """Tell whether a line's checksum is that of the line."""
    body, _, check = line.rpartition(_CHECK)
    return check.rstrip() == _check_of(body) + b'"}'


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
        """Write the line; at its end stands a checksum of what is before it."""
        data = {
            "id": self.chunk.id,
            "file": self.chunk.file if self.sha256 else None,
            "rows": self.rows,
            "size": self.size,
            "sha256": self.sha256,
            **self.totals.to_dict(),
        }
        line = to_json(data).removesuffix(b"}\n")
        return line + _CHECK + _check_of(line) + b'"}\n'


class Ledger(LineFile):
    """The ledger of a run.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    plan
        The run's plan.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path)
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

    def _places(self) -> Iterator[tuple[Entry, int, int]]:
        """Read the ledger: each entry with where its line starts and how long it is."""
        seen: set[str] = set()
        start = 0
        for number, line in enumerate(self.lines(), 1):
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

    def _read_line(self, line: bytes, where: str) -> Entry:
        """Read one line of the ledger."""
        try:
            data = json.loads(line)
            chunk = self.plan.chunk_of.get(data["id"])
            if chunk is None:
                raise ResultsError(f"{where}: chunk {data['id']} is not in the plan")
            totals = Totals.from_dict(data)
            entry = Entry(chunk, int(data["rows"]), int(data["size"]), str(data["sha256"]), totals)
            complete = (
                totals.walls == chunk.walls
                and set(totals.sums) == set(self.plan.data["quantities"])
                and ("check" not in data or _is_checked(line))  # older lines have none
            )
        except (ValueError, KeyError, TypeError):
            complete = False
        if not complete:
            raise ResultsError(f"{where}: damaged; `bloodbattle resume --repair` drops it and plays its chunk again")
        return entry

    def append(self, entry: Entry) -> None:
        """Add a finished chunk to the ledger, for good.

        Parameters
        ----------
        entry
            The chunk.
        """
        self.add(entry.to_json())

    def drop_damaged(self) -> list[str]:
        """Write the ledger anew without lines that are damaged, of no chunk of the plan, or of one for the second time.

        Returns
        -------
        list of str
            What is wrong with each line that was dropped.
        """
        kept: dict[str, bytes] = {}
        faults = []
        for number, line in enumerate(self.lines(), 1):
            where = f"{self.path}: line {number}"
            try:
                chunk = self._read_line(line, where).chunk.id
            except ResultsError as error:
                faults.append(str(error).partition("; ")[0])
                continue
            if chunk in kept:
                faults.append(f"{where}: chunk {chunk} stands there twice")
            kept.setdefault(chunk, line)
        if faults:
            with replacing(self.path) as file:
                file.write(b"".join(kept.values()))
        return faults

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
