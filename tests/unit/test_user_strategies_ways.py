"""The three ways of writing a strategy are one: the same policy gives the same deals, alone, mixed, in step or not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sim.engine.sichuan.columns import COLUMNS
from sim.engine.sichuan.forfeit import FORFEITS, play_walls_on
from sim.engine.sichuan.play import play_walls
from sim.engine.sichuan.watch import Watch
from sim.errors import StrategyError
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from sim.tournament.replay import replay_deal
from strategies.registry import load_strategy

SEATINGS = np.array([[0, 1, 2, 3], [2, 3, 1, 0]])
WALLS = np.arange(3 if INTERPRETED else 40)

SOURCES = {
    "native": """
from sim.engine.hands.hand import KINDS, draw_lot
from sim.engine.sichuan.table import PASS_ACTION, PUNG_ACTION, WIN_ACTION


def choose_exchange(hand, table, rules, lookup):
    suit = 0
    for other in range(3):
        if hand.sizes[other] > hand.sizes[suit]:
            suit = other
    packed, place = 0, 0
    for kind in range(9 * suit, 9 * suit + 9):
        for _ in range(hand.counts[kind]):
            if place < rules.exchange_count:
                packed |= kind << (5 * place)
                place += 1
    return packed


def choose_void_suit(hand, table, rules, lookup):
    return draw_lot(hand, 3)


def choose_turn(hand, table, rules, lookup):
    if hand.legal_win:
        return WIN_ACTION
    count = 0
    for kind in range(KINDS):
        count += (hand.legal_discards >> kind) & 1
    lot = draw_lot(hand, count)
    for kind in range(KINDS):
        if (hand.legal_discards >> kind) & 1:
            if lot == 0:
                return kind
            lot -= 1
    return -1


def choose_claim(hand, table, rules, lookup):
    if hand.legal_win:
        return WIN_ACTION
    return PUNG_ACTION if hand.legal_pung else PASS_ACTION
""",
    "python": """
from strategies.observation import PASS, PUNG, WIN


