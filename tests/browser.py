"""A headless Chromium for pages from disk, which records console messages and requests."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import zlib
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--disable-site-isolation-trials",  # a tab keeps its process from page to page
    "--disable-partial-raster",  # a region that is painted again alone differs in its last bits
)  # fmt: skip
WIDE = (1280, 800)
AXE = os.environ.get("AXE", "")
"""The ``axe.min.js`` of its npm package; the tests with axe run where it is named."""
VIOLATIONS = "async () => (await axe.run()).violations.map((fault) => `${fault.id}: ${fault.nodes[0].target}`)"


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser of this machine, or skip the test."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(QUIET))
        browser.new_context().new_page()
        yield browser
        browser.close()


def unpack_film(page: str) -> dict[str, Any]:
    """Return the film that is packed in a page."""
    script = re.search(r'<script type="text/plain" id="film">(.*?)</script>', page)
    assert script
    return dict(json.loads(zlib.decompress(base64.b64decode(script[1]))))


def run_async(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own, because the browser's event loop runs in the main thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()


@contextmanager
def recorded(
    page: Any, size: tuple[int, int] = WIDE, color_scheme: str = "light"
) -> Iterator[tuple[list[str], list[str]]]:
    """Reset a tab, and yield the lists of its console messages and requests, which grow until the end."""
    page.goto("about:blank")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(media="screen", color_scheme=color_scheme)
    page.mouse.move(0, 0)
    complaints: list[str] = []
    requests: list[str] = []
    listeners = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: requests.append(request.url),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        yield complaints, requests
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


@contextmanager
def opened(
    browser: Any,
    path: Path,
    link: str = "",
    *,
    size: tuple[int, int] = WIDE,
    color_scheme: str = "light",
    alone: bool = False,
    script: str = "",
    **options: Any,
) -> Iterator[Any]:
    """Open a page from disk, and check afterwards for errors and requests.

    The page must have no errors and request no other file. It is opened in the tab of the previous page, which is much
    faster than a new context. With options or with ``alone``, it gets a context of its own: some settings of a context,
    such as a clock, cannot be reset. A ``script`` runs before the scripts of the page.
    """
    context = browser.new_context(**options) if alone or options or script else None
    page = context.new_page() if context else browser.contexts[0].pages[0]
    if script:
        page.add_init_script(script)
    try:
        with recorded(page, size, color_scheme) as (complaints, requests):
            page.goto(path.as_uri() + link)
            page.evaluate("typeof ready === 'undefined' || ready")
            yield page
    finally:
        if context:
            context.close()
    assert complaints == [], complaints
    assert {url.partition("#")[0] for url in requests} <= {path.as_uri(), "data:,"}
