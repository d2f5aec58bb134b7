"""Test drawing of constraints in the studio's picture, in Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import dsl
from dsl.puzzles.links import linked_source
from dsl.studio.drawing import blank_board, draw_item, erase_item, items
from dsl.studio.protocol import answer
from dsl.studio.questions import Question
from dsl.studio.tools import TOOLS

from ..conftest import ROOT, TIMES

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from ..studios import MIDDLE, Served
from .test_studio_page import answered, opened, wait

pytestmark = pytest.mark.sampled(5)

RULES = ROOT / "examples" / "rules"
BOARD = blank_board(9, has_boxes=True)
PATHS = {"board": [], "cells": [(2, 2)], "edge": [(1, 2), (2, 2)], "copy": [(1, 1), (1, 2), (4, 4), (4, 5)]}
REBUILT = ["300 Subs!", "Irregular 7x7 Kropki", "Boxes", "Tangled Arrows", "Just Add Colour"]
"""Titles of published puzzles; ``TIMES=5`` rebuilds all."""


def names(cells: Iterable[tuple[int, int]]) -> list[str]:
    return [f"cell({r},{c})" for r, c in cells]


def drag(page: Any, cells: Sequence[str]) -> None:
    """Press the button of the mouse over a cell, and release it over the last one."""
    page.mouse.move(*page.evaluate(MIDDLE, cells[0]))
    page.mouse.down()
    for cell in cells[1:]:
        page.mouse.move(*page.evaluate(MIDDLE, cell))
    page.mouse.up()


def edited(page: Any, act: Any) -> None:
    """Do an act, and wait until the text has changed."""
    before = page.input_value("#text")
    act()
    wait(page, f"studio.editor.text !== {json.dumps(before)}")


def draw_with_mouse(page: Any, item: dict[str, Any]) -> None:
    """Draw an item by the mouse: choose the tool, drag over the cells, and click its digits."""
    tool = TOOLS[item["tool"]]
    if tool.kind == "board":
        edited(page, lambda: page.select_option("#tool", tool.name))
        return
    page.select_option("#tool", tool.name)
    word = "" if item["word"] == tool.usual else item["word"]

    def strike() -> None:
        """Drag over a path, or click each cell of an area, whose cells have no order."""
        for path in [[cell] for cell in item["cells"]] if tool.kind in ("area", "copy") else [item["cells"]]:
            drag(page, path)

    def enter() -> None:
        for letter in word:
            page.click(f"#digits [value='{ {' ': '␣', '-': '−'}.get(letter, letter) }']")
        page.click("#write")

    if word and tool.usual:  # such a tool writes at once, with the value that is entered before
        page.fill("#value", word)
        edited(page, strike)
    elif word or tool.kind in ("area", "copy"):
        strike()
        edited(page, enter)
    else:
        edited(page, strike)


def constraints(text: str) -> list[str]:
    """Return all constraints of a spec with their names, in an order of their own."""
    return sorted(f"{constraint.name}: {constraint}" for constraint in dsl.loads(text).constraints)


def test_every_rule_of_a_tool_reads_the_facts_that_the_tool_writes() -> None:
    for tool in TOOLS.values():
        for rules in filter(None, tool.rules):
            comment = " ".join(re.findall(r"(?m)^% ?(.*)", (RULES / f"{rules}.csp").read_text(encoding="utf-8")))
            for relation, letters, name_of_rules in tool.templates:
                if name_of_rules == rules:
                    signature = re.search(rf"\b{relation}\(([^)]*)\)", comment)
                    assert signature and len(signature[1].split(",")) == len(letters), (tool.name, comment)


def test_rules_about_cells_and_lines_have_tools() -> None:
    """Every file of rules that describes facts about single cells of a sudoku belongs to a tool."""
    used = {rules for tool in TOOLS.values() for rules in tool.rules}
    for path in RULES.glob("*.csp"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"\(L, K, R, C\)", text.partition("\n\n")[0]):
            assert path.stem in used, path.stem


@pytest.mark.parametrize("name", TOOLS)
def test_what_a_tool_draws_is_a_model_and_is_erased_to_the_same_text(name: str) -> None:
    tool = TOOLS[name]
    board = blank_board(9, has_boxes=name != "region")
    square = [(1, 1), (1, 2), (2, 1), (2, 2)]
    path = names(square[:2] if "S" in tool.letters else PATHS.get(tool.kind, square))
    word = tool.value and (tool.usual or "5")
    text = draw_item(board, name, path, word)
    added = len(dsl.loads(text).constraints) - len(dsl.loads(board).constraints)
    assert added > 0 or name == "region sum", "a line in one region has no sum"
    [item] = [item for item in items(text, {*product(range(1, 10), repeat=2)}) if item["tool"] == name][:1]
    assert draw_item(board, name, item["cells"], item["word"]) == text and item["word"] == word
    assert erase_item(text, name, item["cells"]) == board


def test_boxes_stay_included_while_a_clause_needs_them() -> None:
    """Erase one of two rules about regions, and one beside a clause that reads the regions."""
    board = draw_item(blank_board(9, has_boxes=True), "disjoint groups", [], "")
    both = draw_item(board, "box indexer", ["cell(1,1)"], "")
    assert erase_item(both, "box indexer", ["cell(1,1)"]) == board and "include boxes." in board
    needed = board + "all_different([cell(R, C) : region(R, C, 1)]).\n"
    assert "include boxes." in erase_item(needed, "disjoint groups", [])


def test_a_tool_refuses_cells_and_values_that_do_not_fit() -> None:
    def refusal(**question: Any) -> str:
        return str(next(answer(Question.of({"seq": 1, "ask": "draw", "text": BOARD, **question})))["message"])

    assert refusal(name="pencil") == "unknown tool: pencil"
    assert refusal(name="arrow", cells=["cell(1,1)"]) == "draw arrow over 2 cells or more"
    assert refusal(name="arrow", cells=["A", "B"]) == "A is not a cell(R, C)"
    assert refusal(name="clone", cells=names([(1, 1), (1, 2), (3, 3)])) == "draw clone over a shape, then over its copy"
    assert refusal(name="quadruple", cells=names([(1, 1), (1, 2)]), word="3").endswith("four cells around a corner")
    assert refusal(name="sandwich", cells=names([(1, 1), (2, 1)])) == "sandwich needs a number: sum"
    assert refusal(name="cage", cells=names([(1, 1)]), word="x). A(") == "cage needs a number: sum"
    assert refusal(name="region", cells=names([(1, 1)])).startswith("the text has no grid region")
    assert refusal(name="even", cells=names([(1, 1)]), text="A = ") != ""


def test_lines_are_drawn_chosen_and_erased_by_the_mouse(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.click("#blank [value=boxes]"))
        assert page.input_value("#text") == BOARD
        page.select_option("#tool", "thermometer")
        line = names([(1, 1), (2, 2), (2, 3), (2, 4)])
        answered(page, lambda: drag(page, [*line, "cell(2,5)", "cell(2,4)"]))  # the way back takes back a cell
        drawn = draw_item(BOARD, "thermometer", line, "")
        assert page.input_value("#text") == drawn and page.locator("#picture .mark").count()
        assert page.is_hidden("#values"), "no vertex is opened"
        # A click on a cell of the line chooses it.
        page.mouse.click(*page.evaluate(MIDDLE, "cell(2,3)"))
        assert page.inner_text("#hint") == "thermometer chosen" and page.locator("#picture .picked").count() == 4
        answered(page, lambda: page.click("#erase"))
        assert page.input_value("#text") == BOARD
        # Both changes are one step of undo each.
        page.click("#drawn")
        for text in (drawn, BOARD):
            page.locator("#state").click()
            answered(page, lambda: page.keyboard.press("Control+z"))
            assert page.input_value("#text") == text
        page.mouse.click(*page.evaluate(MIDDLE, "cell(2,3)"))
        assert page.is_visible("#values"), "without a tool, a click opens the vertex"


def test_the_sum_of_a_cage_is_clicked_and_changed(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.click("#blank [value=boxes]"))
        cells = names([(5, 5), (5, 6), (6, 6)])
        answered(page, lambda: draw_with_mouse(page, {"tool": "cage", "cells": cells, "word": "15"}))
        assert page.input_value("#text") == draw_item(BOARD, "cage", cells, "15")
        page.mouse.click(*page.evaluate(MIDDLE, "cell(5,6)"))
        assert page.input_value("#value") == "15"
        page.fill("#value", "16")
        answered(page, lambda: page.keyboard.press("Enter"))
        assert page.input_value("#text") == draw_item(BOARD, "cage", cells, "16")
        answered(page, lambda: page.select_option("#tool", "anti-knight"))
        assert "include anti_knight.\n" in page.input_value("#text")
        assert "✓ anti-knight" in page.inner_text("#tool")
        answered(page, lambda: page.select_option("#tool", "anti-knight"))
        assert "anti_knight" not in page.input_value("#text")
        page.select_option("#tool", "sandwich")
        drag(page, names([(1, 3), (2, 3)]))
        page.click("#write")
        wait(page, "document.querySelector('#hint').textContent === 'sandwich needs a number: sum'")


def test_the_keyboard_draws_and_erases_a_line(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.click("#blank [value=boxes]"))
        page.select_option("#tool", "renban")
        page.focus("#picture [tabindex='0']")
        for key in ("Shift+ArrowRight", "Shift+ArrowDown", "ArrowRight", "ArrowDown", "x"):
            page.keyboard.press(key)
        answered(page, lambda: page.keyboard.press("Enter"))
        line = names([(1, 1), (1, 2), (2, 2), (3, 3)])
        assert page.input_value("#text") == draw_item(BOARD, "renban", line, "")
        assert page.evaluate("player.film.data.vertices[document.activeElement.dataset.v].name") == "cell(3,3)"
        page.keyboard.press("Enter")
        assert page.inner_text("#hint") == "renban chosen" and page.evaluate("document.activeElement.id") == "erase"
        answered(page, lambda: page.keyboard.press("Enter"))
        assert page.input_value("#text") == BOARD


def test_a_finger_draws_on_a_phone(browser: Any, studio: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(studio.address)
    page.wait_for_selector("#offers button", state="attached")
    answered(page, lambda: page.tap("#blank [value=boxes]"))
    page.select_option("#tool", "whisper")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    touch = context.new_cdp_session(page)
    line = names([(7, 7), (8, 7), (8, 6)])
    places = [page.evaluate(MIDDLE, name) for name in line]
    assert all(y < 844 for _, y in places), "the board is in view"
    for kind, place in [("touchStart", places[0]), *(("touchMove", place) for place in places[1:])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": place[0], "y": place[1]}]})
    answered(page, lambda: touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}))
    text = page.input_value("#text")
    context.close()
    assert text == draw_item(BOARD, "whisper", line, "5")


def test_specs_without_cells_have_no_tools(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        assert page.is_hidden("#tool") and page.is_visible("#modes")


@pytest.mark.parametrize("title", REBUILT[:TIMES])
def test_published_f_puzzles_are_rebuilt_by_the_mouse_alone(
    title: str, browser: Any, studio: Served, shared: Path
) -> None:
    """The studio's text has the same constraints as the import of the link."""
    lines = (shared / "measure" / "fpuzzles" / "fpuzzles_half_A.jsonl").read_text(encoding="utf-8").splitlines()
    [puzzle] = [record for line in lines if line.startswith("{") and (record := json.loads(line))["title"] == title]
    imported, size = linked_source(puzzle["link"]).text, puzzle["size"]
    squares = {*product(range(1, size + 1), repeat=2)}
    givens = [constraint.given for constraint in dsl.loads(imported).constraints if constraint.given]
    with opened(browser, studio.address) as page:
        page.select_option("#rows", str(size))
        answered(page, lambda: page.click(f"#blank [value={'regions' if 'grid region' in imported else 'boxes'}]"))
        for variable, value in givens:
            page.mouse.click(*page.evaluate(MIDDLE, variable))
            edited(page, lambda value=value: page.click(f"#values div button:text-is('{value}')"))
            page.mouse.move(0, 0)
        for item in items(imported, squares):
            draw_with_mouse(page, item)
        page.click("#drawn") if page.is_visible("#drawn") else None
        rebuilt = page.input_value("#text")
    assert constraints(rebuilt) == constraints(imported)
    assert items(rebuilt, squares) == items(imported, squares)
