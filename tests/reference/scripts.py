"""Stacked walls and scripted deals, in words a mahjong player reads.

Tiles are written as `123m55p789s`. A script is a text of `seat:word` steps: a tile discards it, `k5p` is a kong of that
kind, `win`, `pung` and `pass` are themselves, `void-m` names the void suit, `give-123m` picks for the exchange.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference.hands import own_copies
from tests.reference.presets import shipped
from tests.reference.records import KINDS, KONG, PASS, PUNG, WIN, Event, Meld
from tests.reference.referee import Referee
from tests.reference.table import pack_pick

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

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


def stack_wall(hands: Sequence[str], front: str = "", back: str = "") -> list[int]:
    """Build a wall that deals these hands (14, 13, 13, 13 tiles).

    A hand that ends with `*` is filled up with scattered tiles of all suits, single ones as long as there are enough:
    whatever suit such a player names void, it is not cleared and calls nothing. `front` is drawn first, in order;
    `back` holds the kong replacements, the first written one drawn first. The other tiles lie between them, ascending.
    """
    dealt = [tiles(hand.removesuffix("*")) for hand in hands]
    end = tiles(back)[::-1]
    rest = list(range(KINDS)) * 4
    for kind in [kind for hand in dealt for kind in hand] + tiles(front) + end:
        if kind not in rest:
            raise ValueError(f"more than four {name_of(kind)}")
        rest.remove(kind)
    scattered = [rank + step + 9 * suit for step in (0, 3, 6) for rank in (0, 1, 2) for suit in range(3)]
    for seat, size in enumerate((14, 13, 13, 13)):
        if hands[seat].endswith("*"):
            for kind in scattered * 4:
                if (
                    len(dealt[seat]) < size
                    and kind in rest
                    and (kind not in dealt[seat] or not set(rest) - set(dealt[seat]))
                ):
                    dealt[seat].append(kind)
                    rest.remove(kind)
        if len(dealt[seat]) != size:
            raise ValueError(f"seat {seat} is dealt {size} tiles; its hand has {len(dealt[seat])}")
    start = [kind for hand in dealt for kind in hand[:13]]
    return start + dealt[0][13:] + tiles(front) + sorted(rest) + end


def slanted_wall(lots: random.Random) -> list[int]:
    """Shuffle a wall that deals hands with a slant: few suits, few kinds, or most of a hand of some rare pattern.

    Rare patterns, kongs, robberies and several winners on one tile become common.
    """
    rest = list(range(KINDS)) * 4
    lots.shuffle(rest)
    dealt: list[list[int]] = []
    for size in (14, 13, 13, 13):
        hand: list[int] = []
        for kind in _liked(lots)[: lots.randint(size - 2, size)]:
            if kind in rest:
                rest.remove(kind)
                hand.append(kind)
        while len(hand) < size:
            hand.append(rest.pop())
        lots.shuffle(hand)
        dealt.append(hand)
    return [kind for hand in dealt for kind in hand[:13]] + dealt[0][13:] + rest


def _liked(lots: random.Random) -> list[int]:
    """Kinds to deal to one player, the most wanted first; copies that are gone are skipped."""
    suits = lots.sample((0, 9, 18), 2)
    slant = lots.choice(["none", "suit", "kinds", "seven pairs", "pungs", "258", "outside"])
    if slant == "none":
        return []
    if slant == "suit":
        return lots.sample([suits[0] + rank for rank in range(9) for _ in range(4)], 14)
    kinds = [suit + rank for suit in suits for rank in range(9)]
    if slant == "kinds":
        return [kind for kind in lots.sample(kinds, 4) for _ in range(4)]
    if slant == "seven pairs":
        return [kind for kind in lots.sample(kinds, 7) for _ in range(2)]
    if slant == "outside":
        pieces = [(0, 0, 0), (8, 8, 8), (0, 1, 2), (6, 7, 8)]
        groups = [[lots.choice(suits) + rank for rank in lots.choice(pieces)] for _ in range(4)]
        pair = [lots.choice(suits) + lots.choice((0, 8))] * 2
        return [kind for piece in [pair, *groups] for kind in piece]
    if slant == "258":
        kinds = [suit + rank for suit in suits for rank in (1, 4, 7)]
    return [kind for kind in lots.sample(kinds, 5) for _ in range(3)]


def draw_win(lots: random.Random) -> tuple[list[int], list[Meld], int]:
    """Draw a complete hand of any pattern: concealed counts with the winning tile, melds, the winning kind.

    For comparing scores directly: deals seldom end in the rare patterns.
    """
    while True:
        suits = lots.sample((0, 9, 18), lots.choice([1, 2, 2, 2]))
        ranks = lots.choice([range(9), range(9), (0, 8), (1, 4, 7)])
        kinds = [suit + rank for suit in suits for rank in ranks]
        hand, melds = [0] * KINDS, []
        if lots.random() < 0.2:
            for kind in lots.choices(kinds, k=7):
                hand[kind] += 2
        else:
            hand[lots.choice(kinds)] += 2
            pungs = lots.choice([0, 2, 4])
            for number in range(4):
                kind = lots.choice(kinds)
                form = lots.choice(["hidden", "pung", "concealed", "exposed", "added"])
                if number < pungs and form != "hidden":
                    melds.append(Meld(form, kind, None if form == "concealed" else 1))
                else:
                    low = kind - min(kind % 9, lots.randrange(3)) if kind % 9 < 7 else 9 * (kind // 9) + 6
                    for tile in [kind] * 3 if number < pungs else range(low, low + 3):
                        hand[tile] += 1
        if all(own_copies(kind, hand, melds) <= 4 for kind in range(KINDS)):
            return hand, melds, lots.choice([kind for kind in range(KINDS) if hand[kind]])


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


def begin(
    hands: Sequence[str],
    voids: str = "mmmm",
    front: str = "",
    back: str = "",
    preset: str = "mahjong-planet",
    **knobs: Any,
) -> Referee:
    """Begin a deal of stacked hands without exchange in which the seats name these void suits."""
    rules = shipped(preset, **{"exchange__direction": "none", **knobs})
    referee = Referee(rules, stack_wall(hands, front, back))
    for seat, suit in enumerate(voids):
        referee.answer(seat, SUITS.index(suit))
    return referee


def legal(referee: Referee, seat: int) -> frozenset[int]:
    """Legal choices of a seat that is asked."""
    return referee.pending[seat].legal


def asked(referee: Referee) -> dict[int, str]:
    """Who has to make which kind of decision."""
    return {seat: decision.kind for seat, decision in referee.pending.items()}


def named(referee: Referee, name: str) -> list[Event]:
    """Events of that name."""
    return [event for event in referee.events if event[0] == name]
