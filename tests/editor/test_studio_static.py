"""Test the page as static files, with Python in the browser.

The browser needs the files of Pyodide's npm package (15 MB): ``PYODIDE=DIR`` names their folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dsl.cli import main
from dsl.studio.folder import SUMS, write_folder

from ..conftest import ROOT

pytestmark = pytest.mark.sampled(5)

PYODIDE = os.environ.get("PYODIDE", "")


def test_the_folder_names_only_the_given_host_and_has_the_same_bytes() -> None:
    files: dict[str, bytes] = {}
    second_files: dict[str, bytes] = {}
    assert write_folder("https://example.org/pyodide", files.__setitem__) == sum(map(len, files.values()))
    write_folder("https://example.org/pyodide", second_files.__setitem__)
    assert files == second_files
    assert [name for name, content in files.items() if b"example.org" in content] == ["worker.js"]
    assert b"'wasm-unsafe-eval'" in files["index.html"] and b'data-engine="worker"' in files["index.html"]


def test_the_archive_for_the_browser_answers_without_other_packages(tmp_path: Path) -> None:
    """Compare the archive alone with the project's own tree."""
    files: dict[str, bytes] = {}
    write_folder("https://example.org/pyodide", files.__setitem__)
    with zipfile.ZipFile(BytesIO(files["python.zip"])) as archive:
        archive.extractall(tmp_path)
    code = "import sys, json; sys.path.insert(0, sys.argv[1])\n"
    code += "from dsl.studio.protocol import answer; from dsl.studio.questions import Question\n"
    code += "asked = [Question(1, text=open(name).read()) for name in sys.argv[2:]]\n"
    code += "print(json.dumps([m for question in asked for m in answer(question) if m['kind'] != 'done']))"
    specs = [str(ROOT / "examples" / f"{name}.csp") for name in ("shidoku", "killer", "states")]
    answers = []
    for command in (("-I", "-S", "-c", code, str(tmp_path)), ("-c", code, str(ROOT))):
        completed = subprocess.run([sys.executable, *command, *specs], capture_output=True, text=True, timeout=120)
        assert completed.returncode == 0, completed.stderr
        answers.append(json.loads(completed.stdout))
    assert answers[0] == answers[1] and sum(message["kind"] == "film" for message in answers[0]) == 3


def test_an_unknown_runtime_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out"), "--runtime", str(tmp_path)])
    assert result.exit_code != 0 and not (tmp_path / "out").exists()
    for name in SUMS:
        (tmp_path / name).write_text("something else", encoding="utf-8")
    result = CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out"), "--runtime", str(tmp_path)])
    assert result.exit_code != 0 and not (tmp_path / "out").exists()
    assert CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out")]).exit_code == 2


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not PYODIDE:
        pytest.skip("PYODIDE=DIR does not name the folder of Pyodide")
    folder = tmp_path_factory.mktemp("site")
    assert CliRunner().invoke(main, ["studio", "--out", str(folder), "--runtime", PYODIDE]).exit_code == 0
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().rpartition("(")[2].rpartition(")")[0]
    process.kill()
    process.communicate()


def wait_for(page: Any, condition: str) -> None:
    for _ in range(1200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{condition}: {page.inner_text('#state')}")


def test_python_in_the_browser_answers_questions(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    page.goto(address)
    page.wait_for_selector("#offers button", timeout=120_000)
    page.click('#offers button[value="shidoku"]')
    wait_for(page, "document.querySelector('#player').dataset.done == studio.playing")
    assert page.inner_text("#state").startswith("1 solution")
    page.focus("#text")
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\nA == 3.")
    wait_for(page, "document.querySelector('#diagnostics button:not(.place)')")
    page.click('#diagnostics button:has-text("replace == by =")')
    wait_for(page, "document.querySelector('#state').textContent.startsWith('1 solution')")
    wait_for(page, "studio.engine.workers[1]?.isReady")
    assert complaints == []
    assert sum(url.endswith(".wasm") for url in requests) == 1
    assert {url.split("/")[2] for url in requests if "//" in url} <= {address.split("/")[2], ""}
    context.close()


def test_modes_and_acts_are_answered_in_the_browser(browser: Any, address: str) -> None:
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from .test_studio_modes import choose_mode
    from .test_studio_page import answered, opened

    with opened(browser, address) as page:
        page.click('#offers button[value="shidoku"]')
        wait_for(page, "studio.engine.workers[1]?.isReady")
        for name, sign in (("compare", ".side"), ("set", "#findings meter"), ("explain", "#tools button")):
            choose_mode(page, name)
            assert page.locator(sign).count()
        page.click('#modes [value="guess"]')
        assert page.inner_text("#caption").endswith("which values are removed?")
        page.click('#modes [value="watch"]')
        page.locator("#picture .vertex").first.click()
        answered(page, lambda: page.click('#values button:text("1")', modifiers=["Alt"]))
        assert page.inner_text("#state").startswith("no solution")
        page.locator("#state").click()
        answered(page, lambda: page.keyboard.press("Control+z"))
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        answered(page, lambda: page.locator("#tree .untried .shape").first.click())
        assert page.evaluate("studio.acts.list") == ["% branch A = 2"]


def test_a_cage_is_drawn_and_its_link_gives_the_same_bytes_everywhere(browser: Any, address: str) -> None:
    """Open the link in a second browser and in a studio with a server."""
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from ..studios import served
    from .test_studio_acts import SPEC
    from .test_studio_drawing import draw_item, draw_with_mouse
    from .test_studio_page import DONE, answered, opened, wait_for_link

    cage = {"tool": "cage", "cells": ["cell(1,1)", "cell(1,2)", "cell(2,2)"], "word": "7"}
    text = draw_item(SPEC, "cage", ["cell(1,1)", "cell(1,2)", "cell(2,2)"], "7")
    with served() as studio:
        with opened(browser, address) as page:
            answered(page, lambda: page.fill("#text", SPEC))
            answered(page, lambda: draw_with_mouse(page, cage))
            page.click("#drawn")
            assert page.input_value("#text") == text and page.locator("#picture .mark.cage").count() > 0
            page.locator("#picture .vertex").nth(2).click()
            answered(page, lambda: page.click("#values button:text-is('next')"))
            link = wait_for_link(page)
            film, acts = page.evaluate("[JSON.stringify(player.film.data), studio.acts.list]")
        for place in (address, studio.address):
            with opened(browser, place + link) as page:
                wait_for(page, DONE.format(0))
                assert page.evaluate("[JSON.stringify(player.film.data), studio.acts.list]") == [film, acts]
                assert page.input_value("#text") == text


def test_two_solutions_and_stop_in_the_browser(browser: Any, address: str) -> None:
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from .test_studio_modes import act_in_mode
    from .test_studio_page import answered, opened

    with opened(browser, address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        act_in_mode(page, lambda: page.click("#verdict button:text('show both')"))
        assert page.evaluate("player.film.getRemaining(0).length") == 2
        page.click("#next")
        assert page.evaluate("player.film.getRemaining(0).length") == 1
        page.fill("#text", "include langford. param n = 14.")
        page.wait_for_selector("#stop", state="visible")
        page.click("#stop")
        assert page.inner_text("#state") == "stopped"
        answered(page, lambda: page.fill("#text", "A in 1..2. A = 1."))
        assert page.inner_text("#state").startswith("1 solution")
