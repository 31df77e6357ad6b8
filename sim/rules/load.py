"""Presets from files: finding them, reading TOML, following `extends`, and merging the layers.

A file's own knobs go over those of the file it extends. What a file sets is chosen, so it is no longer assumed,
unless the file's own `assumed` list says so again.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sim.errors import ConfigError
from sim.rules.check import (
    Mistakes,
    build_preset,
    check_assumed,
    check_complete,
    check_text,
    flatten_knobs,
    split_header,
)
from sim.rules.knobs import expand_entries
from sim.rules.model import NAME_PATTERN, NAME_WORDS, Preset
from sim.rules.overrides import with_overrides
from sim.rules.words import did_you_mean, is_no_file, show_value

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

SUFFIX: Final = ".toml"


@dataclass(frozen=True)
class _Source:
    """A preset file that has been found, shipped or anywhere else."""

    file: Traversable
    where: str
    """The file's name in messages, also what tells two files apart."""

    @property
    def stem(self) -> str:
        """The file's name without `.toml`."""
        return self.file.name.removesuffix(SUFFIX)


@dataclass(frozen=True)
class _Layer:
    """One file's own say, each knob checked by itself."""

    source: _Source
    header: dict[str, object]
    knobs: dict[str, object]
    assumed: tuple[str, ...]
    extends: str | None


def _shipped_folder() -> Traversable:
    """Find the folder of the shipped presets, wherever the package is installed."""
    return resources.files("configs") / "presets"


def available_presets() -> tuple[str, ...]:
    """List the names of the shipped presets, in alphabetical order."""
    return tuple(
        sorted(file.name.removesuffix(SUFFIX) for file in _shipped_folder().iterdir() if file.name.endswith(SUFFIX))
    )


def load_preset(
    preset: str | Path,
    overrides: Mapping[str, object] | None = None,
    *,
    where: str = "",
    overrides_where: str = "",
    relative_to: Path | None = None,
) -> Preset:
    """Load a preset and check all of it.

    Parameters
    ----------
    preset
        The name of a shipped preset, or the path of a preset file (it ends in `.toml`).
    overrides
        Knobs to set over the file's, by dotted key (`{"fan.cap": 5}`) or as nested tables (`{"fan": {"cap": 5}}`).
        A knob set here is no longer assumed, also when its value stays the same.
    where
        What to blame in a message when the preset cannot be found, such as the experiment file and the key in it.
    overrides_where
        What to blame when an override is wrong; `where` when empty, "overrides" when that is empty too.
    relative_to
        The folder that a relative path starts from; the working directory when None.

    Returns
    -------
    Preset
        Frozen; its name is the file's, overrides or not.

    Raises
    ------
    ConfigError
        The file cannot be found or read, or anything in it or in the overrides is wrong. All mistakes are listed,
        one a line.

    Examples
    --------
    >>> load_preset("mahjongo", {"fan.cap": 5}).fan.cap
    5
    """
    try:
        source = _find(str(preset), relative_to)
        data = _read_toml(source)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}" if where else str(error)) from None
    loaded = _load_chain(source, data)
    if not overrides:
        return loaded
    return with_overrides(loaded, overrides, where=overrides_where or where or "overrides")


def _find(text: str, relative_to: Path | None) -> _Source:
    """Find a preset file by name or path; whether a path can be read shows later."""
    if text.endswith(SUFFIX):
        path = Path(text) if relative_to is None else relative_to / text
        return _Source(path, str(path))
    if ("/" in text or "\\" in text) and not _is_folder(text, relative_to):
        raise ConfigError(f"{show_value(text)} is not a preset file: its name must end in {SUFFIX}")
    names = available_presets()
    if text not in names:
        if _is_folder(text, relative_to):
            raise ConfigError(f"{show_value(text)} is a folder, not a preset file or the name of a shipped preset")
        hint = did_you_mean(text, names)
        if not hint and (relative_to or Path()).joinpath(text[:80] + SUFFIX).is_file():
            hint = f"; for the file of that name write {text}{SUFFIX}"
        raise ConfigError(
            f"unknown preset {show_value(text)}; allowed: {', '.join(names)}, or the path of a {SUFFIX} file{hint}"
        )
    file = _shipped_folder() / (text + SUFFIX)
    return _Source(file, str(file))


