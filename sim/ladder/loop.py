"""The one loop of the ladder in virtual time: players come, wait, play, are rated, rest, leave; newcomers come.

Everything that happens is an event with a time. Deals are played by the engine; the loop decides who plays whom, and
when. It stops now and then, so that whoever called it can take the rows of games away and see how it goes.
"""

import numpy as np

from sim.engine.hands.hand import NONE
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.deal import Deal
from sim.engine.sichuan.rules import Rules
from sim.jit import Columns, Floats, Floats2, Ints, Ints2, Records, Unsigned
from sim.ladder.compiling import driver, inlined, kernel
from sim.ladder.heap import drop_first_event, plan_event
from sim.ladder.lots import GROUP_STREAM, PLAYER_STREAM, draw_count, draw_exponential
from sim.ladder.match import PLAYED, play_match, seat_players
from sim.ladder.queue import find_table, give_up, has_patience, is_widening, join_queue
from sim.ladder.ratings.layout import CHANGE, CREATED, FLOORED, PARTS, RATING, START, STATE
from sim.ladder.ratings.update import begin, update
from sim.ladder.records import (
    ARRIVE,
    AWAY,
    LEFT,
    LOOK,
    MATCH_END,
    NEWCOMER,
    OFFLINE,
    PLAYING,
    SEATS,
    SLOW,
    Event,
    Group,
    Ladder,
    Match,
    Player,
    TableKind,
)
from sim.ladder.table import Clock, Roster, Sitter
from sim.rng import advance_state, mix, stream_start, uniform_of, wall_seed_of

REACHED, PAUSED, ROWS_FULL, CHOSE_ILLEGALLY = 0, 1, 2, 3
"""Why the loop came back: it has come to its end or to its number of matches, or nothing more will ever happen; enough
has happened for now; there is no room for rows; a strategy's answer was not accepted."""
MOST_EVENTS = 1_000_000
"""Events after which it comes back, whether or not a match has ended."""
MOST_TIME = 2**31 - 1
"""Largest number that a row holds; longer waits are cut off there."""

GAME_COLUMNS = (
    "game",
    "table",
    "seat",
    "player",
    "group",
    "began",
    "ended",
    "deals",
    "points",
    "place",
    "rating",
    "change",
    "created",
    "floored",
    "wait",
    "gap",
    "slow",
    "offline",
    "drops",
    "priced",
    "slow_cost",
    "offline_cost",
    "slow_rating",
    "offline_rating",
    "rating_cost",
    "ranked",
)
"""Rows of games: `table` is the kind of table; times in seconds of virtual time, `wait` in milliseconds, ratings in
thousandths, `place` doubled; `ranked` is 1 if the game was rated.

`change` is what the rating in thousandths moved by, so that a player's changes add up to the last digit. `priced` is
how many games with timeouts the price of this one stands for, 0 if it has none; what the player's own timeouts cost is
in the four columns that follow, what anybody's at the table cost in the last.
"""
AS_PLAYED, FAIR, OWN, ONLINE = 0, 1, 2, 3
"""Which points of a match: as it was played; had nobody's time run out; not that of the priced player; not for a lost
connection."""
THOUSAND = 1000.0


@inlined
def in_thousandths(value: float) -> int:
    """Return a number in thousandths, rounded to the nearest.

    Parameters
    ----------
    value : float64, read
        The number.
    """
    return int(np.floor(value * THOUSAND + 0.5))


@kernel
def add_player(
    ladder: Ladder,
    players: Records[Player],
    ratings: Floats2,
    group: int,
    system: int,
    parameters: Floats,
) -> int:
    """Let somebody new come, and return who; NONE if there is no room.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    players : Player array, changed
        All players.
    ratings : float64 array (players, STATE), changed
        Their states in the rating system.
    group : int64, read
        The newcomer's group.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    """
    who = ladder.count_players
    if who >= len(players):
        ladder.refused += 1
        return NONE
    ladder.count_players = who + 1
    player = players[who]
    player.group = group
    player.state = AWAY
    player.joined = ladder.now
    player.lots = stream_start(np.uint64(wall_seed_of(ladder.seed, who)), PLAYER_STREAM)
    begin(system, parameters, ratings[who])
    return who


