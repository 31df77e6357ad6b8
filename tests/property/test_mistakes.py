"""What goes wrong at a table is told as it is, whoever plays beside whom, alone or in step.

Files with mistakes, and what is said of them, are in `tests/unit/test_user_strategies.py`; here are the places that
those do not lead to.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.engine.hands.hand import Hand
from sim.engine.sichuan import batch as in_step
from sim.engine.sichuan import watch as watching
from sim.engine.sichuan.advance import is_legal
from sim.engine.sichuan.forfeit import FORFEITS, play_walls_on
from sim.engine.sichuan.play import play_walls
from sim.engine.sichuan.table import EXCHANGE, TURN, VOID_SUIT, WIN_ACTION
from sim.engine.sichuan.timeout import timeout_action
from sim.errors import BloodBattleError, ConfigError, IllegalActionError, InvariantError, StrategyError
from sim.jit import INTERPRETED, new
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from sim.tournament.replay import replay_deal
from strategies.contract import Contract
from strategies.diagnosis import explain_compiling, find_foreign_chance
from strategies.loader import load_source
from strategies.python import PythonHandle
from strategies.registry import list_strategies, load_strategy
from strategies.scaffold import create
from tests.differential.compare import draw_case
from tests.property import heard
from tests.property.tables import begin, choose, walk
from tests.reference.presets import random_preset

CHEATS = Path(__file__).with_name("cheats")
STRAIGHT = np.arange(4).reshape(1, 4)
WALLS = np.arange(2)
RULES = compile_rules(load_preset("mahjong-planet"))

BATCH = """
import numpy as np
class Honest:
    def choose_turn(self, batch):
        return batch.legal[:, :27].argmax(axis=1)
class Wrong:
    def choose_turn(self, batch):
        return np.full(len(batch), 200)
class Broken:
    def choose_turn(self, batch):
        raise ValueError("no idea")
class Stopped:
    def choose_turn(self, batch):
        raise KeyboardInterrupt
class Huge:
    def choose_turn(self, batch):
        return np.full(len(batch), 1 << 50)
