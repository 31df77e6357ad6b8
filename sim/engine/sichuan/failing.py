"""What is said of a strategy that fails in a deal: which deal, who was asked what, and what came."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from sim.engine.sichuan.advance import next_seat
from sim.engine.sichuan.illegal import describe_illegal
from sim.engine.sichuan.table import DECISIONS, EXCHANGE, TURN, VOID_SUIT
from sim.errors import BloodBattleError, IllegalActionError, StrategyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

    from sim.engine.sichuan.play import CompiledStrategy


def describe_deal(
    wall_seed: int, seating: Sequence[int], wall_mode: str, strategies: Sequence[CompiledStrategy]
) -> str:
    """Name a deal by everything that it follows from but the preset.

    Parameters
    ----------
    wall_seed : int
        The wall seed.
    seating : sequence of 4 int
        Line-up slot at each seat.
    wall_mode : str
        ``shared`` or ``per_seat``.
    strategies : sequence of 4
        The line-up.
    """
    return (
        f"wall seed {wall_seed}, seating {''.join(str(slot) for slot in seating)}, wall mode {wall_mode}, "
        f"strategies {','.join(strategy.name for strategy in strategies)}"
    )


def describe_asked(
    deal: Any,
    wall_seeds: npt.NDArray[np.int64],
    seatings: npt.NDArray[np.int64],
    place: tuple[int, int],
    wall_mode: str,
    strategies: Sequence[CompiledStrategy],
    label: Callable[[int, int], str] | None = None,
) -> tuple[str, dict[str, Any]]:
    """Say who is asked what in a deal in play.

    Parameters
    ----------
    deal : Deal record
        The deal.
    wall_seeds : int64 array, shape (walls,)
        Wall seeds.
    seatings : int64 array, shape (seatings, 4)
        Line-up slot at each seat.
    place : tuple of 2 ints
        Index of the deal's wall and seating.
    wall_mode : str
        ``shared`` or ``per_seat``.
    strategies : sequence of 4
        The line-up.
    label : callable, optional
        Names a deal by the indices of its wall and seating.

    Returns
    -------
    str
        In words.
    dict
        The same as plain data.
    """
    seat = int(next_seat(deal))
    seating = [int(slot) for slot in seatings[place[1]]]
    name = label(*place) if label is not None else None
    facts = {
        "strategy": strategies[seating[seat]].name,
        "seat": seat,
        "decision": DECISIONS[deal.table.decision],
        "deal": name,
        "wall_seed": int(wall_seeds[place[0]]),
        "seating": seating,
        "wall_mode": wall_mode,
    }
    words = (
        f"strategy {facts['strategy']} at seat {seat}, decision {facts['decision']}"
        f"{f', deal {name}' if name is not None else ''}"
        f" ({describe_deal(wall_seeds[place[0]], seating, wall_mode, strategies)})"
    )
    return words, facts


@contextlib.contextmanager
def watching(strategies: Sequence[CompiledStrategy]) -> Iterator[None]:
    """Let strategies that can do harm outside a deal look after themselves while they play.

    Parameters
    ----------
    strategies : sequence
        Those with a method `watch`, a context manager, are watched.
    """
    with contextlib.ExitStack() as stack:
        for strategy in {id(strategy): strategy for strategy in strategies if hasattr(strategy, "watch")}.values():
            stack.enter_context(strategy.watch())
        yield


def placed(error: BloodBattleError, failure: Any) -> BloodBattleError:
    """Note in an error which of the deals asked for it stopped, so that whoever numbers them can name it.

    Parameters
    ----------
    error : BloodBattleError
        The error.
    failure : sequence of at least 2 ints
        Index of the wall, and of the seating.
    """
    error.place = int(failure[0]), int(failure[1])
    return error


def refused(given: tuple[Any, Any, Any], seat: int, strategy: CompiledStrategy, identity: str) -> BloodBattleError:
    """Make the error for a strategy whose answer was not accepted: it raised, or it chose illegally.

    Parameters
    ----------
    given : tuple of 3 records
        The deal, as it was when the strategy was asked (its answer is the action), the preset and the hand tables.
    seat : int
        The seat that was asked.
    strategy : CompiledStrategy
        The strategy.
    identity : str
        Which deal, for people.
    """
    take_error = getattr(strategy, "take_error", None)
    error = take_error() if take_error is not None else None
    if error is not None:
        return raised(given, seat, strategy, error, identity)
    deal, rules, _ = given
    place_of = getattr(strategy, "place_of", None)
    where = f"{place_of(_place(int(deal.table.decision)))}: " if place_of is not None else ""
    what = describe_illegal(deal, seat, strategy.name, int(rules.exchange_count))
    return IllegalActionError(f"{where}{what} ({identity})")


def _place(decision: int) -> int:
    """Return which of a strategy's four functions makes a decision."""
    return (EXCHANGE, VOID_SUIT, TURN).index(decision) if decision <= TURN else 3


def raised(
    given: tuple[Any, Any, Any], seat: int, strategy: CompiledStrategy, error: BaseException, identity: str
) -> BloodBattleError:
    """Make the error for a strategy that raised one.

    Parameters
    ----------
    given : tuple of 3 records
        The deal, as it was when the strategy was asked, the preset and the hand tables.
    seat : int
        The seat that was asked.
    strategy : CompiledStrategy
        The strategy.
    error : BaseException
        What it raised.
    identity : str
        Which deal, for people.
    """
    if isinstance(error, KeyboardInterrupt):
        raise error
    deal, rules, lookup = given
    asked = int(deal.table.decision)
    describe = getattr(strategy, "describe_error", None)
    if describe is None:
        what = f"{type(error).__name__}: {error}"
    else:
        what = describe(error, _place(asked), (deal.hands[seat], deal.table, rules, lookup))
    message = f"{what}\n  strategy {strategy.name} at seat {seat}, decision {DECISIONS[asked]} ({identity})"
    return StrategyError(message)
