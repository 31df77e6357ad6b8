"""Kernels say what they do with each parameter, in the order of their signature."""

from __future__ import annotations

import importlib
import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
USES = ("read", "changed", "filled")


def kernels() -> list[Any]:
    found = {}
    for path in sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "strategies").glob("*.py")]):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^@(kernel|inlined|driver|helper|inlined_helper)$", text, flags=re.MULTILINE):
            continue
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name in re.findall(
            r"^@(?:kernel|inlined|driver|helper|inlined_helper)\ndef (\w+)\(", text, flags=re.MULTILINE
        ):
            function = getattr(module, name)
            found[f"{module.__name__}.{name}"] = getattr(function, "py_func", function)
    return [pytest.param(function, id=name) for name, function in found.items()]


KERNELS = kernels()


def test_there_are_kernels() -> None:
    assert len(KERNELS) > 60


def test_kernels_of_the_ladder_are_in_the_interpreted_run() -> None:
    """Its modules are listed one by one; a new one with kernels is not to be left out of what is measured."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    measured = settings["tool"]["coverage"]["run"]["source_pkgs"]
    modules = {param.id.rpartition(".")[0] for param in KERNELS if param.id.startswith("sim.ladder.")}
    assert not [name for name in modules if not any(f"{name}.".startswith(f"{one}.") for one in measured)]
    for name in measured:
        importlib.import_module(name)


@pytest.mark.parametrize("function", KERNELS)
def test_docstring_lists_every_parameter(function: Any) -> None:
    text = inspect.getdoc(function)
    assert text, f"{function.__name__} has no docstring"
    parameters = list(inspect.signature(function).parameters)
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n[A-Z][a-z]+\n-+|\Z)", text, flags=re.DOTALL)
    if not parameters:
        return
    assert section, f"{function.__name__} has no section of parameters"
    entries = re.findall(r"^(\w+) : (.+), (\w+)$", section.group(1), flags=re.MULTILINE)
    assert [name for name, _, _ in entries] == parameters
    for name, _, use in entries:
        assert use in USES, f"{function.__name__}: {name} is {use}; allowed: {USES}"


@pytest.mark.parametrize("function", KERNELS)
def test_what_is_changed_is_said(function: Any) -> None:
    """A record whose fields are assigned to is not called read."""
    text = inspect.getdoc(function) or ""
    source = inspect.getsource(function)
    for name, use in re.findall(r"^(\w+) : .+, (\w+)$", text, flags=re.MULTILINE):
        assigned = re.search(rf"^\s+{name}(\.\w+|\[[^\]]+\])+ (\+|-|\||&)?=[^=]", source, flags=re.MULTILINE)
        if assigned:
            assert use in ("changed", "filled"), f"{function.__name__} assigns to {name}, which it calls {use}"
