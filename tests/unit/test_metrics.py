from __future__ import annotations

from pathlib import Path

import pytest

from sim.rules import knob_keys
from sim.statistics.dictionary import describe_all
from sim.statistics.document import describe_results
from sim.statistics.metrics import DEALER_EDGE, make_metrics
from sim.statistics.tables import MAIN_KNOBS
from sim.tournament.quantities import DEALS, GAINED, NET, PAID, make_pairs, make_quantities
from sim.tournament.schema import KEYS
from tests.fake_game import COLUMNS, NAMES, PATTERNS

ROOT = Path(__file__).parents[2]


def test_names_are_unique_and_described() -> None:
    metrics = make_metrics(item.name for item in make_quantities(NAMES, PATTERNS))
    assert len({metric.name for metric in metrics}) == len(metrics)
    assert all(metric.unit and metric.meaning.endswith(".") for metric in metrics)


def test_every_metric_has_what_its_interval_needs() -> None:
    quantities = make_quantities(NAMES, PATTERNS)
    squared = {item.name for item in quantities if item.has_squares}
    pairs = set(make_pairs(quantities))
    for metric in make_metrics(item.name for item in quantities):
        assert {metric.numerator, metric.denominator} <= squared
        assert metric.denominator == DEALS or (metric.numerator, metric.denominator) in pairs


def test_causes_and_patterns_come_from_the_columns() -> None:
    names = {metric.name for metric in make_metrics(item.name for item in make_quantities(NAMES, PATTERNS))}
    for cause in ("discard_win", "self_draw"):
        assert {NET + cause, GAINED + cause, PAID + cause} <= names
    assert {"pattern_root", "pattern_full_flush", "pattern_self_draw", DEALER_EDGE} <= names
    assert not any("flower" in name for name in names if name.startswith(NET))


def test_metrics_of_a_game_without_some_columns() -> None:
    names = [metric.name for metric in make_metrics(["deals", "points"])]
    assert names == ["points", DEALER_EDGE]


def test_main_knobs_exist() -> None:
    assert set(MAIN_KNOBS) <= set(knob_keys())


def test_page_lists_everything() -> None:
    names = [item.name for item in make_quantities(NAMES, PATTERNS)]
    page = describe_results(COLUMNS, PATTERNS)
    for name in [*NAMES, *names, *(key.name for key in KEYS)]:
        assert f"| `{name}` |" in page
    assert "| `ready` | 1 if `status` is 1 |" in page
    assert "| `remaining` | 1 if `status` is 1 to 3 |" in page
    assert "| `won` | 1 if `win_order` is 1 or more |" in page


def test_dictionary_has_every_metric_once_with_what_it_is_made_of() -> None:
    page = describe_all(NAMES, PATTERNS)
    for metric in make_metrics(item.name for item in make_quantities(NAMES, PATTERNS)):
        row = f"| `{metric.name}` | `{metric.numerator}` | `{metric.denominator}` | {metric.unit} | {metric.meaning} |"
        assert page.count(row) == 1
        assert f"\n| `{metric.numerator}` | " in page.partition("## Quantities")[2]
    assert "| `points = 0` | table |" in page
    assert "| `gained_self_draw = paid_self_draw` | table |" in page


def test_shipped_pages_are_up_to_date() -> None:
    play = pytest.importorskip("sim.engine.sichuan.play")
    from sim.engine.sichuan.rules import PATTERNS as NAMED

    patterns = (*NAMED, "self_draw")
    page = describe_results(play.COLUMNS, patterns)
    assert (ROOT / "docs" / "results.md").read_text("utf-8") == page, "run: make docs"
    page = describe_all([column.name for column in play.COLUMNS], patterns)
    assert (ROOT / "docs" / "metrics.md").read_text("utf-8") == page, "run: make docs"
