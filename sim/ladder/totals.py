"""The sums of one replication of a ladder, from which all measures of rating drift are made.

Ratings are thousandths of points, so that sums are whole numbers and the same in whatever order rows came. Not in here:
how they are added up (`sim.ladder.account`), what they mean (`sim.ladder.drift`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from sim.errors import ResultsError

if TYPE_CHECKING:
    from collections.abc import Mapping

Ints = npt.NDArray[np.int64]

HORIZON: Final = 60
"""Ranked games after which a player counts as settled; careers are followed that far."""
CHECKPOINTS: Final = 50
"""Times at which all ratings are looked at."""
BAND: Final = 100
"""Width of a band of ratings, in points."""
BANDS: Final = 31
"""Bands from 0; the last is open."""
STEP: Final = 10
"""Width of a class of rating differences, in points."""
STEPS: Final = 201
"""Classes of rating differences from 0; the last is open."""
FLOWS: Final = ("entry", "exit", "provisional", "unequal weights", "floor", "timeouts", "rounding")
"""Causes for which points come or go."""


@dataclass(frozen=True)
class Totals:
    """The sums of one replication; ratings in thousandths, all arrays int64, G groups."""

    games: int
    """Games ended."""
    start: int
    """What all ratings summed to at the start."""
    end: int
    """What all ratings summed to at the end, of those who were there."""
    flows: Ints
    """What each of `FLOWS` added, (7,)."""
    events: Ints
    """How often: newcomers, leavers, tables with somebody provisional, other tables that made or destroyed points,
    ratings at the floor, tables with timeouts, 0, (7,)."""
    breaks: int
    """Rows whose rating is not what the player's row before left: always 0."""
    duels: Ints
    """Pairs at ranked tables after the warm-up, (G, G): how often somebody of the one group met one of the other."""
    scores: Ints
    """Their scores: 2 for being ahead, 1 for a tie."""
    when: Ints
    """Games ended at each checkpoint, (times,); the first is the start."""
    counts: Ints
    """Players there at each, (times, G)."""
    sums: Ints
    """Sum of their ratings, (times, G)."""
    squares: Ints
    """Sum of the squares of their distances from the start rating, in whole points, (times, G)."""
    played: Ints
    """Sum of their ranked games, (times, G)."""
    ledgers: Ints
    """What each of `FLOWS` had added by then, (times, 7)."""
    careers: Ints
    """Sum of the ratings of newcomers before each of their first games, (G, HORIZON)."""
    newcomers: Ints
    """How many those are: who played `HORIZON` games, (G,)."""
    settled: Ints
    """Rows of settled players after the warm-up, and the sum of their ratings, (2, G)."""
    deviations: tuple[float, ...]
    """Sum over players of the squared distances of settled ratings from the player's own line, in points, (G,)."""
    freedoms: Ints
    """Games of these less 2 a player, (G,)."""
    finals: Ints
    """Players there at the end with `HORIZON` games; the sum of their ratings, (2, G)."""
    final_squares: Ints
    """Sum of the squares of their distances from the start rating, in whole points, (G,)."""
    classes: Ints
    """Pairs after the warm-up by half (earlier, later), score of the higher rated (0, 1, 2), and class of the
    difference, (2, 3, STEPS)."""
    bands: Ints
    """Rows after the warm-up by band of the own rating: rows, sum of waiting (ms), longest (ms), sum of the table's
    rating gap, (4, BANDS)."""
    timeouts: Ints
    """By group: timeouts by slowness and by disconnection; timeouts that those with a price stand for; their price in
    points and in rating to whose they are, (5, G)."""

    def to_data(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            name: value.tolist()
            if isinstance(value, np.ndarray)
            else list(value)
            if isinstance(value, tuple)
            else value
            for name, value in self.__dict__.items()
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Totals:
        """Make it from plain data.

        Parameters
        ----------
        data
            From `to_data`.

        Raises
        ------
        ResultsError
            Another version of the program has added it up.
        """
        if {one.name for one in fields(cls)} != data.keys():
            raise ResultsError("the sums of this ladder are those of another version of bloodbattle; play it again")
        return cls(**{name: _from_plain(name, value) for name, value in data.items()})


def _from_plain(name: str, value: Any) -> Any:
    """Read one of the sums from plain data."""
    if name == "deviations":
        return tuple(value)
    return np.array(value, dtype=np.int64) if isinstance(value, list) else value
