"""Whole deals in numbers: exact zero sums, wall modes, sanity bands, relabelled suits, the ladder of strategies."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sim.engine.hands.hand import NONE, draw_lot
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.deal import TILES, Deal
from sim.engine.sichuan.play import COLUMNS, line_up_of, play_deal, play_walls, seating_number
from sim.engine.sichuan.setup import deal_tiles, shuffle_wall
from sim.jit import new
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

PRESETS = ("mahjong-planet", "mahjongo", "cardavia-sichuan")
NAMES = {column.name: index for index, column in enumerate(COLUMNS)}
ALL_SEATINGS = np.array(list(permutations(range(4))))
ROTATIONS = np.array([[(seat + turn) % 4 for seat in range(4)] for turn in range(4)])


def seeds_of(root: int, walls: int) -> Any:
    return np.array([wall_seed_of(root, wall) for wall in range(walls)], dtype=np.int64)


def play(
    preset: str, names: list[str], walls: int, *, root: int = 1, mode: str = "shared", seatings: Any = ROTATIONS
) -> Any:
    """Return columns of shape (columns, walls, seatings, seats)."""
    line_up = [load_strategy(name) for name in names]
    columns = play_walls(compile_rules(load_preset(preset)), line_up, seeds_of(root, walls), seatings, mode)
    return columns.reshape(len(COLUMNS), walls, len(seatings), 4)


def slot_points(columns: Any, seatings: Any) -> Any:
    """Return points of shape (walls, slots), summed over the seatings of each block."""
    points = columns[NAMES["points"]]
    return np.stack([points[:, seatings == slot].sum(axis=1) for slot in range(4)], axis=1)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("mode", ["shared", "per_seat"])
def test_identical_players_sum_to_zero_in_every_block(preset: str, mode: str) -> None:
    """Each slot of four identical deterministic players gets, over the seatings of a wall, exactly 0."""
    for name in ("first_legal", "isolation", "ukeire"):
        for seatings in (ROTATIONS, ALL_SEATINGS):
            columns = play(preset, [name] * 4, 60, mode=mode, seatings=seatings)
            assert not slot_points(columns, seatings).any()
            assert columns[NAMES["points"]].any()


def test_points_are_the_ledger_and_sum_to_zero() -> None:
    columns = play("cardavia-sichuan", ["ukeire", "shanten", "isolation", "random"], 500)
    gained = sum(columns[index] for name, index in NAMES.items() if name.startswith("gained_"))
    paid = sum(columns[index] for name, index in NAMES.items() if name.startswith("paid_"))
    assert np.array_equal(columns[NAMES["points"]], gained - paid)
    assert not columns[NAMES["points"]].sum(axis=2).any()
    for name, index in NAMES.items():
        if name.startswith("gained_"):
            other = NAMES[name.replace("gained", "paid")]
            assert np.array_equal(columns[index].sum(axis=2), columns[other].sum(axis=2)), name


def blocks_mean(values: Any) -> tuple[float, float]:
    """Return mean and standard error of block sums."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


@pytest.mark.parametrize("preset", PRESETS)
def test_wall_modes_agree_in_law(preset: str) -> None:
    """Where the wall's tiles lie makes no difference to players who cannot see them: all means agree."""
    line_up = ["ukeire", "isolation", "shanten", "random"]
    one = play(preset, line_up, 6000, root=11, mode="shared")
    other = play(preset, line_up, 6000, root=12, mode="per_seat")
    worst = 0.0
    for name, index in NAMES.items():
        if not COLUMNS[index].total:
            continue
        for seat_or_slot in range(8):
            if seat_or_slot < 4:
                pair = [columns[index][:, :, seat_or_slot].sum(axis=1) for columns in (one, other)]
            else:
                pair = [columns[index][:, seat_or_slot - 4 == ROTATIONS].sum(axis=1) for columns in (one, other)]
            (mean_1, error_1), (mean_2, error_2) = map(blocks_mean, pair)
            spread = np.hypot(error_1, error_2)
            if spread > 0:
                worst = max(worst, abs(mean_1 - mean_2) / spread)
                assert abs(mean_1 - mean_2) < 4.8 * spread, (name, seat_or_slot, mean_1, mean_2, spread)
            else:
                assert mean_1 == mean_2, name
    assert worst > 0.5  # the comparison compares something


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("ukeire", 2.5, 3.0), ("shanten", 2.3, 2.9), ("isolation", 0.6, 2.0), ("random", 0.01, 0.4)],
)
def test_wins_a_deal_are_in_the_band(name: str, low: float, high: float) -> None:
    columns = play("mahjong-planet", [name] * 4, 3000, seatings=ROTATIONS[:1])
    wins = columns[NAMES["wins"]][:, 0, 0].mean()
    assert low < wins < high


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("ukeire", "shanten"), ("shanten", "isolation"), ("isolation", "random")]
)
def test_ladder(stronger: str, weaker: str) -> None:
    """Each strategy beats the one below beyond its interval, one against three, on the same walls in four seatings."""
    columns = play("mahjong-planet", [stronger, weaker, weaker, weaker], 4000, root=7)
    mean, error = blocks_mean(slot_points(columns, ROTATIONS)[:, 0] / 4)
    assert mean > 1.96 * error, f"{stronger} scores {mean:+.3f} ± {1.96 * error:.3f} against three {weaker}"


