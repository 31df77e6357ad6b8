"""One deal, refereed: asks for choices, refuses illegal ones, and writes down every event and payment.

Chapters 2 to 5 of the rules; chapter 7 (the wall runs out) is in `exhaustion`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.exhaustion import settle_exhaustion
from tests.reference.fan import score_win
from tests.reference.hands import is_complete
from tests.reference.records import (
    KONG,
    PASS,
    PUNG,
    SEATS,
    WIN,
    Decision,
    Discard,
    IllegalChoice,
    KongIncome,
    Meld,
    SeatOutcome,
    turn_order,
)
from tests.reference.table import Table, picks_of, unpack_pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset

TO_THE_RECEIVER = {"left": 3, "across": 2, "right": 1}


class Referee(Table):
    """A deal in progress.

    Parameters
    ----------
    preset
        The validated rules.
    wall
        The 108 kinds in position order.
    wall_mode
        "shared" or "per_seat".
    direction
        The exchange direction drawn for this deal. Needed, and looked at, only when the preset says "random".

    Attributes
    ----------
    pending
        Seats that have to decide now; they may answer in any order and nothing moves until all have. Empty at the end.
    events, ledger, points
        What has happened, every payment, and the sums of the payments, all in order.
    outcome
        One record per seat, after the end.
    """

    def __init__(
        self, preset: Preset, wall: Sequence[int], wall_mode: str = "shared", direction: str | None = None
    ) -> None:
        super().__init__(preset, wall, wall_mode)
        self.pending: dict[int, Decision] = {}
        self.over = False
        self._asked: dict[int, Decision] = {}
        self._answers: dict[int, int] = {}

        self.direction = direction if preset.exchange.direction == "random" else preset.exchange.direction
        if self.direction == "none":
            self._ask_void_suit()
        elif self.direction in TO_THE_RECEIVER:
            self._ask_exchange()
        else:
            raise ValueError(f"a random exchange needs a direction of {list(TO_THE_RECEIVER)}; got {direction!r}")

    # --- asking and answering ---------------------------------------------------------------------------------------

    def answer(self, seat: int, action: int) -> None:
        """Take one seat's choice; when everybody asked has answered, the deal moves on."""
        decision = self.pending.get(seat)
        if decision is None:
            raise IllegalChoice(f"seat {seat} has nothing to decide now; asked are {sorted(self.pending)}")
        if action not in decision.legal:
            raise IllegalChoice(
                f"seat {seat} may not choose {action} at its {decision.kind} decision; "
                f"legal are {sorted(decision.legal)}"
            )
        self._answers[seat] = action
        self.pending = {other: asked for other, asked in self.pending.items() if other != seat}
        if not self.pending:
            self._resolve()

    def _ask(self, decisions: list[Decision]) -> None:
        self._answers = {}
        self._asked = {decision.seat: decision for decision in decisions}
        self.pending = dict(self._asked)

    def _resolve(self) -> None:
        kind = next(iter(self._asked.values())).kind
        if kind == "exchange":
            self._exchange()
        elif kind == "void_suit":
            self._name_void_suits()
        elif kind == "turn":
            self._act(self._answers[self.turn_seat])
        elif kind == "claim":
            self._resolve_claims(self._answers)
        else:
            self._resolve_rob(self._answers)

    # --- the opening ------------------------------------------------------------------------------------------------

    def _ask_exchange(self) -> None:
        self.events.append(("direction", self.direction))
        count = self.preset.exchange.count
        self._ask([Decision("exchange", s, None, picks_of(self.hands[s], count)) for s in range(SEATS)])

    def _exchange(self) -> None:
        count = self.preset.exchange.count
        given = [unpack_pick(self._answers[seat], count) for seat in range(SEATS)]
        received: list[list[int]] = [[] for _ in range(SEATS)]
        assert self.direction is not None
        for seat in range(SEATS):
            received[(seat + TO_THE_RECEIVER[self.direction]) % SEATS] = given[seat]
        for seat in range(SEATS):
            for kind in given[seat]:
                self.hands[seat][kind] -= 1
            for kind in received[seat]:
                self.hands[seat][kind] += 1
        for seat in range(SEATS):
            self.events.append(("exchange", seat, tuple(given[seat]), tuple(received[seat])))
        self._ask_void_suit()

    def _ask_void_suit(self) -> None:
        self._ask([Decision("void_suit", seat, None, frozenset({0, 1, 2})) for seat in range(SEATS)])

    def _name_void_suits(self) -> None:
        for seat in range(SEATS):
            self.void[seat] = self._answers[seat]
        for seat in range(SEATS):
            self.events.append(("void_suit", seat, self.void[seat]))
        self._ask_turn()  # the dealer acts first, on fourteen tiles, without drawing

    # --- a turn -----------------------------------------------------------------------------------------------------

    def _begin_turn(self, seat: int) -> None:
        if not self.wall.left():
            settle_exhaustion(self)
            self._end()
            return
        self.turn_seat = seat
        self.turn_kong = None
        self._draw(seat, replacement=False)
        self._ask_turn()

    def _draw(self, seat: int, *, replacement: bool) -> None:
        kind = self.wall.draw(seat, replacement=replacement)
        self.hands[seat][kind] += 1
        self.events.append(("draw", seat, kind, replacement))
        self.drawn = kind
        self.after_pung = False
        self.on_replacement = replacement
        self.win_locked[seat] = False
        self.pung_locked[seat] = set()

    def _ask_turn(self) -> None:
        seat = self.turn_seat
        legal = set(self.discards_of(seat))
        if not self.after_pung:  # after a pung the player must discard
            if self.is_cleared(seat) and is_complete(self.hands[seat], len(self.melds[seat])):
                legal.add(WIN)
            legal.update(KONG + kind for kind in self.own_kongs(seat))
        self._ask([Decision("turn", seat, None, frozenset(legal))])

    def _act(self, action: int) -> None:
        seat = self.turn_seat
        if action == WIN:
            situations = (["kong_draw"] if self.on_replacement else []) + self.last_tile()
            self._win(seat, "self_draw", self.drawn, None, situations)
            self._after_wins([seat], after=seat)
        elif action < KONG:
            self._discard(seat, action)
        elif self.hands[seat][action - KONG] == 4:
            self._concealed_kong(seat, action - KONG)
        else:
            self._declare_added_kong(seat, action - KONG)

    def _discard(self, seat: int, kind: int) -> None:
        self.hands[seat][kind] -= 1
        self.discards.append(Discard(seat, kind))
        self.events.append(("discard", seat, kind))
        claims = [Decision("claim", other, kind, self.claims_of(other, kind)) for other in self.active_others(seat)]
        claims = [claim for claim in claims if claim.legal != {PASS}]
        if claims:
            self._ask(claims)
        else:
            self._begin_turn(self.next_active(seat))

    # --- claims on a discard ----------------------------------------------------------------------------------------

    def _note_passes(self, answers: dict[int, int]) -> None:
        """Lock whoever declined. A claim that lost is no pass, but calling a meld instead of a win passes the win."""
        for seat, decision in self._asked.items():
            if WIN in decision.legal and answers[seat] != WIN and self.preset.passing.win_lock == "until_next_draw":
                self.win_locked[seat] = True
            if PUNG in decision.legal and answers[seat] == PASS and self.preset.passing.pung_lock:
                assert decision.tile is not None
                self.pung_locked[seat].add(decision.tile)

    def _winning_seats(self, source: int, answers: dict[int, int]) -> list[int]:
        winners = [seat for seat in turn_order(source) if answers.get(seat) == WIN]
        return winners if self.preset.win.multiple else winners[:1]

    def _resolve_claims(self, answers: dict[int, int]) -> None:
        source, kind = self.turn_seat, self.discards[-1].kind
        self._note_passes(answers)
        winners = self._winning_seats(source, answers)
        callers = [seat for seat, action in answers.items() if action == PUNG or action - KONG == kind]
        if winners:
            situations = (["kong_discard"] if self.on_replacement else []) + self.last_tile()
            for seat in winners:
                self._win(seat, "discard", kind, source, situations)
            self._after_wins(winners, after=source)
        elif callers:
            assert len(callers) == 1, "two players cannot hold two copies each of what a third one threw"
            seat = callers[0]
            self.discards[-1].taken_by = seat
            self.turn_seat = seat
            self.turn_kong = None
            if answers[seat] == PUNG:
                self._pung(seat, kind, source)
            else:
                self._exposed_kong(seat, kind, source)
        else:
            self._begin_turn(self.next_active(source))

    def _pung(self, seat: int, kind: int, source: int) -> None:
        self.hands[seat][kind] -= 2
        self.melds[seat].append(Meld("pung", kind, source))
        self.events.append(("pung", seat, kind, source))
        self.drawn = None
        self.after_pung = True
        self.on_replacement = False
        self._ask_turn()

    # --- kongs ------------------------------------------------------------------------------------------------------

    def _exposed_kong(self, seat: int, kind: int, source: int) -> None:
        self.hands[seat][kind] -= 3
        self.melds[seat].append(Meld("exposed", kind, source))
        self._kong_done(seat, kind, "exposed", source)

    def _concealed_kong(self, seat: int, kind: int) -> None:
        self.hands[seat][kind] -= 4
        self.melds[seat].append(Meld("concealed", kind, None))
        self._kong_done(seat, kind, "concealed", None)

    def _declare_added_kong(self, seat: int, kind: int) -> None:
        robbers = [
            Decision("rob", other, kind, frozenset({PASS, WIN}))
            for other in self.active_others(seat)
            if self.can_win_on(other, kind)
        ]
        if robbers:
            self._ask(robbers)
        else:
            self._added_kong(seat, kind)

    def _resolve_rob(self, answers: dict[int, int]) -> None:
        konger, kind = self.turn_seat, next(iter(self._asked.values())).tile
        assert kind is not None
        self._note_passes(answers)
        winners = self._winning_seats(konger, answers)
        if not winners:
            self._added_kong(konger, kind)
            return
        self.hands[konger][kind] -= 1  # the pung stays a pung
        self.robbed_tiles.append(kind)
        self.events.append(("robbed", konger, kind))
        for seat in winners:
            self._win(seat, "robbed_kong", kind, konger, ["rob_kong", *self.last_tile()])
        self._after_wins(winners, after=konger)

    def _added_kong(self, seat: int, kind: int) -> None:
        self.hands[seat][kind] -= 1
        pung = self.own_pung(seat, kind)
        assert pung is not None
        pung.form = "added"
        self._kong_done(seat, kind, "added", None)

    def _kong_done(self, seat: int, kind: int, form: str, source: int | None) -> None:
        """Pay for a kong at once, then draw its replacement; the turn goes on as after any draw."""
        self.events.append(("kong", seat, kind, form, source))
        payers = self.active_others(seat) if source is None else [source]
        lines = [self.pay(f"{form}_kong", payer, seat, getattr(self.preset.kong, form)) for payer in payers]
        self.turn_kong = KongIncome(seat, [line for line in lines if line is not None])
        self.kong_incomes.append(self.turn_kong)
        self._draw(seat, replacement=True)
        self._ask_turn()

    # --- wins and payments ------------------------------------------------------------------------------------------

    def _win(self, seat: int, form: str, kind: int | None, source: int | None, situations: list[str]) -> None:
        """Score and pay one win. `kind` is None when the dealer wins on the dealt fourteen."""
        hand = list(self.hands[seat])
        if form != "self_draw":
            assert kind is not None
            hand[kind] += 1
        score = score_win(self.preset, hand, self.melds[seat], kind, situations, self_drawn=form == "self_draw")
        self.events.append(("win", seat, form, kind, source, score.patterns, score.fan, score.value))
        if form == "self_draw":
            extra = self.preset.win.self_draw_points if self.preset.win.self_draw == "add_points" else 0
            for payer in self.active_others(seat):
                self.pay("self_draw", payer, seat, score.value + extra)
        else:
            assert source is not None
            self.pay(f"{form}_win", source, seat, score.value)
            if form == "discard" and self.preset.kong.transfer_on_kong_discard and self.turn_kong is not None:
                self.turn_kong.given_away = True
                self.pay("kong_transfer", source, seat, sum(line.amount for line in self.turn_kong.lines))
        self.winners.append(seat)
        self.wins[seat] = (form, score.fan, score.value)

    def _after_wins(self, winners: list[int], after: int) -> None:
        """Go on after one or several wins on one tile that came from seat `after`."""
        if len(self.winners) == 3:
            self._end()
        elif self.preset.win.next_turn == "after_last_winner":
            self._begin_turn(self.next_active(winners[-1]))
        else:
            self._begin_turn(self.next_active(after))

    def _end(self) -> None:
        statuses: Sequence[str] = ["won" if seat in self.winners else "left" for seat in range(SEATS)]
        if self.events[-1][0] == "exhaustion":
            statuses = self.events[-1][1]
        for seat in range(SEATS):
            form, fan, value = self.wins.get(seat, (None, 0, 0))
            place = self.winners.index(seat) + 1 if seat in self.winners else 0
            hand, melds = tuple(self.hands[seat]), tuple(self.melds[seat])
            self.outcome.append(SeatOutcome(self.points[seat], place, form, fan, value, statuses[seat], hand, melds))
        self.events.append(("end",))
        self.over = True
