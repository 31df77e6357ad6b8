"""Queues and matchmaking: who waits, who sits down with whom.

A player waits within a window of ratings that widens with time. Whoever has waited longest is served first: three
others are looked for who lie within both windows, either those who came first or those nearest in rating, of equally
near ones those who came first.
"""

from sim.jit import Floats2, Ints, Ints2, Records
from sim.ladder.compiling import inlined, kernel
from sim.ladder.ratings.layout import RATING
from sim.ladder.records import AWAY, SEATS, WAITING, Group, Ladder, Player


@inlined
def window_of(ladder: Ladder, waited: int) -> float:
    """Return the rating points within which a player is matched.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    waited : int64, read
        How long the player has waited.
    """
    return min(ladder.window + ladder.growth * waited, ladder.most_window)


@kernel
def join_queue(ladder: Ladder, players: Records[Player], queues: Ints2, lengths: Ints, who: int, kind: int) -> None:
    """Let a player wait for a table.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    players : Player array, changed
        All players.
    queues : int64 array (kinds, players), changed
        Who waits for each kind of table, first come first.
    lengths : int64 array (kinds), changed
        How many wait.
    who : int64, read
        The player.
    kind : int64, read
        The kind of table.
    """
    player = players[who]
    player.state = WAITING
    player.kind = kind
    player.since = ladder.now
    queues[kind, lengths[kind]] = who
    lengths[kind] += 1


@kernel
def leave_queue(queues: Ints2, lengths: Ints, kind: int, place: int) -> None:
    """Take whoever stands at a place out of a queue; the others keep their order.

    Parameters
    ----------
    queues : int64 array (kinds, players), changed
        Who waits for each kind of table.
    lengths : int64 array (kinds), changed
        How many wait.
    kind : int64, read
        The kind of table.
    place : int64, read
        The place in its queue.
    """
    lengths[kind] -= 1
    for behind in range(place, lengths[kind]):
        queues[kind, behind] = queues[kind, behind + 1]


@kernel
def give_up(
    ladder: Ladder, players: Records[Player], groups: Records[Group], queues: Ints2, lengths: Ints, kind: int
) -> int:
    """Let the first player whose patience has run out go away, and return who it is; -1 if there is none.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    players : Player array, changed
        All players.
    groups : Group array, read
        All groups.
    queues : int64 array (kinds, players), changed
        Who waits for each kind of table.
    lengths : int64 array (kinds), changed
        How many wait.
    kind : int64, read
        The kind of table.
    """
    for place in range(lengths[kind]):
        who = queues[kind, place]
        patience = groups[players[who].group].patience
        if patience > 0.0 and ladder.now - players[who].since >= patience:
            leave_queue(queues, lengths, kind, place)
            players[who].state = AWAY
            players[who].given_up += 1
            return int(who)
    return -1


@kernel
def has_patience(players: Records[Player], groups: Records[Group], queues: Ints2, lengths: Ints, kind: int) -> bool:
    """Return whether anybody who waits will go away some day.

    Parameters
    ----------
    players : Player array, read
        All players.
    groups : Group array, read
        All groups.
    queues : int64 array (kinds, players), read
        Who waits for each kind of table.
    lengths : int64 array (kinds), read
        How many wait.
    kind : int64, read
        The kind of table.
    """
    for place in range(lengths[kind]):
        group = players[queues[kind, place]].group
        if groups[group].patience > 0.0:
            return True
    return False


@kernel
def is_widening(ladder: Ladder, players: Records[Player], queues: Ints2, lengths: Ints, kind: int, before: int) -> bool:
    """Return whether the window of anybody who waits was not at its widest some time ago.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    players : Player array, read
        All players.
    queues : int64 array (kinds, players), read
        Who waits for each kind of table.
    lengths : int64 array (kinds), read
        How many wait.
    kind : int64, read
        The kind of table.
    before : int64, read
        How long ago.
    """
    if ladder.growth == 0.0:
        return False
    for place in range(lengths[kind]):
        waited = max(ladder.now - before - players[queues[kind, place]].since, 0)
        if window_of(ladder, waited) < ladder.most_window:
            return True
    return False


@kernel
def gather(
    ladder: Ladder,
    players: Records[Player],
    ratings: Floats2,
    queues: Ints2,
    length: int,
    kind: int,
    first: int,
    chosen: Ints,
) -> bool:
    """Gather three others around one who waits, and return whether there are enough.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    players : Player array, read
        All players.
    ratings : float64 array (players, STATE), read
        Their states in the rating system.
    queues : int64 array (kinds, players), read
        Who waits for each kind of table.
    length : int64, read
        How many wait for this kind.
    kind : int64, read
        The kind of table.
    first : int64, read
        The place of the one who is served.
    chosen : int64 array (4), filled
        The four players, the one who is served first, then the others as they came; unfinished if there are not enough.
    """
    served = queues[kind, first]
    own = ratings[served, RATING]
    window = window_of(ladder, ladder.now - players[served].since)
    chosen[0] = served
    count = 1
    for place in range(length):
        who = queues[kind, place]
        if place == first:
            continue
        distance = abs(ratings[who, RATING] - own)
        if distance > min(window, window_of(ladder, ladder.now - players[who].since)):
            continue
        if count == SEATS:
            farthest = 1
            for other in range(2, SEATS):
                if abs(ratings[chosen[other], RATING] - own) >= abs(ratings[chosen[farthest], RATING] - own):
                    farthest = other  # of equals the one who came last
            if distance >= abs(ratings[chosen[farthest], RATING] - own):
                continue
            for other in range(farthest, SEATS - 1):
                chosen[other] = chosen[other + 1]
            count -= 1
        chosen[count] = who
        count += 1
        if count == SEATS and ladder.is_nearest == 0:
            return True
    return count == SEATS


@kernel
def find_table(
    ladder: Ladder, players: Records[Player], ratings: Floats2, queues: Ints2, lengths: Ints, kind: int, chosen: Ints
) -> bool:
    """Find four who can sit down together, take them out of the queue, and return whether there are any.

    Parameters
    ----------
    ladder : Ladder, read
        The ladder.
    players : Player array, read
        All players.
    ratings : float64 array (players, STATE), read
        Their states in the rating system.
    queues : int64 array (kinds, players), changed
        Who waits for each kind of table.
    lengths : int64 array (kinds), changed
        How many wait.
    kind : int64, read
        The kind of table.
    chosen : int64 array (4), filled
        The four players: the one who is served, then the others as they came.
    """
    length = lengths[kind]
    for first in range(length if length >= SEATS else 0):
        if gather(ladder, players, ratings, queues, length, kind, first, chosen):
            for place in range(length - 1, -1, -1):
                who = queues[kind, place]
                if who in (chosen[0], chosen[1], chosen[2], chosen[3]):
                    leave_queue(queues, lengths, kind, place)
            return True
    return False
