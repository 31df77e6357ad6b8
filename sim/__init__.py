"""bloodbattle: a very fast tournament simulator for Sichuan Blood Battle mahjong.

The public names below are loaded when they are first used, so that ``import sim`` costs nothing.

>>> from sim import load_preset
>>> load_preset("mahjong-planet").fan.cap
3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sim.api import Result, open_run, resume, run
    from sim.errors import BloodBattleError
    from sim.ladder.file import LadderFile, load_ladder
    from sim.ladder.results import Ladder
    from sim.ladder.run import open_ladder, resume_ladder, run_ladder
    from sim.rules import Preset, available_presets, load_preset
    from sim.tournament.experiment import Experiment, load_experiment

__all__ = [
    "BloodBattleError",
    "Experiment",
    "Ladder",
    "LadderFile",
    "Preset",
    "Result",
    "__version__",
    "available_presets",
    "extend",
    "load_experiment",
    "load_ladder",
    "load_preset",
    "open_ladder",
    "open_run",
    "resume",
    "resume_ladder",
    "run",
    "run_ladder",
]

__version__: str

_HOMES: Final = {
    "BloodBattleError": "sim.errors",
    "Experiment": "sim.tournament.experiment",
    "Ladder": "sim.ladder.results",
    "LadderFile": "sim.ladder.file",
    "Preset": "sim.rules",
    "Result": "sim.api",
    "available_presets": "sim.rules",
    "extend": "sim.api",
    "load_experiment": "sim.tournament.experiment",
    "load_ladder": "sim.ladder.file",
    "load_preset": "sim.rules",
    "open_ladder": "sim.ladder.run",
    "open_run": "sim.api",
    "resume": "sim.api",
    "resume_ladder": "sim.ladder.run",
    "run": "sim.api",
    "run_ladder": "sim.ladder.run",
}
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - only needed here

        return version("bloodbattle")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
