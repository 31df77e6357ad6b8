"""Effects of a design: every metric of every cell less the same in the reference cell of its family, wall by wall.

Three *ways* to get at an effect: ``played``: strategies played again under the cell's rules; ``settled``: the decisions
of the reference cell settled again under them (where the rules differ in the settlement alone); ``adapted``: played
less settled, what players make of the rules. In a cell whose players are all blind to the rules, played is settled.

Everything comes from the ledger's totals; rows are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from sim.errors import ConfigError
from sim.rules.words import did_you_mean, show_value
from sim.statistics.difference import Difference, cross_of_equal, subtract
from sim.statistics.estimate import round_off
from sim.statistics.family import POINTS, families_of, setting_texts
from sim.statistics.metrics import DEALER_EDGE, Metric, make_metrics
from sim.statistics.multiple import adjust
from sim.statistics.paired import cross_sums
from sim.statistics.spread import SPREAD_UNITS, spread_difference, spread_of_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl

    from sim.statistics.family import Family, Unit
    from sim.tournament.plan import Cell, Plan
    from sim.tournament.totals import Totals

Way = Literal["played", "settled", "adapted"]
SETTLED: Final = "settled"


@dataclass(frozen=True)
class Effect:
    """One metric of one unit in one cell, less the same in the reference."""

    base: str
    """The base preset."""
    line_up: str
    """The line-up."""
    cell: int
    """Number of the cell."""
    preset: str
    """The cell's preset, as results call it."""
    settings: str
    """The knobs that differ from the reference, ``key=value``, joined by commas."""
    way: Way
    """played, settled or adapted."""
    who: str
    """strategy, seat or deal."""
    name: str
    """The strategy, the seat's number, or "all"."""
    metric: str
    """The metric."""
    value: float | None
    """The difference; None where the metric does not exist in one of the cells."""
    half_width: float | None
    """Half of its 95 % interval."""
    p: float | None
    """Two-sided p-value; None where there is nothing to test."""
    p_adjusted: float | None
    """The p-value with all the comparisons made at once taken into account."""
    adjusted_by: str | None
    """How: ``holm`` for the named comparisons of a family, ``benjamini-hochberg`` for all others of the run."""
    unit: str
    """Unit of the difference."""
    reference_value: float | None
    """The metric in the reference."""
    cell_value: float | None
    """The metric in the cell (for adapted: as settled, and as played)."""
    blocks: int
    """Blocks."""
    correlation: float | None
    """Of paired blocks."""
    efficiency: float | None
    """Variance of the difference if the cells had played other walls, over its variance."""

    @property
    def is_sure(self) -> bool:
        """Whether the adjusted p-value is below 5 %."""
        return self.p_adjusted is not None and self.p_adjusted < 0.05

    @property
    def is_named(self) -> bool:
        """Whether it is one of the few comparisons that a design is about."""
        return self.adjusted_by == "holm"


@dataclass(frozen=True)
class Coupling:
    """How closely a cell is tied to its reference."""

    cell: Cell
    """The cell."""
    deals: int
    """Deals of each of the two."""
    changed: int
    """Deals in which the points of any seat differ."""
    changed_walls: int
    """Walls with such a deal."""
    settled_changed: int | None
    """The same for the reference's decisions settled again; None without any."""

    @property
    def share(self) -> float:
        """Share of deals that the change of rules changed at all."""
        return self.changed / self.deals if self.deals else 0.0

    @property
    def is_dead(self) -> bool:
        """Whether the change of rules changed nothing."""
        return self.changed == 0 and not self.settled_changed


