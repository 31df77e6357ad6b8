"""`bloodbattle hand`: shanten, waits, worth and discards of one hand."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from sim.commands.deal import announce
from sim.rules.words import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.statistics.tables import Grid
    from sim.tournament.hand_report import Discard, HandReport, Useful, VoidReport, Win

_MOST_TILES = 46
"""Columns for a list of tiles in a table."""


def hand(
    tiles: Annotated[str, typer.Argument(metavar="TILES", help="Concealed tiles, such as 123m55p789s.")],
    melds: Annotated[
        str, typer.Option(metavar="MELDS", help="Melds by commas: 'pung 5p, concealed kong 3s'.", show_default=False)
    ] = "",
    void: Annotated[str | None, typer.Option(metavar="m|p|s", help="The void suit; each is tried when absent.")] = None,
    preset: Annotated[str, typer.Option(help="A preset's name or file.")] = "mahjong-planet",
    knobs: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set a knob, such as fan.cap=5.")
    ] = None,
    seen: Annotated[
        str, typer.Option(metavar="TILES", help="Tiles visible elsewhere: discards, others' melds.", show_default=False)
    ] = "",
    self_draw: Annotated[bool, typer.Option("--self-draw", help="Judge wins as self-draws.")] = False,
    situation: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="By commas: kong_draw, kong_discard, rob_kong, last_tile.", show_default=False
        ),
    ] = "",
    win: Annotated[
        str | None,
        typer.Option(metavar="TILE", help="Of a complete hand: the winning tile; each is shown when absent."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say how far a hand is from ready, what it waits for, what it is worth, and what to discard."""
    from sim.rules import load_preset, parse_sets

    rules = load_preset(preset, parse_sets(knobs or ()), where="--preset", overrides_where="--set")
    announce()
    from sim.tournament.hand_report import analyse_hand

    report = analyse_hand(
        tiles,
        melds=melds,
        void_suit=void,
        preset=rules,
        seen=seen,
        self_draw=self_draw,
        situation=[name for name in situation.split(",") if name.strip()],
        winning=win,
    )
    if as_json:
        sys.stdout.write(json.dumps(report.to_dict(), indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(_lines(report)) + "\n")


def _lines(report: HandReport) -> Iterator[str]:
    """Write a report for a terminal."""
    from sim.statistics.show import text_grid, text_width
    from sim.tiles import format_kind, format_kinds

    best = report.best
    held = format_kinds(sorted(report.hand.tiles))
    melds = "".join(f" · {meld.name} {format_kind(meld.kind)}" for meld in report.hand.melds)
    yield f"{held}{melds} · preset {report.preset.name}"
    if not report.is_void_given:
        yield from ("", *text_grid(_void_grid(report.voids), text_width()))
    void_tiles = f", {count_of(best.count_void, 'tile')} of it to throw away" if best.count_void else ""
    yield ""
    yield f"void suit {best.void_suit}{'' if report.is_void_given else ' (the best one)'}{void_tiles}"
    parts = [f"four groups and a pair {best.standard}"]
    if best.seven_pairs is not None:
        parts.append(f"seven pairs {best.seven_pairs}")
    yield f"shanten {best.shanten} ({', '.join(parts)})"
    for name in report.absent:
        yield f"{report.preset.name} has no pattern {name}: it counts nothing"
    yield from _between_turns(report, best) if not report.hand.is_turn else _in_turn(report, best)


def _between_turns(report: HandReport, best: VoidReport) -> Iterator[str]:
    """Write what there is to know about a hand of 13 tiles."""
    from sim.statistics.show import text_grid, text_width

    if best.waits:
        yield "ready"
        yield from ("", *text_grid(_win_grid(_title("Waits", report), best.waits, has_live=True), text_width()))
    else:
        yield "not ready" + (": tiles of the void suit are held" if best.count_void and best.shanten == 0 else "")
        yield f"useful tiles: {_tiles(best.useful)}"
    for tile in best.impossible:
        yield f"{tile} would complete it, but all four are in hand and melds: a fifth does not exist, so it is no wait"


def _in_turn(report: HandReport, best: VoidReport) -> Iterator[str]:
    """Write what there is to know about a hand of 14 tiles."""
    from sim.statistics.show import text_grid, text_width

    yield "complete" if best.is_complete else "not complete"
    if best.wins:
        title = _title("Worth by the winning tile", report)
        yield from ("", *text_grid(_win_grid(title, _merge(best.wins), has_live=False), text_width()))
    yield from ("", *text_grid(_discard_grid(best.discards), text_width()))
    if best.must_clear:
        yield "tiles of the void suit have to be discarded first (void_suit.discard_first)"


def _title(what: str, report: HandReport) -> str:
    """Say how wins are judged."""
    how = "self-draw" if report.self_draw else "another player's tile"
    return f"{what} (on {how}{''.join(f', {name}' for name in report.situation)})".replace("on self-draw", "self-draw")


def _void_grid(voids: Sequence[VoidReport]) -> Grid:
    """Tabulate void suits."""
    from sim.statistics.tables import Grid

    rows = []
    for void in voids:
        useful = void.discards[0].useful if void.discards else void.useful
        ready = "complete" if void.is_complete else "ready" if void.is_ready else ""
        rows.append((void.void_suit, str(void.count_void), str(void.shanten), str(useful.live), ready))
    after = " after the best discard" if voids[0].discards else ""
    return Grid(
        "Void suit not given; the best first", ("void", "held", "shanten", f"live useful{after}", ""), tuple(rows)
    )


def _win_grid(title: str, wins: Sequence[Win], *, has_live: bool) -> Grid:
    """Tabulate what a hand is worth."""
    from sim.statistics.tables import Grid

    live = ("left",) if has_live else ()
    head = ("tile", *live, "fan", "value", "each payer pays", "patterns")
    rows = []
    for win in wins:
        left = (str(win.live),) if has_live else ()
        patterns = ", ".join(f"{name} {fan}" for name, fan in win.patterns.items()) or "none"
        note = f"  [{win.note}]" if win.note else ""
        rows.append((win.tile, *left, str(win.fan), str(win.value), str(win.payment), patterns + note))
    return Grid(title, head, tuple(rows), left=(0, len(head) - 1))


def _merge(wins: Sequence[Win]) -> list[Win]:
    """Put winning tiles that give the same worth into one row, the most valuable first."""
    from dataclasses import replace

    found: list[Win] = []
    for win in sorted(wins, key=lambda win: -win.fan):
        same = [place for place, other in enumerate(found) if replace(other, tile=win.tile) == win]
        if same:
            found[same[0]] = replace(found[same[0]], tile=f"{found[same[0]].tile} {win.tile}")
        else:
            found.append(win)
    return found


def _discard_grid(discards: Sequence[Discard]) -> Grid:
    """Tabulate discards."""
    from sim.statistics.tables import Grid

    rows = []
    for item in discards:
        waits = f"ready, up to {item.best_value}" if item.waits else ""
        rows.append((item.tile, str(item.shanten), str(item.useful.live), waits, _tiles(item.useful)))
    return Grid(
        "Discards, the best first", ("discard", "shanten", "live", "", "useful tiles"), tuple(rows), left=(0, 3, 4)
    )


def _tiles(useful: Useful) -> str:
    """Write useful tiles."""
    from sim.tiles import format_kinds, parse_tile

    text = format_kinds([parse_tile(tile) for tile in useful.tiles]) or "none"
    return text if len(text) <= _MOST_TILES else text[: _MOST_TILES - 1] + "…"
