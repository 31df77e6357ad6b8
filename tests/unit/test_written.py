"""Files that people write are read alike, whatever stands in them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.errors import ConfigError
from sim.ladder.file import load_ladder
from sim.ladder.systems import load_systems
from sim.tournament.experiment import load_experiment

READERS = {
    "an experiment file": load_experiment,
    "a ladder file": load_ladder,
    "a file of rating systems": load_systems,
}


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> tuple[str, Callable[[Path], object]]:
    return request.param, READERS[request.param]


def said(read: Callable[[Path], object], path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read(path)
    return str(caught.value)


def test_a_file_that_is_not_there_is_named_once_with_one_like_it(reader, tmp_path):
    what, read = reader
    (tmp_path / "caps.toml").write_text("", encoding="utf-8")
    path = tmp_path / "cap.toml"
    bare = what.partition(" ")[2]
    assert said(read, path) == f"{path}: there is no such {bare}; did you mean caps.toml?"


def test_what_is_no_file_or_no_toml(reader, tmp_path):
    what, read = reader
    assert said(read, tmp_path) == f"{tmp_path}: a folder, not {what}"
    os.mkfifo(tmp_path / "pipe")
    assert "a pipe or a device" in said(read, tmp_path / "pipe")
    path = tmp_path / "bad.toml"
    for content, message in ((b"\xff\xfe", "not UTF-8 text (at byte 0)"), (b"a = [" * 5000, "not valid TOML")):
        path.write_bytes(content)
        assert message in said(read, path)
