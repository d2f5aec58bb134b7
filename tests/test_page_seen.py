"""What every picture shows, whatever is in it: text that can be read, failures that are seen as such."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import csp
from csp.board.widths import text_width
from csp.picture.layout.forms import cell_form
from csp.picture.scene import scene
from csp.picture.shapes import Shape
from csp.picture.style import WIDER
from csp.picture.vertex import form_parts
from csp.render import tree_dot
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.render.text.failed import HATCH
from csp.render.text.terminal import Reel
from csp.trace import Failure, replay

from .browser import opened
from .conftest import ROOT
from .test_player import example

LEGIBLE = 9.0
"""Pixels; the least size of text in a window of 1280 by 800."""
PAGES = int(os.environ.get("PAGES", "3"))
"""So many of the examples are opened; 1000 are all."""
LARGE = {"samurai"}
"""More than 16 rows: the page has a loupe and zoom for them."""
SIZES = """() => {
  const size = (one, scale) => parseFloat(getComputedStyle(one).fontSize) * scale;
  const drawn = [...document.querySelectorAll("#picture text")].filter(({ textContent }) => textContent.trim())
    .map((one) => [one.textContent, size(one, Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b))]);
  const own = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const told = [...document.querySelectorAll("body *:not(svg *)")].filter((one) => own(one) && one.checkVisibility())
    .map((one) => [one.textContent.slice(0, 20), size(one, 1)]);
  return [...drawn, ...told];
}"""
EXAMPLES = sorted({path.stem for path in (ROOT / "examples").glob("*.csp")} - LARGE)


def span(mark: Shape) -> tuple[float, float]:
    """From where to where a text reaches in a wide font."""
    wide = text_width(mark.text, mark.size) * WIDER
    return mark.points[0][0] - wide / 2, mark.points[0][0] + wide / 2


@pytest.mark.parametrize("values", [9, 12, 16, 25])
@pytest.mark.parametrize("corner", [False, True])
def test_an_asterisk_touches_no_value(values: int, corner: bool) -> None:
    """It has a strip of its own beside the values, and stands above what counts them."""
    letters = tuple("123456789abcdefghijklmnop"[:values])
    parts = form_parts(cell_form(letters, corner))
    [star] = parts.whole["star"]
    beside = [mark for key in ("left", "only") for marks in parts.values.get(key, ()) for mark in marks]
    beside += [mark for key in ("many", "two", "pair") for mark in parts.whole.get(key, ())]
    assert beside
    for mark in beside:
        filled = mark._replace(text=mark.text.format(n=25, a="o", b="p"))
        right = span(filled)[1] if mark.kind == "text" else mark.points[0][0] + mark.points[1][0] / 2
        top = mark.points[0][1] - mark.points[1][1] / 2
        assert right <= span(star)[0] or top >= star.points[0][1], (mark, star)


def test_a_round_shows_what_went_and_no_causes(browser: Any, tmp_path: Path) -> None:
    """Each of its removals has some of its own; together they would be a carpet of black frames."""
    path = tmp_path / "sudoku.html"
    written("sudoku", path, 0)
    with opened(browser, path, "#step=48&grain=round") as page:
        assert page.locator("#picture .strike").count() > 200
        assert page.locator("#picture .cause, #picture .active").count() == 0


def written(name: str, path: Path, nodes: int = 20) -> csp.Trace:
    trace = csp.record(example(name), nodes=nodes)
    path.write_text(player(trace, (ROOT / f"examples/{name}.csp").read_text("utf-8"), name), "utf-8")
    return trace


def test_all_text_can_be_read(browser: Any, tmp_path: Path) -> None:
    """In the first picture, one half-way, and where a failure is."""
    for name in {*EXAMPLES[:: max(1, len(EXAMPLES) // PAGES)], *("alphametic", "money")}:
        path = tmp_path / f"{name}.html"
        trace = written(name, path)
        failures = [number for number, one in enumerate(trace.records, 1) if isinstance(one, Failure)]
        with opened(browser, path) as page:
            for at in (0, len(trace.records) // 2, *failures[:1]):
                page.evaluate("(at) => player.seek(at)", at)
                sizes = page.evaluate(SIZES)
                assert len(sizes) > 20
                assert [one for one in sizes if one[1] < LEGIBLE - 0.01] == [], (name, at)


TOO_SMALL = """() => [...document.querySelectorAll("button, select, summary, input")]
  .filter((one) => one.checkVisibility() && !one.closest("#marks"))
  .map((one) => [one.id || one.textContent.trim() || one.className, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => height && Math.min(width, height) < 44).map(([name]) => name)"""
"""What a finger cannot hit; the marks of a timeline stand where their steps are, and its slider is below them."""


@pytest.mark.parametrize("size", [(390, 844), (820, 1180)])
def test_a_finger_hits_every_button(browser: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """Those above a search tree among them, and those of the menu."""
    path, own = tmp_path / "queens.html", {"viewport": {"width": size[0], "height": size[1]}}
    written("queens", path)
    with opened(browser, path, "#step=5", size=size, has_touch=True, is_mobile=True, **own) as page:
        page.click("#more summary")
        assert page.evaluate(TOO_SMALL) == []
        assert page.locator("#tree-panel button").count() > 3


def test_forced_colours_leave_what_is_pressed_and_lit(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "queens.html"
    written("queens", path)
    with opened(browser, path, "#step=5", forced_colors="active") as page:

        def style(place: str, what: str) -> str:
            return str(page.locator(place).first.evaluate(f"(one) => getComputedStyle(one).{what}"))

        assert len({style(f"button[aria-pressed={state}]", "backgroundColor") for state in ("true", "false")}) == 2
        assert {style(place, "textDecorationLine") for place in ("#log .now", "#source li.lit")} == {"underline"}
        assert style("#picture", "forcedColorAdjust") == "none", "the picture has colours of its own, and signs"


@pytest.mark.parametrize("name", ["futoshiki", "sudoku", "zebra"])
def test_a_tooltip_does_not_cover_what_it_explains(browser: Any, tmp_path: Path, name: str) -> None:
    """Neither the value that it is about nor, where there is room, what is at work."""
    path = tmp_path / f"{name}.html"
    trace = written(name, path, 0)
    with opened(browser, path) as page:
        page.evaluate("(at) => player.seek(at)", len(trace.records) // 2)
        told = 0
        for vertex in page.locator("#picture .vertex").all()[::5]:
            box = vertex.bounding_box()
            for across, down in ((0.2, 0.3), (0.5, 0.5), (0.85, 0.8)):
                x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
                page.mouse.move(x, y)
                if page.is_visible("#reason"):
                    tip = page.locator("#reason").bounding_box()
                    told += 1
                    assert not (tip["x"] < x < tip["x"] + tip["width"] and tip["y"] < y < tip["y"] + tip["height"])
        assert told > 3


@pytest.mark.parametrize("name", ["evenodd", "queens", "futoshiki", "country_road"])
def test_a_failure_is_one_in_page_svg_terminal_and_tree(browser: Any, tmp_path: Path, name: str) -> None:
    """It is hatched and has a badge; a terminal has a letter; the search tree has a red square that says why."""
    path = tmp_path / "page.html"
    trace = written(name, path)
    failures = [number for number, one in enumerate(trace.records, 1) if isinstance(one, Failure)][:3]
    painter, reel, moments = Painter(trace.model, origins=trace.origins), Reel(trace), list(replay(trace))
    tree = tree_dot(trace).splitlines()
    assert failures
    with opened(browser, path) as page:
        for end in failures:
            shown = scene(moments[end])
            marks = painter.parts(shown).shapes
            hatched = sum("hatch" in mark.look or "failed" in mark.look.split() for mark in marks)
            assert hatched > 0 and sum(mark.look == "badge" for mark in marks) == 1
            page.evaluate("(at) => player.seek(at)", end)
            assert page.locator("#picture .failed, #picture .hatch").count() == hatched
            assert page.locator("#picture .badge").count() == page.locator("#legend .failed").count() == 1
            assert page.locator("#tree .node.failure").count() >= 1
            screen = reel.screen(reel.stops.index(end), 200).plain
            assert screen.count(HATCH) == len(shown.failed) + 2, "its cells, the title and the legend"
            outcome = shown.title.removeprefix("failure · ")
            assert any(outcome in line and 'color="#D55E00"' in line for line in tree)
