"""Strategies of users: references, parameters, and what is said about mistakes."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest

from sim.engine.sichuan.play import play_walls
from sim.errors import BloodBattleError, IllegalActionError, StrategyError
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.references import from_folder, parse_reference, split_references
from strategies.registry import load_strategy

RULES = compile_rules(load_preset("mahjong-planet"))
STRAIGHT = np.arange(4).reshape(1, 4)
TURN = "def choose_turn(hand, table, rules, lookup):\n    "
IMPORTS = "from sim.engine.hands.hand import draw_lot, lowest_kind\nfrom sim.engine.sichuan.table import WIN_ACTION\n"
LINE = 3  # where TURN stands below IMPORTS


def write(folder: Path, body: str, name: str = "mine.py") -> str:
    path = folder / name
    path.write_text(textwrap.dedent(body))
    return str(path)


def play(*references: str, walls: int = 2) -> np.ndarray:
    line_up = [load_strategy(reference) for reference in references]
    return play_walls(RULES, line_up * (4 // len(line_up)), np.arange(walls), STRAIGHT, "shared")


class TestReferences:
    @pytest.mark.parametrize(
        ("text", "name", "file", "entry", "values"),
        [
            ("ukeire", "ukeire", None, None, ()),
            (" ukeire{ a = 1, b=-2.5e-1 } ", "ukeire", None, None, (("a", 1.0), ("b", -0.25))),
            ("a/b.py", None, Path("a/b.py"), None, ()),
            ("a/b.py:Bold{a=1}", None, Path("a/b.py"), "Bold", (("a", 1.0),)),
        ],
    )
    def test_parts(self, text, name, file, entry, values):
        reference = parse_reference(text)
        assert (reference.name, reference.file, reference.entry, reference.values) == (name, file, entry, values)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("ukeire{a=1", "the brace is not closed"),
            ("{a=1}", "no name"),
            ("ukeire{a}", "'a' is no parameter"),
            ("ukeire{a=x}", "a is 'x'; allowed: a number"),
            ("ukeire{a=nan}", "allowed: a number"),
            ("ukeire{a=1,a=2}", "'a' comes twice"),
            ("a.py:b c", "'b c' is no name"),
        ],
    )
    def test_mistakes(self, text, said):
        with pytest.raises(StrategyError, match=said):
            parse_reference(text)

    def test_lists_are_split_outside_braces(self):
        assert split_references("a{x=1,y=2}, b.py:C ,d") == ["a{x=1,y=2}", "b.py:C", "d"]

    def test_paths_start_from_a_folder(self):
        assert from_folder("mine.py:A{x=1}", Path("games")) == "games/mine.py:A{x=1}"
        assert from_folder("ukeire{x=1}", Path("games")) == "ukeire{x=1}"
        assert from_folder("/abs/mine.py", Path("games")) == "/abs/mine.py"


class TestNative:
    SOURCE = (
        IMPORTS
        + """
PARAMETERS = {"high": (0, 0, 1, "discard the highest kind instead of the lowest")}

def highest(mask):
    kind = 26
    while not (mask >> kind) & 1:
        kind -= 1
    return kind

def choose_turn(hand, table, rules, lookup):
    if hand.parameters[0] > 0.5:
        return highest(hand.legal_discards)
    return lowest_kind(hand.legal_discards)
