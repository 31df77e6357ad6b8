"""Goes the shortest way to a ready hand, and keeps it widest: the most tiles nobody has seen that bring it nearer.

Modelled on the medium level of public programs and on tile efficiency as the riichi world teaches it: ukeire is the
count of the tiles that are accepted. First the fewest steps to ready, over four groups and a pair and over seven pairs
and without the void suit's tiles; among the discards that keep those the one after which most live tiles are useful; of
equals the loneliest tile. Steps come first: ranked by useful tiles alone, a discard that leads away from ready can look
best. Pungs are claimed if they save a step, kongs made if they cost none.
"""

from sim.engine.hands.hand import NONE, Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies.common import claim_what_helps, discard_for_width, win_or_kong

RULE_BLIND = True


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or make the discard that keeps the shortest way to ready widest."""
    action = win_or_kong(hand, lookup)
    if action != NONE:
        return action
    return discard_for_width(hand, table, lookup)


def choose_claim(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    """Win, make a kong that does no harm, or claim a pung that saves a step."""
    return claim_what_helps(hand, table, lookup)
