"""Rating systems as people name them: a name with parameters, or a table of a TOML file; each becomes numbers.

``elo``, ``elo{k=24, k_provisional=64}``; in a file::

    [[systems]]
    system = "elo"
    name = "quick"
    k = 40

The order of a model's fields is the order of the parameters in the kernels' vectors. Not in here: the formulas
(`sim.ladder.ratings`), which this module does not load.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from sim.errors import ConfigError
from sim.rules.words import did_you_mean, show_value
from sim.tournament.messages import describe_mistakes
from sim.tournament.written import as_number, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    import numpy.typing as npt

FORMS: Final = "NAME or NAME{parameter=number, ...}, as in elo{k=24, k_provisional=64}"
ELO_BETA: Final = 200 / math.log(10)
"""Spread of one game with which Plackett-Luce makes 400 points odds of 10 to 1."""
_MOST: Final = 100_000.0


class RatingSystem(BaseModel):
    """A rating system with its parameters."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    system: ClassVar[str]
    """What it is called."""
    code: ClassVar[int]
    """Its number in the kernels (`sim.ladder.ratings.layout`)."""
    about: ClassVar[str]
    """What it is, in a line."""
    tuned: ClassVar[str]
    """The parameter that trades speed against noise."""

    start: float = Field(1500.0, ge=-_MOST, le=_MOST, description="rating of a newcomer")
    floor: float = Field(0.0, ge=-_MOST, le=_MOST, description="no rating falls below this")

    @field_validator("*", mode="before")
    @classmethod
    def _let_whole_numbers_be(cls, value: object) -> object:
        """Let a whole number stand where any number may."""
        return as_number(value)

    @model_validator(mode="after")
    def _check_floor(self) -> Self:
        """Check the floor against the start."""
        if self.floor > self.start:
            raise ValueError(f"impossible: floor {self.floor:g} is above start {self.start:g}")
        return self

    @property
    def label(self) -> str:
        """Its name with the parameters that are not the default."""
        changed = {
            name: getattr(self, name)
            for name, field in type(self).model_fields.items()
            if getattr(self, name) != field.default
        }
        return self.system + ("{" + ",".join(f"{k}={v:g}" for k, v in changed.items()) + "}" if changed else "")

    @property
    def expected_scale(self) -> float | None:
        """Points that make the odds of two players 10 to 1 by the system's own model; None if it has none."""
        return 400.0

    def to_array(self) -> npt.NDArray[np.float64]:
        """Give the parameters as the kernels take them.

        Returns
        -------
        float64, shape (PARAMETERS,)
            In the order of the fields, then zeros.
        """
        import numpy as np  # noqa: PLC0415 - names and checks do not need it

        values = [getattr(self, name) for name in type(self).model_fields]
        return np.array(values + [0.0] * (_PARAMETERS - len(values)))

    def changed(self, **values: float) -> Self:
        """Make the same system with other parameters.

        Parameters
        ----------
        values
            Parameters by name.

        Raises
        ------
        ConfigError
            One is not allowed.
        """
        return make_system({**self.model_dump(), **values, "system": self.system}, "")  # type: ignore[return-value]


_PARAMETERS: Final = 12


class Elo(RatingSystem):
    """Pairwise Elo."""

    system = "elo"
    code = 0
    about = "pairwise Elo: the mean over the three opponents of K times score less expected score"
    tuned = "k"

    k: float = Field(24.0, gt=0.0, le=1000.0, description="K: the most that a game can move a rating")
    k_provisional: float = Field(64.0, gt=0.0, le=1000.0, description="K in a player's first games")
    provisional_games: float = Field(10.0, ge=0.0, le=1e6, description="games in which that holds")
    scale: float = Field(400.0, gt=0.0, le=_MOST, description="points that make the odds 10 to 1")

    @property
    def expected_scale(self) -> float | None:
        """Points that make the odds of two players 10 to 1."""
        return self.scale


