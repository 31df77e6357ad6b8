"""Sampled worlds: the deal that a player sees, with all that is hidden dealt anew as it may be.

Every tile that the player has not seen goes to a place where it can be. An opponent still holds what the player gave it
in the exchange and has not come to light, and no tile of its void suit once it has thrown another one. Its hand is no
random lot: it has kept what helps. So its tiles are dealt and then played on, one swap with the wall for each tile that
it threw outside its void suit; each time the tile goes that a player on the way to a ready hand throws. That this is
the right number is measured: of the opponents of `defence` who had thrown 1, 2, 3, 4 or 5 such tiles 11, 26, 39, 55 and
67 in a hundred were ready (1,000 to 200 positions each); in sampled worlds it is 10, 25, 40, 52 and 65, and 2 without
the swaps. Modelled on the strongest public Blood Battle programs, which sample hands from discards. Not in here: what
is done in a world (`strategies.playouts`).
"""

from sim.engine.hands.discards import mark_nearest
from sim.engine.hands.hand import (
    CONCEALED_KONG,
    EXPOSED_KONG,
    NONE,
    PUNG,
    RANKS,
    SUITS,
    Hand,
    add_tile,
    draw_lot,
    remove_tile,
)
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.advance import ask_claims, ask_robbing
from sim.engine.sichuan.deal import DEALT, SHARED, Deal
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.setup import ALL_SEATS, clear_hand
from sim.engine.sichuan.table import CLAIM, ROB, SEATS, TURN, VOID_SUIT, Table, count_live
from sim.engine.sichuan.turn import update_claims
from sim.jit import Ints
from strategies.common import held_void_kinds, loneliest_kind
from strategies.compiling import helper, inlined_helper
from strategies.danger import count_thrown

_HELD = 13
_COPIES = 4
_TRIES = 30
"""Lots drawn for a tile that fits; then any tile will do, so that a strange table is no endless loop."""


@helper
def show_kongs(deal: Deal, table: Table, rules: Rules) -> None:
    """Book the kong payments that a table tells of, which can be refunded or given away.

    Whether a winner had left before a kong is not looked up: who is active is said to have paid.

    Parameters
    ----------
    deal : Deal, changed
        The deal.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    """
    count = 0
    for step in range(1, SEATS + 1):
        owner = (table.turn + step) & 3  # the kong that a discard may follow on comes last
        for meld in range(table.count_melds[owner]):
            form = table.meld_forms[owner, meld]
            if form == PUNG:
                continue
            deal.last_kong = count
            amount = rules.kong_concealed if form == CONCEALED_KONG else rules.kong_added
            for payer in range(SEATS):
                pays = payer != owner and table.active[payer] == 1
                if form == EXPOSED_KONG:
                    amount = rules.kong_exposed
                    pays = payer == table.meld_from[owner, meld]
                if pays:
                    deal.income_owners[count] = owner
                    deal.income_payers[count] = payer
                    deal.income_amounts[count] = amount
                    count += 1
    deal.count_incomes = count


@helper
def show_deal(deal: Deal, hand: Hand, table: Table, rules: Rules) -> None:
    """Write into a deal what a player knows of it: the table, the own hand, kong payments.

    Parameters
    ----------
    deal : Deal, filled
        A deal of zeros.
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    """
    deal.table = table
    deal.hands[hand.seat] = hand  # type: ignore[index]  # copies the content
    deal.wall_mode = SHARED
    show_kongs(deal, table, rules)


@inlined_helper
def list_hidden(hand: Hand, table: Table, hidden: Ints) -> int:
    """List the tiles that a player has not seen, suit by suit in the hand's neutral order; return how many there are.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    hidden : int64[TILES], filled
        Their kinds.
    """
    count = 0
    for index in range(SUITS):
        first = RANKS * hand.suit_order[index]
        for kind in range(first, first + RANKS):
            for _ in range(count_live(hand, table, kind)):
                hidden[count] = kind
                count += 1
    return count


@inlined_helper
def take_tile(hidden: Ints, count: int, place: int) -> int:
    """Take a hidden tile, whose place the last one takes, and return its kind.

    Parameters
    ----------
    hidden : int64[TILES], changed
        Kinds of hidden tiles.
    count : int64, read
        How many there are.
    place : int64, read
        Which one.
    """
    kind = hidden[place]
    hidden[place] = hidden[count - 1]
    return int(kind)


