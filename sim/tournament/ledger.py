"""The ledger of a run: one line for each finished chunk, with its file and its sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.tournament.checked import CheckedLedger
from sim.tournament.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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

    @property
    def id(self) -> str:
        """Name of the chunk."""
        return self.chunk.id

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """Its file of rows, if rows are kept."""
        return {"rows": {"file": self.chunk.file, "size": self.size, "sha256": self.sha256}} if self.sha256 else {}

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "id": self.chunk.id,
            "file": self.chunk.file if self.sha256 else None,
            "rows": self.rows,
            "size": self.size,
            "sha256": self.sha256,
            **self.totals.to_dict(),
        }


class Ledger(CheckedLedger[Entry]):
    """The ledger of a run.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    plan
        The run's plan.
    """

    part = "chunk"

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path)
        self.plan = plan

    def read(self, data: Mapping[str, Any]) -> Entry | None:
        """Make a finished chunk of plain data."""
        chunk = self.plan.chunk_of.get(data["id"])
        if chunk is None:
            return None
        totals = Totals.from_dict(data)
        if totals.walls != chunk.walls or set(totals.sums) != set(self.plan.data["quantities"]):
            raise ValueError("sums of another chunk")
        return Entry(chunk, int(data["rows"]), int(data["size"]), str(data["sha256"]), totals)

    def order(self) -> Iterable[str]:
        """Give the ids of all chunks, in the order of the plan."""
        return (chunk.id for chunk in self.plan.chunks)
