"""What the techniques reach on real puzzles, as the tables of docs/explain.md.

``python -m tests.benchmarks.techniques [PART ...]`` from the root of the project, for all parts or some; the puzzles
lie beside it, and most may not be copied.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import dsl
from csp import Solver
from csp.explain import LADDER, TECHNIQUES, Walker, explain, rate
from dsl.puzzles.convert import puzzles
from dsl.syntax.errors import Source

from .. import reglib
from ..conftest import ROOT, SHARED
from ..verdicts import records

MOST = 30
"""How many puzzles of a collection are timed."""

NINES = SHARED / "measure" / "sudoku9"
SGT = {letter: i for i, letter in enumerate("tbiaeu")}
GRADES = {
    "jigsaw": SGT,
    "killer": SGT,
    "sudoku_x": SGT,
    "sudoku": SGT,
    "futoshiki": {letter: i for i, letter in enumerate("tekxr")},
    "kenken": {letter: i for i, letter in enumerate("enhxu")},
    "skyscrapers": {letter: i for i, letter in enumerate("ehxu")},
}
"""The difficulty letters of Simon Tatham's collection, the easiest first."""


LARGEST = {"skyscrapers_sgt": 6}
"""Up to which size puzzles are rated, where it is not 9: each supposition about the larger ones takes its time."""


def solver_of(record: dict[str, Any]) -> Solver:
    given = {key: value for key, value in record.items() if key not in ("solution", "solutions")}
    (puzzle,) = puzzles(Source("record", record.get("text") or json.dumps(given)))
    return Solver(dsl.loads(puzzle.spec()))


def library() -> None:
    """How many lines of the library are found."""
    rows = reglib.table()
    for family, count, hits in rows:
        print(f"| {family} | {', '.join(reglib.FAMILIES.get(family, ['none']))} | {hits} of {count} |")
    print(sum(row[2] for row in rows), "of", sum(row[1] for row in rows))


def rungs() -> None:
    """How many of the exemplars each rung solves, with all rungs below it."""
    order = {technique.name: i for i, technique in enumerate(LADDER)}
    highest: Counter[int] = Counter()
    all_of = 0
    for record in records(NINES / "hodoku_exemplars.txt"):
        walker = Walker(solver_of(record), ladder=[one for one in LADDER if not one.supposes])
        top = max([order[step.technique] for step in walker], default=0)
        all_of += 1
        highest[top if walker.ending == "solved" else len(LADDER)] += 1
    solved = 0
    for i, technique in enumerate(LADDER):
        if highest[i]:
            solved += highest[i]
            print(f"| {technique.name} | {solved} |")
    print("of", all_of)


def singles() -> None:
    """How many puzzles the easiest rungs solve by themselves."""
    ladders = [["naked single"], ["naked single", "hidden single"], ["naked single", "hidden single", "pointing"]]
    for name in ("norvig_easy50", "qqwing_simple", "qqwing_easy", "qqwing_intermediate", "qqwing_expert", "royle17"):
        solvers = [solver_of(record) for record in records(NINES / f"{name}.txt")]
        counts = []
        for ladder in ladders:
            chosen = [TECHNIQUES[one] for one in ladder]
            counts.append(sum(explain(solver, ladder=chosen).ending == "solved" for solver in solvers))
        print(f"| {name} | {len(solvers)} | {' | '.join(map(str, counts))} |", flush=True)


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's rank correlation, ties at their mean rank."""

    def ranks(values: Sequence[float]) -> list[float]:
        ordered = sorted(values)
        return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]

    a, b = ranks(one), ranks(other)
    mean = (len(a) - 1) / 2
    covariance = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    spread = sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)
    return covariance / spread**0.5


def correlation(name: str, graded: Iterable[tuple[int, dict[str, Any]]]) -> None:
    """Print how the ratings of graded puzzles agree with their grades."""
    grades, ratings = [], []
    for grade, record in graded:
        grades.append(float(grade))
        ratings.append(rate(solver_of(record)).rating)
    means = {
        grade: sum(r for g, r in zip(grades, ratings, strict=True) if g == grade) / grades.count(grade)
        for grade in sorted({*grades})
    }
    shown = ", ".join(f"{mean:.0f}" for mean in means.values())
    print(f"| {name} | {len(grades)} | {spearman(grades, ratings):.2f} | {shown} |", flush=True)


def grades() -> None:
    """How ratings agree with the grades of generators."""
    names = ("simple", "easy", "intermediate", "expert")
    paths = [NINES / f"qqwing_{name}.txt" for name in names]
    correlation("qqwing", [(i, one) for i, path in enumerate(paths) for one in records(path)])
    for path in sorted((SHARED / "free").glob("*/sgt_*.jsonl")) + sorted((SHARED / "free").glob("*/*_sgt.jsonl")):
        own = [one for one in records(path) if one["n"] <= LARGEST.get(path.stem, 9)]
        letters = GRADES.get(own[0]["family"]) if own else None
        graded = [(letters[one["difficulty"][0]], one) for one in own if one.get("difficulty")] if letters else []
        if len({grade for grade, _ in graded}) > 1:
            correlation(path.stem, graded)


def times() -> None:
    """How long it takes to explain puzzles of several kinds, in seconds of the processor."""
    for name in ("norvig_easy50", "qqwing_expert", "forum_hardest_1106", "forum_hardest_1905_11plus"):
        own = []
        for record in list(records(NINES / f"{name}.txt"))[:MOST]:
            solver = solver_of(record)
            began = time.process_time()
            walk = explain(solver)
            assert walk.ending == "solved"
            own.append(time.process_time() - began)
        own.sort()
        print(f"| {name} | {len(own)} | {own[len(own) // 2]:.2f} | {own[-1]:.2f} |", flush=True)


PARTS = {"library": library, "singles": singles, "rungs": rungs, "grades": grades, "times": times}

if __name__ == "__main__":
    if not Path(NINES).exists():
        sys.exit(f"there are no puzzles beside {ROOT}")
    for part in sys.argv[1:] or PARTS:
        print(f"\n{part}")
        PARTS[part]()
