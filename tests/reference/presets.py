"""Presets for tests: shipped ones with knobs changed, and ones drawn at random that exercise every knob."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.rules import Preset, all_knobs, load_preset

if TYPE_CHECKING:
    import random

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


def shipped(name: str = "mahjong-planet", **overrides: Any) -> Preset:
    """Load a shipped preset with knobs changed; two underscores stand for the dot of a knob's key."""
    return load_preset(name, {key.replace("__", "."): value for key, value in overrides.items()})


def random_preset(lots: random.Random, name: str = "drawn") -> Preset:
    """Draw a preset. Every allowed word of every knob can come; numbers stay small enough to read."""
    return Preset.model_validate(random_tables(lots, name))


def random_tables(lots: random.Random, name: str = "drawn") -> dict[str, Any]:
    """Draw the tables of a preset as they would stand in a file."""
    chance = lots.random
    # Most of the time the common patterns exist; at times a table is poor or full of zeros.
    exists = lots.choice([0.3, 0.8, 1.0])
    fans: dict[str, int | str] = {
        pattern: lots.choice([0, 0, 1, 1, 1, 2, 3]) if chance() < exists else "none" for pattern in PATTERNS
    }
    highest = 1 + sum(
        (4 if pattern == "root" else 1) * (0 if fan == "none" else int(fan)) for pattern, fan in fans.items()
    )
    caps: list[int | str] = [0, 1, 2, 3, 4, 5, 8, 20]
    if highest <= 28:  # without a cap no more is allowed
        caps.append("none")
    return {
        "name": name,
        "exchange": {
            "direction": lots.choice(["none", "left", "across", "right", "random"]),
            "count": lots.randint(1, 4),
        },
        "void_suit": {"discard_first": chance() < 0.6, "blocks_calls": chance() < 0.6},
        "win": {
            "multiple": chance() < 0.6,
            "self_draw": lots.choice(["add_points", "add_fan", "none"]),
            "self_draw_points": lots.choice([0, 1, 1, 2, 7]),
            "next_turn": lots.choice(["after_last_winner", "after_discarder"]),
        },
        "pass": {"win_lock": lots.choice(["until_next_draw", "none"]), "pung_lock": chance() < 0.5},
        "kong": {
            "concealed": lots.choice([0, 1, 2, 5]),
            "added": lots.choice([0, 1, 1, 3]),
            "exposed": lots.choice([0, 1, 2, 4]),
            "concealed_visible": chance() < 0.5,
            "transfer_on_kong_discard": chance() < 0.5,
        },
        "fan": {"cap": lots.choice(caps), "patterns": fans},
        "exhaustion": {
            "flower_pig": lots.choice([0, 8, 32, 100]),
            "flower_pig_to": lots.choice(["remaining_cleared", "all_non_pigs", "remaining_ready"]),
            "not_ready": lots.choice(["highest_value", "none"]),
            "kong_refund": chance() < 0.7,
        },
        "table": {"format": "one_deal", "rounds": 1},
    }


def settle_like(preset: Preset, other: Preset) -> Preset:
    """Return a preset with the settlement-only knobs of another: deals of the first can be settled again under it."""
    tables = preset.model_dump(by_alias=True)
    theirs = other.model_dump(by_alias=True)
    for key, knob in all_knobs().items():
        if knob.settlement_only:
            *path, name = key.split(".")
            into, source = tables, theirs
            for table in path:
                into, source = into[table], source[table]
            into[name] = source[name]
    return Preset.model_validate(tables)
