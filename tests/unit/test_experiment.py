from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sim.errors import ConfigError
from sim.rules import load_preset
from sim.tournament.design import Design
from sim.tournament.experiment import Experiment, LineUp, PresetChoice, Target, load_experiment
from sim.tournament.seating import DESIGNS

GOOD: dict[str, Any] = {
    "name": "caps",
    "walls": 10,
    "presets": ["mahjongo"],
    "line_ups": [{"strategies": ["ukeire"]}],
}


def complaint(**changes: Any) -> str:
    data = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    with pytest.raises(ConfigError) as caught:
        Experiment(**data)
    return str(caught.value)


def test_short_forms_of_line_ups() -> None:
    line_ups = [{"strategies": ["a"]}, {"strategies": ["a", "b"]}, {"strategies": ["a", "b", "b", "c"], "name": "abc"}]
    found = Experiment(**{**GOOD, "line_ups": line_ups}).line_ups
    assert [line_up.slots for line_up in found] == [
        ("a", "a", "a", "a"),
        ("a", "b", "b", "b"),
        ("a", "b", "b", "c"),
    ]
    assert [line_up.label for line_up in found] == ["a", "a-vs-b", "abc"]


def test_preset_forms() -> None:
    presets = [
        "mahjongo",
        {"preset": "mahjongo", "name": "cap 5", "set": {"fan.cap": 5}},
        load_preset("mahjong-planet"),
    ]
    found = Experiment(**{**GOOD, "presets": presets}).presets
    assert [choice.label for choice in found] == ["mahjongo", "cap 5", "mahjong-planet"]
    assert found[1].set == {"fan.cap": 5}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"presets": None}, ["presets: missing"]),
        ({"presets": []}, ["presets: came 0 entries", "at least 1"]),
        ({"presets": "mahjongo"}, ['presets: wrong type: "mahjongo" is text', "an array"]),
        ({"presets": [3]}, ["presets[0]"]),
        ({"presets": ["mahjongo", "mahjongo"]}, ['presets: "mahjongo" comes twice']),
        ({"presets": [{"preset": "a", "sett": {}}]}, ["presets[0].sett: unknown key; did you mean set?"]),
        ({"presets": [{"preset": ""}]}, ["presets[0].preset"]),
        ({"line_ups": []}, ["line_ups: came 0 entries"]),
        ({"line_ups": [{"strategies": []}]}, ["line_ups[0]: came 0 strategies", "1 (four of it)"]),
        ({"line_ups": [{"strategies": ["a", "b", "c"]}]}, ["line_ups[0]: came 3 strategies"]),
        ({"line_ups": [{"strategies": ["a"], "seating": "cyclical"}]}, ['"cyclical"; did you mean cyclic?', '"swap"']),
        ({"line_ups": [{"strategies": ["a", "b"], "seating": "swap"}]}, ["two against two"]),
        ({"line_ups": [{"strategies": ["a"]}, {"strategies": ["a"]}]}, ['line_ups: "a" comes twice']),
        ({"walls": 0}, ["walls: impossible value: 0; allowed: at least 1"]),
        ({"walls": 2.5}, ["walls: wrong type: 2.5 is a float", "a whole number"]),
        ({"walls": True}, ["walls: wrong type: true is a boolean"]),
        ({"walls": None}, ["neither of walls and target"]),
        ({"target": {"half_width": 0.1}}, ["both of walls and target"]),
        ({"walls": None, "target": {"half_width": 0}}, ["target.half_width: impossible value", "more than 0"]),
        ({"walls": None, "target": {"half_width": 1, "batch": 3}}, ["target.batch", "at least 16"]),
        ({"walls": None, "target": {"half_width": 1, "min_walls": 9, "max_walls": 5}}, ["min_walls 9 is more than"]),
        ({"walls": None, "target": {"half_widht": 1}}, ["target.half_widht: unknown key; did you mean half_width?"]),
        ({"seed": -1}, ["seed: impossible value: -1"]),
        ({"seed": "x"}, ['seed: wrong type: "x" is text']),
        ({"wall_mode": "per-seat"}, ['wall_mode: impossible value: "per-seat"; did you mean per_seat?']),
        ({"name": "a/b"}, ['name: impossible value: "a/b"']),
        ({"workers": 0}, ["workers: impossible value: 0"]),
        ({"rows": 1}, ["rows: wrong type: 1 is a whole number"]),
        ({"wals": 3}, ["wals: unknown key; did you mean walls?"]),
        ({"self": 3}, ["self: unknown key"]),
    ],
)
def test_mistakes_are_named(changes: dict[str, Any], words: list[str]) -> None:
    found = complaint(**changes)
    for word in words:
        assert word in found


