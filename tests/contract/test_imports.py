"""Imports point one way: data flows from presets to reports and never back."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LAYERS = (
    ("sim.jit", "sim.errors", "sim.tiles"),
    ("sim.rng",),
    ("sim.engine.hands",),
    ("sim.engine.sichuan",),
    ("sim.rules", "strategies", "configs"),
    ("sim.tournament",),
    ("sim.statistics",),
    ("sim.ladder",),
    ("sim.api",),
    ("reports",),
    ("sim.commands",),
    ("sim.cli",),
    ("sim.start",),
)
"""From the bottom: a module imports from its own layer's package and from those above it in this list only."""


def layer_of(module: str) -> int | None:
    for number, names in enumerate(LAYERS):
        if any(module == name or module.startswith(f"{name}.") for name in names):
            return number
    return None


def modules() -> list[tuple[str, Path]]:
    found = []
    for folder in ("sim", "strategies", "reports"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found.append((name.removesuffix(".__init__"), path))
    return found


def is_module(name: str) -> bool:
    return (ROOT / "sim" / f"{name}.py").exists() or (ROOT / "sim" / name).is_dir()


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            if node.module == "sim":  # a module of the package, or one of its public names
                names.update(f"sim.{alias.name}" if is_module(alias.name) else "sim" for alias in node.names)
            else:
                names.add(node.module)
    return {name for name in names if name.split(".")[0] in ("sim", "strategies", "reports", "configs", "tests")}


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: value if isinstance(value, str) else "")
def test_imports_point_down(module: str, path: Path) -> None:
    own = layer_of(module)
    if own is None:
        assert module in ("sim", "sim.engine"), f"{module} has no layer"
        return
    for name in imports_of(path):
        other = layer_of(name)
        if name == "sim":  # the public names, for whoever stands above them
            other = layer_of("sim.api")
        assert other is not None, f"{module} imports {name}"
        assert other <= own, f"{module} imports {name}, which stands above it"


@pytest.mark.parametrize("light", ["sim", "sim.errors", "sim.tiles", "sim.rules", "strategies.registry", "sim.cli"])
def test_light_modules_stay_light(light: str) -> None:
    """Help, presets and names are answered without loading what plays deals."""
    heavy = "{'numba', 'numpy', 'polars', 'pandas', 'scipy', 'matplotlib'}"
    code = f"import sys, {light}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_engine_knows_no_words() -> None:
    """The engine knows nothing of presets, strategies, files or people: no preset's name stands in it."""
    for path in (ROOT / "sim" / "engine").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in ("mahjong-planet", "mahjongo", "cardavia", "ukeire.py", "open("):
            assert name not in text, f"{path} names {name}"
