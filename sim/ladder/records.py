"""What the ladder's loop works on: players, groups, kinds of tables, matches, events and the ladder itself.

Times are milliseconds of virtual time. Not in here: what happens to them (`lots`, `heap`, `queue`, `match`, `loop`).
"""

from typing import Annotated, Final

import numpy as np

from sim.jit import Floats, Ints, record

SEATS: Final = 4
ROSTER: Final = 8
"""Most different strategies in a ladder."""

UNBORN, AWAY, WAITING, PLAYING, LEFT = 0, 1, 2, 3, 4
"""What a player is doing: not there yet, between sessions, in a queue, at a table, gone for good."""
STATES: Final = ("unborn", "away", "waiting", "playing", "left")

ARRIVE, NEWCOMER, MATCH_END, LOOK = 0, 1, 2, 3
"""Events: a player goes to a queue; somebody new comes to a group; a match is over; a queue is looked at again."""

SLOW, OFFLINE = 0, 1
"""Causes of timeouts: the player thought too long; the player was disconnected, and would have been in time."""
CAUSES: Final = ("slow", "offline")


@record
class Group:
    """Players of one kind."""

    strategy: int
    """Place of their strategy in the roster."""
    parameters: Annotated[Floats, 16]
    """Its parameters."""
    is_anchor: int
    """1 if they never leave."""
    think_opening: float
    """Median time for an exchange or a void suit."""
    think_turn: float
    """Median time for a turn."""
    think_claim: float
    """Median time for a claim."""
    think_spread: float
    """Standard deviation of the logarithm of a think time."""
    drop_gap: float
    """Mean time at a table until the connection drops; 0: never."""
    offline: float
    """Median time until it is back."""
    offline_spread: float
    """Standard deviation of its logarithm."""
    session_games: float
    """Mean number of games in a session, 1 or more."""
    rest: float
    """Mean time between two games of a session."""
    gap: float
    """Mean time between two sessions."""
    patience: float
    """Time in a queue after which a player goes away; 0: never."""
    quit: float
    """Probability of leaving for good at the end of a session, at the start rating."""
    quit_slope: float
    """How much that grows with each 400 points below the start rating."""
    newcomer_gap: float
    """Mean time between two newcomers; 0: none come."""
    is_replaced: int
    """1 if a newcomer of the same group comes at once for everybody who leaves."""


@record
class TableKind:
    """A kind of table, with a queue of its own."""

    is_ranked: int
    """1 if its matches move ratings."""
    deals: int
    """Deals of a match."""
    is_timed: int
    """1 if there is a clock."""
    base_time: int
    """Time for each decision."""
    reserve: int
    """Further time for turns, for each deal."""
    opening: int
    """Time for the exchange and for the void suit, each."""
    share: float
    """Share of all games that players want to play there."""


@record
class Player:
    """One player."""

    group: int
    """The group."""
    state: int
    """UNBORN ... LEFT."""
    kind: int
    """Kind of table that is waited for."""
    since: int
    """When the waiting began."""
    session: int
    """Games left in the session."""
    back_at: int
    """When the connection is back; in the past if it is there."""
    joined: int
    """When the player came."""
    left: int
    """When the player left for good; 0 if not."""
    ranked: int
    """Ranked games played."""
    casual: int
    """Casual games played."""
    points: int
    """Points of all games."""
    places: int
    """Sum of twice the mean place in ranked games: 2 for a first, 3 for a shared first and second."""
    timeouts: Annotated[Ints, 2]
    """Timeouts by cause."""
    drops: int
    """Times that the connection dropped at a table."""
    given_up: int
    """Times that the player went away from a queue."""
    lots: np.uint64
    """State of the player's own stream: sessions, rests, quitting."""


@record
class Match:
    """A match under way; what came of it is known when it begins, and told when it ends."""

    number: int
    """Number of the match."""
    kind: int
    """Kind of table."""
    began: int
    """When it began."""
    ended: int
    """When it ends."""
    players: Annotated[Ints, SEATS]
    """Who sits at each seat of the first deal; seat 0 deals first."""
    points: Annotated[Ints, SEATS]
    """Points of each."""
    fair_points: Annotated[Ints, SEATS]
    """Points of each, had nobody's time run out."""
    priced: int
    """Whose own timeouts have a price; NONE if nobody's."""
    weight: int
    """Games with timeouts of a player that the price stands for."""
    own_points: Annotated[Ints, SEATS]
    """Points of each, had that player's time not run out, with the timeouts of the others."""
    online_points: Annotated[Ints, SEATS]
    """Points of each, had that player's time not run out for a lost connection."""
    waits: Annotated[Ints, SEATS]
    """How long each waited."""
    slow: Annotated[Ints, SEATS]
    """Timeouts of each because of slowness."""
    offline: Annotated[Ints, SEATS]
    """Timeouts of each while disconnected."""
    drops: Annotated[Ints, SEATS]
    """Times that each one's connection dropped."""
    back_at: Annotated[Ints, SEATS]
    """When each one's connection is back."""


@record
class Event:
    """Something that will happen."""

    time: int
    """When."""
    order: int
    """Which of those at the same time comes first."""
    what: int
    """ARRIVE ... LOOK."""
    who: int
    """The player, group, match or kind of table."""


@record
class Ladder:
    """Everything about a ladder that is one number."""

    now: int
    """Virtual time."""
    seed: int
    """Seed of this replication's deals."""
    count_players: int
    """Players that there are or were."""
    count_events: int
    """Events to come."""
    count_matches: int
    """Matches begun."""
    count_ended: int
    """Matches ended."""
    count_free: int
    """Free places for matches."""
    order: int
    """Orders given to events."""
    rows: int
    """Rows of games written since they were last taken away."""
    deals: int
    """Deals played, counterfactual ones apart."""
    again: int
    """Deals played again to price timeouts."""
    refused: int
    """Newcomers that did not fit."""
    end: int
    """Time up to which it goes; events after it are not looked at yet."""
    most_matches: int
    """Matches after whose end it stops."""
    look_gap: int
    """Time after which a queue is looked at again."""
    is_nearest: int
    """1 if the nearest ratings are matched, 0 if those who came first."""
    window: float
    """Rating points within which players are matched at once."""
    growth: float
    """Rating points by which that grows with each millisecond of waiting."""
    most_window: float
    """The widest window."""
    wall_mode: int
    """Wall mode of the deals."""
    failed_seat: int
    """Seat whose strategy chose an illegal action; NONE if none did."""
    failed_player: int
    """The player there."""
    failed_deal: int
    """Wall seed of that deal."""
