"""Compiled kernels and the records they work on: the only place that knows Numba.

A *record* is a class whose annotated fields become one aligned NumPy structured type; kernels get records by reference
and read and change their fields by name. A *kernel* is a function compiled once, when its module is imported, with the
signature that its annotations give; the machine code is kept in a cache folder named by a digest of everything that
went into it, since Numba itself only looks at a function's own file.

Not in here: anything about mahjong.
"""

import atexit
import contextlib
import ctypes
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

T_co = TypeVar("T_co", covariant=True)
F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_config: Any = numba.config

Ints = npt.NDArray[np.int64]
"""A one-dimensional array of int64."""
Ints2 = Annotated[npt.NDArray[np.int64], 2]
"""A two-dimensional array of int64."""
Columns = Annotated[npt.NDArray[np.int32], 2]
"""A two-dimensional array of int32, one row a column of results."""
ManyColumns = Annotated[npt.NDArray[np.int32], 3]
"""A three-dimensional array of int32, the columns of several presets."""
Unsigned = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Floats2 = Annotated[npt.NDArray[np.float64], 2]
"""A two-dimensional array of float64."""


class Records(Protocol[T_co]):
    """A fixed number of records inside a record, or a one-dimensional array of records."""

    def __getitem__(self, index: int) -> T_co:
        """Return one record, by reference."""
        ...

    def __len__(self) -> int:
        """Return how many records there are."""
        ...


def cache_folder() -> Path:
    """Return the folder of this version's machine code and tables.

    Returns
    -------
    Path
        ``$BLOODBATTLE_CACHE`` or the user's cache folder, and in it a folder named by a digest of the versions of
        Python, Numba and NumPy, the flags that change the code, and every source file of the engine.
    """
    package = Path(__file__).parent
    digest = hashlib.sha256()
    flags = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"]
    for text in (sys.version, numba.__version__, np.__version__, *flags):
        digest.update(text.encode() + b"\0")
    sources = sorted([*package.glob("*.py"), *(package / "engine").rglob("*.py")])
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    root = os.environ.get("BLOODBATTLE_CACHE")
    base = Path(root) if root else user_cache_path("bloodbattle")
    return base / digest.hexdigest()[:16]


@contextlib.contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Keep the machine code of what is compiled in this block in a folder of its own.

    The engine's folder is named by the engine's sources alone, so that an edit elsewhere does not compile the engine
    again; whoever compiles other sources names their folder by those.

    Parameters
    ----------
    folder : Path
        A folder in `CACHE`, named by a digest of all other sources that go into the code.
    """
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


def usable(folder: Path) -> Path:
    """Return a cache folder if it can be written to, and otherwise one for this process alone, with a warning.

    Parameters
    ----------
    folder : Path
        The folder that should be used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        own = Path(tempfile.mkdtemp(prefix="bloodbattle-"))
        atexit.register(shutil.rmtree, own, ignore_errors=True)
        sys.stderr.write(
            f"the cache folder {folder} cannot be written to, so everything is compiled again in each run; "
            "BLOODBATTLE_CACHE names another folder\n"
        )
        return own


CACHE = usable(cache_folder())
IS_COLD = not (CACHE / "compiled").exists()
"""Whether nothing was compiled yet in this version's cache folder: the first use takes a while."""
os.environ["NUMBA_CACHE_DIR"] = str(CACHE)
_config.reload_config()  # now, since the first compilation would, and undo what `cached_in` did
INTERPRETED = bool(_config.DISABLE_JIT)
"""Whether kernels run as plain Python (``NUMBA_DISABLE_JIT=1``), for coverage and true tracebacks."""
# Functions as values (of strategies) work and cache well; Numba calls them experimental at every call that takes some.
warnings.filterwarnings("ignore", "First-class function type", category=numba.NumbaExperimentalFeatureWarning)
if INTERPRETED:
    np.seterr(over="ignore")  # unsigned words wrap round on purpose in random streams


