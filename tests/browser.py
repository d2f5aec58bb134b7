"""A headless Chromium for pages opened from disk, which notes every complaint and every request."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    "--disable-partial-raster",  # what is painted again, alone, differs in its last bits from what is painted at once
)  # fmt: skip
WIDE = (1280, 800)


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser of this machine; without one, the test that asks for it is skipped."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(QUIET))
        browser.new_context().new_page()
        yield browser
        browser.close()


def shown_by(page: str) -> dict[str, Any]:
    """The film that is packed in a page."""
    found = re.search(r'<script type="text/plain" id="film">(.*?)</script>', page)
    assert found
    return dict(json.loads(zlib.decompress(base64.b64decode(found[1]))))


@contextmanager
def opened(
    browser: Any, path: Path, link: str = "", *, size: tuple[int, int] = WIDE, alone: bool = False, **options: Any
) -> Iterator[Any]:
    """A page from disk; afterwards, that it has complained about nothing and asked for nothing.

    It stands where the one before stood, which is much quicker than in a context of its own. With options, or if it is
    to be alone (for what stays set in a context, as a clock does), it has one.
    """
    own = browser.new_context(**options) if alone or options else None
    page = own.new_page() if own else browser.contexts[0].pages[0]
    page.goto("about:blank")
    page.set_viewport_size({"width": size[0], "height": size[1]})
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
    page.goto(path.as_uri() + link)
    page.evaluate("typeof ready === 'undefined' || ready")
    try:
        yield page
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if own:
            own.close()
    assert complaints == []
    assert {url.partition("#")[0] for url in requests} <= {path.as_uri(), "data:,"}
