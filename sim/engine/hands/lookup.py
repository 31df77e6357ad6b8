"""The suit tables, kept in one record that is built once and mapped into memory afterwards.

A suit's key stands for its suit vector (`sim.engine.hands.hand.Hand.keys`). The ten distances of a suit vector
(`sim.engine.hands.build`) take only 126 different values, its *class*, and one more class stands for what no hand can
hold. A table by key gives the class, another one by the classes of two suits what both lack: three loads in all. There
is no table of useful tiles: asking for the class with each rank added is as fast, and leaves the caches alone.
"""

import contextlib
import functools
import hashlib
import os
import secrets
from typing import Annotated

import numpy as np
import numpy.typing as npt

from sim.engine.hands.build import NEVER, RANKS, TARGETS, combine_distances, list_group_ways, measure_distances
from sim.jit import CACHE, Bytes, Records, new, record

SUIT_KEYS = 5**RANKS
"""Keys of a suit are below this."""
CLASSES = 126
"""Different distances of suit vectors; the class of this number stands for vectors that no hand can hold."""
_DIGEST_SIZE = 64


@record
class Lookup:
    """All tables of the hand mathematics."""

    classes: Annotated[Bytes, SUIT_KEYS + 5 ** (RANKS - 1)]
    """Class of each key. A tile may be added to any key without leaving the table; a fifth copy gives nonsense."""
    lacking: Annotated[Bytes, 5, CLASSES + 2, CLASSES + 2]
    """Fewest tiles to add for a standard hand, by number of melds and the classes of the two suits that count."""
    ways: Annotated[Bytes, SUIT_KEYS]
    """Ways in which the tiles of a key are groups and nothing else (bits of `sim.engine.hands.build`), 0 if they are
    not."""


def build_lookup() -> Records[Lookup]:
    """Make the tables.

    Returns
    -------
    numpy.recarray, shape (1,)
        The tables; the same on every machine.
    """
    tables = new(Lookup)
    lookup = tables[0]
    keys, distances = measure_distances()
    packed = np.zeros(len(keys), dtype=np.int64)
    for target in range(TARGETS):
        packed |= distances[target].astype(np.int64) << (4 * target)
    _, first, classes = np.unique(packed, return_index=True, return_inverse=True)
    lookup.classes[:] = CLASSES
    lookup.classes[keys] = classes
    by_class = np.full((TARGETS, CLASSES + 2), NEVER, dtype=np.uint8)
    by_class[:, :CLASSES] = distances[:, first]
    lookup.lacking[:] = combine_distances(by_class)
    for key, ways in list_group_ways().items():
        lookup.ways[key] = ways
    return tables  # type: ignore[no-any-return]


@functools.cache
def load_lookup() -> Records[Lookup]:
    """Return the tables, mapped from the cache folder, where they are put first if they are not there or damaged.

    Concurrent first calls of several processes are safe: each puts a whole file in place.

    Returns
    -------
    numpy.recarray, shape (1,)
        Kernels take it as ``Records[Lookup]``. Without a folder to write to it lives in this process only.
    """
    path = CACHE / "suits.tables"
    found = _map_tables(str(path))
    if found is not None:
        return found
    tables = build_lookup()
    content = np.asarray(tables).tobytes()
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(_digest(content) + content)
        os.replace(draft, path)  # noqa: PTH105 - the one call that is atomic on every system
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        return tables
    found = _map_tables(str(path))
    return tables if found is None else found


def _map_tables(path: str) -> Records[Lookup] | None:
    """Return the tables in a file, or None if it is not there or not whole."""
    layout: np.dtype[np.void] = Lookup.dtype  # type: ignore[attr-defined]
    try:
        if os.path.getsize(path) != _DIGEST_SIZE + layout.itemsize:  # noqa: PTH202
            return None
        # Copy-on-write, since kernels are compiled for arrays that may be written to.
        content: npt.NDArray[np.uint8] = np.memmap(path, dtype=np.uint8, mode="c")
    except OSError:
        return None
    if _digest(content[_DIGEST_SIZE:].data) != content[:_DIGEST_SIZE].tobytes():
        return None
    return content[_DIGEST_SIZE:].view(layout).view(np.recarray)


def _digest(content: bytes | memoryview) -> bytes:
    """Return what tells a whole file from a damaged one, 64 bytes."""
    return hashlib.blake2b(content).digest()
