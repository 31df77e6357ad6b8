"""Single knobs set over a preset, and what must hold for any set of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import ConfigError
from sim.rules import (
    get_knob,
    knob_keys,
    knob_values,
    load_preset,
    parse_set,
    parse_sets,
    preset_digest,
    with_overrides,
)
from sim.rules.diff import diff_presets

unhurried = settings(deadline=None, max_examples=60)

BOOLEANS = st.booleans()
POINTS = st.integers(0, 1000)
NONE = st.just("none")
PATTERN_FAN = st.integers(0, 2) | NONE  # small enough for no cap

# Written from the preset format, and not from the models.
VALUES = {
    "exchange.direction": st.sampled_from(["none", "left", "across", "right", "random"]),
    "exchange.count": st.integers(1, 4),
    "void_suit.discard_first": BOOLEANS,
    "void_suit.blocks_calls": BOOLEANS,
    "void_suit.simultaneous": st.just(value=True),
    "win.multiple": BOOLEANS,
    "win.self_draw": st.sampled_from(["add_points", "add_fan", "none"]),
    "win.self_draw_points": POINTS,
    "win.next_turn": st.sampled_from(["after_last_winner", "after_discarder"]),
    "pass.win_lock": st.sampled_from(["until_next_draw", "none"]),
    "pass.pung_lock": BOOLEANS,
    "kong.concealed": POINTS,
    "kong.added": POINTS,
    "kong.exposed": POINTS,
    "kong.concealed_visible": BOOLEANS,
    "kong.transfer_on_kong_discard": BOOLEANS,
    "kong.replacement_from": st.just("back"),
    "kong.after_pung": st.just(value=False),
    "ready.fifth_copy": st.just("excluded"),
    "ready.exhausted_wait": st.just("counts"),
    "hand.four_alike": st.just("two_pairs"),
    "fan.cap": st.integers(0, 20) | NONE,
    "fan.root_in_runs": st.just(value=True),
    **{key: PATTERN_FAN for key in knob_keys() if key.startswith("fan.patterns.")},
    "exhaustion.flower_pig": st.integers(0, 10_000),
    "exhaustion.flower_pig_to": st.sampled_from(["remaining_cleared", "all_non_pigs", "remaining_ready"]),
    "exhaustion.not_ready": st.sampled_from(["highest_value", "none"]),
    "exhaustion.kong_refund": BOOLEANS,
    "exhaustion.refund_to": st.just("original_payers"),
    "exhaustion.refund_earlier_winners": st.just(value=True),
    "table.format": st.sampled_from(["one_deal", "rounds"]),
    "table.rounds": st.integers(1, 100),
    "table.ties": st.just("shared"),
}
NAMES = st.sampled_from(["mahjong-planet", "mahjongo", "cardavia-sichuan"])
OVERRIDES = st.fixed_dictionaries({}, optional=VALUES)
WRONG = (
    st.none()
    | st.floats()
    | st.text().filter(lambda text: text not in {"none", "left", "across", "right", "random"})
    | st.integers(max_value=-1)
    | st.integers(min_value=10_001)
    | st.lists(st.integers())
    | st.dictionaries(st.text(), st.integers())
)


def nest(overrides):
    """Write dotted keys as nested tables."""
    tables = {}
    for key, value in overrides.items():
        *path, name = key.split(".")
        table = tables
        for part in path:
            table = table.setdefault(part, {})
        table[name] = value
    return tables


def as_toml(value):
    """Write a value as TOML."""
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else f'"{value}"'


def test_the_format_lists_every_knob():
    assert set(VALUES) == set(knob_keys())


@unhurried
@given(name=NAMES, overrides=OVERRIDES)
def test_overrides_set_their_knobs_and_nothing_else(name, overrides):
    base = load_preset(name)
    preset = load_preset(name, overrides)
    assert knob_values(preset) == knob_values(base) | overrides
    assert preset.assumed == tuple(key for key in base.assumed if key not in overrides)
    assert (preset.name, preset.title, preset.source) == (base.name, base.title, base.source)


@unhurried
@given(name=NAMES, overrides=OVERRIDES)
def test_nested_tables_and_options_say_the_same_as_dotted_keys(name, overrides):
    preset = load_preset(name, overrides)
    assert load_preset(name, nest(overrides)) == preset
    assert load_preset(name, parse_sets(f"{key}={as_toml(value)}" for key, value in overrides.items())) == preset
    bare = [
        f" {key} = {value} " if isinstance(value, str) else f"{key}={as_toml(value)}"
        for key, value in overrides.items()
    ]
    assert load_preset(name, parse_sets(bare)) == preset


@unhurried
@given(name=NAMES, overrides=OVERRIDES)
def test_any_preset_written_out_loads_as_the_same(name, overrides):
    preset = load_preset(name, overrides)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.toml"
        file.write_text(preset.to_toml(), encoding="utf-8")
        assert load_preset(file) == preset


@unhurried
@given(name=NAMES, first=OVERRIDES, second=OVERRIDES)
def test_digest_and_diff_agree_with_the_values(name, first, second):
    left, right = load_preset(name, first), load_preset(name, second)
    different = [key for key in knob_keys() if get_knob(left, key) != get_knob(right, key)]
    found = diff_presets(left, right)
    assert [item.key for item in found] == different
    assert all((item.left, item.right) == (get_knob(left, item.key), get_knob(right, item.key)) for item in found)
    assert (preset_digest(left) == preset_digest(right)) == (not different)


@unhurried
@given(name=NAMES, first=OVERRIDES, second=OVERRIDES)
def test_overriding_twice_is_overriding_once_the_later_one_winning(name, first, second):
    assert with_overrides(load_preset(name, first), second) == load_preset(name, first | second)


@unhurried
@given(key=st.sampled_from(knob_keys()), value=WRONG)
def test_a_wrong_value_is_refused_in_one_line_that_names_the_knob(key, value):
    if value is None and (key == "fan.cap" or key.startswith("fan.patterns.")):
        return  # Python's own word for none
    with pytest.raises(ConfigError) as caught:
        load_preset("mahjongo", {key: value})
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"overrides: {key}: ")
    assert "; allowed: " in line


@unhurried
@given(key=st.text(), value=st.integers(0, 3))
def test_any_text_is_no_key(key, value):
    if key in knob_keys():
        return
    with pytest.raises(ConfigError) as caught:
        load_preset("mahjongo", {key: value})
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fan.cap=5", ("fan.cap", 5)),
        ("fan.cap = 5", ("fan.cap", 5)),
        ("fan.cap=none", ("fan.cap", "none")),
        ('fan.cap="none"', ("fan.cap", "none")),
        ("fan.cap='none'", ("fan.cap", "none")),
        ("exchange.direction=left", ("exchange.direction", "left")),
        ("exhaustion.flower_pig_to=all_non_pigs", ("exhaustion.flower_pig_to", "all_non_pigs")),
        ("win.multiple=false", ("win.multiple", False)),
        ("win.multiple=True", ("win.multiple", "True")),
        ("fan.cap=3.0", ("fan.cap", 3.0)),
        ("fan.cap=-1", ("fan.cap", -1)),
        ("fan.cap=[1]", ("fan.cap", [1])),
        ("fan={cap=5}", ("fan", {"cap": 5})),
        ('title="a=b"', ("title", "a=b")),
    ],
)
def test_parse_set(text, expected):
    key, value = parse_set(text)
    assert (key, value) == expected
    assert type(value) is type(expected[1])


@pytest.mark.parametrize("text", ["", "=", "fan.cap", "fan.cap=", "=5", "fan..cap=5", ".fan=5", "fan cap=5", "[fan]=5"])
def test_parse_set_refuses_what_is_no_assignment(text):
    with pytest.raises(ConfigError, match=r"^--set: came .*; allowed: KEY=VALUE, such as fan\.cap=5$"):
        parse_set(text)


@pytest.mark.parametrize("value", ["5 6", "left right", "a.b", "{", '"', "5\nx = 6", "[" * 5000, "é", "1" * 5000])
def test_parse_set_refuses_what_is_no_value(value):
    with pytest.raises(ConfigError, match=r"^--set: fan\.cap: came .*, which is no value; allowed: "):
        parse_set(f"fan.cap={value}")


def test_several_options_list_all_mistakes_and_refuse_a_key_given_twice():
    with pytest.raises(ConfigError) as caught:
        parse_sets(["fan.cap=5", "oops", "fan.cap=5 6", "fan.cap=7"], where="trial")
    assert [line.partition(" came")[0] for line in str(caught.value).splitlines()] == [
        "trial:",
        "trial: fan.cap:",
        "trial: fan.cap: given twice: 5 and 7",
    ]


@pytest.mark.parametrize("key", ["name", "title", "source", "extends", "assumed"])
def test_only_knobs_can_be_overridden(key):
    with pytest.raises(ConfigError, match=f"^here: {key}: not a knob, so no override can set it"):
        load_preset("mahjongo", {key: "x"}, overrides_where="here")


def test_a_knob_set_in_two_ways_at_once_is_refused():
    with pytest.raises(ConfigError, match=r"^overrides: fan\.cap: given twice: 5 and 6$"):
        load_preset("mahjongo", {"fan": {"cap": 5}, "fan.cap": 6})


def test_overrides_are_blamed_where_they_stand():
    with pytest.raises(ConfigError, match=r"^trial\.toml: presets\.1: fan\.cap: impossible value: 99"):
        load_preset("mahjongo", {"fan.cap": 99}, where="trial.toml: presets.1")
    with pytest.raises(ConfigError, match=r"^--set: fan: without a cap"):
        load_preset("mahjongo", {"fan.cap": None, "fan.patterns.root": 10}, where="x", overrides_where="--set")


def test_dotted_and_nested_may_be_mixed_at_any_depth():
    preset = load_preset(
        "mahjongo", {"fan": {"patterns.root": 2, "patterns": {"rob_kong": 3}}, "fan.patterns": {"last_tile": 4}}
    )
    assert (preset.fan.patterns.root, preset.fan.patterns.rob_kong, preset.fan.patterns.last_tile) == (2, 3, 4)
