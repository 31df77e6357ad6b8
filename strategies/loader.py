"""From a strategy's file to a `Strategy`: read it, run it, check it, compile its functions.

Not in here: which names there are (`strategies.sources`, `strategies.registry`).
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import hashlib
import inspect
import linecache
import sys
from dataclasses import dataclass, replace
from functools import cache
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import strategies.opening  # noqa: F401 - compiles what strategies share before any strategy's file is run
from sim.errors import StrategyError
from sim.jit import compile_on_use
from strategies.beside import digest_with, find_own_imports, importable
from strategies.compiling import compile_decision, compile_foreign_decision, compiled_for, folder_of
from strategies.diagnosis import (
    describe_raised,
    explain_compiling,
    explain_running,
    find_lost_changes,
    find_unknown_fields,
    refuse_foreign_chance,
    refuse_huge_numbers,
    refuse_unfinished,
)
from strategies.parameters import MOST_PARAMETERS, Parameter, read_parameters, read_rule_blind, take_values
from strategies.sources import DEFAULTS, digest_of, find_source, list_helpers
from strategies.spelling import CHOICES, find_misspelt, find_misspelt_methods

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sim.engine.sichuan.decision import Decision
    from sim.jit import Floats
    from strategies.references import Reference

ARGUMENTS = ["hand", "table", "rules", "lookup"]


@dataclass(frozen=True)
class Strategy:
    """A strategy that is ready to play."""

    name: str
    about: str
    """First line of the file's docstring."""
    source: Path
    digest: str
    """Digest of all sources that decide what it does, the engine's aside: its file, the defaults, the helpers; and of
    the parameters that are given."""
    declared: tuple[Parameter, ...]
    """What it leaves open; the value of the one of index i is ``hand.parameters[i]``."""
    values: tuple[float, ...]
    """Value of each declared parameter."""
    choose_exchange: Decision
    choose_void_suit: Decision
    choose_turn: Decision
    choose_claim: Decision
    rule_blind: bool = False
    """Whether no settlement-only knob and no points so far ever change what it chooses: what its file says."""
    kind: str = "native"
    """The way in which it is written: native, python or batch."""
    handle: Any = None
    """What plays the Python and batch strategies (`strategies.python`, `strategies.batch`)."""

    @property
    def decisions(self) -> tuple[Decision, Decision, Decision, Decision]:
        """The four functions in the order of `CHOICES`."""
        return self.choose_exchange, self.choose_void_suit, self.choose_turn, self.choose_claim

    @property
    def parameters(self) -> Floats:
        """What goes into `hand.parameters`: the values, and zeros up to sixteen."""
        return np.array([*self.values, *[0.0] * (MOST_PARAMETERS - len(self.values))])

    @property
    def batch(self) -> Any:
        """What answers many tables at once, for batch strategies."""
        return self.handle if self.kind == "batch" else None

    def describe_error(self, error: BaseException, decision: int, arguments: Sequence[Any]) -> str:
        """Say what its code raised, and in which line of its file.

        Compiled code does not tell the line: the decision is asked again of the function as it stands in the file.

        Parameters
        ----------
        error : BaseException
            What it raised.
        decision : int
            Index of the function in `CHOICES`.
        arguments : sequence of 4
            Hand, table, rules and lookup as they were.
        """
        if self.kind == "native":
            plain = getattr(self.decisions[decision], "py_func", self.decisions[decision])
            try:
                with np.errstate(divide="raise", invalid="raise"):
                    plain(*arguments)
            except Exception as same:  # noqa: BLE001 - whatever it is, it is what is to be told
                if type(same) is type(error) or isinstance(error, ArithmeticError):
                    error = error.with_traceback(same.__traceback__)
        return describe_raised(self.source, error)

    def place_of(self, decision: int) -> str:
        """Return file and line where a decision is made: of its function, or of the method of its class.

        Parameters
        ----------
        decision : int
            Index of the function in `CHOICES`.
        """
        chosen = getattr(self.handle, "chosen", None)
        function: Any = getattr(chosen, CHOICES[decision], None)
        if function is None:
            function = getattr(self.decisions[decision], "py_func", self.decisions[decision])
        code = getattr(function, "__code__", None)
        return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else str(self.source)

    def take_error(self) -> BaseException | None:
        """Return what its code raised in this thread, once; None if nothing."""
        error: BaseException | None = self.handle.take_error() if self.handle is not None else None
        return error

    def watch(self) -> contextlib.AbstractContextManager[None]:
        """See to it that it leaves alone what is outside its stream and its deal, while it plays."""
        watched: contextlib.AbstractContextManager[None]
        watched = self.handle.watch() if self.handle is not None else contextlib.nullcontext()
        return watched


@dataclass(frozen=True)
class _File:
    """A strategy's file that has run."""

    module: ModuleType
    digest: str
    """Of the file and of what it imports from its folder."""
    beside: tuple[ModuleType, ...]
    """What it imports from its folder."""
    natives: dict[str, Decision]
    """Those of the four functions that it defines, compiled."""
    classes: dict[str, type]
    """Its classes that choose."""


