"""Deals played answer by answer, so that a test can look at every state between two answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import ACCEPTED, answer, next_seat
from sim.engine.sichuan.deal import WALL_MODES, Deal
from sim.engine.sichuan.play import seating_number
from sim.engine.sichuan.setup import begin_deal, deal_tiles, draw_direction
from sim.engine.sichuan.table import EXCHANGE, TURN, VOID_SUIT
from sim.jit import new
from sim.rules.compile import compile_rules
from tests.differential.compare import Case, player
from tests.reference.scripts import slanted_wall

STRAIGHT = seating_number((0, 1, 2, 3))
"""Slot s sits at seat s."""


@dataclass
class Standing:
    """A deal under way. The arrays of one record are kept, since records are only views of them."""

    deals: Any
    all_rules: Any
    lookups: Any
    strategies: Sequence[Any]

    @property
    def deal(self) -> Any:
        return self.deals[0]

    @property
    def rules(self) -> Any:
        return self.all_rules[0]

    @property
    def lookup(self) -> Any:
        return self.lookups[0]

    def copy(self) -> Standing:
        """Return a deal of its own that stands as this one does."""
        return Standing(self.deals.copy(), self.all_rules, self.lookups, self.strategies)

    def answer(self, seat: int, action: int) -> None:
        """Give a legal answer."""
        assert answer(self.deal, seat, action, self.rules, self.lookup) == ACCEPTED, (seat, action)

    def choose(self, seat: int) -> int:
        """Ask the strategy at a seat."""
        return choose(self.strategies[seat], self, seat)


def begin(case: Case, *, lookups: Any = None, deals: Any = None) -> Standing:
    """Shuffle and deal, the log on; in a workspace and with hand tables of one's own, if they are given."""
    deals = new(Deal) if deals is None else deals
    deals[0].wall_mode = WALL_MODES.index(case.wall_mode)
    deals[0].is_logged = 1
    strategies = [player(name) for name in case.players]
    for seat, strategy in enumerate(strategies):
        deals[0].hands[seat].parameters[:] = strategy.parameters
    rules = compile_rules(case.preset)
    begin_deal(deals[0], rules[0], case.wall_seed, STRAIGHT)
    if case.is_slanted:
        deals[0].wall[:] = slanted_wall(random.Random(case.wall_seed))
        deal_tiles(deals[0], rules[0], draw_direction(case.wall_seed))
    return Standing(deals, rules, load_lookup() if lookups is None else lookups, strategies)


def choose(strategy: Any, standing: Standing, seat: int) -> int:
    """Ask a strategy for the decision that a seat has to make."""
    deal = standing.deal
    index = {EXCHANGE: 0, VOID_SUIT: 1, TURN: 2}.get(int(deal.table.decision), 3)
    return int(strategy.decisions[index](deal.hands[seat], deal.table, standing.rules, standing.lookup))


def walk(standing: Standing) -> Iterator[int]:
    """Play a deal to its end; before each answer yield the seat that gives it."""
    while (seat := int(next_seat(standing.deal))) != NONE:
        yield seat
        standing.answer(seat, standing.choose(seat))


def finish(standing: Standing) -> Standing:
    """Play a deal to its end."""
    for _ in walk(standing):
        pass
    return standing


def events_of(standing: Standing) -> list[list[int]]:
    """Return the log."""
    deal = standing.deal
    return np.asarray(deal.events[: deal.count_events]).tolist()


def lines_of(standing: Standing) -> list[tuple[int, ...]]:
    """Return the ledger in no particular order: cause, payer, payee, amount."""
    deal = standing.deal
    lines = range(deal.count_lines)
    columns = (deal.line_causes, deal.line_payers, deal.line_payees, deal.line_amounts)
    return sorted(tuple(int(column[line]) for column in columns) for line in lines)
