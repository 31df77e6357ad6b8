"""What every strategy must keep, as tests that anybody can run on one.

Legal always, under every preset and in drawn ones; the same again when played again; fair: what is hidden does not
matter; nothing carried from one deal to another; alike whether alone or beside others; within its time. And of a
strategy that calls itself rule-blind: neither settlement-only knobs nor the points so far matter.
"""

from __future__ import annotations

import random
import shlex
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.hands.hand import KINDS, NONE, RANKS
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import ACCEPTED, answer, next_seat
from sim.engine.sichuan.columns import COLUMNS
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.play import play_and_settle, play_walls, seating_number
from sim.engine.sichuan.setup import begin_deal
from sim.engine.sichuan.table import DECISIONS, EXCHANGE, OVER, SEATS, TURN, VOID_SUIT
from sim.errors import BloodBattleError
from sim.jit import address_of, new
from sim.rng import wall_seed_of
from sim.rules import available_presets, load_preset
from sim.rules.compile import compile_rules
from sim.rules.words import count_of
from strategies.blindness import draw_points, draw_settlement, settlement_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strategies.loader import Strategy

ANSWER_LIMIT = 1.0
"""Most seconds that one answer may take, unless something else is said."""
TIMED_DEALS = 8
"""Deals in which each answer is timed."""
_LEAST_TURN = 5e-8
"""Least seconds a turn that are told: less cannot be told from the time of the engine."""
STRAIGHT = seating_number((0, 1, 2, 3))
_SEATINGS = np.array([[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]], dtype=np.int64)
_SETTLEMENTS = 12
"""How many other settlements a strategy that calls itself rule-blind plays under."""
_KNOBS: dict[str, tuple[Any, ...]] = {
    "exchange.direction": ("none", "left", "across", "right", "random"),
    "exchange.count": (1, 2, 3, 4),
    "void_suit.discard_first": (True, False),
    "void_suit.blocks_calls": (True, False),
    "win.multiple": (True, False),
    "win.self_draw": ("add_points", "add_fan", "none"),
    "pass.win_lock": ("until_next_draw", "none"),
    "pass.pung_lock": (True, False),
    "kong.concealed_visible": (True, False),
    "fan.cap": (1, 3, 5, "none"),
    "exhaustion.not_ready": ("highest_value", "none"),
}


@dataclass(frozen=True)
class Finding:
    """What one test found."""

    test: str
    """Which test."""
    fault: str | None
    """What is wrong; None if nothing is."""
    facts: str = ""
    """What it looked at."""
    replay: str = ""
    """The command that shows it."""


