"""Everything that could be wrong with a referee's state, and an audit of its ledger from the events alone.

Nothing here is reached by a correct referee. The audit tells the deal again from its events, so that a payment which
the flow of the referee forgot or made twice is found even if state and ledger agree with each other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.reference.hands import is_cleared
from tests.reference.records import KINDS, KONG, PASS, PUNG, SEATS, WIN, Line, suit_of, turn_order

if TYPE_CHECKING:
    from tests.reference.referee import Referee

REFUND_OR_PENALTY = {"kong_refund", "flower_pig"}


def list_faults(referee: Referee) -> list[str]:
    """Say in words everything that is wrong; an empty list for a sound state."""
    return [
        *_tile_faults(referee),
        *_hand_faults(referee),
        *_money_faults(referee),
        *_lock_faults(referee),
        *_pending_faults(referee),
        *_end_faults(referee),
        *(_audit(referee) if referee.over else []),
    ]


def _tile_faults(referee: Referee) -> list[str]:
    seen: Counter[int] = Counter(referee.wall.left())
    seen.update(referee.robbed_tiles)
    seen.update(discard.kind for discard in referee.discards if discard.taken_by is None)
    for seat in range(SEATS):
        seen.update(dict(enumerate(referee.hands[seat])))
        for meld in referee.melds[seat]:
            seen[meld.kind] += meld.copies
    faults = [f"kind {kind} exists {seen[kind]} times" for kind in range(KINDS) if seen[kind] != 4]
    drawn = sum(event[0] == "draw" for event in referee.events)
    if len(referee.wall.left()) != 55 - drawn:
        faults.append(f"{drawn} draws leave {len(referee.wall.left())} of 55 tiles")
    return faults


def _hand_faults(referee: Referee) -> list[str]:
    faults = []
    holds_one_more = set()
    if referee.pending and next(iter(referee.pending.values())).kind in {"turn", "rob"}:
        holds_one_more.add(referee.turn_seat)
    elif referee.pending and next(iter(referee.pending.values())).kind in {"exchange", "void_suit"}:
        holds_one_more.add(0)
    holds_one_more.update(event[1] for event in referee.events if event[:1] == ("win",) and event[2] == "self_draw")
    for seat in range(SEATS):
        hand, melds = referee.hands[seat], referee.melds[seat]
        wanted = 13 - 3 * len(melds) + (seat in holds_one_more)
        if sum(hand) != wanted:
            faults.append(f"seat {seat} holds {sum(hand)} tiles beside {len(melds)} melds; {wanted} expected")
        if not all(0 <= held <= 4 for held in hand):
            faults.append(f"seat {seat} holds an impossible number of a kind: {hand}")
        if len({meld.kind for meld in melds}) != len(melds) or len(melds) > 4:
            faults.append(f"seat {seat} has impossible melds: {melds}")
        if any(suit_of(meld.kind) == referee.void[seat] for meld in melds):
            faults.append(f"seat {seat} has a meld of its void suit {referee.void[seat]}: {melds}")
        if any((meld.from_seat is None) != (meld.form == "concealed") or meld.from_seat == seat for meld in melds):
            faults.append(f"seat {seat} has a meld that came from nowhere: {melds}")
        if seat in referee.winners and not is_cleared(hand, referee.void[seat]):
            faults.append(f"seat {seat} won with tiles of its void suit {referee.void[seat]}")
    return faults


def _money_faults(referee: Referee) -> list[str]:
    faults = []
    net = [0] * SEATS
    for line in referee.ledger:
        net[line.payer] -= line.amount
        net[line.payee] += line.amount
        if line.amount <= 0 or line.payer == line.payee:
            faults.append(f"a line that is none: {line}")
    if sum(referee.points) != 0:
        faults.append(f"points {referee.points} do not sum to zero")
    if net != referee.points:
        faults.append(f"points {referee.points} are not the sum of the ledger {net}")
    return faults


def _lock_faults(referee: Referee) -> list[str]:
    faults = []
    passing = referee.preset.passing
    just_drew = referee.drawn is not None and any(asked.kind == "turn" for asked in referee.pending.values())
    for seat in range(SEATS):
        win, pung = referee.win_locked[seat], referee.pung_locked[seat]
        if win and passing.win_lock == "none":
            faults.append(f"seat {seat} is win-locked without such a rule")
        if pung and not passing.pung_lock:
            faults.append(f"seat {seat} is pung-locked without such a rule")
        if (win or pung) and just_drew and seat == referee.turn_seat:
            faults.append(f"the locks of seat {seat} outlived its own draw")
        if win and not _declined(referee, seat, claimed="win"):
            faults.append(f"seat {seat} is win-locked but nothing was offered since its own draw")
        if any(not _declined(referee, seat, claimed=kind) for kind in pung):
            faults.append(f"seat {seat} is pung-locked on {sorted(pung)}, which nobody threw since its own draw")
    return faults


def _declined(referee: Referee, seat: int, claimed: int | str) -> bool:
    """Whether since the seat's own draw another seat offered what could have been declined."""
    for event in reversed(referee.events):
        if event[:2] == ("draw", seat):
            return False
        offered = event[0] == "discard" or (event[:1] == ("kong",) and event[3] == "added" and claimed == "win")
        if offered and event[1] != seat and claimed in {"win", event[2]}:
            return True
    return False


