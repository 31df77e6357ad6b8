"""Reports in a real browser."""

from __future__ import annotations

import pytest

from reports.html import show_report
from tests.unit.made_reports import made_report


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(show_report(made_report()), encoding="utf-8")
    return path


def column(browser, table, place):
    return browser.run(
        "return Array.from(document.querySelectorAll(`#${arguments[0]} tbody tr`))"
        ".map(row => row.cells[arguments[1]].textContent.trim())",
        table,
        place,
    )


def test_nothing_is_asked_for_and_nothing_complains(browser, page):
    browser.show(page)
    assert browser.complaints() == []
    assert browser.requests() == []
    assert browser.driver.title == made_report().title


def test_tables_sort_by_numbers_and_by_names(browser, page):
    browser.show(page)
    heads = browser.find("#points thead button")
    heads[1].click()
    assert column(browser, "points", 1) == [
        "\N{MINUS SIGN}1.500 ± 0.100",
        "+0.250 ± 0.100",
        "+10.000 ± 0.100",
        "\N{EN DASH}",
    ]
    heads[1].click()
    assert column(browser, "points", 1)[0] == "+10.000 ± 0.100"
    heads[0].click()
    assert column(browser, "points", 0)[0] == "<script>document.title='broken'</script>"


def test_the_reference_moves(browser, page):
    browser.show(page)
    shown = "return Array.from(document.querySelectorAll('.option')).map(o => o.offsetParent !== null)"
    assert browser.run(shown) == [True, False]
    browser.find(".choice option")[1].click()
    assert browser.run(shown) == [False, True]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_can_be_read_by_everybody(browser, page, theme, width):
    browser.show(page, width=width, theme=theme)
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert browser.overflow() <= 0
    assert browser.faults() == []


def test_every_figure_has_a_name_a_description_and_its_data(browser, page):
    browser.show(page)
    for figure in browser.run(
        "return Array.from(document.querySelectorAll('figure svg')).map(drawing => [drawing.getAttribute('role'),"
        " drawing.querySelector('title').textContent, drawing.querySelector('desc').textContent])"
    ):
        assert figure[0] == "img"
        assert all(figure[1:])
    assert browser.run(
        "return new Set(Array.from(document.querySelectorAll('[id]')).map(e => e.id)).size"
    ) == browser.run("return document.querySelectorAll('[id]').length")
