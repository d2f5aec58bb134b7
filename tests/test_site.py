"""The site: where a runtime is given, each spec of the gallery and of what a reader types opens in the studio."""

from __future__ import annotations

import base64
import json
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import dsl
from dsl.studio.folder import opening
from dsl.studio.protocol import answer
from dsl.studio.questions import Question

from .conftest import ROOT

sys.path.insert(0, str(ROOT / "docs"))
import make_site

ELSEWHERE = "https://example.org/pyodide"
LINK = re.compile(r"\[Open in the studio\]\(try/index\.html(#spec=[\w-]+)\)")


def state(link: str) -> dict[str, Any]:
    """What a link says."""
    packed = link.partition("=")[2]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15))


def said(link: str) -> str:
    """The spec that a link opens."""
    found = state(link)
    assert found["acts"] == [] and found["level"] == "singles"
    return str(found["text"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    make_site.prepare(folder, ELSEWHERE)
    return folder


def test_each_example_of_the_gallery_opens_as_it_stands(site: Path) -> None:
    links = LINK.findall((site / "gallery.md").read_text(encoding="utf-8"))
    specs = {path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.csp")}
    assert len(links) == len(specs) and set(map(said, links)) == specs


def test_what_a_reader_types_opens_as_far_as_it_is_written(site: Path) -> None:
    page = (site / "tutorial.md").read_text(encoding="utf-8")
    specs = list(map(said, LINK.findall(page)))
    assert len(specs) == page.count("```prolog\n") and not [text for text in specs if 'include "' in text]
    whole = [dsl.loads(text) for text in specs if "corners" in text]
    assert whole and all(len(model.domains) == 36 for model in whole)


def test_a_lesson_opens_with_its_acts(site: Path) -> None:
    page = (site / "teaching.md").read_text(encoding="utf-8")
    states = [
        state(link) for link in re.findall(r"\[Open the lesson in the studio\]\(try/index\.html(#spec=[\w-]+)\)", page)
    ]
    assert "<!-- studio" not in page and len(states) == 4
    assert states[0]["mode"] == "guess" and states[1]["acts"] == ["% next N"] and states[3]["acts"]
    for one in states:
        kinds = {
            m["kind"]: m for m in answer(Question(1, text=one["text"], level=one["level"], acts=tuple(one["acts"])))
        }
        assert "film" in kinds and "refused" not in kinds


def test_the_studio_is_beside_the_pages_where_there_is_a_runtime(site: Path, tmp_path: Path) -> None:
    assert ELSEWHERE in (site / "try" / "worker.js").read_text(encoding="utf-8")
    make_site.prepare(tmp_path)
    assert not (tmp_path / "try").exists()
    assert not [page for page in tmp_path.rglob("*.md") if "Open in the studio" in page.read_text(encoding="utf-8")]


def test_a_link_opens_its_spec_in_a_browser(browser: Any) -> None:
    pytest.importorskip("tornado", reason="tornado is not installed")
    pytest.importorskip("psutil", reason="psutil is not installed")
    from .studios import served

    text = (ROOT / "examples" / "states.csp").read_text(encoding="utf-8")
    with served() as studio:
        page = browser.contexts[0].pages[0]
        page.goto(studio.address + opening(text))
        page.locator("#state:has-text('solution')").wait_for()
        assert page.input_value("#text") == text and page.input_value("#level") == "singles"
        assert page.inner_text("#state").startswith("several solutions")
        page.goto("about:blank")