"""
NATIVE = {
    "no exchange": "def choose_exchange(hand, table, rules, lookup):\n    return 1 << 30\n",
    "no suit": "def choose_void_suit(hand, table, rules, lookup):\n    return 3\n",
    "no claim": "def choose_claim(hand, table, rules, lookup):\n    return 99\n",
    "over the edge": "def choose_turn(hand, table, rules, lookup):\n    return hand.counts[99 + hand.seat]\n",
}
SAID = {
    "no exchange": "gave 1073741824, which is not 3 packed tiles, in an exchange decision; held: ",
    "no suit": "chose action 3 in a void_suit decision; legal: suits 0, 1, 2",
    "no claim": "chose action 99 in a claim decision; legal: ",
    "over the edge": "IndexError",
}


def write(folder: Path, body: str, name: str = "mine.py") -> str:
    path = folder / name
    path.write_text(textwrap.dedent(body))
    return str(path)


def play(*references: str, walls: Any = WALLS) -> Any:
    line_up = [load_strategy(reference) for reference in references]
    return play_walls(RULES, line_up * (4 // len(line_up)), walls, STRAIGHT, "shared")


@pytest.fixture
def honest(tmp_path: Path) -> str:
    """A batch strategy: whoever sits beside it plays in step."""
    return write(tmp_path, BATCH, "batches.py") + ":Honest"


# --- alone and in step -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mistake", NATIVE)
@pytest.mark.parametrize("beside_batches", [False, True])
def test_mistakes_of_native_strategies(tmp_path: Path, honest: str, mistake: str, beside_batches: bool) -> None:
    mine = write(tmp_path, NATIVE[mistake])
    line_up = [honest, mine, mine, mine] if beside_batches else [mine] * 4
    with pytest.raises((IllegalActionError, StrategyError)) as caught:
        play(*line_up, walls=np.arange(20))
    assert SAID[mistake] in str(caught.value)
    assert "strategy mine.py at seat" in str(caught.value)
    assert "wall mode shared, strategies " in str(caught.value)
    assert caught.value.place is not None


@pytest.mark.parametrize(
    ("entry", "error", "said"),
    [
        ("Wrong", IllegalActionError, "chose action 200 in a turn decision"),
        ("Broken", StrategyError, "ValueError: no idea"),
        ("Stopped", KeyboardInterrupt, ""),
        ("Huge", IllegalActionError, "chose action 1125899906842624 in a turn decision; legal: "),
    ],
)
def test_mistakes_of_batch_strategies(
    tmp_path: Path, honest: str, entry: str, error: type[BaseException], said: str
) -> None:
    wrong = honest.replace("Honest", entry)
    with pytest.raises(error) as caught:
        play(honest, wrong, wrong, wrong)
    assert said in str(caught.value)
    with pytest.raises(error) as caught:
        replay_deal(load_preset("mahjong-planet"), [load_strategy(wrong)] * 4, 1)
    assert said in str(caught.value)


@pytest.mark.parametrize("beside_batches", [False, True])
def test_points_out_of_nothing_are_a_defect(honest: str, beside_batches: bool) -> None:
    cheat = load_source("takes_a_point", CHEATS / "takes_a_point.py")
    line_up = [load_strategy(honest) if beside_batches else cheat, cheat, cheat, cheat]
    with pytest.raises(InvariantError, match="please report this defect"):
        play_walls(RULES, line_up, WALLS, STRAIGHT, "shared")


def test_how_many_deals_are_in_play_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither does it that in some of them nobody is asked who answers in batches."""
    body = (
        "import numpy as np\nclass Mine:\n    def choose_claim(self, batch):\n        return np.full(len(batch), 65)\n"
    )
    line_up = [load_strategy(write(tmp_path, body)), *[load_strategy("first_legal")] * 3]
    walls = np.arange(3 if INTERPRETED else 40)
    played = []
    for width in (in_step.WIDTH, 1, 7):
        monkeypatch.setattr(in_step, "WIDTH", width)
        played.append(play_walls(RULES, line_up, walls, STRAIGHT, "shared"))
    assert np.array_equal(played[0], played[1])
    assert np.array_equal(played[0], played[2])


def test_a_strategy_need_not_explain_its_errors(tmp_path: Path) -> None:
    """Whatever has a name, decisions and parameters can play."""
    mine = load_strategy(write(tmp_path, NATIVE["over the edge"]))
    bare = SimpleNamespace(name="bare", decisions=mine.decisions, parameters=mine.parameters)
    with pytest.raises(StrategyError, match=r"^IndexError: .*\n  strategy bare at seat 0, decision turn"):
        play_walls(RULES, [bare] * 4, WALLS, STRAIGHT, "shared")


# --- forfeits --------------------------------------------------------------------------------------------------------


