"""The rating lab: one recorded stream of results, rated by several systems, all measures side by side.

Every system sees the same games in the same order, so differences between them are theirs alone. With several
replications each measure has an interval over them. Not in here: reading streams (`sim.ladder.stream`), the measures
themselves (`sim.ladder.measures`), printing (`sim.commands.ladder`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sim.ladder.measures import (
    Interval,
    batch_means,
    calibrate,
    half_life,
    interval_over,
    losses_by_game,
    order_dependence,
    predictive_loss,
    slope_of,
    stationary_noise,
    warm_up,
)
from sim.ladder.ratings.layout import CREATED, FLOORED, PARTS, PLAYERS, RATING, STATE
from sim.ladder.ratings.update import begin, rate_orders, rate_stream

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from sim.ladder.stream import Stream
    from sim.ladder.systems import RatingSystem

    Array = npt.NDArray[np.float64]

FEWEST_OWN_GAMES: Final = 40
"""Games that a player must have for half-life and noise to be told."""
LOSS_BATCHES: Final = 20
"""Batches of neighbouring games over which losses of one stream are compared."""
_MOST_LAG: Final = 2 / math.sqrt(LOSS_BATCHES)
"""Correlation of neighbouring batches that chance alone seldom gives: beyond it they are not independent."""
CHECKPOINTS: Final = 200
"""Times at which the ratings of anchors are looked at."""

MEASURES: Final[Mapping[str, str]] = {
    "log_loss": "log-loss of who is ahead of whom in the later half; guessing gives 0.6931",
    "brier": "Brier score of the same; guessing gives 0.25 where nobody ties",
    "scale": "points that make the odds 10 to 1, fitted to the earlier half",
    "spread": "standard deviation of the final ratings",
    "noise": "standard deviation of a rating about its own mean in the later half of a career",
    "order": "standard deviation of the final rating over random orders of the same games",
    "half_life": "games of a player in which the distance from the settled rating halves",
    "created": "points created in 1000 games by unequal weights and the floor; negative if destroyed",
    "slope": "rating points for each point of true rating",
    "intercept": "mean rating less mean true rating at the end",
    "correlation": "of final and true ratings",
    "drift": "slope of rating less true rating, points in 1000 games of the ladder, after the warm-up",
    "warm_up": "games that were cut as the warm-up (MSER-5)",
}
"""What is measured, and what it says; those from `slope` on need true ratings."""


@dataclass(frozen=True)
class Replay:
    """A stream rated by one system."""

    states: Array
    """Everybody's state at the end, (players, STATE)."""
    before: Array
    """Ratings before each game, (games, 4)."""
    parts: Array
    """What each game did to each rating, (games, 4, PARTS)."""
    watched: Array
    """Everybody's rating at up to `CHECKPOINTS` times, (times, players)."""
    times: Array
    """Games rated by then."""


def begin_all(system: RatingSystem, players: int) -> Array:
    """Give all players what newcomers have.

    Parameters
    ----------
    system
        The system.
    players
        How many.

    Returns
    -------
    float64, shape (players, STATE)
        Their states.
    """
    states = np.zeros((players, STATE))
    parameters = system.to_array()
    for state in states:
        begin(system.code, parameters, state)
    return states


def replay(system: RatingSystem, stream: Stream) -> Replay:
    """Rate a stream, everybody a newcomer at first.

    Parameters
    ----------
    system
        The system.
    stream
        The games.
    """
    states = begin_all(system, len(stream.names))
    before = np.empty((stream.games, PLAYERS))
    parts = np.empty((stream.games, PLAYERS, PARTS))
    times = np.unique(np.linspace(0, stream.games, CHECKPOINTS + 1).astype(np.int64))[1:]
    watched = np.empty((len(times), len(stream.names)))
    at = 0
    for row, until in enumerate(times):
        order = np.arange(at, until)
        rate_stream(system.code, system.to_array(), stream.players, stream.points, order, states, before, parts)
        watched[row] = states[:, RATING]
        at = int(until)
    return Replay(states, before, parts, watched, times.astype(np.float64))


def careers_of(stream: Stream, found: Replay) -> list[Array]:
    """Give each player's ratings: before each of the own games, and after the last.

    Parameters
    ----------
    stream
        The games.
    found
        The games, rated.

    Returns
    -------
    list of float64 arrays
        One for each player.
    """
    who = stream.players.ravel()
    order = np.argsort(who, kind="stable")
    ratings = found.before.ravel()[order]
    ends = np.searchsorted(who[order], np.arange(len(stream.names) + 1))
    finals = found.states[:, RATING]
    return [np.append(ratings[ends[p] : ends[p + 1]], finals[p]) for p in range(len(stream.names))]


