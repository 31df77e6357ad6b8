"""The plan of a run: everything that its results follow from, and nothing else. Never changed once written.

It holds the presets in full, the line-ups with their seatings, the strategies with what tells their versions apart, the
seed, the chunks and the versions of the programs; not the number of workers and not the time. Its hash names it.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from sim.errors import BloodBattleError, ConfigError, ResultsError
from sim.rules.words import show_value
from sim.tournament.families import expand
from sim.tournament.quantities import make_quantities
from sim.tournament.schedule import Chunk, Size, Task, count_chunks, make_schedule, make_tasks
from sim.tournament.seating import make_seatings

if TYPE_CHECKING:
    from sim.rules.knobs import KnobValue
    from sim.tournament.experiment import Contrast, Experiment
    from sim.tournament.game import Game, StrategyLike
    from sim.tournament.totals import Totals

Source = Literal["played", "settled"]
FORMAT: Final = 1
"""Version of the run folder's format."""
HASH: Final = "hash"
"""Key of `plan.json` that holds the hash over all others."""
LIBRARIES: Final = ("bloodbattle", "numba", "numpy", "polars", "scipy")
MOST_CHUNKS: Final = 500_000
_MOST_DIFFERENCES: Final = 12


@dataclass(frozen=True)
class Cell:
    """One preset with one line-up."""

    index: int
    """Its number, from 0."""
    preset: str
    """What the preset is called in results."""
    line_up: str
    """What the line-up is called in results."""
    strategies: tuple[str, ...]
    """The strategy of each of the four slots."""
    seatings: tuple[tuple[int, ...], ...]
    """For each seating the slot in each seat."""
    walls: int
    """Walls to play, at most."""
    base: str = ""
    """What the design's base preset is called in results; the preset itself in runs without a design."""
    settings: Mapping[str, KnobValue] = field(default_factory=dict)
    """The knobs that the design sets over the base, by dotted key."""
    reference: int | None = None
    """Number of the family's reference cell (itself for the reference); None in runs without a design."""
    source: Source = "played"
    """Whether its deals are played, or those of the reference settled again under its rules (`RULE_BLIND` players)."""
    is_settled: bool = False
    """Whether there are totals of the reference's decisions under its rules."""

    def settled_of(self, totals: Totals) -> Totals | None:
        """Give the totals of the reference's decisions under this cell's rules.

        Parameters
        ----------
        totals
            This cell's totals.

        Returns
        -------
        Totals or None
            Those in it, or itself if that is what this cell's deals are; None if there are none.
        """
        return totals if self.source == "settled" else totals.settled

    @property
    def groups(self) -> tuple[str, ...]:
        """The strategies of the line-up, each once, in the order of their first slots."""
        return tuple(dict.fromkeys(self.strategies))

    @property
    def group_of_slot(self) -> tuple[int, ...]:
        """For each slot the index of its strategy in `groups`."""
        return tuple(self.groups.index(name) for name in self.strategies)

    @property
    def deals(self) -> int:
        """Deals to play, at most."""
        return self.walls * len(self.seatings)


ORIGIN: Final = "origin"
"""Key of a plan that extends another one: the hash of the first plan."""


@dataclass(frozen=True, eq=False)
class AnyPlan:
    """A plan, as it stands in `plan.json`, of whatever kind."""

    kind: ClassVar[str]
    """What it is a plan of."""
    data: Mapping[str, Any]
    """The plan as plain data."""

    @cached_property
    def text(self) -> bytes:
        """The bytes of `plan.json`: canonical JSON of the plan and its hash."""
        return to_json({**self.data, HASH: self.hash})

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the plan as canonical JSON, 64 hexadecimal digits."""
        return hashlib.sha256(to_json(self.data)).hexdigest()

    @property
    def name(self) -> str:
        """The experiment's name."""
        return str(self.data["name"])

    @property
    def seed(self) -> int:
        """The run's seed."""
        return int(self.data["seed"])

    @property
    def wall_mode(self) -> str:
        """The wall mode."""
        return str(self.data["wall_mode"])


