"""`docs/results.md`, written from the code: run folder, rows and their columns, quantities, and the files of a summary.

``python -m sim.statistics.document`` prints it; a test compares the file with it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from sim.tournament.quantities import BIT, DIFFERENCE, MOST, ONE, SQUARE, SUM, WITHIN, make_quantities
from sim.tournament.schema import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sim.tournament.game import ColumnLike
    from sim.tournament.quantities import Quantity

_FOLDER: Final = """# What a run leaves behind

This page is written by `python -m sim.statistics.document`; a test keeps it up to date.

## The run folder

`bloodbattle run FILE` plays an experiment into `runs/NAME-HASH`, where HASH is the start of the plan's hash (or into
`--out DIR`). The same experiment with the same versions gives the same bytes in every file but `timings.jsonl` and `.lock`, whatever
the number of workers, the order in which chunks finish, and interruptions.

| file | what it holds |
|---|---|
| `plan.json` | Everything that the results follow from: presets in full, line-ups and seatings, strategies with digests, seed, wall mode, chunks, versions; and `hash`, the SHA-256 of all that. Never changes, but for `bloodbattle extend`, whose plan names the hash of the one before as `extends`: a plan without its hash, or with another content than its hash says, is refused. |
| `ledger.jsonl` | One line for each finished chunk: its file, rows, size, SHA-256, and its sums. In the order of the plan once the run is finished. |
| `chunks/*.parquet` | The rows (below). Which files count is what the ledger says. |
| `outcome.json` | Why the run stopped; walls played in each cell; with a target, what each look found. Present only when the run is finished. |
| `summary.json`, `summary.csv`, `summary.md` | What was found. Present only when the run is finished. |
| `timings.jsonl` | One line for each time the run was played: deals, seconds, workers, and what workers spent on play, sums and rows. Nothing depends on it. |
| `.lock` | Held by the process that plays the run, so that no other one does; left behind, and of no meaning, afterwards. |
| `failed/` | What went wrong in chunks that could not be played; gone once they were. |

An interrupted run keeps every finished chunk; `bloodbattle resume RUN` plays the rest. A chunk whose file is missing or
damaged is refused by name; `bloodbattle resume RUN --repair` plays it again. If programs or strategies have changed since
the run was planned, `resume` refuses and says what differs.

## Words

A *cell* is one preset with one line-up. All cells play the same walls. A *block* is one wall with all seatings of the
line-up; deals of one block are not independent, blocks are, so every interval takes the block as its unit. A *slot* is
one of the four places of a line-up, numbered from 0. A deal's name is `cell.wall.seating`, as in `0.125.3`.

## Rows

One row for each deal and seat, ordered by cell, wall, seating and seat within a file. From Python:

```python
from sim import open_run

seats = open_run("runs/first-look-1a2b3c4d").seats()            # a lazy polars frame
seats.filter(seat=0).collect().to_pandas()                       # a pandas frame
```

`run.deals()` has one row for each deal instead: `cell`, `preset`, `line_up`, `wall`, `seating`, `wins`, `exhausted`, `draws`,
and for each seat 0 to 3 its `strategy_0`, `points_0`, `win_order_0`, `win_form_0`, `fan_0`, `deal_ins_0` and `status_0`.
`run.blocks()` has one row for each cell and wall and each strategy and seat (`who`, `name`), with the sums of quantities
(below) over the wall's block: points and the main ones, or those named, as in `run.blocks(["points", "won"])`. Both are
lazy, and need rows.

Points are whole numbers, and sum to 0 over the four seats of a deal. `gained_...` and `paid_...` are never negative, and
`points` is the sum of all `gained_...` less the sum of all `paid_...`. Enums hold names.
"""  # noqa: E501 - lines of a Markdown table

_SUMS: Final = """
## Sums in the ledger

Each line of `ledger.jsonl` has `walls` (the number of blocks), `groups` (the number of strategies in the line-up), `sums`
and `products`. All are whole numbers, exact, and add up over chunks. `sums` has for each *quantity* its sum over all deals
by slot and seat: 16 numbers, at place 4 · slot + seat. `products` has for each quantity `a` the sum of squares of its
block sums, and for some pairs `a*b` the sum of products: one number for each strategy of the line-up (all its slots
together), then for each seat, then (points only) for each slot. Metrics are ratios of these. `counts` has for each
strategy how often each number of points of one deal and seat came: value, count, value, count, in order. `slots` has the
sums of products of the points of two slots, at place 4 · slot + other slot: `deal` over deals, `wall` of their block sums over
walls; and for each strategy, then for all seats together, `squares`, the sum over walls of the square of the block sum of
squared points, and `squares*points`, of that block sum times the one of points.

