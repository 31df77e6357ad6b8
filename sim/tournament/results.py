"""A run as its readers see it: totals from the ledger, rows from the chunk files, and what a deal of it was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim.errors import ConfigError, ResultsError
from sim.rules.model import Preset
from sim.rules.words import show_value
from sim.tournament.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import polars as pl

    from sim.tournament.plan import Cell, Plan
    from sim.tournament.store import RunFolder


@dataclass(frozen=True)
class DealId:
    """Which deal of a run: written ``cell.wall.seating``."""

    cell: int
    """Number of the cell."""
    wall: int
    """Index of the wall."""
    seating: int
    """Index of the seating."""

    def __str__(self) -> str:
        """Write it."""
        return f"{self.cell}.{self.wall}.{self.seating}"


@dataclass(frozen=True)
class DealSetup:
    """All that playing one deal again needs."""

    preset: Preset
    """The rules."""
    preset_name: str
    """What the experiment calls them."""
    strategies: tuple[str, ...]
    """What to load for each slot."""
    seating: tuple[int, ...]
    """The slot in each seat."""
    seating_index: int
    """Index of the seating: part of the identity of each seat's own lots."""
    seatings: tuple[tuple[int, ...], ...]
    """All seatings of the line-up, in their order."""
    seed: int
    """The run's seed."""
    wall: int
    """Index of the wall; with the seed it gives the wall seed."""
    wall_mode: str
    """The wall mode."""


def parse_deal_id(text: str) -> DealId:
    """Read the name of a deal.

    Parameters
    ----------
    text
        Such as ``2.1041.3``.

    Raises
    ------
    ConfigError
        It is none.

    Examples
    --------
    >>> parse_deal_id("2.1041.3").wall
    1041
    """
    found = re.fullmatch(r"(\d{1,9})\.(\d{1,10})\.(\d{1,9})", text.strip())
    if found is None:
        raise ConfigError(f"{show_value(text)} names no deal; allowed: CELL.WALL.SEATING, such as 0.125.3")
    cell, wall, seating = (int(part) for part in found.groups())
    return DealId(cell, wall, seating)


class Run:
    """A run on disk, finished or not.

    Parameters
    ----------
    folder
        Its folder.
    """

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder.path

    @property
    def plan(self) -> Plan:
        """Its plan."""
        return self.folder.plan

    @property
    def is_finished(self) -> bool:
        """Whether everything was played."""
        return self.folder.outcome is not None

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """Why it stopped, and the walls and looks; None while it is unfinished."""
        return self.folder.outcome

    def totals(self) -> dict[int, Totals]:
        """Add up the ledger.

        Returns
        -------
        dict
            The totals of each cell that has finished chunks, by the cell's number.

        Raises
        ------
        ResultsError
            The ledger is damaged, or lacks chunks of a finished run.
        """
        self.folder.refuse_missing()
        found: dict[int, Totals] = {}
        for entry in self.folder.ledger.entries():
            found.setdefault(entry.chunk.cell, Totals(entry.totals.groups)).add(entry.totals)
        return dict(sorted(found.items()))

    def paired_totals(self) -> dict[int, Totals]:
        """Add up those walls of the ledger that all cells of a family have played, so that cells can be compared.

        Returns
        -------
        dict
            As `totals`; the same for a finished run and for one without a design.

        Raises
        ------
        ResultsError
            The ledger is damaged, or lacks chunks of a finished run.
        """
        if self.is_finished or self.plan.design is None:
            return self.totals()
        done = {entry.chunk.id for entry in self.folder.ledger.entries()}
        whole = {
            chunk.id
            for task in self.plan.tasks
            if all(chunk.id in done for chunk in task.chunks)
            for chunk in task.chunks
        }
        found: dict[int, Totals] = {}
        for entry in self.folder.ledger.entries():
            if entry.chunk.id in whole:
                found.setdefault(entry.chunk.cell, Totals(entry.totals.groups)).add(entry.totals)
        return dict(sorted(found.items()))

    def seats(self, *, verify: bool = True) -> pl.LazyFrame:
        """Give the rows: one for each deal and seat.

        Parameters
        ----------
        verify
            Whether to compare the checksums of all files first, or only their sizes.

        Returns
        -------
        polars.LazyFrame
            Ordered by cell, wall, seating and seat within each chunk; chunks in the order of the plan. Columns:
            ``docs/results.md``. ``.collect().to_pandas()`` makes it a pandas frame.

        Raises
        ------
        ResultsError
            The run keeps no rows, has none yet, or a chunk or its file is missing or damaged.
        """
        import polars as pl  # noqa: PLC0415 - only needed here

        if not self.plan.has_rows:
            raise ResultsError(f"{self.path}: this run keeps no rows, only sums (rows = false)")
        self.folder.refuse_missing()
        files: dict[str, Path] = {}
        for entry in self.folder.ledger.entries():
            self.folder.refuse_damaged(entry, thoroughly=verify)
            files[entry.chunk.id] = self.path / entry.chunk.file
        ordered = [files[chunk.id] for chunk in self.plan.chunks if chunk.id in files]
        if not ordered:
            raise ResultsError(f"{self.path}: nothing has been played yet")
        return pl.scan_parquet(ordered, glob=False)

    def cell(self, index: int) -> Cell:
        """Give a cell by its number.

        Parameters
        ----------
        index
            The number.

        Raises
        ------
        ConfigError
            There is none.
        """
        cells = self.plan.cells
        if not 0 <= index < len(cells):
            raise ConfigError(f"{self.path}: there is no cell {index}; allowed: 0 to {len(cells) - 1}")
        return cells[index]

    def deal_setup(self, deal: DealId | str) -> DealSetup:
        """Find out what a deal of the run was played with.

        Parameters
        ----------
        deal
            Which deal.

        Raises
        ------
        ConfigError
            The run has no such deal.
        """
        identity = parse_deal_id(deal) if isinstance(deal, str) else deal
        cell = self.cell(identity.cell)
        for what, number, count in (
            ("wall", identity.wall, cell.walls),
            ("seating", identity.seating, len(cell.seatings)),
        ):
            if number >= count:
                raise ConfigError(f"{self.path}: cell {cell.index} has no {what} {number}; allowed: 0 to {count - 1}")
        return DealSetup(
            preset=Preset.model_validate(self.plan.preset_of(cell)["knobs"]),
            preset_name=cell.preset,
            strategies=tuple(self.plan.strategies[name]["load"] for name in cell.strategies),
            seating=cell.seatings[identity.seating],
            seating_index=identity.seating,
            seatings=cell.seatings,
            seed=self.plan.seed,
            wall=identity.wall,
            wall_mode=self.plan.wall_mode,
        )
