"""The table: what every player sees (rules, chapter 9).

Not in here: hidden things (`sim.engine.sichuan.deal`) and a player's own tiles (`sim.engine.hands.hand`).
"""

from typing import Annotated

from sim.engine.hands.hand import KINDS, Hand
from sim.jit import Ints, inlined, record

SEATS = 4
MOST_DISCARDS = 112

EXCHANGE, VOID_SUIT, TURN, CLAIM, ROB, OVER = 0, 1, 2, 3, 4, 5
"""What is being decided: OVER when the deal has ended."""
DECISIONS = ("exchange", "void_suit", "turn", "claim", "rob", "over")

KONG_ACTION = 32
"""Action of a kong: this and the kind."""
WIN_ACTION, PASS_ACTION, PUNG_ACTION = 64, 65, 66
"""Actions of a turn are a kind to discard (0 to 26), KONG_ACTION + kind, WIN_ACTION; of a claim WIN_ACTION,
PASS_ACTION, PUNG_ACTION, KONG_ACTION + kind; of an answer to an added kong WIN_ACTION, PASS_ACTION. The void suit is
answered by a suit, the exchange by its kinds in ascending order, packed as the sum of kind[i] * 32 ** i."""

NOT_WON, SELF_DRAW, DISCARD, ROBBED_KONG = 0, 1, 2, 3
"""Forms of a win."""
WIN_FORMS = ("none", "self_draw", "discard", "robbed_kong")

UNCLAIMED, CLAIMED_PUNG, CLAIMED_KONG, CLAIMED_WIN = 0, 1, 2, 3
"""What became of a discard."""


@record
class Table:
    """What all four players see."""

    decision: int
    """EXCHANGE, VOID_SUIT, TURN, CLAIM, ROB or OVER."""
    turn: int
    """Seat whose turn it is; in a claim the discarder, in a robbing the player who declares the kong."""
    tile: int
    """Kind that is discarded or added in a CLAIM or ROB decision, else NONE."""
    after_kong: int
    """1 while the tile in question (drawn, or discarded) follows directly on a kong's replacement."""
    after_pung: int
    """1 if the turn was entered by a pung."""
    direction: int
    """Exchange direction in force: 0 none, or the number of seats in turn order that tiles move (RIGHT 1 ...)."""
    void_suits: Annotated[Ints, SEATS]
    """Declared void suits; NONE for all until all four have chosen."""
    tiles_left: int
    """Tiles left in the wall."""
    active: Annotated[Ints, SEATS]
    """1 for each player who has not won."""
    count_wins: int
    """Players who have won so far."""
    win_order: Annotated[Ints, SEATS]
    """1, 2, 3 for winners in order, 0 for the others."""
    win_forms: Annotated[Ints, SEATS]
    """NOT_WON, SELF_DRAW, DISCARD or ROBBED_KONG."""
    win_tiles: Annotated[Ints, SEATS]
    """Kind won on; NONE for others, and for a dealer who won on the dealt fourteen."""
    win_from: Annotated[Ints, SEATS]
    """Seat that discarded the tile or declared the robbed kong; NONE for self-draws."""
    points: Annotated[Ints, SEATS]
    """Points so far."""
    count_melds: Annotated[Ints, SEATS]
    """Melds of each seat."""
    meld_kinds: Annotated[Ints, SEATS, 4]
    """Kind of each meld; NONE for a concealed kong whose kind is not public."""
    meld_forms: Annotated[Ints, SEATS, 4]
    """Form of each meld."""
    meld_from: Annotated[Ints, SEATS, 4]
    """Seat whose discard made the meld; the own seat for a concealed kong."""
    count_discards: int
    """Discards made by all players."""
    discard_kinds: Annotated[Ints, MOST_DISCARDS]
    """Kind of each discard in order."""
    discard_seats: Annotated[Ints, MOST_DISCARDS]
    """Seat that made each discard."""
    discard_claims: Annotated[Ints, MOST_DISCARDS]
    """UNCLAIMED, CLAIMED_PUNG, CLAIMED_KONG or CLAIMED_WIN."""
    thrown: Annotated[Ints, SEATS, KINDS]
    """How many tiles of each kind each seat has discarded, claimed or not."""
    seen: Annotated[Ints, KINDS]
    """Copies of each kind that everybody has seen: discards, visible melds, winning tiles, each tile once."""


@inlined
def count_live(hand: Hand, table: Table, kind: int) -> int:
    """Return how many copies of a kind a player has not seen: those in other hands and in the wall.

    Parameters
    ----------
    hand : Hand, read
        The player's hand.
    table : Table, read
        What everybody sees.
    kind : int64, read
        The kind, 0 to 26.
    """
    if (hand.kongs >> kind) & 1:
        return 0
    return int(4 - hand.counts[kind] - table.seen[kind])
