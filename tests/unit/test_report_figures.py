"""What is written in figures: whole labels, ticks with their digits, fields, what is sure and what is not."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.colours import LIGHT
from reports.drawing import draw_svg
from reports.figures import Label, Mark, forest, heat_map, stacked
from reports.lettering import columns_of, show_tick, wrap
from reports.lines import curves, distribution
from reports.model import Figure

MINUS = "\N{MINUS SIGN}"
BOTH = pytest.mark.parametrize("is_narrow", [False, True], ids=["page", "telephone"])


def texts(draw, *, is_narrow=False):
    svg = draw_svg(Figure("figure", "title", "said", draw), is_narrow=is_narrow)
    found = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - our own
    return ["".join(text.itertext()) for text in found]


def without_spaces(text):
    return "".join(text.split())


@given(st.text(st.characters(exclude_categories=["C", "Z", "M"]) | st.just(" "), max_size=80), st.integers(2, 30))
def test_wrapping_loses_nothing_and_keeps_to_its_width(text, most):
    lines = wrap(text, most)
    assert without_spaces("".join(lines)) == without_spaces(text)
    assert all(columns_of(line) <= most for line in lines)


def test_wrapping_prefers_spaces_then_signs():
    assert wrap("ukeire against three shanten", 16) == ["ukeire against", "three shanten"]
    assert wrap("exhaustion.flower_pig_to=all_non_pigs", 14) == ["exhaustion.", "flower_pig_to=", "all_non_pigs"]
    assert wrap("血战到底麻将", 4) == ["血战", "到底", "麻将"]


@pytest.mark.parametrize(
    ("value", "step", "shown"),
    [
        (-0.075, 0.025, f"{MINUS}0.075"),
        (-12.5, 2.5, f"{MINUS}12.5"),
        (0.0, 0.05, "0.00"),
        (-0.0, 0.05, "0.00"),
        (1500.0, 50.0, "1,500"),
        (0.30000000000000004, 0.1, "0.3"),
        (2e-7, 1e-7, "0.0000002"),
    ],
)
def test_ticks_have_the_digits_of_their_step(value, step, shown):
    assert show_tick(value, step) == shown


@BOTH
@pytest.mark.parametrize("most", [0.0003, 0.076, 3.2, 14.0, 41_000.0])
def test_ticks_of_a_figure_stand_evenly(most, is_narrow):
    draw = forest([(Label("a"), [Mark(-most, 0.0)]), (Label("b"), [Mark(most, 0.0)])], [""], "unit")
    ticks = [
        float(text.replace(MINUS, "-").replace(",", ""))
        for text in texts(draw, is_narrow=is_narrow)
        if re.fullmatch(rf"{MINUS}?[\d,.]+", text)
    ]
    steps = [later - before for before, later in pairwise(ticks)]
    assert 3 <= len(ticks) <= 11
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-9)


def test_an_axis_without_0_keeps_to_the_values():
    rows = [(Label("a"), [Mark(0.5993, None)]), (Label("b"), [Mark(0.6016, None)])]
    assert "0" not in {text.rstrip("0.") or "0" for text in texts(forest(rows, [""], "log-loss", has_zero=False))}
    assert "0" in {text.rstrip("0.") or "0" for text in texts(forest(rows, [""], "log-loss"))}


@BOTH
def test_powers_of_ten_are_percentages(is_narrow):
    draw = distribution([0, 1, 2], [("a", [0.6, 0.3999, 0.0001])], "points")
    found = texts(draw, is_narrow=is_narrow)
    space = "\N{NARROW NO-BREAK SPACE}"
    assert [text for text in found if "%" in text] == [f"{n}{space}%" for n in ("0.01", "0.1", "1", "10", "100")]
    assert not any("$" in text or "math" in text for text in found)


@BOTH
def test_rows_are_named_in_full_below_their_heading(is_narrow):
    headings = ["exhaustion.flower_pig=0, exhaustion.flower_pig_to=all_non_pigs", "exhaustion.flower_pig=0.125"]
    names = ["value{risk=0.125,patience=0.0625}", "ukeire"]
    labels = [Label(name, heading) for heading in headings for name in names]
    marks = [(label, [Mark(1.0, 0.1)]) for label in labels]
    draws = (forest(marks, ["played"], "points"), stacked(labels, [("up", [1.0, 2.0, 3.0, 4.0])], "points"))
    for draw in draws:
        found = without_spaces("".join(texts(draw, is_narrow=is_narrow)))
        for heading in headings:
            assert found.count(without_spaces(heading)) == 1
        for name in names:
            assert found.count(name) == 2
        assert "\N{HORIZONTAL ELLIPSIS}" not in found


def test_series_without_a_mark_or_a_name_are_not_told():
    rows = [(Label("a"), [Mark(1.0, 0.1), Mark(None, None)])]
    assert "settled again" in texts(forest(rows, ["settled again", "played again"], "points"))
    assert "played again" not in texts(forest(rows, ["settled again", "played again"], "points"))


def test_fields_are_rounded_and_the_reference_is_said():
    values = [[Mark(0.128, 0.0151, is_sure=True), Mark(0.0, None, is_sure=True)]]
    found = texts(heat_map(["8", "none"], ["left"], values, ("fan.cap", "exchange.direction"), reference=(0, 1)))
    assert found.count("reference") == 1
    assert {"+0.13", "± 0.02", "fan.cap", "exchange.direction", "8", "none", "left"} <= {*found}


@pytest.mark.parametrize("count", [2, 12])
def test_a_map_of_many_columns_is_wider_than_a_telephone(count):
    names = [f"strategy{place}" for place in range(count)]
    draw = heat_map(names, names, [[Mark(11.46, 1.27, is_sure=True)] * count] * count, ("less those of", "points of"))
    svg = draw_svg(Figure("map", "title", "said", draw), is_narrow=True)
    width = float(re.search(r'width="([\d.]+)pt"', svg)[1]) / 72
    assert (width > 3.7) == (count == 12)
    assert {*names} <= {*texts(draw, is_narrow=True)}


def test_what_cannot_be_relied_on_has_no_interval_and_is_told():
    sure, unsure = (0.0, Mark(10.0, 1.0, is_sure=True)), (1.0, Mark(500.0, None))
    few = "fewer than 100 seats"
    assert few in texts(curves([("seen", [sure, unsure])], ("x", "y"), unsure=few))
    assert few not in texts(curves([("seen", [sure])], ("x", "y"), unsure=few))


def test_an_interval_that_is_no_middle_reaches_to_its_own_ends() -> None:
    assert Mark(1.0, 0.5).arms == (0.5, 0.5)
    assert Mark(1.0, None).arms == (0.0, 0.0)
    assert Mark(0.0, None, bounds=(0.0, 7.0)).arms == (0.0, 7.0)
    marks = [(Label("never"), [Mark(0.0, None, bounds=(0.0, 7.0))]), (Label("some"), [Mark(3.0, 1.0, is_sure=True)])]
    axes = forest(marks, [""], "%")(LIGHT, 6.0).axes[0]
    ends = sorted(
        {round(float(x), 6) for lines in axes.collections for path in lines.get_paths() for x in path.vertices[:, 0]}
    )
    assert ends == [0.0, 2.0, 4.0, 7.0]