def record(cls: C) -> C:
    """Give a class of annotated fields its structured type.

    Fields are annotated ``int`` (int64), ``float``, ``np.uint64``, ``Annotated[Ints, 27]`` (fixed arrays, the shape
    after the array type), or ``Annotated[Records[Other], 4]`` (nested records) and plain ``Other``.

    Parameters
    ----------
    cls : type
        The class; it is only a name for the fields and never instantiated.

    Returns
    -------
    type
        The same class with ``dtype`` (a `numpy.dtype` of `numpy.record`) and ``count(n)`` (a zeroed array of n).
    """
    fields = [(name, *_field(hint)) for name, hint in get_type_hints(cls, include_extras=True).items()]
    layout = np.dtype([f if f[-1] else f[:2] for f in fields], align=True)
    cls.dtype = np.dtype((np.record, layout))  # type: ignore[attr-defined]
    return cls


def _field(hint: Any) -> tuple[Any, tuple[int, ...]]:
    """Return the scalar type and shape of a field annotation."""
    if get_origin(hint) is Annotated:
        inner, *shape = get_args(hint)
        args = get_args(inner)
        element = args[0] if get_origin(inner) is Records else get_args(args[1])[0]
        return _field(element)[0], tuple(shape)
    if hint in _SCALARS:
        return _SCALARS[hint], ()
    if hasattr(hint, "dtype") and not issubclass(hint, np.generic):
        return hint.dtype, ()
    return np.dtype(hint), ()


_SCALARS: dict[Any, Any] = {int: np.int64, float: np.float64, bool: np.int64}


def new(cls: type, count: int = 1) -> Any:
    """Return zeroed records.

    Parameters
    ----------
    cls : type
        A class made by `record`.
    count : int
        How many.

    Returns
    -------
    numpy.recarray, shape (count,)
        Kernels that take ``Records[cls]`` take it as it is; ``[0]`` is one record, by reference.
    """
    return np.zeros(count, dtype=cls.dtype).view(np.recarray)  # type: ignore[attr-defined]


