"""Effects in plain sentences: one for each knob and base preset, and warnings of knobs that do nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sim.statistics.effects import coupling_of
from sim.statistics.family import levels_of, setting_texts
from sim.statistics.rare import FEW, bound_of
from sim.statistics.tables import show_signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.statistics.effects import Effect
    from sim.statistics.family import Family
    from sim.statistics.regression import Regression


@dataclass(frozen=True)
class _Finding:
    """One difference that a sentence may be about."""

    who: str
    change: str
    value: float
    half_width: float | None
    p_adjusted: float | None
    mechanical: str = ""
    """What of it comes from the settlement alone, in words."""

    @property
    def is_sure(self) -> bool:
        """Whether the adjusted p-value is below 5 %."""
        return self.p_adjusted is not None and self.p_adjusted < 0.05


def sentences(
    families: Sequence[Family], effects: Sequence[Effect], regressions: Sequence[Regression | None]
) -> list[str]:
    """Say for each base preset and knob what it does to points.

    Parameters
    ----------
    families
        The families.
    effects
        All effects, with adjusted p-values.
    regressions
        The regression of each family, where there is one.

    Returns
    -------
    list of str
        In the order of the bases, then of the knobs.
    """
    found = []
    for base in dict.fromkeys(family.base for family in families):
        mine = [(family, one) for family, one in zip(families, regressions, strict=True) if family.base == base]
        keys = dict.fromkeys(key for family, _ in mine for key in family.varying)
        found += [f"{base}: {_sentence(key, mine, effects)}" for key in keys]
    return found


def _sentence(key: str, families: Sequence[tuple[Family, Regression | None]], effects: Sequence[Effect]) -> str:
    """Say what one knob does under one base."""
    ties = [
        (tie, family) for family, _ in families for tie in coupling_of(family) if set(family.changes(tie.cell)) == {key}
    ]
    deals = sum(family.deals for family, _ in families)
    walls = sum(family.walls for family, _ in families)
    # where only some levels have a cell of their own, what those do is not what the knob does
    is_whole = all(_has_all_levels(key, family) for family, _ in families)
    if is_whole and all(tie.is_dead for tie, _ in ties):
        return (
            f"{key} changes nothing here: not one of {deals:,} deals ended otherwise (a dead knob; {bound_of(walls)})."
        )
    direct = [one for family, _ in families for one in _direct(key, family, effects)]
    fitted = [one for family, regression in families for one in _fitted(key, family, regression)]
    direct, fitted = ([one for one in some if one.half_width is not None] for some in (direct, fitted))
    found, method = (direct, "Holm") if is_whole or not fitted else (fitted, "Benjamini-Hochberg")
    if not found:
        return (
            f"nothing can be said about {key}: too few walls, or no cell in which it alone differs and too few cells"
            " for straight lines."
        )
    sure = [one for one in found if one.is_sure]
    if sure:
        best = max(sure, key=lambda one: abs(one.value))
        count = f"{len(sure)} of {len(found)} differences are sure" if len(found) > 1 else "a sure difference"
        return (
            f"{key} moves points. The most: {best.change}, {best.who} gets {_interval(best)} points per deal"
            f" ({_chance(best.p_adjusted)}){best.mechanical}; {count} at 5 % ({method})."
        )
    if not any(one.value or one.half_width for one in found):
        return f"{key} changes no points here, whatever the other knobs are ({bound_of(walls)})."
    if found == direct and not is_whole:
        key = f"the settings of {key} that are compared alone"
    best = max(found, key=lambda one: abs(one.value))
    limit = max(abs(one.value) + (one.half_width or 0.0) for one in found)
    return (
        f"no effect of {key} on points is seen. The largest of {len(found)} differences: {best.change}, {best.who} gets"
        f" {_interval(best)} points per deal, not told from 0 ({_chance(best.p_adjusted)}, {method}); no interval"
        f" reaches beyond {limit:.3f}."
    )


def _has_all_levels(key: str, family: Family) -> bool:
    """Tell whether each level of a knob has a cell in which it alone differs from the reference."""
    alone = {_level(key, family.changes(cell)[key]) for cell in family.others if set(family.changes(cell)) == {key}}
    return alone | {_level(key, family.knobs_of(family.reference)[key])} >= {
        _level(key, value) for value in levels_of(family, key)
    }


def _level(key: str, value: object) -> str:
    """Write a knob's value."""
    return next(setting_texts({key: value})).partition("=")[2]


def _direct(key: str, family: Family, effects: Sequence[Effect]) -> Iterator[_Finding]:
    """List the named differences of cells in which one knob alone differs."""
    there = _level(key, family.knobs_of(family.reference)[key])
    settled = {(e.cell, e.who, e.name): e for e in effects if e.way == "settled" and e.metric == "points"}
    blind = {cell.index for cell in family.others if cell.source == "settled"}
    alone = {cell.index: family.changes(cell)[key] for cell in family.others if set(family.changes(cell)) == {key}}
    for effect in effects:
        if effect.is_named and effect.cell in alone and effect.value is not None:
            here = _level(key, alone[effect.cell])
            who = f"{_name(effect.who, effect.name)} in {family.line_up}"
            again = settled.get((effect.cell, effect.who, effect.name))
            part = "" if again is None or again.value is None else f", {show_signed(again.value, 3)} of it mechanical"
            part = ", all of it mechanical" if effect.cell in blind else part
            change = f"from {there} to {here}"
            yield _Finding(who, change, effect.value, effect.half_width, effect.p_adjusted, part)


def _fitted(key: str, family: Family, regression: Regression | None) -> Iterator[_Finding]:
    """List the coefficients of one knob in a regression."""
    for one in regression.coefficients if regression is not None else ():
        name = one.term.name
        if one.term.kind != "interaction" and (name == key or name.startswith(f"{key}=")):
            change = f"for each step of {key}" if one.term.kind == "slope" else f"with {name}, over all other settings"
            who = f"{_name(one.unit.who, one.unit.name)} in {family.line_up}"
            yield _Finding(who, change, one.estimate.value, one.estimate.half_width, one.p_adjusted)


def _name(who: str, name: str) -> str:
    """Name a strategy or a seat."""
    if who == "strategy":
        return name
    return "the dealer" if name == "0" else f"seat {name}"


def _interval(one: _Finding) -> str:
    """Write a difference with its interval."""
    return f"{show_signed(one.value, 3)} ± {one.half_width:.3f}"


def _chance(p: float | None) -> str:
    """Write an adjusted p-value."""
    if p is None:
        return "no p-value"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def warnings_of(families: Sequence[Family]) -> list[str]:
    """Warn of cells whose rules changed not a single deal, or so few that their intervals mean little.

    Parameters
    ----------
    families
        The families.
    """
    found = []
    for family in families:
        dead = [", ".join(setting_texts(family.changes(tie.cell))) for tie in coupling_of(family) if tie.is_dead]
        if dead:
            found.append(
                f"warning: {family.base}, {family.line_up}: dead: {'; '.join(dead)}: of {family.deals:,} deals not one"
                f" ended otherwise than with the reference's rules ({bound_of(family.walls)})"
            )
        few = [tie for tie in coupling_of(family) if 0 < tie.changed_walls < FEW]
        if few:
            names = [f"{', '.join(setting_texts(family.changes(tie.cell)))} ({tie.changed_walls})" for tie in few]
            found.append(
                f"warning: {family.base}, {family.line_up}: of {family.walls:,} walls fewer than {FEW} ended otherwise"
                f" under {'; '.join(names)}: with so few, 95 % intervals are too narrow; play more walls"
            )
    return found
