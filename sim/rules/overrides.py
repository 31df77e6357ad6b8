"""Single knobs set over a preset: from `--set`, from an experiment file, or from Python.

An override is a choice, so the knob that it sets is no longer assumed, also when its value stays the same.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final

from sim.errors import ConfigError
from sim.rules.check import Mistakes, build_preset, flatten_knobs
from sim.rules.knobs import HEADER_KEYS, knob_values
from sim.rules.words import show_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sim.rules.model import Preset

_BARE_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_KEY: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def with_overrides(preset: Preset, overrides: Mapping[str, object], *, where: str = "overrides") -> Preset:
    """Make a preset with some knobs set anew.

    Parameters
    ----------
    preset
        The preset to begin with; it does not change.
    overrides
        By dotted key (`{"fan.cap": 5}`) or as nested tables (`{"fan": {"cap": 5}}`), or both.
    where
        What to blame in a message.

    Returns
    -------
    Preset
        Of the same name; the knobs set are not assumed.

    Raises
    ------
    ConfigError
        An override is wrong. All mistakes are listed, one a line.
    """
    mistakes = Mistakes()
    tables: dict[str, object] = {}
    for key, value in overrides.items():
        if key in HEADER_KEYS:
            mistakes.add(where, key, "not a knob, so no override can set it; write a preset file that extends this one")
        else:
            tables[key] = value
    given = flatten_knobs(tables, where, mistakes, dotted=True)
    header = {"name": preset.name, "title": preset.title, "source": preset.source}
    assumed = tuple(key for key in preset.assumed if key not in given)
    return build_preset(header, {**knob_values(preset), **given}, assumed, where, mistakes)


def parse_set(text: str, *, where: str = "--set") -> tuple[str, object]:
    """Read one `--set KEY=VALUE`.

    The value is TOML, and a bare word is a text: `fan.cap=5`, `win.multiple=false`, `exchange.direction=left`,
    `fan.cap=none`. Whether there is such a knob, and whether it allows the value, is checked when it is applied.

    Parameters
    ----------
    text
        What stands behind the option.
    where
        What to blame in a message.

    Returns
    -------
    key
        The dotted key.
    value
        A boolean, a number, a text or whatever else TOML knows.

    Raises
    ------
    ConfigError
        There is no `=`, no key or no value, or the value is not TOML.

    Examples
    --------
    >>> parse_set("fan.cap=5"), parse_set("exchange.direction = left")
    (('fan.cap', 5), ('exchange.direction', 'left'))
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not value or _KEY.fullmatch(key) is None:
        raise ConfigError(f"{where}: came {show_value(text)}; allowed: KEY=VALUE, such as fan.cap=5")
    return key, _parse_value(key, value, where)


def _parse_value(key: str, value: str, where: str) -> object:
    """Read a value as TOML, or as a bare word."""
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        parsed = {}
    if len(parsed) == 1:
        return parsed["value"]
    if _BARE_WORD.fullmatch(value) is not None:
        return value
    allowed = "true, false, a number, a word, or a text in quotation marks"
    raise ConfigError(f"{where}: {key}: came {show_value(value)}, which is no value; allowed: {allowed}")


def parse_sets(texts: Iterable[str], *, where: str = "--set") -> dict[str, object]:
    """Read all `--set KEY=VALUE` of a command.

    Parameters
    ----------
    texts
        What stands behind each `--set`.
    where
        What to blame in a message.

    Returns
    -------
    dict
        Overrides for `load_preset`.

    Raises
    ------
    ConfigError
        One cannot be read, or a key came twice. All mistakes are listed, one a line.
    """
    mistakes = Mistakes()
    found: dict[str, object] = {}
    for text in texts:
        try:
            key, value = parse_set(text, where=where)
        except ConfigError as error:
            mistakes.add("", "", str(error))
            continue
        if key in found:
            mistakes.add(where, key, f"given twice: {show_value(found[key])} and {show_value(value)}")
        found[key] = value
    mistakes.raise_any()
    return found
