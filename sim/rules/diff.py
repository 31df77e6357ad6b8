"""Two presets side by side: only the knobs whose values differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.rules.knobs import KnobValue, all_knobs

if TYPE_CHECKING:
    from sim.rules.model import Preset


@dataclass(frozen=True)
class Difference:
    """One knob that two presets set differently."""

    key: str
    """The dotted key."""
    left: KnobValue
    """The first preset's value, as a file writes it."""
    right: KnobValue
    """The second preset's value."""
    left_assumed: bool
    """Whether the first preset's value is assumed."""
    right_assumed: bool
    """Whether the second preset's value is assumed."""
    settlement_only: bool
    """Whether the knob only changes how a finished deal is settled."""


def diff_presets(left: Preset, right: Preset) -> tuple[Difference, ...]:
    """List the knobs that differ, in the order of the models.

    Names, texts and `assumed` marks alone make no difference.

    Parameters
    ----------
    left
        Any preset.
    right
        Any preset.

    Returns
    -------
    tuple
        Empty when the two play and settle alike.
    """
    return tuple(
        Difference(
            key=key,
            left=knob.read(left),
            right=knob.read(right),
            left_assumed=left.is_assumed(key),
            right_assumed=right.is_assumed(key),
            settlement_only=knob.settlement_only,
        )
        for key, knob in all_knobs().items()
        if knob.read(left) != knob.read(right)
    )
