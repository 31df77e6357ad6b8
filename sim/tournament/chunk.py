"""One chunk: play its walls, check and add up what came, write its rows. Returns a receipt, never rows.

A chunk is the unit of parallel work: it knows nothing of other chunks and touches no file but its own.
"""

from __future__ import annotations

import os
import shlex
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sim.errors import BloodBattleError, InvariantError
from sim.rules.model import Preset
from sim.tournament.adder import Adder
from sim.tournament.files import TEMPORARY, checksum, is_disk_full
from sim.tournament.ledger import Entry
from sim.tournament.quantities import GAINED, PAID
from sim.tournament.schema import SEATS, make_rows, row_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from sim.tournament.game import Columns, Game, Seeds
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.schedule import Chunk


@dataclass(frozen=True)
class Receipt:
    """What is left of a chunk in memory once it is finished."""

    entry: Entry
    """Its line of the ledger."""
    deals: int
    """Deals played."""
    seconds: Mapping[str, float]
    """What it took: play, sums, rows."""


@dataclass(frozen=True)
class Failure:
    """A chunk that could not be finished."""

    chunk: Chunk
    """The chunk."""
    error: Exception
    """What happened."""
    trace: str
    """Where it happened."""

    @property
    def is_disk_full(self) -> bool:
        """Whether there was no room on the disk."""
        return is_disk_full(self.error)


class ChunkPlayer:
    """Plays the chunks of a plan: rules compiled and strategies loaded once, shared by all workers.

    Parameters
    ----------
    plan
        The plan.
    game
        The game.
    folder
        The run folder.
    """

    def __init__(self, plan: Plan, game: Game, folder: Path) -> None:
        self.plan = plan
        self.game = game
        self.folder = folder
        self.adder = Adder([column.name for column in game.columns], game.patterns)
        self.rules = {
            preset["name"]: game.compile_rules(Preset.model_validate(preset["knobs"])) for preset in plan.presets
        }
        self.strategies = {name: game.load_strategy(facts["load"]) for name, facts in plan.strategies.items()}

    def play(self, chunk: Chunk, is_stopped: Callable[[], bool]) -> Receipt | Failure | None:
        """Play a chunk; never raises.

        Parameters
        ----------
        chunk
            The chunk.
        is_stopped
            Whether the run was asked to stop, so that nothing new begins.

        Returns
        -------
        Receipt, Failure or None
            None if the run was stopped before the chunk began.
        """
        if is_stopped():
            return None
        try:
            return self._play(chunk)
        except Exception as error:  # noqa: BLE001 - one chunk's failure must not lose the others
            return Failure(chunk, error, traceback.format_exc())

    def _play(self, chunk: Chunk) -> Receipt:
        """Play a chunk and write it."""
        cell = self.plan.cells[chunk.cell]
        seatings = np.array(cell.seatings, dtype=np.int64)
        started = time.perf_counter()
        if self.game.label_deals is not None:
            self.game.label_deals(lambda wall, seating: f"{chunk.cell}.{chunk.first_wall + wall}.{seating}")
        try:
            columns = self.deal_walls(cell, chunk.first_wall, chunk.walls, seatings)
        except BloodBattleError as error:
            if error.place is None:
                raise
            wall, seating = error.place
            deal = f"{chunk.cell}.{chunk.first_wall + wall}.{seating}"
            replay = f"replay: bloodbattle deal {shlex.quote(str(self.folder))} {deal}"
            raise type(error)(f"deal {deal}: {error}\n  {replay}") from error
        played = time.perf_counter()
        check_columns(columns, [column.name for column in self.game.columns], chunk, seatings)
        totals = self.adder.add_up(columns, seatings, cell.group_of_slot)
        added = time.perf_counter()
        rows = size = 0
        digest = ""
        if self.plan.has_rows:
            rows = columns.shape[1]
            size, digest = self._write(chunk, make_rows(self.plan, cell, chunk, columns, seatings))
        written = time.perf_counter()
        seconds = {"play": played - started, "sums": added - played, "rows": written - added}
        deals = chunk.walls * len(seatings)
        return Receipt(Entry(chunk, rows, size, digest, totals), deals, seconds)

    def deal_walls(self, cell: Cell, first_wall: int, walls: int, seatings: Seeds) -> Columns:
        """Play some walls of a cell.

        Parameters
        ----------
        cell
            The cell.
        first_wall, walls
            Which walls.
        seatings : int64, shape (m, 4)
            Slot in each seat.

        Returns
        -------
        int32, shape (c, walls * m * 4)
            By wall, seating, seat.
        """
        seeds = [self.game.wall_seed(self.plan.seed, wall) for wall in range(first_wall, first_wall + walls)]
        strategies = [self.strategies[name] for name in cell.strategies]
        wall_seeds = np.array(seeds, dtype=np.int64)
        play = self.game.play
        if self.plan.data.get("on_error") == "forfeit" and self.game.play_on is not None:
            play = self.game.play_on
        return play(self.rules[cell.preset], strategies, wall_seeds, seatings, self.plan.wall_mode)

    def _write(self, chunk: Chunk, rows: pl.DataFrame) -> tuple[int, str]:
        """Write the rows of a chunk, complete or not at all; return size and checksum of the file."""
        path = self.folder / chunk.file
        temporary = path.with_name(path.name + TEMPORARY)
        try:
            path.parent.mkdir(exist_ok=True)
            with temporary.open("wb") as file:
                rows.write_parquet(file, compression="zstd", metadata={"plan": self.plan.hash})
                file.flush()
                os.fsync(file.fileno())
            scanned = pl.scan_parquet(temporary)
            count = scanned.select(pl.len()).collect().item()
            if count != rows.height or dict(scanned.collect_schema()) != row_schema(self.plan):
                raise InvariantError(f"{path}: what was written reads back as {count} rows of another form")
            size, digest = temporary.stat().st_size, checksum(temporary)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        return size, digest


