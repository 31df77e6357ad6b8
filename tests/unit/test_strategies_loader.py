"""Strategies by name and file: what is loaded, compiled, cached and refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, get_args

import pytest
from strategy_positions import LOOKUP, ask_claim, ask_opening, ask_turn, position

from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.decision import Decision, Decisions
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import PASS_ACTION, Table
from sim.errors import StrategyError
from sim.jit import CACHE, INTERPRETED, driver
from strategies.loader import CHOICES, load_source
from strategies.parameters import read_declared
from strategies.registry import list_strategies, load_strategy
from strategies.sources import digest_of, find_source, list_helpers

if TYPE_CHECKING:
    from pathlib import Path

HEADER = """
    from sim.engine.hands.hand import Hand, lowest_kind
    from sim.engine.hands.lookup import Lookup
    from sim.engine.sichuan.rules import Rules
    from sim.engine.sichuan.table import Table
"""


def write(folder: Path, body: str, name: str = "mine") -> Path:
    source = folder / f"{name}.py"
    source.write_text('"""Mine.\n\nMore.\n"""\n' + textwrap.dedent(HEADER) + textwrap.dedent(body))
    return source


def constant(action: int) -> str:
    return f"""
        def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
            return {action}
    """


@driver
def ask_each(decisions: Decisions, slots: int, hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Ask the slots named in base 4 one after another, and return the sum of their answers times powers of 128."""
    answers = 0
    for place in range(4):
        slot = (slots >> (2 * place)) & 3
        answers += decisions[slot](hand, table, rules, lookup) << (7 * place)
    return answers


class TestNames:
    def test_all_load_and_say_what_they_are(self):
        for name in list_strategies():
            strategy = load_strategy(name)
            assert read_declared(find_source(name)) == (strategy.about, strategy.declared)
            assert strategy.name == name
            assert strategy.source.name == f"{name}.py"
            assert strategy.about.endswith(".")
            assert strategy.parameters.shape == (16,)
            assert strategy.decisions == tuple(getattr(strategy, choice) for choice in CHOICES)

    @pytest.mark.parametrize(
        ("name", "close"), [("ukiere", "ukeire"), ("Shanten", "shanten"), ("first-legal", "first_legal")]
    )
    def test_an_unknown_name_is_refused_with_the_nearest(self, name, close):
        with pytest.raises(StrategyError) as caught:
            load_strategy(name)
        assert repr(name) in str(caught.value)
        assert f"did you mean {close!r}" in str(caught.value)
        assert all(known in str(caught.value) for known in list_strategies())

    def test_nonsense_has_no_nearest(self):
        with pytest.raises(StrategyError, match="there is no strategy 'xyz'") as caught:
            load_strategy("xyz")
        assert "did you mean" not in str(caught.value)

    def test_names_are_listed_without_numba(self):
        code = "import sys, strategies.registry as r; r.list_strategies(); sys.exit('numba' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

    def test_loading_one_leaves_the_others_alone(self):
        code = """
            import sys
            from strategies.registry import load_strategy
            load_strategy("first_legal")
            print(*sorted(name for name in sys.modules if name.startswith("strategies.linked.")))
        """
        printed = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
        ).stdout.split()
        assert [name.rpartition("_")[0] for name in printed] == ["strategies.linked.first_legal"]


