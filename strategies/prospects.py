"""What a way to a win promises: the odds of finishing it in the time that is left, and what waiting costs.

The odds are worked out once, by going backwards from the end of the deal one round of turns at a time: in a round a
player draws a useful tile or does not, and other players win and leave or do not. The rates are those of players who
count useful tiles, measured over some 15,000 deals of `ukeire`: how often others win in a round, what a round costs a
player who stays, how much of the useful tiles is live at each step. A measured chance to win and the one from these
tables differ by less than five in a hundred. Not in here: which routes there are and what they pay
(`strategies.routes`, `strategies.worth`).
"""

import numpy as np
import numpy.typing as npt

from sim.engine.sichuan.fan import value_of
from sim.engine.sichuan.rules import ADD_FAN, ADD_POINTS, Rules
from sim.engine.sichuan.table import SEATS, Table
from strategies.compiling import helper, inlined_helper

ANY_HAND, ONE_SUIT, PUNGS_ONLY, PAIRS_ONLY = 0, 1, 2, 3
"""Routes: any standard hand or seven pairs, a standard hand of one suit, four pungs and a pair, seven pairs."""

MOST_LACKING = 6
"""Tiles lacking beyond which a route is as good as closed."""
MOST_ROUNDS = 15
_STEPS = 10
_STEP = 0.08
"""Rates of the first step are tabulated at multiples of this."""
_RATES = np.array(
    [
        [0.20, 0.23, 0.35, 0.46, 0.54, 0.60],
        [0.24, 0.21, 0.26, 0.29, 0.30, 0.31],
        [0.19, 0.30, 0.40, 0.45, 0.50, 0.50],
        [0.13, 0.14, 0.21, 0.28, 0.36, 0.40],
    ]
)
"""Chance to advance in a round, by route and by tiles lacking from 1, three others being active."""
_FIRST_RATES = np.array([0.19, 0.20, 0.28, 0.36, 0.42, 0.45])
"""What the rate of the first step tends to: a hand open to few tiles is soon open to more, by other draws."""
_TENDENCY = 0.4
_READY_FACTORS = (1.0, 0.85, 0.7)
"""A ready hand's rate with fewer players who discard, by players who have won."""
DRAWN_SHARES = np.array([0.35, 0.41, 0.50])
"""Share of the wins of a ready hand that are self-drawn, by players who have won: one tile drawn for so many shown."""
_LATE_COSTS = (3.2, 2.2, 1.2)
"""What it costs not to be ready at exhaustion, in points, by players who have won."""

_BY_DRAW, _BY_DISCARD, _STAYING, _LATE = 0, 1, 2, 3
"""What a table's entry consists of: payers of a self-draw times its chance, the chance of a win on a discard, points
paid to others meanwhile, points paid for not being ready."""


def _tabulate() -> npt.NDArray[np.float64]:
    """Return the prospects by players who have won, route, tiles lacking less one, rate of the first step, rounds."""
    winners = SEATS - 1
    routes = len(_RATES)
    usual = np.zeros((winners, MOST_ROUNDS + 1, routes, MOST_LACKING + 1, 4))
    prospects = np.zeros((winners, MOST_ROUNDS + 1, routes, MOST_LACKING, _STEPS + 1, 4))
    tended = _STEP * np.arange(_STEPS + 1) * (1 - _TENDENCY)
    for wins in reversed(range(winners)):
        others = winners - wins
        win = np.array([DRAWN_SHARES[wins] * others, 1 - DRAWN_SHARES[wins], 0.0, 0.0])
        rates = _RATES * np.where(np.arange(MOST_LACKING) == 0, _READY_FACTORS[wins], 1.0)
        targets = _FIRST_RATES * np.where(np.arange(MOST_LACKING) == 0, _READY_FACTORS[wins], 1.0)
        firsts = (tended[None, :] + _TENDENCY * targets[:, None])[None, :, :, None]
        usual[wins, :, :, 0] = win
        usual[wins, 0, :, 2:, _LATE] = _LATE_COSTS[wins]
        prospects[wins, 0, :, 1:, :, _LATE] = _LATE_COSTS[wins]
        for rounds in range(1, MOST_ROUNDS + 1):
            later = np.zeros((routes, MOST_LACKING + 1, 4))
            stays = np.zeros((routes, MOST_LACKING, _STEPS + 1, 4))
            for more, odds in enumerate(_odds_of_wins(wins, rounds)):
                if wins + more < winners:
                    left = min(MOST_ROUNDS, round((rounds - 1) * (SEATS - wins) / (SEATS - wins - more)))
                    later += odds * usual[wins + more, left]
                    stays += odds * prospects[wins + more, left]
            later[..., _STAYING] += _cost_of_round(wins, rounds)
            stays[..., _STAYING] += _cost_of_round(wins, rounds)
            later[:, 0] = win
            rate = rates[:, :, None]
            usual[wins, rounds, :, 1:] = rate * later[:, :-1] + (1 - rate) * later[:, 1:]
            prospects[wins, rounds] = firsts * later[:, :-1, None] + (1 - firsts) * stays
    return np.ascontiguousarray(prospects.transpose(0, 2, 3, 4, 1, 5))


