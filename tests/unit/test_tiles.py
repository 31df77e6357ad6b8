"""Tile notation: what is written is read back, and nothing else is read."""

from __future__ import annotations

import doctest
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import tiles
from sim.errors import NotationError

tile_lists = st.lists(st.integers(0, 26), max_size=30).filter(
    lambda kinds: all(kinds.count(kind) <= 4 for kind in kinds)
)


@given(tile_lists)
def test_tiles_in_any_order_are_read_back(kinds: list[int]) -> None:
    assert tiles.parse_tiles(tiles.format_kinds(kinds)) == kinds


@given(tile_lists)
def test_counts_are_read_back(kinds: list[int]) -> None:
    counts = [kinds.count(kind) for kind in range(27)]
    text = tiles.format_counts(counts)
    assert tiles.parse_counts(text) == counts
    assert text == tiles.format_kinds(sorted(kinds))
    assert all(text.count(letter) <= 1 for letter in "mps")


def test_kinds_and_their_names() -> None:
    names = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    assert [tiles.format_kind(kind) for kind in range(27)] == names
    assert [tiles.parse_tile(name) for name in names] == list(range(27))


def test_the_example_of_the_rulebook() -> None:
    text = "123m55p789s"
    assert tiles.parse_tiles(text) == [0, 1, 2, 13, 13, 24, 25, 26]
    assert tiles.format_kinds(tiles.parse_tiles(text)) == text
    assert tiles.parse_tiles(" 1 23m\t55p789s ") == tiles.parse_tiles(text)
    assert tiles.parse_tiles("1m2m3m5p5p7s8s9s") == tiles.parse_tiles(text)


def test_unicode_tiles() -> None:
    assert tiles.unicode_kinds([0, 8, 9, 17, 18, 26]) == "\U0001f007\U0001f00f\U0001f019\U0001f021\U0001f010\U0001f018"
    words = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
    suits = ["CHARACTERS", "CIRCLES", "BAMBOOS"]
    for kind in range(27):
        name = f"MAHJONG TILE {words[kind % 9]} OF {suits[kind // 9]}"
        assert unicodedata.name(tiles.unicode_kind(kind)) == name


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("12x", ["unknown character 'x'", "character 3 of '12x'", "ranks 1 to 9", "m (characters)"]),
        ("12M", ["unknown character 'M'", "did you mean 'm'?"]),
        ("105m", ["rank 0", "character 2 of '105m'", "1 to 9"]),
        ("123m11z", ["suit 'z'", "character 7", "no winds"]),
        ("123m55", ["no suit after the 5", "character 6 of '123m55'", "p (circles)"]),
        ("m123", ["no rank before the suit 'm'", "character 1"]),
        ("12mp", ["no rank before the suit 'p'", "character 4"]),
        ("33333m", ["a fifth 3m", "character 5 of '33333m'", "4 tiles of each kind"]),
        ("3333m 12p 3m", ["a fifth 3m", "character 11"]),
        ("１m", ["unknown character '１'"]),
        ("²m", ["unknown character '²'"]),
        ("-1m", ["unknown character '-'"]),
    ],
)
def test_bad_notation_says_what_and_where(text: str, parts: list[str]) -> None:
    for read in (tiles.parse_tiles, tiles.parse_counts, tiles.parse_tile):
        with pytest.raises(NotationError) as caught:
            read(text)
        for part in parts:
            assert part in str(caught.value)


@pytest.mark.parametrize("text", ["", "12m", "1m1p"])
def test_one_tile_is_one_tile(text: str) -> None:
    with pytest.raises(NotationError, match="exactly one is wanted"):
        tiles.parse_tile(text)


@pytest.mark.parametrize("text", ["123456789m123p", "123456789m123456p"])
def test_twelve_or_fifteen_tiles_are_no_hand(text: str) -> None:
    assert len(tiles.parse_tiles(text)) in (12, 15)
    with pytest.raises(NotationError, match=r"1[25] tiles in .*; allowed: 13 or 14"):
        tiles.parse_counts(text, (13, 14))


def test_nothing_is_no_tiles() -> None:
    assert tiles.parse_tiles("") == []
    assert tiles.format_kinds([]) == ""


def test_examples_run() -> None:
    assert doctest.testmod(tiles).failed == 0


def test_notation_needs_no_compiler() -> None:
    code = "import sys, sim.tiles; assert not {'numba', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
