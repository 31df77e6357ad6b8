"""Experiments: what to play, as a person writes it in a TOML file or in Python.

An experiment names presets (with knobs set over them), perhaps a design that varies knobs of each, line-ups, a seating
design, how many walls, and a seed. Each preset with each line-up is a *cell*; all cells play the same walls. Whether
presets and strategies of these names exist is checked when the plan is made (`sim.tournament.plan`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from sim.errors import ConfigError
from sim.rules.model import NAME_PATTERN, Preset
from sim.rules.words import count_of, kind_of_value, show_value
from sim.tournament.design import Design  # noqa: TC001 - pydantic reads annotations when it runs
from sim.tournament.messages import describe_mistakes
from sim.tournament.seating import Design as SeatingDesign
from sim.tournament.seating import make_seatings
from sim.tournament.written import SUFFIX, as_number, as_tuple, read_toml, refuse_repeated
from strategies.references import from_folder

MOST_WALLS: Final = 1_000_000_000
MOST_CELLS: Final = 10_000
SMALLEST_BATCH: Final = 16

Walls = Annotated[int, Field(ge=1, le=MOST_WALLS)]
Label = Annotated[str, Field(min_length=1, max_length=60)]


def as_choice(value: object) -> object:
    """Read a bare preset name, or a preset made in Python, as the table that it stands for."""
    if isinstance(value, (str, Preset)):
        return {"preset": value}
    if not isinstance(value, (Mapping, PresetChoice)):
        came = f"{show_value(value)} is {kind_of_value(value)}"
        allowed = f"the name of a preset, the path of a {SUFFIX} file, or a table with preset, and perhaps name and set"
        raise ValueError(f"wrong type: {came}; allowed: {allowed}")  # noqa: TRY004 - pydantic takes it
    return value


class _Table(BaseModel):
    """What all tables share: frozen, no unknown keys, no conversion between types, finite numbers only."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


class PresetChoice(_Table):
    """One preset of an experiment, perhaps with knobs set over it."""

    preset: str | Preset
    """Name of a shipped preset, path of a preset file (relative to the experiment file), or in Python a `Preset`."""
    name: Label | None = None
    """What to call it in results; the preset's own name when absent."""
    set: dict[str, Any] = {}
    """Knobs to set over it, by dotted key."""

    @field_validator("preset", mode="before")
    @classmethod
    def _check_preset(cls, value: object) -> object:
        """Say in our words what may stand here."""
        if not isinstance(value, (str, Preset)) or value == "":
            raise ValueError(f"came {show_value(value)}; allowed: the name of a preset or the path of a {SUFFIX} file")
        return value

    @property
    def label(self) -> str:
        """What to call it in results."""
        if self.name is not None:
            return self.name
        return self.preset.name if isinstance(self.preset, Preset) else Path(self.preset).name.removesuffix(SUFFIX)

    def from_folder(self, folder: Path) -> PresetChoice:
        """Let the path of a preset file start from a folder.

        Parameters
        ----------
        folder
            The folder.
        """
        if isinstance(self.preset, str) and self.preset.endswith(SUFFIX):
            return self.model_copy(update={"preset": str(folder / self.preset)})
        return self


class LineUp(_Table):
    """Who plays: four slots, and how they change seats."""

    strategies: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(as_tuple)]
    """One name: four of it. Two: one of the first against three of the second. Four: these. A name is that of a shipped
    strategy or the path of one's file (from the experiment file), perhaps with parameters: ``mine.py{danger=0.4}``."""
    name: Label | None = None
    """What to call it in results."""
    seating: SeatingDesign = "auto"
    """The seating design (`sim.tournament.seating`)."""
    walls: Walls | None = None
    """Walls for this line-up, where it needs more or fewer than the others; always the first walls of the run."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the number of strategies, and that the design suits them."""
        count = len(self.strategies)
        if count not in {1, 2, 4}:
            allowed = "1 (four of it), 2 (one of the first against three of the second) or 4"
            raise ValueError(f"came {count_of(count, 'strategy', 'strategies')}; allowed: {allowed}")
        make_seatings(self.slots, self.seating)
        return self

    @property
    def slots(self) -> tuple[str, str, str, str]:
        """The strategy of each of the four slots."""
        names = self.strategies
        first, second, third, fourth = names * 4 if len(names) == 1 else (names + names[1:] * 2)[:4]
        return (first, second, third, fourth)

    @property
    def label(self) -> str:
        """What to call it in results: its name, or what its strategies make of it."""
        names = self.strategies
        return self.name or ("-vs-".join(names) if len(names) == 2 else "-".join(names))


