"""What Python and batch strategies are shown is what native ones see, field by field and helper by helper."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engine.hands.hand import KINDS, MELD_FORMS, NONE, Hand, draw_lot
from sim.engine.hands.shanten import count_shanten, count_shanten_without, mark_useful, mark_useful_without
from sim.engine.hands.waits import mark_waits
from sim.engine.sichuan.fan import score_fan, score_hand, value_of
from sim.engine.sichuan.rules import LAST_TILE, PATTERNS, Rules
from sim.engine.sichuan.table import (
    CLAIM,
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
    WIN_FORMS,
    Table,
    count_live,
)
from sim.errors import StrategyError
from sim.jit import INTERPRETED, address_of, ints_at
from strategies.batch import ACTIONS, Batch
from strategies.calculator import count_live_tiles, estimate_danger, value_if_completed
from strategies.observation import View, kinds_of, kong
from tests.differential.compare import Case
from tests.property.drawn import cases, examples
from tests.property.hidden import permute_hidden, spoil_private
from tests.property.tables import Standing, begin, walk
from tests.property.test_hidden import ROBBING
from tests.property.test_steps import legal_choices

PACE = 9
SETTLED_ONLY = ("useful", "waits", "values")


def view_of(standing: Standing, seat: int, names: tuple[str, ...] = ()) -> View:
    """Return what a Python strategy would be shown; the deal must outlive it."""
    records = (standing.deal.hands[seat], standing.deal.table, standing.rules, standing.lookup)
    addresses = tuple(address_of(record) for record in records)
    hand, table, rules = (ints_at(at, cls) for at, cls in zip(addresses, (Hand, Table, Rules), strict=False))
    values = standing.deal.hands[seat].parameters.tolist()
    return View(hand, table, rules, addresses, dict(zip(names, values, strict=False)))  # type: ignore[arg-type]


def facts_of(view: View) -> dict[str, Any]:
    """Return everything in a view, and everything that its helpers say."""
    plain = [name for name in dir(View) if isinstance(getattr(View, name), property) and name != "lots"]
    facts = {name: getattr(view, name) for name in plain}
    facts |= {f"melds_of {seat}": view.melds_of(seat) for seat in range(4)}
    facts |= {f"thrown_by {seat}": view.thrown_by(seat) for seat in range(4)}
    facts["dangers"] = [view.danger(kind, seat) for kind in range(KINDS) for seat in range(4)]
    facts["shanten"] = view.shanten(), [view.shanten(suit) for suit in range(3)]
    if view.decision not in ("exchange", "void_suit"):
        facts["choices"] = view.choices()
    if view.decision in ("claim", "rob"):
        facts["useful"], facts["waits"] = view.useful(), view.waits()
        live = [kind for kind in range(KINDS) if view.counts[kind] < 4]
        facts["values"] = [view.value(kind, self_draw=drawn) for kind in live for drawn in (False, True)]
    facts["rules"] = {**facts["rules"], "fan": dict(facts["rules"]["fan"])}
    return facts


def check_fields(view: View, hand: Any, table: Any, rules: Any) -> None:
    """Compare a view with the records, field by field."""
    for name in ("counts", "sizes", "suit_order"):
        assert list(getattr(view, name)) == hand[name].tolist(), name
    for name in ("seat", "void_suit", "drawn", "legal_win", "legal_pung", "win_locked"):
        assert getattr(view, name) == hand[name], name
    for name in ("legal_kongs", "legal_discards", "pung_locked"):
        assert sum(1 << kind for kind in getattr(view, name)) == hand[name], name
    for name in ("given", "received"):
        assert list(getattr(view, name)) == [kind for kind in hand[name].tolist() if kind >= 0], name
    for name in ("void_suits", "active", "points", "seen"):
        assert getattr(view, name) == table[name].tolist(), name
    for name in ("turn", "tile", "after_kong", "direction", "tiles_left"):
        assert getattr(view, name) == table[name], name
    assert view.decision == DECISIONS[table.decision]
    assert view.exchange_count == rules.exchange_count
    assert view.tiles == [kind for kind in range(KINDS) for _ in range(hand.counts[kind])]
    assert view.opponents == tuple(
        seat % 4 for seat in range(view.seat + 1, view.seat + 4) if table.active[seat % 4] == 1
    )
    made = slice(int(table.count_discards))
    columns = (table.discard_seats, table.discard_kinds, table.discard_claims)
    assert [tuple(discard) for discard in view.discards] == list(
        zip(*(column[made].tolist() for column in columns), strict=True)
    )
    for seat in range(4):
        melds = [
            (table.meld_kinds[seat, meld], MELD_FORMS[table.meld_forms[seat, meld]], table.meld_from[seat, meld])
            for meld in range(table.count_melds[seat])
        ]
        assert list(view.melds_of(seat)) == melds
        assert view.thrown_by(seat) == table.thrown[seat].tolist()
    assert [meld.kind for meld in view.melds] == hand.meld_kinds[: hand.count_melds].tolist()
    winners = np.argsort(table.win_order)[4 - table.count_wins :].tolist()
    assert [tuple(win) for win in view.wins] == [
        (seat, WIN_FORMS[table.win_forms[seat]], table.win_tiles[seat], table.win_from[seat]) for seat in winners
    ]
    plain = {name: int(rules[name]) for name in Rules.dtype.names if name != "fan"}
    shown = dict(view.rules)
    assert dict(shown.pop("fan")) == {name: int(rules.fan[place]) for place, name in enumerate(PATTERNS)}
    assert shown == plain


def check_helpers(view: View, hand: Any, table: Any, rules: Any, lookup: Any) -> None:
    """Compare a view's helpers with the kernels that native strategies call."""
    live = [int(count_live(hand, table, kind)) for kind in range(KINDS)]
    assert view.live == live
    assert count_live_tiles(hand, table, 0b1011) == live[0] + live[1] + live[3]
    by_suit = [int(count_shanten(hand, suit, lookup)) for suit in range(3)]
    assert [view.shanten(suit) for suit in range(3)] == by_suit
    assert view.shanten() == (min(by_suit) if view.void_suit == NONE else by_suit[view.void_suit])
    for kind in range(0, KINDS, 5):
        for seat in range(4):
            assert view.danger(kind, seat) == estimate_danger(hand, table, kind, seat) / 1000
    void = int(hand.void_suit)
    if view.decision == "turn":
        choices = view.choices()
        for choice in choices:
            assert choice.shanten == count_shanten_without(hand, choice.kind, void, lookup)
            assert choice.kinds == kinds_of(int(mark_useful_without(hand, choice.kind, void, lookup)))
            assert choice.useful == sum(live[kind] for kind in choice.kinds)
        ranks = [(choice.shanten, -choice.useful, choice.kind) for choice in choices]
        assert ranks == sorted(ranks)
        assert {choice.kind for choice in choices} == set(view.legal_discards)
    if view.decision not in ("claim", "rob"):
        for refused in (view.useful, view.waits, lambda: view.value(3)):
            with pytest.raises(StrategyError, match="is for claims and robbings"):
                refused()
        return
    assert view.useful() == kinds_of(int(mark_useful(hand, void, lookup)))
    waits = kinds_of(int(mark_waits(hand, lookup)))
    assert view.waits() == {kind: live[kind] for kind in waits}
    for kind in (*waits, view.tile):
        for drawn in (False, True):
            expected = value_if_completed(hand, table, rules, lookup, kind, int(drawn))
            assert view.value(kind, self_draw=drawn) == expected
            assert (expected > 0) == (kind in waits)