class Tenhou(RatingSystem):
    """Tenhou's R."""

    system = "tenhou"
    code = 1
    about = "Tenhou's R: points by place, and a pull towards the table's mean"
    tuned = "last_weight"

    first: float = Field(30.0, ge=-1000.0, le=1000.0, description="points for the first place; equal points share")
    second: float = Field(10.0, ge=-1000.0, le=1000.0, description="for the second place")
    third: float = Field(-10.0, ge=-1000.0, le=1000.0, description="for the third place")
    fourth: float = Field(-30.0, ge=-1000.0, le=1000.0, description="for the fourth place")
    fade: float = Field(0.002, ge=0.0, le=1.0, description="how much the weight falls with each game")
    fade_games: float = Field(400.0, ge=0.0, le=1e6, description="games for which it falls")
    last_weight: float = Field(0.2, gt=0.0, le=10.0, description="weight from then on, and the least before")
    spread: float = Field(40.0, gt=0.0, le=_MOST, description="points from the mean that are worth one point a game")

    @model_validator(mode="after")
    def _check_places(self) -> Self:
        """Check that better places are worth no less."""
        if not self.first >= self.second >= self.third >= self.fourth:
            raise ValueError("impossible: a worse place gives more points; allowed: first >= second >= third >= fourth")
        if self.first == self.fourth:
            raise ValueError("impossible: all places give the same points")
        return self

    @property
    def expected_scale(self) -> float | None:
        """Nothing: R predicts no results."""
        return None


class Glicko2(RatingSystem):
    """Glicko-2."""

    system = "glicko2"
    code = 2
    about = "Glicko-2, each game a period of three results: rating, deviation, volatility"
    tuned = "volatility"

    deviation: float = Field(350.0, gt=0.0, le=2000.0, description="deviation of a newcomer, and the largest")
    volatility: float = Field(0.06, gt=0.0, le=5.0, description="volatility of a newcomer")
    tau: float = Field(0.5, gt=0.0, le=10.0, description="how much volatilities change; 0.3 to 1.2 are usual")
    weight: float = Field(0.6, gt=0.0, le=1.0, description="weight of each of a table's three results")


class PlackettLuce(RatingSystem):
    """Plackett-Luce."""

    system = "plackett_luce"
    code = 3
    about = "Plackett-Luce of Weng and Lin with true ties: rating, deviation"
    tuned = "tau"

    deviation: float = Field(round(2 * ELO_BETA, 4), gt=0.0, le=2000.0, description="deviation of a newcomer")
    beta: float = Field(round(ELO_BETA, 4), gt=0.0, le=2000.0, description="spread of one game")
    tau: float = Field(1.7372, ge=0.0, le=1000.0, description="how much a deviation grows with each game")
    kappa: float = Field(0.0001, gt=0.0, lt=1.0, description="least share of a variance that a game leaves")

    @property
    def expected_scale(self) -> float | None:
        """Points that make the odds of two players 10 to 1, once deviations are small."""
        return 2 * self.beta * math.log(10)


SYSTEMS: Final[Mapping[str, type[RatingSystem]]] = {
    model.system: model for model in (Elo, Tenhou, Glicko2, PlackettLuce)
}
"""All systems by name, in the order of their numbers."""


def make_system(table: Mapping[str, Any], where: str) -> RatingSystem:
    """Make a rating system from a table.

    Parameters
    ----------
    table
        Its name as `system`, and its parameters.
    where
        What to blame in messages; may be empty.

    Raises
    ------
    ConfigError
        There is no such system, or a parameter is wrong. All mistakes are listed, one a line.
    """
    place = f"{where}: " if where else ""
    values = dict(table)
    name = values.pop("system", None)
    if name is None:
        raise ConfigError(f"{place}system: missing; allowed: {', '.join(SYSTEMS)}")
    if not isinstance(name, str) or name not in SYSTEMS:
        hint = did_you_mean(str(name), SYSTEMS)
        raise ConfigError(f"{place}there is no rating system {show_value(name)}{hint}; allowed: {', '.join(SYSTEMS)}")
    model = SYSTEMS[name]
    try:
        return model(**values)
    except ValidationError as error:
        raise ConfigError("\n".join(describe_mistakes(error, model, where or name))) from None


