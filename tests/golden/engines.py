"""The two engines behind one face: tables that take answers in words. Hands are in `judges`.

The fast one comes twice: `settled` plays by another preset's settlement, and settles again after every answer.

Answers and legal choices are `discard 5m`, `kong 7p`, `win`, `pass`, `pung`, `give 123m`, `void p`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from sim.engine.hands.hand import MELD_FORMS, NONE
from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan import table as codes
from sim.engine.sichuan.advance import ILLEGAL, answer, next_seat
from sim.engine.sichuan.deal import CAUSES, EVENTS, STATUSES, WALL_MODES, Deal
from sim.engine.sichuan.invariants import describe_faults, mark_faults
from sim.engine.sichuan.rules import DIRECTIONS
from sim.engine.sichuan.settle import settle_again
from sim.engine.sichuan.setup import deal_tiles
from sim.jit import new
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from sim.tiles import format_counts, format_kind, parse_tile, parse_tiles
from sim.tournament.events import read_log
from tests.golden.cases import Payment, Win
from tests.reference.faults import list_faults
from tests.reference.presets import settle_like
from tests.reference.records import KONG, PASS, WIN, IllegalChoice
from tests.reference.records import PUNG as PUNG_CHOICE
from tests.reference.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset

ENGINES = ("fast", "reference")
DEAL_ENGINES = ("fast", "settled", "reference")
LOOKUP = load_lookup()
_FIXED = {"win": WIN, "pass": PASS, "pung": PUNG_CHOICE}
assert (WIN, PASS, PUNG_CHOICE, KONG) == (
    codes.WIN_ACTION,
    codes.PASS_ACTION,
    codes.PUNG_ACTION,
    codes.KONG_ACTION,
), "both engines number choices alike"
FORMS = {"pung": "pung", "concealed kong": "concealed", "exposed kong": "exposed", "added kong": "added"}
_FORM_NAMES = {form: name for name, form in FORMS.items()}


class IllegalMove(AssertionError):  # noqa: N818 - it is the move that is illegal
    """A seat answered what the rules do not allow, or was not asked."""


def choice_of(word: str) -> int:
    """Return the number of a choice."""
    verb, _, tiles = word.partition(" ")
    if verb == "discard":
        return parse_tile(tiles)
    if verb == "kong":
        return KONG + parse_tile(tiles)
    if verb == "void":
        return "mps".index(tiles)
    if verb == "give":
        return sum(kind << (5 * place) for place, kind in enumerate(sorted(parse_tiles(tiles))))
    return _FIXED[word]


def word_of(decision: str, choice: int) -> str:
    """Return the word of a choice."""
    if decision == "void_suit":
        return f"void {'mps'[choice]}"
    for word, number in _FIXED.items():
        if number == choice:
            return word
    return f"kong {format_kind(choice - KONG)}" if choice >= KONG else f"discard {format_kind(choice)}"


class Table(Protocol):
    """A deal under way in one of the engines."""

    def asked(self) -> dict[int, str]:
        """Who has to make which kind of decision."""
        ...

    def legal(self, seat: int) -> list[str]:
        """Legal choices of a seat that is asked; nothing for the exchange, where there are too many."""
        ...

    def answer(self, seat: int, word: str) -> None:
        """Take an answer; raises IllegalMove, and then nothing has changed."""
        ...

    def drawn(self) -> str | None:
        """Tile just drawn by the seat that is to move."""
        ...

    def last_draw(self) -> tuple[int, str, bool] | None:
        """Seat and tile of the last draw, and whether it was a replacement."""
        ...

    def tiles_left(self) -> int:
        """Tiles left in the wall."""
        ...

    def hand(self, seat: int) -> str:
        """Concealed tiles in ascending order."""
        ...

    def melds(self, seat: int) -> list[str]:
        """Melds in the order in which they were declared, as in `added kong 5p`."""
        ...

    def seen_melds(self, seat: int) -> list[str] | None:
        """Melds as the others see them, `?` for a hidden kind; None where the engine does not know of eyes."""
        ...

    def void_suits(self) -> str:
        """Void suits by seat, as everybody sees them, or "hidden"."""
        ...

    def points(self) -> list[int]:
        """Points by seat."""
        ...

    def payments(self) -> list[Payment]:
        """All payments in order."""
        ...

    def wins(self) -> list[Win]:
        """All wins in order."""
        ...

    def kongs(self) -> list[str]:
        """All kongs in order, as in `0 concealed 7m`."""
        ...

    def statuses(self) -> list[str] | None:
        """How each seat ended; None while the deal goes on."""
        ...

    def faults(self) -> list[str]:
        """Everything that is wrong with the state."""
        ...


class FastTable:
    """The fast engine, answered step by step."""

    def __init__(self, preset: Preset, wall: Sequence[int], wall_mode: str, direction: str) -> None:
        self._records = (new(Deal), compile_rules(preset))  # what the records below look into
        self.deal, self.rules = self._records[0][0], self._records[1][0]
        self.deal.is_logged = 1
        self.deal.wall_mode = WALL_MODES.index(wall_mode)
        self.deal.wall[:] = wall
        deal_tiles(self.deal, self.rules, DIRECTIONS.index(direction))

    def asked(self) -> dict[int, str]:
        decision = codes.DECISIONS[self.deal.table.decision]
        asked = {seat: decision for seat in range(4) if int(self.deal.asked) >> seat & 1}
        assert next_seat(self.deal) == min(asked, default=NONE)
        return asked

    def legal(self, seat: int) -> list[str]:
        decision, hand = self.asked()[seat], self.deal.hands[seat]
        if decision == "exchange":
            return []
        if decision == "void_suit":
            return ["void m", "void p", "void s"]
        words = ["win"] if hand.legal_win else []
        words += ["pung"] if hand.legal_pung else []
        words += [f"kong {format_kind(kind)}" for kind in range(27) if int(hand.legal_kongs) >> kind & 1]
        words += [f"discard {format_kind(kind)}" for kind in range(27) if int(hand.legal_discards) >> kind & 1]
        return sorted([*words, "pass"] if decision != "turn" else words)

    def answer(self, seat: int, word: str) -> None:
        if seat not in self.asked():
            raise IllegalMove(f"seat {seat} has nothing to decide; asked are {self.asked()}")
        before = self.deal.tobytes()
        if answer(self.deal, seat, choice_of(word), self.rules, LOOKUP[0]) == ILLEGAL:
            assert self.deal.tobytes() == before, "a refused answer changed the deal"
            raise IllegalMove(
                f"seat {seat} may not {word} ({self.asked()[seat]}); legal: {', '.join(self.legal(seat))}"
            )

    def drawn(self) -> str | None:
        kind = int(self.deal.hands[self.deal.table.turn].drawn)
        return None if kind == NONE else format_kind(kind)

    def last_draw(self) -> tuple[int, str, bool] | None:
        draws = [event for event in self._events() if event["event"] == "draw"]
        return (draws[-1]["seat"], draws[-1]["tile"], draws[-1]["replacement"]) if draws else None

    def tiles_left(self) -> int:
        return int(self.deal.table.tiles_left)

    def hand(self, seat: int) -> str:
        return format_counts([int(count) for count in self.deal.hands[seat].counts])

    def melds(self, seat: int) -> list[str]:
        hand = self.deal.hands[seat]
        return [
            f"{_FORM_NAMES[MELD_FORMS[hand.meld_forms[meld]]]} {format_kind(hand.meld_kinds[meld])}"
            for meld in range(hand.count_melds)
        ]

    def seen_melds(self, seat: int) -> list[str] | None:
        table = self.deal.table
        return [
            f"{_FORM_NAMES[MELD_FORMS[table.meld_forms[seat, meld]]]} "
            f"{'?' if table.meld_kinds[seat, meld] == NONE else format_kind(table.meld_kinds[seat, meld])}"
            for meld in range(table.count_melds[seat])
        ]

    def void_suits(self) -> str:
        suits = [int(suit) for suit in self.deal.table.void_suits]
        return "hidden" if NONE in suits else " ".join("mps"[suit] for suit in suits)

    def points(self) -> list[int]:
        return [int(points) for points in self.deal.table.points]

    def payments(self) -> list[Payment]:
        deal = self.deal
        ledger = [
            (
                CAUSES[deal.line_causes[line]],
                int(deal.line_payers[line]),
                int(deal.line_payees[line]),
                int(deal.line_amounts[line]),
            )
            for line in range(deal.count_lines)
        ]
        told = [
            (event["cause"], event["payer"], event["payee"], event["amount"])
            for event in self._events()
            if event["event"] == "payment"
        ]
        assert not self.is_over() or told == ledger, "the log tells other payments than the ledger"
        return ledger

    def is_over(self) -> bool:
        return not self.asked()

    def wins(self) -> list[Win]:
        return [
            Win(
                event["seat"],
                event["form"],
                event["tile"],
                event["from"],
                event["patterns"],
                event["fan"],
                event["value"],
            )
            for event in self._events()
            if event["event"] == "win"
        ]

    def kongs(self) -> list[str]:
        return [
            f"{event['seat']} {event['form']} {event['tile']}" for event in self._events() if event["event"] == "kong"
        ]

    def statuses(self) -> list[str] | None:
        return None if self.asked() else [STATUSES[status] for status in self.deal.statuses]

    def faults(self) -> list[str]:
        return describe_faults(int(mark_faults(self.deal, self.rules, LOOKUP[0])))

    def _events(self) -> list[dict[str, Any]]:
        return read_log(self.deal, self.rules)


class SettledTable(FastTable):
    """The fast engine, playing by an odd settlement, and settled again under the right one after every answer."""

    ODD: Final[dict[str, Any]] = {
        "win.self_draw": "add_fan",
        "win.self_draw_points": 9,
        "kong.concealed": 7,
        "kong.added": 0,
        "kong.exposed": 11,
        "kong.transfer_on_kong_discard": True,
        "fan.cap": 20,
        "fan.patterns": dict.fromkeys(("root", "full_flush", "pair_wait"), "none") | {"all_pungs": 4, "last_tile": 3},
        "exhaustion.flower_pig": 5,
        "exhaustion.flower_pig_to": "remaining_ready",
        "exhaustion.not_ready": "none",
        "exhaustion.kong_refund": False,
    }

    def __init__(self, preset: Preset, wall: Sequence[int], wall_mode: str, direction: str) -> None:
        super().__init__(settle_like(preset, load_preset("cardavia-sichuan", self.ODD)), wall, wall_mode, direction)
        self._final = compile_rules(preset)

    def answer(self, seat: int, word: str) -> None:
        super().answer(seat, word)
        deal = self.deal
        settle_again(deal, self._final[0], LOOKUP[0])
        for row in deal.events[: deal.count_events]:  # the log tells what wins were worth in play
            if EVENTS[row[0]] == "win":
                row[5:] = deal.win_scores[row[1]], deal.win_values[row[1]]

    def faults(self) -> list[str]:
        return describe_faults(int(mark_faults(self.deal, self._final[0], LOOKUP[0])))

    def _events(self) -> list[dict[str, Any]]:
        return read_log(self.deal, self._final[0])


class RefereeTable:
    """The reference referee."""

    def __init__(self, preset: Preset, wall: Sequence[int], wall_mode: str, direction: str) -> None:
        self.referee = Referee(preset, wall, wall_mode, direction)

    def asked(self) -> dict[int, str]:
        return {seat: asked.kind for seat, asked in sorted(self.referee.pending.items())}

    def legal(self, seat: int) -> list[str]:
        asked = self.referee.pending[seat]
        return [] if asked.kind == "exchange" else sorted(word_of(asked.kind, choice) for choice in asked.legal)

    def answer(self, seat: int, word: str) -> None:
        try:
            self.referee.answer(seat, choice_of(word))
        except IllegalChoice:
            if seat not in self.referee.pending:
                raise IllegalMove(f"seat {seat} has nothing to decide; asked are {self.asked()}") from None
            raise IllegalMove(
                f"seat {seat} may not {word} ({self.asked()[seat]}); legal: {', '.join(self.legal(seat))}"
            ) from None

    def drawn(self) -> str | None:
        return None if self.referee.drawn is None else format_kind(self.referee.drawn)

    def last_draw(self) -> tuple[int, str, bool] | None:
        draws = [event for event in self.referee.events if event[0] == "draw"]
        return (draws[-1][1], format_kind(draws[-1][2]), draws[-1][3]) if draws else None

    def tiles_left(self) -> int:
        return len(self.referee.wall.left())

    def hand(self, seat: int) -> str:
        return format_counts(self.referee.hands[seat])

    def melds(self, seat: int) -> list[str]:
        return [f"{_FORM_NAMES[meld.form]} {format_kind(meld.kind)}" for meld in self.referee.melds[seat]]

    def seen_melds(self, seat: int) -> list[str] | None:  # noqa: ARG002 - a referee sees everything
        return None

    def void_suits(self) -> str:
        suits = [suit for suit in self.referee.void if suit is not None]
        return " ".join("mps"[suit] for suit in suits) if len(suits) == 4 else "hidden"

    def points(self) -> list[int]:
        return list(self.referee.points)

    def payments(self) -> list[Payment]:
        return [(line.cause, line.payer, line.payee, line.amount) for line in self.referee.ledger]

    def wins(self) -> list[Win]:
        return [
            Win(seat, form, None if kind is None else format_kind(kind), source, patterns, fan, value)
            for name, *facts in self.referee.events
            if name == "win"
            for seat, form, kind, source, patterns, fan, value in [facts]
        ]

    def kongs(self) -> list[str]:
        return [f"{e[1]} {e[3]} {format_kind(e[2])}" for e in self.referee.events if e[0] == "kong"]

    def statuses(self) -> list[str] | None:
        return [seat.status for seat in self.referee.outcome] if self.referee.over else None

    def faults(self) -> list[str]:
        return list_faults(self.referee)


def begin(
    engine: str, preset: Preset, wall: Sequence[int], wall_mode: str = "shared", direction: str = "none"
) -> Table:
    """Begin a deal in an engine."""
    tables = {"fast": FastTable, "settled": SettledTable, "reference": RefereeTable}
    return tables[engine](preset, wall, wall_mode, direction)
