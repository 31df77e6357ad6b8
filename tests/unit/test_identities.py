"""Identities between sums: they hold for what was played, and each of them can fail."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest

from sim import api
from sim.errors import InvariantError
from sim.statistics.identities import find_faults, make_identities, refuse_faults
from sim.tournament.experiment import Experiment
from tests.fake_game import FAKE

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> api.Result:
    experiment = Experiment(
        name="held",
        walls=40,
        presets=["mahjongo"],
        line_ups=[{"strategies": ["strong", "weak"]}, {"strategies": ["middle"]}],
    )
    return api.run(experiment, out=tmp_path_factory.mktemp("runs") / "run", game=FAKE)


def test_all_hold_for_what_was_played(result: api.Result) -> None:
    for index, totals in result.totals().items():
        assert list(find_faults(totals)) == []
        assert refuse_faults(totals, f"cell {index}") == len(make_identities(totals.sums)) >= 10


def test_each_identity_fails_when_one_of_its_numbers_is_wrong(result: api.Result) -> None:
    totals = result.totals()[0]
    for identity in make_identities(totals.sums):
        for name in identity.factors:
            wrong = copy.deepcopy(totals)
            wrong.sums[name][6] += 1  # slot 1 in seat 2
            faults = {item.formula: what for item, what in find_faults(wrong)}
            assert identity.formula in faults
            if identity.where == "place":
                assert faults[identity.formula].startswith("slot 1 in seat 2: ")


def test_a_game_without_some_columns_is_checked_on_what_it_has() -> None:
    formulas = [identity.formula for identity in make_identities(["deals", "points"])]
    assert formulas == ["points = 0", "deals is the same at all seats"]


def test_a_run_that_contradicts_itself_has_no_summary(result: api.Result, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("plan.json", "outcome.json"):
        (folder / name).write_bytes((result.path / name).read_bytes())
    lines = [json.loads(line) for line in (result.path / "ledger.jsonl").read_text("utf-8").splitlines()]
    lines[0]["sums"]["gained_self_draw"][0] += 4
    for line in lines:
        del line["check"]  # a line without one counts, as older ones do
    text = "".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines)
    (folder / "ledger.jsonl").write_text(text, "utf-8")
    with pytest.raises(InvariantError, match="cell 0: Payments made are payments received: self draw"):
        api.open_run(folder).show()
