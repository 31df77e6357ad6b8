"""From a strategy's file to a `Strategy`: read it, run it, check it, compile its functions.

Not in here: which names there are (`strategies.sources`, `strategies.registry`).
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import strategies.opening  # noqa: F401 - compiles what strategies share before any strategy's file is run
from sim.errors import StrategyError
from strategies.compiling import compile_decision, compiled_for
from strategies.sources import DEFAULTS, digest_of, list_helpers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sim.engine.sichuan.decision import Decision
    from sim.jit import Floats

CHOICES = ("choose_exchange", "choose_void_suit", "choose_turn", "choose_claim")
"""The functions of a strategy, in the order of `Strategy.decisions`."""
ARGUMENTS = ["hand", "table", "rules", "lookup"]
MOST_PARAMETERS = 16


@dataclass(frozen=True)
class Parameter:
    """A number that a strategy leaves open."""

    name: str
    default: float
    low: float
    """Lowest value allowed."""
    high: float
    """Highest value allowed."""
    meaning: str


@dataclass(frozen=True)
class Strategy:
    """A strategy that is ready to play."""

    name: str
    about: str
    """First line of the file's docstring."""
    source: Path
    digest: str
    """Digest of all sources that decide what it does, the engine's aside: its file, the defaults, the helpers."""
    declared: tuple[Parameter, ...]
    """What it leaves open; the value of the one of index i is ``hand.parameters[i]``."""
    values: tuple[float, ...]
    """Value of each declared parameter."""
    choose_exchange: Decision
    choose_void_suit: Decision
    choose_turn: Decision
    choose_claim: Decision

    @property
    def decisions(self) -> tuple[Decision, Decision, Decision, Decision]:
        """The four functions in the order of `CHOICES`."""
        return self.choose_exchange, self.choose_void_suit, self.choose_turn, self.choose_claim

    @property
    def parameters(self) -> Floats:
        """What goes into `hand.parameters`: the values, and zeros up to sixteen."""
        return np.array([*self.values, *[0.0] * (MOST_PARAMETERS - len(self.values))])


def load_source(name: str, source: Path) -> Strategy:
    """Load a strategy from its file; what it does not define is taken from the defaults.

    Loading the same content again in a process gives the same functions. A loaded file is executed as Python.

    Parameters
    ----------
    name : str
        The name it goes by.
    source : Path
        Its file.

    Returns
    -------
    Strategy
        With compiled functions, or plain ones if nothing is compiled (``NUMBA_DISABLE_JIT=1``).

    Raises
    ------
    StrategyError
        If the file declares something else than it should.
    """
    module, choices = _link(source, digest_of([source]))
    missing = [choice for choice in CHOICES if choice not in choices]
    if missing:
        _, defaults = _link(DEFAULTS, digest_of([DEFAULTS]))
        choices = defaults | choices
    declared = _read_parameters(module, source)
    return Strategy(
        name=name,
        about=(module.__doc__ or "").strip().partition("\n")[0],
        source=source,
        digest=digest_of([*list_helpers(), source]),
        declared=declared,
        values=tuple(parameter.default for parameter in declared),
        **choices,
    )


@cache
def _link(source: Path, digest: str) -> tuple[ModuleType, dict[str, Decision]]:
    """Run a file and compile those of the four functions that it defines.

    The module's name holds the digest, since Numba names machine code by module and two versions of a file may meet in
    one process; it is registered, since Numba looks it up when it reads its cache.
    """
    module = ModuleType(f"strategies.linked.{source.stem}_{digest}")
    module.__file__ = str(source)
    sys.modules[module.__name__] = module
    with compiled_for(digest):
        exec(compile(source.read_bytes(), str(source), "exec"), module.__dict__)  # noqa: S102 - a strategy is code
    choices: dict[str, Decision] = {}
    for choice in CHOICES:
        function = getattr(module, choice, None)
        if function is not None:
            _check_function(choice, function, source)
            choices[choice] = compile_decision(function, digest)
    return module, choices


def _check_function(choice: str, function: Callable[..., Any], source: Path) -> None:
    """Refuse what is not a plain function of the four arguments."""
    expected = f"def {choice}({', '.join(ARGUMENTS)})"
    if not isinstance(function, FunctionType):
        message = f"{source}: {choice} is a {type(function).__name__}; it should be a plain function, {expected}"
        raise StrategyError(message)
    arguments = list(inspect.signature(function).parameters)
    if arguments != ARGUMENTS:
        line = function.__code__.co_firstlineno
        message = f"{source}:{line}: {choice} takes ({', '.join(arguments)}); it should be {expected}"
        raise StrategyError(message)


def _read_parameters(module: ModuleType, source: Path) -> tuple[Parameter, ...]:
    """Return the parameters that a file declares, checked."""
    declared = getattr(module, "PARAMETERS", {})
    form = '{"name": (default, low, high, "meaning")}'
    if not isinstance(declared, dict) or len(declared) > MOST_PARAMETERS:
        message = f"{source}: PARAMETERS should be a dict of at most {MOST_PARAMETERS} entries, {form}"
        raise StrategyError(message)
    parameters = []
    for name, entry in declared.items():
        try:
            default, low, high, meaning = entry
            parameter = Parameter(str(name), float(default), float(low), float(high), str(meaning))
        except (TypeError, ValueError) as error:
            message = f"{source}: parameter {name!r} is declared as {entry!r}; it should be {form}"
            raise StrategyError(message) from error
        if not parameter.low <= parameter.default <= parameter.high:
            message = f"{source}: parameter {name!r} has the default {default}, outside {low} to {high}"
            raise StrategyError(message)
        parameters.append(parameter)
    return tuple(parameters)
