"""What all files share that people write in TOML: how they are read, and what their values may be written as.

Not in here: what stands in such a file (`experiment`, `sim.ladder.file`, `sim.ladder.systems`). Preset files have a
reader of their own (`sim.rules.load`), since they can come out of the package.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ConfigError
from sim.rules.words import did_you_mean, is_no_file, show_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SUFFIX: Final = ".toml"


def read_toml(file: Path, what: str) -> dict[str, Any]:
    """Read a file as TOML, or say why that cannot be done.

    Parameters
    ----------
    file
        The file.
    what
        What it should be: ``experiment file``.

    Raises
    ------
    ConfigError
        It cannot be read, or is no TOML.
    """
    if is_no_file(file):
        raise ConfigError(f"{file}: no regular file, but a pipe or a device; allowed: a {SUFFIX} file")
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        near = sorted(other.name for other in file.parent.glob(f"*{SUFFIX}")) if file.parent.is_dir() else []
        raise ConfigError(f"{file}: there is no such {what}{did_you_mean(file.name, near)}") from None
    except IsADirectoryError:
        article = "an" if what[0] in "aeiou" else "a"
        raise ConfigError(f"{file}: a folder, not {article} {what}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 text (at byte {error.start})") from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None


def as_number(value: object) -> object:
    """Let a whole number stand where any number may; strict models take floats only."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def as_tuple(value: object) -> object:
    """Let arrays come as lists or tuples; strict models take tuples only."""
    return tuple(value) if isinstance(value, list) else value


def refuse_repeated(labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse names that come twice, since results could not tell them apart.

    Parameters
    ----------
    labels
        The names under each key.

    Raises
    ------
    ValueError
        One does; pydantic takes it.
    """
    for key, names in labels.items():
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{key}: {show_value(twice[0])} comes twice; give each a name of its own")
