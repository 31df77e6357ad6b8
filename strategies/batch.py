"""Batch strategies: classes whose methods are called for the decisions of many tables at once, with arrays.

The engine plays a thousand deals in lock step (`sim.engine.sichuan.batch`) and asks for all decisions of one kind
together. Where deals are played one by one (a replay, a check) the same methods get batches of one.
"""

from __future__ import annotations

import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.hands.hand import KINDS, NONE, RANKS, SUITS, Hand
from sim.engine.sichuan.decision import Decision
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import DECISIONS, KONG_ACTION, PASS_ACTION, PUNG_ACTION, SEATS, TURN, WIN_ACTION, Table
from sim.errors import StrategyError
from sim.jit import Callback, ints_at
from strategies import batch_kernels as kernels
from strategies.python import BROKEN, CHOICES, Handle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

WIN, PASS, PUNG, KONG = WIN_ACTION, PASS_ACTION, PUNG_ACTION, KONG_ACTION
"""Actions: to win, to pass, to claim a pung; KONG + kind is a kong, a kind alone a discard."""
ACTIONS = PUNG_ACTION + 1
"""Actions of a turn or a claim are 0 to ACTIONS - 1; so long is a row of the mask of legal ones."""
_BITS = 1 << np.arange(KINDS, dtype=np.int64)


