"""Many strategies against each other in pairs: scores, places, and triples in which each beats the next.

Not in here: the difference of one pair (`sim.statistics.contrast`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from sim.statistics.contrast import BlockSums, cells_of_pair, difference_blocks, divisor_of
from sim.statistics.difference import p_of
from sim.statistics.multiple import adjust

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import polars as pl

    from sim.statistics.estimate import Estimate
    from sim.tournament.plan import Plan

LEVEL: Final = 0.05
"""Adjusted p-value below which a difference is sure."""


@dataclass(frozen=True)
class Standing:
    """One strategy among the others."""

    name: str
    """The strategy."""
    score: Estimate
    """Mean difference of points per deal to each strategy that it met; blocks are walls, over all pairs."""
    best_place: int
    """Its place if all that is not sure speaks for it: one more than those that surely beat it."""
    worst_place: int
    """Its place if all that is not sure speaks against it."""


@dataclass(frozen=True)
class Standings:
    """A tournament under one preset."""

    pairs: Mapping[tuple[str, str], Estimate]
    """For each ordered pair that met, points per deal of the first less those of the second."""
    sure: frozenset[tuple[str, str]]
    """The ordered pairs of which the first surely beats the second: p < 5 %, adjusted by Holm over all pairs."""
    places: tuple[Standing, ...]
    """The strategies, the highest score first."""
    cycles: tuple[tuple[str, str, str], ...]
    """Triples in which each surely beats the next, and the last the first."""
    unsure_cycles: int
    """Further triples in which that holds of the estimates, but not surely."""


def make_standings(plan: Plan, names: Sequence[str], preset: str, blocks: pl.DataFrame) -> Standings:
    """Rank strategies that met in pairs.

    Parameters
    ----------
    plan
        The plan of the run.
    names
        The strategies.
    preset
        Under which preset.
    blocks
        From `sim.statistics.contrast.read_blocks`.
    """
    pairs: dict[tuple[str, str], Estimate] = {}
    values: dict[str, list[list[int]]] = {name: [] for name in names}
    divisors = set()
    for first, second in combinations(names, 2):
        cells = cells_of_pair(plan, first, second, preset)
        if not cells:
            continue
        divisor = divisor_of(cells, first)
        divisors.add(divisor)
        found = difference_blocks(blocks, cells, first)
        for one, other, numbers in ((first, second, found), (second, first, [-value for value in found])):
            sums = BlockSums(divisor)
            sums.add(numbers)
            pairs[one, other] = sums.estimate()
            values[one].append(numbers)
    (divisor,) = divisors
    scores = {}
    for name, columns in values.items():
        sums = BlockSums(divisor * len(columns))
        sums.add([sum(wall) for wall in zip(*columns, strict=True)])
        scores[name] = sums.estimate()
    sure = sure_pairs(pairs)
    places = [
        Standing(
            name,
            scores[name],
            1 + sum((other, name) in sure for other in names),
            len(names) - sum((name, other) in sure for other in names),
        )
        for name in sorted(names, key=lambda name: -(scores[name].value or 0.0))
    ]
    cycles, unsure = find_cycles(names, pairs, sure)
    return Standings(pairs, sure, tuple(places), cycles, unsure)


def sure_pairs(pairs: Mapping[tuple[str, str], Estimate]) -> frozenset[tuple[str, str]]:
    """Find out who surely beats whom, with the number of pairs taken into account (Holm).

    Parameters
    ----------
    pairs
        Differences by ordered pair, each pair in both orders.
    """
    winners = {pair: p for pair, of in pairs.items() if (of.value or 0.0) > 0 and (p := p_of(of)) is not None}
    others = [p for pair, of in pairs.items() if of.value == 0 and pair[0] < pair[1] and (p := p_of(of)) is not None]
    adjusted = adjust([*winners.values(), *others], "holm")
    return frozenset(pair for pair, p in zip(winners, adjusted, strict=False) if p < LEVEL)


def find_cycles(
    names: Sequence[str], pairs: Mapping[tuple[str, str], Estimate], sure: Collection[tuple[str, str]]
) -> tuple[tuple[tuple[str, str, str], ...], int]:
    """Find the triples in which each beats the next, and the last the first.

    Parameters
    ----------
    names
        The strategies.
    pairs
        Differences by ordered pair.
    sure
        The ordered pairs of which the first surely beats the second.

    Returns
    -------
    cycles
        Those of which all three differences are sure, each once.
    unsure
        How many others there are by the estimates alone.
    """
    found = []
    unsure = 0
    for a, b, c in permutations(names, 3):
        steps = ((a, b), (b, c), (c, a))
        if names.index(a) > min(names.index(b), names.index(c)):  # each cycle once, from its first
            continue
        if all(step in sure for step in steps):
            found.append((a, b, c))
        elif all(step in pairs and (pairs[step].value or 0.0) > 0 for step in steps):
            unsure += 1
    return tuple(found), unsure
