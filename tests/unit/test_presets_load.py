"""Files: finding them, `extends`, what stays assumed, and one clear line for each mistake."""

# ruff: noqa: E501, ISC004 - a message is one line

from __future__ import annotations

import pytest

from sim.errors import ConfigError
from sim.rules import knob_keys, knob_values, load_preset

PATTERNS = [key for key in knob_keys() if key.startswith("fan.patterns.")]


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a preset file and returns its path."""

    def write_file(name, text):
        file = tmp_path / f"{name}.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write_file


def mistakes_of(preset, *args, **kwargs):
    """Load what cannot be loaded and give the lines of the message."""
    with pytest.raises(ConfigError) as caught:
        load_preset(preset, *args, **kwargs)
    assert caught.value.exit_code == 2
    return str(caught.value).splitlines()


def test_a_file_that_extends_changes_only_what_it_sets(write):
    file = write("mine", 'title = "Mine"\nextends = "mahjongo"\n[fan]\ncap = 4\n[fan.patterns]\npair_wait = "none"\n')
    preset, base = load_preset(file), load_preset("mahjongo")
    changed = {key for key in knob_keys() if knob_values(preset)[key] != knob_values(base)[key]}
    assert changed == {"fan.cap", "fan.patterns.pair_wait"}
    assert (preset.name, preset.title, preset.source) == ("mine", "Mine", "")
    assert preset.fan.patterns.pair_wait is None
    assert preset.assumed == base.assumed


def test_a_path_may_be_given_as_text_or_relative_to_a_folder(write, monkeypatch):
    file = write("sub/mine", 'extends = "mahjongo"')
    assert load_preset(str(file)) == load_preset(file)
    assert load_preset("mine.toml", relative_to=file.parent) == load_preset(file)
    monkeypatch.chdir(file.parent)
    assert load_preset("mine.toml") == load_preset(file)


def test_a_chain_may_be_long_and_paths_start_from_the_files_folder(write):
    write("base", 'extends = "cardavia-sichuan"\n[fan]\ncap = 6\n[kong]\nadded = 7\n')
    write("sub/middle", 'extends = "../base.toml"\n[fan]\ncap = 7\n')
    preset = load_preset(write("top", 'extends = "sub/middle.toml"\n[kong]\nexposed = 9\n'))
    assert (preset.fan.cap, preset.kong.added, preset.kong.exposed) == (7, 7, 9)
    assert preset.exhaustion.flower_pig == 32


def test_what_a_file_sets_is_chosen_and_no_longer_assumed(write):
    file = write(
        "mine", 'extends = "mahjong-planet"\n[win]\nnext_turn = "after_last_winner"\n[fan.patterns]\nroot = 2\n'
    )
    base = load_preset("mahjong-planet")
    assert set(base.assumed) - set(load_preset(file).assumed) == {"win.next_turn", "fan.patterns.root"}


def test_a_file_may_mark_again_what_it_sets_and_more(write):
    write("middle", 'extends = "mahjong-planet"\n[fan.patterns]\nroot = 2\n')
    text = 'extends = "middle.toml"\nassumed = ["fan", "kong.added"]\n[kong]\nadded = 3\n'
    preset = load_preset(write("mine", text))
    added = {"fan.cap", "fan.patterns.root", "kong.added"}
    assert set(preset.assumed) == set(load_preset("mahjong-planet").assumed) | added


def test_a_mark_set_in_the_middle_is_lifted_by_the_top(write):
    write("middle", 'extends = "mahjongo"\nassumed = ["fan.cap"]\n')
    assert load_preset(write("one", 'extends = "middle.toml"')).is_assumed("fan.cap")
    assert not load_preset(write("two", 'extends = "middle.toml"\n[fan]\ncap = 3')).is_assumed("fan.cap")


def test_a_whole_file_needs_no_single_valued_knobs_and_no_patterns(write):
    tables = load_preset("mahjongo").to_toml().replace('name = "mahjongo"\n', "")
    for line in ('replacement_from = "back"\n', "after_pung = false\n", "root_in_runs = true\n", 'ties = "shared"\n'):
        assert line in tables
        tables = tables.replace(line, "")
    head, _, tail = tables.partition("[fan.patterns]\n")
    preset = load_preset(write("bare", head + tail[tail.index("[exhaustion]") :]))
    assert all(knob_values(preset)[key] == "none" for key in PATTERNS)
    assert preset.kong.replacement_from == "back"


def test_a_byte_order_mark_is_no_mistake(write):
    assert load_preset(write("mine", b'\xef\xbb\xbfextends = "mahjongo"\n')).name == "mine"


EXTENDS = 'extends = "mahjongo"\n'

# What stands in the file below `extends`, and the rest of the one line after the file's name.
LINES = {
    "misspelt knob": (
        "[fan]\ncpa = 3",
        "fan.cpa: unknown key; allowed in [fan]: cap, root_in_runs, patterns; did you mean fan.cap?",
    ),
    "misspelt table": (
        "[exaustion]\nflower_pig = 8",
        "exaustion: unknown key; allowed in a preset: exchange, void_suit, win, pass, kong, ready, hand, fan, exhaustion,"
        " table; did you mean exhaustion?",
    ),
    "Python's name for pass": (
        "[passing]\npung_lock = true",
        "passing: unknown key; allowed in a preset: exchange, void_suit, win, pass, kong, ready, hand, fan, exhaustion,"
        " table; did you mean pass?",
    ),
    "knob in the wrong table": (
        "[win]\nflower_pig = 8",
        "win.flower_pig: unknown key; allowed in [win]: multiple, self_draw, self_draw_points, next_turn; did you mean"
        " exhaustion.flower_pig?",
    ),
    "nothing near": (
        "[kong]\nxyzzy = 8",
        "kong.xyzzy: unknown key; allowed in [kong]: concealed, added, exposed, concealed_visible,"
        " transfer_on_kong_discard, replacement_from, after_pung",
    ),
    "unknown pattern": (
        "[fan.patterns]\nall_pung = 2",
        f"fan.patterns.all_pung: unknown pattern; allowed in [fan.patterns]:"
        f" {', '.join(key.rpartition('.')[2] for key in PATTERNS)}; did you mean fan.patterns.all_pungs?",
    ),
    "boolean for a number": (
        "[fan]\ncap = true",
        'fan.cap: wrong type: true is a boolean; allowed: a whole number from 0 to 20 or "none"',
    ),
    "float": (
        "[fan]\ncap = 3.0",
        'fan.cap: wrong type: 3.0 is a float; allowed: a whole number from 0 to 20 or "none"',
    ),
    "number as text": (
        '[fan]\ncap = "3"',
        'fan.cap: wrong type: "3" is text; allowed: a whole number from 0 to 20 or "none"',
    ),
    "misspelt none": (
        '[fan]\ncap = "None"',
        'fan.cap: wrong type: "None" is text; allowed: a whole number from 0 to 20 or "none"; did you mean none?',
    ),
    "number for a boolean": (
        "[win]\nmultiple = 1",
        "win.multiple: wrong type: 1 is a whole number; allowed: true or false",
    ),
    "text for a boolean": (
        '[win]\nmultiple = "True"',
        'win.multiple: wrong type: "True" is text; allowed: true or false; did you mean true?',
    ),
    "array": (
        "[kong]\nadded = [1, 2]",
        "kong.added: wrong type: [1, 2] is an array; allowed: a whole number from 0 to 1000",
    ),
    "date": (
        "[kong]\nadded = 2024-01-01",
        "kong.added: wrong type: 2024-01-01 is a date or time; allowed: a whole number from 0 to 1000",
    ),
    "knob as a table": (
        "[kong.added]\nx = 1",
        "kong.added: wrong type: {...} is a table; allowed: a whole number from 0 to 1000",
    ),
    "table as a value": (
        "kong = 3",
        "kong: wrong type: 3 is a whole number; allowed: a table with concealed, added, exposed, concealed_visible,"
        " transfer_on_kong_discard, replacement_from, after_pung",
    ),
    "array of tables": (
        "[[win]]\nmultiple = true",
        "win: wrong type: [{...}] is an array; allowed: a table with multiple, self_draw, self_draw_points, next_turn",
    ),
    "too many": (
        "[exchange]\ncount = 5",
        "exchange.count: impossible value: 5; allowed: a whole number from 1 to 4",
    ),
    "negative": (
        "[exhaustion]\nflower_pig = -1",
        "exhaustion.flower_pig: impossible value: -1; allowed: a whole number from 0 to 10000",
    ),
    "enormous": (
        f"[exhaustion]\nflower_pig = {10**400}",
        "exhaustion.flower_pig: impossible value: a very long whole number; allowed: a whole number from 0 to 10000",
    ),
    "unknown word": (
        '[exchange]\ndirection = "rigth"',
        'exchange.direction: impossible value: "rigth"; allowed: "none", "left", "across", "right" or "random"; did you'
        " mean right?",
    ),
    "word that is not allowed here": (
        '[exhaustion]\nrefund_to = "none"',
        'exhaustion.refund_to: impossible value: "none"; allowed: only "original_payers"',
    ),
    "the only value": (
        "[void_suit]\nsimultaneous = false",
        "void_suit.simultaneous: impossible value: false; allowed: only true",
    ),
    "one for true": (
        "[void_suit]\nsimultaneous = 1",
        "void_suit.simultaneous: wrong type: 1 is a whole number; allowed: only true",
    ),
    "quoted dotted key": (
        '"fan.cap" = 4',
        "fan.cap: the key is quoted; write fan.cap = ... without the marks, or [table] above it",
    ),
    "key that would break the line": (
        '"a\\nb" = 1',
        '"a\\nb": unknown key; allowed in a preset: exchange, void_suit, win, pass, kong, ready, hand, fan, exhaustion,'
        " table",
    ),
    "value that would break the line": (
        '[exchange]\ndirection = "\\u0085\\n\\u2028"',
        'exchange.direction: impossible value: "\\u0085\\n\\u2028"; allowed: "none", "left", "across", "right" or "random"',
    ),
    "long value is cut": (
        f'[exchange]\ndirection = "{"x" * 500}"',
        f'exchange.direction: impossible value: "{"x" * 56}...; allowed: "none", "left", "across", "right" or "random"',
    ),
    "no cap and too many fan": (
        '[fan]\ncap = "none"\n[fan.patterns]\nroot = 10',
        "fan: without a cap the patterns could reach 51 fan (four roots, one of each other pattern and a self-draw);"
        " allowed: at most 28; set fan.cap, or lower fan.patterns",
    ),
    "assumed entry that names nothing": (
        'assumed = ["fan.pattern"]',
        'assumed: "fan.pattern" names no knob and no table; did you mean fan.patterns?',
    ),
    "assumed entry with nothing near": (
        'assumed = ["xyzzy"]',
        'assumed: "xyzzy" names no knob and no table',
    ),
    "assumed entry that is no knob": (
        'assumed = ["title"]',
        'assumed: "title" is not a knob; an entry names a knob or a table of knobs',
    ),
    "assumed entry twice": (
        'assumed = ["fan.cap", "fan.cap"]',
        'assumed: "fan.cap" stands in the list twice',
    ),
    "assumed is no list": (
        'assumed = "fan.cap"',
        'assumed: wrong type: "fan.cap" is text; allowed: an array of the keys of knobs or tables',
    ),
    "assumed entry is no text": (
        "assumed = [3]",
        "assumed: wrong type: 3 is a whole number; allowed: the key of a knob or a table, as text",
    ),
    "name is not the file's": (
        'name = "yours"',
        'name: impossible value: "yours"; allowed: "mine", the file\'s own name, or no name at all',
    ),
    "title is no text": ("title = 3", "title: wrong type: 3 is a whole number; allowed: a text"),
    "source is no text": ("source = []", "source: wrong type: [] is an array; allowed: a text"),
}


@pytest.mark.parametrize(("text", "line"), LINES.values(), ids=LINES)
def test_one_mistake_is_one_line_with_file_key_what_came_and_what_is_allowed(write, text, line):
    file = write("mine", EXTENDS + text)
    assert mistakes_of(file) == [f"{file}: {line}"]


def test_all_mistakes_are_listed_those_of_the_extended_file_too(write):
    inner = write("inner", EXTENDS + "[fan]\ncap = true\n[kong]\nadded = -1\n")
    outer = write("outer", 'extends = "inner.toml"\nassumed = ["nil"]\n[fan]\ncap = 3.5\ncups = 1\n')
    found = mistakes_of(outer)
    assert [line.split(": ")[:2] for line in found] == [
        [str(outer), "fan.cap"],
        [str(outer), "fan.cups"],
        [str(outer), "assumed"],
        [str(inner), "fan.cap"],
        [str(inner), "kong.added"],
    ]


def test_missing_knobs_are_listed_a_table_without_any_in_one_line(write):
    text = load_preset("mahjongo").to_toml().replace('name = "mahjongo"\n', "").replace("cap = 3\n", "")
    head, _, tail = text.partition("[pass]\n")
    file = write("mine", head + tail[tail.index("[kong]") :])
    assert mistakes_of(file) == [
        f"{file}: pass: the table is missing; it must give win_lock, pung_lock (or begin the file with extends)",
        f'{file}: fan.cap: missing; allowed: a whole number from 0 to 20 or "none" (or begin the file with extends)',
    ]
    assert len(mistakes_of(write("empty", ""))) == 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[fan]\ncap = 3\n[fan]\ncap = 4\n", "a key or a table stands there twice"),
        ("[fan]\ncap = 3\ncap = 4\n", "a key or a table stands there twice"),
        ("fan.cap = 3\n[fan]\nroot_in_runs = true\n", "a key or a table stands there twice"),
        ("[fan\ncap = 3\n", "at line 1"),
        ("cap = \n", "at line 1"),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("a = " + "1" * 5000, "not valid TOML"),
        ("a\x00b = 1", "not valid TOML"),
    ],
)
def test_a_file_that_is_not_toml(write, text, reason):
    file = write("mine", text)
    (line,) = mistakes_of(file)
    assert line.startswith(f"{file}: not valid TOML: ")
    assert reason in line


def test_a_file_that_is_not_utf8(write):
    file = write("mine", b'title = "\xff"')
    assert mistakes_of(file) == [f"{file}: not UTF-8 text (at byte 9)"]


def test_a_folder_and_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    assert mistakes_of(tmp_path / "folder.toml") == [f"{tmp_path}/folder.toml: a folder, not a preset file"]
    assert mistakes_of(str(tmp_path)) == [
        f"{mistakes_of(str(tmp_path))[0].partition(' is a folder')[0]} is a folder, not a preset file or the name of a"
        " shipped preset"
    ]
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    (line,) = mistakes_of(tmp_path / "loop.toml")
    assert line.startswith(f"{tmp_path}/loop.toml: cannot be read: ")
    assert mistakes_of("a\0b.toml") == ["a\0b.toml: cannot be read: embedded null byte"]


SHIPPED = "cardavia-sichuan, mahjong-planet, mahjongo"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("mahjonggo", f'unknown preset "mahjonggo"; allowed: {SHIPPED}, or the path of a .toml file; did you mean mahjongo?'),
        ("Mahjong Planet", f'unknown preset "Mahjong Planet"; allowed: {SHIPPED}, or the path of a .toml file; did you mean mahjong-planet?'),
        ("xyzzy", f'unknown preset "xyzzy"; allowed: {SHIPPED}, or the path of a .toml file'),
        ("", f'unknown preset ""; allowed: {SHIPPED}, or the path of a .toml file'),
        ("mahjongo.toml", f"mahjongo.toml: there is no such file; shipped presets: {SHIPPED}; did you mean mahjongo?"),
        ("no/such.toml", f"no/such.toml: there is no such file; shipped presets: {SHIPPED}"),
        ("some/file.txt", '"some/file.txt" is not a preset file: its name must end in .toml'),
        ("y" * 999, f'unknown preset "{"y" * 56}...; allowed: {SHIPPED}, or the path of a .toml file'),
    ],
)  # fmt: skip
def test_a_preset_that_cannot_be_found(name, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert mistakes_of(name) == [line]
    assert mistakes_of(name, where="trial.toml: presets.2") == [f"trial.toml: presets.2: {line}"]


def test_a_file_beside_of_that_name_is_hinted_at(write, monkeypatch):
    file = write("thursday", EXTENDS)
    monkeypatch.chdir(file.parent)
    (line,) = mistakes_of("thursday")
    assert line.endswith("; for the file of that name write thursday.toml")


@pytest.mark.parametrize("stem", ["a b ", "-a", "x" * 81, "a+b"])
def test_a_file_whose_name_cannot_be_a_presets(write, stem):
    file = write(stem, EXTENDS)
    (line,) = mistakes_of(file)
    assert line.startswith(f"{file}: a preset is named as its file, and this name cannot be")


def test_extends_goes_round_in_a_circle(write):
    (write("first", "").parent / "sub").mkdir()
    first = write("first", 'extends = "sub/../second.toml"')
    second = write("second", 'extends = "third.toml"')
    third = write("third", 'extends = "second.toml"')
    alone = write("alone", 'extends = "./alone.toml"')
    assert mistakes_of(second) == [f"{third}: extends: goes round in a circle: {second} -> {third} -> {second}"]
    (line,) = mistakes_of(first)
    detour = f"{first.parent}/sub/.."
    assert line == (
        f"{detour}/third.toml: extends: goes round in a circle:"
        f" {detour}/second.toml -> {detour}/third.toml -> {detour}/second.toml"
    )
    assert mistakes_of(alone) == [f"{alone}: extends: goes round in a circle: {alone} -> {alone}"]


@pytest.mark.parametrize(
    ("extends", "line"),
    [
        ('"mahjong"', f'extends: unknown preset "mahjong"; allowed: {SHIPPED}, or the path of a .toml file; did you mean mahjongo?'),
        ('"gone.toml"', f"extends: FOLDER/gone.toml: there is no such file; shipped presets: {SHIPPED}"),
        ('"broken.toml"', "extends: FOLDER/broken.toml: not valid TOML: Expected '=' after a key in a key/value pair (at end of document)"),
        ('["mahjongo"]', 'extends: wrong type: ["mahjongo"] is an array; allowed: a text'),
    ],
)  # fmt: skip
def test_extends_that_leads_nowhere(write, extends, line):
    write("broken", "x")
    file = write("mine", f"extends = {extends}\n[fan]\ncap = 99\n")
    found = mistakes_of(file)
    assert f"{file}: {line.replace('FOLDER', str(file.parent))}" in found
    assert any("fan.cap: impossible value: 99" in other for other in found)
    assert len(found) == 2