def load_reference(reference: Reference) -> Strategy:
    """Load the strategy that somebody names.

    Parameters
    ----------
    reference : Reference
        A name or a file, and parameters.

    Returns
    -------
    Strategy
        Ready to play. Its name in results is the shipped one's, or the file's (with what it is called there), and the
        parameters that are not the defaults.

    Raises
    ------
    StrategyError
        There is no such strategy or parameter, a value is out of bounds, or the file is not right.
    """
    if reference.name is not None:
        strategy = load_source(reference.name, find_source(reference.name))
    else:
        assert reference.file is not None
        strategy = _load_file(reference.file, reference.entry)
    return _with_values(strategy, reference)


def load_source(name: str, source: Path) -> Strategy:
    """Load a native strategy from its file; what it does not define is taken from the defaults.

    Loading the same content again in a process gives the same functions. A loaded file is executed as Python.

    Parameters
    ----------
    name : str
        The name it goes by.
    source : Path
        Its file.

    Returns
    -------
    Strategy
        With compiled functions, or plain ones if nothing is compiled (``NUMBA_DISABLE_JIT=1``).

    Raises
    ------
    StrategyError
        If the file declares something else than it should.
    """
    file = _link(source, digest_of([source]), is_checked=False)
    return _native(name, source, file)


def _native(name: str, source: Path, file: _File) -> Strategy:
    """Make a native strategy of its file."""
    choices: dict[str, Any] = dict(file.natives)
    if len(choices) < len(CHOICES):
        choices = {**load_defaults(), **choices}
    declared = read_parameters(file.module, source)
    return Strategy(
        name=name,
        about=(file.module.__doc__ or "").strip().partition("\n")[0],
        source=source,
        digest=_digest_of(file, [*list_helpers(), source]),
        declared=declared,
        values=tuple(parameter.default for parameter in declared),
        rule_blind=read_rule_blind(file.module, source),
        **choices,
    )


def load_defaults() -> dict[str, Decision]:
    """Give the four functions that stand in for those that a strategy leaves out."""
    return _link(DEFAULTS, digest_of([DEFAULTS]), is_checked=False).natives


