"""From a preset to the rule record that kernels read: the only bridge between words and integers."""

from typing import Any

from sim.engine.sichuan.rules import (
    ABSENT,
    ADD_FAN,
    ADD_POINTS,
    AFTER_DISCARDER,
    AFTER_LAST_WINNER,
    ALL_NON_PIGS,
    DIRECTIONS,
    NO_CAP,
    PATTERNS,
    REMAINING_CLEARED,
    REMAINING_READY,
    SELF_DRAW_NONE,
    Rules,
)
from sim.jit import new
from sim.rules.model import Preset

_SELF_DRAW = {"none": SELF_DRAW_NONE, "add_points": ADD_POINTS, "add_fan": ADD_FAN}
_NEXT_TURN = {"after_last_winner": AFTER_LAST_WINNER, "after_discarder": AFTER_DISCARDER}
_FLOWER_PIG_TO = {
    "remaining_cleared": REMAINING_CLEARED,
    "all_non_pigs": ALL_NON_PIGS,
    "remaining_ready": REMAINING_READY,
}


def compile_rules(preset: Preset) -> Any:
    """Return a preset's rule record.

    Parameters
    ----------
    preset : Preset
        A validated preset.

    Returns
    -------
    numpy.recarray of Rules, shape (1,)
        What drivers take.
    """
    records = new(Rules)
    rules = records[0]
    rules.exchange_direction = DIRECTIONS.index(preset.exchange.direction)
    rules.exchange_count = preset.exchange.count
    rules.void_discard_first = preset.void_suit.discard_first
    rules.void_blocks_calls = preset.void_suit.blocks_calls
    rules.win_multiple = preset.win.multiple
    rules.win_self_draw = _SELF_DRAW[preset.win.self_draw]
    rules.win_self_draw_points = preset.win.self_draw_points
    rules.win_next_turn = _NEXT_TURN[preset.win.next_turn]
    rules.pass_win_lock = preset.passing.win_lock == "until_next_draw"
    rules.pass_pung_lock = preset.passing.pung_lock
    rules.kong_concealed = preset.kong.concealed
    rules.kong_added = preset.kong.added
    rules.kong_exposed = preset.kong.exposed
    rules.kong_concealed_visible = preset.kong.concealed_visible
    rules.kong_transfer = preset.kong.transfer_on_kong_discard
    for index, name in enumerate(PATTERNS):
        fan = getattr(preset.fan.patterns, name)
        rules.fan[index] = ABSENT if fan is None else fan
    rules.fan_cap = NO_CAP if preset.fan.cap is None else preset.fan.cap
    rules.flower_pig = preset.exhaustion.flower_pig
    rules.flower_pig_to = _FLOWER_PIG_TO[preset.exhaustion.flower_pig_to]
    rules.not_ready = preset.exhaustion.not_ready == "highest_value"
    rules.kong_refund = preset.exhaustion.kong_refund
    return records
