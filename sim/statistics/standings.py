"""Many strategies against each other in pairs: scores, places, and triples in which each beats the next.

Not in here: the difference of one pair (`sim.statistics.contrast`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from sim.statistics.contrast import BlockSums, cells_of_pair, difference_blocks, divisor_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from sim.statistics.estimate import Estimate
    from sim.tournament.plan import Plan


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
    places: tuple[Standing, ...]
    """The strategies, the highest score first."""
    cycles: tuple[tuple[str, str, str], ...]
    """Triples in which each surely beats the next, and the last the first."""
    unsure_cycles: int
    """Further triples in which that holds of the estimates, but not beyond their intervals."""


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
    places = [
        Standing(
            name,
            scores[name],
            1 + sum(is_sure(pairs[other, name]) for other in names if (other, name) in pairs),
            len(names) - sum(is_sure(pairs[name, other]) for other in names if (name, other) in pairs),
        )
        for name in sorted(names, key=lambda name: -(scores[name].value or 0.0))
    ]
    cycles, unsure = find_cycles(names, pairs)
    return Standings(pairs, tuple(places), cycles, unsure)


def is_sure(estimate: Estimate) -> bool:
    """Tell whether a difference is above 0 by more than its interval.

    Parameters
    ----------
    estimate
        The difference.
    """
    return estimate.low is not None and estimate.low > 0


def find_cycles(
    names: Sequence[str], pairs: Mapping[tuple[str, str], Estimate]
) -> tuple[tuple[tuple[str, str, str], ...], int]:
    """Find the triples in which each beats the next, and the last the first.

    Parameters
    ----------
    names
        The strategies.
    pairs
        Differences by ordered pair.

    Returns
    -------
    cycles
        Those of which all three differences are sure, each once.
    unsure
        How many others there are by the estimates alone.
    """
    sure = []
    unsure = 0
    for a, b, c in permutations(names, 3):
        steps = [pairs.get(step) for step in ((a, b), (b, c), (c, a))]
        if names.index(a) > min(names.index(b), names.index(c)) or None in steps:  # each cycle once, from its first
            continue
        found = [step for step in steps if step is not None]
        if all(is_sure(step) for step in found):
            sure.append((a, b, c))
        elif all(step.value is not None and step.value > 0 for step in found):
            unsure += 1
    return tuple(sure), unsure
