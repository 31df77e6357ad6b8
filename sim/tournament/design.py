"""Designs: which settings of which knobs an experiment compares, over each of its presets.

A design turns a base preset into a *family* of presets that play the same walls. One of them is the *reference*, which
all others are compared with. Whether the settings together make a possible preset is checked when the plan is made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from sim.errors import ConfigError
from sim.rules.knobs import find_knob, table_keys
from sim.rules.words import kind_of_value, show_value
from sim.tournament.written import as_tuple

MOST_CELLS: Final = 200
"""Most cells of a grid; beyond it, samples."""
MOST_SAMPLES: Final = 1_000
"""Most samples, and most chosen cells."""
Kind = Literal["one_knob", "grid", "cells", "latin_hypercube"]
Settings = dict[str, Any]
"""Values by dotted key."""


def _flatten(tables: object, what: str) -> object:
    """Write nested tables as one with dotted keys, and check that each names a knob."""
    if not isinstance(tables, Mapping):
        raise ValueError(f"wrong type: {show_value(tables)} is {kind_of_value(tables)}; allowed: {what}")  # noqa: TRY004 - pydantic takes it
    found: dict[str, Any] = {}
    _flatten_into(found, tables, "")
    return found


def _flatten_into(found: dict[str, Any], tables: Mapping[Any, Any], inside: str) -> None:
    """Add the knobs of a table, and of those in it."""
    for name, value in tables.items():
        key = f"{inside}.{name}" if inside else str(name)
        if isinstance(value, Mapping) and key in table_keys():
            _flatten_into(found, value, key)
            continue
        try:
            find_knob(key)
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if key in found:
            raise ValueError(f"{key}: given twice")
        found[key] = value


def _check_setting(key: str, value: object) -> None:
    """Refuse a value that the knob does not allow."""
    complaint = find_knob(key).refuse(value)
    if complaint is not None:
        raise ValueError(f"{key}: {complaint}")


def _read_knobs(tables: object) -> object:
    """Read what values each knob takes."""
    found: Any = _flatten(tables, "a table of knobs, each with an array of values")
    for key, values in found.items():
        if not isinstance(values, (list, tuple)):
            came = f"{show_value(values)} is {kind_of_value(values)}"
            raise ValueError(f"{key}: wrong type: {came}; allowed: an array of values, such as [2, 3, 4]")  # noqa: TRY004
        if not values:
            raise ValueError(f"{key}: came no values; allowed: {find_knob(key).allowed}")
        for place, value in enumerate(values):
            _check_setting(key, value)
            if value in values[:place]:
                raise ValueError(f"{key}: {show_value(value)} comes twice")
    return {key: tuple(values) for key, values in found.items()}


def _read_settings(tables: object) -> object:
    """Read the settings of one cell."""
    found: Any = _flatten(tables, "a table of knobs and values")
    for key, value in found.items():
        _check_setting(key, value)
    return found


class Design(BaseModel):
    """Settings of knobs to compare.

    Examples
    --------
    >>> [show_settings(cell) for cell in Design(knobs={"fan.cap": [3, "none"]}).settings(1)]
    ['fan.cap=3', 'fan.cap=none']
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Kind | None = None
    """What the cells are; follows from the other keys when absent."""
    knobs: Annotated[dict[str, tuple[Any, ...]], BeforeValidator(_read_knobs)] = {}
    """The values of each knob, by dotted key: all of them (one knob, or a grid over several), or what samples are drawn
    from."""
    cells: Annotated[
        tuple[Annotated[Settings, BeforeValidator(_read_settings)], ...],
        BeforeValidator(as_tuple),
        Field(max_length=MOST_SAMPLES),
    ] = ()
    """Chosen cells, each a table of settings."""
    samples: Annotated[int, Field(ge=2, le=MOST_SAMPLES)] | None = None
    """How many cells to draw from a grid by a Latin hypercube."""
    one_at_a_time: bool = False
    """Of a grid only the cells that differ from the reference in one knob."""
    reference: Annotated[Settings, BeforeValidator(_read_settings)] | None = None
    """The settings of the reference; the base as it is when absent. Added as a cell where the design lacks it."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check what the keys say together."""
        kind = self.shape
        if self.kind is not None and self.kind != kind and not self._is_also(self.kind):
            raise ValueError(f"kind: {show_value(self.kind)} does not go with the other keys, which make {kind}")
        if kind == "cells":
            self._check_cells()
        elif not self.knobs:
            raise ValueError("came no knobs and no cells; allowed: knobs with values to compare, or chosen cells")
        elif kind == "latin_hypercube":
            self._check_samples()
        elif self.count > MOST_CELLS:
            hint = "give samples (such as samples = 64) to draw that many of them by a Latin hypercube, or"
            fewer = "give fewer values" if self.one_at_a_time else f"{hint} one_at_a_time = true"
            raise ValueError(f"a grid of {self.count:,} cells; allowed: at most {MOST_CELLS}; {fewer}")
        return self

    def _is_also(self, kind: Kind) -> bool:
        """Tell whether a grid over one knob was called one."""
        return {kind, self.shape} == {"grid", "one_knob"} and len(self.knobs) == 1

    def _check_cells(self) -> None:
        """Check chosen cells."""
        for key in ("knobs", "samples", "one_at_a_time"):
            if getattr(self, key):
                raise ValueError(f"{key}: not together with cells, which are complete")
        if not self.cells:
            raise ValueError("cells: came no cells; allowed: tables of settings")
        for place, cell in enumerate(self.cells):
            if cell in self.cells[:place]:
                raise ValueError(f"cells[{place}]: {show_settings(cell) or 'no settings'} comes twice")

    def _check_samples(self) -> None:
        """Check a Latin hypercube."""
        if self.one_at_a_time:
            raise ValueError("one_at_a_time: not together with samples, which change all knobs at once")
        whole = math.prod(len(values) for values in self.knobs.values())
        if self.samples is None:
            raise ValueError('samples: missing; a "latin_hypercube" needs the number of cells to draw')
        if self.samples >= whole:
            raise ValueError(f"samples: came {self.samples}; the whole grid has {whole} cells: leave samples out")

    @property
    def shape(self) -> Kind:
        """What the cells are, as the keys say."""
        if self.cells or self.kind == "cells":
            return "cells"
        if self.samples is not None or self.kind == "latin_hypercube":
            return "latin_hypercube"
        return "one_knob" if len(self.knobs) == 1 else "grid"

    @property
    def count(self) -> int:
        """Cells of the design over one base, without a reference that is added; counted, not listed."""
        if self.cells:
            return len(self.cells)
        if self.samples is not None:
            return self.samples
        sizes = [len(values) for values in self.knobs.values()]
        return sum(sizes) if self.one_at_a_time else math.prod(sizes)

    @property
    def varied(self) -> tuple[str, ...]:
        """The knobs that any cell sets, in the order in which the design names them."""
        return tuple(dict.fromkeys([*self.knobs, *(key for cell in self.cells for key in cell)]))

    @property
    def always_set(self) -> tuple[str, ...]:
        """The knobs that every cell sets, so that the base's values of them count for nothing in it."""
        if self.cells:
            return tuple(key for key in self.cells[0] if all(key in cell for cell in self.cells))
        if not self.one_at_a_time:
            return tuple(self.knobs)
        alone = tuple(self.knobs) if len(self.knobs) == 1 else ()
        return tuple(dict.fromkeys([*alone, *(self.reference or {})]))

    def settings(self, seed: int) -> tuple[Settings, ...]:
        """List the settings of the cells.

        Parameters
        ----------
        seed
            What samples are drawn with.

        Returns
        -------
        tuple of dict
            In order: the last knob changes fastest; samples as they are drawn.
        """
        if self.cells:
            return self.cells
        if self.samples is not None:
            return self._draw(self.samples, seed)
        if self.one_at_a_time:
            base = self.reference or {}
            return tuple({**base, key: value} for key, values in self.knobs.items() for value in values)
        return tuple(dict(zip(self.knobs, values, strict=True)) for values in product(*self.knobs.values()))

    def _draw(self, samples: int, seed: int) -> tuple[Settings, ...]:
        """Draw cells by a Latin hypercube: each value of each knob as often as any other, give or take one."""
        from scipy.stats import qmc  # noqa: PLC0415 - heavy, and only needed here

        drawn = qmc.LatinHypercube(len(self.knobs), seed=seed).random(samples)
        return tuple(
            {key: values[int(part * len(values))] for (key, values), part in zip(self.knobs.items(), row, strict=True)}
            for row in drawn.tolist()
        )


def show_settings(settings: Mapping[str, object]) -> str:
    """Write settings as results call them.

    Parameters
    ----------
    settings
        Values by dotted key.

    Examples
    --------
    >>> show_settings({"fan.cap": 4, "win.multiple": True, "exchange.direction": "left"})
    'fan.cap=4, win.multiple=true, exchange.direction=left'
    """
    return ", ".join(f"{key}={_show(value)}" for key, value in settings.items())


def _show(value: object) -> str:
    """Write a value without quotation marks."""
    return value if isinstance(value, str) else show_value(value)


def label_of(base: str, settings: Mapping[str, object]) -> str:
    """Name a preset of a design.

    Parameters
    ----------
    base
        What the base is called.
    settings
        What the design sets over it.

    Examples
    --------
    >>> label_of("mahjongo", {}), label_of("mahjongo", {"fan.cap": 4})
    ('mahjongo', 'mahjongo fan.cap=4')
    """
    return f"{base} {show_settings(settings)}".strip()