def measure(system: RatingSystem, stream: Stream, *, orders: int, seed: int) -> dict[str, float | None]:
    """Measure what a system makes of a stream.

    Parameters
    ----------
    system
        The system.
    stream
        The games.
    orders
        Random orders for the order dependence; fewer than two leave it out.
    seed
        Of the random orders.

    Returns
    -------
    dict
        `MEASURES` by name; None for what the stream does not tell.
    """
    found = replay(system, stream)
    values: dict[str, float | None] = dict.fromkeys(MEASURES)
    if stream.games > 1:
        loss = predictive_loss(found.before, stream.points)
        values |= {"log_loss": loss.log_loss, "brier": loss.brier}
        values["scale"] = loss.scale if np.isfinite(loss.scale) else None
    values["spread"] = float(found.states[:, RATING].std(ddof=1))
    values["created"] = 1000 * float(found.parts[:, :, [CREATED, FLOORED]].sum()) / stream.games
    values |= _measure_careers(careers_of(stream, found))
    if orders > 1:
        values["order"] = order_dependence(_rate_orders(system, stream, orders, seed))
    values |= _measure_truth(stream, found)
    return values


def _measure_careers(careers: list[Array]) -> dict[str, float | None]:
    """Measure speed and noise on players who have played enough."""
    long = [career for career in careers if len(career) > FEWEST_OWN_GAMES]
    if not long:
        return {}
    halves = [career[len(career) // 2 :] for career in long]
    horizon = min(len(career) // 2 for career in long)
    errors = np.array([career[:horizon] - half.mean() for career, half in zip(long, halves, strict=True)])
    noise = np.sqrt(np.mean([stationary_noise(half) ** 2 for half in halves]))
    return {"noise": float(noise), "half_life": half_life(errors)}


def _rate_orders(system: RatingSystem, stream: Stream, count: int, seed: int) -> Array:
    """Rate the games in random orders, the same ones for every system."""
    draw = np.random.Generator(np.random.Philox(seed))
    finals = np.empty((count, len(stream.names)))
    states = begin_all(system, len(stream.names))
    for row in range(count):  # one at a time, since a stream can be long
        order = draw.permutation(stream.games)[np.newaxis]
        rate_orders(system.code, system.to_array(), stream.players, stream.points, order, states, finals[row : row + 1])
    return finals


def _measure_truth(stream: Stream, found: Replay) -> dict[str, float | None]:
    """Measure ratings against true ratings, where these are known."""
    known = np.flatnonzero(np.isfinite(stream.truths))
    if not len(known):
        return {}
    values: dict[str, float | None] = {}
    truths = stream.truths[known]
    if len(set(truths.tolist())) > 1:
        fit = calibrate(found.states[known, RATING], truths)
        values |= {"slope": fit.slope, "intercept": fit.intercept, "correlation": fit.correlation}
    errors = (found.watched[:, known] - truths).mean(axis=1)
    cut = warm_up(errors)
    values["warm_up"] = float(found.times[cut - 1]) if cut else 0.0
    if len(errors) - cut > 1:
        values["drift"] = 1000 * slope_of(found.times[cut:], errors[cut:])
    return values


def compare_systems(
    systems: Mapping[str, RatingSystem], streams: Sequence[Stream], *, orders: int = 20, seed: int = 1
) -> dict[str, dict[str, Interval | None]]:
    """Measure several systems on the same streams.

    Parameters
    ----------
    systems
        Systems by name.
    streams
        Replications: at least one.
    orders, seed
        As in `measure`.

    Returns
    -------
    dict
        For each system `MEASURES` by name, over the replications that tell them; None where none does.
    """
    table: dict[str, dict[str, Interval | None]] = {}
    for name, system in systems.items():
        found = [measure(system, stream, orders=orders, seed=seed) for stream in streams]
        table[name] = {}
        for key in MEASURES:
            values = [value for one in found if (value := one[key]) is not None]
            table[name][key] = interval_over(values) if values else None
    return table


def losses_beyond_best(systems: Mapping[str, RatingSystem], streams: Sequence[Stream]) -> dict[str, Interval]:
    """Give the log-loss of each system less that of the best one, game by game.

    Parameters
    ----------
    systems
        Systems by name.
    streams
        Replications; those of a single game are left out.

    Returns
    -------
    dict
        By name, 0 for the best itself; nothing if no game is to be foretold. The interval is over replications, or of
        one stream over `LOSS_BATCHES` batches of neighbouring games; None where batches are too few or hang together.
    """
    used = [stream for stream in streams if stream.games > 1]
    if not used or not systems:
        return {}
    losses = {
        name: [losses_by_game(replay(system, stream).before, stream.points) for stream in used]
        for name, system in systems.items()
    }
    best = min(losses, key=lambda name: float(np.mean([part.mean() for part in losses[name]])))
    found = {}
    for name, mine in losses.items():
        beyond = [here - there for here, there in zip(mine, losses[best], strict=True)]
        found[name] = interval_over([part.mean() for part in beyond])
        if name != best and len(beyond) == 1 and len(beyond[0]) >= LOSS_BATCHES:
            batches = batch_means(beyond[0], LOSS_BATCHES)
            half = batches.mean.half_width if batches.lag_1 < _MOST_LAG else None
            found[name] = Interval(found[name].value, half, batches.mean.count)
    return found


def final_ratings(systems: Mapping[str, RatingSystem], stream: Stream) -> dict[str, list[float]]:
    """Give everybody's final rating under each system, in the order of the stream's names.

    Parameters
    ----------
    systems
        Systems by name.
    stream
        The games.
    """
    return {name: [float(x) for x in replay(system, stream).states[:, RATING]] for name, system in systems.items()}
