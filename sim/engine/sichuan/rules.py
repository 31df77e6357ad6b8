"""The rule record: a preset as the integers that kernels read.

One field a knob, under the preset's words. `sim.rules.compile` fills it; nothing else makes one.
"""

from typing import Annotated

from sim.jit import Ints, record

LEFT, ACROSS, RIGHT, RANDOM = 3, 2, 1, 4
"""Exchange directions: how many seats tiles move in turn order; RANDOM is one of those for each wall, 0 none."""
DIRECTIONS = ("none", "right", "across", "left", "random")
SELF_DRAW_NONE, ADD_POINTS, ADD_FAN = 0, 1, 2
AFTER_LAST_WINNER, AFTER_DISCARDER = 0, 1
REMAINING_CLEARED, ALL_NON_PIGS, REMAINING_READY = 0, 1, 2

PATTERNS = (
    "root",
    "all_pungs",
    "all_pungs_258",
    "full_flush",
    "seven_pairs",
    "outside_hand",
    "pair_wait",
    "golden_wait",
    "kong_draw",
    "kong_discard",
    "rob_kong",
    "last_tile",
)
"""Pattern names in the order of the rulebook's table; a pattern's index is its bit in a mask of patterns."""
(
    ROOT,
    ALL_PUNGS,
    ALL_PUNGS_258,
    FULL_FLUSH,
    SEVEN_PAIRS,
    OUTSIDE_HAND,
    PAIR_WAIT,
    GOLDEN_WAIT,
    KONG_DRAW,
    KONG_DISCARD,
    ROB_KONG,
    LAST_TILE,
) = range(12)
SELF_DRAW_FAN = 12
"""Bit of the extra fan of `win.self_draw = add_fan`, shown as the pattern `self_draw`."""
ABSENT = -1
"""Fan of a pattern that does not exist in a preset."""
NO_CAP = 1 << 20


PLAY_FIELDS = (
    *("exchange_direction", "exchange_count", "void_discard_first", "void_blocks_calls", "win_multiple"),
    *("win_next_turn", "pass_win_lock", "pass_pung_lock", "kong_concealed_visible"),
)
"""Fields that change the course of play; all others only change how a finished deal is settled."""


@record
class Rules:
    """A preset, as integers."""

    exchange_direction: int
    """0 none, RIGHT, ACROSS, LEFT or RANDOM."""
    exchange_count: int
    """Tiles that each player gives, 1 to 4."""
    void_discard_first: int
    """1 if a held tile of the void suit must be discarded before any other."""
    void_blocks_calls: int
    """1 if no pung and no kong may be made while not cleared."""
    win_multiple: int
    """1 if several players may win on one tile."""
    win_self_draw: int
    """SELF_DRAW_NONE, ADD_POINTS or ADD_FAN."""
    win_self_draw_points: int
    """Points added to each payment of a self-drawn win under ADD_POINTS."""
    win_next_turn: int
    """AFTER_LAST_WINNER or AFTER_DISCARDER."""
    pass_win_lock: int
    """1 if passing a win locks wins on discards and robbing until the own next draw."""
    pass_pung_lock: int
    """1 if passing a pung locks that kind until the own next draw."""
    kong_concealed: int
    """Points from each other active player."""
    kong_added: int
    """Points from each other active player."""
    kong_exposed: int
    """Points from the player whose discard was claimed."""
    kong_concealed_visible: int
    """1 if the kind of a concealed kong is public."""
    kong_transfer: int
    """1 if a win by kong_discard takes the discarder's income from that kong."""
    fan: Annotated[Ints, 12]
    """Fan of each pattern of PATTERNS, ABSENT where it does not exist."""
    fan_cap: int
    """Most fan that count, NO_CAP if there is no cap."""
    flower_pig: int
    """Points that a flower pig pays each recipient."""
    flower_pig_to: int
    """REMAINING_CLEARED, ALL_NON_PIGS or REMAINING_READY."""
    not_ready: int
    """1 if players who are not ready pay those who are their highest value."""
    kong_refund: int
    """1 if remaining players who are not ready return their kong income."""
