"""`bloodbattle summary`: what a run found so far."""

# ruff: noqa: TC003 - typer reads annotations when it runs

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.run import Format, FormatOption, say


def summary(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    form: FormatOption = Format.text,
) -> None:
    """Print what a run found, finished or not."""
    from sim.api import open_run

    result = open_run(folder)
    sys.stdout.write(result.show(form.value))
    sys.stdout.flush()
    if not result.is_finished:
        say(f"unfinished; go on with: bloodbattle resume {shlex.quote(str(folder))}")
