"""Players for tests: one that chooses at random, and one that plays towards ready with configurable vices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tests.reference.hands import shanten, useful_tiles
from tests.reference.records import KINDS, KONG, PASS, PUNG, WIN, Decision, suit_of
from tests.reference.table import unpack_pick

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from tests.reference.referee import Referee


class Player(Protocol):
    """Anything that picks one of a decision's legal choices."""

    def choose(self, referee: Referee, decision: Decision) -> int:
        """Pick a legal choice."""
        ...


@dataclass
class RandomPlayer:
    """Every legal choice is equally likely."""

    lots: random.Random

    def choose(self, referee: Referee, decision: Decision) -> int:  # noqa: ARG002 - it looks at nothing
        """Pick any legal choice."""
        return self.lots.choice(sorted(decision.legal))


@dataclass
class GreedyPlayer:
    """Plays towards ready; the vices bring about what sensible play seldom shows.

    Parameters
    ----------
    lots
        Its own random numbers.
    lazy
        Probability of declining a win that is offered.
    grabby
        Probability of calling a pung that brings the hand nothing.
    hoarder
        Names its longest suit void, and so ends as a flower pig.
    wild
        Probability of a discard at random.
    """

    lots: random.Random
    lazy: float = 0.0
    grabby: float = 0.0
    hoarder: bool = False
    wild: float = 0.0

    def choose(self, referee: Referee, decision: Decision) -> int:
        """Pick a legal choice."""
        seat, legal = decision.seat, sorted(decision.legal)
        hand = referee.hands[seat]
        if decision.kind == "exchange":
            return self._exchange(hand, legal, referee.preset.exchange.count)
        if decision.kind == "void_suit":
            sizes = [sum(hand[9 * suit : 9 * suit + 9]) for suit in range(3)]
            return sizes.index(max(sizes) if self.hoarder else min(sizes))
        if WIN in legal and self.lots.random() >= self.lazy:
            return WIN
        if decision.kind == "rob":
            return PASS
        kongs = [action for action in legal if KONG <= action < WIN]
        if kongs and self.lots.random() < 0.95:
            return self.lots.choice(kongs)
        if decision.kind == "claim":
            return PUNG if PUNG in legal and self._wants_pung(referee, seat, decision.tile) else PASS
        return self._discard(referee, seat, [action for action in legal if action < KONG])

    def _exchange(self, hand: Sequence[int], legal: list[int], count: int) -> int:
        """Of a few picks, half of them of the shortest suit, give the one that leaves the hand nearest to ready."""
        sizes = [sum(hand[9 * suit : 9 * suit + 9]) for suit in range(3)]
        least = min(sizes[suit_of(pick % 32)] for pick in legal)
        short = [pick for pick in legal if sizes[suit_of(pick % 32)] == least]
        picks = self.lots.sample(short, min(4, len(short))) + self.lots.sample(legal, min(4, len(legal)))

        def distance(pick: int) -> int:
            rest = list(hand)
            for kind in unpack_pick(pick, count):
                rest[kind] -= 1
            return min(shanten(rest, 0, void) for void in range(3))

        return min(picks, key=distance)

    def _wants_pung(self, referee: Referee, seat: int, kind: int | None) -> bool:
        assert kind is not None
        if self.lots.random() < self.grabby:
            return True
        hand, melds, void = list(referee.hands[seat]), len(referee.melds[seat]), referee.void[seat]
        now = shanten(hand, melds, void)
        hand[kind] -= 2
        return min(shanten(rest, melds + 1, void) for rest in _after_each_discard(hand)) < now

    def _discard(self, referee: Referee, seat: int, legal: list[int]) -> int:
        if self.lots.random() < self.wild:
            return self.lots.choice(legal)
        hand, melds, void = referee.hands[seat], len(referee.melds[seat]), referee.void[seat]
        distance = {kind: shanten(_less(hand, kind), melds, void) for kind in legal}
        near = [kind for kind in legal if distance[kind] == min(distance.values())]
        if len(near) == 1 or min(distance.values()) > 2:  # far from ready useful tiles say little and cost much
            return self.lots.choice(near)
        uses = {kind: len(useful_tiles(_less(hand, kind), melds, void)) for kind in near}
        return self.lots.choice([kind for kind in near if uses[kind] == max(uses.values())])


def _less(hand: Sequence[int], kind: int) -> list[int]:
    rest = list(hand)
    rest[kind] -= 1
    return rest


def _after_each_discard(hand: Sequence[int]) -> list[list[int]]:
    return [_less(hand, kind) for kind in range(KINDS) if hand[kind]]


def play(
    referee: Referee, players: Sequence[Player], after_step: Callable[[Referee], None] | None = None
) -> list[tuple[int, int]]:
    """Play a deal to its end; returns all choices in the order given, as pairs of seat and action."""
    choices = []
    while referee.pending:
        seat, decision = next(iter(referee.pending.items()))
        action = players[seat].choose(referee, decision)
        referee.answer(seat, action)
        choices.append((seat, action))
        if after_step is not None:
            after_step(referee)
    return choices