@dataclass(frozen=True, eq=False)
class Plan(AnyPlan):
    """The plan of a run of deals."""

    kind = "run"

    @property
    def origin(self) -> str:
        """The hash that chunk files carry: its own, or of an extended plan that of the first one."""
        return str(self.data.get(ORIGIN, self.hash))

    @property
    def has_rows(self) -> bool:
        """Whether rows are kept."""
        return bool(self.data["rows"])

    @property
    def target(self) -> Mapping[str, Any] | None:
        """The target, if there is one."""
        found: Mapping[str, Any] | None = self.data["target"]
        return found

    @property
    def contrast(self) -> Mapping[str, Any] | None:
        """When the difference of two strategies is known well enough, if that decides."""
        found: Mapping[str, Any] | None = self.data.get("contrast")
        return found

    @property
    def presets(self) -> Sequence[Mapping[str, Any]]:
        """The presets: name, base (the name without overrides), set (knobs that differ from base), knobs (in full)."""
        found: Sequence[Mapping[str, Any]] = self.data["presets"]
        return found

    @property
    def strategies(self) -> Mapping[str, Mapping[str, str]]:
        """The strategies by name: digest (what tells versions apart), and load (what the experiment called it)."""
        found: Mapping[str, Mapping[str, str]] = self.data["strategies"]
        return found

    @property
    def columns(self) -> Mapping[str, str]:
        """The game's columns and their types."""
        return dict(self.data["columns"])

    @property
    def patterns(self) -> tuple[str, ...]:
        """Name of each bit of the column ``patterns``."""
        return tuple(self.data["patterns"])

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells: every line-up under the first preset, then under the second, ..."""
        found: list[Cell] = []
        for number, preset in enumerate(self.presets):
            for line_up in range(len(self.data["line_ups"])):
                found.append(self._make_cell(len(found), preset["name"], number, line_up))
        return tuple(found)

    def _make_cell(self, index: int, name: str, preset: int, line_up: int) -> Cell:
        """Make a cell of what the plan says about its preset and its line-up."""
        data = self.data["line_ups"][line_up]
        seatings = tuple(tuple(seating) for seating in data["seatings"])
        cell = Cell(index, name, data["name"], tuple(data["strategies"]), seatings, data["walls"], name)
        if self.design is None:
            return cell
        fact = self.design["presets"][preset]
        return replace(
            cell,
            base=fact["base"],
            settings=fact["settings"],
            reference=fact["reference"] * len(self.data["line_ups"]) + line_up,
            source="settled" if fact["settled"] and self.design["rule_blind"][line_up] else "played",
            is_settled=fact["settled"],
        )

    @property
    def design(self) -> Mapping[str, Any] | None:
        """The design, if there is one: its kind, what each preset is in it, and which line-ups are rule-blind."""
        found: Mapping[str, Any] | None = self.data.get("design")
        return found

    @cached_property
    def families(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells that are compared with each other: same base, same line-up; each cell alone without a design."""
        found: dict[int, list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(cell.index if cell.reference is None else cell.reference, []).append(cell)
        return tuple(tuple(cells) for cells in found.values())

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """The chunks that are played together: those of one family over the same walls."""
        families = [cell.index if cell.reference is None else cell.reference for cell in self.cells]
        return make_tasks(self.chunks, families)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks in their order."""
        return tuple(Chunk(*numbers) for numbers in self.data["chunks"])

    @cached_property
    def chunk_of(self) -> Mapping[str, Chunk]:
        """The chunks by id."""
        return {chunk.id: chunk for chunk in self.chunks}

    @property
    def deals(self) -> int:
        """Deals to play, at most."""
        return sum(cell.deals for cell in self.cells)

    def count_deals(self, chunk: Chunk) -> int:
        """Count the deals of a chunk.

        Parameters
        ----------
        chunk
            One of this plan's.
        """
        return chunk.walls * len(self.cells[chunk.cell].seatings)

    def preset_of(self, cell: Cell) -> Mapping[str, Any]:
        """Give the preset of a cell, as it stands in the plan."""
        return next(preset for preset in self.presets if preset["name"] == cell.preset)


def to_json(data: object) -> bytes:
    """Write plain data as canonical JSON: equal bytes for equal data.

    Parameters
    ----------
    data
        Dictionaries with texts as keys, lists, texts, numbers, booleans, None.

    Returns
    -------
    bytes
        One line, with a newline at its end.
    """
    return (json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")


def make_plan(experiment: Experiment, game: Game, *, where: str = "") -> Plan:
    """Make the plan of an experiment: find its presets and strategies, and cut it into chunks.

    Parameters
    ----------
    experiment
        What to play.
    game
        Which game.
    where
        What to blame in messages: the experiment file.

    Returns
    -------
    Plan
        Equal for equal experiments, whatever machine makes it.

    Raises
    ------
    ConfigError
        A preset does not exist or has other knobs, or the run is absurdly long.
    StrategyError
        A strategy cannot be loaded.
    """
    prefix = f"{where}: " if where else ""
    presets, facts = expand(experiment, prefix)
    blind: list[bool] = []
    strategies: dict[str, dict[str, str]] = {}
    line_ups: list[dict[str, Any]] = []
    target = experiment.target or experiment.contrast
    for index, line_up in enumerate(experiment.line_ups):
        names = []
        are_blind = True
        for place, called in enumerate(line_up.strategies):
            key = f"{prefix}line_ups[{index}].strategies[{place}]: "
            strategy = _load_strategy(called, game, key)
            name, digest = strategy.name, strategy.digest
            are_blind &= strategy.rule_blind
            if strategies.setdefault(name, {"load": called, "digest": digest})["digest"] != digest:
                raise ConfigError(f"{key}{show_value(called)}: there is another strategy named {show_value(name)} here")
            names.append(name)
        named = line_up.model_copy(update={"strategies": tuple(names)})
        slots = named.slots
        blind.append(are_blind)
        line_ups.append(
            {
                "name": named.label,
                "strategies": list(slots),
                "seating": line_up.seating,
                "seatings": [list(seating) for seating in make_seatings(slots, line_up.seating)],
                "walls": target.max_walls if target else line_up.walls or experiment.walls,
            }
        )
    design = None
    if experiment.design is not None:
        settle = game.play_on_and_settle if experiment.on_error == "forfeit" else game.play_and_settle
        can_settle = settle is not None
        cells = [{**fact, "settled": fact["settled"] and can_settle} for fact in facts]
        design = {"kind": experiment.design.shape, "presets": cells, "rule_blind": blind}
    families = Counter(fact["base"] for fact in facts)
    sizes = [
        Size(line_up["walls"], len(line_up["seatings"]), families[fact["base"]] if design else 1)
        for fact in facts
        for line_up in line_ups
    ]
    batch = target.batch if target else None
    _refuse_absurd(sizes, batch, prefix)
    chunks = [[c.cell, c.batch, c.first_wall, c.walls] for c in make_schedule(sizes, batch)]
    columns = [[column.name, column.dtype] for column in game.columns]
    return plan_of(
        {
            "format": FORMAT,
            "game": game.name,
            "name": experiment.name,
            "title": experiment.title,
            "seed": experiment.seed,
            "wall_mode": experiment.wall_mode,
            "rows": experiment.rows,
            **({} if experiment.on_error == "stop" else {"on_error": experiment.on_error}),
            "target": experiment.target.model_dump() if experiment.target else None,
            **({"contrast": _plan_contrast(experiment.contrast)} if experiment.contrast else {}),
            "presets": presets,
            **({"design": design} if design else {}),
            "line_ups": line_ups,
            "strategies": strategies,
            "columns": columns,
            "patterns": list(game.patterns),
            "quantities": [item.name for item in make_quantities([name for name, _ in columns], game.patterns)],
            "chunks": chunks,
            "versions": versions_now(game),
        }
    )


def plan_of(data: Mapping[str, Any]) -> Plan:
    """Make a plan of plain data, with everything in the order in which it reads back from a file.

    Parameters
    ----------
    data
        What stands in `plan.json`.
    """
    return Plan(json.loads(to_json(data)))


def versions_now(game: Game) -> dict[str, str]:
    """Give the versions of everything that results depend on.

    Parameters
    ----------
    game
        The game.
    """
    return {**{name: version(name) for name in LIBRARIES}, "engine": game.digest}


def _plan_contrast(contrast: Contrast) -> dict[str, Any]:
    """Give a contrast as plain data; of two strategies without what is about presets."""
    return contrast.model_dump(exclude={"of", "metric", "who"} if contrast.of == "strategies" else None)


def _load_strategy(name: str, game: Game, where: str) -> StrategyLike:
    """Find a strategy, and say where its name came from if that fails."""
    try:
        return game.load_strategy(name)
    except BloodBattleError as error:
        raise type(error)(f"{where}{error}") from None


def _refuse_absurd(sizes: Sequence[Size], batch: int | None, prefix: str) -> None:
    """Refuse a run that nobody lives to see."""
    chunks = count_chunks(sizes, batch)
    if chunks > MOST_CHUNKS:
        deals = sum(size.walls * size.seatings for size in sizes)
        hours = deals / 100_000 / 3_600
        raise ConfigError(
            f"{prefix}{deals:,} deals in {chunks:,} chunks, {hours:,.1f} hours at 100,000 deals/s; allowed: at most"
            f" {MOST_CHUNKS:,} chunks; play fewer walls, cells or seatings, or larger batches"
        )


def read_plan(text: bytes, where: str, kinds: Sequence[type[AnyPlan]] = (Plan,)) -> AnyPlan:
    """Read a plan.

    Parameters
    ----------
    text
        The bytes of `plan.json`.
    where
        The file, for messages.
    kinds
        The kinds of plans that are wanted.

    Returns
    -------
    AnyPlan
        One of these kinds, with the same hash as when it was written.

    Raises
    ------
    ResultsError
        It is damaged, was changed, has no hash, or is of another format or kind.
    """
    try:
        data = json.loads(text)
        found = data["format"]
        is_canonical = to_json(data) == text
        noted = data.pop(HASH, None)
        kind = data.get("kind", Plan.kind)
        plan = next((one for one in kinds if one.kind == kind), Plan)(data)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ResultsError(f"{where}: damaged: not a plan; the run cannot be read without it") from None
    if found != FORMAT:
        raise ResultsError(f"{where}: run folder of format {show_value(found)}; this version reads format {FORMAT}")
    if noted is None:
        raise ResultsError(
            f"{where}: plan.json has no hash, so nothing shows that it is as it was written; an early version of this"
            " program wrote none: read the run with that version, or play it again"
        )
    if not is_canonical or noted != plan.hash:
        raise ResultsError(f"{where}: plan.json was changed after the run began; its results are those of another plan")
    if kind not in [one.kind for one in kinds]:
        folder = shlex.quote(str(Path(where).parent))
        command = {"run": "summary", "ladder": "ladder summary"}.get(kind, "summary")
        raise ResultsError(f"{folder}: this is a {kind}; see it with: bloodbattle {command} {folder}")
    return plan


def differences(one: AnyPlan, other: AnyPlan) -> list[str]:
    """List how two plans differ, a line each, at most a dozen.

    Parameters
    ----------
    one, other
        The plans: what stands in `one`, then what stands in `other`.

    Returns
    -------
    list of str
        Empty exactly when the hashes are equal.
    """
    found: list[str] = []
    _compare(one.data, other.data, "", found)
    more = len(found) - _MOST_DIFFERENCES
    return found if more <= 0 else [*found[:_MOST_DIFFERENCES], f"and {more} more"]


def _compare(one: Any, other: Any, path: str, found: list[str]) -> None:
    """Compare two parts of plans."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in sorted({*one, *other}):
            inner = f"{path}.{key}" if path else key
            _compare(one.get(key, "(absent)"), other.get(key, "(absent)"), inner, found)
    elif path == "chunks":
        if one != other:
            found.append(f"chunks: {len(one)} against {len(other)}, or others")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (a, b) in enumerate(zip(one, other, strict=True)):
            _compare(a, b, f"{path}[{index}]", found)
    elif one != other:
        found.append(f"{path}: {show_value(one)} against {show_value(other)}")