def plain_timeout(hand: Any, table: Any, rules: Any) -> int:
    """Write chapter 8 down once more: what a player does whose time is up."""
    tiles = [kind for kind in range(27) for _ in range(int(hand.counts[kind]))]
    if table.decision == EXCHANGE:
        count = int(rules.exchange_count)
        chosen = next(own[:count] for suit in range(3) if len(own := [k for k in tiles if k // 9 == suit]) >= count)
        return sum(kind << 5 * place for place, kind in enumerate(chosen))
    if table.decision == VOID_SUIT:
        return min(range(3), key=lambda suit: sum(kind // 9 == suit for kind in tiles))
    if hand.legal_win:
        return WIN_ACTION
    if table.decision != TURN:
        return 65
    legal = [kind for kind in tiles if int(hand.legal_discards) >> kind & 1]
    return int(hand.drawn) if hand.drawn in legal else legal[-1]


def test_a_timeout_is_always_legal_and_by_the_book() -> None:
    wins = 0
    for number in range(6 if INTERPRETED else 40):
        lots = random.Random(f"timeout {number}")
        standing = begin(draw_case(lots, random_preset(lots), is_slanted=True))
        for seat in walk(standing):
            hand, table = standing.deal.hands[seat], standing.deal.table
            action = timeout_action(standing.deal.hands[seat], standing.deal.table.decision, standing.rules)
            assert action == plain_timeout(hand, table, standing.rules)
            assert is_legal(hand, table.decision, action, standing.rules)
            wins += action == WIN_ACTION and table.decision >= TURN
    assert wins > 0


def test_native_strategies_forfeit_too(tmp_path: Path) -> None:
    mine = load_strategy(write(tmp_path, NATIVE["over the edge"]))
    others = [load_strategy("ukeire")] * 3
    columns = play_walls_on(RULES, [mine, *others], WALLS, STRAIGHT, "shared")
    forfeits = columns[FORFEITS].reshape(-1, 4)
    assert (forfeits[:, 0] > 3).all()
    assert not forfeits[:, 1:].any()


def test_whoever_stops_the_program_stops_it(tmp_path: Path) -> None:
    path = write(tmp_path, "class Mine:\n    def choose_turn(self, view):\n        raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        play(path)
    line_up = [load_strategy(path)] * 4
    with pytest.raises(KeyboardInterrupt):
        play_walls_on(RULES, line_up, WALLS[:1], STRAIGHT, "shared")
    fails_first = (
        "class Mine:\n"
        "    def choose_exchange(self, view):\n        return []\n"
        "    def choose_turn(self, view):\n        raise KeyboardInterrupt\n"
    )
    line_up = [load_strategy(write(tmp_path, fails_first, "other.py"))] * 4
    with pytest.raises(KeyboardInterrupt):
        play_walls_on(RULES, line_up, WALLS[:1], STRAIGHT, "shared")


DIARY = """
SEEN = []
class Diary:
    def choose_turn(self, view):
        SEEN.append(1)
        return view.legal_discards[0]
"""


def test_what_no_deal_can_be_blamed_for_is_not_forfeited(tmp_path: Path) -> None:
    line_up = [load_strategy(write(tmp_path, DIARY))] * 4
    with pytest.raises(StrategyError, match="'SEEN' changed between calls") as caught:
        play_walls_on(RULES, line_up, WALLS, STRAIGHT, "shared")
    assert caught.value.place is None
    findings = list(Contract(line_up[0], "mine.py", walls=1).run())
    assert findings[0].fault is not None
    assert "'SEEN' changed between calls" in findings[0].fault
    assert findings[0].replay == ""


def test_a_question_out_of_turn_raises_what_the_strategy_raised(tmp_path: Path) -> None:
    """The tests of the contract ask a strategy by themselves."""
    from strategies.contract import choose as ask

    strategy = load_strategy(write(tmp_path, BATCH, "batches.py") + ":Broken")
    lots = random.Random(1)
    standing = begin(draw_case(lots, random_preset(lots)))
    seat = next(seat for seat in walk(standing) if standing.deal.table.decision == TURN)
    with pytest.raises(ValueError, match="no idea"):
        ask(strategy, standing.deals, seat, standing.rules, standing.lookup)


# --- the watch -------------------------------------------------------------------------------------------------------


ASKED_ABOUT = """
from sim.engine.sichuan.watch import WATCH
from tests.property import heard
class Mine:
    def choose_turn(self, WAY):
        for play in list(WATCH._plays.values()):
            heard.SAID.append((play.look()[1], play.describe()[0]))
        return FIRST
"""


@pytest.mark.parametrize(
    ("way", "first"), [("view", "view.legal_discards[0]"), ("batch", "batch.legal[:, :27].argmax(axis=1)")]
)
@pytest.mark.parametrize("label", [None, lambda wall, seating: f"7.{wall}.{seating}"])
def test_the_watch_can_say_who_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, first: str, label: Any
) -> None:
    heard.SAID.clear()
    monkeypatch.setattr(watching.WATCH.local, "label", label, raising=False)
    path = write(tmp_path, ASKED_ABOUT.replace("WAY", way).replace("FIRST", first))
    play_walls(RULES, [load_strategy(path)] * 4, WALLS[1:], np.array([[1, 0, 2, 3]]), "per_seat")
    name = ", deal 7.0.0" if label else ""
    assert {text for _, text in heard.SAID} >= {
        f"strategy mine.py at seat {seat}, decision turn{name} (wall seed 1, seating 1023, wall mode per_seat, "
        "strategies mine.py,mine.py,mine.py,mine.py)"
        for seat in range(4)
    }


def test_without_a_limit_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watching.Watch()
    watch.limit = 0
    with watch.over(lambda: (None, None), lambda: ("", {})):
        assert not watch._plays


def test_who_does_not_answer_ends_the_program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(watching.os, "_exit", codes.append)
    watching.leave("no answer")
    assert codes == [watching.EXIT_CODE]
    assert capsys.readouterr().err == "\nerror: no answer\n"


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("from sim.errors import ConfigError\nraise ConfigError('no such thing')\n", "mine.py: no such thing"),
        (
            "class Mine:\n    choose_turn = 5\n    def choose_claim(self, view):\n        return 65\n",
            "Mine.choose_turn is a int, not a method",
        ),
        ("from random import choice\ndef choose_turn(hand, table, rules, lookup):\n    return choice([1])\n", ":3: "),
        (
            "SEEN = []\ndef choose_turn(hand, table, rules, lookup):\n    SEEN.append(1)\n    return 0\n",
            "changes 'SEEN'",
        ),
        (
            "class Mine:\n    def choose_exchange(self, view):\n        return 5\n",
            "returned 5; allowed: the 3 kinds to give, 0 to 26, in a list",
        ),
    ],
)
def test_files_with_mistakes(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(BloodBattleError) as caught:
        play(write(tmp_path, body))
    assert said in str(caught.value)


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "from sim.jit import driver\n@driver\ndef odd(kind: int) -> int:\n    return kind.rank\n",
            "cannot be compiled",
        ),
        (
            "LISTS = [[1], [2]]\ndef choose_turn(hand, table, rules, lookup):\n    return LISTS[0][0]\n",
            "cannot be compiled",
        ),
    ],
)
def test_files_that_the_compiler_refuses(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(StrategyError) as caught:
        load_strategy(write(tmp_path, body))
    assert said in str(caught.value)
    assert "mine.py" in str(caught.value)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("rank"), "mine.py: choose_turn cannot be compiled: there is no field 'rank'"),
        (TypeError("Cannot store 1"), "and cannot be changed; what should last within a deal goes into hand.memory"),
        (TypeError("reflected list"), "lists outside functions are of no use to compiled code"),
        (TypeError(""), "no reason given"),
        (TypeError("first\nsecond"), ": first second"),
    ],
)
def test_what_a_compiler_says_is_made_short(tmp_path: Path, error: Exception, said: str) -> None:
    assert said in str(explain_compiling(tmp_path / "mine.py", "choose_turn", error))


