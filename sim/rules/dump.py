"""A preset written out: TOML text that loads as an equal preset, and a digest of its knobs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.rules.knobs import knob_values

if TYPE_CHECKING:
    from sim.rules.model import Preset


def dump_toml(tables: Mapping[str, Any]) -> str:
    """Write nested tables of texts, whole numbers, booleans and arrays of texts as TOML.

    Parameters
    ----------
    tables
        As `Preset.to_dict` gives them.

    Returns
    -------
    str
        The text of a file, with a newline at its end.
    """
    lines: list[str] = []
    _dump_table(tables, (), lines)
    return "\n".join(lines).strip("\n") + "\n"


def _dump_table(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    """Write the values of a table, then its inner tables."""
    values = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    if path and values:
        lines += ["", f"[{'.'.join(path)}]"]
    for key, value in values.items():
        lines += _dump_value(key, value)
    for key, value in table.items():
        if isinstance(value, Mapping):
            _dump_table(value, (*path, key), lines)


def _dump_value(key: str, value: bool | int | str | list[str]) -> list[str]:
    """Write one key and its value, an array with one entry a line."""
    if isinstance(value, list):
        entries = [f"    {_dump_text(entry)}," for entry in value]
        return [f"{key} = [", *entries, "]"] if entries else [f"{key} = []"]
    if isinstance(value, str):
        return [f"{key} = {_dump_text(value)}"]
    return [f"{key} = {json.dumps(value)}"]


def _dump_text(text: str) -> str:
    """Write a text as a TOML basic string: JSON's, but TOML refuses a bare DEL too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def preset_digest(preset: Preset) -> str:
    """Give the digest of a preset's knobs: equal for two presets exactly when every knob has the same value.

    The name, the texts and the `assumed` list do not count.

    Parameters
    ----------
    preset
        Any preset.

    Returns
    -------
    str
        SHA-256 of the knobs as canonical JSON, 64 hexadecimal digits.
    """
    canonical = json.dumps(knob_values(preset), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
