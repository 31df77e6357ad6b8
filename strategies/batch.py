"""Batch strategies: classes whose methods are called for the decisions of many tables at once, with arrays.

The engine plays hundreds of deals in lock step (`sim.engine.sichuan.batch`) and asks for all decisions of one kind
together. Where deals are played one by one (a replay, a check) the same methods get batches of one.
"""

from __future__ import annotations

import threading
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.hands.hand import KINDS, SUITS, Hand
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.decision import Decision
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import DECISIONS, KONG_ACTION, PASS_ACTION, PUNG_ACTION, SEATS, TURN, WIN_ACTION, Table
from sim.errors import StrategyError
from sim.jit import Callback, ints_at, new
from strategies import batch_kernels as kernels
from strategies.diagnosis import show_answer
from strategies.python import BROKEN, MOST, Handle
from strategies.spelling import CHOICES, nearest_to

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

WIN, PASS, PUNG, KONG = WIN_ACTION, PASS_ACTION, PUNG_ACTION, KONG_ACTION
"""Actions: to win, to pass, to claim a pung; KONG + kind is a kong, a kind alone a discard."""
ACTIONS = PUNG_ACTION + 1
"""Actions of a turn or a claim are 0 to ACTIONS - 1; so long is a row of the mask of legal ones."""
_BITS = 1 << np.arange(KINDS, dtype=np.int64)


