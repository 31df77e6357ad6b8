"""The events to come: a binary heap, the next one first, those at the same time in the order they were made."""

from sim.jit import Records
from sim.ladder.compiling import inlined, kernel
from sim.ladder.records import Event, Ladder


@inlined
def is_before(one: Event, other: Event) -> bool:
    """Tell whether one event comes before another.

    Parameters
    ----------
    one : Event, read
        The one.
    other : Event, read
        The other.
    """
    return one.time < other.time or (one.time == other.time and one.order < other.order)


@inlined
def put_event(event: Event, time: int, order: int, what: int, who: int) -> None:
    """Write an event into its place.

    Parameters
    ----------
    event : Event, filled
        The place.
    time : int64, read
        When it happens.
    order : int64, read
        Which of those at the same time comes first.
    what : int64, read
        ARRIVE ... LOOK.
    who : int64, read
        Whom it concerns.
    """
    event.time = time
    event.order = order
    event.what = what
    event.who = who


@inlined
def swap_events(events: Records[Event], one: int, other: int) -> None:
    """Let two events change places.

    Parameters
    ----------
    events : Event array, changed
        The heap.
    one : int64, read
        The one place.
    other : int64, read
        The other.
    """
    time, order, what, who = events[one].time, events[one].order, events[one].what, events[one].who
    put_event(events[one], events[other].time, events[other].order, events[other].what, events[other].who)
    put_event(events[other], time, order, what, who)


@kernel
def plan_event(ladder: Ladder, events: Records[Event], time: int, what: int, who: int) -> None:
    """Add an event.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder.
    events : Event array, changed
        The heap; it has room, since nobody has more than one event to come.
    time : int64, read
        When it happens.
    what : int64, read
        ARRIVE ... LOOK.
    who : int64, read
        Whom it concerns.
    """
    order = ladder.order
    ladder.order = order + 1
    place = ladder.count_events
    ladder.count_events = place + 1
    put_event(events[place], time, order, what, who)
    while place > 0:
        above = (place - 1) >> 1
        if not is_before(events[place], events[above]):
            break
        swap_events(events, place, above)
        place = above


@kernel
def drop_first_event(ladder: Ladder, events: Records[Event]) -> None:
    """Take the first event away.

    Parameters
    ----------
    ladder : Ladder, changed
        The ladder; it has an event to come.
    events : Event array, changed
        The heap.
    """
    last = ladder.count_events - 1
    ladder.count_events = last
    swap_events(events, 0, last)
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        if below + 1 < last and is_before(events[below + 1], events[below]):
            below += 1
        if not is_before(events[below], events[place]):
            break
        swap_events(events, place, below)
        place = below
