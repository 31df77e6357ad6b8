"""Ladder files: who plays, at which tables, how they are matched and rated, and how long, as TOML.

Each preset with each rating system is a *cell*; all cells have the same players, who come and think alike, and each
replication the same walls, so that differences between presets are not luck. Whether strategies and presets of these
names exist is checked when a plan is made of it (`sim.ladder.plan`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from sim.errors import ConfigError
from sim.ladder.records import ROSTER
from sim.rules.model import NAME_PATTERN
from sim.rules.words import did_you_mean, show_value
from sim.tournament.design import Design  # noqa: TC001 - pydantic reads annotations when it runs
from sim.tournament.experiment import PresetChoice, as_choice
from sim.tournament.messages import describe_mistakes
from sim.tournament.written import as_number, as_tuple, read_toml, refuse_repeated
from strategies.references import from_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

CLOCKS: Final[dict[str, tuple[float, float]]] = {
    "bullet": (2, 5),
    "blitz": (3, 10),
    "standard": (5, 20),
    "relaxed": (15, 60),
    "quick_play": (5, 20),
}
"""Base seconds for a decision and reserve seconds for a deal (rules, chapter 8); Quick Play uses standard."""
UNTIMED: Final = "untimed"
OPENING_SECONDS: Final = 15.0
"""Least time for the exchange and for the void suit."""
MOST_PLAYERS: Final = 100_000
MOST_GAMES: Final = 20_000_000
MOST_DAYS: Final = 20_000
"""More would not fit the seconds of a row."""
MOST_GROUPS: Final = 64
_SHARES_AGREE: Final = 1e-6


Label = Annotated[str, Field(min_length=1, max_length=60)]
Number = Annotated[float, BeforeValidator(as_number)]


class _Table(BaseModel):
    """What all tables share: frozen, no unknown keys, no conversion between types, finite numbers only."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Think(_Table):
    """How long a player thinks: log-normal, by kind of decision."""

    opening: Number = Field(default=6.0, ge=0.0, le=600)
    """Median seconds for the exchange and for the void suit."""
    turn: Number = Field(default=2.5, ge=0.0, le=600)
    """Median seconds for a turn."""
    claim: Number = Field(default=1.2, ge=0.0, le=600)
    """Median seconds for a claim."""
    spread: Number = Field(default=0.5, ge=0.0, le=3)
    """Standard deviation of the logarithm."""


class Connection(_Table):
    """How often the connection drops at a table, and for how long."""

    drops_per_hour: Number = Field(default=0.0, ge=0.0, le=1_000)
    """Mean number of drops in an hour at tables."""
    offline: Number = Field(default=45.0, gt=0.0, le=86_400)
    """Median seconds until it is back."""
    spread: Number = Field(default=0.8, ge=0.0, le=3)
    """Standard deviation of the logarithm of that."""


class Session(_Table):
    """When a player plays."""

    games: Annotated[float, BeforeValidator(as_number), Field(ge=1.0, le=10_000.0)] = 6.0
    """Mean number of games in a session; each is the last with the same probability."""
    rest: Number = Field(default=15.0, ge=0.0, le=86_400)
    """Mean seconds between two games of a session."""
    gap_hours: Number = Field(default=20.0, ge=0.0, le=10_000)
    """Mean hours between two sessions."""
    patience: Number = Field(default=0.0, ge=0.0, le=86_400)
    """Seconds in a queue after which a player goes away until the next session; 0: never."""


class Leaving(_Table):
    """Who leaves for good."""

    probability: Number = Field(default=0.0, ge=0.0, le=1)
    """Probability of leaving at the end of a session, at the start rating."""
    per_400_below: Annotated[float, BeforeValidator(as_number), Field(ge=-10.0, le=10.0)] = 0.0
    """How much the probability grows with each 400 rating points below the start; less than 0: those above leave."""
    replaced: bool = False
    """Whether a newcomer of the same group comes at once for everybody who leaves."""


class GroupTable(_Table):
    """Players of one kind."""

    name: Label
    """What to call them in results."""
    strategy: Annotated[str, Field(min_length=1)]
    """Their strategy, perhaps with parameters: ``ukeire``, ``mine.py{danger=0.4}``."""
    players: Annotated[int, Field(ge=0, le=MOST_PLAYERS)] | None = None
    """How many there are at the start; or give a `share`."""
    share: Number | None = Field(default=None, ge=0.0, le=1)
    """Their share of the ladder's `players`."""
    anchor: bool = False
    """Whether they are anchors: of fixed skill, and they never leave."""
    newcomers_per_day: Number = Field(default=0.0, ge=0.0, le=100_000)
    """Mean number of newcomers a day."""
    think: Think = Think()
    connection: Connection = Connection()
    session: Session = Session()
    leaving: Leaving = Leaving()

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check what the keys say together."""
        if (self.players is None) == (self.share is None):
            came = "neither players nor share" if self.players is None else "both players and share"
            raise ValueError(f"came {came}; allowed: one of them")
        leaves = self.leaving.probability > 0 or self.leaving.per_400_below != 0
        if self.anchor and (leaves or self.newcomers_per_day > 0):
            raise ValueError(
                "anchor: anchors never leave, and no new ones come; leave out leaving and newcomers_per_day"
            )
        return self


class Clock(_Table):
    """A clock of one's own."""

    base: Number = Field(gt=0.0, le=3_600)
    """Seconds for each decision."""
    reserve: Number = Field(ge=0.0, le=36_000)
    """Further seconds for turns, for each deal."""


