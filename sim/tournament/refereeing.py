"""The referee for deal files: which rules a deal is judged by, and what is said about it.

Not in here: reading the file (`sim.tournament.deal_file`), and following a deal line by line
(`sim.tournament.following`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sim.engine.sichuan.deal import Deal
from sim.errors import ConfigError
from sim.jit import new
from sim.rules import available_presets, load_preset, preset_digest
from sim.rules.check import Mistakes, build_preset, check_complete, flatten_knobs
from sim.tournament.deal_fields import show_json
from sim.tournament.deal_file import Complaint
from sim.tournament.following import Following
from sim.tournament.script import StopError

if TYPE_CHECKING:
    from sim.rules import Preset
    from sim.tournament.deal_file import Event, WrittenDeal

RIGHT: Final = "right"
WRONG: Final = "wrong"
MALFORMED: Final = "malformed"


@dataclass
class Verdict:
    """What the referee says about one deal."""

    number: int
    """Which deal of the file, from 1."""
    line: int
    """Number of its first line."""
    outcome: str = RIGHT
    """RIGHT, WRONG (against the rules) or MALFORMED."""
    complaints: list[Complaint] = field(default_factory=list)
    """What is wrong, in the order of the lines."""
    deal_id: str | None = None
    """What the file calls the deal."""
    preset: str | None = None
    """Name of the preset that it was judged by."""
    digest: str | None = None
    """Digest of the knobs that it was judged by."""
    count_lines: int = 0
    """Lines of the deal that are well formed."""
    count_wins: int = 0
    """Players who won, as far as the deal could be followed."""
    ending: str | None = None
    """`third_win` or `exhaustion`; None unless the deal is right."""
    points: tuple[int, ...] | None = None
    """Net points of each seat; None unless the deal is right."""
    events: list[Event] = field(default_factory=list)
    """What happened according to the engine, as far as the deal could be followed: all but the event `deal`."""


class DealReferee:
    """Judges written deals, one after the other.

    Parameters
    ----------
    preset : Preset, optional
        The rules to judge by, whatever a file says; each deal's own if absent.
    """

    def __init__(self, preset: Preset | None = None) -> None:
        self.preset = preset
        self._deal = new(Deal)[0]

    def judge(self, written: WrittenDeal) -> Verdict:
        """Judge one deal.

        Parameters
        ----------
        written : WrittenDeal
            The deal as the file has it.

        Returns
        -------
        Verdict
            Right, wrong or malformed, and why.
        """
        verdict = Verdict(written.number, written.line, count_lines=len(written.lines))
        malformed = written.malformed
        if malformed is None:
            start = written.lines[0].event
            verdict.deal_id = start.get("id")
            try:
                own = preset_of(start) if self.preset is None or "knobs" in start else self.preset
            except ConfigError as error:
                malformed = Complaint(written.line, f"deal: {'; '.join(str(error).splitlines())}")
        if malformed is not None:
            verdict.outcome = MALFORMED
            verdict.complaints.append(malformed)
            return verdict
        preset = self.preset or own
        verdict.preset, verdict.digest = preset.name, preset_digest(preset)
        following = Following(self._deal, written.lines, preset)
        complaints = following.script.complaints
        try:
            following.follow()
        except StopError as stop:
            complaints.append(stop.complaint)
        verdict.events = following.events
        verdict.complaints = sorted(complaints, key=lambda complaint: complaint.line)
        verdict.count_wins = sum(event["event"] == "win" for event in following.events)
        if verdict.complaints:
            verdict.outcome = WRONG
        else:
            verdict.ending = following.ending
            verdict.points = following.points
        return verdict


def preset_of(start: Event) -> Preset:
    """Make the preset that a deal's first event gives.

    Parameters
    ----------
    start : dict
        The event `deal`.

    Returns
    -------
    Preset
        Of its `knobs`, which must be all of them; the shipped preset of that name if it has none.

    Raises
    ------
    ConfigError
        The knobs are wrong or not complete, or no preset of that name is shipped.
    """
    name = start["preset"]
    if "knobs" not in start:
        return _shipped(name)
    mistakes = Mistakes()
    knobs = flatten_knobs(start["knobs"], "knobs", mistakes, dotted=True)
    mistakes.raise_any()
    check_complete(knobs, "knobs", mistakes)
    return build_preset({"name": name}, knobs, (), "knobs", mistakes)


@lru_cache(maxsize=16)
def _shipped(name: str) -> Preset:
    """Load a shipped preset: a deal file never names a file to be opened."""
    if name not in available_presets():
        known = ", ".join(available_presets())
        raise ConfigError(f"no preset {show_json(name)} is shipped, so the field knobs is needed; shipped: {known}")
    return load_preset(name)
