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
from sim.engine.sichuan.failing import refused, watching
from sim.engine.sichuan.watch import WATCH
from sim.errors import ConfigError
from sim.jit import new, without_checks
from sim.ladder.expect import most_players
from sim.ladder.file import MOST_DAYS, OPENING_SECONDS
from sim.ladder.loop import CHOSE_ILLEGALLY, GAME_COLUMNS, REACHED, ROWS_FULL, begin_ladder, run_ladder
from sim.ladder.ratings.layout import RATING, STATE
from sim.ladder.records import LEFT, SEATS, Event, Group, Ladder, Match, Player, TableKind
from sim.ladder.table import Clock, Sitter, roster_of
from sim.rng import wall_seed_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from sim.engine.sichuan.play import CompiledStrategy
    from sim.errors import BloodBattleError
    from sim.ladder.file import GroupTable, LadderFile, TableTable
    from sim.ladder.systems import RatingSystem

SECOND: Final = 1_000
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR
GAMES_AT_A_TIME: Final = 50_000
"""Games after whose end their rows are taken away."""
STEP: Final = 5_000
"""Games between two times that the loop can be watched or stopped."""
STILL: Final = 1_000
"""Days without a match after which a ladder of so many games is given up."""


@dataclass(frozen=True)
class Snapshot:
    """Everybody's rating at one time."""

    number: int
    """Which snapshot, from 0, the one at the start."""
    time: int
    """When, in milliseconds of virtual time."""
    games: int
    """Games ended before."""
    players: npt.NDArray[np.int64]
    """Who was there."""
    ratings: npt.NDArray[np.int64]
    """Their ratings in thousandths."""
    ranked: npt.NDArray[np.int64]
    """Their ranked games so far."""


