"""The same from Python as from the command line: play a ladder, go on with one, open one.

>>> from sim import run_ladder
>>> ladder = run_ladder("configs/ladders/newcomers.toml")  # doctest: +SKIP
>>> ladder.players().select("group", "rating")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.ladder.expect import expected_bytes, expected_days, expected_deals, expected_games
from sim.ladder.file import LadderFile, load_ladder
from sim.ladder.plan import LadderPlan, ladder_plan_of, ladder_versions, make_ladder_plan
from sim.ladder.results import Ladder
from sim.ladder.store import LadderFolder
from sim.rules import knob_values
from sim.rules.model import Preset
from sim.rules.words import count_of
from sim.tournament.defaults import RUNS, count_cores
from sim.tournament.design import label_of
from sim.tournament.files import telling_disk_full

if TYPE_CHECKING:
    from sim.tournament.game import Game

Say = Callable[[str], None]
SPEED = 20_000
"""Deals a second and core, for rough times before anything is played."""


def run_ladder(
    ladder: LadderFile | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    say: Say | None = None,
    where: str = "",
) -> Ladder:
    """Play a ladder, or go on with it where it was left.

    Parameters
    ----------
    ladder
        A `LadderFile`, the path of a ladder file, or what would stand in one.
    out
        The folder; ``runs/<name>-<start of the plan's hash>`` when absent.
    workers
        Threads; the ladder's, or else all cores.
    progress
        Whether to show progress on stderr; None: if it is a terminal.
    say
        Is told in single lines what goes on.
    where
        What to blame in messages when the ladder was read from a file before.

    Returns
    -------
    Ladder
        The finished ladder. If the folder holds this very ladder finished already, nothing is played again.

    Raises
    ------
    ConfigError
        The ladder is wrong.
    StrategyError
        A strategy cannot be loaded, or fails.
    ResultsError
        The folder holds something else, what it holds of this ladder is damaged, or the disk is full.
    Interrupted
        Ctrl-C, a `KeyboardInterrupt`: finished replications are kept, and running it again goes on from there.
    """
    if isinstance(ladder, (str, Path)):
        where = str(ladder)
        ladder = load_ladder(ladder)
    elif isinstance(ladder, Mapping):
        ladder = LadderFile(**ladder)
    tell: Say = say or (lambda _: None)
    game = _sichuan(tell)
    plan = make_ladder_plan(ladder, game.load_strategy, game.digest, where=where)
    for line in describe_presets(ladder, plan):
        tell(line)
    folder = LadderFolder.create(out or RUNS / f"{plan.name}-{plan.hash[:8]}", plan)
    return _play(folder, game, workers or ladder.workers, progress, tell, repair=False)


def resume_ladder(
    path: str | Path,
    *,
    workers: int | None = None,
    progress: bool | None = None,
    say: Say | None = None,
    repair: bool = False,
) -> Ladder:
    """Go on with a ladder.

    Parameters
    ----------
    path
        Its folder.
    workers, progress, say
        As in `run_ladder`.
    repair
        Whether to play replications again whose files are missing or damaged, instead of refusing.

    Returns
    -------
    Ladder
        The finished ladder: the same bytes as if it had never been interrupted.

    Raises
    ------
    ResultsError
        There is no such ladder, it is damaged, programs or strategies have changed since it was planned, or the disk
        is full.
    """
    tell: Say = say or (lambda _: None)
    folder = LadderFolder.open(path)
    game = _sichuan(tell)
    strategies = [{**item, "digest": game.load_strategy(item["load"]).digest} for item in folder.plan.strategies]
    versions = ladder_versions(game.digest)
    folder.refuse_other(ladder_plan_of({**folder.plan.data, "strategies": strategies, "versions": versions}))
    return _play(folder, game, workers, progress, tell, repair=repair)


def open_ladder(path: str | Path) -> Ladder:
    """Open a ladder to read its results, finished or not.

    Parameters
    ----------
    path
        Its folder.

    Raises
    ------
    ResultsError
        There is none.
    """
    return Ladder(LadderFolder.open(path))


def describe_presets(ladder: LadderFile, plan: LadderPlan) -> list[str]:
    """Say what became of presets and settings that are the same as others.

    Parameters
    ----------
    ladder
        The ladder as its file has it.
    plan
        Its plan.

    Returns
    -------
    list of str
        Lines; none where all presets differ.
    """
    lines = []
    design = ladder.design
    if design is not None:
        families: dict[str, list[Mapping[str, Any]]] = {}
        for preset in plan.presets:
            families.setdefault(preset["family"], []).append(preset)
        for label in (choice.label for choice in ladder.presets):
            if label not in families:
                lines.append(f"{label}: left out: the design does not change its rules")
                continue
            names = {label_of(label, settings) for settings in design.settings(ladder.seed)}
            played = {preset["name"] for preset in families[label]}
            reference, asked = families[label][0]["reference"], label_of(label, design.reference or {})
            if reference != asked:
                lines.append(f"{reference}: the same rules as {asked}, the reference; one cell")
            more = len(names - played)
            if more:
                own = "no cell of its own" if more == 1 else "no cells of their own"
                others = "another" if more == 1 else "others"
                lines.append(f"{label}: {count_of(more, 'setting')} more with the rules of {others}; {own}")
    seen: dict[str, str] = {}
    for preset in plan.presets:
        rules = str(knob_values(Preset.model_validate(preset["knobs"])))
        if rules in seen:
            lines.append(f"{preset['name']}: the same rules as {seen[rules]}; nothing can differ between them")
        seen.setdefault(rules, preset["name"])
    return lines


def describe_plan(plan: LadderPlan, workers: int) -> list[str]:
    """Say what a plan is, and what is to be expected of it.

    Parameters
    ----------
    plan
        The plan.
    workers
        Threads that will play.

    Returns
    -------
    list of str
        Lines.
    """
    file, cells = plan.file, plan.cells
    jobs = len(plan.jobs)
    presets = ", ".join(preset["name"] for preset in plan.presets)
    systems = ", ".join(item["name"] for item in plan.data["ratings"])
    games, deals = expected_games(file), expected_deals(file) * jobs
    exactly = "" if file.games is not None else "about "
    seconds = deals / SPEED / max(min(workers, jobs), 1)
    clock = f"{seconds / 60:,.0f} minutes" if seconds >= 90 else count_of(max(round(seconds), 1), "second")
    replays = any(table.seconds is not None for table in file.tables)
    besides = "starting up, and deals played again without timeouts" if replays else "starting up"
    days = f"{expected_days(file):,.1f} days of virtual time"
    how_long = days if file.days is not None else f"about {days} if nobody had to wait"
    return [
        (
            f"ladder {plan.name}: {count_of(len(cells), 'cell')} (presets {presets}; ratings {systems}),"
            f" {count_of(file.replications, 'replication')} each"
        ),
        (f"each replication: {sum(file.counts):,} players at the start, {exactly}{games:,.0f} games, {how_long}"),
        (
            f"expected: {deals:,.0f} deals, about {clock} at {SPEED:,} deals/s and core besides {besides};"
            f" {expected_bytes(file) * jobs / 1e6:,.0f} MB"
        ),
    ]


def _sichuan(tell: Say) -> Game:
    """Load the engine and the ladder's loop."""
    from sim.tournament.game import sichuan  # noqa: PLC0415 - heavy

    game = sichuan(tell)
    from sim.ladder.compiling import LADDER_CACHE  # noqa: PLC0415

    if not LADDER_CACHE.exists():
        tell("compiling the ladder, once: about 30 s")
    from sim.ladder import simulate  # noqa: F401, PLC0415 - compiled before any pool starts

    return game


