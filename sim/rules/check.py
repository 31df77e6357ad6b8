"""Checks of what a file or a caller gave, before any preset is made of it: every mistake found, each as one line.

A line names where it came from, the dotted key, what came and what is allowed. One walk serves preset files and
overrides alike, so both say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from sim.errors import ConfigError
from sim.rules.knobs import HEADER_KEYS, all_knobs, check_entry, children, table_keys, unknown_key
from sim.rules.model import Preset
from sim.rules.words import kind_of_value, show_key, show_value


@dataclass
class Mistakes:
    """The mistakes found so far."""

    lines: list[str] = field(default_factory=list)

    def add(self, where: str, key: str, what: str) -> None:
        """Note one mistake.

        Parameters
        ----------
        where
            The file or the option.
        key
            The dotted key in it; "" for the file as a whole.
        what
            What is wrong with it.
        """
        line = ": ".join(part for part in (where, key, what) if part)
        if line not in self.lines:
            self.lines.append(line)

    def raise_any(self) -> None:
        """Raise all mistakes as one error, a line each.

        Raises
        ------
        ConfigError
            There was at least one.
        """
        if self.lines:
            raise ConfigError("\n".join(self.lines))


def flatten_knobs(
    tables: Mapping[str, object], where: str, mistakes: Mistakes, *, dotted: bool = False
) -> dict[str, object]:
    """Find the knobs in nested tables and check each by itself.

    Parameters
    ----------
    tables
        Nested tables of knobs, without header keys.
    where
        The file or the option that they came from.
    mistakes
        Where to note what is wrong.
    dotted
        Whether a key may itself be a dotted path, as in `{"fan.cap": 5}`.

    Returns
    -------
    dict
        The knobs given, by dotted key, right ones only.
    """
    found: dict[str, object] = {}
    _flatten(tables, "", where, mistakes, found, dotted=dotted)
    return found


def _flatten(
    tables: Mapping[str, object],
    inside: str,
    where: str,
    mistakes: Mistakes,
    found: dict[str, object],
    *,
    dotted: bool,
) -> None:
    """Check one table and the tables in it."""
    for name, value in tables.items():
        key = f"{inside}.{name}" if inside else str(name)
        if "." in str(name) and not dotted:
            mistakes.add(where, key, f"the key is quoted; write {name} = ... without the marks, or [table] above it")
        elif key in all_knobs():
            knob = all_knobs()[key]
            complaint = knob.refuse(value)
            if key in found:
                mistakes.add(where, key, f"given twice: {show_value(found[key])} and {show_value(value)}")
            elif complaint is not None:
                mistakes.add(where, key, complaint)
            else:
                found[key] = value
        elif key not in table_keys():
            shown = f"{inside}.{show_key(str(name))}" if inside else show_key(str(name))
            mistakes.add(where, shown, unknown_key(key, () if dotted else HEADER_KEYS))
        elif isinstance(value, Mapping):
            _flatten(value, key, where, mistakes, found, dotted=dotted)
        else:
            came = f"{show_value(value)} is {kind_of_value(value)}"
            mistakes.add(where, key, f"wrong type: {came}; allowed: a table with {', '.join(children(key))}")


def check_assumed(entries: object, where: str, mistakes: Mistakes) -> tuple[str, ...]:
    """Check a file's `assumed` list.

    Parameters
    ----------
    entries
        What the file has there.
    where
        The file.
    mistakes
        Where to note what is wrong.

    Returns
    -------
    tuple
        The entries that name a knob or a table, as the file has them.
    """
    if not isinstance(entries, (list, tuple)):
        came = f"{show_value(entries)} is {kind_of_value(entries)}"
        mistakes.add(where, "assumed", f"wrong type: {came}; allowed: an array of the keys of knobs or tables")
        return ()
    right: list[str] = []
    for entry in entries:
        if not isinstance(entry, str):
            came = f"{show_value(entry)} is {kind_of_value(entry)}"
            mistakes.add(where, "assumed", f"wrong type: {came}; allowed: the key of a knob or a table, as text")
        elif entry in right:
            mistakes.add(where, "assumed", f"{show_value(entry)} stands in the list twice")
        elif (complaint := check_entry(entry)) is not None:
            mistakes.add(where, "assumed", complaint)
        else:
            right.append(entry)
    return tuple(right)


def check_text(header: Mapping[str, object], key: str, where: str, mistakes: Mistakes) -> str | None:
    """Check a header key that holds free text.

    Parameters
    ----------
    header
        The top of a file.
    key
        One of `HEADER_KEYS`.
    where
        The file.
    mistakes
        Where to note what is wrong.

    Returns
    -------
    str or None
        The text; None when it is absent or wrong.
    """
    value = header.get(key)
    if value is None or isinstance(value, str):
        return value
    mistakes.add(where, key, f"wrong type: {show_value(value)} is {kind_of_value(value)}; allowed: a text")
    return None


def split_header(data: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """Part a file's header keys from its tables of knobs.

    Parameters
    ----------
    data
        A whole preset file.

    Returns
    -------
    header
        What `HEADER_KEYS` name.
    tables
        All the rest.
    """
    header = {key: value for key, value in data.items() if key in HEADER_KEYS}
    return header, {key: value for key, value in data.items() if key not in HEADER_KEYS}


def check_complete(knobs: Mapping[str, object], where: str, mistakes: Mistakes) -> None:
    """Note the knobs that are missing, a table without any of its knobs in one line.

    Parameters
    ----------
    knobs
        All knobs given, by dotted key, those of `extends` included.
    where
        The file.
    mistakes
        Where to note what is wrong.
    """
    missing = [knob for key, knob in all_knobs().items() if knob.required and key not in knobs]
    empty = {knob.table for knob in missing if not any(key.startswith(f"{knob.table}.") for key in knobs)}
    for table in dict.fromkeys(knob.table for knob in missing if knob.table in empty):
        names = ", ".join(knob.key.rpartition(".")[2] for knob in missing if knob.table == table)
        mistakes.add(where, table, f"the table is missing; it must give {names} (or begin the file with extends)")
    for knob in missing:
        if knob.table not in empty:
            mistakes.add(where, knob.key, f"missing; allowed: {knob.allowed} (or begin the file with extends)")


def build_preset(
    header: Mapping[str, object],
    knobs: Mapping[str, object],
    assumed: tuple[str, ...],
    where: str,
    mistakes: Mistakes,
) -> Preset:
    """Make the preset once each knob is right by itself; the rest is what knobs say together.

    Parameters
    ----------
    header
        `name`, `title` and `source`.
    knobs
        All knobs given, by dotted key.
    assumed
        Keys of knobs or tables.
    where
        The file or the option to blame.
    mistakes
        What is wrong so far.

    Returns
    -------
    Preset
        Frozen and complete.

    Raises
    ------
    ConfigError
        Anything is wrong, earlier mistakes included.
    """
    mistakes.raise_any()
    data: dict[str, object] = {**header, "assumed": assumed}
    for key, value in knobs.items():
        *path, name = key.split(".")
        table = data
        for part in path:
            table = table.setdefault(part, {})  # type: ignore[assignment]
        table[name] = value
    try:
        return Preset.model_validate(data)
    except ValidationError as error:
        for detail in error.errors():
            key = ".".join(str(part) for part in detail["loc"])
            mistakes.add(where, key, detail["msg"].removeprefix("Value error, "))
    mistakes.raise_any()
    raise AssertionError  # pragma: no cover - a ValidationError has at least one detail
