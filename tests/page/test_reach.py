"""The page of the player at every size, on screen and on paper."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import csp
from csp.render.page.player import player
from dsl.cli import main

from ..browser import opened
from .test_page import caption_of, press
from .test_player import HARD, example

pytestmark = pytest.mark.sampled(5)

BOX = """() => Object.fromEntries(['#picture', '#next', '#slider'].map((id) => (
  [id, document.querySelector(id).getBoundingClientRect()])))"""
WHOLE = """() => {
  const words = document.querySelector('.words'), cut = [];
  for (const stop of player.film.stops.step) {
    player.seek(stop);
    if (words.scrollHeight > words.clientHeight + 1) cut.push(stop);
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reach")
    traces = {
        "hard": csp.record(example("sudoku", grids={"clue": HARD}), nodes=200),
        "queens": csp.record(example("queens"), nodes=None),
    }
    for name, trace in traces.items():
        (folder / f"{name}.html").write_text(player(trace, "% the puzzle", name), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in traces}


def test_picture_and_controls_are_visible_together_at_every_size(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30") as page:
        for width, height in ((1280, 800), (640, 400), (760, 560), (1000, 700), (380, 740), (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            boxes = page.evaluate(BOX)
            for name, box in boxes.items():
                assert box["left"] >= 0 and box["right"] <= width + 1 and box["top"] >= 0, (width, height, name)
                assert box["bottom"] <= height + 1, (width, height, name)
            assert boxes["#picture"]["height"] > 0.3 * height and boxes["#picture"]["bottom"] <= boxes["#slider"]["top"]
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_captions_are_never_cut(browser: Any, page_of: dict[str, Path]) -> None:
    for name in ("queens",):
        with opened(browser, page_of[name]) as page:
            before = page.evaluate(BOX)["#picture"]
            assert page.evaluate(WHOLE) == []
            assert page.evaluate(BOX)["#picture"] == before, "a long caption does not make the picture smaller"


def test_links_carry_lens_grain_speed_and_view(browser: Any, page_of: dict[str, Path]) -> None:
    link = "#step=37&lens=matching&grain=round&speed=4&view=picture"
    with opened(browser, page_of["hard"], link) as page:
        view = "player.kind, player.film.grain, player.speed.value, document.body.className"
        state = f"[{view}, player.film.getRecord().step]"
        assert page.evaluate(state) == ["matching", "round", "4", "bare", 37]
        assert page.is_hidden("header") and page.is_hidden(".deck") and page.is_visible("#caption")
        page.evaluate("player.updateAddress()")
        assert page.evaluate("location.hash").endswith(link)
        press(page, "Escape", "g", "v")
        assert page.is_visible("header")
        page.evaluate("player.updateAddress()")
        assert page.evaluate("location.hash").endswith("&speed=4"), "a link omits defaults"


def test_the_picture_zooms_and_pans(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30") as page:
        initial = page.evaluate(BOX)["#picture"]
        press(page, "+", "+")
        larger = page.evaluate(BOX)["#picture"]
        assert larger["width"] == pytest.approx(2.25 * initial["width"])
        page.mouse.move(400, 300)
        page.mouse.down()
        page.mouse.move(440, 350, steps=3)
        page.mouse.up()
        moved = page.evaluate(BOX)["#picture"]
        assert (moved["x"] - larger["x"], moved["y"] - larger["y"]) == (40, 50)
        assert page.locator("#inspector h2").count() == 0, "dragging is not a click"
        page.mouse.click(400, 300)
        assert page.locator("#inspector h2").count() == 1
        page.click("#more summary")
        page.click("#fit")
        assert page.evaluate(BOX)["#picture"] == initial


def test_causes_are_highlighted_in_picture_log_and_tree(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"]) as page:
        page.locator("#marks .failure").first.click()
        caption = caption_of(page)
        assert caption.startswith("failure · ") and " by " not in caption, "the picture names the constraint"
        press(page, "w")
        assert "rests on" in page.inner_text("#because") and "decision" in page.inner_text("#because")
        for lit in (".because rect", "#log .because", "#tree .node.because"):
            assert page.locator(lit).count() > 0, lit
        fade = "(all) => [...new Set(all.map((one) => getComputedStyle(one).opacity))]"
        assert page.locator("#picture .vertex.in-chain").evaluate_all(fade) == ["1"]
        assert page.locator("#picture .vertex:not(.in-chain)").evaluate_all(fade) == ["0.35"], (
            "all other vertices are dimmed"
        )
        numbers = {int(text) for text in page.locator("#picture .because text").all_text_contents() if text.isdigit()}
        assert len(numbers) > 1 and min(numbers) == 1
        hues = page.evaluate("""["--why", "--marked"].map((name) => (
          getComputedStyle(document.documentElement).getPropertyValue(name)))""")
        assert hues == ["#007A55", "#0072B2"], "causes are green and marked vertices are blue"
        all_causes = page.evaluate("[...player.traceStep().keys()]")
        assert all(i < page.evaluate("player.film.position") for i in all_causes)
        press(page, "b")
        assert page.evaluate("[...player.traceStep().keys()]") != all_causes and page.is_visible("#because")
        press(page, "w")
        assert page.is_hidden("#because") and page.locator(".because rect").count() == 0
        page.locator(".vertex[data-v='80']").click()
        page.locator("#inspector .missing").first.hover()
        assert page.locator(".because rect").count() > 0 and "rests on" in page.inner_text("#inspector .why")
        page.evaluate("player.seek(player.film.findPosition('step=60'))")
        vertex = page.evaluate("""player.film.data.vertices.findIndex(({ given }, v) => (
          given === undefined && player.film.findSettler(v) !== undefined))""")
        page.locator(f".vertex[data-v='{vertex}']").click()
        page.locator("#inspector .left").hover()
        assert "rests on" in page.inner_text("#inspector .why"), "a fixed value also has a reason"


def test_log_and_marks_are_used_by_keyboard(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30") as page:
        page.focus("#log")
        press(page, "ArrowUp", "ArrowUp", "ArrowUp")
        line = page.inner_text("#log .cursor")
        assert caption_of(page).startswith("step 30 ·"), "choosing a line does not seek"
        press(page, "Enter")
        place, _, cause = line.removeprefix("step 29 · ").partition(": ")
        assert f"step 29 · {cause}" in caption_of(page) and place in caption_of(page)
        press(page, "End")
        assert page.inner_text("#log .cursor") == "solved" and place in caption_of(page)
        page.focus("#marks [tabindex='0']")
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label.startswith("○ node 1 · ")
        press(page, "ArrowRight", "Enter")
        assert caption_of(page).startswith("node 2 · ")


def test_the_focus_has_a_separate_ring(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30") as page:
        page.focus("#log")
        page.keyboard.press("Shift+Tab")
        page.evaluate("player.picture.groups[40].focus({ focusVisible: true })")
        look = page.evaluate("""() => {
          const ring = document.querySelector('#picture .focus'), own = getComputedStyle(ring);
          const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
          return [ring === player.picture.svg.lastElementChild, own.visibility, ring.getAttribute('transform'),
            player.picture.groups[40].getAttribute('transform'),
            ['--marked', '--active-line', '--removed', '--cause'].some((name) => colour(name) === colour('--focus'))];
        }""")
        assert look[:2] == [True, "visible"] and look[2] == look[3] and not look[4]


def test_the_tree_seeks_before_and_after_a_node_and_can_be_scaled(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"]) as page:
        failure = page.locator("#tree .node.failure").first
        failure.locator(".shape").click()
        assert "decision:" in caption_of(page)
        page.click("#ends >> text=after")
        failure.locator(".shape").click()
        assert caption_of(page).startswith("failure · ")
        room = 20  # pixels beside the tree that do not grow
        read_width = "player.tree.svg.getBoundingClientRect().width"
        width = page.evaluate(read_width)
        page.click("#tree-smaller")
        assert page.evaluate(read_width) == width, "the tree fills its panel"
        for _ in range(4):
            page.click("#tree-larger")
        assert page.evaluate(read_width) == pytest.approx((width - room) * 1.4**4 + room, 0.001)
        page.click("#tree-smaller")
        assert page.evaluate(read_width) == pytest.approx((width - room) * 1.4**3 + room, 0.001)
        tree, overview = (page.locator(place).bounding_box() for place in ("#tree", "#map"))
        assert tree["x"] + tree["width"] <= overview["x"], "the overview covers no label"
        before = page.evaluate("player.tree.place.scrollTop")
        page.mouse.click(
            *page.evaluate(
                "(({x, y, width}) => [x + width / 2, y + 4])(document.querySelector('#map').getBoundingClientRect())"
            )
        )
        assert page.evaluate("player.tree.place.scrollTop") < before
        overflow = page.evaluate("player.tree.svg.getBBox().height") - page.evaluate("player.tree.whole[3]")
        assert overflow <= 0, "the last line of a reason is inside the drawing"


def test_keys_work_after_the_menu_was_closed_by_mouse(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"]) as page:
        page.click("#more summary")
        page.click("#more summary")
        press(page, "n", "ArrowRight")
        assert page.evaluate("player.film.stops.step.indexOf(player.film.position)") == 2
        page.focus("#more summary")
        press(page, "Enter")
        assert page.evaluate("document.querySelector('#more').open"), "Enter opens the menu"


def test_a_frame_is_saved_as_svg_and_png(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30") as page:
        page.click("#more summary")
        for kind in ("svg", "png"):
            with page.expect_download() as waiting:
                page.click(f"#{kind}")
            assert waiting.value.suggested_filename == f"hard-step-30.{kind}"
            content = Path(waiting.value.path()).read_bytes()
            if kind == "svg":
                root = ET.fromstring(content)
                texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
                assert any(text and text.startswith("step 30 ·") for text in texts)
                assert b"var(--" not in content and len(list(root.iter())) > 500
            else:
                from PIL import Image

                picture = Image.open(BytesIO(content))
                assert max(picture.size) == 1600 and len(picture.convert("RGB").getcolors(1 << 20) or []) > 20


def test_printing_shows_the_picture_and_hides_the_controls(browser: Any, page_of: dict[str, Path]) -> None:
    with opened(browser, page_of["hard"], "#step=30", color_scheme="dark") as page:
        page.emulate_media(media="print", color_scheme="dark")
        for hidden in (".deck", "header .buttons", "#log", "#tree-panel button"):
            assert not any(element.is_visible() for element in page.locator(hidden).all()), hidden
        for visible in ("#picture", "#caption", "#tree svg", "#source"):
            assert page.is_visible(visible), visible
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        panel_box, tree_box = (page.locator(selector).bounding_box() for selector in ("#tree-panel", "#tree svg"))
        assert tree_box["width"] <= panel_box["width"] and tree_box["height"] <= panel_box["height"], (
            "the whole tree is printed"
        )


def test_widgets_have_accessible_names_and_scrolling_parts_can_be_focused(
    browser: Any, page_of: dict[str, Path]
) -> None:
    find_violations = """() => {
      const plain = (words) => words.toLowerCase().replace(/\\s+/g, ' ').trim();
      const named = [...document.querySelectorAll('button, [role=button], [role=option], a, summary')].filter((one) => {
        const label = one.getAttribute('aria-label');
        return label && one.checkVisibility() && !plain(label).includes(plain(one.textContent));
      });
      const scrolls = [...document.querySelectorAll('body *')].filter((one) => {
        const { overflowX, overflowY } = getComputedStyle(one);
        const can = (way, inner, outer) => /auto|scroll/.test(way) && inner > outer + 1;
        const wide = can(overflowX, one.scrollWidth, one.clientWidth);
        if (!wide && !can(overflowY, one.scrollHeight, one.clientHeight)) return false;
        return one.tabIndex < 0 && !one.querySelector('[tabindex="0"], button, select, summary, input');
      });
      return [...named, ...scrolls].map((one) => one.outerHTML.slice(0, 120));
    }"""
    for name, size in (("hard", (1280, 800)), ("queens", (640, 400))):
        with opened(browser, page_of[name], "#step=20", size=size) as page:
            assert page.evaluate(find_violations) == []


def test_active_lines_of_included_files_are_highlighted(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.csp").write_text('param n = 4.\n"row": all_different(A, B).\nA < C.\n', encoding="utf-8")
    (tmp_path / "main.csp").write_text('include "rows.csp".\nA, B, C in 1..n.\nA = 2.\n', encoding="utf-8")
    path = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["play", str(tmp_path / "main.csp"), "-o", str(path)])
    assert result.exit_code == 0, result.output
    read_highlighted = """(lines) => lines.map((line) => {
      let file = line;
      while (file && file.className !== "file") file = file.previousElementSibling;
      return [file ? file.textContent : "", line.textContent];
    })"""
    with opened(browser, path, "#event=1&grain=event") as page:
        highlighted = [page.eval_on_selector_all("#source .lit", read_highlighted)]
        for _ in range(9):
            page.keyboard.press("e")
            highlighted.append(page.eval_on_selector_all("#source .lit", read_highlighted))
    assert [["", "A = 2."]] in highlighted and [["rows.csp", '"row": all_different(A, B).']] in highlighted
    assert [["rows.csp", "A < C."]] in highlighted
