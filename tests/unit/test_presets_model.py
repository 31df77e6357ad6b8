"""The models: frozen, strict, and the knobs that are derived from them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest
from pydantic import ValidationError

from sim.errors import ConfigError
from sim.rules import (
    Patterns,
    Preset,
    all_knobs,
    get_knob,
    knob_keys,
    knob_values,
    load_preset,
    preset_digest,
    settlement_only,
)
from sim.rules.knobs import table_keys
from sim.rules.tables import highest_fan

SETTLEMENT_ONLY = {
    "win.self_draw",
    "win.self_draw_points",
    "kong.concealed",
    "kong.added",
    "kong.exposed",
    "kong.transfer_on_kong_discard",
    "ready.fifth_copy",
    "ready.exhausted_wait",
    "fan.cap",
    "fan.root_in_runs",
    *(f"fan.patterns.{name}" for name in Patterns.model_fields),
    "exhaustion.flower_pig",
    "exhaustion.flower_pig_to",
    "exhaustion.not_ready",
    "exhaustion.kong_refund",
    "exhaustion.refund_to",
    "exhaustion.refund_earlier_winners",
}

ALLOWED = {
    "exchange.direction": '"none", "left", "across", "right" or "random"',
    "exchange.count": "a whole number from 1 to 4",
    "void_suit.simultaneous": "only true",
    "win.multiple": "true or false",
    "win.self_draw": '"add_points", "add_fan" or "none"',
    "win.self_draw_points": "a whole number from 0 to 1000",
    "win.next_turn": '"after_last_winner" or "after_discarder"',
    "pass.win_lock": '"until_next_draw" or "none"',
    "kong.added": "a whole number from 0 to 1000",
    "kong.replacement_from": 'only "back"',
    "kong.after_pung": "only false",
    "fan.cap": 'a whole number from 0 to 20 or "none"',
    "fan.patterns.root": 'a whole number from 0 to 10 or "none"',
    "exhaustion.flower_pig": "a whole number from 0 to 10000",
    "exhaustion.flower_pig_to": '"remaining_cleared", "all_non_pigs" or "remaining_ready"',
    "exhaustion.not_ready": '"highest_value" or "none"',
    "table.format": '"one_deal" or "rounds"',
    "table.rounds": "a whole number from 1 to 100",
}


@pytest.fixture
def tables():
    """Give the tables of a preset, free to be changed."""
    return load_preset("mahjongo").to_dict()


def test_each_knob_declares_whether_it_only_changes_the_settlement():
    assert {key for key in knob_keys() if settlement_only(key)} == SETTLEMENT_ONLY


@pytest.mark.parametrize(("key", "allowed"), ALLOWED.items())
def test_allowed_values_in_words(key, allowed):
    assert all_knobs()[key].allowed == allowed


def test_tables_are_listed_outer_ones_first():
    expected = "exchange void_suit win pass kong ready hand fan fan.patterns exhaustion table"
    assert table_keys() == tuple(expected.split())


def test_attribute_path_is_the_key():
    preset = load_preset("mahjong-planet")
    assert preset.exchange.direction == "random"
    assert preset.passing.win_lock == "until_next_draw"
    assert preset.fan.patterns.full_flush == 2
    assert preset.fan.patterns.outside_hand is None
    assert get_knob(preset, "pass.win_lock") == "until_next_draw"
    assert get_knob(preset, "fan.patterns.outside_hand") == "none"


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("fan.cpa", "did you mean fan.cap"),
        ("name", "unknown key"),
        ("", "unknown key"),
        ("fan.cap.x", "unknown key"),
        ("fan", "a table, not a knob; its knobs: cap, root_in_runs, patterns"),
        ("fan.patterns", "a table, not a knob"),
    ],
)
def test_get_knob_and_settlement_only_refuse_what_is_no_knob(key, reason):
    preset = load_preset("mahjongo")
    with pytest.raises(ConfigError, match=reason):
        get_knob(preset, key)
    with pytest.raises(ConfigError, match=reason):
        settlement_only(key)


def test_none_is_a_word_for_numbers_that_can_be_off_and_stays_a_word_elsewhere(tables):
    tables["fan"]["cap"] = "none"
    tables["exhaustion"]["not_ready"] = "none"
    preset = Preset.model_validate(tables)
    assert preset.fan.cap is None
    assert preset.exhaustion.not_ready == "none"


def test_a_preset_is_frozen_all_the_way_down():
    preset = load_preset("mahjongo")
    with pytest.raises(ValidationError, match="frozen"):
        preset.name = "other"
    with pytest.raises(ValidationError, match="frozen"):
        preset.fan.cap = 5
    with pytest.raises(ValidationError, match="frozen"):
        preset.fan.patterns.root = 5
    assert hash(preset) == hash(load_preset("mahjongo"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("fan", "cap"), 3.0),
        (("fan", "cap"), "3"),
        (("fan", "cap"), True),
        (("fan", "cap"), 21),
        (("fan", "cap"), -1),
        (("fan", "patterns", "root"), 11),
        (("fan", "patterns", "roots"), 1),
        (("exchange", "count"), 0),
        (("exchange", "count"), 5),
        (("exchange", "count"), "none"),
        (("exchange", "direction"), "up"),
        (("void_suit", "simultaneous"), False),
        (("void_suit", "simultaneous"), 1),
        (("kong", "after_pung"), 0),
        (("kong", "after_pung"), True),
        (("win", "multiple"), 1),
        (("pass", "win_lock"), None),
        (("name",), "a blank at the end "),
        (("name",), ""),
        (("assumed",), ["fan.cpa"]),
        (("extra",), 1),
    ],
)
def test_models_refuse_wrong_values_and_unknown_keys(tables, path, value):
    table = tables
    for part in path[:-1]:
        table = table[part]
    table[path[-1]] = value
    with pytest.raises(ValidationError):
        Preset.model_validate(tables)


def test_assumed_entries_are_written_out_in_the_order_of_the_knobs(tables):
    tables["assumed"] = ["table.ties", "kong", "kong.added", "exchange.count"]
    kongs = tuple(key for key in knob_keys() if key.startswith("kong."))
    preset = Preset.model_validate(tables)
    assert preset.assumed == ("exchange.count", *kongs, "table.ties")
    assert preset.is_assumed("kong.added")
    assert not preset.is_assumed("fan.cap")


def test_without_a_cap_the_fan_are_bounded(tables):
    patterns = {"root": 2, "all_pungs": 9, "full_flush": 9, "rob_kong": 1}
    tables["fan"] = {"cap": "none", "patterns": patterns}
    assert highest_fan(Preset.model_validate(tables).fan.patterns) == 28  # 4 roots, 19, and the self-draw's one
    tables["fan"] = {"cap": "none", "patterns": patterns | {"rob_kong": 2}}
    with pytest.raises(ValidationError, match="without a cap the patterns could reach 29 fan"):
        Preset.model_validate(tables)
    tables["fan"]["cap"] = 20
    assert Preset.model_validate(tables).fan.cap == 20


def test_the_digest_is_of_the_knobs_alone(tables):
    preset = load_preset("mahjongo")
    tables |= {"name": "other", "title": "Another", "source": "", "assumed": []}
    assert preset_digest(Preset.model_validate(tables)) == preset_digest(preset)
    canonical = json.dumps(knob_values(preset), sort_keys=True, separators=(",", ":"))
    assert preset_digest(preset) == hashlib.sha256(canonical.encode()).hexdigest()


@pytest.mark.parametrize("name", ["mahjong-planet", "mahjongo", "cardavia-sichuan"])
def test_dict_and_toml_give_an_equal_preset(name, tmp_path):
    preset = load_preset(name)
    assert Preset.model_validate(preset.to_dict()) == preset
    file = tmp_path / f"{name}.toml"
    file.write_text(preset.to_toml(), encoding="utf-8")
    assert load_preset(file) == preset


def test_texts_survive_toml(tmp_path, tables):
    tables |= {"name": "odd", "title": 'Quote " and \\ and\ttab\n\x7f\x01', "source": "四川麻將 🀄"}
    preset = Preset.model_validate(tables)
    file = tmp_path / "odd.toml"
    file.write_text(preset.to_toml(), encoding="utf-8")
    assert load_preset(file) == preset


def test_importing_the_rules_is_light():
    code = (
        "import sim.rules, sys; print([m for m in ('numba', 'numpy', 'polars', 'pandas', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