@dataclass(frozen=True)
class _Place:
    """Where an effect is found."""

    family: Family
    cell: Cell
    way: Way
    settings: str

    def effect(self, unit: Unit, metric: Metric, found: Difference) -> Effect:
        """Put an effect together."""
        return Effect(
            base=self.family.base,
            line_up=self.family.line_up,
            cell=self.cell.index,
            preset=self.cell.preset,
            settings=self.settings,
            way=self.way,
            who=unit.who,
            name=unit.name,
            metric=metric.name,
            value=found.value,
            half_width=found.half_width,
            p=found.p,
            p_adjusted=None,
            adjusted_by=None,
            unit=metric.unit,
            reference_value=found.reference_value,
            cell_value=found.cell_value,
            blocks=found.blocks,
            correlation=found.correlation,
            efficiency=found.efficiency,
        )


def make_effects(plan: Plan, totals: Mapping[int, Totals]) -> list[Effect]:
    """Estimate all effects of a run's design.

    Parameters
    ----------
    plan
        The plan.
    totals
        Totals of its cells.

    Returns
    -------
    list of Effect
        By family, cell, way, unit and metric; p-values adjusted. Empty for a run without a design.
    """
    metrics = make_metrics(plan.data["quantities"])
    found = [effect for family in families_of(plan, totals) for effect in effects_of(family, metrics)]
    return _adjusted(found, plan, totals)


def effects_against(plan: Plan, totals: Mapping[int, Totals], preset: str) -> list[Effect]:
    """Compare the points of all cells with those of another cell than the design's reference.

    Parameters
    ----------
    plan, totals
        As in `make_effects`.
    preset
        What the preset that serves as reference is called in results.

    Returns
    -------
    list of Effect
        Points as played, of each strategy and seat, in the families that have this preset.

    Raises
    ------
    ConfigError
        No cell of a family has this preset.
    ResultsError
        The run does not keep what is needed: the family is too large.
    """
    found = []
    families = families_of(plan, totals)
    for family in families:
        for other in [cell for cell in family.cells if cell.preset == preset]:
            for cell in [cell for cell in family.cells if cell != other]:
                at = _Place(family, cell, "played", ", ".join(setting_texts(family.changes(cell, other))))
                units = [unit for unit in family.units if unit.who != "deal"]
                found += [at.effect(unit, POINTS, family.difference(cell, other, unit)) for unit in units]
    if not found:
        names = list(dict.fromkeys(cell.preset for family in families for cell in family.cells))
        hint = did_you_mean(preset, names)
        raise ConfigError(f"{show_value(preset)}: no cell to compare with{hint}; there are: {', '.join(names)}")
    return _adjusted(found, plan, totals)


def effects_of(family: Family, metrics: Sequence[Metric]) -> Iterator[Effect]:
    """Estimate the effects in one family, without adjusting p-values.

    Parameters
    ----------
    family
        The family.
    metrics
        The metrics.
    """
    for cell in family.others:
        played = family.totals[cell.index]
        settled = cell.settled_of(played)
        settings = ", ".join(setting_texts(family.changes(cell)))
        ways: list[tuple[Way, Totals | None]] = [("played", played), ("settled", settled)]
        for way, totals in ways:
            at = _Place(family, cell, way, settings)
            for unit in family.units if totals is not None else ():
                for metric in metrics:
                    if totals is not None and (metric.scope == "deal") == (unit.who == "deal"):
                        yield at.effect(unit, metric, difference_of(family, totals, unit, metric))
                if totals is not None and unit.who == "strategy":
                    yield from _spreads(at, unit, totals)
        if settled is not None:
            at = _Place(family, cell, "adapted", settings)
            for unit in family.units:
                metric = replace(POINTS, name=DEALER_EDGE) if unit.who == "deal" else POINTS
                yield at.effect(unit, metric, _adapted(family, played, settled, unit))


def difference_of(family: Family, totals: Totals, unit: Unit, metric: Metric = POINTS) -> Difference:
    """Compare a cell with its reference.

    Parameters
    ----------
    family
        The family.
    totals
        The cell's totals, or its settled ones.
    unit
        A strategy, a seat, or the deals.
    metric
        The metric.
    """
    reference = family.totals[family.reference.index]
    here, there = (family.sums_of(one, unit, metric) for one in (totals, reference))
    return subtract(here, there, cross_sums(totals, here, there, metric, unit.kind, unit.index))


