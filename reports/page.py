"""Pages: one self-contained HTML file each, with its style and scripts inside and nothing from anywhere else.

Templates only place what they are given: no number and no figure is made in them. Everything that comes from files or
people is escaped. The same facts give the same bytes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import ResultsError

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES: Final = Path(__file__).parent / "templates"


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
    made.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}
    return made


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
    from sim.tournament.files import replacing  # noqa: PLC0415

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode("utf-8", "xmlcharrefreplace"))
    except OSError as error:
        raise ResultsError(f"{path}: cannot be written: {error.strerror}") from None