@examples(40, 4)
@given(cases(), st.integers(0, PACE - 1))
def test_a_view_shows_the_records(case: Case, first: int) -> None:
    standing = begin(case)
    for number, seat in enumerate(walk(standing)):
        if number % PACE == first:
            view = view_of(standing, seat)
            given_records = standing.deal.hands[seat], standing.deal.table, standing.rules
            check_fields(view, *given_records)
            check_helpers(view, *given_records, standing.lookup)
            legal = tuple(legal_choices(standing, seat))
            assert view.legal_actions == (() if view.decision == "exchange" else legal)


@examples(30, 3)
@given(cases(), st.integers(0, PACE - 1))
def test_permuting_what_is_hidden_never_changes_a_view(case: Case, first: int) -> None:
    standing = begin(case)
    lots = random.Random(case.wall_seed)
    for number, seat in enumerate(walk(standing)):
        if number % PACE == first:
            other_world = spoil_private(permute_hidden(standing, seat, lots), seat, lots)
            assert facts_of(view_of(other_world, seat)) == facts_of(view_of(standing, seat))


def test_the_last_tile_is_in_the_value() -> None:
    """With nothing left to draw every win is one on the last tile."""
    dearer = 0
    standings, seats = positions(CLAIM, 8 if INTERPRETED else 40)
    for standing, seat in zip(standings, seats, strict=True):
        hand, rules = standing.deal.hands[seat], standing.rules
        view = view_of(standing, seat)
        for kind in view.waits():
            plain = view.value(kind)
            standing.deal.table.tiles_left = 0
            score = score_hand(hand, kind, 1 << LAST_TILE, rules, standing.lookup)
            assert view.value(kind) == value_of(score_fan(score), rules)
            dearer += view.value(kind) > plain
            standing.deal.table.tiles_left = 1
    assert dearer > 0


