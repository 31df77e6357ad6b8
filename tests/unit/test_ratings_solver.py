"""From a wish to a parameter: closed forms, and what simulations find."""

from __future__ import annotations

import pytest

from sim.errors import ConfigError
from sim.ladder import solver
from sim.ladder.solver import Bench, Wish, solve
from sim.ladder.systems import parse_system


def test_closed_forms_are_the_known_values() -> None:
    for k in (8, 24, 64):
        assert solver.elo_half_life(k) == pytest.approx(481.6 / k, rel=2e-4)
        assert solver.elo_noise(k) == pytest.approx((48.25 * k) ** 0.5, rel=2e-4)
        assert solver.elo_k_for_noise(solver.elo_noise(k)) == pytest.approx(k)
    assert [round(100 * solver.removed_share(k, 10)) for k in (40, 64, 128)] == [44, 60, 84]
    k = solver.elo_k_for_speed(200, 20, 40)
    assert 200 * (1 - solver.removed_share(k, 20)) == pytest.approx(40)
    assert solver.elo_noise(24, scale=800) == pytest.approx(solver.elo_noise(24) * 2**0.5)


def test_an_easy_wish_is_possible() -> None:
    wish = Wish(40, 60, 45, 20)
    answer = solve(parse_system("elo"), wish, newcomers=150)
    assert answer.is_possible
    assert answer.provisional is None
    low, high = answer.value_of(answer.fast), answer.value_of(answer.quiet)
    assert low == pytest.approx(solver.elo_k_for_speed(40, 60, 20), rel=0.15)
    assert high == pytest.approx(solver.elo_k_for_noise(45), rel=0.1)
    assert answer.fast.error == pytest.approx(20, abs=0.5)
    assert answer.quiet.noise == pytest.approx(45, abs=0.5)


def test_a_hard_wish_needs_a_provisional_k() -> None:
    answer = solve(parse_system("elo"), Wish(-200, 20, 40, 40), newcomers=150)
    assert not answer.is_possible
    assert answer.value_of(answer.fast) > answer.value_of(answer.quiet)
    assert answer.fast.noise > 50
    assert answer.quiet.error > 70
    found = answer.provisional
    assert found.noise <= 40.5
    assert found.error <= 40.5
    assert found.system.k < 36
    assert 70 < found.system.k_provisional < 120


def test_a_wish_that_no_value_fulfils() -> None:
    answer = solve(parse_system("tenhou"), Wish(200, 20, 40, 40), newcomers=40)
    assert answer.fast is None  # twenty games of f = 1 halve an error not once: a half-life of 37 games
    assert answer.quiet.error == pytest.approx(200 * (1 - 0.75 / 40) ** 20, rel=0.12)
    assert not answer.is_possible


def test_plackett_luce_starts_fast() -> None:
    answer = solve(parse_system("plackett_luce"), Wish(200, 20, 40, 40), newcomers=40)
    assert answer.is_possible
    assert answer.quiet.noise == pytest.approx(40, abs=1)


@pytest.mark.parametrize("name", ["elo{k=8,k_provisional=8}", "tenhou", "glicko2", "plackett_luce"])
def test_newcomers_settle_where_they_should(name: str) -> None:
    bench = Bench(parse_system(name), Wish(100, 5, 40, 10), 100, 1)
    _, rating = bench._newcomers
    assert rating == pytest.approx(1600, abs=6)


def test_skill_of_tenhou_is_bounded() -> None:
    system = parse_system("tenhou")
    assert solver.skill_of(system, 100) == pytest.approx(100 * 4 * 400 / 2.302585 / 3200, rel=0.01)
    assert solver.skill_of(system, -100) == pytest.approx(-solver.skill_of(system, 100), rel=1e-6)
    with pytest.raises(ConfigError, match="nobody settles further than 1600 points above or 1600 below"):
        solver.skill_of(system, 1700)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((0, 20, 40, 40), "off: impossible value: 0"),
        ((200, 0, 40, 40), "games: impossible value: 0"),
        ((200, 20, -1, 40), "noise: impossible value: -1"),
        ((200, 20, 40, 300), "within: impossible value: 300; allowed: less than the 200 points"),
    ],
)
def test_impossible_wishes(numbers: tuple[float, int, float, float], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Wish(*numbers)
    assert said in str(caught.value)


def test_a_seed_gives_the_same_numbers() -> None:
    wish = Wish(40, 60, 45, 20)
    one, same, other = (Bench(parse_system("elo"), wish, 30, seed) for seed in (3, 3, 4))
    assert (one.noise, one.error) == (same.noise, same.error)
    assert one.noise != other.noise
    assert one.error != other.error
