"""Recorded results to rate again, as people write them: a table of games.

A table (CSV or Parquet) has a row for each game and player, in order of time, the four rows of a game together: `game`,
`player`, and `points` or `place` (1 is the best; equal ones share a place). Three columns more are known: `truth`, the
true rating of a player whose skill is known (empty for others), `replication`, where one file holds several ladders
that are rated apart, and `ranked`, false for games that move no rating. Not in here: run folders
(`sim.ladder.recorded`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import polars as pl

from sim.errors import ConfigError
from sim.ladder.ratings.layout import PLAYERS
from sim.rules.words import count_of, did_you_mean, either, show_value

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

COLUMNS: Final = ("game", "player", "points", "place", "truth", "replication", "ranked")
_SUFFIXES: Final = (".csv", ".parquet")


@dataclass(frozen=True)
class Stream:
    """Games in order of time."""

    names: tuple[str, ...]
    """Names of the players."""
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


def read_table(source: Path) -> tuple[list[Stream], int]:
    """Read a file of games.

    Parameters
    ----------
    source
        A CSV or Parquet file.

    Returns
    -------
    streams
        One for each replication.
    casual
        Games that are left out, since they are not ranked.

    Raises
    ------
    ConfigError
        The file cannot be read, or what is in it are no games of four. Rows are counted from 1, without the header.
    """
    table = _Table(source)
    rows = table.rows()
    if not len(rows):
        raise ConfigError(f"{source}: no games in it")
    table.refuse_apart(rows)
    table.refuse_other_sizes(rows)
    table.refuse_wrong_places(rows)
    ranked = rows.filter("ranked")
    if not len(ranked):
        raise ConfigError(f"{source}: no ranked games in it, and others move no rating")
    parts = ranked.partition_by("replication", maintain_order=True)
    return [table.make_stream(part) for part in parts], (len(rows) - len(ranked)) // PLAYERS


class _Table:
    """A file of games, and what may be wrong with it.

    Parameters
    ----------
    source
        The file.
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        self.frame = self._read()
        for name in ("game", "player"):
            self._need(name)
        if not {"points", "place"} & set(self.frame.columns):
            self._need("points")

    def _read(self) -> pl.DataFrame:
        """Read the file; what stands in a CSV stays text, so that it can be named as it stands there."""
        source = self.source
        if source.suffix.lower() not in _SUFFIXES:
            raise ConfigError(f"{source}: allowed: a run folder, or a file that ends in {either(_SUFFIXES)}")
        try:
            is_csv = source.suffix.lower() == ".csv"
            return pl.read_csv(source, infer_schema=False) if is_csv else pl.read_parquet(source)
        except OSError as error:
            raise ConfigError(f"{source}: cannot be read: {error.strerror or error}") from None
        except pl.exceptions.PolarsError as error:
            raise ConfigError(f"{source}: cannot be read: {str(error).splitlines()[0]}") from None

    def _need(self, name: str) -> None:
        """Refuse a table that lacks a column."""
        if name not in self.frame.columns:
            others = [column for column in self.frame.columns if column not in COLUMNS]
            hint = did_you_mean(name, others).replace("did you mean", "should it be")
            also = " or place" if name == "points" else ""
            raise ConfigError(f"{self.source}: column {name}{also} is missing{hint}; allowed: {', '.join(COLUMNS)}")

    def _wrong(self, row: int, name: str, allowed: str) -> ConfigError:
        """Make the error for a value, which is named by its row and column."""
        value = self.frame[name][row]
        came = "missing" if value is None else f"came {show_value(value)}; allowed: {allowed}"
        return ConfigError(f"{self.source}: row {row + 1}: {name}: {came}")

    def _numbers(self, name: str, *, is_needed: bool = True) -> pl.Series:
        """Give a column as numbers; missing ones only where they need not be there."""
        column = self.frame[name]
        if column.dtype == pl.String:
            numbers = column.str.strip_chars().cast(pl.Float64, strict=False)
        elif column.dtype.is_numeric() or column.dtype == pl.Null:
            numbers = column.cast(pl.Float64)
        else:
            raise ConfigError(f"{self.source}: column {name}: allowed: numbers")
        is_wrong = ~numbers.is_finite().fill_null(value=False)
        wrong = (is_wrong if is_needed else is_wrong & column.is_not_null()).arg_true()
        if len(wrong):
            raise self._wrong(wrong[0], name, "a number")
        return numbers

    def _names(self, name: str) -> pl.Series:
        """Give a column as texts."""
        column = self.frame[name]
        if column.dtype.is_nested():
            raise ConfigError(f"{self.source}: column {name}: allowed: numbers or texts")
        if column.null_count():
            raise self._wrong(column.is_null().arg_true()[0], name, "")
        return column.cast(pl.String)

    def _ranked(self) -> pl.Series:
        """Tell which rows are of games that move ratings."""
        column = self.frame["ranked"]
        texts = column.cast(pl.String).str.strip_chars().str.to_lowercase()
        wrong = (~texts.is_in(["true", "1", "false", "0"]).fill_null(value=False)).arg_true()
        if len(wrong):
            raise self._wrong(wrong[0], "ranked", "true or false")
        return texts.is_in(["true", "1"])

    def rows(self) -> pl.DataFrame:
        """Give the rows under known names and types.

        Returns
        -------
        polars.DataFrame
            row (from 1), replication, game, player, score (more is better), place (may be null), truth (may be null),
            ranked.
        """
        frame = self.frame
        if "cell" in frame.columns and frame["cell"].n_unique() > 1:
            raise ConfigError(
                f"{self.source}: column cell: came several; each cell of a ladder has games of its own: give one, or"
                " the folder of the ladder"
            )
        count = len(frame)
        places = self._numbers("place") if "place" in frame.columns else pl.Series([None] * count, dtype=pl.Float64)
        return pl.DataFrame(
            {
                "row": pl.Series(range(1, count + 1), dtype=pl.Int64),
                "replication": self._names("replication") if "replication" in frame.columns else [""] * count,
                "game": self._names("game"),
                "player": self._names("player"),
                "score": self._numbers("points") if "points" in frame.columns else -places,
                "place": places,
                "truth": self._numbers("truth", is_needed=False)
                if "truth" in frame.columns
                else pl.Series([None] * count, dtype=pl.Float64),
                "ranked": self._ranked() if "ranked" in frame.columns else [True] * count,
            }
        )

    def refuse_apart(self, rows: pl.DataFrame) -> None:
        """Refuse games whose rows do not stand together, as their order in time is not known."""
        starts = rows.filter(pl.struct("replication", "game").rle_id().diff().fill_null(1) != 0)
        again = starts.filter(~pl.struct("replication", "game").is_first_distinct())
        if len(again):
            row, game = again["row"][0], again["game"][0]
            raise ConfigError(
                f"{self.source}: row {row}: game {game} goes on after rows of other games; allowed: the four rows of a"
                " game one after the other, games in order of time"
            )

    def refuse_other_sizes(self, rows: pl.DataFrame) -> None:
        """Refuse games that are not of four players."""
        sizes = rows.group_by("replication", "game", maintain_order=True).agg(
            pl.col("row").first(),
            pl.len(),
            pl.col("player").n_unique().alias("different"),
            pl.col("ranked").n_unique().alias("kinds"),
        )
        wrong = sizes.filter((pl.col("len") != PLAYERS) | (pl.col("different") != PLAYERS) | (pl.col("kinds") != 1))
        if len(wrong):
            _, game, row, count, different, _ = wrong.row(0)
            where = f"{self.source}: row {row}: game {game}"
            if count == PLAYERS and different == PLAYERS:
                raise ConfigError(f"{where}: ranked: came both true and false; allowed: one of them for all its rows")
            came = count_of(count, "row") if count != PLAYERS else f"{different} different players"
            raise ConfigError(f"{where}: came {came}; allowed: four players, each once")

    def refuse_wrong_places(self, rows: pl.DataFrame) -> None:
        """Refuse places that four players cannot have, or that the points contradict."""
        if "place" not in self.frame.columns:
            return
        has_points = "points" in self.frame.columns
        scores = rows["score"].to_numpy().reshape(-1, PLAYERS)
        places = rows["place"].to_numpy().reshape(-1, PLAYERS)
        is_right = _are_places(places, scores)
        if has_points:  # those of a ladder's own files are doubled
            is_right |= _are_places(places / 2, scores).all(axis=1, keepdims=True)
        if is_right.all():
            return
        at = int(np.flatnonzero(~is_right.ravel())[0])
        allowed = "1 to 4, the best first, equal ones sharing"
        if has_points:
            allowed = f"what the points make of it, {_count_better(scores).ravel()[at] + 1}"
        raise self._wrong(at, "place", allowed)

    def make_stream(self, rows: pl.DataFrame) -> Stream:
        """Put the games of one replication together."""
        known = rows.group_by("player").agg(
            pl.col("truth").drop_nulls().first().alias("truth"), pl.col("truth").drop_nulls().n_unique().alias("truths")
        )
        known = known.sort("player")
        doubtful = known.filter(pl.col("truths") > 1)
        if len(doubtful):
            player = doubtful["player"][0]
            own = rows.filter((pl.col("player") == player) & pl.col("truth").is_not_null())
            row = own.filter(pl.col("truth") != own["truth"][0])["row"][0]
            raise ConfigError(
                f"{self.source}: row {row}: truth: player {show_value(player)} has more than one true rating"
            )
        names = known["player"].to_list()
        index = {name: place for place, name in enumerate(names)}
        players = np.array([index[name] for name in rows["player"]], dtype=np.int64).reshape(-1, PLAYERS)
        truths = known["truth"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        scores = rows["score"].to_numpy().reshape(-1, PLAYERS)
        return Stream(tuple(names), players, points_of(scores), np.array(truths, dtype=np.float64))


def points_of(scores: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Make of what orders four players whole numbers that order them alike.

    Parameters
    ----------
    scores : numbers, shape (games, 4)
        More is better.

    Returns
    -------
    int64, shape (games, 4)
        How many are worse.
    """
    worse: npt.NDArray[np.int64] = (scores[:, :, None] > scores[:, None, :]).sum(axis=2, dtype=np.int64)
    return worse


def _count_better(scores: Floats) -> npt.NDArray[np.int64]:
    """Count who is better than each."""
    better: npt.NDArray[np.int64] = (scores[:, :, None] < scores[:, None, :]).sum(axis=2, dtype=np.int64)
    return better


def _are_places(places: Floats, scores: Floats) -> npt.NDArray[np.bool_]:
    """Tell which places are those that scores make, however ties share them: 1 1 3 4, 1.5 1.5 3 4, 2 2 3 4, 1 1 2 3."""
    better = _count_better(scores)
    tied = (scores[:, :, None] == scores[:, None, :]).sum(axis=2)
    is_first_of_tie = np.stack(
        [(scores[:, [place]] != scores[:, :place]).all(axis=1) for place in range(PLAYERS)], axis=1
    )
    dense = 1 + ((scores[:, :, None] < scores[:, None, :]) & is_first_of_tie[:, None, :]).sum(axis=2)
    found: npt.NDArray[np.bool_] = ((places >= better + 1) & (places <= better + tied)) | (places == dense)
    return found
