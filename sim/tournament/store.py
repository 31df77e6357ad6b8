"""The run folder: the plan, the ledger of finished chunks, chunk files, and what failed. Nothing half-written counts.

A chunk counts once its line stands in the ledger; its file was complete before. Readers take the files from the ledger,
never from a listing.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ResultsError
from sim.rules.words import count_of
from sim.tournament.files import TEMPORARY, refuse_full_disk
from sim.tournament.folder import PLAN, Folder
from sim.tournament.ledger import Entry, Ledger
from sim.tournament.plan import Plan, read_plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OUTCOME: Final = "outcome.json"
SUMMARIES: Final = ("summary.json", "summary.md", "summary.csv")
CHUNKS: Final = "chunks"
FAILED: Final = "failed"
BYTES_A_ROW: Final = 9
"""Rough size of a row on disk, for the refusal of runs that cannot fit."""
BYTES_A_CHUNK: Final = 20_000
"""Rough size of a line of the ledger, and of a chunk's file beside its rows."""


class RunFolder(Folder[Plan, Entry]):
    """A run folder on disk.

    Parameters
    ----------
    path
        The folder.
    plan
        Its plan.
    """

    @classmethod
    def make_ledger(cls, path: Path, plan: Plan) -> Ledger:
        """Make the ledger of a run."""
        return Ledger(path, plan)

    @classmethod
    def read_plan(cls, text: bytes, where: str) -> Plan:
        """Read the plan of a run."""
        found = read_plan(text, where)
        assert isinstance(found, Plan)
        return found

    @classmethod
    def refuse_too_large(cls, folder: Path, plan: Plan) -> None:
        """Refuse a run whose rows the disk cannot hold."""
        refuse_too_large(folder, plan)

    def replace_plan(self, plan: Plan) -> None:
        """Put a longer plan in the place of this folder's, whose run is unfinished from then on.

        Parameters
        ----------
        plan
            The plan; it has all chunks of the old one.
        """
        self.reopen()
        self.write(PLAN, plan.text)

    def reopen(self) -> None:
        """Take back that the run is finished: what it wrote at its end is removed."""
        for name in (OUTCOME, *SUMMARIES):
            (self.path / name).unlink(missing_ok=True)

    def tidy_up(self) -> None:
        """Remove what earlier processes left half-written, and what they could not play but somebody now has."""
        for path in (self.path / CHUNKS).glob(f"*{TEMPORARY}"):
            path.unlink(missing_ok=True)
        shutil.rmtree(self.path / FAILED, ignore_errors=True)

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
    deals = plan.deals - (done.deals if done else 0)
    stop = plan.target or plan.contrast
    if stop is not None:
        deals = sum(min(cell.walls, stop["min_walls"]) * len(cell.seatings) for cell in plan.cells)
    share = deals / plan.deals if plan.deals else 0.0
    needed = round(disk_needed(plan) * share)
    rows = f"{deals * 4:,} rows need" if plan.has_rows else "its sums need"
    keep = ", keep no rows (rows = false, --no-rows)" if plan.has_rows else ""
    refuse_full_disk(folder, needed, rows, f"play fewer walls{keep}")
