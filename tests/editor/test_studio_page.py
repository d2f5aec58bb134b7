"""Test the page of the studio in a headless Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ROOT

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from ..browser import recorded
from ..studios import Served, served

pytestmark = pytest.mark.sampled(5)

SHIDOKU = (ROOT / "examples" / "shidoku.csp").read_text(encoding="utf-8")
ODD = """
e(I, J) in 0..1 :- I in 1..6, J in I+1..7.
side(V, I, J) :- V in 1..7, I in 1..6, J in I+1..7, I = V.
side(V, I, J) :- V in 1..7, I in 1..6, J in I+1..7, J = V.
sum(e(I, J) : side(V, I, J)) in {1, 3, 5} :- V in 1..7.
"""  # an odd number of edges at each of seven corners: no solution, after thousands of cheap decisions
DONE = "document.querySelector('#player').dataset.done == studio.playing && studio.playing > {}"


@contextmanager
def opened(browser: Any, address: str) -> Iterator[Any]:
    """Open a page with empty storage in the browser's tab; check at the end its complaints and requests."""
    page = browser.contexts[0].pages[0]
    base = address.partition("#")[0]
    origin = "/".join(address.split("/")[:3])
    with recorded(page) as (complaints, requests):
        storage = page.context.new_cdp_session(page)
        storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage"})
        storage.detach()
        page.goto(address)
        page.wait_for_selector("#offers button", state="attached")
        yield page
    assert complaints == []
    assert not [url for url in requests if not url.startswith((base, "data:", "blob:"))]


WAIT = """async () => {{
  for (let i = 0; i < 2000; i++) {{
    if (await ({condition})) return true;
    await new Promise((next) => setTimeout(next, 10));
  }}
}}"""


def wait(page: Any, condition: str) -> None:
    """Wait in the page until a condition holds, without ``eval``, which the page's policy forbids."""
    assert page.evaluate(WAIT.format(condition=condition)), f"{condition}: {page.inner_text('#state')}"


def answered(page: Any, act: Any) -> None:
    """Do an act, and wait for the answer to its question."""
    before = page.evaluate("studio.playing")
    act()
    wait(page, DONE.format(before))


def wait_for_link(page: Any, expression: str = "''") -> str:
    """Wait until the address contains the current state; return its fragment."""
    spec = "import('./links.js').then(({ pack }) => pack(studio.state))"
    wait(
        page, f"{spec}.then((spec) => location.hash.includes(`spec=${{spec}}`) && location.hash.includes({expression}))"
    )
    return str(page.evaluate("location.hash"))


def append_text(page: Any, text: str) -> None:
    """Insert text at the end of the spec in one event."""
    page.focus("#text")
    page.keyboard.press("Control+End")
    answered(page, lambda: page.keyboard.insert_text(text))


def begin(page: Any, name: str = "shidoku") -> None:
    answered(page, lambda: page.click(f'#offers button[value="{name}"]'))


