"""Python strategies: ordinary classes whose methods are called for each decision, from the same driver as all others.

The engine calls a choice by its address. For a native strategy that is machine code; for a Python strategy it is a
small function of this file, which gets the addresses of the four records, makes a `View` of them and calls the method.
So any seats of a table can be of any kind. Each seat of each deal gets a fresh object of the class.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import itertools
import pickle
import random
import sys
import threading
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.engine.hands.hand import KINDS, Hand
from sim.engine.sichuan.decision import Decision
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from sim.errors import StrategyError
from sim.jit import Callback, ints_at
from strategies.diagnosis import find_foreign_chance, refuse_unfinished, show_answer
from strategies.observation import View
from strategies.spelling import CHOICES, find_misspelt, line_of_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BROKEN = -(1 << 40)
"""What a choice that raised returns: no action at all."""
TOKEN = 31
"""Place in `hand.memory` that tells which object plays this hand."""
LEAST, MOST = -(1 << 63), (1 << 63) - 1
"""What the engine's integers hold."""
_HAND_LAYOUT: Any = Hand.dtype  # type: ignore[attr-defined]
_TOKEN_AT = _HAND_LAYOUT.fields["memory"][1] // 8 + TOKEN
_VALUES_AT = _HAND_LAYOUT.fields["parameters"][1] // 8


def list_own_sources() -> list[Path]:
    """Return the sources that decide what Python and batch strategies see, besides the helpers of all."""
    folder = Path(__file__).parent
    return [folder / f"{name}.py" for name in ("addresses", "batch", "batch_kernels", "observation", "python")]


def kind_of_class(chosen: type, source: Path) -> str:
    """Tell whether a class chooses for one table or for many, and refuse one that is not right.

    Parameters
    ----------
    chosen : type
        A class with at least one of the four methods.
    source : Path
        The file.

    Returns
    -------
    str
        ``python`` or ``batch``.

    Raises
    ------
    StrategyError
        Its methods take something else, or not all the same.
    """
    kinds = set()
    for choice in CHOICES:
        method = getattr(chosen, choice, None)
        if method is None:
            continue
        if not isinstance(method, FunctionType):
            raise StrategyError(f"{source}: {chosen.__name__}.{choice} is a {type(method).__name__}, not a method")
        refuse_unfinished(method, f"{chosen.__name__}.{choice}", source)
        arguments = list(inspect.signature(method).parameters)
        if arguments not in (["self", "view"], ["self", "batch"]):
            raise StrategyError(
                f"{source}:{method.__code__.co_firstlineno}: {chosen.__name__}.{choice} takes ({', '.join(arguments)});"
                " allowed: (self, view), called for each decision, or (self, batch), called for those of many tables"
            )
        kinds.add("python" if arguments[1] == "view" else "batch")
    if len(kinds) != 1:
        raise StrategyError(f"{source}: {chosen.__name__} has methods with view and with batch; allowed: one of them")
    misspelt = find_misspelt(source, ast.parse(source.read_bytes()), chosen.__name__)
    if misspelt:
        raise StrategyError(misspelt)
    return kinds.pop()