class TableTable(_Table):
    """A kind of table, with a queue of its own."""

    name: Label
    """What to call it in results."""
    kind: Literal["ranked", "casual"] = "ranked"
    """Ranked tables move ratings, casual ones never do."""
    clock: str | Clock = "standard"
    """bullet, blitz, standard, relaxed, quick_play, untimed, or a table with base and reserve."""
    format: Literal["one_deal", "rounds"] = "one_deal"
    """One deal, or rounds of four deals whose points add up."""
    rounds: Annotated[int, Field(ge=1, le=100)] = 4
    """Rounds of four deals, where the format is rounds."""
    share: Number = Field(default=1.0, gt=0.0, le=1)
    """Share of all games that players want to play there; shares are taken in proportion."""

    @field_validator("clock", mode="before")
    @classmethod
    def _check_clock(cls, value: object) -> object:
        """Name the clocks that there are."""
        names = (*CLOCKS, UNTIMED)
        if isinstance(value, str) and value not in names:
            raise ValueError(f"came {show_value(value)}; allowed: {', '.join(names)}{did_you_mean(value, names)}")
        return value

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check what the keys say together."""
        if self.clock == UNTIMED and self.kind == "ranked":
            raise ValueError("clock: untimed tables are casual only")
        if self.format == "one_deal" and "rounds" in self.model_fields_set:
            raise ValueError('rounds: only where format = "rounds"')
        return self

    @property
    def deals(self) -> int:
        """Deals of a match."""
        return 1 if self.format == "one_deal" else 4 * self.rounds

    @property
    def seconds(self) -> tuple[float, float] | None:
        """Base and reserve; None if there is no clock."""
        if isinstance(self.clock, Clock):
            return self.clock.base, self.clock.reserve
        return CLOCKS.get(self.clock)


class Queue(_Table):
    """How players are matched."""

    order: Literal["first_come", "nearest"] = "first_come"
    """Of those within the window: who came first, or who is nearest in rating, of equally near ones who came first."""
    window: Number = Field(default=200.0, ge=0.0, le=100_000)
    """Rating points within which players are matched at once."""
    growth: Number = Field(default=5.0, ge=0.0, le=100_000)
    """Rating points by which that widens with each second of waiting."""
    most: Number = Field(default=1_000.0, ge=0.0, le=100_000)
    """The widest window."""
    look: Number = Field(default=5.0, ge=0.1, le=3_600)
    """Seconds between two looks at a queue in which somebody waits."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the window against its limit."""
        if self.window > self.most:
            raise ValueError(f"impossible: window {self.window:g} is wider than the widest, most {self.most:g}")
        return self


