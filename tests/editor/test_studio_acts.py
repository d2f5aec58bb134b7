"""Test acts in the studio's picture, and their undo, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from dsl.studio.protocol import answer
from dsl.studio.questions import Question

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from ..studios import MIDDLE, Served
from .test_studio_page import SHIDOKU, answered, opened

pytestmark = pytest.mark.sampled(5)

ROWS = "\n".join([". . . ."] * 4)
SPEC = f'include sudoku. param box = 2. grid clue(4, 4) = "\n{ROWS}\n".\n'


def undo(page: Any) -> None:
    page.locator("#state").click()
    answered(page, lambda: page.keyboard.press("Control+z"))


def test_a_typed_digit_enters_the_grid(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", SPEC))
        page.mouse.click(*page.evaluate(MIDDLE, "cell(2,3)"))
        answered(page, lambda: page.keyboard.press("Digit4"))
        assert page.input_value("#text") == SPEC.replace(ROWS, ". . . .\n. . 4 .\n. . . .\n. . . .")
        assert page.locator("#done li").count() == 0
        undo(page)
        assert page.input_value("#text") == SPEC


def test_next_and_branch_are_buttons_and_queue_items_are_dragged(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B, C, D in 1..4. all_different([A, B, C, D]). A + B = 3. C < D."))
        page.locator("#picture .vertex").nth(1).click()
        page.click("#values button:text-is('branch')")
        answered(page, lambda: page.click("#values button:text-is('2')"))
        assert page.evaluate("player.film.data.records.find((one) => one.kind === 'decision').text").startswith(
            "node 1 · try B = 2 at the root"
        )
        undo(page)
        answered(page, lambda: page.fill("#text", SHIDOKU))
        answered(page, lambda: page.select_option("#level", "arc"))
        page.evaluate("player.seek(player.film.stops.round[1])")
        items = page.locator("#queue [data-vertex]")
        assert items.all_inner_texts()[:4] == ["C", "F", "K", "N"]
        answered(page, lambda: items.nth(3).drag_to(items.nth(0)))
        assert page.evaluate("studio.acts.list") == ["% next N"] and "Another order" in page.inner_text(".note")
        page.evaluate("player.seek(player.film.stops.round[1])")
        assert page.locator("#queue [data-vertex]").all_inner_texts()[:4] == ["N", "C", "F", "K"]
        page.locator("#picture .vertex").nth(10).click()
        answered(page, lambda: page.click("#values button:text-is('next')"))
        assert page.evaluate("studio.acts.list") == ["% next N", "% next K"]
        undo(page)
        undo(page)
        assert page.evaluate("studio.acts.list") == []


def test_a_value_is_entered_only_in_a_grid_of_givens() -> None:
    def give(text: str, name: str, word: str) -> str | None:
        messages = {message["kind"]: message for message in answer(Question(1, "give", text, name=name, word=word))}
        return messages["give"]["text"] if "give" in messages else None

    assert give(SPEC, "cell(1,4)", "2") == SPEC.replace(". . . .", ". . . 2", 1)
    assert give(SPEC, "cell(1,4)", "7") is None and give(SPEC, "cell(5,1)", "1") is None
    assert give("A in 1..4. A != 2.", "A", "3") is None
    excluding = 'grid gap = "1 2 | 2 1". x(R, C) in 1..2 :- R in 1..2, C in 1..2. x(R, C) != V :- gap(R, C, V).'
    assert give(excluding, "x(1,1)", "2") is None, "this grid lists excluded values"


def test_a_circle_of_the_tree_branches_on_an_untried_value(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..3. A != B."))
        first_branch = "player.film.data.records.find((one) => one.kind === 'decision').text.split(/ · try | at /)[1]"
        assert page.evaluate(first_branch) == "A = 1"
        page.locator("#tree .untried .shape").first.click()
        assert page.locator("#values button").all_inner_texts() == ["A = 2", "A = 3"]
        answered(page, lambda: page.keyboard.press("Enter"))
        assert page.evaluate("studio.acts.list") == ["% branch A = 2"] and page.evaluate(first_branch) == "A = 2"
        assert page.is_hidden("#values")
        page.focus("#tree [tabindex='0']")
        for key in ("ArrowDown", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        answered(page, lambda: page.click("#values button:text-is('A = 3')"))
        assert page.evaluate("studio.acts.list") == ["% branch A = 3"], "the new value replaces the last one"
        undo(page)
        assert page.evaluate("studio.acts.list") == ["% branch A = 2"], "the value before it"
        undo(page)
        assert page.evaluate("studio.acts.list") == [] and page.evaluate(first_branch) == "A = 1"
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        answered(page, lambda: page.locator("#tree .untried .shape").first.click())
        assert page.evaluate("studio.acts.list") == ["% branch A = 2"], "a single untried value is tried at once"


LIT = """(name) => ({
  cells: player.film.data.vertices.filter((_, v) => player.picture.groups[v].matches(`.${name}`))
    .map((one) => one.name).join(""),
  lines: [...document.querySelectorAll(`#gutter .${name}`)].map((one) => Number(one.dataset.line)),
  log: document.querySelectorAll(`#log .${name}`).length, queue: document.querySelectorAll(`#queue .${name}`).length,
  tree: document.querySelectorAll(`#tree .${name}`).length,
})"""  # fmt: skip


def test_lines_cells_queue_log_and_tree_are_highlighted_together(browser: Any, studio: Served) -> None:
    text = 'A, B, C, D in 1..4.\n"pair":\n  A = B.\n"row": all_different([B, C, D]).\nC < D.\n'
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", text))

        def find_lit(name: str = "related") -> Any:
            return page.evaluate(LIT, name)

        # A pointer at a line, a cell, the queue, the log or the tree.
        page.hover('#gutter [data-line="3"]')
        highlighted = find_lit()
        assert highlighted["cells"] == "AB" and highlighted["lines"] == [2, 3], "the whole clause is lit"
        assert highlighted["queue"] and highlighted["log"] and highlighted["tree"]
        page.hover("#state")
        assert not any(find_lit().values())
        page.locator("#picture .vertex").nth(2).hover()
        assert find_lit()["cells"] == "C" and find_lit()["lines"] == [4, 5]
        page.locator("#queue b").first.hover()
        assert find_lit()["cells"] == "AB" and find_lit()["lines"] == [3]
        decision = page.evaluate("player.film.data.records.findIndex((one) => one.kind === 'decision')")
        page.evaluate(f"player.seek({decision} + 1)")
        page.locator("#log .now").hover()
        assert find_lit()["log"] == 1 and find_lit()["tree"] == 1
        page.locator("#tree .node .shape").nth(1).hover()
        assert find_lit()["tree"] == 1 and find_lit()["cells"]
        # Two pinned lines, by pointer and by keyboard.
        page.locator('#gutter [data-line="4"]').click(modifiers=["Shift"])
        page.focus("#text")
        page.keyboard.press("Control+End")
        page.keyboard.press("ArrowUp")
        assert find_lit()["lines"] == [5] and find_lit()["cells"] == "CD", "the line of the caret"
        page.keyboard.press("F9")
        page.keyboard.press("Home")
        page.hover("#state")
        page.focus("#level")
        assert (
            find_lit("first-pin")["cells"] == "BCD"
            and find_lit("second-pin")["lines"] == [5]
            and not find_lit()["lines"]
        )
        answered(page, lambda: page.select_option("#level", "domain"))
        assert find_lit("second-pin")["cells"] == "CD", "a pin stays in the next film"
        page.locator('#gutter [data-line="2"]').click(modifiers=["Shift"])
        assert find_lit("first-pin")["lines"] == [5] and find_lit("second-pin")["lines"] == [2, 3]
        # Pins and acts follow their lines through edits.
        page.focus("#text")
        answered(page, lambda: page.keyboard.press("F8"))
        assert page.evaluate("studio.acts.list") == ["% off 5"]
        page.keyboard.press("Control+Home")
        answered(page, lambda: page.keyboard.insert_text("% what\n% comes\n"))
        assert find_lit("first-pin")["lines"] == [7] and find_lit("second-pin")["lines"] == [4, 5]
        assert page.evaluate("studio.acts.list") == ["% off 7"] and find_lit("second-pin")["cells"] == "AB"
        answered(page, lambda: page.keyboard.press("Control+z"))
        assert find_lit("first-pin")["lines"] == [5] and page.evaluate("studio.acts.list") == ["% off 5"]
        answered(page, lambda: page.fill("#text", text.replace("C < D.\n", "")))
        assert find_lit("first-pin")["lines"] == [2, 3] and page.evaluate("studio.acts.list") == []
        answered(page, lambda: page.select_option("#examples", "shidoku"))
        assert not any(find_lit("first-pin").values()) and page.evaluate("studio.acts.list") == []


def test_the_only_number_pad_is_at_its_cell(browser: Any, studio: Served) -> None:
    def get_gap(cell: Any, pad: Any) -> float:
        return float(max(pad["y"] - cell["y"] - cell["height"], cell["y"] - pad["y"] - pad["height"]))

    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", SPEC))
        pad = page.locator("#values")
        for size in ((1280, 800), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("studio.showTab('picture')")
            for v in (0, 6, 15):
                cell = page.locator("#picture .vertex").nth(v)
                cell.scroll_into_view_if_needed()
                page.evaluate(f"player.inspect({v})")
                box = pad.bounding_box()
                assert -1 <= get_gap(cell.bounding_box(), box) < 12 and page.is_hidden("#inspector")
                assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        page.set_viewport_size({"width": 1280, "height": 800})
        page.evaluate("player.inspect(null)")
        page.focus("#picture [tabindex='0']")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.textContent") == "1", "Enter moves into the pad"
        page.keyboard.press("Escape")
        assert page.is_hidden("#values") and page.evaluate("document.activeElement.matches('#picture .vertex')")
        page.keyboard.press("Enter")
        page.click("#values button:text-is('why')")
        assert page.is_visible("#inspector")
        page.click("#values [aria-label='close']")
        assert page.is_hidden("#inspector") and page.is_hidden("#values")


def test_modes_and_lenses_share_one_line(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", SPEC))
        for first, second in (("#modes", "#lenses"), ("#first", "#why")):
            boxes = [page.locator(place).bounding_box() for place in (first, second)]
            assert abs(boxes[0]["y"] - boxes[1]["y"]) < 12
