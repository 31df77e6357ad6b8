"""One task: the chunks of a family over the same walls, added up in pairs while all of it is in memory.

The reference is played first, and each of its deals settled again under the rules of those cells that differ in the
settlement alone. Then come the cells in their order: played, or, where no player looks at what changed, the settled
deals as they are. A run without a design has tasks of one chunk.

A task is the unit of parallel work: it knows nothing of other tasks. When some of its chunks are in the ledger already,
what the others are paired with is played again, and only the others are given back.
"""

from __future__ import annotations

import time
import traceback
from typing import TYPE_CHECKING, Final

import numpy as np

from sim.errors import InvariantError, StrategyError
from sim.tournament.checks import check_columns
from sim.tournament.chunk import ChunkPlayer, Failure, Receipt, seatings_of
from sim.tournament.pairs import GRAM_CELLS, SETTLED, multiply_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from sim.tournament.adder import Blocks
    from sim.tournament.game import Columns, Game
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.schedule import Chunk, Task
    from sim.tournament.totals import Totals

CHECKED_WALLS: Final = 16
"""Walls of each cell that are checked: the reference's deals, settled again under its own rules, must come out the
same; and deals that are not played, since all players say that they are blind to what changed, as if they were."""


class TaskPlayer:
    """Plays the tasks of a plan.

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
        self._player = ChunkPlayer(plan, game, folder)

    def play(self, task: Task, wanted: AbstractSet[str], is_stopped: Callable[[], bool]) -> list[Receipt | Failure]:
        """Play a task; never raises.

        Parameters
        ----------
        task
            The task.
        wanted
            The ids of the chunks to give back.
        is_stopped
            Whether the run was asked to stop, so that nothing new begins.

        Returns
        -------
        list of Receipt and Failure
            Of the chunks wanted, in their order, as far as they came before the run was stopped or one failed.
        """
        found: list[Receipt | Failure] = []
        if is_stopped():
            return found
        family = _Family(self._player, task, wanted)
        try:
            for receipt in family.play():
                found.append(receipt)
                if is_stopped():
                    break
        except Exception as error:  # noqa: BLE001 - one task's failure must not lose the others
            found.append(Failure(family.at, error, traceback.format_exc()))
        return found


class _Family:
    """A task while it is being played."""

    def __init__(self, player: ChunkPlayer, task: Task, wanted: AbstractSet[str]) -> None:
        self._player = player
        self._wanted = wanted
        self._cells = player.plan.cells
        has_gram = 1 < len(task.chunks) <= GRAM_CELLS
        last = max(chunk.cell for chunk in task.chunks if chunk.id in wanted)
        self._needed = [chunk for chunk in task.chunks if chunk.id in wanted or (has_gram and chunk.cell < last)]
        reference = self._cells[task.chunks[0].cell].reference
        self._reference = next((chunk for chunk in task.chunks if chunk.cell == reference), None)
        self._blocks: dict[int, Blocks] | None = {} if has_gram else None
        self.at = self._reference or task.chunks[0]
        """The chunk that is being played."""
        self._played = 0.0

    def play(self) -> Iterator[Receipt]:
        """Play, and give each chunk that is wanted."""
        if self._reference is None:
            for chunk in self._needed:
                yield from self._finish(chunk, self._play(chunk))
            return
        twins = [
            chunk.cell
            for chunk in self._needed
            if self._cells[chunk.cell].is_settled
            and (chunk.id in self._wanted or self._cells[chunk.cell].source == "settled")
        ]
        reference, settled = self._play_reference(self._reference, [self._cells[cell] for cell in twins])
        for chunk in self._needed:
            self.at = chunk
            cell = self._cells[chunk.cell]
            if chunk is self._reference:
                yield from self._finish(chunk, reference)
                continue
            twin = None if settled is None or cell.index not in twins else settled[twins.index(cell.index)]
            if cell.source == "settled" and twin is not None:
                self._check_blindness(chunk, twin)
                yield from self._finish(chunk, twin, reference)
            else:
                yield from self._finish(chunk, self._play(chunk), reference, twin)

    def _check_blindness(self, chunk: Chunk, twin: Columns) -> None:
        """Play the very first deals of a cell that is not played, and refuse players who are not blind after all."""
        if chunk.first_wall > 0:
            return
        started = time.perf_counter()
        cell = self._cells[chunk.cell]
        columns, _ = self._player.deal_walls(cell, 0, min(CHECKED_WALLS, chunk.walls))
        if not np.array_equal(columns, twin[:, : columns.shape[1]]):
            names = ", ".join(cell.groups)
            raise StrategyError(
                f"{names}: RULE_BLIND = True, but under {cell.preset} the first deals are played otherwise than under"
                " the reference's rules; take the declaration back (docs/strategies.md), `bloodbattle strategies test`"
                " tells for each strategy"
            )
        self._played += time.perf_counter() - started

    def _play(self, chunk: Chunk) -> Columns:
        """Play a chunk."""
        started = time.perf_counter()
        columns, _ = self._player.play(chunk)
        self._played += time.perf_counter() - started
        return columns

    def _play_reference(self, chunk: Chunk, twins: Sequence[Cell]) -> tuple[Columns, Columns | None]:
        """Play the reference, and settle it again; the very first deals also under its own rules."""
        started = time.perf_counter()
        columns, settled = self._player.play(chunk, twins)
        if twins and chunk.first_wall == 0:
            cell = self._cells[chunk.cell]
            walls = min(CHECKED_WALLS, chunk.walls)
            _, same = self._player.deal_walls(cell, 0, walls, [cell])
            rows = walls * len(cell.seatings) * 4
            if same is None or not np.array_equal(same[0], columns[:, :rows]):
                raise InvariantError(
                    f"chunk {chunk.id}: deals settled again under the rules that they were played under came out"
                    " differently"
                )
        self._played += time.perf_counter() - started
        return columns, settled

    def _finish(
        self, chunk: Chunk, columns: Columns, reference: Columns | None = None, twin: Columns | None = None
    ) -> Iterator[Receipt]:
        """Check, add up and keep a chunk; remember its blocks for the cells after it."""
        cell = self._cells[chunk.cell]
        adder, seatings, groups = self._player.adder, seatings_of(cell), cell.group_of_slot
        started = time.perf_counter()
        check_columns(columns, adder.columns, chunk, len(seatings))
        blocks = None
        if self._blocks is not None or twin is not None:
            blocks = adder.block_points(columns, seatings, groups)
        if chunk.id in self._wanted:
            totals = adder.add_up(columns, seatings, groups, reference)
            if blocks is not None:
                self._add_gram(totals, blocks)
            if twin is not None and blocks is not None:
                check_columns(twin, adder.columns, chunk, len(seatings))
                totals.gram[SETTLED] = multiply_blocks(blocks, adder.block_points(twin, seatings, groups))
                totals.settled = adder.add_up(twin, seatings, groups, reference)
            seconds = {"play": self._played, "sums": time.perf_counter() - started}
            self._played = 0.0
            yield self._player.keep(chunk, columns, totals, seconds)
        if self._blocks is not None and blocks is not None:
            self._blocks[cell.index] = blocks

    def _add_gram(self, totals: Totals, blocks: Blocks) -> None:
        """Add the products with the cells before."""
        for number, others in (self._blocks or {}).items():
            totals.gram[str(number)] = multiply_blocks(blocks, others)
