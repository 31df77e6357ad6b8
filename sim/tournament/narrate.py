"""A deal told in words: one line an event, the hands followed along.

Works on events alone (`sim.tournament.deal_file`), so it tells any deal file, whoever wrote it, right or wrong.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sim.rules import available_presets, load_preset
from sim.rules.describe import show_knob_value
from sim.rules.knobs import knob_values
from sim.tiles import SUIT_LETTERS, SUIT_NAMES, format_kinds, parse_tile, parse_tiles, unicode_kinds
from sim.tournament.deal_file import name_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sim.tournament.deal_file import Event

WALL_SIZE: Final = 55
_CAUSE_WORDS: Final = {
    "discard_win": "the win",
    "robbed_kong_win": "the win",
    "self_draw": "the self-draw",
    "concealed_kong": "the concealed kong",
    "exposed_kong": "the exposed kong",
    "added_kong": "the added kong",
    "kong_refund": "kong income, returned",
    "kong_transfer": "kong income, transferred",
    "flower_pig": "being a flower pig",
    "not_ready": "not being ready",
}
_STATUS_WORDS: Final = {"won": "has won", "ready": "ready", "not_ready": "not ready", "pig": "flower pig"}


class Narrator:
    """Follows the hands of deals and tells each event.

    Parameters
    ----------
    is_unicode : bool
        Whether tiles are also shown as Unicode tiles.
    changed : mapping
        Knobs that were set over the preset, by key; of a shipped preset it is seen what was.
    """

    def __init__(self, *, is_unicode: bool = True, changed: Mapping[str, object] | None = None) -> None:
        self.is_unicode = is_unicode
        self.changed = changed or {}
        self._start()

    def _start(self) -> None:
        """Forget the deal before."""
        self.hands: list[Counter[int]] = [Counter() for _ in range(4)]
        self.melds: list[list[str]] = [[] for _ in range(4)]
        self.names = [""] * 4
        self.tiles_left = WALL_SIZE
        self.on_offer = ""

    def tell(self, events: Iterable[Event]) -> list[str]:
        """Return the lines of a deal.

        Parameters
        ----------
        events : iterable of dict
            The events of one deal, or of several, in order; each well formed.

        Returns
        -------
        list of str
            Lines of text, without line ends.
        """
        lines: list[str] = []
        for event in events:
            lines.extend(getattr(self, f"_tell_{event['event']}")(event))
        return lines

    # Words

    def _who(self, seat: int) -> str:
        return f"seat {seat} ({self.names[seat]})" if self.names[seat] else f"seat {seat}"

    def _tiles(self, kinds: list[int]) -> str:
        text = format_kinds(kinds)
        return f"{text} {unicode_kinds(kinds)}" if self.is_unicode and kinds else text

    def _tile(self, tile: str) -> str:
        return self._tiles([parse_tile(tile)])

    def _hand(self, seat: int) -> str:
        hand = self._tiles(sorted(self.hands[seat].elements()))
        return " ".join([hand, *(f"[{meld}]" for meld in self.melds[seat])]).strip()

    def _take(self, seat: int, tile: str, count: int = 1) -> None:
        self.hands[seat][parse_tile(tile)] -= count

    # Events

    def _tell_deal(self, event: Event) -> list[str]:
        self._start()
        self.names = list(event.get("strategies", self.names))
        facts = [f"preset {event['preset']}{_tell_knobs(_changed_knobs(event, self.changed))}"]
        facts += [f"wall seed {event['wall_seed']}"] if "wall_seed" in event else []
        facts += [f"wall mode {event.get('wall_mode', 'shared')}"]
        lines = [f"deal {event['id']}"] if "id" in event else []
        lines.append(", ".join(facts))
        for seat, hand in enumerate(event["hands"]):
            self.hands[seat] = Counter(parse_tiles(hand))
            lines.append(f"{self._who(seat)}{'' if seat else ', dealer'}: {self._hand(seat)}")
        return lines

    def _tell_direction(self, event: Event) -> list[str]:
        words = {"none": "no exchange", "across": "exchange: across"}
        return ["", words.get(event["direction"], f"exchange: to the {event['direction']}")]

    def _tell_exchange(self, event: Event) -> list[str]:
        seat = event["seat"]
        self.hands[seat].subtract(parse_tiles(event["given"]))
        self.hands[seat].update(parse_tiles(event["received"]))
        return [f"{self._who(seat)} gives {event['given']}, receives {event['received']}: {self._hand(seat)}"]

    def _tell_void_suit(self, event: Event) -> list[str]:
        name = SUIT_NAMES[SUIT_LETTERS.index(event["suit"])]
        return [f"{self._who(event['seat'])} declares {name} ({event['suit']}) void"]

    def _tell_draw(self, event: Event) -> list[str]:
        seat = event["seat"]
        self.hands[seat][parse_tile(event["tile"])] += 1
        self.tiles_left -= 1
        if event["replacement"]:
            return [f"{self._who(seat)} draws the replacement {self._tile(event['tile'])}, {self.tiles_left} left"]
        return ["", f"{self._who(seat)} draws {self._tile(event['tile'])}, {self.tiles_left} left"]

    def _tell_discard(self, event: Event) -> list[str]:
        seat = event["seat"]
        self._take(seat, event["tile"])
        self.on_offer = event["tile"]
        return [f"{self._who(seat)} discards {self._tile(event['tile'])}, keeps {self._hand(seat)}"]

    def _tell_answer(self, event: Event) -> list[str]:
        """Tell an answer, with what else could have been done; a turn's only as far as it does not show at once."""
        seat, action = event["seat"], event["action"]
        others = [option for option in event.get("could", ()) if option != action]
        if event["decision"] == "turn":
            lines = [f"{self._who(seat)} could {' or '.join(others)}, and does not"] if others else []
            tile = action.removeprefix("kong ")
            if tile != action and f"pung {tile}" in self.melds[seat]:
                self.on_offer = tile
                lines.append(f"{self._who(seat)} adds {self._tile(tile)} to the pung")
            return lines
        could = f" (could {' or '.join(others)})" if others else ""
        if action == "pass":
            return [f"{self._who(seat)} passes{could}"]
        what, _, tile = action.partition(" ")
        tile = tile or self.on_offer
        claim = f"{what} {self._tile(tile)}" if tile else what
        return [f"{self._who(seat)} claims: {claim}{could}"]

    def _tell_pung(self, event: Event) -> list[str]:
        seat = event["seat"]
        self._take(seat, event["tile"], 2)
        self.melds[seat].append(f"pung {event['tile']}")
        return ["", f"{self._who(seat)} pungs {self._tile(event['tile'])} of seat {event['from']}"]

    def _tell_kong(self, event: Event) -> list[str]:
        seat, tile, form = event["seat"], event["tile"], event["form"]
        self._take(seat, tile, {"concealed": 4, "exposed": 3, "added": 1}[form])
        pung = f"pung {tile}"
        if form == "added" and pung in self.melds[seat]:
            self.melds[seat].remove(pung)
        self.melds[seat].append(f"{form} kong {tile}")
        line = f"{self._who(seat)} makes the {form} kong of {self._tile(tile)}"
        return ["", f"{line} of seat {event['from']}"] if form == "exposed" else [line]

    def _tell_robbed(self, event: Event) -> list[str]:
        self._take(event["seat"], event["tile"])
        return [f"the added kong of {self._tile(event['tile'])} of {self._who(event['seat'])} is robbed"]

    def _tell_win(self, event: Event) -> list[str]:
        seat = event["seat"]
        how = {
            "self_draw": "by self-draw",
            "discard": f"on the discard of seat {event['from']}",
            "robbed_kong": f"by robbing the kong of seat {event['from']}",
        }[event["form"]]
        tile = "the dealt fourteen tiles" if event["tile"] is None else self._tile(event["tile"])
        patterns = ", ".join(f"{name} {fan}" for name, fan in event["patterns"].items()) or "no pattern"
        return [
            f"*** {self._who(seat)} wins {how} with {tile}: {event['fan']} fan ({patterns}), value {event['value']}",
            f"    {self._hand(seat)}",
        ]

    def _tell_payment(self, event: Event) -> list[str]:
        words = _CAUSE_WORDS[event["cause"]]
        return [f"    seat {event['payer']} pays {name_points(event['amount'])} to seat {event['payee']} for {words}"]

    def _tell_exhaustion(self, event: Event) -> list[str]:
        lines = ["", "the wall is empty"]
        for seat, status in enumerate(event["statuses"]):
            lines.append(f"{self._who(seat)}: {_STATUS_WORDS[status]}, {self._hand(seat)}")
        return lines

    def _tell_end(self, event: Event) -> list[str]:
        points = ", ".join(f"{self._who(seat)} {points:+d}" for seat, points in enumerate(event["points"]))
        return ["", f"points: {points}"]


def _changed_knobs(event: Event, known: Mapping[str, object]) -> Mapping[str, Any]:
    """Find the knobs that differ from those of the shipped preset whose name the deal has; else give what is known."""
    if event["preset"] not in available_presets() or not isinstance(event.get("knobs"), dict):
        return known
    shipped = knob_values(load_preset(event["preset"]))
    return {key: value for key, value in event["knobs"].items() if shipped.get(key) != value}


def _tell_knobs(changed: Mapping[str, Any]) -> str:
    """Say which knobs were changed."""
    told = ", ".join(f"{key} {show_knob_value(value)}" for key, value in changed.items())
    return f" with {told}" if told else ""