@inlined_helper
def draw_hidden(hand: Hand, hidden: Ints, count: int, barred: int) -> int:
    """Return the place of a hidden tile, by lot.

    Parameters
    ----------
    hand : Hand, changed
        The player's hand, whose lots move on.
    hidden : int64[TILES], read
        Kinds of hidden tiles.
    count : int64, read
        How many there are, at least one.
    barred : int64, read
        A suit of which it should not be, NONE for none.
    """
    place = draw_lot(hand, count)
    for _ in range(_TRIES):
        if hidden[place] // RANKS != barred:
            break
        place = draw_lot(hand, count)
    return place


@helper
def draw_hidden_kong(hand: Hand, hidden: Ints, count: int, barred: int) -> int:
    """Return a kind of which all four tiles are hidden, by lot; the first hidden kind if there is none.

    Parameters
    ----------
    hand : Hand, changed
        The player's hand, whose lots move on.
    hidden : int64[TILES], read
        Kinds of hidden tiles, those of a kind side by side.
    count : int64, read
        How many there are.
    barred : int64, read
        A suit of which it must not be.
    """
    kind, found = hidden[0], 0
    for place in range(count - 3):
        if hidden[place] == hidden[place + 3] and hidden[place] // RANKS != barred:
            found += 1
            if draw_lot(hand, found) == 0:
                kind = hidden[place]
    return int(kind)


@helper
def begin_hand(deal: Deal, seat: int, hand: Hand, hidden: Ints, count: int) -> int:
    """Give a seat what all see, and concealed kongs of unknown kinds by lot; return how many hidden tiles are left.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the seat's hand then has its melds and no other tile.
    seat : int64, read
        The seat.
    hand : Hand, changed
        The player's hand, whose lots move on.
    hidden : int64[TILES], changed
        Kinds of hidden tiles, those of a kind side by side; so they stay.
    count : int64, read
        How many there are.
    """
    table, other = deal.table, deal.hands[seat]
    clear_hand(other, seat)
    for index in range(SUITS):
        other.suit_order[index] = hand.suit_order[index]  # what is neutral to the player is neutral in its worlds
    other.void_suit = table.void_suits[seat]
    other.count_melds = table.count_melds[seat]
    for meld in range(table.count_melds[seat]):
        kind, form = int(table.meld_kinds[seat, meld]), table.meld_forms[seat, meld]
        if kind == NONE:
            kind = draw_hidden_kong(hand, hidden, count, other.void_suit)
            kept = 0
            for place in range(count):
                if hidden[place] != kind:
                    hidden[kept] = hidden[place]
                    kept += 1
            count = kept
        other.meld_kinds[meld] = kind
        other.meld_forms[meld] = form
        if form == PUNG:
            other.pungs |= 1 << kind
        else:
            other.kongs |= 1 << kind
    return count


@helper
def keep_given(other: Hand, table: Table, hand: Hand, barred: int, hidden: Ints, count: int) -> int:
    """Let an opponent hold what it was given and has not come to light; return how many hidden tiles are left.

    Parameters
    ----------
    other : Hand, changed
        The hand of who was given.
    table : Table, read
        What everybody sees.
    hand : Hand, read
        The hand of the player who gave.
    barred : int64, read
        A suit of which the opponent holds nothing, NONE for none.
    hidden : int64[TILES], changed
        Kinds of hidden tiles.
    count : int64, read
        How many there are.
    """
    thrown = 0  # of the kind that is looked at
    for index in range(_COPIES):
        kind = int(hand.given[index])
        if kind == NONE or kind // RANKS == barred or ((other.pungs | other.kongs) >> kind) & 1:
            continue
        if index == 0 or hand.given[index - 1] != kind:
            thrown = table.thrown[other.seat, kind]
        if thrown > 0:
            thrown -= 1
            continue
        for place in range(count):
            if hidden[place] == kind:
                add_tile(other, take_tile(hidden, count, place))
                count -= 1
                break
    return count