class Contract:
    """The tests, on one strategy.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    reference : str
        How it is named on a command line.
    walls : int
        Walls for each preset.
    seed : int
        Seed of the walls and of all that is drawn.
    answer_limit : float
        Most seconds that one answer may take; 0 for any time.
    clock : callable
        Gives the time, in seconds.
    """

    def __init__(
        self,
        strategy: Strategy,
        reference: str,
        *,
        walls: int = 24,
        seed: int = 1,
        answer_limit: float = ANSWER_LIMIT,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        from strategies.registry import load_strategy  # noqa: PLC0415 - the registry lists without what plays

        self.strategy = strategy
        self.reference = reference
        self.walls = walls
        self.answer_limit = answer_limit
        self.clock = clock
        self.seeds = np.array([wall_seed_of(seed, wall) for wall in range(walls)], dtype=np.int64)
        self.lots = random.Random(seed)  # noqa: S311 - a test's own stream
        self.others = [load_strategy(name) for name in ("ukeire", "random", "isolation")]
        self.presets: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in available_presets()]
        for _ in range(3):
            self.presets.append((self.presets[0][0], {key: self.lots.choice(values) for key, values in _KNOBS.items()}))

    def run(self) -> Iterator[Finding]:
        """Run all tests, and give what each finds as it is found."""
        tests: tuple[tuple[str, Callable[[str], Finding]], ...] = (
            ("legal under every preset", self.test_legal),
            ("the same when played again", self.test_reproducible),
            ("nothing carried between deals", self.test_independent),
            ("fair: hidden tiles do not matter", self.test_fair),
            *([("rule-blind, as it says", self.test_rule_blind)] if self.strategy.rule_blind else []),
            ("within its time", self.test_time),
        )
        for name, test in tests:
            try:
                yield test(name)
            except BloodBattleError as error:
                yield Finding(name, str(error), replay=getattr(error, "replay", ""))

    def test_legal(self, name: str) -> Finding:
        """Play it under every preset, alone, beside others and with both wall modes."""
        count = 0
        for preset, knobs in self.presets:
            rules = compile_rules(load_preset(preset, knobs))
            for mode in WALL_MODES:
                for line_up in ([self.strategy] * 4, [self.strategy, *self.others]):
                    self._play(rules, line_up, mode, preset, knobs)
                    count += len(self.seeds) * len(_SEATINGS)
        return Finding(name, None, f"{count_of(count, 'deal')}, {len(self.presets)} presets (3 of them drawn)")

    def test_reproducible(self, name: str) -> Finding:
        """Play the same deals twice."""
        preset, knobs = self.presets[0]
        rules = compile_rules(load_preset(preset, knobs))
        first, second = (self._play(rules, [self.strategy] * 4, "shared", preset, knobs) for _ in range(2))
        return self._compare(name, first, second, self.seeds, "the same deals played again give another result")

    def test_independent(self, name: str) -> Finding:
        """Play the same deals in the other order, and some of them alone."""
        preset, knobs = self.presets[0]
        rules = compile_rules(load_preset(preset, knobs))
        first = self._play(rules, [self.strategy, *self.others], "shared", preset, knobs)
        turned = play_walls(rules, [self.strategy, *self.others], self.seeds[::-1], _SEATINGS, "shared")
        size = len(_SEATINGS) * SEATS
        turned = turned.reshape(len(COLUMNS), -1, size)[:, ::-1].reshape(len(COLUMNS), -1)
        found = self._compare(name, first, turned, self.seeds, "a deal gives another result after other deals")
        if found.fault is not None:
            return found
        alone = [
            play_walls(rules, [self.strategy, *self.others], seed, _SEATINGS, "shared") for seed in self.seeds[:4, None]
        ]
        return self._compare(
            name,
            first[:, : 4 * size],
            np.concatenate(alone, axis=1),
            self.seeds[:4],
            "a deal alone gives another result",
        )

    def test_fair(self, name: str) -> Finding:
        """Ask it again in the same position with other tiles hidden, in one of seven decisions."""
        looked = 0
        for number, seed in enumerate(self.seeds[:12]):
            preset, knobs = self.presets[number % len(self.presets)]
            rules, lookup = compile_rules(load_preset(preset, knobs))[0], load_lookup()[0]
            for step, (deals, seat) in enumerate(walk([self.strategy] * 4, rules, lookup, int(seed))):
                if step % 7 != number % 7 and deals[0].table.decision < TURN:
                    continue
                other = permute_hidden(deals, seat, self.lots)
                chosen = [self._ask_copy(world, deals, seat, rules, lookup) for world in (deals, other)]
                looked += 1
                if chosen[0] != chosen[1]:
                    decision = DECISIONS[deals[0].table.decision]
                    what = f"seat {seat} chose {chosen[0]} in a {decision} decision, and {chosen[1]} with others hidden"
                    return Finding(name, what, replay=self._command(preset, knobs, int(seed), "0123"))
        return Finding(name, None, f"{looked:,} decisions asked again with other tiles hidden")

    def test_rule_blind(self, name: str) -> Finding:
        """Ask it again under other settlement-only knobs and with other points; settle deals, and play them, again."""
        looked = 0
        for number, seed in enumerate(self.seeds[:12]):
            preset, knobs = self.presets[number % len(self.presets)]
            other_knobs = draw_settlement(preset, knobs, self.lots)
            lookup = load_lookup()[0]
            rules, other_rules = (compile_rules(load_preset(preset, both))[0] for both in (knobs, other_knobs))
            for step, (deals, seat) in enumerate(walk([self.strategy] * 4, rules, lookup, int(seed))):
                if step % 3 != number % 3 and deals[0].table.decision >= TURN:
                    continue
                other = deals.copy().view(np.recarray)
                other[0].table.points[:] = draw_points(self.lots)
                chosen = self._ask_copy(deals, deals, seat, rules, lookup)
                changed = self._ask_copy(other, deals, seat, other_rules, lookup)
                looked += 1
                if chosen == changed:
                    continue
                why = "with other settlement-only knobs and points so far"
                if self._ask_copy(other, deals, seat, rules, lookup) != chosen:
                    why = f"with {other[0].table.points.tolist()} points so far"
                for key in ("fan.cap", *settlement_values()):  # the cap first: with it any other knob is allowed
                    one = {**knobs, key: other_knobs[key], "fan.cap": other_knobs["fan.cap"]}
                    if self._ask_copy(deals, deals, seat, compile_rules(load_preset(preset, one))[0], lookup) != chosen:
                        why = f"with {key} = {other_knobs[key]}"
                        break
                decision = DECISIONS[deals[0].table.decision]
                what = f"seat {seat} chose {chosen} in a {decision} decision, and {changed} {why}"
                return Finding(name, what, replay=self._command(preset, knobs, int(seed), "0123"))
        preset, knobs = self.presets[0]
        drawn = [draw_settlement(preset, knobs, self.lots) for _ in range(_SETTLEMENTS)]
        others = [compile_rules(load_preset(preset, each)) for each in drawn]
        rules, line_up, seeds = compile_rules(load_preset(preset, knobs)), [self.strategy] * 4, self.seeds[:3]
        _, settled = play_and_settle(rules, line_up, seeds, _SEATINGS, "shared", others)
        for other, expected in zip(others, settled, strict=True):
            played = play_walls(other, line_up, seeds, _SEATINGS, "shared")
            what = "a deal goes on otherwise under other settlement-only knobs"
            found = self._compare(name, expected, played, seeds, what)
            if found.fault is not None:
                return found
        deals = len(others) * len(seeds) * len(_SEATINGS)
        return Finding(name, None, f"{looked:,} decisions asked again, {deals} deals settled and played again")

    def test_time(self, name: str) -> Finding:
        """Measure each of its answers, and its time at the table against a seat that costs next to nothing."""
        from strategies.registry import load_strategy  # noqa: PLC0415

        preset, _ = self.presets[0]
        rules, lookup = compile_rules(load_preset(preset)), load_lookup()[0]
        answers: list[tuple[float, str, int, int]] = []

        def ask(who: Strategy, deals: Any, seat: int, rules: Any, lookup: Any) -> int:
            decision = DECISIONS[deals[0].table.decision]
            start = self.clock()
            action = choose(who, deals, seat, rules, lookup)
            answers.append((self.clock() - start, decision, seat, int(seed)))
            return action

        for seed in self.seeds[:TIMED_DEALS]:
            for _ in walk([self.strategy] * 4, rules[0], lookup, int(seed), ask):
                pass
        median = float(np.median([spent for spent, *_ in answers]))
        longest, decision, seat, slowest = max(answers)
        facts = f"median {show_time(median)}, longest {show_time(longest)} of {count_of(len(answers), 'answer')}"
        if self.answer_limit and longest > self.answer_limit:
            what = (
                f"seat {seat} took {show_time(longest)} to answer in a {decision} decision; allowed:"
                f" {show_time(self.answer_limit)} (--answer-limit); {facts}"
            )
            return Finding(name, what, replay=self._command(preset, {}, slowest, "0123"))
        plain = load_strategy("first_legal")
        spent = {}
        for who in (plain, self.strategy):
            start = self.clock()
            columns = play_walls(rules, [who] * 4, self.seeds, _SEATINGS, "shared")
            spent[who.name] = max(self.clock() - start, 1e-9)
        turns = int(columns[[column.name for column in COLUMNS].index("turns")].sum())
        extra = max(0.0, spent[self.strategy.name] - spent[plain.name])
        deals = len(self.seeds) * len(_SEATINGS)
        rate = deals / spent[self.strategy.name]
        turn = f"about {extra / turns * 1e6:,.1f} µs a turn, " if extra / turns >= _LEAST_TURN else ""
        return Finding(name, None, f"{facts}; {turn}{rate:,.0f} deals/s in self-play")

    def _ask_copy(self, world: Any, deals: Any, seat: int, rules: Any, lookup: Any) -> int:
        """Ask in a copy of a deal, of somebody who remembers what the one at the table does."""
        copied = world.copy().view(np.recarray)
        fork = getattr(self.strategy.handle, "fork", None)
        if fork is not None:
            fork(address_of(deals[0].hands[seat]), address_of(copied[0].hands[seat]))
        return choose(self.strategy, copied, seat, rules, lookup)

    def _play(self, rules: Any, line_up: list[Strategy], mode: str, preset: str, knobs: dict[str, Any]) -> Any:
        """Play all walls; a failure says how to replay it."""
        try:
            return play_walls(rules, line_up, self.seeds, _SEATINGS, mode)
        except BloodBattleError as error:
            if error.place is not None:
                wall, seating = error.place
                error.replay = self._command(  # type: ignore[attr-defined]
                    preset, knobs, int(self.seeds[wall]), "".join(map(str, _SEATINGS[seating])), mode, line_up
                )
            raise

    def _compare(self, name: str, first: Any, second: Any, seeds: Any, what: str) -> Finding:
        """Compare the columns of two plays."""
        if np.array_equal(first, second):
            return Finding(name, None, count_of(len(seeds) * len(_SEATINGS), "deal"))
        row = int(np.flatnonzero((first != second).any(axis=0))[0])
        wall, place = divmod(row // SEATS, len(_SEATINGS))
        preset, knobs = self.presets[0]
        seating = "".join(map(str, _SEATINGS[place]))
        return Finding(name, what, replay=self._command(preset, knobs, int(seeds[wall]), seating))

    def _command(
        self,
        preset: str,
        knobs: dict[str, Any],
        seed: int,
        seating: str,
        mode: str = "shared",
        line_up: list[Strategy] | None = None,
    ) -> str:
        """Return the command that replays a deal."""
        names = [self.reference if who is self.strategy else who.name for who in line_up or [self.strategy]]
        names = names[:1] if len(set(names)) == 1 else names
        sets = [f"--set {key}={str(value).lower()}" for key, value in knobs.items()]
        parts = [
            f"bloodbattle deal --preset {preset} --wall-seed {seed}",
            *([f"--seating {seating}"] if seating != "0123" else []),
            *([f"--wall-mode {mode}"] if mode != "shared" else []),
            f"--strategies {shlex.quote(','.join(names))}",
            *sets,
        ]
        return " ".join(parts)


def choose(strategy: Any, deals: Any, seat: int, rules: Any, lookup: Any) -> int:
    """Ask a strategy for the decision that a seat has to make, as the engine does.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    deals : recarray of Deal, shape (1,)
        The deal.
    seat : int
        The seat.
    rules : Rules record
        The preset.
    lookup : Lookup record
        Hand tables.

    Raises
    ------
    BloodBattleError
        What it raised.
    """
    deal = deals[0]
    place = {EXCHANGE: 0, VOID_SUIT: 1, TURN: 2}.get(int(deal.table.decision), 3)
    action = int(strategy.decisions[place](deal.hands[seat], deal.table, rules, lookup))
    error = strategy.take_error()
    if error is not None:
        raise error
    return action


def show_time(seconds: float) -> str:
    """Write a time in the unit that suits it.

    Parameters
    ----------
    seconds : float
        The time, in seconds.

    Examples
    --------
    >>> show_time(0.0000025), show_time(0.04), show_time(2)
    ('2.5 µs', '40 ms', '2 s')
    """
    unit, factor = ("µs", 1e6) if seconds < 1e-3 else ("ms", 1e3) if seconds < 1 else ("s", 1.0)
    return f"{seconds * factor:.3g} {unit}"


def walk(
    line_up: list[Any],
    rules: Any,
    lookup: Any,
    wall_seed: int,
    ask: Callable[[Any, Any, int, Any, Any], int] = choose,
) -> Iterator[tuple[Any, int]]:
    """Play a deal answer by answer; before each answer give the deal and the seat.

    Parameters
    ----------
    line_up : list of 4 strategies
        Who plays at each seat.
    rules : Rules record
        The preset.
    lookup : Lookup record
        Hand tables.
    wall_seed : int
        The wall seed.
    ask : callable
        Asks a strategy, as `choose` does.
    """
    deals = new(Deal)
    deal = deals[0]
    for seat, strategy in enumerate(line_up):
        deal.hands[seat].parameters[:] = strategy.parameters
    begin_deal(deal, rules, wall_seed, STRAIGHT)
    while deal.table.decision != OVER and (seat := int(next_seat(deal))) != NONE:
        yield deals, seat
        if answer(deal, seat, ask(line_up[seat], deals, seat, rules, lookup), rules, lookup) != ACCEPTED:
            return  # another test tells of illegal choices


def permute_hidden(deals: Any, seat: int, lots: random.Random) -> Any:
    """Return the same deal with what a seat cannot see dealt anew: the others' concealed tiles and the wall.

    Parameters
    ----------
    deals : recarray of Deal, shape (1,)
        The deal; left as it is.
    seat : int
        Who must not notice.
    lots : random.Random
        Where the permutation comes from.

    Returns
    -------
    recarray of Deal, shape (1,)
        Another deal; hands keep their sizes. What is noted about other hands follows their tiles no more, so it is good
        only for asking this seat.
    """
    other = deals.copy().view(np.recarray)
    deal = other[0]
    hidden = [seat_ for seat_ in range(SEATS) if seat_ != seat]
    tiles = [kind for owner in hidden for kind in range(KINDS) for _ in range(int(deal.hands[owner].counts[kind]))]
    first, last = int(deal.front), int(deal.back) + 1
    pool = [*tiles, *deal.wall[first:last].tolist()]
    lots.shuffle(pool)
    for owner in hidden:
        hand = deal.hands[owner]
        size = int(hand.counts.sum())
        drawn, pool = pool[:size], pool[size:]
        counts = np.bincount(drawn, minlength=KINDS)
        hand.counts[:] = counts
        for least in range(4):
            hand.at_least[least] = sum(1 << kind for kind in range(KINDS) if counts[kind] > least)
        for suit in range(3):
            own = counts[RANKS * suit : RANKS * suit + RANKS]
            hand.sizes[suit] = own.sum()
            hand.keys[suit] = int((own * 5 ** np.arange(RANKS)).sum())
    deal.wall[first:last] = pool
    return other