def test_own_names_hide_those_outside(tmp_path: Path) -> None:
    """A list of the function's own may be changed, whatever stands outside under its name."""
    body = """
    import numpy as np
    seen = 5
    def choose_turn(hand, table, rules, lookup):
        seen = np.zeros(3)
        seen[1] = 1
        kind = 0
        while not (hand.legal_discards >> kind) & 1:
            kind += 1
        return kind
    """
    assert play(write(tmp_path, body)).any()


def test_generators_are_found_under_any_name(tmp_path: Path) -> None:
    source = tmp_path / "mine.py"
    source.write_text(
        "import numpy as np\nimport random as chance\nfrom numpy.random import default_rng as rng\n"
        "from numpy import zeros\nchance.random()\nnp.random.rand()\nrng(1)\nzeros(3)\n"
    )
    assert find_foreign_chance(source) == [5, 6, 7]


def test_chance_drawn_elsewhere_is_no_fault_of_the_strategy(tmp_path: Path) -> None:
    """Only lines of its own file can be blamed."""
    body = """
    from tests.property import heard
    class Mine:
        def choose_turn(self, view):
            heard.draw()
            return view.legal_discards[0]
    """
    assert play(write(tmp_path, body)).any()


def test_files_may_hold_functions_and_classes(tmp_path: Path) -> None:
    both = BATCH + "def choose_void_suit(hand, table, rules, lookup):\n    return 2\n"
    path = write(tmp_path, both, "both.py")
    with pytest.raises(StrategyError, match=r"functions \(choose_\.\.\.\) and Honest.* say which class is meant"):
        load_strategy(path)
    assert load_strategy(f"{path}:Honest").kind == "batch"


