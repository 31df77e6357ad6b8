"""A match from sitting down to its result: one deal, or rounds of deals, on the clock.

All of it is played when it begins; what came of it is told when it ends. Where somebody's time ran out, the match is
played again without that, so that what it cost is known: without one player's timeouts for the price of these, and
without anybody's for the ledger of rating points.
"""

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.rules import Rules
from sim.jit import Records
from sim.ladder.compiling import kernel
from sim.ladder.lots import PRICE_STREAM, SEAT_STREAM
from sim.ladder.records import OFFLINE, SEATS, SLOW, Group, Ladder, Match, Player, TableKind
from sim.ladder.table import Clock, Roster, Sitter, begin_seats, play_on_the_clock
from sim.rng import advance_state, mix, scale, stream_start, wall_seed_of

MOST_DEALS = 512
"""Most deals of a match; each match has so many walls of its own."""
PLAYED, CHOSE_ILLEGALLY = 0, 1
EVERYBODY: int = SEATS
"""In place of a player: all four."""
BOTH_CAUSES: int = 1 << SLOW | 1 << OFFLINE
"""Mask of all causes of timeouts."""


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
    whose: int,
    ignored: int,
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
        Workspace.
    sitters : Sitter array, changed
        Workspace.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    rules : Rules, read
        The preset.
    lookup : Lookup, read
        Hand tables.
    whose : int64, read
        Whose timeouts are not to count; EVERYBODY.
    ignored : int64, read
        Mask of the causes for which they are not.
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
            sitter.ignored = ignored if whose in (player, EVERYBODY) else 0
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

    The price of timeouts is that of a player's own: the match is played again without this player's, those of the
    others count as before. Where more than one ran out of time, one of the four is drawn who stands for four, so that
    a match is played at most four times.

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
    if play_deals(ladder, match, players, groups, kind, deal, clock, sitters, roster, rules, lookup, 0, 0) != PLAYED:
        return CHOSE_ILLEGALLY
    ladder.deals += kind.deals
    count, priced = 0, NONE
    for player in range(SEATS):
        match.fair_points[player] = match.points[player]
        match.own_points[player] = match.points[player]
        match.online_points[player] = match.points[player]
        again.players[player] = match.players[player]
        if match.slow[player] + match.offline[player] > 0:
            count += 1
            priced = player
    match.priced = NONE
    match.weight = 0
    if count == 0:
        return PLAYED
    again.number = match.number
    again.began = match.began
    weight = 1
    if count > 1:
        state = stream_start(np.uint64(wall_seed_of(ladder.seed, match.number * MOST_DEALS)), PRICE_STREAM * SEATS)
        priced = scale(mix(advance_state(state)), SEATS)
        weight = SEATS
    is_fair = False
    if match.slow[priced] + match.offline[priced] > 0:
        match.priced = priced
        match.weight = weight
        causes = BOTH_CAUSES
        if (
            play_deals(
                ladder, again, players, groups, kind, deal, clock, sitters, roster, rules, lookup, priced, causes
            )
            != PLAYED
        ):
            return CHOSE_ILLEGALLY
        ladder.again += kind.deals
        is_fair = True
        for player in range(SEATS):
            match.own_points[player] = again.points[player]
            match.fair_points[player] = again.points[player]
            if match.slow[priced] == 0:
                match.online_points[player] = again.points[player]
            if again.slow[player] + again.offline[player] > 0:
                is_fair = False
        if match.slow[priced] > 0 and match.offline[priced] > 0:
            causes = 1 << OFFLINE
            if (
                play_deals(
                    ladder, again, players, groups, kind, deal, clock, sitters, roster, rules, lookup, priced, causes
                )
                != PLAYED
            ):
                return CHOSE_ILLEGALLY
            ladder.again += kind.deals
            for player in range(SEATS):
                match.online_points[player] = again.points[player]
    if not is_fair:
        whose, causes = EVERYBODY, BOTH_CAUSES
        if (
            play_deals(ladder, again, players, groups, kind, deal, clock, sitters, roster, rules, lookup, whose, causes)
            != PLAYED
        ):
            return CHOSE_ILLEGALLY
        ladder.again += kind.deals
        for player in range(SEATS):
            match.fair_points[player] = again.points[player]
    return PLAYED
