"""The list of invariants finds what is wrong: each thing is spoilt in turn in a sound state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engine.hands.hand import ADDED_KONG, CONCEALED_KONG, NONE, PUNG
from sim.engine.sichuan.check import check_deals
from sim.engine.sichuan.invariants import FAULTS, describe_faults, mark_faults
from sim.engine.sichuan.table import CLAIM, DISCARD, OVER, TURN
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.loader import load_source
from strategies.registry import load_strategy
from tests.differential.compare import Case
from tests.property.tables import Standing, begin, walk

WILD = ("chaos:0,100,60,100",) * 4


def stop(until: Callable[[Any, int], bool], knobs: dict[str, Any] | None = None) -> tuple[Standing, int]:
    """Play deals until a state comes that fits; return it and the seat that is asked."""
    preset = load_preset("mahjong-planet", knobs or {})
    for wall_seed in range(200):
        standing = begin(Case(preset, WILD, wall_seed, "shared"))
        for seat in walk(standing):
            if until(standing.deal, seat):
                return standing, seat
    raise AssertionError("no such state")


def faults_of(standing: Standing) -> list[str]:
    return describe_faults(int(mark_faults(standing.deal, standing.rules, standing.lookup)))


def a_turn(deal: Any, seat: int) -> bool:
    """A turn some time after the first payment and pung, with somebody else's pung on the table."""
    other = (seat + 1) % 4
    return bool(
        deal.table.decision == TURN
        and deal.count_lines > 0
        and deal.hands[other].count_melds
        and deal.hands[other].meld_forms[0] == PUNG
        and deal.table.active[other]
        and deal.hands[seat].drawn != NONE
    )


def a_claim(deal: Any, seat: int) -> bool:
    return bool(deal.table.decision == CLAIM)


def after_a_win(deal: Any, seat: int) -> bool:
    return bool(deal.table.decision == TURN and any(deal.table.win_forms == DISCARD))


# Each of these spoils a deal in which a seat is asked; the seat after it has a pung.


def add_a_bit(deal: Any, seat: int) -> None:
    deal.hands[seat].at_least[3] ^= 1


def change_a_key(deal: Any, seat: int) -> None:
    deal.hands[seat].keys[1] += 1


def change_a_size(deal: Any, seat: int) -> None:
    deal.hands[seat].sizes[2] += 1


def forget_a_pung(deal: Any, seat: int) -> None:
    deal.hands[(seat + 1) % 4].pungs = 0


def hold_five(deal: Any, seat: int) -> None:
    hand = deal.hands[seat]
    hand.counts[hand.drawn] = 5
    hand.at_least[:] |= 1 << int(hand.drawn)