@kernel
def begin_session(
    ladder: Ladder,
    players: Records[Player],
    groups: Records[Group],
    events: Records[Event],
    who: int,
    gap: float,
) -> None:
    """Let a player come back after a while, for a session of some games.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    players : Player array, changed
        All players.
    groups : Group array, read
        All groups.
    events : Event array, changed
        The heap.
    who : int64, read
        The player.
    gap : float64, read
        Mean time until then.
    """
    player = players[who]
    player.state = AWAY
    lots, games = draw_count(player.lots, groups[player.group].session_games)
    lots, pause = draw_exponential(lots, gap)
    player.lots = lots
    player.session = games
    plan_event(ladder, events, max(ladder.now + pause, player.back_at), ARRIVE, who)


@kernel
def choose_kind(kinds: Records[TableKind], player: Player) -> int:
    """Return the kind of table that a player wants.

    Parameters
    ----------
    kinds : TableKind array, read
        All kinds; their shares sum to 1.
    player : Player, changed
        The player.
    """
    if len(kinds) == 1:
        return 0
    player.lots = advance_state(player.lots)
    left = uniform_of(mix(player.lots))
    for kind in range(len(kinds) - 1):
        left -= kinds[kind].share
        if left < 0.0:
            return kind
    return len(kinds) - 1


@kernel
def go_on(
    ladder: Ladder,
    players: Records[Player],
    groups: Records[Group],
    ratings: Floats2,
    events: Records[Event],
    who: int,
    system: int,
    parameters: Floats,
) -> None:
    """Let a player rest and play on, end the session, or leave for good.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    players : Player array, changed
        All players.
    groups : Group array, read
        All groups.
    ratings : float64 array (players, STATE), changed
        Their states in the rating system.
    events : Event array, changed
        The heap.
    who : int64, read
        The player.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    """
    player = players[who]
    group = groups[player.group]
    player.state = AWAY
    if player.session > 0:
        player.lots, pause = draw_exponential(player.lots, group.rest)
        plan_event(ladder, events, max(ladder.now + pause, player.back_at), ARRIVE, who)
        return
    below = (parameters[START] - ratings[who, RATING]) / 400.0
    player.lots = advance_state(player.lots)
    if group.is_anchor == 0 and uniform_of(mix(player.lots)) < group.quit + group.quit_slope * below:
        player.state = LEFT
        player.left = ladder.now
        if group.is_replaced:
            newcomer = add_player(ladder, players, ratings, player.group, system, parameters)
            if newcomer != NONE:
                begin_session(ladder, players, groups, events, newcomer, group.rest)
        return
    begin_session(ladder, players, groups, events, who, group.gap)


@kernel
def place_of(points: Ints, player: int) -> int:
    """Return twice a player's place among four, equal points sharing: 2 for a first, 3 for a shared first and second.

    Parameters
    ----------
    points : int64 array (4), read
        Points of the four.
    player : int64, read
        Which one.
    """
    place = 1
    for other in range(SEATS):
        if points[other] > points[player]:
            place += 2
        elif points[other] == points[player]:
            place += 1
    return place


@kernel
def rate_match(
    match: Match,
    which: int,
    ratings: Floats2,
    table: Floats2,
    points: Ints,
    parts: Floats2,
    later: Floats2,
    system: int,
    parameters: Floats,
) -> None:
    """Rate a match in a workspace; the players' own states stay as they are.

    Parameters
    ----------
    match : Match, read
        The match.
    which : int64, read
        Of which points: AS_PLAYED ... ONLINE.
    ratings : float64 array (players, STATE), read
        The states of all players.
    table : float64 array (4, STATE), filled
        The states of the four afterwards.
    points : int64 array (4), filled
        Their points.
    parts : float64 array (4, PARTS), filled
        What the match did to each rating.
    later : float64 array (4, 2), filled
        Scratch.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    """
    for seat in range(SEATS):
        if which == AS_PLAYED:
            points[seat] = match.points[seat]
        elif which == FAIR:
            points[seat] = match.fair_points[seat]
        elif which == OWN:
            points[seat] = match.own_points[seat]
        else:
            points[seat] = match.online_points[seat]
        for column in range(STATE):
            table[seat, column] = ratings[match.players[seat], column]
    update(system, parameters, table, points, parts, later)


