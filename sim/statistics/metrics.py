"""The dictionary of metrics: what each is called, what it is a ratio of, its unit and its meaning.

Numerators and denominators are quantities (`sim.tournament.quantities`). Metrics of ``strategy`` scope exist for each
strategy of a line-up and for each seat; those of ``deal`` scope once for a cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from sim.tournament.quantities import DEALS, GAINED, NET, PAID, PATTERN, WIN_POINTS, causes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

Scope = Literal["strategy", "deal"]


@dataclass(frozen=True)
class Metric:
    """One metric."""

    name: str
    """Its name in results."""
    numerator: str
    """The quantity that is counted."""
    denominator: str
    """The quantity that it is divided by."""
    unit: str
    """Unit of the ratio."""
    meaning: str
    """What it says, in a sentence."""
    scope: Scope = "strategy"
    """What it exists for."""


DEALER_EDGE: Final = "dealer_edge"
"""Points per deal in seat 0, whoever sits there."""

POINTS_SHARE: Final = "points_share_"
"""With a pattern: its share of the points won. Patterns overlap, so shares add up to more than 1."""

_BASIC: Final = (
    Metric("points", "points", DEALS, "points per deal", "Net points of a deal."),
    Metric("win_rate", "won", DEALS, "share of deals", "Deals in which the player wins."),
    Metric("win_first_rate", "won_first", DEALS, "share of deals", "Deals in which the player wins first."),
    Metric("win_second_rate", "won_second", DEALS, "share of deals", "Deals in which the player wins second."),
    Metric("win_third_rate", "won_third", DEALS, "share of deals", "Deals in which the player wins third."),
    Metric("self_draw_share", "won_self_draw", "won", "share of wins", "Wins on a tile drawn by the winner."),
    Metric("robbing_share", "won_robbed_kong", "won", "share of wins", "Wins by robbing a kong."),
    Metric("deal_in_rate", "dealt_in", DEALS, "share of deals", "Deals with a win on the player's discard."),
    Metric("deal_ins", "deal_ins", DEALS, "wins per deal", "Wins of others on discards of the player."),
    Metric("robbed_rate", "was_robbed", DEALS, "share of deals", "Deals in which the player's kong is robbed."),
    Metric(
        "ready_rate", "ready", "remaining", "share of exhausted deals without a win",
        "Of the deals in which the player is left when the wall runs out, those in which the player is ready.",
    ),
    Metric(
        "flower_pig_rate", "pig", DEALS, "share of deals",
        "Deals in which the player still holds tiles of the void suit when the wall runs out.",
    ),
    Metric(
        "flower_pig_share", "pig", "remaining", "share of exhausted deals without a win",
        "Of the deals in which the player is left when the wall runs out, those in which the player is a flower pig.",
    ),
    Metric("mean_fan", "fan", "won", "fan per win", "Fan of the winning hand, before the cap."),
    Metric("mean_value", "value", "won", "points per win", "Hand value of the winning hand."),
    Metric("kongs", "kongs", DEALS, "kongs per deal", "Kongs declared, of all forms."),
    Metric("melds", "melds", DEALS, "melds per deal", "Melds declared, kongs included."),
    Metric("turns", "turns", DEALS, "turns per deal", "Turns of the player."),
    Metric("forfeits", "forfeits", DEALS, "answers per deal", "Answers that failed and were those of a timeout."),
)  # fmt: skip
_OF_DEALS: Final = (
    Metric("exhaustion_rate", "exhausted", DEALS, "share of deals", "Deals in which the wall runs out.", "deal"),
    Metric("wins_per_deal", "wins", DEALS, "wins per deal", "Wins of all players.", "deal"),
    Metric("deal_length", "draws", DEALS, "tiles per deal", "Tiles drawn from the wall by all players.", "deal"),
    Metric(
        DEALER_EDGE, "points", DEALS, "points per deal", "Net points of a deal in seat 0, whoever sits there.", "deal"
    ),
)
"""Every deal has one row in seat 0, which is where these are read."""


def make_metrics(quantities: Iterable[str]) -> tuple[Metric, ...]:
    """List the metrics that a run's quantities allow.

    Parameters
    ----------
    quantities
        Names of the quantities in its ledger.

    Returns
    -------
    tuple of Metric
        In a fixed order: basic ones, points by cause, patterns, those of the deal.
    """
    names = tuple(quantities)
    found = list(_BASIC)
    for cause in causes_of(names):
        words = cause.replace("_", " ")
        unit = "points per deal"
        found.append(Metric(NET + cause, NET + cause, DEALS, unit, f"Points gained less points paid for {words}."))
        found.append(Metric(GAINED + cause, GAINED + cause, DEALS, unit, f"Points gained for {words}."))
        found.append(Metric(PAID + cause, PAID + cause, DEALS, unit, f"Points paid for {words}."))
    for name in names:
        if name.startswith(PATTERN):
            words = name.removeprefix(PATTERN)
            found.append(Metric(name, name, "won", "share of wins", f"Wins in which the pattern {words} counts."))
    found.append(Metric(WIN_POINTS, WIN_POINTS, DEALS, "points per deal", "Points gained by winning."))
    for name in names:
        if name.startswith(f"{WIN_POINTS}_"):
            words = name.removeprefix(f"{WIN_POINTS}_")
            meaning = f"Of the points gained by winning, those of wins in which the pattern {words} counts."
            found.append(Metric(f"{POINTS_SHARE}{words}", name, WIN_POINTS, "share of points won", meaning))
    found += _OF_DEALS
    return tuple(metric for metric in found if metric.numerator in names and metric.denominator in names)