class Handle:
    """What Python and batch strategies have in common: errors kept by thread, and a watch over the outside.

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
        self.chosen = chosen
        self.source = source
        self.names = tuple(names)
        self.beside = tuple(beside)
        self.lasting: Any = None
        """The object that plays all deals, for strategies that have one."""
        self._errors = threading.local()

    def take_error(self) -> BaseException | None:
        """Return what the strategy raised in this thread, once; None if nothing."""
        error: BaseException | None = getattr(self._errors, "last", None)
        self._errors.last = None
        return error

    def keep_error(self, error: BaseException) -> None:
        """Keep what the strategy raised, for this thread.

        Parameters
        ----------
        error : BaseException
            What it raised.
        """
        self._errors.last = error

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """See to it that the strategy draws no lots but its own, and leaves the globals of its file alone.

        Raises
        ------
        StrategyError
            It did not.
        """
        before = _state_of_generators()
        known = self._globals()
        yield
        if _state_of_generators() != before:
            files = [self.source, *(Path(module.__file__) for module in self.beside if module.__file__)]
            places = [f"{file}:{line}" for file in files for line in find_foreign_chance(file)]
            if places:
                raise StrategyError(
                    f"{places[0]}: chance that no seed reaches, so that no deal could be played again;"
                    " lots are drawn from view.lots (or batch.draw), the seat's own stream"
                )
        now = self._globals()
        for (file, name, owner), value in now.items():
            if known.get((file, name, owner), value) != value:
                line = line_of_name(Path(file), name, owner)
                what = f"the attribute {name!r} of {owner}" if owner else f"the global {name!r}"
                raise StrategyError(
                    f"{file}{line}: {what} changed between calls, so that one deal could hang on another;"
                    " what lasts within a deal belongs into the object (self), and nothing may last longer"
                )

    def make(self) -> Any:
        """Make an object of the class."""
        return self.chosen()

    def _globals(self) -> dict[tuple[str, str, str], bytes]:
        """Return the plain values of the file, of those beside it and of the class, frozen, by file, name and class."""
        module = sys.modules[self.chosen.__module__]
        frozen = {}
        lasting = vars(self.lasting) if hasattr(self.lasting, "__dict__") else {}
        file, owner = str(self.source), self.chosen.__name__
        places = [(file, "", vars(module)), (file, owner, vars(self.chosen)), (file, owner, lasting)]
        places += [(str(part.__file__), "", vars(part)) for part in self.beside]
        for file, owner, values in places:
            for name, value in list(values.items()):
                if name.startswith("__") or isinstance(value, (ModuleType, type, FunctionType)):
                    continue
                if isinstance(value, (int, float, str, list, dict, set, tuple, np.ndarray)):
                    with contextlib.suppress(Exception):
                        frozen[file, name, owner] = pickle.dumps(value)
        return frozen


def _state_of_generators() -> tuple[Any, ...]:
    """Return the state of the generators that everybody shares."""
    kind, words, *rest = np.random.get_state()  # noqa: NPY002 - it is what strategies must not use
    return random.getstate(), kind, np.asarray(words).tobytes(), *rest


class _Player:
    """Who plays one hand in one deal."""

    __slots__ = ("parameters", "strategy", "token")

    def __init__(self, token: int, strategy: Any, parameters: Any) -> None:
        self.token = token
        self.strategy = strategy
        self.parameters = parameters


class PythonHandle(Handle):
    """Plays a Python strategy.

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
        self._players: dict[int, _Player] = {}
        self._tokens = itertools.count(1)
        self._hands: dict[int, Any] = {}
        self._tables: dict[int, Any] = {}
        self._rules: dict[int, Any] = {}
        self.decisions: dict[str, Any] = {
            choice: Callback(Decision, self._answerer(choice)) for choice in CHOICES if hasattr(chosen, choice)
        }

    def fork(self, address: int, other: int) -> None:
        """Let a copy of the object that plays a hand play a copy of the hand.

        Parameters
        ----------
        address : int
            Address of the hand.
        other : int
            Address of its copy.
        """
        player = self._players.get(address)
        if player is not None:
            self._players[other] = _Player(player.token, copy.deepcopy(player.strategy), player.parameters)
        else:
            self._players.pop(other, None)

    def _answerer(self, choice: str) -> Callable[[int, int, int, int], int]:
        """Make the function that the engine calls for one kind of decision."""
        method = getattr(self.chosen, choice)
        pack = pack_exchange if choice == "choose_exchange" else as_action

        def answer(hand: int, table: int, rules: int, lookup: int) -> int:
            try:
                fields = self._fields(self._hands, hand, Hand)
                player = self._player(hand, fields)
                view = View(
                    fields,
                    self._fields(self._tables, table, Table),
                    self._fields(self._rules, rules, Rules),
                    (hand, table, rules, lookup),
                    player.parameters,
                )
                try:
                    return pack(method(player.strategy, view), self.source, method, view.exchange_count)
                finally:
                    view.close()
            except BaseException as error:  # noqa: BLE001 - nothing may be raised through compiled code
                self.keep_error(error)
                return BROKEN

        return answer

    @staticmethod
    def _fields(known: dict[int, Any], address: int, cls: type) -> Any:
        """Return the numbers of the record at an address."""
        fields = known.get(address)
        if fields is None:
            if len(known) > 100_000:
                known.clear()
            fields = known[address] = ints_at(address, cls)
        return fields

    def _player(self, address: int, fields: Any) -> _Player:
        """Return who plays this hand in this deal: somebody new if the deal has just begun."""
        token = int(fields[_TOKEN_AT])
        player = self._players.get(address)
        if player is None or token == 0 or player.token != token:
            token = token or next(self._tokens)
            fields[_TOKEN_AT] = token
            values = fields[_VALUES_AT : _VALUES_AT + len(self.names)].view(np.float64).tolist()
            player = _Player(token, self.make(), MappingProxyType(dict(zip(self.names, values, strict=True))))
            self._players[address] = player
        return player


def as_action(answer: Any, source: Path, method: Callable[..., Any], _count: int = 0) -> int:
    """Read what a method returned as an action.

    Parameters
    ----------
    answer : object
        What it returned; an integer is right.
    source : Path
        The file.
    method : callable
        The method.

    Raises
    ------
    StrategyError
        It is no integer, or no action at all.
    """
    if (
        isinstance(answer, (bool, np.bool_))
        or not isinstance(answer, (int, np.integer))
        or not LEAST <= (action := int(answer)) <= MOST
    ):
        raise StrategyError(
            f"{source}:{method.__code__.co_firstlineno}: {method.__qualname__} returned {show_answer(answer)};"
            " allowed: an integer, the action"
        )
    return action


def pack_exchange(answer: Any, source: Path, method: Callable[..., Any], count: int) -> int:
    """Read what a method returned as the tiles to give.

    Parameters
    ----------
    answer : object
        What it returned; a sequence of kinds is right.
    source : Path
        The file.
    method : callable
        The method.
    count : int
        How many tiles the preset exchanges.

    Raises
    ------
    StrategyError
        It is no sequence of so many kinds.
    """
    try:
        kinds = sorted(int(kind) for kind in answer)
    except (TypeError, ValueError):
        kinds = [-1]
    if not all(0 <= kind < KINDS for kind in kinds) or len(kinds) != count:
        raise StrategyError(
            f"{source}:{method.__code__.co_firstlineno}: {method.__qualname__} returned {show_answer(answer)};"
            f" allowed: the {count} kinds to give, 0 to {KINDS - 1}, in a list"
        )
    return sum(kind << 5 * place for place, kind in enumerate(kinds))
