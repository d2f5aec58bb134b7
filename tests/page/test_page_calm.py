"""A calm page: stops only at changes, no movement, and a legend of visible signs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ..browser import opened
from .test_player import pages_of

pytestmark = pytest.mark.sampled(5)

NAMES = ("shidoku", "sudoku", "windoku", "queens", "kakuro", "evenodd")
MORE = ("shikaku", "tents")
PLACES = """[...document.querySelectorAll(".words, .right .panel:not(#inspector), #source, #log, #tree, .stage, .deck")]
  .map((one) => one.id + JSON.stringify(one.getBoundingClientRect()))"""


STEPPED = """(stops) => {
  const { picture, film } = player, caption = document.querySelector("#caption"), places = PLACES.join();
  let before = picture.svg.outerHTML;
  return stops.flatMap((stop) => {
    player.step(1);
    const now = picture.svg.outerHTML, isRight = film.position === stop && now !== before && PLACES.join() === places;
    before = now;
    return isRight ? [] : [caption.innerText];
  });
}""".replace("PLACES", PLACES)
"""Captions of wrong stops: not reached by a step, or with the same picture, or with moved panels."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return pages_of((*NAMES, *MORE), tmp_path_factory.mktemp("calm"), 20)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_each_stop_changes_the_picture_and_nothing_else_moves(browser: Any, pages: dict[str, Path], name: str) -> None:
    with opened(browser, pages[name]) as page:
        stops = page.evaluate("player.film.stops.step")
        quiet = set(page.evaluate("player.film.silentStops"))
        assert len(stops) > 5 and quiet.isdisjoint(stops[:-1])
        assert page.evaluate(STEPPED, stops[1:30]) == []
        page.keyboard.press("s")
        assert set(page.evaluate("player.film.stops.step")) == quiet.union(stops)


def test_the_first_picture_has_the_givens(browser: Any, pages: dict[str, Path]) -> None:
    for name in ("sudoku", "shidoku", "queens"):
        with opened(browser, pages[name]) as page:
            givens = page.evaluate("""player.picture.groups.flatMap((group, v) => {
              const { given } = player.film.data.vertices[v];
              const shown = group.querySelector(".fixed")?.textContent;
              return given === undefined ? [] : [[player.film.data.values[given], shown]];
            })""")
            assert all(value == drawn_value for value, drawn_value in givens)
            assert len(givens) == {"sudoku": 30, "shidoku": 4}.get(name, 0)
            page.keyboard.press("n")
            assert page.inner_text("#caption").startswith("the givens ·") == bool(givens)


