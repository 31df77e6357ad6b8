"""A match from sitting down to its result: one deal, or rounds of deals, on the clock.

All of it is played when it begins; what came of it is told when it ends. Where somebody's time ran out, the match is
played again without that, so that what it cost is known.
"""

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.rules import Rules
from sim.jit import Records
from sim.ladder.compiling import kernel
from sim.ladder.lots import SEAT_STREAM
from sim.ladder.records import OFFLINE, SEATS, SLOW, Group, Ladder, Match, Player, TableKind
from sim.ladder.table import Clock, Roster, Sitter, begin_seats, play_on_the_clock
from sim.rng import advance_state, mix, scale, stream_start, wall_seed_of

MOST_DEALS = 512
"""Most deals of a match; each match has so many walls of its own."""
PLAYED, CHOSE_ILLEGALLY = 0, 1


@kernel
def seat_players(ladder: Ladder, match: Match) -> None:
    """Shuffle the four players of a match over the seats (Fisher and Yates).

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    match : Match, changed
        The match; its number is set.
    """
    state = stream_start(np.uint64(wall_seed_of(ladder.seed, match.number * MOST_DEALS)), SEAT_STREAM * SEATS)
    for last in range(SEATS - 1, 0, -1):
        state = advance_state(state)
        other = scale(mix(state), last + 1)
        player, wait = match.players[last], match.waits[last]
        match.players[last], match.waits[last] = match.players[other], match.waits[other]
        match.players[other], match.waits[other] = player, wait


@kernel
def play_deals(
    ladder: Ladder,
    match: Match,
    players: Records[Player],
    groups: Records[Group],
    kind: TableKind,
    deal: Deal,
    clock: Clock,
    sitters: Records[Sitter],
    roster: Roster,
    rules: Rules,
    lookup: Lookup,
) -> int:
    """Play all deals of a match; return PLAYED or CHOSE_ILLEGALLY.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder: who failed.
    match : Match, changed
        The match: points, timeouts, disconnections, and when it ends.
    players : Player array, read
        All players.
    groups : Group array, read
        All groups.
    kind : TableKind, read
        The kind of table.
    deal : Deal, changed
        Workspace, its wall mode set.
    clock : Clock, changed
        Workspace; which causes of timeouts to ignore is set.
    sitters : Sitter array, changed
        Workspace.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    clock.now = match.began
    for player in range(SEATS):
        match.points[player] = 0
        match.slow[player] = 0
        match.offline[player] = 0
        match.drops[player] = 0
        match.back_at[player] = players[match.players[player]].back_at
    for number in range(kind.deals):
        wall_seed = wall_seed_of(ladder.seed, match.number * MOST_DEALS + number)
        for seat in range(SEATS):
            player = (seat + number) & 3
            sitter = sitters[seat]
            sitter.group = players[match.players[player]].group
            sitter.back_at = match.back_at[player]
            sitter.drops = 0
            sitter.slow = 0
            sitter.offline = 0
        begin_seats(deal, sitters, groups, kind, wall_seed, clock.now, rules)
        seat = play_on_the_clock(deal, clock, sitters, groups, kind, roster, rules, lookup)
        if seat != NONE:
            ladder.failed_seat = seat
            ladder.failed_player = match.players[(seat + number) & 3]
            ladder.failed_deal = wall_seed
            return CHOSE_ILLEGALLY
        for seat in range(SEATS):
            player = (seat + number) & 3
            match.points[player] += deal.table.points[seat]
            match.slow[player] += sitters[seat].slow
            match.offline[player] += sitters[seat].offline
            match.drops[player] += sitters[seat].drops
            match.back_at[player] = sitters[seat].back_at
    match.ended = clock.now
    return PLAYED


@kernel
def play_match(
    ladder: Ladder,
    match: Match,
    again: Match,
    players: Records[Player],
    groups: Records[Group],
    kind: TableKind,
    deal: Deal,
    clock: Clock,
    sitters: Records[Sitter],
    roster: Roster,
    rules: Rules,
    lookup: Lookup,
) -> int:
    """Play a match, and again without timeouts if there were any; return PLAYED or CHOSE_ILLEGALLY.

    Where both causes occur it is played again without each in turn: what disconnections cost is the difference to the
    match in which they stop nobody, what slowness costs is the rest.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder: deals played, and who failed.
    match : Match, changed
        The match: everything but its number, kind, players, waits and beginning is filled.
    again : Match, changed
        Workspace: the match played again.
    players : Player array, read
        All players.
    groups : Group array, read
        All groups.
    kind : TableKind, read
        The kind of table.
    deal : Deal, changed
        Workspace, its wall mode set.
    clock : Clock, changed
        Workspace.
    sitters : Sitter array, changed
        Workspace.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    """
    clock.ignored = 0
    if play_deals(ladder, match, players, groups, kind, deal, clock, sitters, roster, rules, lookup) != PLAYED:
        return CHOSE_ILLEGALLY
    ladder.deals += kind.deals
    causes = 0
    for player in range(SEATS):
        if match.slow[player]:
            causes |= 1 << SLOW
        if match.offline[player]:
            causes |= 1 << OFFLINE
        match.fair_points[player] = match.points[player]
        match.slow_cost[player] = 0
        match.offline_cost[player] = 0
    if causes == 0:
        return PLAYED
    again.number = match.number
    again.began = match.began
    for player in range(SEATS):
        again.players[player] = match.players[player]
    for ignored in (1 << OFFLINE, 1 << OFFLINE | 1 << SLOW):
        cause = OFFLINE if ignored == 1 << OFFLINE else SLOW
        if (causes >> cause) & 1:
            clock.ignored = ignored
            if play_deals(ladder, again, players, groups, kind, deal, clock, sitters, roster, rules, lookup) != PLAYED:
                return CHOSE_ILLEGALLY
            ladder.again += kind.deals
            for player in range(SEATS):
                cost = again.points[player] - match.fair_points[player]
                match.fair_points[player] = again.points[player]
                if cause == OFFLINE:
                    match.offline_cost[player] = cost
                else:
                    match.slow_cost[player] = cost
    return PLAYED
