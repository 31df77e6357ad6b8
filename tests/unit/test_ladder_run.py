"""A small ladder from end to end: what must hold in its rows, and that its bytes depend on nothing but the plan."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sim import Ladder, LadderFile, open_ladder, open_run, resume_ladder, run_ladder
from sim.errors import ConfigError, IllegalActionError, ResultsError
from sim.ladder.lab import replay
from sim.ladder.loop import GAME_COLUMNS
from sim.ladder.recorded import read_recorded
from sim.ladder.runner import JobPlayer
from sim.ladder.simulate import in_thousandths
from sim.tournament.interrupt import Interrupted

ROOT = Path(__file__).parents[2]
LADDER: dict[str, Any] = {
    "name": "small",
    "games": 120,
    "replications": 2,
    "snapshots": 6,
    "presets": ["mahjong-planet", "mahjongo"],
    "ratings": ["elo{floor=1450}", "glicko2"],
    "tables": [
        {"name": "ranked", "clock": "bullet", "share": 0.75},
        {"name": "fun", "kind": "casual", "clock": "untimed", "format": "rounds", "rounds": 1, "share": 0.25},
    ],
    "groups": [
        {"name": "anchors", "strategy": "isolation", "players": 8, "anchor": True, "session": {"gap_hours": 1}},
        {
            "name": "others",
            "strategy": "first_legal",
            "players": 8,
            "newcomers_per_day": 20,
            "session": {"gap_hours": 1, "games": 3, "patience": 300},
            "connection": {"drops_per_hour": 20},
            "leaving": {"probability": 0.2, "replaced": True},
            "think": {"turn": 3.0},
        },
    ],
}
"""All that can happen, in little time."""


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    return run_ladder(LADDER, out=tmp_path_factory.mktemp("ladder") / "run", workers=2)


@pytest.fixture(scope="module")
def games(ladder: Ladder) -> pl.DataFrame:
    return ladder.games().collect()


def tables(games: pl.DataFrame) -> pl.DataFrame:
    return games.group_by("cell", "replication", "game", maintain_order=True).agg(pl.all())


def test_points_and_places(games: pl.DataFrame) -> None:
    sums = games.group_by("cell", "replication", "game").agg(
        pl.col("points", "place").sum(), pl.len(), pl.col("player").n_unique().alias("who")
    )
    assert sums["points"].unique().to_list() == [0]
    assert sums.select("place", "len", "who").unique().rows() == [(20, 4, 4)]
    assert len(sums) == 4 * 2 * 120


def test_ratings_are_their_start_and_all_changes(ladder: Ladder, games: pl.DataFrame) -> None:
    keys = ["cell", "replication", "player"]
    changes = games.group_by(keys).agg(pl.col("change").sum(), pl.col("slow", "offline", "drops", "points").sum())
    both = (
        ladder.players()
        .join(changes, on=keys, how="left", suffix="_games")
        .with_columns(pl.col("change", "slow_games", "offline_games", "drops_games", "points_games").fill_null(0))
    )
    assert (both["rating"] == 1_500_000 + both["change"]).all()
    for name in ("slow", "offline", "drops", "points"):
        assert (both[name] == both[f"{name}_games"]).all()
    after = games.sort("cell", "replication", "player", "game").with_columns(
        (pl.col("rating") + pl.col("change")).shift(1).over(keys).alias("before")
    )
    assert after.filter(pl.col("before").is_not_null() & (pl.col("before") != pl.col("rating"))).is_empty()


def test_nobody_is_at_two_tables(games: pl.DataFrame) -> None:
    order = games.sort("cell", "replication", "player", "began")
    last = order.with_columns(pl.col("ended").shift(1).over("cell", "replication", "player").alias("until"))
    assert last.filter(pl.col("until") > pl.col("began")).is_empty()


def test_casual_tables_never_rate_and_have_no_clock(games: pl.DataFrame) -> None:
    fun, ranked = games.filter(pl.col("table") == "fun"), games.filter(pl.col("table") == "ranked")
    assert len(fun) > 100
    costs = ("slow_cost", "offline_cost", "slow_rating", "offline_rating", "rating_cost")
    for name in ("change", "created", "floored", "slow", "offline", "priced", *costs):
        assert fun[name].abs().sum() == 0, name
        assert ranked[name].abs().sum() > 0, name
    assert fun["deals"].unique().to_list() == [4]
    assert ranked["deals"].unique().to_list() == [1]


def test_rows_say_what_was_ranked(games: pl.DataFrame) -> None:
    assert games.select("table", "ranked").unique().sort("ranked").rows() == [("fun", False), ("ranked", True)]


def test_the_lab_makes_the_same_ratings_of_the_same_games(ladder: Ladder) -> None:
    """To the last bit: the same games in the same order by the same kernels, casual ones left out."""
    players, games = ladder.players(), ladder.games().collect()
    for cell in ladder.plan.cells:
        recorded = read_recorded(f"{ladder.path}@{cell.preset}@{cell.rating}")
        own = games.filter(pl.col("cell") == cell.index)
        casual = len(own.filter(~pl.col("ranked"))) // 4
        assert recorded.notes == (f"{casual} casual games left out: they never rate",)
        assert recorded.systems == {cell.rating: ladder.plan.systems[cell.rating]}
        for number, stream in enumerate(recorded.streams):
            found = replay(recorded.systems[cell.rating], stream).states[:, 0]
            ends = players.filter(
                (pl.col("cell") == cell.index) & (pl.col("replication") == number) & (pl.col("ranked") > 0)
            ).sort("player")
            assert [name.split()[-1] for name in stream.names] == [str(player) for player in ends["player"]]
            assert in_thousandths(found).tolist() == ends["rating"].to_list()
            assert 4 * stream.games == ends["ranked"].sum()


def test_the_lab_reads_a_file_of_a_ladder(ladder: Ladder, tmp_path: Path) -> None:
    cell = ladder.plan.cells[0]
    (whole, _) = read_recorded(f"{ladder.path}@{cell.preset}@{cell.rating}").streams
    recorded = read_recorded(ladder.path / "games" / "000-00000.parquet")
    (stream,) = recorded.streams
    assert sorted(stream.names) == sorted(name.split()[-1] for name in whole.names)
    assert stream.points.tolist() == whole.points.tolist()
    assert "not ranked left out" in recorded.notes[0]
    ladder.games().filter(pl.col("cell") == 3).collect().write_csv(tmp_path / "games.csv")
    assert len(read_recorded(tmp_path / "games.csv").streams) == 2
    ladder.games().collect().write_csv(tmp_path / "games.csv")
    with pytest.raises(ConfigError, match="column cell: came several"):
        read_recorded(tmp_path / "games.csv")


def test_the_lab_says_which_cells_there_are(ladder: Ladder, tmp_path: Path) -> None:
    cells = rf"{ladder.path}@mahjongo@elo\{{floor=1450}} or {ladder.path}@mahjongo@glicko2"
    with pytest.raises(ConfigError, match=f"has 2 cells, each with games of its own; choose one: {cells}"):
        read_recorded(ladder.path, preset="mahjongo")
    with pytest.raises(ConfigError, match='there is no rating system "glicko"; did you mean glicko2'):
        read_recorded(f"{ladder.path}@mahjongo@glicko")
    with pytest.raises(ConfigError, match="this is a ladder"):
        read_recorded(ladder.path, line_up="x")
    with pytest.raises(ConfigError, match="there is no such file or run folder"):
        read_recorded(f"{tmp_path}/none@mahjongo@elo")


def test_floor_holds_and_is_accounted_for(games: pl.DataFrame) -> None:
    elo = games.filter(pl.col("system") == "elo{floor=1450}", pl.col("table") == "ranked")
    assert (elo["rating"] + elo["change"]).min() == 1_450_000
    rest = elo.group_by("cell", "replication", "game").agg(
        (pl.col("change") - pl.col("created") - pl.col("floored")).sum().alias("rest")
    )
    assert rest["rest"].abs().max() <= 6  # thousandths: rounding


def test_costs_are_only_where_time_ran_out(games: pl.DataFrame) -> None:
    keys = ["cell", "replication", "game"]
    quiet = games.filter((pl.col("slow") + pl.col("offline")).sum().over(keys) == 0)
    assert quiet["rating_cost"].abs().sum() == 0 < len(quiet)
    for cause in ("slow", "offline"):
        mine = pl.col(f"{cause}_cost", f"{cause}_rating")
        for others in (games.filter(pl.col(cause) == 0), games.filter(pl.col("priced") == 0)):
            assert others.select(mine.abs().sum()).row(0) == (0, 0)
        assert 0 not in games.select(mine.abs().sum()).row(0)


def test_one_player_of_a_table_has_a_price_and_stands_for_all(games: pl.DataFrame) -> None:
    is_out = pl.col("slow") + pl.col("offline") > 0
    tables = games.filter(pl.col("table") == "ranked").group_by("cell", "replication", "game").agg(
        is_out.sum().alias("out"), (pl.col("priced") > 0).sum().alias("prices"), pl.col("priced").sum(),
        (is_out & (pl.col("priced") > 0)).sum().alias("own"),
    )  # fmt: skip
    assert tables.filter(pl.col("prices") != pl.col("own")).is_empty()
    many = tables.filter(pl.col("out") > 1)
    assert sorted(many["priced"].unique().to_list()) == [0, 4]
    drawn, expected = (many["priced"] > 0).sum(), (many["out"] / 4).sum()
    assert abs(drawn - expected) < 4 * (len(many) / 4) ** 0.5  # each of the four is drawn as often


def test_same_players_come_in_every_cell(ladder: Ladder) -> None:
    first = ladder.games().collect().filter(pl.col("game") == 0).sort("replication", "cell", "seat")
    for _, rows in first.group_by("replication"):
        assert rows.group_by("cell").agg(pl.col("player")).get_column("player").n_unique() == 1
    assert first["player"].n_unique() > 4  # replications differ


def test_anchors_stay_and_others_go(ladder: Ladder) -> None:
    players = ladder.players()
    anchors = players.filter(pl.col("group") == "anchors")
    assert len(anchors) == 8 * 8
    assert "left" not in anchors["state"].to_list()
    others = players.filter(pl.col("group") == "others")
    gone = others.filter(pl.col("state") == "left")
    assert len(gone) > 0
    assert (gone["left"] >= gone["joined"]).all()
    assert (others["joined"] > 0).sum() >= len(gone)


def test_snapshots(ladder: Ladder, games: pl.DataFrame) -> None:
    ratings = ladder.ratings().collect()
    assert sorted(ratings["snapshot"].unique().to_list()) == list(range(7))
    for number, rows in ratings.group_by("snapshot"):
        assert rows["games"].unique().to_list() == [20 * int(number[0])]
    assert ratings.filter(pl.col("snapshot") == 0)["rating"].unique().to_list() == [1_500_000]
    last = ratings.filter(pl.col("snapshot") == 6).join(ladder.players(), on=["cell", "replication", "player"])
    assert (last["rating"] == last["rating_right"]).all()


def test_sums_agree_with_rows(ladder: Ladder, games: pl.DataFrame) -> None:
    timeouts = ladder.timeouts().filter(pl.col("group") == "others")
    others = games.filter(pl.col("group") == "others")
    for cause in ("slow", "offline"):
        sums, rows = timeouts.filter(pl.col("cause") == cause), others.filter(pl.col(cause) > 0)
        assert sums["timeouts"].sum() == others[cause].sum() > 0
        assert sums["games"].sum() == len(rows)
        assert sums["priced"].sum() == rows["priced"].sum() == sums["ranked"].sum()
        assert sums["points"].sum() == (rows["priced"] * rows[f"{cause}_cost"]).sum()
        assert sums["rating"].sum() == (rows["priced"] * rows[f"{cause}_rating"]).sum()
    queue = ladder.queue()
    assert queue["seats"].sum() == len(games)
    assert queue["wait"].sum() == pytest.approx(games["wait"].sum() / 1000)
    assert queue["gap"].sum() == games["gap"].sum()
    elo = games.filter(pl.col("system") == "elo{floor=1450}", pl.col("replication") == 0, pl.col("table") == "ranked")
    for row in queue.filter(pl.col("system") == "elo{floor=1450}", pl.col("replication") == 0).iter_rows(named=True):
        band = pl.col("rating").is_between(1000 * row["band"], 1000 * row["band"] + 99_999)
        waits = elo.filter(band, pl.col("preset") == row["preset"])["wait"].sort()
        if row["table"] == "ranked":
            assert row["longest"] == waits[-1] / 1000
            for share, name in ((0.5, "half"), (0.9, "ninety")):
                exact = waits[math.ceil(share * len(waits)) - 1] / 1000
                assert exact <= row[name] <= max(1.05 * exact, 0.1), name
                assert row[name] <= row["longest"]
    groups = ladder.groups()
    assert groups["points"].sum() == 0
    assert groups.filter(pl.col("group") == "anchors")["newcomers"].sum() == 0


def files_of(path: Path) -> dict[str, bytes]:
    return {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name not in {"timings.jsonl", ".lock"}
    }


def test_bytes_are_the_same_for_any_number_of_workers(ladder: Ladder, tmp_path: Path) -> None:
    again = run_ladder(LADDER, out=tmp_path / "again", workers=1)
    assert files_of(again.path) == files_of(ladder.path)
    assert again.is_finished


def test_bytes_are_the_same_after_an_interruption(
    ladder: Ladder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, played, play = tmp_path / "again", [], JobPlayer.play

    def interrupt(self: JobPlayer, job: Any, shown: Any, stop: threading.Event) -> Any:
        played.append(job)
        if len(played) == 4:
            os.kill(os.getpid(), signal.SIGINT)
            stop.wait(10)
        return play(self, job, shown, stop)

    monkeypatch.setattr(JobPlayer, "play", interrupt)
    with pytest.raises(Interrupted):
        run_ladder(LADDER, out=out, workers=1)
    monkeypatch.undo()
    stopped = open_ladder(out)
    assert not stopped.is_finished
    kept = [entry.job for entry in stopped.entries()]
    assert [(job.replication, job.cell) for job in kept] == [(0, 0), (0, 1), (0, 2)]
    with (out / "ledger.jsonl").open("ab") as file:
        file.write(b'{"id":"000')
    told: list[str] = []
    assert resume_ladder(out, workers=2, say=told.append).is_finished
    assert any("3 of 8 replications played before" in line for line in told)
    assert files_of(out) == files_of(ladder.path)
    resume_ladder(out, say=told.append)
    assert "finished before" in told[-1]


def test_damaged_and_missing_files_are_named_and_repaired(ladder: Ladder, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(ladder.path, out)
    file = out / "games" / "001-00001.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    (out / "ratings" / "002-00000.parquet").unlink()
    copy = open_ladder(out)
    with pytest.raises(ResultsError, match=r"games/001-00001\.parquet: has other bytes"):
        copy.games()
    with pytest.raises(ResultsError, match=r"ratings/002-00000\.parquet: is missing"):
        copy.ratings()
    with pytest.raises(ResultsError, match="--repair"):
        resume_ladder(out)
    resume_ladder(out, repair=True)
    assert files_of(out) == files_of(ladder.path)


def test_damaged_lines_are_named_and_repaired(ladder: Ladder, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(ladder.path, out)
    ledger = out / "ledger.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    for line in (b'{"id":"000-00000"}\n', lines[1].replace(b'"deals":', b'"deals":9', 1), b"nonsense\n"):
        ledger.write_bytes(lines[0] + line + b"".join(lines[2:]))
        with pytest.raises(ResultsError, match=r"line 2: damaged; `bloodbattle resume --repair`"):
            open_ladder(out).entries()
        with pytest.raises(ResultsError, match="line 2: damaged"):
            resume_ladder(out)
    ledger.write_bytes(b"".join([lines[0], *lines]))
    with pytest.raises(ResultsError, match="line 2: replication 000-00000 stands there twice"):
        open_ladder(out).entries()
    other = json.loads(lines[1]) | {"id": "099-00000"}
    ledger.write_bytes(lines[0] + json.dumps(other).encode() + b"\n" + b"".join(lines[2:]))
    told: list[str] = []
    resume_ladder(out, repair=True, say=told.append)
    assert any("line 2: damaged; playing its replication again" in line for line in told)
    assert files_of(out) == files_of(ladder.path)


def test_folders_of_other_kinds_are_told_apart(ladder: Ladder, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="this is a ladder; see it with: bloodbattle ladder summary"):
        open_run(ladder.path)
    with pytest.raises(ResultsError, match="there is no such run folder"):
        open_ladder(tmp_path / "nothing")
    with pytest.raises(ResultsError, match="another plan"):
        run_ladder({**LADDER, "seed": 2}, out=ladder.path)


def test_without_games_the_sums_stay(ladder: Ladder, tmp_path: Path) -> None:
    short = run_ladder({**LADDER, "keep_games": False}, out=tmp_path / "short", workers=2)
    with pytest.raises(ResultsError, match="keeps no games"):
        short.games()
    assert short.groups().equals(ladder.groups())
    assert short.players().equals(ladder.players())
    assert not (tmp_path / "short" / "games").exists()


def test_days_end_a_ladder_too(tmp_path: Path) -> None:
    short = run_ladder({**LADDER, "games": None, "days": 0.2, "replications": 1}, out=tmp_path / "days")
    games = short.games().collect()
    assert 0 < games["ended"].max() <= 0.2 * 86_400
    assert {entry.sums["time"] for entry in short.entries()} == {0.2 * 86_400_000}
    times = short.ratings().collect()["time"].unique().sort().to_list()
    assert times == [0.2 * 86_400 * part // 6 for part in range(7)]


def stuck(**keys: Any) -> dict[str, Any]:
    """A ladder in which, once ratings differ, nobody meets anybody any more."""
    groups = [{"name": "a", "strategy": "first_legal", "players": 24, "session": {"gap_hours": 1}}]
    queue = {"window": 0, "most": 0, "growth": 0}
    return {**LADDER, "groups": groups, "tables": [{"name": "t", "clock": "bullet"}], "queue": queue, "games": 10_000,
            "presets": ["mahjongo"], "ratings": ["elo"], "replications": 1, **keys}  # fmt: skip


def test_a_queue_in_which_nobody_can_ever_meet_ends_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nobody who waits can ever be matched: \d+ players wait, and \d+ of 10,000"):
        run_ladder(stuck(), out=tmp_path / "still", workers=1)


def test_days_go_by_where_nobody_can_meet(tmp_path: Path) -> None:
    ladder = run_ladder(stuck(games=None, days=400), out=tmp_path / "still", workers=1)
    assert ladder.players()["state"].unique().to_list() == ["waiting"]
    assert ladder.ratings().collect()["time"].unique().sort().to_list() == [
        400 * 86_400 * part // 6 for part in range(7)
    ]


@pytest.mark.parametrize("more", [{"session": {"gap_hours": 1, "patience": 30}}, {"newcomers_per_day": 0.01}])
def test_a_ladder_in_which_nobody_is_matched_ends(more: dict[str, Any], tmp_path: Path) -> None:
    groups = [{**stuck()["groups"][0], **more}]
    with pytest.raises(ConfigError, match=r"(nobody was matched for 1,000 days|days of virtual time were not enough)"):
        run_ladder(
            stuck(groups=groups, queue={"window": 0, "most": 0, "growth": 0, "look": 600}), out=tmp_path / "still"
        )


BAD = '''
"""A strategy that chooses what it must not."""
from sim.engine.hands.hand import Hand
from sim.engine.hands.lookup import Lookup
from sim.engine.sichuan.rules import Rules
from sim.engine.sichuan.table import Table
from strategies import first_legal

choose_exchange = first_legal.choose_exchange
choose_void_suit = first_legal.choose_void_suit
choose_claim = first_legal.choose_claim


def choose_turn(hand: Hand, table: Table, rules: Rules, lookup: Lookup) -> int:
    return 999
'''


def test_an_illegal_answer_names_group_player_and_deal(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    groups = [{"name": "rogues", "strategy": str(tmp_path / "bad.py"), "players": 8}]
    with pytest.raises(IllegalActionError) as caught:
        run_ladder({**LADDER, "groups": groups, "replications": 1}, out=tmp_path / "run", workers=1)
    for words in ("chose action 999 in a turn decision", "group rogues", "player ", "wall seed ", "replication 0"):
        assert words in str(caught.value)
    assert list((tmp_path / "run" / "failed").glob("*.json"))


INTERPRETED = """
import numpy as np, sys
from sim.ladder.file import LadderFile
from sim.ladder.simulate import Replication
from sim.ladder.systems import parse_system
from sim.rules import load_preset
from sim.rules.compile import compile_rules
from strategies.registry import load_strategy
from tests.unit.test_ladder_run import LADDER
ladder = LadderFile(**{**LADDER, "games": 3})
strategies = [load_strategy(group.strategy) for group in ladder.groups]
replication = Replication(ladder, compile_rules(load_preset("mahjongo")), parse_system("glicko2"), strategies, 0)
np.save(sys.argv[1], np.concatenate([step.games for step in replication.run() if step.games is not None], axis=1))
"""


def test_interpreted_is_the_same(tmp_path: Path) -> None:
    found = []
    for number, more in enumerate(({}, {"NUMBA_DISABLE_JIT": "1"})):
        file = tmp_path / f"{number}.npy"
        environment = {**os.environ, **more}
        subprocess.run([sys.executable, "-c", INTERPRETED, str(file)], check=True, cwd=ROOT, env=environment)
        found.append(np.load(file))
    assert found[0].shape == (len(GAME_COLUMNS), 12)
    assert (found[0] == found[1]).all()


def test_files_are_given_as_models_too(tmp_path: Path) -> None:
    file = LadderFile(**{**LADDER, "games": 10, "replications": 1, "presets": ["mahjongo"], "ratings": ["elo"]})
    assert len(run_ladder(file, out=tmp_path / "run").games().collect()) == 40
