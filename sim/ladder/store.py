"""The folder of a ladder: its plan, the ledger of finished replications, their files. Nothing half-written counts."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ResultsError
from sim.ladder.expect import expected_bytes
from sim.ladder.plan import LadderPlan
from sim.tournament.files import TEMPORARY, LineFile, fault_of, refuse_full_disk, replacing
from sim.tournament.folder import PLAN, Folder
from sim.tournament.plan import Plan, read_plan, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sim.ladder.plan import Job

LEDGER: Final = "ledger.jsonl"
FAILED: Final = "failed"
FOLDERS: Final = ("games", "players", "ratings")


@dataclass(frozen=True)
class Entry:
    """One line of the ledger: a finished replication of a cell."""

    job: Job
    """Which."""
    files: Mapping[str, Mapping[str, Any]]
    """Its files by kind: file, rows, size, sha256."""
    sums: Mapping[str, Any]
    """What it adds up to (`sim.ladder.sums`)."""

    def to_json(self) -> bytes:
        """Write the line."""
        return to_json({"id": self.job.id, "files": self.files, "sums": self.sums})


class LadderLedger(LineFile):
    """The ledger of a ladder.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    plan
        The ladder's plan.
    """

    def __init__(self, path: Path, plan: LadderPlan) -> None:
        super().__init__(path)
        self.plan = plan

    def entries(self) -> Iterator[Entry]:
        """Read the ledger, in the order of its lines.

        Raises
        ------
        ResultsError
            A line is damaged, or not of this plan.
        """
        seen: set[str] = set()
        for number, line in enumerate(self.lines(), 1):
            where = f"{self.path}: line {number}"
            try:
                data = json.loads(line)
                job = self.plan.job_of.get(data["id"])
                files = {name: dict(facts) for name, facts in data["files"].items()}
                is_whole = to_json(data) == line and all(
                    {"file", "rows", "size", "sha256"} == set(facts) for facts in files.values()
                )
                entry = Entry(job, files, data["sums"]) if job is not None else None
            except (ValueError, KeyError, TypeError, AttributeError):
                is_whole, entry = False, None
            if not is_whole:
                raise ResultsError(
                    f"{where}: damaged; delete the line, and `bloodbattle resume` plays its replication again"
                )
            if entry is None:
                raise ResultsError(f"{where}: replication {data['id']} is not in the plan")
            if entry.job.id in seen:
                raise ResultsError(f"{where}: replication {entry.job.id} stands there twice")
            seen.add(entry.job.id)
            yield entry

    def rewrite(self, entries: Iterator[Entry] | list[Entry]) -> None:
        """Write the ledger anew, in the order of the jobs.

        Parameters
        ----------
        entries
            What to keep.
        """
        lines = [entry.to_json() for entry in sorted(entries, key=lambda entry: entry.job.id)]
        with replacing(self.path) as file:
            file.write(b"".join(lines))


class LadderFolder(Folder[LadderPlan]):
    """The folder of a ladder on disk.

    Parameters
    ----------
    path
        The folder.
    plan
        Its plan.
    """

    def __init__(self, path: Path, plan: LadderPlan) -> None:
        super().__init__(path, plan)
        self.ledger = LadderLedger(path / LEDGER, plan)

    @classmethod
    def read_plan(cls, text: bytes, where: str) -> LadderPlan:
        """Read the plan of a ladder."""
        found = read_plan(text, where, (LadderPlan,))
        assert isinstance(found, LadderPlan)
        return found

    @classmethod
    def refuse_too_large(cls, folder: Path, plan: LadderPlan) -> None:
        """Refuse a ladder whose files the disk cannot hold."""
        needed = expected_bytes(plan.file) * len(plan.cells) * plan.file.replications
        advice = "play fewer games or replications, keep no games (keep_games = false)"
        refuse_full_disk(folder, needed, "its files need", advice)

    @property
    def is_finished(self) -> bool:
        """Whether all replications are there."""
        return self.ledger.count() == len(self.plan.jobs)

    def tidy_up(self) -> None:
        """Remove what earlier processes left half-written, and what they could not play."""
        for folder in FOLDERS:
            for path in (self.path / folder).glob(f"*{TEMPORARY}"):
                path.unlink(missing_ok=True)
        shutil.rmtree(self.path / FAILED, ignore_errors=True)

    def fault(self, entry: Entry, kinds: Sequence[str] = FOLDERS, *, thoroughly: bool = True) -> str | None:
        """Say which file of a replication is missing or damaged, and how.

        Parameters
        ----------
        entry
            The replication.
        kinds
            The kinds of files to look at.
        thoroughly
            Whether to compare checksums, or only sizes.

        Returns
        -------
        str or None
            File and fault; None if all is well.
        """
        for facts in (entry.files[kind] for kind in kinds if kind in entry.files):
            path = self.path / facts["file"]
            found = fault_of(path, facts["size"], facts["sha256"], thoroughly=thoroughly)
            if found is not None:
                return f"{path}: {found}"
        return None

    def refuse_damaged(self, entry: Entry, kinds: Sequence[str] = FOLDERS, *, thoroughly: bool = True) -> None:
        """Refuse to read a replication with a file that is missing or damaged.

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
            raise ResultsError(f"{found}; `bloodbattle resume {self.path} --repair` plays its replication again")

    def refuse_any_damaged(self) -> None:
        """Refuse to read a ladder any of whose files is missing or damaged; reads all of them.

        Raises
        ------
        ResultsError
            There is one; the message names it.
        """
        for entry in self.ledger.entries():
            self.refuse_damaged(entry)


def is_ladder(path: Path) -> bool:
    """Tell whether a folder is that of a ladder.

    Parameters
    ----------
    path
        The folder.
    """
    try:
        data = json.loads((path / PLAN).read_bytes())
        return bool(data.get("kind", Plan.kind) == LadderPlan.kind)
    except (OSError, ValueError, AttributeError):
        return False
