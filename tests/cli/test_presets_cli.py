"""`bloodbattle presets`, as a person at a terminal sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib

import pytest

from sim.cli import main
from sim.rules import available_presets, knob_keys, knob_values, load_preset, preset_digest


@pytest.fixture
def presets(capsys):
    """Give a function that runs `presets ...` and returns its exit code, output and errors."""

    def run(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["presets", *arguments])
        done = capsys.readouterr()
        return caught.value.code or 0, done.out, done.err

    return run


def markdown_rows(text):
    """Split Markdown rows into cells, heading and rule apart."""
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in text.splitlines()[2:]]


def test_list_names_every_preset(presets):
    code, out, err = presets("list")
    assert (code, err) == (0, "")
    for name in available_presets():
        assert name in out
        assert load_preset(name).title in out


def test_a_narrow_window_cuts_no_name_and_no_word_of_a_list(presets, monkeypatch):
    wide = presets("list")[1]
    monkeypatch.setattr("sim.commands.presets.UNSEEN_WIDTH", 60)
    out = presets("list")[1]
    assert max(len(line) for line in out.splitlines()) <= 60
    assert "…" not in out
    for name in available_presets():
        assert sum(line.split()[:1] == [name] for line in out.splitlines()) == 1
    letters = sorted("".join(wide.split()).replace("─", ""))
    assert sorted("".join(out.split()).replace("─", "")) == letters


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("extend", "extends"), ("assume", "assumed"), ("titel", "title"), ("naem", "name"), ("fann", "fan")],
)
def test_a_misspelt_key_of_a_file_gets_the_nearest_spelling(presets, tmp_path, wrong, meant):
    path = tmp_path / "mine.toml"
    path.write_text(f'{wrong} = "mahjongo"\n' + ("" if wrong == "extend" else 'extends = "mahjongo"\n'))
    code, _, err = presets("show", str(path))
    assert code == 2
    assert f"mine.toml: {wrong}: unknown key; allowed in a preset: " in err
    assert f"; did you mean {meant}?" in err


def test_a_pipe_is_refused_at_once(presets, tmp_path):
    path = tmp_path / "mine.toml"
    os.mkfifo(path)
    code, _, err = presets("show", str(path))
    assert code == 2
    assert "mine.toml: no regular file, but a pipe or a device; allowed: a .toml file" in err


@pytest.mark.parametrize("stem", ["our table", "四川麻将", "Été 2", "a.b-c_d"])
def test_files_have_names_of_any_script(presets, tmp_path, stem):
    path = tmp_path / f"{stem}.toml"
    path.write_text('extends = "mahjongo"\n')
    code, out, _ = presets("show", str(path), "--format", "json")
    assert code == 0
    assert json.loads(out)["name"] == stem


@pytest.mark.parametrize("stem", ["-x", " x", "x ", "a:b", "a\tb", "x" * 81])
def test_names_that_no_preset_can_have_are_refused_with_the_cure(presets, tmp_path, stem):
    path = tmp_path / f"{stem}.toml"
    path.write_text('extends = "mahjongo"\n')
    code, _, err = presets("show", str(path))
    assert code == 2
    assert "allowed: at most 80 letters of any script, digits, blanks" in err


def test_list_as_json(presets):
    listed = json.loads(presets("list", "--format", "json")[1])
    assert [entry["name"] for entry in listed] == list(available_presets())
    for entry in listed:
        preset = load_preset(entry["name"])
        assert entry["digest"] == preset_digest(preset)
        assert entry["assumed"] == list(preset.assumed)
        assert entry["source"] == preset.source


def test_list_as_markdown(presets):
    out = presets("list", "--format", "markdown")[1]
    assert out.startswith("| preset | title | in short | assumed knobs |\n| --- | --- | --- | --- |\n")
    assert len(out.splitlines()) == 2 + len(available_presets())


def test_show_has_every_knob_its_value_and_its_mark(presets):
    code, out, err = presets("show", "mahjongo")
    assert (code, err) == (0, "")
    preset = load_preset("mahjongo")
    shown = {
        line.split()[0]: line.split()[1:3] for line in out.splitlines() if line.strip().split(" ")[0] in knob_keys()
    }
    assert tuple(shown) == knob_keys()
    for key, value in knob_values(preset).items():
        assert shown[key][0] == str(value).lower()
        assert (shown[key][1] == "assumed") == preset.is_assumed(key)
    for text in (preset.title, preset.source, preset_digest(preset), "cap 3 fan", "26 of 44 knobs are assumed"):
        assert text in out


def test_a_narrow_window_leaves_the_meanings_out_and_cuts_nothing_else(presets, monkeypatch):
    monkeypatch.setattr("sim.commands.presets.UNSEEN_WIDTH", 80)
    out = presets("show", "mahjongo")[1]
    assert "meaning" not in out.replace("what each knob means", "")
    assert ["exhaustion.flower_pig_to", "remaining_cleared", "assumed", "settlement"] in [
        line.split() for line in out.splitlines()
    ]
    assert "In a window of 110 columns" in out


def test_show_with_settings_marks_them_as_set(presets):
    code, out, _ = presets("show", "mahjongo", "--set", "fan.cap=none", "--set", "exchange.direction=left")
    assert code == 0
    shown = [line.split()[:3] for line in out.splitlines()]
    assert ["fan.cap", "none", "set"] in shown
    assert ["exchange.direction", "left", "set"] in shown
    assert "25 of 44 knobs are assumed" in out


def test_show_as_json(presets):
    shown = json.loads(presets("show", "cardavia-sichuan", "--set", "fan.cap=6", "--format", "json")[1])
    preset = load_preset("cardavia-sichuan", {"fan.cap": 6})
    assert shown == {
        "name": "cardavia-sichuan",
        "title": preset.title,
        "source": preset.source,
        "digest": preset_digest(preset),
        "assumed": list(preset.assumed),
        "knobs": knob_values(preset),
    }


def test_show_as_toml_is_a_preset_file(presets, tmp_path):
    out = presets("show", "mahjong-planet", "--set", "win.multiple=false", "--format", "toml")[1]
    assert tomllib.loads(out)["win"]["multiple"] is False
    file = tmp_path / "mahjong-planet.toml"
    file.write_text(out, encoding="utf-8")
    assert load_preset(file) == load_preset("mahjong-planet", {"win.multiple": False})


def test_show_as_markdown(presets):
    rows = markdown_rows(presets("show", "mahjongo", "--format", "markdown")[1])
    assert [row[0].strip("`") for row in rows] == list(knob_keys())
    assert rows[0][1:4] == ["random", "assumed", "play"]


def test_show_takes_a_path(presets, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "[bold]Mine[/] :tada:"\nextends = "mahjongo"\n[fan]\ncap = 9\n', encoding="utf-8")
    code, out, _ = presets("show", str(file))
    assert code == 0
    assert "[bold]Mine[/] :tada:" in out
    assert ["fan.cap", "9", "settlement"] in [line.split()[:3] for line in out.splitlines()]


def test_diff_shows_only_what_differs_with_both_values(presets):
    code, out, err = presets("diff", "mahjong-planet", "mahjongo")
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines() if line.strip() and "─" not in line] == [
        ["knob", "mahjong-planet", "mahjongo", "changes"],
        ["void_suit.discard_first", "true", "false", "play"],
        ["pass.win_lock", "until_next_draw", "(assumed)", "none", "(assumed)", "play"],
        ["pass.pung_lock", "true", "false", "(assumed)", "play"],
    ]


def test_diff_with_a_variant_of_the_same(presets):
    out = presets("diff", "mahjongo", "--set", "kong.added=3", "--format", "markdown")[1]
    assert out.splitlines() == [
        "| knob | mahjongo | mahjongo (--set) | changes |",
        "| --- | --- | --- | --- |",
        "| kong.added | 1 (assumed) | 3 | settlement |",
    ]


def test_diff_as_json_and_settings_of_the_second(presets):
    out = presets("diff", "mahjong-planet", "mahjongo", "--set", "pass.pung_lock=true", "--format", "json")[1]
    assert json.loads(out) == [
        {
            "key": "void_suit.discard_first",
            "left": True,
            "right": False,
            "left_assumed": False,
            "right_assumed": False,
            "settlement_only": False,
        },
        {
            "key": "pass.win_lock",
            "left": "until_next_draw",
            "right": "none",
            "left_assumed": True,
            "right_assumed": True,
            "settlement_only": False,
        },
    ]


def test_diff_of_equals_says_so(presets):
    code, out, _ = presets("diff", "mahjongo", "mahjongo")
    assert (code, out) == (0, "mahjongo and mahjongo do not differ in any knob.\n")
    assert presets("diff", "mahjongo", "mahjongo", "--format", "json")[1] == "[]\n"


def test_validate_accepts_the_shipped_presets(presets):
    code, out, err = presets("validate", *available_presets())
    assert (code, err) == (0, "")
    digests = {name: preset_digest(load_preset(name))[:12] for name in available_presets()}
    assert [line.split(":")[0] for line in out.splitlines()] == list(digests)
    assert all(f"digest {digests[line.split(':')[0]]})" in line for line in out.splitlines())


def test_validate_lists_every_mistake_of_every_file(presets, tmp_path):
    bad, good = tmp_path / "bad.toml", tmp_path / "good.toml"
    bad.write_text('extends = "mahjongo"\n[fan]\ncap = "x"\ncups = 2\n', encoding="utf-8")
    good.write_text('extends = "mahjongo"\n', encoding="utf-8")
    code, out, err = presets("validate", str(bad), str(good), str(tmp_path / "gone.toml"))
    assert code == 2
    assert out.startswith(f"{good}: valid (44 knobs, 26 assumed, digest ")
    assert len(out.splitlines()) == 1
    lines = err.splitlines()
    assert len(lines) == 3
    assert f"{bad}: fan.cap: wrong type" in lines[0]
    assert f"{bad}: fan.cups: unknown key" in lines[1]
    assert f"{tmp_path}/gone.toml: there is no such file" in lines[2]


def test_validate_as_json(presets, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text('extends = "mahjongo"\n[fan]\ncap = "x"\ncups = 2\n', encoding="utf-8")
    code, out, err = presets("validate", str(bad), "mahjongo", "--format", "json")
    assert (code, err) == (2, "")
    first, second = json.loads(out)
    assert (first["file"], first["valid"], len(first["mistakes"])) == (str(bad), False, 2)
    assert second == {
        "file": "mahjongo",
        "valid": True,
        "mistakes": [],
        "digest": preset_digest(load_preset("mahjongo")),
    }
    assert presets("validate", "mahjongo", "--format", "json")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "mahjonggo"], "did you mean mahjongo?"),
        (["show", "mahjongo", "--set", "fan.cpa=3"], "--set: fan.cpa: unknown key"),
        (["show", "mahjongo", "--set", "fan.cap"], "allowed: KEY=VALUE"),
        (["show", "mahjongo", "--set", "fan.cap=1", "--set", "fan.cap=2"], "--set: fan.cap: given twice: 1 and 2"),
        (["show", "mahjongo", "--set", "fan.cap=true"], "--set: fan.cap: wrong type: true is a boolean"),
        (["show", "mahjongo", "--format", "yaml"], "yaml"),
        (["show"], "NAME"),
        (["diff", "mahjongo"], "nothing to compare mahjongo with"),
        (["diff", "mahjongo", "nope"], 'unknown preset "nope"'),
        (["diff", "mahjongo", "mahjongo", "--set", "x.y=1"], "--set: x.y: unknown key"),
        (["validate"], "FILE"),
        (["validate", "."], "is a folder"),
        (["lst"], "lst"),
    ],
)
def test_wrong_input_is_a_message_and_exit_code_2(presets, arguments, message):
    code, out, err = presets(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_help_describes_every_command(presets):
    code, out, _ = presets("--help")
    assert code == 0
    for command in ("list", "show", "diff", "validate"):
        assert command in out


def test_importing_the_command_is_light():
    code = "import sim.commands.presets, sys; print([m for m in ('pydantic', 'numba', 'numpy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
