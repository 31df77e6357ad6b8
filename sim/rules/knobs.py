"""The fixed list of knobs, derived from the models: their keys, words, checks and values.

A knob is one leaf of a preset, named by its dotted key as files write it (`pass.win_lock`, `fan.patterns.root`). Adding
a field to a table in `tables` is all it takes to add a knob here, to the checks of files and to `docs/presets.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticUndefined

from sim.errors import ConfigError
from sim.rules.model import Preset
from sim.rules.tables import NONE, Table
from sim.rules.words import did_you_mean, either, kind_of_value, nearest, show_key, show_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pydantic.fields import FieldInfo

KnobValue = bool | int | str
"""A knob's value as a file has it: None is the word "none"."""

HEADER_KEYS: Final = ("name", "title", "source", "extends", "assumed")
"""The keys of a preset file that are not knobs."""

_PRESETS_TAIL: Final = " Presets: "


@dataclass(frozen=True, eq=False)
class Knob:
    """One knob: where it is, what it does and which values it allows."""

    key: str
    """The dotted key, as files write it."""
    attributes: tuple[str, ...]
    """The attribute path in a `Preset`."""
    field: FieldInfo

    @property
    def table(self) -> str:
        """The dotted name of the table that the knob is in."""
        return self.key.rpartition(".")[0]

    @property
    def settlement_only(self) -> bool:
        """Whether the knob only changes how a finished deal is settled."""
        extra = self.field.json_schema_extra
        if not isinstance(extra, dict):  # pragma: no cover - a test reads it for every knob
            raise TypeError(f"{self.key}: the field must declare settlement_only")
        return bool(extra["settlement_only"])

    @property
    def required(self) -> bool:
        """Whether a preset without `extends` must give the knob."""
        return self.field.is_required()

    @property
    def default(self) -> KnobValue | None:
        """What the knob is when a file leaves it out, as a file would write it; None when it is required."""
        value: Any = self.field.default
        if value is PydanticUndefined:
            return None
        return as_written(value)

    @property
    def meaning(self) -> str:
        """What the knob does and what its words mean."""
        return (self.field.description or "").partition(_PRESETS_TAIL)[0]

    @property
    def use(self) -> str:
        """Which of the shipped presets use which value."""
        return (self.field.description or "").partition(_PRESETS_TAIL)[2].removesuffix(".")

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        """Check one value of this knob alone."""
        annotation: Any = self.field.annotation
        for extra in self.field.metadata:
            annotation = Annotated[annotation, extra]
        return TypeAdapter(annotation, config=ConfigDict(strict=True))

    @cached_property
    def _schemas(self) -> list[dict[str, Any]]:
        """The JSON schemas that the knob's value may meet, "none" apart."""
        schema = self._adapter.json_schema()
        return [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]

    @property
    def can_be_none(self) -> bool:
        """Whether the word "none" means None in Python."""
        return "anyOf" in self._adapter.json_schema()

    @property
    def words(self) -> tuple[str, ...]:
        """The texts that are allowed as values."""
        words = [word for part in self._schemas for word in self._constants(part) if isinstance(word, str)]
        return (*words, NONE) if self.can_be_none else tuple(words)

    @property
    def allowed(self) -> str:
        """All allowed values, in words."""
        parts: list[str] = []
        for part in self._schemas:
            constants = self._constants(part)
            if len(constants) == 1:
                parts.append(f"only {show_value(constants[0])}")
            elif constants:
                parts.extend(show_value(word) for word in constants)
            elif part["type"] == "boolean":
                parts += ["true", "false"]
            else:
                parts.append(f"a whole number from {part['minimum']} to {part['maximum']}")
        return either([*parts, f'"{NONE}"'] if self.can_be_none else parts)

    @staticmethod
    def _constants(schema: dict[str, Any]) -> list[Any]:
        """List the only values that a schema allows, if it lists them."""
        return [schema["const"]] if "const" in schema else list(schema.get("enum", []))

    def refuse(self, value: object) -> str | None:
        """Say what is wrong with a value.

        Parameters
        ----------
        value
            As a file or a caller gave it.

        Returns
        -------
        str or None
            A clause for a message; None when the value is allowed.
        """
        try:
            self._adapter.validate_python(value)
        except ValidationError:
            came = show_value(value)
            if not self._type_fits(value):
                hint = did_you_mean(value, self.words or ("true", "false")) if isinstance(value, str) else ""
                return f"wrong type: {came} is {kind_of_value(value)}; allowed: {self.allowed}{hint}"
            hint = did_you_mean(value, self.words) if isinstance(value, str) else ""
            return f"impossible value: {came}; allowed: {self.allowed}{hint}"
        return None

    def _type_fits(self, value: object) -> bool:
        """Tell a value that is impossible from one that is not even of the right type."""
        if isinstance(value, str):
            return bool(self._schemas) and any(part.get("type") == "string" for part in self._schemas)
        wanted = "boolean" if isinstance(value, bool) else "integer" if isinstance(value, int) else None
        return any(part.get("type") == wanted for part in self._schemas)

    def read(self, preset: Preset) -> KnobValue:
        """Give the knob's value in a preset, as a file writes it.

        Parameters
        ----------
        preset
            Any preset.
        """
        value: Any = preset
        for attribute in self.attributes:
            value = getattr(value, attribute)
        return as_written(value)