def _pending_faults(referee: Referee) -> list[str]:
    faults = []
    if bool(referee.pending) == referee.over:
        faults.append(f"over is {referee.over} while {sorted(referee.pending)} have to decide")
    if len({decision.kind for decision in referee.pending.values()}) > 1:
        faults.append("decisions of several kinds at once")
    for seat, decision in referee.pending.items():
        where = f"seat {seat} at its {decision.kind} decision"
        cleared = is_cleared(referee.hands[seat], referee.void[seat])
        if seat != decision.seat or seat in referee.winners or not decision.legal:
            faults.append(f"{where}: asked in vain")
        if decision.kind in {"claim", "rob"}:
            if seat == referee.turn_seat or PASS not in decision.legal or len(decision.legal) < 2:
                faults.append(f"{where}: nothing to claim")
            if decision.tile is None or suit_of(decision.tile) == referee.void[seat]:
                faults.append(f"{where}: cannot claim {decision.tile}")
            if WIN in decision.legal and (referee.win_locked[seat] or not cleared):
                faults.append(f"{where}: may not win")
            if PUNG in decision.legal and decision.tile in referee.pung_locked[seat]:
                faults.append(f"{where}: may not pung")
        if decision.kind == "turn":
            discards = [action for action in decision.legal if action < KONG]
            if not discards or any(not referee.hands[seat][kind] for kind in discards):
                faults.append(f"{where}: discards {sorted(discards)} from {referee.hands[seat]}")
            if WIN in decision.legal and not cleared:
                faults.append(f"{where}: may not win")
            of_void = [suit_of(kind) == referee.void[seat] for kind in discards]
            if referee.preset.void_suit.discard_first and not cleared and not all(of_void):
                faults.append(f"{where}: the void suit goes first")
        kongs = [action - KONG for action in decision.legal if KONG <= action < WIN and decision.kind != "exchange"]
        barred = not cleared and referee.preset.void_suit.blocks_calls
        if kongs and (not referee.wall.left() or barred or any(suit_of(kind) == referee.void[seat] for kind in kongs)):
            faults.append(f"{where}: may not kong {kongs}")
    return faults


def _end_faults(referee: Referee) -> list[str]:
    names = [event[0] for event in referee.events]
    faults = []
    if names.count("win") != len(referee.winners) or len(set(referee.winners)) != len(referee.winners):
        faults.append(f"{names.count('win')} wins but winners {referee.winners}")
    if not referee.over:
        if len(referee.winners) > 2 or "end" in names or referee.outcome:
            faults.append("the deal goes on after its end")
        return faults
    if ("exhaustion" in names) == (len(referee.winners) == 3):
        faults.append(f"{len(referee.winners)} winners and the events end with {names[-3:]}")
    if names.count("end") != 1 or names[-1] != "end":
        faults.append(f"the deal does not end once: {names[-3:]}")
    for seat, outcome in enumerate(referee.outcome):
        if outcome.points != referee.points[seat] or (outcome.status == "won") != (outcome.place > 0):
            faults.append(f"outcome of seat {seat} contradicts the table: {outcome}")
    if len(referee.outcome) != SEATS:
        faults.append(f"{len(referee.outcome)} outcomes")
    return faults