"""
    )

    def test_parameters_change_play_name_and_digest(self, tmp_path):
        path = write(tmp_path, self.SOURCE)
        plain, high, same = (load_strategy(f"{path}{braces}") for braces in ("", "{high=1}", "{high=0}"))
        assert (plain.name, high.name, same.name) == ("mine.py", "mine.py{high=1}", "mine.py")
        assert plain.digest == same.digest != high.digest
        assert plain.choose_turn is high.choose_turn
        assert not np.array_equal(play(path), play(f"{path}{{high=1}}"))

    def test_an_edit_is_never_served_stale(self, tmp_path):
        before = play(write(tmp_path, self.SOURCE))
        after = play(write(tmp_path, self.SOURCE.replace("> 0.5", "> -1.")))
        assert not np.array_equal(before, after)
        assert np.array_equal(before, play(write(tmp_path, self.SOURCE)))

    @pytest.mark.parametrize(
        ("braces", "said"),
        [
            ("{high=2}", "high is 2; allowed: 0 to 1 (discard the highest"),
            ("{hihg=1}", "no parameter 'hihg'; there: high; did you mean 'high'?"),
        ],
    )
    def test_parameters_are_checked(self, tmp_path, braces, said):
        path = write(tmp_path, self.SOURCE)
        with pytest.raises(StrategyError) as caught:
            load_strategy(f"{path}{braces}")
        assert said in str(caught.value)

    @pytest.mark.parametrize(
        ("body", "line", "said"),
        [
            ("def choose_turn(hand, table rules, lookup):\n    return 3", 3, "not valid Python"),
            ("import nothing_of_this_name", 3, "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
            (
                "def choose_turn(hand, table):\n    return 3",
                3,
                "takes (hand, table); it should be def choose_turn(hand,",
            ),
            (TURN + "return hand.counst[0]", 4, "hand has no 'counst'; did you mean 'counts'?"),
            ("SEEN = [0]\n" + TURN + "SEEN[0] = 1\n    return 3", 5, "changes 'SEEN', which stands outside it"),
            ("SEEN = 0\n" + TURN + "global SEEN\n    return 3", 5, "changes 'SEEN', which stands outside it"),
            ("import random\n" + TURN + "return random.choice([1, 2])", 5, "chance that no seed reaches"),
            ("import numpy as np\n" + TURN + "return np.random.randint(3)", 5, "chance that no seed reaches"),
        ],
    )
    def test_mistakes_have_file_and_line(self, tmp_path, body, line, said):
        path = write(tmp_path, IMPORTS + body)
        with pytest.raises(StrategyError) as caught:
            load_strategy(path)
        assert said in str(caught.value)
        assert str(caught.value).startswith(f"{path}:{line}: ")

    @pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
    @pytest.mark.parametrize(
        ("body", "line", "said"),
        [
            (TURN + "return hand.parameters[0]", 4, "choose_turn returns a float; allowed: an integer"),
            (TURN + "return hand.seat > 1", 4, "choose_turn returns a truth value"),
            (TURN + "if hand.legal_win:\n        return WIN_ACTION", 4, "choose_turn returns nothing"),
            (TURN + "return lowest_kidn(hand.legal_discards)", 4, "name 'lowest_kidn' is not defined"),
            ("TABLE = {1: 2}\n" + TURN + "return TABLE[1]", 5, "'TABLE' is nothing that compiled code can use"),
            (TURN + "a, b = hand.seat\n    return a", 4, "failed to unpack int64"),
        ],
    )
    def test_mistakes_that_the_compiler_finds(self, tmp_path, body, line, said):
        path = write(tmp_path, IMPORTS + body)
        with pytest.raises(StrategyError) as caught:
            load_strategy(path)
        assert said in str(caught.value)
        assert str(caught.value).startswith(f"{path}:{line}: ")

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (TURN + "place = 27 + hand.seat\n    return hand.counts[place]", ":5: IndexError: "),
            pytest.param(
                TURN + "return 3 // hand.memory[0]",
                ":4: ZeroDivisionError: ",
                marks=pytest.mark.skipif(INTERPRETED, reason="NumPy only warns"),
            ),
        ],
    )
    def test_what_fails_at_the_table_names_line_seat_and_deal(self, tmp_path, body, said):
        path = write(tmp_path, IMPORTS + body)
        with pytest.raises(StrategyError) as caught:
            play(path)
        assert f"{path}{said}" in str(caught.value)
        assert "strategy mine.py at seat 0, decision turn (wall seed 0, seating 0123" in str(caught.value)
        assert caught.value.place == (0, 0)

    def test_illegal_actions_say_what_was_legal(self, tmp_path):
        with pytest.raises(
            IllegalActionError,
            match=r"mine\.py:\d+: strategy .*chose action 200 in a turn decision; legal: \d+ \(\d[mps]\).*wall seed 0",
        ):
            play(write(tmp_path, IMPORTS + TURN + "return 200"))

    def test_a_missing_file_has_the_nearest(self, tmp_path):
        write(tmp_path, "", "mine.py")
        with pytest.raises(StrategyError, match=r"there is no such strategy file; did you mean 'mine\.py'\?"):
            load_strategy(str(tmp_path / "mien.py"))

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("def chose_turn(hand, table, rules, lookup):\n    return 1\n", ":1: chose_turn: .* 'choose_turn'"),
            (
                "def choose_turn(hand, table, rules, lookup):\n    return 1\ndef choose_clam(hand):\n    return 65\n",
                ":3: choose_clam: .* 'choose_claim'",
            ),
            ("class A:\n    def chose_turn(self, view):\n        return 1\n", ":2: A.chose_turn: .* 'choose_turn'"),
            ("async def choose_turn(hand, table, rules, lookup):\n    return 1\n", ":1: choose_turn is async"),
            ("class A:\n    async def choose_turn(self, view):\n        return 1\n", ":2: A.choose_turn is async"),
            ("class A:\n    def choose_turn(self, view):\n        yield 1\n", ":2: A.choose_turn yields"),
            (
                "def choose_turn(hand, table, rules, lookup):\n    return 2**70\n",
                r":2: choose_turn has the number 2 \*\* 70",
            ),
        ],
    )
    def test_what_would_never_be_asked_is_refused(self, tmp_path, body, said):
        path = write(tmp_path, body)
        with pytest.raises(StrategyError, match=re.escape(path) + said):
            load_strategy(path)

    def test_a_helper_that_is_called_may_be_named_like_a_choice(self, tmp_path):
        body = "class A:\n    def choose_turn(self, view):\n        return self.choose_tile(view)\n"
        body += "    def choose_tile(self, view):\n        return view.legal_discards[0]\n"
        assert load_strategy(write(tmp_path, body)).kind == "python"

    def test_a_file_without_a_strategy(self, tmp_path):
        with pytest.raises(StrategyError, match="no strategy in it: it defines none of choose_exchange"):
            load_strategy(write(tmp_path, "x = 1"))


CLASSES = """
import random
import numpy as np
from strategies.observation import PASS, WIN

