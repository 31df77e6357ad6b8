"""Queues, events and places of the ladder, in small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.jit import new
from sim.ladder.heap import drop_first_event, plan_event
from sim.ladder.loop import place_of
from sim.ladder.queue import find_table, give_up, join_queue
from sim.ladder.ratings.layout import STATE
from sim.ladder.records import Event, Group, Ladder, Player


class Hall:
    """A queue of players with ratings, who came one second after the other."""

    def __init__(self, ratings: list[float], **keys: Any) -> None:
        self.ladder = new(Ladder)[0]
        self.ladder.window, self.ladder.growth, self.ladder.most_window = 100.0, 0.01, 300.0
        for name, value in keys.items():
            setattr(self.ladder, name, value)
        self.players = new(Player, len(ratings))
        self.ratings = np.zeros((len(ratings), STATE))
        self.ratings[:, 0] = ratings
        self.queues = np.zeros((1, len(ratings)), dtype=np.int64)
        self.lengths = np.zeros(1, dtype=np.int64)
        for who in range(len(ratings)):
            self.ladder.now = 1000 * who
            join_queue(self.ladder, self.players, self.queues, self.lengths, who, 0)

    def find(self, waited: float = 0.0) -> list[int] | None:
        self.ladder.now += int(1000 * waited)
        chosen = np.zeros(4, dtype=np.int64)
        found = find_table(self.ladder, self.players, self.ratings, self.queues, self.lengths, 0, chosen)
        return chosen.tolist() if found else None

    @property
    def waiting(self) -> list[int]:
        return [int(who) for who in self.queues[0, : self.lengths[0]]]


def test_first_come_first_served() -> None:
    hall = Hall([1500.0] * 6)
    assert hall.find() == [0, 1, 2, 3]
    assert hall.waiting == [4, 5]
    assert hall.find() is None


def test_window_keeps_apart_and_widens() -> None:
    hall = Hall([1500, 1500, 1500, 1750])
    assert hall.find() is None  # 250 points, and 100 + 10 a second
    assert hall.find(11) is None  # the last one has waited 11 s: 210
    assert hall.find(3.9) is None
    assert hall.find(0.2) == [0, 1, 2, 3]


def test_both_windows_count_and_have_an_end() -> None:
    hall = Hall([1500, 1500, 1500, 1801])
    assert hall.find(10_000) is None
    assert Hall([1500, 1500, 1500, 1800]).find(10_000) == [0, 1, 2, 3]


def test_who_waits_for_others_does_not_block_them() -> None:
    hall = Hall([2000, 1500, 1500, 1500, 1500])
    assert hall.find() == [1, 2, 3, 4]
    assert hall.waiting == [0]


def test_nearest() -> None:
    ratings = [1500.0, 1590, 1580, 1510, 1420, 1495]
    assert Hall(ratings).find() == [0, 1, 2, 3]
    assert Hall(ratings, is_nearest=1).find() == [0, 2, 3, 5]  # 80, 10 and 5 points away; of two at 80 who came first
    assert Hall([1500.0, 1580, 1590, 1510, 1420, 1495], is_nearest=1).find() == [0, 1, 3, 5]


@given(st.lists(st.integers(-8, 8), min_size=4, max_size=12))
def test_nearest_are_the_first_three_by_distance(distances: list[int]) -> None:
    hall = Hall([1500.0, *(1500.0 + distance for distance in distances)], is_nearest=1)
    by_distance = sorted(range(1, len(distances) + 1), key=lambda who: (abs(distances[who - 1]), who))
    assert hall.find() == [0, *sorted(by_distance[:3])]
    assert hall.waiting == sorted(by_distance[3:])


def test_patience() -> None:
    hall = Hall([1500.0] * 3)
    groups = new(Group)
    groups[0].patience = 10_000.0
    hall.ladder.now = 11_000
    arguments = (hall.ladder, hall.players, groups, hall.queues, hall.lengths, 0)
    assert [give_up(*arguments), give_up(*arguments), give_up(*arguments)] == [0, 1, -1]
    assert hall.waiting == [2]
    assert hall.players["given_up"].tolist() == [1, 1, 0]


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60))
def test_events_come_in_order(times: list[int]) -> None:
    ladder, events = new(Ladder)[0], new(Event, len(times))
    for who, time in enumerate(times):
        plan_event(ladder, events, time, 0, who)
    seen = []
    while ladder.count_events:
        seen.append((int(events[0].time), int(events[0].who)))
        drop_first_event(ladder, events)
    assert seen == sorted((time, who) for who, time in enumerate(times))


@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_places_are_shared(points: list[int]) -> None:
    array = np.array(points, dtype=np.int64)
    places = [place_of(array, seat) for seat in range(4)]
    order = sorted(points, reverse=True)
    for value, place in zip(points, places, strict=True):
        held = [rank for rank, other in enumerate(order, 1) if other == value]
        assert place == pytest.approx(2 * sum(held) / len(held))
    assert sum(places) == 20