def as_written(value: Any) -> KnobValue:
    """Give a knob's Python value as a file writes it: None becomes "none".

    Parameters
    ----------
    value
        What a model's field holds.
    """
    written: KnobValue = NONE if value is None else value
    return written


def _walk(model: type[BaseModel], keys: tuple[str, ...], attributes: tuple[str, ...]) -> Iterator[Knob]:
    """Go through a model's fields in their order, tables opened."""
    for attribute, field in model.model_fields.items():
        here = (*keys, field.alias or attribute)
        path = (*attributes, attribute)
        if isinstance(field.annotation, type) and issubclass(field.annotation, Table):
            yield from _walk(field.annotation, here, path)
        elif keys:
            yield Knob(key=".".join(here), attributes=path, field=field)


@cache
def all_knobs() -> dict[str, Knob]:
    """Give every knob by its key, in the order of the models.

    Returns
    -------
    dict
        Do not change it.
    """
    return {knob.key: knob for knob in _walk(Preset, (), ())}


@cache
def knob_keys() -> tuple[str, ...]:
    """List the dotted keys of all knobs, in the order of the models.

    Examples
    --------
    >>> knob_keys()[:2]
    ('exchange.direction', 'exchange.count')
    """
    return tuple(all_knobs())


@cache
def table_keys() -> tuple[str, ...]:
    """List the dotted names of all tables of knobs, outer ones first."""
    found: dict[str, None] = {}
    for key in knob_keys():
        parts = key.split(".")[:-1]
        for length in range(1, len(parts) + 1):
            found.setdefault(".".join(parts[:length]))
    return tuple(found)


def find_knob(key: str) -> Knob:
    """Find a knob by its key.

    Parameters
    ----------
    key
        Such as "fan.cap".

    Raises
    ------
    ConfigError
        There is no such knob.
    """
    knob = all_knobs().get(key)
    if key in table_keys():
        raise ConfigError(f"{key}: a table, not a knob; its knobs: {', '.join(children(key))}")
    if knob is None:
        raise ConfigError(f"{show_key(key)}: {unknown_key(key)}")
    return knob


def get_knob(preset: Preset, key: str) -> KnobValue:
    """Give the value of one knob as a file writes it ("none" for off).

    Parameters
    ----------
    preset
        Any preset.
    key
        Such as "fan.cap".

    Raises
    ------
    ConfigError
        There is no such knob.
    """
    return find_knob(key).read(preset)


