"""What ties the cells of a family together: products of block sums of two cells, and changed deals and walls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.tournament.adder import Adder
from sim.tournament.pairs import multiply_blocks, pair_up_slowly
from sim.tournament.seating import make_seatings
from sim.tournament.sums import TILE
from sim.tournament.totals import Totals
from tests.fake_game import NAMES, PATTERNS, load_strategy, play_walls

LINE_UPS = ["middle", "weak", "strong", "twin"], ["strong", "weak"], ["middle"], ["weak", "weak", "strong", "strong"]
POINTS = NAMES.index("points")


def family(names: list[str], walls: int, caps: tuple[int, ...] = (3, 1, 5)) -> tuple[list[Any], Any, list[int]]:
    """Play the same walls under several caps."""
    slots = (names * 4)[:4] if len(names) == 1 else (names + names[1:] * 2)[:4]
    seatings = np.array(make_seatings(slots, "auto"))
    players = [load_strategy(name) for name in slots]
    cells = [play_walls({"cap": cap}, players, np.arange(walls), seatings, "shared") for cap in caps]
    groups = list(dict.fromkeys(slots))
    return cells, seatings, [groups.index(name) for name in slots]


def blocks_of(columns: Any, name: str, seatings: Any, seat: int) -> list[int]:
    """Add up a column of one seat for each wall, in plain Python."""
    values = columns[NAMES.index(name)].reshape(-1, len(seatings), 4)[:, :, seat]
    return [sum(int(value) for value in wall) for wall in values]


@pytest.mark.parametrize("names", LINE_UPS)
def test_products_of_two_cells_are_those_of_their_blocks(names: list[str]) -> None:
    (reference, cell, third), seatings, groups = family(names, 30)
    adder = Adder(NAMES, PATTERNS)
    found = pair_up_slowly(adder, third, seatings, groups, reference=reference, earlier={0: reference, 1: cell})
    here = blocks_of(third, "points", seatings, 2)
    there = blocks_of(reference, "points", seatings, 2)
    assert found.cross_of("points", "points", "seat", 2) == sum(a * b for a, b in zip(here, there, strict=True))
    assert found.gram_of(0, "seat", 2) == found.cross_of("points", "points", "seat", 2)
    between = blocks_of(cell, "points", seatings, 2)
    assert found.gram_of(1, "seat", 2) == sum(a * b for a, b in zip(here, between, strict=True))
    won = [sum(int(v > 0) for v in wall) for wall in reference[NAMES.index("win_order")].reshape(30, -1, 4)[:, :, 2]]
    value = blocks_of(third, "value", seatings, 2)
    assert found.cross_of("value", "won", "seat", 2) == sum(a * b for a, b in zip(value, won, strict=True))
    assert {key for key in found.cross if "*" in key} == {f"{a}*{b}" for a, b in adder.cross_pairs if a != b}
    assert "won*value" in found.cross
    assert len(found.cross["points"]) == len(found.products["points"])


@pytest.mark.parametrize("names", LINE_UPS)
@pytest.mark.parametrize("walls", [1, TILE - 1, TILE, 3 * TILE + 5])
def test_kernel_equals_its_slow_twin(names: list[str], walls: int) -> None:
    (reference, cell, third), seatings, groups = family(names, walls)
    adder = Adder(NAMES, PATTERNS)
    fast = adder.add_up(cell, seatings, groups, reference)
    points = [adder.block_points(columns, seatings, groups) for columns in (reference, cell, third)]
    fast.gram = {"0": multiply_blocks(points[1], points[0]), "7": multiply_blocks(points[1], points[2])}
    assert fast == pair_up_slowly(adder, cell, seatings, groups, reference=reference, earlier={0: reference, 7: third})


def test_large_numbers_stay_exact() -> None:
    (reference, cell, _), seatings, groups = family(["strong", "weak"], 40)
    adder = Adder(NAMES, PATTERNS)
    small = cell.copy()
    cell[POINTS] *= 2**25
    reference[POINTS] *= 2**25
    found = adder.add_up(cell, seatings, groups, reference)
    assert abs(found.cross_of("points", "points", "seat", 0)) >= 2**55
    assert found == pair_up_slowly(adder, cell, seatings, groups, reference=reference)
    mixed = adder.add_up(small, seatings, groups, reference)
    assert mixed == pair_up_slowly(adder, small, seatings, groups, reference=reference)
    blocks = adder.block_points(cell, seatings, groups)
    huge = multiply_blocks(blocks * 2**8, blocks)
    assert huge == [sum(int(value) ** 2 * 2**8 for value in row) for row in blocks]
    assert max(huge) >= 2**63


def test_changed_counts_deals_and_walls_once() -> None:
    (reference, cell, _), seatings, groups = family(["strong", "weak"], 50)
    changed = 0
    for deal in range(50 * len(seatings)):
        seats = slice(4 * deal, 4 * deal + 4)
        changed += any(a != b for a, b in zip(reference[POINTS][seats], cell[POINTS][seats], strict=True))
    found = pair_up_slowly(Adder(NAMES, PATTERNS), cell, seatings, groups, reference=reference)
    assert 0 < changed < 50 * len(seatings)
    assert found.changed == changed
    points = [columns[POINTS].reshape(50, -1) for columns in (reference, cell)]
    assert found.changed_walls == (points[0] != points[1]).any(axis=1).sum() < min(changed, 50)


def test_settled_totals_are_totals_of_their_own() -> None:
    (reference, played, settled), seatings, groups = family(["strong", "weak"], 30)
    adder = Adder(NAMES, PATTERNS)
    found = pair_up_slowly(adder, played, seatings, groups, reference=reference, settled=settled)
    assert found.settled == pair_up_slowly(adder, settled, seatings, groups, reference=reference)
    alone = pair_up_slowly(adder, played, seatings, groups, earlier={4: settled})
    assert found.gram == {"settled": alone.gram["4"]}


def test_totals_of_a_family_add_up_and_read_back() -> None:
    (reference, played, settled), seatings, groups = family(["strong", "weak"], 30)
    adder = Adder(NAMES, PATTERNS)

    def part(rows: slice) -> Totals:
        return pair_up_slowly(
            adder,
            played[:, rows],
            seatings,
            groups,
            reference=reference[:, rows],
            earlier={0: reference[:, rows]},
            settled=settled[:, rows],
        )

    whole = part(slice(None))
    found = Totals(whole.groups)
    found.add(part(slice(160, None)))
    found.add(part(slice(160)))
    assert found == whole
    assert Totals.from_dict(whole.to_dict()) == whole
    alone = adder.add_up_slowly(played, seatings, groups)
    assert not {"cross", "gram", "changed", "settled"} & set(alone.to_dict())
