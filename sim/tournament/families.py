"""Families: what a design makes of each base preset, in full, and which cell each is compared with.

Not in here: the design itself (`design`), and who plays what (`plan`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from sim.errors import ConfigError
from sim.rules import knob_values, load_preset, settlement_only, with_overrides
from sim.rules.model import Preset
from sim.rules.words import show_value
from sim.tournament.design import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.rules.knobs import KnobValue
    from sim.tournament.design import Design
    from sim.tournament.experiment import PresetChoice

_MOST_LINES: Final = 12
"""Impossible cells that a message lists."""

Facts = dict[str, Any]
"""Of one preset of a plan: base, settings, reference (place of the preset), settled."""


class Choices(Protocol):
    """What presets are made of: an experiment, or a ladder."""

    @property
    def presets(self) -> Sequence[PresetChoice]:
        """The bases."""

    @property
    def design(self) -> Design | None:
        """What varies them."""

    @property
    def seed(self) -> int:
        """What samples of a design are drawn with."""


def expand(experiment: Choices, prefix: str) -> tuple[list[dict[str, Any]], list[Facts]]:
    """Make the presets of a plan.

    Parameters
    ----------
    experiment
        What to play: an experiment, or a ladder.
    prefix
        What to blame in messages: its file, or nothing.

    Returns
    -------
    presets
        Each with name, base, set and knobs in full, as plans have it.
    facts
        What each is in the design; without one, each is a base of its own.

    Raises
    ------
    ConfigError
        A preset does not exist or has other knobs, settings are impossible together, or a design changes nothing of any
        base. A base that it does not change is left out if there are others.
    """
    presets: list[dict[str, Any]] = []
    facts: list[Facts] = []
    unchanged: list[str] = []
    for choice, named, base in _load_all(experiment.presets, prefix):
        if experiment.design is None:
            presets.append(_plan_preset(choice.label, named, base))
            facts.append({"base": choice.label, "settings": {}, "reference": len(facts), "settled": False})
            continue
        seed, where = experiment.seed, f"{prefix}design"
        family, reference = _make_family(experiment.design, seed, choice.label, base, where)
        if len(family) == 1:
            unchanged.append(choice.label)
            continue
        first = len(presets)
        for one in family:
            differs = [key for key, value in one.rules.items() if value != family[reference].rules[key]]
            presets.append(_plan_preset(label_of(choice.label, one.settings), named, one.preset))
            facts.append(
                {
                    "base": choice.label,
                    "settings": one.settings,
                    "reference": first + reference,
                    "settled": bool(differs) and all(settlement_only(key) for key in differs),
                }
            )
    if not presets:
        rules = " and ".join(unchanged)
        raise ConfigError(f"{prefix}design: changes nothing: every cell has the rules of {rules}")
    _refuse_alike([preset["name"] for preset in presets], prefix)
    return presets, facts


def _load_all(choices: Sequence[PresetChoice], prefix: str) -> list[tuple[PresetChoice, Preset, Preset]]:
    """Load all bases, or list all that is wrong with any of them."""
    loaded: list[tuple[PresetChoice, Preset, Preset]] = []
    faults: list[str] = []
    for place, choice in enumerate(choices):
        try:
            loaded.append((choice, *_load(choice, f"{prefix}presets[{place}]")))
        except ConfigError as error:
            faults += str(error).splitlines()
    if faults:
        raise ConfigError("\n".join(faults))
    return loaded


def _load(choice: PresetChoice, where: str) -> tuple[Preset, Preset]:
    """Load a preset, as it is named and with what is set over it."""
    given = choice.preset
    named = given if isinstance(given, Preset) else load_preset(given, where=f"{where}.preset")
    return named, with_overrides(named, choice.set, where=f"{where}.set") if choice.set else named


def _plan_preset(label: str, named: Preset, preset: Preset) -> dict[str, Any]:
    """Write a preset as plans have it, and note in which knobs it differs from the one that was named."""
    before = knob_values(named)
    changes = {key: value for key, value in knob_values(preset).items() if value != before[key]}
    return {"name": label, "base": named.name, "set": changes, "knobs": preset.to_dict()}


@dataclass(frozen=True)
class _Made:
    """A preset that a design makes of a base."""

    settings: dict[str, Any]
    preset: Preset
    rules: dict[str, KnobValue]


def _make_family(design: Design, seed: int, label: str, base: Preset, where: str) -> tuple[list[_Made], int]:
    """Make the presets of a family, each set of rules once, and say which is the reference."""
    wanted = [*design.settings(seed), design.reference or {}]
    made: list[_Made] = []
    faults: list[str] = []
    for settings in wanted:
        cell = f"{where}: cell {show_value(label_of(label, settings))}"
        try:
            preset = with_overrides(base, settings, where=cell) if settings else base
            made.append(_Made(settings, preset, knob_values(preset)))
        except ConfigError as error:
            faults += str(error).splitlines()
    if faults:
        more = len(faults) - _MOST_LINES
        raise ConfigError("\n".join(faults if more <= 0 else [*faults[:_MOST_LINES], f"{where}: and {more} more"]))
    *cells, reference = made
    family: list[_Made] = []
    for one in cells if any(one.rules == reference.rules for one in cells) else [reference, *cells]:
        if all(one.rules != other.rules for other in family):
            family.append(one)
    return family, next(place for place, one in enumerate(family) if one.rules == reference.rules)


def _refuse_alike(labels: list[str], prefix: str) -> None:
    """Refuse two presets of one name, as a base's own name may make them."""
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise ConfigError(f"{prefix}presets: {show_value(twice[0])} comes twice; give the bases other names")
