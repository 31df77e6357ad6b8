"""`bloodbattle presets`: list the shipped presets, show one, compare two, check files.

Everything heavy is imported inside the functions, so that `--help` stays fast. Errors are raised as they are; the
program's entry turns them into a message and an exit code.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.console import Console

    from sim.rules import Preset
    from sim.rules.describe import KnobRow

app = typer.Typer(
    no_args_is_help=True,
    help="List, show, compare and check presets: the rules as data.",
)

UNSEEN_WIDTH = 140
"""Columns of a table that goes to a file or a pipe, where there is no window to fit."""

MEANING_WIDTH = 110
"""Columns from which on there is room for what each knob means."""


class TableFormat(StrEnum):
    """How rows can be printed."""

    text = "text"
    json = "json"
    markdown = "markdown"


class PresetFormat(StrEnum):
    """How a whole preset can be printed."""

    text = "text"
    json = "json"
    markdown = "markdown"
    toml = "toml"


class CheckFormat(StrEnum):
    """How the outcome of a check can be printed."""

    text = "text"
    json = "json"


SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a knob, such as fan.cap=5, exchange.direction=left or fan.cap=none. May be repeated.",
    ),
]


@app.command("list")
def list_presets(
    output: Annotated[TableFormat, typer.Option("--format", help="How to print it.")] = TableFormat.text,
) -> None:
    """List the shipped presets."""
    from sim.rules import available_presets, load_preset, preset_digest
    from sim.rules.describe import headline

    presets = [load_preset(name) for name in available_presets()]
    if output is TableFormat.json:
        _print_json(
            [
                {
                    "name": preset.name,
                    "title": preset.title,
                    "source": preset.source,
                    "assumed": list(preset.assumed),
                    "digest": preset_digest(preset),
                }
                for preset in presets
            ]
        )
        return
    head = ("preset", "title", "in short", "assumed knobs")
    rows = [(preset.name, preset.title, headline(preset), str(len(preset.assumed))) for preset in presets]
    _print_rows(head, rows, markdown=output is TableFormat.markdown)


@app.command("show")
def show_preset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A shipped preset, or the path of a .toml file.")],
    settings: SetOption = None,
    output: Annotated[PresetFormat, typer.Option("--format", help="How to print it.")] = PresetFormat.text,
) -> None:
    """Show every knob of a preset: its value, whether it is assumed, and what it does."""
    from sim.rules import preset_digest
    from sim.rules.describe import describe_preset, headline, show_knob_value

    preset = _load(name, settings)
    changed = _parse_settings(settings)
    rows = describe_preset(preset)
    if output is PresetFormat.toml:
        sys.stdout.write(preset.to_toml())
    elif output is PresetFormat.json:
        _print_json(
            {
                "name": preset.name,
                "title": preset.title,
                "source": preset.source,
                "digest": preset_digest(preset),
                "assumed": list(preset.assumed),
                "knobs": {row.key: row.value for row in rows},
            }
        )
    elif output is PresetFormat.markdown:
        head = ("knob", "value", "mark", "changes", "meaning")
        _print_rows(
            head,
            [
                (f"`{row.key}`", show_knob_value(row.value), _mark(row, changed), row.changes, row.meaning)
                for row in rows
            ],
            markdown=True,
        )
    else:
        lines = [preset.name, preset.title, preset.source, headline(preset), f"digest {preset_digest(preset)}"]
        _print_preset([line for line in lines if line], rows, changed)


@app.command("diff")
def diff_two(
    first: Annotated[str, typer.Argument(metavar="A", help="A shipped preset, or the path of a .toml file.")],
    second: Annotated[
        str | None, typer.Argument(metavar="[B]", show_default=False, help="Another; A itself when left out.")
    ] = None,
    settings: SetOption = None,
    output: Annotated[TableFormat, typer.Option("--format", help="How to print it.")] = TableFormat.text,
) -> None:
    """Show the knobs in which two presets differ. --set changes the second one."""
    from sim.errors import ConfigError
    from sim.rules.describe import changes_word, show_knob_value
    from sim.rules.diff import diff_presets

    if second is None and not settings:
        raise ConfigError(f"nothing to compare {first} with; give a second preset, or --set KEY=VALUE for a variant")
    left, right = _load(first, None), _load(second if second is not None else first, settings)
    names = (left.name, f"{right.name} (--set)" if settings else right.name)
    differences = diff_presets(left, right)
    if output is TableFormat.json:
        _print_json(
            [
                {
                    "key": item.key,
                    "left": item.left,
                    "right": item.right,
                    "left_assumed": item.left_assumed,
                    "right_assumed": item.right_assumed,
                    "settlement_only": item.settlement_only,
                }
                for item in differences
            ]
        )
        return
    if not differences:
        typer.echo(f"{names[0]} and {names[1]} do not differ in any knob.")
        return
    rows = [
        (
            item.key,
            _marked(show_knob_value(item.left), assumed=item.left_assumed),
            _marked(show_knob_value(item.right), assumed=item.right_assumed),
            changes_word(settlement_only=item.settlement_only),
        )
        for item in differences
    ]
    _print_rows(("knob", *names, "changes"), rows, markdown=output is TableFormat.markdown)


@app.command("validate")
def validate_files(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Preset files, or names of shipped presets.")],
    output: Annotated[CheckFormat, typer.Option("--format", help="How to print it.")] = CheckFormat.text,
) -> None:
    """Check preset files and print every mistake in them, one a line."""
    from sim.errors import ConfigError
    from sim.rules import knob_keys, load_preset, preset_digest

    outcomes: list[dict[str, object]] = []
    mistakes: list[str] = []
    for file in files:
        try:
            preset = load_preset(file)
        except ConfigError as error:
            found = str(error).splitlines()
            mistakes += [line for line in found if line not in mistakes]
            outcomes.append({"file": file, "valid": False, "mistakes": found})
            continue
        outcomes.append({"file": file, "valid": True, "mistakes": [], "digest": preset_digest(preset)})
        if output is CheckFormat.text:
            counts = f"{len(knob_keys())} knobs, {len(preset.assumed)} assumed"
            typer.echo(f"{file}: valid ({counts}, digest {preset_digest(preset)[:12]})")
    if output is CheckFormat.json:
        _print_json(outcomes)
        if mistakes:
            raise typer.Exit(ConfigError.exit_code)
    elif mistakes:
        raise ConfigError("\n".join(mistakes))


def _load(name: str, settings: list[str] | None) -> Preset:
    """Load a preset with what `--set` says."""
    from sim.rules import load_preset

    return load_preset(name, _parse_settings(settings), overrides_where="--set")


def _parse_settings(settings: list[str] | None) -> dict[str, object]:
    """Read what `--set` says."""
    from sim.rules import parse_sets

    return parse_sets(settings or ())


def _mark(row: KnobRow, changed: Collection[str]) -> str:
    """Mark a knob by a word: set on the command line, or assumed."""
    return "set" if row.key in changed else row.mark


def _marked(value: str, *, assumed: bool) -> str:
    """Mark an assumed value by the word."""
    return f"{value} (assumed)" if assumed else value


def _print_json(content: object) -> None:
    """Print JSON as it is, in UTF-8 whatever the terminal thinks."""
    sys.stdout.write(json.dumps(content, indent=2) + "\n")


def _print_rows(head: Sequence[str], rows: Sequence[Sequence[str]], *, markdown: bool) -> None:
    """Print a table for a terminal, or as Markdown."""
    if markdown:
        sys.stdout.writelines(_markdown_row(row) for row in (head, ["---"] * len(head), *rows))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(*head, box=SIMPLE_HEAD, pad_edge=False)
    table.columns[0].no_wrap = True  # a name is to be copied whole; the other columns give way
    for column in table.columns[1:]:
        column.overflow = "fold"
    table.columns[0].min_width = max((len(row[0]) for row in rows), default=0)
    for row in rows:
        table.add_row(*row)
    _console().print(table)


def _markdown_row(cells: Sequence[str]) -> str:
    """Write one row of a Markdown table."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |\n"


