"""Everything that could be wrong with a table state, in one function.

Called after every step by `bloodbattle check` and by the tests; never in the hot loop. It counts and computes again
from first facts what the engine keeps up to date.
"""

from sim.engine.hands.hand import ADDED_KONG, CONCEALED_KONG, KINDS, NONE, POWERS, PUNG, RANKS, SUITS, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.deal import DEALT, PER_SEAT, Deal
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import (
    CLAIM,
    CLAIMED_KONG,
    CLAIMED_PUNG,
    DISCARD,
    EXCHANGE,
    NOT_WON,
    OVER,
    ROB,
    ROBBED_KONG,
    SEATS,
    SELF_DRAW,
    TURN,
    VOID_SUIT,
)
from sim.jit import kernel

FAULTS = (
    "a hand's derived fields differ from its tiles",
    "a hand holds the wrong number of tiles",
    "there are not four copies of every kind",
    "the points do not sum to zero",
    "the points differ from the ledger",
    "the sums by cause differ from the ledger",
    "the copies seen by all are counted wrongly",
    "a meld is of its owner's void suit",
    "the table shows other melds than the hand has",
    "a hand's noted waits are stale",
    "the tiles left in the wall are counted wrongly",
    "the winners and the active players do not agree",
    "a seat is asked that is not active, or nobody is asked",
    "nothing legal is offered to a seat that is asked",
    "a lock is set that the preset does not know",
    "the kong incomes differ from the ledger",
)
"""What each bit of `mark_faults` means."""


@kernel
def is_consistent(hand: Hand) -> bool:
    """Tell whether a hand's derived fields follow from its tiles and melds.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    """
    pungs = 0
    kongs = 0
    for meld in range(hand.count_melds):
        bit = 1 << hand.meld_kinds[meld]
        if hand.meld_forms[meld] == PUNG:
            pungs |= bit
        else:
            kongs |= bit
    if hand.pungs != pungs or hand.kongs != kongs:
        return False
    for least in range(1, 5):
        mask = 0
        for kind in range(KINDS):
            if hand.counts[kind] >= least:
                mask |= 1 << kind
        if mask != hand.at_least[least - 1]:
            return False
    for suit in range(SUITS):
        key = 0
        size = 0
        for rank in range(RANKS):
            count = hand.counts[RANKS * suit + rank]
            if count < 0 or count > 4:
                return False
            key += count * POWERS[rank]
            size += count
        if key != hand.keys[suit] or size != hand.sizes[suit]:
            return False
    return True


@kernel
def has_right_size(deal: Deal, seat: int) -> bool:
    """Tell whether a hand holds 13 tiles less three a meld, and one more on its own turn or after a self-draw.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    seat : int64, read
        The seat.
    """
    hand = deal.hands[seat]
    table = deal.table
    size = hand.sizes[0] + hand.sizes[1] + hand.sizes[2] + 3 * hand.count_melds
    extra = 0
    if table.decision in (EXCHANGE, VOID_SUIT):
        extra = 1 if seat == 0 else 0
    elif (table.decision == TURN and table.turn == seat) or table.win_forms[seat] == SELF_DRAW:
        extra = 1
    return bool(size == 13 + extra)


@kernel
def count_in_wall(deal: Deal, kind: int) -> int:
    """Return how many tiles are left in the wall, of one kind or, for NONE, of all.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    kind : int64, read
        The kind, or NONE.
    """
    count = 0
    if deal.wall_mode == PER_SEAT:
        for seat in range(SEATS):
            for place in range(deal.queue_next[seat], deal.queue_last[seat]):
                if kind == NONE or deal.wall[DEALT + ((seat + 3) & 3) + 4 * place] == kind:
                    count += 1
    else:
        for position in range(deal.front, deal.back + 1):
            if kind == NONE or deal.wall[position] == kind:
                count += 1
    return count


