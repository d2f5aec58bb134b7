"""A headless Chromium for pages opened from disk, which notes every complaint and every request."""

from __future__ import annotations

import shutil
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


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser of this machine; without one, the test that asks for it is skipped."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, path: Path, link: str = "", **options: Any) -> Iterator[Any]:
    """A page from disk; afterwards, that it has complained about nothing and asked for nothing."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    page = context.new_page()
    complaints: list[str] = []
    requests: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri() + link)
    yield page
    context.close()
    assert complaints == []
    assert {url.partition("#")[0] for url in requests} <= {path.as_uri(), "data:,"}