class LadderFile(_Table):
    """Everything that one ladder is."""

    name: Annotated[str, Field(pattern=NAME_PATTERN, max_length=80)]
    """Name of the run and of its folder."""
    title: str = ""
    """What it is for, in words."""
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 1
    """Everything random follows from it."""
    replications: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Ladders to run for each cell, each with deals and players of its own."""
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] | None = None
    """Games after which a replication ends."""
    days: Number | None = Field(default=None, gt=0.0, le=MOST_DAYS)
    """Days of virtual time after which a replication ends."""
    warm_up: Number = Field(default=0.0, ge=0.0, le=0.9)
    """Share of the time that measures leave out at the start."""
    snapshots: Annotated[int, Field(ge=2, le=1_000)] = 50
    """How often all ratings are written down, at even distances of games or of days, and once at the start."""
    keep_games: bool = True
    """Whether to keep a row for each game and player."""
    players: Annotated[int, Field(ge=4, le=MOST_PLAYERS)] | None = None
    """Players at the start, of whom groups have shares."""
    most_players: Annotated[int, Field(ge=4, le=10 * MOST_PLAYERS)] | None = None
    """Room for players, those who have left included; enough for what is expected when absent. Newcomers for whom there
    is no room are refused, and counted."""
    wall_mode: Literal["shared", "per_seat"] = "shared"
    """Whether all draw from one wall, or each seat from a queue of its own."""
    presets: Annotated[
        tuple[Annotated[PresetChoice, BeforeValidator(as_choice)], ...],
        BeforeValidator(as_tuple),
        Field(min_length=1),
    ]
    """The presets, each a variant with ratings of its own."""
    design: Design | None = None
    """Settings of knobs to compare over each of the presets; each makes a variant with ratings of its own."""
    ratings: Annotated[tuple[str | dict[str, Any], ...], BeforeValidator(as_tuple), Field(min_length=1)] = ("elo",)
    """The rating systems: by name, perhaps with parameters, or a table."""
    queue: Queue = Queue()
    """How players are matched."""
    tables: Annotated[tuple[TableTable, ...], BeforeValidator(as_tuple), Field(min_length=1)] = (
        TableTable(name="ranked"),
    )
    """Kinds of tables, each with a queue of its own."""
    groups: Annotated[tuple[GroupTable, ...], BeforeValidator(as_tuple), Field(min_length=1, max_length=MOST_GROUPS)]
    """Who plays."""
    workers: Annotated[int, Field(ge=1, le=4096)] | None = None
    """Threads to play with; all cores when absent. Never changes a result."""

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise ConfigError("\n".join(describe_mistakes(error, type(self), ""))) from None

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check what the keys say together."""
        if (self.games is None) == (self.days is None):
            came = "neither games nor days" if self.games is None else "both games and days"
            raise ValueError(f"came {came}; allowed: one of them")
        refuse_repeated(
            {
                "presets": [choice.label for choice in self.presets],
                "groups": [group.name for group in self.groups],
                "tables": [table.name for table in self.tables],
            }
        )
        strategies = {group.strategy for group in self.groups}
        if len(strategies) > ROSTER:
            raise ValueError(f"groups: came {len(strategies)} strategies; allowed: at most {ROSTER}")
        has_shares = any(group.share is not None for group in self.groups)
        if (self.players is not None) != has_shares:
            raise ValueError(f"players: {'needed' if has_shares else 'allowed only'} where groups have shares")
        self._check_shares()
        if sum(self.counts) > MOST_PLAYERS:
            raise ValueError(f"groups: came {sum(self.counts):,} players; allowed: at most {MOST_PLAYERS:,}")
        if self.most_players is not None and self.most_players < sum(self.counts):
            raise ValueError(
                f"most_players: came {self.most_players:,}, and {sum(self.counts):,} are there at the start"
            )
        if sum(self.counts) < 4 and not any(group.newcomers_per_day for group in self.groups):
            raise ValueError(f"groups: {sum(self.counts)} players at the start and no newcomers; a table needs 4")
        return self

    def _check_shares(self) -> None:
        """Refuse shares, and counts beside them, that do not make the players there are."""
        if self.players is None:
            return
        shares = sum(group.share or 0.0 for group in self.groups)
        counted = sum(group.players or 0 for group in self.groups)
        wanted = 1.0 - counted / self.players
        if abs(shares - wanted) > _SHARES_AGREE:
            beside = f", since other groups have {counted:,} of the {self.players:,} players" if counted else ""
            raise ValueError(f"groups: shares sum to {shares:g}; allowed: a sum of {max(wanted, 0.0):g}{beside}")

    @property
    def counts(self) -> tuple[int, ...]:
        """Players of each group at the start: those of shares add up, the largest remainders being rounded up."""
        counts = [group.players or 0 for group in self.groups]
        shared = [place for place, group in enumerate(self.groups) if group.share is not None]
        exact = {place: (self.groups[place].share or 0.0) * (self.players or 0) for place in shared}
        for place in shared:
            counts[place] = int(exact[place] + _SHARES_AGREE)
        by_remainder = sorted(shared, key=lambda place: counts[place] - exact[place])
        for place in by_remainder[: max((self.players or 0) - sum(counts), 0)]:
            counts[place] += 1
        return tuple(counts)

    def changed(
        self,
        *,
        sets: Mapping[str, Any] | None = None,
        seed: int | None = None,
        replications: int | None = None,
        games: int | None = None,
        days: float | None = None,
        workers: int | None = None,
    ) -> LadderFile:
        """Make the same ladder with some things changed; what is None stays.

        Parameters
        ----------
        sets
            Knobs to set over every preset, by dotted key.
        seed, replications, workers
            As the keys of those names.
        games, days
            When a replication ends; either takes the place of the other.

        Raises
        ------
        ConfigError
            A value is not allowed.
        """
        data: dict[str, Any] = {name: getattr(self, name) for name in type(self).model_fields}
        data |= {key: value for key, value in (("seed", seed), ("replications", replications), ("workers", workers))
                 if value is not None}  # fmt: skip
        if games is not None or days is not None:
            data |= {"games": games, "days": days}
        if sets:
            data["presets"] = tuple(
                choice.model_copy(update={"set": {**choice.set, **sets}}) for choice in self.presets
            )
        return type(self)(**data)


def load_ladder(path: str | Path) -> LadderFile:
    """Read a ladder file.

    Parameters
    ----------
    path
        A TOML file. Its stem is the ladder's name where it gives none; relative paths in it start from its folder.

    Returns
    -------
    LadderFile
        Frozen.

    Raises
    ------
    ConfigError
        The file cannot be read, or anything in it is wrong. All mistakes are listed, one a line.
    """
    file = Path(path)
    data = {"name": file.stem, **read_toml(file, "ladder file")}
    try:
        ladder = LadderFile(**data)
    except ConfigError as error:
        raise ConfigError("\n".join(f"{file}: {line}" for line in str(error).splitlines())) from None
    presets = tuple(choice.from_folder(file.parent) for choice in ladder.presets)
    groups = tuple(
        group.model_copy(update={"strategy": from_folder(group.strategy, file.parent)}) for group in ladder.groups
    )
    return ladder.model_copy(update={"presets": presets, "groups": groups})
