"""The plan of a ladder: everything that its results follow from, and nothing else. Never changed once written.

Each preset with each rating system is a cell; each cell has so many replications. A replication of a cell is a *job*:
it has one line in the ledger.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import BloodBattleError, ConfigError
from sim.ladder.file import LadderFile
from sim.ladder.systems import make_system, read_systems
from sim.tournament.families import expand
from sim.tournament.plan import FORMAT, LIBRARIES, AnyPlan, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sim.ladder.systems import RatingSystem

SOURCES: Final = ("account.py", "expect.py", "file.py", "keep.py", "simulate.py", "sums.py", "systems.py", "totals.py")
"""Files beside the kernels that decide what a ladder gives."""
_ELSEWHERE: Final = {"name", "title", "seed", "presets", "design", "ratings", "workers"}
MOST_JOBS: Final = 100_000


@dataclass(frozen=True)
class Cell:
    """One preset with one rating system."""

    index: int
    """Its number, from 0."""
    preset: str
    """What the preset is called in results."""
    rating: str
    """What the rating system is called in results."""


@dataclass(frozen=True)
class Job:
    """One replication of one cell."""

    cell: int
    """Number of the cell."""
    replication: int
    """Which replication, from 0."""

    @property
    def id(self) -> str:
        """What the ledger calls it."""
        return f"{self.cell:03d}-{self.replication:05d}"


@dataclass(frozen=True, eq=False)
class LadderPlan(AnyPlan):
    """The plan of a ladder."""

    kind = "ladder"

    @cached_property
    def file(self) -> LadderFile:
        """The ladder, as its file had it; presets by name only."""
        data = {**self.data["ladder"], **{key: self.data[key] for key in ("name", "title", "seed")}}
        presets = tuple({"preset": preset["name"]} for preset in self.data["presets"])
        return LadderFile(**data, presets=presets, ratings=tuple(system["name"] for system in self.data["ratings"]))

    @property
    def presets(self) -> Sequence[Mapping[str, Any]]:
        """The presets: name, base, set (knobs that differ from base), knobs (in full).

        Those of a design have two names more: family (the base as the file calls it) and reference.
        """
        found: Sequence[Mapping[str, Any]] = self.data["presets"]
        return found

    @cached_property
    def systems(self) -> Mapping[str, RatingSystem]:
        """The rating systems by name."""
        return {
            item["name"]: make_system({"system": item["system"], **item["parameters"]}, item["name"])
            for item in self.data["ratings"]
        }

    @property
    def strategies(self) -> Sequence[Mapping[str, str]]:
        """The strategy of each group: name, digest (what tells versions apart), load (what the file called it)."""
        found: Sequence[Mapping[str, str]] = self.data["strategies"]
        return found

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells: every rating system under the first preset, then under the second, ..."""
        pairs = [(preset["name"], rating["name"]) for preset in self.presets for rating in self.data["ratings"]]
        return tuple(Cell(index, *pair) for index, pair in enumerate(pairs))

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All replications of all cells, in the order of the finished ledger."""
        return tuple(Job(cell.index, number) for cell in self.cells for number in range(self.file.replications))

    @cached_property
    def job_of(self) -> Mapping[str, Job]:
        """The jobs by id."""
        return {job.id: job for job in self.jobs}


def make_ladder_plan(
    ladder: LadderFile, load_strategy: Callable[[str], Any], engine: str, *, where: str = ""
) -> LadderPlan:
    """Make the plan of a ladder: find its presets, rating systems and strategies.

    Parameters
    ----------
    ladder
        The ladder.
    load_strategy
        Finds a strategy by name.
    engine
        What tells two versions of the engine apart.
    where
        What to blame in messages: the ladder file.

    Raises
    ------
    ConfigError
        A preset or a rating system does not exist, or the ladder is absurdly long.
    StrategyError
        A strategy cannot be loaded.
    """
    prefix = f"{where}: " if where else ""
    faults: list[BloodBattleError] = []
    presets: list[dict[str, Any]] = []
    systems: dict[str, RatingSystem] = {}
    try:
        presets = _plan_presets(ladder, prefix)
    except ConfigError as error:
        faults.append(error)
    try:
        systems = read_systems(ladder.ratings, f"{prefix}ratings")
    except ConfigError as error:
        faults.append(error)
    strategies = []
    for place, group in enumerate(ladder.groups):
        try:
            strategy = load_strategy(group.strategy)
            _refuse_batch(strategy)
        except BloodBattleError as error:
            faults.append(type(error)(f"{prefix}groups[{place}].strategy: {error}"))
            continue
        strategies.append({"name": strategy.name, "digest": strategy.digest, "load": group.strategy})
    if faults:
        kinds = {type(fault) for fault in faults}
        raise (kinds.pop() if len(kinds) == 1 else ConfigError)("\n".join(map(str, faults)))
    jobs = len(presets) * len(systems) * ladder.replications
    if jobs > MOST_JOBS:
        raise ConfigError(f"{prefix}{jobs:,} replications of cells; allowed: at most {MOST_JOBS:,}")
    return ladder_plan_of(
        {
            "format": FORMAT,
            "kind": LadderPlan.kind,
            "name": ladder.name,
            "title": ladder.title,
            "seed": ladder.seed,
            "wall_mode": ladder.wall_mode,
            "ladder": ladder.model_dump(mode="json", exclude=_ELSEWHERE, exclude_unset=True),
            "presets": presets,
            "ratings": [
                {"name": name, "system": system.system, "parameters": system.model_dump()}
                for name, system in systems.items()
            ],
            "strategies": strategies,
            "versions": ladder_versions(engine),
        }
    )


def _plan_presets(ladder: LadderFile, prefix: str) -> list[dict[str, Any]]:
    """Make the presets of a plan: of a design each set of rules once, with the names of its base and its reference."""
    presets, facts = expand(ladder, prefix)
    if ladder.design is None:
        return presets
    return [
        {**preset, "family": fact["base"], "reference": presets[fact["reference"]]["name"]}
        for preset, fact in zip(presets, facts, strict=True)
    ]


def _refuse_batch(strategy: Any) -> None:
    """Refuse a strategy that answers for many tables at once."""
    if getattr(strategy, "batch", None):
        raise ConfigError(
            f"{strategy.name} is a batch strategy; a ladder plays one table at a time; allowed: native and Python"
            " strategies"
        )


def ladder_plan_of(data: Mapping[str, Any]) -> LadderPlan:
    """Make a plan of plain data, with everything in the order in which it reads back from a file.

    Parameters
    ----------
    data
        What stands in `plan.json`.
    """
    import json  # noqa: PLC0415 - only needed here

    return LadderPlan(json.loads(to_json(data)))


def ladder_versions(engine: str) -> dict[str, str]:
    """Give the versions of everything that results depend on.

    Parameters
    ----------
    engine
        What tells two versions of the engine apart.
    """
    from sim.ladder.compiling import digest_of_sources  # noqa: PLC0415 - heavy

    digest = hashlib.sha256(digest_of_sources().encode())
    for name in SOURCES:
        digest.update(name.encode() + b"\0" + (Path(__file__).parent / name).read_bytes() + b"\0")
    libraries = {name: version(name) for name in (*LIBRARIES, "pyarrow")}
    return {**libraries, "engine": engine, "ladder": digest.hexdigest()[:16]}
