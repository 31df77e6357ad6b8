"""A deal: the table, the four hands, and what is hidden from all players.

Not in here: anything that changes it; each chapter of the rules has a file of its own beside this one.
"""

from typing import Annotated

from sim.engine.hands.hand import NONE, Hand
from sim.engine.sichuan.table import SEATS, Table
from sim.jit import Ints, Records, inlined, record

TILES = 108
DEALT = 53
"""Wall positions before this one are dealt: 13 to each seat and the dealer's fourteenth."""
SHARED, PER_SEAT = 0, 1
WALL_MODES = ("shared", "per_seat")

CAUSES = (
    "discard_win",
    "robbed_kong_win",
    "self_draw",
    "concealed_kong",
    "exposed_kong",
    "added_kong",
    "kong_refund",
    "kong_transfer",
    "flower_pig",
    "not_ready",
)
"""Causes of payments; a cause's index is its number in the ledger."""
(
    PAY_DISCARD_WIN,
    PAY_ROBBED_KONG_WIN,
    PAY_SELF_DRAW,
    PAY_CONCEALED_KONG,
    PAY_EXPOSED_KONG,
    PAY_ADDED_KONG,
    PAY_KONG_REFUND,
    PAY_KONG_TRANSFER,
    PAY_FLOWER_PIG,
    PAY_NOT_READY,
) = range(10)
MOST_LINES = 160
MOST_INCOMES = 64
MOST_CHARGES = 20

STATUS_WON, STATUS_READY, STATUS_NOT_READY, STATUS_PIG, STATUS_LEFT = 0, 1, 2, 3, 4
STATUSES = ("won", "ready", "not_ready", "pig", "left")
"""How a seat ended: `left` is a player still active when the third win ended the deal."""

(
    EVENT_DIRECTION,
    EVENT_EXCHANGE,
    EVENT_VOID_SUIT,
    EVENT_DRAW,
    EVENT_DISCARD,
    EVENT_PUNG,
    EVENT_KONG,
    EVENT_ROBBED,
    EVENT_WIN,
    EVENT_EXHAUSTION,
    EVENT_END,
    EVENT_ANSWER,
) = range(12)
EVENTS = (
    "direction",
    "exchange",
    "void_suit",
    "draw",
    "discard",
    "pung",
    "kong",
    "robbed",
    "win",
    "exhaustion",
    "end",
    "answer",
)
MOST_EVENTS = 640


