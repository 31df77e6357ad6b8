"""A summary as tables of texts: what to put beside what, and how to write a number. `show` lays them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.rules.words import count_of
from sim.statistics.metrics import DEALER_EDGE
from sim.tournament.quantities import GAINED, NET, PAID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sim.statistics.estimate import Estimate
    from sim.statistics.summary import CellSummary, Part, Summary

MINUS: Final = "\N{MINUS SIGN}"
NOTHING: Final = "\N{EN DASH}"
"""What stands where there is no number."""
TIMES: Final = "\N{MULTIPLICATION SIGN}"

MAIN_KNOBS: Final = (
    "exchange.direction",
    "void_suit.discard_first",
    "win.multiple",
    "win.self_draw",
    "pass.win_lock",
    "fan.cap",
    "exhaustion.flower_pig",
    "exhaustion.flower_pig_to",
    "exhaustion.not_ready",
    "exhaustion.kong_refund",
)
"""The knobs that every table names; knobs set over a preset are named too."""


@dataclass(frozen=True)
class Grid:
    """A table of texts."""

    title: str
    """What it shows."""
    head: tuple[str, ...]
    """Names of the columns; the first one names the rows."""
    rows: tuple[tuple[str, ...], ...]
    """The rows; one with a single text is a heading."""
    left: tuple[int, ...] = (0,)
    """The columns that are flush left, not right."""


@dataclass(frozen=True)
class Section:
    """What a summary says about one preset."""

    preset: str
    """What the preset is called."""
    knobs: tuple[str, ...]
    """The preset in force: knobs and their values, those set over it marked with an asterisk."""
    notes: tuple[str, ...]
    """What else there is to know about it."""
    grids: tuple[Grid, ...]
    """The tables."""


def make_sections(summary: Summary, *, full: bool = False) -> Iterator[Section]:
    """Put a summary into tables, a section for each preset.

    Parameters
    ----------
    summary
        The summary.
    full
        Whether to give everything (patterns, single causes, seats), or what fits a terminal.
    """
    for preset in summary.plan.presets:
        cells = [cell for cell in summary.cells if cell.cell.preset == preset["name"]]
        if cells:
            grids = [_rates(cells), _causes(cells), _deals(cells)]
            if full:
                grids += _full_grids(cells)
            yield Section(preset["name"], _knobs(preset), _notes(preset), tuple(grids))


def _knobs(preset: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the preset's main knobs and those set over it."""
    keys = [*MAIN_KNOBS, *(key for key in preset["set"] if key not in MAIN_KNOBS)]
    return tuple(f"{key} {show_knob(look_up(preset['knobs'], key))}{'*' * (key in preset['set'])}" for key in keys)


def look_up(knobs: Mapping[str, Any], key: str) -> Any:
    """Find a knob in a preset as a plan has it.

    Parameters
    ----------
    knobs
        Nested tables, in which a knob that is off is left out.
    key
        The dotted key.

    Returns
    -------
    object
        Its value, "none" if it is off.
    """
    value: Any = knobs
    for part in key.split("."):
        value = value.get(part, "none")
    return value


def show_knob(value: object) -> str:
    """Write a knob's value as a file has it, without quotation marks."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _notes(preset: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what a preset is made of."""
    notes = []
    if preset["base"] != preset["name"]:
        notes.append(f"made from {preset['base']}")
    if preset["set"]:
        notes.append("* set over the preset")
    assumed = len(preset["knobs"]["assumed"])
    if assumed:
        notes.append(
            f"{count_of(assumed, 'knob')} {'is' if assumed == 1 else 'are'} assumed where its document is silent"
        )
    return tuple(notes)


# ------------------------------------------------------------------------------------------------------------- tables


def _rates(cells: Sequence[CellSummary]) -> Grid:
    """Tabulate points and rates."""
    head = ("", "points per deal", "win", "self-draw", "deal-in", "ready", "pig", "fan", "kongs")

    def row(cell: CellSummary, part: Part) -> tuple[str, ...]:
        of = part.metrics
        return (
            "0 by design" if len(cell.strategies) == 1 else show_interval(of["points"]),
            show_share(of, "win_rate"),
            show_share(of, "self_draw_share"),
            show_share(of, "deal_in_rate"),
            show_share(of, "ready_rate"),
            show_share(of, "flower_pig_rate"),
            show_number(of, "mean_fan", 2),
            show_number(of, "kongs", 2),
        )

    return Grid("Points and rates", head, tuple(_by_strategy(cells, row)))


def _causes(cells: Sequence[CellSummary]) -> Grid:
    """Tabulate where the points come from."""
    head = ("", "discards", "deal-ins", "self-draw", "paid s-d", "kongs", "refunds", "pigs", "not ready", "= points")
    kongs = [NET + name for name in ("concealed_kong", "exposed_kong", "added_kong", "kong_transfer")]

    def row(_: CellSummary, part: Part) -> tuple[str, ...]:
        of = part.metrics
        return (
            show_sum(of, [GAINED + "discard_win", GAINED + "robbed_kong_win"]),
            show_sum(of, [PAID + "discard_win", PAID + "robbed_kong_win"], sign=-1),
            show_sum(of, [GAINED + "self_draw"]),
            show_sum(of, [PAID + "self_draw"], sign=-1),
            show_sum(of, kongs),
            show_sum(of, [NET + "kong_refund"]),
            show_sum(of, [NET + "flower_pig"]),
            show_sum(of, [NET + "not_ready"]),
            show_sum(of, ["points"]),
        )

    return Grid("Where the points come from (points per deal)", head, tuple(_by_strategy(cells, row)))


