"""Totals: the sufficient statistics of a chunk, a batch or a whole cell, as whole numbers of any size.

Totals of parts add up to the totals of the whole, in any order, exactly. `adder` makes them of a chunk's columns; what
ties the cells of a family together (cross, gram, changed, settled) is there in runs with a design alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SEATS: Final = 4
Kind = Literal["strategy", "seat", "slot"]


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
    changed_walls: int = 0
    """Walls with such a deal."""
    settled: Totals | None = None
    """What the decisions of the reference cell give under this cell's rules (with sums, products, cross and changed of
    its own); None where these rules differ in more than the settlement, and for a cell with source "settled", whose
    own totals are these (`Cell.settled_of`)."""
    counts: list[dict[int, int]] = field(default_factory=list)
    """For each strategy, how often each number of points of one deal and seat came."""
    slots: dict[str, list[int]] = field(default_factory=dict)
    """Sums of products of the points of two slots, at 4 * slot + other slot: ``deal`` over deals, ``wall`` of their
    block sums over walls. For each strategy, then all together: ``squares``, the sum over walls of the square of the
    block sum of squared points, and ``squares*points``, of that block sum times the one of points."""

    def add(self, other: Totals) -> None:
        """Add the totals of other walls of the same cell.

        Parameters
        ----------
        other
            Totals of the same quantities.
        """
        self.walls += other.walls
        self.changed += other.changed
        self.changed_walls += other.changed_walls
        for mine, theirs in (
            (self.sums, other.sums),
            (self.products, other.products),
            (self.cross, other.cross),
            (self.gram, other.gram),
            (self.slots, other.slots),
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
        more = {"counts": counts, "slots": self.slots, "cross": self.cross, "gram": self.gram, "changed": self.changed}
        more["changed_walls"] = self.changed_walls
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
            data.get("changed_walls", 0),
            cls.from_dict(data["settled"]) if "settled" in data else None,
            [dict(zip(flat[::2], flat[1::2], strict=True)) for flat in data.get("counts", ())],
            dict(data.get("slots", {})),
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
