"""The same deal seen otherwise: with the seats turned, with suits renamed and ranks counted from the other end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.engine.hands.hand import KINDS, NONE, RANKS, SUITS
from sim.engine.sichuan.deal import DEALT, EVENTS, PER_SEAT, TILES, Deal
from sim.engine.sichuan.setup import packed_kind
from sim.engine.sichuan.table import DECISIONS, KONG_ACTION, SEATS, WIN_ACTION, Table
from tests.property.tables import Standing

# Every field of the two records is in exactly one of these, so that a new one cannot be forgotten.
TABLE_BY_SEAT = (
    *("void_suits", "active", "win_order", "win_forms", "win_tiles", "win_from", "points"),
    *("count_melds", "meld_kinds", "meld_forms", "meld_from", "thrown"),
)
TABLE_SEATS = ("turn", "win_from", "meld_from", "discard_seats")
TABLE_SAME = (
    *("decision", "tile", "after_kong", "after_pung", "direction", "tiles_left", "count_wins"),
    *("count_discards", "discard_kinds", "discard_claims", "seen"),
)
DEAL_BY_SEAT = (
    *("hands", "queue_next", "queue_last", "answers", "waits", "claimable", "gained", "paid"),
    *("win_scores", "win_values", "deal_ins", "robbed", "turns", "statuses"),
)
DEAL_SEATS = ("income_owners", "income_payers", "line_payers", "line_payees", "charge_seats")
DEAL_MASKS = ("asked", "asked_first", "charge_others")
DEAL_LINES = ("line_causes", "line_payers", "line_payees", "line_amounts", "line_events")
"""The ledger: at exhaustion its lines are in the order of seats 0 to 3."""
DEAL_INCOMES = ("income_owners", "income_payers", "income_amounts")
DEAL_CHARGES = ("charge_causes", "charge_seats", "charge_others", "charge_situations")
DEAL_SAME = (
    *("table", "wall", "wall_mode", "front", "back", "count_incomes", "income_amounts", "last_kong"),
    *("count_lines", "line_causes", "line_amounts", "line_events", "draws", "exhausted", "is_logged"),
    *("count_events", "events", "count_charges", "charge_causes", "charge_situations"),
)
assert sorted({*TABLE_BY_SEAT, *TABLE_SEATS, *TABLE_SAME}) == sorted(Table.dtype.names)
assert sorted({*DEAL_BY_SEAT, *DEAL_SEATS, *DEAL_MASKS, *DEAL_SAME}) == sorted(Deal.dtype.names)


def can_turn(deal: Any) -> bool:
    """Tell whether seats can be turned: seat 0 alone is dealer, and in `per_seat` its queue is one tile shorter."""
    return deal.wall_mode != PER_SEAT or max(deal.queue_last[seat] - deal.queue_next[seat] for seat in range(4)) < 14


def turn_seats(standing: Standing, steps: int) -> Standing:
    """Return the deal as it would be if everybody sat so many seats further in turn order; without its log."""
    turned = standing.copy()
    deal = turned.deal
    deal.is_logged = deal.count_events = 0
    if deal.wall_mode == PER_SEAT:
        _align_queues(deal)
    for record, names in ((deal.table, TABLE_BY_SEAT), (deal, DEAL_BY_SEAT)):
        for name in names:
            record[name] = np.roll(record[name], steps, axis=0)
    for record, names in ((deal.table, TABLE_SEATS), (deal, DEAL_SEATS)):
        for name in names:
            seats = np.asarray(record[name])
            record[name] = np.where(seats == NONE, NONE, (seats + steps) % SEATS)
    for name in DEAL_MASKS:
        deal[name] = sum((np.asarray(deal[name]) >> seat & 1) << (seat + steps) % SEATS for seat in range(SEATS))
    for seat in range(SEATS):
        deal.hands[seat].seat = seat
    if deal.wall_mode == PER_SEAT:
        rows = np.asarray(deal.wall[DEALT : TILES - 3]).reshape(-1, SEATS)
        deal.wall[DEALT : TILES - 3] = np.roll(rows, steps, axis=1).ravel()
    return turned


def _align_queues(deal: Any) -> None:
    """Let the tiles that are left in each queue begin at its first place."""
    for seat in range(SEATS):
        first, last = int(deal.queue_next[seat]), int(deal.queue_last[seat])
        places = DEALT + (seat + 3) % SEATS + SEATS * np.arange(first, last)
        deal.wall[places - SEATS * first] = deal.wall[places]
        deal.queue_next[seat], deal.queue_last[seat] = 0, last - first


def outcome_of(standing: Standing) -> dict[str, Any]:
    """Return what can be compared between a deal and its image, however the seats are turned."""
    deal = standing.deal
    hidden = {"wall", "front", "back", "queue_next", "queue_last", "is_logged", "count_events", "events"}
    lists = (*DEAL_LINES, *DEAL_INCOMES, *DEAL_CHARGES)
    names = [name for name in deal.dtype.names if name not in (*hidden, "table", "hands", *lists)]
    found: dict[str, Any] = {name: np.asarray(deal[name]).tolist() for name in names}
    for prefix, record in (("table", deal.table), *((f"hand {seat}", deal.hands[seat]) for seat in range(SEATS))):
        found |= {f"{prefix} {name}": np.asarray(record[name]).tolist() for name in record.dtype.names}
    incomes, lines = slice(int(deal.count_incomes)), slice(int(deal.count_lines))
    found |= {name: deal[name][incomes].tolist() for name in DEAL_INCOMES}
    found |= {name: deal[name][: int(deal.count_charges)].tolist() for name in DEAL_CHARGES}
    found["ledger"] = sorted(zip(*(deal[name][lines].tolist() for name in DEAL_LINES[:-1]), strict=True))
    return found


# --- suits renamed, ranks turned round ---

Image = Callable[[int], int]


def image_of(suits: Sequence[int], turned: Sequence[bool]) -> Image:
    """Return the function that calls suit s suits[s], and counts its ranks from the other end where it is turned."""

    def image(kind: int) -> int:
        if kind < 0:
            return kind
        suit, rank = divmod(kind, RANKS)
        return RANKS * suits[suit] + (RANKS - 1 - rank if turned[suit] else rank)

    return image


def image_of_mask(mask: int, image: Image) -> int:
    """Return the images of a mask's kinds, a mask."""
    return sum(1 << image(kind) for kind in range(KINDS) if int(mask) >> kind & 1)


