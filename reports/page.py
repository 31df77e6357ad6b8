"""Pages: one self-contained HTML file each, with its style and scripts inside and nothing from anywhere else.

Templates only place what they are given: no number and no figure is made in them. Everything that comes from files or
people is escaped. The same facts give the same bytes.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ConfigError, ResultsError

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

LONGEST_WORD: Final = 16
"""Letters up to which a text stays in one line if need be."""
_BREAKS: Final = re.compile(r"(?<=[._=,/])(?=\w)")
TEMPLATES: Final = Path(__file__).parent / "templates"
SUFFIXES: Final = (".html", ".htm")
"""What the name of a page ends in."""
MADE_BY: Final = "Made by bloodbattle"
"""What every page and every Markdown file of ours says; nothing without it is written over."""


@cache
def environment() -> Environment:
    """Give the environment of all templates: everything escaped, nothing undefined."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only needed for reports

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["breakable"] = breakable
    made.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}
    return made


def breakable(text: str) -> Markup:
    """Let a long text without spaces go on in the next line after signs such as . and =.

    Parameters
    ----------
    text
        The text.
    """
    from markupsafe import Markup, escape  # noqa: PLC0415 - only needed for reports

    pieces = _BREAKS.split(text) if len(text) > LONGEST_WORD else [text]
    return Markup("<wbr>").join(map(escape, pieces))


def render(template: str, **facts: Any) -> str:
    """Fill in a template.

    Parameters
    ----------
    template
        File name of the template.
    **facts
        What it places.

    Returns
    -------
    str
        The page.
    """
    return environment().get_template(template).render(**facts)


def refuse_page(path: Path, option: str = "") -> None:
    """Refuse a place where no page can stand, or where something else stands that would be lost.

    Parameters
    ----------
    path
        Where the page is to be.
    option
        What named the place, for messages.

    Raises
    ------
    ConfigError
        It is a folder, a device, no name of a page, or a file that we have not written.
    """
    prefix = f"{option}: " if option else ""
    refuse_inside_run(path, prefix)
    if path.is_dir():
        raise ConfigError(f"{prefix}{path} is a folder; allowed: a page, such as {path / 'report.html'}")
    if path.suffix not in SUFFIXES:
        raise ConfigError(
            f"{prefix}{path} is no name of a page; allowed: NAME.html; `bloodbattle report RUN --format files` writes"
            " Markdown, SVG, PNG, CSV and LaTeX"
        )
    refuse_foreign(path, prefix)


def refuse_inside_run(path: Path, prefix: str = "") -> None:
    """Refuse a place in the folder in which a run or a ladder keeps its own files.

    Parameters
    ----------
    path
        Where a page or a folder of files is to be.
    prefix
        What stands before the message.

    Raises
    ------
    ConfigError
        It is inside of such a folder.
    """
    place = path.absolute()
    for folder, around in pairwise(place.parents):
        if (around / "plan.json").exists() and folder.name in _own_folders():
            raise ConfigError(
                f"{prefix}{path} is in {folder}, where a run keeps its own files; allowed: any other folder, such as"
                f" {around / path.name}"
            )


def _own_folders() -> set[str]:
    """Name the folders in which runs and ladders keep what they played."""
    from sim.ladder.keep import TABLES  # noqa: PLC0415 - only needed here
    from sim.tournament.store import CHUNKS  # noqa: PLC0415

    return {CHUNKS, *TABLES}


def refuse_missing(path: Path, prefix: str = "") -> None:
    """Refuse a place in a folder that is not there.

    Parameters
    ----------
    path
        Where a page or a folder of files is to be.
    prefix
        What stands before the message.

    Raises
    ------
    ConfigError
        Its folder does not exist.
    """
    place = path.absolute()
    if not place.parent.exists():
        missing = next(one for one in reversed(place.parents) if not one.exists())
        raise ConfigError(f"{prefix}{path}: there is no folder {missing}; make it first, or choose another place")


def refuse_foreign(path: Path, prefix: str = "") -> None:
    """Refuse to write over a file that is not ours, or over what is no file.

    Parameters
    ----------
    path
        The file; it need not be there.
    prefix
        What stands before the message.

    Raises
    ------
    ConfigError
        Something else is there.
    ResultsError
        What is there cannot be read.
    """
    try:
        if not path.exists():
            return
        if not path.is_file():
            raise ConfigError(f"{prefix}{path} is there and is no file; choose another name")
        is_ours = MADE_BY.encode() in path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written: {error.strerror}") from None
    if not is_ours:
        raise ConfigError(
            f"{prefix}{path} is there, and bloodbattle has not written it; delete it or choose another name"
        )


def write_page(path: Path, text: str) -> None:
    """Write a page, whole or not at all.

    Parameters
    ----------
    path
        Where to.
    text
        The page.

    Raises
    ------
    ResultsError
        It cannot be written there.
    """
    write_bytes(path, text.encode("utf-8", "xmlcharrefreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    path
        Where to.
    data
        Its bytes.

    Raises
    ------
    ResultsError
        It cannot be written there.
    """
    from sim.tournament.files import replacing  # noqa: PLC0415

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(data)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written: {error.strerror}") from None
