"""The modes of the studio's page in a headless Chromium, by typing and clicking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import csp
import dsl
from csp import explain

from .conftest import ROOT

pytest.importorskip("tornado", reason="tornado is not installed")
pytest.importorskip("psutil", reason="psutil is not installed")

from .studios import Served, served
from .test_predict import PLACE
from .test_studio_page import DONE, answered, begin, linked, opened, wait

SPEC = ROOT / "examples" / "shidoku.csp"
TOLD = "document.querySelector('#player').dataset.mode == studio.modes.seq && studio.modes.seq > {}"


@pytest.fixture(scope="module")
def studio() -> Iterator[Served]:
    with served() as made:
        yield made


def told(page: Any, act: Any) -> None:
    """Do something, and wait for what the mode answers."""
    before = page.evaluate("studio.modes.seq")
    act()
    wait(page, TOLD.format(before))


def mode(page: Any, name: str) -> None:
    told(page, lambda: page.click(f'#modes button[value="{name}"]'))


def test_predict_is_checked_and_goes_on_with_what_is_written(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        page.click('#modes button[value="guess"]')
        assert page.inner_text("#caption") == "step 5 · C = 4 · row 1, column 3, box 2 · what goes?"
        page.mouse.click(*page.evaluate(PLACE, ["A", "4"]))
        page.mouse.click(*page.evaluate(PLACE, ["A", "3"]))
        page.click("#prediction button:text('check')")
        said = page.inner_text("#prediction")
        assert "right: A ≠ 4" in said and "A ≠ 3: wrong: a solution has 3 there" in said and "D ≠ 4" in said
        page.click("#prediction button:text('go on')")
        assert page.inner_text("#caption").startswith("step 6 · F = 2")
        assert page.locator("#done li").count() == 0, "what is struck is no act"
        answered(page, lambda: page.select_option("#level", "arc"))
        assert page.is_visible("#prediction") and "what goes?" in page.inner_text("#caption")
        page.click('#modes button[value="watch"]')
        assert page.is_hidden("#prediction") and page.is_visible("#log")


def test_compare_plays_levels_and_acts_on_one_clock(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        answered(page, lambda: page.select_option("#level", "arc"))
        mode(page, "compare")
        assert page.locator(".side h2").all_inner_texts() == ["arc", "domain"]
        told(page, lambda: page.select_option('#asked [aria-label="and against"]', "singles"))
        assert page.locator(".side h2").all_inner_texts() == ["arc", "domain", "singles"]
        assert page.locator("#curve path:not(.axis):not(.now)").count() == 3
        page.keyboard.press("End")
        assert [text.split(" ")[0] for text in page.locator(".side .count").all_inner_texts()] == ["16"] * 3
        told(page, lambda: page.select_option("#level", "singles"))
        told(page, lambda: page.select_option('#asked [aria-label="against"]', "without acts"))
        told(page, lambda: page.locator("#gutter button").nth(4).click())
        assert page.locator(".side h2").all_inner_texts() == ["with acts", "without acts", "singles"]
        page.click('#modes button[value="guess"]')
        mode(page, "compare")
        page.click('#modes button[value="watch"]')
        assert page.is_visible("#picture") and page.locator(".side").count() == 0 and page.is_hidden("#prediction")
        page.keyboard.press("n")
        assert page.evaluate("player.film.position") > 0


def test_a_spec_is_kept_and_plays_beside_what_is_written_then(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        mode(page, "compare")
        told(page, lambda: page.click("#asked button:text('keep')"))
        told(page, lambda: page.fill("#text", SPEC.read_text(encoding="utf-8").replace("C = 4. ", "")))
        assert page.locator(".side h2").all_inner_texts() == ["this spec", "kept spec"]
        page.press("#slider", "End")
        assert page.locator(".side .count").all_inner_texts() == ["16 left · 4 removed only here"] * 2
        link = linked(page)
    with opened(browser, studio.address + link) as page:
        wait(page, TOLD.format(0))
        assert page.locator(".side h2").all_inner_texts() == ["this spec", "kept spec"]
        assert page.inner_text(".about").startswith("16 variables")


def test_two_solutions_stand_in_the_cells_and_are_stepped_through(browser: Any, studio: Served) -> None:
    several = "A, B, C in 1..3. all_different([A, B, C]). A = 3."
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", several))
        page.keyboard.press("End")
        told(page, lambda: page.click("#verdict button:text('show both')"))

        def left() -> list[str]:
            vertices = page.locator("#picture .vertex").all()
            return [str(one.get_attribute("aria-label")).split("left: ")[1] for one in vertices]

        assert left() == ["3", "1 2", "1 2"]
        pairs = []
        for _ in range(2):
            page.click("#next")
            pairs.append(left())
        assert sorted(pairs) == [["3", "1", "2"], ["3", "2", "1"]]
        link = linked(page)
        answered(page, lambda: page.fill("#text", f"{several} B = 1."))
        assert page.get_attribute('#modes [value="watch"]', "aria-pressed") == "true"
        assert page.is_hidden('#modes [value="both"]') and page.evaluate("player.film.data.records.length") > 3
    with opened(browser, studio.address + link) as page:
        wait(page, TOLD.format(0))
        assert page.evaluate("player.film.data.opening").startswith("two solutions")


def test_set_counts_solutions_and_says_what_could_go(browser: Any, studio: Served) -> None:
    text = SPEC.read_text(encoding="utf-8").replace("C = 4. ", "")
    with opened(browser, studio.address) as page:
        answered(page, lambda: page.fill("#text", text))
        mode(page, "set")
        model = dsl.loads(text)
        solutions = list(csp.Solver(model).solutions())
        counts = page.evaluate("studio.modes.setting.counts")
        assert len(solutions) > 1 and "open" in page.inner_text("#found")
        for name, own in counts.items():
            assert {value: n for value, n in own} == {
                str(value): min(9, sum(one[name] == value for one in solutions))
                for value in {one[name] for one in solutions}
            }
        assert page.locator(".counts text").count() == sum(len(own) for own in counts.values() if len(own) > 1)
        name = next(name for name, own in counts.items() if len(own) == 1)
        wrong = next(str(v) for v in model.domains[name] if str(v) != counts[name][0][0])
        page.evaluate(f"player.inspect(player.film.data.vertices.findIndex((one) => one.name === '{name}'))")
        page.evaluate("studio.acts.drawValues()")
        page.click(f'#values button:text("{wrong}")')
        assert page.inner_text("#state") == f"{name} = {wrong} is in no solution"
        assert page.locator("#done li").count() == 0
        told(page, lambda: page.fill("#text", "A, B in 1..2. A = B. A != B."))
        assert page.inner_text("#found").startswith("no solution")
        told(page, lambda: page.fill("#text", SPEC.read_text(encoding="utf-8")))
        said = page.inner_text("#found")
        assert said.startswith("one solution") and "rating" in said
        for name, count in explain.rate(csp.Solver(dsl.load(SPEC))).steps.items():
            assert f"{count} {name}" in said
        assert page.locator("#found meter").count() == 1
        needed = [need for need in explain.needs(csp.Solver(dsl.load(SPEC))) if not need.is_needed]
        assert len(page.evaluate("studio.modes.setting.spares")) == len(needed)


def test_each_kind_of_film_begins_where_it_was_left(browser: Any, studio: Served) -> None:
    with opened(browser, studio.address) as page:
        begin(page)
        page.locator("#state").click()
        for _ in range(3):
            page.click("#next")
        place = page.evaluate("player.film.position")
        page.click('#modes [value="guess"]')
        mode(page, "compare")
        assert page.is_visible("p#why")
        mode(page, "explain")
        assert page.evaluate("player.film.position") == 0 and not page.evaluate("player.prediction.on")
        page.keyboard.press("n")
        page.click('#modes [value="watch"]')
        assert (
            page.evaluate("player.film.position") == place > 0 and page.is_visible("#play") and page.is_visible("#log")
        )
        mode(page, "explain")
        assert page.evaluate("player.film.position") == 1


def test_explain_plays_steps_and_a_hint_is_uncovered_in_three(browser: Any, studio: Served) -> None:
    steps = explain.explain(csp.Solver(dsl.load(SPEC))).steps
    with opened(browser, studio.address) as page:
        begin(page)
        mode(page, "explain")
        where = explain.Hint("step", steps[0])
        for level in (1, 2):
            page.click("#asked button:text('hint')")
            assert page.inner_text("#caption") == where.text(level) and page.evaluate("player.film.position") == 0
            assert page.locator("#picture .vertex.hinted").count() == len(where.places)
        page.click("#asked button:text('hint')")
        assert page.inner_text("#caption") == f"1. {where.text(3)}" and page.evaluate("player.film.position") == 1
        page.keyboard.press("n")
        assert page.evaluate("player.film.position") == 2
        link = linked(page, "player.film.link()")
    with opened(browser, studio.address + link) as page:
        wait(page, DONE.format(0))
        wait(page, TOLD.format(0))
        assert page.get_attribute('#modes [value="explain"]', "aria-pressed") == "true"
        assert page.inner_text("#caption").startswith("2. ")
