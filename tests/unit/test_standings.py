"""Rankings of strategies that met in pairs."""

from __future__ import annotations

from itertools import combinations

import polars as pl

from sim.statistics.estimate import Estimate
from sim.statistics.standings import find_cycles, make_standings, sure_pairs
from sim.tournament.plan import Cell


class FakePlan:
    """A plan of pairs, one against three and three against one."""

    def __init__(self, names: list[str]) -> None:
        self.cells = []
        for one, other in combinations(names, 2):
            for alone, three in ((one, other), (other, one)):
                seatings = tuple(tuple((seat - by) % 4 for seat in range(4)) for by in range(4))
                slots = (alone, three, three, three)
                self.cells.append(Cell(len(self.cells), "rules", f"{alone}-{three}", slots, seatings, 3))


def blocks_of(plan: FakePlan, sums: dict[tuple[str, str], list[int]]) -> pl.DataFrame:
    """Rows as `read_blocks` gives them, from the block sums of the first of each pair, the same in both line-ups."""
    rows = []
    for cell in plan.cells:
        one, other = cell.groups
        numbers = sums.get((one, other)) or [-value for value in sums[other, one]]
        for wall, value in enumerate(numbers):
            rows += [(wall, cell.index, one, value), (wall, cell.index, other, -value)]
    return pl.DataFrame(rows, schema=["wall", "cell", "strategy", "points"], orient="row")


def test_scores_places_and_pairs() -> None:
    plan = FakePlan(["a", "b", "c"])
    blocks = blocks_of(plan, {("a", "b"): [6, 6, 7], ("a", "c"): [9, 9, 8], ("b", "c"): [-3, 3, 0]})
    found = make_standings(plan, ["c", "b", "a"], "rules", blocks)  # type: ignore[arg-type]
    assert [place.name for place in found.places] == ["a", "b", "c"]
    # Both line-ups give the same sum here, so the difference is (6 + 6) / 6 = 2 on the first wall.
    assert found.pairs["a", "b"].value == (2 + 2 + 7 / 3) / 3
    assert found.pairs["b", "a"].value == -(2 + 2 + 7 / 3) / 3
    assert found.pairs["b", "c"].value == 0
    top = found.places[0]
    assert top.score.value is not None
    assert abs(top.score.value - (19 + 26) / 3 / 3 / 2) < 1e-12
    assert (top.best_place, top.worst_place) == (1, 1)
    assert [(place.best_place, place.worst_place) for place in found.places[1:]] == [(2, 3), (2, 3)]
    assert found.cycles == ()


def test_a_gauntlet_has_no_pairs_of_the_others() -> None:
    plan = FakePlan(["a", "b", "c"])
    plan.cells = [cell for cell in plan.cells if "a" in cell.groups]
    blocks = blocks_of(plan, {("a", "b"): [6, 6, 7], ("a", "c"): [-9, -9, -8]})
    found = make_standings(plan, ["a", "b", "c"], "rules", blocks)  # type: ignore[arg-type]
    assert ("b", "c") not in found.pairs
    assert [place.name for place in found.places] == ["c", "a", "b"]


def estimate(value: float, width: float = 0.1) -> Estimate:
    return Estimate(0, 1, 10, value, width)


def test_triples_that_go_round_are_found_once() -> None:
    names = ["rock", "paper", "scissors", "well"]
    beats = {("paper", "rock"): 1.0, ("scissors", "paper"): 0.5, ("rock", "scissors"): 0.2, ("well", "rock"): 0.05}
    pairs = {(a, b): estimate(0.0) for a in names for b in names if a != b}
    for (a, b), value in beats.items():
        pairs[a, b], pairs[b, a] = estimate(value), estimate(-value)
    assert find_cycles(names, pairs, sure_pairs(pairs)) == ((("rock", "scissors", "paper"),), 0)
    pairs["rock", "scissors"], pairs["scissors", "rock"] = estimate(0.05), estimate(-0.05)
    assert find_cycles(names, pairs, sure_pairs(pairs)) == ((), 1)


def test_sure_takes_the_number_of_pairs_into_account() -> None:
    one = estimate(0.11)  # p = 0.035 by itself
    pairs = {("a", "b"): one, ("b", "a"): estimate(-0.11)}
    assert sure_pairs(pairs) == {("a", "b")}
    for name in "cd":
        pairs["a", name], pairs[name, "a"] = estimate(0.0), estimate(0.0)
    assert sure_pairs(pairs) == set()
    pairs["a", "b"], pairs["b", "a"] = estimate(1.0), estimate(-1.0)
    assert sure_pairs(pairs) == {("a", "b")}
