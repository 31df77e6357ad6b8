"""The examples of docs/strategies.md are what `strategies new` writes, and they play."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sim.engine.sichuan.columns import COLUMNS
from sim.engine.sichuan.play import play_walls
from sim.errors import ConfigError
from sim.jit import INTERPRETED
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy
from strategies.scaffold import KINDS, create, write_template

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
POINTS = [column.name for column in COLUMNS].index("points")


def test_the_page_shows_what_is_written() -> None:
    assert [text.strip() for text in EXAMPLES] == [write_template("careful", kind).strip() for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_play_and_beat_random(tmp_path: Path, kind: str) -> None:
    path = create("careful", kind, tmp_path)
    strategy = load_strategy(str(path))
    assert strategy.kind == kind
    others = [load_strategy("random")] * 3
    rules = compile_rules(load_preset("mahjongo"))
    walls = np.arange(2 if INTERPRETED else 40)
    points = play_walls(rules, [strategy, *others], walls, np.arange(4).reshape(1, 4), "shared")[POINTS].reshape(-1, 4)
    assert INTERPRETED or points[:, 0].mean() > 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_a_parameter_of_an_example_matters(tmp_path: Path, kind: str) -> None:
    path = create("careful", kind, tmp_path)
    (parameter,) = load_strategy(str(path)).declared
    rules = compile_rules(load_preset("mahjongo"))
    walls = np.arange(2 if INTERPRETED else 20)
    low, high = (
        play_walls(
            rules,
            [load_strategy(f"{path}{{{parameter.name}={value}}}")] * 4,
            walls,
            np.arange(4).reshape(1, 4),
            "shared",
        )
        for value in (parameter.low, parameter.high)
    )
    assert INTERPRETED or not np.array_equal(low, high)


@pytest.mark.parametrize("name", ["", "1st", "a b", "../up"])
def test_names_are_checked(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="allowed: a letter"):
        create(name, "native", tmp_path)


def test_nothing_is_written_over(tmp_path: Path) -> None:
    create("careful", "native", tmp_path)
    with pytest.raises(ConfigError, match="there already"):
        create("careful", "python", tmp_path)
