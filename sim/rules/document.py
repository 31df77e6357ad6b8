"""`docs/presets.md`, made from the models and the shipped presets: `python -m sim.rules.document > docs/presets.md`.

The text around the tables is written by hand, here. A test refuses a file that is not current.
"""

# ruff: noqa: E501 - rows of Markdown tables cannot be wrapped

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from sim.rules.describe import changes_word, show_knob_value
from sim.rules.knobs import all_knobs, table_keys
from sim.rules.load import available_presets, load_preset

if TYPE_CHECKING:
    from sim.rules.model import Preset

INTRODUCTION: Final = """\
# Presets: the rules as data

<!-- Made by `python -m sim.rules.document > docs/presets.md`; change the models or that module, not this file. -->

A preset is one set of rules. Everything in which two rule sets differ is a **knob**: a key in a TOML file, a field in
Python, a row in the tables below. The program ships three presets, each written from one published rules page:

{presets}

```
bloodbattle presets list                                   # the shipped presets
bloodbattle presets show mahjongo                          # every knob, its value, whether it is assumed
bloodbattle presets show mahjongo --set fan.cap=5          # with a knob changed
bloodbattle presets diff mahjongo cardavia-sichuan         # only the knobs that differ
bloodbattle presets diff mahjongo --set fan.cap=none       # a preset and its variant
bloodbattle presets validate my-table.toml                 # every mistake in a file, one a line
```

## Writing a preset

The easiest way is to begin with another one:

```toml
# my-table.toml
title = "Our Thursday table"
extends = "mahjongo"
assumed = ["kong.exposed"]

[fan]
cap = 4

[fan.patterns]
golden_wait = 1
pair_wait = "none"   # removes an inherited pattern

[kong]
exposed = 3
```

| key | |
|---|---|
| `name` | May be left out. When given it must be the file's own name without `.toml`, because results name a preset by it. |
| `title`, `source` | Free text: what the preset is, and where its rules come from. Not inherited. |
| `extends` | The name of a shipped preset, or the path of another file (it ends in `.toml` and starts from this file's folder). Everything that this file does not set is taken from there. A chain may be of any length; a circle is refused. |
| `assumed` | The knobs, or whole tables of knobs, whose value is a guess (see below). |

Without `extends` a file must give every knob, except those that have a default in the tables below: a knob that allows
only one value today has it anyway, and a pattern that is not mentioned does not exist.

- Values are exactly typed: `3` is a whole number; `3.0`, `"3"` and `true` are not.
- `"none"` means off, since TOML has no null. For a pattern, `"none"` means that the pattern does not exist, which is
  not the same as `0`: an `all_pungs_258` worth 0 would still replace `all_pungs`. For the cap and the patterns it is
  `None` in Python, elsewhere the word.
- Without a cap, four roots, one of each other pattern and a self-draw together may reach at most 28 fan.
- A mistake is never repaired: `presets validate` and every other command list all mistakes of a file, each with the
  file, the key, what came, what is allowed and the nearest spelling, and end with exit code 2.

Where a command or an experiment asks for a preset, it takes the name of a shipped one or the path of a `.toml` file.

## Overrides

Any knob can be set over a preset, with `--set KEY=VALUE` (as often as needed), from an experiment file, or in Python.
The value is written as in TOML, and a bare word is a text: `--set exchange.direction=left`, `--set fan.cap=none`. Only
knobs can be set: for another name or title, write a file.

```python
from sim.rules import load_preset

preset = load_preset("mahjongo", {{"fan.cap": 5, "pass.pung_lock": True}})
preset.fan.cap              # 5: the path of attributes is the key ...
preset.passing.pung_lock    # ... but `pass` is a reserved word in Python
preset.is_assumed("fan.cap")
```

Overriding does not change a preset's name; `preset_digest(preset)` tells two sets of rules apart. It is the SHA-256 of
all knobs, and of nothing else: not of the name, the texts or the `assumed` list.

## What "assumed" means

The rules pages are silent on many points. Where a preset's page does not state a rule, the value in the preset is a
choice of ours and the knob stands in the preset's `assumed` list, so that nobody takes it for a fact about that table.
A knob is listed as well when its value is stated but a part of what it means is not (in mahjong-planet, `pass.win_lock`
is stated for discards; that passing up a robbery locks as well is not). Comments in the preset files give the reason
for each entry.

The mark follows the value. A knob that is set explicitly, by an override or by a file that extends another, is chosen
and no longer assumed, even when the value stays the same. A file that sets a knob *and* lists it in its own `assumed`
marks it again. An entry may name a whole table (`"fan.patterns"`); it then stands for all knobs in it.

## The knobs

Columns: the allowed values; the default, for a file that neither sets the knob nor extends another; the value in each
shipped preset, with the word *assumed* where it is; and what the knob changes. **settlement** means that it only changes
how a finished deal is settled, so that recorded decisions can be settled again under another value; **play** means that
it changes what is legal, who acts next, what a player sees, or what is ranked together.
"""


def document() -> str:
    """Write the whole of `docs/presets.md`.

    Returns
    -------
    str
        Markdown, with a newline at its end.
    """
    presets = [load_preset(name) for name in available_presets()]
    listed = "\n".join(f"- `{preset.name}`: {preset.source}." for preset in presets)
    parts = [INTRODUCTION.format(presets=listed)]
    parts += [_document_table(table, presets) for table in table_keys()]
    return "\n".join(parts)


def _document_table(table: str, presets: list[Preset]) -> str:
    """Write the knobs of one table of the preset format."""
    head = ["knob", "allowed", "default", *(preset.name for preset in presets), "changes", "meaning"]
    lines = [f"### `[{table}]`", "", _row(head), "|" + "---|" * len(head)]
    for key, knob in all_knobs().items():
        if knob.table != table:
            continue
        values = [_marked(show_knob_value(knob.read(preset)), assumed=preset.is_assumed(key)) for preset in presets]
        default = "" if knob.default is None else f"`{show_knob_value(knob.default)}`"
        changes = changes_word(settlement_only=knob.settlement_only)
        lines.append(_row([f"`{key}`", knob.allowed, default, *values, changes, knob.meaning]))
    return "\n".join(lines) + "\n"


def _marked(value: str, *, assumed: bool) -> str:
    """Mark an assumed value by the word."""
    return f"{value} *(assumed)*" if assumed else value


def _row(cells: list[str]) -> str:
    """Write one row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    sys.stdout.write(document())
