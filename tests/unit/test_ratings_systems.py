"""Rating systems as people name them: what is read, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.errors import ConfigError
from sim.ladder.systems import SYSTEMS, Elo, load_systems, parse_system


def test_names_and_parameters() -> None:
    assert parse_system("elo") == Elo()
    assert parse_system(" elo{k = 40, k_provisional=80} ") == Elo(k=40, k_provisional=80)
    assert parse_system("elo{k=40}").label == "elo{k=40}"
    assert [parse_system(name).system for name in SYSTEMS] == list(SYSTEMS)
    assert Elo().changed(k=30).to_array()[2] == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ello", 'there is no rating system "ello"; did you mean elo?; allowed: elo, tenhou, glicko2, plackett_luce'),
        ("elo{K_first=3}", "unknown key"),
        ("elo{k=0}", "k: impossible value: 0.0; allowed: more than 0"),
        ("elo{k=5000}", "k: impossible value: 5000.0; allowed: at most 1000"),
        ("elo{k=inf}", "allowed: a finite number"),
        ("elo{k=}", "is no parameter"),
        ("elo{k=1,k=2}", "k comes twice"),
        ("elo{k=1", "allowed: NAME or NAME{"),
        ("elo{floor=1600}", "floor 1600 is above start 1500"),
        ("tenhou{first=5}", "a worse place gives more points"),
        ("tenhou{first=0,second=0,third=0,fourth=0}", "all places give the same points"),
        ("glicko2{wait=1}", "did you mean weight?"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_system(text)
    assert said in str(caught.value)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "systems.toml"
    file.write_text('[[systems]]\nsystem = "elo"\nname = "quick"\nk = 40\n[[systems]]\nsystem = "tenhou"\n')
    assert load_systems(file) == {"quick": Elo(k=40), "tenhou": parse_system("tenhou")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[systems]]\nsystem = "elo"\nk = "x"\n', 'systems[0]: k: wrong type: "x" is text; allowed: a number'),
        ("[[systems]]\nk = 4\n", "systems[0]: system: missing"),
        ("[[system]]\n", "unknown key; did you mean systems?"),
        ("", "at least one table [[systems]]"),
        ('[[systems]]\nsystem="elo"\n[[systems]]\nsystem="elo"\n', 'systems: "elo" comes twice'),
        ('[[systems]]\nsystem="elo"\nq=1\n[[systems]]\nsystem="tenhu"\n', "systems[0]: q: unknown key"),
        ('[[systems]]\nsystem="elo"\nq=1\n[[systems]]\nsystem="tenhu"\n', "systems[1]: there is no rating system"),
        ("[[", "not valid TOML"),
    ],
)
def test_wrong_files(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "systems.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_systems(file)
    assert said in str(caught.value)
    with pytest.raises(ConfigError, match=r"did you mean systems\.toml"):
        load_systems(tmp_path / "sytems.toml")
