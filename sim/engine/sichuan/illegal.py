"""What is said of a choice that the rules do not allow: what was chosen, and what was legal."""

from typing import Any

from sim.engine.hands.hand import KINDS
from sim.engine.sichuan.table import (
    DECISIONS,
    EXCHANGE,
    KONG_ACTION,
    PASS_ACTION,
    PUNG_ACTION,
    TURN,
    VOID_SUIT,
    WIN_ACTION,
)
from sim.tiles import format_kind, format_kinds

_WORDS = {WIN_ACTION: "win", PASS_ACTION: "pass", PUNG_ACTION: "pung"}


def describe_illegal(deal: Any, seat: int, strategy: str, count: int) -> str:
    """Say what a strategy chose that was not legal, and what was.

    Parameters
    ----------
    deal : Deal record
        The deal, as it was when the strategy was asked; its answer is the action.
    seat : int
        The seat that was asked.
    strategy : str
        The strategy's name.
    count : int
        How many tiles the preset exchanges.

    Returns
    -------
    str
        One sentence.
    """
    asked, action, hand = int(deal.table.decision), int(deal.answers[seat]), deal.hands[seat]
    decision = DECISIONS[asked]
    who = f"strategy {strategy} at seat {seat}"
    if asked == EXCHANGE:
        held = format_kinds(kind for kind in range(KINDS) for _ in range(int(hand.counts[kind])))
        return (
            f"{who} gave {_unpacked(action, count)} in an {decision} decision; held: {held}; legal: {count} held tiles"
            " of one suit, packed in ascending order"
        )
    chosen = f"{who} chose action {action} in a {decision} decision"
    if asked == VOID_SUIT:
        return f"{chosen}; legal: suits 0, 1, 2"
    legal = [kind for kind in range(KINDS) if (hand.legal_discards >> kind) & 1]
    legal += [KONG_ACTION + kind for kind in range(KINDS) if (hand.legal_kongs >> kind) & 1]
    legal += [WIN_ACTION] if hand.legal_win else []
    legal += [PASS_ACTION] if asked != TURN else []
    legal += [PUNG_ACTION] if hand.legal_pung else []
    return f"{chosen}{_in_words(action)}; legal: {', '.join(f'{one}{_in_words(one)}' for one in legal)}"


def _in_words(action: int) -> str:
    """Say what an action of a turn or claim is; nothing if it is none."""
    if 0 <= action < KINDS:
        return f" ({format_kind(action)})"
    if KONG_ACTION <= action < KONG_ACTION + KINDS:
        return f" (kong {format_kind(action - KONG_ACTION)})"
    return f" ({_WORDS[action]})" if action in _WORDS else ""


def _unpacked(action: int, count: int) -> str:
    """Write the tiles of an exchange as they are packed, or the number if they are not tiles."""
    kinds = [(action >> 5 * place) & 31 for place in range(count)]
    if action < 0 or action >> 5 * count or max(kinds) >= KINDS:
        return f"{action}, which is not {count} packed tiles,"
    return format_kinds(kinds)
