"""`kernel`, `inlined` and `driver` of `sim.jit`, with the machine code in a folder named by the sources of the ladder.

So an edit in this package compiles the ladder again and not the engine, and nothing stale is ever used.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sim import jit

F = TypeVar("F", bound=Callable[..., Any])


def digest_of_sources() -> str:
    """Return a digest of the names and contents of all files of the ladder and its rating systems."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


LADDER_CACHE = jit.CACHE / "ladder" / digest_of_sources()


def kernel(function: F) -> F:
    """Compile a function with the signature of its annotations."""
    with jit.cached_in(LADDER_CACHE):
        return jit.kernel(function)


def inlined(function: F) -> F:
    """Compile a small or hot function, and put its code into every caller."""
    with jit.cached_in(LADDER_CACHE):
        return jit.inlined(function)


def driver(function: F) -> F:
    """Compile a function that is called from Python and runs for long: it lets other threads run."""
    with jit.cached_in(LADDER_CACHE):
        return jit.driver(function)
