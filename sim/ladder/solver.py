"""From a wish to a parameter: "a newcomer 200 points off should settle in 20 games, with noise under 40", so which K.

For pairwise Elo both sides are known to first order; for every system they are simulated, against fixed opponents
(`sim.ladder.ratings.newcomers`), and the parameter is found as a root. All simulations of a search share their random
numbers, so what they give is nearly smooth in the parameter.

Not in here: ladders whose opponents move too, which are noisier.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sim.errors import ConfigError
from sim.ladder.measures import stationary_noise
from sim.ladder.ratings.layout import GAMES, PLAYERS, RATING, SECOND, STATE, THIRD
from sim.ladder.ratings.newcomers import play_newcomers
from sim.ladder.ratings.update import begin
from sim.ladder.systems import Elo, RatingSystem, Tenhou

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

    Array = npt.NDArray[np.float64]

BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "elo": (1.0, 400.0),
    "tenhou": (0.02, 1.0),
    "glicko2": (0.005, 0.5),
    "plackett_luce": (0.1, 60.0),
}
"""Between what the tuned parameter of each system is looked for."""

_OLD_GAMES: Final = 1e6
_FEWEST_GAMES: Final = 128
_MOST_GAMES: Final = 4096
_STEADY: Final = 0.02
_MORE_NEWCOMERS: Final = 8


def elo_half_life(k: float, scale: float = 400.0) -> float:
    """Give the games in which a small error halves under pairwise Elo, four to a table: 481.6/K.

    The mean change of a rating that is d off is -K · E'(0) · d = -K · ln 10 / (4 · scale) · d.

    Parameters
    ----------
    k
        K.
    scale
        Points that make the odds 10 to 1.

    Examples
    --------
    >>> round(elo_half_life(24), 1)
    20.1
    """
    return 4 * scale * math.log(2) / (k * math.log(10))


def elo_noise(k: float, scale: float = 400.0) -> float:
    """Give the stationary standard deviation of a rating under pairwise Elo, four to a table: sqrt(48.25 · K).

    Among equals a game's score is 0, 1, 2 or 3 of 3, with variance 5/4, so a change has variance K² · 5/36; divided by
    twice the share of an error that a game removes.

    Parameters
    ----------
    k
        K.
    scale
        Points that make the odds 10 to 1.

    Examples
    --------
    >>> round(elo_noise(24), 1)
    34.0
    """
    return math.sqrt(k * 5 / 36 * 2 * scale / math.log(10))


def removed_share(k: float, games: float, scale: float = 400.0) -> float:
    """Give the share of a small error that some games remove under pairwise Elo: 1 - 2^(-games · K / 481.6).

    Parameters
    ----------
    k
        K in these games.
    games
        How many.
    scale
        Points that make the odds 10 to 1.

    Examples
    --------
    >>> [round(removed_share(k, 10), 2) for k in (40, 64, 128)]
    [0.44, 0.6, 0.84]
    """
    return 1 - 2 ** (-games / elo_half_life(k, scale))


def elo_k_for_noise(noise: float, scale: float = 400.0) -> float:
    """Give the K with which a settled rating has some standard deviation: the inverse of `elo_noise`.

    Parameters
    ----------
    noise
        Points.
    scale
        Points that make the odds 10 to 1.

    Examples
    --------
    >>> round(elo_k_for_noise(40), 1)
    33.2
    """
    return (noise / elo_noise(1.0, scale)) ** 2


def elo_k_for_speed(error: float, games: float, left: float, scale: float = 400.0) -> float:
    """Give the K with which a small error falls to what may be left of it within some games.

    Parameters
    ----------
    error
        The error at the beginning.
    games
        How many games.
    left
        What may be left of it.
    scale
        Points that make the odds 10 to 1.

    Examples
    --------
    >>> round(elo_k_for_speed(200, 20, 40), 1)
    55.9
    """
    return math.log2(error / left) * elo_half_life(1.0, scale) / games


@dataclass(frozen=True)
class Wish:
    """What ratings should do."""

    offset: float
    """How far a newcomer's settled rating is from the start; negative for one who is worse."""
    games: int
    """Games after which a newcomer should be settled."""
    noise: float
    """The most that the stationary standard deviation may be, among equals."""
    within: float
    """A newcomer is settled when the mean error is at most this."""

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises
        ------
        ConfigError
            One is impossible.
        """
        if self.offset == 0 or not math.isfinite(self.offset):
            raise ConfigError(f"off: impossible value: {self.offset:g}; allowed: a number of points other than 0")
        if self.games < 1:
            raise ConfigError(f"games: impossible value: {self.games}; allowed: at least 1")
        for name, value in (("noise", self.noise), ("within", self.within)):
            if not 0 < value < math.inf:
                raise ConfigError(f"{name}: impossible value: {value:g}; allowed: more than 0 points")
        if self.within >= abs(self.offset):
            raise ConfigError(
                f"within: impossible value: {self.within:g}; allowed: less than the {abs(self.offset):g} points that a"
                " newcomer is off, or nothing is left to settle"
            )


class Bench:
    """A rating system under simulation, for one wish.

    Parameters
    ----------
    system
        The system.
    wish
        The wish.
    newcomers
        How many newcomers are simulated for the noise, and eight times as many for the speed.
    seed
        Everything random follows from it.
    """

    def __init__(self, system: RatingSystem, wish: Wish, newcomers: int, seed: int) -> None:
        self.system = system
        self.wish = wish
        self.newcomers = newcomers
        self.seed = seed

    @cached_property
    def _settled(self) -> Array:
        """Give the state of a player of long standing whose rating is the start: what opponents have."""
        own = np.zeros(STATE)
        begin(self.system.code, self.system.to_array(), own)
        own[GAMES] = _OLD_GAMES
        if own[SECOND]:
            for _ in range(3):
                states = np.tile(own, (PLAYERS, 1))
                _, finals = self._play(0.0, states, max(self.newcomers // 8, 50), 2 * _FEWEST_GAMES)
                own[[SECOND, THIRD]] = finals[:, [SECOND, THIRD]].mean(axis=0)
        return own

    def _play(self, skill: float, states: Array, newcomers: int, games: int) -> tuple[Array, Array]:
        """Play newcomers who are better than their opponents by a skill; give ratings and states at the end."""
        skills = np.array([skill, 0.0, 0.0, 0.0])
        ratings, finals = np.empty((newcomers, games + 1)), np.empty((newcomers, STATE))
        play_newcomers(self.system.code, self.system.to_array(), skills, states, self.seed, ratings, finals)
        return ratings, finals

    @cached_property
    def _long(self) -> tuple[float, int]:
        """Give the noise among equals, and the games that show it."""
        states = np.tile(self._settled, (PLAYERS, 1))
        games, before = _FEWEST_GAMES, math.nan
        while True:
            ratings, _ = self._play(0.0, states, self.newcomers, games)
            noise = stationary_noise(ratings[:, games // 2 :].ravel())
            if abs(noise - before) < _STEADY * noise or games >= _MOST_GAMES:
                return noise, games
            games, before = 2 * games, noise

    @property
    def noise(self) -> float:
        """The stationary standard deviation of a rating among equals."""
        return self._long[0]

    def _settle(self, skill: float) -> float:
        """Give the rating at which newcomers of a skill settle."""
        states = np.tile(self._settled, (PLAYERS, 1))
        states[0, RATING] += self.wish.offset
        _, games = self._long
        ratings, _ = self._play(skill, states, self.newcomers, games)
        return float(ratings[:, games // 2 :].mean())

    @cached_property
    def _newcomers(self) -> tuple[float, float]:
        """Give the skill of the wish's newcomers, and the rating at which they settle."""
        skill = skill_of(self.system, self.wish.offset)
        rating = self._settle(skill)
        if self._settled[SECOND]:  # deviations stretch the scale
            skill *= self.wish.offset / (rating - self.system.start)
            rating = self._settle(skill)
        return skill, rating

    @cached_property
    def error(self) -> float:
        """The mean error that is left after the games of the wish, positive while the newcomer is not there yet."""
        states = np.tile(self._settled, (PLAYERS, 1))
        begin(self.system.code, self.system.to_array(), states[0])
        skill, rating = self._newcomers
        ratings, _ = self._play(skill, states, _MORE_NEWCOMERS * self.newcomers, self.wish.games)
        return math.copysign(1.0, self.wish.offset) * (rating - float(ratings[:, -1].mean()))


