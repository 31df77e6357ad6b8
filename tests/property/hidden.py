"""Changing everything that a player does not see, and asking whether a decision follows.

A player at the table cannot see: the order of the tiles left in the wall, the concealed tiles of the other hands (also
of winners), the kinds of concealed kongs where the preset hides them, what the others answered before all have
answered, their locks, lots, memory and parameters, and anything that the engine keeps for itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.engine.hands.hand import CONCEALED_KONG, KINDS, NONE, RANKS, add_tile
from sim.engine.sichuan.advance import ask_claims, ask_robbing
from sim.engine.sichuan.deal import DEALT, PER_SEAT
from sim.engine.sichuan.table import CLAIM, SEATS, SELF_DRAW, TURN
from sim.engine.sichuan.turn import ask_turn, update_claims
from tests.property.tables import Standing, choose

PLACES = ("wall_mode", "front", "back", "queue_next", "queue_last", "is_logged", "count_events")
"""Fields of a deal that say where tiles and events lie; they hold no secret beyond the order of the wall."""
OFFERS = ("legal_win", "legal_pung", "legal_kongs", "legal_discards")


def undrawn(deal: Any) -> list[int]:
    """List the wall positions whose tiles are still to be drawn."""
    if deal.wall_mode != PER_SEAT:
        return list(range(deal.front, deal.back + 1))
    return [
        DEALT + ((seat + 3) & 3) + 4 * place
        for seat in range(SEATS)
        for place in range(deal.queue_next[seat], deal.queue_last[seat])
    ]


def shown_tile(deal: Any, seat: int) -> int:
    """Return the kind of a concealed tile that all have seen: the one that its owner won on by self-draw, or NONE."""
    return int(deal.table.win_tiles[seat]) if deal.table.win_forms[seat] == SELF_DRAW else NONE


def hidden_kongs(deal: Any, seat: int) -> list[tuple[int, int]]:
    """List the concealed kongs whose kind a seat does not see: owner and place among its melds."""
    return [
        (other, meld)
        for other in range(SEATS)
        if other != seat
        for meld in range(deal.hands[other].count_melds)
        if deal.table.meld_forms[other, meld] == CONCEALED_KONG and deal.table.meld_kinds[other, meld] == NONE
    ]


def concealed_tiles(hand: Any) -> Counter[int]:
    """Count the concealed tiles of a hand by kind."""
    return Counter({kind: int(count) for kind, count in enumerate(hand.counts) if count})


def permute_hidden(standing: Standing, seat: int, lots: random.Random) -> Standing:
    """Return the deal with all tiles that a seat does not see dealt anew among the places where they can be.

    Hands keep their sizes. What the engine notes about the other hands is stale afterwards.
    """
    other_world = standing.copy()
    deal = other_world.deal
    others = [other for other in range(SEATS) if other != seat]
    positions = undrawn(deal)
    pool = Counter(int(deal.wall[position]) for position in positions)
    kept = {other: Counter([shown_tile(deal, other)] if shown_tile(deal, other) != NONE else []) for other in others}
    sizes = {}
    for other in others:
        hidden = concealed_tiles(deal.hands[other]) - kept[other]
        sizes[other] = hidden.total()
        pool += hidden

    kongs = hidden_kongs(deal, seat)
    before = [int(deal.hands[owner].meld_kinds[meld]) for owner, meld in kongs]
    for kind in before:
        pool[kind] += 4
    whole = [kind for kind in sorted(pool) if pool[kind] == 4]
    chosen = before
    for _ in range(20):
        drawn = lots.sample(whole, len(kongs))
        if all(kind // RANKS != deal.hands[owner].void_suit for kind, (owner, _) in zip(drawn, kongs, strict=True)):
            chosen = drawn
            break
    for (owner, meld), kind, other_kind in zip(kongs, before, chosen, strict=True):
        hand = deal.hands[owner]
        hand.meld_kinds[meld] = other_kind
        hand.kongs ^= 1 << kind
        pool[other_kind] = 0
    for (owner, _), kind in zip(kongs, chosen, strict=True):
        deal.hands[owner].kongs ^= 1 << kind

    tiles = sorted(pool.elements())
    lots.shuffle(tiles)
    for position in positions:
        deal.wall[position] = tiles.pop()
    for other in others:
        hand = deal.hands[other]
        drawn = [tiles.pop() for _ in range(sizes[other])]
        for field in (hand.counts, hand.at_least, hand.keys, hand.sizes):
            field[:] = 0
        for kind in [*drawn, *kept[other].elements()]:
            add_tile(hand, kind)
        if hand.drawn != NONE:
            hand.drawn = lots.choice(drawn) if drawn else shown_tile(deal, other)
    assert not tiles
    return other_world


def spoil_private(standing: Standing, seat: int, lots: random.Random) -> Standing:
    """Fill with nonsense whatever a strategy at a seat has no business to see, tiles aside; change the deal itself."""
    deal = standing.deal
    noise = np.random.default_rng(lots.getrandbits(32))
    for name in deal.dtype.names:
        if name not in ("table", "hands", "wall", *PLACES):
            deal[name] = noise.integers(-9, 99, np.shape(deal[name]))
    for other in range(SEATS):
        if other != seat:
            hand = deal.hands[other]
            for name in ("given", "received"):
                hand[name] = noise.integers(0, KINDS, 4)
            hand.suit_order[:] = noise.permutation(3)
            hand.win_locked, hand.pung_locked = noise.integers(0, 2), noise.integers(0, 1 << KINDS)
            for name in OFFERS:
                hand[name] = noise.integers(0, 1 << KINDS)
            hand.lots = noise.integers(0, 1 << 63, dtype=np.uint64)
            hand.parameters[:] = noise.random(16)
            hand.memory[:] = noise.integers(-9, 99, 32)
    return standing


def decide(strategy: Any, standing: Standing, seat: int) -> tuple[int, bytes, str | None]:
    """Ask a strategy; return its choice, its hand afterwards, and what it changed that it must not."""
    deal = standing.deal
    deal.hands[seat].parameters[:] = strategy.parameters
    before, rules = standing.copy(), standing.all_rules.tobytes()
    chosen = choose(strategy, standing, seat)
    after = deal.hands[seat].tobytes()
    for name in ("lots", "memory"):
        before.deal.hands[seat][name] = deal.hands[seat][name]
    fault = None
    if after != before.deal.hands[seat].tobytes():
        fault = "its own hand"
    elif deal.table.tobytes() != before.deal.table.tobytes():
        fault = "the table"
    elif standing.all_rules.tobytes() != rules:
        fault = "the preset"
    elif deal.tobytes() != before.deal.tobytes():
        fault = "what it cannot even see"
    return chosen, after, fault


def find_leak(strategies: Sequence[Any], standing: Standing, seat: int, lots: random.Random) -> str | None:
    """Say which strategy cheats how in the decision that a seat has to make, or None; the deal stays as it is."""
    other_world = spoil_private(permute_hidden(standing, seat, lots), seat, lots)
    for strategy in strategies:
        chosen, hand, fault = decide(strategy, standing.copy(), seat)
        other, other_hand, other_fault = decide(strategy, other_world.copy(), seat)
        if fault or other_fault:
            return f"{strategy.name} changes {fault or other_fault}"
        if other != chosen:
            return f"{strategy.name} chooses {chosen}, and {other} when only hidden things differ"
        if other_hand != hand:
            return f"{strategy.name} remembers other things when only hidden things differ"
    return None


def offers_of(standing: Standing, seat: int) -> tuple[int, ...]:
    """Return what is legal for a seat in the decision that it is asked for."""
    return tuple(int(standing.deal.hands[seat][name]) for name in OFFERS)


def ask_again(standing: Standing, seat: int) -> tuple[int, ...]:
    """Let the engine ask a seat again once tiles were permuted, and return what is legal for it now."""
    deal, rules, lookup = standing.deal, standing.rules, standing.lookup
    decision = deal.table.decision
    for other in range(SEATS):
        if other != seat and deal.table.active[other] and other != deal.table.turn:
            update_claims(deal, other, rules, lookup)
    if decision == TURN:
        ask_turn(deal, seat, rules, lookup)
    elif decision == CLAIM:
        assert ask_claims(deal, rules)
    else:
        assert ask_robbing(deal)
    assert deal.asked >> seat & 1
    return offers_of(standing, seat)
