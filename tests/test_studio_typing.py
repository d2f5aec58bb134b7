"""Test typing in the editor of the studio's page: its place stays, and keys edit text as in other editors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from .studios import Served, served
from .test_studio_page import answered, begin, opened, wait

MISTAKE = "cell(1,1) + cel(1,2) = 9"
PLACE = """() => {
  const { editor, assist } = studio;
  return [editor.box.getBoundingClientRect().height, editor.getPixels(assist.place)[1]];
}"""


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as server:
        yield server


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=str)
def test_the_editor_keeps_its_height_and_the_caret_in_view(browser: Any, studio: Served, size: tuple[int, int]) -> None:
    with opened(browser, studio.address) as page:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        begin(page, "sudoku")
        if size[0] < 900:
            page.click("#tabs [value='spec']")
        page.focus("#text")
        page.keyboard.press("Control+End")
        page.keyboard.press("Enter")
        places = []
        for letter in f"{MISTAKE}.\b\b0.":
            answered(page, lambda letter=letter: page.keyboard.press("Backspace" if letter == "\b" else letter))
            page.wait_for_timeout(650 if letter in "c." else 20)
            if letter == "c":
                assert page.locator("#diagnostics li").count() > 0
            places.append(tuple(page.evaluate(PLACE)))
        assert len(set(places)) == 1, "the editor and its caret stay while messages come and go"
        height, caret = places[0]
        assert 20 < caret < height


def test_a_mistake_is_shown_at_its_place_when_typing_pauses(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "cell(1), cell(2) in 1..4.\n"))
        page.focus("#text")
        page.keyboard.press("Control+End")
        answered(page, lambda: page.keyboard.type("cel(1) < cell(2)."))
        assert page.locator("#colours u, #diagnostics li").count() == 0
        assert "is-old" not in (page.get_attribute("#player", "class") or "")
        page.wait_for_selector("#tip:not([hidden])")
        assert page.inner_text("#colours u") == "cel" and page.inner_text("#tip").startswith("nothing is called cel")
        assert page.inner_text("#state").startswith("1 mistake ·")
        assert "is-old" in page.get_attribute("#player", "class")
        tip, squiggle = (page.locator(place).bounding_box() for place in ("#tip", "#colours u"))
        assert 0 <= tip["y"] - squiggle["y"] - squiggle["height"] < 20 and abs(tip["x"] - squiggle["x"]) < 12
        page.keyboard.press("Home")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        answered(page, lambda: page.keyboard.type("l"))
        assert page.is_hidden("#tip") and page.locator("#colours u, #diagnostics li").count() == 0
        wait(page, "document.querySelector('#state').textContent.startsWith('several')")