def test_a_view_ends_with_its_decision() -> None:
    standing = begin(ROBBING)
    view = view_of(standing, 0, ("one", "two"))
    standing.deal.hands[0].parameters[1] = 2.5
    assert view_of(standing, 0, ("one", "two")).parameters == {"one": 0.0, "two": 2.5}
    view.close()
    for use in (lambda: view.counts, lambda: view.tiles_left, view.shanten, lambda: view.exchange_count):
        with pytest.raises(StrategyError, match="good for one decision only"):
            use()
    with pytest.raises(StrategyError, match="good for one decision only"):
        view._hand[0] = 1


def test_lots_are_the_seats_own() -> None:
    standing, twin = begin(ROBBING), begin(ROBBING)
    lots, hand = view_of(standing, 2).lots, twin.deal.hands[2]
    assert [lots.below(bound) for bound in (1, 7, 100)] == [draw_lot(hand, bound) for bound in (1, 7, 100)]
    assert lots.random() == draw_lot(hand, 1 << 31) / (1 << 31)
    assert lots.choose("abc") == "abc"[draw_lot(hand, 3)]
    tiles = list(range(10))
    lots.shuffle(tiles)
    assert sorted(tiles) == list(range(10)) != tiles
    for bound in (0, -1, (1 << 31) + 1):
        with pytest.raises(StrategyError, match=r"allowed: 1 to 2\*\*31"):
            lots.below(bound)


# --- batches ---------------------------------------------------------------------------------------------------------


def positions(decision: int, count: int) -> tuple[list[Standing], list[int]]:
    """Return deals that stand at a decision, and the seat that is asked in each; all under one preset."""
    found: list[Standing] = []
    seats: list[int] = []
    for wall_seed in range(200):
        case = Case(ROBBING.preset, ROBBING.players, wall_seed, "shared", is_slanted=wall_seed % 2 == 0)
        standing = begin(case)
        for number, seat in enumerate(walk(standing)):
            if standing.deal.table.decision == decision and (decision < TURN or number % 7 == wall_seed % 7):
                found.append(standing.copy())
                seats.append(seat)
                break
        if len(found) == count:
            break
    return found, seats


def batch_of(standings: list[Standing], seats: list[int], names: tuple[str, ...] = ()) -> Batch:
    """Return what a batch strategy would be shown."""
    deals = np.concatenate([standing.deals for standing in standings]).view(np.recarray)
    rows = np.arange(len(seats))
    return Batch(deals, rows, np.array(seats), standings[0].all_rules, standings[0].lookups, names)