SEEN = []

class Raises:
    def choose_turn(self, view):
        return {}["a"]

class Chance:
    def choose_turn(self, view):
        return random.choice(view.legal_discards)

class Diary:
    def choose_turn(self, view):
        SEEN.append(1)
        return view.legal_discards[0]

class Float:
    def choose_turn(self, view):
        return 1.5

class Few:
    def choose_exchange(self, view):
        return view.tiles[:2]

class Keeps:
    def choose_turn(self, view):
        if hasattr(self, "view"):
            self.view.counts
        self.view = view
        return view.legal_discards[0]

class Misspelt:
    def choose_turns(self, view):
        return 1
    def choose_turn(self, view):
        return 1

class Takes:
    def choose_turn(self, hand):
        return 1

class Both:
    def choose_turn(self, view):
        return 1
    def choose_claim(self, batch):
        return 1

class Shape:
    def choose_turn(self, batch):
        return batch.seat[:1] * 1.0

class Far:
    def choose_turn(self, view):
        return 2**70

class Near:
    def choose_turn(self, view):
        return view.legal_discard[0]

class Wide:
    def choose_turn(self, batch):
        return batch.void_suit.astype("uint64") * 0 + np.uint64(2**63 + 5)

class Tiles:
    def choose_exchange(self, batch):
        return np.full((len(batch), 3), 27)

class Field:
    def choose_turn(self, batch):
        return batch.table("throwm")[:, 0, 0]

class Writes:
    def choose_turn(self, batch):
        batch.counts[:] = 0
        return batch.seat

class Later:
    def choose_turn(self, view):
        async def later():
            return 1
        return later()

class Suits:
    def choose_exchange(self, view):
        return [view.tiles[0], view.tiles[0], view.tiles[-1]]

class Notes:
    seen = []
    def choose_turn(self, view):
        self.seen.append(1)
        return view.legal_discards[0]
"""


class TestClasses:
    @pytest.mark.parametrize(
        ("entry", "said"),
        [
            ("Raises", "mine.py:10: KeyError: 'a'"),
            ("Chance", "mine.py:14: chance that no seed reaches"),
            ("Diary", "the global 'SEEN' changed between calls"),
            ("Float", "mine.py:22: Float.choose_turn returned 1.5; allowed: an integer"),
            ("Few", "allowed: the 3 kinds to give"),
            ("Keeps", "a view is good for one decision only"),
            ("Misspelt", "Misspelt.choose_turns: there is no such choice"),
            ("Takes", "mine.py:43: Takes.choose_turn takes (self, hand); allowed: (self, view)"),
            ("Both", "methods with view and with batch"),
            ("Shape", "allowed: integers of shape (2,), an action for each row"),
            ("Far", f"Far.choose_turn returned {2**70}; allowed: an integer, the action"),
            ("Near", "'View' object has no attribute 'legal_discard'; did you mean 'legal_discards'?"),
            ("Wide", "Wide.choose_turn returned 9223372036854775813; allowed: integers"),
            ("Tiles", "returned 27 among the kinds to give; allowed: 0 to 26"),
            ("Field", "the table has no 'throwm'; did you mean 'thrown'?"),
            ("Writes", "read-only"),
            ("Later", "Later.choose_turn returned <coroutine object Later.choose_turn.<locals>.later>; allowed"),
            (
                "Suits",
                "mine.py:88: strategy mine.py:Suits at seat 0 gave .* in an exchange decision; held: .* legal: 3",
            ),
            ("Notes", "mine.py:92: the attribute 'seen' of Notes changed between calls"),
            ("Kepes", "no class 'Kepes' that chooses; there: Raises, .* did you mean 'Keeps'?"),
        ],
    )
    def test_mistakes(self, tmp_path, entry, said):
        path = write(tmp_path, CLASSES)
        with pytest.raises(BloodBattleError) as caught:
            play(f"{path}:{entry}")
        for part in said.split(" .* "):
            assert part in str(caught.value)

    def test_which_class_must_be_said(self, tmp_path):
        with pytest.raises(StrategyError, match=r"say which class is meant, as in .*mine.py:Raises"):
            load_strategy(write(tmp_path, CLASSES))
