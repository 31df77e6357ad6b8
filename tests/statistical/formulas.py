"""Our formulas by simulation: error rates and coverage on blocks with heavy tails, and the page that tells them.

``python -m tests.statistical.formulas`` measures everything and prints `docs/statistics-checks.md`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sim.statistics.estimate import estimate_ratio
from sim.statistics.power import Spread, blocks_for_difference, half_width_of, spread_of_blocks
from sim.statistics.sequential import Bounds, decide, log_likelihood_ratio, median_unbiased

Blocks = Callable[[np.random.Generator, int], np.ndarray]
"""Draws blocks of mean 0 and standard deviation 1."""


def normal_blocks(lots: np.random.Generator, count: int) -> np.ndarray:
    return lots.normal(size=count)


def heavy_blocks(lots: np.random.Generator, count: int) -> np.ndarray:
    """Mostly small, in 2 % of blocks a hand worth many others (excess kurtosis 22)."""
    values = np.where(lots.random(count) < 0.02, lots.choice([-7.0, 8.0], count), lots.choice([-1.0, 1.0], count) * 0.7)
    deviation = math.sqrt(0.02 * (49 + 64) / 2 + 0.98 * 0.49 - 0.01**2)
    return (values - 0.01) / deviation


def skewed_blocks(lots: np.random.Generator, count: int) -> np.ndarray:
    """An effect that hardly any deal feels: 0 in 97 % of blocks, else 1 to 16 points (skew 14)."""
    worth = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    chance = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    mean = 0.03 * worth @ chance
    deviation = math.sqrt(0.03 * (worth**2) @ chance - mean**2)
    return (np.where(lots.random(count) < 0.03, lots.choice(worth, count, p=chance), 0.0) - mean) / deviation


def skewed_down_blocks(lots: np.random.Generator, count: int) -> np.ndarray:
    """The same the other way round: mostly a trifle gained, sometimes much lost."""
    return -skewed_blocks(lots, count)


KINDS: dict[str, Blocks] = {
    "normal": normal_blocks,
    "heavy": heavy_blocks,
    "skewed up": skewed_blocks,
    "skewed down": skewed_down_blocks,
}


def allowed(tests: int, share: float = 0.05) -> str:
    """Two standard errors of a share of tests."""
    return f"± {200 * math.sqrt(share * (1 - share) / tests):.1f} %"


@dataclass(frozen=True)
class Stop:
    """How a sequential test ended."""

    decision: int
    looks: int
    t: float


def run_test(lots: np.random.Generator, blocks: Blocks, truth: float, bounds: Bounds, batch: int) -> Stop:
    """Play one sequential test to its decision."""
    values = np.empty(0)
    looks = 0
    while True:
        values = np.concatenate([values, blocks(lots, batch * 40) + truth])
        sums, squares = np.cumsum(values), np.cumsum(values**2)
        while (looks + 1) * batch <= len(values):
            looks += 1
            count = looks * batch
            mean = sums[count - 1] / count
            spread = (squares[count - 1] - count * mean * mean) / (count - 1)
            if spread < 1e-9:  # all blocks alike so far: nothing can be decided
                continue
            deviation = math.sqrt(spread)
            decision = decide(log_likelihood_ratio(count, mean, deviation, bounds), bounds)
            if decision:
                return Stop(decision, looks, mean / deviation)


def error_rate(kind: str, truth: float, wrong: int, bounds: Bounds, batch: int, tests: int, seed: int) -> float:
    """Share of sequential tests that accept the wrong hypothesis."""
    lots = np.random.default_rng(seed)
    return sum(run_test(lots, KINDS[kind], truth, bounds, batch).decision == wrong for _ in range(tests)) / tests


def unbiased_rates(kind: str, truth: float, bounds: Bounds, batch: int, tests: int, seed: int) -> tuple[float, ...]:
    """After a test: how often the median-unbiased and the plain estimate are above the truth, and what they cover."""
    lots = np.random.default_rng(seed)
    found = np.zeros(4)
    for _ in range(tests):
        stop = run_test(lots, KINDS[kind], truth, bounds, batch)
        estimate = median_unbiased(stop.looks, batch, stop.t, stop.decision, bounds)
        width = half_width_of(1.0, stop.looks * batch)
        covered = (estimate.low <= truth <= estimate.high, abs(stop.t - truth) <= width)
        found += (estimate.value > truth, covered[0], stop.t > truth, covered[1])
    return tuple(float(share) for share in found / tests)


def interval_coverage(kind: str, blocks: int, tests: int, seed: int) -> float:
    """Share of 95 % t-intervals of a mean that hold the truth, through the sums that a ledger keeps."""
    lots = np.random.default_rng(seed)
    covered = 0
    for _ in range(tests):
        values = np.rint(KINDS[kind](lots, blocks) * 1_000_000).astype(np.int64).astype(object)
        total, squares = int(values.sum()), int((values * values).sum())
        sums = {"one_one": squares, "one_other": total, "other_other": blocks}
        found = estimate_ratio(blocks, total, blocks, **sums)
        covered += abs(found.value) <= found.half_width
    return covered / tests


def rejection_rate(kind: str, truth: float, blocks: int, tests: int, seed: int) -> float:
    """Share of t-tests at 5 % that see a difference."""
    lots = np.random.default_rng(seed)
    values = np.stack([KINDS[kind](lots, blocks) for _ in range(tests)]) + truth
    widths = half_width_of(1.0, blocks) * values.std(axis=1, ddof=1)
    return float((np.abs(values.mean(axis=1)) > widths).mean())


def deviation_coverage(kind: str, blocks: int, tests: int, seed: int, *, with_tails: bool) -> float:
    """Share of 95 % intervals of a block's standard deviation that hold the truth."""
    lots = np.random.default_rng(seed)
    covered = 0
    for _ in range(tests):
        spread = spread_of_blocks(KINDS[kind](lots, blocks))
        assert spread is not None
        found = spread if with_tails else Spread(spread.blocks, spread.mean, spread.deviation)
        low, high = found.interval
        covered += low <= 1.0 <= high
    return covered / tests


