"""Stacked walls and scripted deals, in words a mahjong player reads.

Tiles are written as `123m55p789s`. A script is a text of `seat:word` steps: a tile discards it, `k5p` is a kong of that
kind, `win`, `pung` and `pass` are themselves, `void-m` names the void suit, `give-123m` picks for the exchange.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.records import KINDS, KONG, PASS, PUNG, WIN
from tests.reference.table import pack_pick

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.reference.referee import Referee

SUITS = "mps"


def tiles(text: str) -> list[int]:
    """Kinds of a text of tiles, in the order written."""
    found: list[int] = []
    ranks: list[int] = []
    for letter in text.replace(" ", ""):
        if letter in SUITS:
            found += [9 * SUITS.index(letter) + rank - 1 for rank in ranks]
            ranks = []
        else:
            ranks.append(int(letter))
    if ranks:
        raise ValueError(f"no suit after {ranks} in {text!r}")
    return found


def counts(text: str) -> list[int]:
    """Counts of the 27 kinds in a text of tiles."""
    held = [0] * KINDS
    for kind in tiles(text):
        held[kind] += 1
    return held


def kind_of(text: str) -> int:
    """Kind of one tile."""
    (kind,) = tiles(text)
    return kind


def name_of(kind: int) -> str:
    """Text of one kind."""
    return f"{kind % 9 + 1}{SUITS[kind // 9]}"


def stack_wall(hands: Sequence[str], front: str = "", back: str = "", middle: str = "") -> list[int]:
    """Build a wall that deals these hands (14, 13, 13, 13 tiles).

    `front` is drawn first, in order; `back` holds the kong replacements, the first written one drawn first; `middle`
    comes after the front; the other tiles fill the gap before the back, in ascending order.
    """
    dealt = [tiles(hand) for hand in hands]
    if [len(hand) for hand in dealt] != [14, 13, 13, 13]:
        raise ValueError(f"the hands have {[len(hand) for hand in dealt]} tiles; 14, 13, 13, 13 are dealt")
    start = [kind for hand, size in zip(dealt, (13, 13, 13, 13), strict=True) for kind in hand[:size]]
    start += dealt[0][13:] + tiles(front) + tiles(middle)
    end = tiles(back)[::-1]
    rest = list(range(KINDS)) * 4
    for kind in start + end:
        if kind not in rest:
            raise ValueError(f"more than four {name_of(kind)}")
        rest.remove(kind)
    return start + sorted(rest) + end


def action_of(word: str) -> int:
    """Choice that a word of a script stands for."""
    fixed = {"win": WIN, "pass": PASS, "pung": PUNG, "void-m": 0, "void-p": 1, "void-s": 2}
    if word in fixed:
        return fixed[word]
    if word.startswith("give-"):
        return pack_pick(tiles(word.removeprefix("give-")))
    if word.startswith("k"):
        return KONG + kind_of(word[1:])
    return kind_of(word)


def follow(referee: Referee, script: str, after_step: Callable[[Referee], None] | None = None) -> Referee:
    """Give the answers of a script one by one; returns the same referee."""
    for step in script.split():
        seat, _, word = step.partition(":")
        referee.answer(int(seat), action_of(word))
        if after_step is not None:
            after_step(referee)
    return referee


def drift(referee: Referee, until: Callable[[Referee], bool], after_step: Callable[[Referee], None]) -> Referee:
    """Let everybody throw the tile just drawn (or the first legal one) and pass every claim until something is so."""
    while referee.pending and not until(referee):
        seat, decision = next(iter(referee.pending.items()))
        if PASS in decision.legal:
            action = PASS
        elif referee.drawn in decision.legal:
            assert referee.drawn is not None
            action = referee.drawn
        else:
            action = min(decision.legal)
        referee.answer(seat, action)
        after_step(referee)
    return referee