@kernel
def count_robbed(deal: Deal, kind: int) -> int:
    """Return 1 if a tile of that kind left a player's hand by robbing or is being shown for an added kong, else 0.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    kind : int64, read
        The kind; only its fourth copy can be robbed, so it happens once a deal at most.
    """
    table = deal.table
    if table.decision == ROB and table.tile == kind:
        return 1
    for seat in range(SEATS):
        if table.win_forms[seat] == ROBBED_KONG and table.win_tiles[seat] == kind:
            return 1
    return 0


@kernel
def count_on_table(deal: Deal, kind: int) -> int:
    """Return how many copies of a kind lie open: discards not melded, melds, robbed tiles.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    kind : int64, read
        The kind.
    """
    table = deal.table
    count = count_robbed(deal, kind)
    for discard in range(table.count_discards):
        claim = table.discard_claims[discard]
        if table.discard_kinds[discard] == kind and claim not in (CLAIMED_PUNG, CLAIMED_KONG):
            count += 1
    for seat in range(SEATS):
        hand = deal.hands[seat]
        for meld in range(hand.count_melds):
            if hand.meld_kinds[meld] == kind:
                count += 3 if hand.meld_forms[meld] == PUNG else 4
    return count


@kernel
def has_four_copies(deal: Deal, kind: int) -> bool:
    """Tell whether all four copies of a kind are somewhere.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    kind : int64, read
        The kind.
    """
    count = count_on_table(deal, kind) + count_in_wall(deal, kind)
    for seat in range(SEATS):
        count += deal.hands[seat].counts[kind]
    return count == 4


@kernel
def count_public(deal: Deal, rules: Rules, kind: int) -> int:
    """Return how many copies of a kind everybody has seen, counted from first facts.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    rules : Rules, read
        The preset.
    kind : int64, read
        The kind.
    """
    count = count_on_table(deal, kind)
    for seat in range(SEATS):
        hand = deal.hands[seat]
        for meld in range(hand.count_melds):
            is_hidden = hand.meld_forms[meld] == CONCEALED_KONG and rules.kong_concealed_visible == 0
            if hand.meld_kinds[meld] == kind and is_hidden:
                count -= 4
        if deal.table.win_forms[seat] == SELF_DRAW and deal.table.win_tiles[seat] == kind:
            count += 1
    return count


@kernel
def shows_melds(deal: Deal, rules: Rules, seat: int) -> bool:
    """Tell whether the table shows a seat's melds as they are, hiding only what the preset hides.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    rules : Rules, read
        The preset.
    seat : int64, read
        The seat.
    """
    hand = deal.hands[seat]
    table = deal.table
    if table.count_melds[seat] != hand.count_melds:
        return False
    for meld in range(hand.count_melds):
        form = hand.meld_forms[meld]
        shown = hand.meld_kinds[meld]
        if form == CONCEALED_KONG and rules.kong_concealed_visible == 0:
            shown = NONE
        if table.meld_kinds[seat, meld] != shown or table.meld_forms[seat, meld] != form:
            return False
        if form > ADDED_KONG:
            return False
    return True


@kernel
def ledger_fault(deal: Deal) -> int:
    """Return the bits of the faults 3, 4, 5 and 15: points, ledger, sums by cause and kong incomes disagree.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    """
    faults = 0
    table = deal.table
    if table.points[0] + table.points[1] + table.points[2] + table.points[3] != 0:
        faults |= 1 << 3
    kong_points = 0
    for seat in range(SEATS):
        net = 0
        for line in range(deal.count_lines):
            if deal.line_amounts[line] <= 0 or deal.line_payers[line] == deal.line_payees[line]:
                faults |= 1 << 4
            if deal.line_payees[line] == seat:
                net += deal.line_amounts[line]
                if 3 <= deal.line_causes[line] <= 5:
                    kong_points += deal.line_amounts[line]
            if deal.line_payers[line] == seat:
                net -= deal.line_amounts[line]
        if net != table.points[seat]:
            faults |= 1 << 4
        for cause in range(10):
            gained = 0
            paid = 0
            for line in range(deal.count_lines):
                if deal.line_causes[line] == cause:
                    if deal.line_payees[line] == seat:
                        gained += deal.line_amounts[line]
                    if deal.line_payers[line] == seat:
                        paid += deal.line_amounts[line]
            if gained != deal.gained[seat, cause] or paid != deal.paid[seat, cause]:
                faults |= 1 << 5
    income_points = 0
    for income in range(deal.count_incomes):
        income_points += deal.income_amounts[income]
    if income_points > kong_points:
        faults |= 1 << 15
    return faults