@record
class Deal:
    """Everything about one deal in play."""

    table: Table
    """What everybody sees."""
    hands: Annotated[Records[Hand], SEATS]
    """The four hands."""
    wall: Annotated[Ints, TILES]
    """Kind at each wall position."""
    wall_mode: int
    """SHARED or PER_SEAT."""
    front: int
    """SHARED: position of the next draw."""
    back: int
    """SHARED: position of the next replacement."""
    queue_next: Annotated[Ints, SEATS]
    """PER_SEAT: how many tiles each queue has given from its front."""
    queue_last: Annotated[Ints, SEATS]
    """PER_SEAT: how many tiles each queue holds up to its last one that is left."""
    asked: int
    """Mask of the seats that still have to answer."""
    asked_first: int
    """Mask of the seats that were asked in this decision."""
    answers: Annotated[Ints, SEATS]
    """Answers given in the decision under way: hidden until all have answered."""
    waits: Annotated[Ints, SEATS]
    """Mask of the kinds that complete each hand, as of the end of its last turn."""
    claimable: Annotated[Ints, SEATS]
    """Mask of the kinds that each hand could claim for anything, locks aside."""
    count_charges: int
    """Charges so far (`sim.engine.sichuan.settle`): kongs and wins, all wins on one tile being one charge."""
    charge_causes: Annotated[Ints, MOST_CHARGES]
    """Cause of each charge (CAUSES): which form of kong or of win."""
    charge_seats: Annotated[Ints, MOST_CHARGES]
    """Who made the kong, won by self-draw, or pays for the tile that was won on."""
    charge_others: Annotated[Ints, MOST_CHARGES]
    """Mask of the seats that pay for it; of those that won, where a tile was won on."""
    charge_situations: Annotated[Ints, MOST_CHARGES]
    """Mask of the situational patterns of the wins, whether a preset has them or not."""
    count_incomes: int
    """Kong payments received so far by anybody."""
    income_owners: Annotated[Ints, MOST_INCOMES]
    """Who received each kong payment."""
    income_payers: Annotated[Ints, MOST_INCOMES]
    """Who paid it."""
    income_amounts: Annotated[Ints, MOST_INCOMES]
    """How many points; 0 once given away by a transfer."""
    last_kong: int
    """Index of the first income of the last kong."""
    count_lines: int
    """Lines of the ledger."""
    line_causes: Annotated[Ints, MOST_LINES]
    """Cause of each payment (CAUSES)."""
    line_payers: Annotated[Ints, MOST_LINES]
    """Seat that paid."""
    line_payees: Annotated[Ints, MOST_LINES]
    """Seat that was paid."""
    line_amounts: Annotated[Ints, MOST_LINES]
    """Points, always above 0."""
    line_events: Annotated[Ints, MOST_LINES]
    """Number of events logged before the payment."""
    gained: Annotated[Ints, SEATS, 10]
    """Points that each seat received, by cause."""
    paid: Annotated[Ints, SEATS, 10]
    """Points that each seat paid, by cause."""
    win_scores: Annotated[Ints, SEATS]
    """Score of each winner's hand (`sim.engine.sichuan.fan`), 0 for the others."""
    win_values: Annotated[Ints, SEATS]
    """Hand value of each winner in points, 0 for the others."""
    deal_ins: Annotated[Ints, SEATS]
    """Winners on each seat's discards."""
    robbed: Annotated[Ints, SEATS]
    """Winners on each seat's added kongs."""
    turns: Annotated[Ints, SEATS]
    """Turns of each seat: draws from the wall's front, the dealer's first turn, pungs and exposed kongs."""
    draws: int
    """Tiles drawn from the wall, replacements included."""
    exhausted: int
    """1 if the wall ran out with an active player to draw."""
    statuses: Annotated[Ints, SEATS]
    """STATUS_WON ... STATUS_LEFT, once the deal is over."""
    is_logged: int
    """1 if events are to be kept, for replays."""
    count_events: int
    """Events kept."""
    events: Annotated[Ints, MOST_EVENTS, 7]
    """Each event: its number in EVENTS, then up to six facts (see `log`)."""


@inlined
def log(deal: Deal, event: int, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Keep an event, if the deal is logged.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    event : int64, read
        EVENT_DIRECTION (direction), EVENT_EXCHANGE (seat, given, received: packed), EVENT_VOID_SUIT (seat, suit),
        EVENT_DRAW (seat, kind, replacement), EVENT_DISCARD (seat, kind), EVENT_PUNG (seat, kind, from),
        EVENT_KONG (seat, kind, form, from), EVENT_ROBBED (seat, kind), EVENT_END (),
        EVENT_WIN (seat, form, kind, from, score, value), EVENT_EXHAUSTION (status of seats 0 to 3),
        EVENT_ANSWER (seat, decision, action, 1 if a win and 2 if a pung was legal, mask of legal kongs, mask of legal
        discards).
    a : int64, read
        First fact.
    b : int64, read
        Second fact.
    c : int64, read
        Third fact.
    d : int64, read
        Fourth fact.
    e : int64, read
        Fifth fact.
    f : int64, read
        Sixth fact.
    """
    if deal.is_logged:
        row = deal.count_events
        deal.count_events = row + 1
        deal.events[row, 0] = event
        deal.events[row, 1] = a
        deal.events[row, 2] = b
        deal.events[row, 3] = c
        deal.events[row, 4] = d
        deal.events[row, 5] = e
        deal.events[row, 6] = f


@inlined
def next_active(deal: Deal, seat: int) -> int:
    """Return the next active seat in turn order after a seat, or NONE if no other is active.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    seat : int64, read
        The seat to start from.
    """
    for step in range(1, SEATS):
        other = (seat + step) & 3
        if deal.table.active[other]:
            return other
    return NONE


@inlined
def mark_others(deal: Deal, seat: int) -> int:
    """Return the mask of the other active seats: those who pay for a seat's own kong or self-draw.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    seat : int64, read
        The seat.
    """
    others = 0
    for other in range(SEATS):
        if other != seat and deal.table.active[other]:
            others |= 1 << other
    return others
