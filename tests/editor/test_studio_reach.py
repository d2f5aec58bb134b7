"""Test the studio's page on a phone, by keyboard, and with axe.

The tests with axe run if ``AXE=FILE`` names the ``axe.min.js`` of its npm package.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from typing import Any

from ..browser import AXE, VIOLATIONS
from ..page.test_page_seen import TOO_SMALL
from ..studios import Served
from .test_studio_modes import act_in_mode, choose_mode
from .test_studio_page import DONE, SHIDOKU, answered, begin, opened, wait

pytestmark = pytest.mark.sampled(5)

IN_VIEW = """(() => {
  const { top, bottom } = document.querySelector("#log").getBoundingClientRect();
  const lines = [...document.querySelectorAll("#log .now")].map((line) => line.getBoundingClientRect());
  return lines.some((line) => line.top >= top && line.bottom <= bottom);
})()"""


def test_a_phone_shows_tabs_and_a_number_pad(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        begin(page)
        assert page.is_visible("#picture") and page.is_hidden("#editor") and page.is_hidden("#log")
        page.locator("#picture .vertex").first.click()
        pad = page.locator("#values button")
        assert {"1", "2", "3", "4", "≠", "what if", "why"} <= {*pad.all_inner_texts()}
        for box in [button.bounding_box() for button in pad.all()]:
            assert box["width"] >= 44 and box["height"] >= 44 and box["x"] + box["width"] <= 390
        page.click("#values button:text-is('≠')")
        answered(page, lambda: page.click("#values button:text-is('2')"))
        assert page.inner_text("#done li").startswith("A != 2.")
        page.click("#tabs button:text('Why')")
        assert page.is_visible("#log") and page.is_hidden("#picture") and page.is_visible("#next")
        page.click("#tabs button:text('Picture')")
        page.press("#slider", "End")
        page.click("#tabs button:text('Why')")
        wait(page, IN_VIEW)
        page.click("#tabs button:text('Spec')")
        assert page.is_visible("#editor") and page.is_hidden("#player")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_every_button_is_large_enough_for_a_finger(browser: Any, studio: Served) -> None:
    context = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(studio.address)
    page.wait_for_selector("#offers button", state="attached")
    begin(page)
    too_small = page.evaluate(TOO_SMALL)
    context.close()
    assert too_small == []


def tab_to(page: Any, place: str) -> None:
    for _ in range(80):
        if page.evaluate(f"document.activeElement.matches({place!r})"):
            return
        if page.evaluate("document.activeElement.id === 'text'"):
            page.keyboard.press("Escape")
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab comes to {place}")


def test_each_mode_works_by_keyboard(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:

        def press(place: str, *keys: str) -> None:
            tab_to(page, place)
            for key in keys:
                page.keyboard.press(key)

        press('#offers button[value="shidoku"]')
        answered(page, lambda: page.keyboard.press("Enter"))
        act_in_mode(page, lambda: press('#modes [value="compare"]', "Enter"))
        act_in_mode(page, lambda: press("#tools select", "ArrowUp"))
        assert page.locator(".side h2").nth(1).inner_text() == "bounds"
        act_in_mode(page, lambda: press("#tools button", "Enter"))
        assert page.locator(".side h2").nth(1).inner_text() == "kept spec"
        press("#slider", "End")
        assert page.evaluate("studio.modes.race.tick === studio.modes.race.end")
        press(".side [tabindex='0']", "ArrowRight", "Enter")
        assert page.inner_text("#why").startswith("B")
        act_in_mode(page, lambda: press('#modes [value="set"]', "Enter"))
        press("#findings")
        assert "rating" in page.inner_text("#findings")
        act_in_mode(page, lambda: press('#modes [value="explain"]', "Enter"))
        press("#tools button", "Enter", "Enter", "Enter")
        assert page.evaluate("player.film.position") == 1
        press('#modes [value="watch"]', "Enter")
        press("#picture .vertex", "Enter")
        press("#values [value='branch']", "Enter")
        assert page.get_attribute("#values [value='branch']", "aria-pressed") == "true"
        page.focus("#text")
        page.keyboard.press("Control+End")
        page.keyboard.press("ArrowUp")
        answered(page, lambda: page.keyboard.press("F8"))
        assert page.evaluate("studio.acts.list") == ["% off 20"]


def test_forced_colours_show_the_pressed_button(browser: Any, studio: Served) -> None:
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto(studio.address)
    page.wait_for_selector("#offers button", state="attached")
    begin(page)
    background = "(place) => getComputedStyle(document.querySelector(place)).backgroundColor"
    pressed, released = (
        page.evaluate(background, f"#modes > button[aria-pressed={state}]") for state in ("true", "false")
    )
    adjust = page.evaluate("getComputedStyle(document.querySelector('#picture')).forcedColorAdjust")
    context.close()
    assert pressed != released and adjust == "none"


def test_predictions_and_acts_work_by_keyboard(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:

        def to(place: str) -> None:
            tab_to(page, place)

        to('#offers button[value="shidoku"]')
        answered(page, lambda: page.keyboard.press("Enter"))
        page.evaluate("document.activeElement.blur()")
        to('#modes [value="guess"]')
        page.keyboard.press("Enter")
        to("#picture .vertex")
        page.keyboard.press("4")
        page.keyboard.press("n")
        assert page.evaluate("player.prediction.result.right.length") == 1
        page.keyboard.press("q")
        assert page.get_attribute('#modes [value="watch"]', "aria-pressed") == "true"
        to("#picture .vertex")
        answered(page, lambda: page.keyboard.press("Digit3"))
        assert page.evaluate("studio.acts.list") == ["A = 3."]
        answered(page, lambda: page.keyboard.press("Control+z"))
        assert page.evaluate("studio.acts.list") == []


@pytest.mark.skipif(not AXE, reason="AXE=FILE does not name the file of axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (1024, 768), (1280, 800), (640, 400)], ids=str)
def test_axe_finds_no_violation_in_any_mode(browser: Any, studio: Served, scheme: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto(studio.address)
    page.wait_for_selector("#offers button", state="attached")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    page.click("#help")
    violations = {"empty": page.evaluate(VIOLATIONS)}
    page.click("#card [aria-label='close']")
    begin(page)
    wait(page, DONE.format(0))
    violations["watch"] = page.evaluate(VIOLATIONS)
    page.locator("#picture .vertex").first.click()
    violations["pad"] = page.evaluate(VIOLATIONS)
    page.evaluate("studio.acts.toggle('% off 5')")
    page.click("#values [aria-label='close']")
    page.click('#modes [value="guess"]')
    page.locator("#picture .vertex").first.click()
    violations["predict"] = page.evaluate(VIOLATIONS)
    for name in ("compare", "set", "explain"):
        choose_mode(page, name)
        violations[name] = page.evaluate(VIOLATIONS)
    page.click('#modes [value="watch"]')
    if size[0] < 900:
        page.evaluate("studio.showTab('spec')")
    page.focus("#text")
    page.keyboard.press("Control+h")
    page.keyboard.type("A")
    violations["search"] = page.evaluate(VIOLATIONS)
    page.keyboard.press("Escape")
    texts = {"error": "A == 3", "none": SHIDOKU + "A = 1.", "several": "A, B in 1..2. A != B."}
    for name, text in texts.items():
        answered(page, lambda text=text: page.fill("#text", text))
        violations[name] = page.evaluate(VIOLATIONS)
    act_in_mode(page, lambda: page.click("#verdict button:text('show both')"))
    violations["both"] = page.evaluate(VIOLATIONS)
    context.close()
    assert not any(violations.values()), violations
