"""The three shipped presets say what the rulebook says, knob by knob, and mark what it assumes."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from sim.rules import all_knobs, available_presets, knob_keys, knob_values, load_preset, preset_digest

PLANET, MAHJONGO, CARDAVIA = "mahjong-planet", "mahjongo", "cardavia-sichuan"
NAMES = (PLANET, MAHJONGO, CARDAVIA)

# Written from the rulebook: the key, then mahjong-planet, mahjongo, cardavia-sichuan.
RULEBOOK = {
    "exchange.direction": ("random", "random", "none"),
    "exchange.count": (3, 3, 3),
    "void_suit.discard_first": (True, False, True),
    "void_suit.blocks_calls": (True, True, True),
    "void_suit.simultaneous": (True, True, True),
    "win.multiple": (True, True, True),
    "win.self_draw": ("add_points", "add_points", "add_points"),
    "win.self_draw_points": (1, 1, 1),
    "win.next_turn": ("after_last_winner", "after_last_winner", "after_last_winner"),
    "pass.win_lock": ("until_next_draw", "none", "none"),
    "pass.pung_lock": (True, False, False),
    "kong.concealed": (2, 2, 2),
    "kong.added": (1, 1, 1),
    "kong.exposed": (2, 2, 2),
    "kong.concealed_visible": (True, True, True),
    "kong.transfer_on_kong_discard": (False, False, False),
    "kong.replacement_from": ("back", "back", "back"),
    "kong.after_pung": (False, False, False),
    "ready.fifth_copy": ("excluded", "excluded", "excluded"),
    "ready.exhausted_wait": ("counts", "counts", "counts"),
    "hand.four_alike": ("two_pairs", "two_pairs", "two_pairs"),
    "fan.cap": (3, 3, 5),
    "fan.root_in_runs": (True, True, True),
    "fan.patterns.root": (1, 1, 1),
    "fan.patterns.all_pungs": (1, 1, 1),
    "fan.patterns.all_pungs_258": ("none", "none", 3),
    "fan.patterns.full_flush": (2, 2, 2),
    "fan.patterns.seven_pairs": (2, 2, 2),
    "fan.patterns.outside_hand": ("none", "none", 2),
    "fan.patterns.pair_wait": (1, 1, "none"),
    "fan.patterns.golden_wait": ("none", "none", 1),
    "fan.patterns.kong_draw": (1, 1, 1),
    "fan.patterns.kong_discard": (1, 1, "none"),
    "fan.patterns.rob_kong": (1, 1, 1),
    "fan.patterns.last_tile": (1, 1, 1),
    "exhaustion.flower_pig": (8, 8, 32),
    "exhaustion.flower_pig_to": ("remaining_cleared", "remaining_cleared", "all_non_pigs"),
    "exhaustion.not_ready": ("highest_value", "highest_value", "highest_value"),
    "exhaustion.kong_refund": (True, True, True),
    "exhaustion.refund_to": ("original_payers", "original_payers", "original_payers"),
    "exhaustion.refund_earlier_winners": (True, True, True),
    "table.format": ("one_deal", "one_deal", "one_deal"),
    "table.rounds": (4, 4, 4),
    "table.ties": ("shared", "shared", "shared"),
}

# P mahjong-planet, M mahjongo, C cardavia-sichuan: whose document does not state the value, or not all of its meaning.
ASSUMED = {
    "exchange.direction": "M",  # "the indicated direction"
    "exchange.count": "C",  # no exchange, so no count
    "void_suit.blocks_calls": "M",
    "void_suit.simultaneous": "PMC",
    "win.next_turn": "PMC",
    "pass.win_lock": "PMC",  # P: stated for discards, not for a robbery passed up
    "pass.pung_lock": "MC",
    "kong.concealed": "M",
    "kong.added": "M",
    "kong.exposed": "M",
    "kong.concealed_visible": "MC",
    "kong.transfer_on_kong_discard": "MC",
    "kong.replacement_from": "MC",
    "kong.after_pung": "PM",
    "ready.fifth_copy": "MC",
    "ready.exhausted_wait": "MC",
    "hand.four_alike": "PM",
    "fan.root_in_runs": "PMC",
    "fan.patterns.root": "P",
    "fan.patterns.all_pungs": "P",
    "fan.patterns.all_pungs_258": "P",
    "fan.patterns.full_flush": "P",
    "fan.patterns.seven_pairs": "P",
    "fan.patterns.outside_hand": "P",
    "fan.patterns.pair_wait": "P",
    "fan.patterns.golden_wait": "P",
    "fan.patterns.kong_draw": "P",
    "fan.patterns.kong_discard": "P",
    "fan.patterns.rob_kong": "PC",
    "fan.patterns.last_tile": "PC",
    "exhaustion.flower_pig": "M",
    "exhaustion.flower_pig_to": "M",
    "exhaustion.not_ready": "M",
    "exhaustion.kong_refund": "M",
    "exhaustion.refund_to": "MC",
    "exhaustion.refund_earlier_winners": "MC",
    "table.format": "M",
    "table.rounds": "PMC",
    "table.ties": "PMC",
}


def read_raw(name):
    """Read a shipped file as plain TOML, past all of the program's own code."""
    return tomllib.loads((resources.files("configs") / "presets" / f"{name}.toml").read_text(encoding="utf-8"))


