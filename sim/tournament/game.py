"""What the runner needs of a game: its columns, and how to compile rules, load strategies and play.

The runner, the chunks and the results know nothing else about a game, so another variant is another `Game`, and a test
plays with one that needs no compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sim.rules.model import Preset

Columns = npt.NDArray[np.int32]
Seeds = npt.NDArray[np.int64]


class ColumnLike(Protocol):
    """One integer for each deal and seat."""

    @property
    def name(self) -> str:
        """Its name in rows."""
        ...

    @property
    def dtype(self) -> str:
        """The smallest of int8, int16 and int32 that holds it."""
        ...

    @property
    def unit(self) -> str:
        """What it counts."""
        ...

    @property
    def meaning(self) -> str:
        """What it says, in a sentence."""
        ...

    @property
    def total(self) -> bool:
        """Whether sums over deals mean something."""
        ...


class StrategyLike(Protocol):
    """A strategy that is ready to play."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def digest(self) -> str:
        """What tells two versions of it apart."""
        ...

    @property
    def rule_blind(self) -> bool:
        """Whether no settlement-only knob and no points so far ever change what it chooses."""
        ...


Label = Callable[[int, int], str]
"""Names a deal by the indices of its wall and seating."""
Keep = Callable[[str, Mapping[str, Any]], None]
"""Takes what happened, in words and as plain data, and keeps it."""
PlayWalls = Callable[[Any, Sequence[Any], Seeds, Seeds, str], Columns]
"""(compiled rules, four strategies by slot, wall seeds (n,), seatings (m, 4), wall mode) -> columns (c, n * m * 4)."""


PlayAndSettle = Callable[[Any, Sequence[Any], Seeds, Seeds, str, Sequence[Any]], tuple[Columns, Columns]]
"""The same with k other compiled rules that differ in settlement-only knobs alone: the columns of play, and those of
the same deals settled again under each of the others (k, c, n * m * 4)."""


@dataclass(frozen=True)
class Game:
    """A game, as the runner sees it."""

    name: str
    """Which game."""
    digest: str
    """What tells two versions of its engine apart."""
    columns: Sequence[ColumnLike]
    """What `play` returns, in order."""
    patterns: Sequence[str]
    """Name of each bit of the column ``patterns``."""
    play: PlayWalls
    """Play walls, every seating of each; rows by wall, seating, seat."""
    compile_rules: Callable[[Preset], Any]
    """Make of a preset what `play` takes."""
    load_strategy: Callable[[str], StrategyLike]
    """Find a strategy by name; raises ConfigError or StrategyError."""
    wall_seed: Callable[[int, int], int]
    """(root seed, wall index) -> wall seed."""
    play_on: PlayWalls | None = None
    """Play walls, and go on where a strategy fails."""
    play_and_settle: PlayAndSettle | None = None
    """Play walls and settle each deal again under other rules, its decisions kept; None if that is not possible."""
    play_on_and_settle: PlayAndSettle | None = None
    """The same, and go on where a strategy fails."""
    watch_deals: Callable[[Label, Keep], AbstractContextManager[None]] | None = None
    """While this thread plays, know how its deals are named, and where it is kept that one does not go on."""


def sichuan(say: Callable[[str], None] | None = None) -> Game:
    """Give Sichuan Blood Battle; loads, and perhaps compiles, the engine.

    Parameters
    ----------
    say
        Is told in a line if the engine has to be compiled first.

    Returns
    -------
    Game
        Ready to play.
    """
    from sim import jit  # noqa: PLC0415 - the engine is heavy, so it is loaded when it is needed

    if jit.IS_COLD and say is not None:
        say("compiling the engine, once: about 20 s")
    from sim.engine.sichuan.forfeit import play_on_and_settle, play_walls_on  # noqa: PLC0415
    from sim.engine.sichuan.play import COLUMNS, play_and_settle, play_walls  # noqa: PLC0415
    from sim.engine.sichuan.rules import PATTERNS  # noqa: PLC0415
    from sim.engine.sichuan.watch import WATCH  # noqa: PLC0415
    from sim.rng import wall_seed_of  # noqa: PLC0415
    from sim.rules.compile import compile_rules  # noqa: PLC0415
    from sim.tournament import sums  # noqa: F401, PLC0415 - compiled before any pool starts
    from strategies.registry import load_strategy  # noqa: PLC0415

    jit.mark_compiled()
    return Game(
        name="sichuan",
        digest=engine_digest(),
        columns=COLUMNS,
        patterns=(*PATTERNS, "self_draw"),
        play=play_walls,
        compile_rules=compile_rules,
        load_strategy=load_strategy,
        wall_seed=wall_seed_of,
        play_on=play_walls_on,
        play_and_settle=play_and_settle,
        play_on_and_settle=play_on_and_settle,
        watch_deals=WATCH.telling,
    )


def engine_digest() -> str:
    """Give the digest of all sources that decide what a deal gives: equal for equal engines.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    import hashlib  # noqa: PLC0415 - only needed here
    from pathlib import Path  # noqa: PLC0415

    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for source in sorted([package / "rng.py", package / "rules" / "compile.py", *(package / "engine").rglob("*.py")]):
        digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
