"""`kernel`, `inlined` and `driver` of `sim.jit`, with the machine code in a folder named by this package's sources.

So an edited rating system compiles this package again and not the engine, and nothing stale is ever used.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
import numpy.typing as npt

from sim import jit

F = TypeVar("F", bound=Callable[..., Any])

Floats3 = Annotated[npt.NDArray[np.float64], 3]
"""A three-dimensional array of float64."""


def digest_of_sources() -> str:
    """Return a digest of the names and contents of this package's files."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


RATINGS_CACHE = jit.CACHE / "ratings" / digest_of_sources()


def kernel(function: F) -> F:
    """Compile a function with the signature of its annotations."""
    with jit.cached_in(RATINGS_CACHE):
        return jit.kernel(function)


def inlined(function: F) -> F:
    """Compile a small or hot function, and put its code into every caller."""
    with jit.cached_in(RATINGS_CACHE):
        return jit.inlined(function)


def driver(function: F) -> F:
    """Compile a function that is called from Python and runs for long: it lets other threads run."""
    with jit.cached_in(RATINGS_CACHE):
        return jit.driver(function)
