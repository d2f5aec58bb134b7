"""Test the modes of the studio's page by typing and clicking."""

from __future__ import annotations

from typing import Any

import pytest

import csp
import dsl
from csp import explain

from ..conftest import ROOT

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from ..page.test_predict import PLACE
from ..studios import Served
from .test_studio_page import DONE, answered, begin, opened, wait, wait_for_link

pytestmark = pytest.mark.sampled(5)

SPEC = ROOT / "examples" / "shidoku.csp"
ANSWERED = "document.querySelector('#player').dataset.mode == studio.modes.seq && studio.modes.seq > {}"


READABLE_STEPS = """[...document.querySelectorAll("#log [data-at]")]
  .filter((line) => line.checkVisibility({ visibilityProperty: true }) && getComputedStyle(line).filter === "none")
  .map((line) => line.dataset.at)"""


def act_in_mode(page: Any, act: Any) -> None:
    """Do an act, and wait for the answer of the mode."""
    seq = page.evaluate("studio.modes.seq")
    act()
    wait(page, ANSWERED.format(seq))


def choose_mode(page: Any, name: str) -> None:
    act_in_mode(page, lambda: page.click(f'#modes button[value="{name}"]'))


def test_a_prediction_is_checked_and_play_continues(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        page.click('#modes button[value="guess"]')
        assert page.inner_text("#caption") == "step 5 · C = 4 · row 1, column 3, box 2 · which values are removed?"
        page.mouse.click(*page.evaluate(PLACE, ["A", "4"]))
        page.mouse.click(*page.evaluate(PLACE, ["A", "3"]))
        page.click("#prediction button:text('check')")
        message = page.inner_text("#prediction")
        assert "right: A ≠ 4" in message and "A ≠ 3: wrong: a solution has 3 here" in message and "D ≠ 4" in message
        page.click("#prediction button:text('next')")
        assert page.inner_text("#caption").startswith("step 6 · F = 2")
        assert page.locator("#done li").count() == 0, "a struck candidate is not an act"
        answered(page, lambda: page.select_option("#level", "arc"))
        assert page.is_visible("#prediction") and "which values are removed?" in page.inner_text("#caption")
        page.click('#modes button[value="watch"]')
        assert page.is_hidden("#prediction") and page.is_visible("#log")


def test_compare_plays_two_or_three_films_on_one_clock(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        answered(page, lambda: page.select_option("#level", "arc"))
        choose_mode(page, "compare")
        assert page.locator(".side h2").all_inner_texts() == ["arc", "domain"]
        act_in_mode(page, lambda: page.select_option('#tools [aria-label="and against"]', "singles"))
        assert page.locator(".side h2").all_inner_texts() == ["arc", "domain", "singles"]
        assert page.locator("#curve path:not(.axis):not(.now)").count() == 3
        page.keyboard.press("End")
        assert [text.split(" ")[0] for text in page.locator(".side .count").all_inner_texts()] == ["16"] * 3
        act_in_mode(page, lambda: page.select_option("#level", "singles"))
        act_in_mode(page, lambda: page.select_option('#tools [aria-label="against"]', "without acts"))
        act_in_mode(page, lambda: page.locator("#gutter button").nth(4).click())
        assert page.locator(".side h2").all_inner_texts() == ["with acts", "without acts", "singles"]
        page.click('#modes button[value="guess"]')
        choose_mode(page, "compare")
        page.click('#modes button[value="watch"]')
        assert page.is_visible("#picture") and page.locator(".side").count() == 0 and page.is_hidden("#prediction")
        page.keyboard.press("n")
        assert page.evaluate("player.film.position") > 0


def test_a_kept_spec_plays_beside_the_current_spec(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        choose_mode(page, "compare")
        act_in_mode(page, lambda: page.click("#tools button:text('keep')"))
        act_in_mode(page, lambda: page.fill("#text", SPEC.read_text(encoding="utf-8").replace("C = 4. ", "")))
        assert page.locator(".side h2").all_inner_texts() == ["this spec", "kept spec"]
        page.press("#slider", "End")
        assert page.locator(".side .count").all_inner_texts() == ["16 left · 4 removed only here"] * 2
        link = wait_for_link(page)
    with opened(browser, studio.address + link) as page:
        wait(page, ANSWERED.format(0))
        assert page.locator(".side h2").all_inner_texts() == ["this spec", "kept spec"]
        assert page.inner_text(".about").startswith("16 variables")


def test_two_solutions_appear_in_the_cells_and_are_stepped_through(browser: Any, studio: Served) -> None:
    several = "A, B, C in 1..3. all_different([A, B, C]). A = 3."
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", several))
        page.keyboard.press("End")
        act_in_mode(page, lambda: page.click("#verdict button:text('show both')"))

        def read_cells() -> list[str]:
            vertices = page.locator("#picture .vertex").all()
            return [str(vertex.get_attribute("aria-label")).split("left: ")[1] for vertex in vertices]

        assert read_cells() == ["3", "1 2", "1 2"]
        pairs = []
        for _ in range(2):
            page.click("#next")
            pairs.append(read_cells())
        assert sorted(pairs) == [["3", "1", "2"], ["3", "2", "1"]]
        link = wait_for_link(page)
        answered(page, lambda: page.fill("#text", f"{several} B = 1."))
        assert page.get_attribute('#modes [value="watch"]', "aria-pressed") == "true"
        assert page.is_hidden('#modes [value="both"]') and page.evaluate("player.film.data.records.length") > 3
    with opened(browser, studio.address + link) as page:
        wait(page, ANSWERED.format(0))
        assert page.evaluate("player.film.data.opening").startswith("two solutions")


def test_set_counts_solutions_and_finds_clues_that_are_not_needed(browser: Any, studio: Served) -> None:
    text = SPEC.read_text(encoding="utf-8").replace("C = 4. ", "")
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", text))
        choose_mode(page, "set")
        model = dsl.loads(text)
        solutions = list(csp.Solver(model).solutions())
        counts = page.evaluate("studio.modes.setting.counts")
        assert len(solutions) > 1 and "unfixed" in page.inner_text("#findings")
        for name, pairs in counts.items():
            assert {value: n for value, n in pairs} == {
                str(value): min(9, sum(solution[name] == value for solution in solutions))
                for value in {solution[name] for solution in solutions}
            }
        assert page.locator(".counts text").count() == sum(len(pairs) for pairs in counts.values() if len(pairs) > 1)
        name = next(name for name, pairs in counts.items() if len(pairs) == 1)
        wrong = next(str(v) for v in model.domains[name] if str(v) != counts[name][0][0])
        page.evaluate(f"player.inspect(player.film.data.vertices.findIndex((one) => one.name === '{name}'))")
        page.evaluate("studio.acts.drawValues()")
        page.click(f'#values button:text("{wrong}")')
        assert page.inner_text("#state") == f"{name} = {wrong} is in no solution"
        assert page.locator("#done li").count() == 0
        act_in_mode(page, lambda: page.fill("#text", "A, B in 1..2. A = B. A != B."))
        assert page.inner_text("#findings").startswith("no solution")
        act_in_mode(page, lambda: page.fill("#text", SPEC.read_text(encoding="utf-8")))
        message = page.inner_text("#findings")
        assert message.startswith("one solution") and "rating" in message
        for name, count in explain.rate(csp.Solver(dsl.load(SPEC))).steps.items():
            assert f"{count} {name}" in message
        assert page.locator("#findings meter").count() == 1
        spares = [need for need in explain.needs(csp.Solver(dsl.load(SPEC))) if not need.is_needed]
        assert len(page.evaluate("studio.modes.setting.spares")) == len(spares)


def test_each_mode_resumes_its_film_at_its_last_position(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        page.locator("#state").click()
        for _ in range(3):
            page.click("#next")
        place = page.evaluate("player.film.position")
        page.click('#modes [value="guess"]')
        choose_mode(page, "compare")
        assert page.is_visible("p#why")
        choose_mode(page, "explain")
        assert page.evaluate("player.film.position") == 0 and not page.evaluate("player.prediction.isOn")
        page.keyboard.press("n")
        page.click('#modes [value="watch"]')
        assert (
            page.evaluate("player.film.position") == place > 0 and page.is_visible("#play") and page.is_visible("#log")
        )
        choose_mode(page, "explain")
        assert page.evaluate("player.film.position") == 1


def test_explain_plays_steps_and_a_hint_has_three_levels(browser: Any, studio: Served) -> None:
    steps = explain.explain(csp.Solver(dsl.load(SPEC))).steps
    with opened(browser, studio.address) as page:
        begin(page)
        choose_mode(page, "explain")
        hint = explain.Hint("step", steps[0])
        for level in (1, 2):
            page.click("#tools button:text('hint')")
            assert page.inner_text("#caption") == hint.text(level) and page.evaluate("player.film.position") == 0
            assert page.locator("#picture .vertex.hinted").count() == len(hint.places)
        page.click("#tools button:text('hint')")
        assert page.inner_text("#caption") == f"1. {hint.text(3)}" and page.evaluate("player.film.position") == 1
        assert page.evaluate(READABLE_STEPS) == ["0", "1"], "the log blurs future steps"
        assert page.evaluate("getComputedStyle(document.querySelector('#log [data-at=\"2\"]')).visibility") == "visible"
        page.keyboard.press("n")
        assert page.evaluate("player.film.position") == 2
        link = wait_for_link(page, "player.film.getLink()")
    with opened(browser, studio.address + link) as page:
        wait(page, DONE.format(0))
        wait(page, ANSWERED.format(0))
        assert page.get_attribute('#modes [value="explain"]', "aria-pressed") == "true"
        assert page.inner_text("#caption").startswith("2. ")


def test_a_phone_shows_the_words_of_a_hint_below_the_picture(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        begin(page)
        assert page.is_hidden("#caption")
        choose_mode(page, "explain")
        page.click("#tools button:text('hint')")
        assert page.is_visible("#caption") and page.inner_text("#caption").startswith("look at ")
        assert page.is_hidden("#log") and page.is_visible("#picture")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_mode_that_waits_for_a_mistake_reports_it(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", "A in 1..2. A == 1."))
        page.evaluate("document.body.classList.remove('is-empty')")
        page.click('#modes button[value="explain"]')
        assert page.inner_text("#findings") == "explain waits until the mistake is corrected"
        page.click('#modes button[value="watch"]')
        assert page.is_hidden("#findings")
        page.click('#modes button[value="explain"]')
        act_in_mode(page, lambda: page.fill("#text", "A, B in 1..2. A = 1. A != B."))
        assert page.is_hidden("#findings") and "hint" in page.inner_text("#tools")
        answered(page, lambda: page.fill("#text", "A in 1..2. B = 1. C = 1."))
        assert page.inner_text("#findings") == "explain waits until 2 mistakes are corrected"
