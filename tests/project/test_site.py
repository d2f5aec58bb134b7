"""Test the links from the pages of the site into the studio."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from dsl.studio.folder import opening
from dsl.studio.protocol import answer
from dsl.studio.questions import Question

from ..browser import AXE, VIOLATIONS
from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "docs"))
import make_site

SITE = os.environ.get("SITE", "")
"""The folder of the built site; the tests of its pages run where it is named."""
RUNTIME = "https://example.org/pyodide"
LINK = re.compile(r"\[Open in the studio\]\((?:\.\./)?try/index\.html(#spec=[\w-]+)\)")


def unpack(link: str) -> dict[str, Any]:
    """Return the state of the studio that a link contains."""
    packed = link.partition("=")[2]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15))


def spec_of(link: str) -> str:
    """Return the spec that a link opens."""
    state = unpack(link)
    assert state["acts"] == [] and state["level"] == "singles"
    return str(state["text"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    make_site.prepare(folder, RUNTIME)
    return folder


def test_each_example_of_the_gallery_has_a_link_with_its_text(site: Path) -> None:
    links = [
        link for page in (site / "gallery").glob("*.md") for link in LINK.findall(page.read_text(encoding="utf-8"))
    ]
    specs = {path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.csp")}
    assert len(links) == len(specs) and set(map(spec_of, links)) == specs


def test_the_reference_has_every_public_name_once() -> None:
    text = "\n".join(make_site.reference().values())
    entries = re.findall(r"^(?:::: .*?(\w+)|- `\w+\.(\w+)`)$", text, re.M)
    names = sorted(name for entry in entries for name in entry if name)
    assert names == sorted([*csp.__all__, *dsl.__all__])


def test_each_block_of_the_tutorial_has_a_link_with_the_text_so_far(site: Path) -> None:
    page = (site / "tutorial.md").read_text(encoding="utf-8")
    specs = list(map(spec_of, LINK.findall(page)))
    assert len(specs) == page.count("```prolog\n") and not [text for text in specs if 'include "' in text]
    models = [dsl.loads(text) for text in specs if "corners" in text]
    assert models and all(len(model.domains) == 36 for model in models)


def test_a_lesson_opens_with_its_acts(site: Path) -> None:
    page = (site / "teaching.md").read_text(encoding="utf-8")
    states = [
        unpack(link) for link in re.findall(r"\[Open the lesson in the studio\]\(try/index\.html(#spec=[\w-]+)\)", page)
    ]
    assert "<!-- studio" not in page and len(states) == 4
    assert states[0]["mode"] == "guess" and states[1]["acts"] == ["% next N"] and states[3]["acts"]
    for state in states:
        messages = {
            message["kind"]: message
            for message in answer(Question(1, text=state["text"], level=state["level"], acts=tuple(state["acts"])))
        }
        assert "film" in messages and "refused" not in messages


def test_the_site_contains_the_studio_only_with_a_runtime(site: Path, tmp_path: Path) -> None:
    assert RUNTIME in (site / "try" / "worker.js").read_text(encoding="utf-8")
    make_site.prepare(tmp_path)
    assert not (tmp_path / "try").exists()
    assert not [page for page in tmp_path.rglob("*.md") if "Open in the studio" in page.read_text(encoding="utf-8")]


def test_a_link_opens_its_spec_in_a_browser(browser: Any) -> None:
    pytest.importorskip("tornado", reason="tornado is not installed")
    pytest.importorskip("psutil", reason="psutil is not installed")
    from ..studios import served

    text = (ROOT / "examples" / "states.csp").read_text(encoding="utf-8")
    with served() as studio:
        page = browser.contexts[0].pages[0]
        page.goto(studio.address + opening(text))
        page.locator("#state:has-text('solution')").wait_for()
        assert page.input_value("#text") == text and page.input_value("#level") == "singles"
        assert page.inner_text("#state").startswith("several solutions")
        page.goto("about:blank")


@pytest.fixture
def built() -> Path:
    """Return the folder of the built site, or skip the test."""
    if not SITE:
        pytest.skip("SITE=FOLDER does not name the built site")
    return Path(SITE)


def test_an_old_address_of_a_puzzle_leads_to_the_page_of_its_family(browser: Any, built: Path) -> None:
    page = browser.new_context().new_page()
    page.goto((built / "gallery" / "index.html").as_uri() + "#killer-sudoku")
    page.wait_for_url("**/gallery/sudoku/**#killer-sudoku")
    page.context.close()


@pytest.mark.skipif(not AXE, reason="AXE=FILE does not name the file of axe")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation_on_a_page_of_each_kind(browser: Any, built: Path, scheme: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    violations = {}
    for name in ("", "readme", "gallery", "gallery/variants", "teaching", "cli", "api/solving", "decisions"):
        page.goto((built / name / "index.html").as_uri())
        page.evaluate(Path(AXE).read_text(encoding="utf-8"))
        violations[name] = page.evaluate(VIOLATIONS)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert not any(violations.values()), violations
