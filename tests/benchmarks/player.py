"""How large the player's pages are, and how long a step takes in a headless Chromium: python tests/benchmarks/player.py

A step is timed by ``performance.now`` around it, which is script alone, and by the time that the whole tab is busy with
it, layout and painting among it. Of the first steps of a film the median and the slowest in twenty are printed, of the
best of some runs.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

import csp  # noqa: E402
from csp.render.page.player import player  # noqa: E402
from tests.browser import NAMES, QUIET  # noqa: E402
from tests.page.test_player import HARD, example, large  # noqa: E402

RUNS, STEPS = 3, 150
TIMED = """(most) => {
  const times = [];
  player.seek(0);
  while (player.film.position < player.film.end && times.length < most) {
    const before = performance.now();
    player.step(1);
    times.push(performance.now() - before);
  }
  return times;
}"""
PACED = """async (most) => {
  player.seek(0);
  let steps = 0;
  while (player.film.position < player.film.end && steps < most) {
    player.step(1);
    steps += 1;
    await new Promise((done) => requestAnimationFrame(done));
  }
  return steps;
}"""


def main() -> None:
    traces = {
        "4x4": (csp.record(example("shidoku"), "arc"), "clique"),
        "9x9": (csp.record(example("sudoku")), "grid"),
        "9x9, clique": (csp.record(example("sudoku")), "clique"),
        "9x9 hard": (csp.record(example("sudoku", grids={"clue": HARD}), nodes=150), "grid"),
        "9x9, matching": (csp.record(example("sudoku")), "matching"),
        "killer": (csp.record(example("killer")), "grid"),
        "samurai": (csp.record(example("samurai")), "grid"),
        "16x16": (csp.record(large(4), nodes=0), "grid"),
        "25x25": (csp.record(large(5), nodes=0), "grid"),
        "25x25, clique": (csp.record(large(5), nodes=0), "clique"),
    }
    print(f"{'page':14} {'bytes':>9} {'events':>7} {'script ms':>10} {'1 in 20':>8} {'all ms':>7}")
    program = next(filter(None, map(shutil.which, NAMES)))
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(QUIET))
        for name, (trace, lens) in traces.items():
            path = Path(folder) / "page.html"
            path.write_text(player(trace, title=name), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{path.as_uri()}#lens={lens}")
            page.evaluate("ready")
            runs = [sorted(page.evaluate(TIMED, STEPS)) for _ in range(RUNS)]
            best = min(runs, key=median)
            tasks = []
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable")
            for _ in range(RUNS):
                before = spent(session)
                steps = page.evaluate(PACED, STEPS)
                tasks.append(1000 * (spent(session) - before) / steps)
            slow = best[int(0.95 * len(best))]
            size, events = path.stat().st_size, len(trace.records)
            print(f"{name:14} {size:9,} {events:7,} {median(best):10.1f} {slow:8.1f} {min(tasks):7.1f}", flush=True)
            page.close()
        browser.close()


def spent(session: object) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]  # type: ignore[attr-defined]
    return next(one["value"] for one in metrics if one["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
