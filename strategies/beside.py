"""Files that a strategy's file imports from its own folder: which they are, their digest, and loading them fresh.

Python keeps imported modules for as long as it runs, and their byte code for as long as second and size of the file are
the same. Neither may serve an edited file as it was, so these files are read here, once, and run from what was read.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.errors import StrategyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from types import CodeType, ModuleType

_NEVER = {*sys.stdlib_module_names, "sim", "strategies"}
"""Names that mean the same wherever a file stands."""


@dataclass(frozen=True)
class Own:
    """One module of a strategy's folder."""

    path: Path
    """Its file; of a package its `__init__.py`, or its folder if that has none."""
    content: bytes | None
    """What stood in the file; None for a folder."""

    @property
    def is_package(self) -> bool:
        """Whether modules can stand in it."""
        return self.content is None or self.path.name == "__init__.py"


def find_own_imports(source: Path) -> dict[str, Own]:
    """Find all modules of its folder that a strategy's file imports, or that one of these imports, and so on.

    Parameters
    ----------
    source : Path
        The file.

    Returns
    -------
    dict of str to Own
        By dotted name, in order of name. Names of the standard library, `sim` and `strategies` are never among them.

    Raises
    ------
    StrategyError
        One is imported inside a function, where an edit would go unnoticed, or cannot be read.

    Notes
    -----
    They are found in the syntax tree. What is imported by name at run time (`importlib`) is not found.
    """
    found: dict[str, Own] = {}
    waiting: list[tuple[Path, bytes, str]] = [(source, source.read_bytes(), "")]
    while waiting:
        path, content, package = waiting.pop()
        for name in _names_imported(path, content, package, source):
            own = None if name in found or name.partition(".")[0] in _NEVER else _find(name, source.parent)
            if own is None or own.path == source:
                continue
            found[name] = own
            if own.content is not None:
                waiting.append((own.path, own.content, name if own.is_package else name.rpartition(".")[0]))
    return dict(sorted(found.items()))


def _names_imported(path: Path, content: bytes, package: str, source: Path) -> Iterator[str]:
    """Yield the dotted name of everything that a file may import, packages before what is in them."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return  # running it tells of this
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join(filter(None, [*parents, node.module or ""]))
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)] if base else []
        for name in names:
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                part = ".".join(parts[:length])
                if id(node) in inside and parts[0] not in _NEVER and _find(part, source.parent) is not None:
                    raise StrategyError(
                        f"{path}:{getattr(node, 'lineno', 1)}: {part} stands in the strategy's folder and is imported"
                        " inside a function; allowed: at the top of the file, so that no edit goes unnoticed"
                    )
                yield part


def _find(name: str, folder: Path) -> Own | None:
    """Return the module of a dotted name, if it stands in a folder."""
    place = folder.joinpath(*name.split("."))
    for path in (place / "__init__.py", place.with_name(f"{place.name}.py")):
        if path.is_file():
            try:
                return Own(path, path.read_bytes())
            except OSError as error:
                raise StrategyError(f"{path}: cannot be read: {error.strerror}") from None
    return Own(place, None) if place.is_dir() and any(place.rglob("*.py")) else None


def digest_with(digest: str, own: Mapping[str, Own]) -> str:
    """Return the digest of a file and of what it imports from its folder.

    Parameters
    ----------
    digest : str
        Digest of the file.
    own : dict of str to Own
        What it imports.

    Returns
    -------
    str
        Sixteen hexadecimal digits; the file's own if it imports nothing.
    """
    if not own:
        return digest
    made = hashlib.sha256(digest.encode())
    for name, module in own.items():
        content = module.content or b""
        made.update(f"{name}\0{module.path.name}\0{len(content)}\0".encode() + content)
    return made.hexdigest()[:16]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds these modules and no others."""

    def __init__(self, own: Mapping[str, Own]) -> None:
        self.own = own

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Say how a module is loaded."""
        own = self.own.get(fullname)
        if own is None:
            return None
        folder = str(own.path if own.content is None else own.path.parent)
        places = [folder] if own.is_package else None
        if own.content is None:
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = places
            return spec
        loader = _Loader(fullname, str(own.path), own.content)
        return importlib.util.spec_from_file_location(
            fullname, own.path, loader=loader, submodule_search_locations=places
        )


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs what was read, and neither reads nor writes byte code."""

    def __init__(self, fullname: str, path: str, content: bytes) -> None:
        super().__init__(fullname, path)
        self.content = content

    def get_code(self, _fullname: str) -> CodeType:
        """Compile what was read."""
        code: CodeType = compile(self.content, self.path, "exec", dont_inherit=True)
        return code


@contextlib.contextmanager
def importable(own: Mapping[str, Own], name: str) -> Iterator[dict[str, ModuleType]]:
    """Let what is run in this block import these modules, fresh; nobody else ever sees them.

    Parameters
    ----------
    own : dict of str to Own
        The modules, by dotted name.
    name : str
        Name of the strategy's module, under which they are known afterwards.

    Yields
    ------
    dict of str to module
        Filled at the end of the block: those that were imported, by dotted name.
    """
    loaded: dict[str, ModuleType] = {}
    tops = {dotted.partition(".")[0] for dotted in own}
    hidden = {known: module for known, module in sys.modules.items() if known.partition(".")[0] in tops}
    for known in hidden:
        del sys.modules[known]
    finder = _Finder(own)
    sys.meta_path.insert(0, finder)
    try:
        yield loaded
    finally:
        sys.meta_path.remove(finder)
        for known in [known for known in sys.modules if known.partition(".")[0] in tops]:
            module = sys.modules.pop(known)
            if known in own:
                loaded[known] = module
                sys.modules[f"{name}.{known}"] = module
        sys.modules.update(hidden)
