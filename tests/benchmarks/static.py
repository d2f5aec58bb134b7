"""The studio without a server: what is loaded, the time to the first film and from a clue to the next, each example.

python tests/benchmarks/static.py RUNTIME [NAME...]

RUNTIME is the folder of Pyodide's npm package. The page is served by ``http.server`` and opened in Chromium. Each
verdict is compared with that of Python here.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from dsl.studio.folder import opening, write_folder  # noqa: E402
from dsl.studio.protocol import answer  # noqa: E402
from dsl.studio.questions import Question  # noqa: E402
from tests.browser import chromium  # noqa: E402

SAID = {"none": "no solution", "one": "1 solution", "several": "several solutions", "unknown": "not known"}
CLUE = '[data-grid="clue"][data-row="1"][data-column="3"]'
TIMES = 15
LONGEST = 120
"""Seconds after which an example counts as not answered."""


def here(text: str) -> str:
    """What Python here says of a spec."""
    [verdict] = [one for one in answer(Question(1, text=text)) if one["kind"] == "verdict"]
    return SAID[verdict["solutions"]]


def until(page: Any, condition: str) -> bool:
    """Whether a condition holds soon enough."""
    end = time.perf_counter() + LONGEST
    while not page.evaluate(condition):
        if time.perf_counter() > end:
            return False
        page.wait_for_timeout(20)
    return True


def typed(page: Any) -> list[float]:
    """Milliseconds from a digit in a cell of the 9x9, and from its removal, to the new film."""
    page.evaluate("studio.open('sudoku')")
    assert until(page, "document.querySelectorAll('#sheets td').length == 81")
    taken = []
    for turn in range(TIMES):
        page.wait_for_timeout(500)
        assert until(page, "document.querySelector('#player').dataset.done == studio.playing")
        before = page.evaluate("studio.playing")
        page.focus(CLUE)
        page.evaluate("globalThis.pressed = performance.now()")
        page.keyboard.press("Backspace" if turn % 2 else "4")
        assert until(page, f"document.querySelector('#player').dataset.film > {before}")
        taken.append(page.evaluate("studio.started + studio.latency - pressed"))
    return taken


def measure(address: str, names: list[str]) -> None:
    texts = {name: (ROOT / "examples" / f"{name}.csp").read_text(encoding="utf-8") for name in names}
    taken, wrong, open_, hosts = {}, [], [], set()
    with chromium() as browser:
        page = browser.new_context().new_page()
        page.context.on("request", lambda request: hosts.add(request.url.split("/")[2] if "//" in request.url else ""))
        start = time.perf_counter()
        page.goto(address + opening(texts["shidoku"]))
        assert until(page, "document.querySelector('#player').dataset.done")
        print(f"load to first film {time.perf_counter() - start:.1f} s")
        assert until(page, "document.querySelector('#state').textContent.endsWith('ms')")
        assert until(page, "studio.engine.workers[1]?.isReady")
        clues = typed(page)
        print(
            f"{median(clues):.0f} ms from a clue of the 9x9 to its film, for half of {TIMES}; {max(clues):.0f} at most"
        )
        for name, text in texts.items():
            before = page.evaluate("studio.playing")
            start = time.perf_counter()
            page.evaluate("(text) => { studio.restore({ text, level: 'singles', acts: [] }); }", text)
            told = until(page, f"studio.playing > {before} && /ms$/.test(document.querySelector('#state').textContent)")
            taken[name] = time.perf_counter() - start
            film = page.evaluate("studio.latency") / 1000
            said = page.inner_text("#state")
            if told and "stopped by the limit" in said:
                open_.append(name)
            elif not told or not said.startswith(here(text)):
                wrong.append((name, said))
            print(f"{name:20} {taken[name]:6.2f} s, film {film:5.2f} s  {said}", flush=True)
    slowest = sorted(taken, key=taken.__getitem__)[-3:]
    print(f"{len(taken)} examples, {len(wrong)} wrong {wrong}, {len(open_)} stopped by the limit of seconds {open_}")
    print(f"median {median(taken.values()):.2f} s; slowest {', '.join(f'{one} {taken[one]:.1f}' for one in slowest)}")
    others = hosts - {"", address.split("/")[2]}
    print(f"other hosts: {sorted(others) or 'none'}")


def main(runtime: str, *names: str) -> None:
    with tempfile.TemporaryDirectory() as folder:

        def put(name: str, content: bytes) -> None:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

        print(f"folder {write_folder(runtime, put) / 1e6:.1f} MB")
        command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]
        log = Path(folder) / "log"
        with log.open("w") as errors:
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert server.stdout is not None
        try:
            address = server.stdout.readline().rpartition("(")[2].rpartition(")")[0]
            measure(address, list(names) or sorted(path.stem for path in (ROOT / "examples").glob("*.csp")))
        finally:
            server.kill()
        sent = re.findall(r'"GET /(\S*) HTTP/1.1" 200', log.read_text())
        size = sum((Path(folder) / (name or "index.html")).stat().st_size for name in sent)
        print(f"sent: {len(sent)} files, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