def _play(
    folder: LadderFolder, game: Game, workers: int | None, progress: bool | None, tell: Say, *, repair: bool
) -> Ladder:
    """Play what is missing."""
    from sim.ladder.progress import make_ladder_progress  # noqa: PLC0415
    from sim.ladder.runner import JobPlayer, play_ladder  # noqa: PLC0415

    plan, ladder = folder.plan, Ladder(folder)
    with telling_disk_full(folder.path), folder.lock():
        folder.check(tell, repair=repair)
        if folder.is_finished:
            tell(f"{folder.path}: finished before; nothing is played again")
            return ladder
        player = JobPlayer(folder, game.load_strategy, game.compile_rules)
        done, cores = folder.ledger.count(), workers or count_cores()
        for line in describe_plan(plan, cores):
            tell(line)
        before = f"{done:,} of {len(plan.jobs):,} replications played before; " if done else ""
        tell(f"{before}run folder {folder.path}")
        shown = make_ladder_progress(len(plan.jobs), done, expected_days(plan.file), show=progress)
        deals, again, seconds = play_ladder(folder, player, workers=cores, shown=shown)
        threads = f"{cores} thread{'s' if cores > 1 else ''}"
        rate = deals / max(seconds, 1e-9)
        more = f", and {again:,} again without timeouts," if again else ""
        tell(f"played {count_of(deals, 'deal')}{more} in {seconds:.1f} s with {threads}: {rate:,.0f} deals/s")
    return ladder
