"""What run folders of all kinds share: a plan that never changes, a lock, files that are whole or not there."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from sim.errors import ConfigError, ResultsError
from sim.tournament.files import TEMPORARY, replacing
from sim.tournament.plan import AnyPlan, differences, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

P = TypeVar("P", bound=AnyPlan)
PLAN: Final = "plan.json"
TIMINGS: Final = "timings.jsonl"
LOCK: Final = ".lock"


class Folder(Generic[P]):
    """A folder with a plan and what came of it.

    Parameters
    ----------
    path
        The folder.
    plan
        Its plan.
    """

    def __init__(self, path: Path, plan: P) -> None:
        self.path = path
        self.plan = plan

    @classmethod
    def read_plan(cls, text: bytes, where: str) -> P:
        """Read a plan of this kind.

        Parameters
        ----------
        text
            The bytes of `plan.json`.
        where
            The file, for messages.
        """
        raise NotImplementedError

    @classmethod
    def refuse_too_large(cls, folder: Path, plan: P) -> None:
        """Refuse what the disk cannot hold.

        Parameters
        ----------
        folder
            Where it would be.
        plan
            The plan.
        """
        raise NotImplementedError

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a run folder to read it or to go on with it.

        Parameters
        ----------
        path
            The folder.

        Raises
        ------
        ResultsError
            There is none, or its plan is damaged.
        """
        folder = Path(path)
        file = folder / PLAN
        try:
            text = file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            what = "no run folder (it has no plan.json)" if folder.is_dir() else "there is no such run folder"
            raise ResultsError(f"{folder}: {what}{_known_runs(folder)}") from None
        except OSError as error:
            raise ResultsError(f"{file}: cannot be read: {error.strerror}") from None
        return cls(folder, cls.read_plan(text, str(file)))

    @classmethod
    def create(cls, path: str | Path, plan: P) -> Self:
        """Make a run folder, or open the one that has this very plan.

        Parameters
        ----------
        path
            The folder.
        plan
            The plan.

        Raises
        ------
        ResultsError
            The folder holds a run of another plan, or something else.
        ConfigError
            The folder cannot be made, or the disk cannot hold the run.
        """
        folder = Path(path)
        if (folder / PLAN).exists():
            found = cls.open(folder)
            found.refuse_other(plan)
            return found
        if folder.exists() and not _is_free(folder):
            raise ResultsError(f"{folder}: already there, and not a run folder; choose another one with --out")
        cls.refuse_too_large(folder, plan)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            run = cls(folder, plan)
            run.write(PLAN, plan.text)
        except OSError as error:
            raise ConfigError(f"{folder}: the run folder cannot be made: {error.strerror}") from None
        return run

    def refuse_other(self, plan: P) -> None:
        """Refuse to go on with a plan that is not this folder's.

        Parameters
        ----------
        plan
            The plan as this version of everything would make it.

        Raises
        ------
        ResultsError
            It differs; the message says how.
        """
        if self.plan.hash != plan.hash:
            lines = "\n".join(f"  {line}" for line in differences(self.plan, plan))
            raise ResultsError(
                f"{self.path}: holds a run of another plan, so nothing is added to it (there, against now):\n{lines}"
            )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes from playing the same run at the same time.

        Raises
        ------
        ResultsError
            Another process does.
        """
        try:
            lock = (self.path / LOCK).open("a+b")
        except OSError as error:
            raise ResultsError(f"{self.path}: cannot be written: {error.strerror}") from None
        with lock as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                process = file.read(20).decode("ascii", "replace").strip()
                raise ResultsError(f"{self.path}: another process is playing this run: process {process}") from None
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode("ascii"))
            file.flush()
            yield

    def write(self, name: str, text: bytes) -> None:
        """Write a file whole or not at all.

        Parameters
        ----------
        name
            Its name in the folder.
        text
            Its bytes.
        """
        with replacing(self.path / name) as file:
            file.write(text)

    def note(self, data: Mapping[str, Any]) -> None:
        """Add a line to the timings; nothing depends on them.

        Parameters
        ----------
        data
            Plain data.
        """
        with suppress(OSError), (self.path / TIMINGS).open("ab") as file:
            file.write(to_json(data))


def _is_free(folder: Path) -> bool:
    """Tell whether a path is a folder with nothing in it but what an earlier start has left half-written."""
    return folder.is_dir() and all(path.name.endswith(TEMPORARY) for path in folder.iterdir())


def _known_runs(folder: Path) -> str:
    """Name the run folders beside one that is not there."""
    from sim.rules.words import did_you_mean  # noqa: PLC0415 - only needed here

    parent = folder.parent
    names = sorted(path.parent.name for path in parent.glob(f"*/{PLAN}")) if parent.is_dir() else []
    return did_you_mean(folder.name, names)
