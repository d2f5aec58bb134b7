"""The page as static files, with Python in the browser: served by ``http.server``, asked by typing.

The browser needs the files of Pyodide's npm package (15 MB): ``PYODIDE=DIR`` says where they are.
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

from .browser import chromium
from .conftest import ROOT

PYODIDE = os.environ.get("PYODIDE", "")


def test_the_folder_names_no_other_host_and_is_the_same_each_time() -> None:
    one: dict[str, bytes] = {}
    other: dict[str, bytes] = {}
    assert write_folder("https://example.org/pyodide", one.__setitem__) == sum(map(len, one.values()))
    write_folder("https://example.org/pyodide", other.__setitem__)
    assert one == other
    assert [name for name, content in one.items() if b"example.org" in content] == ["worker.js"]
    assert b"'wasm-unsafe-eval'" in one["index.html"] and b'data-engine="worker"' in one["index.html"]


def test_what_the_browser_imports_answers_without_anything_else(tmp_path: Path) -> None:
    """The archive alone, where there is no other package: the same messages as here."""
    found: dict[str, bytes] = {}
    write_folder("https://example.org/pyodide", found.__setitem__)
    with zipfile.ZipFile(BytesIO(found["python.zip"])) as archive:
        archive.extractall(tmp_path)
    code = "import sys, json; sys.path.insert(0, sys.argv[1])\n"
    code += "from dsl.studio.protocol import answer; from dsl.studio.questions import Question\n"
    code += "asked = [Question(1, text=open(name).read()) for name in sys.argv[2:]]\n"
    code += "print(json.dumps([m for question in asked for m in answer(question) if m['kind'] != 'done']))"
    specs = [str(ROOT / "examples" / f"{name}.csp") for name in ("shidoku", "killer", "states")]
    told = []
    for command in (("-I", "-S", "-c", code, str(tmp_path)), ("-c", code, str(ROOT))):
        done = subprocess.run([sys.executable, *command, *specs], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    assert told[0] == told[1] and sum(message["kind"] == "film" for message in told[0]) == 3


def test_a_runtime_that_is_not_known_is_refused(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out"), "--runtime", str(tmp_path)])
    assert run.exit_code != 0 and not (tmp_path / "out").exists()
    for name in SUMS:
        (tmp_path / name).write_text("something else", encoding="utf-8")
    run = CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out"), "--runtime", str(tmp_path)])
    assert run.exit_code != 0 and not (tmp_path / "out").exists()
    assert CliRunner().invoke(main, ["studio", "--out", str(tmp_path / "out")]).exit_code == 2


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not PYODIDE:
        pytest.skip("PYODIDE=DIR does not say where the files of Pyodide are")
    folder = tmp_path_factory.mktemp("site")
    assert CliRunner().invoke(main, ["studio", "--out", str(folder), "--runtime", PYODIDE]).exit_code == 0
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().rpartition("(")[2].rpartition(")")[0]
    process.kill()
    process.communicate()


def until(page: Any, condition: str) -> None:
    for _ in range(1200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{condition}: {page.inner_text('#state')}")


def test_python_in_the_browser_answers(address: str) -> None:
    with chromium() as browser:
        context = browser.new_context()
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.wait_for_selector("#offers button", timeout=120_000)
        page.click('#offers button[value="shidoku"]')
        until(page, "document.querySelector('#player').dataset.done == studio.playing")
        assert page.inner_text("#state").startswith("1 solution")
        page.focus("#text")
        page.keyboard.press("Control+End")
        page.keyboard.insert_text("\nA == 3.")
        until(page, "document.querySelector('#mistakes button:not(.place)')")
        page.click('#mistakes button:has-text("replace == by =")')
        until(page, "document.querySelector('#state').textContent.startsWith('1 solution')")
        until(page, "studio.engine.workers[1]?.isReady")
        assert complaints == []
        assert sum(url.endswith(".wasm") for url in asked) == 1
        assert {url.split("/")[2] for url in asked if "//" in url} <= {address.split("/")[2], ""}
        context.close()


def test_modes_and_acts_are_answered_in_the_browser(address: str) -> None:
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from .test_studio_modes import mode
    from .test_studio_page import answered, opened

    with chromium() as browser, opened(browser, address) as page:
        page.click('#offers button[value="shidoku"]')
        until(page, "studio.engine.workers[1]?.isReady")
        for name, sign in (("compare", ".side"), ("set", "#found meter"), ("explain", "#asked button")):
            mode(page, name)
            assert page.locator(sign).count()
        page.click('#modes [value="guess"]')
        assert page.inner_text("#caption").endswith("what goes?")
        page.click('#modes [value="watch"]')
        page.locator("#picture .vertex").first.click()
        answered(page, lambda: page.click('#values button:text("1")', modifiers=["Alt"]))
        assert page.inner_text("#state").startswith("no solution")
        page.locator("#state").click()
        answered(page, lambda: page.keyboard.press("Control+z"))
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        answered(page, lambda: page.locator("#tree .untried .shape").first.click())
        assert page.evaluate("studio.acts.list") == ["% branch A = 2"]


def test_a_cage_is_drawn_and_its_link_gives_the_same_bytes_everywhere(address: str) -> None:
    """In a second browser, and in a studio that has a server."""
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from .studios import served
    from .test_studio_acts import CAGE, SPEC, draw_a_cage
    from .test_studio_page import DONE, answered, linked, opened

    with chromium() as browser, served() as studio:
        with opened(browser, address) as page:
            answered(page, lambda: page.fill("#text", SPEC))
            draw_a_cage(page)
            assert page.input_value("#text") == SPEC + CAGE and page.locator("#picture .mark.cage").count() > 0
            page.locator("#picture .vertex").nth(2).click()
            answered(page, lambda: page.click("#values button:text-is('next')"))
            link = linked(page)
            film, acts = page.evaluate("[JSON.stringify(player.film.data), studio.acts.list]")
        for place in (address, studio.address):
            with opened(browser, place + link) as page:
                until(page, DONE.format(0))
                assert page.evaluate("[JSON.stringify(player.film.data), studio.acts.list]") == [film, acts]
                assert page.input_value("#text") == SPEC + CAGE


def test_two_solutions_and_stop_in_the_browser(address: str) -> None:
    pytest.importorskip("tornado", reason="the helpers of the page's tests import it")
    pytest.importorskip("psutil", reason="the helpers of the page's tests import it")
    from .test_studio_modes import told
    from .test_studio_page import answered, opened

    with chromium() as browser, opened(browser, address) as page:
        answered(page, lambda: page.fill("#text", "A, B in 1..2. A != B."))
        told(page, lambda: page.click("#verdict button:text('show both')"))
        assert page.evaluate("player.film.left(0).length") == 2
        page.click("#next")
        assert page.evaluate("player.film.left(0).length") == 1
        page.fill("#text", "include langford. param n = 14.")
        page.wait_for_selector("#stop", state="visible")
        page.click("#stop")
        assert page.inner_text("#state") == "stopped"
        answered(page, lambda: page.fill("#text", "A in 1..2. A = 1."))
        assert page.inner_text("#state").startswith("1 solution")