class Same:
    def choose_exchange(self, view):
        suit = max(range(3), key=lambda suit: (view.sizes[suit], -suit))
        return [kind for kind in view.tiles if kind // 9 == suit][: view.exchange_count]

    def choose_void_suit(self, view):
        return view.lots.below(3)

    def choose_turn(self, view):
        return WIN if view.legal_win else view.lots.choose(view.legal_discards)

    def choose_claim(self, view):
        return WIN if view.legal_win else PUNG if view.legal_pung else PASS
""",
    "batch": """
import numpy as np
from strategies.batch import PASS, PUNG, WIN


class Same:
    def choose_exchange(self, batch):
        count = batch.rules.exchange_count
        suits = batch.hands.sizes.argmax(axis=1)
        tiles = [np.repeat(np.arange(27), row) for row in batch.counts]
        return np.array([own[own // 9 == suit][:count] for own, suit in zip(tiles, suits)])

    def choose_void_suit(self, batch):
        return batch.draw(3)

    def choose_turn(self, batch):
        win = batch.legal[:, WIN]
        actions = np.full(len(batch), WIN)
        if not win.all():
            bounds = np.where(win, 1, batch.legal[:, :27].sum(axis=1))
            lots = batch.draw(bounds)
            actions = np.argmax(np.cumsum(batch.legal[:, :27], axis=1) > lots[:, None], axis=1)
        return np.where(win, WIN, actions)

    def choose_claim(self, batch):
        pung = np.where(batch.legal[:, PUNG], PUNG, PASS)
        return np.where(batch.legal[:, WIN], WIN, pung)
""",
}


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("ways")
    for kind, source in SOURCES.items():
        (folder / f"{kind}.py").write_text(source)
    return {kind: str(folder / f"{kind}.py") for kind in SOURCES}


@pytest.mark.parametrize("preset", ["mahjong-planet", "mahjongo", "cardavia-sichuan"])
def test_the_same_policy_gives_the_same_deals_whichever_way_it_is_written(ways: dict[str, str], preset: str) -> None:
    rules = compile_rules(load_preset(preset))
    tables = [("native",) * 4, ("python",) * 4, ("batch",) * 4, ("native", "batch", "python", "batch")]
    played = [
        play_walls(rules, [load_strategy(ways[kind]) for kind in kinds], WALLS, SEATINGS, "per_seat")
        for kinds in tables
    ]
    assert played[0].shape == (len(COLUMNS), len(WALLS) * 2 * 4)
    for kinds, other in zip(tables[1:], played[1:], strict=True):
        assert np.array_equal(played[0], other), kinds


HELPED = {
    "native": """
from sim.engine.hands.hand import NONE
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION
from strategies.calculator import estimate_danger, value_if_completed


def choose_turn(hand, table, rules, lookup):
    best, least = NONE, 1 << 30
    for kind in range(27):
        if (hand.legal_discards >> kind) & 1:
            worst = 0
            for seat in range(4):
                if seat != hand.seat:
                    worst = max(worst, estimate_danger(hand, table, kind, seat))
            if worst < least:
                best, least = kind, worst
    return best


def choose_claim(hand, table, rules, lookup):
    if hand.legal_win and value_if_completed(hand, table, rules, lookup, table.tile, 0) > 1:
        return WIN_ACTION
    return PASS_ACTION
""",
    "python": """
from strategies.observation import PASS, WIN


class Helped:
    def choose_turn(self, view):
        others = [seat for seat in range(4) if seat != view.seat]
        return min(view.legal_discards, key=lambda kind: (max(view.danger(kind, seat) for seat in others), kind))

    def choose_claim(self, view):
        if view.legal_win:
            assert view.tile in view.waits()
            return WIN if view.value(view.tile) > 1 else PASS
        return PASS
""",
    "batch": """
import numpy as np
from strategies.batch import PASS, WIN


class Helped:
    def choose_turn(self, batch):
        return np.where(batch.legal[:, :27], batch.danger().max(axis=1), 9.0).argmin(axis=1)

    def choose_claim(self, batch):
        rows, tile = np.arange(len(batch)), batch.table("tile")
        wins = batch.legal[:, WIN]
        assert batch.waits()[rows, tile][wins].all()
        return np.where(wins & (batch.values()[rows, tile] > 1), WIN, PASS)
""",
}


def test_helpers_say_the_same_in_all_three_ways(tmp_path: Path) -> None:
    rules = compile_rules(load_preset("mahjongo"))
    played = []
    for kind, source in HELPED.items():
        path = tmp_path / f"helped_{kind}.py"
        path.write_text(source)
        line_up = [load_strategy(str(path)), load_strategy("shanten")] * 2
        played.append(play_walls(rules, line_up, WALLS, SEATINGS, "shared"))
    assert np.array_equal(played[0], played[1])
    assert np.array_equal(played[0], played[2])


def test_deals_played_one_by_one_are_the_same(ways: dict[str, str]) -> None:
    """In a replay a batch strategy gets batches of one."""
    preset = load_preset("mahjong-planet")
    deals = [replay_deal(preset, [load_strategy(ways[kind])] * 4, 7).events[1:] for kind in SOURCES]
    assert deals[0] == deals[1] == deals[2]


def test_memory_lasts_for_a_deal_and_no_longer(tmp_path: Path) -> None:
    path = tmp_path / "counts.py"
    path.write_text(
        "class Counts:\n"
        "    def choose_turn(self, view):\n"
        "        self.turns = getattr(self, 'turns', 0) + 1\n"
        "        assert self.turns <= 30, self.turns\n"
        "        return view.legal_discards[0]\n"
        "    def choose_claim(self, view):\n"
        "        return 65\n"
    )
    columns = play_walls(
        compile_rules(load_preset("mahjongo")), [load_strategy(str(path))] * 4, WALLS, SEATINGS, "shared"
    )
    assert columns[[column.name for column in COLUMNS].index("turns")].min() > 1


# --- forfeits --------------------------------------------------------------------------------------------------------

FAILS = """
class Fails:
    def choose_exchange(self, view):
        return []
    def choose_void_suit(self, view):
        raise ValueError("no suit")
    def choose_turn(self, view):
        return 99
    def choose_claim(self, view):
        return 0
"""


def test_forfeits_are_the_play_of_a_timeout(tmp_path: Path) -> None:
    path = tmp_path / "fails.py"
    path.write_text(FAILS)
    rules = compile_rules(load_preset("mahjong-planet"))
    line_up = [load_strategy(str(path)), load_strategy("ukeire"), load_strategy("random"), load_strategy("ukeire")]
    seeds = WALLS[:4]
    columns = play_walls_on(rules, line_up, seeds, SEATINGS, "shared")
    forfeits = columns[FORFEITS].reshape(len(seeds), 2, 4)
    slots = np.broadcast_to(SEATINGS, forfeits.shape)
    assert (forfeits[slots == 0] > 5).all()
    assert (forfeits[slots != 0] == 0).all()
    # A player whose time is always up plays by a fixed rule, which can be written down as a strategy.
    path = tmp_path / "timeout.py"
    path.write_text(
        "import numpy as np\n"
        "class Timeout:\n"
        "    def choose_exchange(self, view):\n"
        "        suit = min(suit for suit in range(3) if view.sizes[suit] >= view.exchange_count)\n"
        "        return [kind for kind in view.tiles if kind // 9 == suit][: view.exchange_count]\n"
        "    def choose_void_suit(self, view):\n"
        "        return view.sizes.index(min(view.sizes))\n"
        "    def choose_turn(self, view):\n"
        "        if view.legal_win:\n"
        "            return 64\n"
        "        return view.drawn if view.drawn in view.legal_discards else view.legal_discards[-1]\n"
        "    def choose_claim(self, view):\n"
        "        return 64 if view.legal_win else 65\n"
    )
    expected = play_walls(rules, [load_strategy(str(path)), *line_up[1:]], seeds, SEATINGS, "shared")
    columns[FORFEITS] = 0
    assert np.array_equal(columns, expected)


def test_nobody_fails_and_nothing_is_forfeited() -> None:
    rules = compile_rules(load_preset("mahjongo"))
    line_up = [load_strategy("ukeire")] * 4
    columns = play_walls_on(rules, line_up, WALLS, SEATINGS, "shared")
    assert np.array_equal(columns, play_walls(rules, line_up, WALLS, SEATINGS, "shared"))
    assert not columns[FORFEITS].any()


# --- the watch -------------------------------------------------------------------------------------------------------


def test_the_watch_tells_of_a_deal_that_does_not_move() -> None:
    import threading

    told = threading.Event()
    said: list[str] = []
    watch = Watch()
    watch.limit = 0.05
    watch.act = lambda message: (said.append(message), told.set())[0]
    kept: list[object] = []
    table = SimpleNamespace(decision=2, turn=1, count_discards=3, tiles_left=4, count_wins=0)
    telling = watch.telling(lambda _wall, _seating: "", lambda message, facts: kept.append((message, facts)))
    with (
        telling,
        watch.over(lambda: (SimpleNamespace(asked=1, table=table), 0), lambda: ("the one at seat 1", {"seat": 1})),
    ):
        assert told.wait(60)
    assert said[0] == "no answer for 0.05 s: the one at seat 1"
    assert kept[0] == (said[0], {"seat": 1})


def test_what_a_thread_says_of_its_deals_ends_with_them() -> None:
    watch = Watch()
    with watch.telling(lambda _wall, _seating: "", lambda _message, _facts: None):
        assert vars(watch.local).keys() == {"label", "keep"}
    assert not vars(watch.local)


def test_the_watch_leaves_deals_alone_that_move() -> None:
    import itertools
    import threading

    watch = Watch()
    watch.limit = 0.05
    said: list[str] = []
    watch.act = said.append
    looks = itertools.count()
    looked = threading.Event()

    def look() -> tuple[SimpleNamespace, int]:
        number = next(looks)
        if number > 5:
            looked.set()
        table = SimpleNamespace(decision=2, turn=1, count_discards=number, tiles_left=4, count_wins=0)
        return SimpleNamespace(asked=1, table=table), 0

    with watch.over(look, lambda: ("", {})):
        assert looked.wait(60)
    assert said == []


def test_threads_do_not_disturb_each_other(ways: dict[str, str]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    rules = compile_rules(load_preset("mahjong-planet"))
    tables = [("python", "native", "python", "python"), ("batch", "python", "batch", "native")]
    line_ups = [[load_strategy(ways[kind]) for kind in kinds] for kinds in tables]
    jobs = [(line_up, WALLS[first::3]) for line_up in line_ups for first in range(3)]

    def play(job: tuple[list, np.ndarray]) -> np.ndarray:
        return play_walls(rules, job[0], job[1], SEATINGS, "shared")

    alone = [play(job) for job in jobs]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(play, jobs))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_an_error_stays_in_its_thread(tmp_path: Path, ways: dict[str, str]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "odd.py"
    path.write_text(
        "class Odd:\n"
        "    def choose_void_suit(self, view):\n"
        "        if view.tiles[0] % 2:\n"
        "            raise ValueError(view.tiles)\n"
        "        return 0\n"
    )
    rules = compile_rules(load_preset("mahjongo"))
    line_up = [load_strategy(str(path)), *[load_strategy(ways["python"])] * 3]

    def play(wall: int) -> str:
        try:
            play_walls(rules, line_up, np.array([wall]), SEATINGS[:1], "shared")
        except StrategyError as error:
            return str(error)
        return ""

    alone = [play(wall) for wall in range(12)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, range(12)))
    assert alone == together
    assert 0 < sum(bool(said) for said in alone) < 12