def test_errors_that_do_not_come_again_are_told_without_their_line(tmp_path: Path) -> None:
    """Asked again, the function of a native strategy may well answer; the error is told as it was."""
    strategy = load_strategy(write(tmp_path, "def choose_turn(hand, table, rules, lookup):\n    return hand.drawn\n"))
    hands = new(Hand)
    told = strategy.describe_error(IndexError("it was so"), 2, (hands[0], None, None, None))
    assert told == f"{tmp_path / 'mine.py'}: IndexError: it was so"
    other = load_strategy(
        write(tmp_path, "def choose_turn(hand, table, rules, lookup):\n    return table.tile\n", "b.py")
    )
    told = other.describe_error(IndexError("it was so"), 2, (hands[0], None, None, None))
    assert told == f"{tmp_path / 'b.py'}: IndexError: it was so"


def test_a_new_strategy_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written: No such file or directory"):
        create("mine", "python", tmp_path / "nowhere")


def test_known_records_are_forgotten_before_they_are_too_many() -> None:
    hands = new(Hand)
    address = int(hands.__array_interface__["data"][0])
    known: dict[int, Any] = dict.fromkeys(range(100_001))
    assert PythonHandle._fields(known, address, Hand) is known[address]
    assert len(known) == 1


# --- rare choices ----------------------------------------------------------------------------------------------------


def claims_with_kongs() -> Iterator[tuple[Any, int]]:
    """Yield deals in which a player may claim a kong."""
    for number in range(400):
        lots = random.Random(f"kongs {number}")
        standing = begin(draw_case(lots, random_preset(lots), is_slanted=True))
        for seat in walk(standing):
            if standing.deal.table.decision > TURN and standing.deal.hands[seat].legal_kongs:
                yield standing.copy(), seat


@pytest.mark.parametrize("name", [name for name in list_strategies() if name != "first_legal"])
def test_a_kong_can_be_claimed_where_the_pung_is_locked(name: str) -> None:
    chosen = set()
    for _, (standing, seat) in zip(range(10 if INTERPRETED else 30), claims_with_kongs(), strict=False):
        standing.deal.hands[seat].legal_pung = 0
        action = choose(load_strategy(name), standing, seat)
        assert is_legal(standing.deal.hands[seat], standing.deal.table.decision, action, standing.rules)
        chosen.add(32 <= action < 64)
    assert chosen == {True, False} or INTERPRETED


def test_random_takes_wins_too() -> None:
    lots = random.Random(3)
    for number in range(400):
        standing = begin(draw_case(lots, random_preset(lots), is_slanted=True))
        for seat in walk(standing):
            if standing.deal.table.decision == TURN and standing.deal.hands[seat].legal_win:
                chosen = [choose(load_strategy("random"), standing, seat) for _ in range(300)]
                assert WIN_ACTION in chosen
                assert len(set(chosen)) > 2
                return
        assert number < 399
