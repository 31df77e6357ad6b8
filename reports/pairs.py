"""Strategies against each other: who beats whom, the ladder that follows, and triples that go round."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from reports.entries import chance, estimate, interval, numbers, text, texts, whole
from reports.figures import Label, Mark, forest, heat_map
from reports.model import Figure, Section, Table
from sim.statistics.contrast import cells_of_pair, contrast_of, read_blocks
from sim.statistics.difference import p_of
from sim.statistics.multiple import adjust
from sim.statistics.standings import make_standings
from sim.statistics.tables import show_chance, show_interval, show_signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.model import Block, Entry
    from sim.api import Result
    from sim.statistics.contrast import PairResult
    from sim.statistics.estimate import Estimate
    from sim.statistics.standings import Standings
    from sim.tournament.plan import Plan

UNIT: Final = "points per deal"
SURE: Final = 0.05
"""Adjusted p-values below which a difference is called sure."""
MOST_NAMES: Final = 12
"""Strategies whose matrix fits a page as a figure."""
_NOTE: Final = (
    "Points per deal of the row less those of the column, on the same walls in all seatings. Marked: sure, which is a"
    " p-value below 0.05, adjusted by Holm for the number of pairs; ± is for each difference by itself."
)


@dataclass(frozen=True)
class PairReport:
    """What a report says of strategies that met in pairs under a preset."""

    verdicts: list[str]
    """What was found, a sentence each."""
    section: Section
    """Figures and tables."""
    tested: int
    """Differences with a p-value."""
    what: str
    """What they are differences of, in words; those of sections with the same words are adjusted together."""


def pair_sections(run: Result) -> list[PairReport]:
    """Compare the strategies of a run that met in pairs, one section for each preset.

    Of two strategies there is one difference under each preset, and these are adjusted by Holm together; of more, all
    pairs under a preset are.

    Parameters
    ----------
    run
        The run. Without rows, without pairs, unfinished or with a design there is nothing to compare.

    Returns
    -------
    list of PairReport
        One of each preset.
    """
    plan = run.plan
    if plan.design is not None or not plan.has_rows or not run.is_finished:
        return []
    ranked: dict[int, PairReport] = {}
    compared: dict[int, PairResult] = {}
    chunks = [entry.chunk for entry in run.folder.ledger.entries()]
    for place, preset in enumerate(name for name in dict.fromkeys(cell.preset for cell in plan.cells)):
        names = _comparable(plan, preset)
        if not names:
            continue
        cells = [cell for one, other in combinations(names, 2) for cell in cells_of_pair(plan, one, other, preset)]
        blocks = read_blocks(run.folder, chunks, cells)
        if len(names) == 2:
            compared[place] = contrast_of(run.folder, names[0], names[1], preset, blocks)
        else:
            ranked[place] = _ranked(place, preset, make_standings(plan, names, preset, blocks))
    ps = {place: p for place, one in compared.items() if (p := p_of(one.difference)) is not None}
    adjusted = dict(zip(ps, adjust(list(ps.values()), "holm"), strict=True))
    made = ranked | {place: _compared(place, one, adjusted.get(place), len(ps)) for place, one in compared.items()}
    return [made[place] for place in sorted(made)]


def _comparable(plan: Plan, preset: str) -> tuple[str, ...]:
    """List the strategies that met in pairs, all pairs in line-ups of the same kinds on the same walls."""
    cells = [cell for cell in plan.cells if cell.preset == preset and len(cell.groups) == 2]
    names = tuple(dict.fromkeys(name for cell in cells for name in cell.groups))
    kinds = set()
    for one, other in combinations(names, 2):
        mine = cells_of_pair(plan, one, other, preset)
        if mine:
            slots = tuple(sorted(cell.strategies.count(one) * cell.strategies.count(other) for cell in mine))
            kinds.add((slots, frozenset((cell.walls, len(cell.seatings)) for cell in mine)))
    is_even = len(kinds) == 1 and all(len(set(slots)) == 1 and len(sizes) == 1 for slots, sizes in kinds)
    return names if is_even else ()


def _mark(of: Estimate, is_sure: bool | None = None) -> Mark:
    """Give the mark of a difference: sure by its interval alone, unless it is said."""
    return Mark(of.value, of.half_width, _is_sure(of) if is_sure is None else is_sure)


def _is_sure(of: Estimate) -> bool:
    """Tell whether a difference is farther from 0 than half of its interval."""
    return of.value is not None and of.half_width is not None and abs(of.value) > of.half_width


def _difference(of: Estimate) -> str:
    """Write a difference in a sentence."""
    return f"{show_interval(of)} {UNIT}"


# ------------------------------------------------------------------------------------------------------ two strategies


def _compared(place: int, found: PairResult, p: float | None, tested: int) -> PairReport:
    """Compare two strategies: with the p-value of the difference, adjusted for as many as are tested together."""
    first, second, all_together = found.first, found.second, found.difference
    is_sure = p is not None and p < SURE
    holm = f"adjusted by Holm for {tested} presets"
    if is_sure:
        better = "better" if (all_together.value or 0.0) > 0 else "worse"
        said = f"{first} is {better} than {second} under {found.preset}: {_difference(all_together)}"
    else:
        said = f"No difference between {first} and {second} is seen under {found.preset}: {_difference(all_together)}"
    how = f"; p {chance(p).text}, {holm}" if tested > 1 else ""
    verdicts = [f"{said}, {all_together.blocks:,} walls{how}."]
    if found.unbiased is not None:
        value, low, high = (show_signed(x, 3) for x in (found.unbiased.value, found.unbiased.low, found.unbiased.high))
        verdicts.append(
            f"After a sequential test the plain difference is too extreme on average; median-unbiased: {value}, 95 %"
            f" interval {low} to {high} {UNIT}."
        )
    rows = [(cell.line_up, part) for cell, part in found.parts]
    if len(rows) > 1:
        rows.append(("all together, by wall", all_together))
    title = f"{first} less {second}: {UNIT}, {found.preset}"
    note = "On the same walls, in all seatings. Marked: sure, which is a p-value below 0.05"
    if tested > 1:
        note += f", for all line-ups together {holm}, for each line-up by itself not adjusted"
    marks = [is_sure if of is all_together else _is_sure(of) for _, of in rows]
    table = Table(
        f"pair-{place}",
        title,
        (*texts("line-up"), *numbers("", "walls"), *numbers(UNIT, "difference")),
        tuple(
            (text(name), whole(of.blocks), interval(of.value, of.half_width, is_marked=mark))
            for (name, of), mark in zip(rows, marks, strict=True)
        ),
        f"{note}.",
    )
    drawn = [(Label(name), [_mark(of, mark)]) for (name, of), mark in zip(rows, marks, strict=True)]
    draw = forest(drawn, [""], f"{UNIT}, {first} less {second}")
    figure = Figure(
        f"pair-{place}-forest", title, "Differences with 95 % intervals; right of 0 the first is better.", draw
    )
    blocks: list[Block] = [figure, table]
    if found.superiority is not None and found.deviation is not None:
        shown = show_chance(found.superiority)
        blocks.append(
            f"Superiority {shown}: one minus the one-sided p-value of \N{LEFT DOUBLE QUOTATION MARK}{first} is no"
            f" better\N{RIGHT DOUBLE QUOTATION MARK}, not a posterior probability. Standard deviation of a block's"
            f" difference: {found.deviation:.3f} {UNIT}."
        )
    section = Section(f"pairs-{place}", f"{first} against {second}, {found.preset}", tuple(blocks))
    return PairReport(verdicts, section, p is not None, f"{first} less {second}, one for each preset")


# -------------------------------------------------------------------------------------------------------- more of them


def _ranked(place: int, preset: str, found: Standings) -> PairReport:
    """Rank strategies."""
    names = [standing.name for standing in found.places]
    ladder = Table(
        f"ladder-{place}",
        f"Ladder: mean difference to those met, {preset}",
        (*numbers("", "place"), *texts("strategy"), *numbers(UNIT, "score"), *texts("places that are possible")),
        tuple(
            (whole(number), text(one.name), estimate(one.score), text(_span(one.best_place, one.worst_place)))
            for number, one in enumerate(found.places, start=1)
        ),
        "Possible: the first and last place that the sure differences allow.",
    )
    matrix = Table(
        f"matrix-{place}",
        f"Head to head, {preset}",
        (*texts("row less column"), *numbers(UNIT, *names)),
        tuple((text(one), *(_entry_of_pair(found, one, other) for other in names)) for one in names),
        _NOTE,
        "sure",
    )
    top = [(Label(standing.name), [_mark(standing.score)]) for standing in found.places]
    blocks: list[Block] = [
        Figure(
            f"ladder-{place}-forest",
            f"Ladder with 95 % intervals, {preset}",
            "Mean difference of points per deal to the strategies met, the best on top.",
            forest(top, [""], f"{UNIT} more than those met"),
        ),
        ladder,
    ]
    if len(names) <= MOST_NAMES:
        fields = [[_mark_of_pair(found, one, other) for other in names] for one in names]
        blocks.append(
            Figure(
                f"matrix-{place}-map",
                f"Head to head, {preset}: {UNIT} of the row less those of the column",
                "Green: the row is better; orange: the column is. Hatched: not different from 0 for sure.",
                heat_map(names, names, fields, ("less those of", f"{UNIT} of")),
            )
        )
    blocks += [matrix, *_rounds(found)]
    section = Section(f"pairs-{place}", f"Who beats whom, {preset}", tuple(blocks))
    return PairReport(_verdicts(preset, found), section, len(found.pairs) // 2, f"pairs of strategies under {preset}")


def _is_told_apart(found: Standings, one: str, other: str) -> bool:
    """Tell whether one of two surely beats the other."""
    return (one, other) in found.sure or (other, one) in found.sure


def _mark_of_pair(found: Standings, one: str, other: str) -> Mark:
    """Give the mark of a pair."""
    of = found.pairs.get((one, other))
    return Mark(None, None) if of is None else Mark(of.value, of.half_width, _is_told_apart(found, one, other))


def _entry_of_pair(found: Standings, one: str, other: str) -> Entry:
    """Write the difference of a pair, marked if it is sure."""
    of = found.pairs.get((one, other))
    return text("") if of is None else interval(of.value, of.half_width, is_marked=_is_told_apart(found, one, other))


def _span(first: int, last: int) -> str:
    """Write a span of places."""
    return str(first) if first == last else f"{first} to {last}"


def _rounds(found: Standings) -> list[str]:
    """Say which triples go round."""
    said = [f"Intransitive: {a} beats {b}, {b} beats {c}, {c} beats {a}, each for sure." for a, b, c in found.cycles]
    if not found.cycles:
        said.append("No intransitive triple: none in which each surely beats the next.")
    if found.unsure_cycles:
        triples = "triple goes" if found.unsure_cycles == 1 else "triples go"
        said.append(f"{found.unsure_cycles} more {triples} round by the estimates, but not surely.")
    return said


def _verdicts(preset: str, found: Standings) -> list[str]:
    """Say who leads, who follows, and what goes round."""
    leader = found.places[0]
    others = [standing.name for standing in found.places[1:]]
    beaten = [name for name in others if (leader.name, name) in found.sure]
    met = [name for name in others if (leader.name, name) in found.pairs]
    whom = f"all {len(met)} that it met" if len(beaten) == len(met) else (_listed(beaten) or "nobody")
    said = [
        (
            f"{leader.name} leads under {preset}: {_difference(leader.score)} more than those it met; it surely beats"
            f" {whom} (5 %, Holm over all {len(found.pairs) // 2} pairs)."
        )
    ]
    last = found.places[-1]
    said.append(f"{last.name} is last: {_difference(last.score)}.")
    said += [f"{a}, {b} and {c} go round: each surely beats the next." for a, b, c in found.cycles[:3]]
    return said


def _listed(names: Sequence[str]) -> str:
    """Write a list."""
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1] if names else ""