class Batch:
    """What the players see in decisions of one kind at many tables, one row each.

    Everything is looked up in the deals when it is asked for, and nothing before.

    Parameters
    ----------
    deals : recarray of Deal
        Deals in play. What is hidden in them is not for strategies.
    rows : int64, shape (n,)
        Those that are asked in.
    seats : int64, shape (n,)
        Who is asked in each.
    all_rules : recarray of Rules, shape (1,)
        The preset.
    lookup : recarray of Lookup
        Hand tables.
    names : sequence of str
        Names of the parameters.
    """

    def __init__(
        self, deals: Any, rows: Numbers, seats: Numbers, all_rules: Any, lookup: Any, names: Sequence[str]
    ) -> None:
        self._deals = deals
        self._rows = rows
        self._seats = seats
        self._all_rules = all_rules
        self.rules = all_rules[0]
        """The preset, one record (`sim.engine.sichuan.rules.Rules`)."""
        self._lookup = lookup
        self._names = names
        self._memory: Numbers | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def table(self, name: str) -> Numbers:
        """Give a field of `sim.engine.sichuan.table.Table`: ``batch.table("thrown")`` is int64, shape (n, 4, 27).

        Parameters
        ----------
        name : str
            The field.
        """
        fields = Table.dtype.names  # type: ignore[attr-defined]
        if name not in fields:
            raise StrategyError(f"table: the table has no {name!r}{nearest_to(name, fields)}")
        found: Numbers = self._deals["table"][name][self._rows]
        found.flags.writeable = False
        return found

    @property
    def hands(self) -> Any:
        """Copies of the hands, a record array (`sim.engine.hands.hand.Hand`): ``batch.hands.sizes`` is (n, 3).

        They cannot be changed; what changes is `memory`.
        """
        hands = self._deals["hands"][self._rows, self._seats].view(np.recarray)
        hands.flags.writeable = False
        return hands

    def _of_hands(self, name: str) -> Any:
        """Give a field of the hands, a copy that cannot be changed."""
        found = self._deals["hands"][name][self._rows, self._seats]
        found.flags.writeable = False
        return found

    @property
    def decision(self) -> npt.NDArray[np.str_]:
        """What is decided, n words: all the same but for claims, where a robbing may be among them."""
        return np.array(DECISIONS)[self.table("decision")]

    @property
    def parameters(self) -> Mapping[str, float]:
        """The strategy's parameters by name."""
        own = self._deals["hands"][self._rows[0], self._seats[0]]
        values = own["parameters"][: len(self._names)].tolist()
        return MappingProxyType(dict(zip(self._names, values, strict=True)))

    @property
    def counts(self) -> Numbers:
        """Concealed tiles of each kind, shape (n, 27)."""
        numbers: Numbers = self._of_hands("counts")
        return numbers

    @property
    def seat(self) -> Numbers:
        """The own seats, shape (n,)."""
        return self._seats.copy()

    @property
    def void_suit(self) -> Numbers:
        """The own void suits, shape (n,); -1 before they are chosen."""
        numbers: Numbers = self._of_hands("void_suit")
        return numbers

    @property
    def memory(self) -> Numbers:
        """What lasts within a deal, shape (n, 31): zero at its start, written back after the decision."""
        if self._memory is None:
            self._memory = self._of_hands("memory")[:, :31].copy()
        return self._memory

    def keep_memory(self) -> None:
        """Write back what is remembered; the engine does this after the decision."""
        if self._memory is not None:
            self._deals["hands"]["memory"][self._rows, self._seats, :31] = self._memory

    @property
    def live(self) -> Numbers:
        """Copies of each kind that the player has not seen, shape (n, 27)."""
        live = np.empty((len(self), KINDS), dtype=np.int64)
        kernels.count_all_live(self._deals, self._rows, self._seats, live)
        return live

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Mask of legal actions, shape (n, 67), for turns and claims."""
        mask = np.zeros((len(self), ACTIONS), dtype=np.bool_)
        kernels.mark_legal(self._deals, self._rows, self._seats, mask)
        return mask

    @property
    def legal_suits(self) -> npt.NDArray[np.bool_]:
        """Mask of the suits of which enough tiles for the exchange are held, shape (n, 3)."""
        mask: npt.NDArray[np.bool_] = self._of_hands("sizes") >= self.rules.exchange_count
        return mask

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """Numbers for a network, shape (n, 27, 12), seen from the own seat.

        For each kind: own concealed tiles, live copies, own melds of it, tiles thrown by oneself and by the next three
        seats, 1 where it is of the void suit of oneself and of the next three, 1 where it is the tile in question.
        """
        planes = np.empty((len(self), KINDS, 12), dtype=np.float32)
        kernels.fill_planes(self._deals, self._rows, self._seats, planes)
        return planes

    def shanten(self) -> Numbers:
        """Return each hand's steps to ready, shape (n,); before the void suit is chosen with the best one."""
        steps = np.empty(len(self), dtype=np.int64)
        kernels.count_steps(self._deals, self._rows, self._seats, self._lookup, steps)
        return steps

    def shanten_without_suits(self) -> Numbers:
        """Return each hand's steps to ready without each suit, shape (n, 3)."""
        steps = np.empty((len(self), SUITS), dtype=np.int64)
        kernels.count_steps_without_suits(self._deals, self._rows, self._seats, self._lookup, steps)
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
        steps, useful = (np.empty((len(self), KINDS), dtype=np.int64) for _ in range(2))
        kernels.compare_discards(self._deals, self._rows, self._seats, self._lookup, steps, useful)
        return steps, useful

    def waits(self) -> npt.NDArray[np.bool_]:
        """Return the mask of the kinds that complete each hand, shape (n, 27); in claims (not in the own turn)."""
        self._refuse_turns("waits")
        masks = np.empty(len(self), dtype=np.int64)
        kernels.find_waits(self._deals, self._rows, self._seats, self._lookup, masks)
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
        all_rules, lookup = self._all_rules, self._lookup
        kernels.value_waits(self._deals, self._rows, self._seats, all_rules, lookup, int(self_draw), found)
        return found

    def _refuse_turns(self, what: str) -> None:
        """Refuse helpers for hands that have nothing to discard."""
        if (self.table("decision") <= TURN).any():
            raise StrategyError(f"{what}() is for claims and robbings; choices() tells of each discard in the own turn")

    def danger(self) -> npt.NDArray[np.float64]:
        """Return how dangerous each kind is to each seat, shape (n, 4, 27): 0 if it cannot win on it, 1 at worst.

        The same rule of thumb as for the other ways of writing a strategy; 0 for the own seat.
        """
        found = np.empty((len(self), SEATS, KINDS))
        kernels.estimate_dangers(self._deals, self._rows, self._seats, found)
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
        kernels.draw_lots(self._deals, self._rows, self._seats, bounds, lots)
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
    beside : sequence of modules
        What the file imports from its folder.
    """

    def __init__(self, chosen: type, source: Path, names: Sequence[str], beside: Sequence[ModuleType] = ()) -> None:
        super().__init__(chosen, source, names, beside)
        self._lock = threading.Lock()
        self._local = threading.local()
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
        batch = Batch(deals, rows, seats, rules, lookup, self.names)
        actions = self._ask(place, batch)
        batch.keep_memory()
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
        line = method.__code__.co_firstlineno
        what = "an action for each row" if place else "the kinds to give"
        if answer.shape != shape or answer.dtype.kind not in "iu":
            came = f"{answer.dtype} of shape {answer.shape}" if answer.dtype.kind != "O" else show_answer(answer[()])
            raise StrategyError(
                f"{self.source}:{line}: {method.__qualname__} returned {came};"
                f" allowed: integers of shape {shape}, {what}"
            )
        if answer.size and answer.max() > MOST:
            raise StrategyError(
                f"{self.source}:{line}: {method.__qualname__} returned {answer.max()}; allowed: integers, {what}"
            )
        if place:
            return np.ascontiguousarray(answer, dtype=np.int64)
        wrong = answer[(answer < 0) | (answer >= KINDS)]
        if wrong.size:
            raise StrategyError(
                f"{self.source}:{line}: {method.__qualname__} returned {wrong[0]} among the kinds to give;"
                f" allowed: 0 to {KINDS - 1}"
            )
        packed: Numbers = np.sum(np.sort(answer.astype(np.int64), axis=1) << 5 * np.arange(count), axis=1)
        return packed

    def _answerer(self, place: int) -> Callable[[int, int, int, int], int]:
        """Make the function that answers where deals are played one by one."""

        def answer(hand: int, table: int, rules: int, lookup: int) -> int:
            try:
                own = _record_at(hand, Hand)
                seats = own["seat"].copy()
                deals = self._workspace()
                deals["hands"][0, seats] = own
                deals["table"] = _record_at(table, Table)
                rules_of_deal = _record_at(rules, Rules).view(np.recarray)
                batch = Batch(deals, np.zeros(1, dtype=np.int64), seats, rules_of_deal, _lookup(), self.names)
                action = int(self._ask(place, batch)[0])
                batch.keep_memory()
                own["lots"] = deals["hands"]["lots"][0, seats]
                own["memory"] = deals["hands"]["memory"][0, seats]
            except BaseException as error:  # noqa: BLE001 - nothing may be raised through compiled code
                self.keep_error(error)
                return BROKEN
            return action

        return answer

    def _workspace(self) -> Any:
        """Return a deal of this thread's own, into which a hand and a table are put to be looked at."""
        if not hasattr(self._local, "deals"):
            self._local.deals = np.asarray(new(Deal))
        return self._local.deals


def _record_at(address: int, cls: type) -> Any:
    """Return the record at an address as an array of one."""
    return ints_at(address, cls).view(cls.dtype)  # type: ignore[attr-defined]


def _lookup() -> Any:
    """Return the hand tables, of which there is one copy."""
    from sim.engine.hands.lookup import load_lookup  # noqa: PLC0415 - mapped into memory already

    return load_lookup()