def _print_preset(lines: Sequence[str], rows: Sequence[KnobRow], changed: Collection[str]) -> None:
    """Print a preset for a terminal: its heading, then its knobs, one section per table of the format."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from sim.rules.describe import show_knob_value

    console = _console()
    head = ("knob", "value", "mark", "changes", "meaning")[: 5 if console.width >= MEANING_WIDTH else 4]
    table = Table(*head, box=SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[:4]:
        column.no_wrap = True
    before = ""
    for row in rows:
        section, _, _ = row.key.rpartition(".")
        if before and section != before:
            table.add_section()
        before = section
        cells = (row.key, show_knob_value(row.value), _mark(row, changed), row.changes, row.meaning)
        table.add_row(*cells[: len(head)])
    for line in lines:
        typer.echo(line)
    console.print(table)
    assumed = sum(row.assumed for row in rows)
    typer.echo(
        f"{assumed} of {len(rows)} knobs are assumed: their preset's source is silent, the value is a choice of ours.\n"
        "settlement: only changes how a finished deal is settled. play: changes what is legal, seen or ranked."
    )
    if len(head) < len(cells):
        typer.echo(f"In a window of {MEANING_WIDTH} columns what each knob means is shown too.")


def _console() -> Console:
    """Print as wide as the window, or wide enough for a file, and texts exactly as they are."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else UNSEEN_WIDTH
    return Console(width=width, markup=False, highlight=False, emoji=False)
