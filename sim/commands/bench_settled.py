"""What a cell costs that is settled again from its reference's decisions, beside one that is played."""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sim.api import run
from sim.tournament.experiment import Experiment

PRESET: Final = "mahjong-planet"
PLAYERS: Final = "ukeire"
_CELLS: Final = 10


@dataclass(frozen=True)
class Cost:
    """What a deal of a kind of cell costs."""

    what: str
    """Which cell."""
    microseconds: float
    """Processor time of a deal, sums included."""
    to_played: float
    """The same over that of a played cell."""


def time_settled(seconds: float, rounds: int = 3) -> list[Cost]:
    """Time runs with one cell and with ten more of each kind, in turns, in processor time of one thread.

    Parameters
    ----------
    seconds
        How long each kind is timed, in seconds, about.
    rounds
        How often; the best of each counts.

    Returns
    -------
    list of Cost
        A played cell alone, one that is tied to a reference, and one settled again.
    """
    caps = list(range(5, 5 + _CELLS))  # with the preset's own cap of 3 all settle otherwise now and then
    alone = {"presets": [PRESET]}
    played = {"presets": [PRESET, *({"preset": PRESET, "set": {"fan.cap": cap}, "name": f"{cap}"} for cap in caps)]}
    settled = {"presets": [PRESET], "design": {"knobs": {"fan.cap": caps}}}
    walls = 4_000
    while (spent := _time(alone, walls)) * rounds * (1 + _CELLS) < seconds:
        walls = round(walls * min(8.0, max(1.5, seconds / rounds / (1 + _CELLS) / spent)))
    best = [min(times) for times in zip(*([_time(kind, walls) for kind in (alone, played, settled)]
                                          for _ in range(rounds)), strict=True)]  # fmt: skip
    each = [best[0] / walls, (best[1] - best[0]) / _CELLS / walls, (best[2] - best[0]) / _CELLS / walls]
    names = (
        "a cell played alone",
        f"each of {_CELLS} more cells, played",
        f"each of {_CELLS} more cells, settled again",
    )
    return [Cost(name, 1e6 * cost, cost / each[1]) for name, cost in zip(names, each, strict=True)]


def _time(kind: dict[str, Any], walls: int) -> float:
    """Play a run and give its processor time, in seconds."""
    experiment = Experiment(name="bench", walls=walls, rows=False, line_ups=[{"strategies": [PLAYERS]}], **kind)
    with tempfile.TemporaryDirectory(prefix="bloodbattle-") as folder:
        started = time.process_time()
        run(experiment, out=Path(folder) / "run", workers=1, progress=False)
        return time.process_time() - started
