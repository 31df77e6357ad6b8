"""The reference is worth something only as long as it does not lean on what it checks."""

from __future__ import annotations

import ast
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "reference"
PLAIN = {"__future__", "collections", "dataclasses", "functools", "itertools", "random", "typing"}


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found.add(node.module or "")
    return found


def test_the_reference_imports_nothing_but_the_preset_models_and_plain_python() -> None:
    modules = sorted(FOLDER.glob("*.py"))
    assert len(modules) > 5
    for path in modules:
        foreign = {
            name
            for name in imports_of(path)
            if name != "sim.rules" and not name.startswith("tests.reference.") and name.split(".")[0] not in PLAIN
        }
        assert not foreign, f"{path.name} imports {foreign}"
