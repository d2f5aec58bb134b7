"""Measure time and memory of large puzzles, each in a separate process.

    python tests/benchmarks/scale.py [--only WORD,...] [--timeout S] [--data DIR]

The puzzles are queens, large sudokus and graphs of 450 nodes. A row shows the processor seconds of reading (with
imports), of compiling, of solving and of the whole process, and the peak memory. A process that exceeds --timeout
processor seconds is stopped; its row shows the finished parts. Checkers that share no code with the solver check the
answers. The exit status is 1 if an answer is wrong. Without the puzzle collection, its graphs are skipped.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, combinations, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:  # a new process begins with the memory of its parent, so the parent imports little
    import csp

Answer = Mapping[str, Any]
Edges = list[tuple[int, int]]


class Question(NamedTuple):
    """A model, its givens, the limit and the known number of solutions, and their checker."""

    model: csp.Model
    givens: dict[str, int]
    limit: int
    expected: int
    check: Callable[[Answer], bool]


def load_queens(n: int, limit: int, data: Path) -> Question:
    """Return the question for at most ``limit`` solutions of n queens."""
    import dsl
    from tests.checkers import blocked_queens

    check = partial(blocked_queens, {"n": n, "blocked": []})
    return Question(dsl.load(ROOT / "examples" / "queens.csp", {"n": n}), {}, limit, min(limit, 92), check)


def load_sudoku(box: int, share: float, data: Path) -> Question:
    """Return the question for a sudoku with this share of its cells given."""
    import dsl
    from tests.checkers import sudoku

    n = box * box
    clues = make_sudoku(box, share, Random(1))
    record = {"n": n, "box": (box, box)}
    model = dsl.load(ROOT / "examples" / "sudoku.csp", {"box": box}, {"clue": ""})
    return Question(model, clues, 1, 1, lambda a: sudoku(record, a) and clues.items() <= dict(a).items())


def load_graph(name: str, k: int, expected: int, data: Path) -> Question:
    """Return the question for a colouring of a published graph with k colours."""
    text = (data / "measure" / "coloring" / f"{name}.col").read_text(encoding="utf-8")
    words = [line.split() for line in text.splitlines()]
    return color_graph(text, [(int(a), int(b)) for kind, a, b in (w for w in words if w[:1] == ["e"])], k, expected)


def load_random_graph(count: int, k: int, expected: int, data: Path) -> Question:
    """Return the question for a colouring of a random graph with k colours."""
    edges = make_graph(450, count, k if expected else k + 1, Random(1))
    text = "\n".join([f"p edge 450 {count}", *(f"e {a} {b}" for a, b in edges)])
    return color_graph(text, edges, k, expected)


def color_graph(text: str, edges: Edges, k: int, expected: int) -> Question:
    """Return the question for a colouring of a graph, of its text and its edges."""
    import dsl
    from dsl.puzzles.convert import puzzles
    from dsl.syntax.errors import Source

    (puzzle,) = puzzles(Source("graph", text))
    model = dsl.loads(puzzle.spec(), {"k": k})
    nodes = len(model.domains)

    def check(answer: Answer) -> bool:
        colors = {node: answer[f"color({node})"] for node in range(1, nodes + 1)}
        return {*colors.values()} <= {*range(1, k + 1)} and all(colors[a] != colors[b] for a, b in edges)

    return Question(model, {}, 1, expected, check)


def make_sudoku(box: int, share: float, random: Random) -> dict[str, int]:
    """Return the given share of the cells of a shuffled pattern grid."""
    n = box * box
    # Shuffle the bands, and the lines of each band.
    rows, cols = (
        list(
            chain(*[random.sample(range(band * box, band * box + box), box) for band in random.sample(range(box), box)])
        )
        for _ in range(2)
    )
    symbols = random.sample(range(1, n + 1), n)
    cells = {
        f"cell({i},{j})": symbols[(r * box + r // box + c) % n]
        for i, r in enumerate(rows, 1)
        for j, c in enumerate(cols, 1)
    }
    return {name: cells[name] for name in random.sample(sorted(cells), round(share * n * n))}


def make_graph(nodes: int, count: int, k: int, random: Random) -> Edges:
    """Return a random graph of cliques that hides a colouring with k colours.

    A clique joins nodes of different hidden colours. The first clique has k nodes. The graphs resemble those of
    F. T. Leighton, "A graph coloring algorithm for large scheduling problems", 1979 (le450 of DIMACS).
    """
    order = random.sample(range(1, nodes + 1), nodes)
    classes = [order[color::k] for color in range(k)]
    edges: dict[tuple[int, int], None] = {}
    size = k
    while len(edges) < count:
        clique = sorted(random.choice(members) for members in random.sample(classes, size))
        for edge in list(combinations(clique, 2))[: count - len(edges)]:
            edges[edge] = None
        size = random.randint(2, k)
    return sorted(edges)


PUZZLES: dict[str, Callable[[Path], Question]] = {
    "8 queens, all": partial(load_queens, 8, 1000),
    "50 queens, first": partial(load_queens, 50, 1),
    "200 queens, first": partial(load_queens, 200, 1),
    "1,000 queens, first": partial(load_queens, 1000, 1),
    "36x36 sudoku, empty": partial(load_sudoku, 6, 0.0),
    "49x49 sudoku, empty": partial(load_sudoku, 7, 0.0),
    "64x64 sudoku, empty": partial(load_sudoku, 8, 0.0),
    "100x100 sudoku, 70 % given": partial(load_sudoku, 10, 0.7),
    "100x100 sudoku, 60 % given": partial(load_sudoku, 10, 0.6),
    "le450_5a, 5 colors": partial(load_graph, "le450_5a", 5, 1),
    "le450_5a, none with 4": partial(load_graph, "le450_5a", 4, 0),
    "450 nodes, 5,714 edges, 5 colors": partial(load_random_graph, 5_714, 5, 1),
    "450 nodes, 8,168 edges, 15 colors": partial(load_random_graph, 8_168, 15, 1),
    "450 nodes, 8,168 edges, none with 14": partial(load_random_graph, 8_168, 14, 0),
    "450 nodes, 8,260 edges, 25 colors": partial(load_random_graph, 8_260, 25, 1),
    "450 nodes, 16,680 edges, 15 colors": partial(load_random_graph, 16_680, 15, 1),
}


def run(name: str, data: Path) -> None:
    """Solve a puzzle in this process and print the time of each part at once."""
    import csp

    question = measure_part("read", lambda: PUZZLES[name](data))
    solver = measure_part("compiled", lambda: csp.Solver(question.model))
    solutions = measure_part("solved", lambda: list(islice(solver.solutions(question.givens), question.limit)))
    number = len({tuple(solution.items()) for solution in solutions})
    is_right = len(solutions) == question.expected == number and all(map(question.check, solutions))
    print(json.dumps({"answer": "right" if is_right else "wrong"}), flush=True)


def measure_part(part: str, work: Callable[[], Any]) -> Any:
    """Return the result of the work, and print its processor seconds."""
    began = time.process_time()
    result = work()
    print(json.dumps({part: round(time.process_time() - began, 4)}), flush=True)
    return result


def measure(name: str, data: Path, timeout: int) -> dict[str, Any]:
    """Return the output of a new process, its processor seconds and its peak memory in MB."""
    command = [sys.executable, __file__, "--run", name, "--data", str(data), "--timeout", str(timeout)]
    output: dict[str, Any] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                output.update(json.loads(line))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            process.kill()
            raise
    ending = "timed out" if process.returncode < 0 else f"failed, {process.returncode}"
    return {"answer": ending, **output, "process": usage.ru_utime + usage.ru_stime, "MB": usage.ru_maxrss // 1024}


def measure_all(names: list[str], data: Path, timeout: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each name with its measures; skip graphs without the puzzle collection."""
    for name in names:
        if name.startswith("le450") and not (data / "measure" / "coloring").is_dir():
            yield name, {"answer": "skipped: no collection"}
        else:
            yield name, measure(name, data, timeout)


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", default="", metavar="WORD,...", help="puzzles whose names contain a word")
    parser.add_argument("--timeout", type=int, default=60, metavar="S", help="limit of processor seconds")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--run", choices=PUZZLES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        resource.setrlimit(resource.RLIMIT_CPU, (options.timeout, options.timeout))
        run(options.run, options.data)
        return 0
    words = options.only.split(",")
    print("| puzzle | read | compiled | solved | process, s | MB | answer |\n|---|---|---|---|---|---|---|", flush=True)
    wrong = False
    for name, output in measure_all(
        [n for n in PUZZLES if any(word in n for word in words)], options.data, options.timeout
    ):
        figures = [
            f"{output[part]:.3g}" if part in output else "" for part in ("read", "compiled", "solved", "process")
        ]
        print(f"| {name} | {' | '.join(figures)} | {output.get('MB', '')} | {output['answer']} |", flush=True)
        wrong = wrong or output["answer"] not in ("right", "timed out", "skipped: no collection")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
