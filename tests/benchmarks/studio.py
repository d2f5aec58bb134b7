"""How long the studio takes from a key to the new film, in Chromium, and from Stop to the answer of what comes next."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.browser import chromium  # noqa: E402
from tests.editor.test_studio_page import answered, opened, wait  # noqa: E402
from tests.studios import served  # noqa: E402

HARD = "include langford. param n = 14."
TIMES = 15
FILM = "document.querySelector('#player').dataset.film == studio.playing && studio.playing > {}"


def main() -> None:
    with served() as studio, chromium() as browser, opened(browser, studio.address) as page:
        for name in ("shidoku", "sudoku", "killer"):
            answered(page, lambda name=name: page.select_option("#examples", name))
            page.wait_for_timeout(500)
            taken = []
            for turn in range(TIMES):
                before = page.evaluate("studio.playing")
                page.evaluate("globalThis.pressed = performance.now()")
                page.focus("#text")
                page.keyboard.press("Control+End")
                page.keyboard.type("%" if turn % 2 else "\n")
                wait(page, FILM.format(before))
                taken.append(page.evaluate("studio.started + studio.latency - pressed"))
                page.wait_for_timeout(300)
            print(f"{name:10} {median(taken):5.0f} ms from a key to the new film, for half of {TIMES}")
        taken = []
        for _ in range(TIMES):
            page.fill("#text", HARD)
            wait(page, "!document.querySelector('#stop').hidden")
            before = page.evaluate("studio.playing")
            start = time.perf_counter()
            page.click("#stop")
            wait(page, "document.querySelector('#state').textContent.startsWith('stopped')")
            taken.append(time.perf_counter() - start)
            answered(page, lambda: page.fill("#text", "A in 1..2. A = 1."))
        print(f"{1000 * median(taken):.0f} ms from Stop to stopped, {1000 * max(taken):.0f} at most")


if __name__ == "__main__":
    main()