def played(wall: list[int], names: list[str], preset: str, direction: int) -> Any:
    """Play a wall as it lies and return the deal."""
    deals = new(Deal)
    deal = deals[0]
    rules = compile_rules(load_preset(preset))[0]
    deal.is_logged = 1
    deal.wall[:] = wall
    deal_tiles(deal, rules, direction)
    line_up = [load_strategy(name) for name in names]
    assert play_deal(deal, seating_number((0, 1, 2, 3)), line_up_of(line_up), rules, load_lookup()[0]) == NONE
    return deal.copy()


@pytest.mark.parametrize("preset", PRESETS)
def test_relabelled_suits_give_relabelled_deals(preset: str) -> None:
    """Players who break ties neutrally play the same deal whatever the suits are called."""
    names = ["ukeire", "shanten", "isolation", "ukeire"]
    workspace = new(Deal)
    compared = 0
    for number in range(60):
        shuffle_wall(workspace[0], wall_seed_of(3, number))
        wall = [int(kind) for kind in workspace[0].wall]
        plain = played(wall, names, preset, 1 + number % 3)
        if any(len(set(keys)) < 3 for keys in dealt_suits(wall)):
            continue  # two suits of a hand are alike: there is no neutral order
        for suits in ([1, 2, 0], [1, 0, 2]):
            other = played([9 * suits[kind // 9] + kind % 9 for kind in wall], names, preset, 1 + number % 3)
            assert np.array_equal(plain.table.points, other.table.points), number
            assert plain.count_events == other.count_events
            assert [suits[suit] for suit in plain.table.void_suits] == list(other.table.void_suits)
            compared += 1
    assert compared > 80


def dealt_suits(wall: list[int]) -> list[list[tuple[int, ...]]]:
    """Return each seat's suits as dealt, as sorted ranks."""
    hands = [[*wall[13 * seat : 13 * seat + 13], *([wall[52]] if seat == 0 else [])] for seat in range(4)]
    return [[tuple(sorted(kind % 9 for kind in hand if kind // 9 == suit)) for suit in range(3)] for hand in hands]


def test_shuffle_is_uniform() -> None:
    """Every kind is equally likely at every position; neighbouring wall seeds are unrelated."""
    workspace = new(Deal)
    counts = np.zeros((TILES, 27))
    walls = 20_000
    repeats = 0
    before = None
    for seed in range(walls):
        shuffle_wall(workspace[0], seed)
        wall = workspace[0].wall.copy()
        counts[np.arange(TILES), wall] += 1
        if before is not None:
            repeats += int((wall == before).sum())
        before = wall
    expected = walls / 27
    chi_square = ((counts - expected) ** 2 / expected).sum() / (TILES * 26)
    assert 0.9 < chi_square < 1.1
    assert abs(repeats / ((walls - 1) * TILES) - 1 / 27) < 0.001


def test_lots_are_unbiased() -> None:
    """The seat's own lots are uniform also where the bound is no power of two."""
    deal = new(Deal)[0:1]
    hand = deal[0].hands[0]
    for bound in (3, 7, 27, 100):
        counts = np.bincount([draw_lot(hand, bound) for _ in range(20_000)], minlength=bound)
        assert len(counts) == bound
        chi_square = ((counts - 20_000 / bound) ** 2 / (20_000 / bound)).sum()
        assert chi_square < bound - 1 + 5 * np.sqrt(2 * (bound - 1))
