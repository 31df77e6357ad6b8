"""What a decision costs in each way of writing a strategy, native, Python and batch.

Two tables: the documented example of each way, which are three strategies; and one idea written three times, which
plays the same deals whatever the way. All are timed in turns, in processor time, so that a busy machine does them all
the same wrong.
"""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup, load_lookup
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.decision import LineUp
from sim.engine.sichuan.play import ask, line_up_of, play_walls, seating_number
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import begin_deal
from sim.errors import InvariantError
from sim.jit import Floats2, Ints, Records, driver, new
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy
from strategies.scaffold import KINDS, write_template

PRESET = "mahjong-planet"
COUNTED_DEALS = 60
"""Deals in which decisions are counted."""
_SEATING = np.arange(4, dtype=np.int64).reshape(1, 4)

NATIVE = '''"""The widest way to ready, native."""

from sim.engine.hands.shanten import count_shanten_without, mark_useful_without
from sim.engine.sichuan.table import PASS_ACTION, WIN_ACTION
from strategies.calculator import count_live_tiles


def choose_turn(hand, table, rules, lookup):
    if hand.legal_win:
        return WIN_ACTION
    best, least = -1, 100_000
    for kind in range(27):
        if (hand.legal_discards >> kind) & 1:
            useful = count_live_tiles(hand, table, mark_useful_without(hand, kind, hand.void_suit, lookup))
            cost = 100 * count_shanten_without(hand, kind, hand.void_suit, lookup) - useful
            if cost < least:
                best, least = kind, cost
    return best


def choose_claim(hand, table, rules, lookup):
    return WIN_ACTION if hand.legal_win else PASS_ACTION
'''

PYTHON = '''"""The widest way to ready, Python."""

from strategies.observation import PASS, WIN


class Widest:
    def choose_turn(self, view):
        if view.legal_win:
            return WIN
        return min(view.choices(), key=lambda choice: (100 * choice.shanten - choice.useful, choice.kind)).kind

    def choose_claim(self, view):
        return WIN if view.legal_win else PASS
'''

BATCH = '''"""The widest way to ready, batch."""

import numpy as np

from strategies.batch import PASS, WIN


class Widest:
    def choose_turn(self, batch):
        steps, useful = batch.choices()
        return np.where(batch.legal[:, WIN], WIN, (100 * steps - useful).argmin(axis=1))

    def choose_claim(self, batch):
        return np.where(batch.legal[:, WIN], WIN, PASS)
'''

IDEA = {"native": NATIVE, "python": PYTHON, "batch": BATCH}


@dataclass(frozen=True)
class Way:
    """One strategy's cost."""

    what: str
    """``example`` (the documented one) or ``same idea``."""
    way: str
    """native, python or batch."""
    decisions: float
    """Decisions a deal, of all four seats."""
    nanoseconds: float
    """Processor time a decision, the whole deal counted, in nanoseconds."""
    deals_per_second: float
    """Deals in a second of one core, in self-play."""
    to_native: float
    """Nanoseconds over those of the native one of the same table."""


@driver
def count_decisions(
    deals: Records[Deal],
    line_up: LineUp,
    parameters: Floats2,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    wall_seeds: Ints,
    slots: int,
) -> int:
    """Play deals answer by answer; return how many answers were given, or NONE if one was illegal.

    Parameters
    ----------
    deals : Deal[1], changed
        Workspace.
    line_up : tuple of 4 tuples of 4 functions, read
        Exchange, void suit, turn and claim choices of each slot.
    parameters : float64[4, 16], read
        Parameters of each slot's strategy.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    wall_seeds : int64[walls], read
        Seed of each wall.
    slots : int64, read
        Line-up slot of each seat: sum of slot[seat] * 4 ** seat.
    """
    deal = deals[0]
    count = 0
    for wall in range(wall_seeds.shape[0]):
        for seat in range(4):
            for place in range(16):
                deal.hands[seat].parameters[place] = parameters[(slots >> (2 * seat)) & 3, place]
        begin_deal(deal, all_rules[0], wall_seeds[wall], slots)
        while True:
            seat = next_seat(deal)
            if seat == NONE:
                break
            count += 1
            action = ask(deal, seat, (slots >> (2 * seat)) & 3, line_up, all_rules[0], lookups[0])
            if answer(deal, seat, action, all_rules[0], lookups[0]) == ILLEGAL:
                return NONE
    return count


class _Player:
    """One strategy, timed."""

    def __init__(self, what: str, way: str, text: str, folder: Path) -> None:
        path = folder / f"{what.replace(' ', '_')}_{way}.py"
        path.write_text(text, encoding="utf-8")
        self.what, self.way = what, way
        self.line_up = [load_strategy(str(path))] * 4
        self.rules = compile_rules(load_preset(PRESET))
        self.spent = float("inf")
        """Seconds a deal."""
        self.deals = 40

    def seeds(self, count: int) -> Any:
        return np.array([wall_seed_of(1, wall) for wall in range(count)], dtype=np.int64)

    def play(self, count: int) -> Any:
        return play_walls(self.rules, self.line_up, self.seeds(count), _SEATING, "shared")

    def time(self, seconds: float) -> None:
        """Time it, for about so long as is wanted; the best time counts."""
        start = time.process_time()
        self.play(self.deals)
        spent = max(time.process_time() - start, 1e-6)
        self.spent = min(self.spent, spent / self.deals)
        self.deals = max(40, min(200_000, int(seconds / self.spent)))

    def count(self) -> float:
        """Count decisions a deal."""
        parameters = np.array([strategy.parameters for strategy in self.line_up], dtype=np.float64)
        slots = seating_number((0, 1, 2, 3))
        given = (new(Deal), line_up_of(self.line_up), parameters, self.rules, load_lookup())
        count = count_decisions(*given, self.seeds(COUNTED_DEALS), slots)
        if count == NONE:
            raise InvariantError(f"{self.what}, {self.way}: an illegal action; please report this defect")
        return float(count / COUNTED_DEALS)


def time_ways(seconds: float, rounds: int = 5) -> list[Way]:
    """Time the ways of writing a strategy.

    Parameters
    ----------
    seconds : float
        How long each is timed, in seconds of processor time.
    rounds : int
        In how many turns; the best one counts.

    Returns
    -------
    list of Way
        The documented examples, then the same idea in each way.

    Raises
    ------
    InvariantError
        The same idea played other deals in another way: a defect of ours.
    """
    with tempfile.TemporaryDirectory(prefix="bloodbattle-") as name:
        folder = Path(name)
        players = [_Player("example", way, write_template("careful", way), folder) for way in KINDS]
        players += [_Player("same idea", way, IDEA[way], folder) for way in KINDS]
        same = [player.play(COUNTED_DEALS) for player in players if player.what == "same idea"]
        if not all(np.array_equal(same[0], other) for other in same):
            raise InvariantError("one idea played other deals when written in another way; please report this defect")
        for turn in range(rounds + 1):
            for player in players:
                player.time(seconds / rounds if turn else 0.0)
        found = []
        for player in players:
            decisions = player.count()
            native = next(other for other in players if other.what == player.what and other.way == "native")
            nanoseconds = player.spent / decisions * 1e9
            to_native = nanoseconds / (native.spent / native.count() * 1e9)
            found.append(Way(player.what, player.way, decisions, nanoseconds, 1 / player.spent, to_native))
        return found
