"""The kernel that adds up a chunk: sums, and sums of products of block sums, also with another cell's; whole numbers.

A *unit* is what has one number a block: each strategy of the line-up (all its slots together), each seat, each slot.
Walls are taken in small groups, whose block sums stay near the processor for all quantities and pairs of quantities.

Not in here: what the quantities are (`quantities`), who calls this and makes sure that nothing overflows (`adder`).
"""

import numpy as np

from sim.jit import Columns, Ints, Ints2, driver, inlined

SEATS = 4
TILE = 32
"""Walls that are added up together."""


@inlined
def fill_values(columns: Columns, recipes: Ints2, quantity: int, first: int, walls: int, values: Ints2) -> None:
    """Fill in a quantity of some walls, turned so that the walls of one place stand together.

    Parameters
    ----------
    columns : int32[:, :], read
        One row a column, one entry a deal and seat, by wall, seating, seat.
    recipes : int64[:, :], read
        For each quantity its operation (`quantities.ONE` ...), columns a and b or bounds b and c, and the column of the
        patterns: (operation, a, b, c, patterns).
    quantity : int64, read
        Which quantity.
    first : int64, read
        The first wall.
    walls : int64, read
        How many walls, at most TILE.
    values : int64[:, :], filled
        One row a place (4 * seating + seat), one entry a wall.
    """
    places = len(values)
    operation, a, b, c = recipes[quantity, 0], recipes[quantity, 1], recipes[quantity, 2], recipes[quantity, 3]
    row = first * places
    for wall in range(walls):
        for place in range(places):
            values[place, wall] = np.int64(columns[a, row])
            if operation == 2:
                values[place, wall] -= np.int64(columns[b, row])
            elif operation == 6:
                for column in range(a + 1, b + 1):
                    values[place, wall] += np.int64(columns[column, row])
                if c >= 0:
                    values[place, wall] *= (np.int64(columns[recipes[quantity, 4], row]) >> c) & 1
            row += 1
    if operation in (1, 2, 6):
        return
    for place in range(places):
        for wall in range(walls):
            value = values[place, wall]
            if operation == 0:
                values[place, wall] = 1
            elif operation == 3:
                values[place, wall] = np.int64(b <= value) & np.int64(value <= c)
            elif operation == 4:
                values[place, wall] = (value >> b) & 1
            else:
                values[place, wall] = value * value


@inlined
def fill_blocks(
    columns: Columns,
    recipes: Ints2,
    seatings: Ints2,
    groups: Ints,
    first: int,
    walls: int,
    values: Ints2,
    blocks: Ints2,
    sums: Ints2,
    largest: Ints,
) -> None:
    """Fill in the block sums of all quantities for some walls.

    Parameters
    ----------
    columns : int32[:, :], read
        As in `fill_values`.
    recipes : int64[:, :], read
        As in `fill_values`.
    seatings : int64[:, :], read
        As in `add_up`.
    groups : int64[:], read
        As in `add_up`.
    first : int64, read
        The first wall.
    walls : int64, read
        How many walls, at most TILE.
    values : int64[:, :], filled
        Room for one quantity.
    blocks : int64[:, :], filled
        For each quantity a row for each unit: groups, then seats, then slots; one entry a wall.
    sums : int64[:, :], changed
        As in `add_up`.
    largest : int64[:], changed
        As in `add_up`.
    """
    places = len(values)
    units = len(blocks) // len(recipes)
    seat_units = units - 2 * SEATS
    slot_units = units - SEATS
    blocks[:, :] = 0
    for quantity in range(len(recipes)):
        fill_values(columns, recipes, quantity, first, walls, values)
        base = quantity * units
        most = largest[quantity]
        for place in range(places):
            slot = seatings[place // SEATS, place % SEATS]
            seat_row = base + seat_units + place % SEATS
            slot_row = base + slot_units + slot
            group_row = base + groups[slot]
            total = 0
            for wall in range(walls):
                value = values[place, wall]
                total += value
                most = max(most, abs(value))
                blocks[seat_row, wall] += value
                blocks[slot_row, wall] += value
                blocks[group_row, wall] += value
            sums[quantity, SEATS * slot + place % SEATS] += total
        largest[quantity] = most


@inlined
def add_products(one_blocks: Ints2, other_blocks: Ints2, units: int, walls: int, pairs: Ints2, products: Ints2) -> None:
    """Add the products of block sums of some walls.

    Parameters
    ----------
    one_blocks : int64[:, :], read
        Block sums of one cell, as `fill_blocks` gives them.
    other_blocks : int64[:, :], read
        Those of another one, or the same again.
    units : int64, read
        Rows of each quantity in both.
    walls : int64, read
        How many walls.
    pairs : int64[:, :], read
        As in `add_up`.
    products : int64[:, :], changed
        As in `add_up`.
    """
    for pair in range(len(pairs)):
        one = pairs[pair, 0] * units
        other = pairs[pair, 1] * units
        for unit in range(pairs[pair, 2]):
            total = 0
            for wall in range(walls):
                total += one_blocks[one + unit, wall] * other_blocks[other + unit, wall]
            products[pair, unit] += total


@driver
def add_up(
    columns: Columns,
    reference: Columns,
    recipes: Ints2,
    pairs: Ints2,
    seatings: Ints2,
    groups: Ints,
    sums: Ints2,
    products: Ints2,
    cross: Ints2,
    largest: Ints2,
) -> None:
    """Add up a chunk.

    Parameters
    ----------
    columns : int32[:, :], read
        As in `fill_values`.
    reference : int32[:, :], read
        Those of the reference cell for the same walls; without entries if there is none.
    recipes : int64[:, :], read
        As in `fill_values`.
    pairs : int64[:, :], read
        Pairs of quantities whose products are wanted (the same one twice for its squares), and for how many units;
        those after the last row of `products` with the reference only.
    seatings : int64[:, :], read
        Slot in each seat, for each seating.
    groups : int64[:], read
        Group of each slot: its strategy's place among the line-up's strategies.
    sums : int64[:, :], changed
        For each quantity its sum by slot and seat, at 4 * slot + seat.
    products : int64[:, :], changed
        For each pair its sum of products of block sums, by unit: groups, then seats, then slots.
    cross : int64[:, :], changed
        The same of block sums of the first quantity here and of the second one in the reference.
    largest : int64[:, :], changed
        For each quantity the largest absolute value of one deal and seat: here, and in the reference.
    """
    places = len(seatings) * SEATS
    all_walls = columns.shape[1] // places
    units = products.shape[1]
    values = np.zeros((places, TILE), dtype=np.int64)
    blocks = np.zeros((len(recipes) * units, TILE), dtype=np.int64)
    others = np.zeros_like(blocks)
    unused = np.zeros_like(sums)
    for first in range(0, all_walls, TILE):
        walls = min(TILE, all_walls - first)
        fill_blocks(columns, recipes, seatings, groups, first, walls, values, blocks, sums, largest[0])
        add_products(blocks, blocks, units, walls, pairs[: len(products)], products)
        if reference.shape[1] > 0:
            fill_blocks(reference, recipes, seatings, groups, first, walls, values, others, unused, largest[1])
            add_products(blocks, others, units, walls, pairs, cross)
