"""Explanations of pencil puzzles: python tests/benchmarks/pencil.py FILE [--sample 2] [--seconds 10] [--only lits,...]

FILE has a puzzle a line, as JSON with ``genre`` and ``url``. The sample has the largest puzzle of each genre that has
at most 110 squares, and the smallest ones. The table has a row for each genre: the puzzles that are read, that are
proved to have one solution, that are explained to the end in the processor time, and that need no supposition for it;
then the ending, the seconds and the steps of each explanation.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections import defaultdict
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import dsl  # noqa: E402
from csp import Model, Settings, Solver, verdict  # noqa: E402
from csp.explain import Step, Walker  # noqa: E402
from dsl.puzzles.links.dispatch import spec_of_link  # noqa: E402
from dsl.syntax.nodes import Place  # noqa: E402


class TimeOver(Exception):
    """The time of an explanation is over."""


def sample(path: Path, count: int) -> dict[str, list[str]]:
    """Return the links of the smallest puzzles of each genre."""
    puzzles: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        puzzle = json.loads(line)
        puzzles[puzzle["genre"]].append(puzzle)
    size = lambda puzzle: puzzle["width"] * puzzle["height"]  # noqa: E731
    links = {}
    for genre, of_genre in puzzles.items():
        ordered = sorted([p for p in of_genre if size(p) <= 110] or of_genre, key=size)
        links[genre] = [puzzle["url"] for puzzle in [*ordered[-1:], *ordered][:count]]
    return links


def explain_within(model: Model, seconds: float) -> tuple[list[Step], str, int, float]:
    """Return the steps found in the time, the ending, the open variables and the time used."""

    def stop(*_: object) -> None:
        raise TimeOver

    steps: list[Step] = []
    began = process_time()
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    walker = None
    try:
        walker = Walker(Solver(model))
        steps += walker
        ending = walker.ending
    except TimeOver:
        ending = "stopped"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return steps, ending, walker.open if walker else -1, process_time() - began


def row(name: str, counts: list[int]) -> str:
    """Write a row of the table, without the paths."""
    return f"{name:12} {counts[0]:3} {counts[1]:4} {counts[2]:7} {counts[3]:9} {counts[4]:10} "


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(f"{'genre':12} {'of':>3} {'read':>4} {'decided':>7} {'explained':>9} {'unsupposed':>10}  paths", flush=True)
    totals = [0] * 5
    for genre, links in sample(options.file, options.sample).items():
        if options.only and genre not in options.only.split(","):
            continue
        counts, paths = [len(links), 0, 0, 0, 0], []
        for link in links:
            try:
                model = dsl.loads(spec_of_link(link, Place(1, 1)))
            except Exception as error:
                paths.append(f"unread: {str(error).splitlines()[0][:60]}")
                continue
            counts[1] += 1
            if verdict(Solver(model, settings=Settings(seconds=options.seconds))).solutions != "one":
                paths.append("undecided")
                continue
            counts[2] += 1
            steps, ending, unfixed, seconds = explain_within(model, options.seconds)
            supposed = [step.depth for step in steps if step.depth]
            counts[3] += ending == "solved"
            counts[4] += ending == "solved" and not supposed
            depth = f" of depth {max(supposed)}" if supposed else ""
            paths.append(
                f"{ending} {seconds:.1f} s, {len(steps)} steps, {len(supposed)} suppositions{depth}, {unfixed} open"
            )
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        print(row(genre, counts), "; ".join(paths), flush=True)
    print(row("all", totals))


if __name__ == "__main__":
    main()
