"""Following a written deal through the engine, line by line, up to the first thing that breaks the rules.

The choices of the players are read from the file and given to the engine. Everything else (who is asked, what is legal,
draws, patterns, fan, payments, the end) is for the engine, and the file must say the same. After a move that is illegal
nothing is known about the rest, so there the deal is left; wrong figures are noted, and the deal goes on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sim.engine.hands.lookup import load_lookup
from sim.engine.sichuan.advance import answer, is_legal
from sim.engine.sichuan.deal import DEALT, TILES, WALL_MODES
from sim.engine.sichuan.rules import DIRECTIONS, RANDOM
from sim.engine.sichuan.setup import deal_tiles, draw_direction, shuffle_wall
from sim.engine.sichuan.table import (
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    OVER,
    PASS_ACTION,
    PUNG_ACTION,
    ROB,
    SEATS,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.rules.compile import compile_rules
from sim.tiles import COPIES, KINDS, SUIT_LETTERS, format_kind, format_kinds, parse_tile, parse_tiles
from sim.tournament.deal_fields import show_json
from sim.tournament.deal_file import describe_event
from sim.tournament.events import LogReader, describe_action, list_options
from sim.tournament.moves import claim_action, pack_exchange, parse_action, turn_action
from sim.tournament.reasons import (
    describe_allowed,
    describe_asked,
    list_seats,
    name_seats,
    why_no_claim,
    why_no_turn_action,
    why_not_asked,
)
from sim.tournament.script import Script

if TYPE_CHECKING:
    from sim.rules import Preset
    from sim.tournament.deal_file import Event, Line

FIGURES: Final = {"win": ("patterns", "fan", "value"), "exhaustion": ("statuses",), "end": ("points",)}
"""Fields that follow from the others: a wrong one does not stop a deal."""


class Following:
    """One deal in the engine, and the place in the file that it has come to.

    Parameters
    ----------
    deal : Deal record
        Workspace.
    lines : list of Line
        The deal, well formed, its event `deal` first.
    preset : Preset
        The rules.
    """

    def __init__(self, deal: Any, lines: list[Line], preset: Preset) -> None:
        self.deal = deal
        self.script = Script(lines)
        self.events: list[Event] = []
        self.rules = compile_rules(preset)[0]
        self.lookup = load_lookup()[0]
        self.log = LogReader(deal, self.rules)
        self.known: Counter[int] | None = None  # tiles dealt and drawn by kind, if the wall is not known

    @property
    def points(self) -> tuple[int, ...]:
        """Net points of each seat."""
        return tuple(int(points) for points in self.deal.table.points)

    @property
    def ending(self) -> str:
        """How the deal ended, once it has."""
        return "exhaustion" if self.deal.exhausted else "third_win"

    def follow(self) -> None:
        """Follow the deal to its end.

        Raises
        ------
        StopError
            A move is not allowed.
        """
        self._lay_wall()
        deal_tiles(self.deal, self.rules, self._read_direction())
        self._compare(self.log.read())
        while self.deal.table.decision != OVER:
            decision = int(self.deal.table.decision)
            if decision == EXCHANGE:
                self._follow_exchange()
            elif decision == VOID_SUIT:
                self._follow_void_suits()
            else:
                written = self._read_answers(decision)
                choices = self._read_turn(written) if decision == TURN else self._read_claims(decision, written)
                for seat in list_seats(int(self.deal.asked_first)):
                    self._give(seat, choices[seat])
                self._compare(self.log.read())
        if self.script.place < len(self.script.lines):
            self.script.refuse("a new deal, or the end of the file", "the deal is over")

    # The start

    def _lay_wall(self) -> None:
        """Lay the dealt tiles and the wall, as far as it is known, and check them."""
        start = self.script.at(0)
        hands = [parse_tiles(hand) for hand in start["hands"]]
        dealt = [kind for hand in hands for kind in hand[: DEALT // SEATS]] + hands[0][-1:]
        wall = parse_tiles(start["wall"]) if "wall" in start else None
        self.deal.wall_mode = WALL_MODES.index(start.get("wall_mode", WALL_MODES[0]))
        self.deal.is_logged = 1
        if "wall_seed" in start:
            wall = self._shuffle(start, hands, wall)
        counts = Counter([*dealt, *(wall or [])])
        for kind in range(KINDS):
            if counts[kind] > COPIES or (wall is not None and counts[kind] < COPIES):
                came = f"{counts[kind]} of {format_kind(kind)}"
                self.script.stop(0, "hands and wall together must hold every tile", came, f"{COPIES} of each kind")
        if wall is None:
            self.known = counts
        for position, kind in enumerate([*dealt, *(wall or [0] * (TILES - DEALT))]):
            self.deal.wall[position] = kind

    def _shuffle(self, start: Event, hands: list[list[int]], wall: list[int] | None) -> list[int]:
        """Return the wall of the wall seed, after checking that the file's tiles come from it."""
        shuffle_wall(self.deal, start["wall_seed"])
        shuffled = [int(kind) for kind in self.deal.wall]
        for seat, hand in enumerate(hands):
            due = sorted(shuffled[13 * seat : 13 * seat + 13] + (shuffled[DEALT - 1 : DEALT] if seat == 0 else []))
            if sorted(hand) != due:
                reason = f"this wall seed deals seat {seat} other tiles; leave wall_seed out if it is another program's"
                self.script.stop(0, reason, start["hands"][seat], format_kinds(due))
        if wall is not None and wall != shuffled[DEALT:]:
            first = next(index for index in range(TILES - DEALT) if wall[index] != shuffled[DEALT + index])
            reason = f"this wall seed shuffles another wall: tile {first + 1} differs"
            self.script.stop(0, reason, format_kind(wall[first]), format_kind(shuffled[DEALT + first]))
        return shuffled[DEALT:]

    def _read_direction(self) -> int:
        """Return the exchange direction that the file gives; what it should be is compared later."""
        event = self.script.here
        start = self.script.at(0)
        if event["event"] != "direction":
            self.script.refuse("the exchange direction")
        if self.rules.exchange_direction != RANDOM:
            return 1  # the preset's own direction is in force
        direction = DIRECTIONS.index(event["direction"])
        if direction == 0:
            self.script.refuse("right, across or left", "the preset has an exchange")
        if "wall_seed" in start and direction != draw_direction(start["wall_seed"]):
            due = DIRECTIONS[draw_direction(start["wall_seed"])]
            self.script.complain(self.script.place, "this wall seed draws another direction", event["direction"], due)
        return direction

    def _follow_exchange(self) -> None:
        """Follow the exchange: four events in any order."""
        count = int(self.rules.exchange_count)
        what = "one tile that the seat holds" if count == 1 else f"{count} tiles of one suit that the seat holds"
        given = self._read_each("exchange", what)
        for seat in range(SEATS):
            self._give(seat, given[seat][0])
        for event in self._note(self.log.read()):
            place = given[event["seat"]][1]
            received = self.script.at(place)["received"]
            if sorted(parse_tiles(received)) != sorted(parse_tiles(event["received"])):
                self.script.complain(place, "other tiles were received", received, event["received"])

    def _follow_void_suits(self) -> None:
        """Follow the void suits: four events in any order."""
        declared = self._read_each("void_suit", "a suit")
        for seat in range(SEATS):
            self._give(seat, declared[seat][0])
        self._note(self.log.read())

    def _read_each(self, name: str, allowed: str) -> dict[int, tuple[int, int]]:
        """Return the choice of every seat, and the place where it stands."""
        choices: dict[int, tuple[int, int]] = {}
        for _ in range(SEATS):
            event = self.script.here
            missing = name_seats([seat for seat in range(SEATS) if seat not in choices])
            if event["event"] != name:
                self.script.refuse(f"the event {name} of {missing}")
            seat = event["seat"]
            if seat in choices:
                reason = f"seat {seat} has chosen already, in line {self.script.number(choices[seat][1])}"
                self.script.refuse(f"the event {name} of {missing}", reason)
            choice = pack_exchange(event["given"]) if name == "exchange" else SUIT_LETTERS.index(event["suit"])
            if not is_legal(self.deal.hands[seat], int(self.deal.table.decision), choice, self.rules):
                self.script.refuse(allowed, f"seat {seat} cannot give {event['given']}")
            choices[seat] = (choice, self.script.place)
            self.script.place += 1
        return choices

    # Turns and claims

    def _read_answers(self, decision: int) -> dict[int, tuple[int, int]]:
        """Return the answers that are written before what came of them, and the place of each."""
        written: dict[int, tuple[int, int]] = {}
        while (event := self.script.here)["event"] == "answer" and event["decision"] == DECISIONS[decision]:
            seat = event["seat"]
            hand = self.deal.hands[seat]
            action = parse_action(event["action"])
            if not (int(self.deal.asked_first) >> seat) & 1:
                is_claim = decision != TURN and action != PASS_ACTION
                reason = self._why_not(seat, action) if is_claim else why_not_asked(self.deal, seat)
                self.script.refuse(describe_asked(self.deal), reason)
            if seat in written:
                reason = f"seat {seat} has answered already, in line {self.script.number(written[seat][1])}"
                self.script.refuse("one answer", reason)
            self._check_legal(seat, action, self.script.place)
            could = list_options(int(hand.legal_win), int(hand.legal_pung), int(hand.legal_kongs))
            if "could" in event and sorted(event["could"]) != sorted(could):
                self.script.complain(
                    self.script.place, f"seat {seat} could do other things", *map(show_json, (event["could"], could))
                )
            written[seat] = (action, self.script.place)
            self.script.place += 1
        return written

    def _check_legal(self, seat: int, action: int, place: int) -> None:
        """Stop if a seat that is asked may not do something."""
        if not is_legal(self.deal.hands[seat], int(self.deal.table.decision), action, self.rules):
            self.script.refuse(describe_allowed(self.deal, seat), self._why_not(seat, action), place)

    def _why_not(self, seat: int, action: int) -> str:
        """Say why an action is illegal."""
        table = self.deal.table
        if table.decision == TURN:
            return why_no_turn_action(self.deal, self.rules, action)
        return why_no_claim(self.deal, self.rules, seat, action, kind=int(table.tile), source=int(table.turn))

    def _check_same(self, seat: int, action: int, place: int, written: dict[int, tuple[int, int]]) -> None:
        """Stop if a seat did something else than it answered."""
        if seat in written and written[seat][0] != action:
            said, where = written[seat]
            allowed = f"what comes of the answer in line {self.script.number(where)}: {describe_action(said)}"
            self.script.refuse(allowed, f"seat {seat} has answered otherwise", place)

    def _read_turn(self, written: dict[int, tuple[int, int]]) -> dict[int, int]:
        """Return what the player whose turn it is does: the next event but for answers to an added kong."""
        seat = int(self.deal.table.turn)
        place = self.script.place
        while self.script.at(place)["event"] == "answer" and self.script.at(place)["decision"] == "rob":
            place += 1
        event = self.script.at(place)
        action = turn_action(event)
        if action is None or event["seat"] != seat:
            is_other = event.get("seat", seat) != seat
            reason = f"it is the turn of seat {seat}" if is_other else "a turn is a win, a kong or a discard"
            self.script.refuse(describe_allowed(self.deal, seat), reason, place)
        self._check_legal(seat, action, place)
        self._check_same(seat, action, place, written)
        return {seat: action}

    def _read_claims(self, decision: int, written: dict[int, tuple[int, int]]) -> dict[int, int]:
        """Return all answers to a discard or an added kong: written ones, what came of them, and passes."""
        for seat, (action, place) in self._find_claims(decision).items():
            if not (int(self.deal.asked_first) >> seat) & 1:
                self.script.refuse(describe_asked(self.deal), self._why_not(seat, action), place)
            self._check_legal(seat, action, place)
            self._check_same(seat, action, place, written)
            written[seat] = (action, place)
        return {
            seat: written[seat][0] if seat in written else PASS_ACTION
            for seat in list_seats(int(self.deal.asked_first))
        }

    def _find_claims(self, decision: int) -> dict[int, tuple[int, int]]:
        """Return the claims that show in the events that follow."""
        claims: dict[int, tuple[int, int]] = {}
        event = self.script.here
        if decision != ROB and event["event"] == "pung":
            claims[event["seat"]] = (PUNG_ACTION, self.script.place)
        elif decision != ROB and event["event"] == "kong" and event["form"] == "exposed":
            claims[event["seat"]] = (KONG_ACTION + parse_tile(event["tile"]), self.script.place)
        place = self.script.place + (decision == ROB and event["event"] == "robbed")
        form = "robbed_kong" if decision == ROB else "discard"
        while (event := self.script.at(place))["event"] in ("win", "payment"):
            if event["event"] == "win" and event["form"] == form:
                claims.setdefault(event["seat"], (WIN_ACTION, place))
            place += 1
        return claims

    # The engine

    def _give(self, seat: int, action: int) -> None:
        """Give the engine an answer that is legal.

        Where the wall is not known, whatever is drawn next is the tile of the file's next draw.
        """
        if self.known is not None:
            draws = (self.script.at(place) for place in range(self.script.place, len(self.script.lines)))
            tile = next((parse_tile(event["tile"]) for event in draws if event["event"] == "draw"), 0)
            if self.known[tile] >= COPIES:
                tile = next((kind for kind in range(KINDS) if self.known[kind] < COPIES), 0)
            self.deal.wall[DEALT:] = tile
        answer(self.deal, seat, action, self.rules, self.lookup)

    def _note(self, events: list[Event]) -> list[Event]:
        """Keep what the engine says that happened."""
        self.events.extend(events)
        return events

    def _compare(self, events: list[Event]) -> None:
        """Compare what the engine says with the lines that come."""
        self._note(events)
        told = [event for event in events if event["event"] != "answer"]
        while told:
            event = told.pop(0)
            due: list[Event] = []
            while told and told[0]["event"] == "payment":
                due.append(told.pop(0))
            self._match(event)
            self.script.match_payments(due)

    def _match(self, due: Event) -> None:
        """Compare one event with the next line."""
        came = self.script.here
        figures = FIGURES.get(due["event"], ())
        wrong = [key for key in due if key not in figures and came.get(key, "") != due[key]]
        if wrong:
            allowed = describe_event(due)
            if due["event"] == "draw" and self.known is not None:
                what = "the replacement, " if due["replacement"] else ""
                allowed = f"seat {due['seat']} draws {what}a tile that is left"
            self.script.refuse(allowed, self._why_other(came, due, wrong))
        for key in figures:
            if came[key] != due[key]:
                self.script.complain(
                    self.script.place, f"{due['event']}: wrong {key}", *map(show_json, (came[key], due[key]))
                )
        if due["event"] == "draw" and self.known is not None:
            self.known[parse_tile(due["tile"])] += 1
        self.script.place += 1

    def _why_other(self, came: Event, due: Event, wrong: list[str]) -> str:
        """Say why an event cannot come where another one is due."""
        if wrong == ["tile"] and due["event"] == "draw":
            if self.known is not None:
                return f"all four {came['tile']} have been dealt or drawn"
            return "another tile lies next in the wall"
        if came["event"] == due["event"]:
            return f"{due['event']}: wrong {' and '.join(wrong)}"
        claim = self.script.at(self.script.place + 1) if came["event"] == "robbed" else came
        action = claim_action(claim)
        if action is None:
            return ""
        if claim.get("form") == "robbed_kong" or claim.get("decision") == "rob":
            if due["event"] != "kong":
                return "no kong is being added to a pung"
            kind, source = parse_tile(due["tile"]), due["seat"]
        else:
            last = int(self.deal.table.count_discards) - 1
            if last < 0:
                return "there is no discard to claim"
            kind = int(self.deal.table.discard_kinds[last])
            source = int(self.deal.table.discard_seats[last])
        if claim["event"] != "answer" and (claim["from"] != source or claim["tile"] != format_kind(kind)):
            return f"the tile to claim is {format_kind(kind)} from seat {source}"
        return why_no_claim(self.deal, self.rules, claim["seat"], action, kind=kind, source=source)
