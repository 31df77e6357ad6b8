"""A preset in words: one row per knob with its value and marks, and one line for headings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.rules.knobs import KnobValue, all_knobs

if TYPE_CHECKING:
    from sim.rules.model import Preset


@dataclass(frozen=True)
class KnobRow:
    """One knob of one preset, ready to be shown."""

    key: str
    """The dotted key."""
    value: KnobValue
    """As a file writes it."""
    assumed: bool
    """Whether the value is a choice of ours where the preset's document is silent."""
    settlement_only: bool
    """Whether the knob only changes how a finished deal is settled."""
    meaning: str
    """What the knob does and what its words mean."""

    @property
    def mark(self) -> str:
        """The word that marks an assumed knob; empty for all others."""
        return "assumed" if self.assumed else ""

    @property
    def changes(self) -> str:
        """What the knob changes, in one word."""
        return changes_word(settlement_only=self.settlement_only)


def changes_word(*, settlement_only: bool) -> str:
    """Say in one word what a knob changes: the settlement alone, or play.

    Parameters
    ----------
    settlement_only
        What the knob declares.
    """
    return "settlement" if settlement_only else "play"


def describe_preset(preset: Preset) -> tuple[KnobRow, ...]:
    """Give one row per knob, in the order of the models.

    Parameters
    ----------
    preset
        Any preset.
    """
    return tuple(
        KnobRow(
            key=key,
            value=knob.read(preset),
            assumed=preset.is_assumed(key),
            settlement_only=knob.settlement_only,
            meaning=knob.meaning,
        )
        for key, knob in all_knobs().items()
    )


def headline(preset: Preset) -> str:
    """Give the knobs that players ask about first, in one line.

    Parameters
    ----------
    preset
        Any preset.

    Examples
    --------
    >>> from sim.rules import load_preset
    >>> headline(load_preset("cardavia-sichuan"))
    'no exchange, cap 5 fan, self-draw +1 point, flower pig 32, no win lock'
    """
    exchange, win = preset.exchange, preset.win
    self_draw = {
        "add_points": f"self-draw +{win.self_draw_points} point{'' if win.self_draw_points == 1 else 's'}",
        "add_fan": "self-draw +1 fan",
        "none": "no self-draw extra",
    }
    return ", ".join(
        (
            "no exchange" if exchange.direction == "none" else f"exchange of {exchange.count} ({exchange.direction})",
            "no cap" if preset.fan.cap is None else f"cap {preset.fan.cap} fan",
            self_draw[win.self_draw],
            f"flower pig {preset.exhaustion.flower_pig}",
            "no win lock" if preset.passing.win_lock == "none" else "win lock until the next draw",
        )
    )


def show_knob_value(value: KnobValue) -> str:
    """Write a knob's value for people: as in a file, without quotation marks.

    Parameters
    ----------
    value
        As `KnobRow.value`.
    """
    return str(value).lower() if isinstance(value, bool) else str(value)
