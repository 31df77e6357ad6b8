"""`bloodbattle ladder drift` and `ladder compare` on small ladders; designs of ladder files; the shipped files."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import pytest

from sim.cli import main
from sim.ladder.file import load_ladder

ROOT = Path(__file__).parents[2]
LADDER = """
replications = 2
days = 6
warm_up = 0.2
keep_games = false
presets = ["mahjongo"]
ratings = ["elo", "glicko2"]
[design.knobs]
"fan.cap" = [1, 3]
[[groups]]
name = "anchors"
strategy = "shanten"
players = 8
anchor = true
[[groups]]
name = "others"
strategy = "isolation"
players = 12
leaving = { probability = 0.1, replaced = true }
"""


class Call:
    """What a person types, run in this process: starting another one each time takes seconds."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str | Path, code: int = 0) -> tuple[str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["ladder", *(str(argument) for argument in arguments)])
        out, err = self.capsys.readouterr()
        assert caught.value.code == code, err
        assert "Traceback" not in err
        return out, err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    return Call(capsys)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladders")
    (folder / "caps.toml").write_text(LADDER)
    with pytest.raises(SystemExit) as caught:
        main(["ladder", str(folder / "caps.toml"), "--out", str(folder / "run")])
    assert caught.value.code == 0
    return folder / "run"


def test_a_design_makes_cells_and_names_the_reference(run: Path) -> None:
    presets = json.loads((run / "plan.json").read_bytes())["presets"]
    assert [preset["name"] for preset in presets] == ["mahjongo fan.cap=1", "mahjongo fan.cap=3"]
    assert [preset["reference"] for preset in presets] == ["mahjongo fan.cap=3"] * 2  # the cap of mahjongo
    assert [preset["set"] for preset in presets] == [{"fan.cap": 1}, {}]


