"""Other settlements and other points so far: what must not matter to a strategy that calls itself rule-blind.

Not in here: the test itself (`strategies.contract`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sim.errors import ConfigError
from sim.rules import all_knobs, load_preset

if TYPE_CHECKING:
    import random

    from sim.rules.knobs import KnobValue

_NUMBERS = (0, 1, 2, 3, 5, 8, 20, 100, 1000)
_HIGHEST_CAP = 20


@cache
def settlement_values() -> dict[str, tuple[KnobValue, ...]]:
    """Give values of every settlement-only knob: all its words, both truth values, and numbers here and there.

    Returns
    -------
    dict
        By the knob's key; do not change it.
    """
    numbers: tuple[KnobValue, ...] = (True, False, *_NUMBERS)
    return {
        key: tuple(value for value in (*knob.words, *numbers) if knob.refuse(value) is None)
        for key, knob in all_knobs().items()
        if knob.settlement_only
    }


def draw_settlement(preset: str, knobs: dict[str, Any], lots: random.Random) -> dict[str, Any]:
    """Draw a value for each settlement-only knob; the others stay, so that deals go on alike.

    Parameters
    ----------
    preset : str
        Name of a preset.
    knobs : dict
        Its knobs that are set otherwise.
    lots : random.Random
        Where the values come from.

    Returns
    -------
    dict
        The knobs of the preset that are now set otherwise.
    """
    drawn = {**knobs, **{key: lots.choice(values) for key, values in settlement_values().items()}}
    try:
        load_preset(preset, drawn)
    except ConfigError:  # so many fan need a cap
        drawn["fan.cap"] = _HIGHEST_CAP
    return drawn


def draw_points(lots: random.Random) -> list[int]:
    """Draw points so far for four seats; they sum to zero.

    Parameters
    ----------
    lots : random.Random
        Where they come from.
    """
    points = [lots.choice((-300, -20, -1, 0, 2, 50)) for _ in range(3)]
    return [*points, -sum(points)]