def lose_a_tile(deal: Any, seat: int) -> None:
    hand = deal.hands[seat]
    kind = int(hand.drawn)
    hand.counts[kind] -= 1
    hand.at_least[hand.counts[kind]] &= ~(1 << kind)
    hand.keys[kind // 9] -= 5 ** (kind % 9)
    hand.sizes[kind // 9] -= 1


def swap_in_the_wall(deal: Any, seat: int) -> None:
    deal.wall[deal.front] = (deal.wall[deal.front] + 1) % 27


def forget_a_discard(deal: Any, seat: int) -> None:
    deal.table.discard_kinds[0] = (deal.table.discard_kinds[0] + 1) % 27


def give_a_point(deal: Any, seat: int) -> None:
    deal.table.points[0] += 1


def move_a_point(deal: Any, seat: int) -> None:
    deal.table.points[0] += 1
    deal.table.points[1] -= 1


def pay_nothing(deal: Any, seat: int) -> None:
    deal.line_amounts[0] = 0


def pay_oneself(deal: Any, seat: int) -> None:
    deal.line_payees[0] = deal.line_payers[0]


def book_elsewhere(deal: Any, seat: int) -> None:
    deal.gained[deal.line_payees[0], deal.line_causes[0]] += 1


def see_too_much(deal: Any, seat: int) -> None:
    deal.table.seen[0] += 1


def meld_the_void_suit(deal: Any, seat: int) -> None:
    hand = deal.hands[(seat + 1) % 4]
    hand.void_suit = hand.meld_kinds[0] // 9


def show_another_meld(deal: Any, seat: int) -> None:
    deal.table.meld_kinds[(seat + 1) % 4, 0] = NONE


def show_another_form(deal: Any, seat: int) -> None:
    deal.table.meld_forms[(seat + 1) % 4, 0] = ADDED_KONG


def show_no_meld(deal: Any, seat: int) -> None:
    deal.table.count_melds[(seat + 1) % 4] = 0


def invent_a_form(deal: Any, seat: int) -> None:
    deal.table.meld_forms[(seat + 1) % 4, 0] = deal.hands[(seat + 1) % 4].meld_forms[0] = ADDED_KONG + 1


def wait_for_all(deal: Any, seat: int) -> None:
    deal.waits[(seat + 1) % 4] = 511


def count_the_wall_wrongly(deal: Any, seat: int) -> None:
    deal.table.tiles_left += 1


def win_quietly(deal: Any, seat: int) -> None:
    deal.table.count_wins += 1


def lose_a_player(deal: Any, seat: int) -> None:
    deal.table.active[(seat + 1) % 4] = 0


def ask_a_winner(deal: Any, seat: int) -> None:
    deal.table.active[seat] = 0


def ask_nobody(deal: Any, seat: int) -> None:
    deal.asked = 0


def ask_after_the_end(deal: Any, seat: int) -> None:
    deal.table.decision = OVER


def offer_nothing(deal: Any, seat: int) -> None:
    hand = deal.hands[seat]
    hand.legal_discards = hand.legal_win = hand.legal_pung = hand.legal_kongs = 0


def invent_an_income(deal: Any, seat: int) -> None:
    deal.income_amounts[deal.count_incomes] = 1000
    deal.count_incomes += 1


SPOILS = [
    (add_a_bit, "a hand's derived fields differ from its tiles"),
    (change_a_key, "a hand's derived fields differ from its tiles"),
    (change_a_size, "a hand's derived fields differ from its tiles"),
    (forget_a_pung, "a hand's derived fields differ from its tiles"),
    (hold_five, "a hand's derived fields differ from its tiles"),
    (lose_a_tile, "a hand holds the wrong number of tiles"),
    (swap_in_the_wall, "there are not four copies of every kind"),
    (forget_a_discard, "there are not four copies of every kind"),
    (give_a_point, "the points do not sum to zero"),
    (move_a_point, "the points differ from the ledger"),
    (pay_nothing, "the points differ from the ledger"),
    (pay_oneself, "the points differ from the ledger"),
    (book_elsewhere, "the sums by cause differ from the ledger"),
    (see_too_much, "the copies seen by all are counted wrongly"),
    (meld_the_void_suit, "a meld is of its owner's void suit"),
    (show_another_meld, "the table shows other melds than the hand has"),
    (show_another_form, "the table shows other melds than the hand has"),
    (show_no_meld, "the table shows other melds than the hand has"),
    (invent_a_form, "the table shows other melds than the hand has"),
    (wait_for_all, "a hand's noted waits are stale"),
    (count_the_wall_wrongly, "the tiles left in the wall are counted wrongly"),
    (win_quietly, "the winners and the active players do not agree"),
    (lose_a_player, "the winners and the active players do not agree"),
    (ask_a_winner, "a seat is asked that is not active, or nobody is asked"),
    (ask_nobody, "a seat is asked that is not active, or nobody is asked"),
    (ask_after_the_end, "a seat is asked that is not active, or nobody is asked"),
    (offer_nothing, "nothing legal is offered to a seat that is asked"),
    (invent_an_income, "the kong incomes differ from the ledger"),
]
"""What is done to a sound state, and what must then be found among its faults."""


@pytest.fixture(scope="module")
def sound() -> tuple[Standing, int]:
    standing, seat = stop(a_turn)
    assert faults_of(standing) == []
    return standing, seat


@pytest.mark.parametrize(("spoil", "fault"), SPOILS)
def test_what_is_spoilt_is_found(sound: tuple[Standing, int], spoil: Callable[[Any, int], None], fault: str) -> None:
    standing, seat = sound
    spoilt = standing.copy()
    spoil(spoilt.deal, seat)
    assert fault in faults_of(spoilt)


def test_a_claim_without_a_choice_is_found() -> None:
    standing, seat = stop(a_claim)
    offer_nothing(standing.deal, seat)
    assert "nothing legal is offered to a seat that is asked" in faults_of(standing)


@pytest.mark.parametrize("payer", [NONE, "the winner"])
def test_a_discard_that_nobody_made_is_found(payer: int | str) -> None:
    standing, _ = stop(after_a_win)
    winner = int(np.argmax(standing.deal.table.win_forms == DISCARD))
    standing.deal.table.win_from[winner] = winner if payer != NONE else NONE
    assert "the winners and the active players do not agree" in faults_of(standing)


def test_locks_that_the_preset_does_not_know_are_found() -> None:
    for lock in ("win_locked", "pung_locked"):
        standing, seat = stop(a_turn, {"pass.win_lock": "none", "pass.pung_lock": False})
        standing.deal.hands[seat][lock] = 1
        assert "a lock is set that the preset does not know" in faults_of(standing)


def test_a_hidden_kong_that_is_shown_is_found() -> None:
    def has_kong(deal: Any, seat: int) -> bool:
        return bool(any(CONCEALED_KONG in hand.meld_forms[: hand.count_melds] for hand in deal.hands))

    standing, _ = stop(has_kong, {"kong.concealed_visible": False})
    assert faults_of(standing) == []
    deal = standing.deal
    owner = next(seat for seat in range(4) if CONCEALED_KONG in deal.table.meld_forms[seat])
    meld = deal.table.meld_forms[owner].tolist().index(CONCEALED_KONG)
    deal.table.meld_kinds[owner, meld] = deal.hands[owner].meld_kinds[meld]
    assert "the table shows other melds than the hand has" in faults_of(standing)


def test_every_fault_is_tried() -> None:
    others = {"a lock is set that the preset does not know"}
    assert {fault for _, fault in SPOILS} | others == set(FAULTS)


class Confused:
    """Answers the exchange as if it were asked for a void suit."""

    name = "confused"
    parameters = np.zeros(16)

    def __init__(self) -> None:
        honest = load_strategy("first_legal").decisions
        self.decisions = (honest[1], *honest[1:])


def test_an_illegal_choice_is_a_fault_with_its_place() -> None:
    """A void suit's number is no exchange: the first of two players who answers so is named with wall and answer."""
    rules = compile_rules(load_preset("mahjong-planet"))
    players = [load_strategy("first_legal")] * 2 + [Confused()] * 2
    _, fault = check_deals(rules, players, np.array([5, 6]), "shared")
    assert fault is not None
    assert (fault.wall_seed, fault.answers) == (5, 2)
    assert fault.faults == ["a strategy chose what is not legal"]


def test_a_wrong_state_is_a_fault_with_its_place() -> None:
    cheat = load_source("takes_a_point", Path(__file__).with_name("cheats") / "takes_a_point.py")
    rules = compile_rules(load_preset("cardavia-sichuan"))
    _, fault = check_deals(rules, [load_strategy("first_legal"), cheat, cheat, cheat], np.array([7]), "per_seat")
    assert fault is not None
    assert fault.wall_seed == 7
    assert fault.answers > 4
    assert "the points do not sum to zero" in fault.faults