class TestFiles:
    def test_what_a_file_leaves_out_comes_from_the_defaults(self, tmp_path):
        strategy = load_source("mine", write(tmp_path, constant(PASS_ACTION)))
        defaults = load_source("defaults", list_strategies_folder() / "defaults.py")
        assert strategy.choose_turn is defaults.choose_turn
        assert strategy.choose_exchange is defaults.choose_exchange
        assert strategy.choose_void_suit is defaults.choose_void_suit
        assert strategy.choose_claim is not defaults.choose_claim
        claim = ask_claim(position("123456m1112227p"), "7p")
        assert strategy.choose_claim(*claim) == PASS_ACTION
        assert strategy.about == "Mine."

    def test_parameters_are_declared_in_order(self, tmp_path):
        body = """
            PARAMETERS = {"first": (0.5, 0.0, 1.0, "the first"), "second": (3, 1, 4, "the second")}

            def choose_void_suit(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
                return int(hand.parameters[1]) - 1
        """
        strategy = load_source("mine", write(tmp_path, body))
        assert [(p.name, p.default, p.low, p.high, p.meaning) for p in strategy.declared] == [
            ("first", 0.5, 0.0, 1.0, "the first"),
            ("second", 3.0, 1.0, 4.0, "the second"),
        ]
        assert strategy.values == (0.5, 3.0)
        assert strategy.parameters.tolist() == [0.5, 3.0] + [0.0] * 14
        opening = ask_opening(position("1111222233334m", void_suit=NONE))
        opening.hand.parameters[:] = strategy.parameters
        assert strategy.choose_void_suit(*opening) == 2

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ("PARAMETERS = [1]", "PARAMETERS should be a dict"),
            ("PARAMETERS = {f'p{i}': (0, 0, 1, '') for i in range(17)}", "at most 16"),
            ("PARAMETERS = {'far': (2.0, 0.0, 1.0, 'too far')}", "'far' has the default 2.0, outside 0.0 to 1.0"),
            ("PARAMETERS = {'odd': 1.0}", "'odd' is declared as 1.0; it should be"),
            ("choose_turn = 3", "choose_turn is a int; it should be a plain function"),
            ("def choose_turn(hand, table):\n    return 1", r"mine.py:\d+: choose_turn takes \(hand, table\)"),
        ],
    )
    def test_a_file_that_is_not_right_is_refused(self, tmp_path, body, message):
        with pytest.raises(StrategyError, match=message) as caught:
            load_source("mine", write(tmp_path, body))
        assert "mine.py" in str(caught.value)

    def test_an_edit_is_never_served_stale(self, tmp_path):
        claim = ask_claim(position("123456m1112227p"), "7p")
        source = write(tmp_path, constant(64))
        before = source.stat()
        first = load_source("mine", source)
        write(tmp_path, constant(65))
        os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
        second = load_source("mine", source)
        assert source.stat().st_size == before.st_size
        assert first.digest != second.digest
        assert (first.choose_claim(*claim), second.choose_claim(*claim)) == (64, 65)
        write(tmp_path, constant(64))
        assert load_source("mine", source).choose_claim is first.choose_claim


def list_strategies_folder() -> Path:
    return load_strategy("ukeire").source.parent


class TestCompiled:
    def test_all_decisions_have_the_one_shape(self):
        arguments, answer = get_args(Decision)
        assert (arguments, answer) == ([Hand, Table, Rules, Lookup], int)
        assert get_args(Decisions) == (Decision,) * 4

    def test_a_driver_takes_any_mixture(self):
        mixtures = [("ukeire", "shanten", "isolation", "first_legal"), ("first_legal",) * 4]
        given = ask_turn(position("467m123456789p55p"))
        for names in mixtures:
            decisions = tuple(load_strategy(name).choose_turn for name in names)
            single = [int(decision(*given)) for decision in decisions]
            for slots in (0b11100100, 0b00011011, 0b01010101):
                answers = ask_each(decisions, slots, *given)
                assert [answers >> 7 * place & 127 for place in range(4)] == [
                    single[slots >> 2 * place & 3] for place in range(4)
                ]

    @pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
    def test_machine_code_is_found_by_other_processes(self):
        code = """
            import json
            from strategies.registry import list_strategies, load_strategy
            strategies = [load_strategy(name) for name in list_strategies()]
            print(json.dumps([sum(d.stats.cache_misses.values()) for s in strategies for d in s.decisions]))
        """
        for name in list_strategies():
            load_strategy(name)
        printed = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
        ).stdout
        assert json.loads(printed) == [0] * 4 * len(list_strategies())

    @pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
    def test_machine_code_is_kept_under_the_digest_of_its_sources(self):
        strategy = load_strategy("ukeire")
        folder = CACHE / "strategies" / digest_of(list_helpers()) / digest_of([strategy.source])
        assert list(folder.rglob("ukeire.choose_turn-*.nbi"))

    def test_helpers_are_all_sources_but_the_strategies(self):
        names = {source.stem for source in list_helpers()}
        assert {"common", "opening", "defaults", "compiling"} <= names
        assert not names & set(list_strategies())

    def test_a_digest_depends_on_names_and_contents(self, tmp_path):
        one, other = tmp_path / "one.py", tmp_path / "other.py"
        one.write_text("1")
        other.write_text("1")
        digests = [digest_of([one]), digest_of([other]), digest_of([one, other])]
        one.write_text("2")
        digests += [digest_of([one]), digest_of([one, other])]
        assert len(set(digests)) == len(digests)
        assert digest_of([one]) == digests[3]


def test_lookup_is_the_tables():
    assert LOOKUP.dtype == Lookup.dtype