class Batch:
    """What the players see in decisions of one kind at many tables, one row each.

    Parameters
    ----------
    hands : recarray of Hand, shape (n,)
        Copies of the hands; their lots and memory go back into the deals.
    tables : callable
        Gives a field of the tables by name, or all fields, one row each.
    all_rules : recarray of Rules, shape (1,)
        The preset.
    lookup : recarray of Lookup
        Hand tables.
    names : sequence of str
        Names of the parameters.
    """

    def __init__(
        self, hands: Any, tables: Callable[[str | None], Any], all_rules: Any, lookup: Any, names: Sequence[str]
    ) -> None:
        self.hands = hands
        """The hands, a record array (`sim.engine.hands.hand.Hand`): ``batch.hands.counts`` is int64, shape (n, 27)."""
        self._tables = tables
        self.table: Callable[[str], Numbers] = tables
        """Gives a field of `sim.engine.sichuan.table.Table`: ``batch.table("thrown")`` is int64, shape (n, 4, 27)."""
        self._all_rules = all_rules
        self.rules = all_rules[0]
        """The preset, one record (`sim.engine.sichuan.rules.Rules`)."""
        self._lookup = lookup
        self._names = names

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def decision(self) -> npt.NDArray[np.str_]:
        """What is decided, n words: all the same but for claims, where a robbing may be among them."""
        return np.array(DECISIONS)[self.table("decision")]

    @property
    def parameters(self) -> Mapping[str, float]:
        """The strategy's parameters by name."""
        values = self.hands.parameters[0, : len(self._names)].tolist()
        return MappingProxyType(dict(zip(self._names, values, strict=True)))

    @property
    def counts(self) -> Numbers:
        """Concealed tiles of each kind, shape (n, 27)."""
        numbers: Numbers = self.hands.counts
        return numbers

    @property
    def seat(self) -> Numbers:
        """The own seats, shape (n,)."""
        numbers: Numbers = self.hands.seat
        return numbers

    @property
    def void_suit(self) -> Numbers:
        """The own void suits, shape (n,); -1 before they are chosen."""
        numbers: Numbers = self.hands.void_suit
        return numbers

    @property
    def memory(self) -> Numbers:
        """What lasts within a deal, shape (n, 31): zero at its start, written back after the decision."""
        numbers: Numbers = self.hands.memory[:, :31]
        return numbers

    @property
    def live(self) -> Numbers:
        """Copies of each kind that the player has not seen, shape (n, 27)."""
        konged = (self.hands.kongs[:, None] & _BITS) != 0
        left: Numbers = 4 - self.hands.counts - self.table("seen")
        return np.where(konged, 0, left)

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Mask of legal actions, shape (n, 67), for turns and claims."""
        mask = np.zeros((len(self), ACTIONS), dtype=np.bool_)
        mask[:, :KINDS] = (self.hands.legal_discards[:, None] & _BITS) != 0
        mask[:, KONG_ACTION : KONG_ACTION + KINDS] = (self.hands.legal_kongs[:, None] & _BITS) != 0
        mask[:, WIN_ACTION] = self.hands.legal_win == 1
        mask[:, PASS_ACTION] = self.table("decision") > TURN
        mask[:, PUNG_ACTION] = self.hands.legal_pung == 1
        return mask

    @property
    def legal_suits(self) -> npt.NDArray[np.bool_]:
        """Mask of the suits of which enough tiles for the exchange are held, shape (n, 3)."""
        mask: npt.NDArray[np.bool_] = self.hands.sizes >= self.rules.exchange_count
        return mask

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """Numbers for a network, shape (n, 27, 12), seen from the own seat.

        For each kind: own concealed tiles, live copies, own melds of it, tiles thrown by oneself and by the next three
        seats, 1 where it is of the void suit of oneself and of the next three, 1 where it is the tile in question.
        """
        rows = np.arange(len(self))
        order = (self.seat[:, None] + np.arange(SEATS)) % SEATS
        found = np.zeros((len(self), KINDS, 12), dtype=np.float32)
        found[:, :, 0] = self.counts
        found[:, :, 1] = self.live
        found[:, :, 2] = ((self.hands.pungs | self.hands.kongs)[:, None] & _BITS) != 0
        thrown, void_suits = self.table("thrown"), self.table("void_suits").copy()
        void_suits[rows, self.seat] = self.void_suit
        suits = np.arange(KINDS) // RANKS
        for step in range(SEATS):
            found[:, :, 3 + step] = thrown[rows, order[:, step]]
            found[:, :, 7 + step] = suits == void_suits[rows, order[:, step]][:, None]
        found[:, :, 11] = np.arange(KINDS) == self.table("tile")[:, None]
        return found

    def shanten(self) -> Numbers:
        """Return each hand's steps to ready, shape (n,); before the void suit is chosen with the best one."""
        steps = np.empty(len(self), dtype=np.int64)
        kernels.count_steps(self.hands, self._lookup, steps)
        return steps

    def shanten_without_suits(self) -> Numbers:
        """Return each hand's steps to ready without each suit, shape (n, 3)."""
        steps = np.empty((len(self), SUITS), dtype=np.int64)
        kernels.count_steps_without_suits(self.hands, self._lookup, steps)
        return steps

    def choices(self) -> tuple[Numbers, Numbers]:
        """Return what each legal discard leaves.

        Returns
        -------
        shanten : int64, shape (n, 27)
            Steps to ready after the discard; 99 where it is not legal.
        useful : int64, shape (n, 27)
            Live tiles that bring the hand nearer after it; 0 where it is not legal.
        """
        steps = np.full((len(self), KINDS), 99, dtype=np.int64)
        useful = np.zeros((len(self), KINDS), dtype=np.int64)
        kernels.compare_discards(self.hands, self._lookup, np.ascontiguousarray(self.live), steps, useful)
        return steps, useful

    def waits(self) -> npt.NDArray[np.bool_]:
        """Return the mask of the kinds that complete each hand, shape (n, 27); in claims (not in the own turn)."""
        self._refuse_turns("waits")
        masks = np.empty(len(self), dtype=np.int64)
        kernels.find_waits(self.hands, self._lookup, masks)
        found: npt.NDArray[np.bool_] = (masks[:, None] & _BITS) != 0
        return found

    def values(self, *, self_draw: bool = False) -> Numbers:
        """Return what each hand is worth if a kind completes it, in points, shape (n, 27); 0 where none does.

        In claims (not in the own turn).

        Parameters
        ----------
        self_draw : bool
            Whether by self-draw, which may add a fan.
        """
        self._refuse_turns("values")
        found = np.zeros((len(self), KINDS), dtype=np.int64)
        tables = self._tables(None)
        kernels.value_waits(self.hands, tables, self._all_rules, self._lookup, int(self_draw), found)
        return found

    def _refuse_turns(self, what: str) -> None:
        """Refuse helpers for hands that have nothing to discard."""
        if (self.table("decision") <= TURN).any():
            raise StrategyError(f"{what}() is for claims and robbings; choices() tells of each discard in the own turn")

    def danger(self) -> npt.NDArray[np.float64]:
        """Return how dangerous each kind is to each seat, shape (n, 4, 27): 0 if it cannot win on it, 1 at worst.

        The same rule of thumb as for the other ways of writing a strategy; 0 for the own seat.
        """
        live = np.maximum(self.live, 0).reshape(-1, SUITS, RANKS)
        ways = 2 * live
        for low in range(RANKS - 2):
            for rank in range(low, low + 3):
                one, other = (near for near in range(low, low + 3) if near != rank)
                ways[:, :, rank] += np.minimum(live[:, :, one], live[:, :, other])
        each = np.repeat(ways.reshape(-1, 1, KINDS), SEATS, axis=1)
        each = np.where(self.table("thrown") > 0, each // 4, each)
        is_void = self.table("void_suits")[:, :, None] == np.arange(KINDS) // RANKS
        is_own = (np.arange(SEATS) == self.seat[:, None])[:, :, None]
        can_win = (self.table("active")[:, :, None] == 1) & ~is_void & ~is_own
        found: npt.NDArray[np.float64] = np.where(can_win, np.minimum(1000, 50 * each), 0) / 1000
        return found

    def draw(self, bound: int | Numbers) -> Numbers:
        """Draw a number below a bound for each row, from the seat's own stream: the only chance there is.

        Parameters
        ----------
        bound : int or int64 array, shape (n,)
            The bound, 1 to 2**31.
        """
        bounds = np.broadcast_to(np.asarray(bound, dtype=np.int64), (len(self),)).copy()
        if bounds.size and not (bounds.min() >= 1 and bounds.max() <= 1 << 31):
            raise StrategyError(f"draw: bounds from {bounds.min()} to {bounds.max()}; allowed: 1 to 2**31")
        lots = np.empty(len(self), dtype=np.int64)
        kernels.draw_lots(self.hands, bounds, lots)
        return lots

    def pick(self, mask: npt.NDArray[np.bool_]) -> Numbers:
        """Draw one of the true columns of each row, each alike, from the seat's own stream.

        Parameters
        ----------
        mask : bool, shape (n, m)
            At least one is true in each row.
        """
        lots = self.draw(mask.sum(axis=1))
        chosen: Numbers = np.argmax(np.cumsum(mask, axis=1) > lots[:, None], axis=1)
        return chosen


class BatchHandle(Handle):
    """Plays a batch strategy. There is one object of its class, for all deals: it must not keep anything of a deal.

    Parameters
    ----------
    chosen : type
        The class.
    source : Path
        Its file.
    names : sequence of str
        Names of its parameters.
    """

    def __init__(self, chosen: type, source: Path, names: Sequence[str]) -> None:
        super().__init__(chosen, source, names)
        self._lock = threading.Lock()
        self.mask = sum(1 << place for place, choice in enumerate(CHOICES) if hasattr(chosen, choice))
        """Bit i for each of `CHOICES` that the class makes."""
        self.decisions: dict[str, Any] = {
            choice: Callback(Decision, self._answerer(place))
            for place, choice in enumerate(CHOICES)
            if hasattr(chosen, choice)
        }

    def choose(self, place: int, deals: Any, rows: Numbers, seats: Numbers, rules: Any, lookup: Any) -> Numbers:
        """Answer for many tables.

        Parameters
        ----------
        place : int
            Which of `CHOICES`.
        deals : recarray of Deal
            Deals in play.
        rows : int64, shape (n,)
            Those in which the strategy is asked.
        seats : int64, shape (n,)
            The seat that is asked in each.
        rules : recarray of Rules, shape (1,)
            The preset.
        lookup : recarray of Lookup, shape (1,)
            Hand tables.

        Returns
        -------
        int64, shape (n,)
            An action for each.
        """
        all_hands = deals["hands"]
        hands = all_hands[rows, seats].view(np.recarray)
        tables = deals["table"]

        def fields(name: str | None) -> Any:
            return tables[rows].view(np.recarray) if name is None else tables[name][rows]

        batch = Batch(hands, fields, rules, lookup, self.names)
        actions = self._ask(place, batch)
        all_hands["lots"][rows, seats] = hands.lots
        all_hands["memory"][rows, seats] = hands.memory
        return actions

    def _ask(self, place: int, batch: Batch) -> Numbers:
        """Call the method, and read what it returns."""
        with self._lock:
            if self.lasting is None:
                self.lasting = self.make()
        method = getattr(self.lasting, CHOICES[place])
        count = int(batch.rules.exchange_count)
        shape = (len(batch),) if place else (len(batch), count)
        answer = np.asarray(method(batch))
        if answer.shape != shape or answer.dtype.kind not in "iu":
            line = method.__code__.co_firstlineno
            what = "an action for each row" if place else "the kinds to give"
            raise StrategyError(
                f"{self.source}:{line}: {method.__qualname__} returned {answer.dtype} of shape {answer.shape};"
                f" allowed: integers of shape {shape}, {what}"
            )
        if place:
            return np.ascontiguousarray(answer, dtype=np.int64)
        kinds = np.sort(answer.astype(np.int64), axis=1)
        packed: Numbers = np.sum(kinds << 5 * np.arange(count), axis=1)
        return np.where(((kinds < 0) | (kinds >= KINDS)).any(axis=1), NONE, packed)

    def _answerer(self, place: int) -> Callable[[int, int, int, int], int]:
        """Make the function that answers where deals are played one by one."""

        def answer(hand: int, table: int, rules: int, lookup: int) -> int:
            try:
                own = _records_at(hand, Hand)
                hands, tables = own.copy(), _records_at(table, Table)

                def fields(name: str | None) -> Any:
                    return tables.copy() if name is None else tables[name].copy()

                batch = Batch(hands, fields, _records_at(rules, Rules), _lookup(lookup), self.names)
                action = int(self._ask(place, batch)[0])
                own.lots[:] = hands.lots
                own.memory[:] = hands.memory
            except BaseException as error:  # noqa: BLE001 - nothing may be raised through compiled code
                self.keep_error(error)
                return BROKEN
            return action if abs(action) < 1 << 39 else NONE

        return answer


def _records_at(address: int, cls: type) -> Any:
    """Return the record at an address as an array of one."""
    return ints_at(address, cls).view(cls.dtype).view(np.recarray)  # type: ignore[attr-defined]


def _lookup(_: int) -> Any:
    """Return the hand tables, of which there is one copy."""
    from sim.engine.hands.lookup import load_lookup  # noqa: PLC0415 - mapped into memory already

    return load_lookup()
