"""Recorded results to rate again: a table of games, or the rows of a run folder.

A table (CSV or Parquet) has a row for each game and player, in order of time: `game`, `player`, and `points` or `place`
(1 is the best; equal ones share a place). Two columns more are known: `truth`, the true rating of a player whose skill
is known (empty for others), and `replication`, where one file holds several ladders that are rated apart.

In a run folder each deal is a game, and the strategies of its line-ups are the players. Not in here: rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from sim.errors import ConfigError
from sim.ladder.ratings.layout import PLAYERS
from sim.rules.words import did_you_mean, either, show_value
from sim.tournament.folder import PLAN
from sim.tournament.results import Run
from sim.tournament.store import RunFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

COLUMNS: Final = ("game", "player", "points", "place", "truth", "replication")
_SUFFIXES: Final = (".csv", ".parquet")


@dataclass(frozen=True)
class Stream:
    """Games in order of time."""

    names: tuple[str, ...]
    """Names of the players, in the order of their alphabet."""
    players: npt.NDArray[np.int64]
    """Who played, (games, 4): places among the names."""
    points: npt.NDArray[np.int64]
    """What orders them, (games, 4): more is better, equal is a tie."""
    truths: npt.NDArray[np.float64]
    """True rating of each player; NaN where it is not known."""

    @property
    def games(self) -> int:
        """How many games."""
        return len(self.players)


def read_streams(path: str | Path, *, preset: str | None = None, line_up: str | None = None) -> list[Stream]:
    """Read recorded results.

    Parameters
    ----------
    path
        A CSV or Parquet file, or a run folder.
    preset, line_up
        Of a run folder: the games of this preset, and of this line-up, alone.

    Returns
    -------
    list of Stream
        One for each replication.

    Raises
    ------
    ConfigError
        The file cannot be read, or what is in it are no games of four; or options do not fit it.
    ResultsError
        The run folder is damaged, or keeps no rows.
    """
    source = Path(path)
    if source.is_dir():
        return [_read_run(source, preset, line_up)]
    if preset is not None or line_up is not None:
        raise ConfigError(f"{source}: --preset and --line-up choose among the games of a run folder; this is a file")
    frame = _read_table(source)
    if not len(frame):
        raise ConfigError(f"{source}: no games in it")
    if frame["replication"].null_count():
        raise ConfigError(f"{source}: replication: missing in some rows")
    parts = frame.partition_by("replication", maintain_order=True)
    return [_make_stream(part, f"{source}: ") for part in parts]


def _read_table(source: Path) -> pl.DataFrame:
    """Read a file, and give its columns under their names and types."""
    if not source.exists():
        near = sorted(p.name for p in source.parent.iterdir()) if source.parent.is_dir() else []
        raise ConfigError(f"{source}: there is no such file or run folder{did_you_mean(source.name, near)}")
    if source.suffix.lower() not in _SUFFIXES:
        raise ConfigError(f"{source}: allowed: a run folder, or a file that ends in {either(_SUFFIXES)}")
    try:
        frame = (
            pl.read_csv(source, infer_schema_length=None)
            if source.suffix.lower() == ".csv"
            else pl.read_parquet(source)
        )
    except OSError as error:
        raise ConfigError(f"{source}: cannot be read: {error.strerror or error}") from None
    except pl.exceptions.PolarsError as error:
        raise ConfigError(f"{source}: cannot be read: {str(error).splitlines()[0]}") from None
    for name in ("game", "player"):
        _need(source, frame, name)
    if not {"points", "place"} & set(frame.columns):
        _need(source, frame, "points")
    score = pl.col("points").cast(pl.Float64) if "points" in frame.columns else -pl.col("place").cast(pl.Float64)
    name = "points" if "points" in frame.columns else "place"
    for column in [name, "truth"] if "truth" in frame.columns else [name]:
        if not frame[column].dtype.is_numeric() and not frame[column].is_null().all():
            wrong = next(iter(frame[column].drop_nulls()), None)
            raise ConfigError(f"{source}: {column}: came {show_value(wrong)}; allowed: numbers")
    empty = frame.select(
        row=(pl.col("game").is_null() | pl.col("player").is_null() | ~score.is_finite().fill_null(False)).arg_true()
    )
    if len(empty):
        raise ConfigError(f"{source}: row {empty['row'][0] + 1}: game, player or {name} is missing or no number")
    if frame["player"].dtype.is_nested() or frame["game"].dtype.is_nested():
        raise ConfigError(f"{source}: game and player: allowed: numbers or texts")
    return frame.select(
        pl.col("game"),
        pl.col("player").cast(pl.String),
        pl.lit(0).alias("replication") if "replication" not in frame.columns else pl.col("replication"),
        score.alias("score"),
        (pl.col("truth").cast(pl.Float64) if "truth" in frame.columns else pl.lit(None, pl.Float64)).alias("truth"),
    )


def _need(source: Path, frame: pl.DataFrame, name: str) -> None:
    """Refuse a table that lacks a column."""
    if name not in frame.columns:
        others = [column for column in frame.columns if column not in COLUMNS]
        hint = did_you_mean(name, others).replace("did you mean", "should it be")
        also = " or place" if name == "points" else ""
        raise ConfigError(f"{source}: column {name}{also} is missing{hint}; allowed: {', '.join(COLUMNS)}")


def _make_stream(frame: pl.DataFrame, where: str) -> Stream:
    """Put games together, in the order of their first rows."""
    order = frame.select("game").unique(maintain_order=True).with_row_index("at")
    rows = frame.join(order, on="game", how="left", maintain_order="left").sort("at", maintain_order=True)
    sizes = rows.group_by("at", maintain_order=True).agg(
        pl.col("game").first(), pl.len(), pl.col("player").n_unique().alias("different")
    )
    wrong = sizes.filter((pl.col("len") != PLAYERS) | (pl.col("different") != PLAYERS))
    if len(wrong):
        game, count, different = wrong.row(0)[1:]
        came = f"{count} rows" if count != PLAYERS else f"{different} different players"
        raise ConfigError(f"{where}game {game}: came {came}; allowed: four players, each once")
    known = rows.group_by("player").agg(
        pl.col("truth").drop_nulls().first().alias("truth"), pl.col("truth").drop_nulls().n_unique().alias("truths")
    )
    known = known.sort("player")
    doubtful = known.filter(pl.col("truths") > 1)
    if len(doubtful):
        raise ConfigError(f"{where}truth: player {show_value(doubtful['player'][0])} has more than one true rating")
    names = known["player"].to_list()
    index = {name: place for place, name in enumerate(names)}
    players = np.array([index[name] for name in rows["player"]], dtype=np.int64).reshape(-1, PLAYERS)
    scores = rows["score"].to_numpy().reshape(-1, PLAYERS)
    points = (scores[:, :, None] > scores[:, None, :]).sum(axis=2).astype(np.int64)
    truths = known["truth"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return Stream(tuple(names), players, points, np.array(truths, dtype=np.float64))


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
