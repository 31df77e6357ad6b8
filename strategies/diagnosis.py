"""From whatever goes wrong in a strategy's file to one message with file and line.

Not in here: what a file must declare (`strategies.loader`).
"""

from __future__ import annotations

import ast
import difflib
import inspect
import operator
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.engine.hands.hand import Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from sim.errors import BloodBattleError, StrategyError
from sim.jit import numba_type
from strategies.spelling import nearest_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FunctionType

_RECORDS = {cls.__name__: cls for cls in (Hand, Table, Rules, Lookup)}
_NOISE = ("Failed in ", "During: ", "File ", "Overload ", "There are ", "Enable logging", "This error", "- argument")
_FROZEN = "numbers and arrays outside functions are constants for compiled code"
_INSTALLED = {"site-packages", "dist-packages"}
_LONGEST = 200
"""Characters that are shown of what a method returned."""
_RECKONED: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_GENERATORS = {"random", "numpy.random"}


def explain_running(source: Path, error: BaseException) -> StrategyError:
    """Explain what happened while a strategy's file was run.

    Parameters
    ----------
    source : Path
        The file.
    error : BaseException
        What it raised.
    """
    if isinstance(error, SyntaxError):
        file = Path(error.filename) if error.filename else source
        file = file if _is_own(file, source) else source
        line = f":{error.lineno}" if error.filename == str(file) and error.lineno else ""
        code = f": {error.text.strip()}" if error.text else ""
        return StrategyError(f"{file}{line}: not valid Python: {error.msg}{code}")
    if _is_numba(error):
        return explain_compiling(source, "", error)
    if isinstance(error, BloodBattleError):
        return StrategyError(f"{source}: {error}")
    return StrategyError(describe_raised(source, error))


def describe_raised(source: Path, error: BaseException) -> str:
    """Say what a strategy's code raised, and in which line of its file.

    Parameters
    ----------
    source : Path
        The file.
    error : BaseException
        What it raised.
    """
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(Path(frame.filename), source)]
    where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else str(source)
    if isinstance(error, BloodBattleError):
        return str(error) if str(source.parent) in str(error) else f"{where}: {error}"
    text = str(error).partition("\n")[0]
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, AttributeError) and error.name and error.obj is not None:
        said += nearest_to(error.name, [name for name in dir(error.obj) if not name.startswith("_")])
    if isinstance(error, ModuleNotFoundError) and error.name:
        close = difflib.get_close_matches(error.name, [path.stem for path in source.parent.glob("*.py")], n=1)
        said += f"; beside it stands {close[0]}.py: did you mean that?" if close else ""
    return f"{where}: {said}"


def show_answer(answer: Any) -> str:
    """Write what a method returned and should not have: in a line, short, and the same whenever it is written.

    Parameters
    ----------
    answer : object
        What it returned.
    """
    if inspect.iscoroutine(answer):
        answer.close()  # which nobody will await
    try:
        text = repr(answer)
    except Exception:  # noqa: BLE001 - it is somebody's own
        text = f"a {type(answer).__name__}"
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def refuse_unfinished(function: FunctionType, name: str, source: Path) -> None:
    """Refuse a function that gives no answer when it is called: ``async def``, or one with ``yield``.

    Parameters
    ----------
    function : function
        The function.
    name : str
        What it is called.
    source : Path
        The file.

    Raises
    ------
    StrategyError
        It is such a one.
    """
    flags = function.__code__.co_flags
    if flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_GENERATOR):
        what = "yields" if flags & inspect.CO_GENERATOR else "is async"
        line = function.__code__.co_firstlineno
        raise StrategyError(f"{source}:{line}: {name} {what}; allowed: a plain function (def) that returns the action")


def refuse_huge_numbers(source: Path, tree: ast.Module) -> None:
    """Refuse functions of a native strategy with a whole number that the engine's integers cannot hold.

    Compiled, it would be another number, without a word.

    Parameters
    ----------
    source : Path
        The file.
    tree : ast.Module
        Its syntax tree.

    Raises
    ------
    StrategyError
        There is one, written as such or as a sum, product or power of numbers.
    """
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            number = _number_of(node)
            if number is not None and not -(1 << 63) <= number < 1 << 63:
                raise StrategyError(
                    f"{source}:{getattr(node, 'lineno', 1)}: {function.name} has the number {ast.unparse(node)};"
                    " allowed in compiled code: -2**63 to 2**63 - 1"
                )


def _number_of(node: ast.AST) -> int | None:
    """Return the whole number that an expression of numbers stands for; None if it is something else."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number_of(node.left), _number_of(node.right)
    reckon = _RECKONED.get(type(node.op))
    if left is None or right is None or reckon is None:
        return None
    if isinstance(node.op, (ast.Pow, ast.LShift)) and not 0 <= right < _LONGEST:
        return None
    result: int = reckon(left, right)
    return result


def _is_own(file: Path, source: Path) -> bool:
    """Tell whether a file is a strategy's own, or stands beside it and is none of an installed package."""
    return file == source or (file.is_relative_to(source.parent) and not _INSTALLED & set(file.parts))


def explain_compiling(source: Path, choice: str, error: BaseException) -> StrategyError:
    """Explain why a function of a strategy's file cannot be compiled.

    Parameters
    ----------
    source : Path
        The file.
    choice : str
        The function; empty for a helper.
    error : BaseException
        What the compiler raised.
    """
    text = str(error)
    line = _line_of(source, error, text)
    where = f"{source}:{line}" if line else str(source)
    code = _code_of(source, line)
    function = f"{choice} cannot be compiled" if choice else "cannot be compiled"
    return StrategyError(f"{where}: {function}: {_gist(error)}{code}")


