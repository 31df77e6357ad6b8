"""Adding up a replication of a ladder, row by row as games come: `sim.ladder.totals`.

Rows are forgotten once they are added, so that a ladder of any length needs little memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.ladder.totals import BAND, BANDS, CHECKPOINTS, FLOWS, HORIZON, STEP, STEPS, Totals

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from sim.ladder.file import LadderFile
    from sim.ladder.systems import RatingSystem
    from sim.ladder.totals import Ints

SEATS: Final = 4
FEWEST_SETTLED: Final = 20
"""Settled games that a player must have for the noise."""
PROVISIONAL_GAMES: Final = 10
"""Games in which a rating is provisional, where the rating system does not say it."""
SECONDS: Final = 86_400
_THOUSAND: Final = 1_000


class Account:
    """Takes the rows of a replication, and adds them up.

    Parameters
    ----------
    file
        The ladder.
    system
        Its rating system.
    """

    def __init__(self, file: LadderFile, system: RatingSystem) -> None:
        self._file = file
        self._start = round(system.start * _THOUSAND)
        self._provisional = float(getattr(system, "provisional_games", PROVISIONAL_GAMES))
        self._is_ranked = np.array([table.kind == "ranked" for table in file.tables])
        self._groups = count = len(file.groups)
        self._games = 0
        self._breaks = 0
        self._rating = np.empty(0, dtype=np.int64)
        self._played = np.empty(0, dtype=np.int64)
        self._career = np.empty((0, HORIZON), dtype=np.int32)
        self._lines = np.empty((6, 0), dtype=np.int64)
        self._flows = np.zeros(len(FLOWS), dtype=np.int64)
        self._events = np.zeros(len(FLOWS), dtype=np.int64)
        self._duels = np.zeros((count, count), dtype=np.int64)
        self._scores = np.zeros((count, count), dtype=np.int64)
        self._settled = np.zeros((2, count), dtype=np.int64)
        self._classes = np.zeros((2, 3, STEPS), dtype=np.int64)
        self._bands = np.zeros((4, BANDS), dtype=np.int64)
        self._timeouts = np.zeros((5, count), dtype=np.int64)
        self._watched: list[tuple[int, int, Ints, Ints, Ints]] = []

    def add(self, rows: Mapping[str, npt.NDArray[Any]]) -> None:
        """Take rows: whole games, four rows each, in the order in which the games ended.

        Parameters
        ----------
        rows
            The columns of `sim.ladder.loop.GAME_COLUMNS` by name.
        """
        columns = {name: np.asarray(values, dtype=np.int64) for name, values in rows.items()}
        count = len(columns["player"])
        self._make_room(int(columns["player"].max(initial=-1)) + 1)
        at = 0
        while at < count:
            until = min(self._row_of_next_checkpoint(columns["ended"], at), count)
            if until > at:
                self._add_part({name: values[at:until] for name, values in columns.items()})
                at = until
            if self._is_checkpoint(columns["ended"], at):
                ended = int(columns["ended"][at - 1]) if at else 0
                self._watch_now(self._time_of_checkpoint(ended))

    def _watch_now(self, seconds: int) -> None:
        """Note how things stand at a checkpoint."""
        self._watched.append((self._games, seconds, self._rating.copy(), self._played.copy(), self._flows.copy()))

    def _make_room(self, players: int) -> None:
        """Make room for players that have not been seen yet."""
        known = len(self._rating)
        more = max(players, min(2 * known, known + 10_000)) - known if players > known else 0
        if more:
            self._rating = np.append(self._rating, np.full(more, self._start, dtype=np.int64))
            self._played = np.append(self._played, np.zeros(more, dtype=np.int64))
            self._career = np.append(self._career, np.zeros((more, HORIZON), dtype=np.int32), axis=0)
            self._lines = np.append(self._lines, np.zeros((6, more), dtype=np.int64), axis=1)

    # ------------------------------------------------------------------------------------------------- checkpoints

    def _goal(self, number: int) -> int:
        """Give the games, or the second of virtual time, at which a checkpoint is due."""
        whole = self._file.games if self._file.games is not None else int((self._file.days or 0) * SECONDS)
        return -(-number * whole // CHECKPOINTS)

    def _row_of_next_checkpoint(self, ended: Ints, at: int) -> int:
        """Give the row up to which nothing is due."""
        number = len(self._watched) + 1
        if number > CHECKPOINTS:
            return len(ended)
        if self._file.games is not None:
            return at + SEATS * (self._goal(number) - self._games)
        return int(np.searchsorted(ended, self._goal(number), side="left"))

    def _is_checkpoint(self, ended: Ints, at: int) -> bool:
        """Tell whether a checkpoint is due before the next row."""
        number = len(self._watched) + 1
        if number > CHECKPOINTS:
            return False
        if self._file.games is not None:
            return self._games >= self._goal(number)
        return at < len(ended) and int(ended[at]) >= self._goal(number)

    def _time_of_checkpoint(self, ended: int) -> int:
        """Give the second of virtual time of the checkpoint that is due."""
        return ended if self._file.games is not None else self._goal(len(self._watched) + 1)

    def _progress(self, columns: Mapping[str, Ints]) -> npt.NDArray[np.float64]:
        """Give how far the ladder had come at each row, from 0 to 1."""
        if self._file.games is not None:
            return (self._games + np.arange(len(columns["player"])) // SEATS) / self._file.games
        return columns["ended"] / ((self._file.days or 0.0) * SECONDS)

    # -------------------------------------------------------------------------------------------------------- rows

    def _add_part(self, columns: Mapping[str, Ints]) -> None:
        """Take rows between two checkpoints."""
        progress = self._progress(columns)
        self._games += len(progress) // SEATS
        ranked = self._is_ranked[columns["table"]]
        if not ranked.all():
            progress = progress[ranked]
            columns = {name: values[ranked] for name, values in columns.items()}
        who, rating = columns["player"], columns["rating"]
        own, last = _numbers_of(who, self._played)
        self._breaks += int((rating != last_of(who, rating + columns["change"], self._rating)).sum())
        warm = progress >= self._file.warm_up
        self._add_flows(columns, own)
        self._add_pairs(columns, warm, progress >= (1.0 + self._file.warm_up) / 2)
        self._add_careers(columns, own, warm)
        band = np.minimum(rating[warm] // (BAND * _THOUSAND), BANDS - 1)
        self._bands[0] += np.bincount(band, minlength=BANDS)
        np.add.at(self._bands[1], band, columns["wait"][warm])
        np.maximum.at(self._bands[2], band, columns["wait"][warm])
        np.add.at(self._bands[3], band, columns["gap"][warm])
        self._rating[who] = rating + columns["change"]  # of several rows of a player the last one stays
        self._played[who[last]] = own[last] + 1

    def _add_flows(self, columns: Mapping[str, Ints], own: Ints) -> None:
        """Book what came and went, by cause, and what timeouts cost."""
        created = columns["created"].reshape(-1, SEATS).sum(axis=1)
        price = columns["rating_cost"].reshape(-1, SEATS).sum(axis=1)
        is_provisional = (own < self._provisional).reshape(-1, SEATS).any(axis=1)
        is_out = columns["slow"] + columns["offline"] > 0
        had_timeouts = is_out.reshape(-1, SEATS).any(axis=1)
        made = created + price  # without timeouts it would have been this
        amounts = (made[is_provisional], made[~is_provisional], columns["floored"], -price)
        for place, amount in zip((2, 3, 4, 5), amounts, strict=True):
            self._flows[place] += amount.sum()
        self._flows[6] += (columns["change"] - columns["created"] - columns["floored"]).sum()
        acted = (is_provisional, (made != 0) & ~is_provisional, columns["floored"] != 0, had_timeouts)
        for place, act in zip((2, 3, 4, 5), acted, strict=True):
            self._events[place] += int(act.sum())
        weight = columns["priced"]
        for row, values in enumerate(
            (
                columns["slow"],
                columns["offline"],
                weight * (columns["slow"] + columns["offline"]),
                weight * (columns["slow_cost"] + columns["offline_cost"]),
                weight * (columns["slow_rating"] + columns["offline_rating"]),
            )
        ):
            np.add.at(self._timeouts[row], columns["group"], values)

    def _add_pairs(self, columns: Mapping[str, Ints], warm: npt.NDArray[np.bool_], late: npt.NDArray[np.bool_]) -> None:
        """Count who was ahead of whom, by groups and by rating difference."""
        tables = warm[::SEATS]
        place, group, rating = (columns[name].reshape(-1, SEATS)[tables] for name in ("place", "group", "rating"))
        half = late[::SEATS][tables].astype(np.int64)[:, np.newaxis]
        one, other = np.triu_indices(SEATS, 1)
        score = 1 + np.sign(place[:, other] - place[:, one])
        whom = np.concatenate(
            [group[:, one] * self._groups + group[:, other], group[:, other] * self._groups + group[:, one]]
        )
        self._duels += _count(whom.ravel(), self._duels.size).reshape(self._duels.shape)
        scores = np.concatenate([score, 2 - score])
        self._scores += _sum(whom.ravel(), scores.ravel(), self._scores.size).reshape(self._scores.shape)
        gap = rating[:, one] - rating[:, other]
        step = np.minimum(np.abs(gap) // (STEP * _THOUSAND), STEPS - 1)
        kind = (half * 3 + np.where(gap >= 0, score, 2 - score)) * STEPS + step
        self._classes += _count(kind.ravel(), self._classes.size).reshape(self._classes.shape)

    def _add_careers(self, columns: Mapping[str, Ints], own: Ints, warm: npt.NDArray[np.bool_]) -> None:
        """Follow players in their first games, and once they are settled."""
        who, rating, group = columns["player"], columns["rating"], columns["group"]
        young = own < HORIZON
        self._career[who[young], own[young]] = rating[young]
        old = ~young & warm
        np.add.at(self._settled[0], group[old], 1)
        np.add.at(self._settled[1], group[old], rating[old])
        when, value = own[old] - HORIZON, rating[old] - self._start
        for row, values in enumerate((np.ones_like(when), when, when * when, value, when * value, value * value)):
            np.add.at(self._lines[row], who[old], values)

    # ---------------------------------------------------------------------------------------------------- the end

    def finish(self, group: npt.ArrayLike, joined: npt.ArrayLike, left: npt.ArrayLike, rating: npt.ArrayLike) -> Totals:
        """Close the account.

        Parameters
        ----------
        group : int, shape (players,)
            The group of everybody who ever came, by number.
        joined, left : int, shape (players,)
            When they came and left for good, in milliseconds; 0: at the start, not at all.
        rating : int, shape (players,)
            Their ratings at the end, in thousandths.
        """
        groups, came, went, final = (np.asarray(values, dtype=np.int64) for values in (group, joined, left, rating))
        players, count = len(groups), self._groups
        self._make_room(players)
        self._breaks += int((self._rating[:players] != final).sum())
        while self._file.days is not None and len(self._watched) < CHECKPOINTS:  # nobody's game ended after these
            self._watch_now(self._time_of_checkpoint(0))
        is_new, is_gone = came > 0, went > 0
        flows, events = self._flows.copy(), self._events.copy()
        flows[0], events[0] = is_new.sum() * self._start, is_new.sum()
        flows[1], events[1] = -final[is_gone].sum(), is_gone.sum()
        times = self._watch(groups, came, went, final)
        old = ~is_gone & (self._played[:players] >= HORIZON)
        points = _in_points(final - self._start)
        followed = self._played[:players] >= HORIZON
        if any(each.newcomers_per_day or each.leaving.replaced for each in self._file.groups):
            followed &= is_new
        careers = np.zeros((count, HORIZON), dtype=np.int64)
        np.add.at(careers, groups[followed], self._career[:players][followed].astype(np.int64))
        deviations, freedoms = self._measure_lines(groups)
        return Totals(
            games=self._games,
            start=int((~is_new).sum()) * self._start,
            end=int(final[~is_gone].sum()),
            flows=flows,
            events=events,
            breaks=self._breaks,
            duels=self._duels,
            scores=self._scores,
            **times,
            careers=careers,
            newcomers=_count(groups[followed], count),
            settled=self._settled,
            deviations=deviations,
            freedoms=freedoms,
            finals=np.array([_count(groups[old], count), _sum(groups[old], final[old], count)]),
            final_squares=_sum(groups[old], points[old] ** 2, count),
            classes=self._classes,
            bands=self._bands,
            timeouts=self._timeouts,
        )

    def _watch(self, groups: Ints, came: Ints, went: Ints, final: Ints) -> dict[str, Ints]:
        """Sum ratings by group at the start and at each checkpoint, over those who were there; and the ledger."""
        nobody = np.empty(0, dtype=np.int64)
        found: list[tuple[int, Ints, Ints, Ints, Ints, Ints]] = []
        for games, seconds, ratings, played, causes in [(0, 0, nobody, nobody, 0 * self._flows), *self._watched]:
            now = _THOUSAND * seconds
            there = np.flatnonzero((came <= now) & ((went == 0) | (went > now)))
            values, own = np.full(len(groups), self._start, dtype=np.int64), np.zeros(len(groups), dtype=np.int64)
            seen = min(len(ratings), len(groups))
            values[:seen], own[:seen] = ratings[:seen], played[:seen]
            kind, count = groups[there], self._groups
            squares = _in_points(values[there] - self._start) ** 2
            flows = causes.copy()
            flows[0] = self._start * ((came > 0) & (came <= now)).sum()
            flows[1] = -final[(went > 0) & (went <= now)].sum()
            found.append(
                (
                    games,
                    _count(kind, count),
                    _sum(kind, values[there], count),
                    _sum(kind, squares, count),
                    _sum(kind, own[there], count),
                    flows,
                )
            )
        names = ("when", "counts", "sums", "squares", "played", "ledgers")
        return {
            name: np.array(values, dtype=np.int64) for name, values in zip(names, zip(*found, strict=True), strict=True)
        }

    def _measure_lines(self, groups: Ints) -> tuple[tuple[float, ...], Ints]:
        """Give by group how far settled ratings lie from each player's own straight line."""
        sums = [[0.0] for _ in range(self._groups)]
        freedoms = np.zeros(self._groups, dtype=np.int64)
        for player in np.flatnonzero(self._lines[0, : len(groups)] >= FEWEST_SETTLED).tolist():
            n, t, tt, r, tr, rr = (int(value) for value in self._lines[:, player])
            # Σ(r - line)² = (n·rr - r² - (n·tr - t·r)² / (n·tt - t²)) / n, in whole numbers up to the last division
            along, across, both = n * tt - t * t, n * rr - r * r, n * tr - t * r
            sums[groups[player]].append((across * along - both * both) / (n * along * _THOUSAND**2))
            freedoms[groups[player]] += n - 2
        return tuple(float(f"{sum(values):.12g}") for values in sums), freedoms


