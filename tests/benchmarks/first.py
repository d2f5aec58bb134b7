"""What the first question costs: start, reading, compiling, the first pass and counting, ours alone.

    python tests/benchmarks/first.py [--only start,killers] [--data DIR]

Seconds are of the processor, not of the clock, the least of a few repeats. Every answer is checked, by its model or by
a known number; a wrong one ends the script. Large puzzles are asked by scale.py.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import csp  # noqa: E402
import dsl  # noqa: E402
from dsl.puzzles.convert import puzzles  # noqa: E402
from dsl.syntax.errors import Source  # noqa: E402
from tests.verdicts import records  # noqa: E402

Row = tuple[str, str]
Givens = dict[str, csp.Value]

REPEATS = 3


def timed(ask: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    found = ask()
    return time.process_time() - began, found


def load(example: str, **params: Any) -> csp.Model:
    return dsl.load(ROOT / "examples" / f"{example}.csp", params, {} if example == "queens" else {"clue": ""})


def named(rows: list[list[int]]) -> Givens:
    """The givens of a grid in which 0 is blank."""
    return {f"cell({r},{c})": v for r, row in enumerate(rows, 1) for c, v in enumerate(row, 1) if v}


def given(data: Path, name: str, most: int) -> list[Givens]:
    """The givens of the first sudokus of a file."""
    return [named(record["grid"]) for record in islice(records(data / name), most)]


def punched_square(n: int, holes: float, random: Random) -> Givens:
    """A shuffled cyclic Latin square with blanks."""
    rows, cols, symbols = (random.sample(range(n), n) for _ in range(3))
    cells = [symbols[(r + c) % n] + 1 for r in rows for c in cols]
    for cell in random.sample(range(n * n), round(holes * n * n)):
        cells[cell] = 0
    return named([cells[k : k + n] for k in range(0, n * n, n)])


def solved(solver: csp.Solver, givens: Givens) -> float:
    seconds, solution = timed(lambda: solver.solve(givens))
    assert solution is not None and solver.model.check(solution)
    return seconds


def milliseconds(*seconds: float) -> str:
    return ", ".join(f"{1000 * one:.3g}" for one in seconds) + " ms"


def process_seconds(arguments: list[str]) -> float:
    """Processor time of a Python of its own, with byte code kept as a user's is."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start(data: Path) -> Iterator[Row]:
    command = ["-m", "dsl", "solve", "examples/sudoku.csp"]
    process_seconds(command)
    pairs = [(process_seconds(command), process_seconds(["-c", "pass"])) for _ in range(12)]
    ours, nothing = (min(column) for column in zip(*pairs, strict=True))
    yield "csp solve examples/sudoku.csp / python -c pass", f"{milliseconds(ours, nothing)}, {ours / nothing:.1f} times"


def small(data: Path) -> Iterator[Row]:
    for name, most in (("royle17", 300), ("norvig_top95", 95), ("forum_hardest_1106", 100)):
        givens = given(data, f"measure/sudoku9/{name}.txt", most)
        model = load("sudoku")
        passes: list[list[list[float]]] = [[], []]
        for _ in range(REPEATS):
            solver = csp.Solver(model)
            for times in passes:
                times.append([solved(solver, one) for one in givens])
        first, second = (median(min(one) for one in zip(*times, strict=True)) for times in passes)
        yield f"{name}, first / second pass", milliseconds(first, second)


def large(data: Path) -> Iterator[Row]:
    square = [(n, punched_square(n, 0.42, Random(seed))) for seed, n in enumerate((30, 31, 32, 33, 35), 1)]
    works: list[tuple[str, list[tuple[csp.Model, Givens]]]] = [
        (name, [(load("sudoku", box=box), givens) for givens in given(data, file, most)])
        for name, box, file, most in (
            ("16x16", 4, "measure/sudokuN/gecode_16x16.jsonl", 10),
            ("25x25", 5, "free/sudokuN/sgt_25x25.jsonl", 5),
        )
    ]
    works.append(("quasigroups 30-35, 42 % holes", [(load("latin", n=n), givens) for n, givens in square]))
    for work, some in works:
        compiled, firsts, thirds = [], [], []
        for model, givens in some:
            solvers = [timed(lambda model=model: csp.Solver(model)) for _ in range(REPEATS)]
            compiled.append(min(seconds for seconds, _ in solvers))
            firsts.append(min(solved(solver, givens) for _, solver in solvers))
            thirds.append(min(solved(solvers[0][1], givens) for _ in range(REPEATS)))
        yield f"{work}: compiled, first, third time", milliseconds(median(compiled), median(firsts), median(thirds))


def killers(data: Path) -> Iterator[Row]:
    for name in ("measure/variants/killer_janko.jsonl", "free/variants/killer_sgt.jsonl"):
        steps = []
        for record in records(data / name):
            if record["n"] != 9:
                continue
            (puzzle,) = puzzles(Source("record", json.dumps(record)))
            spec = puzzle.spec()
            reading, model = timed(lambda spec=spec: dsl.loads(spec))
            compiling, solver = timed(lambda model=model: csp.Solver(model))
            proving, found = timed(lambda solver=solver: solver.count(limit=2))
            assert found.value == 1
            steps.append((reading, compiling, proving))
        times = [sum(own) for own in steps]
        figures = milliseconds(median(times), *quantiles(times)[::2], max(times))
        yield f"{Path(name).stem} 9x9, read to proved: median, quartiles, most", figures
        medians = milliseconds(*[median(own) for own in zip(*steps, strict=True)])
        yield "  of which medians of reading, compiling, proving", medians


def facts(data: Path) -> Iterator[Row]:
    text = "A in 1..3." + "".join([f"edge({i}, {i * 7919 % 10007}, {i % 13}).\n" for i in range(45_000)])
    seconds = min(timed(lambda: dsl.loads(text))[0] for _ in range(REPEATS))
    yield f"45,000 facts, {len(text):,} characters, read", milliseconds(seconds)


def counting(data: Path) -> Iterator[Row]:
    for example, params, count in (
        ("latin", {"n": 5}, 161_280),
        ("latin", {"n": 6}, 812_851_200),
        ("sudoku", {"rows": 2, "cols": 3}, 28_200_960),
    ):
        solver = csp.Solver(load(example, **params))
        seconds, found = timed(lambda solver=solver: solver.count())
        assert found.value == count and found.complete
        yield f"{example} {params}: {count:,} counted", milliseconds(seconds)
    solver = csp.Solver(load("latin", n=5))
    seconds, found = timed(lambda: sum(1 for _ in solver.solutions()))
    assert found == 161_280
    yield "latin {'n': 5}: 161,280 listed", milliseconds(seconds)


def queens(data: Path) -> Iterator[Row]:
    solver = csp.Solver(load("queens", n=8))
    times = [timed(lambda: sum(1 for _ in solver.solutions())) for _ in range(REPEATS)]
    assert all(found == 92 for _, found in times)
    yield "8 queens, all 92, a solver that is ready", milliseconds(min(seconds for seconds, _ in times))
    for n in (50, 200):
        seconds, solution = timed(lambda n=n: csp.solve(load("queens", n=n)))
        assert solution is not None
        yield f"{n} queens, read, compiled, solved", milliseconds(seconds)


PARTS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "start": start,
    "small": small,
    "large": large,
    "killers": killers,
    "facts": facts,
    "counting": counting,
    "queens": queens,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options = parser.parse_args()
    for name in options.only.split(","):
        for work, figures in PARTS[name](options.data):
            print(f"{work:66} {figures}", flush=True)


if __name__ == "__main__":
    main()
