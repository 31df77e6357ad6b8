"""Ledgers of all kinds: a line for each finished part of a run, with a checksum at its end.

What has no complete line does not count: a last line that was cut off (power, full disk) is dropped, and its part
played again. Not in here: what stands in a line (`ledger`, `sim.ladder.store`).
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, TypeVar

from sim.errors import ResultsError
from sim.tournament.files import LineFile, replacing
from sim.tournament.plan import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_CHECK: Final = b',"check":"'
_SHORT: Final = 16
"""Hex digits of a line's checksum."""


class Kept(Protocol):
    """What a line of a ledger tells: a part of a run that is finished."""

    @property
    def id(self) -> str:
        """Which part."""

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """Its files by kind: file (name in the run folder), size, sha256, and perhaps more."""

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, `id` among it."""


E = TypeVar("E", bound=Kept)


def write_line(entry: Kept) -> bytes:
    """Write a line; at its end stands a checksum of what is before it.

    Parameters
    ----------
    entry
        What it tells.
    """
    line = to_json(entry.to_dict()).removesuffix(b"}\n")
    return line + _CHECK + _check_of(line) + b'"}\n'


def _check_of(line: bytes) -> bytes:
    """Give the short checksum of what stands before it in a line."""
    return hashlib.sha256(line).hexdigest()[:_SHORT].encode("ascii")


def _is_checked(line: bytes) -> bool:
    """Tell whether a line's checksum is that of the line."""
    body, _, check = line.rpartition(_CHECK)
    return check.rstrip() == _check_of(body) + b'"}'


class CheckedLedger(LineFile, Generic[E]):
    """The ledger of a run or a ladder."""

    part: ClassVar[str]
    """What a line tells of, in messages: chunk."""

    def read(self, data: Mapping[str, Any]) -> E | None:
        """Make of plain data what a line tells.

        Parameters
        ----------
        data
            The line.

        Returns
        -------
        E or None
            None if it tells of what the plan does not have.

        Raises
        ------
        ValueError, KeyError, TypeError, AttributeError
            Something is missing or of another type.
        """
        raise NotImplementedError

    def order(self) -> Iterable[str]:
        """Give the ids of all parts, in the order of the finished ledger."""
        raise NotImplementedError

    def entries(self) -> Iterator[E]:
        """Read the ledger, one finished part at a time, in the order of its lines.

        Raises
        ------
        ResultsError
            A line is damaged, or tells of what the plan does not have, or of one part for the second time.
        """
        for entry, _, _ in self._places():
            yield entry

    def _places(self) -> Iterator[tuple[E, int, int]]:
        """Read the ledger: each entry with where its line starts and how long it is."""
        seen: set[str] = set()
        start = 0
        for number, line in enumerate(self.lines(), 1):
            where = f"{self.path}: line {number}"
            entry = self._read_line(line, where)
            if entry.id in seen:
                raise ResultsError(f"{where}: {self.part} {entry.id} stands there twice")
            seen.add(entry.id)
            yield entry, start, len(line)
            start += len(line)

    def index(self) -> dict[str, tuple[int, int]]:
        """Give for each finished part, by id, where its line starts and how long it is; the whole ledger is checked.

        Raises
        ------
        ResultsError
            As `entries`.
        """
        return {entry.id: (start, length) for entry, start, length in self._places()}

    def entries_at(self, places: Iterable[tuple[int, int]]) -> Iterator[E]:
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

    def _read_line(self, line: bytes, where: str) -> E:
        """Read one line of the ledger."""
        try:
            data = json.loads(line)
            is_whole = "check" not in data or _is_checked(line)  # older lines have none
            entry = self.read(data)
        except (ValueError, KeyError, TypeError, AttributeError):
            is_whole = False
        if not is_whole:
            again = f"`bloodbattle resume --repair` drops it and plays its {self.part} again"
            raise ResultsError(f"{where}: damaged; {again}")
        if entry is None:
            raise ResultsError(f"{where}: {self.part} {data['id']} is not in the plan")
        return entry

    def append(self, entry: E) -> None:
        """Add a finished part to the ledger, for good.

        Parameters
        ----------
        entry
            The part.
        """
        self.add(write_line(entry))

    def drop_damaged(self) -> list[str]:
        """Write the ledger anew without lines that are damaged, not of the plan, or of a part for the second time.

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
                name = self._read_line(line, where).id
            except ResultsError as error:
                faults.append(str(error).partition("; ")[0])
                continue
            if name in kept:
                faults.append(f"{where}: {self.part} {name} stands there twice")
            kept.setdefault(name, line)
        if faults:
            with replacing(self.path) as file:
                file.write(b"".join(kept.values()))
        return faults

    def keep_only(self, ids: set[str]) -> None:
        """Write the ledger anew with some parts only.

        Parameters
        ----------
        ids
            Of the parts to keep.
        """
        self._write_again(place for name, place in self.index().items() if name in ids)

    def sort(self) -> None:
        """Write the ledger anew in the order of the plan."""
        places = self.index()
        self._write_again(places[name] for name in self.order() if name in places)

    def _write_again(self, places: Iterable[tuple[int, int]]) -> None:
        """Write the ledger anew with the lines at some places, in their order."""
        with self.path.open("rb") as stream, replacing(self.path) as target:
            for start, length in places:
                stream.seek(start)
                target.write(stream.read(length))
