"""The folder of a ladder: its plan, the ledger of finished replications, their files. Nothing half-written counts."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.ladder.expect import expected_bytes
from sim.ladder.plan import LadderPlan
from sim.tournament.checked import CheckedLedger
from sim.tournament.files import TEMPORARY, refuse_full_disk
from sim.tournament.folder import PLAN, Folder
from sim.tournament.plan import Plan, read_plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from sim.ladder.plan import Job

FAILED: Final = "failed"
FOLDERS: Final = ("games", "players", "ratings")
_FACTS: Final = {"file", "rows", "size", "sha256"}


@dataclass(frozen=True)
class Entry:
    """One line of the ledger: a finished replication of a cell."""

    job: Job
    """Which."""
    files: Mapping[str, Mapping[str, Any]]
    """Its files by kind: file, rows, size, sha256."""
    sums: Mapping[str, Any]
    """What it adds up to (`sim.ladder.sums`)."""

    @property
    def id(self) -> str:
        """Name of the replication."""
        return self.job.id

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {"id": self.job.id, "files": self.files, "sums": self.sums}


class LadderLedger(CheckedLedger[Entry]):
    """The ledger of a ladder.

    Parameters
    ----------
    path
        The file; it need not exist yet.
    plan
        The ladder's plan.
    """

    part = "replication"

    def __init__(self, path: Path, plan: LadderPlan) -> None:
        super().__init__(path)
        self.plan = plan

    def read(self, data: Mapping[str, Any]) -> Entry | None:
        """Make a finished replication of plain data."""
        job = self.plan.job_of.get(data["id"])
        files = {kind: dict(facts) for kind, facts in data["files"].items()}
        if any(set(facts) != _FACTS for facts in files.values()):
            raise ValueError("facts of other files")
        return None if job is None else Entry(job, files, data["sums"])

    def order(self) -> Iterable[str]:
        """Give the ids of all replications, in the order of the plan."""
        return (job.id for job in self.plan.jobs)


class LadderFolder(Folder[LadderPlan, Entry]):
    """The folder of a ladder on disk.

    Parameters
    ----------
    path
        The folder.
    plan
        Its plan.
    """

    @classmethod
    def make_ledger(cls, path: Path, plan: LadderPlan) -> LadderLedger:
        """Make the ledger of a ladder."""
        return LadderLedger(path, plan)

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