@kernel
def end_match(
    ladder: Ladder,
    match: Match,
    kind: TableKind,
    players: Records[Player],
    ratings: Floats2,
    games: Columns,
    table: Floats2,
    points: Ints,
    parts: Floats2,
    fair: Floats2,
    later: Floats2,
    system: int,
    parameters: Floats,
) -> None:
    """Tell what came of a match: rate it if its kind of table is ranked, and write its four rows.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    match : Match, read
        The match.
    kind : TableKind, read
        Its kind of table.
    players : Player array, changed
        All players.
    ratings : float64 array (players, STATE), changed
        Their states in the rating system.
    games : int32 array (len(GAME_COLUMNS), rows), changed
        Rows of games.
    table : float64 array (4, STATE), filled
        Scratch.
    points : int64 array (4), filled
        Scratch.
    parts : float64 array (4, PARTS), filled
        Scratch.
    fair : float64 array (4, PARTS), filled
        Scratch.
    later : float64 array (4, 2), filled
        Scratch.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    """
    causes = 0
    low = ratings[match.players[0], RATING]
    high = low
    for seat in range(SEATS):
        causes += match.slow[seat] + match.offline[seat]
        points[seat] = match.points[seat]
        low = min(low, ratings[match.players[seat], RATING])
        high = max(high, ratings[match.players[seat], RATING])
    for seat in range(SEATS):
        for part in range(PARTS):
            parts[seat, part] = 0.0
            fair[seat, part] = 0.0
    own = 0.0
    online = 0.0
    if kind.is_ranked:
        if match.priced != NONE:
            rate_match(match, OWN, ratings, table, points, fair, later, system, parameters)
            own = fair[match.priced, CHANGE]
            rate_match(match, ONLINE, ratings, table, points, fair, later, system, parameters)
            online = fair[match.priced, CHANGE]
        if causes:
            rate_match(match, FAIR, ratings, table, points, fair, later, system, parameters)
        rate_match(match, AS_PLAYED, ratings, table, points, parts, later, system, parameters)
    for seat in range(SEATS):
        row = ladder.rows + seat
        who = match.players[seat]
        player = players[who]
        place = place_of(points, seat)
        before = in_thousandths(ratings[who, RATING])
        games[0, row] = match.number
        games[1, row] = match.kind
        games[2, row] = seat
        games[3, row] = who
        games[4, row] = player.group
        games[5, row] = match.began // 1000
        games[6, row] = match.ended // 1000
        games[7, row] = kind.deals
        games[8, row] = match.points[seat]
        games[9, row] = place
        games[10, row] = before
        games[11, row] = in_thousandths(table[seat, RATING]) - before if kind.is_ranked else 0
        games[12, row] = in_thousandths(parts[seat, CREATED])
        games[13, row] = in_thousandths(parts[seat, FLOORED])
        games[14, row] = min(match.waits[seat], MOST_TIME)
        games[15, row] = in_thousandths(high - low)
        games[16, row] = match.slow[seat]
        games[17, row] = match.offline[seat]
        games[18, row] = match.drops[seat]
        is_priced = match.priced == seat
        games[19, row] = match.weight if is_priced else 0
        games[20, row] = match.own_points[seat] - match.online_points[seat] if is_priced else 0
        games[21, row] = match.online_points[seat] - match.points[seat] if is_priced else 0
        games[22, row] = in_thousandths(own - online) if is_priced else 0
        games[23, row] = in_thousandths(online - parts[seat, CHANGE]) if is_priced and kind.is_ranked else 0
        games[24, row] = in_thousandths(fair[seat, CHANGE] - parts[seat, CHANGE]) if causes else 0
        games[25, row] = kind.is_ranked
        if kind.is_ranked:
            for column in range(STATE):
                ratings[who, column] = table[seat, column]
            player.ranked += 1
            player.places += place
        else:
            player.casual += 1
        player.points += match.points[seat]
        player.timeouts[SLOW] += match.slow[seat]
        player.timeouts[OFFLINE] += match.offline[seat]
        player.drops += match.drops[seat]
        player.back_at = match.back_at[seat]
        player.session -= 1
    ladder.rows += SEATS
    ladder.count_ended += 1


