"""Files that are whole or not there at all."""

from __future__ import annotations

import errno
import hashlib
import math
import os
import shlex
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ConfigError, ResultsError

if TYPE_CHECKING:
    from collections.abc import Iterator

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


class LineFile:
    """A file that grows line by line; a last line that was cut off does not count.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def lines(self) -> Iterator[bytes]:
        """Give the complete lines."""
        if self.path.exists():
            with self.path.open("rb") as stream:
                yield from (line for line in stream if line.endswith(b"\n"))

    def count(self) -> int:
        """Count the complete lines."""
        return sum(1 for _ in self.lines())

    def add(self, line: bytes) -> None:
        """Add a line, for good; if that fails, none of it stays.

        Parameters
        ----------
        line
            The line, with its newline.
        """
        before = self.path.stat().st_size if self.path.exists() else 0
        try:
            with self.path.open("ab") as stream:
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError:
            if self.path.exists():
                os.truncate(self.path, before)
            raise

    def drop_torn_line(self) -> bool:
        """Cut off a last line that was not written to its end.

        Returns
        -------
        bool
            Whether there was one.
        """
        if not self.path.exists():
            return False
        kept = sum(len(line) for line in self.lines())
        if kept == self.path.stat().st_size:
            return False
        with self.path.open("r+b") as stream:
            stream.truncate(kept)
            os.fsync(stream.fileno())
        return True


def fault_of(path: Path, size: int, digest: str, *, thoroughly: bool = True) -> str | None:
    """Say what is wrong with a file.

    Parameters
    ----------
    path
        The file.
    size
        Its bytes when it was written.
    digest
        Its checksum then.
    thoroughly
        Whether to read the file and compare its checksum, or only its size.

    Returns
    -------
    str or None
        What is wrong; None if nothing is.
    """
    try:
        found = path.stat().st_size
        if found != size:
            return f"has {found:,} bytes instead of {size:,}"
        if thoroughly and checksum(path) != digest:
            return "has other bytes than when it was written (its checksum differs)"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None


def show_bytes(count: float) -> str:
    """Write a size on disk, in the unit that fits.

    Parameters
    ----------
    count
        Bytes.

    Examples
    --------
    >>> [show_bytes(count) for count in (12_400, 3_456_789, 12_345_678_901, 5e12)]
    ['0.1 MB', '3.5 MB', '12.3 GB', '5.0 TB']
    """
    for unit, size in (("TB", 1e12), ("GB", 1e9)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{max(math.ceil(count / 1e5), 1) / 10:.1f} MB"


def refuse_full_disk(folder: Path, needed: float, what: str, advice: str) -> None:
    """Refuse what the disk cannot hold.

    Parameters
    ----------
    folder
        Where it would be.
    needed
        Bytes, roughly.
    what
        What needs them.
    advice
        What to do instead.

    Raises
    ------
    ConfigError
        It would not fit.
    """
    there = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path())
    free = shutil.disk_usage(there).free
    if needed > free:
        raise ConfigError(
            f"{folder}: {what} about {show_bytes(needed)}, and {show_bytes(free)} are free; {advice}, or choose another"
            " disk with --out"
        )
