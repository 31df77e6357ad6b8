"""The kernel that adds up, its slow twin, and a third way with data frames: the same whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from sim.tournament.adder import Adder
from sim.tournament.quantities import make_pairs, make_quantities
from sim.tournament.seating import make_seatings
from sim.tournament.sums import TILE
from sim.tournament.totals import Totals
from tests.fake_game import COLUMNS, NAMES, PATTERNS, load_strategy, play_walls

LINE_UPS = ["middle", "weak", "strong", "twin"], ["strong", "weak"], ["middle"], ["weak", "weak", "strong", "strong"]


def chunk(names: list[str], walls: int, design: str = "auto", scale: int = 1) -> tuple[Any, Any, list[int]]:
    slots = (names * 4)[:4] if len(names) == 1 else (names + names[1:] * 2)[:4]
    seatings = np.array(make_seatings(slots, design))  # type: ignore[arg-type]
    columns = play_walls({"cap": 3}, [load_strategy(name) for name in slots], np.arange(walls), seatings, "shared")
    groups = list(dict.fromkeys(slots))
    return columns * scale, seatings, [groups.index(name) for name in slots]


@pytest.mark.parametrize("names", LINE_UPS)
@pytest.mark.parametrize("walls", [1, TILE - 1, TILE, 3 * TILE + 5])
def test_kernel_equals_its_slow_twin(names: list[str], walls: int) -> None:
    adder = Adder(NAMES, PATTERNS)
    arguments = chunk(names, walls)
    fast, slow = adder.add_up(*arguments), adder.add_up_slowly(*arguments)
    assert fast == slow
    assert fast.walls == walls


def test_large_numbers_stay_exact() -> None:
    adder = Adder(NAMES, PATTERNS)
    columns, seatings, groups = chunk(["strong", "weak"], 40)
    columns[NAMES.index("points")] *= 2**26
    found = adder.add_up(columns, seatings, groups)
    blocks = columns[NAMES.index("points")].astype(object).reshape(40, 4, 4)[:, :, 0].sum(axis=1)
    squares = sum(int(block) ** 2 for block in blocks)
    assert squares >= 2**63
    assert found.product_of("points", "points", "seat", 0) == squares


@pytest.mark.parametrize("names", LINE_UPS)
def test_against_data_frames(names: list[str]) -> None:
    columns, seatings, groups = chunk(names, 50)
    count = len(seatings)
    frame = pl.DataFrame(dict(zip(NAMES, columns, strict=True))).with_columns(
        wall=pl.Series(np.repeat(np.arange(50), count * 4)),
        seat=pl.Series(np.tile(np.arange(4), 50 * count)),
        slot=pl.Series(np.tile(seatings.ravel(), 50)),
    )
    frame = frame.with_columns(group=pl.col("slot").replace_strict(list(range(4)), groups), won=pl.col("win_order") > 0)
    frame = frame.with_columns(net_self_draw=pl.col("gained_self_draw") - pl.col("paid_self_draw"))
    totals = Adder(NAMES, PATTERNS).add_up(columns, seatings, groups)
    for kind, key in (("strategy", "group"), ("seat", "seat"), ("slot", "slot")):
        for index in sorted(set(frame[key])):
            mine = frame.filter(pl.col(key) == index)
            for name in ("points", "won", "net_self_draw", "fan"):
                assert totals.sum_of(name, kind, index, groups) == mine[name].cast(pl.Int64).sum()  # type: ignore[arg-type]
            blocks = mine.group_by("wall").agg(pl.col("points", "won", "fan").cast(pl.Int64).sum()).sort("wall")
            squares = (blocks["points"] ** 2).sum()
            assert totals.product_of("points", "points", kind, index) == squares  # type: ignore[arg-type]
            if kind != "slot":
                products = (blocks["fan"] * blocks["won"]).sum()
                assert totals.product_of("fan", "won", kind, index) == products  # type: ignore[arg-type]


def test_points_of_wins_with_a_pattern_and_counts_of_points() -> None:
    columns, seatings, groups = chunk(["strong", "weak"], 60)
    frame = pl.DataFrame(dict(zip(NAMES, columns, strict=True))).with_columns(
        group=pl.Series(np.array(groups)[np.tile(seatings.ravel(), 60)]),
        win_points=pl.col("gained_discard_win") + pl.col("gained_self_draw"),
    )
    totals = Adder(NAMES, PATTERNS).add_up(columns, seatings, groups)
    for group in range(2):
        mine = frame.filter(group=group)
        assert totals.sum_of("win_points", "strategy", group, groups) == mine["win_points"].sum() > 0
        for bit, name in enumerate(PATTERNS):
            with_it = mine.filter((pl.col("patterns") // 2**bit) % 2 == 1)
            assert totals.sum_of(f"win_points_{name}", "strategy", group, groups) == with_it["win_points"].sum() > 0
        assert totals.counts[group] == dict(mine["points"].value_counts().iter_rows())
    wide = columns.copy()
    wide[NAMES.index("points")] *= 2**20
    spread = Adder(NAMES, PATTERNS).add_up(wide, seatings, groups)
    assert [{v // 2**20: n for v, n in found.items()} for found in spread.counts] == totals.counts


@pytest.mark.parametrize("scale", [1, 2**22])
@pytest.mark.parametrize("names", LINE_UPS)
def test_products_of_two_slots(names: list[str], scale: int) -> None:
    columns, seatings, groups = chunk(names, 20, scale=scale)
    points = columns[NAMES.index("points")].reshape(20, len(seatings), 4)
    found = Adder(NAMES, PATTERNS).add_up(columns, seatings, groups).slots
    for one in range(4):
        for other in range(4):
            deals = [
                [int(points[wall, number, seat]) for slot in (one, other) for seat in range(4) if seating[seat] == slot]
                for wall in range(20)
                for number, seating in enumerate(seatings.tolist())
            ]
            assert found["deal"][4 * one + other] == sum(a * b for a, b in deals)
            walls = np.array(deals, dtype=object).reshape(20, -1, 2).sum(axis=1)
            assert found["wall"][4 * one + other] == sum(a * b for a, b in walls)


def test_totals_of_parts_add_up() -> None:
    adder = Adder(NAMES, PATTERNS)
    columns, seatings, groups = chunk(["middle", "weak"], 30)
    whole = adder.add_up(columns, seatings, groups)
    found = Totals(whole.groups)
    for part in (columns[:, 160:], columns[:, :160]):
        found.add(adder.add_up(part, seatings, groups))
    assert found == whole
    assert Totals.from_dict(whole.to_dict()) == whole


def test_points_of_a_table_cancel_in_every_block() -> None:
    columns, seatings, groups = chunk(["middle"], 200, "cyclic")
    totals = Adder(NAMES, PATTERNS).add_up(columns, seatings, groups)
    assert totals.sum_of("deals", "strategy", 0, groups) == 3200
    assert totals.product_of("points", "points", "strategy", 0) == 0
    assert totals.product_of("points", "points", "seat", 0) > 0


def test_quantities_of_absent_columns_are_left_out() -> None:
    names = [item.name for item in make_quantities(["points", "status"], ())]
    assert names == ["deals", "points", "points_squared", "remaining", "ready", "not_ready", "pig"]
    full = make_quantities([column.name for column in COLUMNS], PATTERNS)
    assert ("pattern_root", "won") in make_pairs(full)
