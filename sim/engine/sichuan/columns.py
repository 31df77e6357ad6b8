"""The columns of results: what is kept of a deal, one integer per deal and seat."""

from typing import NamedTuple

from sim.engine.hands.hand import is_cleared
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import CAUSES, Deal
from sim.engine.sichuan.fan import score_fan, score_patterns, score_roots
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.settle import settle_again
from sim.engine.sichuan.table import SEATS
from sim.jit import Columns, ManyColumns, Records, inlined, kernel


class Column(NamedTuple):
    """One column of results."""

    name: str
    """Name in Parquet files and frames."""
    dtype: str
    """Integer type that holds every value."""
    unit: str
    """Unit of the value."""
    meaning: str
    """One sentence."""
    total: bool
    """Whether values add up to something meaningful (False for codes and masks)."""


_CAUSE_WORDS = {
    "discard_win": "discard wins",
    "robbed_kong_win": "wins by robbing a kong",
    "self_draw": "self-drawn wins",
    "concealed_kong": "concealed kongs",
    "exposed_kong": "exposed kongs",
    "added_kong": "added kongs",
    "kong_refund": "kong refunds at exhaustion",
    "kong_transfer": "kong income transferred on a kong discard",
    "flower_pig": "flower pigs at exhaustion",
    "not_ready": "players not ready at exhaustion",
}

COLUMNS: tuple[Column, ...] = (
    Column("points", "int32", "points", "Net points of the deal: all gained less all paid.", True),
    *(
        Column(f"gained_{cause}", "int32", "points", f"Points received for {_CAUSE_WORDS[cause]}.", True)
        for cause in CAUSES
    ),
    *(Column(f"paid_{cause}", "int32", "points", f"Points paid for {_CAUSE_WORDS[cause]}.", True) for cause in CAUSES),
    Column("win_order", "int8", "order", "1, 2 or 3 for the first, second, third winner; 0 did not win.", False),
    Column("win_form", "int8", "code", "0 none, 1 self_draw, 2 discard, 3 robbed_kong.", False),
    Column("win_from", "int8", "seat", "Seat that discarded the winning tile or was robbed; -1 none.", False),
    Column("win_tile", "int8", "kind", "Kind won on, 0 to 26; -1 none, or the dealer's dealt fourteen.", False),
    Column("fan", "int16", "fan", "Fan of the winning hand before the cap; 0 did not win.", True),
    Column("value", "int32", "points", "Hand value of the winning hand; 0 did not win.", True),
    Column("patterns", "int16", "mask", "Bit i: pattern i of the rulebook's table counts in the winning hand.", False),
    Column("roots", "int8", "roots", "Roots of the winning hand.", True),
    Column("deal_ins", "int8", "wins", "Winners on the seat's discards.", True),
    Column("robbed", "int8", "wins", "Winners on the seat's added kongs.", True),
    Column("turns", "int8", "turns", "Turns: draws from the front, the dealer's first, pungs, exposed kongs.", True),
    Column("melds", "int8", "melds", "Melds declared.", True),
    Column("kongs", "int8", "kongs", "Kongs declared, of all forms.", True),
    Column("status", "int8", "code", "At the end: 0 won, 1 ready, 2 not_ready, 3 pig, 4 left (third win).", False),
    Column("void_suit", "int8", "suit", "Void suit: 0 characters, 1 circles, 2 bamboo.", False),
    Column("cleared", "int8", "flag", "1 if no concealed tile of the void suit was held at the end.", True),
    Column("exhausted", "int8", "flag", "1 if the deal ended by exhaustion (the same for all four seats).", True),
    Column("wins", "int8", "wins", "Wins in the deal (the same for all four seats).", True),
    Column("draws", "int8", "tiles", "Tiles drawn from the wall by all (the same for all four seats).", True),
    Column("direction", "int8", "code", "Exchange: 0 none, 1 right, 2 across, 3 left (same for all seats).", False),
    Column("forfeits", "int16", "answers", "Answers that failed and were replaced by those of a timeout.", True),
)
"""All columns in order; each is a row of the array that a driver fills."""