@kernel
def plan_look(
    ladder: Ladder,
    players: Records[Player],
    groups: Records[Group],
    queues: Ints2,
    lengths: Ints,
    looked: Ints,
    events: Records[Event],
    kind: int,
) -> None:
    """Plan the next look at a queue, in the rhythm that began with whoever found it empty.

    Where a look could change nothing (no window widens any more, nobody's patience runs out) it is left out until
    somebody comes, so that a queue in which nobody can meet costs no time.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    players : Player array, read
        All players.
    groups : Group array, read
        All groups.
    queues : int64 array (kinds, players), read
        Who waits for each kind of table.
    lengths : int64 array (kinds), read
        How many wait.
    looked : int64 array (kinds), changed
        1 if a look is planned; less than 0: minus the time of the one that was left out; 0 if there is no rhythm.
    events : Event array, changed
        The heap.
    kind : int64, read
        The kind of table.
    """
    if looked[kind] == 1 or (looked[kind] == 0 and lengths[kind] == 0):
        return
    gap = ladder.look_gap
    time = ladder.now + gap
    if looked[kind] < 0:
        time = -looked[kind]
        if time <= ladder.now:
            time += (ladder.now - time + gap) // gap * gap
    if (
        lengths[kind] == 0
        or has_patience(players, groups, queues, lengths, kind)
        or is_widening(ladder, players, queues, lengths, kind, 0)
    ):
        looked[kind] = 1
        plan_event(ladder, events, time, LOOK, kind)
    else:
        looked[kind] = -time


@driver
def begin_ladder(
    ladders: Records[Ladder],
    players: Records[Player],
    groups: Records[Group],
    initial: Ints,
    ratings: Floats2,
    events: Records[Event],
    matches: Records[Match],
    free: Ints,
    lots: Unsigned,
    system: int,
    parameters: Floats,
) -> None:
    """Begin a ladder: its first players, newcomers to come.

    Parameters
    ----------
    ladders : Ladder[1], changed
        The ladder; what it is set to by its file is set.
    players : Player array, changed
        Room for all players, for the first ones at least.
    groups : Group array, read
        All groups.
    initial : int64 array (groups), read
        How many players each group begins with.
    ratings : float64 array (players, STATE), changed
        Room for their states.
    events : Event array, changed
        Room for the heap.
    matches : Match array, read
        Room for matches under way.
    free : int64 array, filled
        Free places for matches.
    lots : uint64 array (groups), filled
        State of each group's stream of newcomers.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    """
    ladder = ladders[0]
    ladder.failed_seat = NONE
    for place in range(len(matches)):
        free[place] = len(matches) - 1 - place
    ladder.count_free = len(matches)
    for group in range(len(groups)):
        lots[group] = stream_start(np.uint64(ladder.seed), GROUP_STREAM * 64 + group)
        for _ in range(initial[group]):
            who = add_player(ladder, players, ratings, group, system, parameters)
            begin_session(ladder, players, groups, events, who, groups[group].gap)
        if groups[group].newcomer_gap > 0.0:
            lots[group], pause = draw_exponential(lots[group], groups[group].newcomer_gap)
            plan_event(ladder, events, ladder.now + pause, NEWCOMER, group)


