"""Test typing in the editor of the studio's page: its place stays, and keys edit text as in other editors."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from ..studios import Served
from .test_studio_page import answered, begin, opened, wait

pytestmark = pytest.mark.sampled(5)

MISTAKE = "cell(1,1) + cel(1,2) = 9"
PLACE = """() => {
  const { editor, assist } = studio;
  return [editor.box.getBoundingClientRect().height, editor.getPixels(assist.place)[1]];
}"""


@pytest.mark.sampled
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
            page.keyboard.press("Backspace" if letter == "\b" else letter)
            page.wait_for_timeout(800 if letter in "c." else 40)
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
        assert page.inner_text("#colours u") == "cel" and page.inner_text("#tip").startswith("unknown name: cel")
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


def type_text(page: Any, text: str, *keys: str) -> str:
    """Replace the spec, press keys at its end, and return the text with a bar at the caret."""
    answered(page, lambda: page.fill("#text", text))
    page.focus("#text")
    page.keyboard.press("Control+End")
    for key in keys:
        page.keyboard.press(key)
    caret = page.evaluate("studio.editor.area.selectionStart")
    typed = page.input_value("#text")
    return f"{typed[:caret]}|{typed[caret:]}"


def test_enter_keeps_the_indentation_and_brackets_and_quotes_close(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        assert type_text(page, "p(1)\n    :- q,", "Enter", "r") == "p(1)\n    :- q,\n    r|"
        assert type_text(page, "A ", "Enter", "B") == "A \nB|"
        assert type_text(page, "% ", *"(") == "% (|"
        assert type_text(page, "p", *"([") == "p([|])"
        assert type_text(page, "p", *"([1])") == "p([1])|"
        assert type_text(page, "p", "(", "[", "Backspace", "Backspace") == "p|"
        assert type_text(page, "q\n", *'"ro') == 'q\n"ro|"'
        assert type_text(page, "q\n", *'"ro"') == 'q\n"ro"|'
        assert type_text(page, "A", *"'") == "A'|"
        assert type_text(page, "A + B", "Home", "(") == "(|A + B"
        assert type_text(page, "A + B", "Shift+Home", "(") == "(|A + B)"


def test_a_bracket_at_the_caret_and_its_partner_are_marked(browser: Any, studio: Served) -> None:
    marked = "[...document.querySelectorAll('#colours mark')].map((mark) => mark.textContent).join('')"
    with opened(browser, studio.address) as page:
        type_text(page, 'p([1, "]("])')
        wait(page, f"{marked} === '()'")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        wait(page, f"{marked} === '[]'")
        page.keyboard.press("ArrowLeft")
        wait(page, f"{marked} === ''")
        type_text(page, "p(1")
        assert page.evaluate(marked) == ""


def test_control_slash_makes_comments_and_a_left_out_clause_is_grey(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        keys = ("Shift+ArrowUp", "Shift+ArrowUp", "Control+/")
        commented = type_text(page, "A in 1..2.\n  A = 1\n\n    ", *keys).replace("|", "")
        assert commented == "A in 1..2.\n  % A = 1\n\n    "
        page.keyboard.press("Control+/")
        assert page.input_value("#text") == "A in 1..2.\n  A = 1\n\n    "
        grid = 'A, B in 1..2.\ngrid g = "\n  1 .\n\n  2 .\n".\nA = 1.\n'
        type_text(page, grid, "Control+Home", "ArrowDown")
        answered(page, lambda: page.keyboard.press("F8"))
        grey = page.locator("#colours .off").all_inner_texts()
        assert "".join(" ".join(grey).split()) == 'gridg="1.2.".'


def test_matches_are_found_and_replaced(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        type_text(page, "cell(1), Cell in 1..4.\ncell(1) < cell(2).", "Control+Home", "Control+h")
        height = page.evaluate(PLACE)[0]
        page.keyboard.type("cell")
        assert page.inner_text("#matches") == "1 of 4" and page.locator("#colours mark").count() == 4
        page.keyboard.press("Enter")
        page.keyboard.press("Shift+Enter")
        page.keyboard.press("Enter")
        assert page.inner_text("#colours mark.now") == "Cell"
        page.fill("#replacement", "x")
        answered(page, lambda: page.click("#search [name='replace']"))
        assert page.input_value("#text") == "cell(1), x in 1..4.\ncell(1) < cell(2)."
        answered(page, lambda: page.click("#search [name='replaceAll']"))
        assert page.input_value("#text") == "x(1), x in 1..4.\nx(1) < x(2)."
        assert page.evaluate(PLACE)[0] == height
        page.keyboard.press("Escape")
        assert page.is_hidden("#search") and page.evaluate("document.activeElement.id") == "text"
        answered(page, lambda: page.keyboard.press("Control+z"))
        assert page.input_value("#text") == "cell(1), x in 1..4.\ncell(1) < cell(2)."


def test_undo_covers_acts_and_edits_in_their_order(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        text = page.input_value("#text")
        answered(page, lambda: page.locator("#gutter button").nth(4).click())
        page.focus("#text")
        page.keyboard.press("Control+End")
        answered(page, lambda: page.keyboard.insert_text("A != 2."))
        answered(page, lambda: page.locator("#gutter button").nth(5).click())
        for acts, written in ((["% off 5"], "A != 2."), (["% off 5"], ""), ([], "")):
            answered(page, lambda: page.keyboard.press("Control+z"))
            assert page.evaluate("studio.acts.list") == acts and page.input_value("#text") == text + written
