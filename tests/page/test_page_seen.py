"""Every picture is legible, and failures look like failures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.board.widths import text_width
from csp.picture.layout.forms import cell_form
from csp.picture.plan import Plan
from csp.picture.scene import scene
from csp.picture.shapes import Shape
from csp.picture.style import WIDER
from csp.picture.vertex import form_parts
from csp.render import tree_dot
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.render.text.terminal import HATCH, Reel
from csp.trace import Failure, replay

from ..browser import opened
from ..conftest import ROOT
from .test_player import example

pytestmark = pytest.mark.sampled(5)

LEGIBLE = 9.0
"""Minimum size of text in pixels, in a window of 1280 by 800."""
PAGES = int(os.environ.get("PAGES", "3"))
"""Number of examples that are opened; 1000 opens all."""
LARGE = {"samurai"}
"""Examples with more than 16 rows, for which the page has a loupe and zoom."""
SIZES = """() => {
  const size = (one, scale) => parseFloat(getComputedStyle(one).fontSize) * scale;
  const drawn = [...document.querySelectorAll("#picture text")].filter(({ textContent }) => textContent.trim())
    .map((one) => [one.textContent, size(one, Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b))]);
  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const texts = [...document.querySelectorAll("body *:not(svg *)")]
    .filter((one) => hasText(one) && one.checkVisibility())
    .map((one) => [one.textContent.slice(0, 20), size(one, 1)]);
  return [...drawn, ...texts];
}"""
EXAMPLES = sorted({path.stem for path in (ROOT / "examples").glob("*.csp")} - LARGE)


def span(shape: Shape) -> tuple[float, float]:
    """Return the left and right ends of a text in a wide font."""
    width = text_width(shape.text, shape.size) * WIDER
    return shape.points[0][0] - width / 2, shape.points[0][0] + width / 2


@pytest.mark.parametrize("values", [9, 12, 16, 25])
@pytest.mark.parametrize("corner", [False, True])
def test_an_asterisk_touches_no_value(values: int, corner: bool) -> None:
    """Check that it lies beside the values, or above the count of values."""
    letters = tuple("123456789abcdefghijklmnop"[:values])
    parts = form_parts(cell_form(letters, corner))
    [asterisk] = parts.whole["star"]
    neighbours = [shape for key in ("left", "only") for shapes in parts.values.get(key, ()) for shape in shapes]
    neighbours += [shape for key in ("many", "two", "pair") for shape in parts.whole.get(key, ())]
    assert neighbours
    for shape in neighbours:
        filled_shape = shape._replace(text=shape.text.format(n=25, a="o", b="p"))
        right = span(filled_shape)[1] if shape.kind == "text" else shape.points[0][0] + shape.points[1][0] / 2
        top = shape.points[0][1] - shape.points[1][1] / 2
        assert right <= span(asterisk)[0] or top >= asterisk.points[0][1], (shape, asterisk)


def test_a_round_of_many_removals_shows_their_numbers_and_who_acted(browser: Any, tmp_path: Path) -> None:
    """Count the removed values in their cells, because hundreds of boxes would cover the picture."""
    path = tmp_path / "sudoku.html"
    write_page("sudoku", path, 0)
    with opened(browser, path, "#step=48&grain=round") as page:
        assert page.locator("#picture .strike, #picture .active").count() == 0
        removals = page.evaluate("player.picture.scene.gone.size")
        counts = page.locator("#picture text.loss").all_text_contents()
        assert sum(int(count.removeprefix("−")) for count in counts) == removals > 80
        assert page.locator("#picture .cause").count() == page.evaluate("player.picture.scene.causes.size") > 0


def write_page(name: str, path: Path, nodes: int = 20) -> csp.Trace:
    """Record an example, write its page and return the trace."""
    trace = csp.record(example(name), nodes=nodes)
    path.write_text(player(trace, (ROOT / f"examples/{name}.csp").read_text("utf-8"), name), "utf-8")
    return trace


def test_every_text_is_large_enough_to_read(browser: Any, tmp_path: Path) -> None:
    """Check the first picture, one in the middle, and one at a failure."""
    for name in {*EXAMPLES[:: max(1, len(EXAMPLES) // PAGES)], *("alphametic", "money")}:
        path = tmp_path / f"{name}.html"
        trace = write_page(name, path)
        failures = [number for number, record in enumerate(trace.records, 1) if isinstance(record, Failure)]
        with opened(browser, path) as page:
            for position in (0, len(trace.records) // 2, *failures[:1]):
                page.evaluate("(at) => player.seek(at)", position)
                sizes = page.evaluate(SIZES)
                assert len(sizes) > 20
                assert [entry for entry in sizes if entry[1] < LEGIBLE - 0.01] == [], (name, position)


TOO_SMALL = """() => [...document.querySelectorAll("button, select, summary, input")]
  .filter((one) => one.checkVisibility() && !one.closest("#marks"))
  .map((one) => [one.id || one.textContent.trim() || one.className, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => height && Math.min(width, height) < 44).map(([name]) => name)"""
"""A script that returns the controls too small for a finger, except marks of the timeline, which the slider repeats."""


@pytest.mark.parametrize("size", [(390, 844), (820, 1180)])
def test_a_finger_hits_every_button(browser: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """Check also the buttons of the search tree and of the menu."""
    path, options = tmp_path / "queens.html", {"viewport": {"width": size[0], "height": size[1]}}
    write_page("queens", path)
    with opened(browser, path, "#step=5", size=size, has_touch=True, is_mobile=True, **options) as page:
        page.click("#more summary")
        assert page.evaluate(TOO_SMALL) == []
        assert page.locator("#tree-panel button").count() > 3


def test_forced_colours_keep_pressed_buttons_and_highlighted_lines_visible(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "queens.html"
    write_page("queens", path)
    with opened(browser, path, "#step=5", forced_colors="active") as page:

        def read_style(selector: str, property_name: str) -> str:
            return str(page.locator(selector).first.evaluate(f"(one) => getComputedStyle(one).{property_name}"))

        assert len({read_style(f"button[aria-pressed={state}]", "backgroundColor") for state in ("true", "false")}) == 2
        assert {read_style(selector, "textDecorationLine") for selector in ("#log .now", "#source li.lit")} == {
            "underline"
        }
        assert read_style("#picture", "forcedColorAdjust") == "none", "the picture keeps its colours and has signs"


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["futoshiki", "sudoku", "zebra"])
def test_a_tooltip_does_not_cover_its_value(browser: Any, tmp_path: Path, name: str) -> None:
    """Move over several vertices and compare each tooltip with the pointer."""
    path = tmp_path / f"{name}.html"
    trace = write_page(name, path, 0)
    with opened(browser, path) as page:
        page.evaluate("(at) => player.seek(at)", len(trace.records) // 2)
        tooltips_seen = 0
        for vertex in page.locator("#picture .vertex:is([data-v$='0'], [data-v$='5'])").all():
            box = vertex.bounding_box()
            for across, down in ((0.2, 0.3), (0.5, 0.5), (0.85, 0.8)):
                x, y = box["x"] + box["width"] * across, box["y"] + box["height"] * down
                page.mouse.move(x, y)
                if page.is_visible("#reason"):
                    tip = page.locator("#reason").bounding_box()
                    tooltips_seen += 1
                    assert not (tip["x"] < x < tip["x"] + tip["width"] and tip["y"] < y < tip["y"] + tip["height"])
        assert tooltips_seen > 3


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["evenodd", "queens", "futoshiki", "country_road"])
def test_a_failure_is_visible_in_page_svg_terminal_and_tree(browser: Any, tmp_path: Path, name: str) -> None:
    """Check the fill and the badge, the terminal's letter, and the tree's node and reason."""
    path = tmp_path / "page.html"
    trace = write_page(name, path)
    failures = [number for number, record in enumerate(trace.records, 1) if isinstance(record, Failure)][:3]
    painter, reel, moments = Painter(trace.model, origins=trace.origins), Reel(trace), list(replay(trace))
    tree = tree_dot(trace).splitlines()
    assert failures
    with opened(browser, path) as page:
        for end in failures:
            failed_scene = scene(moments[end])
            shapes = painter.parts(failed_scene).shapes
            bodies = [shape for shape in shapes if shape.look.startswith("body") and "failed" in shape.look]
            filled = len(bodies) + sum(shape.look == "failed-square" for shape in shapes)
            assert filled > 0 and sum(shape.look == "badge" for shape in shapes) == 1
            page.evaluate("(at) => player.seek(at)", end)
            assert page.locator("#picture .vertex.failed, #picture .failed-square").count() == filled
            assert page.locator("#picture .badge").count() == page.locator("#legend .failed").count() == 1
            assert page.locator("#tree .node.failure").count() >= 1
            screen = reel.screen(reel.stops.index(end), 200).plain
            assert screen.count(HATCH) == len(failed_scene.failed) + 2, "its cells, the title and the legend"
            outcome = failed_scene.title.removeprefix("failure · ")
            assert any(outcome in line and 'color="#D55E00"' in line for line in tree)


def test_the_page_names_the_clues_that_its_picture_leaves_out(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "far.html"
    board = 'cell(R, C) in 1..9 :- R in 1..5, C in 1..5.\n"far": cell(1, 1) < cell(3, 4).'
    path.write_text(player(csp.record(dsl.loads(board))), "utf-8")
    with opened(browser, path) as page:
        note = "1 constraint is drawn only when active · "
        note += "not drawn: far (line 2); write draw line(R, C, P) or another sign"
        assert page.text_content("#hidden") == note
        assert page.is_visible(".note") and page.inner_text(".note") == note.partition(" · ")[2]


def test_a_shade_and_a_clue_stay_visible_in_an_active_cell(browser: Any, tmp_path: Path) -> None:
    trace = write_page("nurikabe", tmp_path / "page.html")
    plan, moments = Plan(trace.model, trace.origins), list(replay(trace))
    shaded = {v for v in plan.bare if trace.model.domains[v] != (0,)}
    end = next(
        number for number, moment in enumerate(moments)
        if any(moment.domains[v] == (0,) for v in shaded.intersection(scene(moment).active)) and scene(moment).removed
    )  # fmt: skip
    with opened(browser, tmp_path / "page.html") as page:
        page.evaluate("(at) => player.seek(at)", end)
        bodies = page.locator("#picture .vertex.bare.active .body")
        fills = set(bodies.evaluate_all("(all) => all.map((one) => getComputedStyle(one).fill)"))
        assert fills == {"rgba(0, 0, 0, 0)"} and page.locator("#picture .ground.active").count() == bodies.count() > 0
        order = page.locator("#picture :is(.marks, .grounds)").evaluate_all(
            "(all) => all.map((one) => one.classList[0])"
        )
        assert order[:5] == ["marks", "marks", "marks", "grounds", "marks"], "lines, blanks, shades, states, print"
