"""The figures of a design: levels in order, the reference marked, what was only settled again called that."""

from __future__ import annotations

import re

import pytest

from reports.drawing import draw_svg
from reports.runs import report_run
from sim.api import Experiment, run


@pytest.fixture(scope="module")
def report():
    knobs = {"fan.cap": [3, "none", 1], "exhaustion.flower_pig": [8, 32, 0]}
    return report_run(
        run(
            Experiment(
                name="two",
                seed=1,
                walls=6,
                presets=["mahjong-planet"],
                design={"knobs": knobs, "reference": {"fan.cap": 3, "exhaustion.flower_pig": 8}},
                line_ups=[
                    {"name": "blind", "strategies": ["shanten", "random"]},
                    {"name": "reading", "strategies": ["value", "random"]},
                ],
            )
        ),
        costly_of=[],
    )


def texts(figure):
    return re.findall(r">([^<]+)</text>", draw_svg(figure))


def test_levels_stand_in_the_order_of_the_knob_and_the_reference_is_marked(report):
    maps = [figure for figure in report.figures() if figure.key.startswith("heat-")]
    assert len(maps) == 4  # two strategies of each line-up
    for figure in maps:
        assert [column.name for column in figure.table.columns[1:]] == ["0", "8", "32"]
        assert [row[0].text for row in figure.table.rows] == ["1", "3", "none"]
        fields = [[entry.text for entry in row[1:]] for row in figure.table.rows]
        assert [(row.index("reference"), place) for place, row in enumerate(fields) if "reference" in row] == [(1, 1)]
        assert texts(figure).count("reference") == 1
        assert "Outlined: the reference." in figure.description


def test_what_was_only_settled_again_is_not_called_played(report):
    figures = [figure for figure in report.figures() if figure.key.startswith(("forest-", "heat-"))]
    for figure in figures:
        is_blind = "blind" in figure.title
        said = {*texts(figure), figure.description, *(column.name for column in figure.table.columns)}
        assert any("settled again" in one for one in said) == (is_blind or figure.key in ("forest-0", "forest-1"))
        assert any("played again" in one for one in said) == (not is_blind)
    assert {figure.title.split(",")[1].strip() for figure in figures if figure.key.startswith("forest-")} == {
        "blind",
        "reading",
    }