@dataclass(frozen=True)
class Step:
    """What the loop has done since the last step."""

    ended: int
    """Games ended so far."""
    deals: int
    """Deals played so far."""
    days: float
    """Virtual time, in days."""
    share: float
    """How much of the replication is done, 0 to 1."""
    games: npt.NDArray[np.int32] | None
    """Rows of games that have come, (len(GAME_COLUMNS), rows), when it is time to take them away."""
    snapshot: Snapshot | None
    """A snapshot, when it was time for one."""


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
        The strategy of each group: native or Python, not batch.
    number
        Which replication, from 0.
    """

    def __init__(
        self,
        ladder: LadderFile,
        rules: Any,
        system: RatingSystem,
        strategies: Sequence[CompiledStrategy],
        number: int,
    ) -> None:
        self.file = ladder
        self.number = number
        self._run_ladder = run_ladder
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
            fill_kind(self.kinds[place], table, table.share / shares)
        self._make_room(number)

    def _make_room(self, number: int) -> None:
        """Make the arrays, and let the ladder begin."""
        file, room, kinds = self.file, most_players(self.file), len(self.file.tables)
        self.ladders = new(Ladder)
        ladder = self.ladders[0]
        ladder.seed = wall_seed_of(file.seed, number)
        ladder.end = MOST_DAYS * DAY
        ladder.most_matches = np.iinfo(np.int64).max
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
        begin_ladder(
            self.ladders,
            self.players,
            self.groups,
            np.array(file.counts, dtype=np.int64),
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
            After every few thousand games, at every snapshot, and at the end; with rows of games when there are many,
            and at the end.

        Raises
        ------
        BloodBattleError
            A strategy raised an error, or chose what the rules do not allow; or nobody is ever matched.
        """
        ladder, parts = self.ladders[0], self.file.snapshots
        yield self._step(self._take_snapshot(0, 0), is_last=False)
        for part in range(1, parts + 1):
            if self.file.days is not None:
                ladder.end = int(self.file.days * DAY * part / parts)
            else:
                ladder.most_matches = (self.file.games or 0) * part // parts
            status = -1
            while status != REACHED:
                status = self._go_on()
                if status != REACHED:
                    self._refuse_standstill()
                    yield self._step(None, is_last=False, is_full=status == ROWS_FULL)
            is_over = bool(ladder.count_events == 0 and not self.lengths.any())
            if self.file.games is not None and ladder.count_ended < ladder.most_matches and not is_over:
                if ladder.count_events == 0:
                    raise self._standstill("nobody who waits can ever be matched")
                raise ConfigError(f"{self._name}: {MOST_DAYS:,} days of virtual time were not enough for its games")
            is_last = part == parts or is_over
            if self.file.days is not None and not is_over:
                ladder.now = ladder.end  # time goes by, whether or not anything happens
            yield self._step(self._take_snapshot(part, int(ladder.now)), is_last=is_last)
            if is_last:
                break

    def _go_on(self) -> int:
        """Let the loop go on for a while; return why it came back."""
        lookup = load_lookup()
        with watching(self.strategies), WATCH.over(self._look, self._asked):
            status = self._run_ladder(
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
                STEP,
            )
        self._run_ladder = without_checks(run_ladder)
        if status == CHOSE_ILLEGALLY:
            raise self._refused(lookup)
        return int(status)

    def _step(self, snapshot: Snapshot | None, *, is_last: bool, is_full: bool = False) -> Step:
        """Say what was done, and take rows away."""
        ladder = self.ladders[0]
        rows, taken = int(ladder.rows), None
        if (is_full or is_last) and rows:
            taken = self.games[:, :rows].copy()
            ladder.rows = 0
        ended, days = int(ladder.count_ended), int(ladder.now) / DAY
        share = days / self.file.days if self.file.days is not None else ended / (self.file.games or 1)
        return Step(ended, int(ladder.deals), days, 1.0 if is_last else share, taken, snapshot)

    def _take_snapshot(self, number: int, time: int) -> Snapshot:
        """Write down the ratings of all who are there."""
        ladder = self.ladders[0]
        count = int(ladder.count_players)
        there = np.flatnonzero(self.players["state"][:count] != LEFT)
        return Snapshot(
            number,
            time,
            int(ladder.count_ended),
            there,
            in_thousandths(self.ratings[there, RATING]),
            self.players["ranked"][:count][there],
        )

    def _refuse_standstill(self) -> None:
        """Refuse to go on for ever in a ladder in which nobody is matched."""
        ladder = self.ladders[0]
        begun = int(self.matches["began"].max()) if ladder.count_matches else 0
        if self.file.games is not None and ladder.now - begun > STILL * DAY and ladder.count_free == len(self.free) - 1:
            raise self._standstill(f"nobody was matched for {STILL:,} days")

    def _standstill(self, what: str) -> ConfigError:
        """Make the error for a ladder that stands still."""
        waiting, ended = int(self.lengths.sum()), int(self.ladders[0].count_ended)
        return ConfigError(
            f"{self._name}: {what}: {waiting:,} players wait, and {ended:,} of {self.file.games:,} games are played;"
            " widen queue.most, add players, or give days instead of games"
        )

    @property
    def _name(self) -> str:
        """What to call it in messages."""
        return f"ladder {self.file.name}, replication {self.number}"

    def _look(self) -> tuple[Any, bytes]:
        """Give what shows that the loop goes on: the deal in play, how many matches there were, and the time."""
        ladder = self.ladders[0]
        return self.deals[0], int(ladder.count_matches).to_bytes(8, "little") + int(ladder.now).to_bytes(8, "little")

    def _asked(self) -> tuple[str, dict[str, Any]]:
        """Say who is asked, for a loop that does not go on."""
        match = int(self.ladders[0].count_matches) - 1
        facts = {"ladder": self.file.name, "replication": self.number, "match": match}
        return f"{self._name}, match {match}", facts

    def _refused(self, lookup: Any) -> BloodBattleError:
        """Make the error for a strategy whose answer was not accepted."""
        ladder = self.ladders[0]
        player, seat = int(ladder.failed_player), int(ladder.failed_seat)
        group = int(self.players[player].group)
        identity = (
            f"{self._name}, group {self.file.groups[group].name}, player {player}, wall seed {ladder.failed_deal}"
        )
        return refused((self.deals[0], self.rules[0], lookup[0]), seat, self.strategies[group], identity)


def in_thousandths(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Give numbers in thousandths, rounded to the nearest, as the kernels do.

    Parameters
    ----------
    values : float64
        The numbers.
    """
    return np.floor(values * 1000.0 + 0.5).astype(np.int64)


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


def fill_kind(record: Any, table: TableTable, share: float) -> None:
    """Write a kind of table as the loop reads it."""
    record.is_ranked = table.kind == "ranked"
    record.deals = table.deals
    record.share = share
    seconds = table.seconds
    record.is_timed = seconds is not None
    if seconds is not None:
        base, reserve = seconds
        record.base_time = int(base * SECOND)
        record.reserve = int(reserve * SECOND)
        record.opening = int(max(base, OPENING_SECONDS) * SECOND)