@kernel
def seats_fault(deal: Deal, rules: Rules) -> int:
    """Return the bits of the faults 11 to 14: winners, asked seats, legal choices and locks.

    Parameters
    ----------
    deal : Deal, read
        The deal.
    rules : Rules, read
        The preset.
    """
    faults = 0
    table = deal.table
    wins = 0
    for seat in range(SEATS):
        hand = deal.hands[seat]
        won = table.win_forms[seat] != NOT_WON
        if won:
            wins += 1
        if won == (table.active[seat] == 1) or won != (table.win_order[seat] > 0):
            faults |= 1 << 11
        if (deal.asked >> seat) & 1:
            if table.active[seat] == 0:
                faults |= 1 << 12
            if table.decision == TURN and hand.legal_discards == 0:
                faults |= 1 << 13
            is_claim = table.decision in (CLAIM, ROB)
            if is_claim and hand.legal_win == 0 and hand.legal_pung == 0 and hand.legal_kongs == 0:
                faults |= 1 << 13
        if (hand.win_locked and rules.pass_win_lock == 0) or (hand.pung_locked and rules.pass_pung_lock == 0):
            faults |= 1 << 14
    if wins != table.count_wins or wins > 3:
        faults |= 1 << 11
    if (deal.asked == 0) != (table.decision == OVER):
        faults |= 1 << 12
    for seat in range(SEATS):
        if table.win_forms[seat] == DISCARD and (table.win_from[seat] == NONE or table.win_from[seat] == seat):
            faults |= 1 << 11
    return faults


@kernel
def mark_faults(deal: Deal, rules: Rules, lookup: Lookup) -> int:
    """Return a mask of everything that is wrong with a table state: bit i stands for FAULTS[i], 0 for a sound state.

    Parameters
    ----------
    deal : Deal, read
        A deal that has begun, between two answers or over.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    table = deal.table
    faults = ledger_fault(deal) | seats_fault(deal, rules)
    for seat in range(SEATS):
        hand = deal.hands[seat]
        if not is_consistent(hand):
            faults |= 1 << 0
        if not has_right_size(deal, seat):
            faults |= 1 << 1
        for meld in range(hand.count_melds):
            if hand.meld_kinds[meld] // RANKS == hand.void_suit:
                faults |= 1 << 7
        if not shows_melds(deal, rules, seat):
            faults |= 1 << 8
        holds_extra = hand.sizes[0] + hand.sizes[1] + hand.sizes[2] + 3 * hand.count_melds != 13
        if table.decision >= TURN and not holds_extra and table.active[seat]:
            is_konger = table.decision == ROB and table.turn == seat
            if not is_konger and deal.waits[seat] != mark_waits(hand, lookup):
                faults |= 1 << 9
    for kind in range(KINDS):
        if not has_four_copies(deal, kind):
            faults |= 1 << 2
        if table.seen[kind] != count_public(deal, rules, kind):
            faults |= 1 << 6
    if count_in_wall(deal, NONE) != table.tiles_left:
        faults |= 1 << 10
    return faults


def describe_faults(mask: int) -> list[str]:
    """Return the faults of a mask in words.

    Parameters
    ----------
    mask : int
        What `mark_faults` returned.

    Returns
    -------
    list of str
        One sentence a fault.
    """
    return [fault for index, fault in enumerate(FAULTS) if (mask >> index) & 1]