def parse_system(text: str) -> RatingSystem:
    """Read a rating system as it stands on a command line.

    Parameters
    ----------
    text
        Such as ``elo{k=24, k_provisional=64}``.

    Raises
    ------
    ConfigError
        It has another form, or names what there is not.

    Examples
    --------
    >>> parse_system("elo{k=40}").label
    'elo{k=40}'
    """
    found = re.fullmatch(r"\s*([^{}\s]+)\s*(?:\{([^{}]*)\})?\s*", text)
    if found is None:
        raise ConfigError(f"rating system {show_value(text)}: allowed: {FORMS}")
    table: dict[str, Any] = {"system": found[1]}
    for part in filter(None, (part.strip() for part in (found[2] or "").split(","))):
        name, equals, written = (piece.strip() for piece in part.partition("="))
        try:
            value = float(written)
        except ValueError:
            value = math.nan
        if not equals or not name or math.isnan(value):
            raise ConfigError(f"rating system {show_value(text)}: {show_value(part)} is no parameter; allowed: {FORMS}")
        if name in table:
            raise ConfigError(f"rating system {show_value(text)}: {name} comes twice")
        table[name] = value
    return make_system(table, f"rating system {show_value(text)}" if found[2] else "")


def load_systems(path: str | Path) -> dict[str, RatingSystem]:
    """Read a file of rating systems.

    Parameters
    ----------
    path
        A TOML file with tables ``[[systems]]``.

    Returns
    -------
    dict
        Systems by name: the table's `name`, or else the label.

    Raises
    ------
    ConfigError
        The file cannot be read, or anything in it is wrong.
    """
    file = Path(path)
    data = read_toml(file, "file of rating systems")
    tables = data.get("systems")
    unknown = sorted(set(data) - {"systems"})
    if unknown:
        raise ConfigError(f"{file}: {unknown[0]}: unknown key{did_you_mean(unknown[0], ['systems'])}; allowed: systems")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise ConfigError(f"{file}: systems: allowed: at least one table [[systems]]")
    return read_systems(tables, f"{file}: systems")


def read_systems(items: Iterable[str | Mapping[str, Any]], where: str = "") -> dict[str, RatingSystem]:
    """Make the systems of a list, each a text or a table.

    Parameters
    ----------
    items
        Texts as `parse_system` reads them, or tables as `named_system` does.
    where
        What to blame in messages: the key of the list; nothing for texts of a command line.

    Returns
    -------
    dict
        Systems by name.

    Raises
    ------
    ConfigError
        Something of it is wrong. All mistakes are listed, one a line.
    """
    pairs: list[tuple[str | None, RatingSystem]] = []
    faults: list[str] = []
    for place, item in enumerate(items):
        here = f"{where}[{place}]"
        try:
            pairs.append((None, parse_system(item)) if isinstance(item, str) else named_system(item, here))
        except ConfigError as error:
            before = f"{here}: " if where and isinstance(item, str) else ""
            faults += [f"{before}{line}" for line in str(error).splitlines()]
    if faults:
        raise ConfigError("\n".join(faults))
    return name_systems(pairs, where)


def named_system(table: Mapping[str, Any], where: str) -> tuple[str | None, RatingSystem]:
    """Make a system and give the name that its table has.

    Parameters
    ----------
    table
        Name of the system as `system`, its parameters, perhaps a `name`.
    where
        What to blame in messages.

    Raises
    ------
    ConfigError
        Something of it is wrong.
    """
    values = dict(table)
    name = values.pop("name", None)
    if name is not None and (not isinstance(name, str) or not name):
        raise ConfigError(f"{where}.name: came {show_value(name)}; allowed: a text")
    return name, make_system(values, where)


def name_systems(pairs: Iterable[tuple[str | None, RatingSystem]], where: str = "") -> dict[str, RatingSystem]:
    """Give each system a name, its label where it has none.

    Parameters
    ----------
    pairs
        Names, or None, and systems.
    where
        What to blame in messages.

    Raises
    ------
    ConfigError
        Some have the same name.
    """
    named = [(name or system.label, system) for name, system in pairs]
    names = [name for name, _ in named]
    twice = [show_value(name) for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        comes = "comes twice" if len(twice) == 1 else "come twice"
        raise ConfigError(f"{where or 'rating systems'}: {' and '.join(twice)} {comes}; give each a name of its own")
    return dict(named)
