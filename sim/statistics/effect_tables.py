"""Effects as tables of texts, a family at a time: what to put beside what. `effect_words` says them in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sim.statistics.effects import coupling_of
from sim.statistics.estimate import Estimate, estimate_of
from sim.statistics.family import setting_texts
from sim.statistics.metrics import DEALER_EDGE, POINTS_SHARE
from sim.statistics.skill import compensation_of, skill_of
from sim.statistics.tables import NOTHING, TIMES, Grid, show_interval, show_signed
from sim.tournament.quantities import DEALS, GAINED, NET, PAID, PATTERN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.statistics.effects import Effect
    from sim.statistics.family import Family, Unit
    from sim.statistics.regression import Regression
    from sim.tournament.plan import Cell

MOST_ROWS: Final = 24
"""Cells that a table for a terminal shows."""
_KONGS: Final = tuple(NET + name for name in ("concealed_kong", "exposed_kong", "added_kong", "kong_transfer"))
_Cause = tuple[str, tuple[str, ...], int]
_CAUSES: Final[tuple[_Cause, ...]] = (
    ("discards", (GAINED + "discard_win", GAINED + "robbed_kong_win"), 1),
    ("deal-ins", (PAID + "discard_win", PAID + "robbed_kong_win"), -1),
    ("self-draw", (GAINED + "self_draw",), 1),
    ("paid s-d", (PAID + "self_draw",), -1),
    ("kongs", _KONGS, 1),
    ("refunds", (NET + "kong_refund",), 1),
    ("pigs", (NET + "flower_pig",), 1),
    ("not ready", (NET + "not_ready",), 1),
    ("= points", ("points",), 1),
)
_RATES: Final = (
    ("win", "win_rate"),
    ("first", "win_first_rate"),
    ("second", "win_second_rate"),
    ("third", "win_third_rate"),
    ("self-draw", "self_draw_share"),
    ("deal-in", "deal_in_rate"),
    ("ready", "ready_rate"),
    ("pig", "flower_pig_rate"),
)
_DEALS: Final = (("wins", "wins_per_deal"), ("tiles drawn", "deal_length"), ("dealer edge", DEALER_EDGE))


@dataclass
class FamilyTables:
    """The effects in a family, ready to be put into tables."""

    family: Family
    """The family."""
    effects: Sequence[Effect]
    """Its effects."""
    regression: Regression | None
    """Its regression, if there is one."""
    most: int = MOST_ROWS
    """Cells to show at most."""
    _by_key: dict[tuple[int, str, str, str, str], Effect] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the effects for look-ups."""
        for effect in self.effects:
            self._by_key[effect.cell, effect.way, effect.who, effect.name, effect.metric] = effect

    def find(self, cell: Cell, unit: Unit, metric: str, way: str = "played") -> Effect | None:
        """Look an effect up.

        Parameters
        ----------
        cell, unit, metric, way
            Which one.
        """
        return self._by_key.get((cell.index, way, unit.who, unit.name, metric))

    @property
    def title(self) -> str:
        """What the family is called."""
        return f"{self.family.base} · {self.family.line_up}"

    @property
    def reference(self) -> str:
        """The reference in words: the design's knobs and their values there."""
        return self._short(self.family.knobs_of(self.family.reference))

    @property
    def shown(self) -> tuple[Cell, ...]:
        """The cells to show."""
        return self.family.others[: self.most]

    @property
    def strategies(self) -> tuple[Unit, ...]:
        """The strategies."""
        return tuple(unit for unit in self.family.units if unit.who == "strategy")

    @property
    def seats(self) -> tuple[Unit, ...]:
        """The seats."""
        return tuple(unit for unit in self.family.units if unit.who == "seat")

    def label(self, cell: Cell) -> str:
        """Name a cell by what is changed in it.

        Parameters
        ----------
        cell
            The cell.
        """
        return self._short(self.family.changes(cell))

    def _short(self, settings: Mapping[str, object]) -> str:
        """Write settings; where several knobs vary, without the tables that they are in."""
        return ", ".join(setting_texts({self._names[key]: value for key, value in settings.items()}))

    @cached_property
    def _names(self) -> dict[str, str]:
        """What tables call each knob: the last part of its key, if several vary and that tells them apart."""
        keys = list(self.family.knobs[0])
        last = [key.rpartition(".")[2] for key in keys]
        return {
            key: one if len(keys) > 1 and last.count(one) == 1 else key for key, one in zip(keys, last, strict=True)
        }

    def grids(self, *, full: bool) -> Iterator[Grid]:
        """Make the tables.

        Parameters
        ----------
        full
            Whether to give everything, or what most people ask.
        """
        if len(self.strategies) > 1:
            yield self._points(self.strategies, "by strategy")
        yield self._points(self.seats, "by seat")
        if any(cell.is_settled and cell.source == "played" for cell in self.shown):
            yield self._ways()
        if full:
            yield from self._causes_in_full()
            yield from self._rates()
        else:
            yield self._causes()
        yield self._deals()
        if full:
            yield self._spread()
            yield from self._patterns()
        yield self._compensation()
        if len(self.strategies) > 1:
            yield self._skill()
        yield self._coupling()
        if self.regression is not None:
            yield self._regression(self.regression)

    def _grid(self, what: str, head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Grid:
        """Make a table, and say if cells are missing from it."""
        more = len(self.family.others) - len(self.shown)
        rest = [(f"… and {more} more cells: --format csv or json",)] if more > 0 else []
        return Grid(_cut(f"{self.title}: {what}"), ("", *head), (*rows, *rest))

    def _points(self, units: Sequence[Unit], what: str) -> Grid:
        """Tabulate differences of points: a row a cell, a column a strategy or seat."""
        head = [_unit_text(unit) for unit in units]
        rows = [(f"{self.reference} (as it is)", *(f"{show_interval(self._own(unit))} " for unit in units))]
        rows += [
            (self.label(cell), *(_interval(self.find(cell, unit, "points")) for unit in units)) for cell in self.shown
        ]
        return self._grid(f"points per deal {what}, less the reference", head, rows)

    def _own(self, unit: Unit) -> Estimate:
        """Give the points of a unit in the reference."""
        totals = self.family.totals[self.family.reference.index]
        return estimate_of(totals, "points", DEALS, kind=unit.kind, index=unit.index, groups=self.family.groups)

    def _ways(self) -> Grid:
        """Tabulate mechanical and behavioural effects side by side."""
        rows: list[tuple[str, ...]] = []
        for cell in self.shown:
            if not cell.is_settled:
                continue
            rows.append((self.label(cell),))
            for unit in self.family.main_units:
                texts = [_interval(self.find(cell, unit, "points", way)) for way in ("settled", "played", "adapted")]
                if cell.source == "settled":
                    texts[1:] = ["the same", "0, rule-blind"]
                rows.append((f"  {_unit_text(unit)}", *texts))
        head = ("mechanical: settled again", "behavioural: played", "adapted: the rest")
        return self._grid("the same decisions, and players who know the rules", head, rows)

    def _cause(self, cell: Cell, unit: Unit, cause: _Cause, *, interval: bool = False) -> str:
        """Write a difference of points by cause."""
        _, names, sign = cause
        found = [effect for name in names if (effect := self.find(cell, unit, name)) and effect.value is not None]
        if not found:
            return NOTHING
        text = show_signed(sign * sum(effect.value or 0.0 for effect in found), 3)
        if not interval:
            return text
        widths = [effect.half_width for effect in found]  # the width of a sum is at most the sum of widths
        return f"{text} ± {_width(None if None in widths else sum(width or 0.0 for width in widths))}"

    def _causes(self) -> Grid:
        """Tabulate differences of points by cause."""
        rows = self._by_cell(
            {(cell.index, unit.name): tuple(self._cause(cell, unit, cause) for cause in _CAUSES)
             for cell in self.shown for unit in self.strategies}
        )  # fmt: skip
        head = [name for name, _, _ in _CAUSES]
        return self._grid("points per deal by cause, less the reference", head, rows)

    def _causes_in_full(self) -> Iterator[Grid]:
        """Tabulate differences of points by cause with intervals: of wins, then of everything else."""
        for what, causes in (("wins", _CAUSES[:4]), ("all else", _CAUSES[4:-1])):
            rows = self._by_cell(
                {(cell.index, unit.name): tuple(self._cause(cell, unit, cause, interval=True) for cause in causes)
                 for cell in self.shown for unit in self.strategies}
            )  # fmt: skip
            title = f"points per deal by cause, less the reference: {what} (± at most)"
            yield self._grid(title, [name for name, _, _ in causes], rows)

    def _rates(self) -> Iterator[Grid]:
        """Tabulate differences of rates, in percentage points."""
        for what, rates in (("wins", _RATES[:4]), ("all else", _RATES[4:])):
            rows = self._by_cell(
                {(cell.index, unit.name): tuple(_share(self.find(cell, unit, name), interval=True) for _, name in rates)
                 for cell in self.shown for unit in self.strategies}
            )  # fmt: skip
            title = f"rates in percentage points, less the reference: {what}"
            yield self._grid(title, [name for name, _ in rates], rows)

    def _deals(self) -> Grid:
        """Tabulate differences of the deals as a whole."""
        whole = next(unit for unit in self.family.units if unit.who == "deal")
        rows = []
        for cell in self.shown:
            rate = self.find(cell, whole, "exhaustion_rate")
            texts = [_interval(self.find(cell, whole, name)) for _, name in _DEALS]
            rows.append((self.label(cell), _share(rate, interval=True), *texts))
        return self._grid(
            "the deals, less the reference", ("exhausted (points of %)", *(name for name, _ in _DEALS)), rows
        )

    def _spread(self) -> Grid:
        """Tabulate differences of spread and tails."""
        names = {"sd of a deal": "points_sd", "skewness": "points_skew", "1 % quantile": "points_q01"}
        names["99 % quantile"] = "points_q99"
        rows = self._by_cell(
            {(cell.index, unit.name): tuple(_interval(self.find(cell, unit, name)) for name in names.values())
             for cell in self.shown for unit in self.strategies}
        )  # fmt: skip
        return self._grid("spread of a deal's points, less the reference (± at most)", list(names), rows)

    def _patterns(self) -> Iterator[Grid]:
        """Tabulate differences of patterns: how often wins have them, and their share of the points won."""
        for prefix, what in ((PATTERN, "share of wins with a pattern"), (POINTS_SHARE, "its share of the points won")):
            names = list(dict.fromkeys(e.metric for e in self.effects if e.metric.startswith(prefix)))
            for cell in self.shown:
                rows = []
                for name in names:
                    found = [self.find(cell, unit, name) for unit in self.strategies]
                    if any(effect is not None and effect.half_width for effect in found):
                        words = name.removeprefix(prefix).replace("_", " ")
                        rows.append((words, *(_share(effect, interval=True) for effect in found)))
                if rows:
                    head = [unit.name for unit in self.strategies]
                    yield self._grid(f"{what}, {self.label(cell)}, percentage points", head, rows)

    def _compensation(self) -> Grid:
        """Tabulate what would make seats equal."""
        rows = []
        for cell in (self.family.reference, *self.shown):
            label = self.reference if cell == self.family.reference else self.label(cell)
            rows.append((label, *(show_interval(one) for one in compensation_of(self.family, cell))))
        head = [_unit_text(unit) for unit in self.seats]
        return self._grid("seat compensation, points per deal that make seats equal", head, rows)

    def _skill(self) -> Grid:
        """Tabulate how soon the first two strategies are told apart."""
        first, second = self.strategies[:2]
        rows = []
        for cell in (self.family.reference, *self.shown):
            label = self.reference if cell == self.family.reference else self.label(cell)
            found = skill_of(self.family, cell, first, second)
            if found is None:
                rows.append((label, NOTHING, NOTHING, NOTHING, NOTHING))
                continue
            gap = f"{show_signed(found.difference, 3)} ± {_width(found.half_width)}"
            ratio = f"{show_signed(found.ratio, 3)} ± {_width(found.ratio_half_width)}"
            most = "any number" if found.most is None else f"{found.most:,}"
            span = NOTHING if found.fewest is None else f"{found.fewest:,} to {most}"
            rows.append((label, gap, f"{found.deviation:.2f}", ratio, span))
        head = ("points per deal", "sd in a deal", "signal to noise", "deals to tell apart")
        return self._grid(f"skill, {first.name} less {second.name}", head, rows)

    def _coupling(self) -> Grid:
        """Tabulate how closely cells are tied to the reference."""
        rows = []
        for tie in coupling_of(self.family)[: self.most]:
            found = [self.find(tie.cell, unit, "points") for unit in self.family.main_units]
            correlations = [e.correlation for e in found if e is not None and e.correlation is not None]
            factors = [e.efficiency for e in found if e is not None and e.efficiency is not None]
            source = "settled again" if tie.cell.source == "settled" else "played"
            both = f"{100 * tie.share:.2f}%"
            rows.append(
                (self.label(tie.cell), source, both, _span(correlations, "{:.3f}"), _span(factors, TIMES + "{:,.1f}"))
            )
        head = ("cell is", "deals changed", "correlation of walls", "gain from the same walls")
        return self._grid("coupling to the reference", head, rows)

    def _regression(self, regression: Regression) -> Grid:
        """Tabulate the coefficients of a regression."""
        units = self.family.main_units
        rows: list[tuple[str, ...]] = []
        found = {(one.term.name, one.unit): one for one in regression.coefficients}
        headings = {"main": "main effects", "interaction": "interactions of two", "slope": "for each step of 1"}
        kind = ""
        for term in regression.terms[: 3 * self.most]:
            if term.kind != kind:
                kind = term.kind
                rows.append((headings[kind],))
            texts = []
            for unit in units:
                one = found[term.name, unit]
                sure = one.p_adjusted is not None and one.p_adjusted < 0.05
                texts.append(
                    f"{show_signed(one.estimate.value, 3)} ± {_width(one.estimate.half_width)}{'*' if sure else ' '}"
                )
            name = term.name
            for key, short in self._names.items():
                name = name.replace(f"{key}=", f"{short}=")
            rows.append((f"  {name}", *texts))
        if regression.left_out:
            rows.append((f"not to be told from others in this design: {', '.join(regression.left_out)}",))
        if regression.explained:
            shares = ("" if share is None else f"{100 * share:.0f} %" for _, share in regression.explained)
            rows.append(("explained of the variance between cells", *shares))
        what = "every combination" if regression.model == "factorial" else "straight lines, no interactions"
        return self._grid(f"regression ({what}), points per deal", [_unit_text(u) for u in units], rows)

    def _by_cell(self, texts: Mapping[tuple[int, str], tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Put a heading for each cell over the rows of its strategies; a single strategy needs none."""
        rows: list[tuple[str, ...]] = []
        for cell in self.shown:
            if len(self.strategies) == 1:
                rows.append((self.label(cell), *texts[cell.index, self.strategies[0].name]))
                continue
            rows.append((self.label(cell),))
            rows += [(f"  {unit.name}", *texts[cell.index, unit.name]) for unit in self.strategies]
        return rows


def _unit_text(unit: Unit) -> str:
    """Name a strategy or a seat."""
    if unit.who == "strategy":
        return unit.name
    return "seat 0 (dealer)" if unit.index == 0 else f"seat {unit.name}"


def _interval(effect: Effect | None) -> str:
    """Write a difference with its interval; an asterisk if it is sure."""
    if effect is None or effect.value is None:
        return NOTHING
    return f"{show_signed(effect.value, 3)} ± {_width(effect.half_width)}{'*' if effect.is_sure else ' '}"


def _share(effect: Effect | None, *, interval: bool = False) -> str:
    """Write a difference of shares in percentage points; an asterisk if it is sure."""
    if effect is None or effect.value is None:
        return NOTHING
    text = show_signed(100 * effect.value, 2)
    if interval:
        text += f" ± {NOTHING if effect.half_width is None else f'{100 * effect.half_width:.2f}'}"
    return f"{text}{'*' if effect.is_sure else ' '}"


def _width(width: float | None) -> str:
    """Write half of an interval."""
    return NOTHING if width is None else f"{width:.3f}"


def _span(values: Sequence[float], form: str) -> str:
    """Write the smallest and the largest of some numbers."""
    if not values:
        return NOTHING
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


def _cut(text: str) -> str:
    """Cut a title that a terminal has no room for."""
    return text if len(text) <= 100 else text[:99] + "…"
