from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.tournament.schedule import (
    CHUNK_DEALS,
    LEAST_DEALS,
    MOST_TASK_DEALS,
    TASK_DEALS,
    Size,
    chunk_walls,
    count_chunks,
    make_schedule,
    make_tasks,
)
from sim.tournament.seating import make_seatings

SEATINGS = st.sampled_from([1, 2, 4, 6, 12, 24])
CELLS = st.lists(st.builds(Size, st.integers(1, 100_000), SEATINGS, st.just(1)), min_size=1, max_size=3)
BATCHES = st.none() | st.integers(500, 40_000)


@given(CELLS, BATCHES)
def test_every_wall_of_every_cell_once(cells: list[Size], batch: int | None) -> None:
    chunks = make_schedule(cells, batch)
    for cell, (walls, seatings, _) in enumerate(cells):
        mine = sorted((chunk for chunk in chunks if chunk.cell == cell), key=lambda chunk: chunk.first_wall)
        expected = 0
        for chunk in mine:
            assert chunk.first_wall == expected
            assert 1 <= chunk.walls * seatings <= CHUNK_DEALS
            if batch is not None:
                assert chunk.first_wall // batch == (chunk.first_wall + chunk.walls - 1) // batch == chunk.batch
            expected += chunk.walls
        assert expected == walls
    assert len({chunk.id for chunk in chunks}) == len(chunks) == count_chunks(cells, batch)


@given(CELLS, BATCHES)
def test_batches_come_in_order(cells: list[Size], batch: int | None) -> None:
    chunks = make_schedule(cells, batch)
    assert [chunk.batch for chunk in chunks] == sorted(chunk.batch for chunk in chunks)


def test_more_walls_keep_the_first_chunks() -> None:
    few, many = set(make_schedule([Size(8_000, 4)], None)), set(make_schedule([Size(20_000, 4)], None))
    assert few <= many


def test_full_chunks_are_large_and_round() -> None:
    assert {seatings: chunk_walls(seatings) for seatings in (1, 2, 4, 6, 12, 24)} == {
        1: 32_000,
        2: 16_000,
        4: 8_000,
        6: 5_000,
        12: 2_000,
        24: 1_000,
    }


@given(st.sampled_from([1, 2, 10, 70]), SEATINGS, st.integers(1, 3_000), BATCHES)
def test_a_family_is_cut_at_the_same_walls(family: int, seatings: int, walls: int, batch: int | None) -> None:
    cells = [Size(walls, seatings, family)] * family + [Size(walls, seatings)]
    chunks = make_schedule(cells, batch)
    tasks = make_tasks(chunks, [0] * family + [family])
    assert sorted(chunk.id for task in tasks for chunk in task.chunks) == sorted(chunk.id for chunk in chunks)
    for task in tasks:
        first = task.chunks[0]
        assert [chunk.cell for chunk in task.chunks] == (list(range(family)) if first.cell == 0 else [family])
        assert {(chunk.batch, chunk.first_wall, chunk.walls) for chunk in task.chunks} == {
            (first.batch, first.first_wall, first.walls)
        }
        deals = sum(chunk.walls * seatings for chunk in task.chunks)
        assert deals <= min(max(TASK_DEALS, family * LEAST_DEALS), MOST_TASK_DEALS)
    assert len(chunks) == count_chunks(cells, batch)


@pytest.mark.parametrize(
    ("names", "count"), [("aaaa", 1), ("abbb", 4), ("babb", 4), ("aabb", 6), ("abab", 6), ("aabc", 12), ("abcd", 24)]
)
def test_auto_seats_every_arrangement_once(names: str, count: int) -> None:
    seatings = make_seatings(names, "auto")
    arrangements = {tuple(names[slot] for slot in seating) for seating in seatings}
    assert len(seatings) == len(arrangements) == count
    assert seatings[0] == (0, 1, 2, 3)
    assert all(sorted(seating) == [0, 1, 2, 3] for seating in seatings)


@pytest.mark.parametrize("names", ["abbb", "aabb", "aabc", "abcd"])
def test_auto_gives_each_strategy_each_seat_equally_often(names: str) -> None:
    seatings = make_seatings(names, "auto")
    seats = Counter((names[slot], seat) for seating in seatings for seat, slot in enumerate(seating))
    for name in set(names):
        assert {seats[name, seat] for seat in range(4)} == {len(seatings) * names.count(name) // 4}


@pytest.mark.parametrize(("names", "design"), [("abbb", "auto"), ("aabc", "auto"), ("aaaa", "cyclic"), ("aaaa", "all")])
def test_slots_sit_in_each_seat_equally_often(names: str, design: str) -> None:
    seatings = make_seatings(names, design)  # type: ignore[arg-type]
    seats = Counter((slot, seat) for seating in seatings for seat, slot in enumerate(seating))
    assert set(seats.values()) == {len(seatings) // 4}


def test_other_designs() -> None:
    assert make_seatings("abcd", "fixed") == ((0, 1, 2, 3),)
    assert len(set(make_seatings("aaaa", "cyclic"))) == 4
    assert len(set(make_seatings("aabb", "all"))) == 24
    swapped = make_seatings("aabb", "swap")
    assert [["aabb"[slot] for slot in seating] for seating in swapped] == [list("abab"), list("baba")]
    for names in ("abcd", "abbb", "aaaa", "aabc"):
        with pytest.raises(ValueError, match="two against two"):
            make_seatings(names, "swap")
