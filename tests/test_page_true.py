"""What the page shows is what happened: saved frames, lines, lenses, and the text of the spec beside it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

import csp
from csp.paint.page.player import player

from .browser import chromium, opened
from .conftest import ROOT
from .test_player import example

LENSES = {"shidoku": ("clique", "matching"), "sudoku": ("grid", "clique"), "golomb": ("clique",), "queens": ("factor",)}
ROUNDED = 32
"""Of 255: a document rounds the edges of letters a little differently from a part of a page."""
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
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("true")
    for name in LENSES:
        page = player(csp.record(example(name), nodes=30), (ROOT / f"examples/{name}.csp").read_text("utf-8"), name)
        (folder / f"{name}.html").write_text(page, "utf-8")
    return {name: folder / f"{name}.html" for name in LENSES}


def pixels(page: Any, size: list[int]) -> Image.Image:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    clip = {"x": 0, "y": 0, "width": size[0], "height": size[1]}
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")


@pytest.mark.parametrize(("name", "scheme"), [*((name, "light") for name in LENSES), ("shidoku", "dark")])
def test_a_saved_frame_is_what_the_screen_shows(
    browser: Any, pages: dict[str, Path], tmp_path: Path, name: str, scheme: str
) -> None:
    saved = tmp_path / "frame.svg"
    for lens in LENSES[name]:
        for step in (8, 40):
            size = (2400, 2400)
            with opened(browser, pages[name], f"#step={step}&lens={lens}", size=size, color_scheme=scheme) as page:
                saved.write_text(page.evaluate("frame(player.drawing, player.words())"), "utf-8")
                wide, high = page.evaluate(ALONE)
                seen = pixels(page, [wide, high])
            with opened(browser, saved, size=size, alone=True) as page:
                kept = pixels(page, [wide, high])
            apart = max(high for _, high in ImageChops.difference(seen, kept).getextrema())
            assert len(seen.getcolors(1 << 24)) > 10 and apart <= ROUNDED, (lens, step, apart)


def test_a_film_takes_the_place_of_another(browser: Any, pages: dict[str, Path]) -> None:
    other = pages["golomb"].read_text("utf-8").partition('id="film">')[2].partition("</script>")[0]
    with opened(browser, pages["shidoku"], "#step=8&lens=factor") as page:
        page.evaluate("(data) => show(JSON.parse(data))", other)
        assert page.title() == page.inner_text("h1") == "golomb" and "golomb" in page.inner_text("#source").lower()
        vertices = page.evaluate("player.film.data.vertices.length")
        assert page.locator("#picture .vertex").count() == vertices != 16
        page.evaluate("player.seek(0)")
        page.keyboard.press("n")
        assert page.evaluate("player.film.position === player.film.after(0)"), "one keyboard, not two"
        assert page.evaluate("getComputedStyle(document.querySelector('#next')).display") != "none"
