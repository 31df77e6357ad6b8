"""Names of the shipped strategies under which a test can afford to play them."""

from __future__ import annotations

from sim.jit import INTERPRETED
from strategies.registry import list_strategies


def shipped(budget: int = 0 if INTERPRETED else 40) -> tuple[str, ...]:
    """Return the names of all shipped strategies, those that roll out with so many roll-outs a decision."""
    return tuple(f"{name}{{budget={budget}}}" if name == "rollout" else name for name in list_strategies())
