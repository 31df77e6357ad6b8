"""Positions for tests of strategies: what one player sees, made by hand or at random, and asked as the engine asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine_hands import kinds_in, make_hand

from sim.engine.hands.hand import KINDS, NONE, RANKS
from sim.engine.hands.lookup import load_lookup
from sim.engine.hands.waits import is_complete, mark_waits
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import CLAIM, EXCHANGE, TURN, VOID_SUIT, Table
from sim.jit import new
from sim.tiles import parse_counts, parse_tile

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

LOOKUP = load_lookup()[0]
ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


class Position(NamedTuple):
    """The four arguments of a decision."""

    hand: Any
    table: Any
    rules: Any
    lookup: Any


def make_rules(exchange_count: int = 3, *, discard_first: bool = True, blocks_calls: bool = True) -> Any:
    """Make a rule record with what decisions depend on."""
    rules = new(Rules)[0]
    rules.exchange_count = exchange_count
    rules.void_discard_first = discard_first
    rules.void_blocks_calls = blocks_calls
    return rules


def position(
    tiles: str | Sequence[int],
    melds: Sequence[str | int] = (),
    void_suit: int | None = None,
    *,
    seen: str | Sequence[int] = (),
    rules: Any = None,
) -> Position:
    """Make a position that nothing is asked in yet; `seen` lists tiles that everybody sees besides the own melds."""
    hand = make_hand(tiles, melds, void_suit)
    hand.suit_order[:] = sorted(range(3), key=lambda suit: -hand.keys[suit])
    hand.drawn = NONE
    table = new(Table)[0]
    table.seen[:] = parse_counts(seen) if isinstance(seen, str) else (seen or 0)
    for meld in range(hand.count_melds):
        table.seen[hand.meld_kinds[meld]] += 3 if hand.meld_forms[meld] == 0 else 4
    return Position(hand, table, make_rules() if rules is None else rules, LOOKUP)


def void_kinds(hand: Any) -> int:
    """Return the mask of the own void suit's kinds."""
    return 0x1FF << (RANKS * int(hand.void_suit))


def may_call(given: Position) -> bool:
    """Tell whether the player may pung or kong."""
    hand = given.hand
    return hand.sizes[hand.void_suit] == 0 or not given.rules.void_blocks_calls


def ask_opening(given: Position) -> Position:
    """Ask for the exchange and the void suit."""
    given.table.decision = EXCHANGE if given.hand.void_suit == NONE else VOID_SUIT
    return given


def ask_turn(given: Position) -> Position:
    """Ask a hand of 14 tiles for its turn."""
    hand, table, rules, lookup = given
    table.decision, table.turn, table.tile = TURN, hand.seat, NONE
    void = void_kinds(hand)
    hand.legal_win = int(is_complete(hand, lookup))
    hand.legal_pung = 0
    hand.legal_kongs = (hand.at_least[3] | (hand.at_least[0] & hand.pungs)) & ~void if may_call(given) else 0
    held = int(hand.at_least[0])
    hand.legal_discards = held & void if rules.void_discard_first and held & void else held
    return given


def ask_claim(given: Position, tile: str | int) -> Position:
    """Ask a hand of 13 tiles about another player's discard."""
    hand, table, _, lookup = given
    kind = parse_tile(tile) if isinstance(tile, str) else tile
    table.decision, table.turn, table.tile = CLAIM, (hand.seat + 1) % 4, kind
    table.seen[kind] += 1
    callable_kinds = ~void_kinds(hand) if may_call(given) else 0
    hand.legal_win = int(mark_waits(hand, lookup)) >> kind & 1
    hand.legal_pung = (int(hand.at_least[1]) & callable_kinds) >> kind & 1
    hand.legal_kongs = int(hand.at_least[2]) & callable_kinds & 1 << kind
    hand.legal_discards = 0
    return given


def deal_position(lots: random.Random, tiles: int, rules: Any = None) -> Position:
    """Deal a player tiles (14 or 13, less three a meld), melds, a void suit, and show some of the other tiles.

    Two thirds of the hands are cleared; every other hand leans towards few kinds, so that near hands come up too.
    """
    void_suit = lots.randrange(3)
    others = [kind for kind in range(KINDS) if kind // RANKS != void_suit]
    melds = lots.sample(others, lots.choice([0, 0, 0, 1, 2, 3]))
    allowed = others if lots.random() < 2 / 3 else list(range(KINDS))
    if lots.random() < 1 / 2:
        allowed = lots.sample(allowed, min(len(allowed), lots.randint(7, 12)))
    wall = [kind for kind in range(KINDS) for _ in range(4 - 3 * (kind in melds))]
    lots.shuffle(wall)
    held = [kind for kind in wall if kind in allowed][: tiles - 3 * len(melds)]
    counts = [held.count(kind) for kind in range(KINDS)]
    rest = [kind for kind in wall if kind not in held]
    shown = rest[: lots.randrange(len(rest))]
    if len(held) < tiles - 3 * len(melds):
        return deal_position(lots, tiles, rules)
    return position(counts, melds, void_suit, seen=[shown.count(kind) for kind in range(KINDS)], rules=rules)


def relabelled(given: Position, order: Sequence[int]) -> Position:
    """Return the same position with suit s called order[s]; nothing is asked in it yet."""
    hand, table = given.hand, given.table
    at = [RANKS * order[kind // RANKS] + kind % RANKS for kind in range(KINDS)]
    counts, seen = [0] * KINDS, [0] * KINDS
    for kind in range(KINDS):
        counts[at[kind]], seen[at[kind]] = int(hand.counts[kind]), int(table.seen[kind])
    melds = [at[int(kind)] for kind in hand.meld_kinds[: hand.count_melds]]
    for kind in melds:
        seen[kind] -= 3
    void_suit = order[int(hand.void_suit)] if hand.void_suit != NONE else NONE
    other = position(counts, melds, void_suit, seen=seen, rules=given.rules)
    other.hand.suit_order[:] = [order[int(suit)] for suit in hand.suit_order]
    return other


def legal_actions(given: Position) -> set[int]:
    """Return every action of a turn or a claim that is legal, by the masks."""
    hand, claim = given.hand, given.table.decision == CLAIM
    actions = {32 + kind for kind in kinds_in(hand.legal_kongs)} | set(kinds_in(hand.legal_discards))
    actions |= {64} if hand.legal_win else set()
    actions |= {66} if hand.legal_pung else set()
    return actions | ({65} if claim else set())
