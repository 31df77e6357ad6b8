"""Pungs and kongs (rules, chapters 3 and 4)."""

from sim.engine.hands.hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    NONE,
    PUNG,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import (
    EVENT_KONG,
    EVENT_PUNG,
    PAY_ADDED_KONG,
    PAY_CONCEALED_KONG,
    PAY_EXPOSED_KONG,
    Deal,
    log,
    mark_others,
)
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.settle import charge
from sim.engine.sichuan.table import CLAIMED_KONG, CLAIMED_PUNG
from sim.engine.sichuan.turn import ask_turn, draw_tile, update_claims
from sim.jit import kernel


@kernel
def declare_meld(deal: Deal, seat: int, kind: int, form: int, source: int, is_public: int) -> None:
    """Put a new meld on the table.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the tiles have already left the hand.
    seat : int64, read
        Seat that declares it.
    kind : int64, read
        Its kind.
    form : int64, read
        PUNG, CONCEALED_KONG or EXPOSED_KONG.
    source : int64, read
        Seat whose discard was claimed; the own seat for a concealed kong.
    is_public : int64, read
        1 if the others see its kind.
    """
    hand = deal.hands[seat]
    table = deal.table
    meld = hand.count_melds
    hand.meld_kinds[meld] = kind
    hand.meld_forms[meld] = form
    hand.count_melds = meld + 1
    if form == PUNG:
        hand.pungs |= 1 << kind
    else:
        hand.kongs |= 1 << kind
    table.meld_kinds[seat, meld] = kind if is_public else NONE
    table.meld_forms[seat, meld] = form
    table.meld_from[seat, meld] = source
    table.count_melds[seat] = meld + 1


@kernel
def claim_pung(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Claim the discard for a pung: the turn goes on without a draw, and must end with a discard.

    Parameters
    ----------
    deal : Deal, changed
        The deal, with a discard on the table.
    seat : int64, read
        Seat that claims.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    kind = table.tile
    discarder = table.turn
    hand = deal.hands[seat]
    for _ in range(2):
        remove_tile(hand, kind)
    table.seen[kind] += 2
    table.discard_claims[table.count_discards - 1] = CLAIMED_PUNG
    declare_meld(deal, seat, kind, PUNG, discarder, 1)
    log(deal, EVENT_PUNG, seat, kind, discarder, 0, 0, 0)
    table.after_kong = 0
    table.after_pung = 1
    hand.drawn = NONE
    deal.turns[seat] += 1
    ask_turn(deal, seat, rules, lookup)


@kernel
def draw_replacement(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Draw a kong's replacement; the turn goes on as after a draw.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat that made the kong.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    update_claims(deal, seat, rules, lookup)
    draw_tile(deal, seat, 1)
    ask_turn(deal, seat, rules, lookup)


@kernel
def claim_kong(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Claim the discard for an exposed kong; only the discarder pays.

    Parameters
    ----------
    deal : Deal, changed
        The deal, with a discard on the table and a replacement left.
    seat : int64, read
        Seat that claims.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    kind = table.tile
    discarder = table.turn
    hand = deal.hands[seat]
    for _ in range(3):
        remove_tile(hand, kind)
    table.seen[kind] += 3
    table.discard_claims[table.count_discards - 1] = CLAIMED_KONG
    declare_meld(deal, seat, kind, EXPOSED_KONG, discarder, 1)
    log(deal, EVENT_KONG, seat, kind, EXPOSED_KONG, discarder, 0, 0)
    charge(deal, PAY_EXPOSED_KONG, seat, 1 << discarder, 0, rules, lookup)
    deal.turns[seat] += 1
    draw_replacement(deal, seat, rules, lookup)


@kernel
def declare_concealed_kong(deal: Deal, seat: int, kind: int, rules: Rules, lookup: Lookup) -> None:
    """Declare four identical concealed tiles; each other active player pays. It cannot be robbed.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat that declares.
    kind : int64, read
        Kind of the four tiles.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    hand = deal.hands[seat]
    for _ in range(4):
        remove_tile(hand, kind)
    if rules.kong_concealed_visible:
        deal.table.seen[kind] += 4
    declare_meld(deal, seat, kind, CONCEALED_KONG, seat, rules.kong_concealed_visible)
    log(deal, EVENT_KONG, seat, kind, CONCEALED_KONG, NONE, 0, 0)
    charge(deal, PAY_CONCEALED_KONG, seat, mark_others(deal, seat), 0, rules, lookup)
    draw_replacement(deal, seat, rules, lookup)


@kernel
def offer_added_kong(deal: Deal, seat: int, kind: int) -> None:
    """Show the fourth tile of an own pung: it leaves the hand, and may now be robbed.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    seat : int64, read
        Seat that declares.
    kind : int64, read
        Kind of the pung.
    """
    remove_tile(deal.hands[seat], kind)
    deal.hands[seat].drawn = NONE
    deal.table.seen[kind] += 1
    deal.table.tile = kind


@kernel
def complete_added_kong(deal: Deal, seat: int, rules: Rules, lookup: Lookup) -> None:
    """Complete an added kong that nobody robbed; each other active player pays.

    Parameters
    ----------
    deal : Deal, changed
        The deal, the fourth tile on the table.
    seat : int64, read
        Seat that declared.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    hand = deal.hands[seat]
    kind = deal.table.tile
    for meld in range(hand.count_melds):
        if hand.meld_kinds[meld] == kind:
            hand.meld_forms[meld] = ADDED_KONG
            deal.table.meld_forms[seat, meld] = ADDED_KONG
    hand.pungs &= ~(1 << kind)
    hand.kongs |= 1 << kind
    log(deal, EVENT_KONG, seat, kind, ADDED_KONG, NONE, 0, 0)
    charge(deal, PAY_ADDED_KONG, seat, mark_others(deal, seat), 0, rules, lookup)
    draw_replacement(deal, seat, rules, lookup)