def _load_file(given: Path, entry: str | None) -> Strategy:
    """Load a strategy of somebody's file."""
    source = given.absolute()
    if not source.is_file():
        folder = source.parent
        near = (
            difflib.get_close_matches(source.name, [p.name for p in folder.glob("*.py")], n=1)
            if folder.is_dir()
            else []
        )
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise StrategyError(f"{given}: there is no such strategy file{hint}")
    file = _link(source, digest_with(digest_of([source]), find_own_imports(source)), is_checked=True)
    name = given.name if entry is None else f"{given.name}:{entry}"
    if entry is None and file.natives and not file.classes:
        return _native(name, source, file)
    if entry is None and (file.natives or len(file.classes) != 1):
        raise StrategyError(f"{given}: {_which(file, given)}")
    entry = entry or next(iter(file.classes))
    chosen = file.classes.get(entry)
    if chosen is None:
        close = difflib.get_close_matches(entry, list(file.classes), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        there = ", ".join(file.classes) or "none"
        raise StrategyError(f"{given}: no class {entry!r} that chooses; there: {there}{hint}")
    return _of_class(name, source, file, chosen)


def _which(file: _File, given: Path) -> str:
    """Say why a file alone does not tell which strategy is meant."""
    if not file.classes:
        return f"no strategy in it: it defines none of {', '.join(CHOICES)}, nor a class with such methods"
    there = " and ".join([*(["functions (choose_...)"] if file.natives else []), *file.classes])
    return f"{there} in one file; say which class is meant, as in {given}:{next(iter(file.classes))}"


def _of_class(name: str, source: Path, file: _File, chosen: type) -> Strategy:
    """Make a Python or batch strategy of a class."""
    from strategies.python import PythonHandle, kind_of_class, list_own_sources  # noqa: PLC0415 - only for those

    kind = kind_of_class(chosen, source)
    declared = read_parameters(chosen if hasattr(chosen, "PARAMETERS") else file.module, source)
    handle: Any
    if kind == "batch":
        from strategies.batch import BatchHandle  # noqa: PLC0415

        handle = BatchHandle(chosen, source, [parameter.name for parameter in declared], file.beside)
    else:
        handle = PythonHandle(chosen, source, [parameter.name for parameter in declared], file.beside)
    return Strategy(
        name=name,
        about=(inspect.getdoc(chosen) or file.module.__doc__ or "").strip().partition("\n")[0],
        source=source,
        digest=_digest_of(file, [*list_helpers(), *list_own_sources(), source]),
        declared=declared,
        values=tuple(parameter.default for parameter in declared),
        rule_blind=read_rule_blind(chosen if hasattr(chosen, "RULE_BLIND") else file.module, source),
        kind=kind,
        handle=handle,
        **{**load_defaults(), **handle.decisions},
    )


def _digest_of(file: _File, sources: Sequence[Path]) -> str:
    """Give the digest of all that decides what a strategy does: these sources, and what its file imports beside it."""
    digest = digest_of(sources)
    if not file.beside:
        return digest
    return hashlib.sha256(f"{digest}{file.digest}".encode()).hexdigest()[:16]


def _with_values(strategy: Strategy, reference: Reference) -> Strategy:
    """Give a strategy the parameters that were asked for."""
    values, changed = take_values(strategy.declared, reference)
    if not changed:
        return strategy
    digest = hashlib.sha256(f"{strategy.digest}{changed}".encode()).hexdigest()[:16]
    return replace(strategy, name=f"{strategy.name}{{{changed}}}", digest=digest, values=values)


@cache
def _link(source: Path, digest: str, *, is_checked: bool) -> _File:
    """Run a file and compile those of the four functions that it defines.

    The module's name holds the digest, since Numba names machine code by module and two versions of a file may meet in
    one process; it is registered, since Numba looks it up when it reads its cache.
    """
    module = ModuleType(f"strategies.linked.{source.stem}_{digest}{'_checked' if is_checked else ''}")
    module.__file__ = str(source)
    sys.modules[module.__name__] = module
    folder = folder_of(digest, is_checked=is_checked)
    content = source.read_bytes()
    own = find_own_imports(source) if is_checked else {}
    linecache.checkcache(str(source))
    try:
        with compiled_for(folder), importable(own, module.__name__) as loaded:
            exec(compile(content, str(source), "exec"), module.__dict__)  # noqa: S102 - a strategy is code
    except (Exception, SystemExit) as error:
        raise explain_running(source, error) from error
    defined_here = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
    classes = {
        value.__name__: value
        for value in defined_here
        if isinstance(value, type) and any(callable(getattr(value, choice, None)) for choice in CHOICES)
    }
    defined = {choice: getattr(module, choice) for choice in CHOICES if hasattr(module, choice)}
    for choice, function in defined.items():
        _check_function(choice, function, source)
    natives: dict[str, Decision] = {}
    tree = ast.parse(content)
    misspelt = find_misspelt(source, tree) if is_checked else ""
    if is_checked and not classes:
        misspelt = misspelt or find_misspelt_methods(source, tree)
    if misspelt:
        raise StrategyError(misspelt)
    if is_checked and defined:
        for path, parsed, values in [
            (source, tree, vars(module)),
            *((own[name].path, ast.parse(own[name].content or b""), vars(part)) for name, part in loaded.items()),
        ]:
            find_lost_changes(path, parsed, values)
            find_unknown_fields(path, parsed)
            refuse_foreign_chance(path)
            refuse_huge_numbers(path, parsed)
        if not classes:
            _compile_plain_helpers(module, loaded)
    for choice, function in defined.items():
        natives[choice] = (
            _compile_foreign(source, choice, function, folder) if is_checked else compile_decision(function, folder)
        )
    return _File(module, digest, tuple(loaded.values()), natives, classes)


def _compile_foreign(source: Path, choice: str, function: Decision, folder: Path) -> Decision:
    """Compile a function of somebody's file, or explain why that cannot be done."""
    try:
        compiled, faults = compile_foreign_decision(function, folder)
    except Exception as error:
        raise explain_compiling(source, choice, error) from error
    if faults:
        line, kind = faults[0]
        raise StrategyError(
            f"{source}:{line}: {choice} returns {_TYPES.get(kind, kind)}; allowed: an integer, the action"
            " (int(...) makes one of a number)"
        )
    return compiled


_TYPES = {"float64": "a float", "float32": "a float", "none": "nothing", "bool": "a truth value"}


def _compile_plain_helpers(module: ModuleType, loaded: dict[str, ModuleType]) -> None:
    """Let the functions of a native strategy call other functions, of its file and of those beside it.

    They are compiled with their callers.
    """
    names = {module.__name__: module.__name__, **{dotted: f"{module.__name__}.{dotted}" for dotted in loaded}}
    compiled: dict[FunctionType, Any] = {}
    for part in (module, *loaded.values()):
        for name, value in list(vars(part).items()):
            if not isinstance(value, FunctionType) or (part is module and name in CHOICES):
                continue
            if value not in compiled and value.__module__ in names:
                value.__module__ = names[value.__module__]  # under which Numba finds the module
                compiled[value] = compile_on_use(value)
            if value in compiled:
                vars(part)[name] = compiled[value]


def _check_function(choice: str, function: Callable[..., Any], source: Path) -> None:
    """Refuse what is not a plain function of the four arguments."""
    expected = f"def {choice}({', '.join(ARGUMENTS)})"
    if not isinstance(function, FunctionType):
        message = f"{source}: {choice} is a {type(function).__name__}; it should be a plain function, {expected}"
        raise StrategyError(message)
    refuse_unfinished(function, choice, source)
    arguments = list(inspect.signature(function).parameters)
    if arguments != ARGUMENTS:
        line = function.__code__.co_firstlineno
        message = f"{source}:{line}: {choice} takes ({', '.join(arguments)}); it should be {expected}"
        raise StrategyError(message)
