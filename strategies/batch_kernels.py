"""The helpers of batch strategies: over many deals at once, each asked for one seat. Nothing is copied."""

from typing import Annotated

import numpy as np
import numpy.typing as npt

from sim.engine.hands.hand import KINDS, NONE, RANKS, SUITS, draw_lot, lowest_kind
from sim.engine.hands.lookup import Lookup
from sim.engine.hands.shanten import count_shanten, count_shanten_without, mark_useful_without
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, SEATS, TURN, WIN_ACTION, count_live
from sim.jit import Ints, Ints2, Records, cached_in, driver
from strategies.calculator import estimate_danger, least_shanten, value_if_completed
from strategies.compiling import HELPERS_CACHE

Truths2 = Annotated[npt.NDArray[np.bool_], 2]
"""A two-dimensional array of truth values."""
Planes = Annotated[npt.NDArray[np.float32], 3]
"""A three-dimensional array of float32."""
Thousandths = Annotated[npt.NDArray[np.float64], 3]
"""A three-dimensional array of float64."""


def _count_steps(deals: Records[Deal], rows: Ints, seats: Ints, lookups: Records[Lookup], steps: Ints) -> None:
    for row in range(steps.shape[0]):
        steps[row] = least_shanten(deals[rows[row]].hands[seats[row]], lookups[0])


def _count_steps_without_suits(
    deals: Records[Deal], rows: Ints, seats: Ints, lookups: Records[Lookup], steps: Ints2
) -> None:
    for row in range(steps.shape[0]):
        for suit in range(SUITS):
            steps[row, suit] = count_shanten(deals[rows[row]].hands[seats[row]], suit, lookups[0])


def _mark_legal(deals: Records[Deal], rows: Ints, seats: Ints, mask: Truths2) -> None:
    for row in range(mask.shape[0]):
        deal = deals[rows[row]]
        hand = deal.hands[seats[row]]
        for kind in range(KINDS):
            mask[row, kind] = (hand.legal_discards >> kind) & 1 == 1
            mask[row, KONG_ACTION + kind] = (hand.legal_kongs >> kind) & 1 == 1
        mask[row, WIN_ACTION] = hand.legal_win == 1
        mask[row, PASS_ACTION] = deal.table.decision > TURN
        mask[row, PUNG_ACTION] = hand.legal_pung == 1


def _count_live(deals: Records[Deal], rows: Ints, seats: Ints, live: Ints2) -> None:
    for row in range(live.shape[0]):
        deal = deals[rows[row]]
        for kind in range(KINDS):
            live[row, kind] = count_live(deal.hands[seats[row]], deal.table, kind)


def _compare_discards(
    deals: Records[Deal], rows: Ints, seats: Ints, lookups: Records[Lookup], steps: Ints2, useful: Ints2
) -> None:
    lookup = lookups[0]
    for row in range(steps.shape[0]):
        deal = deals[rows[row]]
        hand = deal.hands[seats[row]]
        for kind in range(KINDS):
            if (hand.legal_discards >> kind) & 1:
                steps[row, kind] = count_shanten_without(hand, kind, hand.void_suit, lookup)
                kinds = mark_useful_without(hand, kind, hand.void_suit, lookup)
                count = 0
                while kinds:
                    count += count_live(hand, deal.table, lowest_kind(kinds))
                    kinds &= kinds - 1
                useful[row, kind] = count
            else:
                steps[row, kind] = 99
                useful[row, kind] = 0


def _find_waits(deals: Records[Deal], rows: Ints, seats: Ints, lookups: Records[Lookup], waits: Ints) -> None:
    for row in range(waits.shape[0]):
        waits[row] = mark_waits(deals[rows[row]].hands[seats[row]], lookups[0])


def _value_waits(
    deals: Records[Deal],
    rows: Ints,
    seats: Ints,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    is_self_draw: int,
    values: Ints2,
) -> None:
    for row in range(values.shape[0]):
        deal = deals[rows[row]]
        hand = deal.hands[seats[row]]
        waits = mark_waits(hand, lookups[0])
        while waits:
            kind = lowest_kind(waits)
            waits &= waits - 1
            values[row, kind] = value_if_completed(hand, deal.table, all_rules[0], lookups[0], kind, is_self_draw)


def _estimate_dangers(deals: Records[Deal], rows: Ints, seats: Ints, dangers: Thousandths) -> None:
    for row in range(dangers.shape[0]):
        deal = deals[rows[row]]
        hand = deal.hands[seats[row]]
        for seat in range(SEATS):
            for kind in range(KINDS):
                is_own = seat == seats[row]
                dangers[row, seat, kind] = 0 if is_own else estimate_danger(hand, deal.table, kind, seat) / 1000


def _fill_planes(deals: Records[Deal], rows: Ints, seats: Ints, planes: Planes) -> None:
    for row in range(planes.shape[0]):
        deal = deals[rows[row]]
        own = seats[row]
        hand = deal.hands[own]
        table = deal.table
        for kind in range(KINDS):
            planes[row, kind, 0] = hand.counts[kind]
            planes[row, kind, 1] = count_live(hand, table, kind)
            planes[row, kind, 2] = ((hand.pungs | hand.kongs) >> kind) & 1
            for step in range(SEATS):
                seat = (own + step) & 3
                void_suit = hand.void_suit if step == 0 else table.void_suits[seat]
                planes[row, kind, 3 + step] = table.thrown[seat, kind]
                planes[row, kind, 7 + step] = 1 if void_suit != NONE and kind // RANKS == void_suit else 0
            planes[row, kind, 11] = 1 if table.tile == kind else 0


def _draw_lots(deals: Records[Deal], rows: Ints, seats: Ints, bounds: Ints, lots: Ints) -> None:
    for row in range(lots.shape[0]):
        lots[row] = draw_lot(deals[rows[row]].hands[seats[row]], bounds[row])


with cached_in(HELPERS_CACHE):
    count_steps = driver(_count_steps)
    """(deals, rows, seats, lookups, steps): fills each hand's shanten."""
    count_steps_without_suits = driver(_count_steps_without_suits)
    """(deals, rows, seats, lookups, steps): fills each hand's shanten without each suit."""
    mark_legal = driver(_mark_legal)
    """(deals, rows, seats, mask): fills the mask of legal actions of turns and claims."""
    count_all_live = driver(_count_live)
    """(deals, rows, seats, live): fills how many copies of each kind each player has not seen."""
    compare_discards = driver(_compare_discards)
    """(deals, rows, seats, lookups, steps, useful): fills what each legal discard leaves."""
    find_waits = driver(_find_waits)
    """(deals, rows, seats, lookups, waits): fills the mask of kinds that complete each hand of 13 tiles."""
    value_waits = driver(_value_waits)
    """(deals, rows, seats, rules, lookups, 1 if drawn, values): changes the value of each hand of 13 tiles by each
    wait."""
    estimate_dangers = driver(_estimate_dangers)
    """(deals, rows, seats, dangers): fills how dangerous each kind is to each seat, 0 to 1."""
    fill_planes = driver(_fill_planes)
    """(deals, rows, seats, planes): fills the numbers for a network."""
    draw_lots = driver(_draw_lots)
    """(deals, rows, seats, bounds, lots): fills a lot from each hand's stream, which moves on."""
