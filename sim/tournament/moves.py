"""Moves between a deal file and the engine: what an event shows that somebody chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.sichuan.table import KONG_ACTION, PASS_ACTION, PUNG_ACTION, WIN_ACTION
from sim.tiles import parse_tile, parse_tiles

if TYPE_CHECKING:
    from sim.tournament.deal_file import Event


def pack_exchange(text: str) -> int:
    """Return an exchange as the engine takes it.

    Parameters
    ----------
    text : str
        The tiles given.
    """
    return sum(kind << (5 * index) for index, kind in enumerate(sorted(parse_tiles(text))))


def parse_action(text: str) -> int:
    """Return an answer of a turn, a claim or a robbing as the engine takes it.

    Parameters
    ----------
    text : str
        Well-formed words, as in ``kong 5m``.
    """
    fixed = {"win": WIN_ACTION, "pass": PASS_ACTION, "pung": PUNG_ACTION}
    verb, _, tile = text.partition(" ")
    if verb in fixed:
        return fixed[verb]
    return parse_tile(tile) + (KONG_ACTION if verb == "kong" else 0)


def turn_action(event: Event) -> int | None:
    """Return the turn action that an event shows, None if it shows none.

    Parameters
    ----------
    event : dict
        A well-formed event.
    """
    name = event["event"]
    if name == "discard":
        return parse_tile(event["tile"])
    if name == "robbed" or (name == "kong" and event["form"] != "exposed"):
        return KONG_ACTION + parse_tile(event["tile"])
    return WIN_ACTION if name == "win" and event["form"] == "self_draw" else None


def claim_action(event: Event) -> int | None:
    """Return the claim that an event shows, None if it shows none.

    Parameters
    ----------
    event : dict
        A well-formed event; an answer shows a claim too.
    """
    name = event["event"]
    if name == "answer" and event["decision"] != "turn":
        return None if event["action"] == "pass" else parse_action(event["action"])
    if name == "pung":
        return PUNG_ACTION
    if name == "kong" and event["form"] == "exposed":
        return KONG_ACTION + parse_tile(event["tile"])
    return WIN_ACTION if name == "win" and event["form"] != "self_draw" else None