@pytest.mark.parametrize("decision", [EXCHANGE, VOID_SUIT, TURN, CLAIM])
def test_rows_of_a_batch_are_views(decision: int) -> None:
    standings, seats = positions(decision, 4 if INTERPRETED else 30)
    batch = batch_of(standings, seats, ("one",))
    views = [view_of(standing, seat) for standing, seat in zip(standings, seats, strict=True)]
    assert len(batch) == len(views) > 3
    assert batch.decision.tolist() == [view.decision for view in views]
    assert batch.parameters == {"one": float(standings[0].deal.hands[seats[0]].parameters[0])}
    for name in ("counts", "seat", "void_suit", "live"):
        assert getattr(batch, name).tolist() == [getattr(view, name) for view in views], name
    assert batch.memory.shape == (len(views), 31)
    assert batch.shanten().tolist() == [view.shanten() for view in views]
    assert batch.shanten_without_suits().tolist() == [[view.shanten(suit) for suit in range(3)] for view in views]
    assert batch.table("thrown").tolist() == [[view.thrown_by(seat) for seat in range(4)] for view in views]
    dangers = [
        [[view.danger(kind, seat) * (seat != view.seat) for kind in range(KINDS)] for seat in range(4)]
        for view in views
    ]
    assert batch.danger().tolist() == dangers
    check_observation(batch, views)
    if decision == EXCHANGE:
        enough = [[size >= view.exchange_count for size in view.sizes] for view in views]
        assert batch.legal_suits.tolist() == enough
        return
    if decision == VOID_SUIT:
        return
    legal = [[action in view.legal_actions for action in range(ACTIONS)] for view in views]
    assert batch.legal.tolist() == legal
    if decision == TURN:
        steps, useful = batch.choices()
        for row, view in enumerate(views):
            choices = {choice.kind: choice for choice in view.choices()}
            assert [int(count) for count in steps[row]] == [
                choices[kind].shanten if kind in choices else 99 for kind in range(KINDS)
            ]
            assert [int(count) for count in useful[row]] == [
                choices[kind].useful if kind in choices else 0 for kind in range(KINDS)
            ]
        for refused in (batch.waits, batch.values):
            with pytest.raises(StrategyError, match="is for claims and robbings"):
                refused()
        return
    assert [set(np.flatnonzero(row).tolist()) for row in batch.waits()] == [set(view.waits()) for view in views]
    for drawn in (False, True):
        values = batch.values(self_draw=drawn)
        for row, view in enumerate(views):
            expected = [view.value(kind, self_draw=drawn) if kind in view.waits() else 0 for kind in range(KINDS)]
            assert values[row].tolist() == expected


def check_observation(batch: Batch, views: list[View]) -> None:
    """Compare the numbers for networks with what they stand for."""
    numbers = batch.observation
    assert numbers.shape == (len(views), KINDS, 12)
    for row, view in enumerate(views):
        order = [(view.seat + step) % 4 for step in range(4)]
        void_suits = list(view.void_suits)
        void_suits[view.seat] = view.void_suit
        for kind in range(KINDS):
            expected = [view.counts[kind], view.live[kind], sum(meld.kind == kind for meld in view.melds)]
            expected += [view.thrown_by(seat)[kind] for seat in order]
            expected += [int(void_suits[seat] == kind // 9) for seat in order]
            expected += [int(view.tile == kind)]
            assert numbers[row, kind].tolist() == expected


def test_batches_draw_from_each_seats_own_stream() -> None:
    standings, seats = positions(CLAIM, 5)
    batch = batch_of(standings, seats)
    hands = [standing.deal.hands[seat] for standing, seat in zip(standings, seats, strict=True)]
    assert batch.draw(100).tolist() == [draw_lot(hand, 100) for hand in hands]
    bounds = np.arange(1, 6)
    assert batch.draw(bounds).tolist() == [
        draw_lot(hand, int(bound)) for hand, bound in zip(hands, bounds, strict=True)
    ]
    for row, chosen in enumerate(batch.pick(batch.legal).tolist()):
        legal = [action for action in range(ACTIONS) if batch.legal[row, action]]
        assert chosen == legal[draw_lot(hands[row], len(legal))]
    for bound in (0, (1 << 31) + 1):
        with pytest.raises(StrategyError, match=r"allowed: 1 to 2\*\*31"):
            batch.draw(bound)


def test_actions_have_names() -> None:
    assert kong(5) == KONG_ACTION + 5
    assert Counter(kinds_of(0b1010)) == Counter((1, 3))
    assert (WIN_ACTION, PASS_ACTION, PUNG_ACTION) == (64, 65, 66)