def _adapted(family: Family, played: Totals, settled: Totals, unit: Unit) -> Difference:
    """Compare what was played with the reference's decisions settled again."""
    here, there = (family.sums_of(one, unit) for one in (played, settled))
    products = here.one_one if played is settled else played.gram_of(SETTLED, unit.kind, unit.index)
    return subtract(here, there, cross_of_equal(here, there, products))


def _spreads(at: _Place, unit: Unit, totals: Totals) -> Iterator[Effect]:
    """Compare spread and tails; their intervals are wider than need be, so they have no p-value."""
    reference = at.family.totals[at.family.reference.index]
    if not totals.counts or not reference.counts:
        return
    here, there = (spread_of_group(one, unit.index) for one in (totals, reference))
    for name, text in SPREAD_UNITS.items():
        one, other = here[name], there[name]
        gap = spread_difference(one, other)
        found = Difference(gap.value, gap.half_width, None, totals.walls, one.value, other.value, None, None)
        yield at.effect(unit, Metric(name, "points", "deals", text, ""), found)


def coupling_of(family: Family) -> list[Coupling]:
    """Say for each cell but the reference how many deals its rules changed.

    Parameters
    ----------
    family
        The family.
    """
    found = []
    for cell in family.others:
        totals = family.totals[cell.index]
        settled = cell.settled_of(totals)
        again = None if settled is None else settled.changed
        found.append(Coupling(cell, family.deals, totals.changed, totals.changed_walls, again))
    return found


def _adjusted(effects: Sequence[Effect], plan: Plan, totals: Mapping[int, Totals]) -> list[Effect]:
    """Adjust p-values: Holm for the points of the main units as played, by family; all others by Benjamini-Hochberg."""
    main = {
        (family.base, family.line_up): {(unit.who, unit.name) for unit in family.main_units}
        for family in families_of(plan, totals)
    }
    lists: dict[tuple[str, ...], list[int]] = {}
    for place, effect in enumerate(effects):
        if effect.p is None:
            continue
        named = (
            effect.way == "played"
            and effect.metric == POINTS.name
            and (effect.who, effect.name) in main[effect.base, effect.line_up]
        )
        key = ("holm", effect.base, effect.line_up) if named else ("benjamini-hochberg",)
        lists.setdefault(key, []).append(place)
    found = list(effects)
    for (method, *_), places in lists.items():
        ps = adjust([p for place in places if (p := effects[place].p) is not None], method)
        for place, p in zip(places, ps, strict=True):
            found[place] = replace(found[place], p_adjusted=p, adjusted_by=method)
    return found


def to_record(effect: Effect) -> dict[str, Any]:
    """Give an effect as a flat record, numbers cut to twelve digits.

    Parameters
    ----------
    effect
        The effect.
    """
    values = ((field.name, getattr(effect, field.name)) for field in fields(effect))
    return {name: round_off(value) if isinstance(value, float) else value for name, value in values}


def to_frame(effects: Sequence[Effect]) -> pl.DataFrame:
    """Give effects as a frame, one row each.

    Parameters
    ----------
    effects
        The effects.

    Returns
    -------
    polars.DataFrame
        Columns as the attributes of `Effect`.
    """
    import polars as pl  # noqa: PLC0415 - only needed here

    texts = ("base", "line_up", "preset", "settings", "way", "who", "name", "metric", "adjusted_by", "unit")
    types: dict[str, Any] = {**dict.fromkeys(texts, pl.String), "cell": pl.Int64, "blocks": pl.Int64}
    schema: dict[str, Any] = {field.name: types.get(field.name, pl.Float64) for field in fields(Effect)}
    return pl.DataFrame([to_record(effect) for effect in effects], schema=schema)
