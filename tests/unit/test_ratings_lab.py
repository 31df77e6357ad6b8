"""The rating lab: streams from files and run folders, and measures of streams whose answers are known."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sim.errors import ConfigError
from sim.ladder.lab import (
    MEASURES,
    begin_all,
    careers_of,
    compare_systems,
    final_ratings,
    losses_beyond_best,
    measure,
    replay,
)
from sim.ladder.measures import interval_over, predictive_loss
from sim.ladder.recorded import label_slots, read_recorded, read_streams
from sim.ladder.stream import Stream
from sim.ladder.systems import SYSTEMS, parse_system, read_systems

SMALL = "game,player,points\n7,ann,5\n7,bob,1\n7,cy,1\n7,dee,-7\n3,dee,2\n3,cy,2\n3,bob,2\n3,ann,-6\n"


def write(folder: Path, text: str, name: str = "games.csv") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def play(games: int, players: int, seed: int, spread: float = 250.0) -> Stream:
    """A stream of players whose results follow Elo's curve, with true ratings."""
    draw = np.random.default_rng(seed)
    truths = 1500 + spread * np.linspace(-1, 1, players)
    who = np.array([draw.permutation(players)[:4] for _ in range(games)])
    times = draw.exponential(size=(games, 4)) / 10 ** (truths[who] / 400)
    points = (times[:, :, None] < times[:, None, :]).sum(axis=2)
    return Stream(tuple(f"p{player:02}" for player in range(players)), who, points.astype(np.int64), truths)


def test_a_file_of_games(tmp_path: Path) -> None:
    (stream,) = read_streams(write(tmp_path, SMALL))
    assert stream.names == ("ann", "bob", "cy", "dee")
    assert stream.players.tolist() == [[0, 1, 2, 3], [3, 2, 1, 0]]  # in the order of the file
    assert stream.points.tolist() == [[3, 1, 1, 0], [1, 1, 1, 0]]
    assert np.isnan(stream.truths).all()


def test_places_truths_and_replications(tmp_path: Path) -> None:
    text = "replication,game,player,place,truth\n"
    for replication in ("x", "y"):
        for game in (1, 2):
            for place, player in enumerate("abcd", start=1):
                truth = 1500 if player == "a" else ""
                text += f"{replication},{game},{player},{place if game == 1 else 5 - place},{truth}\n"
    file = write(tmp_path, text)
    first, second = read_streams(file)
    assert first.players.tolist() == second.players.tolist() == [[0, 1, 2, 3]] * 2
    assert first.points.tolist() == [[3, 2, 1, 0], [0, 1, 2, 3]]
    assert first.truths[0] == 1500
    assert np.isnan(first.truths[1:]).all()
    pl.read_csv(file).write_parquet(tmp_path / "games.parquet")
    again = read_streams(tmp_path / "games.parquet")
    assert [stream.points.tolist() for stream in again] == [first.points.tolist(), second.points.tolist()]


@pytest.mark.parametrize("places", ["1134", "1.5,1.5,3,4", "2234", "1123", "1111", "4444", "2.5,2.5,2.5,2.5"])
def test_ties_are_written_in_several_ways(places: str, tmp_path: Path) -> None:
    values = places.split(",") if "," in places else list(places)
    lines = [f"1,p{seat},{value}" for seat, value in enumerate(values)]
    (stream,) = read_streams(write(tmp_path, "\n".join(["game,player,place", *lines])))
    expected = [3, 3, 3, 3] if len(set(values)) == 1 else [2, 2, 1, 0]
    assert [int(value) for value in stream.points[0]] == ([0] * 4 if len(set(values)) == 1 else expected)