def _is_folder(text: str, relative_to: Path | None) -> bool:
    """Tell whether a path is a folder; one that cannot be asked about is not."""
    try:
        return bool(text) and (relative_to or Path()).joinpath(text).is_dir()
    except OSError:
        return False


def _load_chain(first: _Source, data: Mapping[str, object]) -> Preset:
    """Check a file, read and check all that it extends, and merge them, the innermost first."""
    mistakes = Mistakes()
    layers = [_check_layer(first, data, mistakes)]
    while (extends := layers[-1].extends) is not None:
        try:
            inner = _follow(extends, [layer.source for layer in layers])
            data = _read_toml(inner)
        except ConfigError as error:
            mistakes.add(layers[-1].source.where, "extends", str(error))
            break
        layers.append(_check_layer(inner, data, mistakes))
    mistakes.raise_any()
    knobs: dict[str, object] = {}
    assumed: set[str] = set()
    for layer in reversed(layers):
        knobs.update(layer.knobs)
        assumed.difference_update(layer.knobs)
        assumed.update(expand_entries(layer.assumed))
    check_complete(knobs, first.where, mistakes)
    return build_preset(layers[0].header, knobs, tuple(assumed), first.where, mistakes)


def _follow(extends: str, chain: list[_Source]) -> _Source:
    """Find the file that the last one of a chain extends."""
    outer = chain[-1].file
    inner = _find(extends, outer.parent if isinstance(outer, Path) else None)
    seen = [_identity(source) for source in chain]
    if _identity(inner) in seen:
        circle = [*chain[seen.index(_identity(inner)) :], inner]
        raise ConfigError(f"goes round in a circle: {' -> '.join(source.where for source in circle)}")
    return inner


def _identity(source: _Source) -> str:
    """Name a file so that two ways of writing its path agree."""
    return os.path.realpath(source.file) if isinstance(source.file, Path) else source.where


def _check_layer(source: _Source, data: Mapping[str, object], mistakes: Mistakes) -> _Layer:
    """Check what one file gives, knob by knob."""
    header, tables = split_header(data)
    texts = {key: check_text(header, key, source.where, mistakes) for key in ("name", "title", "source", "extends")}
    name = texts["name"]
    if name is not None and name != source.stem:
        allowed = f"{show_value(source.stem)}, the file's own name, or no name at all"
        mistakes.add(source.where, "name", f"impossible value: {show_value(name)}; allowed: {allowed}")
    elif re.fullmatch(NAME_PATTERN, source.stem) is None:
        mistakes.add(source.where, "", f"a preset is named as its file, and this name cannot be; allowed: {NAME_WORDS}")
    return _Layer(
        source=source,
        header={"name": source.stem, **{key: texts[key] for key in ("title", "source") if texts[key] is not None}},
        knobs=flatten_knobs(tables, source.where, mistakes),
        assumed=check_assumed(header.get("assumed", []), source.where, mistakes),
        extends=texts["extends"],
    )


def _read_toml(source: _Source) -> Mapping[str, object]:
    """Read a file as TOML, or say why that cannot be done."""
    if isinstance(source.file, Path) and is_no_file(source.file):
        raise ConfigError(f"{source.where}: no regular file, but a pipe or a device; allowed: a {SUFFIX} file")
    try:
        text = source.file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        names = available_presets()
        hint = did_you_mean(source.stem, names)
        raise ConfigError(f"{source.where}: there is no such file; shipped presets: {', '.join(names)}{hint}") from None
    except IsADirectoryError:
        raise ConfigError(f"{source.where}: a folder, not a preset file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source.where}: not UTF-8 text (at byte {error.start})") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{source.where}: cannot be read: {reason}") from None
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        twice = ("Cannot declare", "Cannot overwrite", "Cannot mutate", "Duplicate")
        hint = "; a key or a table stands there twice" if str(error).startswith(twice) else ""
        raise ConfigError(f"{source.where}: not valid TOML: {error}{hint}") from None