@helper
def ripen_hand(other: Hand, swaps: int, barred: int, hand: Hand, hidden: Ints, count: int, lookup: Lookup) -> None:
    """Swap tiles of a hand with hidden ones, one by one, as a player does who goes the shortest way to a ready hand.

    Parameters
    ----------
    other : Hand, changed
        A hand between turns.
    swaps : int64, read
        How many tiles.
    barred : int64, read
        A suit of which no tile should come in, NONE for none.
    hand : Hand, changed
        The hand of the player who samples, whose lots move on.
    hidden : int64[TILES], changed
        Kinds of hidden tiles.
    count : int64, read
        How many there are, at least one.
    lookup : Lookup, read
        Hand tables.
    """
    for _ in range(swaps):
        place = draw_hidden(hand, hidden, count, barred)
        add_tile(other, int(hidden[place]))
        useless = held_void_kinds(other)
        if useless == 0:
            useless = mark_nearest(other, other.at_least[0], other.void_suit, lookup)
        gone = loneliest_kind(other, useless)
        remove_tile(other, gone)
        hidden[place] = gone


@helper
def sample_hand(deal: Deal, seat: int, hand: Hand, hidden: Ints, count: int, lookup: Lookup) -> int:
    """Deal an opponent tiles that it may have, and return how many hidden tiles are left.

    Parameters
    ----------
    deal : Deal, changed
        The deal; the opponent's hand is as `begin_hand` leaves it.
    seat : int64, read
        The opponent's seat.
    hand : Hand, changed
        The player's hand, whose lots move on.
    hidden : int64[TILES], changed
        Kinds of hidden tiles.
    count : int64, read
        How many there are.
    lookup : Lookup, read
        Hand tables.
    """
    table, other = deal.table, deal.hands[seat]
    has_begun = table.decision > VOID_SUIT
    void_suit = other.void_suit
    swaps = 0
    if has_begun:
        for suit in range(SUITS):
            if suit != void_suit:
                swaps += count_thrown(table, seat, suit)
    barred = int(void_suit) if swaps else NONE
    if has_begun and (hand.seat + table.direction) & 3 == seat:
        count = keep_given(other, table, hand, barred, hidden, count)
    size = _HELD - 3 * other.count_melds
    if not has_begun and seat == 0:
        size += 1  # the dealer's fourteenth
    missing = size - other.sizes[0] - other.sizes[1] - other.sizes[2]
    for _ in range(min(missing, count)):
        add_tile(other, take_tile(hidden, count, draw_hidden(hand, hidden, count, barred)))
        count -= 1
    if count:
        ripen_hand(other, swaps, barred, hand, hidden, count, lookup)
    return count


@helper
def ask_in_world(deal: Deal, me: int, rules: Rules, lookup: Lookup) -> None:
    """Let a sampled world stand where the table stands: note what hands wait for, and ask whoever is asked.

    Parameters
    ----------
    deal : Deal, changed
        The deal, all tiles in their places.
    me : int64, read
        Seat of the player, who is asked.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    decision = deal.table.decision
    deal.asked = ALL_SEATS if decision <= VOID_SUIT else 1 << me
    deal.asked_first = deal.asked
    if decision <= VOID_SUIT:
        return
    for seat in range(SEATS):
        if deal.table.active[seat] and (seat != me or decision != TURN):
            update_claims(deal, seat, rules, lookup)
    if decision == CLAIM:
        ask_claims(deal, rules)
    elif decision == ROB:
        ask_robbing(deal)


@helper
def sample_world(deal: Deal, hand: Hand, rules: Rules, lookup: Lookup, hidden: Ints) -> None:
    """Deal all that a player does not see anew, among the places where it can be.

    Parameters
    ----------
    deal : Deal, changed
        A deal as `show_deal` leaves it, or this function.
    hand : Hand, changed
        The player's hand, whose lots move on.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    hidden : int64[TILES], changed
        Workspace.
    """
    table, me = deal.table, hand.seat
    count = list_hidden(hand, table, hidden)
    first = draw_lot(hand, SEATS)
    for step in range(SEATS):
        seat = (first + step) & 3
        if seat != me and table.active[seat]:
            count = begin_hand(deal, seat, hand, hidden, count)
    for step in range(SEATS):
        seat = (first + step) & 3
        if seat != me and table.active[seat]:
            count = sample_hand(deal, seat, hand, hidden, count, lookup)
    table.tiles_left = min(table.tiles_left, count)  # as it is, at every table that can be
    for position in range(table.tiles_left):  # what is left over then, winners hold
        deal.wall[DEALT + position] = take_tile(hidden, count, draw_lot(hand, count))
        count -= 1
    deal.front = DEALT
    deal.back = DEALT + table.tiles_left - 1
    ask_in_world(deal, me, rules, lookup)