# -------------------------------------------------------------------------------------------------------------- page

HEAD = """# What simulations say about our formulas

Measured by `python -m tests.statistical.formulas > docs/statistics-checks.md` (fixed seeds; a minute or a few). Quick
versions of the same run in every `make test`, longer ones in `make verify` (`tests/statistical/test_formulas.py`).

Blocks are drawn in four shapes, each of mean 0 and sd 1: *normal*; *heavy*, in 2 % of blocks a hand worth many others
(excess kurtosis 22, as an effect on the same walls may have); *skewed up* and *down*, an effect that 97 % of blocks do
not feel, but that is large in the others (skew 14). What chance alone allows is ± two standard errors.

Normal and heavy blocks hold what is promised. Skewed ones do not: with a hundred blocks most samples have seen two or
three of the events that matter, so intervals are too narrow, and a sequential test that looks early decides on what has
not happened yet. **Effects that few walls feel need many walls**: at least about a hundred of them should have changed
(`effect` and `compare` say in which share of deals anything did), and a sequential test needs a `--batch` so large that
some are in the first look.
"""


def row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def table(*head: str) -> list[str]:
    return [row(*head), "|" + "---|" * len(head)]


def write_page(scale: int) -> str:
    """Measure everything; `scale` is 1 for a smoke test and 6 for the page."""
    lines = [HEAD]
    tests = 400 * scale
    lines += [
        "## Sequential test (normalised GSPRT)\n",
        "Nominal errors 5 % and 5 %, bounds ±2.944 = ln(0.95 / 0.05). Type I: says better at the low bound; type II:",
        f"says no better at the high one. {tests:,} tests each ({allowed(tests)}).\n",
        *table("blocks", "bounds (sd)", "batch", "type I", "type II"),
    ]
    for kind in KINDS:
        for high, batch in ((0.2, 64), (0.1, 250)):
            bounds = Bounds(0.0, high)
            one = error_rate(kind, 0.0, 1, bounds, batch, tests, 1)
            two = error_rate(kind, high, -1, bounds, batch, tests, 2)
            lines.append(row(kind, f"0, {high:g}", batch, percent(one), percent(two)))
    tests = 60 * scale
    lines += [
        "\n## Estimate after a sequential test\n",
        "Above: how often the estimate is above the truth (50 % is median-unbiased). Covered: how often the 95 %",
        f"interval holds the truth. {tests:,} tests each ({allowed(tests, 0.5)} and {allowed(tests)}).\n",
        *table("blocks", "truth (sd)", "bounds", "batch", "unbiased above", "covered", "plain above", "covered"),
    ]
    for kind in ("normal", "heavy"):
        for truth in (0.0, 0.05, 0.1):
            found = unbiased_rates(kind, truth, Bounds(0.0, 0.1), 250, tests, 3)
            lines.append(row(kind, truth, "0, 0.1", 250, *(percent(share) for share in found)))
    tests = 400 * scale
    lines += [
        "\n## Intervals and power\n",
        "Coverage of the t-interval of a mean, nominally 95 %; the t-test's chance to see a difference where there is",
        "none (5 %) and where there is one of 0.2 sd, with as many blocks as `bloodbattle power` asks for (80 %).",
        f"{tests:,} samples each ({allowed(tests)}, power {allowed(tests, 0.8)}).\n",
        *table("blocks", "covered: 100 blocks", "400", "2,000", "seen: none", "seen: 0.2 sd"),
    ]
    blocks = blocks_for_difference(1.0, 0.2)
    for kind in KINDS:
        covered = [percent(interval_coverage(kind, count, tests, 4)) for count in (100, 400, 2_000)]
        seen = [percent(rejection_rate(kind, truth, blocks, tests, 5)) for truth in (0.0, 0.2)]
        lines.append(row(kind, *covered, *seen))
    tests = 100 * scale
    lines += [
        "\n## Interval of a pilot's standard deviation\n",
        "Nominally 95 %: by chi-square with n - 1 degrees of freedom, and with those that the kurtosis leaves (what",
        f"`power` uses where there are rows). {tests:,} pilots of 1,000 blocks each ({allowed(tests)}).\n",
        *table("blocks", "n - 1", "by kurtosis"),
    ]
    for kind in KINDS:
        shares = [deviation_coverage(kind, 1_000, tests, 6, with_tails=tails) for tails in (False, True)]
        lines.append(row(kind, *(percent(share) for share in shares)))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(write_page(6))
