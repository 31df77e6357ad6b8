"""What a replication adds up to, in integers: by group, by rating and kind of table, by cause of timeouts, by player.

It is added up batch by batch as rows of games come, so a summary needs no rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.errors import InvariantError
from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.ratings.layout import PROVISIONAL_GAMES, RATING, START
from sim.ladder.records import LEFT, SEATS
from sim.ladder.simulate import in_thousandths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from sim.ladder.simulate import Replication

    Ints = npt.NDArray[np.int64]

BANDS: Final = 20
"""Bands of ratings, the start rating between the tenth and the eleventh; the outer ones hold all that lies beyond."""
BAND: Final = 100_000
"""Width of a band, in thousandths of a rating point."""


def _ends_of_waits() -> npt.NDArray[np.int64]:
    """Give upper ends of classes, each by a twentieth more than the one before, in whole numbers."""
    ends = [0, 100]
    while ends[-1] < np.iinfo(np.int32).max:
        ends.append(ends[-1] * 21 // 20)
    return np.array(ends, dtype=np.int64)


WAITS: Final = _ends_of_waits()
"""Upper ends of the classes of waiting times, in milliseconds: no time, up to a tenth of a second, then each wider by
5 %; the last is beyond all that a row holds."""
OF_GROUP: Final = (
    "seats",
    "ranked",
    "points",
    "places",
    "change",
    "drops",
    "slow",
    "offline",
    "slow_seats",
    "offline_seats",
    "slow_priced",
    "offline_priced",
    "slow_ranked",
    "offline_ranked",
    "slow_cost",
    "offline_cost",
    "slow_rating",
    "offline_rating",
    "wait",
)
"""Sums of each group over its seats in games.

`slow_priced` is how many games with a timeout for slowness those with a price stand for, `slow_cost` what the players'
own timeouts cost in them; `slow_ranked` and `slow_rating` the same of rating at ranked tables; and so for lost
connections.
"""
OF_PLAYER: Final = ("change", "slow_cost", "offline_cost", "slow_rating", "offline_rating")
"""Sums of each player."""
PRICES: Final = ("slow_cost", "offline_cost", "slow_rating", "offline_rating")
"""What a player's own timeouts cost, by cause."""


