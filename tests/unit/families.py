"""Families of cells of the fake game, with their columns, to check statistics made of sums against the rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.statistics.family import Family
from sim.tournament.adder import Adder
from sim.tournament.pairs import pair_up_slowly
from sim.tournament.plan import Cell
from sim.tournament.seating import make_seatings
from tests.fake_game import COLUMNS, NAMES, PATTERNS, load_strategy, play_walls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.statistics.family import Unit

ADDER = Adder([column.name for column in COLUMNS], PATTERNS)


@dataclass
class Played:
    """A family, and the columns that its totals were made of."""

    family: Family
    columns: dict[int, Any]
    settled: dict[int, Any]
    groups: list[int]

    def blocks(self, quantity: str, unit: Unit, columns: Any) -> Any:
        """Add up a quantity of a unit for each wall, straight from the columns."""
        seatings = np.array(self.family.reference.seatings)
        item = next(item for item in ADDER.quantities if item.name == quantity)
        values = ADDER._values(item, columns).astype(float).reshape(self.family.walls, -1, 4)
        if unit.who == "strategy":
            mask = np.array(self.groups)[seatings] == unit.index
        else:
            mask = np.zeros(seatings.shape, dtype=bool)
            mask[:, unit.index] = True
        return (values * mask).sum(axis=(1, 2))


def play_family(
    strategies: Sequence[str],
    walls: int,
    settings: Sequence[Mapping[str, Any]],
    *,
    reference: int = 0,
    settled: bool = False,
    first_wall: int = 0,
) -> Played:
    """Play the cells of a family with the fake game, whose only knob is ``cap``; other knobs shift the walls' lots.

    With ``settled``, every other cell gets settled totals: those of a cap one higher, which stand for anything.
    """
    slots = (list(strategies) * 4)[:4] if len(strategies) == 1 else (list(strategies) + list(strategies[1:]) * 2)[:4]
    seatings = make_seatings(slots, "auto")
    players = [load_strategy(name) for name in slots]
    names = list(dict.fromkeys(slots))
    groups = [names.index(name) for name in slots]
    array = np.array(seatings)

    def play(setting: Mapping[str, Any], more: int = 0) -> Any:
        cap = setting.get("cap", 3)
        rules = {"cap": (20 if cap == "none" else cap) + more + (2 if setting.get("exchange") == "left" else 0)}
        columns = play_walls(rules, players, np.arange(first_wall, first_wall + walls), array, "shared")
        if setting.get("lots"):
            columns = np.roll(columns, columns.shape[1] // walls * setting["lots"], axis=1)
        return columns

    columns = {index: play(setting) for index, setting in enumerate(settings)}
    again = {index: play(setting, 1) for index, setting in enumerate(settings) if settled and index != reference}
    keys = list(dict.fromkeys(key for setting in settings for key in setting))
    defaults = {"cap": 3, "exchange": "none", "lots": 0}
    cells, totals = [], {}
    for index, setting in enumerate(settings):
        cells.append(
            Cell(
                *(index, f"p{index}", "field", tuple(slots), seatings, walls, "base", dict(setting), reference),
                is_settled=index in again,
            )
        )
        totals[index] = pair_up_slowly(
            ADDER,
            columns[index],
            array,
            groups,
            reference=None if index == reference else columns[reference],
            earlier={other: columns[other] for other in range(index)},
            settled=again.get(index),
        )
    knobs = tuple({key: setting.get(key, defaults.get(key)) for key in keys} for setting in settings)
    return Played(Family("base", "field", tuple(cells), totals, knobs), columns, again, groups)


def grid(**levels: Sequence[Any]) -> list[dict[str, Any]]:
    """List all combinations of the levels of some knobs."""
    return [dict(zip(levels, values, strict=True)) for values in product(*levels.values())]


__all__ = ["ADDER", "NAMES", "Played", "grid", "play_family"]
