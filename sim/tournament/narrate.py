"""A deal told in words: one line an event, the hands followed along.

Works on events alone (`sim.tournament.replay`), so it tells any deal file, whoever wrote it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sim.tiles import format_kinds, parse_tile, unicode_kinds

Event = dict[str, Any]

_CAUSE_WORDS = {
    "discard_win": "the discard win",
    "robbed_kong_win": "the robbed kong",
    "self_draw": "the self-draw",
    "concealed_kong": "the concealed kong",
    "exposed_kong": "the exposed kong",
    "added_kong": "the added kong",
    "kong_refund": "kong income returned",
    "kong_transfer": "kong income transferred",
    "flower_pig": "being a flower pig",
    "not_ready": "not being ready",
}
_STATUS_WORDS = {"won": "has won", "ready": "ready", "not_ready": "not ready", "pig": "flower pig"}


class Narrator:
    """Follows the hands of a deal and tells each event.

    Parameters
    ----------
    is_unicode : bool
        Whether tiles are also shown as Unicode tiles.
    """

    def __init__(self, *, is_unicode: bool = True) -> None:
        self.is_unicode = is_unicode
        self.hands: list[Counter[int]] = [Counter() for _ in range(4)]
        self.melds: list[list[str]] = [[] for _ in range(4)]
        self.names = ["?"] * 4
        self.points = [0] * 4
        self.turn = 0
        self.tiles_left = 0

    def tell(self, events: Iterable[Event]) -> list[str]:
        """Return the lines of a deal.

        Parameters
        ----------
        events : iterable of dict
            The events of one deal, in order.

        Returns
        -------
        list of str
            Lines of text, without line ends.
        """
        lines: list[str] = []
        for event in events:
            lines.extend(getattr(self, f"_tell_{event['event']}")(event))
        return lines

    def _who(self, seat: int) -> str:
        return f"seat {seat} ({self.names[seat]})"

    def _tiles(self, kinds: list[int]) -> str:
        text = format_kinds(kinds)
        return f"{text} {unicode_kinds(kinds)}" if self.is_unicode else text

    def _tile(self, tile: str) -> str:
        return self._tiles([parse_tile(tile)])

    def _hand(self, seat: int) -> str:
        hand = self._tiles(sorted(self.hands[seat].elements()))
        return " ".join([hand, *(f"[{meld}]" for meld in self.melds[seat])])

    def _take(self, seat: int, tile: str, count: int = 1) -> None:
        self.hands[seat][parse_tile(tile)] -= count

    def _tell_deal(self, event: Event) -> list[str]:
        self.names = list(event["strategies"])
        self.tiles_left = len(event["wall"].split())
        lines = [f"preset {event['preset']}, wall seed {event['wall_seed']}, wall mode {event['wall_mode']}"]
        for seat, hand in enumerate(event["hands"]):
            kinds = parse_hand(hand)
            self.hands[seat] = Counter(kinds)
            dealer = ", dealer" if seat == 0 else ""
            lines.append(f"{self._who(seat)}{dealer}: {self._hand(seat)}")
        return lines

    def _tell_direction(self, event: Event) -> list[str]:
        return ["", "no exchange" if event["direction"] == "none" else f"exchange: {event['direction']}"]

    def _tell_exchange(self, event: Event) -> list[str]:
        seat = event["seat"]
        self.hands[seat].subtract(parse_hand(event["given"]))
        self.hands[seat].update(parse_hand(event["received"]))
        return [f"{self._who(seat)} gives {event['given']}, receives {event['received']}: {self._hand(seat)}"]

    def _tell_void_suit(self, event: Event) -> list[str]:
        suits = {"m": "characters (m)", "p": "circles (p)", "s": "bamboo (s)"}
        return [f"{self._who(event['seat'])} declares {suits[event['suit']]} void"]

    def _tell_draw(self, event: Event) -> list[str]:
        seat = event["seat"]
        self.hands[seat][parse_tile(event["tile"])] += 1
        self.tiles_left -= 1
        what = "draws the replacement" if event["replacement"] else "draws"
        return ["", f"{self._who(seat)} {what} {self._tile(event['tile'])}, {self.tiles_left} left"]

    def _tell_discard(self, event: Event) -> list[str]:
        seat = event["seat"]
        self._take(seat, event["tile"])
        return [f"{self._who(seat)} discards {self._tile(event['tile'])}   keeps {self._hand(seat)}"]

    def _tell_pung(self, event: Event) -> list[str]:
        seat = event["seat"]
        self._take(seat, event["tile"], 2)
        self.melds[seat].append(f"pung {event['tile']}")
        return ["", f"{self._who(seat)} pungs {self._tile(event['tile'])} of seat {event['from']}"]

    def _tell_kong(self, event: Event) -> list[str]:
        seat, tile, form = event["seat"], event["tile"], event["form"]
        if form == "added":
            self.melds[seat].remove(f"pung {tile}")
        else:
            self._take(seat, tile, 4 if form == "concealed" else 3)
        self.melds[seat].append(f"{form} kong {tile}")
        source = "" if event["from"] is None else f" of seat {event['from']}"
        return [f"{self._who(seat)} makes the {form} kong of {self._tile(tile)}{source}"]

    def _tell_robbed(self, event: Event) -> list[str]:
        return [f"the kong of {self._who(event['seat'])} is robbed"]

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
        self.points[event["payer"]] -= event["amount"]
        self.points[event["payee"]] += event["amount"]
        return [
            f"    seat {event['payer']} pays seat {event['payee']} {event['amount']} for {_CAUSE_WORDS[event['cause']]}"
        ]

    def _tell_exhaustion(self, event: Event) -> list[str]:
        lines = ["", "the wall is empty"]
        for seat, status in enumerate(event["statuses"]):
            lines.append(f"{self._who(seat)}: {_STATUS_WORDS[status]}   {self._hand(seat)}")
        return lines

    def _tell_end(self, event: Event) -> list[str]:
        points = ", ".join(f"{self._who(seat)} {points:+d}" for seat, points in enumerate(event["points"]))
        return ["", f"points: {points}"]

    def _tell_answer(self, event: Event) -> list[str]:
        if event["decision"] not in ("claim", "rob"):
            return self._tell_added_kong(event)
        others = " or ".join(option for option in event["legal"] if option not in ("pass", event["action"]))
        could = f" (could {others})" if others else ""
        verb = "passes" if event["action"] == "pass" else f"answers: {event['action']}"
        return [f"{self._who(event['seat'])} {verb}{could}"]

    def _tell_added_kong(self, event: Event) -> list[str]:
        """Tell a declared added kong before the answers to it: its tile leaves the hand at once."""
        action: str = event["action"]
        if event["decision"] == "turn" and action.startswith("kong "):
            tile = action.removeprefix("kong ")
            if self.hands[event["seat"]][parse_tile(tile)] == 1:
                self._take(event["seat"], tile)
                return [f"{self._who(event['seat'])} adds {self._tile(tile)} to the pung"]
        return []


def parse_hand(text: str) -> list[int]:
    """Return the kinds of a text such as ``123m44p``, in order."""
    kinds: list[int] = []
    ranks: list[str] = []
    for letter in text:
        if letter in "mps":
            kinds.extend(parse_tile(rank + letter) for rank in ranks)
            ranks = []
        else:
            ranks.append(letter)
    return kinds