def last_of(who: Ints, after: Ints, before: Ints) -> Ints:
    """Give what each row should find: what the player's row before left, or what there was before all rows.

    Parameters
    ----------
    who : int64, shape (rows,)
        The player of each row.
    after : int64, shape (rows,)
        What each row leaves.
    before : int64, shape (players,)
        What there was.

    Examples
    --------
    >>> last_of(np.array([1, 0, 1]), np.array([7, 8, 9]), np.array([4, 5])).tolist()
    [5, 4, 7]
    """
    order = np.argsort(who, kind="stable")
    found = np.empty_like(after)
    found[order] = np.roll(after[order], 1)
    first = np.ones(len(who), dtype=np.bool_)
    first[1:] = np.diff(who[order]) != 0
    found[order[first]] = before[who[order[first]]]
    return found


def _numbers_of(who: Ints, played: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Give each row its number among the player's own games, and say which is the player's last."""
    order = np.argsort(who, kind="stable")
    new = np.ones(len(who) + 1, dtype=np.bool_)
    new[1:-1] = np.diff(who[order]) != 0
    places = np.arange(len(who))
    firsts = np.maximum.accumulate(np.where(new[:-1], places, 0))
    own, last = np.empty_like(who), np.empty(len(who), dtype=np.bool_)
    own[order] = places - firsts + played[who[order]]
    last[order] = new[1:]
    return own, last


def _in_points(values: Ints) -> Ints:
    """Round thousandths to whole points."""
    return (values + _THOUSAND // 2) // _THOUSAND


def _count(groups: Ints, count: int) -> Ints:
    """Count by group."""
    return np.bincount(groups, minlength=count).astype(np.int64)


def _sum(groups: Ints, values: Ints, count: int) -> Ints:
    """Sum by group, in whole numbers."""
    found = np.zeros(count, dtype=np.int64)
    np.add.at(found, groups, values)
    return found


def account_for(file: LadderFile, system: RatingSystem, replication: Any) -> Totals:
    """Let a replication run to its end, and add it up.

    Parameters
    ----------
    file
        The ladder.
    system
        Its rating system.
    replication
        A `sim.ladder.simulate.Replication` that has not run yet.
    """
    from sim.ladder.loop import GAME_COLUMNS  # noqa: PLC0415 - loads the engine

    account = Account(file, system)
    for step in replication.run():
        if step.games is not None:
            account.add(dict(zip(GAME_COLUMNS, step.games, strict=True)))
    return close(account, replication)


def close(account: Account, replication: Any) -> Totals:
    """Close the account of a replication that has run.

    Parameters
    ----------
    account
        It has taken all rows.
    replication
        A `sim.ladder.simulate.Replication`.
    """
    players = replication.players[: int(replication.ladders[0].count_players)]
    ratings = replication.ratings[: len(players), 0]
    thousandths = np.floor(ratings * _THOUSAND + 0.5).astype(np.int64)
    group, joined, left = (np.array([int(player[name]) for player in players]) for name in ("group", "joined", "left"))
    return account.finish(group, joined, left, thousandths)
