"""The replay viewer in a real browser."""

from __future__ import annotations

import pytest

from reports.steps import make_steps
from reports.viewer import show_deal
from sim.rules import load_preset
from sim.tournament.replay import replay_deal
from strategies.registry import load_strategy


@pytest.fixture(scope="module")
def events():
    line_up = [load_strategy(name) for name in ("ukeire", "shanten", "isolation", "random")]
    found = replay_deal(load_preset("mahjong-planet"), line_up, 17).events
    start = {**found[0], "strategies": ["<script>document.title='broken'</script>", "麻将", "a & b", "random"]}
    return [start, *found[1:]]


@pytest.fixture(scope="module")
def page(events, tmp_path_factory):
    path = tmp_path_factory.mktemp("viewer") / "deal.html"
    path.write_text(show_deal(events), encoding="utf-8")
    return path


def points_shown(browser):
    return browser.run("return Array.from(document.querySelectorAll('.points')).map(p => p.textContent)")


def as_number(text):
    return int(text.replace(" points", "").replace("\N{MINUS SIGN}", "-"))


def test_it_steps_through_the_whole_deal_and_shows_the_points_of_the_ledger(browser, page, events):
    deal = make_steps(events)
    browser.show(page)
    body = browser.find("body")[0]
    for place, step in enumerate(deal.steps):
        assert browser.find("#place")[0].text == str(place + 1)
        assert [as_number(text) for text in points_shown(browser)] == [seat["points"] for seat in step.seats]
        assert len(browser.find("#ledger tbody tr")) == step.paid
        if place + 1 < len(deal.steps):
            body.send_keys("\ue014")  # right arrow
    assert [as_number(text) for text in points_shown(browser)] == events[-1]["points"]
    assert browser.complaints() == []
    assert browser.requests() == []
    assert browser.driver.title != "broken"


def test_buttons_and_keys_jump(browser, page, events):
    deal = make_steps(events)
    wins = [place for place, step in enumerate(deal.steps) if step.event in ("win", "robbed")]
    browser.show(page)
    for win in wins:
        browser.find("[data-go=win]")[0].click()
        assert browser.find("#place")[0].text == str(win + 1)
    body = browser.find("body")[0]
    body.send_keys("W")
    expected = wins[-2] + 1 if len(wins) > 1 else wins[-1] + 1
    assert browser.find("#place")[0].text == str(expected)
    browser.find("[data-go=last]")[0].click()
    assert browser.find("#place")[0].text == str(len(deal.steps))
    browser.find("[data-go=back]")[0].click()
    browser.find("[data-go=first]")[0].click()
    assert browser.find("#place")[0].text == "1"
    browser.find("#steps li")[5].click()
    assert browser.find("#place")[0].text == "6"


def test_an_address_leads_to_a_step(browser, page):
    browser.show(page, fragment="#step=12")
    assert browser.find("#place")[0].text == "12"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_can_be_read_by_everybody(browser, page, theme, width):
    browser.show(page, width=width, theme=theme, fragment="#step=40")
    assert browser.overflow() <= 0
    assert browser.faults() == []


def test_the_colours_can_be_switched(browser, page):
    browser.show(page, theme="light")
    before = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.find("#theme")[0].click()
    assert browser.run("return getComputedStyle(document.body).backgroundColor") != before
    browser.find("#theme")[0].click()
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == before