def _odds_of_wins(wins: int, rounds: int) -> tuple[float, float, float]:
    """Return the odds that none, one or more of the others win in a round, with so many rounds left."""
    measured = (0.0145 * (12.3 - rounds), 0.03 + 0.011 * (14.5 - rounds), 0.08 + 0.0055 * (15 - rounds))[wins]
    odds = min(max(measured, 0.0), 0.2)
    others = SEATS - 1 - wins
    none, one = (1 - odds) ** others, others * odds * (1 - odds) ** (others - 1)
    return none, one, 1 - none - one


def _cost_of_round(wins: int, rounds: int) -> float:
    """Return what a player who has not won pays in a round, in points, with so many rounds left."""
    return max(0.0, (0.045 * (12.6 - rounds), 0.08 + 0.033 * (14 - rounds), 0.17 + 0.013 * (15 - rounds))[wins])


_PROSPECTS = _tabulate()


@inlined_helper
def count_rounds(table: Table) -> int:
    """Return how many more turns a player can expect if nobody else wins.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    """
    active = SEATS - table.count_wins
    return min(MOST_ROUNDS, int((table.tiles_left + active // 2) // active))


@inlined_helper
def payment_of(fan: int, rules: Rules) -> float:
    """Return what each payer of a self-drawn win pays, in points.

    Parameters
    ----------
    fan : int64, read
        Fan before the cap, without the extra one of a self-draw.
    rules : Rules, read
        The preset.
    """
    if rules.win_self_draw == ADD_FAN:
        return float(value_of(fan + 1, rules))
    if rules.win_self_draw == ADD_POINTS:
        return float(value_of(fan, rules) + rules.win_self_draw_points)
    return float(value_of(fan, rules))


@helper
def prospect_of(
    table: Table, rules: Rules, route: int, lacking: int, rate: float, rounds: int, value: float, payment: float
) -> float:
    """Return the points that a player can expect on a route, less what staying in the deal costs.

    Parameters
    ----------
    table : Table, read
        What everybody sees.
    rules : Rules, read
        The preset.
    route : int64, read
        The route.
    lacking : int64, read
        Tiles that the hand lacks for it, at least 1.
    rate : float64, read
        Chance of a useful tile in a round.
    rounds : int64, read
        Turns to expect, as of `count_rounds`.
    value : float64, read
        Hand value to expect, in points.
    payment : float64, read
        What each payer of a self-draw is expected to pay, in points.
    """
    wins = min(SEATS - 2, int(table.count_wins))
    step = min(lacking, MOST_LACKING) - 1
    place = min(rate / _STEP, _STEPS - 0.01)
    low = int(place)
    part = place - low
    left = min(rounds, MOST_ROUNDS)
    below = _PROSPECTS[wins, route, step, low, left]
    above = _PROSPECTS[wins, route, step, low + 1, left]
    worth = payment * (below[_BY_DRAW] + part * (above[_BY_DRAW] - below[_BY_DRAW]))
    worth += value * (below[_BY_DISCARD] + part * (above[_BY_DISCARD] - below[_BY_DISCARD]))
    worth -= below[_STAYING] + part * (above[_STAYING] - below[_STAYING])
    if rules.not_ready:
        worth -= below[_LATE] + part * (above[_LATE] - below[_LATE])
    return float(worth)