def test_the_legend_lists_the_signs_of_the_current_picture(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["sudoku"]) as page:
        assert page.locator("#legend li").all_text_contents() == ["1given", "1possible value"]
        page.evaluate("player.seek(player.film.findPosition('step=48'))")
        legend_texts = [words.lstrip("*1") for words in page.locator("#legend li").all_text_contents()]
        assert (
            legend_texts[1:5] == ["removed", "cause removes value", "active constraint or decision", "cause"]
            and "idle" not in legend_texts
        )
        words = page.locator(".words").bounding_box()
        page.keyboard.press("m")
        assert page.locator(".words").bounding_box() == words


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["sudoku", "queens", "windoku", "tents"])
def test_the_legend_is_not_cut_and_does_not_move_the_picture(browser: Any, pages: dict[str, Path], name: str) -> None:
    with opened(browser, pages[name]) as page:
        picture = page.locator("#picture").bounding_box()
        end = page.evaluate("player.film.data.records.length")
        for position in range(0, end, max(1, end // 12)):
            page.evaluate(f"player.seek({position})")
            legend = page.locator(".words").bounding_box()
            for box in (entry.bounding_box() for entry in page.locator("#legend li").all()):
                assert box["x"] >= legend["x"] and box["x"] + box["width"] <= legend["x"] + legend["width"]
                assert box["y"] + box["height"] <= legend["y"] + legend["height"]
            assert page.locator("#picture").bounding_box() == picture
        assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#legend li')).fontSize)") >= 12.5


def test_each_group_marks_the_values_that_it_removed(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["windoku"]) as page:
        page.evaluate("""{
          const { records } = player.film.data, of = (i) => records.filter(({ step }) => step === records[i].step);
          const { step } = records.find((one, i) => one.kind === "fixed" && of(i).length > 2);
          player.seek(player.film.findPosition(`step=${step}`));
        }""")
        parts = page.locator("#caption .part").count()
        assert 2 < parts <= 4
        for i in range(parts):
            line = page.locator("#caption .part").nth(i)
            cells = line.inner_text().partition(" from ")[2]
            removed_count = int(cells.split()[0]) if cells.endswith(" cells") else cells.count("cell")
            assert page.locator(f"#picture .taker{i}").count() == removed_count > 0
            line.hover()
            assert page.locator("#picture .related").count() == 9, "the group of the line"
            dash = "(box) => getComputedStyle(box).strokeDasharray"
            signs = line.locator("rect").evaluate(dash), page.locator(f"#picture .taker{i}").first.evaluate(dash)
            assert signs[0] == signs[1]
        assert page.inner_text("#caption").count("marked") == 1


def test_causes_are_numbered_in_order_and_their_sentence_is_not_cut(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["queens"], "#step=6") as page:
        page.keyboard.press("w")
        assert page.locator("#picture .because text.order").all_text_contents() == ["1", "2", "3"]
        words, because = (page.locator(place).bounding_box() for place in (".words", "#because"))
        assert because["y"] + because["height"] <= words["y"] + words["height"] + 1
        assert page.inner_text("#because").endswith("decision)")


def test_the_legend_lists_only_visible_signs(browser: Any, pages: dict[str, Path]) -> None:
    """Check a picture of helpers alone, and the signs of failures."""
    signs = {
        "↔": "a row",
        "↕": "a column",
        "▦": "a group",
        "⤡": "a diagonal",
        "⤢": "a rising diagonal",
        "•": "one cell",
        "○": "a decision",
    }
    with opened(browser, pages["shikaku"], "#event=39") as page:
        assert page.evaluate("player.picture.scene.active.size") > 0
        helpers = ["3square that acted", "rectangle found to hold here", "rectangle ruled out here is the cause"]
        printed = ["6clue", "border of a region"]
        assert [text.strip() for text in page.locator("#legend li").all_text_contents()] == [
            *helpers,
            *printed,
            "found border",
        ]
        page.evaluate("player.seek(0)")
        assert page.locator("#legend li").all_text_contents() == printed, "no border is found yet"
    all_listed = set()
    for name in ("evenodd", "queens"):
        with opened(browser, pages[name]) as page:
            for end in page.evaluate(
                "player.film.data.records.flatMap(({kind}, i) => kind === 'failure' ? [i + 1] : [])"
            ):
                page.evaluate(f"player.seek({end})")
                listed = {words[1:] for words in page.locator("#legend li:has(.took:not(.worded))").all_text_contents()}
                visible_signs = {*page.locator("#picture .took").all_text_contents()} & {*signs}
                assert listed == {f"removed by {signs[sign]}" for sign in visible_signs}
                all_listed |= listed
    assert len(all_listed) > 2


def test_the_legend_in_the_menu_looks_like_the_picture(browser: Any, pages: dict[str, Path]) -> None:
    look = """(place) => [...document.querySelectorAll(place)].slice(0, 1).map((one) => {
      const { fill, textAnchor } = getComputedStyle(one);
      return [fill, textAnchor];
    })[0]"""
    with opened(browser, pages["queens"], "#step=6") as page:
        page.click("#more summary")
        for sign in (".asterisk", ".gone", ".found"):
            assert page.evaluate(look, f"#signs {sign}") == page.evaluate(look, f"#legend {sign}")
            assert page.evaluate(look, f"#signs {sign}")[1] == "middle"
        heights = [text.bounding_box()["height"] for text in page.locator("#signs .node text").all()]
        assert heights and min(heights) > 8


def test_queue_spec_and_picture_highlight_each_other(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["sudoku"], "#step=48") as page:
        entries = page.locator("#queue b, #marks button")
        assert entries.count() > 5 and all(chip.get_attribute("title") for chip in entries.all()), (
            "every entry has a title"
        )
        page.locator("#queue b[data-vertex]").first.hover()
        assert page.locator("#picture .related").count() == 1
        page.locator("#source .lit").first.hover()
        assert page.locator("#picture .related").count() == 81, "one clause declares all rows"
        page.locator("#source .lit").first.click()
        page.mouse.move(5, 5)
        assert page.locator("#picture .related").count() == 0
        assert page.locator("#picture .first-pin").count() == 81 and page.locator("#source .first-pin").count() == 1
        page.locator("#picture .vertex.marked").first.hover()
        look = "getComputedStyle(document.querySelector('#picture .related .body')).stroke"
        assert page.evaluate(look) == page.evaluate(
            "getComputedStyle(document.querySelector('#source .related')).outlineColor"
        )
        assert page.locator("#source .related").count() >= 3, "row, column and box"
        page.mouse.move(5, 5)
        page.focus("#source")
        for key in ("ArrowDown", "ArrowUp", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        assert (
            page.locator("#source .second-pin").get_attribute("value") == "2"
            and page.locator("#source .related").get_attribute("value") == "2"
        )
        page.keyboard.press("Enter")
        assert page.locator("#source .second-pin").count() == 0
        position = page.evaluate("player.film.position")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("player.film.position") > position, "the arrow steps the film, as everywhere"


def test_only_the_picture_and_the_legend_are_yellow(browser: Any, pages: dict[str, Path]) -> None:
    with opened(browser, pages["evenodd"], "#step=60") as page:
        count = page.evaluate("""[...document.querySelectorAll("main *")].filter((one) => {
          const { backgroundColor, fill } = getComputedStyle(one);
          return [backgroundColor, fill].includes("rgb(240, 228, 66)") && !one.closest("#picture, #legend");
        }).length""")
        assert count == 0


def test_a_failure_has_a_fill_a_badge_and_signs_of_removed_values(browser: Any, pages: dict[str, Path]) -> None:
    """Check also that its caption is short."""
    failures = 0
    for name in ("evenodd", "queens"):
        with opened(browser, pages[name]) as page:
            ends = page.evaluate(
                "player.film.data.records.flatMap(({ kind }, i) => (kind === 'failure' ? [i + 1] : []))"
            )
            for end in ends[:6]:
                page.evaluate(f"player.seek({end})")
                assert page.locator("#picture .badge").count() == 1
                filled = page.locator("#picture .vertex.failed, #picture .failed-square").count()
                assert (
                    filled
                    == len(page.evaluate("player.film.getRecord().lost"))
                    == page.locator("#picture .took").count()
                )
                assert page.locator("#caption.failed").count() == 1 and len(page.inner_text("#caption")) < 180
                assert page.locator("#legend .failed").count() == 1
                failures += 1
            page.evaluate("player.seek(0)")
            assert page.locator("#picture .badge, #picture .failed-square, #picture .failed").count() == 0
    assert failures > 5


def test_a_zoomed_picture_follows_the_removed_values(browser: Any, pages: dict[str, Path]) -> None:
    shows_a_removed_value = """(() => {
      const { picture, film } = player, stage = picture.svg.parentElement.getBoundingClientRect();
      return [...picture.scene.gone].map((code) => Math.floor(code / film.width)).some((v) => {
        const { left, right, top, bottom } = picture.groups[v].getBoundingClientRect();
        return left >= stage.left - 1 && right <= stage.right + 1 && top >= stage.top - 1 && bottom <= stage.bottom + 1;
      });
    })()"""
    with opened(browser, pages["sudoku"]) as page:
        for key in "+++":
            page.keyboard.press(key)
        for _ in range(12):
            page.keyboard.press("n")
            assert page.evaluate(shows_a_removed_value), page.inner_text("#caption")
