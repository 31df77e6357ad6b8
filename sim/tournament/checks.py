"""What must hold for the columns of every chunk, whoever played: checked on every run, before anything is added up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.errors import InvariantError
from sim.tournament.quantities import GAINED, PAID, causes_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.tournament.game import Columns
    from sim.tournament.schedule import Chunk

SEATS: Final = 4


def check_columns(columns: Columns, names: Sequence[str], chunk: Chunk, seatings: int) -> None:
    """Check the shape; that points and each cause sum to zero, causes to the points; that wins are counted in order.

    Parameters
    ----------
    columns : int32, shape (c, n * m * 4)
        What was played.
    names
        Names of the columns.
    chunk
        The chunk.
    seatings
        Seatings of each wall.

    Raises
    ------
    InvariantError
        Something does not hold; the message names the first deal of which it does not.
    """
    expected = (len(names), chunk.walls * seatings * SEATS)
    if columns.shape != expected:
        raise InvariantError(f"chunk {chunk.id}: columns of shape {columns.shape} instead of {expected}")
    for what, faults in _faults(columns, list(names)):
        if faults.any():
            deal = int(np.flatnonzero(faults)[0])
            wall, seating = chunk.first_wall + deal // seatings, deal % seatings
            raise InvariantError(f"deal {chunk.cell}.{wall}.{seating}: {what}")


def _faults(columns: Columns, names: list[str]) -> Iterator[tuple[str, Any]]:
    """Give for each thing that must hold the deals of which it does not."""

    def by_seat(name: str) -> Any:
        return columns[names.index(name)].reshape(-1, SEATS)

    points = by_seat("points").astype(np.int64)
    yield "points do not sum to zero", _sum(points) != 0
    causes = np.zeros_like(points)
    unequal: dict[str, Any] = {}
    for cause in causes_of(names):
        net = by_seat(GAINED + cause).astype(np.int64) - by_seat(PAID + cause)
        causes += net
        unequal[cause] = _sum(net) != 0
    yield "causes do not sum to the points", _any(causes != points)
    for cause, faults in unequal.items():
        yield f"payments made are not payments received: {cause.replace('_', ' ')}", faults
    if "win_order" in names and "wins" in names:
        orders, wins = by_seat("win_order"), by_seat("wins")
        won = orders > 0
        yield "wins are not those of the four seats", _any(wins != _sum(won.astype(np.int64))[:, None])
        expected = (2 << wins[:, 0].astype(np.int64)) - 2
        yield "wins do not come in order", _sum(won * (1 << np.clip(orders, 0, 60).astype(np.int64))) != expected


def _sum(by_seat: Any) -> Any:
    """Add up the four seats of each deal."""
    return by_seat[:, 0] + by_seat[:, 1] + by_seat[:, 2] + by_seat[:, 3]


def _any(by_seat: Any) -> Any:
    """Tell for each deal whether anything holds for any seat."""
    return by_seat[:, 0] | by_seat[:, 1] | by_seat[:, 2] | by_seat[:, 3]