class Target(_Table):
    """Play until the results are precise enough, instead of a fixed number of walls."""

    half_width: Annotated[float, Field(gt=0.0)]
    """Half-width of the 95 % intervals to reach, in points per deal (`sim.statistics.stopping`)."""
    min_walls: Walls = 1_000
    """Walls to play in any case."""
    max_walls: Walls = 1_000_000
    """Walls after which to stop in any case."""
    batch: Annotated[int, Field(ge=SMALLEST_BATCH, le=MOST_WALLS)] = 2_000
    """Walls between two looks at the results."""
    look_ahead: Annotated[int, Field(ge=0, le=100)] = 1
    """Further looks in a row at which the target must still be met."""

    @field_validator("half_width", mode="before")
    @classmethod
    def _check_half_width(cls, value: object) -> object:
        """Let a whole number be a half-width too."""
        return as_number(value)

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the limits against each other."""
        if self.min_walls > self.max_walls:
            raise ValueError(f"impossible: min_walls {self.min_walls:,} is more than max_walls {self.max_walls:,}")
        return self


class Contrast(_Table):
    """Play until a difference is known: precisely enough, or by a sequential test.

    Of two strategies: every line-up must have the same two, the same one first; the difference is that of their points
    per deal (`sim.statistics.contrast`). Of two presets: the experiment has one line-up and a design of two cells, and
    the difference is that of a metric, the second cell less the reference (`sim.statistics.preset_contrast`).
    """

    of: Literal["strategies", "presets"] = "strategies"
    """What is compared."""
    metric: str = "points"
    """Of presets: which metric (docs/metrics.md)."""
    who: str | None = None
    """Of presets: whose metric, a strategy or "seat 0" to "seat 3"; when absent the line-up's first strategy, and the
    dealer where points of four of a kind are 0 by design."""
    half_width: Annotated[float, Field(gt=0.0)] | None = None
    """Half-width of the 95 % interval of the difference to reach, in points per deal."""
    low: float | None = None
    """Sequential test: the difference under the first hypothesis (no better)."""
    high: float | None = None
    """Sequential test: the difference under the second hypothesis (better)."""
    unit: Literal["sd", "points"] = "sd"
    """What low and high are measured in: standard deviations of a block's difference, or points per deal."""
    alpha: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    """Chance to say better where the difference is low."""
    beta: Annotated[float, Field(gt=0.0, lt=0.5)] = 0.05
    """Chance to say no better where the difference is high."""
    min_walls: Walls = SMALLEST_BATCH
    """Walls to play in any case."""
    max_walls: Walls = 200_000
    """Walls after which to stop in any case."""
    batch: Annotated[int, Field(ge=SMALLEST_BATCH, le=MOST_WALLS)] = 250
    """Walls between two looks at the results."""

    @field_validator("half_width", "low", "high", mode="before")
    @classmethod
    def _check_number(cls, value: object) -> object:
        """Let a whole number be a difference too."""
        return as_number(value)

    @property
    def is_sequential(self) -> bool:
        """Whether it is a sequential test."""
        return self.half_width is None

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check what the keys say together."""
        if (self.low is None) != (self.high is None) or (self.low is None) == (self.half_width is None):
            raise ValueError("allowed: either half_width, or low and high")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError(f"impossible: low {self.low:g} is not below high {self.high:g}")
        if self.min_walls > self.max_walls:
            raise ValueError(f"impossible: min_walls {self.min_walls:,} is more than max_walls {self.max_walls:,}")
        return self


class Experiment(_Table):
    """Everything that one run plays.

    Examples
    --------
    >>> Experiment(name="caps", walls=100, presets=["mahjongo"], line_ups=[{"strategies": ["ukeire"]}]).walls
    100
    """

    name: Annotated[str, Field(pattern=NAME_PATTERN, max_length=80)]
    """Name of the run and of its folder."""
    title: str = ""
    """What it is for, in words."""
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = 1
    """Everything random follows from it."""
    walls: Walls | None = None
    """Walls for each cell; or give a `target`."""
    target: Target | None = None
    """Play until the results are precise enough."""
    contrast: Contrast | None = None
    """Play until the difference of two strategies is known; needs rows."""
    wall_mode: Literal["shared", "per_seat"] = "shared"
    """Whether all draw from one wall, or each seat from a queue of its own."""
    presets: Annotated[
        tuple[Annotated[PresetChoice, BeforeValidator(as_choice)], ...],
        BeforeValidator(as_tuple),
        Field(min_length=1),
    ]
    """The presets to play under; with a design, the bases that it varies."""
    design: Design | None = None
    """Settings of knobs to compare over each preset, on the same walls."""
    line_ups: Annotated[tuple[LineUp, ...], BeforeValidator(as_tuple), Field(min_length=1)]
    """Who plays."""
    rows: bool = True
    """Whether to keep a row for each deal and seat; without, only sums are kept."""
    on_error: Literal["stop", "forfeit"] = "stop"
    """What happens when a strategy fails: the run stops, or the answer is that of a player whose time is up, and
    counted in the column ``forfeits``."""
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
        given = [key for key in ("walls", "target", "contrast") if getattr(self, key) is not None]
        if len(given) != 1:
            came = f"both of {' and '.join(given)}" if given else "neither of walls and target"
            raise ValueError(f"came {came}; allowed: one of walls, target and contrast")
        for index, line_up in enumerate(self.line_ups):
            if line_up.walls is not None and self.walls is None:
                raise ValueError(
                    f"line_ups[{index}].walls: not together with a {given[0]}, which decides for all line-ups"
                )
        if self.contrast is not None:
            self._check_contrast()
        refuse_repeated(
            {
                "presets": [choice.label for choice in self.presets],
                "line_ups": [line_up.label for line_up in self.line_ups],
            }
        )
        cells = len(self.presets) * len(self.line_ups) * (self.design.count if self.design else 1)
        if cells > MOST_CELLS:
            raise ValueError(f"{cells:,} cells; allowed: at most {MOST_CELLS:,}")
        self._check_sets()
        return self

    def _check_sets(self) -> None:
        """Refuse knobs set over a base that the design sets in every cell anyway."""
        if self.design is None or self.design.reference is None:
            return
        fixed = [key for key in self.design.always_set if key in self.design.reference]
        for index, choice in enumerate(self.presets):
            for key in fixed:
                if key in _dotted(choice.set):
                    raise ValueError(
                        f"presets[{index}].set: {key} is set by the design in every cell, so nothing comes of setting"
                        " it over the base; change the design"
                    )

    def _check_contrast(self) -> None:
        """Check that there are two strategies, or two presets, whose difference can be looked at."""
        if self.contrast is not None and self.contrast.of == "presets":
            count = 0 if self.design is None else self.design.count
            if len(self.presets) != 1 or len(self.line_ups) != 1 or count not in (1, 2):
                raise ValueError(
                    'contrast: of = "presets" is allowed with one preset, one line-up and a design of two cells, such'
                    ' as [design] knobs = { "fan.cap" = [5] }, which is compared with the preset as it is'
                )
            return
        if self.contrast is not None and (self.contrast.metric != "points" or self.contrast.who is not None):
            raise ValueError('contrast: metric and who go with of = "presets"; strategies are compared by their points')
        pairs = {tuple(dict.fromkeys(line_up.slots)) for line_up in self.line_ups}
        if len(pairs) != 1 or len(next(iter(pairs))) != 2:
            raise ValueError("contrast: allowed where all line-ups have the same two strategies, the same one first")
        if not self.rows:
            raise ValueError("contrast: needs rows; came rows = false")

    @classmethod
    def from_file(cls, path: str | Path) -> Experiment:
        """Read an experiment file; the same as `load_experiment`.

        Parameters
        ----------
        path
            A TOML file.

        Raises
        ------
        ConfigError
            The file cannot be read, or anything in it is wrong.
        """
        return load_experiment(path)

    def changed(
        self,
        *,
        sets: Mapping[str, object] | None = None,
        walls: int | None = None,
        seed: int | None = None,
        wall_mode: str | None = None,
        rows: bool | None = None,
        on_error: str | None = None,
    ) -> Experiment:
        """Make an experiment with some things changed, as the command line does.

        Parameters
        ----------
        sets
            Knobs to set over every preset; with a design, over every base.
        walls
            Walls for every line-up, instead of those or the target given.
        seed
            Another seed.
        wall_mode
            Another wall mode.
        rows
            Whether to keep rows.
        on_error
            stop or forfeit.

        Returns
        -------
        Experiment
            The same one if nothing changes.

        Raises
        ------
        ConfigError
            A value is not allowed.
        """
        data = {name: getattr(self, name) for name in type(self).model_fields}
        given = {"seed": seed, "wall_mode": wall_mode, "rows": rows, "on_error": on_error}
        data |= {key: value for key, value in given.items() if value is not None}
        if walls is not None:
            data |= {"walls": walls, "target": None, "contrast": None}
            data["line_ups"] = tuple(line_up.model_copy(update={"walls": None}) for line_up in self.line_ups)
        if sets:
            data["presets"] = tuple(
                choice.model_copy(update={"set": {**choice.set, **sets}}) for choice in self.presets
            )
        return Experiment(**data)


def _dotted(tables: Mapping[str, Any], inside: str = "") -> set[str]:
    """List the dotted keys of nested tables."""
    found: set[str] = set()
    for name, value in tables.items():
        key = f"{inside}{name}"
        found |= _dotted(value, f"{key}.") if isinstance(value, Mapping) else {key}
    return found


def load_experiment(path: str | Path) -> Experiment:
    """Read an experiment file.

    Parameters
    ----------
    path
        A TOML file. Its stem is the experiment's name where it gives none; relative paths of preset files and of
        strategies' files in it start from its folder.

    Returns
    -------
    Experiment
        Frozen.

    Raises
    ------
    ConfigError
        The file cannot be read, or anything in it is wrong. All mistakes are listed, one a line.
    """
    file = Path(path)
    data = {"name": file.stem, **read_toml(file, "experiment file")}
    try:
        experiment = Experiment(**data)
    except ConfigError as error:
        raise ConfigError("\n".join(f"{file}: {line}" for line in str(error).splitlines())) from None
    choices = tuple(choice.from_folder(file.parent) for choice in experiment.presets)
    line_ups = tuple(
        line_up.model_copy(update={"strategies": tuple(from_folder(name, file.parent) for name in line_up.strategies)})
        for line_up in experiment.line_ups
    )
    return experiment.model_copy(update={"presets": choices, "line_ups": line_ups})
