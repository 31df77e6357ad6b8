"""The run folder: the plan, the ledger of finished chunks, chunk files, and what failed. Nothing half-written counts.

A chunk counts once its line stands in the ledger; its file was complete before. Readers take the files from the ledger,
never from a listing.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ConfigError, ResultsError
from sim.rules.words import count_of
from sim.tournament.files import TEMPORARY, checksum, replacing
from sim.tournament.ledger import Ledger
from sim.tournament.plan import Plan, differences, read_plan, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sim.tournament.ledger import Entry

PLAN: Final = "plan.json"
LEDGER: Final = "ledger.jsonl"
OUTCOME: Final = "outcome.json"
TIMINGS: Final = "timings.jsonl"
SUMMARIES: Final = ("summary.json", "summary.md", "summary.csv")
CHUNKS: Final = "chunks"
FAILED: Final = "failed"
LOCK: Final = ".lock"
BYTES_A_ROW: Final = 9
"""Rough size of a row on disk, for the refusal of runs that cannot fit."""
BYTES_A_CHUNK: Final = 20_000
"""Rough size of a line of the ledger, and of a chunk's file beside its rows."""


class RunFolder:
    """A run folder on disk.

    Parameters
    ----------
    path
        The folder.
    plan
        Its plan.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self.ledger = Ledger(path / LEDGER, plan)

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
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
        return cls(folder, read_plan(text, str(file)))

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> RunFolder:
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
        refuse_too_large(folder, plan)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            run = cls(folder, plan)
            run.write(PLAN, plan.text)
        except OSError as error:
            raise ConfigError(f"{folder}: the run folder cannot be made: {error.strerror}") from None
        return run

    def refuse_other(self, plan: Plan) -> None:
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

    def replace_plan(self, plan: Plan) -> None:
        """Put a longer plan in the place of this folder's, whose run is unfinished from then on.

        Parameters
        ----------
        plan
            The plan; it has all chunks of the old one.
        """
        self.reopen()
        self.write(PLAN, plan.text)

    def note(self, data: Mapping[str, Any]) -> None:
        """Add a line to the timings; nothing depends on them.

        Parameters
        ----------
        data
            Plain data.
        """
        with suppress(OSError), (self.path / TIMINGS).open("ab") as file:
            file.write(to_json(data))

    def reopen(self) -> None:
        """Take back that the run is finished: what it wrote at its end is removed."""
        for name in (OUTCOME, *SUMMARIES):
            (self.path / name).unlink(missing_ok=True)

    def tidy_up(self) -> None:
        """Remove what earlier processes left half-written, and what they could not play but somebody now has."""
        for path in (self.path / CHUNKS).glob(f"*{TEMPORARY}"):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.path / FAILED, ignore_errors=True)

    def is_intact(self, entry: Entry, *, thoroughly: bool = True) -> str | None:
        """Say what is wrong with a finished chunk's file.

        Parameters
        ----------
        entry
            The chunk.
        thoroughly
            Whether to read the file and compare its checksum, or only its size.

        Returns
        -------
        str or None
            What is wrong; None if nothing is, or if no rows are kept.
        """
        if not entry.sha256:
            return None
        path = self.path / entry.chunk.file
        try:
            size = path.stat().st_size
            if size != entry.size:
                return f"has {size:,} bytes instead of {entry.size:,}"
            if thoroughly and checksum(path) != entry.sha256:
                return "has other bytes than when it was written (its checksum differs)"
        except FileNotFoundError:
            return "is missing"
        except OSError as error:
            return f"cannot be read: {error.strerror}"
        return None

    def refuse_damaged(self, entry: Entry, *, thoroughly: bool = True) -> None:
        """Refuse to read a chunk whose file is missing or damaged.

        Parameters
        ----------
        entry, thoroughly
            As in `is_intact`.

        Raises
        ------
        ResultsError
            It is; the message names it.
        """
        fault = self.is_intact(entry, thoroughly=thoroughly)
        if fault is not None:
            raise ResultsError(
                f"{self.path / entry.chunk.file}: {fault}; `bloodbattle resume {self.path} --repair` plays it again"
            )

    def missing(self) -> str | None:
        """Say what the ledger of a finished run lacks.

        Returns
        -------
        str or None
            How many chunks are there of how many; None if all are, or if the run is unfinished.

        Raises
        ------
        ResultsError
            The outcome is damaged.
        """
        outcome = self.outcome
        if outcome is None:
            return None
        walls = outcome["walls"]
        has_target = self.plan.target is not None or self.plan.contrast is not None
        expected = sum(not has_target or chunk.first_wall < walls.get(str(chunk.cell), 0) for chunk in self.plan.chunks)
        there = self.ledger.count()
        if there >= expected:
            return None
        return f"holds {there:,} of the {count_of(expected, 'chunk')} of this finished run"

    def refuse_missing(self) -> None:
        """Refuse to read a finished run whose ledger was cut short since.

        Raises
        ------
        ResultsError
            It was; the message says how much is left.
        """
        fault = self.missing()
        if fault is not None:
            raise ResultsError(
                f"{self.ledger.path}: {fault}; `bloodbattle resume {self.path} --repair` plays the others again"
            )

    @property
    def outcome(self) -> Mapping[str, Any] | None:
        """How the run ended: why it stopped, and the looks that it took; None while it is unfinished."""
        file = self.path / OUTCOME
        try:
            data = json.loads(file.read_bytes())
            is_whole = isinstance(data["reason"], str) and all(type(walls) is int for walls in data["walls"].values())
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError):
            is_whole = False
        if not is_whole:
            raise ResultsError(f"{file}: damaged; delete it, and `bloodbattle resume` writes it again") from None
        found: Mapping[str, Any] = data
        return found


def disk_needed(plan: Plan) -> int:
    """Estimate how much disk a run needs.

    Parameters
    ----------
    plan
        The run.

    Returns
    -------
    int
        Bytes, roughly; at most, for a run with a target.
    """
    return plan.deals * 4 * BYTES_A_ROW * plan.has_rows + len(plan.chunks) * BYTES_A_CHUNK


def refuse_too_large(folder: Path, plan: Plan, done: Plan | None = None) -> None:
    """Refuse a run whose rows the disk cannot hold.

    Parameters
    ----------
    folder
        Where it would be.
    plan
        The run.
    done
        The run that it extends, which lies there already.

    Raises
    ------
    ConfigError
        It would not fit. Runs with a target are only measured by what they play at least.
    """
    if not plan.has_rows:
        return
    deals = plan.deals - (done.deals if done else 0)
    stop = plan.target or plan.contrast
    if stop is not None:
        deals = sum(min(cell.walls, stop["min_walls"]) * len(cell.seatings) for cell in plan.cells)
    needed = deals * 4 * BYTES_A_ROW
    there = next((path for path in (folder, *folder.absolute().parents) if path.exists()), Path())
    free = shutil.disk_usage(there).free
    if needed > free:
        raise ConfigError(
            f"{folder}: {deals * 4:,} rows need about {needed / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB are free;"
            " play fewer walls, keep no rows (rows = false, --no-rows), or choose another disk with --out"
        )


def _is_free(folder: Path) -> bool:
    """Tell whether a path is a folder with nothing in it but what an earlier start has left half-written."""
    return folder.is_dir() and all(path.name.endswith(TEMPORARY) for path in folder.iterdir())


def _known_runs(folder: Path) -> str:
    """Name the run folders beside one that is not there."""
    from sim.rules.words import did_you_mean  # noqa: PLC0415 - only needed here

    parent = folder.parent
    names = sorted(path.parent.name for path in parent.glob(f"*/{PLAN}")) if parent.is_dir() else []
    return did_you_mean(folder.name, names)
