"""`bloodbattle diff`, as a person types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.test_compare_cli import call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("diff")
    (found / "small.toml").write_text(
        'walls = 60\npresets = ["mahjong-planet"]\n[[line_ups]]\nstrategies = ["isolation"]\n'
        '[[line_ups]]\nname = "pair"\nstrategies = ["isolation", "random"]\n',
        "utf-8",
    )
    call("run", "small.toml", "--out", "one", folder=found)
    call("run", "small.toml", "--out", "two", "--set", "fan.cap=6", folder=found)
    return found


def test_every_form(folder: Path) -> None:
    text, _ = call("diff", "one", "two", folder=folder)
    assert text.startswith("two less one\n\nPoints per deal\n")
    assert "cell 0 mahjong-planet: isolation · 60 walls, by wall" in text
    assert "  dealer" in text
    assert "plans: presets[0].knobs.fan.cap: 3 against 6" in text
    assert max(len(line) for line in text.splitlines()) <= 100
    assert "| **cell 1 mahjong-planet: pair" in call("diff", "one", "two", "--format", "markdown", folder=folder)[0]
    data = json.loads(call("diff", "one", "two", "--format", "json", folder=folder)[0])
    rows = list(csv.DictReader(io.StringIO(call("diff", "one", "two", "--format", "csv", folder=folder)[0])))
    assert len(rows) == len(data["metrics"])
    assert {row["pairing"] for row in rows} == {"by wall"}
    shares = [row for row in data["metrics"] if row["metric"] == "points" and row["who"] == "strategy"]
    assert sum(row["difference"] * (3 if row["name"] == "random" else 1) for row in shares[1:]) == pytest.approx(0)


def test_a_folder_that_is_no_run(folder: Path) -> None:
    _, error = call("diff", "one", "three", code=4, folder=folder)
    assert "three: there is no such run folder" in error
