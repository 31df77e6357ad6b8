"""`docs/metrics.md`, written from the code: each metric with its ratio in words, and the identities between them.

``python -m sim.statistics.dictionary`` prints it; a test compares the file with it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from sim.statistics.document import describe_quantity, table
from sim.statistics.identities import make_identities
from sim.statistics.metrics import make_metrics
from sim.tournament.quantities import GAINED, NET, PAID, PATTERN, make_quantities

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.statistics.metrics import Metric

_HEAD: Final = """# Metrics

This page is written by `python -m sim.statistics.dictionary`; a test keeps it up to date.

A metric is a ratio of two sums over all deals: numerator / denominator. Both are *quantities*, whole numbers that every
deal and seat has one of ([results.md](results.md#sums-in-the-ledger)). So a share of wins is wins with something over
all wins, never a mean of shares. Metrics exist for each strategy of a line-up (all its slots together) and for each
seat (whoever sits there); those of the deal exist once for a cell and are read at seat 0, since every deal has it once.

Every value comes with half of its 95 % interval: a t-interval whose unit is the *block*, one wall with all seatings of
the line-up; by the delta method where the denominator varies from block to block. A metric is empty where its
denominator is 0, its interval with fewer than two blocks. Differences between presets, strategies and runs are taken
block by block on the same walls wherever there are any.
"""

_IDENTITIES: Final = """## Identities

These hold exactly in every run. They are checked on the sums of each cell whenever a run is summed up (`bloodbattle
run`, `summary`, `diff`); if one fails, the engine contradicts itself (exit code 5). `bloodbattle summary RUN --checks`
says how many held. Where: *place*, for each slot in each seat, and so for each strategy and seat; *table*, all four
seats together; *seats*, between seats.
"""

_WORDS: Final = """## Quantities in words

What one deal adds for one seat.
"""

_GROUPS: Final[tuple[tuple[str, Callable[[Metric], bool]], ...]] = (
    (
        "For each strategy and seat",
        lambda metric: metric.scope == "strategy" and not metric.name.startswith((GAINED, PAID, NET, PATTERN)),
    ),
    ("Points by cause", lambda metric: metric.name.startswith((GAINED, PAID, NET))),
    ("Patterns of winning hands", lambda metric: metric.name.startswith(PATTERN)),
    ("Of the deal", lambda metric: metric.scope == "deal"),
)


def describe_all(columns: Sequence[str], patterns: Sequence[str]) -> str:
    """Write the page.

    Parameters
    ----------
    columns
        Names of the game's columns.
    patterns
        Name of each bit of the column ``patterns``.

    Returns
    -------
    str
        Markdown.
    """
    quantities = make_quantities(columns, patterns)
    names = [item.name for item in quantities]
    metrics = make_metrics(names)
    lines = [_HEAD]
    for title, is_in in _GROUPS:
        rows = [
            (f"`{metric.name}`", f"`{metric.numerator}`", f"`{metric.denominator}`", metric.unit, metric.meaning)
            for metric in metrics
            if is_in(metric)
        ]
        if rows:
            lines += [f"## {title}\n", table(("metric", "numerator", "denominator", "unit", "meaning"), rows)]
    used = {name for metric in metrics for name in (metric.numerator, metric.denominator)}
    words = [(f"`{item.name}`", describe_quantity(item)) for item in quantities if item.name in used]
    lines += [_WORDS, table(("quantity", "for each deal and seat"), words)]
    held = [(f"`{item.formula}`", item.where, item.meaning) for item in make_identities(names)]
    lines += [_IDENTITIES, table(("identity", "where", "meaning"), held)]
    return "\n".join(lines)


def main() -> None:
    """Print the page."""
    from sim.tournament.game import sichuan  # noqa: PLC0415 - loads the engine

    game = sichuan()
    sys.stdout.write(describe_all([column.name for column in game.columns], game.patterns))


if __name__ == "__main__":
    main()