def skill_of(system: RatingSystem, offset: float) -> float:
    """Give how much better than three equal opponents somebody is, in points of Elo, who settles `offset` above them.

    Parameters
    ----------
    system
        The system. Under Tenhou's R a place is worth points whatever the ratings say, and the pull balances them.
    offset
        Rating points.

    Raises
    ------
    ConfigError
        Nobody can settle so far off.
    """
    if not isinstance(system, Tenhou):
        return offset * 400.0 / (system.expected_scale or 400.0)
    from scipy.optimize import brentq  # noqa: PLC0415 - only needed here

    bonuses = np.array([system.first, system.second, system.third, system.fourth])
    reach = PLAYERS / (PLAYERS - 1) * system.spread

    def settled(skill: float) -> float:
        """Give where somebody of a skill settles."""
        strength, left, mean = 10.0 ** (skill / 400.0), 1.0, 0.0
        for place, bonus in enumerate(bonuses):
            chance = strength / (strength + PLAYERS - 1 - place)
            mean += left * chance * float(bonus)
            left *= 1 - chance
        return reach * (mean - float(bonuses.mean())) - offset

    if settled(-4000) >= 0 or settled(4000) <= 0:
        raise ConfigError(
            f"off: impossible value: {offset:g}; allowed: with these parameters nobody settles further than"
            f" {reach * float(bonuses[0] - bonuses.mean()):g} points above or"
            f" {reach * float(bonuses.mean() - bonuses[-1]):g} below three equal opponents"
        )
    return float(brentq(settled, -4000, 4000, xtol=1e-6))