def test_all_mistakes_come_at_once() -> None:
    assert len(complaint(walls=0, seed=-1, line_ups=[]).splitlines()) == 3


def test_target_decides_for_all_line_ups() -> None:
    line_ups = [{"strategies": ["a"], "walls": 5}]
    assert "line_ups[0].walls" in complaint(walls=None, target={"half_width": 1}, line_ups=line_ups)


def test_changes_from_the_command_line() -> None:
    line_ups = [{"strategies": ["a"], "walls": 99}]
    presets = [{"preset": "mahjongo", "set": {"fan.cap": 5, "win.multiple": False}}]
    first = Experiment(**{**GOOD, "line_ups": line_ups, "presets": presets})
    found = first.changed(sets={"fan.cap": 4}, walls=7, seed=3, wall_mode="per_seat", rows=False)
    assert (found.walls, found.line_ups[0].walls, found.seed, found.wall_mode, found.rows) == (
        7,
        None,
        3,
        "per_seat",
        False,
    )
    assert found.presets[0].set == {"fan.cap": 4, "win.multiple": False}
    assert first.changed() == first
    with pytest.raises(ConfigError, match="seed: impossible value"):
        first.changed(seed=-3)


def test_walls_replace_a_target() -> None:
    first = Experiment(**{**GOOD, "walls": None, "target": {"half_width": 1}})
    found = first.changed(walls=5)
    assert (found.walls, found.target) == (5, None)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_file_gives_its_name_and_folder(tmp_path: Path) -> None:
    text = 'walls = 3\npresets = ["own.toml", "mahjongo"]\n[[line_ups]]\nstrategies = ["ukeire"]\n'
    found = load_experiment(write(tmp_path / "mine.toml", text))
    assert found.name == "mine"
    assert [choice.preset for choice in found.presets] == [str(tmp_path / "own.toml"), "mahjongo"]
    assert [choice.label for choice in found.presets] == ["own", "mahjongo"]
    assert Experiment.from_file(tmp_path / "mine.toml") == found


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path / "caps.toml", "walls = 3")
    (tmp_path / "bytes.toml").write_bytes(b"a = '\xff'")
    for path, words in (
        (tmp_path / "cap.toml", "there is no such experiment file; did you mean caps.toml?"),
        (tmp_path, "a folder"),
        (write(tmp_path / "bad.toml", "walls = = 3"), "not valid TOML"),
        (tmp_path / "bytes.toml", "not UTF-8"),
    ):
        with pytest.raises(ConfigError) as caught:
            load_experiment(path)
        assert str(path) in str(caught.value)
        assert words in str(caught.value)


def test_every_line_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "caps.toml", "walls = 0\nseed = -1")
    with pytest.raises(ConfigError) as caught:
        load_experiment(path)
    assert all(line.startswith(f"{path}: ") for line in str(caught.value).splitlines())


def test_page_names_every_key() -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text("utf-8")
    for model in (Experiment, PresetChoice, LineUp, Target, Design):
        for key, field in model.model_fields.items():
            assert f"| `{key}` |" in page
            if isinstance(field.default, int) and not isinstance(field.default, bool):
                assert f"| `{key}` | {field.default} |" in page
    for design in DESIGNS:
        assert f'| `"{design}"` |' in page


def test_a_contrast_is_of_two_strategies() -> None:
    one = {"strategies": ["a", "b"], "name": "one"}
    three = {"strategies": ["a", "a", "a", "b"], "name": "three"}
    good = {**GOOD, "walls": None, "line_ups": [one, three], "contrast": {"low": 0, "high": 0.1}}
    found = Experiment(**good).contrast
    assert found is not None
    assert found.is_sequential
    assert "both of walls and contrast" in complaint(**{**good, "walls": 5})
    assert "same two strategies" in complaint(**{**good, "line_ups": [one, {"strategies": ["b", "a"]}]})
    assert "same two strategies" in complaint(**{**good, "line_ups": [{"strategies": ["a"]}]})
    assert "needs rows" in complaint(**{**good, "rows": False})
    assert "either half_width, or low and high" in complaint(**{**good, "contrast": {"low": 0}})
    assert "either half_width, or low and high" in complaint(
        **{**good, "contrast": {"half_width": 1, "low": 0, "high": 1}}
    )
    assert "low 1 is not below high 0" in complaint(**{**good, "contrast": {"low": 1, "high": 0}})
