"""The rules as data: presets, their knobs, and how they are read, changed, compared and described.

Light to import: nothing here needs the engine or its compiled code, except `compile`, which is not imported here.
"""

from __future__ import annotations

from sim.rules.dump import preset_digest
from sim.rules.knobs import Knob, all_knobs, find_knob, get_knob, knob_keys, knob_values, settlement_only
from sim.rules.load import available_presets, load_preset
from sim.rules.model import (
    Exchange,
    Exhaustion,
    Fan,
    Hand,
    Kong,
    Passing,
    Patterns,
    Preset,
    Ready,
    TableFormat,
    VoidSuit,
    Win,
)
from sim.rules.overrides import parse_set, parse_sets, with_overrides

__all__ = [
    "Exchange",
    "Exhaustion",
    "Fan",
    "Hand",
    "Knob",
    "Kong",
    "Passing",
    "Patterns",
    "Preset",
    "Ready",
    "TableFormat",
    "VoidSuit",
    "Win",
    "all_knobs",
    "available_presets",
    "find_knob",
    "get_knob",
    "knob_keys",
    "knob_values",
    "load_preset",
    "parse_set",
    "parse_sets",
    "preset_digest",
    "settlement_only",
    "with_overrides",
]