@driver
def run_ladder(
    ladders: Records[Ladder],
    players: Records[Player],
    groups: Records[Group],
    kinds: Records[TableKind],
    ratings: Floats2,
    queues: Ints2,
    lengths: Ints,
    looked: Ints,
    events: Records[Event],
    matches: Records[Match],
    free: Ints,
    lots: Unsigned,
    deals: Records[Deal],
    clocks: Records[Clock],
    sitters: Records[Sitter],
    roster: Roster,
    all_rules: Records[Rules],
    lookups: Records[Lookup],
    system: int,
    parameters: Floats,
    games: Columns,
    budget: int,
) -> int:
    """Let the ladder go on; return REACHED, PAUSED, ROWS_FULL or CHOSE_ILLEGALLY.

    Parameters
    ----------
    ladders : Ladder[1], changed
        The ladder.
    players : Player array, changed
        All players.
    groups : Group array, read
        All groups.
    kinds : TableKind array, read
        All kinds of tables.
    ratings : float64 array (players, STATE), changed
        Their states in the rating system.
    queues : int64 array (kinds, players), changed
        Who waits for each kind of table.
    lengths : int64 array (kinds), changed
        How many wait.
    looked : int64 array (kinds), changed
        When each queue is looked at again: see `plan_look`.
    events : Event array, changed
        The heap.
    matches : Match array, changed
        Matches under way; the last place is a workspace.
    free : int64 array, changed
        Free places for matches.
    lots : uint64 array (groups), changed
        State of each group's stream of newcomers.
    deals : Deal[1], changed
        Workspace, its wall mode set; the deal that failed stays in it.
    clocks : Clock[1], changed
        Workspace.
    sitters : Sitter[4], changed
        Workspace.
    roster : tuple of 4 tuples of 8 functions, read
        The strategies.
    all_rules : Rules[1], read
        The preset.
    lookups : Lookup[1], read
        Hand tables.
    system : int64, read
        The rating system.
    parameters : float64 array, read
        Its parameters.
    games : int32 array (len(GAME_COLUMNS), rows), changed
        Rows of games.
    budget : int64, read
        Matches after which to pause.
    """
    ladder = ladders[0]
    deal = deals[0]
    table = np.empty((SEATS, STATE))
    parts = np.empty((SEATS, PARTS))
    fair = np.empty((SEATS, PARTS))
    later = np.empty((SEATS, 2))
    points = np.empty(SEATS, dtype=np.int64)
    chosen = np.empty(SEATS, dtype=np.int64)
    workspace = matches[len(matches) - 1]
    pause_at = ladder.count_ended + budget
    seen = 0
    while ladder.count_events > 0 and ladder.count_ended < ladder.most_matches:
        if ladder.count_ended >= pause_at or seen >= MOST_EVENTS:
            return PAUSED
        if ladder.rows + SEATS > games.shape[1]:
            return ROWS_FULL
        event = events[0]
        if event.time > ladder.end:
            return REACHED
        seen += 1
        ladder.now = event.time
        what, who = event.what, event.who
        drop_first_event(ladder, events)
        queue = NONE
        may_match = True
        if what == ARRIVE:
            queue = choose_kind(kinds, players[who])
            join_queue(ladder, players, queues, lengths, who, queue)
        elif what == MATCH_END:
            match = matches[who]
            kind = kinds[match.kind]
            end_match(
                ladder, match, kind, players, ratings, games, table, points, parts, fair, later, system, parameters
            )
            for seat in range(SEATS):
                go_on(ladder, players, groups, ratings, events, match.players[seat], system, parameters)
            free[ladder.count_free] = who
            ladder.count_free += 1
        elif what == NEWCOMER:
            newcomer = add_player(ladder, players, ratings, who, system, parameters)
            if newcomer != NONE:
                begin_session(ladder, players, groups, events, newcomer, groups[who].rest)
            lots[who], pause = draw_exponential(lots[who], groups[who].newcomer_gap)
            plan_event(ladder, events, ladder.now + pause, NEWCOMER, who)
        else:
            queue = who
            looked[who] = 0
            may_match = is_widening(ladder, players, queues, lengths, queue, ladder.look_gap)
            gone = give_up(ladder, players, groups, queues, lengths, queue)
            while gone != NONE:
                begin_session(ladder, players, groups, events, gone, groups[players[gone].group].gap)
                gone = give_up(ladder, players, groups, queues, lengths, queue)
        while queue != NONE and may_match and find_table(ladder, players, ratings, queues, lengths, queue, chosen):
            ladder.count_free -= 1
            place = free[ladder.count_free]
            match = matches[place]
            match.number = ladder.count_matches
            ladder.count_matches += 1
            match.kind = queue
            match.began = ladder.now
            for seat in range(SEATS):
                match.players[seat] = chosen[seat]
                match.waits[seat] = ladder.now - players[chosen[seat]].since
                players[chosen[seat]].state = PLAYING
            seat_players(ladder, match)
            if (
                play_match(
                    ladder,
                    match,
                    workspace,
                    players,
                    groups,
                    kinds[queue],
                    deal,
                    clocks[0],
                    sitters,
                    roster,
                    all_rules[0],
                    lookups[0],
                )
                != PLAYED
            ):
                return CHOSE_ILLEGALLY
            plan_event(ladder, events, max(match.ended, ladder.now + 1), MATCH_END, place)
        if queue != NONE:
            plan_look(ladder, players, groups, queues, lengths, looked, events, queue)
    return REACHED