def _deals(cells: Sequence[CellSummary]) -> Grid:
    """Tabulate the deals as a whole."""
    head = ("", "walls", "deals", "exhausted", "wins", "tiles drawn", "dealer edge", "sd of a deal")
    rows = []
    for cell in cells:
        of = cell.deal.metrics
        rows.append(
            (
                cell.cell.line_up,
                f"{cell.walls:,}",
                f"{cell.deals:,}",
                show_share(of, "exhaustion_rate"),
                show_number(of, "wins_per_deal", 2),
                show_number(of, "deal_length", 1),
                show_interval(of[DEALER_EDGE]),
                NOTHING if cell.deviation is None else f"{cell.deviation:.2f}",
            )
        )
    return Grid("The deals", head, tuple(rows))


def _full_grids(cells: Sequence[CellSummary]) -> list[Grid]:
    """Tabulate what does not fit a terminal: single causes, patterns, wins by order, seats."""
    names = cells[0].strategies[0].metrics
    causes = [name for name in names if name.startswith(NET)]
    patterns = [name for name in names if name.startswith("pattern_")]
    more = ["win_first_rate", "win_second_rate", "win_third_rate", "robbing_share", "robbed_rate", "flower_pig_share"]

    def with_causes(_: CellSummary, part: Part) -> tuple[str, ...]:
        return tuple(show_interval(part.metrics[name]) for name in causes)

    def with_patterns(_: CellSummary, part: Part) -> tuple[str, ...]:
        return tuple(show_share(part.metrics, name) for name in patterns)

    def with_more(_: CellSummary, part: Part) -> tuple[str, ...]:
        shares = tuple(show_share(part.metrics, name) for name in more)
        return (*shares, show_number(part.metrics, "mean_value", 2), show_number(part.metrics, "turns", 1))

    words = [name.removeprefix(NET).replace("_", " ") for name in causes]
    named = [name.removeprefix("pattern_").replace("_", " ") for name in patterns]
    others = ["first", "second", "third", "by robbing", "robbed", "pig if left", "value", "turns"]
    seats = [(cell.cell.line_up, *(show_interval(part.metrics["points"]) for part in cell.seats)) for cell in cells]
    return [
        Grid("Points per deal by cause (gained less paid)", ("", *words), tuple(_by_strategy(cells, with_causes))),
        Grid("Share of wins with a pattern", ("", *named), tuple(_by_strategy(cells, with_patterns))),
        Grid("More about wins", ("", *others), tuple(_by_strategy(cells, with_more))),
        Grid("Points per deal by seat", ("", "seat 0 (dealer)", "seat 1", "seat 2", "seat 3"), tuple(seats)),
    ]


def _by_strategy(
    cells: Sequence[CellSummary], row: Callable[[CellSummary, Part], tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Give a heading for each line-up and under it a row for each strategy."""
    for cell in cells:
        has_heading = cell.cell.line_up != cell.strategies[0].name
        if has_heading:
            yield (cell.cell.line_up,)
        for part in cell.strategies:
            count = cell.cell.strategies.count(part.name)
            name = f"{part.name} {TIMES}{count}" if count > 1 else part.name
            yield (f"  {name}" if has_heading else name, *row(cell, part))


# ------------------------------------------------------------------------------------------------------------ numbers


def show_chance(value: float) -> str:
    """Write a chance with four decimals, and never as certain.

    Parameters
    ----------
    value
        The chance.

    Examples
    --------
    >>> [show_chance(value) for value in (0.5, 0.99999, 0.0)]
    ['0.5000', 'over 0.9999', 'under 0.0001']
    """
    return "over 0.9999" if value >= 0.9999 else "under 0.0001" if value <= 0.0001 else f"{value:.4f}"


def show_signed(value: float, digits: int) -> str:
    """Write a number with its sign, a true minus sign.

    Parameters
    ----------
    value
        The number.
    digits
        Digits after the point.

    Examples
    --------
    >>> show_signed(-0.25, 2)
    '\N{MINUS SIGN}0.25'
    """
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else MINUS) + text


def show_interval(estimate: Estimate) -> str:
    """Write an estimate in points with its interval."""
    if estimate.value is None:
        return NOTHING
    width = NOTHING if estimate.half_width is None else f"{estimate.half_width:.3f}"
    return f"{show_signed(estimate.value, 3)} ± {width}"


def show_share(of: Mapping[str, Estimate], name: str) -> str:
    """Write a share as a percentage."""
    value = of[name].value if name in of else None
    return NOTHING if value is None else f"{100 * value:.1f}%"


def show_number(of: Mapping[str, Estimate], name: str, digits: int) -> str:
    """Write a number without a sign."""
    value = of[name].value if name in of else None
    return NOTHING if value is None else f"{value:.{digits}f}"


def show_sum(of: Mapping[str, Estimate], names: Sequence[str], sign: int = 1) -> str:
    """Write a sum of points per deal."""
    found = [of[name] for name in names if name in of]
    if not found or found[0].denominator == 0:
        return NOTHING
    return show_signed(sign * sum(item.numerator for item in found) / found[0].denominator, 3)
