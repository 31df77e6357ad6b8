"""What is done for a player whose time is up (rules, chapter 8 "Timeout")."""

from sim.engine.hands.hand import KINDS, NONE, RANKS, SUITS, Hand
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import EXCHANGE, PASS_ACTION, TURN, VOID_SUIT, WIN_ACTION
from sim.jit import kernel


@kernel
def first_tiles(hand: Hand, count: int) -> int:
    """Return the first tiles in hand order that are of one suit, packed as an exchange choice.

    Parameters
    ----------
    hand : Hand, read
        The hand; some suit has so many tiles.
    count : int64, read
        How many tiles.
    """
    suit = 0
    while hand.sizes[suit] < count:
        suit += 1
    packed = 0
    taken = 0
    for kind in range(RANKS * suit, RANKS * suit + RANKS):
        for _ in range(hand.counts[kind]):
            if taken < count:
                packed |= kind << (5 * taken)
                taken += 1
    return packed


@kernel
def timeout_action(hand: Hand, decision: int, rules: Rules) -> int:
    """Return what is done for a player whose time is up.

    A win if there is one; a pass; else the drawn tile if its discard is legal, else the last legal discard in hand
    order. The first tiles of one suit for the exchange, the suit with the fewest tiles for the void suit.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    decision : int64, read
        EXCHANGE, VOID_SUIT, TURN, CLAIM or ROB.
    rules : Rules, read
        The preset.
    """
    if decision == EXCHANGE:
        return first_tiles(hand, rules.exchange_count)
    if decision == VOID_SUIT:
        fewest = 0
        for suit in range(1, SUITS):
            if hand.sizes[suit] < hand.sizes[fewest]:
                fewest = suit
        return fewest
    if hand.legal_win:
        return WIN_ACTION
    if decision != TURN:
        return PASS_ACTION
    if hand.drawn != NONE and (hand.legal_discards >> hand.drawn) & 1:
        return int(hand.drawn)
    last = KINDS - 1
    while (hand.legal_discards >> last) & 1 == 0:
        last -= 1
    return last
