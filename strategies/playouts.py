"""Choosing by roll-outs: the same sampled worlds, played to their end once after each choice.

All choices are tried in the same worlds, so that luck that has nothing to do with them cancels out: what counts is the
mean of the differences to the first choice, in points, and its standard error. A choice that is behind by more than a
standard error is dropped, and what it would have cost goes into the others. Everybody plays fast in a world: the
player by `strategies.aiming` without danger, since what a choice promises shows only if it is followed up, and the
others by width. Modelled on perfect information Monte Carlo search of card programs and on the paired roll-outs of the
strongest public Blood Battle programs. Not in here: which choices are tried (`rollout`), and how worlds are sampled
(`strategies.worlds`).
"""

import numpy as np

from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.advance import ACCEPTED, answer, next_seat
from sim.engine.sichuan.deal import TILES, Deal
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import EXCHANGE, TURN, VOID_SUIT, Table
from sim.jit import Ints
from strategies.aiming import choose_claim_by_worth, choose_turn_by_worth, choose_void_suit_by_worth
from strategies.common import claim_what_helps, discard_for_width, win_or_kong
from strategies.compiling import helper, inlined_helper
from strategies.opening import choose_cheapest_void_suit, give_loneliest_tiles
from strategies.worlds import sample_world, show_deal

_DEAL = Deal.dtype  # type: ignore[attr-defined]  # set by `record`
_WORDS = _DEAL.itemsize // 8
_COPIED = _DEAL.fields["events"][1] // 8
"""Words of a deal before its log, which worlds do not keep."""
_INSTALMENTS = 8
"""Parts of the budget; after each, choices that are behind are dropped."""


@helper
def choose_as_player(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> int:
    """Return what the player who samples does in a world.

    Parameters
    ----------
    deal : Deal, changed
        The world; left as it was.
    seat : int64, read
        The player's seat, which is asked.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table, hand = deal.table, deal.hands[seat]
    if table.decision == TURN:
        return choose_turn_by_worth(hand, table, rules, lookup, 0.0)
    if table.decision == VOID_SUIT:
        return choose_void_suit_by_worth(hand, table, rules, lookup)
    return choose_claim_by_worth(hand, table, rules, lookup, 0.0, 0.0)


@helper
def choose_as_opponent(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> int:
    """Return what an opponent does in a world.

    Parameters
    ----------
    deal : Deal, changed
        The world; left as it was.
    seat : int64, read
        The opponent's seat, which is asked.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table, hand = deal.table, deal.hands[seat]
    if table.decision == TURN:
        action = win_or_kong(hand, lookup)
        return action if action != NONE else discard_for_width(hand, table, lookup)
    if table.decision == EXCHANGE:
        return give_loneliest_tiles(hand, rules, lookup)
    if table.decision == VOID_SUIT:
        return choose_cheapest_void_suit(hand, lookup)
    return claim_what_helps(hand, table, lookup)


@helper
def play_on(deal: Deal, me: int, action: int, rules: Rules, lookup: Lookup) -> int:
    """Play a world on after a player's choice, until that player has won or the deal is over; return its points.

    Parameters
    ----------
    deal : Deal, changed
        The world.
    me : int64, read
        Seat of the player, who is asked.
    action : int64, read
        What the player chooses.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    status = answer(deal, me, action, rules, lookup)
    while status == ACCEPTED and table.active[me]:
        seat = next_seat(deal)
        if seat == NONE:
            break
        if seat == me:
            action = choose_as_player(deal, seat, rules, lookup)
        else:
            action = choose_as_opponent(deal, seat, rules, lookup)
        status = answer(deal, seat, action, rules, lookup)
    return int(table.points[me])


@inlined_helper
def error_of_mean(total: float, squares: float, count: int) -> float:
    """Return the standard error of a mean.

    Parameters
    ----------
    total : float64, read
        Sum of the values.
    squares : float64, read
        Sum of their squares.
    count : int64, read
        How many there are, at least one.
    """
    mean = total / count
    return float(np.sqrt(max(0.0, squares / count - mean * mean) / max(1, count - 1)))


@helper
def choose_by_playouts(
    hand: Hand, table: Table, rules: Rules, lookup: Lookup, choices: Ints, count: int, budget: int, sureness: float
) -> int:
    """Return the choice after which a player gains most in sampled worlds; the first one unless another surely does.

    Parameters
    ----------
    hand : Hand, changed
        The player's hand, whose lots move on.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    choices : int64[count or more], changed
        Legal actions, the one by judgement first; others move up when one is dropped.
    count : int64, read
        How many there are, at least one.
    budget : int64, read
        Roll-outs that may be made: worlds played to their end.
    sureness : float64, read
        Standard errors by which the mean gain of another choice must be above 0.
    """
    if count == 1 or budget < _INSTALMENTS * count:
        return int(choices[0])
    words = np.zeros(2 * _WORDS, dtype=np.int64)
    deals = words.view(_DEAL)
    hidden = np.zeros(TILES, dtype=np.int64)
    gains, squares = np.zeros(count), np.zeros(count)
    show_deal(deals[0], hand, table, rules)
    worlds = 0
    for _ in range(_INSTALMENTS):
        more = budget // (_INSTALMENTS * count)
        for _ in range(more):
            sample_world(deals[0], hand, rules, lookup, hidden)
            first = 0
            for choice in range(count):
                for word in range(_COPIED):  # a slice would do too, but takes seconds to compile
                    words[_WORDS + word] = words[word]
                points = play_on(deals[1], hand.seat, choices[choice], rules, lookup)
                if choice == 0:
                    first = points
                gains[choice] += points - first
                squares[choice] += (points - first) ** 2
        worlds += more
        kept = 1
        for choice in range(1, count):
            if gains[choice] / worlds > -error_of_mean(gains[choice], squares[choice], worlds):
                choices[kept], gains[kept], squares[kept] = choices[choice], gains[choice], squares[choice]
                kept += 1
        count = kept
        if count == 1:
            break
    best, most = 0, 0.0
    for choice in range(1, count):
        gain = gains[choice] / worlds
        if gain > most and gain > sureness * error_of_mean(gains[choice], squares[choice], worlds):
            best, most = choice, gain
    return int(choices[best])
