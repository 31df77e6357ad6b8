"""Helpers for strategies: live tiles, what a hand would be worth, how dangerous a tile is.

Native strategies call them as they are; `strategies.addresses` is the same for Python strategies.
"""

from sim.engine.hands.hand import KINDS, NONE, RANKS, SUITS, Hand, is_cleared, remove_tile
from sim.engine.hands.hand import add_tile as put_back
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten
from sim.engine.hands.waits import is_complete
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.rules import ADD_FAN, LAST_TILE, SELF_DRAW_FAN, Rules
from sim.engine.sichuan.table import Table, count_live
from strategies.compiling import helper


@helper
def count_live_tiles(hand: Hand, table: Table, kinds: int) -> int:
    """Return how many tiles of some kinds the player has not seen.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    kinds : int64, read
        Mask of the kinds.
    """
    count = 0
    for kind in range(KINDS):
        if (kinds >> kind) & 1:
            count += count_live(hand, table, kind)
    return count


@helper
def least_shanten(hand: Hand, lookup: Lookup) -> int:
    """Return a hand's shanten without its void suit; before that is chosen, without the suit that suits best.

    Parameters
    ----------
    hand : Hand, read
        The hand.
    lookup : Lookup, read
        Hand tables.
    """
    if hand.void_suit != NONE:
        return count_shanten(hand, hand.void_suit, lookup)
    least = 99
    for suit in range(SUITS):
        least = min(least, count_shanten(hand, suit, lookup))
    return least


@helper
def value_if_completed(hand: Hand, table: Table, rules: Rules, lookup: Lookup, kind: int, is_self_draw: int) -> int:
    """Return the value in points of the hand that a tile completes under the preset, 0 if it does not.

    The last tile of the wall is counted if the wall is empty, other situations are not.

    Parameters
    ----------
    hand : Hand, changed
        A hand of 13 tiles (fewer three for each meld), its void suit chosen; left as it was.
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    kind : int64, read
        The winning tile.
    is_self_draw : int64, read
        1 if it is drawn.
    """
    put_back(hand, kind)
    can_win = is_cleared(hand) and is_complete(hand, lookup)
    remove_tile(hand, kind)
    if not can_win:
        return 0
    situation = 0
    if table.tiles_left == 0:
        situation |= 1 << LAST_TILE
    if is_self_draw and rules.win_self_draw == ADD_FAN:
        situation |= 1 << SELF_DRAW_FAN
    return value_of(score_fan(score_hand(hand, kind, situation, rules, lookup)), rules)


@helper
def estimate_danger(hand: Hand, table: Table, kind: int, seat: int) -> int:
    """Return how dangerous a discard is to one opponent, 0 (it cannot win on it) to 1000: a rule of thumb.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    kind : int64, read
        The discard.
    seat : int64, read
        The opponent.
    """
    suit = kind // RANKS
    if table.active[seat] == 0 or table.void_suits[seat] == suit:
        return 0
    rank = kind - RANKS * suit
    ways = 2 * max(0, count_live(hand, table, kind))
    for low in range(max(0, rank - 2), min(RANKS - 3, rank) + 1):
        fewest = 4
        for other in range(low, low + 3):
            if other != rank:
                fewest = min(fewest, count_live(hand, table, RANKS * suit + other))
        ways += max(0, fewest)
    if table.thrown[seat, kind] > 0:
        ways //= 4
    return min(1000, 50 * ways)
