"""The schedule: which walls of which cell are played together in one chunk, and in which batch.

A chunk is walls of one cell with all their seatings. The chunks of a family over the same walls are a task: one worker
plays them one after the other, since they are added up in pairs. Chunks follow from the experiment alone, never from
workers or time, so a run is the same whoever plays it. With a target, walls come in batches, and whether to go on is
decided after each batch; without one there is a single batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHUNK_DEALS: Final = 32_000
"""Most deals in a chunk (one wall's block is never split)."""
TASK_DEALS: Final = 200_000
"""About the most deals in all chunks of a task together, ..."""
LEAST_DEALS: Final = 2_000
"""... but each chunk of a large family still has this many, so that ledgers stay small, ..."""
MOST_TASK_DEALS: Final = 400_000
"""... up to this many in all, since the settled deals of a task are in memory together (under 700 bytes each)."""
ROUND_WALLS: Final = 1_000
"""Chunks of more walls than this hold a multiple of it, so that round numbers of walls leave no small rests."""


@dataclass(frozen=True)
class Chunk:
    """Some walls of one cell: one task, one file, one line of the ledger."""

    cell: int
    """Index of the cell."""
    batch: int
    """Batch that the walls belong to."""
    first_wall: int
    """Index of the first wall."""
    walls: int
    """How many walls."""

    @property
    def id(self) -> str:
        """What files and messages call it."""
        return f"c{self.cell:04d}-w{self.first_wall:010d}"

    @property
    def file(self) -> str:
        """Where its rows are, within the run folder."""
        return f"chunks/{self.id}.parquet"


@dataclass(frozen=True)
class Task:
    """The chunks of a family over the same walls."""

    chunks: tuple[Chunk, ...]
    """In the order of their cells."""

    @property
    def id(self) -> str:
        """What it is called: as its first chunk."""
        return self.chunks[0].id


class Size(NamedTuple):
    """How much there is to play in a cell."""

    walls: int
    """Its walls."""
    seatings: int
    """Seatings of each wall."""
    family: int = 1
    """Cells in its family."""


def make_tasks(chunks: Sequence[Chunk], families: Sequence[int]) -> tuple[Task, ...]:
    """Put together the chunks that are played together.

    Parameters
    ----------
    chunks
        In their order.
    families
        For each cell what is the same for the cells of its family.

    Returns
    -------
    tuple of Task
        In the order of their first chunks; every chunk in exactly one.
    """
    found: dict[tuple[int, int, int], list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault((families[chunk.cell], chunk.batch, chunk.first_wall), []).append(chunk)
    return tuple(Task(tuple(together)) for together in found.values())


def make_schedule(cells: Sequence[Size], batch: int | None) -> tuple[Chunk, ...]:
    """List the chunks of a run in their order: by batch, then by wall, then by cell.

    Parameters
    ----------
    cells
        How much there is to play in each cell.
    batch
        Walls in a batch; None for a single batch.

    Returns
    -------
    tuple of Chunk
        Every wall of every cell exactly once.
    """
    chunks = [
        Chunk(cell, number, first, walls)
        for cell, size in enumerate(cells)
        for number, start, end in _batches(size.walls, batch)
        for first, walls in _parts(start, end, chunk_walls(size.seatings, size.family))
    ]
    return tuple(sorted(chunks, key=lambda chunk: (chunk.batch, chunk.first_wall, chunk.cell)))


def chunk_walls(seatings: int, family: int = 1) -> int:
    """Give the number of walls in a full chunk.

    Parameters
    ----------
    seatings
        Seatings of each wall.
    family
        Cells in the family, whose chunks are played together.

    Examples
    --------
    >>> chunk_walls(1), chunk_walls(4), chunk_walls(24)
    (32000, 8000, 1000)
    >>> chunk_walls(1, 10), chunk_walls(24, 10), chunk_walls(1, 100), chunk_walls(1, 1000)
    (6000, 266, 2000, 400)
    """
    least = min(LEAST_DEALS, MOST_TASK_DEALS // family)
    deals = min(CHUNK_DEALS, max(least, TASK_DEALS // family))
    walls = max(1, deals // seatings)
    return walls - walls % ROUND_WALLS if walls > ROUND_WALLS else walls


def count_chunks(cells: Sequence[Size], batch: int | None) -> int:
    """Count the chunks of a run without making them, to refuse absurd ones.

    Parameters
    ----------
    cells, batch
        As in `make_schedule`.
    """
    count = 0
    for walls, seatings, family in cells:
        size = chunk_walls(seatings, family)
        whole, rest = divmod(walls, batch or walls)
        count += whole * -(-(batch or walls) // size) + -(-rest // size)
    return count


def _batches(walls: int, batch: int | None) -> Iterator[tuple[int, int, int]]:
    """Give number, first wall and end of each batch."""
    size = batch or walls
    for number, start in enumerate(range(0, walls, size)):
        yield number, start, min(start + size, walls)


def _parts(start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut a range of walls into parts: first wall and number."""
    for first in range(start, end, size):
        yield first, min(size, end - first)
