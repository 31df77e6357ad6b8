"""Files that are whole or not there at all."""

from __future__ import annotations

import errno
import hashlib
import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ResultsError

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


def is_disk_full(error: BaseException) -> bool:
    """Tell whether an error means that there is no room on the disk.

    Parameters
    ----------
    error
        What was raised. Polars has no number in its errors, only the system's words.
    """
    numbers = (errno.ENOSPC, errno.EDQUOT)
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in numbers
    is_other = isinstance(error, OSError) or type(error).__module__.startswith("polars.")
    return is_other and any(f"(os error {number})" in str(error) for number in numbers)


def disk_full(folder: Path) -> ResultsError:
    """Make the error that says that the disk is full, and how to go on.

    Parameters
    ----------
    folder
        The run folder.
    """
    again = f"bloodbattle resume {shlex.quote(str(folder))}"
    return ResultsError(f"{folder}: the disk is full; finished chunks are kept; free some space, then: {again}")


@contextmanager
def telling_disk_full(folder: Path) -> Iterator[None]:
    """Say in our words that the disk is full, wherever that is noticed.

    Parameters
    ----------
    folder
        The run folder.

    Raises
    ------
    ResultsError
        The disk is full.
    """
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise disk_full(folder) from None
        raise