def test_two_clicks_on_the_empty_page_play_an_example(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        assert page.is_visible("#start") and not page.is_visible("#player")
        begin(page)
        assert page.inner_text("#state").startswith("1 solution") and not page.is_visible("#start")
        page.click("#play")
        wait(page, "player.film.position > 3")
        assert page.locator("#gutter .lit").count() >= 1


def test_an_error_is_fixed_by_its_hint(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        append_text(page, "\nA == 3")
        assert page.inner_text("#colours u") == "=="
        assert "is-old" in page.get_attribute("#player", "class") and page.is_visible("#picture")
        answered(page, lambda: page.click('#diagnostics button:has-text("replace == by =")'))
        answered(page, lambda: page.click('#diagnostics button:has-text("insert .")'))
        assert page.input_value("#text").endswith("A = 3.")
        assert page.locator("#diagnostics li.error").count() == 0
        assert "is-old" not in (page.get_attribute("#player", "class") or "")
        page.focus("#text")
        answered(page, lambda: page.keyboard.press("Control+z"))
        assert page.input_value("#text").endswith("A = 3")


def test_tab_indents_the_selection_and_deletes_nothing(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        append_text(page, "\np(1,\n\n2).\n")
        before = page.input_value("#text")
        start, end = before.index("p(1"), len(before) - 2
        page.evaluate("([start, end]) => studio.editor.area.setSelectionRange(start, end)", [start, end])
        page.keyboard.press("Tab")
        assert page.input_value("#text") == f"{before[:start]}    p(1,\n\n    2).\n"
        page.keyboard.press("Tab")
        for expected in (f"{before[:start]}    p(1,\n\n    2).\n", before, before):
            page.keyboard.press("Shift+Tab")
            assert page.input_value("#text") == expected
        page.evaluate("studio.editor.area.setSelectionRange(...Array(2).fill(studio.editor.text.length))")
        # No word begins so: otherwise Tab would take the completion that is offered.
        page.keyboard.insert_text("qz")
        page.keyboard.press("Tab")
        assert page.input_value("#text") == f"{before}qz  " and page.evaluate("document.activeElement.id") == "text"
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert page.input_value("#text") == f"{before}qz  " and page.evaluate("document.activeElement.id") != "text"


def test_words_are_completed_and_names_explained(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        append_text(page, "\nall_dif")
        page.wait_for_selector("#completions li")
        assert page.inner_text('#completions li[aria-selected="true"]').startswith("all_different")
        page.keyboard.press("Enter")
        assert page.input_value("#text").endswith("\nall_different")
        answered(page, lambda: page.keyboard.insert_text("([A, B])."))
        page.keyboard.press("Control+Home")
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("F1")
        page.wait_for_selector("#tip:not([hidden])")
        assert page.inner_text("#tip") == "A in 1..4\npropagation leaves 3"


COVERED = """() => {
  const { left, right, top, bottom } = studio.editor.box.getBoundingClientRect();
  const said = studio.assist.tip.getBoundingClientRect();
  const line = top + 1 + studio.editor.getPixels(studio.assist.described)[1] - 20;
  const isOut = said.bottom > bottom || said.top < top || said.right > right || said.left < left;
  return [said.top < line + 20 && said.bottom > line, isOut];
}"""


def test_the_explanation_of_a_name_does_not_cover_its_line(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..4.\n" + "\n" * 60 + "A < B."))
        for keys in (("Control+Home",), ("Control+End", "Home")):
            page.focus("#text")
            page.keyboard.press("Escape")
            for key in keys:
                page.keyboard.press(key)
            page.keyboard.press("F1")
            page.wait_for_selector("#tip", state="visible")
            assert page.evaluate(COVERED) == [False, False]


def test_a_pointer_at_a_squiggle_shows_the_error(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "cell(1), cell(2) in 1..4.\ncel(1) < cell(2)."))
        assert page.inner_text("#colours u") == "cel"
        squiggle = page.locator("#colours u").bounding_box()
        page.mouse.move(squiggle["x"] + 5, squiggle["y"] + 5)
        page.wait_for_selector("#tip:not([hidden])")
        assert page.inner_text("#tip") == "unknown name: cel\ndid you mean cell?"


def test_a_cell_is_typed_into_a_grid_and_a_slider_changes_a_param(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page, "sudoku")
        text = page.input_value("#text")
        cell = page.locator('[data-grid="clue"][data-row="1"][data-column="3"]')
        value = cell.input_value()
        assert value == ""
        cell.click()
        answered(page, lambda: page.keyboard.type("4"))
        assert page.input_value("#text") != text and cell.input_value() == "4"
        answered(page, lambda: cell.press("Backspace"))
        assert page.input_value("#text") == text
        examples = page.locator("#examples")
        answered(page, lambda: examples.select_option("queens"))
        slider = page.locator('#sheets input[type="range"]').first
        answered(page, lambda: slider.press("ArrowRight"))
        assert page.inner_text("#sheets output") == slider.input_value()
        assert page.evaluate("player.film.data.vertices.length") == int(slider.input_value()) == 9


def test_acts_in_the_picture_are_listed_as_text_and_undone(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        answered(page, lambda: page.select_option("#level", "arc"))
        page.locator("#picture .vertex").first.click()
        page.wait_for_selector("#values button")
        answered(page, lambda: page.click('#values button:text("1")', modifiers=["Alt"]))
        assert page.inner_text("#done li").startswith('"what if": A = 1.')
        assert page.inner_text("#state").startswith("no solution")
        assert "what if" in page.inner_text("#verdict")
        answered(page, lambda: page.click('#verdict button:text("leave out")'))
        assert page.locator("#done li").count() == 2
        page.locator("#state").click()
        answered(page, lambda: page.keyboard.press("Control+z"))
        answered(page, lambda: page.keyboard.press("Control+z"))
        assert page.locator("#done li").count() == 0 and page.inner_text("#state").startswith("1 solution")
        page.locator("#picture .vertex").first.click()
        answered(page, lambda: page.keyboard.press("Digit3"))
        assert page.inner_text("#done li").startswith("A = 3.")
        answered(page, lambda: page.locator("#gutter button").nth(4).click())
        assert page.locator("#done li").nth(1).inner_text().startswith("% off 5")
        assert "off" in page.locator("#gutter button").nth(4).get_attribute("class")


def test_a_link_restores_the_state_and_the_same_film(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        answered(page, lambda: page.select_option("#level", "domain"))
        page.locator("#picture .vertex").nth(2).click()
        answered(page, lambda: page.keyboard.press("Digit4"))
        link, film = wait_for_link(page), page.evaluate("JSON.stringify(player.film.data)")
        page.click("#next")
        wait_for_link(page, "player.film.getLink()")
    with opened(browser, studio.address + link) as page:
        wait(page, DONE.format(0))
        assert page.input_value("#text") == SHIDOKU and page.input_value("#level") == "domain"
        assert page.evaluate("JSON.stringify(player.film.data)") == film


def test_an_unsaved_spec_is_restored(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        append_text(page, "% mine")
        page.goto("about:blank")
        page.goto(studio.address)
        wait(page, DONE.format(0))
        assert page.input_value("#text") == SHIDOKU + "% mine"


def test_a_pasted_puzzle_is_imported(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        page.fill("#pasted", "nothing")
        page.keyboard.press("Enter")
        wait(page, "document.querySelector('#refused').textContent")
        page.fill("#pasted", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
        answered(page, lambda: page.keyboard.press("Enter"))
        assert page.inner_text("#state").startswith("1 solution")


def test_a_long_search_is_stopped(browser: Any, studio: Served) -> None:
    hard = "include langford. param n = 14."
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        assert page.inner_text("#verdict").startswith("Two solutions, different in 2 variables")
        page.fill("#text", hard)
        page.wait_for_selector("#stop", state="visible")
        assert page.is_hidden("#verdict"), "the verdict of the previous text is hidden"
        page.wait_for_selector(".note:text('cut off after 150 decisions')")
        page.click("#stop")
        wait(page, "document.querySelector('#state').textContent === 'stopped'")
        assert page.is_visible("#shallow") and page.is_hidden("#stop")
        answered(page, lambda: page.fill("#text", "A in 1..2. A = 1."))
        assert page.is_hidden("#shallow")


def test_an_empty_text_shows_no_state_and_no_error(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B. A == 3"))
        page.fill("#text", " ")
        assert page.is_visible("#start") and page.is_hidden("#player")
        assert page.inner_text("#state") == "" and page.locator("#diagnostics li").count() == 0


def test_the_page_reconnects_to_the_server(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        answered(page, lambda: page.evaluate("studio.engine.socket.close()"))
        append_text(page, "A = 1.")
        assert page.inner_text("#state").startswith("no solution")


def test_a_film_that_was_cut_off_can_be_continued(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", ODD))
        assert "cut off after 150 decisions" in page.inner_text(".note")
        answered(page, lambda: page.click("#more"))
        assert "cut off after 600 decisions" in page.inner_text(".note") and page.is_visible("#more")
        answered(page, lambda: page.fill("#text", "A in 1..2."))
        assert page.is_hidden("#more")


def test_the_note_names_the_clues_that_the_picture_leaves_out(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        board = 'cell(R, C) in 1..9 :- R in 1..5, C in 1..5.\n"far": cell(1, 1) < cell(3, 4).\n'
        answered(page, lambda: page.fill("#text", board))
        assert "not drawn: far (line 2); write draw line(R, C, P) or another sign" in page.inner_text(".note")
        answered(page, lambda: page.fill("#text", board + "draw line(1, 1, 1) = red. draw line(3, 4, 2) = red."))
        assert "not drawn" not in page.inner_text(".note")


def test_the_file_is_saved_and_its_changes_are_read(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.csp"
    file.write_text("A in 1..2.\n", encoding="utf-8")
    with served(str(file)) as server, opened(browser, server.address) as page:
        wait(page, DONE.format(0))
        assert page.inner_text("#file") == "mine.csp" and page.inner_text("header h1") == "mine.csp"
        append_text(page, "A = 1.\n")
        page.keyboard.press("Control+s")
        wait(page, "document.querySelector('#save').disabled")
        assert file.read_text(encoding="utf-8") == "A in 1..2.\nA = 1.\n"
        answered(page, lambda: file.write_text("A in 1..3.\n", encoding="utf-8"))
        assert page.input_value("#text") == "A in 1..3.\n"


def test_a_failed_save_is_reported_and_the_text_is_kept(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.csp"
    file.write_text("A in 1..2.\n", encoding="utf-8")
    with served(str(file)) as server, opened(browser, server.address) as page:
        wait(page, DONE.format(0))
        append_text(page, "A = 1.\n")
        text = page.input_value("#text")
        file.unlink()
        file.mkdir()
        page.keyboard.press("Control+s")
        wait(page, "document.querySelector('#saving').textContent === 'not saved: Is a directory'")
        assert page.input_value("#text") == text and page.is_enabled("#save")
        file.rmdir()
        page.keyboard.press("Control+s")
        wait(page, "document.querySelector('#save').disabled")
        assert file.read_text(encoding="utf-8") == text and page.inner_text("#saving") == ""


def test_markup_in_names_is_shown_as_text(browser: Any, studio: Served) -> None:
    image = "<img src=x onerror=alert(1)>"
    closing = "</script><script>alert(1)</script>"
    text = f"% {image}\nA, B in {{'{image}', '{closing}'}}. A != B.\n\"{image}\": A = '{image}'."
    with opened(browser, studio.address) as page:
        page.evaluate("() => { window.alert = console.log; }")  # which is a complaint
        answered(page, lambda: page.fill("#text", text))
        page.click("#next")
        page.locator("#picture .vertex").first.click()
        page.wait_for_selector("#values button")
        answered(page, lambda: page.fill("#text", f"{text} {image}"))
        assert page.locator("img[onerror], #studio script").count() == 0


def test_the_picture_is_kept_when_the_server_has_stopped(browser: Any) -> None:
    with served() as server:
        context = browser.new_context()
        page = context.new_page()
        page.goto(server.address)
        page.wait_for_selector("#offers button", state="attached")
        begin(page)
    wait(page, "document.querySelector('#state').textContent.startsWith('server not responding')")
    page.click("#next")
    assert page.is_visible("#picture") and page.input_value("#text") == SHIDOKU
    context.close()


def test_no_part_exceeds_the_width_of_the_window(browser: Any, studio: Served) -> None:
    def check_widths(page: Any) -> None:
        for width, height in ((390, 844), (1024, 768), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not page.is_visible("#picture") or page.locator("#picture").bounding_box()["width"] > 200

    with opened(browser, studio.address) as page:
        check_widths(page)
        begin(page)
        assert page.is_visible("#picture")
        check_widths(page)


def test_the_empty_page_shows_pictures_of_examples_and_the_language(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        images = page.locator("#offers button img")
        wait(
            page,
            "document.querySelectorAll('#offers img').length === document.querySelectorAll('#offers button').length",
        )
        assert page.evaluate("[...document.querySelectorAll('#offers img')].every((image) => image.naturalWidth > 100)")
        assert images.count() == 6 and page.get_attribute("#text", "placeholder").startswith("A, B, C in 1..3.")
        page.click("#help")
        card = page.inner_text("#card")
        assert all(
            word in card
            for word in ("param", " in ", "all_different", "grid", ":-", "sum", "%", '"row', "show", "draw")
        )
        page.focus("#text")
        page.keyboard.type("A")
        assert page.is_visible("#card"), "the card stays while the reader writes"
        page.click("#card [aria-label='close']")
        assert page.is_hidden("#card")


def test_an_example_is_opened_while_pictures_are_drawn(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        page.wait_for_selector("#offers img")
        begin(page, "sudoku")
        assert "clue" in page.input_value("#text") and page.locator("#offers img").count() < 6
        page.fill("#text", "")
        wait(page, "document.querySelectorAll('#offers img').length === 6")
