"""Deals as digests, so that processes can compare them: `python -m tests.property.identity [STRATEGY FILE]`."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from strategies.loader import load_source
from tests.differential.compare import draw_case
from tests.property.tables import Standing, begin, events_of, finish, lines_of
from tests.reference.presets import random_preset

ROOT = Path(__file__).parents[2]
DEALS = 12


def digest_of(standing: Standing) -> str:
    """Return a digest of everything that happened in a deal, and of how it ended."""
    deal = standing.deal
    ends = (deal.table.points, deal.statuses, deal.win_scores, deal.win_values, deal.turns)
    facts = [events_of(standing), lines_of(standing), *(end.tolist() for end in ends)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def digests_of_deals(strategy: Path | None = None) -> list[str]:
    """Play some deals from their identities, all seats by one strategy file if one is given."""
    found = []
    for number in range(DEALS):
        lots = random.Random(f"identity {number}")
        standing = begin(draw_case(lots, random_preset(lots), sensible=0.7, is_slanted=number % 2 == 0))
        if strategy is not None:
            standing.strategies = [load_source(strategy.stem, strategy)] * 4
        found.append(digest_of(finish(standing)))
    return found


def digests_elsewhere(changes: list[dict[str, str | None]], strategy: Path | None = None) -> list[list[str]]:
    """Play the same deals in processes of their own, one for each change of the environment; None takes a name away."""
    command = [sys.executable, "-m", "tests.property.identity", *([str(strategy)] if strategy else [])]
    processes = []
    for change in changes:
        environment = {name: value for name, value in {**os.environ, **change}.items() if value is not None}
        processes.append(
            subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
    found = []
    for process in processes:
        printed, complaints = process.communicate()
        assert process.returncode == 0, complaints
        found.append(json.loads(printed))
    return found


if __name__ == "__main__":
    print(json.dumps(digests_of_deals(Path(sys.argv[1]) if len(sys.argv) > 1 else None)))