def numba_type(hint: Any) -> Any:
    """Return the Numba type that a kernel's annotation stands for.

    Raises
    ------
    TypeError
        If the annotation is none of those that kernels use.
    """
    if hint is None or hint is type(None):
        return numba.types.void
    if hint in _NUMBA_SCALARS:
        return _NUMBA_SCALARS[hint]
    dims = 1
    if get_origin(hint) is Annotated:
        hint, dims = get_args(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        return _tuple_type([numba_type(arg) for arg in args])
    if origin is Callable:
        return numba.types.FunctionType(numba_type(args[1])(*[numba_type(arg) for arg in args[0]]))
    if origin is Records:
        return numba.types.Array(numba.from_dtype(args[0].dtype), 1, "C")
    if origin is np.ndarray:
        return numba.types.Array(numba.from_dtype(np.dtype(get_args(args[1])[0])), dims, "C")
    if hasattr(hint, "dtype"):
        return numba.from_dtype(hint.dtype)
    message = f"no kernel takes {hint!r}"
    raise TypeError(message)


def _tuple_type(elements: list[Any]) -> Any:
    """Return the type of a tuple; Numba's own constructor warns about functions."""
    if all(element == elements[0] for element in elements):
        return numba.types.UniTuple(elements[0], len(elements))  # type: ignore[no-untyped-call]
    return numba.types.Tuple(elements)  # type: ignore[no-untyped-call]


_NUMBA_SCALARS: dict[Any, Any] = {
    int: numba.types.int64,
    float: numba.types.float64,
    bool: numba.types.boolean,
    np.uint64: numba.types.uint64,
}


def signature(function: Callable[..., Any]) -> Any:
    """Return the Numba signature that a function's annotations give."""
    hints = get_type_hints(function, include_extras=True)
    parameters = [numba_type(hints[name]) for name in inspect.signature(function).parameters]
    return numba_type(hints["return"])(*parameters)


def kernel(function: F) -> F:
    """Compile a function with the signature of its annotations, once somebody needs it.

    Compiled code that comes from the cache has its kernels in it, so most of them are never needed by themselves.
    """
    if INTERPRETED:  # what NumPy ignores is a matter of each thread
        return np.errstate(over="ignore")(function)
    return _compile_when_needed(function)


def inlined(function: F) -> F:
    """Compile a small or hot function, once somebody needs it, and put its code into every caller."""
    return _compile_when_needed(function, forceinline=True)


def driver(function: F) -> F:
    """Compile a function that is called from Python and plays for long: it lets other threads run."""
    compiled = _compile(function, nogil=True)
    return np.errstate(over="ignore")(compiled) if INTERPRETED else compiled


def without_checks(function: F) -> F:
    """Return a driver that takes its arguments as they are: finding the types of functions as values takes long.

    Parameters
    ----------
    function : callable
        A function made by `driver`, which has been called with arguments of the same types before.
    """
    if INTERPRETED:
        return function
    compiled: Any = function
    return cast("F", next(iter(compiled.overloads.values())).entry_point)


def compile_as(annotation: Any, function: F) -> F:
    """Compile a function with the signature of a ``Callable[[...], ...]`` annotation, whatever its own annotations.

    Parameters
    ----------
    annotation : Callable
        An annotation that kernels use for functions as values; functions compiled so can be passed to those.
    function : callable
        The function.
    """
    compiled: F = numba.njit(numba_type(annotation).signature, cache=True)(function)
    return compiled


def compile_checked(annotation: Any, function: F) -> tuple[F, list[tuple[int, str]]]:
    """Compile a function of somebody's file: bounds are checked, and what it returns is looked at first.

    Parameters
    ----------
    annotation : Callable
        An annotation that kernels use for functions as values.
    function : callable
        The function.

    Returns
    -------
    compiled : callable
        The function, as `compile_as` would give it.
    faults : list of (int, str)
        Line and type of everything that it returns and that is no integer; it must not be used if there is any.

    Raises
    ------
    numba.core.errors.NumbaError
        If it cannot be compiled.
    """
    expected = numba_type(annotation).signature
    compiled: Any = numba.njit(expected.args, cache=True, boundscheck=True)(function)
    if INTERPRETED:
        return compiled, []
    returned = compiled.overloads[expected.args].signature.return_type
    if returned == expected.return_type:
        return compiled, []
    if isinstance(returned, numba.types.Integer):
        return numba.njit(expected, cache=True, boundscheck=True)(function), []
    again: Any = numba.njit(expected.args, boundscheck=True)(function)  # what comes from the cache has no lines
    notes = again.overloads[expected.args].type_annotation
    assigned: dict[str, Any] = {}
    returns = []
    for block in notes.blocks.values():
        for step in block.body:
            if isinstance(step, numba.core.ir.Assign):
                assigned[step.target.name] = step.value
            elif isinstance(step, numba.core.ir.Return):
                returns.append(step)
    faults = []
    for step in returns:
        source: Any = assigned.get(step.value.name)
        name = source.value.name if getattr(source, "op", "") == "cast" else step.value.name
        kind = notes.typemap[name]
        kind = getattr(kind, "literal_type", kind)
        if not isinstance(kind, numba.types.Integer):
            faults.append((step.loc.line, str(kind)))
    return compiled, sorted(set(faults)) or [(function.__code__.co_firstlineno, str(returned))]


def compile_on_use(function: F) -> F:
    """Let compiled code call a function that has no annotations: it is compiled with its callers, bounds checked.

    Parameters
    ----------
    function : callable
        The function.
    """
    compiled: Any = numba.njit(boundscheck=True)(function)
    return cast("F", compiled)


class Callback(numba.types.WrapperAddressProtocol):
    """A Python function that kernels take as a function value.

    Parameters
    ----------
    annotation : Callable
        An annotation of records in and an integer out that kernels use for functions as values.
    function : callable
        Takes the address of each record, and returns an integer. It must not raise.
    """

    def __init__(self, annotation: Any, function: Callable[..., int]) -> None:
        self._signature = numba_type(annotation).signature
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * len(self._signature.args))
        self._function = function
        self._native = prototype(function)
        self._address = ctypes.cast(self._native, ctypes.c_void_p).value or 0

    def __call__(self, *records: Any) -> int:
        """Call it from Python with records."""
        return self._function(*[address_of(record) for record in records])

    def __wrapper_address__(self) -> int:
        """Return the address that compiled code calls."""
        return self._address

    def signature(self) -> Any:
        """Return the signature by which it is called."""
        return self._signature


