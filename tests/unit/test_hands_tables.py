"""The suit tables against the definition of a distance, and their file."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import plain_hands as plain
import pytest

from sim.engine.hands import lookup as lookup_module
from sim.engine.hands.build import (
    ANY_GROUPS,
    NEVER,
    OUTSIDE_ONLY,
    OUTSIDE_PUNGS,
    PUNGS_ONLY,
    count_tiles,
    list_group_ways,
    measure_distances,
)
from sim.engine.hands.lookup import CLASSES, Lookup, build_lookup, load_lookup
from sim.jit import new

if TYPE_CHECKING:
    from pathlib import Path


def key_of(vector: tuple[int, ...]) -> int:
    return sum(count * 5**rank for rank, count in enumerate(vector))


def random_vector(lots: random.Random) -> tuple[int, ...]:
    tiles = lots.sample([rank for rank in range(9) for _ in range(4)], lots.randint(0, 14))
    return tuple(tiles.count(rank) for rank in range(9))


def test_distances_are_the_fewest_tiles_over_all_targets() -> None:
    keys, distances = measure_distances()
    place = {int(key): index for index, key in enumerate(keys)}
    lots = random.Random(5)
    for _ in range(150):
        vector = random_vector(lots)
        found = distances[:, place[key_of(vector)]].tolist()
        assert found == [plain.distance(vector, g, p) for p in range(2) for g in range(5)], vector


def test_combined_distances_are_the_least_over_all_ways_to_share() -> None:
    lookup = load_lookup()[0]
    lots = random.Random(6)
    for melds, _ in itertools.product(range(5), range(15)):
        one, two = random_vector(lots), random_vector(lots)
        counts = one + two + (0,) * 9
        lacking = plain.lacking_standard(counts, 4 - melds, (0, 1))
        classes = [lookup.classes[key_of(vector)] for vector in (one, two)]
        assert lookup.lacking[melds, classes[0], classes[1]] == lacking


def test_combined_distances_do_not_depend_on_the_order_of_the_suits() -> None:
    lacking = load_lookup()[0].lacking
    assert (lacking == lacking.transpose(0, 2, 1)).all()


def test_vectors_that_no_hand_holds_are_never_complete() -> None:
    lookup = load_lookup()[0]
    assert (lookup.lacking[:, CLASSES:, :] == NEVER).all()
    tiles = count_tiles(9)
    assert (lookup.classes[: 5**9][tiles > 14] == CLASSES).all()
    assert (lookup.classes[: 5**9][tiles <= 14] < CLASSES).all()


def test_group_ways() -> None:
    ways = list_group_ways()
    assert ways[0] == ANY_GROUPS | PUNGS_ONLY | OUTSIDE_ONLY | OUTSIDE_PUNGS
    assert ways[key_of((1, 1, 1, 0, 0, 0, 0, 0, 0))] == ANY_GROUPS | OUTSIDE_ONLY
    assert ways[key_of((0, 1, 1, 1, 0, 0, 0, 0, 0))] == ANY_GROUPS
    assert ways[key_of((0, 3, 0, 0, 0, 0, 0, 0, 0))] == ANY_GROUPS | PUNGS_ONLY
    assert ways[key_of((0, 0, 0, 0, 0, 0, 0, 0, 3))] == ANY_GROUPS | PUNGS_ONLY | OUTSIDE_ONLY | OUTSIDE_PUNGS
    # 111222333 is three pungs or three equal runs: pungs only in one way, outside in the other, never both at once.
    assert ways[key_of((3, 3, 3, 0, 0, 0, 0, 0, 0))] == ANY_GROUPS | PUNGS_ONLY | OUTSIDE_ONLY
    assert key_of((1, 1, 0, 1, 0, 0, 0, 0, 0)) not in ways


def test_group_ways_are_those_of_the_plain_splits() -> None:
    ways = list_group_ways()
    lots = random.Random(7)
    for key in lots.sample(sorted(ways), 200):
        counts = tuple(key // 5**rank % 5 for rank in range(9)) + (0,) * 18
        expected = 0
        for groups in plain.split_groups(counts):
            pungs = all(group[0] == group[1] for group in groups)
            outside = all(group[0] == 0 or group[-1] == 8 for group in groups)
            expected |= ANY_GROUPS | PUNGS_ONLY * pungs | OUTSIDE_ONLY * outside | OUTSIDE_PUNGS * (pungs and outside)
        assert ways[key] == expected


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the tables an empty folder and this process no memory of them."""
    monkeypatch.setattr(lookup_module, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(lookup_module, "load_lookup", lookup_module.load_lookup.__wrapped__)
    return tmp_path / "cache"


def is_whole(tables: object) -> bool:
    return np.asarray(tables).tobytes() == np.asarray(build_lookup()).tobytes()


def test_tables_are_kept_in_one_file(folder: Path) -> None:
    assert is_whole(lookup_module.load_lookup())
    (path,) = folder.iterdir()
    written = path.stat().st_mtime_ns
    assert is_whole(lookup_module.load_lookup())
    assert path.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", ["truncated", "empty", "changed"])
def test_damaged_file_is_built_again(folder: Path, damage: str) -> None:
    lookup_module.load_lookup()
    (path,) = folder.iterdir()
    content = bytearray(path.read_bytes())
    if damage == "changed":
        content[1000] ^= 1
    path.write_bytes(content if damage == "changed" else content[:1000] if damage == "truncated" else b"")
    assert is_whole(lookup_module.load_lookup())
    assert [p.name for p in folder.iterdir()] == [path.name]
    assert path.stat().st_size == len(content)


def test_starts_at_the_same_time_do_not_disturb_each_other(folder: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: lookup_module.load_lookup(), range(4)))
    assert all(is_whole(tables) for tables in found)
    assert len(list(folder.iterdir())) == 1


def test_folder_that_cannot_be_made_is_no_obstacle(folder: Path) -> None:
    folder.write_text("a file, not a folder")
    assert is_whole(lookup_module.load_lookup())


def test_record_has_no_gaps() -> None:
    # Equal tables give equal files only if no byte of the record is left to chance.
    layout = Lookup.dtype
    assert layout.itemsize == sum(layout[name].itemsize for name in layout.names)
    assert new(Lookup)[0].classes.sum() == 0