def _is_numba(error: BaseException) -> bool:
    """Tell whether an error comes from the compiler."""
    return type(error).__module__.startswith("numba.")


def _line_of(source: Path, error: BaseException, text: str) -> int | None:
    """Return the line of the file that the compiler complains about."""
    found = [int(line) for line in re.findall(rf"at {re.escape(str(source))} \((\d+)\)", text)]
    found += [int(line) for line in re.findall(rf'File "[^"]*{re.escape(source.name)}", line (\d+)', text)]
    location: Any = getattr(error, "loc", None)
    if location is not None and str(location.filename).endswith(source.name):
        found.append(int(location.line))
    return found[-1] if found else None


def _code_of(source: Path, line: int | None) -> str:
    """Return a line of a file, to be shown below a message."""
    if line is None:
        return ""
    lines = source.read_text(encoding="utf-8").splitlines()
    return f"\n    {lines[line - 1].strip()}" if line <= len(lines) else ""


def _gist(error: BaseException) -> str:
    """Return what a long message of the compiler says, in a line."""
    text = str(error)
    for name, cls in _RECORDS.items():
        text = text.replace(str(numba_type(cls)), name)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(r"Record\([^\s]*\)", "a record", text)
    lines = [line.strip() for line in text.splitlines()]
    if isinstance(error, KeyError):  # what the compiler raises for a field that a record does not have
        return f"there is no field {text}"
    if "Cannot modify readonly array" in text or "Cannot store" in text:
        return f"{_FROZEN} and cannot be changed; what should last within a deal goes into hand.memory"
    unknown = re.search(r"NameError: name '(\w+)' is not defined|Untyped global name '(\w+)'", text)
    if unknown and unknown[1]:
        return f"name {unknown[1]!r} is not defined"
    if unknown:
        return (
            f"{unknown[2]!r} is nothing that compiled code can use: numbers, tuples of numbers, arrays, functions of"
            " this file and of sim.engine and strategies are"
        )
    if "global_lists" in text or ("list" in text and "reflected" in text):
        return f"lists outside functions are of no use to compiled code; {_FROZEN}, tuples too"
    told = [line for line in lines if line and not line.startswith(_NOISE) and set(line) - set("-^~ ")]
    return " ".join(told[:3])[:300] if told else "no reason given"


def find_unknown_fields(source: Path, tree: ast.Module) -> None:
    """Refuse functions that name a field which a record does not have.

    Parameters
    ----------
    source : Path
        The file.
    tree : ast.Module
        Its syntax tree.

    Raises
    ------
    StrategyError
        A function reads or writes something like ``hand.counst``.
    """
    records = {name.lower(): cls for name, cls in _RECORDS.items()}
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        taken = {argument.arg for argument in function.args.args}
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in taken:
                fields = _fields_of(records.get(node.value.id))
                if fields and node.attr not in fields:
                    close = difflib.get_close_matches(node.attr, fields, n=1)
                    hint = f"; did you mean {close[0]!r}?" if close else f"; there: {', '.join(fields)}"
                    raise StrategyError(f"{source}:{node.lineno}: {node.value.id} has no {node.attr!r}{hint}")


def _fields_of(cls: Any) -> tuple[str, ...]:
    """Return the names of a record's fields."""
    return tuple(cls.dtype.names) if cls is not None else ()


def refuse_foreign_chance(source: Path) -> None:
    """Refuse a native strategy that uses generators which no seed of ours reaches.

    Parameters
    ----------
    source : Path
        The file.

    Raises
    ------
    StrategyError
        It does.
    """
    lines = find_foreign_chance(source)
    if lines:
        raise StrategyError(
            f"{source}:{lines[0]}: chance that no seed reaches; the only source of chance is"
            " draw_lot(hand, bound) of sim.engine.hands.hand, the seat's own stream"
        )


def find_lost_changes(source: Path, tree: ast.Module, values: dict[str, Any]) -> None:
    """Refuse functions that change something outside themselves, which compiled code cannot.

    Parameters
    ----------
    source : Path
        The file.
    tree : ast.Module
        Its syntax tree.
    values : dict
        What its names stand for once it has run.

    Raises
    ------
    StrategyError
        A function changes a global.
    """
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        inside = {name.id for name in ast.walk(function) if isinstance(name, ast.Name) and _is_stored(name)}
        for name, line in _changed_names(function):
            if name in values and (name not in inside or line < 0):
                raise StrategyError(
                    f"{source}:{abs(line)}: {function.name} changes {name!r}, which stands outside it; {_FROZEN}, and"
                    " the change would be lost: what should last within a deal goes into hand.memory"
                )


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _changed_names(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    """Yield names that a function changes parts of, and their lines; the line is negative for ``global``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from ((name, -node.lineno) for name in node.names)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.value.id, node.lineno
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.attr in {"append", "extend", "pop", "insert", "remove", "clear", "update", "add", "fill"}
        ):
            yield node.func.value.id, node.lineno


def find_foreign_chance(source: Path) -> list[int]:
    """Find lines of a file that use random generators of Python or NumPy.

    Parameters
    ----------
    source : Path
        The file.

    Returns
    -------
    list of int
        Lines, in order.
    """
    tree = ast.parse(source.read_bytes())
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.asname or alias.name for alias in node.names if alias.name in _GENERATORS)
            names.update(f"{alias.asname or 'numpy'}.random" for alias in node.names if alias.name == "numpy")
        if isinstance(node, ast.ImportFrom) and node.module in _GENERATORS:
            names.update(alias.asname or alias.name for alias in node.names)
    lines = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and any(ast.unparse(node.func) == name or ast.unparse(node.func).startswith(f"{name}.") for name in names)
    ]
    return sorted(lines)