def address_of(record: Any) -> int:
    """Return the address of a record, or of the first one of an array of records.

    Parameters
    ----------
    record : numpy.record or numpy.recarray
        The record.
    """
    return int(record.__array_interface__["data"][0])


def ints_at(address: int, cls: type) -> Ints:
    """Return a record as the integers that it is made of, by reference.

    Parameters
    ----------
    address : int
        Address of the record, which must outlive what is returned.
    cls : type
        A class made by `record`.

    Returns
    -------
    int64 array
        Its fields one after another; floats and unsigned words by their bits.
    """
    size = cls.dtype.itemsize // 8  # type: ignore[attr-defined]
    return np.ctypeslib.as_array((ctypes.c_int64 * size).from_address(address))


def record_at(address: int, cls: type) -> Any:
    """Return the record at an address, by reference.

    Parameters
    ----------
    address : int
        Address of the record, which must outlive what is returned.
    cls : type
        A class made by `record`.
    """
    layout = cls.dtype  # type: ignore[attr-defined]
    content = np.ctypeslib.as_array((ctypes.c_uint8 * layout.itemsize).from_address(address))
    return content.view(layout).view(np.recarray)[0]


def called_by_address(function: Callable[..., int]) -> Callable[..., int]:
    """Compile a function of records and numbers so that Python calls it quickly, with addresses for records.

    Parameters
    ----------
    function : callable
        A function with the annotations of a kernel.
    """
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)
    if INTERPRETED:
        records = [hints[name] if hasattr(hints[name], "dtype") else None for name in names]

        def call(*given: Any) -> int:
            return int(function(*[record_at(v, r) if r else v for v, r in zip(given, records, strict=True)]))

        return call
    kinds = [ctypes.c_void_p if hasattr(hints[name], "dtype") else ctypes.c_int64 for name in names]
    compiled: Any = numba.cfunc(signature(function), cache=True)(function)
    native: Callable[..., int] = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(compiled.address)
    _kept.append(compiled)
    return native


_kept: list[Any] = []
"""Machine code that ctypes calls by address."""


def _compile(function: F, **options: Any) -> F:
    compiled: F = numba.njit(signature(function), cache=True, **options)(function)
    return compiled


def _compile_when_needed(function: F, **options: Any) -> F:
    """Make a function that is compiled, for its annotations alone, when it is called or a caller is compiled."""
    made: Any = numba.njit(cache=True, **options)(function)
    if INTERPRETED:
        return cast("F", made)
    find_template, call_first = made.get_call_template, made._compile_for_args  # noqa: SLF001 - what Numba calls then
    lock = threading.RLock()

    def compile_once() -> None:
        with lock:
            if not made.overloads:
                made.compile(signature(function))
                made.disable_compile()

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        compile_once()
        return find_template(arguments, keywords)

    def call(*arguments: Any, **keywords: Any) -> Any:
        if made.overloads:
            return call_first(*arguments, **keywords)
        compile_once()
        return next(iter(made.overloads.values())).entry_point  # which Numba calls with the arguments

    made.get_call_template = get_call_template
    made._compile_for_args = call  # noqa: SLF001
    return cast("F", made)


def mark_compiled() -> None:
    """Note in the cache folder that everything in it was compiled, so that the next start is known to be warm."""
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / "compiled").touch()
