"""Make the bitmaps of the docs: an animation, and screenshots of pages by Chromium.

python docs/make_shots.py              needs playwright and a Chromium on the PATH
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
CSP = (sys.executable, "-P", "-m", "dsl")
PHONE, SHEET, TREE = (390, 844), (794, 1040), (760, 760)
"""Widths and heights of the screenshots, in CSS pixels."""
TREE_OF = ("examples/langford.csp", "--set", "n=10", "--level", "arc", "--nodes", "20000")


def main() -> None:
    """Write the pictures and print their sizes."""
    run("draw", "examples/shidoku.csp", "--level", "arc", "--steps", "5..12", "-o", str(PICTURES / "shidoku.gif"))
    browser_path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        # A lesson sheet: its first page, as printed.
        sheet = Path(folder, "sheet.html")
        run(
            "worksheet",
            "examples/shidoku.csp",
            "--level",
            "arc",
            "--steps",
            "5..12",
            "--hide",
            "removed",
            "-o",
            str(sheet),
        )
        page = browser.new_page(viewport=size(SHEET))
        page.emulate_media(media="print")
        page.goto(sheet.as_uri())
        page.add_style_tag(content="body { margin: 24px !important; }")
        save(page, "sheet.png")
        # A large search tree in the player: its panel, in the large view.
        film = Path(folder, "tree.html")
        run("play", *TREE_OF, "-o", str(film))
        page = browser.new_page(viewport=size(TREE), device_scale_factor=2)
        page.goto(film.as_uri())
        page.evaluate("ready")
        page.click("#tree-large")
        page.wait_for_timeout(500)
        save(page.locator("#tree-panel"), "tree.png")
        # The studio on a phone: the whole picture, without the number pad.
        with studio("examples/shidoku.csp") as address:
            page = browser.new_page(viewport=size(PHONE), device_scale_factor=2, is_mobile=True, has_touch=True)
            page.goto(address)
            page.locator("#tabs button", has_text="Picture").tap()
            page.locator("#picture .vertex").nth(8).wait_for()
            page.wait_for_timeout(500)
            save(page, "phone.png")
        browser.close()


def run(*arguments: str) -> None:
    """Run a command of the program in the root of the project."""
    subprocess.run([*CSP, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def studio(file: str) -> Iterator[str]:
    """Run a studio and yield its address."""
    with subprocess.Popen(
        [*CSP, "studio", "--no-browser", file], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def size(lengths: tuple[int, int]) -> dict[str, int]:
    """Return a width and a height as Playwright names them."""
    return dict(zip(("width", "height"), lengths, strict=True))


def save(shown: Any, name: str) -> None:
    """Save a screenshot of a page or element in 64 colours, which keeps it small, and print its size."""
    image = Image.open(BytesIO(shown.screenshot())).convert("RGB")
    image.quantize(64, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)
    print(name, (PICTURES / name).stat().st_size)


if __name__ == "__main__":
    main()
