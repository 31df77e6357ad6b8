"""The one signature of a strategy's choices, as the engine calls them."""

from collections.abc import Callable

from sim.engine.hands.hand import Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table

Decision = Callable[[Hand, Table, Rules, Lookup], int]
"""A choice: the own hand, what everybody sees, the preset and the hand tables in, an action out."""
Decisions = tuple[Decision, Decision, Decision, Decision]
"""One kind of choice of the four line-up slots."""
LineUp = tuple[Decisions, Decisions, Decisions, Decisions]
"""Who plays: exchange, void suit, turn and claim choices, each of the four line-up slots."""
