"""Pages of every kind in a real browser: on a telephone, in the dark, on paper, sorted."""

from __future__ import annotations

import pytest

from tests.browser.made_pages import COMMANDS, write_page

SHEET = {"upright": 703, "on its side": 1031}
"""Pixels across a sheet of A4 between margins of 12 mm."""
LETTERS = """
return Array.from(document.querySelectorAll("figure svg")).filter(svg => svg.getBoundingClientRect().width > 0)
  .map(svg => ({box: svg.getBoundingClientRect(), texts: Array.from(svg.querySelectorAll("text"))
    .map(text => ({words: text.textContent, box: text.getBoundingClientRect()}))}));
"""
OPEN = "document.querySelectorAll('details').forEach(part => { part.open = true; })"
SORTED = """
return Array.from(document.querySelectorAll("table.sortable")).flatMap(table => {
  const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
  return heads.map((head, column) => {
    if (!head.textContent) { return true; }
    head.querySelector("button").click();
    const cells = Array.from(table.tBodies[0].rows).map(row => row.cells[column]);
    const values = cells.filter(cell => cell.dataset.value !== undefined).map(cell => Number(cell.dataset.value));
    const rises = values.every((value, place) => place === 0 || values[place - 1] <= value);
    const missing = cells.findIndex(cell => cell.dataset.value === undefined);
    return rises && (missing < 0 || missing >= values.length) && head.getAttribute("aria-sort") === "ascending";
  });
});
"""
PAPER = """
return Array.from(document.querySelectorAll("table, figure svg")).filter(part => part.offsetParent !== null
  || part.ownerSVGElement === null && part.getBoundingClientRect().width > 0)
  .map(part => [part.closest(".many") ? "on its side" : "upright", part.getBoundingClientRect().right]);
"""


@pytest.fixture(scope="module", params=[*COMMANDS])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def page(kind, tmp_path_factory):
    return write_page(kind, tmp_path_factory.mktemp(kind.replace(" ", "-")))


def overlapping(figure):
    """Texts of a figure that lie over each other."""
    texts = sorted(figure["texts"], key=lambda text: text["box"]["left"])
    for place, one in enumerate(texts):
        for other in texts[place + 1 :]:
            if other["box"]["left"] > one["box"]["right"] - 1:
                break
            above, below = sorted((one["box"], other["box"]), key=lambda box: box["top"])
            if above["bottom"] - below["top"] > 0.4 * min(above["height"], below["height"]):
                yield one["words"], other["words"]


def test_the_same_page_again(kind, page):
    first = page.read_bytes()
    assert write_page(kind, page.parent).read_bytes() == first


def test_on_a_telephone(browser, page):
    browser.show(page, width=390)
    browser.run(OPEN)
    assert browser.overflow() <= 0
    for figure in browser.run(LETTERS):
        assert figure["box"]["right"] <= 390
        assert all(text["box"]["height"] >= 9 for text in figure["texts"])
    hints = browser.run(
        "return Array.from(document.querySelectorAll('.scroll')).filter(box => box.scrollWidth > box.clientWidth + 1)"
        ".map(box => box.previousElementSibling.offsetHeight)"
    )
    assert all(height > 0 for height in hints)
    assert browser.faults() == []
    assert browser.complaints() == []
    assert browser.requests() == []


@pytest.mark.parametrize("width", [390, 1280])
def test_letters_of_figures_are_whole_and_apart(browser, page, width):
    browser.show(page, width=width)
    for figure in browser.run(LETTERS):
        for text in figure["texts"]:
            assert figure["box"]["left"] - 1 <= text["box"]["left"], text["words"]
            assert text["box"]["right"] <= figure["box"]["right"] + 1, text["words"]
        assert list(overlapping(figure)) == []


def test_in_the_dark(browser, page):
    browser.show(page, theme="dark")
    assert browser.faults() == []
    before = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.find("#theme")[0].click()
    assert browser.run("return getComputedStyle(document.body).backgroundColor") != before
    assert browser.complaints() == []


def test_tables_sort(browser, kind, page):
    browser.show(page)
    found = browser.run(SORTED)
    assert all(found)
    assert (found == []) == (kind == "deal")


@pytest.mark.parametrize("sheet", SHEET)
def test_on_paper(browser, page, sheet):
    browser.show(page, width=SHEET[sheet], theme="dark")
    browser.run("document.documentElement.dataset.theme = 'dark'")
    try:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        buttons = "button:not(th button), select, input"
        shown = "return Array.from(document.querySelectorAll(arguments[0])).filter(one => one.offsetHeight > 0).length"
        assert browser.run(shown, buttons) == 0
        parts = [right for way, right in browser.run(PAPER) if way == sheet]
        assert all(right <= SHEET[sheet] + 1 for right in parts)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
