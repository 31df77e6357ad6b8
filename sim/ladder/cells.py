"""The cells of ladders on disk: their measures of drift, and which cells belong together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sim.errors import ResultsError
from sim.ladder.drift import measure_cell
from sim.ladder.run import open_ladder
from sim.ladder.totals import Totals
from sim.rules.words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.ladder.drift import CellDrift
    from sim.ladder.plan import Cell
    from sim.ladder.results import Ladder

MARK: Final = "@"
"""What stands between a run folder, a preset and a rating system."""
FORMS: Final = "RUN or RUN@PRESET@RATING"


@dataclass(frozen=True)
class MeasuredCell:
    """A cell with its measures."""

    ladder: Ladder
    """Where it is from."""
    cell: Cell
    """Which."""
    drift: CellDrift
    """Its measures, over the replications that are finished."""

    @property
    def name(self) -> str:
        """What to call it."""
        return f"{self.cell.preset}, {self.cell.rating}"


def measure_ladder(ladder: Ladder) -> dict[tuple[str, str], MeasuredCell]:
    """Measure the drift of all cells of a ladder that have finished replications.

    Parameters
    ----------
    ladder
        The ladder, finished or not.

    Returns
    -------
    dict
        Cells by preset and rating system, in the order of the plan.

    Raises
    ------
    ResultsError
        Nothing is finished, or the ladder was played before drift was measured.
    """
    sums: dict[int, dict[int, Totals]] = {}
    for entry in ladder.entries():
        if "drift" not in entry.sums:
            raise ResultsError(f"{ladder.path}: this ladder has no sums of drift; play it again")
        totals = Totals.from_data(entry.sums["drift"])
        sums.setdefault(entry.job.cell, {})[entry.job.replication] = totals
    if not sums:
        raise ResultsError(f"{ladder.path}: no replication is finished yet")
    found: dict[tuple[str, str], MeasuredCell] = {}
    for cell in ladder.plan.cells:
        own = sums.get(cell.index)
        if own:
            numbers = range(max(own) + 1)
            drift = measure_cell(
                ladder.plan.file, ladder.plan.systems[cell.rating], [own[n] for n in numbers if n in own]
            )
            found[cell.preset, cell.rating] = MeasuredCell(ladder, cell, drift)
    return found


def references_of(ladder: Ladder) -> Mapping[str, str]:
    """Give for each preset that has knobs set the one that it is compared with.

    Parameters
    ----------
    ladder
        The ladder.

    Returns
    -------
    dict
        By name of a preset: the reference of its design; without one the preset of the same base with nothing set over
        it, or else the first of that base.
    """
    presets = ladder.plan.presets
    if all("reference" in preset for preset in presets):
        return {each["name"]: each["reference"] for each in presets if each["name"] != each["reference"]}
    found: dict[str, str] = {}
    for preset in presets:
        family = [other for other in presets if other["base"] == preset["base"]]
        plain = [other for other in family if not other["set"]] or family
        if plain[0]["name"] != preset["name"]:
            found[preset["name"]] = plain[0]["name"]
    return found


def is_paired(one: MeasuredCell, other: MeasuredCell) -> bool:
    """Tell whether two cells have the same players and walls in each replication.

    Parameters
    ----------
    one, other
        The cells.
    """
    first, second = one.ladder.plan, other.ladder.plan
    same = ("groups", "players", "tables", "queue", "games", "days", "wall_mode")
    return first.data["seed"] == second.data["seed"] and all(
        getattr(first.file, key) == getattr(second.file, key) for key in same
    )


def split_reference(text: str) -> tuple[str, str | None, str | None]:
    """Read what names a run, or a cell of it.

    Parameters
    ----------
    text
        Such as ``runs/caps-1234abcd@mahjongo fan.cap=5@elo``; the rating system may be left out.

    Returns
    -------
    run, preset, rating
        None for what is not named.
    """
    if Path(text).is_dir():
        return text, None, None
    run, *names = text.split(MARK)
    if len(names) > 2:
        raise ResultsError(f"{text}: allowed: {FORMS}")
    return run, *(names[place] if len(names) > place else None for place in range(2))  # type: ignore[return-value]


def pick(cells: Mapping[tuple[str, str], MeasuredCell], preset: str, rating: str | None, where: str) -> MeasuredCell:
    """Find a cell by its names.

    Parameters
    ----------
    cells
        From `measure_ladder`.
    preset
        The preset.
    rating
        The rating system; the first when None.
    where
        What to blame in messages.

    Raises
    ------
    ResultsError
        There is none.
    """
    presets = dict.fromkeys(name for name, _ in cells)
    ratings = dict.fromkeys(name for _, name in cells)
    for kind, name, names in (("preset", preset, presets), ("rating system", rating, ratings)):
        if name is not None and name not in names:
            raise ResultsError(
                f"{where}: there is no {kind} {name}{did_you_mean(name, names)}; allowed: {', '.join(names)}"
            )
    found = cells.get((preset, rating or next(iter(ratings))))
    if found is None:
        raise ResultsError(f"{where}: no replication of {preset}, {rating} is finished yet")
    return found


def match_cells(one: str, other: str | None) -> tuple[str, list[tuple[MeasuredCell, MeasuredCell]]]:
    """Find the cells that a comparison is of.

    Parameters
    ----------
    one
        A run, or a cell of it.
    other
        Another run or cell; None for the references of the one.

    Returns
    -------
    title
        What is compared.
    pairs
        Cells, each with the one that it is compared with.

    Raises
    ------
    ResultsError
        There is no such run or cell, or nothing to compare.
    """
    first, preset, rating = split_reference(one)
    cells = measure_ladder(open_ladder(first))
    if other is None:
        if preset is not None:
            pick(cells, preset, rating, first)
        references = references_of(next(iter(cells.values())).ladder)
        pairs = [
            (cell, cells[references[name], system])
            for (name, system), cell in cells.items()
            if (references.get(name), system) in cells and preset in (None, name) and rating in (None, system)
        ]
        if not pairs:
            raise ResultsError(f"{one}: nothing to compare within it; name another run or cell: {FORMS}")
        return f"{first}: each preset against its reference", pairs
    second, with_preset, with_rating = split_reference(other)
    is_same_run = Path(first).resolve() == Path(second).resolve()
    others = cells if is_same_run else measure_ladder(open_ladder(second))
    if preset is not None or with_preset is not None:
        known = preset or with_preset
        assert known is not None
        own = pick(cells, known, rating or with_rating, first)
        against = pick(others, with_preset or known, with_rating or own.cell.rating, second)
        if own.cell == against.cell and is_same_run:
            raise ResultsError(f"{one}, {other}: the same cell twice")
        return f"{one} against {other}", [(own, against)]
    if is_same_run:
        raise ResultsError(
            f"{one}, {other}: the same run twice; `ladder compare {first}` compares its presets with their references,"
            f" and two of its cells are named as {FORMS}"
        )
    pairs = [(cell, others[key]) for key, cell in cells.items() if key in others]
    if not pairs:
        names = [sorted({f"{preset}@{system}" for preset, system in found}) for found in (cells, others)]
        raise ResultsError(
            f"{one}, {other}: no cells of the same names ({', '.join(names[0])} against {', '.join(names[1])}); name"
            f" one of each: {FORMS}"
        )
    return f"{one} against {other}", pairs
