"""Large puzzles, each in a process of its own.

    python tests/benchmarks/scale.py [--only WORD,...] [--timeout S] [--data DIR]

Queens, large sudokus and graphs of 450 nodes, from the spec to the answer: seconds of the processor for reading (with
imports), compiling and solving and for the whole process, and the most memory that it had. A process that takes more
than --timeout seconds of the processor is ended, and its row tells how far it came. Answers are checked by code that
shares nothing with the solver; the exit status is 1 if one is wrong. A graph of the collection is skipped where that is
absent.
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

if TYPE_CHECKING:  # whoever starts the processes stays small: the memory of a new one begins with its own
    import csp

Answer = Mapping[str, Any]
Edges = list[tuple[int, int]]


class Question(NamedTuple):
    """A model, its givens, how many solutions are asked for and known, and what an answer must keep to."""

    model: csp.Model
    givens: dict[str, int]
    most: int
    known: int
    check: Callable[[Answer], bool]


def queens(n: int, most: int, data: Path) -> Question:
    import dsl
    from tests.checkers import blocked_queens

    check = partial(blocked_queens, {"n": n, "blocked": []})
    return Question(dsl.load(ROOT / "examples" / "queens.csp", {"n": n}), {}, most, min(most, 92), check)


def sudoku(box: int, given: float, data: Path) -> Question:
    import dsl
    from tests.checkers import sudoku

    n = box * box
    clues = punched_sudoku(box, given, Random(1))
    record = {"n": n, "box": (box, box)}
    model = dsl.load(ROOT / "examples" / "sudoku.csp", {"box": box}, {"clue": ""})
    return Question(model, clues, 1, 1, lambda a: sudoku(record, a) and clues.items() <= dict(a).items())


def published_graph(name: str, k: int, known: int, data: Path) -> Question:
    text = (data / "measure" / "coloring" / f"{name}.col").read_text(encoding="utf-8")
    words = [line.split() for line in text.splitlines()]
    return coloring(text, [(int(a), int(b)) for kind, a, b in (w for w in words if w[:1] == ["e"])], k, known)


def graph(edges: int, k: int, known: int, data: Path) -> Question:
    found = hidden_coloring(450, edges, k if known else k + 1, Random(1))
    return coloring("\n".join([f"p edge 450 {edges}", *(f"e {a} {b}" for a, b in found)]), found, k, known)


def coloring(text: str, edges: Edges, k: int, known: int) -> Question:
    import dsl
    from dsl.puzzles.convert import puzzles
    from dsl.syntax.errors import Source

    (puzzle,) = puzzles(Source("graph", text))
    model = dsl.loads(puzzle.spec(), {"k": k})
    nodes = len(model.domains)

    def check(answer: Answer) -> bool:
        colors = {node: answer[f"color({node})"] for node in range(1, nodes + 1)}
        return {*colors.values()} <= {*range(1, k + 1)} and all(colors[a] != colors[b] for a, b in edges)

    return Question(model, {}, 1, known, check)


def punched_sudoku(box: int, given: float, random: Random) -> dict[str, int]:
    """A pattern grid with its bands, rows, columns and symbols shuffled, and a share of its cells."""
    n = box * box
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
    return {name: cells[name] for name in random.sample(sorted(cells), round(given * n * n))}


def hidden_coloring(nodes: int, edges: int, k: int, random: Random) -> Edges:
    """A graph of cliques of at most k nodes, one of them of k, whose nodes have different colors of a hidden coloring.

    Like those of F. T. Leighton, "A graph coloring algorithm for large scheduling problems", 1979 (le450 of DIMACS).
    """
    order = random.sample(range(1, nodes + 1), nodes)
    classes = [order[color::k] for color in range(k)]
    found: dict[tuple[int, int], None] = {}
    size = k
    while len(found) < edges:
        clique = sorted(random.choice(members) for members in random.sample(classes, size))
        for edge in list(combinations(clique, 2))[: edges - len(found)]:
            found[edge] = None
        size = random.randint(2, k)
    return sorted(found)


WORKS: dict[str, Callable[[Path], Question]] = {
    "8 queens, all": partial(queens, 8, 1000),
    "50 queens, first": partial(queens, 50, 1),
    "200 queens, first": partial(queens, 200, 1),
    "1,000 queens, first": partial(queens, 1000, 1),
    "36x36 sudoku, empty": partial(sudoku, 6, 0.0),
    "49x49 sudoku, empty": partial(sudoku, 7, 0.0),
    "64x64 sudoku, empty": partial(sudoku, 8, 0.0),
    "100x100 sudoku, 70 % given": partial(sudoku, 10, 0.7),
    "100x100 sudoku, 60 % given": partial(sudoku, 10, 0.6),
    "le450_5a, 5 colors": partial(published_graph, "le450_5a", 5, 1),
    "le450_5a, none with 4": partial(published_graph, "le450_5a", 4, 0),
    "450 nodes, 5,714 edges, 5 colors": partial(graph, 5_714, 5, 1),
    "450 nodes, 8,168 edges, 15 colors": partial(graph, 8_168, 15, 1),
    "450 nodes, 8,168 edges, none with 14": partial(graph, 8_168, 14, 0),
    "450 nodes, 8,260 edges, 25 colors": partial(graph, 8_260, 25, 1),
    "450 nodes, 16,680 edges, 15 colors": partial(graph, 16_680, 15, 1),
}


def ask(name: str, data: Path) -> None:
    """Ask one question, and tell how long each part of it has taken, as soon as that is known."""
    import csp

    question = timed("read", lambda: WORKS[name](data))
    solver = timed("compiled", lambda: csp.Solver(question.model))
    found = timed("solved", lambda: list(islice(solver.solutions(question.givens), question.most)))
    right = len(found) == question.known == len({tuple(a.items()) for a in found}) and all(map(question.check, found))
    print(json.dumps({"answer": "right" if right else "wrong"}), flush=True)


def timed(part: str, work: Callable[[], Any]) -> Any:
    began = time.process_time()
    result = work()
    print(json.dumps({part: round(time.process_time() - began, 4)}), flush=True)
    return result


def measured(name: str, data: Path, timeout: int) -> dict[str, Any]:
    """What a process of its own tells, with its seconds of the processor and the megabytes that it had."""
    command = [sys.executable, __file__, "--ask", name, "--data", str(data), "--timeout", str(timeout)]
    told: dict[str, Any] = {}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                told.update(json.loads(line))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            process.kill()
            raise
    ending = "late" if process.returncode < 0 else f"failed, {process.returncode}"
    return {"answer": ending, **told, "process": usage.ru_utime + usage.ru_stime, "MB": usage.ru_maxrss // 1024}


def rows(names: list[str], data: Path, timeout: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in names:
        if name.startswith("le450") and not (data / "measure" / "coloring").is_dir():
            yield name, {"answer": "skipped: no collection"}
        else:
            yield name, measured(name, data, timeout)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--only", default="", metavar="WORD,...", help="works whose names have one of these words")
    parser.add_argument("--timeout", type=int, default=60, metavar="S")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--ask", choices=WORKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        resource.setrlimit(resource.RLIMIT_CPU, (options.timeout, options.timeout))
        ask(options.ask, options.data)
        return 0
    words = options.only.split(",")
    print("| work | read | compiled | solved | process, s | MB | answer |\n|---|---|---|---|---|---|---|", flush=True)
    wrong = False
    for name, told in rows([n for n in WORKS if any(word in n for word in words)], options.data, options.timeout):
        figures = [f"{told[part]:.3g}" if part in told else "" for part in ("read", "compiled", "solved", "process")]
        print(f"| {name} | {' | '.join(figures)} | {told.get('MB', '')} | {told['answer']} |", flush=True)
        wrong = wrong or told["answer"] not in ("right", "late", "skipped: no collection")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
