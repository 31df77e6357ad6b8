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
    from sim.rules import Preset, available_presets, load_preset
    from sim.tournament.experiment import Experiment, load_experiment

__all__ = [
    "BloodBattleError",
    "Experiment",
    "Preset",
    "Result",
    "__version__",
    "available_presets",
    "extend",
    "load_experiment",
    "load_preset",
    "open_run",
    "resume",
    "run",
]

__version__: str

_HOMES: Final = {
    "BloodBattleError": "sim.errors",
    "Experiment": "sim.tournament.experiment",
    "Preset": "sim.rules",
    "Result": "sim.api",
    "available_presets": "sim.rules",
    "extend": "sim.api",
    "load_experiment": "sim.tournament.experiment",
    "load_preset": "sim.rules",
    "open_run": "sim.api",
    "resume": "sim.api",
    "run": "sim.api",
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