def settlement_only(key: str) -> bool:
    """Tell whether a knob only changes how a finished deal is settled.

    Such a knob changes no legal choice and nothing of the course of play, so that recorded decisions can be settled
    again under another value.

    Parameters
    ----------
    key
        Such as "fan.cap".

    Raises
    ------
    ConfigError
        There is no such knob.
    """
    return find_knob(key).settlement_only


def knob_values(preset: Preset) -> dict[str, KnobValue]:
    """Give all knobs of a preset by key, as a file writes them, in the order of the models.

    Parameters
    ----------
    preset
        Any preset.
    """
    return {key: knob.read(preset) for key, knob in all_knobs().items()}


def children(table: str) -> tuple[str, ...]:
    """List what may stand in a table: knobs and inner tables, by their short names.

    Parameters
    ----------
    table
        A dotted table name; "" for the top of a file, without its header keys.
    """
    prefix = f"{table}." if table else ""
    names = (key[len(prefix) :].split(".")[0] for key in knob_keys() if key.startswith(prefix))
    return tuple(dict.fromkeys(names))


def unknown_key(key: str, others: tuple[str, ...] = ()) -> str:
    """Say that a dotted key names nothing, where it came, and what was perhaps meant.

    Parameters
    ----------
    key
        A dotted key that is neither a knob nor a table.
    others
        What else could have been meant there: other keys of the same file.
    """
    meant = nearest(key, (*others, *children(""))) if others and "." not in key else None
    if meant in others:
        return f"unknown key; allowed in a preset: {', '.join((*others, *children('')))}; did you mean {meant}?"
    table, _ = _split_known(key)
    inside = f"[{table}]" if table else "a preset"
    what = "unknown pattern" if table == "fan.patterns" else "unknown key"
    return f"{what}; allowed in {inside}: {', '.join(children(table))}{_suggest(key)}"


def _split_known(key: str) -> tuple[str, str]:
    """Split an unknown dotted key into the innermost table that exists and the name that it lacks."""
    parts = key.split(".")
    depth = 0
    while depth < len(parts) and ".".join(parts[: depth + 1]) in table_keys():
        depth += 1
    return ".".join(parts[:depth]), parts[depth] if depth < len(parts) else ""


def _suggest(key: str) -> str:
    """Look for the nearest key: in the same table, then of the same name elsewhere, then anywhere."""
    table, name = _split_known(key)
    found = nearest(name, children(table))
    if found is not None:
        return f"; did you mean {f'{table}.{found}'.lstrip('.')}?"
    everywhere = (*knob_keys(), *table_keys())
    short = key.rpartition(".")[2]
    alike = [other for other in everywhere if other.rpartition(".")[2] == short]
    return f"; did you mean {alike[0]}?" if alike else did_you_mean(key, everywhere)


def check_entry(entry: str) -> str | None:
    """Say what is wrong with an entry of `assumed`.

    Parameters
    ----------
    entry
        A dotted key that should name a knob or a whole table.

    Returns
    -------
    str or None
        A clause for a message; None when the entry names something.
    """
    if entry in all_knobs() or entry in table_keys():
        return None
    if entry in HEADER_KEYS:
        return f"{show_value(entry)} is not a knob; an entry names a knob or a table of knobs"
    return f"{show_value(entry)} names no knob and no table{_suggest(entry)}"


def expand_entries(entries: Iterable[str]) -> tuple[str, ...]:
    """Write the entries of an `assumed` list out as knobs, in the order of the models, each once.

    Parameters
    ----------
    entries
        Keys of knobs or tables.

    Raises
    ------
    ValueError
        An entry names nothing.
    """
    wanted = tuple(entries)
    for entry in wanted:
        complaint = check_entry(entry)
        if complaint is not None:
            raise ValueError(complaint)
    return tuple(key for key in knob_keys() if any(key == entry or key.startswith(f"{entry}.") for entry in wanted))
