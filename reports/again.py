"""The files that play a run or a ladder anew, written out of its plan."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any, Final

from sim.errors import BloodBattleError
from sim.rules import available_presets, load_preset, with_overrides
from sim.rules.dump import dump_toml
from sim.rules.knobs import knob_values
from sim.rules.model import Preset
from sim.statistics.tables import show_knob

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.ladder.plan import LadderPlan
    from sim.tournament.plan import Plan

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_NO_FILE: Final = re.compile(r"[^A-Za-z0-9._-]+")


def experiment_files(plan: Plan) -> dict[str, str]:
    """Write the experiment that makes a plan.

    Parameters
    ----------
    plan
        The plan of a run.

    Returns
    -------
    dict
        Texts by file name: ``NAME.toml``, the experiment, first; then the presets that do not come with the program. A
        design is written as its cells.
    """
    files = _Files(f"{plan.name}.toml")
    data = plan.data
    top = {key: data[key] for key in ("name", "title", "seed", "wall_mode", "rows")}
    top |= {"on_error": data["on_error"]} if "on_error" in data else {}
    walls = {line_up["walls"] for line_up in data["line_ups"]}
    has_target = plan.target is not None or plan.contrast is not None
    top |= {} if has_target else {"walls": max(walls)}
    presets = list(plan.presets) if plan.design is None else _bases(plan)
    lines = [*_pairs(top), *files.presets(presets)]
    for name, table in (("target", plan.target), ("contrast", plan.contrast), ("design", _design(plan))):
        if table is not None:
            lines += ["", f"[{name}]", *_pairs(table)]
    for line_up in data["line_ups"]:
        strategies = [plan.strategies[name]["load"] for name in line_up["strategies"]]
        table = {"name": line_up["name"], "strategies": strategies, "seating": line_up["seating"]}
        lines += ["", "[[line_ups]]", *_pairs(table if len(walls) == 1 else {**table, "walls": line_up["walls"]})]
    return files.with_main(lines)


def profile_files(plan: Plan) -> tuple[str, dict[str, str]]:
    """Write the command that makes a plan of `bloodbattle profile`.

    Parameters
    ----------
    plan
        Its plan, of one cell.

    Returns
    -------
    command
        The command, without where to keep the run.
    files
        The text of the preset that it reads by file name, if that does not come with the program.
    """
    (cell,), (preset,) = plan.cells, plan.presets
    name, *others = (plan.strategies[called]["load"] for called in cell.strategies)
    field = others[:1] if len(set(others)) == 1 else others
    files = _Files("")
    list(files.presets([preset]))
    base, sets = (next(iter(files.others)), {}) if files.others else (preset["base"], preset["set"])
    words = ["bloodbattle", "profile", name, "--field", ",".join(field), "--preset", base]
    words += [word for key, value in sets.items() for word in ("--set", f"{key}={show_knob(value)}")]
    words += ["--deals", str(cell.deals), "--seed", str(plan.seed), "--wall-mode", plan.wall_mode]
    return shlex.join(words), files.others


def ladder_files(plan: LadderPlan) -> dict[str, str]:
    """Write the ladder that makes a plan.

    Parameters
    ----------
    plan
        The plan of a ladder.

    Returns
    -------
    dict
        As `experiment_files`; the cells of a design stand as presets of their own.
    """
    files = _Files(f"{plan.name}.toml")
    ladder = {"name": plan.name, "title": plan.data["title"], "seed": plan.seed, **plan.data["ladder"]}
    ratings = [{"name": one["name"], "system": one["system"], **one["parameters"]} for one in plan.data["ratings"]]
    tables = {key: value for key, value in ladder.items() if _is_table(value)}
    plain = {key: value for key, value in ladder.items() if key not in tables}
    lines = [*_pairs(plain), *files.presets(plan.presets), "ratings = [", *(f"    {_value(r)}," for r in ratings), "]"]
    for key, value in tables.items():
        for table in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{key}]]" if isinstance(value, list) else f"[{key}]", *_pairs(table)]
    return files.with_main(lines)


def _is_table(value: object) -> bool:
    """Tell whether a value is a table, or an array of tables."""
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


class _Files:
    """The files of one run, with the presets that have to be written out."""

    def __init__(self, main: str) -> None:
        self.main = main
        self.others: dict[str, str] = {}

    def presets(self, presets: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Write the array of presets; whole presets, where they are not shipped ones with some knobs set."""
        yield "presets = ["
        for preset in presets:
            choice = {"preset": preset["base"], "name": preset["name"], "set": dict(preset["set"])}
            if not _is_shipped(preset):
                file = f"{_NO_FILE.sub('-', preset['name'])}.preset.toml"
                knobs = Preset.model_validate(preset["knobs"]).to_dict()
                self.others[file] = dump_toml({key: value for key, value in knobs.items() if key != "name"})
                choice = {"preset": file, "name": preset["name"]}
            yield f"    {_value({key: value for key, value in choice.items() if value})},"
        yield "]"

    def with_main(self, lines: Sequence[str]) -> dict[str, str]:
        """Give all files, the main one first."""
        return {self.main: "\n".join([*lines, ""]), **self.others}


def _is_shipped(preset: Mapping[str, Any]) -> bool:
    """Tell whether a preset of a plan is one that comes with the program, with some knobs set."""
    if preset["base"] not in available_presets():
        return False
    try:
        made = with_overrides(load_preset(preset["base"]), preset["set"])
    except BloodBattleError:
        return False
    return knob_values(made) == knob_values(Preset.model_validate(preset["knobs"]))


def _bases(plan: Plan) -> list[dict[str, Any]]:
    """Give the presets that a design starts from: what its cells have where the design sets nothing."""
    found: dict[str, dict[str, Any]] = {}
    for preset, fact in zip(plan.presets, (plan.design or {})["presets"], strict=True):
        base = found.setdefault(fact["base"], {"name": fact["base"], "base": preset["base"], "set": {}, "knobs": {}})
        own = {key: value for key, value in preset["set"].items() if key not in fact["settings"]}
        base["set"] = {**own, **base["set"]}
        if not base["knobs"] or not fact["settings"]:
            base["knobs"] = preset["knobs"]
    for base in found.values():
        if base["base"] in available_presets():
            base["knobs"] = with_overrides(load_preset(base["base"]), base["set"]).to_dict()
    return list(found.values())


def _design(plan: Plan) -> dict[str, Any] | None:
    """Write a design as its cells, with its reference, which is added in front of them where they lack it."""
    if plan.design is None:
        return None
    facts = plan.design["presets"]
    cells = [
        _in_order(fact["settings"], preset["name"])
        for fact, preset in zip(facts, plan.presets, strict=True)
        if fact["base"] == facts[0]["base"]
    ]
    place = facts[0]["reference"]
    return {"reference": cells[place], "cells": cells[1:] if place == 0 else cells}


def _in_order(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Put settings in the order in which the name of their cell has them; plans have them by the alphabet."""
    return {key: settings[key] for key in sorted(settings, key=lambda key: name.find(f"{key}="))}


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    """Write a table as lines; what is None or an empty text is left out."""
    for key, value in table.items():
        if value is not None and value != "":
            yield f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    """Write a key."""
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    """Write a value as TOML; its texts are those of JSON, but for a bare DEL."""
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items() if one is not None)
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
