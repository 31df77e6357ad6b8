"""What is taken where nobody says anything: the folder for runs, the number of threads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

RUNS: Final = Path("runs")
"""Where run folders go by default."""


def count_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
