"""The adder: makes totals of a chunk's columns, alone or paired with those of the reference cell on the same walls.

It does so with the kernel of `sums`, or, where its 64 bits might not do, slowly in Python's own integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

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
from sim.tournament.totals import SEATS, Totals, pair_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.tournament.game import Columns, Seeds
    from sim.tournament.quantities import Quantity

_ALL_UNITS: Final = "points"
"""The quantity whose squares are kept for slots too, as a test of balance."""
_ROOM: Final = 2**63
_WIDEST: Final = 2**20
"""Values farther apart than this are sorted, not counted in an array."""
Blocks = npt.NDArray[np.int64]
"""One number a unit and wall."""


class _Chunk(NamedTuple):
    """What is added up."""

    columns: Columns
    seatings: Seeds
    groups: Sequence[int]
    reference: Columns | None

    @property
    def walls(self) -> int:
        """How many walls."""
        return int(self.columns.shape[1] // self.seatings.size)


class Adder:
    """Makes totals of columns."""

    def __init__(self, columns: Sequence[str], patterns: Sequence[str]) -> None:
        self.quantities = make_quantities(columns, patterns)
        self.columns = tuple(columns)
        index = {item.name: place for place, item in enumerate(self.quantities)}
        squares = [(item.name, item.name) for item in self.quantities if item.has_squares]
        self.pairs = (*squares, *make_pairs(self.quantities))
        self.cross_pairs = (*self.pairs, *((other, one) for one, other in self.pairs if one != other))
        self._recipes = np.array([self._recipe(item) for item in self.quantities], dtype=np.int64)
        self._pairs = np.array([[index[one], index[other], 0] for one, other in self.cross_pairs], dtype=np.int64)

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

    def add_up(
        self, columns: Columns, seatings: Seeds, groups: Sequence[int], reference: Columns | None = None
    ) -> Totals:
        """Add up the columns of one chunk.

        Parameters
        ----------
        columns : int32, shape (c, n * m * 4)
            Rows by wall, seating and seat.
        seatings : int64, shape (m, 4)
            Slot in each seat.
        groups
            The group of each slot.
        reference : int32, shape (c, n * m * 4)
            Columns of the reference cell for the same walls, for cross and changed; absent if there is none.

        Returns
        -------
        Totals
            Exact.
        """
        from sim.tournament.sums import add_up  # noqa: PLC0415 - loads Numba

        count = max(groups) + 1
        pairs = self._pairs.copy()
        pairs[:, 2] = [self._units(one, other, count) for one, other in self.cross_pairs]
        sums = np.zeros((len(self.quantities), SEATS * SEATS), dtype=np.int64)
        products = np.zeros((len(self.pairs), count + 2 * SEATS), dtype=np.int64)
        cross = np.zeros((len(pairs), count + 2 * SEATS), dtype=np.int64)
        largest = np.zeros((2, len(self.quantities)), dtype=np.int64)
        columns = np.ascontiguousarray(columns)
        others = columns[:, :0] if reference is None else reference
        others = np.ascontiguousarray(others)
        slots = np.array(groups, dtype=np.int64)
        add_up(columns, others, self._recipes, pairs, seatings, slots, sums, products, cross, largest)
        if not self._fits(largest.tolist(), columns.shape[1], seatings.size):
            return self.add_up_slowly(columns, seatings, groups, reference)
        return self._totals(_Chunk(columns, seatings, groups, reference), sums, products, cross)

    def _fits(self, tops: Sequence[Sequence[int]], rows: int, places: int) -> bool:
        """Tell whether no sum can have left 64 bits."""
        here, there = tops
        factor = places * places * (rows // places)
        return all(top * rows < _ROOM for top in here) and all(
            here[one] * max(here[other], there[other]) * factor < _ROOM for one, other, _ in self._pairs.tolist()
        )

    def _units(self, one: str, other: str, groups: int) -> int:
        """Give for how many units a product is kept."""
        return groups + (2 * SEATS if one == other == _ALL_UNITS else SEATS)

    def add_up_slowly(
        self, columns: Columns, seatings: Seeds, groups: Sequence[int], reference: Columns | None = None
    ) -> Totals:
        """Do the same in Python's own integers: slow, obvious, and never too large.

        Parameters
        ----------
        columns, seatings, groups, reference
            As in `add_up`.
        """
        blocks, sums = self.blocks_slowly(columns, seatings, groups)
        count = max(groups) + 1
        theirs = blocks if reference is None else self.blocks_slowly(reference, seatings, groups)[0]

        def multiply(one: str, other: str, others: Mapping[str, Any]) -> list[int]:
            units = range(self._units(one, other, count))
            return [int((blocks[one][unit] * others[other][unit]).sum()) for unit in units]

        products = [multiply(one, other, blocks) for one, other in self.pairs]
        cross = [multiply(one, other, theirs) for one, other in self.cross_pairs]
        return self._totals(_Chunk(columns, seatings, groups, reference), sums, products, cross, exact=True)

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

    def _multiply_slots(self, chunk: _Chunk, *, exact: bool) -> dict[str, list[int]]:
        """Add up products of the points of two slots, over deals and of block sums over walls; and of their squares."""
        points = chunk.columns[self.columns.index(_ALL_UNITS)].reshape(-1, len(chunk.seatings), SEATS)
        by_slot = np.take_along_axis(points, np.argsort(chunk.seatings, axis=1)[None], axis=2)
        top = int(np.abs(points).max(initial=0)) * len(chunk.seatings)
        if top * top * chunk.walls >= 2**53:  # beyond it doubles, which are multiplied fastest, are not exact
            exact = True
        by_slot = by_slot.astype(object if exact else np.float64)
        found = {}
        for name, rows in (("deal", by_slot.reshape(-1, SEATS)), ("wall", by_slot.sum(axis=1))):
            found[name] = [int(number) for number in (rows.T @ rows).ravel()]
        squares, sums = (by_slot * by_slot).sum(axis=1), by_slot.sum(axis=1)
        groups = np.array([[slot == group for slot in chunk.groups] for group in range(max(chunk.groups) + 1)])
        members = np.concatenate([groups, np.ones((1, SEATS), dtype=bool)]).astype(by_slot.dtype)
        by_group, points = members @ squares.T, members @ sums.T
        if float(by_group.max(initial=0)) ** 2 * chunk.walls >= 2**53:
            whole = np.frompyfunc(int, 1, 1)  # Python's own integers, of any size
            by_group, points = whole(by_group), whole(points)
        found["squares"] = [int(number) for number in (by_group * by_group).sum(axis=1)]
        found["squares*points"] = [int(number) for number in (by_group * points).sum(axis=1)]
        return found

    def _totals(self, chunk: _Chunk, sums: Any, products: Any, cross: Any, *, exact: bool = False) -> Totals:
        """Put totals together."""
        count = max(chunk.groups) + 1

        def name(pairs: Sequence[tuple[str, str]], numbers: Any) -> dict[str, list[int]]:
            named = zip(pairs, _plain(numbers), strict=True)
            return {pair_key(*pair): row[: self._units(*pair, count)] for pair, row in named}

        found = Totals(count, chunk.walls)
        found.sums = {item.name: row for item, row in zip(self.quantities, _plain(sums), strict=True)}
        found.products = name(self.pairs, products)
        found.counts = self._count(chunk.columns, chunk.seatings, chunk.groups)
        found.slots = self._multiply_slots(chunk, exact=exact)
        if chunk.reference is not None:
            found.cross = name(self.cross_pairs, cross)
            points = self.columns.index(_ALL_UNITS)
            differs = (chunk.columns[points] != chunk.reference[points]).reshape(-1, len(chunk.seatings), SEATS)
            deals = differs.any(axis=2)
            found.changed, found.changed_walls = int(deals.sum()), int(deals.any(axis=1).sum())
        return found

    def block_points(self, columns: Columns, seatings: Seeds, groups: Sequence[int]) -> Blocks:
        """Give the points of each block.

        Parameters
        ----------
        columns, seatings, groups
            As in `add_up`.

        Returns
        -------
        int64, shape (strategies + 4, n)
            By strategy, then by seat; exact.
        """
        points = columns[self.columns.index("points")].reshape(-1, len(seatings), SEATS).astype(np.int64)
        found = np.zeros((max(groups) + 1 + SEATS, len(points)), dtype=np.int64)
        for number, seating in enumerate(seatings.tolist()):
            for seat, slot in enumerate(seating):
                found[groups[slot]] += points[:, number, seat]
                found[max(groups) + 1 + seat] += points[:, number, seat]
        return found


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


def _plain(numbers: Any) -> list[list[int]]:
    """Give rows of whole numbers, of an array or of lists, as Python's own."""
    rows: list[list[int]] = numbers.tolist() if isinstance(numbers, np.ndarray) else [list(row) for row in numbers]
    return rows
