"""Ready and complete hands (rules, chapters 5 and 6).

Both need a hand without a tile of its own void suit. Not in here: what a complete hand is worth
(`sim.engine.sichuan.fan`).
"""

from sim.engine.hands.hand import Hand, is_cleared
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, mark_useful
from sim.jit import inlined


@inlined
def mark_waits(hand: Hand, lookup: Lookup) -> int:
    """Return which kinds complete a hand, a mask: a hand is ready if there are any.

    A kind of which the hand and its melds hold all four tiles is no wait; a kind whose other tiles are all visible
    elsewhere is one.

    Parameters
    ----------
    hand : Hand, read
        A hand of 13 tiles (fewer three for each meld), its void suit chosen.
    lookup : Lookup, read
        The suit tables.
    """
    if not is_cleared(hand) or count_shanten(hand, hand.void_suit, lookup) != 0:
        return 0
    return mark_useful(hand, hand.void_suit, lookup)


@inlined
def is_complete(hand: Hand, lookup: Lookup) -> bool:
    """Tell whether a hand is a winning one: cleared, and four groups and a pair, or seven pairs.

    Parameters
    ----------
    hand : Hand, read
        A hand of 14 tiles (fewer three for each meld), its void suit chosen.
    lookup : Lookup, read
        The suit tables.
    """
    return is_cleared(hand) and count_shanten(hand, hand.void_suit, lookup) == -1