def test_a_design_without_the_base_gets_it_as_reference(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "caps.toml"
    file.write_text(LADDER.replace("[1, 3]", "[1]").replace("days = 6", "games = 8").replace("= 2", "= 1", 1))
    call(file, "--out", tmp_path / "run")
    presets = json.loads((tmp_path / "run" / "plan.json").read_bytes())["presets"]
    assert [(preset["name"], preset["reference"]) for preset in presets] == [
        ("mahjongo", "mahjongo"),
        ("mahjongo fan.cap=1", "mahjongo"),
    ]
    call("compare", tmp_path / "run")


def test_drift_of_all_cells(call: Call, run: Path) -> None:
    out, _ = call("drift", run)
    for title in ("Measures", "True skill of groups, on the scale of ratings", "Ledger of rating points"):
        assert title in out
    assert "anchor drift/1000" in out
    assert "fewer than 20 replications" in out
    left = next(line for line in out.splitlines() if line.startswith("not explained"))
    assert set(left.split()[2:]) == {"0.000"}


def test_drift_of_one_cell_says_how_long_people_wait(call: Call, run: Path) -> None:
    out, _ = call("drift", f"{run}@mahjongo fan.cap=1@glicko2")
    assert "Waiting by own rating" in out
    data = json.loads(call("drift", f"{run}@mahjongo fan.cap=1@glicko2", "--format", "json")[0])
    (cell,) = data["cells"]
    assert (cell["preset"], cell["rating"]) == ("mahjongo fan.cap=1", "glicko2")
    assert cell["residues"] == [0, 0]
    assert len(cell["series"]["pool"]) == 2
    assert sum(cell["ledger"]["entry"]) == 1500 * sum(cell["events"]["entry"])


def test_every_cell_is_compared_with_its_reference(call: Call, run: Path) -> None:
    out, _ = call("compare", run)
    assert "Ratings elo" in out
    assert "Ratings glicko2" in out
    data = json.loads(call("compare", run, "--all", "--format", "json")[0])["differences"]
    assert {(row["preset"], row["against_preset"]) for row in data} == {("mahjongo fan.cap=1", "mahjongo fan.cap=3")}
    assert all(row["paired"] for row in data)
    assert all(row["p_holm"] >= row["p"] for row in data if row["p"] is not None)
    rows = list(csv.DictReader(io.StringIO(call("compare", run, "--all", "--format", "csv")[0])))
    assert len(rows) == len(data)
    for row in data:
        assert row["difference"] == pytest.approx(row["value"] - row["against"])


def test_what_would_have_been_seen_is_said(call: Call, run: Path) -> None:
    out, _ = call("compare", run, "--detect", "spread=0.5", "--detect", "wait=1000000")
    assert "detectable: what a true difference must be to be told from none with 80 % probability" in out
    rows = json.loads(call("compare", run, "--detect", "spread=0.5", "--format", "json")[0])["differences"]
    spreads = [row for row in rows if row["measure"] == "spread"]
    needed = [max(2, math.ceil(2 * (row["detectable"] / 0.5) ** 2)) for row in spreads]
    assert len(needed) == 2  # one pair for each rating system
    words = " ".join(out.split())
    assert f"spread: a difference of 0.5 would be detectable with {min(needed):,} to {max(needed):,}, by pair" in words
    assert "wait: a difference of 1,000,000 would be detectable with 2 replications" in words
    one, _ = call("compare", f"{run}@mahjongo fan.cap=1@elo", f"{run}@mahjongo fan.cap=3@elo")
    assert any(line.split()[-5:] == ["difference", "detectable", "p", "(Holm)", "r"] for line in one.splitlines())
    for text, said in (("sprad=1", "there is no measure sprad"), ("spread=0", "came 0;"), ("spread", "came no size")):
        assert said in call("compare", run, "--detect", text, code=2)[1]


def test_no_more_replications_are_counted_than_anybody_could_play(call: Call, run: Path) -> None:
    for size in ("1e-300", "1e-100", "0.0000001"):
        out, _ = call("compare", run, "--detect", f"spread={size}")
        assert "would be detectable with over 1,000,000,000 replications" in " ".join(out.split()), size
    assert "with 2 replications" in " ".join(call("compare", run, "--detect", "spread=1e300")[0].split())


def test_compared_values_are_told_apart(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "pigs.toml"
    knobs = '"exhaustion.flower_pig" = [8, 32]\n"exchange.direction" = ["left", "across"]'
    text = LADDER.replace('"fan.cap" = [1, 3]', knobs).replace('"elo", "glicko2"', '"elo"').replace("= 2", "= 1", 1)
    file.write_text(text.replace("days = 6", "games = 8"))
    call(file, "--out", tmp_path / "run")
    delta = "\N{GREEK CAPITAL LETTER DELTA} "
    lines = call("compare", tmp_path / "run", "--all")[0].splitlines()
    names = [line[len(delta) :].split("  ")[0] for line in lines if line.startswith(delta) and "difference" not in line]
    parts = [f"flower_pig={pig}, direction={way}" for pig in (8, 32) for way in ("left", "across")]
    assert names
    assert set(names) == set(parts)


def test_settings_stand_below_their_preset(call: Call, run: Path) -> None:
    lines = call("compare", run)[0].splitlines()
    at = lines.index("mahjongo")
    assert lines[at + 1].startswith("cap=3 ")
    assert lines[at + 2].startswith("\N{GREEK CAPITAL LETTER DELTA} cap=1 ")


def test_two_cells_and_two_runs(call: Call, run: Path, tmp_path: Path) -> None:
    out, _ = call(
        "compare", f"{run}@mahjongo fan.cap=3@elo", f"{run}@mahjongo fan.cap=3@glicko2", "--format", "markdown"
    )
    assert "rating systems differ" in out
    file = run.parent / "caps.toml"
    call(file, "--seed", "9", "--out", tmp_path / "other")
    other, _ = call("compare", f"{run}@mahjongo fan.cap=1@elo", tmp_path / "other")
    assert "do not share seeds" in other
    assert "A mahjongo fan.cap=1, elo" in other
    assert "B mahjongo fan.cap=1, elo" in other
    told, _ = call("compare", run, tmp_path / "other")
    assert f"A: {run}, B: {tmp_path / 'other'}; B is the base: differences are A less B" in " ".join(told.split())
    heads = {line.split("  ")[0] for line in told.splitlines()}
    assert heads >= {"mahjongo", "B cap=1", "\N{GREEK CAPITAL LETTER DELTA} A cap=1"}
    both = json.loads(call("compare", run, tmp_path / "other", "--format", "json")[0])["differences"]
    assert len({(row["preset"], row["rating"]) for row in both}) == 4
    assert not any(row["paired"] for row in both)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["{run}@mahjongo fan.cap=2@elo"], "there is no preset mahjongo fan.cap=2"),
        (["{run}@mahjongo fan.cap=1@glicko", "{run}"], "glicko2"),
        (["{run}", "{run}"], "the same run twice"),
        (["{run}", "{run}/../run"], "the same run twice"),
        (["{run}@mahjongo fan.cap=1@elo", "{run}@mahjongo fan.cap=1@elo"], "the same cell twice"),
        (["{run}@a@b@c"], "allowed: RUN or RUN@PRESET@RATING"),
        (["{run}-not-there"], "-not-there"),
        (["{run}@mahjongo fan.cap=3@elo"], "nothing to compare within it"),
    ],
)
def test_what_cannot_be_compared_is_said(call: Call, run: Path, names: list[str], said: str) -> None:
    _, err = call("compare", *(name.format(run=run) for name in names), code=4)
    assert said in err


@pytest.mark.parametrize("file", sorted((ROOT / "configs" / "ladders").glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_ladders_are_whole(file: Path) -> None:
    ladder = load_ladder(file)
    assert ladder.title
    assert ladder.replications >= 20
    assert any(group.anchor for group in ladder.groups)
