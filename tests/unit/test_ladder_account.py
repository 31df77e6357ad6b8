"""The sums of a replication against plain Python over the same rows; how rows come does not matter; skills."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.errors import ResultsError
from sim.ladder.account import Account, close, last_of
from sim.ladder.file import Connection, GroupTable, LadderFile, Leaving, TableTable, Think
from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.measures import interval_over
from sim.ladder.simulate import Replication
from sim.ladder.skill import fit_kinds, fit_skills, jackknife_skills, kinds_of
from sim.ladder.systems import RatingSystem, parse_system
from sim.ladder.totals import BAND, CHECKPOINTS, FLOWS, HORIZON, STEP, STEPS, Totals
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy

Rows = dict[str, np.ndarray[Any, Any]]


def make_file(**keys: Any) -> LadderFile:
    """A small ladder in which everything happens: newcomers, leavers, timeouts, casual tables."""
    keys = {"games": 1_200} | keys
    return LadderFile(
        name="small",
        warm_up=0.25,
        presets=("mahjongo",),
        tables=(
            TableTable(name="ranked", clock="bullet", share=0.8),
            TableTable(name="casual", kind="casual", share=0.2),
        ),
        groups=(
            GroupTable(name="anchors", strategy="shanten", players=6, anchor=True),
            GroupTable(
                name="regulars",
                strategy="ukeire",
                players=14,
                leaving=Leaving(probability=0.1, replaced=True),
                connection=Connection(drops_per_hour=3),
            ),
            GroupTable(
                name="slow",
                strategy="isolation",
                players=0,
                newcomers_per_day=2,
                leaving=Leaving(probability=0.1, per_400_below=0.3),
                think=Think(turn=3.0, spread=0.8),
            ),
        ),
        **keys,
    )


@cache
def play(system: str, **keys: Any) -> tuple[LadderFile, RatingSystem, Replication, Rows]:
    file, rating = make_file(**keys), parse_system(system)
    strategies = [load_strategy(group.strategy) for group in file.groups]
    replication = Replication(file, compile_rules(load_preset("mahjongo")), rating, strategies, 0)
    rows = [step.games for step in replication.run() if step.games is not None]
    return file, rating, replication, dict(zip(GAME_COLUMNS, np.concatenate(rows, axis=1), strict=True))


def account(system: str, batch: int | None = None, **keys: Any) -> Totals:
    file, rating, replication, rows = play(system, **keys)
    book = Account(file, rating)
    size = batch or len(rows["player"])
    for at in range(0, len(rows["player"]), size):
        book.add({name: values[at : at + size] for name, values in rows.items()})
    return close(book, replication)


def tables_of(rows: Rows, *, is_ranked: bool = True) -> list[tuple[float, list[dict[str, int]]]]:
    """Tables with how many games had ended before, each with its four rows."""
    found = []
    for game in range(len(rows["player"]) // 4):
        four = [{name: int(values[4 * game + seat]) for name, values in rows.items()} for seat in range(4)]
        if (four[0]["table"] == 0) == is_ranked:
            found.append((game, four))
    return found


@pytest.mark.parametrize("system", ["elo{floor=1450}", "glicko2", "tenhou", "plackett_luce"])
def test_every_point_is_explained_by_a_cause(system: str) -> None:
    totals = account(system)
    assert totals.breaks == 0
    assert totals.end - totals.start == int(totals.flows.sum())
    flows = dict(zip(FLOWS, totals.flows.tolist(), strict=True))
    assert abs(flows["rounding"]) < 1_000  # less than a point in all
    assert flows["entry"] > 0
    assert flows["exit"] < 0
    assert (flows["floor"] > 0) == ("floor" in system)


@pytest.mark.parametrize("keys", [{}, {"games": None, "days": 9}])
def test_causes_explain_the_points_at_every_checkpoint(keys: dict[str, Any]) -> None:
    totals = account("elo{floor=1450}", **keys)
    assert totals.ledgers.shape == (CHECKPOINTS + 1, len(FLOWS))
    assert (totals.start + totals.ledgers.sum(axis=1)).tolist() == totals.sums.sum(axis=1).tolist()
    assert totals.ledgers[0].tolist() == [0] * len(FLOWS)
    assert totals.ledgers[-1, 2:].tolist() == totals.flows[2:].tolist()
    assert len(set(totals.ledgers[:, FLOWS.index("exit")].tolist())) > 3  # leavers go now and then, not all at the end


def test_sums_of_another_version_are_refused() -> None:
    data = account("elo").to_data()
    del data["ledgers"]
    with pytest.raises(ResultsError, match="another version"):
        Totals.from_data(data)


def test_causes_are_those_of_each_table() -> None:
    _, rating, _, rows = play("elo{floor=1450}")
    sums: dict[str, int] = defaultdict(int)
    played: dict[int, int] = defaultdict(int)
    for _, four in tables_of(rows):
        price = sum(row["rating_cost"] for row in four)
        made = sum(row["created"] for row in four) + price
        young = any(played[row["player"]] < getattr(rating, "provisional_games") for row in four)  # noqa: B009
        sums["provisional" if young else "unequal weights"] += made
        sums["timeouts"] -= price
        sums["floor"] += sum(row["floored"] for row in four)
        for row in four:
            played[row["player"]] += 1
    totals = account("elo{floor=1450}")
    for cause in ("provisional", "unequal weights", "timeouts", "floor"):
        assert totals.flows[FLOWS.index(cause)] == sums[cause], cause
    assert sums["timeouts"] != 0


def test_equal_k_makes_nothing() -> None:
    totals = account("elo{k_provisional=24}")
    flows = dict(zip(FLOWS, totals.flows.tolist(), strict=True))
    assert flows["provisional"] == flows["unequal weights"] == flows["floor"] == 0
    assert abs(flows["timeouts"]) < 100  # the rounding of its two parts


@pytest.mark.parametrize("batch", [4, 92, 4000])
@pytest.mark.parametrize("keys", [{}, {"games": None, "days": 9}])
def test_how_rows_come_does_not_matter(batch: int, keys: dict[str, Any]) -> None:
    whole, parts = account("elo", **keys).to_data(), account("elo", batch, **keys).to_data()
    assert parts == whole
    assert len(whole["when"]) == CHECKPOINTS + 1


def test_plain_data_reads_back() -> None:
    totals = account("elo")
    again = Totals.from_data(totals.to_data())
    assert again.to_data() == totals.to_data()
    assert again.flows.dtype == np.int64


def test_pairs_careers_and_noise_are_those_of_the_rows() -> None:
    file, _, replication, rows = play("elo")
    totals = account("elo")
    duels, scores = np.zeros((3, 3), dtype=int), np.zeros((3, 3), dtype=int)
    classes = np.zeros((2, 3, STEPS), dtype=int)
    bands: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    careers: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for game, four in tables_of(rows):
        progress = game / (file.games or 1)
        for one in four:
            careers[one["player"]].append((progress, one["rating"]))
            if progress < 0.25:
                continue
            band = bands[one["rating"] // (1000 * BAND)]
            band[0] += 1
            band[1] += one["wait"]
            band[2] = max(band[2], one["wait"])
            band[3] += one["gap"]
            for other in four:
                if other is one:
                    continue
                score = 1 + (one["points"] > other["points"]) - (one["points"] < other["points"])
                duels[one["group"], other["group"]] += 1
                scores[one["group"], other["group"]] += score
                gap = one["rating"] - other["rating"]
                if gap > 0 or (gap == 0 and one["seat"] < other["seat"]):
                    classes[int(progress >= 0.625), score, min(gap // (1000 * STEP), STEPS - 1)] += 1
    assert totals.duels.tolist() == duels.tolist()
    assert totals.scores.tolist() == scores.tolist()
    assert totals.classes.tolist() == classes.tolist()
    assert {band for band in range(31) if totals.bands[0, band]} == set(bands)
    assert all(totals.bands[:, band].tolist() == sums for band, sums in bands.items())
    joined = {who: int(replication.players[who]["joined"]) for who in careers}
    for group in range(3):
        mine = [who for who in careers if int(replication.players[who]["group"]) == group]
        new = [who for who in mine if joined[who] > 0 and len(careers[who]) >= HORIZON]
        assert totals.newcomers[group] == len(new)
        for number in range(HORIZON):
            assert totals.careers[group, number] == sum(careers[who][number][1] for who in new)
        square, freedom = 0.0, 0
        for who in mine:
            settled = [rating / 1000 for progress, rating in careers[who][HORIZON:] if progress >= 0.25]
            if len(settled) >= 20:
                first = next(n for n, (progress, _) in enumerate(careers[who]) if n >= HORIZON and progress >= 0.25)
                when = np.arange(first, first + len(settled))
                square += float(((np.array(settled) - np.polyval(np.polyfit(when, settled, 1), when)) ** 2).sum())
                freedom += len(settled) - 2
        assert totals.freedoms[group] == freedom
        assert totals.deviations[group] == pytest.approx(square, rel=1e-6)
    assert totals.freedoms.sum() > 0


def test_what_timeouts_cost_is_told_by_whose_they_were() -> None:
    _, _, _, rows = play("elo")
    count, points, rating = defaultdict(int), defaultdict(int), defaultdict(int)
    for _, four in tables_of(rows):
        for row in four:
            count[row["group"]] += row["priced"] * (row["slow"] + row["offline"])
            points[row["group"]] += row["priced"] * (row["slow_cost"] + row["offline_cost"])
            rating[row["group"]] += row["priced"] * (row["slow_rating"] + row["offline_rating"])
        out = [row for row in four if row["slow"] + row["offline"] > 0]
        weights = [row["priced"] for row in four if row["priced"]]
        assert weights == [1] if len(out) == 1 else weights in ([], [4])  # alone it is told, of several one is drawn
    totals = account("elo")
    assert totals.timeouts[2:].tolist() == [[of[group] for group in range(3)] for of in (count, points, rating)]
    assert totals.timeouts[0].sum() > 0
    assert totals.timeouts[1].sum() > 0


def rows_of(groups: list[GroupTable], games: int) -> list[list[dict[str, int]]]:
    file = LadderFile(
        name="timed", games=games, presets=("mahjong-planet",), tables=(TableTable(name="t", clock="bullet"),),
        groups=tuple(groups),
    )  # fmt: skip
    strategies = [load_strategy(group.strategy) for group in groups]
    replication = Replication(file, compile_rules(load_preset("mahjong-planet")), parse_system("elo"), strategies, 0)
    parts = [step.games for step in replication.run() if step.games is not None]
    assert int(replication.ladders[0].again) <= 3 * games
    return [four for _, four in tables_of(dict(zip(GAME_COLUMNS, np.concatenate(parts, axis=1), strict=True)))]


def test_who_alone_runs_out_of_time_pays_all_of_it() -> None:
    groups = [
        GroupTable(name="slow", strategy="shanten", players=3, think=Think(turn=3.0)),
        GroupTable(name="quick", strategy="shanten", players=9, think=Think(opening=0, turn=0, claim=0)),
    ]
    tables = [four for four in rows_of(groups, 400) if sum(row["group"] == 0 for row in four) == 1]
    priced = [row for four in tables for row in four if row["priced"]]
    assert len(priced) > 50
    for row in priced:
        assert (row["group"], row["priced"], row["offline_cost"], row["offline_rating"]) == (0, 1, 0, 0)
        assert row["rating_cost"] == row["slow_rating"]
    assert any(row["slow_cost"] for row in priced)


def test_timeouts_have_a_price_where_everybody_has_them() -> None:
    """At a table of equals what everybody's timeouts cost is nothing in sum; what one's own cost is not."""
    groups = [GroupTable(name="all", strategy="shanten", players=16, think=Think(opening=8, turn=4, claim=2))]
    tables = rows_of(groups, 800)
    assert sum(row["slow"] for four in tables for row in four) > 4 * 4 * 800
    costs = np.array([row["slow_cost"] for four in tables for row in four if row["priced"]])
    assert costs.mean() > 4 * costs.std() / len(costs) ** 0.5
    ratings = np.array([row["slow_rating"] for four in tables for row in four if row["priced"]])
    assert ratings.mean() > 4 * ratings.std() / len(ratings) ** 0.5


def test_pools_at_checkpoints_are_those_that_were_there() -> None:
    file, _, replication, rows = play("elo")
    totals = account("elo")
    number = 31
    goal = -(-number * (file.games or 0) // CHECKPOINTS)
    assert totals.when[number] == goal
    ratings: dict[int, int] = {}
    for row in range(4 * goal):
        ratings[int(rows["player"][row])] = int(rows["rating"][row] + rows["change"][row])
    now = 1000 * int(rows["ended"][4 * goal - 1])
    sums = np.zeros(3, dtype=int)
    for who in range(int(replication.ladders[0].count_players)):
        player = replication.players[who]
        if int(player["joined"]) <= now and (int(player["left"]) == 0 or int(player["left"]) > now):
            sums[int(player["group"])] += ratings.get(who, 1_500_000)
    assert totals.sums[number].tolist() == sums.tolist()


def test_last_of_finds_the_row_before() -> None:
    found = last_of(np.array([2, 0, 2, 2]), np.array([5, 6, 7, 8]), np.array([1, 2, 3]))
    assert found.tolist() == [3, 1, 5, 7]


def test_skills_are_found_again() -> None:
    truth = np.array([1300.0, 1500.0, 1700.0])
    chance = 1 / (1 + 10 ** ((truth - truth[:, np.newaxis]) / 400))
    duels = np.full((3, 3), 1_000_000)
    found = fit_skills(2 * chance * duels, duels, [1, 2, 1], mean=1500)
    assert found == pytest.approx(truth, abs=0.01)
    moved = fit_skills(2 * chance * duels, duels, [1, 0, 0], mean=1500)
    assert moved == pytest.approx(truth + 200, abs=0.01)


def test_who_never_met_anybody_has_no_skill() -> None:
    duels = np.array([[0, 10, 0], [10, 0, 0], [0, 0, 50]])
    found = fit_skills(np.array([[0, 20, 0], [0, 0, 0], [0, 0, 50]]), duels, [1, 1, 1], mean=1500)
    assert np.isnan(found[2])
    assert np.isfinite(found[:2]).all()  # one that always lost has one too
    assert found[0] - found[1] > 200
    assert fit_skills([[10]], [[10]], [4], mean=1500).tolist() == [1500]


def test_groups_that_play_alike_have_one_skill() -> None:
    groups = [
        GroupTable(name="anchors", strategy="ukeire", players=2, anchor=True),
        GroupTable(name="others", strategy="ukeire", players=6),
        GroupTable(name="weak", strategy="isolation", players=4),
        GroupTable(name="late", strategy="ukeire", players=4, think=Think(turn=9.0)),
    ]
    kinds = kinds_of(groups)
    assert kinds.tolist() == [0, 0, 2, 3]
    duels = np.array([[0, 300, 500, 90], [300, 0, 900, 80], [500, 900, 0, 70], [90, 80, 70, 0]])
    scores = duels.astype(float)  # two for each win
    scores[0, 2], scores[2, 0] = 700, 300  # the anchors met the weak ones at worse tables
    scores[1, 2], scores[2, 1] = 1300, 500
    skills = fit_kinds(scores, duels, [2, 6, 4, 4], kinds, mean=1500.0)
    assert skills[0] == skills[1]
    apart = fit_skills(scores, duels, [2, 6, 4, 4], mean=1500.0)
    assert apart[0] != pytest.approx(apart[1], abs=1)
    assert float(np.average(skills, weights=[2, 6, 4, 4])) == pytest.approx(1500.0)
    assert fit_kinds(scores, duels, [2, 6, 4, 4], np.zeros(4, dtype=int), mean=1500.0).tolist() == [1500.0] * 4


def test_the_interval_of_a_skill_is_that_of_repeated_ladders() -> None:
    """Pseudo-values vary over replications as much as says how far the skill of all of them is off."""
    draw = np.random.default_rng(5)
    chance, pairs, replications = 1 / (1 + 10 ** (-150 / 400)), 400, 10
    kinds, covered, trials = np.array([0, 1]), 0, 200
    duels = np.tile(pairs * (1 - np.eye(2)), (replications, 1, 1))
    for _ in range(trials):
        wins = draw.binomial(pairs, chance, replications)
        scores = np.zeros((replications, 2, 2))
        scores[:, 0, 1], scores[:, 1, 0] = 2 * wins, 2 * (pairs - wins)
        skills, pseudo = jackknife_skills(scores, duels, [1, 1], kinds, mean=1500.0)
        found = interval_over(pseudo[:, 0])
        assert found.half_width is not None
        assert found.value == pytest.approx(skills[0], abs=1.0)
        covered += abs(found.value - 1575.0) <= found.half_width
    assert 0.90 * trials <= covered <= 0.99 * trials
    one, alone = jackknife_skills(scores[:1], duels[:1], [1, 1], kinds, mean=1500.0)
    assert alone.tolist() == [one.tolist()]
