"""One chunk: play its walls, check and add up what came, write its rows. Returns a receipt, never rows.

A chunk touches no file but its own. Which chunks are played together, and what ties them to each other, is not in here
but in `task`.
"""

from __future__ import annotations

import os
import shlex
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sim.errors import BloodBattleError, InvariantError, StrategyError
from sim.rules.model import Preset
from sim.tournament.adder import Adder
from sim.tournament.files import TEMPORARY, checksum, is_disk_full, replacing
from sim.tournament.ledger import Entry
from sim.tournament.plan import to_json
from sim.tournament.schema import make_rows, row_schema
from sim.tournament.store import FAILED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sim.tournament.game import Columns, Game, Seeds
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.schedule import Chunk
    from sim.tournament.totals import Totals


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
    """Plays and keeps chunks of a plan: rules compiled and strategies loaded once, shared by all workers.

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

    def play(self, chunk: Chunk, others: Sequence[Cell] = ()) -> tuple[Columns, Columns | None]:
        """Play the walls of a chunk.

        Parameters
        ----------
        chunk
            The chunk.
        others
            Cells under whose rules each deal is settled again.

        Returns
        -------
        columns : int32, shape (c, n * m * 4)
            By wall, seating, seat.
        settled : int32, shape (k, c, n * m * 4)
            The same settled again under each of the others; None without any.

        Raises
        ------
        BloodBattleError
            A deal could not be played; the message names it, and says how to see it.
        """
        cell = self.plan.cells[chunk.cell]
        watched: AbstractContextManager[None] = nullcontext()
        if self.game.watch_deals is not None:
            watched = self.game.watch_deals(
                lambda wall, seating: f"{chunk.cell}.{chunk.first_wall + wall}.{seating}",
                lambda message, facts: self._keep_stuck(chunk, message, facts),
            )
        try:
            with watched:
                return self.deal_walls(cell, chunk.first_wall, chunk.walls, others)
        except BloodBattleError as error:
            if error.place is None:
                raise
            wall, seating = error.place
            deal = f"{chunk.cell}.{chunk.first_wall + wall}.{seating}"
            replay = f"replay: bloodbattle deal {shlex.quote(str(self.folder))} {deal}"
            raise type(error)(f"deal {deal}: {error}\n  {replay}") from error

    def deal_walls(
        self, cell: Cell, first_wall: int, walls: int, others: Sequence[Cell] = ()
    ) -> tuple[Columns, Columns | None]:
        """Play some walls of a cell.

        Parameters
        ----------
        cell
            The cell.
        first_wall, walls
            Which walls.
        others
            As in `play`.

        Returns
        -------
        columns, settled
            As `play` gives them.
        """
        seeds = [self.game.wall_seed(self.plan.seed, wall) for wall in range(first_wall, first_wall + walls)]
        strategies = [self.strategies[name] for name in cell.strategies]
        wall_seeds = np.array(seeds, dtype=np.int64)
        seatings = seatings_of(cell)
        rules, mode = self.rules[cell.preset], self.plan.wall_mode
        plays_on = self.plan.data.get("on_error") == "forfeit"
        if others:
            settle = self.game.play_on_and_settle if plays_on else self.game.play_and_settle
            if settle is None:  # pragma: no cover - a plan has no settled cells then
                raise InvariantError("this game cannot settle deals again")
            return settle(rules, strategies, wall_seeds, seatings, mode, [self.rules[other.preset] for other in others])
        play = self.game.play_on if plays_on else None
        return (play or self.game.play)(rules, strategies, wall_seeds, seatings, mode), None

    def keep(self, chunk: Chunk, columns: Columns, totals: Totals, seconds: dict[str, float]) -> Receipt:
        """Write the rows of a chunk, if they are kept.

        Parameters
        ----------
        chunk
            The chunk.
        columns : int32, shape (c, n * m * 4)
            What was played.
        totals
            Its sums.
        seconds
            What it took so far; the time for rows is added.

        Returns
        -------
        Receipt
            For the ledger.
        """
        cell = self.plan.cells[chunk.cell]
        started = time.perf_counter()
        rows = size = 0
        digest = ""
        if self.plan.has_rows:
            rows = columns.shape[1]
            size, digest = self._write(chunk, make_rows(self.plan, cell, chunk, columns, seatings_of(cell)))
        seconds["rows"] = time.perf_counter() - started
        return Receipt(Entry(chunk, rows, size, digest, totals), chunk.walls * len(cell.seatings), seconds)

    def _keep_stuck(self, chunk: Chunk, message: str, facts: Mapping[str, Any]) -> None:
        """Keep what is known of an answer that does not come, since the program ends with it."""
        replay = f"bloodbattle deal {shlex.quote(str(self.folder))} {facts['deal']}"
        data = {
            "chunk": chunk.id,
            "error": StrategyError.__name__,
            "message": message,
            "ours": False,
            "trace": [],
            **facts,
            "replay": replay,
        }
        with replacing(self.folder / FAILED / f"{chunk.id}.json") as file:
            file.write(to_json(data))

    def _write(self, chunk: Chunk, rows: pl.DataFrame) -> tuple[int, str]:
        """Write the rows of a chunk, complete or not at all; return size and checksum of the file."""
        path = self.folder / chunk.file
        temporary = path.with_name(path.name + TEMPORARY)
        try:
            path.parent.mkdir(exist_ok=True)
            with temporary.open("wb") as file:
                rows.write_parquet(file, compression="zstd", metadata={"plan": self.plan.origin})
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


def seatings_of(cell: Cell) -> Seeds:
    """Give the seatings of a cell as games take them.

    Parameters
    ----------
    cell
        The cell.

    Returns
    -------
    int64, shape (m, 4)
        Slot in each seat.
    """
    return np.array(cell.seatings, dtype=np.int64)


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