@dataclass(frozen=True)
class Trial:
    """What one choice of parameters does."""

    system: RatingSystem
    """The system with it."""
    error: float
    """Mean error after the games of the wish."""
    noise: float
    """Stationary noise."""


@dataclass(frozen=True)
class Answer:
    """What a wish asks of a system."""

    wish: Wish
    """The wish."""
    system: str
    """The rating system."""
    parameter: str
    """Which parameter was looked for."""
    fast: Trial | None
    """The smallest value that settles newcomers in time; None if none does within the bounds."""
    quiet: Trial | None
    """The largest value that is quiet enough; None if none is."""
    provisional: Trial | None
    """Elo only, where one K will not do: the largest K that is quiet enough, with the K that the first games need."""

    @property
    def is_possible(self) -> bool:
        """Whether one value does both."""
        if self.fast is None or self.quiet is None:
            return False
        return self.value_of(self.fast) <= self.value_of(self.quiet)

    def is_bound(self, trial: Trial) -> bool:
        """Tell whether a trial is at the end of what is looked at, so that values beyond it may do too.

        Parameters
        ----------
        trial
            One of the trials.
        """
        low, high = BOUNDS[self.system]
        return (trial is self.fast and self.value_of(trial) == low) or (
            trial is self.quiet and self.value_of(trial) == high
        )

    def value_of(self, trial: Trial) -> float:
        """Give the value of the parameter that was looked for.

        Parameters
        ----------
        trial
            One of the trials.
        """
        return float(getattr(trial.system, self.parameter))


def solve(system: RatingSystem, wish: Wish, *, newcomers: int = 500, seed: int = 1) -> Answer:
    """Find the values of a system's tuned parameter that fulfil a wish.

    Parameters
    ----------
    system
        The system; its tuned parameter is looked for, the others stay. For Elo one K is looked for that holds in all
        games, and if there is none, K and a provisional K.
    wish
        The wish.
    newcomers
        How many newcomers are simulated: 500 give values to about 3 %.
    seed
        Everything random follows from it.

    Raises
    ------
    ConfigError
        Nobody settles as far off as the wish says.
    """
    skill_of(system, wish.offset)  # whether anybody settles there is said before the search
    parameter = system.tuned
    low, high = BOUNDS[system.system]

    @cache
    def bench(value: float) -> Bench:
        """Give the system with a value of the parameter."""
        values = {parameter: value}
        if isinstance(system, Elo):
            values["k_provisional"] = value
        return Bench(system.changed(**values), wish, newcomers, seed)

    quiet = _furthest(lambda value: bench(value).noise - wish.noise, low, high)
    fast = _furthest(lambda value: bench(value).error - wish.within, high, low)
    answer = Answer(
        wish,
        system.system,
        parameter,
        None if fast is None else _try(bench(fast)),
        None if quiet is None else _try(bench(quiet)),
        None,
    )
    if not isinstance(system, Elo) or quiet is None or answer.is_possible:
        return answer

    @cache
    def provisional(value: float) -> Bench:
        """Give the quiet system with a provisional K."""
        return Bench(system.changed(k=quiet, k_provisional=value), wish, newcomers, seed)

    first = _furthest(lambda value: provisional(value).error - wish.within, high, quiet)
    found = None if first is None else _try(provisional(first))
    return replace(answer, provisional=found)


def _try(bench: Bench) -> Trial:
    """Keep what a simulation gave."""
    return Trial(bench.system, bench.error, bench.noise)


def _furthest(excess: Callable[[float], float], good: float, bad: float) -> float | None:
    """Find the value furthest from the good end at which something is not exceeded, on a logarithmic scale."""
    from scipy.optimize import brentq  # noqa: PLC0415 - only needed here

    if excess(bad) <= 0:
        return bad
    if excess(good) > 0:
        return None
    return math.exp(float(brentq(lambda x: excess(math.exp(x)), math.log(good), math.log(bad), rtol=1e-4, xtol=2e-3)))
