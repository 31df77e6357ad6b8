"""`bloodbattle tournament`: strategies in pairs, each with each or all with one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.output import Report, print_reports
from sim.commands.playing import (
    OutOption,
    PresetsOption,
    SeedOption,
    SetOption,
    experiment_name,
    name_strategies,
    played,
    preset_choices,
    preset_label,
    title_of,
)
from sim.commands.report import ReportOption, page_of, report_too
from sim.commands.run import Format, FormatOption, WallMode, WorkersOption
from sim.errors import ConfigError
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.api import Result
    from sim.statistics.estimate import Estimate
    from sim.statistics.standings import Standings
    from sim.statistics.tables import Grid

_WIDEST_MATRIX = 5
"""Strategies whose matrix fits a terminal with intervals."""


def tournament(
    strategies: Annotated[list[str], typer.Argument(metavar="A B ...", help="Two or more strategies.")],
    gauntlet: Annotated[
        str | None, typer.Option(metavar="A", help="Play this one against each of the others, not each with each.")
    ] = None,
    presets: PresetsOption = None,
    knobs: SetOption = None,
    walls: Annotated[int, typer.Option(min=2, help="Walls for each pair.")] = 1_000,
    seed: SeedOption = 1,
    wall_mode: Annotated[WallMode, typer.Option(help="What players draw from.")] = WallMode.shared,
    workers: WorkersOption = None,
    out: OutOption = None,
    page: ReportOption = None,
    form: FormatOption = Format.text,
) -> None:
    """Play strategies in pairs, one against three and three against one on the same walls, and rank them."""
    references = [*([gauntlet] if gauntlet is not None and gauntlet not in strategies else []), *strategies]
    if len(references) < 2:
        raise ConfigError(f"a tournament of {references[0]} alone; name at least two strategies")
    names = name_strategies(references)
    called = dict(zip(names, references, strict=True))
    host = None if gauntlet is None else names[references.index(gauntlet)]
    met = [pair for pair in combinations(names, 2) if host is None or host in pair]
    line_ups = [
        {"strategies": [called[one], called[other]], "name": f"{one}-vs-{other}"[:60]}
        for pair in met
        for one, other in (pair, pair[::-1])
    ]
    choices = preset_choices(presets, knobs)
    reports = []
    for choice in choices:
        data = {
            "name": experiment_name("tournament", *names),
            "seed": seed,
            "wall_mode": wall_mode.value,
            "walls": walls,
            "presets": [choice],
            "line_ups": line_ups,
        }
        folder = out / preset_label(choice) if out is not None and len(choices) > 1 else out
        with played(data, out=folder, workers=workers) as result:
            reports.append(make_report(result, names))
            report_too(page_of(page, preset_label(choice), len(choices)), result, folder)
    print_reports(reports, form)


def make_report(result: Result, names: Sequence[str]) -> Report:
    """Report on a finished tournament.

    Parameters
    ----------
    result
        The run, under one preset.
    names
        The strategies.
    """
    from sim.statistics.contrast import read_blocks
    from sim.statistics.standings import make_standings

    plan = result.plan
    blocks = read_blocks(result.folder, [entry.chunk for entry in result.folder.ledger.entries()], plan.cells)
    found = make_standings(plan, names, plan.presets[0]["name"], blocks)
    title = title_of(plan, f"tournament of {len(names)} strategies, {count_of(len(found.pairs) // 2, 'pair')}")
    report = Report(title, [_ranking(found), _matrix(found)], _notes(found))
    report.title += f" · {count_of(result.numbers.deals, 'deal')}"
    report.data = _to_dict(result, found)
    report.records = [
        {"preset": plan.presets[0]["name"], "first": one, "second": other, **_estimate(estimate)}
        for (one, other), estimate in found.pairs.items()
    ]
    return report


def _ranking(found: Standings) -> Grid:
    """Tabulate scores and places."""
    from sim.statistics.tables import Grid, show_interval

    rows = []
    for number, place in enumerate(found.places, start=1):
        first, last = place.best_place, place.worst_place
        span = str(first) if first == last else f"{first} to {last}"
        rows.append((f"{number} {place.name}", show_interval(place.score), span))
    return Grid("Ranking: mean difference of points per deal to those met", ("", "score", "place"), tuple(rows))


def _matrix(found: Standings) -> Grid:
    """Tabulate the pairs: a matrix if it fits, or a list."""
    from sim.statistics.tables import NOTHING, Grid, show_interval

    names = [place.name for place in found.places]
    title = "Head to head: points per deal of the row less those of the column"
    if len(names) <= _WIDEST_MATRIX:
        rows = []
        for one in names:
            cells = [
                show_interval(found.pairs[one, other]) if (one, other) in found.pairs else NOTHING for other in names
            ]
            rows.append((one, *cells))
        return Grid(title, ("", *names), tuple(rows))
    listed = [
        (f"{one} less {other}", show_interval(found.pairs[one, other]))
        for one, other in combinations(names, 2)
        if (one, other) in found.pairs
    ]
    return Grid("Head to head", ("", "points per deal"), tuple(listed))


def _notes(found: Standings) -> list[str]:
    """Say what the tables do not."""
    notes = [f"intransitive: {a} beats {b}, {b} beats {c}, {c} beats {a}" for a, b, c in found.cycles]
    if not found.cycles and len(found.places) > 2:
        notes.append("no intransitive triple: none in which each surely beats the next")
    if found.unsure_cycles:
        notes.append(f"{found.unsure_cycles} more triples go round by the estimates, but not surely")
    notes.append(
        "place: the first and last one that the sure differences allow: p < 5 %, adjusted for the number of pairs"
        " (Holm); ± is half of a 95 % interval over walls, for each difference by itself"
    )
    return notes


def _to_dict(result: Result, found: Standings) -> dict[str, Any]:
    """Give everything as plain data."""
    plan = result.plan
    return {
        "preset": plan.presets[0]["name"],
        "set": dict(plan.presets[0]["set"]),
        "seed": plan.seed,
        "deals": result.numbers.deals,
        "ranking": [
            {
                "strategy": place.name,
                **_estimate(place.score),
                "best_place": place.best_place,
                "worst_place": place.worst_place,
            }
            for place in found.places
        ],
        "pairs": [
            {"first": one, "second": other, **_estimate(estimate), "sure": (one, other) in found.sure}
            for (one, other), estimate in found.pairs.items()
        ],
        "intransitive": [list(cycle) for cycle in found.cycles],
        "unsure_intransitive": found.unsure_cycles,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """Give an estimate as plain data."""
    from sim.statistics.estimate import round_off

    value, width = round_off(estimate.value), round_off(estimate.half_width)
    return {"difference": value, "half_width": width, "blocks": estimate.blocks}
