"""Names in a strategy's file that are nearly those that the program looks for."""

from __future__ import annotations

import ast
import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CHOICES = ("choose_exchange", "choose_void_suit", "choose_turn", "choose_claim")
"""The functions of a strategy, in the order of `Strategy.decisions`."""
_NEAR = 0.8
"""How alike two names are, 0 to 1, of which one is taken for the other misspelt."""


def nearest_to(name: str, names: Iterable[str]) -> str:
    """Ask for the nearest spelling, to be put behind a message; empty if nothing is near.

    Parameters
    ----------
    name : str
        What came.
    names : iterable of str
        What there is.

    Examples
    --------
    >>> nearest_to("chose_turn", CHOICES)
    "; did you mean 'choose_turn'?"
    >>> nearest_to("x", CHOICES)
    ''
    """
    close = difflib.get_close_matches(name, list(names), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def find_misspelt(source: Path, tree: ast.Module, owner: str = "") -> str:
    """Find a function, or a method of a class, that is nearly one of the four and is not called in its file.

    It would never be asked, and the default play in its place, without a word.

    Parameters
    ----------
    source : Path
        The file.
    tree : ast.Module
        Its syntax tree.
    owner : str
        The class; empty for functions.

    Returns
    -------
    str
        What to say; empty if there is none.
    """
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    called |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in _body_of(tree, owner):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name in (*CHOICES, *called):
            continue
        if difflib.get_close_matches(node.name, CHOICES, n=1, cutoff=_NEAR) or node.name.startswith("choose_"):
            name = f"{owner}.{node.name}" if owner else node.name
            return (
                f"{source}:{node.lineno}: {name}: there is no such choice, and nothing calls it; there:"
                f" {', '.join(CHOICES)}{nearest_to(node.name, CHOICES)}"
            )
    return ""


def find_misspelt_methods(source: Path, tree: ast.Module) -> str:
    """Find a method of any class that is nearly one of the four; for a file in which no class chooses.

    Parameters
    ----------
    source : Path
        The file.
    tree : ast.Module
        Its syntax tree.

    Returns
    -------
    str
        What to say; empty if there is none.
    """
    owners = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return next((said for owner in owners if (said := find_misspelt(source, tree, owner))), "")


def line_of_name(source: Path, name: str, owner: str = "") -> str:
    """Return ``:line`` of where a global, or an attribute of a class, gets its value; empty if that is not seen.

    Parameters
    ----------
    source : Path
        The file.
    name : str
        The name.
    owner : str
        The class; empty for a global.
    """
    for node in _body_of(ast.parse(source.read_bytes()), owner):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(part, ast.Name) and part.id == name for target in targets for part in ast.walk(target)):
            return f":{node.lineno}"
    return ""


def _body_of(tree: ast.Module, owner: str) -> list[ast.stmt]:
    """Return the statements of a file, or of a class in it."""
    if not owner:
        return tree.body
    return [part for node in tree.body if isinstance(node, ast.ClassDef) and node.name == owner for part in node.body]
