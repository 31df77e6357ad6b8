"""The replay viewer: one deal as one page that steps through it.

The page holds all steps as data (`reports.steps`) and shows them one at a time; without scripts it still tells the deal
as a list.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from reports.page import render
from reports.steps import SEATS, make_steps
from reports.tiles import draw_symbols, name_kind
from sim.tiles import KINDS, SUIT_NAMES, format_kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.tournament.deal_file import Event


def show_deal(events: Iterable[Event]) -> str:
    """Make the page of a deal.

    Parameters
    ----------
    events
        The events of one deal, in order, as in a deal file.

    Returns
    -------
    str
        A whole HTML page, the same for the same events.
    """
    deal = make_steps(events)
    start = deal.start
    names = list(start.get("strategies", [""] * SEATS))
    data = {
        "steps": _without_repeats([step.to_dict() for step in deal.steps]),
        "ledger": deal.ledger,
        "tiles": {format_kind(kind): name_kind(kind) for kind in range(KINDS)},
        "suits": dict(zip("mps", SUIT_NAMES, strict=True)),
    }
    return render(
        "viewer.html",
        title=f"Deal {start['id']}" if "id" in start else f"Deal {start.get('wall_seed', '')}".strip(),
        version=version("bloodbattle"),
        symbols=Markup(draw_symbols()),  # noqa: S704 - drawn by us, of nothing from outside
        facts=_facts(start),
        knobs=start.get("knobs", {}),
        seats=[{"number": seat, "name": names[seat]} for seat in range(SEATS)],
        steps=deal.steps,
        data=data,
    )


def _without_repeats(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out of each step the seats that are as they were in the step before; the page fills them in again."""
    empty = {"seats": [None] * SEATS}
    return [
        {
            **step,
            "seats": [None if seat == old else seat for seat, old in zip(step["seats"], before["seats"], strict=True)],
        }
        for step, before in zip(steps, [empty, *steps], strict=False)
    ]


def _facts(start: Event) -> list[tuple[str, Any]]:
    """List what is known about a deal."""
    known = (("Preset", "preset"), ("Wall seed", "wall_seed"), ("Wall mode", "wall_mode"))
    facts = [(name, start[key]) for name, key in known if key in start]
    if "seating" in start:
        places = ", ".join(f"seat {seat} has place {slot}" for seat, slot in enumerate(start["seating"]))
        facts.append(("Seating", f"{places} of the line-up, counted from 0"))
    return facts
