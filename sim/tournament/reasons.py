"""Why the rules do not allow something: words for what the engine has refused, and for what it offers instead.

Nothing here decides. Each function is told of something that the engine does not allow, and looks for the paragraph of
the rules that it breaks; what is left when all others hold is the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.hands.hand import NONE
from sim.engine.sichuan.table import (
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.tiles import COPIES, KINDS, RANKS, format_kind, format_kinds
from sim.tournament.events import kinds_in, list_options

if TYPE_CHECKING:
    from collections.abc import Sequence


def list_seats(mask: int) -> list[int]:
    """Return the seats of a mask, ascending.

    Parameters
    ----------
    mask : int
        Bit s stands for seat s.
    """
    return [seat for seat in range(SEATS) if (mask >> seat) & 1]


def name_seats(seats: Sequence[int]) -> str:
    """Name seats of which each has to do something.

    Parameters
    ----------
    seats : sequence of int
        At least one.

    Examples
    --------
    >>> name_seats([2]), name_seats([0, 1, 3])
    ('seat 2', 'each of the seats 0, 1 and 3')
    """
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"each of the seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def describe_allowed(deal: Any, seat: int) -> str:
    """Say what a seat that is asked may answer.

    Parameters
    ----------
    deal : Deal record
        The deal, in a turn, claim or robbing decision.
    seat : int
        The seat.
    """
    hand = deal.hands[seat]
    options = list_options(int(hand.legal_win), int(hand.legal_pung), int(hand.legal_kongs))
    if deal.table.decision == TURN:
        discards = kinds_in(int(hand.legal_discards))
        options.append(f"discard {'one of ' if len(discards) > 1 else ''}{format_kinds(discards)}")
    else:
        options.append("pass")
    return f"seat {seat} may {' or '.join(options)}"


def describe_asked(deal: Any) -> str:
    """Say who is asked, and what each may answer.

    Parameters
    ----------
    deal : Deal record
        The deal.
    """
    seats = list_seats(int(deal.asked_first))
    if deal.table.decision in (EXCHANGE, VOID_SUIT):
        what = "exchange" if deal.table.decision == EXCHANGE else "void suit"
        return f"the {what} of {name_seats(seats)}"
    return ", ".join(describe_allowed(deal, seat) for seat in seats)


def why_not_asked(deal: Any, seat: int) -> str:
    """Say why a seat is not asked in the decision under way.

    Parameters
    ----------
    deal : Deal record
        The deal, in a turn, claim or robbing decision.
    seat : int
        A seat that is not asked.
    """
    if not deal.table.active[seat]:
        return f"seat {seat} has won and is out of play"
    if deal.table.decision == TURN:
        return f"it is the turn of seat {int(deal.table.turn)}"
    if deal.table.turn == seat:
        return f"seat {seat} cannot claim its own tile"
    return f"seat {seat} can claim nothing in this {DECISIONS[deal.table.decision]} decision"


def why_no_turn_action(deal: Any, rules: Any, action: int) -> str:
    """Say why the player whose turn it is cannot do something.

    Parameters
    ----------
    deal : Deal record
        The deal, in a turn decision.
    rules : Rules record
        The preset.
    action : int
        The action, illegal.
    """
    table = deal.table
    seat = int(table.turn)
    hand = deal.hands[seat]
    held = _held_void_tiles(hand, NONE)
    if action == PASS_ACTION:
        return "a turn cannot be passed"
    if action == PUNG_ACTION:
        return "there is no discard to claim"
    if action == WIN_ACTION:
        if held:
            return f"no win while not cleared: seat {seat} holds {held} of its void suit"
        return "no win in the turn after a pung" if table.after_pung else f"the hand of seat {seat} is not complete"
    if action >= KONG_ACTION:
        kind = action - KONG_ACTION
        tile = format_kind(kind)
        if table.after_pung:
            return "no kong in the turn after a pung"
        if kind // RANKS == hand.void_suit:
            return f"{tile} is of the void suit of seat {seat}"
        if held and rules.void_blocks_calls:
            return f"no kong while not cleared: seat {seat} holds {held} of its void suit"
        count = int(hand.counts[kind])
        if count < COPIES and not (count and (int(hand.pungs) >> kind) & 1):
            return f"seat {seat} holds {count or 'no'} {tile}: neither four of them, nor one and their pung"
        return "no tile is left in the wall for the replacement"
    if hand.counts[action] == 0:
        return f"seat {seat} holds no {format_kind(action)}"
    return f"tiles of the void suit go first, and seat {seat} holds {held}"


def why_no_claim(deal: Any, rules: Any, seat: int, action: int, *, kind: int, source: int) -> str:
    """Say why a seat cannot claim a tile, also when the engine has gone on because nobody could.

    Parameters
    ----------
    deal : Deal record
        The deal, deciding about the claim, or just after the tile: at most one tile has been drawn since.
    rules : Rules record
        The preset.
    seat : int
        The seat.
    action : int
        The claim, illegal.
    kind : int
        The tile discarded or added to a pung.
    source : int
        Seat that discarded or added it.
    """
    hand = deal.hands[seat]
    tile = format_kind(kind)
    if not deal.table.active[seat]:
        return f"seat {seat} has won and is out of play"
    if seat == source:
        return f"seat {seat} cannot claim its own tile"
    drawn = int(hand.drawn) if deal.table.decision == TURN and deal.table.turn == seat else NONE
    held = _held_void_tiles(hand, drawn)
    if action == WIN_ACTION:
        waits = int(deal.waits[seat])
        if (waits >> kind) & 1:
            return f"seat {seat} has passed a win since its last draw"
        if held:
            return f"no win while not cleared: seat {seat} holds {held} of its void suit"
        waiting = f"it waits for {format_kinds(kinds_in(waits))}" if waits else "it is not ready"
        return f"{tile} does not complete the hand of seat {seat}: {waiting}"
    if action != PUNG_ACTION and not KONG_ACTION <= action < KONG_ACTION + KINDS:
        return f"it is not the turn of seat {seat}"
    if action != PUNG_ACTION and action != KONG_ACTION + kind:
        return f"the tile to claim is {tile}"
    if kind // RANKS == hand.void_suit:
        return f"{tile} is of the void suit of seat {seat}"
    if held and rules.void_blocks_calls:
        return f"no pung and no kong while not cleared: seat {seat} holds {held} of its void suit"
    count = int(hand.counts[kind]) - (drawn == kind)
    if action == PUNG_ACTION:
        if count < 2:
            return f"seat {seat} holds {count or 'no'} {tile}, and a pung needs two"
        return f"seat {seat} has passed a pung of {tile} since its last draw"
    if count < COPIES - 1:
        return f"seat {seat} holds {count or 'no'} {tile}, and an exposed kong needs three"
    return "no tile is left in the wall for the replacement"


def _held_void_tiles(hand: Any, drawn: int) -> str:
    """Return the tiles of the own void suit that a hand holds, the one just drawn left out."""
    first = RANKS * int(hand.void_suit)
    kinds = [kind for kind in range(first, first + RANKS) for _ in range(int(hand.counts[kind]) - (kind == drawn))]
    return format_kinds(kinds)
