"""`kernel`, `inlined` and `driver` of `sim.jit`, with the machine code in a folder named by the ladder's sources.

So an edit of a kernel here compiles the ladder again and not the engine, and nothing stale is ever used.
"""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from sim import jit

F = TypeVar("F", bound=Callable[..., Any])

Floats3 = Annotated[npt.NDArray[np.float64], 3]
"""A three-dimensional array of float64."""


_DECORATED: Final = re.compile(rb"^@(kernel|inlined|driver|record)\b", re.MULTILINE)
_IMPORTED: Final = re.compile(rb"^from (sim\.ladder[\w.]*) import", re.MULTILINE)


def digest_of_sources() -> str:
    """Return a digest of the names and contents of all files with kernels of the ladder, and of those they import."""
    package = Path(__file__).parent
    paths = [path.relative_to(package) for path in package.rglob("*.py")]
    sources = {".".join(("sim.ladder", *path.with_suffix("").parts)): (package / path).read_bytes() for path in paths}
    found = {name for name, text in sources.items() if _DECORATED.search(text)}
    left = sorted(found)
    while left:
        imported = {name.decode() for name in _IMPORTED.findall(sources[left.pop()])}
        new = (imported & sources.keys()) - found
        found |= new
        left += sorted(new)
    digest = hashlib.sha256()
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + sources[name] + b"\0")
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