def image_of_packed(packed: int, count: int, image: Image) -> int:
    """Return the image of an exchange, its kinds ascending again."""
    kinds = sorted(image(int(packed_kind(packed, index))) for index in range(count))
    return sum(kind << 5 * index for index, kind in enumerate(kinds))


def image_of_action(decision: str, action: int, count: int, image: Image) -> int:
    """Return the image of an answer."""
    if decision == "exchange":
        return image_of_packed(action, count, image)
    if decision == "void_suit":
        return image(RANKS * action) // RANKS
    if action >= WIN_ACTION:
        return action
    return KONG_ACTION + image(action - KONG_ACTION) if action >= KONG_ACTION else image(action)


def image_of_event(row: Sequence[int], count: int, image: Image) -> list[int]:
    """Return the image of a row of the log."""
    number, a, b, c, d, e, f = row
    name = EVENTS[number]
    if name == "exchange":
        return [number, a, image_of_packed(b, count, image), image_of_packed(c, count, image), d, e, f]
    if name == "void_suit":
        return [number, a, image(RANKS * b) // RANKS, c, d, e, f]
    if name in ("draw", "discard", "pung", "kong", "robbed"):
        return [number, a, image(b), c, d, e, f]
    if name == "win":
        return [number, a, b, image(c), d, e, f]
    if name == "answer":
        masks = [image_of_mask(mask, image) for mask in (e, f)]
        return [number, a, b, image_of_action(DECISIONS[b], c, count, image), d, *masks]
    return list(row)


assert SUITS * RANKS == KINDS
