"""What a strategy's file declares besides its choices: numbers that it leaves open, and whether it is rule-blind."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

from sim.errors import StrategyError
from strategies.references import show_value
from strategies.sources import find_source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strategies.references import Reference

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


def read_parameters(module: object, source: Path) -> tuple[Parameter, ...]:
    """Return the parameters that a file or a class declares, checked.

    Parameters
    ----------
    module : module or type
        What declares them.
    source : Path
        The file.
    """
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


def read_rule_blind(module: object, source: Path) -> bool:
    """Tell whether a file or a class declares that it looks at no settlement-only knob and at no points so far.

    Parameters
    ----------
    module : module or type
        What may declare it.
    source : Path
        The file.

    Raises
    ------
    StrategyError
        ``RULE_BLIND`` is something else than True or False.
    """
    declared: object = getattr(module, "RULE_BLIND", False)
    if not isinstance(declared, bool):
        raise StrategyError(f"{source}: RULE_BLIND is {declared!r}; allowed: True or False")
    return declared


def read_declared(source: Path) -> tuple[str, tuple[Parameter, ...]]:
    """Return what a native strategy's file says of itself, without running it, which may have to compile for long.

    Parameters
    ----------
    source : Path
        The file.

    Returns
    -------
    about : str
        First line of its docstring.
    declared : tuple of Parameter
        Its parameters.
    """
    tree = ast.parse(source.read_bytes())
    declared = {}
    for step in tree.body:
        if isinstance(step, ast.Assign) and ast.unparse(step.targets[0]) == "PARAMETERS":
            declared = ast.literal_eval(step.value)
    about = (ast.get_docstring(tree) or "").partition("\n")[0]
    return about, read_parameters(SimpleNamespace(PARAMETERS=declared), source)


def declares_rule_blind(reference: Reference) -> bool | None:
    """Tell whether a strategy's file says ``RULE_BLIND = True``, without running it.

    Parameters
    ----------
    reference : Reference
        How somebody names the strategy.

    Returns
    -------
    bool or None
        None if the file cannot be read any more.
    """
    source = reference.file if reference.name is None else find_source(reference.name)
    if source is None:
        return None
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    classes = [step for step in tree.body if isinstance(step, ast.ClassDef) and step.name == reference.entry]
    own = [step for one in classes for step in one.body if _is_declaration(step)]
    said = own or [step for step in tree.body if _is_declaration(step)]
    return bool(said) and ast.unparse(said[-1]).endswith("= True")


def _is_declaration(step: ast.stmt) -> bool:
    """Tell whether a line of a file says whether a strategy is rule-blind."""
    return isinstance(step, ast.Assign) and ast.unparse(step.targets[0]) == "RULE_BLIND"


def take_values(declared: Sequence[Parameter], reference: Reference) -> tuple[tuple[float, ...], str]:
    """Give each parameter its value.

    Parameters
    ----------
    declared : sequence of Parameter
        What a strategy declares.
    reference : Reference
        How somebody names it, with values for some of its parameters.

    Returns
    -------
    values : tuple of float
        A value for each.
    changed : str
        Those that are not the defaults, as ``name=value`` by commas.

    Raises
    ------
    StrategyError
        There is no such parameter, or a value is out of bounds.
    """
    places = {parameter.name: place for place, parameter in enumerate(declared)}
    values = [parameter.default for parameter in declared]
    for name, value in reference.values:
        if name not in places:
            close = difflib.get_close_matches(name, list(places), n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            there = ", ".join(places) or "none"
            raise StrategyError(f"strategy {reference.text!r}: no parameter {name!r}; there: {there}{hint}")
        parameter = declared[places[name]]
        if not parameter.low <= value <= parameter.high:
            raise StrategyError(
                f"strategy {reference.text!r}: {name} is {show_value(value)}; allowed: {show_value(parameter.low)} to"
                f" {show_value(parameter.high)} ({parameter.meaning})"
            )
        values[places[name]] = value
    changed = [
        f"{parameter.name}={show_value(value)}"
        for parameter, value in zip(declared, values, strict=True)
        if value != parameter.default
    ]
    return tuple(values), ",".join(changed)
