"""What hypothesis draws: presets, players, walls; and how much of it."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from sim.jit import INTERPRETED
from sim.rules import Preset, load_preset
from tests.differential.compare import Case, draw_case
from tests.reference.presets import random_preset

SHIPPED = ("mahjong-planet", "mahjongo", "cardavia-sichuan")


def examples(count: int, interpreted: int) -> settings:
    """Return settings for so many examples, fewer without a compiler; the same examples in every run."""
    return settings(
        max_examples=interpreted if INTERPRETED else count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@st.composite
def presets(draw: st.DrawFn) -> Preset:
    """Draw a shipped preset, or one with any allowed value of every knob."""
    if draw(st.booleans()):
        return random_preset(draw(st.randoms(use_true_random=False)))
    return load_preset(draw(st.sampled_from(SHIPPED)))


@st.composite
def cases(draw: st.DrawFn, *, sensible: float = 0.3, slanted: bool = True) -> Case:
    """Draw a deal: preset, four players from wild to sensible, wall mode, and a wall.

    Half of the walls are slanted, if that is allowed: they bring kongs, robberies and rare patterns.
    """
    is_slanted = slanted and draw(st.booleans())
    lots = draw(st.randoms(use_true_random=False))
    return draw_case(lots, draw(presets()), sensible=sensible, is_slanted=is_slanted)
