"""Skill against noise, seat compensation, and what is said of dead and nearly dead knobs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sim.statistics.effect_words import sentences, warnings_of
from sim.statistics.effects import coupling_of
from sim.statistics.rare import FEW
from sim.statistics.skill import Skill, compensation_of, skill_of
from tests.unit.families import NAMES, play_family


def test_skill_is_the_difference_over_the_noise_of_a_deal() -> None:
    played = play_family(["strong", "weak"], 200, [{"cap": 3}, {"cap": 1}])
    family = played.family
    first, second = family.units[:2]
    for cell in family.cells:
        found = skill_of(family, cell, first, second)
        assert found is not None
        points = played.columns[cell.index][NAMES.index("points")].astype(float)
        assert found.deviation == pytest.approx(points.std(ddof=1))
        own = played.blocks("points", first, played.columns[cell.index]) / 4
        assert found.difference == pytest.approx(own.mean() * 4 / 3)
        contrast = family.contrast({cell.index: 4 / 3}, first)  # with two strategies nothing else is left to vary
        assert found.half_width == pytest.approx(contrast.half_width)
        assert found.ratio == pytest.approx(found.difference / found.deviation)
        assert found.fewest is not None
        assert found.deals is not None
        assert found.most is not None
        assert found.fewest < found.deals < found.most


def test_deals_to_tell_two_players_apart_give_eighty_percent() -> None:
    skill = Skill("a", "b", 0.5, 0.1, 2.0, 0.25, 0.06)
    assert skill.deals == math.ceil((1.95996 + 0.84162) ** 2 * 8 / 3 / 0.0625)
    lots = np.random.default_rng(1)
    seats = lots.normal(size=(4_000, skill.deals, 4))
    seats -= seats.mean(axis=2, keepdims=True)  # points of a deal sum to 0
    seats *= skill.deviation / math.sqrt(0.75)
    gaps = seats[:, :, 0] - seats[:, :, 1] + skill.difference
    t = gaps.mean(axis=1) / (gaps.std(axis=1, ddof=1) / math.sqrt(skill.deals))
    assert (t > 1.96).mean() == pytest.approx(0.8, abs=0.025)


def test_no_number_of_deals_may_do_where_the_interval_holds_zero() -> None:
    assert Skill("a", "b", 0.1, 0.2, 2.0, 0.05, 0.1).most is None
    assert Skill("a", "b", 0.0, 0.2, 2.0, 0.0, 0.1).deals is None
    assert Skill("a", "b", 0.1, None, 2.0, 0.05, None).fewest is None


def test_compensation_makes_seats_equal() -> None:
    played = play_family(["middle"], 50, [{"cap": 3}, {"cap": 1}])
    for cell in played.family.cells:
        found = compensation_of(played.family, cell)
        points = played.columns[cell.index][NAMES.index("points")].reshape(-1, 4)
        assert [one.value for one in found] == pytest.approx((-points.mean(axis=0)).tolist())
        assert all(one.half_width for one in found)


def test_dead_and_nearly_dead_knobs_are_named() -> None:
    played = play_family(["strong", "weak"], 10, [{"cap": 3}, {"cap": 20, "nothing": 1}, {"cap": 3, "nothing": 2}])
    few, dead = coupling_of(played.family)
    assert 0 < few.changed < FEW
    assert dead.is_dead
    first, second = warnings_of([played.family])
    assert "dead: nothing=2: of 40 deals not one ended otherwise" in first
    assert "(fewer than 7.5 % of deals, 95 %)" in first
    assert f"fewer than 30 ended otherwise under cap=20, nothing=1 ({few.changed})" in second
    one_knob = play_family(["strong", "weak"], 10, [{"nothing": 1}, {"nothing": 2}])
    (text,) = sentences([one_knob.family], [], [None])
    assert text.startswith("base: nothing changes nothing here: not one of 40 deals ended otherwise (a dead knob;")
    assert text.endswith("fewer than 7.5 % of deals, 95 %).")