def test_games_that_are_not_ranked_are_left_out(tmp_path: Path) -> None:
    lines = SMALL.splitlines()
    rows = [f"{line},{'TRUE' if line.startswith('7') else 0}" for line in lines[1:]]
    file = write(tmp_path, "\n".join([f"{lines[0]},ranked", *rows]))
    found = read_recorded(file)
    (stream,) = found.streams
    assert stream.points.tolist() == [[3, 1, 1, 0]]
    assert found.notes == ("1 game that is not ranked left out",)
    with pytest.raises(ConfigError, match=r'row 2: ranked: came "perhaps"; allowed: true or false'):
        read_streams(write(tmp_path, "\n".join([f"{lines[0]},ranked", rows[0], rows[1][:-4] + "perhaps", *rows[2:]])))
    with pytest.raises(ConfigError, match="row 1: game 7: ranked: came both true and false"):
        read_streams(write(tmp_path, "\n".join([f"{lines[0]},ranked", rows[0], rows[1][:-4] + "false", *rows[2:]])))
    with pytest.raises(ConfigError, match="no ranked games in it"):
        read_streams(write(tmp_path, "\n".join([f"{lines[0]},ranked", *rows[4:]])))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game,player\n1,a\n", "column points or place is missing"),
        ("gane,player,points\n1,a,1\n", "column game is missing; should it be gane?"),
        (SMALL + "9,ann,1\n", "row 9: game 9: came 1 row; allowed: four players, each once"),
        (SMALL + "9,ann,1\n9,ann,2\n9,bob,3\n9,cy,4\n", "row 9: game 9: came 3 different players"),
        (SMALL + "9,ann,\n", "row 9: points: missing"),
        (SMALL + "9,,3\n", "row 9: player: missing"),
        (SMALL + ",ann,3\n", "row 9: game: missing"),
        ("game,player,points\n1,a,3\n1,b,x\n", 'row 2: points: came "x"; allowed: a number'),
        ("game,player,points\n1,a,3\n1,b,nan\n", 'row 2: points: came "nan"; allowed: a number'),
        ("game,player,place\n1,a,1\n1,b,inf\n", 'row 2: place: came "inf"; allowed: a number'),
        ("game,player,points,truth\n1,a,3,\n1,b,2,1500?\n", 'row 2: truth: came "1500?"; allowed: a number'),
        (
            "game,player,place\n1,a,1\n1,b,2\n1,c,3\n1,d,7\n",
            'row 4: place: came "7"; allowed: 1 to 4, the best first, equal ones sharing',
        ),
        ("game,player,place\n1,a,3\n1,b,3\n1,c,4\n1,d,4\n", 'row 1: place: came "3"'),
        (
            "game,player,points,place\n1,a,9,1\n1,b,5,3\n1,c,6,2\n1,d,0,4\n2,a,9,2\n2,b,5,1\n2,c,6,3\n2,d,0,4\n",
            'row 5: place: came "2"; allowed: what the points make of it, 1',
        ),
        (
            "game,player,points\n1,a,1\n1,b,1\n2,a,1\n2,b,1\n1,c,1\n1,d,1\n2,c,1\n2,d,1\n",
            "row 5: game 1 goes on after rows of other games",
        ),
        ("cell,game,player,points\n0,1,a,1\n1,1,b,1\n", "column cell: came several"),
        ("game,player,points\n", "no games in it"),
        ("", "cannot be read"),
        (
            "game,player,place,truth\n1,a,1,5\n1,b,2,5\n1,c,3,5\n1,d,4,5\n2,a,1,6\n2,b,2,5\n2,c,3,5\n2,d,4,5\n",
            'row 5: truth: player "a" has more than one true rating',
        ),
    ],
)
def test_wrong_files(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_streams(write(tmp_path, text))
    assert said in str(caught.value)
    assert "games.csv" in str(caught.value)


def test_small_types_and_what_is_no_number(tmp_path: Path) -> None:
    frame = pl.DataFrame({"game": [1] * 4, "player": [4, 3, 2, 1], "place": pl.Series([1, 2, 2, 4], dtype=pl.UInt8)})
    file = tmp_path / "games.parquet"
    frame.write_parquet(file)
    (stream,) = read_streams(file)
    assert stream.names == ("1", "2", "3", "4")
    assert stream.players.tolist() == [[3, 2, 1, 0]]
    assert stream.points.tolist() == [[3, 1, 1, 0]]
    frame.with_columns(place=pl.Series([1.0, math.nan, 3, 4])).write_parquet(file)
    with pytest.raises(ConfigError, match="row 2: place: came nan; allowed: a number"):
        read_streams(file)
    frame.with_columns(player=pl.Series([[1], [2], [3], [4]])).write_parquet(file)
    with pytest.raises(ConfigError, match="column player: allowed: numbers or texts"):
        read_streams(file)


def test_no_file_wrong_kind_and_options_of_runs(tmp_path: Path) -> None:
    file = write(tmp_path, SMALL)
    with pytest.raises(ConfigError, match=r"did you mean games\.csv"):
        read_streams(tmp_path / "game.csv")
    with pytest.raises(ConfigError, match="there is no such file or run folder"):
        read_streams(tmp_path / "elsewhere" / "run")
    with pytest.raises(ConfigError, match=r"ends in \.csv or \.parquet"):
        read_streams(write(tmp_path, SMALL, "games.txt"))
    with pytest.raises(ConfigError, match="this is a file"):
        read_streams(file, preset="mahjongo")
    with pytest.raises(ConfigError, match="no run folder"):
        read_streams(tmp_path)
    (tmp_path / "broken.parquet").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_streams(tmp_path / "broken.parquet")


def test_a_run_folder_is_a_stream(tmp_path: Path) -> None:
    from sim import Experiment, run

    experiment = Experiment(
        name="lab",
        seed=5,
        walls=3,
        presets=["mahjongo", "mahjong-planet"],
        line_ups=[
            {"name": "two", "strategies": ["isolation", "random"]},
            {"name": "four", "strategies": ["random", "isolation", "first_legal", "shanten"]},
        ],
    )
    result = run(experiment, out=tmp_path / "run", progress=False)
    with pytest.raises(ConfigError, match="choose one with --preset: mahjongo or mahjong-planet"):
        read_streams(tmp_path / "run")
    with pytest.raises(ConfigError, match="did you mean four"):
        read_streams(tmp_path / "run", line_up="fore")
    (stream,) = read_streams(tmp_path / "run", preset="mahjongo")
    assert stream.names == ("first_legal", "isolation", "random", "random 2", "random 3", "shanten")
    assert stream.games == 3 * (4 + 24)
    (two,) = read_streams(tmp_path / "run", preset="mahjongo", line_up="two")
    rows = result.seats().filter(pl.col("cell") == 0).sort("wall", "seating", "slot").collect()
    own = rows["points"].to_numpy().reshape(-1, 4)
    assert two.games == 12
    for place, numbers in enumerate(own):
        assert np.array_equal(np.argsort(two.points[place], kind="stable"), np.argsort(numbers, kind="stable"))
    assert two.players.tolist() == [[0, 1, 2, 3]] * 12


def test_slots_have_names_of_their_own() -> None:
    assert label_slots(["a", "b", "a", "a"]) == ["a", "b", "a 2", "a 3"]


def test_careers_are_the_ratings_before_own_games() -> None:
    stream = Stream(
        tuple("abcde"),
        np.array([[0, 1, 2, 3], [4, 1, 2, 3], [0, 4, 3, 2]]),
        np.array([[3, 2, 1, 0], [3, 2, 1, 0], [3, 2, 1, 0]]),
        np.full(5, np.nan),
    )
    found = replay(parse_system("elo{k_provisional=24}"), stream)
    careers = careers_of(stream, found)
    assert [len(career) for career in careers] == [3, 3, 4, 4, 3]
    assert careers[0][:2].tolist() == [1500, 1512]
    assert careers[4][0] == 1500
    for player, career in enumerate(careers):
        assert career[-1] == found.states[player, 0]
    assert found.watched[-1].tolist() == found.states[:, 0].tolist()
    assert found.times.tolist() == [1, 2, 3]


def test_measures_of_a_known_stream() -> None:
    stream = play(6000, 12, seed=1)
    system = parse_system("elo{k=24}")
    found = measure(system, stream, orders=12, seed=1)
    assert set(found) == set(MEASURES)
    assert found["slope"] == pytest.approx(1, abs=0.12)
    assert found["correlation"] > 0.97
    assert found["intercept"] == pytest.approx(0, abs=1)
    assert found["scale"] == pytest.approx(400, rel=0.1)
    assert found["noise"] == pytest.approx(34, rel=0.25)  # sqrt(48.25 · 24) among equals
    assert found["order"] == pytest.approx(34, rel=0.35)
    assert found["half_life"] == pytest.approx(8, rel=0.6)  # provisional K is 64 at first
    whole = replay(system, stream)
    assert found["log_loss"] == pytest.approx(predictive_loss(whole.before, stream.points).log_loss)
    assert found["log_loss"] < math.log(2) - 0.1
    true_pairs = predictive_loss(stream.truths[stream.players], stream.points, scale=400)
    assert true_pairs.log_loss < found["log_loss"] < true_pairs.log_loss + 0.03
    assert found["created"] == pytest.approx(1000 * (whole.states[:, 0].sum() - 12 * 1500) / 6000)


def test_drift_shows_points_that_are_made() -> None:
    """A table that gives each of its four one point too many pushes the mean of twelve players up by 4/12 a game."""
    stream = play(3000, 12, seed=2, spread=1e-6)
    even = parse_system("tenhou{fade=0,last_weight=1}")
    kept = measure(even, stream, orders=0, seed=1)
    pushed = measure(even.changed(first=31, second=11, third=-9, fourth=-29), stream, orders=0, seed=1)
    assert kept["drift"] == pytest.approx(0, abs=1e-6)
    assert kept["order"] is None
    assert pushed["created"] == pytest.approx(4000)
    assert pushed["drift"] == pytest.approx(4000 / 12, rel=1e-6)


def test_little_is_told_of_little() -> None:
    stream = Stream(tuple("abcd"), np.array([[0, 1, 2, 3]]), np.array([[3, 2, 1, 0]]), np.full(4, np.nan))
    found = measure(parse_system("elo"), stream, orders=0, seed=1)
    assert [key for key, value in found.items() if value is not None] == ["spread", "created"]


def test_replications_give_intervals() -> None:
    streams = [play(400, 8, seed=seed) for seed in range(3)]
    systems = {name: parse_system(name) for name in SYSTEMS}
    table = compare_systems(systems, streams, orders=3)
    for name, system in systems.items():
        singles = [measure(system, stream, orders=3, seed=1)["spread"] for stream in streams]
        assert table[name]["spread"] == interval_over(singles)
    finals = final_ratings(systems, streams[0])
    assert list(finals) == list(systems)
    assert [len(numbers) for numbers in finals.values()] == [8] * 4


def test_newcomers_of_every_system() -> None:
    for name in SYSTEMS:
        system = parse_system(f"{name}{{start=1200}}")
        states = begin_all(system, 2)
        assert states[:, 0].tolist() == [1200, 1200]
        assert (states[:, 1] > 0).all() == (name in {"glicko2", "plackett_luce"})
        assert (states[:, 2] > 0).all() == (name == "glicko2")


def test_the_difference_of_losses_is_paired_by_game_and_has_an_interval_where_there_are_games_enough() -> None:
    draw = np.random.Generator(np.random.Philox(3))
    names = tuple("abcdef")
    players = np.array([draw.permutation(6)[:4] for _ in range(4000)])
    points = players * 10 + draw.integers(0, 40, players.shape)
    stream = Stream(names, players, points, np.full(6, np.nan))
    systems = read_systems(["elo{k=24}", "elo{k=24.001}", "elo{k=300}"])
    found = losses_beyond_best(systems, [stream])
    losses = {name: measure(system, stream, orders=0, seed=1)["log_loss"] for name, system in systems.items()}
    best = min(losses, key=lambda name: losses[name] or 0.0)
    for name, loss in losses.items():
        assert found[name].value == pytest.approx((loss or 0.0) - (losses[best] or 0.0), abs=1e-12)
    assert found[best].half_width is None
    near, far = (found[name] for name in systems if name != best)
    assert far.half_width is not None
    assert 0 < far.half_width < far.value  # paired: K of 300 is surely worse
    assert near.half_width is None or near.half_width < 1e-3
    few = Stream(names, players[:30], points[:30], stream.truths)
    assert all(one.half_width is None for one in losses_beyond_best(systems, [few]).values())
    over = losses_beyond_best(
        systems, [stream, Stream(names, players[::-1].copy(), points[::-1].copy(), stream.truths)]
    )
    assert all(one.count == 2 for one in over.values())