In runs with a design, lines also hold what ties a cell to its family, over the same walls. `cross` is like `products`, but
of the block sums of the first quantity in this cell and of the second one in the reference cell, in both orders of each
pair. `gram` has for points, by strategy and seat, the same with each cell of the family that has a lower number (families
of up to 200 cells), under the key `settled` with `settled` itself. `changed` counts the deals in which any seat's points
differ from those in the reference, and `changed_walls` the walls with such a deal; both are absent when there are none. `settled` holds the totals of the reference's
decisions under this cell's rules, where these differ in the settlement alone; a cell that was not played, since all its
players are rule-blind, has them as its own sums instead.
"""  # noqa: E501

_SUMMARY: Final = """
## The summary

`bloodbattle summary RUN --format text|json|csv|markdown` prints it; from Python, `result.summary()` has one row for each
cell and strategy and `result.metrics()` one row for each metric of each strategy, seat and cell. A value comes with
`half_width`, half of its 95 % interval: value ± half_width. It is the t-interval over blocks, by the delta method where
the denominator varies from block to block; empty where there are fewer than two blocks. `numerator` and `denominator` are
the whole-number sums that the value is the ratio of.

[metrics.md](metrics.md) is the dictionary of metrics: what each is a ratio of, and the identities between them.

`summary.csv` and `result.metrics()` have the columns `cell`, `preset`, `line_up`, `who` (strategy, seat or deal), `name`
(the strategy, the seat's number, or `all`), `metric`, `value`, `half_width`, `unit`, `numerator`, `denominator`, `blocks`.
"""  # noqa: E501


def describe_results(columns: Sequence[ColumnLike], patterns: Sequence[str]) -> str:
    """Write the page.

    Parameters
    ----------
    columns
        The game's columns.
    patterns
        Name of each bit of the column ``patterns``.

    Returns
    -------
    str
        Markdown.
    """
    keys = [(f"`{key.name}`", key.dtype, key.unit, key.meaning) for key in KEYS]
    facts = [(f"`{column.name}`", column.dtype, column.unit, column.meaning) for column in columns]
    quantities = make_quantities([column.name for column in columns], patterns)
    head = ("column", "type", "unit", "meaning")
    bits = ", ".join(f"{bit} `{name}`" for bit, name in enumerate(patterns))
    return "\n".join(
        [
            _FOLDER,
            "### Keys\n",
            table(head, keys),
            "### Columns of the game\n",
            table(head, facts),
            f"Bits of `patterns`: {bits}.",
            _SUMS,
            table(
                ("quantity", "for each deal and seat"),
                [(f"`{item.name}`", describe_quantity(item)) for item in quantities],
            ),
            _SUMMARY.lstrip("\n").rstrip("\n") + "\n",
        ]
    )


def describe_quantity(item: Quantity) -> str:
    """Say what a quantity is, for one deal and seat.

    Parameters
    ----------
    item
        The quantity.
    """
    column = f"`{item.column}`"
    if item.operation == ONE:
        return "1"
    if item.operation == DIFFERENCE:
        return f"{column} - `{item.other}`"
    if item.operation == WITHIN:
        bounds = f"{item.low} or more" if item.high == MOST else f"{item.low} to {item.high}"
        return f"1 if {column} is {item.low if item.low == item.high else bounds}"
    if item.operation == BIT:
        return f"bit {item.low} of {column}"
    if item.operation == SUM:
        condition = f", if bit {item.low} of `patterns` is set" if item.low >= 0 else ""
        return f"sum of the columns {column} to `{item.other}`{condition}"
    return f"the square of {column}" if item.operation == SQUARE else column


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table.

    Parameters
    ----------
    head
        Names of the columns.
    rows
        Their texts.
    """
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the page."""
    from sim.tournament.game import sichuan  # noqa: PLC0415 - loads the engine

    game = sichuan()
    sys.stdout.write(describe_results(game.columns, game.patterns))


if __name__ == "__main__":
    main()