class Sums:
    """Sums of one replication.

    Parameters
    ----------
    replication
        The replication.
    """

    def __init__(self, replication: Replication) -> None:
        self.replication = replication
        groups, kinds = len(replication.groups), len(replication.kinds)
        self.groups: dict[str, Ints] = {name: np.zeros(groups, dtype=np.int64) for name in OF_GROUP}
        self.players: dict[str, Ints] = {name: np.zeros(len(replication.players), dtype=np.int64) for name in OF_PLAYER}
        self.gaps = np.zeros((kinds, BANDS), dtype=np.int64)
        self.waits = np.zeros((kinds, BANDS), dtype=np.int64)
        self.longest = np.zeros((kinds, BANDS), dtype=np.int64)
        self.classes = np.zeros((kinds, BANDS, len(WAITS)), dtype=np.int64)
        self.points = 0
        self.rows = 0
        self.deals = 0

    def add(self, games: npt.NDArray[np.int32]) -> None:
        """Add rows of games.

        Parameters
        ----------
        games : int32, shape (len(GAME_COLUMNS), rows)
            Whole games.
        """
        of = {name: games[place].astype(np.int64) for place, name in enumerate(GAME_COLUMNS)}
        is_ranked = self.replication.kinds["is_ranked"][of["table"]]
        is_slow, is_offline = of["slow"] > 0, of["offline"] > 0
        numbers = {
            **of,
            "seats": np.ones_like(of["game"]),
            "ranked": is_ranked,
            "places": of["place"] * is_ranked,
            "slow_seats": is_slow,
            "offline_seats": is_offline,
            "slow_priced": of["priced"] * is_slow,
            "offline_priced": of["priced"] * is_offline,
            "slow_ranked": of["priced"] * (is_slow & is_ranked),
            "offline_ranked": of["priced"] * (is_offline & is_ranked),
            **{name: of["priced"] * of[name] for name in PRICES},
        }
        for name in OF_GROUP:
            self.groups[name] += _sum_by(of["group"], numbers[name], len(self.groups[name]))
        for name in OF_PLAYER:
            self.players[name] += _sum_by(of["player"], numbers[name], len(self.players[name]))
        self._add_queue(of)
        self.points += int(of["points"].sum())
        self.rows += games.shape[1]
        self.deals += int(of["deals"].sum()) // SEATS

    def _add_queue(self, of: dict[str, Ints]) -> None:
        """Add waiting times and rating gaps."""
        shape = self.waits.shape
        start = round(self.replication.parameters[START] * 1000)
        band = np.clip((of["rating"] - start) // BAND + BANDS // 2, 0, BANDS - 1)
        place = of["table"] * BANDS + band
        self.waits += _sum_by(place, of["wait"], self.waits.size).reshape(shape)
        self.gaps += _sum_by(place, of["gap"], self.gaps.size).reshape(shape)
        np.maximum.at(self.longest.reshape(-1), place, of["wait"])
        classes = np.searchsorted(WAITS, of["wait"])
        counts = np.bincount(place * len(WAITS) + classes, minlength=self.classes.size)
        self.classes += counts.reshape(self.classes.shape)

    def finish(self) -> dict[str, Any]:
        """Check the sums of a replication that is over, and give them as plain data.

        Raises
        ------
        InvariantError
            Points do not add up to 0, or a rating is not its start and all its changes: a defect of ours.
        """
        from_start = self._refuse_contradictions()
        ladder, players = self.replication.ladders[0], self.replication.players
        count = int(ladder.count_players)
        there = players["state"][:count] != LEFT
        groups: dict[str, list[int]] = {name: [int(value) for value in sums] for name, sums in self.groups.items()}
        own = players["group"][:count]
        settled = there & (players["ranked"][:count] >= PROVISIONAL_GAMES)
        initial = self.replication.file.counts
        facts: dict[str, list[int]] = {
            name: [] for name in ("players", "newcomers", "left", "given_up", "settled", "rating", "rating_squares")
        }
        for group in range(len(self.replication.groups)):
            mine = own == group
            ratings = [int(value) for value in from_start[mine & settled]]
            facts["players"].append(int(mine.sum()))
            facts["newcomers"].append(int(mine.sum()) - initial[group])
            facts["left"].append(int((mine & ~there).sum()))
            facts["given_up"].append(int(players["given_up"][:count][mine].sum()))
            facts["settled"].append(len(ratings))
            facts["rating"].append(sum(ratings))
            facts["rating_squares"].append(sum(value * value for value in ratings))
        return {
            "games": int(ladder.count_ended),
            "deals": self.deals,
            "deals_again": int(ladder.again),
            "refused": int(ladder.refused),
            "time": int(ladder.now),
            "groups": {**groups, **facts},
            "queue": {
                "wait": self.waits.tolist(),
                "gap": self.gaps.tolist(),
                "longest": self.longest.tolist(),
                "seats": self.classes.sum(axis=2).tolist(),
                "classes": [[_sparse(band) for band in kind] for kind in self.classes],
            },
        }

    def _refuse_contradictions(self) -> Ints:
        """Check what must hold, and give every rating's distance from the start, in thousandths."""
        replication = self.replication
        ladder = replication.ladders[0]
        if self.points != 0 or self.rows != SEATS * int(ladder.count_ended):
            raise InvariantError(f"ladder: points sum to {self.points} over {self.rows} rows")
        count = int(ladder.count_players)
        start = int(in_thousandths(replication.parameters[START : START + 1])[0])
        moved = in_thousandths(replication.ratings[:count, RATING]) - start
        wrong = np.flatnonzero(moved != self.players["change"][:count])
        if len(wrong):
            who = int(wrong[0])
            found = f"{moved[who]} thousandths against {self.players['change'][who]}"
            raise InvariantError(f"ladder: the rating of player {who} is not its start and all its changes: {found}")
        return moved


def _sparse(counts: Ints) -> list[list[int]]:
    """Give the classes that are not empty, each with its count."""
    return [[int(place), int(counts[place])] for place in np.flatnonzero(counts)]


def wait_within(classes: Iterable[Sequence[Sequence[int]]], share: float, longest: int) -> float:
    """Give the time within which a share of all players was matched, at most 5 % too long.

    Parameters
    ----------
    classes
        Counts by class of waiting time, as `Sums.finish` gives them, of each replication.
    share
        The share, 0 to 1.
    longest
        The longest waiting time, in milliseconds.

    Returns
    -------
    float
        Seconds, never more than the longest.
    """
    counts = np.zeros(len(WAITS), dtype=np.int64)
    for each in classes:
        for place, count in each:
            counts[place] += count
    place = int(np.searchsorted(np.cumsum(counts), share * int(counts.sum())))
    return min(int(WAITS[place]), longest) / 1000


def _sum_by(keys: Ints, values: npt.NDArray[Any], count: int) -> Ints:
    """Sum whole numbers by key; exact, as no sum of a batch reaches 2**53."""
    found: Any = np.bincount(keys, weights=values, minlength=count)
    sums: npt.NDArray[np.int64] = found.astype(np.int64)
    return sums
