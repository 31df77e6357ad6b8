"""What the reference pays when the wall has run out: a scripted deal per sentence of chapter 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.reference.faults import list_faults
from tests.reference.records import Line
from tests.reference.scripts import asked, begin, drift, follow, named

if TYPE_CHECKING:
    from tests.reference.referee import Referee

# Seat 0 throws 5p, which seat 3 wins on; then everybody throws what is drawn, so that hands stay as dealt.
PIG = "5p*"  # void p
FLUSH = "1112345678999m"  # ready on every kind of its suit, worth 8 at best; void p
FAR = "1379s1379m258m1s2s"  # not ready; void p
WINNER = "123456789s46p88p"  # void m


def sound(referee: Referee) -> None:
    assert list_faults(referee) == []


def to_the_end(hands: list[str], voids: str, script: str, back: str = "", **knobs: Any) -> Referee:
    """Play the script and then throw every tile drawn until the wall is empty."""
    referee = begin(hands, voids, back=back, void_suit__discard_first=False, **knobs)
    follow(referee, script, sound)
    return drift(referee, lambda _: False, sound)


def settlement(referee: Referee) -> list[Line]:
    """Ledger lines written at exhaustion."""
    return [line for line in referee.ledger if line.cause in {"flower_pig", "not_ready", "kong_refund"}]


HANDS = [PIG, FLUSH, FAR, WINNER]


@pytest.mark.parametrize(
    ("to", "receivers"),
    [("remaining_cleared", (1, 2)), ("remaining_ready", (1,)), ("all_non_pigs", (1, 2, 3))],
)
def test_a_flower_pig_pays_the_recipients_and_no_not_ready_penalty(to: str, receivers: tuple[int, ...]) -> None:
    referee = to_the_end(HANDS, "pppm", "0:5p 3:win", exhaustion__flower_pig_to=to)
    assert named(referee, "exhaustion") == [("exhaustion", ("pig", "ready", "not_ready", "won"))]
    assert settlement(referee) == [
        *(Line("flower_pig", 0, receiver, 8) for receiver in receivers),
        Line("not_ready", 2, 1, 8),
    ]
    assert [seat.status for seat in referee.outcome] == ["pig", "ready", "not_ready", "won"]
    assert [seat.place for seat in referee.outcome] == [0, 0, 0, 1]


def test_a_pig_pays_no_not_ready_penalty_also_when_its_own_is_nothing() -> None:
    referee = to_the_end(HANDS, "pppm", "0:5p 3:win", exhaustion__flower_pig=0)
    assert settlement(referee) == [Line("not_ready", 2, 1, 8)]


def test_the_shipped_presets_pay_what_their_documents_say() -> None:
    planet = to_the_end(HANDS, "pppm", "0:5p 3:win")
    assert planet.points == [-1 - 16, 16, 0, 1]
    sichuan = to_the_end(HANDS, "pppm", "0:5p 3:win", preset="cardavia-sichuan")
    assert sichuan.points == [-1 - 96, 32 + 8, 32 - 8, 1 + 32]


def test_pigs_pay_each_other_nothing() -> None:
    assert settlement(to_the_end(["*", "*", "*", "*"], "mmmm", "")) == []
    referee = to_the_end(["5p*", "*", FAR, WINNER], "pmpm", "0:5p 3:win")
    assert settlement(referee) == [Line("flower_pig", 0, 2, 8), Line("flower_pig", 1, 2, 8)]


def test_nobody_pays_for_not_being_ready_when_nobody_is() -> None:
    referee = to_the_end(["*", FAR, "*", "*"], "mpmm", "", exhaustion__flower_pig=0)
    assert named(referee, "exhaustion")[0][1] == ("pig", "not_ready", "pig", "pig")
    assert settlement(referee) == []


def test_not_ready_payments_can_be_switched_off() -> None:
    referee = to_the_end(HANDS, "pppm", "0:5p 3:win", exhaustion__not_ready="none")
    assert [line.cause for line in settlement(referee)] == ["flower_pig", "flower_pig"]


def test_the_cap_and_the_structural_value_of_the_best_wait_decide_the_payment() -> None:
    for cap, amount in ((0, 1), (2, 4), (5, 8), ("none", 8)):
        referee = to_the_end(HANDS, "pppm", "0:5p 3:win", fan__cap=cap, win__self_draw="add_fan")
        assert settlement(referee)[-1] == Line("not_ready", 2, 1, amount)


def test_winners_pay_nothing_at_exhaustion() -> None:
    referee = to_the_end(HANDS, "pppm", "0:5p 3:win")
    assert all(line.payer != 3 for line in settlement(referee))


# --- who is a pig ----------------------------------------------------------------------------------------------------

LAST_DRAWER = "123456789m46p99p"


def before_the_last_discard() -> Referee:
    """Bring seat 3, void s, to a turn in which it has drawn the last tile, a 9s."""
    referee = begin(["*", "*", "*", LAST_DRAWER], "mmms", back="9s", void_suit__discard_first=False)
    return drift(referee, lambda r: not r.wall.left() and asked(r) == {3: "turn"}, sound)


def test_pigs_are_judged_after_the_last_discard() -> None:
    cleared = follow(before_the_last_discard(), "3:9s", sound)
    assert named(cleared, "exhaustion")[0][1] == ("pig", "pig", "pig", "ready")
    kept = follow(before_the_last_discard(), "3:9m", sound)
    assert named(kept, "exhaustion")[0][1] == ("pig", "pig", "pig", "pig")


# --- kong refunds ----------------------------------------------------------------------------------------------------

# The dealer, void p, kongs before it throws its only circle, which the knob allows here, and stays far from ready.
NO_PIG_MONEY: dict[str, Any] = {"exhaustion__flower_pig": 0, "void_suit__blocks_calls": False}
KONGER = "5p7777m1358m2468s1s"
REFUNDS = [Line("kong_refund", 0, payer, 2) for payer in (1, 2, 3)]


def test_a_player_who_is_not_ready_returns_kong_income_also_to_a_winner_who_has_left() -> None:
    referee = to_the_end([KONGER, "*", "*", WINNER], "pmmm", "0:k7m 0:5p 3:win", **NO_PIG_MONEY)
    assert named(referee, "exhaustion")[0][1][0] == "not_ready"
    assert settlement(referee) == REFUNDS


def test_a_pig_returns_kong_income_too() -> None:
    referee = to_the_end(["5p7777m*", "*", "*", WINNER], "pmmm", "0:k7m 0:5p 3:win", **NO_PIG_MONEY)
    assert named(referee, "exhaustion")[0][1][0] == "pig"
    assert settlement(referee) == REFUNDS


def test_a_ready_player_keeps_kong_income() -> None:
    hands = ["5p7777m1123456s99s", "*", "*", WINNER]
    referee = to_the_end(hands, "pmmm", "0:k7m 0:5p 3:win", back="1s", **NO_PIG_MONEY)
    assert named(referee, "exhaustion")[0][1] == ("ready", "pig", "pig", "won")
    assert settlement(referee) == []
    assert referee.points == [6 - 2, -2, -2, -2 + 2], "the kong, and a kong discard of one fan"


def test_a_winner_keeps_kong_income() -> None:
    # Seat 1 pays for the kong and throws the 5p on which the dealer leaves.
    hands = ["7777m112233m46p88p", "5p*", "*", "*"]
    referee = to_the_end(hands, "spmm", "0:k7m 0:9p 1:5p 0:win", back="9p", **NO_PIG_MONEY)
    assert named(referee, "exhaustion")[0][1] == ("won", "pig", "pig", "pig")
    assert settlement(referee) == []


def test_refunds_can_be_switched_off() -> None:
    referee = to_the_end(
        [KONGER, "*", "*", WINNER], "pmmm", "0:k7m 0:5p 3:win", **NO_PIG_MONEY, exhaustion__kong_refund=False
    )
    assert settlement(referee) == []


def test_income_given_away_is_not_refunded_again() -> None:
    referee = to_the_end(
        [KONGER, "*", "*", WINNER], "pmmm", "0:k7m 0:5p 3:win", **NO_PIG_MONEY, kong__transfer_on_kong_discard=True
    )
    assert Line("kong_transfer", 0, 3, 6) in referee.ledger
    assert settlement(referee) == []