def leaves(table, prefix=""):
    """List the dotted keys of the values in nested tables."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def test_these_presets_are_shipped():
    assert available_presets() == tuple(sorted(NAMES))


def test_the_rulebook_table_covers_every_knob():
    assert tuple(RULEBOOK) == knob_keys()


@pytest.mark.parametrize("column", range(3), ids=NAMES)
def test_every_knob_has_the_rulebooks_value(column):
    preset = load_preset(NAMES[column])
    assert knob_values(preset) == {key: values[column] for key, values in RULEBOOK.items()}


@pytest.mark.parametrize(("letter", "name"), [("P", PLANET), ("M", MAHJONGO), ("C", CARDAVIA)])
def test_the_assumed_list_is_the_rulebooks(letter, name):
    preset = load_preset(name)
    assert preset.assumed == tuple(key for key in RULEBOOK if letter in ASSUMED.get(key, ""))
    assert len(preset.assumed) == {"P": 20, "M": 26, "C": 17}[letter]


@pytest.mark.parametrize("name", NAMES)
def test_every_knob_is_written_in_the_file(name):
    raw = read_raw(name)
    assert raw["name"] == name
    assert raw["title"]
    assert raw["source"]
    assert "extends" not in raw
    header = {"name", "title", "source", "assumed"}
    assert [key for key in leaves(raw) if key not in header] == list(knob_keys())


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_of_assumed_has_its_reason_as_a_comment(name):
    text = (resources.files("configs") / "presets" / f"{name}.toml").read_text(encoding="utf-8")
    listed = text.partition("assumed = [\n")[2].partition("]\n")[0].splitlines()
    assert len(listed) == len(read_raw(name)["assumed"])
    assert all(line.partition("#")[2].strip() for line in listed)


def expected_use(key):
    """Say which presets use which value, as the fields' descriptions must end."""
    by_value = {}
    for name, value in zip(NAMES, RULEBOOK[key], strict=True):
        by_value.setdefault(str(value).lower() if isinstance(value, bool) else str(value), []).append(name)
    if len(by_value) == 1:
        return f"{next(iter(by_value))} (all)"
    return ", ".join(f"{value} ({', '.join(names)})" for value, names in by_value.items())


@pytest.mark.parametrize("key", RULEBOOK)
def test_the_field_says_which_presets_use_which_value(key):
    assert all_knobs()[key].use == expected_use(key)
    assert all_knobs()[key].meaning.endswith((".", ".)"))


def test_the_three_digests_differ():
    assert len({preset_digest(load_preset(name)) for name in NAMES}) == 3
