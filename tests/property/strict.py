"""Records that refuse negative indices, for kernels that run as plain Python.

Both NumPy and compiled kernels count a negative index from the end, bounds checks or not: a kind or a seat that is NONE
(-1) and taken for an index goes unnoticed everywhere but here.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class StrictArray(np.ndarray):
    """An array without negative indices."""

    def __getitem__(self, index: Any) -> Any:
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_negative(index)
        super().__setitem__(index, value)


class StrictRecord(np.record):
    """A record whose fields are strict, nested records too."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value.view(StrictArray) if isinstance(value, np.ndarray) else value


def refuse_negative(index: Any) -> None:
    """Raise an error if any part of an index is a negative number."""
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, int | np.integer) and part < 0:
            raise IndexError(f"negative index {index}")


def strict(records: Any) -> Any:
    """Return the same records, strict."""
    return np.asarray(records).view(np.dtype((StrictRecord, records.dtype))).view(StrictArray)
