"""What could mislead in a run: who is blind to which rules, how many comparisons there are, how few deals changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reports.model import Section
from sim.errors import StrategyError
from sim.rules.knobs import knob_values, settlement_only
from sim.rules.model import Preset
from sim.statistics.effects import coupling_of
from sim.statistics.family import setting_texts
from sim.statistics.rare import FEW, bound_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.statistics.effects import Effect
    from sim.statistics.family import Family
    from sim.statistics.summary import Summary
    from sim.tournament.plan import Plan

MOST_NAMES: Final = 12
"""Settings that one sentence lists."""
FEW_WALLS: Final = 1_000
"""Blocks below which rare and large payments may not have shown."""


def doubts(
    summary: Summary, families: Sequence[Family], effects: Sequence[Effect], tested: Mapping[str, int]
) -> Section:
    """Say what could mislead in this very run.

    Parameters
    ----------
    summary
        Its numbers.
    families
        Families of its design; none without one.
    effects
        Effects of its design.
    tested
        What the report compares in a run without a design, in words, and how many of these have a p-value. Those under
        the same words are adjusted together.
    """
    plan = summary.plan
    fewest = min(summary.cells, key=lambda cell: cell.walls)
    said = [*_blindness(plan), *_comparisons(effects, tested)]
    where = f"{fewest.cell.line_up}, {fewest.cell.preset}"
    said.append(
        f"Intervals count walls, not deals: {fewest.walls:,} blocks of {len(fewest.cell.seatings)} deals"
        + (f" in the smallest cell ({where})." if len(summary.cells) > 1 else ".")
    )
    if fewest.walls < FEW_WALLS:
        said.append(f"Fewer than {FEW_WALLS:,} blocks: rare and large payments may not have shown yet.")
    said += _coupling(families)
    if len(summary.cells) > 1:
        said.append(
            "All cells play the same walls, so their numbers are not independent: differences between cells are surer"
            " than the intervals of the cells suggest."
        )
    return Section("doubts", "What could mislead", tuple(said))


def _blindness(plan: Plan) -> Iterator[str]:
    """Say whose play cannot depend on which of the rules that differ."""
    from strategies.parameters import declares_rule_blind  # noqa: PLC0415 - only needed here
    from strategies.references import parse_reference  # noqa: PLC0415

    blind: dict[bool | None, list[str]] = {}
    for name, facts in sorted(plan.strategies.items()):
        try:
            known = declares_rule_blind(parse_reference(facts["load"]))
        except StrategyError:
            known = None
        blind.setdefault(known, []).append(name)
    yield f"Programs played these deals ({', '.join(sorted(plan.strategies))}), not people."
    values = [knob_values(Preset.model_validate(preset["knobs"])) for preset in plan.presets]
    differing = [key for key in values[0] if any(one[key] != values[0][key] for one in values)]
    settled = [key for key in differing if settlement_only(key)]
    played = [key for key in differing if key not in settled]
    about = f" Of the knobs that differ here: {_list(settled)}." if settled else ""
    if True in blind:
        yield (
            f"Blind to the rules of payment (RULE_BLIND): {', '.join(blind[True])}. They play the same whatever a"
            f" win, a kong or an empty wall costs, so what people would make of such a rule is missing.{about}"
        )
    if False in blind:
        yield (
            f"Not declared blind: {', '.join(blind[False])}. Whether they look at a given knob is up to their files; a"
            " rule that they overlook seems more harmless than it is."
        )
    if None in blind:
        yield f"Not known to be blind or not, since their files are gone: {', '.join(blind[None])}."
    if played:
        yield f"Knobs that change what can be played, and so reach every strategy: {_list(played)}."
    again = [cell for cell in plan.cells if cell.source == "settled"]
    if again:
        line_ups = dict.fromkeys(cell.line_up for cell in again)
        yield (
            f"{len(again)} of {len(plan.cells)} cells were settled again, not played, since all their players are blind"
            f" ({_list(list(line_ups))}): there the whole effect is mechanical by construction."
        )


def _list(names: Sequence[str]) -> str:
    """Write a list, the first few of it if it is long."""
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _comparisons(effects: Sequence[Effect], alone: Mapping[str, int]) -> Iterator[str]:
    """Say how many comparisons there are, and what was done about it."""
    tested = [one for one in effects if one.p is not None]
    named = [one for one in tested if one.is_named]
    if tested:
        families = len({(one.base, one.line_up) for one in named})
        rest = len(tested) - len(named)
        yield (
            f"{len(tested):,} comparisons have a p-value. {len(named):,} of them, on points as played, are adjusted by"
            f" Holm within their family ({families} {'family' if families == 1 else 'families'}); the other {rest:,} by"
            " Benjamini and Hochberg, so that of those called sure up to 5 % may be false. Intervals are each for"
            f" itself: of {len(tested):,}, about {round(len(tested) / 20):,} miss."
        )
    elif (comparisons := sum(alone.values())) > 1:
        groups = [f"{count:,} {what}" for what, count in alone.items() if count]
        how = "all together" if len(groups) == 1 else f"each of {len(groups)} groups by itself"
        yield (
            f"P-values are adjusted by Holm, {how}: {'; '.join(groups)}. Intervals are each for itself: of these"
            f" {comparisons:,} about {max(round(comparisons / 20), 1):,} can miss."
        )
    else:
        yield "Intervals are 95 % intervals of each number by itself: of twenty numbers in a table, about one misses."


def _coupling(families: Sequence[Family]) -> Iterator[str]:
    """Say how closely cells are tied to their reference, and where that rests on few deals."""
    ties = [(tie, family) for family in families for tie in coupling_of(family)]
    alive = [(tie, family) for tie, family in ties if tie.changed]
    if not ties:
        return
    if alive:
        least, family = min(alive, key=lambda pair: pair[0].changed)
        most = max(alive, key=lambda pair: pair[0].share)[0]
        name = f"{', '.join(setting_texts(family.changes(least.cell)))} in {family.line_up}, {family.base}"
        few = f", too few to rely on its interval (fewer than {FEW})" if least.changed < FEW else ""
        yield (
            "Each cell plays the walls of its reference, so only deals that end otherwise carry information. The"
            f" fewest: {least.changed:,} of {least.deals:,} deals ({100 * least.share:.2f} %), {name}{few}; the most:"
            f" {100 * most.share:.1f} %. How many times as many walls it would take otherwise: efficiency, in the"
            " table of how closely cells are tied."
        )
    dead = [(tie, family) for tie, family in ties if tie.is_dead]
    if dead:
        names = [f"{', '.join(setting_texts(family.changes(tie.cell)))} ({family.line_up})" for tie, family in dead]
        yield f"Not one deal ended otherwise under {_list(names)}: {bound_of(min(tie.deals for tie, _ in dead))}."
