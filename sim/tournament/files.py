"""Files that are whole or not there at all."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEMPORARY: Final = ".part"
"""What the name of a file ends in while it is being written."""


@contextmanager
def replacing(path: Path) -> Iterator[Any]:
    """Write a file beside its place, then put it there in one step once all of it is on the disk.

    Parameters
    ----------
    path
        Its place; the folder is made if it is missing.
    """
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def checksum(path: Path) -> str:
    """Give the SHA-256 of a file, 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
