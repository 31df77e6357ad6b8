"""What run folders of all kinds share: a plan that never changes, a ledger, a lock, files whole or not there."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from sim.errors import ConfigError, ResultsError
from sim.tournament.checked import CheckedLedger, E
from sim.tournament.files import TEMPORARY, fault_of, replacing
from sim.tournament.plan import AnyPlan, differences, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

P = TypeVar("P", bound=AnyPlan)
PLAN: Final = "plan.json"
LEDGER: Final = "ledger.jsonl"
TIMINGS: Final = "timings.jsonl"
LOCK: Final = ".lock"


class Folder(Generic[P, E]):
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
        self.ledger = self.make_ledger(path / LEDGER, plan)

    @classmethod
    def make_ledger(cls, path: Path, plan: P) -> CheckedLedger[E]:
        """Make the ledger of a folder of this kind.

        Parameters
        ----------
        path
            The file; it need not exist yet.
        plan
            The plan.
        """
        raise NotImplementedError

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
    def refuse_taken(cls, folder: Path, plan: P) -> Self | None:
        """Refuse a folder that a plan cannot be played in; give the run if it is there already.

        Parameters
        ----------
        folder
            The folder.
        plan
            The plan.

        Raises
        ------
        ResultsError
            The folder holds a run of another plan, or something else.
        ConfigError
            The disk cannot hold the run.
        """
        if (folder / PLAN).exists():
            found = cls.open(folder)
            found.refuse_other(plan)
            return found
        if folder.exists() and not _is_free(folder):
            raise ResultsError(f"{folder}: already there, and not a run folder; choose another one with --out")
        cls.refuse_too_large(folder, plan)
        return None

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
        found = cls.refuse_taken(folder, plan)
        if found is not None:
            return found
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

    def fault(self, entry: E, kinds: Sequence[str] | None = None, *, thoroughly: bool = True) -> str | None:
        """Say which file of a finished part is missing or damaged, and how.

        Parameters
        ----------
        entry
            The part.
        kinds
            The kinds of files to look at; all when None.
        thoroughly
            Whether to read files and compare checksums, or only their sizes.

        Returns
        -------
        str or None
            File and fault; None if all is well.
        """
        for kind, facts in entry.files.items():
            if kinds is None or kind in kinds:
                path = self.path / facts["file"]
                found = fault_of(path, facts["size"], facts["sha256"], thoroughly=thoroughly)
                if found is not None:
                    return f"{path}: {found}"
        return None

    def refuse_damaged(self, entry: E, kinds: Sequence[str] | None = None, *, thoroughly: bool = True) -> None:
        """Refuse to read a finished part with a file that is missing or damaged.

        Parameters
        ----------
        entry, kinds, thoroughly
            As in `fault`.

        Raises
        ------
        ResultsError
            There is one; the message names it.
        """
        found = self.fault(entry, kinds, thoroughly=thoroughly)
        if found is not None:
            raise ResultsError(f"{found}; `bloodbattle resume {self.path} --repair` plays its {self.ledger.part} again")

    def refuse_any_damaged(self) -> None:
        """Refuse to read a run with a part that is missing from the ledger, or with a file that is missing or damaged.

        Reads all files; a gigabyte takes a few seconds.

        Raises
        ------
        ResultsError
            There is one; the message names it.
        """
        self.refuse_missing()
        for entry in self.ledger.entries():
            self.refuse_damaged(entry)

    def missing(self) -> str | None:
        """Say what the ledger of a finished run lacks; None if nothing."""
        return None

    def refuse_missing(self) -> None:
        """Refuse to read a finished run whose ledger was cut short since.

        Raises
        ------
        ResultsError
            It was; the message says how much is left.
        """
        found = self.missing()
        if found is not None:
            raise ResultsError(
                f"{self.ledger.path}: {found}; `bloodbattle resume {self.path} --repair` plays the others again"
            )

    def reopen(self) -> None:
        """Take back that the run is finished, where that is written down."""

    def check(self, tell: Callable[[str], None], *, repair: bool) -> None:
        """Refuse damaged lines and missing or damaged files, or take them out of the ledger, to be played again.

        Parameters
        ----------
        tell
            Is told what will be played again, in single lines.
        repair
            Whether to take them out instead of refusing.

        Raises
        ------
        ResultsError
            Something is damaged, and is not to be repaired.
        """
        self.ledger.drop_torn_line()
        again = f"playing its {self.ledger.part} again"
        for line in self.ledger.drop_damaged() if repair else ():
            tell(f"{line}; {again}")
        kept: set[str] = set()
        damaged = 0
        for entry in self.ledger.entries():
            if not repair:
                self.refuse_damaged(entry)
            elif (found := self.fault(entry)) is not None:
                tell(f"{found}; {again}")
                damaged += 1
                continue
            kept.add(entry.id)
        missing = self.missing()
        if missing is not None:
            if not repair:
                self.refuse_missing()
            tell(f"{self.ledger.path}: {missing}; playing the others again")
        if damaged or missing is not None:
            self.reopen()
        if damaged:
            self.ledger.keep_only(kept)

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
