"""What is to be expected of a ladder before it is played: games, days, players, bytes. Estimates, never results.

The one exception is the room for players, which is part of what is played: newcomers beyond it are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sim.ladder.records import SEATS

if TYPE_CHECKING:
    from sim.ladder.file import LadderFile

BYTES_A_GAME: Final = 110
"""Rough size of a game's four rows on disk."""
BYTES_A_PLAYER: Final = 14
"""Rough size of a player in a snapshot."""


def games_per_day(file: LadderFile) -> float:
    """Give how many games a day the players at the start would play, if nobody had to wait.

    Parameters
    ----------
    file
        The ladder.
    """
    total = 0.0
    for group, count in zip(file.groups, file.counts, strict=True):
        session = group.session
        hours = session.gap_hours + session.games * (session.rest + 120.0) / 3600
        total += count * session.games * 24 / max(hours, 1e-3) / SEATS
    return max(total, 1e-6)


def expected_days(file: LadderFile) -> float:
    """Give the days of virtual time that a ladder is expected to take.

    Parameters
    ----------
    file
        The ladder.
    """
    return file.days if file.days is not None else (file.games or 0) / games_per_day(file)


def most_players(file: LadderFile) -> int:
    """Give the room for players: what the file says, or what is expected to come with room to spare.

    Parameters
    ----------
    file
        The ladder.
    """
    if file.most_players is not None:
        return max(file.most_players, sum(file.counts))
    days = expected_days(file)
    expected = 0.0
    for group, count in zip(file.groups, file.counts, strict=True):
        expected += count + group.newcomers_per_day * days
        if group.leaving.replaced:
            sessions = count * days * 24 / max(group.session.gap_hours, 0.1)
            expected += sessions * min(group.leaving.probability + abs(group.leaving.per_400_below), 1.0)
    return int(1.5 * expected + 100)


def expected_games(file: LadderFile) -> float:
    """Give the games of one replication that are to be expected.

    Parameters
    ----------
    file
        The ladder.
    """
    return float(file.games) if file.games is not None else games_per_day(file) * expected_days(file)


def expected_deals(file: LadderFile) -> float:
    """Give the deals of one replication that are to be expected.

    Parameters
    ----------
    file
        The ladder.
    """
    shares = sum(table.share for table in file.tables)
    return expected_games(file) * sum(table.share / shares * table.deals for table in file.tables)


def expected_bytes(file: LadderFile) -> float:
    """Give the bytes on disk of one replication that are to be expected.

    Parameters
    ----------
    file
        The ladder.
    """
    games = expected_games(file) * BYTES_A_GAME if file.keep_games else 0.0
    return games + (file.snapshots + 1) * max(sum(file.counts), 1) * BYTES_A_PLAYER + 20_000.0
