"""The page agrees with the trace: saved frames, lines, lenses and spec."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image, ImageChops

import csp
import dsl
from csp.render.page.film import film
from csp.render.page.player import player
from dsl.cli import main

from ..browser import opened, unpack_film
from ..conftest import ROOT
from .test_player import example, pages_of

pytestmark = pytest.mark.sampled(5)

NAMES = ("shidoku", "sudoku", "golomb", "queens")
FRAMES = [
    ("shidoku", "#step=40&lens=clique", "light"),
    ("shidoku", "#step=8&lens=matching", "dark"),
    ("sudoku", "#step=40&lens=grid", "light"),
    ("golomb", "#step=40&lens=clique", "light"),
    ("queens", "#step=40&lens=factor", "dark"),
]
DRAWN = {
    "line": "whisper_sudoku", "thermometer": "thermo_sudoku", "arrow": "arrow_sudoku", "join": "numbrix",
    "border": "slitherlink", "cage": "doublers", "shade": "hitori", "circle": "nurimisaki", "disc": "masyu",
    "square": "square", "text": "nonogram", "corner": "country_road", "loop": "simple_loop", "pair": "graeco_latin",
    "map": "australia", "helper": "yajilin", "word": "tents",
}  # fmt: skip
"""For each kind of ``draw`` a spec whose last frame contains it: an example, or an entry of ``SPECS``."""
SPECS = {
    "square": "x(R, C) in 0..1 :- R in 1..2, C in 1..2.\ndraw square(1, 1).\ndraw shade(1, 2) = red.",
    "boxes": (ROOT / "examples" / "sudoku.csp").read_text(encoding="utf-8") + "\ndraw boxes(cell).",
}
ROUNDED = 48
"""Permitted difference of a colour, of 255; a saved frame smooths letters slightly differently."""
ALONE = """() => {
  const drawing = player.drawing, [, , wide, high] = drawing.getAttribute("viewBox").split(" ");
  document.body.append(drawing.parentElement);
  document.querySelectorAll("header, main").forEach((one) => { one.hidden = true; one.style.display = "none"; });
  Object.assign(drawing.parentElement.style, { position: "fixed", inset: 0 });
  Object.assign(drawing.style, { position: "fixed", left: 0, top: 0, width: `${wide}px`, height: `${high}px`,
    maxHeight: "none", aspectRatio: "auto" });
  document.body.prepend(Object.assign(document.createElement("main"), { style: "display: contents" }));
  document.querySelector("main").append(drawing.parentElement);
  return [Number(wide), Number(high)];
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return pages_of(NAMES, tmp_path_factory.mktemp("true"), 30)


def take_pixels(page: Any, size: tuple[int, int]) -> Image.Image:
    """Return a screenshot after the page has painted."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    clip = {"x": 0, "y": 0, "width": size[0], "height": size[1]}
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "link", "scheme"), FRAMES)
def test_a_saved_frame_looks_like_the_screen(
    browser: Any, pages: dict[str, Path], tmp_path: Path, name: str, link: str, scheme: str
) -> None:
    assert_saved_as_seen(browser, pages[name], tmp_path, link, scheme)


@pytest.mark.sampled
@pytest.mark.parametrize("word", csp.Drawn.kinds)
def test_drawn_shapes_are_saved_as_the_screen_shows_them(browser: Any, tmp_path: Path, word: str) -> None:
    model = dsl.loads(SPECS[word]) if word in SPECS else example(DRAWN[word])
    page = tmp_path / "page.html"
    page.write_text(player(csp.record(model, nodes=30)), "utf-8")
    assert word in {entry.name for entry in model.drawn}
    assert_saved_as_seen(browser, page, tmp_path, "#event=99999", "light")


def assert_saved_as_seen(browser: Any, path: Path, folder: Path, link: str, scheme: str) -> None:
    """Save the frame of a page and compare its pixels with the screen."""
    saved = folder / "frame.svg"
    with opened(browser, path, link, color_scheme=scheme) as page:
        saved.write_text(page.evaluate("writeSvg(player.drawing, player.writeCaption())"), "utf-8")
        size = tuple(map(math.ceil, page.evaluate(ALONE)))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        seen_pixels = take_pixels(page, size)
    with opened(browser, saved, size=size) as page:
        saved_pixels = take_pixels(page, size)
    difference = max(high for _, high in ImageChops.difference(seen_pixels, saved_pixels).getextrema())
    assert len(seen_pixels.getcolors(1 << 24)) > 10 and difference <= ROUNDED, difference


def test_a_film_replaces_the_previous_film_in_the_same_page(browser: Any, pages: dict[str, Path]) -> None:
    other_film = unpack_film(pages["golomb"].read_text("utf-8"))
    with opened(browser, pages["shidoku"], "#step=8&lens=factor") as page:
        page.evaluate("show", other_film)
        assert page.title() == page.inner_text("h1") == "golomb" and "golomb" in page.inner_text("#source").lower()
        vertices = page.evaluate("player.film.data.vertices.length")
        assert page.locator("#picture .vertex").count() == vertices != 16
        page.evaluate("player.seek(0)")
        page.keyboard.press("n")
        assert page.evaluate("player.film.position === player.film.findNextStop(0)"), (
            "only one keyboard handler is active"
        )
        assert page.evaluate("getComputedStyle(document.querySelector('#next')).display") != "none"


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "lens"), [("queens", "clique"), ("queens", "factor"), ("sudoku", "clique")])
def test_every_line_runs_from_a_cause_to_a_removed_value(
    browser: Any, pages: dict[str, Path], name: str, lens: str
) -> None:
    ends = """[...document.querySelectorAll("#picture .active-edges path")].map((path) => {
      const { picture, film } = player, at = (part) => path.getPointAtLength(part * path.getTotalLength());
      const values = [...picture.scene.gone].map((code) => [Math.floor(code / film.width), code % film.width]);
      const isIn = ({ x, y }, v, [p, q, wide, high]) => {
        const vertex = film.data.vertices[v];
        return Math.abs(x - vertex.x - p) <= wide / 2 + 1 && Math.abs(y - vertex.y - q) <= high / 2 + 1;
      };
      const isBoard = ["row", "column"].includes(picture.getForm(0).kind);
      const room = (v, value) => (isBoard ? picture.getPlace(v, value) : [0, 0, ...picture.getForm(v).size]);
      const removed = values.map(([, value]) => value);
      const listStarts = (v) => (film.getRemaining(v).length === 1 ? film.getRemaining(v) : removed);
      const isCause = (v) => listStarts(v).some((value) => isIn(at(0), v, room(v, value)));
      const cause = [...picture.scene.causes].some(isCause);
      return cause && values.some(([v, value]) => isIn(at(1), v, room(v, value)));
    })"""
    line_count = 0
    with opened(browser, pages[name], f"#lens={lens}") as page:
        for _ in range(25):
            page.keyboard.press("n")
            if page.evaluate("player.film.getRecord().step !== undefined && player.picture.scene.causes.size"):
                line_results = page.evaluate(ends)
                assert all(line_results), page.inner_text("#caption")
                line_count += len(line_results)
    assert line_count > 20


def test_the_matching_lens_marks_a_group_that_is_not_at_work(browser: Any, pages: dict[str, Path]) -> None:
    """Check also that titles are complete and that texts of several groups are readable."""
    titles = """[...document.querySelectorAll("#matching text")].map((text) => {
      const box = text.getBBox(), at = text.parentElement.transform.baseVal[0]?.matrix || { e: 0, f: 0 };
      const { x, y, width, height } = document.querySelector("#matching").viewBox.baseVal;
      const [left, top] = [box.x + at.e, box.y + at.f];
      return left >= x && top >= y && left + box.width <= x + width && top + box.height <= y + height;
    })"""
    with opened(browser, pages["sudoku"], "#step=48&lens=matching") as page:
        assert page.locator(".stage.still").count() == 0 and page.locator("#matching > g").count() == 3
        assert all(page.evaluate(titles))
        sizes = page.evaluate(
            "[...document.querySelectorAll('#matching text')].map((one) => one.getBoundingClientRect().height)"
        )
        assert min(sizes) > 8
        page.evaluate("player.seek(player.film.data.records.findIndex(({ kind }) => kind === 'round') + 1)")
        assert page.locator(".stage.still").count() == 1


def test_the_page_shows_the_spec_that_was_solved(browser: Any, tmp_path: Path) -> None:
    clues, path = tmp_path / "mine.txt", tmp_path / "mine.html"
    clues.write_text("\n".join(["1" + "." * 15, "." * 15 + "7", *["." * 16] * 14]), "utf-8")
    arguments = ["play", str(ROOT / "examples/sudoku.csp"), "--set", "box=4", "--grid", f"clue={clues}", "--nodes", "0"]
    assert CliRunner().invoke(main, [*arguments, "-o", str(path)]).exit_code == 0
    with opened(browser, path) as page:
        text = "\n".join(page.locator("#source li").all_text_contents())
        data = page.evaluate("player.film.data")
    model = dsl.loads(text)
    assert "param box = 4." in text and "Wikipedia" not in text.partition("\n\n")[0]
    assert [vertex["name"] for vertex in data["vertices"]] == list(model.domains) and len(model.domains) == 256
    lines = [constraint.line for constraint in model.constraints]
    assert [constraint.get("line", 0) for constraint in data["constraints"]][: len(lines)] == lines
    records = film(csp.record(model, nodes=0))["records"]
    assert [record.get("gone") for record in data["records"]] == [record.get("gone") for record in records]


def test_lenses_with_the_same_picture_are_in_the_menu(browser: Any, pages: dict[str, Path], tmp_path: Path) -> None:
    zebra = tmp_path / "zebra.html"
    zebra.write_text(player(csp.record(example("zebra"), nodes=5)), "utf-8")
    free = tmp_path / "free.html"
    free.write_text(player(csp.record(dsl.loads("x(R, C) in 1..9 :- R in 1..5, C in 1..5. x(1, 1) = 9."))))
    for path, hidden in ((pages["queens"], set()), (zebra, set()), (free, {"clique", "factor graph"})):
        with opened(browser, path) as page:
            visible, in_menu = (page.locator(f"{place} button").all_text_contents() for place in ("#lenses", "#alike"))
            assert {"grid", "clique", "factor graph"} - {*visible} == hidden == {*in_menu} & {"clique", "factor graph"}
            assert ("matching" in visible) == (path is not free), "only groups have a matching"


def test_no_neighbour_covers_the_border_of_a_cause_in_a_table(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "zebra.html").write_text(player(csp.record(example("zebra"))), "utf-8")
    with opened(browser, tmp_path / "zebra.html") as page:
        page.evaluate("""player.film.stops.round.find((stop) => {
            player.seek(stop); return document.querySelector("#picture .vertex.cause"); })""")
        states = page.evaluate("""[...document.querySelectorAll("#picture .vertex")].map((one) => [
            Number(one.dataset.v), one.classList.contains("cause")])""")
    causes = [v for v, is_cause in states if is_cause]
    others = [v for v, is_cause in states if not is_cause]
    assert causes and [v for v, _ in states] == [*sorted(others), *causes]


def test_a_step_keeps_unchanged_elements_and_draws_the_same_as_a_fresh_page(
    browser: Any, pages: dict[str, Path]
) -> None:
    read_picture = "player.picture.groups.map((one) => one.outerHTML).join('')"
    with opened(browser, pages["sudoku"], "#lens=grid") as page:
        kept_count = page.evaluate("""() => {
          player.seek(player.film.stops.step[12]);
          const v = player.picture.groups.findIndex((_, one) => player.film.getRemaining(one).length > 3);
          const before = player.film.getRemaining(v).length, kept = [...player.picture.groups[v].lastChild.children];
          while (player.film.getRemaining(v).length === before) player.step(1);
          return kept.filter((one) => one.isConnected).length;
        }""")
        assert kept_count >= 3, "all elements except the removed value"
        page.evaluate("player.setLens('matching')")
        page.evaluate("for (let i = 0; i < 9; i += 1) player.step(1)")
        page.evaluate("player.setLens('grid')")
        picture, position = page.evaluate(read_picture), page.evaluate("player.film.position")
    with opened(browser, pages["sudoku"], f"#lens=grid&event={position}") as page:
        assert page.evaluate(read_picture) == picture


def test_arrows_are_below_texts_that_stay_and_above_failed_squares(
    browser: Any, pages: dict[str, Path], tmp_path: Path
) -> None:
    """Check the order of the elements in a table, and at a failure on a board."""
    (tmp_path / "zebra.html").write_text(player(csp.record(example("zebra"), nodes=20)), "utf-8")
    order = """(first, second) => { const [one, other] = [first, second].map((name) => [...document.querySelectorAll(
        `#picture ${name}`)].at(-1)); return Boolean(one.compareDocumentPosition(other) & 4); }"""
    with opened(browser, tmp_path / "zebra.html", "#grain=round") as page:
        page.evaluate("""player.film.stops.round.some((stop) => { player.seek(stop);
            return document.querySelector("#caption").innerText.startsWith("rules 6"); })""")
        assert page.text_content("#picture .active-edges text.backed") == "coffee"
        assert page.evaluate(f"({order})('.active-edges path.hit', '.active-edges text.backed')")
    with opened(browser, pages["queens"]) as page:
        page.evaluate("player.seek(player.film.data.records.findIndex(({ kind }) => kind === 'failure') + 1)")
        assert page.evaluate(f"({order})('.failed-square', '.active-edges path.hit')")
