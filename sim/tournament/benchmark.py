"""The benchmark: deals per second and core, start-up times, memory.

Machines differ and are noisy, so every rate is also given relative to a fixed integer loop timed in the same run, in
turns with what it is compared to. Start-up and memory are measured in fresh processes.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.sichuan.play import play_walls
from sim.errors import InvariantError
from sim.jit import driver
from sim.rng import wall_seed_of
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

LINE_UPS = ("first_legal", "random", "isolation", "shanten", "ukeire", "value", "defence", "rollout")
"""Strategies whose self-play is timed."""
PRESET = "mahjong-planet"
LOOP_STEPS = 50_000_000
_SMALL = 100
"""A rate below this is small."""


@driver
def fixed_loop(steps: int) -> int:
    """Run a fixed loop of dependent integer operations: the yardstick of the machine; return its last value.

    Parameters
    ----------
    steps : int64, read
        How many steps.
    """
    value = 12345
    for step in range(steps):
        value = (value * 1103515245 + 12345 + (step ^ (value >> 7))) & 0x7FFFFFFF
    return value


def _seconds(work: Callable[[], object]) -> float:
    """Return how long something takes, in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _three_digits(rate: float) -> float:
    """Round a rate to a whole number, a small one to three digits."""
    return float(f"{rate:.3g}") if rate < _SMALL else round(rate)


def time_line_ups(names: Sequence[str], seconds: float, rounds: int = 3) -> Iterator[dict[str, Any]]:
    """Time the self-play of strategies on one core, in turns with the fixed loop.

    Parameters
    ----------
    names : sequence of str
        Strategies.
    seconds : float
        How long each is timed, in seconds.
    rounds : int
        How many times each is timed; the best counts.

    Yields
    ------
    dict
        ``line_up``, ``deals_per_second`` (one core), ``loop_seconds`` (the fixed loop beside it) and
        ``deals_per_loop`` (deals in the time of one fixed loop).
    """
    rules = compile_rules(load_preset(PRESET))
    seating = np.arange(4, dtype=np.int64).reshape(1, 4)
    for name in names:
        line_up = [load_strategy(name)] * 4
        count = 8
        while True:
            seeds = np.array([wall_seed_of(1, wall) for wall in range(count)], dtype=np.int64)
            play = partial(play_walls, rules, line_up, seeds, seating, "shared")
            spent = _seconds(play)
            if spent * rounds > seconds or count > 2_000_000:
                break
            count = int(count * min(20.0, max(2.0, 1.1 * seconds / rounds / max(spent, 1e-4))))
        best, loop = spent, float("inf")
        for _ in range(rounds):
            loop = min(loop, _seconds(lambda: fixed_loop(LOOP_STEPS)))
            best = min(best, _seconds(play))
        rate = count / best
        yield {
            "line_up": f"{name} x4",
            "deals_per_second": _three_digits(rate),
            "loop_seconds": round(loop, 4),
            "deals_per_loop": _three_digits(rate * loop),
        }


def _child(arguments: Sequence[str], cache: Path | None = None) -> tuple[float, dict[str, Any]]:
    """Run a fresh Python process; return its seconds and what it printed as JSON, if anything."""
    environment = dict(os.environ)
    if cache is not None:
        environment["BLOODBATTLE_CACHE"] = str(cache)
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603 - our own interpreter and modules
        [sys.executable, *arguments], env=environment, check=True, capture_output=True, text=True
    )
    spent = time.perf_counter() - start
    if not done.stdout:
        message = f"python {' '.join(arguments)} printed nothing, so there is nothing to measure"
        raise InvariantError(message)
    return spent, json.loads(done.stdout) if done.stdout.startswith("{") else {}


_EXPERIMENT = """
name = "bench"
seed = 1
walls = {walls}
presets = ["{preset}"]
[[line_ups]]
name = "bench"
strategies = ["ukeire"]
"""


def measure_starts(repeats: int = 3) -> dict[str, float]:
    """Measure cold compile, warm start and help, in seconds, each in fresh processes.

    Parameters
    ----------
    repeats : int
        How many times the warm ones are measured; the best counts.

    Returns
    -------
    dict
        ``cold_compile`` (everything compiled and tables built into an empty cache, then a run of a hundred walls),
        ``warm_start`` (the same run again), ``help``.
    """
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        experiment = Path(folder) / "bench.toml"
        experiment.write_text(_EXPERIMENT.format(walls=100, preset=PRESET), encoding="utf-8")
        runs = (Path(folder) / f"run-{number}" for number in range(100))

        def run() -> float:
            arguments = ["-m", "sim.cli", "run", str(experiment), "--out", str(next(runs)), "--workers", "1"]
            return _child(arguments, cache)[0]

        cold = run()
        return {
            "cold_compile": round(cold, 2),
            "warm_start": round(min(run() for _ in range(repeats)), 2),
            "help": round(min(_child(["-m", "sim.cli", "--help"])[0] for _ in range(repeats)), 2),
        }


_RUN_AND_REPORT = """
import json, resource, sys
from sim import Experiment, run
run(Experiment.from_file(sys.argv[1]), out=sys.argv[2])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(json.dumps({"peak_mib": round(peak)}))
"""
"""What a fresh process does to measure a whole run's peak memory."""


def measure_memory(walls: Sequence[int]) -> dict[str, int]:
    """Measure the peak memory of whole runs of different lengths, each in a fresh process.

    Parameters
    ----------
    walls : sequence of int
        Lengths of the runs; `ukeire` self-play, so that blocks are as in the shipped experiments.

    Returns
    -------
    dict
        Peak resident memory in MiB, by number of walls.
    """
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in walls:
            experiment = Path(folder) / f"bench-{count}.toml"
            experiment.write_text(_EXPERIMENT.format(walls=count, preset=PRESET), encoding="utf-8")
            out = Path(folder) / f"run-{count}"
            _, answer = _child(["-c", _RUN_AND_REPORT, str(experiment), str(out)])
            peaks[str(count)] = answer["peak_mib"]
    return peaks
