"""One replication of a ladder: from its settings to players, games and snapshots, in steps that can be watched.

Everything follows from the settings and the seed of the replication. Two cells with the same seed have the same
players, who come, think and lose their connections alike, and the same walls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.play import describe_illegal, watching
from sim.engine.sichuan.watch import WATCH
from sim.errors import ConfigError, IllegalActionError
from sim.jit import new
from sim.ladder.file import OPENING_SECONDS
from sim.ladder.loop import CHOSE_ILLEGALLY, ENDED, GAME_COLUMNS, PAUSED, begin_ladder, run_ladder
from sim.ladder.ratings.layout import STATE
from sim.ladder.records import SEATS, Event, Group, Ladder, Match, Player, TableKind
from sim.ladder.table import Clock, Sitter, roster_of
from sim.rng import wall_seed_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from sim.ladder.file import GroupTable, LadderFile, TableTable
    from sim.ladder.systems import RatingSystem

SECOND: Final = 1_000
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR
FAR: Final = 1 << 60
GAMES_AT_A_TIME: Final = 50_000
"""Games after whose end their rows are taken away."""
STEP: Final = 5_000
"""Games between two times that the loop can be watched or stopped."""


@dataclass(frozen=True)
class Step:
    """What the loop has done since the last step."""

    ended: int
    """Games ended so far."""
    deals: int
    """Deals played so far."""
    days: float
    """Virtual time, in days."""
    games: npt.NDArray[np.int32] | None
    """Rows of games that have come, (len(GAME_COLUMNS), rows), when it is time to take them away."""


class Replication:
    """One replication of one cell.

    Parameters
    ----------
    ladder
        The ladder.
    rules
        The compiled preset.
    system
        The rating system.
    strategies
        The strategy of each group.
    number
        Which replication, from 0.

    Raises
    ------
    ConfigError
        A strategy answers for many tables at once, which a ladder cannot use.
    """

    def __init__(
        self, ladder: LadderFile, rules: Any, system: RatingSystem, strategies: Sequence[Any], number: int
    ) -> None:
        for group, strategy in zip(ladder.groups, strategies, strict=True):
            if getattr(strategy, "batch", None):
                raise ConfigError(
                    f"group {group.name}: {strategy.name} is a batch strategy; a ladder plays one table at a time;"
                    " allowed: native and Python strategies"
                )
        self.file = ladder
        self.rules = rules
        self.strategies = list(strategies)
        self.system = system.code
        self.parameters = system.to_array()
        names = list({id(strategy): strategy for strategy in strategies}.values())
        self.roster = roster_of([strategy.decisions for strategy in names])
        self.groups = new(Group, len(ladder.groups))
        for place, (group, strategy) in enumerate(zip(ladder.groups, strategies, strict=True)):
            _fill_group(self.groups[place], group, names.index(strategy), strategy.parameters)
        self.kinds = new(TableKind, len(ladder.tables))
        shares = sum(table.share for table in ladder.tables)
        for place, table in enumerate(ladder.tables):
            _fill_kind(self.kinds[place], table, table.share / shares)
        self._make_room(number)

    def _make_room(self, number: int) -> None:
        """Make the arrays, and let the ladder begin."""
        file, room, kinds = self.file, most_players(self.file), len(self.file.tables)
        self.ladders = new(Ladder)
        ladder = self.ladders[0]
        ladder.seed = wall_seed_of(file.seed, number)
        ladder.end = FAR if file.days is None else int(file.days * DAY)
        ladder.most_matches = FAR if file.games is None else file.games
        ladder.snapshot_gap = snapshot_gap(file)
        ladder.look_gap = int(file.queue.look * SECOND)
        ladder.is_nearest = file.queue.order == "nearest"
        ladder.window = file.queue.window
        ladder.growth = file.queue.growth / SECOND
        ladder.most_window = file.queue.most
        self.players = new(Player, room)
        self.ratings = np.zeros((room, STATE))
        self.queues = np.zeros((kinds, room), dtype=np.int64)
        self.lengths, self.looked = np.zeros(kinds, dtype=np.int64), np.zeros(kinds, dtype=np.int64)
        places = room // SEATS + 2
        self.matches = new(Match, places)
        self.events = new(Event, room + places + len(file.groups) + kinds + 4)
        self.free = np.zeros(places, dtype=np.int64)
        self.lots = np.zeros(len(file.groups), dtype=np.uint64)
        self.deals, self.clocks, self.sitters = new(Deal), new(Clock), new(Sitter, SEATS)
        self.deals[0].wall_mode = WALL_MODES.index(file.wall_mode)
        self.games = np.zeros((len(GAME_COLUMNS), SEATS * GAMES_AT_A_TIME), dtype=np.int32)
        self.snapshots = np.full((2 * MOST_SNAPSHOTS, room), -1, dtype=np.int32)
        initial = np.array(file.counts, dtype=np.int64)
        begin_ladder(
            self.ladders,
            self.players,
            self.groups,
            initial,
            self.ratings,
            self.events,
            self.matches[:-1],
            self.free,
            self.lots,
            self.system,
            self.parameters,
        )

    def run(self) -> Iterator[Step]:
        """Let the ladder run to its end.

        Yields
        ------
        Step
            After every few thousand games, and at the end; with rows of games when there are many, and at the end.

        Raises
        ------
        IllegalActionError
            A strategy chose what the rules do not allow.
        StrategyError
            A strategy raised an error.
        """
        ladder, lookup = self.ladders[0], load_lookup()
        status = PAUSED
        while status != ENDED:
            with watching(self.strategies), WATCH.over(self._look, self._asked):
                status = run_ladder(
                    self.ladders,
                    self.players,
                    self.groups,
                    self.kinds,
                    self.ratings,
                    self.queues,
                    self.lengths,
                    self.looked,
                    self.events,
                    self.matches,
                    self.free,
                    self.lots,
                    self.deals,
                    self.clocks,
                    self.sitters,
                    self.roster,
                    self.rules,
                    lookup,
                    self.system,
                    self.parameters,
                    self.games,
                    self.snapshots,
                    STEP,
                )
            if status == CHOSE_ILLEGALLY:
                raise self._refused()
            rows = int(ladder.rows)
            taken = None
            if status != PAUSED and rows:
                taken = self.games[:, :rows].copy()
                ladder.rows = 0
            yield Step(int(ladder.count_ended), int(ladder.deals), int(ladder.now) / DAY, taken)

    def _look(self) -> tuple[Any, bytes]:
        """Give what shows that the loop goes on: the deal in play, and how many matches there were."""
        return self.deals[0], int(self.ladders[0].count_matches).to_bytes(8, "little")

    def _asked(self) -> tuple[str, dict[str, Any]]:
        """Say who is asked, for a loop that does not go on."""
        match = int(self.ladders[0].count_matches) - 1
        return f"ladder {self.file.name}, match {match}", {"ladder": self.file.name, "match": match}

    def _refused(self) -> IllegalActionError:
        """Make the error for an illegal action."""
        ladder = self.ladders[0]
        player, seat = int(ladder.failed_player), int(ladder.failed_seat)
        strategy = self.strategies[int(self.players[player].group)]
        told = describe_illegal(self.deals[0], seat, strategy.name)
        return IllegalActionError(f"{told} (ladder {self.file.name}, player {player}, wall seed {ladder.failed_deal})")


MOST_SNAPSHOTS: Final = 1_002
"""Room for snapshots: as many as a file can ask for, and the last."""


def snapshot_gap(file: LadderFile) -> int:
    """Give the time between two snapshots, in milliseconds of virtual time.

    Parameters
    ----------
    file
        The ladder.

    Returns
    -------
    int
        The ladder's days in even parts. A ladder of so many games is parted by the days that they are expected to take:
        the number of players times their games a day, four to a game.
    """
    days = file.days if file.days is not None else expected_days(file)
    return max(int(days * DAY / file.snapshots), SECOND)


def games_per_day(file: LadderFile) -> float:
    """Give how many games a day the players at the start would play, if nobody had to wait.

    Parameters
    ----------
    file
        The ladder.
    """
    total = 0.0
    for group, count in zip(file.groups, file.counts, strict=True):
        session = group.session
        hours = session.gap_hours + session.games * (session.rest + 120.0) / 3600
        total += count * session.games * 24 / max(hours, 1e-3) / SEATS
    return max(total, 1e-6)


def expected_days(file: LadderFile) -> float:
    """Give the days of virtual time that a ladder is expected to take.

    Parameters
    ----------
    file
        The ladder.
    """
    return file.days if file.days is not None else (file.games or 0) / games_per_day(file)


def most_players(file: LadderFile) -> int:
    """Give the room for players: what the file says, or what is expected to come with room to spare.

    Parameters
    ----------
    file
        The ladder.
    """
    if file.most_players is not None:
        return max(file.most_players, sum(file.counts))
    days = expected_days(file)
    expected = 0.0
    for group, count in zip(file.groups, file.counts, strict=True):
        expected += count + group.newcomers_per_day * days
        if group.leaving.replaced:
            sessions = count * days * 24 / max(group.session.gap_hours, 0.1)
            expected += sessions * min(group.leaving.probability + abs(group.leaving.per_400_below), 1.0)
    return int(1.5 * expected + 100)


def _fill_group(record: Any, group: GroupTable, strategy: int, parameters: Any) -> None:
    """Write a group as the loop reads it."""
    record.strategy = strategy
    record.parameters[:] = parameters
    record.is_anchor = group.anchor
    think, connection, session, leaving = group.think, group.connection, group.session, group.leaving
    record.think_opening = think.opening * SECOND
    record.think_turn = think.turn * SECOND
    record.think_claim = think.claim * SECOND
    record.think_spread = think.spread
    record.drop_gap = HOUR / connection.drops_per_hour if connection.drops_per_hour else 0.0
    record.offline = connection.offline * SECOND
    record.offline_spread = connection.spread
    record.session_games = session.games
    record.rest = session.rest * SECOND
    record.gap = session.gap_hours * HOUR
    record.patience = session.patience * SECOND
    record.quit = leaving.probability
    record.quit_slope = leaving.per_400_below
    record.newcomer_gap = DAY / group.newcomers_per_day if group.newcomers_per_day else 0.0
    record.is_replaced = leaving.replaced


def _fill_kind(record: Any, table: TableTable, share: float) -> None:
    """Write a kind of table as the loop reads it."""
    record.is_ranked = table.kind == "ranked"
    record.deals = table.deals
    record.share = share
    seconds = table.seconds
    record.is_timed = seconds is not None
    if seconds is not None:
        base, reserve = seconds
        record.base = int(base * SECOND)
        record.reserve = int(reserve * SECOND)
        record.opening = int(max(base, OPENING_SECONDS) * SECOND)
