"""Totals: the sufficient statistics of a chunk, a batch or a whole cell, as whole numbers of any size.

Totals of parts add up to the totals of the whole, in any order, exactly. `Adder` makes them of a chunk's columns with
the kernel of `sums`, or, where its 64 bits might not do, slowly in Python's own integers. What ties the cells of a
family together (cross, gram, changed, settled) is there in runs with a design alone (`pairs` makes it).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from sim.tournament.quantities import (
    BIT,
    DIFFERENCE,
    ONE,
    PATTERNS_COLUMN,
    SQUARE,
    SUM,
    VALUE,
    make_pairs,
    make_quantities,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.game import Columns, Seeds
    from sim.tournament.quantities import Quantity

SEATS: Final = 4
Kind = Literal["strategy", "seat", "slot"]
_ALL_UNITS: Final = "points"
"""The quantity whose squares are kept for slots too, as a test of balance."""
_ROOM: Final = 2**63
_WIDEST: Final = 2**20
"""Values farther apart than this are sorted, not counted in an array."""


@dataclass
class Totals:
    """Sums over the deals of some walls of one cell."""

    groups: int
    """Strategies in the line-up."""
    walls: int = 0
    """Walls, which is blocks."""
    sums: dict[str, list[int]] = field(default_factory=dict)
    """For each quantity its sum by slot and seat, at 4 * slot + seat."""
    products: dict[str, list[int]] = field(default_factory=dict)
    """For ``a`` (squares) and ``a*b`` (products) the sum over blocks of products of block sums, by unit: strategies,
    seats, and for points slots."""
    cross: dict[str, list[int]] = field(default_factory=dict)
    """For ``a`` and ``a*b`` the sum over blocks of the block sum of a in this cell times that of b (``a``: of a again)
    in the reference cell, on the same walls; by unit as in `products`. Both ``a*b`` and ``b*a`` of every pair of
    `products`. Empty for the reference itself, and in runs without a design."""
    gram: dict[str, list[int]] = field(default_factory=dict)
    """For points alone, by unit (strategies, seats): the sum over blocks of the block sum in this cell times that in
    another cell of its family, whose number is the key: each with a lower number. The key ``settled``: times that of
    `settled`. Families of more than `pairs.GRAM_CELLS` cells have none of other cells."""
    changed: int = 0
    """Deals in which the points of any seat differ from those in the reference cell, on the same wall and seating."""
    settled: Totals | None = None
    """What the decisions of the reference cell give under this cell's rules (with sums, products, cross and changed of
    its own); None where these rules differ in more than the settlement, and for a cell with source "settled", whose
    own totals are these (`Cell.settled_of`)."""
    counts: list[dict[int, int]] = field(default_factory=list)
    """For each strategy, how often each number of points of one deal and seat came."""

    def add(self, other: Totals) -> None:
        """Add the totals of other walls of the same cell.

        Parameters
        ----------
        other
            Totals of the same quantities.
        """
        self.walls += other.walls
        self.changed += other.changed
        for mine, theirs in (
            (self.sums, other.sums),
            (self.products, other.products),
            (self.cross, other.cross),
            (self.gram, other.gram),
        ):
            for name, numbers in theirs.items():
                before = mine.get(name)
                mine[name] = [a + b for a, b in zip(before, numbers, strict=True)] if before else list(numbers)
        if other.settled is not None:
            if self.settled is None:
                self.settled = Totals(other.settled.groups)
            self.settled.add(other.settled)
        self.counts = self.counts or [{} for _ in other.counts]
        for here, there in zip(self.counts, other.counts, strict=True):
            for points, count in there.items():
                here[points] = here.get(points, 0) + count

    def sum_of(self, name: str, kind: Kind, index: int, groups: Sequence[int] = ()) -> int:
        """Give a quantity's sum over all deals of a unit.

        Parameters
        ----------
        name
            The quantity.
        kind, index
            The unit: which strategy, seat or slot.
        groups
            For a strategy: the group of each slot.
        """
        places = self.sums[name]
        if kind == "seat":
            return sum(places[index::SEATS])
        slots = [index] if kind == "slot" else [slot for slot in range(SEATS) if groups[slot] == index]
        return sum(sum(places[SEATS * slot : SEATS * slot + SEATS]) for slot in slots)

    def product_of(self, one: str, other: str, kind: Kind, index: int) -> int:
        """Give the sum over blocks of the product of two quantities' block sums.

        Parameters
        ----------
        one, other
            The quantities; the same one for its squares.
        kind, index
            The unit.
        """
        return self.products[pair_key(one, other)][self._place(kind, index)]

    def cross_of(self, one: str, other: str, kind: Kind, index: int) -> int:
        """Give the sum over blocks of a quantity's block sum here times another's in the reference cell.

        Parameters
        ----------
        one, other
            The quantities, here and there.
        kind, index
            The unit.
        """
        return self.cross[pair_key(one, other)][self._place(kind, index)]

    def gram_of(self, other: int | Literal["settled"], kind: Kind, index: int) -> int:
        """Give the sum over blocks of the points here times those of another cell.

        Parameters
        ----------
        other
            Number of a cell of the family, lower than that of this one; or "settled".
        kind, index
            The unit: a strategy or a seat.
        """
        return self.gram[str(other)][self._place(kind, index)]

    def _place(self, kind: Kind, index: int) -> int:
        """Give the place of a unit."""
        return {"strategy": 0, "seat": self.groups, "slot": self.groups + SEATS}[kind] + index

    def to_dict(self) -> dict[str, Any]:
        """Give the totals as plain data; what a run without a design lacks is left out."""
        data = {"walls": self.walls, "groups": self.groups, "sums": self.sums, "products": self.products}
        counts = [[number for pair in sorted(counts.items()) for number in pair] for counts in self.counts]
        more = {"counts": counts, "cross": self.cross, "gram": self.gram, "changed": self.changed}
        data |= {name: value for name, value in more.items() if value}
        return data if self.settled is None else {**data, "settled": self.settled.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Totals:
        """Make totals of what `to_dict` gave."""
        return cls(
            data["groups"],
            data["walls"],
            dict(data["sums"]),
            dict(data["products"]),
            dict(data.get("cross", {})),
            dict(data.get("gram", {})),
            data.get("changed", 0),
            cls.from_dict(data["settled"]) if "settled" in data else None,
            [dict(zip(flat[::2], flat[1::2], strict=True)) for flat in data.get("counts", ())],
        )


def pair_key(one: str, other: str) -> str:
    """Give the key under which products of two quantities are kept.

    Parameters
    ----------
    one, other
        The quantities; the same one for its squares.

    Examples
    --------
    >>> pair_key("fan", "won"), pair_key("points", "points")
    ('fan*won', 'points')
    """
    return one if one == other else f"{one}*{other}"


class Adder:
    """Makes totals of columns."""

    def __init__(self, columns: Sequence[str], patterns: Sequence[str]) -> None:
        self.quantities = make_quantities(columns, patterns)
        self.columns = tuple(columns)
        index = {item.name: place for place, item in enumerate(self.quantities)}
        squares = [(item.name, item.name) for item in self.quantities if item.has_squares]
        self.pairs = (*squares, *make_pairs(self.quantities))
        self._recipes = np.array([self._recipe(item) for item in self.quantities], dtype=np.int64)
        self._pairs = np.array([[index[one], index[other], 0] for one, other in self.pairs], dtype=np.int64)

    def _recipe(self, item: Quantity) -> tuple[int, int, int, int, int]:
        """Write a quantity as the kernel reads it."""
        column = self.columns.index(item.column) if item.column else 0
        second = self.columns.index(item.other) if item.operation in (DIFFERENCE, SUM) else item.low
        third = item.low if item.operation == SUM else item.high
        return item.operation, column, second, third, self._patterns

    @property
    def _patterns(self) -> int:
        """The place of the column of patterns, if there is one."""
        return self.columns.index(PATTERNS_COLUMN) if PATTERNS_COLUMN in self.columns else 0

    def add_up(self, columns: Columns, seatings: Seeds, groups: Sequence[int]) -> Totals:
        """Add up the columns of one chunk.

        Parameters
        ----------
        columns : int32, shape (c, n * m * 4)
            Rows by wall, seating and seat.
        seatings : int64, shape (m, 4)
            Slot in each seat.
        groups
            The group of each slot.

        Returns
        -------
        Totals
            Exact.
        """
        from sim.tournament.sums import add_up  # noqa: PLC0415 - loads Numba

        units = max(groups) + 1 + 2 * SEATS
        pairs = self._pairs.copy()
        pairs[:, 2] = [units if one == _ALL_UNITS else units - SEATS for one, _ in self.pairs]
        sums = np.zeros((len(self.quantities), SEATS * SEATS), dtype=np.int64)
        products = np.zeros((len(pairs), units), dtype=np.int64)
        largest = np.zeros(len(self.quantities), dtype=np.int64)
        slots = np.array(groups, dtype=np.int64)
        add_up(np.ascontiguousarray(columns), self._recipes, pairs, seatings, slots, sums, products, largest)
        rows = columns.shape[1]
        places = seatings.size
        tops = [int(top) for top in largest]
        fits = all(top * rows < _ROOM for top in tops) and all(
            tops[one] * places * tops[other] * places * (rows // places) < _ROOM for one, other, _ in pairs.tolist()
        )
        if not fits:
            return self.add_up_slowly(columns, seatings, groups)
        totals = self._totals(rows // places, sums, products, pairs[:, 2].tolist(), max(groups) + 1)
        totals.counts = self._count(columns, seatings, groups)
        return totals

    def add_up_slowly(self, columns: Columns, seatings: Seeds, groups: Sequence[int]) -> Totals:
        """Do the same in Python's own integers: slow, obvious, and never too large.

        Parameters
        ----------
        columns, seatings, groups
            As in `add_up`.
        """
        blocks, sums = self.blocks_slowly(columns, seatings, groups)
        count = max(groups) + 1
        units = [count + (2 * SEATS if one == _ALL_UNITS else SEATS) for one, _ in self.pairs]
        products = [
            [int((blocks[one][unit] * blocks[other][unit]).sum()) for unit in range(units[place])]
            for place, (one, other) in enumerate(self.pairs)
        ]
        totals = self._totals(columns.shape[1] // seatings.size, sums, products, units, count)
        totals.counts = self._count(columns, seatings, groups)
        return totals

    def blocks_slowly(
        self, columns: Columns, seatings: Seeds, groups: Sequence[int]
    ) -> tuple[dict[str, Any], list[list[int]]]:
        """Give the block sums of all quantities, and their sums by slot and seat, in Python's own integers.

        Parameters
        ----------
        columns, seatings, groups
            As in `add_up`.

        Returns
        -------
        blocks
            For each quantity, by unit (strategies, seats, slots), an array of objects with one number a wall.
        sums
            For each quantity, by 4 * slot + seat.
        """
        groups = tuple(groups)
        count = max(groups) + 1
        walls = columns.shape[1] // seatings.size
        shape = (walls, len(seatings), SEATS)
        blocks: dict[str, Any] = {}
        sums = []
        for item in self.quantities:
            values = self._values(item, columns).reshape(shape)
            by_seat = [values[:, :, seat].sum(axis=1) for seat in range(SEATS)]
            by_place = np.zeros((SEATS, SEATS, walls), dtype=object)
            for number, seating in enumerate(seatings.tolist()):
                for seat, slot in enumerate(seating):
                    by_place[slot, seat] += values[:, number, seat]
            by_slot = [by_place[slot].sum(axis=0) for slot in range(SEATS)]
            by_group = [sum(by_slot[slot] for slot in range(SEATS) if groups[slot] == group) for group in range(count)]
            blocks[item.name] = [*by_group, *by_seat, *by_slot]
            sums.append([int(by_place[place // SEATS, place % SEATS].sum()) for place in range(SEATS * SEATS)])
        return blocks, sums

    def _count(self, columns: Columns, seatings: Seeds, groups: Sequence[int]) -> list[dict[int, int]]:
        """Count for each strategy how often each number of points came."""
        points = columns[self.columns.index(_ALL_UNITS)].reshape(-1, seatings.size)
        group_of_place = np.array(groups, dtype=np.int64)[seatings.ravel()]
        found = []
        for group in range(max(groups) + 1):
            values, counts = _count_values(points[:, group_of_place == group].ravel())
            found.append(dict(zip(values, counts, strict=True)))
        return found

    def _values(self, item: Quantity, columns: Columns) -> Any:
        """Give a quantity of all deals and seats, as Python's own integers."""
        if item.operation == ONE:
            return np.ones(columns.shape[1], dtype=object)
        value = columns[self.columns.index(item.column)].astype(object)
        if item.operation == VALUE:
            return value
        if item.operation == DIFFERENCE:
            return value - columns[self.columns.index(item.other)].astype(object)
        if item.operation == SQUARE:
            return value * value
        if item.operation == SUM:
            last = self.columns.index(item.other)
            value = sum(columns[place].astype(object) for place in range(self.columns.index(item.column), last + 1))
            return value * (1 if item.low < 0 else columns[self._patterns].astype(object) // 2**item.low % 2)
        if item.operation == BIT:
            return value // 2**item.low % 2
        return np.array([int(item.low <= one <= item.high) for one in value], dtype=object)

    def _totals(self, walls: int, sums: Any, products: Any, units: Sequence[int], groups: int) -> Totals:
        """Put totals together."""
        return Totals(
            groups,
            walls,
            {item.name: [int(n) for n in numbers] for item, numbers in zip(self.quantities, sums, strict=True)},
            {
                pair_key(one, other): [int(n) for n in numbers[:count]]
                for (one, other), numbers, count in zip(self.pairs, products, units, strict=True)
            },
        )


def _count_values(values: Any) -> tuple[list[int], list[int]]:
    """Give the different values of some whole numbers, in order, and how often each comes."""
    low, high = int(values.min()), int(values.max())
    if high - low > _WIDEST:
        found, counts = np.unique(values, return_counts=True)
    else:
        every = np.bincount(values.astype(np.int64) - low)
        places = np.flatnonzero(every)
        found, counts = places + low, every[places]
    return found.tolist(), counts.tolist()
