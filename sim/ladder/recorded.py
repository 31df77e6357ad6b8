"""Recorded results to rate again, wherever they are from: a file of games, a run folder, or the folder of a ladder.

In a run folder each deal is a game, and the strategies of its line-ups are the players. Of a ladder, the ranked games
of one cell are rated, each replication apart, in the order in which they were rated when it was played. Not in here:
files (`sim.ladder.stream`), rating.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sim.errors import ConfigError
from sim.ladder.cells import FORMS, MARK
from sim.ladder.ratings.layout import PLAYERS
from sim.ladder.run import open_ladder
from sim.ladder.store import is_ladder
from sim.ladder.stream import Stream, points_of, read_table
from sim.rules.words import count_of, did_you_mean, either, show_value
from sim.tournament.folder import PLAN
from sim.tournament.results import Run
from sim.tournament.store import RunFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.ladder.plan import Cell
    from sim.ladder.systems import RatingSystem


@dataclass(frozen=True)
class Recorded:
    """Recorded results."""

    streams: list[Stream]
    """The games, of each replication."""
    systems: Mapping[str, RatingSystem] = field(default_factory=dict)
    """The rating system that rated them, by name, where there was one."""
    notes: tuple[str, ...] = ()
    """What to know about them."""

    @property
    def checksum(self) -> str:
        """SHA-256 over who played, with which results and true ratings, in their order; of any file of these games."""
        digest = hashlib.sha256()
        for stream in self.streams:
            digest.update(repr(stream.names).encode())
            for numbers in (stream.players, stream.points, stream.truths):
                digest.update(np.ascontiguousarray(numbers).astype(numbers.dtype.newbyteorder("<")).tobytes())
        return digest.hexdigest()


def read_streams(source: str | Path, *, preset: str | None = None, line_up: str | None = None) -> list[Stream]:
    """Read recorded results, the games alone: see `read_recorded`."""
    return read_recorded(source, preset=preset, line_up=line_up).streams


def read_recorded(source: str | Path, *, preset: str | None = None, line_up: str | None = None) -> Recorded:
    """Read recorded results.

    Parameters
    ----------
    source
        A CSV or Parquet file, a run folder, the folder of a ladder, or a cell of it: RUN@PRESET@RATING.
    preset, line_up
        Of a run folder: the games of this preset, and of this line-up, alone. Of a ladder: those of this preset.

    Raises
    ------
    ConfigError
        The file cannot be read, or what is in it are no games of four; or options do not fit it.
    ResultsError
        The folder is damaged, or keeps no rows.
    """
    path, rating = Path(source), None
    if not path.exists() and MARK in str(source):
        run, *names = str(source).split(MARK)
        if is_ladder(Path(run)):
            if len(names) > 2 or preset is not None:
                raise ConfigError(f"{source}: allowed: {FORMS}, without --preset")
            path, preset, rating = Path(run), names[0], names[1] if len(names) > 1 else None
    if is_ladder(path):
        if line_up is not None:
            raise ConfigError(f"{path}: --line-up chooses among the games of a run folder; this is a ladder")
        return _read_ladder(path, preset, rating)
    if path.is_dir():
        return Recorded([_read_run(path, preset, line_up)])
    if not path.exists():
        near = sorted(p.name for p in path.parent.iterdir()) if path.parent.is_dir() else []
        raise ConfigError(f"{path}: there is no such file or run folder{did_you_mean(path.name, near)}")
    if preset is not None or line_up is not None:
        raise ConfigError(f"{path}: --preset and --line-up choose among the games of a run folder; this is a file")
    streams, casual = read_table(path)
    notes = (f"{count_of(casual, 'game')} that {'is' if casual == 1 else 'are'} not ranked left out",) if casual else ()
    return Recorded(streams, notes=notes)


def _read_ladder(path: Path, preset: str | None, rating: str | None) -> Recorded:
    """Read the ranked games of one cell of a ladder."""
    ladder = open_ladder(path)
    cell = _choose_cell(ladder.plan.cells, preset, rating, path)
    rows = (
        ladder.games()
        .filter(pl.col("cell") == cell.index)
        .select("replication", "game", "player", "group", "points", "ranked")
        .collect()
    )
    ranked = rows.filter("ranked")
    if not len(ranked):
        raise ConfigError(f"{path}: no ranked games of {cell.preset}, {cell.rating} in it, and others move no rating")
    streams = [_of_replication(part) for part in ranked.partition_by("replication", maintain_order=True)]
    notes = []
    casual = (len(rows) - len(ranked)) // PLAYERS
    if casual:
        notes.append(f"{count_of(casual, 'casual game')} left out: they never rate")
    missing = ladder.plan.file.replications - len(streams)
    if missing:
        notes.append(f"{count_of(missing, 'replication')} not played yet")
    return Recorded(streams, {cell.rating: ladder.plan.systems[cell.rating]}, tuple(notes))


def _choose_cell(cells: Sequence[Cell], preset: str | None, rating: str | None, path: Path) -> Cell:
    """Find the cell whose games are wanted."""
    for name, value, options in (
        ("preset", preset, list(dict.fromkeys(cell.preset for cell in cells))),
        ("rating system", rating, list(dict.fromkeys(cell.rating for cell in cells))),
    ):
        if value is not None and value not in options:
            hint = did_you_mean(value, options)
            raise ConfigError(f"{path}: there is no {name} {show_value(value)}{hint}; allowed: {either(options)}")
    chosen = [cell for cell in cells if preset in {None, cell.preset} and rating in {None, cell.rating}]
    if len(chosen) > 1:
        names = either(f"{path}{MARK}{cell.preset}{MARK}{cell.rating}" for cell in chosen)
        raise ConfigError(f"{path}: has {len(chosen)} cells, each with games of its own; choose one: {names}")
    return chosen[0]


def _of_replication(rows: pl.DataFrame) -> Stream:
    """Put the games of one replication together; players are called by group and number."""
    known = rows.select("player", "group").unique("player").sort("player")
    names = tuple(f"{group} {player}" for player, group in known.iter_rows())
    players = np.searchsorted(known["player"].to_numpy(), rows["player"].to_numpy()).reshape(-1, PLAYERS)
    scores = rows["points"].to_numpy().reshape(-1, PLAYERS)
    return Stream(names, players.astype(np.int64), points_of(scores), np.full(len(names), np.nan))


def _read_run(folder: Path, preset: str | None, line_up: str | None) -> Stream:
    """Read the rows of a run folder: wall by wall, in each the line-ups and seatings in the order of the plan."""
    if not (folder / PLAN).exists():
        raise ConfigError(f"{folder}: a folder, but no run folder (it has no {PLAN})")
    run = Run(RunFolder.open(folder))
    cells = run.plan.cells
    for name, value, options in (
        ("--preset", preset, list(dict.fromkeys(cell.preset for cell in cells))),
        ("--line-up", line_up, list(dict.fromkeys(cell.line_up for cell in cells))),
    ):
        if value is not None and value not in options:
            hint = did_you_mean(value, options)
            raise ConfigError(f"{folder}: {name}: came {show_value(value)}{hint}; allowed: {either(options)}")
    chosen = [c for c in cells if preset in {None, c.preset} and line_up in {None, c.line_up}]
    presets = list(dict.fromkeys(cell.preset for cell in chosen))
    if len(presets) > 1:
        raise ConfigError(
            f"{folder}: has games under {len(presets)} presets, and each has ratings of its own; choose one with"
            f" --preset: {either(presets)}"
        )
    rows = (
        run.seats()
        .select("cell", "wall", "seating", "slot", "points")
        .filter(pl.col("cell").is_in([cell.index for cell in chosen]))
        .collect()
        .sort("wall", "cell", "seating", "slot")
    )
    if not len(rows):
        raise ConfigError(f"{folder}: no games in it yet")
    labels = {cell.index: label_slots(cell.strategies) for cell in chosen}
    names = sorted({name for slots in labels.values() for name in slots})
    lookup = np.zeros((len(cells), PLAYERS), dtype=np.int64)
    for index, slots in labels.items():
        lookup[index] = [names.index(name) for name in slots]
    where: Any = rows["cell"].to_numpy(), rows["slot"].to_numpy()
    players = lookup[where].reshape(-1, PLAYERS)
    points = rows["points"].to_numpy().astype(np.int64).reshape(-1, PLAYERS)
    return Stream(tuple(names), players, points, np.full(len(names), np.nan))


def label_slots(strategies: Sequence[str]) -> list[str]:
    """Give the players of a line-up names: the strategy, with a number from its second seat on.

    Parameters
    ----------
    strategies
        The strategy of each slot.

    Examples
    --------
    >>> label_slots(["ukeire", "random", "random", "random"])
    ['ukeire', 'random', 'random 2', 'random 3']
    """
    names = []
    for place, strategy in enumerate(strategies):
        before = list(strategies[:place]).count(strategy)
        names.append(f"{strategy} {before + 1}" if before else strategy)
    return names