def check_columns(columns: Columns, names: list[str], chunk: Chunk, seatings: Seeds) -> None:
    """Check what must hold for every chunk: its shape, points that sum to zero, causes that sum to the points.

    Parameters
    ----------
    columns : int32, shape (c, n * m * 4)
        What was played.
    names
        Names of the columns.
    chunk
        The chunk.
    seatings : int64, shape (m, 4)
        Slot in each seat.

    Raises
    ------
    InvariantError
        Something does not hold.
    """
    expected = (len(names), chunk.walls * len(seatings) * SEATS)
    if columns.shape != expected:
        raise InvariantError(f"chunk {chunk.id}: columns of shape {columns.shape} instead of {expected}")
    points = columns[names.index("points")].astype(np.int64)
    per_deal = points.reshape(-1, SEATS)
    table = per_deal[:, 0] + per_deal[:, 1] + per_deal[:, 2] + per_deal[:, 3]
    causes = np.zeros_like(points)
    for place, name in enumerate(names):
        if name.startswith(GAINED):
            causes += columns[place]
        elif name.startswith(PAID):
            causes -= columns[place]
    for what, faults in (("points do not sum to zero", table), ("causes do not sum to the points", causes - points)):
        if faults.any():
            row = int(np.flatnonzero(faults)[0]) * (SEATS if len(faults) < len(points) else 1)
            deal = row // SEATS
            wall, seating = chunk.first_wall + deal // len(seatings), deal % len(seatings)
            raise InvariantError(f"deal {chunk.cell}.{wall}.{seating}: {what}")


def describe_failure(failure: Failure) -> dict[str, Any]:
    """Write a failure as plain data, for the folder of what failed.

    Parameters
    ----------
    failure
        The failure.
    """
    return {
        "chunk": failure.chunk.id,
        "error": type(failure.error).__name__,
        "message": str(failure.error),
        "ours": not isinstance(failure.error, BloodBattleError),
        "trace": failure.trace.splitlines(),
    }
