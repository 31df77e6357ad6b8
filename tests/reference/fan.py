"""Patterns, the best reading, hand values (chapter 5 of the rules)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reference.hands import Reading, own_copies, readings, waits
from tests.reference.records import KINDS, Meld, rank_of, suit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules import Preset


@dataclass(frozen=True)
class Score:
    """What a complete hand is worth under one preset."""

    reading: Reading
    patterns: dict[str, int]  # a pattern that exists and applies is in it, also when it is worth 0
    fan: int  # before the cap
    value: int


def value_of(preset: Preset, fan: int) -> int:
    """Hand value: two to the power of the fan, or of the cap if that is less."""
    return int(2 ** (fan if preset.fan.cap is None else min(fan, preset.fan.cap)))


def count_roots(hand: Sequence[int], melds: Sequence[Meld]) -> int:
    """Kinds of which hand (winning tile included) and melds hold all four."""
    return sum(own_copies(kind, hand, melds) == 4 for kind in range(KINDS))


def structural_patterns(
    preset: Preset, reading: Reading, hand: Sequence[int], melds: Sequence[Meld], winning: int
) -> dict[str, int]:
    """Patterns of one reading of a complete hand, whatever way it was won.

    `hand` includes the winning tile, `winning` is its kind.
    """
    table = preset.fan.patterns
    applies: list[str] = []
    kinds = [kind for kind in range(KINDS) if own_copies(kind, hand, melds)]

    if len({suit_of(kind) for kind in kinds}) == 1:
        applies.append("full_flush")
    if reading.form == "seven_pairs":
        applies.append("seven_pairs")
    else:
        assert reading.pair is not None
        groups = [*reading.groups, *(("pung", meld.kind) for meld in melds)]
        if all(form == "pung" for form, _ in groups):
            of_258 = all(rank_of(kind) in {2, 5, 8} for kind in (*(kind for _, kind in groups), reading.pair))
            # It replaces all_pungs wherever it exists, even if it is worth nothing.
            applies.append("all_pungs_258" if of_258 and table.all_pungs_258 is not None else "all_pungs")
        if all(_has_end(group) for group in groups) and rank_of(reading.pair) in {1, 9}:
            applies.append("outside_hand")
        if reading.pair == winning:
            # The rest are four complete groups, so the player waited for the pair (perhaps for other tiles too).
            applies.append("pair_wait")
            if len(melds) == 4:
                applies.append("golden_wait")

    patterns = {name: fan for name in applies if (fan := getattr(table, name)) is not None}
    roots = count_roots(hand, melds)
    if roots and table.root is not None:
        patterns["root"] = roots * table.root
    return patterns


def _has_end(group: tuple[str, int]) -> bool:
    form, kind = group
    ranks = {rank_of(kind)} if form == "pung" else {rank_of(kind), rank_of(kind) + 2}
    return bool(ranks & {1, 9})


def best_reading(
    preset: Preset, hand: Sequence[int], melds: Sequence[Meld], winning: int | None
) -> tuple[Reading, dict[str, int]]:
    """Return the reading with the most structural fan and its patterns.

    On equal fan: standard before seven pairs, then one with all_pungs, then one with pair_wait. What may still differ
    then is only whether a worthless outside_hand is listed: listed it is. Without a winning tile (the dealer wins on
    the dealt fourteen) any tile held may be taken for it.
    """
    candidates = [kind for kind in range(KINDS) if hand[kind]] if winning is None else [winning]
    judged = [
        (reading, structural_patterns(preset, reading, hand, melds, kind))
        for reading in readings(hand, len(melds))
        for kind in candidates
    ]
    if not judged:
        raise ValueError(f"not a complete hand: {list(hand)} beside {list(melds)}")
    return max(
        judged,
        key=lambda pair: (
            sum(pair[1].values()),
            pair[0].form == "standard",
            "all_pungs" in pair[1],
            "pair_wait" in pair[1],
            "outside_hand" in pair[1],
        ),
    )


def score_win(
    preset: Preset,
    hand: Sequence[int],
    melds: Sequence[Meld],
    winning: int | None,
    situations: Sequence[str] = (),
    *,
    self_drawn: bool = False,
) -> Score:
    """Score a complete hand (winning tile included).

    Parameters
    ----------
    preset
        The rules.
    hand
        Counts of the concealed tiles, the winning one among them.
    melds
        Declared groups.
    winning
        Kind of the winning tile; None when the dealer wins on the dealt fourteen.
    situations
        Those of kong_draw, kong_discard, rob_kong, last_tile that are the case.
    self_drawn
        Whether a self-draw extra may be due (only `add_fan` shows as a pattern).
    """
    reading, patterns = best_reading(preset, hand, melds, winning)
    patterns = dict(patterns)
    for name in situations:
        fan = getattr(preset.fan.patterns, name)
        if fan is not None:
            patterns[name] = fan
    if self_drawn and preset.win.self_draw == "add_fan":
        patterns["self_draw"] = 1
    total = sum(patterns.values())
    return Score(reading, patterns, total, value_of(preset, total))


def highest_value(preset: Preset, hand: Sequence[int], melds: Sequence[Meld], void: int | None) -> int:
    """Highest structural hand value over all waits; 0 when the hand is not ready."""
    values = [0]
    for kind in waits(hand, melds, void):
        longer = list(hand)
        longer[kind] += 1
        values.append(score_win(preset, longer, melds, kind).value)
    return max(values)