_COUNT_CAUSES = len(CAUSES)
_GAINED = 1
_PAID = _GAINED + _COUNT_CAUSES
_FACTS = _PAID + _COUNT_CAUSES


@inlined
def count_surplus(deal: Deal) -> int:
    """Return how many points a deal has made of nothing, or lost: 0 unless the engine is wrong.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    """
    points = deal.table.points
    return abs(int(points[0] + points[1] + points[2] + points[3]))


@kernel
def fill_columns(deal: Deal, columns: Columns, first: int) -> None:
    """Write a finished deal's four rows.

    Parameters
    ----------
    deal : Deal, read
        A deal that is over.
    columns : int32[len(COLUMNS), rows], changed
        Columns to write into.
    first : int64, read
        Row of seat 0; the others follow.
    """
    table = deal.table
    for seat in range(SEATS):
        row = first + seat
        hand = deal.hands[seat]
        score = deal.win_scores[seat]
        kongs = 0
        for meld in range(hand.count_melds):
            if hand.meld_forms[meld] > 0:
                kongs += 1
        columns[0, row] = table.points[seat]
        for cause in range(_COUNT_CAUSES):
            columns[_GAINED + cause, row] = deal.gained[seat, cause]
            columns[_PAID + cause, row] = deal.paid[seat, cause]
        columns[_FACTS, row] = table.win_order[seat]
        columns[_FACTS + 1, row] = table.win_forms[seat]
        columns[_FACTS + 2, row] = table.win_from[seat]
        columns[_FACTS + 3, row] = table.win_tiles[seat]
        columns[_FACTS + 4, row] = score_fan(score)
        columns[_FACTS + 5, row] = deal.win_values[seat]
        columns[_FACTS + 6, row] = score_patterns(score)
        columns[_FACTS + 7, row] = score_roots(score)
        columns[_FACTS + 8, row] = deal.deal_ins[seat]
        columns[_FACTS + 9, row] = deal.robbed[seat]
        columns[_FACTS + 10, row] = deal.turns[seat]
        columns[_FACTS + 11, row] = hand.count_melds
        columns[_FACTS + 12, row] = kongs
        columns[_FACTS + 13, row] = deal.statuses[seat]
        columns[_FACTS + 14, row] = hand.void_suit
        columns[_FACTS + 15, row] = int(is_cleared(hand))
        columns[_FACTS + 16, row] = deal.exhausted
        columns[_FACTS + 17, row] = table.count_wins
        columns[_FACTS + 18, row] = deal.draws
        columns[_FACTS + 19, row] = table.direction
        columns[_FACTS + 20, row] = 0  # see `sim.engine.sichuan.forfeit`


@kernel
def finish_deal(
    deal: Deal, columns: Columns, first: int, others: Records[Rules], lookup: Lookup, settled: ManyColumns
) -> int:
    """Write a finished deal's four rows, and those that it has when it is settled again; return points made of nothing.

    Parameters
    ----------
    deal : Deal, changed
        A deal that is over; afterwards it is as the last of the other presets settles it.
    columns : int32[len(COLUMNS), rows], changed
        Columns to write into.
    first : int64, read
        Row of seat 0; the others follow.
    others : Rules[n], read
        Presets that differ in settlement-only knobs alone from the one that was played; perhaps none.
    lookup : Lookup, read
        Hand tables.
    settled : int32[n, len(COLUMNS), rows], changed
        Columns for each of them.
    """
    fill_columns(deal, columns, first)
    surplus = count_surplus(deal)
    for number in range(settled.shape[0]):
        settle_again(deal, others[number], lookup)
        fill_columns(deal, settled[number], first)
        surplus += count_surplus(deal)
    return surplus
