"""Skill against noise, seat compensation, and what is said of dead and nearly dead knobs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sim.statistics.effect_words import sentences, warnings_of
from sim.statistics.effects import coupling_of
from sim.statistics.rare import FEW
from sim.statistics.skill import Skill, compensation_of, skill_of
from tests.unit.families import NAMES, play_family


@pytest.mark.parametrize("line_up", [["strong", "weak"], ["weak", "strong", "middle", "twin"]])
def test_skill_is_the_difference_over_its_noise_in_a_deal(line_up: list[str]) -> None:
    played = play_family(line_up, 200, [{"cap": 3}, {"cap": 1}])
    family = played.family
    first, second = family.units[:2]
    seatings = np.array(family.reference.seatings)
    group = np.array(played.groups)[seatings]
    for cell in family.cells:
        found = skill_of(family, cell, first, second)
        assert found is not None
        points = played.columns[cell.index][NAMES.index("points")].astype(float).reshape(200, -1, 4)
        gap = sum(
            sign * (points * (group == unit.index)).sum(axis=2) / (group == unit.index).sum(axis=1)
            for sign, unit in ((1, first), (-1, second))
        )
        assert found.difference == pytest.approx(gap.mean())
        assert found.deviation == pytest.approx(gap.std(ddof=1))
        blocks = gap.mean(axis=1)
        assert found.half_width == pytest.approx(stats.t.ppf(0.975, 199) * blocks.std(ddof=1) / math.sqrt(200))
        assert found.ratio == pytest.approx(found.difference / found.deviation)
        assert found.ratio_half_width is not None
        if abs(found.ratio) > found.ratio_half_width:
            assert found.fewest is not None
            assert found.deals is not None
            assert found.most is not None
            assert found.fewest < found.deals < found.most


def test_deals_to_tell_two_players_apart_give_eighty_percent() -> None:
    skill = Skill("a", "b", 0.5, 0.1, 2.0, 0.25, 0.06)
    assert skill.deals == math.ceil((1.95996 + 0.84162) ** 2 / 0.0625)
    gaps = np.random.default_rng(1).normal(skill.difference, skill.deviation, (8_000, skill.deals))
    t = gaps.mean(axis=1) / (gaps.std(axis=1, ddof=1) / math.sqrt(skill.deals))
    assert (t > 1.96).mean() == pytest.approx(0.8, abs=0.02)


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
    assert 0 < few.changed_walls <= 10 < FEW
    assert dead.is_dead
    first, second = warnings_of([played.family])
    assert "dead: nothing=2: of 40 deals not one ended otherwise" in first
    assert "(fewer than 30 % of walls, 95 %)" in first
    assert f"of 10 walls fewer than 100 ended otherwise under cap=20, nothing=1 ({few.changed_walls})" in second
    one_knob = play_family(["strong", "weak"], 10, [{"nothing": 1}, {"nothing": 2}])
    (text,) = sentences([one_knob.family], [], [None])
    assert text.startswith("base: nothing changes nothing here: not one of 40 deals ended otherwise (a dead knob;")
    assert text.endswith("fewer than 30 % of walls, 95 %).")
