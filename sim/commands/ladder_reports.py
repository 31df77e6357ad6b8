"""The reports of `bloodbattle ladder`: what to put beside what, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.commands.output import Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.ladder.measures import Interval
    from sim.ladder.recorded import Recorded
    from sim.ladder.solver import Answer, Trial
    from sim.ladder.systems import RatingSystem
    from sim.statistics.tables import Grid

_MOST_PLAYERS: Final = 16
"""Players whose final ratings are printed."""
_MOST_SYSTEMS: Final = 5
"""Systems beside which they are."""
_DIGITS: Final = {"log_loss": 4, "brier": 4, "slope": 3, "correlation": 3, "scale": 0, "warm_up": 0}
_WORDS: Final = {
    "log_loss": "log-loss",
    "brier": "Brier",
    "half_life": "half-life",
    "created": "created/1000",
    "drift": "drift/1000",
    "warm_up": "warm-up",
}
_BEYOND: Final = "Log-loss less that of the best system"
_GRIDS: Final = {
    "Prediction": ("log_loss", "brier", "scale"),
    "Movement": ("spread", "noise", "order", "half_life", "created"),
    "Against true ratings": ("slope", "intercept", "correlation", "drift", "warm_up"),
}
"""The tables, and the measures in each."""


def make_lab_report(
    source: str, systems: Mapping[str, RatingSystem], recorded: Recorded, orders: int, seed: int
) -> Report:
    """Rate streams, and report on the systems.

    Parameters
    ----------
    source
        What to call the stream.
    systems
        Systems by name.
    recorded
        The games, of each replication.
    orders, seed
        As in `sim.ladder.lab.measure`.
    """
    from sim.ladder.lab import (
        FEWEST_OWN_GAMES,
        LOSS_BATCHES,
        MEASURES,
        compare_systems,
        final_ratings,
        losses_beyond_best,
    )
    from sim.statistics.estimate import round_off
    from sim.statistics.tables import Grid as Table

    streams = recorded.streams
    table = compare_systems(systems, streams, orders=orders, seed=seed)
    first = streams[0]
    facts = f"{first.games:,} games of {len(first.names):,} players"
    facts += f", first of {len(streams)} replications" if len(streams) > 1 else ""
    told = {key for row in table.values() for key, value in row.items() if value is not None}
    grids = [_measure_grid(title, keys, table) for title, keys in _GRIDS.items() if told & set(keys)]
    beyond = losses_beyond_best(systems, streams)
    if len(beyond) > 1:
        apart = tuple((name, _show(found, _DIGITS["log_loss"])) for name, found in beyond.items() if found.value)
        grids.insert(1, Table(_BEYOND, ("", "difference"), apart))
    finals = final_ratings(systems, first)
    if len(first.names) <= _MOST_PLAYERS and len(systems) <= _MOST_SYSTEMS:
        best = next(iter(finals.values()))
        by_rating = sorted(range(len(first.names)), key=lambda p: (-best[p], first.names[p]))
        rows = [(first.names[p], *(f"{numbers[p]:.0f}" for numbers in finals.values())) for p in by_rating]
        grids.append(Table("Final ratings", ("", *finals), tuple(rows)))
    notes = [f"{_WORDS.get(key, key)}: {meaning}" for key, meaning in MEASURES.items() if key in told]
    if "noise" not in told:
        notes.append(f"noise and half-life need players of at least {FEWEST_OWN_GAMES} games; nobody has as many")
    if len(beyond) > 1:
        notes.append(
            "difference of log-loss: on the same games, with a 95 % interval over replications, or over"
            f" {LOSS_BATCHES} batches of neighbouring games of one stream; none where these are too few or alike"
        )
    if len(streams) > 1:
        notes.append("± is half of a 95 % t-interval over replications")
    notes += recorded.notes
    report = Report(f"rating lab: {source}, {facts}", grids, notes)
    report.data = {
        "source": source,
        "games": [stream.games for stream in streams],
        "players": list(first.names),
        "notes": list(recorded.notes),
        "systems": [
            {
                "name": name,
                "system": system.system,
                "parameters": system.model_dump(),
                "measures": {key: _plain(table[name][key]) for key in MEASURES},
                "beyond_best": _plain(beyond.get(name)),
                "final_ratings": [round_off(rating) for rating in finals[name]],
            }
            for name, system in systems.items()
        ],
    }
    report.records = [
        {"system": name, "measure": key, **(_plain(value) or dict.fromkeys(("value", "half_width", "count")))}
        for name, row in table.items()
        for key, value in row.items()
    ]
    return report


def _measure_grid(title: str, keys: tuple[str, ...], table: Mapping[str, Mapping[str, Interval | None]]) -> Grid:
    """Tabulate measures, a system a row."""
    from sim.statistics.tables import Grid as Table

    used = [key for key in keys if any(row[key] is not None for row in table.values())]
    rows = [(name, *(_show(row[key], _DIGITS.get(key, 1)) for key in used)) for name, row in table.items()]
    return Table(title, ("", *(_WORDS.get(key, key) for key in used)), tuple(rows))


def _show(value: Interval | None, digits: int) -> str:
    """Write a measure with its interval."""
    from sim.statistics.tables import MINUS, NOTHING

    if value is None:
        return NOTHING
    text = f"{value.value:.{digits}f}".replace("-", MINUS)
    return text if value.half_width is None else f"{text} ± {value.half_width:.{digits}f}"


def _plain(value: Interval | None) -> dict[str, Any] | None:
    """Give a measure as plain data."""
    from sim.statistics.estimate import round_off

    if value is None:
        return None
    return {"value": round_off(value.value), "half_width": round_off(value.half_width), "count": value.count}


def make_solve_report(system: RatingSystem, answer: Answer) -> Report:
    """Report on a wish.

    Parameters
    ----------
    system
        The system that was asked about.
    answer
        The answer.
    """
    from sim.ladder.solver import BOUNDS
    from sim.statistics.tables import NOTHING
    from sim.statistics.tables import Grid as Table

    wish, name = answer.wish, answer.parameter
    known = _by_formula(system, answer)
    rows = []
    for key, label, trial in (
        ("fast", f"fast enough: at least {name}", answer.fast),
        ("quiet", f"quiet enough: at most {name}", answer.quiet),
    ):
        cells = [NOTHING] * 3
        if trial is not None:
            beyond = {"fast": "≤ ", "quiet": "≥ "}[key] if answer.is_bound(trial) else ""
            cells = [f"{beyond}{answer.value_of(trial):.3g}", f"{trial.error:.1f}", f"{trial.noise:.1f}"]
        rows.append((label, *cells, *([f"{known[key]:.3g}"] if known else [])))
    if answer.provisional is not None:
        values = answer.provisional.system.model_dump()
        cell = f"{values['k']:.3g} (first {values['k_provisional']:.3g})"
        numbers = (f"{answer.provisional.error:.1f}", f"{answer.provisional.noise:.1f}")
        rows.append(("both, with a provisional K", cell, *numbers, *([NOTHING] if known else [])))
    head = ("", name, f"error after {wish.games}", "noise", *([f"{name} by formula"] if known else []))
    notes = _verdict(answer)
    if known:
        notes.append(
            "by formula: half-life 481.6/K games and noise √(48.25 K) at scale 400; that is for small errors and small"
            " K, while large errors fall more slowly"
        )
    low, high = BOUNDS[system.system]
    notes.append(
        f"simulated against three fixed opponents, all places distinct, {name} from {low:g} to {high:g}; on a whole"
        " ladder opponents move too, which is noisier"
    )
    title = (
        f"{system.label}: a newcomer {wish.offset:g} points off should settle in {wish.games} games (mean error at most"
        f" {wish.within:g}) with noise of at most {wish.noise:g}"
    )
    report = Report(title, [Table("What it takes", head, tuple(rows))], notes)
    trials = {"fast": answer.fast, "quiet": answer.quiet, "provisional": answer.provisional}
    report.data = {
        "system": system.system,
        "parameter": name,
        "wish": {"off": wish.offset, "games": wish.games, "noise": wish.noise, "within": wish.within},
        "possible": answer.is_possible,
        "by_formula": known or None,
        **{
            what: None if trial is None else {**_plain_trial(trial), "is_bound": answer.is_bound(trial)}
            for what, trial in trials.items()
        },
    }
    report.records = [
        {
            "what": what,
            "system": trial.system.label,
            name: answer.value_of(trial),
            "is_bound": answer.is_bound(trial),
            "error": trial.error,
            "noise": trial.noise,
        }
        for what, trial in trials.items()
        if trial is not None
    ]
    return report


def _by_formula(system: RatingSystem, answer: Answer) -> dict[str, float]:
    """Give the K that formulas ask for; nothing for other systems."""
    from sim.ladder.solver import elo_k_for_noise, elo_k_for_speed
    from sim.ladder.systems import Elo

    if not isinstance(system, Elo):
        return {}
    wish = answer.wish
    return {
        "fast": elo_k_for_speed(abs(wish.offset), wish.games, wish.within, system.scale),
        "quiet": elo_k_for_noise(wish.noise, system.scale),
    }


def _verdict(answer: Answer) -> list[str]:
    """Say whether the wish can be fulfilled, and how."""
    from sim.ladder.solver import BOUNDS

    wish, name, fast, quiet = answer.wish, answer.parameter, answer.fast, answer.quiet

    def least(trial: Trial) -> str:
        """Write the least value that is fast enough."""
        words = " (the least that is looked at; less may do)" if answer.is_bound(trial) else ""
        return f"{answer.value_of(trial):.3g}{words}"

    def most(trial: Trial) -> str:
        """Write the largest value that is quiet enough."""
        words = " (the most that is looked at; more may do)" if answer.is_bound(trial) else ""
        return f"{answer.value_of(trial):.3g}{words}"

    if answer.is_possible and fast is not None and quiet is not None:
        return [f"possible: {name} from {least(fast)} to {most(quiet)}"]
    low, high = BOUNDS[answer.system]
    words = []
    if fast is not None:
        words.append(f"with the least {name} that is fast enough, {least(fast)}, the noise is {fast.noise:.0f}")
    else:
        words.append(
            f"whatever {name} from {low:g} to {high:g}, the error after {wish.games} games is more than {wish.within:g}"
        )
    if quiet is not None:
        words.append(
            f"with the largest that is quiet enough, {most(quiet)}, the error after {wish.games} games is"
            f" {quiet.error:.0f}"
        )
    else:
        words.append(f"whatever {name} from {low:g} to {high:g}, the noise is more than {wish.noise:g}")
    notes = [f"impossible with one {name}: {'; '.join(words)}"]
    if answer.provisional is not None:
        values = answer.provisional.system.model_dump()
        notes.append(
            f"possible with a provisional K: k = {values['k']:.3g} and k_provisional = {values['k_provisional']:.3g} in"
            f" the first {values['provisional_games']:g} games (error {answer.provisional.error:.1f}, noise"
            f" {answer.provisional.noise:.1f})"
        )
    elif answer.parameter == "k":
        notes.append("impossible with a provisional K too")
    return notes


def _plain_trial(trial: Trial) -> dict[str, Any]:
    """Give a trial as plain data."""
    from sim.statistics.estimate import round_off

    return {
        "parameters": {key: round_off(value) for key, value in trial.system.model_dump().items()},
        "error": round_off(trial.error),
        "noise": round_off(trial.noise),
    }