def _audit(referee: Referee) -> list[str]:
    """Tell the finished deal again from its events and compare every payment before the exhaustion."""
    preset = referee.preset
    out: list[int] = []
    expected: list[Line] = []
    last_kong: list[Line] | None = None  # of the turn that goes on
    given: list[Line] = []
    robbed = False
    for event in referee.events:
        name = event[0]
        if name in {"pung", "draw"} and not (name == "draw" and event[3]):
            last_kong = None
        if name == "kong":
            _, seat, _, form, source = event
            payers = [source] if form == "exposed" else [other for other in turn_order(seat) if other not in out]
            amount = getattr(preset.kong, form)
            last_kong = [Line(f"{form}_kong", payer, seat, amount) for payer in payers if amount]
            expected += last_kong
        if name == "robbed":
            robbed = True
        if name == "win":
            _, seat, form, _, source, _, fan, value = event
            if value != 2 ** (fan if preset.fan.cap is None else min(fan, preset.fan.cap)):
                return [f"a hand of {fan} fan is worth {value}"]
            if form == "self_draw":
                extra = preset.win.self_draw_points if preset.win.self_draw == "add_points" else 0
                payers = [other for other in turn_order(seat) if other not in out]
                expected += [Line("self_draw", payer, seat, value + extra) for payer in payers]
            else:
                expected.append(Line(f"{form}_win", source, seat, value))
                if form == "discard" and last_kong and preset.kong.transfer_on_kong_discard:
                    expected.append(Line("kong_transfer", source, seat, sum(line.amount for line in last_kong)))
                    given += last_kong
            out.append(seat)
    if robbed and "robbed_kong" not in {event[2] for event in referee.events if event[0] == "win"}:
        return ["a kong was robbed by nobody"]
    if referee.events[-2][0] == "exhaustion":
        expected += _expected_at_exhaustion(referee, referee.events[-2][1], expected, given)
    if Counter(expected) != Counter(referee.ledger):
        missing, extra_lines = Counter(expected) - Counter(referee.ledger), Counter(referee.ledger) - Counter(expected)
        return [f"the events ask for {list(missing.elements())}; the ledger has {list(extra_lines.elements())}"]
    late = [line for line in referee.ledger if line.cause in REFUND_OR_PENALTY]
    if referee.ledger[len(referee.ledger) - len(late) :] != late and preset.exhaustion.not_ready == "none":
        return ["penalties before the end"]
    return []


def _expected_at_exhaustion(
    referee: Referee, statuses: tuple[str, ...], before: list[Line], given: list[Line]
) -> list[Line]:
    """Pig and refund lines from the statuses; not-ready lines are taken over from the ledger and checked by shape."""
    preset = referee.preset.exhaustion
    receives = {"remaining_cleared": ("ready", "not_ready"), "remaining_ready": ("ready",)}
    lines: list[Line] = []
    for pig in (seat for seat in range(SEATS) if statuses[seat] == "pig"):
        lines += [
            Line("flower_pig", pig, other, preset.flower_pig)
            for other in range(SEATS)
            if statuses[other] in receives.get(preset.flower_pig_to, ("ready", "not_ready", "won"))
        ]
    pairs = {(line.payer, line.payee) for line in referee.ledger if line.cause == "not_ready"}
    wanted = {
        (payer, payee)
        for payer in range(SEATS)
        for payee in range(SEATS)
        if (statuses[payer], statuses[payee]) == ("not_ready", "ready")
    }
    if pairs == (wanted if preset.not_ready == "highest_value" else set()):
        lines += [line for line in referee.ledger if line.cause == "not_ready"]
    if preset.kong_refund:
        kept = Counter(line for line in before if line.cause.endswith("_kong")) - Counter(given)
        for line in kept.elements():
            if statuses[line.payee] in {"not_ready", "pig"}:
                lines.append(Line("kong_refund", line.payee, line.payer, line.amount))
    return [line for line in lines if line.amount]
